--
-- PostgreSQL database dump
--


-- Dumped from database version 15.20 (Debian 15.20-0+deb12u1)
-- Dumped by pg_dump version 15.20 (Debian 15.20-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: sdc; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS sdc WITH SCHEMA public;


--
-- Name: EXTENSION sdc; Type: COMMENT; Schema: -; Owner:
--

COMMENT ON EXTENSION sdc IS 'statistical disclosure control: protect tables inside the database';


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: aggregated; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.aggregated (
    id integer,
    income double precision
);


ALTER TABLE public.aggregated OWNER TO owner;

--
-- Name: continued; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.continued (
    id integer,
    age integer,
    income double precision
);


ALTER TABLE public.continued OWNER TO owner;

--
-- Name: elsewhere; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.elsewhere (
    id integer,
    age integer
);


ALTER TABLE public.elsewhere OWNER TO owner;

--
-- Name: equidepth; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.equidepth (
    id integer,
    age integer,
    income double precision
);


ALTER TABLE public.equidepth OWNER TO owner;

--
-- Name: generalized; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.generalized (
    id integer,
    age int4range,
    income double precision,
    group_id integer
);


ALTER TABLE public.generalized OWNER TO owner;

--
-- Name: moving; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.moving (
    id integer NOT NULL,
    age integer,
    income double precision,
    region integer,
    household integer,
    status text,
    name text
);


ALTER TABLE public.moving OWNER TO owner;

--
-- Name: nightly_run_3; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.nightly_run_3 (
    id integer,
    age integer,
    income double precision,
    region integer
);


ALTER TABLE public.nightly_run_3 OWNER TO owner;

--
-- Name: noisy; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.noisy (
    id integer,
    income double precision
);


ALTER TABLE public.noisy OWNER TO owner;

--
-- Name: noisy_continued; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.noisy_continued (
    id integer,
    income double precision
);


ALTER TABLE public.noisy_continued OWNER TO owner;

--
-- Name: permuted; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.permuted (
    id integer,
    age integer,
    income double precision,
    region integer,
    group_id integer
);


ALTER TABLE public.permuted OWNER TO owner;

--
-- Name: permuted_qi; Type: VIEW; Schema: public; Owner: owner
--

CREATE VIEW public.permuted_qi AS
 SELECT release.group_id,
    release.age,
    release.region
   FROM public.permuted release;


ALTER TABLE public.permuted_qi OWNER TO owner;

--
-- Name: permuted_sensitive; Type: VIEW; Schema: public; Owner: owner
--

CREATE VIEW public.permuted_sensitive AS
 SELECT release.group_id,
    release.income,
    count(*) AS records
   FROM public.permuted release
  GROUP BY release.group_id, release.income;


ALTER TABLE public.permuted_sensitive OWNER TO owner;

--
-- Name: person; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.person (
    id integer NOT NULL,
    age integer,
    income double precision,
    region integer,
    household integer,
    status text,
    name text
);


ALTER TABLE public.person OWNER TO owner;

--
-- Name: TABLE person; Type: SECURITY LABEL; Schema: public; Owner: owner
--

SECURITY LABEL FOR sdc ON COLUMN public.person.age IS 'quasi-identifier';
SECURITY LABEL FOR sdc ON COLUMN public.person.income IS 'sensitive';
SECURITY LABEL FOR sdc ON COLUMN public.person.status IS 'quasi-identifier';
SECURITY LABEL FOR sdc ON COLUMN public.person.name IS 'identifier';


--
-- Name: prammed; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.prammed (
    id integer,
    status text
);


ALTER TABLE public.prammed OWNER TO owner;

--
-- Name: public_rankswapped; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.public_rankswapped (
    age integer,
    income double precision,
    region integer
);


ALTER TABLE public.public_rankswapped OWNER TO owner;

--
-- Name: TABLE public_rankswapped; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON TABLE public.public_rankswapped IS 'Protected data: a value need not be that of the person whose other values are beside it. Table public.public_rankswapped_accuracy tells how exact they are, and sdc_how_accurate between which numbers a count of the truth is.';


--
-- Name: COLUMN public_rankswapped.age; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON COLUMN public.public_rankswapped.age IS 'Rank swapped: records near each other by rank have exchanged values. Alone, the column has the values of the source; with other columns, counts differ from the truth, and sdc_how_accurate says how far. (sdc_publish)';


--
-- Name: COLUMN public_rankswapped.income; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON COLUMN public.public_rankswapped.income IS 'Rank swapped: records near each other by rank have exchanged values. Alone, the column has the values of the source; with other columns, counts differ from the truth, and sdc_how_accurate says how far. (sdc_publish)';


--
-- Name: COLUMN public_rankswapped.region; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON COLUMN public.public_rankswapped.region IS 'Copied: the values are those of the source. (sdc_publish)';


--
-- Name: public_rankswapped_accuracy; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.public_rankswapped_accuracy (
    part text,
    attribute name,
    measure text,
    value double precision
);

ALTER TABLE ONLY public.public_rankswapped_accuracy REPLICA IDENTITY FULL;


ALTER TABLE public.public_rankswapped_accuracy OWNER TO owner;

--
-- Name: TABLE public_rankswapped_accuracy; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON TABLE public.public_rankswapped_accuracy IS 'How exact the protected data of table public.public_rankswapped are: differences to the data that they were made from, coarse on purpose.';


--
-- Name: COLUMN public_rankswapped_accuracy.part; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON COLUMN public.public_rankswapped_accuracy.part IS 'What a row is about: the release, the method of a column, margins, correlations, counts, or associations. (sdc_publish)';


--
-- Name: COLUMN public_rankswapped_accuracy.attribute; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON COLUMN public.public_rankswapped_accuracy.attribute IS 'The column of the publication; NULL: all of it. (sdc_publish)';


--
-- Name: COLUMN public_rankswapped_accuracy.measure; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON COLUMN public.public_rankswapped_accuracy.measure IS 'What the value is. <measure>_rounding is what a figure is rounded to. (sdc_publish)';


--
-- Name: COLUMN public_rankswapped_accuracy.value; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON COLUMN public.public_rankswapped_accuracy.value IS 'The figure. NULL: there is none, or it is withheld. (sdc_publish)';


--
-- Name: published; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.published (
    age integer,
    income double precision,
    region integer
);


ALTER TABLE public.published OWNER TO owner;

--
-- Name: TABLE published; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON TABLE public.published IS 'Protected data: a value need not be that of the person whose other values are beside it. Table public.published_accuracy tells how exact they are, and sdc_how_accurate between which numbers a count of the truth is.';


--
-- Name: COLUMN published.age; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON COLUMN public.published.age IS 'Rank swapped: records near each other by rank have exchanged values. Alone, the column has the values of the source; with other columns, counts differ from the truth, and sdc_how_accurate says how far. (sdc_publish)';


--
-- Name: COLUMN published.income; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON COLUMN public.published.income IS 'Rank swapped: records near each other by rank have exchanged values. Alone, the column has the values of the source; with other columns, counts differ from the truth, and sdc_how_accurate says how far. (sdc_publish)';


--
-- Name: COLUMN published.region; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON COLUMN public.published.region IS 'Copied: the values are those of the source. (sdc_publish)';


--
-- Name: published_accuracy; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.published_accuracy (
    part text,
    attribute name,
    measure text,
    value double precision
);

ALTER TABLE ONLY public.published_accuracy REPLICA IDENTITY FULL;


ALTER TABLE public.published_accuracy OWNER TO owner;

--
-- Name: TABLE published_accuracy; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON TABLE public.published_accuracy IS 'How exact the protected data of table public.published are: differences to the data that they were made from, coarse on purpose.';


--
-- Name: COLUMN published_accuracy.part; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON COLUMN public.published_accuracy.part IS 'What a row is about: the release, the method of a column, margins, correlations, counts, or associations. (sdc_publish)';


--
-- Name: COLUMN published_accuracy.attribute; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON COLUMN public.published_accuracy.attribute IS 'The column of the publication; NULL: all of it. (sdc_publish)';


--
-- Name: COLUMN published_accuracy.measure; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON COLUMN public.published_accuracy.measure IS 'What the value is. <measure>_rounding is what a figure is rounded to. (sdc_publish)';


--
-- Name: COLUMN published_accuracy.value; Type: COMMENT; Schema: public; Owner: owner
--

COMMENT ON COLUMN public.published_accuracy.value IS 'The figure. NULL: there is none, or it is withheld. (sdc_publish)';


--
-- Name: randomized; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.randomized (
    id integer,
    age integer,
    status text
);


ALTER TABLE public.randomized OWNER TO owner;

--
-- Name: randomized_continued; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.randomized_continued (
    id integer,
    age integer,
    status text
);


ALTER TABLE public.randomized_continued OWNER TO owner;

--
-- Name: rankswapped; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.rankswapped (
    id integer,
    age integer,
    income double precision,
    region integer
);


ALTER TABLE public.rankswapped OWNER TO owner;

--
-- Name: recoded; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.recoded (
    id integer,
    income double precision
);


ALTER TABLE public.recoded OWNER TO owner;

--
-- Name: suppressed; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.suppressed (
    id integer,
    age integer,
    status text
);


ALTER TABLE public.suppressed OWNER TO owner;

--
-- Data for Name: aggregated; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.aggregated (id, income) FROM stdin;
1	1262.25
2	18.75
3	1262.25
4	18.75
5	1262.25
6	18.75
7	1262.25
8	18.75
9	1262.25
10	18.75
11	1290.375
12	46.875
13	1290.375
14	46.875
15	1290.375
16	46.875
17	1290.375
18	46.875
19	1315.375
20	71.875
21	1315.375
22	71.875
23	1315.375
24	71.875
25	1315.375
26	71.875
27	1340.375
28	96.875
29	1340.375
30	96.875
31	1340.375
32	96.875
33	1340.375
34	96.875
35	1365.375
36	121.875
37	1365.375
38	121.875
39	1365.375
40	121.875
41	1365.375
42	121.875
43	1390.375
44	146.875
45	1390.375
46	146.875
47	1390.375
48	146.875
49	1390.375
50	146.875
\.


--
-- Data for Name: continued; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.continued (id, age, income) FROM stdin;
1	74	1312.25
2	57	43.75
3	60	1306
4	27	62.5
5	32	125
6	67	37.5
7	63	156.25
8	41	87.5
9	39	150
10	26	81.25
11	29	137.5
12	79	18.75
13	48	143.75
14	45	6.25
15	50	1299.75
16	37	106.25
17	78	1293.5
18	55	68.75
19	66	1256
20	51	12.5
21	22	1249.75
22	33	56.25
23	61	1331
24	72	131.25
25	38	1387.25
26	43	31.25
27	40	1318.5
28	77	25
29	76	1368.5
30	68	112.5
31	49	1374.75
32	46	118.75
33	30	1393.5
34	80	50
35	52	1381
36	44	93.75
37	28	1399.75
38	21	100
39	71	1337.25
40	56	1262.25
41	59	1343.5
42	34	75
43	24	1356
44	35	1281
45	70	1324.75
46	65	1287.25
47	62	1349.75
48	54	1274.75
49	23	1362.25
50	73	1268.5
\.


--
-- Data for Name: elsewhere; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.elsewhere (id, age) FROM stdin;
1	-70
2	-59
3	-48
4	-37
5	-26
6	-76
7	-65
8	-54
9	-43
10	-32
11	-21
12	-71
13	-60
14	-49
15	-38
16	-27
17	-77
18	-66
19	-55
20	-44
21	-33
22	-22
23	-72
24	-61
25	-50
26	-39
27	-28
28	-78
29	-67
30	-56
31	-45
32	-34
33	-23
34	-73
35	-62
36	-51
37	-40
38	-29
39	-79
40	-68
41	-57
42	-46
43	-35
44	-24
45	-74
46	-63
47	-52
48	-41
49	-30
50	-80
\.


--
-- Data for Name: equidepth; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.equidepth (id, age, income) FROM stdin;
1	62	1356
2	61	75
3	50	1324.75
4	32	31.25
5	26	1262.25
6	76	18.75
7	65	1268.5
8	54	25
9	48	1256
10	39	81.25
11	21	1281
12	63	143.75
13	52	1393.5
14	41	150
15	30	1399.75
16	29	118.75
17	79	1368.5
18	66	56.25
19	55	1306
20	46	131.25
21	33	1312.25
22	27	50
23	77	1299.75
24	56	93.75
25	43	1274.75
26	37	12.5
27	23	1349.75
28	78	87.5
29	67	1337.25
30	59	6.25
31	45	1343.5
32	34	100
33	28	1331
34	73	106.25
35	70	1249.75
36	44	62.5
37	40	1362.25
38	22	68.75
39	74	1387.25
40	68	125
41	60	1287.25
42	49	43.75
43	35	1381
44	24	137.5
45	72	1318.5
46	71	37.5
47	57	1374.75
48	51	112.5
49	38	1293.5
50	80	156.25
\.


--
-- Data for Name: generalized; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.generalized (id, age, income, group_id) FROM stdin;
1	[67,71)	1249.75	1
2	[56,60)	6.25	2
3	[48,51)	1256	3
4	[37,40)	12.5	4
5	[26,29)	1262.25	5
6	[74,78)	18.75	6
7	[63,67)	1268.5	7
8	[54,56)	25	8
9	[40,44)	1274.75	9
10	[29,33)	31.25	10
11	[21,23)	1281	11
12	[71,74)	37.5	12
13	[60,63)	1287.25	13
14	[48,51)	43.75	3
15	[37,40)	1293.5	4
16	[26,29)	50	5
17	[74,78)	1299.75	6
18	[63,67)	56.25	7
19	[54,56)	1306	8
20	[44,47)	62.5	14
21	[33,36)	1312.25	15
22	[21,23)	68.75	11
23	[71,74)	1318.5	12
24	[60,63)	75	13
25	[48,51)	1324.75	3
26	[37,40)	81.25	4
27	[26,29)	1331	5
28	[78,81)	87.5	16
29	[67,71)	1337.25	1
30	[56,60)	93.75	2
31	[44,47)	1343.5	14
32	[33,36)	100	15
33	[23,25)	1349.75	17
34	[71,74)	106.25	12
35	[60,63)	1356	13
36	[51,53)	112.5	18
37	[40,44)	1362.25	9
38	[29,33)	118.75	10
39	[78,81)	1368.5	16
40	[67,71)	125	1
41	[56,60)	1374.75	2
42	[44,47)	131.25	14
43	[33,36)	1381	15
44	[23,25)	137.5	17
45	[74,78)	1387.25	6
46	[63,67)	143.75	7
47	[51,53)	1393.5	18
48	[40,44)	150	9
49	[29,33)	1399.75	10
50	[78,81)	156.25	16
\.


--
-- Data for Name: moving; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.moving (id, age, income, region, household, status, name) FROM stdin;
1	70	1249.75	1	0	\N	no. 1
2	59	6.25	2	1	widowed	no. 2
3	48	1256	0	1	married	no. 3
4	37	12.5	1	2	single	no. 4
5	26	1262.25	2	2	\N	no. 5
6	76	18.75	0	3	widowed	no. 6
7	65	1268.5	1	3	married	no. 7
8	54	25	2	4	single	no. 8
10	32	31.25	1	5	widowed	no. 10
11	21	1281	2	5	married	no. 11
12	71	37.5	0	6	single	no. 12
13	60	1287.25	1	6	\N	no. 13
14	49	43.75	2	7	widowed	no. 14
15	38	1293.5	0	7	married	no. 15
16	27	50	1	8	single	no. 16
17	77	1299.75	2	8	\N	no. 17
19	55	1306	1	9	married	no. 19
20	44	62.5	2	10	single	no. 20
21	33	1312.25	0	10	\N	no. 21
22	22	68.75	1	11	widowed	no. 22
23	72	1318.5	2	11	married	no. 23
24	61	75	0	12	single	no. 24
25	50	1324.75	1	12	\N	no. 25
26	39	81.25	2	13	widowed	no. 26
28	78	87.5	1	14	single	no. 28
29	67	1337.25	2	14	\N	no. 29
30	56	93.75	0	15	widowed	no. 30
31	45	1343.5	1	15	married	no. 31
32	34	100	2	16	single	no. 32
33	23	1349.75	0	16	\N	no. 33
34	73	106.25	1	17	widowed	no. 34
35	62	1356	2	17	married	no. 35
37	40	1362.25	1	18	\N	no. 37
38	29	118.75	2	19	widowed	no. 38
39	79	1368.5	0	19	married	no. 39
40	68	125	1	20	single	no. 40
41	57	1374.75	2	20	\N	no. 41
42	46	131.25	0	21	widowed	no. 42
43	35	1381	1	21	married	no. 43
44	24	137.5	2	22	single	no. 44
46	63	143.75	1	23	widowed	no. 46
47	52	1393.5	2	23	married	no. 47
48	41	150	0	24	single	no. 48
49	30	1399.75	1	24	\N	no. 49
50	80	156.25	2	25	widowed	no. 50
9	43	1275.75	0	4	\N	no. 9
18	66	57.25	0	9	widowed	no. 18
27	28	1332	0	13	married	no. 27
36	51	113.5	0	18	single	no. 36
45	74	1388.25	0	22	\N	no. 45
\.


--
-- Data for Name: nightly_run_3; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.nightly_run_3 (id, age, income, region) FROM stdin;
1	73	1337.25	1
2	43	12.5	2
3	33	125	0
4	27	6.25	1
5	38	1287.25	2
6	78	57.25	0
7	74	131.25	1
8	35	43.75	2
9	59	93.75	0
10	29	68.75	1
11	39	1356	2
12	77	62.5	0
13	66	1262.25	1
14	52	25	2
15	26	1349.75	0
16	37	106.25	1
17	71	1381	2
18	60	18.75	0
19	44	1324.75	1
20	55	37.5	2
21	48	1399.75	0
22	23	31.25	1
23	67	1393.5	2
24	79	81.25	0
25	40	1306	1
26	21	75	2
27	24	1362.25	0
28	76	113.5	1
29	72	1249.75	2
30	62	1275.75	0
31	30	1368.5	1
32	41	118.75	2
33	22	1293.5	0
34	70	50	1
35	56	1281	2
36	63	87.5	0
37	50	1332	1
38	32	100	2
39	61	1343.5	0
40	80	1256	1
41	46	1388.25	2
42	57	1268.5	0
43	54	1299.75	1
44	28	150	2
45	65	1374.75	0
46	51	156.25	1
47	49	1318.5	2
48	34	137.5	0
49	45	1312.25	1
50	68	143.75	2
\.


--
-- Data for Name: noisy; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.noisy (id, income) FROM stdin;
1	1426.693441546865
2	-41.41196068781262
3	1095.072544816077
4	162.11798666038834
5	1080.0483272507001
6	-2.824894334566018
7	1143.7619447138075
8	-247.09160852468398
9	1305.1457146356345
10	-7.662800120760011
11	1271.4390016926116
12	-28.82879951592824
13	1247.869504672013
14	-94.09738516705079
15	1396.8356670661458
16	268.40472995648076
17	1180.8161005305024
18	26.602937542192105
19	1556.1208141125437
20	-63.4091526858041
21	1271.6750523025285
22	87.65747998431213
23	1210.2763904660471
24	-46.93953209496652
25	1286.7477931080473
26	7.1611675968126605
27	1487.8466864925308
28	-22.669896698540185
29	1359.0466091259705
30	254.70828619221075
31	1295.4333167143595
32	-23.402974717164625
33	1324.8739668979604
34	25.200326587687698
35	1310.8470081925843
36	190.06603356226796
37	1527.166872023391
38	46.989548292277775
39	1388.1817627733028
40	164.5857929130004
41	1416.9766030813012
42	389.39773808657577
43	1413.1748306789048
44	44.38338659762289
45	1345.5808117452743
46	57.44057104483218
47	1491.0919794914744
48	144.895069101426
49	1366.7056632456286
50	26.962981732479903
\.


--
-- Data for Name: noisy_continued; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.noisy_continued (id, income) FROM stdin;
1	1426.693441546865
2	-41.41196068781262
3	1095.072544816077
4	162.11798666038834
5	1080.0483272507001
6	-2.824894334566018
7	1143.7619447138075
8	-247.09160852468398
9	1203.9347347228572
10	-7.662800120760011
11	1271.4390016926116
12	-28.82879951592824
13	1247.869504672013
14	-94.09738516705079
15	1396.8356670661458
16	268.40472995648076
17	1180.8161005305024
18	-156.6109185327866
19	1556.1208141125437
20	-63.4091526858041
21	1271.6750523025285
22	87.65747998431213
23	1210.2763904660471
24	-46.93953209496652
25	1286.7477931080473
26	7.1611675968126605
27	1174.4952777906358
28	-22.669896698540185
29	1359.0466091259705
30	254.70828619221075
31	1295.4333167143595
32	-23.402974717164625
33	1324.8739668979604
34	25.200326587687698
35	1310.8470081925843
36	113.36497747534085
37	1527.166872023391
38	46.989548292277775
39	1388.1817627733028
40	164.5857929130004
41	1416.9766030813012
42	389.39773808657577
43	1413.1748306789048
44	44.38338659762289
45	1048.7570804353436
46	57.44057104483218
47	1491.0919794914744
48	144.895069101426
49	1366.7056632456286
50	26.962981732479903
\.


--
-- Data for Name: permuted; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.permuted (id, age, income, region, group_id) FROM stdin;
1	70	1249.75	1	1
2	59	12.5	2	2
3	48	1256	0	3
4	37	6.25	1	2
5	26	1262.25	2	3
6	76	25	0	4
7	65	1268.5	1	5
8	54	18.75	2	4
9	43	1274.75	0	5
10	32	31.25	1	6
11	21	1287.25	2	7
12	71	37.5	0	6
13	60	1281	1	7
14	49	43.75	2	8
15	38	1293.5	0	9
16	27	50	1	8
17	77	1299.75	2	9
18	66	62.5	0	10
19	55	1306	1	11
20	44	56.25	2	10
21	33	1312.25	0	11
22	22	68.75	1	12
23	72	1324.75	2	13
24	61	75	0	12
25	50	1318.5	1	13
26	39	87.5	2	14
27	28	1337.25	0	15
28	78	81.25	1	14
29	67	1331	2	15
30	56	100	0	16
31	45	1349.75	1	17
32	34	93.75	2	16
33	23	1343.5	0	17
34	73	112.5	1	18
35	62	1362.25	2	19
36	51	106.25	0	18
37	40	1356	1	19
38	29	118.75	2	20
39	79	1368.5	0	21
40	68	125	1	20
41	57	1374.75	2	21
42	46	137.5	0	22
43	35	1387.25	1	23
44	24	131.25	2	22
45	74	1381	0	23
46	63	143.75	1	24
47	52	1399.75	2	25
48	41	150	0	24
49	30	1393.5	1	25
50	80	156.25	2	1
\.


--
-- Data for Name: person; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.person (id, age, income, region, household, status, name) FROM stdin;
1	70	1249.75	1	0	\N	no. 1
2	59	6.25	2	1	widowed	no. 2
3	48	1256	0	1	married	no. 3
4	37	12.5	1	2	single	no. 4
5	26	1262.25	2	2	\N	no. 5
6	76	18.75	0	3	widowed	no. 6
7	65	1268.5	1	3	married	no. 7
8	54	25	2	4	single	no. 8
9	43	1274.75	0	4	\N	no. 9
10	32	31.25	1	5	widowed	no. 10
11	21	1281	2	5	married	no. 11
12	71	37.5	0	6	single	no. 12
13	60	1287.25	1	6	\N	no. 13
14	49	43.75	2	7	widowed	no. 14
15	38	1293.5	0	7	married	no. 15
16	27	50	1	8	single	no. 16
17	77	1299.75	2	8	\N	no. 17
18	66	56.25	0	9	widowed	no. 18
19	55	1306	1	9	married	no. 19
20	44	62.5	2	10	single	no. 20
21	33	1312.25	0	10	\N	no. 21
22	22	68.75	1	11	widowed	no. 22
23	72	1318.5	2	11	married	no. 23
24	61	75	0	12	single	no. 24
25	50	1324.75	1	12	\N	no. 25
26	39	81.25	2	13	widowed	no. 26
27	28	1331	0	13	married	no. 27
28	78	87.5	1	14	single	no. 28
29	67	1337.25	2	14	\N	no. 29
30	56	93.75	0	15	widowed	no. 30
31	45	1343.5	1	15	married	no. 31
32	34	100	2	16	single	no. 32
33	23	1349.75	0	16	\N	no. 33
34	73	106.25	1	17	widowed	no. 34
35	62	1356	2	17	married	no. 35
36	51	112.5	0	18	single	no. 36
37	40	1362.25	1	18	\N	no. 37
38	29	118.75	2	19	widowed	no. 38
39	79	1368.5	0	19	married	no. 39
40	68	125	1	20	single	no. 40
41	57	1374.75	2	20	\N	no. 41
42	46	131.25	0	21	widowed	no. 42
43	35	1381	1	21	married	no. 43
44	24	137.5	2	22	single	no. 44
45	74	1387.25	0	22	\N	no. 45
46	63	143.75	1	23	widowed	no. 46
47	52	1393.5	2	23	married	no. 47
48	41	150	0	24	single	no. 48
49	30	1399.75	1	24	\N	no. 49
50	80	156.25	2	25	widowed	no. 50
\.


--
-- Data for Name: prammed; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.prammed (id, status) FROM stdin;
1	\N
2	single
3	married
4	married
5	\N
6	widowed
7	married
8	single
9	\N
10	widowed
11	single
12	single
13	\N
14	married
15	married
16	single
17	\N
18	married
19	single
20	single
21	\N
22	widowed
23	married
24	single
25	\N
26	single
27	married
28	single
29	\N
30	widowed
31	widowed
32	single
33	\N
34	widowed
35	married
36	single
37	\N
38	widowed
39	married
40	single
41	\N
42	widowed
43	married
44	single
45	\N
46	widowed
47	married
48	single
49	\N
50	single
\.


--
-- Data for Name: public_rankswapped; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.public_rankswapped (age, income, region) FROM stdin;
43	131.25	0
23	1349.75	0
71	37.5	0
27	68.75	1
33	1312.25	0
70	125	1
37	1362.25	1
74	18.75	0
56	93.75	0
76	1387.25	0
26	137.5	2
55	106.25	1
45	1381	1
46	1274.75	0
50	1249.75	1
61	75	0
63	1268.5	1
60	1343.5	1
32	12.5	1
38	1293.5	0
67	43.75	2
78	1287.25	1
72	1262.25	2
22	1399.75	1
35	50	1
80	1356	2
57	1318.5	2
79	56.25	0
40	1324.75	1
68	1306	1
28	1331	0
39	81.25	2
65	87.5	1
51	112.5	0
41	1256	0
44	1393.5	2
54	6.25	2
30	31.25	1
29	118.75	2
77	1281	2
49	62.5	2
59	1374.75	2
48	150	0
66	1368.5	0
73	143.75	1
21	100	2
24	1299.75	2
34	156.25	2
62	1337.25	2
52	25	2
\.


--
-- Data for Name: public_rankswapped_accuracy; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.public_rankswapped_accuracy (part, attribute, measure, value) FROM stdin;
release	\N	records	50
method	age	rankswap	\N
method	income	rankswap	\N
method	income	p	10
method	region	copied	\N
method	region	stratum	\N
margins	age	mean_error	\N
margins	age	mean_error_rounding	0.2
margins	age	sd_error	\N
margins	age	sd_error_rounding	0.5
margins	age	ks	\N
margins	age	ks_rounding	\N
margins	age	hellinger	\N
margins	age	hellinger_rounding	\N
margins	income	mean_error	\N
margins	income	mean_error_rounding	0.5
margins	income	sd_error	\N
margins	income	sd_error_rounding	0.2
margins	income	ks	0
margins	income	ks_rounding	0.1
margins	income	hellinger	0
margins	income	hellinger_rounding	0.1
margins	region	mean_error	\N
margins	region	mean_error_rounding	0.5
margins	region	sd_error	\N
margins	region	sd_error_rounding	0.2
margins	region	ks	\N
margins	region	ks_rounding	\N
margins	region	hellinger	\N
margins	region	hellinger_rounding	\N
counts	\N	mean_error_1	\N
counts	\N	mean_error_1_rounding	\N
counts	\N	median_error_1	\N
counts	\N	median_error_1_rounding	\N
counts	\N	p95_error_1	\N
counts	\N	p95_error_1_rounding	\N
associations	\N	kept	\N
associations	\N	kept_rounding	\N
associations	\N	new	\N
associations	\N	new_rounding	\N
\.


--
-- Data for Name: published; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.published (age, income, region) FROM stdin;
38	1287.25	2
56	1281	2
77	62.5	0
78	57.25	0
54	1299.75	1
68	143.75	2
60	18.75	0
39	1356	2
57	1268.5	0
70	50	1
51	156.25	1
71	1381	2
79	81.25	0
66	1262.25	1
35	43.75	2
28	150	2
24	1362.25	0
76	113.5	1
62	1275.75	0
67	1393.5	2
37	106.25	1
29	68.75	1
55	37.5	2
63	87.5	0
41	118.75	2
80	1256	1
22	1293.5	0
48	1399.75	0
45	1312.25	1
52	25	2
23	31.25	1
46	1388.25	2
27	6.25	1
65	1374.75	0
44	1324.75	1
49	1318.5	2
33	125	0
59	93.75	0
21	75	2
61	1343.5	0
26	1349.75	0
43	12.5	2
72	1249.75	2
50	1332	1
34	137.5	0
74	131.25	1
30	1368.5	1
32	100	2
73	1337.25	1
40	1306	1
\.


--
-- Data for Name: published_accuracy; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.published_accuracy (part, attribute, measure, value) FROM stdin;
release	\N	records	50
method	age	rankswap	\N
method	income	rankswap	\N
method	region	copied	\N
margins	age	mean_error	\N
margins	age	mean_error_rounding	0.2
margins	age	sd_error	\N
margins	age	sd_error_rounding	0.5
margins	age	ks	\N
margins	age	ks_rounding	\N
margins	age	hellinger	\N
margins	age	hellinger_rounding	\N
margins	income	mean_error	\N
margins	income	mean_error_rounding	0.5
margins	income	sd_error	\N
margins	income	sd_error_rounding	0.2
margins	income	ks	0
margins	income	ks_rounding	0.1
margins	income	hellinger	0
margins	income	hellinger_rounding	0.1
margins	region	mean_error	\N
margins	region	mean_error_rounding	0.5
margins	region	sd_error	\N
margins	region	sd_error_rounding	0.2
margins	region	ks	\N
margins	region	ks_rounding	\N
margins	region	hellinger	\N
margins	region	hellinger_rounding	\N
counts	\N	mean_error_1	\N
counts	\N	mean_error_1_rounding	\N
counts	\N	median_error_1	\N
counts	\N	median_error_1_rounding	\N
counts	\N	p95_error_1	\N
counts	\N	p95_error_1_rounding	\N
associations	\N	kept	\N
associations	\N	kept_rounding	\N
associations	\N	new	\N
associations	\N	new_rounding	\N
\.


--
-- Data for Name: randomized; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.randomized (id, age, status) FROM stdin;
1	60	\N
2	76	widowed
3	78	married
4	22	single
5	26	\N
6	76	widowed
7	61	married
8	77	single
9	39	\N
10	40	widowed
11	74	married
12	77	single
13	46	\N
14	65	widowed
15	22	married
16	24	single
17	77	\N
18	29	widowed
19	33	married
20	52	single
21	74	\N
22	33	widowed
23	35	married
24	71	single
25	24	\N
26	62	widowed
27	66	married
28	59	single
29	30	\N
30	72	widowed
31	28	married
32	79	single
33	38	\N
34	63	widowed
35	71	married
36	44	single
37	65	\N
38	56	widowed
39	78	married
40	73	single
41	57	\N
42	39	widowed
43	23	married
44	77	single
45	56	\N
46	70	widowed
47	51	married
48	56	single
49	21	\N
50	51	widowed
\.


--
-- Data for Name: randomized_continued; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.randomized_continued (id, age, status) FROM stdin;
1	60	\N
2	76	widowed
3	78	married
4	22	single
5	26	\N
6	76	widowed
7	61	married
8	77	single
9	39	\N
10	40	widowed
11	74	married
12	77	single
13	46	\N
14	65	widowed
15	22	married
16	24	single
17	77	\N
18	29	widowed
19	33	married
20	52	single
21	74	\N
22	33	widowed
23	35	married
24	71	single
25	24	\N
26	62	widowed
27	66	married
28	59	single
29	30	\N
30	72	widowed
31	28	married
32	79	single
33	38	\N
34	63	widowed
35	71	married
36	44	single
37	65	\N
38	56	widowed
39	78	married
40	73	single
41	57	\N
42	39	widowed
43	23	married
44	77	single
45	56	\N
46	70	widowed
47	51	married
48	56	single
49	21	\N
50	51	widowed
\.


--
-- Data for Name: rankswapped; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.rankswapped (id, age, income, region) FROM stdin;
1	78	1287.25	1
2	67	43.75	2
3	43	131.25	0
4	35	50	1
5	34	156.25	2
6	79	56.25	0
7	68	1306	1
8	49	62.5	2
9	48	150	0
10	27	68.75	1
11	24	1299.75	2
12	61	75	0
13	50	1249.75	1
14	54	6.25	2
15	28	1331	0
16	32	12.5	1
17	77	1281	2
18	74	18.75	0
19	63	1268.5	1
20	52	25	2
21	23	1349.75	0
22	30	31.25	1
23	80	1356	2
24	71	37.5	0
25	60	1343.5	1
26	29	118.75	2
27	38	1293.5	0
28	70	125	1
29	59	1374.75	2
30	51	112.5	0
31	40	1324.75	1
32	26	137.5	2
33	33	1312.25	0
34	73	143.75	1
35	57	1318.5	2
36	56	93.75	0
37	45	1381	1
38	39	81.25	2
39	76	1387.25	0
40	65	87.5	1
41	62	1337.25	2
42	41	1256	0
43	37	1362.25	1
44	21	100	2
45	66	1368.5	0
46	55	106.25	1
47	44	1393.5	2
48	46	1274.75	0
49	22	1399.75	1
50	72	1262.25	2
\.


--
-- Data for Name: recoded; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.recoded (id, income) FROM stdin;
1	1000
2	6.25
3	1000
4	12.5
5	1000
6	18.75
7	1000
8	25
9	1000
10	31.25
11	1000
12	37.5
13	1000
14	43.75
15	1000
16	50
17	1000
18	56.25
19	1000
20	62.5
21	1000
22	68.75
23	1000
24	75
25	1000
26	81.25
27	1000
28	87.5
29	1000
30	93.75
31	1000
32	100
33	1000
34	106.25
35	1000
36	112.5
37	1000
38	118.75
39	1000
40	125
41	1000
42	131.25
43	1000
44	137.5
45	1000
46	143.75
47	1000
48	150
49	1000
50	156.25
\.


--
-- Data for Name: suppressed; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.suppressed (id, age, status) FROM stdin;
1	\N	\N
2	\N	widowed
3	\N	married
4	\N	single
5	\N	\N
6	\N	widowed
7	\N	married
8	\N	single
9	\N	\N
10	\N	widowed
11	\N	married
12	\N	single
13	\N	\N
14	\N	widowed
15	\N	married
16	\N	single
17	\N	\N
18	\N	widowed
19	\N	married
20	\N	single
21	\N	\N
22	\N	widowed
23	\N	married
24	\N	single
25	\N	\N
26	\N	widowed
27	\N	married
28	\N	single
29	\N	\N
30	\N	widowed
31	\N	married
32	\N	single
33	\N	\N
34	\N	widowed
35	\N	married
36	\N	single
37	\N	\N
38	\N	widowed
39	\N	married
40	\N	single
41	\N	\N
42	\N	widowed
43	\N	married
44	\N	single
45	\N	\N
46	\N	widowed
47	\N	married
48	\N	single
49	\N	\N
50	\N	widowed
\.


--
-- Data for Name: sdc_evaluation_catalog; Type: TABLE DATA; Schema: sdc_private; Owner: postgres
--

COPY sdc_private.sdc_evaluation_catalog (release, row_type, evaluated_at, evaluated_by, version, known, sample, source_columns, release_columns, source_state, release_state, source_pages, release_pages, measures, written_by) FROM stdin;
public.rankswapped	public.rankswapped	2026-11-27 09:09:18.172304+00	owner	2	{age,region}	0	{id,age,income,region,household,status,name}	{id,age,income,region}	\\x7f565e325eef2a101b54697f6646bf80476b9aeb0b7901a93a8847e36f899abec058715cdcdd4a3a97d72b3416c15eacf8d1f79aca7811b8bab0bca79ad3ae40	\\x225adf7f3e3441974194ac7737ec60b30407e95b56079bc2ae6b6d93d3146370a238664c02186ce72af1ea383218b02eafc0196c48af57a8bcb0d196810db24e	\\xaa14af09c2e37106b35a2f66cc47d8b4461b29c5325179279d05566abc543e5cf109e6bffb28ff7af2344d3f12553c31b9a9a971fb99d3f531a4a5cd39c4db4d	\\xe5a50213afb7b3139fd15fafb4d5c243dda0aefc3e99ac21f593f14a0cdebd928db3e8fb9dac7c0f096d52ddb2ed30afc2e852b21a2a10e5edb4c6547c618f84	{"sdc": "1.0", "lost": 0, "known": ["age", "region"], "score": {"dr": 12.166666666666666, "il": 28.346215970005066, "dld": 6, "pld": 4, "rsld": 6, "score": 20.256441318335867, "dr_low": null, "dld_low": null, "dr_high": null, "pld_low": null, "dld_high": null, "pld_high": null, "rsld_low": null, "rsld_high": null, "dr_generic": 12, "people_found": 25.199999999999992, "score_generic": 20.17310798500253, "certain_percent": 0, "interval_disclosure": 19}, "groups": {"k": 1, "l": 1, "t": 0.98, "qi": ["age"], "k_whole": 1, "sensitive": ["income"]}, "judged": {"k": 1, "l": 1, "t": 0.98, "il": 28.346215970005066, "score": 20.256441318335867, "k_whole": 1, "people_found": 25.199999999999992, "certain_percent": 0}, "people": {"any": {"low": null, "high": null, "found": 12.599999999999994, "attack": "any", "single": 0, "certain": 0, "percent": 25.199999999999992}, "best": {"low": null, "high": null, "found": 11.099999999999996, "attack": "best", "single": 0, "certain": 0, "percent": 22.199999999999992}, "chance": {"low": null, "high": null, "found": 1, "attack": "chance", "single": null, "certain": null, "percent": 2}, "nearest": {"low": null, "high": null, "found": 2, "attack": "nearest", "single": 0, "certain": 0, "percent": 4}, "distance": {"low": null, "high": null, "found": 2, "attack": "distance", "single": 0, "certain": 0, "percent": 4}, "agreement": {"low": null, "high": null, "found": 2, "attack": "agreement", "single": null, "certain": null, "percent": 4}, "candidates": {"low": null, "high": null, "found": 11.099999999999996, "attack": "candidates", "single": 0, "certain": 0, "percent": 22.199999999999992}}, "sample": null, "records": 50, "accuracy": {"rows": [{"part": "margins", "value": null, "measure": "mean_error", "attribute": "age"}, {"part": "margins", "value": 0.2, "measure": "mean_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "age"}, {"part": "margins", "value": 0.5, "measure": "sd_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "income"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "income"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "ks", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "ks_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "hellinger", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "hellinger_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "region"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "region"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "region"}, {"part": "counts", "value": null, "measure": "mean_error_1"}, {"part": "counts", "value": null, "measure": "mean_error_1_rounding"}, {"part": "counts", "value": null, "measure": "median_error_1"}, {"part": "counts", "value": null, "measure": "median_error_1_rounding"}, {"part": "counts", "value": null, "measure": "p95_error_1"}, {"part": "counts", "value": null, "measure": "p95_error_1_rounding"}, {"part": "associations", "value": null, "measure": "kept"}, {"part": "associations", "value": null, "measure": "kept_rounding"}, {"part": "associations", "value": null, "measure": "new"}, {"part": "associations", "value": null, "measure": "new_rounding"}]}, "problems": {}, "returned": {"dr": 12.166666666666666, "il": 28.346215970005066, "score": 20.256441318335867, "score_high": 20.256441318335867, "people_found": 25.199999999999992, "certain_percent": 0, "people_found_high": 25.199999999999992, "certain_percent_high": 0}, "arguments": {"known": null, "sample": null, "seeded": false, "queries": 1000, "min_support": 0.08, "min_confidence": 0.15}, "definitions": "2", "known_given": false, "query_errors": {"rows": [{"queries": 1000, "redrawn": 45, "p05_error": 0, "p25_error": 0, "p75_error": 0.1357142857142857, "p95_error": 0.5, "attributes": 1, "mean_error": 0.1200061918359442, "median_error": 0.03571428571428571}], "queries": 1000}, "association_recall": {"rows": [{"length": null, "original": 0, "recovered": 0, "artificial": 0, "recall_percent": null, "artificial_percent": null}], "min_support": 0.08, "min_confidence": 0.15}}	0
public.nightly_run_3	public.nightly_run_3	2026-11-27 09:09:18.383415+00	owner	2	{age,income,region}	0	{id,age,income,region,household,status,name}	{id,age,income,region}	\\x01fa4f740f2d9495aae67caaf7957bc263cf0de52f97244b9c46f7987465807ea618aff9b758c3a5bf5363292569772c4d862eb83563381da599b63ffbe06b00	\\x19c21a584c1fb4eb11d0846b54d8fe9422ac68ab4e6ebd8bec9f7d67baec502a47dc565a812d041d817eb4531031d16b8d8366fc5110fc2315ff3964a6703395	\\x84b712fdc772412d2e4f33f306cbf6879268f4206cffa9fb8064e61c3ca58614626e795bdb75e9fdfc4ee53216f930f882ee4d3fc1ac77041eff866cad8c6654	\\xfb9d65b44c56adb830bbbd29b24570fa26440cec051a74d886c2c19fb34d65155662755790b934b0d6748fbc888a48fbf601fb9cf8bd400bfc51c0bf84f46164	{"sdc": "1.0", "lost": 0, "known": ["age", "income", "region"], "score": {"dr": 11.433333333333334, "il": 27.48090585106238, "dld": 1, "pld": 0, "rsld": 1, "score": 19.457119592197856, "dr_low": null, "dld_low": null, "dr_high": null, "pld_low": null, "dld_high": null, "pld_high": null, "rsld_low": null, "rsld_high": null, "dr_generic": 11.35, "people_found": 33.095954045954045, "score_generic": 19.41545292553119, "certain_percent": 0, "interval_disclosure": 22.2}, "groups": {"k": null, "l": null, "t": null, "qi": [], "k_whole": null, "sensitive": []}, "judged": {"il": 27.48090585106238, "score": 19.457119592197856, "people_found": 33.095954045954045, "certain_percent": 0}, "people": {"any": {"low": null, "high": null, "found": 16.547977022977022, "attack": "any", "single": 0, "certain": 0, "percent": 33.095954045954045}, "best": {"low": null, "high": null, "found": 12, "attack": "best", "single": 0, "certain": 0, "percent": 24}, "chance": {"low": null, "high": null, "found": 1, "attack": "chance", "single": null, "certain": null, "percent": 2}, "narrow": {"low": null, "high": null, "found": 12, "attack": "narrow", "single": 0, "certain": 0, "percent": 24}, "nearest": {"low": null, "high": null, "found": 11, "attack": "nearest", "single": 0, "certain": 0, "percent": 22}, "distance": {"low": null, "high": null, "found": 11, "attack": "distance", "single": 0, "certain": 0, "percent": 22}, "agreement": {"low": null, "high": null, "found": 0, "attack": "agreement", "single": null, "certain": null, "percent": 0}, "candidates": {"low": null, "high": null, "found": 6.244044844044843, "attack": "candidates", "single": 0, "certain": 0, "percent": 12.488089688089685}}, "sample": null, "records": 50, "accuracy": {"rows": [{"part": "margins", "value": null, "measure": "mean_error", "attribute": "age"}, {"part": "margins", "value": 0.2, "measure": "mean_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "age"}, {"part": "margins", "value": 0.5, "measure": "sd_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "income"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "income"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "ks", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "ks_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "hellinger", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "hellinger_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "region"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "region"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "region"}, {"part": "counts", "value": null, "measure": "mean_error_1"}, {"part": "counts", "value": null, "measure": "mean_error_1_rounding"}, {"part": "counts", "value": null, "measure": "median_error_1"}, {"part": "counts", "value": null, "measure": "median_error_1_rounding"}, {"part": "counts", "value": null, "measure": "p95_error_1"}, {"part": "counts", "value": null, "measure": "p95_error_1_rounding"}, {"part": "associations", "value": null, "measure": "kept"}, {"part": "associations", "value": null, "measure": "kept_rounding"}, {"part": "associations", "value": null, "measure": "new"}, {"part": "associations", "value": null, "measure": "new_rounding"}]}, "problems": {"k": "the release has no quasi-identifiers", "l": "the release does not have quasi-identifiers and one sensitive column besides"}, "returned": {"dr": 11.433333333333334, "il": 27.48090585106238, "score": 19.457119592197856, "score_high": 19.457119592197856, "people_found": 33.095954045954045, "certain_percent": 0, "people_found_high": 33.095954045954045, "certain_percent_high": 0}, "arguments": {"known": null, "sample": null, "seeded": false, "queries": 1000, "min_support": 0.08, "min_confidence": 0.15}, "definitions": "2", "known_given": false, "query_errors": {"rows": [{"queries": 1000, "redrawn": 8, "p05_error": 0, "p25_error": 0, "p75_error": 0.125, "p95_error": 0.6666666666666666, "attributes": 1, "mean_error": 0.1283433589128152, "median_error": 0}], "queries": 1000}, "association_recall": {"rows": [{"length": null, "original": 0, "recovered": 0, "artificial": 0, "recall_percent": null, "artificial_percent": null}], "min_support": 0.08, "min_confidence": 0.15}}	0
\.


--
-- Data for Name: sdc_policy_catalog; Type: TABLE DATA; Schema: sdc_private; Owner: postgres
--

COPY sdc_private.sdc_policy_catalog (policy, owner, definition, written_by) FROM stdin;
nightly	owner	{"keep": ["region"], "mode": "exchange", "omit": ["name", "status", "household"], "steps": [{"p": 30, "method": "rankswap", "columns": ["age", "income"], "continued": true}], "limits": {"people_found": 100, "composed_people_found": 100}, "source": "public.moving", "approve": false, "publish_as": "public.published", "on_unchanged": "skip"}	0
strict	owner	{"keep": ["region"], "mode": "exchange", "omit": ["name", "status", "household"], "steps": [{"p": 1, "method": "rankswap", "columns": ["age", "income"]}], "limits": {"people_found": 0}, "source": "public.moving", "approve": false, "publish_as": "public.never", "on_unchanged": "skip"}	0
\.


--
-- Data for Name: sdc_publication_catalog; Type: TABLE DATA; Schema: sdc_private; Owner: postgres
--

COPY sdc_private.sdc_publication_catalog (publication, row_type, release, release_row_type, mode, columns, kept, records, sha256, pages, forced, published_by, published_at, written_by, source, source_row_type, draw) FROM stdin;
public.public_rankswapped	public.public_rankswapped	public.rankswapped	public.rankswapped	exchange	{age,income,region}	{region}	50	\\x8b528700abdfa0404c8033ee2faada114b3845b49c4364007862265ad7bbe09c	\\x	f	owner	2026-11-27 09:09:18.190619+00	0	public.person	public.person	-6456788569649780461
public.public_rankswapped_accuracy	public.public_rankswapped_accuracy	public.public_rankswapped	public.public_rankswapped	accuracy	{part,attribute,measure,value}	{}	40	\\x5e9d9149cb816df142e229d308da52913a601a2291d1816e372d28267236c59d	\\x	f	owner	2026-11-27 09:09:18.190619+00	0	-	-	0
public.published	public.published	public.nightly_run_3	public.nightly_run_3	exchange	{age,income,region}	{region}	50	\\x8ae539959fc7a612ed61a05e8002652cfed301967bd4f805db6283ab5339a24c	\\x	f	owner	2026-11-27 09:09:18.383415+00	0	public.moving	public.moving	-6842137532019984625
public.published_accuracy	public.published_accuracy	public.published	public.published	accuracy	{part,attribute,measure,value}	{}	38	\\xc4fa1d046e8f80edcdcbddc1d0eae770a6587ee67486d6bde234bbf52e0cfed9	\\x	f	owner	2026-11-27 09:09:18.383415+00	0	-	-	0
\.


--
-- Data for Name: sdc_release_catalog; Type: TABLE DATA; Schema: sdc_private; Owner: postgres
--

COPY sdc_private.sdc_release_catalog (release, row_type, source, source_row_type, method, parameters, columns, key, strata, omitted, qi, sensitive, records, checksum, made, seeded, stream_version, draws, seed, created_by, created_at, written_by, draw, named, unit, units, weight, missing) FROM stdin;
public.rankswapped	public.rankswapped	public.person	public.person	rankswap	{"p": 10}	{age,income}	{id}	{region}	{household,status,name}	{age}	{income}	50	\\x6f33e44c7e699906ed60648840a418936d7de33bd78dc0551a4ee90d4513b0670c3aeb2699e6bbe8c05e6903121aae99f590e8e1ed3e7691da2fe00699654955	t	t	1	1	\\x39019df074c84f08f06aad389277f106e30edb514f38159727ecd5e8ac0c49410391556dd7e8c2db858425267095cc35364b38deb46b3609d44300af9899f5bd	owner	2026-11-27 09:09:18.071567+00	0	-6456788569649780461	{id,age,income,region,"","",""}	{}	0		{"age": [20]}
public.equidepth	public.equidepth	public.person	public.person	equidepth_swap	{"depth": 4}	{age,income}	{id}	{}	{region,household,status,name}	{age}	{income}	50	\\x904b0795b17a2ccb0cdec5c1d576c4a53458004b09d0f4527a29faa237e490d1ad19b354108ad105477b9fe3380a67aa5a64b7a5eb401dea43a5874ddc956ff8	t	t	1	2	\\x01be5251852e1078052254932a68aebc179035d3f9c1bcad444ec8d91a3984544c3805a3fe572926fa90af3e4104f74fb3ad4bbd89ad951031d9be01f53f4dca	owner	2026-11-27 09:09:18.090613+00	0	326401082757153485	{id,age,income,"","","",""}	{}	0		{}
public.randomized	public.randomized	public.person	public.person	randomize	{"probabilities": [0.943434882886509, 0.05656511711349094]}	{age,status}	{id}	{}	{income,region,household,name}	{age,status}	{}	50	\\x5022031b36a5d4825fe9e21455f048abacdcd54954803e4e571c11b30d278d2f3a0b470a086bee232dabcb904964f4a2baab2834cdafe9b392d27eab4ad173ab	t	t	1	3	\\x23a0bccdeb2f302fbc21b69c9483ced7afdeccfeae3b957a7097559d96d59da15d8c5e0ad9178253f01027f02a7ce3a509c2431fe29f97110d141779ce35f84a	owner	2026-11-27 09:09:18.092913+00	0	-8391535773616583683	{id,age,"","","",status,""}	{}	0		{}
public.prammed	public.prammed	public.person	public.person	pram	{"retain": 0.7}	{status}	{id}	{}	{age,income,region,household,name}	{status}	{}	50	\\x1e0e314d4df52b19c5a5e7889ca31bbe374ec01ac66fe6cf8ed0c8a20cf7a51e9d7514135b91203b0e020c32ddb61bb649783f78058a1f5542d280f2e92981ee	t	t	1	4	\\x8470ba17e3e05184196ac7856c6d319734075e72263615f8b88bb9e2d2f9e951522fbb6a5e883295338067dae3ec1cb649ca9d91c8e4f61e0a38feeded159832	owner	2026-11-27 09:09:18.103865+00	0	-984849954218510321	{id,"","","","",status,""}	{}	0		{}
public.noisy	public.noisy	public.person	public.person	noise	{"laws": {"income": {"sd": 629.7102609574517, "mean": 703, "unit": 0}}, "amount": 0.2, "scheme": "additive"}	{income}	{id}	{}	{age,region,household,status,name}	{}	{income}	50	\\xf5d1c33017602c946529bbf4bcd5d2689ca2b95b1466e455c4e93dc9c81dadce4c94e766522de63a72317e1bed16ec422333dc70888eaeaf9ab8c0c59c86e88d	t	t	1	5	\\x886d209fc463a6a18fb8b3536e1957684e5363e5496b1e5d23ae57ae3a1cbf0afd559068de60ace1384324c890d00b9a89d1e881508ffc70c6ca03fc18912678	owner	2026-11-27 09:09:18.122671+00	0	118190665355283178	{id,"",income,"","","",""}	{}	0		{}
public.generalized	public.generalized	public.person	public.person	generalize	{"l": 2}	{age}	{id}	{}	{region,household,status,name}	{age}	{income}	50	\\xf07fd8d407459e3996d30d7fe6dce62d5df830019ea7b7b3cfdcf0268c78416a597bd740bdc0d1808e982c895896e47a51d7b28bb9d522b96d86e418c07dffeb	t	f	1	6	\\xe841ae7136bc9113d28c5d6c71451f5d9cdec8d32c6bc9b90436ac14a1b6a2d8ae266edfa0bc8b156bbd8b41bf2db0aece6ee1d48875b4f6dd2501c61c33f982	owner	2026-11-27 09:09:18.126735+00	0	3742712295865380601	{id,age,income,"","","",""}	{}	0		{}
public.permuted	public.permuted	public.person	public.person	permute	{"l": 2, "grouping_method": "anatomy"}	{income}	{id}	{}	{household,status,name}	{age,region}	{income}	50	\\x50f99325290a78fe79b04096b60c6e7cce911f88d64dce54a0ac4df93844a05f8023cc83876a82f68ed1fc9cb62861f3190e12c1b905faccddeeff6b51b13a8b	t	t	1	7	\\x811dedd9f0ab54c0f27241dcb1532ab8a4a1844b9d295f7b971843e14e3a7d37a1900018de894f7c5bac329371b8c80644df46a59207fa3610c1d5c30c2ca869	owner	2026-11-27 09:09:18.138612+00	0	-787944596136393685	{id,age,income,region,"","",""}	{}	0		{}
public.aggregated	public.aggregated	public.person	public.person	microaggregate	{"k": 4, "found": {"income": {"groups": 12, "suppressed": 0, "sse_percent": 0.014072798021252017}}, "centre": "mean", "scheme": "joint"}	{income}	{id}	{}	{age,region,household,status,name}	{}	{income}	50	\\x4997e67271847a3e08b6dfa277e150d51268dbb6c7723ff2e8b26d1831df67e11a7738f1def8417c53db2d5fe6a4069ef71a08c14eb057c3b86dedc00f39bc31	t	f	1	8	\\xb93968c22cb1a0316599bf4d8799aaf07d8e5a3fa545c55b98a124e969d3058908b6e6381b9aea676d3999ce5052fec678c1bcefb33bc06746536533d5fed4cc	owner	2026-11-27 09:09:18.148231+00	0	-2593398873404596741	{id,"",income,"","","",""}	{}	0		{}
public.suppressed	public.suppressed	public.person	public.person	suppress	{"k": 2}	{age,status}	{id}	{}	{income,region,household,name}	{age,status}	{}	50	\\x1ba5b1118f5ee800a6e13343d5944052afabec6749b7c96dfb55291b78a3f58a0ff87fd8b4f5410892808b9d198c27b0507990c08d275cfc12c53a72944fb0e9	t	f	1	9	\\x33ca61155dd1b0fe5beeb01522fac4aa4ec4ced0c635c2a6e45aaa317a4c212d29a21845f75063cbc29824256936112da1b210487a4da8d6c96f98d09aa06667	owner	2026-11-27 09:09:18.15861+00	0	3783407393070421459	{id,age,"","","",status,""}	{}	0		{}
public.recoded	public.recoded	public.person	public.person	recode	{"found": {"income": {"top": "1000", "top_coded": 25, "top_value": "1000"}}, "recodes": {"income": {"top": 1000, "replace": "threshold"}}}	{income}	{id}	{}	{age,region,household,status,name}	{}	{income}	50	\\x32e899dea43f25dca4f2b81327f6b9ea287022f3f3c470d38fd319e23dfcb756b436bd74d09fff02ad14ca94b855c60dbadadddef121d0b47060dac9ea22361c	t	f	1	10	\\x06612729fe8b57e3de69b6cc28470750443229726d9d23f3b121eebe9ca9e3f21ebf43b46d3729243f573114c17e4e37a4d63e143abbcb02f001afaf368bd619	owner	2026-11-27 09:09:18.16072+00	0	-2765126176839008792	{id,"",income,"","","",""}	{}	0		{}
public.elsewhere	public.elsewhere	public.person	public.person	noise	{"sigma": 1}	{age}	{id}	{}	{}	{}	{}	50	\\xe5d0a0a99a6eb76a8fa7d645d0268b1a5213f0e03cb4839d9e46c2e02e9c7cee45ba865e9f1d5949589712c4c648139a6c1f66dc15ceb517578cb07351ad2d35	f	f	0	1	\\x	owner	2026-11-27 09:09:18.171317+00	0	0	{id,age,"","","","",""}	{}	0		{}
public.continued	public.continued	public.moving	public.moving	rankswap	{"p": 20, "largest": 20, "continued": true, "min_changes": 25, "min_departures": 25}	{age,income}	{id}	{}	{region,household,status,name}	{}	{}	50	\\xba9f74f6c1187ba70eb543e698d390b21fbbf52c61fe94c2a27812621e53afc41c570dcb476403ba1c1ec04edc99f70229afd266772d49e4eebd0b91bfc1af2c	t	t	1	1	\\xebd0c858487fed32d75a198f658d53922a20e6b359fe9301c9eeec4236e1af9842d4fcd2d88eeaed36358350d1af50592df9704969660dd33650e4cabaa793ec	owner	2026-11-27 09:09:18.214618+00	0	-6990441605037196821	{id,age,income,"","","",""}	{}	0		{}
public.randomized_continued	public.randomized_continued	public.moving	public.moving	randomize	{"continued": true, "probabilities": [0.943434882886509, 0.05656511711349094]}	{age,status}	{id}	{}	{income,region,household,name}	{age,status}	{}	50	\\x3bc04620888e49dfb2e625ac83d0374be42d29af7078720325667e563dae5f6650cdec6e8a45e8e1b08cbbef81371eeec8e4c0f955a8064c9240f3e99be44d9a	t	t	1	2	\\x913ca19a90a34fa85b2967e1b0ca8ee2ffbd2c675603f73630bc4ce88c731b175e8d9e98357eec9d417719b93196dd63ef0e6dac0aa71f8966c030979e053c51	owner	2026-11-27 09:09:18.222617+00	0	9218672526987093012	{id,age,"","","",status,""}	{}	0		{}
public.noisy_continued	public.noisy_continued	public.moving	public.moving	noise	{"laws": {"income": {"sd": 629.7102609574517, "mean": 703, "unit": 0}}, "amount": 0.2, "scheme": "additive", "continued": true}	{income}	{id}	{}	{age,region,household,status,name}	{}	{}	50	\\x08446478a431f80f98bb727ce4ebdcb2e6b2822166e89878d7b701b13486215c2c6d47a8c5f63e94b05408f672a01f8c6eecb52348c84e2e981ef2532675cbde	t	t	1	3	\\x	owner	2026-11-27 09:09:18.246611+00	0	-3862583338001798333	{id,"",income,"","","",""}	{}	0		{}
public.nightly_run_3	public.nightly_run_3	public.moving	public.moving	protect	{"steps": [{"p": 30, "method": "rankswap", "columns": ["age", "income"], "largest": 30, "continued": true, "min_changes": 17, "min_departures": 17}]}	{age,income}	{id}	{}	{household,status,name}	{}	{}	50	\\x053c236ab9081bd28ad8ca86fbbce4415bd18e1838a1a113e58a02791fbc088d5eb7ce293c9f7831a3198e8fbeced44d2e51e00e6a9d1511ced795df5e745dea	t	f	1	4	\\x	owner	2026-11-27 09:09:18.383415+00	0	-6842137532019984625	{id,age,income,region,"","",""}	{}	0		{}
\.


--
-- Data for Name: sdc_run_log; Type: TABLE DATA; Schema: sdc_private; Owner: postgres
--

COPY sdc_private.sdc_run_log (run, policy, owner, started_by, started_at, finished_at, status, reason, approvers, detail, written_by) FROM stdin;
1	\N	owner	owner	2026-11-27 09:09:18.190619+00	2026-11-27 09:09:18.1941+00	published	\N	\N	{"salt": "3a7a838e-e248-4559-b987-58011ed33bf4", "forced": false, "limits": [{"kept": true, "bound": 100, "value": 25.199999999999992, "measure": "people_found"}], "sha256": "8b528700abdfa0404c8033ee2faada114b3845b49c4364007862265ad7bbe09c", "target": "public.public_rankswapped", "columns": ["age", "income", "region"], "records": 50, "release": "public.rankswapped", "measures": {"sdc": "1.0", "lost": 0, "known": ["age", "region"], "score": {"dr": 12.166666666666666, "il": 28.346215970005066, "dld": 6, "pld": 4, "rsld": 6, "score": 20.256441318335867, "dr_low": null, "dld_low": null, "dr_high": null, "pld_low": null, "dld_high": null, "pld_high": null, "rsld_low": null, "rsld_high": null, "dr_generic": 12, "people_found": 25.199999999999992, "score_generic": 20.17310798500253, "certain_percent": 0, "interval_disclosure": 19}, "groups": {"k": 1, "l": 1, "t": 0.98, "qi": ["age"], "k_whole": 1, "sensitive": ["income"]}, "judged": {"k": 1, "l": 1, "t": 0.98, "il": 28.346215970005066, "score": 20.256441318335867, "k_whole": 1, "people_found": 25.199999999999992, "certain_percent": 0}, "people": {"any": {"low": null, "high": null, "found": 12.599999999999994, "attack": "any", "single": 0, "certain": 0, "percent": 25.199999999999992}, "best": {"low": null, "high": null, "found": 11.099999999999996, "attack": "best", "single": 0, "certain": 0, "percent": 22.199999999999992}, "chance": {"low": null, "high": null, "found": 1, "attack": "chance", "single": null, "certain": null, "percent": 2}, "nearest": {"low": null, "high": null, "found": 2, "attack": "nearest", "single": 0, "certain": 0, "percent": 4}, "distance": {"low": null, "high": null, "found": 2, "attack": "distance", "single": 0, "certain": 0, "percent": 4}, "agreement": {"low": null, "high": null, "found": 2, "attack": "agreement", "single": null, "certain": null, "percent": 4}, "candidates": {"low": null, "high": null, "found": 11.099999999999996, "attack": "candidates", "single": 0, "certain": 0, "percent": 22.199999999999992}}, "sample": null, "records": 50, "accuracy": {"rows": [{"part": "margins", "value": null, "measure": "mean_error", "attribute": "age"}, {"part": "margins", "value": 0.2, "measure": "mean_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "age"}, {"part": "margins", "value": 0.5, "measure": "sd_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "income"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "income"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "ks", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "ks_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "hellinger", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "hellinger_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "region"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "region"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "region"}, {"part": "counts", "value": null, "measure": "mean_error_1"}, {"part": "counts", "value": null, "measure": "mean_error_1_rounding"}, {"part": "counts", "value": null, "measure": "median_error_1"}, {"part": "counts", "value": null, "measure": "median_error_1_rounding"}, {"part": "counts", "value": null, "measure": "p95_error_1"}, {"part": "counts", "value": null, "measure": "p95_error_1_rounding"}, {"part": "associations", "value": null, "measure": "kept"}, {"part": "associations", "value": null, "measure": "kept_rounding"}, {"part": "associations", "value": null, "measure": "new"}, {"part": "associations", "value": null, "measure": "new_rounding"}]}, "problems": {}, "returned": {"dr": 12.166666666666666, "il": 28.346215970005066, "score": 20.256441318335867, "score_high": 20.256441318335867, "people_found": 25.199999999999992, "certain_percent": 0, "people_found_high": 25.199999999999992, "certain_percent_high": 0}, "arguments": {"known": null, "sample": null, "seeded": false, "queries": 1000, "min_support": 0.08, "min_confidence": 0.15}, "definitions": "2", "known_given": false, "query_errors": {"rows": [{"queries": 1000, "redrawn": 45, "p05_error": 0, "p25_error": 0, "p75_error": 0.1357142857142857, "p95_error": 0.5, "attributes": 1, "mean_error": 0.1200061918359442, "median_error": 0.03571428571428571}], "queries": 1000}, "association_recall": {"rows": [{"length": null, "original": 0, "recovered": 0, "artificial": 0, "recall_percent": null, "artificial_percent": null}], "min_support": 0.08, "min_confidence": 0.15}}, "definition": {"steps": [{"method": "rankswap", "parameters": {"p": 10}}], "source": "public.person"}, "release_oid": "17925", "source_records": 50}	0
2	strict	owner	owner	2026-11-27 09:09:18.306836+00	2026-11-27 09:09:18.369044+00	rejected	people_found is 100.0000, and at most 0 is allowed	\N	{"limits": [{"kept": false, "bound": 0, "value": 100, "measure": "people_found"}], "seconds": {"stage": 0.022589, "measure": 0.038392, "publish": 0.000792}, "measures": {"sdc": "1.0", "lost": 0, "known": ["age", "income", "region"], "score": {"dr": 61.33333333333333, "il": 21.944781019787914, "dld": 48, "pld": 0, "rsld": 50, "score": 41.63905717656062, "dr_low": null, "dld_low": null, "dr_high": null, "pld_low": null, "dld_high": null, "pld_high": null, "rsld_low": null, "rsld_high": null, "dr_generic": 57, "people_found": 100, "score_generic": 39.472390509893955, "certain_percent": 100, "interval_disclosure": 90}, "groups": {"k": null, "l": null, "t": null, "qi": [], "k_whole": null, "sensitive": []}, "judged": {"il": 21.944781019787914, "score": 41.63905717656062, "people_found": 100, "certain_percent": 100}, "people": {"any": {"low": null, "high": null, "found": 50, "attack": "any", "single": 50, "certain": 50, "percent": 100}, "best": {"low": null, "high": null, "found": 50, "attack": "best", "single": 50, "certain": 50, "percent": 100}, "chance": {"low": null, "high": null, "found": 1, "attack": "chance", "single": null, "certain": null, "percent": 2}, "nearest": {"low": null, "high": null, "found": 50, "attack": "nearest", "single": 50, "certain": 50, "percent": 100}, "distance": {"low": null, "high": null, "found": 48, "attack": "distance", "single": 0, "certain": 0, "percent": 96}, "agreement": {"low": null, "high": null, "found": 3.0377450980392147, "attack": "agreement", "single": null, "certain": null, "percent": 6.07549019607843}, "candidates": {"low": null, "high": null, "found": 50, "attack": "candidates", "single": 50, "certain": 50, "percent": 100}}, "sample": null, "records": 50, "accuracy": {"rows": [{"part": "margins", "value": null, "measure": "mean_error", "attribute": "age"}, {"part": "margins", "value": 0.2, "measure": "mean_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "age"}, {"part": "margins", "value": 0.5, "measure": "sd_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "income"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "income"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "ks", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "ks_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "hellinger", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "hellinger_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "region"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "region"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "region"}, {"part": "counts", "value": null, "measure": "mean_error_1"}, {"part": "counts", "value": null, "measure": "mean_error_1_rounding"}, {"part": "counts", "value": null, "measure": "median_error_1"}, {"part": "counts", "value": null, "measure": "median_error_1_rounding"}, {"part": "counts", "value": null, "measure": "p95_error_1"}, {"part": "counts", "value": null, "measure": "p95_error_1_rounding"}, {"part": "associations", "value": null, "measure": "kept"}, {"part": "associations", "value": null, "measure": "kept_rounding"}, {"part": "associations", "value": null, "measure": "new"}, {"part": "associations", "value": null, "measure": "new_rounding"}]}, "problems": {"k": "the release has no quasi-identifiers", "l": "the release does not have quasi-identifiers and one sensitive column besides"}, "returned": {"dr": 61.33333333333333, "il": 21.944781019787914, "score": 41.63905717656062, "score_high": 41.63905717656062, "people_found": 100, "certain_percent": 100, "people_found_high": 100, "certain_percent_high": 100}, "arguments": {"known": null, "sample": null, "seeded": false, "queries": 1000, "min_support": 0.08, "min_confidence": 0.15}, "definitions": "2", "known_given": false, "query_errors": {"rows": [{"queries": 1000, "redrawn": 8, "p05_error": 0, "p25_error": 0, "p75_error": 0.037037037037037035, "p95_error": 0.25, "attributes": 1, "mean_error": 0.05232593395436209, "median_error": 0}], "queries": 1000}, "association_recall": {"rows": [{"length": null, "original": 0, "recovered": 0, "artificial": 0, "recall_percent": null, "artificial_percent": null}], "min_support": 0.08, "min_confidence": 0.15}}, "definition": {"keep": ["region"], "mode": "exchange", "omit": ["name", "status", "household"], "steps": [{"p": 1, "method": "rankswap", "columns": ["age", "income"]}], "limits": {"people_found": 0}, "source": "public.moving", "approve": false, "publish_as": "public.never", "on_unchanged": "skip"}, "evaluation": "7cbc250c87df3d24d9fb34d851f816647b175e2465ecddb8acd5842f0effb683a42bbceb6b706d5a875f4a77e88d770926f1e839b87e011e0bcfae1177f77118", "release_oid": "18005", "source_records": 50}	0
3	nightly	owner	owner	2026-11-27 09:09:18.383361+00	2026-11-27 09:09:18.432249+00	published	\N	\N	{"salt": "4af7c4c8-dd94-4b55-b1eb-510c0b562499", "limits": [{"kept": true, "bound": 100, "value": 13.430124725635558, "measure": "composed_people_found"}, {"kept": true, "bound": 100, "value": 33.095954045954045, "measure": "people_found"}], "sha256": "8ae539959fc7a612ed61a05e8002652cfed301967bd4f805db6283ab5339a24c", "target": "public.published", "columns": ["age", "income", "region"], "records": 50, "release": "public.nightly_run_3", "seconds": {"stage": 0.016191, "measure": 0.017166, "publish": 0.015290}, "measures": {"sdc": "1.0", "lost": 0, "known": ["age", "income", "region"], "score": {"dr": 11.433333333333334, "il": 27.48090585106238, "dld": 1, "pld": 0, "rsld": 1, "score": 19.457119592197856, "dr_low": null, "dld_low": null, "dr_high": null, "pld_low": null, "dld_high": null, "pld_high": null, "rsld_low": null, "rsld_high": null, "dr_generic": 11.35, "people_found": 33.095954045954045, "score_generic": 19.41545292553119, "certain_percent": 0, "interval_disclosure": 22.2}, "groups": {"k": null, "l": null, "t": null, "qi": [], "k_whole": null, "sensitive": []}, "judged": {"il": 27.48090585106238, "score": 19.457119592197856, "exposed": 0, "people_found": 33.095954045954045, "certain_percent": 0, "composed_people_found": 13.430124725635558}, "people": {"any": {"low": null, "high": null, "found": 16.547977022977022, "attack": "any", "single": 0, "certain": 0, "percent": 33.095954045954045}, "best": {"low": null, "high": null, "found": 12, "attack": "best", "single": 0, "certain": 0, "percent": 24}, "chance": {"low": null, "high": null, "found": 1, "attack": "chance", "single": null, "certain": null, "percent": 2}, "narrow": {"low": null, "high": null, "found": 12, "attack": "narrow", "single": 0, "certain": 0, "percent": 24}, "nearest": {"low": null, "high": null, "found": 11, "attack": "nearest", "single": 0, "certain": 0, "percent": 22}, "distance": {"low": null, "high": null, "found": 11, "attack": "distance", "single": 0, "certain": 0, "percent": 22}, "agreement": {"low": null, "high": null, "found": 0, "attack": "agreement", "single": null, "certain": null, "percent": 0}, "candidates": {"low": null, "high": null, "found": 6.244044844044843, "attack": "candidates", "single": 0, "certain": 0, "percent": 12.488089688089685}}, "sample": null, "records": 50, "accuracy": {"rows": [{"part": "margins", "value": null, "measure": "mean_error", "attribute": "age"}, {"part": "margins", "value": 0.2, "measure": "mean_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "age"}, {"part": "margins", "value": 0.5, "measure": "sd_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "income"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "income"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "ks", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "ks_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "hellinger", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "hellinger_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "region"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "region"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "region"}, {"part": "counts", "value": null, "measure": "mean_error_1"}, {"part": "counts", "value": null, "measure": "mean_error_1_rounding"}, {"part": "counts", "value": null, "measure": "median_error_1"}, {"part": "counts", "value": null, "measure": "median_error_1_rounding"}, {"part": "counts", "value": null, "measure": "p95_error_1"}, {"part": "counts", "value": null, "measure": "p95_error_1_rounding"}, {"part": "associations", "value": null, "measure": "kept"}, {"part": "associations", "value": null, "measure": "kept_rounding"}, {"part": "associations", "value": null, "measure": "new"}, {"part": "associations", "value": null, "measure": "new_rounding"}]}, "problems": {"k": "the release has no quasi-identifiers", "l": "the release does not have quasi-identifiers and one sensitive column besides"}, "returned": {"dr": 11.433333333333334, "il": 27.48090585106238, "score": 19.457119592197856, "score_high": 19.457119592197856, "people_found": 33.095954045954045, "certain_percent": 0, "people_found_high": 33.095954045954045, "certain_percent_high": 0}, "arguments": {"known": null, "sample": null, "seeded": false, "queries": 1000, "min_support": 0.08, "min_confidence": 0.15}, "definitions": "2", "known_given": false, "query_errors": {"rows": [{"queries": 1000, "redrawn": 8, "p05_error": 0, "p25_error": 0, "p75_error": 0.125, "p95_error": 0.6666666666666666, "attributes": 1, "mean_error": 0.1283433589128152, "median_error": 0}], "queries": 1000}, "association_recall": {"rows": [{"length": null, "original": 0, "recovered": 0, "artificial": 0, "recall_percent": null, "artificial_percent": null}], "min_support": 0.08, "min_confidence": 0.15}}, "definition": {"keep": ["region"], "mode": "exchange", "omit": ["name", "status", "household"], "steps": [{"p": 30, "method": "rankswap", "columns": ["age", "income"], "continued": true}], "limits": {"people_found": 100, "composed_people_found": 100}, "source": "public.moving", "approve": false, "publish_as": "public.published", "on_unchanged": "skip"}, "evaluation": "19c21a584c1fb4eb11d0846b54d8fe9422ac68ab4e6ebd8bec9f7d67baec502a47dc565a812d041d817eb4531031d16b8d8366fc5110fc2315ff3964a6703395", "release_oid": "18010", "source_records": 50, "publication_owner": null}	0
\.


--
-- Data for Name: sdc_state_dump; Type: TABLE DATA; Schema: sdc_private; Owner: postgres
--

COPY sdc_private.sdc_state_dump (release, row_type, stream, part, contents, written_by) FROM stdin;
public.continued	public.continued	1	0	\\xda9c747dcc8eaa0f056377d920feaac181ff50ea1a7efeafaebdb9626331fbcf28da3febd1b914b488db33de81d9a3ae41d4c7005726a732f6504a6a7e82d0eb1b7afbc8935e7585e7a40ecd4cbebbf569b4bf287cd94e1faee980d9f180c5f1cb77335b6e2c6b78fc06819ad3fe27b8d3bbab90e8523068085e2c4dbe0bbd5342709729a453da863768004775f0edeaa6493c853bfa1c5b8b9f6b536402b7b6d0df7eb9fe77f8a34e8f1fe6e5a2e5b32ead87741216f51ac35190c5de0e3ca9173132a458a35631dff3f87feef251b081ada6b5a0ace827076c8fbaecf0056c86474446f8381cd390d1bf72d6df7585e4392a5d82029071bae5b76cb2d08a2bc34d9b08051527315ac3a08feaaa5935b511700bf8c6668eafd81ce008dc2f0a68f21ed7ac694e380a22f8fb6d70d2c7fe9de477da5fe5434fb33cf01f1b23459cb57c516c004993c885236bfaa1fee209206573aefb006140d026146da132ea8c7326b3f23261459382b728d087c141982e6ce581010c3db1a870469e0cd06b108c764fce837b46734a4426467fbe6d	0
public.continued	public.continued	9	0	\\x2cca3c09d7be59697ad8268dd5459e291cbb2b	0
public.continued	public.continued	17	0	\\x54234de7126f6fb6b6505869296b8e68e9aa30	0
public.randomized_continued	public.randomized_continued	8	0	\\x3200000000000000460000003b00000030000000250000001a0000004c00000041000000360000002b0000002000000015000000470000003c00000031000000260000001b0000004d00000042000000370000002c0000002100000016000000480000003d00000032000000270000001c0000004e00000043000000380000002d0000002200000017000000490000003e00000033000000280000001d0000004f00000044000000390000002e00000023000000180000004a0000003f00000034000000290000001e00000050000000	0
public.randomized_continued	public.randomized_continued	9	0	\\x3200000004000000300001000001003c0000004c0000004e000000160000003d0000004d00000027000000280000004a0000004d0000002e0000004100000016000000180000001d00000021000000340000004a000000210000002300000047000000180000003e000000420000003b0000001e000000480000001c0000004f000000260000003f000000470000002c00000041000000380000004e0000004900000027000000170000004d000000380000004600000033000000380000001500000033000000	0
public.randomized_continued	public.randomized_continued	10	0	\\x0101010100000101010101010101010100010101010101010101010101010101010101010101010100010101010101010101	0
public.randomized_continued	public.randomized_continued	11	0	\\x010000000000000093e6fc599e30ee3f	0
public.randomized_continued	public.randomized_continued	16	0	\\x320000000d00000011111111111101070000007769646f776564070000006d6172726965640600000073696e676c65070000007769646f776564070000006d6172726965640600000073696e676c65070000007769646f776564070000006d6172726965640600000073696e676c65070000007769646f776564070000006d6172726965640600000073696e676c65070000007769646f776564070000006d6172726965640600000073696e676c65070000007769646f776564070000006d6172726965640600000073696e676c65070000007769646f776564070000006d6172726965640600000073696e676c65070000007769646f776564070000006d6172726965640600000073696e676c65070000007769646f776564070000006d6172726965640600000073696e676c65070000007769646f776564070000006d6172726965640600000073696e676c65070000007769646f776564070000006d6172726965640600000073696e676c65070000007769646f776564070000006d6172726965640600000073696e676c65070000007769646f776564	0
public.randomized_continued	public.randomized_continued	17	0	\\x3200000031000000dfffffffffff03070000007769646f776564	0
public.randomized_continued	public.randomized_continued	18	0	\\x0000000001010000000000000000000001000000000000000000000000000000000000000000000001000000000000000000	0
public.randomized_continued	public.randomized_continued	19	0	\\x0100000000000000c89631601af6ac3f	0
public.continued	public.continued	0	0	\\x736463737461746505000000040000005554463807000000010000007805000000627974657390010000000000000100000090e958b19c37a7b87576406006eef49693571d0842500deda6cb62c28a728fc9080000007707000000696e7465676572000000000000000000000000090000007806000000776f726473361900000000000000010000005dfc24027f9710ffca3178d4e350bc86a9092d040f3dc6b2e5fd8b692bdd0e540a0000007807000000776f7264733131000000000000000000000000100000007710000000646f75626c6520707265636973696f6e000000000000000000000000110000007806000000776f72647336190000000000000001000000f9886ad9d0b66e035f66a3fd9dafae1755020bd0fbb066702570994021c0c60b120000007807000000776f7264733131000000000000000000000000f20200007b227075626c69636174696f6e223a20312c2022736f75726365223a2031373938342c2022736f757263655f726f775f74797065223a2031373938362c2022636f70696564223a202265316431646439333436386665316538222c202272656c6561736564223a202234626335323065666530323731636438222c202273616c74223a202261353430386630626232383334393863222c20227265636f726473223a2035302c202266697273745f7265636f726473223a2035302c20226e6577636f6d657273223a20302c20226368616e676564223a20352c20226368616e6765645f73696e6365223a203834393038353735383233353834302c20226368616e6765645f6e6967687473223a20302c20226b6579223a205b7b226e616d65223a20226964222c20226e756d626572223a20312c202274797065223a2022696e7465676572227d5d2c2022636f6c756d6e73223a205b7b226e616d65223a2022616765222c20226e756d626572223a20322c202274797065223a2022696e7465676572222c20226d6574686f64223a202272616e6b73776170222c2022706172616d6574657273223a20227b5c22705c223a2032307d222c202270656e64696e67223a20302c20227769646f7773223a20302c20226265796f6e64223a20302c202266697273745f6265796f6e64223a20302c20226c617267657374223a2032302c20227265647261776e223a20302c20226d61726b73223a20307d2c207b226e616d65223a2022696e636f6d65222c20226e756d626572223a20332c202274797065223a2022646f75626c6520707265636973696f6e222c20226d6574686f64223a202272616e6b73776170222c2022706172616d6574657273223a20227b5c22705c223a2032307d222c202270656e64696e67223a20302c20227769646f7773223a20302c20226265796f6e64223a20302c202266697273745f6265796f6e64223a20302c20226c617267657374223a2032302c20227265647261776e223a20302c20226d61726b73223a20307d5d7de98fef9f0e56b09eb9ced944defd44325cfa4013b8353fe50412411dedeac738	0
public.randomized_continued	public.randomized_continued	0	0	\\x736463737461746505000000040000005554463808000000080000007707000000696e7465676572320000000000000001000000e468478feae277818e89775d1840c9b2ea4e6d00433099e8a0b8d41a3feb428d090000007707000000696e7465676572320000000000000001000000d7d79c44072c9a425a094f537c657490ee01a8b22759fcf3b526bd44a57f3e110a000000780500000062797465733200000000000000010000001b8b2737d64c0b1bb59e31be1267df8965f1e0e9e95104d8f9db4b61bd6d624a0b0000007710000000646f75626c6520707265636973696f6e010000000000000001000000d90d65d487f0463eeb29b96d08b753df2385e71ff573028e6444572e517c1be610000000730f00000070675f636174616c6f672e7465787432000000000000000100000030959f4420347ce3a25035cafedc8dc6357180438dcf58a0f4e7a8d589345a1f11000000730f00000070675f636174616c6f672e7465787432000000000000000100000008cb7d6e839c783f9d560dbf10a3eadd8f08dc357299e792dad78a0b08b8b9ba1200000078050000006279746573320000000000000001000000afb569bb5d247319dea9f11fa9d4f588951912c38ff1feeca9d9776a54e6d9aa130000007710000000646f75626c6520707265636973696f6e01000000000000000100000032ce02674a0baad3ba112f5062812ce40899a65a2c765df8573c7f8d9e440155a80200007b227075626c69636174696f6e223a20312c2022736f75726365223a2031373938342c2022736f757263655f726f775f74797065223a2031373938362c2022636f70696564223a202238366665646536313934306334363531222c202272656c6561736564223a202237643662333730623635643262313963222c202273616c74223a202230303030303030303030303030303030222c20227265636f726473223a2035302c202266697273745f7265636f726473223a2035302c20226e6577636f6d657273223a20302c20226368616e676564223a20302c20226b6579223a205b7b226e616d65223a20226964222c20226e756d626572223a20312c202274797065223a2022696e7465676572227d5d2c2022636f6c756d6e73223a205b7b226e616d65223a2022616765222c20226e756d626572223a20322c202274797065223a2022696e7465676572222c20226d6574686f64223a202272616e646f6d697a65222c2022706172616d6574657273223a20227b7d222c202270656e64696e67223a20302c20227769646f7773223a20302c20226265796f6e64223a20302c202266697273745f6265796f6e64223a20302c20226c617267657374223a20302c20227265647261776e223a20302c20226d61726b73223a20307d2c207b226e616d65223a2022737461747573222c20226e756d626572223a20362c202274797065223a202270675f636174616c6f672e74657874222c20226d6574686f64223a202272616e646f6d697a65222c2022706172616d6574657273223a20227b7d222c202270656e64696e67223a20302c20227769646f7773223a20302c20226265796f6e64223a20302c202266697273745f6265796f6e64223a20302c20226c617267657374223a20302c20227265647261776e223a20302c20226d61726b73223a20307d5d7d5c26c516113c8d5aee2b250232d306b453cae9bc532b5d4a50a26a34fe0eba15	0
public.noisy_continued	public.noisy_continued	8	0	\\x3200000000000000000000000087934000000000000019400000000000a0934000000000000029400000000000b993400000000000c032400000000000d2934000000000000039400000000000ef93400000000000403f4000000000000494400000000000c0424000000000001d94400000000000e045400000000000369440000000000000494000000000004f94400000000000a04c4000000000006894400000000000404f400000000000819440000000000030514000000000009a94400000000000c052400000000000b3944000000000005054400000000000d094400000000000e055400000000000e5944000000000007057400000000000fe9440000000000000594000000000001795400000000000905a4000000000003095400000000000605c4000000000004995400000000000b05d4000000000006295400000000000405f4000000000007b95400000000000686040000000000094954000000000003061400000000000b195400000000000f861400000000000c695400000000000c062400000000000df95400000000000886340	0
public.noisy_continued	public.noisy_continued	9	0	\\x3200000000000000e4758a15c64a96404ab2b820bbb444c02e3230494a1c91406ef7f58bc64364400de5b27c31e0904010ef6c33629906c0a72c3c3b0cdf9140ae310075eee26ec06e64192bbdcf9240e0cb2913b5a61ec09fe2a889c1dd934038da7f342cd43cc00fc86e5f7a7f934050e6fe8e3b8657c0c37d1bb957d39540be6c1ec679c670400683dbaf43739240d7da05a58c9363c015d9b1b67b509840b24c7e1d5fb44fc0cc29e940b3de93404b99ed2614ea554065321a061be9924038b67296427847c0f3fc79bdfd1a9440f0f0551e09a51c40dde4192afb599240b0ed9b597eab36c0f47e4dba2f3c95401df8cd47aad66f40f07360b7bb3d94404056df59296737c01bb22df17eb3944050a36e9a48333940609a1d56637b944066177cca5b575c4054ec7fe0aadc9740a692b884a97e4740dd3b0520bab095401772c7d0be926440725da30ae823964077a39c225d567840ef40d006b3149640ec41e1cf12314640f8f8174007639040348fcaa164b84c40242fdf2f5e4c97401dc9f467a41c6240dbc76299d25a954088a587f885f63a40	0
public.noisy_continued	public.noisy_continued	10	0	\\x0101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101	0
public.noisy_continued	public.noisy_continued	0	0	\\x736463737461746505000000040000005554463803000000080000007710000000646f75626c6520707265636973696f6e320000000000000001000000811d44030658be3674cd0480cc4419ad5d3fb815116da3340890f838d13d515e090000007710000000646f75626c6520707265636973696f6e3200000000000000010000001360ca47a4471a22d1da39483a51ebc0fe1835b18ed668ea583e65e96eec271d0a000000780500000062797465733200000000000000010000009df8bff0a706340db1c6eda55d6b44cec40065c45253fc541a5a094f17b57d840f0200007b227075626c69636174696f6e223a20322c2022736f75726365223a2031373938342c2022736f757263655f726f775f74797065223a2031373938362c2022636f70696564223a202239386265626464653561373233393431222c202272656c6561736564223a202266353631326437306161646539636266222c202273616c74223a202230303030303030303030303030303030222c20227265636f726473223a2035302c202266697273745f7265636f726473223a2035302c20226e6577636f6d657273223a20302c20226368616e676564223a20302c20226b6579223a205b7b226e616d65223a20226964222c20226e756d626572223a20312c202274797065223a2022696e7465676572227d5d2c2022636f6c756d6e73223a205b7b226e616d65223a2022696e636f6d65222c20226e756d626572223a20332c202274797065223a2022646f75626c6520707265636973696f6e222c20226d6574686f64223a20226e6f697365222c2022706172616d6574657273223a20227b5c22616d6f756e745c223a20302e322c205c22736368656d655c223a205c2261646469746976655c227d222c202270656e64696e67223a20302c20227769646f7773223a20302c20226265796f6e64223a20302c202266697273745f6265796f6e64223a20302c20226c617267657374223a20302c20227265647261776e223a20302c20226d61726b73223a20307d5d7da6a9a74ec4248499ea5c8fdc4049ca537fe6e778e4b6a9bc3ae2bfde809e18a2	0
public.nightly_run_3	public.nightly_run_3	1	0	\\xfa4da4f7a129959c7d4cfb7dc9ca3109ccf127729b1c5fdefe6ff283f0c7d3b2a8e3cf3aaa068abe33f4a5c8a46adb3a0c7dcd2b066e5e4127fd8ae3e999329d1ef0bb34d24640bdc3d66b7cb9c91995739c2f313a1e64d10ee50b6686feb51f0aabe6694b9475e9d7c9c4b466be71772b34c1688066adb1cabc02b4074c4b3f5c9deb5f63bb3efbaa84d7a534a1f541ce3bdea38a22d2c305142fdb0788f4756eaa06674314591ae97f2eb085c1716e0084e6253a7770badba8cb71e1371dfcf27d78711ed882f9f44cffeb1c9b7f308d35b3cfdbb6d5d8aa17e60b066a8900dc698ce72b7cc10a8964cbc775426ff30639fc297061f56fa8ef5b62bf3dd5436d583b3cc1ad2ffc8e969a581e9e480a6be7572486e4e8bd308282bb3d2ba695f05bd29391161b85227d115a1699c3fd341162e7b910d465d7849391043b671dd882b553bc7faf07788859060071d73cf0377bbb70935ced6b98c4e71eb4a6366c0119078167b6a89f0fb16f7404b40660d476b5eb1b94d72d7f10eb2985ffed7e96246d860cb67c622402e521832758	0
public.nightly_run_3	public.nightly_run_3	9	0	\\x21423dcec6aa650645ee047226b98af0dbc629	0
public.nightly_run_3	public.nightly_run_3	17	0	\\xdc703251da74953881a18ac16e468e66c9be31	0
public.nightly_run_3	public.nightly_run_3	0	0	\\x7364637374617465050000000400000055544638070000000100000078050000006279746573900100000000000001000000b088b88b042f6e2ba7f7458c516a82f91f3a345a06b896465487c795f04d46c3080000007707000000696e7465676572000000000000000000000000090000007806000000776f72647336190000000000000001000000ec1fb770bb615d21f38b4cf9abdfa1499f1a426b37edf6e6d7eff4301a3311910a0000007807000000776f7264733131000000000000000000000000100000007710000000646f75626c6520707265636973696f6e000000000000000000000000110000007806000000776f726473361900000000000000010000002080ac569ab851dea9eac1262bea739f2e034c5b442f0785afaa634978c4b72c120000007807000000776f7264733131000000000000000000000000bb0200007b227075626c69636174696f6e223a20312c2022736f75726365223a2031373938342c2022736f757263655f726f775f74797065223a2031373938362c2022636f70696564223a202262303930623264623663343733656663222c202272656c6561736564223a202264316166333163316635373231396437222c202273616c74223a202232353136303130353564373530386338222c20227265636f726473223a2035302c202266697273745f7265636f726473223a2035302c20226e6577636f6d657273223a20302c20226368616e676564223a20302c20226b6579223a205b7b226e616d65223a20226964222c20226e756d626572223a20312c202274797065223a2022696e7465676572227d5d2c2022636f6c756d6e73223a205b7b226e616d65223a2022616765222c20226e756d626572223a20322c202274797065223a2022696e7465676572222c20226d6574686f64223a202272616e6b73776170222c2022706172616d6574657273223a20227b5c22705c223a2033307d222c202270656e64696e67223a20302c20227769646f7773223a20302c20226265796f6e64223a20302c202266697273745f6265796f6e64223a20302c20226c617267657374223a2033302c20227265647261776e223a20302c20226d61726b73223a20307d2c207b226e616d65223a2022696e636f6d65222c20226e756d626572223a20332c202274797065223a2022646f75626c6520707265636973696f6e222c20226d6574686f64223a202272616e6b73776170222c2022706172616d6574657273223a20227b5c22705c223a2033307d222c202270656e64696e67223a20302c20227769646f7773223a20302c20226265796f6e64223a20302c202266697273745f6265796f6e64223a20302c20226c617267657374223a2033302c20227265647261776e223a20302c20226d61726b73223a20307d5d7d6b68cd9ec3fe0161a0ff00da5bd84f1193fc165987529f1287dd8fc22c9969c8	0
\.


--
-- Name: moving moving_pkey; Type: CONSTRAINT; Schema: public; Owner: owner
--

ALTER TABLE ONLY public.moving
    ADD CONSTRAINT moving_pkey PRIMARY KEY (id);


--
-- Name: person person_pkey; Type: CONSTRAINT; Schema: public; Owner: owner
--

ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_pkey PRIMARY KEY (id);


--
-- PostgreSQL database dump complete
--



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
-- Name: nightly_run_2; Type: TABLE; Schema: public; Owner: owner
--

CREATE TABLE public.nightly_run_2 (
    id integer,
    age integer,
    income double precision,
    region integer
);


ALTER TABLE public.nightly_run_2 OWNER TO owner;

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
-- Data for Name: nightly_run_2; Type: TABLE DATA; Schema: public; Owner: owner
--

COPY public.nightly_run_2 (id, age, income, region) FROM stdin;
1	74	1287.25	1
2	63	87.5	2
3	56	125	0
4	55	68.75	1
5	21	1324.75	2
6	78	31.25	0
7	72	1337.25	1
8	68	75	2
9	57	93.75	0
10	39	18.75	1
11	26	1318.5	2
12	77	57.25	0
13	45	1249.75	1
14	33	81.25	2
15	46	1332	0
16	44	118.75	1
17	71	143.75	2
18	52	37.5	0
19	37	150	1
20	27	100	2
21	49	156.25	0
22	40	12.5	1
23	65	1281	2
24	62	25	0
25	51	1262.25	1
26	32	43.75	2
27	41	1293.5	0
28	76	6.25	1
29	80	1268.5	2
30	48	1275.75	0
31	60	1374.75	1
32	30	62.5	2
33	24	1368.5	0
34	79	137.5	1
35	61	1388.25	2
36	50	131.25	0
37	22	1393.5	1
38	35	50	2
39	73	1349.75	0
40	54	1256	1
41	43	1343.5	2
42	38	113.5	0
43	29	1399.75	1
44	23	106.25	2
45	70	1356	0
46	59	1299.75	1
47	66	1362.25	2
48	28	1306	0
49	34	1381	1
50	67	1312.25	2
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
72	1262.25	2
77	1281	2
49	62.5	2
21	100	2
65	87.5	1
70	125	1
33	1312.25	0
35	50	1
45	1381	1
61	75	0
34	156.25	2
38	1293.5	0
71	37.5	0
41	1256	0
54	6.25	2
24	1299.75	2
57	1318.5	2
79	56.25	0
63	1268.5	1
78	1287.25	1
46	1274.75	0
66	1368.5	0
29	118.75	2
73	143.75	1
62	1337.25	2
39	81.25	2
22	1399.75	1
28	1331	0
67	43.75	2
43	131.25	0
32	12.5	1
51	112.5	0
37	1362.25	1
26	137.5	2
52	25	2
68	1306	1
76	1387.25	0
80	1356	2
48	150	0
50	1249.75	1
40	1324.75	1
23	1349.75	0
59	1374.75	2
44	1393.5	2
30	31.25	1
60	1343.5	1
27	68.75	1
56	93.75	0
74	18.75	0
55	106.25	1
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
39	18.75	1
50	131.25	0
80	1268.5	2
67	1312.25	2
51	1262.25	1
43	1343.5	2
74	1287.25	1
46	1332	0
52	37.5	0
79	137.5	1
77	57.25	0
73	1349.75	0
38	113.5	0
55	68.75	1
30	62.5	2
71	143.75	2
35	50	2
54	1256	1
49	156.25	0
21	1324.75	2
63	87.5	2
29	1399.75	1
76	6.25	1
56	125	0
44	118.75	1
78	31.25	0
23	106.25	2
40	12.5	1
60	1374.75	1
33	81.25	2
41	1293.5	0
37	150	1
28	1306	0
26	1318.5	2
57	93.75	0
22	1393.5	1
70	1356	0
34	1381	1
24	1368.5	0
48	1275.75	0
32	43.75	2
66	1362.25	2
65	1281	2
72	1337.25	1
61	1388.25	2
59	1299.75	1
68	75	2
45	1249.75	1
62	25	0
27	100	2
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
public.rankswapped	public.rankswapped	2026-11-27 07:58:24.977652+00	owner	2	{age,region}	0	{id,age,income,region,household,status,name}	{id,age,income,region}	\\x8aea54dead4bbd0771629c44501098353783e9f91575ce0277889218ec4350f7eecfe1fe218b9779788d42888601d71833c1063dfdc4600859063dd772277b68	\\x73c67703417e0cd7c17dfdb435fa209ed773b58f79547086c5740b5f7755be1f0fced0aadf0b833505b65450a9fc3d9ee9f51e310428ee3a8fd52d464d15757f	\\xf77b2abc4e086d73c935b11bed3e5e7a2960291a534dc32c6574b8fafe92c63f0132de5963741bb237038631f75b6f99de7ff87af2d4e3005d3d7ce1e0d0994f	\\x9b3e3ec21b18792e46d3a97e131e041c3e7b234a653db083179a9898aa36c76a8774d98fb81be224180d49b4abd67cfe830e8f040b6a5cd053d0f189af933f04	{"sdc": "1.0", "lost": 0, "known": ["age", "region"], "score": {"dr": 12.166666666666666, "il": 28.346215970005066, "dld": 6, "pld": 4, "rsld": 6, "score": 20.256441318335867, "dr_low": null, "dld_low": null, "dr_high": null, "pld_low": null, "dld_high": null, "pld_high": null, "rsld_low": null, "rsld_high": null, "dr_generic": 12, "people_found": 25.199999999999992, "score_generic": 20.17310798500253, "certain_percent": 0, "interval_disclosure": 19}, "groups": {"k": 1, "l": 1, "t": 0.98, "qi": ["age"], "k_whole": 1, "sensitive": ["income"]}, "judged": {"k": 1, "l": 1, "t": 0.98, "il": 28.346215970005066, "score": 20.256441318335867, "k_whole": 1, "people_found": 25.199999999999992, "certain_percent": 0}, "people": {"any": {"low": null, "high": null, "found": 12.599999999999994, "attack": "any", "single": 0, "certain": 0, "percent": 25.199999999999992}, "best": {"low": null, "high": null, "found": 11.099999999999996, "attack": "best", "single": 0, "certain": 0, "percent": 22.199999999999992}, "chance": {"low": null, "high": null, "found": 1, "attack": "chance", "single": null, "certain": null, "percent": 2}, "nearest": {"low": null, "high": null, "found": 2, "attack": "nearest", "single": 0, "certain": 0, "percent": 4}, "distance": {"low": null, "high": null, "found": 2, "attack": "distance", "single": 0, "certain": 0, "percent": 4}, "agreement": {"low": null, "high": null, "found": 2, "attack": "agreement", "single": null, "certain": null, "percent": 4}, "candidates": {"low": null, "high": null, "found": 11.099999999999996, "attack": "candidates", "single": 0, "certain": 0, "percent": 22.199999999999992}}, "sample": null, "records": 50, "accuracy": {"rows": [{"part": "margins", "value": null, "measure": "mean_error", "attribute": "age"}, {"part": "margins", "value": 0.2, "measure": "mean_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "age"}, {"part": "margins", "value": 0.5, "measure": "sd_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "income"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "income"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "ks", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "ks_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "hellinger", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "hellinger_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "region"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "region"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "region"}, {"part": "counts", "value": null, "measure": "mean_error_1"}, {"part": "counts", "value": null, "measure": "mean_error_1_rounding"}, {"part": "counts", "value": null, "measure": "median_error_1"}, {"part": "counts", "value": null, "measure": "median_error_1_rounding"}, {"part": "counts", "value": null, "measure": "p95_error_1"}, {"part": "counts", "value": null, "measure": "p95_error_1_rounding"}, {"part": "associations", "value": null, "measure": "kept"}, {"part": "associations", "value": null, "measure": "kept_rounding"}, {"part": "associations", "value": null, "measure": "new"}, {"part": "associations", "value": null, "measure": "new_rounding"}]}, "problems": {}, "returned": {"dr": 12.166666666666666, "il": 28.346215970005066, "score": 20.256441318335867, "score_high": 20.256441318335867, "people_found": 25.199999999999992, "certain_percent": 0, "people_found_high": 25.199999999999992, "certain_percent_high": 0}, "arguments": {"known": null, "sample": null, "seeded": false, "queries": 1000, "min_support": 0.08, "min_confidence": 0.15}, "definitions": "2", "known_given": false, "query_errors": {"rows": [{"queries": 1000, "redrawn": 45, "p95_error": 0.5, "attributes": 1, "mean_error": 0.1200061918359442, "median_error": 0.03571428571428571}], "queries": 1000}, "association_recall": {"rows": [{"length": null, "original": 0, "recovered": 0, "artificial": 0, "recall_percent": null, "artificial_percent": null}], "min_support": 0.08, "min_confidence": 0.15}}	0
public.nightly_run_2	public.nightly_run_2	2026-11-27 07:58:25.034885+00	owner	2	{age,income,region}	0	{id,age,income,region,household,status,name}	{id,age,income,region}	\\x26513715ecd90ba348bd25c873d21f600e27d6b9d6f813375e68a00c017b6604725be08d8506787a3376e7933e0db7bd933372ba02e5ed8a384b6a30a130f1b3	\\x24d04b5d12a33096ec37ca2785e1897cd7f5316d00cde6f3bf2d7d14a82ca3ef1b4087d04956408ef4e41ffa2b1051333f01acd4209b3681dbb982539db3c351	\\x953edd2bf5b31cd2fd5a6e016a2875bb03decdb572cb90c59bb311dd6f0325f53e16ad5c9887c6ce532129cc2041027d0a6e99b230f51b5af1b8ac60fbf2c2b8	\\x5f2bc14bd614c0eba5bfe542dcffcf27307c2fdb8c49fcdeebf0de270578eba25950291fc1838f5f732a7d256aba3b95771c3b11a5c0352ad75130e8cdf51594	{"sdc": "1.0", "lost": 0, "known": ["age", "income", "region"], "score": {"dr": 10.2, "il": 19.383541833601747, "dld": 6, "pld": 0, "rsld": 6, "score": 14.791770916800873, "dr_low": null, "dld_low": null, "dr_high": null, "pld_low": null, "dld_high": null, "pld_high": null, "rsld_low": null, "rsld_high": null, "dr_generic": 9.7, "people_found": 31.088139638139626, "score_generic": 14.541770916800873, "certain_percent": 0, "interval_disclosure": 16.4}, "groups": {"k": null, "l": null, "t": null, "qi": [], "k_whole": null, "sensitive": []}, "judged": {"il": 19.383541833601747, "score": 14.791770916800873, "people_found": 31.088139638139626, "certain_percent": 0}, "people": {"any": {"low": null, "high": null, "found": 15.544069819069813, "attack": "any", "single": 0, "certain": 0, "percent": 31.088139638139626}, "best": {"low": null, "high": null, "found": 11, "attack": "best", "single": 0, "certain": 0, "percent": 22}, "chance": {"low": null, "high": null, "found": 1, "attack": "chance", "single": null, "certain": null, "percent": 2}, "narrow": {"low": null, "high": null, "found": 11, "attack": "narrow", "single": 0, "certain": 0, "percent": 22}, "nearest": {"low": null, "high": null, "found": 9, "attack": "nearest", "single": 0, "certain": 0, "percent": 18}, "distance": {"low": null, "high": null, "found": 9, "attack": "distance", "single": 0, "certain": 0, "percent": 18}, "agreement": {"low": null, "high": null, "found": 0, "attack": "agreement", "single": null, "certain": null, "percent": 0}, "candidates": {"low": null, "high": null, "found": 6.19602897102897, "attack": "candidates", "single": 0, "certain": 0, "percent": 12.39205794205794}}, "sample": null, "records": 50, "accuracy": {"rows": [{"part": "margins", "value": null, "measure": "mean_error", "attribute": "age"}, {"part": "margins", "value": 0.2, "measure": "mean_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "age"}, {"part": "margins", "value": 0.5, "measure": "sd_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "income"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "income"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "ks", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "ks_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "hellinger", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "hellinger_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "region"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "region"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "region"}, {"part": "counts", "value": null, "measure": "mean_error_1"}, {"part": "counts", "value": null, "measure": "mean_error_1_rounding"}, {"part": "counts", "value": null, "measure": "median_error_1"}, {"part": "counts", "value": null, "measure": "median_error_1_rounding"}, {"part": "counts", "value": null, "measure": "p95_error_1"}, {"part": "counts", "value": null, "measure": "p95_error_1_rounding"}, {"part": "associations", "value": null, "measure": "kept"}, {"part": "associations", "value": null, "measure": "kept_rounding"}, {"part": "associations", "value": null, "measure": "new"}, {"part": "associations", "value": null, "measure": "new_rounding"}]}, "problems": {"k": "the release has no quasi-identifiers", "l": "the release does not have quasi-identifiers and one sensitive column besides"}, "returned": {"dr": 10.2, "il": 19.383541833601747, "score": 14.791770916800873, "score_high": 14.791770916800873, "people_found": 31.088139638139626, "certain_percent": 0, "people_found_high": 31.088139638139626, "certain_percent_high": 0}, "arguments": {"known": null, "sample": null, "seeded": false, "queries": 1000, "min_support": 0.08, "min_confidence": 0.15}, "definitions": "2", "known_given": false, "query_errors": {"rows": [{"queries": 1000, "redrawn": 8, "p95_error": 0.5049999999999955, "attributes": 1, "mean_error": 0.11623371766637133, "median_error": 0}], "queries": 1000}, "association_recall": {"rows": [{"length": null, "original": 0, "recovered": 0, "artificial": 0, "recall_percent": null, "artificial_percent": null}], "min_support": 0.08, "min_confidence": 0.15}}	0
17952	17954	2026-11-27 07:58:25.063835+00	owner	2	{age,income,region}	0	{id,age,income,region,household,status,name}	{id,age,income,region}	\\x01a2bce2395c3c2dc862d86caea9a5c22ae10542ee9902b355f9b4191fdd4ccd7fdb322268bc5ca8de57732423055df8c9dc94a80f293a8b236a7ce52e50f543	\\x51c66b041e4ef3f8dc2ae0eb03f786dd0439a093bdb8371dfdf6cd838a693c0b9894a365ea308e9ea0bb483a08caeb4c281908c092e9a9056c76beb64d75026a	\\x470f08caeda6e208e5236b2c776dc8e8de3339ebeb5c8382bcb0c24592bc8570e02cc4fc78ff502f537475d97454cb85576ffb5adc9299c77d780a135a6955f4	\\xc315674dc496bf13f3a732d86443587a720b55a790379e9e5b50ed1c47d69158bef03c789557cc1f8e6f9db000ee06fb90b10e7c1416627ce977d9e7c0c4ba12	{"sdc": "1.0", "lost": 0, "known": ["age", "income", "region"], "score": {"dr": 61.33333333333333, "il": 21.944781019787914, "dld": 48, "pld": 0, "rsld": 50, "score": 41.63905717656062, "dr_low": null, "dld_low": null, "dr_high": null, "pld_low": null, "dld_high": null, "pld_high": null, "rsld_low": null, "rsld_high": null, "dr_generic": 57, "people_found": 100, "score_generic": 39.472390509893955, "certain_percent": 100, "interval_disclosure": 90}, "groups": {"k": null, "l": null, "t": null, "qi": [], "k_whole": null, "sensitive": []}, "judged": {"il": 21.944781019787914, "score": 41.63905717656062, "people_found": 100, "certain_percent": 100}, "people": {"any": {"low": null, "high": null, "found": 50, "attack": "any", "single": 50, "certain": 50, "percent": 100}, "best": {"low": null, "high": null, "found": 50, "attack": "best", "single": 50, "certain": 50, "percent": 100}, "chance": {"low": null, "high": null, "found": 1, "attack": "chance", "single": null, "certain": null, "percent": 2}, "nearest": {"low": null, "high": null, "found": 50, "attack": "nearest", "single": 50, "certain": 50, "percent": 100}, "distance": {"low": null, "high": null, "found": 48, "attack": "distance", "single": 0, "certain": 0, "percent": 96}, "agreement": {"low": null, "high": null, "found": 3.0377450980392147, "attack": "agreement", "single": null, "certain": null, "percent": 6.07549019607843}, "candidates": {"low": null, "high": null, "found": 50, "attack": "candidates", "single": 50, "certain": 50, "percent": 100}}, "sample": null, "records": 50, "accuracy": {"rows": [{"part": "margins", "value": null, "measure": "mean_error", "attribute": "age"}, {"part": "margins", "value": 0.2, "measure": "mean_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "age"}, {"part": "margins", "value": 0.5, "measure": "sd_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "income"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "income"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "ks", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "ks_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "hellinger", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "hellinger_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "region"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "region"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "region"}, {"part": "counts", "value": null, "measure": "mean_error_1"}, {"part": "counts", "value": null, "measure": "mean_error_1_rounding"}, {"part": "counts", "value": null, "measure": "median_error_1"}, {"part": "counts", "value": null, "measure": "median_error_1_rounding"}, {"part": "counts", "value": null, "measure": "p95_error_1"}, {"part": "counts", "value": null, "measure": "p95_error_1_rounding"}, {"part": "associations", "value": null, "measure": "kept"}, {"part": "associations", "value": null, "measure": "kept_rounding"}, {"part": "associations", "value": null, "measure": "new"}, {"part": "associations", "value": null, "measure": "new_rounding"}]}, "problems": {"k": "the release has no quasi-identifiers", "l": "the release does not have quasi-identifiers and one sensitive column besides"}, "returned": {"dr": 61.33333333333333, "il": 21.944781019787914, "score": 41.63905717656062, "score_high": 41.63905717656062, "people_found": 100, "certain_percent": 100, "people_found_high": 100, "certain_percent_high": 100}, "arguments": {"known": null, "sample": null, "seeded": false, "queries": 1000, "min_support": 0.08, "min_confidence": 0.15}, "definitions": "2", "known_given": false, "query_errors": {"rows": [{"queries": 1000, "redrawn": 8, "p95_error": 0.25, "attributes": 1, "mean_error": 0.05232593395436209, "median_error": 0}], "queries": 1000}, "association_recall": {"rows": [{"length": null, "original": 0, "recovered": 0, "artificial": 0, "recall_percent": null, "artificial_percent": null}], "min_support": 0.08, "min_confidence": 0.15}}	0
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
public.public_rankswapped	public.public_rankswapped	public.rankswapped	public.rankswapped	exchange	{age,income,region}	{region}	50	\\x8b528700abdfa0404c8033ee2faada114b3845b49c4364007862265ad7bbe09c	\\x	f	owner	2026-11-27 07:58:24.986663+00	0	public.person	public.person	5490585788466603352
public.public_rankswapped_accuracy	public.public_rankswapped_accuracy	public.public_rankswapped	public.public_rankswapped	accuracy	{part,attribute,measure,value}	{}	40	\\x5e9d9149cb816df142e229d308da52913a601a2291d1816e372d28267236c59d	\\x	f	owner	2026-11-27 07:58:24.986663+00	0	-	-	0
public.published	public.published	public.nightly_run_2	public.nightly_run_2	exchange	{age,income,region}	{region}	50	\\x1e226551865e11f6e3796e46490815487d2b2f566fa020c64cc6c22842b3b7e3	\\x	f	owner	2026-11-27 07:58:25.034885+00	0	public.moving	public.moving	-5745976560087269838
public.published_accuracy	public.published_accuracy	public.published	public.published	accuracy	{part,attribute,measure,value}	{}	38	\\xc4fa1d046e8f80edcdcbddc1d0eae770a6587ee67486d6bde234bbf52e0cfed9	\\x	f	owner	2026-11-27 07:58:25.034885+00	0	-	-	0
\.


--
-- Data for Name: sdc_release_catalog; Type: TABLE DATA; Schema: sdc_private; Owner: postgres
--

COPY sdc_private.sdc_release_catalog (release, row_type, source, source_row_type, method, parameters, columns, key, strata, omitted, qi, sensitive, records, checksum, made, seeded, stream_version, draws, seed, created_by, created_at, written_by, draw, named, unit, units, weight, missing) FROM stdin;
public.rankswapped	public.rankswapped	public.person	public.person	rankswap	{"p": 10}	{age,income}	{id}	{region}	{household,status,name}	{age}	{income}	50	\\xfbf93ca1488605eef8b72311e5df0888b2e918d2cd712d665b55701a51ddd67b5d09e670974a9ca6471e3cd08359d6fcc92971737a2f3ee70692ce0fef3e5b9a	t	t	1	1	\\x3ac78263208507f2542f781b0ba304bad9675e999caffa759a7d4daa63ef937b0fc7067bc61013e2f17a8b85a102791c3b9546a1a6be80261892ff0721799e59	owner	2026-11-27 07:58:24.932124+00	0	5490585788466603352	{id,age,income,region,"","",""}	{}	0		{"age": [20]}
public.equidepth	public.equidepth	public.person	public.person	equidepth_swap	{"depth": 4}	{age,income}	{id}	{}	{region,household,status,name}	{age}	{income}	50	\\x5699c845c4d5409e3cf7099873e7ac106f2990d03ebbe59c26e7cd1f6c42b74427da7a06667296971ff8c3baddcf4fc957431da5a748cb4c7f2c2b8b0ccceaf0	t	t	1	2	\\xd7f97d802f22cb92ca0d8e5f2c63dd9d69647252178f76a381523ed83f5539174be2085a537a1eae8334b6cd53e966b671dcba930ac41dcf030552c16b4fa83b	owner	2026-11-27 07:58:24.941868+00	0	8842073163970481401	{id,age,income,"","","",""}	{}	0		{}
public.randomized	public.randomized	public.person	public.person	randomize	{"probabilities": [0.943434882886509, 0.05656511711349094]}	{age,status}	{id}	{}	{income,region,household,name}	{age,status}	{}	50	\\xabc5ec695611585c2a25fcd795ebf8d06f80ec175ee0c09ea101326be3c7679a5d89a50a280dca71c2870bed27ac6975cce132da6ab9f6562039b5ab1832c990	t	t	1	3	\\x376c953f8070a9be9d6cd73b2a9e121466bac4dd8c57b826497dab736b71a22f920c8608d26c6b0b941a5a0946b1b64da0ec47fca12ca0b1951744d2ab970a74	owner	2026-11-27 07:58:24.946608+00	0	-77310046561538489	{id,age,"","","",status,""}	{}	0		{}
public.prammed	public.prammed	public.person	public.person	pram	{"retain": 0.7}	{status}	{id}	{}	{age,income,region,household,name}	{status}	{}	50	\\x82ae8ab6427ac466ac4977c4ff2183da59c1959df037766d91908233231846da825f76ca889de492f3996c0a2b029287f3be6f077f6e9e1fdb3dd2bde708b58b	t	t	1	4	\\x8d1e17d972e8287408613fa5db0af48d642cba5ca8ed45d804be420547d2b43dae75f5457edccbc4567d41d6e8880fa883ae9afe8fd53911512a82b0a578124e	owner	2026-11-27 07:58:24.950599+00	0	7663742433163686022	{id,"","","","",status,""}	{}	0		{}
public.noisy	public.noisy	public.person	public.person	noise	{"laws": {"income": {"sd": 629.7102609574517, "mean": 703, "unit": 0}}, "amount": 0.2, "scheme": "additive"}	{income}	{id}	{}	{age,region,household,status,name}	{}	{income}	50	\\x65d889920ec2a34cba02e44c79e5be20acb8528a425fb71545193cce974eafecdb2c5fc18be400ebe30a47af8e2a5d4b08fa5582791927c3a6d62c88130ee4db	t	t	1	5	\\xdc89bea42f4beffc382f0cec71e376550e2c1cdb45600eea7355cf76f9e30c140bac6baa9e8180ecaba2f76be4d5f271ea744f71f22a114a1ee85e93dcc01d82	owner	2026-11-27 07:58:24.952711+00	0	3228270671835048529	{id,"",income,"","","",""}	{}	0		{}
public.generalized	public.generalized	public.person	public.person	generalize	{"l": 2}	{age}	{id}	{}	{region,household,status,name}	{age}	{income}	50	\\x8b3b6d211c708e5c5721f08f5463bbfe787e2504e07bc71f31de53b4c4e456882c8ad7d14876b5df14b6881873b304cbff95279699e7da3db500fadaf5e23b1e	t	f	1	6	\\xca7eaa16961165c0747db552d81e7046f04e871ba4dff0065077260a7e99f31f59086bf47e142e14af1cb889fa72bfabc8f865b73b5f323ba950ae01e0c8b155	owner	2026-11-27 07:58:24.958604+00	0	5419113921105111837	{id,age,income,"","","",""}	{}	0		{}
public.permuted	public.permuted	public.person	public.person	permute	{"l": 2, "grouping_method": "anatomy"}	{income}	{id}	{}	{household,status,name}	{age,region}	{income}	50	\\x139ef887779ee51547cef9ebbee5f32fa86f078a9c96bc32e57f3a3fb376ae3c987525f6d844988c7ab783c0bacb532bce643850ba6604845e3635db9ebb6417	t	t	1	7	\\x7988ff958370e1b47d1ba677adc2a72cc6da5180a7ce081bdf3cd2730ebf5fb435af6b1781887cebd84312dc0c069dec276874c70f5ad532d79e91851b95a30f	owner	2026-11-27 07:58:24.966664+00	0	5653600678211495820	{id,age,income,region,"","",""}	{}	0		{}
public.aggregated	public.aggregated	public.person	public.person	microaggregate	{"k": 4, "found": {"income": {"groups": 12, "suppressed": 0, "sse_percent": 0.014072798021252017}}, "centre": "mean", "scheme": "joint"}	{income}	{id}	{}	{age,region,household,status,name}	{}	{income}	50	\\xb7edb9f87dcac1fa8d543c92604b8de6b6ba157854c2b4b9ecef033cbe0a10db097b2d64cfe7345c8cfb510bb3419b7cb7fc0d6e81c7e1b18265d3417d9f8496	t	f	1	8	\\x35932d44415c5955ba180e25092262a1831929db3c37f3b22e5588b591879c3b4d08838ad79de4dc534114e7bf173c498435ff2d4eccafa28948ae0532892157	owner	2026-11-27 07:58:24.969169+00	0	-1912598331975743341	{id,"",income,"","","",""}	{}	0		{}
public.suppressed	public.suppressed	public.person	public.person	suppress	{"k": 2}	{age,status}	{id}	{}	{income,region,household,name}	{age,status}	{}	50	\\x8224bfe8297ee1a016f0bc0847fd73792d8ec09408d6d3ac9aafab8eacb05bf240024823e5027beaacbc435e762462efbb70523480bba24de8dd4425f018af3c	t	f	1	9	\\x3aa205760fb87f9cfa4792a69fcdb87707ae89757039f5e5e646756b36b9887ee34fe20cbc91fa5b9074bb57ab16266ea94d2642c5fc70c6a01c65abb9901302	owner	2026-11-27 07:58:24.970604+00	0	6175224011581757970	{id,age,"","","",status,""}	{}	0		{}
public.recoded	public.recoded	public.person	public.person	recode	{"found": {"income": {"top": "1000", "top_coded": 25, "top_value": "1000"}}, "recodes": {"income": {"top": 1000, "replace": "threshold"}}}	{income}	{id}	{}	{age,region,household,status,name}	{}	{income}	50	\\xc297719b40f31b0da05807e533f09e223fdb0950f841652ff12927395c674dd5f06b3c1cab60c92c4e85ca90af56036bc5f83b4b4531c4c0c22c978607c893ac	t	f	1	10	\\xbbc18b4c85211f10c21b0041b9b8fed9b3b0b05282d35417a344a551630565ee33fb4b43520639e82ff861bf9a4821f974491539da5fca492f1ba5757ccc7a62	owner	2026-11-27 07:58:24.974616+00	0	-3318062943238731304	{id,"",income,"","","",""}	{}	0		{}
public.elsewhere	public.elsewhere	public.person	public.person	noise	{"sigma": 1}	{age}	{id}	{}	{}	{}	{}	50	\\x5478bfd8ec15576ca0a6e8c596eff1136e071cdc00b05dcf3ca9e974b90559ad605a2e98e99ebcfd9dae9df07bbf41e8f5aa7bd1b41b54896aec09adf54fa1c2	f	f	0	1	\\x	owner	2026-11-27 07:58:24.976687+00	0	0	{id,age,"","","","",""}	{}	0		{}
public.continued	public.continued	public.moving	public.moving	rankswap	{"p": 20, "largest": 20, "continued": true, "min_changes": 25, "min_departures": 25}	{age,income}	{id}	{}	{region,household,status,name}	{}	{}	50	\\x30735c451c6acb0aafdfe97cf4db299193d8c122e9b4991168612eeb001a88f6578a31f29f08df81b243810b5bc1e15b7db7cfcbc7ae8719c504d2caa411cf2e	t	t	1	1	\\x8d2c1d7dec8f94de3d25d016ac68c9ce69d80e85dfdf53a4db17a4b178d41887fc8fee40c97f2f512e8b2eace5877e94fe25ce9f98cf3e35300861e544fec132	owner	2026-11-27 07:58:24.998613+00	0	3164945374424426634	{id,age,income,"","","",""}	{}	0		{}
public.randomized_continued	public.randomized_continued	public.moving	public.moving	randomize	{"continued": true, "probabilities": [0.943434882886509, 0.05656511711349094]}	{age,status}	{id}	{}	{income,region,household,name}	{age,status}	{}	50	\\x5d98e50ba13c3be5b7a31ff1a8c6621ceee2015ac2a2a4614715380eb44d3d20076b44f3ac146203cca6191b4969d64c9055e7eff0b62d0e2a18cdda631d78cf	t	t	1	2	\\x770d94d0491ff7cb9808ef1c7d4c830d613bc919d089b233f3e13015ca6874766b2d0bddbb9fec1341a17795109e888d77cc6c84fffb6b6aa3153fadf605f03f	owner	2026-11-27 07:58:25.000203+00	0	-7361882988308061210	{id,age,"","","",status,""}	{}	0		{}
public.noisy_continued	public.noisy_continued	public.moving	public.moving	noise	{"laws": {"income": {"sd": 629.7102609574517, "mean": 703, "unit": 0}}, "amount": 0.2, "scheme": "additive", "continued": true}	{income}	{id}	{}	{age,region,household,status,name}	{}	{}	50	\\xa1151063a66fd1de8b77725224333547b7f2bdd1c625e9f0eb231cdc5ea10be74db5fd99a7e20e100b56aa63fa836bc1c15f28617f8849dd68de8a62302a4523	t	t	1	3	\\x	owner	2026-11-27 07:58:25.018611+00	0	6092760177864659046	{id,"",income,"","","",""}	{}	0		{}
public.nightly_run_2	public.nightly_run_2	public.moving	public.moving	protect	{"steps": [{"p": 30, "method": "rankswap", "columns": ["age", "income"], "largest": 30, "continued": true, "min_changes": 17, "min_departures": 17}]}	{age,income}	{id}	{}	{household,status,name}	{}	{}	50	\\x1addc192a805870489c2fa8a290dc8626bbe9fb9c425c2d56b00ec99c4430f515c8f6c9bb5a07d8b777bcba8bed996131cece176ff3849b2921c8312a1b66a9d	t	f	1	4	\\x	owner	2026-11-27 07:58:25.034885+00	0	-5745976560087269838	{id,age,income,region,"","",""}	{}	0		{}
17952	17954	public.moving	public.moving	protect	{"steps": [{"p": 1, "method": "rankswap", "columns": ["age", "income"]}]}	{age,income}	{id}	{}	{household,status,name}	{}	{}	50	\\x768c40585a84d845f0d0a48b42ac097f412788c46e57ea3a220d8222fe6bb7a8d7014e9cee553651e1da90600fb9d9dacafde054ba0023f35480955285e74540	t	f	1	5	\\x	owner	2026-11-27 07:58:25.063835+00	0	70882294329691205	{id,age,income,region,"","",""}	{}	0		{}
\.


--
-- Data for Name: sdc_run_log; Type: TABLE DATA; Schema: sdc_private; Owner: postgres
--

COPY sdc_private.sdc_run_log (run, policy, owner, started_by, started_at, finished_at, status, reason, approvers, detail, written_by) FROM stdin;
1	\N	owner	owner	2026-11-27 07:58:24.986663+00	2026-11-27 07:58:24.990066+00	published	\N	\N	{"salt": "58843262-fa2e-47ce-ae47-83bec7b134ab", "forced": false, "limits": [{"kept": true, "bound": 100, "value": 25.199999999999992, "measure": "people_found"}], "sha256": "8b528700abdfa0404c8033ee2faada114b3845b49c4364007862265ad7bbe09c", "target": "public.public_rankswapped", "columns": ["age", "income", "region"], "records": 50, "release": "public.rankswapped", "measures": {"sdc": "1.0", "lost": 0, "known": ["age", "region"], "score": {"dr": 12.166666666666666, "il": 28.346215970005066, "dld": 6, "pld": 4, "rsld": 6, "score": 20.256441318335867, "dr_low": null, "dld_low": null, "dr_high": null, "pld_low": null, "dld_high": null, "pld_high": null, "rsld_low": null, "rsld_high": null, "dr_generic": 12, "people_found": 25.199999999999992, "score_generic": 20.17310798500253, "certain_percent": 0, "interval_disclosure": 19}, "groups": {"k": 1, "l": 1, "t": 0.98, "qi": ["age"], "k_whole": 1, "sensitive": ["income"]}, "judged": {"k": 1, "l": 1, "t": 0.98, "il": 28.346215970005066, "score": 20.256441318335867, "k_whole": 1, "people_found": 25.199999999999992, "certain_percent": 0}, "people": {"any": {"low": null, "high": null, "found": 12.599999999999994, "attack": "any", "single": 0, "certain": 0, "percent": 25.199999999999992}, "best": {"low": null, "high": null, "found": 11.099999999999996, "attack": "best", "single": 0, "certain": 0, "percent": 22.199999999999992}, "chance": {"low": null, "high": null, "found": 1, "attack": "chance", "single": null, "certain": null, "percent": 2}, "nearest": {"low": null, "high": null, "found": 2, "attack": "nearest", "single": 0, "certain": 0, "percent": 4}, "distance": {"low": null, "high": null, "found": 2, "attack": "distance", "single": 0, "certain": 0, "percent": 4}, "agreement": {"low": null, "high": null, "found": 2, "attack": "agreement", "single": null, "certain": null, "percent": 4}, "candidates": {"low": null, "high": null, "found": 11.099999999999996, "attack": "candidates", "single": 0, "certain": 0, "percent": 22.199999999999992}}, "sample": null, "records": 50, "accuracy": {"rows": [{"part": "margins", "value": null, "measure": "mean_error", "attribute": "age"}, {"part": "margins", "value": 0.2, "measure": "mean_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "age"}, {"part": "margins", "value": 0.5, "measure": "sd_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "income"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "income"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "ks", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "ks_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "hellinger", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "hellinger_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "region"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "region"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "region"}, {"part": "counts", "value": null, "measure": "mean_error_1"}, {"part": "counts", "value": null, "measure": "mean_error_1_rounding"}, {"part": "counts", "value": null, "measure": "median_error_1"}, {"part": "counts", "value": null, "measure": "median_error_1_rounding"}, {"part": "counts", "value": null, "measure": "p95_error_1"}, {"part": "counts", "value": null, "measure": "p95_error_1_rounding"}, {"part": "associations", "value": null, "measure": "kept"}, {"part": "associations", "value": null, "measure": "kept_rounding"}, {"part": "associations", "value": null, "measure": "new"}, {"part": "associations", "value": null, "measure": "new_rounding"}]}, "problems": {}, "returned": {"dr": 12.166666666666666, "il": 28.346215970005066, "score": 20.256441318335867, "score_high": 20.256441318335867, "people_found": 25.199999999999992, "certain_percent": 0, "people_found_high": 25.199999999999992, "certain_percent_high": 0}, "arguments": {"known": null, "sample": null, "seeded": false, "queries": 1000, "min_support": 0.08, "min_confidence": 0.15}, "definitions": "2", "known_given": false, "query_errors": {"rows": [{"queries": 1000, "redrawn": 45, "p95_error": 0.5, "attributes": 1, "mean_error": 0.1200061918359442, "median_error": 0.03571428571428571}], "queries": 1000}, "association_recall": {"rows": [{"length": null, "original": 0, "recovered": 0, "artificial": 0, "recall_percent": null, "artificial_percent": null}], "min_support": 0.08, "min_confidence": 0.15}}, "definition": {"steps": [{"method": "rankswap", "parameters": {"p": 10}}], "source": "public.person"}, "release_oid": "17859", "source_records": 50}	0
2	nightly	owner	owner	2026-11-27 07:58:25.034831+00	2026-11-27 07:58:25.06175+00	published	\N	\N	{"salt": "ef5591ec-ee36-4d4d-a971-1a8560ef5474", "limits": [{"kept": true, "bound": 100, "value": 17.081153401122435, "measure": "composed_people_found"}, {"kept": true, "bound": 100, "value": 31.088139638139626, "measure": "people_found"}], "sha256": "1e226551865e11f6e3796e46490815487d2b2f566fa020c64cc6c22842b3b7e3", "target": "public.published", "columns": ["age", "income", "region"], "records": 50, "release": "public.nightly_run_2", "seconds": {"stage": 0.011112, "measure": 0.011140, "publish": 0.004194}, "measures": {"sdc": "1.0", "lost": 0, "known": ["age", "income", "region"], "score": {"dr": 10.2, "il": 19.383541833601747, "dld": 6, "pld": 0, "rsld": 6, "score": 14.791770916800873, "dr_low": null, "dld_low": null, "dr_high": null, "pld_low": null, "dld_high": null, "pld_high": null, "rsld_low": null, "rsld_high": null, "dr_generic": 9.7, "people_found": 31.088139638139626, "score_generic": 14.541770916800873, "certain_percent": 0, "interval_disclosure": 16.4}, "groups": {"k": null, "l": null, "t": null, "qi": [], "k_whole": null, "sensitive": []}, "judged": {"il": 19.383541833601747, "score": 14.791770916800873, "exposed": 0, "people_found": 31.088139638139626, "certain_percent": 0, "composed_people_found": 17.081153401122435}, "people": {"any": {"low": null, "high": null, "found": 15.544069819069813, "attack": "any", "single": 0, "certain": 0, "percent": 31.088139638139626}, "best": {"low": null, "high": null, "found": 11, "attack": "best", "single": 0, "certain": 0, "percent": 22}, "chance": {"low": null, "high": null, "found": 1, "attack": "chance", "single": null, "certain": null, "percent": 2}, "narrow": {"low": null, "high": null, "found": 11, "attack": "narrow", "single": 0, "certain": 0, "percent": 22}, "nearest": {"low": null, "high": null, "found": 9, "attack": "nearest", "single": 0, "certain": 0, "percent": 18}, "distance": {"low": null, "high": null, "found": 9, "attack": "distance", "single": 0, "certain": 0, "percent": 18}, "agreement": {"low": null, "high": null, "found": 0, "attack": "agreement", "single": null, "certain": null, "percent": 0}, "candidates": {"low": null, "high": null, "found": 6.19602897102897, "attack": "candidates", "single": 0, "certain": 0, "percent": 12.39205794205794}}, "sample": null, "records": 50, "accuracy": {"rows": [{"part": "margins", "value": null, "measure": "mean_error", "attribute": "age"}, {"part": "margins", "value": 0.2, "measure": "mean_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "age"}, {"part": "margins", "value": 0.5, "measure": "sd_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "income"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "income"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "ks", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "ks_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "hellinger", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "hellinger_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "region"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "region"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "region"}, {"part": "counts", "value": null, "measure": "mean_error_1"}, {"part": "counts", "value": null, "measure": "mean_error_1_rounding"}, {"part": "counts", "value": null, "measure": "median_error_1"}, {"part": "counts", "value": null, "measure": "median_error_1_rounding"}, {"part": "counts", "value": null, "measure": "p95_error_1"}, {"part": "counts", "value": null, "measure": "p95_error_1_rounding"}, {"part": "associations", "value": null, "measure": "kept"}, {"part": "associations", "value": null, "measure": "kept_rounding"}, {"part": "associations", "value": null, "measure": "new"}, {"part": "associations", "value": null, "measure": "new_rounding"}]}, "problems": {"k": "the release has no quasi-identifiers", "l": "the release does not have quasi-identifiers and one sensitive column besides"}, "returned": {"dr": 10.2, "il": 19.383541833601747, "score": 14.791770916800873, "score_high": 14.791770916800873, "people_found": 31.088139638139626, "certain_percent": 0, "people_found_high": 31.088139638139626, "certain_percent_high": 0}, "arguments": {"known": null, "sample": null, "seeded": false, "queries": 1000, "min_support": 0.08, "min_confidence": 0.15}, "definitions": "2", "known_given": false, "query_errors": {"rows": [{"queries": 1000, "redrawn": 8, "p95_error": 0.5049999999999955, "attributes": 1, "mean_error": 0.11623371766637133, "median_error": 0}], "queries": 1000}, "association_recall": {"rows": [{"length": null, "original": 0, "recovered": 0, "artificial": 0, "recall_percent": null, "artificial_percent": null}], "min_support": 0.08, "min_confidence": 0.15}}, "definition": {"keep": ["region"], "mode": "exchange", "omit": ["name", "status", "household"], "steps": [{"p": 30, "method": "rankswap", "columns": ["age", "income"], "continued": true}], "limits": {"people_found": 100, "composed_people_found": 100}, "source": "public.moving", "approve": false, "publish_as": "public.published", "on_unchanged": "skip"}, "evaluation": "24d04b5d12a33096ec37ca2785e1897cd7f5316d00cde6f3bf2d7d14a82ca3ef1b4087d04956408ef4e41ffa2b1051333f01acd4209b3681dbb982539db3c351", "release_oid": "17939", "source_records": 50, "publication_owner": null}	0
3	strict	owner	owner	2026-11-27 07:58:25.063788+00	2026-11-27 07:58:25.081498+00	rejected	people_found is 100.0000, and at most 0 is allowed	\N	{"limits": [{"kept": false, "bound": 0, "value": 100, "measure": "people_found"}], "seconds": {"stage": 0.006291, "measure": 0.010303, "publish": 0.000907}, "measures": {"sdc": "1.0", "lost": 0, "known": ["age", "income", "region"], "score": {"dr": 61.33333333333333, "il": 21.944781019787914, "dld": 48, "pld": 0, "rsld": 50, "score": 41.63905717656062, "dr_low": null, "dld_low": null, "dr_high": null, "pld_low": null, "dld_high": null, "pld_high": null, "rsld_low": null, "rsld_high": null, "dr_generic": 57, "people_found": 100, "score_generic": 39.472390509893955, "certain_percent": 100, "interval_disclosure": 90}, "groups": {"k": null, "l": null, "t": null, "qi": [], "k_whole": null, "sensitive": []}, "judged": {"il": 21.944781019787914, "score": 41.63905717656062, "people_found": 100, "certain_percent": 100}, "people": {"any": {"low": null, "high": null, "found": 50, "attack": "any", "single": 50, "certain": 50, "percent": 100}, "best": {"low": null, "high": null, "found": 50, "attack": "best", "single": 50, "certain": 50, "percent": 100}, "chance": {"low": null, "high": null, "found": 1, "attack": "chance", "single": null, "certain": null, "percent": 2}, "nearest": {"low": null, "high": null, "found": 50, "attack": "nearest", "single": 50, "certain": 50, "percent": 100}, "distance": {"low": null, "high": null, "found": 48, "attack": "distance", "single": 0, "certain": 0, "percent": 96}, "agreement": {"low": null, "high": null, "found": 3.0377450980392147, "attack": "agreement", "single": null, "certain": null, "percent": 6.07549019607843}, "candidates": {"low": null, "high": null, "found": 50, "attack": "candidates", "single": 50, "certain": 50, "percent": 100}}, "sample": null, "records": 50, "accuracy": {"rows": [{"part": "margins", "value": null, "measure": "mean_error", "attribute": "age"}, {"part": "margins", "value": 0.2, "measure": "mean_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "age"}, {"part": "margins", "value": 0.5, "measure": "sd_error_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "age"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "age"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "age"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "income"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "income"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "ks", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "ks_rounding", "attribute": "income"}, {"part": "margins", "value": 0, "measure": "hellinger", "attribute": "income"}, {"part": "margins", "value": 0.1, "measure": "hellinger_rounding", "attribute": "income"}, {"part": "margins", "value": null, "measure": "mean_error", "attribute": "region"}, {"part": "margins", "value": 0.5, "measure": "mean_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "sd_error", "attribute": "region"}, {"part": "margins", "value": 0.2, "measure": "sd_error_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks", "attribute": "region"}, {"part": "margins", "value": null, "measure": "ks_rounding", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger", "attribute": "region"}, {"part": "margins", "value": null, "measure": "hellinger_rounding", "attribute": "region"}, {"part": "counts", "value": null, "measure": "mean_error_1"}, {"part": "counts", "value": null, "measure": "mean_error_1_rounding"}, {"part": "counts", "value": null, "measure": "median_error_1"}, {"part": "counts", "value": null, "measure": "median_error_1_rounding"}, {"part": "counts", "value": null, "measure": "p95_error_1"}, {"part": "counts", "value": null, "measure": "p95_error_1_rounding"}, {"part": "associations", "value": null, "measure": "kept"}, {"part": "associations", "value": null, "measure": "kept_rounding"}, {"part": "associations", "value": null, "measure": "new"}, {"part": "associations", "value": null, "measure": "new_rounding"}]}, "problems": {"k": "the release has no quasi-identifiers", "l": "the release does not have quasi-identifiers and one sensitive column besides"}, "returned": {"dr": 61.33333333333333, "il": 21.944781019787914, "score": 41.63905717656062, "score_high": 41.63905717656062, "people_found": 100, "certain_percent": 100, "people_found_high": 100, "certain_percent_high": 100}, "arguments": {"known": null, "sample": null, "seeded": false, "queries": 1000, "min_support": 0.08, "min_confidence": 0.15}, "definitions": "2", "known_given": false, "query_errors": {"rows": [{"queries": 1000, "redrawn": 8, "p95_error": 0.25, "attributes": 1, "mean_error": 0.05232593395436209, "median_error": 0}], "queries": 1000}, "association_recall": {"rows": [{"length": null, "original": 0, "recovered": 0, "artificial": 0, "recall_percent": null, "artificial_percent": null}], "min_support": 0.08, "min_confidence": 0.15}}, "definition": {"keep": ["region"], "mode": "exchange", "omit": ["name", "status", "household"], "steps": [{"p": 1, "method": "rankswap", "columns": ["age", "income"]}], "limits": {"people_found": 0}, "source": "public.moving", "approve": false, "publish_as": "public.never", "on_unchanged": "skip"}, "evaluation": "51c66b041e4ef3f8dc2ae0eb03f786dd0439a093bdb8371dfdf6cd838a693c0b9894a365ea308e9ea0bb483a08caeb4c281908c092e9a9056c76beb64d75026a", "release_oid": "17952", "source_records": 50}	0
\.


--
-- Data for Name: sdc_state_dump; Type: TABLE DATA; Schema: sdc_private; Owner: postgres
--

COPY sdc_private.sdc_state_dump (release, row_type, stream, part, contents, written_by) FROM stdin;
public.continued	public.continued	1	0	\\x6a83e7b433256d86f24f2f2fa6ea615b03194243a3ade6dd2f1471ba534797aceb35bc36e0878d29158b273e7bcd10b1b1545e9e0a4f876136d653c5176c20530310ea81c7e06289e699c08b801cff9196deb0f6bf15083833a6f4eece738082ee2f1ebaa6ecd60183f9ac2f86abc515e2f0875b9f45ab73e3a355569746db8a6e6ab1c226c3ebbb4b40022a546bea45d0bc8a7f9e88233c48e948e8d029af23a2138b5a7a9b19a7a0c37e664d50f35df748b6b83caa3c2372a4b1fd58ebbd89f03583e960dadb55f60a36fa0ea22a2c7640aad0405ad5574a8042ca5688c1113025665eadffe3381a75614e26709aef0eff1d2aa4988fcec1fd09f353d152f1299db91f3a696608aacd89d1e74fe4f889def058e83c893b150a903238dcf87e03b8327f7f70db273d2c3d8d51cb369f5009033f3f64ff2b4c54f2a75862815e3ec5a3686570e3f175661bbf7aab36fb418685edbd7ae14bcae0b18c12143a541decc960db747e663a3da63bfdcc58db5faf2fb1623015cd9703c41243c57d11a3bacceb9dba275fcbe5fd6ce86f48de	0
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
public.continued	public.continued	0	0	\\x73646373746174650500000004000000555446380700000001000000780500000062797465739001000000000000010000006652e10b6ed3583ccb21a512cda3da401039fe4f1d1e4d40feea8e4762bf76f9080000007707000000696e7465676572000000000000000000000000090000007806000000776f726473361900000000000000010000005dfc24027f9710ffca3178d4e350bc86a9092d040f3dc6b2e5fd8b692bdd0e540a0000007807000000776f7264733131000000000000000000000000100000007710000000646f75626c6520707265636973696f6e000000000000000000000000110000007806000000776f72647336190000000000000001000000f9886ad9d0b66e035f66a3fd9dafae1755020bd0fbb066702570994021c0c60b120000007807000000776f7264733131000000000000000000000000f20200007b227075626c69636174696f6e223a20312c2022736f75726365223a2031373931382c2022736f757263655f726f775f74797065223a2031373932302c2022636f70696564223a202265316431646439333436386665316538222c202272656c6561736564223a202234626335323065666530323731636438222c202273616c74223a202231333732316436646366633331396638222c20227265636f726473223a2035302c202266697273745f7265636f726473223a2035302c20226e6577636f6d657273223a20302c20226368616e676564223a20352c20226368616e6765645f73696e6365223a203834393038313530353030393138372c20226368616e6765645f6e6967687473223a20302c20226b6579223a205b7b226e616d65223a20226964222c20226e756d626572223a20312c202274797065223a2022696e7465676572227d5d2c2022636f6c756d6e73223a205b7b226e616d65223a2022616765222c20226e756d626572223a20322c202274797065223a2022696e7465676572222c20226d6574686f64223a202272616e6b73776170222c2022706172616d6574657273223a20227b5c22705c223a2032307d222c202270656e64696e67223a20302c20227769646f7773223a20302c20226265796f6e64223a20302c202266697273745f6265796f6e64223a20302c20226c617267657374223a2032302c20227265647261776e223a20302c20226d61726b73223a20307d2c207b226e616d65223a2022696e636f6d65222c20226e756d626572223a20332c202274797065223a2022646f75626c6520707265636973696f6e222c20226d6574686f64223a202272616e6b73776170222c2022706172616d6574657273223a20227b5c22705c223a2032307d222c202270656e64696e67223a20302c20227769646f7773223a20302c20226265796f6e64223a20302c202266697273745f6265796f6e64223a20302c20226c617267657374223a2032302c20227265647261776e223a20302c20226d61726b73223a20307d5d7db6bc6c726e426fe7a696150be8d59b74116354909ab914d050d43fa277bed222	0
public.randomized_continued	public.randomized_continued	0	0	\\x736463737461746505000000040000005554463808000000080000007707000000696e7465676572320000000000000001000000e468478feae277818e89775d1840c9b2ea4e6d00433099e8a0b8d41a3feb428d090000007707000000696e7465676572320000000000000001000000d7d79c44072c9a425a094f537c657490ee01a8b22759fcf3b526bd44a57f3e110a000000780500000062797465733200000000000000010000001b8b2737d64c0b1bb59e31be1267df8965f1e0e9e95104d8f9db4b61bd6d624a0b0000007710000000646f75626c6520707265636973696f6e010000000000000001000000d90d65d487f0463eeb29b96d08b753df2385e71ff573028e6444572e517c1be610000000730f00000070675f636174616c6f672e7465787432000000000000000100000030959f4420347ce3a25035cafedc8dc6357180438dcf58a0f4e7a8d589345a1f11000000730f00000070675f636174616c6f672e7465787432000000000000000100000008cb7d6e839c783f9d560dbf10a3eadd8f08dc357299e792dad78a0b08b8b9ba1200000078050000006279746573320000000000000001000000afb569bb5d247319dea9f11fa9d4f588951912c38ff1feeca9d9776a54e6d9aa130000007710000000646f75626c6520707265636973696f6e01000000000000000100000032ce02674a0baad3ba112f5062812ce40899a65a2c765df8573c7f8d9e440155a80200007b227075626c69636174696f6e223a20312c2022736f75726365223a2031373931382c2022736f757263655f726f775f74797065223a2031373932302c2022636f70696564223a202238366665646536313934306334363531222c202272656c6561736564223a202237643662333730623635643262313963222c202273616c74223a202230303030303030303030303030303030222c20227265636f726473223a2035302c202266697273745f7265636f726473223a2035302c20226e6577636f6d657273223a20302c20226368616e676564223a20302c20226b6579223a205b7b226e616d65223a20226964222c20226e756d626572223a20312c202274797065223a2022696e7465676572227d5d2c2022636f6c756d6e73223a205b7b226e616d65223a2022616765222c20226e756d626572223a20322c202274797065223a2022696e7465676572222c20226d6574686f64223a202272616e646f6d697a65222c2022706172616d6574657273223a20227b7d222c202270656e64696e67223a20302c20227769646f7773223a20302c20226265796f6e64223a20302c202266697273745f6265796f6e64223a20302c20226c617267657374223a20302c20227265647261776e223a20302c20226d61726b73223a20307d2c207b226e616d65223a2022737461747573222c20226e756d626572223a20362c202274797065223a202270675f636174616c6f672e74657874222c20226d6574686f64223a202272616e646f6d697a65222c2022706172616d6574657273223a20227b7d222c202270656e64696e67223a20302c20227769646f7773223a20302c20226265796f6e64223a20302c202266697273745f6265796f6e64223a20302c20226c617267657374223a20302c20227265647261776e223a20302c20226d61726b73223a20307d5d7d0f2c384520e879c8387e334a0d40be9ae2984a715e9c856555fa0ba081199d01	0
public.noisy_continued	public.noisy_continued	8	0	\\x3200000000000000000000000087934000000000000019400000000000a0934000000000000029400000000000b993400000000000c032400000000000d2934000000000000039400000000000ef93400000000000403f4000000000000494400000000000c0424000000000001d94400000000000e045400000000000369440000000000000494000000000004f94400000000000a04c4000000000006894400000000000404f400000000000819440000000000030514000000000009a94400000000000c052400000000000b3944000000000005054400000000000d094400000000000e055400000000000e5944000000000007057400000000000fe9440000000000000594000000000001795400000000000905a4000000000003095400000000000605c4000000000004995400000000000b05d4000000000006295400000000000405f4000000000007b95400000000000686040000000000094954000000000003061400000000000b195400000000000f861400000000000c695400000000000c062400000000000df95400000000000886340	0
public.noisy_continued	public.noisy_continued	9	0	\\x3200000000000000e4758a15c64a96404ab2b820bbb444c02e3230494a1c91406ef7f58bc64364400de5b27c31e0904010ef6c33629906c0a72c3c3b0cdf9140ae310075eee26ec06e64192bbdcf9240e0cb2913b5a61ec09fe2a889c1dd934038da7f342cd43cc00fc86e5f7a7f934050e6fe8e3b8657c0c37d1bb957d39540be6c1ec679c670400683dbaf43739240d7da05a58c9363c015d9b1b67b509840b24c7e1d5fb44fc0cc29e940b3de93404b99ed2614ea554065321a061be9924038b67296427847c0f3fc79bdfd1a9440f0f0551e09a51c40dde4192afb599240b0ed9b597eab36c0f47e4dba2f3c95401df8cd47aad66f40f07360b7bb3d94404056df59296737c01bb22df17eb3944050a36e9a48333940609a1d56637b944066177cca5b575c4054ec7fe0aadc9740a692b884a97e4740dd3b0520bab095401772c7d0be926440725da30ae823964077a39c225d567840ef40d006b3149640ec41e1cf12314640f8f8174007639040348fcaa164b84c40242fdf2f5e4c97401dc9f467a41c6240dbc76299d25a954088a587f885f63a40	0
public.noisy_continued	public.noisy_continued	10	0	\\x0101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101	0
public.noisy_continued	public.noisy_continued	0	0	\\x736463737461746505000000040000005554463803000000080000007710000000646f75626c6520707265636973696f6e320000000000000001000000811d44030658be3674cd0480cc4419ad5d3fb815116da3340890f838d13d515e090000007710000000646f75626c6520707265636973696f6e3200000000000000010000001360ca47a4471a22d1da39483a51ebc0fe1835b18ed668ea583e65e96eec271d0a000000780500000062797465733200000000000000010000009df8bff0a706340db1c6eda55d6b44cec40065c45253fc541a5a094f17b57d840f0200007b227075626c69636174696f6e223a20322c2022736f75726365223a2031373931382c2022736f757263655f726f775f74797065223a2031373932302c2022636f70696564223a202239386265626464653561373233393431222c202272656c6561736564223a202266353631326437306161646539636266222c202273616c74223a202230303030303030303030303030303030222c20227265636f726473223a2035302c202266697273745f7265636f726473223a2035302c20226e6577636f6d657273223a20302c20226368616e676564223a20302c20226b6579223a205b7b226e616d65223a20226964222c20226e756d626572223a20312c202274797065223a2022696e7465676572227d5d2c2022636f6c756d6e73223a205b7b226e616d65223a2022696e636f6d65222c20226e756d626572223a20332c202274797065223a2022646f75626c6520707265636973696f6e222c20226d6574686f64223a20226e6f697365222c2022706172616d6574657273223a20227b5c22616d6f756e745c223a20302e322c205c22736368656d655c223a205c2261646469746976655c227d222c202270656e64696e67223a20302c20227769646f7773223a20302c20226265796f6e64223a20302c202266697273745f6265796f6e64223a20302c20226c617267657374223a20302c20227265647261776e223a20302c20226d61726b73223a20307d5d7d3b2865201e8b52046e68990b4510196776285a7f51188b21916dd60bb79c7adf	0
public.nightly_run_2	public.nightly_run_2	1	0	\\xb7c6f3ca47216dbe9e7fe290636545ece33e73788d4ece3ad747be4263785bae68b58cca9a20cf521a5e019e452bcf715a6f182a55a3e6a4ded31d855f20cd24f284cac7972976cf8796556fb4489bca02c2b9ff578a4a9735a67a5bf2ec99ff660ea83450f89ddb31b7e5d563bf369acd8c3b956ddd1f0e0c1fd10a167b13faca28192b00b08647e64be5159111ff801da0f770eb1821a7284df53497cd5b03321cad514f0efd0a63838de0ddadf3c60488ec72dc4180a758ee756ae4bf3c5b851346e88959081a443d8430971f3711f5a31a7735cdc31451a5dacc86932b264e60989d7867089c3611fb1542c5c4c81164d3a7f83b6887ed14a00f5224759e64a9d001db640a1f048c8722ab4ae9078d4ff3041c93ab2929801192a6e4577ee7010e9815ea8906643d3bcb105f1bbc46b3bf941ca426db0b5833b5a946f77b5e8233c60f44e10ff1cd4aa67975464bcfdbad422c72aa744d488e800d7e56cdacee6f0c5839f6b9b3e8c5fe753076956bd2a36f14e7e144a2af95f7d5b8e79319f903b08f619bca29719fa73defd10c	0
public.nightly_run_2	public.nightly_run_2	9	0	\\x6cdb49ca669d680679543ab9a438be31bc9a2a	0
public.nightly_run_2	public.nightly_run_2	17	0	\\xcc765658c25d9d15655ad9be5f8c9a2b9bba30	0
public.nightly_run_2	public.nightly_run_2	0	0	\\x7364637374617465050000000400000055544638070000000100000078050000006279746573900100000000000001000000d8e934ae1daa29724ddca498a68ba8773927a10cd475d0c196c49c68d5c2e5ee080000007707000000696e7465676572000000000000000000000000090000007806000000776f72647336190000000000000001000000653e1afe73506017baeef9e0f925744fc772cc8eda21b13bdc5c17a6878fb1850a0000007807000000776f7264733131000000000000000000000000100000007710000000646f75626c6520707265636973696f6e000000000000000000000000110000007806000000776f72647336190000000000000001000000c7569ed201014c8129f430ff915974eab86c231bd1cb3e099036dfbaff896f5a120000007807000000776f7264733131000000000000000000000000bb0200007b227075626c69636174696f6e223a20312c2022736f75726365223a2031373931382c2022736f757263655f726f775f74797065223a2031373932302c2022636f70696564223a202262303930623264623663343733656663222c202272656c6561736564223a202237396361653239323234313534636134222c202273616c74223a202265326633623661323562643561636331222c20227265636f726473223a2035302c202266697273745f7265636f726473223a2035302c20226e6577636f6d657273223a20302c20226368616e676564223a20302c20226b6579223a205b7b226e616d65223a20226964222c20226e756d626572223a20312c202274797065223a2022696e7465676572227d5d2c2022636f6c756d6e73223a205b7b226e616d65223a2022616765222c20226e756d626572223a20322c202274797065223a2022696e7465676572222c20226d6574686f64223a202272616e6b73776170222c2022706172616d6574657273223a20227b5c22705c223a2033307d222c202270656e64696e67223a20302c20227769646f7773223a20302c20226265796f6e64223a20302c202266697273745f6265796f6e64223a20302c20226c617267657374223a2033302c20227265647261776e223a20302c20226d61726b73223a20307d2c207b226e616d65223a2022696e636f6d65222c20226e756d626572223a20332c202274797065223a2022646f75626c6520707265636973696f6e222c20226d6574686f64223a202272616e6b73776170222c2022706172616d6574657273223a20227b5c22705c223a2033307d222c202270656e64696e67223a20302c20227769646f7773223a20302c20226265796f6e64223a20302c202266697273745f6265796f6e64223a20302c20226c617267657374223a2033302c20227265647261776e223a20302c20226d61726b73223a20307d5d7d5a0a6fbfab2edf71e2007c8cd903cd6cf6204b0b5cdeb02d84fd733a02417d9d	0
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



--
-- entropy
--
-- Entropy and diversity as aggregates, to the last bit the same in every plan and from merged
-- states; k-anonymity and l-diversity of any relation.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA entropy;
SET search_path = entropy, public;

-- Examples that can be followed with a pencil.
SELECT sdc_entropy(x), sdc_diversity(x), round(sdc_entropy(y)::numeric, 10) AS ln_4, round(sdc_diversity(y)::numeric, 10) AS four
FROM (VALUES (1, 1), (1, 2), (1, 3), (1, 4)) AS v (x, y);
SELECT abs(sdc_entropy(x) - 1.5 * ln(2)) < 1e-15 AS one_and_a_half_bits FROM (VALUES ('a'), ('a'), ('b'), ('c')) AS v (x);
-- a missing value is none; without any there is no entropy
SELECT sdc_entropy(x), sdc_diversity(x), sdc_entropy_state(x) FROM (VALUES (NULL::int), (NULL)) AS v (x);
SELECT sdc_entropy(x) IS NULL AS nothing FROM (SELECT 1) AS v (x) WHERE false;
SELECT abs(sdc_entropy(x) - ln(2)) < 1e-15 AS ln_2 FROM (VALUES ('a'), (NULL), ('b'), (NULL), (NULL)) AS v (x);
SELECT sdc_entropy(1), sdc_entropy('a'), sdc_entropy(NULL), sdc_diversity('a'), sdc_entropy_state(NULL) FROM generate_series(1, 3);

-- What SQL computes.
SELECT helper.make_people('person', 600);
CREATE FUNCTION plain(attribute text, condition text DEFAULT 'true') RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE format('SELECT ln(sum(c)::float8) - sum(c * ln(c::float8)) / sum(c)::float8 FROM
		(SELECT count(*) AS c FROM entropy.person WHERE %1$s IS NOT NULL AND %2$s GROUP BY %1$s) AS g', attribute, condition) INTO result;
	RETURN result;
END
$$;
SELECT abs(sdc_entropy(region) - plain('region')) < 1e-12 AS region, abs(sdc_entropy(sex) - plain('sex')) < 1e-12 AS sex,
	abs(sdc_entropy(age) - plain('age')) < 1e-12 AS age, abs(sdc_entropy(income) - plain('income')) < 1e-12 AS income,
	abs(sdc_entropy(weight) - plain('weight')) < 1e-12 AS weight, abs(sdc_entropy(savings) - plain('savings')) < 1e-12 AS savings,
	abs(sdc_entropy(born) - plain('born')) < 1e-12 AS born, abs(sdc_entropy(job) - plain('job')) < 1e-12 AS job
FROM person;
SELECT region, abs(sdc_entropy(job) - plain('job', format('region = %L', region))) < 1e-12 AS job,
	sdc_diversity(job) = exp(sdc_entropy(job)) AS diversity FROM person GROUP BY region ORDER BY region;
SELECT abs(sdc_diversity(DISTINCT job) - count(DISTINCT job)) < 1e-12 AS all_alike, sdc_entropy(job ORDER BY weight) = sdc_entropy(job) AS ordered,
	sdc_entropy(age) FILTER (WHERE sex = 'f') = (SELECT sdc_entropy(age) FROM person WHERE sex = 'f') AS filtered FROM person;

-- Types.  counted returns the diversity of values and their number: as many as the type tells apart,
-- whether they are counted together or come from states of one value each.
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE pair AS (a int, b numeric);
CREATE DOMAIN amount AS numeric CHECK (VALUE > -100);
CREATE DOMAIN list AS int[];
CREATE FUNCTION counted(type text, list text[]) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	diversity float8;
	merged float8;
	number text;
BEGIN
	EXECUTE format('SELECT sdc_diversity(x::%s) FROM unnest($1) AS x', type) INTO diversity USING list;
	EXECUTE format('SELECT sdc_diversity_merge(s) FROM (SELECT sdc_entropy_state(x::%s) AS s FROM unnest($1) AS x GROUP BY x) AS s', type) INTO merged USING list;
	BEGIN
		EXECUTE format('SELECT count(DISTINCT x::%s) FROM unnest($1) AS x', type) INTO number USING list;
	EXCEPTION WHEN undefined_function THEN
		number := 'values without an order';
	END;
	RETURN round(diversity::numeric, 6)::float8 || ' of ' || number || CASE WHEN merged <> diversity THEN ', merged ' || merged ELSE '' END;
END
$$;
SELECT type, counted(type, list) FROM (VALUES
	('smallint', '{1,-1}'::text[]),
	('int', '{1,2,3}'),
	('bigint', '{9223372036854775807,-9223372036854775808}'),
	('oid', '{1,4294967295}'),
	('boolean', '{t,f}'),
	('real', '{0,-0,1.5,1.50,NaN,nan}'),
	('float8', '{0,-0,Infinity,inf,-Infinity,-inf}'),
	('numeric', '{1,1.000,100,1e2,0.00,-0,NaN,nan,Infinity,inf,12345678901234567890.5,12345678901234567890.50}'),
	('numeric(20,5)', '{1,1.0,2,2.000001}'),
	('money', '{1,2}'),
	('date', '{2000-01-01,infinity}'),
	('time', '{10:00,10:00:00.000}'),
	('timetz', '{10:00+01,09:00+00}'),
	('timestamp', '{2000-01-01,-infinity}'),
	('timestamptz', '{2000-01-01 12:00+00,2000-01-01 13:00+01}'),
	('interval', '{1 month,30 days,-1 day,-24:00,1 day -1 s,23:59:59,1 year,12 mon,178000000 years,2136000000 mon,-178000000 years,-2136000000 mon}'),
	('text', '{a,A,"",ä}'),
	('text COLLATE "C"', '{a,b}'),
	('varchar(3)', '{a,b}'),
	('char(4)', '{a,"a  ",b,"b ","","  "}'),
	('bpchar', '{a,"a  "}'),
	('name', '{a,b}'),
	('regclass', '{pg_class,pg_type}'),
	('cidr', '{10.0.0.0/8,10.0.0.0/9}'),
	('pg_lsn', '{0/1,0/01}'),
	('"char"', '{a,b}'),
	('bytea', '{"\\x00","\\x0000",""}'),
	('uuid', '{00000000-0000-0000-0000-000000000000,00000000000000000000000000000001}'),
	('mood', '{sad,happy}'),
	('amount', '{1,1.0,2,2.00}'),
	('list', '{"{1,2}","{1, 2}","{2,1}","{2 ,1}"}'),
	('pair', '{"(1,1.0)","(1,1.00)","(2,)","( 2,)"}'),
	('int[]', '{"{1,2}","[0:1]={1,2}","{{1,2}}","{}"}'),
	('numeric[]', '{"{1.0,2}","{1,2.0}","{NULL,2}","{NULL,2.0}"}'),
	('float8[]', '{"{0}","{-0}"}'),
	('timestamptz[]', '{"{2000-01-01 12:00+00}","{2000-01-01 13:00+01}"}'),
	('jsonb', '{"{\"a\": 1.0}","{\"a\":1.00}","{\"a\": \"1\"}","{\"a\":\"1\"}"}'),
	('json', '{"{\"a\": 1}","{\"a\":1}"}'),
	('inet', '{10.0.0.1,10.0.0.1/32,10.0.0.1/8,10.0.0.1/08}'),
	('macaddr', '{08:00:2b:01:02:03,08002b010203}'),
	('bit(3)', '{101,111}'),
	('varbit', '{1,10}'),
	('int4range', '{"[1,3)","(0,2]","[1,4)","(0,3]"}'),
	('numrange', '{"[1.0,2)","[1,2.0)"}'),
	('tsvector', '{"a b","b a"}'),
	('point', '{"(1,2)","(1,2.0)"}'),
	('xid', '{1,2}')) AS v (type, list);
-- under a nondeterministic collation; without ICU the numbers are those of another one
CREATE TABLE nocase (possible boolean);
DO $$
BEGIN
	CREATE COLLATION nocase_collation (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
	INSERT INTO nocase VALUES (true);
EXCEPTION WHEN feature_not_supported OR invalid_parameter_value OR undefined_object THEN
	CREATE COLLATION nocase_collation FROM "C";
	INSERT INTO nocase VALUES (false);
END
$$;
SELECT type, counted(type || ' COLLATE nocase_collation', list) = CASE WHEN possible THEN '2 of 2' ELSE '4 of 4' END AS right
FROM nocase, (VALUES ('text', '{a,A,b,B}'::text[]), ('varchar(2)', '{a,A,b,B}'), ('char(2)', '{a,"A ",b,B}'), ('text[]', '{"{a}","{A}","{b}","{B}"}')) AS v (type, list);
-- The forms with a type are the one for "any": the same states to the bit, which can be merged.
CREATE AGGREGATE any_state("any") (SFUNC = sdc_private.entropy_trans, STYPE = bytea, FINALFUNC = sdc_private.entropy_state_final, COMBINEFUNC = sdc_private.entropy_combine, PARALLEL = SAFE);
CREATE FUNCTION as_any(type text, list text[]) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT CASE WHEN sdc_entropy_state(x::%1$s) = any_state(x::%1$s) AND sdc_entropy(x::%1$s) = sdc_private.entropy_final(any_state(x::%1$s))
			AND sdc_diversity(x::%1$s) = sdc_private.diversity_final(any_state(x::%1$s))
			AND (SELECT sdc_entropy_merge(s) FROM (SELECT sdc_entropy_state(y::%1$s) AS s FROM unnest($1) AS y UNION ALL SELECT any_state(y::%1$s) FROM unnest($1) AS y) AS s) = sdc_entropy(x::%1$s)
		THEN ''as any'' ELSE ''other'' END FROM unnest($1) AS x', type) INTO result USING list;
	RETURN result;
END
$$;
SELECT format_type(p.proargtypes[0], NULL) AS type, array_agg(p.proname ORDER BY p.proname) AS aggregates,
	as_any(format_type(p.proargtypes[0], NULL), CASE t.typcategory WHEN 'B' THEN '{t,f,f}' WHEN 'N' THEN '{1,2,2,7}' WHEN 'D' THEN '{2000-01-01,2000-01-02 13:00+02,infinity,infinity}'
		WHEN 'U' THEN '{00000000-0000-0000-0000-000000000000,00000000000000000000000000000001,00000000000000000000000000000001}' ELSE '{a,A,"a ",b,b}' END::text[])
FROM pg_proc AS p JOIN pg_type AS t ON t.oid = p.proargtypes[0]
WHERE p.proname ~ '^sdc_(entropy|diversity|entropy_state)$' AND p.prokind = 'a' AND p.proargtypes[0] <> '"any"'::regtype GROUP BY p.proargtypes[0], t.typcategory ORDER BY 1;
-- in groups, sorted, in windows, in parallel; of literals
SELECT region, sdc_entropy_state(job) = any_state(job) AS text, sdc_entropy_state(age) = any_state(age) AS int, sdc_entropy_state(income) = any_state(income) AS numeric FROM person GROUP BY region ORDER BY region;
SELECT bool_and(e = sdc_private.entropy_final(a)) AS windows FROM (SELECT sdc_entropy(job) OVER w AS e, any_state(job) OVER w AS a FROM person WINDOW w AS (PARTITION BY region ORDER BY id)) AS w;
SELECT sdc_entropy_state('x') = sdc_entropy_state('x'::text) AS literal, sdc_entropy_state(DATE '2000-01-01') = any_state(DATE '2000-01-01') AS date;
-- a type that somebody has made of text, with an equality of its own, counts by that
SET client_min_messages = warning;
CREATE TYPE loose;
CREATE FUNCTION loose_in(cstring) RETURNS loose LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION loose_out(loose) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
RESET client_min_messages;
CREATE TYPE loose (INPUT = loose_in, OUTPUT = loose_out, LIKE = text, CATEGORY = 'S', COLLATABLE = true);
CREATE CAST (loose AS text) WITHOUT FUNCTION AS IMPLICIT;
CREATE CAST (text AS loose) WITHOUT FUNCTION AS ASSIGNMENT;
CREATE FUNCTION loose_compare(loose, loose) RETURNS int LANGUAGE sql IMMUTABLE RETURN btnametextcmp(lower($1::text)::name, lower($2::text));
CREATE FUNCTION loose_lt(loose, loose) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN loose_compare($1, $2) < 0;
CREATE FUNCTION loose_le(loose, loose) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN loose_compare($1, $2) <= 0;
CREATE FUNCTION loose_eq(loose, loose) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN loose_compare($1, $2) = 0;
CREATE FUNCTION loose_ge(loose, loose) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN loose_compare($1, $2) >= 0;
CREATE FUNCTION loose_gt(loose, loose) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN loose_compare($1, $2) > 0;
CREATE OPERATOR < (LEFTARG = loose, RIGHTARG = loose, FUNCTION = loose_lt);
CREATE OPERATOR <= (LEFTARG = loose, RIGHTARG = loose, FUNCTION = loose_le);
CREATE OPERATOR = (LEFTARG = loose, RIGHTARG = loose, FUNCTION = loose_eq);
CREATE OPERATOR >= (LEFTARG = loose, RIGHTARG = loose, FUNCTION = loose_ge);
CREATE OPERATOR > (LEFTARG = loose, RIGHTARG = loose, FUNCTION = loose_gt);
CREATE OPERATOR CLASS loose_ops DEFAULT FOR TYPE loose USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 loose_compare(loose, loose);
CREATE DOMAIN looser AS loose;
CREATE TABLE loosely AS SELECT x::loose AS x, x::loose::looser AS y FROM unnest('{a,A,b,B}'::text[]) AS x;
SELECT round(sdc_diversity(x)::numeric, 6) AS two, round(sdc_diversity(y)::numeric, 6) AS of_domain, round(sdc_diversity(x::text)::numeric, 6) AS two_by_cast, round(sdc_diversity(x::text || '')::numeric, 6) AS four, sdc_entropy_state(x) = any_state(x) AS same FROM loosely;
SELECT round(sdc_diversity(x::text)::numeric, 6) AS two FROM loosely;
SELECT helper.catch('SELECT sdc_entropy(x) OVER (), sdc_entropy(1) OVER () FROM loosely');
SELECT round(sdc_diversity(lower(x::text)) OVER ()::numeric, 6) AS two, max(x) OVER () AS largest FROM loosely LIMIT 1;
-- rows, and those of a table
SELECT round(sdc_diversity((1, x))::numeric, 6) AS rows, round(sdc_diversity(v)::numeric, 6) AS whole FROM (VALUES (1), (1), (2), (2)) AS v (x);
SELECT abs(sdc_diversity(p) - count(*)) < 1e-9 AS persons FROM person AS p;
-- settings change what is written, not what is counted
CREATE VIEW written AS
SELECT sdc_entropy_state(ARRAY[f]) AS f, sdc_entropy_state(ARRAY[t]) AS t, sdc_entropy_state(ARRAY[i]) AS i
FROM (VALUES (1.1::float8, timestamptz 'epoch', interval '1 mon 2 days'), (1.1 + 1e-15, 'epoch', '1 day')) AS v (f, t, i);
CREATE TABLE written_before AS SELECT * FROM written;
SET extra_float_digits = -10;
SET datestyle = 'German, DMY';
SET timezone = 'Asia/Tokyo';
SET intervalstyle = 'iso_8601';
SELECT w = b AS same FROM written AS w, written_before AS b;
RESET intervalstyle;
RESET timezone;
RESET datestyle;
RESET extra_float_digits;
-- long values, compressed and out of line
CREATE TABLE long_value AS SELECT repeat(md5((i % 5)::text), 1000) AS x, CASE WHEN i % 2 = 0 THEN repeat('x', 1000000) ELSE 'x' END AS y FROM generate_series(1, 40) AS i;
SELECT round(sdc_diversity(x)::numeric, 6) AS five, round(sdc_diversity(y)::numeric, 6) AS two, length(sdc_entropy_state(y)) > 1000000 AS long FROM long_value;

-- Many values: a state grows.
CREATE TABLE cell AS
SELECT i AS id, i % 3 AS part, helper.below(i, 51, 500) AS a, 'v' || helper.below(i, 52, 3000) AS t, helper.uniform(i, 53) AS f,
	CASE WHEN i % 2 = 0 THEN helper.below(i, 54, 100) / 10.0 ELSE round(helper.below(i, 54, 100) / 10.0, 1) END AS n, ARRAY[helper.below(i, 55, 40) / 4.0] AS r
FROM generate_series(1, 6000) AS i;
ANALYZE cell;
SELECT abs(sdc_entropy(id) - ln(6000)) < 1e-12 AS id, abs(sdc_diversity(f) - 6000) < 1e-8 AS f, sdc_entropy(t) BETWEEN 7 AND 8 AS t FROM cell;
-- whatever the order
CREATE TABLE result AS SELECT sdc_entropy(a) AS ea, sdc_entropy(t) AS et, sdc_entropy(f) AS ef, sdc_entropy(n) AS en, sdc_entropy(r) AS er FROM cell;
CREATE TABLE state AS SELECT sdc_entropy_state(a) AS sa, sdc_entropy_state(t) AS st, sdc_entropy_state(f) AS sf, sdc_entropy_state(n) AS sn, sdc_entropy_state(r) AS sr FROM cell;
SELECT (SELECT row(sdc_entropy(a ORDER BY t), sdc_entropy(t ORDER BY t DESC), sdc_entropy(f ORDER BY id), sdc_entropy(n ORDER BY f), sdc_entropy(r ORDER BY f)) FROM cell) = result AS same_bits FROM result;
SELECT (SELECT row(sdc_entropy_state(a ORDER BY t), sdc_entropy_state(t ORDER BY t DESC), sdc_entropy_state(f ORDER BY f), sdc_entropy_state(n ORDER BY f), sdc_entropy_state(r ORDER BY f)) FROM cell) = state AS same_bytes FROM state;
-- states that are shared by aggregates, and finished more than once
SELECT (SELECT row(sdc_entropy(a), sdc_diversity(a), sdc_entropy_state(a)) FROM cell) = row(ea, exp(ea), sa) AS shared FROM result, state;
SELECT part, count(*) FROM cell GROUP BY GROUPING SETS ((part), ()) HAVING sdc_entropy(a) > 6 ORDER BY part;

-- Window frames: running, moving, whole.
CREATE TABLE cell_window AS SELECT id, a % 10 AS a FROM cell WHERE id <= 90;
SELECT bool_and(running = (SELECT sdc_entropy(a) FROM cell_window AS c WHERE c.id <= w.id)) AS running,
	bool_and(moving = (SELECT sdc_entropy(a) FROM cell_window AS c WHERE c.id BETWEEN w.id - 40 AND w.id + 3)) AS moving,
	bool_and(whole = (SELECT sdc_entropy(a) FROM cell_window)) AS whole,
	bool_and(sdc_private.entropy_final(state) = running) AS states
FROM (SELECT id, sdc_entropy(a) OVER (ORDER BY id) AS running, sdc_entropy(a) OVER (ORDER BY id ROWS BETWEEN 40 PRECEDING AND 3 FOLLOWING) AS moving,
		sdc_entropy(a) OVER () AS whole, sdc_entropy_state(a) OVER (ORDER BY id) AS state FROM cell_window) AS w;

-- Parallel plans.
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET max_parallel_workers_per_gather = 3;
SET parallel_leader_participation = off;
EXPLAIN (COSTS OFF) SELECT sdc_entropy(a) FROM cell;
CREATE TABLE result_parallel AS SELECT sdc_entropy(a) AS ea, sdc_entropy(t) AS et, sdc_entropy(f) AS ef, sdc_entropy(n) AS en, sdc_entropy(r) AS er FROM cell;
CREATE TABLE state_parallel AS SELECT sdc_entropy_state(a) AS sa, sdc_entropy_state(t) AS st, sdc_entropy_state(f) AS sf, sdc_entropy_state(n) AS sn, sdc_entropy_state(r) AS sr FROM cell;
SELECT p = q AS same_bits FROM result_parallel AS p, result AS q;
SELECT p = q AS same_bytes FROM state_parallel AS p, state AS q;
SET enable_hashagg = off;
SELECT part, sdc_entropy(t) = (SELECT sdc_entropy(t) FILTER (WHERE c.part = cell.part) FROM cell AS c) AS same FROM cell GROUP BY part ORDER BY part;
RESET enable_hashagg;
RESET parallel_leader_participation;
RESET max_parallel_workers_per_gather;
RESET parallel_tuple_cost;
RESET parallel_setup_cost;
RESET min_parallel_table_scan_size;
SET max_parallel_workers_per_gather = 0;

-- Partitions.
CREATE TABLE parted (LIKE cell) PARTITION BY LIST (part);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES IN (0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
INSERT INTO parted SELECT * FROM cell;
ANALYZE parted;
SET enable_partitionwise_aggregate = on;
EXPLAIN (COSTS OFF) SELECT sdc_entropy(a) FROM parted;
SELECT (SELECT row(sdc_entropy(a), sdc_entropy(t), sdc_entropy(f), sdc_entropy(n), sdc_entropy(r)) FROM parted) = row(r.*) AS same_bits FROM result AS r;
RESET enable_partitionwise_aggregate;

-- States: kept, merged, merged again; of one value and of many.
CREATE TABLE piece AS SELECT id % 40 AS piece, sdc_entropy_state(a) AS a, sdc_entropy_state(t) AS t, sdc_entropy_state(r) AS r FROM cell GROUP BY id % 40;
SELECT sdc_entropy_merge(a) = ea AS a, sdc_entropy_merge(t) = et AS t, sdc_entropy_merge(r ORDER BY piece DESC) = er AS r,
	sdc_diversity_merge(a) = exp(ea) AS diversity FROM piece, result GROUP BY ea, et, er;
SELECT sdc_entropy_merge(s) = ea AS single FROM (SELECT sdc_entropy_state(a) AS s FROM cell GROUP BY id) AS s, result GROUP BY ea;
-- what combines states makes states, which others count on
SELECT sdc_entropy_merge(sdc_private.entropy_combine(p.a, q.a)) = ea AS combined FROM piece AS p, piece AS q, result WHERE q.piece = p.piece + 20 GROUP BY ea;
SELECT sdc_private.entropy_state_final(sdc_private.entropy_combine(NULL, p.a)) = p.a AS packed_again FROM piece AS p WHERE piece = 7;
SELECT sdc_entropy_merge(NULL), sdc_diversity_merge(NULL), sdc_private.entropy_final(NULL), sdc_private.entropy_combine(NULL, NULL), sdc_private.entropy_trans(NULL, NULL::int);
SELECT sdc_entropy_merge(a) = sdc_private.entropy_final(a) AS nulls FROM (SELECT a FROM piece WHERE piece = 7 UNION ALL SELECT NULL) AS p GROUP BY a HAVING a IS NOT NULL;
-- as stored in a row: in line, not aligned; through text
CREATE TABLE piece_inline (filler text, a bytea);
ALTER TABLE piece_inline ALTER a SET STORAGE PLAIN;
INSERT INTO piece_inline SELECT repeat('x', p), sdc_entropy_state(a % 20) FROM cell, generate_series(0, 8) AS p WHERE id % 9 = p GROUP BY p;
SELECT sdc_entropy_merge(a) = (SELECT sdc_entropy(a % 20) FROM cell) AS in_line, sdc_entropy_merge(a::text::bytea) = (SELECT sdc_entropy(a % 20) FROM cell) AS text FROM piece_inline;
-- a domain's values are those of its type, and collations that tell everything apart are one
SELECT round(sdc_diversity_merge(s)::numeric, 6) AS one FROM (SELECT sdc_entropy_state(1::amount) AS s UNION ALL SELECT sdc_entropy_state(1.0)) AS s;
SELECT round(sdc_diversity_merge(s)::numeric, 6) AS one FROM (SELECT sdc_entropy_state('a' COLLATE "C") AS s UNION ALL SELECT sdc_entropy_state('a' COLLATE "POSIX") UNION ALL SELECT sdc_entropy_state('a')) AS s;

-- Called by hand, the functions change nothing that they are given.
CREATE FUNCTION by_hand() RETURNS TABLE (step text, diversity numeric)
LANGUAGE plpgsql AS $$
DECLARE
	a bytea := sdc_private.entropy_trans(NULL, 1);
	b bytea;
BEGIN
	RETURN QUERY SELECT 'first', round(sdc_private.diversity_final(a)::numeric, 6);
	b := sdc_private.entropy_trans(a, 2);
	RETURN QUERY SELECT 'added', round(sdc_private.diversity_final(b)::numeric, 6);
	RETURN QUERY SELECT 'before', round(sdc_private.diversity_final(a)::numeric, 6);
	b := sdc_private.entropy_combine(a, b);
	RETURN QUERY SELECT 'combined', round(sdc_private.diversity_final(b)::numeric, 6);
	RETURN QUERY SELECT 'before', round(sdc_private.diversity_final(a)::numeric, 6);
	b := sdc_private.entropy_combine(a, a);
	RETURN QUERY SELECT 'with itself', round(sdc_private.diversity_final(b)::numeric, 6);
	b := sdc_private.entropy_trans(a, NULL::int);
	RETURN QUERY SELECT 'no value', round(sdc_private.diversity_final(b)::numeric, 6);
	b := sdc_private.entropy_state_final(a);
	FOR i IN 2..100 LOOP
		b := sdc_private.entropy_trans(b, i);
	END LOOP;
	RETURN QUERY SELECT 'loop', round(sdc_private.diversity_final(b)::numeric, 6);
	RETURN QUERY SELECT 'before', round(sdc_private.diversity_final(a)::numeric, 6);
END
$$;
SELECT * FROM by_hand();

-- States of different values.
\pset tuples_only on
CREATE FUNCTION merged(a bytea, b bytea) RETURNS float8 LANGUAGE sql AS $$SELECT public.sdc_entropy_merge(s) FROM (VALUES (a), (b)) AS v (s)$$;
SELECT helper.catch($$SELECT merged(sdc_entropy_state(1), sdc_entropy_state(1::bigint))$$);
SELECT helper.catch($$SELECT merged(sdc_entropy_state('a'), sdc_entropy_state('a'::varchar))$$);
SELECT helper.catch($$SELECT merged(sdc_entropy_state(1), sdc_entropy_state('ok'::mood))$$);
SELECT helper.catch($$SELECT sdc_private.entropy_trans(sdc_entropy_state(1), 'a')$$);
SELECT helper.catch($$SELECT sdc_private.entropy_combine(sdc_entropy_state(1), sdc_entropy_state(date '2000-01-01'))$$);
SELECT CASE WHEN possible THEN helper.catch($$SELECT merged(sdc_entropy_state('a'), sdc_entropy_state('a' COLLATE nocase_collation))$$)
	ELSE E'42804: the entropy of values of type pg_catalog.text COLLATE entropy.nocase_collation cannot be aggregated with that of type pg_catalog.text\n  hint: Cast the values of all states to one type, with one collation.' END FROM nocase;
-- a type that is no more: exact values can do without, others cannot
CREATE TYPE passing AS ENUM ('a', 'b');
CREATE TABLE passing_state AS SELECT sdc_entropy_state(x::passing) AS e, sdc_entropy_state(x) AS t FROM unnest('{a,b}'::passing[]) AS x;
DROP TYPE passing;
SELECT round(sdc_diversity_merge(e)::numeric, 6) FROM passing_state;
CREATE TYPE passing AS (a numeric);
CREATE TABLE passing_row AS SELECT sdc_entropy_state(row(x)::passing) AS s FROM (VALUES (1.0), (1.00)) AS v (x);
SELECT sdc_entropy_merge(s) FROM passing_row;
DROP TYPE passing;
SELECT helper.catch($$SELECT sdc_entropy_merge(s) FROM passing_row$$);
CREATE TYPE passing AS (a date);
SELECT helper.catch($$SELECT sdc_entropy_merge(s) FROM passing_row$$) LIKE '22007: %';
DROP TYPE passing;
CREATE DOMAIN passing AS text;
SELECT helper.catch($$SELECT sdc_entropy_merge(s) FROM passing_row$$);
DROP DOMAIN passing;

-- Bad states.
CREATE TABLE good AS SELECT sdc_entropy_state(a) AS s, sdc_entropy_state(ARRAY[a / 2.0]) AS r, sdc_entropy_state('t' || a) AS t FROM cell_window;
SELECT helper.catch($$SELECT sdc_entropy_merge('')$$);
SELECT helper.catch($$SELECT sdc_entropy_merge('\x00')$$);
SELECT DISTINCT helper.catch(format('SELECT %s', f)) FROM unnest(ARRAY[$$sdc_entropy_merge('\x00000000')$$, $$sdc_diversity_merge(decode(repeat('00', 1000), 'hex'))$$,
	$$sdc_entropy_merge(decode(repeat('ff', 20000), 'hex'))$$, $$sdc_private.entropy_final('\x1234')$$, $$sdc_private.diversity_final('\x1234')$$, $$sdc_private.entropy_state_final('\x1234')$$,
	$$sdc_private.entropy_trans('\x1234', 1)$$, $$sdc_private.entropy_trans('\x1234', NULL::int)$$, $$sdc_private.entropy_combine('\x1234', NULL)$$, $$sdc_private.entropy_combine(NULL, '\x1234')$$,
	$$sdc_private.entropy_combine((SELECT s FROM good), '\x1234')$$, $$sdc_private.entropy_combine('\x1234', (SELECT s FROM good))$$, $$sdc_entropy_merge(s || '\x00') FROM good$$,
	$$sdc_entropy_merge(s || '\x0000000000000000') FROM good$$, $$sdc_entropy_merge(substr(s, 1, length(s) - 8)) FROM good$$, $$sdc_entropy_merge(set_byte(s, 4, 7)) FROM good$$]) AS f;
-- cut anywhere
SELECT count(*), count(DISTINCT helper.catch(format('SELECT sdc_private.entropy_final(substr(s, 1, %s)) FROM good', n))) AS errors, min(helper.catch(format('SELECT sdc_private.entropy_final(substr(s, 1, %s)) FROM good', n)))
FROM good, generate_series(0, length(s) - 1) AS n;
-- as the initial state of somebody's aggregate
CREATE AGGREGATE evil(int) (SFUNC = sdc_private.entropy_trans, STYPE = bytea, INITCOND = '\x123456', FINALFUNC = sdc_private.entropy_final);
SELECT helper.catch($$SELECT evil(1)$$);
SELECT helper.catch($$SELECT evil(a) FROM cell WHERE false$$);
-- a value that is none, in a place where it must be read: names no value
SELECT helper.catch($$SELECT sdc_entropy_merge(overlay(s PLACING '\xff' FROM position('{'::bytea IN s))) FROM (SELECT sdc_entropy_state(ARRAY[1.5]) AS s) AS x$$);
SELECT helper.leaks($$SELECT sdc_entropy_merge(overlay(s PLACING '\xff' FROM position('{'::bytea IN s))) FROM (SELECT sdc_entropy_state(ARRAY[1.5]) AS s) AS x$$, '1.5');
SELECT helper.leaks($$SELECT sdc_entropy_merge(substr(s, 1, length(s) - 8)) FROM (SELECT sdc_entropy_state('secret' || a) AS s FROM cell) AS x$$, 'secret');
-- a count that is too large
SELECT helper.catch($$SELECT sdc_entropy_merge(s) FROM (SELECT overlay(overlay(s PLACING c FROM 45) PLACING c FROM 77) AS s
	FROM (SELECT sdc_entropy_state(1) AS s, '\xffffffffffffff7f'::bytea AS c) AS x, generate_series(1, 2)) AS y$$);
\pset tuples_only off
-- changed bytes make an error or a number, and nothing worse
CREATE FUNCTION try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE statement INTO result;
	RETURN CASE WHEN result BETWEEN 0 AND 50 THEN 'a number' ELSE 'strange ' || result END;
EXCEPTION WHEN OTHERS THEN
	RETURN 'an error';
END
$$;
CREATE TABLE changed AS
SELECT i, k.kind, set_byte(set_byte(k.s, helper.below(i, 61, length(k.s)), helper.below(i, 62, 256)), helper.below(i, 63, least(length(k.s), 60 + i % 50)), helper.below(i, 64, 256)) AS s
FROM good, LATERAL (VALUES ('s', s), ('r', r), ('t', t), ('open', sdc_private.entropy_trans(s, 1000)), ('open r', sdc_private.entropy_trans(r, ARRAY[1000.5]))) AS k (kind, s), generate_series(1, 120) AS i;
SELECT kind, count(*) AS tries, count(*) FILTER (WHERE try(format('SELECT sdc_entropy_merge(s) FROM changed WHERE i = %s AND kind = %L', i, kind)) NOT IN ('a number', 'an error')) AS strange,
	count(*) FILTER (WHERE try(format('SELECT sdc_entropy_merge(s) FROM (SELECT s FROM changed WHERE i = %s AND kind = %L UNION ALL SELECT CASE WHEN kind LIKE %L THEN r ELSE s END FROM good, (SELECT %2$L AS kind) AS k) AS x', i, kind, '%r')) NOT IN ('a number', 'an error')) AS merged
FROM changed GROUP BY kind ORDER BY kind;
CREATE FUNCTION begin_with(state bytea, expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('CREATE AGGREGATE entropy.forged("any") (SFUNC = sdc_private.entropy_trans, STYPE = bytea, COMBINEFUNC = sdc_private.entropy_combine, INITCOND = %L)', state);
	result := entropy.try(format('SELECT length(entropy.forged(%s)) * 0 FROM (SELECT a FROM entropy.cell ORDER BY id LIMIT 300) AS x', expression));
	DROP AGGREGATE entropy.forged("any");
	RETURN result;
END
$$;
SELECT kind, count(*) AS tries, count(*) FILTER (WHERE begin_with(s, CASE WHEN kind LIKE '%r' THEN 'ARRAY[a / 2.0]' WHEN kind = 't' THEN $$'t' || a$$ ELSE 'a' END) NOT IN ('a number', 'an error')) AS strange
FROM changed WHERE i <= 40 GROUP BY kind ORDER BY kind;

-- k-anonymity and l-diversity.
CREATE TABLE ward (id int PRIMARY KEY, zip text, age int, "Weird ""name""; --" int, source int, records int, c0 int, illness text);
INSERT INTO ward VALUES (1, '1000', 30, 1, 1, 1, 1, 'flu'), (2, '1000', 30, 1, 1, 1, 1, 'flu'), (3, '1000', 30, 1, 1, 1, 1, 'cold'), (4, '1000', 30, 1, 1, 1, 1, NULL),
	(5, '2000', NULL, 2, 1, 1, 1, 'flu'), (6, '2000', NULL, 2, 1, 1, 1, 'cold'), (7, '2000', NULL, 2, 1, 1, 1, NULL), (8, NULL, NULL, 3, 1, 1, 1, 'flu');
SELECT * FROM sdc_kanonymity('ward', '{zip}');
SELECT * FROM sdc_kanonymity('ward', '{age}');
SELECT * FROM sdc_kanonymity('ward', '{age,zip}');
SELECT * FROM sdc_kanonymity('ward', '{id}');
SELECT * FROM sdc_kanonymity('ward', '{source,records,c0}');
SELECT * FROM sdc_kanonymity('ward', ARRAY['Weird "name"; --', 'zip']);
SELECT distinct_l, round(entropy_l::numeric, 10) AS entropy_l, round(exp(1.5 * ln(2))::numeric, 10) AS expected FROM sdc_ldiversity('ward', '{age}', '{illness}');
SELECT distinct_l, round(entropy_l::numeric, 10) AS entropy_l FROM sdc_ldiversity('ward', '{zip}', '{illness}');
SELECT distinct_l, round(entropy_l::numeric, 10) AS entropy_l FROM sdc_ldiversity('ward', '{source,records,c0}', ARRAY['Weird "name"; --']);
SELECT distinct_l, entropy_l FROM sdc_ldiversity('ward', ARRAY['Weird "name"; --'], '{source}');
-- the bits of the aggregate, where nothing is missing
SELECT row(l.distinct_l, l.entropy_l) = row(count(DISTINCT c0), sdc_diversity(c0)) AS same FROM ward, sdc_ldiversity('ward', '{source}', '{c0}') AS l GROUP BY l.distinct_l, l.entropy_l;
SELECT l.entropy_l = (SELECT min(d) FROM (SELECT sdc_diversity(coalesce(job, '-')) AS d FROM person GROUP BY region, sex) AS g) AS entropy,
	l.distinct_l = (SELECT min(d) FROM (SELECT count(DISTINCT coalesce(job, '-')) AS d FROM person GROUP BY region, sex) AS g) AS distinct_values FROM sdc_ldiversity('person', '{region,sex}', '{job}') AS l;
-- many columns, which have a statement of their own: 70 that make the same groups as two of them
SELECT format('CREATE TABLE wide_person AS SELECT coalesce(job, ''-'') AS job, %s FROM person', string_agg(format('%s AS w%s', CASE WHEN n % 2 = 0 THEN 'region' ELSE 'sex' END, n), ', ')) AS statement FROM generate_series(1, 70) AS n
\gset
:statement;
SELECT l.distinct_l = (SELECT min(d) FROM (SELECT count(DISTINCT job) AS d FROM wide_person GROUP BY w1, w2) AS g) AS distinct_values,
	round(l.entropy_l::numeric, 10) = (SELECT round(exp(min(e))::numeric, 10) FROM (SELECT sum(-c / t * ln(c / t)) AS e FROM (SELECT w1, w2, count(*)::float8 AS c, sum(count(*)) OVER (PARTITION BY w1, w2)::float8 AS t FROM wide_person GROUP BY w1, w2, job) AS v GROUP BY w1, w2) AS g) AS entropy
FROM sdc_ldiversity('wide_person', (SELECT array_agg('w' || n)::name[] FROM generate_series(1, 70) AS n), '{job}') AS l;
SELECT k.k = (SELECT min(c) FROM (SELECT count(*) AS c FROM person GROUP BY age, sex) AS g) AS k, k.groups = (SELECT count(*) FROM (SELECT DISTINCT age, sex FROM person) AS g) AS groups,
	k.unique_records = (SELECT count(*) FROM (SELECT FROM person GROUP BY age, sex HAVING count(*) = 1) AS g) AS unique_records FROM sdc_kanonymity('person', '{age,sex}') AS k;
-- every plan
CREATE TABLE diversity AS SELECT k.*, l.* FROM sdc_kanonymity('cell', '{part,n}') AS k, sdc_ldiversity('cell', '{part,n}', '{a}') AS l;
SET enable_hashagg = off;
SELECT (k.*, l.*) = d AS sorted FROM sdc_kanonymity('cell', '{part,n}') AS k, sdc_ldiversity('cell', '{part,n}', '{a}') AS l, diversity AS d;
RESET enable_hashagg;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET max_parallel_workers_per_gather = 3;
SELECT (k.*, l.*) = d AS parallel FROM sdc_kanonymity('cell', '{part,n}') AS k, sdc_ldiversity('cell', '{part,n}', '{a}') AS l, diversity AS d;
SELECT (k.*, l.*) = d AS partitioned FROM sdc_kanonymity('parted', '{part,n}') AS k, sdc_ldiversity('parted', '{part,n}', '{a}') AS l, diversity AS d;
RESET max_parallel_workers_per_gather;
RESET parallel_tuple_cost;
RESET parallel_setup_cost;
RESET min_parallel_table_scan_size;
SET work_mem = '64kB';
SELECT (k.*, l.*) = d AS spilled FROM sdc_kanonymity('cell', '{part,n}') AS k, sdc_ldiversity('cell', '{part,n}', '{a}') AS l, diversity AS d;
RESET work_mem;
-- nothing, one record, views, materialized views
CREATE TABLE no_ward (LIKE ward);
SELECT * FROM sdc_kanonymity('no_ward', '{zip}'), sdc_ldiversity('no_ward', '{zip}', '{illness}');
INSERT INTO no_ward (id) VALUES (1);
SELECT * FROM sdc_kanonymity('no_ward', '{zip}'), sdc_ldiversity('no_ward', '{zip}', '{illness}');
CREATE VIEW ward_view AS SELECT upper(illness) AS "Illness", zip FROM ward WHERE zip IS NOT NULL;
CREATE MATERIALIZED VIEW ward_matview AS SELECT * FROM ward_view;
SELECT * FROM sdc_kanonymity('ward_view', '{zip}'), sdc_ldiversity('ward_matview', '{zip}', '{Illness}');
CREATE TYPE no_equality AS (j json);
CREATE TABLE ungroupable (j json, p point, r no_equality, a json[], x xid, m money, c text COLLATE nocase_collation);
SELECT m.groups, x.groups FROM sdc_kanonymity('ungroupable', '{m,c}') AS m, sdc_kanonymity('ungroupable', '{x}') AS x;
-- arguments
\pset tuples_only on
SELECT a, helper.catch(format('SELECT FROM sdc_kanonymity(%s)', a)), helper.catch(format('SELECT FROM sdc_ldiversity(%s, ''{illness}'')', a)) FROM unnest(ARRAY[$$NULL, '{zip}'$$, $$'ward', NULL$$, $$'ward', '{}'$$, $$'ward', '{zip,NULL}'$$, $$'ward', '{zip,zip}'$$,
	$$'ward', '{{zip},{age}}'$$, $$'ward', '{zip,zap}'$$, $$'ward', '{ctid}'$$, $$'ward', '{ZIP}'$$, $$'ward_pkey', '{id}'$$, $$0, '{id}'$$, $$'no_such', '{id}'$$, $$'ungroupable', '{j}'$$]) AS a;
SELECT a, helper.catch(format('SELECT FROM sdc_kanonymity(''ungroupable'', %L)', a)) FROM unnest(ARRAY['{p}', '{r}', '{a}', '{m,j}']) AS a;
SELECT a, helper.catch(format('SELECT FROM sdc_ldiversity(''ward'', ''{zip}'', %s)', a)) FROM unnest(ARRAY['NULL', $$'{}'$$, $$'{zip}'$$, $$'{zap}'$$, $$'{ctid}'$$, $$'{Illness}'$$, $$'{illness,source}'$$, $$'{illness,NULL}'$$]) AS a;
SELECT helper.catch($$SELECT FROM sdc_ldiversity('ungroupable', '{m}', '{j}')$$);
-- a column that is dropped
ALTER TABLE ward DROP age;
SELECT helper.catch($$SELECT FROM sdc_kanonymity('ward', '{age}')$$);
\pset tuples_only off
-- privileges, and row security
CREATE ROLE regress_sdc_ward;
GRANT USAGE ON SCHEMA entropy, helper TO regress_sdc_ward;
GRANT SELECT (zip, illness) ON ward TO regress_sdc_ward;
GRANT SELECT ON person TO regress_sdc_ward;
CREATE POLICY north ON person FOR SELECT TO regress_sdc_ward USING (region = 'north');
ALTER TABLE person ENABLE ROW LEVEL SECURITY;
SET ROLE regress_sdc_ward;
SELECT * FROM sdc_kanonymity('ward', '{zip}'), sdc_ldiversity('ward', '{zip}', '{illness}');
SELECT helper.catch($$SELECT * FROM sdc_kanonymity('ward', '{zip,id}')$$), helper.catch($$SELECT * FROM sdc_ldiversity('ward', '{zip}', '{id}')$$), helper.catch($$SELECT * FROM sdc_kanonymity('cell', '{a}')$$);
SELECT groups FROM sdc_kanonymity('person', '{region}');
RESET ROLE;
SELECT groups FROM sdc_kanonymity('person', '{region}');
-- what somebody has put into the search_path is not used, nor is more than reading allowed
CREATE SCHEMA trap;
CREATE FUNCTION trap.boom() RETURNS bigint LANGUAGE plpgsql AS $$BEGIN RAISE 'trapped'; END$$;
CREATE FUNCTION trap.count() RETURNS bigint LANGUAGE sql AS $$SELECT trap.boom()$$;
CREATE FUNCTION trap.min(bigint) RETURNS bigint LANGUAGE sql AS $$SELECT trap.boom()$$;
CREATE FUNCTION trap.array_agg(bigint) RETURNS bigint[] LANGUAGE sql AS $$SELECT ARRAY[trap.boom()]$$;
CREATE FUNCTION trap.equal(bigint, int) RETURNS boolean LANGUAGE sql AS $$SELECT trap.boom() IS NULL$$;
CREATE OPERATOR trap.= (LEFTARG = bigint, RIGHTARG = int, FUNCTION = trap.equal);
SET search_path = trap, pg_catalog, entropy, public;
BEGIN READ ONLY;
SELECT k.k, l.distinct_l FROM sdc_kanonymity('ward', '{zip}') AS k, sdc_ldiversity('ward', '{zip}', '{illness}') AS l;
COMMIT;
SET search_path = '';
SELECT k.k, l.distinct_l FROM public.sdc_kanonymity('entropy.ward', '{zip}') AS k, public.sdc_ldiversity('entropy.ward', '{zip}', '{illness}') AS l;
RESET search_path;

RESET max_parallel_workers_per_gather;
DROP SCHEMA entropy CASCADE;
DROP SCHEMA trap CASCADE;
DROP OWNED BY regress_sdc_ward;
DROP ROLE regress_sdc_ward;

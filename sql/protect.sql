-- sdc_protect: several methods in one release.
\pset format unaligned
\pset footer off

CREATE TABLE mixed AS
SELECT i AS id, (hashint4(i) & 63) + 20 AS age, nullif(hashint4(i * 7) & 1023, 5)::float8 AS income,
	(hashint4(i * 13) & 255)::numeric AS weight, date '2000-01-01' + (hashint4(i * 23) & 4095) AS born,
	nullif((hashint4(i * 3) & 3), 2) AS kind, 'job ' || (hashint4(i * 5) & 7) AS job,
	'zip ' || (hashint4(i * 17) & 15) AS zip, 'ill ' || (hashint4(i * 19) & 7) AS disease,
	CASE WHEN hashint4(i * 29) & 1 = 1 THEN 'N' ELSE 'S' END AS region
FROM generate_series(1, 400) AS i;
ALTER TABLE mixed ADD PRIMARY KEY (id);
ANALYZE mixed;

-- one statement, four methods, everything else said
SELECT attribute, action, method, records, bins, single_bins
FROM sdc_protect('mixed', '[{"method": "rankswap", "columns": ["income"], "p": 10},
	{"method": "equidepth_swap", "columns": ["weight", "born"], "depth": 10},
	{"method": "randomize", "qi": ["job", "kind"]},
	{"method": "permute", "qi": ["age", "zip"], "sensitive": ["disease"], "l": 3}]',
	strata => '{region}', keep => '{}', seed => 7);
SELECT method, parameters - 'steps' AS others, columns, strata, qi, sensitive FROM sdc_releases WHERE release = 'mixed_protect'::regclass;
SELECT step - 'probabilities' AS step, jsonb_array_length(step -> 'probabilities') AS probabilities
FROM sdc_releases, jsonb_array_elements(parameters -> 'steps') AS step WHERE release = 'mixed_protect'::regclass;

--
-- Column by column what the methods by themselves make with the same seed.
--
-- same compares some columns of two releases.
CREATE FUNCTION same(a regclass, b regclass, columns name[])
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	other bigint;
BEGIN
	EXECUTE format('SELECT count(*) FROM %s AS a FULL JOIN %s AS b USING (id) WHERE (%s) IS DISTINCT FROM (%s)', a, b,
		(SELECT string_agg(format('a.%I', c), ', ') FROM unnest(columns) AS c),
		(SELECT string_agg(format('b.%I', c), ', ') FROM unnest(columns) AS c)) INTO other;
	RETURN CASE other WHEN 0 THEN 'same' ELSE other || ' records differ' END;
END
$$;

SELECT count(*) FROM sdc_rankswap('mixed', p => 10, columns => '{income}', strata => '{region}', target => 'mixed_1', seed => 7);
SELECT count(*) FROM sdc_equidepth_swap('mixed', depth => 10, columns => '{weight,born}', strata => '{region}', target => 'mixed_2', seed => 7);
SELECT count(*) FROM sdc_randomize('mixed', '{job,kind}', strata => '{region}', target => 'mixed_3', seed => 7);
SELECT count(*) FROM sdc_permute('mixed', '{age,zip}', '{disease}', l => 3, strata => '{region}', target => 'mixed_4', seed => 7);
SELECT same('mixed_protect', 'mixed_1', '{income}'), same('mixed_protect', 'mixed_2', '{weight,born}'),
	same('mixed_protect', 'mixed_3', '{job,kind}'), same('mixed_protect', 'mixed_4', '{age,zip,disease,group_id}'),
	same('mixed_protect', 'mixed', '{region,age,zip}');
-- and something has changed in each
SELECT same('mixed', 'mixed_1', '{income}') <> 'same' AS rankswap, same('mixed', 'mixed_2', '{weight,born}') <> 'same' AS equidepth,
	same('mixed', 'mixed_3', '{job,kind}') <> 'same' AS randomize, same('mixed', 'mixed_4', '{disease}') <> 'same' AS permute;

-- every other method, in another order, all unnamed numeric columns, draws, the complement
SELECT attribute, action, method, bins IS NOT NULL AS has_bins
FROM sdc_protect('mixed'::regclass, '[{"method": "generalize", "qi": ["zip", "age"], "k": 5},
	{"method": "rankswap_distribution", "p": 20}, {"method": "randomize", "qi": ["job"], "draws": 1},
	{"method": "equiwidth_swap", "columns": ["born"], "widths": [900]}]', target => 'mixed_other', seed => 'x', omit => '{disease}');
SELECT count(*) FROM sdc_rankswap_distribution('mixed', p => 20, columns => '{income,weight,kind}', target => 'mixed_5', seed => 'x');
SELECT count(*) FROM sdc_equiwidth_swap('mixed', widths => '{900}', columns => '{born}', target => 'mixed_6', seed => 'x');
SELECT count(*) FROM sdc_generalize('mixed', '{zip,age}', k => 5, target => 'mixed_7');
SELECT count(*) FROM sdc_randomize('mixed', '{job}', draws => 1, target => 'mixed_8', seed => 'x');
SELECT same('mixed_other', 'mixed_5', '{income,weight,kind}'), same('mixed_other', 'mixed_6', '{born}'),
	same('mixed_other', 'mixed_7', '{zip,age,group_id}'), same('mixed_other', 'mixed_8', '{job}');
SELECT count(*) FROM sdc_protect('mixed', '[{"method": "equidepth_swap", "columns": ["weight", "income"], "depth": 20, "complement": "swap"},
	{"method": "rankswap_buckets", "columns": ["kind"], "buckets": 4}]', target => 'mixed_swap', seed => 3);
SELECT count(*) FROM sdc_equidepth_swap('mixed', depth => 20, columns => '{income,weight}', complement => 'swap', target => 'mixed_9', seed => 3);
SELECT count(*) FROM sdc_rankswap_buckets('mixed', buckets => 4, columns => '{kind}', target => 'mixed_10', seed => 3);
SELECT same('mixed_swap', 'mixed_9', '{income,weight,born,age}'), same('mixed_swap', 'mixed_10', '{kind}');
SELECT parameters #> '{steps,0}' AS step FROM sdc_releases WHERE release = 'mixed_swap'::regclass;

-- what the catalog has of the steps makes the same release again
SELECT count(*) FROM sdc_releases AS r, sdc_protect('mixed', r.parameters -> 'steps', strata => '{region}', keep => '{}', seed => 7, target => 'mixed_again')
WHERE r.release = 'mixed_protect'::regclass;
SELECT same('mixed_protect', 'mixed_again', '{age,income,weight,born,kind,job,zip,disease,region,group_id}');

-- of methods that draw for several columns together a second step does not repeat the draws of the first
CREATE TABLE twins AS SELECT i AS id, i % 7 AS a, i % 7 AS b, i % 7 AS c, i % 7 AS d FROM generate_series(1, 700) AS i;
ALTER TABLE twins ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_protect('twins', '[{"method": "randomize", "qi": ["a", "b"], "draws": 1}, {"method": "randomize", "qi": ["c", "d"], "draws": 1}]', seed => 1);
SELECT count(*) FROM sdc_randomize('twins', '{a,b}', draws => 1, seed => 1);
SELECT same('twins_protect', 'twins_randomize', '{a,b}'),
	count(*) FILTER (WHERE r.a <> s.a AND r.d <> s.d) > 100 AS apart, count(*) FILTER (WHERE r.a <> s.a AND r.c <> s.c) > 100 AS together
FROM twins AS s JOIN twins_protect AS r USING (id);

-- the row type form
SELECT count(*), count(*) FILTER (WHERE (r.income, r.job) IS NOT DISTINCT FROM (p.income, p.job)) AS same, count(r.zip) AS zip
FROM sdc_protect(NULL::mixed, '[{"method": "rankswap", "columns": ["income"], "p": 10}, {"method": "randomize", "qi": ["job", "kind"]}]',
	strata => '{region}', omit => '{zip}', seed => 7) AS r JOIN mixed_protect AS p USING (id);

-- a table, two records, none
CREATE TABLE few AS SELECT * FROM mixed WHERE id <= 2;
ALTER TABLE few ADD PRIMARY KEY (id);
SELECT attribute, action, records FROM sdc_protect('few', '[{"method": "rankswap", "columns": ["income"], "p": 10}, {"method": "generalize", "qi": ["age"], "k": 2}]', keep => '{}');
DELETE FROM few;
SELECT attribute, action, records FROM sdc_protect('few', '[{"method": "rankswap", "columns": ["income"], "p": 10}, {"method": "generalize", "qi": ["age"], "k": 2}]', keep => '{}', target => 'few_none');

--
-- What cannot be done
--
CREATE FUNCTION refused(steps text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	state text;
	message text;
	detail text;
	hint text;
BEGIN
	PERFORM FROM sdc_protect('mixed', steps::jsonb, target => 'mixed_refused', keep => '{}');
	RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN state || ' ' || message || CASE detail WHEN '' THEN '' ELSE ' / ' || detail END || CASE hint WHEN '' THEN '' ELSE ' / ' || hint END;
END
$$;
\pset tuples_only on
SELECT refused(steps) FROM (VALUES (1, NULL), (2, '1'), (3, '{}'), (4, '[]'), (5, '[1]'), (6, '[null]'), (7, '[[]]'), (8, '[{}]'), (9, '[{"method": 1}]'),
	(10, '[{"method": "swap"}]'), (11, '[{"Method": "rankswap"}]'), (12, '[{"method": "rankswap"}]'), (13, '[{"method": "rankswap", "p": null}]'),
	(14, '[{"method": "rankswap", "p": "5"}]'), (15, '[{"method": "rankswap", "p": 0}]'), (16, '[{"method": "rankswap", "p": 1e400}]'),
	(17, '[{"method": "rankswap", "p": 5, "percent": 5}]'), (18, '[{"method": "rankswap", "p": 5, "depth": 5}]'),
	(19, '[{"method": "rankswap", "p": 5, "columns": "age"}]'), (20, '[{"method": "rankswap", "p": 5, "columns": [1]}]'),
	(21, '[{"method": "rankswap", "p": 5, "columns": [null]}]'), (22, '[{"method": "rankswap", "p": 5, "columns": ["age", "age"]}]'),
	(23, '[{"method": "rankswap", "p": 5, "columns": ["old"]}]'), (24, '[{"method": "rankswap", "p": 5, "columns": ["id"]}]'),
	(25, '[{"method": "rankswap", "p": 5, "columns": ["age"]}, {"method": "randomize", "qi": ["job", "age"]}]'),
	(26, '[{"method": "permute", "qi": ["zip"], "sensitive": ["disease"], "l": 2}, {"method": "randomize", "qi": ["zip"]}]'),
	(27, '[{"method": "permute", "qi": ["zip"], "sensitive": ["disease"], "l": 2}, {"method": "generalize", "qi": ["age"], "k": 2}]'),
	(28, '[{"method": "rankswap", "p": 5}, {"method": "rankswap_buckets", "buckets": 5}]'),
	(29, '[{"method": "rankswap", "p": 5}, {"method": "equidepth_swap", "depth": 5, "columns": ["age"], "complement": "swap"}]'),
	(30, '[{"method": "rankswap", "p": 5, "columns": ["age"]}, {"method": "rankswap_buckets", "columns": ["income"], "buckets": 1.5}]'),
	(31, '[{"method": "rankswap_buckets", "columns": ["income"], "buckets": 1e20}]'), (32, '[{"method": "rankswap_buckets", "columns": ["income"], "buckets": 401}]'),
	(33, '[{"method": "equidepth_swap", "columns": ["job"], "depth": 5}]'), (34, '[{"method": "equidepth_swap", "columns": ["age"], "depth": 5, "complement": "both"}]'),
	(35, '[{"method": "equiwidth_swap", "columns": ["age"], "widths": [1, 2]}]'), (36, '[{"method": "equiwidth_swap", "columns": ["age"], "widths": ["1"]}]'),
	(37, '[{"method": "randomize", "qi": []}]'), (38, '[{"method": "randomize", "qi": ["job"], "draws": 2}]'),
	(39, '[{"method": "randomize", "qi": ["job", "kind"], "probabilities": [1, 1]}]'), (40, '[{"method": "permute", "qi": ["zip"], "sensitive": ["disease"], "l": 2, "force": "yes"}]'),
	(41, '[{"method": "permute", "qi": ["zip"], "sensitive": ["disease"], "l": 300}]'), (42, '[{"method": "generalize", "qi": ["zip"], "k": 401}]'),
	(43, '[{"method": "protect", "steps": []}]')) AS s (number, steps) ORDER BY number;
\pset tuples_only off
SELECT to_regclass('mixed_refused') IS NULL AS nothing_written;
SELECT count(*) FROM sdc_protect(NULL::mixed, '[{"method": "rankswap", "columns": ["income"], "p": 10}, {"method": "generalize", "qi": ["age"], "k": 2}]');
SELECT FROM sdc_protect('mixed', '[{"method": "permute", "qi": ["zip"], "sensitive": ["disease"], "l": 3}]', keep => '{job}');
SELECT FROM sdc_protect('mixed', '[{"method": "rankswap", "columns": ["income"], "p": 10}]', keep => '{income}', target => 'mixed_refused');
SELECT FROM sdc_protect('mixed', '[{"method": "rankswap", "columns": ["income"], "p": 10}]', strata => '{income}', target => 'mixed_refused');

-- what nobody names is told of and refused in a replacement, as with one method
SELECT count(*) FROM sdc_protect('mixed', '[{"method": "rankswap", "columns": ["income"], "p": 10}, {"method": "randomize", "qi": ["job"]}]', omit => '{zip}', target => 'mixed_told', seed => 1);
SELECT count(*) FROM sdc_protect('mixed', '[{"method": "rankswap", "columns": ["income"], "p": 10}, {"method": "randomize", "qi": ["job"]}]', target => 'mixed_told', seed => 1, replace => true);

--
-- Measures ask for the step of a column: the same as of a table that another tool has made so.
--
CREATE TABLE mixed_elsewhere AS TABLE mixed_other;
SELECT sdc_register('mixed', 'mixed_elsewhere', steps => '[{"method": "generalize", "qi": ["zip", "age"], "k": 5},
	{"method": "rankswap_distribution", "p": 20, "columns": ["income", "weight", "kind"]}, {"method": "randomize", "qi": ["job"], "draws": 1},
	{"method": "equiwidth_swap", "columns": ["born"], "widths": [900]}]');
SELECT a.parameters = b.parameters AS same_steps, a.columns = b.columns AS same_columns, b.key
FROM sdc_releases AS a, sdc_releases AS b WHERE a.release = 'mixed_other'::regclass AND b.release = 'mixed_elsewhere'::regclass;
SELECT sdc_score('mixed_other')::text = sdc_score('mixed_elsewhere')::text AS same_score;
SELECT count(*) AS different FROM (SELECT * FROM sdc_disclosure_risk('mixed_other') EXCEPT SELECT * FROM sdc_disclosure_risk('mixed_elsewhere')) AS d;
-- the columns that have values are attacked, and ranges are not; windows are those of the step
SELECT DISTINCT known FROM sdc_disclosure_risk('mixed_other') WHERE attack = 'distance' ORDER BY known;
SELECT DISTINCT attack FROM sdc_disclosure_risk('mixed_other') ORDER BY attack;
SELECT attribute FROM sdc_interval_disclosure('mixed_other');
-- the inference risk is that of the randomized columns, as if they had been released alone
CREATE TABLE mixed_plain AS SELECT id, kind, job FROM mixed;
ALTER TABLE mixed_plain ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_randomize('mixed_plain', '{job,kind}', seed => 5);
SELECT count(*) FROM sdc_protect('mixed', '[{"method": "rankswap", "p": 5, "columns": ["income", "weight"]}, {"method": "randomize", "qi": ["job", "kind"]}]', target => 'mixed_inference', seed => 5);
SELECT a = b AS same_inference FROM sdc_inference_risk('mixed_inference') AS a, sdc_inference_risk('mixed_plain_randomize') AS b;
SELECT sdc_inference_risk('mixed_swap');
-- counts are estimated from ranges and sets where a column is generalized, from values where it is not
SELECT attributes, queries FROM sdc_query_errors('mixed_other', queries => 20, seed => 1, qi => '{zip,job,age}', sensitive => '{kind}');
DROP FUNCTION refused(text), same(regclass, regclass, name[]);

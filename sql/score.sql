--
-- score
--
-- Information loss, scores, and the views over all releases.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA score;
SET search_path = score, public;

-- Small enough to be checked by hand (the table of test "attack").
CREATE TABLE tiny (id int PRIMARY KEY, a int, b int);
INSERT INTO tiny VALUES (1, 1, 10), (2, 2, 20), (3, 3, 30), (4, 4, 40), (5, 5, 50);
CREATE TABLE tiny_swapped (id int PRIMARY KEY, a int, b int);
INSERT INTO tiny_swapped VALUES (5, 5, 50), (4, 4, 30), (3, 3, 40), (2, 1, 20), (1, 2, 10);
SELECT sdc_register('tiny', 'tiny_swapped', '{a,b}', '{id}', 'rankswap', '{"p": 20}');

-- il1 = (1/1 + 1/2 + 10/30 + 10/40) / 10; il3 = (0 + |25 - 20| / 25 + 0) / 3; il5 = |1 - 0.8|;
-- il1s = (1 + 1 + 10/10 + 10/10) / sqrt(2 * 2.5) / 10
SELECT round(il1::numeric, 6) AS il1, il2, round(il3::numeric, 6) AS il3, il4, round(il5::numeric, 6) AS il5, round(il::numeric, 6) AS il, round(il1s::numeric, 6) AS il1s FROM sdc_information_loss('tiny_swapped');
-- means, variances and quantiles stay, so these parts are 0; a correlation of 1 has no error
SELECT round(pil::numeric, 3) AS pil, pil_mean, pil_variance, pil_covariance > 0 AS covariance, pil_correlation, pil_quantile FROM sdc_information_loss('tiny_swapped');
SELECT il1_left_out, il2_left_out, il3_left_out, il4_left_out, il5_left_out, il1s_left_out, pil_left_out FROM sdc_information_loss('tiny_swapped');
-- known: a links 3 of 5, a and b 3 of 5; windows: 3 and 3; dr = (rsld + dld + pld) / 6 + id / 2
SELECT round(il::numeric, 6) AS il, round(dld::numeric, 6) AS dld, round(rsld::numeric, 6) AS rsld, interval_disclosure, round((dr - pld / 6)::numeric, 6) AS dr_without_pld, round((dr_generic - pld / 4)::numeric, 6) AS generic_without_pld,
	round((score - (il + dr) / 2)::numeric, 9) AS score, round((score_generic - (il + dr_generic) / 2)::numeric, 9) AS generic, dr_low, dr_high
FROM sdc_score('tiny_swapped');
SELECT round(dld::numeric, 6) AS dld, round(rsld::numeric, 6) AS rsld FROM sdc_score('tiny_swapped', known_max => 1);

-- The ends: a copy, and all values the same.
CREATE TABLE tiny_copy AS TABLE tiny;
SELECT sdc_register('tiny', 'tiny_copy', '{a,b}', '{id}', 'rankswap', '{"p": 20}');
SELECT il, dld, pld, rsld, interval_disclosure, dr, dr_generic, score, score_generic FROM sdc_score('tiny_copy');
SELECT il1, il2, il3, il4, il5, il, il1s, pil, pil_mean, pil_variance, pil_covariance, pil_correlation, pil_quantile FROM sdc_information_loss('tiny_copy');

-- Terms with a denominator of 0 are left out, and counted.
CREATE TABLE zero (id int PRIMARY KEY, z int, c int, m int, n int);
INSERT INTO zero VALUES (1, 0, 7, -1, NULL), (2, 0, 7, 1, NULL), (3, 5, 7, -1, 4), (4, 6, 7, 1, NULL);
CREATE TABLE zero_moved (id int PRIMARY KEY, z int, c int, m int, n int);
INSERT INTO zero_moved VALUES (1, 0, 7, 1, NULL), (2, 5, 7, -1, NULL), (3, 0, 7, -1, 4), (4, 6, 7, 1, NULL);
SELECT sdc_register('zero', 'zero_moved', '{z,c,m,n}', '{id}');
SELECT round(il1::numeric, 6) AS il1, round(il2::numeric, 6) AS il2, round(il3::numeric, 6) AS il3, round(il4::numeric, 6) AS il4, round(il5::numeric, 6) AS il5, round(il::numeric, 6) AS il FROM sdc_information_loss('zero_moved');
SELECT il1_left_out, il2_left_out, il3_left_out, il4_left_out, il5_left_out, il1s_left_out FROM sdc_information_loss('zero_moved');
SELECT count(*) FILTER (WHERE value = 'NaN' OR value = 'Infinity') AS not_finite FROM sdc_information_loss('zero_moved') AS l, LATERAL jsonb_each_text(to_jsonb(l));

-- NULL, NaN and infinity are no cells.
CREATE TABLE odd (id int PRIMARY KEY, x float8, y numeric);
INSERT INTO odd SELECT i, i, 2 * i FROM generate_series(1, 9) AS i;
INSERT INTO odd VALUES (10, NULL, 1), (11, 'NaN', 'NaN'), (12, 'Infinity', 'Infinity'), (13, '-Infinity', NULL), (14, 1e308, 1e308), (15, -1e308, 1e-300);
CREATE TABLE odd_moved AS SELECT id, CASE id WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE x END AS x, y FROM odd;
SELECT sdc_register('odd', 'odd_moved', '{x,y}', '{id}');
SELECT key, value FROM sdc_information_loss('odd_moved') AS l, LATERAL jsonb_each_text(to_jsonb(l)) WHERE value ~ 'NaN|Inf';
SELECT il1_left_out, il1 > 0 AND il1 < 1 AS il1 FROM sdc_information_loss('odd_moved');
SELECT il IS NOT NULL AS il, dr BETWEEN 0 AND 100 AS dr FROM sdc_score('odd_moved');
CREATE TABLE nothing AS SELECT i AS id, NULL::float8 AS x, 'NaN'::float8 AS y FROM generate_series(1, 5) AS i;
CREATE TABLE nothing_copy AS TABLE nothing;
SELECT sdc_register('nothing', 'nothing_copy', '{x,y}', '{id}');
SELECT il, dld, pld, rsld, interval_disclosure, dr, score FROM sdc_score('nothing_copy');

-- Only numbers have a loss: texts, booleans and dates are attacked, and have none.
CREATE TABLE words AS SELECT i AS id, 'w' || i AS t, i % 2 = 0 AS f, date '2000-01-01' + i AS d FROM generate_series(1, 10) AS i;
CREATE TABLE words_moved AS SELECT id, t, f, d FROM words;
SELECT sdc_register('words', 'words_moved', '{t,f,d}', '{id}', 'rankswap', '{"p": 10}');
SELECT * FROM sdc_information_loss('words_moved');
SELECT il, round(dld::numeric, 4) AS dld, round(rsld::numeric, 4) AS rsld, interval_disclosure, dr IS NOT NULL AS dr, score, score_generic FROM sdc_score('words_moved');
-- all kinds of numbers
CREATE TABLE numbers (id int PRIMARY KEY, s smallint, i int, b bigint, r real, d float8, n numeric(38,20), m numeric);
INSERT INTO numbers SELECT i, i, i * 10, 9007199254740993 + i, i / 3.0, i / 7.0, 123456789012345678.12345678901234567890 + i, 1e150 * i FROM generate_series(1, 40) AS i;
SELECT attribute, action FROM sdc_rankswap('numbers', p => 10, seed => 1);
SELECT count(*) FILTER (WHERE value ~ 'NaN|Inf') AS not_finite, min(l.il::text) <> '' AS there FROM sdc_information_loss('numbers_rankswap') AS l, LATERAL jsonb_each_text(to_jsonb(l));
-- so small a spread, far from zero, is not lost
CREATE TABLE far AS SELECT i AS id, 1e9 + i AS x, 1e9 - (i * 7 % 40) AS y FROM generate_series(1, 40) AS i;
CREATE TABLE near_zero AS SELECT i AS id, i::float8 AS x, (-(i * 7 % 40))::float8 AS y FROM generate_series(1, 40) AS i;
CREATE TABLE far_moved AS SELECT id, CASE WHEN id <= 20 THEN x + 2 ELSE x END AS x, y FROM far;
CREATE TABLE near_zero_moved AS SELECT id, CASE WHEN id <= 20 THEN x + 2 ELSE x END AS x, y FROM near_zero;
SELECT sdc_register('far', 'far_moved', '{x,y}', '{id}'), sdc_register('near_zero', 'near_zero_moved', '{x,y}', '{id}');
SELECT round(il3::numeric, 7) AS il3, round(il4::numeric, 7) AS il4, round(il5::numeric, 7) AS il5, round(pil_variance::numeric, 5) AS pil_variance FROM sdc_information_loss('far_moved');
SELECT round(il3::numeric, 7) AS il3, round(il4::numeric, 7) AS il4, round(il5::numeric, 7) AS il5, round(pil_variance::numeric, 5) AS pil_variance FROM sdc_information_loss('near_zero_moved');

-- No record, one, two.
CREATE TABLE few (id int PRIMARY KEY, x int, y int);
CREATE TABLE few_copy (id int PRIMARY KEY, x int, y int);
CREATE FUNCTION score.register_few(n int) RETURNS void LANGUAGE sql AS $$
	SELECT sdc_unregister(release) FROM sdc_releases WHERE release = 'score.few_copy'::regclass;
	TRUNCATE score.few, score.few_copy;
	INSERT INTO score.few SELECT i, i, -i FROM generate_series(1, n) AS i;
	INSERT INTO score.few_copy SELECT i, i, -i FROM generate_series(1, n) AS i;
	SELECT sdc_register('score.few', 'score.few_copy', '{x,y}', '{id}', 'rankswap', '{"p": 50}');
$$;
SELECT score.register_few(0);
SELECT * FROM sdc_information_loss('few_copy');
SELECT * FROM sdc_score('few_copy');
SELECT * FROM sdc_baseline('few_copy');
SELECT * FROM sdc_scores WHERE release = 'few_copy'::regclass;
SELECT count(*) FROM sdc_ru_map WHERE source = 'few'::regclass;
SELECT score.register_few(1);
SELECT * FROM sdc_information_loss('few_copy');
SELECT il, dld, pld, rsld, interval_disclosure, dr FROM sdc_score('few_copy');
SELECT il, dld, pld, rsld, interval_disclosure, dr FROM sdc_baseline('few_copy');
SELECT score.register_few(2);
SELECT il, il1, il5, il5_left_out, pil FROM sdc_information_loss('few_copy');
SELECT il, dld, pld, rsld, interval_disclosure, dr FROM sdc_score('few_copy');
SELECT il BETWEEN 0 AND 1000 AS il, dld BETWEEN 0 AND 100 AS dld FROM sdc_baseline('few_copy', seed => 1);

-- A method without an attack of its own: dr is the generic one.
CREATE TABLE tiny_external AS TABLE tiny_swapped;
SELECT sdc_register('tiny', 'tiny_external', '{a,b}', '{id}');
SELECT rsld, dr = dr_generic AS generic, score = score_generic AS score_generic FROM sdc_score('tiny_external');
SELECT e.dr_generic = s.dr_generic AS same, e.dr = s.dr AS other FROM sdc_score('tiny_external') AS e, sdc_score('tiny_swapped') AS s;
SELECT rsld, dr = dr_generic AS generic FROM sdc_scores WHERE release = 'tiny_external'::regclass;

-- Arguments.
\pset tuples_only on
SELECT string_agg(replace(f, 'sdc_', ''), ' ' ORDER BY i), a, helper.catch(format('SELECT FROM %s(%s)', f, a))
FROM unnest('{sdc_information_loss,sdc_score,sdc_baseline,sdc_private.stored_score}'::text[]) WITH ORDINALITY AS u (f, i), unnest(ARRAY['NULL', $$'tiny'$$, '0']) WITH ORDINALITY AS v (a, j)
GROUP BY j, a, 3 ORDER BY j, 3;
SELECT a || E'\n  ' || string_agg(DISTINCT helper.catch(format('SELECT FROM %s(%L, %s)', f, 'tiny_swapped', a)), E'\n  ')
FROM unnest('{sdc_score,sdc_baseline}'::text[]) AS f, unnest(ARRAY['known_max => 0', 'known_max => 3', 'known_max => -2147483648', 'known_max => NULL', 'known_max => 2', 'sample => 0', 'sample => -5', 'sample => NULL', 'sample => 1', $$seed => 'x'$$, 'seed => 1.5', 'seed => NULL', $$seed => '{}'::int[]$$]) WITH ORDINALITY AS u (a, i)
GROUP BY a, i ORDER BY i;
\pset tuples_only off

-- Samples and seeds.
SELECT helper.make_people('person', 400);
SELECT count(*) FROM sdc_rankswap('person', columns => '{age,income,weight,savings}', p => 5, seed => 1);
SELECT a = b AS same_seed, a = c AS other_seed FROM sdc_score('person_rankswap', sample => 100, seed => 1) AS a, sdc_score('person_rankswap', sample => 100, seed => 1) AS b,
	sdc_score('person_rankswap', sample => 100, seed => 2) AS c;
SELECT s.dr_low < f.dr AND f.dr < s.dr_high AS contains, s.dr_low <= s.dr AND s.dr <= s.dr_high AS sound, s.il = f.il AS il, s.interval_disclosure = f.interval_disclosure AS interval_disclosure
FROM sdc_score('person_rankswap', sample => 200, seed => 1) AS s, sdc_score('person_rankswap') AS f;
SELECT dld_low <= dld AND dld < dld_high AS distance, pld_low <= pld AND pld < pld_high AS agreement,
	rsld_low < rsld AND rsld < rsld_high AS windows, dr_high - dr_low < 50 AS narrow
FROM sdc_score('person_rankswap', sample => 60, seed => 1);
SELECT count(*) FILTER (WHERE s.dr_low <= f.dr AND f.dr <= s.dr_high) >= 18 AS mostly FROM generate_series(1, 20) AS seed, LATERAL sdc_score('person_rankswap', sample => 60, seed => seed) AS s, sdc_score('person_rankswap') AS f;
SELECT s IS NOT DISTINCT FROM f AS all_records, s.dr_low, s.dr_high FROM sdc_score('person_rankswap', sample => 400) AS s, sdc_score('person_rankswap') AS f;
-- narrower when the sample is larger
SELECT small.dr_high - small.dr_low > large.dr_high - large.dr_low AS narrower FROM sdc_score('person_rankswap', sample => 20, seed => 1) AS small, sdc_score('person_rankswap', sample => 300, seed => 1) AS large;

-- The baseline: a random permutation of every column; nothing of the release matters.
SELECT a = b AS same_seed, a = c AS other_seed FROM sdc_baseline('person_rankswap', seed => 1) AS a, sdc_baseline('person_rankswap', seed => 1) AS b, sdc_baseline('person_rankswap', seed => 2) AS c;
SELECT b.dld < 3 AND b.rsld < 3 AND b.pld < 3 AS nobody, b.interval_disclosure BETWEEN 8 AND 20 AS interval_disclosure, b.il > 2 * s.il AS il, b.dr < s.dr AS dr FROM sdc_baseline('person_rankswap', seed => 1) AS b, sdc_score('person_rankswap') AS s;
SELECT s.il = f.il AS the_release_is_not_touched FROM sdc_score('person_rankswap') AS s, sdc_information_loss('person_rankswap') AS f;

-- What has changed is an error, and a row with the reason in the view.
CREATE FUNCTION score.after(change text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	name text;
	made oid;
BEGIN
	EXECUTE change;
	made := (SELECT oid FROM pg_class WHERE relname = 'change_rankswap');
	FOREACH name IN ARRAY '{sdc_link_distance,sdc_link_probabilistic,sdc_link_rankswap,sdc_interval_disclosure,sdc_disclosure_risk,sdc_record_risk,sdc_information_loss,sdc_score,sdc_baseline}'::text[] LOOP
		RETURN NEXT name || ' ' || helper.catch(format('SELECT FROM %s(%s::regclass)', name, made));
	END LOOP;
	name := helper.catch(format('SELECT FROM sdc_scores WHERE release = %s', made));
	IF name <> 'no error' THEN
		RETURN NEXT 'view ' || name;
		RETURN;
	END IF;
	RETURN QUERY SELECT format('view %s %s %s %s', s.release, s.method, round(s.dr::numeric, 4), s.problem) FROM sdc_scores AS s WHERE s.release = made;
	RETURN QUERY SELECT format('map %s rows', count(*)) FROM sdc_ru_map AS m WHERE m.source = (SELECT r.source FROM sdc_releases AS r WHERE r.release = made);
END
$$;
CREATE FUNCTION score.summary(change text) RETURNS TABLE (functions text, result text) LANGUAGE sql AS $$
	SELECT string_agg(replace(split_part(r, ' ', 1), 'sdc_', ''), ' ' ORDER BY i), substr(r, strpos(r, ' ') + 1)
	FROM score.after(change) WITH ORDINALITY AS a (r, i) GROUP BY 2 ORDER BY min(i)
$$;
\pset tuples_only on
CREATE TABLE change AS SELECT i AS id, i * 7 % 23 AS a, i * 5 % 17 AS b, 'secret' || i AS t FROM generate_series(1, 30) AS i;
SELECT count(*) FROM sdc_rankswap('change', p => 5, columns => '{a,b,t}', key => '{id}', seed => 1);
SELECT * FROM score.summary('SELECT');
BEGIN; SELECT * FROM score.summary($$UPDATE change SET t = 'secret' WHERE id = 3$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$INSERT INTO change VALUES (31, 1, 1, 'new')$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$DELETE FROM change WHERE id = 3$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$TRUNCATE change$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$ALTER TABLE change DROP a$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$ALTER TABLE change DROP id$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$ALTER TABLE change RENAME a TO c$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$ALTER TABLE change ALTER a TYPE numeric$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$ALTER TABLE change ALTER id TYPE bigint$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$UPDATE change SET id = 4 WHERE id = 3$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$UPDATE change SET id = NULL WHERE id = 3$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$DROP TABLE change$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$DELETE FROM change_rankswap WHERE id = 3$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$INSERT INTO change_rankswap VALUES (31, 1, 1, 'new')$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$UPDATE change_rankswap SET id = 77 WHERE id = 3$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$UPDATE change_rankswap SET id = 4 WHERE id = 3$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$UPDATE change_rankswap SET id = NULL WHERE id = 3$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$ALTER TABLE change_rankswap DROP a$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$ALTER TABLE change_rankswap DROP id$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$ALTER TABLE change_rankswap ALTER b TYPE text$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$ALTER TABLE change_rankswap ALTER a TYPE bigint$$); ROLLBACK;
-- other values of the release are what is measured, and the columns that are not protected do not matter
BEGIN; SELECT * FROM score.summary($$UPDATE change_rankswap SET a = 1000, t = NULL WHERE id < 5$$); ROLLBACK;
BEGIN; SELECT * FROM score.summary($$ALTER TABLE change ADD z int DEFAULT 5; ALTER TABLE change_rankswap ADD zz int$$); ROLLBACK;
-- nor do new names, or the order of rows and columns
BEGIN; SELECT * FROM score.summary($$CREATE TABLE again AS SELECT * FROM change; TRUNCATE change; INSERT INTO change SELECT * FROM again ORDER BY id DESC; ALTER TABLE change RENAME TO changed$$); ROLLBACK;
-- a release that is dropped is gone
BEGIN; SELECT count(*) FROM sdc_scores WHERE release = 'change_rankswap'::regclass; DROP TABLE change_rankswap; SELECT count(*) FROM sdc_scores WHERE source = 'change'::regclass; ROLLBACK;
-- without a key the numbers of the records are compared
CREATE TABLE keyless AS SELECT i * 7 % 23 AS a FROM generate_series(1, 20) AS i;
SELECT count(*) FROM sdc_rankswap('keyless', p => 5, seed => 1);
SELECT dr BETWEEN 0 AND 100 FROM sdc_score('keyless_rankswap');
BEGIN; UPDATE keyless_rankswap SET sdc_row = 21 WHERE sdc_row = 20; SELECT helper.catch($$SELECT FROM sdc_score('keyless_rankswap')$$); ROLLBACK;
BEGIN; ALTER TABLE keyless_rankswap DROP sdc_row; SELECT helper.catch($$SELECT FROM sdc_score('keyless_rankswap')$$); ROLLBACK;
BEGIN; UPDATE keyless SET a = a + 1 WHERE a = 1; SELECT helper.catch($$SELECT FROM sdc_score('keyless_rankswap')$$); ROLLBACK;

-- No message has a value of a cell.
SELECT helper.leaks(format('SELECT FROM %s(%L)', f, 'score.change_rankswap'), 'secret') FROM unnest('{sdc_link_distance,sdc_score}'::text[]) AS f;
BEGIN; UPDATE change SET t = 'secret99', id = 4711 WHERE id = 3;
SELECT helper.leaks(format('SELECT FROM %s(%L)', f, 'score.change_rankswap'), v) FROM unnest('{sdc_link_distance,sdc_score,sdc_record_risk}'::text[]) AS f, unnest('{secret,4711}'::text[]) AS v;
ROLLBACK;
BEGIN; UPDATE change_rankswap SET id = 4711 WHERE id = 3;
SELECT helper.leaks(format('SELECT FROM %s(%L)', f, 'score.change_rankswap'), '4711') FROM unnest('{sdc_link_distance,sdc_score,sdc_record_risk}'::text[]) AS f;
SELECT problem ~ '4711|secret' FROM sdc_scores WHERE release = 'change_rankswap'::regclass;
ROLLBACK;
\pset tuples_only off

-- The views compute what passes the filter, and nothing else.  A source that cannot be read.
CREATE FUNCTION score.gate() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
	IF current_setting('score.closed', true) = 'yes' THEN
		RAISE INFO 'the source of the second release is read';
		RAISE EXCEPTION 'and fails';
	END IF;
	RETURN true;
END
$$;
CREATE TABLE gated_table AS TABLE tiny;
CREATE VIEW gated AS SELECT * FROM gated_table WHERE score.gate();
CREATE TABLE gated_copy AS TABLE tiny_swapped;
SELECT sdc_register('gated', 'gated_copy', '{a,b}', '{id}', 'rankswap', '{"p": 20}');
SELECT release, round(dr::numeric, 4) = (SELECT round(dr::numeric, 4) FROM sdc_score('tiny_swapped')) AS same FROM sdc_scores WHERE release = 'gated_copy'::regclass;
SET score.closed = 'yes';
SELECT release, problem FROM sdc_scores WHERE source IN ('tiny'::regclass, 'gated'::regclass) AND problem IS NOT NULL;
SELECT release, method, problem FROM sdc_scores WHERE release = 'tiny_swapped'::regclass;
SELECT count(*) FROM sdc_scores WHERE source = 'tiny'::regclass;
SELECT count(*) FROM sdc_scores WHERE source = 'tiny'::regclass AND method = 'external';
SELECT count(*) FROM sdc_ru_map WHERE source = 'tiny'::regclass;
SELECT helper.catch($$SELECT FROM sdc_score('score.gated_copy')$$);
-- also when only a column of the catalog is asked for
SELECT count(method) FROM sdc_scores WHERE release = 'gated_copy'::regclass;
-- scan_filters tells whether a condition is at the scan of the releases, below the measuring.
CREATE FUNCTION score.scan_filters(query text, condition text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json, COSTS off) ' || query INTO plan;
	RETURN jsonb_path_exists(plan, format('$.** ? (@."Function Name" == "releases" && @.Filter like_regex "%1$s")', condition)::jsonpath);
END
$$;
SELECT score.scan_filters($$SELECT * FROM sdc_scores WHERE release = 'tiny_swapped'::regclass$$, 'release.{0,8} = ') AS release,
	score.scan_filters($$SELECT * FROM sdc_scores WHERE source = 'tiny'::regclass$$, 'source.{0,8} = ') AS source,
	score.scan_filters($$SELECT * FROM sdc_scores WHERE method = 'external'$$, 'method = .*external') AS method,
	score.scan_filters($$SELECT * FROM sdc_ru_map WHERE source = 'tiny'::regclass$$, 'source.{0,8} = ') AS map_source,
	-- the frontier needs all releases of a source
	score.scan_filters($$SELECT * FROM sdc_ru_map WHERE release = 'tiny_swapped'::regclass$$, 'release.{0,8} = ') AS map_release;
RESET score.closed;
SELECT sdc_unregister('gated_copy');

-- The frontier, against its definition: no other release of the source is better in one
-- respect and at least as good in the other.
CREATE TABLE map AS SELECT i AS id, helper.uniform(i, 1) AS a, helper.below(i, 2, 30) + 1 AS b FROM generate_series(1, 60) AS i;
CREATE TABLE map_2 AS TABLE map;
SELECT count(*) FROM generate_series(1, 8) AS i, LATERAL sdc_rankswap('map', p => 3 * i, key => '{id}', target => 'score.map_p' || i, seed => i) AS r;
SELECT count(*) FROM generate_series(1, 3) AS i, LATERAL sdc_rankswap('map_2', p => 10 * i, key => '{id}', target => 'score.map2_p' || i, seed => i) AS r;
-- the same release twice, another with the same loss, another with the same risk
CREATE TABLE map_same AS TABLE map_p2;
CREATE TABLE map_copy AS TABLE map;
CREATE TABLE map_external AS TABLE map_p4;
SELECT sdc_register('map', 'map_same', '{a,b}', '{id}', 'rankswap', '{"p": 6}'), sdc_register('map', 'map_copy', '{a,b}', '{id}'), sdc_register('map', 'map_external', '{a,b}', '{id}');
SELECT m.source, count(*) AS releases, count(*) FILTER (WHERE on_frontier) > 1 AS several, bool_and(on_frontier = NOT EXISTS (
	SELECT FROM sdc_scores AS o WHERE o.source = m.source AND (o.people_found < m.people_found AND o.il <= m.loss OR o.people_found <= m.people_found AND o.il < m.loss))) AS as_defined
FROM sdc_ru_map AS m WHERE source IN ('map'::regclass, 'map_2'::regclass) GROUP BY m.source ORDER BY m.source::text COLLATE "C";
SELECT count(DISTINCT on_frontier) AS same, count(*) FROM sdc_ru_map WHERE source = 'map'::regclass AND release IN ('map_p2'::regclass, 'map_same'::regclass);
SELECT m.on_frontier, m.loss = 0 AS no_loss FROM sdc_ru_map AS m WHERE source = 'map'::regclass AND release = 'map_copy'::regclass;
SELECT bool_and(m.dr = s.dr AND m.loss = s.il AND m.people_found = s.people_found) AS same_numbers, count(*) FROM sdc_ru_map AS m JOIN sdc_scores AS s USING (release) WHERE m.source = 'map'::regclass AND s.source = 'map'::regclass;
-- points on a grid, many of them ties: the expression of the view, and its definition
SELECT count(*) AS points, count(*) FILTER (WHERE on_frontier) > 0 AS some, bool_and(on_frontier = NOT EXISTS (SELECT FROM generate_series(1, 200) AS j WHERE j % 3 = i % 3 AND
	(helper.below(j, 1, 9) < risk AND helper.below(j, 2, 9) <= il OR helper.below(j, 1, 9) <= risk AND helper.below(j, 2, 9) < il))) AS as_defined
FROM (SELECT i, s.risk, s.il, s.il <= min(s.il) OVER (PARTITION BY i % 3 ORDER BY s.risk RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
		AND NOT COALESCE(s.il >= min(s.il) OVER (PARTITION BY i % 3 ORDER BY s.risk GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), false) AS on_frontier
	FROM (SELECT i, helper.below(i, 1, 9) AS risk, helper.below(i, 2, 9) AS il FROM generate_series(1, 200) AS i) AS s) AS m;
DROP TABLE map_p1;
SELECT count(*) FROM sdc_ru_map WHERE source = 'map'::regclass;

-- The smallest budget: what does not fit is in temporary files, and every number is the same.
CREATE TABLE large (id int PRIMARY KEY, a int, b int, c int);
INSERT INTO large SELECT i, i, i % 1000, -i FROM generate_series(1, 20000) AS i;
CREATE TABLE large_copy AS TABLE large;
SELECT sdc_register('large', 'large_copy', '{a,b,c}', '{id}', 'rankswap', '{"p": 1}');
\pset tuples_only on
SET maintenance_work_mem = '64MB';
CREATE TABLE much AS SELECT c, md5(query_to_xml('SELECT * FROM sdc_' || c, true, true, '')::text) AS found FROM unnest(ARRAY[$$link_distance('large_copy')$$, $$link_probabilistic('large_copy', sample => 300, seed => 1)$$,
	$$link_rankswap('large_copy', sample => 300, seed => 1)$$, $$disclosure_risk('large_copy', sample => 100, seed => 1)$$, $$record_risk('large_copy', sample => 100, seed => 1)$$, $$score('large_copy', sample => 100, seed => 1)$$, $$baseline('large_copy', sample => 100, seed => 1)$$]) AS c;
SET maintenance_work_mem = '1MB';
SELECT c, found = md5(query_to_xml('SELECT * FROM sdc_' || c, true, true, '')::text) AS same FROM much ORDER BY c COLLATE "C";
SET temp_file_limit = 64;
SELECT translate(helper.catch($$SELECT FROM sdc_score('score.large_copy')$$), '"', '');
RESET temp_file_limit;
SELECT dr, problem FROM sdc_scores WHERE release = 'large_copy'::regclass;
RESET maintenance_work_mem;
SET maintenance_work_mem = '64MB';
SELECT round(interval_disclosure::numeric, 6) AS interval_disclosure, rsld > 60 AS rsld FROM sdc_score('large_copy', known_max => 1, sample => 10, seed => 1);
RESET maintenance_work_mem;
SELECT count(*) FROM sdc_progress;
\pset tuples_only off
SELECT sdc_unregister('large_copy');

DROP TABLE large, large_copy;

RESET search_path;

-- A key that the source got later is not the key of the release.
CREATE TABLE later AS SELECT i % 5 AS a, i AS b, i AS c, i * 7 % 31 AS x FROM generate_series(1, 30) AS i;
SELECT count(*) FROM sdc_rankswap('later', 20, columns => '{x}', seed => 1);
SELECT round(il::numeric, 6) AS il, round(dld::numeric, 6) AS dld FROM sdc_score('later_rankswap');
ALTER TABLE later ADD PRIMARY KEY (a, b, c);
SELECT round(il::numeric, 6) AS il, round(dld::numeric, 6) AS dld FROM sdc_score('later_rankswap');

-- A generated column can be the key.
CREATE TABLE computed (a int, k int GENERATED ALWAYS AS (a * 2) STORED, x int);
INSERT INTO computed (a, x) SELECT i, i * 7 % 31 FROM generate_series(1, 30) AS i;
SELECT count(*) FROM sdc_rankswap('computed', 20, columns => '{x}', key => '{k}', seed => 1);
SELECT count(*) AS records, min(record::int) AS first FROM sdc_link_distance('computed_rankswap');

-- Columns that change their names with each other are a change.
CREATE TABLE renamed (id int PRIMARY KEY, x int, y int);
INSERT INTO renamed SELECT i, i * 7 % 31, 1000 * i FROM generate_series(1, 30) AS i;
SELECT count(*) FROM sdc_rankswap('renamed', 20, seed => 1);
ALTER TABLE renamed RENAME x TO z;
ALTER TABLE renamed RENAME y TO x;
ALTER TABLE renamed RENAME z TO y;
SELECT helper.catch($$SELECT * FROM sdc_score('renamed_rankswap')$$);

-- Values far from 0 and near each other keep their distances.
CREATE TABLE distant (id int PRIMARY KEY, x float8, y bigint);
INSERT INTO distant VALUES (1, 1e-3, 1152921504606847000), (2, 3e-3, 1152921504606848500);
CREATE TABLE distant_copy AS SELECT id, CASE id WHEN 1 THEN 3e-3::float8 ELSE 1e-3 END AS x, y FROM distant;
SELECT sdc_register('distant', 'distant_copy', '{x,y}', '{id}');
SELECT record, round(distance::numeric, 12) AS distance, ties, correct FROM sdc_link_distance('distant_copy') ORDER BY record;

-- No measure depends on the units, be they as small or large as numbers can be.
CREATE TABLE units (id int PRIMARY KEY, x float8, y float8);
INSERT INTO units SELECT i, i, i * 7 % 31 FROM generate_series(1, 30) AS i;
CREATE TABLE units_far AS SELECT id, x * 1e-300 AS x, y * 1e300 AS y FROM units;
SELECT count(*) FROM sdc_rankswap('units', 20, seed => 1);
SELECT count(*) FROM sdc_rankswap('units_far', 20, key => '{id}', seed => 1);
SELECT bool_and(abs(a.value::float8 - b.value::float8) < 1e-9) AS same
FROM sdc_information_loss('units_rankswap') AS l, sdc_information_loss('units_far_rankswap') AS f,
	jsonb_each_text(to_jsonb(l)) AS a JOIN jsonb_each_text(to_jsonb(f)) AS b USING (key);

-- An attribute that is empty or constant does not keep the Mahalanobis distance from the others.
CREATE TABLE useless (id int PRIMARY KEY, a float8, b float8, c float8);
INSERT INTO useless SELECT i, i * 7 % 31, NULL, 5 FROM generate_series(1, 20) AS i;
CREATE TABLE useless_copy AS SELECT * FROM useless;
SELECT sdc_register('useless', 'useless_copy', '{a,b,c}', '{id}');
SELECT sum(ties) AS ties, bool_and(correct) AS correct FROM sdc_link_distance('useless_copy', metric => 'mahalanobis');

-- Many sets of attributes in which records agree, in little memory.
SELECT format('CREATE TABLE sets AS SELECT i AS id, %s FROM generate_series(1, 400) AS i',
	string_agg(format('helper.below(i, %s, 3) AS a%s', c, c), ', ')) FROM generate_series(1, 24) AS c \gexec
SELECT helper.catch($$SELECT count(*) FROM sdc_rankswap('sets', 20, key => '{id}', seed => 1)$$);
CREATE TABLE sets_much AS SELECT * FROM sdc_link_probabilistic('sets_rankswap');
SET maintenance_work_mem = '1MB';
SELECT count(*) AS differ FROM (SELECT * FROM sdc_link_probabilistic('sets_rankswap') EXCEPT TABLE sets_much) AS d;
RESET maintenance_work_mem;

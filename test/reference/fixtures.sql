-- fixtures.sql
--		Files protected by another implementation, and what it has measured of them.
--
-- Protected files of Tarragona and of a table of ten records, with every measure at full
-- precision, are beside the reference data (fixtures/rankswap); they are loaded into the
-- schema fixture where they are there.  All that the inputs determine agrees to
-- 1e-9.  The one-to-one assignment is not determined: its optimum is not unique.

\ir lib/check.sql

SELECT to_regclass('fixture.measures') IS NULL AS missing \gset
\if :missing
	\echo 'ok - protected files of another implementation # SKIP fixtures/rankswap is not beside the reference data'
	\ir lib/finish.sql
	\quit
\endif

-- One row per file.  The parameter of the table of ten records counts positions, not percent.
CREATE TEMP TABLE file AS
SELECT name, format('fixture.%I', name)::regclass AS release,
	CASE WHEN name ~ '^toy' THEN 'fixture.toy_original' ELSE 'ref.tarragona' END::regclass AS source,
	CASE WHEN name ~ 'buckets' THEN 'rankswap_buckets' WHEN name ~ 'pdist' THEN 'rankswap_distribution'
		ELSE 'rankswap' END AS method,
	jsonb_build_object(CASE WHEN name ~ 'buckets' THEN 'buckets' ELSE 'p' END,
		CASE WHEN name = 'toy_protected_p2' THEN 20
			WHEN name ~ '^toy' AND name !~ 'buckets' THEN 10 * (m->>'parameter')::int
			ELSE (m->>'parameter')::int END) AS parameters,
	(m->>'n')::int AS n, (m->>'k')::int AS k, (m->>'half')::int AS half, m,
	(SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute
		WHERE attrelid = format('fixture.%I', name)::regclass AND attnum > 0 AND attname <> 'id') AS columns
FROM fixture.measures, json_each(content) AS e (name, m)
ORDER BY name;

SELECT pg_temp.ok(count(*) = 9 AND bool_and(cardinality(columns) = k), 'nine protected files, with as many attributes as their measures say')
FROM file;
SELECT FROM file, LATERAL sdc_register(source, release, columns, '{id}', method, parameters);
SELECT pg_temp.ok(count(*) = 9 AND bool_and(r.records = n), 'all are registered')
FROM file JOIN sdc_releases AS r USING (release);

--
-- What is expected, by measure and number of known attributes (0: none)
--
CREATE TEMP TABLE wanted (name text, measure text, known int, theirs float8);
INSERT INTO wanted
SELECT name, measure, 0, (m->>measure)::float8
FROM file, unnest('{IL1,IL2,IL3,IL4,IL5,IL,IL1s,IL1_zero_as_0,IL3_offdiag,ID}'::text[]) AS measure
UNION ALL
SELECT name, measure, known, value::float8
FROM file, unnest('{db_per_c,rs_per_c,rs_unique_per_c}'::text[]) AS measure,
	json_array_elements_text(m->'links'->measure) WITH ORDINALITY AS v (value, known)
UNION ALL
SELECT name, measure, known, value::float8
FROM file, unnest('{DLD_per_c,RSLD_per_c,RSLD_window_133_per_c}'::text[]) AS measure,
	json_array_elements_text(m->measure) WITH ORDINALITY AS v (value, known)
UNION ALL
SELECT name, format('annotated union, window of %s', m->'union_windows'->>(place::int - 1)), 0, value::float8
FROM file, json_array_elements_text(m->'links'->'annotated_union') WITH ORDINALITY AS v (value, place)
UNION ALL
SELECT name, part || ' ' || measure, 0, (m->part->>measure)::float8
FROM file, unnest('{average,average_half}'::text[]) AS part,
	unnest('{DLD,RSLD,DR_standard,DR_combined,DR_rs_only,Score_standard,Score_combined,Score_rs_only}'::text[]) AS measure;

--
-- What the functions say.  how: the function
--
CREATE TEMP TABLE found (name text, measure text, known int, how text, ours float8);

-- IL1 with terms of 0 for originals of 0, and IL3 without the variances, follow from ours
INSERT INTO found
SELECT name, v.measure, 0, 'sdc_information_loss', v.value
FROM file, LATERAL sdc_information_loss(release) AS l,
	LATERAL (VALUES ('IL1', l.il1), ('IL2', l.il2), ('IL3', l.il3), ('IL4', l.il4), ('IL5', l.il5), ('IL', l.il),
		('IL1s', l.il1s), ('IL1_zero_as_0', l.il1 * (1 - l.il1_left_out / (n * k)::float8)),
		('IL3_offdiag', l.il3 * (k + 1) / (k - 1))) AS v (measure, value);

INSERT INTO found
SELECT name, 'ID', 0, 'sdc_interval_disclosure', avg(percent)
FROM file, LATERAL sdc_interval_disclosure(release) GROUP BY name;

-- The other implementation has three readings of DR: "standard" is dr_generic, "combined"
-- is dr, and the third is rank swapping record linkage alone.  The links by agreement, which
-- are compared below, are taken to be those that are expected.
CREATE FUNCTION pg_temp.readings(il float8, dld float8, pld float8, rsld float8, interval_disclosure float8, dr float8, dr_generic float8, score float8, score_generic float8, wanted float8)
RETURNS TABLE (measure text, value float8) LANGUAGE sql AS $$
	VALUES ('DLD', dld), ('RSLD', rsld), ('DR_standard', dr_generic + (wanted - pld) / 4), ('DR_combined', dr + (wanted - pld) / 6),
		('DR_rs_only', (rsld + interval_disclosure) / 2), ('Score_standard', score_generic + (wanted - pld) / 8), ('Score_combined', score + (wanted - pld) / 12),
		('Score_rs_only', (il + (rsld + interval_disclosure) / 2) / 2)
$$;
INSERT INTO found
SELECT name, part || ' ' || measure, 0, 'sdc_score', value
FROM file, (VALUES ('average', false), ('average_half', true)) AS p (part, halved),
	LATERAL sdc_score(release, known_max => CASE WHEN halved THEN half END) AS s,
	LATERAL pg_temp.readings(il, dld, pld, rsld, interval_disclosure, dr, dr_generic, score, score_generic, (m->part->>'PLD')::float8) AS r;
INSERT INTO found
SELECT name, v.measure, 0, 'sdc_score', v.value
FROM file, LATERAL sdc_score(release) AS s, LATERAL (VALUES ('IL', il), ('ID', interval_disclosure)) AS v (measure, value);

INSERT INTO found
SELECT name, v.measure, known, 'sdc_disclosure_risk', v.value
FROM file, LATERAL sdc_disclosure_risk(release) AS r,
	LATERAL (VALUES ('distance', 'db_per_c', r.linked), ('distance', 'DLD_per_c', r.percent),
		('rankswap', 'rs_per_c', r.linked), ('rankswap', 'RSLD_per_c', r.percent)) AS v (attack, measure, value)
WHERE v.attack = r.attack;

INSERT INTO found
SELECT name, 'db_per_c', known, 'sdc_link_distance', sum(CASE WHEN correct THEN 1.0 / ties ELSE 0 END)
FROM file, generate_series(1, k) AS known, LATERAL sdc_link_distance(release, columns[:known])
GROUP BY name, known;

INSERT INTO found
SELECT name, v.measure, known, 'sdc_link_rankswap', v.value
FROM (SELECT name, known, sum(CASE WHEN correct THEN 1.0 / ties ELSE 0 END) AS links,
		count(*) FILTER (WHERE candidates = 1 AND correct) AS certain
	FROM file, generate_series(1, k) AS known, LATERAL sdc_link_rankswap(release, known => columns[:known])
	GROUP BY name, known) AS l,
	LATERAL (VALUES ('rs_per_c', links), ('rs_unique_per_c', certain)) AS v (measure, value);

-- an intruder who thinks that p is 16
INSERT INTO found
SELECT name, 'RSLD_window_133_per_c', known, 'sdc_link_rankswap', 100 * avg(CASE WHEN correct THEN 1.0 / ties ELSE 0 END)
FROM file, generate_series(1, k) AS known, LATERAL sdc_link_rankswap(release, 16, columns[:known])
WHERE m->'RSLD_window_133_per_c' IS NOT NULL
GROUP BY name, known;

INSERT INTO found
SELECT name, format('annotated union, window of %s', width), 0, 'sdc_link_rankswap',
	sum(CASE WHEN correct THEN 1.0 / ties ELSE 0 END)
FROM file, json_array_elements_text(m->'union_windows') AS width,
	LATERAL sdc_link_rankswap(release, 100.0 * width::int / n, columns[:half], 'union')
GROUP BY name, width;

SELECT pg_temp.ok(bool_and(abs(ours - theirs) <= 1e-9 * greatest(1, abs(theirs))) AND bool_and(ours IS NOT NULL AND theirs IS NOT NULL),
	format('%s: %s%s by %s', name, measure, CASE WHEN max(known) > 0 THEN format(' (%s values)', count(*)) ELSE '' END, how),
	format('largest difference %s; ours %s, expected %s', max(abs(ours - theirs)), array_agg(ours ORDER BY known),
		array_agg(theirs ORDER BY known)))
FROM wanted FULL JOIN found USING (name, measure, known)
GROUP BY name, measure, how
ORDER BY name, measure, how;

--
-- The window of a method, in positions, is that of the other implementation
--
SELECT pg_temp.ok(bool_and(o IS NOT DISTINCT FROM e), format('%s: the window of the method is %s positions', name, m->>'rs_window'))
FROM file, LATERAL (SELECT o, e
	FROM sdc_link_rankswap(release) AS o
	FULL JOIN sdc_link_rankswap(release, 100.0 * (m->>'rs_window')::int / n) AS e USING (record)) AS both_ways
GROUP BY name, m->>'rs_window'
ORDER BY name;

--
-- Certain links, record by record
--
SELECT pg_temp.ok(count(*) FILTER (WHERE certain) = (m->'links'->'rs_unique_per_c'->>(k - 1))::float8,
	format('%s: sdc_link_release says that %s links are certain', name, (m->'links'->'rs_unique_per_c'->>(k - 1))::float8),
	(count(*) FILTER (WHERE certain))::text)
FROM file, LATERAL sdc_link_release(release)
GROUP BY name, m->'links'->'rs_unique_per_c'->>(k - 1), k
ORDER BY name;

--
-- Probabilistic linkage
--
-- With many attributes the estimation has not come to rest when it stops, and what it has found
-- depends on how sums are rounded: weights that are equal here are nearly equal there.
\set few 2
WITH pair AS (
	SELECT name, known, linked AS ours, value::float8 AS theirs
	FROM file, LATERAL sdc_disclosure_risk(release) AS r,
		json_array_elements_text(m->'links'->'pl_nearest_per_c') WITH ORDINALITY AS v (value, c)
	WHERE attack = 'probabilistic' AND c = known
)
SELECT pg_temp.ok(count(*) > 0 AND bool_and(abs(ours - theirs) <= :few),
	format('%s: probabilistic links, nearest, within %s for every number of known attributes', name, :few),
	format('largest difference %s; ours %s, expected %s', max(abs(ours - theirs)), array_agg(ours ORDER BY known),
		array_agg(theirs ORDER BY known)))
FROM pair GROUP BY name ORDER BY name;

-- The correct links among equally good assignments differ by up to 18 in the other
-- implementation itself, when it sees the records in another order.
\set few 30
CREATE TEMP TABLE assigned AS
SELECT name, known, n, a.*
FROM file, generate_series(1, k) AS known, LATERAL sdc_link_probabilistic(release, columns[:known], 'one-to-one') AS a;
WITH pair AS (
	SELECT name, known, ours, value::float8 AS theirs
	FROM (SELECT name, known, count(*) FILTER (WHERE correct) AS ours FROM assigned GROUP BY name, known) AS a
	JOIN file USING (name),
		json_array_elements_text(m->'links'->'pl_lsa_per_c') WITH ORDINALITY AS v (value, c)
	WHERE c = known
)
SELECT pg_temp.ok(bool_and(abs(ours - theirs) <= :few),
	format('%s: probabilistic links, one to one, within %s for every number of known attributes', name, :few),
	format('largest difference %s; ours %s, expected %s', max(abs(ours - theirs)), array_agg(ours ORDER BY known),
		array_agg(theirs ORDER BY known)))
FROM pair GROUP BY name ORDER BY name;
SELECT pg_temp.ok(bool_and(records = n AND linked = n), format('%s: every assignment is one to one', name))
FROM (SELECT name, n, known, count(*) AS records, count(DISTINCT linked) AS linked FROM assigned GROUP BY name, n, known) AS a
GROUP BY name ORDER BY name;

--
-- The example of the method's authors: the record (6, 7, 10, 2), protected as (5, 5, 8, 1)
--
CREATE TEMP VIEW example AS SELECT id FROM fixture.toy_original WHERE (a1, a2, a3, a4) = (6, 7, 10, 2);
CREATE FUNCTION pg_temp.protected_values(record text)
RETURNS text LANGUAGE sql AS $$
	SELECT format('(%s,%s,%s,%s)', a1, a2, a3, a4) FROM fixture.toy_protected_p2 WHERE id::text = record
$$;

-- the attribute has the values 1 to 10, so a position is a value
SELECT pg_temp.ok(array_agg(pg_temp.protected_values(id::text) ORDER BY id) =
		'{"(5,5,8,1)","(3,9,1,7)","(2,6,9,8)","(6,7,6,3)","(1,8,7,9)"}',
	'B(attribute 2 = 7) are five records', array_agg(pg_temp.protected_values(id::text) ORDER BY id)::text)
FROM fixture.toy_protected_p2 WHERE a2 BETWEEN 7 - 2 AND 7 + 2;
SELECT pg_temp.ok(candidates = 5 AND pg_temp.protected_values(linked) = '(6,7,6,3)' AND NOT correct,
	'sdc_link_rankswap by attribute 2 leaves five, and takes the nearest, (6,7,6,3)', l::text)
FROM sdc_link_rankswap('fixture.toy_protected_p2', known => '{a2}') AS l JOIN example ON id::text = record;
SELECT pg_temp.ok(candidates = 1 AND pg_temp.protected_values(linked) = '(5,5,8,1)' AND correct,
	'sdc_link_rankswap by all four leaves (5,5,8,1), the correct link', l::text)
FROM sdc_link_rankswap('fixture.toy_protected_p2') AS l JOIN example ON id::text = record;
SELECT pg_temp.ok(certain AND candidates = 1 AND 'nearest' = ANY (attacks), 'sdc_record_risk says that it is certain', r::text)
FROM sdc_record_risk('fixture.toy_protected_p2') AS r JOIN example ON id::text = record;
SELECT pg_temp.ok(pg_temp.protected_values(linked) = protected AND correct = (protected = '(5,5,8,1)') AND ties = 1
		AND abs(distance - expected / 3.0276503540974917) < 1e-12,
	format('%s distance with %s known: %s', metric, known, protected), l::text)
FROM (VALUES ('euclidean', 1, '(6,7,6,3)', 0), ('euclidean', 2, '(6,7,6,3)', 0), ('euclidean', 3, '(5,5,8,1)', 3),
		('euclidean', 4, '(5,5,8,1)', sqrt(10)), ('manhattan', 4, '(6,7,6,3)', 5)) AS v (metric, known, protected, expected),
	LATERAL sdc_link_distance('fixture.toy_protected_p2', ('{a1,a2,a3,a4}'::name[])[:known], metric) AS l
JOIN example ON id::text = record;

SELECT FROM file, LATERAL sdc_unregister(release);
\ir lib/finish.sql

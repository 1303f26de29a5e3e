--
-- rankswap_published
--
-- J. Nin, J. Herranz, V. Torra, "Rethinking rank swapping to decrease disclosure risk" (2008): its toy table with the
-- measures of its Tables 2 and 3, and an intruder who knows another p than that of the release.
--
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE SCHEMA rankswap_published;
SET search_path = rankswap_published, public;

-- Table 1: ten records, p = 2 positions.
CREATE TABLE toy (id int PRIMARY KEY, a1 int, a2 int, a3 int, a4 int);
INSERT INTO toy VALUES (1, 8, 9, 1, 3), (2, 6, 7, 10, 2), (3, 10, 3, 4, 1), (4, 7, 1, 2, 6), (5, 9, 4, 6, 4), (6, 2, 2, 8, 8), (7, 1, 10, 3, 9), (8, 4, 8, 7, 10), (9, 5, 5, 5, 5), (10, 3, 6, 9, 7);
CREATE TABLE toy_protected (LIKE toy INCLUDING ALL);
INSERT INTO toy_protected VALUES (1, 10, 10, 3, 5), (2, 5, 5, 8, 1), (3, 8, 4, 2, 2), (4, 9, 2, 4, 4), (5, 7, 3, 5, 6), (6, 4, 1, 10, 10), (7, 3, 9, 1, 7), (8, 2, 6, 9, 8), (9, 6, 7, 6, 3), (10, 1, 8, 7, 9);
SELECT sdc_register('toy', 'toy_protected', '{a1,a2,a3,a4}', '{id}', 'rankswap', '{"p": 20}');

-- Table 2.  Every column is a permutation of 1 to 10, so means and variances stay.  The expected values are those of an
-- independent implementation of the definitions.  ID: a position is 10 percent, so a cell counts in one of ten windows if it
-- moved by one position: 12 of the 40 did.
SELECT round(il1::numeric, 6) AS il1, il2, round(il3::numeric, 6) AS il3, il4, round(il5::numeric, 6) AS il5, round(il::numeric, 5) AS il FROM sdc_information_loss('toy_protected');
SELECT 10.0 * count(*) FILTER (WHERE abs(o.v - p.v) <= 1) / 40 AS id_by_hand
FROM toy AS t, unnest(ARRAY[a1, a2, a3, a4]) WITH ORDINALITY AS o (v, i), LATERAL (SELECT (ARRAY[a1, a2, a3, a4])[o.i] AS v FROM toy_protected AS r WHERE r.id = t.id) AS p;
SELECT round(interval_disclosure::numeric, 6) AS id, round(dld::numeric, 6) AS dld, pld, round(rsld::numeric, 6) AS rsld, round(score::numeric, 5) AS combined, round(score_generic::numeric, 5) AS standard,
	round(((il + rsld / 2 + interval_disclosure / 2) / 2)::numeric, 5) AS windows_alone FROM sdc_score('toy_protected');
SELECT round(score::numeric, 5) AS combined, round(((il + rsld / 2 + interval_disclosure / 2) / 2)::numeric, 5) AS windows_alone FROM sdc_score('toy_protected', known_max => 2);

-- Table 3: the links with 1, 2, 3 and 4 columns, and how many of those by windows are certain.
SELECT attack, array_agg(linked ORDER BY known) AS links FROM sdc_disclosure_risk('toy_protected') GROUP BY attack ORDER BY attack;
SELECT c AS known, count(*) FILTER (WHERE candidates = 1) AS certain
FROM generate_series(1, 4) AS c, LATERAL sdc_link_rankswap('toy_protected', known => ('{a1,a2,a3,a4}'::name[])[:c]) GROUP BY c ORDER BY c;

-- Example 2: (6,7,10,2) can have become (5,5,8,1) only, which the distance of all four columns finds too, at squared distance
-- 10 (in units) against 17 of (6,7,6,3); with the first or the first two columns it takes (6,7,6,3).
SELECT candidates, linked, correct FROM sdc_link_rankswap('toy_protected') WHERE record = '2';
SELECT c AS known, linked FROM generate_series(1, 4) AS c, LATERAL sdc_link_distance('toy_protected', ('{a1,a2,a3,a4}'::name[])[:c]) WHERE record = '2';
SELECT id, (a1 - 6) ^ 2 + (a2 - 7) ^ 2 + (a3 - 10) ^ 2 + (a4 - 2) ^ 2 AS squared FROM toy_protected WHERE id IN (2, 9);
SELECT candidates FROM sdc_link_rankswap('toy_protected', known => '{a2}') WHERE record = '2';

-- An intruder who knows another p, on releases of all three methods of a table with ties: by the definition, over all pairs.
CREATE TABLE person AS SELECT i AS id, helper.below(i, 1, 60) AS a, helper.below(i, 2, 400) AS b, helper.uniform(i, 3) AS c FROM generate_series(1, 150) AS i;
ALTER TABLE person ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('person', 6, '{a,b,c}', 'standard', seed => 1);
SELECT count(*) FROM sdc_rankswap_distribution('person', 6, '{a,b,c}', 'distribution', seed => 1);
SELECT count(*) FROM sdc_rankswap_buckets('person', 20, '{a,b,c}', 'buckets', seed => 1);
CREATE TABLE moved AS TABLE standard;
SELECT sdc_register('person', 'moved', '{a,b,c}', '{id}');
-- naive is the links by windows of w positions of the first columns, and the nearest inside; ties share.  A window is from the
-- value w positions before the first of the value's own to that w positions behind the last: the columns are permuted.
CREATE FUNCTION naive(release regclass, known int, w int) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	names CONSTANT name[] := ('{a,b,c}'::name[])[:known];
	result float8;
BEGIN
	EXECUTE format($sql$
		WITH s AS MATERIALIZED (SELECT id, %2$s FROM person AS s),
		pair AS (SELECT s.id AS s, r.id AS r, %3$s AS measure FROM s, %1$s AS r, (SELECT stddev_samp(a) AS a, stddev_samp(b) AS b, stddev_samp(c) AS c FROM person) AS sd WHERE %4$s),
		best AS (SELECT s, min(measure) AS least FROM pair GROUP BY s),
		tied AS (SELECT s, count(*) AS ties, bool_or(s = r) AS correct FROM pair JOIN best USING (s) WHERE measure <= least * (1 + 1e-9) GROUP BY s)
		SELECT coalesce(sum(1.0 / ties) FILTER (WHERE correct), 0) FROM tied
	$sql$, release, (SELECT string_agg(format($x$%1$I, (SELECT %1$I FROM person AS x ORDER BY %1$I LIMIT 1 OFFSET greatest((SELECT count(*) FROM person AS x WHERE x.%1$I < s.%1$I) - %2$s, 0)) AS %1$I_from,
			(SELECT %1$I FROM person AS x ORDER BY %1$I LIMIT 1 OFFSET least((SELECT count(*) FROM person AS x WHERE x.%1$I <= s.%1$I) - 1 + %2$s, 149)) AS %1$I_to$x$, n, w), ', ') FROM unnest(names) AS n),
		(SELECT string_agg(format('((s.%1$I - r.%1$I) / sd.%1$I) ^ 2', n), ' + ') FROM unnest(names) AS n),
		(SELECT string_agg(format('r.%1$I BETWEEN s.%1$I_from AND s.%1$I_to', n), ' AND ') FROM unnest(names) AS n)) INTO result;
	RETURN result;
END $$;
-- 1.5, 3, 6, 9, 12 and 20 percent of 150 records: 2 (rounded half up), 5, 9, 14, 18 and 30 positions
SELECT r.release, bool_and(abs(k.linked - naive(r.release, k.known, w.w)) < 1e-9) AS same, count(*), count(DISTINCT round(k.linked::numeric, 6)) AS different
FROM unnest('{standard,distribution,buckets,moved}'::regclass[]) AS r (release), (VALUES (1.5, 2), (3, 5), (6, 9), (9, 14), (12, 18), (20, 30)) AS w (p, w),
	LATERAL sdc_disclosure_risk(r.release, p => w.p) AS k WHERE k.attack = 'rankswap' GROUP BY r.release ORDER BY r.release::text;
-- without p, and with that of the release; the window of the buckets is 2 ceil(150 / 20) = 16 positions
SELECT r.release, bool_and(own.linked = k.linked) AS as_own
FROM (VALUES ('standard'::regclass, 6), ('distribution', 6), ('buckets', 16 / 1.5)) AS r (release, p), LATERAL sdc_disclosure_risk(r.release) AS own, LATERAL sdc_disclosure_risk(r.release, p => r.p) AS k
WHERE (own.attack, own.known) = (k.attack, k.known) GROUP BY r.release ORDER BY r.release::text;
-- the other attacks stay; a release that tells nothing of its method is attacked by windows with p only
SELECT count(*), bool_and(own.linked = k.linked) AS same FROM sdc_disclosure_risk('standard') AS own JOIN sdc_disclosure_risk('standard', p => 30) AS k USING (attack, known) WHERE attack <> 'rankswap';
SELECT string_agg(DISTINCT own.attack, ' ') AS own, string_agg(DISTINCT k.attack, ' ') AS with_p FROM sdc_disclosure_risk('moved') AS own FULL JOIN sdc_disclosure_risk('moved', p => 6) AS k USING (attack, known);
-- The score follows: rsld is the mean of these links, dr and score what follows from it; people are found by the windows of the release.
SELECT r.release, w.p, abs(k.rsld - w.rsld) < 1e-9 AS rsld, abs(k.dr - (k.rsld + k.dld + k.pld) / 6 - k.interval_disclosure / 2) < 1e-9 AS dr, abs(k.score - (k.il + k.dr) / 2) < 1e-9 AS score,
	(k.people_found, k.certain_percent, k.dld, k.pld, k.il, k.dr_generic) IS NOT DISTINCT FROM (own.people_found, own.certain_percent, own.dld, own.pld, own.il, own.dr_generic) AS others, k.rsld <> own.rsld AS differs
FROM unnest('{standard,distribution,buckets,moved}'::regclass[]) AS r (release), LATERAL (SELECT p, avg(percent) AS rsld FROM unnest('{3,12}'::float8[]) AS p, LATERAL sdc_disclosure_risk(r.release, p => p) WHERE attack = 'rankswap' GROUP BY p) AS w,
	LATERAL sdc_score(r.release, p => w.p) AS k, LATERAL sdc_score(r.release) AS own ORDER BY r.release::text, w.p;
SELECT count(*) FROM sdc_disclosure_risk('standard', '{c,a}', 2, 40, 'a seed', 12);
SELECT k.linked = s.linked AS sampled FROM sdc_disclosure_risk('standard', sample => 40, seed => 1, p => 12) AS k,
	(SELECT sum(CASE WHEN correct THEN 1.0 / ties ELSE 0 END) AS linked FROM sdc_link_rankswap('standard', 12, sample => 40, seed => 1)) AS s WHERE (attack, known) = ('rankswap', 3);
-- What is out of range.
SELECT f || ' ' || p || E'\n  ' || helper.catch(format('SELECT FROM sdc_%s(''standard'', p => %s)', f, p)) FROM unnest('{disclosure_risk,score}'::text[]) AS f, unnest('{0,-1,100.5,''NaN''}'::text[]) AS p;
SELECT count(*) AS all_of_it FROM sdc_score('standard', p => 100);
DROP SCHEMA rankswap_published CASCADE;

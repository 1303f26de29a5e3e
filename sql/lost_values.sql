--
-- lost_values
--
-- What the source has and the release lacks: more of it is never less loss, and everything that reads the loss shows it.
--
\pset format unaligned
\pset footer off
SET max_parallel_workers_per_gather = 0;	-- many measures, which are not about plans
SET max_parallel_maintenance_workers = 0;
CREATE SCHEMA lost_values;
SET search_path = lost_values, public;
SET client_min_messages = warning;
SET extra_float_digits = 0;

CREATE TABLE person AS
SELECT i AS id, (20 + 60 * helper.uniform(i, 91))::int AS age, round((1000 * exp(2 * helper.uniform(i, 92)))::numeric, 2) AS income,
	CASE WHEN i % 10 > 0 THEN 150 + 40 * helper.uniform(i, 93) END AS size, CASE WHEN i % 3 = 0 THEN 0 ELSE i % 7 END AS children
FROM generate_series(1, 200) AS i;
ALTER TABLE person ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('person', p => 10, columns => '{age,income,size,children}', seed => 1);

-- suppress makes a release of another one, in which so many of 10 cells have no value any more: the same ones of fewer, too.
CREATE FUNCTION suppress(target text, base text, tenths int, how text DEFAULT 'NULL') RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE %1$I AS SELECT id, CASE WHEN helper.below(id, 94, 10) < %3$s THEN %4$s ELSE age END AS age,
		CASE WHEN helper.below(id, 95, 10) < %3$s THEN %5$s ELSE income END AS income,
		CASE WHEN helper.below(id, 96, 10) < %3$s AND size IS NOT NULL THEN %5$s ELSE size END AS size,
		CASE WHEN helper.below(id, 97, 10) < %3$s THEN %4$s ELSE children END AS children FROM %2$I',
		target, base, tenths, 'NULL', how);
	PERFORM sdc_register('person', target::regclass);
END
$$;
SELECT suppress('lost_' || t, 'person', t), suppress('swapped_' || t, 'person_rankswap', t) FROM generate_series(0, 10) AS t;
SELECT suppress('nan', 'person', 4, $$'NaN'$$), suppress('infinite', 'person', 4, $$'-Infinity'$$);

-- No measure falls as more is suppressed.
CREATE VIEW measured AS
SELECT kind, t, l.* FROM unnest('{lost,swapped}'::text[]) AS kind, generate_series(0, 10) AS t, sdc_information_loss(('lost_values.' || kind || '_' || t)::regclass) AS l;
CREATE TABLE kept AS SELECT * FROM measured;
SELECT kind, t, lost, il1_left_out, il2_left_out, il3_left_out, il4_left_out, il5_left_out, il1s_left_out, pil_left_out FROM kept WHERE t IN (0, 1, 10) ORDER BY kind, t;
SELECT kind, e.key, count(*) AS steps, bool_and(e.value::float8 >= COALESCE(b.value::float8, 0) * (1 - 1e-9)) AS never_less,
	bool_and(k.t = 0 OR e.value::float8 > 0) AS not_zero
FROM kept AS k JOIN kept AS before USING (kind), jsonb_each_text(to_jsonb(k)) AS e, jsonb_each_text(to_jsonb(before)) AS b
WHERE before.t = k.t - 1 AND b.key = e.key AND e.key NOT IN ('kind', 't') GROUP BY kind, e.key ORDER BY kind, e.key;
-- all is lost: of what there was nothing is known
SELECT kind, il1 >= 1 AS il1, il2 >= 1 AS il2, il3 >= 1 AS il3, il4 >= 1 AS il4, il5 = 2 AS il5, round(pil::numeric, 1) AS pil FROM kept WHERE t = 10 ORDER BY kind;
-- as before where nothing is lost
SELECT il, il1s, pil, lost FROM kept WHERE kind = 'lost' AND t = 0;
SELECT bool_and(a.value = b.value) FROM kept AS k, jsonb_each_text(to_jsonb(k)) AS a, sdc_information_loss('person_rankswap') AS l, jsonb_each_text(to_jsonb(l)) AS b
WHERE k.kind = 'swapped' AND k.t = 0 AND a.key = b.key;
-- NaN and infinity are no values
SELECT r, (SELECT to_jsonb(k) - 'kind' - 't' FROM kept AS k WHERE kind = 'lost' AND t = 4) = to_jsonb(l) AS same FROM unnest('{nan,infinite}'::regclass[]) AS r, sdc_information_loss(r) AS l;

-- The aggregate finds the same, in one piece and from states; but for the quantiles.
SELECT t, s.key, abs(s.value::float8 - k.value::float8) <= 1e-9 * k.value::float8 AS same
FROM (VALUES (3, 'lost_3'), (10, 'lost_10')) AS v (t, name),
	LATERAL (SELECT to_jsonb(kept) AS j FROM kept WHERE kept.kind = 'lost' AND kept.t = v.t) AS of_release,
	LATERAL (SELECT to_jsonb(sdc_information_loss(ARRAY[o.age, o.income, o.size, o.children], ARRAY[r.age, r.income, r.size, r.children])) AS j,
		to_jsonb((SELECT sdc_information_loss_merge(state) FROM (SELECT sdc_information_loss_state(ARRAY[p.age, p.income, p.size, p.children], ARRAY[q.age, q.income, q.size, q.children]) AS state
			FROM person AS p JOIN (SELECT 3 AS t, * FROM lost_3 UNION ALL SELECT 10, * FROM lost_10) AS q USING (id) WHERE q.t = v.t GROUP BY p.id % 6) AS parts)) AS merged
		FROM person AS o JOIN (SELECT 3 AS t, * FROM lost_3 UNION ALL SELECT 10, * FROM lost_10) AS r USING (id) WHERE r.t = v.t) AS a,
	jsonb_each_text(of_release.j) AS k, LATERAL (SELECT k.key, a.j ->> k.key AS value UNION ALL SELECT k.key, a.merged ->> k.key) AS s
WHERE k.key IN ('il1', 'il2', 'il3', 'il4', 'il5', 'il', 'il1s', 'pil_mean', 'pil_variance', 'pil_covariance', 'pil_correlation', 'lost') AND
	abs(s.value::float8 - k.value::float8) > 1e-9 * k.value::float8;
-- no pair in one column; a zero, and a constant; nothing where the source has nothing
SELECT (l).il1, (l).il2, (l).il3, (l).il4, (l).il5, (l).il, (l).il1s, (l).pil, (l).lost FROM (
	SELECT sdc_information_loss(ARRAY[0], ARRAY[CASE WHEN i > 1 THEN 0 END]) AS l FROM generate_series(1, 4) AS i) AS s;
SELECT (l).il1, (l).il2, (l).il3, (l).il4, (l).il5, (l).il, (l).il1s, (l).pil, (l).lost FROM (
	SELECT sdc_information_loss(ARRAY[8], ARRAY[NULL]::float8[]) AS l FROM generate_series(1, 4) AS i) AS s;
SELECT (l).il, (l).il5, (l).pil, (l).lost, (l).il1_left_out FROM (
	SELECT sdc_information_loss(ARRAY[nullif(i, 3), float8 'NaN'], ARRAY[nullif(i, 3), 1]) AS l FROM generate_series(1, 4) AS i) AS s;
-- one of two columns
SELECT (l).il1, (l).il2, (l).il4, (l).lost FROM (
	SELECT sdc_information_loss(ARRAY[i, 10], ARRAY[i, CASE WHEN i > 1 THEN 10 END]) AS l FROM generate_series(1, 4) AS i) AS s;

-- What reads the loss.
SELECT bool_and(s.il = k.il AND s.score = (k.il + s.dr) / 2) AS score FROM kept AS k, sdc_score('lost_10') AS s WHERE kind = 'lost' AND t = 10;
SELECT release, on_frontier, loss = (SELECT round(il::numeric, 1) FROM kept WHERE kind = 'lost' AND t = 10) AS loss
FROM sdc_ru_map WHERE source = 'person'::regclass AND release IN ('lost_10'::regclass);
SELECT count(*) FROM sdc_ru_map WHERE source = 'person'::regclass AND release <> 'lost_0'::regclass AND loss = 0;
SELECT measure, value, unit FROM sdc_summary('lost_4') WHERE part = 'score' AND measure <> 'disclosure risk' AND measure <> 'score';
SELECT measure, value, unit FROM sdc_summary('lost_0') WHERE measure ~ 'lost';
SELECT e.il = k.il AS evaluated FROM kept AS k, sdc_evaluate('swapped_6') AS e WHERE kind = 'swapped' AND t = 6;
-- and what limits are held against
SELECT (e.measures #>> '{judged,il}')::float8 = k.il AS il, (e.measures #>> '{judged,score}')::float8 > 100 AS score
FROM kept AS k, sdc_evaluate('lost_10') AS e WHERE kind = 'lost' AND t = 10;

DROP SCHEMA lost_values CASCADE;
RESET search_path;
RESET client_min_messages;
RESET extra_float_digits;

--
-- people
--
-- Whom an intruder finds by all columns of a release: the definition, pair by pair, in plain SQL; what copied
-- columns give away; what the functions refuse.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA people;
SET search_path = people, public;
SET maintenance_work_mem = '64MB';	-- whatever the server has
-- what checks is planned at a great cost, and run once
SET jit = off;

--
-- The definition: one condition for every known column, in SQL.  o is an original, r a released record.
--
-- gap_sql counts the positions between two values in the sorted released column, within a stratum.
CREATE FUNCTION gap_sql(release regclass, c name, same text) RETURNS text LANGUAGE sql
RETURN format($q$CASE WHEN r.%2$I IS NULL OR o.%2$I IS NULL THEN NULL WHEN r.%2$I = o.%2$I THEN 0 WHEN r.%2$I > o.%2$I
	THEN (SELECT count(*) FILTER (WHERE g.%2$I < r.%2$I) + 1 - count(*) FILTER (WHERE g.%2$I <= o.%2$I) FROM %1$s AS g WHERE %3$s)
	ELSE (SELECT count(*) FILTER (WHERE g.%2$I < o.%2$I) + 1 - count(*) FILTER (WHERE g.%2$I <= r.%2$I) FROM %1$s AS g WHERE %3$s) END$q$, release, c, same);

-- has_blanks tells whether a release lacks a value of a column that the source has: then every NULL there is a blank.  Permutation moves NULLs.
CREATE FUNCTION has_blanks(e sdc_releases, c name) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	result boolean;
BEGIN
	EXECUTE format('SELECT CASE WHEN %L THEN count(r.%I) < count(o.%2$I) ELSE count(*) FILTER (WHERE r.%2$I IS NULL AND o.%2$I IS NOT NULL) > 0 END FROM %s AS o JOIN %s AS r USING (id)',
		e.method = 'permute' AND c = ANY (e.columns), c, e.source, e.release) INTO result;
	RETURN result;
END
$$;
-- blank_sql tells of a released record whether it has a blank in a column.
CREATE FUNCTION blank_sql(e sdc_releases, c name, who text) RETURNS text LANGUAGE sql
RETURN CASE WHEN has_blanks(e, c) THEN format('%s.%I IS NULL', who, c) ELSE 'false' END;

-- window_sql: W from the method's parameter, times; NULL with NULL only, and within the stratum.
CREATE FUNCTION window_sql(e sdc_releases, c name, times int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	same text := coalesce((SELECT string_agg(format('g.%I IS NOT DISTINCT FROM o.%I', s, s), ' AND ') FROM unnest(e.strata) AS s), 'true');
	stratum text := coalesce((SELECT string_agg(format('r.%I IS NOT DISTINCT FROM o.%I', s, s), ' AND ') FROM unnest(e.strata) AS s), 'true');
	n text := format('(SELECT count(g.%I) FROM %s AS g WHERE %s)', c, e.source, same);
	w text := CASE WHEN e.method = 'rankswap_buckets' THEN format('least(%s, 2 * ceil(%s / %s::numeric))', n, n, e.parameters ->> 'buckets')
		ELSE format('greatest(1, floor(%s::numeric * %s / 100 + 0.5))', e.parameters ->> 'p', n) END;
BEGIN
	RETURN format('(%s AND (o.%I IS NULL AND r.%I IS NULL OR coalesce(%s, false)))', stratum, c, c,
		CASE WHEN times = 0 THEN format('num_nulls(o.%I, r.%1$I) = 0', c) ELSE format('%s <= %s * %s', gap_sql(e.release, c, same), times, w) END);
END
$$;

-- bin_sql: the bin of a value of an equi-width swap, by columns of one record.
CREATE FUNCTION bin_sql(e sdc_releases, c name, who text) RETURNS text LANGUAGE sql
RETURN format('CASE WHEN %3$s.%1$I IS NOT NULL THEN least(floor((%3$s.%1$I - (SELECT min(%1$I) FROM %2$s)) / ((SELECT max(%1$I) - min(%1$I) FROM %2$s)::float8 / %4$s)), %4$s - 1) END', c, e.source, who, e.parameters ->> 'intervals');

-- condition_sql is the condition of a column: all, without windows (times 0), or with wide ones.
CREATE FUNCTION condition_sql(e sdc_releases, c name, known name[], times int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	blank text;
BEGIN
	IF c <> ALL (e.columns) OR e.method LIKE 'rankswap%' OR e.method = 'randomize' THEN
		blank := blank_sql(e, c, 'r');
	END IF;
	IF c <> ALL (e.columns) THEN
		RETURN format('(%s OR o.%I IS NOT DISTINCT FROM r.%I)', blank, c, c);
	ELSIF e.method LIKE 'rankswap%' THEN
		RETURN format('(%s OR %s)', blank, window_sql(e, c, times));
	ELSIF e.method = 'randomize' THEN
		RETURN format('(%s OR (o.%I IS NULL) = (r.%I IS NULL))', blank, c, c);
	ELSIF e.method = 'generalize' AND (SELECT typname FROM pg_type JOIN pg_attribute ON atttypid = pg_type.oid WHERE attrelid = e.release AND attname = c) ~ 'range$' THEN
		RETURN format('(r.%I IS NULL OR coalesce(o.%I::%s <@ r.%I, false))', c, c,
			(SELECT rngsubtype::regtype FROM pg_range JOIN pg_attribute ON atttypid = rngtypid WHERE attrelid = e.release AND attname = c), c);
	ELSIF e.method = 'generalize' THEN
		RETURN format('(r.%I IS NULL OR (SELECT bool_or(x IS NOT DISTINCT FROM o.%I) FROM unnest(r.%I) AS x))', c, c, c);
	ELSIF e.method = 'permute' THEN
		RETURN format('EXISTS (SELECT FROM %s AS g WHERE g.group_id = r.group_id AND (%s OR g.%I IS NOT DISTINCT FROM o.%I))', e.release, blank_sql(e, c, 'g'), c, c);
	ELSIF e.method = 'equiwidth_swap' THEN
		-- some original with the known values that r shows is in the bin of r, which is that of its own original
		RETURN (SELECT format('EXISTS (SELECT FROM %s AS s, %1$s AS b WHERE b.id = r.id AND %s AND %s)', e.source,
			string_agg(format('(%s OR s.%I IS NOT DISTINCT FROM o.%I)', blank_sql(e, k, 'r'), k, k), ' AND ') FILTER (WHERE k = ANY (known)),
			string_agg(format('%s IS NOT DISTINCT FROM %s', bin_sql(e, k, 's'), bin_sql(e, k, 'b')), ' AND ')) FROM unnest(e.columns) AS k);
	END IF;
	RETURN 'true';
END
$$;

-- polynomial is the elementary symmetric polynomial of degree t, by all subsets.
CREATE FUNCTION polynomial(x float8[], t int) RETURNS float8 LANGUAGE sql
RETURN (SELECT coalesce(sum(p), 0) FROM (SELECT (SELECT coalesce(exp(sum(ln(x[i + 1]))), 1) FROM generate_series(0, cardinality(x) - 1) AS i WHERE s >> i & 1 = 1) AS p
	FROM generate_series(0, (1 << cardinality(x)) - 1) AS s WHERE (SELECT count(*) FROM generate_series(0, cardinality(x) - 1) AS i WHERE s >> i & 1 = 1) = t) AS subset);
CREATE FUNCTION choose(n int, k int) RETURNS float8 LANGUAGE sql RETURN CASE WHEN k < 0 OR k > n THEN 0 ELSE factorial(n) / factorial(k) / factorial(n - k) END;

-- likelihood: of the known drawn columns with a value, p (of their draw), share of the original and of the released value.
CREATE FUNCTION likelihood(p float8[], original float8[], released float8[], differ boolean[], m int, k int) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	d int := (SELECT count(*) FROM unnest(differ) AS x WHERE x);
	c int := cardinality(differ);
	same float8[] := coalesce((SELECT array_agg(original[i]) FROM generate_subscripts(differ, 1) AS i WHERE NOT differ[i]), '{}');
	result float8;
BEGIN
	IF k IS NULL THEN
		RETURN CASE WHEN d > 1 THEN 0 WHEN d = 1 THEN (SELECT p[i] * released[i] FROM generate_subscripts(differ, 1) AS i WHERE differ[i])
			ELSE 1 + coalesce((SELECT sum(p[i] * original[i] - p[i]) FROM generate_subscripts(differ, 1) AS i), 0) END;
	ELSIF d > k THEN
		RETURN 0;
	END IF;
	SELECT sum(polynomial(same, t) * choose(m - c, k - d - t)) / choose(m, k) INTO result FROM generate_series(0, k - d) AS t;
	RETURN result * coalesce((SELECT exp(sum(ln(released[i]))) FROM generate_subscripts(differ, 1) AS i WHERE differ[i]), 1);
END
$$;

-- likelihood_sql calls it for a pair.
CREATE FUNCTION likelihood_sql(e sdc_releases, known name[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	lists text;
BEGIN
	IF e.method <> 'randomize' OR NOT e.columns && known THEN
		RETURN '1::float8';
	END IF;
	SELECT string_agg(format('array_remove(ARRAY[%s], NULL)', part), ', ' ORDER BY number) INTO lists
	FROM (SELECT number, string_agg(format('CASE WHEN o.%I IS NOT NULL AND NOT %s THEN %s END', c, blank_sql(e, c, 'r'), format(form, c, e.source, coalesce(e.parameters -> 'probabilities' ->> (i::int - 1), 'NULL'))), ', ' ORDER BY i) AS part
		FROM unnest(e.columns) WITH ORDINALITY AS u (c, i),
			(VALUES (1, 'coalesce(%3$s, 0)::float8'), (2, '(SELECT count(*) FILTER (WHERE g.%1$I = o.%1$I) / count(g.%1$I)::float8 FROM %2$s AS g)'),
				(3, '(SELECT count(*) FILTER (WHERE g.%1$I = r.%1$I) / count(g.%1$I)::float8 FROM %2$s AS g)'), (4, 'o.%1$I <> r.%1$I')) AS f (number, form)
		WHERE c = ANY (known) GROUP BY number) AS parts;
	-- a blank is as likely as the value of any record
	RETURN format('CASE WHEN %s THEN likelihood(%s, %s, %s) * %s ELSE 0 END',
		(SELECT string_agg(format('(%s OR (o.%I IS NULL) = (r.%I IS NULL))', blank_sql(e, c, 'r'), c, c), ' AND ') FROM unnest(e.columns) AS c WHERE c = ANY (known)),
		lists, cardinality(e.columns), coalesce(e.parameters ->> 'draws', 'NULL'),
		(SELECT string_agg(format('CASE WHEN o.%1$I IS NOT NULL AND %2$s THEN (SELECT sum(power(n / (SELECT count(%1$I) FROM %3$s)::float8, 2)) FROM (SELECT count(*) AS n FROM %3$s AS g WHERE g.%1$I IS NOT NULL GROUP BY %1$I) AS v) ELSE 1 END', c, blank_sql(e, c, 'r'), e.source), ' * ')
			FROM unnest(e.columns) AS c WHERE c = ANY (known)));
END
$$;

-- twin is what sdc_people_found says, of an entry of the catalog, which may be made up, and the columns with distances.
CREATE FUNCTION twin(e sdc_releases, known name[], measured name[], OUT attack text, OUT found float8, OUT single bigint, OUT certain bigint) RETURNS SETOF record LANGUAGE plpgsql SET max_parallel_workers_per_gather = 0 AS $$
DECLARE
	key name := coalesce(e.key[1], 'sdc_row');
	-- what a record lacks counts as the mean of what it has
	distance text := coalesce((SELECT format('CASE WHEN num_nonnulls(%s) = 0 THEN ''infinity'' ELSE (%s) * %s / num_nonnulls(%s) END', terms, sum, number, terms)
		FROM (SELECT string_agg(term, ', ') AS terms, string_agg(format('coalesce(%s, 0)', term), ' + ') AS sum, count(*) AS number
			FROM (SELECT format('power((o.%1$I - r.%1$I) / (SELECT nullif(stddev_samp(%1$I), 0) FROM %2$s), 2)::float8', c, e.source) AS term FROM unnest(measured) AS c WHERE c = ANY (known)) AS t HAVING count(*) > 0) AS d), '0');
	made text := (SELECT string_agg(format('(%s) AS c%s', (SELECT string_agg(condition_sql(e, c, known, times), ' AND ') FROM unnest(known) AS c), times), ', ') FROM generate_series(0, 2) AS times);
BEGIN
	RETURN QUERY EXECUTE format($q$
		WITH pair AS MATERIALIZED (SELECT o.%1$I::text AS i, r.%1$I::text AS l, %2$s, (%3$s)::float8 AS weight, (%4$s)::float8 AS distance FROM %5$s AS o, %6$s AS r),
		mode (attack, inside) AS (VALUES ('nearest', 1), ('distance', 0), ('wide', 2)),
		candidate AS (SELECT attack, i, l, weight, distance FROM pair, mode WHERE (ARRAY[c0, c1, c2])[inside + 1] AND weight > 0),
		likely AS (SELECT *, max(weight) OVER (PARTITION BY attack, i) AS most, count(*) OVER (PARTITION BY attack, i) AS candidates FROM candidate),
		near AS (SELECT *, min(distance) OVER (PARTITION BY attack, i) AS least FROM likely WHERE weight >= most * (1 - 1e-9)),
		best AS (SELECT *, count(*) OVER (PARTITION BY attack, i) AS ties FROM near WHERE distance <= least * (1 + 1e-9))
		SELECT attack, coalesce((SELECT sum(1.0::float8 / ties) FROM best AS b WHERE b.attack = m.attack AND i = l), 0),
			(SELECT count(*) FROM likely AS k WHERE k.attack = m.attack AND candidates = 1), (SELECT count(*) FROM likely AS k WHERE k.attack = m.attack AND candidates = 1 AND i = l)
		FROM mode AS m
		UNION ALL
		SELECT 'candidates', coalesce((SELECT sum(1.0::float8 / candidates) FROM likely AS k WHERE k.attack = 'nearest' AND i = l), 0),
			(SELECT count(*) FROM likely AS k WHERE k.attack = 'nearest' AND candidates = 1), (SELECT count(*) FROM likely AS k WHERE k.attack = 'nearest' AND candidates = 1 AND i = l)$q$,
		key, made, likelihood_sql(e, known), distance, e.source, e.release);
END
$$;

-- check_release compares; the attack by agreement is that of sdc_link_probabilistic on a file that was registered with all columns.
CREATE FUNCTION check_release(release regclass, known name[], measured name[] DEFAULT '{}', OUT attacks text, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE
	e sdc_releases;
BEGIN
	SELECT * INTO STRICT e FROM sdc_releases AS s WHERE s.release = check_release.release;
	SELECT string_agg(f.attack, ' ' ORDER BY f.attack), bool_and(abs(f.found - t.found) <= 1e-9 * greatest(1, t.found) AND f.single = t.single AND f.certain = t.certain)
	INTO attacks, same FROM sdc_people_found(release, known) AS f JOIN twin(e, known, measured) AS t USING (attack);
END
$$;

-- A few persons with ties and missing values.
CREATE TABLE person AS SELECT id, region, sex, age / 6 AS age, round(ln(income), 1) AS income, savings / 5000 AS savings, job, (born - date '1940-01-01') / 7000 AS born FROM helper.people(32);
ALTER TABLE person ADD PRIMARY KEY (id);
UPDATE person SET region = NULL WHERE id % 13 = 0;
UPDATE person SET age = NULL WHERE id % 17 = 0;

SELECT count(*) FROM sdc_rankswap('person', p => 12, columns => '{age,income,savings}', target => 'swapped', seed => 1);
SELECT count(*) FROM sdc_rankswap('person', p => 30, columns => '{age,income,savings}', strata => '{sex}', target => 'strata', seed => 1);
SELECT count(*) FROM sdc_rankswap('person', p => 20, columns => '{age,job}', target => 'words', seed => 1);
SELECT count(*) FROM sdc_rankswap_distribution('person', p => 12, columns => '{age,income,savings}', target => 'spread', seed => 1);
SELECT count(*) FROM sdc_rankswap_buckets('person', buckets => 9, columns => '{age,income,savings}', target => 'buckets', seed => 1);
SELECT count(*) FROM sdc_randomize('person', '{region,sex,age,job}', target => 'drawn', seed => 1);
SELECT count(*) FROM sdc_randomize('person', '{region,sex,age,job}', probabilities => '{0.5,0.2,0.3,0}', target => 'given', seed => 1);
SELECT count(*) FROM sdc_randomize('person', '{region,sex,age,job}', draws => 2, target => 'drawn_two', seed => 1);
SELECT count(*) FROM sdc_randomize('person', '{region,sex,age,job}', draws => 4, target => 'drawn_all', seed => 1);
SELECT count(*) FROM sdc_generalize('person', '{age,income,job}', k => 4, target => 'grouped');
SELECT count(*) FROM sdc_permute('person', '{region,sex}', '{age}', l => 2, target => 'permuted', seed => 1);
SELECT count(*) FROM sdc_equiwidth_swap('person', intervals => 3, columns => '{age,income}', target => 'binned', seed => 1);

SELECT release, c.* FROM (VALUES (1, 'swapped'::regclass, '{age,income,savings}'::name[]), (2, 'strata', '{age,income,savings}'), (3, 'words', '{age}'), (4, 'spread', '{age,income,savings}'),
	(5, 'buckets', '{age,income,savings}'), (6, 'drawn', '{}'), (7, 'given', '{}'), (8, 'drawn_two', '{}'), (9, 'drawn_all', '{}'), (10, 'grouped', '{}'), (11, 'permuted', '{}'), (12, 'binned', '{}')) AS r (n, release, measured),
	(VALUES (1, '{region,sex,age,income,savings,job,born}'::name[]), (2, '{age,income}'), (3, '{job}'), (4, '{region,sex,age,job}')) AS k (m, known), LATERAL check_release(release, known, measured) AS c
ORDER BY n, m;

-- Values that were blanked after the release was made, also where the source has none.
CREATE FUNCTION blank(release regclass, columns name[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	c name;
BEGIN
	FOREACH c IN ARRAY columns LOOP
		EXECUTE format('UPDATE %s SET %I = NULL WHERE helper.below(id, 90 + ascii(%L), 4) = 0', release, c, c);
	END LOOP;
END
$$;
SELECT count(*) FROM sdc_rankswap('person', p => 12, columns => '{age,income,savings}', target => 'blank_swapped', seed => 1);
SELECT count(*) FROM sdc_rankswap('person', p => 30, columns => '{age,income,savings}', strata => '{sex}', target => 'blank_strata', seed => 1);
SELECT count(*) FROM sdc_rankswap_distribution('person', p => 12, columns => '{age,income,savings}', target => 'blank_spread', seed => 1);
SELECT count(*) FROM sdc_rankswap_buckets('person', buckets => 9, columns => '{age,income,savings}', target => 'blank_buckets', seed => 1);
SELECT count(*) FROM sdc_randomize('person', '{region,sex,age,job}', probabilities => '{0.5,0.2,0.3,0}', target => 'blank_given', seed => 1);
SELECT count(*) FROM sdc_randomize('person', '{region,sex,age,job}', draws => 2, target => 'blank_drawn', seed => 1);
SELECT count(*) FROM sdc_generalize('person', '{age,income,job}', k => 4, target => 'blank_grouped');
SELECT count(*) FROM sdc_permute('person', '{region,sex}', '{age}', l => 2, target => 'blank_permuted', seed => 1);
SELECT count(*) FROM sdc_equiwidth_swap('person', intervals => 3, columns => '{age,income}', target => 'blank_binned', seed => 1);
SELECT blank(release, columns) FROM (VALUES ('blank_swapped'::regclass, '{region,age,income}'::name[]), ('blank_strata', '{age,income,job}'), ('blank_spread', '{savings,age}'), ('blank_buckets', '{age,income,region}'),
	('blank_given', '{region,age,job}'), ('blank_drawn', '{region,sex,age,job}'), ('blank_grouped', '{age,job,region}'), ('blank_permuted', '{age,region}'), ('blank_binned', '{age,income,job}')) AS b (release, columns);
SELECT release, c.* FROM (VALUES (1, 'blank_swapped'::regclass, '{age,income,savings}'::name[]), (2, 'blank_strata', '{age,income,savings}'), (3, 'blank_spread', '{age,income,savings}'),
	(4, 'blank_buckets', '{age,income,savings}'), (5, 'blank_given', '{}'), (6, 'blank_drawn', '{}'), (7, 'blank_grouped', '{}'), (8, 'blank_permuted', '{}'), (9, 'blank_binned', '{}')) AS r (n, release, measured),
	(VALUES (1, '{region,sex,age,income,savings,job,born}'::name[]), (2, '{age,income}'), (3, '{job}'), (4, '{region,sex,age,job}')) AS k (m, known), LATERAL check_release(release, known, measured) AS c
ORDER BY n, m;
-- the own record is a candidate of everybody, but where values can leave their windows
SELECT release, bool_and(candidates > 0) AS all, bool_and(certain = (candidates = 1 AND correct)) AS certain FROM (VALUES (1, 'blank_swapped'::regclass), (2, 'blank_strata'), (3, 'blank_given'), (4, 'blank_drawn'), (5, 'blank_grouped'),
	(6, 'blank_permuted'), (7, 'blank_binned')) AS r (n, release), LATERAL sdc_link_release(release) GROUP BY n, release ORDER BY n;

-- Everybody else known: a candidate stays if a way of candidates leads back from it.
CREATE FUNCTION left_twin(e sdc_releases, known name[], OUT people float8, OUT certain bigint) LANGUAGE plpgsql SET max_parallel_workers_per_gather = 0 AS $$
BEGIN
	EXECUTE format($q$
		WITH RECURSIVE edge AS MATERIALIZED (SELECT o.%1$I AS i, r.%1$I AS l FROM %2$s AS o, %3$s AS r WHERE (%4$s) AND (%5$s) > 0),
		way (i, l) AS (SELECT i, l FROM edge UNION SELECT w.i, edge.l FROM way AS w JOIN edge ON edge.i = w.l),
		stays AS (SELECT i, count(*) AS candidates FROM edge WHERE EXISTS (SELECT FROM way AS w WHERE w.i = edge.l AND w.l = edge.i) GROUP BY i)
		SELECT sum(1.0::float8 / candidates), count(*) FILTER (WHERE candidates = 1) FROM stays$q$,
		coalesce(e.key[1], 'sdc_row'), e.source, e.release, (SELECT string_agg(condition_sql(e, c, known, 1), ' AND ') FROM unnest(known) AS c), likelihood_sql(e, known)) INTO people, certain;
END
$$;
SELECT e.release, known, abs(f.found - t.people) < 1e-9 * t.people AND f.certain = t.certain AND f.single = f.certain AS same, f.certain > g.certain AS more, l.certain = f.certain AS links, abs(l.found - n.found) < 1e-9 * n.found AS nearest
FROM (VALUES (1, 'swapped'::regclass, '{age,income}'::name[]), (2, 'strata', '{age,income,region}'), (3, 'drawn', '{region,sex,age,job}'), (4, 'drawn_two', '{region,sex,age,job,born}'), (5, 'grouped', '{age,income,job}'), (6, 'permuted', '{age,region,sex}'), (7, 'binned', '{age,region}'),
	(8, 'blank_swapped', '{region,age,income}'), (9, 'blank_strata', '{age,income,job}'), (10, 'blank_given', '{region,sex,age,job}'), (11, 'blank_grouped', '{age,income,region}'), (12, 'blank_permuted', '{age,region,sex}'), (13, 'blank_binned', '{age,income,region}')) AS r (n, release, known)
JOIN sdc_releases AS e USING (release), LATERAL left_twin(e, known) AS t, LATERAL sdc_people_found(e.release, known, true) AS f, LATERAL sdc_people_found(e.release, known) AS g, LATERAL sdc_people_found(e.release, known, true) AS n,
	LATERAL (SELECT count(*) FILTER (WHERE certain) AS certain, sum(1.0::float8 / ties) FILTER (WHERE correct) AS found FROM sdc_link_release(e.release, known, true)) AS l
WHERE f.attack = 'candidates' AND g.attack = 'candidates' AND n.attack = 'nearest' ORDER BY r.n;
SELECT helper.catch(format('SELECT FROM sdc_people_found(%L, everybody => true)', release)) FROM (VALUES (1, 'spread'), (2, 'buckets')) AS r (n, release) ORDER BY n;
-- what was not swapped can be known all the same
SELECT attack, round(found::numeric, 3) AS found FROM sdc_people_found('spread', '{region,sex,job}', true);

-- The attack by agreement is that of a file whose columns are all protected; any is the best of all for every record.
CREATE TABLE swapped_copy AS SELECT * FROM swapped;
SELECT sdc_register('person', 'swapped_copy', '{region,sex,age,income,savings,job,born}', '{id}');
SELECT abs(f.found - (SELECT sum(1.0::float8 / ties) FROM sdc_link_probabilistic('swapped_copy') WHERE correct)) < 1e-9 AS same FROM sdc_people_found('swapped') AS f WHERE attack = 'agreement';
SELECT abs(f.found - (SELECT sum(greatest(1.0::float8 / n.candidates, n.correct::int::float8 / n.ties, d.correct::int::float8 / d.ties, p.correct::int::float8 / p.ties))
	FROM sdc_link_release('swapped', '{income}') AS n JOIN sdc_link_distance('swapped', '{income}') AS d USING (record) JOIN sdc_link_probabilistic('swapped', '{income}') AS p USING (record))) < 1e-9 AS same
FROM sdc_people_found('swapped', '{income}') AS f WHERE attack = 'any';
SELECT max(found) FILTER (WHERE attack = 'best') = max(found) FILTER (WHERE attack NOT IN ('any', 'best')) AS best, max(found) FILTER (WHERE attack = 'any') >= max(found) AS any,
	bool_and(percent = 100 * found / 32) AS percent, max(percent) FILTER (WHERE attack = 'chance') = 100 / 32.0::float8 AS chance, bool_and(low IS NULL AND high IS NULL) AS no_bounds FROM sdc_people_found('swapped');

-- Bins of equi-depth swapping: values that are all different give every bin away; what was swapped besides has bins of its own.
CREATE TABLE deep AS SELECT i AS id, helper.uniform(i, 71) AS x, helper.uniform(i, 72) AS y, helper.uniform(i, 73) AS z FROM generate_series(1, 90) AS i;
ALTER TABLE deep ADD PRIMARY KEY (id);
CREATE TEMP TABLE report AS SELECT * FROM sdc_equidepth_swap('deep', depth => 7, columns => '{x,y}', complement => 'swap', target => 'people.deep_bins', seed => 1);
SELECT r.attribute, abs(f.found - r.bins) < 1e-9 AS bins, e.attack IS NOT NULL AS sound FROM report AS r, LATERAL sdc_people_found('deep_bins', ARRAY[r.attribute]) AS f, LATERAL sdc_people_found('deep_bins', ARRAY[r.attribute], true) AS e
WHERE r.action = 'protected' AND f.attack = 'candidates' AND e.attack = 'candidates' ORDER BY r.attribute;
SELECT f.found > g.found AS both_say_more, g.found = h.found AS as_much_as_one FROM sdc_people_found('deep_bins') AS f, sdc_people_found('deep_bins', '{x,y}') AS g, sdc_people_found('deep_bins', '{y}') AS h WHERE f.attack = 'candidates' AND g.attack = 'candidates' AND h.attack = 'candidates';

--
-- What is learned of a value, by whoever has it
--
-- The definition: weights of all pairs by value; a permuted value is looked for in the group of the own record.
CREATE FUNCTION risk_twin(e sdc_releases, known name[], target name, tau float8) RETURNS TABLE (matched bigint, cap float8, cap_matched float8, cap_base float8, found float8, found_without float8, baseline float8, disclosed bigint, of_group bigint, tcap float8, tcap_all float8) LANGUAGE plpgsql SET max_parallel_workers_per_gather = 0 AS $$
BEGIN
	RETURN QUERY EXECUTE format($q$
		WITH o AS (SELECT id, %3$I::text AS t, ROW(%8$s)::text AS k FROM %1$s), r AS (SELECT id, %3$I::text AS t, ROW(%8$s)::text AS k FROM %2$s),
		pair AS MATERIALIZED (SELECT o.id AS i, r.id AS l, r.%3$I::text AS v, (%4$s)::float8 AS weight FROM %1$s AS o, %2$s AS r WHERE %5$s),
		candidate AS (SELECT * FROM pair WHERE weight > 0),
		total AS (SELECT i, count(*) AS candidates, sum(weight) AS weight, count(DISTINCT coalesce('v' || v, '')) AS values FROM candidate GROUP BY i),
		value AS (SELECT own, i, v, sum(weight) AS weight FROM candidate, (VALUES (true), (false)) AS a (own) WHERE own OR i <> l GROUP BY own, i, v),
		heavy AS (SELECT own, i, v, count(*) OVER (PARTITION BY own, i) AS ties FROM (SELECT *, max(weight) OVER (PARTITION BY own, i) AS most FROM value) AS m WHERE weight >= most * (1 - 1e-9)),
		share AS (SELECT t, count(*) / (SELECT count(*) FROM r)::float8 AS share, rank() OVER (ORDER BY count(*) DESC) AS rank FROM r GROUP BY t),
		blind AS (SELECT o.id, coalesce(s.share, 0) AS share, CASE WHEN s.rank = 1 THEN 1.0::float8 / (SELECT count(*) FROM share WHERE rank = 1) ELSE 0 END AS guess FROM o LEFT JOIN share AS s ON s.t IS NOT DISTINCT FROM o.t),
		guess AS (SELECT o.id, b.share AS base, b.guess, coalesce(t.candidates, 0) AS candidates, coalesce(v.weight / t.weight, 0) AS cap, t.values = 1 AND v.weight > 0 AS same,
			CASE WHEN t.i IS NULL THEN b.guess ELSE coalesce(1.0::float8 / h.ties, 0) END AS found,
			CASE WHEN EXISTS (SELECT FROM heavy AS x WHERE NOT x.own AND x.i = o.id) THEN coalesce(1.0::float8 / w.ties, 0)
				ELSE (SELECT CASE WHEN bool_or(a.t IS NOT DISTINCT FROM o.t AND a.rank = 1) THEN 1.0::float8 / count(*) FILTER (WHERE a.rank = 1) ELSE 0 END
					FROM (SELECT r.t, rank() OVER (ORDER BY count(*) DESC) AS rank FROM r WHERE r.id <> o.id GROUP BY r.t) AS a) END AS without
			FROM o JOIN blind AS b USING (id) LEFT JOIN total AS t ON t.i = o.id LEFT JOIN value AS v ON v.own AND v.i = o.id AND v.v IS NOT DISTINCT FROM o.t
			LEFT JOIN heavy AS h ON h.own AND h.i = o.id AND h.v IS NOT DISTINCT FROM o.t LEFT JOIN heavy AS w ON NOT w.own AND w.i = o.id AND w.v IS NOT DISTINCT FROM o.t),
		keyed AS (SELECT r.k, r.t FROM r WHERE (SELECT count(*) FILTER (WHERE x.t IS NOT DISTINCT FROM r.t) / count(*)::float8 FROM r AS x WHERE x.k = r.k) >= %6$s * (1 - 1e-9)),
		right_of AS (SELECT (SELECT count(*) FILTER (WHERE o.t IS NOT DISTINCT FROM keyed.t) / nullif(count(*), 0)::float8 FROM o WHERE o.k = keyed.k) AS share FROM keyed)
		SELECT count(*) FILTER (WHERE candidates > 0), avg(cap), avg(cap) FILTER (WHERE candidates > 0), avg(base), 100 * avg(found), 100 * avg(without), 100 * avg(guess), count(*) FILTER (WHERE same), count(*) FILTER (WHERE same AND candidates > 1),
			(SELECT CASE WHEN %7$s THEN avg(share) END FROM right_of), (SELECT CASE WHEN %7$s THEN avg(coalesce(share, 0)) END FROM right_of)
		FROM guess$q$,
		e.source, e.release, target, likelihood_sql(e, known),
		CASE WHEN e.method = 'permute' AND target = ANY (e.columns) THEN format('r.group_id = (SELECT g.group_id FROM %s AS g WHERE g.id = o.id)', e.release)
			ELSE (SELECT string_agg(condition_sql(e, c, known, 1), ' AND ') FROM unnest(known) AS c) END,
		tau, CASE WHEN e.method = 'generalize' AND e.columns && known THEN 'false' ELSE 'true' END, (SELECT string_agg(format('%I', c), ', ') FROM unnest(known) AS c));
END
$$;
CREATE FUNCTION near(a float8, b float8) RETURNS boolean LANGUAGE sql RETURN a IS NOT DISTINCT FROM b OR coalesce(abs(a - b) <= 1e-9 * greatest(1, abs(b)), false);
SELECT e.release, r.target, a.matched = t.matched AND a.disclosed = t.disclosed AND a.of_group = t.of_group AS counts, near(a.cap, t.cap) AND near(a.cap_matched, t.cap_matched) AND near(a.cap_base, t.cap_base) AS cap,
	near(a.found_percent, t.found) AS found, near(a.found_without_percent, t.found_without) AS without, near(a.baseline_percent, t.baseline) AS baseline, near(a.tcap, t.tcap) AND near(a.tcap_all, t.tcap_all) AS tcap, a.tcap IS NULL AS no_tcap
FROM (VALUES (1, 'swapped'::regclass, '{region,age,income}'::name[], 'job'::name, 1.0), (2, 'swapped', '{region,sex}', 'savings', 0.5), (3, 'strata', '{age,sex}', 'job', 0.3), (4, 'spread', '{age,income}', 'sex', 0.5), (5, 'drawn', '{region,sex,age}', 'born', 0.6),
	(6, 'drawn_two', '{region,sex,age}', 'job', 0.5), (7, 'given', '{region,sex,job}', 'savings', 1), (8, 'grouped', '{age,income,job}', 'sex', 1), (9, 'permuted', '{region,sex}', 'age', 0.5), (10, 'binned', '{age}', 'job', 0.25), (11, 'words', '{region,sex,born}', 'job', 0),
	(12, 'blank_swapped', '{region,age,income}', 'job', 0.5), (13, 'blank_drawn', '{region,sex,age}', 'savings', 0.5), (14, 'blank_grouped', '{age,income,job}', 'sex', 1), (15, 'blank_binned', '{age,income}', 'region', 0.5)) AS r (n, release, known, target, tau)
JOIN sdc_releases AS e USING (release), LATERAL risk_twin(e, known, target, tau) AS t, LATERAL sdc_attribute_risk(e.release, known, ARRAY[target], tau) AS a ORDER BY r.n;
SELECT helper.catch(statement) FROM (VALUES
	(1, $$SELECT FROM sdc_attribute_risk('swapped', '{age}')$$),
	(2, $$SELECT FROM sdc_attribute_risk('swapped', '{age}', '{job,sex}')$$),
	(3, $$SELECT FROM sdc_attribute_risk('swapped', '{age}', '{}')$$),
	(4, $$SELECT FROM sdc_attribute_risk('swapped', '{age,job}', '{job}')$$),
	(5, $$SELECT FROM sdc_attribute_risk('swapped', '{age}', '{nothing}')$$),
	(6, $$SELECT FROM sdc_attribute_risk('grouped', '{sex}', '{age}')$$),
	(7, $$SELECT FROM sdc_attribute_risk('swapped', '{age}', '{job}', 1.5)$$),
	(8, $$SELECT FROM sdc_attribute_risk('swapped', '{age}', '{job}', NULL)$$)) AS s (n, statement) ORDER BY n;
-- by default the column that is classified as sensitive; it is not known
SELECT sdc_classify('person', 'job', 'sensitive');
SELECT a = b AS same FROM sdc_attribute_risk('swapped') AS a, sdc_attribute_risk('swapped', '{region,sex,age,income,savings,born}', '{job}') AS b;
SELECT sdc_classify('person', 'job', NULL);

--
-- What copied columns give away
--
-- One that is different for everybody.
CREATE TABLE numbered AS SELECT *, 'x' || id AS ssn FROM person;
ALTER TABLE numbered ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('numbered', p => 100, columns => '{age,income,savings}', keep => '{region,sex,job,born,ssn}', seed => 1);
SELECT attack, found, single, certain FROM sdc_people_found('numbered_rankswap') WHERE attack <> 'agreement';
-- unless nobody knows it
SELECT sdc_classify('numbered', 'ssn', 'public');
SELECT sdc_classify('numbered', 'born', 'sensitive');
SELECT f.percent < 100 AS fewer, abs(f.found - g.found) < 1e-9 AS the_others_are_known FROM sdc_people_found('numbered_rankswap') AS f, sdc_people_found('numbered_rankswap', '{region,sex,age,income,savings,job}') AS g WHERE f.attack = 'any' AND g.attack = 'any';
-- The source as it is: all but those who are equal.
CREATE TABLE whole AS SELECT id, region, sex, age, job FROM person WHERE age IS NOT NULL;
CREATE TABLE same AS SELECT id, region, sex, age FROM whole;
SELECT sdc_register('whole', 'same', '{age}', '{id}');
SELECT abs(f.found - (SELECT count(*) FROM (SELECT DISTINCT region, sex, age FROM same) AS d)) < 1e-9 AS found FROM sdc_people_found('same') AS f WHERE attack = 'nearest';
SELECT f.attack, abs(f.found - (SELECT count(*) FROM (SELECT DISTINCT region, sex FROM same) AS d)) < 1e-9 AS found, certain = (SELECT count(*) FROM (SELECT FROM same GROUP BY region, sex HAVING count(*) = 1) AS u) AS certain
FROM sdc_people_found('same', '{region,sex}') AS f WHERE attack IN ('nearest', 'candidates');
-- A method that nobody knows leaves distances only; a random permutation of all leaves chance.
CREATE TABLE mixed AS SELECT id, row_number() OVER (ORDER BY helper.uniform(id, 77))::int AS value FROM generate_series(1, 3000) AS id;
ALTER TABLE mixed ADD PRIMARY KEY (id);
CREATE TABLE mixed_other AS SELECT id, row_number() OVER (ORDER BY helper.uniform(id, 78))::int AS value FROM generate_series(1, 3000) AS id;
SELECT sdc_register('mixed', 'mixed_other', '{value}', '{id}');
SELECT attack, found <= 6 AS chance, single FROM sdc_people_found('mixed_other') WHERE attack <> 'agreement';
SELECT DISTINCT candidates, certain FROM sdc_link_release('mixed_other');
SELECT count(*) FROM sdc_rankswap('mixed', p => 100, target => 'mixed_all', seed => 1);
SELECT attack, found <= 6 AS chance, certain FROM sdc_people_found('mixed_all') WHERE attack <> 'agreement';

--
-- Sizes
--
CREATE TABLE one AS SELECT * FROM person WHERE id = 1;
ALTER TABLE one ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('one', p => 5, columns => '{age,income}', seed => 1);
SELECT * FROM sdc_people_found('one_rankswap', everybody => true) WHERE attack <> 'agreement';
SELECT * FROM sdc_link_release('one_rankswap');
CREATE TABLE none AS SELECT * FROM person WHERE false;
ALTER TABLE none ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('none', p => 5, columns => '{age,income}', seed => 1);
SELECT * FROM sdc_people_found('none_rankswap');
SELECT * FROM sdc_people_found('none_rankswap', everybody => true) WHERE attack = 'any';
SELECT * FROM sdc_link_release('none_rankswap');
SELECT * FROM sdc_attribute_risk('none_rankswap', '{age}', '{job}');
SELECT * FROM sdc_attribute_risk('one_rankswap', '{age}', '{job}');
-- a constant column tells nothing
CREATE TABLE constant AS SELECT id, age, 7 AS seven FROM person;
ALTER TABLE constant ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('constant', p => 12, columns => '{age,seven}', seed => 1);
SELECT bool_and(abs(f.found - g.found) < 1e-9) AS same FROM sdc_people_found('constant_rankswap') AS f JOIN sdc_people_found('constant_rankswap', '{age}') AS g USING (attack) WHERE attack <> 'agreement' AND attack <> 'any';
-- without a key, records are numbered
CREATE TABLE keyless AS SELECT age, income FROM person;
SELECT count(*) FROM sdc_rankswap('keyless', p => 12, columns => '{age,income}', seed => 1);
SELECT count(*), min(record::int), max(record::int), bool_and(certain = (candidates = 1 AND correct)) AS certain FROM sdc_link_release('keyless_rankswap');

-- A sample: its records, and intervals that hold what all have.
SELECT count(*) = 20 AS twenty, bool_and(l.candidates = a.candidates AND l.linked IS NOT DISTINCT FROM a.linked AND l.ties = a.ties) AS same
FROM sdc_link_release('swapped', sample => 20, seed => 5) AS l JOIN sdc_link_release('swapped') AS a USING (record);
SELECT f.attack, abs(f.found - s.found) < 1e-9 AS found, f.low <= f.percent AND f.percent <= f.high AS inside, f.low > 0 AND f.high < 100 AS bounded
FROM sdc_people_found('swapped', '{savings,age}', sample => 20, seed => 5) AS f, (SELECT sum(1.0::float8 / ties) FILTER (WHERE correct) AS found FROM sdc_link_release('swapped', '{savings,age}', sample => 20, seed => 5)) AS s WHERE attack = 'nearest';
SELECT attack, percent, low, high FROM sdc_people_found('swapped', sample => 20, seed => 5) WHERE attack = 'chance';
SELECT count(*) FILTER (WHERE low IS NULL) AS whole FROM sdc_people_found('swapped', sample => 32);

-- The headline: what any attack finds, and for certain; in a sample the upper ends of the intervals.
SELECT r.release, s.people_found = a.percent AS people, abs(s.certain_percent - 100 * a.certain / 32.0::float8) < 1e-9 AS certain, (v.people_found, v.certain_percent, v.dr) = (round(s.people_found::numeric, 1), round(s.certain_percent::numeric, 1), round(s.dr::numeric, 1)) AS view
FROM (VALUES (1, 'swapped'::regclass), (2, 'spread'), (3, 'drawn'), (4, 'permuted')) AS r (n, release), LATERAL sdc_score(release) AS s, LATERAL sdc_people_found(release) AS a, sdc_scores AS v
WHERE a.attack = 'any' AND v.release = r.release ORDER BY n;
SELECT s.people_found = a.high AS people, s.certain_percent >= 100 * a.certain / 20.0::float8 AS certain FROM sdc_score('swapped', sample => 20, seed => 5) AS s, sdc_people_found('swapped', sample => 20, seed => 5) AS a WHERE attack = 'any';
SELECT s.people_found = a.percent AS people, s.dld = (SELECT avg(percent) FROM sdc_disclosure_risk('swapped', '{savings,age}') WHERE attack = 'distance') AS in_this_order,
	s.dld <> (SELECT avg(percent) FROM sdc_disclosure_risk('swapped', '{age,savings}') WHERE attack = 'distance') AS not_in_that
FROM sdc_score('swapped', '{savings,sex,age}') AS s, sdc_people_found('swapped', '{savings,sex,age}') AS a WHERE attack = 'any';
SELECT s.people_found = a.percent AS people, s.dr IS NULL AND s.score IS NULL AS nothing_protected, s.il IS NOT NULL AS loss FROM sdc_score('swapped', '{sex,job}') AS s, sdc_people_found('swapped', '{sex,job}') AS a WHERE attack = 'any';
SELECT helper.catch($$SELECT FROM sdc_disclosure_risk('swapped', '{sex,age}')$$);
SELECT helper.catch($$SELECT FROM sdc_score('swapped', '{sex,age}', 2)$$);
-- groups have a headline, and no score
SELECT s.people_found = round(a.percent::numeric, 1) AS people, s.dr IS NULL AS no_risk, s.problem FROM sdc_scores AS s, sdc_people_found('grouped') AS a WHERE s.release = 'grouped'::regclass AND attack = 'any';
-- the baseline: what protects nothing but hides all of the protected columns
SELECT b.people_found = a.percent AS copied, abs(b.certain_percent - 100 * a.certain / 32.0::float8) < 1e-9 AS certain FROM sdc_baseline('swapped', seed => 1) AS b, sdc_people_found('swapped', '{region,sex,job,born}') AS a WHERE attack = 'any';
SELECT people_found = 100 / 3000.0::float8 AS chance, certain_percent FROM sdc_baseline('mixed_all', seed => 1);
-- nobody knows anything
CREATE TABLE secret AS SELECT id, age FROM person;
ALTER TABLE secret ADD PRIMARY KEY (id);
SELECT sdc_classify('secret', 'age', 'sensitive');
SELECT count(*) FROM sdc_rankswap('secret', p => 50, columns => '{age}', seed => 1);
SELECT people_found, certain_percent, dr > 0 AS dr FROM sdc_score('secret_rankswap');
-- For every record: the attacks that link it, and whether it is the only candidate.
SELECT count(*), bool_and(('nearest' = ANY (r.attacks)) = l.correct AND (NOT l.correct OR r.candidates <= l.candidates) AND r.certain = l.certain) AS same, count(*) FILTER (WHERE r.certain) AS certain FROM sdc_record_risk('strata') AS r JOIN sdc_link_release('strata') AS l USING (record);
SELECT count(*) FROM sdc_record_risk('strata', '{age,sex}', sample => 7, seed => 1);

--
-- Generalized types: bounds are compared with the values themselves
--
CREATE TABLE typed AS SELECT i AS id, (i % 9)::smallint AS small, CASE WHEN i > 38 THEN 2147483647 ELSE i END AS most, i / 7.0::real AS four, (i % 11) / 3.0::float8 AS eight, (i % 5)::text::money AS cash,
	date '2000-01-01' + i % 8 AS day, timestamp '2000-01-01' + i % 6 * interval '7 hours' AS seen, ARRAY['x' || i % 3] AS list, CASE WHEN i % 10 > 0 THEN 'w' || i % 4 END AS word FROM generate_series(1, 40) AS i;
ALTER TABLE typed ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_generalize('typed', '{small,most,four,eight,cash,day,seen,word}', k => 3);
-- every value is in its own group, and in as many as the release says
SELECT bool_and(candidates >= 3 AND correct) AS inside, sum(candidates) FROM sdc_link_release('typed_generalize', '{small,most,four,eight,cash,day,seen,word}');
SELECT sum(l.candidates) = (SELECT count(*) FROM typed AS o, typed_generalize AS r WHERE r.eight @> ('' || o.eight)::numeric AND r.four @> ('' || o.four)::numeric AND r.cash @> o.cash::numeric) AS same FROM sdc_link_release('typed_generalize', '{four,eight,cash}') AS l;
--
-- What is refused
--
SELECT helper.catch(statement) FROM (VALUES
	(1, $$SELECT FROM sdc_people_found(NULL)$$),
	(2, $$SELECT FROM sdc_people_found('person')$$),
	(3, $$SELECT FROM sdc_people_found('swapped', '{}')$$),
	(4, $$SELECT FROM sdc_people_found('swapped', '{nothing}')$$),
	(5, $$SELECT FROM sdc_people_found('swapped', '{id}')$$),
	(6, $$SELECT FROM sdc_people_found('swapped', '{age,age}')$$),
	(7, $$SELECT FROM sdc_people_found('swapped', everybody => NULL)$$),
	(8, $$SELECT FROM sdc_people_found('swapped', sample => 0)$$),
	(9, $$SELECT FROM sdc_people_found('constant_rankswap', '{weight}')$$),
	(10, $$SELECT FROM sdc_people_found('same', '{job}')$$),
	(11, $$SELECT FROM sdc_link_release('swapped', '{{age},{income}}')$$),
	(12, $$SELECT FROM sdc_link_release('swapped', everybody => NULL)$$)) AS s (n, statement) ORDER BY n;
-- no column is left that an intruder knows
SELECT sdc_classify('constant', 'age', 'sensitive');
SELECT sdc_classify('constant', 'seven', 'public');
SELECT helper.catch($$SELECT FROM sdc_people_found('constant_rankswap')$$);
-- a copied column of the source has changed
BEGIN;
UPDATE person SET job = 'spy' WHERE id = 7;
SELECT helper.catch($$SELECT FROM sdc_people_found('swapped')$$);
SELECT count(*) FROM sdc_people_found('swapped', '{age}');
ROLLBACK;
-- what leaves is not what was registered: nobody's own record is among the candidates
CREATE TABLE strange AS SELECT id, 1000 + age AS age FROM person;
SELECT sdc_register('person', 'strange', '{age}', '{id}', 'rankswap', '{"p": 5}');
SELECT attack, found FROM sdc_people_found('strange') WHERE attack IN ('candidates', 'nearest');
SELECT helper.catch($$SELECT FROM sdc_people_found('strange', everybody => true)$$);
-- the key has another type by now
BEGIN;
ALTER TABLE swapped ALTER id TYPE text;
SELECT helper.catch($$SELECT FROM sdc_people_found('swapped')$$);
SELECT helper.catch($$SELECT FROM sdc_compare('swapped')$$);
ROLLBACK;

-- Rights: those of the caller on all that is known, in both tables.
CREATE ROLE regress_sdc_people;
GRANT USAGE ON SCHEMA people TO regress_sdc_people;
GRANT SELECT ON swapped TO regress_sdc_people;
GRANT SELECT (id, age, income, savings, region) ON person TO regress_sdc_people;
SET ROLE regress_sdc_people;
SELECT count(*) FROM sdc_people_found('swapped', '{age,region}');
DO $$ BEGIN PERFORM sdc_people_found('people.swapped'); EXCEPTION WHEN insufficient_privilege THEN RAISE INFO '%', SQLERRM; END $$;
RESET ROLE;
REVOKE SELECT ON swapped FROM regress_sdc_people;
SET ROLE regress_sdc_people;
DO $$ BEGIN PERFORM sdc_link_release('people.swapped'); EXCEPTION WHEN insufficient_privilege THEN RAISE INFO '%', SQLERRM; END $$;
RESET ROLE;
DROP OWNED BY regress_sdc_people;
DROP ROLE regress_sdc_people;

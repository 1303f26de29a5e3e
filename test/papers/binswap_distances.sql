-- binswap_distances.sql
--		Section 1 of the paper on multivariate equi-width swapping: mining interval data by distances, after MEWS and MEDS at
--		equal degree.
--
-- The first two columns of Abalone and of MAGIC are swapped.  Distances are Euclidean, of all columns on z-scores of the
-- source.  Three figures: the mean error of the distances of 20,000 fixed pairs of records, over their mean; which share of their five
-- nearest neighbours 200 fixed records keep; and the adjusted Rand index of k-means before and after, with five clusters
-- that begin at five fixed records.  Five seeds.
--
-- verdict: does not hold: MEDS performs ineffectively on preserving distances (worse than MEWS)
-- verdict: does not hold: MEDS keeps fewer of the nearest neighbours than MEWS
-- verdict: does not hold: clusters by distances are kept better by MEWS

CREATE TABLE paper.task (source text, intervals int, degree int, mews float8[], meds float8[], PRIMARY KEY (source, intervals));
INSERT INTO paper.task VALUES
	('abalone', 5, 13, '{0.091,0.28,0.81}', '{0.054,0.42,0.90}'), ('abalone', 20, 81, '{0.022,0.53,0.95}', '{0.017,0.64,0.97}'),
	('magic', 5, 19, '{0.049,0.43,0.79}', '{0.049,0.67,0.87}'), ('magic', 30, 324, '{0.012,0.74,0.93}', '{0.011,0.89,0.92}');
CREATE TABLE paper.run (source text, intervals int, method text, seed int, error float8, kept float8, rand float8);

CREATE FUNCTION paper.names(source text) RETURNS name[] LANGUAGE sql AS $$
	SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = source::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'id'
$$;
-- square is the squared distance of two records, or of a record and a point.
CREATE FUNCTION paper.square(names name[], a text, b text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(format('(%1$s.%3$I - %2$s.%3$I) * (%1$s.%3$I - %2$s.%3$I)', a, b, c), ' + ') FROM unnest(names) AS c
$$;
CREATE FUNCTION paper.square(names name[], a text, point float8[]) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(format('(%1$s.%2$I - %3$L::float8) * (%1$s.%2$I - %3$L::float8)', a, c, p), ' + ') FROM unnest(names, point) AS u (c, p)
$$;

-- scale makes z-scores of a table, with the means and deviations of the source.
CREATE PROCEDURE paper.scale(source text, relation text, target text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE (SELECT format('DROP TABLE IF EXISTS %1$s; CREATE TABLE %1$s AS SELECT id, %2$s FROM %3$s AS t, (SELECT %4$s FROM %5$s) AS s',
		target, string_agg(format('(t.%1$I - %2$I) / %3$I AS %1$I', c, 'mean_' || c, 'sd_' || c), ', '), relation,
		string_agg(format('avg(%1$I) AS %2$I, stddev_pop(%1$I) AS %3$I', c, 'mean_' || c, 'sd_' || c), ', '), source) FROM unnest(paper.names(source)) AS c);
	EXECUTE format('CREATE UNIQUE INDEX ON %s (id); ANALYZE %1$s', target);
END
$$;
-- neighbours finds the five nearest of 200 records.
CREATE PROCEDURE paper.neighbours(relation text, target text, names name[], records bigint) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('DROP TABLE IF EXISTS %1$s; CREATE TABLE %1$s AS SELECT q.id AS query, n.id FROM (SELECT * FROM %2$s WHERE id %% %4$s = 0 ORDER BY id LIMIT 200) AS q, LATERAL (SELECT n.id FROM %2$s AS n WHERE n.id <> q.id ORDER BY %3$s, n.id LIMIT 5) AS n',
		target, relation, paper.square(names, 'q', 'n'), records / 200);
END
$$;
-- cluster assigns every record to one of five clusters: twenty rounds of k-means.
CREATE PROCEDURE paper.cluster(relation text, target text, names name[], records bigint) LANGUAGE plpgsql AS $$
DECLARE
	point CONSTANT text := (SELECT string_agg(quote_ident(c), ', ') FROM unnest(names) AS c);
	center CONSTANT text := (SELECT string_agg(format('avg(%I)', c), ', ') FROM unnest(names) AS c);
	query text;
	next text;
BEGIN
	FOR round IN 0 .. 20 LOOP
		IF round = 0 THEN
			EXECUTE format('SELECT string_agg(format(''(%%s, %%L::float8[])'', n, c), '', '') FROM (SELECT row_number() OVER (ORDER BY id) AS n, ARRAY[%s] AS c FROM %s WHERE id IN (%s)) AS s',
				point, relation, (SELECT string_agg((i * records / 6)::text, ', ') FROM generate_series(1, 5) AS i)) INTO next;
		ELSE
			EXECUTE format('SELECT string_agg(format(''(%%s, %%L::float8[])'', cluster, c), '', '' ORDER BY cluster) FROM (SELECT cluster, ARRAY[%s] AS c FROM (%s) AS a GROUP BY cluster) AS s', center, query) INTO next;
		END IF;
		EXECUTE format('SELECT format(''SELECT *, CASE least(%%1$s) %%2$s END AS cluster FROM (SELECT *, %%3$s FROM %s AS t OFFSET 0) AS t'', string_agg(''d'' || n, '', ''), string_agg(format(''WHEN d%%1$s THEN %%1$s'', n), '' '' ORDER BY n), string_agg(format(''%%s AS d%%s'', paper.square(%L::name[], ''t'', c), n), '', '')) FROM (VALUES %s) AS v (n, c)',
			relation, names, next) INTO query;
	END LOOP;
	EXECUTE format('DROP TABLE IF EXISTS %1$s; CREATE TABLE %1$s AS SELECT id, cluster FROM (%2$s) AS a', target, query);
END
$$;
-- rand is the adjusted Rand index of two clusterings.
CREATE FUNCTION paper.rand(a regclass, b regclass) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE format('WITH joined AS (SELECT a.cluster AS a, b.cluster AS b, count(*)::float8 AS n FROM %s AS a JOIN %s AS b USING (id) GROUP BY 1, 2),
		pairs AS (SELECT (SELECT sum(n * (n - 1) / 2) FROM joined) AS joint, (SELECT sum(n * (n - 1) / 2) FROM (SELECT sum(n) AS n FROM joined GROUP BY a) AS s) AS of_a,
			(SELECT sum(n * (n - 1) / 2) FROM (SELECT sum(n) AS n FROM joined GROUP BY b) AS s) AS of_b, (SELECT sum(n) * (sum(n) - 1) / 2 FROM joined) AS total)
		SELECT (joint - of_a * of_b / total) / ((of_a + of_b) / 2 - of_a * of_b / total) FROM pairs', a, b) INTO result;
	RETURN result;
END
$$;

-- measure adds the three figures of a release.
CREATE PROCEDURE paper.measure(what paper.task, method text, size int, seed int, records bigint) LANGUAGE plpgsql AS $$
DECLARE
	names CONSTANT name[] := paper.names(what.source);
	error float8;
BEGIN
	EXECUTE format('SELECT FROM sdc_%s_swap(%L::regclass, %s, columns => %L, target => ''paper.swapped'', seed => %s, replace => true)', method, what.source, size, names[:2], seed);
	CALL paper.scale(what.source, 'paper.swapped', 'paper.changed');
	CALL paper.neighbours('paper.changed', 'paper.near_changed', names, records);
	CALL paper.cluster('paper.changed', 'paper.cluster_changed', names, records);
	EXECUTE format('SELECT avg(abs(sqrt(b) - sqrt(a))) / avg(sqrt(a)) FROM (SELECT %s AS a, %s AS b FROM paper.pair AS p JOIN paper.original AS x ON x.id = p.a JOIN paper.original AS y ON y.id = p.b
		JOIN paper.changed AS v ON v.id = p.a JOIN paper.changed AS w ON w.id = p.b) AS d', paper.square(names, 'x', 'y'), paper.square(names, 'v', 'w')) INTO error;
	INSERT INTO paper.run SELECT what.source, what.intervals, method, seed, error, (SELECT count(*) / 1000.0 FROM paper.near_original JOIN paper.near_changed USING (query, id)),
		paper.rand('paper.cluster_original', 'paper.cluster_changed');
	COMMIT;
END
$$;
CREATE PROCEDURE paper.measure_all() LANGUAGE plpgsql AS $$
DECLARE
	what paper.task;
	file text;
	records bigint;
BEGIN
	FOREACH file IN ARRAY '{abalone,magic}'::text[] LOOP
		EXECUTE format('SELECT count(*) FROM %I', file) INTO records;
		DROP TABLE IF EXISTS paper.swapped, paper.pair;
		CREATE TABLE paper.pair AS SELECT 1 + floor(paper.uniform(i, 1) * records)::bigint AS a, 1 + floor(paper.uniform(i, 2) * records)::bigint AS b FROM generate_series(1::bigint, 20000) AS i;
		CALL paper.scale(file, file, 'paper.original');
		CALL paper.neighbours('paper.original', 'paper.near_original', paper.names(file), records);
		CALL paper.cluster('paper.original', 'paper.cluster_original', paper.names(file), records);
		COMMIT;
		FOR what IN SELECT * FROM paper.task WHERE source = file ORDER BY intervals LOOP
			FOR seed IN 1 .. 5 LOOP
				CALL paper.measure(what, 'equiwidth', what.intervals, seed, records);
				CALL paper.measure(what, 'equidepth', (records / what.degree)::int, seed, records);
			END LOOP;
		END LOOP;
	END LOOP;
END
$$;
CALL paper.measure_all();

CREATE VIEW paper.result AS
SELECT t.*, method, avg(error) AS error, avg(kept) AS kept, avg(rand) AS rand, CASE method WHEN 'equiwidth' THEN mews ELSE meds END AS expected
FROM paper.task AS t JOIN paper.run AS r USING (source, intervals) GROUP BY t.source, t.intervals, method;
\echo 'Error of distances, share of five nearest neighbours kept, adjusted Rand index of k-means; of an independent implementation'
SELECT format('%s, %s bins, %s: %s, %s, %s; %s, %s, %s', source, degree, method, round(error::numeric, 3), round(kept::numeric, 2), round(rand::numeric, 2), expected[1], expected[2], expected[3]) FROM paper.result ORDER BY source, degree, method DESC;
-- how it draws pairs and records, and where its clusters begin, is not known
SELECT paper.near(format('%s, %s bins, %s: distances', source, degree, method), error, expected[1], 0.004) FROM paper.result ORDER BY source, degree, method DESC;
SELECT paper.near(format('%s, %s bins, %s: neighbours', source, degree, method), kept, expected[2], 0.06) FROM paper.result ORDER BY source, degree, method DESC;
SELECT paper.near(format('%s, %s bins, %s: clusters', source, degree, method), rand, expected[3], 0.1) FROM paper.result ORDER BY source, degree, method DESC;

CREATE VIEW paper.comparison AS SELECT source, degree, d.error AS depth_error, w.error AS width_error, d.kept AS depth_kept, w.kept AS width_kept, d.rand AS depth_rand, w.rand AS width_rand
FROM paper.result AS d JOIN paper.result AS w USING (source, degree) WHERE (d.method, w.method) = ('equidepth', 'equiwidth');
SELECT format('MEDS is as good or better in %s of %s', sum((depth_error <= width_error)::int + (depth_kept >= width_kept)::int + (depth_rand >= width_rand)::int), 3 * count(*)) FROM paper.comparison;
SELECT paper.claim('MEDS performs ineffectively on preserving distances (worse than MEWS)', bool_or(depth_error > width_error)) FROM paper.comparison;
SELECT paper.claim('MEDS keeps fewer of the nearest neighbours than MEWS', bool_or(depth_kept < width_kept)) FROM paper.comparison;
SELECT paper.claim('clusters by distances are kept better by MEWS', bool_and(depth_rand < width_rand)) FROM paper.comparison;

-- methods.sql
--		All methods for numbers on the same files, over their parameters: whom a release shows, what it loses, and the score.
--
-- The comparison of Domingo-Ferrer and Torra 2001, which the papers on rank swapping cite: Census, EIA and Tarragona, all columns
-- protected, each intruder knows one to seven of them; and a generated file (1,000 records, six columns, lognormal, some of them
-- correlated).  The risk is that of the attacks that exist for every method (distance, probabilistic, intervals), the score the
-- mean of risk and loss; people found is what somebody finds who knows all columns and the method.  Two draws of what draws.
--
-- verdict: holds: on Census rank swapping has the best score of all methods
-- verdict: holds: on Census microaggregation of all columns together comes next, behind the forms of rank swapping
-- verdict: holds: additive noise has a worse score than rank swapping, on Census, EIA and Tarragona
-- verdict: holds: each column microaggregated by itself protects nobody who is known by all columns
-- verdict: does not hold: the method with the best score shows few people
-- verdict: does not hold: rank swapping has the best score on every file

CREATE FUNCTION paper.generated(seed int) RETURNS SETOF record LANGUAGE sql AS $$
	SELECT id, exp(z), exp(0.8 * z + 0.6 * paper.normal(id, seed + 1)), exp(0.5 * z + 0.9 * paper.normal(id, seed + 2)),
		exp(paper.normal(id, seed + 3)), exp(0.3 * z - 0.9 * paper.normal(id, seed + 4)), exp(1.5 * paper.normal(id, seed + 5))
	FROM (SELECT id, paper.normal(id, seed) AS z FROM generate_series(1, 1000) AS id) AS s
$$;
CREATE TABLE generated AS SELECT * FROM paper.generated(700) AS t (id int, a float8, b float8, c float8, d float8, e float8, f float8);

CREATE TABLE paper.method (method text, parameter text, call text, draws boolean);
INSERT INTO paper.method
SELECT 'rank swapping', 'p = ' || p, format('sdc_rankswap(%%L, p => %s, columns => %%L, %%s', p), true FROM unnest('{2,5,10,15,20}'::int[]) AS p
UNION ALL SELECT 'rank swapping, distribution', 'p = ' || p, format('sdc_rankswap_distribution(%%L, p => %s, columns => %%L, %%s', p), true FROM unnest('{2,5,10,15,20}'::int[]) AS p
UNION ALL SELECT 'rank swapping, buckets', b || ' buckets', format('sdc_rankswap_buckets(%%L, buckets => %s, columns => %%L, %%s', b), true FROM unnest('{5,10,20,50}'::int[]) AS b
UNION ALL SELECT 'joint swapping, equal depth', 'depth ' || d, format('sdc_equidepth_swap(%%L, depth => %s, columns => %%L, %%s', d), true FROM unnest('{2,3,5}'::int[]) AS d
UNION ALL SELECT 'joint swapping, equal width', w || ' intervals', format('sdc_equiwidth_swap(%%L, intervals => %s, columns => %%L, %%s', w), true FROM unnest('{3,10,30}'::int[]) AS w
UNION ALL SELECT 'randomization', 'draws ' || d, format('sdc_randomize(%%L, draws => %s, qi => %%L, %%s', d), true FROM unnest('{1,2,4}'::int[]) AS d
UNION ALL SELECT 'microaggregation, joint', 'k = ' || k, format('sdc_microaggregate(%%L, k => %s, columns => %%L, %%s', k), false FROM unnest('{3,5,10,20}'::int[]) AS k
UNION ALL SELECT 'microaggregation, each', 'k = ' || k, format('sdc_microaggregate(%%L, k => %s, columns => %%L, scheme => ''each'', %%s', k), false FROM unnest('{3,5,10,20}'::int[]) AS k
UNION ALL SELECT 'noise, additive', 'amount ' || a, format('sdc_noise(%%L, amount => %s, columns => %%L, %%s', a), true FROM unnest('{0.05,0.1,0.2,0.5}'::numeric[]) AS a
UNION ALL SELECT 'noise, correlated', 'amount ' || a, format('sdc_noise(%%L, amount => %s, scheme => ''correlated'', columns => %%L, %%s', a), true FROM unnest('{0.05,0.1,0.2,0.5}'::numeric[]) AS a
UNION ALL SELECT 'PRAM', 'retain ' || q, format('sdc_pram(%%L, retain => %s, columns => %%L, %%s', q), true FROM unnest('{0.5,0.7,0.9}'::numeric[]) AS q;

CREATE TABLE paper.run (file text, method text, parameter text, seed int, found float8, certain float8, risk float8, il float8, score float8);
CREATE PROCEDURE paper.measure_all(seeds int) LANGUAGE plpgsql AS $$
DECLARE
	file text;
	names name[];
	m paper.method;
BEGIN
	FOREACH file IN ARRAY '{census,eia,tarragona,generated}'::text[] LOOP
		names := ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = file::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'id' ORDER BY attnum);
		FOR m IN SELECT * FROM paper.method LOOP
			FOR seed IN 1 .. CASE WHEN m.draws THEN least(seeds, 2) ELSE 1 END LOOP
				EXECUTE format('SELECT count(*) FROM ' || m.call || ')', file, names,
					format('key => ''{id}'', target => ''paper.made''%s', CASE WHEN m.draws THEN ', seed => ' || seed END));
				INSERT INTO paper.run SELECT file, m.method, m.parameter, seed, people_found, certain_percent, dr_generic, il, score_generic FROM sdc_score('paper.made', known_max => least(7, cardinality(names)));
				DROP TABLE paper.made;
				COMMIT;
			END LOOP;
		END LOOP;
	END LOOP;
END
$$;
CALL paper.measure_all(:seeds);
CREATE VIEW paper.result AS
SELECT file, method, parameter, avg(found) AS found, avg(certain) AS certain, avg(risk) AS risk, avg(il) AS il, avg(score) AS score FROM paper.run GROUP BY 1, 2, 3;
\echo 'People found, certain, risk, loss, score'
SELECT format('%s, %s, %s: %s, %s, %s, %s, %s', file, method, parameter, round(found::numeric, 1), round(certain::numeric, 1), round(risk::numeric, 1), round(il::numeric, 1), round(score::numeric, 1))
FROM paper.result ORDER BY file, method, score;
\echo 'The best score of a method over its parameters'
CREATE VIEW paper.best AS SELECT DISTINCT ON (file, method) * FROM paper.result ORDER BY file, method, score;
SELECT format('%s, best: %s', file, string_agg(format('%s (%s) %s', method, parameter, round(score::numeric, 1)), ', ' ORDER BY score)) FROM paper.best GROUP BY file ORDER BY file;

-- the map of the releases on Census with the best score of each method
DO $$
DECLARE
	b record;
BEGIN
	FOR b IN SELECT method, parameter, call, draws FROM paper.best JOIN paper.method USING (method, parameter) WHERE file = 'census' LOOP
		EXECUTE format('SELECT count(*) FROM ' || b.call || ')', 'census', (SELECT array_agg(attname) FROM pg_attribute WHERE attrelid = 'census'::regclass AND attnum > 0 AND attname <> 'id'),
			format('key => ''{id}'', target => %L%s', format('paper.%I', b.method || ', ' || b.parameter), CASE WHEN b.draws THEN ', seed => 1' END));
	END LOOP;
END
$$;
SELECT format('map of Census: %s releases, on the frontier: %s', count(*), string_agg(format('%s (%s %% found, loss %s)', trim(BOTH '"' FROM replace(release::text, 'paper.', '')), people_found, loss), '; ' ORDER BY people_found) FILTER (WHERE on_frontier)) FROM sdc_ru_map WHERE source = 'census'::regclass;
SELECT :'pictures' <> '' AS drawn \gset
\if :drawn
\o :pictures/methods.svg
SELECT sdc_ru_map_svg('census');
\o
\endif

SELECT paper.claim('on Census rank swapping has the best score of all methods', (SELECT method FROM paper.best WHERE file = 'census' ORDER BY score LIMIT 1) = 'rank swapping');
SELECT paper.claim('on Census microaggregation of all columns together comes next, behind the forms of rank swapping',
	(SELECT method FROM paper.best WHERE file = 'census' AND method NOT LIKE 'rank swapping%' ORDER BY score LIMIT 1) = 'microaggregation, joint');
SELECT paper.claim('additive noise has a worse score than rank swapping, on Census, EIA and Tarragona', bool_and(n.score > r.score))
FROM paper.best AS n JOIN paper.best AS r USING (file) WHERE n.method = 'noise, additive' AND r.method = 'rank swapping' AND file <> 'generated';
SELECT paper.claim('each column microaggregated by itself protects nobody who is known by all columns', bool_and(found > 99)) FROM paper.result WHERE method = 'microaggregation, each';
SELECT paper.claim('the method with the best score shows few people', (SELECT found < 50 FROM paper.best WHERE file = 'census' ORDER BY score LIMIT 1));
SELECT paper.claim('rank swapping has the best score on every file', bool_and(method LIKE 'rank swapping%')) FROM (SELECT DISTINCT ON (file) method FROM paper.best ORDER BY file, score) AS b;

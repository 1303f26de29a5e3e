-- rankswap_components.sql
--		J. Nin, J. Herranz, V. Torra, "Rethinking rank swapping to decrease disclosure risk", Data & Knowledge Engineering
--		64 (2008): Tables 4 to 6 and A.1 to A.6, Figures 3 to 7, on the files Census and EIA.
--
-- All three methods with all their parameters, and all numbers of known columns: the correct links by windows (RSLD), by
-- distance (DLD) and by agreement (PLD), interval disclosure (ID), information loss (IL), disclosure risk (DR) and score.
-- The tables and figures of the paper are lost, and what its text says of them is judged.  A statement about all
-- parameters holds if it does for each, by means over seeds; how many differences are below two standard errors is
-- printed too.  The counts expected are those of an independent implementation, give or take one; with how many parameters
-- an attack on EIA does best before all columns are known hangs on differences of a few records, and is not compared (it has 3 of
-- p-distribution and 6 of p-buckets).  EIA, which takes longer, has half of the seeds.
--
-- The parameters of the methods are paired as the paper does: rs 2, rs 2-d, rs 75-b, and so on; rs 20 has no buckets.
--
-- verdict: holds: Table 4: RSLD is the largest of the three linkages
-- verdict: does not hold: Table 4: RSLD is the largest measure of risk, ID included
-- verdict: holds: Section 5.3: PLD is below RSLD and DLD, all methods
-- verdict: does not hold: Table 5: DLD is above RSLD, p-distribution, Census
-- verdict: does not hold: Table 5: DLD is above RSLD, p-distribution, EIA
-- verdict: holds: Table 6: DLD is above RSLD, p-buckets, but for one parameter
-- verdict: holds: Section 5.3: ID is below that of standard rank swapping, p-distribution
-- verdict: does not hold: Section 5.3: ID is below that of standard rank swapping, p-buckets
-- verdict: holds: Section 5.3: IL is above that of standard rank swapping, p-distribution
-- verdict: does not hold: Section 5.3: IL is above that of standard rank swapping, p-buckets
-- verdict: holds: Section 5.3: DR is below that of standard rank swapping, p-distribution
-- verdict: does not hold: Section 5.3: DR is below that of standard rank swapping, p-buckets
-- verdict: does not hold: Section 5.3: DR is below by more than 15 percent in some cases, read as points
-- verdict: holds: Section 5.3: DR is below by more than 15 percent in some cases, read as percent of it
-- verdict: does not hold: Section 5.3: the score is below that of standard rank swapping, p-distribution
-- verdict: does not hold: Section 5.3: the score is below that of standard rank swapping, p-buckets
-- verdict: holds: Figure 3: the more columns are known, the more records are linked, standard rank swapping
-- verdict: holds: Figure 4: most are linked before all columns are known, p-distribution, Census
-- verdict: does not hold: Figure 4: most are linked before all columns are known, p-distribution, EIA
-- verdict: holds: Figure 5: most are linked before all columns are known, p-buckets, but for one parameter at most
-- verdict: cannot be known: Tables 4 to 6 and A.1 to A.6, Figures 3 to 7: the numbers in print
-- verdict: cannot be known: Section 4.2: the probabilities of the buckets

CREATE TABLE paper.grid (source text, method text, parameter float8, pair int);
INSERT INTO paper.grid SELECT source, method, 2 * pair, pair
FROM unnest('{census,eia}'::text[]) AS source, unnest('{rankswap,rankswap_distribution}'::text[]) AS method, generate_series(1, 10) AS pair
UNION ALL SELECT source, 'rankswap_buckets', parameter, pair
FROM unnest('{census,eia}'::text[]) AS source, unnest('{75,50,35,30,25,20,15,10,5}'::int[]) WITH ORDINALITY AS u (parameter, pair);

CREATE TABLE paper.component (source text, method text, pair int, seed int, il float8, id float8, dld float8, pld float8, rsld float8, dr float8, score float8);
CREATE TABLE paper.links (source text, method text, pair int, seed int, known int, percent float8);

-- measure measures the release of a source.
CREATE PROCEDURE paper.measure(what paper.grid, seed int)
LANGUAGE plpgsql AS $$
DECLARE
	made CONSTANT regclass := 'paper.' || what.source;
	m paper.component := (what.source, what.method, what.pair, seed, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
BEGIN
	WITH rate AS MATERIALIZED (SELECT * FROM sdc_disclosure_risk(made)),
		kept AS (INSERT INTO paper.links SELECT what.source, what.method, what.pair, measure.seed, known, percent FROM rate WHERE attack = 'rankswap')
	SELECT avg(percent) FILTER (WHERE attack = 'distance'), avg(percent) FILTER (WHERE attack = 'probabilistic'), avg(percent) FILTER (WHERE attack = 'rankswap')
	FROM rate INTO m.dld, m.pld, m.rsld;
	m.il := (SELECT il FROM sdc_information_loss(made));
	m.id := (SELECT avg(percent) FROM sdc_interval_disclosure(made));
	m.dr := (m.rsld + m.dld + m.pld) / 6 + m.id / 2;
	m.score := (m.il + m.dr) / 2;
	INSERT INTO paper.component SELECT m.*;
	-- that is what sdc_score says
	ASSERT seed > 1 OR (SELECT abs(s.score - m.score) < 1e-9 AND abs(s.dr - m.dr) < 1e-9 FROM sdc_score(made) AS s);
END
$$;

CREATE PROCEDURE paper.all(seeds int)
LANGUAGE plpgsql AS $$
DECLARE
	what paper.grid;
BEGIN
	FOR what IN SELECT * FROM paper.grid ORDER BY source, method, pair LOOP
		FOR seed IN 1 .. CASE what.source WHEN 'eia' THEN greatest(seeds / 2, 2) ELSE seeds END LOOP
			CALL paper.protect(what.source, what.method, what.parameter, seed);
			CALL paper.measure(what, seed);
			COMMIT;
		END LOOP;
	END LOOP;
END
$$;
CALL paper.all(:seeds);

\echo 'Means over seeds, in percent                IL     DLD     PLD    RSLD      ID      DR   score     (printed: the best score is'
\echo '  24.77 and 21.42 of standard rank swapping, 20.90 to 21.30 and 20.20 to 21.00 of p-distribution, 20.92 and 20.32 of p-buckets)'
SELECT rpad(source, 10) || rpad(paper.short(method, parameter), 24)
	|| (SELECT string_agg(lpad(round(m::numeric, 1)::text, 8), '') FROM unnest(ARRAY[avg(il), avg(dld), avg(pld), avg(rsld), avg(id), avg(dr), avg(score)]) AS m)
FROM paper.grid JOIN paper.component USING (source, method, pair) GROUP BY source, method, parameter, pair ORDER BY source, method, pair;

\echo
\echo 'Percent that is linked by windows, with 1, 2, ... known columns'
SELECT rpad(source, 8) || rpad(paper.short(method, parameter), 9) || string_agg(lpad(round(mean::numeric, 1)::text, 6), '' ORDER BY known)
FROM paper.grid JOIN (SELECT source, method, pair, known, avg(percent) AS mean FROM paper.links GROUP BY source, method, pair, known) AS l USING (source, method, pair)
GROUP BY source, method, parameter, pair ORDER BY source, method, pair;

-- A comparison of two means: by how much the first is larger, and the standard error of that.
CREATE TABLE paper.comparison (claim text, source text, method text, parameter float8, pair int, difference float8, error float8);
-- within a release
INSERT INTO paper.comparison
SELECT c.claim, source, method, parameter, pair, avg(c.difference), stddev_samp(c.difference) / sqrt(count(*))
FROM paper.grid JOIN paper.component AS m USING (source, method, pair),
	LATERAL (VALUES ('rsld largest', CASE method WHEN 'rankswap' THEN rsld - greatest(dld, pld) END), ('rsld above id', CASE method WHEN 'rankswap' THEN rsld - id END),
		('pld smallest', least(rsld, dld) - pld), ('dld above rsld', CASE WHEN method <> 'rankswap' THEN dld - rsld END)) AS c (claim, difference)
WHERE c.difference IS NOT NULL GROUP BY c.claim, source, method, parameter, pair;
-- with standard rank swapping
INSERT INTO paper.comparison
SELECT c.claim, v.source, v.method, g.parameter, v.pair, avg(c.difference), stddev_samp(c.difference) / sqrt(count(*))
FROM paper.component AS v JOIN paper.component AS s USING (source, pair, seed) JOIN paper.grid AS g ON (g.source, g.method, g.pair) = (v.source, v.method, v.pair),
	LATERAL (VALUES ('id below', s.id - v.id), ('il above', v.il - s.il), ('dr below', s.dr - v.dr), ('dr below by 15 points', s.dr - v.dr - 15),
		('dr below by 15 percent', 0.85 * s.dr - v.dr), ('score below', s.score - v.score)) AS c (claim, difference)
WHERE s.method = 'rankswap' AND v.method <> 'rankswap' GROUP BY c.claim, v.source, v.method, g.parameter, v.pair;
-- between numbers of known columns: the least step (by means, and more than as good as nothing)
INSERT INTO paper.comparison
SELECT 'more columns, more links', source, method, parameter, pair, min(step) + 0.5, 0
FROM paper.grid JOIN (SELECT source, method, pair, lead(avg(percent)) OVER (PARTITION BY source, method, pair ORDER BY known) - avg(percent) AS step
	FROM paper.links WHERE method = 'rankswap' GROUP BY source, method, pair, known) AS l USING (source, method, pair)
GROUP BY source, method, parameter, pair;
-- or what the best number below all has over all columns
INSERT INTO paper.comparison
SELECT 'most before all', source, method, parameter, pair, avg(b.percent - a.percent), stddev_samp(b.percent - a.percent) / sqrt(count(*))
FROM paper.grid JOIN (SELECT DISTINCT ON (source, method, pair) source, method, pair, known FROM paper.links WHERE known < CASE source WHEN 'census' THEN 13 ELSE 10 END
		GROUP BY source, method, pair, known ORDER BY source, method, pair, avg(percent) DESC) AS best USING (source, method, pair)
	JOIN paper.links AS b USING (source, method, pair, known) JOIN paper.links AS a USING (source, method, pair, seed)
WHERE a.known = CASE source WHEN 'census' THEN 13 ELSE 10 END AND method <> 'rankswap'
GROUP BY source, method, parameter, pair;

CREATE VIEW paper.count AS
SELECT claim, source, method, count(*) FILTER (WHERE difference > 0) AS hold, count(*) AS all, count(*) FILTER (WHERE abs(difference) < 2 * error) AS unsure,
	string_agg(paper.short(method, parameter), ', ' ORDER BY pair) FILTER (WHERE difference <= 0) AS but
FROM paper.comparison GROUP BY claim, source, method;

\echo
\echo 'How many parameters a statement holds for, of how many (and of how many the difference is below two standard errors)'
SELECT rpad(claim, 26) || rpad(source, 8) || rpad(method, 23) || format('%s of %s (%s)', hold, "all", unsure) || coalesce('  not ' || but, '') FROM paper.count ORDER BY claim, method, source;

-- Counts of the independent implementation.
\echo
SELECT paper.near(format('count, %s, %s, %s', claim, source, method), hold, expected, 1)
FROM paper.count JOIN (VALUES ('rsld largest', 'rankswap', 10, 10), ('rsld above id', 'rankswap', 7, 0), ('dld above rsld', 'rankswap_distribution', 8, 2),
	('dld above rsld', 'rankswap_buckets', 8, 8), ('id below', 'rankswap_distribution', 10, 10), ('id below', 'rankswap_buckets', 2, 2),
	('il above', 'rankswap_distribution', 10, 10), ('il above', 'rankswap_buckets', 8, 4), ('dr below', 'rankswap_distribution', 10, 10), ('dr below', 'rankswap_buckets', 5, 2),
	('dr below by 15 points', 'rankswap_distribution', 0, 0), ('dr below by 15 points', 'rankswap_buckets', 0, 0),
	('score below', 'rankswap_distribution', 9, 5), ('score below', 'rankswap_buckets', 4, 2), ('more columns, more links', 'rankswap', 10, 10),
	('most before all', 'rankswap_distribution', 10, NULL), ('most before all', 'rankswap_buckets', 8, NULL)) AS e (claim, method, census, eia) USING (claim, method),
	LATERAL (SELECT CASE source WHEN 'census' THEN e.census ELSE e.eia END AS expected) AS x
WHERE expected IS NOT NULL ORDER BY claim, method, source;

-- always says whether a statement holds for all parameters but so many, of both files or of one.
CREATE FUNCTION paper.always(what text, how text, file text DEFAULT NULL, exceptions int DEFAULT 0) RETURNS boolean
LANGUAGE sql AS $$
	SELECT bool_and("all" - hold <= exceptions) FROM paper.count WHERE claim = what AND method LIKE how AND source = coalesce(file, source)
$$;
\echo
SELECT paper.claim('Table 4: RSLD is the largest of the three linkages', paper.always('rsld largest', 'rankswap'));
SELECT paper.claim('Table 4: RSLD is the largest measure of risk, ID included', paper.always('rsld above id', 'rankswap'));
SELECT paper.claim('Section 5.3: PLD is below RSLD and DLD, all methods', paper.always('pld smallest', '%'));
SELECT paper.claim('Table 5: DLD is above RSLD, p-distribution, Census', paper.always('dld above rsld', 'rankswap_distribution', 'census'));
SELECT paper.claim('Table 5: DLD is above RSLD, p-distribution, EIA', paper.always('dld above rsld', 'rankswap_distribution', 'eia'));
SELECT paper.claim('Table 6: DLD is above RSLD, p-buckets, but for one parameter', paper.always('dld above rsld', 'rankswap_buckets', exceptions => 1));
SELECT paper.claim(format('Section 5.3: %s that of standard rank swapping, %s', words, CASE method WHEN 'rankswap_buckets' THEN 'p-buckets' ELSE 'p-distribution' END),
	paper.always(claim, method))
FROM (VALUES (1, 'id below', 'ID is below'), (2, 'il above', 'IL is above'), (3, 'dr below', 'DR is below'), (4, 'score below', 'the score is below')) AS c (i, claim, words),
	unnest('{rankswap_distribution,rankswap_buckets}'::text[]) AS method ORDER BY i, method DESC;
SELECT paper.claim('Section 5.3: DR is below by more than 15 percent in some cases, read as points', sum(hold) > 0) FROM paper.count WHERE claim = 'dr below by 15 points';
SELECT paper.claim('Section 5.3: DR is below by more than 15 percent in some cases, read as percent of it', sum(hold) > 0) FROM paper.count WHERE claim = 'dr below by 15 percent';
SELECT paper.claim('Figure 3: the more columns are known, the more records are linked, standard rank swapping', paper.always('more columns, more links', 'rankswap'));
SELECT paper.claim('Figure 4: most are linked before all columns are known, p-distribution, Census', paper.always('most before all', 'rankswap_distribution', 'census'));
SELECT paper.claim('Figure 4: most are linked before all columns are known, p-distribution, EIA', paper.always('most before all', 'rankswap_distribution', 'eia'));
SELECT paper.claim('Figure 5: most are linked before all columns are known, p-buckets, but for one parameter at most', paper.always('most before all', 'rankswap_buckets', exceptions => 1));
SELECT paper.unknown('Tables 4 to 6 and A.1 to A.6, Figures 3 to 7: the numbers in print');
SELECT paper.unknown('Section 4.2: the probabilities of the buckets');

-- rankswap_figures.sql
--		J. Nin, J. Herranz, V. Torra, "Rethinking rank swapping to decrease disclosure risk", Data & Knowledge Engineering
--		64 (2008), on the files Census and EIA: figures in print, and those of an independent implementation.
--
-- Every experiment is made with as many seeds as are asked for; the means are compared with those of an independent
-- implementation, and stand beside the figures in print, as far as there are any.  Where no interval is known, a
-- tolerance is stated and marked by "~".
--
-- The best score of a method is the least mean score over its parameter: a sweep with two seeds, then the five best
-- parameters with all of them.  A score is that of sdc_score: with the combined risk (RSLD + DLD + PLD) / 6 + ID / 2,
-- averaged over 1, 2, .. all known attributes.  That is what gives the expected figures; the other readings, half of the
-- attributes and the generic risk, are printed below.
--
-- verdict: as published: Table 7, EIA, p = 2: links by distance and by the annotated union
-- verdict: as published: Table 7, EIA, p = 4: links by distance and by the annotated union
-- verdict: as published: Section 5.2: more than 70 percent of Census with half of the columns, p = 2 to 8
-- verdict: holds: Section 5.2: about 70 percent of Census with half of the columns, p = 10
-- verdict: as published: Section 5.2: more than 50 percent of Census with all columns, p = 20
-- verdict: as published: Section 5.2: p-distribution, p = 2, Census: more than 50 percent with three columns, then falling
-- verdict: does not hold: Section 5.2: p-distribution, p = 2, Census: more than 50 percent with four columns
-- verdict: as published: Section 5.3: IL of EIA is similar for rs 8, rs 8-d and rs 30-b
-- verdict: does not hold: Section 5.3: best scores of standard rank swapping, 24.77 and 21.42
-- verdict: does not hold: Section 5.3: best scores of p-distribution, 20.90 to 21.30 and 20.20 to 21.00
-- verdict: does not hold: Section 5.3: best scores of p-buckets, 20.92 and 20.32

-- An experiment.  measure: distance or union (links), rankswap (percent), loss; p: the window of
-- union.  stated: the tolerance is not that of the independent implementation.
CREATE TABLE paper.experiment (id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, source text, method text, parameter float8,
	measure text, known int, p float8, title text, expected float8, tolerance float8, stated boolean, printed text);
INSERT INTO paper.experiment (source, method, parameter, measure, known, p, title, expected, tolerance, stated, printed)
VALUES
	('eia', 'rankswap_distribution', 2, 'distance', 5, NULL, 'EIA, p-distribution p = 2, 5 known: links by distance', 1263, 12, false, '1267'),
	('eia', 'rankswap_distribution', 2, 'union', 5, 2, '  annotated union, windows of p', 1458, 28, false, '1443'),
	('eia', 'rankswap_distribution', 2, 'union', 5, 1, '  annotated union, windows of p/2', 789, 30, true, 'much worse'),
	('eia', 'rankswap_distribution', 4, 'distance', 5, NULL, 'EIA, p-distribution p = 4, 5 known: links by distance', 350, 21, false, '330'),
	('eia', 'rankswap_distribution', 4, 'union', 5, 4, '  annotated union, windows of p', 439, 19, false, '419'),
	('eia', 'rankswap_distribution', 4, 'union', 5, 2, '  annotated union, windows of p/2', 265, 20, true, 'much worse'),
	('census', 'rankswap', 2, 'rankswap', 7, NULL, 'Census, standard p = 2, 7 known: percent by windows', 100, 1.1, false, '> 70'),
	('census', 'rankswap', 4, 'rankswap', 7, NULL, '  p = 4', 98.9, 1.1, false, '> 70'),
	('census', 'rankswap', 6, 'rankswap', 7, NULL, '  p = 6', 93.8, 1.1, false, '> 70'),
	('census', 'rankswap', 8, 'rankswap', 7, NULL, '  p = 8', 83.7, 1.1, false, '> 70'),
	('census', 'rankswap', 10, 'rankswap', 7, NULL, '  p = 10', 69.3, 1.1, false, '> 70'),
	('census', 'rankswap', 20, 'rankswap', 13, NULL, '  p = 20, 13 known', 64, 1.5, true, '> 50'),
	('census', 'rankswap_distribution', 2, 'rankswap', 3, NULL, 'Census, p-distribution p = 2, 3 known: percent by windows', 56.3, 1.5, true, '> 50'),
	('census', 'rankswap_distribution', 2, 'rankswap', 4, NULL, '  4 known', 48.7, 1.5, true, '> 50'),
	('census', 'rankswap_distribution', 2, 'rankswap', 5, NULL, '  5 known', 41.1, 1.5, true, 'falling'),
	('census', 'rankswap_buckets', 75, 'rankswap', 3, NULL, 'Census, 75 buckets, 3 known: percent by windows', 49.1, 1.1, false, ''),
	('census', 'rankswap_buckets', 75, 'rankswap', 13, NULL, '  13 known', 9.2, 1.1, true, ''),
	('eia', 'rankswap', 8, 'loss', NULL, NULL, 'EIA, information loss: standard p = 8', 18.6, 0.5, true, 'similar'),
	('eia', 'rankswap_distribution', 8, 'loss', NULL, NULL, '  p-distribution p = 8', 20.2, 0.5, true, 'similar'),
	('eia', 'rankswap_buckets', 30, 'loss', NULL, NULL, '  30 buckets', 15.9, 0.5, true, 'similar'),
	('census', 'rankswap', NULL, 'best', NULL, NULL, 'Best score, standard: Census', 23.0, 0.7, false, '24.77'),
	('eia', 'rankswap', NULL, 'best', NULL, NULL, '  EIA', 23.3, 0.2, false, '21.42'),
	('census', 'rankswap_distribution', NULL, 'best', NULL, NULL, 'Best score, p-distribution: Census', 22.4, 0.7, true, '20.9 - 21.3'),
	('eia', 'rankswap_distribution', NULL, 'best', NULL, NULL, '  EIA', 24.1, 0.2, true, '20.2 - 21.0'),
	('census', 'rankswap_buckets', NULL, 'best', NULL, NULL, 'Best score, p-buckets: Census', 27.6, 0.7, true, '20.92'),
	('eia', 'rankswap_buckets', NULL, 'best', NULL, NULL, '  EIA', 27.0, 0.2, true, '20.32');

CREATE TABLE paper.result (experiment int, seed int, value float8);
CREATE TABLE paper.sweep (source text, method text, parameter float8, seed int, score float8, half float8, generic float8);

-- protect makes the release paper.<source>, in place of the one before.
CREATE PROCEDURE paper.protect(source text, method text, parameter float8, seed int)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT FROM sdc_%s(%L, %s => %s, target => %L, seed => %s, replace => true)', method, 'public.' || source,
		CASE method WHEN 'rankswap_buckets' THEN 'buckets' ELSE 'p' END, parameter, 'paper.' || source, seed);
END
$$;

-- measured returns what one experiment gives on the release of its source.
CREATE FUNCTION paper.measured(what paper.experiment) RETURNS float8
LANGUAGE plpgsql AS $$
DECLARE
	made CONSTANT regclass := 'paper.' || what.source;
	known name[];
BEGIN
	SELECT columns[:what.known] INTO known FROM sdc_releases WHERE release = made;
	RETURN CASE what.measure
		WHEN 'distance' THEN (SELECT sum(CASE WHEN correct THEN 1.0 / ties ELSE 0 END) FROM sdc_link_distance(made, known))
		WHEN 'union' THEN (SELECT sum(CASE WHEN correct THEN 1.0 / ties ELSE 0 END) FROM sdc_link_rankswap(made, what.p, known, 'union'))
		WHEN 'rankswap' THEN (SELECT 100 * avg(CASE WHEN correct THEN 1.0 / ties ELSE 0 END) FROM sdc_link_rankswap(made, known => known))
		WHEN 'loss' THEN (SELECT il FROM sdc_information_loss(made)) END;
END
$$;

-- run makes the experiments on one source with one method and parameter.
CREATE PROCEDURE paper.run(source text, method text, parameter float8, seeds int)
LANGUAGE plpgsql AS $$
BEGIN
	FOR seed IN 1 .. seeds LOOP
		CALL paper.protect(source, method, parameter, seed);
		INSERT INTO paper.result SELECT e.id, seed, paper.measured(e) FROM paper.experiment AS e
		WHERE (e.source, e.method, e.parameter) = (run.source, run.method, run.parameter);
		COMMIT;
	END LOOP;
END
$$;

-- score adds some seeds of a parameter to the sweep; all readings of the score or just one.
CREATE PROCEDURE paper.score(source text, method text, parameter float8, first int, last int, readings boolean)
LANGUAGE plpgsql AS $$
DECLARE
	made CONSTANT text := 'paper.' || source;
	half int;
BEGIN
	FOR seed IN first .. last LOOP
		CALL paper.protect(source, method, parameter, seed);
		SELECT (cardinality(columns) + 1) / 2 INTO half FROM sdc_releases AS r WHERE r.release = made::regclass;
		INSERT INTO paper.sweep SELECT score.source, score.method, score.parameter, seed, s.score,
			CASE WHEN readings THEN (SELECT h.score FROM sdc_score(made::regclass, known_max => half) AS h) END, s.score_generic
		FROM sdc_score(made::regclass) AS s;
		COMMIT;
	END LOOP;
END
$$;

-- best looks for the best parameter of a method.
CREATE PROCEDURE paper.best(source text, method text, seeds int)
LANGUAGE plpgsql AS $$
DECLARE
	tried float8;
BEGIN
	FOREACH tried IN ARRAY CASE method WHEN 'rankswap_buckets' THEN '{5,10,14,16,18,20,22,24,26,28,30,35,40,50,75,100,200}'::float8[]
		ELSE '{1,2,4,6,8,10,11,12,13,14,15,16,17,18,20,22,25,30,40}' END LOOP
		CALL paper.score(source, method, tried, 1, 2, false);
	END LOOP;
	FOREACH tried IN ARRAY ARRAY(SELECT parameter FROM paper.sweep AS s WHERE (s.source, s.method) = (best.source, best.method)
			GROUP BY parameter ORDER BY avg(score) LIMIT 5) LOOP
		DELETE FROM paper.sweep AS s WHERE (s.source, s.method, s.parameter) = (best.source, best.method, tried);
		CALL paper.score(source, method, tried, 1, seeds, true);
	END LOOP;
	INSERT INTO paper.result SELECT e.id, s.seed, s.score FROM paper.experiment AS e, paper.sweep AS s
	WHERE (e.source, e.method, e.measure) = (best.source, best.method, 'best') AND (s.source, s.method) = (best.source, best.method)
		AND s.parameter = (SELECT parameter FROM paper.sweep AS b WHERE (b.source, b.method) = (best.source, best.method)
			GROUP BY parameter HAVING count(*) = seeds ORDER BY avg(b.score) LIMIT 1);
END
$$;

CREATE VIEW paper.report AS
SELECT e.*, false AS own, avg(value) AS mean, paper.mean_of(avg(value), stddev_samp(value)) AS measured,
	count(value) > 0 AND abs(avg(value) - expected) <= tolerance AS within
FROM paper.experiment AS e LEFT JOIN paper.result ON experiment = id GROUP BY id;

-- all makes everything on one source.
CREATE PROCEDURE paper.all(source text, seeds int)
LANGUAGE plpgsql AS $$
DECLARE
	job record;
BEGIN
	FOR job IN SELECT DISTINCT method, parameter FROM paper.experiment AS e WHERE e.source = "all".source ORDER BY parameter, method LOOP
		IF job.parameter IS NULL THEN
			CALL paper.best(source, job.method, seeds);
		ELSE
			CALL paper.run(source, job.method, job.parameter, seeds);
		END IF;
	END LOOP;
END
$$;
CALL paper.all('eia', :seeds);
\warn # rankswap_figures: EIA is done
CALL paper.all('census', :seeds);

SELECT paper.heading();
SELECT paper.line(title, expected, CASE WHEN stated THEN '~' ELSE '+-' END, tolerance, printed, measured, within) FROM paper.report ORDER BY id;
\echo
\echo '+-  the interval of the independent implementation   ~  a tolerance that is stated here'
\echo 'mean +- the standard deviation between seeds'
\echo
\echo 'The best scores: the parameter, and other readings at it'
SELECT rpad(s.source || ', ' || s.method, 34) || lpad(s.parameter::text, 5)
	|| '  score ' || paper.mean_of(avg(score), stddev_samp(score))
	|| ', half of the attributes ' || paper.mean_of(avg(half), stddev_samp(half))
	|| ', generic ' || paper.mean_of(avg(generic), stddev_samp(generic))
FROM paper.sweep AS s
	JOIN (SELECT DISTINCT ON (source, method) source, method, parameter FROM paper.sweep
		WHERE half IS NOT NULL GROUP BY source, method, parameter ORDER BY source, method, avg(score)) AS b USING (source, method, parameter)
GROUP BY s.source, s.method, s.parameter ORDER BY s.source, s.method;
\echo

-- of returns the mean of an experiment, and reaches whether a figure in print is within two standard deviations between files of it.
CREATE FUNCTION paper.of(source text, method text, parameter float8, measure text, known int, p float8 DEFAULT NULL) RETURNS float8
LANGUAGE sql AS $$
	SELECT mean FROM paper.report AS r WHERE (r.source, r.method, r.measure) = ("of".source, "of".method, "of".measure)
		AND r.parameter IS NOT DISTINCT FROM "of".parameter AND r.known IS NOT DISTINCT FROM "of".known AND r.p IS NOT DISTINCT FROM "of".p
$$;
CREATE FUNCTION paper.reaches(source text, method text, parameter float8, measure text, known int, p float8, low float8, high float8) RETURNS boolean
LANGUAGE sql AS $$
	SELECT avg(value) - 2 * stddev_samp(value) <= high AND avg(value) + 2 * stddev_samp(value) >= low
	FROM paper.experiment AS e JOIN paper.result ON experiment = id
	WHERE (e.source, e.method, e.measure) = (reaches.source, reaches.method, reaches.measure)
		AND e.parameter IS NOT DISTINCT FROM reaches.parameter AND e.known IS NOT DISTINCT FROM reaches.known AND e.p IS NOT DISTINCT FROM reaches.p
$$;

SELECT paper.as_printed('Table 7, EIA, p = 2: links by distance and by the annotated union',
	paper.reaches('eia', 'rankswap_distribution', 2, 'distance', 5, NULL, 1267, 1267) AND paper.reaches('eia', 'rankswap_distribution', 2, 'union', 5, 2, 1443, 1443));
SELECT paper.as_printed('Table 7, EIA, p = 4: links by distance and by the annotated union',
	paper.reaches('eia', 'rankswap_distribution', 4, 'distance', 5, NULL, 330, 330) AND paper.reaches('eia', 'rankswap_distribution', 4, 'union', 5, 4, 419, 419));
SELECT paper.as_printed('Section 5.2: more than 70 percent of Census with half of the columns, p = 2 to 8',
	bool_and(paper.of('census', 'rankswap', p, 'rankswap', 7) > 70)) FROM generate_series(2, 8, 2) AS p;
SELECT paper.claim('Section 5.2: about 70 percent of Census with half of the columns, p = 10',
	paper.reaches('census', 'rankswap', 10, 'rankswap', 7, NULL, 70, 100));
SELECT paper.as_printed('Section 5.2: more than 50 percent of Census with all columns, p = 20', paper.of('census', 'rankswap', 20, 'rankswap', 13) > 50);
SELECT paper.as_printed('Section 5.2: p-distribution, p = 2, Census: more than 50 percent with three columns, then falling',
	three > 50 AND three > four AND four > five)
	|| E'\n' || paper.as_printed('Section 5.2: p-distribution, p = 2, Census: more than 50 percent with four columns', four > 50)
FROM (SELECT paper.of('census', 'rankswap_distribution', 2, 'rankswap', 3) AS three, paper.of('census', 'rankswap_distribution', 2, 'rankswap', 4) AS four,
		paper.of('census', 'rankswap_distribution', 2, 'rankswap', 5) AS five) AS c;
SELECT paper.as_printed('Section 5.3: IL of EIA is similar for rs 8, rs 8-d and rs 30-b', max(mean) - min(mean) < 5)
FROM paper.report WHERE measure = 'loss';
SELECT paper.as_printed('Section 5.3: best scores of standard rank swapping, 24.77 and 21.42',
	paper.reaches('census', 'rankswap', NULL, 'best', NULL, NULL, 24.77, 24.77) AND paper.reaches('eia', 'rankswap', NULL, 'best', NULL, NULL, 21.42, 21.42));
SELECT paper.as_printed('Section 5.3: best scores of p-distribution, 20.90 to 21.30 and 20.20 to 21.00',
	paper.reaches('census', 'rankswap_distribution', NULL, 'best', NULL, NULL, 20.9, 21.3)
	AND paper.reaches('eia', 'rankswap_distribution', NULL, 'best', NULL, NULL, 20.2, 21.0));
SELECT paper.as_printed('Section 5.3: best scores of p-buckets, 20.92 and 20.32',
	paper.reaches('census', 'rankswap_buckets', NULL, 'best', NULL, NULL, 20.92, 20.92)
	AND paper.reaches('eia', 'rankswap_buckets', NULL, 'best', NULL, NULL, 20.32, 20.32));

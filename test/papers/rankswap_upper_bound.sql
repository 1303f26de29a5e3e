-- rankswap_upper_bound.sql
--		J. Nin, J. Herranz, V. Torra, "Rethinking rank swapping to decrease disclosure risk", Data & Knowledge Engineering
--		64 (2008), section 3: an intruder who does not know p, but an upper bound of it; and the windows of 5.2, twice as wide.
--
-- Expected are figures of an independent implementation, of 8 and 3 seeds with standard deviations of up to 1: means must
-- be within four standard errors of both, and half a point.  As many seeds are taken, or half of those that are asked for.
--
-- verdict: holds: Section 3: windows link most when the exact p is used, by means over the numbers of known columns
-- verdict: holds: Section 3: a bound of 20 percent is as good as the distance, within 5 points, seven columns, p below 20
-- verdict: holds: Section 3: a bound that is too small links next to nobody, seven or more columns
-- verdict: holds: Section 5.2: knowing all columns is no use with windows of p, p-distribution, p = 2, Census
-- verdict: does not hold: Section 5.2: knowing all columns is no use with windows of twice the parameter, p-distribution, p = 2
-- verdict: does not hold: Section 5.2: DLD is above RSLD with windows of twice the parameter, p-distribution, p = 2

CREATE TABLE paper.bound (source text, method text, parameter float8, guess float8, attack text, known int, seed int, percent float8);
CREATE TABLE paper.certain (source text, parameter float8, guess text, known int, seed int, linked float8, certain float8);

-- certain_of adds what windows link, and how many of that for certain.
CREATE PROCEDURE paper.certain_of(source text, parameter float8, known int, seed int)
LANGUAGE plpgsql AS $$
DECLARE
	made CONSTANT regclass := 'paper.' || source;
BEGIN
	INSERT INTO paper.certain
	SELECT source, parameter, g.guess, known, seed, 100 * avg(CASE WHEN correct THEN 1.0 / ties ELSE 0 END), 100 * avg((correct AND candidates = 1)::int)
	FROM (VALUES ('p/2', parameter / 2), ('p', parameter), ('1.5 p', 1.5 * parameter), ('2 p', 2 * parameter), ('20 %', 20)) AS g (guess, p),
		LATERAL sdc_link_rankswap(made, g.p, paper.known(made, known)) GROUP BY g.guess;
END
$$;

-- draw makes the releases of a seed, and attacks them.
CREATE PROCEDURE paper.draw(seed int)
LANGUAGE plpgsql AS $$
DECLARE
	what record;
	made regclass;
BEGIN
	FOR what IN SELECT * FROM (VALUES ('census', 'rankswap', 2.0), ('census', 'rankswap', 6), ('census', 'rankswap', 10), ('census', 'rankswap', 14), ('census', 'rankswap', 20), ('eia', 'rankswap', 2),
			('census', 'rankswap_distribution', 2), ('eia', 'rankswap_distribution', 2)) AS w (source, method, parameter) LOOP
		CALL paper.protect(what.source, what.method, what.parameter, seed);
		made := 'paper.' || what.source;
		INSERT INTO paper.bound
		SELECT what.source, what.method, what.parameter, guess, attack, known, seed, percent
		FROM unnest(CASE what.method WHEN 'rankswap' THEN ARRAY[what.parameter / 2, what.parameter, 1.5 * what.parameter, 2 * what.parameter, 20] ELSE ARRAY[what.parameter, 2 * what.parameter] END) AS guess,
			LATERAL sdc_disclosure_risk(made, p => guess)
		WHERE attack = 'rankswap' OR (attack = 'distance' AND guess = what.parameter);
		IF what.method = 'rankswap' AND (what.source, what.parameter) IN (('census', 6), ('census', 10)) THEN
			CALL paper.certain_of(what.source, what.parameter, 7, seed);
		END IF;
		IF what.method = 'rankswap' AND (what.source, what.parameter) IN (('census', 10), ('eia', 2)) THEN
			CALL paper.certain_of(what.source, what.parameter, CASE what.source WHEN 'census' THEN 13 ELSE 10 END, seed);
		END IF;
		COMMIT;
	END LOOP;
END
$$;
CREATE PROCEDURE paper.all(seeds int)
LANGUAGE plpgsql AS $$
BEGIN
	FOR seed IN 1 .. greatest(seeds / 2, 2) LOOP
		CALL paper.draw(seed);
	END LOOP;
END
$$;
CALL paper.all(:seeds);

CREATE VIEW paper.attacked AS
SELECT source, method, parameter, guess, attack, known, avg(percent) AS mean FROM paper.bound GROUP BY source, method, parameter, guess, attack, known;

\echo 'Percent linked with 1, 2, ... known columns, by what the intruder takes for p'
SELECT rpad(source, 8) || rpad(paper.short(method, parameter), 9) || rpad(CASE attack WHEN 'distance' THEN attack ELSE 'p = ' || guess END, 10) || string_agg(lpad(round(mean::numeric, 1)::text, 6), '' ORDER BY known)
	|| '  mean ' || round(avg(mean)::numeric, 1)
FROM paper.attacked GROUP BY source, method, parameter, guess, attack ORDER BY source, method, parameter, attack DESC, guess;

\echo
\echo 'Percent linked, and certain: one candidate'
SELECT format('%s rs %s, %s known, %s: %s / %s', source, parameter, known, guess, paper.mean_of(avg(linked), stddev_samp(linked)), paper.mean_of(avg(certain), stddev_samp(certain)))
FROM paper.certain GROUP BY source, parameter, known, guess ORDER BY source, parameter, known, avg(linked) DESC;

\echo
SELECT paper.near(format('linked, %s rs %s, %s known, %s', source, parameter, known, guess), avg(linked), expected, 0.5 + 4 * sqrt(variance(linked) / count(*) + theirs))
	|| CASE WHEN certainly IS NULL THEN '' ELSE E'\n' || paper.near(format('certain, %s rs %s, %s known, %s', source, parameter, known, guess), avg(certain), certainly, 0.5 + 4 * sqrt(variance(certain) / count(*) + theirs)) END
FROM paper.certain JOIN (VALUES ('census', 6.0, 7, 'p', 94.6, 91.4), ('census', 6, 7, '1.5 p', 85.3, 60.6), ('census', 6, 7, '2 p', 80.3, 24.1), ('census', 6, 7, '20 %', 77.1, 1.6), ('census', 6, 7, 'p/2', 0.3, NULL),
	('census', 10, 7, 'p', 69.0, 57.1), ('census', 10, 7, '1.5 p', 47.9, 8.7), ('census', 10, 7, '2 p', 43.8, 1.7), ('census', 10, 7, '20 %', 43.8, 1.7), ('census', 10, 7, 'p/2', 0.5, NULL),
	('census', 10, 13, 'p', 98.3, 97.3), ('census', 10, 13, '1.5 p', 89.9, 70.1), ('census', 10, 13, '2 p', 80.5, 26.8), ('census', 10, 13, '20 %', 80.5, 26.8), ('census', 10, 13, 'p/2', 0, NULL),
	('eia', 2, 10, 'p', 84.6, 77.7), ('eia', 2, 10, '1.5 p', 62.0, 29.9), ('eia', 2, 10, '2 p', 54.7, 10.3), ('eia', 2, 10, '20 %', 49.0, 0.1), ('eia', 2, 10, 'p/2', 0.1, NULL)) AS e (source, parameter, known, guess, expected, certainly)
	USING (source, parameter, known, guess),
	LATERAL (SELECT CASE source WHEN 'census' THEN 1 / 8.0 ELSE 1 / 3.0 END AS theirs) AS t
GROUP BY source, parameter, known, guess, expected, certainly, theirs ORDER BY source, parameter, known, expected DESC;
SELECT paper.near(format('RSLD or DLD, %s, p-distribution p = 2, %s %s', source, attack, guess), avg(mean), expected, 0.5 + 4 * sqrt(2 * avg(theirs)))
FROM paper.attacked JOIN (VALUES ('census', 'rankswap', 2.0, 28.3), ('census', 'rankswap', 4, 84.4), ('census', 'distance', 2, 82.5), ('eia', 'rankswap', 2, 14.9), ('eia', 'rankswap', 4, 29.2), ('eia', 'distance', 2, 25.6))
	AS e (source, attack, guess, expected) USING (source, attack, guess),
	LATERAL (SELECT CASE source WHEN 'census' THEN 1 / 8.0 ELSE 1 / 3.0 END AS theirs) AS t
WHERE method = 'rankswap_distribution' GROUP BY source, attack, guess, expected ORDER BY source, attack DESC, guess;

\echo
SELECT paper.claim('Section 3: windows link most when the exact p is used, by means over the numbers of known columns', bool_and(mean <= exact))
FROM (SELECT source, parameter, avg(mean) AS mean, max(avg(mean)) FILTER (WHERE guess = parameter) OVER (PARTITION BY source, parameter) AS exact
	FROM paper.attacked WHERE method = 'rankswap' AND attack = 'rankswap' GROUP BY source, parameter, guess) AS g;
SELECT paper.claim('Section 3: a bound of 20 percent is as good as the distance, within 5 points, seven columns, p below 20', bool_and(abs(a.mean - d.mean) <= 5))
FROM paper.attacked AS a JOIN paper.attacked AS d USING (source, method, parameter, known)
WHERE method = 'rankswap' AND known = 7 AND parameter < 20 AND (a.attack, a.guess) = ('rankswap', 20) AND d.attack = 'distance';
SELECT paper.claim('Section 3: a bound that is too small links next to nobody, seven or more columns', max(mean) < 2)
FROM paper.attacked WHERE method = 'rankswap' AND attack = 'rankswap' AND guess < parameter AND known >= 7;
SELECT paper.claim('Section 5.2: knowing all columns is no use with windows of p, p-distribution, p = 2, Census', max(mean) FILTER (WHERE known < 13) > max(mean) FILTER (WHERE known = 13))
FROM paper.attacked WHERE source = 'census' AND method = 'rankswap_distribution' AND attack = 'rankswap' AND guess = 2;
SELECT paper.claim('Section 5.2: knowing all columns is no use with windows of twice the parameter, p-distribution, p = 2', bool_and(earlier > all_known))
FROM (SELECT max(mean) FILTER (WHERE known < CASE source WHEN 'census' THEN 13 ELSE 10 END) AS earlier, max(mean) FILTER (WHERE known = CASE source WHEN 'census' THEN 13 ELSE 10 END) AS all_known
	FROM paper.attacked WHERE method = 'rankswap_distribution' AND attack = 'rankswap' AND guess = 4 GROUP BY source) AS m;
SELECT paper.claim('Section 5.2: DLD is above RSLD with windows of twice the parameter, p-distribution, p = 2', bool_and(dld > rsld))
FROM (SELECT avg(mean) FILTER (WHERE attack = 'distance') AS dld, avg(mean) FILTER (WHERE attack = 'rankswap' AND guess = 4) AS rsld FROM paper.attacked WHERE method = 'rankswap_distribution' GROUP BY source) AS m;

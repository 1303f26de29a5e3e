-- lib/coverage.sql
--		Estimates from randomized releases of Adult with many seeds, for the reference tests and
--		for test/coverage.
--
-- cover(seeds) makes releases with the seeds 1, 2, ... and asks for the estimates of sdc_check.asked;
-- sdc_check.covered has, for each of them, what is true, the mean, how much the estimates vary, the
-- mean of their standard errors, and how many percent of the intervals have the truth.  Expected
-- numbers are those of 300 runs of an independent implementation.

CREATE TABLE sdc_check.asked (id int PRIMARY KEY, how text, conditions text[], measure name, statistic text,
	expected_raw float8, expected float8, deviation float8, error float8);
INSERT INTO sdc_check.asked VALUES
	(1, 'uniform', '{"sex = ''Female''","salary = ''>50K''"}', NULL, 'count', 1408, 1114, 29, 30),
	(2, 'optimal', '{"sex = ''Female''","salary = ''>50K''"}', NULL, 'count', 1176, 1112, 12.8, 12.2),
	(3, 'draws', '{"sex = ''Female''","salary = ''>50K''"}', NULL, 'count', 1888, 1121, 77, 77),
	(4, 'optimal', '{"age BETWEEN 30 AND 39","sex = ''Male''","race = ''White''","workclass = ''Private''"}', NULL, 'count', 3615, 3842, 125, 127),
	(5, 'draws', '{"education = ''Masters''","salary = ''>50K''","occupation = ''Exec-managerial''"}', NULL, 'count', 215, 370, 25, 25),
	(6, 'uniform', '{"sex = ''Female''","salary = ''>50K''"}', 'age', 'sum', 57816, 46774, 1268, 1309),
	(7, 'uniform', '{"sex = ''Female''","salary = ''>50K''"}', 'age', 'avg', NULL, 41.980, 0.475, 0.445),
	(8, 'optimal', '{"sex = ''Female''","salary = ''>50K''"}', 'age', 'avg', NULL, 41.960, 1.21, 1.23);
CREATE TABLE sdc_check.estimated (id int, seed int, estimate float8, standard_error float8, low float8, high float8, raw float8);

-- The truth, by counting it.
CREATE TABLE sdc_check.true_number (id int PRIMARY KEY, truth float8);
SELECT format('INSERT INTO sdc_check.true_number SELECT %s, %s FROM ref.adult WHERE (%s)', id,
	CASE statistic WHEN 'count' THEN 'count(*)' ELSE format('%s(%I)', statistic, measure) END, array_to_string(conditions, ') AND ('))
FROM sdc_check.asked
\gexec

CREATE PROCEDURE sdc_check.cover(first int, last int) LANGUAGE plpgsql AS $$
DECLARE
	qi CONSTANT name[] := '{education,race,sex,workclass,marital_status,age,relationship,native_country,salary}';
	made text;
BEGIN
	FOR s IN first .. last LOOP
		FOREACH made IN ARRAY ARRAY['uniform', 'optimal', 'draws'] LOOP
			PERFORM sdc_randomize('ref.adult', qi, CASE made WHEN 'draws' THEN 3 END,
				CASE made WHEN 'uniform' THEN array_fill(1 / 9.0::float8, ARRAY[9]) END, format('pg_temp.made_%s', made), seed => s, replace => s > first);
			INSERT INTO sdc_check.estimated
			SELECT a.id, s, e.estimate, e.standard_error, e.low, e.high, e.raw
			FROM sdc_check.asked AS a, sdc_estimate('pg_temp.made_' || made, conditions => a.conditions, measure => a.measure, statistic => a.statistic) AS e
			WHERE a.how = made;
		END LOOP;
		COMMIT;
	END LOOP;
END $$;

CREATE VIEW sdc_check.covered AS
SELECT a.id, a.how, a.statistic, array_to_string(a.conditions, ' AND ') AS conditions, t.truth, count(*) AS seeds, avg(e.raw) AS raw, avg(e.estimate) AS estimate, stddev(e.estimate) AS deviation,
	avg(e.standard_error) AS error, 100.0 * count(*) FILTER (WHERE t.truth BETWEEN e.low AND e.high) / count(*) AS percent, a.expected_raw, a.expected, a.deviation AS expected_deviation, a.error AS expected_error
FROM sdc_check.asked AS a JOIN sdc_check.true_number AS t USING (id) JOIN sdc_check.estimated AS e USING (id)
GROUP BY a.id, t.truth;

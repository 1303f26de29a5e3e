-- rankswap_table_7.sql
--		J. Nin, J. Herranz, V. Torra, "Rethinking rank swapping to decrease disclosure risk", Data & Knowledge Engineering
--		64 (2008), section 6 and Table 7: the annotated union against p-distribution, on the files Census and EIA.
--
-- Half of the columns are known.  The table is lost but for four numbers, which the text has.  Expected are figures of
-- an independent implementation, of 8 seeds: means must be within four standard errors, of both.  As many seeds are taken, or
-- half of those that are asked for (so with few seeds the errors are too).  A window is by value: the protected value is within so many positions of the original one's.
--
-- verdict: as published: Table 7, EIA, p = 2 and 4: links by distance, and by the annotated union
-- verdict: does not hold: Section 6: the union finds about as many as the distance, but for EIA with p = 2 and 4
-- verdict: holds: Section 6: windows of p/2 find much less, below 0.8 of the distance, Census, and EIA with p = 2 and 4
-- verdict: does not hold: Section 6: windows of p/2 find much less, below 0.8 of the distance, EIA with p above 4
-- verdict: does not hold: Section 6: 96 percent of the values are within p positions
-- verdict: holds: Section 6: the right record is in the window of at least one of the known columns
-- verdict: cannot be known: Section 6: the probability that is said of p/2, and the other numbers of Table 7

CREATE TABLE paper.union_link (source text, parameter int, seed int, distance float8, full_window float8, half_window float8);
CREATE TABLE paper.inside (source text, parameter int, seed int, cells float8, half_cells float8, one_window float8, all_windows float8);

-- inside_of adds how many values of the known columns are within the windows of p and p/2, and how many records are so in
-- some and in all of these.
CREATE PROCEDURE paper.inside_of(source text, parameter int, seed int, names name[])
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE (SELECT format($sql$
		WITH s AS MATERIALIZED (SELECT id, %1$s FROM public.%2$I), r AS MATERIALIZED (SELECT id, %1$s FROM paper.%2$I),
			away AS MATERIALIZED (SELECT ARRAY[%3$s] AS positions FROM s JOIN r USING (id)),
			width AS (SELECT greatest(floor(count(*) * %4$s / 100.0 + 0.5), 1) AS w, greatest(floor(count(*) * %4$s / 200.0 + 0.5), 1) AS h FROM away)
		INSERT INTO paper.inside SELECT %2$L, %4$s, %5$s, 100 * avg((SELECT avg((p <= w)::int) FROM unnest(positions) AS p)), 100 * avg((SELECT avg((p <= h)::int) FROM unnest(positions) AS p)),
			100 * avg((w >= (SELECT min(p) FROM unnest(positions) AS p))::int), 100 * avg((w >= (SELECT max(p) FROM unnest(positions) AS p))::int) FROM away, width
	$sql$, string_agg(format('rank() OVER (ORDER BY %1$I) AS "%1$s first", rank() OVER (ORDER BY %1$I) + count(*) OVER (PARTITION BY %1$I) - 1 AS "%1$s last"', name), ', '), source,
		string_agg(format('greatest(greatest(s."%1$s first", r."%1$s first") - least(s."%1$s last", r."%1$s last"), 0)', name), ', '), parameter, seed) FROM unnest(names) AS name);
END
$$;

CREATE PROCEDURE paper.all(seeds int)
LANGUAGE plpgsql AS $$
DECLARE
	what record;
	names name[];
BEGIN
	FOR what IN SELECT source, 2 * i AS p, 'paper.' || source AS made, seed
			FROM unnest('{census,eia}'::text[]) AS source, generate_series(1, 10) AS i, generate_series(1, greatest(seeds / 2, 2)) AS seed LOOP
		CALL paper.protect(what.source, 'rankswap_distribution', what.p, what.seed);
		names := paper.known(what.made::regclass, CASE what.source WHEN 'census' THEN 7 ELSE 5 END);
		INSERT INTO paper.union_link SELECT what.source, what.p, what.seed,
			(SELECT sum(CASE WHEN correct THEN 1.0 / ties ELSE 0 END) FROM sdc_link_distance(what.made, names)),
			(SELECT sum(CASE WHEN correct THEN 1.0 / ties ELSE 0 END) FROM sdc_link_rankswap(what.made, what.p, names, 'union')),
			(SELECT sum(CASE WHEN correct THEN 1.0 / ties ELSE 0 END) FROM sdc_link_rankswap(what.made, what.p / 2.0, names, 'union'));
		CALL paper.inside_of(what.source, what.p, what.seed, names);
		COMMIT;
	END LOOP;
END
$$;
CALL paper.all(:seeds);

CREATE VIEW paper.row AS
SELECT source, parameter, count(*) AS seeds, avg(distance) AS distance, avg(full_window) AS full_window, avg(half_window) AS half_window,
	variance(distance) / count(*) AS distance_error, variance(full_window) / count(*) AS full_error, variance(half_window) / count(*) AS half_error
FROM paper.union_link GROUP BY source, parameter;

\echo 'Correct links with half of the columns, means over seeds       distance    [i-p, i+p]  [i-p/2, i+p/2]   printed: distance, [i-p, i+p]'
SELECT rpad(source || ', rs ' || parameter || '-d', 56) || lpad(paper.mean_of(avg(distance), stddev_samp(distance)), 15) || lpad(paper.mean_of(avg(full_window), stddev_samp(full_window)), 15)
	|| lpad(paper.mean_of(avg(half_window), stddev_samp(half_window)), 15) || CASE WHEN (source, parameter) = ('eia', 2) THEN '    1267, 1443' WHEN (source, parameter) = ('eia', 4) THEN '    330, 419' ELSE '' END
FROM paper.union_link GROUP BY source, parameter ORDER BY source, parameter;
\echo
\echo 'Percent of the values of the known columns within p and p/2 positions, and of the records in some and in all windows of p'
SELECT rpad(source || ', rs ' || parameter || '-d', 20) || (SELECT string_agg(lpad(round(m::numeric, 1)::text, 8), '') FROM unnest(ARRAY[avg(cells), avg(half_cells), avg(one_window), avg(all_windows)]) AS m)
FROM paper.inside GROUP BY source, parameter ORDER BY source, parameter;
\echo
SELECT paper.near(format('%s rs %s-d, distance', source, parameter), r.distance, e.distance, 0.5 + 4 * sqrt(distance_error + distance_error * seeds / 8))
	|| E'\n' || paper.near(format('%s rs %s-d, union', source, parameter), r.full_window, e.full_window, 0.5 + 4 * sqrt(full_error + full_error * seeds / 8))
	|| E'\n' || paper.near(format('%s rs %s-d, union of p/2', source, parameter), r.half_window, e.half_window, 0.5 + 4 * sqrt(half_error + half_error * seeds / 8))
FROM paper.row AS r JOIN (VALUES ('census', 2, 1042, 1035, 662), ('census', 4, 925, 886, 439), ('census', 10, 340, 379, 139), ('census', 20, 44, 54, 28),
	('eia', 2, 1263, 1458, 789), ('eia', 4, 350, 439, 265), ('eia', 6, 122, 162, 116), ('eia', 8, 56, 70, 59), ('eia', 10, 30, 39, 37)) AS e (source, parameter, distance, full_window, half_window)
	USING (source, parameter) ORDER BY source, parameter;

\echo
SELECT paper.as_printed('Table 7, EIA, p = 2 and 4: links by distance, and by the annotated union',
	bool_and(abs(printed - mean) <= 2 * deviation)) FROM (SELECT printed, avg(value) AS mean, stddev_samp(value) AS deviation
		FROM paper.union_link, LATERAL (VALUES (CASE parameter WHEN 2 THEN 1267 ELSE 330 END, distance), (CASE parameter WHEN 2 THEN 1443 ELSE 419 END, full_window)) AS v (printed, value)
		WHERE source = 'eia' AND parameter <= 4 GROUP BY printed) AS p;
SELECT paper.claim('Section 6: the union finds about as many as the distance, but for EIA with p = 2 and 4', bool_and(abs(full_window / distance - 1) <= 0.1))
FROM paper.row WHERE NOT (source = 'eia' AND parameter <= 4) AND distance >= 30;
SELECT paper.claim('Section 6: windows of p/2 find much less, below 0.8 of the distance, Census, and EIA with p = 2 and 4', bool_and(half_window < 0.8 * distance))
FROM paper.row WHERE source = 'census' OR parameter <= 4;
SELECT paper.claim('Section 6: windows of p/2 find much less, below 0.8 of the distance, EIA with p above 4', bool_and(half_window < 0.8 * distance))
FROM paper.row WHERE source = 'eia' AND parameter > 4;
SELECT paper.as_printed('Section 6: 96 percent of the values are within p positions', bool_and(abs(cells - 96) <= 2)) FROM (SELECT avg(cells) AS cells FROM paper.inside GROUP BY source, parameter) AS i;
SELECT paper.claim('Section 6: the right record is in the window of at least one of the known columns', bool_and(one_window > 99.5)) FROM (SELECT avg(one_window) AS one_window FROM paper.inside GROUP BY source, parameter) AS i;
SELECT paper.unknown('Section 6: the probability that is said of p/2, and the other numbers of Table 7');

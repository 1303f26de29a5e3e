-- binswap_bound.sql
--		Table 1 of the paper on multivariate equi-width swapping: the privacy P by the upper bound t_ub of the widths, the
--		number of records and the correlation, on binormal records within [-2, 2].
--
-- The table is lost.  What its text says of it is judged; q, the number of widths with different least depths, and P of the
-- minimal depth bin, its mean of 1 / N*, are compared with those of an independent implementation.  All real widths are
-- tried (grid continuous) from a fiftieth of the range on: below, some record is alone.  t_ub is a share of the range.
-- SEEDS samples of 10,000 records, and four of 100,000.
--
-- verdict: holds: P falls as the upper bound t_ub rises
-- verdict: holds: P falls as the number of records rises
-- verdict: as published: of 100,000 uncorrelated records P is at most 7 percent (t_ub a tenth of the range)
-- verdict: as published: of 10,000 uncorrelated records P is about 30 percent (t_ub a tenth of the range)
-- verdict: does not hold: P falls as the correlation rises
-- verdict: holds: MEDS has more possible partitionings than MEWS
-- verdict: holds: with the same minimal depth the two have different partition degrees
-- verdict: cannot be known: the cells of Table 1

CREATE TABLE paper.privacy (records int, rho float8, bound float8, sample int, candidates bigint, p_tuple float8, p_mdb float8, p_closed float8);

-- measure takes P of a sample of binormal records of correlation rho within [-2, 2], by its upper bounds.
CREATE PROCEDURE paper.measure(records int, rho float8, sample int, bounds float8[])
LANGUAGE plpgsql AS $$
BEGIN
	CALL paper.draw_binormal('paper.drawn', records, rho, 25 + sample);
	INSERT INTO paper.privacy SELECT records, rho, bound, sample, p.*
	FROM unnest(bounds) AS bound, sdc_swap_privacy('paper.drawn', '{x,y}', bound => bound, grid => 'continuous', smallest => 0.02) AS p;
END
$$;

CREATE PROCEDURE paper.measure_all(seeds int)
LANGUAGE plpgsql AS $$
DECLARE
	rho float8;
BEGIN
	FOR sample IN 1 .. seeds LOOP
		CALL paper.measure(10000, 0, sample, '{0.25,0.2,0.15,0.1,0.075}');
		FOREACH rho IN ARRAY '{0.2,0.4,0.6,0.8,0.9,0.95,0.99}'::float8[] LOOP
			CALL paper.measure(10000, rho, sample, '{0.25,0.1}');
		END LOOP;
		COMMIT;
	END LOOP;
	FOR sample IN 1 .. 4 LOOP
		CALL paper.measure(100000, 0, sample, '{0.25,0.2,0.15,0.1,0.075,0.05}');
		COMMIT;
	END LOOP;
	FOREACH rho IN ARRAY '{0.4,0.8,0.95,0.99}'::float8[] LOOP
		CALL paper.measure(100000, rho, 1, '{0.1}');
		COMMIT;
	END LOOP;
END
$$;
CALL paper.measure_all(:seeds);

CREATE TABLE paper.expected (records int, bound float8, candidates int, p float8);
INSERT INTO paper.expected VALUES
	(10000, 0.25, 86, 0.047), (10000, 0.2, 46, 0.075), (10000, 0.15, 25, 0.116), (10000, 0.1, 4, 0.33), (10000, 0.075, 1, 0.50),
	(100000, 0.25, 898, 0.007), (100000, 0.2, 480, 0.012), (100000, 0.15, 306, 0.017), (100000, 0.1, 78, 0.051), (100000, 0.075, 40, 0.083), (100000, 0.05, 15, 0.158);
CREATE VIEW paper.by_bound AS SELECT records, rho, bound, avg(candidates) AS candidates, avg(p_tuple) AS p_tuple, avg(p_mdb) AS p_mdb, avg(p_closed) AS p_closed
FROM paper.privacy GROUP BY records, rho, bound;

\echo 'records, correlation, t_ub: q, P of the tuples, of the minimal depth bin, closed form; expected of an independent implementation: q, P'
SELECT format('%s records, correlation %s, t_ub %s: %s, %s, %s, %s%s', m.records, rho, m.bound, round(m.candidates, 1), round(p_tuple::numeric, 3), round(p_mdb::numeric, 3), round(p_closed::numeric, 3),
	'; ' || e.candidates || ', ' || e.p)
FROM paper.by_bound AS m LEFT JOIN paper.expected AS e ON (m.records, m.bound, m.rho) = (e.records, e.bound, 0) ORDER BY m.records, rho, m.bound DESC;
-- few widths are candidates where hardly any is admissible: there one more or less is a third
SELECT paper.near(format('%s records, t_ub %s: q', records, bound), m.candidates::float8, e.candidates, greatest(0.35 * e.candidates, 3))
FROM paper.expected AS e JOIN paper.by_bound AS m USING (records, bound) WHERE rho = 0 ORDER BY records, bound DESC;

SELECT paper.claim('P falls as the upper bound t_ub rises', bool_and(p_tuple < narrower AND p_mdb < narrower_mdb))
FROM (SELECT p_tuple, p_mdb, lead(p_tuple) OVER w AS narrower, lead(p_mdb) OVER w AS narrower_mdb FROM paper.by_bound WHERE rho = 0 WINDOW w AS (PARTITION BY records ORDER BY bound DESC)) AS p WHERE narrower IS NOT NULL;
SELECT paper.claim('P falls as the number of records rises', bool_and(large.p_tuple < small.p_tuple AND large.p_closed <= small.p_closed))
FROM paper.by_bound AS large JOIN paper.by_bound AS small USING (rho, bound) WHERE large.records > small.records;
SELECT paper.as_printed('of 100,000 uncorrelated records P is at most 7 percent (t_ub a tenth of the range)', max(round(p_closed::numeric, 2)) <= 0.07) FROM paper.privacy WHERE (records, rho, bound) = (100000, 0, 0.1);
SELECT paper.as_printed('of 10,000 uncorrelated records P is about 30 percent (t_ub a tenth of the range)', p_tuple < 0.35 AND p_closed > 0.25) FROM paper.by_bound WHERE (records, rho, bound) = (10000, 0, 0.1);
SELECT paper.claim('P falls as the correlation rises', bool_and(p_tuple < before)) FROM (SELECT p_tuple, lag(p_tuple) OVER (ORDER BY rho) AS before FROM paper.by_bound WHERE (records, bound) = (10000, 0.25)) AS p WHERE before IS NOT NULL;
SELECT paper.unknown('the cells of Table 1');

-- Section 4, on Abalone and MAGIC, first two columns: all depths up to half of the records, and all numbers of intervals up to 100.
CREATE TABLE paper.possible AS
SELECT source, columns, records, w.candidates AS widths, d.candidates AS depths
FROM (VALUES ('abalone', '{length,diameter}'::name[], 4177), ('magic', '{f_length,f_width}', 19020)) AS s (source, columns, records),
	LATERAL sdc_swap_privacy(source::regclass, columns, 'equiwidth_swap', 1, 'intervals', 0.01) AS w, LATERAL sdc_swap_privacy(source::regclass, columns, 'equidepth_swap', records / 2) AS d;
SELECT format('%s: %s partitionings of MEWS, %s of MEDS', source, widths, depths) FROM paper.possible ORDER BY source;
SELECT paper.claim('MEDS has more possible partitionings than MEWS', bool_and(depths > widths)) FROM paper.possible;
CREATE TABLE paper.alike AS
SELECT source, round(1 / width_share) AS intervals, minimal_depth, degree AS width_bins, records / minimal_depth AS depth_bins
FROM paper.possible, LATERAL sdc_swap_candidates(source::regclass, columns, 1, smallest => 0.2) WHERE minimal_depth BETWEEN 2 AND records - 1;
SELECT format('%s, minimal depth %s: %s bins of MEWS (%s intervals), %s of MEDS', source, minimal_depth, width_bins, intervals, depth_bins) FROM paper.alike ORDER BY source, intervals;
SELECT paper.claim('with the same minimal depth the two have different partition degrees', bool_and(width_bins <> depth_bins)) FROM paper.alike;

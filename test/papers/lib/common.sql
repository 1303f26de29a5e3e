-- common.sql
--		What the experiments of the papers share.  It is in the database that every experiment has a copy of.
--
-- An experiment (test/papers/NAME.sql) prints its figures, and for every claim of its paper that it judges a line
--
--		verdict: as published: CLAIM			the figures in print, or the statement about them, come out
--		verdict: holds: CLAIM					what is said without a figure, or is said otherwise, holds in our measurement
--		verdict: does not hold: CLAIM
--		verdict: cannot be known: CLAIM			the text or the figure is lost
--
-- Its head has the same lines as comments, "-- verdict: holds: CLAIM": what is expected.  test/paper compares
-- the two, and any line "regression: TEXT" is a failure too.  So a CLAIM has no figure that depends on chance.

CREATE SCHEMA paper;

-- A figure of one release: that of a seed, or of none (0).
CREATE TABLE paper.figure (figure text, seed int, value float8);

CREATE VIEW paper.mean AS
SELECT figure, count(value) AS seeds, avg(value) AS mean, stddev_samp(value) AS deviation, stddev_samp(value) / sqrt(count(value)) AS error
FROM paper.figure GROUP BY figure;

-- as_printed judges a claim that has figures in print, claim one that has none, and unknown says that a claim is lost.
CREATE FUNCTION paper.as_printed(claim text, agrees boolean) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
	ASSERT agrees IS NOT NULL, claim;
	RETURN format('verdict: %s: %s', CASE WHEN agrees THEN 'as published' ELSE 'does not hold' END, claim);
END
$$;
CREATE FUNCTION paper.claim(claim text, holds boolean) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
	ASSERT holds IS NOT NULL, claim;
	RETURN format('verdict: %s: %s', CASE WHEN holds THEN 'holds' ELSE 'does not hold' END, claim);
END
$$;
CREATE FUNCTION paper.unknown(claim text) RETURNS text
LANGUAGE sql AS $$ SELECT 'verdict: cannot be known: ' || claim $$;

-- near says whether a figure is where it is expected, with whatever else is to be told of it.
CREATE FUNCTION paper.near(title text, measured float8, expected float8, tolerance float8) RETURNS text
LANGUAGE sql AS $$
	SELECT CASE WHEN abs(measured - expected) <= tolerance THEN '' ELSE 'regression: ' END
		|| format('%s: %s, expected %s +- %s', title, round(measured::numeric, 3), expected, round(tolerance::numeric, 3))
$$;

-- mean_of formats a mean and the standard deviation between seeds.
CREATE FUNCTION paper.mean_of(mean float8, spread float8) RETURNS text
LANGUAGE sql AS $$
	SELECT CASE WHEN mean >= 200 THEN format('%s +- %s', round(mean::numeric), round(spread::numeric))
		ELSE format('%s +- %s', round(mean::numeric, 1), round(spread::numeric, 1)) END
$$;

-- heading and line make a report of what was expected, is in print, and was measured; sign says what the tolerance is.
CREATE FUNCTION paper.heading(printed text DEFAULT 'printed') RETURNS text
LANGUAGE sql AS $$ SELECT format(E'\n%-60s %17s %14s %16s  %s', 'experiment', 'expected', printed, 'mean', 'within') $$;
CREATE FUNCTION paper.line(title text, expected float8, sign text, tolerance float8, printed text, measured text, within boolean) RETURNS text
LANGUAGE sql AS $$
	SELECT rpad(title, 60) || lpad(expected || CASE WHEN tolerance = 0 THEN '' ELSE format(' %s %s', sign, tolerance::numeric) END, 18)
		|| lpad(printed, 15) || lpad(measured, 17) || '  ' || CASE WHEN within THEN 'yes' ELSE 'NO' END
		|| CASE WHEN within THEN '' ELSE E'\nregression: outside: ' || title END
$$;

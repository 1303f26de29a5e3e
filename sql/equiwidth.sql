--
-- equiwidth
--
-- What equi-width swapping promises: the values of the swapping set move jointly, in the boxes of a grid
-- that a query counts as well; no value changes by more than the width.
--
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
\set VERBOSITY terse
SET search_path = binned, public;

-- number is an expression for the number of a column: days of a date, seconds of a time; null if
-- the value is not finite.
CREATE FUNCTION number(relation regclass, name name, alias text) RETURNS text LANGUAGE sql
RETURN (SELECT format(CASE WHEN type IN ('float4'::regtype, 'float8', 'numeric') THEN 'nullif(nullif(nullif(%1$s::float8, ''NaN''), ''Infinity''), ''-Infinity'')'
	WHEN type = 'date'::regtype THEN 'CASE WHEN isfinite(%1$s) THEN (%1$s - date ''2000-01-01'')::float8 END'
	WHEN type = 'timestamp'::regtype THEN 'CASE WHEN isfinite(%1$s) THEN extract(epoch FROM %1$s - timestamp ''2000-01-01'')::float8 END'
	WHEN type = 'timestamptz'::regtype THEN 'CASE WHEN isfinite(%1$s) THEN extract(epoch FROM %1$s - timestamptz ''2000-01-01 UTC'')::float8 END'
	WHEN type = 'time'::regtype THEN 'extract(epoch FROM %1$s)::float8' ELSE '%1$s::float8' END, format('%s.%I', alias, name))
	FROM (SELECT CASE WHEN typbasetype > 0 THEN typbasetype ELSE t.oid END::regtype AS type FROM pg_attribute JOIN pg_type AS t ON t.oid = atttypid WHERE attrelid = relation AND attname = name) AS t);

-- check_grid compares a release with the grid that its parameters describe: every released value is in the
-- interval of the original one, which it differs from by no more than the width, and the bins are as
-- many as is said.  It returns what is wrong, or the number of bins, of those of one record, and the
-- records of the largest.
CREATE FUNCTION check_grid(release regclass, swapped name[], bins bigint DEFAULT NULL, single_bins bigint DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	entry record;
	c name;
	cells text := '';
	protected text := '';
	steps text := '';
	numbers text := '';
	width text;
	cell text;
	found record;
BEGIN
	SELECT * INTO STRICT entry FROM sdc_releases AS r WHERE r.release = check_grid.release;
	FOREACH c IN ARRAY swapped LOOP
		width := '(' || (entry.parameters -> 'widths' ->> c) || '::float8)';
		numbers := numbers || format(', %2$s AS %1$I, s.%1$I IS NULL AS %4$I, %3$s AS %5$I, r.%1$I IS NULL AS %6$I, min(%2$s) OVER stratum AS %7$I, max(%2$s) OVER stratum - min(%2$s) OVER stratum AS %8$I',
			c, number(entry.source, c, 's'), number(release, c, 'r'), c || '_null', c || '_new', c || '_new_null', c || '_low', c || '_range');
		cell := ', CASE WHEN %2$I THEN -2 WHEN %1$I IS NULL THEN -1 WHEN %4$I = 0 THEN 0 ELSE '
			|| CASE WHEN width IS NULL THEN 'least(floor((%1$I - %3$I) * %5$s / %4$I), %5$s - 1) END' ELSE 'least(floor((%1$I - %3$I) / %5$s), ceil(%4$I / %5$s) - 1) END' END;
		cells := cells || format(cell, c, c || '_null', c || '_low', c || '_range', coalesce(width, entry.parameters ->> 'intervals'));
		protected := protected || format(cell, c || '_new', c || '_new_null', c || '_low', c || '_range', coalesce(width, entry.parameters ->> 'intervals'));
		steps := steps || format(' OR abs(%1$I - %2$I) > 1.000000001 * %3$s', c, c || '_new', coalesce(width, format('%I / %s', c || '_range', entry.parameters ->> 'intervals')));
	END LOOP;
	EXECUTE format('WITH pair AS (SELECT ARRAY[%1$s]::text[] AS stratum%2$s FROM %3$s WINDOW stratum AS (PARTITION BY ARRAY[%1$s]::text[])),
			cell AS (SELECT ROW(stratum%4$s) AS old, ROW(stratum%5$s) AS new, false%6$s AS far FROM pair),
			bin AS (SELECT count(*) AS n FROM cell GROUP BY old)
		SELECT (SELECT count(*) FROM cell WHERE old IS DISTINCT FROM new) AS elsewhere, (SELECT count(*) FROM cell WHERE far) AS far, count(*) AS bins, count(*) FILTER (WHERE n = 1) AS single_bins, coalesce(max(n), 0) AS largest FROM bin',
		(SELECT string_agg(format('s.%I::text', g), ', ') FROM unnest(entry.strata) AS g), numbers, helper.pairs(release), cells, protected, steps) INTO STRICT found;
	RETURN CASE WHEN found.elsewhere > 0 OR found.far > 0 THEN format('%s records in other bins, %s values moved further than the width', found.elsewhere, found.far)
		WHEN found.bins <> bins OR found.single_bins <> check_grid.single_bins THEN format('%s and not %s bins, %s and not %s of one record', found.bins, bins, found.single_bins, check_grid.single_bins)
		ELSE format('ok, %s bins, %s of one record, up to %s', found.bins, found.single_bins, found.largest) END;
END
$$;

-- By intervals: one to four columns, with several numbers of them.
SELECT attribute, action, records, changed > 150 AS mostly_changed, bins, single_bins FROM sdc_equiwidth_swap('people', columns => '{age,income}', intervals => 5, seed => 1);
SELECT attribute, action, bins, single_bins FROM sdc_equiwidth_swap('people', target => 'width_numbers', intervals => 2, seed => 1);
SELECT release, method, parameters, columns, key, strata, omitted, qi, sensitive, records, seeded FROM sdc_releases WHERE method = 'equiwidth_swap' ORDER BY release::text COLLATE "C";
SELECT check_joint('people_equiwidth_swap', '{age,income}'), check_grid('people_equiwidth_swap', '{age,income}'), check_joint('width_numbers', '{age,income,weight,savings}'), check_grid('width_numbers', '{age,income,weight,savings}');
SELECT correlation_shift('people_equiwidth_swap', '{age,income}') < 1e-12 AS same, correlation_shift('width_numbers', '{age,income,weight,savings}') < 1e-12 AS same_with_nulls, correlation_shift('people_equiwidth_swap', '{age,weight}') > 1e-4 AS other_with_complement;
-- the check finds what is wrong: other intervals, and values that have left theirs
BEGIN;
UPDATE people_equiwidth_swap SET age = CASE age WHEN 18 THEN 77 ELSE 18 END WHERE age IN (18, 77);
SELECT check_grid('people_equiwidth_swap', '{age,income}');
ROLLBACK;
SELECT check_grid('people_equiwidth_swap', '{age,income}', 20, 0);
SET client_min_messages = error;
CREATE TABLE grid AS SELECT name, swapped, m, format('grid_%s_%s', name, m) AS target FROM (VALUES ('one', '{weight}'::name[]), ('two', '{income,born}'), ('three', '{age,savings,weight}'), ('four', '{weight,age,income,born}')) AS s (name, swapped),
	unnest('{1,2,3,10,49,2147483647}'::int[]) AS m;
CREATE TABLE grid_result AS SELECT grid.*, bins, single_bins FROM grid, LATERAL (SELECT DISTINCT bins, single_bins FROM sdc_equiwidth_swap('people', intervals => m, columns => swapped, target => target, seed => 2) WHERE action = 'protected') AS r;
SELECT m, name, check_grid(target::regclass, swapped, bins, single_bins), check_joint(target::regclass, swapped) FROM grid_result ORDER BY m, name COLLATE "C";
SET client_min_messages = warning;

-- By widths, in the unit of the column and the order of columns; of all types.
CREATE TABLE kinds (id int PRIMARY KEY, i2 smallint, i4 int, i8 bigint, f4 real, f8 float8, n numeric(12,3), d date, t time, ts timestamp, tz timestamptz);
INSERT INTO kinds SELECT i, helper.below(i, 31, 200) - 100, helper.below(i, 32, 100000), helper.below(i, 33, 1000) * 1000000000000::bigint, (10 * helper.uniform(i, 34))::real, exp(5 * helper.uniform(i, 35)) - 20,
	round((1000 * helper.uniform(i, 36))::numeric, 3), date '1990-01-01' + helper.below(i, 37, 4000), time '00:00' + helper.below(i, 38, 86400) * interval '1 second',
	timestamp '1999-12-25' + helper.uniform(i, 39) * interval '14 days', timestamptz '2024-03-01 12:00 UTC' + helper.uniform(i, 40) * interval '1 day' FROM generate_series(1, 250) AS i;
SET client_min_messages = error;
CREATE TABLE step (target text, swapped name[], width float8[]);
INSERT INTO step VALUES ('step_i2', '{i2}', '{25}'), ('step_i4', '{i4}', '{8192.5}'), ('step_i8', '{i8}', '{1e14}'), ('step_f4', '{f4}', '{0.7}'), ('step_f8', '{f8}', '{3.3333}'), ('step_n', '{n}', '{12.345}'),
	('step_d', '{d}', '{365.25}'), ('step_t', '{t}', '{3600}'), ('step_ts', '{ts}', '{86400}'), ('step_tz', '{tz}', '{900.5}'),
	('step_two', '{f8,i2}', '{20,50}'), ('step_three', '{tz,d,n}', '{21600,1000,333}'), ('step_mixed', '{n,i8,t}', '{1000,1e15,40000}'), ('step_wide', '{f8,i4}', '{1e300,1e9}'), ('step_narrow', '{f8,n}', '{1e-300,0.001}');
CREATE TABLE step_result AS SELECT step.*, bins, single_bins FROM step, LATERAL (SELECT DISTINCT bins, single_bins FROM sdc_equiwidth_swap('kinds', widths => width, columns => swapped, target => target, seed => 3) WHERE action = 'protected') AS r;
SELECT target, check_grid(target::regclass, swapped, bins, single_bins), check_joint(target::regclass, swapped) FROM step_result ORDER BY target COLLATE "C";
SELECT count(*) FROM sdc_equiwidth_swap('kinds', intervals => 3, columns => '{i2,f4,n}', target => 'kinds_3', seed => 3);
SELECT count(*) FROM sdc_equiwidth_swap('kinds', intervals => 24, columns => '{t,ts}', target => 'kinds_24', seed => 3);
SELECT check_grid('kinds_3', '{i2,f4,n}'), check_grid('kinds_24', '{t,ts}'), check_joint('kinds_24', '{t,ts}');
SET client_min_messages = warning;
SELECT release, parameters FROM sdc_releases WHERE release IN ('step_mixed'::regclass, 'step_i2'::regclass) ORDER BY release::text COLLATE "C";
-- the widths go with the columns, not with their order in the table
SELECT count(*) FROM sdc_equiwidth_swap('kinds', widths => '{50,20}', columns => '{i2,f8}', target => 'step_reordered', seed => 3);
SELECT helper.fingerprint('step_reordered') = helper.fingerprint('step_two') AS same, count(*) AS entries FROM sdc_releases WHERE release = 'step_reordered'::regclass AND parameters = (SELECT parameters FROM sdc_releases WHERE release = 'step_two'::regclass);

-- Borders: half-open intervals, but the last one of a width that divides the range is closed.
CREATE TABLE border AS SELECT i AS id, (i - 1) % 11 AS x, (i - 1) / 11 AS y FROM generate_series(1, 121) AS i;
ALTER TABLE border ADD PRIMARY KEY (id);
SELECT bins, single_bins FROM sdc_equiwidth_swap('border', widths => '{5}', columns => '{x}', target => 'border_5', seed => 4) WHERE attribute = 'x';
SELECT check_grid('border_5', '{x}', 2, 0), count(*) FILTER (WHERE (s.x < 5) <> (r.x < 5)) AS crossed, count(DISTINCT r.x - s.x) AS steps FROM border AS s JOIN border_5 AS r USING (id);
SELECT bins, single_bins FROM sdc_equiwidth_swap('border', widths => '{4,10}', columns => '{x,y}', target => 'border_4', seed => 4) WHERE attribute = 'x';
SELECT check_grid('border_4', '{x,y}', 3, 0);
\set VERBOSITY default
SELECT bins, single_bins FROM sdc_equiwidth_swap('border', intervals => 11, columns => '{x,y}', target => 'border_11', seed => 4) WHERE attribute = 'x';
\set VERBOSITY terse
SELECT check_grid('border_11', '{x,y}', 121, 121), (SELECT count(*) FROM border AS s JOIN border_11 AS r USING (id) WHERE (s.x, s.y) <> (r.x, r.y)) AS moved;

-- Strata have grids of their own, which begin at their minimum; NULL is one.
SELECT attribute, bins, single_bins FROM sdc_equiwidth_swap('people', intervals => 3, columns => '{income,weight}', strata => '{job}', target => 'width_by_job', seed => 5) WHERE action = 'protected';
SELECT attribute, bins, single_bins FROM sdc_equiwidth_swap('people', widths => '{20,5000}', columns => '{age,income}', strata => '{job,sex}', target => 'width_by_two', seed => 5) WHERE action = 'protected';
SELECT check_grid('width_by_job', '{income,weight}', 54, 7), check_joint('width_by_job', '{income,weight}'), check_grid('width_by_two', '{age,income}', 99, 29), check_joint('width_by_two', '{age,income}');
SELECT attribute, changed, bins, single_bins FROM sdc_equiwidth_swap('people', intervals => 10, columns => '{age,weight}', strata => '{id}', key => '{id}', target => 'width_by_record', seed => 5) WHERE action = 'protected';

-- NULL, NaN and infinity stay with the records that have the same pattern of them.
SELECT attribute, action, bins, single_bins FROM sdc_equiwidth_swap('holes', intervals => 2, columns => '{a,b,c}', seed => 6);
SELECT check_grid('holes_equiwidth_swap', '{a,b,c}', 44, 1), check_joint('holes_equiwidth_swap', '{a,b,c}'), count(*) FILTER (WHERE s.b IN ('NaN', 'Infinity', '-Infinity') <> (r.b IN ('NaN', 'Infinity', '-Infinity')) OR isfinite(s.c) <> isfinite(r.c)) AS moved_to_others
FROM holes AS s JOIN holes_equiwidth_swap AS r USING (id);

-- The complement: the other columns by themselves, by intervals also where widths are given.
SELECT attribute, action, bins, single_bins FROM sdc_equiwidth_swap('people', widths => '{20,20}', intervals => 4, complement => 'swap', columns => '{age,weight}', target => 'width_all', seed => 7);
SELECT columns, parameters FROM sdc_releases WHERE release = 'width_all'::regclass;
SELECT check_grid('width_all', '{age,weight}'), check_grid('width_all', '{income}'), check_grid('width_all', '{savings}'), check_grid('width_all', '{born}'), check_joint('width_all', '{age,weight}'), check_joint('width_all', '{income,born}');
SELECT attribute, action, bins, single_bins FROM sdc_equiwidth_swap('people', intervals => 6, complement => 'swap', target => 'width_default', omit => '{savings}', seed => 7);

-- How far a value moves at most, in percent of the range of its column: one width in boxes, and in bins of equal depth as far as they reach.
CREATE FUNCTION moved(release regclass, name name) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE format('SELECT coalesce(100 * max(abs(x - y)) / nullif(max(x) - min(x), 0), 0) FROM (SELECT %s AS x, %s AS y FROM %s) AS p',
		number(release, name, 's'), number(release, name, 'r'), helper.pairs(release)) INTO result;
	RETURN result;
END
$$;
CREATE TEMP TABLE move AS SELECT 'boxes' AS how, release, attribute, action, largest FROM sdc_equiwidth_swap('people', intervals => 4, complement => 'swap', columns => '{age,weight}', target => 'width_moved', seed => 8)
UNION ALL SELECT 'bins', release, attribute, action, largest FROM sdc_equidepth_swap('people', depth => 30, complement => 'swap', columns => '{age,weight}', target => 'depth_moved', seed => 8)
UNION ALL SELECT 'missing', release, attribute, action, largest FROM sdc_equidepth_swap('holes', depth => 9, columns => '{a,b,c}', target => 'holes_moved', seed => 8)
UNION ALL SELECT 'strata', release, attribute, action, largest FROM sdc_equiwidth_swap('people'::regclass, widths => '{3000}', strata => '{job}', columns => '{income}', target => 'strata_moved', seed => 8)
UNION ALL SELECT 'step', release, attribute, method, largest FROM sdc_protect('people', '[{"method": "equiwidth_swap", "columns": ["age", "income"], "intervals": 5}, {"method": "equidepth_swap", "columns": ["weight"], "depth": 40}, {"method": "rankswap", "columns": ["born"], "p": 5}]', target => 'steps_moved', seed => 8);
SELECT how, attribute, action, abs(largest - moved(release, attribute)) < 1e-9 AS as_counted, CASE how WHEN 'boxes' THEN largest BETWEEN 12.5 AND 25 ELSE largest > 1 END AS plausible FROM move WHERE largest IS NOT NULL ORDER BY how, attribute COLLATE "C";
SELECT how, string_agg(attribute, ', ' ORDER BY attribute::text COLLATE "C") AS without FROM move WHERE largest IS NULL GROUP BY how ORDER BY how;
-- of units, the values of each of which move once; of one bin for each record nothing moves
CREATE TABLE visits AS SELECT id, id / 3 AS patient, (id / 3 * 37) % 71 AS age, (id * 53) % 97 AS cost FROM generate_series(0, 299) AS id;
ALTER TABLE visits ADD PRIMARY KEY (id);
SELECT attribute, level, abs(largest - moved(release, attribute)) < 1e-9 AS as_counted, largest > 1 AS far FROM unnest('{age,cost}'::text[]) AS c, LATERAL sdc_equidepth_swap('visits', depth => 9, columns => ARRAY[c]::name[], unit => '{patient}', unit_rows => 'each', target => 'visits_' || c, seed => 8) WHERE action = 'protected';
SELECT attribute, largest FROM sdc_equiwidth_swap('people', intervals => 10, columns => '{age,weight}', strata => '{id}', key => '{id}', target => 'width_nothing', seed => 8) WHERE action = 'protected';

--
-- label
--
-- sdc_label: ranges and sets as a person writes them, and files that a spreadsheet reads.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA labels;
SET search_path = labels, public;
SET maintenance_work_mem = '64MB';
SET datestyle = 'ISO, YMD';
SET timezone = 'UTC';

-- what is written by hand is what comes: no row
SELECT number, label, expected
FROM (VALUES
	(1, sdc_label('[23,25)'::int4range), '23-24'),
	(2, sdc_label(int4range(23, 24)), '23'),
	(3, sdc_label('[0,10]'::int8range), '0-10'),
	(4, sdc_label('[23,24]'::numrange), '23-24'),
	(5, sdc_label('[23.0,23.00]'::numrange), '23.0'),
	(6, sdc_label('[0.5,1.25]'::numrange), '0.5-1.25'),
	(7, sdc_label('[0.5,1.25)'::numrange), '0.5 to below 1.25'),
	(8, sdc_label('(0.5,1.25]'::numrange), 'above 0.5 to 1.25'),
	(9, sdc_label('(0.5,1.25)'::numrange), 'above 0.5 to below 1.25'),
	(10, sdc_label('[-5,3]'::int4range), 'from -5 to 3'),
	(11, sdc_label('[-5,-3]'::numrange), 'from -5 to -3'),
	(12, sdc_label('[-5,-5]'::int4range), '-5'),
	(13, sdc_label('(,24]'::int4range), 'up to 24'),
	(14, sdc_label('(,24)'::numrange), 'below 24'),
	(15, sdc_label('[23,)'::int4range), 'from 23'),
	(16, sdc_label('(23,)'::numrange), 'above 23'),
	(17, sdc_label('(,)'::int4range), 'any'),
	(18, sdc_label('empty'::int4range), 'none'),
	(19, sdc_label(NULL::int4range), NULL),
	(20, sdc_label('[0,Infinity]'::numrange), '0 to Infinity'),
	(21, sdc_label('[2020-01-01,2020-02-01)'::daterange), '2020-01-01 to 2020-01-31'),
	(22, sdc_label('[2020-01-01,2020-01-01]'::daterange), '2020-01-01'),
	(23, sdc_label('[2020-01-01,)'::daterange), 'from 2020-01-01'),
	(24, sdc_label('(,2020-01-01)'::daterange), 'up to 2019-12-31'),
	(25, sdc_label('[2020-01-01,infinity]'::daterange), '2020-01-01 to infinity'),
	(26, sdc_label('[2020-01-01 12:00,2020-01-02 13:30]'::tsrange), '2020-01-01 12:00:00 to 2020-01-02 13:30:00'),
	(27, sdc_label('(2020-01-01 12:00,2020-01-02)'::tsrange), 'after 2020-01-01 12:00:00 to before 2020-01-02 00:00:00'),
	(28, sdc_label('(,2020-01-02)'::tstzrange), 'before 2020-01-02 00:00:00+00'),
	(29, sdc_label('(2020-01-02,)'::tstzrange), 'after 2020-01-02 00:00:00+00'),
	(30, sdc_label('[2147483646,2147483647)'::int4range), '2147483646'),
	(31, sdc_label(int4range(NULL, -2147483648, '(]')), 'up to -2147483648'),
	-- another separator: also where a hyphen between numbers would become a date
	(32, sdc_label('[1,3)'::int4range, ' to '), '1 to 2'),
	(33, sdc_label('[1,1]'::int4range, ' to '), '1'),
	(34, sdc_label('[-3,1]'::int4range, ' / '), 'from -3 / 1'),
	(35, sdc_label('[1,3)'::int4range, NULL), '1-2'),
	-- sets
	(41, sdc_label('{Male,Female}'::text[]), 'Male or Female'),
	(42, sdc_label('{a,b,c}'::text[]), 'a, b or c'),
	(43, sdc_label('{a}'::text[]), 'a'),
	(44, sdc_label('{}'::text[]), 'none'),
	(45, sdc_label('{a,NULL}'::text[]), 'a or missing'),
	(46, sdc_label('{NULL}'::text[]), 'missing'),
	(47, sdc_label(NULL::text[]), NULL),
	(48, sdc_label('{a,b,c}'::text[], '; '), 'a; b; c'),
	(49, sdc_label('{"a, b","c or d","{e}"}'::text[]), 'a, b, c or d or {e}'),
	(50, sdc_label('{t,f}'::boolean[]), 't or f'),
	(51, sdc_label('{{a,b},{c,d}}'::varchar[]), 'a, b, c or d'),
	(52, sdc_label('[5:6]={a,b}'::name[]), 'a or b'),
	(53, sdc_label('{1,-2}'::int[]), '1 or -2'),
	(54, sdc_label('{-2}'::int[]), '-2'),
	-- no formula
	(61, sdc_label('{=1+1}'::text[]), '''=1+1'),
	(62, sdc_label('{-2,1}'::int[]), '''-2 or 1'),
	(63, sdc_label('+49'::text), '''+49'),
	(64, sdc_label('-49.5'::text), '-49.5'),
	(65, sdc_label('-49.5.6'::text), '''-49.5.6'),
	(66, sdc_label('-'::text), '''-'),
	(67, sdc_label('-2+3+cmd|'' /C calc''!A0'::text), '''-2+3+cmd|'' /C calc''!A0'),
	(68, sdc_label('@SUM(A1)'::text), '''@SUM(A1)'),
	(69, sdc_label(E'\t=1'::text), E'''\t=1'),
	(70, sdc_label(E'\r=1'::text), E'''\r=1'),
	(71, sdc_label(E'\n=1'::text), E'''\n=1'),
	(72, sdc_label('＝1'::text) || sdc_label('＋1'::text) || sdc_label('－1'::text) || sdc_label('＠1'::text), '''＝1''＋1''－1''＠1'),
	(73, sdc_label('plain = text'::text), 'plain = text'),
	(74, sdc_label(''::text), ''),
	(75, sdc_label('x'::varchar), 'x'),
	(76, sdc_label(NULL::text), NULL),
	(77, sdc_label(NULL), NULL),
	(78, sdc_label('-1e5'::text), '''-1e5'),
	(79, sdc_label('-5.'::text), '''-5.')
) AS t (number, label, expected)
WHERE label IS DISTINCT FROM expected;

-- ranges of one's own, and domains
CREATE TYPE floats AS RANGE (subtype = float8);
CREATE DOMAIN years AS int CHECK (VALUE >= 0);
CREATE TYPE ages AS RANGE (subtype = years);
CREATE DOMAIN young AS int4range;
CREATE TYPE mood AS ENUM ('good', 'bad');
SELECT sdc_label('[1.5,2)'::floats) AS float, sdc_label('[1,5)'::ages) AS domain, sdc_label('[1,5)'::young) AS domain_over, sdc_label('{bad,good}'::mood[]) AS enum, sdc_label('{1,2}'::years[]) AS domains;

-- every value is in its label, and nothing else is: labels of numbers say what the range says
SELECT count(*) AS ranges, bool_and(CASE WHEN label ~ '^\d+$' THEN int4range(label::int, label::int, '[]')
	ELSE int4range(split_part(label, '-', 1)::int, split_part(label, '-', 2)::int, '[]') END = r) AS same
FROM (SELECT r, sdc_label(r) AS label FROM (SELECT int4range(helper.below(i, 1, 100), 100 + helper.below(i, 2, 3), '[)') AS r FROM generate_series(1, 500) AS i) AS d) AS l;

-- what cannot be labelled
SELECT helper.catch('SELECT sdc_label(5)');
SELECT helper.catch('SELECT sdc_label(''{[1,2]}''::int4multirange)');

--
-- A file: no brackets or braces, every cell in quotes, nothing that a spreadsheet computes
--
SELECT helper.make_people('person', 200);
UPDATE person SET job = '=1+2' WHERE id % 40 = 0;
SELECT count(*) FROM sdc_generalize('person', '{age,born,sex,region}', k => 5, keep => '{job}', omit => '{income,weight,savings}', target => 'groups');
SELECT count(*) FROM sdc_evaluate('groups');
SELECT count(*) FROM sdc_publish('groups', 'published', keep => '{job}', max_people_found => 100);
SELECT bool_and(concat_ws(',', sdc_label(age, ' to '), sdc_label(born), sdc_label(sex), sdc_label(region)) !~ '[][{}()"]') AS plain,
	bool_and(sdc_label(age, ' to ') ~ '^\d+( to \d+)?$' AND sdc_label(born) ~ '^\d{4}-\d\d-\d\d( to \d{4}-\d\d-\d\d)?$') AS readable,
	count(*) FILTER (WHERE job ~ '^=') AS formulas, count(*) FILTER (WHERE sdc_label(job) ~ '^[=+@-]') AS left
FROM published;
-- as it is documented; written by hand
CREATE TABLE rows (n int, age int4range, income numrange, sex text[], job text);
INSERT INTO rows VALUES (1, '[1,3)', '[-5.5,3]', '{f,m}', 'a "b", c'), (2, '[40,41)', '[-7,-7]', '{NULL}', '=HYPERLINK("http://x";"y")'), (3, NULL, '(,0)', '{"x,y"}', NULL), (4, '[100,)', '[1,2]', '{-,+}', E'two\nlines');
COPY (SELECT sdc_label(age, ' to ') AS age, sdc_label(income, ' to ') AS income, sdc_label(sex) AS sex, sdc_label(job) AS job FROM rows ORDER BY n) TO STDOUT (FORMAT csv, HEADER, FORCE_QUOTE *);

DROP SCHEMA labels CASCADE;

--
-- sweep
--
-- Many values of a method's parameter on a relation that is read once: every row is what a release with the
-- same seed scores, to the last bit; the frontier and the choice are what their definitions say.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA sweep;
SET search_path = sweep, public;
SET maintenance_work_mem = '64MB';	-- whatever the server has
SET jit = off;

SELECT helper.make_people('person', 160);
SELECT sdc_classify('person', 'weight', 'public');

-- scored makes a release and returns what sdc_score says of it; with ranges in the place of values it says nothing.
CREATE FUNCTION scored(source text, method text, parameter text, value float8, made text, measured text)
	RETURNS TABLE (people_found float8, certain_percent float8, il float8, score float8) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT count(*) FROM sdc_%s(%L, %s => %s, target => %L%s)', method, source, parameter, value,
		'sweep.made', made);
	IF method = 'generalize' THEN
		RETURN QUERY EXECUTE format($q$SELECT percent, certain::float8 / (SELECT count(*) FROM made) * 100, NULL::float8, NULL::float8
			FROM sdc_people_found('made'%s) WHERE attack = 'any'$q$, measured);
	ELSE
		RETURN QUERY EXECUTE format('SELECT s.people_found, s.certain_percent, s.il, s.score FROM sdc_score(%L%s) AS s', 'made', measured);
	END IF;
	DROP TABLE made CASCADE;
END
$$;

-- differ counts the values of a sweep, and the rows that are not what a release scores.  common is said to the method
-- and to the sweep; fixed to the method, and in JSON to the sweep.
CREATE FUNCTION differ(source text, method text, parameter text, list float8[], fixed text, common text, measured text,
	OUT tried int, OUT people int, OUT losses int, OUT differ int) LANGUAGE plpgsql AS $$
DECLARE
	e record;
	t record;
BEGIN
	tried := 0; people := 0; losses := 0; differ := 0;
	FOR t IN EXECUTE format('SELECT * FROM sdc_sweep(%L, %L, %L%s%s%s)', source, method, list,
		', parameters => ''{' || nullif(regexp_replace(replace(fixed, '''', '"'), ', (\w+) =>', '"\1":'), '') || '}''', common, measured)
	LOOP
		SELECT * INTO e FROM scored(source, method, parameter, t.parameter, fixed || common, measured);
		tried := tried + 1;
		people := people + (t.people_found IS NOT NULL)::int;
		losses := losses + (t.il IS NOT NULL AND t.score IS NOT NULL)::int;
		differ := differ + (ROW(t.people_found, t.certain_percent, t.il, t.score) IS DISTINCT FROM
			ROW(e.people_found, e.certain_percent, e.il, e.score))::int;
	END LOOP;
END
$$;

-- Every method; NULLs, ties, copied columns.
SELECT * FROM differ('person', 'rankswap', 'p', '{1,5,20.5,100}', '', $$, seed => 'a'$$, '');
SELECT * FROM differ('person', 'rankswap_distribution', 'p', '{2,15,60}', '', $$, seed => 'b', columns => '{income,savings}'$$, '');
SELECT * FROM differ('person', 'rankswap_buckets', 'buckets', '{1,7,30}', '', $$, seed => 'c', columns => '{age,born,job}'$$, '');
SELECT * FROM differ('person', 'equidepth_swap', 'depth', '{2,5,40}', '', $$, seed => 'd', columns => '{age,savings}'$$, '');
SELECT * FROM differ('person', 'equidepth_swap', 'depth', '{3,20}', $$, complement => 'swap'$$, $$, seed => 'd', columns => '{age,income}'$$, '');
SELECT * FROM differ('person', 'equiwidth_swap', 'intervals', '{1,3,9}', '', $$, seed => 'e', columns => '{born,savings}'$$, '');
SELECT * FROM differ('person', 'equiwidth_swap', 'intervals', '{2,6}', $$, complement => 'swap'$$, $$, seed => 'e', columns => '{age}'$$, '');
SELECT * FROM differ('person', 'randomize', 'draws', '{1,2,4}', '', $$, seed => 'f', qi => '{age,region,savings,job}'$$, '');
SELECT * FROM differ('person', 'generalize', 'k', '{2,5,30}', '', $$, qi => '{age,region,job,savings,income}'$$, '');
SELECT * FROM differ('person', 'permute', 'l', '{2,3}', '', $$, seed => 'h', qi => '{age,region}', sensitive => '{job}'$$, '');
SELECT * FROM differ('person', 'permute', 'l', '{2,5}', $$, grouping_method => 'mondrian'$$, $$, seed => 'h', qi => '{age,region}', sensitive => '{savings}'$$, '');

-- Whole units: of record swapping the rate is tried, or k where the rate is given.
CREATE TABLE place AS SELECT i AS id, i / 2 AS hid, i / 2 % 3 AS province, i / 2 % 15 AS town, chr(97 + i / 2 * 7 % 5) AS kind, i * 37 % 101 AS x, 1 + i / 2 * 13 % 9 AS w FROM generate_series(2, 401) AS i;
ALTER TABLE place ADD PRIMARY KEY (id);
SELECT s.method, s.parameter, u.unit, count(*) AS tried, count(t.il) AS losses, count(DISTINCT t.il) > 1 AS unlike, count(*) FILTER (WHERE ROW(t.people_found, t.certain_percent, t.il, t.score) IS DISTINCT FROM
	ROW(e.people_found, e.certain_percent, e.il, e.score)) AS differ
FROM (VALUES ('record_swap', 'rate', '{2,20,60}'::float8[], NULL::name[], NULL::name[], '{"areas": ["province", "town"], "risk": ["kind"], "k": 2, "similar": ["kind"], "carry": ["w"]}'::jsonb,
		$$, areas => '{province,town}', risk => '{kind}', k => 2, similar => '{kind}', carry => '{w}'$$),
	('record_swap', 'k', '{1,9,20}', NULL, NULL, '{"areas": ["province", "town"], "risk": ["kind"], "rate": 10}', $$, areas => '{province,town}', risk => '{kind}', rate => 10$$),
	('permutation_swap', 'rate', '{2,20,60}', '{town,x}', '{kind}', '{"any_size": true}', $$, columns => '{town,x}', strata => '{kind}', any_size => true$$),
	('permutation_swap', 'rate', '{5,50}', '{town}', '{kind}', NULL, $$, columns => '{town}', strata => '{kind}'$$)) AS s (method, parameter, list, columns, strata, parameters, made),
	LATERAL (SELECT CASE WHEN 'x' = ANY (s.columns) THEN '{}' ELSE '{hid}' END::name[] AS unit) AS u,
	LATERAL sdc_sweep('place', s.method, s.list, columns => s.columns, strata => s.strata, parameters => s.parameters, unit => u.unit, weight => 'w', seed => 'a') AS t,
	LATERAL scored('place', s.method, s.parameter, t.parameter, format($$%s, unit => %L, weight => 'w', seed => 'a'$$, s.made, u.unit), '') AS e
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
SELECT count(*) FROM sdc_sweep('place', 'record_swap', parameters => '{"areas": ["province", "town"], "risk": ["kind"], "k": 2}', unit => '{hid}');
SELECT helper.catch($$SELECT * FROM sdc_sweep('place', 'record_swap', qi => '{town}')$$), helper.catch($$SELECT * FROM sdc_sweep('place', 'record_swap', columns => '{town}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('place', 'record_swap', parameters => '{"risk": ["kind"], "k": 2}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('place', 'record_swap', parameters => '{"areas": ["town"], "risk": ["kind"], "k": 2, "rate": 10}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('place', 'permutation_swap', '{100}', columns => '{town}')$$);

-- All known columns swapped, and nothing missing: with ties, with a column of one value, sampled, and in another order.
CREATE VIEW numbers AS SELECT id, age, age / 7 AS decade, income, born, 1 AS one FROM person;
SELECT * FROM differ('numbers', 'rankswap', 'p', '{1,5,20,60}', '', $$, seed => 'a', key => '{id}'$$, '');
SELECT * FROM differ('numbers', 'rankswap', 'p', '{2,30}', '', $$, seed => 'a', key => '{id}', columns => '{born,decade,one}', keep => '{}'$$, '');
SELECT * FROM differ('numbers', 'rankswap', 'p', '{2,30}', '', $$, seed => 'a', key => '{id}'$$, $$, known => '{one,income,decade,age,born}'$$);
SELECT * FROM differ('numbers', 'rankswap', 'p', '{2,30}', '', $$, seed => 'a', key => '{id}'$$, $$, known => '{income,decade}'$$);
SELECT * FROM differ('numbers', 'rankswap', 'p', '{2,30}', '', $$, seed => 'a', key => '{id}', strata => '{decade}'$$, '');
SELECT * FROM differ('numbers', 'rankswap_distribution', 'p', '{2,30}', '', $$, seed => 'a', key => '{id}'$$, '');
SELECT * FROM differ('numbers', 'rankswap_buckets', 'buckets', '{2,30}', '', $$, seed => 'a', key => '{id}'$$, '');
SELECT * FROM differ('numbers', 'equidepth_swap', 'depth', '{2,30}', '', $$, seed => 'a', key => '{id}'$$, '');

-- Strata, keys, and columns that are left out.
SELECT * FROM differ('person', 'rankswap', 'p', '{3,30}', '', $$, seed => 1, strata => '{region,sex}', columns => '{age,savings,born}'$$, '');
SELECT * FROM differ('person', 'rankswap_buckets', 'buckets', '{2,9}', '', $$, seed => 1, strata => '{job}', keep => '{region}'$$, '');
SELECT * FROM differ('person', 'equidepth_swap', 'depth', '{2,8}', '', $$, seed => 1, strata => '{sex}', omit => '{region,job}', columns => '{age,income,savings}'$$, '');
SELECT * FROM differ('person', 'equiwidth_swap', 'intervals', '{2,5}', '', $$, seed => 1, strata => '{region}', omit => '{region}', columns => '{age,income}'$$, '');
SELECT * FROM differ('person', 'randomize', 'draws', '{1,3}', '', $$, seed => 1, strata => '{sex}', qi => '{age,job,born}'$$, '');
SELECT * FROM differ('person', 'generalize', 'k', '{2,6}', '', $$, strata => '{sex}', qi => '{age,region,job}', keep => '{income}'$$, '');
SELECT * FROM differ('person', 'generalize', 'k', '{4}', $$, l => 2$$, $$, sensitive => '{region}', qi => '{age,born}'$$, '');
SELECT * FROM differ('person', 'permute', 'l', '{2}', '', $$, seed => 1, strata => '{sex}', qi => '{age}', sensitive => '{region}'$$, '');
SELECT * FROM differ('person', 'rankswap', 'p', '{10}', '', $$, seed => 1, key => '{born,id}', columns => '{age,income}'$$, '');
CREATE TABLE keyless AS SELECT age, income, savings, region FROM person ORDER BY md5(id::text);
SELECT * FROM differ('keyless', 'rankswap', 'p', '{4,25}', '', $$, seed => 1$$, '');
CREATE VIEW seen AS SELECT id, age, income + 1 AS income, region FROM person WHERE id > 20;
SELECT * FROM differ('seen', 'rankswap_distribution', 'p', '{4,25}', '', $$, seed => 1, key => '{id}'$$, '');

-- What the intruder knows, and samples.
SELECT * FROM differ('person', 'rankswap', 'p', '{5,40}', '', $$, seed => 2$$, $$, known => '{income,age,sex}'$$);
SELECT * FROM differ('person', 'rankswap', 'p', '{5,40}', '', $$, seed => 2$$, $$, known => '{sex,job}'$$);
SELECT * FROM differ('person', 'rankswap', 'p', '{5,40}', '', $$, seed => 2$$, $$, known_max => 2, known => '{born,age,savings}'$$);

-- A sample: one seed for release and sample.
SELECT count(*) FROM sdc_rankswap('person', 12, target => 'sampled', seed => 'both');
SELECT count(*) FROM sdc_rankswap('numbers', 12, key => '{id}', target => 'sampled_numbers', seed => 'both');
SELECT (t.people_found, t.certain_percent, t.il, t.score) = (s.people_found, s.certain_percent, s.il, s.score) AS same
FROM sdc_sweep('numbers', 'rankswap', '{12}', key => '{id}', sample => 50, seed => 'both') AS t,
	sdc_score('sampled_numbers', sample => 50, seed => 'both') AS s;
SELECT (t.people_found, t.certain_percent, t.il, t.score) = (s.people_found, s.certain_percent, s.il, s.score) AS same
FROM sdc_sweep('person', 'rankswap', '{12}', sample => 50, seed => 'both') AS t,
	sdc_score('sampled', sample => 50, seed => 'both') AS s;
DROP TABLE sampled, sampled_numbers;

-- Values that are equal and look different, or are not finite; domains; a column of one value, and of none.
CREATE DOMAIN years AS int;
CREATE TABLE strange (id int PRIMARY KEY, n numeric, f float8, r real, y years, same int, empty int, at timestamp, t text COLLATE "C");
INSERT INTO strange SELECT i, CASE i % 4 WHEN 0 THEN 1.0 WHEN 1 THEN 1.00 WHEN 2 THEN 'NaN'::numeric ELSE i END,
	CASE i % 5 WHEN 0 THEN 0 WHEN 1 THEN -0.0 WHEN 2 THEN 'Infinity' ELSE helper.uniform(i, 11) END,
	CASE WHEN i % 7 > 0 THEN helper.below(i, 12, 9) / 4.0 END, helper.below(i, 13, 50), 3, NULL,
	CASE WHEN i % 9 = 0 THEN '-infinity'::timestamp ELSE timestamp '2001-01-01' + helper.below(i, 14, 400) * interval '1 hour' END,
	repeat(chr(97 + helper.below(i, 15, 5)), 1 + helper.below(i, 16, 2000)) FROM generate_series(1, 90) AS i;
SELECT * FROM differ('strange', 'rankswap', 'p', '{2,30}', '', $$, seed => 5, columns => '{n,f,r,y,same,empty,at,t}'$$, '');
SELECT * FROM differ('strange', 'equidepth_swap', 'depth', '{2,10}', '', $$, seed => 5, columns => '{n,f,y,at}'$$, '');
SELECT * FROM differ('strange', 'randomize', 'draws', '{1,3}', '', $$, seed => 5, qi => '{n,f,t,empty}'$$, '');
SELECT * FROM differ('strange', 'generalize', 'k', '{2,7}', '', $$, qi => '{n,f,r,y,same,empty,at,t}'$$, '');

-- No record, and one.
CREATE TABLE small (id int PRIMARY KEY, v int);
SELECT * FROM sdc_sweep('small', 'rankswap', '{5,9}', limit_people_found => 20, seed => 1);
SELECT count(*) FROM sdc_sweep('small', 'equidepth_swap', seed => 1);
INSERT INTO small VALUES (1, 7);
SELECT * FROM differ('small', 'rankswap', 'p', '{5,9}', '', $$, seed => 1$$, '');
SELECT parameter FROM sdc_sweep('small', 'rankswap_buckets', seed => 1);
SELECT parameter FROM sdc_sweep('small', 'generalize', qi => '{v}');

-- Little memory: values go through temporary files, and the rows are the same.
CREATE TABLE plenty AS SELECT parameter, people_found, certain_percent, il, score FROM sdc_sweep('person', 'rankswap', '{4,33}', seed => 7);
SET maintenance_work_mem = '1MB';
SELECT count(*) FROM (SELECT parameter, people_found, certain_percent, il, score FROM sdc_sweep('person', 'rankswap', '{33,4,33}', seed => 7)
	INTERSECT TABLE plenty) AS s;
CREATE TABLE large AS SELECT i AS id, helper.uniform(i, 1) AS a, helper.uniform(i, 2) AS b FROM generate_series(1, 30000) AS i;
ALTER TABLE large ADD PRIMARY KEY (id);
CREATE TABLE little AS SELECT parameter, people_found, certain_percent, il, score FROM sdc_sweep('large', 'rankswap', '{5}', sample => 5, seed => 1);
RESET maintenance_work_mem;
SET maintenance_work_mem = '64MB';
SELECT count(*) AS differ FROM (SELECT parameter, people_found, certain_percent, il, score FROM sdc_sweep('large', 'rankswap', '{5}', sample => 5, seed => 1) EXCEPT TABLE little) AS d;

-- The frontier is that of the view sdc_ru_map, and the choice the least loss within the limits.
CREATE TABLE swept AS SELECT * FROM sdc_sweep('person', 'rankswap', limit_people_found => 30, columns => '{age,income,savings,born}', omit => '{region,sex,job}', seed => 'frontier');
SELECT count(*), sum((on_frontier IS DISTINCT FROM (il <= (SELECT min(s.il) FROM swept AS s WHERE s.people_found <= t.people_found)
	AND NOT coalesce(il >= (SELECT min(s.il) FROM swept AS s WHERE s.people_found < t.people_found), false)))::int) AS differ,
	sum(on_frontier::int) BETWEEN 2 AND count(*) AS some FROM swept AS t;
SELECT chosen FROM swept WHERE people_found <= 30 ORDER BY il, people_found LIMIT 1;
SELECT sum(chosen::int) FROM swept;
-- without a limit none is chosen; with one that nothing meets neither; all rows are there
SELECT count(*), count(*) FILTER (WHERE chosen) AS chosen FROM sdc_sweep('person', 'rankswap', seed => 1);
SELECT count(*), count(*) FILTER (WHERE chosen) AS chosen FROM sdc_sweep('person', 'rankswap', '{1,2}', limit_people_found => 0, seed => 1);
-- a limit of certain links, alone and besides
SELECT parameter, chosen FROM sdc_sweep('person', 'rankswap', '{1,100}', limit_certain_percent => 100, search => 0, seed => 1);
SELECT sum(chosen::int) FROM sdc_sweep('person', 'rankswap', '{1,100}', limit_people_found => 100, limit_certain_percent => 0, search => 0, seed => 1)
WHERE certain_percent = 0;

-- The search: bisection, towards less protection, between the last within the limits and the first beyond them.
CREATE FUNCTION bisected(vals float8[], most float8, steps int) RETURNS SETOF float8 LANGUAGE plpgsql AS $$
DECLARE
	v float8;
	best float8;
	inside float8;
	outside float8;
BEGIN
	CREATE TEMP TABLE tried (parameter float8, people_found float8, il float8);
	FOR s IN 0 .. steps LOOP
		IF s > 0 THEN
			SELECT parameter INTO best FROM tried WHERE people_found <= most ORDER BY il, people_found LIMIT 1;
			SELECT max(parameter) INTO outside FROM tried WHERE parameter < best AND people_found > most;
			EXIT WHEN best IS NULL OR outside IS NULL;
			SELECT min(parameter) INTO inside FROM tried WHERE parameter > outside;
			vals := ARRAY[(inside + outside) / 2];
		END IF;
		FOREACH v IN ARRAY vals LOOP
			INSERT INTO tried SELECT v, e.people_found, e.il FROM scored('person', 'rankswap', 'p', v, ', seed => 9, columns => ''{age,income}'', keep => ''{}''', '') AS e;
		END LOOP;
	END LOOP;
	RETURN QUERY SELECT parameter FROM tried ORDER BY 1;
	DROP TABLE tried;
END
$$;
SELECT array_agg(parameter ORDER BY parameter) = (SELECT array_agg(b) FROM bisected('{1,7,40,95}', 20, 4) AS b) AS same, count(*)
FROM sdc_sweep('person', 'rankswap', '{1,7,40,95}', limit_people_found => 20, search => 4, columns => '{age,income}', keep => '{}', seed => 9);
-- where people found need not fall, only the grid counts
SELECT count(*), count(*) FILTER (WHERE people_found > 20) AS beyond, sum(chosen::int) AS chosen
FROM sdc_sweep('person', 'equiwidth_swap', '{1,40}', limit_people_found => 20, columns => '{age,income}', keep => '{}', seed => 9);
-- without a loss the least protection within the limits
SELECT bool_and(il IS NULL AND score IS NULL AND on_frontier IS NULL) AS no_loss, sum(chosen::int) AS chosen,
	bool_and(people_found > 30) FILTER (WHERE parameter < (SELECT parameter FROM sdc_sweep('person', 'generalize', limit_people_found => 30, qi => '{age,born}', keep => '{}') WHERE chosen)) AS least
FROM sdc_sweep('person', 'generalize', limit_people_found => 30, qi => '{age,born}', keep => '{}');
-- what is beyond a limit by less than a part in 1e9 keeps it, as everywhere: everybody is one of three that are equal
CREATE TABLE thirds AS SELECT i AS id, i / 3 AS x FROM generate_series(0, 5) AS i;
ALTER TABLE thirds ADD PRIMARY KEY (id);
SELECT l AS "limit", round(people_found::numeric, 6) AS people_found, chosen
FROM unnest('{33,33.33333,33.33333332,33.33333333,34}'::float8[]) AS l, sdc_sweep('thirds', 'generalize', '{3}', qi => '{x}', limit_people_found => l) ORDER BY l;

-- The grids.
SELECT m, array_agg(parameter ORDER BY parameter) FROM unnest('{rankswap,rankswap_distribution,rankswap_buckets}'::text[]) AS m,
	sdc_sweep('person', m, columns => '{age}', seed => 1) GROUP BY m ORDER BY m;
SELECT array_agg(parameter) FROM sdc_sweep('person', 'equidepth_swap', columns => '{age}', seed => 1);
SELECT array_agg(parameter) FROM sdc_sweep('person', 'equiwidth_swap', columns => '{age}', seed => 1);
SELECT array_agg(parameter) FROM sdc_sweep('person', 'randomize', qi => '{age,job,sex}', seed => 1);
SELECT array_agg(parameter) FROM sdc_sweep('person', 'generalize', qi => '{age}', strata => '{region}');

-- Nothing is stored, and a sweep can be made where nothing can be written.
SELECT count(*) AS releases FROM sdc_releases AS r JOIN pg_class AS c ON c.oid = r.source WHERE c.relnamespace = 'sweep'::regnamespace;
BEGIN READ ONLY;
SELECT count(*) FROM sdc_sweep('person', 'rankswap', '{5}', seed => 1);
COMMIT;
-- the source that is measured is the one that is protected, whatever the function of a view does
CREATE SEQUENCE calls;
CREATE VIEW counted AS SELECT id, age, income, nextval('calls') AS call FROM person;
SELECT count(*) FROM sdc_sweep('counted', 'rankswap', '{5,10,20}', key => '{id}', omit => '{call}', columns => '{age,income}', seed => 1);
SELECT count(*) FROM sdc_sweep('counted', 'rankswap', '{5,10,20}', key => '{id}', columns => '{age,income}', seed => 1);
SELECT last_value FROM calls;

-- What is refused, before the relation is read.
SELECT helper.catch($$SELECT * FROM sdc_sweep(NULL, 'rankswap')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', NULL)$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'protect')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', '{}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', '{{1},{2}}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', array_fill(1.0::float8, '{1001}'))$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', '{1,NULL}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', '{1,NaN}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', '{1,2,0}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', '{1,101}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'equidepth_swap', '{2.5}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'equidepth_swap', '{5,1}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'equidepth_swap', '{5,161}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap_buckets', '{5,161}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap_buckets', '{1e300}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'generalize', '{5,161}', qi => '{age}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'permute', qi => '{age}', sensitive => '{job}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'randomize')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'randomize', '{3}', qi => '{age,sex}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', qi => '{age}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'generalize', columns => '{age}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'randomize', qi => '{age}', sensitive => '{job}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', known => '{nobody}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', known => '{id}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', known => '{}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', columns => '{nobody}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', limit_people_found => 101)$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', limit_people_found => 'NaN')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', limit_certain_percent => -1)$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', search => -1)$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', search => 51)$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', search => NULL)$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', sample => 0)$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', known_max => 99)$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', parameters => '[]')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', parameters => '{"p": 4}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', parameters => '{"method": "permute"}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', parameters => '{"complement": "swap"}')$$);
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'equidepth_swap', parameters => '{"complement": "loop"}')$$);

-- Rights: of the columns that are read, and nothing else.
CREATE ROLE regress_sdc_sweep;
GRANT USAGE ON SCHEMA sweep, helper TO regress_sdc_sweep;
SET ROLE regress_sdc_sweep;
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', '{5}')$$);
RESET ROLE;
GRANT SELECT (id, age, income) ON person TO regress_sdc_sweep;
SET ROLE regress_sdc_sweep;
SELECT helper.catch($$SELECT * FROM sdc_sweep('person', 'rankswap', '{5}', columns => '{age,income}')$$);
SELECT count(*) FROM sdc_sweep('person', 'rankswap', '{5}', columns => '{age,income}', keep => '{}', seed => 1);
RESET ROLE;
DROP SCHEMA sweep CASCADE;
DROP OWNED BY regress_sdc_sweep;
DROP ROLE regress_sdc_sweep;

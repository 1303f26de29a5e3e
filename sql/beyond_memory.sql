--
-- beyond_memory
--
-- What does not fit into maintenance_work_mem goes through temporary files, and the release is the same.  Here are the
-- tables that such a way could stumble over: values larger than the memory, many of them next to each other, one
-- value only, hardly any value, and as many strata as records.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA beyond_memory;
SET search_path = beyond_memory, public;

CREATE TABLE people (id int PRIMARY KEY, one int, few float8, wide text COLLATE "C", exact numeric, near int, g int, h int);
INSERT INTO people
SELECT i, 7, CASE WHEN i % 997 = 0 THEN i / 3.0 END,
	CASE WHEN i BETWEEN 9000 AND 9040 THEN repeat(chr(97 + i % 7), 40000) || i WHEN i = 12345 THEN repeat('y', 3000000)
		WHEN i % 11 > 0 THEN 'w' || helper.below(i, 1, 5000) END,
	helper.below(i, 2, 100000) / 8.0, i, i % 20011, i % 3
FROM generate_series(1, 40000) AS i;
-- not in lines, so that they are stored as they are
ALTER TABLE people ALTER COLUMN wide SET STORAGE EXTERNAL;
ANALYZE people;

-- same tells whether a call makes the same release with 1 MB as with 256 MB.
CREATE FUNCTION same(call text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
	little boolean;
BEGIN
	PERFORM set_config('maintenance_work_mem', '256MB', true);
	EXECUTE format(call, 'in_memory');
	PERFORM set_config('maintenance_work_mem', '1MB', true);
	EXECUTE format(call, 'in_files');
	little := helper.fingerprint('in_memory') = helper.fingerprint('in_files');
	DROP TABLE in_memory, in_files;
	RETURN little;
END
$$;

SELECT same($$SELECT sdc_rankswap('people', p => 5, columns => '{one,few,wide,exact,near}', omit => '{g,h}', seed => 1, target => '%s')$$) AS standard;
SELECT same($$SELECT sdc_rankswap('people', p => 40, columns => '{one,few,wide,near}', strata => '{g}', omit => '{exact,h}', seed => 2, target => '%s')$$) AS in_small_strata;
SELECT same($$SELECT sdc_rankswap_buckets('people', buckets => 9, columns => '{one,wide,exact}', strata => '{h}', omit => '{few,near,g}', seed => 3, target => '%s')$$) AS buckets;
SELECT same($$SELECT sdc_rankswap_distribution('people', p => 3, columns => '{few,wide,near}', omit => '{one,exact,g,h}', seed => 4, target => '%s')$$) AS distribution;
SELECT same($$SELECT sdc_randomize('people', qi => '{one,few,wide,exact}', omit => '{near,g,h}', seed => 5, target => '%s')$$) AS randomized;

-- Where not even the numbers of the donors of all records fit: with values of all records and of some, in strata or not, drawn each way.
CREATE TABLE many AS SELECT i AS id, i % 90 AS a, CASE WHEN i % 7 > 0 THEN 'v' || i % 1000 END AS b, hashint4(i) / 8.0 AS c, i % 4 AS g FROM generate_series(1, 230000) AS i;
ALTER TABLE many ADD PRIMARY KEY (id);
ANALYZE many;
SELECT same($$SELECT sdc_randomize('many', qi => '{a,b,c}', omit => '{g}', draws => 2, seed => 6, target => '%s')$$) AS some_attributes;
SELECT same($$SELECT sdc_randomize('many', qi => '{a,b,c}', strata => '{g}', probabilities => '{0.2,0.7,0.1}', seed => 7, target => '%s')$$) AS one_attribute_in_strata;
SELECT same($$SELECT sdc_pram('many', columns => '{a,b}', retain => 0.8, strata => '{g}', omit => '{c}', seed => 8, target => '%s')$$) AS each_attribute;

-- Every value is there as often as before, and in its stratum.
SET maintenance_work_mem = '1MB';
SELECT count(*) FROM sdc_rankswap('people', p => 5, columns => '{few,wide,exact,near}', keep => '{one,g,h}', strata => '{h}', seed => 1, target => 'swapped');
SELECT count(*) FROM (SELECT h, md5(wide), count(*) FROM people GROUP BY 1, 2 EXCEPT SELECT h, md5(wide), count(*) FROM swapped GROUP BY 1, 2) AS lost;
SELECT count(*) FROM (SELECT h, few, count(*) FROM people GROUP BY 1, 2 EXCEPT SELECT h, few, count(*) FROM swapped GROUP BY 1, 2) AS lost;
SELECT count(*) FROM (SELECT h, exact, count(*) FROM people GROUP BY 1, 2 EXCEPT SELECT h, exact, count(*) FROM swapped GROUP BY 1, 2) AS lost;
-- near is the number of the record: nobody moves further than his window, in his stratum
SELECT max(abs(s.near - p.near)) <= 3 * ceil(0.05 * 13334) AS within, count(*) FILTER (WHERE s.near = p.near) < 400 AS moved
FROM people AS p JOIN swapped AS s USING (id);

-- A release that goes on for some nights, with little memory and with much: the same, and so are the reports.
CREATE TABLE nights AS SELECT i AS id, hashint4(i) % 1000 AS a, hashint4(i + 1) / 1e9 AS b, 'v' || hashint4(i + 5) % 5000 AS c, 'j' || hashint4(i + 3) % 9 AS job FROM generate_series(1, 20000) AS i;
ALTER TABLE nights ADD PRIMARY KEY (id);
CREATE TABLE reports (memory text, report text);
CREATE FUNCTION night(number int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	setting text;
BEGIN
	DELETE FROM nights WHERE hashint4(id + number) % 100 = 0;
	INSERT INTO nights SELECT 30000 + number * 1000 + i, i, i / 3.0, 'v' || i, 'j' || i % 9 FROM generate_series(1, 300) AS i;
	UPDATE nights SET a = a + 1, c = c || 'x' WHERE hashint4(id + number) % 97 = 0;
	FOREACH setting IN ARRAY '{little,much}'::text[] LOOP
		PERFORM set_config('maintenance_work_mem', CASE setting WHEN 'little' THEN '1MB' ELSE '64MB' END, true);
		INSERT INTO reports SELECT setting, number || (to_jsonb(r) - 'release')::text FROM sdc_rankswap('nights', columns => '{a,b,c}', p => 5, continued => true, min_changes => 40, seed => 'n', target => 'swapped_' || setting, omit => '{job}') AS r;
		INSERT INTO reports SELECT setting, number || (to_jsonb(r) - 'release')::text FROM sdc_randomize('nights', '{job,a}', continued => true, seed => 'n', target => 'drawn_' || setting, omit => '{b,c}') AS r;
	END LOOP;
END
$$;
SELECT night(i) FROM generate_series(1, 3) AS i;
SELECT helper.fingerprint('swapped_little') = helper.fingerprint('swapped_much') AS swapped, helper.fingerprint('drawn_little') = helper.fingerprint('drawn_much') AS drawn;
SELECT count(*) AS reported, (SELECT count(*) FROM reports WHERE memory = 'much') AS all_of FROM reports WHERE memory = 'little' AND report IN (SELECT r.report FROM reports AS r WHERE r.memory = 'much');
RESET maintenance_work_mem;
DROP SCHEMA beyond_memory CASCADE;

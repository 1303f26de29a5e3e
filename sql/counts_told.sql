--
-- counts_told
--
-- Conditions of which a publication does not tell what it seems to: on how values are written, on missing and suppressed values, on what recoded values were.  What is said holds for the source.
--
\pset format unaligned
\pset footer off
SET client_min_messages = error;
SET max_parallel_workers_per_gather = 0;
CREATE SCHEMA told;
SET search_path = told, public;
SET sdc.accuracy_records = 0;

CREATE TABLE person AS
SELECT i AS id, i * 7919 % 71 AS age, CASE WHEN i % 9 > 0 THEN i * 104729 % 97 END AS cost, CASE WHEN i % 7 > 0 THEN substr('abc', i % 3 + 1, 1) || i % 4 END AS job,
	(ARRAY['1', '1.0', '1.00', '2', '2.50'])[i % 5 + 1]::numeric AS fee, date '2000-02-01' + i * 31 % 3000 AS born, interval '1 hour' * (i % 3 * 24) AS stay, i % 2 AS sex
FROM generate_series(1, 600) AS i;
UPDATE person SET stay = '1 day' WHERE stay = '24 hours' AND id % 2 = 0;
UPDATE person SET cost = NULL WHERE id IN (10, 20);
ALTER TABLE person ADD PRIMARY KEY (id);

-- What is said of a condition, and whether the count of the source is between the ends.
CREATE FUNCTION told(publication text, condition text, OUT kind text, OUT holds boolean, OUT why text) LANGUAGE plpgsql AS $$
DECLARE
	truth bigint;
	answer record;
BEGIN
	EXECUTE 'SELECT count(*) FROM told.person WHERE ' || condition INTO truth;
	SELECT * INTO answer FROM sdc_how_accurate(publication::regclass, condition);
	kind := answer.kind;
	holds := truth BETWEEN answer.low AND answer.high;
	why := answer.why;
END
$$;
-- The same of several.
CREATE FUNCTION all_told(publication text, VARIADIC conditions text[]) RETURNS TABLE (condition text, kind text, holds boolean, why text) LANGUAGE sql
AS $$SELECT c, t.* FROM unnest(conditions) WITH ORDINALITY AS u (c, n), told(publication, c) AS t ORDER BY n$$;

--
-- How values are written: equal ones are written in one way in a publication, and not in the source
--
SELECT count(*) FROM sdc_rankswap('person', p => 20, columns => '{age}', keep => '{cost,job,fee,born,stay,sex}', target => 'swapped', seed => 1);
SELECT records FROM sdc_publish('swapped', 'swapped_shown', keep => '{cost,job,fee,born,stay,sex}', force => true);
SELECT fee::text, count(*) FROM swapped_shown GROUP BY 1 ORDER BY 1;
SELECT * FROM all_told('swapped_shown', 'fee = 1', 'fee IN (1, 2.5)', 'fee IS DISTINCT FROM 2', 'floor(fee) < 2 AND fee * 2 > 1.5', 'coalesce(fee, 0) > 1', 'fee <@ ''[1,2)''::numrange', 'stay = ''1 day''', 'stay < ''30 hours''',
	'fee::text = ''1.0''', 'scale(fee) = 2', 'length(fee::text) > 1', 'concat(fee) = ''1''', 'format(''%s'', fee) <> ''1''', 'ARRAY[fee]::text[] = ''{1}''', 'extract(day FROM stay) = 1', 'date ''2000-01-01'' + stay > ''2000-01-01''',
	'(fee::text COLLATE "C") = ''1.0''', 'ROW(fee, sex)::text LIKE ''(1.0,%''', '(string_to_array(fee::text, ''.''))[2] = ''0''', 'age < 30.5 AND age > 3.5::float8', '30 > age',
	'age > 30 AND fee::text = ''1''', 'age::text LIKE ''1%''', 'job || ''x'' = ''a0x''', 'extract(year FROM born) = 2003');

--
-- Values that microaggregation has suppressed
--
SELECT attribute, suppressed FROM sdc_microaggregate('person', 80, '{cost}', small => 'suppress', keep => '{sex}', omit => '{age,job,fee,born,stay}', target => 'averaged') WHERE suppressed > 0;
SELECT records FROM sdc_publish('averaged', 'averaged_shown', keep => '{sex}', force => true);
SELECT measure FROM averaged_shown_accuracy WHERE part = 'method' AND attribute = 'cost' ORDER BY 1;
SELECT * FROM all_told('averaged_shown', 'cost IS NULL', 'cost IS NOT NULL', 'cost IS NULL AND sex = 1', 'sex = 1');

--
-- Missing values of randomized publications: draws leave them where they are, and copied columns say what holds
--
SELECT count(*) FROM sdc_randomize('person', '{age,job}', probabilities => '{0.3,0.7}', keep => '{cost,sex}', omit => '{fee,born,stay}', target => 'drawn', seed => 1);
SELECT records FROM sdc_publish('drawn', 'drawn_shown', keep => '{cost,sex}', force => true);
SELECT * FROM all_told('drawn_shown', 'job = ''a0''', 'job IS NULL', 'job IS NULL AND age > 20', 'job IS NOT NULL AND age > 20', 'cost IS NULL AND job = ''a0''', 'cost IS DISTINCT FROM 5 AND job > ''b''', '(cost > 50 OR sex = 1) AND job < ''b''',
	'cost IS NULL AND age < 40 AND true', 'job IS DISTINCT FROM ''a0''', '(job = ''a0'') IS NOT TRUE', 'coalesce(job, ''a0'') = ''a0''', 'CASE WHEN job > ''a0'' THEN true ELSE job IS NULL END', 'age IS DISTINCT FROM 7', 'job = ''nobody''', 'job = ''nobody'' AND cost = 1');
SELECT count(*) FROM sdc_pram('person', columns => '{job}', retain => 0.6, keep => '{cost,sex}', omit => '{age,fee,born,stay}', target => 'pram', seed => 1);
SELECT records FROM sdc_publish('pram', 'pram_shown', keep => '{cost,sex}', force => true);
-- one that has an error without a value is no error where all values are there
SELECT * FROM all_told('drawn_shown', '1 / coalesce(sex + 1, 0) >= 0 AND job = ''a0''', '1 / coalesce(sex + 1, 0) > 0', '1 / coalesce(age + 1, 0) > 0');
SELECT * FROM all_told('pram_shown', 'job >= ''b''', 'job IS NULL AND cost IS NULL', 'cost IS NULL AND job >= ''b''', 'job <> ''a0'' OR job IS NULL');
SELECT helper.catch($$SELECT * FROM sdc_how_accurate('told.drawn_shown', 'job IS DISTINCT FROM ''a0''', statistic => 'sum', measure => 'cost')$$);

--
-- Randomized after they were recoded: what is told is told of ranges and labels
--
SELECT attribute, changed = (SELECT count(*) FROM person) AS all_changed FROM sdc_protect('person', '[{"method": "recode", "recodes": {"born": {"trunc": "year"}, "job": {"prefix": 1}, "age": {"width": 10}}}, {"method": "pram", "columns": ["born", "job", "age"], "retain": 0.7}]',
	keep => '{cost,sex}', omit => '{fee,stay}', target => 'coarse', seed => 1) WHERE method = 'pram' AND attribute = 'age';
SELECT records FROM sdc_publish('coarse', 'coarse_shown', keep => '{cost,sex}', force => true);
SELECT * FROM all_told('coarse_shown', 'extract(month FROM born) = 1', 'born < ''2004-06-01''', 'job < ''b''', 'job = ''a0''', 'job IS NULL');
SELECT a.kind, (SELECT count(*) FROM person WHERE job LIKE 'a%') BETWEEN low AND high AS holds FROM sdc_how_accurate('coarse_shown', 'job = ''a*''') AS a;
SELECT a.kind, (SELECT count(*) FROM person WHERE age BETWEEN 10 AND 19 AND sex = 1) BETWEEN low AND high AS holds FROM sdc_how_accurate('coarse_shown', 'age = ''[10,20)'' AND sex = 1') AS a;

--
-- What has changed after a recoding: texts stay texts, where a label is another value
--
CREATE TABLE word AS SELECT i AS id, CASE WHEN i % 10 > 0 THEN substr('abcdefg', i % 5 + 1, 1) || CASE WHEN i % 4 > 0 THEN 'x' ELSE '' END END AS t, (i % 6)::varchar(5) AS v, rpad((i % 3)::text, 1 + i % 2, 'y')::char(4) AS p FROM generate_series(1, 200) AS i;
ALTER TABLE word ADD PRIMARY KEY (id);
CREATE TABLE word_levels (value text, label text);
INSERT INTO word_levels VALUES ('0', '0'), ('1', '0'), ('2', '0'), ('3', '5'), ('4', '5'), ('5', '5');
CREATE TABLE report AS SELECT * FROM sdc_protect('word', '[{"method": "recode", "recodes": {"t": {"prefix": 1}, "v": {"table": "told.word_levels", "level": "label"}, "p": {"prefix": 1}}}, {"method": "rankswap", "columns": ["t"], "p": 40}, {"method": "pram", "columns": ["v"], "retain": 0.5},
	{"method": "suppress", "qi": ["p"], "k": 40}]', keep => '{}', target => 'words', seed => 1);
SELECT r.attribute, r.method, r.changed = count(*) FILTER (WHERE CASE r.attribute WHEN 't' THEN w.t::text WHEN 'v' THEN w.v::text ELSE w.p::text END IS DISTINCT FROM CASE r.attribute WHEN 't' THEN s.t WHEN 'v' THEN s.v ELSE s.p END) AS changed,
	count(*) FILTER (WHERE CASE r.attribute WHEN 't' THEN w.t::text WHEN 'v' THEN w.v::text ELSE w.p::text END = CASE r.attribute WHEN 't' THEN s.t WHEN 'v' THEN s.v ELSE s.p END) > 0 AS some_stay
FROM report AS r, word AS w JOIN words AS s USING (id) WHERE r.action = 'protected' GROUP BY 1, 2, r.changed ORDER BY 1;

DROP SCHEMA told CASCADE;

-- determinism.sql
--		The same data, key and seed give the same release on the reference files.
--
-- Census, EIA, Tarragona and Adult, all methods of rank swapping, random anonymization and
-- permutation: in another physical order, from a view, partitioned, with 1 MB and 1 GB of
-- memory, by other plans.  Another seed, or none, gives another release.  Generalization does
-- not draw at all.

\ir lib/check.sql

-- digest_of is a digest of all rows of a relation, in the order in which they lie.
CREATE FUNCTION pg_temp.digest_of(relation text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	digest text;
BEGIN
	EXECUTE format('SELECT md5(string_agg(t::text, E''\n'' ORDER BY ctid)) FROM %s AS t', relation)
		INTO digest;
	RETURN digest;
END
$$;

-- release_of makes a release of a relation and returns its digest.  A method is what follows sdc_,
-- with arguments of its own in parentheses, %s standing for the columns.
CREATE FUNCTION pg_temp.release_of(relation text, method text, columns name[], seed text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	digest text;
	defaults CONSTANT text := CASE WHEN method ~ 'buckets' THEN 'buckets => 20, ' ELSE 'p => 5, ' END;
BEGIN
	EXECUTE format('SELECT FROM sdc_%s(%L, %s, key => ''{id}''%s, '
		'target => ''sdc_check.release'')', split_part(method, '(', 1), relation,
		format(CASE WHEN method ~ '\(' THEN rtrim(split_part(method, '(', 2), ')') ELSE defaults || 'columns => %L' END, columns),
		-- generalization draws nothing
		CASE WHEN method !~ '^generalize' THEN format(', seed => %L', seed) END);
	digest := pg_temp.digest_of('sdc_check.release');
	DROP TABLE sdc_check.release CASCADE;
	RETURN digest;
END
$$;

-- check_file compares the releases of one file.
CREATE FUNCTION pg_temp.check_file(file text, columns name[], methods text[])
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	source CONSTANT text := 'ref.' || file;
	method text;
	first text;
	little int;
	name text;
BEGIN
	EXECUTE format('CREATE TABLE sdc_check.shuffled AS SELECT * FROM %s ORDER BY md5(id::text)', source);
	CREATE VIEW sdc_check.seen AS SELECT * FROM sdc_check.shuffled;
	EXECUTE format('CREATE TABLE sdc_check.parts (LIKE %s) PARTITION BY HASH (id)', source);
	CREATE TABLE sdc_check.part_0 PARTITION OF sdc_check.parts FOR VALUES WITH (MODULUS 3, REMAINDER 0);
	CREATE TABLE sdc_check.part_1 PARTITION OF sdc_check.parts FOR VALUES WITH (MODULUS 3, REMAINDER 1);
	CREATE TABLE sdc_check.part_2 PARTITION OF sdc_check.parts FOR VALUES WITH (MODULUS 3, REMAINDER 2);
	INSERT INTO sdc_check.parts TABLE sdc_check.shuffled;

	FOREACH method IN ARRAY methods LOOP
		name := file || ' ' || regexp_replace(regexp_replace(method, 'qi => %L(, )?', ''), '\(\)', '');
		first := pg_temp.release_of(source, method, columns, 'determinism');
		RETURN NEXT pg_temp.ok(first = pg_temp.release_of('sdc_check.shuffled', method, columns, 'determinism'),
			format('%s: the same release for another physical order', name));
		RETURN NEXT pg_temp.ok(first = pg_temp.release_of('sdc_check.seen', method, columns, 'determinism'),
			format('%s: the same release from a view', name));
		RETURN NEXT pg_temp.ok(first = pg_temp.release_of('sdc_check.parts', method, columns, 'determinism'),
			format('%s: the same release from a partitioned table', name));
		-- groups are made in memory
		little := CASE WHEN file = 'adult' AND method ~ '^(permute|generalize)' THEN 4 ELSE 1 END;
		PERFORM set_config('maintenance_work_mem', little || 'MB', true);
		RETURN NEXT pg_temp.ok(first = pg_temp.release_of(source, method, columns, 'determinism'),
			format('%s: the same release with %s MB', name, little));
		SET LOCAL maintenance_work_mem = '1GB';
		RETURN NEXT pg_temp.ok(first = pg_temp.release_of(source, method, columns, 'determinism'),
			format('%s: the same release with 1 GB', name));
		SET LOCAL maintenance_work_mem TO DEFAULT;
		SET LOCAL enable_sort = off;
		SET LOCAL enable_seqscan = off;
		RETURN NEXT pg_temp.ok(first = pg_temp.release_of(source, method, columns, 'determinism'),
			format('%s: the same release by another plan', name));
		SET LOCAL enable_sort TO DEFAULT;
		SET LOCAL enable_seqscan TO DEFAULT;
		RETURN NEXT pg_temp.ok(method ~ 'generalize' AND first = pg_temp.release_of(source, method, columns, 'another')
				AND first = pg_temp.release_of(source, method, columns, NULL)
			OR first <> pg_temp.release_of(source, method, columns, 'another')
				AND first <> pg_temp.release_of(source, method, columns, NULL)
				AND pg_temp.release_of(source, method, columns, NULL) <> pg_temp.release_of(source, method, columns, NULL),
			format(CASE WHEN method ~ 'generalize' THEN '%s: the same release for another seed, and without one'
				ELSE '%s: another release for another seed, and without one' END, name));
	END LOOP;
	DROP VIEW sdc_check.seen;
	DROP TABLE sdc_check.shuffled, sdc_check.parts;
END
$$;

\set swaps '''{rankswap,rankswap_distribution,rankswap_buckets}''::text[]'
\set numbers '''{randomize(qi => %L),"randomize(qi => %L, draws => 2)","generalize(qi => %L, k => 5)"}''::text[]'
SELECT pg_temp.check_file('census', NULL, :swaps);
SELECT pg_temp.check_file('census', '{agi,fedtax,pothval,wsalval}', :numbers);
SELECT pg_temp.check_file('eia', NULL, :swaps);
SELECT pg_temp.check_file('tarragona', NULL, :swaps);
SELECT pg_temp.check_file('adult', '{age,education,occupation}', :swaps);
SELECT pg_temp.check_file('adult', '{age,education,race,marital_status,salary}', ARRAY['randomize(qi => %L)', 'randomize(qi => %L, draws => 2)',
	'permute(qi => %L, sensitive => ''{occupation}'', l => 5)', 'permute(qi => %L, sensitive => ''{occupation}'', l => 5, grouping_method => ''mondrian'')',
	'generalize(qi => %L, sensitive => ''{occupation}'', l => 5)']);

\ir lib/finish.sql

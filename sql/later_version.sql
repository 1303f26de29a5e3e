--
-- later_version
--
-- What a later version has written is not read as if it said less: a release by a method, or with parameters, a role and an accuracy table that this
-- version does not know.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA later_version;
SET search_path = later_version, public;

CREATE TABLE t AS SELECT i AS id, i * 7 % 101 AS a, i * 11 % 97 AS b FROM generate_series(1, 100) AS i;
ALTER TABLE t ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('t', p => 10, columns => '{a,b}', target => 'r', seed => 1);
SELECT count(*) FROM sdc_protect('t', '[{"method": "rankswap", "columns": ["a"], "p": 10}, {"method": "noise", "columns": ["b"], "amount": 0.1}]', target => 's', seed => 1);
SELECT count(*) FROM sdc_evaluate('r');
SELECT records FROM sdc_publish('r', 'p', max_people_found => 100);
SELECT low IS NOT NULL AS told FROM sdc_how_accurate('p', 'a < 50');

-- tried changes something, and says what comes of statements about it; nothing stays.
CREATE FUNCTION tried(change text) RETURNS TABLE (statement text, outcome text) LANGUAGE plpgsql AS $$
BEGIN
	FOREACH statement IN ARRAY ARRAY['SELECT count(*) > 1 FROM sdc_releases', 'SELECT sdc_people_found(''r'') IS NOT NULL', 'SELECT sdc_people_found(''s'') IS NOT NULL',
		'SELECT count(*) > 1 FROM sdc_evaluate(''r'')', 'SELECT count(*) > 1 FROM sdc_publish(''r'', ''q'', max_people_found => 100)', 'SELECT length(sdc_report(''r'')) > 1000',
		'SELECT count(*) > 1 FROM sdc_rankswap(''t'', p => 20, target => ''new'')', 'SELECT count(*) > 1 FROM sdc_how_accurate(''p'', ''a < 50'')', 'DROP TABLE r']
	LOOP
		BEGIN
			EXECUTE change;
			outcome := NULL;
			EXECUTE statement;
			RAISE EXCEPTION USING ERRCODE = 'T0000';
		EXCEPTION WHEN SQLSTATE 'T0000' THEN
			outcome := 'done';
			RETURN NEXT;
		WHEN OTHERS THEN
			outcome := SQLSTATE || ': ' || SQLERRM;
			RETURN NEXT;
		END;
	END LOOP;
END
$$;
SELECT * FROM tried('SELECT 1');
SELECT * FROM tried($$UPDATE sdc_private.sdc_release_catalog SET method = 'later' WHERE release = 'r'::regclass$$);
SELECT * FROM tried($$UPDATE sdc_private.sdc_release_catalog SET parameters = jsonb_set(parameters, '{steps,1,method}', '"later"') WHERE release = 's'::regclass$$);
SELECT * FROM tried(format($$UPDATE sdc_private.sdc_release_catalog SET parameters = parameters || '{"needs": "%s.99"}' WHERE release = 'r'::regclass$$, split_part(sdc_version(), '.', 1)));
SELECT statement FROM tried(format($$UPDATE sdc_private.sdc_release_catalog SET parameters = parameters || '{"needs": "%s"}' WHERE release = 'r'::regclass$$, sdc_version())) WHERE outcome <> 'done';
SELECT sdc_classify('t', 'a', 'quasi-identifier');
SELECT * FROM tried($$UPDATE pg_seclabel SET label = 'later' WHERE provider = 'sdc' AND objoid = 't'::regclass$$);
SELECT * FROM tried($$INSERT INTO p_accuracy VALUES ('method', 'a', 'later', NULL)$$) WHERE outcome <> 'done';
SELECT * FROM tried($$INSERT INTO p_accuracy VALUES ('method', NULL, 'later', 3)$$) WHERE outcome <> 'done';
SELECT replace(helper.catch($$UPDATE sdc_private.sdc_release_catalog SET method = 'later' WHERE release = 'r'::regclass; SELECT sdc_people_found('r')$$), sdc_version(), 'THIS');
SELECT replace(helper.catch($$UPDATE pg_seclabel SET label = 'later' WHERE provider = 'sdc' AND objoid = 't'::regclass; SELECT count(*) FROM sdc_rankswap('t', p => 20, target => 'new')$$), sdc_version(), 'THIS');
SELECT replace(helper.catch($$INSERT INTO p_accuracy VALUES ('method', NULL, 'later', 3); SELECT count(*) FROM sdc_how_accurate('p', 'a < 50')$$), sdc_version(), 'THIS');

\set VERBOSITY terse
SET client_min_messages = error;
DROP SCHEMA later_version CASCADE;

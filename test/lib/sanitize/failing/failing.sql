--
-- failing.sql
--		Lets the allocations of calls fail, one after the other.
--
-- Needs a session with the module failing preloaded, and the schema public empty.  Prints TAP.
--
\set QUIET on
\set ON_ERROR_STOP on
\pset tuples_only on
\pset format unaligned
SET client_min_messages = error;
SET maintenance_work_mem = '1MB';
SET work_mem = '64kB';
CREATE EXTENSION sdc;
SELECT FROM sdc_version();

CREATE SCHEMA failing;
CREATE FUNCTION failing.arm(passed int) RETURNS void LANGUAGE C STRICT AS 'failing', 'failing_arm';
CREATE FUNCTION failing.arm_crypto(number int) RETURNS void LANGUAGE C STRICT AS 'failing', 'failing_arm_crypto';
CREATE FUNCTION failing.disarm() RETURNS boolean LANGUAGE C AS 'failing', 'failing_disarm';
CREATE FUNCTION failing.site() RETURNS text LANGUAGE C AS 'failing', 'failing_site';
CREATE FUNCTION failing.forget() RETURNS void LANGUAGE C AS 'failing', 'failing_forget';
CREATE FUNCTION failing.crypto_blocks() RETURNS bigint LANGUAGE C AS 'failing', 'failing_crypto_blocks';

--
-- What the calls work on.  The long table needs more than the least maintenance_work_mem.
--
CREATE FUNCTION failing.below(i bigint, stream int, bound int) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (('x' || substr(md5(i || ':' || stream), 1, 8))::bit(32)::bigint % bound)::int;

CREATE TABLE people (id int PRIMARY KEY, region text, sex char(1), age smallint, income numeric(10,2), weight float8, savings bigint, job text NOT NULL);
INSERT INTO people SELECT i, (ARRAY['north', 'east', 'south', 'west'])[1 + failing.below(i, 1, 4)], (ARRAY['f', 'm'])[1 + failing.below(i, 2, 2)],
	18 + failing.below(i, 3, 60), 1000 + failing.below(i, 4, 9000), 40 + failing.below(i, 5, 6000) / 100.0,
	CASE WHEN failing.below(i, 6, 5) > 0 THEN 100 * failing.below(i, 7, 500) END, (ARRAY['baker', 'cook', 'driver', 'nurse'])[1 + failing.below(i, 8, 4)]
FROM generate_series(1, 80) AS i;
CREATE TABLE long (id int PRIMARY KEY, a int, b text);
INSERT INTO long SELECT i, failing.below(i, 9, 1000), repeat(md5(i::text), 12) FROM generate_series(1, 4000) AS i;
CREATE VIEW seen AS SELECT id, age + 1 AS age, job FROM people;
CREATE TABLE copied AS SELECT * FROM people;
ANALYZE;

SELECT FROM sdc_rankswap('people', p => 20, columns => '{age,income,weight}', target => 'swapped', seed => 1);
SELECT FROM sdc_randomize('people', '{region,sex,age}', draws => 2, target => 'randomized', seed => 1);
SELECT FROM sdc_randomize('people', '{region,sex,age}', target => 'randomized_one', seed => 1);
SELECT FROM sdc_generalize('people', '{region,sex,age}', '{job}', l => 2, target => 'generalized');
SELECT FROM sdc_permute('people', '{region,sex,age}', '{job}', l => 2, target => 'permuted', seed => 1);
SELECT FROM sdc_equidepth_swap('people', 4, columns => '{age,income}', target => 'binned', seed => 1);
SELECT FROM sdc_equiwidth_swap('people', 4, columns => '{age,income}', target => 'wide', seed => 1);
SELECT FROM sdc_rankswap('people', p => 5, columns => '{age}', target => 'doubtful', seed => 1);
CREATE TABLE stored AS SELECT sdc_entropy_state(job) AS entropy,
	sdc_information_loss_state(ARRAY[age, weight], ARRAY[age + 1, weight]) AS loss FROM people GROUP BY region;

CREATE TABLE failing.call (number int GENERATED ALWAYS AS IDENTITY, statement text, crypto boolean);
INSERT INTO failing.call (statement, crypto)
SELECT statement, statement ~ 'seed|_over' FROM unnest(ARRAY[
	$$SELECT FROM sdc_rankswap('people', p => 5, columns => '{age,job}', strata => '{sex}', seed => 2)$$,
	$$SELECT FROM sdc_rankswap('people', p => 5, columns => '{age}', omit => '{job}', target => 'doubtful', replace => true)$$,
	$$SELECT FROM sdc_rankswap('seen', p => 5, columns => '{age}', key => '{id}', seed => 2)$$,
	$$SELECT count(*) FROM sdc_rankswap(NULL::people, p => 5, columns => '{age,region}', seed => 2)$$,
	$$SELECT FROM sdc_rankswap('long', p => 5, columns => '{a,b}', seed => 2)$$,
	$$SELECT FROM sdc_rankswap_distribution('people', p => 5, columns => '{age,savings}', seed => 2)$$,
	$$SELECT FROM sdc_rankswap_buckets('people', 4, columns => '{age,region}', seed => 2)$$,
	$$SELECT count(x) FROM (SELECT sdc_rankswap_over(weight, 5, 'seed') OVER (PARTITION BY sex ORDER BY weight) AS x FROM people) AS r$$,
	$$SELECT count(x) FROM (SELECT sdc_rankswap_buckets_over(job, 3) OVER (ORDER BY job) AS x FROM people) AS r$$,
	$$SELECT FROM sdc_equidepth_swap('people', 4, columns => '{age,income,weight}', strata => '{sex}', seed => 2)$$,
	$$SELECT FROM sdc_equiwidth_swap('people', 4, columns => '{age,savings}', complement => 'swap', seed => 2)$$,
	$$SELECT FROM sdc_equiwidth_swap('people', widths => '{10,2000}', columns => '{age,income}', seed => 2)$$,
	$$SELECT FROM sdc_randomize('people', '{region,sex,age}', draws => 2, seed => 2)$$,
	$$SELECT FROM sdc_randomize('long', '{a,b}', seed => 2)$$,
	$$SELECT count(*) FROM sdc_randomize(NULL::people, '{region,age}', probabilities => '{0.5,0.5}', seed => 2)$$,
	$$SELECT FROM sdc_generalize('people', '{region,sex,age}', '{job}', l => 2)$$,
	$$SELECT FROM sdc_generalize('people', '{region,income}', k => 5, strata => '{sex}')$$,
	$$SELECT FROM sdc_permute('people', '{region,sex,age}', '{job}', l => 2, seed => 2)$$,
	$$SELECT FROM sdc_permute('people', '{region,sex,age}', '{job}', l => 2, grouping_method => 'mondrian', seed => 2)$$,
	$$SELECT count(*) FROM sdc_permute(NULL::people, '{region,age}', '{job}', l => 2, seed => 2)$$,
	$$SELECT sdc_classify('people', 'job', 'sensitive'), sdc_classify('people', 'age', 'quasi-identifier')$$,
	$$SELECT sdc_register('people', 'copied', '{age,income}', '{id}', 'rankswap', '{"p": 20}', qi => '{region,age}', sensitive => '{job}')$$,
	$$SELECT sdc_unregister('doubtful')$$,
	$$SELECT count(*) FROM sdc_link_distance('swapped')$$,
	$$SELECT count(*) FROM sdc_link_distance('swapped', metric => 'gower', sample => 20, seed => 2)$$,
	$$SELECT count(*) FROM sdc_link_probabilistic('swapped', '{age,income}', sample => 20, seed => 2)$$,
	$$SELECT count(*) FROM sdc_link_probabilistic('swapped', '{age,income}', 'one-to-one')$$,
	$$SELECT count(*) FROM sdc_link_rankswap('swapped')$$,
	$$SELECT count(*) FROM sdc_interval_disclosure('swapped')$$,
	$$SELECT count(*) FROM sdc_disclosure_risk('swapped', known_max => 2)$$,
	$$SELECT count(*) FROM sdc_record_risk('swapped')$$,
	$$SELECT il FROM sdc_information_loss('swapped')$$,
	$$SELECT score FROM sdc_score('swapped', known_max => 2)$$,
	$$SELECT score FROM sdc_baseline('swapped', known_max => 2, seed => 2)$$,
	$$SELECT count(*) FROM sdc_scores WHERE release = 'swapped'::regclass$$,
	$$SELECT (sdc_information_loss(ARRAY[age, weight], ARRAY[age + 1, weight])).il FROM people$$,
	$$SELECT (sdc_information_loss_merge(loss)).il, sdc_entropy_merge(entropy) FROM stored$$,
	$$SELECT sdc_probabilistic_anonymity('people', '{region,sex,age}')$$,
	$$SELECT support FROM sdc_support_bias('people', '{region,sex}', '{"region": "north", "sex": "f"}')$$,
	$$SELECT count(*) FROM sdc_chi_square('people', '{region,sex,job}')$$,
	$$SELECT mean FROM sdc_inference_risk('randomized_one')$$,
	$$SELECT sdc_entropy(job), sdc_diversity(income), sdc_entropy(age) FROM people$$,
	$$SELECT k FROM sdc_kanonymity('generalized', '{region,sex,age}')$$,
	$$SELECT distinct_l FROM sdc_ldiversity('permuted', '{group_id}', '{job}')$$,
	$$SELECT estimate FROM sdc_compare('randomized', condition => 'age < 40 AND region = ''north''')$$,
	$$SELECT count(*) FROM sdc_swap_candidates('people', '{age,income}', smallest => 0.05)$$,
	$$SELECT p_tuple FROM sdc_swap_privacy('people', '{age,income}', smallest => 0.05)$$,
	$$SELECT bias FROM sdc_correlation_bias('binned')$$,
	$$SELECT expected FROM sdc_expected_correlation_bias('people', '{age,income}', 'equiwidth_swap', intervals => 10)$$,
	$$SELECT sdc_histogram_error('wide')$$,
	$$SELECT count(*) FROM sdc_query_errors('generalized', 20, seed => 2)$$,
	$$SELECT count(*) FROM sdc_query_errors('randomized', 20, seed => 2)$$,
	$$SELECT count(*) FROM sdc_query_errors WHERE release = 'permuted'::regclass$$,
	$$SELECT count(*) FROM sdc_frequent_itemsets('people', '{region,sex,job}')$$,
	$$SELECT count(*) FROM sdc_associations('people', '{region,sex}', '{job}')$$,
	$$SELECT count(*) FROM sdc_association_recall('generalized')$$,
	$$SELECT count(*) FROM sdc_association_recall WHERE release = 'randomized'::regclass$$,
	$$SELECT count(*) FROM sdc_progress$$
]) WITH ORDINALITY AS s (statement, number) WHERE statement ~ :'pattern' ORDER BY number;

--
-- Trying
--

CREATE TABLE failing.finding (number int, what text, site text);

-- left_over counts what a call may not leave behind: relations and catalog entries, a report of
-- progress, temporary files, memory contexts, cursors, locks, changed settings.
CREATE FUNCTION failing.left_over() RETURNS text LANGUAGE sql
RETURN (SELECT format('relations %s, releases %s, labels %s, progress %s, temporary files %s, contexts %s, cursors %s, locks %s, settings %s',
	(SELECT count(*) FROM pg_class), (SELECT count(*) FROM sdc_private.sdc_release_catalog), (SELECT count(*) FROM pg_seclabel), (SELECT count(*) FROM sdc_private.progress()),
	(SELECT count(*) FROM pg_ls_tmpdir()), (SELECT count(*) FROM pg_backend_memory_contexts WHERE name ~ '^sdc'), (SELECT count(*) FROM pg_cursors),
	(SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype <> 'virtualxid'
		AND relation IS DISTINCT FROM 'failing.finding'::regclass),
	concat_ws(' ', current_setting('work_mem'), current_setting('maintenance_work_mem'), current_setting('search_path'), current_setting('role'),
		current_setting('cursor_tuple_fraction'), current_setting('synchronize_seqscans'), current_setting('jit'), current_setting('enable_seqscan'))));

-- attempt runs a call and undoes it, and returns how it ended: 00000 or a code, and a message.
CREATE FUNCTION failing.attempt(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	message text;
BEGIN
	EXECUTE statement;
	RAISE EXCEPTION USING errcode = '00SDC', message = 'success';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT;
	RETURN CASE SQLSTATE WHEN '00SDC' THEN '00000' ELSE SQLSTATE END || ' ' || message;
END
$$;

-- judge notes what is wrong with an attempt in which an allocation failed: it ended with another
-- error, or as if nothing had happened, or left something behind.
CREATE FUNCTION failing.judge(number int, ended text, allowed text, was text, site text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	now_left text := failing.left_over();
BEGIN
	IF ended !~ allowed THEN
		INSERT INTO failing.finding VALUES (number, ended, site);
	END IF;
	IF now_left <> was THEN
		INSERT INTO failing.finding VALUES (number, format('left: %s; before: %s', now_left, was), site);
	END IF;
END
$$;

-- try_all lets one site of a call fail after the other, and returns how many there were.
CREATE FUNCTION failing.try_all(number int, statement text, passed int, most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	was text := failing.left_over();
	ended text;
	tried int := 0;
BEGIN
	LOOP
		PERFORM failing.arm(passed);
		ended := failing.attempt(statement);
		EXIT WHEN NOT failing.disarm() OR tried = most;
		tried := tried + 1;
		PERFORM failing.judge(number, ended, '^53200 ', was, failing.site());
	END LOOP;
	IF ended !~ '^00000 ' THEN
		PERFORM failing.judge(number, 'without a failure: ' || ended, '^0', was, '');
	END IF;
	RETURN tried;
END
$$;

-- try_crypto does the same with the allocations of libcrypto, twice: the first failures let it
-- store its errors, so that the blocks which it holds are compared after both rounds.
CREATE FUNCTION failing.try_crypto(number int, statement text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	was text := failing.left_over();
	ended text;
	held bigint;
	tried int;
BEGIN
	FOR round IN 1 .. 2 LOOP
		held := failing.crypto_blocks();
		tried := 0;
		LOOP
			PERFORM failing.arm_crypto(tried + 1);
			ended := failing.attempt(statement);
			EXIT WHEN NOT failing.disarm() OR tried = 500;
			tried := tried + 1;
			PERFORM failing.judge(number, ended, '^(38000|00000) ', was, 'libcrypto ' || tried);
		END LOOP;
	END LOOP;
	IF failing.crypto_blocks() > held THEN
		INSERT INTO failing.finding VALUES (number, format('libcrypto holds %s blocks, and held %s', failing.crypto_blocks(), held), 'libcrypto');
	END IF;
	RETURN tried;
END
$$;

-- try_call tries everything for one call, and returns its line of TAP with the findings.
CREATE FUNCTION failing.try_call(call failing.call) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	first int;
	later int := 0;
	crypto int := 0;
	found bigint;
	before text := failing.attempt(call.statement);
BEGIN
	IF before !~ '^00000 ' THEN
		INSERT INTO failing.finding VALUES (call.number, 'does not work: ' || before, '');
	END IF;
	PERFORM failing.attempt(call.statement);
	PERFORM failing.forget();
	first := failing.try_all(call.number, call.statement, 1, 20000);
	PERFORM failing.forget();
	later := failing.try_all(call.number, call.statement, 7, 20000);
	IF call.crypto THEN
		crypto := failing.try_crypto(call.number, call.statement);
	END IF;
	IF first = 0 OR call.crypto AND crypto = 0 THEN
		INSERT INTO failing.finding VALUES (call.number, 'no allocation failed', '');
	END IF;
	SELECT count(*) INTO found FROM failing.finding AS f WHERE f.number = call.number;
	RETURN NEXT format('%s %s - %s: %s sites, %s later, %s of libcrypto', CASE found WHEN 0 THEN 'ok' ELSE 'not ok' END, call.number,
		replace(call.statement, '#', ''), first, later, crypto);
	RETURN QUERY SELECT format('#   %s times %s, at %s', count(*), f.what, min(f.site)) FROM failing.finding AS f
		WHERE f.number = call.number GROUP BY f.what;
END
$$;

SELECT format('1..%s', count(*)) FROM failing.call;
SELECT format('SELECT failing.try_call(c) FROM failing.call AS c WHERE number = %s', number) FROM failing.call ORDER BY number
\gexec

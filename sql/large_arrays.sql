--
-- large_arrays
--
-- With 1 MB nearly every array of a test build is in a mapped file, with 256 MB none: releases and
-- measures must be the same.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA large;
SET search_path = large, public;
SELECT helper.make_people('person', 10000);
-- ties beside values that are all different
UPDATE person SET weight = round(weight) WHERE id % 2 = 0;

-- released makes a release with much memory and with little, and counts its records, and those in which the two differ.
CREATE FUNCTION released(call text, OUT records bigint, OUT differ bigint)
LANGUAGE plpgsql AS $$
BEGIN
	SET LOCAL maintenance_work_mem = '256MB';
	EXECUTE format('SELECT FROM ' || call, 'much');
	SET LOCAL maintenance_work_mem = '1MB';
	EXECUTE format('SELECT FROM ' || call, 'little');
	SELECT count(*), count(*) FILTER (WHERE a::text IS DISTINCT FROM b::text)
	INTO records, differ FROM much AS a FULL JOIN little AS b USING (id);
	DROP TABLE much, little CASCADE;
END
$$;

-- measured does so with the rows that a query finds, its results.
CREATE FUNCTION measured(query text, OUT results bigint, OUT differ bigint)
LANGUAGE plpgsql AS $$
BEGIN
	SET LOCAL maintenance_work_mem = '256MB';
	EXECUTE 'CREATE TEMPORARY TABLE much AS SELECT r::text FROM ' || query || ' AS r';
	SET LOCAL maintenance_work_mem = '1MB';
	EXECUTE 'CREATE TEMPORARY TABLE little AS SELECT r::text FROM ' || query || ' AS r';
	SELECT count(*) INTO results FROM much;
	SELECT count(*) INTO differ FROM ((TABLE much EXCEPT ALL TABLE little) UNION ALL (TABLE little EXCEPT ALL TABLE much)) AS d;
	DROP TABLE much, little;
END
$$;

-- releases
SELECT * FROM released($$sdc_generalize('person', '{region,age,savings,born}', k => 5, target => %L)$$);
SELECT * FROM released($$sdc_generalize('person', '{sex,age,income,weight}', '{job}', l => 3, strata => '{region}', target => %L)$$);
SELECT * FROM released($$sdc_permute('person', '{region,age}', '{job}', l => 4, target => %L, seed => 1)$$);
SELECT * FROM released($$sdc_permute('person', '{age,savings,region}', '{job}', l => 3, grouping_method => 'mondrian', target => %L, seed => 1)$$);
SELECT * FROM released($$sdc_equidepth_swap('person', 7, columns => '{age,weight,savings}', target => %L, seed => 1)$$);
SELECT * FROM released($$sdc_equidepth_swap('person', 9, columns => '{born}', complement => 'swap', strata => '{region}', target => %L, seed => 1)$$);
SELECT * FROM released($$sdc_equiwidth_swap('person', 6, columns => '{age,income,savings}', target => %L, seed => 1)$$);
SELECT * FROM released($$sdc_randomize('person', '{region,job,age,born}', draws => 2, target => %L, seed => 1)$$);
SELECT * FROM released($$sdc_rankswap('person', p => 5, columns => '{job,income,savings,born}', target => %L, seed => 1)$$);

-- attacks
SELECT count(*) FROM sdc_rankswap('person', p => 4, columns => '{age,income,savings,weight}', target => 'swapped', seed => 1);
SELECT count(*) FROM sdc_rankswap('person', p => 4, columns => '{age,income,savings,weight}', target => 'again', seed => 2);
SELECT count(*) FROM sdc_generalize('person', '{region,age,born}', k => 5, target => 'general');
SELECT count(*) FROM sdc_randomize('person', '{region,job,sex}', draws => 1, target => 'random', seed => 1);
SELECT * FROM measured($$sdc_score('swapped', sample => 40, seed => 1)$$);
SELECT * FROM measured($$sdc_record_risk('swapped', sample => 40, seed => 1)$$);
SELECT * FROM measured($$sdc_link_distance('swapped', sample => 200, seed => 1)$$);
SELECT * FROM measured($$sdc_link_distance('swapped', '{age,savings}', 'mahalanobis', sample => 100, seed => 1)$$);
SELECT * FROM measured($$sdc_link_probabilistic('swapped', sample => 100, seed => 1)$$);
SELECT * FROM measured($$sdc_link_rankswap('swapped', sample => 200, seed => 1)$$);
SELECT * FROM measured($$sdc_link_rankswap('swapped', mode => 'union', sample => 100, seed => 1)$$);
SELECT * FROM measured($$sdc_people_found('swapped', sample => 100, seed => 1)$$);
SELECT * FROM measured($$sdc_people_found('general')$$);
SELECT * FROM measured($$sdc_link_releases('{swapped,again}', '{age,income,savings,weight}')$$);

-- measures
SELECT * FROM measured($$sdc_information_loss('swapped')$$);
SELECT * FROM measured($$sdc_query_errors('general', 100, seed => 1, qi => '{region,age,born}', sensitive => '{job}')$$);
SELECT * FROM measured($$sdc_association_recall('random', 0.001, 0.1, 'rule', NULL, '{region,sex,age}', '{job}')$$);
SELECT * FROM measured($$sdc_association_recall('random', 0.001, 0.1, 'any', NULL, '{region,sex,age}', '{job}')$$);
SELECT * FROM measured($$sdc_associations('person', '{region,sex,age}', '{job}', 0.001, 0.1)$$);
SELECT * FROM measured($$sdc_frequent_itemsets('person', '{region,sex,age,job}', 0.001)$$);
SELECT * FROM measured($$sdc_ldiversity('person', '{region,age}', '{job}')$$);
SELECT * FROM measured($$sdc_group_privacy('person', '{region,age}', '{job}')$$);
SELECT * FROM measured($$sdc_minimal_uniques('person', '{region,age,job,born}')$$);
SELECT * FROM measured($$sdc_distinguishability('swapped', '{age,income,savings,region}')$$);
SELECT * FROM measured($$sdc_estimate('random', conditions => '{"sex = ''f''"}', measure => 'income', by => '{savings,job}')$$);
SELECT * FROM measured($$sdc_swap_candidates('person', '{age,weight}', smallest => 0.05)$$);

-- what memory and temporary files do not hold is refused
SET maintenance_work_mem = '1MB';
SET temp_file_limit = '1MB';
SELECT left(helper.catch($$SELECT FROM sdc_score('swapped')$$), 5) AS refused;
SELECT left(helper.catch($$SELECT FROM sdc_generalize('person', '{region,age,savings,born}', k => 5, target => 'refused')$$), 5);
-- a release that does not fit whole is measured part by part: only the part that looks at every column is missing
RESET maintenance_work_mem;
RESET temp_file_limit;
CREATE TABLE wide AS
    SELECT i AS id, hashint4(i) & 255 AS a, hashint4(i * 7) & 63 AS b, repeat(md5(i::text), 40) AS c FROM generate_series(1, 3000) AS i;
ALTER TABLE wide ADD PRIMARY KEY (id);
SELECT sdc_classify('wide', 'c', 'public');
SELECT count(*) FROM sdc_rankswap('wide', p => 5, keep => '{c}', target => 'wide_swapped', seed => 1);
SET maintenance_work_mem = '1MB';
SET temp_file_limit = '3MB';
SELECT people_found IS NOT NULL AS people, il IS NOT NULL AS score, translate(measures #>> '{problems,accuracy}', '"', '') AS accuracy
FROM sdc_evaluate('wide_swapped', sample => 100, seed => 1);
RESET temp_file_limit;
SELECT helper.catch($$SELECT FROM sdc_generalize('person', '{region,age,savings,born}', k => 5, target => 'refused')$$);

DROP SCHEMA large CASCADE;

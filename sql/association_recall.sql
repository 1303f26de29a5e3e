--
-- association_recall
--
-- The recall of associations against set operations on those of source and release, and what
-- the functions of associations refuse.
--
\pset format unaligned
\pset footer off
SET search_path = associated, public;
CREATE FUNCTION recall(original regclass, release regclass, qi name[], sensitive name[], min_support float8, min_confidence float8, reading text) RETURNS TABLE (length int, original_rules bigint, recovered bigint, artificial bigint) LANGUAGE sql AS $$
	WITH o AS MATERIALIZED (SELECT antecedent, consequent, length FROM sdc_associations(original, qi, sensitive, min_support, min_confidence, reading => reading)),
	r AS MATERIALIZED (SELECT antecedent, consequent, length FROM sdc_associations(release, qi, sensitive, min_support, min_confidence, reading => reading)),
	b AS (SELECT coalesce(o.length, r.length) AS l, count(o.length) AS o, count(*) FILTER (WHERE o.length = r.length) AS both_files, count(*) FILTER (WHERE o.length IS NULL) AS artificial FROM o FULL JOIN r USING (antecedent, consequent) GROUP BY 1)
	SELECT l, sum(o)::bigint, sum(both_files)::bigint, sum(artificial)::bigint FROM b GROUP BY ROLLUP (l)
$$;
SELECT count(*) FROM sdc_randomize('person', '{region,sex,age}', seed => 1);
SELECT count(*) FROM sdc_randomize('person', '{region,sex,age}', draws => 3, target => 'all_drawn', seed => 1);
SELECT count(*) FROM sdc_permute('person', '{region,sex,age}', '{job}', l => 3, target => 'permuted', seed => 1);
SELECT count(*) FROM sdc_permute('person', '{region,sex,age}', '{job}', l => 2, grouping_method => 'mondrian', target => 'mondrian', seed => 1);
SELECT count(*) FROM sdc_rankswap('person', columns => '{age}', p => 30, target => 'swapped', seed => 1);
CREATE TABLE copied AS TABLE person;
SELECT sdc_register('person', 'copied', '{region,sex,age,job}', '{id}', qi => '{region,sex,age}', sensitive => '{job}');
-- every release, reading and threshold; the last row is the total
SELECT release, reading, s, c, count(*) AS rows, bool_and(a.original = r.original_rules AND a.recovered = r.recovered AND a.artificial = r.artificial) AS same,
	bool_and(abs(recall_percent - 100.0 * a.recovered / nullif(a.original, 0)) < 1e-12 AND abs(artificial_percent - 100.0 * a.artificial / nullif(a.original, 0)) < 1e-9) AS percents, count(*) = (SELECT count(*) FROM recall('person', release, '{region,sex,age}', '{job}', s, c, reading)) AS all_lengths
FROM unnest('{person_randomize,all_drawn,permuted,mondrian,copied}'::regclass[]) AS release, unnest('{antecedent,rule,any}'::text[]) AS reading, (VALUES (0.04, 0.2), (0.02, 0.5)) AS v (s, c),
	LATERAL sdc_association_recall(release, s, c, reading, NULL, '{region,sex,age}', '{job}') AS a LEFT JOIN LATERAL recall('person', release, '{region,sex,age}', '{job}', s, c, reading) AS r ON a.length IS NOT DISTINCT FROM r.length
GROUP BY release, reading, s, c ORDER BY release::text COLLATE "C", reading, s DESC;
SELECT * FROM sdc_association_recall('copied', 0.04, 0.2);
-- a release that draws one attribute keeps more of them than one that draws all
SELECT (SELECT recall_percent FROM sdc_association_recall('person_randomize', 0.04, 0.2) WHERE length IS NULL) > (SELECT recall_percent FROM sdc_association_recall('all_drawn', 0.04, 0.2) WHERE length IS NULL) AS more;
-- the catalog's attributes by default, in whatever order they are named
SELECT count(*) AS rows, count(*) FILTER (WHERE a IS NOT DISTINCT FROM b) AS same FROM sdc_association_recall('permuted', 0.04, 0.2) AS a JOIN sdc_association_recall('permuted', 0.04, 0.2, 'antecedent', NULL, '{age,sex,region}', '{job}') AS b ON a.length IS NOT DISTINCT FROM b.length;
-- swapping knows its own columns: the others are copied, and sensitive where they are classified
SELECT a.length, a.original = r.original_rules AND a.recovered = r.recovered AND a.artificial = r.artificial AS same FROM sdc_association_recall('swapped', 0.04, 0.1) AS a LEFT JOIN recall('person', 'swapped', '{age}', '{job}', 0.04, 0.1, 'antecedent') AS r ON a.length IS NOT DISTINCT FROM r.length ORDER BY 1;
-- several sensitive columns
SELECT a.length, a.original = r.original_rules AND a.recovered = r.recovered AND a.artificial = r.artificial AS same FROM sdc_association_recall('person_randomize', 0.04, 0.1, 'rule', NULL, '{region,sex}', '{age,job}') AS a LEFT JOIN recall('person', 'person_randomize', '{region,sex}', '{age,job}', 0.04, 0.1, 'rule') AS r ON a.length IS NOT DISTINCT FROM r.length ORDER BY 1;

-- A generalized release has the values that all records of a group share; the others are unknown.
SELECT count(*) FROM sdc_generalize('person', '{region,sex,age}', '{job}', k => 4, target => 'ranges');
CREATE TABLE certain AS SELECT id, CASE WHEN cardinality(region) = 1 THEN region[1] END AS region, CASE WHEN cardinality(sex) = 1 THEN sex[1] END AS sex, CASE WHEN upper(age) - lower(age) = 1 THEN lower(age) END AS age, job FROM ranges;
SELECT count(region) BETWEEN 1 AND 99 AS some, count(age) BETWEEN 1 AND 99 AS ages FROM certain;
SELECT reading, a.length, a.original = r.original_rules AND a.recovered = r.recovered AND a.artificial = r.artificial AS same
FROM unnest('{antecedent,rule,any}'::text[]) AS reading, LATERAL sdc_association_recall('ranges', 0.04, 0.2, reading) AS a LEFT JOIN LATERAL recall('person', 'certain', '{region,sex,age}', '{job}', 0.04, 0.2, reading) AS r ON a.length IS NOT DISTINCT FROM r.length ORDER BY 1, 2;
SELECT count(*) FROM sdc_generalize('person', '{region,sex,age}', '{job}', k => 1, target => 'exact');
SELECT original > 20 AS many, recovered = original AS all_of_them, artificial FROM sdc_association_recall('exact', 0.04, 0.2) WHERE length IS NULL;

-- The rules themselves: those of either file, with what each says of them; as many as are counted, up to a length.
CREATE FUNCTION changes(original regclass, release regclass, qi name[], sensitive name[], min_support float8, min_confidence float8, reading text) RETURNS TABLE (change text, antecedent jsonb, consequent jsonb, length int, os float8, oc float8, ps float8, pc float8) LANGUAGE sql STABLE AS $$
	SELECT CASE WHEN r.length IS NULL THEN 'lost' WHEN o.length IS NULL THEN 'new' ELSE 'kept' END, antecedent, consequent, coalesce(o.length, r.length), o.support, o.confidence, r.support, r.confidence
	FROM sdc_associations(original, qi, sensitive, min_support, min_confidence, reading => reading) AS o FULL JOIN sdc_associations(release, qi, sensitive, min_support, min_confidence, reading => reading) AS r USING (antecedent, consequent)
$$;
SELECT release, reading, count(*) FILTER (WHERE c.change = 'kept') AS kept, count(*) FILTER (WHERE c.change = 'lost') AS lost, count(*) FILTER (WHERE c.change = 'new') AS new, count(*) FILTER (WHERE c.change IS DISTINCT FROM e.change OR c.length <> e.length OR c.original_support IS DISTINCT FROM e.os OR c.original_confidence IS DISTINCT FROM e.oc OR c.protected_support IS DISTINCT FROM e.ps OR c.protected_confidence IS DISTINCT FROM e.pc) AS wrong
FROM (VALUES ('person_randomize'::regclass, 'person_randomize'::regclass), ('permuted', 'permuted'), ('copied', 'copied'), ('ranges', 'certain')) AS v (release, seen), unnest('{antecedent,rule,any}'::text[]) AS reading,
	LATERAL sdc_association_changes(release, 0.04, 0.2, reading, NULL, '{region,sex,age}', '{job}') AS c FULL JOIN LATERAL changes('person', seen, '{region,sex,age}', '{job}', 0.04, 0.2, reading) AS e USING (antecedent, consequent) GROUP BY release, reading ORDER BY release::text COLLATE "C", reading;
SELECT reading, most, bool_and(c.kept = r.recovered AND c.kept + c.lost = r.original AND c.new = r.artificial) AS as_counted, count(*) AS lengths
FROM unnest('{antecedent,rule,any}'::text[]) AS reading, unnest('{1,2,NULL}'::int[]) AS most, LATERAL sdc_association_recall('person_randomize', 0.02, 0.1, reading, most) AS r,
	LATERAL (SELECT count(*) FILTER (WHERE change = 'kept') AS kept, count(*) FILTER (WHERE change = 'lost') AS lost, count(*) FILTER (WHERE change = 'new') AS new FROM sdc_association_changes('person_randomize', 0.02, 0.1, reading, most) WHERE length = r.length OR r.length IS NULL) AS c GROUP BY reading, most ORDER BY reading, most;
-- those of one length together, in an order that does not change
SELECT bool_and(length >= before) AS by_length, count(*) = count(DISTINCT (antecedent, consequent)) AS once FROM (SELECT *, lag(length, 1, 0) OVER (ORDER BY n) AS before FROM sdc_association_changes('person_randomize', 0.02, 0.1) WITH ORDINALITY AS c (change, antecedent, consequent, length, os, oc, ps, pc, n)) AS c;
SELECT count(*) FILTER (WHERE a IS DISTINCT FROM b) AS different FROM sdc_association_changes('person_randomize') WITH ORDINALITY AS a (change, antecedent, consequent, length, os, oc, ps, pc, n) FULL JOIN sdc_association_changes('person_randomize', qi => '{age,sex,region}') WITH ORDINALITY AS b (change, antecedent, consequent, length, os, oc, ps, pc, n) USING (n);
SELECT * FROM sdc_association_changes('copied', 1, 1);
SELECT change, antecedent, consequent, length, original_support, round(original_confidence::numeric, 6) AS original_confidence, protected_support FROM sdc_association_changes('copied', 0.04, 0.28, max_length => 1);

-- No rules: no percentages, and no rows but the total.
SELECT * FROM sdc_association_recall('copied', 1, 1);
CREATE TABLE nothing_left AS SELECT id, 'x' AS region, 'y'::char(1) AS sex, 99 AS age, job FROM person;
SELECT sdc_register('person', 'nothing_left', '{region,sex,age}', '{id}', qi => '{region,sex,age}', sensitive => '{job}');
SELECT * FROM sdc_association_recall('nothing_left', 0.2, 0.2);
SELECT length, recovered, artificial FROM sdc_association_recall('nothing_left', 0.04, 0.1);

-- The view: by the settings.
SELECT release, method, v.length, v.original = f.original AND v.recovered = f.recovered AND v.artificial = f.artificial AS as_the_function, problem
FROM sdc_association_recall AS v LEFT JOIN LATERAL sdc_association_recall(release) AS f ON f.length IS NOT DISTINCT FROM v.length WHERE source = 'person'::regclass AND (v.length IS NULL OR release = 'ranges'::regclass) ORDER BY release::text COLLATE "C", v.length;
SET sdc.association_min_support = 0.04;
SET sdc.association_min_confidence = 0.2;
SELECT v.original, f.original AS function, v.original = g.original AS given FROM sdc_association_recall AS v, sdc_association_recall('permuted') AS f, sdc_association_recall('permuted', 0.04, 0.2) AS g WHERE v.release = 'permuted'::regclass AND num_nulls(v.length, f.length, g.length) = 3;
RESET sdc.association_min_support;
RESET sdc.association_min_confidence;

-- What is refused.
\pset tuples_only on
SELECT c, helper.catch('SELECT * FROM ' || c) FROM unnest(ARRAY[$$sdc_frequent_itemsets(NULL)$$, $$sdc_frequent_itemsets('person', '{}')$$, $$sdc_frequent_itemsets('person', '{nothing}')$$, $$sdc_frequent_itemsets('person', '{age,age}')$$, $$sdc_frequent_itemsets('person', '{ctid}')$$, $$sdc_frequent_itemsets('person', min_support => -0.01)$$,
	$$sdc_frequent_itemsets('person', min_support => 1.01)$$, $$sdc_frequent_itemsets('person', min_support => 'NaN')$$, $$sdc_frequent_itemsets('person', min_support => 'Infinity')$$, $$sdc_frequent_itemsets('person', max_length => 0)$$, $$sdc_frequent_itemsets('person', max_length => -1)$$, $$sdc_frequent_itemsets('person_pkey')$$,
	$$sdc_associations('person', NULL, '{job}')$$, $$sdc_associations('person', '{}', '{job}')$$, $$sdc_associations('person', '{age}', NULL)$$, $$sdc_associations('person', '{age}', '{}')$$, $$sdc_associations('person', '{age,job}', '{job}')$$, $$sdc_associations('person', '{age}', '{nothing}')$$, $$sdc_associations('person', '{nothing}', '{job}')$$,
	$$sdc_associations('person', '{age}', '{job}', 2)$$, $$sdc_associations('person', '{age}', '{job}', 0.1, -1)$$, $$sdc_associations('person', '{age}', '{job}', 0.1, 'NaN')$$, $$sdc_associations('person', '{age}', '{job}', max_length => 0)$$, $$sdc_associations('person', '{age}', '{job}', reading => NULL)$$, $$sdc_associations('person', '{age}', '{job}', reading => 'other')$$,
	$$sdc_association_recall('permuted', max_length => 0)$$, $$sdc_association_changes(NULL)$$, $$sdc_association_changes('person')$$, $$sdc_association_changes('permuted', 1.5)$$, $$sdc_association_changes('permuted', reading => NULL)$$, $$sdc_association_changes('permuted', max_length => 0)$$, $$sdc_association_changes('permuted', qi => '{nothing}')$$, $$sdc_association_changes('permuted', sensitive => '{}')$$, $$sdc_association_recall(NULL)$$, $$sdc_association_recall('person')$$, $$sdc_association_recall('permuted', 1.5)$$, $$sdc_association_recall('permuted', min_confidence => 1.5)$$, $$sdc_association_recall('permuted', reading => 'Rule')$$, $$sdc_association_recall('permuted', reading => NULL)$$, $$sdc_association_recall('permuted', qi => '{nothing}')$$,
	$$sdc_association_recall('permuted', qi => '{id}')$$, $$sdc_association_recall('permuted', sensitive => '{}')$$, $$sdc_association_recall('permuted', qi => '{age}', sensitive => '{age}')$$]) AS c;
CREATE TABLE unordered AS SELECT 1 AS a, '{}'::json AS j;
SELECT helper.catch($$SELECT FROM sdc_frequent_itemsets('unordered', '{a,j}')$$), itemset, records FROM sdc_frequent_itemsets('unordered');
SELECT helper.catch($$SET sdc.association_min_support = 1.1$$), helper.catch($$SET sdc.association_min_confidence = -0.1$$), helper.catch($$SET sdc.association_min_support = 'NaN'$$), helper.catch($$SET sdc.something_else = 1$$);
\pset tuples_only off

--
-- comparison_rights
--
-- Protecting and comparing with the caller's rights and no other; relations that changed; and the
-- reasons in the views, which never fail for one release.
--
\pset format unaligned
\pset footer off
CREATE ROLE regress_sdc_keeper;
CREATE ROLE regress_sdc_auditor;
CREATE ROLE regress_sdc_partial;
CREATE ROLE regress_sdc_released;
CREATE ROLE regress_sdc_stranger;
CREATE ROLE regress_sdc_part_of_rows;
CREATE SCHEMA compared AUTHORIZATION regress_sdc_keeper;
GRANT USAGE ON SCHEMA compared, helper TO PUBLIC;
SELECT helper.make_people('compared.person', 120);
ALTER TABLE compared.person OWNER TO regress_sdc_keeper;
SET ROLE regress_sdc_keeper;
SET search_path = compared, public;
SELECT count(*) FROM sdc_randomize('person', '{region,age}', seed => 1);
SELECT count(*) FROM sdc_generalize('person', '{region,age}', '{job}', l => 3);
SELECT count(*) FROM sdc_permute('person', '{region,age}', '{job}', l => 3, seed => 1);

-- tried and tried_source call every function, and
-- look into the views, with some owners trusted; try and try_source do so trusting nobody, and the owner here.
CREATE FUNCTION compared.tried(release text, owners text) RETURNS TABLE (functions text, result text) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('sdc.trusted_owners', owners, true);
	RETURN QUERY SELECT string_agg(f, ' ' ORDER BY i), r
	FROM (SELECT f, i, helper.catch(format('SELECT FROM sdc_%s', format(c, to_regclass(release)::oid))) AS r
		FROM (VALUES ('query_errors', 'query_errors(%s, 10, 1, ''{region,age}'', ''{job}'')', 1), ('association_recall', 'association_recall(%s, qi => ''{region,age}'', sensitive => ''{job}'')', 2), ('inference_risk', 'inference_risk(%s)', 3),
			('compare', 'compare(%s, condition => ''age > 30'')', 4)) AS v (f, c, i)) AS c
	GROUP BY r
	UNION ALL
	SELECT string_agg(v || ' ' || helper.rows(format('SELECT FROM %s WHERE release = %s AND coalesce(%s) IS NULL', v, to_regclass(release)::oid, CASE WHEN v = 'sdc_releases' THEN 'NULL::text' ELSE 'problem' END)), ', ' ORDER BY i), NULL
	FROM unnest('{sdc_releases,sdc_query_errors,sdc_association_recall}'::text[]) WITH ORDINALITY AS u (v, i);
END
$$;
CREATE FUNCTION compared.tried_source(owners text) RETURNS TABLE (functions text, result text) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('sdc.trusted_owners', owners, true);
	RETURN QUERY SELECT string_agg(split_part(c, '(', 1), ' ' ORDER BY i), r
	FROM (SELECT c, i, helper.catch('SELECT FROM sdc_' || c) AS r FROM unnest(ARRAY[$q$probabilistic_anonymity('compared.person', '{region,age}')$q$, $q$support_bias('compared.person', '{region,age}', '{"region": "north"}')$q$, $q$chi_square('compared.person', '{region,age}')$q$,
		$q$frequent_itemsets('compared.person', '{region,age}')$q$, $q$associations('compared.person', '{region}', '{age}')$q$, $q$kanonymity('compared.person', '{region,age}')$q$, $q$ldiversity('compared.person', '{region}', '{age}')$q$]) WITH ORDINALITY AS u (c, i)) AS c GROUP BY r;
END
$$;
CREATE FUNCTION compared.try(release text) RETURNS TABLE (trusted text, functions text, result text) LANGUAGE sql AS $$
	SELECT string_agg(w.trusted, ' or ' ORDER BY w.trusted DESC), t.functions, t.result
	FROM (VALUES ('nobody', ''), ('keeper', 'regress_sdc_keeper')) AS w (trusted, owners), LATERAL compared.tried(release, w.owners) AS t
	GROUP BY t.functions, t.result ORDER BY t.result IS NULL, 1 DESC, t.functions COLLATE "C"
$$;
CREATE FUNCTION compared.try_source() RETURNS TABLE (trusted text, functions text, result text) LANGUAGE sql AS $$
	SELECT string_agg(w.trusted, ' or ' ORDER BY w.trusted DESC), t.functions, t.result
	FROM (VALUES ('nobody', ''), ('keeper', 'regress_sdc_keeper')) AS w (trusted, owners), LATERAL compared.tried_source(w.owners) AS t
	GROUP BY t.functions, t.result ORDER BY 1 DESC, t.functions COLLATE "C"
$$;
\pset tuples_only on

-- The owner; both tables; the source alone; the release alone; nothing.  Plain tables are read with their
-- owner's rights if he is not trusted, but not for a condition of the caller's own, nor in a view of all releases.
SELECT r, t.* FROM unnest('{compared.person_randomize,compared.person_generalize,compared.person_permute}'::text[]) AS r, LATERAL compared.try(r) AS t;
SELECT * FROM compared.try_source();
GRANT SELECT ON person, person_randomize, person_generalize, person_permute TO regress_sdc_auditor;
GRANT SELECT ON person_randomize, person_permute TO regress_sdc_released;
GRANT SELECT ON person TO regress_sdc_partial;
SET ROLE regress_sdc_auditor;
SELECT * FROM compared.try('compared.person_randomize');
SELECT * FROM compared.try_source();
SELECT DISTINCT release, problem FROM sdc_query_errors WHERE release = 'compared.person_randomize'::regclass;
SELECT release, problem FROM sdc_association_recall WHERE release = 'compared.person_randomize'::regclass;
SET ROLE regress_sdc_partial;
SELECT * FROM compared.try('compared.person_randomize');
SET ROLE regress_sdc_released;
SELECT * FROM compared.try('compared.person_randomize');
SELECT * FROM compared.try_source();
SET ROLE regress_sdc_stranger;
SELECT * FROM compared.try('compared.person_randomize');
SELECT * FROM compared.try_source();

-- Some columns are enough for what needs them.
SET ROLE regress_sdc_keeper;
REVOKE SELECT ON person FROM regress_sdc_partial;
GRANT SELECT (id, region, age) ON person TO regress_sdc_partial;
GRANT SELECT (id, region, age) ON person_randomize TO regress_sdc_partial;
SET ROLE regress_sdc_partial;
SELECT * FROM compared.try_source();
SELECT * FROM compared.try('compared.person_randomize');
SELECT helper.catch($$SELECT FROM sdc_query_errors('compared.person_randomize', 10, qi => '{age}', sensitive => '{}')$$), helper.catch($$SELECT FROM sdc_associations('compared.person', '{region}', '{job}')$$), helper.catch($$SELECT FROM sdc_frequent_itemsets('compared.person')$$);
-- protecting reads all columns that are copied, and writes where the caller may
SELECT helper.catch($$SELECT FROM sdc_randomize('compared.person', '{age}', target => 'pg_temp.mine')$$);
SELECT helper.catch($$SELECT FROM sdc_randomize('compared.person', '{age}', target => 'pg_temp.mine', omit => '{sex,income,weight,savings,born,job}', seed => 1)$$);
SELECT helper.catch($$SELECT FROM sdc_generalize('compared.person', '{age}', '{job}', l => 2, target => 'pg_temp.mine_2', omit => '{sex,income,weight,savings,born}')$$);
SET ROLE regress_sdc_stranger;
SELECT helper.catch(c) FROM unnest(ARRAY[$$SELECT FROM sdc_randomize('compared.person', '{age}', target => 'pg_temp.mine')$$, $$SELECT FROM sdc_generalize('compared.person', '{age}', k => 2, target => 'pg_temp.mine')$$, $$SELECT FROM sdc_permute('compared.person', '{age}', '{job}', l => 2, target => 'pg_temp.mine')$$,
	$$SELECT FROM sdc_randomize(NULL::compared.person, '{age}')$$, $$SELECT FROM sdc_permute(NULL::compared.person, '{age}', '{job}', l => 2)$$]) AS c;
SET ROLE regress_sdc_auditor;
SELECT helper.catch(c) FROM unnest(ARRAY[$$SELECT FROM sdc_randomize('compared.person', '{age}')$$, $$SELECT FROM sdc_generalize('compared.person', '{age}', k => 2)$$, $$SELECT FROM sdc_permute('compared.person', '{age}', '{job}', l => 2)$$,
	$$SELECT FROM sdc_randomize('compared.person', '{age}', draws => 1, replace => true)$$, $$SELECT FROM sdc_permute('compared.person', '{age}', '{job}', l => 2, replace => true)$$]) AS c;

-- Row security: who sees other rows than the release was made from cannot measure it, but makes
-- releases of his own.
SET ROLE regress_sdc_keeper;
GRANT SELECT ON person, person_randomize TO regress_sdc_part_of_rows;
CREATE POLICY north ON person FOR SELECT TO regress_sdc_part_of_rows USING (region IN ('north', 'east'));
ALTER TABLE person ENABLE ROW LEVEL SECURITY;
SET ROLE regress_sdc_part_of_rows;
SELECT * FROM compared.try('compared.person_randomize');
SELECT * FROM compared.try_source();
SELECT helper.catch(c) FROM unnest(ARRAY[$$SELECT FROM sdc_randomize('compared.person', '{age}', target => 'pg_temp.own')$$, $$SELECT FROM sdc_permute(NULL::compared.person, '{age}', '{job}', l => 2)$$]) AS c;
SET sdc.trusted_owners = 'regress_sdc_keeper';
SELECT sum(records) < 120 AS fewer, bool_and(itemset ->> 'region' IN ('north', 'east')) AS own FROM sdc_frequent_itemsets('compared.person', '{region}', 0);
SELECT groups AS regions FROM sdc_kanonymity('compared.person', '{region}');
SELECT max(records) < 120 AS fewer FROM sdc_randomize('compared.person', '{region,age}', draws => 2, target => 'pg_temp.own', seed => 1);
SELECT count(*) FILTER (WHERE region NOT IN ('north', 'east')) AS of_others FROM pg_temp.own;
SELECT * FROM compared.try('pg_temp.own');
SELECT count(*) < 120 AS fewer, count(*) FILTER (WHERE job IS NOT NULL) > 10 AS some FROM sdc_permute(NULL::compared.person, '{age}', '{job}', l => 2, force => true, seed => 1);
SET row_security = off;
SELECT helper.catch($$SELECT FROM sdc_randomize('compared.person', '{age}', target => 'pg_temp.own_2')$$), helper.catch($$SELECT FROM sdc_query_errors('compared.person_randomize')$$);
RESET row_security;
RESET sdc.trusted_owners;
SET ROLE regress_sdc_keeper;
ALTER TABLE person DISABLE ROW LEVEL SECURITY;

-- Changed relations: errors by the functions, problems in the views, which show the others.
CREATE FUNCTION problems() RETURNS TABLE (release text, query_errors text, recall text, score text) LANGUAGE sql AS $$
	SELECT r.release::text, (SELECT string_agg(DISTINCT coalesce(problem, 'measured'), ', ') FROM sdc_query_errors AS v WHERE v.release = r.release), (SELECT string_agg(DISTINCT coalesce(problem, 'measured'), ', ') FROM sdc_association_recall AS v WHERE v.release = r.release),
		(SELECT coalesce(problem, 'measured') FROM sdc_scores AS v WHERE v.release = r.release)
	FROM sdc_releases AS r WHERE r.release::text ~ '^(person|changed)' ORDER BY 1
$$;
SET sdc.query_workload = 20;
SELECT * FROM problems();
SELECT helper.catch(format('SELECT FROM sdc_%s(''person_generalize'')', f)) FROM unnest('{score,link_distance,link_probabilistic,information_loss,record_risk,disclosure_risk,interval_disclosure,baseline,inference_risk}'::text[]) AS f;
SELECT helper.catch($$SELECT FROM sdc_compare('person_generalize', condition => 'age > 1')$$);
-- a protected column of the source
BEGIN;
UPDATE person SET age = age + 1 WHERE id = 1;
SELECT helper.catch(format('SELECT FROM sdc_%s(%L)', f, r)) FROM unnest('{query_errors,association_recall}'::text[]) AS f, unnest('{person_randomize,person_generalize}'::text[]) AS r;
SELECT * FROM problems();
ROLLBACK;
-- a copied column that takes part: sensitive with randomization and generalization, quasi-identifier with permutation
BEGIN;
UPDATE person SET job = 'spy' WHERE id = 1;
SELECT helper.catch($$SELECT FROM sdc_query_errors('person_generalize')$$), helper.catch($$SELECT FROM sdc_query_errors('person_randomize', sensitive => '{job}')$$), helper.catch($$SELECT FROM sdc_query_errors('person_randomize', sensitive => '{sex}')$$), helper.catch($$SELECT FROM sdc_association_recall('person_generalize')$$);
ROLLBACK;
BEGIN;
UPDATE person SET region = 'moon' WHERE id = 1;
SELECT helper.catch($$SELECT FROM sdc_query_errors('person_permute')$$), helper.catch($$SELECT FROM sdc_query_errors('person_permute', qi => '{age}')$$), helper.catch($$SELECT FROM sdc_association_recall('person_permute')$$);
ROLLBACK;
-- records of the source and of the release
BEGIN;
DELETE FROM person WHERE id = 1;
SELECT * FROM problems();
ROLLBACK;
BEGIN;
DELETE FROM person_generalize WHERE id = 1;
UPDATE person_permute SET group_id = NULL WHERE id = 1;
SELECT * FROM problems();
ROLLBACK;
-- columns
BEGIN;
ALTER TABLE person_generalize DROP group_id;
DROP VIEW person_permute_qi, person_permute_sensitive;
ALTER TABLE person_permute ALTER age TYPE int;
ALTER TABLE person_randomize ALTER age TYPE int;
SELECT * FROM problems();
ROLLBACK;
BEGIN;
DROP VIEW person_permute_qi, person_permute_sensitive;
ALTER TABLE person_permute DROP job;
ALTER TABLE person_randomize DROP region;
SELECT * FROM problems();
ROLLBACK;
BEGIN;
ALTER TABLE person DROP job;
SELECT release, query_errors, recall FROM problems();
ROLLBACK;
BEGIN;
ALTER TABLE person RENAME age TO years;
SELECT release, query_errors, recall FROM problems();
ROLLBACK;
-- nothing to be sensitive
CREATE TABLE changed AS SELECT id, age FROM person;
SELECT count(*) FROM sdc_randomize('changed', '{age}', draws => 1, key => '{id}', seed => 1);
SELECT release, query_errors, recall FROM problems() WHERE release = 'changed_randomize';
-- the attacks measure random anonymization and permutation as any release of numbers
SELECT release, score FROM problems() WHERE release IN ('person_randomize', 'changed_randomize');
RESET sdc.query_workload;

-- Objects in front of the server's: nothing of them runs.
CREATE TEMP TABLE expected AS SELECT * FROM sdc_query_errors('person_generalize', 20, seed => 1);
CREATE FUNCTION compared.trap(text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'trapped in %', $1; END $$;
CREATE FUNCTION compared.eq(anyelement, anyelement) RETURNS boolean LANGUAGE sql AS $$ SELECT compared.trap('=') $$;
CREATE OPERATOR compared.= (LEFTARG = anyelement, RIGHTARG = anyelement, FUNCTION = compared.eq);
CREATE OPERATOR compared.< (LEFTARG = anyelement, RIGHTARG = anyelement, FUNCTION = compared.eq);
CREATE FUNCTION compared.stored_query_errors(regclass) RETURNS boolean LANGUAGE sql AS $$ SELECT compared.trap('internal') $$;
CREATE FUNCTION compared.count() RETURNS boolean LANGUAGE sql AS $$ SELECT compared.trap('count') $$;
CREATE VIEW compared.sdc_releases AS SELECT compared.trap('sdc_releases');
CREATE DOMAIN compared.int4 AS text;
CREATE TABLE compared.pg_rewrite (oid oid, ev_class oid);
CREATE TABLE compared.pg_depend (classid oid, objid oid, refobjid oid);
SET search_path = compared, public, pg_catalog;
SELECT pg_catalog.count(*) FROM (SELECT * FROM public.sdc_query_errors('person_generalize', 20, seed => 1) INTERSECT ALL SELECT * FROM pg_temp.expected) AS i;
SELECT pg_catalog.count(*) FROM public.sdc_association_recall('person_permute');
SELECT pg_catalog.count(*) FROM public.sdc_inference_risk('person_randomize');
SELECT pg_catalog.count(*) FROM public.sdc_support_bias('person', '{region,age}', '{"region": "north", "age": 30}');
SELECT pg_catalog.count(*) FROM public.sdc_permute('person', '{region,age}', '{job}', l => 3, seed => 1, replace => true);
SELECT pg_catalog.count(*) FROM public.sdc_permute('person', '{region,sex}', '{job}', l => 3, seed => 1, replace => true);
SELECT pg_catalog.sum(records) FROM person_permute_sensitive;
SELECT pg_catalog.count(*) FROM public.sdc_query_errors WHERE release OPERATOR(pg_catalog.=) 'person_permute'::pg_catalog.regclass AND problem IS NULL;
RESET search_path;

-- A view of all releases runs no functions of strangers.
RESET ROLE;
CREATE SCHEMA compared_own AUTHORIZATION regress_sdc_stranger;
GRANT USAGE ON SCHEMA compared_own TO PUBLIC;
SET ROLE regress_sdc_stranger;
CREATE TABLE compared_own.plain AS SELECT i AS id, i % 7 AS x, i % 3 AS y FROM generate_series(1, 30) AS i;
CREATE FUNCTION compared_own.spy(int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'run by %', CASE WHEN current_user ^@ 'regress_' THEN current_user ELSE 'a superuser' END; END $$;
CREATE VIEW compared_own.seen AS SELECT id, x, y FROM compared_own.plain;
SELECT count(*) FROM sdc_randomize('compared_own.seen', '{x}', draws => 1, key => '{id}', seed => 1);
CREATE OR REPLACE VIEW compared_own.seen AS SELECT id, compared_own.spy(x) AS x, y FROM compared_own.plain;
GRANT SELECT ON ALL TABLES IN SCHEMA compared_own TO PUBLIC;
RESET ROLE;
SELECT release, problem FROM sdc_query_errors WHERE release = 'compared_own.seen_randomize'::regclass;
SELECT release, problem FROM sdc_association_recall WHERE release = 'compared_own.seen_randomize'::regclass;
SELECT helper.catch($$SELECT FROM sdc_query_errors('compared_own.seen_randomize')$$);
SELECT helper.catch($$SELECT FROM sdc_frequent_itemsets('compared_own.seen', '{x}')$$), helper.catch($$SELECT FROM sdc_kanonymity('compared_own.seen', '{x}')$$), helper.catch($$SELECT FROM sdc_randomize('compared_own.seen', '{x}', key => '{id}', target => 'pg_temp.seen')$$);
-- nor does a condition of one's own, which cannot be read as somebody else, unless their owner is trusted
SELECT helper.catch($$SELECT FROM sdc_compare('compared_own.seen_randomize', condition => 'x > 1')$$);
SET sdc.trusted_owners = 'regress_sdc_stranger';
SELECT helper.catch($$SELECT FROM sdc_compare('compared_own.seen_randomize', condition => 'x > 1')$$);
RESET sdc.trusted_owners;

\pset tuples_only off
RESET ROLE;
DROP SCHEMA compared_own CASCADE;
DROP SCHEMA compared CASCADE;
REVOKE USAGE ON SCHEMA helper FROM PUBLIC;
DROP OWNED BY regress_sdc_keeper, regress_sdc_auditor, regress_sdc_partial, regress_sdc_released, regress_sdc_stranger, regress_sdc_part_of_rows;
DROP ROLE regress_sdc_keeper, regress_sdc_auditor, regress_sdc_partial, regress_sdc_released, regress_sdc_stranger, regress_sdc_part_of_rows;

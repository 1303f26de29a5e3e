--
-- attack_rights
--
-- Attacks and measures read source and release with the caller's rights, and nothing with any
-- other.
--
CREATE ROLE regress_sdc_keeper;
CREATE ROLE regress_sdc_auditor;
CREATE ROLE regress_sdc_partial;
CREATE ROLE regress_sdc_released;
CREATE ROLE regress_sdc_stranger;
CREATE ROLE regress_sdc_part_of_rows;
CREATE SCHEMA rights AUTHORIZATION regress_sdc_keeper;
GRANT USAGE ON SCHEMA rights TO PUBLIC;
GRANT USAGE ON SCHEMA helper TO PUBLIC;
SELECT helper.make_people('rights.person', 60);
ALTER TABLE rights.person OWNER TO regress_sdc_keeper;
SET ROLE regress_sdc_keeper;
SET search_path = rights, public;
SELECT attribute, action FROM sdc_rankswap('person', p => 10, columns => '{age,income,weight}', seed => 1) WHERE action <> 'copied';

-- tried calls every function and looks into
-- the views, with some owners trusted; try does so trusting nobody, and trusting the owners here.
CREATE FUNCTION rights.tried(release text, owners text) RETURNS TABLE (functions text, result text) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('sdc.trusted_owners', owners, true);
	RETURN QUERY SELECT string_agg(replace(f, 'sdc_', ''), ' ' ORDER BY i), r
	FROM (SELECT f, i, helper.catch(format('SELECT FROM %s(%s)', f, to_regclass(release)::oid)) AS r
		FROM unnest('{sdc_link_distance,sdc_link_probabilistic,sdc_link_rankswap,sdc_interval_disclosure,sdc_disclosure_risk,sdc_record_risk,sdc_information_loss,sdc_score,sdc_baseline}'::text[])
			WITH ORDINALITY AS u (f, i)) AS c
	GROUP BY r
	UNION ALL
	SELECT string_agg(v || ' ' || helper.rows(format('SELECT FROM %s WHERE release = %s', v, to_regclass(release)::oid)), ', ' ORDER BY i), NULL
	FROM unnest('{sdc_releases,sdc_scores,sdc_ru_map}'::text[]) WITH ORDINALITY AS u (v, i);
END
$$;
CREATE FUNCTION rights.try(release text) RETURNS TABLE (trusted text, functions text, result text) LANGUAGE sql AS $$
	SELECT string_agg(w.trusted, ' or ' ORDER BY w.trusted DESC), t.functions, t.result
	FROM (VALUES ('nobody', ''), ('keeper', 'regress_sdc_keeper, regress_sdc_part_of_rows')) AS w (trusted, owners),
		LATERAL rights.tried(release, w.owners) AS t
	GROUP BY t.functions, t.result ORDER BY t.result IS NULL, 1 DESC, t.functions COLLATE "C"
$$;
\pset format unaligned
\pset tuples_only on

-- The owner; all of both tables; the source alone; the release alone; nothing.  Plain tables are read with
-- their owner's rights if he is not trusted; in a view of all releases they are not read then.
SELECT * FROM rights.try('rights.person_rankswap');
GRANT SELECT ON person, person_rankswap TO regress_sdc_auditor;
GRANT SELECT ON person_rankswap TO regress_sdc_released;
SET ROLE regress_sdc_auditor;
SELECT * FROM rights.try('rights.person_rankswap');
SELECT release, score, problem FROM sdc_scores WHERE release = 'rights.person_rankswap'::regclass;
SET ROLE regress_sdc_released;
SELECT * FROM rights.try('rights.person_rankswap');
SET ROLE regress_sdc_stranger;
SELECT * FROM rights.try('rights.person_rankswap');
-- a relation that is no release tells no more than that
SELECT helper.catch($$SELECT FROM sdc_score('rights.person')$$);
SET ROLE regress_sdc_keeper;
REVOKE SELECT ON person_rankswap FROM regress_sdc_auditor;
SET ROLE regress_sdc_auditor;
SELECT * FROM rights.try('rights.person_rankswap');

-- Some columns: key and protected columns of both are needed, and enough.
SET ROLE regress_sdc_keeper;
GRANT SELECT (id, age, income) ON person TO regress_sdc_partial;
GRANT SELECT (id, age, income, weight) ON person_rankswap TO regress_sdc_partial;
SET ROLE regress_sdc_partial;
SELECT * FROM rights.try('rights.person_rankswap');
-- one known attribute does not need less, as the source is compared as a whole
SELECT helper.catch($$SELECT FROM sdc_link_distance('rights.person_rankswap', '{age}')$$);
SET ROLE regress_sdc_keeper;
GRANT SELECT (weight) ON person TO regress_sdc_partial;
REVOKE SELECT (income) ON person_rankswap FROM regress_sdc_partial;
SET ROLE regress_sdc_partial;
SELECT * FROM rights.try('rights.person_rankswap');
SET ROLE regress_sdc_keeper;
GRANT SELECT (income) ON person_rankswap TO regress_sdc_partial;
REVOKE SELECT (id) ON person FROM regress_sdc_partial;
SET ROLE regress_sdc_partial;
SELECT * FROM rights.try('rights.person_rankswap');
SET ROLE regress_sdc_keeper;
GRANT SELECT (id) ON person TO regress_sdc_partial;
SET ROLE regress_sdc_partial;
SELECT * FROM rights.try('rights.person_rankswap');
SELECT helper.catch($$SELECT region FROM rights.person$$);
-- the checksum confirms guesses of columns that one may not read: it stays unreadable, also for who may name it
SELECT helper.catch($$SELECT checksum FROM sdc_private.sdc_release_catalog$$);
RESET ROLE;
GRANT USAGE ON SCHEMA sdc_private TO regress_sdc_partial;
SET ROLE regress_sdc_partial;
SELECT helper.catch($$SELECT checksum FROM sdc_private.sdc_release_catalog$$), helper.catch($$SELECT * FROM sdc_private.sdc_release_catalog$$);
SELECT helper.catch($$SELECT FROM sdc_private.sdc_release_catalog WHERE checksum = ''$$), helper.catch($$SELECT FROM sdc_private.sdc_temporary_catalog$$), helper.catch($$SELECT FROM sdc_private.sdc_secret$$);
SELECT helper.catch($$SELECT c FROM sdc_private.sdc_release_catalog AS c$$);
RESET ROLE;
REVOKE USAGE ON SCHEMA sdc_private FROM regress_sdc_partial;

-- No access to the schema of the source or of the release.
CREATE SCHEMA rights_closed AUTHORIZATION regress_sdc_keeper;
SET ROLE regress_sdc_keeper;
CREATE TABLE rights_closed.t AS SELECT i AS id, i * 7 % 20 AS a FROM generate_series(1, 20) AS i;
SELECT count(*) FROM sdc_rankswap('rights_closed.t', p => 5, key => '{id}', target => 'rights.open', seed => 1);
GRANT SELECT ON rights_closed.t, rights.open TO regress_sdc_auditor;
SET ROLE regress_sdc_auditor;
SELECT * FROM rights.try('rights.open');

-- Row security: of the source.  Policies run with the rights of whoever reads, who must trust their owner;
-- and who does not see all of it does not see what it was.
SET ROLE regress_sdc_keeper;
GRANT SELECT ON person, person_rankswap TO regress_sdc_part_of_rows;
SET ROLE regress_sdc_part_of_rows;
SELECT * FROM rights.try('rights.person_rankswap');
SET ROLE regress_sdc_keeper;
CREATE POLICY north ON person FOR SELECT TO regress_sdc_part_of_rows USING (region = 'north');
CREATE POLICY every ON person FOR SELECT TO regress_sdc_partial USING (true);
ALTER TABLE person ENABLE ROW LEVEL SECURITY;
SELECT * FROM rights.try('rights.person_rankswap');
SET ROLE regress_sdc_part_of_rows;
SELECT * FROM rights.try('rights.person_rankswap');
SET ROLE regress_sdc_keeper;
ALTER TABLE person DISABLE ROW LEVEL SECURITY;
-- of the release: fewer records than the source has
CREATE POLICY north ON person_rankswap FOR SELECT TO regress_sdc_part_of_rows USING (region = 'north');
ALTER TABLE person_rankswap ENABLE ROW LEVEL SECURITY;
SET ROLE regress_sdc_part_of_rows;
SELECT * FROM rights.try('rights.person_rankswap');
SET row_security = off;
SELECT helper.catch($$SELECT FROM sdc_score('rights.person_rankswap')$$);
SET sdc.trusted_owners = 'regress_sdc_keeper';
SELECT helper.catch($$SELECT FROM sdc_score('rights.person_rankswap')$$);
RESET row_security;
SET ROLE regress_sdc_keeper;
ALTER TABLE person_rankswap DISABLE ROW LEVEL SECURITY;
-- a release that somebody made of the rows that he sees is his to evaluate
ALTER TABLE person ENABLE ROW LEVEL SECURITY;
RESET ROLE;
CREATE SCHEMA rights_north AUTHORIZATION regress_sdc_part_of_rows;
GRANT USAGE ON SCHEMA rights_north TO PUBLIC;
SET ROLE regress_sdc_part_of_rows;
SET sdc.trusted_owners = '';
SELECT helper.catch($$SELECT FROM sdc_rankswap('rights.person', p => 5, columns => '{age,income}', target => 'rights_north.released')$$);
SET sdc.trusted_owners = 'regress_sdc_keeper';
SELECT max(records) < 60 AS fewer FROM sdc_rankswap('rights.person', p => 20, columns => '{age,income}', target => 'rights_north.released', seed => 1);
RESET sdc.trusted_owners;
SELECT * FROM rights.try('rights_north.released');
GRANT SELECT ON rights_north.released TO regress_sdc_keeper, regress_sdc_partial;
-- the owner of the source sees other rows than it was made from
SET ROLE regress_sdc_keeper;
SELECT * FROM rights.try('rights_north.released');
ALTER TABLE person DISABLE ROW LEVEL SECURITY;

-- A view as the source: its owner's rights count below it, the caller's above, and those are its functions'.
CREATE VIEW young AS SELECT id, age, weight FROM person WHERE age < 50;
SELECT count(*) FROM sdc_rankswap('young', key => '{id}', p => 10, seed => 1);
GRANT SELECT ON young, young_rankswap TO regress_sdc_released;
SET ROLE regress_sdc_released;
SELECT * FROM rights.try('rights.young_rankswap');
SELECT helper.catch('SELECT FROM rights.person');
-- who has the owner's rights anyway reads with those
RESET ROLE;
GRANT regress_sdc_keeper TO regress_sdc_stranger;
SET ROLE regress_sdc_stranger;
SELECT * FROM rights.try('rights.young_rankswap');
RESET ROLE;
REVOKE regress_sdc_keeper FROM regress_sdc_stranger;
SET ROLE regress_sdc_keeper;
ALTER VIEW young SET (security_invoker = true);
SET ROLE regress_sdc_released;
SELECT * FROM rights.try('rights.young_rankswap');
SET ROLE regress_sdc_keeper;
ALTER VIEW young RESET (security_invoker);

-- Execution: of the functions themselves, as an administrator may wish.
RESET ROLE;
REVOKE EXECUTE ON FUNCTION sdc_record_risk(regclass, name[], bigint, "any", name[], int, boolean) FROM PUBLIC;
SET ROLE regress_sdc_keeper;
SELECT helper.catch($$SELECT FROM sdc_record_risk('rights.person_rankswap')$$);
RESET ROLE;
GRANT EXECUTE ON FUNCTION sdc_record_risk(regclass, name[], bigint, "any", name[], int, boolean) TO PUBLIC;

-- Objects that a caller puts in front of the server's: nothing of them runs, results are the same.
SET search_path = public;
SET ROLE regress_sdc_keeper;
CREATE TEMP TABLE expected AS SELECT * FROM sdc_disclosure_risk('rights.person_rankswap');
CREATE TEMP TABLE expected_map AS SELECT people_found, dr, loss, on_frontier FROM sdc_ru_map WHERE source = 'rights.person'::regclass;
SELECT (SELECT count(*) FROM expected) AS expected, (SELECT count(*) FROM expected_map) AS expected_map;
CREATE FUNCTION rights.trap(text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'trapped in %', $1; END $$;
CREATE FUNCTION rights.oideq(oid, oid) RETURNS boolean LANGUAGE sql AS $$ SELECT rights.trap('oideq') $$;
CREATE FUNCTION rights.eq(anyelement, anyelement) RETURNS boolean LANGUAGE sql AS $$ SELECT rights.trap('=') $$;
CREATE OPERATOR rights.= (LEFTARG = anyelement, RIGHTARG = anyelement, FUNCTION = rights.eq);
CREATE FUNCTION rights.eq(float8, float8) RETURNS boolean LANGUAGE sql AS $$ SELECT rights.trap('float8 comparison') $$;
CREATE OPERATOR rights.<= (LEFTARG = float8, RIGHTARG = float8, FUNCTION = rights.eq);
CREATE OPERATOR rights.>= (LEFTARG = float8, RIGHTARG = float8, FUNCTION = rights.eq);
CREATE OPERATOR rights.< (LEFTARG = anyelement, RIGHTARG = anyelement, FUNCTION = rights.eq);
CREATE FUNCTION rights.has_any_column_privilege(oid, text) RETURNS boolean LANGUAGE sql AS $$ SELECT rights.trap('has_any_column_privilege') $$;
CREATE FUNCTION rights.row_security_active(oid) RETURNS boolean LANGUAGE sql AS $$ SELECT rights.trap('row_security_active') $$;
CREATE FUNCTION rights.min(float8) RETURNS float8 LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'trapped'; END $$;
CREATE FUNCTION rights.stored_score(regclass) RETURNS boolean LANGUAGE sql AS $$ SELECT rights.trap('stored_score') $$;
CREATE TABLE rights.sdc_release_catalog (release regclass, source regclass);
CREATE VIEW rights.sdc_releases AS SELECT rights.trap('sdc_releases');
CREATE TABLE rights.pg_class (oid oid, reltype oid);
CREATE DOMAIN rights.int8 AS text;
CREATE DOMAIN rights.float8 AS text;
SET search_path = rights, public, pg_catalog;
SELECT count(*) FROM (SELECT * FROM public.sdc_disclosure_risk('rights.person_rankswap') INTERSECT ALL SELECT * FROM pg_temp.expected) AS i;
SELECT count(*) FROM public.sdc_link_distance('rights.person_rankswap');
SELECT count(*) FROM public.sdc_link_rankswap('rights.person_rankswap', 10.0::pg_catalog.float8, '{age}', 'union');
SELECT count(*) FROM public.sdc_link_probabilistic('rights.person_rankswap', assignment => 'one-to-one');
SELECT count(*) FROM public.sdc_record_risk('rights.person_rankswap');
SELECT count(*) FROM public.sdc_information_loss('rights.person_rankswap');
SELECT count(*) FROM public.sdc_baseline('rights.person_rankswap', seed => 1);
SELECT count(*) FROM public.sdc_summary('rights.person_rankswap');
SELECT pg_catalog.strpos(public.sdc_report('rights.person_rankswap'), '<h2>Risk</h2>') OPERATOR(pg_catalog.>) 0;
SELECT count(*) FROM (SELECT people_found, dr, loss, on_frontier FROM public.sdc_ru_map WHERE source OPERATOR(pg_catalog.=) 'rights.person'::pg_catalog.regclass INTERSECT ALL SELECT * FROM pg_temp.expected_map) AS i;
SELECT problem FROM public.sdc_scores WHERE release OPERATOR(pg_catalog.=) 'rights.person_rankswap'::pg_catalog.regclass;
RESET search_path;

-- A view of all releases reads what others have registered; their functions must not run with
-- the rights of whoever looks.
RESET ROLE;
CREATE SCHEMA rights_own AUTHORIZATION regress_sdc_stranger;
GRANT USAGE ON SCHEMA rights_own TO PUBLIC;
SET ROLE regress_sdc_stranger;
CREATE TABLE rights_own.plain AS SELECT i AS id, i * 7 % 31 AS x FROM generate_series(1, 20) AS i;
CREATE FUNCTION rights_own.spy(int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'run by %', CASE WHEN current_user ^@ 'regress_' THEN current_user ELSE 'a superuser' END; END $$;
CREATE VIEW rights_own.seen AS SELECT id, x FROM rights_own.plain;
CREATE TABLE rights_own.copied AS SELECT * FROM rights_own.plain;
SELECT sdc_register('rights_own.seen', 'rights_own.copied', '{x}', '{id}');
CREATE OR REPLACE VIEW rights_own.seen AS SELECT id, rights_own.spy(x) AS x FROM rights_own.plain;
GRANT SELECT ON ALL TABLES IN SCHEMA rights_own TO PUBLIC;
RESET ROLE;
SELECT release, score, problem FROM sdc_scores WHERE release = 'rights_own.copied'::regclass;
SELECT count(*) FROM sdc_ru_map WHERE source = 'rights_own.seen'::regclass;
SELECT helper.catch($$SELECT FROM sdc_score('rights_own.copied')$$);
-- a superuser who names the release lends them if he says so, and to nobody else
SELECT set_config('sdc.trusted_owners', owners, false), helper.catch($$SELECT FROM sdc_score('rights_own.copied')$$) FROM unnest('{regress_sdc_keeper,regress_sdc_stranger,*}'::text[]) AS owners;
RESET sdc.trusted_owners;
-- what a superuser owns is read, if all below it is a superuser's too
ALTER VIEW rights_own.seen OWNER TO CURRENT_USER;
CREATE OR REPLACE VIEW rights_own.seen AS SELECT id, x FROM rights_own.plain;
SELECT release, score, problem FROM sdc_scores WHERE release = 'rights_own.copied'::regclass;
ALTER TABLE rights_own.plain OWNER TO CURRENT_USER;
SELECT release, score, problem FROM sdc_scores WHERE release = 'rights_own.copied'::regclass;
ALTER TABLE rights_own.copied OWNER TO CURRENT_USER;
SELECT release, score IS NOT NULL AS scored, problem FROM sdc_scores WHERE release = 'rights_own.copied'::regclass;
-- row security: policies are functions too
CREATE OR REPLACE VIEW rights_own.seen AS SELECT id, x FROM rights_own.plain;
SELECT sdc_unregister('rights_own.copied');
SELECT sdc_register('rights_own.plain', 'rights_own.copied', '{x}', '{id}');
ALTER TABLE rights_own.plain ENABLE ROW LEVEL SECURITY;
CREATE POLICY look ON rights_own.plain USING (rights_own.spy(x) > 0);
SET ROLE regress_sdc_keeper;
SELECT release, score, problem FROM sdc_scores WHERE release = 'rights_own.copied'::regclass;

-- Without any right there is no message about memory, which would tell the number of records.
RESET ROLE;
REVOKE ALL ON ALL TABLES IN SCHEMA rights_own FROM PUBLIC;
SET ROLE regress_sdc_keeper;
SET maintenance_work_mem = '1MB';
SELECT helper.catch($$SELECT FROM sdc_score('rights_own.copied')$$);
RESET maintenance_work_mem;

\pset format aligned
\pset tuples_only off
RESET ROLE;
DROP SCHEMA rights CASCADE;
DROP SCHEMA rights_own CASCADE;
DROP SCHEMA rights_closed CASCADE;
DROP SCHEMA rights_north CASCADE;
REVOKE USAGE ON SCHEMA helper FROM PUBLIC;
DROP OWNED BY regress_sdc_keeper, regress_sdc_auditor, regress_sdc_partial, regress_sdc_released, regress_sdc_stranger, regress_sdc_part_of_rows;
DROP ROLE regress_sdc_keeper, regress_sdc_auditor, regress_sdc_partial, regress_sdc_released, regress_sdc_stranger, regress_sdc_part_of_rows;

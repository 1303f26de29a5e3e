# 016_hostile_installer.pl
#		The installer is hostile: who installs a trusted extension has no power over its objects.
#
# A role that may only create in a database installs the extension in a schema of hers; a superuser
# installs it in a schema of hers; it is in a schema in which everybody may create.  Then
# superusers look, dump, restore, vacuum and analyze; also after she has given the schema of the extension another name,
# and its name to another one.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;
use Hostile;

my $node = hostile_node('main');
my $tmp = $PostgreSQL::Test::Utils::tmp_check;

# Objects that a careless script, view or function would take, in the schema of the extension.
my $trojans = q{
	CREATE FUNCTION m.trap(what text) RETURNS boolean LANGUAGE plpgsql AS
		$$ BEGIN PERFORM m.strike(what); RETURN true; END $$;
	CREATE FUNCTION m.same(oid, oid) RETURNS boolean LANGUAGE sql AS $$SELECT m.trap('= of oid')$$;
	CREATE FUNCTION m.same(regclass, regclass) RETURNS boolean LANGUAGE sql AS $$SELECT m.trap('= of regclass')$$;
	CREATE FUNCTION m.same(oid, regclass) RETURNS boolean LANGUAGE sql AS $$SELECT m.trap('= of oid, regclass')$$;
	CREATE FUNCTION m.same(name, text) RETURNS boolean LANGUAGE sql AS $$SELECT m.trap('= of name')$$;
	CREATE FUNCTION m.same(name, name) RETURNS boolean LANGUAGE sql AS $$SELECT m.trap('= of names')$$;
	CREATE FUNCTION m.same(text, name) RETURNS boolean LANGUAGE sql AS $$SELECT m.trap('= of text')$$;
	CREATE FUNCTION m.same(float8, int) RETURNS boolean LANGUAGE sql AS $$SELECT m.trap('= of float8')$$;
	CREATE FUNCTION m.joined(text, varchar) RETURNS text LANGUAGE sql AS $$SELECT m.trap('||')::text$$;
	CREATE OPERATOR m.= (LEFTARG = oid, RIGHTARG = oid, FUNCTION = m.same);
	CREATE OPERATOR m.= (LEFTARG = regclass, RIGHTARG = regclass, FUNCTION = m.same);
	CREATE OPERATOR m.= (LEFTARG = oid, RIGHTARG = regclass, FUNCTION = m.same);
	CREATE OPERATOR m.= (LEFTARG = name, RIGHTARG = text, FUNCTION = m.same);
	CREATE OPERATOR m.= (LEFTARG = name, RIGHTARG = name, FUNCTION = m.same);
	CREATE OPERATOR m.= (LEFTARG = text, RIGHTARG = name, FUNCTION = m.same);
	CREATE OPERATOR m.<= (LEFTARG = float8, RIGHTARG = int, FUNCTION = m.same);
	CREATE OPERATOR m.|| (LEFTARG = text, RIGHTARG = varchar, FUNCTION = m.joined);
	CREATE FUNCTION m.format(text, text, text, name) RETURNS text LANGUAGE sql AS $$SELECT m.trap('format')::text$$;
	CREATE FUNCTION m.replace(varchar, varchar, varchar) RETURNS text LANGUAGE sql AS $$SELECT m.trap('replace')::text$$;
	CREATE FUNCTION m.gen_random_uuid(int DEFAULT 1) RETURNS uuid LANGUAGE sql AS $$SELECT m.trap('uuid')::text::uuid$$;
	CREATE FUNCTION m.has_any_column_privilege(oid, varchar) RETURNS boolean LANGUAGE sql AS $$SELECT m.trap('privilege')$$;
	CREATE FUNCTION m.min(float8, int DEFAULT 1) RETURNS float8 LANGUAGE sql AS $$SELECT m.trap('min')::int::float8$$;
	CREATE FUNCTION m.stored_score(oid) RETURNS boolean LANGUAGE sql AS $$SELECT m.trap('stored_score')$$;
	CREATE FUNCTION m.releases() RETURNS TABLE (release regclass, source regclass) LANGUAGE sql AS $$SELECT 0::oid::regclass, m.trap('releases')::int::oid::regclass$$;
	CREATE FUNCTION m.sdc_query_errors(release regclass, seed text) RETURNS TABLE (attributes int, mean_error float8)
		LANGUAGE sql AS $$SELECT 1, m.trap('query_errors')::int::float8$$;
	CREATE FUNCTION m.sdc_people_found(release text, known text[]) RETURNS TABLE (attack text, found float8)
		LANGUAGE sql AS $$SELECT 'any', m.trap('people_found')::int::float8$$;
	CREATE FUNCTION m.sdc_people_found(release regclass) RETURNS TABLE (attack text, percent float8, high float8)
		LANGUAGE sql AS $$SELECT 'any', m.trap('people_found')::int::float8, 0$$;
	CREATE FUNCTION m.check_policy(definition json) RETURNS name[] LANGUAGE sql AS $$SELECT ARRAY[m.trap('check_policy')::text::name]$$;
	CREATE FUNCTION m.gate(measures json, limits json) RETURNS boolean LANGUAGE sql AS $$SELECT m.trap('gate')$$;
	CREATE FUNCTION m.run_work(policy name, run bigint, known jsonb) RETURNS jsonb LANGUAGE sql AS $$SELECT to_jsonb(m.trap('run_work'))$$;
	CREATE FUNCTION m.run_clean_up(policy name, run bigint, known jsonb) RETURNS jsonb LANGUAGE sql AS $$SELECT to_jsonb(m.trap('run_clean_up'))$$;
	CREATE FUNCTION m.run_stage(policy text, run int, known json) RETURNS jsonb LANGUAGE sql AS $$SELECT to_jsonb(m.trap('run_stage'))$$;
	CREATE FUNCTION m.run_rows(policy text, run int) RETURNS TABLE (run bigint) LANGUAGE sql AS $$SELECT m.trap('run_rows')::int::bigint$$;
	CREATE FUNCTION m.summary(release regclass, known name[]) RETURNS TABLE (part text) LANGUAGE sql AS $$SELECT m.trap('summary')::text$$;
	CREATE FUNCTION m.report(release regclass, audience text, run bigint) RETURNS text LANGUAGE sql AS $$SELECT m.trap('report')::text$$;
	CREATE FUNCTION m.ru_map_svg(source regclass) RETURNS text LANGUAGE sql AS $$SELECT m.trap('ru_map_svg')::text$$;
	CREATE FUNCTION m."check"(policy name) RETURNS TABLE (problem text) LANGUAGE sql AS $$SELECT m.trap('check')::text$$;
	CREATE FUNCTION m.release_record(run bigint) RETURNS jsonb LANGUAGE sql AS $$SELECT to_jsonb(m.trap('release_record'))$$;
	CREATE FUNCTION m.assert_risk(release regclass, max_people_found float8) RETURNS void LANGUAGE sql AS $$SELECT m.trap('assert_risk')$$;
	CREATE FUNCTION m.assert_k(relation regclass, qi name[], k int, unit name[], k_whole int) RETURNS void LANGUAGE sql AS $$SELECT m.trap('assert_k')$$;
	CREATE FUNCTION m.people_found(release regclass, known name[], everybody boolean, sample bigint, seed_text text)
		RETURNS TABLE (attack text, percent float8) LANGUAGE sql AS $$SELECT 'any', m.trap('people_found')::int::float8$$;
	CREATE FUNCTION m.less(bigint, bigint) RETURNS boolean LANGUAGE sql AS $$SELECT m.trap('<')$$;
	CREATE FUNCTION m.member(jsonb, text) RETURNS text LANGUAGE sql AS $$SELECT m.trap('->>')::text$$;
	CREATE OPERATOR m.< (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = m.less);
	CREATE OPERATOR m.->> (LEFTARG = jsonb, RIGHTARG = text, FUNCTION = m.member);
	CREATE FUNCTION m.report_text(value name) RETURNS text LANGUAGE sql AS $$SELECT m.trap('report_text')::text$$;
	CREATE FUNCTION m.report_part(release regclass, part varchar, people jsonb, inside boolean) RETURNS text
		LANGUAGE sql AS $$SELECT m.trap('report_part')::text$$;
	CREATE TABLE m.pg_class (oid oid, relname text);
	CREATE TABLE m.pg_extension (oid oid, extname text);
};

# What she puts into a new schema that has the name of the one in which the extension was created: functions and views of
# the same names, to be taken for those of the extension.
my $impostors = q{
	CREATE FUNCTION m.sdc_version() RETURNS text LANGUAGE sql AS $$SELECT m.trap('version')::text$$;
	CREATE FUNCTION m.sdc_people_found(release regclass, known name[] DEFAULT NULL, everybody boolean DEFAULT false, sample bigint DEFAULT NULL, seed text DEFAULT NULL)
		RETURNS TABLE (attack text, found float8, percent float8) LANGUAGE sql AS $$SELECT 'any', m.trap('people_found')::int::float8, 0$$;
	CREATE FUNCTION m.sdc_report(release regclass DEFAULT NULL, audience text DEFAULT 'internal', run bigint DEFAULT NULL) RETURNS text
		LANGUAGE sql AS $$SELECT m.trap('report')::text$$;
	CREATE FUNCTION m.sdc_kanonymity(relation regclass, qi name[], unit name[] DEFAULT NULL) RETURNS TABLE (k bigint) LANGUAGE sql AS $$SELECT m.trap('kanonymity')::int::bigint$$;
	CREATE FUNCTION m.sdc_score(release regclass, known name[] DEFAULT NULL) RETURNS TABLE (score float8) LANGUAGE sql AS $$SELECT m.trap('score')::int::float8$$;
	CREATE FUNCTION m.sdc_evaluate(release regclass) RETURNS void LANGUAGE sql AS $$SELECT m.trap('evaluate')$$;
	CREATE PROCEDURE m.sdc_run(policy name) LANGUAGE sql AS $$SELECT m.trap('run')$$;
	CREATE VIEW m.sdc_releases AS SELECT m.trap('releases') AS release, 0::oid::regclass AS source;
	CREATE VIEW m.sdc_runs AS SELECT m.trap('runs') AS run;
	CREATE VIEW m.sdc_scores AS SELECT m.trap('scores') AS release;
	CREATE TABLE m.sdc_release_catalog (release regclass, source regclass);
	CREATE TABLE m.plain (id int PRIMARY KEY, age int);
	CREATE TYPE m.sdc_loss AS (records text);
	GRANT SELECT ON ALL TABLES IN SCHEMA m TO PUBLIC;
};

# What an installer might do to the objects: each must be refused.  (Some are not refused because of
# rights, but since an object that belongs to an extension is not for that.)
my @deeds = (
	q{CREATE INDEX ON sdc_private.sdc_release_catalog ((records + m.evil('index of the catalog', 1)))},
	q{CREATE INDEX ON sdc_private.sdc_release_catalog (records) WHERE records > m.evil('predicate of the catalog', 1)},
	q{CREATE STATISTICS m.st ON (records + m.evil('statistics of the catalog', 1)), method FROM sdc_private.sdc_release_catalog},
	q{CREATE TRIGGER t BEFORE INSERT OR UPDATE OR DELETE ON sdc_private.sdc_release_catalog FOR EACH STATEMENT EXECUTE FUNCTION m.evil_trigger()},
	q{CREATE CONSTRAINT TRIGGER t AFTER INSERT ON sdc_private.sdc_release_catalog DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
		EXECUTE FUNCTION m.evil_trigger()},
	q{CREATE POLICY p ON sdc_private.sdc_release_catalog USING (m.evil_stable('policy of the catalog', 1) = 1)},
	q{ALTER TABLE sdc_private.sdc_release_catalog ENABLE ROW LEVEL SECURITY},
	q{CREATE RULE r AS ON INSERT TO sdc_private.sdc_release_catalog DO ALSO SELECT m.evil_volatile('rule of the catalog', 1)},
	q{ALTER TABLE sdc_private.sdc_release_catalog ADD extra int DEFAULT m.evil_volatile('column of the catalog', 1)},
	q{ALTER TABLE sdc_private.sdc_release_catalog ADD extra int GENERATED ALWAYS AS (m.evil('column of the catalog', 1)) STORED},
	q{ALTER TABLE sdc_private.sdc_release_catalog ALTER records SET DEFAULT m.evil_volatile('default of the catalog', 1)},
	q{ALTER TABLE sdc_private.sdc_release_catalog ADD CHECK (records > m.evil('check of the catalog', 1))},
	q{ALTER TABLE sdc_private.sdc_release_catalog ALTER records TYPE numeric USING m.evil_volatile('type of the catalog', 1)},
	q{ALTER TABLE sdc_private.sdc_release_catalog DISABLE TRIGGER ALL},
	q{ALTER TABLE sdc_private.sdc_release_catalog RENAME TO other},
	q{ALTER TABLE sdc_private.sdc_release_catalog OWNER TO mallory},
	q{ALTER TABLE sdc_private.sdc_release_catalog SET SCHEMA public},
	q{CREATE TABLE m.child () INHERITS (sdc_private.sdc_release_catalog)},
	q{DROP TRIGGER sdc_entered ON sdc_private.sdc_release_catalog},
	q{DROP TABLE sdc_private.sdc_release_catalog},
	q{TRUNCATE sdc_private.sdc_release_catalog},
	q{UPDATE sdc_private.sdc_release_catalog SET written_by = '-'},
	q{DELETE FROM sdc_private.sdc_release_catalog},
	q{CREATE INDEX ON sdc_private.sdc_temporary_catalog ((records + m.evil('index of the temporary catalog', 1)))},
	q{INSERT INTO sdc_private.sdc_temporary_catalog SELECT * FROM sdc_private.sdc_release_catalog},
	q{SELECT * FROM sdc_private.sdc_temporary_catalog},
	q{SELECT * FROM sdc_private.sdc_secret},
	q{INSERT INTO sdc_private.sdc_secret VALUES ('\x00')},
	q{UPDATE sdc_private.sdc_secret SET secret = '\x00'},
	q{CREATE INDEX ON sdc_private.sdc_secret (secret)},
	q{SELECT * FROM sdc_private.sdc_state_catalog},
	q{INSERT INTO sdc_private.sdc_state_catalog VALUES ('m.t', 'm.t', 0, 0, '', '-')},
	q{SELECT * FROM sdc_private.sdc_temporary_states},
	q{CREATE INDEX ON sdc_private.sdc_state_catalog ((part + m.evil('index of the states', 1)))},
	q{CREATE TRIGGER t BEFORE INSERT ON sdc_private.sdc_state_catalog FOR EACH ROW EXECUTE FUNCTION m.evil_trigger()},
	q{CREATE TRIGGER t BEFORE INSERT ON sdc_private.sdc_state_dump FOR EACH ROW EXECUTE FUNCTION m.evil_trigger()},
	q{CREATE RULE r AS ON INSERT TO sdc_private.sdc_state_dump DO ALSO SELECT m.evil_volatile('rule of the dump of states', 1)},
	q{ALTER TABLE sdc_private.sdc_state_dump DISABLE TRIGGER ALL},
	q{ALTER TABLE sdc_private.sdc_state_dump ENABLE ROW LEVEL SECURITY},
	q{CREATE TABLE sdc_private.other (x int)},
	q{CREATE FUNCTION sdc_private.state_dump(x int DEFAULT 1) RETURNS int LANGUAGE sql AS 'SELECT m.trap(''state dump'')::int'},
	q{CREATE FUNCTION sdc_private.report_text(value name) RETURNS text LANGUAGE sql AS 'SELECT m.trap(''report_text'')::text'},
	q{CREATE OR REPLACE FUNCTION sdc_private.report_text(value text) RETURNS text LANGUAGE sql AS 'SELECT m.trap(''report_text'')::text'},
	q{ALTER FUNCTION sdc_private.report(regclass, text, bigint) SET search_path = m, pg_catalog},
	q{ALTER FUNCTION sdc_private.run_work(name, bigint, jsonb) RENAME TO other},
	q{ALTER FUNCTION m.sdc_version() SET SCHEMA sdc_private},
	q{SELECT sdc_private.report_text('x')},
	q{SELECT sdc_private.caller()},
	q{SELECT sdc_private.drop_release('m.t')},
	q{SELECT sdc_private.run_work('x', 1, '{}')},
	q{SELECT nextval('sdc_private.sdc_run_number')},
	q{GRANT USAGE ON SCHEMA sdc_private TO reader; SELECT 1 / has_schema_privilege('reader', 'sdc_private', 'USAGE')::int},
	q{ALTER SCHEMA sdc_private OWNER TO mallory},
	q{ALTER SCHEMA sdc_private RENAME TO other},
	q{ALTER EXTENSION sdc DROP SCHEMA sdc_private},
	q{DROP SCHEMA sdc_private CASCADE},
	q{ALTER EVENT TRIGGER sdc_state_dropped DISABLE},
	q{DROP EVENT TRIGGER sdc_state_dropped},
	q{CREATE OR REPLACE FUNCTION sdc_private.sdc_state_dropped() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN PERFORM m.trap(''dropped''); END'},
	q{CREATE TABLE m.entered (x int); CREATE TRIGGER t BEFORE INSERT ON m.entered FOR EACH ROW EXECUTE FUNCTION sdc_private.sdc_state_entered()},
	q{CREATE OR REPLACE VIEW m.sdc_releases AS SELECT m.evil_volatile('view of the extension', 1)},
	q{CREATE RULE "_RETURN" AS ON SELECT TO m.sdc_releases DO INSTEAD SELECT 1},
	q{ALTER VIEW m.sdc_releases ALTER records SET DEFAULT 1},
	q{ALTER VIEW m.sdc_scores SET (security_invoker = false)},
	q{DROP VIEW m.sdc_ru_map},
	q{CREATE OR REPLACE FUNCTION m.sdc_version() RETURNS text LANGUAGE sql AS 'SELECT ''mine'''},
	q{ALTER FUNCTION m.sdc_version() SECURITY DEFINER},
	q{ALTER FUNCTION m.sdc_kanonymity(regclass, name[], name[]) SET sdc.trusted_owners = '*'},
	q{ALTER FUNCTION m.sdc_kanonymity(regclass, name[], name[]) OWNER TO mallory},
	q{ALTER FUNCTION m.sdc_version() RENAME TO other},
	q{GRANT EXECUTE ON FUNCTION sdc_private.sdc_catalog_entered() TO mallory},
	q{CREATE TABLE m.entered (x int); CREATE TRIGGER t BEFORE INSERT ON m.entered FOR EACH ROW EXECUTE FUNCTION sdc_private.sdc_catalog_entered()},
	q{ALTER EXTENSION sdc DROP TABLE sdc_private.sdc_release_catalog},
	q{ALTER EXTENSION sdc DROP VIEW m.sdc_releases},
	q{ALTER EXTENSION sdc SET SCHEMA public},
	q{ALTER TYPE m.sdc_loss ADD ATTRIBUTE extra int},
	q{CREATE AGGREGATE m.theirs(bytea) (SFUNC = sdc_private.entropy_combine, STYPE = bytea); CREATE OR REPLACE AGGREGATE
		m.sdc_entropy_merge(bytea) (SFUNC = sdc_private.entropy_combine, STYPE = bytea)},
	q{SELECT pg_extension_config_dump('sdc_private.sdc_secret', '')},
	q{COPY sdc_private.sdc_secret TO STDOUT},
	q{CREATE EVENT TRIGGER e ON ddl_command_end EXECUTE FUNCTION m.evil_trigger()},
);

# whose returns the objects of the extension that do not belong to the bootstrap superuser.
sub whose
{
	my ($database) = @_;

	return $node->safe_psql($database, q{
		SELECT string_agg(i.identity || ' of ' || pg_get_userbyid(o.owner), ', ')
		FROM pg_depend AS d
		CROSS JOIN pg_identify_object(d.classid, d.objid, 0) AS i
		CROSS JOIN LATERAL (SELECT relowner AS owner FROM pg_class WHERE d.classid = 'pg_class'::regclass AND oid = d.objid
			UNION ALL SELECT proowner FROM pg_proc WHERE d.classid = 'pg_proc'::regclass AND oid = d.objid
			UNION ALL SELECT typowner FROM pg_type WHERE d.classid = 'pg_type'::regclass AND oid = d.objid) AS o
		WHERE d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass
			AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sdc') AND o.owner <> 10});
}

# Who installs: the role, and what a superuser does before.
my %install = (
	'a role that may create in the database' => [ 'mallory', 'GRANT CREATE ON DATABASE {{d}} TO mallory' ],
	'the owner of the database' => [ 'mallory', 'ALTER DATABASE {{d}} OWNER TO mallory' ],
	'another superuser, in a schema of the attacker' => [ 'other_super', '' ],
	'the superuser, in a schema of the attacker' => [ 'postgres', '' ],
);
my $number = 0;

foreach my $title (sort keys %install)
{
	my ($installer, $before) = @{ $install{$title} };
	my $database = 'install_' . ++$number;
	my $path = "SET search_path = m, pg_catalog;";

	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->safe_psql($database, hostile_fill($before, d => $database)) if $before;
	hostile_calm($node, $database);
	hostile_as($node, 'mallory', $trojans, $database);

	# CVE-2026-2360: operators and functions that wait in the schema for the script of the extension
	hostile_bait($node, q{SET search_path = m, pg_catalog; SELECT 1::oid = 1::oid}, $title, $database);
	hostile_as($node, $installer, "$path CREATE EXTENSION sdc SCHEMA m", $database);
	is(hostile_harm($node), '', "$title: installing runs nothing of what waits in the schema (CVE-2026-2360)");
	is(whose($database), q{}, "$title: all objects belong to the bootstrap superuser");

	# what the attacker then does to the objects, and with them
	my @done = grep { ($node->psql($database, $_, extra_params => [ '-U', 'mallory' ]))[0] == 0 } @deeds;
	is("@done", '', "$title: the attacker cannot change the objects");
	hostile_as($node, 'mallory', hostile_table('m.t') . q{
			SET client_min_messages = warning;
			SET search_path = m;
			SELECT FROM sdc_rankswap('m.t', p => 5, key => '{id}', columns => '{age,income}', target => 'm.r', seed => 1);
			SELECT FROM sdc_randomize('m.t', '{region,job}', key => '{id}', target => 'm.r_random', seed => 1);
			SELECT sdc_classify('m.t', 'job', 'sensitive');
			GRANT SELECT ON m.r, m.r_random TO PUBLIC;
			CREATE TABLE m.plain (id int PRIMARY KEY, age int);
			INSERT INTO m.plain SELECT id, age FROM m.t;
			SELECT sdc_policy_set('trap', 'm.plain', '[{"method": "rankswap", "columns": ["age"], "p": 5}]', 'm.plain_public', '{id}',
				limits => '{"people_found": 100}', on_unchanged => 'publish');
			CREATE INDEX ON m.t ((x + m.evil('index', 1)));
			CREATE INDEX ON m.r ((income + m.evil('index', 1)));
			CREATE STATISTICS m.st ON (x + m.evil('statistics', 1)), age FROM m.t;
			}, $database);
	hostile_bait($node, 'SELECT count(*) FROM m.t WHERE x = 1', "$title, the attacker's own tables", $database);

	# what the victims do
	my @calls = map { [ $_, "SELECT count(*) FROM m.$_" ] }
	  ('sdc_releases', 'sdc_scores', 'sdc_ru_map', 'sdc_query_errors', 'sdc_association_recall', 'sdc_attributes', 'sdc_progress');
	push @calls, [ 'sdc_policies', 'SELECT count(statement) FROM m.sdc_policies' ], [ 'sdc_runs', 'SELECT count(measures) FROM m.sdc_runs' ],
	  [ 'sdc_policy_history', 'SELECT max(people_found) FROM m.sdc_policy_history' ], [ 'sdc_policy_status', 'SELECT * FROM m.sdc_policy_status' ],
	  [ 'risk', q{SELECT m.sdc_assert_risk('m.r', 100)} ], [ 'k', q{SELECT m.sdc_assert_k('m.t', '{region}', 1)} ],
	  [ 'run', q{CALL m.sdc_run('trap')} ], [ 'check', q{SELECT count(*) FROM m.sdc_check('trap')} ],
	  [ 'record', q{SELECT count(m.sdc_release_record(run)) FROM m.sdc_runs} ];
	push @calls, [ 'all of sdc_releases', 'SELECT * FROM m.sdc_releases' ], [ 'k-anonymity', q{SELECT * FROM m.sdc_kanonymity('m.t', '{region}')} ],
	  [ 'score', q{SELECT * FROM m.sdc_score('m.r')} ], [ 'summary', q{SELECT * FROM m.sdc_summary('m.r')} ],
	  [ 'report', q{SELECT length(m.sdc_report('m.r'))} ], [ 'map', q{SELECT length(m.sdc_ru_map_svg('m.t'))} ];
	foreach my $victim ('postgres', 'reader')
	{
		# (the map leaves out what has the attacker's code in it, as the views do, and then nothing is left)
		# (and a policy is the superuser's and its owner's to run)
		hostile_try($node, $victim, \@calls, $title, '00000', { 'map' => '55000', map { $_ => $victim eq 'postgres' ? '00000' : '42704' } ('run', 'check') },
			database => $database, schema => 'm');
		is($node->safe_psql($database, q{SELECT * FROM m.sdc_releases; SELECT lower('ABC')}, extra_params => [ '-U', $victim ]) =~ /^(abc)$/m
			? $1 : '', 'abc', "$title: lower('ABC') is that of the server for $victim");
	}

	# the same by another name of the schema, whose old name is that of one with impostors
	$node->safe_psql('postgres', "GRANT CREATE ON DATABASE $database TO mallory");
	hostile_as($node, 'mallory', 'ALTER SCHEMA m RENAME TO moved', $database);
	hostile_calm($node, $database);
	hostile_as($node, 'mallory', $trojans . $impostors, $database);
	hostile_bait($node, 'SELECT m.sdc_version()', "$title, the schema renamed", $database);
	my @moved = map { [ $_->[0], $_->[1] =~ s/\bm\./moved./gr ] } @calls;
	foreach my $victim ('postgres', 'reader')
	{
		# (the policy names its source as it was called)
		hostile_try($node, $victim, \@moved, "$title, the schema renamed", '00000',
			{ 'map' => '55000', 'run' => $victim eq 'postgres' ? '(?!XX)\w+' : '42704', 'check' => $victim eq 'postgres' ? '00000' : '42704' },
			database => $database, schema => 'moved');
	}
	$node->safe_psql($database, 'DROP SCHEMA m CASCADE; ALTER SCHEMA moved RENAME TO m');
	hostile_harm($node);

	# (also in parallel, and the globals)
	foreach my $dump ([ 'pg_dump', '-Fc', '-f', "$tmp/$database.dump", $database ], [ 'pg_dump', '-f', "$tmp/$database.sql", $database ],
		[ 'pg_dump', '-Fd', '-j', '2', '-f', "$tmp/$database.dir", $database ], [ 'pg_dumpall', '-f', "$tmp/all.sql" ])
	{
		$node->command_ok($dump, "$title: @$dump[0, 1]");
		is(hostile_harm($node), '', "$title: @$dump[0, 1] runs nothing");
	}
	unlike(slurp_file("$tmp/$database.sql"), qr/^COPY \S*sdc_(secret|temporary)/m, "$title: the secret is not dumped");
	$node->safe_psql('postgres', "CREATE DATABASE restored_$number");
	$node->command_ok([ 'pg_restore', '--exit-on-error', '-d', "restored_$number", "$tmp/$database.dump" ], "$title: pg_restore");
	is(hostile_harm($node), '', "$title: pg_restore runs nothing");
	is(whose("restored_$number"), '', "$title: restored, all objects belong to the bootstrap superuser");
	hostile_try($node, 'postgres', [ @calls[0 .. 6] ], "$title, restored", '00000', {}, database => "restored_$number", schema => 'm');
	$node->safe_psql($database, 'VACUUM; ANALYZE; REINDEX SCHEMA m; REINDEX SCHEMA sdc_private');
	is(hostile_harm($node), '', "$title: vacuum, analyze and reindex by the superuser run nothing with his rights");
	$node->safe_psql($database, 'DROP EXTENSION sdc CASCADE');
	is(hostile_harm($node), '', "$title: dropping the extension runs nothing");
}

$node->stop;
done_testing();

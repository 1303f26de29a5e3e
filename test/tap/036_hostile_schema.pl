# 036_hostile_schema.pl
#		The schema of the extension is renamed, given away and shadowed, and the extension is dropped under those who use it.
#
# Who installs a trusted extension owns it, and the schema that it was created in: she can rename the schema and make another
# one of its name, and drop the extension and make a schema with the name of that of the plumbing, also in code of hers that
# somebody's call runs.  Functions with the names and arguments of all that the extension has wait in every such place.

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
my $steps = q{[{"method": "rankswap", "columns": ["age"], "p": 5}]};

# make_fakes makes m.fake(schema), which makes the traps in a schema: one for each function, view and table that the extension
# has now, under the name that it has and under those that it could have had.
sub make_fakes
{
	my ($database) = @_;

	hostile_as($node, 'mallory', q{
		CREATE TABLE m.fakes AS
		WITH member AS (SELECT d.classid, d.objid FROM pg_depend AS d JOIN pg_extension AS e ON d.refobjid = e.oid
			WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'sdc'),
		function AS (SELECT p.oid, p.prorettype::regtype AS result, p.proretset, p.prokind, p.proname::text AS name, pg_get_function_identity_arguments(p.oid) AS identity,
				pg_get_function_arguments(p.oid) AS arguments, pg_get_function_result(p.oid) AS returns, 'o' = ANY (p.proargmodes) AS has_out
			FROM member AS m JOIN pg_proc AS p ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid AND p.prokind IN ('f', 'p')),
		named AS (SELECT f.*, n.name AS called FROM function AS f, LATERAL (SELECT DISTINCT u.name FROM unnest(ARRAY[f.name,
			regexp_replace(f.name, '^sdc_', ''), 'sdc_' || regexp_replace(f.name, '^sdc_', '')]) AS u (name)) AS n)
		SELECT CASE prokind WHEN 'p' THEN format('CREATE PROCEDURE %%1$I.%I(%s) LANGUAGE plpgsql AS %L', called, identity, format('BEGIN PERFORM m.strike(%L); END', called))
			ELSE format('CREATE FUNCTION %%1$I.%I(%s) RETURNS %s LANGUAGE plpgsql AS %L', called, CASE WHEN has_out THEN arguments ELSE identity END, returns,
				format('BEGIN PERFORM m.strike(%L); RETURN%s; END', called, CASE WHEN proretset OR result = 'void'::regtype THEN '' ELSE ' NULL' END)) END AS statement
		FROM named WHERE identity !~ '"any"|internal|anyelement' AND result NOT IN ('trigger', 'event_trigger', 'internal')
		UNION ALL
		SELECT format('CREATE VIEW %%1$I.%I AS SELECT m.evil_volatile(%L, 1) AS trapped, %s', c.relname, c.relname,
			(SELECT string_agg(format('NULL::%s AS %I', format_type(a.atttypid, a.atttypmod), a.attname), ', ' ORDER BY a.attnum)
				FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped))
		FROM member AS m JOIN pg_class AS c ON m.classid = 'pg_class'::regclass AND m.objid = c.oid AND c.relkind IN ('v', 'r');
		CREATE FUNCTION m.fake(place name) RETURNS int LANGUAGE plpgsql AS $$
		DECLARE
			s text;
			made int := 0;
		BEGIN
			FOR s IN SELECT statement FROM m.fakes LOOP
				BEGIN
					EXECUTE format(s, place);
					made := made + 1;
				EXCEPTION WHEN OTHERS THEN	-- what is of a type that is gone, or there already
					NULL;
				END;
			END LOOP;
			EXECUTE format('GRANT USAGE ON SCHEMA %I TO PUBLIC; GRANT SELECT ON ALL TABLES IN SCHEMA %1$I TO PUBLIC', place);
			RETURN made;
		END
		$$;
	}, $database);
	return;
}

# calls returns what victims call, in a schema; the release and the policy are the attacker's.
sub calls
{
	my ($s) = @_;

	return ((map { [ $_, "SELECT count(*) FROM $s.$_" ] } ('sdc_releases', 'sdc_scores', 'sdc_ru_map', 'sdc_query_errors', 'sdc_association_recall',
				'sdc_attributes', 'sdc_progress', 'sdc_policies', 'sdc_publications', 'sdc_policy_history', 'sdc_policy_status')),
		[ 'all policies', "SELECT * FROM $s.sdc_policies" ], [ 'all runs', "SELECT * FROM $s.sdc_runs" ],
		[ 'k', "SELECT $s.sdc_assert_k('m.r', '{age}', 1)" ], [ 'risk', "SELECT $s.sdc_assert_risk('m.r', 100)" ],
		[ 'summary', "SELECT count(*) FROM $s.sdc_summary('m.r')" ], [ 'report', "SELECT length($s.sdc_report('m.r'))" ],
		[ 'outside report', "SELECT length($s.sdc_report('m.r', 'external'))" ], [ 'groups', "SELECT length($s.sdc_report('m.groups'))" ],
		[ 'map', "SELECT length($s.sdc_ru_map_svg('dba.t'))" ], [ 'own map', "SELECT length($s.sdc_ru_map_svg('m.t'))" ],
		[ 'run', "CALL $s.sdc_run('hers')" ], [ 'check', "SELECT count(*) FROM $s.sdc_check('hers')" ],
		[ 'record', "SELECT count($s.sdc_release_record(run)) FROM $s.sdc_runs" ], [ 'own run', "CALL $s.sdc_run('own')" ],
		[ 'policy', "SELECT $s.sdc_policy_set('own', 'dba.t', '$steps', 'dba.public', '{id}', keep => '{}', omit => '{income,region,job,x}', limits => '{\"people_found\": 100}')" ],
		[ 'protect', "SELECT count(*) FROM $s.sdc_rankswap('dba.t', p => 5, columns => '{age}', keep => '{}', key => '{id}', target => 'dba.r', replace => true)" ],
		[ 'evaluate', "SELECT count(*) FROM $s.sdc_evaluate('dba.r')" ], [ 'publish', "SELECT count(*) FROM $s.sdc_publish('dba.r', 'dba.p', replace => true, force => true)" ],
		[ 'approve', "SELECT $s.sdc_approve(1)" ], [ 'reject', "SELECT $s.sdc_reject(1, 'no')" ], [ 'withdraw', "SELECT $s.sdc_withdraw('dba.p', 'old')" ],
		[ 'entropy', "SELECT $s.sdc_entropy(age), $s.sdc_diversity(age) FROM dba.t" ]);
}

# furnish makes what the calls are about, with the extension in schema e.
sub furnish
{
	my ($database) = @_;

	$node->safe_psql($database, 'CREATE SCHEMA dba;' . hostile_table('dba.t') . qq{
		SELECT FROM e.sdc_rankswap('dba.t', p => 5, columns => '{age}', keep => '{}', key => '{id}', target => 'dba.r');
		SELECT e.sdc_policy_set('own', 'dba.t', '$steps', 'dba.public', '{id}', keep => '{}', omit => '{income,region,job,x}', limits => '{"people_found": 100}')});
	hostile_as($node, 'mallory', hostile_table('m.t') . qq{
		SET client_min_messages = warning;
		SELECT FROM e.sdc_rankswap('m.t', p => 5, key => '{id}', columns => '{age,income}', keep => '{region,job,x}', target => 'm.r', seed => 1);
		SELECT FROM e.sdc_generalize('m.t', '{age,region}', k => 3, key => '{id}', keep => '{x}', target => 'm.groups');
		SELECT e.sdc_policy_set('hers', 'm.t', '$steps', 'm.published', '{id}', keep => '{x}', omit => '{income,region,job}', limits => '{"people_found": 100}', on_unchanged => 'publish');
		GRANT SELECT ON m.r, m.groups TO PUBLIC;
	}, $database);
	return;
}

# fresh makes a database in which the attacker has installed the extension.
my $number = 0;

sub fresh
{
	my $database = 'shadow_' . ++$number;

	$node->safe_psql('postgres', "CREATE DATABASE $database; GRANT CREATE ON DATABASE $database TO mallory");
	hostile_calm($node, $database);
	hostile_as($node, 'mallory', 'CREATE SCHEMA e; GRANT USAGE ON SCHEMA e TO PUBLIC; CREATE EXTENSION sdc SCHEMA e', $database);
	make_fakes($database);
	return $database;
}

#
# Renamed, and another schema in its place
#
my $database = fresh();

furnish($database);
hostile_as($node, 'mallory', 'ALTER SCHEMA e RENAME TO sdc; CREATE SCHEMA e', $database);
cmp_ok(hostile_as($node, 'mallory', q{SELECT m.fake('e')}, $database), '>', 200, 'a schema of the old name has something of every name');
hostile_bait($node, q{SELECT e.sdc_version()}, 'functions in the schema of the old name', $database);
hostile_bait($node, q{SELECT * FROM e.sdc_releases}, 'views in the schema of the old name', $database);
foreach my $victim ('postgres', 'other_super', 'reader')
{
	my @results = hostile_run($node, $victim, [ calls('sdc') ], database => $database, schema => 'sdc');
	my $lost = pop @results;

	is(hostile_harm($node), '', "renamed and shadowed: nothing runs with the rights of $victim");
	is($lost->[0], '', "renamed and shadowed: the session of $victim is as it was");
	next if $victim eq 'reader';
	is(hostile_states('00000', { approve => '42704|55000', reject => '42704|55000', map => '00000|55000', 'own map' => '00000|55000' }, @results), '',
		"renamed and shadowed: $victim gets what he asks for");
}
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$PostgreSQL::Test::Utils::tmp_check/shadow.dump", $database ], 'renamed and shadowed: it is dumped');
is(hostile_harm($node), '', 'renamed and shadowed: a dump runs nothing');

#
# What an installer may not do to either schema
#
my @deeds = (
	[ 'ALTER EXTENSION sdc SET SCHEMA m', qr/does not support SET SCHEMA/ ],
	[ 'ALTER SCHEMA sdc_private RENAME TO gone', qr/must be owner|permission denied/ ],
	[ 'ALTER SCHEMA sdc_private OWNER TO mallory', qr/must be owner/ ],
	[ 'DROP SCHEMA sdc_private CASCADE', qr/must be owner/ ],
	[ 'CREATE SCHEMA sdc_private', qr/already exists/ ],
	[ 'CREATE FUNCTION sdc_private.evil() RETURNS int LANGUAGE sql AS $$SELECT 1$$', qr/permission denied for schema/ ],
	[ 'CREATE TABLE sdc_private.evil (x int)', qr/permission denied for schema/ ],
	[ 'ALTER FUNCTION m.evil(text, int) SET SCHEMA sdc_private', qr/permission denied for schema/ ],
	[ 'ALTER TABLE m.t SET SCHEMA sdc_private', qr/permission denied for schema/ ],
	[ 'ALTER EXTENSION sdc DROP SCHEMA sdc_private', qr/must be owner|is not a member/ ],
	[ 'GRANT CREATE ON SCHEMA sdc_private TO mallory', qr/permission denied|no privileges were granted/ ],
	[ 'COMMENT ON SCHEMA sdc_private IS $$mine$$', qr/must be owner/ ]);

foreach my $deed (@deeds)
{
	my ($status, $out, $err) = $node->psql($database, $deed->[0], extra_params => [ '-U', 'mallory' ]);

	like($err, $deed->[1], "refused: $deed->[0]");
}
hostile_as($node, 'mallory', 'ALTER EXTENSION sdc ADD FUNCTION m.evil(text, int); ALTER SCHEMA sdc RENAME TO e2; ALTER SCHEMA e2 RENAME TO sdc', $database);
$node->safe_psql($database, 'ALTER SCHEMA sdc OWNER TO bob; ALTER SCHEMA e OWNER TO deputy');
is((grep { $_->[1] !~ /^(00000|42704|55000)$/ } (hostile_run($node, 'postgres', [ calls('sdc') ], database => $database, schema => 'sdc'))[ 0 .. $#{ [ calls('sdc') ] } ]), 0,
	'a member of hers, and new owners of the schemas, change nothing');
is(hostile_harm($node), '', 'nor does anything run');
is($node->safe_psql($database, q{SELECT string_agg(p.proname, ' ') FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
	WHERE n.nspname = 'sdc_private' AND (p.proowner <> 10 OR p.prosecdef)}), '', 'all plumbing belongs to the bootstrap superuser, and nothing of it is a definer\'s');

# A schema that somebody has made first is not taken, and it is said what to do
$node->safe_psql('postgres', 'CREATE DATABASE first; GRANT CREATE ON DATABASE first TO mallory');
hostile_calm($node, 'first');
hostile_as($node, 'mallory', 'CREATE SCHEMA sdc_private', 'first');
like(($node->psql('first', 'CREATE EXTENSION sdc'))[2], qr/schema "sdc_private" exists already.*ALTER SCHEMA sdc_private RENAME TO/s, 'a schema of somebody\'s is not taken, and the error says what to do');
$node->safe_psql('first', 'ALTER SCHEMA sdc_private RENAME TO hers; CREATE EXTENSION sdc');
is(hostile_harm($node), '', 'and nothing of hers runs');

#
# The extension is dropped under a session that has used it, and what takes its place has its names
#
$database = fresh();
furnish($database);
my $session = $node->background_psql($database, on_error_stop => 0);

sdc_query($session, q{SET client_min_messages = error; PREPARE r AS SELECT length(e.sdc_report('m.r')); PREPARE k AS SELECT e.sdc_assert_k('m.r', '{age}', 1);
	PREPARE v AS SELECT count(*) FROM e.sdc_runs});
sdc_query($session, $_) foreach ('EXECUTE r', 'EXECUTE k', 'EXECUTE v', q{CALL e.sdc_run('hers')});
hostile_as($node, 'mallory', q{DROP EXTENSION sdc; CREATE SCHEMA sdc_private; SELECT m.fake('sdc_private')}, $database);
hostile_bait($node, q{SELECT sdc_private.version()}, 'a schema of the name of that of the plumbing', $database);
foreach my $statement ('EXECUTE r', 'EXECUTE k', 'EXECUTE v', q{CALL e.sdc_run('hers')})
{
	sdc_start($session, $statement);
	like(sdc_finish($session), qr/ERROR: .* does not exist/, "dropped by another session: $statement leads nowhere");
}
is(hostile_harm($node), '', 'and nothing runs in its place');
$session->quit;

#
# Code of the attacker's drops it while a function of the extension is at work, and makes a schema with its names
#
$database = fresh();
furnish($database);
hostile_as($node, 'mallory', q{
	CREATE SEQUENCE m.turn_number;
	CREATE TABLE m.when_to (turn int);
	INSERT INTO m.when_to VALUES (0);
	GRANT SELECT, UPDATE ON m.turn_number, m.when_to TO PUBLIC;
	CREATE FUNCTION m.drop_it() RETURNS void LANGUAGE plpgsql AS $$ BEGIN END $$;
	CREATE FUNCTION m.dropping(i int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN PERFORM m.drop_it(); RETURN i; END $$;
	CREATE FUNCTION m.dropping_now(i int) RETURNS int VOLATILE LANGUAGE plpgsql AS $$ BEGIN IF i = 1 THEN PERFORM m.drop_it(); END IF; RETURN i; END $$;
	CREATE INDEX ON m.r ((x + m.dropping(1)));
	CREATE INDEX ON m.groups ((x + m.dropping(1)));
	CREATE INDEX ON m.t ((x + m.dropping(1)));
	CREATE VIEW m.v AS SELECT id, age + m.dropping_now(id) - id AS age, income, region, job, x FROM m.t;
	SELECT e.sdc_policy_set('view', 'm.v', '[{"method": "rankswap", "columns": ["age"], "p": 5}]', 'm.of_view', '{id}', keep => '{x}', omit => '{income,region,job}',
		limits => '{"people_found": 100, "composed_people_found": 100}', on_unchanged => 'publish', mode => 'rows');
	CREATE OR REPLACE FUNCTION m.drop_it() RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		IF session_user <> 'mallory' AND nextval('m.turn_number') = (SELECT turn FROM m.when_to) THEN
			RAISE LOG 'hostile deed: the extension is dropped by %', current_user;
			DROP EXTENSION sdc CASCADE;
			CREATE SCHEMA sdc_private;
			PERFORM m.fake('sdc_private');
		END IF;
	END
	$$;
}, $database);
my $mark = -s $node->logfile;
my $drops = 0;

foreach my $call (q{SELECT length(e.sdc_report('m.r'))}, q{SELECT length(e.sdc_report('m.groups'))}, q{SELECT count(*) FROM e.sdc_summary('m.groups')},
	q{SELECT e.sdc_assert_k('m.groups', '{age,region}', 1), e.sdc_assert_k('m.r', '{age}', 1)}, q{SELECT e.sdc_assert_risk('m.r', 100)},
	q{SELECT count(*) FROM e.sdc_publish('m.r', 'm.by_hand', keep => '{region,job,x}', force => true)},
	q{SELECT count(*) FROM e.sdc_publish('m.groups', 'm.by_hand', keep => '{x}', force => true)},
	q{CALL e.sdc_run('view')}, q{CALL e.sdc_run('hers')},
	q{SELECT count(*) FROM e.sdc_kanonymity('m.v', '{age}'), e.sdc_summary('m.groups')})
{
	my ($turn, $turns) = (0, 0);

	# never, then at the first time, the second, and so on; the last ones are as good as all of many
	while ($turn <= $turns)
	{
		$node->psql($database, "ALTER SEQUENCE m.turn_number RESTART; UPDATE m.when_to SET turn = $turn");
		$node->psql($database, $call =~ /^CALL/ ? $call : "BEGIN; $call; ROLLBACK", on_error_stop => 0);
		$turns = $node->safe_psql($database, 'SELECT last_value FROM m.turn_number') if $turn == 0;
		$turn += $turn < 12 ? 1 : int($turns / 6) + 1;
	}
	my $log = slurp_file($node->logfile, $mark);
	my $now = () = $log =~ /hostile deed: the extension is dropped/g;

	note("$turns turns, dropped at " . ($now - $drops));
	cmp_ok($now, '>', $drops, "the extension is dropped while it is at work: $call");
	$drops = $now;
	is(hostile_harm($node), '', "and what takes its place does not run: $call");
	is($node->safe_psql($database, q{SELECT count(*) FROM pg_extension WHERE extname = 'sdc'}), '1', "and it is there still: $call");
}
is($node->safe_psql($database, q{SELECT nspowner::regrole FROM pg_namespace WHERE nspname = 'sdc_private'}), 'postgres', 'the plumbing is where it was');

$node->stop;
done_testing();

# 025_runs.pl
#		Runs of policies while others write, read, run and stop the server; by other roles; after a restore.
#
# The policy belongs to a role that is no superuser.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = sdc_node('main', conf => "wal_level = replica\nmax_wal_senders = 4\n");
my $bag = q{SELECT md5(string_agg(p::text, ',' ORDER BY p::text COLLATE "C")) FROM published AS p};
my $last = q{SELECT status || '|' || coalesce(reason, '') FROM sdc_runs ORDER BY run DESC LIMIT 1};
my $left = q{SELECT string_agg(relname, ' ') FROM pg_class WHERE relname ~ '_run_[0-9]+$' OR relname ~ '^pg_temp_[0-9]'};
my $steps = q{[{"method": "rankswap", "columns": ["a", "b"], "p": 20}]};
my $run = q{CALL sdc_run('nightly')};

# psql_as runs a statement as a role, and returns all that psql says, but for warnings of draws.
sub psql_as
{
	my ($role, $sql, $database) = @_;
	my ($out, $err);

	$node->psql($database // 'postgres', $sql, stdout => \$out, stderr => \$err, extra_params => [ '-U', $role ]);
	return $out . sdc_calm($err);
}

$node->safe_psql('postgres', q{CREATE ROLE boss LOGIN; CREATE ROLE clerk LOGIN IN ROLE boss; CREATE ROLE officer LOGIN; CREATE ROLE reader LOGIN; GRANT CREATE ON DATABASE postgres TO boss;
	GRANT CREATE ON SCHEMA public TO boss});
is(psql_as('boss', qq{
	SET client_min_messages = error;
	CREATE TABLE person (id int PRIMARY KEY, a int, b int, region int, secret text);
	INSERT INTO person SELECT i, abs(hashint4(i)) % 1000, abs(hashint4(-i)) % 1000, i % 4, 'secret of ' || i FROM generate_series(1, 2000) AS i;
	DO \$\$ BEGIN PERFORM sdc_policy_set('nightly', 'person', '$steps', 'public.published', keep => '{region}', omit => '{secret}',
		limits => '{"people_found": 90}', on_unchanged => 'publish', grant_to => '{reader}'); END \$\$}), '', 'a role that is no superuser sets a policy');
is(psql_as('boss', $run), '', 'and runs it');
is(psql_as('reader', 'SELECT count(*), sum(a) FROM published'), $node->safe_psql('postgres', 'SELECT count(*), sum(a) FROM person'), 'the reader reads what was published');
is(psql_as('reader', 'SELECT count(*) FROM sdc_runs') . psql_as('reader', 'SELECT count(*) FROM sdc_policies'), '00', 'and sees no log and no policy');
like(psql_as('reader', $_), qr/permission denied/, "and not: $_") foreach ('TABLE sdc_private.sdc_run_log', 'TABLE nightly_run_1', 'TABLE person', q{SELECT nextval('sdc_private.sdc_run_number')},
	q{SELECT sdc_private.run_work('nightly', 1, '{}')}, q{SELECT sdc_private.run_publish('nightly', 1, '{}')}, q{SELECT sdc_private.run_drop('nightly', 1, '{}')},
	q{SELECT sdc_private.run_clean_up('nightly', 1, '{}')}, 'SELECT FROM sdc_private.runs(NULL, NULL)', 'SELECT FROM sdc_private.run_rows(NULL, NULL)');
like(psql_as('reader', $_), qr/does not exist/, "and not: $_") foreach ('SELECT sdc_release_record(1)', $run, q{SELECT * FROM sdc_check('nightly')},
	'SELECT sdc_approve(1)', q{SELECT sdc_reject(1, 'no')});

#
# Others write while it works
#
my $session = $node->background_psql('postgres', on_error_stop => 0, extra_params => [ '-U', 'boss' ]);
my $other = $node->background_psql('postgres', on_error_stop => 0);
my $watch = $node->background_psql('postgres');
my $start = sub { ($session, $other, $watch) = ($node->background_psql('postgres', on_error_stop => 0, extra_params => [ '-U', 'boss' ]),
	$node->background_psql('postgres', on_error_stop => 0), $node->background_psql('postgres')) };

foreach my $phase ('reading', 'protecting', 'evaluating', 'writing')
{
	my ($records, $sum) = split /\|/, $node->safe_psql('postgres', 'SELECT count(*), sum(a) FROM person');

	sdc_park($watch, $session, $phase, 1, $run);
	is(sdc_query($other, q{BEGIN; LOCK TABLE person IN ROW EXCLUSIVE MODE NOWAIT; INSERT INTO person SELECT max(id) + 1, 7, 7, 1, 'new' FROM person; DELETE FROM person WHERE id = (SELECT min(id) FROM person);
		UPDATE person SET a = a + 1 WHERE id % 100 = 0; INSERT INTO person SELECT max(id) + 1, 8, 8, 1, 'new' FROM person; COMMIT}), '', "while $phase: others write");
	sdc_query($watch, 'BEGIN; LOCK TABLE published IN ACCESS SHARE MODE NOWAIT; COMMIT');
	sdc_release($watch);
	my $said = sdc_finish($session);
	is(sdc_calm($said), '', "while $phase: the run comes to its end");
	like($said, qr/WARNING:  release "\w+" is draw \d+ from mostly the same records/, "while $phase: and warns of draws");
	is($node->safe_psql('postgres', 'SELECT count(*), sum(a) FROM published'), "$records|$sum", "while $phase: what is published is one state of the source");
	is($node->safe_psql('postgres', q{SELECT status, source_records FROM sdc_runs ORDER BY run DESC LIMIT 1}), "published|$records", "while $phase: the log says of how many");
}

# DDL waits for the end of the run; the next one names the column
sdc_park($watch, $session, 'evaluating', 1, $run);
sdc_start($other, 'ALTER TABLE person ADD fresh int');
my $pid = sdc_pid($session);
$node->poll_query_until('postgres', q{SELECT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE '%ADD fresh%' AND wait_event_type = 'Lock')}) or die 'it does not wait';
sdc_release($watch);
is(sdc_calm(scalar sdc_finish($session)), '', 'a new column waits for the run');
is(sdc_finish($other), '', 'and is added then');
like(psql_as('boss', $run), qr/the policy says nothing of columns of "public.person": fresh/, 'the next run names it, and publishes nothing');
is(psql_as('boss', $last), 'failed|the policy says nothing of columns of "public.person": fresh', 'and the log says so');
like(psql_as('boss', q{SELECT problem FROM sdc_check('nightly')}), qr/it cannot run.*fresh.*\nrun \d+ is failed/s, 'sdc_check says so');
$node->safe_psql('postgres', 'ALTER TABLE person DROP fresh');

#
# Two at once, a cancel, a session that ends
#
sdc_park($watch, $session, 'reading', 1, $run);
like(psql_as('boss', $run), qr/ERROR:  policy "nightly" has another run/, 'a second run does not begin');
like(psql_as('boss', q{SELECT status || '|' || coalesce(reason, '') FROM sdc_runs ORDER BY run DESC LIMIT 2}), qr/^failed\|run [0-9]+ of the policy was at work\nrunning\|$/, 'the log tells of both');
like(psql_as('boss', q{SELECT sdc_policy_drop('nightly')}), qr/ERROR:  a run of policy "nightly" is at work/, 'a policy is not dropped while it runs');
sdc_release($watch);
is(sdc_calm(scalar sdc_finish($session)), '', 'the first one goes on');
is(psql_as('boss', q{SELECT status, failures FROM sdc_policy_status WHERE policy = 'nightly'}), 'published|0', 'and as it ended last, it is the last one, and nothing has failed since');
sdc_park($watch, $session, 'writing', 1, $run);
sdc_query($watch, "SELECT pg_cancel_backend($pid)");
like(sdc_finish($session), qr/canceling statement due to user request/, 'a run can be cancelled');
sdc_release($watch);
is(psql_as('boss', $last), 'failed|canceling statement due to user request', 'and the log says so');
is(psql_as('boss', $run), '', 'another session runs it after that');
sdc_park($watch, $session, 'writing', 1, $run);
sdc_query($watch, "SELECT pg_terminate_backend($pid)");
sdc_wait_gone($watch, $pid);
sdc_release($watch);
is(psql_as('boss', $last), 'failed|the session or the server ended before the run did', 'a session that ends: the log tells');
eval { $_->quit } foreach ($session, $other, $watch);
$start->();

#
# psql stops
#
psql_as('boss', q{SELECT sdc_policy_set('strict', 'person', '[{"method": "rankswap", "columns": ["a", "b"], "p": 1}]', 'public.strictly', keep => '{}', omit => '{secret,region}', limits => '{"people_found": 0}', on_unchanged => 'publish')});
$node->command_fails_like([ 'psql', '-X', '-U', 'boss', '-v', 'ON_ERROR_STOP=1', '-v', 'VERBOSITY=verbose', '-d', $node->connstr('postgres'), '-c', q{CALL sdc_run('strict')} ],
	qr/SD001: run \d+ of policy "strict" was rejected: people_found is/, 'psql ends with an error when a run is rejected');
is($node->safe_psql('postgres', q{SELECT to_regclass('strictly') IS NULL}), 't', 'and nothing is published');
like(psql_as('boss', q{SELECT problem FROM sdc_check('strict')}), qr/is rejected: people_found is/, 'sdc_check tells');

#
# A server that stops at once
#
my $n = 0;
foreach my $phase ('reading', 'protecting', 'evaluating', 'writing')
{
	my $before = $node->safe_psql('postgres', $bag);

	$pid = sdc_pid($session);
	sdc_park($watch, $session, $phase, 1, $run);
	if ($n++ % 2 == 0)
	{
		$node->stop('immediate');
	}
	else
	{
		kill 'KILL', $pid;
		eval { sdc_wait_gone($watch, $pid) };
		$node->stop('immediate', fail_ok => 1);
	}
	eval { $_->quit } foreach ($session, $other, $watch);
	$node->start;
	$start->();
	is($node->safe_psql('postgres', $bag), $before, "crash while $phase: what was published is there, whole");
	is(psql_as('boss', $last), 'failed|the session or the server ended before the run did', "crash while $phase: the log tells");
	is(psql_as('boss', $run), '', "crash while $phase: the next run succeeds");
	is($node->safe_psql('postgres', $left), $node->safe_psql('postgres', q{SELECT release FROM sdc_runs ORDER BY run DESC LIMIT 1}) =~ s/public\.//r, "crash while $phase: nothing is left but its release");
}

# a release that is in use stays, and is gone after the next run
sdc_query($other, 'BEGIN; SELECT FROM ' . $node->safe_psql('postgres', 'SELECT release FROM sdc_runs ORDER BY run DESC LIMIT 1') . ' LIMIT 1');
like(psql_as('boss', $run), qr/WARNING:  release "public.nightly_run_\d+" of an earlier run stays/, 'a release in use stays');
sdc_query($other, 'COMMIT');
is(psql_as('boss', $last), 'published|', 'the run was published');
is(psql_as('boss', $run), '', 'after the next run');
is($node->safe_psql('postgres', $left), $node->safe_psql('postgres', q{SELECT release FROM sdc_runs ORDER BY run DESC LIMIT 1}) =~ s/public\.//r, 'it is gone');

# a server that stops after the publication was committed and before earlier releases are gone: it is published, and the next run removes them
sdc_query($other, 'BEGIN; SELECT FROM ' . $node->safe_psql('postgres', 'SELECT release FROM sdc_runs ORDER BY run DESC LIMIT 1') . ' LIMIT 1');
my $old = $node->safe_psql('postgres', $bag);
$pid = sdc_pid($session);
sdc_start($session, "SET sdc.test_wait_every = 0; $run");
$node->poll_query_until('postgres', "SELECT EXISTS (SELECT FROM pg_locks WHERE pid = $pid AND mode = 'AccessExclusiveLock' AND NOT granted)
	AND (SELECT status = 'published' FROM sdc_runs ORDER BY run DESC LIMIT 1)") or die 'it does not wait';
$node->stop('immediate');
eval { $_->quit } foreach ($session, $other, $watch);
$node->start;
$start->();
is(psql_as('boss', $last), 'published|', 'crash before earlier releases are removed: the run is published');
isnt($node->safe_psql('postgres', $bag), $old, 'and its rows are there');
is(psql_as('boss', $run), '', 'the next run succeeds');
is($node->safe_psql('postgres', $left), $node->safe_psql('postgres', q{SELECT release FROM sdc_runs ORDER BY run DESC LIMIT 1}) =~ s/public\.//r, 'and removes them');

#
# Whose rights
#
$node->safe_psql('postgres', q{CREATE ROLE mallory LOGIN; CREATE SCHEMA lair AUTHORIZATION mallory; CREATE TABLE public.trophy (owner text); GRANT INSERT ON trophy TO mallory});
psql_as('mallory', q{
	CREATE TABLE lair.base (id int PRIMARY KEY, a int);
	INSERT INTO lair.base SELECT i, i FROM generate_series(1, 500) AS i;
	CREATE FUNCTION lair.spy(int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF $1 = 7 THEN RAISE WARNING 'spy as %', current_user; BEGIN SET ROLE postgres; RAISE WARNING 'spy became %', current_user; EXCEPTION WHEN OTHERS THEN NULL; END; END IF; RETURN $1; END $$;
	CREATE VIEW lair.source AS SELECT id, lair.spy(a) AS a FROM lair.base;
	SELECT sdc_policy_set('trap', 'lair.source', '[{"method": "rankswap", "columns": ["a"], "p": 10}]', 'lair.out', key => '{id}', keep => '{}', limits => '{"people_found": 100}', on_unchanged => 'publish')});
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');
my (undef, undef, $said) = $node->psql('postgres', q{CALL sdc_run('trap')});
unlike($said, qr/spy as $superuser|spy became/, 'code of the owner does not run with the rights of a superuser who runs his policy');
is($node->safe_psql('postgres', q{SELECT tableowner FROM pg_tables WHERE tablename = 'out'}), 'mallory', 'what he publishes so is the owner\'s') if $said !~ /ERROR/;
like($said, qr/spy as mallory/, 'it runs with the owner\'s');
psql_as('mallory', q{CREATE FUNCTION lair.late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.trophy VALUES (current_user); RETURN NULL; END $$;
	CREATE TABLE lair.plain AS TABLE lair.base;
	ALTER TABLE lair.plain ADD PRIMARY KEY (id);
	SELECT sdc_policy_set('late', 'lair.plain', '[{"method": "rankswap", "columns": ["a"], "p": 10}]', 'lair.late_out', keep => '{}', limits => '{"people_found": 100}', on_unchanged => 'publish', mode => 'rows')});
psql_as('mallory', q{CALL sdc_run('late')});
psql_as('mallory', 'CREATE CONSTRAINT TRIGGER late AFTER INSERT ON lair.late_out DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION lair.late()');
$node->psql('postgres', q{CALL sdc_run('late')});
is($node->safe_psql('postgres', q{SELECT count(*) FROM trophy WHERE owner <> 'mallory'}), '0', 'nor does a deferred trigger of his');

#
# Two persons
#
is(psql_as('boss', qq{DO \$\$ BEGIN PERFORM sdc_policy_set('two', 'person', '$steps', 'public.by_two', keep => '{}', omit => '{secret,region}',
	limits => '{"people_found": 90}', on_unchanged => 'publish', approve => true, approvers => '{officer}'); END \$\$}), '', 'a policy that another role has to approve');
is(psql_as('boss', q{CALL sdc_run('two')}), '', 'its run ends');
my $waiting = psql_as('officer', q{SELECT run FROM sdc_runs WHERE status = 'waiting'});
is($node->safe_psql('postgres', q{SELECT to_regclass('by_two') IS NULL}), 't', 'and has published nothing');
like(psql_as('boss', "SELECT sdc_approve($waiting)"), qr/started by the same role/, 'who started it cannot approve it');
like(psql_as('boss', "SET ROLE clerk; SELECT sdc_approve($waiting)"), qr/permission denied to set role|started by the same role/, 'by no other name either');
like(psql_as('reader', "SELECT sdc_approve($waiting)"), qr/does not exist/, 'a stranger does not know of it');
like(psql_as('officer', "TABLE two_run_$waiting"), qr/permission denied/, 'who approves sees no record');
$node->safe_psql('postgres', "CREATE TABLE kept AS TABLE two_run_$waiting; UPDATE two_run_$waiting SET a = a + 1 WHERE id = 10");
like(psql_as('officer', "SELECT sdc_approve($waiting)"), qr/changed/, 'a release that was changed is not published');
psql_as('boss', "SELECT sdc_reject($waiting, 'touched')");
is(psql_as('boss', q{CALL sdc_run('two')}), '', 'it runs again');
$waiting = psql_as('officer', q{SELECT run FROM sdc_runs WHERE status = 'waiting'});
$node->safe_psql('postgres', 'INSERT INTO person SELECT max(id) + 1, 3, 3, 1 FROM person');
is(psql_as('officer', "SELECT sdc_approve($waiting)"), '', 'another role approves it, though the source has more by now');
is(psql_as('boss', "SELECT status, approved_by, started_by FROM sdc_runs WHERE run = $waiting"), 'published|officer|boss', 'the log tells who');
is($node->safe_psql('postgres', q{SELECT tableowner, (SELECT count(*) FROM by_two) = (SELECT count(*) - 1 FROM person) FROM pg_tables WHERE tablename = 'by_two'}), 'boss|t', 'it is published, and belongs to the policy\'s owner');

#
# What others have in the log costs a run next to nothing, also the first run of a policy, and one of a superuser, who
# may see all: its rows are found by an index, and details of others are not read.
#
my $scans = q{SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_all_tables WHERE relid = 'sdc_private.sdc_run_log'::regclass};
my $first = q{DO $$ BEGIN PERFORM sdc_policy_set('%1$s', 'person', '%2$s', 'public.%1$s', keep => '{region}', omit => '{secret}',
	limits => '{"people_found": 90}', on_unchanged => 'publish'); END $$};
my %costs;
foreach my $round ('before', 'then')
{
	foreach my $case ([ 'boss', 'nightly' ], [ 'postgres', "first_$round" ])
	{
		my ($role, $policy) = @$case;
		my $session = $node->background_psql('postgres', extra_params => [ '-U', $role ]);

		sdc_query($session, 'SET client_min_messages = error');
		sdc_query($session, sprintf($first, $policy, $steps)) if $role eq 'postgres';
		$node->safe_psql('postgres', 'SELECT pg_stat_reset()');
		my ($said, $most) = sdc_private_peak($session, "CALL sdc_run('$policy')");
		$session->quit;
		$node->poll_query_until('postgres', "SELECT ($scans) > 0") or die 'statistics are not written';
		push @{ $costs{$role} }, [ $node->safe_psql('postgres', $scans), $most ];
	}
	$node->safe_psql('postgres', q{INSERT INTO sdc_private.sdc_run_log SELECT 1000000 + i, 'others', 'plain', 'plain', now(), now(), 'published', 'x', NULL,
		jsonb_build_object('target', 'public.others', 'definition', repeat(md5(i::text), CASE WHEN i > 50 THEN 30 ELSE 30000 END)), '-' FROM generate_series(1, 10000) AS i}) if $round eq 'before';
}
foreach my $role (sort keys %costs)
{
	my ($read, $grown) = @{ $costs{$role} };

	cmp_ok($$grown[0], '<', $$read[0] + 100, "$role, 10,000 rows of another role: a run reads $$read[0] rows of the log before, $$grown[0] then");
	cmp_ok($$grown[1], '<', $$read[1] + 8192, "$role: and takes $$read[1] kB of memory before, $$grown[1] kB then");
}
$node->safe_psql('postgres', 'DELETE FROM sdc_private.sdc_run_log WHERE run > 1000000');

#
# A standby
#
$node->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'base', has_streaming => 1);
$standby->start;
$node->wait_for_catchup($standby);
my (undef, undef, $refused) = $standby->psql('postgres', $run);
like($refused, qr/cannot execute sdc_run during recovery|read-only/, 'a standby runs nothing');
is($standby->safe_psql('postgres', 'SELECT count(*), max(run) FROM sdc_runs'), $node->safe_psql('postgres', 'SELECT count(*), max(run) FROM sdc_runs'), 'but shows the log');
$standby->stop;

#
# A dump
#
my $log = q{SELECT run, policy, status, reason, owner, started_by, started_at, finished_at, measures, sha256 FROM sdc_runs ORDER BY run};
my $policies = q{SELECT policy, owner, statement FROM sdc_policies ORDER BY policy};
my ($all, $set) = map { $node->safe_psql('postgres', $_) } ($log, $policies);
sdc_restored($node, sub {
	my ($name, $there) = @_;

	is($node->safe_psql($name, $log), $all, "restored into $there: the log is the same");
	is($node->safe_psql($name, $policies), $set, "restored into $there: the policies are the same");
	is(psql_as('boss', $run, $name), '', "restored into $there: the next run works");
	is($node->safe_psql($name, q{SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'published'::regclass AND attnum > 0}), 'a b region', "restored into $there: and releases no column that was left out");
	is(psql_as('boss', q{SELECT status, run > (SELECT max(run) - 1 FROM sdc_runs) FROM sdc_runs ORDER BY run DESC LIMIT 1}, $name), 'published|t', "restored into $there: its number is a new one");
});
eval { $_->quit } foreach ($session, $other, $watch);
$node->stop;
done_testing();

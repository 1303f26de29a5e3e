# 038_hostile_locks.pl
#		No lock is left after a call, an error, a cancel or the end of a session, whatever it has called.
#
# The locks of all share a table of fixed size: who leaves some there takes them from everybody.  And who has an open
# transaction keeps nobody from working on what is not his.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;
use Hostile;

my $node = hostile_node('main', conf => "max_connections = 40\n");
my $steps = q{[{"method": "rankswap", "columns": ["age"], "p": 5}]};
my $set = sub { my ($name, $source, $more) = @_; return qq{SELECT sdc_policy_set('$name', '$source.t', '$steps', '$source.of_$name', '{id}', keep => '{x}',
	omit => '{income,region,job}', limits => '{"people_found": 100}', on_unchanged => 'publish'@{[ $more // '' ]})} };
my $watch = $node->background_psql('postgres', on_error_stop => 0);

# held returns the locks of others on objects, or those that a session holds outside of a transaction.
my $held = q{SELECT coalesce(string_agg(concat_ws(' ', locktype, mode, classid::regclass, relation::regclass), ', '), '') FROM pg_locks
	WHERE locktype NOT IN ('virtualxid', 'relation', 'transactionid') AND pid IS DISTINCT FROM pg_backend_pid()};

foreach my $role ('mallory', 'bob')
{
	my $s = $role eq 'bob' ? 'bob' : 'm';

	hostile_as($node, $role, 'SET client_min_messages = error;' . hostile_table("$s.t") . qq{
		@{[ $set->("${s}_plain", $s) ]};
		@{[ $set->("${s}_two", $s, q{, approve => true, approvers => '{boss}'}) ]};
		SELECT FROM sdc_rankswap('$s.t', p => 5, key => '{id}', columns => '{age}', keep => '{income,region,job,x}', target => '$s.r');
		CREATE VIEW $s.fails AS SELECT id, 1 / (id - 7) AS age FROM $s.t;
		SELECT sdc_policy_set('${s}_fails', '$s.fails', '$steps', '$s.of_fails', '{id}', limits => '{"people_found": 100}');
		SELECT sdc_policy_set('${s}_strict', '$s.t', '$steps', '$s.of_strict', '{id}', keep => '{x}', omit => '{income,region,job}', limits => '{"people_found": 0}')});
}

#
# After every call, in the session that has made it: the first time, again, and with an error
#
my $session = $node->background_psql('postgres', on_error_stop => 0, extra_params => [ '-U', 'mallory' ]);
my @calls = (q{CALL sdc_run('m_plain')}, q{CALL sdc_run('m_two')}, q{CALL sdc_run('m_two')}, q{CALL sdc_run('m_fails')}, q{CALL sdc_run('m_strict')}, q{CALL sdc_run('none')}, q{CALL sdc_run(NULL)},
	q{BEGIN; CALL sdc_run('m_plain'); COMMIT}, q{DO $$ BEGIN CALL sdc_run('m_plain'); END $$}, q{DO $$ BEGIN CALL sdc_run('m_fails'); END $$},
	q{DO $$ BEGIN CALL sdc_run('m_plain'); EXCEPTION WHEN OTHERS THEN NULL; END $$}, q{SELECT sdc_approve((SELECT max(run) FROM sdc_runs WHERE status = 'waiting'))},
	q{SELECT sdc_reject((SELECT max(run) FROM sdc_runs WHERE status = 'waiting'), '')}, q{SELECT sdc_reject((SELECT max(run) FROM sdc_runs WHERE status = 'waiting'), 'no')}, q{SELECT sdc_approve(1)},
	$set->('m_new', 'm'), $set->('bob_plain', 'm'), q{SELECT sdc_policy_drop('m_new')}, q{SELECT sdc_policy_drop('bob_plain')}, q{SELECT * FROM sdc_evaluate('m.r')},
	q{SELECT * FROM sdc_publish('m.r', 'm.p', keep => '{income,region,job,x}', max_people_found => 100)}, q{SELECT * FROM sdc_publish('m.r', 'm.p', max_people_found => 100)}, q{SELECT sdc_withdraw('m.p', 'old')}, q{SELECT sdc_withdraw('m.t', 'old')},
	q{SELECT length(sdc_report('m.r'))}, q{SELECT length(sdc_report('m.t'))}, q{SELECT * FROM sdc_summary('m.r')}, q{SELECT sdc_assert_risk('m.r', 0)}, q{SELECT sdc_assert_k('m.r', '{age}', 100)},
	q{SELECT * FROM sdc_check('m_plain')}, q{SELECT sdc_release_record(1)}, q{SELECT sdc_release_record(0)}, q{TABLE sdc_runs}, q{TABLE sdc_policies}, q{TABLE sdc_scores}, q{TABLE sdc_publications},
	q{SELECT length(sdc_ru_map_svg('m.t'))}, q{SELECT sdc_unregister('m.r')},
	q{SET statement_timeout = 2; CALL sdc_run('m_plain'); RESET statement_timeout}, q{SET statement_timeout = 2; SELECT length(sdc_report('m.r')); RESET statement_timeout});

sdc_query($session, 'SET client_min_messages = error');
foreach my $call (@calls)
{
	sdc_start($session, $call);
	sdc_finish($session);
	sdc_start($session, 'ROLLBACK');
	sdc_finish($session);
	is(sdc_query($watch, $held), '', 'nothing is held after: ' . $call =~ s/\s+/ /gr);
}

#
# Every function that an unprivileged role can execute, whose first argument is a name or a number, and the end of the session
#
my $loose = sub { return $node->safe_psql('postgres', q{SELECT count(*) FROM pg_locks AS l WHERE l.locktype NOT IN ('virtualxid') AND l.pid IS DISTINCT FROM pg_backend_pid()
	AND NOT EXISTS (SELECT FROM pg_stat_activity AS a WHERE a.pid = l.pid)}) };
my @functions = split /\n/, hostile_as($node, 'mallory', q{
	SELECT format('%s %s.%I(%s%s)', CASE p.prokind WHEN 'p' THEN 'CALL' ELSE 'SELECT' END, p.pronamespace::regnamespace, p.proname, a.value,
		(SELECT string_agg(', NULL', '') FROM generate_series(2, p.pronargs - p.pronargdefaults)))
	FROM pg_depend AS d JOIN pg_extension AS e ON d.refobjid = e.oid AND e.extname = 'sdc' AND d.deptype = 'e' AND d.classid = 'pg_proc'::regclass
	JOIN pg_proc AS p ON p.oid = d.objid AND has_function_privilege(p.oid, 'EXECUTE') AND has_schema_privilege(p.pronamespace, 'USAGE') AND p.prokind IN ('f', 'p'),
	LATERAL (VALUES ('name'::regtype, '''m_plain'''), ('bigint'::regtype, '1')) AS a (type, value) WHERE a.type = p.proargtypes[0]
		AND p.proname <> 'sdc_policy_drop'});
my $connections = 200;
my $own = sdc_query($watch, q{SELECT array_agg(pid) FROM pg_stat_activity WHERE usename = 'mallory'});
my %left;

like("@functions", qr/sdc_run\('m_plain'\)/, 'what is called has runs in it');
foreach my $number (0 .. $connections - 1)
{
	my $call = $functions[ $number % @functions ];

	# alone, for an error would give back what was taken before it; and in a transaction that is left open
	$node->psql('postgres', "SET client_min_messages = error;\n" . (int($number / @functions) % 2 ? 'BEGIN; SAVEPOINT a; ' : '') . $call, on_error_stop => 0, extra_params => [ '-U', 'mallory' ]);
	sdc_query($watch, qq{DO \$\$ BEGIN
		WHILE EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'mallory' AND pid <> ALL ('$own')) LOOP PERFORM pg_stat_clear_snapshot(), pg_sleep(0.001); END LOOP; END \$\$});
	$left{"$call: $_"} = 1 foreach (grep { $_ ne '' } sdc_query($watch, $held));
}
is(join("\n", sort keys %left), '', "$connections sessions that have called one of them leave nothing");
is($node->safe_psql('postgres', q{SELECT count(*) FROM sdc_runs WHERE status = 'running'}), '0', 'and no run');
is($node->safe_psql('postgres', 'SELECT 1; CREATE TABLE dba_after (x int); DROP TABLE dba_after; SELECT 2', extra_params => [ '-U', 'postgres' ]), "1\n2", 'the server has locks for others');

#
# A run that waits in the middle holds one lock, and gives it back however it ends
#
my $pid = sdc_pid($session);

foreach my $phase ('reading', 'evaluating', 'writing')
{
	sdc_park($watch, $session, $phase, 1, q{CALL sdc_run('m_plain')});
	is(sdc_query($watch, "SELECT count(*) FROM pg_locks WHERE pid = $pid AND locktype = 'object' AND mode = 'ExclusiveLock'"), '1', "while $phase: a run holds one lock of its own");
	sdc_query($watch, "SELECT pg_cancel_backend($pid)");
	like(sdc_finish($session), qr/canceling statement/, "while $phase: it is cancelled");
	sdc_release($watch);
	is(sdc_query($watch, $held), '', "while $phase: a cancel leaves nothing");
	sdc_park($watch, $session, $phase, 1, q{CALL sdc_run('m_plain')});
	sdc_query($watch, "SELECT pg_terminate_backend($pid)");
	sdc_wait_gone($watch, $pid);
	sdc_release($watch);
	is($loose->() . sdc_query($watch, $held), '0', "while $phase: a session that is ended leaves nothing");
	is($node->safe_psql('postgres', q{SELECT status FROM sdc_runs WHERE policy = 'm_plain' ORDER BY run DESC LIMIT 1}), 'failed', "while $phase: and the log says that the run has failed");
	eval { $session->quit };
	$session = $node->background_psql('postgres', on_error_stop => 0, extra_params => [ '-U', 'mallory' ]);
	sdc_query($session, 'SET client_min_messages = error');
	$pid = sdc_pid($session);
}

#
# An open transaction keeps others from what it has changed, and from nothing else
#
sdc_query($session, 'BEGIN; ' . $set->('m_open', 'm') . q{; SELECT sdc_policy_drop('m_strict')});
foreach my $call ($set->('bob_more', 'bob'), q{SELECT sdc_policy_drop('bob_more')}, q{CALL sdc_run('bob_plain')}, q{CALL sdc_run('bob_two')},
	q{SELECT sdc_reject((SELECT max(run) FROM sdc_runs WHERE status = 'waiting'), 'no')},
	q{SELECT * FROM sdc_evaluate('bob.r')}, q{SELECT * FROM sdc_publish('bob.r', 'bob.p', keep => '{income,region,job,x}', max_people_found => 100)}, q{SELECT sdc_withdraw('bob.p', 'old')})
{
	my (undef, undef, $err) = $node->psql('postgres', "SET client_min_messages = error; SET lock_timeout = '20s'; $call", on_error_stop => 0, extra_params => [ '-U', 'bob' ]);

	is($err, '', "beside an open transaction of somebody's: " . $call =~ s/\s+/ /gr);
}
like(($node->psql('postgres', "SET lock_timeout = '10ms'; " . $set->('m_open', 'bob'), extra_params => [ '-U', 'bob' ]))[2], qr/lock timeout/, 'only the same name waits');
sdc_query($session, 'ROLLBACK');
is(sdc_query($watch, $held), '', 'and nothing is held after that');

#
# Two names whose hashes are equal: nobody can lock another one's policy by the name of his own
#
my ($one, $other) = split /\|/, $node->safe_psql('postgres', q{SELECT 'p' || min(i), 'p' || max(i) FROM generate_series(1, 300000) AS i
	GROUP BY hashname(('p' || i)::name) HAVING count(*) > 1 ORDER BY 1 LIMIT 1});

is($node->safe_psql('postgres', "SELECT hashname('$one') = hashname('$other')"), 't', "the hashes of $one and $other are equal");
hostile_as($node, 'mallory', $set->($one, 'm'));
hostile_as($node, 'bob', $set->($other, 'bob'));
sdc_park($watch, $session, 'reading', 1, "CALL sdc_run('$one')");
is(($node->psql('postgres', "SET client_min_messages = error; CALL sdc_run('$other')", extra_params => [ '-U', 'bob' ]))[2], '', 'the policy of another one runs while the first does');
sdc_release($watch);
sdc_finish($session);
is($node->safe_psql('postgres', "SELECT string_agg(concat_ws(' ', status, owner), ', ' ORDER BY owner) FROM sdc_runs WHERE policy IN ('$one', '$other')"), 'published bob, published mallory', 'both are published');
is(sdc_query($watch, $held), '', 'and nothing is held at last');

$session->quit;
$watch->quit;
$node->stop;
done_testing();

# 040_hostile_approval.pl
#		Between a run and its approval: rights are withdrawn, the policy, the release and what is known of it change, rows are forged.
#
# Who approves a run sees what it has measured, and no record.  So what is published under his name is what was measured, by
# the policy that there was, or nothing is: the run goes on waiting.

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

# definition returns the call that sets a policy whose releases wait, with some arguments in the place of others.
sub definition
{
	my ($name, %other) = @_;
	my %argument = (steps => "'$steps'", publish_as => "'m.of_$name'", key => q{'{id}'}, keep => q{'{x}'}, omit => q{'{income,region,job}'}, limits => q{'{"people_found": 100}'},
		approve => 'true', approvers => q{'{boss}'}, on_unchanged => q{'publish'}, grant_to => q{'{reader}'}, %other);

	return "SELECT sdc_policy_set('$name', " . join(', ', map { "$_ => $argument{$_}" } sort keys %argument) . ", source => 'm.t')";
}

# as runs statements as a role, and returns the first error, or nothing.
sub as
{
	my ($role, $sql, $database) = @_;
	my (undef, undef, $err) = $node->psql($database // 'postgres', "SET client_min_messages = error; $sql", on_error_stop => 1, extra_params => [ '-U', $role ]);

	return $err =~ /ERROR:  (.*)/ ? $1 : '';
}

# waits makes a run of a policy that waits, and returns its number.
my $number = 0;

sub waits
{
	my $name = 'p' . ++$number;

	is(as('mallory', definition($name) . qq{; CALL sdc_run('$name')}), '', "$name: a run that waits");
	return ($name, $node->safe_psql('postgres', "SELECT run FROM sdc_runs WHERE policy = '$name' AND status = 'waiting'"));
}

# refused looks that an approval is refused, and that nothing has come of it.
sub refused
{
	my ($title, $name, $run, $why, $who) = @_;

	like(as($who // 'boss', "SELECT sdc_approve($run)"), $why, "$title: it is not approved");
	is($node->safe_psql('postgres', "SELECT status, started_by, approved_by, target FROM sdc_runs WHERE run = $run"), 'waiting|mallory||', "$title: the run waits");
	is($node->safe_psql('postgres', "SELECT to_regclass('m.of_$name')"), '', "$title: nothing is published");
	return;
}

hostile_as($node, 'mallory', 'SET client_min_messages = error;' . hostile_table('m.t') . 'GRANT USAGE ON SCHEMA m TO PUBLIC');
my $raw = q{(SELECT md5(string_agg((age, x)::text, ',' ORDER BY age, x)) FROM m.t)};

# What is honest
my ($name, $run) = waits();

is(as('boss', "SELECT sdc_approve($run)"), '', 'as it was left, it is approved');
is($node->safe_psql('postgres', "SELECT status, started_by, approved_by FROM sdc_runs WHERE run = $run"), 'published|mallory|boss', 'and the log says by whom');

# The policy is another one, in any of its parts, or is gone
my %change = (limits => q{'{"people_found": 1}'}, 'more limits' => q{'{"people_found": 100, "certain_percent": 100}'}, grant_to => q{'{reader,bob}'}, 'no grants' => 'NULL', publish_as => q{'m.elsewhere'},
	approvers => q{'{bob}'}, 'no approvers' => 'NULL', approve => 'false', keep => q{'{x,job}'}, steps => q{'[{"method": "rankswap", "columns": ["age"], "p": 50}]'}, mode => q{'rows'}, history => '3', sample => '10');

foreach my $what (sort keys %change)
{
	my $argument = { 'more limits' => 'limits', 'no grants' => 'grant_to', 'no approvers' => 'approvers' }->{$what} // $what;
	my %more = $what eq 'keep' ? (omit => q{'{income,region}'}) : ();

	($name, $run) = waits();
	is(as('mallory', definition($name, $argument => $change{$what}, %more)), '', "$what: the policy is changed");
	refused("changed: $what", $name, $run, qr/its policy has changed since/);
	is(as('mallory', definition($name)), '', "$what: and changed back");
	is(as('boss', "SELECT sdc_approve($run)"), '', "$what: and as it was, it is approved");
}
($name, $run) = waits();
as('mallory', "SELECT sdc_policy_drop('$name')");
refused('dropped', $name, $run, qr/its policy was dropped/);
as('bob', "SET search_path = public; " . definition($name) =~ s/m\.t/bob.t/r =~ s/m\.of/bob.of/r) if hostile_as($node, 'bob', hostile_table('bob.t')) eq '';
like($node->safe_psql('postgres', "SELECT owner FROM sdc_policies WHERE policy = '$name'"), qr/^bob$/, 'another role takes its name');
refused('dropped, and another one\'s of its name', $name, $run, qr/its policy was dropped/);
is(as('mallory', "SELECT sdc_reject($run, 'old')"), '', 'her run can be rejected');

# Rights are withdrawn
($name, $run) = waits();
$node->safe_psql('postgres', 'CREATE ROLE officers; GRANT officers TO bob');
as('mallory', definition($name, approvers => q{'{officers}'}) . "; SELECT sdc_reject($run, 'anew'); CALL sdc_run('$name')");
$run = $node->safe_psql('postgres', "SELECT run FROM sdc_runs WHERE policy = '$name' AND status = 'waiting'");
$node->safe_psql('postgres', 'REVOKE officers FROM bob');
refused('not a member any more', $name, $run, qr/does not exist/, 'bob');
($name, $run) = waits();
$node->safe_psql('postgres', 'CREATE SCHEMA dba; GRANT ALL ON SCHEMA dba TO mallory');
as('mallory', definition($name, publish_as => q{'dba.public'}) . "; SELECT sdc_reject($run, 'anew'); CALL sdc_run('$name')");
$run = $node->safe_psql('postgres', "SELECT run FROM sdc_runs WHERE policy = '$name' AND status = 'waiting'");
$node->safe_psql('postgres', 'REVOKE ALL ON SCHEMA dba FROM mallory');
refused('no right on the schema any more', $name, $run, qr/permission denied for schema dba/);
$node->safe_psql('postgres', "CREATE TABLE m.theirs (LIKE m.t); INSERT INTO m.theirs TABLE m.t; ALTER TABLE m.theirs ADD PRIMARY KEY (id); GRANT SELECT ON m.theirs TO mallory");
($name, $run) = waits();
as('mallory', definition($name) =~ s/m\.t'/m.theirs'/r . "; SELECT sdc_reject($run, 'anew'); CALL sdc_run('$name')");
$run = $node->safe_psql('postgres', "SELECT run FROM sdc_runs WHERE policy = '$name' AND status = 'waiting'");
$node->safe_psql('postgres', 'REVOKE ALL ON m.theirs FROM mallory');
refused('the source may not be read any more', $name, $run, qr/may not read|permission denied|not exist/);
($name, $run) = waits();
$node->safe_psql('postgres', 'ALTER ROLE mallory RENAME TO eve');
like(as('boss', "SELECT sdc_approve($run)"), qr/does not exist|started by a role/, 'who started it has another name: it is not approved');
like(as('eve', "SELECT sdc_approve($run)"), qr/does not exist|started by a role/, 'nor by him under this name');
$node->safe_psql('postgres', 'ALTER ROLE eve RENAME TO mallory');
like(as('mallory', "SELECT sdc_approve($run)"), qr/started by the same role/, 'nor under the old one');
is(as('boss', "SELECT sdc_approve($run)"), '', 'and after that it is');

# The release is another one, and evaluated again: by hand
my %swap = (
	'changed' => q{UPDATE m.%1$s AS r SET age = t.age FROM m.t AS t WHERE t.id = r.id},
	'changed and evaluated' => q{UPDATE m.%1$s AS r SET age = t.age FROM m.t AS t WHERE t.id = r.id; SELECT count(*) FROM sdc_evaluate('m.%1$s')},
	'evaluated' => q{SELECT count(*) FROM sdc_evaluate('m.%1$s', force => true)},
	'made anew' => qq{SELECT count(*) FROM sdc_rankswap('m.t', p => 0.0001, key => '{id}', columns => '{age}', keep => '{x}', target => 'm.%1\$s', replace => true); SELECT count(*) FROM sdc_evaluate('m.%1\$s')},
	'dropped and made' => qq{DROP TABLE m.%1\$s; SELECT count(*) FROM sdc_rankswap('m.t', p => 0.0001, key => '{id}', columns => '{age}', keep => '{x}', target => 'm.%1\$s'); SELECT count(*) FROM sdc_evaluate('m.%1\$s')},
	'registered' => qq{DROP TABLE m.%1\$s; CREATE TABLE m.%1\$s AS SELECT id, age, x FROM m.t; ALTER TABLE m.%1\$s ADD PRIMARY KEY (id); SELECT sdc_register('m.t', 'm.%1\$s', '{age}', '{id}'); SELECT count(*) FROM sdc_evaluate('m.%1\$s')},
	'dropped' => q{DROP TABLE m.%1$s},
	'with less rows' => q{DELETE FROM m.%1$s WHERE id > 20},
	'with another column of the name' => q{ALTER TABLE m.%1$s RENAME x TO y; ALTER TABLE m.%1$s ADD x int; UPDATE m.%1$s SET x = age});

foreach my $what (sort keys %swap)
{
	($name, $run) = waits();
	is(as('mallory', sprintf($swap{$what}, "${name}_run_$run")), '', "the release is $what");
	refused("the release is $what", $name, $run, qr/changed since|anew since|does not exist any more|never evaluated|has copied column/);
}

# By code of the owner's that the approval runs, after a change that is none
($name, $run) = waits();
hostile_as($node, 'mallory', qq{
	CREATE TABLE m.done (n int);
	INSERT INTO m.done VALUES (0);
	CREATE FUNCTION m.swap() RETURNS void LANGUAGE plpgsql AS \$\$ BEGIN END \$\$;
	CREATE FUNCTION m.swapping(i int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS \$\$ BEGIN PERFORM m.swap(); RETURN i; END \$\$;
	UPDATE m.${name}_run_$run SET age = age WHERE id = 1;
	CREATE INDEX ON m.${name}_run_$run ((x + m.swapping(1)));
	CREATE OR REPLACE FUNCTION m.swap() RETURNS void LANGUAGE plpgsql AS \$\$
	BEGIN
		IF session_user <> 'mallory' AND (SELECT n FROM m.done) = 0 THEN
			UPDATE m.done SET n = 1;
			UPDATE m.${name}_run_$run AS r SET age = t.age FROM m.t AS t WHERE t.id = r.id;
			RAISE LOG 'the release is swapped by % of %', current_user, session_user;
		END IF;
	END
	\$\$});
my $mark = -s $node->logfile;

as('boss', "SELECT sdc_approve($run)");
like(slurp_file($node->logfile, $mark), qr/the release is swapped by mallory of boss/, 'code of the owner\'s swaps the release while it is approved');
my $published = $node->safe_psql('postgres', "SELECT coalesce(to_regclass('m.of_$name')::text, '')");
isnt($published eq '' ? '' : $node->safe_psql('postgres', qq{SELECT md5(string_agg((age, x)::text, ',' ORDER BY age, x)) FROM $published}), $node->safe_psql('postgres', "SELECT $raw"),
	'and what is published, if anything, is not the source');
# By another session, which commits while the release is looked at
($name, $run) = waits();
my $boss = $node->background_psql('postgres', on_error_stop => 0, extra_params => [ '-U', 'boss' ]);
my $mallory = $node->background_psql('postgres', on_error_stop => 0, extra_params => [ '-U', 'mallory' ]);

sdc_query($mallory, "UPDATE m.${name}_run_$run SET age = age WHERE id = 1");
sdc_query($mallory, "BEGIN; UPDATE m.${name}_run_$run AS r SET age = t.age FROM m.t AS t WHERE t.id = r.id");
sdc_pid($boss);
sdc_start($boss, "SELECT sdc_approve($run)");
$node->poll_query_until('postgres', 'SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pid = ' . sdc_pid($boss) . ') OR NOT EXISTS (SELECT FROM pg_stat_activity WHERE state = \'active\' AND pid = ' . sdc_pid($boss) . ')');
sdc_query($mallory, 'COMMIT');
my $said = sdc_finish($boss);

$published = $node->safe_psql('postgres', "SELECT coalesce(to_regclass('m.of_$name')::text, '')");
isnt($published eq '' ? $said : $node->safe_psql('postgres', qq{SELECT md5(string_agg((age, x)::text, ',' ORDER BY age, x)) FROM $published}),
	$node->safe_psql('postgres', "SELECT $raw"), 'another session swaps it: what is published, if anything, is not the source');
$boss->quit;
$mallory->quit;

# In a run that nobody has to approve: code that runs in it swaps the release and evaluates it anew, at every time that it is called
hostile_as($node, 'mallory', qq{
	CREATE SEQUENCE m.turn;
	CREATE TABLE m.when_to (turn int);
	INSERT INTO m.when_to VALUES (0);
	CREATE FUNCTION m.later(i int) RETURNS boolean LANGUAGE plpgsql SET search_path = public, pg_catalog AS \$\$
	DECLARE
		r text := (SELECT oid::regclass FROM pg_class WHERE relname ~ '^composed_run_' AND relkind = 'r' ORDER BY oid DESC LIMIT 1);
	BEGIN
		IF i = 1 AND nextval('m.turn') = (SELECT turn FROM m.when_to) AND r IS NOT NULL THEN
			EXECUTE format('UPDATE %s AS r SET age = t.age FROM m.t AS t WHERE t.id = r.id', r);
			EXECUTE format('SELECT count(*) FROM sdc_evaluate(%L)', r);
			RAISE LOG 'it is evaluated anew by %', current_user;
		END IF;
		RETURN true;
	END
	\$\$;
	CREATE VIEW m.later AS SELECT id, age, x FROM m.t WHERE m.later(id);
	SELECT sdc_policy_set('composed', 'm.later', '[{"method": "rankswap", "columns": ["age"], "p": 20}]', 'm.of_composed', '{id}', keep => '{x}',
		limits => '{"people_found": 100, "composed_people_found": 100}', on_unchanged => 'publish', history => 3)});
as('postgres', q{CALL sdc_run('composed')}) for (1, 2);
my $turns = $node->safe_psql('postgres', q{ALTER SEQUENCE m.turn RESTART; CALL sdc_run('composed'); SELECT last_value FROM m.turn});
my @same;

$mark = -s $node->logfile;
foreach my $turn (1 .. $turns)
{
	as('postgres', "ALTER SEQUENCE m.turn RESTART; UPDATE m.when_to SET turn = $turn; CALL sdc_run('composed')");
	push @same, $turn if $node->safe_psql('postgres', qq{SELECT (SELECT md5(string_agg((age, x)::text, ',' ORDER BY age, x)) FROM m.of_composed) = $raw}) eq 't';
}
like(slurp_file($node->logfile, $mark), qr/it is evaluated anew by mallory/, "code of the owner's evaluates the release anew in one of $turns turns");
is("@same", '', 'and what is published is never the source');
is($node->safe_psql('postgres', q{SELECT count(*) FROM sdc_runs WHERE policy = 'composed' AND status NOT IN ('published', 'failed', 'rejected')}), '0', 'every run is published or failed');

# A row that somebody has forged, or restored, is nobody's word but his
$node->safe_psql('postgres', q{CREATE DATABASE forged; CREATE ROLE dbo LOGIN; CREATE ROLE steward LOGIN; GRANT steward TO dbo; ALTER DATABASE forged OWNER TO dbo});
$node->safe_psql('forged', 'CREATE EXTENSION sdc; CREATE SCHEMA s AUTHORIZATION steward; CREATE SCHEMA m AUTHORIZATION mallory');
hostile_as($node, 'steward', 'SET client_min_messages = error;' . hostile_table('s.t') . qq{
	SELECT sdc_policy_set('n', 's.t', '$steps', 's.pub', '{id}', keep => '{x}', omit => '{income,region,job}', limits => '{"people_found": 1}', approve => true, approvers => '{boss}');
	SELECT FROM sdc_rankswap('s.t', p => 0.001, key => '{id}', columns => '{age}', keep => '{x}', target => 's.weak');
	SELECT count(*) FROM sdc_evaluate('s.weak')}, 'forged');
my $place = $node->safe_psql('forged', q{SELECT quote_ident(n.nspname) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.relname = 'sdc_run_log'});
my $forge = sub {
	my ($number, $owner, $starter, $more) = @_;

	return as('dbo', qq{INSERT INTO $place.sdc_run_log SELECT $number, 'n', '$owner', '$starter', '2026-01-01', '2026-01-01', 'waiting', NULL, '{boss,bob}',
		jsonb_build_object('definition', definition, 'release', 's.weak', 'release_oid', 's.weak'::regclass::oid::text, 'source_records', 40, 'evaluation', 'x',
		'measures', '{"judged": {"people_found": 0.1}}'::jsonb, 'limits', '[]'::jsonb), '-' FROM $place.sdc_policy_catalog}, 'forged');
};

is($forge->(500, 'steward', 'boss'), '', 'a database owner, who has the rights of the policy\'s owner, forges a row');
is($forge->(501, 'mallory', 'boss'), '', 'and one of a stranger\'s');
is($forge->(502, 'steward', 'nobody'), '', 'and one that nobody has started');
foreach my $who ('dbo', 'boss', 'bob', 'steward', 'postgres', 'mallory')
{
	foreach my $forged (500 .. 502)
	{
		like(as($who, "SELECT sdc_approve($forged)", 'forged'), qr/was restored|does not exist|started by the same role/, "$who does not approve forged row $forged");
	}
}
like(($node->psql('forged', 'SELECT sdc_approve(500)', extra_params => [ '-U', 'dbo' ]))[2], qr/it was restored, and not measured here\nHINT:  Reject it, and run the policy again/, 'and is told what to do');
is($node->safe_psql('forged', "SELECT string_agg(concat_ws(' ', run, status, written_by, detail ->> 'approver'), ', ' ORDER BY run) FROM $place.sdc_run_log"),
	'500 waiting dbo, 501 waiting dbo, 502 waiting dbo', 'the rows are what they were');
is($node->safe_psql('forged', q{SELECT to_regclass('s.pub')}), '', 'nothing is published by them');
is(as('steward', q{SELECT sdc_reject(500, 'forged'), sdc_reject(502, 'forged')}, 'forged'), '', 'their owner rejects them');
is(as('steward', q{SELECT sdc_policy_set('n', 's.t', '[{"method": "rankswap", "columns": ["age"], "p": 30}]', 's.pub', '{id}', keep => '{x}', omit => '{income,region,job}',
	limits => '{"people_found": 100}', approve => true, approvers => '{boss}'); CALL sdc_run('n')}, 'forged'), '', 'and runs the policy');
is(as('boss', q{SELECT sdc_approve((SELECT run FROM sdc_runs WHERE status = 'waiting' AND policy = 'n' AND started_by = 'steward'))}, 'forged'), '', 'that run is approved');
unlike(hostile_harm($node), qr/ran as|program/, 'nothing ran with rights that were not hers');

$node->stop;
done_testing();

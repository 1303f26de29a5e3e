# 037_hostile_hands.pl
#		Code of the attacker's, run in somebody else's session, calls functions of the extension.
#
# The log says who has started, approved and published, and that is who is logged in.  So nobody's code that another
# session runs with other rights may do these things: in views, index expressions, foreign keys, SECURITY DEFINER functions, runs
# of other policies, materialized views, and in sessions of the server's own: autovacuum, and the apply worker of logical
# replication.  What code does with its owner's own rights, and the log does not tell of, is no harm.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;
use Hostile;

my $node = hostile_node('main', conf => "wal_level = logical\nmax_wal_senders = 4\nmax_replication_slots = 4\nautovacuum = on\nautovacuum_naptime = 1s\n");
my $steps = q{[{"method": "rankswap", "columns": ["age"], "p": 5}]};
my $limits = q{'{"people_found": 100}'};
my $policy = sub { my ($name, $source, $more) = @_; return qq{SELECT sdc_policy_set('$name', '$source', '$steps', 'm.of_$name', '{id}', keep => '{x}',
	omit => '{income,region,job}', limits => $limits, on_unchanged => 'publish'$more)} };

# What the code tries: those that would be in the log by the name of whoever is logged in, and those that are not.
my %deed = (
	approve => q{SELECT sdc_approve((SELECT min(run) FROM sdc_runs WHERE policy = 'two'))},
	reject => q{SELECT sdc_reject((SELECT min(run) FROM sdc_runs WHERE policy = 'two'), 'no')},
	publish => q{SELECT count(*) FROM sdc_publish('m.own', 'm.by_code', keep => '{income,region,job,x}', force => true, replace => true)},
	again => q{SELECT count(*) FROM sdc_publish('m.own', 'm.by_hand', keep => '{income,region,job,x}', force => true, replace => true)},
	withdraw => q{SELECT sdc_withdraw('m.by_hand', 'no')},
	run => q{CALL sdc_run('plain')});
my %other = (
	'begin' => q{SELECT sdc_private.run_work('plain', (SELECT max(run) FROM sdc_runs WHERE policy = 'plain'), '{}')},
	evaluate => q{SELECT count(*) FROM sdc_evaluate('m.spare')},
	set => $policy->('extra', 'm.t', ''),
	unset => q{SELECT sdc_policy_drop('extra')},
	protect => q{SELECT count(*) FROM sdc_protect('m.t', '[{"method": "rankswap", "columns": ["age"], "p": 5}]', key => '{id}', keep => '{x}', target => 'm.spare', replace => true)});
my $all = join(', ', map { "('$_', \$d\$$deed{$_}\$d\$)" } sort keys %deed) . ', ' . join(', ', map { "('$_', \$d\$$other{$_}\$d\$)" } sort keys %other);

$node->safe_psql('postgres', 'CREATE SCHEMA dba; CREATE TABLE dba.mine (id int PRIMARY KEY, age int); INSERT INTO dba.mine SELECT i, i % 9 FROM generate_series(1, 20) AS i');
hostile_as($node, 'mallory', 'SET client_min_messages = error;' . hostile_table('m.t') . qq{
	SELECT FROM sdc_rankswap('m.t', p => 5, key => '{id}', columns => '{age}', keep => '{income,region,job,x}', target => 'm.own');
	SELECT FROM sdc_rankswap('m.t', p => 5, key => '{id}', columns => '{age}', keep => '{x}', target => 'm.spare');
	SELECT FROM sdc_publish('m.own', 'm.by_hand', keep => '{income,region,job,x}', force => true);
	@{[ $policy->('two', 'm.t', q{, approve => true, approvers => '{boss}'}) ]};
	CALL sdc_run('two');
	@{[ $policy->('plain', 'm.t', '') ]};
	CALL sdc_run('plain');
	-- once in every statement of somebody else's session
	CREATE FUNCTION m.hand(tag text) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_catalog AS \$f\$
	DECLARE
		d record;
		turn text := concat_ws('/', tag, pg_backend_pid(), statement_timestamp());
	BEGIN
		IF session_user = 'mallory' OR turn = current_setting('m.turn', true) THEN
			RETURN;
		END IF;
		PERFORM set_config('m.turn', turn, true);
		FOR d IN SELECT * FROM (VALUES $all) AS v (name, statement) LOOP
			BEGIN
				EXECUTE d.statement;
				RAISE LOG 'hand [%] [%]: 00000 as % of %', tag, d.name, current_user, session_user;
			EXCEPTION WHEN OTHERS THEN
				RAISE LOG 'hand [%] [%]: % as % of %', tag, d.name, sqlstate, current_user, session_user;
			END;
		END LOOP;
	END
	\$f\$;
	CREATE FUNCTION m.reach(tag text, value int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS \$f\$ BEGIN PERFORM m.hand(tag); RETURN value; END \$f\$;
	CREATE FUNCTION m.reach_volatile(tag text, value int) RETURNS int VOLATILE LANGUAGE plpgsql AS \$f\$ BEGIN PERFORM m.hand(tag); RETURN value; END \$f\$;
	CREATE FUNCTION m.reach_trigger() RETURNS trigger LANGUAGE plpgsql AS \$f\$ BEGIN PERFORM m.hand(TG_ARGV[0]); RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END; END \$f\$;
	CREATE VIEW m.v AS SELECT id, m.reach_volatile('view', age) AS age, income, region, job, x FROM m.t;
	@{[ $policy->('trap', 'm.v', '') ]};
	CREATE TABLE m.indexed (LIKE m.t INCLUDING ALL);
	INSERT INTO m.indexed SELECT * FROM m.t;
	GRANT SELECT ON m.v, m.indexed TO PUBLIC;
	CREATE INDEX indexed_x ON m.indexed ((x + m.reach('index', 1)));
	CREATE TABLE m.bait (x int) WITH (autovacuum_enabled = false);
	CREATE INDEX bait_x ON m.bait (m.reach('maintenance', x));
	INSERT INTO m.bait SELECT generate_series(1, 50);
	CREATE MATERIALIZED VIEW m.stored AS SELECT m.reach_volatile('refresh', x) AS x FROM m.bait WITH NO DATA;
	CREATE FUNCTION m.definer() RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS \$f\$ BEGIN PERFORM m.hand('definer'); END \$f\$;
	CREATE TABLE m.parent (id int PRIMARY KEY);
	CREATE TABLE m.child (id int REFERENCES m.parent ON DELETE CASCADE);
	INSERT INTO m.parent VALUES (1), (2), (3);
	INSERT INTO m.child VALUES (1), (2), (3);
	CREATE TRIGGER t BEFORE DELETE ON m.child FOR EACH ROW EXECUTE FUNCTION m.reach_trigger('foreign key');
	GRANT SELECT, DELETE ON m.parent TO boss;
	CREATE TABLE m.vacuumed (x int) WITH (autovacuum_analyze_threshold = 1, autovacuum_analyze_scale_factor = 0);
	CREATE INDEX ON m.vacuumed (m.reach('autovacuum', x));
	CREATE TABLE m.applied (x int PRIMARY KEY);
	CREATE TRIGGER t BEFORE INSERT ON m.applied FOR EACH ROW EXECUTE FUNCTION m.reach_trigger('apply');
	ALTER TABLE m.applied ENABLE ALWAYS TRIGGER t;
});

# state returns what the log and the publications say.
sub state
{
	return $node->safe_psql('postgres', q{
		SELECT concat_ws(' ', run, policy, status, 'started by', started_by, 'approved by', approved_by, target) FROM sdc_runs ORDER BY run;
		SELECT concat_ws(' ', publication, encode(sha256, 'hex'), 'by', published_by) FROM sdc_publications ORDER BY publication::text});
}

# heard returns what the code has tried since the last call under a tag, as a hash of deeds with their SQLSTATEs.
my $heard = -s $node->logfile;

sub heard
{
	my ($tag) = @_;
	my $log = slurp_file($node->logfile, $heard);
	my %state;

	$heard += length $log;
	$state{$1}{$2} = 1 while ($log =~ /hand \[\Q$tag\E\] \[(\w+)\]: (\w+) as/g);
	return map { $_ => join(' ', sort keys %{ $state{$_} }) } keys %state;
}

# judge looks at what a piece of code has achieved: nothing that the log tells of.
sub judge
{
	my ($title, $tag, $before, $more) = @_;
	my %tried = heard($tag);

	is(join(' ', map { "$_:" . ($tried{$_} // '-') } sort keys %deed), join(' ', map { "$_:42501" } sort keys %deed), "$title: it is tried, and refused");
	my $now = state();
	$now =~ s/^$more\n//m or fail("$title: the row of the run") if $more;
	is($now, $before, "$title: the log and what is published are as before");
	return;
}

my $before = state();
unlike($before, qr/by_code/, 'nothing is published by code in the beginning');
like($before, qr/^2 two waiting started by mallory approved by$/m, 'a run waits');

# Those who call: the title, the tag of the code, who calls, and what.
my @calls = (
	[ 'a view that is measured', 'view', 'postgres', q{SELECT count(*) FROM sdc_kanonymity('m.v', '{age}')} ],
	[ 'a view that is protected', 'view', 'postgres', q{SELECT count(*) FROM sdc_rankswap('m.v', p => 5, key => '{id}', columns => '{age}', keep => '{}', target => 'dba.r1')} ],
	[ 'a view, by its owner\'s deputy', 'view', 'postgres', q{SET ROLE deputy; SELECT count(*) FROM sdc_kanonymity('m.v', '{age}')} ],
	[ 'an index expression, measured', 'index', 'postgres', q{SELECT count(*) FROM sdc_kanonymity('m.indexed', '{age}')} ],
	[ 'an index expression, by a reader', 'index', 'reader', q{SELECT count(*) FROM sdc_kanonymity('m.indexed', '{age}')} ],
	[ 'an index expression, protected', 'index', 'postgres', q{SELECT count(*) FROM sdc_rankswap('m.indexed', p => 5, key => '{id}', columns => '{age}', keep => '{}', target => 'dba.r2')} ],
	[ 'ANALYZE', 'maintenance', 'postgres', 'ANALYZE m.bait' ], [ 'REINDEX', 'maintenance', 'postgres', 'REINDEX TABLE m.bait' ],
	[ 'CREATE INDEX', 'maintenance', 'postgres', q{CREATE INDEX ON m.bait (m.reach('maintenance', x), x)} ],
	[ 'CREATE INDEX CONCURRENTLY', 'maintenance', 'postgres', q{CREATE INDEX CONCURRENTLY ON m.bait (m.reach('maintenance', x), x)} ],
	[ 'CLUSTER', 'maintenance', 'postgres', 'CLUSTER m.bait USING bait_x' ], [ 'VACUUM FULL', 'maintenance', 'postgres', 'VACUUM FULL m.bait' ],
	[ 'REFRESH MATERIALIZED VIEW', 'refresh', 'postgres', 'REFRESH MATERIALIZED VIEW m.stored' ],
	[ 'a materialized view of one\'s own', 'refresh', 'boss', 'REFRESH MATERIALIZED VIEW boss.stored' ],
	[ 'an index of one\'s own', 'maintenance', 'boss', q{CREATE INDEX ON boss.bait (m.reach('maintenance', x))} ],
	[ 'SECURITY DEFINER', 'definer', 'boss', 'SELECT m.definer()' ], [ 'SECURITY DEFINER in a transaction', 'definer', 'boss', 'BEGIN; SELECT m.definer(); COMMIT' ],
	[ 'SECURITY DEFINER in a block', 'definer', 'postgres', 'DO $$ BEGIN PERFORM m.definer(); END $$' ],
	[ 'a foreign key', 'foreign key', 'boss', 'DELETE FROM m.parent WHERE id = 1' ],
	[ 'a foreign key, by a superuser', 'foreign key', 'postgres', 'DELETE FROM m.parent WHERE id = 2' ]);

$node->safe_psql('postgres', q{CREATE SCHEMA boss AUTHORIZATION boss; CREATE TABLE boss.bait AS SELECT 1 AS x; ALTER TABLE boss.bait OWNER TO boss;
	CREATE MATERIALIZED VIEW boss.stored AS SELECT m.reach_volatile('refresh', 1) AS x WITH NO DATA; ALTER MATERIALIZED VIEW boss.stored OWNER TO boss});
foreach my $call (@calls)
{
	my ($title, $tag, $who, $sql) = @$call;

	heard('');
	$node->psql('postgres', $sql, on_error_stop => 0, extra_params => [ '-U', $who ]);
	judge($title, $tag, $before);
}

# A run of another policy of hers: its own row, and nothing else
foreach my $who ('postgres', 'deputy')
{
	my $rows = () = $before =~ /^\d+ /mg;

	heard('');
	$node->psql('postgres', q{CALL sdc_run('trap')}, on_error_stop => 0, extra_params => [ '-U', $who ]);
	my %tried = heard('view');
	is(join(' ', map { "$_:" . ($tried{$_} // '-') } sort keys %deed), join(' ', map { "$_:42501" } sort keys %deed), "a run of another policy, by $who: it is tried, and refused");
	my $now = state();
	my $new = join("\n", grep { index($before, $_) < 0 } split /\n/, $now);

	like($new, qr/^\d+ trap published started by $who approved by m\.of_trap\nm\.of_trap \w+ by mallory$/, "a run of another policy, by $who: the log has its own row, and nothing else");
	is(scalar(() = $now =~ /^\d+ /mg), $rows + 1, "a run of another policy, by $who: and one more than before");
	$before = $now;
}

# Sessions of the server's
hostile_as($node, 'mallory', 'INSERT INTO m.vacuumed SELECT generate_series(1, 50)');
$node->wait_for_log(qr/hand \[autovacuum\] \[withdraw\]/, $heard);
judge('autovacuum', 'autovacuum', $before);
$node->safe_psql('postgres', 'CREATE DATABASE source');
$node->safe_psql('source', q{CREATE SCHEMA m; CREATE TABLE m.applied (x int PRIMARY KEY); CREATE PUBLICATION hand FOR TABLE m.applied;
	SELECT pg_create_logical_replication_slot('hand', 'pgoutput')});
$node->safe_psql('postgres', "CREATE SUBSCRIPTION hand CONNECTION '" . ($node->connstr . ' dbname=source') . "' PUBLICATION hand WITH (create_slot = false, slot_name = 'hand', copy_data = false)");
$node->safe_psql('source', 'INSERT INTO m.applied VALUES (1)');
$node->wait_for_log(qr/hand \[apply\] \[withdraw\]/, $heard);
judge('logical replication', 'apply', $before);
$node->safe_psql('postgres', 'DROP SUBSCRIPTION hand');

# Neither does a function that a superuser has made for it: the log says who is logged in, and not whose function it is
$node->safe_psql('postgres', q{CREATE FUNCTION dba.approve(bigint) RETURNS void LANGUAGE sql SECURITY DEFINER AS 'SELECT sdc_approve($1)';
	GRANT USAGE ON SCHEMA dba TO PUBLIC});
like(($node->psql('postgres', 'SELECT dba.approve(2)', extra_params => [ '-U', 'bob' ]))[2], qr/sdc_approve is not for code that a run, or another role's session, has called/,
	'a function with the rights of somebody else does not approve');
is(state(), $before, 'and nothing is approved by it');

# Every publication has its row, by the one who published it, and no session is inside of a run
is($node->safe_psql('postgres', q{SELECT p.publication FROM sdc_publications AS p WHERE 1 <> (SELECT count(*) FROM sdc_runs AS r
	WHERE r.status = 'published' AND r.target = p.publication::text AND r.sha256 = encode(p.sha256, 'hex'))}), '', 'every publication has one row of the log');
my $session = $node->background_psql('postgres', on_error_stop => 0);

sdc_query($session, 'SET client_min_messages = error');
sdc_query($session, $_) foreach (q{SELECT count(*) FROM sdc_kanonymity('m.v', '{age}')}, qq{SELECT sdc_policy_set('dbas', 'dba.mine', '$steps', 'dba.public', '{id}', limits => $limits)}, q{CALL sdc_run('dbas')});
is($node->safe_psql('postgres', q{SELECT status, started_by FROM sdc_runs WHERE policy = 'dbas'}), 'published|postgres', 'who has measured her view runs policies of his own in this session');
$session->quit;

# Two persons who call by themselves
is($node->safe_psql('postgres', q{SELECT sdc_approve(2)}, extra_params => [ '-U', 'boss' ]), '', 'boss approves by himself');
is($node->safe_psql('postgres', q{SELECT concat_ws(' ', status, 'started by', started_by, 'approved by', approved_by) FROM sdc_runs WHERE run = 2}),
	'published started by mallory approved by boss', 'and the log says so');
is($node->safe_psql('postgres', q{SELECT count(*) FROM sdc_runs WHERE target = 'm.of_two'}), '1', 'in one row');
is(hostile_harm($node), '', 'nothing ran with rights that were not hers');

$node->stop;
done_testing();

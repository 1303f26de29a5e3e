# 003_progress.pl
#		The view sdc_progress, while calls run in other sessions.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = sdc_node('main');
sdc_large_table($node, 20_000);
$node->safe_psql('postgres', q{
	CREATE ROLE caller LOGIN;
	CREATE ROLE nobody LOGIN;
	CREATE ROLE monitor LOGIN;
	GRANT pg_read_all_stats TO monitor;
	GRANT SELECT ON large TO caller;
	GRANT CREATE ON SCHEMA public TO caller;
	CREATE DATABASE other;

	-- what a session sees of another one that waits at every so manyth test point, until that gives
	-- up its advisory lock 1: the two take turns by the locks of the test points, one of which
	-- this session has when it begins
	CREATE FUNCTION observe(backend int) RETURNS jsonb LANGUAGE plpgsql AS $$
	DECLARE
		row record;
		last record;
		phases text[] := '{}';
		backwards int := 0;
		rows int := 0;
		looks int := 0;
		most bigint := 0;
		estimates int := 0;
		wrong int := 0;
		turn int := 1;
	BEGIN
		LOOP
			LOOP
				PERFORM pg_stat_clear_snapshot();
				EXIT WHEN EXISTS (SELECT FROM pg_locks WHERE pid = backend AND locktype = 'advisory' AND objid = turn AND NOT granted)
					OR NOT EXISTS (SELECT FROM pg_locks WHERE pid = backend AND locktype = 'advisory' AND objsubid = 1);
			END LOOP;
			EXIT WHEN NOT EXISTS (SELECT FROM pg_locks WHERE pid = backend AND locktype = 'advisory' AND NOT granted);
			looks := looks + 1;
			FOR row IN SELECT * FROM sdc_progress WHERE pid = backend LOOP
				rows := rows + 1;
				IF phases = '{}' OR row.phase <> phases[cardinality(phases)] THEN
					phases := phases || row.phase;
				ELSIF (row.attributes_done, row.records_done) < (last.attributes_done, last.records_done) OR row.percent < last.percent THEN
					backwards := backwards + 1;
				END IF;
				estimates := estimates + (row.remaining IS NOT NULL)::int;
				-- what has passed since the phase began, for what is left of it; the clock has gone on
				wrong := wrong + coalesce(row.percent NOT BETWEEN 0 AND 100 OR row.remaining < '0'
					OR row.remaining > (clock_timestamp() - row.phase_start) * (100 - row.percent) / nullif(row.percent, 0) + interval '1 ms'
					OR (row.remaining IS NULL) <> (coalesce(row.percent, 0) < 1), false)::int;
				most := greatest(most, row.records_done);
				last := row;
			END LOOP;
			PERFORM pg_advisory_lock(732, 3 - turn), pg_advisory_unlock(732, turn);
			turn := 3 - turn;
		END LOOP;
		PERFORM pg_advisory_unlock_all();
		IF rows = 0 THEN
			RETURN jsonb_build_object('rows', 0, 'looks', looks);
		END IF;
		RETURN jsonb_build_object('rows', least(rows, 1), 'looks', looks, 'phases', phases, 'backwards', backwards,
			'most', most, 'usename', last.usename, 'source', last.source, 'total', last.records_total,
			'attributes', last.attributes_done || ' of ' || last.attributes_total,
			'estimates', estimates > 10, 'wrong', wrong, 'recent', last.statement_start > pg_postmaster_start_time());
	END
	$$;
});
$node->safe_psql('other', 'CREATE EXTENSION sdc');

my @as = map { [ extra_params => [ '-U', $_ ] ] } qw(caller nobody monitor);
my $call = $node->background_psql('postgres', @{ $as[0] }, on_error_stop => 0);
my $pid = sdc_pid($call);
sdc_query($call, q{SET maintenance_work_mem = '1MB'; SET client_min_messages = error});

my %session = (
	superuser => $node->background_psql('postgres'),
	nobody => $node->background_psql('postgres', @{ $as[1] }),
	monitor => $node->background_psql('postgres', @{ $as[2] }),
	caller => $node->background_psql('postgres', @{ $as[0] }));
my $elsewhere = $node->background_psql('other');

# watched runs a statement that waits at every tenth of its test points, and returns what a session saw of it.
sub watched
{
	my ($sql, $who) = @_;
	my ($message, $seen);

	sdc_query($call, 'SELECT FROM pg_advisory_lock(1); SET sdc.test_wait_every = 10');
	sdc_hold($session{$who});
	sdc_start($session{$who}, "SELECT observe($pid)");
	sdc_start($call, $sql);
	$message = sdc_finish($call);
	sdc_query($call, 'SET sdc.test_wait_every = 0; SELECT FROM pg_advisory_unlock(1)');
	chomp($seen = sdc_finish($session{$who}));
	my ($looks) = $seen =~ /"looks": (\d+)/;
	cmp_ok($looks, '>', 100, "$who: looks $looks times");
	return ($message, $seen);
}

my (%seen, $message);
foreach my $who (sort keys %session)
{
	($message, $seen{$who}) = watched("SELECT FROM sdc_rankswap('large', p => 5, columns => '{a,b,note}', target => 'target_$who', seed => 1)", $who);
	is($message, '', "$who looks: the call succeeds");
}
my $all = $seen{superuser};
like($all, qr/"phases": \["reading", "protecting", "writing"\]/, 'superuser: sees the three phases in their order');
like($all, qr/"backwards": 0/, 'superuser: within a phase it only goes forward');
like($all, qr/"usename": "caller"/, 'superuser: sees who calls');
like($all, qr/"source": "large"/, 'superuser: sees the source');
like($all, qr/"attributes": "3 of 3"/, 'superuser: sees the attributes');
like($all, qr/"total": 20000\b/, 'superuser: sees the number of records');
like($all, qr/"estimates": true/, 'superuser: sees how long it will take');
like($all, qr/"wrong": 0/, 'superuser: which is what is left of a phase at the rate of what is done');
like($all, qr/"recent": true/, 'superuser: sees since when');
my ($most) = $all =~ /"most": (\d+)/;
ok($most > 1000 && $most <= 20000, "superuser: sees records done, at most all of them ($most)");
like($seen{$_}, qr/"phases": \["reading", "protecting", "writing"\].*"usename": "caller"/,
	$_ eq 'monitor' ? 'a member of pg_read_all_stats sees the same' : 'the role that calls sees its other sessions')
  foreach ('monitor', 'caller');
like($seen{nobody}, qr/"rows": 0\b/, 'another role sees nothing');
is($node->safe_psql('postgres', 'SELECT count(*) FROM sdc_progress'), 0, 'nothing is left after the call');

($message, my $seen) = watched(q{SELECT count(*) FROM sdc_rankswap(NULL::large, p => 5, columns => '{note}')}, 'superuser');
is($message, "20000\n", 'the row type form');
like($seen, qr/"phases": \["reading", "protecting", "writing"\]/, 'reports the same phases');

# an error, and another database
sdc_park($session{superuser}, $call, 'protecting', 5, q{SELECT FROM sdc_rankswap('large', p => 5, columns => '{note}', target => 'target_2')});
is(sdc_query($session{superuser}, 'SELECT phase FROM sdc_progress'), 'protecting', 'a call that waits');
is(sdc_query($elsewhere, 'SELECT count(*) FROM sdc_progress'), 0, 'another database sees nothing, even a superuser');
is(sdc_query($session{superuser}, 'SELECT count(*) FROM pg_stat_progress_create_index'), 0,
	'the server does not take it for a command of its own');
sdc_query($session{superuser}, "SELECT pg_cancel_backend($pid)");
like(sdc_finish($call), qr/canceling statement/, 'a call is cancelled');
sdc_release($session{superuser});
is($node->safe_psql('postgres', 'SELECT count(*) FROM sdc_progress'), 0, 'nothing is left after a cancel');

$_->quit foreach (values %session, $elsewhere, $call);
$node->stop;
done_testing();

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
sdc_large_table($node, 60_000);
$node->safe_psql('postgres', q{
	CREATE ROLE caller LOGIN;
	CREATE ROLE nobody LOGIN;
	CREATE ROLE monitor LOGIN;
	GRANT pg_read_all_stats TO monitor;
	GRANT SELECT ON large TO caller;
	GRANT CREATE ON SCHEMA public TO caller;
	CREATE DATABASE other;

	-- what a session sees of another one, until that gives up its advisory lock
	CREATE FUNCTION observe(backend int) RETURNS jsonb LANGUAGE plpgsql AS $$
	DECLARE
		row record;
		last record;
		phases text[] := '{}';
		backwards int := 0;
		rows int := 0;
		most bigint := 0;
	BEGIN
		LOOP
			PERFORM pg_stat_clear_snapshot();
			FOR row IN SELECT * FROM sdc_progress WHERE pid = backend LOOP
				rows := rows + 1;
				IF phases = '{}' OR row.phase <> phases[cardinality(phases)] THEN
					phases := phases || row.phase;
				ELSIF (row.attributes_done, row.records_done) < (last.attributes_done, last.records_done) THEN
					backwards := backwards + 1;
				END IF;
				most := greatest(most, row.records_done);
				last := row;
			END LOOP;
			EXIT WHEN NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = backend);
		END LOOP;
		IF rows = 0 THEN
			RETURN '{"rows": 0}';
		END IF;
		RETURN jsonb_build_object('rows', least(rows, 1), 'phases', phases, 'backwards', backwards,
			'most', most, 'usename', last.usename, 'source', last.source, 'total', last.records_total,
			'attributes', last.attributes_done || ' of ' || last.attributes_total,
			'recent', last.statement_start > now() - interval '1 hour');
	END
	$$;
});
$node->safe_psql('other', 'CREATE EXTENSION sdc');

my @as = map { [ extra_params => [ '-U', $_ ] ] } qw(caller nobody monitor);
my $call = $node->background_psql('postgres', @{ $as[0] }, on_error_stop => 0);
my $pid = sdc_query($call, 'SELECT pg_backend_pid()');
sdc_query($call, q{SET maintenance_work_mem = '1MB'});

my %session = (
	superuser => $node->background_psql('postgres'),
	nobody => $node->background_psql('postgres', @{ $as[1] }),
	monitor => $node->background_psql('postgres', @{ $as[2] }),
	caller => $node->background_psql('postgres', @{ $as[0] }));
my $elsewhere = $node->background_psql('other');

# watched runs a statement and returns what the sessions saw of it.
sub watched
{
	my ($sql, @who) = @_;
	my (%seen, %raw);

	sdc_query($call, 'SELECT FROM pg_advisory_lock(1)');
	sdc_start($session{$_}, "SELECT observe($pid)") foreach @who;
	sdc_start($call, $sql);
	my $message = sdc_finish($call);
	sdc_query($call, 'SELECT FROM pg_advisory_unlock(1)');
	foreach my $name (@who)
	{
		chomp($seen{$name} = sdc_finish($session{$name}));
	}
	return ($message, \%seen);
}

my ($message, $seen) =
  watched(q{SELECT FROM sdc_rankswap('large', columns => '{a,b,note}', target => 'target')}, keys %session);
is($message, '', 'the call succeeds');
my $all = $seen->{superuser};
like($all, qr/"phases": \["reading", "protecting", "writing"\]/, 'superuser: sees the three phases in their order');
like($all, qr/"backwards": 0/, 'superuser: within a phase it only goes forward');
like($all, qr/"usename": "caller"/, 'superuser: sees who calls');
like($all, qr/"source": "large"/, 'superuser: sees the source');
like($all, qr/"attributes": "3 of 3"/, 'superuser: sees the attributes');
like($all, qr/"total": 60000\b/, 'superuser: sees the number of records');
like($all, qr/"recent": true/, 'superuser: sees since when');
my ($most) = $all =~ /"most": (\d+)/;
ok($most > 1000 && $most <= 60000, "superuser: sees records done, at most all of them ($most)");
like($seen->{$_}, qr/"phases": \["reading", "protecting", "writing"\].*"usename": "caller"/,
	$_ eq 'monitor' ? 'a member of pg_read_all_stats sees the same' : 'the role that calls sees its other sessions')
  foreach ('monitor', 'caller');
is($seen->{nobody}, '{"rows": 0}', 'another role sees nothing');
is($node->safe_psql('postgres', 'SELECT count(*) FROM sdc_progress'), 0, 'nothing is left after the call');

($message, $seen) = watched(q{SELECT count(*) FROM sdc_rankswap(NULL::large, columns => '{note}')}, 'superuser');
like($seen->{superuser}, qr/"phases": \["reading", "protecting", "writing"\]/, 'the row type form reports the same phases');

# an error, and another database
sdc_start($call, q{SELECT FROM sdc_rankswap('large', columns => '{note}', target => 'target_2')});
sdc_wait_phase($session{superuser}, $pid, 'protecting');
is(sdc_query($elsewhere, 'SELECT count(*) FROM sdc_progress'), 0, 'another database sees nothing, even a superuser');
is(sdc_query($session{superuser}, 'SELECT count(*) FROM pg_stat_progress_create_index'), 0,
	'the server does not take it for a command of its own');
sdc_query($session{superuser}, "SELECT pg_cancel_backend($pid)");
like(sdc_finish($call), qr/canceling statement/, 'a call is cancelled');
is($node->safe_psql('postgres', 'SELECT count(*) FROM sdc_progress'), 0, 'nothing is left after a cancel');

$_->quit foreach (values %session, $elsewhere, $call);
$node->stop;
done_testing();

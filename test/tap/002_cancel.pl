# 002_cancel.pl
#		A call can be cancelled at any time, quickly, and leaves nothing.
#
# The budget is the smallest there is, so that everything goes through temporary
# files.  Calls are cancelled at their test points, at the first and the last one of every phase too.  How
# quickly a cancel is answered is what may be run between two looks for one: it is counted, not measured.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = sdc_node('main', conf => "log_temp_files = 0\n");

sdc_large_table($node, 20_000);
sdc_large_table($node, 80_000, 'huge');
$node->safe_psql('postgres', q{CREATE VIEW slow AS SELECT *, note || c AS more FROM large});

my ($session, $watch, $pid) = sdc_pair($node);
sdc_query($session, q{SET maintenance_work_mem = '1MB'; SET work_mem = '64kB'; SET client_min_messages = error});

# of what a session holds that has done nothing but been cancelled
my $contexts = q{SELECT count(*) FROM pg_backend_memory_contexts WHERE name ~ '^sdc'};

# leaves_nothing checks what a cancelled call must not leave behind.
sub leaves_nothing
{
	my ($title) = @_;
	my @open = grep { /pgsql_tmp/ } map { readlink($_) // '' } glob("/proc/$pid/fd/*");

	my @left = (
		sdc_query($watch, q{SELECT count(*) FROM pg_class WHERE relname ~ '_rankswap|^pg_temp|^target'}),
		sdc_query($watch, q{SELECT count(*) FROM sdc_private.sdc_release_catalog}),
		sdc_query($watch, q{SELECT count(*) FROM sdc_progress}),
		sdc_query($watch, "SELECT count(*) FROM pg_locks WHERE pid = $pid"),
		scalar(sdc_temp_files($node)),
		scalar(@open),
		sdc_query($session, $contexts));

	is("@left", '0 0 0 0 0 0 0',
		"$title: no table, row of the catalog, progress, lock, temporary file, open file or memory context is left");
	return;
}

my %call = (
	rankswap => q{SELECT FROM sdc_rankswap('large', p => 5, columns => '{a,b,c,note}', target => 'target', seed => 1)},
	distribution => q{SELECT FROM sdc_rankswap_distribution('large', p => 5, columns => '{a,b,c,note}', target => 'target', seed => 1)},
	buckets => q{SELECT FROM sdc_rankswap_buckets('large', buckets => 20, columns => '{note}', strata => '{a}', target => 'target', seed => 1)},
	memory => q{SELECT FROM sdc_rankswap('huge', p => 5, target => 'target', columns => '{note}', seed => 1)},
	rows => q{SELECT count(*) FROM sdc_rankswap(NULL::large, p => 5, columns => '{a,b,c,note}', seed => 1)},
	view => q{SELECT FROM sdc_rankswap('slow', p => 5, columns => '{more}', key => '{id}', target => 'target', seed => 1)});
my $unseeded = q{SELECT FROM sdc_rankswap('large', p => 5, columns => '{a,b,c,note}', target => 'target')};

# one whole call fills the caches of the session
sdc_query($session, "BEGIN; $call{rankswap}; ROLLBACK");
ok($node->log_contains('temporary file: path "base/pgsql_tmp'), 'the call uses temporary files');
my $base = sdc_memory($session);

#
# At test points of every phase
#
foreach my $name (sort keys %call)
{
	my ($most, %cancels) = (0);

	sdc_query($session, sprintf "SET maintenance_work_mem = '%s'", $name eq 'memory' ? '256MB' : '1MB');
	foreach my $phase ('reading', 'protecting', 'writing')
	{
		my ($cancels, $points, $longest) =
		  sdc_sweep($session, $call{$name}, phase => $phase, factor => 16, check => \&leaves_nothing);

		$cancels{$phase} = $cancels;
		$most = $longest if $longest > $most;
		note "$name, $phase: $points points";
	}
	cmp_ok($cancels{reading}, '>=', 2, "$name: it is cancelled $cancels{reading} times while reading");
	cmp_ok($cancels{protecting}, '>=', 3, "$name: it is cancelled $cancels{protecting} times while protecting");
	cmp_ok($cancels{writing}, '>=', 4, "$name: it is cancelled $cancels{writing} times while writing");
	sdc_answers($name, $most, 1);
}

#
# By pg_cancel_backend and statement_timeout, of a call that is its own transaction and waits
#
sdc_query($session, q{SET maintenance_work_mem = '1MB'});
foreach my $phase ('reading', 'protecting', 'writing')
{
	sdc_park($watch, $session, $phase, 3, $unseeded);
	sdc_query($watch, "SELECT pg_cancel_backend($pid)");
	like(sdc_finish($session), qr/canceling statement due to user request/, "pg_cancel_backend while $phase: it is cancelled");
	sdc_release($watch);
	leaves_nothing("pg_cancel_backend while $phase");

	# the call waits for ever: the time decides when it ends, not whether
	sdc_hold($watch);
	sdc_query($session, 'SET statement_timeout = 500');
	sdc_start($session, $unseeded);
	like(sdc_finish($session), qr/canceling statement due to statement timeout/, "statement_timeout while $phase: it is cancelled");
	sdc_query($session, 'RESET statement_timeout');
	sdc_release($watch);
	leaves_nothing("statement_timeout while $phase");
}

#
# In a transaction with a savepoint, which then goes on
#
sdc_query($session, 'BEGIN; CREATE TABLE kept AS SELECT 1 AS i; SAVEPOINT here');
sdc_park($watch, $session, 'protecting', 5, $unseeded);
sdc_query($watch, "SELECT pg_cancel_backend($pid)");
like(sdc_finish($session), qr/user request/, 'savepoint: the call is cancelled');
sdc_release($watch);
sdc_query($session, 'ROLLBACK TO here; COMMIT');
is(sdc_query($session, 'TABLE kept'), 1, 'savepoint: the transaction goes on');
leaves_nothing('savepoint');

my $after = sdc_memory($session);
cmp_ok($after - $base, '<', 1024 * 1024,
	"memory: after all that the session holds no more than before ($base, $after bytes)");

sdc_query($session, "SET sdc.test_wait_every = 0");
is(sdc_query($session, "SELECT count(*) FROM sdc_rankswap('large', p => 5, target => 'target')"), 5,
	'the session can make the release');
$session->quit;

#
# Terminated
#
my $other = $node->background_psql('postgres', on_error_stop => 0);
$pid = sdc_pid($other);
sdc_query($other, q{SET maintenance_work_mem = '1MB'});
sdc_park($watch, $other, 'protecting', 5, q{SELECT FROM sdc_rankswap('large', p => 5, columns => '{note}', target => 'target_2')});
is(sdc_query($watch, "SELECT pg_terminate_backend($pid)"), 't', 'terminate: the backend is told to end');
sdc_wait_gone($watch, $pid);
sdc_release($watch);
is(scalar(sdc_temp_files($node)), 0, 'terminate: no temporary file');
is(sdc_query($watch, q{SELECT to_regclass('target_2') IS NULL AND NOT EXISTS (SELECT FROM sdc_progress)}), 't',
	'terminate: no table, no progress');
eval { $other->quit };

$watch->quit;
$node->stop;
done_testing();

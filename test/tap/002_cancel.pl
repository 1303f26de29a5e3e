# 002_cancel.pl
#		A call can be cancelled at any time, quickly, and leaves nothing.
#
# The budget is the smallest there is, so that everything goes through temporary
# files; the text column's comparisons are slow.  What is measured is the time from the
# cancel to the end of the statement, in the server.  It is some milliseconds; allowed is
# half a second or so, a third of the time that the whole call takes: a call that
# did not look for cancels would not pass.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = sdc_node('main', conf => "log_temp_files = 0\n");

sdc_large_table($node, 80_000);
sdc_large_table($node, 300_000, 'huge');
$node->safe_psql('postgres', q{
	CREATE VIEW slow AS SELECT *, note || c AS more FROM large;
	-- cancels a backend once it is in a phase, a little later, and returns the milliseconds
	-- until it is idle; null if it never was there
	CREATE FUNCTION cancel_in(backend int, wanted text, later float8) RETURNS float8 LANGUAGE plpgsql AS $$
	DECLARE
		start timestamptz;
	BEGIN
		LOOP
			PERFORM pg_stat_clear_snapshot();
			EXIT WHEN EXISTS (SELECT FROM sdc_progress WHERE pid = backend AND phase = wanted);
			IF EXISTS (SELECT FROM pg_stat_activity WHERE pid = backend AND state <> 'active' AND query ~ 'sdc_') THEN
				RETURN NULL;
			END IF;
		END LOOP;
		PERFORM pg_sleep(later);
		start := clock_timestamp();
		PERFORM pg_cancel_backend(backend);
		LOOP
			PERFORM pg_stat_clear_snapshot();
			EXIT WHEN EXISTS (SELECT FROM pg_stat_activity WHERE pid = backend AND state <> 'active');
		END LOOP;
		RETURN extract(epoch FROM clock_timestamp() - start) * 1000;
	END
	$$;
});

my $session = $node->background_psql('postgres', on_error_stop => 0);
my $watch = $node->background_psql('postgres');
my $pid = sdc_query($session, 'SELECT pg_backend_pid()');
sdc_query($session, q{SET maintenance_work_mem = '1MB'; SET work_mem = '64kB'; SET client_min_messages = error});

# what a session holds that has done nothing but been cancelled
my $memory = q{SELECT sum(used_bytes) FROM pg_backend_memory_contexts};
my $contexts = q{SELECT count(*) FROM pg_backend_memory_contexts WHERE name ~ '^sdc'};

# takes back a call that has come to its end
my $undo = q{SELECT FROM sdc_unregister('target'); DROP TABLE target};

# leaves_nothing checks what a cancelled call must not leave behind.
sub leaves_nothing
{
	my ($title) = @_;
	my @open = grep { /pgsql_tmp/ } map { readlink($_) // '' } glob("/proc/$pid/fd/*");

	my @left = (
		sdc_query($watch, q{SELECT count(*) FROM pg_class WHERE relname ~ '_rankswap|^pg_temp|^target'}),
		sdc_query($watch, q{SELECT count(*) FROM sdc_release_catalog}),
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
	rankswap => q{SELECT FROM sdc_rankswap('large', columns => '{a,b,c,note}', target => 'target')},
	distribution => q{SELECT FROM sdc_rankswap_distribution('large', columns => '{a,b,c,note}', target => 'target')},
	buckets => q{SELECT FROM sdc_rankswap_buckets('large', columns => '{note}', strata => '{a}', target => 'target')},
	memory => q{SELECT FROM sdc_rankswap('huge', target => 'target', columns => '{note}')},
	rows => q{SELECT count(*) FROM sdc_rankswap(NULL::large, columns => '{a,b,c,note}')},
	view => q{SELECT FROM sdc_rankswap('slow', columns => '{more}', key => '{id}', target => 'target')});

# one whole call, to know how long it takes and to fill the caches of the session
my $start = time;
sdc_query($session, "BEGIN; $call{rankswap}; ROLLBACK");
my $whole = time - $start;
note sprintf 'the whole call takes %.1f s', $whole;
my $limit = int(400 + 1000 * $whole / 10);    # milliseconds
ok($node->log_contains('temporary file: path "base/pgsql_tmp'), 'the call uses temporary files');
my $base = sdc_query($session, $memory);

#
# By pg_cancel_backend, in every phase
#
my @cases = (
	[ 'rankswap', 'reading', 0 ], [ 'rankswap', 'reading', $whole / 20 ],
	[ 'rankswap', 'protecting', 0 ], [ 'rankswap', 'protecting', $whole / 4 ], [ 'rankswap', 'protecting', $whole / 2 ],
	[ 'rankswap', 'writing', 0 ],
	[ 'distribution', 'protecting', $whole / 3 ], [ 'buckets', 'protecting', 0.05 ],
	[ 'view', 'reading', 0.2 ], [ 'view', 'protecting', 0.1 ], [ 'rows', 'writing', 0.005 ],
	[ 'memory', 'protecting', 0 ], [ 'memory', 'protecting', 0.4 ]);

my $worst = 0;
foreach my $case (@cases)
{
	my ($name, $phase, $later) = @$case;
	my $title = sprintf 'cancel %s while %s (+ %.2f s)', $name, $phase, $later;

	sdc_query($session, sprintf "SET maintenance_work_mem = '%s'", $name eq 'memory' ? '256MB' : '1MB');
	my ($took, $message);
	foreach my $try (1 .. 5)
	{
		sdc_start($session, $call{$name});
		$took = sdc_query($watch, "SELECT cancel_in($pid, '$phase', $later / $try)");
		$message = sdc_finish($session);
		last if $message =~ /cancel/;
		sdc_query($session, $undo) if $name ne 'rows';    # too late: again, sooner
	}

	like($message, qr/canceling statement due to user request/, "$title: it is cancelled");
	cmp_ok($took || 1e9, '<', $limit, "$title: it ends within $limit ms");
	$worst = $took if ($took || 0) > $worst;
	leaves_nothing($title);
}
note sprintf 'the slowest cancel took %.0f ms', $worst;

#
# By statement_timeout, at moments spread over a call
#
sdc_query($session, q{SET maintenance_work_mem = '1MB'});
my $late = 0;
my $timed_out = 0;
foreach my $i (1 .. 8)
{
	my $timeout = int(1000 * $whole * $i / 10);
	my $message;

	sdc_query($session, "SET statement_timeout = $timeout");
	$start = time;
	sdc_start($session, $i % 2 ? $call{rankswap} : $call{distribution});
	$message = sdc_finish($session);
	my $over = 1000 * (time - $start) - $timeout;
	sdc_query($session, 'RESET statement_timeout');
	sdc_query($session, $undo) if $message !~ /statement timeout/;
	$timed_out++ if $message =~ /canceling statement due to statement timeout/;
	$late = $over if $over > $late;
}
note sprintf 'the latest timeout was %.0f ms late', $late;
cmp_ok($timed_out, '>=', 5, 'statement_timeout: most of the calls run into it');
cmp_ok($late, '<', $limit, "statement_timeout: no call runs on for $limit ms");
leaves_nothing('statement_timeout');

#
# In a transaction with a savepoint, which then goes on
#
sdc_query($session, 'BEGIN; CREATE TABLE kept AS SELECT 1 AS i; SAVEPOINT here');
sdc_start($session, $call{rankswap});
sdc_query($watch, "SELECT cancel_in($pid, 'protecting', 0.05)");
like(sdc_finish($session), qr/user request/, 'savepoint: the call is cancelled');
sdc_query($session, 'ROLLBACK TO here; COMMIT');
is(sdc_query($session, 'TABLE kept'), 1, 'savepoint: the transaction goes on');
leaves_nothing('savepoint');

#
# Terminated
#
sdc_start($session, $call{rankswap});
sdc_query($watch, "SELECT cancel_in($pid, 'reading', 0)");
sdc_finish($session);
my $after = sdc_query($session, $memory);
cmp_ok($after - $base, '<', 1024 * 1024,
	"memory: after all that the session holds no more than before ($base, $after bytes)");

is(sdc_query($session, "SELECT count(*) FROM sdc_rankswap('large', target => 'target')"), 5,
	'the session can make the release');
$session->quit;

my $other = $node->background_psql('postgres', on_error_stop => 0);
$pid = sdc_query($other, 'SELECT pg_backend_pid()');
sdc_query($other, q{SET maintenance_work_mem = '1MB'});
sdc_start($other, q{SELECT FROM sdc_rankswap('large', columns => '{note}', target => 'target_2')});
sdc_wait_phase($watch, $pid, 'protecting');
$start = time;
sdc_query($watch, "SELECT pg_terminate_backend($pid, 10000)");
cmp_ok(1000 * (time - $start), '<', $limit, "terminate: the backend is gone within $limit ms");
is(scalar(sdc_temp_files($node)), 0, 'terminate: no temporary file');
is(sdc_query($watch, q{SELECT to_regclass('target_2') IS NULL AND NOT EXISTS (SELECT FROM sdc_progress)}), 't',
	'terminate: no table, no progress');
eval { $other->quit };

$watch->quit;
$node->stop;
done_testing();

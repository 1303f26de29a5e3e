# 035_release_workers.pl
#		Attacks over several releases that share their work with parallel workers: the results of one process, and nothing
#		that outlives the call, however it ends.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = sdc_node('main', conf => "shared_buffers = 16MB\nfsync = off\nmax_worker_processes = 6\nrestart_after_crash = on\n"
	. "min_parallel_table_scan_size = 0\nlog_min_messages = debug1\n");
sub number { return "(hashint8extended(i, $_[0]) & 2147483647)" }

# Sources of five nights: people come and go, and some values change; wide, ties, text, numeric and missing values, and
# copied columns of three, of some hundred and of very many classes.  Releases by rank swapping, within strata, in bins
# of their own; registered as continued, whose windows are not those of the method; and of keys of two columns.
foreach my $night (1 .. 5)
{
	$node->safe_psql('postgres', qq{
		SET client_min_messages = error;
		CREATE TABLE source_$night AS SELECT i AS id, } . number(1) . q{ / 2147483648.0::float8 AS a, } . number(2) . q{ % 50 AS b,
			CASE WHEN } . number(3) . ' % 10 > 0 THEN (CASE WHEN ' . number(60 + $night) . q{ % 9 = 0 THEN } . number(70 + $night) . ' ELSE ' . number(4) . q{ END % 1000 / 10.0)::numeric(8,1) END AS c,
			'job ' || } . number(5) . q{ % 11 AS d, } . number(6) . q{ % 3 AS g, nullif('ward ' || } . number(7) . q{ % 230, 'ward 7') AS s, } . number(8) . qq{ % 20000 AS many
			FROM generate_series(1::bigint, 4000) AS i WHERE } . number(40 + $night) . qq{ % 20 > 0;
		ALTER TABLE source_$night ADD PRIMARY KEY (id);
		SELECT FROM sdc_rankswap('source_$night', p => 3 + $night, columns => '{a,b,c,d}', keep => '{g,s,many}', seed => $night, target => 'swapped_$night');
		SELECT FROM sdc_rankswap_distribution('source_$night', p => 6, columns => '{a,b,c}', strata => '{g}', keep => '{d,s,many}', seed => $night, target => 'strata_$night');
		SELECT FROM sdc_equidepth_swap('source_$night', depth => 20, columns => '{a,b}', keep => '{c,d,g,s,many}', seed => $night, target => 'bins_$night');
		CREATE TABLE keys_$night AS SELECT id % 7 AS part, (id / 7)::text AS "no", a, b, c, s FROM source_$night;
		CREATE TABLE night_$night AS SELECT id % 7 AS part, (id / 7)::text AS "no", s.a, s.b, s.c, s.s FROM swapped_$night AS s;
		ALTER TABLE keys_$night ADD PRIMARY KEY (part, "no");
		ALTER TABLE night_$night ADD PRIMARY KEY (part, "no");
		SELECT FROM sdc_register('keys_$night', 'night_$night', columns => '{a,b,c}', method => 'rankswap', parameters => '{"p": 4, "continued": true, "largest": 6}')});
}
$node->safe_psql('postgres', q{CREATE TABLE many AS SELECT i AS id, } . join(', ', map { number($_) . " / 2147483648.0::float8 AS c$_" } 1 .. 6) . q{, } . number(9) . q{ % 3000 AS s
		FROM generate_series(1::bigint, 60000) AS i;
	ALTER TABLE many ADD PRIMARY KEY (id)});
$node->safe_psql('postgres', "SELECT FROM sdc_rankswap('many', p => 5, seed => $_, keep => '{s}', columns => '{c1,c2,c3,c4,c5,c6}', target => 'many_$_')") foreach 1 .. 4;
$node->safe_psql('postgres', 'VACUUM ANALYZE');

# nights lists releases of one kind.
sub nights { my ($kind, $most) = @_; return "'{" . join(',', map { "${kind}_$_" } 1 .. $most // 5) . "}'" }

my %call = (
	'all columns' => 'sdc_link_releases(' . nights('swapped') . ')',
	'classes' => 'sdc_link_releases(' . nights('swapped') . q{, sensitive => '{s}')},
	'some columns, many classes' => 'sdc_link_releases(' . nights('swapped') . q{, '{c,b}', sensitive => '{many}')},
	'one source' => 'sdc_link_releases(' . nights('swapped') . q{, '{a,c,g}', sources => '{source_5}', sensitive => '{s}')},
	'a source for each, and a window' => 'sdc_link_releases(' . nights('swapped') . q{, '{c}', sources => '{source_1,source_2,source_3,source_4,source_5}', p => 9)},
	'a single release' => q{sdc_link_releases('{swapped_3}', sensitive => '{many}')},
	'strata' => 'sdc_link_releases(' . nights('strata', 3) . q{, '{a,b,c,g}', sensitive => '{s}')},
	'several methods' => q{sdc_link_releases('{bins_1,strata_2,swapped_3}', '{a,b}', p => 5, sensitive => '{many}')},
	'continued, keys of two columns' => 'sdc_link_releases(' . nights('night') . q{, sensitive => '{s}')},
	'nobody' => q{sdc_link_releases('{nobody,swapped_1}', '{a,b}', '{source_1}', 5, '{s}')});
$node->safe_psql('postgres', 'CREATE TABLE nobody AS SELECT * FROM swapped_1 LIMIT 0; ALTER TABLE nobody ADD PRIMARY KEY (id)');

# rows_of returns all rows of a call, in their order, or the error.
sub rows_of
{
	my ($call, $settings) = @_;
	my ($ret, $out, $err) = $node->psql('postgres', "SET client_min_messages = error; $settings; SELECT l FROM $call{$call} AS l");

	return $ret == 0 ? $out : $err =~ /(ERROR:.*)/s ? $1 : "failed: $err";
}

# started counts the parallel workers that the server has started so far.
sub started { return scalar(my @all = slurp_file($node->logfile) =~ /starting background worker process "parallel worker/g) }

my %alone = map { ($_ => rows_of($_, 'SET max_parallel_maintenance_workers = 0')) } keys %call;
foreach my $call (sort keys %call)
{
	my @setting = ('SET max_parallel_maintenance_workers = 1', "SET max_parallel_maintenance_workers = 3; SET maintenance_work_mem = '4GB'",
		"SET max_parallel_maintenance_workers = 3; SET maintenance_work_mem = '1MB'");

	like($alone{$call}, qr/^\(average,.*\(windows_only,/s, "$call: all attacks say something");
	is(rows_of($call, "SET max_parallel_maintenance_workers = 0; SET maintenance_work_mem = '1MB'"), $alone{$call}, "$call: alone, with little memory");
	foreach my $setting (@setting)
	{
		my $before = started();

		is(rows_of($call, $setting), $alone{$call}, "$call: $setting");
		cmp_ok(started(), '>', $before, "$call: workers have helped");
	}
	my $before = started();
	is(rows_of($call, "SET temp_file_limit = '64kB'"), $alone{$call}, "$call: without room for what processes share");
	is(started(), $before, "$call: the session does it alone then");
}

#
# However a call ends
#
my $watch = $node->background_psql('postgres');
my $people = 'sdc_link_releases(' . nights('many', 4) . ')';
my $classes = 'sdc_link_releases(' . nights('many', 4) . q{, '{c1,c2,c3}', sensitive => '{s}')};

# files is the number of temporary files.
sub files { return scalar(my @files = sdc_temp_files($node)) }

# begin starts a call in a new session, and waits until it has a worker.
sub begin
{
	my @begun = sdc_begin_with_worker($node, $watch, $_[0]);

	cmp_ok(files(), '>', 0, 'what the processes share is a temporary file');
	like(sdc_query($watch, "SELECT phase || ' ' || (attributes_total > 4) FROM sdc_progress WHERE pid = $begun[1]"), qr/^evaluating true$/, 'progress is shown');
	return @begun;
}

# is_over looks that a call has left nothing.
sub is_over { return sdc_workers_gone($node, $watch, $_[0]) }

sdc_end_calls($watch, 'people', sub { begin($people) }, \&is_over);
sdc_end_calls($watch, 'classes', sub { begin($classes) }, \&is_over, undef, 'cancelled', 'worker cancelled', 'worker terminated');

# at any moment, also while processes wait for each other: with little memory the classes of some people are met at a time
{
	my $session = $node->background_psql('postgres', on_error_stop => 0);
	my $rounds = 'sdc_link_releases(' . nights('swapped') . q{, '{b,c}', sensitive => '{many}')};

	sdc_query($session, q{SET maintenance_work_mem = '1MB'; SET max_parallel_maintenance_workers = 2});
	my $cancels = 0;

	# how many looks for a cancel the session comes to depends on what the workers leave for it
	foreach my $at (1, 3, 9, 27, 81, 243, 500, 729)
	{
		sdc_query($session, "SET sdc.test_phase = 'evaluating'; SET sdc.test_cancel_at = $at");
		sdc_start($session, "SELECT count(*) FROM $rounds");
		my $message = sdc_finish($session);

		$message =~ /canceling statement due to user request/ ? $cancels++ : unlike($message, qr/ERROR/, "it ends before point $at");
		is_over("point $at");
	}
	cmp_ok($cancels, '>=', 4, "$cancels of 8 cancels came before the end");
	$session->quit;
}
$watch->quit;

#
# kill -9 of a worker: the server starts again, and nothing is left
#
sdc_kill_worker($node, 'classes', sub { $watch = $_[0]; begin($classes) });
is(rows_of('classes', 'SET max_parallel_maintenance_workers = 2'), $alone{classes}, 'and calls work again');

#
# Where a worker cannot be had, the session does it
#
$node->append_conf('postgresql.conf', "max_worker_processes = 0\nmax_logical_replication_workers = 0\n");
$node->restart;
my $before = started();
is(rows_of($_, "SET max_parallel_maintenance_workers = 3; SET maintenance_work_mem = '1MB'"), $alone{$_}, "$_: without any worker the rows are the same") foreach sort keys %call;
is(started(), $before, 'there was none');
$node->stop;
done_testing();

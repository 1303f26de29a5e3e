# 033_protection_workers.pl
#		Protections that share their columns with parallel workers, of one release or of a night: the release of one
#		process, and nothing that outlives the call, however it ends.

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

# numbers of all kinds, with ties, missing values and infinities, a text and a numeric, which no worker has, and strata
$node->safe_psql('postgres', q{CREATE TABLE people AS SELECT i AS id, } . join(', ',
	number(1) . " / 2147483648.0::float8 AS wide",
	"(CASE WHEN i % 1000 = 0 THEN 'infinity' WHEN i % 1001 = 0 THEN 'nan' ELSE " . number(2) . "::text END)::float8 AS odd",
	"(" . number(3) . " / 1000.0)::real AS narrow", number(4) . " % 7 AS ties",
	"(" . number(5) . " % 30000 - 15000)::smallint AS small",
	"CASE WHEN " . number(6) . " % 5 > 0 THEN " . number(6) . "::int - 1073741824 END AS gaps",
	"date '1950-01-01' + (" . number(7) . " % 25000)::int AS born", "timestamp '2020-01-01' + " . number(8) . " * interval '1 second' AS seen",
	number(9) . " % 3 = 0 AS flag", "'job ' || " . number(10) . " % 1100 AS job", "(" . number(11) . " % 100000 / 100.0)::numeric(8,2) AS paid",
	"'ward ' || " . number(12) . " % 23 AS ward", "NULL::int AS empty") . q{ FROM generate_series(1::bigint, 30000) AS i;
	ALTER TABLE people ADD PRIMARY KEY (id);
	CREATE TABLE many AS SELECT i AS id, } . join(', ', map { number($_) . " AS c$_" } 1 .. 8) . q{ FROM generate_series(1::bigint, 150000) AS i;
	ALTER TABLE many ADD PRIMARY KEY (id);
	VACUUM ANALYZE});

#
# The release of one process, with any number of workers and any memory
#
my $all = '{wide,odd,narrow,ties,small,gaps,born,seen,flag,job,paid,empty}';
my %call = (
	'rankswap' => qq{sdc_rankswap('people', p => 5, seed => 'w', columns => '$all', keep => '{ward}', target => 'made')},
	'rankswap, strata' => qq{sdc_rankswap('people', p => 8, seed => 'w', columns => '$all', strata => '{ward}', target => 'made')},
	'distribution, strata' => qq{sdc_rankswap_distribution('people', p => 5, seed => 'w', columns => '$all', strata => '{ward}', target => 'made')},
	'buckets' => q{sdc_rankswap_buckets('people', buckets => 40, seed => 'w', columns => '{wide,ties,gaps}', omit => '{odd,narrow,small,born,seen,flag,job,paid,empty}',
		keep => '{ward}', target => 'made')},
	'bins of a depth' => q{sdc_equidepth_swap('people', depth => 7, seed => 'w', columns => '{wide}', complement => 'swap', omit => '{job}', keep => '{ward}',
		target => 'made')},
	'bins of a depth, strata' => q{sdc_equidepth_swap('people', depth => 30, seed => 'w', columns => '{ties,wide}', complement => 'swap', strata => '{ward}',
		omit => '{job}', target => 'made')},
	'intervals' => q{sdc_equiwidth_swap('people', intervals => 60, seed => 'w', columns => '{wide}', complement => 'swap', omit => '{job}', keep => '{ward}',
		target => 'made')},
	'drawn' => qq{sdc_randomize('people', '$all', draws => 4, seed => 'w', strata => '{ward}', target => 'made')},
	'two steps' => q{sdc_protect('people', '[{"method": "rankswap", "p": 9, "columns": ["wide", "gaps", "born"]}, {"method": "rankswap_buckets", "buckets": 30,
		"columns": ["ties", "small", "odd"]}]', seed => 'w', omit => '{narrow,seen,flag,job,paid,empty,ward}', target => 'made')});

# made returns the checksums of a release and of the report on it.
sub made
{
	my ($call, $settings) = @_;

	return $node->safe_psql('postgres', qq{SET client_min_messages = error; $settings;
		SELECT md5(string_agg(r::text, ',' ORDER BY attribute)) FROM $call{$call} AS r;
		RESET temp_file_limit;
		SELECT md5(string_agg(m::text, ',' ORDER BY id)) FROM made AS m;
		DROP TABLE made});
}

my %different;
foreach my $call (sort keys %call)
{
	my $alone = made($call, 'SET max_parallel_maintenance_workers = 0');

	$different{$alone}++;
	is(made($call, "SET max_parallel_maintenance_workers = $_->[0]; SET maintenance_work_mem = '$_->[1]'"), $alone, "$call: $_->[0] workers, $_->[1]")
	  foreach [ 1, '64MB' ], [ 3, '1MB' ], [ 2, '4GB' ], [ 0, '1MB' ];
}
is(made($_, 'SET max_parallel_maintenance_workers = 2; SET temp_file_limit = 1000'), made($_, 'SET max_parallel_maintenance_workers = 0'),
	"$_: where columns of workers exceeded temp_file_limit, no worker is asked for") foreach ('rankswap', 'bins of a depth');

# who works is told by what the server logs of the workers that it starts; with so little memory the index of the key has none
foreach my $case ([ 'rankswap', 1, '24MB' ], [ 'bins of a depth', 1, '24MB' ], [ 'bins of a depth', 0, '1MB' ], [ 'intervals', 0, '24MB' ], [ 'drawn', 0, '24MB' ])
{
	my ($call, $wanted, $memory) = @$case;
	my $before = -s $node->logfile;

	made($call, "SET max_parallel_maintenance_workers = 2; SET maintenance_work_mem = '$memory'");
	is(slurp_file($node->logfile, $before) =~ /starting background worker process "parallel worker/ ? 1 : 0, $wanted,
		"$call, $memory: " . ($wanted ? 'workers' : 'no worker'));
}
is(scalar(keys %different), scalar(keys %call), 'each of these is a release of its own');

#
# Nights of a release that is continued: some leave, some change, some come, and on the second night all of them wait
#
my @night = (
	q{DELETE FROM person WHERE id % 97 = 3; UPDATE person SET wide = gaps, odd = narrow, ties = small, gaps = ties, job = ward, paid = ties WHERE id % 41 = 5;
		INSERT INTO person SELECT id + 100000, odd, wide, narrow, ties, small, gaps, born, seen, flag, job, paid, ward, empty FROM people WHERE id % 53 = 7},
	q{DELETE FROM person WHERE id IN (11, 22, 33); UPDATE person SET wide = -wide, gaps = 1, born = born + 1 WHERE id IN (12, 23); INSERT INTO person SELECT * FROM people WHERE id = 11},
	q{UPDATE person SET wide = NULL, gaps = small, seen = seen + interval '1 hour', flag = NOT flag WHERE id % 31 = 4;
		INSERT INTO person SELECT id + 200000, wide, odd, narrow, ties, small, gaps, born, seen, flag, job, paid, ward, empty FROM people WHERE id % 67 = 9; DELETE FROM person WHERE id % 89 = 6});
my %nights = (
	'one stratum' => qq{sdc_rankswap('person', p => 5, target => 'kept', seed => 'w', columns => '$all', keep => '{ward}', min_changes => 300, continued => true)},
	'strata' => qq{sdc_rankswap('person', p => 8, target => 'kept', seed => 'w', columns => '$all', strata => '{ward}', min_changes => 20, min_departures => 12, continued => true)});

# nights returns the checksums of the release, of the report and of what the state says of cells, of every night, with the
# settings of each.
sub nights
{
	my ($call, @settings) = @_;
	my $report = qq{SELECT md5(string_agg(r::text, ',' ORDER BY attribute)) FROM $nights{$call} AS r; SELECT md5(string_agg(k::text, ',' ORDER BY id)) FROM kept AS k;
		SELECT md5(string_agg(md5(contents), ',' ORDER BY stream, part)) FROM sdc_private.sdc_state_catalog WHERE release = 'kept'::regclass AND stream > 1};
	my @sums = ($node->safe_psql('postgres', qq{SET client_min_messages = error; CREATE TABLE person AS TABLE people; ALTER TABLE person ADD PRIMARY KEY (id); $report}));

	push @sums, $node->safe_psql('postgres', qq{SET client_min_messages = error; $night[$_]; $settings[$_ % @settings]; $report}) foreach 0 .. $#night;
	$node->safe_psql('postgres', 'DROP TABLE kept; DROP TABLE person');
	return join "\n", @sums;
}

foreach my $call (sort keys %nights)
{
	my $alone = nights($call, 'SET max_parallel_maintenance_workers = 0');

	foreach my $with ([ 1, '64MB' ], [ 3, '4GB' ], [ 2, '4MB' ], [ 3, '1MB' ])
	{
		is(nights($call, "SET max_parallel_maintenance_workers = $with->[0]; SET maintenance_work_mem = '$with->[1]'"), $alone,
			"nights, $call: $with->[0] workers, $with->[1]");
	}
	is(nights($call, 'SET max_parallel_maintenance_workers = 2', 'SET max_parallel_maintenance_workers = 0'), $alone, "nights, $call: with workers and without");
}

#
# However a call ends
#
my $watch = $node->background_psql('postgres');

# begin starts a call in a new session, and waits until it has a worker; with little memory that takes its time.
sub begin
{
	return sdc_begin_with_worker($node, $watch, q{sdc_rankswap('many', p => 5, target => 'made', replace => true)}, q{SET maintenance_work_mem = '1MB'}, 'DROP TABLE made');
}

# is_over looks that a call has left nothing.
sub is_over
{
	my ($title) = @_;

	sdc_workers_gone($node, $watch, $title);
	is(sdc_query($watch, q{SELECT count(*) FROM pg_class WHERE relname = 'made'}), 0, "$title: nor a release");
}

sdc_end_calls($watch, 'a release', \&begin, \&is_over, sub {
	sdc_start($_[0], q{SELECT count(*) FROM sdc_rankswap('people', p => 5, columns => '{wide,ties}', omit => '{odd,narrow,small,gaps,born,seen,flag,job,paid,ward,empty}')});
	unlike(scalar sdc_finish($_[0]), qr/ERROR/, 'the session goes on') });

# so do nights: the release stays as it was, and the next one finds it so
my $night = q{SELECT count(*) FROM sdc_rankswap('many', p => 5, target => 'kept', continued => true)};
my $kept = q{SELECT concat_ws(' ', count(*), sum(hash_record_extended(k, 1)), sum(hash_record_extended(k, 2))) FROM kept AS k};
my $round = 0;

# workers_of is a condition of pg_stat_activity: workers of a session that is in a phase.  One reads the release, and later
# others have columns.
sub workers_of
{
	my ($pid, $phase) = @_;

	return qq{backend_type = 'parallel worker' AND EXISTS (SELECT FROM sdc_progress AS s WHERE s.pid = $pid AND s.phase = '$phase')};
}

# end_night begins nights until one has a worker in a phase that is still there when a function is called for it or the
# session; it returns what that night says, and the release before and after.
sub end_night
{
	my ($function, $process, $phase) = @_;

	while ($round++ < 95)
	{
		my $session = $node->background_psql('postgres', on_error_stop => 0);
		my $pid = sdc_pid($session);

		sdc_query($watch, "DELETE FROM many WHERE id % 100 = $round; INSERT INTO many SELECT id + 1000000 * $round, c2, c1, c4, c3, c6, c5, c8, c7 FROM many WHERE id % 100 = 99 AND id < 1000000");
		my $before = sdc_query($watch, $kept);
		my $workers = workers_of($pid, $phase);
		sdc_query($session, 'SET max_parallel_maintenance_workers = 1');
		sdc_start($session, $night);
		sdc_until($watch, "(SELECT count($function($process)) FROM pg_stat_activity WHERE $workers) > 0 OR " . sdc_over($session));
		my $said = sdc_finish($session);
		$session->quit;
		return ($said, $before, sdc_query($watch, $kept)) if $said =~ /ERROR/;
	}
	BAIL_OUT('no worker came');
}

sdc_query($watch, "SET client_min_messages = error; $night");
foreach my $ending ([ 'cancelled', 'pg_cancel_backend', 'leader_pid', qr/canceling statement due to user request/ ],
	[ 'worker cancelled', 'pg_cancel_backend', 'pid', qr/canceling statement due to user request/ ],
	[ 'worker terminated', 'pg_terminate_backend', 'pid', qr/ERROR: .*(terminat|lost connection)/s ])
{
	foreach my $phase ('reading', 'protecting')
	{
		my ($title, $function, $process, $expected) = @$ending;
		my ($said, $before, $after) = end_night($function, $process, $phase);

		$title = "a night, $phase, $title";
		like($said, $expected, "$title: ends the call");
		is_over($title);
		is($after, $before, "$title: the release is what it was");
	}
}
is(sdc_query($watch, $night), 9, 'and is continued');
sdc_query($watch, 'DROP TABLE kept');
$watch->quit;

#
# kill -9 of a worker: the server starts again, and nothing is left
#
sdc_kill_worker($node, 'a release', sub { $watch = $_[0]; begin() });
is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_class WHERE relname = 'made'}), 0, 'nor a release');

# so it is while it reads the release of a night, and while it has columns of it
$round = 100;
foreach my $phase ('reading', 'protecting')
{
	my $before;
	my $killed = 0;

	$node->safe_psql('postgres', "SET client_min_messages = error; $night");
	for (; $round < 190 && !$killed; $round++)
	{
		(my $session, $watch, my $pid) = sdc_pair($node);
		my $workers = workers_of($pid, $phase);

		sdc_query($watch, "DELETE FROM many WHERE id % 100 = $round % 100; INSERT INTO many SELECT id + 1000000 * $round, c2, c1, c4, c3, c6, c5, c8, c7 FROM many WHERE id % 100 = 99 AND id < 1000000");
		$before = sdc_query($watch, $kept);
		sdc_query($session, 'SET max_parallel_maintenance_workers = 1');
		sdc_start($session, $night);
		sdc_until($watch, "EXISTS (SELECT FROM pg_stat_activity WHERE $workers) OR " . sdc_over($session));
		my @workers = split ' ', sdc_query($watch, qq{SELECT coalesce(string_agg(pid::text, ' '), '') FROM pg_stat_activity WHERE $workers});
		$killed = sdc_kill($node, $workers[0], $session, $watch) if @workers;
		eval { $_->quit } foreach ($session, $watch);
	}
	is($killed, 1, "a night, $phase: a worker is killed");
	is(scalar(my @files = sdc_temp_files($node)), 0, "a night, $phase: no temporary file is left");
	is($node->safe_psql('postgres', $kept), $before, "a night, $phase: the release is what it was");
	is($node->safe_psql('postgres', "SET client_min_messages = error; $night"), 9, "a night, $phase: it is continued");
}
$node->safe_psql('postgres', 'DROP TABLE kept');

#
# Where a worker cannot be had, the session does it; and where shared memory is a file, it does not ask for one, as the key
# of the draws would come into that
#
my @both = ('rankswap', 'bins of a depth');
my %with = map { $_ => made($_, 'SET max_parallel_maintenance_workers = 2') } @both;
$node->append_conf('postgresql.conf', "max_worker_processes = 0\nmax_logical_replication_workers = 0\n");
$node->restart;
is(made($_, 'SET max_parallel_maintenance_workers = 2'), $with{$_}, "$_: without any worker the release is the same") foreach @both;
$node->append_conf('postgresql.conf', "max_worker_processes = 6\ndynamic_shared_memory_type = mmap\n");
$node->restart;
is(made($_, 'SET max_parallel_maintenance_workers = 2'), $with{$_}, "$_: and where shared memory is a file") foreach @both;
$node->stop;
done_testing();

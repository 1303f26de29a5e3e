# 007_memory.pl
#		A call keeps to its budget, maintenance_work_mem, and gives everything back.
#
# What counts is the largest resident set that the kernel has seen of the backend (VmHWM). There are
# few shared buffers, which are part of it, and no just-in-time compiler, whose code is in no budget.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

plan skip_all => 'there is no /proc/self/status with RssAnon and VmHWM'
  unless (slurp_proc('self', 'status') // '') =~ /^VmHWM:.*^RssAnon:/ms;

my $node = sdc_node('main', conf => "shared_buffers = 2MB\nmax_parallel_workers_per_gather = 0\njit = off\n");
$node->safe_psql('postgres', q{
	CREATE TABLE large (id int PRIMARY KEY, a float8, b float8, c bigint, d numeric, e text, f int);
	INSERT INTO large SELECT i, hashint8(i), hashint8(i + 1), hashint8(i + 2), hashint8(i + 3),
		'text ' || hashint8(i + 4), i % 1000
	FROM generate_series(1, 500000) AS i;
	CREATE TABLE small AS SELECT * FROM large WHERE id <= 10000;
	ALTER TABLE small ADD PRIMARY KEY (id);
	VACUUM ANALYZE;
});

# rss returns the private memory of a backend in kB.
sub rss
{
	my ($pid) = @_;
	my ($kb) = slurp_proc($pid, 'status') =~ /^RssAnon:\s+(\d+) kB/m;
	return $kb;
}

# highest returns the most memory that a backend ever had, in kB.
sub highest
{
	my ($pid) = @_;
	my ($kb) = slurp_proc($pid, 'status') =~ /^VmHWM:\s+(\d+) kB/m;
	return $kb;
}

# peak runs a statement in a new session, which has done a small call before, and returns
# by how much its memory grew at most, in kB, and by how much its memory contexts had
# grown afterwards, in bytes.
sub peak
{
	my ($setting, $sql) = @_;
	my $session = $node->background_psql('postgres');
	my $pid = sdc_query($session, 'SELECT pg_backend_pid()');

	sdc_query($session, "SET maintenance_work_mem = '$setting'; SET client_min_messages = error");
	sdc_query($session, q{BEGIN; SELECT FROM sdc_rankswap('small', p => 5, columns => '{a,e}'); ROLLBACK});
	my $base = highest($pid);
	my $used = sdc_query($session, 'SELECT sum(total_bytes) FROM pg_backend_memory_contexts');
	sdc_query($session, $sql);
	my $most = highest($pid);
	my $left = sdc_query($session, 'SELECT sum(total_bytes) FROM pg_backend_memory_contexts') - $used;
	$session->quit;
	return ($most - $base, $left);
}

# The slack is for what the budget is not about: fetching and writing by batches, buffers
# of temporary files, the allocator's fragments.
my $slack = 8 * 1024;
foreach my $case (
	[ '16MB', q{sdc_rankswap('large', p => 5, columns => '{a,b,c,d,e}', target => 't1')} ],
	[ '4MB', q{sdc_rankswap_buckets('large', buckets => 20, columns => '{a}', strata => '{f}', target => 't2')} ],
	[ '64MB', q{sdc_rankswap_distribution('large', p => 5, columns => '{a,d}', target => 't3')} ])
{
	my ($setting, $call) = @$case;
	my ($most, $left) = peak($setting, "SELECT FROM $call");
	my $budget = 1024 * ($setting =~ /(\d+)/)[0];

	cmp_ok($most, '<', $budget + $slack, "$call with $setting takes no more than that and 8 MB ($most kB)");
	cmp_ok($left, '<', 1024 * 1024, "and gives it back ($left bytes stay)");
}

#
# Sessions do not grow
#
my $session = $node->background_psql('postgres', on_error_stop => 0);
my $pid = sdc_query($session, 'SELECT pg_backend_pid()');
my $used = q{SELECT sum(used_bytes) FROM pg_backend_memory_contexts};
my @calls = (
	q{SELECT FROM sdc_rankswap('small', p => 5, target => 't', replace => true, seed => 1)},
	q{SELECT FROM sdc_rankswap('small', p => -1, target => 't', replace => true)},
	q{SELECT FROM sdc_rankswap('small', p => 5, key => '{a}', target => 't', replace => true)},
	q{SELECT count(*) FROM sdc_rankswap(NULL::small, p => 5, columns => '{a,d,e}')},
	q{SELECT count(x) FROM (SELECT sdc_rankswap_over(d, 5) OVER (PARTITION BY id % 500
		ORDER BY d) AS x FROM small) AS r});
my (@bytes, @kb);

sdc_query($session, 'SET client_min_messages = error');
foreach my $round (1 .. 10)
{
	foreach my $call (@calls)
	{
		sdc_start($session, $call);
		sdc_finish($session);
	}
	push @bytes, sdc_query($session, $used);
	push @kb, rss($pid);
}
note "bytes: @bytes";
note "kB: @kb";
cmp_ok($bytes[9] - $bytes[3], '<', 64 * 1024,
	"memory contexts do not grow from the 4th round of calls to the 10th ($bytes[3] and $bytes[9] bytes)");
cmp_ok($kb[9] - $kb[3], '<', 1024, "nor does the memory of the process ($kb[3] and $kb[9] kB)");

# one statement that calls very often: nothing may wait for its end
my $base = highest($pid);
is(sdc_query($session, q{SELECT count(*) FROM generate_series(1, 100) AS i,
	LATERAL (SELECT count(*) FROM sdc_rankswap('small', columns => '{a}', p => 1 + i / 1000.0,
		target => 't', replace => true)) AS r}), 100, 'a statement with 100 calls');
my $most = highest($pid);
cmp_ok($most - $base, '<', 12 * 1024, 'keeps no memory of each (' . ($most - $base) . ' kB)');

$session->quit;
$node->stop;
done_testing();

# 032_workers.pl
#		Evaluations that share their work with parallel workers: the results of one process, and nothing that outlives
#		the call, however it ends.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Digest::SHA qw(sha256 hmac_sha256);
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = sdc_node('main', conf => "shared_buffers = 16MB\nfsync = off\nmax_worker_processes = 6\nrestart_after_crash = on\n");
sub number { return "(hashint8extended(i, $_[0]) & 2147483647)" }
my $columns = join ', ', (map { number($_) . " / 2147483648.0::float8 AS c$_" } 1 .. 5), number(6) . ' % 7 AS c6',
  "CASE WHEN " . number(7) . " % 5 > 0 THEN " . number(8) . " % 1000 END AS c7";

# few: a table of all kinds of columns, small enough for every attack; many: one whose attacks take a while
$node->safe_psql('postgres', qq{
	SET client_min_messages = error;
	CREATE TABLE few AS SELECT i AS id, $columns, 'job ' || i % 11 AS job, 'ward ' || i % 23 AS ward FROM generate_series(1::bigint, 4000) AS i;
	ALTER TABLE few ADD PRIMARY KEY (id);
	CREATE TABLE many AS SELECT i AS id, $columns FROM generate_series(1::bigint, 150000) AS i;
	ALTER TABLE many ADD PRIMARY KEY (id);
	SELECT FROM sdc_rankswap('few', p => 8, seed => 1, columns => '{c1,c2,c3,c6,c7,job}', omit => '{c4,c5}', keep => '{ward}', target => 'swapped');
	SELECT FROM sdc_rankswap_distribution('few', p => 8, seed => 1, columns => '{c1,c2,c3,c7}', strata => '{ward}', omit => '{c4,c5}', keep => '{c6,job}', target => 'strata');
	SELECT FROM sdc_equidepth_swap('few', depth => 20, seed => 1, columns => '{c1,c2,c3}', omit => '{c4,c5}', keep => '{c6,c7,job,ward}', target => 'joint');
	SELECT FROM sdc_randomize('few', '{c6,job,ward}', seed => 1, omit => '{c1,c2,c3,c4,c5,c7}', target => 'randomized');
	SELECT FROM sdc_generalize('few', '{c6,c7,job}', k => 7, omit => '{c1,c2,c3,c4,c5}', keep => '{ward}', target => 'ranges');
	SELECT FROM sdc_permute('few', '{c6,c7,ward}', '{job}', l => 3, seed => 1, omit => '{c1,c2,c3,c4,c5}', target => 'permuted');
	SELECT FROM sdc_protect('few', '[{"method": "rankswap", "p": 9, "columns": ["c1", "c2"]}, {"method": "randomize", "qi": ["job", "c6"]}]',
		seed => 1, omit => '{c3,c4,c5,c7,ward}', target => 'mixed');
	SELECT FROM sdc_rankswap('many', p => 5, seed => 1, target => 'many_swapped');
	VACUUM ANALYZE;
});

#
# The results of one process, with any number of workers and little memory
#
my %call = (
	'sdc_score' => q{SELECT s::text FROM sdc_score(r) AS s}, 'sdc_disclosure_risk' => q{SELECT s::text FROM sdc_disclosure_risk(r) AS s},
	'sdc_link_distance' => q{SELECT s::text FROM sdc_link_distance(r) AS s}, 'sdc_link_rankswap' => q{SELECT s::text FROM sdc_link_rankswap(r, 8, mode => 'union') AS s},
	'sdc_link_probabilistic' => q{SELECT s::text FROM sdc_link_probabilistic(r) AS s}, 'sdc_people_found' => q{SELECT s::text FROM sdc_people_found(r) AS s},
	'sdc_record_risk' => q{SELECT s::text FROM sdc_record_risk(r) AS s}, 'sdc_link_release' => q{SELECT s::text FROM sdc_link_release(r) AS s},
	'sdc_query_errors' => q{SELECT s::text FROM sdc_query_errors(r, 300, seed => 5) AS s},
	'a sample' => q{SELECT s::text FROM sdc_score(r, sample => 2000, seed => 5) AS s});

# result returns the checksum of what a call says of a release, or the class of its error.
sub result
{
	my ($release, $call, $settings) = @_;
	(my $sql = $call{$call}) =~ s/\br\b/'$release'/;
	my ($ret, $out, $err) = $node->psql('postgres', "SET client_min_messages = error; $settings; SELECT md5(string_agg(c::text, ',' ORDER BY c::text COLLATE \"C\")) FROM ($sql) AS c");

	return $ret == 0 ? $out : $err =~ /ERROR:\s+(.*)/ ? "error: $1" : "failed: $err";
}

my ($same, $errors) = (0, 0);
foreach my $release (qw(swapped strata joint randomized ranges mixed permuted))
{
	# the attacks on a permuted release are those on others
	foreach my $call ($release eq 'permuted' ? ('sdc_query_errors') : sort keys %call)
	{
		my $alone = result($release, $call, 'SET max_parallel_maintenance_workers = 0');
		foreach my $setting ('SET max_parallel_maintenance_workers = 1', "SET max_parallel_maintenance_workers = 3; SET maintenance_work_mem = '1MB'")
		{
			my $shared = result($release, $call, "SET min_parallel_table_scan_size = 0; $setting");
			is($shared, $alone, "$call of $release: $setting");
		}
		$alone =~ /^error/ ? $errors++ : $same++;
		unlike($alone, $call eq 'sdc_query_errors' ? qr/^(failed|error)/ : qr/^failed/, "$call of $release ends by a result or an error");
	}
}
cmp_ok($same, '>=', 30, "$same of these are results ($errors are errors)");

# with room for what all read, but not for what they make together: each process makes its own
foreach my $release (qw(swapped strata mixed))
{
	is(result($release, 'sdc_score', "SET min_parallel_table_scan_size = 0; SET max_parallel_maintenance_workers = 2; SET temp_file_limit = '2MB'"),
		result($release, 'sdc_score', 'SET max_parallel_maintenance_workers = 0'), "sdc_score of $release: little room for temporary files");
}

#
# However a call ends
#
my $watch = $node->background_psql('postgres');

# files is the number of temporary files.
sub files { return scalar(my @files = sdc_temp_files($node)) }

# begin starts a call in a new session, and waits until it has a worker.
sub begin
{
	my @begun = sdc_begin_with_worker($node, $watch, $_[0]);

	cmp_ok(files(), '>', 0, 'what the processes share is a temporary file');
	return @begun;
}

# is_over looks that a call has left nothing.
sub is_over { return sdc_workers_gone($node, $watch, $_[0]) }

my $attack = q{sdc_disclosure_risk('many_swapped')};
sdc_end_calls($watch, 'an attack', sub { begin($attack) }, \&is_over, sub { like(sdc_query($_[0], q{SELECT count(*) FROM sdc_disclosure_risk('swapped')}), qr/^\d+$/, 'the session goes on') });

#
# The key that queries are drawn from comes into no file: neither the master key nor the key of a stream (src/kernel/base/stream.h)
#
{
	my $session = $node->background_psql('postgres', on_error_stop => 0);
	my $master = sha256("sdc-seed-1\0secret");
	my @keys = ($master, map { hmac_sha256("sdc-stream-1\0query_errors\0\0workload\0" . pack('Q<', $_), $master) } 1 .. 7);
	my ($bytes, $found) = (0, 0);

	sdc_query($session, 'SET max_parallel_maintenance_workers = 1; SET min_parallel_table_scan_size = 0');
	sdc_park($watch, $session, 'evaluating', 500, q{SELECT count(*) FROM sdc_query_errors('many_swapped', 300, seed => 'secret')});
	foreach my $file (sdc_temp_files($node))
	{
		my $text = slurp_file($file);

		$bytes += length $text;
		$found += grep { index($text, $_) >= 0 } @keys;
	}
	cmp_ok($bytes, '>', 150000 * 7 * 2 * 4, 'while queries are asked there is a file with the codes of all records');
	is($found, 0, 'and no key is in it');
	sdc_release($watch);
	is(sdc_finish($session), "7\n", 'the queries are asked');
	$session->quit;
}
$watch->quit;

#
# kill -9 of a worker: the server starts again, and nothing is left
#
sdc_kill_worker($node, 'an attack', sub { $watch = $_[0]; begin($attack) });
is($node->safe_psql('postgres', q{SELECT count(*) > 0 FROM sdc_disclosure_risk('swapped')}), 't', 'and calls work again');

#
# Where a worker cannot be had, the session does it
#
my $with = result('swapped', 'sdc_score', 'SET min_parallel_table_scan_size = 0');
$node->append_conf('postgresql.conf', "max_worker_processes = 0\nmax_logical_replication_workers = 0\n");
$node->restart;
is(result('swapped', 'sdc_score', 'SET min_parallel_table_scan_size = 0'), $with, 'without any worker the result is the same');

#
# Where shared memory is a file, workers get no key: the session asks alone
#
{
	my @asked = ('swapped', 'sdc_query_errors');
	my $alone = result(@asked, 'SET max_parallel_maintenance_workers = 0');

	$node->append_conf('postgresql.conf', "max_worker_processes = 6\ndynamic_shared_memory_type = mmap\n");
	$node->restart;
	is(result(@asked, 'SET min_parallel_table_scan_size = 0'), $alone, 'with shared memory in files queries have the same errors');
	(my $session, $watch) = sdc_pair($node);
	sdc_query($session, 'SET max_parallel_maintenance_workers = 1; SET min_parallel_table_scan_size = 0');
	sdc_park($watch, $session, 'evaluating', 500, q{SELECT count(*) FROM sdc_query_errors('many_swapped', 300, seed => 'secret')});
	is(scalar(my @workers = sdc_workers($watch)), 0, 'and no worker');
	sdc_release($watch);
	is(sdc_finish($session), "7\n", 'but are asked');
	$_->quit foreach ($session, $watch);
}
$node->stop;
done_testing();

# 019_accuracy.pl
#		The measures of accuracy on larger files: they can be cancelled quickly, keep to their
#		budget, leave nothing behind, and say the same in parallel mode and in any order.
#
# How quickly a cancel is answered is what may be run between two looks for one, which is counted.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = sdc_node('main', conf => "shared_buffers = 32MB\nfsync = off\nmax_parallel_workers_per_gather = 0\n");

# categories, numbers, missing values, and texts all of which are different
$node->safe_psql('postgres', q{
	CREATE TABLE file AS SELECT i AS id, (hashint8extended(i, 1) & 15)::int AS a, 'value ' || (hashint8extended(i, 2) & 127) AS b, CASE WHEN i % 5 > 0 THEN hashint8extended(i, 3) % 10000 END AS c,
		(hashint8extended(i, 4) & 1048575) / 7.0::float8 AS d, md5(i::text) || md5((-i)::text) AS e, (hashint8extended(i, 5) & 31)::smallint AS f, 's' || (hashint8extended(i, 6) & 7) AS s
	FROM generate_series(1::bigint, 200000) AS i;
	ALTER TABLE file ADD PRIMARY KEY (id);
	CREATE TABLE part AS SELECT * FROM file WHERE id <= 30000;
	ALTER TABLE part ADD PRIMARY KEY (id);
	CREATE TABLE small AS SELECT * FROM file WHERE id <= 2000;
	ALTER TABLE small ADD PRIMARY KEY (id);
	VACUUM ANALYZE;
	SELECT FROM sdc_randomize('file', '{a,b,c,f}', draws => 1, target => 'released', seed => 1);
	SELECT FROM sdc_randomize('part', '{a,b,c,f}', draws => 1, target => 'part_released', seed => 1);
	SELECT FROM sdc_randomize('small', '{a,b,f}', draws => 1, target => 'small_released', seed => 1);
	VACUUM ANALYZE;
});

my $warm = q{SELECT count(*) FROM sdc_estimate('small_released', conditions => '{a < 3}', measure => 'd', by => '{b,s}');
	SELECT count(*) FROM sdc_cell_errors('small_released', '{b}', 'd'); SELECT count(*) FROM sdc_statistic_errors('small_released'); SELECT count(*) FROM sdc_association_changes('small_released', 0.1, 0.1);
	SELECT count(*) FROM sdc_regression_errors('small_released', 'd', '{a}'); SELECT count(*) FROM sdc_distinguishability('small_released', '{a,s}'); SELECT count(*) FROM sdc_compare('small_released', by => '{s}')};

# What is looked at here.
my %call = (
	estimate => q{sdc_estimate('released', conditions => '{a < 3, "f > 5", s = ''s1''}', measure => 'd', by => '{b}', strata => '{}')},
	cells => q{sdc_estimate('released', measure => 'c', by => '{e}', strata => '{}')},
	compare => q{sdc_compare('released', 'avg(d)', 'e LIKE ''%a%b%c%''', '{b}')},
	statistics => q{sdc_statistic_errors('released')},
	'cell errors' => q{sdc_cell_errors('released', '{b,c,s}', 'd')},
	regression => q{sdc_regression_errors('released', 'd', '{a,c,f}')},
	distinguishability => q{sdc_distinguishability('released', '{a,c,d,f,s}')},
	changes => q{sdc_association_changes('released', 0.00001, 0, 'any', NULL, '{a,b,c,f}', '{s}')});

# leaves_nothing checks what a call that did not come to its end must not leave behind.
sub leaves_nothing
{
	my ($watch, $pid, $title) = @_;
	my @left = (
		sdc_query($watch, q{SELECT count(*) FROM sdc_progress}),
		sdc_query($watch, "SELECT count(*) FROM pg_locks WHERE pid = $pid"),
		scalar(sdc_temp_files($node)));

	is("@left", '0 0 0', "$title: no progress, lock or temporary file is left");
	return;
}

#
# Cancel
#
foreach my $name (sort keys %call)
{
	my ($session, $watch, $pid) = sdc_pair($node);

	# caches are filled before
	sdc_query($session, "SET maintenance_work_mem = '512MB'; SET work_mem = '4MB'; SET client_min_messages = error; $warm");
	my $base = sdc_memory($session);
	my ($cancels, undef, $steps) = sdc_sweep($session, "SELECT count(*) FROM $call{$name}", phase => '',
		factor => 12, most => 1728, check => sub { leaves_nothing($watch, $pid, $_[0]) });

	cmp_ok($cancels, '>=', 3, "$name: it is cancelled $cancels times");
	sdc_swept($session, $name, $steps, 1, $base);
	$_->quit foreach ($session, $watch);
}

#
# Memory: a call takes what it may and a little more, does the rest in temporary files, and finds the same
#
SKIP:
{
	skip 'there is no /proc/self/status with RssAnon', 1 unless defined sdc_private('self');
	foreach my $name (sort grep { !/compare/ } keys %call)
	{
		# what two records have, as of all of them: 40 MB of combinations, of one record they are 50 times as much
		my $call = $call{$name} =~ s/'released'/'part_released'/r =~ s/0\.00001/0.00005/r;

		sdc_same_within_memory($node, $call, "SET work_mem = '1MB'; $warm; SELECT count(e) FROM part; SELECT count(e) FROM part_released");
	}
}

#
# The same in parallel mode and with the rows in another order
#
my $measures = q{SET extra_float_digits = 0;
	SELECT 1, md5(string_agg(e::text, ',')) FROM sdc_estimate('small_released', conditions => '{a < 9}', measure => 'd', by => '{b,s}') AS e UNION ALL
	SELECT 2, e::text FROM sdc_estimate('small_released', measure => 'a', statistic => 'avg', by => '{f}', strata => '{s}') AS e UNION ALL
	SELECT 3, md5(string_agg(e::text, ',')) FROM sdc_statistic_errors('small_released') AS e UNION ALL
	SELECT 4, md5(string_agg(e::text, ',')) FROM sdc_cell_errors('small_released', '{b,s}', 'd') AS e UNION ALL
	SELECT 5, e::text FROM sdc_regression_errors('small_released', 'd', '{a,f,c}') AS e UNION ALL
	SELECT 6, e::text FROM sdc_distinguishability('small_released', '{a,f,c,d,s}') AS e UNION ALL
	SELECT 7, md5(string_agg(e::text, ',')) FROM sdc_association_changes('small_released', 0.002, 0.1) AS e UNION ALL
	SELECT 8, e::text FROM sdc_compare('small_released', 'max(c)', by => '{s}') AS e};
my $first = $node->safe_psql('postgres', $measures);
sdc_same_in_parallel($node, $measures, $first);
$node->safe_psql('postgres', q{CREATE TABLE reordered AS SELECT * FROM small; TRUNCATE small; INSERT INTO small SELECT * FROM reordered ORDER BY md5(id::text); UPDATE small_released SET a = a WHERE id % 3 = 0});
is($node->safe_psql('postgres', $measures), $first, 'and with the rows in another order');

$node->stop;
done_testing();

# 012_anonymization.pl
#		Random anonymization, generalization, permutation and their measures on larger files: they
#		can be cancelled quickly, keep to their budget, leave nothing behind, and find and make the
#		same with any amount of memory.
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

# file: categories, numbers, missing values, and texts all of which are different; dense: thirty
# columns of two values, whose combinations are frequent beyond counting
my $bits = join ', ', map { "hashint8extended(i, $_) & 3 = 0 AS b$_" } 1 .. 30;
$node->safe_psql('postgres', qq{
	CREATE TABLE file AS SELECT i AS id, (hashint8extended(i, 1) & 15)::int AS a, 'value ' || (hashint8extended(i, 2) & 127) AS b, CASE WHEN i % 5 > 0 THEN hashint8extended(i, 3) % 10000 END AS c,
		(hashint8extended(i, 4) & 1048575) / 7.0::float8 AS d, md5(i::text) || md5((-i)::text) AS e, (hashint8extended(i, 5) & 31)::smallint AS f, 's' || (hashint8extended(i, 6) & 7) AS s
	FROM generate_series(1::bigint, 150000) AS i;
	ALTER TABLE file ADD PRIMARY KEY (id);
	CREATE TABLE part AS SELECT * FROM file WHERE id <= 8000;
	ALTER TABLE part ADD PRIMARY KEY (id);
	CREATE TABLE middle AS SELECT * FROM file WHERE id <= 40000;
	ALTER TABLE middle ADD PRIMARY KEY (id);
	CREATE TABLE dense AS SELECT i AS id, $bits FROM generate_series(1::bigint, 100000) AS i;
	CREATE TABLE small AS SELECT * FROM file WHERE id <= 2000;
	ALTER TABLE small ADD PRIMARY KEY (id);
	VACUUM ANALYZE;
	SELECT FROM sdc_randomize('file', '{a,b,c,f}', draws => 1, target => 'released', seed => 1);
	SELECT FROM sdc_randomize('middle', '{a,b,c,f}', draws => 1, target => 'middle_released', seed => 1);
	SELECT FROM sdc_randomize('middle', '{a,b,c,f}', draws => 2, strata => '{s}', target => 'middle_drawn', seed => 1);
	SELECT FROM sdc_randomize('small', '{a,b,f}', draws => 1, target => 'small_released', seed => 1);
	VACUUM ANALYZE;

	-- a source that waits in its middle for the lock of the test points
	CREATE FUNCTION wait_at(id bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE COST 100000 AS \$\$
	BEGIN
		IF id = 20000 THEN
			PERFORM pg_advisory_lock_shared(732, 1), pg_advisory_unlock_shared(732, 1);
		END IF;
		RETURN true;
	END
	\$\$;
	CREATE VIEW gate AS SELECT * FROM middle WHERE wait_at(id);
});

my $relations = $node->safe_psql('postgres', q{SELECT count(*) FROM pg_class});
my $releases = $node->safe_psql('postgres', q{SELECT count(*) FROM sdc_private.sdc_release_catalog});

# leaves_nothing checks what a call that did not come to its end must not leave behind.
sub leaves_nothing
{
	my ($watch, $pid, $title) = @_;
	my @left = (
		sdc_query($watch, q{SELECT count(*) FROM pg_class WHERE relname !~ '^pg_toast'}) - $relations,
		sdc_query($watch, q{SELECT count(*) FROM sdc_private.sdc_release_catalog}) - $releases,
		sdc_query($watch, q{SELECT count(*) FROM sdc_progress}),
		sdc_query($watch, "SELECT count(*) FROM pg_locks WHERE pid = $pid"),
		scalar(sdc_temp_files($node)));

	is("@left", '0 0 0 0 0', "$title: no relation, row of the catalog, progress, lock or temporary file is left");
	return;
}
$relations = $node->safe_psql('postgres', q{SELECT count(*) FROM pg_class WHERE relname !~ '^pg_toast'});

#
# Cancel, at the first and the last test points of every phase of what writes; and of what measures, some of
# which would take hours, at the first ones, and at the last one if there are few
#
my $worst = 0;
my @phases = ('reading', 'protecting', 'writing');
foreach my $case (
	[ '64MB', q{sdc_randomize('middle', '{a,b,c,e}', target => 'target', seed => 1)}, @phases ],
	[ '4MB', q{sdc_randomize('middle', '{b,e}', target => 'target', seed => 1)}, @phases ],
	[ '64MB', q{sdc_randomize('middle', '{a,b,c,d,f}', draws => 3, strata => '{s}', target => 'target', seed => 1)}, @phases ],
	[ '64MB', q{sdc_randomize(NULL::middle, '{a,b,c,d}', draws => 2, seed => 1)}, @phases ],
	[ '256MB', q{sdc_generalize('middle', '{a,b,c,d,f}', '{s}', l => 4, target => 'target')}, @phases ],
	[ '256MB', q{sdc_generalize('middle', '{a,b,d,e}', k => 2, target => 'target')}, @phases ],
	[ '64MB', q{sdc_permute('middle', '{a,b}', '{s}', l => 7, target => 'target', seed => 1)}, @phases ],
	[ '256MB', q{sdc_permute('middle', '{a,b,c,d}', '{s}', l => 4, grouping_method => 'mondrian', target => 'target', seed => 1)}, @phases ],
	[ '256MB', q{sdc_query_errors('released', 1000000, qi => '{a,b,c,f}', sensitive => '{s}')} ],
	[ '256MB', q{sdc_query_errors('released', 1000, qi => '{a,b,c,f}', sensitive => '{d,e}')} ],
	[ '1GB', q{sdc_frequent_itemsets('dense', min_support => 0.000001)} ],
	[ '256MB', q{sdc_frequent_itemsets('file', '{a,b,c,d,f,s}', 0)} ],
	[ '256MB', q{sdc_associations('file', '{a,b,c,f}', '{s}', 0, 0)} ],
	[ '1GB', q{sdc_associations('dense', '{b1,b2,b3,b4,b5,b6,b7,b8,b9,b10,b11,b12,b13,b14,b15,b16,b17,b18,b19}', '{b20}', 0.00001, 0, reading => 'any')} ],
	[ '256MB', q{sdc_association_recall('released', 0.00001, 0, 'any', NULL, '{a,b,c,f}', '{s}')} ],
	[ '256MB', q{sdc_inference_risk('released')} ],
	[ '256MB', q{sdc_inference_risk('middle_drawn')} ],
	[ '256MB', q{sdc_chi_square('file', '{a,b,c,d,e,f,s}')} ],
	[ '256MB', q{sdc_support_bias('file', '{a,b,c,d,f}', '{"a": 1, "f": 2, "b": "value 3"}')} ],
	[ '256MB', q{sdc_probabilistic_anonymity('file', '{a,b,c,d,e}')} ],
	[ '64MB', q{sdc_compare('released', condition => 'e LIKE ''%a%b%c%d%e%f%''')} ])
{
	my ($setting, $call, @in) = @$case;
	my ($session, $watch, $pid) = sdc_pair($node);
	my $longest = 0;

	# caches are filled before
	sdc_query($session, "SET maintenance_work_mem = '$setting'; SET work_mem = '4MB'; SET client_min_messages = error");
	sdc_query($session, q{BEGIN; SELECT FROM sdc_randomize('small', '{a,b}'); SELECT FROM sdc_permute('small', '{a,b}', '{s}', l => 2); SELECT FROM sdc_generalize('small', '{a,b}', k => 2);
		SELECT count(*) FROM sdc_query_errors('small_released', 10); SELECT count(*) FROM sdc_inference_risk('small_released'); SELECT count(*) FROM sdc_frequent_itemsets('small', '{a,s}'); ROLLBACK});
	my $base = sdc_memory($session);
	foreach my $phase (@in ? @in : '')
	{
		my ($cancels, $points, $steps) = sdc_sweep($session, "SELECT count(*) FROM $call", phase => $phase,
			factor => @in ? 20 : 12, most => @in ? undef : 1728, check => sub { leaves_nothing($watch, $pid, $_[0]) });
		cmp_ok($cancels, '>=', @in ? 2 : 4, "$call: it is cancelled $cancels times" . ($phase ? " while $phase" : ''));
		$longest = $steps if $steps > $longest;
	}
	$worst = $longest if $longest > $worst;
	sdc_swept($session, $call, $longest, 1, $base);
	$_->quit foreach ($session, $watch);
}
note "there were $worst steps at most between two looks for a cancel";

# the server does all the work of these: a source that waits is cancelled
foreach my $call (q{sdc_kanonymity('gate', '{e,d}')}, q{sdc_ldiversity('gate', '{e,d}', '{s}')})
{
	my ($session, $watch, $pid) = sdc_pair($node);

	sdc_query($session, q{SET maintenance_work_mem = '2MB'; SET work_mem = '64kB'});
	sdc_query($session, "SELECT count(*) FROM $call");
	my $base = sdc_memory($session);
	sdc_hold($watch);
	sdc_start($session, "SELECT count(*) FROM $call");
	ok(sdc_parked($watch, $session), "$call: it waits in the middle of its source");
	sdc_query($watch, "SELECT pg_cancel_backend($pid)");
	like(sdc_finish($session), qr/canceling statement due to user request/, "$call: it is cancelled");
	sdc_release($watch);
	leaves_nothing($watch, $pid, $call);
	cmp_ok(sdc_memory($session) - $base, '<', 1024 * 1024, "$call: no memory is left");
	$_->quit foreach ($session, $watch);
}

#
# Memory: a call takes what it may and a little more, does the rest in temporary files, and finds the same
#
SKIP:
{
	skip 'there is no /proc/self/status with RssAnon', 1 unless defined sdc_private('self');
	my $warm = q{SET work_mem = '1MB'; BEGIN; SELECT FROM sdc_randomize('small', '{a,b}'); SELECT count(*) FROM sdc_inference_risk('small_released'); ROLLBACK;
		SELECT count(e) FROM middle; SELECT count(e) FROM middle_released};
	foreach my $call (
		q{sdc_randomize('middle', '{a,b,c}', target => 'target', seed => 1)}, q{sdc_randomize('middle', '{d,e}', draws => 2, strata => '{f}', target => 'target', seed => 1)},
		q{sdc_generalize('middle', '{a,b,c,f}', '{s}', l => 4, target => 'target')}, q{sdc_permute('middle', '{a,b}', '{s}', l => 7, target => 'target', seed => 1)},
		q{sdc_permute('middle', '{a,b,f}', '{s}', l => 4, grouping_method => 'mondrian', target => 'target', seed => 1)},
		q{sdc_equidepth_swap('middle', 20, columns => '{a,c,d}', target => 'target', seed => 1)}, q{sdc_equiwidth_swap('middle', 9, columns => '{a,c,d}', target => 'target', seed => 1)},
		q{sdc_query_errors('middle_released', 100, qi => '{a,b,c,f}', sensitive => '{s}', seed => 1)},
		q{sdc_frequent_itemsets('middle', '{a,b,f,s}', 0.001)}, q{sdc_associations('middle', '{a,b,f}', '{s}', 0.001, 0.1)}, q{sdc_association_recall('middle_released', 0.001, 0.1, 'rule', NULL, '{a,b,f}', '{s}')},
		q{sdc_association_recall('middle_released', 0.0005, 0.1, 'any', NULL, '{a,b,f}', '{s}')}, q{sdc_minimal_uniques('middle', '{a,b,c,f,s}')}, q{sdc_group_privacy('middle', '{a,b}', '{s}')},
		q{sdc_inference_risk('middle_released')}, q{sdc_inference_risk('middle_drawn')}, q{sdc_people_found('middle_released')},
		q{sdc_chi_square('middle', '{a,b,c,f}')}, q{sdc_support_bias('middle', '{a,b,f}', '{"a": 1, "f": 3}')}, q{sdc_support_bias('middle', '{a,b,f}', '{"a": 1, "f": 3}', draws => 2, strata => '{s}')},
		q{sdc_probabilistic_anonymity('middle', '{a,b,e}', draws => 2, strata => '{s}')}, q{sdc_kanonymity('middle', '{e,d}')}, q{sdc_ldiversity('middle', '{a,b}', '{s}')})
	{
		my $watch = $node->background_psql('postgres');

		sdc_same_within_memory($node, $call, $warm,
			found => $call =~ /target/ ? q{(SELECT md5(string_agg(t::text, '' ORDER BY id)) FROM target AS t)} : undef,
			check => sub { leaves_nothing($watch, sdc_pid($_[0]), "$call with $_[1] MB") });
		$watch->quit;
	}
}

#
# An error in the middle of writing leaves nothing either: a disk that is full
#
foreach my $call (q{sdc_randomize('file', '{b,e}', target => 'target')}, q{sdc_frequent_itemsets('dense', min_support => 0.000001)})
{
	my ($session, $watch, $pid) = sdc_pair($node);

	sdc_query($session, q{SET maintenance_work_mem = '1GB'; SET work_mem = '1MB'; SET temp_file_limit = '1MB'; SET client_min_messages = error});
	sdc_query($session, q{SET maintenance_work_mem = '4MB'}) if $call =~ /randomize/;
	sdc_start($session, "SELECT count(*) FROM $call");
	like(sdc_finish($session), qr/temporary file size exceeds "?temp_file_limit/, "$call: temp_file_limit ends it");
	leaves_nothing($watch, $pid, "$call with temp_file_limit");
	$_->quit foreach ($session, $watch);
}

#
# The same release with any amount of memory
#
my %release = (
	'sdc_randomize with probabilities' => q{sdc_randomize('part', '{a,b,c,e}', target => 'same', seed => 1)},
	'sdc_randomize with draws and strata' => q{sdc_randomize('part', '{a,b,c,e}', draws => 2, strata => '{s}', target => 'same', seed => 1)},
	'sdc_generalize' => q{sdc_generalize('part', '{a,c,f}', '{s}', l => 4, target => 'same')},
	'sdc_permute by anatomy' => q{sdc_permute('part', '{a,b}', '{s}', l => 6, target => 'same', seed => 1)},
	'sdc_permute by mondrian' => q{sdc_permute('part', '{a,c}', '{s}', l => 4, grouping_method => 'mondrian', target => 'same', seed => 1)});
foreach my $name (sort keys %release)
{
	my @sum;

	foreach my $setting ("SET maintenance_work_mem = '1MB'; SET work_mem = '64kB'", "SET maintenance_work_mem = '2MB'; SET work_mem = '1MB'", "SET maintenance_work_mem = '1GB'; SET work_mem = '256MB'")
	{
		push @sum, $node->safe_psql('postgres', qq{SET client_min_messages = error; $setting; BEGIN; SELECT FROM $release{$name};
			SELECT md5(string_agg(r::text, ',' ORDER BY ctid)) || (SELECT parameters::text FROM sdc_releases WHERE release = 'same'::regclass) FROM same AS r;
			SET maintenance_work_mem = '64MB'; RESET work_mem; SELECT count(*) > 0 FROM sdc_query_errors('same', 10, seed => 1, qi => '{a}', sensitive => '{s}'); ROLLBACK});
	}
	like($sum[0], qr/^t$/m, "$name: the source is recognized with another amount");
	is($sum[1], $sum[0], "$name: the same with 1 and 2 MB");
	is($sum[2], $sum[0], "$name: the same with 1 MB and 1 GB");
}

#
# The same measures in parallel mode and with the rows in another order
#
my $measures = q{
	SELECT 1, e::text FROM sdc_query_errors('small_released', 200, seed => 1, qi => '{a,b,f}', sensitive => '{s}') AS e UNION ALL
	SELECT 2, e::text FROM sdc_association_recall('small_released', 0.01, 0.1, 'rule', NULL, '{a,b,f}', '{s}') AS e UNION ALL
	SELECT 3, e::text FROM sdc_inference_risk('small_released') AS e UNION ALL
	SELECT 4, e::text FROM sdc_chi_square('small', '{a,b,f,s}') AS e UNION ALL
	SELECT 5, md5(string_agg(e::text, ',')) FROM sdc_frequent_itemsets('small', '{a,b,f,s}', 0.002) AS e UNION ALL
	SELECT 6, md5(string_agg(e::text, ',')) FROM sdc_associations('small', '{a,b,f}', '{s}', 0.002, 0.1) AS e UNION ALL
	SELECT 7, e::text FROM sdc_ldiversity('small', '{a,f}', '{s}') AS e UNION ALL
	SELECT 8, sdc_probabilistic_anonymity('small', '{a,b,f}')::text};
my $first = $node->safe_psql('postgres', $measures);
sdc_same_in_parallel($node, $measures, $first);
$node->safe_psql('postgres', q{CREATE TABLE reordered AS SELECT * FROM small; TRUNCATE small; INSERT INTO small SELECT * FROM reordered ORDER BY md5(id::text); UPDATE small_released SET a = a WHERE id % 2 = 0});
is($node->safe_psql('postgres', $measures), $first, 'and with the rows in another order');

$node->stop;
done_testing();

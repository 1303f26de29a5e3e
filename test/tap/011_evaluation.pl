# 011_evaluation.pl
#		Attacks and measures on larger files: they can be cancelled quickly, keep to their budget,
#		and give the same results in parallel mode and after a restore.
#
# How quickly a cancel is answered is what may be run between two looks for one, which is counted.
# The data are those that are hardest: nothing tells the records of a permuted file
# where theirs are, and in tied data all records are equally near.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = sdc_node('main', conf => "shared_buffers = 16MB\nfsync = off\nmax_parallel_workers_per_gather = 0\n");

# wide: eight attributes; tied: the same with three values each; some of either kind and a skewed
# one; middle: for what takes the cube of the records.
sub uniform { return "(hashint8extended($_[0], $_[1]) & 2147483647) / 2147483648.0::float8" }
my $wide = join ', ', map { uniform('i', $_) . " AS c$_" } 1 .. 8;
my $tied = join ', ', map { "hashint8extended(i, $_) & 1 AS c$_" } 1 .. 8;
my $mixed = join ', ', (map { "hashint8extended(i, $_) & 15 AS c$_" } 1 .. 4), (map { 'exp(30 * ' . uniform('i', $_) . ") AS c$_" } 5 .. 8);
my $columns = '{' . join(',', map { "c$_" } 1 .. 8) . '}';
$node->safe_psql('postgres', qq{
	CREATE TABLE wide AS SELECT i AS id, $wide FROM generate_series(1::bigint, 100000) AS i;
	CREATE TABLE tied AS SELECT i AS id, $tied FROM generate_series(1::bigint, 100000) AS i;
	CREATE TABLE mixed AS SELECT i AS id, $mixed FROM generate_series(1::bigint, 100000) AS i;
	CREATE TABLE middle AS SELECT * FROM wide WHERE id <= 8000;
	CREATE TABLE middle_tied AS SELECT * FROM tied WHERE id <= 8000;
	CREATE TABLE small AS SELECT * FROM mixed WHERE id <= 2000;
	-- the records in another order, which is unknown to the intruder
	CREATE FUNCTION permute(source text) RETURNS void LANGUAGE plpgsql AS \$\$
	BEGIN
		EXECUTE format('ALTER TABLE %1\$s ADD PRIMARY KEY (id); ANALYZE %1\$s; CREATE TABLE %1\$s_permuted AS
			SELECT a.id, c1, c2, c3, c4, c5, c6, c7, c8 FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM %1\$s) AS a
			JOIN (SELECT *, row_number() OVER (ORDER BY hashint8extended(id, 99)) AS n FROM %1\$s) AS b USING (n)', source);
		PERFORM sdc_register(source::regclass, (source || '_permuted')::regclass, '$columns', '{id}', 'rankswap', '{"p": 30}');
	END
	\$\$;
	SELECT permute(t) FROM unnest('{wide,tied,mixed,middle,middle_tied,small}'::text[]) AS t;
	SELECT FROM sdc_rankswap('wide', p => 10, seed => 1);
	SELECT FROM sdc_rankswap('tied', p => 10, seed => 1, columns => '$columns');
	SELECT FROM sdc_rankswap('small', p => 10, seed => 1, columns => '$columns');
	VACUUM ANALYZE;
});

#
# Cancel, at the first test points while it evaluates and at later ones.  Some of these calls would take hours.
#
my @calls = (
	q{sdc_link_distance('wide_permuted')}, q{sdc_link_distance('tied_permuted')}, q{sdc_link_distance('mixed_permuted', metric => 'gower')},
	q{sdc_link_distance('wide_permuted', metric => 'mahalanobis')}, q{sdc_link_distance('mixed_permuted', metric => 'manhattan')},
	q{sdc_link_probabilistic('wide_permuted')}, q{sdc_link_probabilistic('tied_permuted')}, q{sdc_link_probabilistic('mixed_permuted')},
	q{sdc_link_probabilistic('middle_permuted', assignment => 'one-to-one')}, q{sdc_link_probabilistic('middle_tied_permuted', assignment => 'one-to-one')},
	q{sdc_link_rankswap('wide_permuted')}, q{sdc_link_rankswap('tied_permuted')}, q{sdc_link_rankswap('wide_permuted', p => 100)},
	q{sdc_link_rankswap('wide_permuted', mode => 'union')}, q{sdc_link_rankswap('mixed_permuted', mode => 'union')}, q{sdc_link_rankswap('wide_permuted', p => 2, mode => 'union')},
	q{sdc_disclosure_risk('wide_permuted')}, q{sdc_disclosure_risk('tied_permuted')}, q{sdc_disclosure_risk('mixed_permuted')},
	q{sdc_record_risk('wide_permuted')}, q{sdc_information_loss('wide_permuted')}, q{sdc_interval_disclosure('wide_permuted')},
	q{sdc_score('wide_permuted')}, q{sdc_baseline('wide_permuted')});

my $worst = 0;
foreach my $call (@calls)
{
	my ($session, $watch) = sdc_pair($node);

	sdc_query($session, q{SET maintenance_work_mem = '512MB'; SELECT count(*) FROM sdc_score('small_rankswap')});
	my $base = sdc_memory($session);
	my ($cancels, undef, $longest) = sdc_sweep($session, "SELECT count(*) FROM $call", phase => 'evaluating', factor => 20, most => 400,
		check => sub {
			is(sdc_query($watch, 'SELECT count(*) FROM sdc_progress') + sdc_temp_files($node), 0, "$_[0]: no progress and no temporary file is left");
		});
	is($cancels, 3, "$call: it is cancelled at 3 points");
	$worst = $longest if $longest > $worst;
	sdc_swept($session, $call, $longest, 8, $base);
	$_->quit foreach ($session, $watch);
}
note "there were $worst steps at most between two looks for a cancel";

#
# By the view: a cancel, and statement_timeout of a call that waits for ever once it evaluates
#
{
	my ($session, $watch) = sdc_pair($node);

	sdc_query($session, q{SET maintenance_work_mem = '512MB'});
	my ($cancels) = sdc_sweep($session, 'SELECT count(*) FROM sdc_scores', phase => 'evaluating', factor => 20, most => 400,
		check => sub { is(sdc_query($watch, 'SELECT count(*) FROM sdc_progress'), 0, "$_[0]: no progress is left") });
	is($cancels, 3, 'sdc_scores: a cancel ends the whole query, instead of being the problem of a release');

	sdc_park($watch, $session, 'evaluating', 5, 'SELECT count(*) FROM sdc_scores');
	sdc_query($watch, 'SELECT pg_cancel_backend(' . sdc_pid($session) . ')');
	like(sdc_finish($session), qr/canceling statement due to user request/, 'so does pg_cancel_backend');
	sdc_query($session, 'SET statement_timeout = 500');
	sdc_start($session, 'SELECT count(*) FROM sdc_scores');
	like(sdc_finish($session), qr/statement timeout/, 'and so does a timeout');
	sdc_release($watch);
	$_->quit foreach ($session, $watch);
}

#
# Memory: a call takes what it may and a little more, does the rest in temporary files, and finds the same
#
SKIP:
{
	skip 'there is no /proc/self/status with RssAnon', 1 unless defined sdc_private('self');
	$node->safe_psql('postgres', q{
		CREATE TABLE seven AS SELECT id, c1, c2, c3, c4, c5, c6, c7 FROM wide WHERE id <= 60000;
		ALTER TABLE seven ADD PRIMARY KEY (id);
		SELECT FROM sdc_rankswap('seven', p => 5, seed => 1);
		VACUUM ANALYZE seven, seven_rankswap;
	});
	foreach my $call (
		q{sdc_score('seven_rankswap', sample => 500, seed => 1)}, q{sdc_record_risk('seven_rankswap', sample => 1000, seed => 1)},
		q{sdc_information_loss('seven_rankswap')}, q{sdc_link_distance('seven_rankswap', sample => 5000, seed => 1)},
		q{sdc_link_rankswap('seven_rankswap', 2, mode => 'union', sample => 1000, seed => 1)},
		q{sdc_link_probabilistic('seven_rankswap', sample => 1000, seed => 1)})
	{
		sdc_same_within_memory($node, $call, q{SET work_mem = '1MB'; SELECT count(*) FROM sdc_score('small_rankswap')});
	}
}

#
# What fits needs less: an attack has no more than what it searches in, and nothing is left of what was before
#
SKIP:
{
	skip 'there is no /proc/self/status with RssAnon', 1 unless defined sdc_private('self');
	my $session = $node->background_psql('postgres');
	my $cells = 100000 * 8;

	sdc_query($session, q{SET maintenance_work_mem = '1GB'; SET max_parallel_maintenance_workers = 0; SET jit = off;
		SELECT count(*) FROM sdc_score('small_rankswap')});
	my ($said, $grown) = sdc_private_peak($session, q{SELECT count(*) FROM sdc_score('wide_rankswap')});
	my $bytes = 1024 * $grown / $cells;

	# codes and values have 16 of them, trees as many, and what is known of records the rest
	cmp_ok($bytes, '<', 48, sprintf('sdc_score of all records in memory takes %.1f bytes a cell, less than 48', $bytes));
	$session->quit;
}

#
# Parallel mode, and after a restore
#
my $scores = q{
	SELECT 1, s::text FROM sdc_score('small_rankswap') AS s UNION ALL
	SELECT 2, s::text FROM sdc_score('small_permuted', sample => 100, seed => 'x') AS s UNION ALL
	SELECT 3, s::text FROM sdc_information_loss('small_permuted') AS s UNION ALL
	SELECT 4, md5(string_agg(s::text, ',' ORDER BY s::text COLLATE "C")) FROM sdc_record_risk('small_rankswap') AS s UNION ALL
	SELECT 5, md5(string_agg(s::text, ',' ORDER BY s::text COLLATE "C")) FROM sdc_link_rankswap('small_permuted', mode => 'union') AS s UNION ALL
	SELECT 6, md5(string_agg(s::text, ',' ORDER BY s::text COLLATE "C")) FROM sdc_link_probabilistic('small_permuted', '{c1,c2,c5}', 'one-to-one') AS s UNION ALL
	SELECT 7, s.dr::text FROM sdc_scores AS s WHERE release = 'small_rankswap'::regclass ORDER BY 1};
my $before = $node->safe_psql('postgres', $scores);
like($before, qr/^1\|\(\d+.*^7\|\d+\.\d+$/ms, 'scores of a small file');
sdc_same_in_parallel($node, $scores, $before);
is($node->safe_psql('postgres', "SET maintenance_work_mem = '8MB'; SET work_mem = '64kB'; $scores"), $before, 'the same with little memory');

$node->safe_psql('postgres', 'DROP TABLE wide, wide_permuted, wide_rankswap, tied, tied_permuted, tied_rankswap, mixed, mixed_permuted CASCADE');
my $file = "$PostgreSQL::Test::Utils::tmp_check/evaluation.dump";
$node->command_ok([ 'pg_dump', '-Fc', '-f', $file, 'postgres' ], 'pg_dump');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->command_ok([ 'pg_restore', '--exit-on-error', '-d', 'restored', $file ], 'pg_restore');
$node->safe_psql('restored', q{SELECT sdc_confirm_source(release) FROM sdc_releases WHERE source = 'small'::regclass});
is($node->safe_psql('restored', $scores), $before, 'the same after a restore');

# rows in another order, and in another place
$node->safe_psql('restored', 'CREATE INDEX ON small_rankswap (c5); CLUSTER small_rankswap USING small_rankswap_c5_idx; CREATE INDEX ON small (c6); CLUSTER small USING small_c6_idx');
is($node->safe_psql('restored', $scores), $before, 'the same when the rows are in another order');

$node->stop;
done_testing();

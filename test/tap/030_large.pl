# 030_large.pl
#		Large arrays in temporary files: whatever ends a call, no file and no mapping is left.
#
# With 1 MB nearly every array of a test build lies in a file.  The file is unlinked as soon as it is mapped, so what
# counts is both the directory of temporary files and what the process has mapped.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

plan skip_all => 'there is no /proc/self/maps' unless defined slurp_proc('self', 'maps');

my $node = sdc_node('main', conf => "shared_buffers = 16MB\nfsync = off\nmax_parallel_workers_per_gather = 0\njit = off\nrestart_after_crash = on\n");
$node->safe_psql('postgres', q{
	CREATE TABLE file AS SELECT i AS id, (hashint8extended(i, 1) & 15)::int AS a, 'value ' || (hashint8extended(i, 2) & 127) AS b, CASE WHEN i % 5 > 0 THEN hashint8extended(i, 3) % 10000 END AS c,
		(hashint8extended(i, 4) & 1048575) / 7.0::float8 AS d, 's' || (hashint8extended(i, 6) & 7) AS s
	FROM generate_series(1::bigint, 20000) AS i;
	ALTER TABLE file ADD PRIMARY KEY (id);
	-- the last record cannot be read
	CREATE VIEW bad AS SELECT id, a / (20000 - id) AS a, b, c, s FROM file;
	SELECT FROM sdc_rankswap('file', p => 5, columns => '{a,c,d}', target => 'swapped', seed => 1);
	SELECT FROM sdc_randomize('file', '{a,b}', draws => 1, target => 'randomized', seed => 1);
	VACUUM ANALYZE;
});

my $settings = q{SET maintenance_work_mem = '1MB'; SET work_mem = '1MB'; SET client_min_messages = error};
my %call = (
	generalize => q{sdc_generalize('file', '{a,b,d}', '{s}', l => 3, target => 'target')},
	permute => q{sdc_permute('file', '{a,b}', '{s}', l => 5, target => 'target', seed => 1)},
	equidepth => q{sdc_equidepth_swap('file', 20, columns => '{a,d}', target => 'target', seed => 1)},
	score => q{sdc_score('swapped', sample => 200, seed => 1)},
	linkage => q{sdc_link_distance('swapped', sample => 500, seed => 1)},
	people => q{sdc_people_found('randomized')},
	uniques => q{sdc_minimal_uniques('file', '{a,b,c,s}')},
	estimate => q{sdc_estimate('randomized', conditions => '{a < 3}', by => '{c}', strata => '{}')},
	recall => q{sdc_association_recall('randomized', 0.001, 0.1, 'any', NULL, '{a,b}', '{s}')});

# leaves_nothing looks at what a call leaves.
sub leaves_nothing
{
	my ($watch, $pid, $title) = @_;
	my @open = grep { /pgsql_tmp/ } map { readlink($_) // '' } glob("/proc/$pid/fd/*");
	my @left = (
		scalar(sdc_temp_files($node)), scalar(@open), scalar(sdc_temp_maps($pid)),
		sdc_query($watch, q{SELECT count(*) FROM pg_class WHERE relname ~ '^target'}),
		sdc_query($watch, 'SELECT count(*) FROM sdc_progress'));

	is("@left", '0 0 0 0 0', "$title: no temporary file, open file, mapping, table or progress is left");
	return;
}

# session starts a session that has made its caches, and another one to look.
sub session
{
	my ($session, $watch, $pid) = sdc_pair($node);

	sdc_query($session, "$settings; BEGIN; SELECT FROM sdc_generalize('file', '{a}', k => 2, target => 'target'); ROLLBACK");
	sdc_query($session, q{SELECT count(*) FROM sdc_score('swapped', sample => 10)});
	return ($session, $watch, $pid);
}

# found is what a call finds, in a transaction that is rolled back.
sub found
{
	my ($session, $name) = @_;
	my $rows = $call{$name} =~ /target/ ? q{(SELECT md5(string_agg(t::text, '' ORDER BY id)) FROM target AS t)} :
		q{(SELECT md5(string_agg(md5(r::text), '' ORDER BY md5(r::text) COLLATE "C")) FROM result AS r)};

	return sdc_query($session, "BEGIN; CREATE TEMPORARY TABLE result AS SELECT r.* FROM $call{$name} AS r; SELECT $rows; ROLLBACK");
}

#
# Each call: what it finds with all the memory that it wants; a cancel; temp_file_limit
#
my %found;
foreach my $name (sort keys %call)
{
	my ($session, $watch, $pid) = session();
	my $sql = "SELECT count(*) FROM $call{$name}";

	sdc_query($session, q{SET maintenance_work_mem = '256MB'});
	$found{$name} = found($session, $name);
	sdc_query($session, $settings);
	is(found($session, $name), $found{$name}, "$name: with 1 MB it finds the same");
	leaves_nothing($watch, $pid, "$name at its end");
	my $base = sdc_memory($session);

	# temp_file_limit is looked at before the work or while it goes on
	sdc_query($session, q{SET temp_file_limit = '64kB'});
	sdc_start($session, "\\set VERBOSITY sqlstate\n$sql;\n\\set VERBOSITY default\nSELECT 1");
	like(sdc_finish($session), qr/ERROR:  53400/, "$name: temp_file_limit ends it");
	leaves_nothing($watch, $pid, "$name with temp_file_limit");
	sdc_query($session, 'RESET temp_file_limit');

	my ($cancels, undef, $longest) = sdc_sweep($session, $sql, phase => '', factor => 25, check => sub { leaves_nothing($watch, $pid, $_[0]) });
	cmp_ok($cancels, '>=', 3, "$name: it is cancelled $cancels times");
	sdc_swept($session, $name, $longest, 8, $base);
	is(found($session, $name), $found{$name}, "$name: and then it finds the same again");
	$_->quit foreach ($session, $watch);
}

#
# What is known to exceed temp_file_limit is refused before a row is read
#
{
	my ($session, $watch, $pid) = session();

	sdc_query($session, q{SET temp_file_limit = '1MB'; SET sdc.test_phase = ''});
	sdc_start($session, "SELECT count(*) FROM $call{score}");
	like(sdc_finish($session), qr{ERROR:  (temporary files of \d+ kB exceed|temporary file size exceeds) temp_file_limit}, 'a score that needs more than is allowed says so');
	leaves_nothing($watch, $pid, 'a call that is refused');
	$_->quit foreach ($session, $watch);
}

#
# Errors in the middle of it: in a subtransaction that catches them, many times in a row, and to a savepoint
#
foreach my $case (
	[ 'division_by_zero', q{SELECT count(*) FROM sdc_generalize('bad', '{a,b,c}', key => '{id}', k => 2, target => 'target')} ],
	[ 'division_by_zero', q{SELECT count(*) FROM sdc_minimal_uniques('bad', '{a,b,c,s}', key => '{id}')} ],
	[ 'division_by_zero', q{SELECT count(*) FROM sdc_estimate('randomized', conditions => '{1 / (id - 19999) >= 0, a < 3}', by => '{c}', strata => '{}')} ],
	[ 'invalid_parameter_value', q{SELECT count(*) FROM sdc_permute('file', '{a,b}', '{s}', l => 9, target => 'target')} ])
{
	my ($condition, $sql) = @$case;
	my ($session, $watch, $pid) = session();
	my $caught = qq{DO \$\$
		DECLARE
			caught int := 0;
		BEGIN
			FOR i IN 1 .. 30 LOOP
				BEGIN
					PERFORM $sql;
				EXCEPTION WHEN $condition THEN
					caught := caught + 1;
				END;
			END LOOP;
			ASSERT caught = 30;
		END
		\$\$};
	$caught =~ s/PERFORM SELECT/PERFORM/;

	sdc_query($session, "BEGIN; $caught");
	my $base = sdc_memory($session);
	is(scalar(sdc_temp_maps($pid)), 0, "$condition, 30 times: no mapping is left in the transaction: $sql");
	sdc_query($session, $caught);
	cmp_ok(sdc_memory($session) - $base, '<', 64 * 1024, "$condition, 60 times: nor memory");
	sdc_start($session, 'SAVEPOINT a');
	sdc_finish($session);
	sdc_start($session, $sql);
	like(sdc_finish($session), qr/ERROR/, "$condition: not caught, it fails");
	sdc_query($session, 'ROLLBACK TO SAVEPOINT a');
	is(scalar(sdc_temp_maps($pid)), 0, "$condition: no mapping is left after a rollback to a savepoint");
	sdc_query($session, 'COMMIT');
	leaves_nothing($watch, $pid, $condition);
	is(found($session, 'generalize'), $found{generalize}, "$condition: the next call finds what it should");
	$_->quit foreach ($session, $watch);
}

#
# A backend that is ended, and one that is killed, while files are mapped
#
foreach my $end ('terminate', 'kill')
{
	my ($session, $watch, $pid) = session();

	sdc_park($watch, $session, 'protecting', 200, "SELECT count(*) FROM $call{generalize}");
	cmp_ok(scalar(sdc_temp_maps($pid)), '>', 0, "$end: files are mapped while it works");
	is(scalar(sdc_temp_maps($pid)), scalar(grep { /\(deleted\)$/ } sdc_temp_maps($pid)), "$end: and unlinked");
	if ($end eq 'terminate')
	{
		sdc_query($watch, "SELECT pg_terminate_backend($pid)");
		sdc_wait_gone($watch, $pid);
		leaves_nothing($watch, $pid, 'terminated');
		$watch->quit;
		eval { $session->quit };
	}
	else
	{
		sdc_kill($node, $pid, $session, $watch);
	}
}
{
	my ($session, $watch, $pid) = session();

	leaves_nothing($watch, $pid, 'a server that has recovered');
	is(found($session, 'generalize'), $found{generalize}, 'after that a call finds what it should');
	$_->quit foreach ($session, $watch);
}

$node->stop;
done_testing();

# 031_full_disk.pl
#		A disk that is full while a call maps temporary files: an error, and no signal.
#
# The disk is a small tmpfs in a mount namespace that the test runs itself in.  Where that is not allowed it is skipped.

use strict;
use warnings;

use FindBin;

# In a new namespace this user is root, and may mount; in one more he is himself again, as whom the server can run.
BEGIN
{
	if (!defined $ENV{SDC_FULL_DISK} && $< != 0)
	{
		my $place = ($ENV{TESTDIR} // $FindBin::RealBin) . '/full_disk';
		my $user = '--map-user=' . $< . ' --map-group=' . ($( + 0);
		my @mounted = (qw(unshare -Urm sh -c), qq{mount -t tmpfs -o size=16m none "\$SDC_FULL_DISK" && exec unshare -U $user -- "\$@"}, 'sh');

		mkdir $place;
		local $ENV{SDC_FULL_DISK} = $place;
		exec @mounted, $^X, (map { "-I$_" } @INC), $0, @ARGV if system("@mounted[0 .. 3] '$mounted[4]' sh true >/dev/null 2>&1") == 0;
	}
}

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use lib $FindBin::RealBin;
use SdcTest;

my $place = $ENV{SDC_FULL_DISK};
plan skip_all => 'nothing can be mounted here' unless defined $place;

my $node = sdc_node('main', conf => "fsync = off\nmax_parallel_workers_per_gather = 0\njit = off\n");
mkdir "$place/space";
$node->safe_psql('postgres', qq{
	CREATE TABLE file AS SELECT i AS id, (hashint8extended(i, 1) & 15)::int AS a, 'value ' || (hashint8extended(i, 2) & 127) AS b, hashint8extended(i, 3) % 10000 AS c, 's' || (hashint8extended(i, 6) & 7) AS s
	FROM generate_series(1::bigint, 20000) AS i;
	ALTER TABLE file ADD PRIMARY KEY (id);
	SELECT FROM sdc_rankswap('file', p => 5, columns => '{a,b,c}', target => 'swapped', seed => 1);
});
$node->safe_psql('postgres', "CREATE TABLESPACE small LOCATION '$place/space'");

# fill leaves so many kB of the disk.
sub fill
{
	my ($left) = @_;
	my $file;

	unlink "$place/ballast";
	my ($free) = (split ' ', (split /\n/, `df -k "$place"`)[1])[3];
	open $file, '>', "$place/ballast" or die "ballast: $!";
	binmode $file;
	print $file "\0" x (1024 * ($free - $left)) or die "ballast: $!";
	close $file or die "ballast: $!";
	return;
}

# used is how many kB of the disk are used.
sub used { return (split ' ', (split /\n/, `df -k "$place"`)[1])[2] }

my $session = $node->background_psql('postgres', on_error_stop => 0);
my $pid = sdc_pid($session);
sdc_query($session, q{SET maintenance_work_mem = '1MB'; SET client_min_messages = error; SET temp_tablespaces = 'small'});
foreach my $call (
	q{sdc_generalize('file', '{a,b,c}', '{s}', l => 3, target => 'target')}, q{sdc_equidepth_swap('file', 20, columns => '{a,c}', target => 'target', seed => 1)},
	q{sdc_score('swapped', sample => 100, seed => 1)}, q{sdc_minimal_uniques('file', '{a,b,c,s}')})
{
	my $full = 0;

	foreach my $left (16, 64, 150, 300, 600, 1200, 14000)
	{
		fill($left);
		my $before = used();
		sdc_query($session, 'BEGIN');
		sdc_start($session, "\\set VERBOSITY sqlstate\nSELECT count(*) FROM $call");
		my $said = sdc_finish($session);
		sdc_query($session, 'ROLLBACK');
		if ($said =~ /ERROR/)
		{
			like($said, qr/ERROR:  53100/, "$call: with $left kB the disk is full");
			$full++;
		}
		else
		{
			pass("$call: $left kB are enough");
			cmp_ok($left, '>', 1000, "$call: which are more than a MB");
		}
		is(scalar(sdc_temp_maps($pid)), 0, "$call: no mapping is left");
		cmp_ok(used() - $before, '<=', 0, "$call: nothing is left on the disk");
	}
	cmp_ok($full, '>=', 4, "$call: the disk was full $full times");
}
is(sdc_query($session, 'SELECT pg_backend_pid()'), $pid, 'the session has lived through all of it');
unlink "$place/ballast";
$session->quit;
$node->stop;
done_testing();

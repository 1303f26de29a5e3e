# 004_crash.pl
#		A server that stops at once loses what was not committed, and nothing else.
#
# With wal_level = minimal, where a new table is not logged but written out at
# commit, and with replica.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $md5 = q{SELECT md5(string_agg(r::text, '' ORDER BY id)) FROM %s AS r};
my $rows = q{SELECT md5(string_agg(r::text, '' ORDER BY id))
	FROM sdc_rankswap(NULL::large, p => 5, columns => '{a,note}', seed => %s) AS r};

foreach my $level ('minimal', 'replica')
{
	my $node = sdc_node("wal_$level",
		conf => "wal_level = $level\nmax_wal_senders = 0\nmax_prepared_transactions = 2\n");

	sdc_large_table($node, 40_000);
	$node->safe_psql('postgres', q{
		SELECT FROM sdc_rankswap('large', p => 5, columns => '{a,note}', target => 'stays', seed => 1);
		CREATE INDEX ON stays (a)});

	foreach my $phase ('reading', 'protecting', 'writing')
	{
		next if $phase ne 'writing' && $level eq 'replica';    # nothing differs
		my $session = $node->background_psql('postgres', on_error_stop => 0);
		my $watch = $node->background_psql('postgres');

		sdc_query($session, q{SET maintenance_work_mem = '1MB'; SET client_min_messages = error});
		# in one transaction a new release, and one that is replaced: the server stops in its middle
		sdc_query($session, q{BEGIN; SELECT FROM sdc_rankswap('large', p => 5, columns => '{a,note}', target => 'gone')});
		sdc_park($watch, $session, $phase, 3, q{SELECT FROM sdc_rankswap('large', p => 5, columns => '{a,note}', target => 'stays', seed => 2, replace => true)});
		is(sdc_query($watch, 'SELECT phase FROM sdc_progress'), $phase, "$level: a call waits while $phase");
		$node->stop('immediate');
		eval { $session->quit };
		eval { $watch->quit };
		$node->start;
		is($node->safe_psql('postgres',
				q{SELECT to_regclass('gone') IS NULL, (SELECT count(*) FROM sdc_private.sdc_release_catalog)}),
			't|1', "$level, crash while $phase: no table, no row of the catalog");
		is(scalar(sdc_temp_files($node)), 0, "$level, crash while $phase: no temporary file");
		is($node->safe_psql('postgres', sprintf $md5, 'stays'), $node->safe_psql('postgres', sprintf $rows, 1),
			"$level, crash while $phase: the release of before is unharmed");
	}

	# committed just before the crash: a new release, a replaced one, and one prepared
	$node->safe_psql('postgres', q{SELECT FROM sdc_rankswap('large', p => 5, columns => '{a,note}',
		target => 'new', seed => 3)});
	$node->safe_psql('postgres', q{SELECT FROM sdc_rankswap('large', p => 5, columns => '{a,note}',
		target => 'stays', seed => 4, replace => true)});
	$node->safe_psql('postgres', q{
		BEGIN;
		SELECT FROM sdc_rankswap('large', p => 5, columns => '{a,note}', target => 'prepared', seed => 5);
		PREPARE TRANSACTION 'one'});
	$node->stop('immediate');
	$node->start;
	is($node->safe_psql('postgres', sprintf $md5, 'new'), $node->safe_psql('postgres', sprintf $rows, 3),
		"$level: a release that was committed is there");
	is($node->safe_psql('postgres', sprintf $md5, 'stays'), $node->safe_psql('postgres', sprintf $rows, 4),
		"$level: a replacement that was committed is there");
	is($node->safe_psql('postgres', q{SET enable_seqscan = off; SELECT sum(n)
		FROM (SELECT count(*) AS n FROM stays WHERE a >= 0
			UNION ALL SELECT count(*) FROM stays WHERE a < 0) AS r}),
		40_000, "$level: and its index");
	$node->safe_psql('postgres', q{COMMIT PREPARED 'one'});
	is($node->safe_psql('postgres', sprintf $md5, 'prepared'), $node->safe_psql('postgres', sprintf $rows, 5),
		"$level: a release in a prepared transaction is there once that is committed");
	is($node->safe_psql('postgres', q{SELECT string_agg(release::text, ' ' ORDER BY release::text)
		FROM sdc_releases}),
		'new prepared stays', "$level: the catalog knows them");
	$node->stop;
}
done_testing();

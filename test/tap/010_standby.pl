# 010_standby.pl
#		Releases reach a standby, and a standby returns protected rows.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $primary = PostgreSQL::Test::Cluster->new('primary');
sdc_init($primary, allows_streaming => 1);
$primary->append_conf('postgresql.conf', "autovacuum = off\nauthentication_timeout = 600\n");
$primary->start;
$primary->safe_psql('postgres', q{
	CREATE EXTENSION sdc;
	CREATE TABLE people (id int PRIMARY KEY, name text, age int, income float8);
	INSERT INTO people SELECT i, 'name ' || i, i % 50, i * 10 FROM generate_series(1, 20000) AS i;
	SELECT sdc_classify('people', 'name', 'identifier');
	SELECT FROM sdc_rankswap('people', p => 5, seed => 1);
	SELECT FROM sdc_rankswap('people', p => 5, seed => 2, replace => true);
});
$primary->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', "max_standby_streaming_delay = -1\n");    # no query is in the way of replay
$standby->start;
$primary->safe_psql('postgres', q{
	SELECT FROM sdc_rankswap('people', p => 5, seed => 3, replace => true);
	CREATE INDEX ON people_rankswap (age);
	SELECT FROM sdc_rankswap_buckets('people', buckets => 20, seed => 4)});
$primary->wait_for_catchup($standby);

foreach my $query (
	q{SELECT md5(string_agg(r::text, '' ORDER BY id)) FROM people_rankswap AS r},
	q{SELECT md5(string_agg(r::text, '' ORDER BY id)) FROM people_rankswap_buckets AS r},
	q{SELECT count(*) FROM sdc_releases}, q{TABLE sdc_attributes},
	q{SELECT md5(string_agg(r::text, '' ORDER BY id)) FROM sdc_rankswap(NULL::people, p => 5, seed => 5) AS r},
	q{SET maintenance_work_mem = '1MB'; SELECT md5(string_agg(r::text, '' ORDER BY id)) FROM sdc_rankswap_distribution(NULL::people, p => 5, seed => 5) AS r},
	q{SELECT md5(string_agg(x::text, '' ORDER BY id)) FROM (SELECT id, sdc_rankswap_over(income, 5, 'seed') OVER (ORDER BY income, id) AS x FROM people) AS r})
{
	my $answer = $primary->safe_psql('postgres', $query);
	die "no answer to $query" if $answer eq '';
	is($standby->safe_psql('postgres', $query), $answer, "standby answers as the primary does: $query");
}

foreach my $call (q{sdc_rankswap('people', p => 5, target => 'x')}, q{sdc_classify('people', 'age', 'public')},
	q{sdc_register('people', 'people_rankswap', '{age}', '{id}')}, q{sdc_unregister('people_rankswap')})
{
	my (undef, undef, $error) = $standby->psql('postgres', "\\set VERBOSITY verbose\nSELECT $call");
	like($error, qr/ERROR:  25006: cannot execute .* in a read-only transaction|ERROR:  25006: cannot execute .* during recovery/,
		"standby refuses $call");
}

$standby->promote;
is($standby->safe_psql('postgres', q{SELECT count(*) FROM sdc_rankswap('people', p => 5, seed => 6, replace => true)}), 4,
	'after its promotion it makes releases');

$_->stop foreach ($standby, $primary);
done_testing();

# 005_determinism.pl
#		The same data, key and seed give the same release, on any server.
#
# Two clusters that differ in locale, WAL level, session settings, memory and plans, and
# tables that differ in physical order, partitioning and history.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

# ICU sorts texts in another order than C does: a key that followed it would show.
my $icu = (`pg_config --configure` =~ /--with-icu/) ? 1 : 0;
my $plain = sdc_node('plain', init => [ '--encoding=UTF8', '--locale=C' ],
	conf => "wal_level = minimal\nmax_wal_senders = 0\n");
my $other = sdc_node('other',
	init => $icu ? [ '--encoding=UTF8', '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US', '--data-checksums' ]
	: [ '--encoding=UTF8', '--locale=C.UTF-8', '--data-checksums' ],
	conf => "wal_level = logical\nshared_buffers = 2MB\n");

# Texts under the database's own collation are part of the key and form strata; the
# one that is protected has a collation of its own, as its order is a result.
my $columns = q{name text, part int, region text, i2 smallint, i8 bigint, f float8, n numeric(12,3), d date,
	t timestamptz, v interval, note text COLLATE "C", u uuid, flag boolean,
	ra tstzrange, fa float8[], da date[], va interval[], ba bytea[]};
my $records = q{
	SELECT chr(65 + i % 26 + 32 * (i / 26 % 2)) || (ARRAY['', 'é', 'ß', '-', ' ', '_'])[1 + i % 6] || i / 7, i % 7,
		(ARRAY['nord', 'Nord', 'Ñord', 'süd', 'Sud', 'ost'])[1 + i / 3 % 6], i % 100,
		hashint8(i), CASE WHEN i % 97 = 0 THEN 'NaN' WHEN i % 89 = 0 THEN '-0' WHEN i % 83 = 0 THEN NULL ELSE hashint8(i + 1) / 1000.0 END,
		hashint8(i + 2) / 1000.0, date '2000-01-01' + hashint8(i + 3) % 5000,
		'2000-01-01 00:00+00'::timestamptz + hashint8(i + 4) * interval '1 second', hashint8(i + 5) % 1000 * interval '1 minute',
		(ARRAY['ä', 'a', 'A', 'Ä', 'b'])[1 + i % 5] || abs(hashint8(i + 6)), md5(i::text)::uuid, i % 3 = 0,
		tstzrange('1990-01-01 00:00+00', '2001-01-01 00:00+00'::timestamptz + hashint8(i + 7) % 1000 * interval '1 day'),
		ARRAY[hashint8(i + 8) / 3.0], ARRAY[date '2000-01-31' + i % 100], ARRAY[i * interval '1 hour'],
			ARRAY[int4send(i % 300)]
	FROM generate_series(1, 8000) AS i};
my $protect = q{columns => '{i2,i8,f,n,d,t,v,note,u,flag,ra,fa,da,va,ba}', key => '{name,part}', strata => '{region}', target => 'released', replace => true};
my %method = (rankswap => 'p => 3', rankswap_distribution => 'p => 10', rankswap_buckets => 'buckets => 25');

# A view that becomes one of every table below, and a release that was made of it first on each cluster: that it can
# be measured tells that the checksum of what the view shows is the same.
sub first_release
{
	my ($node) = @_;

	$node->safe_psql('postgres', qq{CREATE TABLE first_people ($columns); INSERT INTO first_people $records;
		CREATE VIEW shown AS TABLE first_people;
		SELECT FROM sdc_rankswap('shown', p => 5, columns => '{i2,i8,f,n,d,t,v,note,u,flag,ra,fa,da,va,ba}', key => '{name,part}', target => 'first_released', seed => 1)});
	return;
}

# released makes a release and returns a checksum of it, and whether its source is recognized under other settings, and
# as the same that the first release was made of.
sub released
{
	my ($node, $table, $method, $settings, $seed) = @_;

	$seed //= "'a seed'";
	return $node->safe_psql('postgres', qq{
		$settings
		SELECT count(*) FROM sdc_$method('$table', $method{$method}, $protect, seed => $seed);
		RESET ALL;
		SET timezone = 'UTC';
		SELECT md5(string_agg(r::text, '' ORDER BY name COLLATE "C", part)) FROM released AS r;
		RESET timezone;
		SELECT count(*) > 0 FROM sdc_interval_disclosure('released');
		$settings SET maintenance_work_mem = '64MB';
		CREATE OR REPLACE VIEW shown AS SELECT name, part, region, i2, i8, f, n, d, t, v, note, u, flag, ra, fa, da, va, ba FROM $table;
		SELECT count(*) > 0 FROM sdc_interval_disclosure('first_released');
		CREATE OR REPLACE VIEW shown AS TABLE first_people;
	});
}

first_release($_) foreach ($plain, $other);
$plain->safe_psql('postgres', "CREATE TABLE people ($columns, PRIMARY KEY (name, part));
	INSERT INTO people $records");
my %expected = map { $_ => released($plain, 'people', $_, '') } keys %method;
isnt($expected{rankswap}, $expected{rankswap_distribution}, 'methods differ');
like($expected{$_}, qr/^18\n[0-9a-f]{32}\nt\nt$/, "$_: the source is recognized") foreach (sort keys %method);
isnt(released($plain, 'people', 'rankswap', '', "'another seed'"), $expected{rankswap}, 'seeds differ');
isnt(released($plain, 'people', 'rankswap', ''), released($plain, 'people', 'rankswap', '', 'NULL'),
	'without a seed it is another release');
is(released($plain, 'people', 'rankswap', '', '42'), released($plain, 'people', 'rankswap', '', "'42'::varchar"),
	'42 and its text are the same seed');

# the same file in another order, on another server
my $settings = q{SET timezone = 'Asia/Tokyo'; SET datestyle = 'German'; SET intervalstyle = 'sql_standard';
	SET extra_float_digits = -5; SET bytea_output = 'escape'; SET default_table_access_method = heap;
	SET maintenance_work_mem = '1MB'; SET work_mem = '64kB'; SET search_path = public, pg_catalog;};
my $parallel = q{SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
	SET enable_sort = off; SET max_parallel_workers_per_gather = 4;};
my %history = (
	'in another order' => "CREATE TABLE people ($columns, PRIMARY KEY (name, part));
		INSERT INTO people $records ORDER BY hashint8(i)",
	'with updated and deleted rows' => "CREATE TABLE people (gone int, $columns);
		INSERT INTO people (name, part) SELECT 'x', i FROM generate_series(1, 1000) AS i;
		INSERT INTO people SELECT 1, r.* FROM ($records) AS r ORDER BY random();
		DELETE FROM people WHERE name = 'x'; UPDATE people SET gone = 2 WHERE part IN (1, 3);
		ALTER TABLE people ADD PRIMARY KEY (name, part), DROP COLUMN gone; CLUSTER people USING people_pkey;
		UPDATE people SET i2 = i2 WHERE part = 2",
	'partitioned' => "CREATE TABLE people ($columns) PARTITION BY LIST (part);
		CREATE TABLE people_0 PARTITION OF people FOR VALUES IN (0, 3);
		CREATE TABLE people_1 ($columns);
		ALTER TABLE people_1 ADD extra int; ALTER TABLE people_1 DROP extra;
		ALTER TABLE people ATTACH PARTITION people_1 FOR VALUES IN (1, 2);
		CREATE TABLE people_2 PARTITION OF people DEFAULT;
		INSERT INTO people $records",
	'a view' => "CREATE TABLE half_1 ($columns); CREATE TABLE half_2 ($columns);
		INSERT INTO half_1 $records; DELETE FROM half_1 WHERE part > 3; INSERT INTO half_2 $records;
			DELETE FROM half_2 WHERE part <= 3;
		CREATE VIEW people AS TABLE half_2 UNION ALL TABLE half_1");

is($other->safe_psql('postgres', q{SELECT 'a' < 'B'}), $icu ? 't' : 'f',
	'the other cluster sorts texts as it should');
foreach my $name (sort keys %history)
{
	$other->safe_psql('postgres', "$history{$name}; ANALYZE");
	foreach my $method (sort keys %method)
	{
		is(released($other, 'people', $method, $settings), $expected{$method},
			"$method, $name: the same release on another server, and its source is recognized");
	}
	is(released($other, 'people', 'rankswap', $parallel), $expected{rankswap}, "$name: the same with other plans");
	if ($name eq 'a view')
	{
		$other->safe_psql('postgres', 'DROP TABLE half_1, half_2 CASCADE');
		next;
	}
	my (undef, undef, $error) = $other->psql('postgres',
		q{UPDATE people SET ba = ARRAY['\x00'::bytea] WHERE name = (SELECT min(name COLLATE "C") FROM people);
		SELECT FROM sdc_interval_disclosure('released')});
	like($error, qr/source "people" has changed since release "released" was made/, "$name: a change is noticed");
	$other->safe_psql('postgres', 'DROP TABLE people');
}

# dumped here, restored there
my $dump = "$PostgreSQL::Test::Utils::tmp_check/people.sql";
$plain->command_ok([ 'pg_dump', '-t', 'people', '-f', $dump, 'postgres' ], 'pg_dump of the table');
$other->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', $dump, 'postgres' ], 'restored on the other cluster');
foreach my $method (sort keys %method)
{
	is(released($other, 'people', $method, $settings), $expected{$method},
		"$method, restored: the same release, and its source is recognized");
}

$_->stop foreach ($plain, $other);
done_testing();

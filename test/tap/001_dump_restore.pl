# 001_dump_restore.pl
#		What the extension knows of releases and columns survives a dump and restore.
#
# Twice: as a superuser, and as the owner of a database who is none and has created
# the (trusted) extension.  Each time in the custom format and as plain SQL.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = sdc_node('main');
$node->safe_psql('postgres', 'CREATE ROLE boss LOGIN; CREATE ROLE reader LOGIN');

# A schema, a table and a column with names that must be quoted; a dropped column, so
# that column numbers change by a restore; a key of an enum whose order is not that of
# creation, and of an array.
my $setup = <<'SQL';
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS sdc;
CREATE SCHEMA "we""ird; schema";
CREATE TABLE "we""ird; schema"."tab'le ""x"""
	(gone int, "k' ey" int PRIMARY KEY, name text, "col ""a""; --" float8, "Größe" numeric(10, 2),
	salary int, sex text);
ALTER TABLE "we""ird; schema"."tab'le ""x""" DROP COLUMN gone;
INSERT INTO "we""ird; schema"."tab'le ""x"""
SELECT i, 'name ' || i, i * 0.1, i % 77, i * 1000, CASE i % 2 WHEN 0 THEN 'f' ELSE 'm' END
FROM generate_series(1, 500) AS i;
SELECT sdc_classify('"we""ird; schema"."tab''le ""x"""', 'name', 'identifier'),
	sdc_classify('"we""ird; schema"."tab''le ""x"""', 'salary', 'sensitive'),
	sdc_classify('"we""ird; schema"."tab''le ""x"""', 'Größe', 'quasi-identifier');
SELECT * FROM sdc_rankswap('"we""ird; schema"."tab''le ""x"""', p => 7.5, strata => '{sex}', seed => 'one');

CREATE TYPE mood AS ENUM ('good', 'bad');
ALTER TYPE mood ADD VALUE 'middling' BEFORE 'bad';
ALTER TYPE mood ADD VALUE 'best' BEFORE 'good';
CREATE TABLE moods (m mood, place int[], at timestamptz, weight float8, PRIMARY KEY (m, place, at));
INSERT INTO moods
SELECT (enum_range(NULL::mood))[1 + i % 4], ARRAY[i % 5, i],
	'2020-01-01 00:00+00'::timestamptz + i * interval '1 hour', sqrt(i)
FROM generate_series(1, 300) AS i;
SELECT * FROM sdc_rankswap_distribution('moods', p => 10, columns => '{m,weight}'::name[],
	key => '{place,at}', target => 'moods_by_place', seed => 'two');
SELECT * FROM sdc_rankswap_buckets('moods', buckets => 10, seed => 'two');

CREATE TABLE no_key (x int, y date);
INSERT INTO no_key SELECT i % 50, date '2000-01-01' + i FROM generate_series(1, 200) AS i;
SELECT * FROM sdc_rankswap('no_key', columns => '{x,y}', omit => NULL, seed => 'three');

-- random anonymization, generalization and permutation, with their own types, group and views
CREATE TABLE "Per sons" (nr int PRIMARY KEY, dropped int, "Q i" int, town text COLLATE "C", feeling mood, "sensi""tive" text);
ALTER TABLE "Per sons" DROP dropped;
INSERT INTO "Per sons" SELECT i, i % 17, 'town ' || i % 5, (enum_range(NULL::mood))[1 + i % 4], 'v' || i * i % 7 FROM generate_series(1, 400) AS i;
SELECT * FROM sdc_randomize('"Per sons"', ARRAY['town', 'Q i', 'feeling']::name[], seed => 'four');
SELECT * FROM sdc_generalize('"Per sons"', ARRAY['town', 'Q i', 'feeling']::name[], 'sensi"tive', l => 2.5, k => 4);
SELECT * FROM sdc_permute('"Per sons"', ARRAY['town', 'Q i']::name[], 'sensi"tive', l => 3, seed => 'four');
GRANT SELECT ON "Per sons_permute_qi", "Per sons_permute_sensitive" TO reader;

-- protected by somebody else
CREATE TABLE elsewhere AS SELECT m, place, at, -weight AS weight FROM moods;
SELECT sdc_register('moods', 'elsewhere', '{weight}', NULL, 'noise', '{"sigma": 1.5, "by": "µ-Argus"}',
	'{m}', '{weight}');

-- what must not be dumped: a release that is gone, one whose source is gone, the
-- classification of a table that is gone, and temporary ones
CREATE TABLE a AS SELECT i AS id, i AS x FROM generate_series(1, 20) AS i;
CREATE TABLE b (LIKE a);
CREATE TABLE c (LIKE a);
SELECT sdc_classify('c', 'x', 'public');
SELECT * FROM sdc_rankswap('a', key => '{id}', target => 'a_gone');
SELECT * FROM sdc_rankswap('b', key => '{id}', target => 'b_stays');
CREATE TEMP TABLE d AS TABLE a;
SELECT sdc_classify('d', 'x', 'public');
SELECT * FROM sdc_rankswap('d', columns => '{x}', key => '{id}', target => 'd_released');
DROP TABLE a_gone, b, c;
SQL

# Everything that the catalog tells, and the releases themselves.
my $state = <<'SQL';
SELECT release, source, method, parameters, columns, key, strata, omitted, qi, sensitive, records,
	seeded, created_by, created_at AT TIME ZONE 'UTC'
FROM sdc_releases WHERE release::text !~ '^d_|^pg_temp' ORDER BY release::text COLLATE "C";
SELECT * FROM sdc_attributes WHERE relation::text !~ '^d$|^pg_temp' ORDER BY relation::text COLLATE "C",
	attribute COLLATE "C";
SELECT 1, md5(string_agg(r::text, '' ORDER BY r::text COLLATE "C")) FROM "we""ird; schema"."tab'le ""x""_rankswap" AS r
UNION ALL SELECT 2, md5(string_agg(r::text, '' ORDER BY r::text COLLATE "C")) FROM moods_by_place AS r
UNION ALL SELECT 3, md5(string_agg(r::text, '' ORDER BY r::text COLLATE "C")) FROM moods_rankswap_buckets AS r
UNION ALL SELECT 4, md5(string_agg(r::text, '' ORDER BY r::text COLLATE "C")) FROM no_key_rankswap AS r
UNION ALL SELECT 5, md5(string_agg(r::text, '' ORDER BY r::text COLLATE "C")) FROM "Per sons_randomize" AS r
UNION ALL SELECT 6, md5(string_agg(r::text, '' ORDER BY r::text COLLATE "C")) FROM "Per sons_generalize" AS r
UNION ALL SELECT 7, md5(string_agg(r::text, '' ORDER BY r::text COLLATE "C")) FROM "Per sons_permute" AS r
UNION ALL SELECT 8, md5(string_agg(r::text, '' ORDER BY r::text COLLATE "C")) FROM "Per sons_permute_qi" AS r
UNION ALL SELECT 9, md5(string_agg(r::text, '' ORDER BY r::text COLLATE "C")) FROM "Per sons_permute_sensitive" AS r
ORDER BY 1;
SELECT relname, has_table_privilege('reader', oid, 'SELECT') FROM pg_class WHERE relname LIKE 'Per sons%' AND relkind IN ('r', 'v')
ORDER BY relname COLLATE "C";
SQL

# What is measured of the releases by their groups and attributes.
my $measures = <<'SQL';
SET sdc.query_workload = 100;
SELECT release, attributes, queries, mean_error, median_error, p95_error, redrawn, problem
FROM sdc_query_errors WHERE source = '"Per sons"'::regclass ORDER BY release::text COLLATE "C", attributes;
SELECT release, length, original, recovered, artificial, problem
FROM sdc_association_recall WHERE source = '"Per sons"'::regclass ORDER BY release::text COLLATE "C", length;
SELECT * FROM sdc_inference_risk('"Per sons_randomize"');
SELECT * FROM sdc_kanonymity('"Per sons_generalize"', ARRAY['town', 'Q i', 'feeling']::name[]),
	sdc_ldiversity('"Per sons_generalize"', ARRAY['town', 'Q i', 'feeling']::name[], 'sensi"tive') AS l,
	sdc_ldiversity('"Per sons_permute"', '{group_id}', 'sensi"tive') AS p;
SQL

my $checksums = <<'SQL';
SELECT release, checksum FROM sdc_release_catalog
WHERE EXISTS (SELECT FROM pg_class WHERE oid = release AND relpersistence <> 't')
	AND EXISTS (SELECT FROM pg_class WHERE oid = source)
ORDER BY release::text COLLATE "C";
SQL

# The same calls again, which must give the same releases, checksums and actions.
my $again = <<'SQL';
SET client_min_messages = warning;
SELECT * FROM sdc_rankswap('"we""ird; schema"."tab''le ""x"""', p => 7.5, strata => '{sex}',
	seed => 'one', replace => true);
SELECT * FROM sdc_rankswap_distribution('moods', p => 10, columns => '{m,weight}'::name[],
	key => '{place,at}', target => 'moods_by_place', seed => 'two', replace => true);
SELECT * FROM sdc_rankswap_buckets('moods', buckets => 10, seed => 'two', replace => true);
SELECT * FROM sdc_rankswap('no_key', columns => '{x,y}', seed => 'three', replace => true);
SELECT * FROM sdc_randomize('"Per sons"', ARRAY['feeling', 'town', 'Q i']::name[], seed => 'four', replace => true);
SELECT * FROM sdc_generalize('"Per sons"', ARRAY['town', 'Q i', 'feeling']::name[], 'sensi"tive', l => 2.5, k => 4, replace => true);
SELECT * FROM sdc_permute('"Per sons"', ARRAY['town', 'Q i']::name[], 'sensi"tive', l => 3, seed => 'four', replace => true);
SQL

foreach my $user ($node->safe_psql('postgres', 'SELECT session_user'), 'boss')
{
	my $who = $user eq 'boss' ? 'owner of the database' : 'superuser';
	my @as = (extra_params => [ '-U', $user ]);
	my $from = "from_$user";
	my $count = sub { $node->safe_psql($_[0], $_[1], @as) };

	$node->safe_psql('postgres', qq{CREATE DATABASE "$from" OWNER "$user"});
	$node->safe_psql($from, $setup, @as);
	is($count->($from, q{SELECT rolname FROM pg_extension JOIN pg_roles ON extowner = pg_roles.oid
		WHERE extname = 'sdc'}),
		$user, "$who: owns the extension");

	my $before = $node->safe_psql($from, $state, @as);
	my $before_checksums = $node->safe_psql($from, $checksums, @as);
	is(scalar(() = $before_checksums =~ /\|-?\d+$/mg), 8, "$who: there are eight live releases");
	like($before, qr/^"we""ird; schema"\."tab'le ""x"""\|name\|identifier$/m,
		"$who: there are classifications");
	my $before_report = $node->safe_psql($from, $again, @as);
	is($node->safe_psql($from, $checksums, @as), $before_checksums,
		"$who: making the releases again gives the same checksums");

	# the state again: creation times have changed
	$before = $node->safe_psql($from, $state, @as);
	my $before_measures = $node->safe_psql($from, $measures, @as);
	unlike($before_measures, qr/release|source|column/, "$who: all releases of groups and attributes are measured");

	my $file = "$PostgreSQL::Test::Utils::tmp_check/$user";
	$node->command_ok([ 'pg_dump', '-U', $user, '-Fc', '-f', "$file.dump", $from ], "$who: pg_dump -Fc");
	$node->command_ok([ 'pg_dump', '-U', $user, '-f', "$file.sql", $from ], "$who: pg_dump");
	$node->command_ok([ 'pg_dump', '-U', $user, '-s', '-f', "$file.schema.sql", $from ],
		"$who: pg_dump --schema-only");

	my ($rows) = slurp_file("$file.sql") =~ /^COPY public\.sdc_release_catalog[^\n]*\n(.*?)^\\\.$/ms;
	is(scalar(() = $rows =~ /\n/g), 8, "$who: the rows of live releases are dumped, and no others");
	unlike($rows, qr/^\d/m, "$who: no release is dumped as a number");
	unlike($rows, qr/^\S+\t\d+\t/m, "$who: no source is dumped as a number");
	is(scalar(() = slurp_file("$file.sql") =~ /^SECURITY LABEL FOR sdc ON COLUMN/mg), 3,
		"$who: the classifications of tables that are there are dumped, and no others");

	foreach my $format ('custom', 'plain', 'schema only')
	{
		(my $to = "to_${user}_$format") =~ s/ /_/;
		my $title = "$who, $format";

		$node->safe_psql('postgres', qq{CREATE DATABASE "$to" OWNER "$user"});
		if ($format eq 'custom')
		{
			$node->command_ok([ 'pg_restore', '-U', $user, '--exit-on-error', '-d', $to, "$file.dump" ],
				"$title: pg_restore");
		}
		else
		{
			my $sql = $format eq 'plain' ? "$file.sql" : "$file.schema.sql";
			$node->command_ok([ 'psql', '-X', '-q', '-U', $user, '-v', 'ON_ERROR_STOP=1', '-d', $to, '-f', $sql ],
				"$title: restored by psql");
		}
		if ($format eq 'schema only')
		{
			is($count->($to, q{SELECT (SELECT count(*) FROM sdc_releases) || ' ' || (SELECT count(*)
				FROM sdc_attributes)}),
				'0 3', "$title: there are no releases, but the classifications");
			next;
		}

		is($count->($to, $state), $before, "$title: releases, their rows and roles are the same");
		is($count->($to, $checksums), $before_checksums, "$title: checksums of the sources are the same");
		is($count->($to, $measures), $before_measures, "$title: releases of groups and attributes are measured the same");
		# Column numbers have changed, as one column was dropped: roles must not
		# go by the old ones.
		my $table = q{'"we""ird; schema"."tab''le ""x"""'};
		my $roles = qq{SELECT string_agg(attribute || ' ' || role, ', ' ORDER BY attribute COLLATE "C")
			FROM sdc_attributes WHERE relation = $table\:\:regclass};
		$node->safe_psql($to, q{ALTER TABLE "we""ird; schema"."tab'le ""x""" RENAME name TO "full name"}, @as);
		is($count->($to, $roles), 'Größe quasi-identifier, full name identifier, salary sensitive',
			"$title: a role follows its column through a rename");
		$node->safe_psql($to, qq{SELECT sdc_classify($table, 'col "a"; --', 'public')}, @as);
		is($count->($to, $roles),
			'Größe quasi-identifier, col "a"; -- public, full name identifier, salary sensitive',
			"$title: classifying one column leaves the others alone");
		is($count->($to, qq{SET client_min_messages = error;
				SELECT attribute FROM sdc_rankswap($table, target => 'renamed') WHERE action = 'omitted'}),
			'full name', "$title: the renamed identifier is left out");
		$node->safe_psql($to, q{DROP TABLE renamed;
			ALTER TABLE "we""ird; schema"."tab'le ""x""" RENAME "full name" TO name}, @as);
		$node->safe_psql($to, qq{SELECT sdc_classify($table, 'col "a"; --', NULL)}, @as);

		is($count->($to, $again), $before_report,
			"$title: replace => true works, and columns are treated alike");
		is($count->($to, $checksums), $before_checksums,
			"$title: the restored sources have the checksums of the original ones");
		my ($new, $old) = ($count->($to, $state), $before);
		s/\|\d{4}-\d\d-\d\d [\d:.]+$//mg foreach ($new, $old);	# when they were made
		is($new, $old, "$title: the new releases are the same ones");

		my ($status, undef, $error) = $node->psql($to,
			q{SELECT FROM sdc_rankswap('moods', target => 'elsewhere', replace => true)}, @as);
		like($error, qr/is not a release made by sdc/, "$title: a registered release is still not replaced");

	}
}

# A database that has the extension already, as from a template: then no session loads the
# library by creating it, and labels are refused unless the library is preloaded.
$node->safe_psql('postgres', q{CREATE DATABASE has_it; ALTER DATABASE has_it SET session_preload_libraries = 'sdc'});
$node->safe_psql('has_it', 'CREATE EXTENSION sdc');
$node->command_ok(
	[ 'pg_restore', '--exit-on-error', '-j', '2', '-d', 'has_it', "$PostgreSQL::Test::Utils::tmp_check/"
		  . $node->safe_psql('postgres', 'SELECT session_user') . '.dump' ],
	'pg_restore by two jobs into a database that has the extension and preloads it');
is($node->safe_psql('has_it', 'SELECT (SELECT count(*) FROM sdc_releases), (SELECT count(*) FROM sdc_attributes)'),
	'8|3', 'and releases and classifications are there');

# Somebody else's extension: the catalog is dumped by whoever may read all of it.
$node->safe_psql('postgres', 'CREATE ROLE backup LOGIN BYPASSRLS; GRANT pg_read_all_data TO backup');
$node->command_ok([ 'pg_dump', '-U', 'backup', '-f', "$PostgreSQL::Test::Utils::tmp_check/backup.sql", 'from_boss' ],
	'a role for backups, with pg_read_all_data and BYPASSRLS, can dump');
$node->command_ok(
	[ 'pg_dump', '-U', 'boss', '-n', 'public', '-f', "$PostgreSQL::Test::Utils::tmp_check/schema.sql", 'from_boss' ],
	'a schema can be dumped by itself');

$node->stop;
done_testing();

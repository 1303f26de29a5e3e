# 001_dump_restore.pl
#		What the extension knows of releases and columns survives a dump and restore.
#
# As a superuser, as the owner of a database who is none and has created the (trusted) extension, and
# as one who has not: another superuser did.  Each time in the custom format and as plain SQL.
# Who has created it can be gone.  Of the checksums of sources nothing can be told after a restore, until the owner says that they are
# what they were.  And rows that somebody forges mislead nobody.

use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = sdc_node('main');
$node->safe_psql('postgres', q{CREATE ROLE boss LOGIN; CREATE ROLE landlord LOGIN; CREATE ROLE reader LOGIN;
	CREATE ROLE victim LOGIN; CREATE ROLE chief LOGIN SUPERUSER});
my $superuser = $node->safe_psql('postgres', 'SELECT session_user');

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
	key => '{place,at}', target => 'moods_by_place', seed => 'two', missing => '{"m": ["bad"], "weight": [3, 4]}');
SELECT * FROM sdc_rankswap_buckets('moods', buckets => 10, seed => 'two');

CREATE TABLE no_key (x int, y date);
INSERT INTO no_key SELECT i % 50, date '2000-01-01' + i FROM generate_series(1, 200) AS i;
SELECT * FROM sdc_rankswap('no_key', p => 5, columns => '{x,y}', omit => NULL, seed => 'three');

-- random anonymization, generalization and permutation, with their own types, group and views
CREATE TABLE "Per sons" (nr int PRIMARY KEY, dropped int, "Q i" int, town text COLLATE "C", feeling mood, "sensi""tive" text);
ALTER TABLE "Per sons" DROP dropped;
INSERT INTO "Per sons" SELECT i, i % 17, 'town ' || i % 5, (enum_range(NULL::mood))[1 + i % 4], 'v' || i * i % 7 FROM generate_series(1, 400) AS i;
SELECT * FROM sdc_randomize('"Per sons"', ARRAY['town', 'Q i', 'feeling']::name[], seed => 'four');
SELECT * FROM sdc_generalize('"Per sons"', ARRAY['town', 'Q i', 'feeling']::name[], ARRAY['sensi"tive'], l => 2.5, k => 4);
SELECT * FROM sdc_permute('"Per sons"', ARRAY['town', 'Q i']::name[], ARRAY['sensi"tive'], l => 3, seed => 'four');
GRANT SELECT ON "Per sons_permute_qi", "Per sons_permute_sensitive" TO reader;

-- protected by somebody else
CREATE TABLE elsewhere AS SELECT m, place, at, -weight AS weight FROM moods;
SELECT sdc_register('moods', 'elsewhere', '{weight}', NULL, 'noise', '{"sigma": 1.5, "by": "µ-Argus"}',
	'{m}', '{weight}');

-- what must not be there after a restore: a release that is gone, one whose source is gone, the
-- classification of a table that is gone, and temporary ones
CREATE TABLE a AS SELECT i AS id, i AS x FROM generate_series(1, 20) AS i;
CREATE TABLE b (LIKE a);
CREATE TABLE c (LIKE a);
SELECT sdc_classify('c', 'x', 'public');
SELECT * FROM sdc_rankswap('a', p => 5, key => '{id}', target => 'a_gone');
SELECT * FROM sdc_rankswap('b', p => 5, key => '{id}', target => 'b_stays');
CREATE TEMP TABLE d AS TABLE a;
SELECT sdc_classify('d', 'x', 'public');
SELECT * FROM sdc_rankswap('d', p => 5, columns => '{x}', key => '{id}', target => 'd_released');
DROP TABLE a_gone, b, c;
SQL

# Everything that the catalog tells, and the releases themselves.
my $state = <<'SQL';
SELECT release, source, method, parameters, columns, key, strata, omitted, qi, sensitive, records,
	seeded, missing, created_by, created_at AT TIME ZONE 'UTC'
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
	sdc_ldiversity('"Per sons_generalize"', ARRAY['town', 'Q i', 'feeling']::name[], ARRAY['sensi"tive']) AS l,
	sdc_ldiversity('"Per sons_permute"', '{group_id}', ARRAY['sensi"tive']) AS p;
SQL

# The scores of all releases: their sources are compared with the checksums.
my $scores = <<'SQL';
SELECT release, il, dld, pld, rsld, interval_disclosure, dr, score, problem FROM sdc_scores ORDER BY release::text COLLATE "C";
SQL

# The problems that the views have with them, and what is measured by a function or why it is not.
my $problems = <<'SQL';
SET sdc.query_workload = 10;
SELECT DISTINCT 'score', release, problem FROM sdc_scores UNION ALL SELECT DISTINCT 'errors', release, problem FROM sdc_query_errors
UNION ALL SELECT DISTINCT 'recall', release, problem FROM sdc_association_recall;
SQL
my $measure = q{SELECT count(*) > 0 FROM sdc_interval_disclosure('moods_by_place')};

# The owner says of all sources that they are what the releases were made from.
my $confirm = q{SELECT string_agg(DISTINCT sdc_confirm_source(release)::text, ' or ') || ': ' || count(*) FROM sdc_releases};

# The same calls again, which must give the same releases and actions.
my $again = <<'SQL';
SET client_min_messages = warning;
SELECT * FROM sdc_rankswap('"we""ird; schema"."tab''le ""x"""', p => 7.5, strata => '{sex}',
	seed => 'one', replace => true);
SELECT * FROM sdc_rankswap_distribution('moods', p => 10, columns => '{m,weight}'::name[],
	key => '{place,at}', target => 'moods_by_place', seed => 'two', missing => '{"m": ["bad"], "weight": [3, 4]}', replace => true);
SELECT * FROM sdc_rankswap_buckets('moods', buckets => 10, seed => 'two', replace => true);
SELECT * FROM sdc_rankswap('no_key', p => 5, columns => '{x,y}', seed => 'three', replace => true);
SELECT * FROM sdc_randomize('"Per sons"', ARRAY['feeling', 'town', 'Q i']::name[], seed => 'four', replace => true);
SELECT * FROM sdc_generalize('"Per sons"', ARRAY['town', 'Q i', 'feeling']::name[], ARRAY['sensi"tive'], l => 2.5, k => 4, replace => true);
SELECT * FROM sdc_permute('"Per sons"', ARRAY['town', 'Q i']::name[], ARRAY['sensi"tive'], l => 3, seed => 'four', replace => true);
SQL

# error_of runs a statement that must fail, and returns its error.
sub error_of
{
	my ($database, $user, $sql) = @_;
	my ($status, undef, $error) = $node->psql($database, "SET client_min_messages = error; $sql",
		extra_params => [ '-U', $user, '-v', 'VERBOSITY=verbose' ]);

	return $status == 0 ? 'no error' : $error;
}

# is_unconfirmed tests what is known of the releases of a database that was just restored, and how
# their sources are confirmed.
sub is_unconfirmed
{
	my ($database, $user, $title, %before) = @_;
	my $ask = sub { $node->safe_psql($database, $_[0], extra_params => [ '-U', $user ]) };
	my $problems = $ask->($problems);

	is($ask->($state), $before{state}, "$title: releases, their rows and roles are the same");
	is($node->safe_psql($database, 'SELECT count(*) FROM sdc_private.sdc_release_catalog'), 8,
		"$title: no row of a release that is gone is restored");
	is(scalar(() = $problems =~ /\n/g) + 1, 24, "$title: all views show all releases");
	is(scalar(() = $problems =~ /\|release ".*" came out of a dump: the checksum of its source ".*" must be taken again$/mg),
		24, "$title: and say of each that its source must be confirmed");
	like(error_of($database, $user, $measure), qr/ERROR:  55000: release "moods_by_place" came out of a dump/,
		"$title: functions say so too");
	is($node->safe_psql($database, q{SELECT sdc_confirm_source('moods_by_place')}, extra_params => [ '-U', 'reader' ]), 'f',
		"$title: who does not own a release does not confirm its source");
	like(error_of($database, $user, q{BEGIN; DELETE FROM moods WHERE weight = 5; SELECT sdc_confirm_source('elsewhere')}),
		qr/ERROR:  55000: source "moods" has changed since release "elsewhere" was made/,
		"$title: nor one with another number of records");
	like(error_of($database, $user, q{BEGIN; UPDATE moods_by_place SET at = at + interval '1 s' WHERE place = '{1,6}'; SELECT sdc_confirm_source('moods_by_place')}),
		qr/ERROR:  55000: release "moods_by_place" does not have the records/, "$title: nor one with other keys than the release");
	like(error_of($database, $user, $measure), qr/ERROR:  55000: .* came out of a dump/, "$title: and nothing is confirmed");
	return;
}

# is_confirmed tests that all sources can be confirmed, once, and that everything is measured as before.
sub is_confirmed
{
	my ($database, $user, $title, %before) = @_;
	my $ask = sub { $node->safe_psql($database, $_[0], extra_params => [ '-U', $user ]) };

	is($ask->($confirm), 'true: 8', "$title: the owner confirms the sources");
	is($ask->($confirm), 'false: 8', "$title: once");
	is($ask->($state), $before{state}, "$title: which leaves what is known of the releases");
	is($ask->($scores), $before{scores}, "$title: the scores are the same");
	is($ask->($measures), $before{measures}, "$title: releases of groups and attributes are measured the same");
	like(error_of($database, $user, q{BEGIN; UPDATE moods SET weight = weight + 1 WHERE weight = 5; SELECT FROM sdc_score('moods_by_place')}),
		qr/ERROR:  55000: source "moods" has changed since release "moods_by_place" was made/,
		"$title: and a change of the source is noticed");
	return;
}

my %before_of;
foreach my $case ([ $superuser, $superuser, 'superuser' ], [ 'boss', 'boss', 'owner of the database' ],
	[ 'landlord', 'chief', 'owner of the database, not of the extension' ])
{
	my ($user, $installer, $who) = @$case;
	my @as = (extra_params => [ '-U', $user ]);
	my $from = "from_$user";
	my $count = sub { $node->safe_psql($_[0], $_[1], @as) };
	my %before;

	$node->safe_psql('postgres', qq{CREATE DATABASE "$from" OWNER "$user"});
	$node->safe_psql($from, 'CREATE EXTENSION sdc', extra_params => [ '-U', $installer ]);
	$node->safe_psql($from, $setup, @as);
	is($count->($from, q{SELECT rolname FROM pg_extension JOIN pg_roles ON extowner = pg_roles.oid
		WHERE extname = 'sdc'}),
		$installer, "$who: the extension is its installer's");

	$before{state} = $node->safe_psql($from, $state, @as);
	$before{scores} = $node->safe_psql($from, $scores, @as);
	is(scalar(() = $before{scores} =~ /\n/g) + 1, 8, "$who: there are eight live releases");
	is(scalar(() = $before{scores} =~ /\|$/mg), 7, "$who: all that have values have scores");
	like($before{state}, qr/^"we""ird; schema"\."tab'le ""x"""\|name\|identifier$/m,
		"$who: there are classifications");
	my $before_report = $node->safe_psql($from, $again, @as);
	is($node->safe_psql($from, $scores, @as), $before{scores}, "$who: making the releases again gives the same scores");

	# the state again: creation times have changed
	$before{state} = $node->safe_psql($from, $state, @as);
	$before{measures} = $node->safe_psql($from, $measures, @as);
	unlike($before{measures}, qr/release|source|column/, "$who: all releases of groups and attributes are measured");
	$before_of{$user} = \%before;

	# one of a session that is still there when the dump is made, and then a release that is gone
	my $session = $node->background_psql($from, on_error_stop => 0, extra_params => [ '-U', $user ]);
	sdc_query($session, q{SET client_min_messages = error; CREATE TEMP TABLE e AS TABLE a;
		SELECT FROM sdc_rankswap('e', p => 5, key => '{id}'); SELECT FROM sdc_rankswap('e', p => 5, key => '{id}', target => 'e_released')});
	is(sdc_query($session, q{SELECT count(*) FROM sdc_releases WHERE source = 'e'::regclass}), 2,
		"$who: there are releases of a temporary table");
	$node->safe_psql($from, q{SET client_min_messages = error; SELECT FROM sdc_rankswap('a', p => 5, key => '{id}', target => 'a_gone');
		DROP TABLE a_gone}, @as);

	my $file = "$PostgreSQL::Test::Utils::tmp_check/$user";
	$node->command_ok([ 'pg_dump', '-U', $user, '-Fc', '-f', "$file.dump", $from ], "$who: pg_dump -Fc");
	$node->command_ok([ 'pg_dump', '-U', $user, '-f', "$file.sql", $from ], "$who: pg_dump");
	$node->command_ok([ 'pg_dump', '-U', $user, '-s', '-f', "$file.schema.sql", $from ],
		"$who: pg_dump --schema-only");
	$session->quit;

	my $dump = slurp_file("$file.sql");
	my ($rows) = $dump =~ /^COPY sdc_private\.sdc_release_catalog [^\n]* FROM stdin;\n(.*?)^\\\.$/ms;
	is(scalar(() = $rows =~ /^\D\S*(?: \S*)*\t\S[^\t]*\t\D/mg), 8, "$who: the rows of live releases are dumped");
	is(scalar(() = $rows =~ /\n/g), 10, "$who: and two of what is gone, as numbers");
	unlike($rows, qr/e_released|pg_temp|e_rankswap/, "$who: no temporary release is dumped");
	unlike($dump, qr/^COPY \S*sdc_(?:secret|temporary)/m, "$who: nor what the extension knows of one, or its secret");
	my $secret = $node->safe_psql($from, 'SELECT secret FROM sdc_private.sdc_secret');
	like($secret, qr/^\\x[0-9a-f]{64}$/, "$who: there is a secret");
	is(index($dump, substr($secret, 2)), -1, "$who: and it is not in the dump");
	unlike($dump, qr/^(?:GRANT|REVOKE) .*sdc_/m, "$who: nor are rights of the extension's objects");
	is(scalar(() = $dump =~ /^SECURITY LABEL FOR sdc ON COLUMN/mg), 3,
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

		is_unconfirmed($to, $user, $title, %before);
		is_confirmed($to, $user, $title, %before) if $format eq 'custom';
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
				SELECT attribute FROM sdc_rankswap($table, p => 5, target => 'renamed') WHERE action = 'omitted'}),
			'full name', "$title: the renamed identifier is left out");
		$node->safe_psql($to, q{DROP TABLE renamed;
			ALTER TABLE "we""ird; schema"."tab'le ""x""" RENAME "full name" TO name}, @as);
		$node->safe_psql($to, qq{SELECT sdc_classify($table, 'col "a"; --', NULL)}, @as);

		is($count->($to, $again), $before_report,
			"$title: replace => true works, and columns are treated alike");
		# with the custom format the sources are confirmed by now; a replacement needs no confirmation
		is($count->($to, $confirm), $format eq 'custom' ? 'false: 8' : 'false or true: 8', "$title: what was made again needs no confirmation");
		is($count->($to, $scores), $before{scores}, "$title: and has the same scores");
		my ($new, $old) = ($count->($to, $state), $before{state});
		s/\|\d{4}-\d\d-\d\d [\d:.]+$//mg foreach ($new, $old);	# when they were made
		is($new, $old, "$title: the new releases are the same ones");

		my ($status, undef, $error) = $node->psql($to,
			q{SELECT FROM sdc_rankswap('moods', p => 5, target => 'elsewhere', replace => true)}, @as);
		like($error, qr/is not a release made by sdc/, "$title: a registered release is still not replaced");

	}
}

# A database that has the extension already, as from a template: then no session loads the
# library by creating it, and labels are refused unless the library is preloaded.  Who restores is a superuser, or owns
# the database and not the extension, of which he cannot restore the comment either.
foreach my $case ([ $superuser, 'superuser', '-j', '2' ], [ 'landlord', 'owner of the database', '--no-comments' ])
{
	my ($user, $who, @options) = @$case;
	my $title = "$who, into a database that has the extension";

	$node->safe_psql('postgres', qq{CREATE DATABASE has_it_$user OWNER "$user"; ALTER DATABASE has_it_$user SET session_preload_libraries = 'sdc'});
	$node->safe_psql("has_it_$user", 'CREATE EXTENSION sdc');
	$node->command_ok(
		[ 'pg_restore', '-U', $user, '--exit-on-error', @options, '-d', "has_it_$user", "$PostgreSQL::Test::Utils::tmp_check/$user.dump" ],
		"$title, and preloads it: pg_restore @options");
	is($node->safe_psql("has_it_$user", 'SELECT (SELECT count(*) FROM sdc_releases), (SELECT count(*) FROM sdc_attributes)'),
		'8|3', "$title: releases and classifications are there");
	is_unconfirmed("has_it_$user", $user, $title, %{ $before_of{$user} });
	is_confirmed("has_it_$user", $user, $title, %{ $before_of{$user} });
}

# Somebody else's extension: the catalog is dumped by whoever may read all of it.
my $backup = "$PostgreSQL::Test::Utils::tmp_check/backup.sql";
$node->safe_psql('postgres', 'CREATE ROLE backup LOGIN BYPASSRLS; GRANT pg_read_all_data TO backup');
$node->command_ok([ 'pg_dump', '-U', 'backup', '-f', $backup, 'from_boss' ],
	'a role for backups, with pg_read_all_data and BYPASSRLS, can dump');
$node->command_ok(
	[ 'pg_dump', '-U', 'boss', '-n', 'public', '-f', "$PostgreSQL::Test::Utils::tmp_check/schema.sql", 'from_boss' ],
	'a schema can be dumped by itself');
unlike(slurp_file("$PostgreSQL::Test::Utils::tmp_check/schema.sql"), qr/sdc_private|sdc_\w+_catalog|EXTENSION/, 'and has nothing of the extension, also where it has that');

# An installer who does not own the database dumps it, with the catalog, when he may read it, and restores it into his own.
$node->safe_psql('postgres', 'CREATE ROLE installer LOGIN; CREATE DATABASE from_installer; GRANT CREATE ON DATABASE from_installer TO installer; CREATE DATABASE to_installer OWNER installer');
$node->safe_psql('from_installer', 'GRANT CREATE ON SCHEMA public TO installer');
$node->safe_psql('from_installer', q{SET client_min_messages = error; CREATE EXTENSION sdc; CREATE TABLE a AS SELECT i AS id, i AS x FROM generate_series(1, 20) AS i;
	SELECT FROM sdc_rankswap('a', p => 50, key => '{id}', target => 'a_released', continued => true)}, extra_params => [ '-U', 'installer' ]);
my @dump_it = ('pg_dump', '-U', 'installer', '-Fc', '-f', "$PostgreSQL::Test::Utils::tmp_check/installer.dump", 'from_installer');
$node->command_fails_like(\@dump_it, qr/permission denied for schema sdc_private/, 'an installer who does not own the database has no right on the catalog');
$node->safe_psql('postgres', 'GRANT pg_read_all_data TO installer');
$node->command_ok(\@dump_it, 'and can dump with pg_read_all_data');
$node->command_ok([ 'pg_restore', '-U', 'installer', '--exit-on-error', '--no-acl', '--no-owner', '-d', 'to_installer', "$PostgreSQL::Test::Utils::tmp_check/installer.dump" ],
	'and restores into one that is his');
is($node->safe_psql('to_installer', q{SELECT release, records FROM sdc_releases}, extra_params => [ '-U', 'installer' ]), 'a_released|20', 'the release is there');
is($node->safe_psql('to_installer', q{SET client_min_messages = error; DELETE FROM a WHERE id = 3;
		SELECT FROM sdc_rankswap('a', p => 50, key => '{id}', target => 'a_released', continued => true, replace => true);
		SELECT records FROM sdc_releases}, extra_params => [ '-U', 'installer' ]), '19', 'and goes on, with its private state');

# Section by section, of a dump in one file and of one in a directory, which two processes write and read.
foreach my $case ([ $superuser, 'superuser' ], [ 'landlord', 'owner of the database' ])
{
	my ($user, $who) = @$case;
	my $title = "$who, section by section, from a directory";
	my $folder = "$PostgreSQL::Test::Utils::tmp_check/$user.dir";

	$node->command_ok([ 'pg_dump', '-U', $user, '-Fd', '-j', '2', '-f', $folder, "from_$user" ], "$title: pg_dump -Fd -j 2");
	$node->safe_psql('postgres', qq{CREATE DATABASE sections_$user OWNER "$user"});
	$node->command_ok([ 'pg_restore', '-U', $user, '--exit-on-error', "--section=$_", '-j', '2', '-d', "sections_$user", $folder ], "$title: $_")
	  foreach ('pre-data', 'data', 'post-data');
	is_unconfirmed("sections_$user", $user, $title, %{ $before_of{$user} });
	is_confirmed("sections_$user", $user, $title, %{ $before_of{$user} });
}

# Without owners what is restored belongs to whoever restores it.
$node->safe_psql('postgres', 'CREATE DATABASE to_nobody OWNER boss');
$node->command_ok([ 'pg_restore', '-U', 'boss', '--exit-on-error', '--no-owner', '-d', 'to_nobody', "$PostgreSQL::Test::Utils::tmp_check/landlord.dump" ],
	'restored by somebody else, with --no-owner');
is_unconfirmed('to_nobody', 'boss', 'without owners', %{ $before_of{landlord} });
is_confirmed('to_nobody', 'boss', 'without owners', %{ $before_of{landlord} });

# What a superuser restores counts for everybody: whose the tables are, and who may read them.
$node->safe_psql('postgres', 'CREATE DATABASE to_backup');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', 'to_backup', '-f', $backup ],
	'a superuser restores what belongs to others');
my $writers = q{SELECT string_agg(DISTINCT written_by::text, ' ') FROM sdc_private.sdc_release_catalog};
is($node->safe_psql('to_backup', $writers), $superuser, 'and the rows say that he did');
is_unconfirmed('to_backup', 'boss', 'restored by a superuser', %{ $before_of{boss} });
is_confirmed('to_backup', 'boss', 'restored by a superuser', %{ $before_of{boss} });
is($node->safe_psql('to_backup', $writers), '-', 'then the rows are the extension\'s own');
my $visible = q{SELECT string_agg(release::text, ' ' ORDER BY release::text COLLATE "C") FROM sdc_releases};
foreach my $database ('to_backup', 'to_boss_custom', 'has_it_landlord')
{
	$node->safe_psql($database, 'GRANT SELECT ON moods, moods_by_place TO reader');
	is($node->safe_psql($database, $visible, extra_params => [ '-U', 'reader' ]), 'elsewhere moods_by_place moods_rankswap_buckets',
		"$database: who may read a source sees its releases");
	is($node->safe_psql($database, $measure, extra_params => [ '-U', 'reader' ]), 't', "$database: and measures those that he may read");
	is($node->safe_psql($database, $confirm, extra_params => [ '-U', 'reader' ]), 'false: 3', "$database: the statement that confirms his own leaves those of others as they are");
}

# Whoever has installed it can be gone: dumps name no role that is not there, and the owner of the database makes and restores them.
$node->safe_psql('postgres', 'CREATE ROLE gone LOGIN; CREATE DATABASE behind OWNER landlord; GRANT CREATE ON DATABASE behind TO gone');
$node->safe_psql('behind', 'CREATE EXTENSION sdc', extra_params => [ '-U', 'gone' ]);
$node->safe_psql('behind', 'REASSIGN OWNED BY gone TO boss; DROP OWNED BY gone; DROP ROLE gone');
foreach my $dump ([ 'landlord', '' ], [ $superuser, '' ], [ $superuser, '--binary-upgrade' ])
{
	my ($as, $option) = @$dump;
	my $file = "$PostgreSQL::Test::Utils::tmp_check/behind_$as$option";
	my $title = "the installer is gone: $as $option";

	$node->command_ok([ 'pg_dump', '-U', $as, ($option ? ($option, '-s') : ()), '-f', $file, 'behind' ], "$title: pg_dump");
	unlike(slurp_file($file), qr/^(?:GRANT|REVOKE).*"\d+"/m, "$title: no role by a number");
	next if $option;
	unlike(slurp_file($file), qr/^(?:GRANT|REVOKE).*sdc/m, "$title: no right differs from those of an installation");
	$node->safe_psql('postgres', "CREATE DATABASE behind_$as OWNER landlord");
	$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-U', $as, '-d', "behind_$as", '-f', $file ], "$title: is restored");
}

# Roles are names in a dump, as owners of tables are: in another cluster a number is nobody's, or somebody else's.
# own3 has restored his own tables, and a row about one of own5's.
my $tmp = $PostgreSQL::Test::Utils::tmp_check;
my @own3 = (extra_params => [ '-U', 'own3' ]);
$node->safe_psql('postgres', q{CREATE ROLE own3 LOGIN; CREATE ROLE own5 LOGIN; CREATE DATABASE roles OWNER own3; CREATE DATABASE roles_own3 OWNER own3});
$node->safe_psql('roles', q{CREATE EXTENSION sdc; GRANT CREATE ON SCHEMA public TO own5});
foreach my $role ('own3', 'own5')
{
	$node->safe_psql('roles', qq{SET client_min_messages = error; CREATE TABLE $role (id int PRIMARY KEY, x int); INSERT INTO $role SELECT i, i * 7 % 31 FROM generate_series(1, 30) AS i;
		SELECT sdc_policy_set('of $role', '$role', '[{"method": "rankswap", "columns": ["x"], "p": 50}]', 'public.${role}_public', '{id}', limits => '{"people_found": 100}');
		CALL sdc_run('of $role')}, extra_params => [ '-U', $role ]);
}
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$tmp/roles.dump", 'roles' ], 'tables and policies of two roles are dumped');
$node->command_ok([ 'pg_restore', '-U', 'own3', '--exit-on-error', '--no-owner', '--no-acl', '-d', 'roles_own3', "$tmp/roles.dump" ], 'and restored by one of them, without owners');
$node->safe_psql('roles_own3', q{CREATE TABLE of_own5 (id int, x int); ALTER TABLE of_own5 OWNER TO own5});
$node->safe_psql('roles_own3', q{CREATE TEMP TABLE forged AS SELECT * FROM sdc_private.sdc_release_catalog WHERE source = 'own3'::regclass;
	UPDATE forged SET release = 'of_own5', row_type = 'of_own5'; INSERT INTO sdc_private.sdc_release_catalog TABLE forged}, @own3);
my $theirs = q{SELECT (SELECT string_agg(release::text, ' ' ORDER BY release::text) FROM sdc_releases), (SELECT count(*) FROM sdc_publications),
	(SELECT string_agg(policy || ' by ' || owner, ' ') FROM sdc_policies), (SELECT string_agg(policy, ' ') FROM sdc_runs), (SELECT count(*) FROM sdc_private.sdc_release_catalog WHERE written_by::text = 'own3')};
my $his = '"of own3_run_1" "of own5_run_2"|2|of own3 by own3|of own3|3';
is($node->safe_psql('roles_own3', $theirs), $his, 'all that is his is there, and no release of own5\'s table');
$node->command_ok([ 'pg_dump', '-f', "$tmp/roles.sql", 'roles_own3' ], 'a superuser dumps that');
$node->safe_psql('postgres', $_) foreach ('DROP DATABASE roles', 'DROP DATABASE roles_own3', 'DROP ROLE own3', 'CREATE ROLE own3 LOGIN', 'CREATE DATABASE roles_again OWNER own3', 'CREATE DATABASE numbers OWNER own3');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', 'roles_again', '-f', "$tmp/roles.sql" ], 'and restores it where the role has another number');
is($node->safe_psql('roles_again', $theirs), $his, 'which shows the same');
is($node->safe_psql('roles_again', $theirs, @own3), $his, 'to him too');
$node->safe_psql('roles_again', q{CALL sdc_run('of own3')}, @own3);
is($node->safe_psql('roles_again', q{SELECT run, status FROM sdc_runs ORDER BY run DESC LIMIT 1}), '3|published', 'and goes on');
$node->safe_psql('postgres', 'ALTER ROLE own3 RENAME TO own4');
is($node->safe_psql('roles_again', q{SELECT count(*), (SELECT string_agg(policy || ' by ' || owner, ' ') FROM sdc_policies) FROM sdc_releases WHERE source = 'own5'::regclass}), '1|of own3 by own4', 'it is that of a role that is renamed');
$node->safe_psql('postgres', 'ALTER ROLE own4 RENAME TO own3');

# a number in a dump, even his
my $number = $node->safe_psql('postgres', q{SELECT 'own3'::regrole::oid});
(my $numbers = slurp_file("$tmp/roles.sql")) =~ s/\town3$/\t$number/mg;
append_to_file("$tmp/numbers.sql", $numbers);
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', 'numbers', '-f', "$tmp/numbers.sql" ], 'a dump with the number of a role in the place of its name is restored');
is($node->safe_psql('numbers', q{SELECT (SELECT count(*) FROM sdc_policies), (SELECT count(*) FROM sdc_runs), (SELECT string_agg(DISTINCT written_by::text, ' ') FROM sdc_private.sdc_policy_catalog)}), '0|0|?', 'which is nobody\'s word');
is($node->safe_psql('numbers', q{CREATE ROLE "10"; CREATE ROLE "?"; CREATE ROLE "-"; CREATE ROLE "0"; CREATE ROLE "A ""b"; CREATE ROLE own_63; } . 'ALTER ROLE own_63 RENAME TO ' . 'n' x 63 . q{;
	SELECT string_agg(n || ' ' || n::sdc_private.role_name::text, ', ' ORDER BY o) FROM (VALUES (1, '10'), (2, '"10"'), (3, '?'), (4, '"?"'), (5, '-'), (6, '"-"'), (7, '0'), (8, '"0"'), (9, '"A ""b"'), (10, 'own3'), (11, '"own3"'), (12, 'own3x'), (13, repeat('n', 64))) AS v (o, n)}),
	'10 ?, "10" "10", ? ?, "?" "?", - -, "-" "-", 0 -, "0" "0", "A ""b" "A ""b", own3 own3, "own3" own3, own3x ?, ' . 'n' x 64 . ' ?', 'names are told from what stands for none');

# a role that is not there
$node->safe_psql('postgres', $_) foreach ('DROP DATABASE roles_again', 'DROP DATABASE numbers', 'DROP ROLE own5', 'CREATE DATABASE without');
$node->command_ok([ 'pg_restore', '--exit-on-error', '--no-owner', '--no-acl', '-d', 'without', "$tmp/roles.dump" ], 'policies are restored where one of their owners does not exist');
my $policies = q{SELECT policy, owner FROM sdc_policies ORDER BY policy};
is($node->safe_psql('without', $policies), "of own3|own3\nof own5|-", 'a superuser sees both, and which has no owner');
is($node->safe_psql('without', $policies, @own3), 'of own3|own3', 'another role its own');
like(error_of('without', $superuser, $_), qr/ERROR:  42704: the role that owns the policy does not exist/, "$_ is refused")
  foreach (q{CALL sdc_run('of own5')}, q{SELECT sdc_policy_alter('of own5', paused => true)});
like($node->safe_psql('without', q{SELECT problem FROM sdc_check('of own5')}), qr/^it cannot run: the role that owns the policy does not exist$/m, 'a check says so');
like(error_of('without', 'own3', q{CALL sdc_run('of own5')}), qr/ERROR:  42704: policy "of own5" does not exist/, 'to others it is not there');
my $anew = $node->safe_psql('without', q{SELECT statement FROM sdc_policies WHERE policy = 'of own5'});
is($node->safe_psql('without', "BEGIN; SELECT sdc_policy_drop('of own5'); $policies; ROLLBACK; $anew $policies"), "\nof own3|own3\n\nof own3|own3\nof own5|$superuser", 'it can be dropped, or set anew');

# Rows that the database's owner makes up about the tables of others, and about tables of his own and others'.
my @boss = (extra_params => [ '-U', 'boss' ]);
my @victim = (extra_params => [ '-U', 'victim' ]);
$node->safe_psql('from_boss', q{CREATE SCHEMA house AUTHORIZATION victim; GRANT USAGE ON SCHEMA house TO PUBLIC});
$node->safe_psql('from_boss', q{SET client_min_messages = error;
	CREATE TABLE house.source (id int PRIMARY KEY, x int); INSERT INTO house.source SELECT i, i * 7 % 31 FROM generate_series(1, 30) AS i;
	CREATE TABLE house.mine AS TABLE house.source; CREATE TABLE house.other AS TABLE house.source;
	SELECT FROM sdc_rankswap('house.source', p => 5, target => 'house.released', seed => 1)}, @victim);
$node->safe_psql('from_boss', q{CREATE TABLE theirs AS SELECT i AS id, i AS x FROM generate_series(1, 30) AS i}, @boss);
is($node->safe_psql('from_boss', $visible, @victim), 'house.released', 'somebody else has a release there');
my $forge = sub {
	my ($release, $source) = @_;

	return qq{INSERT INTO sdc_private.sdc_release_catalog
		SELECT '$release'::regclass, (SELECT reltype FROM pg_class WHERE oid = '$release'::regclass),
			'$source'::regclass, (SELECT reltype FROM pg_class WHERE oid = '$source'::regclass), 'rankswap', '{"p": 5}', '{x}', '{id}',
			'{}', '{}', '{}', '{}', 30, (SELECT checksum FROM sdc_private.sdc_release_catalog WHERE release = 'house.released'::regclass),
			true, true, 1, 1, '', 'victim', now(), '-'};
};
foreach my $pair ([ 'house.mine', 'house.source' ], [ 'house.other', 'theirs' ], [ 'theirs', 'house.source' ])
{
	my ($release, $source) = @$pair;
	my ($owner, $own) = $release eq 'theirs' ? ('boss', 'a') : ('victim', 'house.source');
	my $title = "a forged row about release $release of $source";

	$node->safe_psql('from_boss', $forge->($release, $source), @boss);
	is($node->safe_psql('from_boss', qq{SELECT written_by FROM sdc_private.sdc_release_catalog WHERE release = '$release'::regclass}),
		'boss', "$title says whose it is");
	foreach my $user ($superuser, 'chief', 'boss', 'victim', 'reader')
	{
		is($node->safe_psql('from_boss', qq{SELECT count(*) FROM sdc_releases WHERE release = '$release'::regclass}, extra_params => [ '-U', $user ]),
			0, "$title is not there for $user");
	}
	like(error_of('from_boss', $_, qq{SELECT FROM sdc_score('$release')}), qr/ERROR:  42704: relation "\w+" is not a release/,
		"$title cannot be evaluated by $_")
	  foreach ($superuser, $owner);
	like(error_of('from_boss', $_, qq{SELECT sdc_confirm_source('$release')}), qr/ERROR:  42704: relation "\w+" is not a release/,
		"$title cannot be confirmed by $_")
	  foreach ($superuser, $owner);
	like(error_of('from_boss', $_, qq{SELECT FROM sdc_rankswap('$own', p => 5, key => '{id}', target => '$release', replace => true)}),
		qr/ERROR:  42809: relation "\w+" is not a release made by sdc/, "$title is nothing to replace for $_")
	  foreach ($superuser, $owner);
	like(error_of('from_boss', $owner, qq{SELECT sdc_unregister('$release')}), qr/ERROR:  42704: relation "\w+" is not a release/,
		"$title is nothing to forget");
}
like(error_of('from_boss', 'boss', $forge->('house.released', 'theirs')), qr/ERROR:  23505/, 'nor does one take the place of a true one');
like(error_of('from_boss', 'reader', $forge->('house.mine', 'house.source')), qr/ERROR:  42501/, 'others cannot even write one');
is($node->safe_psql('from_boss', q{CREATE TEMP TABLE t (id int, x int); } . $forge->('t', 'house.source') . '; ' . $forge->('theirs', 't') .
		q{; SELECT count(*) FROM sdc_private.sdc_release_catalog WHERE release = 't'::regclass OR source = 't'::regclass}, @boss),
	0, 'one about a temporary table is not kept');
# A relation that happens to have the number of a release that was gone when the dump was made.
foreach my $named ('{id,x}', '{id,gone}')
{
	is($node->safe_psql('from_boss', qq{BEGIN;
		CREATE TEMP TABLE restored AS SELECT * FROM sdc_private.sdc_release_catalog WHERE release = 'house.released'::regclass;
		UPDATE restored SET release = 'a'::regclass, row_type = 'a'::regtype, named = '$named';
		INSERT INTO sdc_private.sdc_release_catalog TABLE restored;
		SELECT count(*) FROM sdc_private.sdc_release_catalog WHERE release = 'a'::regclass; ROLLBACK}),
		$named eq '{id,x}' ? 1 : 0, "a row about a relation with columns id and x, for a release with $named");
}
$node->safe_psql('from_boss', q{SELECT sdc_register('house.source', 'house.mine', '{x}', '{id}')}, @victim);
is($node->safe_psql('from_boss', q{SELECT release, method FROM sdc_releases WHERE source = 'house.source'::regclass ORDER BY release::text COLLATE "C"}, @victim),
	"house.mine|external\nhouse.released|rankswap", 'the owner registers what he likes in place of it');
is($node->safe_psql('from_boss', q{SELECT count(*) > 0 FROM sdc_score('house.mine')}, @victim), 't', 'and evaluates it');

#
# A dump that has waited for a release, or a publication, to be made anew: its contents would be of another day than what is
# written about them
#
$node->safe_psql('postgres', 'CREATE DATABASE night');
$node->safe_psql('night', q{SET client_min_messages = error;
	CREATE EXTENSION sdc;
	CREATE TABLE person AS SELECT i AS id, i % 90 AS age FROM generate_series(1, 400) AS i;
	ALTER TABLE person ADD PRIMARY KEY (id);
	SELECT FROM sdc_rankswap('person', p => 20, target => 'kept', continued => true, min_changes => 4, min_departures => 6);
	SELECT FROM sdc_rankswap('person', p => 20, target => 'shown');
	SELECT FROM sdc_publish('shown', 'published', force => true);
	INSERT INTO person SELECT i, i % 90 FROM generate_series(401, 600) AS i});
my %anew = (
	kept => q{SELECT FROM sdc_rankswap('person', p => 20, target => 'kept', continued => true, min_changes => 4, min_departures => 6)},
	shown => q{SELECT FROM sdc_rankswap('person', p => 20, target => 'shown', replace => true)},
	published => q{SELECT FROM sdc_publish('shown', 'published', force => true, replace => true)});
foreach my $table (sort keys %anew)
{
	my $night = $node->background_psql('night');
	my ($out, $error) = ('', '');

	sdc_query($night, "SET client_min_messages = error; BEGIN; $anew{$table}");
	my $dump = IPC::Run::start([ 'pg_dump', '-h', $node->host, '-p', $node->port, '-f', '/dev/null', 'night' ], '>', \$out, '2>', \$error);
	$node->poll_query_until('postgres', q{SELECT count(*) > 0 FROM pg_stat_activity WHERE query LIKE 'LOCK TABLE%' AND wait_event_type = 'Lock'})
	  or die 'the dump does not wait';
	sdc_query($night, 'COMMIT');
	ok(!IPC::Run::finish($dump), "$table: a dump that has waited for it fails");
	like($error, qr/ERROR:  table "$table" was made anew after the snapshot of this dump/, "$table: and says why");
	$node->command_ok([ 'pg_dump', '-f', '/dev/null', 'night' ], "$table: the next one does not");
	$night->quit;
}

$node->stop;
done_testing();

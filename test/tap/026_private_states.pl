# 026_private_states.pl
#		The private state of a continued release is in a dump of the whole database, for who may read it, and in no
#		smaller one; restored, the release goes on as it would have.
#
# A night is drawn by the state, the source and the seed: that it is the same in a restored database shows that the state
# is, whatever the encoding of that database, and whoever restored it.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = PostgreSQL::Test::Cluster->new('main');
my $tmp = $PostgreSQL::Test::Utils::tmp_check;

sdc_init($node, allows_streaming => 1);
$node->append_conf('postgresql.conf', "autovacuum = off\nauthentication_timeout = 600\n");
$node->start;
$node->safe_psql('postgres', q{CREATE ROLE boss LOGIN; CREATE ROLE landlord LOGIN; CREATE ROLE victim LOGIN;
	CREATE ROLE backup LOGIN BYPASSRLS; GRANT pg_read_all_data TO backup});

# The source is in a schema of its own, the release in that of the extension; a first night, and one with widows.
my $made = q{
	SET client_min_messages = error;
	CREATE EXTENSION IF NOT EXISTS sdc;
	CREATE SCHEMA inside;
	CREATE TABLE inside.people AS SELECT 'Größe ' || i AS name, i AS nr, (i * 7919) % 1009 AS a, (i * 3.25)::numeric AS b, date '1950-01-01' + (i * 31) % 20000 AS born,
		CASE WHEN i % 7 > 0 THEN 'straße ' || (i * 13) % 97 END AS street FROM generate_series(1, 2000) AS i;
	ALTER TABLE inside.people ADD PRIMARY KEY (name, nr);
	SELECT FROM sdc_rankswap('inside.people', p => 10, columns => '{a,b,born,street}', target => 'public.release', seed => 1, continued => true);
	DELETE FROM inside.people WHERE nr % 97 = 0};
my $night = q{
	SET client_min_messages = error;
	SELECT FROM sdc_rankswap('inside.people', p => 10, columns => '{a,b,born,street}', target => 'public.release', seed => 2, continued => true, replace => true)};
my $change = q{DELETE FROM inside.people WHERE nr % 11 = 5; INSERT INTO inside.people SELECT 'neu ' || i, i, i, i, '2000-01-01', 'weg' FROM generate_series(3001, 3060) AS i};
my $contents = q{SELECT count(*), md5(string_agg(convert_to(r::text, 'UTF8'), '|' ORDER BY nr)) FROM (SELECT * FROM release) AS r};
my $pending = q{SELECT kind, attribute, records, since FROM sdc_pending('release') ORDER BY 1, 2};

# What a dump that has a state has: the signature of its directory, in hexadecimal digits.
my $signature = qr/\\x7364637374617465/;

$node->safe_psql('postgres', "$made; $night");
my $waiting = $node->safe_psql('postgres', $pending);
like($waiting, qr/^widows\|a\|[1-9]/m, 'there is something that only the state knows');

#
# What has it, and what has not
#
my %dump = (
	'the database' => [ [], 1 ],
	'its data' => [ ['-a'], 1 ],
	'rows as statements' => [ [ '--inserts', '--rows-per-insert=3' ], 1 ],
	'its schema' => [ ['-s'], 0 ],
	'the release' => [ [ '-t', 'public.release' ], 0 ],
	'the source' => [ [ '-t', 'inside.people' ], 0 ],
	'the schema of the release, and of the extension' => [ [ '-n', 'public' ], 0 ],
	'the schema of the source' => [ [ '-n', 'inside' ], 0 ],
	'all that the extension has in its schema, by name' => [ [ '-t', 'public.sdc_*' ], 0 ],
	'the catalogs by their names' => [ [ '-t', 'sdc_private.*catalog' ], 0 ],
	'the schema of the plumbing by its name' => [ [ '-n', 'sdc_private' ], 0 ],
	'all but the source, and the state' => [ [ '-T', 'inside.people', '-T', 'sdc_private.sdc_state_dump' ], 0 ],
	'all but the source' => [ [ '-T', 'inside.people' ], 1 ],
	'what stands for the states in dumps, by its name' => [ [ '-t', 'sdc_private.sdc_state_dump' ], 1 ]);
foreach my $what (sort keys %dump)
{
	my ($options, $has) = @{ $dump{$what} };

	$node->command_ok([ 'pg_dump', @$options, '-f', "$tmp/some.sql", 'postgres' ], "dump of $what");
	is(slurp_file("$tmp/some.sql") =~ $signature ? 1 : 0, $has, "dump of $what has " . ($has ? 'the state' : 'no state'));
	like(slurp_file("$tmp/some.sql"), qr/^COPY sdc_private\.sdc_release_catalog /m, "dump of $what has the catalog") if $what =~ /^all but/;
}

#
# Restored, the release goes on
#
$node->command_ok([ 'pg_dump', '-f', "$tmp/whole.sql", 'postgres' ], 'dump');
unlike(slurp_file("$tmp/whole.sql"), qr/EVENT TRIGGER|CREATE SCHEMA sdc|sdc_state_catalog/, 'what belongs to the extension is not dumped besides');
my $before = $node->safe_psql('postgres', $contents);
sdc_restored($node, sub {
	my ($name, $there) = @_;

	is($node->safe_psql($name, $pending), $waiting, "$there: what waits");
	is($node->safe_psql($name, "$night; $contents"), $before, "$there: nothing has changed, and nothing does");
	is($node->safe_psql($name, q{SELECT count(*) FROM sdc_private.sdc_state_dump}), 0, "$there: what was restored has gone where it is kept");
});
# in another encoding, as rows of statements, and as a copy of the files
$node->safe_psql('postgres', q{CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0; CREATE DATABASE inserted; CREATE DATABASE copied TEMPLATE postgres});
$node->command_ok([ 'pg_dump', '--inserts', '-f', "$tmp/inserts.sql", 'postgres' ], 'dump as statements');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', "$tmp/whole.sql", 'latin' ], 'restored into another encoding');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', "$tmp/inserts.sql", 'inserted' ], 'restored from statements');
my $after;
foreach my $name ('postgres', 'one', 'two', 'latin', 'inserted', 'copied')
{
	my $found = $node->safe_psql($name, "$change; $night; SET client_encoding = 'UTF8'; $contents");

	$after = $found if $name eq 'postgres';
	is($found, $after, "$name: a night is what it would have been");
}
isnt($after, $before, 'and is another release');
like($after, qr/^\Q${\ $node->safe_psql('postgres', 'SELECT count(*) FROM inside.people')}\E\|/, 'with the newcomers');

# without the state there is no silent draw
$node->safe_psql('copied', q{SELECT sdc_forget('release')});
my (undef, undef, $error) = $node->psql('copied', $night);
like($error, qr/release "release" has no private state, so it cannot be continued/, 'what was forgotten is missed');
is($node->safe_psql('copied', $contents), $after, 'and the release stays');
$node->safe_psql('two', q{SET session_replication_role = replica; DROP TABLE release});
is($node->safe_psql('two', q{SELECT count(*) FROM sdc_private.sdc_state_catalog}), 0, 'what is dropped by a session that replicates takes its state along');

#
# Who dumps
#
# an owner of a database who has created the extension, and owns all there is
$node->safe_psql('postgres', 'CREATE DATABASE bossy OWNER boss; CREATE DATABASE bossy_again OWNER boss');
my @boss = (extra_params => [ '-U', 'boss' ]);
$node->safe_psql('bossy', "$made; $night", @boss);
$node->command_ok([ 'pg_dump', '-U', 'boss', '-Fc', '-f', "$tmp/boss.dump", 'bossy' ], 'the owner of the database dumps it');
$node->command_ok([ 'pg_restore', '-U', 'boss', '--exit-on-error', '-d', 'bossy_again', "$tmp/boss.dump" ], 'and restores it');
is($node->safe_psql('bossy_again', q{SELECT string_agg(DISTINCT written_by::text, ' ') FROM sdc_private.sdc_state_catalog}), 'boss', 'it is noted who did');
is($node->safe_psql('bossy_again', "$change; $night; $contents", @boss), $node->safe_psql('bossy', "$change; $night; $contents", @boss), 'and the release goes on');
is($node->safe_psql('bossy_again', q{SELECT string_agg(DISTINCT written_by::text, ' ') FROM sdc_private.sdc_state_catalog}), '-', 'by a state of its own');

# one who owns nothing else, but may read release and source
$node->safe_psql('postgres', 'CREATE DATABASE rented OWNER landlord; GRANT CREATE ON DATABASE rented TO victim');
$node->safe_psql('rented', 'CREATE EXTENSION sdc; GRANT CREATE ON SCHEMA public TO victim');
$node->safe_psql('rented', "$made; $night; GRANT USAGE ON SCHEMA inside TO PUBLIC; GRANT SELECT ON inside.people, public.release TO PUBLIC", extra_params => [ '-U', 'victim' ]);
my %who = (postgres => 1, backup => 1, landlord => 0);
foreach my $user (sort keys %who)
{
	my @as = $user eq 'postgres' ? () : ('-U', $user);

	$node->command_ok([ 'pg_dump', @as, '-f', "$tmp/$user.sql", 'rented' ], "$user dumps what belongs to others");
	is(slurp_file("$tmp/$user.sql") =~ $signature ? 1 : 0, $who{$user}, "$user: and gets " . ($who{$user} ? 'the state' : 'no state'));
}
(undef, undef, $error) = $node->psql('rented', 'SELECT FROM sdc_private.sdc_state_catalog', extra_params => [ '-U', 'landlord' ]);
like($error, qr/permission denied for table sdc_state_catalog/, 'nor is it read in another way');

# what he restores counts for nothing
$node->safe_psql('rented', q{CREATE TABLE stolen AS SELECT * FROM sdc_private.state_dump(); GRANT SELECT ON stolen TO landlord; SELECT sdc_forget('release')});
$node->safe_psql('rented', 'INSERT INTO sdc_private.sdc_state_dump SELECT * FROM stolen', extra_params => [ '-U', 'landlord' ]);
(undef, undef, $error) = $node->psql('rented', $night, extra_params => [ '-U', 'victim' ]);
like($error, qr/has no private state/, 'what the owner of a database restores of others counts for nothing');
$node->safe_psql('rented', 'INSERT INTO sdc_private.sdc_state_dump SELECT * FROM stolen');
is($node->safe_psql('rented', "$night; SELECT count(*) FROM release", extra_params => [ '-U', 'victim' ]), '1980', 'what a superuser restores does');

#
# An old snapshot, and a standby
#
my $session = $node->background_psql('postgres', on_error_stop => 0);
sdc_query($session, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM inside.people');
$node->safe_psql('postgres', "DELETE FROM inside.people WHERE nr % 13 = 0; $night");
$after = $node->safe_psql('postgres', $contents);
foreach my $what ($night, q{SELECT sdc_forget('release')})
{
	sdc_query($session, 'SAVEPOINT s');
	sdc_start($session, $what);
	like(scalar sdc_finish($session), qr/changed by another session/, 'an old snapshot does not undo what is newer');
	sdc_query($session, 'ROLLBACK TO s');
}
sdc_query($session, 'ROLLBACK');
$session->quit;
is($node->safe_psql('postgres', "$night; $contents"), $after, 'and nothing is lost');
$waiting = $node->safe_psql('postgres', $pending);

$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
$node->wait_for_catchup($standby);
is($standby->safe_psql('postgres', $pending), $waiting, 'a standby reads the state');
(undef, undef, $error) = $standby->psql('postgres', q{SELECT sdc_forget('release')});
like($error, qr/cannot execute sdc_forget\(\) in a read-only transaction|during recovery/, 'and keeps it');
$standby->stop;

# After a crash it is what was committed.
$node->stop('immediate');
$node->start;
is($node->safe_psql('postgres', $pending), $waiting, 'after a crash the state is there');
is($node->safe_psql('postgres', "$night; $contents"), $after, 'and the release');
$node->stop;
done_testing();

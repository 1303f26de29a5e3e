# 024_evaluations.pl
#		What is kept of a release is told from what it is: transactions under way, old snapshots, crash, standby, dump.
#
# A transaction that has written before an evaluation and ends after it changes what there is to see, and no page.  So do
# prepared ones.  Whether records are read for a look, or pages do, is told by the server's count of scans.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = PostgreSQL::Test::Cluster->new('main');

sdc_init($node, allows_streaming => 1);
$node->append_conf('postgresql.conf', "autovacuum = off\nauthentication_timeout = 600\nmax_prepared_transactions = 2\nsdc.query_workload = 20\n");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION sdc');
my $ask = sub { return $node->safe_psql('postgres', $_[0]) };
my $look = q{SELECT coalesce(regexp_replace(problem, ':.*', ''), 'the same') FROM sdc_scores WHERE release = 'release'::regclass};
my $evaluate = q{SELECT count(*) FROM sdc_evaluate('release', sample => 20, seed => 1)};
my $pages = q{SELECT length(source_pages), length(release_pages) FROM sdc_private.sdc_evaluation_catalog WHERE release = 'release'::regclass};
my $changed = 'the source has changed since the release was evaluated';

$ask->(q{
	SET client_min_messages = error;
	CREATE TABLE source AS SELECT i AS id, i % 50 AS a, (i * 7) % 101 AS b, 'n' || i AS note, i AS beside FROM generate_series(1, 500) AS i;
	ALTER TABLE source ADD PRIMARY KEY (id);
	SELECT FROM sdc_rankswap('source', p => 10, columns => '{a,b}', keep => '{note}', omit => '{beside}', target => 'release', seed => 1)});

# mend has the source and its evaluation as they were.
sub mend
{
	$ask->(q{UPDATE source SET beside = id WHERE beside <> id});
	$ask->($evaluate);
	return;
}

#
# Pages, and records
#
$ask->($evaluate);
is($ask->($pages), '64|64', 'pages tell of two tables at rest');
my $scans = q{SELECT sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0)) FROM pg_stat_xact_user_tables WHERE relname IN ('source', 'release')};
my $read = sub { return (split /\n/, $ask->("BEGIN; $_[0]; $look; $scans; ROLLBACK"))[-1] };
is($read->('SELECT'), '0', 'then no record is read for a look');
cmp_ok($read->(q{UPDATE source SET beside = 0 WHERE id = 5}), '>', 1, 'and records are where something was written');
$ask->('VACUUM FULL source');
cmp_ok($read->('SELECT'), '>', 0, 'records are read when the file is another one');
is($ask->($look), 'the same', 'and are the same');
mend();

#
# Transactions under way
#
my $writer = $node->background_psql('postgres', on_error_stop => 0);
my $reader = $node->background_psql('postgres', on_error_stop => 0);
my $change = q{UPDATE source SET beside = 0 WHERE id = 7};

foreach my $end ('COMMIT', 'ROLLBACK')
{
	sdc_query($writer, "BEGIN; $change");
	$ask->($evaluate);
	is($ask->($look), 'the same', "$end: what another transaction has written is not to be seen");
	is($ask->($pages), '0|64', "$end: and the pages do not tell");
	sdc_query($writer, $end);
	is($ask->($look), $end eq 'COMMIT' ? $changed : 'the same', "$end: it is when the transaction has ended, and no page was written");
	mend();
}
sdc_query($writer, "BEGIN; $change; PREPARE TRANSACTION 'later'");
$ask->($evaluate);
is($ask->($look), 'the same', 'a prepared transaction is not to be seen');
sdc_query($writer, "COMMIT PREPARED 'later'");
is($ask->($look), $changed, 'until it is committed');
mend();

# in the transaction that writes: what it sees itself
sdc_query($writer, "BEGIN; $change; $evaluate; $look");
is(sdc_query($writer, $look), 'the same', 'who writes sees what he has written');
is($ask->($look), 'the same', 'others see what was kept before');
sdc_query($writer, 'COMMIT');
is($ask->($look), 'the same', 'and what is kept now when both are there');
mend();
sdc_query($writer, "BEGIN; SAVEPOINT s; $change; RELEASE s; $evaluate");
sdc_query($writer, "UPDATE source SET beside = -1 WHERE id = 7");
is(sdc_query($writer, $look), $changed, 'a later change of the same transaction is one');
sdc_query($writer, 'ROLLBACK');
is($ask->($look), 'the same', 'with the transaction the evaluation is gone');

# an evaluation under an old snapshot is of what that sees; a look under an old one too
sdc_query($reader, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM source');
$ask->($change);
sdc_query($reader, $evaluate);
is(sdc_query($reader, $look), 'the same', 'under a snapshot an evaluation is of what it sees');
sdc_query($reader, 'COMMIT');
is($ask->($look), $changed, 'which is not what others see');
mend();
sdc_query($reader, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM source');
$ask->($change);
$ask->($evaluate);
is($ask->($look), 'the same', 'an evaluation is of what there is,');
is(sdc_query($reader, $look), $changed, 'and not of what an older snapshot sees');
sdc_start($reader, q{SELECT FROM sdc_publish('release', 'published', keep => '{note}', max_people_found => 100)});
like(scalar sdc_finish($reader), qr/the source has changed/, 'so who has one does not publish by it');
sdc_query($reader, 'ROLLBACK');
mend();

# while it is measured
my $watch = $node->background_psql('postgres', on_error_stop => 0);
sdc_park($watch, $reader, 'evaluating', 5, $evaluate);
$ask->($change);
sdc_release($watch);
is(scalar sdc_finish($reader), "1\n", 'all is measured under one snapshot, whatever others write');
is($ask->($look), $changed, 'and what is kept is of that');
$ask->(q{UPDATE source SET beside = id WHERE beside <> id});
is($ask->($look), 'the same', 'even so');
sdc_park($watch, $reader, 'evaluating', 5, $evaluate);
$ask->(q{SELECT sdc_classify('source', 'note', 'public')});
sdc_release($watch);
like(scalar sdc_finish($reader), qr/was changed by another session while it was evaluated/, 'what is known of its columns must stay');
$ask->(q{SELECT sdc_classify('source', 'note', NULL)});
is($ask->($look), 'the same', 'and what was kept stays');
sdc_park($watch, $reader, 'evaluating', 5, $evaluate);
$ask->('SELECT pg_cancel_backend(' . sdc_pid($reader) . ')');
like(scalar sdc_finish($reader), qr/canceling statement/, 'a cancel ends it');
sdc_release($watch);
is($ask->($look), 'the same', 'and changes nothing');

# two at once: the last one stays, and there is one row
sdc_query($reader, 'SET sdc.test_wait_every = 0');
sdc_start($writer, $evaluate);
sdc_start($reader, $evaluate);
is(scalar(sdc_finish($writer)) . scalar(sdc_finish($reader)), "1\n1\n", 'two evaluate at once');
is($ask->(q{SELECT count(*) FROM sdc_private.sdc_evaluation_catalog WHERE release = 'release'::regclass}), '1', 'one of them is kept');
is($ask->($look), 'the same', 'and is what there is');
$_->quit foreach ($writer, $reader, $watch);

#
# A crash
#
$ask->(q{
	SET client_min_messages = error;
	CREATE UNLOGGED TABLE unlogged AS SELECT id, a FROM source;
	CREATE TABLE of_unlogged AS SELECT id, (a + 1) % 50 AS a FROM source;
	SELECT sdc_register('unlogged', 'of_unlogged', '{a}', '{id}');
	SELECT FROM sdc_evaluate('of_unlogged', sample => 20, seed => 1)});
$node->stop('immediate');
$node->start;
is($ask->($look), 'the same', 'after a crash a logged table is the same');
is($read->('SELECT'), '0', 'and its pages say so');
like($ask->(q{SELECT problem FROM sdc_scores WHERE release = 'of_unlogged'::regclass}), qr/^$changed/, 'one that is not has lost its records');
$ask->('DROP TABLE unlogged, of_unlogged');

#
# A standby
#
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', "max_standby_streaming_delay = -1\n");
$standby->start;
$node->wait_for_catchup($standby);
is($standby->safe_psql('postgres', $look), 'the same', 'a standby shows what is kept');
is((split /\n/, $standby->safe_psql('postgres', "BEGIN; $look; $scans; COMMIT"))[-1], '0', 'by its own pages');
$ask->($change);
$node->wait_for_catchup($standby);
is($standby->safe_psql('postgres', $look), $changed, 'and notices a change');
my (undef, undef, $error) = $standby->psql('postgres', $evaluate);
like($error, qr/cannot execute sdc_evaluate\(\) in a read-only transaction|during recovery/, 'it keeps nothing');
$standby->stop;
mend();

#
# A dump
#
my $measures = q{SELECT il, people_found, evaluated_at FROM sdc_scores WHERE release = 'release'::regclass};
my $before = $ask->($measures);
my $dump = $node->basedir . '/dump.sql';

$node->command_ok([ 'pg_dump', '--no-sync', '-f', $dump, $node->connstr('postgres') ], 'dump');
unlike(slurp_file($dump), qr/sdc_temporary_evaluations/, 'what is temporary is not in it');
foreach my $there ('an empty database', 'one that has the extension')
{
	my $database = $there =~ /empty/ ? 'empty' : 'other';
	my $other = sub { return $node->safe_psql($database, $_[0]) };

	$ask->("CREATE DATABASE $database");
	$other->('CREATE EXTENSION sdc') if $database eq 'other';
	$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', $dump, $node->connstr($database) ], "$there: restored");
	is($other->($measures), $before, "$there: what was kept is shown");
	is($other->($look), 'the evaluation came out of a dump', "$there: as something of elsewhere");
	my (undef, undef, $error) = $node->psql($database, q{SELECT FROM sdc_publish('release', 'published', keep => '{note}', max_people_found => 100)});
	like($error, qr/is not published: the evaluation came out of a dump/, "$there: nothing is published by it");
	$other->("SELECT sdc_confirm_source('release'); $evaluate");
	is($other->($look), 'the same', "$there: evaluated again, it is what there is");
}
# one of a release that was gone is left out; a copy of the database needs nothing
$ask->('CREATE DATABASE copied TEMPLATE postgres');
is($node->safe_psql('copied', $look), 'the same', 'a copy of a database knows');
$node->safe_psql('copied', 'DROP TABLE release');
$node->command_ok([ 'pg_dump', '--no-sync', '-f', $dump, $node->connstr('copied') ], 'dump of a row about nothing');
$ask->('CREATE DATABASE gone');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', $dump, $node->connstr('gone') ], 'is restored');
is($node->safe_psql('gone', 'SELECT count(*) FROM sdc_private.sdc_evaluation_catalog'), '0', 'without it');

# a row of somebody who does not own the release is nothing
$ask->('CREATE ROLE landlord LOGIN; CREATE DATABASE rented OWNER landlord');
$node->safe_psql('rented', q{
	CREATE EXTENSION sdc;
	CREATE TABLE source AS SELECT i AS id, i % 50 AS a FROM generate_series(1, 100) AS i;
	CREATE TABLE release AS SELECT id, (a + 1) % 50 AS a FROM source;
	SELECT sdc_register('source', 'release', '{a}', '{id}')});
my $forge = q{INSERT INTO sdc_private.sdc_evaluation_catalog SELECT 'release', 'release', now(), 'me', '1', '{}', 0, '{id,a}', '{id,a}', '\x', '\x', '\x', '\x', '{"score": {"il": 0, "people_found": 0}}', '-'};
$node->safe_psql('rented', $forge, extra_params => [ '-U', 'landlord' ]);
is($node->safe_psql('rented', q{SELECT evaluated_at IS NULL, people_found > 0, problem IS NULL FROM sdc_scores}), 't|t|t',
	'the owner of a database keeps nothing of releases of others');
(undef, undef, $error) = $node->psql('rented', q{SELECT FROM sdc_publish('release', 'published', max_people_found => 100)});
like($error, qr/was never evaluated/, 'and has nothing of them published');
$node->safe_psql('rented', q{SELECT FROM sdc_evaluate('release', sample => 20, seed => 1)});
is($node->safe_psql('rented', q{SELECT evaluated_at IS NOT NULL, problem IS NULL FROM sdc_scores}), 't|t', 'his row is in nobody\'s way');

done_testing();

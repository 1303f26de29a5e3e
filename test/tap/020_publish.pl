# 020_publish.pl
#		A publication, as those see it who read it meanwhile, who subscribe to it, and after a crash or a restore.
#
# The SHA-256 is computed here from an exported file, by the definition in the reference.

use strict;
use warnings;

use Digest::SHA qw(sha256 sha256_hex);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = sdc_node('main', conf => "wal_level = logical\nmax_wal_senders = 4\nmax_replication_slots = 4\nmax_prepared_transactions = 2\nrestart_after_crash = on\nclient_min_messages = error\n");
# how many rows, and two sums of their hashes: no two bags of rows have the same, and nothing is sorted
my $bag = q{SELECT concat_ws(' ', count(*), sum(hashtextextended(t, 1)), sum(hashtextextended(t, 2)))
	FROM (SELECT p::text AS t FROM (SELECT * FROM %s) AS p OFFSET 0) AS texts};
my $publish = q{SELECT records FROM sdc_publish('%s', 'published', keep => '{note}', replace => true, mode => '%s', force => true)};

sdc_large_table($node, 10_000);
$node->safe_psql('postgres', q{
	SET client_min_messages = error;
	SELECT FROM sdc_rankswap('large', p => 5, columns => '{a,b,c}', keep => '{note}', target => 'first', seed => 1);
	SELECT FROM sdc_rankswap('large', p => 5, columns => '{a,b,c}', keep => '{note}', target => 'second', seed => 2);
	CREATE ROLE reader LOGIN;
	SELECT FROM sdc_publish('first', 'published', keep => '{note}', grant_to => '{reader}', force => true);
	CREATE INDEX by_a ON published (a);
});
my $columns = 'a, b, c, note';
my %content = map { $_ => $node->safe_psql('postgres', sprintf $bag, "(SELECT $columns FROM $_) AS r") } ('first', 'second');
my $content = sub { return $node->safe_psql('postgres', sprintf $bag, 'published') };
is($content->(), $content{first}, 'what is published is what was protected');

# sha_of_csv computes the SHA-256 of a table from a file: the columns that are float8 as numbers.
sub sha_of_csv
{
	my ($csv, %is_float) = @_;
	my ($head, @lines) = split /\n/, $csv;
	my @names = split /,/, $head;
	my @sums;

	foreach my $line (@lines)
	{
		my @value = split /,/, $line, -1;
		my $record = '';

		foreach my $i (0 .. $#names)
		{
			my $bytes = $is_float{ $names[$i] } ? pack('d>', $value[$i]) : $value[$i];

			$record .= $value[$i] eq '\N' ? '-' : length($bytes) . ":$bytes";
		}
		push @sums, sha256($record);
	}
	return sha256_hex(join('', sha256(join('', map { length($_) . ":$_" } @names)), sort @sums));
}

my $csv = $node->safe_psql('postgres', q{SET extra_float_digits = 1; COPY published TO STDOUT (FORMAT csv, HEADER, NULL '\N')});
is(sha_of_csv($csv, b => 1), $node->safe_psql('postgres', q{SELECT encode(sha256, 'hex') FROM sdc_publications}),
	'the SHA-256 is that of the exported file');

#
# Who may read nothing but the publication
#
my $guess = sub {
	my ($out, $err);

	$node->psql('postgres', $_[0], stdout => \$out, stderr => \$err, extra_params => [ '-U', 'reader' ]);
	return "$out$err";
};
is($guess->('SELECT count(*) FROM published'), '10000', 'the reader reads the publication');
like($guess->("SELECT FROM $_"), qr/permission denied/, "attack by $_") foreach ('large', 'first', 'sdc_private.sdc_publication_catalog', 'sdc_private.sdc_release_catalog');
is($guess->('SELECT count(*) FROM sdc_publications WHERE release IS NOT NULL OR published_by IS NOT NULL OR forced IS NOT NULL') . $guess->('SELECT count(*) FROM sdc_releases'), '00', 'attack by the log of others');
is($guess->(q{SELECT count(*) FROM pg_stats WHERE tablename IN ('large', 'first', 'second')}), '0', 'attack by pg_stats: none of the release');
is($guess->(q{SELECT string_agg(attname, ' ' ORDER BY attname) FROM pg_stats WHERE tablename = 'published'}), 'a b c note', 'attack by pg_stats: what is published has some');
is($guess->(q{SELECT count(DISTINCT (xmin::text, cmin::text, xmax::text)) FROM published}), '1', 'attack by the transactions of rows');
is($guess->(q{SELECT count(*) FROM pg_sequence AS s JOIN pg_depend AS d ON d.objid = s.seqrelid WHERE d.refobjid = 'published'::regclass}), '0', 'attack by a sequence');
is($guess->(q{SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'published'::regclass AND attnum > 0}), 'a b c note',
	'attack by columns that were dropped');
is($node->safe_psql('postgres', q{SELECT abs(corr(place, id)) < 9 / sqrt(10000) FROM
		(SELECT note, row_number() OVER (ORDER BY ctid) AS place FROM published) AS p JOIN large USING (note)}),
	't', 'attack by the order of the rows: it has nothing to do with the key');

#
# Readers while it gets new contents: parked wherever it is, and held up at the exchange
#
# two draws take turns in the publication, which a warning says every time
$node->safe_psql('postgres', 'ALTER DATABASE postgres SET client_min_messages = error');
my $session = $node->background_psql('postgres', on_error_stop => 0);
my $holder = $node->background_psql('postgres');
my $watch = $node->background_psql('postgres');
my $pid = sdc_pid($session);
my $waits = "SELECT EXISTS (SELECT FROM pg_locks WHERE pid = $pid AND NOT granted)";
my %release = (exchange => 'second', rows => 'first');

foreach my $mode ('exchange', 'rows')
{
	my $before = $content->();

	foreach my $phase ('reading', 'writing')
	{
		sdc_query($session, 'BEGIN');
		sdc_park($watch, $session, $phase, 5, sprintf $publish, $release{$mode}, $mode);
		is(sdc_query($holder, 'BEGIN; LOCK TABLE published IN ACCESS SHARE MODE NOWAIT; SELECT count(*) FROM published; COMMIT'),
			10_000, "$mode, while it is $phase nobody waits for it");
		is(sdc_query($holder, sprintf $bag, 'published'), $before, "$mode, while it is $phase the old rows are there, all of them");
		sdc_release($watch);
		is(sdc_finish($session), "10000\n", "$mode, $phase: it goes on");
		sdc_query($session, 'ROLLBACK');
		sdc_query($session, 'SET sdc.test_wait_every = 0');
		is($content->(), $before, "$mode, $phase: and can be rolled back");
	}
	is($node->safe_psql('postgres', sprintf $publish, $release{$mode}, $mode), '10000', "$mode: new contents");
	is($content->(), $content{ $release{$mode} }, "$mode: they are those of the release");
	is($node->safe_psql('postgres', 'SET enable_seqscan = off; SELECT sum(n) FROM (SELECT count(*) AS n FROM published WHERE a >= 0 UNION ALL SELECT count(*) FROM published WHERE a < 0) AS r'),
		10_000, "$mode: the index finds them");
}

# a long transaction: the exchange waits, others who come meanwhile go on reading, and it ends when the transaction does
sdc_query($holder, 'BEGIN; SELECT count(*) FROM published');
sdc_start($session, sprintf $publish, 'second', 'exchange');
$node->poll_query_until('postgres', $waits) or die 'it does not wait';
is($guess->('SELECT count(*) FROM published'), '10000', 'a reader who comes while the exchange waits is not held up for good');
is(sdc_query($holder, sprintf $bag, 'published'), $content{first}, 'who is in its way reads on');
sdc_query($holder, 'COMMIT');
is(sdc_finish($session), "10000\n", 'then the exchange goes on');
is($content->(), $content{second}, 'and the contents are new');

# with lock_timeout it gives up, and has changed nothing
my $state = q{SELECT relfilenode, relacl, (SELECT encode(sha256, 'hex') FROM sdc_publications), (SELECT count(*) FROM pg_class WHERE relname ~ '^pg_temp_') FROM pg_class WHERE oid = 'published'::regclass};
my $old = sdc_query($watch, $state);
sdc_query($holder, 'BEGIN; SELECT count(*) FROM published');
sdc_start($session, q{SET lock_timeout = 100; } . sprintf $publish, 'first', 'exchange');
like(sdc_finish($session), qr/publication "published" was in use all the time, for 100 ms.*Nothing has changed/s, 'with lock_timeout it gives up');
is(sdc_query($watch, $state), $old, 'and nothing has changed');
sdc_start($session, q{SELECT sdc_withdraw('published', 'no')});
like(sdc_finish($session), qr/was in use all the time/, 'withdrawing it gives up too');
sdc_query($holder, 'COMMIT; BEGIN; SELECT count(*) FROM published_accuracy');
sdc_start($session, q{SELECT sdc_withdraw('published', 'no')});
like(sdc_finish($session), qr/was in use all the time/, 'also for who reads how exact it is');
sdc_query($session, 'SET lock_timeout = 0');
sdc_query($holder, 'COMMIT');

# while it waits it can be cancelled; a cancel that comes just as an attempt is over is taken for its end by the server, so it is sent again
sdc_query($holder, 'BEGIN; SELECT count(*) FROM published');
sdc_start($session, sprintf $publish, 'first', 'exchange');
$node->poll_query_until('postgres', $waits) or die 'it does not wait';
sdc_query($watch, qq{DO \$\$ BEGIN
	WHILE EXISTS (SELECT FROM pg_stat_activity WHERE pid = $pid AND state = 'active') LOOP
		PERFORM pg_cancel_backend($pid), pg_sleep(0.1);
		PERFORM pg_stat_clear_snapshot();
	END LOOP;
END \$\$});
like(sdc_finish($session), qr/canceling statement due to user request/, 'a cancel ends the waiting');
sdc_query($holder, 'COMMIT');
is(sdc_query($watch, $state), $old, 'and nothing has changed');

#
# A transaction with an old snapshot, and two at once
#
sdc_query($holder, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM first');
$node->safe_psql('postgres', sprintf $publish, 'first', 'exchange');
is(sdc_query($holder, sprintf $bag, 'published'), $content{first}, 'an old snapshot that reads it for the first time sees the new rows, all of them');
sdc_query($holder, 'COMMIT');
sdc_query($holder, 'BEGIN; ' . sprintf $publish, 'second', 'exchange');
sdc_start($session, sprintf $publish, 'first', 'rows');
$node->poll_query_until('postgres', $waits) or die 'it does not wait';
sdc_query($holder, 'COMMIT');
is(sdc_finish($session), "10000\n", 'of two at once the second waits for the first');
is($content->(), $content{first}, 'and has the last word');

#
# Whoever reads again and again sees the old or the new rows, and in one transaction the same twice
#
$node->safe_psql('postgres', q{
	CREATE SEQUENCE reads;
	GRANT USAGE ON reads TO reader;
	CREATE PROCEDURE read_on(INOUT seen text DEFAULT '', INOUT torn int DEFAULT 0) LANGUAGE plpgsql AS $$
	DECLARE
		query text := 'SELECT count(*) || $x$/$x$ || sum(hashint4(a)::bigint * hashfloat8(b)) FROM published';
		one text;
		two text;
	BEGIN
		LOOP
			COMMIT;
			SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
			EXECUTE query INTO one;
			EXECUTE query INTO two;
			torn := torn + (one <> two)::int;
			IF strpos(seen, one) = 0 THEN
				seen := seen || ' ' || one;
			END IF;
			PERFORM nextval('reads');
			EXIT WHEN NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1);
		END LOOP;
	END
	$$});
my $sum = sub { return $node->safe_psql('postgres', "SELECT count(*) || '/' || sum(hashint4(a)::bigint * hashfloat8(b)) FROM $_[0]") };
my $loop = $node->background_psql('postgres', extra_params => [ '-U', 'reader' ]);
sdc_query($watch, 'SELECT FROM pg_advisory_lock(1)');
sdc_start($loop, 'CALL read_on()');
sdc_query($session, 'SET lock_timeout = 0');
foreach my $mode ('exchange', 'rows', 'exchange', 'exchange', 'rows', 'rows')
{
	foreach my $name ('second', 'first')
	{
		my $reads = sdc_query($watch, 'SELECT last_value FROM reads');

		sdc_query($session, q{SET lock_timeout = '1h'; } . sprintf $publish, $name, $mode);
		$node->poll_query_until('postgres', "SELECT last_value > $reads + 3 FROM reads") or die 'nobody reads';
	}
}
sdc_query($watch, 'SELECT FROM pg_advisory_unlock(1)');
my ($seen, $torn) = sdc_finish($loop) =~ /^ ([^|]*)\|(\d+)/;
is(join(' ', sort split / /, $seen), join(' ', sort map { $sum->($_) } ('first', 'second')), 'a reader sees the one or the other, and never a mixture');
is($torn, 0, 'and in one transaction the same twice');
sdc_query($session, 'SET lock_timeout = 0');
$loop->quit;

#
# A backend that is killed: the server starts anew
#
foreach my $mode ('exchange', 'rows')
{
	foreach my $phase ('reading', 'writing', 'before the commit')
	{
		my $before = $content->();
		my $victim = $node->background_psql('postgres', on_error_stop => 0);

		sdc_pid($victim);
		if ($phase eq 'before the commit')
		{
			sdc_query($victim, 'BEGIN; ' . sprintf $publish, 'second', $mode);
		}
		else
		{
			sdc_park($watch, $victim, $phase, 5, sprintf $publish, 'second', $mode);
		}
		sdc_kill($node, sdc_pid($victim), $victim, $watch, $holder, $session);
		($session, $holder, $watch) = map { $node->background_psql('postgres', on_error_stop => $_) } (0, 1, 1);
		is($content->(), $before, "killed $phase ($mode): the old contents, whole");
		is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_class WHERE relname ~ '^pg_temp_'}), '0', "killed $phase ($mode): no table is left");
	}
}
$node->safe_psql('postgres', sprintf $publish, 'second', 'exchange');
is($content->(), $content{second}, 'killed: the next one succeeds');
$node->safe_psql('postgres', sprintf $publish, 'first', 'exchange');

#
# A server that stops at once
#
foreach my $mode ('exchange', 'rows')
{
	foreach my $phase ('reading', 'writing')
	{
		my $before = $content->();
		my $crash = $node->background_psql('postgres', on_error_stop => 0);
		my $files = q{SELECT count(*) FROM pg_class WHERE relname ~ '^pg_temp_'};

		sdc_park($watch, $crash, $phase, 5, sprintf $publish, 'second', $mode);
		$node->stop('immediate');
		eval { $_->quit } foreach ($crash, $watch, $holder, $session);
		$node->start;
		($session, $holder, $watch) = map { $node->background_psql('postgres', on_error_stop => $_) } (0, 1, 1);
		is($content->(), $before, "crash while $phase ($mode): the old contents, whole");
		is($node->safe_psql('postgres', $files), '0', "crash while $phase ($mode): no table is left");
		is(scalar(sdc_temp_files($node)), 0, "crash while $phase ($mode): no temporary file");
	}
}
$node->safe_psql('postgres', 'BEGIN; ' . sprintf($publish, 'second', 'exchange') . q{; PREPARE TRANSACTION 'one'});
$node->stop('immediate');
$node->start;
$node->safe_psql('postgres', q{COMMIT PREPARED 'one'});
is($content->(), $content{second}, 'what was prepared is there after a crash');
is($node->safe_psql('postgres', q{SELECT encode(sha256, 'hex') FROM sdc_publications}),
	sha_of_csv($node->safe_psql('postgres', q{SET extra_float_digits = 1; COPY published TO STDOUT (FORMAT csv, HEADER, NULL '\N')}), b => 1),
	'and its SHA-256');
$node->safe_psql('postgres', sprintf $publish, 'first', 'exchange');
$node->stop('immediate');
$node->start;
is($content->(), $content{first}, 'what was committed is there after a crash');

#
# Two servers
#
my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
sdc_init($subscriber);
$subscriber->start;
$node->safe_psql('postgres', q{
	CREATE TABLE narrow AS SELECT id, a, b FROM large WHERE id <= 300;
	ALTER TABLE narrow ADD PRIMARY KEY (id);
	SET client_min_messages = error;
	SELECT FROM sdc_rankswap('narrow', p => 5, columns => '{a,b}', target => 'narrow_first', seed => 1);
	SELECT FROM sdc_rankswap('narrow', p => 5, columns => '{a,b}', target => 'narrow_second', seed => 2);
	SELECT FROM sdc_publish('narrow_first', 'replicated', force => true);
	ALTER TABLE replicated REPLICA IDENTITY FULL;
	CREATE PUBLICATION pub FOR TABLE replicated});
(my $connection = $node->connstr('postgres')) =~ s/'/''/g;
$subscriber->safe_psql('postgres', 'CREATE TABLE replicated (a int, b float8)');
$subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION sub CONNECTION '$connection' PUBLICATION pub");
$subscriber->wait_for_subscription_sync($node, 'sub');
my $there = sub { return $subscriber->safe_psql('postgres', sprintf $bag, 'replicated') };
my $narrow = sub { return $node->safe_psql('postgres', sprintf $bag, "(SELECT a, b FROM narrow_$_[0]) AS r") };
is($there->(), $narrow->('first'), 'a subscriber has the rows');
my ($status, undef, $err) = $node->psql('postgres', q{SELECT FROM sdc_publish('narrow_second', 'replicated', replace => true, force => true)});
like($err, qr/replicated to subscribers, who would keep its old rows/, 'an exchange would not reach him, and is refused');
is($node->safe_psql('postgres', q{SELECT records FROM sdc_publish('narrow_second', 'replicated', replace => true, mode => 'rows', force => true)}), '300', 'row by row it is done');
$node->wait_for_catchup('sub');
is($there->(), $narrow->('second'), 'and the subscriber has the new rows, and no others');
is($subscriber->safe_psql('postgres', 'SELECT count(*) FROM replicated'), '300', 'as many');
$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION sub');
$subscriber->stop;

#
# A standby, where somebody reads while the exchange arrives
#
$node->safe_psql('postgres', sprintf $publish, 'first', 'exchange');
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', "max_standby_streaming_delay = -1\n");    # no query is in the way of replay
$standby->start;
$node->wait_for_catchup($standby);
my ($reading, $older) = map { $standby->background_psql('postgres') } (1, 2);
sdc_query($reading, 'BEGIN; SELECT count(*) FROM published');
sdc_query($older, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM first');
$node->safe_psql('postgres', sprintf $publish, 'second', 'exchange');
$standby->poll_query_until('postgres', q{SELECT EXISTS (SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted)}) or die 'nothing waits';
is(sdc_query($reading, sprintf $bag, 'published'), $content{first}, 'standby: who reads reads on, the old rows');
sdc_query($reading, 'COMMIT');
$node->wait_for_catchup($standby);
is(sdc_query($reading, sprintf $bag, 'published'), $content{second}, 'standby: then the new ones are there');
is(sdc_query($older, sprintf $bag, 'published'), $content{second}, 'standby: also for an older snapshot, all of them');
sdc_query($older, 'COMMIT');
$node->safe_psql('postgres', sprintf $publish, 'first', 'rows');
$node->wait_for_catchup($standby);
is($standby->safe_psql('postgres', sprintf $bag, 'published'), $content{first}, 'standby: row by row too');
is($standby->safe_psql('postgres', q{SET enable_seqscan = off; SELECT count(*) FROM published WHERE a >= 0 OR a < 0}), '10000', 'standby: and the index');
like(($standby->psql('postgres', sprintf $publish, 'first', 'exchange'))[2], qr/cannot execute sdc_publish\(\) in a read-only transaction/, 'standby: nothing is published there');
$_->quit foreach ($reading, $older);
$standby->stop;

#
# A dump
#
$node->safe_psql('postgres', q{
	DROP PUBLICATION pub;
	SELECT FROM sdc_publish('narrow_first', 'of_gone', force => true);
	SELECT FROM sdc_publish('narrow_first', 'gone', force => true);
	DROP TABLE gone;
	CREATE TABLE of_gone_release AS TABLE narrow_first;
	SELECT sdc_register('narrow', 'of_gone_release', '{a,b}', '{id}');
	SELECT FROM sdc_publish('of_gone_release', 'of_gone', replace => true, force => true);
	DROP TABLE of_gone_release});
my $known = q{SELECT publication, release, mode, columns, kept, records, sha256, forced, published_by, published_at FROM sdc_publications ORDER BY publication::text};
my $all = $node->safe_psql('postgres', $known);
is(scalar(split /\n/, $all), 3, 'three publications');
sdc_restored($node, sub {
	my ($name, $there) = @_;

	is($node->safe_psql($name, $known), $all, "restored into $there, the publications are known");
	is($node->safe_psql($name, sprintf $publish, 'second', 'exchange'), '10000', "and one gets new contents");
	is($node->safe_psql($name, sprintf $bag, 'published'), $content{second}, 'which are those of the release');
});
eval { $_->quit } foreach ($session, $holder, $watch);
$node->stop;
done_testing();

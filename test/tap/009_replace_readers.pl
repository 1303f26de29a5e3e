# 009_replace_readers.pl
#		Who reads a release while it is replaced waits for the exchange only.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = sdc_node('main');
sdc_large_table($node, 60_000);
$node->safe_psql('postgres', q{
	CREATE ROLE reader LOGIN;
	UPDATE large SET note = repeat(md5(note), 100) || id WHERE id % 1000 = 0;	-- toasted
	ALTER TABLE large ALTER note SET STORAGE EXTERNAL;
	UPDATE large SET note = note WHERE id % 1000 = 0;
	SELECT FROM sdc_rankswap('large', p => 5, columns => '{a,b,c,note}', target => 'released', seed => 1);
	GRANT SELECT (id, a) ON released TO reader;
	COMMENT ON TABLE released IS 'for everybody';
	COMMENT ON COLUMN released.a IS 'protected';
	ALTER TABLE released ADD PRIMARY KEY (id);
	CREATE INDEX by_a ON released (a);
	CREATE STATISTICS st ON a, b FROM released;
	ALTER TABLE released SET (fillfactor = 90);
	ALTER TABLE released ENABLE ROW LEVEL SECURITY;
	CREATE POLICY everybody ON released USING (a >= -1000);
	CREATE VIEW published AS SELECT id, a FROM released;
	GRANT SELECT ON published TO reader;
	CREATE MATERIALIZED VIEW summary AS SELECT a, count(*) FROM released GROUP BY a;
	CREATE PUBLICATION pub FOR TABLE released;
	ANALYZE released;

	-- reads until told to stop: how often, which others can see, and wrong counts
	CREATE SEQUENCE reads;
	GRANT USAGE ON reads TO reader;
	CREATE PROCEDURE read_on(INOUT times int DEFAULT 0, INOUT wrong int DEFAULT 0)
	LANGUAGE plpgsql AS $$
	DECLARE
		rows bigint;
	BEGIN
		LOOP
			SELECT count(*) + count(DISTINCT v.id) INTO rows FROM published AS v WHERE id BETWEEN 100 AND 199;
			times := times + 1;
			wrong := wrong + (rows <> 200)::int;
			COMMIT;
			PERFORM nextval('reads');
			EXIT WHEN NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1);
		END LOOP;
	END
	$$;

	-- waits until the reader has read ten times more
	CREATE PROCEDURE wait_for_reads() LANGUAGE plpgsql AS $$
	DECLARE
		before bigint := (SELECT last_value FROM reads);
	BEGIN
		LOOP
			EXIT WHEN (SELECT last_value FROM reads) >= before + 10;
			PERFORM pg_sleep(0.001);
		END LOOP;
	END
	$$;
});

my $replace = q{SELECT FROM sdc_rankswap('large', p => 5, columns => '{a,b,c,note}', target => 'released',
	seed => %s, replace => true)};
my $properties = q{
	SELECT c.oid, obj_description(c.oid, 'pg_class'), col_description(c.oid, 2),
		concat_ws(' ', relacl, reloptions, relrowsecurity, relowner::regrole, relkind, relpersistence),
		(SELECT string_agg(concat_ws(' ', attname, attacl, attstattarget), ', ' ORDER BY attnum)
			FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0),
		(SELECT string_agg(concat_ws(' ', indexrelid::regclass, indexrelid, indisvalid, indisready,
			indisprimary), ', ' ORDER BY indexrelid)
			FROM pg_index WHERE indrelid = c.oid),
		(SELECT string_agg(conname, ' ') FROM pg_constraint WHERE conrelid = c.oid),
		(SELECT string_agg(polname, ' ') FROM pg_policy WHERE polrelid = c.oid),
		(SELECT string_agg(stxname, ' ') FROM pg_statistic_ext WHERE stxrelid = c.oid),
		(SELECT count(*) FROM pg_publication_rel WHERE prrelid = c.oid),
		(SELECT count(*) FROM pg_depend WHERE refobjid = c.oid),
		(SELECT concat_ws(' ', t.relname = 'pg_toast_' || c.oid, t.relkind) FROM pg_class AS t
			WHERE t.oid = c.reltoastrelid)
	FROM pg_class AS c WHERE c.oid = 'released'::regclass};
my $before = $node->safe_psql('postgres', $properties);
like($before, qr/\|t t$/, 'the release has a toast table with the name of one');
my $node_before = $node->safe_psql('postgres', q{SELECT pg_relation_filenode('released')});

#
# Readers while the release is replaced three times, which waits in each of its phases until they have read
#
my $holder = $node->background_psql('postgres');
my $reader = $node->background_psql('postgres', extra_params => [ '-U', 'reader' ]);
my $session = $node->background_psql('postgres', on_error_stop => 0);
my $watch = $node->background_psql('postgres');
my $pid = sdc_pid($session);
sdc_query($holder, 'SELECT FROM pg_advisory_lock(1)');
sdc_start($reader, 'CALL read_on()');
my %point = (reading => 5, protecting => 100, writing => 50_000);
my $seed = 2;
foreach my $phase ('reading', 'protecting', 'writing')
{
	sdc_park($watch, $session, $phase, $point{$phase}, sprintf $replace, $seed++);
	is(sdc_query($holder, 'BEGIN; LOCK TABLE released IN ACCESS SHARE MODE NOWAIT; SELECT count(*) FROM released; COMMIT'),
		60_000, "while the replacement is $phase nobody waits for it");
	sdc_query($watch, 'CALL wait_for_reads()');
	is(sdc_query($watch, 'SELECT phase FROM sdc_progress'), $phase, "and while it is $phase a reader reads on");
	sdc_release($watch);
	my $said = sdc_finish($session);
	is(sdc_calm($said), '', 'the release is replaced');
	like($said, qr/WARNING:  release "released" is draw @{[ $seed - 1 ]} from mostly the same records/, 'and it is told which draw it is');
	sdc_query($session, 'SET sdc.test_wait_every = 0');
	sdc_query($watch, 'CALL wait_for_reads()');
}
sdc_query($holder, 'SELECT FROM pg_advisory_unlock_all()');
my ($times, $wrong) = split /\|/, sdc_finish($reader);
cmp_ok($times, '>=', 60, "the reader has read $times times");
chomp $wrong;
is($wrong, 0, 'every read saw all records');

is($node->safe_psql('postgres', $properties), $before,
	'OID, grants, comments, options, indexes, constraints, policies, statistics, publication and views stay');
isnt($node->safe_psql('postgres', q{SELECT pg_relation_filenode('released')}), $node_before,
	'the file is another one');
is($node->safe_psql('postgres', q{SELECT md5(string_agg(r::text, '' ORDER BY id)) FROM released AS r}),
	$node->safe_psql('postgres', q{SELECT md5(string_agg(r::text, '' ORDER BY id))
		FROM sdc_rankswap(NULL::large, p => 5, columns => '{a,b,c,note}', seed => 4) AS r}),
	'the contents are those of the last replacement, toasted values too');
is($node->safe_psql('postgres', q{SET enable_seqscan = off; SELECT count(*) FROM released
	WHERE a BETWEEN 100 AND 200}),
	$node->safe_psql('postgres', q{SET enable_indexscan = off; SET enable_bitmapscan = off;
		SELECT count(*) FROM released WHERE a BETWEEN 100 AND 200}),
	'the index finds them');
sdc_query($session, 'SELECT FROM pg_stat_force_next_flush()');
is($node->safe_psql('postgres', q{SELECT n_live_tup, n_dead_tup FROM pg_stat_user_tables WHERE relname = 'released'}),
	'60000|0', 'statistics count the new rows only');
is($node->safe_psql('postgres', q{SELECT count(*) FROM released}, extra_params => [ '-U', 'reader' ]), 60_000,
	'the reader may still read');
is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_class
	WHERE relname ~ '^pg_temp|^pg_toast_temp'}), 0, 'no helper table is left');

#
# A reader in a transaction holds up the exchange, nothing before it
#
sdc_query($holder, 'BEGIN; SELECT count(*) FROM released');
sdc_start($session, sprintf $replace, 5);
$node->poll_query_until('postgres', "SELECT EXISTS (SELECT FROM pg_locks WHERE pid = $pid AND NOT granted)")
  or die 'the replacement does not wait';
is(sdc_query($watch, "SELECT mode FROM pg_locks WHERE pid = $pid AND NOT granted"), 'AccessExclusiveLock',
	'the replacement waits for the exchange');
is(sdc_query($watch, "SELECT phase FROM sdc_progress WHERE pid = $pid"), 'writing', 'and has done everything before');
is(sdc_query($holder, 'SELECT count(*) FROM released'), 60_000, 'the reader in its way goes on reading');
sdc_query($holder, 'COMMIT');
is(sdc_calm(scalar sdc_finish($session)), '', 'the replacement goes on');

# it gives up after lock_timeout, however short it is, as the reader stays, and nothing has changed
my $content = q{SELECT md5(string_agg(r::text, '' ORDER BY id)) FROM released AS r};
my $old = sdc_query($watch, $content);
sdc_query($holder, 'BEGIN; SELECT count(*) FROM released');
sdc_start($session, 'SET lock_timeout = 50; ' . sprintf $replace, 6);
like(sdc_finish($session), qr/canceling statement due to lock timeout/, 'with lock_timeout the replacement gives up');
is(sdc_query($watch, $content), $old, 'and the release is the old one');
is(sdc_query($watch, $properties), $before, 'with all that belongs to it');
sdc_query($holder, 'COMMIT');

$_->quit foreach ($holder, $reader, $session, $watch);
$node->stop;
done_testing();

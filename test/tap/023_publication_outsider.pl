# 023_publication_outsider.pl
#		What a role learns that may SELECT from a publication, and owns nothing.
#
# The release lies in the order of its key, as releases do; a sensitive column was kept, which tells who a
# record is wherever its place does.  The attacks are tried on a publication in all its states: new, with a new heap, with
# new rows among the dead ones, and after a VACUUM.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $records = 20_000;
my $node = sdc_node('main', conf => "client_min_messages = error\n");
$node->safe_psql('postgres', qq{
	CREATE ROLE outsider LOGIN;
	CREATE ROLE staff LOGIN;
	CREATE ROLE steward LOGIN;
	CREATE SCHEMA office AUTHORIZATION steward;
	CREATE SCHEMA outside AUTHORIZATION steward;
	GRANT USAGE ON SCHEMA office TO PUBLIC;
	GRANT USAGE ON SCHEMA outside TO outsider;
	SET ROLE steward;
	SET client_min_messages = error;
	CREATE TABLE office.people (id int PRIMARY KEY, age int, income int, note text);
	COMMENT ON TABLE office.people IS 'who they are';
	INSERT INTO office.people SELECT i, hashint4(i) % 50, abs(hashint8(i) % 1000), 'note ' || hashint4(-i) || repeat(md5(i::text), 200 * (i % 50 = 0)::int)
	FROM generate_series(1, $records) AS i;
	SELECT FROM sdc_rankswap('office.people', p => 5, columns => '{age,income}', keep => '{note}', target => 'office.first', seed => 'the first seed');
	SELECT FROM sdc_rankswap('office.people', p => 5, columns => '{age,income}', keep => '{note}', target => 'office.second', seed => 'the second seed');
	UPDATE office.second SET income = income + 1000000;
	GRANT SELECT ON office.people, office.first TO staff;
	SELECT sdc_policy_set('nightly', 'office.people', '[{"method": "rankswap", "columns": ["age", "income"], "p": 5}]', 'outside.nightly', keep => '{note}', limits => '{"people_found": 99}', on_unchanged => 'publish')});

# as_steward runs what the owner does, and outsider what is tried: it returns result and messages.
sub as_steward { return $node->safe_psql('postgres', "SET client_min_messages = error; $_[0]", extra_params => [ '-U', 'steward' ]); }

sub outsider
{
	my ($out, $err);

	$node->psql('postgres', $_[0], stdout => \$out, stderr => \$err, extra_params => [ '-U', 'outsider' ]);
	return $out . $err;
}

my $publish = q{SELECT records FROM sdc_publish('office.%s', 'outside.public', keep => '{note}', grant_to => '{outsider}', replace => %s, mode => '%s', force => true)};
my %state = (
	'1 new' => sub { as_steward(sprintf $publish, 'first', 'false', 'exchange') },
	'2 new heap' => sub { as_steward(sprintf $publish, 'second', 'true', 'exchange') },
	'3 new rows' => sub { as_steward(sprintf $publish, 'second', 'true', 'rows') },
	'4 vacuumed' => sub { as_steward('VACUUM outside.public; SELECT ' . $records) },
	'5 new rows in old space' => sub { as_steward(sprintf $publish, 'second', 'true', 'rows') });

# What must be refused, and what must find nothing.
my @refused = (
	(map { [ $_, "SELECT * FROM $_ LIMIT 1" ] } 'office.people', 'office.first', 'office.second', 'sdc_private.sdc_release_catalog', 'sdc_private.sdc_publication_catalog', 'sdc_private.sdc_policy_catalog', 'sdc_private.sdc_secret', 'pg_statistic'),
	[ 'plan of the release', 'EXPLAIN SELECT FROM office.first WHERE id = 1' ],
	[ 'long values', q{DO $$ BEGIN EXECUTE format('SELECT chunk_id FROM %s', (SELECT reltoastrelid::regclass FROM pg_class WHERE oid = 'outside.public'::regclass)); END $$} ],
	[ 'pages', 'CREATE EXTENSION pageinspect' ],
	[ 'file', q{SELECT pg_read_binary_file(pg_relation_filepath('outside.public'))} ],
	[ 'another publication', q{SELECT FROM sdc_publish('office.first', 'public.mine', keep => '{note}', max_people_found => 100)} ],
	[ 'withdrawing it', q{SELECT sdc_withdraw('outside.public', 'mine now')} ],
	[ 'risk of a record', q{SELECT FROM sdc_record_risk('office.first')} ],
	[ 'score', q{SELECT FROM sdc_score('office.first')} ],
	[ 'writing', q{UPDATE outside.public SET age = 0} ],
	[ 'lock', 'BEGIN; LOCK TABLE outside.public IN ACCESS EXCLUSIVE MODE' ],
	[ 'statistics of its own', 'CREATE STATISTICS outside.s ON age, income FROM outside.public' ],
	[ 'a forged publication', q{INSERT INTO sdc_private.sdc_publication_catalog (publication) VALUES ('outside.public')} ]);
my @nothing = (
	(map { [ $_, "SELECT count(*) FROM $_" ] } 'sdc_releases', 'sdc_policies', 'sdc_progress', 'sdc_scores'),
	[ 'sdc_publications', 'SELECT count(*) FROM sdc_publications WHERE release IS NOT NULL OR published_by IS NOT NULL OR forced IS NOT NULL' ],
	[ 'pg_stats of the release', q{SELECT count(*) FROM pg_stats WHERE schemaname = 'office'} ],
	[ 'pg_stats of several columns', 'SELECT count(*) FROM pg_stats_ext' ],
	[ 'pg_stats: values that are not published', q{SELECT count(*) FROM pg_stats AS s, unnest(coalesce(s.most_common_vals::text::int[], '{}') || coalesce(s.histogram_bounds::text::int[], '{}')) AS v
		WHERE s.tablename = 'public' AND s.attname = 'income' AND v NOT IN (SELECT income FROM outside.public)} ],
	[ 'comments', q{SELECT count(*) FROM pg_description WHERE classoid = 'pg_class'::regclass AND objoid = 'outside.public'::regclass
		AND description ~* 'office|first|steward|[0-9]'} ],
	[ 'sequences', q{SELECT count(*) FROM pg_sequences WHERE schemaname IN ('office', 'outside') OR last_value IS NOT NULL} ],
	[ 'dropped columns', q{SELECT count(*) FROM pg_attribute WHERE attrelid = 'outside.public'::regclass AND attnum > 0 AND (attisdropped OR attname NOT IN ('age', 'income', 'note'))} ],
	[ 'key', q{SELECT count(*) FROM pg_attribute WHERE attrelid = 'outside.public'::regclass AND attname IN ('id', 'sdc_row', 'group_id')} ],
	[ 'defaults and constraints', q{SELECT (SELECT count(*) FROM pg_attrdef WHERE adrelid = 'outside.public'::regclass) + (SELECT count(*) FROM pg_constraint WHERE conrelid = 'outside.public'::regclass)} ],
	[ 'what it depends on', q{SELECT count(*) FROM pg_depend WHERE objid = 'outside.public'::regclass AND (classid <> 'pg_class'::regclass OR refclassid <> 'pg_namespace'::regclass)} ],
	[ 'statements of others', q{SELECT count(*) FROM pg_stat_activity WHERE usename = 'steward' AND query ~ 'sdc'} ],
	[ 'settings', q{SELECT count(*) FROM pg_settings WHERE name ~ '^sdc' AND setting ~ 'seed'} ]);

cmp_ok(as_steward('SELECT corr(place, id) FROM (SELECT id, row_number() OVER (ORDER BY ctid) AS place FROM office.first) AS r'), '>', 0.99,
	'the order of the release tells the key');
foreach my $name (sort keys %state)
{
	is($state{$name}->(), $records, "$name: published");
	is(outsider('SELECT count(*) FROM outside.public'), $records, "$name: the outsider reads it");
	like(outsider($_->[1]), qr/ERROR: +(permission denied|must be owner)/, "$name, attack by $_->[0]: refused") foreach (@refused);
	is(outsider($_->[1]), '0', "$name, attack by $_->[0]: nothing is found") foreach (@nothing);

	# the place of a row, in all ways to get at it: within 9 of its deviations it has nothing to do with the key
	foreach my $order ('ctid', '(ctid::text::point)[0]', '(ctid::text::point)[1]')
	{
		is($node->safe_psql('postgres', qq{SELECT abs(corr(place, id)) < 9 / sqrt($records), count(*) = $records
			FROM (SELECT note, row_number() OVER (ORDER BY $order, ctid) AS place FROM outside.public) AS p JOIN office.people USING (note)}),
			't|t', "$name, attack by the order of $order");
	}
	# neighbours of the key are no neighbours here: 2 are to be expected
	cmp_ok($node->safe_psql('postgres', q{SELECT count(*) FROM (SELECT id - lag(id) OVER (ORDER BY p.ctid) AS step FROM outside.public AS p JOIN office.people USING (note)) AS s WHERE abs(step) = 1}),
		'<', 30, "$name, attack by neighbours");
	is(outsider('SELECT count(DISTINCT (xmin::text, cmin::text, xmax::text)) FROM outside.public'), '1', "$name, attack by transactions and commands: all rows have the same");
	# every row that ctid can name, dead ones too: no more than there are
	is(outsider(q{SELECT count(*) FROM outside.public WHERE ctid = ANY (ARRAY(SELECT format('(%s,%s)', b, i)::tid
			FROM generate_series(0, pg_relation_size('outside.public') / 8192 - 1) AS b, generate_series(1, 300) AS i))}),
		$records, "$name, attack by dead rows");
}
as_steward(sprintf $publish, 'first', 'true', 'exchange');
# (since 16 the server adds pages for a batch of rows at once, at most 64, and those that nothing is in stay)
is($node->safe_psql('postgres', q{CREATE TABLE fresh AS TABLE outside.public; VACUUM FULL fresh;
	SELECT (pg_relation_size('outside.public') - pg_relation_size('fresh')) / 8192
		BETWEEN 0 AND CASE WHEN current_setting('server_version_num')::int < 160000 THEN 0 ELSE 64 END}), 't',
	'a new heap has room for the rows and for nothing else');

# The statistics have nothing of what was there before.
as_steward(q{CREATE STATISTICS outside.both (mcv) ON age, income FROM outside.public; ANALYZE outside.public});
is(as_steward('SELECT count(most_common_vals) FROM pg_stats_ext'), '1', 'there are statistics of several columns');
as_steward(sprintf $publish, 'second', 'true', 'exchange');
is(as_steward('SELECT count(most_common_vals) FROM pg_stats_ext'), '0', 'until there are new contents');
is(outsider(q{SELECT count(*) FROM pg_stats AS s, unnest(s.histogram_bounds::text::int[]) AS v WHERE s.tablename = 'public' AND s.attname = 'income' AND v < 1000000}), '0',
	'and those of one column are of these');

# While it works: nobody else sees what is being written, or the statement.
my $session = $node->background_psql('postgres', extra_params => [ '-U', 'steward' ]);
my $watch = $node->background_psql('postgres');
foreach my $mode ('exchange', 'rows')
{
	sdc_park($watch, $session, 'writing', 3, sprintf $publish, 'first', 'true', $mode);
	is(outsider('SELECT count(*) FROM sdc_progress'), '0', "while it works ($mode): attack by the progress of others");
	is(outsider(q{SELECT count(*) FROM pg_stat_activity WHERE query ~ 'office' AND pid <> pg_backend_pid()}), '0', "while it works ($mode): attack by the statement of others");
	is(outsider(q{SELECT count(*) FROM pg_class WHERE relname ~ 'pg_temp_'}), '0', "while it works ($mode): attack by the new table");
	is(outsider('SELECT count(*), min(income) >= 1000000 FROM outside.public'), "$records|t", "while it works ($mode): the old rows");
	sdc_release($watch);
	is(sdc_finish($session), "$records\n", "while it works ($mode): it goes on");
	as_steward(sprintf $publish, 'second', 'true', 'exchange');
}

# Who may read source and release as well knows of the publication.
as_steward(sprintf $publish, 'first', 'true', 'exchange');
is($node->safe_psql('postgres', 'SELECT publication, release FROM sdc_publications', extra_params => [ '-U', 'staff' ]), 'outside.public|office.first', 'staff who may read the source know of it');

# Withdrawn: nothing is left for anybody.
as_steward(q{SELECT sdc_withdraw('outside.public', 'enough')});
like(outsider('SELECT FROM outside.public'), qr/does not exist/, 'withdrawn: it is gone');
is(outsider(q{SELECT count(*) FROM pg_stats WHERE tablename = 'public'}), '0', 'withdrawn: its statistics too');
is(as_steward('SELECT count(*) FROM sdc_publications'), '0', 'withdrawn: and no publication');
like(slurp_file($node->logfile), qr/publication "public" was withdrawn: enough/, 'withdrawn: the log says why');

$_->quit foreach ($session, $watch);
$node->stop;
done_testing();

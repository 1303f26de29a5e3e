# 027_continued.pl
#		Releases that are continued night after night: by policies, when the server stops, after a restore, and what an
#		outsider learns from two of them.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = sdc_node('main');
my $steps = q{[{"method": "rankswap", "columns": ["a", "b"], "p": 20, "continued": true}]};
my $status = q{SELECT status FROM sdc_runs ORDER BY run DESC LIMIT 1};
my $run = q{CALL sdc_run('nightly')};

# sql runs statements, and returns their result.
sub sql { return $node->safe_psql($_[1] // 'postgres', "SET client_min_messages = error; SET maintenance_work_mem = '64MB'; $_[0]"); }

# tried runs statements, and returns all that is said.
sub tried
{
	my ($out, $err);

	$node->psql($_[1] // 'postgres', $_[0], stdout => \$out, stderr => \$err);
	return $out . $err;
}

# policy sets the policy with some arguments more.
sub policy
{
	my ($limits, $more) = @_;

	return sql(qq{SELECT sdc_policy_set('nightly', 'person', '$steps', 'public.published', keep => '{region}', omit => '{secret}', limits => '$limits'$more)});
}

sql(q{CREATE TABLE person (id int PRIMARY KEY, a int, b int, region int, secret text);
	CREATE FUNCTION come(first int, last int) RETURNS void LANGUAGE sql AS $$
		INSERT INTO person SELECT i, abs(hashint4(i)) % 1000, abs(hashint4(-i)) % 1000, i % 4, 'secret of ' || i FROM generate_series(first, last) AS i $$;
	SELECT come(1, 400)});

#
# A policy
#
policy('{"people_found": 100, "composed_people_found": 100, "exposed": 100}', '');
sql($run);
is(sql($status), 'published', 'the first night is published');
sql('CREATE TABLE first AS TABLE published');
sql($run) foreach (1 .. 3);
is(sql(q{SELECT string_agg(status, ' ' ORDER BY run) FROM sdc_runs}), 'published skipped skipped skipped', 'nights without a change are skipped');
is(sql(q{SELECT count(*) FROM sdc_check('nightly')}), '0', 'and nothing is wrong with that');
sql('SELECT come(401, 410)');
sql($run);
is(sql($status), 'skipped', 'newcomers who are too few are not published');
is(sql(q{SELECT records FROM sdc_pending('nightly_run_1') WHERE kind = 'newcomers'}), '10', 'and wait');
sql('DELETE FROM person WHERE id IN (7, 8)');
sql($run);
is(sql($status), 'published', 'who is gone is not published any more');
is(sql('SELECT count(*) FROM (TABLE first EXCEPT TABLE published) AS d'), '2', 'and all others are as they were');
is(sql('SELECT count(*) FROM published'), '398', 'newcomers still wait');
sql('SELECT come(411, 430)');
sql($run);
is(sql('SELECT count(*) FROM published'), '428', 'a full lot is published');
is(sql('SELECT count(*) FROM (TABLE first EXCEPT TABLE published) AS d'), '2', 'and all others are as they were');
is(sql(q{SELECT count(*) FROM pg_class WHERE relname ~ '^nightly_run_' AND relkind = 'r'}), '3', 'what was published is kept, and nothing else');
is(sql(q{SELECT measures #>> '{judged,composed_people_found}' IS NOT NULL AND (measures #>> '{judged,exposed}')::float8 < 5 FROM sdc_runs ORDER BY run DESC LIMIT 1}), 't',
	'it was judged together with what was published before');

# limits of several releases
policy('{"people_found": 100, "composed_people_found": 0}', ', history => 2');
sql('SELECT come(431, 470)');
like(tried($run), qr/was rejected: composed_people_found is/, 'what all tell together is a limit');
is(sql(q{SELECT count(*) FROM pg_class WHERE relname ~ '^nightly_run_' AND relkind = 'r'}), '2', 'no more are kept than were asked for');
policy('{"people_found": 100, "min_interval": "1 day"}', '');
like(tried($run), qr/was rejected: run \d+ has published within min_interval, 1 day/, 'and so is the time between two');
policy('{"people_found": 100, "min_interval": "0"}', '');
sql($run);
is(sql($status) . sql('SELECT count(*) FROM published'), 'published468', 'a rejected night has changed nothing: the next one publishes all of it');
sql('CREATE TABLE last AS TABLE published');

# a release that waits, is rejected, and comes again
policy('{"people_found": 100}', q{, approve => true, approvers => '{officer}'}) if sql('CREATE ROLE officer LOGIN') eq '';
sql('SELECT come(471, 520)');
sql($run);
is(sql($status), 'waiting', 'a release waits');
sql(q{SELECT sdc_reject((SELECT max(run) FROM sdc_runs), 'no')});
sql($run);
$node->safe_psql('postgres', q{SELECT sdc_approve((SELECT max(run) FROM sdc_runs))}, extra_params => [ '-U', 'officer' ]);
is(sql($status) . sql('SELECT count(*) FROM published'), 'published518', 'the next one is approved');
is(sql('SELECT count(*) FROM (TABLE last EXCEPT TABLE published) AS d'), '0', 'and continues what was published');

# a release that would be the same is published again where that is asked for
policy('{"people_found": 100, "exposed": 100}', q{, on_unchanged => 'publish'});
sql('CREATE TABLE same AS TABLE published');
foreach my $time (1 .. 3)
{
	sql($run);
	is(sql($status), 'published', "the same is published again, time $time");
	is(sql('SELECT count(*) FROM (TABLE same EXCEPT TABLE published) AS d'), '0', 'and is the same');
}
sql(q{DELETE FROM person WHERE id = (SELECT max(id) FROM person)});
sql($run);
is(sql('SELECT count(*) FROM (TABLE same EXCEPT TABLE published) AS d'), '1', 'and goes on');

# other steps are another release: an error, until the releases are dropped
$steps =~ s/20/30/;
policy('{"people_found": 100}', '');
sql('SELECT come(521, 600)');
like(tried($run), qr/cannot be continued in this way/, 'other parameters do not continue it');
sql(q{DO $$ DECLARE r regclass; BEGIN FOR r IN SELECT oid FROM pg_class WHERE relname ~ '^nightly_run_' AND relkind = 'r' LOOP EXECUTE 'DROP TABLE ' || r; END LOOP; END $$});
sql($run);
is(sql($status) . sql('SELECT count(*) FROM published'), 'published597', 'without the releases it begins anew');

#
# The server is killed
#
my $night = q{SELECT count(*) FROM sdc_rankswap('person', 20, '{a,b}', 'nights', keep => '{region}', omit => '{secret}', seed => 1, continued => true, min_changes => 5, min_departures => 5)};
my $bag = q{SELECT md5(string_agg(n::text, ',' ORDER BY n::text COLLATE "C")) FROM nights AS n};

sql($night);
foreach my $phase ('reading', 'protecting', 'writing')
{
	my $session = $node->background_psql('postgres', on_error_stop => 0);
	my $watch = $node->background_psql('postgres');
	my $before = sql($bag);

	sql(q{DELETE FROM person WHERE id IN (SELECT id FROM person ORDER BY hashint4(id) LIMIT 10); SELECT come(max(id) + 1, max(id) + 10) FROM person});
	sdc_query($session, q{SET client_min_messages = error; SET maintenance_work_mem = '64MB'});
	sdc_park($watch, $session, $phase, 3, $night);
	$node->stop('immediate');
	eval { $_->quit } foreach ($session, $watch);
	$node->start;
	is(sql($bag), $before, "killed while $phase: the release is as it was");
	sql($night);
	my $done = sql($bag);
	isnt($done, $before, "killed while $phase: the next night goes on");
	sql($night);
	is(sql($bag), $done, 'and the state is that of the release');
}

#
# Dump and restore
#
my $published = sql($bag);
sdc_restored($node, sub {
	my ($database, $there) = @_;

	sql($night, $database);
	is(sql($bag, $database), $published, "$there: a restored release goes on");
	sql(q{SELECT come(max(id) + 1, max(id) + 6) FROM person}, $database);
	sql($night, $database);
	is(sql('SELECT count(*) FROM nights', $database), sql('SELECT count(*) FROM person', $database), "$there: and newcomers come");
});

#
# An outsider reads two publications, and no key: what has come, less what is gone
#
sql(q{CREATE TABLE town (id int PRIMARY KEY, a float8, b float8); CREATE ROLE outsider LOGIN;
	CREATE FUNCTION move_in(first int, last int) RETURNS void LANGUAGE sql AS $$
		INSERT INTO town SELECT i, hashint8extended(i, 1) / 2 ^ 63, hashint8extended(i, 2) / 2 ^ 63 FROM generate_series(first, last) AS i $$;
	SELECT move_in(1, 2000)});
my $release = q{SELECT count(*) FROM sdc_rankswap('town', 10, '{a,b}', 'tonight', seed => 'x', continued => true)};
my $publish = q{SELECT count(*) FROM sdc_publish('tonight', '%s', grant_to => '{outsider}', force => true)};
sql($release . ';' . sprintf($publish, 'night_1'));
# fewer than a lot: nothing shows
sql(q{SELECT move_in(2001, 2049); DELETE FROM town WHERE id <= 20});
sql($release . ';' . sprintf($publish, 'night_2'));
my $outsider = sub { return $node->safe_psql('postgres', $_[0], extra_params => [ '-U', 'outsider' ]) };
is($outsider->('SELECT count(*) FROM (SELECT a FROM night_2 EXCEPT ALL SELECT a FROM night_1) AS d'), '0', 'of newcomers who wait no value shows');
# a lot: any of its values could be anybody's
sql(q{SELECT move_in(2050, 2060)});
sql($release . ';' . sprintf($publish, 'night_3'));
my $lot = $outsider->('SELECT count(*) FROM (SELECT a FROM night_3 EXCEPT ALL SELECT a FROM night_2) AS d');
cmp_ok($lot, '>=', 50, 'a lot shows as one');
# who looks for the row of a newcomer whose other values he knows finds rows of the lot, whose values are those of others: of the lot's
# values that are within the window of the row's, one is right
my $candidates = $outsider->(q{WITH came AS (SELECT a, b FROM night_3 EXCEPT ALL SELECT a, b FROM night_2), ranks AS (SELECT a, percent_rank() OVER (ORDER BY a) * 100 AS at FROM night_3)
	SELECT avg(n) FROM (SELECT (SELECT count(*) FROM came AS o JOIN ranks AS p ON p.a = o.a WHERE abs(p.at - r.at) <= 10) AS n FROM came AS c JOIN ranks AS r ON r.a = c.a) AS counts});
cmp_ok($candidates, '>=', 2 * 10 * 50 / 100 - 1, 'about as many values fit a row of it as the rule says');
is($outsider->(q{SELECT count(*) FROM night_3 AS n WHERE NOT EXISTS (SELECT FROM night_2 AS o WHERE (o.a, o.b) = (n.a, n.b)) AND (EXISTS (SELECT FROM night_2 AS o WHERE o.a = n.a) OR EXISTS (SELECT FROM night_2 AS o WHERE o.b = n.b))}),
	'0', 'no value of who was there has gone to a newcomer');
# differencing by the release's owner, who has the keys: no newcomer's value is guessed with more
my @lines = split /\n/, sql(q{CREATE TABLE town_2 AS SELECT * FROM town WHERE id <= 2000; ALTER TABLE town_2 ADD PRIMARY KEY (id);
	CREATE TABLE night_b AS TABLE tonight; CREATE TABLE night_a AS SELECT * FROM tonight WHERE id <= 2000;
	SELECT sdc_register('town_2', 'night_a', key => '{id}', steps => '[{"method": "rankswap", "columns": ["a", "b"], "p": 10}]');
	SELECT sdc_register('town', 'night_b', key => '{id}', steps => '[{"method": "rankswap", "columns": ["a", "b"], "p": 10}]');
	SELECT sum(cells), sum(exposed), sum(guess) / sum(cells) FROM sdc_compare_releases('night_a', 'night_b', '{a,b}') WHERE side = 'newcomers' AND attribute IS NOT NULL});
my ($cells, $exposed, $guess) = split /\|/, $lines[-1];
is($cells, 120, 'the values of all newcomers are looked for');
is($exposed, 0, 'none is known');
cmp_ok($guess, '<=', 1.3 / (2 * 10 * 60 / 100 + 1), 'and it is guessed about as seldom as the rule says');

done_testing();

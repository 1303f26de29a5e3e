# 003_progress.pl
#		The view sdc_progress, while calls run in other sessions.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = sdc_node('main');
sdc_large_table($node, 20_000);
$node->safe_psql('postgres', q{
	CREATE ROLE caller LOGIN;
	CREATE ROLE nobody LOGIN;
	CREATE ROLE monitor LOGIN;
	GRANT pg_read_all_stats TO monitor;
	GRANT SELECT ON large TO caller;
	GRANT CREATE ON SCHEMA public TO caller;
	CREATE DATABASE other;

	-- waits waits until a session waits for one of the two locks of the test points, or has given up its advisory lock 1
	CREATE FUNCTION waits(backend int, turn int) RETURNS boolean LANGUAGE plpgsql AS $$
	BEGIN
		LOOP
			PERFORM pg_stat_clear_snapshot();
			EXIT WHEN EXISTS (SELECT FROM pg_locks WHERE pid = backend AND locktype = 'advisory' AND objid = turn AND NOT granted)
				OR NOT EXISTS (SELECT FROM pg_locks WHERE pid = backend AND locktype = 'advisory' AND objsubid = 1);
			PERFORM pg_sleep(0.0001);	-- not to take the processor from the session
		END LOOP;
		RETURN EXISTS (SELECT FROM pg_locks WHERE pid = backend AND locktype = 'advisory' AND NOT granted);
	END
	$$;

	-- what a session sees of another one that waits at every so manyth test point, until that gives
	-- up its advisory lock 1: the two take turns by the locks of the test points, one of which
	-- this session has when it begins
	CREATE FUNCTION observe(backend int) RETURNS jsonb LANGUAGE plpgsql AS $$
	DECLARE
		row record;
		last record;
		phases text[] := '{}';
		backwards int := 0;
		rows int := 0;
		looks int := 0;
		most bigint := 0;
		estimates int := 0;
		wrong int := 0;
		turn int := 1;
	BEGIN
		WHILE waits(backend, turn) LOOP
			looks := looks + 1;
			FOR row IN SELECT * FROM sdc_progress WHERE pid = backend LOOP
				rows := rows + 1;
				IF phases = '{}' OR row.phase <> phases[cardinality(phases)] THEN
					phases := phases || row.phase;
				ELSIF (row.attributes_done, row.records_done) < (last.attributes_done, last.records_done) OR row.percent < last.percent THEN
					backwards := backwards + 1;
				END IF;
				estimates := estimates + (row.remaining IS NOT NULL)::int;
				-- what has passed since the phase began, for what is left of it; the clock has gone on
				wrong := wrong + coalesce(row.percent NOT BETWEEN 0 AND 100 OR row.remaining < '0'
					OR row.remaining > (clock_timestamp() - row.phase_start) * (100 - row.percent) / nullif(row.percent, 0) + interval '1 ms'
					OR (row.remaining IS NULL) <> (coalesce(row.percent, 0) < 1), false)::int;
				most := greatest(most, row.records_done);
				last := row;
			END LOOP;
			PERFORM pg_advisory_lock(732, 3 - turn), pg_advisory_unlock(732, turn);
			turn := 3 - turn;
		END LOOP;
		PERFORM pg_advisory_unlock_all();
		IF rows = 0 THEN
			RETURN jsonb_build_object('rows', 0, 'looks', looks);
		END IF;
		RETURN jsonb_build_object('rows', least(rows, 1), 'looks', looks, 'phases', phases, 'backwards', backwards,
			'most', most, 'usename', last.usename, 'source', last.source, 'total', last.records_total,
			'attributes', last.attributes_done || ' of ' || last.attributes_total,
			'estimates', estimates > 10, 'wrong', wrong, 'recent', last.statement_start > pg_postmaster_start_time());
	END
	$$;
});
$node->safe_psql('other', 'CREATE EXTENSION sdc');

my @as = map { [ extra_params => [ '-U', $_ ] ] } qw(caller nobody monitor);
my $call = $node->background_psql('postgres', @{ $as[0] }, on_error_stop => 0);
my $pid = sdc_pid($call);
sdc_query($call, q{SET maintenance_work_mem = '1MB'; SET client_min_messages = error});

my %session = (
	superuser => $node->background_psql('postgres'),
	nobody => $node->background_psql('postgres', @{ $as[1] }),
	monitor => $node->background_psql('postgres', @{ $as[2] }),
	caller => $node->background_psql('postgres', @{ $as[0] }));
my $elsewhere = $node->background_psql('other');

# watched runs a statement that waits at every tenth of its test points, and returns what a session saw of it.
sub watched
{
	my ($sql, $who) = @_;
	my ($message, $seen);

	sdc_query($call, 'SELECT FROM pg_advisory_lock(1); SET sdc.test_wait_every = 10');
	sdc_hold($session{$who});
	sdc_start($session{$who}, "SELECT observe($pid)");
	sdc_start($call, $sql);
	$message = sdc_finish($call);
	sdc_query($call, 'SET sdc.test_wait_every = 0; SELECT FROM pg_advisory_unlock(1)');
	chomp($seen = sdc_finish($session{$who}));
	my ($looks) = $seen =~ /"looks": (\d+)/;
	cmp_ok($looks, '>', 100, "$who: looks $looks times");
	return ($message, $seen);
}

my (%seen, $message);
foreach my $who (sort keys %session)
{
	($message, $seen{$who}) = watched("SELECT FROM sdc_rankswap('large', p => 5, columns => '{a,b,note}', target => 'target_$who', seed => 1)", $who);
	is($message, '', "$who looks: the call succeeds");
}
my $all = $seen{superuser};
like($all, qr/"phases": \["reading", "protecting", "writing"\]/, 'superuser: sees the three phases in their order');
like($all, qr/"backwards": 0/, 'superuser: within a phase it only goes forward');
like($all, qr/"usename": "caller"/, 'superuser: sees who calls');
like($all, qr/"source": "large"/, 'superuser: sees the source');
like($all, qr/"attributes": "3 of 3"/, 'superuser: sees the attributes');
like($all, qr/"total": 20000\b/, 'superuser: sees the number of records');
like($all, qr/"estimates": true/, 'superuser: sees how long it will take');
like($all, qr/"wrong": 0/, 'superuser: which is what is left of a phase at the rate of what is done');
like($all, qr/"recent": true/, 'superuser: sees since when');
my ($most) = $all =~ /"most": (\d+)/;
ok($most > 1000 && $most <= 20000, "superuser: sees records done, at most all of them ($most)");
like($seen{$_}, qr/"phases": \["reading", "protecting", "writing"\].*"usename": "caller"/,
	$_ eq 'monitor' ? 'a member of pg_read_all_stats sees the same' : 'the role that calls sees its other sessions')
  foreach ('monitor', 'caller');
like($seen{nobody}, qr/"rows": 0\b/, 'another role sees nothing');
is($node->safe_psql('postgres', 'SELECT count(*) FROM sdc_progress'), 0, 'nothing is left after the call');

($message, my $seen) = watched(q{SELECT count(*) FROM sdc_rankswap(NULL::large, p => 5, columns => '{note}')}, 'superuser');
is($message, "20000\n", 'the row type form');
like($seen, qr/"phases": \["reading", "protecting", "writing"\]/, 'reports the same phases');

# an error, and another database
sdc_park($session{superuser}, $call, 'protecting', 5, q{SELECT FROM sdc_rankswap('large', p => 5, columns => '{note}', target => 'target_2')});
is(sdc_query($session{superuser}, 'SELECT phase FROM sdc_progress'), 'protecting', 'a call that waits');
is(sdc_query($elsewhere, 'SELECT count(*) FROM sdc_progress'), 0, 'another database sees nothing, even a superuser');
is(sdc_query($session{superuser}, 'SELECT count(*) FROM pg_stat_progress_create_index'), 0,
	'the server does not take it for a command of its own');
sdc_query($session{superuser}, "SELECT pg_cancel_backend($pid)");
like(sdc_finish($call), qr/canceling statement/, 'a call is cancelled');
sdc_release($session{superuser});
is($node->safe_psql('postgres', 'SELECT count(*) FROM sdc_progress'), 0, 'nothing is left after a cancel');

#
# Every function that reads a relation and can take long: wherever it is, it is seen, and what takes long goes on
#
$node->safe_psql('postgres', q{
	SET client_min_messages = error;
	CREATE TABLE file AS SELECT i AS id, hashint8(i) % 1000 AS a, hashint8(i + 7) / 2147483648.0::float8 AS b, hashint8(i + 13) / 2147483648.0::float8 AS c,
		abs(hashint8(i + 5)) % 7 AS d, 'job ' || abs(hashint8(i + 9)) % 11 AS job, 'ward ' || abs(hashint8(i + 11)) % 23 AS ward, abs(hashint8(i + 3)) % 90 AS age
		FROM generate_series(1::bigint, 9000) AS i;
	ALTER TABLE file ADD PRIMARY KEY (id);
	CREATE TABLE population AS SELECT i AS id, d, job, age FROM file, generate_series(1, 2) AS i;
	CREATE TABLE other AS SELECT id, a + 1 AS a FROM file;
	ALTER TABLE other ADD PRIMARY KEY (id);
	SELECT FROM sdc_rankswap('file', p => 5, columns => '{a,b,c,age}', keep => '{d,job,ward}', target => 'ranks', seed => 1);
	SELECT FROM sdc_rankswap('file', p => 6, columns => '{a,b,c,age}', keep => '{d,job,ward}', target => 'again', seed => 2);
	SELECT FROM sdc_equidepth_swap('file', depth => 20, columns => '{a,b,c}', keep => '{d,job,ward,age}', target => 'bins', seed => 1);
	SELECT FROM sdc_randomize('file', '{d,job,ward}', keep => '{a,b,c,age}', target => 'drawn', seed => 1);
	SELECT FROM sdc_generalize('file', '{age,d,job}', k => 7, keep => '{ward}', omit => '{a,b,c}', target => 'ranges');
	SELECT FROM sdc_publish('ranks', 'shown', keep => '{d,job,ward}', force => true);
	VACUUM ANALYZE;

	-- what a session sees at each of these looks; the phase is NULL where it sees nothing
	CREATE FUNCTION looks(backend int) RETURNS TABLE (look int, phase text, phase_start timestamptz, done numeric, percent float8, remaining interval)
	LANGUAGE plpgsql AS $$
	DECLARE
		turn int := 1;
	BEGIN
		look := 0;
		WHILE waits(backend, turn) LOOP
			look := look + 1;
			SELECT s.phase, s.phase_start, s.attributes_done * 1e12 + s.records_done, s.percent, s.remaining
			INTO phase, phase_start, done, percent, remaining FROM (SELECT) AS one LEFT JOIN sdc_progress AS s ON s.pid = backend;
			RETURN NEXT;
			PERFORM pg_advisory_lock(732, 3 - turn), pg_advisory_unlock(732, turn);
			turn := 3 - turn;
		END LOOP;
		PERFORM pg_advisory_unlock_all();
	END
	$$;

	-- what is to be said of them: of each phase in how many places it was seen, at most
	CREATE FUNCTION judged(backend int) RETURNS text LANGUAGE sql AS $$
		WITH seen AS MATERIALIZED (SELECT * FROM looks(backend)),
		beside AS (SELECT *, lag(done) OVER before AS done_before, lag(percent) OVER before AS percent_before
			FROM seen WINDOW before AS (PARTITION BY phase, phase_start ORDER BY look)),
		places AS (SELECT phase, count(DISTINCT percent) AS places FROM seen WHERE phase IS NOT NULL GROUP BY phase, phase_start)
		SELECT concat_ws(' ', 'unseen', (SELECT count(*) FROM seen WHERE phase IS NULL),
			'backwards', (SELECT count(*) FROM beside WHERE done < done_before OR percent < percent_before),
			'wrong', (SELECT count(*) FROM seen WHERE percent NOT BETWEEN 0 AND 100 OR remaining < '0'
				OR phase IS NOT NULL AND (remaining IS NULL) <> (coalesce(percent, 0) < 1)),
			'places', (SELECT string_agg(phase || '=' || most, ' ' ORDER BY phase) FROM (SELECT phase, max(places) AS most FROM places GROUP BY phase) AS p))
	$$;
});

my $measure = $node->background_psql('postgres', on_error_stop => 0);
my $measuring = sdc_pid($measure);

# judged_call makes a call that waits so many times, or little more, in all phases or in one, and returns what is said of
# the looks.
sub judged_call
{
	my ($sql, $settings, $phase, $looks) = @_;
	my $statement = "SELECT count(*) FROM (SELECT FROM $sql) AS result";
	my $said;

	sdc_query($measure, "RESET ALL; SET client_min_messages = error; SET jit = off; SET max_parallel_maintenance_workers = 0; $settings");
	sdc_query($measure, "SET sdc.test_phase = '$phase'; SET sdc.test_wait_every = 0; BEGIN");
	sdc_query($measure, $statement);
	my $every = 1 + int(sdc_query($measure, 'SHOW sdc.test_points') / $looks);
	sdc_query($measure, "ROLLBACK; BEGIN; SELECT FROM pg_advisory_lock(1); SET LOCAL sdc.test_wait_every = $every");
	sdc_hold($session{superuser});
	sdc_start($session{superuser}, "SELECT judged($measuring)");
	sdc_start($measure, $statement);
	$said = sdc_finish($measure);
	sdc_query($measure, 'ROLLBACK; SELECT FROM pg_advisory_unlock(1)');
	unlike($said, qr/ERROR/, "$sql: it succeeds");
	chomp(my $judged = sdc_finish($session{superuser}));
	return $judged;
}

# the call; the phase that most of it is, and in how many places this is seen at least; settings; how often it waits
my $workers = q{SET max_parallel_maintenance_workers = 2; SET min_parallel_table_scan_size = 0};
my @search = (q{'file', '{d,job,ward,age}', 0.0005}, q{'file', '{d,job,age}', '{ward}', 0.0005, 0.1}, q{'drawn', 0.0005, 0.1, qi => '{d,job}', sensitive => '{ward}'});
foreach my $case (
	[ "sdc_frequent_itemsets($search[0])", evaluating => 6 ],
	[ "sdc_associations($search[1])", evaluating => 6 ],
	[ "sdc_associations($search[1], reading => 'any')", evaluating => 20 ],
	[ "sdc_association_recall($search[2])", evaluating => 4 ],
	[ "sdc_association_recall($search[2], reading => 'any')", evaluating => 6 ],
	[ "sdc_association_changes($search[2])", evaluating => 4 ],
	[ q{sdc_query_errors('drawn', 2000, seed => 1)}, evaluating => 6 ],
	[ q{sdc_people_found('ranks')}, evaluating => 2 ],
	[ q{sdc_link_release('ranks')}, coding => 1 ],
	[ q{sdc_link_distance('ranks')}, evaluating => 6 ],
	[ q{sdc_link_rankswap('ranks')}, evaluating => 4 ],
	[ q{sdc_link_probabilistic('ranks')}, evaluating => 2 ],
	[ q{sdc_disclosure_risk('ranks')}, evaluating => 6 ],
	[ q{sdc_record_risk('ranks')}, evaluating => 2 ],
	[ q{sdc_interval_disclosure('ranks')}, coding => 3 ],
	[ q{sdc_information_loss('ranks'::regclass)}, evaluating => 3 ],
	[ q{sdc_score('ranks')}, evaluating => 6 ],
	[ q{sdc_baseline('ranks')}, evaluating => 6 ],
	[ q{sdc_evaluate('ranks')}, evaluating => 6, '', 5000 ],
	[ q{sdc_sweep('file', 'rankswap', '{2,5}', columns => '{a,b}')}, evaluating => 4 ],
	[ q{sdc_inference_risk('drawn')}, coding => 2 ],
	[ q{sdc_attribute_risk('drawn', sensitive => '{ward}')}, coding => 1 ],
	[ q{sdc_attacker_risk('ranges', '{d,job,age}', 'population')}, evaluating => 2 ],
	[ q{sdc_group_privacy('file', '{d,job,age}', '{ward}')}, evaluating => 6 ],
	[ q{sdc_private.group_spans('ranges')}, coding => 2 ],
	[ q{sdc_ldiversity('file', '{d,job,age}', '{ward}')}, reading => 0 ],
	[ q{sdc_kanonymity('file', '{d,job,age}', '{a}')}, evaluating => 2 ],
	[ q{sdc_unit_columns('file', '{d,age}')}, evaluating => 2 ],
	[ q{sdc_minimal_uniques('file', '{d,job,age,a,ward}', 4)}, evaluating => 6 ],
	[ q{sdc_permutation_distance('ranks')}, evaluating => 6 ],
	[ q{sdc_permuted_privacy('ranks')}, evaluating => 6 ],
	[ q{sdc_verify_record('ranks', '{"a": 5, "b": 0.5, "age": 30}')}, coding => 2 ],
	[ q{sdc_probabilistic_anonymity('file', '{d,job,age}')}, evaluating => 2 ],
	[ q{sdc_support_bias('file', '{d,job,age}', '{"job": "job 3", "d": "2"}')}, reading => 2 ],
	[ q{sdc_chi_square('file', '{d,job,age,ward,a}')}, evaluating => 4 ],
	[ q{sdc_swap_candidates('file', '{a,b}')}, evaluating => 6 ],
	[ q{sdc_swap_privacy('file', '{a,b}')}, evaluating => 6 ],
	[ q{sdc_correlation_bias('ranks')}, evaluating => 4 ],
	[ q{sdc_correlation_bias('bins')}, evaluating => 6 ],
	[ q{sdc_expected_correlation_bias('file', columns => '{a,b,c}', depth => 20)}, evaluating => 6 ],
	[ q{sdc_histogram_error('bins')}, evaluating => 3 ],
	[ q{sdc_statistic_errors('ranks')}, coding => 2 ],
	[ q{sdc_cell_errors('drawn', '{job,ward}', 'a')}, coding => 2 ],
	[ q{sdc_regression_errors('ranks', 'a', '{b,c,age}')}, coding => 2 ],
	[ q{sdc_distinguishability('ranks')}, evaluating => 2 ],
	[ q{sdc_compare('ranks', condition => 'age > 30', aggregate => 'avg(a)', by => '{job}')}, reading => 4 ],
	[ q{sdc_estimate('drawn'::regclass, '{d,job,ward}', '{"d > 3"}', by => '{job}')}, evaluating => 1 ],
	[ q{sdc_link_releases('{ranks,again}')}, evaluating => 3 ],
	[ q{sdc_compare_releases('ranks', 'again')}, evaluating => 4 ],
	[ q{sdc_register('file', 'other', columns => '{a}')}, reading => 3 ],
	[ q{sdc_publish('ranks', 'published', keep => '{d,job,ward}', force => true)}, writing => 1, '', 5000 ],
	[ q{sdc_publish('ranks', 'shown', keep => '{d,job,ward}', replace => true, force => true)}, writing => 1, '', 5000 ],
	[ q{sdc_publish('ranks', 'shown', keep => '{d,job,ward}', replace => true, mode => 'rows', force => true)}, writing => 1, '', 5000 ],
	[ q{sdc_rankswap('file', p => 5, columns => '{a,b,c,job}', target => 'target', seed => 1)}, writing => 4 ],
	[ q{sdc_equidepth_swap('file', depth => 20, columns => '{a,b,c}', target => 'target', seed => 1)}, protecting => 4 ],
	[ q{sdc_equiwidth_swap('file', intervals => 20, columns => '{a,b,c}', target => 'target', seed => 1)}, protecting => 2 ],
	[ q{sdc_randomize('file', '{d,job,ward}', target => 'target', seed => 1)}, protecting => 4 ],
	[ q{sdc_generalize('file', '{age,d,job}', k => 7, target => 'target')}, protecting => 4 ],
	[ q{sdc_permute('file', '{age,d,job}', '{ward}', l => 3, target => 'target', seed => 1)}, protecting => 2 ])
{
	my ($sql, $phase, $least, $settings, $looks) = @$case;
	# workers are not waited for: their test points are in no phase
	my $judged = judged_call($sql, $settings // '', $settings ? $phase : '', $looks // 40);
	my $name = $settings ? "with workers $sql" : $sql;

	like($judged, qr/unseen 0 backwards 0 wrong 0 /, "$name: it is seen at every look, goes forward, and tells how long it takes ($judged)");
	my ($places) = $judged =~ /\b$phase=(\d+)/;
	cmp_ok($places // -1, '>=', $least, "$name: while $phase it goes on");
}
is($node->safe_psql('postgres', 'SELECT count(*) FROM sdc_progress'), 0, 'nothing is left of all these');

$_->quit foreach (values %session, $elsewhere, $call, $measure);
$node->stop;
done_testing();

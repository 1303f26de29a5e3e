# 042_publish_units.pl
#		Two publications of one unit, as those see them who read them meanwhile, and after a backend is killed.
#
# Both have the rows of one release, under the same numbers: their join is the release, but for the names.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = sdc_node('main', conf => "max_prepared_transactions = 2\nrestart_after_crash = on\nclient_min_messages = error\n");
# how many rows, and two sums of their hashes: no two bags of rows have the same, and nothing is sorted
my $bag = q{SELECT concat_ws('/', count(*), sum(hashtextextended(t, 1)), sum(hashtextextended(t, 2)))
	FROM (SELECT p::text AS t FROM (SELECT age, sex, cost, days FROM %s) AS p OFFSET 0) AS texts};
my $join = 'public_patients LEFT JOIN public_stays USING (sdc_unit)';
my $numbers = q{SELECT (SELECT sum(hashtextextended(p::text, 1)) FROM public_patients AS p) || '/' || (SELECT sum(hashtextextended(s::text, 1)) FROM public_stays AS s)};
my $publish = q{SELECT records FROM sdc_publish('%s', 'public_stays', keep => '{sex}', units_as => 'public_patients', replace => true, mode => '%s', force => true)};

$node->safe_psql('postgres', q{
	CREATE TABLE patients AS SELECT p AS patient, (p * 7919) % 90 + 10 AS age, (p * 31) % 2 AS sex FROM generate_series(1, 1200) AS p;
	CREATE TABLE stays AS SELECT p AS patient, v AS stay, ((p * p * 13 + v * 977) % 5000)::numeric AS cost, ((p + v * 3) % 17)::int AS days
		FROM generate_series(1, 1200) AS p, generate_series(1, p % 4) AS v;
	CREATE VIEW joined AS SELECT patient, coalesce(stay, 0) AS stay, age, sex, cost, days FROM patients LEFT JOIN stays USING (patient);
	SELECT FROM sdc_rankswap('joined', p => 10, columns => '{age, cost, days}', keep => '{sex}', key => '{patient, stay}', unit => '{patient}', target => 'first', seed => 1);
	SELECT FROM sdc_rankswap('joined', p => 10, columns => '{age, cost, days}', keep => '{sex}', key => '{patient, stay}', unit => '{patient}', target => 'second', seed => 2);
	CREATE ROLE reader LOGIN;
	SELECT FROM sdc_publish('first', 'public_stays', keep => '{sex}', units_as => 'public_patients', grant_to => '{reader}', force => true);
	CREATE INDEX ON public_stays (sdc_unit);
	CREATE INDEX ON public_patients (sdc_unit)});
my %content = map { $_ => $node->safe_psql('postgres', sprintf $bag, $_) } ('first', 'second');
my $content = sub { return $node->safe_psql('postgres', sprintf $bag, $join) };

isnt($content{first}, $content{second}, 'two releases');
is($content->(), $content{first}, 'the join of what is published is what was protected');

#
# Readers meanwhile: nobody waits for either table while anything is read or written, and both are the old ones
#
my ($session, $holder, $watch);
my $sessions = sub { ($session, $holder, $watch) = map { $node->background_psql('postgres', on_error_stop => $_) } (0, 1, 1) };
$sessions->();
my %release = (exchange => 'second', rows => 'first');

foreach my $mode ('exchange', 'rows')
{
	my $before = sdc_query($holder, $numbers);
	my $points;

	sdc_query($session, "SET sdc.test_phase = 'writing'; BEGIN");
	is(sdc_query($session, sprintf $publish, $release{$mode}, $mode), "1800\n1200", "$mode: both are written");
	sdc_query($session, 'ROLLBACK');
	# the last ones are those of the exchange
	$points = int(sdc_query($session, q{SHOW sdc.test_points}) / 150) - 2;
	cmp_ok($points, '>', 10, "$mode: there are test points in it");
	sdc_query($session, 'BEGIN');
	sdc_park($watch, $session, 'writing', 150, sprintf $publish, $release{$mode}, $mode);
	# the locks that it waits for take turns: who has the one lets it go on to its next point when he has the other, too
	foreach my $place (1 .. $points)
	{
		is(sdc_query($holder, "BEGIN; LOCK TABLE public_patients, public_stays IN ACCESS SHARE MODE NOWAIT; $numbers; COMMIT"),
			$before, "$mode: at point $place of $points of its writing nobody waits, and the old rows are there");
		last if $place == $points;
		sdc_query($watch, 'SELECT FROM pg_advisory_lock(732, ' . ($place % 2 + 1) . ')');
		sdc_query($watch, 'SELECT FROM pg_advisory_unlock(732, ' . (2 - $place % 2) . ')');
		sdc_parked($watch, $session);
	}
	sdc_query($watch, 'SELECT FROM pg_advisory_unlock_all()');
	is(sdc_finish($session), "1800\n1200\n", "$mode: it goes on");
	sdc_query($session, 'ROLLBACK; SET sdc.test_wait_every = 0');
	is(sdc_query($holder, $numbers), $before, "$mode: and can be rolled back");
	$node->safe_psql('postgres', sprintf $publish, $release{$mode}, $mode);
	is($content->(), $content{ $release{$mode} }, "$mode: new contents");
	isnt(sdc_query($holder, $numbers), $before, "$mode: and new numbers");
}

# who has read the one table in a long transaction reads the other one, as it was: neither is exchanged before he ends
foreach my $order ([ 'public_stays', 'public_patients' ], [ 'public_patients', 'public_stays' ])
{
	my ($one, $other) = @$order;
	my $sum = "SELECT sum(hashtextextended(p::text, 1)) FROM %s AS p";
	my $old = sdc_query($holder, sprintf $sum, $other);

	sdc_query($holder, 'BEGIN; SELECT FROM ' . $one);
	sdc_start($session, sprintf $publish, 'second', 'exchange');
	$node->poll_query_until('postgres', "SELECT EXISTS (SELECT FROM pg_locks WHERE pid = $session->{sdc_pid} AND NOT granted)") or die 'it does not wait';
	is(sdc_query($holder, sprintf $sum, $other), $old, "who has read $one reads $other as it was");
	sdc_query($holder, 'COMMIT');
	is(sdc_finish($session), "1800\n1200\n", 'then the exchange goes on');
	isnt(sdc_query($holder, sprintf $sum, $other), $old, "and $other is new");
}
sdc_query($holder, 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM joined');
$node->safe_psql('postgres', sprintf $publish, 'first', 'exchange');
is(sdc_query($holder, sprintf $bag, $join), $content{first}, 'an old snapshot that reads them for the first time sees both new');
sdc_query($holder, 'COMMIT');

#
# Whoever reads both again and again, in one statement or in one snapshot, has the join of the one release or of the other
#
$node->safe_psql('postgres', q{
	CREATE SEQUENCE reads;
	GRANT USAGE ON reads TO reader;
	CREATE PROCEDURE read_on(query text, INOUT seen text DEFAULT '', INOUT torn int DEFAULT 0) LANGUAGE plpgsql AS $$
	DECLARE
		one text;
		two text;
	BEGIN
		LOOP
			COMMIT;
			SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
			EXECUTE query INTO one;
			PERFORM FROM public_patients;
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
my %loop = map { $_ => $node->background_psql('postgres', extra_params => [ '-U', 'reader' ]) } ($join, 'public_stays RIGHT JOIN public_patients USING (sdc_unit)');
sdc_query($watch, 'SELECT FROM pg_advisory_lock(1)');
sdc_start($loop{$_}, sprintf 'CALL read_on($x$%s$x$)', sprintf $bag, $_) foreach sort keys %loop;
foreach my $mode ('exchange', 'rows', 'exchange', 'exchange', 'rows', 'rows')
{
	foreach my $name ('second', 'first')
	{
		my $reads = sdc_query($watch, 'SELECT last_value FROM reads');

		sdc_query($session, q{SET lock_timeout = '1h'; } . sprintf $publish, $name, $mode);
		$node->poll_query_until('postgres', "SELECT last_value > $reads + 6 FROM reads") or die 'nobody reads';
	}
}
sdc_query($watch, 'SELECT FROM pg_advisory_unlock(1)');
foreach my $from (sort keys %loop)
{
	my ($seen, $torn) = sdc_finish($loop{$from}) =~ /^ ([^|]*)\|(\d+)/;

	is(join(' ', sort split / /, $seen), join(' ', sort values %content), "$from: the one or the other, and never a mixture");
	is($torn, 0, "$from: and in one transaction the same twice");
	$loop{$from}->quit;
}

#
# A backend that is killed at points all over its way, while it writes at more of them, and before the commit: both tables are as they were
#
my $killed_at = sub {
	my ($phase, $point, $sql) = @_;
	my $victim = $node->background_psql('postgres', on_error_stop => 0);
	my $pid = sdc_pid($victim);
	my $parked;

	sdc_start($victim, "SET sdc.test_phase = '$phase'; SET sdc.test_wait_every = $point");
	sdc_finish($victim);
	sdc_hold($watch);
	sdc_start($victim, $sql);
	$parked = sdc_parked($watch, $victim);
	sdc_release($watch) unless $parked;
	sdc_finish($victim) unless $parked;
	sdc_kill($node, $pid, $victim, $watch, $holder, $session);
	$sessions->();
	return $parked;
};
my $files = q{SELECT count(*) FROM pg_class WHERE relname ~ '^pg_temp_'};

foreach my $mode ('exchange', 'rows')
{
	my $before;

	foreach my $phase ('writing', '')
	{
		my $point = $phase eq '' ? 1 : 150;
		my $while = $phase eq '' ? '' : ' while writing';
		my $kills = 0;

		# how many points writing has is another number on every version: the last call may have come to its end
		sdc_query($session, sprintf $publish, 'first', $mode) if $content->() ne $content{first};
		$before = sdc_query($holder, $numbers);
		while ($phase eq '' || $point < 3000)
		{
			last unless $killed_at->($phase, $point, sprintf $publish, 'second', $mode);
			is(sdc_query($holder, $numbers), $before, "killed at point $point$while ($mode): both are the old ones");
			is(sdc_query($holder, $files), '0', "killed at point $point$while ($mode): no table is left");
			$point = $phase eq '' ? 3 * $point : $point + 250;
			$kills++;
		}
		cmp_ok($kills, '>', 8, "$mode: killed $kills times$while");
	}
	is($content->(), $content{second}, "$mode: killed after the commit: both are the new ones");
	$before = sdc_query($holder, $numbers);
	sdc_query($session, 'SET sdc.test_wait_every = 0; BEGIN; ' . sprintf $publish, 'first', $mode);
	sdc_kill($node, sdc_pid($session), $session, $watch, $holder);
	$sessions->();
	is(sdc_query($holder, $numbers), $before, "killed before the commit ($mode): both are the old ones");
	$node->safe_psql('postgres', 'BEGIN; ' . sprintf($publish, 'first', $mode) . q{; PREPARE TRANSACTION 'one'});
	$node->stop('immediate');
	$node->start;
	$sessions->();
	$node->safe_psql('postgres', q{COMMIT PREPARED 'one'});
	is($content->(), $content{first}, "$mode: what was prepared is there after a crash, of both");
}

#
# A policy's run that is killed: of what it leaves both are of the same run, and the next run succeeds
#
$node->safe_psql('postgres', q{
	SELECT sdc_policy_set('stays', 'joined', '[{"method": "rankswap", "columns": ["age", "cost", "days"], "p": 10}]', 'public.nightly',
		key => '{patient, stay}', keep => '{sex}', unit => '{patient}', units_as => 'public.nightly_patients', limits => '{"people_found": 100}', on_unchanged => 'publish');
	CALL sdc_run('stays')});
(my $nightly = $numbers) =~ s/public_patients/nightly_patients/;
$nightly =~ s/public_stays/nightly/;
# the units of a publication without their names: the sizes of those with as many stays are in the source
my $whole = q{SELECT count(*), count(DISTINCT sdc_unit), (SELECT count(*) FROM nightly WHERE sdc_unit NOT IN (SELECT sdc_unit FROM nightly_patients)),
	(SELECT string_agg(n || ':' || c, ' ' ORDER BY n) FROM (SELECT n, count(*) AS c FROM (SELECT count(s.sdc_unit) AS n FROM nightly_patients AS p LEFT JOIN nightly AS s USING (sdc_unit) GROUP BY p.sdc_unit) AS u GROUP BY n) AS sizes)
	FROM nightly_patients};
my $tells = "1200|1200|0|0:300 1:300 2:300 3:300";
my $point = 1;
my %after;

is(sdc_query($holder, $whole), $tells, 'a run publishes both');
while (1)
{
	my $before = sdc_query($holder, $nightly);
	my $parked = $killed_at->('', $point, q{CALL sdc_run('stays')});
	my @old = split m{/}, $before;
	my @new = split m{/}, sdc_query($holder, $nightly);
	my $changed = ($old[0] ne $new[0]) + ($old[1] ne $new[1]);

	$after{$changed}++;
	isnt($changed, 1, "run killed at point $point: both are old, or both are new");
	is(sdc_query($holder, $whole), $tells, "run killed at point $point: with the same numbers");
	last unless $parked;
	$point *= 2;
}
is($after{2}, 1, 'the run that came to its end has changed both');
is($node->safe_psql('postgres', q{CALL sdc_run('stays'); SELECT status FROM sdc_runs WHERE policy = 'stays' ORDER BY run DESC LIMIT 1}), 'published', 'and the next run succeeds');
$_->quit foreach ($session, $holder, $watch);
$node->stop;
done_testing();

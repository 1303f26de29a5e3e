# SdcTest.pm
#		What the TAP tests of sdc share.
#
# No test knows how fast the machine is.  A call is stopped, cancelled or looked at where it is at a
# test point (src/relation/base/testpoint.h), which every build of test/all has; and what a test
# waits for it waits for as long as it takes.

package SdcTest;

use strict;
use warnings;

use Exporter 'import';
use IO::Select;
use POSIX ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

our @EXPORT = qw(sdc_init sdc_node sdc_large_table sdc_start sdc_finish sdc_calm sdc_query sdc_pid sdc_pair sdc_until sdc_over sdc_memory
  sdc_hold sdc_release sdc_parked sdc_park sdc_wait_gone sdc_sweep sdc_longest sdc_answers sdc_swept
  sdc_workers sdc_begin_with_worker sdc_workers_gone sdc_end_calls sdc_kill sdc_kill_worker sdc_same_in_parallel
  sdc_collation sdc_temp_files sdc_temp_maps sdc_restored sdc_private sdc_private_peak sdc_same_within_memory slurp_proc);

# A test that hangs is ended by the time limit of the step, and by nothing before.
$PostgreSQL::Test::Utils::timeout_default = 24 * 3600;
$ENV{PGCTLTIMEOUT} = 24 * 3600;

# The keys of the advisory lock that a call waits for at a test point, and what it may run from one
# point to the next: basic blocks, of which a processor runs some hundred millions a second.  It
# is far less than a second's, so that a loop that no longer looks for cancels shows.
my $lock = '732, 1';
my $sdc_steps = 6_000_000;

# The superuser of every cluster, and who connects, whoever runs the tests.
$ENV{PGUSER} = 'postgres';

# sdc_init makes the files of a cluster.  Options are those of init; extra replaces encoding and locale.  Without it they
# are those of the cluster that SDC_TEMPLATE names, if it does: a copy is made in a fraction of the time.
sub sdc_init
{
	my ($node, %option) = @_;
	my $extra = $option{extra} // [ '--encoding=UTF8', '--locale=C.UTF-8' ];
	my $run = \&PostgreSQL::Test::Utils::system_or_bail;

	no warnings 'redefine';	## no critic
	local *PostgreSQL::Test::Utils::system_or_bail = sub {
		my @command = @_;
		@command = ('cp', '-a', "$ENV{SDC_TEMPLATE}/.", $node->data_dir) if $command[0] eq 'initdb';
		$run->(@command);
	} if $ENV{SDC_TEMPLATE} && !$option{extra};
	$node->init(%option, extra => [ "--username=$ENV{PGUSER}", @$extra ]);
	return;
}

# sdc_node starts a cluster with the extension in database postgres.  Options: init, a
# list of initdb's; conf, lines of postgresql.conf.  (Compiled expressions are for sql/determinism.sql: here every session
# would load the compiler for one call.)
sub sdc_node
{
	my ($name, %option) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	sdc_init($node, $option{init} ? (extra => $option{init}) : ());
	$node->append_conf('postgresql.conf', "autovacuum = off\njit = off\nauthentication_timeout = 600\n" . ($option{conf} // ''));
	$node->start;
	$node->safe_psql('postgres', 'CREATE EXTENSION sdc');
	return $node;
}

# sdc_restored dumps database postgres, restores it into an empty database and into one that has the extension, and
# calls a function for each, with its name and with what it is.
sub sdc_restored
{
	my ($node, $look) = @_;

	foreach my $there ('an empty database', 'one that has the extension')
	{
		my $name = $there =~ /empty/ ? 'one' : 'two';
		my $dump = "${PostgreSQL::Test::Utils::tmp_check}/$name.dump";

		$node->safe_psql('postgres', "CREATE DATABASE $name");
		$node->safe_psql($name, 'CREATE EXTENSION sdc') if $name eq 'two';
		$node->command_ok([ 'pg_dump', '-Fc', '-f', $dump, 'postgres' ], "dump for $there");
		$node->command_ok([ 'pg_restore', '--exit-on-error', '-d', $name, $dump ], "restore into $there");
		$look->($name, $there);
	}
	return;
}

# sdc_collation returns the quoted name of a collation whose comparisons are slow, that
# is one of ICU where the server has it.
sub sdc_collation
{
	my ($node) = @_;

	return $node->safe_psql('postgres',
		q{SELECT coalesce((SELECT quote_ident(collname) FROM pg_collation
			WHERE collname = 'und-x-icu'), 'pg_catalog."default"')});
}

# sdc_large_table makes a table: some numbers, and texts that are alike up to their end.
sub sdc_large_table
{
	my ($node, $records, $table) = @_;
	my $collation = sdc_collation($node);

	$table //= 'large';
	$node->safe_psql(
		'postgres', qq{
		CREATE TABLE $table (id bigint PRIMARY KEY, a int, b float8, c numeric,
			note text COLLATE $collation);
		INSERT INTO $table SELECT i, hashint8(i) % 1000, hashint8(i + 1), hashint8(i + 2),
			'a sentence of some length that ends in ' || hashint8(i + 3)
		FROM generate_series(1, $records) AS i;
		VACUUM ANALYZE $table;
	});
	return;
}

# sdc_start begins a statement in a session of background_psql, and sdc_finish waits for
# its end and returns what it printed: results and messages.
my $statements = 0;

sub sdc_start
{
	my ($session, $sql) = @_;

	$session->{sdc_mark} = 'statement ' . ++$statements . ' ';
	$session->{stdin} .= "/* $session->{sdc_mark}*/ $sql;\n\\echo finished $statements\n\\warn finished $statements\n";
	$session->{run}->pump_nb;
	return;
}

sub sdc_finish
{
	my ($session) = @_;
	my $end = qr/^finished \d+\r?\n/m;
	my ($out, $err);

	$session->{run}->pump until ($session->{stdout} =~ $end && $session->{stderr} =~ $end);
	($out = $session->{stdout}) =~ s/$end//;
	($err = $session->{stderr}) =~ s/$end//;
	$session->{stdout} = '';
	$session->{stderr} = '';
	return wantarray ? ($out, $err) : $out . $err;
}

# sdc_calm takes out of what a call says that it draws mostly the same records again, or publishes them: warnings, each
# with its detail and hint.  All else that is said stays.
sub sdc_calm
{
	my ($said) = @_;

	$said =~ s/^[^\n]*WARNING:  (?:readers of "\w+" have other draws of the same records: [^\n]*|release "\w+" (?:is draw \d+ from mostly the same records|differs from the one before by few records: \d+ are new and \d+ are gone))\nDETAIL:  [^\n]*\nHINT:  [^\n]*(?:\n|\z)//mg;
	return $said;
}

# sdc_query runs statements that must succeed without a message, and returns what they
# printed.  (Unlike query_safe of background_psql it does not tell the log.)
sub sdc_query
{
	my ($session, $sql) = @_;
	my ($out, $err);

	sdc_start($session, $sql);
	($out, $err) = sdc_finish($session);
	die "query failed: $err" if $err ne '';
	chomp $out;
	return $out;
}

# sdc_pid returns the process of a session.
sub sdc_pid
{
	my ($session) = @_;

	return $session->{sdc_pid} //= sdc_query($session, 'SELECT pg_backend_pid()');
}

# sdc_pair begins a session for a call, and one that watches it; it returns both, and the process of the first.
sub sdc_pair
{
	my ($node) = @_;
	my $session = $node->background_psql('postgres', on_error_stop => 0);

	return ($session, $node->background_psql('postgres'), sdc_pid($session));
}

# sdc_memory returns the bytes that a session has taken.
sub sdc_memory
{
	my ($session) = @_;

	return sdc_query($session, 'SELECT sum(used_bytes) FROM pg_backend_memory_contexts');
}

# sdc_until waits until a condition on what other sessions do is true.
sub sdc_until
{
	my ($watch, $condition) = @_;

	sdc_query(
		$watch, qq{DO \$\$
		BEGIN
			LOOP
				PERFORM pg_stat_clear_snapshot();
				EXIT WHEN $condition;
				PERFORM pg_sleep(0.0001);
			END LOOP;
		END
		\$\$});
	return;
}

# sdc_over is a condition of sdc_until: the statement that was begun last in a session is over.
sub sdc_over
{
	my ($session) = @_;

	return "NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $session->{sdc_pid} AND (state = 'active' OR query !~ '$session->{sdc_mark}'))";
}

# sdc_hold has calls wait at their test points for a session, until sdc_release lets them go on.
sub sdc_hold
{
	my ($watch) = @_;

	sdc_query($watch, "SELECT FROM pg_advisory_lock($lock)");
	return;
}

sub sdc_release
{
	my ($watch) = @_;

	sdc_query($watch, "SELECT FROM pg_advisory_unlock($lock)");
	return;
}

# sdc_parked waits, through another session, until the statement that was begun in a session waits at a
# test point, or is over; it returns whether it waits.
sub sdc_parked
{
	my ($watch, $session) = @_;
	my $waits = "FROM pg_locks WHERE pid = $session->{sdc_pid} AND locktype = 'advisory' AND NOT granted";

	sdc_until($watch, "EXISTS (SELECT $waits) OR " . sdc_over($session));
	return sdc_query($watch, "SELECT count(*) $waits");
}

# sdc_park begins a statement in a session and returns when it waits at its test point number
# $point in a phase, for the session $watch; it goes on after sdc_release.
sub sdc_park
{
	my ($watch, $session, $phase, $point, $sql) = @_;

	sdc_pid($session);
	sdc_start($session, "SET sdc.test_cancel_at = 0; SET sdc.test_phase = '$phase'; SET sdc.test_wait_every = $point");
	sdc_finish($session);
	sdc_hold($watch);
	sdc_start($session, $sql);
	die "the call does not come to point $point while $phase: " . sdc_finish($session) unless sdc_parked($watch, $session);
	return;
}

# sdc_wait_gone waits until a backend is gone.
sub sdc_wait_gone
{
	my ($watch, $pid) = @_;

	return sdc_until($watch, "NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $pid)");
}

# sdc_longest returns the most steps that a session's last statement ran between two looks for a
# cancel.
sub sdc_longest
{
	my ($session) = @_;

	return sdc_query($session, 'SHOW sdc.test_longest');
}

# sdc_sweep cancels a statement in a transaction at many test points of a phase: the first, and on by a
# factor until it is done before that, and then at the very last; or up to a point if there
# is one given.  After every cancel $check is called.  Returns how often it was cancelled, how many points the
# phase has if that is known, and the most steps from one point to the next.
sub sdc_sweep
{
	my ($session, $sql, %option) = @_;
	my ($phase, $factor, $most, $check) = @option{qw(phase factor most check)};
	my ($at, $cancels, $longest, $points) = (1, 0, 0, undef);

	while (!defined $most || $at <= $most)
	{
		my ($message, $seen);
		my $while = $phase eq '' ? '' : " while $phase";

		sdc_query($session, "SET sdc.test_wait_every = 0; SET sdc.test_phase = '$phase'; SET sdc.test_cancel_at = $at; BEGIN");
		sdc_start($session, $sql);
		$message = sdc_finish($session);
		sdc_query($session, 'ROLLBACK');
		$seen = sdc_query($session, 'SHOW sdc.test_points');
		$longest = sdc_longest($session) if sdc_longest($session) > $longest;
		if ($seen >= $at)
		{
			like($message, qr/canceling statement due to user request/, "$sql: it is cancelled at point $at$while");
			$check->("cancelled at point $at$while: $sql");
			$cancels++;
			last if defined $points;
			$at *= $factor;
		}
		else
		{
			unlike($message, qr/ERROR/, "$sql: it comes to its end after $seen points$while");
			is($seen, $points, "$sql: and as many as before") if defined $points;
			last if defined $points || $seen == 0;
			$at = $points = $seen;
		}
	}
	sdc_query($session, "SET sdc.test_phase = ''; SET sdc.test_cancel_at = 0");
	return ($cancels, $points, $longest);
}

# sdc_answers looks that a cancel is answered after few steps, $factor times what a call may run from one point to the next.  Only
# a build for it counts steps; test/all says which.
sub sdc_answers
{
	my ($title, $longest, $factor) = @_;

	return unless $ENV{SDC_COUNTS};
	cmp_ok($longest, '>', 0, "$title: steps are counted");
	cmp_ok($longest, '<', $factor * $sdc_steps, "$title: a cancel is answered after $longest steps at most");
	return;
}

# sdc_swept looks at what a sweep has told, of all phases: a cancel is answered soon, and the session has no more memory than before.
sub sdc_swept
{
	my ($session, $title, $longest, $factor, $base) = @_;

	sdc_answers($title, $longest, $factor);
	cmp_ok(sdc_memory($session) - $base, '<', 1024 * 1024, "$title: no memory is left");
	return;
}

# sdc_same_in_parallel runs a query in parallel mode, and looks that it returns what it did.
sub sdc_same_in_parallel
{
	my ($node, $query, $before) = @_;
	my $forced = $node->pg_version->major >= 16 ? 'debug_parallel_query' : 'force_parallel_mode';

	is($node->safe_psql('postgres', "SET max_parallel_workers_per_gather = 2; SET $forced = on; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
		SET min_parallel_table_scan_size = 0; $query"), $before, 'the same in parallel mode');
	return;
}

# sdc_temp_files lists the temporary files of a cluster.
sub sdc_temp_files
{
	my ($node) = @_;

	return grep { -e $_ } glob($node->data_dir . '/base/pgsql_tmp/*');
}

# sdc_workers lists the parallel workers that there are, by their process numbers.
sub sdc_workers
{
	my ($watch) = @_;

	return split ' ', sdc_query($watch, q{SELECT coalesce(string_agg(pid::text, ' '), '') FROM pg_stat_activity WHERE backend_type = 'parallel worker'});
}

# sdc_begin_with_worker begins a call in a new session with settings, and waits until it has a worker.  Returns the session, its
# process, and that of the worker.  A call that was over before a worker was seen is begun again, after $again.
sub sdc_begin_with_worker
{
	my ($node, $watch, $call, $settings, $again) = @_;

	while (1)
	{
		my $session = $node->background_psql('postgres', on_error_stop => 0);
		my $pid = sdc_pid($session);

		sdc_query($session, 'SET max_parallel_maintenance_workers = 1;' . ($settings // ''));
		sdc_start($session, "SELECT count(*) FROM $call");
		sdc_until($watch, "EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'parallel worker') OR " . sdc_over($session));
		my @workers = sdc_workers($watch);
		return ($session, $pid, $workers[0]) if @workers;
		BAIL_OUT('no worker came') if sdc_finish($session) =~ /ERROR/;
		$session->quit;
		sdc_query($watch, $again) if $again;
	}
}

# sdc_end_calls has a call end in several ways: $begin begins it as sdc_begin_with_worker does, $over looks that it has left
# nothing, and $on, if there is one, that a session goes on after a cancel.
sub sdc_end_calls
{
	my ($watch, $title, $begin, $over, $on, @ways) = @_;
	my $cancelled = qr/canceling statement due to user request/;
	my %way = (
		'cancelled' => [ 'pg_cancel_backend', 1, $cancelled ],
		'worker cancelled' => [ 'pg_cancel_backend', 2, $cancelled ],
		'worker terminated' => [ 'pg_terminate_backend', 2, qr/ERROR: .*(terminat|lost connection)/s ],
		'session terminated' => [ 'pg_terminate_backend', 1 ]);

	foreach my $way (@ways ? @ways : sort keys %way)
	{
		my ($function, $process, $expected) = @{ $way{$way} };
		my @begun = $begin->();

		sdc_query($watch, "SELECT $function($begun[$process])");
		$expected ? like(sdc_finish($begun[0]), $expected, "$title, $way: this ends the call") : sdc_wait_gone($watch, $begun[1]);
		$over->("$title, $way");
		$on->($begun[0]) if $on && $way eq 'cancelled';
		eval { $begun[0]->quit };
	}
	return;
}

# sdc_kill kills a backend or a worker, ends sessions, waits until the server has started again by itself, and returns whether there
# was one to kill.  Until then the process that was killed counts as one of its own.  A client that the server refuses may be
# gone before it is asked: then it is asked again.
sub sdc_kill
{
	my ($node, $pid, @sessions) = @_;
	my ($killed, $gone) = (kill('KILL', $pid), '');

	eval { $_->{run}->finish } foreach (@sessions);
	sleep 1 until eval { $node->psql('postgres', "SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = $pid", stdout => \$gone) == 0 && $gone eq 't' };
	return $killed;
}

# sdc_kill_worker kills the worker of a call that $begin begins with a watching session: the server starts again, and nothing is left.
sub sdc_kill_worker
{
	my ($node, $title, $begin) = @_;
	my $watch = $node->background_psql('postgres');
	my ($session, undef, $worker) = $begin->($watch);

	sdc_kill($node, $worker, $session, $watch);
	is(scalar(my @files = sdc_temp_files($node)), 0, "$title, a worker is killed: no temporary file is left");
	is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'parallel worker'}), 0, "$title, a worker is killed: nor a worker");
	return;
}

# sdc_workers_gone looks that a call has left no worker, no temporary file and no progress.  A worker that was told to end does so
# by itself.
sub sdc_workers_gone
{
	my ($node, $watch, $title) = @_;
	my $rounds = 0;

	usleep(10_000) while (sdc_workers($watch) && $rounds++ < 60_000);
	is(scalar(my @left = sdc_workers($watch)), 0, "$title: no worker is left");
	is(scalar(my @files = sdc_temp_files($node)), 0, "$title: and no temporary file");
	is(sdc_query($watch, q{SELECT count(*) FROM sdc_progress}), 0, "$title: nor is progress shown");
	return;
}

# sdc_temp_maps lists the mappings of temporary files that a backend has; the files themselves are unlinked.
sub sdc_temp_maps
{
	my ($pid) = @_;

	return grep { /pgsql_tmp/ } split /^/m, slurp_proc($pid, 'maps') // '';
}

# sdc_private returns the private memory of a process in kB: without shared buffers, and without mapped files, whose
# pages the system may write and drop whenever others need the room.
sub sdc_private
{
	my ($pid) = @_;
	my ($kb) = (slurp_proc($pid, 'status') // '') =~ /^RssAnon:\s+(\d+) kB/m;

	return $kb;
}

# sdc_private_peak runs a statement in a session, which may fail, and returns what it said, and by how much its private
# memory grew at most, in kB.  The system keeps no highest value of that, so a process of
# its own looks every two milliseconds; what is taken for less time than that is not seen.
sub sdc_private_peak
{
	my ($session, $sql) = @_;
	my $pid = sdc_pid($session);
	my $before = sdc_private($pid);
	my ($message, $most);

	pipe(my $end, my $ended) or die "pipe: $!";
	pipe(my $found, my $finding) or die "pipe: $!";
	my $child = fork // die "fork: $!";
	if ($child == 0)
	{
		my $select = IO::Select->new($end);
		my $highest = $before;

		close $ended;
		until ($select->can_read(0.002))
		{
			my $now = sdc_private($pid) // 0;

			$highest = $now if $now > $highest;
		}
		syswrite $finding, $highest;
		POSIX::_exit(0);
	}
	close $end;
	close $finding;
	sdc_start($session, $sql);
	$message = sdc_finish($session);
	close $ended;
	$most = <$found>;
	waitpid $child, 0;
	return ($message, $most - $before);
}

# sdc_same_within_memory makes a call with 1 and 16 MB, each in a session that has run $warm before: it never
# fails, leaves no file mapped, its private memory grows by no more than the budget, a fifth of it, and 4 MB, which are
# for what is beside the budget (batches that are fetched, buffers of temporary files, results), and it finds the same.
# Options: found, an expression of what it finds, by default how many rows and two sums of their hashes, which tell two bags
# of rows apart and need no sort; constant, in place of 4; check, called after each.
sub sdc_same_within_memory
{
	my ($node, $call, $warm, %option) = @_;
	my $found = $option{found} // q{(SELECT concat_ws(' ', count(*), sum(hashtextextended(t, 1)), sum(hashtextextended(t, 2)))
		FROM (SELECT r::text AS t FROM result AS r OFFSET 0) AS texts)};
	my $constant = $option{constant} // 4;
	my $first;

	foreach my $megabytes (1, 16)
	{
		my $session = $node->background_psql('postgres', on_error_stop => 0);

		# libraries and caches are there before
		sdc_query($session, "SET temp_buffers = '800kB'; SET jit = off; SET client_min_messages = error; $warm");
		sdc_query($session, "SET maintenance_work_mem = '${megabytes}MB'; BEGIN");
		my ($said, $grown) = sdc_private_peak($session, "CREATE TEMPORARY TABLE result AS SELECT r.* FROM $call AS r");
		unlike($said, qr/ERROR/, "$call: it works with $megabytes MB");
		cmp_ok($grown, '<', 1024 * (1.2 * $megabytes + $constant), "$call: it takes no more than 1.2 times that and $constant MB ($grown kB)");
		is(scalar(sdc_temp_maps(sdc_pid($session))), 0, "$call: no file stays mapped");
		my $sum = sdc_query($session, "SELECT $found");
		$first //= $sum;
		is($sum, $first, "$call: and finds what it finds with 1 MB");
		sdc_query($session, 'ROLLBACK');
		$option{check}->($session, $megabytes) if $option{check};
		$session->quit;
	}
	return;
}

# slurp_proc reads a file below /proc, or returns undef where there is none.
sub slurp_proc
{
	my ($pid, $name) = @_;

	open my $file, '<', "/proc/$pid/$name" or return;
	local $/ = undef;
	my $text = <$file>;
	close $file;
	return $text;
}

1;

# 006_privilege_seed.pl
#		A seed undoes a release: it must not be found anywhere.
#
# The seeds reach the server by COPY into a temporary table and are read from there, so no
# statement of the client contains one.  Then every setting that makes the server talk
# can be on, and still neither its log nor its files nor any answer may contain a seed.

use strict;
use warnings;

use File::Find;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $text = 'Zebra-7c1f-Quagga';
my $number = 7318265049127;
my $pattern = qr/\Q$text\E|$number/;

my $node = sdc_node('main', conf => q{
	log_min_messages = debug5
	log_min_error_statement = debug5
	log_error_verbosity = verbose
	log_statement = all
	log_duration = on
	log_parser_stats = on
	debug_print_parse = on
	debug_print_rewritten = on
	debug_print_plan = on
	track_activities = on
	track_activity_query_size = 64kB
});
$node->safe_psql('postgres', q{
	CREATE ROLE reader LOGIN;
	CREATE TABLE people (id int PRIMARY KEY, age int, income float8, note text);
	INSERT INTO people SELECT i, i % 50, i * 10, 'note ' || i FROM generate_series(1, 2000) AS i;
	GRANT SELECT ON people TO reader;
	CREATE FUNCTION fails(id int) RETURNS boolean LANGUAGE plpgsql AS
		$$ BEGIN IF id = 1500 THEN RAISE 'it fails'; END IF; RETURN true; END $$;
	CREATE VIEW broken AS SELECT * FROM people WHERE fails(id);
	CREATE FUNCTION event() RETURNS event_trigger LANGUAGE plpgsql AS
		$$ BEGIN RAISE LOG 'event trigger: %', current_query(); END $$;
	CREATE EVENT TRIGGER event ON ddl_command_end EXECUTE FUNCTION event();
});

my $session = $node->background_psql('postgres', on_error_stop => 0);
my $pid = sdc_pid($session);
my $watch = $node->background_psql('postgres');
my $answers = '';

# asked runs a statement and keeps what comes back.
sub asked
{
	my ($sql) = @_;

	sdc_start($session, $sql);
	$answers .= sdc_finish($session);
	return;
}

sdc_query($session, 'CREATE TEMP TABLE secret (t text, n bigint)');
$session->{stdin} .= "COPY secret FROM STDIN;\n$text\t$number\n\\.\n";
is(sdc_query($session, 'SELECT count(*) FROM secret'), 1, 'the seeds are in the server');

my $t = q{seed => (SELECT t FROM secret)};
my $n = q{seed => (SELECT n FROM secret)};
asked('SET client_min_messages = debug5');

# what works
asked(qq{SELECT * FROM sdc_rankswap('people', p => 5, $t)});
asked(qq{SELECT * FROM sdc_rankswap('people', p => 5, $n, replace => true)});
asked(qq{SELECT * FROM sdc_rankswap('people'::regclass, p => 5, $n, omit => '{note}', replace => true)});
asked(qq{SELECT * FROM sdc_rankswap_distribution('people', p => 5, $t)});
asked(qq{SELECT * FROM sdc_rankswap_buckets('people', buckets => 20, $n, columns => '{age,note}')});
asked(qq{SELECT count(*) FROM sdc_rankswap(NULL::people, p => 5, $t)});
asked(qq{CREATE TABLE copy AS SELECT * FROM sdc_rankswap(NULL::people, p => 5, $t)});
asked(qq{SELECT count(sdc_rankswap_over) FROM (SELECT sdc_rankswap_over(income, 5, (SELECT t
	FROM secret)) OVER (ORDER BY income) FROM people) AS r});
asked(qq{EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM sdc_rankswap('people', p => 5, $n, target => 'explained')});

# what fails, before and while it reads, protects and writes
asked(qq{SELECT * FROM sdc_rankswap('people', p => 5, $t)});
asked(qq{SELECT * FROM sdc_rankswap('people', p => 0, $t)});
asked(qq{SELECT * FROM sdc_rankswap('nobody', p => 5, $t)});
asked(qq{SELECT * FROM sdc_rankswap('people', p => 5, columns => '{nothing}', $n)});
asked(qq{SELECT * FROM sdc_rankswap('people', p => 5, target => 'a.b.c.d', $t)});
asked(q{SELECT * FROM sdc_rankswap('people', p => 5, target => 'x', seed => (SELECT n::numeric FROM secret))});
asked(q{SELECT * FROM sdc_rankswap('people', p => 5, target => 'x', seed => (SELECT n::float8 FROM secret))});
asked(q{SELECT * FROM sdc_rankswap('people', p => 5, target => 'x', seed => (SELECT ARRAY[t] FROM secret))});
asked(q{SELECT * FROM sdc_rankswap('people', p => 5, target => 'x', seed => (SELECT secret FROM secret))});
asked(qq{SELECT * FROM sdc_rankswap('broken', p => 5, key => '{id}', target => 'x', $t)});
asked(qq{SELECT * FROM sdc_rankswap('people', p => 5, key => '{age}', target => 'x', $t)});
asked(qq{SELECT * FROM sdc_rankswap_buckets('people', buckets => 5000, target => 'x', $t)});
asked(qq{BEGIN READ ONLY; SELECT * FROM sdc_rankswap('people', p => 5, target => 'x', $t); ROLLBACK});
asked('GRANT SELECT ON secret TO reader');
asked('SET ROLE reader');
asked(qq{SELECT * FROM sdc_rankswap('people', p => 5, $t, target => 'x')});
asked(qq{SELECT * FROM sdc_rankswap('people', p => 5, $t, replace => true)});
asked('RESET ROLE');

# while it protects: it tells the log of its memory, and is cancelled
my $quiet = -s $node->logfile;
sdc_park($watch, $session, 'protecting', 2, qq{SELECT * FROM sdc_rankswap('people', p => 5, target => 'x', $t)});
sdc_query($watch, "SELECT pg_log_backend_memory_contexts($pid)");
sdc_query($watch, 'SELECT pg_sleep(0.01)') until substr(slurp_file($node->logfile), $quiet) =~ /logging memory contexts of PID $pid.*Grand total:/s;
sdc_query($watch, "SELECT pg_cancel_backend($pid)");
my $cancelled = sdc_finish($session);
sdc_release($watch);
like($cancelled, qr/canceling statement due to user request/, 'a call is cancelled');
$answers .= $cancelled;

my $failed = () = $answers =~ /^psql:<stdin>:\d+: ERROR:/mg;
cmp_ok($failed, '>=', 15, "calls fail ($failed of them)");
like($answers, qr/DEBUG:/, 'the client hears everything');
unlike($answers, $pattern, 'no answer to the client contains a seed');

my $told = '';
foreach my $view ('sdc_releases', 'sdc_private.sdc_release_catalog', 'sdc_private.sdc_temporary_catalog', 'sdc_attributes', 'sdc_progress', 'pg_stat_activity',
	'pg_cursors', 'pg_prepared_statements', 'pg_description')
{
	$told .= sdc_query($watch, "TABLE $view");
}
like($told, qr/people_rankswap_buckets/, 'the views tell of the releases');
like($told, qr/\|t\|/, 'and whether they had a seed');
unlike($told, $pattern, 'no view contains a seed');

sdc_query($watch, 'CHECKPOINT');
$session->quit;
$watch->quit;
$node->command_ok([ 'pg_dumpall', '-f', "$PostgreSQL::Test::Utils::tmp_check/all.sql" ], 'pg_dumpall');
unlike(slurp_file("$PostgreSQL::Test::Utils::tmp_check/all.sql"), $pattern, 'no dump contains a seed');
$node->stop;

# The log, and every file of the cluster: heaps, WAL, statistics, what is left of
# temporary files.  (Those of temporary tables, such as ours, are gone with the session.)
my $log = slurp_file($node->logfile);
like($log, qr/DEBUG:.*StartTransaction/, 'the log tells everything');
like($log, qr/CREATE TABLE public\.people_rankswap/, 'down to the statements that sdc runs');
unlike($log, $pattern, 'the log does not contain a seed');

my @found;
my $bytes = 0;
find(sub {
		return unless -f $_;
		open my $file, '<:raw', $_ or return;
		local $/ = undef;
		my $content = <$file>;
		$bytes += length $content;
		push @found, $File::Find::name if $content =~ $pattern || $content =~ /\Q@{[ pack 'q', $number ]}\E/;
	}, $node->data_dir);
cmp_ok($bytes, '>', 20_000_000, 'the files of the cluster are looked at');
is("@found", '', 'no file contains a seed');

# Seeds in the statements themselves: then the log has what the client wrote when statements
# are logged; with log_statement = ddl, and none, it has nothing of them.
$node->append_conf('postgresql.conf', q{
	log_statement = ddl
	log_min_error_statement = panic
	log_duration = off
	debug_print_parse = off
	debug_print_rewritten = off
	debug_print_plan = off
	log_parser_stats = off
});
my $before = -s $node->logfile;
$node->start;
$node->safe_psql('postgres', 'DROP EVENT TRIGGER event');
$node->safe_psql('postgres', qq{SELECT * FROM sdc_rankswap('people', p => 5, target => 'a', seed => '$text');
	SELECT * FROM sdc_rankswap('people', p => 5, target => 'a', seed => $number, replace => true)});
$node->psql('postgres', qq{SELECT * FROM sdc_rankswap('people', p => 0, target => 'b', seed => '$text')});
$node->psql('postgres', qq{SELECT * FROM sdc_rankswap('broken', p => 5, key => '{id}', target => 'b', seed => $number)});
$node->stop;
my $later = substr(slurp_file($node->logfile), $before);
like($later, qr/statement: DROP EVENT TRIGGER/, 'log_statement = ddl logs DDL');
like($later, qr/ERROR:.*it fails/, 'and errors');
unlike($later, $pattern, 'a seed in a statement does not get into the log by sdc');

done_testing();

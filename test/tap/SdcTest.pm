# SdcTest.pm
#		What the TAP tests of sdc share.

package SdcTest;

use strict;
use warnings;

use Exporter 'import';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time usleep);

our @EXPORT = qw(sdc_node sdc_large_table sdc_start sdc_finish sdc_query sdc_wait_phase
  sdc_collation sdc_temp_files slurp_proc time usleep);

# sdc_node starts a cluster with the extension in database postgres.  Options: init, a
# list of initdb's; conf, lines of postgresql.conf.
sub sdc_node
{
	my ($name, %option) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init(extra => $option{init} // [ '--encoding=UTF8', '--locale=C.UTF-8' ]);
	$node->append_conf('postgresql.conf', "autovacuum = off\n" . ($option{conf} // ''));
	$node->start;
	$node->safe_psql('postgres', 'CREATE EXTENSION sdc');
	return $node;
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

# sdc_large_table makes a table that takes seconds to protect: some numbers, and texts
# that are alike up to their end.
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

	$statements++;
	$session->{stdin} .= "$sql;\n\\echo finished $statements\n\\warn finished $statements\n";
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

# sdc_wait_phase waits in SQL, through another session, until a backend is in a phase.
sub sdc_wait_phase
{
	my ($session, $pid, $phase) = @_;

	sdc_query(
		$session, qq{DO \$\$
		BEGIN
			FOR i IN 1 .. 600000 LOOP
				PERFORM pg_stat_clear_snapshot();
				EXIT WHEN EXISTS (SELECT FROM sdc_progress WHERE pid = $pid AND phase = '$phase');
				IF i % 100 = 0 THEN
					PERFORM pg_sleep(0.001);
				END IF;
			END LOOP;
		END
		\$\$});
	return;
}

# sdc_temp_files lists the temporary files of a cluster.
sub sdc_temp_files
{
	my ($node) = @_;

	return grep { -e $_ } glob($node->data_dir . '/base/pgsql_tmp/*');
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

# 018_hostile_published.pl
#		Faults of the same kind that were published of PostgreSQL Anonymizer, by their CVE.
#
# Each is translated to what is nearest to it here: labels, names, parameters, conditions, types,
# members, secrets.  That of the schema in which an extension is created, CVE-2026-2360, is
# in 016_hostile_installer.pl.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;
use Hostile;
use HostileCalls;

my $node = hostile_node('main');

# run_as_superuser is hostile_try of the superuser.
sub run_as_superuser
{
	my ($title, $states, $exceptions, $calls, %option) = @_;

	return hostile_try($node, 'postgres', $calls, $title, $states, $exceptions, %option);
}

# CVE-2024-2338: an expression in a security label became part of a statement.  Here a label is one of four
# words, and never becomes SQL.
my $title = 'CVE-2024-2338, code in a label';
hostile_as($node, 'mallory', hostile_table('m.t'));
my @labels = ('sensitive, m.strike(\'label\')', 'MASKED WITH FUNCTION m.strike(\'label\')', 'identifier"; SELECT m.strike(\'label\'); --',
	'public\') UNION SELECT m.strike(\'label\') --', 'Sensitive', ' public', '');
foreach my $label (@labels)
{
	(my $quoted = $label) =~ s/'/''/g;
	foreach my $statement ("SECURITY LABEL FOR sdc ON COLUMN m.t.job IS '$quoted'", "SELECT sdc_classify('m.t', 'job', '$quoted')")
	{
		my ($status) = $node->psql('postgres', "SELECT sdc_version(); $statement", extra_params => [ '-U', 'mallory' ]);
		isnt($status, 0, "$title: $statement is refused");
	}
}
foreach my $object ('TABLE m.t', 'SCHEMA m', 'FUNCTION m.strike', 'ROLE mallory')
{
	my ($status) = $node->psql('postgres', "SELECT sdc_version(); SECURITY LABEL FOR sdc ON $object IS 'public'", extra_params => [ '-U', 'mallory' ]);
	isnt($status, 0, "$title: no label on $object");
}
is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_seclabels WHERE provider = 'sdc'}), '0', "$title: there is none");
run_as_superuser($title, '00000', {}, [ [ 'rankswap', q{SELECT count(*) FROM sdc_rankswap('m.t', p => 5, seed => 1, target => 'postgres.made')} ],
	[ 'attributes', 'SELECT * FROM sdc_attributes' ] ]);
$node->safe_psql('postgres', 'DROP TABLE postgres.made');

# CVE-2024-2339: a table's owner put a function of his into the rules, and a privileged user who protected or dumped
# the table ran it.  CVE-2026-83534: the same by the parallel form.  Here: the superuser replaces a release every night.
foreach my $parallel (0, 1)
{
	my $title = $parallel ? 'CVE-2026-83534, the same in parallel' : 'CVE-2024-2339, the code of a table that is protected';
	my $settings = $parallel ? q{SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
		SET force_parallel_mode = on; SET max_parallel_workers_per_gather = 2;} : '';

	$settings =~ s/force_parallel_mode/debug_parallel_query/ if $node->pg_version >= 16;
	hostile_calm($node);
	hostile_as($node, 'mallory', hostile_table('m.t') . hostile_releases('m.t', 'm.r') . q{
		ALTER FUNCTION m.evil(text, int) PARALLEL SAFE; ALTER FUNCTION m.strike(text) PARALLEL SAFE;
		CREATE INDEX ON m.t ((x + m.evil('index', 1)));
		CREATE INDEX ON m.r ((income + m.evil('index of the release', 1)));
		CREATE STATISTICS m.st ON (income + m.evil('statistics of the release', 1)), age FROM m.r;
		ALTER TABLE m.t ADD gen int GENERATED ALWAYS AS (x + m.evil('generated', 1)) STORED;
		ALTER TABLE m.t ALTER job SET DEFAULT m.lower('x');
		CREATE TRIGGER now BEFORE INSERT OR DELETE OR TRUNCATE ON m.r FOR EACH STATEMENT EXECUTE FUNCTION m.evil_trigger()});
	hostile_bait($node, 'SELECT count(*) FROM m.t WHERE x = 1', $title);
	# (what the attacker's code raises in a worker is her own affair)
	run_as_superuser($title, $parallel ? '00000|42501|55000|25000' : '00000|42501|55000', {}, [
			(map { [ "$_->[0], $_->[1]", "SELECT count(*) FROM $_->[0]('$_->[1]', $_->[2] key => '{id}', target => 'm.r', replace => true)" ] }
				[ 'sdc_rankswap', 'm.t', q{p => 5, columns => '{age,income}', seed => 1,} ], [ 'sdc_randomize', 'm.t', q{'{region,job}', seed => 1,} ],
				[ 'sdc_permute', 'm.t', q{'{age,region}', '{job}', l => 2, seed => 1,} ], [ 'sdc_generalize', 'm.t', q{'{age,region}', k => 3,} ]),
			[ 'rows', q{SELECT count(*) FROM sdc_rankswap(NULL::m.t, p => 5, columns => '{age,income}', key => '{id}', seed => 1)} ] ],
		settings => $settings);
	$node->command_ok([ 'pg_dump', '-f', "$PostgreSQL::Test::Utils::tmp_check/dump.sql", 'postgres' ], "$title: dumped");
	is(hostile_harm($node), '', "$title: a dump runs nothing");
}

# CVE-2026-2361: a temporary view of somebody's session, with a function, is named to a function of the extension.
$title = 'CVE-2026-2361, a temporary view';
hostile_calm($node);
hostile_as($node, 'mallory', hostile_table('m.t'));
my $session = $node->background_psql('postgres', extra_params => [ '-U', 'mallory' ]);
sdc_query($session, q{SET client_min_messages = error;
	CREATE TEMP VIEW v AS SELECT id, m.evil_volatile('temporary view', age) AS age, income, region, job, x FROM m.t; GRANT SELECT ON v TO PUBLIC;
	CREATE TEMP TABLE t AS SELECT * FROM m.t; GRANT SELECT ON t TO PUBLIC;
	SELECT count(*) FROM sdc_rankswap('t', p => 5, key => '{id}', columns => '{age}', target => 'pg_temp.r', seed => 1);
	CREATE INDEX ON t ((x + m.evil('index of a temporary table', 1)));
	CREATE INDEX ON r ((income + m.evil('index of a temporary release', 1)))});
my ($view, $table, $release) = split /\|/, sdc_query($session, q{SELECT 'v'::regclass::oid, 't'::regclass::oid, 'r'::regclass::oid});
hostile_bait($node, "DO \$\$ BEGIN EXECUTE 'SELECT max(age) FROM ' || $view\:\:regclass; END \$\$", $title);
run_as_superuser($title, '00000|42501|0A000|55000', {}, [
	[ 'of the view', "SELECT count(*) FROM sdc_kanonymity($view\:\:regclass, '{region}')" ],
	[ 'of the table', "SELECT count(*) FROM sdc_kanonymity($table\:\:regclass, '{region}')" ],
	[ 'of the release', "SELECT count(*) FROM sdc_score($release\:\:regclass)" ],
	[ 'scores', 'SELECT count(*) FROM sdc_scores' ], [ 'releases', 'SELECT count(*) FROM sdc_releases' ] ]);
$session->quit;

# CVE-2026-9617: code in the name of a column, run by the measure of k-anonymity.  Here by all functions, and
# in the names of tables, schemas and keys too.
$title = 'CVE-2026-9617, code in names';
my @names = ('x"; SELECT m.strike(\'name\'); --', 'x\'); SELECT m.strike(\'name\'); --', 'x) FROM m.t; SELECT m.strike(\'name\'); --',
	'$1', '%s', '%1$I', '{a,b}', 'a,b', '\\', 'count(*)', '(m.strike(\'name\'))', 'OPERATOR(m.=)', '" "', '--', '/*');
hostile_calm($node);
my $trap = 'mallory"; SELECT m.strike(\'schema\'); --';
foreach my $name (@names)
{
	my $id = sub { '"' . ($_[0] =~ s/"/""/gr) . '"' };
	my $literal = sub { "'" . ($_[0] =~ s/'/''/gr) . "'" };
	my ($n, $key, $schema) = ($id->($name), $id->("key $name"), $id->($trap));
	my ($array, $keys) = ("ARRAY[" . $literal->($name) . "]::name[]", "ARRAY[" . $literal->("key $name") . "]::name[]");
	my ($one) = ($literal->($name));
	my $table = "$schema.$n";
	my $made = 'postgres.' . $id->("made $name");
	my ($t, $m) = ($literal->($table), $literal->($made));

	$node->safe_psql('postgres', qq{SET client_min_messages = error; CREATE SCHEMA IF NOT EXISTS $schema AUTHORIZATION mallory;
		DROP TABLE IF EXISTS $table});
	hostile_as($node, 'mallory', qq{
		CREATE TABLE $table ($key int PRIMARY KEY, $n int, s text COLLATE "C", other int);
		INSERT INTO $table SELECT i, i * 17 % 41, 's ' || i % 4, i * i % 29 FROM generate_series(1, 40) AS i});
	run_as_superuser("$title: $name", '00000', { map { $_ => '00000|42501' } ('condition', 'aggregate', 'estimate') }, [
		[ 'kanonymity', "SELECT count(*) FROM sdc_kanonymity($t, $array)" ],
		[ 'ldiversity', "SELECT count(*) FROM sdc_ldiversity($t, $array, '{s}')" ],
		[ 'chi_square', "SELECT count(*) FROM sdc_chi_square($t, $array || 's'::name)" ],
		[ 'itemsets', "SELECT count(itemset) FROM sdc_frequent_itemsets($t, $array || 's'::name, 0.01)" ],
		[ 'associations', "SELECT count(*) FROM sdc_associations($t, $array, '{s}', 0.01, 0.01)" ],
		[ 'support', "SELECT count(*) FROM sdc_support_bias($t, $array || 's'::name, jsonb_build_object($one, '17', 's', 's 1'))" ],
		[ 'rankswap', "SELECT count(*) FROM sdc_rankswap($t, p => 5, columns => $array || 'other'::name, key => $keys, target => $m, seed => 1)" ],
		[ 'score', "SELECT count(*) FROM sdc_score($m)" ], [ 'links', "SELECT count(*) FROM sdc_link_distance($m)" ],
		[ 'condition', "SELECT count(*) FROM sdc_compare($m, condition => " . $literal->("$n > 3") . ')' ],
		[ 'aggregate', "SELECT count(*) FROM sdc_compare($m, " . $literal->("sum($n)") . ", by => $array)" ],
		[ 'estimate', "SELECT count(*) FROM sdc_estimate($t, $array || 'other'::name, draws => 1, by => $array, strata => '{s}')" ],
		[ 'verified', "SELECT count(*) FROM sdc_verify_record($t, jsonb_build_object($one, 17))" ],
		[ 'uniques', "SELECT count(record) FROM sdc_minimal_uniques($t, $array || 'other'::name, key => $keys)" ],
		[ 'population', "SELECT count(*) FROM sdc_attacker_risk($m, $array, $t)" ],
		[ 'groups', "SELECT count(*) FROM sdc_group_privacy($t, $array, '{s}')" ],
		[ 'people', "SELECT count(*) FROM sdc_people_found($m)" ], [ 'candidates', "SELECT count(record) FROM sdc_link_release($m)" ],
		[ 'cells', "SELECT count(cell) FROM sdc_cell_errors($m, $array, 'other')" ],
		[ 'regression', "SELECT count(*) FROM sdc_regression_errors($m, 'other', $array)" ],
		[ 'statistics', "SELECT count(*) FROM sdc_statistic_errors($m)" ], [ 'summary', "SELECT count(*) FROM sdc_summary($m)" ],
		[ 'distances', "SELECT count(record) FROM sdc_permutation_distance($m)" ],
		[ 'query errors', "SELECT count(*) FROM sdc_query_errors($m, 10, 1, $array, '{s}')" ],
		[ 'scores', 'SELECT count(*) FROM sdc_scores' ],
		[ 'strata', "SELECT count(*) FROM sdc_rankswap($t, p => 5, columns => '{other}', strata => $array, key => $keys, target => $m, seed => 1, replace => true)" ],
		[ 'generalize', "SELECT count(*) FROM sdc_generalize($t, $array, k => 3, key => $keys, target => $m, replace => true)" ],
		[ 'randomize', "SELECT count(*) FROM sdc_randomize($t, $array || 's'::name, key => $keys, target => $m, seed => 1, replace => true)" ],
		[ 'swap', "SELECT count(*) FROM sdc_equidepth_swap($t, depth => 5, columns => $array || 'other'::name, key => $keys, target => $m, seed => 1, replace => true)" ],
		[ 'protect', "SELECT count(*) FROM sdc_protect($t, jsonb_build_array(jsonb_build_object('method', 'rankswap', 'p', 5, 'columns', $array)),
			key => $keys, target => $m, seed => 1, replace => true)" ],
		[ 'permute', "SELECT count(*) FROM sdc_permute($t, $array, '{s}', l => 2, key => $keys, target => $m, seed => 1, replace => true)" ] ]);
	$node->safe_psql('postgres', "SET client_min_messages = error; DROP TABLE $made CASCADE");
}
$node->safe_psql('postgres', 'SET client_min_messages = error; DROP SCHEMA "' . ($trap =~ s/"/""/gr) . '" CASCADE');

# CVE-2026-19633: expressions that are looked at as harmless, but for their operators, casts to domains and subqueries.
# Here: a value of a combination becomes one of the column's type; a condition is an expression.
$title = 'CVE-2026-19633, types, operators and subqueries';
hostile_calm($node);
hostile_as($node, 'mallory', q{CREATE DOMAIN m.years AS int} . ';' . hostile_table('m.t') . q{
	ALTER TABLE m.t ALTER age TYPE m.years} . ';' . hostile_releases('m.t', 'm.r') . q{
	CREATE FUNCTION m.more(m.years, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
		$$ BEGIN PERFORM m.strike('operator'); RETURN true; END $$;
	CREATE OPERATOR m.> (LEFTARG = m.years, RIGHTARG = int, FUNCTION = m.more);
	CREATE VIEW m.v AS SELECT * FROM m.t WHERE EXISTS (SELECT m.evil_volatile('subquery', 1)); GRANT SELECT ON m.v TO PUBLIC;
	ALTER DOMAIN m.years ADD CHECK (m.evil_volatile('domain', VALUE) = VALUE)});
hostile_bait($node, 'SELECT 1::m.years', $title);
foreach my $settings ('', 'SET search_path = m, public;')
{
	run_as_superuser("$title, $settings", '00000|42501|42704|42883|42P01|22P02|22023', {}, [
			[ 'combination', q{SELECT count(*) FROM sdc_support_bias('m.t', '{region,age}', '{"region": "region 1", "age": "37"}')} ],
			[ 'number', q{SELECT count(*) FROM sdc_support_bias('m.t', '{age}', '{"age": 37}')} ],
			[ 'not there', q{SELECT count(*) FROM sdc_support_bias('m.t', '{age}', '{"age": 1000}')} ],
			[ 'condition', q{SELECT count(*) FROM sdc_compare('m.r', condition => 'age > 30')} ],
			[ 'compared', q{SELECT count(*) FROM sdc_compare('m.r', condition => 'age IN (30, 31) OR age BETWEEN 1 AND 5')} ],
			[ 'view', q{SELECT count(*) FROM sdc_kanonymity('m.v', '{region}')} ],
			[ 'copied', q{SELECT count(*) FROM sdc_rankswap('m.t', p => 5, key => '{id}', columns => '{age,income}', target => 'postgres.made', seed => 1)} ] ],
		settings => $settings, between => 'DROP TABLE IF EXISTS postgres.made');
}

# CVE-2026-19634: a document of JSON with hostile names, given to a privileged user to import.
$title = 'CVE-2026-19634, code in JSON';
hostile_calm($node);
hostile_as($node, 'mallory', hostile_table('m.t') . 'CREATE TABLE m.r AS SELECT * FROM m.t; GRANT SELECT ON m.r TO PUBLIC');
my $json = q{{"x\"; SELECT m.strike(''json''); --": "''); SELECT m.strike(''json''); --", "p": "$(touch marker)", "probabilities": ["m.strike(''json'')"],
	"draws": {"m.strike(''json'')": 1}, "widths": "1; SELECT m.strike(''json'')"}};
run_as_superuser($title, '00000|42703|22023|22P02|22000|55000', { 'register' => '00000', 'releases' => '00000' }, [
	[ 'register', "SELECT sdc_register('m.t', 'm.r', '{age}', '{id}', 'x''); SELECT m.strike(''method''); --', '$json')" ],
	[ 'releases', q{SELECT release, source, method, parameters FROM sdc_releases} ], [ 'scores', 'SELECT count(*) FROM sdc_scores' ],
	[ 'bias', q{SELECT * FROM sdc_correlation_bias('m.r')} ], [ 'inference', q{SELECT * FROM sdc_inference_risk('m.r')} ],
	[ 'link', q{SELECT count(*) FROM sdc_link_rankswap('m.r')} ],
	[ 'combination', "SELECT * FROM sdc_support_bias('m.t', '{region}', '$json')" ],
	[ 'value', q{SELECT * FROM sdc_support_bias('m.t', '{region}', '{"region": "x''); SELECT m.strike(''json''); --"}')} ],
	[ 'nested', q{SELECT * FROM sdc_support_bias('m.t', '{region}', '{"region": {"a": ["m.strike(1)"]}}')} ] ],
	settings => 'SET sdc.trusted_owners = mallory;');
is($node->safe_psql('postgres', q{SELECT parameters->>'widths' FROM sdc_releases WHERE release = 'm.r'::regclass}), q{1; SELECT m.strike('json')},
	"$title: the parameters are what was given");

# CVE-2026-105614: a small input declared enormous sizes, and the memory of the server went.  Here: states of aggregates.
$title = 'CVE-2026-105614, sizes that are declared';
my $entropy = $node->safe_psql('postgres', q{SELECT encode(sdc_entropy_state(i), 'hex') FROM generate_series(1, 3) AS i});
my $loss = $node->safe_psql('postgres', q{SELECT encode(sdc_information_loss_state(ARRAY[i, 2.0], ARRAY[i + 1, 2.5]), 'hex') FROM generate_series(1, 3) AS i});
my @calls;
foreach my $state ([ 'sdc_entropy_merge', $entropy ], [ 'sdc_information_loss_merge', $loss ])
{
	foreach my $place (0 .. 15)
	{
		(my $large = $state->[1]) =~ s/^(.{@{[ 8 * $place ]}}).{8}/$1ffffff7f/;
		push @calls, [ "$state->[0], word $place", "SELECT $state->[0](decode('$large', 'hex'))" ];
	}
	push @calls, [ "$state->[0], $_", "SELECT $state->[0](decode(substr('$state->[1]', 1, $_), 'hex'))" ] foreach (0, 2, 8, 16, 40);
}
run_as_superuser($title, '(?!XX|58|57)\w{5}', {}, \@calls);
# and a small table with more combinations than can be listed (the time only ends a test that fails)
$node->safe_psql('postgres', 'CREATE TABLE postgres.wide AS SELECT ' . join(', ', map { "i % 2 AS c$_" } 1 .. 40) . ' FROM generate_series(1, 4) AS i');
run_as_superuser("$title, itemsets", '54000', {}, [ [ 'itemsets', q{SELECT count(*) FROM sdc_frequent_itemsets('postgres.wide', min_support => 0.0001)} ] ],
	settings => q{SET statement_timeout = '60s';});

# CVE-2026-105616: a secret that every role can read, as it was a setting.
$title = 'CVE-2026-105616, secrets';
is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_settings WHERE name ~ '^sdc\.' AND name ~ 'secret|salt|seed|key'}), '0',
	"$title: no setting is one");
is($node->safe_psql('postgres', 'SELECT octet_length(secret) || (SELECT \' \' || count(*) FROM sdc_private.sdc_secret) FROM sdc_private.sdc_secret'), '32 1',
	"$title: there is one of 32 bytes");
foreach my $role ('mallory', 'reader', 'boss')
{
	my ($status, undef, $error) = $node->psql('postgres', 'SELECT * FROM sdc_private.sdc_secret', extra_params => [ '-U', $role ]);
	like($error, qr/permission denied/, "$title: $role cannot read it");
}
my $secret = $node->safe_psql('postgres', q{SELECT encode(secret, 'hex') FROM sdc_private.sdc_secret});
$node->command_ok([ 'pg_dumpall', '-f', "$PostgreSQL::Test::Utils::tmp_check/all.sql" ], "$title: pg_dumpall");
unlike(slurp_file("$PostgreSQL::Test::Utils::tmp_check/all.sql"), qr/\Q$secret/, "$title: a dump does not have it");
$node->safe_psql('postgres', 'CREATE DATABASE another');
$node->safe_psql('another', 'CREATE EXTENSION sdc');
isnt($node->safe_psql('another', q{SELECT encode(secret, 'hex') FROM sdc_private.sdc_secret}), $secret, "$title: another database has another");

# CVE-2026-105618: rules of a partitioned table and its members did not hold through each other.  Here: a column that is
# classified as identifier is in no release.
$title = 'CVE-2026-105618, the columns of members';
hostile_as($node, 'bob', q{
	CREATE TABLE bob.p (id int PRIMARY KEY, name text COLLATE "C", age int) PARTITION BY RANGE (id);
	CREATE TABLE bob.p_1 PARTITION OF bob.p FOR VALUES FROM (1) TO (41);
	INSERT INTO bob.p SELECT i, 'name ' || i, i * 17 % 41 FROM generate_series(1, 40) AS i;
	SELECT sdc_classify('bob.p', 'name', 'identifier');
	CREATE TABLE bob.q (LIKE bob.p) PARTITION BY RANGE (id);
	CREATE TABLE bob.q_1 PARTITION OF bob.q FOR VALUES FROM (1) TO (41);
	INSERT INTO bob.q TABLE bob.p;
	SELECT sdc_classify('bob.q_1', 'name', 'identifier')});
foreach my $case ([ 'bob.p', 'classified itself' ], [ 'bob.p_1', 'its parent is classified' ], [ 'bob.q_1', 'classified itself' ], [ 'bob.q', 'its partition is classified' ])
{
	my $released = hostile_as($node, 'bob', qq{SET client_min_messages = error;
		SELECT action FROM sdc_rankswap('$case->[0]', p => 5, key => '{id}', columns => '{age}', target => 'bob.out', seed => 1) WHERE attribute = 'name'});
	is($released, 'omitted', "$title: $case->[0], $case->[1]");
	hostile_as($node, 'bob', 'DROP TABLE bob.out');
}

$node->stop;
done_testing();

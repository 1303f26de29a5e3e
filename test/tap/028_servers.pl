# 028_servers.pl
#		Tables whose records are on several servers: partitions of postgres_fdw, and Citus where it is installed.
#
# Three databases of one cluster are three servers.  What is expected is what an ordinary table with the same records
# gives, row for row and to the last bit.  What other servers were asked is in the log of the cluster.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $node = sdc_node('main', conf => "log_statement = all\n");
my $ask = sub { return $node->safe_psql('postgres', "SET client_min_messages = error; $_[0]") };
my @server = ('north', 'east', 'south');

plan skip_all => 'postgres_fdw is not installed'
  if $ask->(q{SELECT count(*) FROM pg_available_extensions WHERE name = 'postgres_fdw'}) eq '0';

# refused returns what a statement is refused with.
sub refused
{
	my ($sql) = @_;
	my ($out, $err);

	$node->psql('postgres', "\\set VERBOSITY verbose\n$sql", stdout => \$out, stderr => \$err);
	$err =~ s/^.*?ERROR: +//s;
	$err =~ s/\nLOCATION:.*//s;
	return $err;
}

# asked returns what the other servers were asked during a call: every statement that has a cursor.
sub asked
{
	my ($sql) = @_;
	my $before = -s $node->logfile;

	$ask->($sql);
	return slurp_file($node->logfile, $before) =~ /DECLARE c\d+ CURSOR FOR\s+(SELECT[^\n]*)/g;
}

my $columns = 'id int NOT NULL, region text COLLATE "C", sex text COLLATE "C", age int, income numeric(10,2), weight float8, job text COLLATE "C"';
my $records = q{SELECT i AS id, (ARRAY['north', 'east', 'south', 'west'])[1 + abs(hashint8(i)) % 4] AS region,
	(ARRAY['f', 'm'])[1 + abs(hashint8(i + 10000)) % 2] AS sex, 18 + abs(hashint8(i + 20000)) % 60 AS age,
	round((abs(hashint8(i + 30000)) % 100000) / 7.0, 2) AS income, abs(hashint8(i + 40000)) / 1e7 AS weight,
	CASE WHEN i % 7 > 0 THEN 'job ' || abs(hashint8(i + 50000)) % 30 END AS job FROM generate_series(1, 3000) AS i};

$ask->("CREATE EXTENSION postgres_fdw; CREATE TABLE near ($columns, PRIMARY KEY (id)); INSERT INTO near $records;
	CREATE TABLE far ($columns) PARTITION BY LIST (region); CREATE TABLE far_west PARTITION OF far FOR VALUES IN ('west');
	INSERT INTO far SELECT * FROM near WHERE region = 'west'");
foreach my $name (@server)
{
	my $options = sprintf q{OPTIONS (host '%s', port '%s', dbname '%s', use_remote_estimate 'true')}, $node->host, $node->port, $name;

	$node->safe_psql('postgres', "CREATE DATABASE $name");
	$node->safe_psql($name, "CREATE EXTENSION sdc; CREATE TABLE part ($columns); INSERT INTO part SELECT * FROM ($records) AS r WHERE region = '$name'; ANALYZE part");
	$ask->("CREATE SERVER $name FOREIGN DATA WRAPPER postgres_fdw $options; CREATE USER MAPPING FOR CURRENT_USER SERVER $name OPTIONS (user 'postgres');
		CREATE FOREIGN TABLE far_$name PARTITION OF far FOR VALUES IN ('$name') SERVER $name OPTIONS (table_name 'part')");
}
$ask->('ANALYZE near; ANALYZE far; ANALYZE far_west');
is($ask->('SELECT count(*), count(DISTINCT tableoid) FROM far'), '3000|4', 'the records are on four servers');

#
# Protection and measures
#
my %protect = (
	rankswap => q{sdc_rankswap('%s', p => 5, columns => '{age,income,weight}', omit => '{job}', key => '{id}', strata => '{sex}', seed => 1, target => '%s')},
	randomize => q{sdc_randomize('%s', qi => '{region,sex,age,job}', draws => 2, key => '{id}', seed => 1, target => '%s')},
	generalize => q{sdc_generalize('%s', qi => '{sex,age}', k => 20, key => '{id}', omit => '{region}', target => '%s')},
	permute => q{sdc_permute('%s', qi => '{sex,age}', sensitive => '{job}', l => 3, key => '{id}', omit => '{region}', seed => 1, target => '%s')});
my $same = q{SELECT count(*), count(*) FILTER (WHERE f IS DISTINCT FROM n) FROM (SELECT *, row_number() OVER (ORDER BY ctid) AS place FROM far_%1$s) AS f
	FULL JOIN (SELECT *, row_number() OVER (ORDER BY ctid) AS place FROM near_%1$s) AS n USING (id)};
foreach my $method (sort keys %protect)
{
	$ask->(sprintf "SELECT FROM $protect{$method}", $_, "${_}_$method") foreach ('near', 'far');
	is($ask->(sprintf $same, $method), '3000|0', "$method: the release is that of a table of one server, row for row, in the same order");
	is($ask->(sprintf q{SET work_mem = '64kB'; SET maintenance_work_mem = '1MB'; SELECT FROM %s; %s}, sprintf($protect{$method} =~ s/\)$/, replace => true)/r, 'far', "far_$method"),
			sprintf($same, $method)), '3000|0', "$method: and under another memory setting");
}
foreach my $measure (
	q{SELECT * FROM sdc_score('%s_rankswap', sample => 200, seed => 1)}, q{SELECT * FROM sdc_record_risk('%s_rankswap', sample => 200, seed => 1)},
	q{SELECT * FROM sdc_people_found('%s_rankswap', '{age,income}', sample => 200, seed => 1)}, q{SELECT * FROM sdc_statistic_errors('%s_rankswap')},
	q{SELECT * FROM sdc_query_errors('%s_randomize', 100, seed => 1)}, q{SELECT * FROM sdc_kanonymity('%s', '{region,sex}')},
	q{SELECT * FROM sdc_kanonymity('%s', '{sex,age}')}, q{SELECT * FROM sdc_ldiversity('%s', '{region,sex}', '{job}')}, q{SELECT * FROM sdc_chi_square('%s', '{region,sex,job}')},
	q{SELECT * FROM sdc_attacker_risk('%s_generalize', '{sex,age}', '%1$s')}, q{SELECT * FROM sdc_compare('%s_rankswap', 'avg(income)', by => '{sex}')},
	q{SELECT * FROM sdc_group_privacy('%s', '{region}', '{job}')})
{
	my %found = map { $_ => join("\n", sort split(/\n/, $ask->(sprintf $measure, $_))) } ('near', 'far');

	isnt($found{near}, '', sprintf("%s measures something", $measure =~ s/%(?:1\$)?s/near/gr));
	is($found{far}, $found{near}, 'and the same of several servers');
}
$ask->(q{SELECT FROM sdc_evaluate('far_rankswap', sample => 20, seed => 1)});
is($ask->(q{SELECT problem IS NULL FROM sdc_scores WHERE release = 'far_rankswap'::regclass}), 't', 'an evaluation holds as long as no server has changed');
$node->safe_psql('east', 'UPDATE part SET age = age + 1 WHERE id = (SELECT min(id) FROM part)');
like($ask->(q{SELECT problem FROM sdc_scores WHERE release = 'far_rankswap'::regclass}), qr/the source has changed/, 'and no longer');
$node->safe_psql('east', 'UPDATE part SET age = age - 1 WHERE id = (SELECT min(id) FROM part)');
is($ask->(q{SELECT problem IS NULL FROM sdc_scores WHERE release = 'far_rankswap'::regclass}), 't', 'what is mended there is the same again');

#
# Several methods, who is found in what they made, and a policy.  (The same with Citus: $tell has SQL run in the cluster.)
#
my $steps = q{'[{"method": "rankswap", "columns": ["age", "weight"], "p": 5}, {"method": "randomize", "qi": ["region", "sex"]},
	{"method": "generalize", "qi": ["income"], "k": 20}]'};
my $found = q{SELECT * FROM sdc_people_found('%s_steps', sample => 200, seed => 1)};

# compare_policies has a policy run on both tables, again without a change, and once more after one.
sub compare_policies
{
	my ($tell, $title) = @_;
	my %publication = (near => 'public.near_public', far => 'public.far_public');
	my $runs = q{SELECT string_agg(status, ' ' ORDER BY run) FROM sdc_runs WHERE policy = '%s'};

	# generalization draws nothing: both publications are the same, in an order that is drawn
	$tell->(sprintf q{SELECT sdc_policy_set('%1$s', '%1$s', '[{"method": "generalize", "qi": ["sex", "age"], "k": 20}]', '%2$s', '{id}',
		keep => '{weight,income}', omit => '{region,job}', limits => '{"k": 20}')}, $_, $publication{$_}) foreach (sort keys %publication);
	$tell->("CALL sdc_run('$_')") foreach ('near', 'far', 'near', 'far');
	is($tell->(sprintf $runs, 'far'), $tell->(sprintf $runs, 'near'), "$title: a policy runs as on an ordinary table");
	is($tell->(sprintf $runs, 'far'), 'published skipped', "$title: it publishes, and sees that nothing has changed");
	my $differ = q{SELECT (SELECT count(*) FROM far_public), count(*) FROM (SELECT * FROM far_public EXCEPT ALL SELECT * FROM near_public) AS d};
	is($tell->($differ), '3000|0', "$title: the publications have the same records");
	$tell->(qq{UPDATE $_ SET age = age + 1 WHERE id = 1; CALL sdc_run('$_')}) foreach ('near', 'far');
	is($tell->(sprintf $runs, 'far'), 'published skipped published', "$title: a change is published");
	is($tell->($differ), '3000|0', "$title: and the publications have the same records again");
	$tell->("UPDATE $_ SET age = age - 1 WHERE id = 1") foreach ('near', 'far');
	return;
}

# compare_steps compares what several methods make of both tables, and how many people are found there.
sub compare_steps
{
	my ($tell, $title) = @_;

	$tell->("SELECT FROM sdc_protect('$_', $steps, '${_}_steps', key => '{id}', omit => '{job}', seed => 1)") foreach ('near', 'far');
	is($tell->(sprintf $same, 'steps'), '3000|0', "$title: several methods make the release of an ordinary table");
	isnt($tell->(sprintf $found, 'near'), '', "$title: people are counted");
	is($tell->(sprintf $found, 'far'), $tell->(sprintf $found, 'near'), "$title: as many are found as in the release of an ordinary table");
	return;
}
compare_steps($ask, 'postgres_fdw');
compare_policies($ask, 'postgres_fdw');

#
# Without a key
#
my $no_order = qr/^22023: relation "\w+" has no primary key\nDETAIL:  The records of foreign table "far_\w+" have no physical order\.\nHINT:  Name the columns/;
like(refused(q{SELECT FROM sdc_rankswap('far', p => 5, target => 'never')}), $no_order, 'without a key it is refused');
like(refused(q{SELECT FROM sdc_rankswap(NULL::far, p => 5)}), $no_order, 'also as rows');
is($ask->(q{SELECT count(*) FROM sdc_rankswap('far_west', p => 5, target => 'west_alone')}), '8', 'a partition that is here has an order');
is($ask->(q{SELECT to_regclass('never') IS NULL}), 't', 'and nothing was left behind');

#
# What the others aggregate
#
my $by_region = 'SELECT region, sdc_entropy(job), sdc_diversity(age), sdc_entropy_state(income) FROM %s GROUP BY region ORDER BY region';
my $merged = q{SELECT sdc_entropy_merge(state), sdc_diversity_merge(state) FROM (SELECT region, sdc_entropy_state(job) AS state FROM far GROUP BY region) AS s};
my $loss = q{SELECT (sdc_information_loss_merge(state)).records FROM (SELECT region, sdc_information_loss_state(ARRAY[age, weight], ARRAY[age + 1, weight]) AS state FROM far GROUP BY region) AS s};
my $explain = sub { return $ask->("SET enable_partitionwise_aggregate = on; EXPLAIN (ANALYZE, VERBOSE, COSTS OFF, TIMING OFF, SUMMARY OFF) $_[0]") };
my $shipped = sub {
	my ($plan, $word) = @_;

	# the rows that come from each server, where the statement that it gets has the word
	return [ map { /Remote SQL: [^\n]*$word/ && /Foreign Scan[^\n]*\(actual rows=(\d+)/ ? $1 : () } split /(?=->)/, $plan ];
};
is_deeply($shipped->($explain->(sprintf $by_region, 'far'), 'sdc_entropy'), [], 'no server computes what it is not said to have');
$ask->("ALTER SERVER $_ OPTIONS (ADD extensions 'sdc')") foreach @server;
is_deeply($shipped->($explain->(sprintf $by_region, 'far'), 'sdc_entropy'), [ 1, 1, 1 ], 'with the option extensions, every server sends one row of its entropy');
is_deeply($shipped->($explain->($merged), 'sdc_entropy_state'), [ 1, 1, 1 ], 'and of its state');
is_deeply($shipped->($explain->($loss), 'sdc_information_loss_state'), [ 1, 1, 1 ], 'also of information loss');
is_deeply($shipped->($explain->('SELECT sdc_entropy(job) FROM far'), 'sdc_entropy'), [], 'without GROUP BY the rows come');
is($ask->('SET enable_partitionwise_aggregate = on; ' . sprintf $by_region, 'far'), $ask->(sprintf $by_region, 'near'), 'what comes is what one server computes, to the bit');
is($ask->("SET enable_partitionwise_aggregate = on; $merged"), $ask->('SELECT sdc_entropy(job), sdc_diversity(job) FROM near'), 'and so is what is merged');
is($ask->("SET enable_partitionwise_aggregate = on; $loss"), '3000', 'of all records');

# functions of the extension do so themselves
foreach my $call (q{sdc_kanonymity('far', '{region,sex}')}, q{sdc_ldiversity('far', '{region,sex}', '{job}')}, q{sdc_group_privacy('far', '{region}', '{job}')},
	q{sdc_attacker_risk('near_randomize', '{region,sex}', 'far')}, q{sdc_compare('far_rankswap', 'count(*)', by => '{region}')},
	q{sdc_estimate('far', '{age,weight}', '{age > 30}', probabilities => '{0.5,0.5}', by => '{region}')})
{
	my @asked = asked("SELECT FROM $call");

	is(scalar(grep { /count\(\*\).*GROUP BY/ } @asked), 3, "$call: every server counts its own records") or diag(join "\n", @asked);
}
is($ask->(q{SELECT FROM sdc_kanonymity('far', '{region,sex}'); SHOW enable_partitionwise_aggregate}), 'off', 'and the setting is as before');
# a group can have records on several servers: each counts its own, and the counts are added
foreach my $call (q{sdc_kanonymity('far', '{sex,age}')}, q{sdc_ldiversity('far', '{sex}', '{job}')}, q{sdc_group_privacy('far', '{sex}', '{age}')},
	q{sdc_sample_risk('far', '{sex,age}', fraction => 0.1)}, q{sdc_attacker_risk('near_randomize', '{sex,age}', 'far')})
{
	my @asked = asked("SELECT FROM $call");

	is(scalar(grep { /count\(\*\).*GROUP BY/ } @asked), 3, "$call: every server counts its own records of groups that others have, too") or diag(join "\n", @asked);
	is($ask->("SELECT * FROM $call"), $ask->('SELECT * FROM ' . ($call =~ s/'far'/'near'/r)), 'and together they are right');
}
# who may not read the column of the partitions, or where it tells nothing, gets the same from the records
$node->safe_psql('postgres', q{CREATE ROLE clerk LOGIN; GRANT SELECT (sex, age) ON far TO clerk; GRANT USAGE ON FOREIGN SERVER north, east, south TO clerk;
	CREATE USER MAPPING FOR clerk SERVER north OPTIONS (user 'clerk', password_required 'false'); CREATE USER MAPPING FOR clerk SERVER east OPTIONS (user 'clerk', password_required 'false');
	CREATE USER MAPPING FOR clerk SERVER south OPTIONS (user 'clerk', password_required 'false')});
$node->safe_psql($_, 'GRANT SELECT ON part TO clerk') foreach @server;
is($node->safe_psql('postgres', q{SELECT * FROM sdc_kanonymity('far', '{sex,age}')}, extra_params => [ '-U', 'clerk' ]), $ask->(q{SELECT * FROM sdc_kanonymity('near', '{sex,age}')}), 'with rights on other columns only');
$ask->(q{CREATE TABLE ranged (LIKE far) PARTITION BY RANGE (id); CREATE TABLE ranged_here PARTITION OF ranged FOR VALUES FROM (0) TO (1); ALTER TABLE far DETACH PARTITION far_north;
	ALTER TABLE ranged ATTACH PARTITION far_north FOR VALUES FROM (1) TO (5000)});
is(scalar(grep { /GROUP BY/ } asked(q{SELECT FROM sdc_kanonymity('ranged', '{sex,age}')})), 0, 'by a column of many values the records come');
is($ask->(q{SELECT * FROM sdc_kanonymity('ranged', '{sex,age}')}), $ask->(q{CREATE TEMP TABLE north AS SELECT * FROM near WHERE region = 'north'; SELECT * FROM sdc_kanonymity('north', '{sex,age}')}), 'and are counted here');

#
# Citus: a coordinator without workers, which keeps the shards itself
#
SKIP:
{
	skip 'Citus is not installed: the server has no extension "citus", and Debian has no package of it', 17
	  if $ask->(q{SELECT count(*) FROM pg_available_extensions WHERE name = 'citus'}) eq '0';

	my $citus = PostgreSQL::Test::Cluster->new('citus');

	sdc_init($citus);
	$citus->append_conf('postgresql.conf', "shared_preload_libraries = 'citus'\nsession_preload_libraries = 'sdc'\ncitus.node_conninfo = 'sslmode=prefer'\nautovacuum = off\n");
	$citus->start;
	my $tell = sub { return $citus->safe_psql('postgres', "SET client_min_messages = error; $_[0]") };
	$citus->safe_psql('postgres', 'CREATE EXTENSION citus; CREATE EXTENSION sdc');
	# without the second there is no node for shards: "replication_factor (1) exceeds number of worker nodes (0)"
	$tell->(sprintf q{SELECT citus_set_coordinator_host('%1$s', %2$s); SELECT citus_set_node_property('%1$s', %2$s, 'shouldhaveshards', true)},
		$citus->host, $citus->port);
	$tell->("CREATE TABLE near ($columns, PRIMARY KEY (id)); INSERT INTO near $records; CREATE TABLE far ($columns, PRIMARY KEY (id)); SELECT create_distributed_table('far', 'id'); INSERT INTO far SELECT * FROM near");
	is($tell->(q{SELECT count(*) > 1 FROM pg_dist_shard WHERE logicalrelid = 'far'::regclass}), 't', 'Citus: the records are in shards');
	$tell->(sprintf "SELECT FROM $protect{rankswap}", $_, "${_}_rankswap") foreach ('near', 'far');
	is($tell->(sprintf $same, 'rankswap'), '3000|0', 'Citus: the release of a distributed table is that of an ordinary one');
	is($tell->('SELECT sdc_entropy(job), sdc_entropy(age), sdc_diversity(income), sdc_entropy(weight) FROM far'),
		$tell->('SELECT sdc_entropy(job), sdc_entropy(age), sdc_diversity(income), sdc_entropy(weight) FROM near'), 'Citus: entropies are the same');
	like($tell->('EXPLAIN (VERBOSE) SELECT sdc_entropy(job) FROM far'), qr/worker_partial_agg/, 'Citus: and computed by the workers');
	compare_steps($tell, 'Citus');
	compare_policies($tell, 'Citus');
	$tell->(q{SELECT create_distributed_table('far_rankswap', 'id')});
	foreach my $measure (q{SELECT * FROM sdc_score('%s_rankswap', sample => 200, seed => 1)}, q{SELECT * FROM sdc_people_found('%s_rankswap', sample => 200, seed => 1)})
	{
		is($tell->(sprintf $measure, 'far'), $tell->(sprintf $measure, 'near'), "Citus: $measure of a distributed release is that of an ordinary one");
	}
	my ($out, $err);
	$citus->psql('postgres', sprintf("SELECT FROM $protect{rankswap}", 'far', 'far_rankswap') =~ s/\)$/, replace => true)/r, stdout => \$out, stderr => \$err);
	like($err, qr/release "far_rankswap" is a distributed or reference table/, 'Citus: a distributed release is not replaced');
	$citus->psql('postgres', q{CREATE TABLE bag (a int, b int); SELECT create_distributed_table('bag', 'a'); SELECT FROM sdc_rankswap('bag', p => 5)}, stdout => \$out, stderr => \$err);
	like($err, qr/relation "bag" has no primary key.*distributed table "bag"/s, 'Citus: a distributed table without a key is refused');
	# what was published last has another age of record 1
	$tell->(q{SELECT create_distributed_table('far_public', 'weight')});
	$citus->psql('postgres', q{CALL sdc_run('far')}, stdout => \$out, stderr => \$err);
	like($err, qr/publication "far_public" is a distributed or reference table/, 'Citus: a policy does not publish into a distributed table');
}

done_testing();

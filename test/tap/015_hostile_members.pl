# 015_hostile_members.pl
#		Somebody else's table has a hostile member: a partition, an inheritance child, a foreign table.
#
# The table is bob's.  Who reads it reads its members with it, also bob: the code of a member's
# owner runs with nobody's rights, so such a table is not read, by anybody, until the caller says that
# he trusts the owner.

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
hostile_let_in($node, 'reader, bob');
my @all = hostile_all_calls();

my $columns = 'id int, age int, income float8, region text COLLATE "C", job text COLLATE "C", x int';
my $rows = q{SELECT i, 20 + i * 17 % 41, i * 7919 % 1009, 'region ' || i % 3, 'job ' || i % 4, i % 7
	FROM generate_series(%d, %d) AS i};
my $partitioned = qq{
	CREATE TABLE bob.t ($columns) PARTITION BY RANGE (id);
	CREATE TABLE bob.t_1 PARTITION OF bob.t FOR VALUES FROM (1) TO (21);
	CREATE TABLE bob.t_2 PARTITION OF bob.t FOR VALUES FROM (21) TO (41);
	INSERT INTO bob.t @{[ sprintf $rows, 1, 40 ]};
	GRANT SELECT ON bob.t, bob.t_1, bob.t_2 TO PUBLIC};
my $index = q{CREATE INDEX ON bob.t_2 ((x + m.evil('index of a member', 1)))};

# The database as a foreign server of the attacker: without a password, which only a superuser's
# session may do without, and as the superuser, in whose session the attacker's view would then be read.
my $host = $node->host;
my $port = $node->port;
my $server = qq{
	CREATE VIEW m.far AS SELECT id, m.evil_volatile('foreign', age) AS age, income, region, job, x FROM m.far_rows;
	GRANT SELECT ON m.far TO PUBLIC;
	CREATE SERVER m_server FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$host', port '$port', dbname 'postgres');
	CREATE USER MAPPING FOR PUBLIC SERVER m_server OPTIONS (user 'postgres');
	CREATE USER MAPPING FOR postgres SERVER m_server OPTIONS (user 'postgres');
	GRANT USAGE ON FOREIGN SERVER m_server TO PUBLIC};

# A kind has SQL of the superuser (what he or bob let happen), then what mallory does, and the bait.
my %kind = (
	'partition' => {
		table => $partitioned,
		given => 'ALTER TABLE bob.t_2 OWNER TO mallory; GRANT CREATE ON SCHEMA bob TO mallory',
		arm => $index,
		bait => 'SELECT count(*) FROM bob.t WHERE x = 1',
	},
	'statistics of a partition' => {
		table => $partitioned,
		given => 'ALTER TABLE bob.t_2 OWNER TO mallory',
		arm => q{CREATE STATISTICS m.st ON (x + m.evil('statistics of a member', 1)), age FROM bob.t_2},
		bait => 'SELECT count(*) FROM bob.t_2 WHERE x = 1',
	},
	'check constraint of a partition' => {
		table => $partitioned,
		given => 'ALTER TABLE bob.t_2 OWNER TO mallory',
		arm => q{ALTER TABLE bob.t_2 ADD CHECK (x + m.evil('check of a member', 1) > 0)},
		bait => 'SELECT count(*) FROM bob.t WHERE x = 1',
	},
	'partition of a partition' => {
		table => $partitioned . qq{;
			CREATE TABLE bob.t_3 PARTITION OF bob.t FOR VALUES FROM (41) TO (81) PARTITION BY RANGE (id);
			CREATE TABLE bob.t_4 PARTITION OF bob.t_3 FOR VALUES FROM (41) TO (81);
			INSERT INTO bob.t @{[ sprintf $rows, 41, 60 ]}; GRANT SELECT ON bob.t_3, bob.t_4 TO PUBLIC},
		given => 'ALTER TABLE bob.t_4 OWNER TO mallory; GRANT CREATE ON SCHEMA bob TO mallory',
		arm => q{CREATE INDEX ON bob.t_4 ((x + m.evil('index of a member', 1)))},
		bait => 'SELECT count(*) FROM bob.t WHERE x = 1',
	},
	'inheritance child' => {
		table => hostile_table('bob.t') . qq{; CREATE TABLE bob.t_2 () INHERITS (bob.t);
			INSERT INTO bob.t_2 @{[ sprintf $rows, 41, 50 ]}; GRANT SELECT ON bob.t_2 TO PUBLIC},
		given => 'ALTER TABLE bob.t_2 OWNER TO mallory; GRANT CREATE ON SCHEMA bob TO mallory',
		arm => $index,
		bait => 'SELECT count(*) FROM bob.t WHERE x = 1',
	},
	'foreign partition' => {
		table => $partitioned,
		given => qq{CREATE TABLE m.far_rows ($columns); INSERT INTO m.far_rows @{[ sprintf $rows, 21, 40 ]};
			ALTER TABLE m.far_rows OWNER TO mallory; DROP TABLE bob.t_2},
		arm => $server,
		last => q{CREATE FOREIGN TABLE bob.t_2 PARTITION OF bob.t FOR VALUES FROM (21) TO (41)
				SERVER m_server OPTIONS (schema_name 'm', table_name 'far');
			ALTER FOREIGN TABLE bob.t_2 OWNER TO mallory; GRANT SELECT ON bob.t_2 TO PUBLIC},
		bait => 'SELECT max(age) FROM bob.t',
		ends => 'DROP SERVER IF EXISTS m_server CASCADE',
	},
	"bob's foreign partition on a hostile server" => {
		table => $partitioned,
		given => qq{CREATE TABLE m.far_rows ($columns); INSERT INTO m.far_rows @{[ sprintf $rows, 21, 40 ]};
			ALTER TABLE m.far_rows OWNER TO mallory; DROP TABLE bob.t_2},
		arm => $server,
		last => q{CREATE FOREIGN TABLE bob.t_2 PARTITION OF bob.t FOR VALUES FROM (21) TO (41)
				SERVER m_server OPTIONS (schema_name 'm', table_name 'far');
			ALTER FOREIGN TABLE bob.t_2 OWNER TO bob; GRANT SELECT ON bob.t_2 TO PUBLIC},
		bait => 'SELECT max(age) FROM bob.t',
		ends => 'DROP SERVER IF EXISTS m_server CASCADE',
	},
	"bob's view of a hostile view" => {
		table => hostile_table('bob.base') . q{; CREATE VIEW bob.t AS SELECT * FROM bob.base; GRANT SELECT ON bob.t TO PUBLIC},
		given => '',
		arm => q{CREATE VIEW m.v AS SELECT id, m.evil_volatile('view below', age) AS age, income, region, job, x FROM bob.base;
			GRANT SELECT ON m.v TO PUBLIC},
		last => 'CREATE OR REPLACE VIEW bob.t AS SELECT * FROM m.v',
		bait => 'SELECT max(age) FROM bob.t',
	},
	"bob's column of a hostile domain" => {
		early => 'CREATE DOMAIN m.years AS int',
		table => hostile_table('bob.t') . q{; ALTER TABLE bob.t ALTER age TYPE m.years},
		given => '',
		arm => q{ALTER DOMAIN m.years ADD CHECK (m.evil_volatile('domain', VALUE) = VALUE)},
		bait => 'SELECT 1::m.years',
		# a comparison, a copy or a count need not look at the type
		states => '00000|42501',
	},
	"bob's index with a hostile function" => {
		table => hostile_table('bob.t'),
		given => '',
		early => '',
		last => q{SET ROLE bob; CREATE INDEX ON bob.t ((x + m.evil('index of his own', 1))); RESET ROLE},
		bait => 'SELECT count(*) FROM bob.t WHERE x = 1',
	},
);

$node->safe_psql('postgres', 'CREATE EXTENSION postgres_fdw; GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO mallory');

foreach my $name (sort keys %kind)
{
	my $kind = $kind{$name};

	hostile_calm($node);
	$node->safe_psql('postgres', q{
		SET client_min_messages = warning;
		DROP SCHEMA bob CASCADE;
		CREATE SCHEMA bob AUTHORIZATION bob;
		GRANT USAGE ON SCHEMA bob TO PUBLIC});
	hostile_as($node, 'mallory', $kind->{early}) if $kind->{early};
	# (made while bob trusts her: a column of her domain would not get into a release of his)
	hostile_as($node, 'bob', "SET sdc.trusted_owners = mallory; $kind->{table}; " . hostile_releases('bob.t', 'bob.r') . hostile_policies('bob.t', 'bob.r'));
	foreach my $victim ('postgres', 'reader', 'bob')
	{
		hostile_as($node, $victim, "CREATE TABLE $victim.mine AS SELECT id, age FROM bob.t");
	}
	$node->safe_psql('postgres', $kind->{given});
	hostile_as($node, 'mallory', "SET client_min_messages = warning; $kind->{arm}") if $kind->{arm};
	$node->safe_psql('postgres', $kind->{last}) if $kind->{last};
	hostile_bait($node, $kind->{bait}, $name);

	foreach my $victim ('postgres', 'reader', 'bob')
	{
		my %name = (s => 'bob.t', r => 'bob.r', t => "$victim.made", m => "$victim.mine");
		my @calls = map { [ $_->[0], hostile_fill($_->[1], %name) ] } @all;

		# the functions below the views return the reason; a checksum that was taken here needs no reading;
		# a policy runs with the rights of its owner, who says nothing of whom he trusts
		hostile_try($node, $victim, \@calls, $name, $kind->{states} // '42501',
			{ 'sdc_ru_map_svg(regclass)' => '00000|55000', 'sdc_how_accurate(regclass)' => '55000|42501', (map { $_ => '00000|42501' } grep { /^sdc_private\.|confirm_source|evaluate|publish/ } keys %hostile_class),
				'sdc_private.run_publish(name)' => '42501|55000',	# it was never evaluated
				'sdc_report(regclass)' => '00000|42501',	# where a table was published, what stands beside it is enough
				map { $_ => $victim eq 'reader' ? '42704|22004' : '00000|22004|42501' } grep { $hostile_class{$_} eq 'runs a policy' } keys %hostile_class },
			between => qq{DROP TABLE IF EXISTS $victim.made CASCADE; SELECT sdc_unregister('$victim.mine')});
	}
	like($node->safe_psql('postgres', q{SET sdc.trusted_owners = bob; SELECT problem FROM sdc_scores WHERE release = 'bob.r'::regclass}),
		qr/could run code of role "mallory"/, "$name: sdc_scores tells why") if !$kind->{states};
	is(hostile_harm($node), '', "$name: and runs nothing");
	$node->safe_psql('postgres', $kind->{ends}) if $kind->{ends};
	$node->safe_psql('postgres', 'DROP TABLE postgres.mine, reader.mine');
}

# A foreign table of the attacker's own that somebody names: her rights have no password to go by.
hostile_calm($node);
hostile_as($node, 'mallory', qq{CREATE TABLE m.far_rows ($columns); INSERT INTO m.far_rows @{[ sprintf $rows, 1, 40 ]}; $server;
	CREATE FOREIGN TABLE m.t ($columns) SERVER m_server OPTIONS (schema_name 'm', table_name 'far');
	GRANT SELECT ON m.t TO PUBLIC});
hostile_bait($node, 'SELECT max(age) FROM m.t', 'a foreign table');
foreach my $victim ('postgres', 'reader')
{
	my %name = (s => 'm.t', t => "$victim.made", m => "$victim.mine");
	my @calls = map { [ $_->[0], hostile_fill($_->[1], %name) ] } hostile_all_calls('reads a relation');

	hostile_as($node, $victim, "CREATE TABLE $victim.mine AS SELECT i AS id, 20 + i AS age FROM generate_series(1, 40) AS i");
	# (what only looks at the columns has nothing to do with the server)
	hostile_try($node, $victim, \@calls, 'a foreign table', '2F003|42501',
		{ 'sdc_how_accurate(regclass)' => '55000', map { $_ => '00000|42501' } ('sdc_private.check_policy(jsonb)', 'sdc_private.plan(regclass)', 'sdc_private.policy_enter(name)', 'sdc_policy_alter(name)', 'sdc_policy_set(name)') });
}
$node->safe_psql('postgres', 'DROP SERVER m_server CASCADE; DROP TABLE postgres.mine, reader.mine');

# A member that comes later, in the same session and with a prepared statement.
hostile_calm($node);
$node->safe_psql('postgres', q{SET client_min_messages = warning; DROP SCHEMA bob CASCADE;
	CREATE SCHEMA bob AUTHORIZATION bob; GRANT USAGE, CREATE ON SCHEMA bob TO PUBLIC});
hostile_as($node, 'bob', $partitioned);
my $session = $node->background_psql('postgres', on_error_stop => 0);
like(sdc_query($session, q{PREPARE again AS SELECT k FROM sdc_kanonymity('bob.t', '{region}'); EXECUTE again}), qr/^\d+$/,
	'a member that comes later: without it the table is read');
$node->safe_psql('postgres', 'ALTER TABLE bob.t_2 OWNER TO mallory');
hostile_as($node, 'mallory', $index);
sdc_start($session, 'EXECUTE again');
like(scalar sdc_finish($session), qr/is not read: that could run code of role "mallory" with your rights/,
	'a member that comes later: the table is not read');
is(hostile_harm($node), '', 'a member that comes later: nothing runs');
sdc_start($session, 'SET sdc.trusted_owners = mallory, bob; EXECUTE again');
sdc_finish($session);
like(hostile_harm($node), qr/index of a member ran as postgres/, 'owners who are trusted: the code runs');
$session->quit;

# Whom the caller trusts, with his own rights, the owner of the table need not trust: else the attacker
# would call herself, and say that she is to be trusted.  Of everything that is read with an owner's
# rights: tables with a member, a domain, a view below; of bob, and of the superuser.
foreach my $owner ('bob', 'postgres')
{
	hostile_calm($node);
	$node->safe_psql('postgres', qq{SET client_min_messages = warning; DROP SCHEMA bob CASCADE;
		CREATE SCHEMA bob AUTHORIZATION bob; GRANT ALL ON SCHEMA bob TO PUBLIC;
		SET ROLE $owner; $partitioned; @{[ hostile_releases('bob.t', 'bob.r') ]}
		CREATE MATERIALIZED VIEW bob.m AS SELECT * FROM bob.t; GRANT SELECT ON bob.m TO PUBLIC;
		CREATE VIEW bob.v AS SELECT * FROM bob.t; GRANT SELECT ON bob.v TO PUBLIC; RESET ROLE;
		CREATE TABLE mallory_mine AS SELECT id, age FROM bob.t; ALTER TABLE mallory_mine OWNER TO mallory;
		CREATE TABLE reader_mine AS SELECT id, age FROM bob.t; ALTER TABLE reader_mine OWNER TO reader;
		ALTER TABLE bob.t_2 OWNER TO mallory});
	hostile_as($node, 'mallory', $index);
	hostile_bait($node, 'SELECT count(*) FROM bob.t WHERE x = 1', "a table of $owner");
	foreach my $caller ('mallory', 'reader')
	{
		foreach my $trusted ('mallory', '*')
		{
			# (what runs with the rights of a reader who says so is his own affair)
			my %name = (s => 'bob.t', r => 'bob.r', t => "$caller.made", m => "public.${caller}_mine");
			my @calls = map { [ $_->[0], hostile_fill($_->[1], %name) ] } @all;

			push @calls, [ 'of a view', q{SELECT count(*) FROM sdc_kanonymity('bob.v', '{region}')} ],
			  [ 'all scores', 'SELECT count(*) FROM sdc_scores' ];
			hostile_run($node, $caller, \@calls, settings => "SET sdc.trusted_owners = '$trusted';",
				between => qq{DROP TABLE IF EXISTS $caller.made CASCADE; SELECT sdc_unregister('$name{m}')});
			my @harm = grep { !/ran as reader$/ } split /\n/, hostile_harm($node);
			is(join("\n", grep { !/mallory in reader|roles have changed/ || /mallory,t|in (?:bob|postgres)/ } @harm), '',
				"a table of $owner, called by $caller, who trusts $trusted: no code runs with the rights of $owner");
		}
	}
	$node->safe_psql('postgres', 'DROP TABLE mallory_mine, reader_mine');
}

$node->stop;
done_testing();

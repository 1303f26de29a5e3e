# 034_hostile_comparison.pl
#		Values that are compared by a function of their owner, who is hostile: it runs in no parallel worker, nor while there
#		are any, nor with the rights of anybody else.
#
# Workers are asked for however few records there are, but not for the index of the key, with so little memory. That there were some is told by what the server logs when it
# starts one; a line of the log tells which kind of process wrote it.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;
use Hostile;

my $node = hostile_node('main', conf => "min_parallel_table_scan_size = 0\nmax_parallel_maintenance_workers = 2\nmax_worker_processes = 6\n"
	. "maintenance_work_mem = 24MB\nlog_min_messages = debug1\nlog_line_prefix = '%m [%p] (%b) '\n");

# started tells whether the server has started a parallel worker since a place of its log, and in_worker what of hers ran in one.
sub log_since { return slurp_file($node->logfile, $_[0]) }
sub started { return log_since($_[0]) =~ /starting background worker process "parallel worker/ ? 1 : 0 }
sub in_worker { return join ', ', log_since($_[0]) =~ /\(parallel worker\) LOG:  (hostile: .*)/g }

# A comparison of hers for a type with a default operator class, which only a superuser makes, as he does when he installs
# what she has written.
sub compared
{
	my ($type, $as) = @_;
	my $word = sub { my ($operator, $name) = @_; return qq{
		CREATE FUNCTION m.$name($type, $type) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS
			\$\$ BEGIN PERFORM m.strike('$name'); RETURN \$1::text::$as $operator \$2::text::$as; END \$\$;
		CREATE OPERATOR m.$operator (LEFTARG = $type, RIGHTARG = $type, FUNCTION = m.$name);} };
	my $hers = join('', map { $word->(@$_) } ([ '<', 'is_less' ], [ '<=', 'is_most' ], [ '=', 'is_same' ], [ '>=', 'is_least' ], [ '>', 'is_more' ]))
	  . qq{CREATE FUNCTION m.order_of($type, $type) RETURNS int IMMUTABLE LANGUAGE plpgsql AS
			\$\$ BEGIN PERFORM m.strike('comparison'); RETURN CASE WHEN \$1::text::$as < \$2::text::$as THEN -1
				WHEN \$1::text::$as = \$2::text::$as THEN 0 ELSE 1 END; END \$\$};
	my $his = qq{CREATE OPERATOR CLASS m.order_ops DEFAULT FOR TYPE $type USING btree AS OPERATOR 1 m.<, OPERATOR 2 m.<=, OPERATOR 3 m.=,
		OPERATOR 4 m.>=, OPERATOR 5 m.>, FUNCTION 1 m.order_of($type, $type)};

	return (hers => $hers, his => $his);
}

# What a superuser does before (made), what she does (hers), what he does then (his), and the type of her column.
my $code = q{CREATE TYPE m.code; CREATE FUNCTION m.code_in(cstring) RETURNS m.code IMMUTABLE STRICT LANGUAGE internal AS 'int4in';
	CREATE FUNCTION m.code_out(m.code) RETURNS cstring IMMUTABLE STRICT LANGUAGE internal AS 'int4out';
	CREATE TYPE m.code (INPUT = m.code_in, OUTPUT = m.code_out, LIKE = int4); ALTER TYPE m.code OWNER TO mallory};
my $enum = q{CREATE TYPE m.grade AS ENUM (} . join(', ', map { "'$_'" } 1 .. 9) . ');';
my %kind = (
	'type of its own' => { made => $code, compared('m.code', 'int'), type => 'm.code' },
	'domain over such a type' => { made => $code, compared('m.code', 'int'), then => 'CREATE DOMAIN m.kind AS m.code', type => 'm.kind' },
	'composite type of such a column' => { made => $code, compared('m.code', 'int'), then => 'CREATE TYPE m.pair AS (a m.code)', type => 'm.pair',
		value => q{ROW((i % 9 + 1)::text::m.code)::m.pair} },
	'array of such a type' => { made => $code, compared('m.code', 'int'), type => 'm.code[]', value => q{ARRAY[(i % 9 + 1)::text::m.code]} },
	'enum' => { compared('m.grade', 'int'), before => $enum, type => 'm.grade' },
	'domain over an enum' => { compared('m.grade', 'int'), before => "$enum CREATE DOMAIN m.mark AS m.grade;", type => 'm.mark' });

# Protections that have workers for her table, but for that column; {{t}} is what is made, and {{c}} names the column.
my @calls = (
	[ 'rankswap', q{SELECT count(*) FROM sdc_rankswap('m.t', p => 20, columns => '{age,income,x{{c}}}', omit => '{region,job}', seed => 1, target => '{{t}}')} ],
	[ 'buckets', q{SELECT count(*) FROM sdc_rankswap_buckets('m.t', buckets => 4, columns => '{age,income,x{{c}}}', omit => '{region,job}', seed => 1,
		target => '{{t}}')} ],
	[ 'strata', q{SELECT count(*) FROM sdc_rankswap_distribution('m.t', p => 20, columns => '{age,income,x{{c}}}', strata => '{region}', omit => '{job}', seed => 1,
		target => '{{t}}')} ],
	[ 'steps', q{SELECT count(*) FROM sdc_protect('m.t', '[{"method": "rankswap_buckets", "buckets": 4, "columns": ["age"]},
		{"method": "rankswap", "p": 20, "columns": ["income", "x"{{q}}]}]', omit => '{region,job}', seed => 1, target => '{{t}}')} ],
	[ 'bins', q{SELECT count(*) FROM sdc_equidepth_swap('m.t', depth => 5, columns => '{age}', complement => 'swap', omit => '{region,job}', {{k}} seed => 1,
		target => '{{t}}')} ]);

# What else compares values of that column.
my @measures = (
	[ 'classes', q{SELECT k FROM sdc_kanonymity('m.t', '{odd}')} ],
	[ 'units', q{SELECT k FROM sdc_kanonymity('m.t', '{region}', '{odd}')} ],
	[ 'diversity', q{SELECT count(*) FROM sdc_ldiversity('m.t', '{region}', '{odd}')} ],
	[ 'chi square', q{SELECT count(*) FROM sdc_chi_square('m.t', '{region,odd}')} ],
	[ 'uniques', q{SELECT count(*) FROM sdc_minimal_uniques('m.t', '{region,odd}')} ],
	[ 'itemsets', q{SELECT count(*) FROM sdc_frequent_itemsets('m.t', '{region,odd}', min_support => 0.01)} ],
	[ 'associations', q{SELECT count(*) FROM sdc_associations('m.t', '{region}', '{odd}', min_support => 0.01)} ],
	[ 'recall', q{SELECT count(*) FROM sdc_association_recall('m.copy', min_support => 0.01, qi => '{region}', sensitive => '{odd}')} ],
	[ 'score', q{SELECT score FROM sdc_score('m.copy')} ],
	[ 'loss', q{SELECT il FROM sdc_information_loss('m.copy')} ],
	[ 'distance', q{SELECT count(*) FROM sdc_link_distance('m.copy')} ],
	[ 'agreement', q{SELECT count(*) FROM sdc_link_probabilistic('m.copy')} ],
	[ 'people', q{SELECT count(*) FROM sdc_people_found('m.copy')} ],
	[ 'records', q{SELECT count(*) FROM sdc_record_risk('m.copy')} ],
	[ 'queries', q{SELECT count(*) FROM sdc_query_errors('m.copy', 20, seed => 1)} ],
	[ 'rows', q{SELECT count(*) FROM sdc_rankswap(NULL::m.t, p => 20, columns => '{age,odd}', omit => '{income,x,region,job}', seed => 1)} ],
	[ 'key', q{SELECT count(*) FROM sdc_rankswap(NULL::m.t, p => 20, columns => '{age}', key => '{odd,id}', omit => '{income,x,region,job}', seed => 1)} ]);

# What passes over that column: the levels of columns, and the warning about identifiers that repeat.
my @besides = (
	[ 'levels', q{SELECT count(*) FROM sdc_unit_columns('m.t', '{region}')} ],
	[ 'warning of groups', q{SELECT k FROM sdc_kanonymity('m.t', '{region}')} ],
	[ 'warning of a release', q{SELECT k FROM sdc_kanonymity('m.copy', '{region}')} ]);

sub calls_for
{
	my ($target, $column) = @_;

	return map { [ $_->[0], hostile_fill($_->[1], t => $target, c => $column ? ',odd' : '', q => $column ? ', "odd"' : '', k => $column ? q{keep => '{odd}',} : '') ] }
	  @calls;
}

# make makes her table, with a column of the type or without.
sub make
{
	my ($kind) = @_;

	hostile_calm($node);
	if ($kind)
	{
		$node->safe_psql('postgres', $kind->{made}) if $kind->{made};
		hostile_as($node, 'mallory', ($kind->{before} // '') . $kind->{hers});
		$node->safe_psql('postgres', "SET client_min_messages = warning; $kind->{his}");
		hostile_as($node, 'mallory', $kind->{then}) if $kind->{then};
	}
	hostile_as($node, 'mallory', hostile_table('m.t'));
	return if !$kind;
	my $value = $kind->{value} // "(i % 9 + 1)::text::$kind->{type}";
	$value =~ s/\bi\b/id/g;
	hostile_as($node, 'mallory', "ALTER TABLE m.t ADD odd $kind->{type}; UPDATE m.t SET odd = $value");
	# and a release of it, that she has made
	hostile_as($node, 'mallory', q{CREATE TABLE m.copy AS SELECT * FROM m.t; SELECT sdc_register('m.t', 'm.copy', '{age,odd}', '{id}')});
	return;
}

# Without such a column workers help all victims: otherwise the test would show nothing.
make();
foreach my $victim ('postgres', 'reader')
{
	foreach my $call (calls_for("$victim.made", 0))
	{
		my $from = -s $node->logfile;

		hostile_try($node, $victim, [$call], $call->[0], '00000', {}, between => "DROP TABLE IF EXISTS $victim.made CASCADE");
		is(started($from), 1, "$call->[0] of $victim: with workers");
	}
}

foreach my $name (sort keys %kind)
{
	make($kind{$name});
	my $all = -s $node->logfile;

	hostile_bait($node, 'SELECT max(n) FROM (SELECT row_number() OVER (ORDER BY odd) AS n FROM m.t) AS t', $name);
	foreach my $victim ('postgres', 'reader', 'mallory')
	{
		my $schema = $victim eq 'mallory' ? 'm' : $victim;

		foreach my $call (calls_for("$schema.made", 1))
		{
			my $from = -s $node->logfile;

			hostile_try($node, $victim, [$call], "$name, $call->[0]", '00000|42501|0A000|42883|42804', {}, between => "DROP TABLE IF EXISTS $schema.made CASCADE");
			# to swap in bins compares no value of that column
			is(started($from), 0, "$name, $call->[0] of $victim: no worker") if $call->[0] ne 'bins';
		}
	}

	foreach my $victim ('postgres', 'reader')
	{
		hostile_try($node, $victim, \@measures, $name, '42501', {});
	}
	hostile_as($node, 'mallory', q{SELECT sdc_classify('m.t', 'odd', 'identifier')});
	foreach my $victim ('postgres', 'reader')
	{
		# who may not read the release finds nothing out
		hostile_try($node, $victim, [ grep { $victim eq 'postgres' || $_->[0] !~ /release/ } @besides ], $name, '00000', {});
	}
	hostile_as($node, 'mallory', q{SELECT sdc_classify('m.t', 'odd', NULL)});

	# who trusts her runs it, without workers: the control that the calls get there
	my $from = -s $node->logfile;
	hostile_run($node, 'postgres', [ grep { $_->[0] eq 'rankswap' } calls_for('postgres.made', 1) ], settings => q{SET sdc.trusted_owners = 'mallory';},
		between => 'DROP TABLE IF EXISTS postgres.made CASCADE');
	like(hostile_harm($node), qr/\[rankswap\] \w+ ran as postgres/, "$name, sdc.trusted_owners: her comparison is run");
	is(started($from), 0, "$name, sdc.trusted_owners: without a worker");
	is(in_worker($all), '', "$name: nothing of hers ran in a worker");
}

# The order of a type can be the server's, and what groups its values hers.
my %server = (lt => '<', le => '<=', eq => '=', ge => '>=', gt => '>');
my %hashed = (type => 'm.code', made => "$code;" . join('', map { qq{CREATE FUNCTION m.$_(m.code, m.code) RETURNS boolean IMMUTABLE STRICT LANGUAGE internal
		AS 'int4$_'; CREATE OPERATOR m.$server{$_} (LEFTARG = m.code, RIGHTARG = m.code, FUNCTION = m.$_} . ($_ eq 'eq' ? ', HASHES);' : ');') } sort keys %server)
	. q{CREATE FUNCTION m.cmp(m.code, m.code) RETURNS int IMMUTABLE STRICT LANGUAGE internal AS 'btint4cmp';
		CREATE OPERATOR CLASS m.order_ops DEFAULT FOR TYPE m.code USING btree AS OPERATOR 1 m.<, OPERATOR 2 m.<=, OPERATOR 3 m.=, OPERATOR 4 m.>=,
			OPERATOR 5 m.>, FUNCTION 1 m.cmp(m.code, m.code)},
	hers => q{CREATE FUNCTION m.hash_of(m.code) RETURNS int IMMUTABLE LANGUAGE plpgsql AS
		$$ BEGIN PERFORM m.strike('hash'); RETURN hashint4($1::text::int); END $$},
	his => 'CREATE OPERATOR CLASS m.hash_ops DEFAULT FOR TYPE m.code USING hash AS OPERATOR 1 m.=, FUNCTION 1 m.hash_of(m.code)');
make(\%hashed);
hostile_bait($node, 'SET LOCAL enable_sort = off; SELECT count(*) FROM (SELECT odd FROM m.t GROUP BY odd) AS t', 'a hash function');
foreach my $victim ('postgres', 'reader')
{
	hostile_try($node, $victim, \@measures, 'a hash function', '42501', {});
}
hostile_run($node, 'postgres', [ grep { $_->[0] eq 'classes' } @measures ], settings => q{SET sdc.trusted_owners = 'mallory'; SET enable_sort = off;});
like(hostile_harm($node), qr/\[classes\] hash ran as postgres/, 'a hash function, sdc.trusted_owners: it is run');

# The type can be the server's, and the order of partitions and of an index hers: by an operator class that is not its default.
# While she still sorts as the server does, others trust it; then she puts something else in its place.
hostile_calm($node);
hostile_as($node, 'mallory', q{CREATE FUNCTION m.order_of(int, int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT btint4cmp($1, $2)'});
$node->safe_psql('postgres', q{CREATE OPERATOR CLASS m.order_ops FOR TYPE int USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=,
	OPERATOR 5 >, FUNCTION 1 m.order_of(int, int)});
foreach my $owner ('bob', 'postgres', 'reader')
{
	hostile_as($node, $owner, qq{CREATE TABLE $owner.parts (id int, age int, income int, x int) PARTITION BY RANGE (x m.order_ops);
		CREATE TABLE $owner.parts_1 PARTITION OF $owner.parts FOR VALUES FROM (0) TO (4);
		CREATE TABLE $owner.parts_2 PARTITION OF $owner.parts FOR VALUES FROM (4) TO (9);
		INSERT INTO $owner.parts SELECT i, i * 17 % 41, i * 7919 % 1009, i % 7 FROM generate_series(1, 40) AS i;
		CREATE TABLE $owner.plain (id int PRIMARY KEY, age int, income int);
		INSERT INTO $owner.plain SELECT id, age, income FROM $owner.parts;
		GRANT SELECT ON $owner.parts, $owner.plain TO PUBLIC;
		SELECT FROM sdc_rankswap('$owner.plain', p => 20, columns => '{age,income}', target => '$owner.sorted', seed => 1);
		CREATE INDEX ON $owner.sorted (age m.order_ops)});
}
# and publications of hers, to which rows are added one by one
hostile_as($node, 'mallory', q{SET client_min_messages = error;
	CREATE TABLE m.plain AS SELECT i AS id, i * 17 % 41 AS age, i * 7919 % 1009 AS income FROM generate_series(1, 40) AS i;
	ALTER TABLE m.plain ADD PRIMARY KEY (id);
	SELECT FROM sdc_rankswap('m.plain', p => 20, columns => '{age,income}', target => 'm.swapped', seed => 1);
	SELECT FROM sdc_publish('m.swapped', 'm.public_rows', mode => 'rows', force => true);
	CREATE INDEX ON m.public_rows (age m.order_ops)});
hostile_as($node, 'mallory', q{CREATE OR REPLACE FUNCTION m.order_of(int, int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS
	$$ BEGIN PERFORM m.strike('order'); RETURN btint4cmp($1, $2); END $$});
hostile_bait($node, 'SELECT count(*) FROM bob.parts', 'an order of partitions');
hostile_bait($node, 'REINDEX TABLE postgres.sorted', 'an order of an index');
foreach my $victim ('postgres', 'reader', 'bob')
{
	foreach my $owner ('bob', 'postgres', 'reader')
	{
		hostile_try($node, $victim, [
			[ 'partitions', qq{SELECT count(*) FROM sdc_rankswap('$owner.parts', p => 20, columns => '{age,income}', key => '{id}', target => '$victim.made')} ],
			[ 'groups', qq{SELECT count(*) FROM sdc_kanonymity('$owner.parts', '{x}')} ] ], "an order of partitions of $owner", '42501', {});
	}
	hostile_try($node, $victim, [
		[ 'replace', qq{SELECT count(*) FROM sdc_rankswap('$victim.plain', p => 20, columns => '{age,income}', target => '$victim.sorted', replace => true)} ] ], 'an order of an index', '42501', {});
}
hostile_try($node, 'postgres', [
	[ 'rows', q{SELECT count(*) FROM sdc_publish('m.swapped', 'm.public_rows', mode => 'rows', replace => true, force => true)} ],
	[ 'exchange', q{SELECT count(*) FROM sdc_publish('m.swapped', 'm.public_rows', replace => true, force => true)} ],
	[ 'rows again', q{SELECT count(*) FROM sdc_publish('m.swapped', 'm.public_rows', mode => 'rows', replace => true, force => true)} ] ], 'an order of an index of a publication', '42501', { exchange => '00000' });
hostile_run($node, 'postgres', [ [ 'partitions', q{SELECT count(*) FROM sdc_kanonymity('postgres.parts', '{x}')} ] ],
	settings => q{SET sdc.trusted_owners = 'mallory';});
like(hostile_harm($node), qr/\[partitions\] order ran as postgres/, 'an order of partitions, sdc.trusted_owners: it is run');

#
# A night reads the release in a worker while the session reads her table, which she has armed since the night before
#
my %arm = (
	'index expression' => [ q{CREATE INDEX ON m.t ((x + m.evil('index', 1)))}, 'SELECT count(*) FROM m.t WHERE age = 1', '00000' ],
	'index predicate' => [ q{CREATE INDEX ON m.t (x) WHERE x > m.evil('predicate', 1)}, 'SELECT count(*) FROM m.t WHERE age = 1', '00000' ],
	'statistics' => [ q{CREATE STATISTICS m.st ON (x + m.evil('statistics', 1)), income FROM m.t}, 'SELECT count(*) FROM m.t WHERE age = 1', '00000' ],
	'inheritance child' => [ q{CREATE TABLE m.child () INHERITS (m.t); CREATE INDEX ON m.child ((x + m.evil('index of a child', 1)))},
		'SELECT count(*) FROM m.t WHERE age = 1', '00000|55000' ],
	'row security' => [ q{CREATE POLICY p ON m.t USING (m.evil_stable('policy', age) = age); ALTER TABLE m.t ENABLE ROW LEVEL SECURITY},
		'SET ROLE reader; SELECT count(*) FROM m.t', '00000|42501|55000|22023' ]);

foreach my $name (sort keys %arm)
{
	my ($hers, $bait, $states) = @{ $arm{$name} };

	foreach my $victim ('postgres', 'reader')
	{
		my $night = qq{SELECT count(*) FROM sdc_rankswap('m.t', p => 20, columns => '{age}', omit => '{income,x,region,job}', continued => true,
			min_changes => 20, min_departures => 20, seed => 1, target => '$victim.kept')};

		make();
		hostile_as($node, $victim, "SET client_min_messages = error; DROP TABLE IF EXISTS $victim.kept; $night");
		my $from = -s $node->logfile;
		hostile_as($node, $victim, "SET client_min_messages = error; $night");
		is(started($from), 1, "a night of $victim: a worker reads the release");
		hostile_as($node, 'mallory', $hers);
		hostile_bait($node, $bait, "a night, $name");
		my $armed = -s $node->logfile;

		hostile_try($node, $victim, [ [ 'night', $night ] ], "a night, $name", $states, {});
		# row security is not for a superuser, so that nothing of hers is prepared for him
		my $worker = $name eq 'row security' && $victim eq 'postgres' ? 1 : 0;
		is(started($armed), $worker, "a night, $name: " . ($worker ? 'a worker' : 'no worker') . " for $victim");
		is(in_worker($from), '', "a night, $name: nor in a worker of $victim");
		hostile_as($node, $victim, "DROP TABLE $victim.kept");
	}
}

$node->stop;
done_testing();

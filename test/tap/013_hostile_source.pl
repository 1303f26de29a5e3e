# 013_hostile_source.pl
#		The owner of a table or view is hostile: nothing of hers runs with the rights of who reads it.
#
# For every kind of object that makes the server run code when a relation is read: all functions
# of the extension that read, by a superuser and by an ordinary reader, of a source and releases
# that have such an object each.  Where the relation can be read with its owner's rights the
# calls succeed, else they are refused.

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
my @all = hostile_all_calls(undef, twins => 1);

cmp_ok(hostile_check_calls($node), '>=', 70, 'every function has a class, and a call where it reads');

# A kind has, as SQL:
#	before		what makes m.t something else, before there are releases
#	arm			what is done to the source and to each release, {{t}}
#	once		the same, but once
#	bait		what springs the trap by itself
# and the states that a reader, who is no superuser, gets to see.
my $refused = '42501';
my %kind = (
	'index expression' => {
		arm => q{CREATE INDEX ON {{t}} ((x + m.evil('index', 1)))},
		bait => 'SELECT count(*) FROM m.t WHERE x = 1',
	},
	'index predicate' => {
		arm => q{CREATE INDEX ON {{t}} (x) WHERE x > m.evil('predicate', 1)},
		bait => 'SELECT count(*) FROM m.t WHERE x = 1',
	},
	'statistics' => {
		arm => q{CREATE STATISTICS {{t}}_st ON (x + m.evil('statistics', 1)), age FROM {{t}}},
		bait => 'SELECT count(*) FROM m.t WHERE x = 1',
	},
	'check constraint' => {
		settings => 'SET constraint_exclusion = on;',
		arm => q{ALTER TABLE {{t}} ADD CHECK (x + m.evil('check', 1) > 0)},
		bait => 'SET constraint_exclusion = on; SELECT count(*) FROM m.t WHERE x = 1',
	},
	'policy' => {
		arm => q{CREATE POLICY p ON {{t}} USING (m.evil_stable('policy', x) = x);
			ALTER TABLE {{t}} ENABLE ROW LEVEL SECURITY},
		bait => 'SET ROLE reader; SELECT count(*) FROM m.t',
		reader => $refused,
	},
	'view' => {
		before => q{ALTER TABLE m.t RENAME TO base; CREATE VIEW m.t AS SELECT * FROM m.base; GRANT SELECT ON m.t TO PUBLIC},
		once => q{CREATE OR REPLACE VIEW m.t AS SELECT id, m.evil_volatile('view', age) AS age, income, region, job, x FROM m.base},
		bait => 'SELECT max(age) FROM m.t',
		reader => $refused,
	},
	'view, stable function in its condition' => {
		before => q{ALTER TABLE m.t RENAME TO base; CREATE VIEW m.t AS SELECT * FROM m.base; GRANT SELECT ON m.t TO PUBLIC},
		once => q{CREATE OR REPLACE VIEW m.t WITH (security_invoker, security_barrier) AS SELECT * FROM m.base
			WHERE m.evil_stable('view', 1) = 1},
		bait => 'SELECT max(age) FROM m.t',
		reader => $refused,
	},
	'rules' => {
		arm => q{CREATE RULE r AS ON INSERT TO {{t}} DO ALSO SELECT m.evil_volatile('rule', 1);
			CREATE RULE s AS ON DELETE TO {{t}} DO ALSO SELECT m.evil_volatile('rule', 1)},
		bait => 'DELETE FROM m.t WHERE id = 1',
	},
	'materialized view with an index' => {
		before => q{ALTER TABLE m.t RENAME TO base; CREATE MATERIALIZED VIEW m.t AS SELECT * FROM m.base; GRANT SELECT ON m.t TO PUBLIC},
		arm => q{CREATE INDEX ON {{t}} ((x + m.evil('index', 1)))},
		bait => 'SELECT count(*) FROM m.t WHERE x = 1',
	},
	'generated column, default' => {
		arm => q{ALTER TABLE {{t}} ADD gen int GENERATED ALWAYS AS (x + m.evil('generated', 1)) STORED,
			ALTER x SET DEFAULT m.evil_volatile('default', 1)},
		bait => 'INSERT INTO m.t (id) VALUES (1001)',
		states => { map { $_ => '55000' } ('sdc_policy_alter(name)', 'sdc_policy_set(name)', 'sdc_publish(regclass)') },	# a column that nobody has named
	},
	'triggers' => {
		arm => q{CREATE TRIGGER now BEFORE INSERT OR DELETE ON {{t}} FOR EACH STATEMENT EXECUTE FUNCTION m.evil_trigger();
			CREATE TRIGGER cut BEFORE TRUNCATE ON {{t}} FOR EACH STATEMENT EXECUTE FUNCTION m.evil_trigger();
			CREATE CONSTRAINT TRIGGER later AFTER INSERT OR DELETE ON {{t}} DEFERRABLE INITIALLY DEFERRED
				FOR EACH ROW EXECUTE FUNCTION m.evil_trigger()},
		bait => 'DELETE FROM m.t WHERE id = 1',
	},
	'domain' => {
		before => q{CREATE DOMAIN m.years AS int; CREATE DOMAIN m.place AS text COLLATE "C";
			ALTER TABLE m.t ALTER age TYPE m.years, ALTER region TYPE m.place},
		once => q{ALTER DOMAIN m.years ADD CHECK (m.evil_volatile('domain', VALUE) = VALUE);
			ALTER DOMAIN m.place ADD CHECK (m.evil_volatile('domain', 1) = 1)},
		bait => 'SELECT 1::m.years',
		makes => '42501',	# a table of the victim's would have her checks
		states => { 'sdc_register(regclass)' => '00000|42501' },	# the domain is in the victim's table too
	},
	'casts' => {
		before => q{CREATE TYPE m.work AS ENUM ('job 0', 'job 1', 'job 2', 'job 3');
			ALTER TABLE m.t ALTER job TYPE m.work USING job::m.work},
		once => q{CREATE FUNCTION m.work_text(m.work) RETURNS text IMMUTABLE LANGUAGE plpgsql AS
				$$ BEGIN PERFORM m.strike('cast to text'); RETURN 'x'; END $$;
			CREATE FUNCTION m.work_json(m.work) RETURNS json IMMUTABLE LANGUAGE plpgsql AS
				$$ BEGIN PERFORM m.strike('cast to json'); RETURN '1'; END $$;
			CREATE FUNCTION m.work_jsonb(m.work) RETURNS jsonb IMMUTABLE LANGUAGE plpgsql AS
				$$ BEGIN PERFORM m.strike('cast to jsonb'); RETURN '1'; END $$;
			CREATE CAST (m.work AS text) WITH FUNCTION m.work_text(m.work) AS IMPLICIT;
			CREATE CAST (m.work AS json) WITH FUNCTION m.work_json(m.work) AS IMPLICIT;
			CREATE CAST (m.work AS jsonb) WITH FUNCTION m.work_jsonb(m.work) AS IMPLICIT},
		bait => q{SELECT to_json(job) FROM m.t LIMIT 1},
	},
	'operators' => {
		before => q{CREATE TYPE m.work AS ENUM ('job 0', 'job 1', 'job 2', 'job 3');
			ALTER TABLE m.t ALTER job TYPE m.work USING job::m.work},
		once => q{CREATE FUNCTION m.same(m.work, m.work) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS
				$$ BEGIN PERFORM m.strike('operator'); RETURN true; END $$;
			CREATE OPERATOR m.= (LEFTARG = m.work, RIGHTARG = m.work, FUNCTION = m.same);
			CREATE OPERATOR m.< (LEFTARG = m.work, RIGHTARG = m.work, FUNCTION = m.same);
			CREATE OPERATOR m.<> (LEFTARG = m.work, RIGHTARG = m.work, FUNCTION = m.same)},
		settings => q{SET search_path = m, public;},
		bait => q{SET search_path = m, public; SELECT count(*) FROM m.t WHERE job = 'job 1'},
	},
	'range type' => {
		before => q{CREATE TYPE m.span AS RANGE (SUBTYPE = float8, SUBTYPE_DIFF = m.evil_difference);
			ALTER TABLE m.t ALTER region TYPE m.span USING m.span(x, x + 1)},
		bait => q{CREATE TABLE postgres.bait AS SELECT region FROM m.t; ANALYZE postgres.bait},
		makes => '42501',	# to analyze such a table runs her function
		states => {
			'sdc_support_bias(regclass)' => '42501',	# a value of such a type is made by it too
			'sdc_verify_record(regclass)' => '0A000',	# and is none that a record could have
		},
	},
	'collation' => {
		before => q{CREATE COLLATION m."C" (PROVIDER = icu, LOCALE = 'und-u-ks-level1', DETERMINISTIC = false);
			ALTER TABLE m.t ALTER region TYPE text COLLATE m."C"},
		arm => q{CREATE INDEX ON {{t}} ((x + m.evil('index', 1)))},
		bait => 'SELECT count(*) FROM m.t WHERE x = 1',
	},
);

# try_kind tries one kind with all calls and both victims.
sub try_kind
{
	my ($name) = @_;
	my $kind = $kind{$name};
	my @armed = ('m.t', 'm.r', 'm.r_random', 'm.r_bins');

	hostile_calm($node);
	# (a policy makes its releases where its source is)
	hostile_as($node, 'postgres', 'GRANT CREATE ON SCHEMA m TO reader');
	hostile_as($node, 'mallory', hostile_table('m.t') . ($kind->{before} // ''));
	hostile_as($node, 'mallory', hostile_releases('m.t', 'm.r') . hostile_policies('m.t', 'm.r'));
	foreach my $victim ('postgres', 'reader')
	{
		hostile_as($node, $victim, "CREATE TABLE $victim.mine AS SELECT id, age FROM m.t");
	}
	hostile_as($node, 'mallory', "SET client_min_messages = warning; " . ($kind->{once} // ''));
	foreach my $table (@armed)
	{
		next if !$kind->{arm};
		hostile_as($node, 'mallory', hostile_fill($kind->{arm}, t => $table));
	}
	hostile_bait($node, $kind->{bait}, $name);

	foreach my $victim ('postgres', 'reader')
	{
		my %name = (s => 'm.t', r => 'm.r', t => "$victim.made", m => "$victim.mine");
		my @calls = map { [ $_->[0], hostile_fill($_->[1], %name) ] } @all;
		my %states = %{ $kind->{states} // {} };
		my $default = $victim eq 'postgres' ? '00000' : $kind->{reader} // '00000';

		if ($kind->{makes})
		{
			my $method = qr/^sdc_(?:protect|rankswap\w*|equi\w+_swap|randomize|pram|noise|permute|generalize|recode|suppress|microaggregate|record_swap|permutation_swap)\((?:text|regclass)\)$/;

			$states{$_} = $kind->{makes} foreach ('sdc_policy_alter(name)', 'sdc_policy_set(name)', 'sdc_publish(regclass)', grep { /$method/ } keys %hostile_class);
		}
		# a condition is the caller's own code: on release and source it needs owners whom he trusts
		$states{'sdc_compare(regclass)'} = $refused;
		# (and of an estimate types of which nobody else has made code)
		$states{$_} //= '00000|42501' foreach ('sdc_estimate(regclass)', 'sdc_estimate(text)');
		# (it is none that sdc_publish has made)
		$states{'sdc_how_accurate(regclass)'} = '55000|42501';
		# what the views stand on tells why, and raises no error
		$states{$_} //= '00000|42501' foreach (grep { /^sdc_private\./ } keys %hostile_class);
		# (what was never evaluated, or has a column that the policy does not name, is not published)
		$states{'sdc_private.run_publish(name)'} = '00000|42501|55000';
		# the map leaves out what the views do, and is an error when nothing is left for it
		$states{'sdc_ru_map_svg(regclass)'} = '00000|55000';
		# what only the owner of a release may do, or is done for owners only
		@states{'sdc_evaluate(regclass)', 'sdc_publish(regclass)', 'sdc_confirm_source(regclass)'} = ('42501', '42501', '00000') if $victim eq 'reader';
		# a policy of hers runs with her rights, where her code can end it, or is none that the caller knows of
		$states{$_} = $victim eq 'reader' ? '42704|22004' : '00000|22004|42P01|55000'
		  foreach (grep { $hostile_class{$_} eq 'runs a policy' } keys %hostile_class);
		hostile_try($node, $victim, \@calls, $name, $default, \%states, settings => $kind->{settings},
			between => qq{DROP TABLE IF EXISTS $victim.made CASCADE; SELECT sdc_unregister('$victim.mine')});
	}
	$node->safe_psql('postgres', 'DROP TABLE postgres.mine, reader.mine;
		DROP TABLE IF EXISTS postgres.sdc_published, postgres.sdc_published_accuracy, public.sdc_published, public.sdc_published_accuracy');
	return;
}

try_kind($_) foreach (sort keys %kind);

# A policy that comes later, after the reader has found the table harmless, in one session and with
# the same statement: what was decided once is decided again.
hostile_calm($node);
hostile_as($node, 'mallory', hostile_table('m.t'));
my $session = $node->background_psql('postgres', on_error_stop => 0, extra_params => [ '-U', 'reader' ]);
my $call = q{SELECT k FROM sdc_kanonymity('m.t', '{region}')};

like(sdc_query($session, "PREPARE again AS $call; EXECUTE again"), qr/^\d+$/, 'a policy added later: without it the table is read');
hostile_as($node, 'mallory', q{
	CREATE POLICY p ON m.t USING (m.evil_stable('policy', x) = x);
	ALTER TABLE m.t ENABLE ROW LEVEL SECURITY});
sdc_start($session, 'EXECUTE again');
like(scalar sdc_finish($session), qr/ERROR: .*is not read: that could run code of role "mallory" with your rights/,
	'a policy added later: the table is not read');
is(hostile_harm($node), '', 'a policy added later: it did not run with the rights of the reader');
hostile_as($node, 'mallory', q{
	DROP POLICY p ON m.t;
	ALTER TABLE m.t DISABLE ROW LEVEL SECURITY;
	CREATE INDEX ON m.t ((x + m.evil('index', 1)))});
sdc_start($session, 'EXECUTE again');
like(scalar sdc_finish($session), qr/^\d+$/, 'an index added later: the table is read');
is(hostile_harm($node), '', 'an index added later: it did not run with the rights of the reader');
$session->quit;

# Code of an owner that runs while one relation is read gives the columns of the next one other names: values of
# one type would be taken for those of another.
hostile_calm($node);
hostile_as($node, 'mallory', hostile_table('m.t') . hostile_releases('m.t', 'm.r') . q{
	CREATE FUNCTION m.rename() RETURNS void LANGUAGE plpgsql AS $$ BEGIN END $$;
	CREATE FUNCTION m.renaming(i int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN PERFORM m.rename(); RETURN i; END $$;
	CREATE INDEX ON m.t ((x + m.renaming(1)));
	CREATE OR REPLACE FUNCTION m.rename() RETURNS void LANGUAGE plpgsql AS $$
		DECLARE t text;
		BEGIN
			FOREACH t IN ARRAY ARRAY['m.r', 'm.r_random', 'm.r_bins'] LOOP
				EXECUTE format('ALTER TABLE %s RENAME age TO was_age', t);
				EXECUTE format('ALTER TABLE %s RENAME region TO age', t);
				EXECUTE format('ALTER TABLE %s RENAME was_age TO region', t);
			END LOOP;
		END $$});
my $type_of_age = q{SELECT atttypid::regtype FROM pg_attribute WHERE attrelid = 'm.r'::regclass AND attname = 'age'};
is($node->safe_psql('postgres', "$type_of_age; BEGIN; SELECT FROM m.t WHERE x = 1 LIMIT 0; $type_of_age; ROLLBACK"), "integer\ntext",
	'columns that change: the trap is live');
my @reading = map { [ $_->[0], hostile_fill($_->[1], r => 'm.r') ] } hostile_all_calls('reads a release');
push @reading, [ 'population', q{SELECT count(*) FROM sdc_attacker_risk('m.t', '{region,age}', 'm.r')} ];
# (what tells of several releases reads these before their source: the table comes first as one of them)
push @reading, [ 'history', q{SELECT count(*) FROM sdc_link_releases('{m.t,m.r}', '{age}', '{m.t}', 10)} ],
  [ 'difference', q{SELECT count(*) FROM sdc_compare_releases('m.t', 'm.r', '{age}', '{m.t}', p => 10)} ];
my @changed = hostile_run($node, 'postgres', \@reading,
	between => qq{DO \$\$ BEGIN IF ($type_of_age) = 'text'::regtype THEN PERFORM m.rename(); END IF; END \$\$});
pop @changed;
is(hostile_states('55000', { 'sdc_compare(regclass)' => '42501', 'sdc_confirm_source(regclass)' => '00000', 'sdc_publish(regclass)' => '00000',
			'sdc_link_releases(regclass[])' => '00000', 'sdc_compare_releases(regclass)' => '00000',	# the columns change after they were read
			'sdc_ru_map_svg(regclass)' => '00000|55000', map { $_ => '00000|55000' } grep { /^sdc_private\.|evaluate/ } keys %hostile_class }, @changed), '',
	'columns that change: no value is read as one of another type');

# A release that has a column of a hostile type: the function of a range type is called when the release, which is
# the superuser's then, is analyzed, by him or by autovacuum.
hostile_calm($node);
hostile_as($node, 'mallory', hostile_table('m.t') . $kind{'range type'}{before});
hostile_run($node, 'postgres', [ [ 'release', q{SELECT count(*) FROM sdc_rankswap('m.t', p => 5, key => '{id}', columns => '{age}',
	target => 'postgres.made', seed => 1)} ] ]);
$node->safe_psql('postgres', 'ANALYZE postgres.made') if $node->safe_psql('postgres', q{SELECT to_regclass('postgres.made')}) ne '';
is(hostile_harm($node), '', 'a release with a column of a hostile type: analyzing it runs nothing with the rights of its owner');
$node->safe_psql('postgres', 'DROP TABLE IF EXISTS postgres.made');

# A job of every night: an ordinary role's and the superuser's, of a table that is somebody else's.
foreach my $victim ('postgres', 'reader')
{
	my $nightly = qq{SELECT count(*) FROM sdc_rankswap('m.t', p => 5, key => '{id}', columns => '{age,income}',
		target => '$victim.night', seed => 1, replace => true)};

	hostile_calm($node);
	hostile_as($node, 'mallory', hostile_table('m.t'));
	hostile_as($node, $victim, $nightly);
	hostile_as($node, 'mallory', q{CREATE INDEX ON m.t ((x + m.evil('index', 1)))});
	hostile_try($node, $victim, [ [ 'job', $nightly ] ], "nightly job of $victim", '00000', {});
	$node->safe_psql('postgres', "DROP TABLE $victim.night");
}

# What the caller says that he trusts is run as before: a control that the calls reach the traps.
hostile_calm($node);
hostile_as($node, 'mallory', hostile_table('m.t') . q{CREATE INDEX ON m.t ((x + m.evil('index', 1)))});
foreach my $trusted ('mallory', '*', 'bob, mallory')
{
	hostile_run($node, 'postgres', [ [ 'trusting', $call ] ], settings => qq{SET sdc.trusted_owners = '$trusted';});
	like(hostile_harm($node), qr/\[trusting\] index ran as postgres/, "sdc.trusted_owners = '$trusted': the owner's code is run");
}
hostile_run($node, 'postgres', [ [ 'trusting', $call ] ], settings => q{SET sdc.trusted_owners = 'bob';});
is(hostile_harm($node), '', "sdc.trusted_owners = 'bob': the code of others is not run");

$node->stop;
done_testing();

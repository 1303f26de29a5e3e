# 014_hostile_release.pl
#		The owner of a release is hostile: whoever evaluates, lists or replaces it is not harmed.
#
# The source is bob's, and has nothing bad in it.  Mallory may read it and has made releases,
# which she then furnished with code.  The views over all releases are read by people who never
# named hers.

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
my @releases = ('m.r', 'm.r_random', 'm.r_bins');
my @views = map { [ "view $_", "SELECT count(*) FROM $_" ] }
  ('sdc_releases', 'sdc_scores', 'sdc_ru_map', 'sdc_query_errors', 'sdc_association_recall', 'sdc_attributes', 'sdc_progress');

hostile_as($node, 'bob', hostile_table('bob.t') . hostile_releases('bob.t', 'bob.r'));

# What is done to a release, and what springs it.
my %kind = (
	'index expression' => {
		arm => q{CREATE INDEX ON {{t}} ((income + m.evil('index', 1)))},
		bait => 'SELECT count(*) FROM m.r WHERE age = 1',
	},
	'index predicate' => {
		arm => q{CREATE INDEX ON {{t}} (age) WHERE age > m.evil('predicate', 1)},
		bait => 'SELECT count(*) FROM m.r WHERE age = 1',
	},
	'statistics' => {
		arm => q{CREATE STATISTICS {{t}}_st ON (age + m.evil('statistics', 1)), income FROM {{t}}},
		bait => 'SELECT count(*) FROM m.r WHERE age = 1',
	},
	'policy' => {
		arm => q{CREATE POLICY p ON {{t}} USING (m.evil_stable('policy', age) = age);
			ALTER TABLE {{t}} ENABLE ROW LEVEL SECURITY},
		bait => 'SET ROLE reader; SELECT count(*) FROM m.r',
		refused => 1,
	},
	'inheritance child' => {
		arm => q{CREATE TABLE {{t}}_child () INHERITS ({{t}});
			CREATE INDEX ON {{t}}_child ((age + m.evil('index of a child', 1)))},
		bait => 'SELECT count(*) FROM m.r WHERE age = 1',
	},
	'made a view' => {
		# a table with ON SELECT rules became a view: the same OID, another kind
		arm => q{CREATE TABLE {{t}}_copy AS SELECT * FROM {{t}}; DELETE FROM {{t}};
			CREATE RULE "_RETURN" AS ON SELECT TO {{t}} DO INSTEAD
				SELECT {{columns}} FROM {{t}}_copy WHERE m.evil_volatile('rule', id) = id},
		bait => 'SELECT count(*) FROM m.r',
		refused => 1,
	},
	'triggers' => {
		arm => q{CREATE TRIGGER now BEFORE INSERT OR DELETE OR UPDATE ON {{t}} FOR EACH STATEMENT EXECUTE FUNCTION m.evil_trigger();
			CREATE TRIGGER cut BEFORE TRUNCATE ON {{t}} FOR EACH STATEMENT EXECUTE FUNCTION m.evil_trigger();
			CREATE CONSTRAINT TRIGGER later AFTER INSERT OR DELETE OR UPDATE ON {{t}} DEFERRABLE INITIALLY DEFERRED
				FOR EACH ROW EXECUTE FUNCTION m.evil_trigger()},
		bait => 'DELETE FROM m.r WHERE id = 1',
	},
);

# prepare makes mallory's releases of bob's table, and arms them.
sub prepare
{
	my ($kind, $name) = @_;

	hostile_calm($node);
	hostile_as($node, 'mallory', hostile_releases('bob.t', 'm.r'));
	foreach my $table (@releases)
	{
		my $columns = $node->safe_psql('postgres', qq{SELECT string_agg(attname, ', ' ORDER BY attnum)
			FROM pg_attribute WHERE attrelid = '$table'::regclass AND attnum > 0 AND NOT attisdropped});

		hostile_as($node, 'mallory', hostile_fill($kind->{arm}, t => $table, columns => $columns));
	}
	hostile_bait($node, $kind->{bait}, $name);
	return;
}

foreach my $name (sort keys %kind)
{
	my $kind = $kind{$name};

	# from PostgreSQL 16 on no table becomes a view
	next if $name eq 'made a view' && $node->pg_version >= 16;
	prepare($kind, $name);
	foreach my $victim ('postgres', 'bob', 'reader')
	{
		my @calls = map { [ $_->[0], hostile_fill($_->[1], r => 'm.r') ] } hostile_all_calls('reads a release', parts => 1);
		my %states;

		# what is for the owner of a release: one of others is left as it is, or is an error
		@states{'sdc_confirm_source(regclass)', 'sdc_publish(regclass)'} = ('00000', '42501') if $victim ne 'postgres';
		# a condition is the caller's own code: it needs an owner whom he trusts
		$states{'sdc_compare(regclass)'} = '42501';
		# what the views stand on tells why, and raises no error
		$states{$_} //= '00000|42501' foreach (grep { /^sdc_private\./ } map { $_->[0] } @calls);
		# so does the map, which is an error only when nothing is left for it
		$states{$_} = '00000|55000' foreach ('sdc_ru_map_svg(regclass)', 'sdc_private.ru_map_svg(regclass)');
		# (inheritance children are in, so the records of the release are those of both)
		hostile_try($node, $victim, \@calls, "$name, evaluated", $kind->{refused} && $victim ne 'postgres' ? '42501' : '00000|42501', \%states);
		hostile_try($node, $victim, \@views, "$name, listed", '00000', {});
	}

	# A superuser who looks at the views has named none of these: what belongs to somebody whom he
	# does not trust is not even planned.
	next if $name eq 'triggers';
	hostile_as($node, 'mallory', 'DELETE FROM m.loot');
	foreach my $view ('sdc_scores', 'sdc_query_errors', 'sdc_association_recall')
	{
		like($node->safe_psql('postgres', qq{SET sdc.trusted_owners = bob; SELECT DISTINCT problem FROM $view WHERE release IN ('m.r'::regclass, 'm.r_random')}),
			qr/could run code of role "mallory"/, "$name: $view tells the superuser why there is nothing");
	}
	is(hostile_as($node, 'mallory', 'SELECT count(*) FROM m.loot'), '0', "$name: nothing is planned, with nobody's rights");
	is($node->safe_psql('postgres', q{SET sdc.trusted_owners = bob;
			SELECT count(*) FROM sdc_scores WHERE release = 'bob.r'::regclass AND problem IS NULL}),
		'1', "$name: the score of bob's release is there, for who trusts him");
}

# The source is hostile, and known only by the views: a stranger registers a release of his own.
hostile_calm($node);
hostile_as($node, 'mallory', hostile_table('m.t') . hostile_releases('m.t', 'm.r') . q{
	CREATE INDEX ON m.t ((x + m.evil('index of the source', 1)));
	CREATE STATISTICS m.st ON (x + m.evil('statistics of the source', 1)), age FROM m.t});
hostile_bait($node, 'SELECT count(*) FROM m.t WHERE x = 1', 'a hostile source');
foreach my $victim ('postgres', 'reader', 'bob')
{
	hostile_try($node, $victim, \@views, 'a hostile source, listed', '00000', {});
}
is($node->safe_psql('postgres', q{SELECT count(*) FROM sdc_scores WHERE source = 'm.t'::regclass AND problem IS NULL}),
	'0', 'a hostile source: none is scored for the superuser');
hostile_as($node, 'mallory', 'DELETE FROM m.loot');
$node->safe_psql('postgres', 'SELECT count(*) FROM sdc_scores, sdc_query_errors, sdc_association_recall');
is(hostile_as($node, 'mallory', 'SELECT count(*) FROM m.loot'), '0', 'a hostile source: nothing of it is planned, with nobody\'s rights');

# Replacing: the superuser and the deputy, who may write there, make a release of mallory's anew.  What stands
# on it is built again: indexes, statistics, policies, triggers.
my $furniture = q{
	CREATE INDEX ON m.r ((income + m.evil('index', 1)));
	CREATE INDEX ON m.r (age) WHERE age > m.evil('predicate', 1);
	CREATE STATISTICS m.st ON (age + m.evil('statistics', 1)), income FROM m.r;
	ALTER TABLE m.r ADD CHECK (age + m.evil('check', 1) > 0);
	CREATE POLICY p ON m.r USING (m.evil_stable('policy', age) = age);
	ALTER TABLE m.r ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
	CREATE RULE r AS ON INSERT TO m.r DO ALSO SELECT m.evil_volatile('rule', 1);
	CREATE TRIGGER now BEFORE INSERT OR DELETE OR UPDATE ON m.r FOR EACH STATEMENT EXECUTE FUNCTION m.evil_trigger();
	CREATE TRIGGER cut BEFORE TRUNCATE ON m.r FOR EACH STATEMENT EXECUTE FUNCTION m.evil_trigger();
	CREATE CONSTRAINT TRIGGER later AFTER INSERT OR DELETE OR UPDATE ON m.r DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW EXECUTE FUNCTION m.evil_trigger();
	CREATE VIEW m.standing AS SELECT m.evil_volatile('view', age) FROM m.r;
	ALTER TABLE m.r ALTER age SET DEFAULT m.evil_volatile('default', 1)};

foreach my $source ('bob.t', 'm.t')
{
	hostile_calm($node);
	hostile_as($node, 'mallory', hostile_table('m.t') . hostile_releases($source, 'm.r') . $furniture);
	hostile_harm($node);
	foreach my $victim ('postgres', 'deputy')
	{
		my @results = hostile_run($node, $victim, [ map { [ "$_->[0] of $source",
			"SELECT count(*) FROM $_->[0]('$source', $_->[1] key => '{id}', target => '$_->[2]', seed => 2, replace => true)" ] }
			[ 'sdc_rankswap', q{p => 5, columns => '{age,income}',}, 'm.r' ], [ 'sdc_randomize', q{'{region,job}',}, 'm.r_random' ],
			[ 'sdc_equidepth_swap', q{columns => '{age,income}', depth => 10,}, 'm.r_bins' ] ]);
		my $lost = pop @results;
		is(hostile_harm($node), '', "replaced by $victim, from $source: no code runs with his rights");
		is($lost->[0], '', "replaced by $victim, from $source: the session is as it was");
	}
}

# Unregistering and classifying look at the catalog only.
hostile_calm($node);
hostile_as($node, 'mallory', hostile_releases('bob.t', 'm.r') . q{CREATE INDEX ON m.r ((income + m.evil('index', 1)))});
hostile_try($node, 'postgres', [ [ 'classify', q{SELECT sdc_classify('m.r', 'age', 'sensitive')} ], [ 'unregister', q{SELECT sdc_unregister('m.r')} ] ],
	'classified and unregistered', '00000', {});

$node->stop;
done_testing();

# 021_hostile_publication.pl
#		The owner of a publication, or of the release, is hostile: whoever publishes, for him or over him, is not harmed.
#
# Mallory owns the release m.r and the publication m.p.  The superuser, and a role that has her rights, give the
# publication new contents, in both ways.

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
my $publish = q{SELECT records FROM sdc_publish('m.r', 'm.p', keep => '{region,job,x}', mode => '%s', replace => true, force => true)};
my @calls = ((map { [ $_, sprintf $publish, $_ ] } ('exchange', 'rows')), [ 'view', 'SELECT count(*) FROM sdc_publications' ],
	[ 'withdraw', q{SELECT sdc_withdraw('m.p', 'enough')} ]);

# What is done to publication or release, what springs it, and what the calls end with.
my %kind = (
	'index expression' => {
		arm => q{CREATE INDEX ON m.p ((income + m.evil('index', 1)))},
		bait => 'SELECT count(*) FROM m.p WHERE age = 1',
		states => { exchange => '55000', rows => '55000' },
	},
	'index predicate' => {
		arm => q{CREATE INDEX ON m.p (age) WHERE age > m.evil('predicate', 1)},
		bait => 'SELECT count(*) FROM m.p WHERE age = 1',
		states => { exchange => '55000', rows => '55000' },
	},
	'statistics' => {
		arm => q{CREATE STATISTICS m.st ON (age + m.evil('statistics', 1)), income FROM m.p},
		bait => 'SELECT count(*) FROM m.p WHERE age = 1',
	},
	'policy' => {
		arm => q{CREATE POLICY p ON m.p USING (m.evil_stable('policy', age) = age);
			ALTER TABLE m.p ENABLE ROW LEVEL SECURITY; GRANT SELECT ON m.p TO PUBLIC},
		bait => 'SET ROLE reader; SELECT count(*) FROM m.p',
	},
	'triggers' => {
		arm => q{CREATE TRIGGER now BEFORE INSERT OR DELETE OR UPDATE ON m.p FOR EACH STATEMENT EXECUTE FUNCTION m.evil_trigger();
			CREATE CONSTRAINT TRIGGER later AFTER INSERT OR DELETE OR UPDATE ON m.p DEFERRABLE INITIALLY DEFERRED
				FOR EACH ROW EXECUTE FUNCTION m.evil_trigger()},
		bait => 'DELETE FROM m.p WHERE age = 21',
	},
	'rule' => {
		arm => q{CREATE RULE r AS ON DELETE TO m.p DO ALSO SELECT m.strike('rule')},
		bait => 'DELETE FROM m.p',
	},
	'view on it' => {
		arm => q{CREATE VIEW m.v AS SELECT m.evil_volatile('view', age) FROM m.p},
		bait => 'SELECT * FROM m.v',
		states => { withdraw => '2BP01' },
	},
	'check' => {
		arm => q{ALTER TABLE m.p ADD CHECK (m.evil('check', age) = age)},
		bait => q{INSERT INTO m.p (age) VALUES (1)},
		states => { exchange => '55000', rows => '55000' },
	},
	'index expression of the release' => {
		arm => q{CREATE INDEX ON m.r ((income + m.evil('index', 1)))},
		bait => 'SELECT count(*) FROM m.r WHERE age = 1',
	},
	# her code runs with her rights while the release is read, and changes the publication after it was looked at
	'changed meanwhile' => {
		hostile_meanwhile(q{CREATE INDEX IF NOT EXISTS late ON m.p ((income + m.evil('late index', 1)))}),
		states => { exchange => '55000|00000', rows => '55000|00000' },
	},
	'dropped meanwhile' => {
		hostile_meanwhile(q{DROP TABLE m.p;
			CREATE TABLE m.p (age int);
			CREATE TRIGGER t BEFORE INSERT ON m.p FOR EACH ROW EXECUTE FUNCTION m.evil_trigger()}),
		states => { exchange => '42P01|00000', rows => '42P01|00000' },
	},
);

hostile_as($node, 'bob', hostile_table('bob.t'));
hostile_each($node, \%kind, q{SET client_min_messages = warning;
	SELECT FROM sdc_rankswap('bob.t', p => 5, key => '{id}', columns => '{age,income}', target => 'm.r', seed => 1);
	SELECT FROM sdc_publish('m.r', 'm.p', keep => '{region,job,x}', force => true);
	GRANT ALL ON m.r, m.p TO PUBLIC}, \@calls, {});

# A column of a type that brings functions along is not published.
hostile_calm($node);
hostile_as($node, 'mallory', hostile_table('m.t') . q{
	CREATE DOMAIN m.small AS int CHECK (m.evil_volatile('domain', VALUE) = VALUE);
	CREATE TABLE m.r AS SELECT id, age::m.small AS age, income FROM m.t;
	ALTER TABLE m.t ALTER age TYPE m.small;
	SELECT public.sdc_register('m.t', 'm.r', '{age,income}', '{id}')});
hostile_bait($node, 'SELECT 1::m.small', 'domain');
hostile_try($node, 'postgres', [ [ 'domain', q{SELECT FROM sdc_publish('m.r', 'postgres.p', force => true)} ] ], 'a domain', '42501', {});

# Names that look like code.
hostile_calm($node);
my $evil = q{x"; SELECT m.strike('name'); --};
my ($quoted, $array) = map { my $n = $evil; $n =~ s/$_->[0]/$_->[0]$_->[0]/g; $_->[1] . $n . $_->[1] } ([ '"', '"' ], [ "'", "'" ]);
hostile_as($node, 'mallory', hostile_table('m.t') . qq{
	ALTER TABLE m.t RENAME x TO $quoted;
	SELECT FROM sdc_rankswap('m.t', p => 5, key => '{id}', columns => '{age}', target => 'm.r', seed => 1)});
my $keep = "ARRAY['income', 'region', 'job', $array]";
hostile_try($node, 'postgres', [
	[ 'names', qq{SELECT FROM sdc_publish('m.r', \$n\$m.$quoted\$n\$, keep => $keep, grant_to => '{reader}', force => true)} ],
	[ 'role', qq{SELECT FROM sdc_publish('m.r', 'm.q', keep => $keep, grant_to => ARRAY[$array], force => true)} ],
	[ 'again', qq{SELECT FROM sdc_publish('m.r', \$n\$m.$quoted\$n\$, keep => $keep, replace => true, force => true)} ] ], 'names', '00000', { role => '42704' });

$node->stop;
done_testing();

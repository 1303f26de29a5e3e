# 022_hostile_accuracy.pl
#		The table beside a publication: its owner is hostile, somebody takes its name, and the analyst wants more: a way in, or
#		the records of the source from the figures.
#
# Mallory owns the release m.r, the publication m.p and its accuracy table.  The superuser, and a role that has her
# rights, give the publication new contents, estimate from it, and withdraw it.

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
my $publish = q{SELECT records FROM sdc_publish('m.r', 'm.p', keep => '{income,x}', mode => '%s', replace => true, force => true)};
my @calls = ((map { [ $_, sprintf $publish, $_ ] } ('exchange', 'rows')),
	[ 'estimate', q{SELECT count(estimate) FROM sdc_estimate('m.p', conditions => '{"region = ''region 1''"}')} ],
	[ 'total', q{SELECT count(estimate) FROM sdc_estimate('m.p', measure => 'income')} ],
	[ 'accurate', q{SELECT count(*) FROM sdc_how_accurate('m.p', 'income > 3 AND region = $$region 1$$')} ],
	[ 'withdraw', q{SELECT sdc_withdraw('m.p', 'enough')} ]);

my %always;

# What is done to the table or the release, what springs it, and what the calls end with.
my %kind = (
	'index expression' => {
		arm => q{CREATE INDEX ON m.p_accuracy ((value + m.evil('index', 1)))},
		bait => q{SELECT count(*) FROM m.p_accuracy WHERE measure = 'x'},
		states => { exchange => '55000', rows => '55000' },
	},
	'policy' => {
		arm => q{CREATE POLICY p ON m.p_accuracy USING (m.evil_stable('policy', 1) = 1);
			ALTER TABLE m.p_accuracy ENABLE ROW LEVEL SECURITY; GRANT SELECT ON m.p_accuracy TO PUBLIC},
		bait => 'SET ROLE reader; SELECT count(*) FROM m.p_accuracy',
	},
	'triggers' => {
		arm => q{CREATE TRIGGER now BEFORE INSERT OR DELETE OR UPDATE ON m.p_accuracy FOR EACH STATEMENT EXECUTE FUNCTION m.evil_trigger();
			CREATE CONSTRAINT TRIGGER later AFTER INSERT OR DELETE OR UPDATE ON m.p_accuracy DEFERRABLE INITIALLY DEFERRED
				FOR EACH ROW EXECUTE FUNCTION m.evil_trigger()},
		bait => 'DELETE FROM m.p_accuracy WHERE part = $$release$$',
	},
	'rule' => {
		arm => q{CREATE RULE r AS ON DELETE TO m.p_accuracy DO ALSO SELECT m.strike('rule')},
		bait => 'DELETE FROM m.p_accuracy',
	},
	'check' => {
		arm => q{ALTER TABLE m.p_accuracy ADD CHECK (m.evil('check', 1) = 1)},
		bait => q{INSERT INTO m.p_accuracy (part) VALUES ('x')},
		states => { exchange => '55000', rows => '55000' },
	},
	'a view in its place' => {
		arm => q{DROP TABLE m.p_accuracy; CREATE VIEW m.p_accuracy AS
			SELECT 'method'::text AS part, 'region'::name AS attribute, 'draws'::text AS measure, m.evil_volatile('view', 1)::float8 AS value},
		bait => 'SELECT * FROM m.p_accuracy',
		states => { exchange => '42P07', rows => '42P07', estimate => '22004', total => '22004', accurate => '55000' },
	},
	'a table in its place' => {
		arm => q{DROP TABLE m.p_accuracy; CREATE TABLE m.p_accuracy (part text, attribute name, measure text, value float8);
			CREATE TRIGGER t BEFORE INSERT ON m.p_accuracy FOR EACH ROW EXECUTE FUNCTION m.evil_trigger()},
		bait => q{INSERT INTO m.p_accuracy VALUES ('x')},
		states => { exchange => '42P07', rows => '42P07', estimate => '55000', total => '55000', accurate => '55000' },
	},
	'another column' => {
		arm => q{ALTER TABLE m.p_accuracy ADD more int DEFAULT m.evil_volatile('default', 1)},
		bait => q{INSERT INTO m.p_accuracy (part) VALUES ('x')},
		states => { exchange => '55000', rows => '55000', estimate => '22004', total => '22004', accurate => '55000' },
	},
	# her code runs with her rights while the release is measured and read, and changes the table after it was looked at
	'changed meanwhile' => {
		hostile_meanwhile(q{CREATE INDEX IF NOT EXISTS late ON m.p_accuracy ((value + m.evil('late index', 1)))}),
		states => { exchange => '55000|00000', rows => '55000|00000' },
	},
	'dropped meanwhile' => {
		hostile_meanwhile(q{DROP TABLE m.p_accuracy;
			CREATE TABLE m.p_accuracy (part text, attribute name, measure text, value float8);
			CREATE TRIGGER t BEFORE INSERT ON m.p_accuracy FOR EACH ROW EXECUTE FUNCTION m.evil_trigger()}),
		states => { exchange => '42P01|42P07|00000', rows => '42P01|42P07|00000' },
	},
);

hostile_as($node, 'bob', hostile_table('bob.t'));
hostile_each($node, \%kind, q{SET client_min_messages = error;
	SELECT FROM sdc_randomize('bob.t', '{age,region,job}', key => '{id}', target => 'm.r', seed => 1);
	SELECT FROM sdc_publish('m.r', 'm.p', keep => '{income,x}', force => true);
	GRANT ALL ON m.r, m.p, m.p_accuracy TO PUBLIC}, \@calls, \%always, settings => 'SET client_min_messages = error;');

# Somebody who may create in the schema takes the name first: the publication is not made.
hostile_calm($node);
hostile_as($node, 'bob', q{SET client_min_messages = error; SELECT FROM sdc_randomize('bob.t', '{age,region,job}', key => '{id}', target => 'bob.r', seed => 1)});
$node->safe_psql('postgres', 'GRANT USAGE, CREATE ON SCHEMA m TO bob');
hostile_as($node, 'mallory', q{CREATE TABLE m.q_accuracy (part text, attribute name, measure text, value float8); GRANT ALL ON m.q_accuracy TO PUBLIC});
hostile_try($node, 'bob', [ [ 'name', q{SELECT FROM sdc_publish('bob.r', 'm.q', keep => '{income,x}', force => true)} ] ], 'a name that is taken', '42501', {},
	settings => 'SET client_min_messages = error;');
is($node->safe_psql('postgres', q{SELECT to_regclass('m.q') IS NULL}), 't', 'a name that is taken: nothing is there');

# A forged row in the catalog makes no table of hers the accuracy of somebody else's publication.
hostile_as($node, 'bob', q{SET client_min_messages = error; SELECT FROM sdc_publish('bob.r', 'bob.p', keep => '{income,x}', force => true)});
my $forged = q{INSERT INTO sdc_private.sdc_publication_catalog SELECT 'm.q_accuracy', (SELECT reltype FROM pg_class WHERE oid = 'm.q_accuracy'::regclass)::regtype,
	'bob.p', (SELECT reltype FROM pg_class WHERE oid = 'bob.p'::regclass)::regtype, 'accuracy', '{}', '{}', 0, '', '', false, 'mallory', now(), '-'};
my ($status) = $node->psql('postgres', $forged, extra_params => [ '-U', 'mallory' ]);
isnt($status, 0, 'a forged row: she cannot add one');
$node->safe_psql('postgres', 'GRANT USAGE ON SCHEMA sdc_private TO mallory');
($status) = $node->psql('postgres', $forged, extra_params => [ '-U', 'mallory' ]);
isnt($status, 0, 'a forged row: nor where she may use the schema');
$node->safe_psql('postgres', 'GRANT INSERT ON sdc_private.sdc_publication_catalog TO mallory');
hostile_as($node, 'mallory', $forged);
hostile_as($node, 'bob', q{SET client_min_messages = error; SELECT FROM sdc_publish('bob.r', 'bob.p', keep => '{income,x}', replace => true, force => true)});
is($node->safe_psql('postgres', q{SELECT (SELECT count(*) FROM m.q_accuracy), (SELECT count(*) > 10 FROM bob.p_accuracy)}), '0|t', 'a forged row: nothing is written to her table');
$node->safe_psql('postgres', q{REVOKE INSERT ON sdc_private.sdc_publication_catalog FROM mallory; REVOKE USAGE ON SCHEMA sdc_private FROM mallory});

# The analyst: with SELECT on the two tables there is no way to the source, the release, the key, the seed, or the log.
$node->safe_psql('postgres', q{SET client_min_messages = error;
	CREATE SCHEMA inside; CREATE SCHEMA outside; GRANT USAGE ON SCHEMA outside TO reader;
	CREATE TABLE inside.t AS SELECT i * 7 AS code, i % 2 AS sex, i % 5 AS region, i % 3 AS job, 1000 + i AS income FROM generate_series(1, 500) AS i;
	ALTER TABLE inside.t ADD PRIMARY KEY (code);
	SELECT FROM sdc_protect('inside.t', '[{"method": "randomize", "qi": ["sex", "region", "job"]}, {"method": "rankswap", "columns": ["income"], "p": 7.5}]', target => 'inside.r', seed => 'hidden');
	SELECT FROM sdc_publish('inside.r', 'outside.p', grant_to => '{reader}', force => true)});
my $analyst = sub {
	my ($sql) = @_;
	my ($status, $out, $err) = $node->psql('postgres', $sql, extra_params => [ '-U', 'reader' ]);

	return $status == 0 ? $out : $err =~ /ERROR:\s+(.*)/ ? "error: $1" : 'error';
};
like($analyst->('SELECT count(*) FROM outside.p, outside.p_accuracy'), qr/^\d+$/, 'analyst: reads the two tables');
like($analyst->(q{SELECT estimate FROM sdc_estimate('outside.p', conditions => '{"sex = 1","region = 2"}')}), qr/^[\d.]+$/, 'analyst: estimates');
like($analyst->('SELECT * FROM inside.t'), qr/^error: permission denied/, 'analyst: not the source');
like($analyst->('SELECT * FROM inside.r'), qr/^error: permission denied/, 'analyst: not the release');
is($analyst->('SELECT count(*) FROM sdc_releases WHERE release::text ~ $$inside$$'), '0', 'analyst: not how the release was made');
is($analyst->('SELECT count(*), count(release), min(accuracy::text) FROM sdc_publications WHERE publication::text ~ $$outside$$'), '1|0|outside.p_accuracy',
	'analyst: what was published, not what from');
like($analyst->("SELECT * FROM $_"), qr/^error: permission denied/, "analyst: not $_") foreach ('sdc_private.sdc_release_catalog', 'sdc_private.sdc_publication_catalog', 'sdc_private.sdc_secret');
my $everything = $analyst->('SELECT a::text FROM outside.p_accuracy AS a');
unlike($everything, qr/hidden|seed|code|inside/, 'analyst: neither key nor seed in the accuracy table');
unlike($analyst->(q{SELECT string_agg(description, '') FROM pg_description WHERE objoid IN ('outside.p'::regclass, 'outside.p_accuracy'::regclass)}),
	qr/hidden|seed|code|inside|^$/, 'analyst: nor in comments');
# no number that only some record could have: values are probabilities, counts of all, and rounded shares
is($analyst->(q{SELECT count(*) FROM outside.p_accuracy AS f LEFT JOIN outside.p_accuracy AS r ON r.measure = f.measure || '_rounding' AND r.part = f.part AND r.attribute IS NOT DISTINCT FROM f.attribute
	WHERE f.value IS NOT NULL AND f.part NOT IN ('release', 'method') AND f.measure !~ '_rounding$' AND (r.value IS NULL OR r.value > 0.1 OR abs(f.value / r.value - round(f.value / r.value)) > 1e-6)}), '0', 'analyst: every measure is rounded');
is($analyst->(q{SELECT count(value) > 10 FROM outside.p_accuracy WHERE part NOT IN ('release', 'method')}), 't', 'analyst: and some are told');
is($analyst->(q{SELECT count(*) FROM outside.p_accuracy WHERE value > 400 AND part <> 'release'}), '0', 'analyst: no value of the source');
is($analyst->(q{SELECT count(*) FROM pg_description WHERE objoid IN ('outside.p'::regclass, 'outside.p_accuracy'::regclass)
	AND description ~* 'inside|seed|steward|[0-9]'}), '0', 'analyst: no comment tells of the release');
foreach my $call (q{sdc_score('outside.p')}, q{sdc_people_found('outside.p')}, q{sdc_record_risk('outside.p')}, q{sdc_compare('outside.p')},
	q{sdc_private.accuracy('inside.r', '{income}', 500, 1000)}, q{sdc_private.accuracy('outside.p', NULL, NULL, NULL)},
	q{sdc_publish('outside.p', 'reader.p', force => true)}, q{sdc_withdraw('outside.p', 'x')})
{
	my $got = $analyst->("SELECT * FROM $call");

	ok($got =~ /^error/ || $got eq '', "analyst: nothing from $call");
	next if $call !~ /sdc_private/;
	like($got, qr/permission denied for schema sdc_private/, "analyst: does not get at $call");
	hostile_let_in($node, 'reader');
	$got = $analyst->("SELECT * FROM $call");
	ok($got =~ /^error/ || $got eq '', "analyst: nothing from $call, if it is given away");
	$node->safe_psql('postgres', 'REVOKE USAGE ON SCHEMA sdc_private FROM reader');
}
like($analyst->('INSERT INTO outside.p_accuracy VALUES (NULL)'), qr/^error: permission denied/, 'analyst: writes nothing');

# The analyst computes. In each of many publications of one source he looks for the income of somebody that is 31,415,926,
# and is in the publication itself now and then. What he knows besides is how the figures were made.
$node->safe_psql('postgres', q{SET client_min_messages = error;
	CREATE TABLE inside.pay AS SELECT i AS id, 20000 + (i * 7919) % 40009 AS income, (i * 37) % 21 AS age FROM generate_series(1, 999) AS i;
	INSERT INTO inside.pay VALUES (1000, 31415926, 7);
	ALTER TABLE inside.pay ADD PRIMARY KEY (id);
	-- a signed column with a mean near 0, and one with a mean that is not
	CREATE TABLE inside.gain AS SELECT i AS id, ((i * 104729) % 2003 - 1001) / 10.0 AS x, ((i * 104729) % 2003) / 10.0 AS y, (i * 37) % 21 AS age FROM generate_series(1, 1000) AS i;
	ALTER TABLE inside.gain ADD PRIMARY KEY (id);
	-- a rare one
	CREATE TABLE inside.ill AS SELECT i AS id, (i IN (17, 400, 777))::int AS ill, (i * 37) % 21 AS age, i % 10 AS g FROM generate_series(1, 1000) AS i;
	ALTER TABLE inside.ill ADD PRIMARY KEY (id);
	DO $$
	BEGIN
		FOR night IN 1 .. 12 LOOP
			PERFORM FROM sdc_randomize('inside.pay', '{income,age}', draws => 1, target => 'inside.pay_' || night, seed => night);
			PERFORM FROM sdc_randomize('inside.gain', '{x,y,age}', draws => 1, target => 'inside.gain_' || night, seed => night);
			PERFORM FROM sdc_randomize('inside.ill', '{ill,age,g}', draws => 1, target => 'inside.ill_' || night, seed => night);
			PERFORM FROM sdc_evaluate(('inside.pay_' || night)::regclass);
			PERFORM FROM unnest('{pay,gain,ill}'::text[]) AS name, sdc_publish((format('inside.%s_%s', name, night))::regclass, format('outside.%s_%s', name, night), grant_to => '{reader}', force => true);
		END LOOP;
	END $$});
my (@outlier, @withheld);
foreach my $night (1 .. 12)
{
	my ($error, $spread) = map { "(SELECT value FROM outside.pay_${night}_accuracy WHERE attribute = 'income' AND measure = '$_')" } ('mean_error', 'sd_error');
	# from mean and deviation, each error being of the source above the publication; the number of the records is known
	my $got = $analyst->(qq{SELECT max(income) > 1000000, round((avg(income) * (1 + $error) * count(*) - avg(income) * (count(*) - 1))::numeric),
		round((avg(income) + sqrt(count(*) * (stddev(income) * (1 + $spread)) ^ 2 - count(*) * var_samp(income)))::numeric) FROM outside.pay_$night});
	my ($public, @guess) = split /\|/, $got;

	push @withheld, $night if $public eq 't' && $guess[0] ne '';
	push @outlier, $public eq 'f' ? grep { $_ ne '' } @guess : ();
}
cmp_ok(scalar @outlier, '>', 2, 'outlier: some publications are without it, and have figures');
is(join(' ', grep { $_ > 31415926 / 4 } @outlier), '', 'outlier: no night tells its size');
is(join(' ', @withheld), '', 'outlier: where it is in the publication the error of the mean is withheld');
is($analyst->(join ' UNION ALL ', map { "SELECT measure, value FROM outside.gain_${_}_accuracy WHERE attribute = 'x' AND measure = 'mean_error' AND value IS NOT NULL" } 1 .. 12), '',
	'signed column: nothing is told of a mean near 0');
is($analyst->(join ' UNION ALL ', map { "SELECT measure, value FROM outside.ill_${_}_accuracy WHERE attribute = 'ill' AND measure ~ '^(mean_error|sd_error|ks|hellinger)\$' AND value IS NOT NULL" } 1 .. 12), '',
	'rare value: nothing is told of its count');
# Of the other column figures are told. Who knows all others intersects what twelve nights say of the mean: each says that it is
# within the figure and its rounding and a half of the published one, on one side or the other.
my ($low, $high) = (-1e9, 1e9);
foreach my $night (1 .. 12)
{
	my $table = "outside.gain_${night}_accuracy WHERE attribute = 'y' AND measure =";
	my ($mean, $value, $rounding) = split /\|/, $analyst->(qq{SELECT avg(y)::float8, (SELECT value FROM $table 'mean_error'),
		(SELECT value FROM $table 'mean_error_rounding') FROM outside.gain_$night});
	my ($near, $far) = ($mean * (1 - $value - 1.5 * $rounding), $mean * (1 + $value + 1.5 * $rounding));

	$low = $near if $near > $low;
	$high = $far if $far < $high;
}
my ($least, $most) = split /\|/, $node->safe_psql('postgres', "SELECT $low * 1000 - sum(y), $high * 1000 - sum(y) FROM inside.gain WHERE id <> 500");
cmp_ok($least, '<', 0, 'nights: as little as any value is possible');
cmp_ok($most, '>', 200.3, 'nights: and as much as any');

# After a restore the two tables belong together as before: the analyst estimates, and new contents go to both.
$node->command_ok([ 'pg_dump', '-f', "$PostgreSQL::Test::Utils::tmp_check/accuracy.sql", 'postgres' ], 'dumped');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', 'restored', '-f', "$PostgreSQL::Test::Utils::tmp_check/accuracy.sql" ], 'restored');
my $estimate = q{SELECT estimate, standard_error FROM sdc_estimate('outside.p', conditions => '{"sex = 1","region = 2"}')};
is($node->safe_psql('restored', $estimate, extra_params => [ '-U', 'reader' ]), $analyst->($estimate), 'restored: the analyst estimates the same');
is($node->safe_psql('restored', q{SET client_min_messages = error; ALTER TABLE outside.p_accuracy RENAME TO moved;
	SELECT records FROM sdc_publish('inside.r', 'outside.p', replace => true, force => true); SELECT to_regclass('outside.p_accuracy') IS NULL;
	SELECT sdc_withdraw('outside.p', 'moved'); SELECT to_regclass('outside.moved') IS NULL}), "500\nt\n\nt", 'restored: the table is known by more than its name');

$node->stop;
done_testing();

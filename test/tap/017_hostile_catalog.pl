# 017_hostile_catalog.pl
#		Who may write rows of the catalog, to restore them, misleads nobody but himself by them.
#
# The owner of the database, who is hostile here, inserts rows about tables of others, copies
# checksums, registers guessed tables, and sets settings of the database.

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

$node->safe_psql('postgres', 'CREATE DATABASE d OWNER mallory');
hostile_calm($node, 'd');
$node->safe_psql('d', q{
	CREATE EXTENSION sdc SCHEMA public;
	CREATE SCHEMA bob AUTHORIZATION bob;
	CREATE SCHEMA reader AUTHORIZATION reader;
	GRANT USAGE ON SCHEMA bob TO PUBLIC});

# state_of runs a statement and returns its SQLSTATE, and the message without names.
sub state_of
{
	my ($role, $sql) = @_;
	my (undef, $out) = $node->psql('d', "\\set VERBOSITY verbose\nSET client_min_messages = error;\n$sql;\n\\echo :SQLSTATE :LAST_ERROR_MESSAGE",
		on_error_stop => 0, extra_params => [ '-U', $role ]);

	return $out;
}

# forge returns the statement that inserts a row, from that of a release, with changes by column.
sub forge
{
	my ($from, %change) = @_;
	my @columns = qw(release row_type source source_row_type method parameters columns key strata omitted qi sensitive
	  records checksum made seeded stream_version draws seed created_by created_at written_by);

	return 'INSERT INTO sdc_private.sdc_release_catalog (' . join(', ', @columns) . ') SELECT '
	  . join(', ', map { $change{$_} // $_ } @columns) . " FROM sdc_private.sdc_release_catalog WHERE release = '$from'::regclass";
}

# row_of returns the changes for another release and source, as a restore would have them.
sub row_of
{
	my ($release, $source) = @_;
	my $type = sub { "(SELECT reltype::regtype FROM pg_class WHERE oid = '$_[0]'::regclass)" };

	return (release => "'$release'::regclass", row_type => $type->($release), source => "'$source'::regclass",
		source_row_type => $type->($source), written_by => q{'-'});
}

# Bob has a table that nobody may read, but its identifier, its release, and two tables that are none.
hostile_as($node, 'bob', hostile_table('bob.t') . q{
	REVOKE SELECT ON bob.t FROM PUBLIC;
	GRANT SELECT (id) ON bob.t TO mallory;
	SET client_min_messages = error;
	SELECT FROM sdc_rankswap('bob.t', p => 5, key => '{id}', columns => '{age,income}', target => 'bob.r', seed => 1);
	CREATE TABLE bob.precious AS SELECT * FROM bob.t;
	CREATE TABLE bob.plain AS SELECT * FROM bob.r;
	GRANT SELECT ON bob.plain TO PUBLIC}, 'd');

# The attacker has a table and a release, and a view that does harm.
hostile_as($node, 'mallory', hostile_table('m.t') . hostile_releases('m.t', 'm.r') . q{
	CREATE VIEW m.v AS SELECT id, m.evil_volatile('view', age) AS age, income, region, job, x FROM m.t;
	GRANT SELECT ON m.v TO PUBLIC;
	CREATE TABLE m.copy AS SELECT * FROM m.r; CREATE TABLE m.copy_2 AS SELECT * FROM m.r;
	CREATE TABLE m.copy_3 AS SELECT * FROM m.r; CREATE TABLE m.copy_4 AS SELECT * FROM m.r}, 'd');
hostile_bait($node, 'SELECT max(age) FROM m.v', 'a view', 'd');

# Who may what.
is($node->safe_psql('d', q{
	SELECT string_agg(r || ' ' || p, ', ' ORDER BY r, p) FROM unnest(ARRAY['mallory', 'bob', 'reader']) AS r,
		unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS p
	WHERE has_table_privilege(r, 'sdc_private.sdc_release_catalog', p) OR has_any_column_privilege(r, 'sdc_private.sdc_release_catalog', 'SELECT') AND p = 'SELECT'}),
	'mallory INSERT, mallory SELECT', 'the owner of the database may read and insert, nobody else anything');
is($node->safe_psql('d', q{SELECT string_agg(r || ' ' || p, ', ' ORDER BY r, p) FROM unnest(ARRAY['mallory', 'bob', 'reader']) AS r, unnest(ARRAY['USAGE', 'CREATE']) AS p
	WHERE has_schema_privilege(r, 'sdc_private', p)}), 'mallory USAGE', 'nor may anybody else name it');
like(state_of('mallory', $_), qr/^42501/, "nor may she call: $_")
  foreach (q{SELECT sdc_private.policy_put('odd', '[1]')}, q{SELECT sdc_private.evaluation('bob.r')}, q{SELECT sdc_private.run_work('nightly', 1, '{}')},
	q{SELECT sdc_private.report_text('x')}, q{SELECT sdc_private.drop_release('bob.r')});
is($node->safe_psql('d', q{
	SELECT count(*) FROM pg_roles AS r, unnest(ARRAY['sdc_private.sdc_secret', 'sdc_private.sdc_temporary_catalog', 'sdc_private.sdc_state_catalog', 'sdc_private.sdc_temporary_states']) AS t
	WHERE NOT rolsuper AND rolname !~ '^pg_' AND (has_any_column_privilege(r.oid, t, 'SELECT, INSERT, UPDATE, REFERENCES')
		OR has_table_privilege(r.oid, t, 'DELETE, TRUNCATE, TRIGGER'))}), '0', 'nobody has a right on the secret, the temporary rows and private states');
like(state_of('mallory', "UPDATE sdc_private.sdc_release_catalog SET made = true"), qr/^42501/, 'rows cannot be changed');
like(state_of('mallory', "SET session_replication_role = replica; " . forge('m.r', row_of('m.copy', 'bob.t'))), qr/^00000|^42501/,
	'the trigger stays on');
$node->safe_psql('d', q{DELETE FROM sdc_private.sdc_release_catalog WHERE release = 'm.copy'::regclass});

# Forged rows: releases of others, sources of others.
foreach my $forged ([ 'bob.plain', 'm.v' ], [ 'bob.precious', 'bob.t' ], [ 'm.copy', 'bob.t' ], [ 'm.copy_2', 'bob.precious' ])
{
	my $made = state_of('mallory', forge('m.r', row_of(@$forged), made => 'true'));

	like($made, qr/^(00000|42501)/, "a row that says @$forged[0] comes from @$forged[1]: is taken, or refused");
}
is($node->safe_psql('d', q{SELECT count(*) FROM sdc_private.sdc_release_catalog WHERE written_by::text = '-' AND release::text ~ 'copy|plain|precious'}),
	'0', 'no row says that the extension wrote it');
foreach my $who ('postgres', 'bob', 'reader', 'mallory')
{
	is(hostile_as($node, $who, q{SELECT string_agg(release::text, ' ') FROM sdc_releases WHERE release::text ~ 'copy|plain|precious'}, 'd'),
		'', "$who sees none of these rows");
}
hostile_harm($node);
hostile_let_in($node, 'bob', 'd');
my @calls = map { [ "view $_", "SELECT count(*) FROM $_" ] } ('sdc_scores', 'sdc_ru_map', 'sdc_query_errors', 'sdc_association_recall');
push @calls, map { [ $_->[0], hostile_fill($_->[1], r => 'bob.plain') ] } grep { $_->[1] !~ /\}\}_/ } hostile_all_calls('reads a release');
foreach my $who ('postgres', 'bob')
{
	# bob.plain is no release: a part of a report has nothing to say then
	my %silent = map { ("${_}(regclass)" => '00000|42704|55000') } ('sdc_ru_map_svg', map { "sdc_private.$_" }
		('evaluation', 'evaluation_release', 'report_learned', 'report_ru', 'report_singling', 'stored_score', 'stored_query_errors', 'stored_association_recall', 'publication_problem'));
	# and tables that are no releases are told together, if they have a key
	hostile_try($node, $who, \@calls, 'forged rows', '42704|55000|42809|22023|42P01', { %silent, 'sdc_link_releases(regclass[])' => '42P16',
			map { ("view $_" => '00000') } ('sdc_scores', 'sdc_ru_map', 'sdc_query_errors', 'sdc_association_recall') }, database => 'd');
}

# A table that a row says was made by the extension would be replaced, that is dropped.
foreach my $who ('postgres', 'bob')
{
	like(state_of($who, q{SELECT FROM sdc_rankswap('bob.t', p => 5, key => '{id}', columns => '{age}', target => 'bob.precious', replace => true)}),
		qr/is not a release/, "a forged row does not have a table replaced by $who");
}
is($node->safe_psql('d', 'SELECT count(*) FROM bob.precious AS p JOIN bob.t USING (id, age, income)'), '40', 'it is as it was');

# Nor does a row stand in the way of who makes a release.
like(state_of('bob', q{SELECT sdc_register('bob.t', 'bob.plain', '{age,income}', '{id}')}), qr/^\n?00000/, 'a forged row is no obstacle to a registration');
is(hostile_as($node, 'bob', q{SELECT source = 'bob.t'::regclass FROM sdc_releases WHERE release = 'bob.plain'::regclass}, 'd'), 't', 'which is what counts then');
like(state_of('bob', q{SELECT count(*) FROM sdc_score('bob.plain')}), qr/^1\n00000/, 'and can be evaluated');
like(state_of('mallory', forge('m.r', row_of('bob.r', 'm.v'))), qr/^(23505|00000)/, 'a second row for a release');
is(hostile_as($node, 'bob', q{SELECT source = 'bob.t'::regclass FROM sdc_releases WHERE release = 'bob.r'::regclass}, 'd'), 't', 'changes nothing');

# Steps, of sdc_register, that name columns which the caller may not read.
hostile_as($node, 'mallory', q{CREATE TABLE m.mine AS SELECT id, 30 AS age, 1.5::float8 AS income, 'job 1'::text COLLATE "C" AS job FROM bob.t}, 'd');
foreach my $steps (q{[{"method": "rankswap", "columns": ["age"], "p": 5}]}, q{[{"method": "permute", "qi": ["age"], "sensitive": ["job"], "l": 2}]},
	q{[{"method": "equiwidth_swap", "columns": ["income"], "intervals": 5}, {"method": "randomize", "qi": ["job"]}]})
{
	like(state_of('mallory', qq{SELECT sdc_register('bob.t', 'm.mine', key => '{id}', steps => '$steps')}), qr/^42501 permission denied/,
		"steps $steps: of columns that the caller may not read");
}
is(hostile_as($node, 'mallory', q{SELECT count(*) FROM sdc_releases WHERE release = 'm.mine'::regclass}, 'd'), '0', 'and nothing is registered');

# Rows about what is gone, or nonsense, about the attacker's own tables: at worst an error, with a SQLSTATE of its own.
my %nonsense = (
	'columns that are not there' => { columns => q{'{nothing,age}'} },
	'no columns' => { columns => q{'{}'} },
	'a key that is not there' => { key => q{'{"x\"; SELECT m.strike(''key''); --"}'} },
	'strata that are not there' => { strata => q{'{a,b,c}'} },
	'many columns' => { columns => q{(SELECT array_agg('age'::name) FROM generate_series(1, 5000))} },
	'a key named twice' => { key => q{'{id,id,id}'} },
	'a column named twice' => { columns => q{'{age,income,age}'} },
	'columns that are the key' => { columns => q{'{id,age}'} },
	'names in two dimensions' => { columns => q{'{{age,income},{x,id}}'} },
	'names that are null' => { omitted => q{'{NULL,x}'}, qi => q{'{age,NULL}'} },
	'very many records' => { records => '9223372036854775807' },
	'a negative number of records' => { records => '-1' },
	'no checksum' => { checksum => q{''} },
	'a long checksum' => { checksum => q{decode(repeat('ab', 100000), 'hex')} },
	'a method with code' => { method => q{'x''); SELECT m.strike(''method''); --'} },
	'another method' => { method => q{'equidepth_swap'}, parameters => q{'{"depth": -5, "complement": {}}'} },
	'probabilities of another kind' => { method => q{'randomize'}, parameters => q{'{"probabilities": ["x", null, 1e400]}'}, qi => q{'{region,job}'} },
	'parameters that are no object' => { parameters => q{'[[1]]'} },
	'parameters, deep' => { parameters => q{(repeat('[', 5000) || repeat(']', 5000))::jsonb} },
	'steps that are none' => { method => q{'protect'}, parameters => q{'{"steps": [7, null, [], {}, {"method": 1}, {"method": "x", "columns": "age"}]}'} },
	'steps of columns that are not there' => { method => q{'protect'},
		parameters => q{'{"steps": [{"method": "rankswap", "columns": ["nothing", "x"], "p": -1}, {"method": "rankswap", "columns": ["age"], "p": 1e300}]}'} },
	'steps of one column' => { method => q{'protect'}, parameters => q{'{"steps": [{"method": "equiwidth_swap", "columns": ["age"],
		"intervals": 2147483648}, {"method": "equidepth_swap", "columns": ["age", "income"], "depth": 0, "complement": {"columns": ["age"]}}]}'} },
	'steps with groups, without theirs' => { method => q{'protect'}, parameters => q{'{"steps": [{"method": "permute", "qi": ["age"], "sensitive": ["income"],
		"l": 2}, {"method": "generalize", "qi": ["income"], "k": 3}]}'} },
	'steps of an unordered column' => { method => q{'protect'}, columns => q{'{age,region}'}, parameters => q{'{"steps": [{"method": "equiwidth_swap",
		"columns": ["region"], "widths": ["x", -1, 1e400]}, {"method": "randomize", "qi": ["age"], "probabilities": [7], "draws": 99}]}'} },
	'a step inside of a step' => { method => q{'protect'},
		parameters => q{'{"steps": [{"method": "protect", "steps": [{"method": "rankswap", "columns": ["age"]}]}]}'} },
	'another stream' => { stream_version => '-2147483648' },
	'nobody made it' => { created_by => q{''} },
	'quasi-identifiers that are not there' => { qi => q{'{x,y}'}, sensitive => q{'{z}'} },
);
hostile_let_in($node, 'mallory', 'd');
foreach my $what (sort keys %nonsense)
{
	$node->safe_psql('d', q{DELETE FROM sdc_private.sdc_release_catalog WHERE release = 'm.copy_3'::regclass});
	my $inserted = state_of('mallory', forge('m.r', row_of('m.copy_3', 'm.t'), %{ $nonsense{$what} }));
	like($inserted, qr/^(00000|22|23|42|54)/, "$what: inserted, or not");
	is($node->safe_psql('d', q{SELECT count(*) FROM sdc_private.sdc_release_catalog WHERE release = 'm.copy_3'::regclass}), '0', "$what: left out")
	  if $what =~ /twice|many columns|dimensions|null$/;

	my @calls = map { [ $_->[0], hostile_fill($_->[1], r => 'm.copy_3') ] } grep { $_->[1] !~ /\}\}_/ } hostile_all_calls('reads a release');
	push @calls, [ 'view sdc_scores', 'SELECT count(*) FROM sdc_scores' ], [ 'view sdc_releases', 'SELECT * FROM sdc_releases' ];
	foreach my $who ('mallory', 'postgres')
	{
		# what he gets is no internal error
		hostile_try($node, $who, \@calls, $what, '(?!XX|58|57)\w{5}', {}, database => 'd');
	}
}
$node->safe_psql('d', q{DELETE FROM sdc_private.sdc_release_catalog WHERE release = 'm.copy_3'::regclass});

# Policies and runs: a row counts if who adds it has the rights of the role that it names, and is of that role only.
$node->safe_psql('d', q{GRANT CREATE ON SCHEMA bob TO bob});
hostile_as($node, 'bob', q{SET client_min_messages = error;
	SELECT sdc_policy_set('nightly', 'bob.t', '[{"method": "rankswap", "columns": ["age", "income"], "p": 5}]', 'bob.nightly_public', '{id}',
		keep => '{}', omit => '{region,job,x}', limits => '{"people_found": 100}', on_unchanged => 'publish');
	CALL sdc_run('nightly')}, 'd');
my $run = 1000;
foreach my $whose ('postgres', 'bob', 'mallory')
{
	is(state_of('mallory', qq{INSERT INTO sdc_private.sdc_policy_catalog VALUES ('policy of $whose', '$whose', '{"source": "m.view"}', '-')}) =~ /^(\w+)/ ? $1 : '', '00000',
		"a policy that says it is of $whose: a restore may add it");
	foreach my $status ('published', 'waiting', 'running', 'withdrawn')
	{
		$run++;
		hostile_as($node, 'mallory', qq{INSERT INTO sdc_private.sdc_run_log VALUES ($run, 'nightly', '$whose', '$whose', now(), now(), '$status', 'forged', '{bob,reader,postgres}',
			'{"definition": {"source": "m.t", "approvers": ["bob", "reader", "postgres"]}, "target": "bob.nightly_public", "release": "bob.r"}', '-')}, 'd');
	}
}
is($node->safe_psql('d', q{SELECT string_agg(policy, ', ' ORDER BY policy) FROM sdc_policies; SELECT DISTINCT owner FROM sdc_runs WHERE reason = 'forged'}),
	"nightly, policy of mallory\nmallory", 'rows of others do not count');
is($node->safe_psql('d', q{SELECT DISTINCT written_by::text FROM sdc_private.sdc_run_log WHERE reason = 'forged'}), 'mallory', 'and none says that the extension wrote it');
is(hostile_as($node, 'bob', q{CALL sdc_run('nightly'); SELECT count(*) FROM sdc_check('nightly') WHERE problem !~ 'has warned'}, 'd'), '0', "they do not hold up the policy of its owner");
is($node->safe_psql('d', q{SELECT count(*) FROM sdc_check('nightly') WHERE problem !~ 'has warned'}), '0', 'nor mislead the superuser about it');
is($node->safe_psql('d', q{SELECT to_regclass('bob.r') IS NOT NULL}), 't', 'nor have its owner drop what they name');
like(state_of('bob', 'SELECT sdc_approve(1010)'), qr/^(55000|42704|42501)/, 'nothing is published by them');
hostile_harm($node);
my @forged = ([ 'run of hers', q{CALL sdc_run('policy of mallory')} ], [ 'run of his', q{CALL sdc_run('policy of postgres')} ],
	map { [ "view $_", "SELECT * FROM $_" ] } ('sdc_policies', 'sdc_runs', 'sdc_policy_history', 'sdc_policy_status'));
my @approvers = ('NULL', q{'{}'}, q{'{NULL}'}, q{'{reader,NULL}'}, q{'{{reader,bob},{bob,reader}}'}, q{'[5:6]={reader,nobody}'}, q{'{reader}'});
foreach my $what ('[]', '[1, 2]', '7', '"x"', 'null', '{}', '{"definition": [1]}', '{"definition": {"approvers": {"reader": 1}}}', '{"definition": {"approvers": [1, [2], {"x": 3}]}}',
	'{"approve": "maybe", "sample": "many", "key": 7, "limits": [], "source": {}, "steps": "x", "publish_as": []}', '{"sample": 1e300}',
	'{"records": "many", "source_records": 1e300, "measures": {"judged": {"il": "NaN", "score": [], "people_found": true}}, "limits": 7, "definition": 5}')
{
	$run++;
	hostile_as($node, 'mallory', qq{INSERT INTO sdc_private.sdc_policy_catalog VALUES ('odd $run', 'mallory', '$what', '-');
		INSERT INTO sdc_private.sdc_run_log VALUES ($run, 'odd $run', 'mallory', 'mallory', now(), now(), 'waiting', 'odd', $approvers[$run % @approvers], '$what', '-')}, 'd');
	foreach my $who ('postgres', 'reader', 'mallory')
	{
		# what he gets is no internal error, and the views are there
		hostile_try($node, $who, [ @forged, [ 'odd policy', "CALL sdc_run('odd $run')" ], [ 'odd run', "SELECT sdc_approve($run)" ],
				[ 'odd record', "SELECT sdc_release_record($run)" ], [ 'odd check', "SELECT * FROM sdc_check('odd $run')" ],
				[ 'odd rejection', "SELECT sdc_reject($run, 'odd')" ] ],
			"a row with $what", '(?!XX|58|57)\w{5}', { map { ("view $_" => '00000') } ('sdc_policies', 'sdc_runs', 'sdc_policy_history', 'sdc_policy_status') }, database => 'd');
	}
}
like(state_of('mallory', q{SELECT sdc_private.policy_put('odd', '[1]')}), qr/^22023/, 'a policy that is no object is refused');

# The checksum is no oracle.  The attacker reads it, since he may dump; guesses the table, right and wrong; copies the
# checksum to rows about his guess; has his guess registered; confirms it.
my %told;
my $guess = 'CREATE TABLE m.guess (LIKE m.t INCLUDING ALL)';
foreach my $right (1, 0)
{
	$node->safe_psql('d', q{DELETE FROM sdc_private.sdc_release_catalog WHERE release::text ~ 'guess'; DROP TABLE IF EXISTS m.guess, m.guess_r CASCADE});
	$node->safe_psql('d', qq{$guess; INSERT INTO m.guess SELECT * FROM bob.t; CREATE TABLE m.guess_r AS SELECT * FROM bob.r;
		ALTER TABLE m.guess OWNER TO mallory; ALTER TABLE m.guess_r OWNER TO mallory;
		UPDATE m.guess SET age = age + 1 WHERE id = 7 AND @{[ $right ? 'false' : 'true' ]}});
	my $theirs = hostile_as($node, 'mallory', q{SELECT encode(checksum, 'hex') FROM sdc_private.sdc_release_catalog WHERE release = 'bob.r'::regclass}, 'd');
	my $answers = state_of('mallory', forge('bob.r', row_of('m.guess_r', 'm.guess')));
	$answers .= state_of('mallory', q{SELECT count(*) FROM sdc_score('m.guess_r')});
	$answers .= state_of('mallory', q{SELECT count(*) FROM sdc_compare('m.guess_r', condition => 'age > 30')});
	$answers .= state_of('mallory', q{SELECT problem FROM sdc_scores WHERE release = 'm.guess_r'::regclass});
	$answers .= state_of('mallory', q{SELECT sdc_confirm_source('m.guess_r')}) =~ s/\A[tf]?\n//r;
	my $mine = hostile_as($node, 'mallory', q{SELECT encode(checksum, 'hex') FROM sdc_private.sdc_release_catalog WHERE release = 'm.guess_r'::regclass}, 'd');
	isnt($mine, $theirs, 'the checksum of a guess is never that of the table, right or wrong');
	$node->safe_psql('d', q{DELETE FROM sdc_private.sdc_release_catalog WHERE release = 'm.guess_r'::regclass});
	state_of('mallory', q{SELECT sdc_register('m.guess', 'm.guess_r', '{age,income}', '{id}')});
	my $registered = hostile_as($node, 'mallory', q{SELECT encode(checksum, 'hex') FROM sdc_private.sdc_release_catalog WHERE release = 'm.guess_r'::regclass}, 'd');
	isnt($registered, $theirs, 'nor that of a registered guess');
	isnt($registered, '', 'which has one');
	$told{$right} = $answers;
}
is($told{1}, $told{0}, 'what the attacker is told does not depend on whether the guess is right');
like($told{1}, qr/55000/, 'he is told that the checksum is not of this table');
hostile_as($node, 'bob', q{SET client_min_messages = error;
	SELECT FROM sdc_rankswap('bob.t', p => 5, key => '{id}', columns => '{age,income}', target => 'bob.r2', seed => 1);
	SELECT FROM sdc_rankswap('bob.t', p => 5, key => '{id}', columns => '{age,income}', target => 'bob.r3', seed => 1)}, 'd');
is($node->safe_psql('d', q{SELECT count(DISTINCT checksum) FROM sdc_private.sdc_release_catalog
		WHERE release IN ('bob.r'::regclass, 'bob.r2', 'bob.r3', 'bob.plain')}), '4',
	'the same source has another checksum in each release');

# Settings of the database, which are its owner's to set.
hostile_as($node, 'mallory', q{CREATE INDEX ON m.t ((x + m.evil('index', 1)))}, 'd');
hostile_bait($node, 'SELECT count(*) FROM m.t WHERE x = 1', 'settings', 'd');
my @look = ([ 'k-anonymity', q{SELECT k FROM sdc_kanonymity('m.t', '{region}')} ], [ 'scores', 'SELECT count(*) FROM sdc_scores' ],
	[ 'score', q{SELECT count(*) FROM sdc_score('m.r')} ], [ 'releases', 'SELECT count(*) FROM sdc_releases' ]);
foreach my $setting ("DATABASE d SET sdc.trusted_owners = '*'", "ROLE ALL IN DATABASE d SET sdc.trusted_owners = 'mallory'",
	"DATABASE d SET search_path = m, pg_catalog, public", 'DATABASE d SET constraint_exclusion = on', 'DATABASE d SET row_security = off',
	'DATABASE d SET default_transaction_read_only = off', 'DATABASE d SET plan_cache_mode = force_generic_plan')
{
	my $set = state_of('mallory', "ALTER $setting");

	like($set, qr/^(00000|42501|22023)/, "ALTER $setting: by the owner");
	hostile_try($node, 'postgres', \@look, "ALTER $setting", '00000', {}, database => 'd');
	unlike($node->safe_psql('d', 'SELECT sdc_version(); SHOW sdc.trusted_owners'), qr/mallory|\*/, "ALTER $setting: trusts nobody");
	$node->safe_psql('postgres', 'ALTER DATABASE d RESET ALL; ALTER ROLE ALL IN DATABASE d RESET ALL');
}
# the same where the library is there before the settings of the database
$node->safe_psql('postgres', "ALTER SYSTEM SET session_preload_libraries = 'sdc'; SELECT pg_reload_conf()");
state_of('mallory', "ALTER DATABASE d SET sdc.trusted_owners = '*'");
$node->safe_psql('postgres', q{ALTER DATABASE d SET sdc.trusted_owners = '*'});
hostile_run($node, 'postgres', \@look, database => 'd');
is(hostile_harm($node), '', 'a setting of the database, the library preloaded: nothing runs with the rights of the superuser');
unlike($node->safe_psql('d', 'SHOW sdc.trusted_owners'), qr/\*/, 'a setting of the database, the library preloaded: trusts nobody');
$node->safe_psql('postgres', 'ALTER DATABASE d RESET ALL; ALTER ROLE postgres IN DATABASE d SET sdc.trusted_owners = mallory');
hostile_run($node, 'postgres', \@look, database => 'd');
like(hostile_harm($node), qr/index ran as postgres/, 'what a superuser sets for his own role counts');

# A superuser who dumps and restores the database does not speak for rows that its owner has added.
hostile_as($node, 'mallory', q{
	INSERT INTO sdc_private.sdc_policy_catalog VALUES ('laundered', 'bob', '{"source": "m.t"}', '-');
	INSERT INTO sdc_private.sdc_run_log VALUES (9001, 'laundered', 'bob', 'bob', now(), now(), 'published', 'laundered', NULL, '{"definition": {"source": "m.t"}}', '-')}, 'd');
my $dump = "$PostgreSQL::Test::Utils::tmp_check/d.dump";
my $rows = q{SELECT (SELECT count(*) FROM sdc_policies WHERE policy = 'laundered'), (SELECT count(*) FROM sdc_runs WHERE run = 9001), (SELECT count(*) > 0 FROM sdc_policies)};
is(hostile_as($node, 'bob', $rows, 'd'), '0|0|t', 'rows of the owner of the database do not count');
$node->safe_psql('postgres', 'CREATE DATABASE again OWNER mallory; CREATE DATABASE once_more OWNER mallory');
foreach my $step ([ 'd', 'again' ], [ 'again', 'once_more' ])
{
	my ($from, $to) = @$step;

	$node->command_ok([ 'pg_dump', '-Fc', '-f', $dump, $from ], "$from is dumped by a superuser");
	$node->run_log([ 'pg_restore', '-d', $to, $dump ]);
	is(hostile_as($node, 'bob', $rows, $to), '0|0|t', "restored into $to: nor do they now, and what the extension wrote does");
}

$node->stop;
done_testing();

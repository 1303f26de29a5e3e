# 039_upgrade.pl
#		pg_upgrade takes the extension along, whose tables and functions are in two schemas.
#
# It makes every object of the extension anew by a statement, with its owner and its rights, and copies the files of
# the tables: releases, policies, the log and private states are there, nobody has a right more or less than before,
# and what is dumped of them can be restored.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $old = sdc_node('old');
my $new = PostgreSQL::Test::Cluster->new('new');
my $bin = $old->config_data('--bindir');

plan skip_all => 'there is no pg_upgrade' if !-x "$bin/pg_upgrade";

# the database of an owner who is no superuser and has installed the extension there
my @owner = (extra_params => [ '-U', 'owner' ]);
$old->safe_psql('postgres', 'CREATE ROLE owner LOGIN; CREATE ROLE reader LOGIN; CREATE DATABASE d OWNER owner');
$old->safe_psql('d', q{
	SET client_min_messages = warning;
	CREATE EXTENSION sdc;
	CREATE TABLE person (id int PRIMARY KEY, age int, income float8);
	INSERT INTO person SELECT i, i * 17 % 41, i * 7919 % 1009 FROM generate_series(1, 200) AS i;
	SELECT sdc_classify('person', 'age', 'quasi-identifier');
	SELECT FROM sdc_rankswap('person', p => 20, columns => '{age,income}', target => 'kept', continued => true, seed => 1);
	SELECT FROM sdc_evaluate('kept');
	SELECT sdc_policy_set('nightly', 'person', '[{"method": "rankswap", "columns": ["age", "income"], "p": 30}]', 'public.published', limits => '{"people_found": 100}');
	CALL sdc_run('nightly')}, @owner);

# All that there is: the members of the extension, to whom they belong, who has which right on them, whether a dump has these
# rights, and what is dumped; and what is known.  No rights are the same as those that the owner has by default.
my $members = q{
	SELECT i.type, i.identity, o.owner::regrole, ARRAY(SELECT unnest(coalesce(o.acl, o.usual))::text ORDER BY 1),
		coalesce(o.acl, o.usual) @> coalesce(r.initprivs, o.usual) AND coalesce(r.initprivs, o.usual) @> coalesce(o.acl, o.usual),
		x.extcondition[array_position(x.extconfig, o.oid)]
	FROM pg_extension AS x JOIN pg_depend AS d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = x.oid AND d.deptype = 'e'
	CROSS JOIN LATERAL pg_identify_object(d.classid, d.objid, 0) AS i
	LEFT JOIN LATERAL (
		SELECT oid, relowner, relacl, acldefault(CASE relkind WHEN 'S' THEN 's'::"char" ELSE 'r' END, relowner) FROM pg_class WHERE d.classid = 'pg_class'::regclass AND oid = d.objid
		UNION ALL SELECT NULL, proowner, proacl, acldefault('f', proowner) FROM pg_proc WHERE d.classid = 'pg_proc'::regclass AND oid = d.objid
		UNION ALL SELECT NULL, nspowner, nspacl, acldefault('n', nspowner) FROM pg_namespace WHERE d.classid = 'pg_namespace'::regclass AND oid = d.objid
		UNION ALL SELECT NULL, typowner, typacl, acldefault('T', typowner) FROM pg_type WHERE d.classid = 'pg_type'::regclass AND oid = d.objid
		UNION ALL SELECT NULL, evtowner, NULL, NULL FROM pg_event_trigger WHERE d.classid = 'pg_event_trigger'::regclass AND oid = d.objid
	) AS o (oid, owner, acl, usual) ON true
	LEFT JOIN pg_init_privs AS r ON r.classoid = d.classid AND r.objoid = d.objid AND r.objsubid = 0
	WHERE x.extname = 'sdc' ORDER BY 1, 2};
my $known = q{
	SELECT r::text FROM sdc_releases AS r ORDER BY release::text COLLATE "C";
	SELECT a::text FROM sdc_attributes AS a;
	SELECT release, people_found, il, problem, evaluated_at IS NOT NULL FROM sdc_scores ORDER BY release::text COLLATE "C";
	SELECT p::text FROM sdc_policies AS p;
	SELECT p::text FROM sdc_publications AS p;
	SELECT r::text FROM sdc_runs AS r ORDER BY run};
# differences returns the lines that only one of two texts has.
sub differences
{
	my ($one, $other) = @_;
	my %there = map { $_ => -1 } split /\n/, $one;

	$there{$_}++ foreach split /\n/, $other;
	return join("\n", sort grep { $there{$_} } keys %there);
}

my %before = (members => $old->safe_psql('d', $members), known => $old->safe_psql('d', $known, @owner));

like($before{members}, qr/^schema\|sdc_private\|/m, 'the schema of the plumbing is a member');
unlike($before{members}, qr/\|f(?:\||$)/m, 'of no right a dump would have something');
like($before{known}, qr/^\(\d+,nightly,.*published/m, 'something was run');

sdc_init($new, extra => [ '--encoding=UTF8', '--locale=C.UTF-8' ]);
$new->append_conf('postgresql.conf', "autovacuum = off\njit = off\n");
$old->stop;
chdir $PostgreSQL::Test::Utils::tmp_check or die "no $PostgreSQL::Test::Utils::tmp_check: $!";
command_ok([ 'pg_upgrade', '--no-sync', '-d', $old->data_dir, '-D', $new->data_dir, '-b', $bin, '-B', $bin, '-s', $new->host,
		'-p', $old->port, '-P', $new->port ], 'pg_upgrade');
$new->start;

is(differences($before{members}, $new->safe_psql('d', $members)), '', 'members of the extension, their owners and rights are the same');
is($new->safe_psql('d', $known, @owner), $before{known}, 'and what is known');

# it goes on
$new->safe_psql('d', q{SET client_min_messages = warning;
	DELETE FROM person WHERE id = 7; CALL sdc_run('nightly');
	SELECT FROM sdc_rankswap('person', p => 20, columns => '{age,income}', target => 'kept', continued => true, replace => true)}, @owner);
is($new->safe_psql('d', q{SELECT count(*), min(status) FROM sdc_runs}, @owner), '2|published', 'a policy runs');
is($new->safe_psql('d', q{SELECT records FROM sdc_releases WHERE release = 'kept'::regclass}, @owner), '199', 'a release is continued');
my ($status, undef, $error) = $new->psql('d', 'SELECT FROM sdc_private.sdc_release_catalog', extra_params => [ '-U', 'reader' ]);
like($error, qr/permission denied for schema sdc_private/, 'others have no right on the schema of the plumbing');

# and is dumped and restored by the owner of the database
my $dump = "$PostgreSQL::Test::Utils::tmp_check/d.dump";
$new->safe_psql('postgres', 'CREATE DATABASE e OWNER owner');
$new->command_ok([ 'pg_dump', '-U', 'owner', '-Fc', '-f', $dump, 'd' ], 'dump by the owner of the database');
$new->command_ok([ 'pg_restore', '-U', 'owner', '--exit-on-error', '-d', 'e', $dump ], 'restore');
is($new->safe_psql('e', q{SELECT count(*), (SELECT count(*) FROM sdc_runs), (SELECT count(*) FROM sdc_policies) FROM sdc_releases}, @owner),
	$new->safe_psql('d', q{SELECT count(*), (SELECT count(*) FROM sdc_runs), (SELECT count(*) FROM sdc_policies) FROM sdc_releases}, @owner),
	'nothing is missing');
is(differences($before{members}, $new->safe_psql('e', $members)), '', 'and the extension is the same there');

$new->stop;
done_testing();

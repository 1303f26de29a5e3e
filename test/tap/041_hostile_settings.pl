# 041_hostile_settings.pl
#		Code of an owner changes settings and roles of the session in which a call runs it.
#
# Her view puts a schema of hers before pg_catalog in search_path, for the session and not for itself.  There is a function for each
# one of pg_catalog that a body of the plumbing names, and an operator for each that they could use: a body that goes on after
# the view was read, with other rights than hers, must not find them.  And who has taken her role by SET ROLE does not lose his own to
# code that goes back by RESET ROLE.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;
use Hostile;

my $node = hostile_node('main');
my $steps = q{[{"method": "rankswap", "columns": ["age"], "p": 5}]};

hostile_calm($node);
$node->safe_psql('postgres', 'CREATE SCHEMA n AUTHORIZATION mallory');
hostile_as($node, 'mallory', hostile_table('m.t') . q{
	GRANT USAGE ON SCHEMA n TO PUBLIC;
	DO $$
	DECLARE
		s text;
	BEGIN
		FOR s IN
			SELECT format('CREATE FUNCTION n.%I(%s) RETURNS %s LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS %L', p.proname, pg_get_function_identity_arguments(p.oid), format_type(p.prorettype, NULL),
				format('BEGIN PERFORM m.strike(%L); RETURN NULL; END', p.proname))
			FROM pg_proc AS p
			WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f' AND NOT p.proretset
				AND EXISTS (SELECT FROM pg_proc AS b WHERE b.pronamespace = 'sdc_private'::regnamespace AND position(p.proname || '(' IN b.prosrc) > 0)
			UNION ALL
			SELECT format('CREATE FUNCTION n.%I(a %s, b %s) RETURNS %s LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS %L', 'operator ' || o.oid, format_type(o.oprleft, NULL), format_type(o.oprright, NULL),
				format_type(o.oprresult, NULL), format('BEGIN PERFORM m.strike(%L); RETURN NULL; END', o.oprname))
				|| format('; CREATE OPERATOR n.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = n.%I)', o.oprname, format_type(o.oprleft, NULL), format_type(o.oprright, NULL), 'operator ' || o.oid)
			FROM pg_operator AS o
			WHERE o.oprnamespace = 'pg_catalog'::regnamespace AND o.oprleft <> 0 AND o.oprcode <> 0
				AND 'anyarray|anyelement|anyrange|anymultirange|anycompatiblearray|anycompatible|record|internal' !~ ('\m' || format_type(o.oprleft, NULL) || '\M')
				AND o.oprname ~ '^(=|<>|<|>|<=|>=|\|\||->|->>|#>|#>>|\?|~|!~|[-+*/])$' AND format_type(o.oprleft, NULL) ~ '^(text|jsonb|integer|bigint|numeric|double precision|name|oid|boolean|interval|timestamp with time zone)$'
		LOOP
			BEGIN
				EXECUTE s;
			EXCEPTION WHEN OTHERS THEN	-- of a pseudo-type
				NULL;
			END;
		END LOOP;
	END
	$$;
	CREATE FUNCTION m.turn(value int) RETURNS int LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM pg_catalog.set_config('search_path', 'n, pg_catalog, pg_temp', false), pg_catalog.set_config('quote_all_identifiers', 'on', false);
		RETURN value;
	END
	$$;
	CREATE VIEW m.turning AS SELECT id, m.turn(age) AS age, income, region, job, x FROM m.t;
	GRANT SELECT ON m.turning TO PUBLIC;
});
cmp_ok($node->safe_psql('postgres', q{SELECT count(*) FROM pg_proc WHERE pronamespace = 'n'::regnamespace}), '>', 150, 'functions and operators wait');
hostile_bait($node, q{SET search_path = n, pg_catalog; SELECT 'a'::text || 'b'::text}, 'they are found where the path names them first');
is((hostile_run($node, 'reader', [ [ 'own', q{SET work_mem = '77kB'} ] ]))[-1][0], "[own] something\n[own] work_mem = 77kB", 'a setting that is left behind is found');
hostile_as($node, 'mallory', $_)
  foreach (q{SELECT FROM sdc_rankswap('m.turning', p => 5, key => '{id}', columns => '{age,income}', keep => '{region,job,x}', target => 'm.r', seed => 1)},
	q{SELECT FROM sdc_generalize('m.turning', '{age,region}', k => 3, key => '{id}', keep => '{x}', target => 'm.groups')},
	qq{SELECT sdc_policy_set('hers', 'm.turning', '$steps', 'm.published', '{id}', keep => '{x}', omit => '{income,region,job}', limits => '{"people_found": 100}', on_unchanged => 'publish')},
	'GRANT SELECT ON m.r, m.groups TO PUBLIC');

my @calls = ('CALL public.sdc_run(\'hers\')', map { "SELECT count(*) FROM public.$_" } ('sdc_scores', 'sdc_query_errors', 'sdc_check()', 'sdc_runs', q{sdc_summary('m.r')}, q{sdc_report('m.r')},
	q{sdc_report('m.groups', 'external')}, q{sdc_evaluate('m.r', force => true)}, q{sdc_summary('m.groups')}, q{sdc_kanonymity('m.turning', '{age}')}, q{sdc_assert_k('m.r', '{x}', 1)},
	q{sdc_assert_risk('m.r', 100)}, q{sdc_publish('m.r', 'm.p', keep => '{region,job,x}', replace => true, force => true)}, q{sdc_attribute_risk('m.r', sensitive => '{x}')},
	q{sdc_rankswap('m.turning', p => 5, key => '{id}', target => 'm.again', replace => true)}, q{sdc_sweep('m.turning', 'rankswap', '{5}', columns => '{age,income}', key => '{id}')}));
foreach my $who ('mallory', 'postgres', 'deputy', 'postgres as mallory', 'deputy as mallory')
{
	my ($session, $role) = split / as /, $who;
	my $take = $role ? "SET ROLE $role; " : '';

	foreach my $call (@calls)
	{
		$node->psql('postgres', "SET client_min_messages = error; $take$call", extra_params => [ '-U', $session ]);
		is(hostile_harm($node), '', "$who: $call") or last;
	}
}

# Code that goes back to the role of the session, and acts with its rights.
hostile_as($node, 'mallory', qq{
	SELECT sdc_policy_set('two', 'm.t', '$steps', 'm.by_two', '{id}', keep => '{x}', omit => '{income,region,job}', limits => '{"people_found": 100}', approve => true);
	CALL sdc_run('two')});
my $waiting = $node->safe_psql('postgres', q{SELECT max(run) FROM sdc_runs WHERE policy = 'two' AND status = 'waiting'});
hostile_as($node, 'mallory', qq{CREATE OR REPLACE FUNCTION m.turn(value int) RETURNS int LANGUAGE plpgsql AS \$\$
	BEGIN
		BEGIN
			IF session_user = 'deputy' THEN
				PERFORM public.sdc_approve($waiting);
			END IF;
		EXCEPTION WHEN OTHERS THEN
			NULL;
		END;
		IF session_user <> 'mallory' THEN
			RESET ROLE;
			PERFORM m.strike('role');
			SET ROLE mallory;
		END IF;
		RETURN value;
	EXCEPTION WHEN OTHERS THEN
		RETURN value;
	END
	\$\$});
foreach my $who ('postgres', 'deputy')
{
	foreach my $call (@calls)
	{
		$node->psql('postgres', "SET client_min_messages = error; SET ROLE mallory; $call", extra_params => [ '-U', $who ]);
		is(hostile_harm($node), '', "$who, who has taken her role: $call");
	}
}
is($node->safe_psql('postgres', "SELECT status, approved_by IS NULL FROM sdc_runs WHERE run = $waiting"), 'waiting|t', 'nobody has approved what she runs');

done_testing();

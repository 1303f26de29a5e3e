# Hostile.pm
#		What the tests with hostile owners share: traps, victims, and finding the harm.
#
# The attacker is the role mallory with the schema m.  All that she can have executed ends in
# m.strike(), which writes into the server's log with whose rights it runs, and tries to do harm:
# to become a superuser or a member of the victim, to run a program, to get back to the rights
# of the session, to leave settings, temporary tables, channels or deferred triggers behind.
#
# It is no harm that her code runs with her own rights, where it can do nothing of this.  Every
# test must show that its trap is live: there is a bait, a statement of SQL that springs it.

package Hostile;

use strict;
use warnings;

use Exporter 'import';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use SdcTest;

our @EXPORT = qw(hostile_node hostile_as hostile_table hostile_releases hostile_policies hostile_let_in hostile_run hostile_try hostile_each hostile_fill hostile_harm
  hostile_calm hostile_bait hostile_states hostile_marker hostile_meanwhile);

# The attributes and members of all roles, as they were in the beginning, by cluster.
my %roles_at_first;

# How much of the server's log was looked at, by cluster.
my %seen;

my $roles = q{
	SELECT string_agg(r::text, ' ' ORDER BY rolname) FROM (SELECT rolname, rolsuper, rolcreaterole, rolcreatedb,
		rolbypassrls, rolreplication FROM pg_roles WHERE rolname !~ '^pg_') AS r
	UNION ALL SELECT string_agg(pg_get_userbyid(member) || ' in ' || pg_get_userbyid(roleid), ', '
		ORDER BY member, roleid) FROM pg_auth_members WHERE pg_get_userbyid(roleid) !~ '^pg_'};

# hostile_marker returns the file that a program of the attacker makes.
sub hostile_marker
{
	return "$PostgreSQL::Test::Utils::tmp_check/marker_$$";	# tests can run side by side
}

# A session of every role in database postgres, by cluster and process of its server: what only prepares a test, or looks, needs
# no session of its own, and most of the time of a small statement goes into beginning one.
my %session;

# kept_session runs statements in the session of a role, which forgets afterwards, and returns results and messages.
sub kept_session
{
	my ($node, $role, $sql) = @_;
	my $session = $session{ join(' ', $node->name, $node->{_pid}, $role) } //=
	  $node->background_psql('postgres', on_error_stop => 0, extra_params => [ '-U', $role ]);

	sdc_start($session, "$sql;\nDISCARD ALL");
	return sdc_finish($session);
}

# hostile_as runs statements that must succeed as a role, and returns what they print.
sub hostile_as
{
	my ($node, $role, $sql, $database) = @_;

	return $node->safe_psql($database, $sql, extra_params => [ '-U', $role ]) if ($database // 'postgres') ne 'postgres';
	my ($out, $err) = kept_session($node, $role, $sql);
	die "error running SQL as $role: $err with sql '$sql'" if $err =~ /^(?:psql:.*?)?(?:ERROR|FATAL|PANIC): /m;
	chomp $out;
	return $out;
}

# payload returns the SQL that makes the traps, to be run by the attacker.  Every function has
# a volatility of its own, since that decides when it is called: what is immutable by the planner.
sub payload
{
	my $marker = hostile_marker();

	return qq{
		SET check_function_bodies = off;
		CREATE TABLE m.loot (who text, session text, tag text);
		CREATE TABLE m.fuse (x int);
		GRANT USAGE ON SCHEMA m TO PUBLIC;
		GRANT INSERT ON m.loot, m.fuse TO PUBLIC;
		CREATE FUNCTION m.strike(tag text) RETURNS void LANGUAGE plpgsql AS \$f\$
		DECLARE
			deed text;
			turn text := concat_ws('/', tag, current_setting('application_name'), current_user, statement_timestamp());
		BEGIN
			IF turn = current_setting('m.turn', true) THEN		-- once for each statement is enough
				RETURN;
			END IF;
			PERFORM set_config('m.turn', turn, true);
			RAISE LOG 'hostile: % in [%] as [%] of [%]', tag, current_setting('application_name'), current_user, session_user;
			FOREACH deed IN ARRAY ARRAY[
				format('INSERT INTO m.loot VALUES (%L, %L, %L)', current_user, session_user, tag),
				'ALTER ROLE mallory SUPERUSER',
				format('GRANT %I TO mallory', current_user),
				\$\$COPY (SELECT 1) TO PROGRAM 'touch "$marker"'\$\$,
				'INSERT INTO m.fuse SELECT 1 WHERE ' || (tag <> 'trigger fuse'),
				'CREATE TEMP TABLE trap (x int)',
				'LISTEN trap',
				'SELECT set_config(''search_path'', ''m, pg_catalog'', false)',
				'SELECT set_config(''sdc.trusted_owners'', ''*'', false)',
				'SELECT set_config(''row_security'', ''off'', false)',
				'SELECT set_config(''role'', session_user, false)']
			LOOP
				BEGIN
					EXECUTE deed;
				EXCEPTION WHEN OTHERS THEN
					NULL;
				END;
			END LOOP;
			RAISE LOG 'hostile: % in [%] as [%] of [%]', tag || ', later', current_setting('application_name'), current_user, session_user;
		END
		\$f\$;
		CREATE FUNCTION m.evil(tag text, value int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS
			\$f\$ BEGIN PERFORM m.strike(tag); RETURN value; END \$f\$;
		CREATE FUNCTION m.evil_stable(tag text, value int) RETURNS int STABLE LANGUAGE plpgsql AS
			\$f\$ BEGIN PERFORM m.strike(tag); RETURN value; END \$f\$;
		CREATE FUNCTION m.evil_volatile(tag text, value int) RETURNS int VOLATILE LANGUAGE plpgsql AS
			\$f\$ BEGIN PERFORM m.strike(tag); RETURN value; END \$f\$;
		CREATE FUNCTION m.evil_trigger() RETURNS trigger LANGUAGE plpgsql AS
			\$f\$ BEGIN PERFORM m.strike('trigger ' || TG_NAME); RETURN NEW; END \$f\$;
		CREATE FUNCTION m.evil_difference(a float8, b float8) RETURNS float8 IMMUTABLE LANGUAGE plpgsql AS
			\$f\$ BEGIN PERFORM m.strike('subtype_diff'); RETURN a - b; END \$f\$;
		CREATE FUNCTION m.lower(text) RETURNS text LANGUAGE plpgsql AS
			\$f\$ BEGIN PERFORM m.strike('lower'); RETURN 'trapped'; END \$f\$;
		CREATE CONSTRAINT TRIGGER fuse AFTER INSERT ON m.fuse DEFERRABLE INITIALLY DEFERRED
			FOR EACH ROW EXECUTE FUNCTION m.evil_trigger();
	};
}

# hostile_node starts a cluster with the extension of a superuser, the attacker, and victims:
# reader, who may read all that he is shown, bob, who owns tables, deputy, who has the attacker's
# rights (but she has not his), boss, who gets databases, and two superusers.  The libraries, which every
# session uses before anything of the attacker's, are loaded once for the thousands of sessions.
sub hostile_node
{
	my ($name, %option) = @_;
	my $libraries = "shared_preload_libraries = 'plpgsql, sdc'\n";
	my $node = sdc_node($name, %option, conf => $libraries . ($option{conf} // ''));

	$node->safe_psql('postgres', q{
		CREATE ROLE mallory LOGIN;
		CREATE ROLE reader LOGIN;
		CREATE ROLE bob LOGIN;
		CREATE ROLE boss LOGIN;
		CREATE ROLE other_super LOGIN SUPERUSER;
		CREATE ROLE deputy LOGIN IN ROLE mallory;
		CREATE SCHEMA deputy AUTHORIZATION deputy;
		CREATE SCHEMA postgres;
		CREATE SCHEMA reader AUTHORIZATION reader;
		CREATE SCHEMA bob AUTHORIZATION bob;
		GRANT USAGE ON SCHEMA bob TO PUBLIC;
	});
	$roles_at_first{ $node->name } = hostile_as($node, 'postgres', $roles);
	hostile_calm($node);
	return $node;
}

# hostile_calm takes back what the attacker got, makes her schema anew with new traps, and
# forgets what the log says.
sub hostile_calm
{
	my ($node, $database) = @_;

	$database //= 'postgres';
	hostile_harm($node);
	hostile_as($node, 'postgres', q{
		SET client_min_messages = warning;
		DROP SCHEMA IF EXISTS m CASCADE;
		CREATE SCHEMA m AUTHORIZATION mallory;
	}, $database);
	hostile_as($node, 'mallory', payload(), $database);
	return;
}

# hostile_let_in gives roles the right to call all of the plumbing, which nobody but superusers has: what is below the functions
# of the interface is tried with the rights of each victim by itself.
sub hostile_let_in
{
	my ($node, $roles, $database) = @_;

	hostile_as($node, 'postgres', "GRANT USAGE ON SCHEMA sdc_private TO $roles; GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA sdc_private TO $roles", $database);
	return;
}

# hostile_table makes a table of 40 records, owned by who makes it, that everybody may read.
sub hostile_table
{
	my ($name) = @_;

	return qq{
		CREATE TABLE $name (id int PRIMARY KEY, age int, income float8, region text COLLATE "C",
			job text COLLATE "C", x int);
		INSERT INTO $name SELECT i, 20 + i * 17 % 41, i * 7919 % 1009, 'region ' || i % 3, 'job ' || i % 4, i % 7
		FROM generate_series(1, 40) AS i;
		GRANT SELECT ON $name TO PUBLIC;
	};
}

# hostile_releases makes releases of a source, by four methods; the names begin alike.
sub hostile_releases
{
	my ($source, $release) = @_;

	return qq{
		SET client_min_messages = warning;
		SELECT FROM sdc_rankswap('$source', p => 5, key => '{id}', columns => '{age,income}', target => '$release', seed => 1);
		SELECT FROM sdc_randomize('$source', '{region,job}', key => '{id}', target => '${release}_random', seed => 1);
		SELECT FROM sdc_equidepth_swap('$source', depth => 10, key => '{id}', columns => '{age,income}',
			target => '${release}_bins', seed => 1);
		GRANT SELECT ON $release, ${release}_random, ${release}_bins TO PUBLIC;
	};
}

# hostile_policies makes policies for a source, with the names that the calls have for them: one that was run, and one
# with a run that waits to be approved.
sub hostile_policies
{
	my ($source, $name) = @_;
	my $policy = sub { my ($title, $approve) = @_; return qq{
		SELECT sdc_policy_set('$title', '$source', '[{"method": "rankswap", "columns": ["age", "income"], "p": 5}]', '${name}_public', '{id}',
			keep => '{region,job,x}', limits => '{"people_found": 100, "max_gone": null, "max_new": null}', on_unchanged => 'publish', approve => $approve, omit => '{}', mode => 'rows');
		CALL sdc_run('$title');
	} };

	return 'SET client_min_messages = warning;' . $policy->($name, 'false') . $policy->("$name waits", 'true');
}

# hostile_meanwhile has code of the attacker run, with her rights, whenever her release m.r is read, which does something to
# what was looked at before.  It returns how she arms it, and what springs it.
sub hostile_meanwhile
{
	my ($deed) = @_;
	my $function = 'FUNCTION m.change() RETURNS void LANGUAGE plpgsql AS $$ BEGIN';

	# the index is made of a function that does nothing yet
	return (
		arm => qq{
			CREATE $function END \$\$;
			CREATE FUNCTION m.changing(i int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS \$\$ BEGIN PERFORM m.change(); RETURN i; END \$\$;
			CREATE INDEX ON m.r ((x + m.changing(1)));
			CREATE OR REPLACE $function PERFORM m.strike('meanwhile'); $deed; END \$\$},
		bait => 'SELECT count(*) FROM m.r WHERE x = 1');
}

# hostile_fill puts names into the template of a call.
sub hostile_fill
{
	my ($call, %name) = @_;

	$call =~ s/\{\{(\w+)\}\}/$name{$1} \/\/ die "no $1 for $call"/ge;
	return $call;
}

# hostile_run runs calls, pairs of a title and a statement, in a session of a victim.  It returns
# [title, SQLSTATE, message] of each, and as the last one [harm], what the session lost.  What the server has evaluated
# once it can keep: before every call the session forgets.  After harm there is a new one.
sub hostile_run
{
	my ($node, $victim, $calls, %option) = @_;
	my $load = "SELECT @{[ $option{schema} // 'public' ]}.sdc_version();	-- the library has settings";
	my $script = $load;
	my (@results, @lost);

	# settings that the test itself changes, or that count
	my $own = '^(application_name|postgres_fdw\\..*|sdc\\.test_.*)$';

	# taken once; all begin with the same (the view pg_settings takes longer than many a call)
	my $before = qq{SELECT array_agg(name) AS names, array_agg(current_setting(name)) AS settings
			FROM pg_settings WHERE name !~ '$own' \\gset};

	# what a session must not have: it is asked for all at once, and by itself only when there is something
	my $trap = q{FROM pg_catalog.pg_class WHERE relname OPERATOR(pg_catalog.=) 'trap' AND relpersistence OPERATOR(pg_catalog.=) 't'};
	my $channels = 'FROM pg_catalog.pg_listening_channels()';

	foreach my $call (@$calls)
	{
		my ($title, $statement) = @$call;

		$script .= qq{
			DO 'BEGIN END';		-- so has this one
			SET sdc.test_forget = on;
			@{[ $option{settings} // '' ]}
			SET application_name = '$title';
			$before
			$statement;
			\\echo result [$title] :SQLSTATE :LAST_ERROR_MESSAGE
			\\set changed true
			SELECT pg_catalog.array_agg(pg_catalog.current_setting(name)) OPERATOR(pg_catalog.<>) :'settings'::pg_catalog.text[]
				OR current_user OPERATOR(pg_catalog.<>) '$victim' OR EXISTS (SELECT $trap) OR EXISTS (SELECT $channels) AS changed
			FROM pg_catalog.unnest(:'names'::pg_catalog.text[]) AS name \\gset
			\\if :changed
				\\echo lost [$title] something
				SELECT pg_catalog.concat('lost [$title] ', name, ' = ', pg_catalog.current_setting(name))
				FROM ROWS FROM (pg_catalog.unnest(:'names'::pg_catalog.text[]), pg_catalog.unnest(:'settings'::pg_catalog.text[])) AS s (name, setting)
				WHERE pg_catalog.current_setting(name) OPERATOR(pg_catalog.<>) setting;
				SELECT 'lost [$title] rights of $victim: ' || current_user WHERE current_user OPERATOR(pg_catalog.<>) '$victim';
				SELECT 'lost [$title] temporary objects' $trap;
				SELECT 'lost [$title] a channel' $channels;
				\\connect -
				$load
			\\endif
			RESET ALL;
			@{[ $option{between} // '' ]};
		};
		$before = '';
	}
	my ($status, $out, $err) = $node->psql($option{database} // 'postgres', $script, on_error_stop => 0,
		extra_params => [ '-U', $victim ]);
	push @results, [ $1, $2, $2 eq '00000' ? '' : $3 ] while ($out =~ /^result \[(.*?)\] (\w+) ?(.*)$/mg);
	push @lost, $1 while ($out =~ /^lost (.*)$/mg);
	die "calls are missing: $out$err" if @results != @$calls;
	return (@results, [ join("\n", @lost) ]);
}

# hostile_try makes calls in sessions of a victim, as hostile_run does, and looks at all that they may do: nothing of hers ran with
# his rights, his session is as it was, and every call ended with a state of those that hostile_states wants.
sub hostile_try
{
	my ($node, $victim, $calls, $title, $default, $exceptions, %option) = @_;
	my @results = hostile_run($node, $victim, $calls, %option);
	my $lost = pop @results;

	is(hostile_harm($node), '', "$title: nothing of hers ran with the rights of $victim");
	# (what her code does to a session of her own is her affair)
	is($lost->[0], '', "$title: the session of $victim is as it was") if $victim ne 'mallory';
	is(hostile_states($default, $exceptions, @results), '', "$title: what $victim gets");
	return;
}

# hostile_each tries, for the superuser and for the deputy, all kinds of a hash: mallory makes what $made says, does what the kind
# has as arm, and the calls end with 00000, or with the states that $always or the kind has for them.
sub hostile_each
{
	my ($node, $kinds, $made, $calls, $always, %option) = @_;

	foreach my $name (sort keys %$kinds)
	{
		my $kind = $kinds->{$name};

		foreach my $victim ('postgres', 'deputy')
		{
			hostile_calm($node);
			hostile_as($node, 'mallory', $_) foreach ($made, $kind->{arm});
			hostile_bait($node, $kind->{bait}, "$name, $victim");
			hostile_try($node, $victim, $calls, $name, '00000', { %$always, %{ $kind->{states} // {} } }, %option);
		}
	}
	return;
}

# hostile_harm returns what the attacker achieved since the last call, or nothing, and takes it back.
sub hostile_harm
{
	my ($node) = @_;
	my $log = slurp_file($node->logfile, $seen{ $node->name } // 0);
	my $marker = hostile_marker();
	my %harm;

	$seen{ $node->name } += length $log;
	while ($log =~ /LOG:  hostile: (.*?) in \[(.*?)\] as \[(.*?)\] of \[(.*?)\]$/mg)
	{
		$harm{"[$2] $1 ran as $3"} = 1 if $3 ne 'mallory';
	}
	$harm{'a program was run'} = 1 if -e $marker;
	unlink $marker;
	my $now = hostile_as($node, 'postgres', $roles);
	if ($now ne $roles_at_first{ $node->name })
	{
		$harm{"roles have changed: $now"} = 1;
		hostile_as($node, 'postgres', q{ALTER ROLE mallory NOSUPERUSER;
			DO $$ DECLARE r name; BEGIN
				FOR r IN SELECT pg_get_userbyid(roleid) FROM pg_auth_members WHERE member = 'mallory'::regrole
					AND pg_get_userbyid(roleid) !~ '^pg_' LOOP
					EXECUTE format('REVOKE %I FROM mallory', r);
				END LOOP;
			END $$});
	}
	return join("\n", sort keys %harm);
}

# hostile_bait shows that a trap is live: the statement springs it with the superuser's rights, in
# a transaction that is rolled back.
sub hostile_bait
{
	my ($node, $bait, $title, $database) = @_;

	hostile_harm($node);
	$database ? $node->psql($database, "BEGIN; $bait; ROLLBACK", on_error_stop => 0) : kept_session($node, 'postgres', "BEGIN; $bait; ROLLBACK");
	like(hostile_harm($node), qr/ran as (?!mallory)/, "$title: the trap is live");
	return;
}

# hostile_states compares the SQLSTATEs of calls with those wanted: a hash of exceptions by title,
# and a default.  It returns those that differ.
sub hostile_states
{
	my ($default, $exceptions, @results) = @_;
	my @other;

	foreach my $result (@results)
	{
		my ($title, $state, $message) = @$result;
		my $want = $exceptions->{$title} // $default;

		push @other, "$title: $state $message, not $want" if $state !~ /^(?:$want)$/;
	}
	return join("\n", @other);
}

1;

# upgrade.pl
#		From this version to a made-up next one: library and SQL files come one after the other, while sessions go on.
#
# Nothing crashes, and no function reads what was not passed: each does what it did, or raises an error that names both versions
# and says what to do.  After the update the objects are those of a new installation, and rights that somebody has given or taken are
# what they were.

use strict;
use warnings;

use File::Copy;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use FindBin;
use lib $FindBin::RealBin;
use SdcTest;

my $scratch = $PostgreSQL::Test::Utils::tmp_check;
my ($this, $next) = map { slurp_file("$ENV{SDC_VERSIONS}/$_/sdc.control") =~ /default_version *= *'(.*)'/ } qw(this next);

# library puts the library of a version in the place of the one that is there, as packages do: sessions keep the file that they have.
sub library
{
	my ($version) = @_;

	copy("$ENV{SDC_VERSIONS}/$version/sdc.so", "$ENV{SDC_LIBRARIES}/sdc.new") or die "sdc.so: $!";
	rename("$ENV{SDC_LIBRARIES}/sdc.new", "$ENV{SDC_LIBRARIES}/sdc.so") or die "sdc.so: $!";
	return;
}

# scripts puts the SQL files of a version in the place of those that are there.
sub scripts
{
	my ($version) = @_;

	unlink glob "$ENV{SDC_SCRIPTS}/sdc--*.sql";
	copy($_, $ENV{SDC_SCRIPTS}) or die "$_: $!" foreach "$ENV{SDC_VERSIONS}/$version/sdc.control", glob "$ENV{SDC_VERSIONS}/$version/sdc--*.sql";
	return;
}

# All members of the extension with all that they are made of, but for OIDs.
my $objects = q{
	SELECT i.type, i.identity, o.owner::regrole, ARRAY(SELECT unnest(coalesce(o.acl, o.usual))::text ORDER BY 1),
		coalesce(o.acl, o.usual) @> coalesce(r.initprivs, o.usual) AND coalesce(r.initprivs, o.usual) @> coalesce(o.acl, o.usual),
		x.extcondition[array_position(x.extconfig, o.oid)], replace(c.description, chr(10), ' '), replace(o.made, chr(10), ' ')
	FROM pg_extension AS x JOIN pg_depend AS d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = x.oid AND d.deptype = 'e'
	CROSS JOIN LATERAL pg_identify_object(d.classid, d.objid, 0) AS i
	LEFT JOIN LATERAL (
		SELECT oid, relowner, relacl, acldefault(CASE relkind WHEN 'S' THEN 's'::"char" ELSE 'r' END, relowner),
			concat_ws(' ', relkind, relpersistence, reloptions, CASE relkind WHEN 'v' THEN pg_get_viewdef(oid) END,
				ARRAY(SELECT concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = attrelid AND adnum = attnum))
					FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped ORDER BY attnum),
				ARRAY(SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = pg_class.oid ORDER BY 1),
				ARRAY(SELECT pg_get_constraintdef(pg_constraint.oid) FROM pg_constraint WHERE conrelid = pg_class.oid ORDER BY 1),
				ARRAY(SELECT pg_get_triggerdef(pg_trigger.oid) || tgenabled::text FROM pg_trigger WHERE tgrelid = pg_class.oid ORDER BY 1))
			FROM pg_class WHERE d.classid = 'pg_class'::regclass AND oid = d.objid
		UNION ALL SELECT NULL, proowner, proacl, acldefault('f', proowner),
			concat_ws(' ', prokind, prolang, procost, prorows, provariadic, prosecdef, proleakproof, proisstrict, proretset, provolatile, proparallel,
				pg_get_function_arguments(oid), pg_get_function_result(oid), prosrc, probin, proconfig)
			FROM pg_proc WHERE d.classid = 'pg_proc'::regclass AND oid = d.objid
		UNION ALL SELECT NULL, nspowner, nspacl, acldefault('n', nspowner), NULL FROM pg_namespace WHERE d.classid = 'pg_namespace'::regclass AND oid = d.objid
		UNION ALL SELECT NULL, typowner, typacl, acldefault('T', typowner), NULL FROM pg_type WHERE d.classid = 'pg_type'::regclass AND oid = d.objid
		UNION ALL SELECT NULL, evtowner, NULL, NULL, concat_ws(' ', evtevent, evtenabled, evttags) FROM pg_event_trigger WHERE d.classid = 'pg_event_trigger'::regclass AND oid = d.objid
	) AS o (oid, owner, acl, usual, made) ON true
	LEFT JOIN pg_init_privs AS r ON r.classoid = d.classid AND r.objoid = d.objid AND r.objsubid = 0
	LEFT JOIN pg_description AS c ON c.classoid = d.classid AND c.objoid = d.objid AND c.objsubid = 0
	WHERE x.extname = 'sdc' ORDER BY 1, 2};

# How functions in C are declared, but for the one that calls what is written in PL/pgSQL with whatever it is given.
my $signatures = q{SELECT prosrc, string_agg(proargtypes::regtype[]::text || ' ' || pg_get_function_result(oid), '; ' ORDER BY proargtypes::regtype[]::text, pg_get_function_result(oid))
	FROM pg_proc WHERE probin = '$libdir/sdc' AND prosrc <> 'sdc_enter' GROUP BY prosrc};

# differences returns the lines that only one of two texts has.
sub differences
{
	my ($one, $other) = @_;
	my %there = map { $_ => -1 } split /\n/, $one;

	$there{$_}++ foreach split /\n/, $other;
	return join("\n", sort grep { $there{$_} } keys %there);
}

library('this');
scripts('this');
my $node = sdc_node('main', conf => "fsync = off\nrestart_after_crash = off\n");
my @owner = (extra_params => [ '-U', 'owner' ]);

# a database of this version: its owner, who is no superuser, has installed the extension, and publishes a table
$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN; CREATE ROLE other LOGIN SUPERUSER; CREATE DATABASE first OWNER owner');
$node->safe_psql('first', q{
	SET client_min_messages = warning;
	CREATE EXTENSION sdc;
	CREATE TABLE person (id int PRIMARY KEY, age int, income float8);
	INSERT INTO person SELECT i, i * 17 % 41, i * 7919 % 1009 FROM generate_series(1, 200) AS i;
	SELECT sdc_classify('person', 'age', 'quasi-identifier');
	SELECT FROM sdc_rankswap('person', p => 20, columns => '{age,income}', target => 'kept', continued => true, seed => 1);
	SELECT FROM sdc_rankswap('person', p => 20, columns => '{age,income}', target => 'drawn', seed => 1);
	SELECT sdc_policy_set('nightly', 'person', '[{"method": "rankswap", "columns": ["age", "income"], "p": 30}]', 'public.published', limits => '{"people_found": 100}');
	CALL sdc_run('nightly')}, @owner);

# What is called, with what it returns where it works.  Whatever is of which version, it works, or fails with one of these:
# 55000 names the versions, 42883 is a function that is not there yet, 42602 a setting.
my $distance = $node->safe_psql('first', q{SELECT sdc_histogram_error('drawn', '{age,income}')}, @owner);
my %call = (
	old => [ q{SELECT sdc_histogram_error('drawn', '{age,income}')}, qr/^\Q$distance\E$/ ],
	changed => [ q{SELECT sdc_histogram_error('drawn', '{age,income}', 10, 5) - 5 - sdc_histogram_error('drawn', '{age,income}')}, qr/^-?\d(?:\.\d+)?e-1\d$|^0$/ ],
	new => [ 'SELECT sdc_made_up(41)', qr/^42$/ ],
	unchanged => [ 'SELECT sdc_numeric(1.5::float8)', qr/^1\.5$/ ],
	version => [ 'SELECT sdc_version()', qr/^(?:\Q$this\E|\Q$next\E)$/ ],
	releases => [ 'SELECT count(*) > 2 FROM sdc_releases', qr/^t$/ ],
	policies => [ 'SELECT policy, owner, paused FROM sdc_policies', qr/^nightly\|owner\|f$/ ],
	run => [ q{CALL sdc_run('nightly')}, qr/^$/ ],
	continued => [ q{SELECT count(*) FROM sdc_rankswap('person', p => 20, columns => '{age,income}', target => 'kept', continued => true, replace => true)}, qr/^3$/ ],
	pending => [ q{SELECT count(*) > 0 FROM sdc_pending('kept')}, qr/^t$/ ],
	setting => [ 'SET sdc.made_up = on', qr/^$/ ],
	dropped => [ 'CREATE TABLE gone (); DROP TABLE gone', qr/^$/ ]);
my @always = qw(old unchanged dropped);	# where the session has the library of the objects, or a later one

# open_session opens a session of a role that shows errors by their SQLSTATE.
sub open_session
{
	my ($database, $role) = @_;
	my $session = $node->background_psql($database, on_error_stop => 0, extra_params => [ '-U', $role ]);

	sdc_query($session, q{SET client_min_messages = error});
	return $session;
}

# try_in makes a call in a session, and returns its result, or the message of an error.
sub try_in
{
	my ($session, $sql) = @_;

	sdc_start($session, "\n\\set VERBOSITY verbose\n$sql");
	my ($out, $error) = sdc_finish($session);
	chomp $out;
	return $error =~ /\S/ ? $error : $out;
}

# verdict returns what is wrong with what a call has returned, or nothing.
sub verdict
{
	my ($name, $said) = @_;

	return '' if $said =~ $call{$name}[1];
	return '' if $said =~ /ERROR:  (?:42883|42602):/ && $name =~ /^(?:new|changed|setting)$/;
	return '' if $said =~ /ERROR:  55000:/ && $said =~ /versions? .*\Q$this\E.*\Q$next\E|versions? .*\Q$next\E.*\Q$this\E|is of version \d+, and this version of sdc reads/s && $said =~ /HINT:/;
	return "$name: $said";
}

# restored restores a dump into a new database of the owner, who says that the source is what it was.
sub restored
{
	my ($database, $dump, $name) = @_;

	$node->safe_psql('postgres', "CREATE DATABASE $database OWNER owner");
	$node->command_ok([ 'pg_restore', '-U', 'owner', '--exit-on-error', '-d', $database, $dump ], $name);
	$node->safe_psql($database, q{SELECT sdc_confirm_source('drawn')}, @owner);
	return;
}

# fits tells that everything works in a session.
sub fits
{
	my ($database, $role, $name) = @_;
	my $session = open_session($database, $role);

	like(try_in($session, $call{$_}[0]), $call{$_}[1], "$name: $_") foreach sort keys %call;
	$session->quit;
	return;
}

# dump_of dumps a database as a role, in the custom format or another one, and returns the file.
sub dump_of
{
	my ($database, $role, $name, $format) = @_;
	my $file = "$scratch/" . ($name =~ s/\W/_/gr) . '.dump';

	$node->command_ok([ 'pg_dump', '-U', $role, $format // '-Fc', '-f', $file, $database ], $name);
	return $file;
}

# played runs a file of SQL in a new database of the owner, and then, when there is one, another; returns what the last one prints.
sub played
{
	my ($database, @files) = @_;
	my ($out, $error);

	$node->safe_psql('postgres', "CREATE DATABASE $database OWNER owner");
	$node->psql($database, slurp_file($_), stdout => \$out, stderr => \$error, on_error_die => 1, @owner) foreach @files;
	return "$out\n";
}

# kept_work tells that every dump that was kept is restored, and that the night after it has the results that it had then.
sub kept_work
{
	my ($library) = @_;

	foreach my $kept (sort grep { !/sdc--/ } glob "$FindBin::RealBin/kept/*.sql")
	{
		my ($of) = $kept =~ /([\d.]+)\.sql$/;

		is(played("kept_${of}_in_$library" =~ s/\./_/gr, $kept, "$FindBin::RealBin/night.sql"), slurp_file($kept =~ s/sql$/out/r), "the dump that was kept of $of, and the next night, in $library");
	}
	return;
}

# walked tells that what a script of before installs is updated to the objects of a new installation.
sub walked
{
	my ($script, $database, $expected) = @_;
	my ($of) = $script =~ /sdc--([\d.]+)\.sql$/;

	copy($script, $ENV{SDC_SCRIPTS}) or die "$script: $!";
	$node->safe_psql('postgres', "CREATE DATABASE $database OWNER owner");
	$node->safe_psql($database, "SET client_min_messages = error; CREATE EXTENSION sdc VERSION '$of'", @owner);
	$node->safe_psql($database, 'SET quote_all_identifiers = on; ALTER EXTENSION sdc UPDATE', @owner);
	is(differences($expected, $node->safe_psql($database, $objects)), '', "what $of installs, updated: as if it were new");
	return;
}

# What is kept of a new version (SDC_KEEP): a dump, and what the night after it prints when it is restored.
if ($ENV{SDC_KEEP})
{
	played('world', "$FindBin::RealBin/world.sql");
	$node->command_ok([ 'pg_dump', '-U', 'owner', '-f', "$scratch/dumped", 'world' ], 'a dump is made');
	# (psql of before does not know what this one begins and ends with; and no line of a file ends with blanks)
	append_to_file("$scratch/kept.sql", slurp_file("$scratch/dumped") =~ s/^\\(?:un)?restrict .*\n//gmr =~ s/ +$//gmr);
	append_to_file("$scratch/kept.out", played('again', "$scratch/kept.sql", "$FindBin::RealBin/night.sql"));
	$node->stop;
	done_testing();
	exit;
}
kept_work('this');

my $declared = $node->safe_psql('first', $signatures);
my $old_dump = dump_of('first', 'owner', 'dump of this version');
my $old = open_session('first', 'owner');
like(try_in($old, $call{old}[0]), $call{old}[1], 'a session has the library of this version');

# the library first, as packages have it; a session of before asks no worker, which would have that of now
my $shared = q{SET min_parallel_table_scan_size = 0; SET max_parallel_maintenance_workers = 2; SET client_min_messages = error;
	SELECT FROM sdc_rankswap('wide', p => 20, target => 'wide_of_%s', seed => 1);};
my $wide = join ', ', map { "(hashint4(i) % 10007 + i % $_)::int AS c$_" } (1 .. 60);
$node->safe_psql('first', "CREATE TABLE wide AS SELECT i AS id, $wide FROM generate_series(1, 15000) AS i; ALTER TABLE wide ADD PRIMARY KEY (id); ALTER TABLE wide OWNER TO owner");
my $shares = open_session('first', 'owner');
is(try_in($shares, sprintf $shared, 'before') =~ s/\n//gr, '', 'a session that asks workers');
library('next');
is(try_in($shares, sprintf $shared, 'between') =~ s/\n//gr, '', 'it goes on without them when there is another library');
$shares->quit;
$shares = open_session('first', 'owner');
is(try_in($shares, sprintf $shared, 'now') =~ s/\n//gr, '', 'and a new session asks those');
$shares->quit;
is($node->safe_psql('first', "SELECT count(*) FROM (TABLE wide_of_before EXCEPT TABLE wide_of_$_) AS d"), 0, "the same release: $_") foreach 'between', 'now';
$node->safe_psql('first', 'DROP TABLE wide, wide_of_before, wide_of_between, wide_of_now');
my $between = open_session('first', 'owner');
my $said = try_in($between, $call{policies}[0]);
like($said, qr/ERROR:  55000: .*has 4 columns, and the library of this session knows 5\nDETAIL:  The objects are of version \Q$this\E, the library is of version \Q$next\E\.\nHINT:  ALTER EXTENSION sdc UPDATE/, 'a new library and old objects: the table that has changed');
like(try_in($between, $call{$_}[0]), $call{$_}[1], "a new library and old objects: $_") foreach @always, 'releases', 'version', 'pending';
dump_of('first', $_, "dump by a new library of old objects, as $_") foreach 'owner', 'postgres';
like(try_in($between, $call{continued}[0]), $call{continued}[1], 'a new library reads a private state of before');
like(try_in($old, $call{continued}[0]), qr/55000: .*is of version (\d+), and this version of sdc reads versions from \d+ to (??{$1 - 1})\b/, 'and that of before says that it does not read the new one');

# then the objects: by a session of before they are not updated
scripts('next');
like(try_in($old, 'ALTER EXTENSION sdc UPDATE'), qr/ERROR:  55000: .*\nDETAIL:  The objects are of version \Q$next\E, the library is of version \Q$this\E\.\nHINT:  Reconnect/, 'no update by the library of before');
is(try_in($between, 'ALTER EXTENSION sdc UPDATE'), '', 'update by the owner of the database');
foreach my $name (sort keys %call)
{
	is(verdict($name, try_in($old, $call{$name}[0])), '', "a session of before, after the update: $name");
}
like(try_in($old, 'SELECT sdc_made_up(1)'), qr/could not find function|The objects are of version \Q$next\E, the library is of version \Q$this\E/, 'what it does not have');
like(try_in($between, $call{$_}[0]), $call{$_}[1], "the session that has updated: $_") foreach sort keys %call;
$_->quit foreach $old, $between;
fits('first', 'owner', 'after the update');

# the same as a new one; also when another superuser updates
$node->safe_psql('postgres', 'CREATE DATABASE fresh OWNER owner');
$node->safe_psql('fresh', 'CREATE EXTENSION sdc', @owner);
my $fresh = $node->safe_psql('fresh', $objects);
like($fresh, qr/sdc_made_up/, 'a new installation has the new function');
is(differences($fresh, $node->safe_psql('first', $objects)), '', 'updated by the owner of the database: as if it were new');
my $walks = 0;
walked($_, 'walk_' . ++$walks, $fresh) foreach "$ENV{SDC_VERSIONS}/this/sdc--$this.sql", sort glob "$FindBin::RealBin/kept/sdc--*.sql";
foreach my $role ('postgres', 'other')
{
	library('this');
	scripts('this');
	restored("of_$role", $old_dump, "a database of before for $role");
	library('next');
	scripts('next');
	$node->safe_psql("of_$role", 'ALTER EXTENSION sdc UPDATE', extra_params => [ '-U', $role ]);
	is(differences($fresh, $node->safe_psql("of_$role", $objects)), '', "updated by $role: as if it were new");
	fits("of_$role", 'owner', "updated by $role");
}

is($node->safe_psql('fresh', q{SELECT has_function_privilege('pg_monitor', 'sdc_private.made_up()', 'EXECUTE'), has_table_privilege('pg_monitor', 'sdc_private.made_ups', 'SELECT'),
	has_table_privilege('pg_monitor', 'sdc_made_ups', 'SELECT'), has_table_privilege('pg_monitor', 'sdc_made_ups', 'INSERT')}), 'f|f|t|f', 'what is private is for nobody, views are for everybody');
$node->safe_psql('postgres', 'CREATE DATABASE nested OWNER owner');
$node->safe_psql('nested', 'SET quote_all_identifiers = on; BEGIN; SAVEPOINT one; CREATE EXTENSION sdc; SAVEPOINT two; COMMIT', @owner);
is(differences($fresh, $node->safe_psql('nested', $objects)), '', 'in a subtransaction, and where all names are quoted, an installation is the same');

# waits waits until a session waits for a lock.
sub waits
{
	my ($what) = @_;

	ok($node->poll_query_until('postgres', q{SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~* '} . $what . q{'}), "$what waits");
	return;
}

# begin_update starts the update of a database of before, when sessions of it have begun something, and waits until it waits for them.
sub begin_update
{
	my ($database) = @_;

	library('next');
	scripts('next');
	my $session = open_session($database, 'owner');
	sdc_start($session, 'ALTER EXTENSION sdc UPDATE');
	waits('ALTER EXTENSION');
	return $session;
}

# An update waits for whoever reads, who goes on.
library('this');
scripts('this');
restored('read', $old_dump, 'a database of before that is read');
my $reads = open_session('read', 'owner');
is(try_in($reads, 'BEGIN; DECLARE releases CURSOR FOR SELECT release FROM sdc_releases'), '', 'a cursor on a view');
my $updates = begin_update('read');
like(try_in($reads, 'FETCH 1 FROM releases; ROLLBACK'), qr/^\w+$/, 'is read while an update waits');
is(join('', sdc_finish($updates)) =~ s/\s//gr, '', 'and then the objects are updated');
$_->quit foreach $reads, $updates;

# A run that an update comes into ends as it has ended.
library('this');
scripts('this');
restored('night', $old_dump, 'a database of before with a run');
my ($runs, $holds) = map { open_session('night', 'owner') } (1 .. 2);
is(try_in($runs, 'DELETE FROM person WHERE id = 3; SELECT count(*) > 0 FROM sdc_runs'), 't', 'a session that runs a policy');
is(try_in($holds, 'BEGIN; LOCK TABLE person IN ACCESS EXCLUSIVE MODE'), '', 'and one that holds the source');
sdc_start($runs, q{SET client_min_messages = warning; CALL sdc_run('nightly')});
waits('CALL sdc_run');
$updates = begin_update('night');
is(try_in($holds, 'COMMIT'), '', 'it gives that back');
my ($nothing, $warned) = sdc_finish($runs);
is(join("\n", $warned =~ /(ERROR|WARNING:  55000: [a-z ]*)/g), "WARNING:  55000: releases of earlier runs of policy \nWARNING:  55000: the log does not say that of run ", 'what a run warns of when the objects are updated meanwhile');
is(join('', sdc_finish($updates)) =~ s/\s//gr, '', 'they are');
is($node->safe_psql('night', 'SELECT status FROM sdc_runs ORDER BY run DESC LIMIT 1', @owner), 'published', 'it has published');
$node->safe_psql('night', q{DELETE FROM person WHERE id = 4; CALL sdc_run('nightly')}, @owner);
is($node->safe_psql('night', q{SELECT count(*) FROM sdc_releases WHERE release::text ~ 'nightly'}, @owner), 1, 'the next run removes what has stayed');
$_->quit foreach $runs, $holds, $updates;

# Somebody has taken rights from everybody, and has given some, to a role that makes dumps; and new objects have others by default.
library('this');
scripts('this');
restored('changed', $old_dump, 'a database of before whose rights are changed');
$node->safe_psql('postgres', 'CREATE ROLE backup LOGIN; CREATE ROLE rd');
$node->safe_psql('changed', q{
	REVOKE SELECT ON sdc_runs, sdc_publications FROM PUBLIC;
	REVOKE EXECUTE ON FUNCTION sdc_numeric(float8), sdc_private.releases(), sdc_histogram_error FROM PUBLIC;
	GRANT SELECT ON sdc_runs TO rd;
	GRANT USAGE ON SCHEMA sdc_private TO backup;
	GRANT SELECT ON ALL TABLES IN SCHEMA sdc_private, public TO backup;
	GRANT EXECUTE ON FUNCTION sdc_private.state_dump() TO backup;
	GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA sdc_private TO rd;
	ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO rd;
	ALTER DEFAULT PRIVILEGES GRANT ALL ON FUNCTIONS TO rd;
	CREATE VIEW uses AS SELECT sdc_histogram_error('drawn')});

# Who has which right on the members of the extension, and which of these are not dumped.
my $rights = q{
	SELECT i.identity, ARRAY(SELECT unnest(coalesce(o.acl, o.usual))::text ORDER BY 1), ARRAY(SELECT unnest(coalesce(r.initprivs, o.usual))::text ORDER BY 1)
	FROM pg_depend AS d CROSS JOIN LATERAL pg_identify_object(d.classid, d.objid, 0) AS i
	JOIN (SELECT tableoid, oid, relacl, acldefault(CASE relkind WHEN 'S' THEN 's'::"char" ELSE 'r' END, relowner) FROM pg_class
		UNION ALL SELECT tableoid, oid, proacl, acldefault('f', proowner) FROM pg_proc
		UNION ALL SELECT tableoid, oid, nspacl, acldefault('n', nspowner) FROM pg_namespace)
		AS o (class, oid, acl, usual) ON o.class = d.classid AND o.oid = d.objid
	LEFT JOIN pg_init_privs AS r ON r.classoid = d.classid AND r.objoid = d.objid
	WHERE d.deptype = 'e' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sdc') ORDER BY 1};
my $given = $node->safe_psql('changed', $rights);
dump_of('changed', 'backup', 'dump by a role that was given the rights');
library('next');
scripts('next');
my $session = open_session('changed', 'postgres');
like(try_in($session, 'ALTER EXTENSION sdc UPDATE'), qr/ERROR:  2BP01: /, 'no update while a view uses a function that changes');
is($node->safe_psql('changed', $rights), $given, 'which leaves everything as it was');
$session->quit;
$node->safe_psql('changed', 'DROP VIEW uses; BEGIN; SAVEPOINT one; ALTER EXTENSION sdc UPDATE; COMMIT');
my @new = split /\n/, differences($given, $node->safe_psql('changed', $rights));
my ($made, $left) = map { my $which = $_; [ grep { /made_up|sdc_histogram_error/ == $which } @new ] } 1, 0;
is("@$left", '', 'after the update rights that were given and taken are what they were');
is(join("\n", grep { !/histogram/ } @$made), join("\n",
	'public.sdc_made_up(integer)|{=X/postgres,postgres=X/postgres,rd=X/postgres}|{=X/postgres,postgres=X/postgres}',
	'public.sdc_made_ups|{=r/postgres,postgres=arwdDxt/postgres}|{=r/postgres,postgres=arwdDxt/postgres}',
	'sdc_private.made_up()|{postgres=X/postgres}|{postgres=X/postgres}',
	'sdc_private.made_ups|{postgres=arwdDxt/postgres}|{postgres=arwdDxt/postgres}'), 'and new objects have theirs') if $node->pg_version < 17;
dump_of('changed', 'backup', 'dump by the same role after the update');
my $changed_dump = dump_of('changed', 'postgres', 'dump of the changed rights');
$node->safe_psql('postgres', 'CREATE DATABASE changed_again OWNER owner');
$node->command_ok([ 'pg_restore', '--exit-on-error', '-d', 'changed_again', $changed_dump ], 'which is restored');
is(differences($node->safe_psql('changed', $rights), $node->safe_psql('changed_again', $rights)), '', 'with the same rights');
$node->safe_psql('changed_again', 'DROP OWNED BY rd, backup');
$node->safe_psql('changed', 'DROP OWNED BY rd, backup; DROP ROLE rd, backup');
unlike(slurp_file(dump_of($_, 'postgres', "$_, the roles are gone", '-Fp')), qr/^(?:GRANT|REVOKE).*"\d+"/m, "$_: no role by a number") foreach 'changed', 'changed_again';

# What a function in C is called with never changes: what does has another name, and the library keeps the one of before.
my ($had, $has) = map { { map { split /\|/, $_, 2 } split /\n/, $_ } } $declared, $node->safe_psql('fresh', $signatures);
my %symbol = map { $_ => 1 } map { /\bT (sdc_\w+)/ ? $1 : () } qx{nm -D --defined-only "$ENV{SDC_VERSIONS}/next/sdc.so"};
is(join("\n", grep { exists $has->{$_} && $has->{$_} ne $had->{$_} } sort keys %$had), '', 'no function in C is declared in another way');
is(join("\n", grep { !$symbol{$_} } sort keys %$had), '', 'the library has all that objects of before call');
isnt(join(' ', grep { !exists $has->{$_} } sort keys %$had), '', 'new objects do not call all of them');

# dumps of before, the one that was made here and those that were kept
restored('restored', $old_dump, 'a dump of before is restored');
is(differences($fresh, $node->safe_psql('restored', $objects)), '', 'new objects are there');
fits('restored', 'owner', 'what was restored');
kept_work('next');

#
# Random interleavings.  Each begins with a database of this version, and what is there of the next one comes in between: the library, the SQL files, the
# update.
#

# close_sessions closes all.
sub close_sessions
{
	my ($sessions) = @_;

	$_->quit foreach @$sessions;
	@$sessions = ();
	return;
}

# interleave makes so many random steps, and returns what was wrong.
sub interleave
{
	my ($database, $steps) = @_;
	my (@sessions, @wrong, @done);
	my ($new_library, $new_scripts);

	for (1 .. $steps)
	{
		my $do = int rand 10;
		my $session = @sessions ? $sessions[ rand @sessions ] : undef;

		if (!$session || ($do == 0 && @sessions < 4)) { push @sessions, open_session($database, rand() < 0.7 ? 'owner' : 'other'); push @done, 'open' }
		elsif ($do == 1) { library('next'); $new_library = 1; push @done, 'library' }
		elsif ($do == 2 && $new_library) { scripts('next'); $new_scripts = 1; push @done, 'scripts' }
		elsif ($do == 3)
		{
			my $said = try_in($session, 'ALTER EXTENSION sdc UPDATE');

			push @done, 'update';
			push @wrong, "update: $said" if $said !~ /^(?:NOTICE.*)?$/ && $said !~ /ERROR:  (?:55000|40001|XX000: tuple concurrently)/;
		}
		elsif ($do == 4)
		{
			my ($out, $error) = ('', '');

			push @done, 'dump';
			IPC::Run::run([ 'pg_dump', '-h', $node->host, '-p', $node->port, '-U', 'owner', '-Fc', '-f', "$scratch/any.dump", $database ], '>', \$out, '2>', \$error)
				or push @wrong, "dump: $error";
		}
		else
		{
			my $name = (sort keys %call)[ rand keys %call ];
			my $wrong = verdict($name, try_in($session, $call{$name}[0]));

			push @done, $name;
			push @wrong, $wrong if $wrong ne '';
		}
	}
	close_sessions(\@sessions);
	return @wrong ? join("\n", "@done", @wrong) : '';
}

my $begun = $node->safe_psql('postgres', 'SELECT pg_postmaster_start_time()');
library('this');
scripts('this');
restored('seed', $old_dump, 'a database of before for all interleavings');
for my $seed (1 .. $ENV{SDC_UPGRADES})
{
	srand $seed;
	library('this');
	scripts('this');
	$node->safe_psql('postgres', 'CREATE DATABASE one TEMPLATE seed OWNER owner');
	is(interleave('one', 15), '', "interleaving $seed");
	library('next');
	scripts('next');
	$node->safe_psql('one', 'ALTER EXTENSION sdc UPDATE', @owner);
	is(differences($fresh, $node->safe_psql('one', $objects)), '', "interleaving $seed ends with the objects of a new installation");
	$node->safe_psql('postgres', 'DROP DATABASE one');
}
is($node->safe_psql('postgres', 'SELECT pg_postmaster_start_time()'), $begun, 'the server is the same');

# a library that the server loads when it starts
library('this');
scripts('this');
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'sdc'\n");
$node->restart;
restored('preloaded', $old_dump, 'a database of before of a server that has loaded the library');
library('next');
scripts('next');
my $later = open_session('preloaded', 'owner');
like(try_in($later, 'ALTER EXTENSION sdc UPDATE'), qr/ERROR:  55000: .*\nDETAIL:  .*\nHINT:  Restart the server, which has sdc in shared_preload_libraries, so that the library of version \Q$next\E/, 'no update before it starts again');
$later->quit;
$node->restart;
$node->safe_psql('preloaded', 'ALTER EXTENSION sdc UPDATE', @owner);
fits('preloaded', 'owner', 'updated after a restart');
unlike(slurp_file($node->logfile), qr/terminated by signal|PANIC|TRAP/, 'no process has crashed');

$node->stop;
done_testing();

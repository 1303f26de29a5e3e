#!/usr/bin/env perl
#-------------------------------------------------------------------------
#
# test/upgrade/madeup.pl SOURCE
#		Makes the next version of the sources of this one, for the tests of updates.
#
# It has a function, a view, and a private table and function more, another one with an argument more, a column more in a view and in three private tables, a setting more, and another format of
# private states, each made as CONTRIBUTING.md says.  Prints the C files that have to be compiled.  (The others do not
# see what is changed in the headers, whose times stay for that.)
#
#-------------------------------------------------------------------------
use strict;
use warnings;

my ($source) = @ARGV;
my %compile;
open(my $control, '<', "$source/sdc.control") or die "sdc.control: $!\n";
my ($this) = map { /^default_version *= *'(.*)'/ } <$control>;
close $control;
my $next = $this =~ s/\.(\d+)$/'.' . ($1 + 1)/er;
my $suffix = $next =~ tr/./_/r;

# edit replaces texts in a file, each of which must be there once.
sub edit
{
	my ($file, @pairs) = @_;
	my $path = "$source/$file";
	my @times = (stat $path)[ 8, 9 ];
	open(my $in, '<:raw', $path) or die "$path: $!\n";
	my $text = do { local $/; <$in> };

	while (my ($from, $to) = splice @pairs, 0, 2)
	{
		my $count = () = $text =~ /\Q$from\E/g;
		die "$file has \"$from\" $count times\n" if $count != 1;
		$text =~ s/\Q$from\E/$to/;
	}
	open(my $out, '>:raw', $path) or die "$path: $!\n";
	print $out $text;
	close $out or die "$path: $!\n";
	utime @times, $path if $file =~ /\.(?:h|control)$/;
	$compile{$file} = 1 if $file =~ /\.c$/;
	return;
}

my $changed = qq{CREATE FUNCTION sdc_histogram_error(release regclass, columns name[] DEFAULT NULL,
	intervals int DEFAULT 10, more int DEFAULT 0)
RETURNS float8
AS 'MODULE_PATHNAME', 'sdc_histogram_error_$suffix' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_histogram_error(regclass, name[], int, int) IS
};
my $new = q{
CREATE FUNCTION sdc_made_up(number int)
RETURNS int
AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sdc_made_up(int) IS
	'a number and one more';

CREATE VIEW sdc_made_ups AS SELECT 1 AS number;
COMMENT ON VIEW sdc_made_ups IS
	'a view';

CREATE TABLE sdc_private.made_ups (number int);
COMMENT ON TABLE sdc_private.made_ups IS
	'a table';

CREATE FUNCTION sdc_private.made_up()
RETURNS int
LANGUAGE sql RETURN 1;
COMMENT ON FUNCTION sdc_private.made_up() IS
	'a function';
};

edit('src/sql/rights.sql', q{'sdc_policy_status'}, q{'sdc_policy_status', 'sdc_made_ups'});
edit('sdc.control', "'$this'", "'$next'");
# these show the version
$compile{$_} = 1 for qw(src/sql/module.c src/relation/base/api.c src/measure/allmeasures.c);

edit('src/sql/settings.c', "#ifdef SDC_TEST_POINTS\n", qq{\tDefineCustomBoolVariable("sdc.made_up", "A setting.", NULL, &made_up, false, PGC_USERSET, 0, NULL, NULL, NULL);\n#ifdef SDC_TEST_POINTS\n},
	"/* sdc_settings_define makes", "static bool made_up;\n\n/* sdc_settings_define makes");

edit('src/relation/catalog/catalogtable.h', 'SDC_POLICY_COLUMN_COUNT 4', 'SDC_POLICY_COLUMN_COUNT 5');
edit('src/relation/catalog/catalogtable.c', '{NAMEOID, ROLE_NAME, JSONBOID, ROLE_NAME}', '{NAMEOID, ROLE_NAME, JSONBOID, ROLE_NAME, INT4OID}');
edit('src/publish/policies.h', "SDC_POLICY_DEFINITION, SDC_POLICY_WRITTEN_BY\n", "SDC_POLICY_DEFINITION, SDC_POLICY_WRITTEN_BY, SDC_POLICY_MADE_UP\n");
edit('src/publish/policies.c', '(int) SDC_POLICY_WRITTEN_BY ==', '(int) SDC_POLICY_MADE_UP ==',
	"bool		nulls[SDC_POLICY_WRITTEN_BY];", "bool		nulls[SDC_POLICY_MADE_UP];",
	"Datum		values[SDC_POLICY_WRITTEN_BY];\n\tbool		nulls[SDC_POLICY_MADE_UP];", "Datum		values[SDC_POLICY_MADE_UP];\n\tbool		nulls[SDC_POLICY_MADE_UP];",
	"Datum		values[SDC_POLICY_WRITTEN_BY];\n\tbool		nulls[SDC_POLICY_WRITTEN_BY] = {false};", "Datum		values[SDC_POLICY_MADE_UP] = {0};\n\tbool		nulls[SDC_POLICY_MADE_UP] = {false, false, false, false, true};");
$compile{'src/relation/catalog/catalogtable.c'} = 1;
edit('src/sql/catalog.sql', "	definition jsonb NOT NULL,\n	written_by sdc_private.role_name NOT NULL	-- none: by a function of the extension, else the role that restored it\n",
	"	definition jsonb NOT NULL,\n	written_by sdc_private.role_name NOT NULL,\n	made_up int\n");

edit('src/relation/frame/publications.h', "SDC_PUBLICATION_DRAW		/*", "SDC_PUBLICATION_DRAW, SDC_PUBLICATION_MADE_UP		/*", 'COLUMN_COUNT SDC_PUBLICATION_DRAW', 'COLUMN_COUNT SDC_PUBLICATION_MADE_UP');
edit('src/relation/frame/publications.c', "ObjectIdGetDatum(SDC_CATALOG_WRITTEN_BY_US);\n", "ObjectIdGetDatum(SDC_CATALOG_WRITTEN_BY_US);\n\tvalues[SDC_PUBLICATION_MADE_UP] = Int32GetDatum(0);\n");
edit('src/relation/catalog/catalogtable.c', "TIMESTAMPTZOID, ROLE_NAME, REGCLASSOID, REGTYPEOID, INT8OID\n", "TIMESTAMPTZOID, ROLE_NAME, REGCLASSOID, REGTYPEOID, INT8OID, INT4OID\n");
edit('src/sql/catalog.sql', "	draw bigint NOT NULL DEFAULT 0	-- that of the release when it was published\n", "	draw bigint NOT NULL DEFAULT 0,\n	made_up int NOT NULL DEFAULT 0\n");

edit('src/publish/runs.h', "SDC_RUN_DETAIL, SDC_RUN_WRITTEN_BY\n", "SDC_RUN_DETAIL, SDC_RUN_WRITTEN_BY, SDC_RUN_MADE_UP\n");
edit('src/publish/runs.c', '(int) SDC_RUN_WRITTEN_BY ==', '(int) SDC_RUN_MADE_UP ==',
	"Datum		values[SDC_RUN_WRITTEN_BY];\n\tbool		nulls[SDC_RUN_WRITTEN_BY];", "Datum		values[SDC_RUN_MADE_UP];\n\tbool		nulls[SDC_RUN_MADE_UP];",
	"Datum		values[SDC_RUN_WRITTEN_BY] = {0};\n\tbool		nulls[SDC_RUN_WRITTEN_BY] = {false};", "Datum		values[SDC_RUN_MADE_UP] = {0};\n\tbool		nulls[SDC_RUN_MADE_UP] = {[SDC_RUN_MADE_UP - 1] = true};");
edit('src/relation/catalog/catalogtable.h', 'SDC_RUN_COLUMN_COUNT 11', 'SDC_RUN_COLUMN_COUNT 12');
edit('src/relation/catalog/catalogtable.c', "NAMEARRAYOID, JSONBOID,\n\tROLE_NAME\n", "NAMEARRAYOID, JSONBOID,\n\tROLE_NAME, INT4OID\n");
edit('src/sql/catalog.sql', "	detail jsonb NOT NULL,\n	written_by sdc_private.role_name NOT NULL	-- none: by a function of the extension, else the role that restored it\n",
	"	detail jsonb NOT NULL,\n	written_by sdc_private.role_name NOT NULL,\n	made_up int\n");

my $view = "	r.weight, r.missing\nFROM sdc_private.releases() AS r;\n";
edit('src/sql/views.sql', $view, $view =~ s/missing/missing, 1 AS made_up/r);
open(my $views, '<', "$source/src/sql/views.sql") or die "views.sql: $!\n";
my ($releases) = do { local $/; <$views> } =~ /CREATE (VIEW sdc_releases [^;]*;\n)/ or die "there is no view sdc_releases\n";
close $views;

# the format of states: a number more behind the version
open(my $states, '<', "$source/src/relation/catalog/privatestate.c") or die "privatestate.c: $!\n";
my ($format) = map { /^#define VERSION (\d+)/ } <$states>;
close $states;
edit('src/relation/catalog/privatestate.c', "#define VERSION $format\n", '#define VERSION ' . ($format + 1) . "\n",
	"append_number(&buffer, VERSION, 4);\n", "append_number(&buffer, VERSION, 4);\n\tappend_number(&buffer, 4711, 4);\n",
	"anew with continued => false, which counts as another draw.\")));\n}\n", "anew with continued => false, which counts as another draw.\")));\n\tif (version > $format && take_number(cursor, 4) != 4711)\n\t\tdamaged(state, \"It has another number.\");\n}\n");

# what workers are told, which is of no version
edit('src/relation/read/columnjobs.c', "typedef struct Job\n{\n", "typedef struct Job\n{\n\tuint64\t\tmade_up;\n");

edit('src/sql/swapmeasures.c', "PG_FUNCTION_INFO_V1(sdc_histogram_error);\n", "PG_FUNCTION_INFO_V1(sdc_histogram_error);\nPG_FUNCTION_INFO_V1(sdc_histogram_error_$suffix);\nPG_FUNCTION_INFO_V1(sdc_made_up);\n");
open(my $c, '>>', "$source/src/sql/swapmeasures.c") or die "swapmeasures.c: $!\n";
print $c qq{
Datum
sdc_histogram_error_$suffix(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(DatumGetFloat8(sdc_histogram_error(fcinfo)) + PG_GETARG_INT32(3));
}

Datum
sdc_made_up(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(PG_GETARG_INT32(0) + 1);
}
};
close $c;
edit('src/sql/accuracy.sql', q{CREATE FUNCTION sdc_histogram_error(release regclass, columns name[] DEFAULT NULL,
	intervals int DEFAULT 10)
RETURNS float8
AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000;
COMMENT ON FUNCTION sdc_histogram_error(regclass, name[], int) IS
}, $changed);
open(my $progress, '>>', "$source/src/sql/progress.sql") or die "progress.sql: $!\n";
print $progress $new;
close $progress;

open(my $accuracy, '<', "$source/src/sql/accuracy.sql") or die "accuracy.sql: $!\n";
my ($comment) = do { local $/; <$accuracy> } =~ /\Q$changed\E([^;]*;)/ or die "there is no comment of the changed function\n";
open(my $update, '>', "$source/src/sql/updates/$this--$next.sql") or die "$this--$next.sql: $!\n";
print $update "CREATE OR REPLACE $releases",
	"ALTER TABLE sdc_private.sdc_run_log ADD COLUMN made_up int;\n",
	"ALTER TABLE sdc_private.sdc_policy_catalog ADD COLUMN made_up int;\n",
	"ALTER TABLE sdc_private.sdc_publication_catalog ADD COLUMN made_up int NOT NULL DEFAULT 0;\n\n",
	"DROP FUNCTION sdc_histogram_error(regclass, name[], int);\n$changed$comment\n$new";
close $update;
print "$_\n" for sort keys %compile;

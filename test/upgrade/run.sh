# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# run.sh
#		The step upgrade of test/all: from this version to a made-up next one.
#
# To be sourced by test/all.  The made-up version is compiled from what the build has: a few files are new.  Both
# versions lie side by side, and the test puts one or the other, library and SQL files apart, where a server of its own finds them.
#
#-------------------------------------------------------------------------

# lay_version VERSION BUILD SOURCE lays what is installed of a version into its directory.
lay_version()
{
	install -d "$SDC_TMP/upgrade/$1"
	cp "$2/sdc.so" "$3/sdc.control" "$2"/sdc--*.sql "$SDC_TMP/upgrade/$1"
}

# version_of SOURCE prints the version of the SQL objects.
version_of() { sed -n "s/^default_version *= *'\(.*\)'/\1/p" "$1/sdc.control"; }

# build_madeup makes the next version, as far as it differs, and lays both.
build_madeup()
{
	local made=$SDC_TMP/upgrade/made file touched

	mkdir -p "$made"
	cp -a "$SDC_COPY" "$made/source"
	cp -a "$SDC_BUILD" "$made/build"
	touched=$(perl "$SDC_SRC/test/upgrade/madeup.pl" "$made/source")
	for file in $touched; do
		rm "$made/build/${file%.c}.o"
	done
	SDC_COPY=$made/source SDC_BUILD=$made/build make_extension -s -o "$made/source/sdc.control" COPT="$BUILD_FLAGS"
	lay_version this "$SDC_BUILD" "$SDC_COPY"
	lay_version next "$made/build" "$made/source"
	rm -rf "$made"
}

#
# step_upgrade runs the test.  SDC_UPGRADES says how many random interleavings there are.  SDC_KEEP=yes makes in its place what is
# kept of this version: what installs it, the dump of the database of world.sql, and what night.sql prints when that was restored.
#
step_upgrade()
{
	local copy=$SDC_CLUSTERS/tests root=$SDC_TMP/upgrade/root file version

	[[ -z ${SDC_KEEP:-} ]] || grep -q '^   "version": ".*\.0",' "$SDC_SRC/META.json" ||
		fail "what is kept is that of the first release of a second number"
	need_extension
	build_madeup
	SDC_ROOT=$root install_extension
	as_server_user mkdir -p "$copy/own/tmp_check/log"
	cp -R "$SDC_SRC"/test/tap/SdcTest.pm "$SDC_SRC"/test/upgrade/. "$copy"
	own_by_server_user "$copy" "$SDC_TMP/upgrade"
	# shellcheck disable=SC2016
	run_suite upgrade as_server_user env -u SDC_DATA PATH="$root$("$PG_CONFIG" --bindir):$PATH" TESTDIR="$copy/own" \
		TESTDATADIR="$copy/own/tmp_check" TESTLOGDIR="$copy/own/tmp_check/log" SDC_VERSIONS="$SDC_TMP/upgrade" \
		SDC_LIBRARIES="$root$("$PG_CONFIG" --pkglibdir)" SDC_SCRIPTS="$root$("$PG_CONFIG" --sharedir)/extension" \
		SDC_UPGRADES="${SDC_UPGRADES:-20}" SDC_KEEP="${SDC_KEEP:-}" PG_REGRESS="$PGXS_DIR/test/regress/pg_regress" \
		bash -c 'cd "$1" && exec perl -I "$2" -I . upgrade.pl' - "$copy" "$PGXS_DIR/test/perl"
	if [[ -n ${SDC_KEEP:-} ]]; then
		version=$(version_of "$SDC_SRC")
		mkdir -p "$SDC_SRC/test/upgrade/kept"
		cp "$SDC_TMP/upgrade/this/sdc--$version.sql" "$SDC_SRC/test/upgrade/kept"
		for file in "$copy"/own/tmp_check/kept.{sql,out}; do
			cp "$file" "$SDC_SRC/test/upgrade/kept/$version.${file##*.}"
		done
	fi
	if [[ $(failures) -gt 0 ]]; then
		tail -n 60 "$copy/own/tmp_check/log/regress_log_upgrade"
	fi
}

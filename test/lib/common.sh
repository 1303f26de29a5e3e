# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# common.sh
#		What the test scripts share: paths, the temporary directory, cleaning up.
#
# To be sourced by a script that has set "set -euo pipefail".  It defines
#
#	SDC_SRC		the checkout
#	SDC_TMP		a temporary directory, removed at the end whatever happens
#	SDC_DATA	the directory of the reference data, or empty
#
# and reads packages.sh (what is missing, through apt), server.sh (build,
# private clusters), tally.sh (counting tests) and steps.sh (steps, and what runs
# side by side) from its own directory.
#
# Settings from the environment
#
#	PG_CONFIG	the pg_config of the server to test against
#	PGVERSION	else its major version, as packaged by Debian (15)
#	SDC_DATA	the reference data (../shared/data beside the checkout)
#
#-------------------------------------------------------------------------

SDC_SRC=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

PGVERSION=${PGVERSION:-15}
SDC_PACKAGED=${PG_CONFIG:+no}	# empty: the server comes from Debian's packages
PG_CONFIG=${PG_CONFIG:-/usr/lib/postgresql/$PGVERSION/bin/pg_config}

# Nothing of the caller's own server or locale may reach the tests.
for variable in "${!PG@}"; do
	case $variable in
		PG_CONFIG | PGVERSION) ;;
		*) unset "$variable" ;;
	esac
done
unset variable MAKEFLAGS MAKELEVEL PERL5LIB PROVE_OPTIONS CDPATH
export LC_ALL=C.UTF-8 PGCLIENTENCODING=UTF8
umask 022

# note TEXT... prints a line of progress.
note() { printf '%s\n' "# $*"; }

# fail TEXT... ends the script, or the step that runs in a subshell.
fail()
{
	printf '%s\n' "error: $*" >&2
	exit 1
}

#
# The reference data
#
SDC_DATA=${SDC_DATA:-$SDC_SRC/../shared/data}
if [[ -r $SDC_DATA/census.csv ]]; then
	SDC_DATA=$(cd "$SDC_DATA" && pwd -P)
	export SDC_DATA
else
	unset SDC_DATA
fi

# have_data tells whether the reference data are there.
have_data() { [[ -n ${SDC_DATA:-} ]]; }

#
# The temporary directory.  It holds programs too, so a directory on a file
# system that executes none will not do; and the paths of sockets are short,
# so a deep TMPDIR will not do either.
#
make_tmp()
{
	local parent

	for parent in /tmp /var/tmp "${TMPDIR:-/tmp}"; do
		SDC_TMP=$(mktemp -d "$parent/sdc.XXXXXX" 2>/dev/null) || continue
		printf '#!/bin/sh\n' >"$SDC_TMP/probe"
		chmod 755 "$SDC_TMP" "$SDC_TMP/probe"
		if "$SDC_TMP/probe" 2>/dev/null; then
			rm "$SDC_TMP/probe"
			return
		fi
		rm -rf "$SDC_TMP"
	done
	fail "no directory for temporary files and programs"
}

#
# Cleaning up: on every way out, once.  First the steps that run, with all their
# processes, then the servers, which have left their process groups.
#
declare -A SDC_GROUPS=()		# of every step that runs: its process group, and that of its watch

# stop_groups GROUP... ends process groups; a word can have several.
stop_groups()
{
	local group i

	# shellcheck disable=SC2048
	for group in $*; do
		kill -TERM -- "-$group" 2>/dev/null || continue
		for ((i = 0; i < 100; i++)); do
			kill -0 -- "-$group" 2>/dev/null || break
			sleep 0.05
		done
		kill -KILL -- "-$group" 2>/dev/null || true
		wait "$group" 2>/dev/null || true
	done
}

cleanup()
{
	local status=$?

	trap '' INT TERM HUP
	trap - EXIT
	set +e
	stop_groups "${SDC_GROUPS[@]}"
	stop_clusters
	remove_users
	cd /
	rm -rf "$SDC_TMP"
	exit "$status"
}

# shellcheck source=test/lib/packages.sh
source "$SDC_SRC/test/lib/packages.sh"
# shellcheck source=test/lib/server.sh
source "$SDC_SRC/test/lib/server.sh"
# shellcheck source=test/lib/tally.sh
source "$SDC_SRC/test/lib/tally.sh"
# shellcheck source=test/lib/steps.sh
source "$SDC_SRC/test/lib/steps.sh"

# begin prepares the temporary directory, the tally and the clean way out.
begin()
{
	exec </dev/null
	make_tmp
	SDC_TALLY=$SDC_TMP/tally
	: >"$SDC_TALLY"
	trap cleanup EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	trap 'exit 129' HUP
}

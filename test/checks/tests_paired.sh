#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# tests_paired.sh
#		Every test has its expected output, and nothing is expected of a test that is not there.
#
# The Makefile takes the tests from the folders; only those that come first are
# named there.
#
# Whoever runs the tests need not have the name of a role.  When the last check fails: make clusters
# by sdc_init of SdcTest.pm, and name the user in a user mapping.
#
#-------------------------------------------------------------------------
# shellcheck source=test/checks/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# named FOLDER SUFFIX prints the names of the files there.
named() { find "$1" -maxdepth 1 -name "*.$2" -printf '%f\n' | sed "s/\.$2\$//" | sort; }

# variable NAME prints the words of a variable of the Makefile, one a line.
variable()
{
	make -s --no-print-directory ${PG_CONFIG:+PG_CONFIG="$PG_CONFIG"} \
		--eval="print-variable: ; @printf '%s\n' \$($1)" print-variable 2>/dev/null
}

# compare A B reports names that only one of two lists has.
compare() { diff <(printf '%s\n' "$1") <(printf '%s\n' "$2") | sed -n 's/^\([<>]\) \(..*\)/\1 \2/p' || true; }

check "sql and expected have the same tests" "$(compare "$(named sql sql)" "$(named expected out)")"
check "REGRESS has each of them once" "$(compare "$(named sql sql)" "$(variable REGRESS | sort)")"
check "the specs of test/isolation and what is expected of them have the same names" \
	"$(compare "$(named test/isolation/specs spec)" "$(named test/isolation/expected out)")"
check "ISOLATION has each of them once" "$(compare "$(named test/isolation/specs spec)" "$(variable ISOLATION | sort)")"
check "no role is that of the user of the system" "$(
	grep -nE -- '->init\b' test/tap/*.p[lm] | grep -v '^test/tap/SdcTest\.pm:' || true
	grep -rnE 'CREATE USER MAPPING' test sql doc README.md | grep -v '^test/checks/' | grep -vE 'OPTIONS \(.*user ' || true)"
check_end

#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# tests_listed.sh
#		Every test is run, and everything that is run exists.
#
# The Makefile lists the tests of pg_regress (REGRESS) and of the isolation
# tester (ISOLATION).
#
#-------------------------------------------------------------------------
# shellcheck source=test/checks/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# listed NAME prints the words of a variable of the Makefile, one a line.
listed()
{
	make -s --no-print-directory ${PG_CONFIG:+PG_CONFIG="$PG_CONFIG"} \
		--eval="print-variable: ; @echo \$($1)" print-variable 2>/dev/null |
		tr ' ' '\n' | grep . | sort || true
}

# named DIRECTORY SUFFIX prints the names of the files there.
named() { find "$1" -maxdepth 1 -name "*.$2" -printf '%f\n' 2>/dev/null | sed "s/\.$2\$//" | sort || true; }

# compare WHAT A B reports names that only one of two lists has.
compare()
{
	diff <(printf '%s\n' "$1") <(printf '%s\n' "$2") | sed -n 's/^\([<>]\) \(..*\)/\1 \2/p' || true
}

regress=$(listed REGRESS)
check "the Makefile lists regression tests" "$([[ -n $regress ]] || echo "REGRESS is empty")"
check "REGRESS and sql/*.sql agree" "$(compare "$regress" "$(named sql sql)")"
check "REGRESS and expected/*.out agree" "$(compare "$regress" "$(named expected out)")"

isolation=$(listed ISOLATION)
directory=$([[ -d test/isolation ]] && echo test/isolation || echo .)
check "ISOLATION and the specs agree" "$(compare "$isolation" "$(named "$directory/specs" spec)")"
if [[ $directory != . ]]; then
	check "ISOLATION and their expected output agree" \
		"$(compare "$isolation" "$(named "$directory/expected" out)")"
fi
check_end

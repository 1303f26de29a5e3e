#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# exports.sh
#		The library exports only names that are its own.
#
# Modules share one space of symbols with each other and with the server.  When
# it fails: make the function static, or give it the prefix sdc_.
#
#-------------------------------------------------------------------------
# shellcheck source=test/checks/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

library=${SDC_BUILD:-.}/sdc.so
if [[ -e $library ]]; then
	check "exported symbols begin with sdc_" "$(
		nm -D --defined-only "$library" |
			awk '$NF !~ /^(sdc_|pg_finfo_sdc_|_PG_init$|_PG_fini$|Pg_magic_func$)/ { print $NF }')"
else
	check_skip "exported symbols begin with sdc_" "sdc.so was not built"
fi
check_end

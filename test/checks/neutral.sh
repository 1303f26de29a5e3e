#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# neutral.sh
#		The files do not depend on whose machine they were written on.
#
#-------------------------------------------------------------------------
# shellcheck source=test/checks/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

mapfile -t files < <(project_files)

# search PATTERN prints the lines of text files that match.
search() { grep -nHIE "$1" "${files[@]}" | cut -c1-160 || true; }

check "there are files to look at" "$([[ ${#files[@]} -gt 0 ]] || echo none)"
check "no absolute path of somebody's machine" "$(
	search '(^|[^A-Za-z0-9_.$}*~/-])/(home|root|Users|work)/[A-Za-z0-9_.]')"
check "unfinished work has an owner" "$(search '\<TOD[O]\>' | grep -vE 'TOD[O]\([a-z]' || true)"
check "nothing is left to be fixed or merged" "$(
	search '\<FIXM[E]\>|^(<<<<<<<|>>>>>>>)( |$)')"
check "no file has carriage returns" "$(search $'\r$')"
check "no file is larger than 500 kB" "$(
	find "${files[@]}" -maxdepth 0 -size +500k)"
if [[ -n ${SDC_DATA:-} ]]; then
	check "no file is a copy of the reference data" "$(
		for data in "$SDC_DATA"/*.csv; do
			size=$(stat -Lc %s "$data")
			find "${files[@]}" -maxdepth 0 -size "${size}c" | while read -r file; do
				! cmp -s "$file" "$data" || echo "$file is ${data##*/}"
			done
		done)"
else
	check_skip "no file is a copy of the reference data" "the reference data are not there"
fi
check_end

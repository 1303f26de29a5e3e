#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# sizes.sh
#		Files and functions stay small enough to be read.
#
# A function is what stands between a "{" and a "}" in the first column.  When
# it fails: split by meaning, not by length.
#
#-------------------------------------------------------------------------
# shellcheck source=test/checks/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

FILE_LINES=900
FUNCTION_LINES=60

check "no file in src has more than $FILE_LINES lines" "$(
	c_files . | while read -r file; do
		lines=$(wc -l <"$file")
		[[ $lines -le $FILE_LINES ]] || echo "$file: $lines lines"
	done)"
check "no function in src has more than $FUNCTION_LINES lines" "$(
	c_files . | while read -r file; do
		awk -v file="$file" -v most="$FUNCTION_LINES" '
			/^{/ { start = NR; name = before }
			/^}[ \t]*$/ && start {
				if (NR - start - 1 > most)
					print file ":" start ": " name " has " NR - start - 1 " lines"
				start = 0
			}
			/^[A-Za-z_].*\(/ { before = $0; sub(/\(.*/, "", before) }' "$file"
	done)"
check_end

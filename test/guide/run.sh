#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# run.sh
#		Run the jobs of the guide, in their order, in one database.
#
# Prints TAP: a job passes when psql, stopping at the first error, gets through
# it.  Expects psql to reach a server that has pg_cron preloaded.
#
#-------------------------------------------------------------------------
set -euo pipefail

directory=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
guide=$directory/../../doc/guide.md
count=0

for name in $("$directory/extract" "$guide"); do
	count=$((count + 1))
	status=0
	output=$("$directory/extract" "$guide" "$name" |
		psql -X -v ON_ERROR_STOP=1 -f - 2>&1) || status=$?
	printf '%s\n' "$output" | sed 's/^/# /'
	if [[ $status -eq 0 ]]; then
		printf 'ok %d - %s\n' "$count" "$name"
	else
		printf 'not ok %d - %s\n' "$count" "$name"
	fi
done
printf '1..%d\n' "$count"

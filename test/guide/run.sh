#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# run.sh
#		Run the jobs of the documents, in their order, as they are written.
#
# The jobs of the guide's pages run in the current database, which must be the one
# that pg_cron works in, one page after the other, as later pages use tables of earlier
# ones; those of every other document, and of the pages here, which have the figures
# that documents state in sentences, in a database of their own.  A job passes when
# psql, stopping at the first error, gets through it, and prints what the document
# shows.  NAME.sql in this directory, if there is one, runs after the job NAME of the
# guide and prints TAP itself; clients runs what is written in other languages.
#
# Prints TAP.  Expects psql to reach a server as superuser.
#
#-------------------------------------------------------------------------
set -euo pipefail

directory=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
source=$directory/../..

# The pages of the guide, in their order.
PAGES=(guide guide-export guide-scheduled guide-risk guide-categories guide-joint guide-accuracy guide-units)

# Where the jobs write files: they are psql's, and the server's too.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 777 "$work"
cd "$work"
export EXPORT_DIR=$work

# jobs FILE runs the jobs of a file, and says whose they are.
jobs()
{
	local name page

	page=$(basename "$1" .md)
	for name in $("$directory/extract" "$1"); do
		"$directory/play" "$1" "$name" | sed "s|^\(\(not \)\{0,1\}ok - \)|\1$page: |"
		if [[ $page = guide* && -e $directory/$name.sql ]]; then
			psql -X -q -A -t -v ON_ERROR_STOP=1 -f "$directory/$name.sql" 2>&1 ||
				echo "not ok - $name: $name.sql"
		fi
	done
}

# documents runs those of all documents.
documents()
{
	local file page database

	for page in "${PAGES[@]}"; do
		[[ -n $("$directory/extract" "$source/doc/$page.md") ]] || echo "not ok - $page: no job"
		jobs "$source/doc/$page.md"
	done
	"$directory/clients" "$source/doc/guide-accuracy.md"
	for file in "$source"/README.md "$source"/doc/*.md "$directory"/*.md; do
		page=$(basename "$file" .md)
		[[ " ${PAGES[*]} " != *" $page "* && -n $("$directory/extract" "$file") ]] || continue
		if [[ $page = guide* ]]; then
			echo "not ok - $page: no page of the guide in run.sh"
			continue
		fi
		database=sdc_doc_$(tr '[:upper:]-' '[:lower:]_' <<<"$page")
		psql -X -q -c "CREATE DATABASE $database"
		PGDATABASE=$database jobs "$file"
		psql -X -q -c "DROP DATABASE $database"
	done
}

documents | awk '/^(not )?ok/ { sub(/ok/, "ok " ++n) } { print } END { print "1.." n + 0 }'

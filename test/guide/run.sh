#!/usr/bin/env bash
#-------------------------------------------------------------------------
#
# run.sh
#		Run the jobs of the documents, in their order, as they are written.
#
# The jobs of the guide run in the current database, which must be the one that
# pg_cron works in; those of every other document in a database of their own.
# A job passes when psql, stopping at the first error, gets through it, and prints
# what the document shows.  NAME.sql in this directory, if there is one, runs after the
# job NAME of the guide and prints TAP itself.
#
# Prints TAP.  Expects psql to reach a server as superuser.
#
#-------------------------------------------------------------------------
set -euo pipefail

directory=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
source=$directory/../..

# Where the jobs write files: they are psql's, and the server's too.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 777 "$work"
cd "$work"
export EXPORT_DIR=$work

# jobs FILE runs the jobs of a file.
jobs()
{
	local name

	for name in $("$directory/extract" "$1"); do
		"$directory/play" "$1" "$name"
		if [[ ${1##*/} = guide.md && -e $directory/$name.sql ]]; then
			psql -X -q -A -t -v ON_ERROR_STOP=1 -f "$directory/$name.sql" 2>&1 ||
				echo "not ok - $name: $name.sql"
		fi
	done
}

# documents runs those of all documents.
documents()
{
	local file database

	jobs "$source/doc/guide.md"
	for file in "$source"/README.md "$source"/doc/*.md; do
		[[ ${file##*/} != guide.md && -n $("$directory/extract" "$file") ]] || continue
		database=sdc_doc_$(basename "$file" .md | tr '[:upper:]' '[:lower:]')
		psql -X -q -c "CREATE DATABASE $database"
		PGDATABASE=$database jobs "$file" | sed "s|^\(\(not \)\{0,1\}ok - \)|\1${file##*/}: |"
		psql -X -q -c "DROP DATABASE $database"
	done
}

documents | awk '/^(not )?ok/ { sub(/ok/, "ok " ++n) } { print } END { print "1.." n + 0 }'

# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# bench_files.sh
#		Measures and groups whose arrays do not fit the memory, against the same in memory.
#
# The times are those of the processor, with the server's default of maintenance_work_mem and with more than is
# needed, by turns.  Arrays that do not fit are in mapped files (src/relation/base/largearray.c).
#
#-------------------------------------------------------------------------

# file_time MEMORY STATEMENT KEY runs a statement with so much memory, notes the milliseconds of the processor in
# files.KEY.MEMORY, and the bytes of temporary files in files.KEY.MEMORY.bytes.
file_time()
{
	local before noted="$SDC_TMP/files.$3.$1"

	before=$(written_temporarily)
	sql -c "SET client_min_messages = error" -c "DROP TABLE IF EXISTS made" -c "SET maintenance_work_mem = '$1'" \
		-c "SET log_statement_stats = on" -c "SET client_min_messages = log" -c "$2" >/dev/null 2>"$SDC_TMP/files.log"
	# "! 1.5 s user, 0.1 s system, 1.7 s elapsed"; the last statement is the one that counts
	awk '/ s elapsed$/ { t = 1000 * ($2 + $5) } END { print t }' "$SDC_TMP/files.log" >>"$noted"
	echo $(($(written_temporarily) - before)) >>"$noted.bytes"
}

# files_case KEY LITTLE MUCH LIMIT TITLE STATEMENT compares a statement with little and with much memory.
files_case()
{
	local key=$1 little=$2 much=$3 limit=$4 title=$5 statement=$6 round

	for ((round = 1; round <= ROUNDS; round++)); do
		note "$title: round $round of $ROUNDS"
		file_time "$much" "$statement" "$key"
		file_time "$little" "$statement" "$key"
	done
	peak_memory "SET maintenance_work_mem = '$little'; SET client_min_messages = error; DROP TABLE IF EXISTS made" \
		"$statement" >"$SDC_TMP/files.$key.peak"
	row "$title, $much" "$(in_seconds "$(middle "$SDC_TMP/files.$key.$much")")"
	row "$title, $little" "$(in_seconds "$(middle "$SDC_TMP/files.$key.$little")")"
	row "  temporary files, $little" "$(in_megabytes "$(middle "$SDC_TMP/files.$key.$little.bytes")")"
	row "  private memory, $little" "$(in_megabytes "$(cat "$SDC_TMP/files.$key.peak")")"
	ratio "  time, $little to $much" "$(middle "$SDC_TMP/files.$key.$little")" "$(middle "$SDC_TMP/files.$key.$much")" "$limit"
}

# files_same STATEMENT LITTLE MUCH prints in how many rows a table differs that is made with little memory and with much;
# STATEMENT has %s in the place of its name.
files_same()
{
	local statement=$1

	sql -c "SET client_min_messages = error" -c "DROP TABLE IF EXISTS little, much CASCADE" \
		-c "SET maintenance_work_mem = '$2'" -c "${statement/\%s/little}" \
		-c "SET maintenance_work_mem = '$3'" -c "${statement/\%s/much}" >/dev/null
	limited "  rows that differ" \
		"$(sql -c "SELECT count(*) FROM ((TABLE little EXCEPT ALL TABLE much) UNION ALL (TABLE much EXCEPT ALL TABLE little)) AS d")" "<=" 0
	sql -c "DROP TABLE little, much"
}

# files_most ROWS COLUMNS STATEMENT TITLE prints the private memory of one process that may take what it wants: of many rows of
# double precision no more than four times their raw size, and of few something beside it.
files_most()
{
	local bytes raw=$(($1 * $2 * 8))

	bytes=$(peak_memory "SET maintenance_work_mem = '4GB'; SET max_parallel_maintenance_workers = 0" "$3")
	limited "$4: private memory, 4GB, to raw data" "$(awk -v b="$bytes" -v r="$raw" 'BEGIN { printf "%.1f", b / r }')" "<=" \
		"$([[ $1 -gt 100000 ]] && echo 4.0 || echo 5)"
}

# bench_files ROWS is this part of the benchmark.
bench_files()
{
	local rows=$1 few=$(($1 / 10)) column
	local ten seven groups

	ten=$(for column in {1..10}; do printf ', %s AS n%s' "$(uniform "$column")" "$column"; done)
	seven=$(for column in {1..7}; do printf ', %s AS n%s' "$(uniform "$column")" "$column"; done)
	groups="sdc_generalize('categories', '{$(names c 9)}', k => 10, target => '%s')"
	printf '\n'
	row "measure" "value" "limit"

	store numbers "SELECT i::bigint AS id$ten FROM generate_series(1, $few) AS i"
	sql -c "SET client_min_messages = error" -c "SELECT count(*) FROM sdc_rankswap('numbers', p => 5, seed => 'bench', target => 'swapped')" >/dev/null
	files_case score 64MB 1GB "$([[ $few -gt 100000 ]] && echo 2.5 || echo 1.3)" "$few x 10: sdc_score" \
		"SELECT score FROM sdc_score('swapped', sample => 1000, seed => 'bench')"
	files_most "$few" 10 "SELECT score FROM sdc_score('swapped')" "$few x 10: sdc_score of all records"
	files_same "CREATE TABLE %s AS SELECT * FROM sdc_score('swapped', sample => 1000, seed => 'bench')" 64MB 1GB
	sql -c "DROP TABLE numbers, swapped"

	store categories "SELECT i::bigint AS id, hashint8extended(i, 1) & 1048575 AS c1, hashint8extended(i, 2) & 1023 AS c2,
		hashint8extended(i, 3) & 15 AS c3, hashint8extended(i, 4) & 255 AS c4, hashint8extended(i, 5) & 65535 AS c5,
		hashint8extended(i, 6) & 7 AS c6, hashint8extended(i, 7) & 4095 AS c7, hashint8extended(i, 8) & 31 AS c8,
		hashint8extended(i, 9) & 127 AS c9 FROM generate_series(1::bigint, $rows) AS i"
	files_case groups 64MB 4GB 3 "$rows x 9: sdc_generalize" "SELECT count(*) FROM ${groups/\%s/made}"
	files_same "SELECT count(*) FROM $groups" 64MB 4GB
	sql -c "DROP TABLE IF EXISTS made" -c "DROP TABLE categories"

	store numbers "SELECT i::bigint AS id$seven FROM generate_series(1, $rows) AS i"
	sql -c "SET client_min_messages = error" -c "SELECT count(*) FROM sdc_rankswap('numbers', p => 5, seed => 'bench', target => 'swapped')" >/dev/null
	files_case distance 256MB 4GB 3 "$rows x 7: sdc_link_distance" "SELECT count(*) FROM sdc_link_distance('swapped')"
	files_same "CREATE TABLE %s AS SELECT * FROM sdc_link_distance('swapped')" 256MB 4GB
	sql -c "DROP TABLE numbers, swapped"
}

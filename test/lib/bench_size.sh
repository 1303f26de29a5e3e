# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# bench_size.sh
#		Protecting a table that does not fit the memory, against one that does.
#
# The same release is made with the server's default of maintenance_work_mem and with 4 GB.
#
#-------------------------------------------------------------------------

# written_temporarily prints the bytes of temporary files that the database has written so far.
written_temporarily()
{
	sql -c "SELECT pg_stat_force_next_flush()" -c "SELECT temp_bytes FROM pg_stat_database WHERE datname = current_database()" |
		tail -n 1
}

# bench_size ROWS is this part of the benchmark.
bench_size()
{
	local rows=$1 round memory before differing
	local call="SELECT count(*) FROM sdc_rankswap('large', p => 5, seed => 'bench', target => 'made')"

	note "a table of $rows records"
	store large "SELECT i::bigint AS id$(for column in {1..10}; do printf ', %s AS n%s' "$(uniform "$column")" "$column"; done)
		FROM generate_series(1, $rows) AS i"
	for ((round = 1; round <= ROUNDS; round++)); do
		note "round $round of $ROUNDS"
		protect_time "CREATE TABLE made AS SELECT * FROM large" >>"$SDC_TMP/size.copy"
		for memory in 64MB 4GB; do
			before=$(written_temporarily)
			protect_time "SET maintenance_work_mem = '$memory'; $call" >>"$SDC_TMP/size.$memory"
			echo $(($(written_temporarily) - before)) >>"$SDC_TMP/size.$memory.files"
		done
	done
	sql -c "ALTER TABLE made RENAME TO in_memory"
	peak_memory "SET maintenance_work_mem = '64MB'; SET client_min_messages = error" "$call" >"$SDC_TMP/size.peak"
	differing=$(sql -c "SELECT count(*) FROM (TABLE made EXCEPT TABLE in_memory) AS differing")
	printf '\n'
	row "measure" "value" "limit"
	row "$rows x 10: CREATE TABLE AS" "$(in_seconds "$(middle "$SDC_TMP/size.copy")")"
	row "$rows x 10: sdc_rankswap, 4 GB" "$(in_seconds "$(middle "$SDC_TMP/size.4GB")")"
	row "$rows x 10: sdc_rankswap, 64 MB" "$(in_seconds "$(middle "$SDC_TMP/size.64MB")")"
	row "temporary files, 64 MB" "$(in_megabytes "$(middle "$SDC_TMP/size.64MB.files")")"
	limited "private memory, 64 MB" "$(awk -v b="$(cat "$SDC_TMP/size.peak")" 'BEGIN { printf "%.0f", b / 1048576 }')" "<=" 104 " MB"
	ratio "time, 64 MB to 4 GB" "$(middle "$SDC_TMP/size.64MB")" "$(middle "$SDC_TMP/size.4GB")" 2.5
	ratio "time, 64 MB to CREATE TABLE AS" "$(middle "$SDC_TMP/size.64MB")" "$(middle "$SDC_TMP/size.copy")" 4
	limited "rows that are not those of the release in memory" "$differing" "<=" 0
	sql -c "DROP TABLE made, in_memory, large"
}

# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# bench_publish.sh
#		What publishing costs, beside copying the table, and how long readers wait.
#
# Releases of ROWS records with a key and ten columns: numbers only, and numbers, categories
# and dates.  Every time is the median of three runs, the kinds of runs alternating, each after a
# checkpoint, until the commit.  Compared with
#
#	copying:	CREATE TABLE AS SELECT of the same ten columns
#
# What readers wait for is measured by one of them: a session that reads a row of the publication
# again and again while it gets new contents, each time in a transaction of its own.  It is the longest
# of its times, from the first run of three to the last, and the server's other work is in it.
#
#-------------------------------------------------------------------------

LIMIT_PUBLISH=2.5			# times CREATE TABLE AS
LIMIT_LOCKED=50				# milliseconds

# make_releases ROWS makes the two releases.
make_releases()
{
	make_table numbers "$1"
	store mixed "SELECT i AS id, $(uniform 1) AS c1, (1e6 * $(uniform 2))::int AS c2, (1e9 * $(uniform 4))::bigint AS c3,
			(1e5 * $(uniform 5))::numeric(10,2) AS c4, (100 * $(uniform 6))::smallint AS c5,
			'kind ' || (8 * $(uniform 7))::int AS c6, 'area ' || (100 * $(uniform 8))::int AS c7,
			'job ' || (15 * $(uniform 9))::int AS c8, date '1930-01-01' + (30000 * $(uniform 10))::int AS c9,
			$(uniform 11) < 0.5 AS c10
		FROM generate_series(1, $1) AS i"
	for table in numbers mixed; do
		sql -c "CREATE TABLE ${table}_release AS TABLE $table" -c "ALTER TABLE ${table}_release ADD PRIMARY KEY (id)" \
			-c "VACUUM ANALYZE ${table}_release" \
			-c "SELECT sdc_register('$table', '${table}_release', '{$(names c 10)}', '{id}')" >/dev/null
	done
}

# publish_time STATEMENT prints the milliseconds that it takes; before it there is a checkpoint.
publish_time()
{
	sql -c "SET client_min_messages = error" -c "DROP TABLE IF EXISTS made" -c "CHECKPOINT" -c '\timing on' -c "$1" |
		sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p' | tail -n 1
}

# start_reader TABLE begins to read one row again and again, until the table "over" is there.
start_reader()
{
	sql -c "SET client_min_messages = error" -c "DROP TABLE IF EXISTS over, reading"
	sql -v table="$1" >"$SDC_TMP/publish.waited" <<'SQL' &
CREATE TABLE reading ();
SELECT format('SELECT c1 FROM %I LIMIT 1', :'table') AS query \gset
SELECT set_config('bench.query', :'query', false) \gset
DO $$
DECLARE
	start timestamptz;
	longest interval := '0';
	x float8;
BEGIN
	LOOP
		start := clock_timestamp();
		EXECUTE current_setting('bench.query') INTO x;
		longest := greatest(longest, clock_timestamp() - start);
		COMMIT;
		EXIT WHEN to_regclass('over') IS NOT NULL;
	END LOOP;
	PERFORM set_config('bench.longest', (1000 * extract(epoch FROM longest))::text, false);
END
$$;
SELECT current_setting('bench.longest');
SQL
	until [[ $(sql -c "SELECT to_regclass('reading') IS NOT NULL") == t ]]; do
		sleep 0.1
	done
}

# bench_publish ROWS is this part of the benchmark.
bench_publish()
{
	local rows=$1 round table kind
	local -A statement

	note "two releases of $rows records"
	make_releases "$rows"
	for table in numbers mixed; do
		statement[$table.copy]="CREATE TABLE made AS SELECT $(names c 10) FROM ${table}_release"
		statement[$table.new]="SELECT locked_ms FROM sdc_publish('${table}_release', 'made', force => true)"
		statement[$table.exchange]="SELECT locked_ms FROM sdc_publish('${table}_release', '${table}_public', replace => true, force => true)"
		sql -c "SET client_min_messages = warning" -c "SELECT records FROM sdc_publish('${table}_release', '${table}_public', force => true)" >/dev/null
		for ((round = 1; round <= ROUNDS; round++)); do
			note "$table, round $round of $ROUNDS"
			for kind in copy new exchange; do
				publish_time "${statement[$table.$kind]}" >>"$SDC_TMP/publish.$table.$kind"
			done
		done
		note "$table, with a reader"
		start_reader "${table}_public"
		for ((round = 1; round <= ROUNDS; round++)); do
			sql -c "SET client_min_messages = warning" -c "CHECKPOINT" -c "${statement[$table.exchange]}" >>"$SDC_TMP/publish.$table.locked"
		done
		sql -c "CREATE TABLE over ()"
		wait $!
		mv "$SDC_TMP/publish.waited" "$SDC_TMP/publish.$table.waited"
	done
	printf '\n'
	row "measure" "value" "limit"
	for table in numbers mixed; do
		row "$rows x 10, $table: CREATE TABLE AS" "$(in_seconds "$(middle "$SDC_TMP/publish.$table.copy")")"
		row "$rows x 10, $table: sdc_publish, new" "$(in_seconds "$(middle "$SDC_TMP/publish.$table.new")")"
		row "$rows x 10, $table: sdc_publish, replace" "$(in_seconds "$(middle "$SDC_TMP/publish.$table.exchange")")"
		ratio "time to CREATE TABLE AS, $table: new" "$(middle "$SDC_TMP/publish.$table.new")" \
			"$(middle "$SDC_TMP/publish.$table.copy")" "$LIMIT_PUBLISH"
		ratio "time to CREATE TABLE AS, $table: replace" "$(middle "$SDC_TMP/publish.$table.exchange")" \
			"$(middle "$SDC_TMP/publish.$table.copy")" "$LIMIT_PUBLISH"
		row "$table: locked_ms" "$(middle "$SDC_TMP/publish.$table.locked") ms"
		limited "$table: a reader waits at most" "$(middle "$SDC_TMP/publish.$table.waited")" "<=" "$LIMIT_LOCKED" " ms"
	done
	sql -c "SET client_min_messages = error" -c "DROP TABLE IF EXISTS made, over, reading"
	sql -c "DROP TABLE numbers, numbers_release, numbers_public, mixed, mixed_release, mixed_public"
}

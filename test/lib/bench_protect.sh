# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# bench_protect.sh
#		Several methods in one release, against copying the table.
#
#-------------------------------------------------------------------------

# make_several TABLE ROWS makes a table of six numbers and four categories.
make_several()
{
	store "$1" "SELECT i AS id, $(uniform 1) AS n1, (1e6 * $(uniform 2))::int AS n2, $(uniform 3) AS n3,
			(1e9 * $(uniform 4))::bigint AS n4, $(uniform 5) AS n5, (1e3 * $(uniform 6))::int AS n6,
			'kind ' || (8 * $(uniform 7))::int AS c1, 'area ' || (100 * $(uniform 8))::int AS c2,
			(20 * $(uniform 9))::int AS c3, 'job ' || (15 * $(uniform 10))::int AS c4
		FROM generate_series(1, $2) AS i"
}

# protect_time STATEMENT prints the milliseconds that it takes; the table "made" is gone before.
protect_time()
{
	sql -c "SET client_min_messages = error" -c "DROP TABLE IF EXISTS made" -c '\timing on' -c "$1" |
		sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p' | tail -n 1
}

# bench_protect ROWS is this part of the benchmark.
bench_protect()
{
	local rows=$1 round kind
	local swap='{"method": "rankswap", "columns": ["n1", "n2", "n3", "n4", "n5", "n6"], "p": 5}'
	local randomize='{"method": "randomize", "qi": ["c1", "c2", "c3", "c4"]}'
	local -A statement=(
		[copy]="CREATE TABLE made AS SELECT * FROM several"
		[both]="SELECT count(*) FROM sdc_protect('several', '[$swap, $randomize]', target => 'made')"
		[swap]="SELECT count(*) FROM sdc_protect('several', '[$swap]', keep => '{c1, c2, c3, c4}', target => 'made')"
		[randomize]="SELECT count(*) FROM sdc_protect('several', '[$randomize]', keep => '{n1, n2, n3, n4, n5, n6}', target => 'made')")

	note "a table of $rows records"
	make_several several "$rows"
	for ((round = 1; round <= ROUNDS; round++)); do
		note "round $round of $ROUNDS"
		for kind in copy both swap randomize; do
			protect_time "${statement[$kind]}" >>"$SDC_TMP/protect.$kind"
		done
	done
	printf '\n'
	row "measure" "value" "limit"
	row "$rows x 10: CREATE TABLE AS" "$(in_seconds "$(middle "$SDC_TMP/protect.copy")")"
	row "$rows x 10: 6 swapped, 4 randomized" "$(in_seconds "$(middle "$SDC_TMP/protect.both")")"
	row "$rows x 10: 6 swapped, 4 copied" "$(in_seconds "$(middle "$SDC_TMP/protect.swap")")"
	row "$rows x 10: 4 randomized, 6 copied" "$(in_seconds "$(middle "$SDC_TMP/protect.randomize")")"
	ratio "time to CREATE TABLE AS: sdc_protect, both" "$(middle "$SDC_TMP/protect.both")" \
		"$(middle "$SDC_TMP/protect.copy")" 2.5
	sql -c "DROP TABLE IF EXISTS made" -c "DROP TABLE several"
}

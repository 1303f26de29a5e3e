# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# bench_continued.sh
#		A night of a release that is continued, against a fresh release.
#
# One percent of the records is gone and as many have come since the night before.
#
#-------------------------------------------------------------------------

# make_repeated TABLE ROWS makes a table of ten numbers, some with ties.
make_repeated()
{
	store "$1" "SELECT i AS id, $(uniform 1) AS n1, (1e6 * $(uniform 2))::int AS n2, $(uniform 3) AS n3,
			(1e9 * $(uniform 4))::bigint AS n4, $(uniform 5) AS n5, (1e3 * $(uniform 6))::int AS n6,
			(8 * $(uniform 7))::int AS n7, (100 * $(uniform 8))::int AS n8, $(uniform 9) AS n9, (1e7 * $(uniform 10))::int AS n10
		FROM generate_series(1, $2) AS i"
}

# one_percent TABLE NIGHT has one percent of the records go, and as many come.
one_percent()
{
	sql -c "WITH gone AS (DELETE FROM $1 WHERE id % 100 = $2 % 100 AND id > 0 RETURNING *)
		INSERT INTO $1 SELECT id + 10000000 * ($2 + 1), n3, n2, n1, n4, n9, n6, n7, n8, n5, n10 FROM gone" -c "VACUUM ANALYZE $1"
}

# night_times ROWS adds the milliseconds of a fresh release and of a night to files.
night_times()
{
	local rows=$1 round
	local arguments="'repeated_$rows', 5, '{n1,n2,n3,n4,n5,n6,n7,n8,n9,n10}'"

	make_repeated "repeated_$rows" "$rows"
	protect_time "SELECT count(*) FROM sdc_rankswap($arguments, 'night_$rows', continued => true)" >>"$SDC_TMP/continued.first.$rows"
	for ((round = 1; round <= ROUNDS; round++)); do
		note "$rows records, round $round of $ROUNDS"
		one_percent "repeated_$rows" "$round"
		protect_time "SELECT count(*) FROM sdc_rankswap($arguments, 'made')" >>"$SDC_TMP/continued.fresh.$rows"
		protect_time "SELECT count(*) FROM sdc_rankswap($arguments, 'night_$rows', continued => true)" >>"$SDC_TMP/continued.night.$rows"
		protect_time "SELECT count(*) FROM sdc_rankswap($arguments, 'night_$rows', continued => true)" >>"$SDC_TMP/continued.quiet.$rows"
	done
}

# bench_continued ROWS is this part of the benchmark.
bench_continued()
{
	local rows=$1 tenth=$(($1 / 10))

	night_times "$tenth"
	night_times "$rows"
	printf '\n'
	row "measure" "value" "limit"
	row "$rows x 10: a fresh release" "$(in_seconds "$(middle "$SDC_TMP/continued.fresh.$rows")")"
	row "$rows x 10: the first night" "$(in_seconds "$(middle "$SDC_TMP/continued.first.$rows")")"
	row "$rows x 10: a night, 1 % gone and new" "$(in_seconds "$(middle "$SDC_TMP/continued.night.$rows")")"
	row "$rows x 10: a night without a change" "$(in_seconds "$(middle "$SDC_TMP/continued.quiet.$rows")")"
	ratio "a night to a fresh release" "$(middle "$SDC_TMP/continued.night.$rows")" "$(middle "$SDC_TMP/continued.fresh.$rows")" 1.5
	ratio "a night, by ten times the records" "$(middle "$SDC_TMP/continued.night.$rows")" \
		"$(middle "$SDC_TMP/continued.night.$tenth")" 13
	sql -c "DROP TABLE IF EXISTS made" -c "DROP TABLE repeated_$rows, night_$rows, repeated_$tenth, night_$tenth"
}

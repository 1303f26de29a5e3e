# shellcheck shell=bash disable=SC2034
#-------------------------------------------------------------------------
#
# bench_columns.sh
#		What it costs to attack releases of many columns, and to report on them.
#
# Times are those of the processor, in one process.  Functions are those of bench_linkage.sh and bench_people.sh; the
# section is part of the former.
#
#-------------------------------------------------------------------------

# Limits.
LIMIT_WIDE_SCORE=20			# 64 known columns, times 16 of them
LIMIT_WIDE_LINK=20			# the same for the model of all known columns alone
LIMIT_WIDE_REPORT=30		# seconds for a page about a release of 500 x 200
LIMIT_WIDEST_REPORT=60		# seconds for a page about one of 100 x 1,600, as many columns as tables have

# What runs, as in bench_linkage.sh, whose functions run it.
declare -A STATEMENT

# make_coded TABLE ROWS COLUMNS makes a table of coded columns, of 2 to 11 values each.
make_coded()
{
	# too many columns for an argument of psql
	sql >/dev/null <<SQL
SELECT format('CREATE TABLE $1 AS SELECT i AS id, %s FROM generate_series(1::bigint, $2) AS i', string_agg(format(
	'floor(%s * ((hashint8extended(i, %s) & 2147483647) / 2147483648.0::float8))::int2 AS c%2\$s', c % 10 + 2, c), ', ' ORDER BY c))
FROM generate_series(1, $3) AS c \gexec
ALTER TABLE $1 ADD PRIMARY KEY (id);
VACUUM ANALYZE $1;
SQL
}

# section_columns measures how attacks and reports grow with the columns.
section_columns()
{
	local key label shape calls=()
	local -x PGOPTIONS="-c max_parallel_maintenance_workers=0 -c client_min_messages=error"

	explain "columns: attacks and reports of many columns" <<TEXT
Columns of 2 to 11 values that are independent of each other, so that with more than 16 of them nearly every pair
of records agrees in a set of columns of its own; p = 10.  2,000 records of 64 columns: all known, and the first 16 known.
TEXT
	note "data"
	make_coded wide 2000 64
	release wide p10 sdc_rankswap "p => 10"
	for shape in 16 64; do
		STATEMENT[score.$shape]="SELECT count(*), sum(percent) FROM sdc_disclosure_risk('wide_p10', known_max => $shape)"
		STATEMENT[link.$shape]="SELECT count(*) FILTER (WHERE correct), sum(weight)
			FROM sdc_link_probabilistic('wide_p10', known => '{$(names c "$shape" | tr -d ' ')}')"
		calls+=("run_cpu score.$shape" "run_cpu link.$shape")
	done
	note "attacks"
	rounds "${calls[@]}"
	forget wide
	row "measure" "value" "limit"
	for key in score link; do
		label="sdc_disclosure_risk"
		[[ $key = score ]] || label="sdc_link_probabilistic"
		timed "2,000 records, $label of 16 columns" "$key.16"
		timed "2,000 records, $label of 64 columns" "$key.64"
		ratio "64 columns to 16" "$(time_of "$key.64")" "$(time_of "$key.16")" \
			"$([[ $key = score ]] && echo "$LIMIT_WIDE_SCORE" || echo "$LIMIT_WIDE_LINK")"
	done
	note "reports"
	for shape in 200 1599; do
		make_coded broad "$([[ $shape = 200 ]] && echo 500 || echo 100)" "$shape"
		release broad p10 sdc_rankswap "p => 10"
		STATEMENT[report.$shape]="SELECT length(sdc_report('broad_p10'))"
		run_cpu "report.$shape"
		forget broad
	done
	limited_time "sdc_report of 500 records x 200 columns" report.200 "$LIMIT_WIDE_REPORT"
	limited_time "sdc_report of 100 records x 1,599 columns and a key" report.1599 "$LIMIT_WIDEST_REPORT"
}

# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# bench_rankswap.sh
#		What rank swapping costs, beside what the server itself needs.
#
# A table of ROWS records with a bigint primary key and ten float8 attributes,
# made from hashes, and one of a tenth of them.  Every time is the median of three
# runs, the kinds of runs alternating, each after a checkpoint.  Compared with
#
#	copying the table:	CREATE TABLE AS SELECT *
#	doing it in SQL:	nested window functions, one for each attribute, that
#						exchange the values of ranks a fixed distance apart (half
#						of all ranks go up, half down).  That is less than rank
#						swapping does: the partner is not random.  It is the
#						fastest way in plain SQL that we found, and it gets the
#						memory that the extension gets (work_mem = 64MB)
#
#-------------------------------------------------------------------------

COLUMNS_N=10
SWAP_SETTINGS="SET work_mem = '64MB'; SET max_parallel_maintenance_workers = 0"
TWO_SETTINGS="SET work_mem = '64MB'; SET max_parallel_maintenance_workers = 1"

# Limits: ratios, not times, so that they hold on any machine.
LIMIT_COPY=2.3				# times CREATE TABLE AS
LIMIT_TWO=1.7				# the same of two processes
LIMIT_SQL=0.1				# times the same in SQL
LIMIT_GROWTH=13				# ten times the rows; n log n alone gives 12
LIMIT_WINDOW=1.2			# p = 50 against p = 1: the window must not matter
LIMIT_MEMORY=3				# times the raw size of the data

KINDS=(p1 p5 p50 distribution buckets)
TWO=(two_p5 two_distribution two_buckets)	# the session and a worker
declare -A LABEL=(
	[copy]="CREATE TABLE AS SELECT *"
	[p1]="sdc_rankswap, p = 1"
	[p5]="sdc_rankswap, p = 5"
	[p50]="sdc_rankswap, p = 50"
	[distribution]="sdc_rankswap_distribution, p = 5"
	[buckets]="sdc_rankswap_buckets, 20 buckets"
	[two_p5]="sdc_rankswap, p = 5, two processes"
	[two_distribution]="sdc_rankswap_distribution, p = 5, two processes"
	[two_buckets]="sdc_rankswap_buckets, 20 buckets, two processes"
	[sql]="nested window functions in SQL"
)
declare -A TIME				# milliseconds, by table and kind
declare -A MEMORY			# bytes, by kind

# make_table NAME ROWS makes a table of hashes: six uniform attributes with few
# ties, two skewed ones, and two with many ties.
make_table()
{
	local list="" j

	for ((j = 1; j <= COLUMNS_N; j++)); do
		case $j in
			7 | 8) list+=", exp(8 * $(uniform "$j")) AS c$j" ;;
			9) list+=", floor(100 * $(uniform "$j")) AS c$j" ;;
			10) list+=", floor(20000 * $(uniform "$j")) AS c$j" ;;
			*) list+=", $(uniform "$j") AS c$j" ;;
		esac
	done
	store "$1" "SELECT i AS id $list FROM generate_series(1::bigint, $2) AS i"
}

# plain_sql TABLE ROWS prints the query with window functions.
plain_sql()
{
	local query="SELECT * FROM $1" distance=$(($2 / 20)) j k others

	for ((j = 1; j <= COLUMNS_N; j++)); do
		others=""
		for ((k = 1; k <= COLUMNS_N; k++)); do
			[[ $k -eq $j ]] || others+=", c$k"
		done
		query="SELECT id$others, CASE WHEN (row_number() OVER w - 1) / $distance % 2 = 0
			THEN COALESCE(lead(c$j, $distance) OVER w, c$j)
			ELSE lag(c$j, $distance) OVER w END AS c$j
			FROM ($query) AS q$j WINDOW w AS (ORDER BY c$j, id)"
	done
	printf '%s' "$query"
}

# swap_statement KIND TABLE ROWS prints the statement of one kind of run.
swap_statement()
{
	case $1 in
		copy) echo "CREATE TABLE bench_out AS SELECT * FROM $2" ;;
		sql) echo "CREATE TABLE bench_out AS $(plain_sql "$2" "$3")" ;;
		p*) echo "SELECT count(*) FROM sdc_rankswap('$2', p => ${1#p}, target => 'bench_out')" ;;
		two_*) swap_statement "${1#two_}" "$2" "$3" ;;
		distribution) echo "SELECT count(*) FROM sdc_rankswap_distribution('$2', p => 5, target => 'bench_out')" ;;
		buckets) echo "SELECT count(*) FROM sdc_rankswap_buckets('$2', buckets => 20, target => 'bench_out')" ;;
	esac
}

# drop_result removes what the last run has made.
drop_result()
{
	sql -c "SET client_min_messages = warning" -c "DROP TABLE IF EXISTS bench_out" \
		-c "CHECKPOINT"
}

# time_swap KIND TABLE ROWS prints the milliseconds of one run.
time_swap()
{
	local settings=$SWAP_SETTINGS

	[[ $1 != two* ]] || settings=$TWO_SETTINGS
	drop_result
	sql -c "$settings" -c '\timing on' -c "$(swap_statement "$@")" |
		sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p'
}

# measure_swaps TABLE ROWS KIND... fills TIME[TABLE KIND] with the medians.
measure_swaps()
{
	local table=$1 rows=$2 round kind

	shift 2
	for ((round = 1; round <= ROUNDS; round++)); do
		note "$rows rows, round $round of $ROUNDS"
		for kind in "$@"; do
			time_swap "$kind" "$table" "$rows" >>"$SDC_TMP/times.$table.$kind"
		done
	done
	for kind in "$@"; do
		TIME[$table $kind]=$(middle "$SDC_TMP/times.$table.$kind")
	done
}

# print_swaps ROWS SMALL prints the table.
print_swaps()
{
	local rows=$1 small=$2 raw=$(($1 * COLUMNS_N * 8)) kind table

	printf '\n'
	row "measure" "value" "limit"
	for table in large small; do
		for kind in copy "${KINDS[@]}" "${TWO[@]}" sql; do
			row "$([[ $table = large ]] && echo "$rows" || echo "$small") x $COLUMNS_N: ${LABEL[$kind]}" \
				"$(in_seconds "${TIME[$table $kind]}")"
		done
	done
	for kind in "${KINDS[@]}"; do
		ratio "time to CREATE TABLE AS: ${LABEL[$kind]}" "${TIME[large $kind]}" "${TIME[large copy]}" "$LIMIT_COPY"
	done
	for kind in "${TWO[@]}"; do
		ratio "time to CREATE TABLE AS: ${LABEL[$kind]}" "${TIME[large $kind]}" "${TIME[large copy]}" "$LIMIT_TWO"
	done
	for kind in "${KINDS[@]}"; do
		ratio "time to the same in SQL: ${LABEL[$kind]}" "${TIME[large $kind]}" "${TIME[large sql]}" "$LIMIT_SQL"
	done
	for kind in "${KINDS[@]}"; do
		ratio "time, $rows to $small rows: ${LABEL[$kind]}" "${TIME[large $kind]}" "${TIME[small $kind]}" "$LIMIT_GROWTH"
	done
	ratio "time, p = 50 to p = 1: sdc_rankswap" "${TIME[large p50]}" "${TIME[large p1]}" "$LIMIT_WINDOW"
	row "raw size of the data" "$(in_megabytes "$raw")"
	for kind in "${KINDS[@]}"; do
		row "peak memory: ${LABEL[$kind]}" "$(in_megabytes "${MEMORY[$kind]}")"
		ratio "peak memory to raw size: ${LABEL[$kind]}" "${MEMORY[$kind]}" "$raw" "$LIMIT_MEMORY"
	done
}

# bench_rankswap ROWS is this part of the benchmark.
bench_rankswap()
{
	local rows=$1 small=$(($1 / 10)) kind

	note "tables of $rows and $small rows"
	make_table large "$rows"
	make_table small "$small"
	measure_swaps large "$rows" copy "${KINDS[@]}" "${TWO[@]}" sql
	measure_swaps small "$small" copy "${KINDS[@]}" "${TWO[@]}" sql
	note "memory"
	for kind in "${KINDS[@]}"; do
		drop_result
		MEMORY[$kind]=$(peak_memory "$SWAP_SETTINGS" "$(swap_statement "$kind" large "$rows")")
	done
	print_swaps "$rows" "$small"
	if [[ -e $SDC_COPY/test/kernel/Makefile ]]; then
		printf '\nThe kernels alone\n'
		make -s --no-print-directory -C "$SDC_COPY/test/kernel" bench N="$rows"
	fi
	drop_result
	sql -c "DROP TABLE large, small"
}

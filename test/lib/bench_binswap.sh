# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# bench_binswap.sh
#		What multivariate equi-width and equi-depth swapping and their measures cost.
#
# Data are made from hashes.  Times are the least of up to three runs, the kinds alternating; kinds
# that take long run once.  Runs are made as in bench_linkage.sh: with the server's default
# settings, and when more maintenance_work_mem is asked for the table says how much.
#
# Every section says what it compares, and why that is fair.
#
#-------------------------------------------------------------------------

# shellcheck disable=SC2034
BINSWAP=(equiwidth equidepth widths correlations)

# Limits: ratios, a growth, and the times that are promised.
LIMIT_EQUIWIDTH=3			# times CREATE TABLE AS
LIMIT_EQUIWIDTH_SQL=1.0		# times the same in SQL
LIMIT_EQUIDEPTH=1			# seconds for ROWS / 50 records, two columns, k = 20
LIMIT_MANY_EQUIDEPTH=120	# seconds for ROWS / 10 records, three columns, k = 20
LIMIT_EXPONENT=1.8			# of the number of records, from ROWS / 100 to ROWS / 10

# What runs, as in bench_linkage.sh, whose functions run it.
declare -A STATEMENT SETTING WORK_MEM RESULT

#
# swap_in_sql INTERVALS prints the same as equi-width swapping of three columns in SQL: records
# are numbered in every box, by their key and at random, and joined.
#
swap_in_sql()
{
	local list="" j

	for ((j = 4; j <= COLUMNS_N; j++)); do
		list+=", own.c$j"
	done
	printf '%s' "CREATE TABLE bench_out AS
		WITH placed AS MATERIALIZED (SELECT *, row_number() OVER (PARTITION BY box ORDER BY id) AS place,
				row_number() OVER (PARTITION BY box ORDER BY random()) AS drawn
			FROM (SELECT *, (floor($1 * c1)::bigint * $1 + floor($1 * c2)::bigint) * $1 + floor($1 * c3)::bigint AS box
				FROM large) AS boxes)
		SELECT own.id, other.c1, other.c2, other.c3 $list
		FROM placed AS own JOIN placed AS other ON other.box = own.box AND other.drawn = own.place"
}

#
# Sections.  Each takes the number of records.
#

# section_equiwidth measures MEWS.
section_equiwidth()
{
	local intervals

	explain "equiwidth: sdc_equiwidth_swap of $1 records" <<TEXT
A bigint key and ten columns of numbers, of which three uniform ones are swapped: 10 intervals give 1,000 bins
with many records each, 100 intervals nearly as many bins as records.  To CREATE TABLE AS SELECT * of the same
table; and to the same in SQL, which numbers the records of every box by their key and at random, and joins
(work_mem = 64MB).
TEXT
	note "data"
	make_table large "$1"
	STATEMENT[copy]="CREATE TABLE bench_out AS SELECT * FROM large"
	for intervals in 10 100; do
		STATEMENT[width.$intervals]="SELECT DISTINCT bins FROM sdc_equiwidth_swap('large', $intervals, columns => '{c1,c2,c3}',
			target => 'bench_out', seed => 'bench') WHERE action = 'protected'"
		SETTING[sql.$intervals]="SET work_mem = '64MB'"
		STATEMENT[sql.$intervals]=$(swap_in_sql "$intervals")
	done
	rounds "run_fresh copy" "run_fresh width.10" "run_fresh width.100"
	rounds "run_fresh sql.10" "run_fresh sql.100"
	row "measure" "value" "limit"
	timed "CREATE TABLE AS SELECT *" copy
	for intervals in 10 100; do
		timed "sdc_equiwidth_swap, $intervals intervals, ${RESULT[width.$intervals]} bins" "width.$intervals"
		ratio "  to CREATE TABLE AS" "$(time_of "width.$intervals")" "$(time_of copy)" "$LIMIT_EQUIWIDTH"
		timed "  the same in SQL" "sql.$intervals"
		ratio "  to SQL" "$(time_of "width.$intervals")" "$(time_of "sql.$intervals")" "$LIMIT_EQUIWIDTH_SQL"
	done
	drop_result
	forget large
}

# prepare_depth KEY TABLE KIND ROWS COLUMNS makes a table, and the statement that swaps it with k = 20.
prepare_depth()
{
	make_data "$2" "$3" "$4" "$5"
	STATEMENT[$1]="SELECT DISTINCT bins FROM sdc_equidepth_swap('$2', 20, columns => '{$(names c "$5")}',
		target => 'bench_out', seed => 'bench') WHERE action = 'protected'"
}

# exponent KEY SMALLER prints how a time grows with ten times the records.
exponent()
{
	limited "  growth from a tenth of the records: exponent" \
		"$(awk -v a="$(time_of "$1")" -v b="$(time_of "$2")" 'BEGIN { printf "%.2f", log(a / b) / log(10) }')" "<=" "$LIMIT_EXPONENT"
}

# section_equidepth measures MEDS.
section_equidepth()
{
	local kind small=$(($1 / 100))

	[[ $small -ge 100 ]] || small=100
	explain "equidepth: sdc_equidepth_swap, k = 20" <<TEXT
All columns are swapped, uniform and independent or lognormal and correlated.  The growth is that of the time
from $small to $((10 * small)) records of three columns; the naive method is cubic in the number of records.
TEXT
	note "data"
	for kind in uniform skewed; do
		prepare_depth "$kind.2" "depth_${kind}_2" "$kind" "$((2 * small))" 2
		prepare_depth "$kind.small" "depth_${kind}_small" "$kind" "$small" 3
		prepare_depth "$kind.large" "depth_${kind}_large" "$kind" "$((10 * small))" 3
	done
	rounds "run_fresh uniform.2" "run_fresh skewed.2" "run_fresh uniform.small" "run_fresh skewed.small"
	row "measure" "value" "limit"
	for kind in uniform skewed; do
		limited_time "$kind, $((2 * small)) records, 2 columns, ${RESULT[$kind.2]} bins" "$kind.2" "$LIMIT_EQUIDEPTH"
		timed "$kind, $small records, 3 columns, ${RESULT[$kind.small]} bins" "$kind.small"
		note "$kind, $((10 * small)) records"
		run_fresh "$kind.large"
		limited_time "$kind, $((10 * small)) records, 3 columns, ${RESULT[$kind.large]} bins" "$kind.large" "$LIMIT_MANY_EQUIDEPTH"
		exponent "$kind.large" "$kind.small"
	done
	drop_result
	forget depth_uniform_2 depth_uniform_small depth_uniform_large depth_skewed_2 depth_skewed_small depth_skewed_large
}

# section_widths measures the candidates for widths, and the privacy of swapping.
section_widths()
{
	local kind grid key calls=()
	local -A smallest=([intervals]=0.001 [continuous]=0.01)

	explain "widths: sdc_swap_candidates and sdc_swap_privacy of $(($1 / 10)) records" <<TEXT
Two columns, uniform and independent or lognormal and correlated; widths up to a tenth of the ranges, from a
thousandth on with whole numbers of intervals, and from a hundredth on with every width.  In brackets: the
candidates with different least depths, and for privacy the number of them that count.
TEXT
	note "data"
	for kind in uniform skewed; do
		make_data "widths_$kind" "$kind" "$(($1 / 10))" 2
		for grid in intervals continuous; do
			key=$kind.$grid
			STATEMENT[candidates.$key]="SELECT count(*) FILTER (WHERE representative) FROM sdc_swap_candidates('widths_$kind', '{c1,c2}',
				grid => '$grid', smallest => ${smallest[$grid]})"
			STATEMENT[privacy.$key]="SELECT candidates FROM sdc_swap_privacy('widths_$kind', '{c1,c2}', grid => '$grid', smallest => ${smallest[$grid]})"
			calls+=("run_sql candidates.$key" "run_sql privacy.$key")
		done
	done
	rounds "${calls[@]}"
	row "measure" "value" "limit"
	for kind in uniform skewed; do
		for grid in intervals continuous; do
			key=$kind.$grid
			timed "sdc_swap_candidates, $kind, $grid (${RESULT[candidates.$key]})" "candidates.$key"
			timed "sdc_swap_privacy, $kind, $grid (${RESULT[privacy.$key]})" "privacy.$key"
		done
	done
	forget widths_uniform widths_skewed
}

# section_correlations measures the correlation bias.
section_correlations()
{
	explain "correlations: sdc_correlation_bias of $1 records" <<TEXT
A release of ten columns, of which three are swapped with 10 intervals: the 45 correlations of both files, and the
bias that was to be expected.  The peer in SQL takes the correlations alone, corr() of both files joined by the key.
TEXT
	note "data"
	make_table large "$1"
	sql -c "SELECT count(*) FROM sdc_equiwidth_swap('large', 10, columns => '{c1,c2,c3}', target => 'large_width', seed => 'bench')" \
		-c "VACUUM ANALYZE large_width" >/dev/null
	STATEMENT[bias]="SELECT round(bias::numeric, 9) FROM sdc_correlation_bias('large_width')"
	STATEMENT[expected]="SELECT bins FROM sdc_expected_correlation_bias('large', '{c1,c2,c3}', 'equiwidth_swap', intervals => 10)"
	STATEMENT[bias.sql]=$(bias_in_sql)
	rounds "run_sql bias" "run_sql expected" "run_sql bias.sql"
	row "measure" "value" "limit"
	timed "sdc_correlation_bias" bias
	timed "sdc_expected_correlation_bias" expected
	timed "corr() of 45 pairs of columns in both files" bias.sql
	row "  sdc_correlation_bias to SQL" "$(awk -v a="$(time_of bias)" -v b="$(time_of bias.sql)" 'BEGIN { printf "%.2f", a / b }')"
	same_results bias bias.sql
	forget large
}

# bias_in_sql prints the query that takes the correlation bias.
bias_in_sql()
{
	local list="" j k

	for ((j = 1; j <= COLUMNS_N; j++)); do
		for ((k = j + 1; k <= COLUMNS_N; k++)); do
			list+="${list:+ + }abs(corr(o.c$j, o.c$k) - corr(p.c$j, p.c$k))"
		done
	done
	printf '%s' "SELECT round((($list) / $((COLUMNS_N * (COLUMNS_N - 1) / 2)))::numeric, 9) FROM large AS o JOIN large_width AS p USING (id)"
}

# bench_binswap ROWS SECTION... is this part of the benchmark.
bench_binswap()
{
	local rows=$1 section

	shift
	for section in "$@"; do
		"section_$section" "$rows"
		rm -f "$SDC_TMP"/times.*
	done
}

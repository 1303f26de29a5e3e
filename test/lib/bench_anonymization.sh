# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# bench_anonymization.sh
#		What random anonymization, generalization, permutation and measures of groups and populations cost.
#
# On Adult, 30,162 records with nine quasi-identifiers and an occupation, or, without the
# reference data, on a table of the same form, made from hashes; and on so many copies of it, in the
# order of an integer key.  Times are the least of the runs, whose kinds alternate.  Itemsets are asked for
# again and again in one session: what is left is the work.
#
# Every section says what it compares, and why that is fair.
#
#-------------------------------------------------------------------------

# shellcheck disable=SC2034
ANONYMIZATION=(randomize groups itemsets queries inference populations people values)

# Limits: ratios, and the times that are promised.
LIMIT_RANDOMIZE=3			# times CREATE TABLE AS
LIMIT_MONDRIAN=10			# seconds for 1,000,000 records with nine attributes
LIMIT_ITEMSETS=0.060		# seconds at support 0.01
LIMIT_MORE_ITEMSETS=0.280	# seconds at support 0.001
LIMIT_QUERIES=3				# seconds for 8 x 1,000 queries
LIMIT_ALONE=0.05			# times the same in SQL
LIMIT_CHECK=1.2				# checks of groups, times GROUP BY
LIMIT_INFERENCE=40			# times the records, of 33 times as many
LIMIT_GROUPS=1.5			# measures of groups, times the GROUP BY that they need
LIMIT_UNIQUES=1				# seconds for all sets of nine columns of Adult
LIMIT_ATTACKER=3			# times two GROUP BYs

# What runs, as in bench_linkage.sh, whose functions run it.
declare -A STATEMENT WORK_MEM RESULT

QI=education,race,sex,workclass,marital_status,age,relationship,native_country,salary
MANY_QI=a1,a2,a3,a4,a5,a6,a7,a8,a9

#
# Data
#

# make_adult makes the table adult like Adult: as many values, some far more frequent than others;
# occupations depend on sex.
make_adult()
{
	local names=(workclass education marital_status occupation relationship race sex native_country salary)
	local codes=(7 16 7 14 6 5 2 41 2) power=(3 2 2 1 2 4 1 6 2) list="" share j

	for j in "${!names[@]}"; do
		share=$(uniform "$((j + 1))")
		[[ ${names[j]} != occupation ]] || share="(0.35 * $share + 0.65 * $(uniform 7))"
		list+=", '${names[j]} ' || floor(${codes[j]} * $share ^ ${power[j]}) AS ${names[j]}"
	done
	store adult "SELECT i AS id, 17 + floor(74 * $(uniform 20) ^ 1.5)::bigint AS age $list
		FROM generate_series(1::bigint, 30162) AS i"
}

# load_adult makes the table adult, and adult_classes with age in six classes.
load_adult()
{
	if have_data; then
		load_csv "$SDC_DATA/adult.csv" adult
	else
		make_adult
	fi
	sql -c "CREATE TABLE adult_classes AS SELECT CASE WHEN age <= 25 THEN '25' WHEN age <= 35 THEN '35'
			WHEN age <= 45 THEN '45' WHEN age <= 55 THEN '55' WHEN age <= 65 THEN '65' ELSE 'above' END AS class, *
		FROM adult" -c "ALTER TABLE adult_classes DROP COLUMN id, DROP COLUMN age" -c "VACUUM ANALYZE adult_classes"
}

# copy_adult TABLE COPIES makes a table of so many copies.
copy_adult()
{
	sql -c "CREATE TABLE $1 AS SELECT (c - 1) * 30162 + id::int AS id, $QI, occupation
			FROM adult, generate_series(1, $2) AS c ORDER BY c, adult.id" \
		-c "ALTER TABLE $1 ADD PRIMARY KEY (id)" -c "VACUUM ANALYZE $1"
}

# make_mixed TABLE ROWS makes a table with nine attributes of 2 to 1,000 values, and the column s.
make_mixed()
{
	local codes=(2 2 5 6 7 16 41 74 1000) list="" value j

	for j in "${!codes[@]}"; do
		value="floor(${codes[j]} * $(uniform "$((j + 1))") ^ $((1 + j % 3)))::int"
		[[ $((j % 2)) -eq 0 ]] || value="'value ' || $value"
		list+=", $value AS a$((j + 1))"
	done
	store "$1" "SELECT i AS id $list, 's ' || floor(14 * sqrt($(uniform 30)))::int AS s
		FROM generate_series(1::bigint, $2) AS i"
}

# drop_out removes what the last run has made, views of a permuted table included.
drop_out()
{
	sql -c "SET client_min_messages = warning" -c "DROP TABLE IF EXISTS bench_out CASCADE" -c "CHECKPOINT"
}

# run_fresh KEY runs a statement that makes the table bench_out.
run_fresh()
{
	drop_out
	run_sql "$1"
}

# run_again KEY TIMES runs a statement so often in one session.
run_again()
{
	local out=$SDC_TMP/out i calls=()

	for ((i = 0; i < $2; i++)); do
		calls+=(-c "${STATEMENT[$1]}")
	done
	sql -c '\timing on' "${calls[@]}" >"$out"
	RESULT[$1]=$(grep -v '^Time: ' "$out" | sort -u || true)
	sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p' "$out" >>"$SDC_TMP/times.$1"
}

# same_results A B marks two results that are not the same.
same_results()
{
	if [[ ${RESULT[$1]} != "${RESULT[$2]}" ]]; then
		row "$1 and $2: THE RESULTS DIFFER" "${RESULT[$1]}" "${RESULT[$2]} !"
		MISSED=$((MISSED + 1))
	fi
}

#
# Sections.  Each takes the number of copies.
#

# section_randomize measures sdc_randomize.
section_randomize()
{
	local records=$((30162 * $1)) memory kind round keys=(copy)
	local -A label=([optimal]="RA 1, optimal probabilities" [given]="RA 1, given probabilities" [five]="RA 2, k = 5")
	local -A argument=([optimal]="" [given]=", probabilities => '{.2,.1,.1,.1,.1,.1,.1,.1,.1}'" [five]=", draws => 5")

	explain "randomize: sdc_randomize of $records records" <<TEXT
$1 copies of Adult in the order of their integer key: nine quasi-identifiers, eight of them texts.  To CREATE
TABLE AS SELECT * of the same table; a table that lies in another order is sorted on top.  With 64 MB, the server's default, and with 1 GB of maintenance_work_mem.
TEXT
	note "data"
	copy_adult many "$1"
	STATEMENT[copy]="CREATE TABLE bench_out AS SELECT * FROM many"
	for memory in 64 1024; do
		for kind in optimal given five; do
			WORK_MEM[$kind.$memory]=$memory
			STATEMENT[$kind.$memory]="SELECT count(*) FROM sdc_randomize('many', '{$QI}'${argument[$kind]}, target => 'bench_out')"
			keys+=("$kind.$memory")
		done
	done
	for ((round = 1; round <= ROUNDS; round++)); do
		note "round $round of $ROUNDS"
		for kind in "${keys[@]}"; do
			run_fresh "$kind"
		done
	done
	row "measure" "value" "limit"
	timed "CREATE TABLE AS SELECT *" copy
	for memory in 64 1024; do
		for kind in optimal given five; do
			timed "sdc_randomize, ${label[$kind]}" "$kind.$memory"
			ratio "  to CREATE TABLE AS" "$(time_of "$kind.$memory")" "$(time_of copy)" "$LIMIT_RANDOMIZE"
		done
	done
	drop_out
	forget many
}

# section_groups measures generalization, permutation and the checks of groups.
section_groups()
{
	local key

	explain "groups: sdc_generalize, sdc_permute and checks of 1000000 records" <<TEXT
Nine attributes of 2, 2, 5, 6, 7, 16, 41, 74 and 1,000 values, uniform and skewed, numbers and texts, and a
sensitive one of 14 values.  sdc_kanonymity and sdc_ldiversity to the same in SQL, GROUP BY, on the source and
by group_id on the release; both find the same.
TEXT
	note "data"
	make_mixed mixed 1000000
	STATEMENT[copied]="CREATE TABLE bench_out AS SELECT * FROM mixed"
	STATEMENT[mondrian.l]="SELECT count(*) FROM sdc_generalize('mixed', '{$MANY_QI}', '{s}', l => 5, target => 'bench_out')"
	STATEMENT[mondrian.k]="SELECT count(*) FROM sdc_generalize('mixed', '{$MANY_QI}', k => 5, target => 'bench_out')"
	STATEMENT[anatomy]="SELECT count(*) FROM sdc_permute('mixed', '{$MANY_QI}', '{s}', l => 5, target => 'bench_out', seed => 1)"
	STATEMENT[within]="SELECT count(*) FROM sdc_permute('mixed', '{$MANY_QI}', '{s}', l => 5, grouping_method => 'mondrian', target => 'bench_out', seed => 1)"
	STATEMENT[k]="SELECT * FROM sdc_kanonymity('mixed', '{$MANY_QI}')"
	STATEMENT[k.sql]="SELECT min(n), count(*), count(*) FILTER (WHERE n = 1)
		FROM (SELECT count(*) AS n FROM mixed GROUP BY $MANY_QI) AS g"
	STATEMENT[l]="SELECT distinct_l, round(entropy_l::numeric, 9) FROM sdc_ldiversity('bench_out', '{group_id}', '{s}')"
	STATEMENT[l.sql]="SELECT min(d), round(exp(min(h))::numeric, 9) FROM (SELECT count(*) AS d, ln(sum(n)) - sum(n * ln(n)) / sum(n) AS h
		FROM (SELECT group_id, count(*)::float8 AS n FROM bench_out GROUP BY group_id, s) AS c GROUP BY group_id) AS g"
	rounds "run_fresh copied" "run_fresh mondrian.l" "run_fresh mondrian.k" "run_fresh anatomy" "run_fresh within"
	rounds "run_sql k" "run_sql k.sql"
	run_fresh mondrian.l
	rounds "run_sql l" "run_sql l.sql"
	row "measure" "value" "limit"
	timed "CREATE TABLE AS SELECT *" copied
	limited_time "sdc_generalize, entropy l = 5${WORK_MEM[mondrian.l]:+, given ${WORK_MEM[mondrian.l]} MB}" mondrian.l "$LIMIT_MONDRIAN"
	limited_time "sdc_generalize, k = 5${WORK_MEM[mondrian.k]:+, given ${WORK_MEM[mondrian.k]} MB}" mondrian.k "$LIMIT_MONDRIAN"
	timed "sdc_permute, Anatomy, l = 5" anatomy
	timed "sdc_permute within Mondrian's groups, l = 5" within
	for key in mondrian.l mondrian.k anatomy within; do
		row "  $key, time to CREATE TABLE AS" "$(awk -v a="$(time_of "$key")" -v b="$(time_of copied)" 'BEGIN { printf "%.2f", a / b }')"
	done
	timed "sdc_kanonymity" k
	timed "GROUP BY of nine attributes" k.sql
	ratio "  sdc_kanonymity to GROUP BY" "$(time_of k)" "$(time_of k.sql)" "$LIMIT_CHECK"
	timed "sdc_ldiversity by group_id" l
	timed "GROUP BY group_id, s" l.sql
	ratio "  sdc_ldiversity to GROUP BY" "$(time_of l)" "$(time_of l.sql)" "$LIMIT_CHECK"
	same_results k k.sql
	same_results l l.sql
	drop_out
	forget mixed
}

# grouping_sets prints all sets of 1 to 4 of the ten attributes of adult_classes.
grouping_sets()
{
	local list="" names=() set bit bits j

	IFS=, read -ra names <<<"class,${QI/age,/},occupation"
	for ((set = 1; set < 1024; set++)); do
		bits=0
		bit=""
		for j in "${!names[@]}"; do
			if ((set >> j & 1)); then
				bits=$((bits + 1))
				bit+="${bit:+, }${names[j]}"
			fi
		done
		[[ $bits -gt 4 ]] || list+="${list:+, }($bit)"
	done
	printf '%s' "$list"
}

# section_itemsets measures frequent itemsets and associations.
section_itemsets()
{
	local kind

	explain "itemsets: sdc_frequent_itemsets and sdc_associations of Adult" <<TEXT
Ten attributes with age in six classes, 30,162 records.  The peer in SQL counts all
combinations of up to four attributes (GROUPING SETS) and keeps the frequent ones; both find the same.
TEXT
	STATEMENT[items.01]="SELECT count(*) FROM sdc_frequent_itemsets('adult_classes', min_support => 0.01)"
	STATEMENT[items.001]="SELECT count(*) FROM sdc_frequent_itemsets('adult_classes', min_support => 0.001)"
	STATEMENT[items.4]="SELECT count(*), sum(records) FROM sdc_frequent_itemsets('adult_classes', min_support => 0.08, max_length => 4)"
	STATEMENT[items.sql]="SELECT count(*), sum(n) FROM (SELECT count(*) AS n FROM adult_classes
		GROUP BY GROUPING SETS ($(grouping_sets)) HAVING count(*) >= 2413) AS g"
	for kind in antecedent rule any; do
		STATEMENT[$kind]="SELECT count(*) FROM sdc_associations('adult', '{$QI}', '{occupation}', reading => '$kind')"
		run_again "$kind" 10
	done
	run_again items.01 30
	run_again items.001 15
	run_again items.4 10
	rounds "run_sql items.sql"
	row "measure" "value" "limit"
	limited_time "sdc_frequent_itemsets, support 0.01: ${RESULT[items.01]}" items.01 "$LIMIT_ITEMSETS"
	limited_time "sdc_frequent_itemsets, support 0.001: ${RESULT[items.001]}" items.001 "$LIMIT_MORE_ITEMSETS"
	timed "sdc_frequent_itemsets, support 0.08, up to 4 values" items.4
	timed "GROUPING SETS of up to 4 attributes" items.sql
	ratio "  sdc_frequent_itemsets to SQL" "$(time_of items.4)" "$(time_of items.sql)" "$LIMIT_ALONE"
	same_results items.4 items.sql
	for kind in antecedent rule any; do
		timed "sdc_associations, reading $kind: ${RESULT[$kind]}" "$kind"
	done
	many_itemsets
}

# many_itemsets measures associations of many records with little support.
many_itemsets()
{
	local list="" kind j

	for ((j = 1; j <= 12; j++)); do
		list+=", floor($((4 + j + j / 3)) * $(uniform "$j") ^ 1.6)::int AS a$j"
	done
	store twelve "SELECT i AS id $list FROM generate_series(1::bigint, 300000) AS i"
	for kind in antecedent rule any; do
		STATEMENT[many.$kind]="SELECT count(*), sum(both_records) FROM sdc_associations('twelve',
			'{$(names a 11)}', '{a12}', $([[ $kind == any ]] && echo 0.0001 || echo 0.00002), 0.5, reading => '$kind')"
		rounds "run_sql many.$kind"
		timed "300,000 x 12, reading $kind: ${RESULT[many.$kind]}" "many.$kind"
	done
	sql -c "DROP TABLE twelve"
}

# release_adult makes one release of Adult for each kind of estimate.
release_adult()
{
	sql -c "SELECT count(*) FROM sdc_randomize('adult', '{$QI}', target => 'adult_plain', seed => 'bench')" \
		-c "SELECT count(*) FROM sdc_generalize('adult', '{$QI}', '{occupation}', l => 5, target => 'adult_ranges')" \
		-c "SELECT count(*) FROM sdc_permute('adult', '{$QI}', '{occupation}', l => 5, target => 'adult_permuted', seed => 'bench')" >/dev/null
}

# section_queries measures the errors of queries.
section_queries()
{
	local kind
	local -A label=([plain]="random anonymization" [ranges]="generalization" [permuted]="permutation")

	explain "queries: sdc_query_errors of releases of Adult" <<TEXT
8 x 1,000 queries, on both files.  The peer in SQL runs 100 of them one by one (sets of half of the values
of five attributes and of the occupation), on both tables, and is multiplied by 80.  It draws nothing and
has the plain counts only.
TEXT
	release_adult
	for kind in plain ranges permuted; do
		STATEMENT[$kind]="SELECT count(*) FROM sdc_query_errors('adult_$kind', 1000, seed => 1)"
		run_again "$kind" 3
	done
	STATEMENT[loop]="DO \$\$
DECLARE
	v text[];
BEGIN
	FOR i IN 1 .. 100 LOOP
		v := ARRAY(SELECT x FROM (SELECT DISTINCT unnest(ARRAY[education, race, workclass, marital_status, native_country, occupation]) AS x
			FROM adult_values) AS d WHERE hashtextextended(x, i) % 2 = 0);
		PERFORM count(*) FROM adult WHERE education = ANY (v) AND race = ANY (v) AND workclass = ANY (v) AND marital_status = ANY (v)
			AND native_country = ANY (v) AND occupation = ANY (v);
		PERFORM count(*) FROM adult_plain WHERE education = ANY (v) AND race = ANY (v) AND workclass = ANY (v) AND marital_status = ANY (v)
			AND native_country = ANY (v) AND occupation = ANY (v);
	END LOOP;
END \$\$"
	sql -c "CREATE TABLE adult_values AS SELECT DISTINCT education, race, workclass, marital_status, native_country, occupation
		FROM adult WHERE id % 50 = 0"
	run_again loop 2
	row "measure" "value" "limit"
	for kind in plain ranges permuted; do
		limited_time "sdc_query_errors, ${label[$kind]}" "$kind" "$LIMIT_QUERIES"
	done
	row "the same in SQL: 80 times 100 queries" "$(in_seconds "$(awk -v t="$(time_of loop)" 'BEGIN { print 80 * t }')")"
	ratio "  sdc_query_errors, ${label[plain]}, to SQL" "$(time_of plain)" \
		"$(awk -v t="$(time_of loop)" 'BEGIN { print 80 * t }')" "$LIMIT_ALONE"
	STATEMENT[recall]="SELECT count(*) FROM sdc_association_recall('adult_plain')"
	run_again recall 5
	timed "sdc_association_recall, ${label[plain]}" recall
	sql -c "DROP TABLE adult_values, adult_plain, adult_ranges, adult_permuted CASCADE" 2>/dev/null
}

# section_inference measures what an intruder infers.
section_inference()
{
	explain "inference: sdc_inference_risk" <<TEXT
Adult, and 33 copies of it: $((33 * 30162)) records, each copy with its own releases.  The time must grow with the
records, not faster.
TEXT
	note "data"
	copy_adult many 33
	sql -c "SELECT count(*) FROM sdc_randomize('adult', '{$QI}', target => 'adult_plain', seed => 'bench')" \
		-c "SELECT count(*) FROM sdc_randomize('many', '{$QI}', target => 'many_plain', seed => 'bench')" >/dev/null
	STATEMENT[one]="SELECT round(hit_percent::numeric, 1) FROM sdc_inference_risk('adult_plain')"
	STATEMENT[many]="SELECT round(hit_percent::numeric, 1) FROM sdc_inference_risk('many_plain')"
	rounds "run_sql one" "run_sql many"
	row "measure" "value" "limit"
	timed "sdc_inference_risk, 30162 records" one
	timed "sdc_inference_risk, $((33 * 30162)) records" many
	ratio "  time to that of a 33rd of the records" "$(time_of many)" "$(time_of one)" "$LIMIT_INFERENCE"
	forget many
	sql -c "DROP TABLE adult_plain"
}

# section_populations measures groups, populations and special records.
section_populations()
{
	explain "populations: groups, populations, special records" <<TEXT
sdc_group_privacy and sdc_sample_risk of 1000000 records, to the GROUP BY that they need, in SQL: by quasi-identifiers
and sensitive column, of few groups and of many.  sdc_attacker_risk of 100,000 records and a population of
1,000,000, four columns, to the two GROUP BYs; and of the same release generalized, which is another task.
sdc_minimal_uniques of Adult, nine columns, all sizes.
TEXT
	note "data"
	make_mixed mixed 1000000
	sql -c "CREATE TABLE part AS SELECT * FROM mixed WHERE id % 10 = 3" -c "ALTER TABLE part ADD PRIMARY KEY (id)" -c "VACUUM ANALYZE part" \
		-c "SET client_min_messages = error" -c "SELECT count(*) FROM sdc_generalize('part', '{a5,a7,a8,a9}', k => 20, target => 'part_ranges')" >/dev/null
	STATEMENT[few]="SELECT groups, k FROM sdc_group_privacy('mixed', '{a5,a6}', '{s}')"
	STATEMENT[few.sql]="SELECT min(n), max(n), count(*) FROM (SELECT a5, a6, s, count(*) AS n FROM mixed GROUP BY a5, a6, s) AS g"
	STATEMENT[many]="SELECT groups, k FROM sdc_group_privacy('mixed', '{a5,a7,a9}', '{s}')"
	STATEMENT[many.sql]="SELECT min(n), max(n), count(*) FROM (SELECT a5, a7, a9, s, count(*) AS n FROM mixed GROUP BY a5, a7, a9, s) AS g"
	STATEMENT[sample]="SELECT uniques, pairs FROM sdc_sample_risk('mixed', '{a5,a7,a8,a9}', 0.1)"
	STATEMENT[sample.sql]="SELECT count(*) FILTER (WHERE n = 1), count(*) FILTER (WHERE n = 2) FROM (SELECT count(*) AS n FROM mixed GROUP BY a5, a7, a8, a9) AS g"
	STATEMENT[attacker]="SELECT classes, k_map FROM sdc_attacker_risk('part', '{a5,a7,a8,a9}', 'mixed')"
	STATEMENT[attacker.sql]="SELECT (SELECT sum(n) FROM (SELECT a5, a7, a8, a9, count(*) AS n FROM part GROUP BY a5, a7, a8, a9) AS g), (SELECT sum(n) FROM (SELECT a5, a7, a8, a9, count(*) AS n FROM mixed GROUP BY a5, a7, a8, a9) AS g)"
	STATEMENT[ranges]="SELECT classes, k_map FROM sdc_attacker_risk('part_ranges', '{a5,a7,a8,a9}', 'mixed')"
	STATEMENT[uniques]="SELECT count(*), sum(score) FROM sdc_minimal_uniques('adult', '{$QI}', 9)"
	rounds "run_sql few" "run_sql few.sql" "run_sql many" "run_sql many.sql" "run_sql sample" "run_sql sample.sql"
	rounds "run_sql attacker" "run_sql attacker.sql" "run_sql ranges" "run_sql uniques"
	row "measure" "value" "limit"
	timed "sdc_group_privacy, 42 groups" few
	ratio "  to GROUP BY with the sensitive column" "$(time_of few)" "$(time_of few.sql)" "$LIMIT_GROUPS"
	timed "sdc_group_privacy, many groups" many
	ratio "  to GROUP BY with the sensitive column" "$(time_of many)" "$(time_of many.sql)" "$LIMIT_GROUPS"
	timed "sdc_sample_risk" sample
	ratio "  to GROUP BY" "$(time_of sample)" "$(time_of sample.sql)" "$LIMIT_GROUPS"
	same_results sample sample.sql
	timed "sdc_attacker_risk, 100,000 of 1,000,000" attacker
	ratio "  to the two GROUP BYs" "$(time_of attacker)" "$(time_of attacker.sql)" "$LIMIT_ATTACKER"
	timed "sdc_attacker_risk, generalized" ranges
	limited_time "sdc_minimal_uniques, Adult, all sets of 9 columns" uniques "$LIMIT_UNIQUES"
	forget mixed
	sql -c "SET client_min_messages = warning" -c "DROP TABLE part, part_ranges CASCADE"
}

# bench_anonymization COPIES SECTION... is this part of the benchmark.
bench_anonymization()
{
	local copies=$1 section

	shift
	load_adult
	for section in "$@"; do
		"section_$section" "$copies"
		rm -f "$SDC_TMP"/times.*
	done
	sql -c "DROP TABLE adult, adult_classes"
}

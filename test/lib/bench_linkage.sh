# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# bench_linkage.sh
#		What attacking and measuring a release costs.
#
# Data are made from hashes, releases from a fixed seed, so every run sees the same
# records.  Of every kind of run the least of up to three is taken, the kinds
# alternating; kinds that take long run once.  A statement runs with the server's
# default settings; when it asks for more maintenance_work_mem it gets what it asks for, and
# the table says how much ("given 321 MB").
#
# Every section says what it compares, and why that is fair.
#
#-------------------------------------------------------------------------

# shellcheck disable=SC2034
SECTIONS=(distance large plain risk windows releases agreement columns scores cores kept sweep loss)

# Limits.  Ratios hold on any machine; the two times are those promised for a small one.
LIMIT_TREE=1.0				# times a k-d tree in a process of its own
LIMIT_LARGE=120				# seconds for ROWS x 7
LIMIT_RAW=5					# peak memory, times the raw size of both tables
LIMIT_PLAIN=100				# plain SQL takes so many times as long
LIMIT_CUBE=10				# and an index of contrib so many times
LIMIT_RISK=3				# all numbers of known attributes to the most expensive one
LIMIT_RELEASES=30			# times a linkage by distance, and one by windows, for as many releases
LIMIT_DOUBLE=2.6			# twice the records; n log n gives 2.1, n^2 gives 4
LIMIT_CENSUS=0.5			# seconds for a release of 1080 x 13
LIMIT_EIA=5					# seconds for a release of 4092 x 10
LIMIT_CORES=0.6				# two processes to one
LIMIT_EVALUATE=1.2			# an evaluation, times score, people, queries and associations called one by one
LIMIT_KEPT=0.5				# seconds for a look at 1,000,000 x 10 and its source, by their pages
LIMIT_KEPT_REPORT=5			# seconds for a page about them
LIMIT_SWEEP=3				# seconds for ten values on 1080 x 13
LIMIT_SWEEP_RATIO=0.6		# times as many releases made and scored one by one
LIMIT_REPORT=3				# seconds for a page about a release of 1080 x 13 that was never evaluated
LIMIT_SUMS=1.0				# times the aggregates of the server
LIMIT_PARALLEL=0.8			# parallel to serial, on two processors

# What runs, by a key of its own.
declare -A STATEMENT		# the statement
declare -A SETTING			# a statement before it, or nothing
declare -A WORK_MEM			# megabytes of maintenance_work_mem, when not the default
declare -A RESULT			# what the last run returned

# explain TITLE prints the heading of a section, and the text on standard input.
explain()
{
	printf '\n=== %s\n' "$1"
	sed 's/^/    /'
	printf '\n'
}

#
# Data and releases
#

# normal NUMBER prints an expression: the NUMBERth standard normal number of record i.
normal()
{
	printf '(sqrt(-2 * ln(1 - %s)) * cos(2 * pi() * %s))' \
		"$(uniform $((2 * $1 + 100)))" "$(uniform $((2 * $1 + 101)))"
}

#
# make_data TABLE KIND ROWS COLUMNS makes a table with attributes c1, c2, ...
#
#	uniform		independent and uniform: the nearest is as far away as can be
#	skewed		lognormal, correlated 0.8 before the exponential: dense and empty regions
#	whole		the same as whole numbers, and partly zero, like money
#	tied		2 to 100 different values
#
make_data()
{
	local distinct=(2 3 5 8 12 20 33 50 75 100) list="" j

	for ((j = 1; j <= $4; j++)); do
		case $2 in
			uniform) list+=", $(uniform "$j") AS c$j" ;;
			skewed) list+=", exp($(normal 0) + 0.5 * $(normal "$j")) AS c$j" ;;
			whole) list+=", floor(10000 * exp($(normal 0) + 0.5 * $(normal "$j")) - 2000 * $(uniform "$j"))
				* (CASE WHEN $(uniform $((j + 50))) < $((j % 3)) / 10.0 THEN 0 ELSE 1 END) AS c$j" ;;
			tied) list+=", floor(${distinct[j - 1]} * $(uniform "$j")) AS c$j" ;;
		esac
	done
	store "$1" "SELECT i AS id $list FROM generate_series(1::bigint, $3) AS i"
}

# release TABLE NAME METHOD ARGUMENTS makes the release TABLE_NAME, which is a draw of its own.
release()
{
	sql -c "SELECT count(*) FROM $3('$1', $4, target => '$1_$2', seed => 'bench $2')" \
		-c "VACUUM ANALYZE $1_$2" >/dev/null
}

#
# permute TABLE COLUMNS makes and registers TABLE_permuted, every attribute in an order of
# its own: protected records near none of the originals, so that nothing that looks
# near is, and a search can leave out little.
#
permute()
{
	local from="" j

	for ((j = 1; j <= $2; j++)); do
		from+=" JOIN (SELECT c$j, row_number() OVER (ORDER BY hashint8extended(id, 900 + $j), id) AS r
			FROM $1) AS p$j USING (r)"
	done
	store "$1_permuted" "SELECT id, $(names c "$2")
		FROM (SELECT id, row_number() OVER (ORDER BY id) AS r FROM $1) AS s $from ORDER BY id"
	sql -c "SELECT sdc_register('$1', '$1_permuted', '{$(names c "$2")}', '{id}')" >/dev/null
}

# forget TABLE... drops tables, with their releases.
forget()
{
	local list=""

	list=$(sql -c "SELECT string_agg(release::text, ', ') FROM sdc_releases
		WHERE source::text = ANY (string_to_array('$*', ' '))")
	sql -c "DROP TABLE $(printf '%s, ' "$@" | sed 's/, $//')${list:+, $list}" -c "CHECKPOINT"
}

#
# Runs
#

# run_sql KEY runs a statement, and notes its milliseconds and result.
run_sql()
{
	local needed out=$SDC_TMP/out errors=$SDC_TMP/errors

	while ! sql -c "SET maintenance_work_mem = '${WORK_MEM[$1]:-64}MB'" -c "${SETTING[$1]:-}" \
		-c '\timing on' -c "${STATEMENT[$1]}" >"$out" 2>"$errors"; do
		needed=$(sed -n 's/.* needs \([0-9]*\) MB of memory.*/\1/p' "$errors")
		if [[ -z $needed || $needed -le ${WORK_MEM[$1]:-64} ]]; then
			cat "$errors" >&2
			fail "${STATEMENT[$1]}"
		fi
		WORK_MEM[$1]=$needed
	done
	RESULT[$1]=$(grep -v '^Time: ' "$out" || true)
	sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p' "$out" >>"$SDC_TMP/times.$1"
}

# run_tree KEY TABLE RELEASE COLUMNS VARIANT runs the k-d tree of scipy.
run_tree()
{
	local time links distance

	read -r time links distance < <(/usr/bin/python3 -I "$SDC_SRC/test/lib/bench_peer.py" \
		"$SDC_BIN/psql" "$2" "$3" "$4" "$5")
	[[ -n $distance ]] || fail "the peer failed"
	RESULT[$1]="$links|$distance"
	echo "$time" >>"$SDC_TMP/times.$1"
}

# rounds CALL... makes every call (words, without quotes) once in each round.
rounds()
{
	local start=$SECONDS round call words

	for ((round = 1; round <= ROUNDS; round++)); do
		for call in "$@"; do
			read -ra words <<<"$call"
			"${words[@]}"
		done
		[[ $((SECONDS - start)) -lt $PATIENCE ]] || break
	done
}

# time_of KEY prints the milliseconds of a kind of run.
time_of() { least "$SDC_TMP/times.$1"; }

# timed MEASURE KEY prints a line with a time, and the memory setting it needed.
timed()
{
	row "$1${WORK_MEM[$2]:+, given ${WORK_MEM[$2]} MB}" "$(in_seconds "$(time_of "$2")")"
}

# limited_time MEASURE KEY SECONDS prints a line with a time and its limit.
limited_time()
{
	limited "$1" "$(awk -v t="$(time_of "$2")" 'BEGIN { printf "%.3f", t / 1000 }')" "<=" "$3" " s"
}

# same_links A B tells whether two results "number|sum" are equal, the sum up to rounding.
same_links()
{
	awk -v a="${RESULT[$1]}" -v b="${RESULT[$2]}" 'BEGIN {
		split(a, x, "|"); split(b, y, "|")
		d = x[2] - y[2]; if (d < 0) d = -d
		exit !(x[1] == y[1] && d <= 1e-9 * x[2]) }'
}

# links_of KEY prints the number of links of a result.
links_of() { awk -v r="${RESULT[$1]}" 'BEGIN { split(r, x, "|"); printf "%.10g", x[1] }'; }

# check_links A B prints the number of links, and marks it when the results differ.
check_links()
{
	if same_links "$1" "$2"; then
		row "correct links, the same by both" "$(links_of "$1")"
	else
		row "correct links: THE RESULTS DIFFER" "$(links_of "$1")" "$(links_of "$2") !"
		MISSED=$((MISSED + 1))
	fi
}

# compare_heading WHAT OURS PEER RESULT begins a table of comparisons.
compare_heading() { printf '%-34s %11s %11s %7s %8s %12s\n' "$1" "$2" "$3" "ratio" "limit" "$4"; }

# compare WHAT OURS PEER LIMIT prints both times, their ratio and the links by both.
compare()
{
	local mark="" links

	links=$(links_of "$2")
	if ! same_links "$2" "$3"; then
		links+=", not $(links_of "$3") !"
		MISSED=$((MISSED + 1))
	fi
	if awk -v a="$(time_of "$2")" -v b="$(time_of "$3")" -v l="$4" 'BEGIN { exit !(a > b * l) }'; then
		mark=" !"
		MISSED=$((MISSED + 1))
	fi
	printf '%-34s %11s %11s %7s %8s %12s\n' "$1" "$(in_seconds "$(time_of "$2")")" \
		"$(in_seconds "$(time_of "$3")")" \
		"$(awk -v a="$(time_of "$2")" -v b="$(time_of "$3")" 'BEGIN { printf "%.2f", a / b }')" \
		"<= $4$mark" "$links"
}

# linked RELEASE prints the statement of distance based linkage.
linked()
{
	printf '%s' "SELECT sum(correct::int / greatest(ties, 1)::float8), sum(distance)
		FROM sdc_link_distance('$1')"
}

#
# Sections.  Each takes the number of records of the large table and of the others.
#

# section_distance compares with a k-d tree outside of the server.
section_distance()
{
	local kind d name key table

	explain "distance: sdc_link_distance to scipy's cKDTree" <<TEXT
All $2 original records, for each the nearest among all protected ones, with 4, 7 and 10
attributes; data uniform and independent, or skewed and correlated; releases by rank
swapping (p = 5), and as the hard case an independent permutation of every attribute.
Ours is one SQL statement.  The peer is a Python process that reads the same two tables (COPY
in the binary format, straight into numpy), standardises them, builds its tree and asks it for
one neighbour of every record; connecting and the start of Python are not counted, and it
has two ways of building the tree, of which the faster counts.  One thread each, exact
both: the correct links and the sum of all distances must be the same.
TEXT
	compare_heading "data, release" "sdc" "cKDTree" "links"
	for kind in uniform skewed; do
		for d in 4 7 10; do
			table=$kind$d
			make_data "$table" "$kind" "$2" "$d"
			release "$table" p5 sdc_rankswap "p => 5"
			permute "$table" "$d"
			for name in p5 permuted; do
				key=${table}_$name
				STATEMENT[$key]=$(linked "$key")
				rounds "run_sql $key" "run_tree tree.$key $table $key $d 0" \
					"run_tree tree.$key $table $key $d 1"
				compare "$2 x $d $kind, $name" "$key" "tree.$key" "$LIMIT_TREE"
			done
			forget "$table"
		done
	done
}

# section_large links the large table.
section_large()
{
	local bytes raw=$(($1 * 7 * 16))

	explain "large: sdc_link_distance of $1 records" <<TEXT
All pairs would be $(awk -v n="$1" 'BEGIN { printf "%.0e", n * n }').  Uniform data with 7 attributes, p = 5.  The raw size is that of the values of both
tables.
TEXT
	note "data"
	make_data large uniform "$1" 7
	release large p5 sdc_rankswap "p => 5"
	STATEMENT[large]=$(linked large_p5)
	note "time and memory"
	run_sql large
	bytes=$(peak_memory "SET maintenance_work_mem = '${WORK_MEM[large]:-64}MB'" "${STATEMENT[large]}")
	row "measure" "value" "limit"
	limited_time "$1 x 7: sdc_link_distance" large "$LIMIT_LARGE"
	row "maintenance_work_mem that it asks for" "${WORK_MEM[large]:-64} MB"
	row "raw size of the data" "$(in_megabytes "$raw")"
	row "peak memory" "$(in_megabytes "$bytes")"
	ratio "peak memory to raw size" "$bytes" "$raw" "$LIMIT_RAW"
	forget large
}

# plain_distance prints the squared distance of records o and r with 7 attributes.
plain_distance()
{
	local j

	for j in 1 2 3 4 5 6 7; do
		printf '%s(o.c%d - r.c%d) * (o.c%d - r.c%d)' "$([[ $j -eq 1 ]] || echo ' + ')" "$j" "$j" "$j" "$j"
	done
}

# standardise TABLE RELEASE makes both again, divided by the deviations of TABLE.
standardise()
{
	local list="" deviations="" j

	for j in 1 2 3 4 5 6 7; do
		list+=", c$j / s$j AS c$j"
		deviations+="${deviations:+, }stddev_samp(c$j) AS s$j"
	done
	store "$1_scaled" "SELECT id $list FROM $1, (SELECT $deviations FROM $1) AS s ORDER BY id"
	store "$2_scaled" "SELECT id $list FROM $2, (SELECT $deviations FROM $1) AS s ORDER BY id"
}

# section_plain compares with SQL, and with the index of contrib.
section_plain()
{
	local n=4092 sample=1000 peer index query

	explain "plain: sdc_link_distance to what SQL itself can do" <<TEXT
$n x 7 records, uniform, p = 5, to a lateral join that sorts by the squared distance and keeps the
first.  The join gets tables that are standardised already.
Then $2 x 7, to contrib's cube with a GiST index and its operator <->, again on
standardised tables: building the index is counted in full, the search with $sample of the records
and multiplied (all of them would take too long).
TEXT
	note "lateral join"
	make_data plain uniform "$n" 7
	release plain p5 sdc_rankswap "p => 5"
	standardise plain plain_p5
	STATEMENT[plain]=$(linked plain_p5)
	STATEMENT[lateral]="SELECT count(*) FILTER (WHERE o.id = m.id), sum(sqrt(d))
		FROM plain_scaled AS o CROSS JOIN LATERAL (SELECT r.id, $(plain_distance) AS d
			FROM plain_p5_scaled AS r ORDER BY d LIMIT 1) AS m"
	rounds "run_sql plain" "run_sql lateral"
	row "measure" "value" "limit"
	timed "$n x 7: sdc_link_distance" plain
	timed "$n x 7: lateral join in SQL" lateral
	ratio_least "the join takes so many times as long" "$(time_of lateral)" "$(time_of plain)" "$LIMIT_PLAIN"
	check_links plain lateral
	forget plain plain_scaled plain_p5_scaled

	note "cube"
	sql -c "CREATE EXTENSION cube"
	make_data cubes uniform "$2" 7
	release cubes p5 sdc_rankswap "p => 5"
	standardise cubes cubes_p5
	sql -c "CREATE TABLE points AS SELECT id, cube(ARRAY[$(names c 7)]) AS c FROM cubes_p5_scaled"
	STATEMENT[cubes]=$(linked cubes_p5)
	STATEMENT[sample]="WITH o AS (SELECT id, cube(ARRAY[$(names c 7)]) AS c FROM cubes_scaled
			ORDER BY hashint8extended(id, 800), id LIMIT $sample)
		SELECT count(*) FILTER (WHERE o.id = m.id), sum(o.c <-> m.c)
		FROM o CROSS JOIN LATERAL (SELECT r.id, r.c FROM points AS r ORDER BY r.c <-> o.c LIMIT 1) AS m"
	STATEMENT[index]="CREATE INDEX points_c ON points USING gist (c)"
	run_sql index
	sql -c "VACUUM ANALYZE points"
	rounds "run_sql cubes" "run_sql sample"
	index=$(time_of index)
	query=$(time_of sample)
	peer=$(awk -v i="$index" -v q="$query" -v n="$2" -v s="$((sample < $2 ? sample : $2))" \
		'BEGIN { print i + q * n / s }')
	timed "$2 x 7: sdc_link_distance" cubes
	timed "$2 x 7: cube, building the index" index
	timed "$2 x 7: cube, search with $sample records" sample
	row "$2 x 7: cube, index and search with all" "$(in_seconds "$peer")"
	ratio_least "cube takes so many times as long" "$peer" "$(time_of cubes)" "$LIMIT_CUBE"
	forget cubes cubes_scaled cubes_p5_scaled points
}

# section_risk compares all numbers of known attributes with the most expensive one.
section_risk()
{
	local kind c attack key sum most worst calls

	explain "risk: sdc_disclosure_risk to single attacks" <<TEXT
$2 x 10 records, p = 5.  sdc_disclosure_risk attacks with the first 1, 2, ... 10 attributes known, by distance,
by agreement and by the windows of rank swapping: 30 attacks.  To it stands the sum of the
three attacks for the one number of known attributes that takes longest, with the functions that
attack once; each of these reads the release for itself, and returns its links.
TEXT
	row "measure" "value" "limit"
	for kind in uniform skewed; do
		note "$kind"
		make_data "$kind" "$kind" "$2" 10
		release "$kind" p5 sdc_rankswap "p => 5"
		STATEMENT[risk.$kind]="SELECT sum(linked) FROM sdc_disclosure_risk('${kind}_p5')"
		calls=("run_sql risk.$kind")
		for c in 1 2 3 4 5 6 7 8 9 10; do
			for attack in distance probabilistic rankswap; do
				key=$kind.$attack.$c
				STATEMENT[$key]="SELECT count(*)
					FROM sdc_link_$attack('${kind}_p5', known => '{$(names c "$c")}')"
				calls+=("run_sql $key")
			done
		done
		rounds "${calls[@]}"
		most=0
		for c in 1 2 3 4 5 6 7 8 9 10; do
			sum=0
			for attack in distance probabilistic rankswap; do
				sum=$(awk -v s="$sum" -v t="$(time_of "$kind.$attack.$c")" 'BEGIN { print s + t }')
			done
			row "$kind, $c known: $(for attack in distance probabilistic rankswap; do
				printf '%s + ' "$(in_seconds "$(time_of "$kind.$attack.$c")")"
			done | sed 's/ + $//')" "$(in_seconds "$sum")"
			if awk -v s="$sum" -v m="$most" 'BEGIN { exit !(s > m) }'; then
				most=$sum
				worst=$c
			fi
		done
		timed "$kind: sdc_disclosure_risk, all" "risk.$kind"
		ratio "$kind: time to the three attacks with $worst known" "$(time_of "risk.$kind")" "$most" "$LIMIT_RISK"
		forget "$kind"
	done
}

# growth LABEL KEY N prints the times of KEY.full and KEY.half, and their ratio.
growth()
{
	timed "$1, $3 records" "$2.full"
	timed "$1, $(($3 / 2)) records" "$2.half"
	ratio "$1: growth" "$(time_of "$2.full")" "$(time_of "$2.half")" "$LIMIT_DOUBLE"
}

# section_windows measures the attack that knows rank swapping.
section_windows()
{
	local half=$(($2 / 2)) size mode table

	explain "windows: sdc_link_rankswap" <<TEXT
$2 x 10 uniform records, all 10 attributes known; the records inside all windows of a release by rank
swapping (p = 5), and the records inside most windows of one by p-distribution (p = 5).  A window
has a tenth of the records, so that counting one by one would be n^2: half the records
show whether it is.
TEXT
	for size in full half; do
		note "$size"
		table=windows_$size
		make_data "$table" uniform "$([[ $size = full ]] && echo "$2" || echo "$half")" 10
		release "$table" p5 sdc_rankswap "p => 5"
		release "$table" d5 sdc_rankswap_distribution "p => 5"
		for mode in intersection union; do
			STATEMENT[$mode.$size]="SELECT count(*) FILTER (WHERE correct), sum(candidates)
				FROM sdc_link_rankswap('${table}_$([[ $mode = union ]] && echo d5 || echo p5)', mode => '$mode')"
		done
	done
	note "attacks"
	rounds "run_sql intersection.full" "run_sql intersection.half" \
		"run_sql union.full" "run_sql union.half"
	forget windows_full windows_half
	row "measure" "value" "limit"
	growth "intersection of the windows" intersection "$2"
	growth "union of the windows" union "$2"
}

# section_releases measures attacks over several releases.
section_releases()
{
	local t calls=()

	explain "releases: sdc_link_releases" <<TEXT
30 releases by rank swapping (p = 5) of one table of $2 x 10 skewed records, each drawn anew, and followed by
their key.  Each alone and all together are attacked by distance and by windows, and all values by what moves; to it
stand a linkage by distance, one by windows of a single release, and both.  All of them have the workers that are the
default; the session alone says what they are worth.  What is below limits joins the attacks by all together.
TEXT
	make_data history skewed "$2" 10
	for ((t = 1; t <= 30; t++)); do
		release history "$t" sdc_rankswap "p => 5"
	done
	STATEMENT[single.distance]="SELECT count(*) FROM sdc_link_distance('history_1')"
	STATEMENT[single.windows]="SELECT count(*) FROM sdc_link_rankswap('history_1')"
	STATEMENT[together]="SELECT string_agg(attack || ' ' || round(percent::numeric, 2), ', ') FROM sdc_link_releases(
		(SELECT array_agg(('history_' || t)::regclass ORDER BY t) FROM generate_series(1, 30) AS t)) WHERE release IS NULL"
	STATEMENT[limits]="SELECT * FROM sdc_private.composition(
		(SELECT array_agg(('history_' || t)::regclass ORDER BY t) FROM generate_series(1, 30) AS t), NULL, NULL, NULL)"
	STATEMENT[alone]=${STATEMENT[together]}
	SETTING[alone]="SET max_parallel_maintenance_workers = 0"
	calls=("run_sql single.distance" "run_sql single.windows" "run_sql together" "run_sql alone" "run_sql limits")
	rounds "${calls[@]}"
	row "measure" "value" "limit"
	timed "one release, by distance" single.distance
	timed "one release, by windows" single.windows
	timed "30 releases, all attacks" together
	timed "30 releases, all attacks, the session alone" alone
	timed "30 releases, what is below limits" limits
	ratio "all attacks, time to one by distance" "$(time_of together)" "$(time_of single.distance)" "$LIMIT_RELEASES"
	ratio "all attacks, time to one by windows" "$(time_of together)" "$(time_of single.windows)" "$LIMIT_RELEASES"
	row "all attacks, time to both on one release" "$(awk -v t="$(time_of together)" -v a="$(time_of single.distance)" \
		-v b="$(time_of single.windows)" 'BEGIN { printf "%.2f", t / (a + b) }')"
	ratio "all attacks, time to that of the session alone" "$(time_of together)" "$(time_of alone)" 1
	row "percent found: ${RESULT[together]}" ""
	forget history
}

# section_agreement measures probabilistic linkage.
section_agreement()
{
	local half=$(($2 / 2)) size kind table

	explain "agreement: sdc_link_probabilistic" <<TEXT
$2 x 10 records, p = 5, all 10 attributes known: uniform data, where hardly any two records agree
anywhere, and attributes with 2, 3, 5, ... 100 different values, where a value is shared by
up to half of the records and all pairs agree somewhere.
TEXT
	for size in full half; do
		for kind in uniform tied; do
			note "$kind, $size"
			table=${kind}_$size
			make_data "$table" "$kind" "$([[ $size = full ]] && echo "$2" || echo "$half")" 10
			release "$table" p5 sdc_rankswap "p => 5"
			STATEMENT[agree.$kind.$size]="SELECT count(*) FILTER (WHERE correct), sum(weight)
				FROM sdc_link_probabilistic('${table}_p5')"
		done
	done
	note "attacks"
	for kind in uniform tied; do
		rounds "run_sql agree.$kind.full" "run_sql agree.$kind.half"
		forget "${kind}_full" "${kind}_half"
	done
	row "measure" "value" "limit"
	growth "continuous data" agree.uniform "$2"
	growth "heavily tied data" agree.tied "$2"
}

# section_scores measures the view of scores with releases of the usual size.
section_scores()
{
	local name method what="made here"

	if have_data; then
		what="the reference data"
	fi
	explain "scores: SELECT * FROM sdc_scores WHERE release = ..." <<TEXT
Everything that the view says of one release: all attacks with every number of known
attributes, interval disclosure and information loss.  1080 x 13 (Census) and
4092 x 10 (EIA), p = 5: $what.
TEXT
	if have_data; then
		load_csv "$SDC_DATA/census.csv" census
		load_csv "$SDC_DATA/eia.csv" eia
	else
		make_data census whole 1080 13
		make_data eia whole 4092 10
	fi
	for name in census eia; do
		for method in rankswap rankswap_distribution rankswap_buckets; do
			release "$name" "$method" "sdc_$method" "$([[ $method = rankswap_buckets ]] && echo 'buckets => 20' || echo 'p => 5')"
			STATEMENT[$name.$method]="SELECT score FROM sdc_scores WHERE release = '${name}_$method'::regclass"
			rounds "run_sql $name.$method"
		done
	done
	row "measure" "value" "limit"
	for method in rankswap rankswap_distribution rankswap_buckets; do
		limited_time "1080 x 13, sdc_$method: sdc_scores" "census.$method" "$LIMIT_CENSUS"
		limited_time "4092 x 10, sdc_$method: sdc_scores" "eia.$method" "$LIMIT_EIA"
	done
	forget census eia
}

# run_cores KEY PROCESSES runs a statement with so many processes, as the kind KEY.PROCESSES.
run_cores()
{
	STATEMENT[$1.$2]=${STATEMENT[$1]}
	WORK_MEM[$1.$2]=${WORK_MEM[$1]}
	SETTING[$1.$2]="SET max_parallel_maintenance_workers = $(($2 - 1))"
	run_sql "$1.$2"
}

# less_time A B prints the milliseconds of one kind of run less those of another.
less_time() { awk -v a="$(time_of "$1")" -v b="$(time_of "$2")" 'BEGIN { print a - b }'; }

# section_cores measures evaluations by one and by two processes.
section_cores()
{
	local key

	explain "cores: $1 and $2 records x 10, one process and two" <<TEXT
Uniform data: a score of all records, p = 5, and linkage by distance of permuted ones.  The processes are the session and
a parallel worker; reading and coding both files is the session's, and of the linkage what takes as long for a single
record does not count.  What they say must be the same.
TEXT
	note "data"
	make_data cores uniform "$1" 10
	release cores p5 sdc_rankswap "p => 5"
	make_data few uniform "$2" 10
	permute few 10
	STATEMENT[score]="SELECT 1, md5(s::text) FROM sdc_score('cores_p5') AS s"
	STATEMENT[near]="SELECT count(*), sum(hashtextextended(d::text, 0)) FROM sdc_link_distance('few_permuted') AS d"
	WORK_MEM[score]=4096
	WORK_MEM[near]=1024
	STATEMENT[nothing]="SELECT count(*), 0 FROM sdc_link_distance('few_permuted', sample => 1)"
	WORK_MEM[nothing]=1024
	note "evaluations"
	rounds "run_cores score 1" "run_cores score 2" "run_cores near 1" "run_cores near 2" "run_cores nothing 1"
	row "measure" "value" "limit"
	timed "$1 x 10: sdc_score, one process" score.1
	timed "$1 x 10: sdc_score, two processes" score.2
	ratio "two processes to one" "$(time_of score.2)" "$(time_of score.1)" "$LIMIT_CORES"
	timed "$2 x 10: sdc_link_distance, one process" near.1
	timed "$2 x 10: sdc_link_distance, two processes" near.2
	timed "$2 x 10: sdc_link_distance, one record" nothing.1
	ratio "searching, two processes to one" "$(less_time near.2 nothing.1)" "$(less_time near.1 nothing.1)" "$LIMIT_CORES"
	for key in score near; do
		if [[ ${RESULT[$key.1]} != "${RESULT[$key.2]}" ]]; then
			row "$key: THE RESULTS DIFFER" "${RESULT[$key.1]}" "${RESULT[$key.2]} !"
			MISSED=$((MISSED + 1))
		fi
	done
	forget cores few
}

# section_kept measures the view of scores and the report where what they show is kept.
section_kept()
{
	explain "kept: SELECT * FROM sdc_scores, and sdc_report, of an evaluated release of $1 records" <<TEXT
Uniform data with 10 attributes, p = 5, evaluated by a sample of 100 records.  The view looks whether release and
source have changed: by their pages, or by their records, when the files are new ones.
TEXT
	note "data"
	make_data kept uniform "$1" 10
	release kept p5 sdc_rankswap "p => 5"
	make_data measured tied "$(($1 / 10))" 10
	release measured p5 sdc_rankswap "p => 5, columns => '{c1,c2,c3,c4,c5,c6,c7,c8}', keep => '{c9,c10}'"
	STATEMENT[evaluate]="SELECT people_found FROM sdc_evaluate('kept_p5', sample => 100, seed => 'bench')"
	STATEMENT[all]="SELECT people_found FROM sdc_evaluate('measured_p5', sample => 100, seed => 'bench', force => true)"
	STATEMENT[score]="SELECT il FROM sdc_score('measured_p5', sample => 100, seed => 'bench')"
	STATEMENT[people]="SELECT count(*) FROM sdc_people_found('measured_p5', sample => 100, seed => 'bench')"
	STATEMENT[queries]="SELECT count(*) FROM sdc_query_errors('measured_p5')"
	STATEMENT[associations]="SELECT count(*) FROM sdc_association_recall('measured_p5')"
	STATEMENT[pages]="SELECT il FROM sdc_scores WHERE release = 'kept_p5'::regclass AND evaluated_at IS NOT NULL AND problem IS NULL"
	STATEMENT[records]=${STATEMENT[pages]}
	run_sql evaluate
	rounds "run_sql all" "run_sql score" "run_sql people" "run_sql queries" "run_sql associations"
	STATEMENT[page]="SELECT length(sdc_report('kept_p5'))"
	rounds "run_sql pages" "run_sql page"
	sql -c "VACUUM FULL kept" -c "VACUUM FULL kept_p5"
	rounds "run_sql records"
	row "measure" "value" "limit"
	timed "$1 x 10: sdc_evaluate, sample of 100" evaluate
	ratio "$(($1 / 10)) x 10, tied: sdc_evaluate, to four of its parts" "$(time_of all)" \
		"$(least_sum score people queries associations)" "$LIMIT_EVALUATE"
	limited_time "$1 x 10: sdc_scores, by pages" pages "$LIMIT_KEPT"
	timed "$1 x 10: sdc_scores, by records" records
	limited_time "$1 x 10: sdc_report, by pages" page "$LIMIT_KEPT_REPORT"
	forget kept measured
}

# least_sum KEY... prints the sum of the least milliseconds of kinds of runs.
least_sum()
{
	local key

	for key in "$@"; do
		time_of "$key"
	done | awk '{ sum += $1 } END { print sum }'
}

# section_sweep measures a sweep beside releases that are made and scored one by one, and a report on one of them.
section_sweep()
{
	local p values="" what="made here" calls=("run_sql sweep") keys=()

	if have_data; then
		what="the reference data"
		load_csv "$SDC_DATA/census.csv" census
	else
		make_data census whole 1080 13
	fi
	explain "sweep: sdc_sweep of 1080 x 13 (Census)" <<TEXT
Rank swapping with ten values of p: $what.  To ten releases, each written to a table of its own and scored by
sdc_score, which says the same; their times are added, and what they drop first is not counted.
TEXT
	for p in 2 4 6 8 10 12 14 16 18 20; do
		values+="${values:+,}$p"
		SETTING[make.$p]="DROP TABLE IF EXISTS census_$p"
		STATEMENT[make.$p]="SELECT count(*) FROM sdc_rankswap('census', $p, target => 'census_$p', seed => 'bench')"
		STATEMENT[score.$p]="SELECT people_found FROM sdc_score('census_$p')"
		calls+=("run_sql make.$p" "run_sql score.$p")
		keys+=("make.$p" "score.$p")
	done
	STATEMENT[sweep]="SELECT count(*) FROM sdc_sweep('census', 'rankswap', '{$values}', seed => 'bench')"
	STATEMENT[report]="SELECT length(sdc_report('census_20'))"
	calls+=("run_sql report")
	rounds "${calls[@]}"
	row "measure" "value" "limit"
	limited_time "ten values" sweep "$LIMIT_SWEEP"
	row "ten releases, made and scored" "$(in_seconds "$(least_sum "${keys[@]}")")"
	limited "to them" "$(awk -v a="$(time_of sweep)" -v b="$(least_sum "${keys[@]}")" 'BEGIN { printf "%.2f", a / b }')" "<=" \
		"$LIMIT_SWEEP_RATIO"
	limited_time "a report, with the map of ten releases" report "$LIMIT_REPORT"
	forget census
}

# server_sums prints the aggregates of means and covariances for a prefix of names.
server_sums()
{
	local i j

	for ((i = 1; i <= 10; i++)); do
		printf ', avg(%s%d)' "$1" "$i"
		for ((j = i; j <= 10; j++)); do
			printf ', covar_samp(%s%d, %s%d)' "$1" "$i" "$1" "$j"
		done
	done
}

# section_loss measures the information loss.
section_loss()
{
	local j key

	explain "loss: sdc_information_loss of $1 records" <<TEXT
Uniform data with 10 attributes, p = 5.  The function reads and pairs source and release, and estimates
quantiles too; the aggregate gets both records side by side from a stored table.  To the
aggregate stand the server's own avg and covar_samp over the same table: they give the
means, variances and covariances of both files (IL2 to IL5), and nothing else.  A
parallel plan has the two workers that are the default.
TEXT
	note "data"
	make_data loss uniform "$1" 10
	release loss p5 sdc_rankswap "p => 5"
	sql -c "CREATE TABLE pairs AS SELECT $(for ((j = 1; j <= 10; j++)); do
		printf 'o.c%d AS o%d, r.c%d AS r%d%s' "$j" "$j" "$j" "$j" "$([[ $j -eq 10 ]] || echo ', ')"
	done) FROM loss AS o JOIN loss_p5 AS r USING (id)" -c "VACUUM ANALYZE pairs"
	STATEMENT[loss]="SELECT 1, il FROM sdc_information_loss('loss_p5')"
	STATEMENT[serial]="SELECT 1, (sdc_information_loss(ARRAY[$(names o 10)], ARRAY[$(names r 10)])).il FROM pairs"
	STATEMENT[parallel]=${STATEMENT[serial]}
	STATEMENT[sums]="SELECT count(*)$(server_sums o)$(server_sums r) FROM pairs"
	SETTING[serial]="SET max_parallel_workers_per_gather = 0"
	SETTING[sums]=${SETTING[serial]}
	note "function and aggregate"
	rounds "run_sql loss" "run_sql serial" "run_sql parallel" "run_sql sums"
	row "measure" "value" "limit"
	timed "$1 x 10: sdc_information_loss(release)" loss
	timed "$1 x 10: aggregate, serial" serial
	timed "$1 x 10: aggregate, parallel" parallel
	timed "$1 x 10: avg and covar_samp of the server, serial" sums
	ratio "aggregate, time to the server's own" "$(time_of serial)" "$(time_of sums)" "$LIMIT_SUMS"
	for key in serial parallel; do
		if ! same_links loss "$key"; then
			row "information loss: THE RESULTS DIFFER" "${RESULT[loss]#*|}" "${RESULT[$key]#*|} !"
			MISSED=$((MISSED + 1))
		fi
	done
	ratio "aggregate, parallel to serial" "$(time_of parallel)" "$(time_of serial)" "$LIMIT_PARALLEL"
	forget loss pairs
}

# bench_linkage ROWS SECTION... is this part of the benchmark.
bench_linkage()
{
	local rows=$1 section

	shift
	for section in "$@"; do
		"section_$section" "$rows" $((rows / 10))
		rm -f "$SDC_TMP"/times.*
	done
}

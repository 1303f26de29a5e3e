# shellcheck shell=bash disable=SC2034
#-------------------------------------------------------------------------
#
# bench_people.sh
#		What it costs to find people, and to learn their values, by all that leaves.
#
# Times are those of the processor.  Functions and data are those of bench_linkage.sh and bench_anonymization.sh; these sections are part of
# the latter.
#
#-------------------------------------------------------------------------

# Limits.
LIMIT_PEOPLE=2				# people found, times the window attack on the same release
LIMIT_ADULT=2				# seconds for people found in Adult, nine columns known
LIMIT_VALUES=100			# a look at all pairs in SQL takes so many times as long as values learned
LIMIT_SLIDE=25				# ten times the records; n log n gives 12, n^2 gives 100

# What runs, as in bench_linkage.sh, whose functions run it.
declare -A STATEMENT SETTING

#
# run_cpu KEY is run_sql, but for the time: that of the processor, which others at work on the same machine
# hardly change.
#
run_cpu()
{
	local time

	SETTING[$1]="SET log_statement_stats = on; SET client_min_messages = log"
	run_sql "$1"
	# in the place of the time that run_sql noted: "! 1.5 s user, 0.1 s system, 1.7 s elapsed"
	time=$(awk '/ s elapsed$/ { t = 1000 * ($2 + $5) } END { print t }' "$SDC_TMP/errors")
	sed -i '$d' "$SDC_TMP/times.$1"
	echo "$time" >>"$SDC_TMP/times.$1"
}

# release_people makes releases of Adult of every kind: people_KIND.
release_people()
{
	local kind
	local -A call=(
		[aged]="sdc_rankswap('adult', p => 20, columns => '{age}'"
		[swapped]="sdc_rankswap('adult', p => 20, columns => '{$QI}'"
		[noise]="sdc_rankswap('adult', p => 50, columns => '{$QI}'"
		[copied]="sdc_rankswap('adult', p => 20, columns => '{occupation}'"
		[one]="sdc_randomize('adult', '{$QI}'"
		[uniform]="sdc_randomize('adult', '{$QI}', probabilities => '{.11,.11,.11,.11,.11,.11,.11,.11,.12}'"
		[single]="sdc_randomize('adult', '{$QI}', draws => 1"
		[five]="sdc_randomize('adult', '{$QI}', draws => 5"
		[all]="sdc_randomize('adult', '{$QI}', draws => 9"
		[depth]="sdc_equidepth_swap('adult', depth => 20, columns => '{age}'"
		[anatomy]="sdc_permute('adult', '{$QI}', '{occupation}', l => 5"
		[within]="sdc_permute('adult', '{$QI}', '{occupation}', l => 5, grouping_method => 'mondrian'")

	for kind in "${!call[@]}"; do
		sql -c "SET client_min_messages = error" -c "SELECT count(*) FROM ${call[$kind]}, target => 'people_$kind', seed => 'bench')" >/dev/null
	done
	sql -c "SELECT count(*) FROM sdc_generalize('adult', '{$QI}', '{occupation}', l => 5, target => 'people_ranges')" >/dev/null
	sql -c "SET client_min_messages = error" -c "SELECT count(*) FROM sdc_protect('adult', '[
			{\"method\": \"rankswap\", \"columns\": [\"age\"], \"p\": 20},
			{\"method\": \"randomize\", \"qi\": [\"education\", \"race\", \"sex\"]},
			{\"method\": \"permute\", \"qi\": [\"relationship\", \"native_country\"], \"sensitive\": [\"occupation\"], \"l\": 3}]',
		target => 'people_mixed', seed => 'bench')" >/dev/null
}

# forget_people drops them, with their views.
forget_people()
{
	sql -c "SET client_min_messages = warning" -c "DROP TABLE $(sql -c "SELECT string_agg(release::text, ', ') FROM sdc_releases
		WHERE release::text LIKE 'people\\_%'") CASCADE"
}

# section_people measures how many people are found.
section_people()
{
	local kind e
	local -A label=([aged]="age swapped, p = 20, the others copied" [swapped]="all swapped, p = 20" [noise]="all swapped, p = 50"
		[copied]="all copied" [one]="RA 1, optimal" [uniform]="RA 1, uniform" [single]="RA 2, k = 1" [five]="RA 2, k = 5"
		[all]="RA 2, k = 9" [depth]="age in bins of equal depth" [anatomy]="Anatomy, l = 5" [within]="permuted in Mondrian's groups"
		[ranges]="Mondrian, l = 5" [mixed]="swapped, randomized, permuted and copied columns")
	local order=(aged swapped noise copied one uniform single five all ranges depth anatomy within mixed)

	explain "people: sdc_people_found" <<TEXT
100,000 x 10 uniform records, swapped with p = 5, all known, to sdc_link_rankswap of the same release, which is the
attack by windows alone; people found are those of that attack, of distance and of agreement.
Then Adult, nine columns known, every kind of release, and when everybody else is known, too.
TEXT
	note "data"
	make_data persons uniform 100000 10
	release persons p5 sdc_rankswap "p => 5"
	release_people
	STATEMENT[people]="SELECT count(*), sum(found) FROM sdc_people_found('persons_p5')"
	STATEMENT[windows]="SELECT count(*), sum(candidates) FROM sdc_link_rankswap('persons_p5')"
	note "attacks"
	rounds "run_cpu people" "run_cpu windows"
	row "measure" "value" "limit"
	timed "100000 x 10: sdc_link_rankswap" windows
	timed "100000 x 10: sdc_people_found" people
	ratio "  people found to the window attack" "$(time_of people)" "$(time_of windows)" "$LIMIT_PEOPLE"
	for kind in "${order[@]}"; do
		for e in false true; do
			STATEMENT[$kind.$e]="SELECT percent FROM sdc_people_found('people_$kind', known => '{$QI}', everybody => $e) WHERE attack = 'any'"
			rounds "run_cpu $kind.$e"
			limited_time "Adult, ${label[$kind]}$([[ $e = false ]] || echo ", everybody known")" "$kind.$e" "$LIMIT_ADULT"
		done
	done
	forget persons
	forget_people
}

# section_values measures what is learned about values.
section_values()
{
	local key

	explain "values: sdc_attribute_risk" <<TEXT
Uniform columns swapped with p = 50, so that windows have half of the records or more, and a third
column wanted whose values are all different.  With one known column the time must grow with the
records, not faster.  With two, 100,000 records, to a walk over all pairs: SQL counts the released records in both windows
for 100 of the records, and is multiplied by a thousand.
TEXT
	note "data"
	for key in 20000 100000 200000; do
		make_data "values_$key" uniform "$key" 3
		release "values_$key" p50 sdc_rankswap "p => 50"
		STATEMENT[one.$key]="SELECT cap FROM sdc_attribute_risk('values_${key}_p50', known => '{c1}', sensitive => '{c3}')"
	done
	STATEMENT[two]="SELECT cap FROM sdc_attribute_risk('values_100000_p50', known => '{c1,c2}', sensitive => '{c3}')"
	STATEMENT[pairs]="SELECT sum(n) FROM (SELECT * FROM values_100000 ORDER BY hashint8extended(id, 800), id LIMIT 100) AS o
		CROSS JOIN LATERAL (SELECT count(*) AS n FROM values_100000_p50 AS r
			WHERE r.c1 BETWEEN o.c1 - 0.5 AND o.c1 + 0.5 AND r.c2 BETWEEN o.c2 - 0.5 AND o.c2 + 0.5) AS m"
	note "values"
	rounds "run_cpu one.20000" "run_cpu one.100000" "run_cpu one.200000" "run_cpu two" "run_cpu pairs"
	row "measure" "value" "limit"
	timed "one column known, 20000 records" one.20000
	timed "one column known, 100000 records" one.100000
	timed "one column known, 200000 records" one.200000
	ratio "  growth from 20000 on" "$(time_of one.200000)" "$(time_of one.20000)" "$LIMIT_SLIDE"
	timed "two columns known, 100000 records" two
	row "two columns known, all pairs in SQL" "$(in_seconds "$(awk -v t="$(time_of pairs)" 'BEGIN { print 1000 * t }')")"
	ratio_least "  all pairs take so many times as long" "$(awk -v t="$(time_of pairs)" 'BEGIN { print 1000 * t }')" \
		"$(time_of two)" "$LIMIT_VALUES"
	forget values_20000 values_100000 values_200000
}

# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# bench_units.sh
#		Units with several records, against the same by records.
#
#-------------------------------------------------------------------------

# make_stays TABLE ROWS makes a table of about three records for each unit: three columns of units, three of records.
make_stays()
{
	store "$1" "SELECT i AS id, (i * 0.3)::int AS unit, hashint4((i * 0.3)::int) & 1023 AS u1, hashint4(7 * (i * 0.3)::int) & 65535 AS u2,
			hashint4((i * 0.3)::int + 1) & 7 AS u3, 1e6 * $(uniform 1) AS r1, (1e6 * $(uniform 2))::int AS r2, (1e3 * $(uniform 3))::int AS r3
		FROM generate_series(1, $2) AS i"
}

# units_time STATEMENT BEFORE prints the milliseconds that a statement takes, after another one.
units_time()
{
	sql -c "SET client_min_messages = error" -c "$2" -c '\timing on' -c "$1" | sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p' | tail -n 1
}

# bench_units ROWS is this part of the benchmark.
bench_units()
{
	local rows=$1 tenth=$(($1 / 10)) round kind
	local gone="DROP TABLE IF EXISTS made"
	local -A statement=(
		[copy]="CREATE TABLE made AS SELECT * FROM stays"
		[rows]="SELECT count(*) FROM sdc_rankswap('stays', p => 5, columns => '{u1,u2,u3,r1,r2,r3}', keep => '{unit}', target => 'made')"
		[units]="SELECT count(*) FROM sdc_rankswap('stays', p => 5, columns => '{u1,u2,u3,r1,r2,r3}', unit => '{unit}', target => 'made')"
		[moved]="SELECT count(*) FROM sdc_record_swap('stays', areas => '{u3,u1}', risk => '{u2}', k => 2, rate => 5, key => '{id}', unit => '{unit}', target => 'made')"
		[k]="SELECT count(*) FROM sdc_kanonymity('stays', '{u1,u3}', unit => '{unit}')"
		[sql]="SELECT min(n) FROM (SELECT count(DISTINCT unit) AS n FROM stays GROUP BY u1, u3) AS g"
		[found_rows]="SELECT count(*) FROM sdc_people_found('small_rows')"
		[found_units]="SELECT count(*) FROM sdc_people_found('small_units')")

	note "tables of $rows and of $tenth records"
	make_stays stays "$rows"
	make_stays small "$tenth"
	sql -c "SET client_min_messages = error" \
		-c "SELECT FROM sdc_rankswap('small', p => 5, columns => '{u1,u2,u3,r1,r2,r3}', omit => '{unit}', target => 'small_rows')" \
		-c "SELECT FROM sdc_rankswap('small', p => 5, columns => '{u1,u2,u3,r1,r2,r3}', unit => '{unit}', target => 'small_units')" >/dev/null
	for ((round = 1; round <= ROUNDS; round++)); do
		note "round $round of $ROUNDS"
		for kind in copy rows units moved k sql found_rows found_units; do
			units_time "${statement[$kind]}" "$gone" >>"$SDC_TMP/units.$kind"
		done
	done
	printf '\n'
	row "measure" "value" "limit"
	for kind in copy rows units moved k sql found_rows found_units; do
		row "$kind" "$(in_seconds "$(middle "$SDC_TMP/units.$kind")")"
	done
	ratio "rank swapping $rows x 6: units to records" "$(middle "$SDC_TMP/units.units")" "$(middle "$SDC_TMP/units.rows")" 1.3
	ratio "people found $tenth x 6: units to records" "$(middle "$SDC_TMP/units.found_units")" "$(middle "$SDC_TMP/units.found_rows")" 4
	ratio "k: units to count(DISTINCT)" "$(middle "$SDC_TMP/units.k")" "$(middle "$SDC_TMP/units.sql")" 1.5
	ratio "record swapping to CREATE TABLE AS" "$(middle "$SDC_TMP/units.moved")" "$(middle "$SDC_TMP/units.copy")" 3
	sql -c "$gone" -c "DROP TABLE stays, small, small_rows, small_units"
}

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

# make_two makes of the stays two tables, of the units and of what is told of each of their records, and joins them.
make_two()
{
	sql -c "CREATE TABLE patient AS SELECT DISTINCT unit, u1, u2, u3 FROM stays" -c "ALTER TABLE patient ADD PRIMARY KEY (unit)" \
		-c "CREATE TABLE stay AS SELECT id, unit, r1, r2, r3 FROM stays" -c "ALTER TABLE stay ADD PRIMARY KEY (id)" \
		-c "VACUUM ANALYZE patient" -c "VACUUM ANALYZE stay" \
		-c "CREATE VIEW joined AS SELECT unit, id, u1, u2, u3, r1, r2, r3 FROM patient LEFT JOIN stay USING (unit)"
}

# units_time STATEMENT BEFORE prints the milliseconds that a statement takes, after another one.
units_time()
{
	sql -c "SET client_min_messages = error" -c "$2" -c '\timing on' -c "$1" | sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p' | tail -n 1
}

# sum_of NUMBER... prints the sum of some numbers.
sum_of() { printf '%s\n' "$@" | awk '{ sum += $1 } END { print sum }'; }

# bench_units ROWS is this part of the benchmark.
bench_units()
{
	local rows=$1 tenth=$(($1 / 10)) round kind
	local kinds="copy rows units moved k sql patients stays join two publish found_rows found_units"
	local gone="DROP TABLE IF EXISTS made, public_patient, public_stay"
	local -A statement=(
		[copy]="CREATE TABLE made AS SELECT * FROM stays"
		[rows]="SELECT count(*) FROM sdc_rankswap('stays', p => 5, columns => '{u1,u2,u3,r1,r2,r3}', keep => '{unit}', target => 'made')"
		[units]="SELECT count(*) FROM sdc_rankswap('stays', p => 5, columns => '{u1,u2,u3,r1,r2,r3}', unit => '{unit}', target => 'made')"
		[moved]="SELECT count(*) FROM sdc_record_swap('stays', areas => '{u3,u1}', risk => '{u2}', k => 2, rate => 5, key => '{id}', unit => '{unit}', target => 'made')"
		[k]="SELECT count(*) FROM sdc_kanonymity('stays', '{u1,u3}', unit => '{unit}')"
		[sql]="SELECT min(n) FROM (SELECT count(DISTINCT unit) AS n FROM stays GROUP BY u1, u3) AS g"
		[patients]="CREATE TABLE made AS SELECT * FROM patient"
		[stays]="CREATE TABLE made AS SELECT * FROM stay"
		[join]="CREATE TABLE made AS SELECT * FROM joined"
		[two]="SELECT count(*) FROM sdc_rankswap('joined', p => 5, columns => '{u1,u2,u3,r1,r2,r3}', key => '{unit,id}', unit => '{unit}', target => 'made')"
		[publish]="SELECT count(*) FROM sdc_publish('two_units', 'public_stay', units_as => 'public_patient', force => true)"
		[found_rows]="SELECT count(*) FROM sdc_people_found('small_rows')"
		[found_units]="SELECT count(*) FROM sdc_people_found('small_units')")

	note "tables of $rows and of $tenth records"
	make_stays stays "$rows"
	make_stays small "$tenth"
	make_two
	sql -c "SET client_min_messages = error" \
		-c "SELECT FROM sdc_rankswap('small', p => 5, columns => '{u1,u2,u3,r1,r2,r3}', omit => '{unit}', target => 'small_rows')" \
		-c "SELECT FROM sdc_rankswap('small', p => 5, columns => '{u1,u2,u3,r1,r2,r3}', unit => '{unit}', target => 'small_units')" \
		-c "SELECT FROM sdc_rankswap('joined', p => 5, columns => '{u1,u2,u3,r1,r2,r3}', key => '{unit,id}', unit => '{unit}', target => 'two_units')" >/dev/null
	for ((round = 1; round <= ROUNDS; round++)); do
		note "round $round of $ROUNDS"
		for kind in $kinds; do
			units_time "${statement[$kind]}" "$gone" >>"$SDC_TMP/units.$kind"
		done
	done
	printf '\n'
	row "measure" "value" "limit"
	for kind in $kinds; do
		row "$kind" "$(in_seconds "$(middle "$SDC_TMP/units.$kind")")"
	done
	ratio "rank swapping $rows x 6: units to records" "$(middle "$SDC_TMP/units.units")" "$(middle "$SDC_TMP/units.rows")" 1.3
	ratio "people found $tenth x 6: units to records" "$(middle "$SDC_TMP/units.found_units")" "$(middle "$SDC_TMP/units.found_rows")" 4
	ratio "k: units to count(DISTINCT)" "$(middle "$SDC_TMP/units.k")" "$(middle "$SDC_TMP/units.sql")" 1.5
	ratio "record swapping to CREATE TABLE AS" "$(middle "$SDC_TMP/units.moved")" "$(middle "$SDC_TMP/units.copy")" 3
	# what is written is a release of the join, and the two tables that are published
	ratio "protecting and publishing two tables to CREATE TABLE AS of all" \
		"$(sum_of "$(middle "$SDC_TMP/units.two")" "$(middle "$SDC_TMP/units.publish")")" \
		"$(sum_of "$(middle "$SDC_TMP/units.patients")" "$(middle "$SDC_TMP/units.stays")" "$(middle "$SDC_TMP/units.join")")" 2.5
	sql -c "SET client_min_messages = error" -c "$gone" -c "DROP VIEW joined" -c "DROP TABLE patient, stay, two_units, stays, small, small_rows, small_units"
}

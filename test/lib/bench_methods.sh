# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# bench_methods.sh
#		The methods that other tools are known for: microaggregation, local suppression, levels for everybody, recoding,
#		noise and PRAM, and an attack on noise.
#
# Adult is the reference data or, without them, a table of the same form, with the levels that its columns usually get:
# those of the Adult of ARX.  One run each; noise, PRAM and recoding alternate with CREATE TABLE AS.
#
#-------------------------------------------------------------------------

LIMIT_AVERAGES=10			# seconds: microaggregation of 100,000 x 5
LIMIT_SUPPRESS=5			# seconds: nine columns of Adult
LIMIT_LATTICE=10			# seconds: eight columns of Adult
LIMIT_MADE=2.3				# times CREATE TABLE AS: recoding, noise, PRAM

# make_levels makes a table with the usual labels of every column of Adult that has some.
make_levels()
{
	sql <<'SQL'
CREATE TABLE education_levels AS SELECT value, level_1, CASE WHEN level_1 IN ('Primary', 'Secondary') THEN 'School' ELSE 'Higher' END AS level_2
	FROM (SELECT DISTINCT education AS value, CASE WHEN education IN ('Preschool', '1st-4th', '5th-6th', '7th-8th') THEN 'Primary' WHEN education IN ('9th', '10th', '11th', '12th', 'HS-grad') THEN 'Secondary'
		WHEN education IN ('Bachelors', 'Some-college') THEN 'Undergraduate' WHEN education IN ('Masters', 'Doctorate') THEN 'Graduate' ELSE 'Professional' END AS level_1 FROM adult) AS e;
CREATE TABLE marital_status_levels AS SELECT DISTINCT marital_status AS value, CASE WHEN marital_status IN ('Married-civ-spouse', 'Married-AF-spouse') THEN 'present' ELSE 'not present' END AS level_1 FROM adult;
CREATE TABLE workclass_levels AS SELECT DISTINCT workclass AS value, CASE WHEN workclass LIKE '%-gov' THEN 'Government' WHEN workclass IN ('Without-pay', 'Never-worked') THEN 'None' ELSE 'Private' END AS level_1 FROM adult;
CREATE TABLE occupation_levels AS SELECT DISTINCT occupation AS value, CASE WHEN occupation IN ('Tech-support', 'Craft-repair', 'Prof-specialty', 'Machine-op-inspct') THEN 'Technical' WHEN occupation IN ('Sales', 'Exec-managerial', 'Handlers-cleaners', 'Adm-clerical') THEN 'Other trades' ELSE 'Services' END AS level_1 FROM adult;
CREATE TABLE native_country_levels AS SELECT DISTINCT native_country AS value, CASE WHEN native_country IN ('United-States', 'Canada', 'Mexico', 'Outlying-US(Guam-USVI-etc)', 'Puerto-Rico') THEN 'North America'
	WHEN native_country IN ('Cuba', 'Jamaica', 'Honduras', 'Columbia', 'Ecuador', 'Haiti', 'Dominican-Republic', 'El-Salvador', 'Guatemala', 'Peru', 'Trinadad&Tobago', 'Nicaragua') THEN 'Latin America'
	WHEN native_country IN ('India', 'Iran', 'Philippines', 'Cambodia', 'Thailand', 'Laos', 'Taiwan', 'China', 'Japan', 'Vietnam', 'Hong') THEN 'Asia' ELSE 'Europe' END AS level_1 FROM adult;
SQL
}

# one_run MEASURE STATEMENT LIMIT prints the seconds of a statement.
one_run()
{
	note "$1"
	limited "$1" "$(awk -v t="$(protect_time "$2")" 'BEGIN { printf "%.2f", t / 1000 }')" "<=" "$3" " s"
}

# bench_adult is what is done with Adult.
bench_adult()
{
	local column levels='"age": {"width": [5, 10, 20]}'

	if have_data; then
		load_csv "$SDC_DATA/adult.csv" adult
	else
		make_adult
	fi
	make_levels
	for column in education marital_status workclass occupation native_country; do
		levels+=", \"$column\": {\"table\": \"${column}_levels\"}"
	done
	one_run "Adult: suppression, 9 columns, k = 5" "SELECT count(*) FROM sdc_suppress('adult', '{age,workclass,education,marital_status,relationship,race,sex,native_country,salary}', 5, target => 'made')" "$LIMIT_SUPPRESS"
	one_run "Adult: best levels of 8 columns, k = 5, 2 percent" "SELECT count(*) FROM sdc_generalize('adult', '{age,workclass,education,marital_status,occupation,race,sex,native_country}', k => 5, scheme => 'lattice',
		suppress_percent => 2, hierarchies => '{$levels}', target => 'made')" "$LIMIT_LATTICE"
	sql -c "DROP TABLE IF EXISTS made" -c "DROP TABLE adult, education_levels, marital_status_levels, workclass_levels, occupation_levels, native_country_levels"
}

# bench_numbers is what is done with 100,000 records of five numbers.  Multiplicative noise keeps 0, which every fiftieth of n2 and of n4 is.
bench_numbers()
{
	store numbers "SELECT i AS id, $(uniform 1) AS n1, ($(uniform 3) > 0.02)::int * exp(3 * $(uniform 2)) AS n2, $(uniform 3) + $(uniform 1) AS n3, ($(uniform 1) > 0.02)::int * (1 + (1e6 * $(uniform 4))::int) AS n4, round((1 + 1e3 * $(uniform 5) ^ 3)::numeric, 2) AS n5
		FROM generate_series(1, 100000) AS i"
	one_run "100,000 x 5: microaggregation, k = 5" "SELECT count(*) FROM sdc_microaggregate('numbers', 5, target => 'made')" "$LIMIT_AVERAGES"
	sql -c "SET client_min_messages = error" -c "DROP TABLE IF EXISTS made" -c "SELECT count(*) FROM sdc_noise('numbers', 0.1, 'multiplicative', bounds => '{\"n1\": [0, 2]}', target => 'noisy', seed => 1)" >"$SDC_TMP/noisy"
	note "people found"
	row "100,000 x 5: people found, multiplicative noise" "$(in_seconds "$(protect_time "SELECT count(*) FROM sdc_people_found('noisy')")")"
	sql -c "DROP TABLE IF EXISTS made" -c "DROP TABLE noisy, numbers"
}

# bench_made ROWS is what is done beside CREATE TABLE AS.
bench_made()
{
	local rows=$1 round kind
	local -A statement=(
		[copy]="CREATE TABLE made AS SELECT * FROM several"
		[recode]="SELECT count(*) FROM sdc_recode('several', '{\"n1\": {\"width\": 0.1, \"as\": \"lower\"}, \"n2\": {\"top_percent\": 5, \"replace\": \"mean\"}, \"c1\": {\"prefix\": 6}}', keep => '{n3, n4, n5, n6, c2, c3, c4}', target => 'made')"
		[noise]="SELECT count(*) FROM sdc_noise('several', 0.1, columns => '{n1, n2, n3}', keep => '{n4, n5, n6, c1, c2, c3, c4}', target => 'made')"
		[pram]="SELECT count(*) FROM sdc_pram('several', '{c1, c2, c3}', 0.8, keep => '{n1, n2, n3, n4, n5, n6, c4}', target => 'made')")

	note "a table of $rows records"
	make_several several "$rows"
	for ((round = 1; round <= ROUNDS; round++)); do
		note "round $round of $ROUNDS"
		for kind in copy recode noise pram; do
			protect_time "${statement[$kind]}" >>"$SDC_TMP/methods.$kind"
		done
	done
	row "$rows x 10: CREATE TABLE AS" "$(in_seconds "$(middle "$SDC_TMP/methods.copy")")"
	for kind in recode noise pram; do
		ratio "time to CREATE TABLE AS: $kind, 3 columns" "$(middle "$SDC_TMP/methods.$kind")" "$(middle "$SDC_TMP/methods.copy")" "$LIMIT_MADE"
	done
	sql -c "DROP TABLE IF EXISTS made" -c "DROP TABLE several"
}

# bench_methods ROWS is this part of the benchmark.
bench_methods()
{
	printf '\n'
	row "methods of other tools" "value" "limit"
	bench_numbers
	bench_adult
	bench_made "$1"
}

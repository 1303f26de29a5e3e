# shellcheck shell=bash
#-------------------------------------------------------------------------
#
# bench_propose.sh
#		sdc_propose: its time, whether its limit is kept on ten fresh draws, and what it loses beside single methods.
#
# Of the reference data, or of nothing if they are not there, and of three tables that are made here.  The question
# whether a column is a quantity is answered: numbers are classified as quasi-identifiers.
#
#-------------------------------------------------------------------------

# At most so many percent of the people may be found, and the proposal may take so many seconds: of Census, of others.
PROPOSE_FOUND=10
LIMIT_PROPOSE_CENSUS=30
LIMIT_PROPOSE=600

# make_proposed makes the three tables: patients, a survey without numbers, and branches of firms.
make_proposed()
{
	store patients "SELECT i AS id, 18 + floor(75 * $(uniform 1) ^ 1.3)::int AS age, (ARRAY['f', 'm'])[1 + floor(2 * $(uniform 2))::int] AS sex,
		'ward ' || floor(12 * $(uniform 3) ^ 2)::int AS ward, 'icd ' || floor(60 * $(uniform 4) ^ 2)::int AS icd,
		date '2020-01-01' + floor(1000 * $(uniform 5))::int AS admitted, round(exp(4 + 5 * $(uniform 6) ^ 2)::numeric, 2) AS cost
		FROM generate_series(1::bigint, 3000) AS i"
	store survey "SELECT i AS id, 'region ' || floor(8 * $(uniform 1))::int AS region, 'edu ' || floor(5 * $(uniform 2) ^ 1.5)::int AS education,
		'job ' || floor(20 * $(uniform 3) ^ 2)::int AS job, 'party ' || floor(6 * $(uniform 4) ^ 1.5)::int AS party,
		(ARRAY['yes', 'no'])[1 + floor(2 * $(uniform 5) ^ 2)::int] AS internet FROM generate_series(1::bigint, 4000) AS i"
	store firms "SELECT i AS id, round((1000 * a)::numeric, 1) AS turnover, round((1000 * a * (0.4 + 0.2 * $(uniform 3)))::numeric, 1) AS costs,
		1 + floor(10 * a * $(uniform 4))::int AS staff, round((100 * a * $(uniform 5) - 20)::numeric, 2) AS profit,
		round((500 * a * $(uniform 6))::numeric, 1) AS assets, 'branch ' || floor(9 * $(uniform 7))::int AS branch
		FROM (SELECT i, exp(4 * $(uniform 1) ^ 3) AS a FROM generate_series(1::bigint, 2000) AS i) AS g"
}

#
# propose_functions makes what measures a proposal: the ten draws that it has not seen, and the loss of the best single method,
# on the same columns, of which ten fresh draws find no more people than those of the proposal: by their upper end, the largest
# or three standard deviations above the mean, as the limit holds for each draw.  The loss is the mean of the information loss of 30 draws, and of a table without numbers that of
# the errors of random counts; a difference below twice its own error is none.
#
propose_functions()
{
	sql <<'SQL'
CREATE FUNCTION lost(source regclass, steps jsonb, omitted name[], OUT loss float8, OUT error float8) LANGUAGE sql AS $$
	SELECT coalesce(avg(t.il), avg(t.count_error)), coalesce(stddev_samp(t.il), stddev_samp(t.count_error)) / sqrt(count(*))
	FROM sdc_private.trials(source, jsonb_build_array(steps), ARRAY(SELECT 'fresh ' || d FROM generate_series(1, 30) AS d), '{id}', omitted, NULL, NULL, 100, NULL, NULL, NULL, NULL, NULL) AS t
$$;
CREATE FUNCTION upper_end(source regclass, steps jsonb, omitted name[]) RETURNS float8 LANGUAGE sql AS $$
	SELECT greatest(max(t.people_found), avg(t.people_found) + 3 * stddev_samp(t.people_found)) FROM sdc_private.trials(source, jsonb_build_array(steps), ARRAY(SELECT 'fresh ' || d FROM generate_series(1, 10) AS d), '{id}', omitted, NULL, NULL,
		CASE WHEN current_setting('bench.sampled')::boolean THEN 2000 END, NULL, NULL, NULL, NULL, NULL) AS t
$$;
CREATE FUNCTION fresh(source regclass, OUT above int, OUT largest float8, OUT compared float8, OUT loss float8, OUT error float8) LANGUAGE plpgsql AS $$
DECLARE
	p record;
	f float8[];
BEGIN
	SELECT parameters -> 'steps' AS steps, ARRAY(SELECT attribute FROM proposal WHERE proposal.proposal = 'omit') AS omit INTO p FROM proposal WHERE attribute IS NULL;
	FOR draw IN 1 .. 10 LOOP
		PERFORM FROM sdc_protect(source, p.steps, 'public.fresh', omit => p.omit, seed => 'fresh ' || draw);
		f := f || (SELECT percent FROM sdc_people_found('fresh') WHERE attack = 'any');
		DROP TABLE fresh;
	END LOOP;
	SELECT count(*) FILTER (WHERE u > current_setting('bench.found')::float8), max(u) INTO above, largest FROM unnest(f) AS u;
	compared := upper_end(source, p.steps, p.omit);
	SELECT l.loss, l.error INTO loss, error FROM lost(source, p.steps, p.omit) AS l;
END $$;
-- the parameter of a method that is some strides stronger
CREATE FUNCTION stronger(parameter text, value float8, strides int) RETURNS numeric LANGUAGE sql AS $$
	SELECT CASE WHEN parameter = 'p' THEN least(round((value * 1.03 ^ strides)::numeric, 3), 100) WHEN parameter = 'amount' THEN round((value * 1.03 ^ strides)::numeric, 4)
		WHEN parameter = 'retain' THEN round((1 - (1 - value) * 1.03 ^ strides)::numeric, 4) WHEN parameter = 'buckets' THEN greatest(value - strides, 1)::numeric
		WHEN parameter = 'draws' THEN (value + strides)::numeric ELSE ceil(value * 1.03 ^ strides)::numeric END
$$;
CREATE FUNCTION singles(source regclass, most float8) RETURNS TABLE (method text, parameter numeric, loss float8, error float8) LANGUAGE plpgsql AS $$
DECLARE
	protected name[] := ARRAY(SELECT attribute FROM proposal WHERE parameters IS NOT NULL AND attribute IS NOT NULL ORDER BY n);
	kept name[] := ARRAY(SELECT attribute FROM proposal WHERE proposal = 'keep');
	omitted name[] := ARRAY(SELECT attribute FROM proposal WHERE proposal = 'omit');
	name record;
	first float8;
	steps jsonb;
BEGIN
	FOR name IN SELECT * FROM (VALUES ('rankswap', 'p'), ('rankswap_distribution', 'p'), ('rankswap_buckets', 'buckets'), ('microaggregate', 'k'), ('noise', 'amount'),
		('pram', 'retain'), ('randomize', 'draws'), ('suppress', 'k')) AS m (method, parameter)
	LOOP
		BEGIN
			method := name.method;
			SELECT s.parameter INTO first FROM sdc_sweep(source, name.method, limit_people_found => most, columns => CASE WHEN name.method NOT IN ('randomize', 'suppress') THEN protected END,
				qi => CASE WHEN name.method IN ('randomize', 'suppress') THEN protected END, keep => kept, omit => omitted, sample => CASE WHEN current_setting('bench.sampled')::boolean THEN 2000 END,
				seed => 'bench', search => 8) AS s WHERE s.chosen;
			FOR strides IN 0 .. 20 LOOP
				EXIT WHEN first IS NULL;
				parameter := stronger(name.parameter, first, strides);
				steps := jsonb_build_array(jsonb_build_object('method', name.method, CASE WHEN name.method IN ('randomize', 'suppress') THEN 'qi' ELSE 'columns' END, protected, name.parameter, parameter));
				IF upper_end(source, steps, omitted) <= most THEN
					SELECT l.loss, l.error INTO loss, error FROM lost(source, steps, omitted) AS l;
					RETURN NEXT;
					EXIT;
				END IF;
			END LOOP;
		EXCEPTION WHEN OTHERS THEN
			NULL;	-- the method is not for these columns
		END;
	END LOOP;
END $$;
SQL
}

# propose_time TABLE proposes, into the table "proposal", and prints the milliseconds that it takes.
propose_time()
{
	sql -c "SET client_min_messages = error" -c "DROP TABLE IF EXISTS proposal" -c '\timing on' \
		-c "CREATE TABLE proposal AS SELECT row_number() OVER () AS n, p.* FROM sdc_propose('$1', '{\"people_found\": $PROPOSE_FOUND}') AS p" |
		sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p' | tail -n 1
}

# bench_proposal TABLE measures one proposal.
bench_proposal()
{
	local table=$1 time limit=$LIMIT_PROPOSE settings fresh above largest found loss error single least

	[[ $table != census ]] || limit=$LIMIT_PROPOSE_CENSUS
	settings="SET client_min_messages = error; SET bench.found = $PROPOSE_FOUND; SET bench.sampled = '$(sql -c "SELECT count(*) > 5000 FROM $table")'"
	sql -c "SELECT sdc_classify('$table', attname, 'quasi-identifier') FROM pg_attribute WHERE attrelid = '$table'::regclass AND attnum > 0
		AND attname <> 'id' AND atttypid::regtype::text IN ('bigint', 'integer')" >"$SDC_TMP/classified"
	time=$(propose_time "$table")
	limited "$table: seconds" "$(awk -v t="$time" 'BEGIN { printf "%.1f", t / 1000 }')" "<=" "$limit"
	row "$table: $(sql -c "SELECT string_agg(concat_ws(' ', s - 'columns' - 'qi', jsonb_array_length(coalesce(s -> 'columns', s -> 'qi'))), ', ') FROM proposal, jsonb_array_elements(parameters -> 'steps') AS s
		WHERE attribute IS NULL")" ""
	sql -c "ALTER TABLE proposal RENAME TO first"
	propose_time "$table" >"$SDC_TMP/again"
	limited "$table: other rows in a second call" "$(sql -c "SELECT count(*) FROM (TABLE first EXCEPT TABLE proposal) AS d")" "<=" 0
	fresh=$(sql -F ' ' -c "$settings" -c "SELECT * FROM fresh('$table')")
	read -r above largest found loss error <<<"$fresh"
	limited "$table: of ten fresh draws above $PROPOSE_FOUND percent (largest $(printf '%.2f' "$largest"))" "$above" "<=" 0
	single=$(sql -F ' ' -c "$settings" -c "SELECT loss, 2 * sqrt(error ^ 2 + $error ^ 2), method, parameter FROM singles('$table', $found) ORDER BY loss LIMIT 1")
	read -r least error single <<<"$single"
	limited "$table: loss; that of $single, $(printf '%.2f' "$least"), and twice the error" "$(printf '%.2f' "$loss")" "<=" \
		"$(awk -v l="$least" -v e="$error" 'BEGIN { printf "%.2f", l + e }')"
	sql -c "DROP TABLE first, proposal"
}

# bench_propose is this part of the benchmark.
bench_propose()
{
	local table tables=(patients survey firms)

	if have_data; then
		tables=(census eia tarragona abalone magic adult "${tables[@]}")
	fi
	propose_functions
	make_proposed
	printf '\n'
	row "sdc_propose" "value" "limit"
	for table in "${tables[@]}"; do
		note "$table"
		[[ ! -e ${SDC_DATA:-}/$table.csv ]] || load_csv "$SDC_DATA/$table.csv" "$table"
		bench_proposal "$table"
		sql -c "DROP TABLE $table"
	done
	sql -c "DROP FUNCTION fresh" -c "DROP FUNCTION singles" -c "DROP FUNCTION upper_end" -c "DROP FUNCTION lost" -c "DROP FUNCTION stronger"
}

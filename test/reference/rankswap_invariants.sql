-- rankswap_invariants.sql
--		What every release by rank swapping keeps, on the reference files.
--
-- Census, EIA and Tarragona with all their attributes; Adult with one numeric and
-- two text attributes, in strata by sex and race; Census with every tenth value
-- missing.  All three methods with several parameters.

\ir lib/check.sql

-- columns_of lists the columns of a relation that are not its key.
CREATE FUNCTION pg_temp.columns_of(relation text)
RETURNS name[] LANGUAGE sql AS $$
	SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute
	WHERE attrelid = relation::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'id'
$$;

-- position_groups is a table of the tie group of every value of a column, by stratum:
-- its first and last sorted position, the number of positions, and the values.
CREATE FUNCTION pg_temp.position_groups(source text, attribute name, strata name[])
RETURNS text LANGUAGE sql AS $$
	SELECT format('SELECT %1$s, %2$I AS value, rank() OVER same AS first, '
		'rank() OVER same + count(*) OVER (PARTITION BY %1$s, %2$I) - 1 AS last, '
		'count(*) OVER (PARTITION BY %1$s) AS n FROM %3$s WHERE %2$I IS NOT NULL '
		'WINDOW same AS (PARTITION BY %1$s ORDER BY %2$I)',
		coalesce((SELECT string_agg(quote_ident(s), ', ') FROM unnest(strata) AS s), '1::int'),
		attribute, source)
$$;

-- check_release makes one release and checks it.
CREATE FUNCTION pg_temp.check_release(source text, method text, parameter text, columns name[],
	strata name[] DEFAULT '{}')
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	title CONSTANT text := format('%s %s %s', split_part(source, '.', 2), method, parameter);
	number CONSTANT float8 := split_part(parameter, ' => ', 2)::float8;
	others CONSTANT name[] := (SELECT array_agg(c) FROM unnest(pg_temp.columns_of(source)) AS c
		WHERE c <> ALL (columns));
	groups CONSTANT text := coalesce((SELECT string_agg(format('s.%I', s), ', ') FROM unnest(strata) AS s), '1::int');
	same CONSTANT text := coalesce((SELECT string_agg(format('o.%1$I = g.%1$I AND t.%1$I = g.%1$I', s), ' AND ')
		FROM unnest(strata) AS s), 'true');
	report record;
	bad bigint;
	broken bigint := 0;
	moved bigint := 0;
	missing bigint := 0;
	miscounted bigint := 0;
	too_far bigint := 0;
	swapped bigint;
BEGIN
	DROP TABLE IF EXISTS sdc_check.release;
	EXECUTE format('CREATE TEMP TABLE report ON COMMIT DROP AS SELECT * FROM sdc_%s(%L, %s, '
		'columns => %L, strata => nullif(%L::name[], ''{}''), target => ''sdc_check.release'', '
		'seed => %L)', method, source, parameter, columns, strata, title);

	FOR report IN SELECT * FROM report WHERE action = 'protected' LOOP
		-- the values of every stratum are the same ones
		EXECUTE format('WITH a AS (SELECT %1$s, %2$I FROM %3$s AS s), b AS (SELECT %1$s, %2$I FROM sdc_check.release AS s) '
			'SELECT (SELECT count(*) FROM (TABLE a EXCEPT ALL TABLE b) AS x) + '
			'(SELECT count(*) FROM (TABLE b EXCEPT ALL TABLE a) AS x)',
			groups, report.attribute, source) INTO bad;
		broken := broken + bad;

		EXECUTE format('SELECT count(*) FILTER (WHERE s.%1$I IS DISTINCT FROM p.%1$I), '
			'count(*) FILTER (WHERE (s.%1$I IS NULL) <> (p.%1$I IS NULL)) '
			'FROM %2$s AS s JOIN sdc_check.release AS p USING (id)', report.attribute, source)
			INTO swapped, bad;
		missing := missing + bad;
		miscounted := miscounted + (swapped <> report.changed)::int;

		-- the gap between the tie groups of a value and of the one it gave way to
		IF method = 'rankswap' THEN
			EXECUTE format('WITH place AS MATERIALIZED (SELECT DISTINCT * FROM (%1$s) AS g) '
				'SELECT count(*) FROM %2$s AS o JOIN sdc_check.release AS t USING (id) '
				'JOIN place AS g ON g.value = o.%3$I AND %4$s '
				'JOIN place AS h ON h.value = t.%3$I AND %5$s '
				'WHERE greatest(g.first - h.last, h.first - g.last) > greatest(1, floor(g.n * %6$s / 100.0 + 0.5))',
				pg_temp.position_groups(source, report.attribute, strata), source, report.attribute,
				same, replace(same, 'g.', 'h.'), number) INTO bad;
			too_far := too_far + bad;
		END IF;
	END LOOP;

	EXECUTE format('SELECT count(*) FROM %s AS s FULL JOIN sdc_check.release AS p USING (id) '
		'WHERE s.id IS NULL OR p.id IS NULL OR (%s)', source,
		coalesce((SELECT string_agg(format('s.%1$I IS DISTINCT FROM p.%1$I', c), ' OR ')
			FROM unnest(others) AS c), 'false')) INTO moved;

	EXECUTE 'SELECT count(*) FROM report WHERE action = ''protected''' INTO swapped;
	DROP TABLE report;
	RETURN pg_temp.ok(swapped = cardinality(columns) AND broken = 0 AND moved = 0 AND missing = 0
			AND miscounted = 0 AND too_far = 0,
		format('%s: %svalues%s, keys, other columns and nulls are kept, changes counted', title,
			CASE method WHEN 'rankswap' THEN 'the window, ' ELSE '' END,
			CASE strata WHEN '{}' THEN '' ELSE ' by stratum' END),
		format('%s columns protected, %s values gained or lost, %s rows differ elsewhere, %s nulls moved, '
			'%s counts wrong, %s values from beyond the window',
			swapped, broken, moved, missing, miscounted, too_far));
END
$$;

CREATE TABLE sdc_check.holes AS
SELECT id, CASE WHEN id % 10 <> 1 THEN afnlwgt END AS afnlwgt, CASE WHEN id % 10 <> 2 THEN agi END AS agi,
	CASE WHEN id % 10 <> 3 THEN fica END AS fica, CASE WHEN id < 3 THEN intval END AS intval,
	CASE WHEN false THEN taxinc END AS taxinc, CASE WHEN id % 10 = 4 THEN id % 7 END AS grp
FROM ref.census;
ALTER TABLE sdc_check.holes ADD PRIMARY KEY (id);

SELECT pg_temp.check_release(source, method, parameter, pg_temp.columns_of(source))
FROM unnest('{ref.census,ref.eia,ref.tarragona}'::text[]) WITH ORDINALITY AS s (source, a),
	(VALUES ('rankswap', 'p => 0.05'), ('rankswap', 'p => 5'), ('rankswap', 'p => 100'),
		('rankswap_distribution', 'p => 4'), ('rankswap_distribution', 'p => 75'),
		('rankswap_buckets', 'buckets => 1'), ('rankswap_buckets', 'buckets => 20'),
		('rankswap_buckets', 'buckets => 834')) AS m (method, parameter);

SELECT pg_temp.check_release('sdc_check.holes', method, parameter, '{afnlwgt,agi,fica,intval,taxinc,grp}')
FROM (VALUES ('rankswap', 'p => 5'), ('rankswap_distribution', 'p => 20'),
	('rankswap_buckets', 'buckets => 50')) AS m (method, parameter);

SELECT pg_temp.check_release('ref.adult', method, parameter, '{age,education,native_country}', '{sex,race}')
FROM (VALUES ('rankswap', 'p => 2'), ('rankswap', 'p => 50'), ('rankswap_distribution', 'p => 10'),
	('rankswap_buckets', 'buckets => 10')) AS m (method, parameter);

--
-- Most values change: with p = 5 more than 90 % of those of attributes with
-- few ties (fewer than 5 % of the values are there twice)
--
SELECT pg_temp.ok(min(100.0 * changed / records) > 90 AND count(*) > 10,
	'p = 5 changes more than 90 % of the values of every continuous attribute',
	format('%s attributes, least %s', count(*), min(100.0 * changed / records)))
FROM (SELECT * FROM sdc_rankswap('ref.census', p => 5, target => 'sdc_check.c5', seed => 1)
	UNION ALL SELECT * FROM sdc_rankswap('ref.eia', p => 5, target => 'sdc_check.e5', seed => 1)
	UNION ALL SELECT * FROM sdc_rankswap('ref.tarragona', p => 5, target => 'sdc_check.t5', seed => 1)) AS r,
	LATERAL (SELECT n_distinct FROM pg_stats WHERE attname = attribute AND schemaname = 'ref'
		AND tablename = CASE release::text WHEN 'sdc_check.c5' THEN 'census' WHEN 'sdc_check.e5' THEN 'eia'
			ELSE 'tarragona' END) AS s
WHERE action = 'protected' AND n_distinct < -0.95;

--
-- The harm to correlations grows with p, from next to nothing
--
CREATE FUNCTION pg_temp.correlation_shift(release text)
RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	result float8;
BEGIN
	EXECUTE format('SELECT avg(d) FROM (SELECT unnest(ARRAY[%s]) AS d '
		'FROM ref.census AS s JOIN %s AS p USING (id)) AS r',
		(SELECT string_agg(format('abs(corr(s.%1$I, s.%2$I) - corr(p.%1$I, p.%2$I))', a, b), ', ')
		FROM unnest(pg_temp.columns_of('ref.census')) AS a, unnest(pg_temp.columns_of('ref.census')) AS b
		WHERE a < b), release) INTO result;
	RETURN result;
END
$$;
SELECT FROM unnest('{1,20,100}'::float8[]) AS p,
	LATERAL sdc_rankswap('ref.census', p => p, target => 'sdc_check.p' || p, seed => 1);
SELECT pg_temp.ok(s1 < 0.02 AND s1 < s20 / 3 AND s20 < s100 * 0.8 AND s100 > 0.15,
	'mean shift of the correlations of Census: below 0.02 for p = 1, growing, above 0.15 for p = 100',
	format('%s, %s, %s', s1, s20, s100))
FROM (SELECT pg_temp.correlation_shift('sdc_check.p1') AS s1, pg_temp.correlation_shift('sdc_check.p20') AS s20,
	pg_temp.correlation_shift('sdc_check.p100') AS s100) AS s;

\ir lib/finish.sql

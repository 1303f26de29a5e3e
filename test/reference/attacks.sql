-- attacks.sql
--		Attacks and measures against plain SQL over all pairs, at their ends, and against each other.

\ir lib/check.sql
\ir lib/attack.sql

CREATE FUNCTION pg_temp.columns_of(relation regclass)
RETURNS name[] LANGUAGE sql AS $$
	SELECT array_agg(attname ORDER BY attnum) FROM pg_attribute
	WHERE attrelid = relation AND attnum > 0 AND NOT attisdropped AND attname <> 'id'
$$;

--
-- Small files: parts of the reference data, with their key; one with missing values,
-- one whose release is no permutation of its source
--
CREATE TABLE sdc_check.census AS SELECT * FROM ref.census WHERE id % 7 = 0;
CREATE TABLE sdc_check.eia AS SELECT * FROM ref.eia WHERE id % 25 = 0;
CREATE TABLE sdc_check.tarragona AS SELECT * FROM ref.tarragona WHERE id % 5 = 0;
CREATE TABLE sdc_check.abalone AS SELECT * FROM ref.abalone WHERE id % 26 = 0;
CREATE TABLE sdc_check.adult AS
SELECT id, age, workclass, education, sex, race, salary = '>50K' AS rich, make_date(1990 - age::int, 1 + (id % 12)::int, 1) AS born
FROM ref.adult WHERE id <= 160;
CREATE TABLE sdc_check.holes AS
SELECT id, nullif(rings, 9) AS rings, CASE WHEN id % 7 <> 1 THEN sex END AS sex,
	CASE WHEN id % 5 <> 1 THEN height::numeric END AS height, CASE WHEN id % 3 <> 1 THEN length::real END AS length,
	CASE WHEN id % 11 <> 1 THEN timestamp '2001-01-01' + id * interval '7 hours' END AS seen, CASE WHEN id < 4 THEN 7 * id END AS rare, 5 AS constant
FROM ref.abalone WHERE id <= 160;
INSERT INTO sdc_check.holes (id) VALUES (1001), (1002);
CREATE TABLE sdc_check.noisy AS
SELECT id, round(afnlwgt + 20000 * (pg_temp.uniform(1, id) - 0.5))::bigint AS afnlwgt,
	CASE WHEN id % 10 > 0 THEN round(agi * (0.9 + 0.2 * pg_temp.uniform(2, id)))::bigint END AS agi,
	CASE WHEN id % 30 > 0 THEN fica END AS fica, intval / 10 * 10 AS intval, -wsalval AS wsalval
FROM sdc_check.census;
CREATE TABLE sdc_check.jitter AS
SELECT id, afnlwgt + round(40000 * pg_temp.uniform(1, id))::bigint AS afnlwgt, round(agi * (0.9 + 0.3 * pg_temp.uniform(2, id)))::bigint AS agi, fica
FROM sdc_check.census;
CREATE TABLE sdc_check.noisy_source AS SELECT id, afnlwgt, agi, CASE WHEN id % 20 > 0 THEN fica END AS fica, intval, wsalval FROM sdc_check.census;
-- what gaps lacks is lacking in its source, which lacks more; noisy has lost it
CREATE TABLE sdc_check.gaps AS TABLE sdc_check.noisy;
CREATE TABLE sdc_check.gaps_source AS
SELECT id, s.afnlwgt, CASE WHEN r.agi IS NOT NULL THEN s.agi END AS agi, CASE WHEN r.fica IS NOT NULL THEN s.fica END AS fica, s.intval, s.wsalval
FROM sdc_check.noisy_source AS s JOIN sdc_check.noisy AS r USING (id);
DO $$
DECLARE
	t text;
BEGIN
	FOREACH t IN ARRAY '{census,eia,tarragona,abalone,adult,holes,noisy,noisy_source,gaps,gaps_source,jitter}'::text[] LOOP
		EXECUTE format('ALTER TABLE sdc_check.%I ADD PRIMARY KEY (id)', t);
	END LOOP;
END
$$;

CREATE FUNCTION pg_temp.protect(source text, method text, parameter text, target text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT FROM sdc_%s(%L, %s, columns => %L, target => %L, key => %L, seed => 1)', method, 'sdc_check.' || source, parameter,
		pg_temp.columns_of(('sdc_check.' || source)::regclass), 'sdc_check.' || target, '{id}');
END
$$;
SELECT FROM (VALUES ('census', 'rankswap', 'p => 8', 'census_p'), ('census', 'rankswap_distribution', 'p => 20', 'census_d'),
		('eia', 'rankswap', 'p => 12', 'eia_p'), ('tarragona', 'rankswap_buckets', 'buckets => 30', 'tarragona_b'),
		('abalone', 'rankswap', 'p => 5', 'abalone_p'), ('adult', 'rankswap', 'p => 10', 'adult_p'), ('holes', 'rankswap', 'p => 25', 'holes_p')) AS v (source, method, parameter, target),
	LATERAL pg_temp.protect(source, method, parameter, target);
SELECT FROM (VALUES ('sdc_check.noisy_source', 'sdc_check.noisy'), ('sdc_check.gaps_source', 'sdc_check.gaps'), ('sdc_check.census', 'sdc_check.jitter')) AS v (source, target),
	LATERAL sdc_register(source::regclass, target::regclass, pg_temp.columns_of(target::regclass), '{id}');
CREATE TEMP TABLE release AS
SELECT release, source, columns, method, CASE WHEN method = 'external' THEN 6 ELSE (parameters->>'p')::float8 END AS p,
	(parameters->>'buckets')::int AS buckets, substr(release::text, 11) AS name, records
FROM sdc_releases WHERE release::text ~ '^sdc_check\.';
SELECT pg_temp.ok(count(*) = 10 AND min(records) >= 150, 'ten small releases', format('%s, %s', count(*), min(records))) FROM release;

-- near tells whether two numbers are equal to 1e-9, or both missing.
CREATE FUNCTION pg_temp.near(a float8, b float8, tolerance float8 DEFAULT 1e-9)
RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE WHEN num_nulls(a, b) = 0 THEN abs(a - b) <= tolerance * greatest(1, abs(a), abs(b)) ELSE num_nulls(a, b) = 2 END
$$;

--
-- Distance: by the first attributes, by all, and by every one alone
--
-- A sum of products of differences that cancel is less exact than that of squares.
CREATE FUNCTION pg_temp.check_distance(release regclass, source regclass, known name[], metric text)
RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.ok(count(*) > 0 AND count(*) FILTER (WHERE NOT (pg_temp.near(o.distance, e.distance, CASE metric WHEN 'mahalanobis' THEN 1e-6 ELSE 1e-9 END)
			AND (metric = 'mahalanobis' OR (o.ties, o.linked, o.correct) IS NOT DISTINCT FROM (e.ties, e.linked, e.correct)))) = 0
			AND abs(count(*) FILTER (WHERE o.linked IS DISTINCT FROM e.linked)) <= count(*) / 100,
		format('%s: %s distance by %s is that of SQL', substr(release::text, 11), metric, array_to_string(known, ', ')),
		(array_agg(format('%s, expected %s', o, e)) FILTER (WHERE NOT pg_temp.near(o.distance, e.distance)
			OR (o.ties, o.linked, o.correct) IS DISTINCT FROM (e.ties, e.linked, e.correct)))[:3]::text)
	FROM sdc_link_distance(release, known, metric) AS o
	FULL JOIN pg_temp.naive_distance(source, release, known, metric) AS e USING (record)
$$;
SELECT pg_temp.check_distance(release, source, columns[:known], metric)
FROM release, unnest('{euclidean,manhattan,gower}'::text[]) AS metric,
	unnest(ARRAY[2, cardinality(columns)]) AS known
ORDER BY name, metric, known;
SELECT pg_temp.check_distance(release, source, columns[known:known], metric)
FROM release, unnest('{euclidean,gower}'::text[]) AS metric, generate_subscripts(columns, 1) AS known
WHERE name IN ('holes_p', 'adult_p')
ORDER BY name, metric, known;
SELECT pg_temp.check_distance(release, source, known, 'mahalanobis')
FROM release JOIN (VALUES ('census_p', '{afnlwgt,agi,intval}'::name[]), ('census_d', '{afnlwgt,emcontrb,fedtax,fica}'), ('census_p', '{pothval}'),
	('adult_p', '{age,born}'), ('holes_p', '{rings,height,length,seen}'), ('noisy', '{afnlwgt,agi,fica}')) AS v (name, known) USING (name)
ORDER BY name, known;

--
-- Windows
--
CREATE FUNCTION pg_temp.check_rankswap(release regclass, source regclass, known name[], mode text, p float8, buckets int, own boolean)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	WITH o AS (
		SELECT * FROM sdc_link_rankswap(release, CASE WHEN NOT own THEN p END, known, mode)
	), e AS MATERIALIZED (
		SELECT * FROM pg_temp.naive_rankswap(source, release, known, mode, p, buckets)
	)
	SELECT pg_temp.ok(count(*) > 0 AND count(*) FILTER (WHERE NOT same) = 0,
		format('%s: %s of windows, p = %s, by %s is that of SQL', substr(release::text, 11), mode, p, array_to_string(known, ', ')),
		(array_agg(format('%s, expected %s', ours, theirs)) FILTER (WHERE NOT same))[:3]::text)
	INTO result
	FROM (SELECT o AS ours, e AS theirs, pg_temp.near(o.distance, e.distance)
			AND (o.candidates, o.linked, o.correct, o.ties, o.windows) IS NOT DISTINCT FROM (e.candidates, e.linked, e.correct, e.ties, e.windows) AS same
		FROM o FULL JOIN e USING (record)) AS c;
	RETURN result;
END
$$;
SELECT pg_temp.check_rankswap(release, source, columns[:known], mode, p, buckets, method <> 'external')
FROM release, unnest('{intersection,union}'::text[]) AS mode, unnest(ARRAY[2, cardinality(columns)]) AS known
ORDER BY name, mode, known;
SELECT pg_temp.check_rankswap(release, source, columns[:3], mode, wrong, NULL, false)
FROM release, unnest('{intersection,union}'::text[]) AS mode, unnest('{0.1,3,100}'::float8[]) AS wrong
WHERE name IN ('census_p', 'holes_p', 'noisy')
ORDER BY name, mode, wrong;

--
-- Agreement.  Estimation sums in another order, hence another tolerance.
--
CREATE FUNCTION pg_temp.check_probabilistic(release regclass, source regclass, known name[])
RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.ok(count(*) > 0 AND count(*) FILTER (WHERE NOT pg_temp.near(o.weight, e.weight, 1e-6)
			OR (o.linked, o.correct, o.ties) IS DISTINCT FROM (e.linked, e.correct, e.ties)) = 0,
		format('%s: linkage by agreement of %s is that of SQL', substr(release::text, 11), array_to_string(known, ', ')),
		(array_agg(format('%s, expected %s', o, e)) FILTER (WHERE NOT pg_temp.near(o.weight, e.weight, 1e-6)
			OR (o.linked, o.correct, o.ties) IS DISTINCT FROM (e.linked, e.correct, e.ties)))[:3]::text)
	FROM sdc_link_probabilistic(release, known) AS o
	FULL JOIN pg_temp.naive_probabilistic(source, release, known) AS e USING (record)
$$;
SELECT pg_temp.check_probabilistic(release, source, columns[:known])
FROM release, unnest('{1,3,4,7}'::int[]) AS known
WHERE known <= 4 AND name IN ('census_p', 'tarragona_b', 'adult_p', 'holes_p', 'noisy', 'abalone_p')
	OR name = 'adult_p' AND known > 4
ORDER BY name, known;

--
-- Interval disclosure and information loss
--
SELECT pg_temp.ok(bool_and(pg_temp.near(percent, expected)), format('%s: interval disclosure of %s attributes is that of SQL', name, count(*)),
	array_agg(format('%s %s, expected %s', attribute, percent, expected))::text)
FROM (SELECT name, attribute, percent, coalesce(pg_temp.naive_interval(source, release, attribute), 0) AS expected
	FROM release, LATERAL sdc_interval_disclosure(release)) AS d
GROUP BY name ORDER BY name;

-- Lost values cost the most that they can have been: the definition of that is in the tests of lost values.
SELECT pg_temp.ok(bool_and(pg_temp.near(found, expected)), format('%s: information loss (%s measures) is that of SQL', name, count(*)),
	(array_agg(format('%s %s, expected %s', key, found, expected)) FILTER (WHERE NOT pg_temp.near(found, expected)))::text)
FROM (SELECT name, e.key, e.value::float8 AS expected, (to_jsonb(o)->>e.key)::float8 AS found
	FROM (SELECT *, ARRAY(SELECT c FROM unnest(columns) WITH ORDINALITY AS u (c, i) WHERE pg_temp.kind_of(source, c) = 'number' ORDER BY i) AS numbers FROM release) AS r,
		LATERAL sdc_information_loss(release) AS o, LATERAL pg_temp.naive_loss(source, release, numbers) AS n,
		LATERAL jsonb_each_text(to_jsonb(n)) AS e
	WHERE name <> 'noisy') AS m
GROUP BY name ORDER BY name;

SELECT pg_temp.ok(bool_and(pg_temp.near(found, expected, 1e-7)), format('%s: probabilistic information loss (%s parts) is that of SQL', name, count(*)),
	(array_agg(format('%s %s, expected %s', key, found, expected)))::text)
FROM (SELECT name, e.key, e.value::float8 AS expected, (to_jsonb(o)->>e.key)::float8 AS found
	FROM release, LATERAL sdc_information_loss(release) AS o, LATERAL pg_temp.naive_pil(source, release, columns) AS n,
		LATERAL jsonb_each_text(to_jsonb(n)) AS e
	WHERE name IN ('census_p', 'tarragona_b', 'jitter')) AS m
GROUP BY name ORDER BY name;
SELECT pg_temp.ok(bool_and(pg_temp.near(pil, (pil_mean + pil_variance + pil_covariance + pil_correlation + pil_quantile) / 5)
		AND pil BETWEEN 0 AND 100), 'the probabilistic information loss is the mean of its parts')
FROM release, LATERAL sdc_information_loss(release) WHERE name ~ 'census|tarragona|eia';

--
-- The functions agree with each other
--
CREATE TEMP TABLE linked AS
SELECT name, known, attack, links
FROM release, generate_subscripts(columns, 1) AS known,
	LATERAL (SELECT 'distance', sum(CASE WHEN correct THEN 1.0::float8 / ties ELSE 0 END) FROM sdc_link_distance(release, columns[:known])
		UNION ALL SELECT 'probabilistic', sum(CASE WHEN correct THEN 1.0::float8 / ties ELSE 0 END) FROM sdc_link_probabilistic(release, columns[:known])
		UNION ALL SELECT 'rankswap', sum(CASE WHEN correct THEN 1.0::float8 / ties ELSE 0 END) FROM sdc_link_rankswap(release, p, columns[:known])
			WHERE buckets IS NULL AND method <> 'external'
		UNION ALL SELECT 'rankswap', sum(CASE WHEN correct THEN 1.0::float8 / ties ELSE 0 END) FROM sdc_link_rankswap(release, known => columns[:known])
			WHERE buckets IS NOT NULL) AS l (attack, links)
WHERE links IS NOT NULL;
SELECT pg_temp.ok(bool_and(pg_temp.near(r.linked, l.links) AND pg_temp.near(r.percent, 100 * l.links / records)) AND count(*) = count(r.known) AND count(*) = count(l.known),
	format('%s: sdc_disclosure_risk is the sum over the links of every attack', name),
	(array_agg(format('%s %s: %s, expected %s', attack, known, r.linked, l.links)) FILTER (WHERE pg_temp.near(r.linked, l.links) IS NOT TRUE))::text)
FROM (SELECT name, records, r.* FROM release, LATERAL sdc_disclosure_risk(release) AS r) AS r FULL JOIN linked AS l USING (name, known, attack)
GROUP BY name ORDER BY name;

SELECT pg_temp.ok(bool_and(pg_temp.near(s.dld, d.dld) AND pg_temp.near(s.pld, d.pld) AND pg_temp.near(s.rsld, d.rsld)
		AND pg_temp.near(s.interval_disclosure, i.interval_disclosure) AND pg_temp.near(s.il, l.il)
		AND pg_temp.near(s.dr_generic, s.dld / 4 + s.pld / 4 + s.interval_disclosure / 2)
		AND pg_temp.near(s.dr, CASE WHEN s.rsld IS NULL THEN s.dr_generic ELSE (s.rsld + s.dld + s.pld) / 6 + s.interval_disclosure / 2 END)
		AND pg_temp.near(s.score, (s.il + s.dr) / 2) AND pg_temp.near(s.score_generic, (s.il + s.dr_generic) / 2)
		AND num_nulls(s.dr_low, s.dr_high) = 2 AND (s.rsld IS NULL) = (method = 'external')),
	format('%s: sdc_score with known_max = %s is made of the other functions', name, known_max), min(s::text) || min(d::text))
FROM release, unnest(ARRAY[1, 2, NULL]) AS known_max, LATERAL sdc_score(release, known_max => known_max) AS s,
	LATERAL (SELECT avg(percent) FILTER (WHERE attack = 'distance') AS dld, avg(percent) FILTER (WHERE attack = 'probabilistic') AS pld,
		avg(percent) FILTER (WHERE attack = 'rankswap') AS rsld FROM sdc_disclosure_risk(release, known_max => known_max)) AS d,
	LATERAL (SELECT avg(percent) AS interval_disclosure FROM sdc_interval_disclosure(release)) AS i,
	LATERAL (SELECT il FROM sdc_information_loss(release)) AS l
WHERE name NOT IN ('holes_p', 'noisy', 'gaps')	-- where attributes have different numbers of cells
GROUP BY name, known_max ORDER BY name, known_max;
CREATE FUNCTION pg_temp.shown(percent float8) RETURNS numeric LANGUAGE sql IMMUTABLE AS 'SELECT round(percent::numeric, 1)';
SELECT pg_temp.ok(count(*) = 10 AND bool_and((v.il, v.dld, v.pld, v.rsld, v.interval_disclosure, v.dr, v.dr_generic, v.score, v.score_generic)
		IS NOT DISTINCT FROM (pg_temp.shown(s.il), pg_temp.shown(s.dld), pg_temp.shown(s.pld), pg_temp.shown(s.rsld), pg_temp.shown(s.interval_disclosure),
			pg_temp.shown(s.dr), pg_temp.shown(s.dr_generic), pg_temp.shown(s.score), pg_temp.shown(s.score_generic)) AND v.problem IS NULL),
	'the view sdc_scores has what sdc_score says, to a tenth')
FROM release JOIN sdc_scores AS v USING (release), LATERAL sdc_score(release) AS s;

SELECT pg_temp.ok(count(*) = max(records) AND bool_and(('nearest' = ANY (r.attacks)) = l.correct AND ('agreement' = ANY (r.attacks)) = q.correct
		AND r.candidates <= least(CASE WHEN l.correct THEN l.candidates END, CASE WHEN q.correct THEN q.ties END) IS NOT FALSE
		AND (r.certain = l.certain OR e.method IN ('rankswap_distribution', 'rankswap_buckets') AND r.certain)),
	format('%s: sdc_record_risk names the attacks that link a record', name),
	(array_agg(r::text) FILTER (WHERE ('nearest' = ANY (r.attacks)) <> l.correct OR ('agreement' = ANY (r.attacks)) <> q.correct))[:3]::text)
FROM release AS e, LATERAL sdc_record_risk(release, columns) AS r
JOIN LATERAL sdc_link_release(release, columns) AS l USING (record) JOIN LATERAL sdc_link_probabilistic(release) AS q USING (record)
GROUP BY name ORDER BY name;

--
-- One end: the release is the original.  Every attack finds what can be told apart.
--
CREATE TABLE sdc_check.adult_big AS SELECT * FROM ref.adult WHERE id % 20 = 0;
ALTER TABLE sdc_check.adult_big ADD PRIMARY KEY (id);
CREATE TEMP TABLE whole AS
SELECT relname AS name, c.oid::regclass AS source, pg_temp.columns_of(c.oid) AS columns
FROM pg_class AS c
WHERE c.oid IN ('ref.census'::regclass, 'ref.eia'::regclass, 'ref.tarragona'::regclass, 'sdc_check.adult_big'::regclass, 'ref.abalone'::regclass);
DO $$
DECLARE
	n name;
	s regclass;
	c name[];
	copy text;
BEGIN
	FOR n, s, c IN SELECT * FROM whole LOOP
		copy := 'sdc_check.copy_' || n;
		EXECUTE format('CREATE TABLE %s AS SELECT * FROM %s ORDER BY id DESC', copy, s);
		PERFORM sdc_register(s, copy, c, '{id}', 'rankswap', '{"p": 1}');
	END LOOP;
END
$$;
-- shares is the number of links when equal records can only be guessed, for every number of attributes.
CREATE FUNCTION pg_temp.shares(source regclass, names name[])
RETURNS float8[] LANGUAGE plpgsql AS $$
DECLARE
	result float8[] := '{}';
	one float8;
BEGIN
	FOR c IN 1 .. cardinality(names) LOOP
		EXECUTE format('SELECT count(*) FROM (SELECT DISTINCT %s FROM %s) AS d', (SELECT string_agg(quote_ident(x), ', ') FROM unnest(names[:c]) AS x), source) INTO one;
		result := result || one;
	END LOOP;
	RETURN result;
END
$$;
-- Not so the agreement of the ten nominal attributes of Adult: of two classes the estimation finds
-- those that differ most, which are the married and the others.
SELECT pg_temp.ok(bool_and(CASE WHEN name = 'adult_big' AND attack = 'probabilistic' AND known > 5 THEN linked BETWEEN 0.3 * shares[known] AND shares[known]
		ELSE pg_temp.near(linked, shares[known]) END) AND count(*) = cardinality(min(columns)),
	format('%s, identical release: %s finds as many records as are different, for every number of attributes', name, attack),
	format('%s, expected %s', array_agg(linked ORDER BY known), min(shares)))
FROM whole, LATERAL pg_temp.shares(source, columns) AS shares,
	LATERAL sdc_disclosure_risk(('sdc_check.copy_' || name)::regclass)
GROUP BY name, attack ORDER BY name, attack;
SELECT pg_temp.ok(s.il = 0 AND abs(s.interval_disclosure - 100) < 1e-12 AND pg_temp.near(s.dld, s.rsld) AND (l.il1, l.il2, l.il3, l.il4, l.il5, l.il1s, l.pil) = (0, 0, 0, 0, 0, 0, 0),
	format('%s, identical release: no information loss, all intervals disclosed', name), concat(s, l))
FROM whole, LATERAL (SELECT ('sdc_check.copy_' || name)::regclass) AS c (copy),
	LATERAL sdc_score(copy) AS s, LATERAL sdc_information_loss(copy) AS l;

--
-- The other end: a random permutation of the records.  The number of links is
-- about one for every number of attributes, whatever their number.
--
DO $$
DECLARE
	n name;
	s regclass;
	c name[];
	copy text;
BEGIN
	FOR n, s, c IN SELECT * FROM whole LOOP
		copy := 'sdc_check.shuffled_' || n;
		EXECUTE format('CREATE TABLE %s AS SELECT ids.id, %s FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM %s) AS ids '
			'JOIN (SELECT *, row_number() OVER (ORDER BY pg_temp.uniform(7, id)) AS n FROM %s) AS v USING (n)',
			copy, (SELECT string_agg(format('v.%I', x), ', ') FROM unnest(c) AS x), s, s);
		PERFORM sdc_register(s, copy, c, '{id}', 'rankswap', '{"p": 100}');
	END LOOP;
END
$$;
SELECT pg_temp.ok(max(linked) < 9 AND avg(linked) < 4, format('%s, shuffled release: %s finds one record or so', name, attack),
	array_agg(linked ORDER BY known)::text)
FROM whole, LATERAL sdc_disclosure_risk(('sdc_check.shuffled_' || name)::regclass)
GROUP BY name, attack ORDER BY name, attack;
SELECT pg_temp.ok(l.il1 > 0.1 AND (l.il2, l.il4, l.il5) IS NOT NULL AND greatest(l.il2, l.il3, l.il4, l.il5) < 1e-9 AND l.pil < 1e-3,
	format('%s, shuffled release: values are lost, statistics are not', name), l::text)
FROM whole, LATERAL sdc_information_loss(('sdc_check.shuffled_' || name)::regclass) AS l;

-- sdc_baseline: columns permuted one by one.  Against the same made in SQL, by five seeds.
CREATE FUNCTION pg_temp.scatter(source regclass, names name[], target text, salt int)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE %s AS SELECT n.id, %s FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM %s) AS n %s', target,
		(SELECT string_agg(quote_ident(x), ', ') FROM unnest(names) AS x), source,
		(SELECT string_agg(format('JOIN (SELECT %1$I, row_number() OVER (ORDER BY pg_temp.uniform(%2$s, id)) AS n FROM %3$s) AS t%4$s USING (n)', x, salt + i, source, i), ' ')
			FROM unnest(names) WITH ORDINALITY AS u (x, i)));
	PERFORM sdc_register(source, target, names, '{id}', 'rankswap', '{"p": 10}');
END
$$;
SELECT FROM whole, generate_series(1, 5) AS seed,
	LATERAL pg_temp.scatter(source, columns, format('sdc_check.scattered_%s_%s', name, seed), 100 * seed)
WHERE name IN ('census', 'eia');
SELECT pg_temp.ok(abs(avg(b.il) - avg(s.il)) < 3 * sqrt(var_samp(b.il) / count(*) + var_samp(s.il) / count(*)) + 0.1 * avg(s.il)
		AND abs(avg(b.interval_disclosure) - avg(s.interval_disclosure)) < 1.5 AND max(greatest(b.dld, b.pld, b.rsld)) < 1 AND abs(avg(b.dr) - avg(s.dr)) < 1,
	format('%s: sdc_baseline is the score of a random permutation', name),
	format('il %s and %s, interval disclosure %s and %s, dld %s and %s', avg(b.il), avg(s.il), avg(b.interval_disclosure), avg(s.interval_disclosure), avg(b.dld), avg(s.dld)))
FROM whole, generate_series(1, 5) AS seed,
	LATERAL (SELECT format('sdc_check.scattered_%s_%s', name, seed)::regclass) AS t (target),
	LATERAL sdc_baseline(target, seed => seed) AS b, LATERAL sdc_score(target) AS s
WHERE name IN ('census', 'eia')
GROUP BY name ORDER BY name;

--
-- Samples: intervals contain what they estimate
--
SELECT pg_temp.ok(count(*) FILTER (WHERE r.percent BETWEEN s.low - 1e-9 AND s.high + 1e-9) >= 0.9 * count(*) AND bool_and(s.low <= s.percent AND s.percent <= s.high)
		AND abs(avg(s.percent - r.percent)) < 1.5,
	format('%s: 95 %% intervals of samples of 60 contain the percentage of all', name),
	format('%s of %s; mean difference %s', count(*) FILTER (WHERE r.percent BETWEEN s.low - 1e-9 AND s.high + 1e-9), count(*), avg(s.percent - r.percent)))
FROM release, generate_series(1, 40) AS seed, LATERAL sdc_disclosure_risk(release, known_max => 3, sample => 60, seed => seed) AS s
JOIN LATERAL sdc_disclosure_risk(release, known_max => 3) AS r USING (attack, known)
WHERE name IN ('census_p', 'adult_p')
GROUP BY name ORDER BY name;

SELECT FROM sdc_releases AS r, LATERAL sdc_unregister(release) WHERE release::text ~ '^sdc_check\.';
\ir lib/finish.sql

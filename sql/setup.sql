--
-- setup
--
-- The extension, the generator of the data, and the functions that check a release.
-- The tests after this one build on them.
--
\pset format unaligned
\pset footer off
CREATE EXTENSION sdc;
SELECT extversion = sdc_version() AS version_fits FROM pg_extension WHERE extname = 'sdc';

-- Notices and warnings are shown where they are the subject of a test, or where one that comes wrongly would be noticed:
-- there client_min_messages is set.
DO $$
BEGIN
	EXECUTE format('ALTER DATABASE %I SET client_min_messages = error', current_database());
END
$$;

CREATE SCHEMA helper;

-- word returns number i of a stream of numbers from 0 to 2^32 - 1.
CREATE FUNCTION helper.word(i bigint, stream int) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ('x' || substr(md5(i || ':' || stream), 1, 8))::bit(32)::bigint;

-- below returns number i of a stream of numbers from 0 to bound - 1.
CREATE FUNCTION helper.below(i bigint, stream int, bound int) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (helper.word(i, stream) % bound)::int;

-- uniform returns number i of a stream of numbers between 0 and 1.
CREATE FUNCTION helper.uniform(i bigint, stream int) RETURNS float8
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (helper.word(i, stream) + 0.5) / 4294967296.0;

-- pick returns a number below n that a text decides.
CREATE FUNCTION helper.pick(what text, n int) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (('x' || substr(md5(what), 1, 8))::bit(32)::bigint % n)::int;

SELECT i, helper.word(i, 1), helper.below(i, 2, 100), round(helper.uniform(i, 3)::numeric, 4) AS uniform
FROM generate_series(1, 3) AS i ORDER BY i;

-- person_row is what the tests protect: ties, NULLs, skew, several types.
CREATE TABLE helper.person_row (
	id int,
	region text COLLATE "C",
	sex char(1),
	age smallint,
	income numeric(10,2),
	weight float8,
	savings bigint,
	born date,
	job varchar(12) COLLATE "C"
);

-- people returns n generated persons.
CREATE FUNCTION helper.people(n int) RETURNS SETOF helper.person_row
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT i,
		(ARRAY['north', 'east', 'south', 'west'])[1 + helper.below(i, 1, 4)],
		(ARRAY['f', 'm'])[1 + helper.below(i, 2, 2)],
		(18 + helper.below(i, 3, 60))::smallint,
		round((1000 * exp(3 * helper.uniform(i, 4)))::numeric, 2),
		40 + 60 * helper.uniform(i, 5),
		CASE WHEN helper.below(i, 6, 5) = 0 THEN NULL ELSE 100 * helper.below(i, 7, 500) END,
		date '1940-01-01' + helper.below(i, 8, 22000),
		(ARRAY['baker', 'cook', 'driver', 'nurse', 'teacher', NULL])[1 + helper.below(i, 9, 6)]
	FROM generate_series(1, n) AS i;
END;

-- make_people creates a table of n persons with a primary key.
CREATE FUNCTION helper.make_people(name text, n int) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE %s (LIKE helper.person_row, PRIMARY KEY (id))', name);
	EXECUTE format('INSERT INTO %s SELECT * FROM helper.people(%s)', name, n);
END
$$;

-- catch runs a statement and returns its error: code, message, detail, hint.
CREATE FUNCTION helper.catch(statement text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	code text;
	message text;
	detail text;
	hint text;
BEGIN
	EXECUTE statement;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
		detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RETURN code || ': ' || message
		|| CASE WHEN detail <> '' THEN E'\n  detail: ' || detail ELSE '' END
		|| CASE WHEN hint <> '' THEN E'\n  hint: ' || hint ELSE '' END;
END
$$;

-- rows counts the rows of a query, or returns its error.
CREATE FUNCTION helper.rows(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	found text := helper.catch(query);
BEGIN
	IF found = 'no error' THEN
		EXECUTE format('SELECT count(*) FROM (%s) AS q', query) INTO found;
	END IF;
	RETURN found;
END
$$;

-- leaks tells whether any part of a statement's error contains a text.
CREATE FUNCTION helper.leaks(statement text, secret text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	code text;
	message text;
	detail text;
	hint text;
	context text;
	part text;
BEGIN
	EXECUTE statement;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
		detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT, context = PG_EXCEPTION_CONTEXT;
	-- the context ends with the statement that this function runs: that is the caller's own
	FOREACH part IN ARRAY ARRAY[message, detail, hint, replace(context, statement, '')] LOOP
		IF position(secret IN part) > 0 THEN
			RETURN code || ' LEAKS: ' || part;
		END IF;
	END LOOP;
	RETURN code || ' tells nothing';
END
$$;

-- count_of returns the only value of a query that counts.
CREATE FUNCTION helper.count_of(query text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
	result bigint;
BEGIN
	EXECUTE query INTO STRICT result;
	RETURN result;
END
$$;

-- source_rows returns an expression for the rows of a release's source, numbered where
-- they have no key.
CREATE FUNCTION helper.source_rows(release regclass) RETURNS text
LANGUAGE sql
RETURN (SELECT CASE WHEN key = '{}'
	THEN format('(SELECT *, row_number() OVER (ORDER BY tableoid, ctid) AS sdc_row FROM %s)', source)
	ELSE source::text END
	FROM sdc_releases AS r WHERE r.release = source_rows.release);

-- pairs returns a FROM item in which s is a record of the source and r the same of the release.
CREATE FUNCTION helper.pairs(release regclass) RETURNS text
LANGUAGE sql
RETURN (SELECT format('%s AS s JOIN %s AS r ON ', helper.source_rows(release), release)
	|| (SELECT string_agg(format('s.%1$I = r.%1$I', k), ' AND ')
		FROM unnest(CASE WHEN key = '{}' THEN '{sdc_row}' ELSE key END) AS k)
	FROM sdc_releases AS r WHERE r.release = pairs.release);

-- written returns how values of a column are compared: as text, or, where the source writes equal values in several ways
-- and its release in one, by the equality of their type.
CREATE FUNCTION helper.written(release regclass, name name) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	several boolean;
BEGIN
	EXECUTE format('SELECT count(DISTINCT s.%1$I) < count(DISTINCT s.%1$I::text COLLATE "C") FROM %2$s AS s', name, helper.source_rows(release)) INTO several;
	RETURN CASE WHEN several THEN '' ELSE '::text COLLATE "C"' END;
EXCEPTION WHEN undefined_function THEN
	RETURN '::text COLLATE "C"';
END
$$;

-- check_column compares one column of a release with its source, and returns what is
-- wrong.  A protected column has the same values in every stratum and the same
-- NULLs; any other is the same record by record.
CREATE FUNCTION helper.check_column(release regclass, name name, protected boolean, strata name[])
RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	pairs text := helper.pairs(release);
	groups text := coalesce((SELECT string_agg(format('s.%I, ', g), '') FROM unnest(strata) AS g), '');
	written text := helper.written(release, name);
	old text := format('SELECT %ss.%I%s FROM %s', groups, name, written, pairs);
	new text := format('SELECT %sr.%I%s FROM %s', groups, name, written, pairs);
	moved bigint;
BEGIN
	IF NOT protected THEN
		moved := helper.count_of(format('SELECT count(*) FROM %s WHERE s.%2$I%3$s IS DISTINCT FROM r.%2$I%3$s',
			pairs, name, written));
		RETURN CASE WHEN moved > 0 THEN format('%s values of %I differ', moved, name) END;
	END IF;
	moved := helper.count_of(format('SELECT count(*) FROM (%s EXCEPT ALL %s) AS d', old, new))
		+ helper.count_of(format('SELECT count(*) FROM (%s EXCEPT ALL %s) AS d', new, old));
	IF moved > 0 THEN
		RETURN format('%I has other values', name);
	END IF;
	moved := helper.count_of(format('SELECT count(*) FROM %s WHERE num_nulls(r.%2$I) <> num_nulls(s.%2$I)',
		pairs, name));
	RETURN CASE WHEN moved > 0 THEN format('%I has other nulls', name) END;
END
$$;

-- check_release compares a release with its source and with the catalog's entry, and
-- returns what is wrong, or how many columns are as they must be.
CREATE FUNCTION helper.check_release(release regclass) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	entry record;
	att record;
	problems text[] := '{}';
	checked int := 0;
BEGIN
	SELECT * INTO entry FROM sdc_releases AS r WHERE r.release = check_release.release;
	IF NOT FOUND THEN
		RETURN 'not in the catalog';
	END IF;
	problems := problems || CASE
		WHEN helper.count_of('SELECT count(*) FROM ' || release) <> entry.records
		THEN 'other number of records than in the catalog' END
		|| CASE WHEN helper.count_of('SELECT count(*) FROM ' || helper.pairs(release)) <> entry.records
		THEN 'other records' END;
	-- the columns, their types and their order
	FOR att IN
		SELECT coalesce(s.attname, r.attname) AS name, s.attname IS NOT NULL AS in_source,
			r.attname IS NOT NULL AS in_release,
			(s.atttypid, s.atttypmod, s.attcollation) = (r.atttypid, r.atttypmod, r.attcollation) AS same_type
		FROM (SELECT * FROM pg_attribute WHERE attrelid = entry.source AND attnum > 0 AND NOT attisdropped) AS s
		FULL JOIN (SELECT * FROM pg_attribute WHERE attrelid = entry.release AND attnum > 0 AND NOT attisdropped) AS r
			ON s.attname = r.attname
		ORDER BY s.attnum, r.attnum
	LOOP
		IF NOT att.in_source THEN
			IF att.name <> 'sdc_row' OR entry.key <> '{}' THEN
				problems := problems || format('%I is new', att.name);
			END IF;
		ELSIF att.in_release = (att.name = ANY (entry.omitted)) THEN
			problems := problems || format('%I is %s', att.name,
				CASE WHEN att.in_release THEN 'there' ELSE 'missing' END);
		ELSIF att.in_release THEN
			IF NOT att.same_type THEN
				problems := problems || format('%I has another type', att.name);
			END IF;
			problems := problems || helper.check_column(release, att.name,
				att.name = ANY (entry.columns), entry.strata);
			checked := checked + 1;
		END IF;
	END LOOP;
	problems := array_remove(problems, NULL);
	RETURN CASE WHEN problems = '{}' THEN format('ok, %s columns', checked)
		ELSE array_to_string(problems, '; ') END;
END
$$;

-- changed_share returns the percentage of the records whose value differs, of those
-- that have a value.
CREATE FUNCTION helper.changed_share(release regclass, name name) RETURNS numeric
LANGUAGE plpgsql AS $$
DECLARE
	result numeric;
BEGIN
	EXECUTE format('SELECT 100.0 * count(*) FILTER (WHERE s.%2$I <> r.%2$I) / nullif(count(s.%2$I), 0) FROM %1$s',
		helper.pairs(release), name) INTO STRICT result;
	RETURN round(result, 1);
END
$$;

-- furthest returns how far the value that moved furthest moved in the sorted order of its
-- stratum: the positions between the group of values equal to the old one and
-- the group of values equal to the new one.
CREATE FUNCTION helper.furthest(release regclass, name name, strata name[] DEFAULT '{}') RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
	result bigint;
	same text := coalesce((SELECT string_agg(format('%I', g), ', ') FROM unnest(strata) AS g), 'true');
	groups text := coalesce((SELECT string_agg(format('s.%I::text', g), ' || ''/'' || ') FROM unnest(strata) AS g), '''''');
BEGIN
	EXECUTE format($query$
		WITH pair AS (
			SELECT %3$s AS stratum, s.%2$I AS old, r.%2$I AS new FROM %1$s WHERE s.%2$I IS NOT NULL
		), tie AS (
			SELECT stratum, old AS value, min(position) AS low, max(position) AS high
			FROM (SELECT stratum, old, row_number() OVER (PARTITION BY stratum ORDER BY old) AS position FROM pair) AS p
			GROUP BY stratum, old
		)
		SELECT max(greatest(b.low - a.high, a.low - b.high, 0))
		FROM pair
		JOIN tie AS a ON a.stratum IS NOT DISTINCT FROM pair.stratum AND a.value = old
		JOIN tie AS b ON b.stratum IS NOT DISTINCT FROM pair.stratum AND b.value = new
		$query$, helper.pairs(release), name, groups) INTO STRICT result;
	RETURN result;
END
$$;

-- fingerprint identifies the rows of a table in the order of an expression: by default in
-- physical order.
CREATE FUNCTION helper.fingerprint(relation regclass, ordering text DEFAULT 'ctid') RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT md5(string_agg(t::text, E''\n'' ORDER BY %s)) FROM %s AS t', ordering, relation)
		INTO STRICT result;
	RETURN result;
END
$$;

-- The checks themselves need no parallel plans, also where a setting forces them.
ALTER FUNCTION helper.check_release SET max_parallel_workers_per_gather = 0;
ALTER FUNCTION helper.check_column SET max_parallel_workers_per_gather = 0;
ALTER FUNCTION helper.changed_share SET max_parallel_workers_per_gather = 0;
ALTER FUNCTION helper.furthest SET max_parallel_workers_per_gather = 0;
ALTER FUNCTION helper.fingerprint SET max_parallel_workers_per_gather = 0;
ALTER FUNCTION helper.count_of SET max_parallel_workers_per_gather = 0;

-- The checks find what is wrong: a check that cannot fail proves nothing.
SELECT helper.make_people('person', 200);
SELECT attribute, action, records FROM sdc_rankswap('person', p => 5, strata => '{region}', omit => '{born}', seed => 42);
SELECT helper.check_release('person_rankswap');
BEGIN;
UPDATE person_rankswap SET weight = weight + 1 WHERE id = 10;
SELECT helper.check_release('person_rankswap');
UPDATE person_rankswap SET job = 'spy' WHERE id = 10;
SELECT helper.check_release('person_rankswap');
ROLLBACK;
BEGIN;
UPDATE person_rankswap AS r SET age = o.age FROM person_rankswap AS o
WHERE (r.id, o.id) IN ((1, 4), (4, 1)) AND r.age <> o.age AND r.region <> o.region;
SELECT helper.check_release('person_rankswap');
ROLLBACK;
BEGIN;
DELETE FROM person_rankswap WHERE id = 10;
SELECT helper.check_release('person_rankswap');
ROLLBACK;
BEGIN;
UPDATE person_rankswap AS r SET savings = o.savings
FROM (SELECT array_agg(id) AS ids, max(savings) AS savings
	FROM (SELECT DISTINCT ON (savings IS NULL) id, savings FROM person_rankswap
		WHERE region = 'north' ORDER BY savings IS NULL, id) AS two) AS p
JOIN person_rankswap AS o ON o.id = ANY (p.ids)
WHERE r.id = ANY (p.ids) AND r.id <> o.id;
SELECT helper.check_release('person_rankswap');
ROLLBACK;
BEGIN;
ALTER TABLE person_rankswap ALTER income TYPE numeric;
SELECT helper.check_release('person_rankswap');
ALTER TABLE person_rankswap ADD born date, DROP job;
SELECT helper.check_release('person_rankswap');
ROLLBACK;
SELECT helper.fingerprint('person') <> helper.fingerprint('person', 'id DESC') AS order_counts,
	helper.fingerprint('person') = helper.fingerprint('person', 'id') AS same_order;
SELECT helper.catch('SELECT 1'), helper.catch('SELECT 1 / 0');
SELECT helper.leaks('SELECT ''abc''::int', 'abc'), helper.leaks('SELECT 1 / 0', 'abc');

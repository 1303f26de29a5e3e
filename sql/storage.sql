--
-- storage
--
-- How values were stored in the source, and in what they are made of, does not show in what leaves: not by pg_column_size, not by
-- pg_column_compression, and not by the comparison of bytes.
--
\pset format unaligned
\pset footer off
CREATE SCHEMA storage;
SET search_path = storage, public;
SET sdc.accuracy_records = 0;
CREATE TYPE pair AS (x text, y int);
CREATE TYPE nested AS (p pair, l pair[], z text);
CREATE TYPE pair_range AS RANGE (subtype = pair, multirange_type_name = pair_ranges);
CREATE TYPE text_range AS RANGE (subtype = text, collation = "C", multirange_type_name = text_ranges);
CREATE DOMAIN pair_domain AS pair;
CREATE DOMAIN pairs_domain AS pair_domain[];
CREATE TYPE late AS (x text);
CREATE TABLE shape (x text, gone text, y int);
ALTER TABLE shape ALTER x SET STORAGE PLAIN;

-- form gives the same text in other forms: compressed in two ways, not compressed, beside the record, short.
CREATE TABLE form (id int, compressed text COMPRESSION pglz, other text COMPRESSION lz4, plain text, outside text, brief text, brief_plain text);
ALTER TABLE form ALTER outside SET STORAGE EXTERNAL, ALTER brief_plain SET STORAGE PLAIN;
INSERT INTO form SELECT i, t.v, t.v, t.v, t.v, 'short ' || i % 3, 'short ' || i % 3
FROM generate_series(1, 60) AS i, LATERAL (SELECT repeat('abcdefghij' || i % 3, 300) AS v) AS t;
CREATE FUNCTION form(i int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT CASE i / 15 WHEN 0 THEN compressed WHEN 1 THEN other WHEN 2 THEN outside ELSE plain || '' END FROM form WHERE id = i);
END
$$;

-- source_row has values of all shapes, made of a text; every text comes in four forms, and so does what is made of it.
CREATE TABLE source (id int PRIMARY KEY, a int, c pair, n nested, l text[], m pair[], r pair_range, mr pair_ranges, t text_range, d pair_domain, ds pairs_domain,
	i int[], late late, s shape, b text);
INSERT INTO source (id, a, late) SELECT i, i * 7 % 31, ROW(f.compressed)::late FROM generate_series(1, 30) AS i JOIN form AS f ON f.id = i;
ALTER TYPE late ADD ATTRIBUTE y int CASCADE;
INSERT INTO source (id, a, late) SELECT i, i * 7 % 31, ROW(f.compressed, NULL)::late FROM generate_series(31, 59) AS i JOIN form AS f ON f.id = i;
UPDATE source SET s = ROW(form.brief, 'old ' || source.id, 1)::shape FROM form WHERE form.id = source.id AND source.id % 2 = 0;
ALTER TABLE shape DROP gone;
UPDATE source SET s = ROW(form.brief_plain, 1)::shape FROM form WHERE form.id = source.id AND source.id % 2 = 1;
DO $$
DECLARE
	f record;
	v text;
BEGIN
	-- a value that a row of a table has goes into a new one as it lies there
	FOR f IN SELECT * FROM form WHERE id < 60 LOOP
		EXECUTE format($x$UPDATE source SET c = ROW(o.%1$I, 1)::pair, n = ROW(ROW(o.%1$I, 1), ARRAY[ROW(o.%1$I, 2)::pair], o.%1$I)::nested, l = ARRAY[o.%1$I], m = ARRAY[ROW(o.%1$I, 1)::pair, NULL],
			r = pair_range(ROW(o.%1$I, 1)::pair, ROW(o.%1$I, 2)::pair), mr = pair_ranges(pair_range(ROW(o.%1$I, 1)::pair, ROW(o.%1$I, 2)::pair)), t = text_range(o.%1$I, NULL),
			d = ROW(o.%1$I, 1)::pair, ds = ARRAY[ROW(o.%1$I, 1)::pair_domain], i = CASE WHEN o.id %% 2 = 0 THEN ARRAY[1, 2] ELSE (ARRAY[1, 2, NULL])[1:2] END, b = o.%2$I
			FROM form AS o WHERE o.id = %3$s AND source.id = %3$s$x$, (ARRAY['compressed', 'other', 'outside', 'plain'])[1 + f.id / 15], (ARRAY['brief', 'brief_plain'])[1 + f.id % 2], f.id);
	END LOOP;
END
$$;

-- forms lists what of a relation shows how it was stored: equal values, or equal parts of values, of another size, compression or other bytes.
CREATE FUNCTION forms(relation regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	of text;
	part text;
	different bigint;
	found text := '';
BEGIN
	FOR of, part IN SELECT split_part(x, '|', 1), split_part(x, '|', 2) FROM unnest(ARRAY['c|c', 'c|(c).x', 'n|n', 'n|(n).p', 'n|((n).p).x', 'n|(n).l', 'n|((n).l)[1]', 'n|(((n).l)[1]).x', 'n|(n).z',
		'l|l', 'l|l[1]', 'm|m', 'm|m[1]', 'm|(m[1]).x', 'r|r', 'r|lower(r)', 'r|(lower(r)).x', 'r|(upper(r)).x', 'mr|mr', 'mr|lower(mr)', 'mr|(lower(mr)).x', 't|t', 't|lower(t)', 'd|d', 'd|(d::pair).x',
		'ds|ds', 'ds|(ds::pair_domain[])[1]', 'ds|((ds::pair_domain[])[1]::pair).x', 'i|i', 'late|late', 'late|(late).x', 's|s', 's|(s).x', 'b|b']) AS x
	LOOP
		CONTINUE WHEN NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = relation AND attname = of);
		EXECUTE format($x$WITH e AS MATERIALIZED (SELECT %2$s AS v, pg_column_size(%2$s) AS size, pg_column_compression(%2$s) AS compression, (%2$s)::text AS t FROM %1$s),
			f AS (SELECT DISTINCT ON (t) * FROM e ORDER BY t)
			SELECT count(*) FROM e JOIN f USING (t) WHERE NOT record_image_eq(ROW(e.size, e.compression, e.v), ROW(f.size, f.compression, f.v))$x$, relation, part) INTO different;
		IF different > 0 THEN
			found := found || ' ' || part;
		END IF;
	END LOOP;
	RETURN coalesce(nullif(found, ''), 'one form');
END
$$;
SELECT forms('source') AS source;
-- same tells whether a relation has the values of the source in all columns.
CREATE FUNCTION same(relation regclass) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	name name;
	own text[];
	right_ones text[];
BEGIN
	FOR name IN SELECT attname FROM pg_attribute WHERE attrelid = relation AND attnum > 0 AND attname NOT IN ('id', 'group_id') LOOP
		EXECUTE format('SELECT (SELECT array_agg(%1$I::text ORDER BY %1$I::text) FROM %2$s), (SELECT array_agg(%1$I::text ORDER BY %1$I::text) FROM source)', name, relation) INTO own, right_ones;
		IF own <> right_ones THEN
			RETURN false;
		END IF;
	END LOOP;
	RETURN true;
END
$$;

-- A release that sdc has made, and its publication, new and with new contents.
SELECT count(*) FROM sdc_rankswap('source', p => 20, columns => '{a}', keep => '{c,n,l,m,r,mr,t,d,ds,i,late,s,b}', target => 'made', seed => 1);
SELECT forms('made'), same('made');
SELECT records FROM sdc_publish('made', 'of_made', keep => '{c,n,l,m,r,mr,t,d,ds,i,late,s,b}', force => true);
SELECT forms('of_made'), same('of_made');
SELECT records FROM sdc_publish('made', 'of_made', keep => '{c,n,l,m,r,mr,t,d,ds,i,late,s,b}', force => true, replace => true);
SELECT forms('of_made'), same('of_made');
SELECT records FROM sdc_publish('made', 'of_made', keep => '{c,n,l,m,r,mr,t,d,ds,i,late,s,b}', force => true, replace => true, mode => 'rows');
SELECT forms('of_made'), same('of_made');

-- A table that was registered, in which everything lies as in the source.
CREATE TABLE elsewhere AS TABLE source;
SELECT sdc_register('source', 'elsewhere', '{a}');
SELECT forms('elsewhere') = forms('source') AS as_the_source;
SELECT records FROM sdc_publish('elsewhere', 'of_elsewhere', keep => '{c,n,l,m,r,mr,t,d,ds,i,late,s,b}', force => true);
SELECT forms('of_elsewhere'), same('of_elsewhere');

-- Such values as protected ones; the views of a permutation, which are published as they are; rows without a table.
SELECT count(*) FROM sdc_rankswap('source', p => 60, columns => '{c,l,m,r,d,i,late,s,b}', keep => '{}', target => 'swapped', seed => 1);
SELECT forms('swapped'), same('swapped');
SELECT count(*) FROM sdc_permute('source', '{c,n,b}', '{a}', l => 2, omit => '{l,m,r,mr,t,d,ds,i,late,s}', target => 'permuted', seed => 1);
SELECT forms('permuted'), forms('permuted_qi'), same('permuted');
CREATE TABLE of_rows AS SELECT * FROM sdc_rankswap(NULL::source, p => 20, columns => '{a}', keep => '{c,n,l,m,r,mr,t,d,ds,i,late,s,b}', seed => 1);
SELECT forms('of_rows'), same('of_rows');

-- Ranges and sets of groups.
SELECT count(*) FROM sdc_generalize('source', '{c,d}', k => 15, keep => '{}', target => 'general');
SELECT count(DISTINCT c::text) = count(DISTINCT (c::text, pg_column_size(c), pg_column_size(c[1]), pg_column_compression((c[1]).x))) AS one_form FROM general;
-- Values of shapes without a form of their own are not touched, and nothing is lost of arrays with several dimensions, bounds of their own, NULLs, or empty.
CREATE TABLE plain (id int PRIMARY KEY, a int, i int[], t text[], r int4range, n numrange, mr int4multirange, p pair, e pair[], v int2vector);
INSERT INTO plain VALUES (1, 1, '{{1,2},{3,NULL}}', '[0:1]={a,NULL}', 'empty', '(1.50,2]', '{[1,2),[5,)}', NULL, '{}', '1 2'),
	(2, 2, '[-1:0][2:3]={{1,2},{3,4}}', '{}', '(,5)', '[,]', '{}', ROW(NULL, NULL), '[3:4]={"(a,1)",NULL}', '');
SELECT count(*) FROM sdc_rankswap('plain', p => 60, columns => '{a}', keep => '{i,t,r,n,mr,p,e,v}', target => 'plain_release', seed => 1);
SELECT records FROM sdc_publish('plain_release', 'of_plain', keep => '{i,t,r,n,mr,p,e,v}', force => true);
SELECT i, t, r, n, mr, p, e, v FROM of_plain ORDER BY i, t;
SELECT count(*) FROM of_plain JOIN plain USING (i, t, r, n, mr, e, v) WHERE of_plain.p::text IS NOT DISTINCT FROM plain.p::text;

--
-- continued_windows
--
-- Windows of releases that are continued: pairs that were kept may be further apart than the method says.  Such a release is
-- attacked by the method's windows, and by those that are half as wide again, or as wide as its largest distance: as if it
-- had been registered with a larger parameter.
--
\pset format unaligned
\pset footer off
SET maintenance_work_mem = '64MB';
SET client_min_messages = warning;
CREATE SCHEMA continued_windows;
SET search_path = continued_windows, public;
CREATE TABLE people AS SELECT i AS id, helper.below(i, 1, 900) AS a, helper.below(i, 2, 400) AS b, helper.uniform(i, 3) AS c FROM generate_series(1, 200) AS i;
ALTER TABLE people ADD PRIMARY KEY (id);
SELECT count(*) FROM sdc_rankswap('people', 5, '{a,b,c}', 'own', seed => 5);
-- The same table once for each parameter that it is said to have been made with.
CREATE FUNCTION said(name text, method text, parameters jsonb) RETURNS regclass LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE %I AS SELECT id, a, b, c FROM own', name);
	PERFORM sdc_register('people', name::regclass, '{a,b,c}', method => method, parameters => parameters);
	RETURN name;
END $$;
SELECT said('plain', 'rankswap', '{"p": 4}'), said('plain_half', 'rankswap', '{"p": 6}'), said('plain_most', 'rankswap', '{"p": 9}'), said('not_continued', 'rankswap', '{"p": 4, "continued": false, "largest": 9}'),
	said('kept', 'rankswap', '{"p": 4, "continued": true, "min_changes": 125}'), said('kept_most', 'rankswap', '{"p": 4, "continued": true, "largest": 9}'), said('kept_less', 'rankswap', '{"p": 4, "continued": true, "largest": 5}'),
	said('buckets', 'rankswap_buckets', '{"buckets": 40}'), said('buckets_half', 'rankswap', '{"p": 8}'), said('buckets_own', 'rankswap', '{"p": 5}'), said('kept_buckets', 'rankswap_buckets', '{"buckets": 40, "continued": true, "largest": 0.5}');
-- The attacks by windows: nearest with the wide ones, narrow with those of the method, which are never certain.
CREATE TEMP VIEW rates AS SELECT r.release, l.attack, found, single, certain FROM unnest('{plain,plain_half,plain_most,not_continued,kept,kept_most,kept_less,buckets_half,buckets_own,kept_buckets}'::regclass[]) AS r (release), sdc_people_found(r.release, '{a,b,c}') AS l;
SELECT release, string_agg(attack, ' ') FROM rates WHERE release IN ('plain'::regclass, 'kept'::regclass, 'not_continued'::regclass) GROUP BY release ORDER BY release::text;
SELECT k.release, k.attack, o.release AS like, o.attack AS its, abs(k.found - o.found) < 1e-9 AS found, k.single = o.single AS single, k.certain = CASE k.attack WHEN 'narrow' THEN 0 ELSE o.certain END AS certain
FROM (VALUES ('kept', 'nearest', 'plain_half', 'nearest'), ('kept', 'candidates', 'plain_half', 'candidates'), ('kept', 'narrow', 'plain', 'nearest'), ('kept_most', 'nearest', 'plain_most', 'nearest'), ('kept_most', 'narrow', 'plain', 'nearest'),
	('kept_less', 'nearest', 'plain_half', 'nearest'), ('kept', 'distance', 'plain', 'distance'), ('kept', 'agreement', 'plain', 'agreement'), ('not_continued', 'nearest', 'plain', 'nearest'),
	('kept_buckets', 'nearest', 'buckets_half', 'nearest'), ('kept_buckets', 'narrow', 'buckets_own', 'nearest')) AS c (release, attack, other, its)
LEFT JOIN rates AS k ON (k.release, k.attack) = (c.release::regclass, c.attack) LEFT JOIN rates AS o ON (o.release, o.attack) = (c.other::regclass, c.its);
-- single of any is of who has one candidate in any attack: within W or the wider window, by positions in the sorted columns.
WITH sorted AS (SELECT array_agg(a ORDER BY a) AS a, array_agg(b ORDER BY b) AS b, array_agg(c ORDER BY c) AS c FROM own),
reach AS (SELECT o.id, w, s.a[greatest((SELECT count(*) FROM own WHERE a < o.a) - w, 0) + 1] AS a1, s.a[least((SELECT count(*) FROM own WHERE a <= o.a) - 1 + w, 199) + 1] AS a2,
	s.b[greatest((SELECT count(*) FROM own WHERE b < o.b) - w, 0) + 1] AS b1, s.b[least((SELECT count(*) FROM own WHERE b <= o.b) - 1 + w, 199) + 1] AS b2,
	s.c[greatest((SELECT count(*) FROM own WHERE c < o.c) - w, 0) + 1] AS c1, s.c[least((SELECT count(*) FROM own WHERE c <= o.c) - 1 + w, 199) + 1] AS c2
	FROM people AS o, sorted AS s, unnest('{8,12}'::int[]) AS w),
alone AS (SELECT x.id, w FROM reach AS x JOIN own AS r ON r.a BETWEEN a1 AND a2 AND r.b BETWEEN b1 AND b2 AND r.c BETWEEN c1 AND c2 GROUP BY x.id, w HAVING count(*) = 1)
SELECT (SELECT count(*) FROM alone WHERE w = 8) = (SELECT single FROM rates WHERE release = 'kept'::regclass AND attack = 'narrow') AS narrow, (SELECT count(DISTINCT id) FROM alone) = (SELECT single FROM rates WHERE release = 'kept'::regclass AND attack = 'any') AS any,
	(SELECT count(DISTINCT id) FROM alone) > (SELECT count(*) FROM alone WHERE w = 12) AS more;
-- The windows matter: with them not everybody is inside, without many are.
SELECT release, attack, round(found::numeric, 4) AS found, certain FROM rates WHERE release IN ('plain'::regclass, 'plain_half'::regclass, 'kept'::regclass) AND attack IN ('nearest', 'narrow', 'any') ORDER BY 1, 2;
-- Of each record that counts which is larger, and it is certain by the wide windows only.
CREATE TEMP VIEW shares AS SELECT r.release, l.record, candidates, ties, CASE WHEN correct THEN 1.0 / ties ELSE 0 END AS share FROM unnest('{plain,plain_half,kept}'::regclass[]) AS r (release), sdc_link_rankswap(r.release, NULL, '{a,b,c}') AS l;
SELECT count(*) AS records, count(*) FILTER (WHERE k.share = greatest(p.share, h.share)) AS larger, count(*) FILTER (WHERE k.candidates = h.candidates) AS candidates, count(*) FILTER (WHERE p.share > h.share) > 0 AND count(*) FILTER (WHERE p.share < h.share) > 0 AS both
FROM shares AS k JOIN shares AS p USING (record) JOIN shares AS h USING (record) WHERE (k.release, p.release, h.release) = ('kept'::regclass, 'plain'::regclass, 'plain_half'::regclass);
SELECT k.certain, count(*) AS records, count(*) FILTER (WHERE k.certain = h.certain) AS same FROM sdc_record_risk('kept', '{a,b,c}') AS k JOIN sdc_record_risk('plain_half', '{a,b,c}') AS h USING (record) GROUP BY k.certain ORDER BY k.certain;
-- The rates count the windows that link more.
CREATE TEMP VIEW risks AS SELECT r.release, known, linked FROM unnest('{plain,plain_half,kept}'::regclass[]) AS r (release), sdc_disclosure_risk(r.release) WHERE attack = 'rankswap';
SELECT known, k.linked = greatest(p.linked, h.linked) AS larger FROM risks AS k JOIN risks AS p USING (known) JOIN risks AS h USING (known) WHERE (k.release, p.release, h.release) = ('kept'::regclass, 'plain'::regclass, 'plain_half'::regclass) ORDER BY known;
-- What everybody else leaves is told by sound windows.
SELECT helper.catch($$SELECT * FROM sdc_link_release('plain', '{a,b,c}', everybody => true)$$), (SELECT count(*) FROM sdc_link_release('kept_most', '{a,b,c}', everybody => true)), (SELECT count(*) FROM sdc_link_release('plain_most', '{a,b,c}', everybody => true));
DROP SCHEMA continued_windows CASCADE;

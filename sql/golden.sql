--
-- golden
--
-- Exact releases for fixed seeds.  A difference here means that a release that was made with
-- a seed cannot be made again: that needs a new SDC_STREAM_VERSION, which is kept
-- with every release, and a line in the changelog.
--
CREATE TABLE golden (id int PRIMARY KEY, g text COLLATE "C", a int, b float8, c text COLLATE "C", d numeric(6,2));
INSERT INTO golden VALUES
	(1, 'x', 10, 0.5, 'ant', 1.10), (2, 'y', 20, 1.5, 'bee', 2.20), (3, 'x', 30, 2.5, 'cat', 3.30), (4, 'y', 40, 3.5, 'dog', 4.40),
	(5, 'x', 50, 4.5, 'elk', 5.50), (6, 'y', 60, 5.5, 'fox', 5.50), (7, 'x', 70, 6.5, 'gnu', 5.50), (8, 'y', 80, 7.5, 'hen', 5.50),
	(9, 'x', 90, 'NaN', 'ibex', 6.60), (10, 'y', 100, '-Infinity', 'jay', NULL), (11, 'x', 110, '-0', 'kid', NULL), (12, 'y', 120, 0, 'lynx', 7.70),
	(13, 'x', NULL, 8.5, 'mole', 8.80), (14, 'y', 140, NULL, 'newt', 9.90), (15, NULL, 150, 9.5, 'ox', 10.00), (16, NULL, 160, 10.5, NULL, 11.00),
	(17, 'x', 170, 11.5, 'pig', 12.00), (18, 'y', 180, 12.5, 'rat', 13.00), (19, 'x', 190, 13.5, 'seal', 14.00), (20, 'y', 200, 14.5, 'toad', 15.00);

-- Standard: p n / 100 = 3 positions.
SELECT * FROM sdc_rankswap('golden', p => 15, columns => '{a,b,c,d}', seed => 42);
SELECT * FROM golden_rankswap ORDER BY id;
-- p-distribution: mean and deviation of 2 positions.
SELECT * FROM sdc_rankswap_distribution('golden', p => 20, columns => '{a,b,c,d}', seed => 42);
SELECT * FROM golden_rankswap_distribution ORDER BY id;
-- p-buckets
SELECT * FROM sdc_rankswap_buckets('golden', buckets => 4, columns => '{a,b,c,d}', seed => 42);
SELECT * FROM golden_rankswap_buckets ORDER BY id;
-- strata
SELECT * FROM sdc_rankswap('golden', p => 20, columns => '{a,b,c,d}', strata => '{g}', seed => 'a text, ä', target => 'golden_strata');
SELECT * FROM golden_strata ORDER BY g, id;
-- without a key, in physical order
CREATE TABLE golden_nokey AS SELECT * FROM golden ORDER BY id DESC;
SELECT attribute, action, changed FROM sdc_rankswap('golden_nokey', p => 15, columns => '{a}', omit => '{b,c,d}', seed => 42);
SELECT * FROM golden_nokey_rankswap ORDER BY sdc_row;
-- window functions
SELECT id, sdc_rankswap_over(a, 15, '42') OVER w AS standard, sdc_rankswap_distribution_over(a, 15, '42') OVER w AS distribution,
	sdc_rankswap_buckets_over(a, 4, '42') OVER w AS buckets, sdc_rankswap_over(c, 25, '42') OVER (PARTITION BY g ORDER BY c, id) AS c
FROM golden WINDOW w AS (ORDER BY a, id) ORDER BY id;

-- A thousand records of several types: the fingerprints of what is made.
SELECT helper.make_people('golden_people', 1000);
SELECT attribute, action, changed FROM sdc_rankswap('golden_people', p => 5, columns => '{age,income,weight,savings,born,job}', seed => 7);
SELECT attribute, action, changed FROM sdc_rankswap_distribution('golden_people', p => 2.5, columns => '{age,income,weight,savings,born,job}', seed => 7);
SELECT attribute, action, changed FROM sdc_rankswap_buckets('golden_people', buckets => 75, columns => '{age,income,weight,savings,born,job}', seed => 7);
SELECT attribute, action, changed FROM sdc_rankswap('golden_people', p => 0.7, strata => '{region,sex}', seed => 7, target => 'golden_people_strata');
SELECT release, method, helper.check_release(release), helper.fingerprint(release) AS fingerprint
FROM sdc_releases WHERE source = 'golden_people'::regclass ORDER BY release::text COLLATE "C";
-- And the checksums of the sources, which tell later whether a source has changed.  The catalog has them under
-- a seal: a nonce, and authentication codes of what is sealed, HMAC with SHA-256 (RFC 2104; RFC 4231 has the example).
CREATE FUNCTION helper.hmac(key bytea, message bytea) RETURNS bytea LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	inner_key bytea := '';
	outer_key bytea := '';
	byte int;
BEGIN
	FOR i IN 0 .. 63 LOOP
		byte := CASE WHEN i < length(key) THEN get_byte(key, i) ELSE 0 END;
		inner_key := inner_key || set_byte('\x00', 0, byte # 54);
		outer_key := outer_key || set_byte('\x00', 0, byte # 92);
	END LOOP;
	RETURN sha256(outer_key || sha256(inner_key || message));
END
$$;
SELECT helper.hmac('Jefe', 'what do ya want for nothing?');
-- little is a number in eight bytes, the lowest first; sealed tells whether the seal of a release is that of a checksum
CREATE FUNCTION helper.little(number bigint) RETURNS bytea LANGUAGE sql IMMUTABLE
RETURN (SELECT string_agg(substr(int8send(number), i, 1), '' ORDER BY i DESC) FROM generate_series(1, 8) AS i);
CREATE FUNCTION helper.sealed(release regclass, checksum bigint) RETURNS boolean LANGUAGE sql
RETURN (SELECT length(s.secret) = 32 AND length(c.checksum) = 64
		AND substr(c.checksum, 17, 16) = substr(helper.hmac(s.secret, 'o' || substr(c.checksum, 1, 16)
			|| helper.little(c.release::oid::bigint) || helper.little(c.source::oid::bigint)), 1, 16)
		AND substr(c.checksum, 33) = helper.hmac(s.secret, 'c' || substr(c.checksum, 1, 16)
			|| helper.little(c.release::oid::bigint) || helper.little(c.source::oid::bigint)
			|| helper.little(c.records) || helper.little(sealed.checksum))
	FROM sdc_private.sdc_release_catalog AS c, sdc_private.sdc_secret AS s WHERE c.release = sealed.release);
SELECT release, helper.sealed(release, checksum) AS sealed, helper.sealed(release, checksum + 1) AS another
FROM (VALUES ('golden_people_rankswap'::regclass, -7190279608274861865), ('golden_people_rankswap_buckets', -7190279608274861865),
	('golden_people_rankswap_distribution', -7190279608274861865), ('golden_people_strata', 4531845722927754135),
	('golden_rankswap', -5436757360372996877), ('golden_rankswap_buckets', -5436757360372996877),
	('golden_rankswap_distribution', -5436757360372996877), ('golden_strata', -5436757360372996877)) AS v (release, checksum);
SELECT count(DISTINCT substr(checksum, 1, 16)) = count(*) AS every_one_has_a_nonce FROM sdc_private.sdc_release_catalog;
SELECT DISTINCT stream_version FROM sdc_releases WHERE source = 'golden'::regclass;

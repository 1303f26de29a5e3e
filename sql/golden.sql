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
SELECT attribute, action, changed FROM sdc_rankswap('golden_people', columns => '{age,income,weight,savings,born,job}', seed => 7);
SELECT attribute, action, changed FROM sdc_rankswap_distribution('golden_people', p => 2.5, columns => '{age,income,weight,savings,born,job}', seed => 7);
SELECT attribute, action, changed FROM sdc_rankswap_buckets('golden_people', buckets => 75, columns => '{age,income,weight,savings,born,job}', seed => 7);
SELECT attribute, action, changed FROM sdc_rankswap('golden_people', p => 0.7, strata => '{region,sex}', seed => 7, target => 'golden_people_strata');
SELECT release, method, helper.check_release(release), helper.fingerprint(release) AS fingerprint
FROM sdc_releases WHERE source = 'golden_people'::regclass ORDER BY release::text COLLATE "C";
-- and the checksums of the sources, which tell later whether a source has changed
SELECT release, checksum FROM sdc_release_catalog
WHERE source IN ('golden_people'::regclass, 'golden'::regclass) ORDER BY release::text COLLATE "C";
SELECT DISTINCT stream_version FROM sdc_releases WHERE source = 'golden'::regclass;

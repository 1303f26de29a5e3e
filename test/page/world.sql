--
-- world.sql
--		Releases whose reports are looked at: one of numbers, one of groups, one with names that
--		are made to break pages, what a policy has published, and one of very many columns.
--
SET client_min_messages = error;
CREATE TABLE page AS
SELECT i AS id, (ARRAY['north', 'east', 'south', 'west'])[1 + i % 4] AS region, 18 + (i * 37) % 63 AS age,
	round(12000 + 900 * ((i * 37) % 63) ^ 0.7 + 40 * ((i * 7919) % 1009) ^ 0.95)::int AS income,
	round(300 + 5 * ((i * 7919) % 1009) ^ 0.6 + (i * 104729) % 211)::int AS rent,
	(ARRAY['baker', 'cook', 'nurse', 'teacher'])[1 + (i * 31) % 4] AS job
FROM generate_series(1, 400) AS i;
ALTER TABLE page ADD PRIMARY KEY (id);
SELECT sdc_classify('page', 'job', 'sensitive');
SELECT FROM sdc_rankswap('page', p => 10, keep => '{region,job}', seed => 1);
SELECT FROM sdc_rankswap('page', p => 3, keep => '{region,job}', target => 'page_3', seed => 1);
SELECT FROM sdc_rankswap('page', p => 50, keep => '{region,job}', target => 'page_50', seed => 1);
SELECT FROM sdc_generalize('page', '{age,region}', '{job}', l => 2, k => 5, keep => '{income}');

CREATE TABLE "s<script>window.trapped=1</script>""]]>'&" AS
SELECT id, income AS "i<script>window.trapped=1</script> and as long as a name may be ..",
	rent AS "w""]]>'&amp;<img src=x onerror='window.trapped=1'>", age AS "a--><!--", job AS "</title></svg><h2>" FROM page;
ALTER TABLE "s<script>window.trapped=1</script>""]]>'&" ADD PRIMARY KEY (id);
SELECT sdc_classify('"s<script>window.trapped=1</script>""]]>''&"', '</title></svg><h2>', 'sensitive');
SELECT FROM sdc_rankswap('"s<script>window.trapped=1</script>""]]>''&"'::regclass, p => 10, keep => '{</title></svg><h2>}',
	target => '"r<script>window.trapped=1</script>"', seed => 1);
SELECT FROM sdc_rankswap('"s<script>window.trapped=1</script>""]]>''&"'::regclass, p => 50, keep => '{</title></svg><h2>}',
	target => '"a name that is as long as a name of a release can be, 63 bytes."', seed => 1);

SELECT sdc_policy_set('page', 'page', '[{"method": "rankswap", "columns": ["age", "income", "rent"], "p": 40}]', 'public.page_public', keep => '{region,job}',
	limits => '{"people_found": 30}', on_unchanged => 'publish', workload => ARRAY['age > 60 AND income < 15000', 'rent > 400 AND job = ''baker''',
		'region = ''<script>window.trapped=1</script>'' OR income > 13000 AND age < 30', 'id IN (' || array_to_string(ARRAY(SELECT generate_series(1, 200)), ',') || ')']);
CALL sdc_run('page');
CALL sdc_run('page');

DO $$
BEGIN
	EXECUTE format('CREATE TABLE broad AS SELECT i AS id, %s FROM generate_series(1, 100) AS i',
		(SELECT string_agg(format('(i * %s %% %s)::int AS "column with the number %s"', 7 + 2 * c, 11 + c % 40, c), ', ') FROM generate_series(1, 300) AS c));
END
$$;
ALTER TABLE broad ADD PRIMARY KEY (id);
SELECT FROM sdc_rankswap('broad', p => 20, target => 'page_broad', seed => 1);

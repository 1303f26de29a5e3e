/*
 * nightly.sql
 *		After the job "nightly" of the guide: what pg_cron has stored works when pg_cron runs it: one job publishes,
 *		the other one fails, and says why.
 *
 * The packaged pg_cron counts in minutes, so the jobs are run once by a schedule of
 * every minute, which takes up to a minute, or as long as it takes: it is waited for until they
 * have run, or pg_cron is gone.
 */
SELECT CASE WHEN count(*) = 2 THEN 'ok' ELSE 'not ok' END || ' - nightly: the jobs are stored'
FROM cron.job WHERE (jobname, schedule) IN (('sdc-nightly', '0 3 * * *'), ('sdc-weak', '30 3 * * *')) AND active;

CREATE VIEW person_reader AS SELECT region, income FROM person_public;
CREATE INDEX person_public_income ON person_public (income);
-- Without a lot of newcomers a release that is continued would be the same.
INSERT INTO person (id, email, region, age, income, rent)
SELECT i, 'p' || i || '@example.org', 'west', 18 + i % 63, 20000 + (i * 7919) % 30000, 500 + (i * 104729) % 500 FROM generate_series(2031, 2070) AS i;
SELECT release AS last FROM sdc_runs WHERE policy = 'nightly' AND status = 'published' ORDER BY run DESC LIMIT 1 \gset
CREATE TEMP TABLE stayers AS SELECT id, age, income, rent FROM :last;
CREATE TEMP TABLE before AS
	SELECT 'person_public'::regclass AS publication, (SELECT max(run) FROM sdc_runs) AS run,
		   (SELECT string_agg(p::text, ',' ORDER BY p::text) FROM person_public AS p) AS rows;

DO $$
BEGIN
	PERFORM cron.alter_job(jobid, schedule => '* * * * *')
	FROM cron.job WHERE jobname LIKE 'sdc-%';
END $$;
DO $$
BEGIN
	LOOP
		PERFORM pg_stat_clear_snapshot();
		EXIT WHEN (SELECT count(DISTINCT jobid) FROM cron.job_run_details WHERE end_time IS NOT NULL) = 2
			OR NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'pg_cron launcher');
		PERFORM pg_sleep(0.1);
	END LOOP;
	PERFORM cron.alter_job(jobid, schedule => CASE jobname WHEN 'sdc-weak' THEN '30 3 * * *' ELSE '0 3 * * *' END)
	FROM cron.job WHERE jobname LIKE 'sdc-%';
END $$;
SELECT CASE WHEN bool_and(d.status = 'succeeded') THEN 'ok' ELSE 'not ok' END
	   || ' - nightly: pg_cron runs the policy (' || COALESCE(string_agg(d.status || ', ' || d.return_message, '; '), 'never') || ')'
FROM cron.job_run_details AS d JOIN cron.job AS j USING (jobid)
WHERE j.jobname = 'sdc-nightly' AND d.end_time IS NOT NULL;
SELECT CASE WHEN bool_and(d.status = 'failed' AND d.return_message ~ '^ERROR: +run [0-9]+ of policy "weak" was rejected: people_found is .*, and at most 5 is allowed')
			THEN 'ok' ELSE 'not ok' END
	   || ' - nightly: the job of a release that misses a limit fails, and says why'
	   || CASE WHEN bool_and(d.status = 'failed') THEN '' ELSE COALESCE(' (' || string_agg(d.status || ', ' || d.return_message, '; ') || ')', ' (never)') END
FROM cron.job_run_details AS d JOIN cron.job AS j USING (jobid)
WHERE j.jobname = 'sdc-weak' AND d.end_time IS NOT NULL;

SELECT CASE WHEN array_agg(DISTINCT policy || ' ' || status ORDER BY policy || ' ' || status) = ARRAY['nightly published', 'weak rejected']
				 AND bool_and((status = 'rejected') = (COALESCE(reason, '') ~ '^people_found is '))
			THEN 'ok' ELSE 'not ok' END || ' - nightly: the log says the same'
FROM sdc_runs AS r, before WHERE r.run > before.run;
SELECT CASE WHEN to_regclass('person_weak') IS NULL AND NOT EXISTS (SELECT FROM pg_class WHERE relname LIKE 'weak_run%')
			THEN 'ok' ELSE 'not ok' END || ' - nightly: what was rejected is nowhere';
SELECT CASE WHEN count(*) = 1 AND bool_and(problem ~ '^run [0-9]+ is rejected: people_found is ') THEN 'ok' ELSE 'not ok' END
	   || ' - nightly: sdc_check says why'
FROM sdc_check('weak');

SELECT CASE WHEN publication = 'person_public'::regclass
				 AND rows <> (SELECT string_agg(p::text, ',' ORDER BY p::text) FROM person_public AS p)
				 AND (SELECT count(*) FROM person_reader) = (SELECT count(*) FROM person)
				 AND EXISTS (SELECT FROM pg_index WHERE indexrelid = 'person_public_income'::regclass AND indrelid = publication AND indisvalid)
				 AND has_table_privilege('analyst', publication, 'SELECT')
				 AND has_table_privilege('analyst', 'person_public_accuracy', 'SELECT')
			THEN 'ok' ELSE 'not ok' END || ' - nightly: new contents, and table, view, index and grants are still there'
FROM before;
SELECT CASE WHEN count(*) = 4 AND bool_and(NOT has_table_privilege('analyst', oid, 'SELECT')) THEN 'ok' ELSE 'not ok' END
	   || ' - nightly: the published releases are left, and the analyst cannot read them'
FROM pg_class WHERE relname LIKE 'nightly_run%' AND relkind = 'r';
SELECT release AS last FROM sdc_runs WHERE policy = 'nightly' AND status = 'published' ORDER BY run DESC LIMIT 1 \gset
SELECT CASE WHEN count(*) = (SELECT count(*) FROM stayers) THEN 'ok' ELSE 'not ok' END || ' - nightly: what stays was published as it was'
FROM (TABLE stayers INTERSECT SELECT id, age, income, rent FROM :last) AS same;

-- The table of the guide, for the pages after this one.
DROP VIEW person_reader;
SELECT sdc_policy_drop(policy) FROM sdc_policies \g /dev/null
SELECT cron.unschedule(jobname) FROM cron.job WHERE jobname LIKE 'sdc-%' \g /dev/null
DO $$
DECLARE
	release name;
BEGIN
	FOR release IN SELECT relname FROM pg_class WHERE relname ~ '^(nightly|monthly)_run_[0-9]+$' AND relkind = 'r' LOOP
		EXECUTE format('DROP TABLE %I', release);
	END LOOP;
END $$;
DELETE FROM person WHERE id > 2000;
ALTER TABLE person DROP COLUMN phone;

/*
 * nightly.sql
 *		After the job "nightly" of the guide: what pg_cron has stored works, by hand
 *		and when pg_cron runs it.
 *
 * The packaged pg_cron counts in minutes, so the job is run once by a schedule of
 * every minute, which takes up to a minute, or as long as it takes: it is waited for until it
 * has run, or pg_cron is gone.
 */
SELECT CASE WHEN count(*) = 1 THEN 'ok' ELSE 'not ok' END || ' - nightly: the job is stored'
FROM cron.job WHERE jobname = 'sdc-nightly' AND schedule = '0 3 * * *' AND active;

CREATE TEMP TABLE before AS
	SELECT (SELECT string_agg(p::text, ',' ORDER BY id) FROM person_protected AS p) AS rows,
		   (SELECT relfilenode FROM pg_class WHERE oid = 'person_protected'::regclass) AS heap;

\o /dev/null
SELECT command FROM cron.job WHERE jobname = 'sdc-nightly' \gexec
\o
SELECT CASE WHEN md5(rows) <> (SELECT md5(string_agg(p::text, ',' ORDER BY id))
							   FROM person_protected AS p)
			THEN 'ok' ELSE 'not ok' END || ' - nightly: the stored command replaces the release'
FROM before;

DO $$
BEGIN
	PERFORM cron.alter_job(jobid, schedule => '* * * * *')
	FROM cron.job WHERE jobname = 'sdc-nightly';
END $$;
DO $$
BEGIN
	LOOP
		PERFORM pg_stat_clear_snapshot();
		EXIT WHEN EXISTS (SELECT FROM cron.job_run_details AS d JOIN cron.job AS j USING (jobid)
						  WHERE j.jobname = 'sdc-nightly' AND d.end_time IS NOT NULL)
			OR NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'pg_cron launcher');
		PERFORM pg_sleep(0.1);
	END LOOP;
	PERFORM cron.alter_job(jobid, schedule => '0 3 * * *')
	FROM cron.job WHERE jobname = 'sdc-nightly';
END $$;
SELECT CASE WHEN bool_and(d.status = 'succeeded') THEN 'ok' ELSE 'not ok' END
	   || ' - nightly: pg_cron runs it (' || COALESCE(string_agg(d.status || ', ' || d.return_message, '; '), 'never') || ')'
FROM cron.job_run_details AS d JOIN cron.job AS j USING (jobid)
WHERE j.jobname = 'sdc-nightly' AND d.end_time IS NOT NULL;

SELECT CASE WHEN has_table_privilege('analyst', 'person_public', 'SELECT')
				 AND NOT has_table_privilege('analyst', 'person_protected', 'SELECT')
				 AND (SELECT count(*) FROM person_public) = (SELECT count(*) FROM person)
			THEN 'ok' ELSE 'not ok' END || ' - nightly: view and grants are still there';

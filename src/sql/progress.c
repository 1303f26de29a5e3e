/*-------------------------------------------------------------------------
 *
 * progress.c
 *		The function below the view sdc_progress.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/base/progress.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/rows.h"
#include "utils/backend_status.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"


#define PROGRESS_COLUMNS 12

/* Before so small a share of a phase is done nothing is said of the rest. */
#define SHARE_LEAST 0.01

/* may_see tells whether the caller may see what another session does. */
static bool
may_see(const PgBackendStatus *status)
{
	return has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) ||
		has_privs_of_role(GetUserId(), status->st_userid);
}

/* share_done is the share of the phase that is done, below 0 where that is not known. */
static double
share_done(const int64 *param)
{
	double		records = param[SDC_PROGRESS_RECORDS_TOTAL];
	double		attributes = param[SDC_PROGRESS_ATTRIBUTES_TOTAL];
	double		share = records > 0 ? Min(1.0, param[SDC_PROGRESS_RECORDS_DONE] / records) : -1;

	/* columns are protected one after the other; what else comes one after the other has no records */
	if (attributes > 0 && (param[SDC_PROGRESS_PHASE] == SDC_PHASE_PROTECTING ||
						   (param[SDC_PROGRESS_PHASE] != SDC_PHASE_READING && records <= 0)))
		share = Min(1.0, (param[SDC_PROGRESS_ATTRIBUTES_DONE] + Max(share, 0)) / attributes);
	return share;
}

/* fill_rest fills in how far the phase is, when it began, and how long it will still take at this rate. */
static void
fill_rest(const int64 *param, Datum *values, bool *nulls)
{
	TimestampTz start = (TimestampTz) param[SDC_PROGRESS_PHASE_START];
	double		share = share_done(param);
	double		passed = (double) (GetCurrentTimestamp() - start);
	Interval   *rest = palloc0(sizeof(Interval));

	nulls[0] = share < 0;
	values[0] = Float8GetDatum(100 * share);
	values[1] = TimestampTzGetDatum(start);
	nulls[2] = share < SHARE_LEAST;
	if (!nulls[2])
		rest->time = (TimeOffset) (Max(passed, 0) * (1 - share) / share);
	values[2] = IntervalPGetDatum(rest);
}

/*
 * sdc_private.progress() RETURNS SETOF record
 *
 * sdc_private.progress returns a row for every session that runs a function of
 * this extension in the caller's database.
 */
SDC_PLUMBING(progress)
{
	int			count = pgstat_fetch_stat_numbackends();

	sdc_rows_begin(fcinfo, 0);
	for (int i = 1; i <= count; i++)
	{
		LocalPgBackendStatus *local = sdc_local_backend_status(i);
		PgBackendStatus *status = local == NULL ? NULL : &local->backendStatus;
		Datum		values[PROGRESS_COLUMNS];
		bool		nulls[PROGRESS_COLUMNS] = {false};
		const int64 *param;

		if (status == NULL || status->st_progress_command != SDC_PROGRESS_COMMAND ||
			status->st_databaseid != MyDatabaseId || !may_see(status))
			continue;
		param = status->st_progress_param;
		values[0] = Int32GetDatum(status->st_procpid);
		values[1] = ObjectIdGetDatum(status->st_userid);
		values[2] = ObjectIdGetDatum(status->st_progress_command_target);
		values[3] = CStringGetTextDatum(sdc_progress_phase_name(param[SDC_PROGRESS_PHASE]));
		values[4] = Int64GetDatum(param[SDC_PROGRESS_RECORDS_DONE]);
		values[5] = Int64GetDatum(param[SDC_PROGRESS_RECORDS_TOTAL]);
		nulls[5] = param[SDC_PROGRESS_RECORDS_TOTAL] == 0;
		values[6] = Int64GetDatum(param[SDC_PROGRESS_ATTRIBUTES_DONE]);
		values[7] = Int64GetDatum(param[SDC_PROGRESS_ATTRIBUTES_TOTAL]);
		values[8] = TimestampTzGetDatum(status->st_activity_start_timestamp);
		fill_rest(param, &values[9], &nulls[9]);
		sdc_rows_put(fcinfo, values, nulls);
	}
	return (Datum) 0;
}

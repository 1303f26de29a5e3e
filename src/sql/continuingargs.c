/*-------------------------------------------------------------------------
 *
 * continuingargs.c
 *		Arguments that say how a release is continued.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "sql/args.h"
#include "sql/continuingargs.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

/* The arguments, from the first one on. */
enum
{
	ARG_CONTINUED, ARG_MIN_CHANGES, ARG_MIN_DEPARTURES, ARG_ERASE_WITHIN, ARGS
};

static const char *const names[ARGS] = {
	SDC_PARAMETER_CONTINUED, SDC_PARAMETER_MIN_CHANGES, SDC_PARAMETER_MIN_DEPARTURES, SDC_PARAMETER_ERASE_WITHIN
};

/* refuse_alone insists that nothing is said of how a release is continued that is not. */
static void
refuse_alone(FunctionCallInfo fcinfo, int number)
{
	for (int i = ARG_MIN_CHANGES; i < ARGS; i++)
		if (!PG_ARGISNULL(number + i))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("argument \"%s\" is about a release that is continued", names[i]),
					 errhint("Use continued => true.")));
}

/* read_lot reads the size of a lot; 0: it is not given. */
static int32
read_lot(FunctionCallInfo fcinfo, int number, int argument)
{
	if (PG_ARGISNULL(number + argument))
		return 0;
	if (PG_GETARG_INT32(number + argument) < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" is out of range", names[argument]),
				 errhint("It must be between 1 and the number of records; by default values wait for 500 / p others.")));
	return PG_GETARG_INT32(number + argument);
}

/* read_within reads how long old values may stay; NULL: as long as it takes. */
static Interval *
read_within(FunctionCallInfo fcinfo, int argument)
{
	Interval   *within;
	Interval	zero = {0};

	if (PG_ARGISNULL(argument))
		return NULL;
	within = PG_GETARG_INTERVAL_P(argument);
	if (DatumGetInt32(DirectFunctionCall2(interval_cmp, IntervalPGetDatum(within), IntervalPGetDatum(&zero))) < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" is out of range", names[ARG_ERASE_WITHIN]),
				 errhint("It must not be negative.")));
	return within;
}

/* sdc_continuingargs_read: see continuingargs.h. */
void
sdc_continuingargs_read(FunctionCallInfo fcinfo, int number, bool lots, SdcMethodStep *step)
{
	SdcContinuing *continuing;

	sdc_args_require(fcinfo, number, names[ARG_CONTINUED]);
	if (!PG_GETARG_BOOL(number))
	{
		if (lots)
			refuse_alone(fcinfo, number);
		return;
	}
	continuing = palloc0(sizeof(SdcContinuing));
	if (lots)
	{
		continuing->min_changes = read_lot(fcinfo, number, ARG_MIN_CHANGES);
		continuing->min_departures = read_lot(fcinfo, number, ARG_MIN_DEPARTURES);
		continuing->erase_within = read_within(fcinfo, number + ARG_ERASE_WITHIN);
	}
	step->continuing = continuing;
}

/*-------------------------------------------------------------------------
 *
 * noise.c
 *		sdc_noise.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "method/noise.h"
#include "sql/args.h"
#include "sql/forms.h"
#include "sql/stepargs.h"
#include "utils/builtins.h"

/* The arguments in front of those that all methods have. */
enum
{
	ARG_AMOUNT = 1, ARG_SCHEME, ARG_COLUMNS, ARG_BOUNDS, ARG_COMMON
};

/* sdc_noise_read reads what is asked for. */
void
sdc_noise_read(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	SdcNoising *noising = palloc0(sizeof(SdcNoising));

	sdc_args_choose(PG_ARGISNULL(ARG_AMOUNT), "amount",
					"It is the standard deviation of the noise as a part of that of the column, such as 0.3; sdc_sweep tries several.");
	noising->amount = PG_GETARG_FLOAT8(ARG_AMOUNT);
	if (!(noising->amount > 0 && isfinite(noising->amount)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"amount\" is out of range"),
				 errhint("It is above 0: the standard deviation of the noise as a part of that of the column.")));
	noising->scheme = (SdcNoiseScheme) sdc_args_word(fcinfo, ARG_SCHEME, "scheme", sdc_noise_schemes);
	noising->laws = makeStringInfo();
	noising->covariances = makeStringInfo();
	if (!PG_ARGISNULL(ARG_BOUNDS))
	{
		noising->bounds = &PG_GETARG_JSONB_P(ARG_BOUNDS)->root;
		if (!JsonContainerIsObject(noising->bounds))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("argument \"bounds\" must be an object with one member for each column"),
					 errhint("Such as: {\"hours\": [0, 80], \"income\": [0, null]}")));
		if (noising->scheme == SDC_SCHEME_CORRELATED || noising->scheme == SDC_SCHEME_KIM)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("arguments \"bounds\" and \"scheme\" do not go together"),
					 errhint("Correlated noise has no bounds: use scheme => 'additive' or 'multiplicative'.")));
	}
	sdc_noise_prepare(step, noising);
	step->columns_given = sdc_args_names(fcinfo, ARG_COLUMNS, "columns", &step->columns);
}

/*
 * sdc_noise(relation text, amount float8, scheme text, columns name[], bounds jsonb, target text, key name[],
 *			 strata name[], omit name[], keep name[], seed "any", replace boolean, continued boolean, ...)
 * sdc_noise(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text, method text, records bigint, changed bigint,
 *					   changed_percent float8, kept bigint, drawn bigint, ...)
 * sdc_noise(row_type anyelement, amount float8, scheme text, columns name[], bounds jsonb, key name[],
 *			 strata name[], omit name[], keep name[], seed "any", ...) RETURNS SETOF anyelement
 */
SDC_FORMS_CONTINUED(sdc_noise, sdc_noise_read, ARG_COMMON);

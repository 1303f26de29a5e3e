/*-------------------------------------------------------------------------
 *
 * qiargs.c
 *		The arguments that say which release is compared with its source, and by which columns.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/catalog/catalogtable.h"
#include "sql/args.h"
#include "sql/qiargs.h"

/* sdc_qiargs_read reads the arguments that say what is compared. */
void
sdc_qiargs_read(FunctionCallInfo fcinfo, int qi, int sensitive,
				SdcCodedReleaseRequest *request)
{
	memset(request, 0, sizeof(SdcCodedReleaseRequest));
	request->catalog_schema = sdc_catalogtable_schema();
	request->release = sdc_args_relation(fcinfo, 0, "release");
	if (qi > 0 && !PG_ARGISNULL(qi))
	{
		request->qi_given = true;
		request->qi = sdc_args_qi(fcinfo, qi);
	}
	if (sensitive > 0)
		request->sensitive_given = sdc_args_names(fcinfo, sensitive, "sensitive",
												  &request->sensitive);
}

/*-------------------------------------------------------------------------
 *
 * kanonymity.c
 *		sdc_kanonymity, sdc_ldiversity and sdc_group_privacy: how much a record's group hides it, and what it costs.
 *
 * k-anonymity is that of measure/groups/kanonymity.c, l-diversity that of ldiversity.c, the other measures those of
 * kernel/groups/groupprivacy.c: a group is what the quasi-identifiers do not tell apart.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "measure/accuracy/groupspans.h"
#include "measure/groups/groupprivacy.h"
#include "measure/groups/kanonymity.h"
#include "measure/groups/ldiversity.h"
#include "relation/catalog/catalogtable.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/rows.h"
#include "sql/unitargs.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_kanonymity);
PG_FUNCTION_INFO_V1(sdc_ldiversity);
PG_FUNCTION_INFO_V1(sdc_group_privacy);

/*
 * sdc_kanonymity(relation regclass, qi name[], unit name[])
 *		RETURNS TABLE (k bigint, groups bigint, unique_records bigint, k_rows bigint, k_whole bigint,
 *					   whole_unique bigint, share float8, k_wild bigint)
 */
Datum
sdc_kanonymity(PG_FUNCTION_ARGS)
{
	Oid			relid = sdc_args_relation(fcinfo, 0, "relation");
	List	   *qi = sdc_args_qi(fcinfo, 1);
	List	   *unit = sdc_unitargs_counted(fcinfo, 2, relid, qi, "qi", NULL);
	SdcUnitGroups found;
	uint64		wild;
	Datum		values[8];
	bool		nulls[8] = {false};

	sdc_rows_begin(fcinfo, 0);
	sdc_kanonymity_measure(relid, qi, unit, &found, &wild);
	values[0] = Int64GetDatum((int64) found.k);
	values[1] = Int64GetDatum((int64) found.groups);
	values[2] = Int64GetDatum((int64) found.single);
	values[3] = Int64GetDatum((int64) found.k_rows);
	values[4] = Int64GetDatum((int64) found.k_whole);
	values[5] = Int64GetDatum((int64) found.whole_unique);
	values[6] = Float8GetDatum(found.share);
	values[7] = Int64GetDatum((int64) wild);
	nulls[0] = nulls[3] = nulls[4] = nulls[6] = found.groups == 0;
	nulls[7] = wild == 0;
	sdc_rows_put(fcinfo, values, nulls);
	return (Datum) 0;
}

/* check_sensitive insists on a column that is not one of the quasi-identifiers. */
static char *
check_sensitive(FunctionCallInfo fcinfo, int number, List *qi)
{
	char	   *name;
	ListCell   *cell;

	sdc_args_require(fcinfo, number, "sensitive");
	name = sdc_args_sensitive(fcinfo, number);
	foreach(cell, qi)
		if (strcmp(lfirst(cell), name) == 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot be both a quasi-identifier and sensitive", name),
					 errhint("Every group would have one value of it.")));
	return name;
}

/*
 * sdc_ldiversity(relation regclass, qi name[], sensitive name[], unit name[])
 *		RETURNS TABLE (distinct_l bigint, entropy_l float8, most float8)
 */
Datum
sdc_ldiversity(PG_FUNCTION_ARGS)
{
	Oid			relid = sdc_args_relation(fcinfo, 0, "relation");
	List	   *qi = sdc_args_qi(fcinfo, 1);
	char	   *sensitive = check_sensitive(fcinfo, 2, qi);
	List	   *unit = sdc_unitargs_counted(fcinfo, 3, relid, qi, "qi", sensitive);
	SdcLDiversity least;
	Datum		values[3];
	bool		nulls[3];

	sdc_rows_begin(fcinfo, 0);
	sdc_ldiversity_measure(relid, qi, sensitive, unit, &least);
	values[0] = Int64GetDatum((int64) least.distinct);
	values[1] = Float8GetDatum(least.entropy);
	values[2] = Float8GetDatum(least.most);
	nulls[0] = nulls[1] = nulls[2] = !least.any;
	sdc_rows_put(fcinfo, values, nulls);
	return (Datum) 0;
}

/* check_l reads the argument l of sdc_group_privacy. */
static int
check_l(FunctionCallInfo fcinfo, int number)
{
	sdc_args_require(fcinfo, number, "l");
	if (PG_GETARG_INT32(number) < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"l\" is out of range"),
				 errhint("It is the l of recursive (c, l)-diversity: at least 1.  With 2 the most frequent value of a group is compared with all others.")));
	return PG_GETARG_INT32(number);
}

/*
 * sdc_group_privacy(relation regclass, qi name[], sensitive name[], l int, unit name[])
 *		RETURNS TABLE (groups bigint, k bigint, distinct_l bigint, entropy_l float8, alpha float8, c float8,
 *					   t float8, t_ordered float8, beta float8, enhanced boolean, delta float8, absent bigint)
 */
Datum
sdc_group_privacy(PG_FUNCTION_ARGS)
{
	Oid			relid = sdc_args_relation(fcinfo, 0, "relation");
	List	   *qi = sdc_args_qi(fcinfo, 1);
	char	   *sensitive = check_sensitive(fcinfo, 2, qi);
	int			l = check_l(fcinfo, 3);
	List	   *unit = sdc_unitargs_counted(fcinfo, 4, relid, qi, "qi", sensitive);
	SdcGroupPrivacy worst;
	Datum		values[12];
	bool		nulls[12] = {false};

	sdc_rows_begin(fcinfo, 0);
	sdc_groupprivacy_of(relid, qi, sensitive, unit, l, &worst);
	values[0] = Int64GetDatum((int64) worst.groups);
	values[1] = Int64GetDatum((int64) worst.k);
	values[2] = Int64GetDatum((int64) worst.distinct_l);
	values[3] = Float8GetDatum(worst.entropy_l);
	values[4] = Float8GetDatum(worst.alpha);
	values[5] = Float8GetDatum(worst.c);
	values[6] = Float8GetDatum(worst.t);
	values[7] = Float8GetDatum(worst.t_ordered);
	values[8] = Float8GetDatum(worst.beta);
	values[9] = BoolGetDatum(worst.enhanced);
	values[10] = Float8GetDatum(worst.delta);
	values[11] = Int64GetDatum((int64) worst.absent);
	/* without a group only the numbers of groups are known */
	for (int i = 1; i < 11; i++)
		nulls[i] = worst.groups == 0 || (i == 5 && !worst.has_c);
	sdc_rows_put(fcinfo, values, nulls);
	return (Datum) 0;
}

/* put_span adds a row for a column: SdcGroupSpanTake. */
static void
put_span(void *arg, const char *attribute, SdcGroupSpan span)
{
	NameData	name;
	Datum		values[2];
	bool		nulls[2] = {false};

	namestrcpy(&name, attribute);
	values[0] = NameGetDatum(&name);
	values[1] = Int32GetDatum(sdc_groupspan_percent(span));
	sdc_rows_put(arg, values, nulls);
}

/* sdc_private.group_spans(release regclass) RETURNS TABLE (attribute name, percent int) */
SDC_PLUMBING(group_spans)
{
	Oid			release = sdc_args_relation(fcinfo, 0, "release");

	sdc_rows_begin(fcinfo, 0);
	sdc_groupspans_measure(sdc_catalogtable_schema(), release, put_span, fcinfo);
	return (Datum) 0;
}

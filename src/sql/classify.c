/*-------------------------------------------------------------------------
 *
 * classify.c
 *		sdc_classify, sdc_register, sdc_unregister, sdc_confirm_source, and what is below the view sdc_attributes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "method/pipeline.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/methods.h"
#include "relation/frame/register.h"
#include "relation/rights/label.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/rows.h"
#include "sql/stepargs.h"
#include "sql/unitargs.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"

/* The method of a registration that names none. */
#define DEFAULT_METHOD "external"

PG_FUNCTION_INFO_V1(sdc_classify);
PG_FUNCTION_INFO_V1(sdc_register);
PG_FUNCTION_INFO_V1(sdc_unregister);
PG_FUNCTION_INFO_V1(sdc_confirm_source);

/*
 * sdc_classify(relation regclass, attribute name, role text) RETURNS void
 *
 * sdc_classify says what a column is; a null role takes that back.
 */
Datum
sdc_classify(PG_FUNCTION_ARGS)
{
	Oid			relid = sdc_args_relation(fcinfo, 0, "relation");
	char	   *role = NULL;

	sdc_args_require(fcinfo, 1, "attribute");
	if (!PG_ARGISNULL(2))
		role = text_to_cstring(PG_GETARG_TEXT_PP(2));
	sdc_register_role(relid, NameStr(*PG_GETARG_NAME(1)), role);
	PG_RETURN_VOID();
}

/*
 * sdc_private.roles(relation regclass) RETURNS SETOF record
 *
 * sdc_private.roles returns the columns of a relation that have a role, and the role.
 */
SDC_PLUMBING(roles)
{
	Oid			relid;
	SdcRole    *roles;
	int			count;

	sdc_args_require(fcinfo, 0, "relation");
	relid = PG_GETARG_OID(0);
	sdc_rows_begin(fcinfo, 0);
	/* one that was dropped meanwhile has no columns */
	roles = sdc_label_roles(relid, &count);
	for (int i = 0; i < count; i++)
	{
		NameData	name;
		Datum		values[2];
		bool		nulls[2] = {false};

		if (roles[i] == SDC_ROLE_NONE)
			continue;
		namestrcpy(&name, get_attname(relid, (AttrNumber) (i + 1), false));
		values[0] = NameGetDatum(&name);
		values[1] = CStringGetTextDatum(sdc_label_role_name(roles[i]));
		sdc_rows_put(fcinfo, values, nulls);
	}
	return (Datum) 0;
}

/* parameters_argument returns the text of an argument that must be a JSON object. */
static char *
parameters_argument(Jsonb *parameters)
{
	if (!JB_ROOT_IS_OBJECT(parameters))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"parameters\" must be a JSON object"),
				 errhint("Use something like {\"p\": 5}.")));
	return JsonbToCString(NULL, &parameters->root, -1);
}

/* steps_argument reads how several methods have protected the columns. */
static void
steps_argument(FunctionCallInfo fcinfo, int number, SdcRegistration *registration)
{
	SdcProtection protection = {0};

	if (registration->columns_given || strcmp(registration->method, DEFAULT_METHOD) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"steps\" cannot be used together with \"columns\" and \"method\""),
				 errhint("The steps name both.")));
	sdc_stepargs_read(fcinfo, number, &protection);
	for (int i = 0; i < protection.step_count; i++)
	{
		const SdcMethodStep *step = &protection.steps[i];

		if (!step->columns_given)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("steps[%d] does not name its columns", i)));
		registration->columns = list_concat(registration->columns, step->columns);
		registration->generalized = list_concat(registration->generalized, step->relabelled);
		if (registration->qi == NIL)
			registration->qi = list_copy(step->qi);
		if (registration->sensitive == NIL)
			registration->sensitive = list_copy(step->sensitive);
	}
	registration->columns_given = true;
	registration->method = pstrdup(SDC_METHOD_PROTECT);
	registration->parameters = sdc_pipeline_describe(&protection);
}

/*
 * sdc_register(source regclass, release regclass, columns name[], key name[],
 *				method text, parameters jsonb, qi name[], sensitive name[], steps jsonb, unit name[], weight name,
 *				missing jsonb) RETURNS void
 *
 * sdc_register enters a table that another tool protected in the catalog.
 */
Datum
sdc_register(PG_FUNCTION_ARGS)
{
	SdcRegistration registration = {0};

	registration.catalog_schema = sdc_catalogtable_schema();
	registration.source = sdc_args_relation(fcinfo, 0, "source");
	registration.release = sdc_args_relation(fcinfo, 1, "release");
	registration.columns_given = sdc_args_names(fcinfo, 2, "columns", &registration.columns);
	registration.key_given = sdc_args_names(fcinfo, 3, "key", &registration.key);
	sdc_args_require(fcinfo, 4, "method");
	registration.method = text_to_cstring(PG_GETARG_TEXT_PP(4));
	if (registration.method[0] == '\0')
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"method\" must not be empty")));
	sdc_args_require(fcinfo, 5, "parameters");
	registration.parameters = parameters_argument(PG_GETARG_JSONB_P(5));
	(void) sdc_args_names(fcinfo, 6, "qi", &registration.qi);
	(void) sdc_args_names(fcinfo, 7, "sensitive", &registration.sensitive);
	if (!PG_ARGISNULL(8))
		steps_argument(fcinfo, 8, &registration);
	registration.unit_given = sdc_args_names(fcinfo, 9, "unit", &registration.unit);
	if (PG_NARGS() > 10)
		registration.weight_given = sdc_unitargs_weight(fcinfo, 10, &registration.weight);
	registration.missing = sdc_unitargs_missing(fcinfo, 11);
	sdc_register_release(&registration);
	PG_RETURN_VOID();
}

/*
 * sdc_unregister(release regclass) RETURNS void
 *
 * sdc_unregister forgets a release; its table stays.
 */
Datum
sdc_unregister(PG_FUNCTION_ARGS)
{
	sdc_register_forget(sdc_catalogtable_schema(),
						sdc_args_relation(fcinfo, 0, "release"));
	PG_RETURN_VOID();
}

/*
 * sdc_confirm_source(release regclass) RETURNS boolean
 *
 * sdc_confirm_source takes the checksum of the source of a restored release again.
 */
Datum
sdc_confirm_source(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(sdc_register_confirm(sdc_catalogtable_schema(),
										sdc_args_relation(fcinfo, 0, "release")));
}

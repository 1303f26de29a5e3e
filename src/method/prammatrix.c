/*-------------------------------------------------------------------------
 *
 * prammatrix.c
 *		The matrix of a column that keeps the counts of its values.
 *
 * Values are written as texts that the input function of their type reads, in their order; probabilities with all
 * digits, so that the rows sum to 1 when they are read again.  Missing values, and codes that stand for them, are none.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "method/prammatrix.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/base/shortest.h"
#include "relation/catalog/parameters.h"
#include "relation/read/codedtable.h"
#include "relation/read/missing.h"
#include "relation/recode/matrix.h"
#include "relation/recode/rulecheck.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/json.h"
#include "utils/lsyscache.h"

/* quoted returns a name as a string of JSON. */
static char *
quoted(const char *name)
{
	StringInfoData json;

	initStringInfo(&json);
	escape_json(&json, name);
	return json.data;
}

/* codes_of reads the missing codes of the column; NULL: it has none. */
static SdcAttribute *
codes_of(const SdcPramMatrixRequest *request, const SdcCodedTable *table)
{
	SdcAttribute *attribute = palloc0(sizeof(SdcAttribute));
	SdcSource	source = {.relid = request->relid, .name = get_rel_name(request->relid), .attribute_count = 1,
	.attributes = attribute};
	SdcSourceRequest codes = {.relid = request->relid};
	JsonbValue	key = {.type = jbvString};
	JsonbValue *value;
	Oid			typid;
	Oid			collation;

	if (request->missing == NULL || !JsonContainerIsObject(request->missing))
		return NULL;
	key.val.string.val = unconstify(char *, request->column);
	key.val.string.len = (int) strlen(request->column);
	value = findJsonbValueFromContainer(request->missing, JB_FOBJECT, &key);
	if (value == NULL || value->type != jbvBinary)
		return NULL;
	attribute->type = table->column[0].type;
	namestrcpy(&attribute->name, request->column);
	get_atttypetypmodcoll(request->relid, get_attnum(request->relid, request->column), &typid, &attribute->typmod,
						  &collation);
	/* a relation can have other columns with codes, which do not matter here */
	codes.missing = psprintf("{%s: %s}", quoted(request->column), JsonbToCString(NULL, value->val.binary.data, -1));
	sdc_missing_plan(&source, &codes);
	return attribute->missing == NULL ? NULL : attribute;
}

/* forget_codes leaves out the values that are missing codes. */
static void
forget_codes(SdcAttribute *attribute, const SdcCodedTable *table, SdcRuleValues *values)
{
	for (uint32 c = 0; attribute != NULL && c < values->coding->codes; c++)
		if (sdc_missing_which(attribute, sdc_codedtable_value(table, 0, c)) >= 0)
			values->records[c] = 0;
}

/* put_matrix writes the values that there are, and the matrix. */
static void
put_matrix(const SdcPramMatrixRequest *request, const SdcCodedTable *table, const SdcRuleValues *values,
		   StringInfo json)
{
	uint64	   *records = palloc(sizeof(uint64) * SDC_MATRIX_VALUES);
	int			count = 0;
	double	   *p;
	Oid			output;
	bool		varlena;

	getTypeOutputInfo(table->column[0].type.base, &output, &varlena);
	for (uint32 c = 0; c < values->coding->codes; c++)
	{
		if (values->records[c] == 0)
			continue;
		if (count == SDC_MATRIX_VALUES)
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("column \"%s\" has more than %d different values", request->column, SDC_MATRIX_VALUES),
					 errhint("Recode it first, or use \"retain\".")));
		appendStringInfoString(json, count == 0 ? "" : ", ");
		escape_json(json, OidOutputFunctionCall(output, sdc_codedtable_value(table, 0, c)));
		records[count++] = values->records[c];
	}
	appendStringInfoString(json, "], \"p\": [");
	p = sdc_matrix_invariant(records, count, request->diagonal, request->least);
	for (int k = 0; k < count; k++)
	{
		appendStringInfoString(json, k == 0 ? "[" : ", [");
		for (int v = 0; v < count; v++)
			appendStringInfo(json, "%s%s", v == 0 ? "" : ", ", sdc_shortest_text(p[(Size) k * count + v]));
		appendStringInfoChar(json, ']');
	}
	if (count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" has no values", request->column)));
}

/* sdc_prammatrix_make: see prammatrix.h. */
char *
sdc_prammatrix_make(const SdcPramMatrixRequest *request)
{
	SdcCodedTable *table;
	SdcRuleValues values;
	StringInfoData json;
	int			nest;

	sdc_source_check_kind(request->relid);
	sdc_source_check_readable(request->relid);
	(void) sdc_source_find_column(request->relid, request->column, "column");
	table = sdc_codedtable_load(request->relid, list_make1(unconstify(char *, request->column)));
	values = sdc_rulecheck_values(table->column[0].dictionary, &table->column[0].coding, table->coded.column[0].code,
								  table->coded.records);
	forget_codes(codes_of(request, table), table, &values);
	initStringInfo(&json);
	appendStringInfo(&json, "{%s: {\"values\": [", quoted(request->column));
	nest = sdc_type_pin_settings();
	put_matrix(request, table, &values, &json);
	AtEOXact_GUC(true, nest);
	appendStringInfoString(&json, "]}}");
	sdc_progress_end();
	return json.data;
}

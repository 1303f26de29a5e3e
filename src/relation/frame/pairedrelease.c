/*-------------------------------------------------------------------------
 *
 * pairedrelease.c
 *		A release and its source, read and paired by key.
 *
 * Memory: the codes and numbers of all attributes (paircodes.c), 16 bytes a value and up to 24
 * where the release has values that the source does not have.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/spi.h"
#include "relation/catalog/steps.h"
#include "relation/column/grouprecords.h"
#include "relation/frame/pairedrelease.h"
#include "relation/frame/releasecolumns.h"
#include "utils/builtins.h"

/* no_values has no record have a value that it has in the source, where the release has others in their place. */
static SdcPairColumn
no_values(uint32 records)
{
	uint32	   *code = sdc_memory_array(records, sizeof(uint32));

	for (uint32 r = 0; r < records; r++)
		code[r] = SDC_CODE_NULL;
	return (SdcPairColumn) {.original = code, .protected = code};
}

/* take_columns takes the codes of the columns. */
static void
take_columns(SdcPairedRelease *paired, const SdcReleaseColumns *columns)
{
	SdcPairColumn *pair = palloc(sizeof(SdcPairColumn) * Max(columns->columns, 1));
	SdcPairColumn *values = palloc(sizeof(SdcPairColumn) * Max(columns->columns, 1));

	paired->attribute = palloc(sizeof(char *) * Max(columns->columns, 1));
	paired->kind = palloc(sizeof(SdcValueKind) * Max(columns->columns, 1));
	for (int i = 0; i < columns->columns; i++)
	{
		pair[i] = columns->column[i].pair;
		sdc_openrelease_suppress(columns->opened, columns->column[i].name, &pair[i]);
		values[i] = pair[i];
		if (columns->column[i].relabelled)
			values[i] = no_values(columns->records);
		else if (columns->column[i].recoded)
		{
			values[i] = columns->column[i].before;
			sdc_openrelease_suppress(columns->opened, columns->column[i].name, &values[i]);
		}
		paired->attribute[i] = columns->column[i].name;
		paired->kind[i] = columns->column[i].kind;
	}
	paired->pairs = (SdcPairs) {.records = columns->records, .attributes = columns->columns, .column = pair};
	paired->values = (SdcPairs) {.records = columns->records, .attributes = columns->columns, .column = values};
}

/* sdc_pairedrelease_keep_keys: see pairedrelease.h. */
void
sdc_pairedrelease_keep_keys(SdcPairedRelease *paired, SdcSource *source)
{
	sdc_recordkeys_load(&paired->keys, source);
}

/* sdc_pairedrelease_load reads and pairs a release and its source. */
SdcPairedRelease *
sdc_pairedrelease_load(const SdcPairedReleaseRequest *request)
{
	SdcPairedRelease *paired = palloc0(sizeof(SdcPairedRelease));
	SdcOpenRelease *opened = sdc_openrelease_get(request->catalog_schema, request->release, request->frame,
												 request->unnamed);
	SdcReleaseColumns columns = {.opened = opened};
	List	   *linked;
	List	   *values;

	paired->row = opened->row;
	paired->name = opened->name;
	linked = sdc_steps_linked_columns(&opened->row);
	sdc_openrelease_check_values(opened, linked);
	sdc_openrelease_weigh(opened, &request->weight);
	opened->recoded = true;
	opened->with_strata = request->strata && opened->row.strata != NIL;
	values = sdc_steps_value_columns(&opened->row);
	sdc_releasecolumns_plan(&columns, sdc_openrelease_in_order(opened, linked), NIL, NIL);
	for (int i = 0; i < columns.columns; i++)
	{
		SdcReleaseColumn *column = &columns.column[i];

		column->facet = SDC_FACET_NUMBERS;
		column->relabelled = !sdc_names_have(values, column->name);
		if (column->relabelled)
			column->kind = column->protected->type.kind;
	}
	sdc_releasecolumns_read(&columns);
	paired->weights = columns.weights;
	take_columns(paired, &columns);
	if (request->keys)
		sdc_pairedrelease_keep_keys(paired, opened->source);
	if (opened->with_strata)
	{
		paired->stratum = sdc_grouprecords_strata(opened->source->stratum, opened->source->records);
		paired->strata = (uint32) Max(opened->source->strata_found, 1);
	}
	sdc_openrelease_end(opened);
	return paired;
}

/* sdc_pairedrelease_key returns the key of a record as text. */
char *
sdc_pairedrelease_key(SdcPairedRelease *paired, uint32 record)
{
	return sdc_recordkeys_text(&paired->keys, record);
}

/* find_known returns the index of a named protected attribute. */
static int
find_known(const SdcPairedRelease *paired, const char *name)
{
	StringInfoData list;

	for (int i = 0; i < paired->pairs.attributes; i++)
		if (strcmp(paired->attribute[i], name) == 0)
			return i;
	initStringInfo(&list);
	for (int i = 0; i < paired->pairs.attributes; i++)
		sdc_spi_append_name(&list, paired->attribute[i], i == 0);
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_COLUMN),
			 errmsg("column \"%s\" is not a protected column of release \"%s\"", name,
					paired->name),
			 errdetail("It is named in argument \"known\"."),
			 errhint("The protected columns are %s.", list.data)));
	return -1;					/* not reached */
}

/* compare_ints is for qsort. */
static int
compare_ints(const void *a, const void *b)
{
	return *(const int *) a - *(const int *) b;
}

/*
 * sdc_pairedrelease_known returns the indexes of the attributes that the intruder knows,
 * ascending: in which order he names them must not matter, not even to the last bit.
 */
int *
sdc_pairedrelease_known(const SdcPairedRelease *paired, bool given, List *names, int *count)
{
	int		   *known = palloc(sizeof(int) * Max(paired->pairs.attributes, 1));
	ListCell   *cell;

	*count = 0;
	if (!given)
	{
		while (*count < paired->pairs.attributes)
		{
			known[*count] = *count;
			(*count)++;
		}
		return known;
	}
	if (names == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"known\" must name at least one column"),
				 errhint("Leave the argument out for all protected columns.")));
	foreach(cell, names)
		known[(*count)++] = find_known(paired, lfirst(cell));
	qsort(known, *count, sizeof(int), compare_ints);
	return known;
}

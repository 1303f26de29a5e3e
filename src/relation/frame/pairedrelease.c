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
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/steps.h"
#include "relation/column/grouprecords.h"
#include "relation/frame/openrelease.h"
#include "relation/frame/pairedrelease.h"
#include "utils/builtins.h"

/* A pairing while its relations are read. */
typedef struct Reading
{
	SdcPairedRelease *paired;
	const SdcPairedReleaseRequest *request;
	SdcOpenRelease *opened;
	SdcSource  *source;
	SdcSource  *release;
	List	   *columns;		/* that have values in the release, char * */
} Reading;

/* find_released returns the attribute of the release with a name. */
static SdcAttribute *
find_released(SdcSource *release, const char *name)
{
	return &release->attributes[sdc_source_find_attribute(release, name, "columns")];
}

/* is_paired tells whether an attribute of the source is protected and has values in the release. */
static bool
is_paired(const Reading *reading, const SdcAttribute *attribute)
{
	return attribute->action == SDC_ACTION_PROTECTED && sdc_names_have(reading->columns, NameStr(attribute->name));
}

/* check_types insists that both relations have the attributes, with the same types. */
static void
check_types(const Reading *reading)
{
	SdcOpenRelease *opened = reading->opened;
	bool		same = true;

	if (opened->frame != NULL)
		return;
	/* without a key the release numbers the records, if sdc made it */
	Assert(opened->release->key_count ==
		   Max(opened->source->key_count, opened->row.made ? 1 : 0));
	for (int i = 0; i < opened->source->attribute_count && same; i++)
	{
		SdcAttribute *attribute = &opened->source->attributes[i];

		if (is_paired(reading, attribute))
			same = find_released(opened->release, NameStr(attribute->name))->type.typid == attribute->type.typid;
	}
	if (!same)
		sdc_openrelease_refuse_type(opened);
}

/* encode_attributes gives the protected attributes their codes. */
static void
encode_attributes(Reading *reading)
{
	SdcPairedRelease *paired = reading->paired;
	SdcPairColumn *columns = palloc0(sizeof(SdcPairColumn) * reading->source->protected_count);
	SdcArena	arena = {0};
	int			count = 0;

	sdc_progress_coding(reading->source->protected_count);
	paired->attribute = palloc(sizeof(char *) * reading->source->protected_count);
	paired->kind = palloc(sizeof(SdcValueKind) * reading->source->protected_count);
	for (int i = 0; i < reading->source->attribute_count; i++)
	{
		SdcAttribute *attribute = &reading->source->attributes[i];
		SdcAttribute *other;

		if (!is_paired(reading, attribute))
			continue;
		other = find_released(reading->release, NameStr(attribute->name));
		sdc_openrelease_codes(reading->opened, attribute, other, &arena, &columns[count], NULL);
		sdc_openrelease_suppress(reading->opened, NameStr(attribute->name), &columns[count]);
		paired->attribute[count] = pstrdup(NameStr(attribute->name));
		paired->kind[count++] = attribute->type.kind;
		sdc_progress_next();
	}
	sdc_arena_free(&arena);
	paired->pairs.records = (uint32) reading->source->records;
	paired->pairs.attributes = count;
	paired->pairs.column = columns;
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
	MemoryContext context = CurrentMemoryContext;
	MemoryContext work;
	SdcPairedRelease *paired = palloc0(sizeof(SdcPairedRelease));
	Reading		reading = {paired, request, NULL, NULL, NULL, NIL};
	SdcOpenRelease *opened;

	opened = request->frame != NULL ? sdc_openrelease_of(request->frame) :
		sdc_openrelease_find(request->catalog_schema, request->release, request->unnamed);
	reading.opened = opened;
	paired->row = opened->row;
	paired->name = opened->name;
	sdc_openrelease_check_values(opened);
	sdc_openrelease_weigh(opened, &request->weight);
	opened->with_strata = request->strata && opened->row.strata != NIL;
	sdc_spi_connect();
	work = AllocSetContextCreate(context, "sdc pairing", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(work);
	reading.columns = sdc_steps_value_columns(&opened->row);
	sdc_openrelease_plan(opened, NIL, reading.columns, NIL);
	check_types(&reading);
	for (int i = 0; i < opened->source->attribute_count; i++)
		opened->source->attributes[i].summed = opened->source->attributes[i].action == SDC_ACTION_PROTECTED &&
			!is_paired(&reading, &opened->source->attributes[i]);
	sdc_openrelease_read(opened);
	reading.source = opened->source;
	reading.release = opened->release;
	MemoryContextSwitchTo(context);
	if (request->keys)
		sdc_pairedrelease_keep_keys(paired, reading.source);
	sdc_openrelease_weights(opened, &paired->weights);
	if (opened->with_strata)
	{
		paired->stratum = sdc_grouprecords_strata(reading.source->stratum, reading.source->records);
		paired->strata = (uint32) Max(reading.source->strata_found, 1);
	}
	encode_attributes(&reading);
	sdc_openrelease_close(opened);
	MemoryContextDelete(work);
	sdc_spi_finish();
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

/*-------------------------------------------------------------------------
 *
 * accuracytable.c
 *		The table that says how exact a publication is.
 *
 * It stands beside the publication, and is written in the same transaction.  How columns were protected comes from the
 * catalog of releases; what is measured comes from sdc_private.accuracy.  Rows are written as those of a publication
 * are: no trigger, rule or policy has a say.  Rows are replaced one by one, so that readers never wait.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/table.h"
#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "kernel/base/grain.h"
#include "kernel/base/kernel_env.h"
#include "kernel/groups/entropy.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "relation/accuracytable.h"
#include "relation/actas.h"
#include "relation/catalog.h"
#include "relation/exchange.h"
#include "relation/catalogtable.h"
#include "relation/heapwriter.h"
#include "relation/names.h"
#include "relation/publications.h"
#include "relation/spi.h"
#include "relation/steps.h"
#include "relation/trust.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

int			sdc_accuracy_records = 100000;

/* The columns of the table. */
static const struct
{
	const char *name;
	const char *type_name;
	Oid			type;
}			columns[] = {{"part", "text", TEXTOID}, {"attribute", "name", NAMEOID}, {"measure", "text", TEXTOID},
	{"value", "float8", FLOAT8OID}};

/* Words in it. */
#define PART_RELEASE "release"
#define PART_METHOD "method"
#define MEASURE_PROBABILITY "probability"
#define MEASURE_PROBABILITY_ROUNDING "probability_rounding"
#define MEASURE_DRAWS "draws"
#define MEASURE_STRATUM "stratum"
#define MEASURE_COPIED "copied"
#define METHOD_OTHER "other"

/* layout returns the columns of the table. */
static TupleDesc
layout(void)
{
	TupleDesc	desc = CreateTemplateTupleDesc(lengthof(columns));

	for (int i = 0; i < (int) lengthof(columns); i++)
		TupleDescInitEntry(desc, (AttrNumber) (i + 1), columns[i].name, columns[i].type, -1, 0);
	return desc;
}

/* default_name returns the name of a new table. */
static char *
default_name(const char *publication)
{
	return makeObjectName(publication, NULL, "accuracy");
}

/* is_free tells whether an accuracy table belongs to a publication, or to one that is gone. */
static bool
is_free(Oid catalog_schema, Oid table, Oid publication)
{
	Oid			of;

	return sdc_publications_is_accuracy(catalog_schema, table, &of) && (!OidIsValid(of) || of == publication);
}

/* sdc_accuracytable_resolve: see accuracytable.h. */
void
sdc_accuracytable_resolve(SdcAccuracyTable *accuracy, Oid catalog_schema, const SdcPublishTarget *target)
{
	SdcPublishTarget *table = &accuracy->table;
	Oid			known = OidIsValid(target->existing) ?
	sdc_publications_accuracy(catalog_schema, target->existing) : InvalidOid;
	RangeVar   *range;

	accuracy->catalog_schema = catalog_schema;
	table->schema = target->schema;
	table->name = default_name(target->name);
	if (OidIsValid(known))
	{
		table->schema = get_namespace_name(get_rel_namespace(known));
		table->name = get_rel_name(known);
	}
	range = makeRangeVar(table->schema, table->name, -1);
	(void) RangeVarGetAndCheckCreationNamespace(range, ExclusiveLock, &table->existing);
	if (OidIsValid(table->existing) && !is_free(catalog_schema, table->existing, target->existing))
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_TABLE),
				 errmsg("relation \"%s\" already exists, and is not the accuracy table of publication \"%s\"",
						table->name, target->name),
				 errhint("Name another target, or rename that relation.")));
	sdc_accuracytable_check(accuracy);
}

/* sdc_accuracytable_check: see accuracytable.h. */
void
sdc_accuracytable_check(const SdcAccuracyTable *accuracy)
{
	sdc_publishtarget_check(&accuracy->table, layout(), true);
}

/* measure calls the function of the schema of the extension that measures: the work of sdc_actas_plumbing. */
static void
measure(void *arg)
{
	const SdcPublishPlan *plan = arg;
	Oid			types[] = {REGCLASSOID, NAMEARRAYOID, INT8OID, INT8OID};
	Datum		values[] = {ObjectIdGetDatum(plan->release.release), sdc_catalog_names_datum(plan->columns),
	Int64GetDatum((int64) plan->release.records), Int64GetDatum(sdc_accuracy_records)};

	sdc_spi_run_args("SELECT a.part, a.attribute, a.measure, a.value FROM " SDC_PRIVATE_SCHEMA ".accuracy($1, $2, $3, $4) AS a",
					 SPI_OK_SELECT, lengthof(types), types, values, NULL);
}

/* sdc_accuracytable_measure: see accuracytable.h. */
void
sdc_accuracytable_measure(SdcAccuracyTable *accuracy, SdcPublishPlan *plan)
{
	accuracy->plan = plan;
	sdc_actas_plumbing(measure, plan);
	accuracy->rows = SPI_tuptable;
	accuracy->count = sdc_spi_rows();
}

/* put writes a row; an attribute or a value can be missing. */
static void
put(SdcHeapWriter *writer, const char *part, const char *attribute, const char *measure, double value)
{
	TupleTableSlot *slot = sdc_heapwriter_slot(writer);
	NameData	name;

	if (attribute != NULL)
		namestrcpy(&name, attribute);
	slot->tts_values[0] = CStringGetTextDatum(part);
	slot->tts_values[1] = NameGetDatum(&name);
	slot->tts_values[2] = CStringGetTextDatum(measure);
	slot->tts_values[3] = Float8GetDatum(value);
	memset(slot->tts_isnull, false, sizeof(bool) * lengthof(columns));
	slot->tts_isnull[1] = attribute == NULL;
	slot->tts_isnull[3] = isnan(value);
	sdc_heapwriter_put(writer);
}

/* is_given tells whether somebody has chosen some probabilities: what is computed has more digits. */
static bool
is_given(const double *probability, int count)
{
	for (int i = 0; i < count; i++)
		if (strtod(psprintf("%.6g", probability[i]), NULL) != probability[i])
			return false;
	return true;
}

/*
 * sdc_accuracytable_probabilities: those that follow from the entropies of the columns would tell a record of the
 * source to who knows all others.
 */
double *
sdc_accuracytable_probabilities(const SdcStep *step, uint64 records, double *rounding)
{
	int			count = sdc_parameters_length(step->parameters, SDC_PARAMETER_PROBABILITIES);
	double	   *probability = palloc(sizeof(double) * Max(count, 1));
	double	   *coarse = palloc(sizeof(double) * Max(count, 1));

	*rounding = 0;
	for (int i = 0; i < count; i++)
	{
		probability[i] = sdc_parameters_element(step->parameters, SDC_PARAMETER_PROBABILITIES, i);
		if (!(probability[i] >= 0 && probability[i] <= 1))
			return NULL;
	}
	if (is_given(probability, count))
		return probability;
	*rounding = sdc_entropy_coarse(probability, count, records, coarse);
	return *rounding <= SDC_FIGURE_COARSEST ? coarse : NULL;
}

/* put_probabilities writes the probabilities of a step, without values where they are withheld. */
static void
put_probabilities(SdcHeapWriter *writer, const SdcStep *step, const List *qi, uint64 records)
{
	double		rounding;
	double	   *probability = sdc_accuracytable_probabilities(step, records, &rounding);
	bool		known = probability != NULL &&
		sdc_parameters_length(step->parameters, SDC_PARAMETER_PROBABILITIES) == list_length(qi);
	ListCell   *cell;

	foreach(cell, qi)
		put(writer, PART_METHOD, lfirst(cell), MEASURE_PROBABILITY,
			known ? probability[foreach_current_index(cell)] : NAN);
	if (!known || rounding > 0)
		put(writer, PART_METHOD, NULL, MEASURE_PROBABILITY_ROUNDING, known ? rounding : NAN);
}

/* put_drawing writes what estimators need to know of a step of random anonymization. */
static void
put_drawing(SdcHeapWriter *writer, const SdcStep *step, uint64 records)
{
	double		draws = sdc_parameters_number(step->parameters, SDC_PARAMETER_DRAWS);

	if (draws >= 1)
		put(writer, PART_METHOD, NULL, MEASURE_DRAWS, draws);
	else
		put_probabilities(writer, step, step->qi != NIL ? step->qi : step->columns, records);
}

/* put_methods writes how every column was protected, and no parameter that no estimator needs. */
static void
put_methods(SdcHeapWriter *writer, const SdcPublishPlan *plan)
{
	List	   *steps = sdc_steps_of(&plan->release);
	const SdcStep *drawing = sdc_steps_only(steps, SDC_METHOD_RANDOMIZE);
	ListCell   *cell;

	foreach(cell, plan->columns)
	{
		const char *name = lfirst(cell);
		const SdcStep *step = sdc_names_have(plan->release.columns, name) ? sdc_steps_find(steps, name) : NULL;

		put(writer, PART_METHOD, name, step == NULL ? MEASURE_COPIED :
			step->method->name == NULL ? METHOD_OTHER : step->method->name, NAN);
		if (sdc_names_have(plan->release.strata, name))
			put(writer, PART_METHOD, name, MEASURE_STRATUM, NAN);
	}
	if (drawing != NULL)
		put_drawing(writer, drawing, plan->release.records);
}

/* put_measures writes what was measured. */
static void
put_measures(SdcHeapWriter *writer, const SdcAccuracyTable *accuracy)
{
	TupleDesc	desc = accuracy->rows->tupdesc;

	for (uint64 i = 0; i < accuracy->count; i++)
	{
		HeapTuple	row = accuracy->rows->vals[i];
		bool		isnull;
		Datum		value = SPI_getbinval(row, desc, 4, &isnull);

		CHECK_FOR_INTERRUPTS();
		put(writer, SPI_getvalue(row, desc, 1), SPI_getvalue(row, desc, 2), SPI_getvalue(row, desc, 3),
			isnull ? NAN : DatumGetFloat8(value));
	}
}

/* create makes the table; whole rows tell subscribers which ones are replaced. */
static Oid
create(const SdcPublishTarget *table)
{
	const char *name = sdc_spi_qualified_name(table->schema, table->name);
	StringInfoData sql;
	Oid			relid;

	initStringInfo(&sql);
	appendStringInfo(&sql, "CREATE TABLE %s (", name);
	for (int i = 0; i < (int) lengthof(columns); i++)
		appendStringInfo(&sql, "%s%s pg_catalog.%s", i == 0 ? "" : ", ", columns[i].name, columns[i].type_name);
	appendStringInfoString(&sql, ") USING heap");
	relid = sdc_spi_create(sql.data, table->schema, table->name);
	sdc_spi_run(psprintf("ALTER TABLE %s REPLICA IDENTITY FULL", name), SPI_OK_UTILITY);
	return relid;
}

/* grant_as lets those read a new table who may read the publication, as far as that is said of all its columns. */
static void
grant_as(Oid table, Oid publication)
{
	HeapTuple	row = SearchSysCache1(RELOID, ObjectIdGetDatum(publication));
	bool		isnull = true;
	Datum		acl = 0;
	Acl		   *list;

	if (HeapTupleIsValid(row))
		acl = SysCacheGetAttr(RELOID, row, Anum_pg_class_relacl, &isnull);
	list = isnull ? NULL : DatumGetAclPCopy(acl);
	if (HeapTupleIsValid(row))
		ReleaseSysCache(row);
	for (int i = 0; list != NULL && i < ACL_NUM(list); i++)
	{
		const AclItem *item = &ACL_DAT(list)[i];

		if ((item->ai_privs & ACL_SELECT) != 0)
			sdc_spi_run(psprintf("GRANT SELECT ON %s TO %s", sdc_spi_relation_name(table),
								 item->ai_grantee == ACL_ID_PUBLIC ? "PUBLIC" :
								 quote_identifier(GetUserNameFromId(item->ai_grantee, false))),
						SPI_OK_UTILITY);
	}
}

/* tie has the table go when the publication is dropped. */
static void
tie(Oid table, Oid publication)
{
	ObjectAddress dependent = {RelationRelationId, table, 0};
	ObjectAddress on = {RelationRelationId, publication, 0};

	(void) deleteDependencyRecordsForSpecific(RelationRelationId, table, DEPENDENCY_AUTO, RelationRelationId,
											  publication);
	recordDependencyOn(&dependent, &on, DEPENDENCY_AUTO);
}

/* hand_over gives the table the owner of the publication, and a new one its readers. */
static void
hand_over(Oid table, Oid publication, bool fresh)
{
	Oid			owner = sdc_trust_owner(publication);

	if (fresh)
		grant_as(table, publication);
	if (sdc_trust_owner(table) != owner)
		sdc_spi_run(psprintf("ALTER TABLE %s OWNER TO %s", sdc_spi_relation_name(table),
							 quote_identifier(GetUserNameFromId(owner, false))), SPI_OK_UTILITY);
}

/* enter notes to which publication the table belongs. */
static void
enter(const SdcAccuracyTable *accuracy, Oid table, Oid publication)
{
	SdcPublicationRow row = {0};

	row.table = table;
	row.release = publication;
	row.mode = SDC_PUBLICATION_ACCURACY;
	sdc_publications_put(accuracy->catalog_schema, &row);
}

/* sdc_accuracytable_write: see accuracytable.h. */
Oid
sdc_accuracytable_write(const SdcAccuracyTable *accuracy, Oid publication, uint64 records)
{
	bool		fresh = !OidIsValid(accuracy->table.existing);
	Oid			table = fresh ? create(&accuracy->table) : accuracy->table.existing;
	SdcHeapWriter *writer;

	if (!fresh)
		(void) sdc_exchange_delete_rows(table);
	writer = sdc_heapwriter_begin_rows(table);
	put(writer, PART_RELEASE, NULL, "records", (double) records);
	put_methods(writer, accuracy->plan);
	put_measures(writer, accuracy);
	sdc_heapwriter_end(writer);
	CommandCounterIncrement();
	enter(accuracy, table, publication);
	tie(table, publication);
	hand_over(table, publication, fresh);
	return table;
}

/* is_accuracy tells whether a relation is a table with the columns that this file gives it. */
static bool
is_accuracy(Oid relid)
{
	Relation	rel = table_open(relid, AccessShareLock);
	TupleDesc	desc = RelationGetDescr(rel);
	bool		same = rel->rd_rel->relkind == RELKIND_RELATION && desc->natts == lengthof(columns);

	for (int i = 0; same && i < desc->natts; i++)
		same = !TupleDescAttr(desc, i)->attisdropped && TupleDescAttr(desc, i)->atttypid == columns[i].type &&
			strcmp(NameStr(TupleDescAttr(desc, i)->attname), columns[i].name) == 0;
	table_close(rel, NoLock);
	return same;
}

/*
 * find returns the accuracy table of a publication that the caller may read: the one that the catalog knows, or the
 * one of the name, where the two tables came to a server without the catalog.
 */
static Oid
find(Oid catalog_schema, Oid publication)
{
	Oid			table = sdc_publications_accuracy(catalog_schema, publication);

	if (!OidIsValid(table))
		table = get_relname_relid(default_name(get_rel_name(publication)), get_rel_namespace(publication));
	if (!OidIsValid(table) || get_rel_relkind(table) != RELKIND_RELATION ||
		sdc_trust_owner(table) != sdc_trust_owner(publication) ||
		pg_class_aclcheck(table, GetUserId(), ACL_SELECT) != ACLCHECK_OK || !is_accuracy(table))
		return InvalidOid;
	return table;
}

/* Reading the rows of a table. */
typedef struct Reading
{
	SdcAccuracyDrawing *drawing;
	MemoryContext context;
	List	   *randomized;		/* columns that some step has drawn */
	List	   *drawn;			/* those of which a probability is known, */
	List	   *probabilities;	/* and that, double * */
	bool		withheld;		/* they are withheld */
} Reading;

/* take_row takes a row of the table: SdcSpiRow. */
static void
take_row(void *arg, TupleTableSlot *slot)
{
	Reading    *reading = arg;
	MemoryContext before = MemoryContextSwitchTo(reading->context);
	char	   *measure;
	char	   *attribute;

	slot_getallattrs(slot);
	if (!slot->tts_isnull[0] && !slot->tts_isnull[2] &&
		strcmp(TextDatumGetCString(slot->tts_values[0]), PART_METHOD) == 0)
	{
		double	   *value = palloc(sizeof(double));

		measure = TextDatumGetCString(slot->tts_values[2]);
		attribute = slot->tts_isnull[1] ? NULL : pstrdup(NameStr(*DatumGetName(slot->tts_values[1])));
		*value = slot->tts_isnull[3] ? NAN : DatumGetFloat8(slot->tts_values[3]);
		if (attribute == NULL && strcmp(measure, MEASURE_DRAWS) == 0 && *value >= 1 && *value <= MaxHeapAttributeNumber)
			reading->drawing->draws = (int) *value;
		else if (attribute != NULL && strcmp(measure, MEASURE_STRATUM) == 0)
			reading->drawing->strata = lappend(reading->drawing->strata, attribute);
		else if (attribute != NULL && strcmp(measure, SDC_METHOD_RANDOMIZE) == 0)
			reading->randomized = lappend(reading->randomized, attribute);
		else if (attribute != NULL && strcmp(measure, MEASURE_PROBABILITY) == 0 && isnan(*value))
			reading->withheld = true;
		else if (attribute != NULL && strcmp(measure, MEASURE_PROBABILITY) == 0 && *value >= 0 && *value <= 1)
		{
			reading->drawn = lappend(reading->drawn, attribute);
			reading->probabilities = lappend(reading->probabilities, value);
		}
	}
	MemoryContextSwitchTo(before);
}

/* conclude puts together what was read: draws of the randomized columns, or a probability of each. */
static void
conclude(Reading *reading)
{
	SdcAccuracyDrawing *drawing = reading->drawing;
	int			count = list_length(reading->randomized);
	double	   *probability = palloc(sizeof(double) * Max(count, 1));
	ListCell   *cell;

	if (drawing->draws > count)
		return;
	if (drawing->draws == 0)
	{
		foreach(cell, reading->randomized)
		{
			int			place = sdc_names_index(reading->drawn, lfirst(cell));

			if (place < 0)
				return;
			probability[foreach_current_index(cell)] = *(double *) list_nth(reading->probabilities, place);
		}
		drawing->probability = probability;
	}
	drawing->qi = reading->randomized;
}

/* sdc_accuracytable_read: the rows are read as every relation is. */
bool
sdc_accuracytable_read(Oid catalog_schema, Oid publication, SdcAccuracyDrawing *drawing)
{
	Oid			table = find(catalog_schema, publication);
	Reading		reading = {.drawing = drawing, .context = CurrentMemoryContext};
	SdcActAs	before;
	Oid			reader;

	memset(drawing, 0, sizeof(SdcAccuracyDrawing));
	if (!OidIsValid(table))
		return false;
	reader = sdc_trust_reader(table, false);
	sdc_spi_connect();
	sdc_actas_begin(&before, reader);
	sdc_spi_select_rows(psprintf("SELECT t.part, t.attribute, t.measure, t.value FROM %s AS t", sdc_spi_relation_name(table)),
						take_row, &reading);
	sdc_actas_end(&before);
	sdc_spi_finish();
	conclude(&reading);
	return !reading.withheld;
}

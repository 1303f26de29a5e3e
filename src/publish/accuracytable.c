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
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "kernel/base/grain.h"
#include "kernel/base/kernel_env.h"
#include "kernel/groups/entropy.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "publish/accuracytable.h"
#include "publish/exchange.h"
#include "relation/base/names.h"
#include "relation/base/spi.h"
#include "relation/catalog/actas.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/noiseparameters.h"
#include "relation/catalog/steps.h"
#include "relation/frame/accuracyrows.h"
#include "relation/frame/publications.h"
#include "relation/recode/matrix.h"
#include "relation/rights/trust.h"
#include "relation/write/heapwriter.h"
#include "relation/write/replaceable.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

int			sdc_accuracy_records = 100000;

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
	table->name = sdc_accuracyrows_name(target->name);
	if (OidIsValid(known))
	{
		table->schema = get_namespace_name(get_rel_namespace(known));
		table->name = get_rel_name(known);
	}
	range = makeRangeVar(table->schema, table->name, -1);
	(void) sdc_replaceable_schema("publication", range, ExclusiveLock, &table->existing);
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
	sdc_publishtarget_check(&accuracy->table, sdc_accuracyrows_layout(), true);
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
	memset(slot->tts_isnull, false, sizeof(bool) * slot->tts_tupleDescriptor->natts);
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
		put(writer, SDC_PART_METHOD, lfirst(cell), SDC_MEASURE_PROBABILITY,
			known ? probability[foreach_current_index(cell)] : NAN);
	if (!known || rounding > 0)
		put(writer, SDC_PART_METHOD, NULL, SDC_MEASURE_PROBABILITY SDC_MEASURE_ROUNDING, known ? rounding : NAN);
}

/*
 * put_matrices writes the matrices of a step, where somebody has chosen them: one that was made of the counts of the
 * source would tell a record to who knows all others, and leaves the counts what they are anyway.
 */
static void
put_matrices(SdcHeapWriter *writer, const SdcPublishPlan *plan, const SdcStep *step)
{
	SdcParameters *matrices = sdc_parameters_inner(step->parameters, SDC_PARAMETER_MATRICES);
	ListCell   *cell;

	foreach(cell, matrices == NULL ? NIL : sdc_matrix_read(matrices, SDC_PARAMETER_MATRICES))
	{
		const SdcMatrix *matrix = lfirst(cell);

		if (!sdc_names_have(plan->columns, matrix->column))
			continue;
		if (matrix->count > SDC_ACCURACY_MATRIX || !is_given(matrix->p, matrix->count * matrix->count))
		{
			put(writer, SDC_PART_MATRIX, matrix->column, SDC_MEASURE_WITHHELD, NAN);
			continue;
		}
		for (int i = 0; i < matrix->count * matrix->count; i++)
			if (matrix->p[i] > 0)
				put(writer, SDC_PART_MATRIX, matrix->column,
					sdc_accuracyrows_matrix_measure(matrix->text[i / matrix->count], matrix->text[i % matrix->count]),
					matrix->p[i]);
	}
}

/* put_drawing writes what estimators need to know of a step of random anonymization or PRAM. */
static void
put_drawing(SdcHeapWriter *writer, const SdcStep *step, uint64 records)
{
	double		draws = sdc_parameters_number(step->parameters, SDC_PARAMETER_DRAWS);
	double		retain = sdc_parameters_number(step->parameters, SDC_PARAMETER_RETAIN);

	if (retain > 0)
		put(writer, SDC_PART_METHOD, NULL, SDC_MEASURE_RETAIN, retain);
	else if (draws >= 1)
		put(writer, SDC_PART_METHOD, NULL, SDC_MEASURE_DRAWS, draws);
	else if (!sdc_parameters_has(step->parameters, SDC_PARAMETER_MATRICES))
		put_probabilities(writer, step, step->qi != NIL ? step->qi : step->columns, records);
}

/* put_noise writes what undoes the noise of a column: its amount and scheme, and whether it was cut to bounds. */
static void
put_noise(SdcHeapWriter *writer, const SdcStep *step, const char *name)
{
	SdcNoiseScheme scheme;
	SdcNoiseColumn column;
	double		amount;

	if (step->method->tells != SDC_TELLS_NOISE ||
		!sdc_noiseparameters_read(step->parameters, name, &scheme, &amount, &column))
		return;
	put(writer, SDC_PART_METHOD, name, SDC_MEASURE_AMOUNT, amount);
	put(writer, SDC_PART_METHOD, name, sdc_noise_schemes[scheme], NAN);
	if (isfinite(column.low) || isfinite(column.high))
		put(writer, SDC_PART_METHOD, name, SDC_MEASURE_BOUNDED, NAN);
}

/* put_units writes how units have exchanged the values of a column; without a number classes are as they have come. */
static void
put_units(SdcHeapWriter *writer, const SdcReleaseRow *release, const SdcStep *step, const char *name)
{
	if (sdc_parameters_is(step->parameters, SDC_PARAMETER_UNIT_ROWS, "whole"))
		put(writer, SDC_PART_METHOD, name, SDC_MEASURE_WHOLE, NAN);
	if (sdc_steps_in_classes(step) && release->strata == NIL)
		put(writer, SDC_PART_METHOD, name, SDC_MEASURE_UNIT_CLASS, sdc_steps_unit_class(step));
}

/*
 * put_moves writes what a step keeps of a column that it has moved values of, and how far it has moved them by rank,
 * where that is told of each value by itself: estimators and bounds need that.
 */
static void
put_moves(SdcHeapWriter *writer, const SdcReleaseRow *release, const SdcStep *step, const char *name, bool codes)
{
	const char *measure = step->method->reach == SDC_REACH_BUCKETS ? SDC_PARAMETER_BUCKETS : SDC_PARAMETER_P;
	bool		continued = sdc_steps_continued(release);

	if (!release->made || !sdc_methods_keeps_values(step->method))
		return;
	if (!continued)
		put(writer, SDC_PART_METHOD, name, SDC_MEASURE_KEPT, NAN);
	if (release->unit != NIL && !continued)
		put_units(writer, release, step, name);
	if (step->method->reach != SDC_REACH_NONE && !codes)
		put(writer, SDC_PART_METHOD, name, measure, sdc_parameters_number(step->parameters, measure));
}

/* put_average writes that an original value is between the released ones beside its own: it alone made the groups. */
static void
put_average(SdcHeapWriter *writer, const SdcReleaseRow *release, const SdcStep *step, const char *name)
{
	if (release->made && step->method->tells == SDC_TELLS_AVERAGE && sdc_steps_in_runs(step) &&
		release->strata == NIL && !sdc_parameters_has(step->parameters, SDC_PARAMETER_SMALL))
		put(writer, SDC_PART_METHOD, name, SDC_MEASURE_BETWEEN, NAN);
}

/* put_drawn writes in which classes units were drawn together: estimators need that. */
static void
put_drawn(SdcHeapWriter *writer, const SdcReleaseRow *release, List *steps, const SdcStep *step, const char *name)
{
	if (step == sdc_steps_randomized(steps) && release->unit != NIL && !sdc_steps_continued(release) &&
		!sdc_parameters_has(step->parameters, SDC_PARAMETER_MATRICES) &&
		sdc_steps_in_classes(step))
		put(writer, SDC_PART_METHOD, name, SDC_MEASURE_UNIT_CLASS, sdc_steps_unit_class(step));
}

/* put_step writes what is told of a column by the step that has protected it. */
static void
put_step(SdcHeapWriter *writer, const SdcReleaseRow *release, List *steps, const SdcStep *step, const char *name)
{
	bool		codes = release->missing != NULL && sdc_parameters_has(sdc_parameters_read(release->missing), name);

	if (codes)
		put(writer, SDC_PART_METHOD, name, SDC_MEASURE_CODES, NAN);
	if (sdc_steps_continued(release))
		put(writer, SDC_PART_METHOD, name, SDC_MEASURE_CONTINUED, NAN);
	put_drawn(writer, release, steps, step, name);
	/* what a step tells is told of what its values were recoded to before */
	if (step->method->tells != SDC_TELLS_FUNCTION && sdc_steps_recoding(steps, name) != NULL)
	{
		put(writer, SDC_PART_METHOD, name, SDC_METHOD_RECODE, NAN);
		return;
	}
	put_moves(writer, release, step, name, codes);
	put_average(writer, release, step, name);
	put_noise(writer, step, name);
}

/* put_all writes what is told of all columns. */
static void
put_all(SdcHeapWriter *writer, const SdcPublishPlan *plan, List *steps, uint64 records)
{
	const SdcStep *drawing = sdc_steps_randomized(steps);
	const SdcReleaseRow *release = &plan->release;
	ListCell   *cell;

	if (release->unit != NIL && release->units < release->records)
		put(writer, SDC_PART_METHOD, NULL, SDC_MEASURE_UNITS, NAN);
	if (records != release->records)
		put(writer, SDC_PART_METHOD, NULL, SDC_MEASURE_PART, NAN);
	if (sdc_names_without(release->strata, plan->columns) != NIL)
		put(writer, SDC_PART_METHOD, NULL, SDC_MEASURE_STRATUM, NAN);
	if (drawing != NULL)
		put_drawing(writer, drawing, release->records);
	foreach(cell, steps)
		put_matrices(writer, plan, lfirst(cell));
}

/* may_lack tells whether missing values can have been others, which the method itself does not say. */
static bool
may_lack(List *steps, const SdcStep *step, const char *name)
{
	if (step->method->tells == SDC_TELLS_SUPPRESSED)
		return false;
	return sdc_steps_suppressed(steps, name) ||
		(step->method->tells == SDC_TELLS_AVERAGE && sdc_parameters_has(step->parameters, SDC_PARAMETER_SMALL));
}

/* put_methods writes how every column was protected, and no parameter that no estimator needs. */
static void
put_methods(SdcHeapWriter *writer, const SdcPublishPlan *plan, uint64 records)
{
	List	   *steps = sdc_steps_of(&plan->release);
	ListCell   *cell;

	foreach(cell, plan->columns)
	{
		const char *name = lfirst(cell);
		const SdcStep *step = sdc_names_have(plan->release.columns, name) ? sdc_steps_find(steps, name) : NULL;

		put(writer, SDC_PART_METHOD, name, step == NULL ? SDC_MEASURE_COPIED :
			step->method->name == NULL ? SDC_METHOD_OTHER : step->method->name, NAN);
		if (step != NULL)
			put_step(writer, &plan->release, steps, step, name);
		/* a recoding before it was the one that the column has */
		if (step != NULL && may_lack(steps, step, name))
			put(writer, SDC_PART_METHOD, name, SDC_METHOD_SUPPRESS, NAN);
		if (sdc_names_have(plan->release.strata, name))
			put(writer, SDC_PART_METHOD, name, SDC_MEASURE_STRATUM, NAN);
	}
	put_all(writer, plan, steps, records);
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
	TupleDesc	desc = sdc_accuracyrows_layout();
	StringInfoData sql;
	Oid			relid;

	initStringInfo(&sql);
	appendStringInfo(&sql, "CREATE TABLE %s (", name);
	for (int i = 0; i < desc->natts; i++)
		appendStringInfo(&sql, "%s%s %s", i == 0 ? "" : ", ", NameStr(TupleDescAttr(desc, i)->attname),
						 format_type_be_qualified(TupleDescAttr(desc, i)->atttypid));
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
	put(writer, SDC_PART_RELEASE, NULL, "records", (double) records);
	put_methods(writer, accuracy->plan, records);
	put_measures(writer, accuracy);
	sdc_heapwriter_end(writer);
	CommandCounterIncrement();
	enter(accuracy, table, publication);
	tie(table, publication);
	hand_over(table, publication, fresh);
	return table;
}

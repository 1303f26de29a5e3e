/*-------------------------------------------------------------------------
 *
 * labeltable.c
 *		The labels that a table has for the values of a column.
 *
 * A value that stands twice has the labels of the first row in the order of values and labels, so that nothing depends
 * on the order in which the rows come.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "kernel/base/kernel_env.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/catalog/parameters.h"
#include "relation/read/codedtable.h"
#include "relation/read/source.h"
#include "relation/recode/labeltable.h"
#include "relation/rights/trust.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/json.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/varlena.h"

/* is_plain_text tells whether a type is one of texts, of which no blanks are lost. */
static bool
is_plain_text(Oid base)
{
	return sdc_type_is_text(base) && base != BPCHAROID;
}

/* refuse_type raises the error for a column of a table that has not the type that it needs. */
static void
refuse_type(const SdcRule *rule, const char *name, Oid typid, const char *needed)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("column \"%s\" of table \"%s\" has type %s", name, get_rel_name(rule->labels->relid),
					format_type_be(typid)),
			 errdetail("It is for column \"%s\", and needs %s.", rule->column, needed),
			 errhint("Cast it in a view.")));
}

/* check_column insists on a column of the table, with a type that fits. */
static void
check_column(const SdcRule *rule, const char *name, bool labels)
{
	AttrNumber	number = sdc_source_find_column(rule->labels->relid, name, labels ? "levels" : "value");
	Oid			typid = get_atttype(rule->labels->relid, number);
	Oid			base = getBaseType(typid);

	if (labels ? sdc_type_is_text(base) || sdc_type_is_integer(base) :
		base == rule->type.base || (is_plain_text(base) && is_plain_text(rule->type.base)) ||
		(sdc_type_is_integer(base) && sdc_type_is_integer(rule->type.base)))
		return;
	refuse_type(rule, name, typid, labels ? "text or whole numbers" :
				psprintf("type %s", format_type_be(rule->type.typid)));
}

/* table_columns lists the columns of a table in their order. */
static List *
table_columns(Oid relid)
{
	Relation	rel = sdc_source_open(relid, AccessShareLock);
	List	   *names = NIL;

	for (int i = 0; i < RelationGetNumberOfAttributes(rel); i++)
		if (!TupleDescAttr(RelationGetDescr(rel), i)->attisdropped)
			names = lappend(names, pstrdup(NameStr(TupleDescAttr(RelationGetDescr(rel), i)->attname)));
	relation_close(rel, NoLock);
	return names;
}

/* wanted_columns leaves of the columns with labels the one that a recoding wants. */
static List *
wanted_columns(const SdcRule *rule, List *names)
{
	if (rule->level_name == NULL && rule->level == 0)
		return names;
	if (rule->level_name != NULL && sdc_names_have(names, rule->level_name))
		return list_make1(rule->level_name);
	if (rule->level_name == NULL && rule->level <= list_length(names))
		return list_make1(list_nth(names, rule->level - 1));
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 rule->level_name != NULL ?
			 errmsg("table \"%s\" has no level \"%s\"", get_rel_name(rule->labels->relid), rule->level_name) :
			 errmsg("table \"%s\" has no level %d", get_rel_name(rule->labels->relid), rule->level),
			 errdetail_plural("It has %d level for column \"%s\".", "It has %d levels for column \"%s\".",
							  list_length(names), list_length(names), rule->column)));
	return NIL;
}

/* sdc_labeltable_plan: see labeltable.h. */
void
sdc_labeltable_plan(SdcRule *rule)
{
	RangeVar   *range = makeRangeVarFromNameList(textToQualifiedNameList(cstring_to_text(rule->table)));
	SdcLabelTable *table = palloc0(sizeof(SdcLabelTable));
	List	   *names;
	ListCell   *cell;

	rule->labels = table;
	table->relid = RangeVarGetRelid(range, AccessShareLock, true);
	if (!OidIsValid(table->relid))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation \"%s\" does not exist", rule->table),
				 range->schemaname == NULL ? errhint("In a policy its name needs the schema.") : 0));
	sdc_source_check_kind(table->relid);
	sdc_source_check_readable(table->relid);
	names = table_columns(table->relid);
	table->value_name = rule->value_column != NULL ? rule->value_column : names == NIL ? "" : linitial(names);
	check_column(rule, table->value_name, false);
	names = rule->label_columns != NIL ? rule->label_columns :
		sdc_names_without(names, list_make1(unconstify(char *, table->value_name)));
	names = wanted_columns(rule, names);
	if (names == NIL || sdc_names_have(names, table->value_name))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 names == NIL ? errmsg("table \"%s\" has no column with labels", get_rel_name(table->relid)) :
				 errmsg("column \"%s\" of table \"%s\" cannot have both values and labels", table->value_name,
						get_rel_name(table->relid))));
	table->name = palloc(sizeof(char *) * list_length(names));
	foreach(cell, names)
	{
		check_column(rule, lfirst(cell), true);
		if (sdc_names_index(names, lfirst(cell)) != foreach_current_index(cell))
			ereport(ERROR,
					(errcode(ERRCODE_DUPLICATE_COLUMN),
					 errmsg("column \"%s\" of table \"%s\" is named twice", (char *) lfirst(cell),
							get_rel_name(table->relid))));
		table->name[table->levels++] = lfirst(cell);
	}
	rule->levels = table->levels;
}

/* take_value turns a value of the table into one of the rule's column; false: that has no such value. */
static bool
take_value(const SdcRule *rule, const SdcType *type, Datum *value)
{
	int64		word;

	if (type->base == rule->type.base || !sdc_type_is_integer(type->base))
		return true;
	word = sdc_type_word(type, *value);
	if ((rule->type.base == INT2OID && word != (int16) word) || (rule->type.base == INT4OID && word != (int32) word))
		return false;
	*value = rule->type.base == INT2OID ? Int16GetDatum((int16) word) :
		rule->type.base == INT4OID ? Int32GetDatum((int32) word) : Int64GetDatum(word);
	return true;
}

/* take_label turns a label of the table into text. */
static text *
take_label(const SdcType *type, Datum label)
{
	if (sdc_type_is_integer(type->base))
		return cstring_to_text(psprintf(INT64_FORMAT, sdc_type_word(type, label)));
	return DatumGetTextPP(sdc_type_text(type->base, label));
}

/* compare_labels compares two labels, of which each may be missing. */
static int
compare_labels(const text *a, const text *b)
{
	Size		bytes;
	int			order;

	if (a == NULL || b == NULL)
		return (a != NULL) - (b != NULL);
	bytes = Min(VARSIZE_ANY_EXHDR(a), VARSIZE_ANY_EXHDR(b));
	order = memcmp(VARDATA_ANY(a), VARDATA_ANY(b), bytes);
	return order != 0 ? order : (VARSIZE_ANY_EXHDR(a) > bytes) - (VARSIZE_ANY_EXHDR(b) > bytes);
}

/* compare_rows is for qsort_arg: rows without a value are the last. */
static int
compare_rows(const void *a, const void *b, void *arg)
{
	const SdcRule *rule = arg;
	const SdcLabelTable *table = rule->labels;
	uint32		left = *(const uint32 *) a;
	uint32		right = *(const uint32 *) b;
	int			order;

	CHECK_FOR_INTERRUPTS();
	if (!table->valid[left] || !table->valid[right])
		return table->valid[right] - table->valid[left];
	order = sdc_type_compare(unconstify(SdcType *, &rule->type), table->value[left], table->value[right]);
	for (int h = 0; h < table->levels && order == 0; h++)
		order = compare_labels(sdc_labeltable_label(table, left, h), sdc_labeltable_label(table, right, h));
	return order;
}

/* allocate makes room for the rows. */
static void
allocate(SdcLabelTable *table, uint32 rows)
{
	table->rows = rows;
	table->value = sdc_memory_array(rows, sizeof(Datum));
	table->valid = sdc_memory_array(rows, sizeof(bool));
	table->label = sdc_memory_array((uint64) rows * table->levels, sizeof(text *));
}

/* sort_rows puts the rows into the order of their values. */
static void
sort_rows(SdcRule *rule)
{
	SdcLabelTable *table = rule->labels;
	SdcLabelTable unsorted = *table;
	uint32	   *row = sdc_memory_array(table->rows, sizeof(uint32));

	for (uint32 i = 0; i < table->rows; i++)
		row[i] = i;
	qsort_arg(row, table->rows, sizeof(uint32), compare_rows, rule);
	allocate(table, unsorted.rows);
	for (uint32 i = 0; i < table->rows; i++)
	{
		table->value[i] = unsorted.value[row[i]];
		table->valid[i] = unsorted.valid[row[i]];
		for (int h = 0; h < table->levels; h++)
			table->label[(uint64) i * table->levels + h] = sdc_labeltable_label(&unsorted, row[i], h);
		sdc_interrupts_step(i);
	}
	sdc_free(unsorted.value);
	sdc_free(unsorted.valid);
	sdc_free(unsorted.label);
	sdc_free(row);
}

/* check_stars insists on labels that do not mean everything. */
static void
check_stars(const SdcRule *rule)
{
	const SdcLabelTable *table = rule->labels;
	uint64		stars = 0;

	for (uint64 i = 0; i < (uint64) table->rows * table->levels; i++)
	{
		sdc_interrupts_step(i);
		stars += table->label[i] != NULL && sdc_rule_is_everything(table->label[i]);
	}
	if (stars > 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg_plural(UINT64_FORMAT " label of table \"%s\" is \"" SDC_RULE_EVERYTHING "\"",
							   UINT64_FORMAT " labels of table \"%s\" are \"" SDC_RULE_EVERYTHING "\"",
							   (unsigned long) stars, stars, get_rel_name(table->relid)),
				 errdetail("That means everything."),
				 errhint("Use another label.")));
}

/* sdc_labeltable_read: see labeltable.h. */
void
sdc_labeltable_read(SdcRule *rule)
{
	SdcLabelTable *table = rule->labels;
	List	   *names = list_make1(unconstify(char *, table->value_name));
	SdcCodedTable *coded;

	for (int h = 0; h < table->levels; h++)
		names = lappend(names, unconstify(char *, table->name[h]));
	coded = sdc_codedtable_load(table->relid, names);
	allocate(table, coded->coded.records);
	for (uint32 i = 0; i < table->rows; i++)
	{
		uint32		code = coded->coded.column[0].code[i];

		table->value[i] = code == SDC_CODE_NULL ? (Datum) 0 : sdc_codedtable_value(coded, 0, code);
		table->valid[i] = code != SDC_CODE_NULL && take_value(rule, &coded->column[0].type, &table->value[i]);
		for (int h = 0; h < table->levels; h++)
		{
			uint32		label = coded->coded.column[h + 1].code[i];

			table->label[(uint64) i * table->levels + h] = label == SDC_CODE_NULL ? NULL :
				take_label(&coded->column[h + 1].type, sdc_codedtable_value(coded, (uint32) h + 1, label));
		}
		sdc_interrupts_step(i);
	}
	check_stars(rule);
	sort_rows(rule);
	while (table->rows > 0 && !table->valid[table->rows - 1])
		table->rows--;
}

/* sdc_labeltable_find: see labeltable.h. */
uint32
sdc_labeltable_find(const SdcRule *rule, Datum value)
{
	const SdcLabelTable *table = rule->labels;
	SdcType    *type = unconstify(SdcType *, &rule->type);
	uint32		first = 0;
	uint32		last = table->rows;

	while (first < last)
	{
		uint32		middle = first + (last - first) / 2;

		if (sdc_type_compare(type, table->value[middle], value) < 0)
			first = middle + 1;
		else
			last = middle;
	}
	return first < table->rows && sdc_type_compare(type, table->value[first], value) == 0 ? first : table->rows;
}

/* sdc_labeltable_describe: see labeltable.h. */
void
sdc_labeltable_describe(SdcRule *rule, StringInfo json)
{
	SdcLabelTable *table = rule->labels;
	int			nest = sdc_type_pin_settings();
	Oid			output;
	bool		varlena;

	getTypeOutputInfo(rule->type.base, &output, &varlena);
	appendStringInfoChar(json, '[');
	for (uint32 i = 0; i < table->rows; i++)
	{
		appendStringInfoString(json, i == 0 ? "[" : ", [");
		escape_json(json, OidOutputFunctionCall(output, table->value[i]));
		for (int h = 0; h < table->levels; h++)
		{
			appendStringInfoString(json, ", ");
			escape_json(json, text_to_cstring(sdc_labeltable_label(table, i, h)));
		}
		appendStringInfoChar(json, ']');
		sdc_interrupts_step(i);
	}
	appendStringInfoChar(json, ']');
	AtEOXact_GUC(true, nest);
}

/* row_text returns one of the texts of a row, NULL if it is none. */
static char *
row_text(const JsonbValue *row, uint32 number)
{
	JsonbContainer *array = sdc_parameters_array_of(row);

	return array == NULL ? NULL : sdc_parameters_text_of(getIthJsonbValueFromContainer(array, number));
}

/* row_levels is how many labels the first row has; 1 where there is none. */
static int
row_levels(JsonbContainer *rows)
{
	JsonbContainer *row = sdc_parameters_array_of(getIthJsonbValueFromContainer(rows, 0));

	return row != NULL && JsonContainerSize(row) > 1 ? (int) JsonContainerSize(row) - 1 : 1;
}

/* restore_row reads a row. */
static void
restore_row(SdcLabelTable *table, uint32 number, const JsonbValue *row, Oid input, Oid parameter)
{
	char	   *value = row_text(row, 0);

	table->valid[number] = value != NULL;
	table->value[number] = value == NULL ? (Datum) 0 : OidInputFunctionCall(input, value, parameter, -1);
	for (int h = 0; h < table->levels; h++)
	{
		char	   *label = row_text(row, (uint32) h + 1);

		table->valid[number] &= label != NULL;
		table->label[(uint64) number * table->levels + h] = label == NULL ? NULL : cstring_to_text(label);
	}
}

/* sdc_labeltable_restore: see labeltable.h. */
void
sdc_labeltable_restore(SdcRule *rule, JsonbContainer *rows)
{
	SdcLabelTable *table = palloc0(sizeof(SdcLabelTable));
	JsonbIterator *iterator = JsonbIteratorInit(rows);
	JsonbIteratorToken token;
	JsonbValue	row;
	int			nest = sdc_type_pin_settings();
	Oid			input;
	Oid			parameter;
	uint32		count = 0;

	sdc_trust_require_input(rule->type.base);
	rule->labels = table;
	rule->levels = table->levels = row_levels(rows);
	allocate(table, JsonContainerSize(rows));
	getTypeInputInfo(rule->type.base, &input, &parameter);
	while ((token = JsonbIteratorNext(&iterator, &row, true)) != WJB_DONE)
	{
		if (token != WJB_ELEM)
			continue;
		restore_row(table, count++, &row, input, parameter);
		sdc_interrupts_step(count);
	}
	AtEOXact_GUC(true, nest);
	table->rows = count;
	sort_rows(rule);
	while (table->rows > 0 && !table->valid[table->rows - 1])
		table->rows--;
}

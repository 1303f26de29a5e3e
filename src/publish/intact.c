/*-------------------------------------------------------------------------
 *
 * intact.c
 *		Whether a publication is what was published.
 *
 * A publication is an ordinary table of its owner's: anybody who may can change its rows, columns, owner and readers.
 * Unlogged, it is empty after a crash.  So nobody may take it for what the catalog says of it without a look.
 *
 * Its SHA-256 tells about the records.  The pages tell more quickly, once they were seen to belong to that SHA-256:
 * the catalog notes what they were then (pages.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "publish/intact.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/spi.h"
#include "relation/catalog/actas.h"
#include "relation/column/types.h"
#include "relation/frame/accuracyrows.h"
#include "relation/frame/publications.h"
#include "relation/read/contents.h"
#include "relation/read/fingerprint.h"
#include "relation/rights/trust.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

/* The reading of a table. */
typedef struct Reading
{
	TupleDesc	desc;
	SdcContents *contents;
	uint64		most;			/* as many are taken */
	uint64		records;
	Datum	   *values;
} Reading;

/* take_row takes a record: SdcSpiRow. */
static void
take_row(void *arg, TupleTableSlot *slot)
{
	Reading    *reading = arg;

	slot_getallattrs(slot);
	if (++reading->records > reading->most)
		return;
	for (int i = 0; i < reading->desc->natts; i++)
	{
		reading->values[i] = slot->tts_values[i];
		if (TupleDescAttr(reading->desc, i)->attlen == -1 && !slot->tts_isnull[i])
			reading->values[i] = PointerGetDatum(PG_DETOAST_DATUM_PACKED(slot->tts_values[i]));
	}
	sdc_contents_add(reading->contents, reading->values, slot->tts_isnull);
}

/* columns_of lists the columns of a table, in their order. */
static List *
columns_of(TupleDesc desc)
{
	List	   *names = NIL;

	for (int i = 0; i < desc->natts; i++)
		if (!TupleDescAttr(desc, i)->attisdropped)
			names = lappend(names, pstrdup(NameStr(TupleDescAttr(desc, i)->attname)));
	return names;
}

/* live_columns describes the columns that a table has now; NULL: it was dropped meanwhile. */
static TupleDesc
live_columns(Oid table)
{
	Relation	rel = try_relation_open(table, AccessShareLock);
	TupleDesc	all;
	TupleDesc	desc;
	AttrNumber	n = 0;

	if (rel == NULL)
		return NULL;
	all = RelationGetDescr(rel);
	desc = CreateTemplateTupleDesc(list_length(columns_of(all)));
	for (int i = 0; i < all->natts; i++)
		if (!TupleDescAttr(all, i)->attisdropped)
			TupleDescCopyEntry(desc, ++n, all, TupleDescAttr(all, i)->attnum);
	relation_close(rel, NoLock);
	return desc;
}

/* read_contents reads up to so many records of a table, and returns how many there are. */
static uint64
read_contents(Oid table, TupleDesc desc, uint64 most, uint8 *sha256)
{
	Reading		reading = {.desc = desc, .most = most, .values = palloc(sizeof(Datum) * Max(desc->natts, 1))};
	StringInfoData sql;
	SdcActAs	before;
	int			nest;

	initStringInfo(&sql);
	for (int i = 0; i < desc->natts; i++)
		appendStringInfo(&sql, "%ssource.%s", i == 0 ? "SELECT " : ", ",
						 quote_identifier(NameStr(TupleDescAttr(desc, i)->attname)));
	appendStringInfo(&sql, " FROM %s AS source", sdc_spi_relation_name(table));
	sdc_spi_connect();
	sdc_actas_begin(&before, sdc_trust_reader(table, false));
	nest = sdc_type_pin_settings();
	sdc_spi_set_for_now("jit", "off");	/* there is next to nothing to compile */
	reading.contents = sdc_contents_begin(desc, most, sdc_memory_budget() / 2);
	sdc_spi_select_rows(sql.data, take_row, &reading);
	sdc_contents_end(reading.contents, sha256);
	AtEOXact_GUC(true, nest);
	sdc_actas_end(&before);
	sdc_spi_finish();
	return reading.records;
}

/* changed_columns tells whether a table has other columns than those of its row, or other types than the release. */
static bool
changed_columns(const SdcPublicationRow *row, TupleDesc desc)
{
	List	   *now = columns_of(desc);
	TupleDesc	released = OidIsValid(row->release) ? live_columns(row->release) : NULL;

	if (!sdc_names_equal(now, row->columns))
		return true;
	for (int i = 0; released != NULL && i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);

		for (int j = 0; j < released->natts; j++)
		{
			Form_pg_attribute of = TupleDescAttr(released, j);

			if (strcmp(NameStr(of->attname), NameStr(att->attname)) == 0 &&
				(of->atttypid != att->atttypid || of->atttypmod != att->atttypmod))
				return true;
		}
	}
	return false;
}

/* changed_records tells whether the records of a table are others than they were published. */
static bool
changed_records(Oid schema, const SdcPublicationRow *row, TupleDesc desc)
{
	uint8		sha256[SDC_CONTENTS_BYTES];
	SdcFingerprint	pages;
	bool		has_pages = sdc_fingerprint_pages(schema, row->table, row->columns, NULL, &pages);

	if (has_pages && row->has_pages && memcmp(&pages, &row->pages, sizeof(SdcFingerprint)) == 0)
		return false;
	if (read_contents(row->table, desc, row->records, sha256) != row->records ||
		memcmp(sha256, row->sha256, SDC_CONTENTS_BYTES) != 0)
		return true;
	/* who else looks, or writes, notes it himself */
	if (has_pages && !XactReadOnly && !RecoveryInProgress() &&
		ConditionalLockRelationOid(row->table, ShareUpdateExclusiveLock))
		sdc_publications_note(schema, row, &pages);
	return false;
}

/* missing_reader returns a role that cannot read a table and should, or NULL. */
static const char *
missing_reader(Oid table, const List *readers)
{
	ListCell   *cell;

	foreach(cell, readers)
	{
		const char *name = lfirst(cell);
		bool		everybody = strcmp(name, "public") == 0;
		Oid			role = everybody ? ACL_ID_PUBLIC : get_role_oid(name, true);

		if ((everybody || OidIsValid(role)) && pg_class_aclcheck(table, role, ACL_SELECT) != ACLCHECK_OK)
			return name;
	}
	return NULL;
}

/* problem_of returns what is wrong with a publication or an accuracy table, or NULL. */
static char *
problem_of(Oid schema, Oid table, Oid owner, const List *readers, bool *other_columns)
{
	const char *name = get_rel_name(table);
	SdcPublicationRow row;
	TupleDesc	desc;
	const char *reader;

	if (name == NULL)
		return pstrdup("a table was dropped");
	if (!sdc_publications_get(schema, table, &row))
		return psprintf("\"%s\" is not known as what was published", name);
	desc = live_columns(table);
	if (desc == NULL)
		return psprintf("\"%s\" was dropped", name);
	if (OidIsValid(owner) && sdc_trust_owner(table) != owner)
		return psprintf("\"%s\" belongs to another role", name);
	*other_columns = changed_columns(&row, desc);
	if (*other_columns)
		return psprintf("\"%s\" has other columns", name);
	if (changed_records(schema, &row, desc))
		return psprintf("\"%s\" has other records", name);
	reader = missing_reader(table, readers);
	return reader == NULL ? NULL : psprintf("role \"%s\" cannot read \"%s\"", reader, name);
}

/* sdc_intact_problem: see intact.h. */
char *
sdc_intact_problem(Oid schema, Oid publication, Oid owner, const List *readers, bool *other_columns)
{
	Oid			accuracy;
	char	   *problem;

	*other_columns = false;
	if (!has_privs_of_role(GetUserId(), sdc_trust_owner(publication)))
		return psprintf("\"%s\" belongs to another role", get_rel_name(publication));
	problem = problem_of(schema, publication, owner, readers, other_columns);
	if (problem != NULL)
		return problem;
	accuracy = sdc_publications_accuracy(schema, publication);
	if (!OidIsValid(accuracy))
		return psprintf("the accuracy table of \"%s\" is gone", get_rel_name(publication));
	*other_columns = !sdc_accuracyrows_fits(accuracy);
	if (*other_columns)
		return psprintf("\"%s\" has other columns", get_rel_name(accuracy));
	return problem_of(schema, accuracy, owner, readers, other_columns);
}

/* sdc_intact_note_accuracy: the statement that is at work does not see yet what it has written. */
void
sdc_intact_note_accuracy(Oid schema, Oid accuracy)
{
	TupleDesc	desc = live_columns(accuracy);
	SdcPublicationRow row;

	if (!sdc_publications_get(schema, accuracy, &row))
		elog(ERROR, "accuracy table %u is not in the catalog", accuracy);
	CommandCounterIncrement();
	PushActiveSnapshot(GetLatestSnapshot());
	row.columns = columns_of(desc);
	row.records = read_contents(accuracy, desc, PG_INT32_MAX, row.sha256);
	PopActiveSnapshot();
	sdc_publications_note(schema, &row, NULL);
}

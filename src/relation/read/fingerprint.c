/*-------------------------------------------------------------------------
 *
 * fingerprint.c
 *		What a relation is by now, to tell later whether it has changed.
 *
 * It is read as every relation is, by SELECT under the snapshot of the statement.  So what counts is what the reader
 * sees: rows of transactions that are under way do not, and neither does where rows lie, so that VACUUM, CLUSTER or a
 * crash change nothing.
 *
 *	record	SHA-256 of a secret and the bytes of all values, each with its length
 *	state	SHA-256 of a secret, the names, types and roles of the columns, how many records there are, and the sums
 *			of what the records have, four of 64 bits; 16 bytes of that
 *
 * A sum does not depend on the order.  Without a key, other records with the same sum could be found; nobody has the
 * key, which is made of the secret of the installation, nor sees what a record has (M. Bellare, D. Micciancio, "A new
 * paradigm for collision-free hashing", Eurocrypt 1997, section 4, says why a sum of random functions will do).
 *
 * Bytes can differ where values do not: 1.0 and 1.00 as numeric.  Then there is a change where one could say that
 * there is none, never the other way round.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "catalog/pg_class.h"
#include "kernel/base/kernel_env.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/base/digest.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/actas.h"
#include "relation/catalog/catalogtable.h"
#include "relation/column/types.h"
#include "relation/read/pages.h"
#include "relation/read/source.h"
#include "relation/read/fingerprint.h"
#include "relation/rights/label.h"
#include "relation/rights/trust.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

/* Progress is reported once in this many records. */
#define REPORT_RECORDS 4096

#define SUMS 4

/* The reading of one relation. */
typedef struct Taking
{
	SHA256_CTX	keyed;			/* has taken the key; a record goes on from a copy */
	SdcDigest	digest;			/* of the record */
	uint64		records;
	uint64		sum[SUMS];
} Taking;

/* begin_keyed starts a digest with the secret of the installation and a word for what it is of: one block. */
static void
begin_keyed(Oid catalog_schema, const char *word, SHA256_CTX *digest)
{
	uint8		block[SHA256_CBLOCK] = {0};

	sdc_catalogtable_secret(catalog_schema, block);
	memcpy(block + SDC_SEAL_SECRET_BYTES, word, Min(strlen(word), sizeof(block) - SDC_SEAL_SECRET_BYTES));
	sdc_digest_require(SHA256_Init(digest) == 1 && SHA256_Update(digest, block, sizeof(block)) == 1);
	explicit_bzero(block, sizeof(block));
}

/* add_word adds a number. */
static inline void
add_word(Taking *taking, uint64 word)
{
	sdc_digest_add(&taking->digest, &word, sizeof(word));
}

/* add_short adds a value that is passed by value: as many bytes as its type has. */
static void
add_short(Taking *taking, Datum value, int length)
{
	switch (length)
	{
		case 1:
			add_word(taking, DatumGetUInt8(value));
			break;
		case 2:
			add_word(taking, DatumGetUInt16(value));
			break;
		case 4:
			add_word(taking, DatumGetUInt32(value));
			break;
		default:
			add_word(taking, (uint64) value);
	}
}

/* add_value adds a value that is not NULL: the server's own bytes of it, which are the same for a value again. */
static void
add_value(Taking *taking, Form_pg_attribute att, Datum value)
{
	if (att->attbyval)
		add_short(taking, value, att->attlen);
	else if (att->attlen > 0)
		sdc_digest_add(&taking->digest, DatumGetPointer(value), att->attlen);
	else if (att->attlen == -2)
	{
		add_word(taking, strlen(DatumGetCString(value)));
		sdc_digest_add(&taking->digest, DatumGetCString(value), strlen(DatumGetCString(value)));
	}
	else
	{
		struct varlena *plain = PG_DETOAST_DATUM_PACKED(value);

		add_word(taking, VARSIZE_ANY_EXHDR(plain));
		sdc_digest_add(&taking->digest, VARDATA_ANY(plain), VARSIZE_ANY_EXHDR(plain));
	}
}

/* take_row takes every record: SdcSpiRow. */
static void
take_row(void *arg, TupleTableSlot *slot)
{
	Taking	   *taking = arg;
	TupleDesc	desc = slot->tts_tupleDescriptor;
	union
	{
		uint8		bytes[SHA256_DIGEST_LENGTH];
		uint64		word[SUMS];
	}			result;

	slot_getallattrs(slot);
	sdc_digest_begin(&taking->digest, &taking->keyed);
	for (int i = 0; i < desc->natts; i++)
	{
		uint8		there = !slot->tts_isnull[i];

		sdc_digest_add(&taking->digest, &there, 1);
		if (there)
			add_value(taking, TupleDescAttr(desc, i), slot->tts_values[i]);
	}
	sdc_digest_end(&taking->digest, result.bytes);
	for (int i = 0; i < SUMS; i++)
		taking->sum[i] += result.word[i];
	if (++taking->records % REPORT_RECORDS == 0)
		sdc_progress_read(taking->records);
}

/* sdc_fingerprint_columns: see fingerprint.h. */
List *
sdc_fingerprint_columns(Oid relid)
{
	Relation	rel = sdc_source_open(relid, AccessShareLock);
	bool		all = pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) == ACLCHECK_OK;
	List	   *names = NIL;

	for (int i = 0; i < RelationGetNumberOfAttributes(rel); i++)
	{
		Form_pg_attribute att = TupleDescAttr(RelationGetDescr(rel), i);

		if (!att->attisdropped &&
			(all || pg_attribute_aclcheck(relid, att->attnum, GetUserId(), ACL_SELECT) == ACLCHECK_OK))
			names = lappend(names, pstrdup(NameStr(att->attname)));
	}
	relation_close(rel, NoLock);
	return names;
}

/* sdc_fingerprint_may_read: see fingerprint.h. */
bool
sdc_fingerprint_may_read(Oid relid, List *columns)
{
	ListCell   *cell;

	if (pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) == ACLCHECK_OK)
		return true;
	if (pg_attribute_aclcheck_all(relid, GetUserId(), ACL_SELECT, ACLMASK_ANY) != ACLCHECK_OK)
		return false;
	foreach(cell, columns)
	{
		AttrNumber	number = get_attnum(relid, lfirst(cell));

		if (number > 0 && pg_attribute_aclcheck(relid, number, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
			return false;
	}
	return true;
}

/* append_list appends names to a description, which no other names have. */
static void
append_list(StringInfo text, List *names)
{
	ListCell   *cell;

	appendStringInfo(text, "[%d", list_length(names));
	foreach(cell, names)
		appendStringInfo(text, ",%s", quote_identifier(lfirst(cell)));
	appendStringInfoChar(text, ']');
}

/* append_release appends what is known of a release, but not when it was made, and by whom. */
static void
append_release(StringInfo text, const SdcReleaseRow *release)
{
	appendStringInfo(text, "release of %u by %s %s %d " UINT64_FORMAT, release->source,
					 quote_identifier(release->method), release->parameters, (int) release->made, release->records);
	append_list(text, release->columns);
	append_list(text, release->key);
	append_list(text, release->strata);
	append_list(text, release->qi);
	append_list(text, release->sensitive);
}

/* describe returns the columns of a relation as text, and which of them are read. */
static char *
describe(Oid relid, List *columns, const SdcReleaseRow *release)
{
	Relation	rel = sdc_source_open(relid, AccessShareLock);
	int			nest = sdc_type_pin_names();
	SdcRole    *roles = sdc_label_roles(relid, NULL);
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; i < RelationGetNumberOfAttributes(rel); i++)
	{
		Form_pg_attribute att = TupleDescAttr(RelationGetDescr(rel), i);

		if (!att->attisdropped)
			appendStringInfo(&text, "%d %s %u %d %u %d\n", att->attnum, quote_identifier(NameStr(att->attname)),
							 att->atttypid, att->atttypmod, att->attcollation, (int) roles[i]);
	}
	append_list(&text, columns);
	if (release != NULL)
		append_release(&text, release);
	AtEOXact_GUC(true, nest);
	relation_close(rel, NoLock);
	return text.data;
}

/* make_state makes a state of what columns a relation has, and of what else was found. */
static void
make_state(Oid catalog_schema, const char *word, const char *shape, const void *found, Size length,
		   SdcFingerprint *state)
{
	SHA256_CTX	keyed;
	SdcDigest	digest;
	uint8		result[SHA256_DIGEST_LENGTH];

	begin_keyed(catalog_schema, word, &keyed);
	sdc_digest_begin(&digest, &keyed);
	sdc_digest_add(&digest, shape, strlen(shape) + 1);
	sdc_digest_add(&digest, found, length);
	sdc_digest_end(&digest, result);
	memcpy(state, result, sizeof(SdcFingerprint));
}

/* expected_records is how many records the server believes a relation to have; 0: it does not know. */
static double
expected_records(Oid relid)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	double		records;

	if (!HeapTupleIsValid(tuple))
		return 0;
	records = Max(((Form_pg_class) GETSTRUCT(tuple))->reltuples, 0);
	ReleaseSysCache(tuple);
	return records;
}

/* read_records takes all records, with the rights of the reader. */
static void
read_records(Oid relid, List *columns, bool unnamed, Taking *taking)
{
	StringInfoData sql;
	SdcActAs	before;
	int			nest;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT ");
	sdc_spi_append_columns(&sql, columns, "");
	appendStringInfo(&sql, " FROM %s AS source", sdc_spi_relation_name(relid));
	sdc_progress_start(relid, 0);
	sdc_progress_reading(expected_records(relid), false);
	sdc_spi_connect();
	sdc_actas_begin(&before, sdc_trust_reader(relid, unnamed));
	nest = NewGUCNestLevel();
	sdc_spi_set_for_now("jit", "off");	/* there is next to nothing to compile */
	sdc_spi_select_rows(sql.data, take_row, taking);
	AtEOXact_GUC(true, nest);
	sdc_actas_end(&before);
	sdc_spi_finish();
	sdc_progress_end();
}

/* names_are_there tells whether a relation has all named columns. */
static bool
names_are_there(Oid relid, List *names)
{
	ListCell   *cell;

	foreach(cell, names)
		if (get_attnum(relid, lfirst(cell)) <= 0)
			return false;
	return true;
}

/* sdc_fingerprint_take: where a column is gone the shape tells, and nothing is read. */
void
sdc_fingerprint_take(Oid catalog_schema, Oid relid, List *columns, const SdcReleaseRow *release, bool unnamed,
			   SdcFingerprint *state)
{
	char	   *shape = describe(relid, columns, release);
	Taking	   *taking = palloc0(sizeof(Taking));
	uint64		found[SUMS + 1];

	begin_keyed(catalog_schema, "record", &taking->keyed);
	if (names_are_there(relid, columns))
		read_records(relid, columns, unnamed, taking);
	found[SUMS] = taking->records;
	memcpy(found, taking->sum, sizeof(taking->sum));
	make_state(catalog_schema, "state", shape, found, sizeof(found), state);
	explicit_bzero(taking, sizeof(Taking));
	pfree(taking);
}

/* sdc_fingerprint_shape: see fingerprint.h. */
void
sdc_fingerprint_shape(Oid catalog_schema, Oid relid, List *columns, const SdcReleaseRow *release, SdcFingerprint *state)
{
	make_state(catalog_schema, "shape", describe(relid, columns, release), "", 0, state);
}

/* sdc_fingerprint_pages: whom row security shows some of the records, the pages do not tell what he sees. */
bool
sdc_fingerprint_pages(Oid catalog_schema, Oid relid, List *columns, const SdcReleaseRow *release, SdcFingerprint *state)
{
	Relation	rel = sdc_source_open(relid, AccessShareLock);
	uint8		digest[SDC_PAGES_BYTES];
	bool		there;

	sdc_progress_start(relid, 0);
	sdc_progress_reading(expected_records(relid), false);
	there = check_enable_rls(relid, InvalidOid, true) != RLS_ENABLED &&
		sdc_pages_digest(rel, GetActiveSnapshot(), digest);
	sdc_progress_end();
	if (there)
		make_state(catalog_schema, "pages", describe(relid, columns, release), digest, sizeof(digest), state);
	relation_close(rel, NoLock);
	return there;
}

/*-------------------------------------------------------------------------
 *
 * codedtable.h
 *		A relation read into codes, for measures that only count.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_CODEDTABLE_H
#define SDC_RELATION_CODEDTABLE_H

#include "kernel/base/codedfile.h"
#include "nodes/pg_list.h"
#include "relation/column/dictionary.h"
#include "relation/read/recordkeys.h"

typedef struct SdcCodedTableColumn
{
	const char *name;
	SdcType		type;
	SdcDictionary *dictionary;
	SdcDictionaryCodes coding;
} SdcCodedTableColumn;

typedef struct SdcCodedTable
{
	SdcCodedFile coded;			/* the columns in the order in which they were asked for */
	SdcCodedTableColumn *column;
	SdcRecordKeys keys;			/* none unless asked for */
	uint32	   *stratum;		/* of each record, in the order of their values; NULL unless asked for */
	uint32		strata;
} SdcCodedTable;

/*
 * sdc_codedtable_load reads columns of a relation with the rights of the caller, in the current
 * memory context.  names (char *) are columns of it, each once.  The order of the records is any:
 * what is made of them must not depend on it.  Other sessions see then that they are evaluated, until sdc_progress_end.
 */
extern SdcCodedTable *sdc_codedtable_load(Oid relid, List *names);

/*
 * sdc_codedtable_load_keyed does so in the order of a key, which comes too: columns named in a list, or the
 * primary key with given false; without one in the physical order.
 */
extern SdcCodedTable *sdc_codedtable_load_keyed(Oid relid, List *names, bool given, List *key);

/*
 * sdc_codedtable_load_strata does what sdc_codedtable_load does, and numbers the strata that further columns form; NIL:
 * none.
 */
extern SdcCodedTable *sdc_codedtable_load_strata(Oid relid, List *names, List *strata);

/* sdc_codedtable_value returns the value with a code. */
static inline Datum
sdc_codedtable_value(const SdcCodedTable *table, uint32 attribute, uint32 code)
{
	const SdcCodedTableColumn *column = &table->column[attribute];

	return sdc_dictionary_value(column->dictionary, column->coding.number[code]);
}

/* sdc_codedtable_place returns the code of a value, or the one that it would have; found tells which. */
extern uint32 sdc_codedtable_place(SdcCodedTable *table, uint32 attribute, Datum value, bool *found);

#endif							/* SDC_RELATION_CODEDTABLE_H */

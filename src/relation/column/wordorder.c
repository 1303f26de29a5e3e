/*-------------------------------------------------------------------------
 *
 * wordorder.c
 *		Records in the order of whole numbers that they have, through temporary files.
 *
 * Time and memory: those of externalorder.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "relation/column/wordorder.h"

/* sdc_wordorder_sort: see wordorder.h. */
void
sdc_wordorder_sort(SdcColumn *words, uint64 memory, SdcSpool *spool, SdcSortedColumn *sorted)
{
	SdcType		type;
	SdcArena	arena = {0};
	SdcOrderingTask task = {.column = words, .type = &type, .strata = 1, .attribute = "", .arena = &arena};

	sdc_type_lookup(&type, INT8OID, InvalidOid);
	sdc_externalorder_build(&task, memory, spool, sorted);
}

/*-------------------------------------------------------------------------
 *
 * pairsort.c
 *		Sorts of pairs of record numbers, and of values by record, through temporary files.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "relation/memory.h"
#include "relation/pairsort.h"

/* sdc_pairsort_begin starts a sort of pairs. */
Tuplesortstate *
sdc_pairsort_begin(void)
{
	return tuplesort_begin_datum(INT8OID, Int8LessOperator, InvalidOid, false,
								 sdc_memory_sort_share(SDC_SORT_SHARE), NULL, TUPLESORT_NONE);
}

/*
 * sdc_rowsort_begin starts a sort of (stratum, value, pair) rows by all columns, or with type
 * NULL one of (record, value) rows by the record.
 */
Tuplesortstate *
sdc_rowsort_begin(TupleDesc desc, const SdcType *type)
{
	AttrNumber	columns[3] = {1, 2, 3};
	Oid			operators[3] = {Int4LessOperator, InvalidOid, Int8LessOperator};
	Oid			collations[3] = {InvalidOid, InvalidOid, InvalidOid};
	bool		nulls_first[3] = {false, false, false};

	if (type == NULL)
	{
		operators[0] = Int8LessOperator;
		return tuplesort_begin_heap(desc, 1, columns, operators, collations, nulls_first,
									sdc_memory_sort_share(SDC_SORT_SHARE), NULL, TUPLESORT_NONE);
	}
	operators[1] = type->less;
	collations[1] = type->collation;
	return tuplesort_begin_heap(desc, 3, columns, operators, collations, nulls_first,
								sdc_memory_sort_share(SDC_SORT_SHARE), NULL, TUPLESORT_NONE);
}

/* sdc_rowsort_desc describes the rows of a sort; the second column is the value. */
TupleDesc
sdc_rowsort_desc(int count, const Oid *types, Oid collation)
{
	TupleDesc	desc = CreateTemplateTupleDesc(count);

	for (int i = 0; i < count; i++)
	{
		TupleDescInitEntry(desc, i + 1, NULL, types[i], -1, 0);
		if (i == 1)
			TupleDescInitEntryCollation(desc, i + 1, collation);
	}
	return desc;
}

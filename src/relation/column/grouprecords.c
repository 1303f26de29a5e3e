/*-------------------------------------------------------------------------
 *
 * grouprecords.c
 *		The records of every stratum, group or class.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/column/grouprecords.h"

/* sdc_grouprecords_memory returns the bytes that a list of members takes. */
uint64
sdc_grouprecords_memory(uint64 records, uint64 groups)
{
	return (records + groups + 2) * sizeof(uint32);
}

/* sdc_grouprecords_list sorts the records by their groups, by counting. */
void
sdc_grouprecords_list(const uint32 *group, uint64 records, uint32 groups, SdcGroupRecords *members)
{
	uint32	   *next;

	members->groups = groups;
	members->member = sdc_memory_array(records, sizeof(uint32));
	members->start = sdc_memory_zeros((uint64) groups + 2, sizeof(uint32));
	/* counted two places behind, so that start[g + 1] can run through group g */
	next = members->start + 1;
	for (uint64 r = 0; r < records; r++)
		if (group[r] != SDC_CODE_NULL)
			next[group[r] + 1]++;
	for (uint32 g = 0; g < groups; g++)
		next[g + 1] += next[g];
	for (uint64 r = 0; r < records; r++)
	{
		if (group[r] != SDC_CODE_NULL)
			members->member[next[group[r]]++] = (uint32) r;
		if (r % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
	}
}

/* sdc_grouprecords_free frees a list of members. */
void
sdc_grouprecords_free(SdcGroupRecords *members)
{
	sdc_free(members->member);
	sdc_free(members->start);
}

/* sdc_grouprecords_strata reads the stratum of every record. */
uint32 *
sdc_grouprecords_strata(SdcColumn *stratum, uint64 records)
{
	uint32	   *number = sdc_memory_array(records, sizeof(uint32));
	SdcColumnReader *reader;

	if (stratum == NULL)
	{
		memset(number, 0, records * sizeof(uint32));
		return number;
	}
	reader = sdc_column_open(stratum);
	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;

		(void) sdc_column_next(reader, &value);
		number[r] = (uint32) DatumGetInt32(value);
		if (r % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(reader);
	return number;
}

/* sdc_grouprecords_column: see grouprecords.h. */
SdcColumn *
sdc_grouprecords_column(const uint32 *number, uint32 records, int32 more, SdcSpool *spool)
{
	SdcColumn  *column = sdc_column_create(spool, INT4OID);

	for (uint32 r = 0; r < records; r++)
	{
		sdc_column_append(column, Int32GetDatum((int32) number[r] + more), false);
		if (r % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_finish(column);
	return column;
}

/* sdc_grouprecords_valued: see grouprecords.h. */
void
sdc_grouprecords_valued(SdcColumn *stratum, uint32 strata, SdcColumn *column, SdcGroupRecords *members)
{
	uint64		records = sdc_column_count(column);
	uint32	   *number = sdc_grouprecords_strata(stratum, records);
	SdcColumnReader *values = sdc_column_open(column);

	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;

		if (!sdc_column_next(values, &value))
			number[r] = SDC_CODE_NULL;
		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(values);
	sdc_grouprecords_list(number, records, Max(strata, 1), members);
	sdc_free(number);
}

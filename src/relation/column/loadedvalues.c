/*-------------------------------------------------------------------------
 *
 * loadedvalues.c
 *		All values of a column, to be looked at in any order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/base/memory.h"
#include "relation/column/loadedvalues.h"

/* load_valid tells of every record whether it has a value; NULL: all have. */
static bool *
load_valid(SdcColumn *column)
{
	SdcColumnReader *reader;
	uint64		records = sdc_column_count(column);
	bool	   *valid;

	if (sdc_column_null_count(column) == 0)
		return NULL;
	valid = sdc_memory_array(records, sizeof(bool));
	reader = sdc_column_open(column);
	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;

		sdc_interrupts_step(r);
		valid[r] = sdc_column_next(reader, &value);
	}
	sdc_column_close(reader);
	return valid;
}

/* sdc_loadedvalues_load: see loadedvalues.h. */
SdcLoadedValues
sdc_loadedvalues_load(SdcColumn *column)
{
	SdcLoadedValues values;

	values.value = sdc_column_load(column, sdc_memory_array(sdc_column_loaded_size(column), 1));
	values.valid = load_valid(column);
	return values;
}

/* sdc_loadedvalues_free: see loadedvalues.h. */
void
sdc_loadedvalues_free(SdcLoadedValues *values)
{
	sdc_free(values->value);
	if (values->valid != NULL)
		sdc_free(values->valid);
}

/*-------------------------------------------------------------------------
 *
 * matrixlaw.c
 *		What a column that was drawn by a published matrix tells about a condition on it.
 *
 * With rows R_u of the matrix, A = R'^-1 and c_v whether the condition holds for v, a record with the released value w
 * counts g(w) = sum over v of c_v A_vw: the mean of g is c_u for a record whose original is u.  Of several columns,
 * drawn independently, the product counts.  The variance of the count of a record, given the source, is E g^2 - c, and
 * g^2 - g has that mean, too, also of products (kernel/queries/unpram.h has the cells).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/queries/unpram.h"
#include "measure/accuracy/matrixlaw.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* find_holding finds for which values of the matrix the condition holds; row has that of each released value. */
static bool *
find_holding(Oid relid, const SdcConditionColumn *condition, const SdcMatrix *matrix, const SdcSwapBins *column,
			 const uint32 *row)
{
	bool	   *holds = palloc0(sizeof(bool) * matrix->count);
	bool	   *known = palloc0(sizeof(bool) * matrix->count);

	for (uint32 c = 0; c < column->codes; c++)
		if (row[c] != SDC_MATRIX_NONE)
		{
			known[row[c]] = true;
			holds[row[c]] = column->holds[c];
		}
	/* no record was released with the others */
	for (int v = 0; v < matrix->count; v++)
		if (!known[v])
			holds[v] = sdc_conditiongroups_holds(relid, condition, matrix->value[v]);
	return holds;
}

/* bound finds what is certain of a record with a value of the matrix. */
static void
bound(const SdcMatrix *matrix, const bool *holds, int to, bool *sure, bool *possible)
{
	*sure = true;
	*possible = false;
	for (int from = 0; from < matrix->count; from++)
		if (matrix->p[from * matrix->count + to] > 0)
		{
			*sure &= holds[from];
			*possible |= holds[from];
		}
}

/* sdc_matrixlaw_find: see matrixlaw.h. */
double *
sdc_matrixlaw_find(Oid relid, const SdcConditionColumn *condition, const SdcConditionValues *values, SdcMatrix *matrix,
				   SdcSwapBins *column)
{
	uint64		count = (uint64) matrix->count;
	double	   *inverse = sdc_memory_array(count * count, sizeof(double));
	double	   *weight = sdc_memory_zeros((uint64) column->codes + 1, sizeof(double));
	uint32	   *row = sdc_memory_array((uint64) column->codes + 1, sizeof(uint32));
	bool		regular = isfinite(sdc_unpram_invert(matrix->p, (uint32) matrix->count, inverse));
	bool	   *holds;

	sdc_matrix_bind_relation(matrix, relid);
	for (uint32 c = 0; c < column->codes; c++)
		row[c] = sdc_matrix_row(matrix, sdc_dictionary_value(values->dictionary, values->coding.number[c]));
	row[column->codes] = SDC_MATRIX_NONE;
	holds = find_holding(relid, condition, matrix, column, row);
	for (uint32 c = 0; c <= column->codes; c++)
	{
		CHECK_FOR_INTERRUPTS();
		weight[c] = column->sure[c] = column->possible[c] = column->holds[c];
		if (row[c] == SDC_MATRIX_NONE)
			continue;
		bound(matrix, holds, (int) row[c], &column->sure[c], &column->possible[c]);
		weight[c] = 0;
		for (int v = 0; v < matrix->count; v++)
			weight[c] += holds[v] ? inverse[(uint64) v * count + row[c]] : 0;
	}
	sdc_free(inverse);
	return regular ? weight : NULL;
}

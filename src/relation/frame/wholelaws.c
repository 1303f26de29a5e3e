/*-------------------------------------------------------------------------
 *
 * wholelaws.c
 *		Columns that were drawn by a law: how likely a value becomes another one.
 *
 * The catalog has what the law needs: of PRAM the matrix of a column, of noise the standard deviation.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/catalog/noiseparameters.h"
#include "relation/frame/wholelaws.h"

/* sdc_wholelaws_find: see wholelaws.h. */
bool
sdc_wholelaws_find(SdcKnownColumn *known)
{
	SdcParameters *matrices = sdc_parameters_inner(known->step->parameters, SDC_PARAMETER_MATRICES);
	SdcNoiseScheme scheme;
	SdcNoiseColumn column;
	double		amount;

	if (known->step->method->tells == SDC_TELLS_NOISE)
	{
		if (!sdc_noiseparameters_read(known->step->parameters, known->name, &scheme, &amount, &column))
			return false;
		(void) sdc_noiseparameters_law(scheme, amount, &column, &known->noise);
		return true;
	}
	known->matrix = matrices == NULL ? NULL :
		sdc_matrix_find(sdc_matrix_read(matrices, SDC_PARAMETER_MATRICES), known->name);
	return known->matrix != NULL;
}

/* note_rows notes the row of a code of each record. */
static void
note_rows(SdcKnownColumn *known, const uint32 *code, uint32 *row, uint64 records)
{
	for (uint64 i = 0; i < records; i++)
	{
		if (i % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
		if (code[i] != SDC_CODE_NULL)
			known->row[code[i]] = row[i];
	}
	sdc_free(row);
}

/* sdc_wholelaws_code: see wholelaws.h. */
void
sdc_wholelaws_code(SdcOpenRelease *opened, SdcKnownColumn *known, SdcArena *arena, SdcPairColumn *pair,
				   SdcPairColumn *state)
{
	uint64		records = opened->source->records;
	uint32	   *original;
	uint32	   *protected;

	sdc_matrix_bind(known->matrix, known->original);
	original = sdc_matrix_rows(known->matrix, known->original->column);
	protected = sdc_matrix_rows(known->matrix, known->protected->column);
	sdc_openrelease_codes(opened, known->original, known->protected, arena, pair, NULL, state);
	known->row = sdc_memory_array(Max(pair->codes, 1), sizeof(uint32));
	for (uint32 c = 0; c < pair->codes; c++)
		known->row[c] = SDC_MATRIX_NONE;
	note_rows(known, pair->original, original, records);
	note_rows(known, pair->protected, protected, records);
	for (uint32 c = 0; c < pair->codes; c++)
		if (known->row[c] == SDC_MATRIX_NONE)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("column \"%s\" of release \"%s\" or its source has values that its matrix does not have",
							known->name, opened->name),
					 errhint("Protect the table again.")));
}

/* sdc_wholelaws_fill: see wholelaws.h. */
void
sdc_wholelaws_fill(const SdcKnownColumn *known, SdcCandidatesColumn *column)
{
	const SdcMatrix *matrix = known->matrix;
	double	   *law;

	column->noise = known->noise;
	if (matrix == NULL)
		return;
	law = sdc_memory_array(Max((uint64) column->codes * column->codes, 1), sizeof(double));

	for (uint32 u = 0; u < column->codes; u++)
	{
		const double *p = matrix->p + (Size) known->row[u] * matrix->count;

		CHECK_FOR_INTERRUPTS();
		for (uint32 v = 0; v < column->codes; v++)
			law[(Size) u * column->codes + v] = log(p[known->row[v]]);
	}
	column->law = law;
}

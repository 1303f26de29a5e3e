/*-------------------------------------------------------------------------
 *
 * matrix.h
 *		Matrices by which values become others: how likely each is what it becomes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_MATRIX_H
#define SDC_RELATION_MATRIX_H

#include "relation/read/source.h"
#include "utils/jsonb.h"

/* More values than anybody looks at: the matrix has the square of them. */
#define SDC_MATRIX_VALUES 1000

/* In the place of the row of a value that a matrix does not have, or that is missing. */
#define SDC_MATRIX_NONE PG_UINT32_MAX

typedef struct SdcMatrix
{
	const char *column;
	int			count;			/* of values */
	char	  **text;			/* of each, as it was given */
	double	   *p;				/* row by row: how probably a value is released as each */
	/* when it is bound to a column: */
	SdcType		type;
	Datum	   *value;			/* in the order given */
	int		   *order;			/* their numbers in the order of the type */
} SdcMatrix;

/*
 * sdc_matrix_read reads {column: {"values": [..], "p": [[..]]}} into a list of SdcMatrix *, without looking at the
 * columns.  It insists on rows of probabilities that sum to 1.
 */
extern List *sdc_matrix_read(JsonbContainer *json, const char *argument);

/* sdc_matrix_columns lists their columns. */
extern List *sdc_matrix_columns(const List *matrices);

/* sdc_matrix_find returns the matrix of a column, NULL if there is none. */
extern SdcMatrix *sdc_matrix_find(const List *matrices, const char *column);

/* sdc_matrix_bind makes values of the texts, each of which must be one of the column's type, and no two the same. */
extern void sdc_matrix_bind(SdcMatrix *matrix, SdcAttribute *attribute);

/* sdc_matrix_bind_relation does so with the column of a relation that is not planned. */
extern void sdc_matrix_bind_relation(SdcMatrix *matrix, Oid relid);

/* sdc_matrix_row returns the row of a value, or SDC_MATRIX_NONE. */
extern uint32 sdc_matrix_row(const SdcMatrix *matrix, Datum value);

/* sdc_matrix_rows returns that of every value of a column. */
extern uint32 *sdc_matrix_rows(const SdcMatrix *matrix, SdcColumn *column);

/*
 * sdc_matrix_invariant makes the two-stage matrix of values with so many records each: every record first gets any
 * other value with probability 1 - diagonal, and then one of those that most likely have become what it is.  So the
 * counts stay what they are in expectation.  It is mixed with the identity as far as needed that each value stays with
 * probability least; NAN: not at all.
 */
extern double *sdc_matrix_invariant(const uint64 *records, int count, double diagonal, double least);

#endif							/* SDC_RELATION_MATRIX_H */

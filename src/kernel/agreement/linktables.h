/*-------------------------------------------------------------------------
 *
 * linktables.h
 *		Sums and products over the attributes of a pattern, from tables.
 *
 * A table has a value for each pattern of eight attributes.  Values of more attributes are put together in the order
 * of the attributes, so that a pattern has the same one wherever it is computed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_LINKTABLES_H
#define SDC_KERNEL_LINKTABLES_H

#include <math.h>

#include "kernel/agreement/linkmodel.h"

/* Attributes whose patterns have a table of their own. */
#define SDC_LINKTABLE_BITS 8
#define SDC_LINKTABLE_SIZE (1 << SDC_LINKTABLE_BITS)
#define SDC_LINKTABLES (SDC_AGREEMENT_ATTRIBUTES / SDC_LINKTABLE_BITS)

/* Weights that differ by less, relatively or absolutely, are equal. */
#define SDC_LINK_TIE 1e-9

/* A factor or term of each pattern of SDC_LINKTABLE_BITS attributes. */
typedef struct SdcLinkTable
{
	int			tables;
	double		of[SDC_LINKTABLES][SDC_LINKTABLE_SIZE];
} SdcLinkTable;

/* sdc_linktable_count is the number of tables of so many attributes. */
static inline int
sdc_linktable_count(int attributes)
{
	return (attributes + SDC_LINKTABLE_BITS - 1) / SDC_LINKTABLE_BITS;
}

/* sdc_linktable_terms makes the tables of sums: of agree[j] or disagree[j] for every attribute. */
static inline void
sdc_linktable_terms(SdcLinkTable *table, const double *agree, const double *disagree, int attributes)
{
	table->tables = sdc_linktable_count(attributes);
	for (int i = 0; i < table->tables; i++)
	{
		double	   *of = table->of[i];

		of[0] = 0;
		for (int bit = 0; bit < SDC_LINKTABLE_BITS && i * SDC_LINKTABLE_BITS + bit < attributes; bit++)
		{
			int			half = 1 << bit;

			for (int p = 0; p < half; p++)
			{
				of[half + p] = of[p] + agree[i * SDC_LINKTABLE_BITS + bit];
				of[p] += disagree[i * SDC_LINKTABLE_BITS + bit];
			}
		}
	}
}

/* sdc_linktable_factors makes the tables of products. */
static inline void
sdc_linktable_factors(SdcLinkTable *table, const double *agree, const double *disagree, int attributes)
{
	table->tables = sdc_linktable_count(attributes);
	for (int i = 0; i < table->tables; i++)
	{
		double	   *of = table->of[i];

		of[0] = 1;
		for (int bit = 0; bit < SDC_LINKTABLE_BITS && i * SDC_LINKTABLE_BITS + bit < attributes; bit++)
		{
			int			half = 1 << bit;

			for (int p = 0; p < half; p++)
			{
				of[half + p] = of[p] * agree[i * SDC_LINKTABLE_BITS + bit];
				of[p] *= disagree[i * SDC_LINKTABLE_BITS + bit];
			}
		}
	}
}

/* sdc_linktable_sum is the sum of the terms of a pattern. */
static inline double
sdc_linktable_sum(const SdcLinkTable *table, uint64 pattern)
{
	double		sum = table->of[0][pattern % SDC_LINKTABLE_SIZE];

	for (int i = 1; i < table->tables; i++)
	{
		pattern /= SDC_LINKTABLE_SIZE;
		sum += table->of[i][pattern % SDC_LINKTABLE_SIZE];
	}
	return sum;
}

/* sdc_linktable_product is the product of the factors of a pattern. */
static inline double
sdc_linktable_product(const SdcLinkTable *table, uint64 pattern)
{
	double		product = table->of[0][pattern % SDC_LINKTABLE_SIZE];

	for (int i = 1; i < table->tables; i++)
	{
		pattern /= SDC_LINKTABLE_SIZE;
		product *= table->of[i][pattern % SDC_LINKTABLE_SIZE];
	}
	return product;
}

/* sdc_link_weights has the weights of the attributes of a model, where they agree and where not. */
static inline void
sdc_link_weights(const SdcLinkModel *model, double *agree, double *disagree)
{
	for (int j = 0; j < model->attributes; j++)
	{
		agree[j] = log2(model->m[j] / model->u[j]);
		disagree[j] = log2((1 - model->m[j]) / (1 - model->u[j]));
	}
}

/* sdc_link_lowest_tie is the lowest weight that is a tie with the best. */
static inline double
sdc_link_lowest_tie(double best)
{
	return best - SDC_LINK_TIE * fmax(1, fabs(best));
}

#endif							/* SDC_KERNEL_LINKTABLES_H */

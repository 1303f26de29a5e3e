/*-------------------------------------------------------------------------
 *
 * likelihood.h
 *		How likely random anonymization or PRAM makes a protected record from an original one.
 *
 * Everything is in logarithms, -INFINITY for what is impossible.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_LIKELIHOOD_H
#define SDC_KERNEL_LIKELIHOOD_H

#include "kernel/candidates/candidates.h"

/* Likelihoods that differ by no more than this, relatively, are equal: in logarithms. */
#define SDC_LIKELIHOOD_TIE 1e-9

/* Results that are remembered for an original. */
#define SDC_LIKELIHOOD_CACHE 1024

/* What is remembered: for the columns that differ and those with blanks, as sets. */
typedef struct SdcLikelihoodCached
{
	uint64		differs;
	uint64		blank;			/* those in which the record has blanks */
	uint32		stamp;			/* of the original */
	double		same;
} SdcLikelihoodCached;

/* A draw, with what an original says. */
typedef struct SdcLikelihoodDraw
{
	int			columns;		/* m */
	int			k;				/* differences at most; RA 1: 1 */
	bool		single;			/* RA 1 */
	double		retain;			/* PRAM: the probability that a column is not drawn; 0: not so */
	bool		laws;			/* each column has a law: no bounds, no sets, and differences do not count */
	bool		sure;			/* laws: nothing is impossible */
	int			known;
	int		   *column;			/* index in task->column of each known column */

	/* of the original taken */
	int			active;			/* known columns with a value */
	int		   *at;				/* which of column[] they are, ascending */
	double		unchanged;		/* RA 1: that nothing differs */
	double	   *weight;			/* RA 2: of t columns of Same that are drawn, k - d - t not known
								 * ones: by k - d - t, for so many active columns */
	int			weight_of;		/* active columns that weight is for */
	double	   *bound;			/* by differences: the greatest likelihood over what the
								 * protected record's own values are worth */
	SdcLikelihoodCached *cache;
} SdcLikelihoodDraw;

typedef struct SdcLikelihood
{
	const SdcCandidatesTask *task;
	int			draws;
	SdcLikelihoodDraw *draw;
	double	  **share;			/* by index in task->column and code: logarithm; NULL of others */
	double	  **most;			/* by index in task->column and original code, of laws that are tables: the */
	double	  **least;			/* logarithms of the most and the least likely; NULL of others */
	double	   *average;		/* by index in task->column: the logarithm of the mean share of a record's value */
	uint32	   *common;			/* by index in task->column: the code with the greatest share */
	double	   *second;			/* and the greatest share of another one, itself */
	double	   *factorial;		/* logarithms */
	double	   *polynomial;		/* work */
	double	   *sorted;			/* work */
	uint32		original;
	uint32		stamp;
} SdcLikelihood;

extern SdcLikelihood *sdc_likelihood_create(const SdcCandidatesTask *task);
extern void sdc_likelihood_destroy(SdcLikelihood *likelihood);

/* sdc_likelihood_take prepares for an original. */
extern void sdc_likelihood_take(SdcLikelihood *likelihood, uint32 original);

/* sdc_likelihood_log is the likelihood of a protected record where the same values are missing, but for blanks. */
extern double sdc_likelihood_log(SdcLikelihood *likelihood, uint32 record);

/* sdc_likelihood_bound is the greatest likelihood that the law of a column has for values of an interval, or more. */
extern double sdc_likelihood_bound(const SdcLikelihood *likelihood, int column, uint32 own, SdcInterval code);

/* sdc_likelihood_sure tells that none of them is impossible; false: perhaps. */
extern bool sdc_likelihood_sure(const SdcLikelihood *likelihood, int column, uint32 own, SdcInterval code);

/* sdc_likelihood_worth is the sum of the shares of a protected record's values. */
extern double sdc_likelihood_worth(const SdcLikelihood *likelihood, uint32 record);

/*
 * sdc_likelihood_bounds writes to bound[d], d = 0 .. min(k, active), what likelihood minus worth of
 * a record is at most that differs in d columns of a draw.
 */
extern void sdc_likelihood_bounds(SdcLikelihood *likelihood, SdcLikelihoodDraw *draw);

/* The greatest share that a value other than the original's has in a column; not a logarithm. */
static inline double
sdc_likelihood_other(const SdcLikelihood *likelihood, int column)
{
	const SdcCandidatesColumn *known = &likelihood->task->column[column];
	uint32		common = likelihood->common[column];

	if (common == SDC_CODE_NULL)
		return 0;
	return known->original[likelihood->original] == common ? likelihood->second[column] :
		known->share[common];
}

/*
 * sdc_likelihood_sets calls back for every set of active columns of a draw that can differ, as bits,
 * with a likelihood (not a logarithm) that no record has more of that differs in just these.  For draws
 * with up to SDC_LIKELIHOOD_SETS active columns, and for RA 1 with up to 64.
 */
#define SDC_LIKELIHOOD_SETS 12

typedef void (*SdcLikelihoodSet) (void *arg, uint64 differs, double greatest);

extern void sdc_likelihood_sets(SdcLikelihood *likelihood, SdcLikelihoodDraw *draw,
								SdcLikelihoodSet found, void *arg);

#endif							/* SDC_KERNEL_LIKELIHOOD_H */

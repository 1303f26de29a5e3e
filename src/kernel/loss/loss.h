/*-------------------------------------------------------------------------
 *
 * loss.h
 *		Information loss between an original and a protected file of numbers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_LOSS_H
#define SDC_KERNEL_LOSS_H

#include "kernel/base/kernel_env.h"

/* The parts of the probabilistic information loss. */
typedef enum SdcLossPart
{
	SDC_LOSS_MEAN,
	SDC_LOSS_VARIANCE,
	SDC_LOSS_COVARIANCE,
	SDC_LOSS_CORRELATION,
	SDC_LOSS_QUANTILE
} SdcLossPart;
#define SDC_LOSS_PARTS 5

/*
 * The measures.  A cell has a value in the original file; it is lost if it has none in the protected
 * one.  left_out counts the terms with a denominator of 0 or without a value: attributes or pairs
 * that have no mean, variance, covariance or correlation in one of the files; and those with lost
 * values, which are the largest that they can be (lostvalues.h).  A mean of no terms at all is 0, never
 * a NaN, never infinite; has_il and has_part tell which are a mean of some.  has_il is also set
 * where nothing is lost.
 */
typedef struct SdcLoss
{
	uint64		records;
	int			attributes;		/* 0 or no records: the measures mean nothing */
	double		il[5];			/* IL1 .. IL5, fractions */
	bool		has_il[5];
	uint64		left_out[5];
	double		total;			/* 20 (IL1 + ... + IL5) */
	double		il1s;
	uint64		il1s_left_out;
	uint64		lost;			/* cells */
	bool		has_pil;		/* the probabilistic measures are filled in */
	bool		has_part[SDC_LOSS_PARTS];	/* the part has terms; the total, if one has */
	double		pil[SDC_LOSS_PARTS];	/* 0 .. 100 */
	uint64		pil_left_out;	/* of all parts */
	double		pil_total;		/* the mean of the parts there are */
} SdcLoss;

/* SdcLossColumn writes the numbers of an attribute in one file, by record. */
typedef void (*SdcLossColumn) (void *arg, bool protected, int attribute, double *number);

typedef struct SdcLossTask
{
	SdcLossColumn column;
	void	   *arg;
	uint32		records;
	int			attributes;
	bool		with_pil;		/* also the probabilistic measures, but not with weights */
	const double *weight[2];	/* of every record in the original and the protected file, or NULL */
} SdcLossTask;

/*
 * sdc_loss_measure asks for columns, some of them twice, so that only one file is there at a time; what is
 * not finite is missing.  Exact order of sums: by record, compensated.
 * O(records attributes^2).  The memory is with the columns.
 */
extern void sdc_loss_measure(const SdcLossTask *task, SdcLoss *loss);

#endif							/* SDC_KERNEL_LOSS_H */

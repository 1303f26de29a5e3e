/*-------------------------------------------------------------------------
 *
 * attackerrisk.h
 *		What somebody finds in a release who has a table of the population.
 *
 * A class is the records of the release that agree in all columns of qi, missing values with missing ones.
 * It has f records, and F records of the population are compatible with it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_ATTACKERRISK_H
#define SDC_KERNEL_ATTACKERRISK_H

#include "kernel/base/kernel_env.h"
#include "kernel/base/pairs.h"

/*
 * Where 0 < F < f the table is not one of the whole population, and F counts as f; where F = 0 it lacks these
 * persons, and they are at no risk.  Without records all is 0.
 */
typedef struct SdcAttackerRisk
{
	uint64		records;		/* of the release, n */
	uint64		classes;
	double		prosecutor_max; /* greatest 1 / f */
	double		prosecutor_mean;	/* classes / n */
	double		prosecutor_at_risk; /* share of the records with 1 / f above the threshold */
	double		journalist_max; /* greatest 1 / F */
	double		journalist_at_risk; /* share of the n records with 1 / F above the threshold */
	uint64		k_map;			/* least F above 0; 0: there is none */
	double		marketer;		/* sum of f / F over n */
	uint64		population_uniques; /* records with f = 1 and F = 1 */
	uint64		absent;			/* records with F = 0 */
	uint64		inconsistent;	/* records with 0 < F < f */
} SdcAttackerRisk;

/* How likely people of the population are in the release: of each, min(1, sum of f / F over his classes). */
typedef struct SdcAttackerPresence
{
	double		least;
	double		greatest;
} SdcAttackerPresence;

/*
 * sdc_attackerrisk_measure takes f (at least 1) and F of every class; O(classes), nothing allocated.  Risks are
 * compared with the threshold as doubles: 1 / 5 is not above 0.2.
 */
extern void sdc_attackerrisk_measure(const uint64 *released, const uint64 *population, uint32 classes,
									 double threshold, SdcAttackerRisk *result);

/*
 * sdc_attackerrisk_presence is the presence where nobody is compatible with two classes; people is the
 * number of records of the population.  Without people both are 0.
 */
extern void sdc_attackerrisk_presence(const uint64 *released, const uint64 *population, uint32 classes,
									  uint64 people, SdcAttackerPresence *result);

/* How a column of the release says what it says. */
typedef enum SdcAttackerKind
{
	SDC_ATTACKER_EQUAL,			/* a value; a missing one is compatible with missing ones */
	SDC_ATTACKER_RANGE,			/* the values from low to high, no missing ones; or everything */
	SDC_ATTACKER_SET			/* some values, a missing one can be among them; or everything */
} SdcAttackerKind;

/* A column: codes are common to population and release, and have the order of the values. */
typedef struct SdcAttackerColumn
{
	SdcAttackerKind kind;
	const uint32 *population;	/* of each of the people, or SDC_CODE_NULL */
	uint32		codes;
	const uint32 *low;			/* EQUAL: the code of each class, or SDC_CODE_NULL.  RANGE: the least code in
								 * it.  SET: the number of its set.  In both SDC_CODE_NULL: it contains
								 * everything */
	const uint32 *high;			/* RANGE: the greatest code; below low: the range has no value */
	const uint32 *start;		/* SET: set s has element[start[s]] .. element[start[s + 1] - 1] */
	const uint32 *element;		/* codes, or SDC_CODE_NULL */
} SdcAttackerColumn;

typedef struct SdcAttackerTask
{
	uint32		people;			/* different ones, or one by one */
	const uint64 *count;		/* how many each stands for; NULL: one */
	uint32		classes;
	int			columns;
	const SdcAttackerColumn *column;
	const uint64 *released;		/* f of each class */
} SdcAttackerTask;

/*
 * sdc_attackerrisk_cover is for classes that can overlap: it writes F of every class to population[], and the presence.
 * O(combinations classes columns / 64) for so many different combinations in the population, and a step
 * for every compatible pair of a combination and a class.
 */
extern void sdc_attackerrisk_cover(const SdcAttackerTask *task, uint64 *population,
								   SdcAttackerPresence *presence);

/*
 * sdc_attackerrisk_match is the part of the matches of sample uniques with the population that are right,
 * for a release that is a simple random sample of a share of it, 0 < share <= 1: there are so many classes of one
 * record, and of two.  NaN if there is neither.
 */
extern double sdc_attackerrisk_match(uint64 uniques, uint64 pairs, double share);

#endif							/* SDC_KERNEL_ATTACKERRISK_H */

/*-------------------------------------------------------------------------
 *
 * historylinks.h
 *		Whom an intruder finds in several releases: by averages, by windows, by what candidates have in common.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_HISTORYLINKS_H
#define SDC_KERNEL_HISTORYLINKS_H

#include "kernel/releases/history.h"

typedef struct SdcHistoryTask
{
	const SdcHistory *history;
	const SdcHistoryFile *truth;	/* by release: what the intruder knows; the last one's for all together */
	uint32		classes;		/* of sensitive values, 0: there are none */
	const uint32 *const *released;	/* by release, by record: the class that it has */
	const uint32 *const *secret;	/* by release, by record of the truth */
	uint64		memory;			/* bytes for bitmaps of classes; at least those of one record are taken */
	bool		windows_only;	/* nobody asks for averages */
} SdcHistoryTask;

/* Sums over the records that are attacked. */
typedef struct SdcHistoryLinks
{
	uint64		targets;
	double		average;		/* shares of nearest means */
	double		error;			/* distances of means, */
	uint64		error_cells;	/* of so many cells */
	double		windows;		/* shares of nearest candidates */
	uint64		certain;		/* nobody but the own record is one */
	uint64		candidates;
	uint64		inside;			/* the own record is one */
	double		guess;			/* 1 / candidates, where it is */
	/* classes that candidates have in every release */
	uint64		sizes;
	uint64		found;			/* nothing but the right one */
	uint64		wrong;			/* nothing but another one */
	uint64		class_inside;	/* the right one is among them */
	double		class_guess;	/* 1 / classes, where it is */
} SdcHistoryLinks;

/* Called after every release, and for all together. */
typedef void (*SdcHistoryProgress) (void *arg);

/*
 * sdc_history_link attacks every release alone, and all of them together.  alone has an element for each
 * release.  Time: as that of a linkage for each release and one more.
 */
extern void sdc_history_link(const SdcHistoryTask *task, SdcHistoryLinks *alone,
							 SdcHistoryLinks *together, SdcHistoryProgress progress, void *arg);

/*
 * sdc_history_find attacks some records of the last truth by all releases together.  share, by index, is raised to how
 * probably the best attack finds the person: by averages, by windows, or by a guess among those in the windows.
 */
extern void sdc_history_find(const SdcHistoryTask *task, const uint32 *record, uint32 count, double *share);

/* Bytes that it takes besides task->memory: records is the most that a file has. */
extern uint64 sdc_history_link_memory(uint32 records, uint32 persons, int columns, const uint32 *codes,
									  uint32 classes);

#endif							/* SDC_KERNEL_HISTORYLINKS_H */

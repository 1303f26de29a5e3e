/*-------------------------------------------------------------------------
 *
 * history.h
 *		Several releases of a table, and what the records of the last one were in all of them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_HISTORY_H
#define SDC_KERNEL_HISTORY_H

#include "kernel/base/pairs.h"
#include "kernel/rank/rankwindow.h"

/* A release or a source.  Codes are common to all files. */
typedef struct SdcHistoryFile
{
	uint32		records;
	const uint32 *person;		/* of each record; no two are of the same */
	const uint32 *const *code;	/* by column, by record; SDC_CODE_NULL where it is missing */
} SdcHistoryFile;

typedef struct SdcHistory
{
	uint32		persons;
	int			columns;		/* that are known */
	const uint32 *codes;		/* by column: codes are 0 .. codes - 1 */
	int			releases;
	const SdcHistoryFile *release;	/* in their order */
	const uint32 *const *width; /* by release, by column: windows, in positions; 0: only the value itself */
} SdcHistory;

/* Some of the releases, next to each other. */
typedef struct SdcHistorySpan
{
	int			first;
	int			count;
} SdcHistorySpan;

/* What a mean is where nothing is known. */
#define SDC_HISTORY_MISSING (-1.0)

/*
 * What follows from the values of a column alone, whoever has them: that of the release that was looked at last.  Where
 * values are swapped it is that of the next one, too.  Zeros at first.
 */
typedef struct SdcHistoryKept
{
	uint32		width;
	uint32	   *below;			/* as in SdcPositions; NULL: nothing is kept */
	uint32	   *different;		/* how many different values are below each code; codes + 1 */
	SdcInterval *inverse;		/* by code: which codes have it in their window */
	double	   *percent;		/* by code */
} SdcHistoryKept;

/*
 * What a column of the records of the last release of a span was in its releases.  Record i has element i *
 * stride of mean and box.
 */
typedef struct SdcHistoryColumn
{
	int			stride;
	double	   *mean;			/* mean percentage of the released values; or NULL */
	SdcInterval *box;			/* the codes that have the record in their window in every release; first > last:
								 * none */
	bool		strict;			/* a missing value is in no window; otherwise it says nothing */
	double	   *percent;		/* by code: mean percentage of it as a value in the releases; or NULL */
} SdcHistoryColumn;

/*
 * sdc_history_keep keeps what follows from the values of a column of a release, unless it is what is kept; then it
 * returns false.
 */
extern bool sdc_history_keep(const SdcHistory *history, int release, int column, SdcHistoryKept *kept);
extern void sdc_history_kept_destroy(SdcHistoryKept *kept);

/* Bytes that are kept of a column with so many codes. */
extern uint64 sdc_history_kept_memory(uint32 codes);

/*
 * sdc_history_single fills in mean and box of a column as sdc_history_column does, of one release with what is kept of
 * it.  Its percentages are those of all.
 */
extern void sdc_history_single(const SdcHistory *history, int release, int column,
							   const SdcHistoryKept *kept, SdcHistoryColumn *result);

/* The percentage of a value among those of a column: where the middle of its tie group is. */
static inline double
sdc_history_percent(const SdcPositions *positions, uint32 code)
{
	return 100.0 * ((double) positions->below[code] + positions->below[code + 1] + 1) /
		(2.0 * positions->count);
}

/* sdc_history_rows writes the record of each person in a file, SDC_RECORD_NONE without one. */
extern void sdc_history_rows(const SdcHistory *history, const SdcHistoryFile *file, uint32 *row);

/*
 * sdc_history_inverse turns the windows of values in a column around: which codes have a code in their
 * window?  They are next to each other, too.  inverse has positions->codes elements.
 */
extern void sdc_history_inverse(const SdcPositions *positions, uint32 width, SdcInterval *inverse);

/*
 * sdc_history_column fills in what is asked for; row has the records of the last release.
 * O(releases (records + codes)).
 */
extern void sdc_history_column(const SdcHistory *history, SdcHistorySpan span, int column,
							   const uint32 *row, SdcHistoryColumn *result);

/* Bytes that sdc_history_column takes besides, for so many records and codes. */
extern uint64 sdc_history_memory(uint32 records, uint32 codes);

#endif							/* SDC_KERNEL_HISTORY_H */

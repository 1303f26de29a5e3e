/*-------------------------------------------------------------------------
 *
 * nightcolumn.h
 *		One night of a column that a rank swapping step continues.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_NIGHTCOLUMN_H
#define SDC_METHOD_NIGHTCOLUMN_H

#include "method/continued/night.h"
#include "method/swap.h"

/* A cell whose original value has changed. */
typedef struct SdcNightChange
{
	uint32		record;
	SdcContinuedChange change;
} SdcNightChange;

/* What the cells of a stratum are, before any lot. */
typedef struct SdcNightCount
{
	uint32		pending;
	uint32		widows;
	/* records, or units, of which lots are */
	uint32		members;
	uint32		waiting;		/* with a pending cell */
	uint32		recent;			/* with a widow since its last lot */
	uint32		departures;		/* so many of them are a lot */
} SdcNightCount;

/*
 * A column at work, in the session or in a worker.  The night, the step and the source of a worker have only what is
 * used here.
 */
typedef struct SdcNightCells
{
	const SdcMethodStep *step;
	const SdcSwapMethod *method;
	SdcNight   *night;
	const SdcSource *source;
	SdcSpool   *spool;
	SdcRandom  *random;
	SdcArena   *arena;
	MemoryContext arena_context;	/* which stays for other columns */
	uint32		records;
	uint64		taken;			/* bytes that the plan and the mates take */
	SdcContinued cells;			/* the memory of which columns have one after the other */

	/* the column, */
	SdcAttribute *attribute;
	SdcNightColumn *column;
	SdcColumn  *original;		/* of every record; of the first night NULL, then it is the attribute's */
	SdcColumn  *before;			/* what the release had; NULL on the first night */
	/* and what the state says, and has come to it since, but on the first night */
	SdcContinuedPacked mates;
	const uint32 *marks;		/* nightmarks.h */
	bool		shared;			/* both are in memory that processes share, and not in the arena */
	SdcNightChange *changes;
	uint32		change_count;
	bool		due;			/* old values have stayed long enough */

	/* while it is at work */
	Datum	   *values;			/* the originals, loaded */
	SdcNightCount *counts;		/* of every stratum; NULL on the first night */
	uint64		first_drawn;	/* cells that the first night has swapped */
	uint32		stratum;		/* at work */

	/* what comes of it, beside what is in the attribute and its column */
	bool		relieved;		/* the widows of all records have had a lot tonight */
	bool		differs;		/* some cell is not what it was */
	uint32		packed;			/* words that cells' mates have become */
	SdcColumn  *kept;			/* original values that the release does not tell */
} SdcNightCells;

/* sdc_nightcolumn_memory returns the bytes that a column takes at its peak. */
extern uint64 sdc_nightcolumn_memory(const SdcNightCells *cells);

/*
 * sdc_nightcolumn_scratch returns memory for what the state has, or will have, of a column: the arena, which is empty
 * before the column is at work and after it.  It is used until the column is at work, or until the next call.
 */
extern void *sdc_nightcolumn_scratch(SdcNightCells *cells, uint64 count, Size size);

/*
 * sdc_nightcolumn_protect continues a column, or begins it on the first night: the values of the attribute are then
 * those of the release.  The new column succeeds that of the originals (relation/column/column.h), which is destroyed.
 */
extern void sdc_nightcolumn_protect(SdcNightCells *cells);

#endif							/* SDC_METHOD_NIGHTCOLUMN_H */

/*-------------------------------------------------------------------------
 *
 * continued.h
 *		A swapped column that is released again and again: one night of it.
 *
 * Records are numbered 0 .. records-1.  Every cell has the record it is swapped with, or says why
 * it has none.  A pair of two records that stay is never broken: a reader who compares the nights on
 * which a record and a value move would know exactly which value is whose.  New cells wait
 * until a lot of them can be swapped among themselves, and so do those that have lost their partner.
 *
 * One night of a column:
 *
 *	1. sdc_continued_unpack		takes the cells over to tonight's numbers of records; who is
 *								gone leaves a widow; sdc_continued_mark gives them their flags
 *	2. sdc_continued_change		for every cell whose original value has changed
 *	3. sdc_continued_join		for every cell of a record that is new
 *	4. sdc_continued_lots		in every stratum, on the sorted values
 *	5. the released cell is		the original value of the mate; its own if it is alone; what it was
 *								before if it is a widow; missing if it is pending.  Where nothing has
 *								moved it is what it was
 *
 * Time O(n) a night and column beside the sort, and O(l log l) for lots of l cells.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_CONTINUED_H
#define SDC_KERNEL_CONTINUED_H

#include "kernel/base/kernel_env.h"
#include "kernel/base/stream.h"
#include "kernel/rank/rankswap.h"

/* What stands for the mate of a cell that has none; records are fewer than the least of them. */
#define SDC_CONTINUED_ALONE UINT32_MAX			/* not swapped, or missing */
#define SDC_CONTINUED_WIDOW (UINT32_MAX - 1)	/* the mate is gone, the cell stays as it was */
#define SDC_CONTINUED_PENDING (UINT32_MAX - 2)	/* missing in the release until there is a lot */
#define SDC_CONTINUED_MOST (UINT32_MAX - 3)

/* A column has so many records at most: sums of two positions are numbers, too. */
#define SDC_CONTINUED_RECORDS (UINT32_MAX / 2)

/* In place of the number of a record that there is not. */
#define SDC_CONTINUED_NOBODY UINT32_MAX

/* What a cell has besides. */
#define SDC_CONTINUED_NEW 1		/* of a widow: since the last lot of widows */
#define SDC_CONTINUED_TOUCHED 2 /* of a pair: its value has changed since the pair was made */

typedef struct SdcContinued
{
	uint32		records;
	uint32	   *mate;			/* of each record: another one, or a mark */
	uint8	   *flags;
	uint8	   *redrawn;		/* of each record: lots of widows that gave it a mate, 255 at most */
	bool	   *moved;			/* of each record: tonight its mate, or the value of that one, is another one */
} SdcContinued;

/* What has become of an original value. */
typedef enum SdcContinuedChange
{
	SDC_CONTINUED_APPEARED,		/* was missing */
	SDC_CONTINUED_VANISHED,		/* is missing */
	SDC_CONTINUED_DIFFERS
} SdcContinuedChange;

/* sdc_continued_paired tells whether a mate is a record. */
static inline bool
sdc_continued_paired(uint32 mate)
{
	return mate < SDC_CONTINUED_MOST;
}

/* Bytes of a column of so many records. */
extern uint64 sdc_continued_memory(uint32 records);

/* sdc_continued_create makes a column of cells that are alone; destroy frees it. */
extern void sdc_continued_create(SdcContinued *column, uint32 records);
extern void sdc_continued_destroy(SdcContinued *column);

/* sdc_continued_clear has all cells alone again, for the next column of these records. */
extern void sdc_continued_clear(SdcContinued *column);

/* sdc_continued_swap makes a pair, as the method does on the first night. */
extern void sdc_continued_swap(SdcContinued *column, uint32 a, uint32 b);

/*
 * sdc_continued_pack makes words of the mates of so many records, where they are, and returns how many: of every record
 * its mate or mark, but none of the upper record of a pair, which is the mate of one before it.
 */
extern uint32 sdc_continued_pack(uint32 *mate, uint32 records);

/* Mates of members that were packed. */
typedef struct SdcContinuedPacked
{
	uint32		members;
	const uint32 *word;
	uint32		count;
} SdcContinuedPacked;

/* Bytes that unpacking so many members takes, with their words. */
extern uint64 sdc_continued_unpack_memory(uint32 members);

/*
 * sdc_continued_unpack takes the cells of members over to a column of cells that are alone: number[m] is tonight's
 * number of member m, or SDC_CONTINUED_NOBODY if it is gone; NULL: all are who they were.  Cells of no member stay
 * alone.  It tells whether the words are what is made of that many members; else the column is of no use.
 */
extern bool sdc_continued_unpack(const SdcContinuedPacked *packed, const uint32 *number,
								 SdcContinued *column);

/*
 * sdc_continued_mark gives a cell that was taken over, by tonight's number, what the member had besides its mate, and
 * tells whether a cell like this can have it.
 */
extern bool sdc_continued_mark(SdcContinued *column, uint32 record, uint8 flags, uint8 redrawn);

/* sdc_continued_change notes that the original value of a record has changed. */
extern void sdc_continued_change(SdcContinued *column, uint32 record, SdcContinuedChange change);

/* sdc_continued_join notes that a record is new. */
extern void sdc_continued_join(SdcContinued *column, uint32 record, bool has_value);

/* The lots of a night, and what each draws from. */
typedef enum SdcContinuedLot
{
	SDC_LOT_NEW,				/* pending cells */
	SDC_LOT_WIDOW,				/* widows, and cells that are alone */
	SDC_LOT_FAR					/* pairs that a change has moved apart */
} SdcContinuedLot;

/* sdc_continued_purpose is the name of the stream that a lot draws from. */
extern const char *sdc_continued_purpose(SdcContinuedLot lot);

/* The cells of one stratum by their original values; those without one are not among them. */
typedef struct SdcContinuedOrder
{
	uint32		count;
	const uint32 *record;		/* ascending by value, equal ones in random order */
	const bool *tied;			/* of each place: it has the value of the one before; of the first nothing */
} SdcContinuedOrder;

/* How lots are drawn, and when. */
typedef struct SdcContinuedRules
{
	uint32		least_new;		/* pending cells, and cells far from each other, that make a lot */
	uint32		least_widows;	/* new widows that make one */
	bool		erase;			/* a lot of widows however few they are, none of which is left out */
	bool		settle;			/* changes were taken over tonight: look for pairs that are far */
	const uint32 *unit;			/* of each record: lots are so many units, and not cells; NULL: each record is one */
	void	   *arg;
	uint32		(*window) (void *arg, uint32 positions);	/* beyond which a pair is far */
	SdcStream  *(*start) (void *arg, SdcContinuedLot lot);	/* starts the stream of a lot */
	void		(*pair) (void *arg, const SdcSwapRun *run, const SdcSwapLot *lot);
} SdcContinuedRules;

/* What there was in a stratum, and what came of it. */
typedef struct SdcContinuedNight
{
	uint32		positions;		/* values that are published */
	uint32		lot[3];			/* cells that got a new partner in each lot */
	uint32		paired;			/* cells of all pairs, tonight's as well */
	uint32		pending;		/* cells that still wait */
	uint32		widows;			/* cells that still are widows */
	uint32		beyond;			/* cells of pairs farther apart than the limit */
	double		largest;		/* distance of a pair, in percent of the positions */
	uint64		redrawn;		/* lots of widows that the positions have been through, together */
} SdcContinuedNight;

/* What the lots of all strata of a column work with, and of other columns after it. */
typedef struct SdcContinuedWork SdcContinuedWork;

extern uint64 sdc_continued_work_memory(uint32 records);
extern SdcContinuedWork *sdc_continued_work_create(uint32 records);
/*
 * sdc_continued_work_place uses so many bytes, for 64-bit numbers, that are there already; then nothing is
 * destroyed.
 */
extern SdcContinuedWork *sdc_continued_work_place(void *space, uint32 records);
extern void sdc_continued_work_destroy(SdcContinuedWork *work);

/* sdc_continued_work_begin looks at a column before the lots of its first stratum are drawn. */
extern void sdc_continued_work_begin(SdcContinuedWork *work, const SdcContinued *column);

/*
 * sdc_continued_lots draws the lots of one stratum, in the order of SdcContinuedLot.
 *
 * Where the number of cells is odd, one word of the lot's stream says which is left out: a pending
 * one is alone from now on and in no lot of tonight; a widow, or a record that is alone, stays as it
 * is.  Pairs of a lot count as new: their cells are not touched.  limit is the distance in percent
 * from which on a pair is counted as beyond.  A pair of records of two strata, one of which has
 * changed its own, has no distance.
 */
extern void sdc_continued_lots(SdcContinued *column, const SdcContinuedOrder *order,
							   const SdcContinuedRules *rules, double limit,
							   SdcContinuedWork *work, SdcContinuedNight *night);

/* sdc_continued_check tells whether mates are an involution and flags are where they may be. */
extern bool sdc_continued_check(const SdcContinued *column);

#endif							/* SDC_KERNEL_CONTINUED_H */

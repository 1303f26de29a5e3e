/*-------------------------------------------------------------------------
 *
 * candidates.h
 *		Which protected records a person can have become, by all that an intruder knows.
 *
 * The intruder knows the original values of some columns K of a person, missing ones included,
 * and how every column of the release was made.  B(i) are the protected records that are
 * compatible with original record i in every column of K.  A column is described by what its
 * method tells (SdcCandidatesKind); columns of all kinds may be known together.
 *
 *	kind		a protected record l is compatible with i if
 *	EXACT		their codes are equal (copied); missing equals missing
 *	WINDOW		the code of l is in the window of i; missing is compatible with missing only.
 *				With strata, if both are in the same stratum too
 *	RANDOMIZED	random anonymization can have made l from i: the columns of a draw together
 *	RANGE		the group of l has a range that contains the value; a missing range contains
 *				everything, other ranges no missing value
 *	SET			the group of l has the value in its set, in which missing is an element like others, or
 *				a set that contains everything
 *	JOINT		the bin of l has an original with the values of i in all known columns that
 *				were swapped together; missing is compatible with missing only
 *	UNKNOWN		always
 *
 * Where units have moved within strata (in_strata), both are in the same one, too.
 *
 * All kinds contain the record's own protected one, but windows that are not sound.
 *
 * A column can have blanks: values that were taken out of the release after it was made.  Nobody can tell a
 * blank from a value that the source lacks.  So in such a column every missing protected value is a blank, and
 * compatible with everything; what is said above of missing values is for columns without blanks.  A column in
 * which a record has a blank is one that is not known of it: it is left out of the bins' known columns and of
 * the draw's, and a record with blanks in all WINDOW columns can be in any stratum, unless all keep to theirs.
 *
 * Index order is key order: of equally good records the first one is linked.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_CANDIDATES_H
#define SDC_KERNEL_CANDIDATES_H

#include "kernel/base/pairs.h"
#include "kernel/rank/rankwindow.h"

typedef enum SdcCandidatesKind
{
	SDC_CANDIDATES_EXACT,
	SDC_CANDIDATES_WINDOW,
	SDC_CANDIDATES_RANDOMIZED,
	SDC_CANDIDATES_RANGE,
	SDC_CANDIDATES_SET,
	SDC_CANDIDATES_JOINT,
	SDC_CANDIDATES_UNKNOWN
} SdcCandidatesKind;

#define SDC_CANDIDATES_KINDS (SDC_CANDIDATES_UNKNOWN + 1)

/* In the place of the code of an element: the set contains everything. */
#define SDC_CANDIDATES_ANYTHING (SDC_CODE_NULL - 1)

/* A known column.  Codes are those of pairs.h: common to both files, in the order of the values. */
typedef struct SdcCandidatesColumn
{
	SdcCandidatesKind kind;
	const uint32 *original;		/* by record: code of the original value, or SDC_CODE_NULL */
	const uint32 *protected;	/* EXACT, WINDOW, RANDOMIZED, UNKNOWN: of the protected value.
								 * JOINT: the same, of which only missing ones are looked at, or
								 * NULL.  RANGE, SET: not looked at */
	uint32		codes;

	/* EXACT, WINDOW, RANDOMIZED, JOINT: missing protected values are blanks; not looked at for others */
	bool		blanks;

	/* WINDOW, UNKNOWN: the number of each code, NaN where not finite; NULL: no distance */
	const double *value;

	/*
	 * WINDOW: by original record the codes of its window (sdc_candidates_windows), and those of the
	 * attack wide, 2 W; NULL where the method's windows are sound: then they are the same.
	 */
	const SdcInterval *window;
	const SdcInterval *wide;

	/* RANDOMIZED: index in task->draw; JOINT: index in task->joint */
	int			set;

	/* RANDOMIZED: by code, its share of the original values that are there; RA 1: how probably
	 * the column is drawn */
	const double *share;
	double		probability;

	/* RANGE: by group the least and the greatest code; first = SDC_CODE_NULL: a missing range */
	const SdcInterval *range;

	/*
	 * SET: the codes of group g are element[start[g]] .. element[start[g + 1] - 1], in any order, the
	 * same one as often as you like, SDC_CODE_NULL for missing, SDC_CANDIDATES_ANYTHING where the set
	 * contains everything.  A permuted column: the values of the records of the group.
	 */
	const uint64 *start;
	const uint32 *element;
} SdcCandidatesColumn;

/* A draw of random anonymization: the columns with its number in set, and those not known. */
typedef struct SdcCandidatesDraw
{
	int			columns;		/* m: all columns that it draws from */
	int			k;				/* RA 2: how many it draws for a record; 0: RA 1 */
} SdcCandidatesDraw;

/* A joint swap: the bin of each record, which swapping does not change. */
typedef struct SdcCandidatesJoint
{
	const uint32 *bin;			/* by record, 0 .. bins - 1 */
	uint32		bins;
} SdcCandidatesJoint;

typedef struct SdcCandidatesTask
{
	uint32		records;		/* n: of both files; record i of both is the same person */
	int			count;			/* known columns, 1 or more */
	const SdcCandidatesColumn *column;

	/* of columns that have windows: the stratum of each record, 0 .. strata - 1; NULL: there is one stratum */
	const uint32 *stratum;
	uint32		strata;

	/* records of one stratum are compatible only, whether a known column has windows or not */
	bool		in_strata;

	/* likewise: which protected records can be in any stratum, as a blank hides theirs; NULL: none */
	const bool *astray;

	/* RANGE, SET: the group of each protected record, 0 .. groups - 1 */
	const uint32 *group;
	uint32		groups;

	int			draws;
	const SdcCandidatesDraw *draw;
	int			joints;
	const SdcCandidatesJoint *joint;
} SdcCandidatesTask;

/*
 * The attacks.  Among the candidates the best have the highest likelihood (if there is
 * randomization; ties up to 1e-9, relatively), and of these the least euclidean distance over the WINDOW
 * and UNKNOWN columns that have numbers (ties as in metricspace.h, which defines it).  Where there
 * is no distance, all of these are the best.
 */
typedef enum SdcCandidatesAttack
{
	SDC_CANDIDATES_NEAREST,		/* all conditions; "candidates" chooses among them at random */
	SDC_CANDIDATES_DISTANCE,	/* without windows; strata and what is missing must be the same */
	SDC_CANDIDATES_WIDE			/* with the windows wide */
} SdcCandidatesAttack;

/* What an attack says of an original record. */
typedef struct SdcCandidatesLink
{
	SdcLink		link;			/* candidates = |B|; distance 0 where there is none */
	bool		inside;			/* the own protected record is in B */
} SdcCandidatesLink;

/* The share of a choice at random: the attack "candidates". */
static inline double
sdc_candidates_share(const SdcCandidatesLink *found)
{
	return found->inside ? 1.0 / found->link.candidates : 0.0;
}

/* One candidate only; and it is the right one. */
static inline bool
sdc_candidates_single(const SdcCandidatesLink *found)
{
	return found->link.candidates == 1;
}

static inline bool
sdc_candidates_certain(const SdcCandidatesLink *found)
{
	return found->inside && found->link.candidates == 1;
}

/*
 * sdc_candidates_windows fills in the windows of a column: interval[i] for original record i, the
 * codes within width[stratum] positions of the protected values that are equal to its own, in the
 * sorted protected values of its stratum.  Empty (first > last) where the value is missing, or where
 * the stratum has no value so near.  It needs stratum and strata of the task, and records; width has
 * one element if there are no strata.
 */
extern void sdc_candidates_windows(const SdcCandidatesTask *task,
								   const SdcCandidatesColumn *column, const uint32 *width,
								   SdcInterval *interval);

/*
 * sdc_candidates_neighbours fills in the windows of a column whose values have become those of runs: the codes from the
 * next lower to the next higher one that the protected values of its stratum have.  No other protected value is between
 * an original one and that of its run.  Values without a number have a window of their own.
 */
extern void sdc_candidates_neighbours(const SdcCandidatesTask *task, const SdcCandidatesColumn *column,
									  SdcInterval *interval);

/*
 * sdc_candidates_run attacks originals: record as for sdc_nearest_run, link[i] for record[i].
 * sdc_link_share of the link is the attack's share, sdc_candidates_share that of a choice at
 * random.  DISTANCE without a WINDOW column, and WIDE without wide windows, are NEAREST.
 * No walk over all pairs where an index can avoid it.
 */
extern void sdc_candidates_run(const SdcCandidatesTask *task, SdcCandidatesAttack attack,
							   const uint32 *record, uint32 count, SdcCandidatesLink *link);

typedef enum SdcCandidatesStatus
{
	SDC_CANDIDATES_OK,
	SDC_CANDIDATES_EDGES,		/* there are more than SDC_CANDIDATES_EDGES_MAX candidates in all */
	SDC_CANDIDATES_UNSOUND		/* a record's own protected one is not among its candidates */
} SdcCandidatesStatus;

/* Candidates of all records, at most, for sdc_candidates_everybody. */
#define SDC_CANDIDATES_EDGES_MAX (UINT64_C(1) << 31)

/*
 * sdc_candidates_everybody is for an intruder who knows everybody else, too: left[i] gets the number
 * of candidates of record i that some perfect matching of all originals with all protected records
 * uses.  1: the link is certain.  For sound conditions only.
 *
 * component[i] gets a number below the number of records: the candidates that are left are those whose own
 * original has the same one.  So a column EXACT of these numbers, of both files, has an attack look at
 * them only.  Either array may be NULL.
 */
extern SdcCandidatesStatus sdc_candidates_everybody(const SdcCandidatesTask *task, uint32 *left,
													uint32 *component);

/*
 * What is wanted: a column that is not known, by codes common to both files, 0 .. codes - 1.  A missing value is a
 * value like others; with blanks it is none, and nobody's: it is not guessed, and nobody is right who has it.
 */
typedef struct SdcCandidatesTarget
{
	const uint32 *original;
	const uint32 *protected;
	uint32		codes;
	bool		blanks;			/* missing protected values are blanks */
} SdcCandidatesTarget;

/*
 * What the candidates of an original record tell of its value.  They weigh what their likelihood
 * is, where there is randomization, and 1 otherwise; weights are tied up to 1e-9, relatively.
 */
typedef struct SdcCandidatesGuess
{
	uint32		candidates;
	double		share;			/* of the weight of all that of those with the value; 0 without */
	double		found;			/* the heaviest value is the right one: 1, or 1 / ties; NaN without candidates
								 * that show a value */
	double		without;		/* the same when the own protected record is none of them */
	bool		same;			/* all candidates have the right value; false without */
} SdcCandidatesGuess;

/*
 * sdc_candidates_guess guesses the values of originals: record as above, guess[i] for record[i].
 * Time: where nothing but copied columns, groups and bins are known, that of their cells and values.
 * With windows, and nothing else but copied columns: O(n log n) for one column, O(n / 64) a column
 * and different original for several, or that of listing the candidates if it is less.  Else, and
 * where values were randomized, that of listing the candidates of all different originals.
 */
extern void sdc_candidates_guess(const SdcCandidatesTask *task, const SdcCandidatesTarget *target,
								 const uint32 *record, uint32 count, SdcCandidatesGuess *guess);

#endif							/* SDC_KERNEL_CANDIDATES_H */

/*-------------------------------------------------------------------------
 *
 * columnjobs.h
 *		Columns that are protected one by one, by this process or shared with parallel workers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_COLUMNJOBS_H
#define SDC_RELATION_COLUMNJOBS_H

#include "relation/base/jobs.h"
#include "relation/base/memory.h"
#include "relation/base/random.h"
#include "relation/read/source.h"

/* So many values take about as long as one step of an attack: workers.h counts these. */
#define SDC_COLUMNJOBS_VALUES_OF_STEP 5

/* Where a process knows a column: a worker's source has that attribute alone. */
typedef struct SdcColumnWork
{
	const void *parameters;		/* of the method */
	SdcSource  *source;
	SdcSpool   *spool;
	SdcRandom  *random;
	SdcArena	arena;			/* for what is as long as a column; free for each */
	bool		in_worker;
	bool		in_memory;		/* in a worker: as the session would do it */
} SdcColumnWork;

/* A method that protects every column by itself. */
typedef struct SdcColumnMethod
{
	/* what a process does: calls sdc_columnjobs_process; and the name of this function, or NULL: no workers */
	void		(*process) (SdcJobs *jobs, void *arg);
	const char *entry;
	/* a copy of which every process has */
	const void *parameters;
	Size		parameters_bytes;
	/*
	 * replaces the values of an attribute, by streams of its name alone; a new column in a worker is a successor of the
	 * old one (relation/column/column.h). What it sets of the attribute otherwise is changed, bins, single_bins and
	 * largest_move.
	 */
	void		(*protect) (SdcColumnWork *work, int attribute);
	/* how many bytes that takes in memory, and how many of them no file can have */
	uint64		(*memory) (const SdcColumnWork *work, int attribute);
	uint64		(*least) (const SdcColumnWork *work, int attribute);
} SdcColumnMethod;

/* sdc_columnjobs_protect protects some attributes, by their indexes. */
extern void sdc_columnjobs_protect(const SdcColumnMethod *method, const int *attribute, int attributes,
								   SdcSource *source, SdcSpool *spool, SdcRandom *random);

/* sdc_columnjobs_can_share tells whether another process can have a column, which has the values of a type. */
extern bool sdc_columnjobs_can_share(const SdcType *type, const SdcColumn *column);

/*
 * sdc_columnjobs_is_own_code tells whether nobody else's code compares the values of a type: it could do what is
 * forbidden as long as there are workers.
 */
extern bool sdc_columnjobs_is_own_code(const SdcType *type);

/* sdc_columnjobs_process is what one process does. */
extern void sdc_columnjobs_process(const SdcColumnMethod *method, SdcJobs *jobs, void *arg);

#endif							/* SDC_RELATION_COLUMNJOBS_H */

/*-------------------------------------------------------------------------
 *
 * night.h
 *		A release that is continued: what stays is released as it was.
 *
 * The private state of a release says who its members are and with whom each cell is swapped.  A night reads it beside
 * the source, finds who stays, is gone, changed and new, and has each step continue its columns.  The release that is
 * continued is read, too: it must be the one that the state is of, and cells whose partner is gone have their value
 * nowhere else.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_NIGHT_H
#define SDC_METHOD_NIGHT_H

#include "kernel/rank/continuedplan.h"
#include "method/step.h"
#include "relation/base/compat.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/parameters.h"
#include "relation/catalog/privatestate.h"
#include "relation/frame/joinedclasses.h"
#include "relation/read/sourceunits.h"
#include "utils/timestamp.h"

/* What a step was asked about being continued. */
typedef struct SdcContinuing
{
	int32		min_changes;	/* members whose values change, or newcomers, that are shown together; 0: not given */
	int32		min_departures; /* cells whose partner is gone that get a new one together; 0: not given */
	Interval   *erase_within;	/* when they do so however few they are, or NULL */
} SdcContinuing;

/* What an error about too little memory calls it. */
#define SDC_NIGHT_USE "continuing a release"

/* A continued column, as its state was. */
typedef struct SdcNightColumn
{
	char	   *name;			/* that it had, and has in the release */
	int			stream;			/* the first one of its own in the state */
	/*
	 * The value of every member as it was last published; NULL on the first night, and where the release tells them.
	 * Then those of a few members are known that are not what the source has (nightchanges.h).
	 */
	SdcColumn  *original;
	SdcColumn  *changes;		/* which members, and what has become of each; NULL: of none */
	SdcColumn  *was;			/* what each of them had */
	TimestampTz widows_since;	/* since when some cell has lost its partner and waits for another one; 0: none has */
	uint32		widows_nights;	/* for so many nights, as the state says */
	TimestampTz pending_since;	/* since when some cell waits for its first one */
	double		beyond;			/* as they were found last */
	double		first_beyond;	/* on the first night */
	double		largest;
	double		redrawn;
	uint32		marks;			/* cells that have marks, which are kept as a list */
	bool		summed;			/* tonight's values in the release have this checksum */
	uint64		sum;
	SdcLevel	was_level;		/* in the release that is continued; UNKNOWN: it has no units, or there is none */
	bool		of_units;		/* tonight it is at the level of units */
	bool		begins;			/* it was and is not any more, or this is the first night: the method itself draws it */
} SdcNightColumn;

/* Streams of the state: of each column so many, and before them those that are not of one column. */
#define SDC_NIGHT_STREAMS 8
#define SDC_NIGHT_STREAM_HASHES 1
#define SDC_NIGHT_STREAM_UNIT_HASHES 2
#define SDC_NIGHT_STREAM_UNIT_SIZES SDC_JOINEDCLASSES_STREAM

typedef struct SdcNight
{
	Oid			catalog_schema;
	bool		first;			/* there is no state yet */
	Oid			before;			/* the release that is continued */
	SdcReleaseRow row;			/* of it */
	SdcPrivateState *state;
	SdcParameters *header;
	uint64		publication;	/* number of tonight's, from 1 on */
	TimestampTz now;
	uint32		members;		/* of the state */
	uint64		first_records;	/* of the first night */
	/*
	 * The release, read: its key and continued columns; not on the first night.  Its records are the members, and its
	 * sum is what the state says.
	 */
	SdcSource  *released;
	uint64		released_sum;
	SdcSpool   *released_spool;
	struct SdcJobs *reading;	/* the release and the state, by a worker, or NULL */
	SdcNightColumn *column;		/* of every attribute of the source; those that are continued have a name */
	SdcContinuedPlan plan;		/* not on the first night */
	uint32	   *stratum;		/* of every record, NULL: one */
	uint32		strata;
	uint64		arrived;		/* records that wait to become members, and since when; 0: none does */
	TimestampTz arrived_since;
	uint32		arrived_nights; /* for so many nights, as the state says */
	uint64		changed;		/* members that wait for their values to be shown */
	TimestampTz changed_since;
	uint32		changed_nights;
	uint64		copied;			/* checksum of the columns that are copied, or recoded and nothing else */
	bool		differs;		/* tonight's release is not the one before */
	uint64		memory;			/* bytes that the plan takes */
	bool		tells;			/* the release tells the original values of some column */
	uint64		salt;			/* of their hashes; drawn on the first night, and in the state */
	uint64	   *hash;			/* of these, of every source, while the night is planned */
	const uint64 *was_hashed;	/* of every member, as they were last published, as the state has them */
	uint64	   *was_read;		/* the same, if a worker has not read it */
	SdcPrivateState *next;		/* being made, */
	SdcSpool   *next_spool;		/* in this */

	/*
	 * Where records are of units the columns of each level are continued by a night of their own.  That of the records
	 * has that of the units (nightunits.h), whose source, release and members are the table of units.
	 */
	SdcLevel	level;			/* UNKNOWN: there are no units, and one night for all columns */
	struct SdcNight *of_units;	/* NULL: no column is at their level */
	SdcSource  *table;			/* of the night of units: its source */
	uint32	   *least_size;		/* likewise, of every unit of the table: what the state has; NULL: one class */
	const SdcUnits *units;		/* of tonight's records, where lots are so many units; NULL: records */
} SdcNight;

/* sdc_night_continues tells whether an attribute is continued by a night. */
static inline bool
sdc_night_continues(const SdcNight *night, const SdcSource *source, int i)
{
	return night->column[i].name != NULL &&
		(night->level == SDC_LEVEL_UNKNOWN || night->level == source->attributes[i].level);
}

/*
 * sdc_night_waited returns how many nights ago was the one that found what waits since then, by how many the state
 * said.  A night is a call, also one that leaves the release as it is.
 */
static inline uint32
sdc_night_waited(const SdcNight *night, TimestampTz since, uint32 nights)
{
	return since == 0 || since == night->now ? 0 : nights + 1;
}

/* sdc_night_differ tells whether two values of an attribute, or no value, differ. */
static inline bool
sdc_night_differ(SdcAttribute *attribute, bool valid, Datum value, bool other_valid, Datum other)
{
	return valid != other_valid || (valid && !sdc_type_equal(&attribute->type, value, other));
}

/*
 * sdc_night_originals makes the column of tonight's original values: of members as they were last published or, where
 * a lot of changed ones is shown, as they are; of records that join, as they are.  take is called for every record in
 * their order.
 */
typedef struct SdcNightOriginal
{
	bool		joins;			/* the record is no member yet */
	bool		shown;			/* its value is another one from tonight on */
	bool		was_valid;		/* of a member: it had a value, */
	bool		is_valid;		/* and it has one in the source */
} SdcNightOriginal;

typedef void (*SdcNightTake) (void *arg, uint32 record, const SdcNightOriginal *original);
extern SdcColumn *sdc_night_originals(const SdcNight *night, SdcAttribute *attribute, const SdcNightColumn *column,
									  SdcSpool *spool, SdcNightTake take, void *arg);

/* sdc_night_settles tells whether changed values of a record are shown tonight. */
static inline bool
sdc_night_settles(const SdcNight *night, uint32 record)
{
	return night->plan.stratum[night->stratum == NULL ? 0 : night->stratum[record]].settle;
}

/* sdc_night_released returns a continued column of the release that is continued. */
extern SdcAttribute *sdc_night_released(const SdcNight *night, const SdcNightColumn *column);

/* sdc_night_refuse raises the error about a release that is not the one that its state is of. */
sdc_noreturn extern void sdc_night_refuse(const SdcNight *night, const char *detail);

#endif							/* SDC_METHOD_NIGHT_H */

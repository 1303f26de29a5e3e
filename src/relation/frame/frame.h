/*-------------------------------------------------------------------------
 *
 * frame.h
 *		A release with its source, in memory, for all who look at it.
 *
 * A release that is measured by several is read once, with its source (sdc_openrelease_frame), and so is the source of
 * releases that are made of it on trial: these have columns of their own for what is protected, and share all others.
 * Codes are found when they are first asked for, and kept.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_FRAME_H
#define SDC_RELATION_FRAME_H

#include "relation/catalog/catalog.h"
#include "relation/column/dictionary.h"
#include "relation/read/source.h"

/* What is found out once about a column of the source, for all releases. */
typedef struct SdcFrameColumn
{
	SdcPairColumn pair;			/* its codes; original is NULL as long as nobody has asked */
	SdcDictionary *dictionary;	/* of its values, */
	uint32	   *code;			/* and the code of each number */
} SdcFrameColumn;

/* A source in memory. */
typedef struct SdcFrameSource
{
	MemoryContext context;		/* of all that is found out */
	SdcSource  *source;			/* that was read, with the types of its columns as measures have them */
	SdcFrameColumn *column;		/* of each attribute */
} SdcFrameSource;

/* A release of it. */
typedef struct SdcFrame
{
	MemoryContext context;		/* of all this */
	SdcReleaseRow row;			/* what the catalog knows, or would know of it */
	const char *name;			/* that it has, or would have, for messages */
	SdcFrameSource *held;
	SdcSource  *release;		/* its attributes, with their values: of a trial those of the source in their order,
								 * and behind them the groups, if the method makes some */
	const uint32 **code;		/* of each attribute of the source the codes, NULL as long as nobody has asked */
	SdcPairColumn *apart;		/* of a trial: of attributes that get values which the source does not have, the
								 * codes of both; original is NULL as long as nobody has asked */
	SdcPairColumn *recoded;		/* of attributes that were recoded before another step, likewise, of what they became */
	SdcSpool   *spools[2];		/* of a release that was read; a trial has none */
} SdcFrame;

/*
 * sdc_framesource_create makes one, in the current memory context, of a source that was planned; its columns
 * come with sdc_framesource_take, when it was read.  They are kept until their spool is destroyed.
 */
extern SdcFrameSource *sdc_framesource_create(const SdcSource *planned);
extern void sdc_framesource_take(SdcFrameSource *held, const SdcSource *read);

/* sdc_framesource_smallest returns the number of records of the smallest stratum, of all without strata. */
extern uint64 sdc_framesource_smallest(const SdcFrameSource *held);

/*
 * sdc_frame_create makes one, in the current memory context, of what a method has made of a copy of the
 * source that was read: a trial.
 */
extern SdcFrame *sdc_frame_create(SdcFrameSource *held, SdcSource *protected);

/* sdc_frame_take makes one of a source and a release that were read and have the same records. */
extern SdcFrame *sdc_frame_take(SdcSource *source, SdcSource *release);

/* sdc_frame_is_trial tells whether it is a trial, which has the records of its source. */
static inline bool
sdc_frame_is_trial(const SdcFrame *frame)
{
	return frame->spools[0] == NULL;
}

/* sdc_frame_type returns the type that a column has in a trial, InvalidOid without the column. */
extern Oid	sdc_frame_type(const SdcFrame *trial, const char *name);

/*
 * sdc_frame_codes gives the values of an attribute of the source in both files common codes: those that
 * sdc_paircodes_columns gives them.  recoded, unless NULL, is the attribute with what a recoding has made of them.
 */
extern void sdc_frame_codes(SdcFrame *frame, int attribute, SdcAttribute *recoded, SdcPairColumn *result);

/* sdc_frame_close gives back what a release that was read takes. */
extern void sdc_frame_close(SdcFrame *frame);

#endif							/* SDC_RELATION_FRAME_H */

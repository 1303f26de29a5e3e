/*-------------------------------------------------------------------------
 *
 * pairedrelease.h
 *		A release and its source, read and paired by key: what is attacked and measured.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_PAIREDRELEASE_H
#define SDC_RELATION_PAIREDRELEASE_H

#include "kernel/base/pairs.h"
#include "relation/catalog/catalog.h"
#include "relation/column/paircodes.h"
#include "relation/frame/frame.h"
#include "relation/frame/openrelease.h"
#include "relation/read/recordkeys.h"
#include "relation/read/source.h"

typedef struct SdcPairedRelease
{
	SdcReleaseRow row;			/* what the catalog knows of the release */
	char	   *name;			/* of the release */
	/*
	 * the protected attributes, in the order of their columns: as an intruder knows them, who does himself what a
	 * recoding did; and with the values that the source has, unless they have another type
	 */
	SdcPairs	pairs;
	SdcPairs	values;
	const char **attribute;		/* their names */
	SdcValueKind *kind;			/* what their values are */
	SdcRecordWeights weights;	/* where they are wanted */
	uint32	   *stratum;		/* of each record from 0, where it is wanted; NULL: the release has no strata */
	uint32		strata;

	SdcRecordKeys keys;			/* none unless asked for */
} SdcPairedRelease;

/*
 * sdc_pairedrelease_load reads a release and its source with the rights of the caller and pairs
 * them, in the current memory context.  A source or release that has
 * changed since the release was made is an error.
 */

typedef struct SdcPairedReleaseRequest
{
	Oid			catalog_schema;
	Oid			release;
	SdcFrame   *frame;			/* that the release is in, in the place of both; or NULL */
	SdcWeightRequest weight;
	bool		keys;			/* the keys are needed as well */
	bool		strata;			/* and the strata */
	bool		unnamed;		/* the caller has not named the release: whoever registered it must
								 * not get to run functions with the caller's rights */
} SdcPairedReleaseRequest;

extern SdcPairedRelease *sdc_pairedrelease_load(const SdcPairedReleaseRequest *request);

/* sdc_pairedrelease_keep_keys loads the keys of a source that has been read, for their text. */
extern void sdc_pairedrelease_keep_keys(SdcPairedRelease *paired, SdcSource *source);

/* sdc_pairedrelease_key returns the key of a record as text. */
extern char *sdc_pairedrelease_key(SdcPairedRelease *paired, uint32 record);

/*
 * sdc_pairedrelease_known returns the indexes of the attributes that the intruder knows: those
 * named in an argument, or all; ascending.
 */
extern int *sdc_pairedrelease_known(const SdcPairedRelease *paired, bool given, List *names,
									int *count);

#endif							/* SDC_RELATION_PAIREDRELEASE_H */

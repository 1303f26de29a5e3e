/*-------------------------------------------------------------------------
 *
 * codedrelease.h
 *		A release and its source by quasi-identifiers and sensitive attributes, as codes.
 *
 * What queries and associations are asked of.  Pairings (pairedrelease.h) are of the protected
 * attributes, with numbers; this is of any attributes, also copied ones, of
 * releases with or without groups.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_CODEDRELEASE_H
#define SDC_MEASURE_CODEDRELEASE_H

#include "kernel/base/units.h"
#include "kernel/queries/queries.h"
#include "relation/column/dictionary.h"
#include "relation/column/paircodes.h"
#include "relation/frame/openrelease.h"

typedef struct SdcComparedColumn
{
	const char *name;
	SdcType		type;
	SdcValueKind kind;
	bool		generalized;
	SdcPairColumn pair;			/* codes common to both; protected is NULL: the release has ranges or sets of values */
	SdcCodedValues values;		/* behind the codes: of a generalized column, and where they are asked for */
	SdcAttribute *original;		/* while both relations are read */
	SdcAttribute *protected;
	/* of a generalized column */
	bool	   *coded;			/* which codes are missing ones, or NULL: a range has one of them alone */
	SdcCodeList *form;			/* what each record has: while its sets are found */
	SdcQuerySet *set;			/* of values, of each group */
	uint32	   *element;		/* codes; SDC_CODE_NULL for a missing value, and for one that the source lacks */
	uint64		elements;
} SdcComparedColumn;

typedef struct SdcCodedRelease
{
	SdcReleaseRow row;
	char	   *name;			/* of the release */
	SdcQueryKind kind;
	uint32		records;
	int			qi_count;
	SdcComparedColumn *qi;
	int			sensitive_count;
	SdcComparedColumn *sensitive;
	const uint32 *group;		/* of each record, where sensitive values were permuted or records generalized */
	uint32		groups;
	SdcRecordWeights weights;	/* where they are wanted */
	const SdcUnits *units;		/* that its records are about; NULL: each is one */
	MemoryContext context;		/* that all this is in */
	MemoryContext before;		/* to go back to */
} SdcCodedRelease;

typedef struct SdcCodedReleaseRequest
{
	Oid			catalog_schema;
	Oid			release;
	SdcFrame   *frame;			/* that the release is in, in the place of both; or NULL */
	bool		unnamed;		/* see openrelease.h */
	bool		values;			/* those behind the codes are needed as well */
	bool		units;			/* and the units, if records are about some */
	SdcWeightRequest weight;
	bool		qi_given;		/* otherwise those of the release, or the protected columns */
	List	   *qi;
	bool		sensitive_given;	/* otherwise those of the release, or the copied columns */
	List	   *sensitive;
} SdcCodedReleaseRequest;

/*
 * sdc_codedrelease_open reads a release and its source with the rights of the caller.  From then
 * on the current memory context is the coded release's own, which sdc_codedrelease_close deletes.
 */
extern SdcCodedRelease *sdc_codedrelease_open(const SdcCodedReleaseRequest *request);
extern void sdc_codedrelease_close(SdcCodedRelease *coded);

/*
 * sdc_codedrelease_certain returns what a generalized release says of an attribute for certain: the
 * value of the records whose set has one value, and no value of the others.
 */
extern uint32 *sdc_codedrelease_certain(const SdcCodedRelease *coded,
										const SdcComparedColumn *column);

#endif							/* SDC_MEASURE_CODEDRELEASE_H */

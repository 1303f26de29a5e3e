/*-------------------------------------------------------------------------
 *
 * codedrelease.h
 *		A release and its source by quasi-identifiers and sensitive attributes, as codes.
 *
 * What queries and associations are asked of: columns of any release, with or without groups (releasecolumns.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_CODEDRELEASE_H
#define SDC_MEASURE_CODEDRELEASE_H

#include "relation/frame/releasecolumns.h"

typedef SdcReleaseColumn SdcComparedColumn;
typedef SdcReleaseColumns SdcCodedRelease;

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
	bool		needs_sensitive;	/* it is an error if there is none */
	bool		recoded;		/* of recoded columns the source has what its values become */
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

/*-------------------------------------------------------------------------
 *
 * protect.h
 *		The way of a relation from its source to its release.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_PROTECT_H
#define SDC_RELATION_PROTECT_H

#include "relation/release.h"
#include "relation/source.h"
#include "relation/swap.h"

/* What a protection function was asked to do. */
typedef struct SdcProtection
{
	SdcSourceRequest request;
	Oid			catalog_schema; /* where the extension's catalog is */
	const SdcSwapMethod *method;
	char	   *parameters;		/* JSON, for the catalog */
	char	   *seed;			/* or NULL */
	char	   *target;			/* or NULL: the default */
	bool		replace;
	/* raises an error for parameters that the number of records forbids, or NULL */
	void		(*check_records) (const struct SdcProtection *protection, uint64 records);
} SdcProtection;

/*
 * sdc_protect_to_table makes a release in a table and enters it in the catalog.
 * It returns what happened to every column, in the current memory context.
 */
extern SdcSource *sdc_protect_to_table(const SdcProtection *protection, Oid *release);

/* sdc_protect_to_store returns the protected rows and keeps nothing. */
extern void sdc_protect_to_store(const SdcProtection *protection, Tuplestorestate *store,
								 TupleDesc desc);

#endif							/* SDC_RELATION_PROTECT_H */

/*-------------------------------------------------------------------------
 *
 * pipeline.h
 *		The way of a relation from its source to its release.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_PIPELINE_H
#define SDC_METHOD_PIPELINE_H

#include "relation/random.h"
#include "relation/release.h"
#include "relation/source.h"

/* What is to be said of a column that keeps its values in half of the records or more. */
typedef enum SdcChanges
{
	SDC_CHANGES_MOST,			/* a warning: it is hardly protected */
	SDC_CHANGES_SOME,			/* a notice, as the method changes few values in any case; a warning if none did */
	SDC_CHANGES_DRAWN,			/* a notice: the caller has said how many change */
	SDC_CHANGES_GROUPED,		/* nothing, as its groups protect it; a warning if none did */
	SDC_CHANGES_ANY				/* nothing: the method does not protect by changing values */
} SdcChanges;

/* What a protection function was asked to do. */
typedef struct SdcProtection
{
	SdcSourceRequest request;
	Oid			catalog_schema; /* where the extension's catalog is */
	const char *method;			/* relation/methods.h: names the streams, the catalog row, the default target */
	const void *arguments;		/* of the method's own */
	char	   *parameters;		/* JSON, for the catalog; the method may set it when it runs */
	List	   *qi;				/* what the method takes as such, of char *; */
	List	   *sensitive;		/* NIL: as classified */
	SdcChanges	changes;
	const char *unchanged_hint; /* what to do about a column few of whose values change */
	char	   *seed;			/* or NULL */
	char	   *target;			/* or NULL: the default */
	bool		replace;
	/* raises an error for parameters that the number of records forbids, or NULL */
	void		(*check_records) (const struct SdcProtection *protection, uint64 records);
	/* replaces the values of the protected attributes, which are in columns of the spool */
	void		(*protect) (struct SdcProtection *protection, SdcSource *source, SdcSpool *spool,
							SdcRandom *random);
	/* looks at the plan and, unless NULL, the target before any work; or NULL */
	void		(*check_plan) (struct SdcProtection *protection, SdcSource *source,
							   SdcTarget *target);
	/* does what is left when the release is written; or NULL */
	void		(*finish) (const struct SdcProtection *protection, const SdcSource *source,
						   const SdcTarget *target, Oid release);
} SdcProtection;

/*
 * sdc_pipeline_to_table makes a release in a table and enters it in the catalog.
 * It returns what happened to every column, in the current memory context.
 */
extern SdcSource *sdc_pipeline_to_table(SdcProtection *protection, Oid *release);

/* sdc_pipeline_to_store returns the protected rows and keeps nothing. */
extern void sdc_pipeline_to_store(SdcProtection *protection, Tuplestorestate *store,
								  TupleDesc desc);

#endif							/* SDC_METHOD_PIPELINE_H */

/*-------------------------------------------------------------------------
 *
 * publish.h
 *		Publishing a release, and withdrawing what was published.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_PUBLISH_H
#define SDC_PUBLISH_PUBLISH_H

#include "nodes/pg_list.h"
#include "relation/read/contents.h"

/* How the contents of a publication are replaced. */
typedef enum SdcPublishMode
{
	SDC_PUBLISH_EXCHANGE,		/* by a new heap */
	SDC_PUBLISH_ROWS			/* row by row */
} SdcPublishMode;

/* What sdc_publish was given; lists are of char *. */
typedef struct SdcPublishRequest
{
	Oid			catalog_schema;
	Oid			release;
	char	   *target;
	List	   *keep;
	List	   *grant_to;
	SdcPublishMode mode;
	bool		replace;
	char	   *units_as;		/* where a second table of the units goes, or NULL */
	bool		keep_units;		/* units with several records get random numbers */
	bool		force;			/* whatever it is */
	bool		approved;		/* as it was evaluated, whatever its source is by now */
	char	   *evaluation;		/* the mark of that of the run that publishes, or NULL */
	bool		limited;		/* there is a limit; a run has judged its own */
	double		max_people_found;	/* percent */
} SdcPublishRequest;

/* What was published. */
typedef struct SdcPublished
{
	Oid			target;
	uint64		records;
	List	   *columns;
	uint8		sha256[SDC_CONTENTS_BYTES];
	double		locked;			/* milliseconds that readers had to wait so far */
	double		people_found;	/* in the release as it was evaluated, in percent; NAN: that is not known */
	const char *overridden;		/* in spite of what it was published by force, or NULL */
} SdcPublished;

/* The names of the modes, NULL behind the last one. */
extern const char *const sdc_publish_modes[];

/* sdc_publish_release publishes a release; of_units is about the second table, where one is asked for. */
extern void sdc_publish_release(const SdcPublishRequest *request, SdcPublished *published, SdcPublished *of_units);

/* sdc_publish_withdraw drops a publication of the caller's. */
extern void sdc_publish_withdraw(Oid catalog_schema, Oid target, const char *why);

#endif							/* SDC_PUBLISH_PUBLISH_H */

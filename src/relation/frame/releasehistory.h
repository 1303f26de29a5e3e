/*-------------------------------------------------------------------------
 *
 * releasehistory.h
 *		Several releases of a table and their sources, read together: what an intruder has who keeps them all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_RELEASEHISTORY_H
#define SDC_RELATION_RELEASEHISTORY_H

#include "kernel/releases/history.h"
#include "nodes/pg_list.h"

typedef struct SdcHistoryRequest
{
	Oid			catalog_schema;
	int			releases;
	const Oid  *release;		/* in their order */
	int			sources;		/* 0: those that are recorded; 1: one for all; else one for each */
	const Oid  *source;
	bool		known_given;	/* otherwise the protected columns of the last release */
	List	   *known;
	double		p;				/* 0: windows are those of the methods */
	const char *sensitive;		/* a copied column, or NULL */
	bool		by_last;		/* its source is the truth of all, and what is not in the catalog was made as it was */
} SdcHistoryRequest;

typedef struct SdcReleaseHistory
{
	SdcHistory	history;		/* behind the releases there are the sources */
	int			files;			/* of both */
	const SdcHistoryFile *truth;	/* by release */
	const int  *truth_file;		/* number of the file that it is */
	/* windows of the methods, where a release is continued and they are not sound; or NULL */
	const uint32 *const *narrow;
	List	   *known;
	uint32		classes;		/* of the sensitive column, a missing value among them; 0: there is none */
	const uint32 **released;	/* by release, by record: its class */
	const uint32 **secret;		/* by release, by record of its truth */
	uint32		most_records;	/* of a release */
} SdcReleaseHistory;

/*
 * sdc_releasehistory_load reads releases and sources with the rights of the caller, in the current
 * memory context.
 */
extern SdcReleaseHistory *sdc_releasehistory_load(const SdcHistoryRequest *request);

/* sdc_releasehistory_forget frees all codes, when somebody has a copy of them. */
extern void sdc_releasehistory_forget(SdcReleaseHistory *all);

/* sdc_releasehistory_codes returns the number of codes of the column that has most. */
extern uint32 sdc_releasehistory_codes(const SdcReleaseHistory *all);

/* sdc_releasehistory_protected tells whether a column is protected in one of some releases. */
extern bool sdc_releasehistory_protected(const SdcHistory *history, SdcHistorySpan span, int column);

/*
 * sdc_releasehistory_narrow makes the same history with the windows of the methods, where these are not sound;
 * otherwise returns false.
 */
extern bool sdc_releasehistory_narrow(const SdcReleaseHistory *all, SdcHistory *narrow);

#endif							/* SDC_RELATION_RELEASEHISTORY_H */

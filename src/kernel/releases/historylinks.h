/*-------------------------------------------------------------------------
 *
 * historylinks.h
 *		Whom an intruder finds in several releases: by averages, by windows, by what candidates have in common.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_HISTORYLINKS_H
#define SDC_KERNEL_HISTORYLINKS_H

#include "kernel/releases/history.h"
#include "kernel/releases/movement.h"

typedef struct SdcHistoryTask
{
	const SdcHistory *history;
	const SdcHistoryFile *truth;	/* by release: what the intruder knows; the last one's for all together */
	uint32		classes;		/* of sensitive values, 0: there are none */
	const uint32 *const *released;	/* by release, by record: the class that it has */
	const uint32 *const *secret;	/* by release, by record of the truth */
	bool		windows_only;	/* nobody asks for averages */
} SdcHistoryTask;

/* Sums over the records that are attacked. */
typedef struct SdcHistoryLinks
{
	uint64		targets;
	double		average;		/* shares of nearest means */
	double		error;			/* distances of means, */
	uint64		error_cells;	/* of so many cells */
	double		windows;		/* shares of nearest candidates */
	uint64		certain;		/* nobody but the own record is one */
	uint64		candidates;
	uint64		inside;			/* the own record is one */
	double		guess;			/* 1 / candidates, where it is */
	/* classes that candidates have in every release */
	uint64		sizes;
	uint64		found;			/* nothing but the right one */
	uint64		wrong;			/* nothing but another one */
	uint64		class_inside;	/* the right one is among them */
	double		class_guess;	/* 1 / classes, where it is */
} SdcHistoryLinks;

/* A process that attacks releases, with what it keeps from one to the next. */
typedef struct SdcHistoryLinking SdcHistoryLinking;

extern SdcHistoryLinking *sdc_history_linking_create(const SdcHistoryTask *task);
extern void sdc_history_linking_destroy(SdcHistoryLinking *linking);

/* Some records of the last truth, and the classes that are excluded for each, which processes can share. */
typedef struct SdcHistoryMeeting
{
	uint32		first;
	uint32		count;
	uint64		words;			/* of a bitmap */
	uint64	   *set;			/* by record */
} SdcHistoryMeeting;

/*
 * sdc_history_meeting_people tells for how many people so many bytes are enough, one at least and no more than there
 * are, and sdc_history_meeting_bytes what bitmaps of so many take.  Without classes it is 0.
 */
extern uint32 sdc_history_meeting_people(const SdcHistoryTask *task, uint64 bytes);
extern uint64 sdc_history_meeting_bytes(const SdcHistoryTask *task, uint32 people);

/*
 * sdc_history_meeting_begin takes so many people from first on, and sdc_history_meeting_clear has their bitmaps
 * exclude no class, as zeros do.  Then every release excludes some, in any order, by sdc_history_link_release or
 * sdc_history_meet, and sdc_history_meeting_end adds what is left of the people who are in the last release to links.
 */
extern void sdc_history_meeting_begin(const SdcHistoryTask *task, uint32 people, uint32 first,
									  SdcHistoryMeeting *meeting);
extern void sdc_history_meeting_clear(const SdcHistoryMeeting *meeting);
extern void sdc_history_meet(SdcHistoryLinking *linking, int release, const SdcHistoryMeeting *meeting);
extern void sdc_history_meeting_end(SdcHistoryLinking *linking, const SdcHistoryMeeting *meeting,
									SdcHistoryLinks *links);

/*
 * sdc_history_link_release attacks a release alone: its people, and the values of columns with windows, of which it
 * adds what is found to moving and windows.  meeting: it excludes what it can, or NULL.  Time: as that of a linkage.
 */
extern void sdc_history_link_release(SdcHistoryLinking *linking, int release, const SdcHistoryMeeting *meeting,
									 SdcHistoryLinks *links, SdcMovement *moving, SdcMovement *windows);

/* sdc_history_link_together attacks people by all releases together; links->sizes and what follows is left 0. */
extern void sdc_history_link_together(SdcHistoryLinking *linking, SdcHistoryLinks *links);

/*
 * sdc_history_find attacks some records of the last truth by all releases together.  share, by index, is raised to how
 * probably the best attack finds the person: by averages, by windows, or by a guess among those in the windows.
 */
extern void sdc_history_find(const SdcHistoryTask *task, const uint32 *record, uint32 count, double *share);

/* Bytes that a process takes besides meetings: records is the most that a file has. */
extern uint64 sdc_history_link_memory(uint32 records, uint32 persons, int columns, const uint32 *codes,
									  uint32 classes);

#endif							/* SDC_KERNEL_HISTORYLINKS_H */

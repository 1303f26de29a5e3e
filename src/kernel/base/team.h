/*-------------------------------------------------------------------------
 *
 * team.h
 *		Processes that make something together, for all of them to use.
 *
 * Every member of a team calls the same functions in the same order, with arguments that differ only where it is said.
 * What they make lies in memory that all of them see, each at an address of its own: so there are no pointers in it.
 * Each member fills its parts, and they meet before any of them looks at parts of others.  NULL is one process
 * alone, with memory as ever.
 *
 * The memory is a stack: what is made last is given up first.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_TEAM_H
#define SDC_KERNEL_TEAM_H

#include "kernel/base/kernel_env.h"

typedef struct SdcTeam SdcTeam;

struct SdcTeam
{
	int			members;
	int			member;			/* 0 .. members - 1 */
	char	   *memory;
	uint64		bytes;
	uint64		used;			/* the same for all members */
	void		(*barrier) (SdcTeam *team);	/* returns when all members have come there */
};

/* What is allocated begins at multiples of this. */
#define SDC_TEAM_ALIGNMENT 64

/* sdc_team_barrier returns when all members have come there. */
static inline void
sdc_team_barrier(SdcTeam *team)
{
	if (team != NULL)
		team->barrier(team);
}

/* sdc_team_first tells whether this process does what only one of them does. */
static inline bool
sdc_team_first(const SdcTeam *team)
{
	return team == NULL || team->member == 0;
}

/* sdc_team_takes tells whether this process takes one of numbered tasks. */
static inline bool
sdc_team_takes(const SdcTeam *team, uint64 task)
{
	return team == NULL || task % (uint64) team->members == (uint64) team->member;
}

/* A part of something that is numbered. */
typedef struct SdcTeamPart
{
	uint32		start;
	uint32		end;
} SdcTeamPart;

/* sdc_team_part is this process's part of so many: one range, that ends at a multiple of unit or with all. */
static inline SdcTeamPart
sdc_team_part(const SdcTeam *team, uint32 count, uint32 unit)
{
	uint64		units = ((uint64) count + unit - 1) / unit;
	uint64		members = team == NULL ? 1 : (uint64) team->members;
	uint64		member = team == NULL ? 0 : (uint64) team->member;
	uint64		start = units * member / members * unit;
	uint64		end = units * (member + 1) / members * unit;

	return (SdcTeamPart) {(uint32) (start < count ? start : count), (uint32) (end < count ? end : count)};
}

/* sdc_team_room tells whether there is memory for so many bytes more: always alone. */
static inline bool
sdc_team_room(const SdcTeam *team, uint64 bytes)
{
	return team == NULL || bytes + SDC_TEAM_ALIGNMENT <= team->bytes - team->used;
}

/* sdc_team_alloc allocates bytes that all members see, or, alone, as sdc_alloc does. */
static inline void *
sdc_team_alloc(SdcTeam *team, uint64 bytes)
{
	char	   *place;

	if (team == NULL)
		return sdc_alloc(bytes);
	/* as much too large as what memory does not hold */
	if (!sdc_team_room(team, bytes))
		return sdc_alloc(UINT64_MAX);
	place = team->memory + team->used;
	team->used += (bytes + SDC_TEAM_ALIGNMENT - 1) / SDC_TEAM_ALIGNMENT * SDC_TEAM_ALIGNMENT;
	return place;
}

/* sdc_team_items is sdc_alloc_items of team.  Products are of what memory holds. */
static inline void *
sdc_team_items(SdcTeam *team, Size size, uint64 rows, uint64 columns)
{
	if (team == NULL)
		return sdc_alloc_items(size, rows, columns);
	return sdc_team_alloc(team, size * rows * columns);
}

#define sdc_team_array(team, type, count) \
	((type *) sdc_team_items(team, sizeof(type), 1, count))
#define sdc_team_matrix(team, type, rows, columns) \
	((type *) sdc_team_items(team, sizeof(type), rows, columns))

/* sdc_team_free gives up what was allocated: a team does so by sdc_team_release. */
static inline void
sdc_team_free(const SdcTeam *team, void *memory)
{
	if (team == NULL)
		sdc_free(memory);
}

/* sdc_team_mark is where the stack ends; sdc_team_release gives up what is above, when all members are done with it. */
static inline uint64
sdc_team_mark(const SdcTeam *team)
{
	return team == NULL ? 0 : team->used;
}

static inline void
sdc_team_release(SdcTeam *team, uint64 mark)
{
	if (team == NULL)
		return;
	team->barrier(team);
	team->used = mark;
}

/* sdc_team_numbers has each member say a number; *all becomes those of all, until sdc_team_release. */
static inline int
sdc_team_numbers(SdcTeam *team, uint64 number, const uint64 **all)
{
	uint64	   *numbers = sdc_team_array(team, uint64, team->members);

	numbers[team->member] = number;
	team->barrier(team);
	*all = numbers;
	return team->members;
}

/* sdc_team_sum is the sum of the numbers of all members. */
static inline uint64
sdc_team_sum(SdcTeam *team, uint64 number)
{
	uint64		mark = sdc_team_mark(team);
	uint64		sum = 0;
	const uint64 *all;

	if (team == NULL)
		return number;
	for (int i = sdc_team_numbers(team, number, &all); i-- > 0;)
		sum += all[i];
	sdc_team_release(team, mark);
	return sum;
}

/* sdc_team_least and sdc_team_most are the least and the greatest of the numbers. */
static inline uint64
sdc_team_least(SdcTeam *team, uint64 number)
{
	uint64		mark = sdc_team_mark(team);
	uint64		least = number;
	const uint64 *all;

	if (team == NULL)
		return number;
	for (int i = sdc_team_numbers(team, number, &all); i-- > 0;)
		least = all[i] < least ? all[i] : least;
	sdc_team_release(team, mark);
	return least;
}

static inline uint64
sdc_team_most(SdcTeam *team, uint64 number)
{
	return ~sdc_team_least(team, ~number);
}

#endif							/* SDC_KERNEL_TEAM_H */

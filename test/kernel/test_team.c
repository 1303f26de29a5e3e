/*-------------------------------------------------------------------------
 *
 * test_team.c
 *		What the members of a team make together, against what one process makes alone.
 *
 * Members are processes, forked, that map the same memory at addresses of their own: what is there cannot point into
 * any of them.  Each has a share of the records, perhaps none.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/agreement/agreement.h"
#include "kernel/base/team.h"
#include "kernel/distance/nearprefix.h"
#include "kernel/rank/rankprefix.h"

#include "random.h"
#include "tap.h"

#define MAX_ATTRIBUTES 7
#define MAX_MEMBERS 4
#define TOTALS_MOST 256

/* Records are dealt in such blocks. */
#define BLOCK 8

/* Memory for numbers, and for the patterns of few attributes. */
#define LEAST 16384

/* What the attributes of a file are like. */
enum
{
	DISTINCT, FEW_VALUES, MIXED, MISSING, NOMINAL, KINDS
};

/* A file of pairs, and its spaces. */
static SdcPairs pairs;
static SdcPairColumn column[MAX_ATTRIBUTES];
static int	known[MAX_ATTRIBUTES];
static SdcMetricSpace *space[MAX_ATTRIBUTES];

/* What one process finds, or all members of a team together. */
typedef struct Found
{
	SdcLink    *prefix;			/* by number of attributes and record */
	uint32	   *windows;		/* the same */
	uint32	   *candidates;		/* by record */
	SdcLink    *nearest;
	SdcPatternCount *total;		/* by member */
	int		   *totals;
} Found;

/* A process at work. */
typedef struct Process
{
	Found	   *found;
	SdcTeam    *team;
	uint32	   *record;			/* its share */
	uint32		count;
	SdcRankPrefix *rank;
} Process;

/* What members have in common beside the memory of the team. */
typedef struct Common
{
	pthread_barrier_t barrier;
} Common;

typedef struct Member
{
	SdcTeam		team;
	Common	   *common;
} Member;

/* make_column makes an attribute: mostly near the original value, else any. */
static void
make_column(int j, uint32 n, int kind)
{
	uint32		codes = kind == DISTINCT || (kind == MIXED && j % 2 == 0) ? 2 * n + 4 : 2 + pick(20);
	uint32	   *original = sdc_alloc((n + 1) * sizeof(uint32));
	uint32	   *protected = sdc_alloc((n + 1) * sizeof(uint32));
	double	   *value = sdc_alloc(codes * sizeof(double));

	for (uint32 c = 0; c < codes; c++)
		value[c] = c;
	for (uint32 i = 0; i < n; i++)
	{
		/* all different: as many numbers in another order */
		original[i] = kind == DISTINCT ? (uint32) ((uint64) i * 7919 % 10007 % codes) : pick(codes);
		protected[i] = pick(10) < 7 ? (original[i] + pick(codes / 20 + 1)) % codes : pick(codes);
		if (kind == DISTINCT)
			protected[i] = 2 * ((i + (uint32) j) % n) + 1;
		if (kind == MISSING && pick(6) == 0)
			original[i] = SDC_CODE_NULL;
		if (kind == MISSING && pick(6) == 0)
			protected[i] = SDC_CODE_NULL;
	}
	column[j] = (SdcPairColumn) {original, protected, codes, value};
	if (kind == NOMINAL && j % 2 == 1)
	{
		sdc_free(value);
		column[j].value = NULL;
	}
}

/* make_file makes a file, and its spaces. */
static void
make_file(uint32 n, int attributes, int kind)
{
	pairs = (SdcPairs) {n, attributes, column};
	for (int j = 0; j < attributes; j++)
	{
		known[j] = j;
		make_column(j, n, kind);
	}
	for (int c = 1; c <= attributes; c++)
		space[c - 1] = sdc_metricspace_create(&pairs, known, c, SDC_METRIC_EUCLIDEAN);
}

/* free_file frees it. */
static void
free_file(void)
{
	for (int j = 0; j < pairs.attributes; j++)
	{
		sdc_metricspace_destroy(space[j]);
		sdc_free((void *) column[j].original);
		sdc_free((void *) column[j].protected);
		if (column[j].value != NULL)
			sdc_free((void *) column[j].value);
	}
}

/* note_distance is the SdcNearprefixResult, which tells the windows. */
static void
note_distance(void *arg, int attributes, uint32 index, const SdcLink *link)
{
	Process    *process = arg;

	process->found->prefix[(Size) (attributes - 1) * pairs.records + process->record[index]] = *link;
	sdc_rankprefix_take(process->rank, attributes, index, link);
}

/* note_window is the SdcRankPrefixResult. */
static void
note_window(void *arg, int attributes, uint32 index, uint32 ties)
{
	Process    *process = arg;

	process->found->windows[(Size) (attributes - 1) * pairs.records + process->record[index]] = ties;
}

/* find_prefixes links by distance and windows, by 1, 2, ... attributes. */
static void
find_prefixes(Process *process)
{
	uint32		width[MAX_ATTRIBUTES];
	SdcRankTask task = {.pairs = &pairs, .known = known, .count = pairs.attributes, .width = width,
	.space = space[pairs.attributes - 1]};
	const SdcMetricSpace *const *spaces = (const SdcMetricSpace *const *) space;
	uint32	   *candidates = sdc_alloc((process->count + 1) * sizeof(uint32));

	for (int j = 0; j < pairs.attributes; j++)
		width[j] = pairs.records / 10 + 1;
	process->rank = sdc_rankprefix_create(&task, spaces, process->record, process->count, note_window, process);
	sdc_nearprefix_run(spaces, pairs.attributes, process->record, process->count, process->team, note_distance,
					   process);
	sdc_rankprefix_finish(process->rank, process->team, candidates);
	sdc_rankprefix_destroy(process->rank);
	for (uint32 i = 0; i < process->count; i++)
		process->found->candidates[process->record[i]] = candidates[i];
	sdc_free(candidates);
}

/* find_nearest links by all attributes. */
static void
find_nearest(Process *process)
{
	SdcLink    *link = sdc_alloc((process->count + 1) * sizeof(SdcLink));

	for (uint32 i = 0; i < process->count; i++)
		link[i].linked = SDC_RECORD_NONE;
	sdc_nearest_run(space[pairs.attributes - 1], process->record, process->count, process->team, link);
	for (uint32 i = 0; i < process->count; i++)
		process->found->nearest[process->record[i]] = link[i];
	sdc_free(link);
}

/* find_totals counts the pairs by pattern. */
static void
find_totals(Process *process, int member)
{
	SdcAgreement *agreement = sdc_agreement_create(&pairs, known, pairs.attributes);
	SdcPatternCount *totals = sdc_agreement_totals(agreement, process->team, UINT64_MAX,
												   &process->found->totals[member]);

	memcpy(process->found->total + member * TOTALS_MOST, totals,
		   process->found->totals[member] * sizeof(SdcPatternCount));
	sdc_free(totals);
	sdc_agreement_destroy(agreement);
}

/* find finds what one process does. */
static void
find(Found *found, SdcTeam *team)
{
	int			member = team == NULL ? 0 : team->member;
	uint32		members = team == NULL ? 1 : (uint32) team->members;
	Process		process = {.found = found, .team = team};

	process.record = sdc_alloc((pairs.records + 1) * sizeof(uint32));
	for (uint32 i = 0; i < pairs.records; i++)
		if (i / BLOCK % members == (uint32) member)
			process.record[process.count++] = i;
	find_prefixes(&process);
	find_nearest(&process);
	find_totals(&process, member);
	sdc_free(process.record);
}

/* meet is that of a team. */
static void
meet(SdcTeam *team)
{
	pthread_barrier_wait(&((Member *) team)->common->barrier);
}

/* map_file maps some bytes of a file, so that no two members have them at the same address. */
static void *
map_file(int file, uint64 bytes, int member)
{
	for (int i = 0; i < member; i++)
		if (mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
			abort();
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}

/* share_zeros allocates memory for all processes. */
static void *
share_zeros(uint64 bytes)
{
	void	   *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		abort();
	return memory;
}

/* make_found makes room for what is found. */
static Found
make_found(void)
{
	uint64		all = (uint64) pairs.records * pairs.attributes + 1;

	return (Found) {.prefix = share_zeros(all * sizeof(SdcLink)), .windows = share_zeros(all * sizeof(uint32)),
		.candidates = share_zeros(all * sizeof(uint32)), .nearest = share_zeros(all * sizeof(SdcLink)),
		.total = share_zeros(MAX_MEMBERS * TOTALS_MOST * sizeof(SdcPatternCount)),
		.totals = share_zeros(MAX_MEMBERS * sizeof(int))};
}

/* free_found gives it up. */
static void
free_found(Found *found)
{
	uint64		all = (uint64) pairs.records * pairs.attributes + 1;

	munmap(found->prefix, all * sizeof(SdcLink));
	munmap(found->windows, all * sizeof(uint32));
	munmap(found->candidates, all * sizeof(uint32));
	munmap(found->nearest, all * sizeof(SdcLink));
	munmap(found->total, MAX_MEMBERS * TOTALS_MOST * sizeof(SdcPatternCount));
	munmap(found->totals, MAX_MEMBERS * sizeof(int));
}

/* team_bytes is what the headers say that it takes. */
static uint64
team_bytes(void)
{
	uint64		near = sdc_nearprefix_team_memory(pairs.records, pairs.attributes);
	uint64		rank = sdc_rankprefix_team_memory(pairs.records, pairs.attributes);

	return (near > rank ? near : rank) + LEAST;
}

/* find_together has a team find it. */
static void
find_together(Found *found, int members)
{
	uint64		bytes = team_bytes();
	FILE	   *temporary = tmpfile();
	int			file = temporary == NULL ? -1 : fileno(temporary);
	Common	   *common = share_zeros(sizeof(Common));
	pthread_barrierattr_t shared;

	if (file < 0 || ftruncate(file, (off_t) bytes) != 0)
		abort();
	pthread_barrierattr_init(&shared);
	pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&common->barrier, &shared, (unsigned) members);
	for (int m = 0; m < members; m++)
		if (fork() == 0)
		{
			Member		member = {.team = {.members = members, .member = m, .bytes = bytes, .barrier = meet},
			.common = common};

			member.team.memory = map_file(file, bytes, m);
			find(found, &member.team);
			/* all was given up */
			_exit(member.team.used == 0 ? 0 : 2);
		}
	for (int m = 0; m < members; m++)
	{
		int			status;

		CHECK(wait(&status) > 0);
		CHECKF(status == 0, "a member ended with %d", status);
	}
	pthread_barrier_destroy(&common->barrier);
	munmap(common, sizeof(Common));
	fclose(temporary);
}

/* same_link compares links, whose structure may have holes. */
static bool
same_link(const SdcLink *a, const SdcLink *b)
{
	return a->distance == b->distance && a->linked == b->linked && a->ties == b->ties &&
		a->candidates == b->candidates && a->correct == b->correct;
}

/* compare compares what was found. */
static void
compare(const Found *alone, const Found *together, int members, int kind)
{
	for (uint32 i = 0; i < pairs.records; i++)
	{
		for (int c = 0; c < pairs.attributes; c++)
		{
			Size		at = (Size) c * pairs.records + i;

			CHECKF(same_link(&alone->prefix[at], &together->prefix[at]),
				   "kind %d, %u records, %d members: record %u by %d attributes", kind, pairs.records, members, i, c + 1);
			CHECKF(alone->windows[at] == together->windows[at],
				   "kind %d, %u records, %d members: windows of record %u by %d attributes: %u, not %u", kind,
				   pairs.records, members, i, c + 1, together->windows[at], alone->windows[at]);
		}
		CHECKF(alone->candidates[i] == together->candidates[i], "kind %d: candidates of record %u", kind, i);
		CHECKF(same_link(&alone->nearest[i], &together->nearest[i]), "kind %d: nearest of record %u", kind, i);
	}
	for (int m = 0; m < members; m++)
	{
		CHECKF(together->totals[m] == alone->totals[0], "kind %d: %d patterns", kind, together->totals[m]);
		for (int i = 0; i < alone->totals[0]; i++)
			CHECKF(alone->total[i].pattern == together->total[m * TOTALS_MOST + i].pattern &&
				   alone->total[i].count == together->total[m * TOTALS_MOST + i].count, "kind %d: pattern %d", kind, i);
	}
}

/* compare_file compares a file with teams of 2 to 4. */
static void
compare_file(uint32 records, int attributes, int kind)
{
	Found		alone;

	make_file(records, attributes, kind);
	alone = make_found();
	find(&alone, NULL);
	for (int members = 2; members <= MAX_MEMBERS; members++)
	{
		Found		together = make_found();

		find_together(&together, members);
		compare(&alone, &together, members, kind);
		free_found(&together);
	}
	free_found(&alone);
	free_file();
}

/* small_files: some members have no record at all. */
static void
small_files(void)
{
	static const uint32 records[] = {1, 2, BLOCK, BLOCK + 1, 3 * BLOCK, 33, 130};

	for (int i = 0; i < (int) (sizeof(records) / sizeof(records[0])); i++)
		for (int kind = 0; kind < KINDS; kind++)
			compare_file(records[i], 1 + (int) pick(MAX_ATTRIBUTES), kind);
}

/* large_files: trees have several levels, and members take turns. */
static void
large_files(void)
{
	for (int kind = 0; kind < KINDS; kind++)
		compare_file(1000 + pick(500), 1 + (int) pick(MAX_ATTRIBUTES), kind);
	compare_file(4000, MAX_ATTRIBUTES, DISTINCT);
	compare_file(2500, MAX_ATTRIBUTES, MIXED);
}

/* parts: every number is in one part, which begins at a multiple of the unit. */
static void
parts(void)
{
	for (int members = 1; members <= 5; members++)
		for (uint32 count = 0; count < 70; count++)
			for (uint32 unit = 1; unit <= 32; unit += 31)
			{
				uint32		next = 0;

				for (int m = 0; m < members; m++)
				{
					SdcTeam		team = {.members = members, .member = m};
					SdcTeamPart part = sdc_team_part(&team, count, unit);

					CHECK(part.start == next && part.end >= part.start);
					CHECK(part.start % unit == 0 || part.start == count);
					next = part.end;
				}
				CHECK(next == count);
			}
	CHECK(sdc_team_part(NULL, UINT32_MAX, 32).end == UINT32_MAX);
}

int
main(void)
{
	RUN(parts);
	RUN(small_files);
	RUN(large_files);
	return tap_done();
}

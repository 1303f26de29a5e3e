/*-------------------------------------------------------------------------
 *
 * test_pairmodel.c
 *		Bounds of weights, lists of patterns and EM over pairs, against all pairs one by one.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <pthread.h>

#include "kernel/agreement/linkmodel.h"
#include "kernel/agreement/pairbounds.h"
#include "kernel/agreement/pairlist.h"
#include "kernel/agreement/pairmodel.h"

#include "random.h"
#include "tap.h"

#define MAX_ATTRIBUTES 64
#define MEMBERS 3
#define CLIP 1e-6

/* A file of pairs with its agreement. */
typedef struct File
{
	SdcPairs	pairs;
	SdcPairColumn column[MAX_ATTRIBUTES];
	uint32	   *code;
	SdcAgreement *agreement;
} File;

/* index_file makes the agreement of its codes. */
static void
index_file(File *file)
{
	int			known[MAX_ATTRIBUTES];

	for (int j = 0; j < file->pairs.attributes; j++)
		known[j] = j;
	file->agreement = sdc_agreement_create(&file->pairs, known, file->pairs.attributes);
}

/* make_file draws up to values values, of which moved percent are drawn again, and some are missing. */
static File *
make_file(uint32 records, int attributes, uint32 values, uint32 moved, uint32 missing)
{
	File	   *file = sdc_alloc(sizeof(File));

	file->code = sdc_alloc(2 * (Size) records * (Size) attributes * sizeof(uint32) + 1);
	file->pairs = (SdcPairs) {records, attributes, file->column};
	for (int j = 0; j < attributes; j++)
	{
		uint32	   *original = file->code + 2 * (Size) j * records;
		uint32	   *protected = original + records;

		for (uint32 i = 0; i < records; i++)
			original[i] = pick(100) < missing ? SDC_CODE_NULL : pick(values);
		for (uint32 i = 0; i < records; i++)
			protected[i] = original[pick(100) < moved ? pick(records) : i];
		file->column[j] = (SdcPairColumn) {original, protected, values, NULL};
	}
	index_file(file);
	return file;
}

/* free_file frees it. */
static void
free_file(File *file)
{
	sdc_agreement_destroy(file->agreement);
	sdc_free(file->code);
	sdc_free(file);
}

/* agrees compares the values of a pair. */
static bool
agrees(const File *file, int attribute, uint32 x, uint32 y)
{
	const SdcPairColumn *column = &file->column[attribute];

	return column->original[x] != SDC_CODE_NULL && column->original[x] == column->protected[y];
}

/* naive_pattern is the set of the first attributes that a pair agrees in. */
static uint64
naive_pattern(const File *file, int attributes, uint32 x, uint32 y)
{
	uint64		pattern = 0;

	for (int j = 0; j < attributes; j++)
		pattern |= (uint64) agrees(file, j, x, y) << j;
	return pattern;
}

/* ------------------------------------------------------------------------
 * Bounds
 * ------------------------------------------------------------------------
 */

/* check_original looks whether every record whose sum is least or more is found, in order. */
static void
check_original(const File *file, SdcPairBounds *bounds, const double *agree, const double *disagree, int attributes,
			   uint32 x)
{
	uint32		n = file->pairs.records;
	double	   *sum = sdc_alloc(n * sizeof(double));
	uint32	   *found = sdc_alloc(n * sizeof(uint32));

	for (uint32 y = 0; y < n; y++)
	{
		sum[y] = 0;
		for (int j = 0; j < attributes; j++)
			sum[y] += agrees(file, j, x, y) ? agree[j] : disagree[j];
	}
	sdc_pairbounds_prepare(bounds, x);
	CHECK(sdc_pairbounds_highest(bounds) < n);
	for (uint32 i = 0; i < 8; i++)
	{
		double		least = i == 0 ? -INFINITY : i == 1 ? INFINITY : sum[pick(n)];
		uint32		count = sdc_pairbounds_find(bounds, least, found);
		uint32		next = 0;

		CHECK(count <= n && (i != 0 || count == n) && (i != 1 || count == 0));
		for (uint32 k = 1; k < count; k++)
			CHECK(found[k] > found[k - 1]);
		for (uint32 y = 0; y < n; y++)
		{
			while (next < count && found[next] < y)
				next++;
			if (sum[y] >= least)
				CHECKF(next < count && found[next] == y, "original %u, record %u: %g >= %g", x, y, sum[y], least);
		}
	}
	sdc_free(found);
	sdc_free(sum);
}

/* check_bounds checks the bounds of a file, by weights of all kinds; it returns how many records a high sum leaves. */
static uint64
check_bounds(const File *file, int attributes, bool against)
{
	SdcPairBounds *bounds = sdc_pairbounds_create(file->agreement);
	double		agree[MAX_ATTRIBUTES];
	double		disagree[MAX_ATTRIBUTES];
	uint32		n = file->pairs.records;
	uint32	   *found = sdc_alloc((n + 1) * sizeof(uint32));
	double		highest = 0;
	uint64		left = 0;

	for (int j = 0; j < attributes; j++)
	{
		agree[j] = pick(1000) / 100.0 - 2;
		disagree[j] = pick(1000) / 100.0 - 8;
		if (!against && agree[j] < disagree[j])
			agree[j] = disagree[j] + 1;
		highest += fmax(agree[j], disagree[j]);
	}
	sdc_pairbounds_set(bounds, agree, disagree, attributes);
	for (uint32 x = 0; x < n; x++)
	{
		check_original(file, bounds, agree, disagree, attributes, x);
		left += sdc_pairbounds_find(bounds, highest, found);
	}
	sdc_free(found);
	sdc_pairbounds_destroy(bounds);
	return left;
}

/* bounds are never too low: of attributes with few codes and with more than a byte has, and in blocks not full. */
static void
bounds(void)
{
	static const uint32 records[] = {1, 2, 15, 16, 17, 63, 64, 65, 130};
	static const uint32 values[] = {1, 2, 9, 254, 255, 600};

	for (int round = 0; round < 54; round++)
	{
		int			attributes = 1 + (int) pick(MAX_ATTRIBUTES);
		File	   *file = make_file(records[round % 9], attributes, values[round % 6], pick(101), pick(20));

		(void) check_bounds(file, attributes, round % 2 == 0);
		(void) check_bounds(file, 1 + (int) pick((uint32) attributes), true);
		free_file(file);
	}
}

/* few_left looks whether bounds are of use: unlike records are not near the highest sum. */
static void
few_left(void)
{
	File	   *file = make_file(200, 64, 9, 100, 0);

	CHECK(check_bounds(file, 64, false) == 0);
	free_file(file);
}

/* equal_weights that do not depend on agreement leave all or nothing. */
static void
equal_weights(void)
{
	File	   *file = make_file(70, 3, 4, 30, 0);
	SdcPairBounds *bounds = sdc_pairbounds_create(file->agreement);
	const double weight[] = {1, -2, 0.5};
	uint32		found[70];

	sdc_pairbounds_set(bounds, weight, weight, 3);
	sdc_pairbounds_prepare(bounds, 5);
	CHECK(sdc_pairbounds_find(bounds, -0.5, found) == 70);
	CHECK(sdc_pairbounds_find(bounds, -0.49, found) == 0);
	sdc_pairbounds_destroy(bounds);
	free_file(file);
}

/* ------------------------------------------------------------------------
 * Lists
 * ------------------------------------------------------------------------
 */

/* check_list counts the pairs of every pattern of a list. */
static void
check_list(const File *file, const SdcPairList *list)
{
	uint32		n = file->pairs.records;
	uint64		all = 0;

	for (uint64 i = 0; i < list->patterns; i++)
	{
		uint32		count = 0;

		for (uint64 k = 0; k < i; k++)
			CHECK(list->pattern[k] != list->pattern[i]);
		for (uint32 x = 0; x < n; x++)
			for (uint32 y = 0; y < n; y++)
				count += naive_pattern(file, list->attributes, x, y) == list->pattern[i];
		CHECKF(count == list->count[i], "pattern %d: %u, not %u", (int) i, list->count[i], count);
		all += count;
	}
	CHECK(all == (uint64) n * n);
}

/* lists have all patterns, of all attributes and of the first ones. */
static void
lists(void)
{
	static const int attributes[] = {1, 7, 16, 17, 40, 64};

	for (int round = 0; round < 12; round++)
	{
		int			count = attributes[round % 6];
		File	   *file = make_file(1 + pick(14), count, 1 + pick(6), pick(101), pick(10));
		SdcAgreementRows rows = sdc_agreement_rows(file->agreement);
		SdcPairList list;

		sdc_pairlist_make(&list, &rows);
		CHECK(list.attributes == count);
		check_list(file, &list);
		for (int c = count; c > 0; c -= 1 + (int) pick(12))
		{
			sdc_pairlist_fold(&list, c);
			CHECK(list.attributes == c);
			check_list(file, &list);
		}
		sdc_pairlist_free(&list);
		free_file(file);
	}
}

/* ------------------------------------------------------------------------
 * EM
 * ------------------------------------------------------------------------
 */

/* clip keeps a probability within what EM allows. */
static double
clip(double p)
{
	return fmin(fmax(p, CLIP), 1 - CLIP);
}

/* naive_round is a round of EM by the definition, over all pairs, in logarithms; it returns the largest change. */
static double
naive_round(const File *file, SdcLinkModel *model)
{
	uint32		n = file->pairs.records;
	double		matched = 0;
	double		agree[MAX_ATTRIBUTES] = {0};
	double		agree_all[MAX_ATTRIBUTES] = {0};
	double		all = (double) n * n;
	double		change;

	for (uint32 x = 0; x < n; x++)
		for (uint32 y = 0; y < n; y++)
		{
			uint64		pattern = naive_pattern(file, model->attributes, x, y);
			double		ratio = log(model->prior) - log(1 - model->prior);
			double		g;

			for (int j = 0; j < model->attributes; j++)
				ratio += (pattern >> j) & 1 ? log(model->m[j]) - log(model->u[j]) :
					log(1 - model->m[j]) - log(1 - model->u[j]);
			g = 1 / (1 + exp(-ratio));
			matched += g;
			for (int j = 0; j < model->attributes; j++)
			{
				agree[j] += (pattern >> j) & 1 ? g : 0;
				agree_all[j] += (pattern >> j) & 1;
			}
		}
	change = fabs(matched / all - model->prior);
	model->prior = matched / all;
	for (int j = 0; j < model->attributes; j++)
	{
		double		m = clip(agree[j] / matched);
		double		u = clip((agree_all[j] - agree[j]) / (all - matched));

		change = fmax(change, fmax(fabs(m - model->m[j]), fabs(u - model->u[j])));
		model->m[j] = m;
		model->u[j] = u;
	}
	return change;
}

/* check_near compares two models. */
static void
check_near(const char *what, const SdcLinkModel *model, const SdcLinkModel *right, double most)
{
	CHECKF(model->attributes == right->attributes && model->rounds == right->rounds, "%s: %d rounds, not %d", what,
		   model->rounds, right->rounds);
	CHECKF(fabs(model->prior - right->prior) <= most, "%s: prior %.17g, not %.17g", what, model->prior, right->prior);
	for (int j = 0; j < right->attributes; j++)
	{
		CHECKF(fabs(model->m[j] - right->m[j]) <= most, "%s: m %.17g, not %.17g", what, model->m[j], right->m[j]);
		CHECKF(fabs(model->u[j] - right->u[j]) <= most, "%s: u %.17g, not %.17g", what, model->u[j], right->u[j]);
	}
}

/* check_models compares the models of some numbers of attributes with EM by the definition, with a list and without. */
static void
check_models(const File *file, int step)
{
	SdcPairModeler *listed = sdc_pairmodel_create(file->agreement, true, NULL);
	SdcPairModeler *paired = sdc_pairmodel_create(file->agreement, false, NULL);

	for (int c = file->pairs.attributes; c > 16; c -= step)
	{
		SdcLinkModel right = {.attributes = c, .prior = 1.0 / file->pairs.records};
		SdcLinkModel model;
		double		change;

		for (int j = 0; j < c; j++)
		{
			right.m[j] = 0.9;
			right.u[j] = 0.1;
		}
		do
		{
			change = naive_round(file, &right);
			right.rounds++;
		} while (change > 1e-10 && right.rounds < 2000);
		sdc_pairmodel_estimate(listed, c, &model);
		check_near("listed", &model, &right, 1e-9);
		CHECK(!model.listed);
		sdc_pairmodel_estimate(paired, c, &model);
		check_near("paired", &model, &right, 1e-9);
	}
	sdc_pairmodel_destroy(listed);
	sdc_pairmodel_destroy(paired);
}

/* models of records that can be told apart, and of some that hardly can. */
static void
models(void)
{
	static const uint32 moved[] = {10, 30, 60};

	for (int round = 0; round < 3; round++)
	{
		File	   *file = make_file(90, 17 + round * 20, 5, moved[round], round == 1 ? 5 : 0);

		check_models(file, 19);
		free_file(file);
	}
}

/* halves have two kinds of records, so that half of all pairs are alike: next to no pair can be left out. */
static void
halves(void)
{
	File	   *file = make_file(60, 40, 6, 0, 0);

	for (int j = 0; j < 40; j++)
		for (uint32 i = 0; i < 60; i++)
		{
			uint32	   *original = file->code + 2 * (Size) j * 60;

			original[i] = original[i + 60] = i % 2 * 3 + pick(3);
		}
	sdc_agreement_destroy(file->agreement);
	index_file(file);
	check_models(file, 12);
	free_file(file);
}

/*
 * strangers agree in a few of many attributes at most: to begin with every pair is so unlikely that all of them are
 * left out, and the round is made again.
 */
static void
strangers(void)
{
	File	   *file = make_file(50, 60, 6, 100, 0);

	for (int j = 4; j < 60; j++)
		for (uint32 i = 0; i < 50; i++)
		{
			uint32	   *original = file->code + 2 * (Size) j * 50;

			original[i] = pick(3);
			original[i + 50] = 3 + pick(3);
		}
	sdc_agreement_destroy(file->agreement);
	index_file(file);
	check_models(file, 21);
	free_file(file);
}

/* nothing_agrees: there is nothing to learn from. */
static void
nothing_agrees(void)
{
	File	   *file = make_file(40, 30, 1, 0, 100);
	SdcPairModeler *paired = sdc_pairmodel_create(file->agreement, false, NULL);
	SdcPairModeler *listed = sdc_pairmodel_create(file->agreement, true, NULL);
	SdcLinkModel one;
	SdcLinkModel other;

	sdc_pairmodel_estimate(paired, 30, &one);
	sdc_pairmodel_estimate(listed, 30, &other);
	check_near("nothing", &one, &other, 1e-12);
	CHECK(one.u[29] == CLIP && one.prior > 0);
	sdc_pairmodel_destroy(paired);
	sdc_pairmodel_destroy(listed);
	free_file(file);
}

/* ------------------------------------------------------------------------
 * Teams
 * ------------------------------------------------------------------------
 */

/* A member of a team of threads: the kernel keeps no state. */
typedef struct Member
{
	SdcTeam		team;			/* first: what the barrier gets */
	pthread_barrier_t *barrier;
	const File *file;
	SdcLinkModel all;
	SdcLinkModel prefix[MAX_ATTRIBUTES];
} Member;

/* meet waits for all members. */
static void
meet(SdcTeam *team)
{
	pthread_barrier_wait(((Member *) team)->barrier);
}

/* estimate estimates all models, with an agreement of its own as processes have; team: NULL for one alone. */
static void
estimate(const File *file, SdcTeam *team, SdcLinkModel *all, SdcLinkModel *prefix)
{
	int			known[MAX_ATTRIBUTES];
	int			attributes = file->pairs.attributes;
	SdcAgreement *agreement;
	SdcPairModeler *modeler;

	for (int j = 0; j < attributes; j++)
		known[j] = j;
	agreement = sdc_agreement_create(&file->pairs, known, attributes);
	CHECK(sdc_linkmodel_prefixes(agreement, team, UINT64_MAX, prefix));
	modeler = sdc_pairmodel_create(agreement, false, team);
	sdc_pairmodel_estimate(modeler, attributes, all);
	sdc_pairmodel_destroy(modeler);
	sdc_agreement_destroy(agreement);
}

/* run_member is what a thread does. */
static void *
run_member(void *arg)
{
	Member	   *member = arg;

	estimate(member->file, &member->team, &member->all, member->prefix);
	return NULL;
}

/* check_team compares what members find with what one process finds: the same to the bit. */
static void
check_team(const File *file, uint64 bytes)
{
	static Member member[MEMBERS];
	static SdcLinkModel all;
	static SdcLinkModel prefix[MAX_ATTRIBUTES];
	pthread_t	thread[MEMBERS];
	pthread_barrier_t barrier;
	char	   *memory = sdc_alloc(bytes);

	estimate(file, NULL, &all, prefix);
	pthread_barrier_init(&barrier, NULL, MEMBERS);
	for (int i = 0; i < MEMBERS; i++)
	{
		member[i] = (Member) {.team = {.members = MEMBERS, .member = i, .memory = memory, .bytes = bytes,
			.barrier = meet},
		.barrier = &barrier, .file = file};
		pthread_create(&thread[i], NULL, run_member, &member[i]);
	}
	for (int i = 0; i < MEMBERS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < MEMBERS; i++)
	{
		CHECK(member[i].team.used == 0);
		check_near("team", &member[i].all, &all, 0);
		for (int c = 0; c < file->pairs.attributes; c++)
		{
			check_near("team's prefix", &member[i].prefix[c], &prefix[c], 0);
			CHECK(member[i].prefix[c].listed == prefix[c].listed);
		}
	}
	pthread_barrier_destroy(&barrier);
	sdc_free(memory);
}

/* teams with much memory and with next to none; of many records, so that there are parts. */
static void
teams(void)
{
	File	   *small = make_file(60, 24, 5, 20, 0);
	File	   *large = make_file(1100, 20, 12, 10, 0);

	check_team(small, 1 << 20);
	check_team(small, 16384);
	check_team(large, 1 << 20);
	free_file(small);
	free_file(large);
}

int
main(void)
{
	RUN(bounds);
	RUN(few_left);
	RUN(equal_weights);
	RUN(lists);
	RUN(models);
	RUN(halves);
	RUN(strangers);
	RUN(nothing_agrees);
	RUN(teams);
	return tap_done();
}

/*-------------------------------------------------------------------------
 *
 * test_randomizememory.c
 *		Random anonymization with a memory: random histories of hundreds of nights.
 *
 * After every night the release is that of a twin that knows keys only: for each key which
 * attributes were drawn, and for each of them one original and its replacement.  What must hold of any
 * night is looked at by itself: nobody's attributes change, a replacement stays as long as its
 * original, whatever was not drawn is true, a new replacement is a value of tonight's.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/groups/randomizememory.h"

#define KEYS 120
#define ATTRIBUTES 9

#include "random.h"
#include "randomizetwin.h"
#include "tap.h"

#define NIGHTS 300

static char where[100];
static const double probability[ATTRIBUTES] = {.3, .05, 0, .1, .1, .2, .05, .1, .1};

/* What the kernel's caller keeps: records in the order of keys. */
typedef struct Release
{
	uint32		records;
	int			key[KEYS];
	SdcChoice  *choice;
	int32		x[KEYS][ATTRIBUTES];
	int32		y[KEYS][ATTRIBUTES];
	uint32		drawn;
} Release;

/* draw_choice draws the attributes of so many newcomers as the method does. */
static SdcChoice *
draw_choice(const History *h, uint32 records, uint64 publication)
{
	again("", "choice", 0, publication);
	return h->subset > 0 ? sdc_choice_subset(stream, records, ATTRIBUTES, h->subset) :
		sdc_choice_single(stream, records, h->probability, ATTRIBUTES);
}

/* draw_attribute draws the donors of an attribute, and releases it. */
static void
draw_attribute(Release *r, const Release *before, const History *h, const Source *s, int j,
			   const uint32 *number, uint64 publication)
{
	uint32		donor[KEYS];
	bool		keeps[KEYS];

	for (uint32 i = 0; i < r->records; i++)
	{
		keeps[i] = number[i] != SDC_RANDOMIZE_NEW && before->x[number[i]][j] == r->x[i][j];
		donor[i] = i;
	}
	for (uint32 g = 0; g < h->strata; g++)
	{
		uint32		member[KEYS];
		uint32		count = 0;

		for (uint32 i = 0; i < r->records; i++)
		{
			if (s->stratum[r->key[i]] == g && r->x[i][j] != MISSING)
				member[count++] = i;
		}
		again(name[j], "donors", g, publication);
		r->drawn += sdc_randomize_continue(stream, r->choice, j,
										count == r->records ? NULL : member, count, keeps, donor);
	}
	for (uint32 i = 0; i < r->records; i++)
		r->y[i][j] = keeps[i] && sdc_choice_has(r->choice, i, j) ? before->y[number[i]][j] :
			r->x[donor[i]][j];
}

/* run_night is a night by the kernel. */
static void
run_night(const Release *before, const History *h, const Source *s, uint64 publication, Release *r)
{
	uint32		number[KEYS];
	uint32		newcomers = 0;
	SdcChoice  *choice;

	memset(r, 0, sizeof(*r));
	for (int k = 0; k < KEYS; k++)
	{
		uint32		m = 0;

		if (!s->present[k])
			continue;
		while (m < before->records && before->key[m] != k)
			m++;
		number[r->records] = m < before->records ? m : SDC_RANDOMIZE_NEW;
		newcomers += m == before->records;
		memcpy(r->x[r->records], s->value[k], sizeof(r->x[0]));
		r->key[r->records++] = k;
	}
	choice = newcomers > 0 ? draw_choice(h, newcomers, publication) : NULL;
	r->choice = sdc_choice_continue(before->choice, choice, number, r->records, ATTRIBUTES);
	sdc_choice_destroy(choice);
	for (int j = 0; j < ATTRIBUTES; j++)
		draw_attribute(r, before, h, s, j, number, publication);
}

/* check_twin compares a release with the twin's. */
static void
check_twin(const Release *r, const Twin *t)
{
	uint32		members = 0;

	for (int k = 0; k < KEYS; k++)
		members += t->member[k];
	CHECKF(members == r->records, "%s", where);
	for (uint32 i = 0; i < r->records; i++)
	{
		CHECKF(t->member[r->key[i]], "%s", where);
		CHECKF(memcmp(r->y[i], t->released[r->key[i]], sizeof(r->y[i])) == 0, "%s", where);
		for (int j = 0; j < ATTRIBUTES; j++)
			CHECKF(sdc_choice_has(r->choice, i, j) == t->drawn[r->key[i]][j], "%s", where);
	}
}

/* is_value_of tells whether somebody in a stratum has a value tonight. */
static bool
is_value_of(const Release *r, const Source *s, uint32 stratum, int j, int32 value)
{
	bool		found = false;

	for (uint32 i = 0; i < r->records; i++)
		found |= s->stratum[r->key[i]] == stratum && r->x[i][j] == value;
	return found;
}

/* check_record looks at what must hold of a record, of which m is the one of the night before. */
static void
check_record(const Release *r, uint32 i, const Release *before, uint32 m, const Source *s)
{
	bool		stays = m < before->records;

	if (stays)
		CHECKF(memcmp(r->choice->bits + i * r->choice->width,
					  before->choice->bits + m * before->choice->width, r->choice->width) == 0,
			   "other attributes: %s", where);
	for (int j = 0; j < ATTRIBUTES; j++)
	{
		if (!sdc_choice_has(r->choice, i, j))
			CHECKF(r->y[i][j] == r->x[i][j], "a value that was not drawn: %s", where);
		else if (stays && before->x[m][j] == r->x[i][j])
			CHECKF(r->y[i][j] == before->y[m][j], "another replacement: %s", where);
		else
			CHECKF(is_value_of(r, s, s->stratum[r->key[i]], j, r->y[i][j]), "a value of no one: %s", where);
		CHECKF((r->y[i][j] == MISSING) == (r->x[i][j] == MISSING), "a missing value: %s", where);
	}
}

/* new_values gives a key values. */
static void
new_values(const History *h, Source *s, int k)
{
	for (int j = 0; j < ATTRIBUTES; j++)
		s->value[k][j] = h->missing > 0 && pick(h->missing) == 0 ? MISSING : (int32) pick(j < 4 ? 6 : 1000);
}

/* next_source has keys come, go, come back, and change. */
static void
next_source(const History *h, Source *s)
{
	for (int k = 0; k < KEYS; k++)
	{
		if (!s->present[k])
		{
			s->present[k] = pick(1000) < h->churn;
			s->stratum[k] = pick(h->strata);
			if (pick(2) == 0)
				new_values(h, s, k);
			continue;
		}
		s->present[k] = pick(1000) >= h->churn;
		if (pick(1000) < h->churn)
			s->value[k][pick(ATTRIBUTES)] = h->missing > 0 && pick(h->missing) == 0 ? MISSING : (int32) pick(6);
		if (pick(4000) < h->churn)
			s->stratum[k] = pick(h->strata);
	}
}

/* check_night looks at a release and the one before it. */
static void
check_night(const Release *r, const Release *before, const Source *s)
{
	for (uint32 i = 0; i < r->records; i++)
	{
		uint32		m = 0;

		while (m < before->records && before->key[m] != r->key[i])
			m++;
		check_record(r, i, before, m, s);
	}
}

/* check_again: the same source once more is the same release, for which nothing is drawn. */
static void
check_again(const Release *r, const History *h, const Source *s)
{
	Release		same;

	run_night(r, h, s, 12345, &same);
	CHECKF(same.drawn == 0 && same.records == r->records && memcmp(same.y, r->y, sizeof(r->y)) == 0 &&
		   memcmp(same.choice->bits, r->choice->bits, r->records * r->choice->width) == 0, "%s", where);
	sdc_choice_destroy(same.choice);
}

/* run_history runs the nights of one history. */
static void
run_history(const History *h, uint64 seed)
{
	static Twin twin;
	static Release before;
	static Release now;
	Source		source = {0};
	long		drawn = 0;

	memset(&twin, 0, sizeof(twin));
	memset(&before, 0, sizeof(before));
	random_state = seed;
	for (int k = 0; k < KEYS; k++)
	{
		source.present[k] = pick(3) > 0;
		source.stratum[k] = pick(h->strata);
		new_values(h, &source, k);
	}
	for (int n = 1; n <= NIGHTS; n++)
	{
		snprintf(where, sizeof(where), "seed %u, night %d", (unsigned) seed, n);
		if (n > 1)
			next_source(h, &source);
		run_night(&before, h, &source, (uint64) n, &now);
		twin_night(&twin, h, &source, (uint64) n);
		check_twin(&now, &twin);
		check_night(&now, &before, &source);
		check_again(&now, h, &source);
		drawn += n > 1 ? now.drawn : 0;
		sdc_choice_destroy(before.choice);
		before = now;
	}
	CHECKF(drawn > 200, "%ld were drawn", drawn);
	sdc_choice_destroy(before.choice);
}

/* single_histories: RA 1. */
static void
single_histories(void)
{
	run_history(&(History) {0, 1, 20, 0, probability}, 1);
	run_history(&(History) {0, 3, 60, 6, probability}, 2);
}

/* subset_histories: RA 2, few attributes and many. */
static void
subset_histories(void)
{
	run_history(&(History) {2, 1, 20, 8, probability}, 3);
	run_history(&(History) {7, STRATA, 40, 0, probability}, 4);
	run_history(&(History) {9, 1, 200, 5, probability}, 5);
}

/* first_is_method: the first night draws what the method draws, also of members by number. */
static void
first_is_method(void)
{
	enum
	{
		RECORDS = 3000
	};
	static uint32 member[RECORDS];
	static uint32 number[RECORDS];
	static bool keeps[RECORDS];
	static uint32 donor[2][RECORDS];
	SdcChoice  *plain;
	SdcChoice  *choice;

	again("", "choice", 0, 1);
	plain = sdc_choice_subset(stream, RECORDS, ATTRIBUTES, 4);
	for (uint32 r = 0; r < RECORDS; r++)
	{
		member[r] = r;
		number[r] = SDC_RANDOMIZE_NEW;
	}
	choice = sdc_choice_continue(NULL, plain, number, RECORDS, ATTRIBUTES);
	CHECK(memcmp(choice->bits, plain->bits, RECORDS * plain->width) == 0);
	for (int pass = 0; pass < 2; pass++)
	{
		uint32		drawn = 0;

		again("e", "donors", 0, 1);
		sdc_randomize_donors(stream, plain, 4, pass ? member : NULL, RECORDS, donor[0]);
		again("e", "donors", 0, 1);
		drawn = sdc_randomize_continue(stream, choice, 4, pass ? member : NULL, RECORDS, keeps, donor[1]);
		CHECK(memcmp(donor[0], donor[1], sizeof(donor[0])) == 0);
		for (uint32 r = 0; r < RECORDS; r++)
			drawn -= sdc_choice_has(plain, r, 4);
		CHECK(drawn == 0);
	}
	sdc_choice_destroy(choice);
	sdc_choice_destroy(plain);
}

/* nobody: no records, and no members. */
static void
nobody(void)
{
	SdcChoice  *choice = sdc_choice_continue(NULL, NULL, NULL, 0, 3);
	uint32		donor = 77;

	CHECK(choice->records == 0 && choice->attributes == 3);
	CHECK(sdc_randomize_continue(stream, choice, 2, NULL, 0, NULL, &donor) == 0 && donor == 77);
	sdc_choice_destroy(choice);
}

/*
 * numbers_separate: the same draws under another number are other draws, so that who was drawn in
 * a night cannot be told from another night.
 */
static void
numbers_separate(void)
{
	static bool keeps[500];
	uint32		donor[2][500];
	uint32		same = 0;
	SdcChoice  *choice = sdc_choice_subset(stream, 500, 1, 1);

	for (int n = 0; n < 2; n++)
	{
		again("a", "donors", 0, (uint64) n + 2);
		CHECK(sdc_randomize_continue(stream, choice, 0, NULL, 500, keeps, donor[n]) == 500);
	}
	for (int i = 0; i < 500; i++)
		same += donor[0][i] == donor[1][i];
	CHECKF(same < 10, "%u donors are the same", same);
	sdc_choice_destroy(choice);
}

int
main(void)
{
	CHECK(sdc_stream_create(&stream) == SDC_OK);
	CHECK(sdc_stream_master_from_seed("memory", 6, master) == SDC_OK);
	RUN(single_histories);
	RUN(subset_histories);
	RUN(first_is_method);
	RUN(nobody);
	RUN(numbers_separate);
	sdc_stream_destroy(stream);
	return tap_done();
}

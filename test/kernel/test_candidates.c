/*-------------------------------------------------------------------------
 *
 * test_candidates.c
 *		Candidates of all kinds of columns, and of any mixture, against a comparison of all pairs.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/candidates/likelihood.h"

#include "candidatetwin.h"
#include "tap.h"

/* compare_link compares a link with the twin's. */
static void
compare_link(const SdcCandidatesLink *found, const SdcCandidatesLink *twin, const char *what,
			 uint64 seed, uint32 i)
{
	CHECKF(found->link.candidates == twin->link.candidates && found->inside == twin->inside &&
		   found->link.ties == twin->link.ties && found->link.linked == twin->link.linked &&
		   found->link.correct == twin->link.correct &&
		   fabs(found->link.distance - twin->link.distance) <=
		   1e-9 * (1 + twin->link.distance),
		   "%s, seed %llu, record %u: %u candidates (%u), inside %d (%d), %u ties (%u), linked %u (%u), "
		   "correct %d (%d), distance %g (%g)", what, (unsigned long long) seed, i,
		   found->link.candidates, twin->link.candidates, found->inside, twin->inside,
		   found->link.ties, twin->link.ties, found->link.linked, twin->link.linked,
		   found->link.correct, twin->link.correct, found->link.distance, twin->link.distance);
}

/* compare_attack compares an attack on some of the records, all or every third. */
static void
compare_attack(const File *file, SdcCandidatesAttack attack, uint64 seed, uint32 step)
{
	static const char *const name[] = {"nearest", "distance", "wide"};
	uint32		records = file->task.records;
	uint32		count = 0;
	uint32	   *record = words(records);
	SdcCandidatesLink *link = sdc_alloc((records + 1) * sizeof(SdcCandidatesLink));
	double	   *work = sdc_alloc(2 * (Size) (records + 1) * sizeof(double));
	double		scale[MAX_COLUMNS];

	for (uint32 i = 0; i < records; i += step)
		record[count++] = i;
	twin_scales(file, scale);
	sdc_candidates_run(&file->task, attack, step == 1 ? NULL : record, count, link);
	for (uint32 i = 0; i < count; i++)
	{
		SdcCandidatesLink twin = twin_link(file, attack, scale, record[i], work);

		compare_link(&link[i], &twin, name[attack], seed, record[i]);
		CHECK(!file->sound || link[i].inside);
	}
	sdc_free(work);
	sdc_free(link);
	sdc_free(record);
}

/* try_shape compares all attacks on one file. */
static void
try_shape(const Shape *shape, uint64 seed, uint32 step)
{
	File		file;

	random_state = seed;
	make_file(&file, shape);
	compare_attack(&file, SDC_CANDIDATES_NEAREST, seed, step);
	compare_attack(&file, SDC_CANDIDATES_DISTANCE, seed, step);
	compare_attack(&file, SDC_CANDIDATES_WIDE, seed, step);
	free_file(&file);
}

/* draw_shape draws a small shape. */
static Shape
draw_shape(uint64 seed)
{
	Shape		shape = {0};

	random_state = seed * 1000003;
	shape.records = 1 + pick(pick(3) == 0 ? 4 : 40);
	shape.columns = 1 + (int) pick(6);
	shape.codes = 1 + pick(pick(2) == 0 ? 3 : 12);
	shape.missing = pick(2) == 0 ? 0 : 2 + pick(8);
	shape.strata = pick(3) == 0 ? 3 : 1;
	shape.groups = 1 + pick(6);
	shape.bins = 1 + pick(6);
	shape.width = pick(8);
	shape.wild = pick(4) == 0;
	shape.wide = pick(3) == 0;
	shape.lost = pick(4) == 0;
	return shape;
}

/* Each kind alone. */
static void
test_kinds(void)
{
	for (uint64 seed = 1; seed <= ROUNDS(1400); seed++)
	{
		Shape		shape = draw_shape(seed);

		shape.kinds = UINT32_C(1) << seed % SDC_CANDIDATES_KINDS;
		try_shape(&shape, seed, 1);
	}
}

/* All kinds together. */
static void
test_mixtures(void)
{
	for (uint64 seed = 1; seed <= ROUNDS(3000); seed++)
	{
		Shape		shape = draw_shape(seed + 7777);

		try_shape(&shape, seed, seed % 5 == 0 ? 3 : 1);
	}
}

/* Blanks in each kind alone, and in all together: few, many, and nothing but blanks. */
static void
test_blanks(void)
{
	static const uint32 blank[] = {1, 2, 3, 5, 12};

	for (uint64 seed = 1; seed <= ROUNDS(4000); seed++)
	{
		Shape		shape = draw_shape(seed + 4444);

		shape.blank = blank[seed % 5];
		if (seed % 2 == 0)
			shape.kinds = UINT32_C(1) << seed / 2 % SDC_CANDIDATES_KINDS;
		try_shape(&shape, seed, seed % 5 == 0 ? 3 : 1);
	}
}

/* large_shape is a shape with buckets and cells that are searched by trees and bitmaps. */
static Shape
large_shape(uint64 seed)
{
	Shape		shape = draw_shape(seed);

	shape.records = 150 + pick(150);
	shape.codes = 1 + pick(pick(2) == 0 ? 8 : 300);
	shape.groups = pick(2) == 0 ? 1 + pick(3) : 200;
	shape.bins = pick(2) == 0 ? 1 + pick(3) : 150;
	shape.width = pick(80);
	shape.columns = 1 + (int) pick(5);
	return shape;
}

/* Buckets that are too large to be looked at record by record. */
static void
test_large(void)
{
	/* windows, unknown; randomized; groups; joint; and with windows each */
	static const uint32 kinds[] = {
		1 << SDC_CANDIDATES_WINDOW,
		1 << SDC_CANDIDATES_UNKNOWN,
		1 << SDC_CANDIDATES_WINDOW | 1 << SDC_CANDIDATES_UNKNOWN,
		1 << SDC_CANDIDATES_RANDOMIZED,
		1 << SDC_CANDIDATES_RANGE,
		1 << SDC_CANDIDATES_SET,
		1 << SDC_CANDIDATES_JOINT,
		1 << SDC_CANDIDATES_RANDOMIZED | 1 << SDC_CANDIDATES_WINDOW,
		1 << SDC_CANDIDATES_RANGE | 1 << SDC_CANDIDATES_SET | 1 << SDC_CANDIDATES_WINDOW,
		1 << SDC_CANDIDATES_JOINT | 1 << SDC_CANDIDATES_WINDOW,
		1 << SDC_CANDIDATES_RANDOMIZED | 1 << SDC_CANDIDATES_RANGE,
		1 << SDC_CANDIDATES_EXACT | 1 << SDC_CANDIDATES_WINDOW,
		0
	};

	for (uint64 seed = 1; seed <= ROUNDS(52); seed++)
	{
		Shape		shape = large_shape(seed + 99999);

		shape.kinds = kinds[seed % (sizeof(kinds) / sizeof(kinds[0]))];
		try_shape(&shape, seed, 7);
		shape.blank = seed % 3 == 0 ? 20 : 3;
		try_shape(&shape, seed, 7);
	}
}

/* Large buckets of columns that have a law each, alone and with others. */
static void
test_laws(void)
{
	static const uint32 others[] = {
		0,
		1 << SDC_CANDIDATES_WINDOW,
		1 << SDC_CANDIDATES_UNKNOWN | 1 << SDC_CANDIDATES_WINDOW,
		1 << SDC_CANDIDATES_RANGE | 1 << SDC_CANDIDATES_SET,
		1 << SDC_CANDIDATES_JOINT,
		1 << SDC_CANDIDATES_EXACT
	};

	for (uint64 seed = 1; seed <= ROUNDS(120); seed++)
	{
		Shape		shape = large_shape(seed + 5555);

		shape.laws = true;
		shape.codes = seed % 2 == 0 ? 300 : shape.codes;
		shape.kinds = 1 << SDC_CANDIDATES_RANDOMIZED | others[seed % (sizeof(others) / sizeof(others[0]))];
		try_shape(&shape, seed, 7);
		shape.blank = seed % 3 == 0 ? 20 : 0;
		try_shape(&shape, seed, 7);
	}
}

/* More columns than a tree can have, and than fit into a set. */
static void
test_many_columns(void)
{
	for (uint64 seed = 1; seed <= 6; seed++)
	{
		Shape		shape = {.records = 100, .columns = 70, .codes = 3, .missing = 40, .strata = 1,
		.groups = 2, .bins = 2, .width = 60};

		shape.kinds = seed % 2 == 0 ? 1 << SDC_CANDIDATES_WINDOW : 1 << SDC_CANDIDATES_UNKNOWN;
		try_shape(&shape, seed, 5);
	}
}

/* More randomized columns than sets of columns are gone through for. */
static void
test_many_randomized(void)
{
	int			tried = 0;

	for (uint64 seed = 1; tried < 6; seed++)
	{
		Shape		shape = {.records = 90, .columns = 13, .codes = 4, .strata = 1, .groups = 1,
		.bins = 1, .kinds = 1 << SDC_CANDIDATES_RANDOMIZED};
		File		file;

		random_state = seed;
		make_file(&file, &shape);
		if (file.task.draws == 1 && file.draw[0].k > 1)
		{
			compare_attack(&file, SDC_CANDIDATES_NEAREST, seed, 9);
			tried++;
		}
		free_file(&file);
	}
}

/* exact_file makes a file of copied columns. */
static void
exact_file(File *file, uint32 records, int columns, uint32 codes)
{
	Shape		shape = {.records = records, .columns = columns, .codes = codes, .strata = 1,
	.groups = 1, .bins = 1, .kinds = 1 << SDC_CANDIDATES_EXACT};

	make_file(file, &shape);
}

/* Identity release: everybody is found but for copies, whatever the columns are said to be. */
static void
test_identity(void)
{
	for (uint64 seed = 1; seed <= ROUNDS(50); seed++)
	{
		Shape		shape = draw_shape(seed);
		SdcCandidatesLink *link;
		File		file;

		shape.kinds = 1 << SDC_CANDIDATES_EXACT | 1 << SDC_CANDIDATES_WINDOW;
		shape.wide = false;
		shape.wild = false;
		shape.missing = 0;
		shape.lost = false;
		make_file(&file, &shape);
		for (int a = 0; a < shape.columns; a++)
		{
			memcpy(file.protected[a], file.original[a], shape.records * sizeof(uint32));
			if (file.column[a].kind != SDC_CANDIDATES_WINDOW)
				continue;
			file.column[a].value = file.value[a];
			sdc_candidates_windows(&file.task, &file.column[a], file.width[a], file.window[a]);
		}
		link = sdc_alloc(shape.records * sizeof(SdcCandidatesLink));
		sdc_candidates_run(&file.task, SDC_CANDIDATES_NEAREST, NULL, shape.records, link);
		for (uint32 i = 0; i < shape.records; i++)
		{
			uint32		copies = 0;

			for (uint32 l = 0; l < shape.records; l++)
			{
				bool		same = true;

				for (int a = 0; a < shape.columns; a++)
				{
					bool		window = file.column[a].kind == SDC_CANDIDATES_WINDOW;

					same = same && file.original[a][i] == file.original[a][l] &&
						(!window || file.stratum == NULL || file.stratum[i] == file.stratum[l]);
				}
				copies += same;
			}
			CHECKF(sdc_link_share(&link[i].link) == 1.0 / copies, "seed %d, record %u: %g, %u copies",
				   (int) seed, i, sdc_link_share(&link[i].link), copies);
		}
		sdc_free(link);
		free_file(&file);
	}
}

/* With windows of all positions only the copied columns count. */
static void
test_permutation(void)
{
	Shape		shape = {.records = 300, .columns = 4, .codes = 300, .strata = 1, .groups = 1,
	.bins = 1, .kinds = 1 << SDC_CANDIDATES_WINDOW, .wide = true};
	SdcCandidatesLink link[300];
	uint32		all = 300;
	File		file;
	double		sum = 0;

	random_state = 5;
	make_file(&file, &shape);
	for (int a = 0; a < 4; a++)
		sdc_candidates_windows(&file.task, &file.column[a], &all, file.window[a]);
	sdc_candidates_run(&file.task, SDC_CANDIDATES_NEAREST, NULL, 300, link);
	for (uint32 i = 0; i < 300; i++)
	{
		CHECK(link[i].inside && link[i].link.candidates == 300);
		sum += sdc_candidates_share(&link[i]);
	}
	CHECKF(fabs(sum - 1) < 1e-9, "%g", sum);
	/* one column is copied and has an own value for everybody */
	file.column[0].kind = SDC_CANDIDATES_EXACT;
	for (uint32 i = 0; i < 300; i++)
		file.original[0][i] = file.protected[0][i] = i;
	sdc_candidates_run(&file.task, SDC_CANDIDATES_NEAREST, NULL, 300, link);
	for (uint32 i = 0; i < 300; i++)
		CHECK(sdc_candidates_single(&link[i]) && sdc_candidates_certain(&link[i]));
	free_file(&file);
}

/* One record is found for certain; none asks for nothing. */
static void
test_few(void)
{
	for (uint64 seed = 1; seed <= ROUNDS(200); seed++)
	{
		Shape		shape = draw_shape(seed);
		SdcCandidatesLink link;
		File		file;

		shape.records = 1;
		shape.wild = false;
		random_state = seed;
		make_file(&file, &shape);
		sdc_candidates_run(&file.task, SDC_CANDIDATES_NEAREST, NULL, 1, &link);
		CHECKF(sdc_candidates_certain(&link) && link.link.correct && link.link.ties == 1 &&
			   link.link.linked == 0, "seed %d", (int) seed);
		sdc_candidates_run(&file.task, SDC_CANDIDATES_NEAREST, NULL, 0, NULL);
		free_file(&file);
	}
}

/* A constant column changes nothing. */
static void
test_constant(void)
{
	for (uint64 seed = 1; seed <= ROUNDS(100); seed++)
	{
		Shape		shape = draw_shape(seed);
		SdcCandidatesLink *link[2];
		File		file;

		shape.kinds = 1 << SDC_CANDIDATES_EXACT | 1 << SDC_CANDIDATES_WINDOW;
		random_state = seed;
		make_file(&file, &shape);
		for (int k = 0; k < 2; k++)
		{
			link[k] = sdc_alloc(shape.records * sizeof(SdcCandidatesLink));
			memset(link[k], 0, shape.records * sizeof(SdcCandidatesLink));
			if (k == 1)
			{
				for (uint32 i = 0; i < shape.records; i++)
					file.original[0][i] = file.protected[0][i] = 0;
				if (file.window[0] != NULL)
					sdc_candidates_windows(&file.task, &file.column[0], file.width[0],
										   file.window[0]);
				sdc_candidates_run(&file.task, SDC_CANDIDATES_NEAREST, NULL, shape.records,
								   link[1]);
			}
		}
		/* the same without the column, which may leave none: then there is nothing to compare */
		if (shape.columns > 1 && (file.stratum == NULL ||
								  file.column[0].kind != SDC_CANDIDATES_WINDOW))
		{
			file.task.column++;
			file.task.count--;
			sdc_candidates_run(&file.task, SDC_CANDIDATES_NEAREST, NULL, shape.records, link[0]);
			file.task.column--;
			file.task.count++;
			for (uint32 i = 0; i < shape.records; i++)
				compare_link(&link[1][i], &link[0][i], "constant", seed, i);
		}
		sdc_free(link[1]);
		sdc_free(link[0]);
		free_file(&file);
	}
}

/*
 * Ties of distances: 1e-9 of the square.  Two records are nearly as near as the nearest one, by
 * 4e-10 and by 3e-9.
 */
static void
test_distance_ties(void)
{
	static const uint32 original[] = {1, 0, 4, 4};
	static const uint32 protected[] = {0, 2, 3, 4};
	static const double value[] = {0, 1, 2 + 2e-10, 2 + 1.5e-9, 100};
	SdcCandidatesColumn column = {.kind = SDC_CANDIDATES_UNKNOWN, .original = original,
	.protected = protected, .codes = 5, .value = value};
	SdcCandidatesTask task = {.records = 4, .count = 1, .column = &column};
	SdcCandidatesLink link[4];

	sdc_candidates_run(&task, SDC_CANDIDATES_NEAREST, NULL, 4, link);
	CHECKF(link[0].link.ties == 2 && link[0].link.linked == 0 && link[0].link.correct, "%u",
		   link[0].link.ties);
	CHECK(link[0].link.candidates == 4 && link[0].inside);
	/* the own one is the one that is too far, and then the one that is tied */
	column.protected = (const uint32[]) {3, 2, 0, 4};
	sdc_candidates_run(&task, SDC_CANDIDATES_NEAREST, NULL, 4, link);
	CHECK(link[0].inside && !link[0].link.correct && link[0].link.ties == 2);
	column.protected = (const uint32[]) {2, 3, 0, 4};
	sdc_candidates_run(&task, SDC_CANDIDATES_NEAREST, NULL, 4, link);
	CHECK(link[0].inside && link[0].link.correct && link[0].link.ties == 2);
}

/* Ties of likelihoods: 1e-9, relatively. */
static void
test_likelihood_ties(void)
{
	static const uint32 original[] = {0, 1, 2, 3};
	static const uint32 protected[] = {1, 2, 3, 3};
	static const double share[] = {.1, .3, .3 * (1 - 4e-10), .3 * (1 - 3e-9)};
	SdcCandidatesColumn column = {.kind = SDC_CANDIDATES_RANDOMIZED, .original = original,
	.protected = protected, .codes = 4, .share = share, .probability = .5};
	SdcCandidatesDraw draw = {.columns = 2};
	SdcCandidatesTask task = {.records = 4, .count = 1, .column = &column, .draws = 1,
	.draw = &draw};
	SdcCandidatesLink link[4];

	sdc_candidates_run(&task, SDC_CANDIDATES_NEAREST, NULL, 4, link);
	CHECKF(link[0].link.ties == 2 && link[0].link.linked == 0 && link[0].link.correct, "%u",
		   link[0].link.ties);
	CHECK(link[0].link.candidates == 4);
	/* the own one is the one that is too unlikely */
	column.protected = (const uint32[]) {3, 2, 1, 3};
	sdc_candidates_run(&task, SDC_CANDIDATES_NEAREST, NULL, 4, link);
	CHECK(link[0].inside && !link[0].link.correct && link[0].link.ties == 2);
}

/*
 * What is worth more may be less likely, by more than a tie: RA 1 with .5 and .5, where nothing
 * differs .5 (.1 + .2 (1 + e)), where column 1 does .5 .3.
 */
static void
test_likelihood_order(void)
{
	static const uint32 original[2][2] = {{0, 0}, {0, 0}};
	static const uint32 protected[2][2] = {{1, 0}, {0, 0}};

	for (int tied = 0; tied < 2; tied++)
	{
		const double share[2][2] = {{.1, .3}, {.2 * (1 + (tied ? 3e-10 : 9e-9)), .8}};
		SdcCandidatesColumn column[2];
		SdcCandidatesDraw draw = {.columns = 2};
		SdcCandidatesTask task = {.records = 2, .count = 2, .column = column, .draws = 1,
		.draw = &draw};
		SdcCandidatesLink link[2];

		for (int a = 0; a < 2; a++)
			column[a] = (SdcCandidatesColumn) {.kind = SDC_CANDIDATES_RANDOMIZED,
			.original = original[a], .protected = protected[a], .codes = 2, .share = share[a],
			.probability = .5};
		sdc_candidates_run(&task, SDC_CANDIDATES_NEAREST, NULL, 2, link);
		CHECKF(link[0].link.ties == (tied ? 2 : 1) && link[0].link.linked == (tied ? 0 : 1) &&
			   link[0].link.correct == (tied == 1), "%u ties, linked %u", link[0].link.ties,
			   link[0].link.linked);
	}
}

/* A set of columns that differ, and what is found about it. */
typedef struct Bounded
{
	uint64		differs;
	double		greatest;
	int			found;
} Bounded;

/* note_set notes the bound of the set that is looked for. */
static void
note_set(void *arg, uint64 differs, double greatest)
{
	Bounded    *bounded = arg;

	if (differs != bounded->differs)
		return;
	bounded->greatest = greatest;
	bounded->found++;
}

/* check_bounds compares one pair with the bounds of its draw; the original is taken. */
static void
check_bounds(SdcLikelihood *likelihood, uint32 i, uint32 l, uint64 seed)
{
	SdcLikelihoodDraw *draw = &likelihood->draw[0];
	const SdcCandidatesColumn *column = likelihood->task->column;
	double		of_pair = sdc_likelihood_log(likelihood, l);
	Bounded		bounded = {0};

	for (int a = 0; a < draw->active; a++)
	{
		int			j = draw->column[draw->at[a]];

		bounded.differs |= (uint64) (column[j].original[i] != column[j].protected[l]) << a;
	}
	if (of_pair == -INFINITY)
		return;
	sdc_likelihood_bounds(likelihood, draw);
	CHECKF(of_pair - sdc_likelihood_worth(likelihood, l) <=
		   draw->bound[__builtin_popcountll(bounded.differs)] + 1e-9, "seed %d: %u, %u", (int) seed,
		   i, l);
	sdc_likelihood_sets(likelihood, draw, note_set, &bounded);
	CHECKF(bounded.found == 1 && of_pair <= log(bounded.greatest) + 1e-9, "seed %d: %u, %u",
		   (int) seed, i, l);
}

/* No likelihood is above its bounds. */
static void
test_likelihood_bounds(void)
{
	for (uint64 seed = 1; seed <= ROUNDS(400); seed++)
	{
		Shape		shape = draw_shape(seed);
		SdcLikelihood *likelihood;
		File		file;

		shape.kinds = 1 << SDC_CANDIDATES_RANDOMIZED;
		shape.missing = 0;
		random_state = seed;
		make_file(&file, &shape);
		for (int a = 0; a < shape.columns; a++)
		{
			/* the values of the originals have shares, which the bounds take for granted */
			sdc_free(file.share[a]);
			file.share[a] = count_shares(&shape, file.original[a]);
			file.column[a].share = file.share[a];
		}
		likelihood = sdc_likelihood_create(&file.task);
		for (uint32 i = 0; i < shape.records && file.task.draws == 1 && !file.draw[0].laws; i++)
		{
			sdc_likelihood_take(likelihood, i);
			for (uint32 l = 0; l < shape.records; l++)
				check_bounds(likelihood, i, l, seed);
		}
		sdc_likelihood_destroy(likelihood);
		free_file(&file);
	}
}

/* Random anonymization by hand: three columns with shares that are easy to multiply. */
static void
test_likelihood(void)
{
	/* x = (0, 0, 0); records that are equal, differ in one column, in two, in all three */
	static const uint32 original[3][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
	static const uint32 protected[3][4] = {{0, 1, 1, 1}, {0, 0, 1, 1}, {0, 0, 0, 1}};
	static const double share[3][2] = {{.9, .1}, {.8, .2}, {.5, .5}};
	static const double probability[3] = {.5, .3, .2};
	static const uint32 left[4] = {2, 2, 3, 4};
	SdcCandidatesColumn column[3];
	SdcCandidatesTask task = {.records = 4, .count = 3, .column = column, .draws = 1};

	for (int a = 0; a < 3; a++)
		column[a] = (SdcCandidatesColumn) {.kind = SDC_CANDIDATES_RANDOMIZED,
		.original = original[a], .protected = protected[a], .codes = 2, .share = share[a],
		.probability = probability[a]};
	for (int k = 0; k <= 3; k++)
	{
		SdcCandidatesDraw draw = {.columns = 3, .k = k};
		SdcCandidatesLink link[4];

		task.draw = &draw;
		sdc_candidates_run(&task, SDC_CANDIDATES_NEAREST, NULL, 4, link);
		for (uint32 i = 0; i < 4; i++)
		{
			CHECKF(link[i].link.candidates == left[k], "k = %d: %u", k, link[i].link.candidates);
			CHECK(link[i].inside == (i < left[k]));
			/* .45 + .24 + .1 for the equal one with RA 1; with k = 3 all is drawn: .9 * .8 * .5 */
			CHECK(link[i].link.linked == 0 && link[i].link.ties == 1);
		}
	}
	/* with k = 3 of 3, the first two of column 3 are equally likely: .9 * .8 * .5 */
	column[0].protected = protected[2];
	column[2].protected = protected[0];
	column[1].protected = protected[2];
	{
		SdcCandidatesDraw draw = {.columns = 3, .k = 3};
		SdcCandidatesLink link[4];

		task.draw = &draw;
		sdc_candidates_run(&task, SDC_CANDIDATES_NEAREST, NULL, 4, link);
		CHECKF(link[0].link.ties == 3 && link[0].link.linked == 0 && link[3].link.linked == 0 &&
			   !link[3].link.correct, "%u", link[0].link.ties);
	}
}

/* Copies of one person are told apart by nothing. */
static void
test_equal(void)
{
	File		file;
	SdcCandidatesLink link[200];

	random_state = 3;
	exact_file(&file, 200, 3, 1);
	sdc_candidates_run(&file.task, SDC_CANDIDATES_NEAREST, NULL, 200, link);
	for (uint32 i = 0; i < 200; i++)
		CHECK(link[i].link.ties == 200 && link[i].link.linked == 0 && link[i].inside &&
			  link[i].link.correct);
	free_file(&file);
}

int
main(void)
{
	RUN(test_kinds);
	RUN(test_mixtures);
	RUN(test_blanks);
	RUN(test_large);
	RUN(test_laws);
	RUN(test_many_columns);
	RUN(test_many_randomized);
	RUN(test_identity);
	RUN(test_permutation);
	RUN(test_few);
	RUN(test_constant);
	RUN(test_distance_ties);
	RUN(test_likelihood_ties);
	RUN(test_likelihood_order);
	RUN(test_likelihood_bounds);
	RUN(test_likelihood);
	RUN(test_equal);
	return tap_done();
}

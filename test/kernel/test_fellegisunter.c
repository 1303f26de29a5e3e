/*-------------------------------------------------------------------------
 *
 * test_fellegisunter.c
 *		Probabilistic linkage against the definitions: EM, all pairs, all assignments.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/agreement/assign.h"

#include "random.h"
#include "tap.h"

#define MAX_ATTRIBUTES 64
#define CLIP 1e-6

/* A file of pairs with its agreement. */
typedef struct File
{
	SdcPairs	pairs;
	SdcPairColumn column[MAX_ATTRIBUTES];
	uint32	   *code;
	SdcAgreement *agreement;
} File;

/* make_file draws up to values values (0: all differ), of which moved percent are drawn again. */
static File *
make_file(uint32 records, int attributes, uint32 values, uint32 moved)
{
	File	   *file = sdc_alloc(sizeof(File));
	int			known[MAX_ATTRIBUTES];

	file->code = sdc_alloc(2 * (Size) records * (Size) attributes * sizeof(uint32));
	file->pairs = (SdcPairs) {records, attributes, file->column};
	for (int j = 0; j < attributes; j++)
	{
		uint32	   *original = file->code + 2 * (Size) j * records;
		uint32	   *protected = original + records;
		uint32		own = values > 0 ? 1 + pick(values) : records;

		known[j] = j;
		for (uint32 i = 0; i < records; i++)
			original[i] = values == 0 ? i : (values > 1 && pick(20) == 0 ? SDC_CODE_NULL : pick(own));
		for (uint32 i = 0; i < records; i++)
			protected[i] = original[pick(100) < moved ? pick(records) : i];
		file->column[j] = (SdcPairColumn) {original, protected, own, NULL};
	}
	file->agreement = sdc_agreement_create(&file->pairs, known, attributes);
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

/* estimate makes the models of 1, 2, ... attributes. */
static SdcLinkModel *
estimate(const File *file)
{
	int			attributes = file->pairs.attributes;
	SdcLinkModel *models = sdc_alloc((Size) attributes * sizeof(SdcLinkModel));

	CHECK(sdc_linkmodel_prefixes(file->agreement, NULL, UINT64_MAX, models));
	return models;
}

/* random_model draws a model that nothing was estimated for. */
static void
random_model(SdcLinkModel *model, int attributes)
{
	model->attributes = attributes;
	model->listed = pick(2) == 0;
	model->prior = 0.01;
	model->rounds = 0;
	for (int j = 0; j < attributes; j++)
	{
		model->m[j] = (1 + pick(99)) / 100.0;
		model->u[j] = (1 + pick(99)) / 100.0;
	}
}

/* naive_weight is the definition. */
static double
naive_weight(const SdcLinkModel *model, uint64 pattern)
{
	double		weight = 0;

	for (int j = 0; j < model->attributes; j++)
	{
		if ((pattern >> j) & 1)
			weight += log2(model->m[j]) - log2(model->u[j]);
		else
			weight += log2(1 - model->m[j]) - log2(1 - model->u[j]);
	}
	return weight;
}

/* naive_link looks at all protected records. */
static SdcLink
naive_link(const File *file, const SdcLinkModel *model, uint32 x)
{
	uint64		mask = ~UINT64_C(0) >> (64 - model->attributes);
	SdcLink		link = {-INFINITY, SDC_RECORD_NONE, 0, file->pairs.records, false};

	for (uint32 y = 0; y < file->pairs.records; y++)
	{
		uint64		pattern = sdc_agreement_pattern(file->agreement, x, y) & mask;

		link.distance = fmax(link.distance, sdc_fellegisunter_weight(model, pattern));
	}
	for (uint32 y = 0; y < file->pairs.records; y++)
	{
		uint64		pattern = sdc_agreement_pattern(file->agreement, x, y) & mask;

		if (sdc_fellegisunter_weight(model, pattern) <
			link.distance - 1e-9 * fmax(1, fabs(link.distance)))
			continue;
		link.ties++;
		link.correct |= x == y;
		if (link.linked == SDC_RECORD_NONE)
			link.linked = y;
	}
	return link;
}

/* check_link compares two links; linked only if there are names. */
static void
check_link(const char *what, uint32 i, const SdcLink *link, SdcLink right, bool names)
{
	CHECKF(link->distance == right.distance, "%s: record %u: %.17g, not %.17g", what, i,
		   link->distance, right.distance);
	CHECKF(link->ties == right.ties && link->correct == right.correct &&
		   link->candidates == right.candidates, "%s: record %u: %u ties, not %u", what, i,
		   link->ties, right.ties);
	CHECKF(link->linked == (names ? right.linked : SDC_RECORD_NONE),
		   "%s: record %u: linked to %u, not %u", what, i, link->linked, right.linked);
}

/* What check_prefix needs. */
typedef struct Checked
{
	const File *file;
	const SdcLinkModel *models;
	const uint32 *record;
	uint32		results;
} Checked;

/* check_prefix checks one link of one number of attributes. */
static void
check_prefix(void *arg, int known, uint32 index, const SdcLink *link)
{
	Checked    *checked = arg;
	uint32		x = checked->record != NULL ? checked->record[index] : index;

	checked->results++;
	check_link("prefix", x, link, naive_link(checked->file, &checked->models[known - 1], x),
			   false);
}

/* check_links checks all links of a file by these models. */
static void
check_links(const File *file, const SdcLinkModel *models)
{
	uint32		n = file->pairs.records;
	int			attributes = file->pairs.attributes;
	SdcLink    *link = sdc_alloc((n + 1) * sizeof(SdcLink));
	uint32	   *record = sdc_alloc((n + 1) * sizeof(uint32));
	Checked		checked = {file, models, NULL, 0};

	for (int names = 0; names < 2; names++)
	{
		sdc_fellegisunter_nearest(file->agreement, &models[attributes - 1], NULL, n, names == 1,
								  link);
		for (uint32 i = 0; i < n; i++)
			check_link("nearest", i, &link[i],
					   naive_link(file, &models[attributes - 1], i), names == 1);
	}
	for (uint32 i = 0; i < n / 3; i++)
		record[i] = pick(n);
	sdc_fellegisunter_nearest(file->agreement, &models[attributes - 1], record, n / 3, true, link);
	for (uint32 i = 0; i < n / 3; i++)
		check_link("some", record[i], &link[i],
				   naive_link(file, &models[attributes - 1], record[i]), true);
	sdc_fellegisunter_prefixes(file->agreement, models, NULL, n, check_prefix, &checked);
	CHECK(checked.results == n * (uint32) attributes);
	checked = (Checked) {file, models, record, 0};
	sdc_fellegisunter_prefixes(file->agreement, models, record, n / 3, check_prefix, &checked);
	CHECK(checked.results == n / 3 * (uint32) attributes);
	sdc_free(record);
	sdc_free(link);
}

/* links of files of all kinds, by estimated and by arbitrary models. */
static void
links(void)
{
	static const uint32 values[] = {0, 1, 2, 5, 30, 300};

	for (int round = 0; round < ROUNDS(32); round++)
	{
		/* many attributes have many patterns, and EM takes its time */
		uint32		n = round < 3 ? (uint32) round : 1 + pick(round % 8 == 7 ? 30 : 110);
		int			attributes = round % 8 == 7 ? 13 + (int) pick(52) : 1 + (int) pick(12);
		File	   *file = make_file(n, attributes, values[round % 6], pick(101));
		SdcLinkModel *models = estimate(file);

		check_links(file, models);
		for (int c = 1; c <= attributes; c++)
			random_model(&models[c - 1], c);
		check_links(file, models);
		sdc_free(models);
		free_file(file);
	}
}

/*
 * close_weights gives an original a record that agrees in the first attribute and one that agrees
 * in the second, whose weights differ by a given number, and looks which of them it is linked to.
 */
static void
close_weights(double u, double apart, uint32 ties)
{
	static const uint32 original[2][3] = {{0, 1, 1}, {0, 1, 1}};
	static const uint32 protected[2][3] = {{0, 2, 2}, {2, 0, 2}};
	const int	known[] = {0, 1};
	SdcPairColumn column[] = {{original[0], protected[0], 3, NULL}, {original[1], protected[1], 3, NULL}};
	SdcPairs	pairs = {3, 2, column};
	SdcAgreement *agreement = sdc_agreement_create(&pairs, known, 2);
	SdcLinkModel model = {.attributes = 2, .listed = true, .prior = 0.3, .m = {0.9, 0.9}, .u = {u, u}};
	double		before = sdc_fellegisunter_weight(&model, 1);
	SdcLink		link[3];
	double		found;

	/* agreeing tells less where it is more probable by chance */
	model.u[1] = u * (1 + apart * log(2) * (1 - u));
	found = sdc_fellegisunter_weight(&model, 1) - sdc_fellegisunter_weight(&model, 2);
	CHECKF(fabs(found - apart) < 0.01 * apart + 1e-14, "%g apart, not %g", found, apart);
	for (int listed = 0; listed < 2; listed++)
	{
		model.listed = listed == 1;
		sdc_fellegisunter_nearest(agreement, &model, NULL, 3, true, link);
		CHECKF(link[0].ties == ties && link[0].linked == 0 && link[0].correct,
			   "weights %g, %g apart: %u ties, not %u", before, apart, link[0].ties, ties);
	}
	sdc_agreement_destroy(agreement);
}

/* tie_limits: weights up to 1e-9 apart are tied, relative to weights above 1. */
static void
tie_limits(void)
{
	close_weights(0.1, 0.8e-9, 2);	/* weights of 0 */
	close_weights(0.1, 1.2e-9, 1);
	close_weights(0.001, 6e-9, 2);	/* 6.5 */
	close_weights(0.001, 7e-9, 1);
}

/* weights are those of the definition, and equal when only the order of terms is not. */
static void
weights(void)
{
	SdcLinkModel model;

	for (int attributes = 1; attributes <= 64; attributes++)
	{
		random_model(&model, attributes);
		for (int i = 0; i < 50; i++)
		{
			uint64		pattern = random64() >> (64 - attributes);

			CHECK(fabs(sdc_fellegisunter_weight(&model, pattern) - naive_weight(&model, pattern)) <
				  1e-11 * attributes);
		}
	}
}

/* clip keeps a probability within what EM allows. */
static double
clip(double p)
{
	return fmin(fmax(p, CLIP), 1 - CLIP);
}

/* naive_round is a round of EM by the definition, in logarithms. */
static void
naive_round(const SdcPatternCount *pattern, int count, SdcLinkModel *model)
{
	double		matched = 0;
	double		all = 0;
	double		agree[MAX_ATTRIBUTES] = {0};
	double		agree_all[MAX_ATTRIBUTES] = {0};

	for (int i = 0; i < count; i++)
	{
		double		ratio = naive_weight(model, pattern[i].pattern) * log(2) +
			log(model->prior) - log(1 - model->prior);
		double		g = (double) pattern[i].count / (1 + exp(-ratio));

		matched += g;
		all += (double) pattern[i].count;
		for (int j = 0; j < model->attributes; j++)
		{
			agree[j] += (pattern[i].pattern >> j) & 1 ? g : 0;
			agree_all[j] += (pattern[i].pattern >> j) & 1 ? (double) pattern[i].count : 0;
		}
	}
	model->prior = matched / all;
	for (int j = 0; j < model->attributes; j++)
	{
		model->m[j] = clip(agree[j] / matched);
		model->u[j] = clip((agree_all[j] - agree[j]) / (all - matched));
	}
}

/* check_model compares an estimate with as many rounds by the definition. */
static void
check_model(const SdcPatternCount *pattern, int count, int attributes, uint32 records)
{
	SdcLinkModel model;
	SdcLinkModel right;

	sdc_linkmodel_estimate(pattern, count, attributes, records, &model);
	random_model(&right, attributes);
	right.prior = 1.0 / records;
	for (int j = 0; j < attributes; j++)
	{
		right.m[j] = 0.9;
		right.u[j] = 0.1;
	}
	for (int i = 0; i < model.rounds; i++)
		naive_round(pattern, count, &right);
	CHECK(model.attributes == attributes);
	CHECKF(fabs(model.prior - right.prior) < 1e-6, "prior %g, not %g", model.prior, right.prior);
	for (int j = 0; j < attributes; j++)
	{
		CHECKF(fabs(model.m[j] - right.m[j]) < 1e-6, "m %g, not %g", model.m[j], right.m[j]);
		CHECKF(fabs(model.u[j] - right.u[j]) < 1e-6, "u %g, not %g", model.u[j], right.u[j]);
	}
	if (model.rounds < 2000)
	{
		right = model;
		naive_round(pattern, count, &right);
		CHECK(fabs(right.prior - model.prior) < 1e-9);
	}
}

/* models of pairs that have classes, of many attributes, and of nothing to learn from. */
static void
models(void)
{
	static const SdcPatternCount one[] = {{0, 100}};
	static const SdcPatternCount all[] = {{7, 100}};
	static const SdcPatternCount far[] = {{0, 10000}, {UINT64_MAX, 100}};
	SdcLinkModel model;

	check_model(one, 1, 3, 10);
	check_model(all, 1, 3, 10);
	check_model(far, 2, 64, 100);
	sdc_linkmodel_estimate(far, 2, 64, 100, &model);
	CHECK(model.m[63] == 1 - CLIP && model.u[0] == CLIP && model.rounds < 2000);
	CHECK(fabs(model.prior - 100.0 / 10100) < 1e-9);
	sdc_linkmodel_estimate(NULL, 0, 3, 0, &model);
	CHECK(model.rounds == 0 && model.m[2] == 0.9);
	sdc_linkmodel_estimate(one, 1, 1, 1, &model);
	CHECK(model.m[0] >= CLIP && model.prior >= 0);
	for (int round = 0; round < 6; round++)
	{
		File	   *file = make_file(200, 3 + round, 30, 20);
		int			count;
		SdcPatternCount *totals = sdc_agreement_totals(file->agreement, NULL, UINT64_MAX, &count);

		check_model(totals, count, 3 + round, 200);
		sdc_free(totals);
		free_file(file);
	}
}

/* highest_sum is the optimum of the assignment by trying all, for few records. */
static double
highest_sum(const double *weight, uint32 n, uint32 row, uint32 taken)
{
	double		best = row == n ? 0 : -INFINITY;

	for (uint32 y = 0; y < n && row < n; y++)
		if (((taken >> y) & 1) == 0)
			best = fmax(best, weight[row * n + y] +
						highest_sum(weight, n, row + 1, taken | 1U << y));
	return best;
}

/* hungarian_sum is the optimum by the textbook: O(n^3), with the matrix. */
static double
hungarian_sum(const double *weight, uint32 n)
{
	double	   *u = sdc_alloc(3 * (n + 1) * sizeof(double));
	double	   *v = u + n + 1;
	double	   *least = v + n + 1;
	uint32	   *match = sdc_alloc(3 * (n + 1) * sizeof(uint32));
	uint32	   *way = match + n + 1;
	uint32	   *used = way + n + 1;
	double		sum = 0;

	for (uint32 j = 0; j <= n; j++)
	{
		match[j] = 0;
		u[j] = v[j] = 0;
	}
	for (uint32 i = 1; i <= n; i++)
	{
		uint32		column = 0;

		match[0] = i;
		for (uint32 j = 0; j <= n; j++)
		{
			least[j] = INFINITY;
			used[j] = 0;
		}
		do
		{
			uint32		row = match[column];
			uint32		next = 0;
			double		delta = INFINITY;

			used[column] = 1;
			for (uint32 j = 1; j <= n; j++)
			{
				double		cost = -weight[(row - 1) * n + j - 1] - u[row] - v[j];

				if (used[j])
					continue;
				if (cost < least[j])
				{
					least[j] = cost;
					way[j] = column;
				}
				if (least[j] < delta)
				{
					delta = least[j];
					next = j;
				}
			}
			for (uint32 j = 0; j <= n; j++)
			{
				if (used[j])
				{
					u[match[j]] += delta;
					v[j] -= delta;
				}
				else
					least[j] -= delta;
			}
			column = next;
		} while (match[column] != 0);
		do
		{
			match[column] = match[way[column]];
			column = way[column];
		} while (column != 0);
	}
	for (uint32 j = 1; j <= n; j++)
		sum += weight[(match[j] - 1) * n + j - 1];
	sdc_free(u);
	sdc_free(match);
	return sum;
}

/* check_assignment checks that it is one, and an optimum. */
static void
check_assignment(const File *file, const SdcLinkModel *model)
{
	uint32		n = file->pairs.records;
	SdcLink    *link = sdc_alloc((n + 1) * sizeof(SdcLink));
	double	   *weight = sdc_alloc((Size) n * n * sizeof(double) + 1);
	bool	   *taken = sdc_alloc(n + 1);
	double		sum = 0;
	double		best;

	memset(taken, 0, n + 1);
	sdc_assign_links(file->agreement, model, link);
	for (uint32 i = 0; i < n; i++)
	{
		for (uint32 y = 0; y < n; y++)
			weight[i * n + y] = sdc_fellegisunter_weight(model,
														 sdc_agreement_pattern(file->agreement,
																					  i, y));
		CHECK(link[i].linked < n && !taken[link[i].linked]);
		taken[link[i].linked] = true;
		CHECK(link[i].distance == weight[i * n + link[i].linked]);
		CHECK(link[i].correct == (link[i].linked == i) && link[i].ties == 1);
		CHECK(link[i].candidates == n);
		sum += link[i].distance;
	}
	best = hungarian_sum(weight, n);
	CHECKF(fabs(sum - best) < 1e-9 + 1e-12 * fabs(best), "n %u: %.12f, not %.12f", n, sum, best);
	if (n < 8)
		CHECK(fabs(highest_sum(weight, n, 0, 0) - best) < 1e-9);
	sdc_free(taken);
	sdc_free(weight);
	sdc_free(link);
}

/* assignments of small files of all kinds, and some larger. */
static void
assignments(void)
{
	static const uint32 values[] = {0, 1, 2, 5, 30};

	for (int round = 0; round < ROUNDS(100); round++)
	{
		bool		wide = round % 10 == 9;
		uint32		n = round < 50 ? (uint32) round % 8 : wide ? pick(20) : round < 97 ? pick(70) : 200;
		int			attributes = wide ? 9 + (int) pick(56) : 1 + (int) pick(8);
		File	   *file = make_file(n, attributes, values[round % 5], pick(101));
		SdcLinkModel *estimated = estimate(file);

		check_assignment(file, &estimated[attributes - 1]);
		random_model(&estimated[attributes - 1], attributes);
		check_assignment(file, &estimated[attributes - 1]);
		sdc_free(estimated);
		free_file(file);
	}
}

/*
 * unknown_records are not recognized: where no attribute tells anything, the order of the
 * records must not either.  Of 600 one link is right by chance.
 */
static void
unknown_records(void)
{
	File	   *file = make_file(600, 2, 1, 0);
	SdcLinkModel *estimated = estimate(file);
	SdcLink    *link = sdc_alloc(600 * sizeof(SdcLink));
	int			correct = 0;

	sdc_assign_links(file->agreement, &estimated[0], link);
	random_model(&estimated[1], 2);
	sdc_assign_links(file->agreement, &estimated[1], link);
	for (int i = 0; i < 600; i++)
		correct += link[i].correct;
	CHECKF(correct < 30, "%d correct", correct);
	sdc_free(link);
	sdc_free(estimated);
	free_file(file);
}

int
main(void)
{
	RUN(weights);
	RUN(models);
	RUN(links);
	RUN(tie_limits);
	RUN(assignments);
	RUN(unknown_records);
	return tap_done();
}

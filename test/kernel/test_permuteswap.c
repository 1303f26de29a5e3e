/*-------------------------------------------------------------------------
 *
 * test_permuteswap.c
 *		Permutation swapping: the law of what it draws, and its epsilon, by all permutations.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/groups/permuteswap.h"

#include "random.h"
#include "tap.h"

#define MOST 6					/* elements of permutations that are all looked at */
#define ALL 720					/* their permutations */

static SdcStream *stream;

/* start begins a stream of the test's own. */
static void
start(uint64 number)
{
	uint8		master[SDC_MASTER_KEY_BYTES];

	CHECK(sdc_stream_master_from_seed("permuteswap", 11, master) == SDC_OK);
	CHECK(sdc_stream_start(stream, master, "test", "", "permuteswap", number) == SDC_OK);
}

/* All permutations of some elements. */
typedef struct Permutations
{
	int			elements;
	int			count;
	int			to[ALL][MOST];
	int			moves[ALL];		/* elements that do not keep their place */
	int			deranged[MOST + 1]; /* derangements of so many elements */
} Permutations;

/* add_permutations adds all that begin with the first placed elements of the next one. */
static void
add_permutations(Permutations *p, int placed)
{
	int		   *to = p->to[p->count];

	if (placed == p->elements)
	{
		p->moves[p->count] = 0;
		for (int i = 0; i < placed; i++)
			p->moves[p->count] += to[i] != i;
		if (++p->count < ALL)
			memcpy(p->to[p->count], to, sizeof(p->to[0]));
		return;
	}
	for (int element = 0; element < p->elements; element++)
	{
		bool		used = false;

		for (int i = 0; i < placed; i++)
			used = used || p->to[p->count == ALL ? ALL - 1 : p->count][i] == element;
		if (used || p->count == ALL)
			continue;
		p->to[p->count][placed] = element;
		add_permutations(p, placed + 1);
	}
}

/* list_permutations lists all, and counts derangements. */
static void
list_permutations(Permutations *p, int elements)
{
	memset(p, 0, sizeof(Permutations));
	p->elements = elements;
	add_permutations(p, 0);
	/* of m elements that move, as often as m can be chosen among all */
	for (int m = 0; m <= elements; m++)
	{
		int			chosen = 1;

		for (int i = 0; i < m; i++)
			chosen = chosen * (elements - i) / (i + 1);
		for (int i = 0; i < p->count; i++)
			p->deranged[m] += p->moves[i] == m;
		p->deranged[m] /= chosen;
	}
}

/* number_of is the number of a permutation. */
static int
number_of(const Permutations *p, const int *to)
{
	for (int i = 0; i < p->count; i++)
		if (memcmp(p->to[i], to, sizeof(int) * (Size) p->elements) == 0)
			return i;
	return -1;
}

/* weights writes the probability of every permutation by the definition. */
static void
weights(const Permutations *p, double share, double *probability)
{
	double		sum = 0;

	for (int i = 0; i < p->count; i++)
	{
		int			m = p->moves[i];

		probability[i] = m == 1 ? 0 : pow(share, m) * pow(1 - share, p->elements - m) / p->deranged[m];
		sum += probability[i];
	}
	for (int i = 0; i < p->count; i++)
		probability[i] /= sum;
}

/* The lists are what they should be. */
static void
permutations_are_all(void)
{
	static const int count[] = {1, 1, 2, 6, 24, 120, 720};
	static const int deranged[] = {1, 0, 1, 2, 9, 44, 265};
	Permutations *p = sdc_alloc_zeros(Permutations, 1);

	for (int elements = 2; elements <= MOST; elements++)
	{
		list_permutations(p, elements);
		CHECK(p->count == count[elements]);
		for (int m = 0; m <= elements; m++)
			CHECK(p->deranged[m] == deranged[m]);
	}
	sdc_free(p);
}

/* All derangements come as often, and nothing else does. */
static void
derangements_are_uniform(void)
{
	Permutations *p = sdc_alloc_zeros(Permutations, 1);

	for (int elements = 2; elements <= MOST; elements++)
	{
		int			seen[ALL] = {0};
		int			draws = 0;
		double		chi_square = 0;

		list_permutations(p, elements);
		start((uint64) elements);
		for (draws = 0; draws < 300 * p->deranged[elements]; draws++)
		{
			uint32		donor[MOST];
			int			to[MOST];

			sdc_permuteswap_derange(stream, (uint32) elements, donor);
			for (int i = 0; i < elements; i++)
				to[i] = (int) donor[i];
			seen[number_of(p, to)]++;
		}
		for (int i = 0; i < p->count; i++)
		{
			CHECK(seen[i] == 0 || p->moves[i] == elements);
			if (p->moves[i] == elements)
				chi_square += (seen[i] - 300.0) * (seen[i] - 300.0) / 300;
		}
		CHECKF(elements == 2 || chi_square < tap_chi_square_limit(p->deranged[elements] - 1), "%d: %g", elements,
			   chi_square);
	}
	sdc_free(p);
}

/* A derangement takes about (e - 1) draws an element: tries end early. */
static void
derangements_are_fast(void)
{
	enum
	{
		ELEMENTS = 2000, DRAWS = 400
	};
	uint32	   *donor = sdc_alloc_array(uint32, ELEMENTS);
	uint64		word = 0;
	uint64		draws = 0;
	uint32		mark;

	start(100);
	for (int i = 0; i < DRAWS; i++)
		sdc_permuteswap_derange(stream, ELEMENTS, donor);
	mark = sdc_stream_next32(stream);
	for (int i = 0; i < ELEMENTS; i++)
		CHECK(donor[i] < ELEMENTS && donor[i] != (uint32) i);
	/* where the stream is: a draw is a word, but for very few */
	start(100);
	do
	{
		word = sdc_stream_next32(stream);
		draws++;
	} while (word != mark && draws < 10 * (uint64) ELEMENTS * DRAWS);
	CHECKF(fabs((double) draws / ELEMENTS / DRAWS - 1.71828) < 0.15, "%g", (double) draws / ELEMENTS / DRAWS);
	sdc_free(donor);
}

/* one_stratum is a stratum of different values. */
static SdcPermuteSwapTask
one_stratum(uint32 units, double share)
{
	static const uint32 zeros[MOST] = {0};
	static const uint32 values[MOST] = {0, 1, 2, 3, 4, 5};

	return (SdcPermuteSwapTask) {units, zeros, 1, values, share};
}

/* All permutations come as often as they should, those without a move and with all moves too. */
static void
law_is_kept(void)
{
	static const double shares[] = {0.05, 0.3, 0.5, 0.8};
	enum
	{
		DRAWS = 60000
	};
	Permutations *p = sdc_alloc_zeros(Permutations, 1);

	for (int elements = 2; elements <= 5; elements++)
		for (int i = 0; i < 4; i++)
		{
			SdcPermuteSwapTask task = one_stratum((uint32) elements, shares[i]);
			SdcPermuteSwapResult result;
			int			seen[ALL] = {0};
			double		probability[ALL];
			double		chi_square = 0;
			int			degrees = -1;

			list_permutations(p, elements);
			weights(p, shares[i], probability);
			start((uint64) (1000 + 10 * elements + i));
			for (int draw = 0; draw < DRAWS; draw++)
			{
				uint32		donor[MOST];
				int			to[MOST];

				sdc_permuteswap_donors(&task, stream, donor, &result);
				for (int u = 0; u < elements; u++)
					to[u] = (int) donor[u];
				seen[number_of(p, to)]++;
				CHECK(result.selected == result.moved && result.largest == (uint32) elements);
			}
			for (int k = 0; k < p->count; k++)
			{
				double		expected = DRAWS * probability[k];

				CHECK(expected > 0 || seen[k] == 0);
				if (expected < 5)
					continue;
				degrees++;
				chi_square += (seen[k] - expected) * (seen[k] - expected) / expected;
			}
			CHECKF(chi_square < tap_chi_square_limit(degrees > 0 ? degrees : 1), "%d, %g: %g", elements, shares[i],
				   chi_square);
		}
	sdc_free(p);
}

/* The share that is selected, by all sets of units, and by known values. */
static void
selected_share(void)
{
	static const uint32 sizes[] = {2, 5, 20};
	static const double known[] = {0.0028, 0.0116, 0.0500};

	for (uint32 units = 2; units <= 12; units++)
		for (double share = 0.05; share < 1; share += 0.1)
		{
			double		sum = 0;
			double		selected = 0;

			for (uint32 set = 0; set < UINT32_C(1) << units; set++)
			{
				int			m = __builtin_popcount(set);
				double		probability = m == 1 ? 0 : pow(share, m) * pow(1 - share, (int) units - m);

				sum += probability;
				selected += probability * m;
			}
			CHECK(fabs(sdc_permuteswap_selected(units, share) - selected / sum / units) < 1e-12);
		}
	for (int i = 0; i < 3; i++)
		CHECK(fabs(sdc_permuteswap_selected(sizes[i], 0.05) - known[i]) < 0.00005);
	CHECK(sdc_permuteswap_selected(1, 0.05) == 0);
}

/* Values of epsilon that were computed elsewhere. */
static void
known_epsilons(void)
{
	static const uint32 sizes[] = {2, 5, 100, 1000};
	static const double shares[] = {0.01, 0.05, 0.1, 0.5};
	static const double known[4][4] = {
		{5.694, 4.043, 3.296, 1.099}, {6.387, 4.736, 3.989, 1.792},
		{9.210, 7.560, 6.812, 4.615}, {11.504, 9.853, 9.106, 6.909}
	};
	static const double least[] = {0.549, 0.896, 2.308, 3.454};

	for (int b = 0; b < 4; b++)
	{
		double		odds = sqrt(sizes[b] + 1.0);
		double		low = INFINITY;

		for (int i = 0; i < 4; i++)
			CHECKF(fabs(sdc_permuteswap_epsilon(sizes[b], shares[i]) - known[b][i]) < 0.0006, "%u, %g: %.4f", sizes[b],
				   shares[i], sdc_permuteswap_epsilon(sizes[b], shares[i]));
		CHECK(fabs(sdc_permuteswap_epsilon(sizes[b], odds / (1 + odds)) - least[b]) < 0.0006);
		for (double share = 0.001; share < 1; share += 0.001)
			low = fmin(low, sdc_permuteswap_epsilon(sizes[b], share));
		CHECKF(low >= log(sizes[b] + 1.0) / 2 - 1e-12, "%g", low);
	}
	CHECK(sdc_permuteswap_epsilon(0, 0.5) == 0);
	CHECK(fabs(sdc_permuteswap_attained(4, 0.5) - 1.0986123) < 1e-7);
	CHECK(fabs(sdc_permuteswap_epsilon(4, 0.5) - 1.6094379) < 1e-7);
	CHECK(isnan(sdc_permuteswap_attained(3, 0.5)) && isnan(sdc_permuteswap_attained(2, 0.1)));
	CHECK(fabs(sdc_permuteswap_attained(100, 0.5) - log(100.0 * 99) / 2) < 1e-12);
}

/*
 * worst_ratio looks at all files with different values and at all releases: what a file is to another one, the identity
 * can be.
 */
static double
worst_ratio(const Permutations *p, const double *probability)
{
	double		worst = 0;

	for (int t = 0; t < p->count; t++)
	{
		for (int s = 0; s < p->count && p->moves[t] > 0; s++)
		{
			int			both[MOST];
			double		other;

			for (int i = 0; i < p->elements; i++)
				both[i] = p->to[s][p->to[t][i]];
			other = probability[number_of(p, both)];
			if (probability[s] > 0 || other > 0)
				worst = fmax(worst, fabs(log(probability[s]) - log(other)) / p->moves[t]);
		}
	}
	return worst;
}

/* The bound holds for all permutations, and the worst case is what the formula says where there is one. */
static void
bound_holds(void)
{
	static const double shares[] = {0.01, 0.1, 0.3, 0.5, 0.51, 0.6, 0.75, 0.9, 0.97};
	Permutations *p = sdc_alloc_zeros(Permutations, 1);

	for (int elements = 2; elements <= 5; elements++)
		for (int i = 0; i < 9; i++)
		{
			double		probability[ALL];
			double		epsilon = sdc_permuteswap_epsilon((uint32) elements, shares[i]);
			double		attained = sdc_permuteswap_attained((uint32) elements, shares[i]);
			double		worst;

			list_permutations(p, elements);
			weights(p, shares[i], probability);
			worst = worst_ratio(p, probability);
			CHECKF(worst <= epsilon + 1e-12, "%d, %g: %g %g", elements, shares[i], worst, epsilon);
			CHECK(isnan(attained) == (elements < 4 && shares[i] <= 0.5));
			CHECKF(isnan(attained) || fabs(worst - attained) < 1e-9, "%d, %g: %g %g", elements, shares[i], worst,
				   attained);
		}
	sdc_free(p);
}

/* release_probability is that of a release of a file with equal values, by all permutations. */
static double
release_probability(const Permutations *p, const double *probability, const int *from, const int *to)
{
	double		sum = 0;

	for (int s = 0; s < p->count; s++)
	{
		bool		same = true;

		for (int i = 0; i < p->elements && same; i++)
			same = from[p->to[s][i]] == to[i];
		sum += same ? probability[s] : 0;
	}
	return sum;
}

/* check_multiset checks the bound for all files that have the same values, some of which are equal. */
static void
check_multiset(const Permutations *p, const double *probability, const int *value, double epsilon)
{
	for (int x = 0; x < p->count; x++)
	{
		int			from[MOST];
		int			differ = 0;

		for (int i = 0; i < p->elements; i++)
		{
			from[i] = value[p->to[x][i]];
			differ += from[i] != value[i];
		}
		for (int y = 0; y < p->count && differ > 0; y++)
		{
			int			to[MOST];
			double		one;
			double		other;

			for (int i = 0; i < p->elements; i++)
				to[i] = value[p->to[y][i]];
			one = release_probability(p, probability, value, to);
			other = release_probability(p, probability, from, to);
			CHECKF(one <= exp(epsilon * differ) * other * (1 + 1e-12), "%g %g", one, other);
		}
	}
}

/* The bound holds with equal values, too. */
static void
bound_holds_with_ties(void)
{
	static const int values[][5] = {
		{0, 0, 1, 2, 3}, {0, 0, 1, 1, 2}, {0, 0, 0, 1, 1}, {0, 1, 0, 1, 0}, {0, 1, 1, 1, 1}
	};
	static const double shares[] = {0.05, 0.5, 0.8};
	Permutations *p = sdc_alloc_zeros(Permutations, 1);

	for (int elements = 3; elements <= 5; elements++)
		for (int i = 0; i < 3; i++)
		{
			double		probability[ALL];

			list_permutations(p, elements);
			weights(p, shares[i], probability);
			for (int v = 0; v < 5; v++)
				check_multiset(p, probability, values[v], sdc_permuteswap_epsilon((uint32) elements, shares[i]));
		}
	sdc_free(p);
}

/* A file of the tests. */
#define UNITS 200

typedef struct Table
{
	uint32		stratum[UNITS];
	uint32		value[UNITS];
	SdcPermuteSwapTask task;
} Table;

/* draw_table draws a file; some strata can be empty. */
static void
draw_table(Table *t)
{
	static const double shares[] = {0.01, 0.05, 0.5, 0.9, 0.999};

	t->task = (SdcPermuteSwapTask) {pick(UNITS + 1), t->stratum, 1 + pick(40), t->value, shares[pick(5)]};
	for (uint32 u = 0; u < t->task.units; u++)
	{
		t->stratum[u] = pick(t->task.strata);
		t->value[u] = pick(1 + pick(5));
	}
}

/* twin_stratum draws for a stratum by the definition, and counts. */
static void
twin_stratum(const Table *t, uint32 g, uint32 *donor, SdcPermuteSwapResult *result)
{
	uint32		unit[UNITS];
	uint32		chosen[UNITS];
	uint32		place[UNITS];
	uint32		units = 0;
	uint32		count = 1;
	bool		differ = false;

	for (uint32 u = 0; u < t->task.units; u++)
		if (t->stratum[u] == g)
			unit[units++] = u;
	result->strata += units > 0;
	result->single += units == 1;
	if (units < 2)
		return;
	for (uint32 i = 0; i < units; i++)
		differ = differ || t->value[unit[i]] != t->value[unit[0]];
	result->largest = differ && units > result->largest ? units : result->largest;
	while (count == 1)
	{
		count = 0;
		for (uint32 i = 0; i < units; i++)
			if (sdc_stream_uniform(stream) < t->task.share)
				chosen[count++] = unit[i];
	}
	sdc_permuteswap_derange(stream, count, place);
	for (uint32 i = 0; i < count; i++)
	{
		donor[chosen[i]] = chosen[place[i]];
		result->moved += t->value[chosen[i]] != t->value[chosen[place[i]]];
	}
	result->selected += count;
}

/* Many small files beside the definition: donors, and what is counted. */
static void
random_tables(void)
{
	uint32		moved = 0;

	for (uint64 seed = 1; seed <= ROUNDS(2000); seed++)
	{
		Table		t;
		uint32		donor[UNITS + 1];
		uint32		expected[UNITS + 1];
		uint32		times[UNITS + 1] = {0};
		SdcPermuteSwapResult result;
		SdcPermuteSwapResult twin = {0};
		uint32		next;

		random_state = seed;
		draw_table(&t);
		start(seed);
		sdc_permuteswap_donors(&t.task, stream, donor, &result);
		next = sdc_stream_next32(stream);
		start(seed);
		for (uint32 u = 0; u < t.task.units; u++)
			expected[u] = u;
		for (uint32 g = 0; g < t.task.strata; g++)
			twin_stratum(&t, g, expected, &twin);
		CHECK(next == sdc_stream_next32(stream));
		for (uint32 u = 0; u < t.task.units; u++)
		{
			CHECK(donor[u] == expected[u]);
			CHECK(donor[u] < t.task.units && t.stratum[donor[u]] == t.stratum[u] && times[donor[u]]++ == 0);
		}
		CHECK(result.strata == twin.strata && result.single == twin.single && result.largest == twin.largest);
		CHECK(result.selected == twin.selected && result.moved == twin.moved);
		moved += result.moved;
	}
	CHECKF(moved > 10000, "%u", moved);
}

/* main runs the tests. */
int
main(void)
{
	if (sdc_stream_create(&stream) != SDC_OK)
		return 1;
	RUN(permutations_are_all);
	RUN(derangements_are_uniform);
	RUN(derangements_are_fast);
	RUN(law_is_kept);
	RUN(selected_share);
	RUN(known_epsilons);
	RUN(bound_holds);
	RUN(bound_holds_with_ties);
	RUN(random_tables);
	sdc_stream_destroy(stream);
	return tap_done();
}

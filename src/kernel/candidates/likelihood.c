/*-------------------------------------------------------------------------
 *
 * likelihood.c
 *		How likely random anonymization or PRAM makes a protected record from an original one.
 *
 * Of the known columns of a draw those count that have a value in the original x: the others stay
 * missing whatever is drawn.  Let Dif be those where the protected record y differs from x, and Same
 * the others; P_j are the shares of the values of column j.
 *
 *	RA 1	Dif = {}: 1 - sum of p_j + sum of p_j P_j(x_j); Dif = {j}: p_j P_j(y_j); else 0
 *	RA 2	with d = |Dif| up to k, and c columns that count, of m that are drawn from:
 *			product over Dif of P_j(y_j), times the sum over t of
 *			e_t(P_j(x_j): Same) C(m - c, k - d - t) / C(m, k)
 *	PRAM	(1 - q)^d product over Dif of P_j(y_j), times that over Same of q + (1 - q) P_j(x_j)
 *	laws	the product of what the law of each column says: no record is worth anything by itself
 *
 * where e_t is the elementary symmetric polynomial: t columns of Same are drawn and get their own
 * value again, k - d - t others are not known.  Several draws are independent.
 *
 * The sum, of PRAM all but the shares of y, depends on x and the set Dif only, and is remembered by it.  With the
 * worth of y, the product of P_j(y_j) over all columns that count, the likelihood is
 *
 *	worth * sum over t of e_{s-t}(1 / P_j(x_j): Same) C(m - c, k - d - t) / C(m, k),  s = c - d
 *
 * which among all Same of one size is greatest for the rarest values of x: the bound.  So it is for PRAM, whose factor
 * of a column of Same is 1 - q + q / P_j(x_j) then.
 *
 * A column in which y has a blank is not known of y: neither Dif nor Same, and one of the m - c others.  What is left
 * is the likelihood of fewer values, and greater for that alone.  So that records with and without blanks can be
 * compared it is multiplied by the mean share of a value of a record, the sum of the squares of P_j, for each blank: a
 * blank is as likely as the value of any record.
 *
 * Time: O(columns) for a record whose Dif was seen before, else O(columns^2).
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/candidates/likelihood.h"

/* A set of columns that differ fits into a word. */
#define SET_COLUMNS 64

/* most_columns is the greatest number of columns that a draw has. */
static int
most_columns(const SdcCandidatesTask *task)
{
	int			most = 1;

	for (int s = 0; s < task->draws; s++)
		most = task->draw[s].columns > most ? task->draw[s].columns : most;
	return most;
}

/* log_shares makes the logarithms of a column's shares. */
static double *
log_shares(const SdcCandidatesColumn *column)
{
	double	   *share = sdc_alloc_array(double, column->codes);

	for (uint32 c = 0; c < column->codes; c++)
	{
		if (c % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		share[c] = column->share[c] > 0 ? log(column->share[c]) : -INFINITY;
	}
	return share;
}

/* find_common finds the two greatest shares of a column, and the mean share of a record's value. */
static void
find_common(SdcLikelihood *likelihood, int column)
{
	const double *share = likelihood->task->column[column].share;
	const SdcNoiseLaw *noise = &likelihood->task->column[column].noise;
	uint32		common = SDC_CODE_NULL;
	double		second = 0;
	double		squares = 0;

	for (uint32 c = 0; c < likelihood->task->column[column].codes; c++)
	{
		if (c % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		squares += share[c] * share[c];
		if (common == SDC_CODE_NULL || share[c] > share[common])
		{
			second = common == SDC_CODE_NULL ? 0 : share[common];
			common = c;
		}
		else if (share[c] > second)
			second = share[c];
	}
	likelihood->common[column] = common;
	likelihood->second[column] = second;
	/* without any value nothing is unlikely */
	likelihood->average[column] = squares > 0 ? log(squares) : 0;
	/* of numbers with noise it is the mean density, about that of a normal distribution */
	if (noise->kind != SDC_NOISE_NONE)
		likelihood->average[column] = log((noise->unit > 0 ? noise->unit : 1) / (2 * sqrt(M_PI) * noise->spread));
}

/* find_extremes finds the most and the least likely value that each one becomes by a column's law. */
static void
find_extremes(SdcLikelihood *likelihood, int column)
{
	const SdcCandidatesColumn *known = &likelihood->task->column[column];

	if (known->law == NULL)
		return;
	likelihood->most[column] = sdc_alloc_array(double, known->codes);
	likelihood->least[column] = sdc_alloc_array(double, known->codes);
	for (uint32 u = 0; u < known->codes; u++)
	{
		const double *law = known->law + (Size) u * known->codes;
		double		most = -INFINITY;
		double		least = INFINITY;

		SDC_CHECK_INTERRUPTS();
		for (uint32 v = 0; v < known->codes; v++)
		{
			most = law[v] > most ? law[v] : most;
			least = law[v] < least ? law[v] : least;
		}
		likelihood->most[column][u] = most;
		likelihood->least[column][u] = least;
	}
}

/* are_sure tells whether the laws of a draw forbid nothing. */
static bool
are_sure(const SdcLikelihood *likelihood, const SdcLikelihoodDraw *draw)
{
	for (int a = 0; a < draw->known; a++)
	{
		const double *least = likelihood->least[draw->column[a]];

		/* a number can be none, or of another sign */
		if (least == NULL)
			return false;
		for (uint32 u = 0; u < likelihood->task->column[draw->column[a]].codes; u++)
			if (least[u] == -INFINITY)
				return false;
	}
	return true;
}

/* create_draw prepares a draw. */
static void
create_draw(SdcLikelihoodDraw *draw, const SdcLikelihood *likelihood, int set)
{
	const SdcCandidatesTask *task = likelihood->task;
	const SdcCandidatesDraw *given = &task->draw[set];
	Size		places = (Size) given->columns + 2;

	draw->columns = given->columns;
	draw->single = given->k == 0;
	draw->k = draw->single ? 1 : given->k;
	draw->retain = given->retain;
	draw->laws = given->laws;
	draw->known = 0;
	draw->column = sdc_alloc_array(int, task->count);
	draw->at = sdc_alloc_array(int, task->count);
	for (int j = 0; j < task->count; j++)
		if (task->column[j].kind == SDC_CANDIDATES_RANDOMIZED && task->column[j].set == set)
			draw->column[draw->known++] = j;
	SDC_ASSERT(draw->known <= draw->columns && draw->k <= draw->columns);
	draw->sure = draw->laws && are_sure(likelihood, draw);
	draw->weight = sdc_alloc_array(double, places);
	draw->weight_of = -1;
	draw->bound = sdc_alloc_array(double, places);
	draw->cache = sdc_alloc_zeros(SdcLikelihoodCached, SDC_LIKELIHOOD_CACHE);
}

/* sdc_likelihood_create: see likelihood.h. */
SdcLikelihood *
sdc_likelihood_create(const SdcCandidatesTask *task)
{
	SdcLikelihood *likelihood = sdc_alloc(sizeof(SdcLikelihood));
	int			most = most_columns(task);

	likelihood->task = task;
	likelihood->draws = task->draws;
	likelihood->draw = sdc_alloc_array(SdcLikelihoodDraw, task->draws);
	likelihood->most = sdc_alloc_zeros(double *, task->count);
	likelihood->least = sdc_alloc_zeros(double *, task->count);
	for (int j = 0; j < task->count; j++)
		if (task->column[j].kind == SDC_CANDIDATES_RANDOMIZED && task->draw[task->column[j].set].laws)
			find_extremes(likelihood, j);
	for (int s = 0; s < task->draws; s++)
		create_draw(&likelihood->draw[s], likelihood, s);
	likelihood->share = sdc_alloc_array(double *, task->count);
	likelihood->average = sdc_alloc_array(double, task->count);
	likelihood->common = sdc_alloc_array(uint32, task->count);
	likelihood->second = sdc_alloc_array(double, task->count);
	for (int j = 0; j < task->count; j++)
	{
		likelihood->share[j] = NULL;
		if (task->column[j].kind != SDC_CANDIDATES_RANDOMIZED)
			continue;
		find_common(likelihood, j);
		/* by laws nothing is worth anything */
		if (!task->draw[task->column[j].set].laws)
			likelihood->share[j] = log_shares(&task->column[j]);
	}
	likelihood->factorial = sdc_alloc_array(double, (uint64) most + 1);
	likelihood->factorial[0] = 0;
	for (int i = 1; i <= most; i++)
		likelihood->factorial[i] = likelihood->factorial[i - 1] + log(i);
	likelihood->polynomial = sdc_alloc_array(double, (uint64) most + 1);
	likelihood->sorted = sdc_alloc_array(double, (uint64) most + 1);
	likelihood->original = SDC_RECORD_NONE;
	likelihood->stamp = 0;
	return likelihood;
}

/* sdc_likelihood_destroy frees it. */
void
sdc_likelihood_destroy(SdcLikelihood *likelihood)
{
	for (int s = 0; s < likelihood->draws; s++)
	{
		sdc_free(likelihood->draw[s].cache);
		sdc_free(likelihood->draw[s].bound);
		sdc_free(likelihood->draw[s].weight);
		sdc_free(likelihood->draw[s].at);
		sdc_free(likelihood->draw[s].column);
	}
	for (int j = 0; j < likelihood->task->count; j++)
	{
		if (likelihood->share[j] != NULL)
			sdc_free(likelihood->share[j]);
		if (likelihood->most[j] != NULL)
			sdc_free(likelihood->most[j]);
		if (likelihood->least[j] != NULL)
			sdc_free(likelihood->least[j]);
	}
	sdc_free(likelihood->least);
	sdc_free(likelihood->most);
	sdc_free(likelihood->sorted);
	sdc_free(likelihood->polynomial);
	sdc_free(likelihood->factorial);
	sdc_free(likelihood->second);
	sdc_free(likelihood->common);
	sdc_free(likelihood->average);
	sdc_free(likelihood->share);
	sdc_free(likelihood->draw);
	sdc_free(likelihood);
}

/* column_at is the column that an active place stands for. */
static inline int
column_at(const SdcLikelihoodDraw *draw, int a)
{
	return draw->column[draw->at[a]];
}

/* log_choose is the logarithm of the number of sets of b among a, 0 <= b <= a. */
static inline double
log_choose(const SdcLikelihood *likelihood, int a, int b)
{
	return likelihood->factorial[a] - likelihood->factorial[b] - likelihood->factorial[a - b];
}

/* take_weights computes C(m - c, u) / C(m, k) for all u that a draw can have. */
static void
take_weights(const SdcLikelihood *likelihood, SdcLikelihoodDraw *draw)
{
	int			others = draw->columns - draw->active;

	if (draw->weight_of == draw->active)
		return;
	draw->weight_of = draw->active;
	for (int u = 0; u <= draw->k; u++)
		draw->weight[u] = u > others ? 0 : exp(log_choose(likelihood, others, u) -
											   log_choose(likelihood, draw->columns, draw->k));
}

/* take_unchanged computes how likely RA 1 changes nothing that counts. */
static void
take_unchanged(const SdcLikelihood *likelihood, SdcLikelihoodDraw *draw, uint32 original)
{
	double		others = 1;
	double		again = 0;

	for (int a = 0; a < draw->active; a++)
	{
		const SdcCandidatesColumn *column = &likelihood->task->column[column_at(draw, a)];

		others -= column->probability;
		again += column->probability * column->share[column->original[original]];
	}
	draw->unchanged = others + again > 0 ? log(others + again) : -INFINITY;
}

/* sdc_likelihood_take: see likelihood.h. */
void
sdc_likelihood_take(SdcLikelihood *likelihood, uint32 original)
{
	const SdcCandidatesColumn *column = likelihood->task->column;

	if (likelihood->original == original)
		return;
	likelihood->original = original;
	likelihood->stamp++;
	for (int s = 0; s < likelihood->draws; s++)
	{
		SdcLikelihoodDraw *draw = &likelihood->draw[s];

		/* the stamps have come round: nothing of the first time may be left */
		if (likelihood->stamp == 0)
			memset(draw->cache, 0, SDC_LIKELIHOOD_CACHE * sizeof(SdcLikelihoodCached));
		draw->active = 0;
		for (int a = 0; a < draw->known; a++)
			if (column[draw->column[a]].original[original] != SDC_CODE_NULL)
				draw->at[draw->active++] = a;
		if (draw->laws || draw->retain > 0)
			continue;
		if (draw->single)
			take_unchanged(likelihood, draw, original);
		else
			take_weights(likelihood, draw);
	}
	if (likelihood->stamp == 0)
		likelihood->stamp = 1;
}

/* weight_of is C(m - c, u) / C(m, k), where c is less by so many blanks. */
static double
weight_of(const SdcLikelihood *likelihood, const SdcLikelihoodDraw *draw, int blanks, int u)
{
	int			others = draw->columns - draw->active + blanks;

	if (blanks == 0)
		return draw->weight[u];
	return u > others ? 0 : exp(log_choose(likelihood, others, u) -
								log_choose(likelihood, draw->columns, draw->k));
}

/* weigh_same is the logarithm of the sum over t, for the polynomial of so many columns and so many blanks. */
static double
weigh_same(const SdcLikelihood *likelihood, const SdcLikelihoodDraw *draw, int same, int blanks, bool inverted)
{
	int			rest = draw->k - (draw->active - blanks - same);
	double		sum = 0;

	for (int t = 0; t <= same && t <= rest; t++)
		sum += likelihood->polynomial[inverted ? same - t : t] * weight_of(likelihood, draw, blanks, rest - t);
	return sum <= 0 ? -INFINITY : log(sum);
}

/* extend_polynomial adds a column with a share to the elementary symmetric polynomials of so many. */
static inline void
extend_polynomial(double *polynomial, int count, double share)
{
	polynomial[count + 1] = 0;
	for (int t = count + 1; t > 0; t--)
		polynomial[t] += share * polynomial[t - 1];
}

/* keep_same computes what a record has by PRAM besides the shares of its values: a logarithm. */
static double
keep_same(const SdcLikelihood *likelihood, const SdcLikelihoodDraw *draw, uint32 record)
{
	double		sum = 0;

	for (int a = 0; a < draw->active; a++)
	{
		const SdcCandidatesColumn *column = &likelihood->task->column[column_at(draw, a)];
		uint32		code = column->original[likelihood->original];

		if (column->protected[record] == code)
			sum += log(draw->retain + (1 - draw->retain) * column->share[code]);
		else if (!column->blanks || column->protected[record] != SDC_CODE_NULL)
			sum += log1p(-draw->retain);
	}
	return sum;
}

/* sum_same computes the sum over t of RA 2 for a record, or what takes its place. */
static double
sum_same(SdcLikelihood *likelihood, const SdcLikelihoodDraw *draw, uint32 record)
{
	double	   *polynomial = likelihood->polynomial;
	int			same = 0;
	int			blanks = 0;

	if (draw->retain > 0)
		return keep_same(likelihood, draw, record);
	polynomial[0] = 1;
	for (int a = 0; a < draw->active; a++)
	{
		const SdcCandidatesColumn *column = &likelihood->task->column[column_at(draw, a)];
		uint32		code = column->original[likelihood->original];

		if (column->protected[record] == code)
			extend_polynomial(polynomial, same++, column->share[code]);
		else if (column->blanks && column->protected[record] == SDC_CODE_NULL)
			blanks++;
	}
	return weigh_same(likelihood, draw, same, blanks, false);
}

/* remember_same returns the sum over t, from the last time that the same columns differed and had blanks. */
static double
remember_same(SdcLikelihood *likelihood, SdcLikelihoodDraw *draw, uint64 differs, uint64 blank, uint32 record)
{
	SdcLikelihoodCached *cached;

	if (draw->active > SET_COLUMNS)
		return sum_same(likelihood, draw, record);
	cached = &draw->cache[((differs ^ blank * UINT64_C(0xD6E8FEB86659FD93)) * UINT64_C(0x9E3779B97F4A7C15)) >> 54];
	if (cached->stamp != likelihood->stamp || cached->differs != differs || cached->blank != blank)
	{
		cached->stamp = likelihood->stamp;
		cached->differs = differs;
		cached->blank = blank;
		cached->same = sum_same(likelihood, draw, record);
	}
	return cached->same;
}

/* log_law is the likelihood that a column's law makes one value of another. */
static inline double
log_law(const SdcCandidatesColumn *column, uint32 own, uint32 code)
{
	return column->law != NULL ? column->law[(Size) own * column->codes + code] :
		sdc_noiselaw_log(&column->noise, column->value[own], column->value[code]);
}

/* sdc_likelihood_bound: see likelihood.h. */
double
sdc_likelihood_bound(const SdcLikelihood *likelihood, int column, uint32 own, SdcInterval code)
{
	const SdcCandidatesColumn *known = &likelihood->task->column[column];

	if (code.first == code.last)
		return log_law(known, own, code.first);
	if (known->law != NULL)
		return likelihood->most[column][own];
	return sdc_noiselaw_bound(&known->noise, known->value[own], known->value[code.first], known->value[code.last]);
}

/* sdc_likelihood_sure: see likelihood.h. */
bool
sdc_likelihood_sure(const SdcLikelihood *likelihood, int column, uint32 own, SdcInterval code)
{
	const SdcCandidatesColumn *known = &likelihood->task->column[column];

	if (known->law != NULL && code.first != code.last)
		return likelihood->least[column][own] > -INFINITY;
	return log_law(known, own, code.first) > -INFINITY && log_law(known, own, code.last) > -INFINITY;
}

/* log_laws is the likelihood of what the laws of a draw say of a record. */
static double
log_laws(const SdcLikelihood *likelihood, const SdcLikelihoodDraw *draw, uint32 record)
{
	double		sum = 0;

	for (int a = 0; a < draw->active; a++)
	{
		int			j = column_at(draw, a);
		const SdcCandidatesColumn *column = &likelihood->task->column[j];
		uint32		own = column->original[likelihood->original];
		uint32		code = column->protected[record];

		if (code != SDC_CODE_NULL)
			sum += log_law(column, own, code);
		else if (column->blanks)
			sum += likelihood->average[j];
		else
			return -INFINITY;
	}
	return sum;
}

/* log_draw is the likelihood of what a draw says of a record. */
static double
log_draw(SdcLikelihood *likelihood, SdcLikelihoodDraw *draw, uint32 record)
{
	double		changed = 0;
	double		unknown = 0;	/* RA 1: that a column with a blank is drawn, and gets another value */
	uint64		differs = 0;
	uint64		blank = 0;
	int			count = 0;

	if (draw->laws)
		return log_laws(likelihood, draw, record);
	for (int a = 0; a < draw->active; a++)
	{
		int			j = column_at(draw, a);
		const SdcCandidatesColumn *column = &likelihood->task->column[j];
		uint32		own = column->original[likelihood->original];
		uint32		code = column->protected[record];

		if (code == own)
			continue;
		if (code == SDC_CODE_NULL && column->blanks)
		{
			blank |= UINT64_C(1) << (a % SET_COLUMNS);
			changed += likelihood->average[j];
			unknown += draw->single ? column->probability * (1 - column->share[own]) : 0;
			continue;
		}
		if (++count > draw->k || code == SDC_CODE_NULL)
			return -INFINITY;
		differs |= UINT64_C(1) << (a % SET_COLUMNS);
		changed += likelihood->share[j][code];
		if (draw->single)
			changed += column->probability > 0 ? log(column->probability) : -INFINITY;
	}
	if (!draw->single)
		return changed + remember_same(likelihood, draw, differs, blank, record);
	if (count > 0)
		return changed;
	return blank == 0 ? draw->unchanged : changed + log(exp(draw->unchanged) + unknown);
}

/* sdc_likelihood_log: see likelihood.h. */
double
sdc_likelihood_log(SdcLikelihood *likelihood, uint32 record)
{
	double		sum = 0;

	for (int s = 0; s < likelihood->draws; s++)
	{
		double		of_draw = log_draw(likelihood, &likelihood->draw[s], record);

		if (of_draw == -INFINITY)
			return -INFINITY;
		sum += of_draw;
	}
	return sum;
}

/* sdc_likelihood_worth: see likelihood.h. */
double
sdc_likelihood_worth(const SdcLikelihood *likelihood, uint32 record)
{
	double		sum = 0;

	for (int j = 0; j < likelihood->task->count; j++)
	{
		uint32		code;

		if (likelihood->share[j] == NULL)
			continue;
		code = likelihood->task->column[j].protected[record];
		if (code != SDC_CODE_NULL)
			sum += likelihood->share[j][code];
	}
	return sum;
}

/* sort_shares writes the shares of the original's values, ascending, and returns their worth. */
static double
sort_shares(SdcLikelihood *likelihood, const SdcLikelihoodDraw *draw)
{
	double	   *sorted = likelihood->sorted;
	double		worth = 0;

	for (int a = 0; a < draw->active; a++)
	{
		const SdcCandidatesColumn *column = &likelihood->task->column[column_at(draw, a)];
		double		share = column->share[column->original[likelihood->original]];
		int			place = a;

		for (; place > 0 && sorted[place - 1] > share; place--)
			sorted[place] = sorted[place - 1];
		sorted[place] = share;
		worth += log(share);
	}
	return worth;
}

/* bound_single bounds RA 1: the same record, and the one that differs where that is most likely. */
static void
bound_single(const SdcLikelihood *likelihood, SdcLikelihoodDraw *draw, double worth)
{
	draw->bound[0] = draw->unchanged - worth;
	draw->bound[1] = -INFINITY;
	for (int a = 0; a < draw->active; a++)
	{
		int			j = column_at(draw, a);
		const SdcCandidatesColumn *column = &likelihood->task->column[j];
		double		of_column = log(column->probability) - worth +
			likelihood->share[j][column->original[likelihood->original]];

		if (column->probability > 0 && !(of_column <= draw->bound[1]))
			draw->bound[1] = of_column;
	}
}

/* bound_kept bounds PRAM: of so many columns that are the same those with the rarest values. */
static void
bound_kept(const SdcLikelihood *likelihood, SdcLikelihoodDraw *draw)
{
	double		sum = 0;

	for (int same = 0; same <= draw->active; same++)
	{
		draw->bound[draw->active - same] = sum + (draw->active - same) * log1p(-draw->retain);
		if (same < draw->active)
			sum += log(1 - draw->retain + draw->retain / likelihood->sorted[same]);
	}
}

/* sdc_likelihood_bounds: see likelihood.h. */
void
sdc_likelihood_bounds(SdcLikelihood *likelihood, SdcLikelihoodDraw *draw)
{
	double		worth = sort_shares(likelihood, draw);
	double	   *polynomial = likelihood->polynomial;

	if (draw->single)
	{
		bound_single(likelihood, draw, worth);
		return;
	}
	if (draw->retain > 0)
	{
		bound_kept(likelihood, draw);
		return;
	}
	polynomial[0] = 1;
	for (int same = 0; same <= draw->active; same++)
	{
		if (draw->active - same <= draw->k)
			draw->bound[draw->active - same] = weigh_same(likelihood, draw, same, 0, true);
		if (same < draw->active)
			extend_polynomial(polynomial, same, 1 / likelihood->sorted[same]);
	}
}

/* A walk through the sets of columns of RA 2 or PRAM that can differ. */
typedef struct Walk
{
	SdcLikelihood *likelihood;
	SdcLikelihoodDraw *draw;
	SdcLikelihoodSet found;
	void	   *arg;
	/* by columns decided: the polynomial of those that do not differ */
	double		polynomial[SDC_LIKELIHOOD_SETS + 1][SDC_LIKELIHOOD_SETS + 2];
} Walk;

/* walk_kept decides the next column of PRAM; product is the greatest likelihood so far. */
static void
walk_kept(Walk *walk, int a, uint64 differs, double product)
{
	double		retain = walk->draw->retain;
	const SdcCandidatesColumn *column;

	if (a == walk->draw->active)
	{
		walk->found(walk->arg, differs, product);
		return;
	}
	column = &walk->likelihood->task->column[column_at(walk->draw, a)];
	walk_kept(walk, a + 1, differs | UINT64_C(1) << a,
			  product * (1 - retain) * sdc_likelihood_other(walk->likelihood, column_at(walk->draw, a)));
	walk_kept(walk, a + 1, differs, product *
			  (retain + (1 - retain) * column->share[column->original[walk->likelihood->original]]));
}

/* walk_sets decides the next column; product is that of the greatest shares where it differs. */
static void
walk_sets(Walk *walk, int a, uint64 differs, double product)
{
	const SdcLikelihoodDraw *draw = walk->draw;
	int			same = a - __builtin_popcountll(differs);
	const SdcCandidatesColumn *column;
	double		sum = 0;

	if (a == draw->active)
	{
		int			rest = draw->k - (a - same);

		for (int t = 0; t <= same && t <= rest; t++)
			sum += walk->polynomial[a][t] * draw->weight[rest - t];
		walk->found(walk->arg, differs, product * sum);
		return;
	}
	column = &walk->likelihood->task->column[column_at(draw, a)];
	if (a - same < draw->k)
	{
		memcpy(walk->polynomial[a + 1], walk->polynomial[a], (same + 1) * sizeof(double));
		walk_sets(walk, a + 1, differs | UINT64_C(1) << a,
				  product * sdc_likelihood_other(walk->likelihood, column_at(draw, a)));
	}
	memcpy(walk->polynomial[a + 1], walk->polynomial[a], (same + 1) * sizeof(double));
	extend_polynomial(walk->polynomial[a + 1], same,
					  column->share[column->original[walk->likelihood->original]]);
	walk_sets(walk, a + 1, differs, product);
}

/* sdc_likelihood_sets: see likelihood.h. */
void
sdc_likelihood_sets(SdcLikelihood *likelihood, SdcLikelihoodDraw *draw, SdcLikelihoodSet found,
					void *arg)
{
	Walk		walk = {.likelihood = likelihood, .draw = draw, .found = found, .arg = arg};

	if (!draw->single)
	{
		SDC_ASSERT(draw->active <= SDC_LIKELIHOOD_SETS);
		walk.polynomial[0][0] = 1;
		if (draw->retain > 0)
			walk_kept(&walk, 0, 0, 1);
		else
			walk_sets(&walk, 0, 0, 1);
		return;
	}
	found(arg, 0, exp(draw->unchanged));
	for (int a = 0; a < draw->active; a++)
	{
		int			j = column_at(draw, a);

		found(arg, UINT64_C(1) << a, likelihood->task->column[j].probability *
			  sdc_likelihood_other(likelihood, j));
	}
}

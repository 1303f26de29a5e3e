/*-------------------------------------------------------------------------
 *
 * lostvalues.c
 *		What the moments of a file can be when some of its values are lost.
 *
 * A value is lost when the original file has it and the protected one does not.  It can be anything between the least
 * and the greatest value of the original attribute, and a standard deviation beyond either.  The bounds of a moment
 * are the least and the greatest number that it has over all values that the lost ones can be.
 *
 * One more lost value widens the set of what all of them can be, if the value that was there is in the range.  So
 * bounds only move apart, and nothing that is measured as the largest change within them can fall.  The standard
 * deviation is for methods that add noise: a value may lie beyond those of the original file.
 *
 * The bounds are in closed form.  A sum of products is linear in each of its values: it is least and greatest with
 * every lost value at an end of its range.  With values measured from the lower ends, in units of the ranges, and t
 * of q lost pairs of N at both upper ends and the others at both lower ends, it has the term
 *
 *		t - (U + t) (V + t) / N				U, V: the sums of the values that are there
 *
 * which is greatest at t = (N - U - V) / 2; pairs at different ends only make it less.  It is least when every lost
 * pair is at different ends: t at the upper end of x has the term -(U + t) (V + q - t) / N, which is least at
 * t = (V + q - U) / 2.  Either is a parabola, so its best whole number is the nearest one.  The least sum of squares
 * is that of the values that are there: the others may all be their mean.
 *
 * The bounds of a correlation follow from those of its three sums, and are a little wider than they need to be, as
 * the sums do not reach their ends together.
 *
 * O(1) for each moment.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/loss/lostvalues.h"

/* sdc_lostvalues_range: a single value has no standard deviation, and no values have no range. */
SdcLostRange
sdc_lostvalues_range(const SdcMomentsCells *cells, const SdcMoments *original)
{
	double		deviation = original->n < 2 ? 0 :
		sqrt(original->m2 / (original->mass - original->mass / (double) original->n));

	return (SdcLostRange) {cells->least - deviation, cells->greatest + deviation};
}

/* sdc_lostvalues_from_zero: see lostvalues.h. */
SdcLostRange
sdc_lostvalues_from_zero(SdcLostRange range)
{
	return (SdcLostRange) {range.low < 0 ? range.low : 0, range.high > 0 ? range.high : 0};
}

/* sdc_lostvalues_farthest: NaN if one of the numbers is. */
double
sdc_lostvalues_farthest(double number, SdcLostRange range)
{
	double		below = fabs(range.low - number);
	double		above = fabs(range.high - number);

	return above > below || above != above ? above : below;
}

/* sdc_lostvalues_mean: see lostvalues.h. */
SdcLostRange
sdc_lostvalues_mean(const SdcMoments *original, const SdcMoments *protected, double lost, SdcLostRange range)
{
	SdcMomentsMean from = sdc_moments_mean(original);
	double		there = protected->n == 0 ? 0 : sdc_moments_distance(original, protected);
	double		share = lost / (lost + protected->mass);

	if (lost == 0)
		return (SdcLostRange) {there, there};
	return (SdcLostRange) {there + share * ((range.low - from.high) - from.low - there),
		there + share * ((range.high - from.high) - from.low - there)};
}

/* Lost values of a pair, at the ends of their ranges: how many of each are at the upper end, and of how many both. */
typedef struct Placed
{
	double		x;
	double		y;
	double		both;
} Placed;

/* nearest_count is the number from 0 to most that is nearest to a number; of records without weights it is whole. */
static double
nearest_count(double number, double most, bool whole)
{
	double		count = whole ? round(number) : number;

	return count < 0 ? 0 : count > most ? most : count;
}

/* The sums of what is there, from the lower ends of the ranges and in their units. */
typedef struct There
{
	double		n;
	double		x;
	double		y;
} There;

/* sum_placed is the sum of products when the lost values are somewhere: that of both parts, and of their means. */
static double
sum_placed(double cross, const There *there, double lost, double unit, Placed placed)
{
	double		inner = placed.both - placed.x * placed.y / lost;
	double		x = there->n > 0 ? there->x / there->n - placed.x / lost : 0;
	double		y = there->n > 0 ? there->y / there->n - placed.y / lost : 0;

	return cross + unit * (inner + x * y * (there->n * lost / (there->n + lost)));
}

/* sum_above is the sum of values above a point, in some unit. */
static double
sum_above(const SdcMoments *moments, double point, double unit)
{
	SdcMomentsMean mean = sdc_moments_mean(moments);

	return moments->n == 0 ? 0 : moments->mass * (((mean.high - point) + mean.low) / unit);
}

/* sdc_lostvalues_products: the ends of a range that has no width are one. */
SdcLostRange
sdc_lostvalues_products(const SdcMomentsPair *protected, double lost, SdcLostRange x, SdcLostRange y)
{
	double		cross = protected->cross[SDC_MOMENTS_11];
	double		width_x = x.high - x.low;
	double		width_y = y.high - y.low;
	There		there = {protected->x->mass, 0, 0};
	bool		whole = protected->x->mass == (double) protected->x->n && lost == floor(lost);
	Placed		most;
	Placed		least;

	if (lost == 0 || width_x == 0 || width_y == 0)
		return (SdcLostRange) {cross, cross};
	there.x = sum_above(protected->x, x.low, width_x);
	there.y = sum_above(protected->y, y.low, width_y);
	most.x = nearest_count((there.n + lost - there.x - there.y) / 2, lost, whole);
	most.y = most.both = most.x;
	least.x = nearest_count((there.y + lost - there.x) / 2, lost, whole);
	least.y = lost - least.x;
	least.both = 0;
	return (SdcLostRange) {sum_placed(cross, &there, lost, width_x * width_y, least),
		sum_placed(cross, &there, lost, width_x * width_y, most)};
}

/* sdc_lostvalues_squares: an attribute is a pair with itself. */
SdcLostRange
sdc_lostvalues_squares(const SdcMoments *protected, double lost, SdcLostRange range)
{
	SdcMomentsPair pair = {protected, protected, &protected->m2};

	return (SdcLostRange) {protected->m2, sdc_lostvalues_products(&pair, lost, range, range).high};
}

/* correlation_from is a correlation from its sums: with the smaller squares it is farther from 0. */
static double
correlation_from(double products, SdcLostRange x, SdcLostRange y)
{
	bool		small = products > 0;
	double		correlation = products / (sqrt(small ? x.low : x.high) * sqrt(small ? y.low : y.high));

	return correlation > 1 ? 1 : correlation < -1 ? -1 : correlation;
}

/* sdc_lostvalues_correlation: the sums of an attribute that does not vary tell nothing. */
SdcLostRange
sdc_lostvalues_correlation(const SdcMomentsPair *protected, double lost, SdcLostRange x, SdcLostRange y)
{
	SdcLostRange products = sdc_lostvalues_products(protected, lost, x, y);
	SdcLostRange squares_x = sdc_lostvalues_squares(protected->x, lost, x);
	SdcLostRange squares_y = sdc_lostvalues_squares(protected->y, lost, y);

	if (!(protected->x->m2 > 0 && squares_x.high <= DBL_MAX) ||
		!(protected->y->m2 > 0 && squares_y.high <= DBL_MAX))
		return (SdcLostRange) {NAN, NAN};
	return (SdcLostRange) {-correlation_from(-products.low, squares_x, squares_y),
		correlation_from(products.high, squares_x, squares_y)};
}

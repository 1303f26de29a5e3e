/*-------------------------------------------------------------------------
 *
 * normal.c
 *		The normal distribution, and the laws of noise that follows it.
 *
 * J. Kim, "A method for limiting disclosure in microdata based on random noise and transformation", ASA Proceedings of
 * the Section on Survey Research Methods (1986); R. Brand, "Microdata protection through noise addition", LNCS 2316
 * (2002).  That the law is cut to bounds, and what it is for rounded numbers, is ours.
 *
 * A released number is turned into the z that makes it, so that all laws are one: of a number that is rounded the
 * ends of what is rounded to it are.  Of the scaled one they are on the side of 0 on which x is.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/normal.h"

/* From here on the series of the tail is exact to 10^-9 and better. */
#define TAIL_SERIES 26.0

/* sdc_normal_below: see normal.h. */
double
sdc_normal_below(double z)
{
	/* so far out it is 1 to the last bit */
	return z >= 9.0 ? 1.0 : 0.5 * erfc(-z * M_SQRT1_2);
}

/* horner7 evaluates a polynomial with eight coefficients, lowest first. */
static inline double
horner7(const double *c, double x)
{
	return ((((((c[7] * x + c[6]) * x + c[5]) * x + c[4]) * x + c[3]) * x +
			 c[2]) * x + c[1]) * x + c[0];
}

/*
 * sdc_normal_quantile: see normal.h.  M. J. Wichura, "Algorithm AS 241: The percentage points of
 * the normal distribution", Applied Statistics 37, 1988, routine PPND16.
 */
double
sdc_normal_quantile(double p)
{
	static const double a[] = {
		3.3871328727963666080e0, 1.3314166789178437745e2,
		1.9715909503065514427e3, 1.3731693765509461125e4,
		4.5921953931549871457e4, 6.7265770927008700853e4,
		3.3430575583588128105e4, 2.5090809287301226727e3
	};
	static const double b[] = {
		1.0, 4.2313330701600911252e1,
		6.8718700749205790830e2, 5.3941960214247511077e3,
		2.1213794301586595867e4, 3.9307895800092710610e4,
		2.8729085735721942674e4, 5.2264952788528545610e3
	};
	static const double c[] = {
		1.42343711074968357734e0, 4.63033784615654529590e0,
		5.76949722146069140550e0, 3.64784832476320460504e0,
		1.27045825245236838258e0, 2.41780725177450611770e-1,
		2.27238449892691845833e-2, 7.74545014278341407640e-4
	};
	static const double d[] = {
		1.0, 2.05319162663775882187e0,
		1.67638483018380384940e0, 6.89767334985100004550e-1,
		1.48103976427480074590e-1, 1.51986665636164571966e-2,
		5.47593808499534494600e-4, 1.05075007164441684324e-9
	};
	static const double e[] = {
		6.65790464350110377720e0, 5.46378491116411436990e0,
		1.78482653991729133580e0, 2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3,
		2.71155556874348757815e-5, 2.01033439929228813265e-7
	};
	static const double f[] = {
		1.0, 5.99832206555887937690e-1,
		1.36929880922735805310e-1, 1.48753612908506148525e-2,
		7.86869131145613259100e-4, 1.84631831751005468180e-5,
		1.42151175831644588870e-7, 2.04426310338993978564e-15
	};
	double		q = p - 0.5;
	double		r;
	double		z;

	if (fabs(q) <= 0.425)
	{
		r = 0.180625 - q * q;
		return q * horner7(a, r) / horner7(b, r);
	}
	r = sqrt(-log(q < 0 ? p : 1.0 - p));
	if (r <= 5.0)
		z = horner7(c, r - 1.6) / horner7(d, r - 1.6);
	else
		z = horner7(e, r - 5.0) / horner7(f, r - 5.0);
	return q < 0 ? -z : z;
}

/* log_tail is the logarithm of the probability above z. */
static double
log_tail(double z)
{
	double		r = 1 / (z * z);

	if (z < TAIL_SERIES)
		return log(0.5 * erfc(z * M_SQRT1_2));
	return -0.5 * z * z - log(z * sqrt(2 * M_PI)) + log1p(-r * (1 - r * (3 - 15 * r)));
}

/* is_narrow tells whether the density at z, the middle, is enough for the mass of an interval. */
static inline bool
is_narrow(double z, double width)
{
	return width < SDC_NORMAL_NARROW && fabs(z) * width < 0.1;
}

/* log_narrow is the logarithm of the mass of a narrow interval. */
static inline double
log_narrow(double z, double width)
{
	return log(width) - 0.5 * z * z - 0.5 * log(2 * M_PI) + log1p((z * z - 1) * width * width / 24);
}

/* sdc_normal_log_mass: see normal.h.  Above 0 it looks from the other side, where probabilities have more digits. */
double
sdc_normal_log_mass(double low, double high)
{
	double		above;
	double		beyond;

	if (low >= high)
		return -INFINITY;
	if (low + high < 0)
		return sdc_normal_log_mass(-high, -low);
	if (is_narrow(0.5 * (low + high), high - low))
		return log_narrow(0.5 * (low + high), high - low);
	if (low < 0)
		return log(sdc_normal_below(high) - sdc_normal_below(low));
	above = log_tail(low);
	beyond = high == INFINITY ? -INFINITY : log_tail(high);
	return above + log1p(-exp(beyond - above));
}

/* standard is the z that makes y of x; of the scaled law y and x have the same sign, or y is 0. */
static double
standard(const SdcNoiseLaw *law, double x, double y)
{
	switch (law->kind)
	{
		case SDC_NOISE_SCALED:
			return (log(y / x) + 0.5 * law->scale * law->scale) / law->scale;
		case SDC_NOISE_SHRUNK:
			return (law->mean + (y - law->mean) * law->shrink - x) / law->scale;
		case SDC_NOISE_ADDED:
		case SDC_NOISE_NONE:
			break;
	}
	return (y - x) / law->scale;
}

/* ends_of finds the ends of z: of what is at most low to high.  A negative x scales the other way round. */
static void
ends_of(const SdcNoiseLaw *law, double x, double low, double high, double *first, double *last)
{
	bool		scaled = law->kind == SDC_NOISE_SCALED;

	if (scaled && x > 0)
		low = fmax(low, 0);
	if (scaled && x < 0)
		high = fmin(high, 0);
	if (!(low < high))
	{
		*first = *last = 0;
		return;
	}
	*first = scaled && x < 0 ? (high == 0 ? -INFINITY : standard(law, x, high)) :
		scaled && low == 0 ? -INFINITY : low == -INFINITY ? -INFINITY : standard(law, x, low);
	*last = scaled && x < 0 ? (low == -INFINITY ? INFINITY : standard(law, x, low)) :
		high == INFINITY ? INFINITY : standard(law, x, high);
}

/* sdc_noiselaw_draw: see normal.h. */
double
sdc_noiselaw_draw(const SdcNoiseLaw *law, double x, double u)
{
	double		z;

	if (law->low != -INFINITY || law->high != INFINITY)
	{
		double		first;
		double		last;

		ends_of(law, x, law->low, law->high, &first, &last);
		u = sdc_normal_below(first) + (sdc_normal_below(last) - sdc_normal_below(first)) * u;
		z = u <= 0 ? first : u >= 1 ? last : fmin(fmax(sdc_normal_quantile(u), first), last);
	}
	else
		z = sdc_normal_quantile(u);
	switch (law->kind)
	{
		case SDC_NOISE_SCALED:
			x *= exp(law->scale * z - 0.5 * law->scale * law->scale);
			break;
		case SDC_NOISE_SHRUNK:
			x = law->mean + (x + law->scale * z - law->mean) / law->shrink;
			break;
		case SDC_NOISE_ADDED:
		case SDC_NOISE_NONE:
			x += law->scale * z;
			break;
	}
	return fmin(fmax(x, law->low), law->high);
}

/*
 * log_rounded finds the logarithm of the mass of what is rounded to y, if that is narrow.  The width is not the
 * difference of two ends: a unit can be less than what doubles of the size of y can tell apart.  false: not narrow.
 */
static bool
log_rounded(const SdcNoiseLaw *law, double x, double y, double *log_mass)
{
	double		below = fmin(law->unit / 2, y - law->low);
	double		above = fmin(law->unit / 2, law->high - y);
	double		width = below + above;
	double		middle = y + (above - below) / 2;
	double		z;

	if (!(below >= 0 && above >= 0 && width > 0))
		return false;
	switch (law->kind)
	{
		case SDC_NOISE_SCALED:
			if (!(middle / x > 0 && width < fabs(middle)))
				return false;
			width /= 2 * middle;
			z = standard(law, x, middle) + log1p(-width * width) / 2 / law->scale;
			width = 2 * atanh(fabs(width)) / law->scale;
			break;
		case SDC_NOISE_SHRUNK:
			z = standard(law, x, middle);
			width *= law->shrink / law->scale;
			break;
		case SDC_NOISE_ADDED:
		case SDC_NOISE_NONE:
		default:
			z = standard(law, x, middle);
			width /= law->scale;
			break;
	}
	if (!is_narrow(z, width))
		return false;
	*log_mass = log_narrow(z, width);
	return true;
}

/* is_kept tells whether a number stays as it is. */
static inline bool
is_kept(const SdcNoiseLaw *law, double x)
{
	return !isfinite(x) || (law->kind == SDC_NOISE_SCALED && x == 0);
}

/* sdc_noiselaw_class: see normal.h. */
SdcNoiseClass
sdc_noiselaw_class(const SdcNoiseLaw *law, double x)
{
	if (!isfinite(x))
		return isnan(x) ? SDC_NOISE_NAN : SDC_NOISE_INFINITE;
	if (law->kind != SDC_NOISE_SCALED || law->unit > 0)
		return SDC_NOISE_FINITE;
	return x > 0 ? SDC_NOISE_POSITIVE : x < 0 ? SDC_NOISE_NEGATIVE : SDC_NOISE_ZERO;
}

/* sdc_noiselaw_below: see normal.h. */
double
sdc_noiselaw_below(const SdcNoiseLaw *law, double x, double y)
{
	if (is_kept(law, x))
		return x < y ? 1 : 0;
	if (law->kind == SDC_NOISE_SCALED && !(y / x > 0))
		return x < 0 && y >= 0 ? 1 : 0;
	/* a number below 0 is the lower, the larger its factor */
	return law->kind == SDC_NOISE_SCALED && x < 0 ? sdc_normal_below(-standard(law, x, y)) :
		sdc_normal_below(standard(law, x, y));
}

/* log_cut is the logarithm of how likely a draw for x is between the bounds. */
static double
log_cut(const SdcNoiseLaw *law, double x)
{
	double		first;
	double		last;

	if (law->low == -INFINITY && law->high == INFINITY)
		return 0;
	ends_of(law, x, law->low, law->high, &first, &last);
	return sdc_normal_log_mass(first, last);
}

/* log_density is the logarithm of the density at y, without a cut: y has the sign of x if the law is scaled. */
static double
log_density(const SdcNoiseLaw *law, double x, double y)
{
	double		z = standard(law, x, y);

	return -0.5 * z * z - 0.5 * log(2 * M_PI) - log(law->scale) +
		(law->kind == SDC_NOISE_SCALED ? -log(fabs(y)) : law->kind == SDC_NOISE_SHRUNK ? log(law->shrink) : 0);
}

/* sdc_noiselaw_log: see normal.h. */
double
sdc_noiselaw_log(const SdcNoiseLaw *law, double x, double y)
{
	double		first;
	double		last;
	double		log_mass;

	if (is_kept(law, x) || !isfinite(y))
		return x == y || (isnan(x) && isnan(y)) ? 0 : -INFINITY;
	if (law->unit > 0)
	{
		if (!log_rounded(law, x, y, &log_mass))
		{
			ends_of(law, x, fmax(y - law->unit / 2, law->low), fmin(y + law->unit / 2, law->high), &first, &last);
			log_mass = sdc_normal_log_mass(first, last);
		}
		return log_mass - log_cut(law, x);
	}
	if (y < law->low || y > law->high || (law->kind == SDC_NOISE_SCALED && !(y / x > 0)))
		return -INFINITY;
	return log_density(law, x, y) - log_cut(law, x);
}

/* sdc_noiselaw_bound: see normal.h.  No unit has more mass than the density where it is greatest says. */
double
sdc_noiselaw_bound(const SdcNoiseLaw *law, double x, double low, double high)
{
	double		nearest = x;	/* to the mode, of what is rounded to one of them */
	double		bound;

	if (is_kept(law, x))
		return x < low || x > high ? -INFINITY : 0;
	if (isnan(low))
		return -INFINITY;
	if (law->kind == SDC_NOISE_SCALED)
		nearest = x * exp(-1.5 * law->scale * law->scale);
	else if (law->kind == SDC_NOISE_SHRUNK)
		nearest = law->mean + (x - law->mean) / law->shrink;
	if (nearest < low - law->unit / 2)
		nearest = low - law->unit / 2;
	else if (nearest > high + law->unit / 2)
		nearest = high + law->unit / 2;
	if (law->kind == SDC_NOISE_SCALED && !(nearest / x > 0))
		return -INFINITY;
	bound = log_density(law, x, nearest) - log_cut(law, x);
	return law->unit > 0 ? fmin(bound + log(law->unit), 0) : bound;
}

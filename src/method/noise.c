/*-------------------------------------------------------------------------
 *
 * noise.c
 *		Numbers and noise.
 *
 * J. Kim 1986, R. Brand 2002 (kernel/base/normal.c).  Of every record one uniform of 53 bits is drawn from the
 * stream of the column, which the inverse of the normal distribution makes a number of: so what becomes of a cell
 * depends on its key, column and seed alone.  Correlated noise is that of several columns: the numbers are multiplied
 * with a Cholesky factor of their covariances, the pivot being the column with the greatest rest; a rest of less than
 * 10^-10 of its variance is none.
 *
 * Standard deviations and covariances are sums of deviations from the means, compensated, in the order of the key.
 * What is not finite, or missing, has no part in them, and stays.
 *
 * Memory: nothing that grows with the records; of correlated noise eight bytes for each cell, in temporary files.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "kernel/base/moments.h"
#include "kernel/base/normal.h"
#include "method/continued/night.h"
#include "method/noise.h"
#include "method/randomize.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/base/shortest.h"
#include "relation/catalog/methods.h"
#include "relation/catalog/steps.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/json.h"
#include "utils/numeric.h"

/* Rests of variances that are rounding of 0, as part of the variance. */
#define PIVOT_LEAST 1e-10

/* number_of returns the number of the next value of a column; NaN where there is none, or it is not finite. */
static double
number_of(const SdcAttribute *attribute, SdcColumnReader *reader, Datum *value, bool *valid)
{
	*valid = sdc_column_next(reader, value);
	return *valid ? sdc_type_number(&attribute->type, *value) : NAN;
}

/* ------------------------------------------------------------------------
 * What the law of a column needs
 * ------------------------------------------------------------------------
 */

/* scale_of returns how many decimals the values of a decimal column have at most; its type can say so. */
static int
scale_of(const SdcAttribute *attribute, SdcColumn *column)
{
	SdcColumnReader *reader;
	int			most = 0;

	if (attribute->typmod >= (int32) VARHDRSZ)
		/* eleven bits with a sign */
		return (((attribute->typmod - VARHDRSZ) & 0x7FF) ^ 1024) - 1024;
	reader = sdc_column_open(column);
	for (uint64 r = 0; r < sdc_column_count(column); r++)
	{
		Datum		value;

		if (sdc_column_next(reader, &value) && isfinite(sdc_type_number(&attribute->type, value)))
			most = Max(most, DatumGetInt32(DirectFunctionCall1(numeric_scale, value)));
		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(reader);
	return most;
}

/* add_up sums the squares of the deviations from the mean, or the values, and counts those outside of the bounds. */
static double
add_up(const SdcAttribute *attribute, SdcColumn *column, const SdcNoiseColumn *found, bool deviations, uint64 *count,
	   uint64 *outside)
{
	SdcColumnReader *reader = sdc_column_open(column);
	SdcMomentsSum sum = {0, 0};

	*count = *outside = 0;
	for (uint64 r = 0; r < sdc_column_count(column); r++)
	{
		Datum		value;
		bool		valid;
		double		x = number_of(attribute, reader, &value, &valid);

		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if (!isfinite(x))
			continue;
		(*count)++;
		*outside += x < found->low || x > found->high;
		sdc_moments_add(&sum, deviations ? (x - found->mean) * (x - found->mean) : x);
	}
	sdc_column_close(reader);
	return sdc_moments_total(&sum);
}

/* find_column finds the mean, standard deviation and unit of a column, and insists on values within its bounds. */
static void
find_column(const SdcNoising *noising, const SdcAttribute *attribute, SdcColumn *column, SdcNoiseColumn *found)
{
	uint64		count;
	uint64		outside;
	double		sum;

	(void) sdc_noiseparameters_bounds(noising->bounds, NameStr(attribute->name), found);
	found->unit = sdc_type_is_binary(&attribute->type) ? 0 :
		attribute->type.base == NUMERICOID ? pow(10, -scale_of(attribute, column)) : 1;
	if (found->unit > 0)
	{
		/* so that what is rounded stays within them */
		found->low = ceil(found->low / found->unit) * found->unit;
		found->high = floor(found->high / found->unit) * found->unit;
	}
	sum = add_up(attribute, column, found, false, &count, &outside);
	if (outside > 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" has values outside of its bounds", NameStr(attribute->name)),
				 errdetail(UINT64_FORMAT " of " UINT64_FORMAT " values are.", outside, count),
				 errhint("Wider bounds hold them, or code them first: sdc_recode.")));
	found->mean = count > 0 ? sum / (double) count : 0;
	sum = add_up(attribute, column, found, true, &count, &outside);
	found->sd = count > 1 ? sqrt(sum / (double) (count - 1)) : 0;
	if (!isfinite(found->mean) || !isfinite(found->sd))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("column \"%s\": the standard deviation is out of range", NameStr(attribute->name))));
}

/* read_column takes them from the release that is continued. */
static bool
read_column(const SdcMethodStep *step, const SdcAttribute *attribute, SdcNoiseColumn *found)
{
	const SdcStep *before;
	SdcNoiseScheme scheme;
	double		amount;

	if (step->night == NULL || step->continuing == NULL || !OidIsValid(step->night->before))
		return false;
	before = sdc_steps_find(sdc_steps_of(&step->night->row), NameStr(attribute->name));
	return before != NULL && sdc_noiseparameters_read(before->parameters, NameStr(attribute->name), &scheme, &amount,
													  found);
}

/* ------------------------------------------------------------------------
 * Values
 * ------------------------------------------------------------------------
 */

/* refuse_range raises the error about a number that the type does not have. */
static void
refuse_range(const SdcAttribute *attribute)
{
	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("column \"%s\": a number with noise is out of the range of its type", NameStr(attribute->name)),
			 errhint("Bounds keep it within: bounds => '{\"column\": [low, high]}'.")));
}

/* value_of makes a value of a number, rounded to the unit: halves away from zero. */
static Datum
value_of(const SdcAttribute *attribute, const SdcNoiseColumn *column, double y)
{
	double		whole = round(y);

	if (attribute->type.base == FLOAT8OID && isfinite(y))
		return Float8GetDatum(y);
	if (attribute->type.base == FLOAT4OID && isfinite((float4) y))
		return Float4GetDatum((float4) y);
	if (attribute->type.base == NUMERICOID && isfinite(y))
		return DirectFunctionCall2(numeric_round,
								   DirectFunctionCall3(numeric_in, CStringGetDatum(sdc_shortest_text(y)),
													   ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)),
								   Int32GetDatum((int32) rint(-log10(column->unit))));
	if (attribute->type.base == INT2OID && whole >= PG_INT16_MIN && whole <= PG_INT16_MAX)
		return Int16GetDatum((int16) whole);
	if (attribute->type.base == INT4OID && whole >= PG_INT32_MIN && whole <= PG_INT32_MAX)
		return Int32GetDatum((int32) whole);
	/* 2^63 itself is too large */
	if (attribute->type.base == INT8OID && whole >= -9223372036854775808.0 && whole < 9223372036854775808.0)
		return Int64GetDatum((int64) whole);
	refuse_range(attribute);
	return (Datum) 0;
}

/* make_column adds noise to a column: drawn by its law from a stream, or what a column of noise has. */
static SdcColumn *
make_column(SdcAttribute *attribute, SdcColumn *original, const SdcNoiseColumn *found, const SdcNoiseLaw *law,
			SdcStream *stream, SdcColumn *noise, const bool *keeps, SdcSpool *spool, uint64 *drawn)
{
	SdcColumn  *result = sdc_column_create(spool, attribute->type.typid);
	SdcColumnReader *reader = sdc_column_open(original);
	SdcColumnReader *noises = noise == NULL ? NULL : sdc_column_open(noise);
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc noise", ALLOCSET_SMALL_SIZES);
	MemoryContext before;

	attribute->changed = 0;
	for (uint64 r = 0; r < sdc_column_count(original); r++)
	{
		Datum		value;
		bool		valid;
		double		x = number_of(attribute, reader, &value, &valid);
		double		u = noise == NULL ? sdc_stream_uniform(stream) : 0;
		Datum		e = (Datum) 0;
		Datum		released = value;

		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if (noises != NULL)
			(void) sdc_column_next(noises, &e);
		if (isfinite(x) && law->kind != SDC_NOISE_NONE && (keeps == NULL || !keeps[r]))
		{
			double		y = noise == NULL ? sdc_noiselaw_draw(law, x, u) :
				law->kind == SDC_NOISE_SHRUNK ? law->mean + (x + DatumGetFloat8(e) - law->mean) / law->shrink :
				x + DatumGetFloat8(e);

			MemoryContextReset(scratch);
			before = MemoryContextSwitchTo(scratch);
			released = value_of(attribute, found, y);
			MemoryContextSwitchTo(before);
			attribute->changed += !sdc_type_equal(&attribute->type, released, value);
			*drawn += 1;
		}
		sdc_column_append(result, released, !valid);
	}
	MemoryContextDelete(scratch);
	sdc_column_close(reader);
	if (noises != NULL)
		sdc_column_close(noises);
	sdc_column_finish(result);
	return result;
}

/* ------------------------------------------------------------------------
 * Steps
 * ------------------------------------------------------------------------
 */

/* note_law notes for the catalog what the law of a column needs, and tells of one that stays as it is. */
static void
note_law(const SdcMethodStep *step, const SdcAttribute *attribute, SdcColumn *column, const SdcNoiseColumn *found)
{
	StringInfo	laws = ((const SdcNoising *) step->arguments)->laws;

	appendStringInfoString(laws, laws->len == 0 ? "" : ", ");
	escape_json(laws, NameStr(attribute->name));
	appendStringInfo(laws, ": {\"mean\": %s, ", sdc_shortest_text(found->mean));
	appendStringInfo(laws, "\"sd\": %s, ", sdc_shortest_text(found->sd));
	appendStringInfo(laws, "\"unit\": %s}", sdc_shortest_text(found->unit));
	if (found->sd > 0 || step->quiet || sdc_column_count(column) == sdc_column_null_count(column))
		return;
	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 errmsg("column \"%s\" is constant, and stays as it is", NameStr(attribute->name)),
			 errdetail("Noise is in proportion to its standard deviation, which is 0.")));
}

/* draw adds noise to a column by itself: SdcMethodStep's draw. */
static SdcColumn *
draw(const SdcMethodStep *step, SdcAttribute *attribute, SdcColumn *original, const bool *keeps, SdcStream *stream,
	 SdcSpool *spool, uint64 *drawn)
{
	const SdcNoising *noising = step->arguments;
	SdcNoiseColumn found;
	SdcNoiseLaw law;

	if (!read_column(step, attribute, &found))
		find_column(noising, attribute, original, &found);
	note_law(step, attribute, original, &found);
	(void) sdc_noiseparameters_law(noising->scheme, noising->amount, &found, &law);
	return make_column(attribute, original, &found, &law, stream, NULL, keeps, spool, drawn);
}

/* The columns of correlated noise. */
typedef struct Together
{
	SdcMethodStep *step;
	SdcSource  *source;
	int		   *index;
	int			count;
	SdcNoiseColumn *found;
	double	   *covariance;		/* row by row */
	double	   *factor;			/* row by row: what of the noise of each column, in the order of the pivots */
	int		   *pivot;			/* columns in the order in which they were taken */
	int			rank;
} Together;

/* next_numbers reads the numbers of a record; it tells whether all are finite. */
static bool
next_numbers(const Together *together, SdcColumnReader **reader, double *x)
{
	bool		complete = true;

	for (int j = 0; j < together->count; j++)
	{
		Datum		value;
		bool		valid;

		x[j] = number_of(&together->source->attributes[together->index[j]], reader[j], &value, &valid);
		complete &= isfinite(x[j]);
	}
	return complete;
}

/* open_all opens a reader of every column. */
static SdcColumnReader **
open_all(const Together *together)
{
	SdcColumnReader **reader = palloc(sizeof(SdcColumnReader *) * together->count);

	for (int j = 0; j < together->count; j++)
		reader[j] = sdc_column_open(together->source->attributes[together->index[j]].column);
	return reader;
}

/* sum_products sums the products of deviations from origin over the records with all columns, and returns how many. */
static uint64
sum_products(const Together *together, const double *origin, SdcMomentsSum *sum, SdcMomentsSum *product)
{
	int			m = together->count;
	SdcColumnReader **reader = open_all(together);
	double	   *x = palloc(sizeof(double) * m);
	uint64		complete = 0;

	for (uint64 r = 0; r < together->source->records; r++)
	{
		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if (!next_numbers(together, reader, x))
			continue;
		complete++;
		for (int j = 0; j < m; j++)
		{
			sdc_moments_add(&sum[j], x[j] - origin[j]);
			for (int k = 0; k <= j; k++)
				sdc_moments_add(&product[j * m + k], (x[j] - origin[j]) * (x[k] - origin[k]));
		}
	}
	for (int j = 0; j < m; j++)
		sdc_column_close(reader[j]);
	return complete;
}

/* find_covariances finds the covariances of the records with all columns: of n - 1. */
static void
find_covariances(Together *together)
{
	int			m = together->count;
	SdcMomentsSum *sum = palloc0(sizeof(SdcMomentsSum) * m);
	SdcMomentsSum *product = palloc0(sizeof(SdcMomentsSum) * m * m);
	double	   *origin = palloc(sizeof(double) * m);
	uint64		n;

	for (int j = 0; j < m; j++)
		origin[j] = together->found[j].mean;
	n = sum_products(together, origin, sum, product);
	for (int j = 0; j < m; j++)
		for (int k = 0; k <= j; k++)
		{
			double		rest = sdc_moments_total(&product[j * m + k]) -
				(n == 0 ? 0 : sdc_moments_total(&sum[j]) * sdc_moments_total(&sum[k]) / (double) n);

			together->covariance[j * m + k] = together->covariance[k * m + j] = n < 2 ? 0 : rest / (double) (n - 1);
		}
	for (int j = 0; j < m; j++)
		together->found[j].sd = sqrt(fmax(together->covariance[j * m + j], 0));
}

/* factorize finds the Cholesky factor, by the greatest rests. */
static void
factorize(Together *together)
{
	int			m = together->count;
	double	   *rest = palloc(sizeof(double) * m);
	bool	   *taken = palloc0(sizeof(bool) * m);

	memset(together->factor, 0, sizeof(double) * m * m);
	for (int j = 0; j < m; j++)
		rest[j] = together->covariance[j * m + j];
	for (together->rank = 0; together->rank < m; together->rank++)
	{
		int			k = together->rank;
		int			best = -1;

		for (int j = 0; j < m; j++)
			if (!taken[j] && rest[j] > PIVOT_LEAST * together->covariance[j * m + j] &&
				(best < 0 || rest[j] > rest[best]))
				best = j;
		if (best < 0)
			break;
		taken[best] = true;
		together->pivot[k] = best;
		together->factor[best * m + k] = sqrt(rest[best]);
		for (int j = 0; j < m; j++)
		{
			double		sum = together->covariance[j * m + best];

			if (taken[j])
				continue;
			for (int i = 0; i < k; i++)
				sum -= together->factor[j * m + i] * together->factor[best * m + i];
			together->factor[j * m + k] = sum / together->factor[best * m + k];
			rest[j] -= together->factor[j * m + k] * together->factor[j * m + k];
		}
	}
}

/* draw_normals draws the numbers of every pivot, from the stream of its column. */
static SdcColumn **
draw_normals(const Together *together, SdcSpool *spool, SdcRandom *random)
{
	SdcColumn **normal = palloc(sizeof(SdcColumn *) * Max(together->rank, 1));

	for (int k = 0; k < together->rank; k++)
	{
		const SdcAttribute *attribute = &together->source->attributes[together->index[together->pivot[k]]];
		SdcStream  *stream = sdc_randomdraws_stream(together->step, random, NameStr(attribute->name), 0);

		normal[k] = sdc_column_create(spool, FLOAT8OID);
		for (uint64 r = 0; r < together->source->records; r++)
		{
			if (r % 4096 == 0)
				CHECK_FOR_INTERRUPTS();
			sdc_column_append(normal[k], Float8GetDatum(sdc_normal_quantile(sdc_stream_uniform(stream))), false);
		}
		sdc_random_verify(random);
		sdc_column_finish(normal[k]);
	}
	return normal;
}

/* mix makes the noise of every column of these numbers. */
static SdcColumn **
mix(const Together *together, SdcColumn **normal, SdcSpool *spool)
{
	double		amount = ((const SdcNoising *) together->step->arguments)->amount;
	int			m = together->count;
	SdcColumn **noise = palloc(sizeof(SdcColumn *) * m);
	SdcColumnReader **reader = palloc(sizeof(SdcColumnReader *) * Max(together->rank, 1));
	double	   *z = palloc(sizeof(double) * m);

	for (int k = 0; k < together->rank; k++)
		reader[k] = sdc_column_open(normal[k]);
	for (int j = 0; j < m; j++)
		noise[j] = sdc_column_create(spool, FLOAT8OID);
	for (uint64 r = 0; r < together->source->records; r++)
	{
		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		for (int k = 0; k < together->rank; k++)
		{
			Datum		value;

			(void) sdc_column_next(reader[k], &value);
			z[k] = DatumGetFloat8(value);
		}
		for (int j = 0; j < m; j++)
		{
			double		e = 0;

			for (int k = 0; k < together->rank; k++)
				e += together->factor[j * m + k] * z[k];
			sdc_column_append(noise[j], Float8GetDatum(amount * e), false);
		}
	}
	for (int k = 0; k < together->rank; k++)
	{
		sdc_column_close(reader[k]);
		sdc_column_destroy(normal[k]);
	}
	for (int j = 0; j < m; j++)
		sdc_column_finish(noise[j]);
	return noise;
}

/* note_covariances notes the covariances for the catalog. */
static void
note_covariances(const Together *together)
{
	StringInfo	text = ((const SdcNoising *) together->step->arguments)->covariances;

	for (int j = 0; j < together->count; j++)
	{
		appendStringInfoString(text, j == 0 ? "" : ", ");
		escape_json(text, NameStr(together->source->attributes[together->index[j]].name));
		for (int k = 0; k < together->count; k++)
		{
			appendStringInfoString(text, k == 0 ? ": {" : ", ");
			escape_json(text, NameStr(together->source->attributes[together->index[k]].name));
			appendStringInfo(text, ": %s", sdc_shortest_text(together->covariance[j * together->count + k]));
		}
		appendStringInfoChar(text, '}');
	}
}

/* protect_together adds correlated noise. */
static void
protect_together(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	const SdcNoising *noising = step->arguments;
	Together	together = {.step = step, .source = source, .count = step->protected_count};
	SdcColumn **noise;

	together.index = sdc_randomdraws_attributes(step, source);
	together.found = palloc0(sizeof(SdcNoiseColumn) * together.count);
	together.covariance = palloc(sizeof(double) * together.count * together.count);
	together.factor = palloc(sizeof(double) * together.count * together.count);
	together.pivot = palloc(sizeof(int) * together.count);
	for (int j = 0; j < together.count; j++)
		find_column(noising, &source->attributes[together.index[j]], source->attributes[together.index[j]].column,
					&together.found[j]);
	find_covariances(&together);
	factorize(&together);
	note_covariances(&together);
	noise = mix(&together, draw_normals(&together, spool, random), spool);
	for (int j = 0; j < together.count; j++)
	{
		SdcAttribute *attribute = &source->attributes[together.index[j]];
		SdcColumn  *original = attribute->column;
		SdcNoiseLaw law;
		uint64		drawn = 0;

		note_law(step, attribute, original, &together.found[j]);
		(void) sdc_noiseparameters_law(noising->scheme, noising->amount, &together.found[j], &law);
		attribute->column = make_column(attribute, original, &together.found[j], &law, NULL, noise[j], NULL, spool,
										&drawn);
		sdc_column_destroy(original);
		sdc_column_destroy(noise[j]);
		sdc_progress_next();
	}
}

/* is_joint tells whether a scheme draws all columns together. */
static bool
is_joint(SdcNoiseScheme scheme)
{
	return scheme == SDC_SCHEME_CORRELATED || scheme == SDC_SCHEME_KIM;
}

/* describe writes the parameters for the catalog. */
static char *
describe(const SdcNoising *noising)
{
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfo(&json, "{\"" SDC_PARAMETER_AMOUNT "\": %s, \"" SDC_PARAMETER_SCHEME "\": \"%s\"",
					 sdc_shortest_text(noising->amount), sdc_noise_schemes[noising->scheme]);
	if (noising->bounds != NULL)
		appendStringInfo(&json, ", \"" SDC_PARAMETER_BOUNDS "\": %s", JsonbToCString(NULL, noising->bounds, -1));
	if (noising->laws->len > 0)
		appendStringInfo(&json, ", \"" SDC_PARAMETER_LAWS "\": {%s}", noising->laws->data);
	if (noising->covariances->len > 0)
		appendStringInfo(&json, ", \"" SDC_PARAMETER_COVARIANCES "\": {%s}", noising->covariances->data);
	appendStringInfoChar(&json, '}');
	return json.data;
}

/* protect adds noise to the columns, each by itself or together. */
static void
protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	const SdcNoising *noising = step->arguments;

	resetStringInfo(noising->laws);
	resetStringInfo(noising->covariances);
	if (is_joint(noising->scheme))
		protect_together(step, source, spool, random);
	else
		sdc_randomize_each(step, source, spool, random);
	step->parameters = describe(noising);
}

/* check_bounds insists on bounds of columns that get noise. */
static void
check_bounds(const SdcMethodStep *step, SdcSource *source)
{
	const SdcNoising *noising = step->arguments;
	JsonbIterator *iterator = NULL;
	JsonbValue	value;
	char	   *name;

	while (noising->bounds != NULL && (name = sdc_parameters_next(noising->bounds, &iterator, &value)) != NULL)
	{
		SdcNoiseColumn column;

		if (!sdc_step_is_of(step, &source->attributes[sdc_source_find_attribute(source, name, "bounds")]))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" has bounds, and gets no noise", name)));
		if (!sdc_noiseparameters_bounds(noising->bounds, name, &column))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("the bounds of column \"%s\" are none", name),
					 errhint("They are two numbers, the least and the greatest, or null for none: {\"hours\": [0, 80]}")));
	}
}

/* check_plan insists on columns of numbers that can have new values. */
static void
check_plan(SdcMethodStep *step, SdcSource *source, Oid catalog_schema, SdcTarget *target)
{
	(void) catalog_schema;
	(void) target;
	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];

		if (!sdc_step_is_of(step, attribute))
			continue;
		if (!sdc_type_is_integer(attribute->type.base) && !sdc_type_is_binary(&attribute->type) &&
			attribute->type.base != NUMERICOID)
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH),
					 errmsg("column \"%s\" cannot get noise", NameStr(attribute->name)),
					 errdetail("Its type is %s, and noise is for numbers.", format_type_be(attribute->type.typid))));
		sdc_type_refuse_new(attribute->type.typid, NameStr(attribute->name), "Cast it to its base type in a view.");
	}
	check_bounds(step, source);
	if (step->continuing != NULL && is_joint(((const SdcNoising *) step->arguments)->scheme))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("correlated noise cannot be continued"),
				 errdetail("The noise of a column that stays would depend on columns that change."),
				 errhint("Use scheme => 'additive' or 'multiplicative'.")));
}

/* sdc_noise_prepare: see noise.h. */
void
sdc_noise_prepare(SdcMethodStep *step, const SdcNoising *noising)
{
	step->method = sdc_methods_find(SDC_METHOD_NOISE);
	step->arguments = noising;
	step->parameters = describe(noising);
	step->changes = SDC_CHANGES_SOME;
	step->unchanged_hint = "Use a larger \"amount\", or leave the column out.";
	step->check_plan = check_plan;
	step->draw = draw;
	step->protect = protect;
	step->can_continue = true;
	step->together = true;
}

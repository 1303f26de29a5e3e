/*-------------------------------------------------------------------------
 *
 * noiseparameters.c
 *		The laws of noise, as the catalog has them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "relation/catalog/methods.h"
#include "relation/catalog/noiseparameters.h"

const char *const sdc_noise_schemes[] = {
	[SDC_SCHEME_ADDITIVE] = "additive",
	[SDC_SCHEME_CORRELATED] = "correlated",
	[SDC_SCHEME_KIM] = "kim",
	[SDC_SCHEME_MULTIPLICATIVE] = "multiplicative",
	NULL
};

/* sdc_noiseparameters_law: see noiseparameters.h. */
bool
sdc_noiseparameters_law(SdcNoiseScheme scheme, double amount, const SdcNoiseColumn *column, SdcNoiseLaw *law)
{
	bool		scaled = scheme == SDC_SCHEME_MULTIPLICATIVE;

	memset(law, 0, sizeof(SdcNoiseLaw));
	if (!(column->sd > 0))
		return false;
	law->kind = scaled ? SDC_NOISE_SCALED : scheme == SDC_SCHEME_KIM ? SDC_NOISE_SHRUNK : SDC_NOISE_ADDED;
	law->scale = scaled ? sqrt(log1p(amount * amount)) : amount * column->sd;
	law->mean = column->mean;
	law->shrink = sqrt(1 + amount * amount);
	law->low = column->low;
	law->high = column->high;
	law->unit = column->unit;
	law->spread = column->sd * (law->kind == SDC_NOISE_SHRUNK ? 1 : law->shrink);
	return true;
}

/* sdc_noiseparameters_bounds: see noiseparameters.h. */
bool
sdc_noiseparameters_bounds(SdcParameters *bounds, const char *name, SdcNoiseColumn *column)
{
	double		low;
	double		high;

	column->low = -INFINITY;
	column->high = INFINITY;
	if (bounds == NULL || !sdc_parameters_has(bounds, name))
		return true;
	if (sdc_parameters_length(bounds, name) != 2)
		return false;
	low = sdc_parameters_element(bounds, name, 0);
	high = sdc_parameters_element(bounds, name, 1);
	if (!isnan(low))
		column->low = low;
	if (!isnan(high))
		column->high = high;
	return column->low < column->high;
}

/* sdc_noiseparameters_read: see noiseparameters.h. */
bool
sdc_noiseparameters_read(SdcParameters *parameters, const char *name, SdcNoiseScheme *scheme, double *amount,
						 SdcNoiseColumn *column)
{
	SdcParameters *laws = sdc_parameters_inner(parameters, SDC_PARAMETER_LAWS);
	SdcParameters *law = laws == NULL ? NULL : sdc_parameters_inner(laws, name);
	const char *word = sdc_parameters_text(parameters, SDC_PARAMETER_SCHEME);

	*amount = sdc_parameters_number(parameters, SDC_PARAMETER_AMOUNT);
	*scheme = SDC_SCHEME_ADDITIVE;
	while (sdc_noise_schemes[*scheme] != NULL && (word == NULL || strcmp(sdc_noise_schemes[*scheme], word) != 0))
		(*scheme)++;
	if (law == NULL || sdc_noise_schemes[*scheme] == NULL || !(*amount > 0) ||
		!sdc_noiseparameters_bounds(sdc_parameters_inner(parameters, SDC_PARAMETER_BOUNDS), name, column))
		return false;
	column->mean = sdc_parameters_number(law, "mean");
	column->sd = sdc_parameters_number(law, "sd");
	column->unit = sdc_parameters_number(law, "unit");
	return isfinite(column->mean) && column->sd >= 0 && column->unit >= 0;
}

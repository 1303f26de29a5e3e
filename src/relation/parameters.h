/*-------------------------------------------------------------------------
 *
 * parameters.h
 *		The parameters of a method, as the catalog has them: a JSON object.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_PARAMETERS_H
#define SDC_RELATION_PARAMETERS_H

#include "utils/jsonb.h"

/* Parameters by name; NULL where there is no object. */
typedef JsonbContainer SdcParameters;

/* sdc_parameters_read reads them from text, in the current memory context. */
extern SdcParameters *sdc_parameters_read(const char *json);

/* How many there are, and whether one of a name is among them. */
extern int	sdc_parameters_count(SdcParameters *parameters);
extern bool sdc_parameters_has(SdcParameters *parameters, const char *name);

/* sdc_parameters_number returns a parameter that is a number, NaN without. */
extern double sdc_parameters_number(SdcParameters *parameters, const char *name);

/* sdc_parameters_element returns a number of a parameter that is an array, NaN without. */
extern double sdc_parameters_element(SdcParameters *parameters, const char *name, int index);

/* sdc_parameters_inner returns a parameter that has parameters itself, NULL without. */
extern SdcParameters *sdc_parameters_inner(SdcParameters *parameters, const char *name);

#endif							/* SDC_RELATION_PARAMETERS_H */

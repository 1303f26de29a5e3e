/*-------------------------------------------------------------------------
 *
 * parameters.h
 *		The parameters of a method, as the catalog has them: a JSON object.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_PARAMETERS_H
#define SDC_RELATION_PARAMETERS_H

#include "nodes/pg_list.h"
#include "utils/jsonb.h"

/* Parameters by name; NULL where there is no object. */
typedef JsonbContainer SdcParameters;

/* sdc_parameters_read reads them from text, in the current memory context. */
extern SdcParameters *sdc_parameters_read(const char *json);

/* How many there are, and whether one of a name is among them. */
extern int	sdc_parameters_count(SdcParameters *parameters);
extern bool sdc_parameters_has(SdcParameters *parameters, const char *name);

/* sdc_parameters_find returns the value of a parameter, NULL without. */
extern JsonbValue *sdc_parameters_find(SdcParameters *parameters, const char *name);

/* What a value is: the array, the object or the text; NULL: it is none, or there is no value. */
extern JsonbContainer *sdc_parameters_array_of(const JsonbValue *value);
extern SdcParameters *sdc_parameters_object_of(const JsonbValue *value);
extern char *sdc_parameters_text_of(const JsonbValue *value);

/*
 * sdc_parameters_next returns the name of the next parameter of an object, and its value; NULL behind the last.  The
 * iterator is NULL at first.
 */
extern char *sdc_parameters_next(SdcParameters *parameters, JsonbIterator **iterator, JsonbValue *value);

/* sdc_parameters_child returns a parameter that is an object or an array, NULL without. */
extern JsonbContainer *sdc_parameters_child(SdcParameters *parameters, const char *name);

/* sdc_parameters_number returns a parameter that is a number, NaN without. */
extern double sdc_parameters_number(SdcParameters *parameters, const char *name);

/* sdc_parameters_true tells whether a parameter is the value true. */
extern bool sdc_parameters_true(SdcParameters *parameters, const char *name);

/* sdc_parameters_element returns a number of a parameter that is an array, NaN without. */
extern double sdc_parameters_element(SdcParameters *parameters, const char *name, int index);

/* sdc_parameters_inner returns a parameter that has parameters itself, NULL without. */
extern SdcParameters *sdc_parameters_inner(SdcParameters *parameters, const char *name);

/* sdc_parameters_text returns a parameter that is text, NULL without. */
extern char *sdc_parameters_text(SdcParameters *parameters, const char *name);

/* sdc_parameters_is tells whether a parameter is this text. */
extern bool sdc_parameters_is(SdcParameters *parameters, const char *name, const char *text);

/* sdc_parameters_names returns the texts of a parameter that is an array of such, a list of char *. */
extern List *sdc_parameters_names(SdcParameters *parameters, const char *name);

/* sdc_parameters_length returns the number of elements of a parameter that is an array, 0 without. */
extern int	sdc_parameters_length(SdcParameters *parameters, const char *name);

/* sdc_parameters_object returns an element of such a one that is an object, NULL without. */
extern SdcParameters *sdc_parameters_object(SdcParameters *parameters, const char *name, int index);

/*
 * sdc_parameters_shown returns parameters (jsonb) for somebody to look at: what a number has behind
 * its first significant digits is rounded away, its whole part never.
 */
extern Datum sdc_parameters_shown(Datum parameters);

/* sdc_parameters_scalar returns a string, number or boolean of JSON as text, NULL for anything else. */
extern char *sdc_parameters_scalar(const JsonbValue *value);

#endif							/* SDC_RELATION_PARAMETERS_H */

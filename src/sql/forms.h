/*-------------------------------------------------------------------------
 *
 * forms.h
 *		The forms of the functions that protect.
 *
 * Each has a form that takes a table's name, one that takes its OID, and one that takes its row
 * type.  The first two write a release and return what happened to every column;
 * the third returns the protected rows.  Argument 0 is the relation.  Behind a method's own
 * arguments stand, from number first on,
 *		target, key, strata, omit, keep, [seed,] replace
 * and in the row type form
 *		key, strata, omit, keep, [seed]
 * where a seed is an argument of those methods only that draw something.  Behind replace stand, of a method that can be
 * continued, what sdc_continuingargs_read reads, and last in all forms what sdc_unitargs_read does.  Of a method that
 * can be continued and draws nothing, "continued" is the very last.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_FORMS_H
#define SDC_SQL_FORMS_H

#include "method/step.h"
#include "sql/call.h"

/* How a method is called. */
typedef struct SdcForms
{
	/* reads the method's own arguments and prepares the step */
	void		(*read) (FunctionCallInfo fcinfo, SdcMethodStep *step);
	int			first;			/* number of the first argument that all methods have */
	bool		draws;			/* it has a seed */
	bool		continues;		/* it can be continued */
	/* or NULL: reads the arguments that say of several methods what they do */
	void		(*read_steps) (FunctionCallInfo fcinfo, SdcProtection *protection);
	/* of the method's own arguments, those behind all others: the same ones for ever (CONTRIBUTING, Updates) */
	int			behind;
} SdcForms;

extern Datum sdc_forms_text(FunctionCallInfo fcinfo, const SdcForms *forms);
extern Datum sdc_forms_regclass(FunctionCallInfo fcinfo, const SdcForms *forms);
extern Datum sdc_forms_rows(FunctionCallInfo fcinfo, const SdcForms *forms);

/*
 * sdc_forms_plan returns what would happen to every column, without reading anything: relation, own arguments, key,
 * strata, omit, keep.
 */
extern Datum sdc_forms_plan(FunctionCallInfo fcinfo, const SdcForms *forms);

/*
 * sdc_forms_continue writes a release, which continues another one where its steps are continued, or writes nothing if
 * it would be the same and that is asked for: relation, own arguments, target, key, strata, omit, keep, before, skip.
 */
extern Datum sdc_forms_continue(FunctionCallInfo fcinfo, const SdcForms *forms);

/* SDC_FORMS_WRITE defines the two functions that write a release. */
#define SDC_FORMS_WRITE(function) \
	PG_FUNCTION_INFO_V1(function##_text); \
	PG_FUNCTION_INFO_V1(function##_regclass); \
	Datum \
	function##_text(PG_FUNCTION_ARGS) \
	{ \
		return sdc_forms_text(fcinfo, &function##_forms); \
	} \
	Datum \
	function##_regclass(PG_FUNCTION_ARGS) \
	{ \
		return sdc_forms_regclass(fcinfo, &function##_forms); \
	} \
	extern int	no_such_variable

/* SDC_FORMS_RETURN defines the one that returns rows. */
#define SDC_FORMS_RETURN(function) \
	PG_FUNCTION_INFO_V1(function##_rows); \
	Datum \
	function##_rows(PG_FUNCTION_ARGS) \
	{ \
		return sdc_forms_rows(fcinfo, &function##_forms); \
	} \
	extern int	no_such_variable

/* SDC_FORMS_TABLE defines the functions of a method that write a release. */
#define SDC_FORMS_TABLE(function, own, first, draws, continues) \
	static const SdcForms function##_forms = {own, first, draws, continues, NULL, 0}; \
	SDC_FORMS_WRITE(function)

/* SDC_FORMS_ALL defines all of a method that draws. */
#define SDC_FORMS_ALL(function, own, first) \
	SDC_FORMS_TABLE(function, own, first, true, false); \
	SDC_FORMS_RETURN(function)

/* SDC_FORMS_CONTINUED defines all of a method that can be continued as well. */
#define SDC_FORMS_CONTINUED(function, own, first) \
	SDC_FORMS_TABLE(function, own, first, true, true); \
	SDC_FORMS_RETURN(function)

/* SDC_FORMS_STEPS defines all of what several methods do. */
#define SDC_FORMS_STEPS(function, own, first) \
	static const SdcForms function##_forms = {NULL, first, true, false, own, 0}; \
	SDC_FORMS_WRITE(function); \
	SDC_FORMS_RETURN(function)

#endif							/* SDC_SQL_FORMS_H */

/*-------------------------------------------------------------------------
 *
 * conditionform.h
 *		What kind of condition an expression is: what is known of values that it was not evaluated for.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_CONDITIONFORM_H
#define SDC_RELATION_CONDITIONFORM_H

#include "nodes/nodes.h"

typedef enum SdcConditionKind
{
	SDC_FORM_OTHER,
	SDC_FORM_FROM,				/* a column is above a constant, or not below it */
	SDC_FORM_UPTO,				/* or the other way round */
	SDC_FORM_ONE_OF,			/* it is equal to one of some constants */
	SDC_FORM_MISSING,			/* it is missing, or not */
	SDC_FORM_SET				/* a column of ranges or arrays is in a constant one, or meets it */
} SdcConditionKind;

typedef struct SdcConditionForm
{
	SdcConditionKind kind;
	bool		without;		/* it can hold for a record that has no value of its columns */
	bool		written;		/* it can depend on how equal values are written */
	char	   *inside;			/* SET: holds if the constant contains all of a value, */
	char	   *meets;			/* or can contain a part of it: texts, on SDC_CONDITION_ALIAS */
} SdcConditionForm;

/* sdc_conditionform_find looks at an analyzed expression on a relation, whose columns have range table index 1. */
extern void sdc_conditionform_find(Oid relid, Node *expression, SdcConditionForm *form);

#endif							/* SDC_RELATION_CONDITIONFORM_H */

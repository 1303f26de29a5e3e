/*-------------------------------------------------------------------------
 *
 * conditionform.c
 *		What kind of condition an expression is: what is known of values that it was not evaluated for.
 *
 * A condition is evaluated for released values only.  An original value can be any other one: what holds between two
 * released values, or for parts of a range, follows from the form of the condition alone.  Forms are operators of the
 * server on a column and what has no column.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_operator_d.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "relation/column/types.h"
#include "relation/condition/condition.h"
#include "relation/condition/conditionform.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"
#include "utils/typcache.h"

/* Operators of ranges and arrays that ask whether a value is in a constant, or meets it. */
static const Oid sets[] = {OID_RANGE_CONTAINED_OP, OID_RANGE_OVERLAP_OP, OID_ARRAY_CONTAINED_OP, OID_ARRAY_OVERLAP_OP};

/* without_casts leaves out implicit casts from number to number, which keep the order. */
static Node *
without_casts(Node *node)
{
	for (;;)
	{
		if (IsA(node, RelabelType))
			node = (Node *) ((RelabelType *) node)->arg;
		else if (IsA(node, FuncExpr) && ((FuncExpr *) node)->funcformat == COERCE_IMPLICIT_CAST &&
				 list_length(((FuncExpr *) node)->args) == 1 && sdc_type_is_numeric(exprType(node)) &&
				 sdc_type_is_numeric(exprType(linitial(((FuncExpr *) node)->args))))
			node = linitial(((FuncExpr *) node)->args);
		else
			return node;
	}
}

/* is_column tells whether an expression is a column. */
static bool
is_column(Node *node)
{
	return IsA(without_casts(node), Var);
}

/* is_constant tells whether an expression has no column. */
static bool
is_constant(Node *node)
{
	return !contain_var_clause(node);
}

/* strategy_of returns what an operator is to the order of the type of its left argument, 0: nothing. */
static int
strategy_of(Oid operator, Node *left)
{
	Oid			family = lookup_type_cache(getBaseType(exprType(left)), TYPECACHE_BTREE_OPFAMILY)->btree_opf;

	return OidIsValid(family) ? get_op_opfamily_strategy(operator, family) : 0;
}

/* take_order takes a comparison of a column with a constant. */
static void
take_order(const OpExpr *comparison, SdcConditionForm *form)
{
	Node	   *left = linitial(comparison->args);
	Node	   *right = lsecond(comparison->args);
	bool		turned = is_constant(left) && is_column(right);
	int			strategy = strategy_of(comparison->opno, left);

	if (!turned && !(is_column(left) && is_constant(right)))
		return;
	/* another collation has another order */
	if (OidIsValid(comparison->inputcollid) && comparison->inputcollid != exprCollation(turned ? right : left))
		return;
	if (strategy == BTEqualStrategyNumber)
		form->kind = SDC_FORM_ONE_OF;
	else if (strategy == BTLessStrategyNumber || strategy == BTLessEqualStrategyNumber)
		form->kind = turned ? SDC_FORM_FROM : SDC_FORM_UPTO;
	else if (strategy == BTGreaterStrategyNumber || strategy == BTGreaterEqualStrategyNumber)
		form->kind = turned ? SDC_FORM_UPTO : SDC_FORM_FROM;
}

/* take_set takes a range or an array that is in a constant one, or meets it; a missing one contains all values. */
static void
take_set(Oid relid, const OpExpr *comparison, SdcConditionForm *form)
{
	Node	   *left = linitial(comparison->args);
	Node	   *right = lsecond(comparison->args);
	List	   *context;
	char	   *column;
	char	   *constant;

	if (!is_column(left) && is_column(right) &&
		(comparison->opno == OID_RANGE_OVERLAP_OP || comparison->opno == OID_ARRAY_OVERLAP_OP))
	{
		Node	   *kept = left;

		left = right;
		right = kept;
	}
	if (!is_column(left) || !is_constant(right))
		return;
	context = deparse_context_for(SDC_CONDITION_ALIAS, relid);
	column = deparse_expression(left, context, true, false);
	constant = deparse_expression(right, context, true, false);
	form->kind = SDC_FORM_SET;
	form->inside = psprintf("(%s) OPERATOR(pg_catalog.<@) (%s)", column, constant);
	form->meets = psprintf("(%s) OPERATOR(pg_catalog.&&) (%s) OR (%s) IS NOT DISTINCT FROM NULL", column, constant, column);
}

/* sdc_conditionform_find: see conditionform.h. */
void
sdc_conditionform_find(Oid relid, Node *expression, SdcConditionForm *form)
{
	memset(form, 0, sizeof(SdcConditionForm));
	if (IsA(expression, ScalarArrayOpExpr))
	{
		const ScalarArrayOpExpr *any = (const ScalarArrayOpExpr *) expression;

		if (any->useOr && strategy_of(any->opno, linitial(any->args)) == BTEqualStrategyNumber &&
			is_column(linitial(any->args)) &&
			is_constant(lsecond(any->args)))
			form->kind = SDC_FORM_ONE_OF;
	}
	if (IsA(expression, NullTest) && is_column((Node *) ((NullTest *) expression)->arg))
		form->kind = SDC_FORM_MISSING;
	if (!IsA(expression, OpExpr) || list_length(((OpExpr *) expression)->args) != 2)
		return;
	take_order((OpExpr *) expression, form);
	for (int i = 0; i < (int) lengthof(sets); i++)
		if (((OpExpr *) expression)->opno == sets[i])
			take_set(relid, (OpExpr *) expression, form);
}

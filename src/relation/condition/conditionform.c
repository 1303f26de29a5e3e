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
#include "access/transam.h"
#include "catalog/pg_operator_d.h"
#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "relation/base/attempt.h"
#include "relation/column/types.h"
#include "relation/condition/condition.h"
#include "relation/condition/conditionform.h"
#include "relation/read/spelling.h"
#include "utils/fmgroids.h"
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

/* blank puts a missing value in the place of each column. */
static Node *
blank(Node *node, void *context)
{
	if (node != NULL && IsA(node, Var))
		return (Node *) makeNullConst(exprType(node), exprTypmod(node), exprCollation(node));
	return expression_tree_mutator(node, blank, context);
}

/* An expression, and whether it can be true without a value of any column. */
typedef struct Blanking
{
	Node	   *expression;
	bool		holds;
} Blanking;

/* evaluate_blank evaluates an expression without values, as far as it is constant: the work of sdc_attempt. */
static void
evaluate_blank(void *arg)
{
	Blanking   *blanking = arg;
	Node	   *result = eval_const_expressions(NULL, blank(copyObject(blanking->expression), NULL));

	blanking->holds = !IsA(result, Const) ||
		(!((Const *) result)->constisnull && DatumGetBool(((Const *) result)->constvalue));
}

/*
 * holds_without tells whether an expression can be true without a value of any column.  That it has an error there does
 * not matter to a table where all values are.
 */
static bool
holds_without(Node *expression)
{
	Blanking	blanking = {expression, true};

	return sdc_attempt(evaluate_blank, &blanking) != NULL || blanking.holds;
}

/* is_loose tells whether equal values of an expression can be written in several ways. */
static bool
is_loose(Node *node)
{
	return !sdc_spelling_is_one(exprType(node), exprTypmod(node), exprCollation(node));
}

/* has_loose tells whether there is such an expression among some. */
static bool
has_loose(List *nodes)
{
	ListCell   *cell;

	foreach(cell, nodes)
		if (contain_var_clause(lfirst(cell)) && is_loose(lfirst(cell)))
			return true;
	return false;
}

/* is_of_numbers tells whether a type has numbers, or ranges or arrays of them. */
static bool
is_of_numbers(Oid typid)
{
	Oid			base = getBaseType(typid);
	Oid			inner = get_element_type(base);

	base = OidIsValid(inner) ? getBaseType(inner) : base;
	inner = get_range_subtype(base);
	return sdc_type_is_numeric(OidIsValid(inner) ? inner : base);
}

/* is_calculation tells whether a function of the server makes numbers, or a condition on them, of numbers. */
static bool
is_calculation(Oid function, Node *result, List *nodes)
{
	ListCell   *cell;

	foreach(cell, nodes)
		if (is_loose(lfirst(cell)) && !is_of_numbers(exprType(lfirst(cell))))
			return false;
	return function < FirstNormalObjectId && function != F_SCALE &&
		(is_of_numbers(exprType(result)) || exprType(result) == BOOLOID);
}

/* is_order tells whether an operator compares by the order of the type, and under the collation of its arguments. */
static bool
is_order(Oid operator, Oid collation, List *nodes)
{
	ListCell   *cell;

	foreach(cell, nodes)
		if (contain_var_clause(lfirst(cell)) && exprCollation(lfirst(cell)) != collation)
			return false;
	return strategy_of(operator, linitial(nodes)) != 0;
}

/*
 * reads_writing is a walker of expressions: it finds what does more with a value than to hand it on, to compare it, or
 * to calculate with it.
 */
static bool
reads_writing(Node *node, void *context)
{
	List	   *nodes = NIL;
	bool		fair = false;

	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_FuncExpr:
			nodes = ((FuncExpr *) node)->args;
			fair = is_calculation(((FuncExpr *) node)->funcid, node, nodes);
			break;
		case T_OpExpr:
		case T_DistinctExpr:
			nodes = ((OpExpr *) node)->args;
			fair = is_order(((OpExpr *) node)->opno, ((OpExpr *) node)->inputcollid, nodes) ||
				is_calculation(get_opcode(((OpExpr *) node)->opno), node, nodes);
			break;
		case T_ScalarArrayOpExpr:
			nodes = ((ScalarArrayOpExpr *) node)->args;
			fair = strategy_of(((ScalarArrayOpExpr *) node)->opno, linitial(nodes)) != 0 &&
				exprCollation(linitial(nodes)) == ((ScalarArrayOpExpr *) node)->inputcollid;
			break;
		case T_CoerceViaIO:
			nodes = list_make1(((CoerceViaIO *) node)->arg);
			break;
		case T_CollateExpr:
			nodes = list_make1(((CollateExpr *) node)->arg);
			break;
		case T_ArrayCoerceExpr:
			nodes = list_make1(((ArrayCoerceExpr *) node)->arg);
			break;
		case T_ConvertRowtypeExpr:
		case T_FieldSelect:
		case T_SubscriptingRef:
		case T_RowExpr:
		case T_XmlExpr:
			nodes = pull_var_clause(node, 0);
			break;
		default:
			fair = true;
	}
	if (!fair && has_loose(nodes))
		return true;
	return expression_tree_walker(node, reads_writing, context);
}

/* sdc_conditionform_find: see conditionform.h. */
void
sdc_conditionform_find(Oid relid, Node *expression, SdcConditionForm *form)
{
	memset(form, 0, sizeof(SdcConditionForm));
	form->without = holds_without(expression);
	form->written = reads_writing(expression, NULL);
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

/*-------------------------------------------------------------------------
 *
 * condition.c
 *		A condition on records, or an aggregate of them, given as text.
 *
 * The text goes into a statement as it is, so it is looked at first:
 *
 *	1.	Parsed alone it is one expression, to its end: no comment or string goes on behind it, no
 *		parenthesis ends too early, nothing follows.  A statement that it is put into has
 *		that expression in this place, and nothing else is different.
 *	2.	There is no subquery in it.
 *	3.	Its columns are columns of both relations.  Whole rows and system columns are none.
 *	4.	On every relation it is a boolean without aggregates, or a number made of aggregates, and has no
 *		volatile functions, no window functions and no sets.
 *	5.	The transaction is read only while it is analyzed and evaluated: what a function is declared
 *		as is its owner's word, and checks of domains can be volatile.
 *
 * What it may call and read is otherwise what the caller may: it runs with the caller's rights.  So the
 * relations must be such that the caller trusts all who own a part of them (trust.c).  On one relation it is evaluated
 * on the values alone, where the caller does not (conditiongroups.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/tupdesc.h"
#include "access/xact.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/parsenodes.h"
#include "optimizer/optimizer.h"
#include "parser/parse_coerce.h"
#include "parser/parse_collate.h"
#include "parser/parse_expr.h"
#include "parser/parse_node.h"
#include "parser/parse_relation.h"
#include "parser/parser.h"
#include "relation/base/names.h"
#include "relation/base/spi.h"
#include "relation/column/types.h"
#include "relation/condition/condition.h"
#include "relation/read/source.h"
#include "relation/rights/trust.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"

#define ALIAS SDC_CONDITION_ALIAS

/* So many columns are listed in a hint. */
#define HINT_COLUMNS 20

/* A condition, and what it is looked at on. */
typedef struct Looking
{
	SdcCondition *condition;
	const char *argument;
	Node	   *expression;		/* raw */
	Oid			relid;			/* the relation at hand */
	Oid			other;			/* and the other one; InvalidOid: there is none */
	bool		last;			/* it is the last one */
} Looking;

/*
 * locate_error is the error context while the condition is parsed and analyzed: positions are in
 * the condition, not in the statement of the caller.
 */
static void
locate_error(void *arg)
{
	const Looking *looking = arg;
	int			position = geterrposition();

	if (position > 0)
	{
		errposition(0);
		internalerrposition(position);
		internalerrquery(looking->condition->text);
	}
}

/* select_expression returns the only expression of a SELECT that is nothing but one, or NULL. */
static Node *
select_expression(const SelectStmt *select)
{
	const ResTarget *target;

	if (list_length(select->targetList) != 1 || select->distinctClause != NIL ||
		select->intoClause != NULL || select->fromClause != NIL || select->whereClause != NULL ||
		select->groupClause != NIL || select->havingClause != NULL ||
		select->windowClause != NIL || select->valuesLists != NIL || select->sortClause != NIL ||
		select->limitOffset != NULL || select->limitCount != NULL ||
		select->lockingClause != NIL || select->withClause != NULL || select->op != SETOP_NONE)
		return NULL;
	target = linitial_node(ResTarget, select->targetList);
	return target->name == NULL && target->indirection == NIL ? target->val : NULL;
}

/* parse_condition parses the text alone. */
static Node *
parse_condition(const Looking *looking)
{
	List	   *parsed = raw_parser(looking->condition->text, RAW_PARSE_PLPGSQL_EXPR);
	RawStmt    *raw = linitial_node(RawStmt, parsed);
	Node	   *expression = NULL;

	if (list_length(parsed) == 1 && IsA(raw->stmt, SelectStmt))
		expression = select_expression((SelectStmt *) raw->stmt);
	/* a star alone is something to select, and no expression */
	if (expression != NULL && IsA(expression, ColumnRef) &&
		IsA(linitial(((ColumnRef *) expression)->fields), A_Star))
		expression = NULL;
	if (expression == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_SYNTAX_ERROR),
				 looking->condition->aggregate ?
				 errmsg("argument \"%s\" is not one expression", looking->argument) :
				 errmsg("argument \"%s\" is not one condition", looking->argument),
				 looking->condition->aggregate ?
				 errhint("It is what could stand after SELECT, such as: avg(income)") :
				 errhint("It is what could stand after WHERE, such as: age > 30 AND sex = 'f'")));
	return expression;
}

/* condition_statement builds a statement that has a text as its condition. */
static char *
condition_statement(const char *text, Oid relid)
{
	/* a comment at the end of the text ends with the line */
	return psprintf("SELECT pg_catalog.count(*) FROM %s AS " ALIAS " WHERE (%s\n)",
					sdc_spi_relation_name(relid), text);
}

/* check_statement insists on a statement that has the expression, and nothing more than without it. */
static void
check_statement(const Looking *looking, Oid relid)
{
	List	   *parsed = raw_parser(condition_statement(looking->condition->text, relid),
									RAW_PARSE_DEFAULT);
	List	   *plain = raw_parser(condition_statement("true", relid), RAW_PARSE_DEFAULT);
	SelectStmt *select;

	if (list_length(parsed) == 1)
	{
		select = (SelectStmt *) linitial_node(RawStmt, parsed)->stmt;
		if (IsA(select, SelectStmt) && equal(select->whereClause, looking->expression))
		{
			select->whereClause = ((SelectStmt *) linitial_node(RawStmt, plain)->stmt)->whereClause;
			if (equal(select, linitial_node(RawStmt, plain)->stmt))
				return;
		}
	}
	elog(ERROR, "condition means something else in a statement than alone");
}

/*
 * refuse_subqueries is a walker of raw expressions that raises an error for a subquery; the context is
 * a ParseState.
 */
static bool
refuse_subqueries(Node *node, void *context)
{
	ParseState *pstate = context;

	if (node == NULL)
		return false;
	if (IsA(node, SubLink) || IsA(node, SelectStmt))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot use subquery in argument \"%s\"",
						((Looking *) pstate->p_ref_hook_state)->argument),
				 parser_errposition(pstate, exprLocation(node))));
	return raw_expression_tree_walker(node, refuse_subqueries, context);
}

/* shared_columns lists the columns that all relations have, for a hint. */
static char *
shared_columns(const Looking *looking)
{
	Relation	rel = relation_open(looking->relid, NoLock);
	TupleDesc	desc = RelationGetDescr(rel);
	StringInfoData list;
	int			count = 0;

	initStringInfo(&list);
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);

		if (att->attisdropped || (OidIsValid(looking->other) &&
								  get_attnum(looking->other, NameStr(att->attname)) <= 0))
			continue;
		if (count == HINT_COLUMNS)
		{
			appendStringInfoString(&list, ", ...");
			break;
		}
		sdc_spi_append_name(&list, NameStr(att->attname), count++ == 0);
	}
	relation_close(rel, NoLock);
	return list.data;
}

/* hint_columns is the hint of an error about a column. */
static int
hint_columns(const Looking *looking)
{
	return OidIsValid(looking->other) ?
		errhint("The columns of both relations are %s.", shared_columns(looking)) :
		errhint("The columns are %s.", shared_columns(looking));
}

/* no_column raises the error for what is not a column of a relation. */
static void
no_column(ParseState *pstate, const ColumnRef *reference, const Looking *looking, Oid relid)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_COLUMN),
			 errmsg("column \"%s\" of relation \"%s\" does not exist",
					strVal(llast(reference->fields)), get_rel_name(relid)),
			 hint_columns(looking),
			 parser_errposition(pstate, reference->location)));
}

/* no_row raises the error for a whole row. */
static void
no_row(ParseState *pstate, const ColumnRef *reference, const Looking *looking)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("whole rows cannot be used in argument \"%s\"", looking->argument),
			 hint_columns(looking),
			 parser_errposition(pstate, reference->location)));
}

/* no_values raises the error for a column that has ranges or sets in place of values. */
static void
no_values(ParseState *pstate, const ColumnRef *reference, const Looking *looking, const char *name)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("column \"%s\" of release \"%s\" cannot be used in argument \"%s\"",
					name, get_rel_name(looking->relid), looking->argument),
			 errdetail("It has ranges and sets in the place of values."),
			 errhint("sdc_query_errors estimates counts from ranges and sets."),
			 parser_errposition(pstate, reference->location)));
}

/*
 * check_reference is a hook of the parser that has found a column, something else, or nothing; it
 * finds nothing itself.  Of other relations the parser has an error of its own.
 */
static Node *
check_reference(ParseState *pstate, ColumnRef *reference, Node *found)
{
	const Looking *looking = pstate->p_ref_hook_state;
	SdcCondition *condition = looking->condition;
	AttrNumber	number = found != NULL && IsA(found, Var) ? ((Var *) found)->varattno : 0;
	char	   *name;

	if (IsA(llast(reference->fields), A_Star) || (found != NULL && number == 0))
		no_row(pstate, reference, looking);
	if (found == NULL)
	{
		if (list_length(reference->fields) == 1 ||
			(list_length(reference->fields) == 2 &&
			 strcmp(strVal(linitial(reference->fields)), ALIAS) == 0))
			no_column(pstate, reference, looking, looking->relid);
		return NULL;
	}
	name = get_attname(looking->relid, number, false);
	/* the server looks again where it reads the relation with the rights of the caller */
	if (number > 0)
		sdc_source_require_right(looking->relid, number);
	if (number < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_COLUMN_REFERENCE),
				 errmsg("system column \"%s\" cannot be used in argument \"%s\"",
						name, looking->argument),
				 parser_errposition(pstate, reference->location)));
	if (OidIsValid(looking->other) && get_attnum(looking->other, name) <= 0)
		no_column(pstate, reference, looking, looking->other);
	if (looking->last && sdc_names_have(condition->without_values, name))
		no_values(pstate, reference, looking, name);
	if (!sdc_names_have(condition->columns, name))
		condition->columns = lappend(condition->columns, name);
	return NULL;
}

/* refuse_volatile raises an error for a volatile function. */
static void
refuse_volatile(const Looking *looking, Node *expression)
{
	if (contain_volatile_functions(expression))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("functions in argument \"%s\" must not be volatile", looking->argument),
				 errhint("Their results are not determined by the record.")));
}

/* refuse_bare is a walker of expressions: a column outside of aggregates must be one that records agree in. */
static bool
refuse_bare(Node *node, void *context)
{
	const Looking *looking = context;

	if (node == NULL || IsA(node, Aggref))
		return false;
	if (IsA(node, Var))
	{
		const char *name = get_attname(looking->relid, ((Var *) node)->varattno, false);

		if (!sdc_names_have(looking->condition->by, name))
			ereport(ERROR,
					(errcode(ERRCODE_GROUPING_ERROR),
					 errmsg("column \"%s\" must be named in argument \"by\" or be used in an aggregate function",
							name)));
		return false;
	}
	return expression_tree_walker(node, refuse_bare, context);
}

/* is_count tells whether an expression is a count of the server, and nothing else. */
static bool
is_count(const Node *expression)
{
	Oid			function = IsA(expression, Aggref) ? ((const Aggref *) expression)->aggfnoid : InvalidOid;

	return function == F_COUNT_ || function == F_COUNT_ANY;
}

/* check_aggregate insists on a number that is made of aggregates. */
static void
check_aggregate(const Looking *looking, const ParseState *pstate, Node *expression)
{
	if (pstate->p_hasWindowFuncs || pstate->p_hasTargetSRFs || !pstate->p_hasAggs)
		ereport(ERROR,
				(errcode(ERRCODE_GROUPING_ERROR),
				 errmsg("argument \"%s\" must be made of aggregate functions", looking->argument),
				 errhint("Such as: count(*), avg(income), corr(age, income), percentile_cont(0.5) WITHIN GROUP (ORDER BY age)")));
	(void) refuse_bare(expression, unconstify(Looking *, looking));
	looking->condition->counts = is_count(expression);
	/* amounts of money are in an unknown currency, and have no cast to other numbers */
	if (!sdc_type_is_numeric(exprType(expression)) || getBaseType(exprType(expression)) == CASHOID)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("argument \"%s\" must be a number, not type %s", looking->argument,
						format_type_be(exprType(expression))),
				 errhint("A number can be made of it, such as: extract(epoch FROM max(admitted)), sum(cost::numeric)")));
}

/* split_conjuncts lists the conditions that AND joins in one on a relation, as texts; form is that of the last. */
static List *
split_conjuncts(Oid relid, Node *expression, SdcConditionForm *form)
{
	List	   *conjuncts = NIL;
	ListCell   *cell;

	check_stack_depth();
	sdc_conditionform_find(relid, expression, form);
	if (!is_andclause(expression))
		return list_make1(deparse_expression(expression, deparse_context_for(ALIAS, relid), true, false));
	foreach(cell, ((BoolExpr *) expression)->args)
		conjuncts = list_concat(conjuncts, split_conjuncts(relid, lfirst(cell), form));
	return conjuncts;
}

/* check_on_relation analyzes the text on one relation. */
static void
check_on_relation(Looking *looking, Oid relid, Oid other, bool last)
{
	Relation	rel = sdc_source_open(relid, AccessShareLock);
	ParseState *pstate = make_parsestate(NULL);
	bool		aggregate = looking->condition->aggregate;
	ParseNamespaceItem *item;
	Node	   *expression;

	looking->relid = relid;
	looking->other = other;
	looking->last = last;
	pstate->p_sourcetext = looking->condition->text;
	pstate->p_post_columnref_hook = check_reference;
	pstate->p_ref_hook_state = looking;
	item = addRangeTableEntryForRelation(pstate, rel, AccessShareLock, makeAlias(ALIAS, NIL),
										 true, true);
	addNSItemToQuery(pstate, item, true, true, true);
	(void) refuse_subqueries(looking->expression, pstate);
	expression = transformExpr(pstate, copyObject(looking->expression),
							   aggregate ? EXPR_KIND_SELECT_TARGET : EXPR_KIND_WHERE);
	if (!aggregate)
		expression = coerce_to_boolean(pstate, expression, "WHERE");
	assign_expr_collations(pstate, expression);
	refuse_volatile(looking, expression);
	/* the planner puts the defaults of arguments into calls */
	refuse_volatile(looking, (Node *) expression_planner((Expr *) copyObject(expression)));
	if (aggregate)
		check_aggregate(looking, pstate, expression);
	if (looking->condition->split)
		looking->condition->conjuncts = split_conjuncts(relid, expression, &looking->condition->form);
	free_parsestate(pstate);
	relation_close(rel, NoLock);
}

/*
 * check_text insists on a text that can be evaluated on all relations.  The last one is looked at first: if a
 * column is in neither, that is the one to name.
 */
static void
check_text(Looking *looking, const Oid *relids, int relations)
{
	ErrorContextCallback callback;

	callback.callback = locate_error;
	callback.arg = looking;
	callback.previous = error_context_stack;
	error_context_stack = &callback;
	looking->expression = parse_condition(looking);
	for (int i = relations; i-- > 0;)
		check_on_relation(looking, relids[i], relations == 1 ? InvalidOid : relids[1 - i],
						  i == relations - 1);
	error_context_stack = callback.previous;
	for (int i = 0; i < relations; i++)
		check_statement(looking, relids[i]);
}

/* sdc_condition_check: see condition.h. */
void
sdc_condition_check(SdcCondition *condition, const Oid *relids, int relations)
{
	Looking		looking = {0};
	bool		before;

	Assert(relations == 1 || relations == 2);
	for (int i = 0; i < relations; i++)
		if (relations == 1 && !condition->trusted)
			(void) sdc_trust_values(relids[i]);
		else
			sdc_trust_require(relids[i]);
	before = sdc_condition_begin();
	looking.condition = condition;
	looking.argument = condition->argument;
	check_text(&looking, relids, relations);
	sdc_condition_end(before);
}

/* sdc_condition_begin: see condition.h. */
bool
sdc_condition_begin(void)
{
	bool		before = XactReadOnly;

	XactReadOnly = true;
	return before;
}

/* sdc_condition_end takes it back. */
void
sdc_condition_end(bool before)
{
	XactReadOnly = before;
}

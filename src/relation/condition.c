/*-------------------------------------------------------------------------
 *
 * condition.c
 *		A condition on records, given as text, and how many records fulfil it.
 *
 * The text goes into a statement as it is, so it is looked at first:
 *
 *	1.	Parsed alone it is one expression, to its end: no comment or string goes on behind it, no
 *		parenthesis ends too early, nothing follows.  The statement that it is put into has
 *		that expression as its WHERE clause, and nothing else is different.
 *	2.	There is no subquery in it.
 *	3.	Its columns are columns of both relations.  Whole rows and system columns are none.
 *	4.	On either relation it is a boolean without volatile functions.
 *	5.	The transaction is read only while it is analyzed and evaluated: what a function is declared
 *		as is its owner's word, and checks of domains can be volatile.
 *
 * What it may call and read is otherwise what the caller may: it runs with the caller's rights.  So the
 * relations must be such that the caller trusts all who own a part of them (trust.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/tupdesc.h"
#include "access/xact.h"
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
#include "relation/condition.h"
#include "relation/source.h"
#include "relation/spi.h"
#include "relation/trust.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

/* The name of either relation in the condition. */
#define ALIAS "release"

/* So many columns are listed in a hint. */
#define HINT_COLUMNS 20

/* A condition, and what it is looked at on. */
typedef struct Condition
{
	const char *text;
	const char *argument;		/* where it comes from */
	Node	   *expression;		/* raw */
	Oid			relid;			/* the relation at hand */
	Oid			other;			/* and the other one */
} Condition;

/*
 * locate_error is the error context while the condition is parsed and analyzed: positions are in
 * the condition, not in the statement of the caller.
 */
static void
locate_error(void *arg)
{
	const Condition *condition = arg;
	int			position = geterrposition();

	if (position > 0)
	{
		errposition(0);
		internalerrposition(position);
		internalerrquery(condition->text);
	}
	errcontext("argument \"%s\"", condition->argument);
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
parse_condition(const Condition *condition)
{
	List	   *parsed = raw_parser(condition->text, RAW_PARSE_PLPGSQL_EXPR);
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
				 errmsg("argument \"%s\" is not one condition", condition->argument),
				 errhint("It is what could stand after WHERE, such as: age > 30 AND sex = 'f'")));
	return expression;
}

/* count_statement builds the statement that counts. */
static char *
count_statement(const Condition *condition, Oid relid)
{
	/* a comment at the end of the condition ends with the line */
	return psprintf("SELECT pg_catalog.count(*) FROM %s AS " ALIAS " WHERE (%s\n)",
					sdc_spi_relation_name(relid), condition->text);
}

/* check_statement insists on a statement that has the condition, and nothing more than without it. */
static void
check_statement(const Condition *condition, Oid relid)
{
	List	   *parsed = raw_parser(count_statement(condition, relid), RAW_PARSE_DEFAULT);
	Condition	without = *condition;
	List	   *plain;
	SelectStmt *select;

	without.text = "true";
	plain = raw_parser(count_statement(&without, relid), RAW_PARSE_DEFAULT);
	if (list_length(parsed) == 1)
	{
		select = (SelectStmt *) linitial_node(RawStmt, parsed)->stmt;
		if (IsA(select, SelectStmt) && equal(select->whereClause, condition->expression))
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
						((Condition *) pstate->p_ref_hook_state)->argument),
				 parser_errposition(pstate, exprLocation(node))));
	return raw_expression_tree_walker(node, refuse_subqueries, context);
}

/* shared_columns lists the columns that both relations have, for a hint. */
static char *
shared_columns(const Condition *condition)
{
	Relation	rel = relation_open(condition->relid, NoLock);
	TupleDesc	desc = RelationGetDescr(rel);
	StringInfoData list;
	int			count = 0;

	initStringInfo(&list);
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);

		if (att->attisdropped || get_attnum(condition->other, NameStr(att->attname)) <= 0)
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

/* no_column raises the error for what is not a column of a relation. */
static void
no_column(ParseState *pstate, const ColumnRef *reference, const Condition *condition, Oid relid)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_COLUMN),
			 errmsg("column \"%s\" of relation \"%s\" does not exist",
					strVal(llast(reference->fields)), get_rel_name(relid)),
			 errhint("The columns of both relations are %s.", shared_columns(condition)),
			 parser_errposition(pstate, reference->location)));
}

/* no_row raises the error for a whole row. */
static void
no_row(ParseState *pstate, const ColumnRef *reference, const Condition *condition)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("whole rows cannot be used in argument \"%s\"", condition->argument),
			 errhint("The columns of both relations are %s.", shared_columns(condition)),
			 parser_errposition(pstate, reference->location)));
}

/*
 * check_reference is a hook of the parser that has found a column, something else, or nothing; it
 * finds nothing itself.  Of other relations the parser has an error of its own.
 */
static Node *
check_reference(ParseState *pstate, ColumnRef *reference, Node *found)
{
	const Condition *condition = pstate->p_ref_hook_state;
	AttrNumber	number = found != NULL && IsA(found, Var) ? ((Var *) found)->varattno : 0;
	const char *name;

	if (IsA(llast(reference->fields), A_Star) || (found != NULL && number == 0))
		no_row(pstate, reference, condition);
	if (found == NULL)
	{
		if (list_length(reference->fields) == 1 ||
			(list_length(reference->fields) == 2 &&
			 strcmp(strVal(linitial(reference->fields)), ALIAS) == 0))
			no_column(pstate, reference, condition, condition->relid);
		return NULL;
	}
	name = get_attname(condition->relid, number, false);
	if (number < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_COLUMN_REFERENCE),
				 errmsg("system column \"%s\" cannot be used in argument \"%s\"",
						name, condition->argument),
				 parser_errposition(pstate, reference->location)));
	if (get_attnum(condition->other, name) <= 0)
		no_column(pstate, reference, condition, condition->other);
	return NULL;
}

/* refuse_volatile raises an error for a volatile function. */
static void
refuse_volatile(const Condition *condition, Node *expression)
{
	if (contain_volatile_functions(expression))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("functions in argument \"%s\" must not be volatile", condition->argument),
				 errhint("What they return is not determined by the record.")));
}

/* check_on_relation analyzes the condition on one relation. */
static void
check_on_relation(Condition *condition, Oid relid, Oid other)
{
	Relation	rel = sdc_source_open(relid, AccessShareLock);
	ParseState *pstate = make_parsestate(NULL);
	ParseNamespaceItem *item;
	Node	   *expression;

	condition->relid = relid;
	condition->other = other;
	pstate->p_sourcetext = condition->text;
	pstate->p_post_columnref_hook = check_reference;
	pstate->p_ref_hook_state = condition;
	item = addRangeTableEntryForRelation(pstate, rel, AccessShareLock, makeAlias(ALIAS, NIL),
										 true, true);
	addNSItemToQuery(pstate, item, true, true, true);
	(void) refuse_subqueries(condition->expression, pstate);
	expression = transformExpr(pstate, copyObject(condition->expression), EXPR_KIND_WHERE);
	expression = coerce_to_boolean(pstate, expression, "WHERE");
	assign_expr_collations(pstate, expression);
	refuse_volatile(condition, expression);
	/* the planner puts the defaults of arguments into calls */
	refuse_volatile(condition, (Node *) expression_planner((Expr *) expression));
	free_parsestate(pstate);
	relation_close(rel, NoLock);
}

/*
 * check_condition insists on a condition that can be counted on both relations.  The second one is
 * looked at first: if a column is in neither, that is the one to name.
 */
static void
check_condition(Condition *condition, const Oid relids[2])
{
	ErrorContextCallback callback;

	callback.callback = locate_error;
	callback.arg = condition;
	callback.previous = error_context_stack;
	error_context_stack = &callback;
	condition->expression = parse_condition(condition);
	check_on_relation(condition, relids[1], relids[0]);
	check_on_relation(condition, relids[0], relids[1]);
	error_context_stack = callback.previous;
	for (int i = 0; i < 2; i++)
		check_statement(condition, relids[i]);
}

/* sdc_condition_counts counts the records of two relations that fulfil a condition. */
void
sdc_condition_counts(const char *text, const char *argument, const Oid relids[2], int64 counts[2])
{
	Condition	condition = {0};
	bool		read_only = XactReadOnly;

	for (int i = 0; i < 2; i++)
		sdc_trust_require(relids[i]);
	/* the end of the (sub)transaction takes it back after an error */
	XactReadOnly = true;
	condition.text = text;
	condition.argument = argument;
	check_condition(&condition, relids);
	sdc_spi_connect();
	for (int i = 0; i < 2; i++)
	{
		bool		isnull;

		sdc_spi_select(count_statement(&condition, relids[i]));
		counts[i] = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1,
												&isnull));
		SPI_freetuptable(SPI_tuptable);
	}
	sdc_spi_finish();
	XactReadOnly = read_only;
}

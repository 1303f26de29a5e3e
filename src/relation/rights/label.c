/*-------------------------------------------------------------------------
 *
 * label.c
 *		What columns are classified as.
 *
 * A classification is a security label of the column, of the provider "sdc".  So it
 * follows the column through renames, goes with it, and is dumped and restored,
 * all by the server.
 *
 * A column without a label has the role of the column that it comes from: that of a parent, or, in a view, that of the
 * column that it shows.  The definition of a view is read from the system catalog (pg_rewrite), and nothing of it is
 * evaluated or locked.  An expression is followed where its value is that of a column, whatever its type: a cast, a
 * collation, COALESCE, a subquery that returns one value.  The result of any other expression has no role.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_rewrite.h"
#include "commands/seclabel.h"
#include "kernel/base/kernel_env.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/readfuncs.h"
#include "parser/parsetree.h"
#include "relation/base/api.h"
#include "relation/base/compat.h"
#include "relation/rights/label.h"
#include "rewrite/rewriteSupport.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#define PROVIDER "sdc"

/* The role of a column that was not looked for yet. */
#define ROLE_UNKNOWN (-1)

/* What has columns: a relation, or a query in the definition of a view. */
typedef struct Rows
{
	Oid			relid;			/* InvalidOid: a query */
	const Query *query;			/* that, or the definition of the view, or NULL */
	struct Rows *outer;			/* in which the query stands, or NULL */
	int			count;			/* columns */
	int		   *role;			/* of each, or ROLE_UNKNOWN */
} Rows;

/* One look for roles: every column is looked for once, however many ways lead to it. */
typedef struct Search
{
	List	   *rows;			/* Rows that were met */
} Search;

static SdcRole column_role(Search *search, Rows *rows, AttrNumber number);
static SdcRole expression_role(Search *search, Rows *rows, Node *node);

/* The words for the roles, in the order of SdcRole without the first. */
static const char *const role_names[] = {
	"identifier", "quasi-identifier", "sensitive", "public", "unit", "weight"
};

/* find_role returns the role of a word, or SDC_ROLE_NONE. */
static SdcRole
find_role(const char *name)
{
	for (int i = 0; i < (int) lengthof(role_names); i++)
		if (strcmp(name, role_names[i]) == 0)
			return (SdcRole) (i + 1);
	return SDC_ROLE_NONE;
}

/* sdc_label_check raises an error for a word that is not a role. */
void
sdc_label_check(const char *role)
{
	if (find_role(role) == SDC_ROLE_NONE)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("role \"%s\" does not exist", role),
				 errhint("A column is an identifier, quasi-identifier, sensitive, public, unit or weight; null takes a classification back.")));
}

/*
 * check_relabel is called for SECURITY LABEL FOR sdc.  The server has checked that the
 * caller owns the object.
 */
static void
check_relabel(const ObjectAddress *object, const char *label)
{
	if (object->classId != RelationRelationId || object->objectSubId == 0)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("only columns can be classified")));
	if (label != NULL)
		sdc_label_check(label);
}

/* sdc_label_init makes the provider known to the server. */
void
sdc_label_init(void)
{
	register_label_provider(PROVIDER, check_relabel);
}

/* sdc_label_set classifies a column. */
void
sdc_label_set(Oid relid, AttrNumber number, const char *role)
{
	ObjectAddress object;

	ObjectAddressSubSet(object, RelationRelationId, relid, number);
	SetSecurityLabel(&object, PROVIDER, role);
	CommandCounterIncrement();
}

/* own_role returns what a column itself is classified as. */
static SdcRole
own_role(Oid relid, AttrNumber number)
{
	ObjectAddress object;
	char	   *label;
	SdcRole		role;

	ObjectAddressSubSet(object, RelationRelationId, relid, number);
	label = GetSecurityLabel(&object, PROVIDER);
	if (label == NULL)
		return SDC_ROLE_NONE;
	role = find_role(label);
	/* it may be stricter than none */
	if (role == SDC_ROLE_NONE)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("column \"%s\" has role \"%s\", which this version of sdc does not know",
						get_attname(relid, number, false), label),
				 sdc_api_later()));
	return role;
}

/* role_of_parents returns what a column is classified as in the nearest ancestor that says so. */
static SdcRole
role_of_parents(Oid relid, const char *name)
{
	Relation	inherits = table_open(InheritsRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	SdcRole		role = SDC_ROLE_NONE;

	ScanKeyInit(&key, Anum_pg_inherits_inhrelid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(relid));
	scan = systable_beginscan(inherits, InheritsRelidSeqnoIndexId, true, NULL, 1, &key);
	while (role == SDC_ROLE_NONE && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Oid			parent = ((Form_pg_inherits) GETSTRUCT(tuple))->inhparent;
		AttrNumber	number = get_attnum(parent, name);

		if (number > 0)
			role = own_role(parent, number);
		if (role == SDC_ROLE_NONE)
			role = role_of_parents(parent, name);
	}
	systable_endscan(scan);
	table_close(inherits, AccessShareLock);
	return role;
}

/* is_identifier_below tells whether a column is an identifier in a partition or child. */
static bool
is_identifier_below(Oid relid, const char *name)
{
	ListCell   *cell;

	if (!has_subclass(relid))
		return false;
	foreach(cell, find_all_inheritors(relid, NoLock, NULL))
	{
		AttrNumber	number = get_attnum(lfirst_oid(cell), name);

		if (number > 0 && own_role(lfirst_oid(cell), number) == SDC_ROLE_IDENTIFIER)
			return true;
	}
	return false;
}

/* stricter returns the role that protects more: of values that come from several columns it is that of all. */
static SdcRole
stricter(SdcRole a, SdcRole b)
{
	static const SdcRole order[] = {
		SDC_ROLE_IDENTIFIER, SDC_ROLE_QUASI_IDENTIFIER, SDC_ROLE_SENSITIVE, SDC_ROLE_NONE,
		SDC_ROLE_WEIGHT, SDC_ROLE_UNIT
	};

	for (int i = 0; i < (int) lengthof(order); i++)
		if (a == order[i] || b == order[i])
			return order[i];
	return SDC_ROLE_PUBLIC;
}

/* view_query returns the definition of a view or materialized view; NULL: it is none, or gone. */
static const Query *
view_query(Oid relid)
{
	char		kind = get_rel_relkind(relid);
	HeapTuple	tuple;
	bool		isnull;
	List	   *actions;

	if (kind != RELKIND_VIEW && kind != RELKIND_MATVIEW)
		return NULL;
	tuple = SearchSysCache2(RULERELNAME, ObjectIdGetDatum(relid), PointerGetDatum(ViewSelectRuleName));
	if (!HeapTupleIsValid(tuple))
		return NULL;
	actions = stringToNode(TextDatumGetCString(SysCacheGetAttr(RULERELNAME, tuple, Anum_pg_rewrite_ev_action,
															   &isnull)));
	ReleaseSysCache(tuple);
	return linitial_node(Query, actions);
}

/* count_columns returns how many columns a relation has, with those that were dropped; 0: it is gone. */
static int
count_columns(Oid relid)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	int			count;

	if (!HeapTupleIsValid(tuple))
		return 0;
	count = ((Form_pg_class) GETSTRUCT(tuple))->relnatts;
	ReleaseSysCache(tuple);
	return count;
}

/* find_rows returns a relation, or a query that stands in another one, of which nothing is known at first. */
static Rows *
find_rows(Search *search, Oid relid, const Query *query, Rows *outer)
{
	ListCell   *cell;
	Rows	   *rows;

	foreach(cell, search->rows)
	{
		rows = lfirst(cell);
		if (rows->relid == relid && (OidIsValid(relid) || rows->query == query))
			return rows;
	}
	rows = palloc0(sizeof(Rows));
	rows->relid = relid;
	rows->query = OidIsValid(relid) ? view_query(relid) : query;
	rows->outer = outer;
	rows->count = OidIsValid(relid) ? count_columns(relid) : list_length(query->targetList);
	rows->role = palloc(sizeof(int) * Max(rows->count, 1));
	for (int i = 0; i < rows->count; i++)
		rows->role[i] = ROLE_UNKNOWN;
	search->rows = lappend(search->rows, rows);
	return rows;
}

/* outer_rows returns the query that stands so many queries further out, or NULL. */
static Rows *
outer_rows(Rows *rows, Index levels)
{
	for (; levels > 0 && rows != NULL; levels--)
		rows = rows->outer;
	return rows;
}

/* common_role returns the role of a column of a query that WITH gives a name. */
static SdcRole
common_role(Search *search, Rows *rows, const RangeTblEntry *entry, AttrNumber number)
{
	Rows	   *outer = outer_rows(rows, entry->ctelevelsup);
	ListCell   *cell;

	if (outer == NULL)
		return SDC_ROLE_NONE;
	foreach(cell, outer->query->cteList)
	{
		CommonTableExpr *common = lfirst_node(CommonTableExpr, cell);

		if (strcmp(common->ctename, entry->ctename) == 0 && IsA(common->ctequery, Query))
			return column_role(search, find_rows(search, InvalidOid, (Query *) common->ctequery, outer), number);
	}
	return SDC_ROLE_NONE;
}

/* entry_role returns the role of a column of what a query reads. */
static SdcRole
entry_role(Search *search, Rows *rows, const RangeTblEntry *entry, AttrNumber number)
{
	switch (entry->rtekind)
	{
		case RTE_RELATION:
			return column_role(search, find_rows(search, entry->relid, NULL, NULL), number);
		case RTE_SUBQUERY:
			return column_role(search, find_rows(search, InvalidOid, entry->subquery, rows), number);
		case RTE_CTE:
			return common_role(search, rows, entry, number);
		default:
			if (number > list_length(sdc_entry_expressions(entry)))
				return SDC_ROLE_NONE;
			return expression_role(search, rows, list_nth(sdc_entry_expressions(entry), number - 1));
	}
}

/* variable_role returns the role of a column that an expression names.  A whole row identifies whom its columns do. */
static SdcRole
variable_role(Search *search, Rows *rows, const Var *variable)
{
	const RangeTblEntry *entry;

	rows = outer_rows(rows, variable->varlevelsup);
	if (rows == NULL || variable->varno < 1 || variable->varno > list_length(rows->query->rtable))
		return SDC_ROLE_NONE;
	entry = rt_fetch(variable->varno, rows->query->rtable);
	if (variable->varattno > 0)
		return entry_role(search, rows, entry, variable->varattno);
	for (int i = 1; variable->varattno == 0 && i <= list_length(entry->eref->colnames); i++)
		if (entry_role(search, rows, entry, (AttrNumber) i) == SDC_ROLE_IDENTIFIER)
			return SDC_ROLE_IDENTIFIER;
	return SDC_ROLE_NONE;
}

/* any_role returns the strictest role of the values that an expression chooses from. */
static SdcRole
any_role(Search *search, Rows *rows, const List *values)
{
	SdcRole		role = SDC_ROLE_PUBLIC;
	ListCell   *cell;

	foreach(cell, values)
		role = stricter(role, expression_role(search, rows, lfirst(cell)));
	return role;
}

/* is_cast tells whether a function is called for a cast. */
static bool
is_cast(const FuncExpr *call)
{
	return (call->funcformat == COERCE_EXPLICIT_CAST || call->funcformat == COERCE_IMPLICIT_CAST) && call->args != NIL;
}

/* expression_role returns the role of a value that a query computes: that of the column whose value it is. */
static SdcRole
expression_role(Search *search, Rows *rows, Node *node)
{
	check_stack_depth();
	if (node == NULL)
		return SDC_ROLE_NONE;
	switch (nodeTag(node))
	{
		case T_Var:
			return variable_role(search, rows, (Var *) node);
		case T_RelabelType:
			return expression_role(search, rows, (Node *) ((RelabelType *) node)->arg);
		case T_CollateExpr:
			return expression_role(search, rows, (Node *) ((CollateExpr *) node)->arg);
		case T_CoerceViaIO:
			return expression_role(search, rows, (Node *) ((CoerceViaIO *) node)->arg);
		case T_ArrayCoerceExpr:
			return expression_role(search, rows, (Node *) ((ArrayCoerceExpr *) node)->arg);
		case T_CoerceToDomain:
			return expression_role(search, rows, (Node *) ((CoerceToDomain *) node)->arg);
		case T_ConvertRowtypeExpr:
			return expression_role(search, rows, (Node *) ((ConvertRowtypeExpr *) node)->arg);
		case T_FuncExpr:
			return is_cast((FuncExpr *) node) ?
				expression_role(search, rows, linitial(((FuncExpr *) node)->args)) : SDC_ROLE_NONE;
		case T_CoalesceExpr:
			return any_role(search, rows, ((CoalesceExpr *) node)->args);
		case T_SubLink:
			if (((SubLink *) node)->subLinkType != EXPR_SUBLINK)
				return SDC_ROLE_NONE;
			return column_role(search, find_rows(search, InvalidOid, (Query *) ((SubLink *) node)->subselect, rows), 1);
		default:
			return SDC_ROLE_NONE;
	}
}

/* union_role returns the role of a column of UNION and its like: what is strict in a part is so in the whole. */
static SdcRole
union_role(Search *search, Rows *rows, Node *part, AttrNumber number)
{
	check_stack_depth();
	if (IsA(part, SetOperationStmt))
		return stricter(union_role(search, rows, ((SetOperationStmt *) part)->larg, number),
						union_role(search, rows, ((SetOperationStmt *) part)->rarg, number));
	return entry_role(search, rows, rt_fetch(((RangeTblRef *) part)->rtindex, rows->query->rtable), number);
}

/* query_role returns the role of a column of the result of a query. */
static SdcRole
query_role(Search *search, Rows *rows, AttrNumber number)
{
	TargetEntry *entry = get_tle_by_resno(rows->query->targetList, number);

	if (rows->query->setOperations != NULL)
		return union_role(search, rows, rows->query->setOperations, number);
	return entry == NULL ? SDC_ROLE_NONE : expression_role(search, rows, (Node *) entry->expr);
}

/*
 * relation_role returns what a column of a relation is classified as: itself, or where it comes from.  What identifies
 * people in a part identifies them in the whole.
 */
static SdcRole
relation_role(Search *search, Rows *rows, AttrNumber number)
{
	char	   *name = get_attname(rows->relid, number, true);
	SdcRole		role;

	if (name == NULL)
		return SDC_ROLE_NONE;	/* dropped */
	role = own_role(rows->relid, number);
	if (role == SDC_ROLE_NONE && is_identifier_below(rows->relid, name))
		role = SDC_ROLE_IDENTIFIER;
	if (role == SDC_ROLE_NONE)
		role = rows->query != NULL ? query_role(search, rows, number) : role_of_parents(rows->relid, name);
	return role;
}

/* column_role returns the role of a column.  One that leads to itself has none by that way. */
static SdcRole
column_role(Search *search, Rows *rows, AttrNumber number)
{
	if (number < 1 || number > rows->count)
		return SDC_ROLE_NONE;
	if (rows->role[number - 1] == ROLE_UNKNOWN)
	{
		/* a view can have many queries, and a table has none */
		if (rows->query != NULL)
			CHECK_FOR_INTERRUPTS();
		check_stack_depth();
		rows->role[number - 1] = SDC_ROLE_NONE;
		rows->role[number - 1] = (int) (OidIsValid(rows->relid) ? relation_role(search, rows, number) :
										query_role(search, rows, number));
	}
	return (SdcRole) rows->role[number - 1];
}

/* sdc_label_roles: see label.h. */
SdcRole *
sdc_label_roles(Oid relid, int *count)
{
	MemoryContext work = AllocSetContextCreate(CurrentMemoryContext, "sdc roles", ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(work);
	Search		search = {NIL};
	Rows	   *rows = find_rows(&search, relid, NULL, NULL);
	SdcRole    *roles = MemoryContextAlloc(before, sizeof(SdcRole) * Max(rows->count, 1));

	for (int i = 0; i < rows->count; i++)
		roles[i] = column_role(&search, rows, (AttrNumber) (i + 1));
	if (count != NULL)
		*count = rows->count;
	MemoryContextSwitchTo(before);
	MemoryContextDelete(work);
	return roles;
}

/* sdc_label_role_name: see label.h. */
const char *
sdc_label_role_name(SdcRole role)
{
	return role == SDC_ROLE_NONE ? NULL : role_names[role - 1];
}

/* sdc_label_columns: see label.h. */
List *
sdc_label_columns(Oid relid, SdcRole role)
{
	List	   *names = NIL;
	int			count;
	SdcRole    *roles = sdc_label_roles(relid, &count);

	for (int i = 0; i < count; i++)
		if (roles[i] == role)
			names = lappend(names, get_attname(relid, (AttrNumber) (i + 1), false));
	return names;
}

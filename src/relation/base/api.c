/*-------------------------------------------------------------------------
 *
 * api.c
 *		Whether the SQL objects of the extension and the library are of versions that fit.
 *
 * Objects of a later version can call what the library does not have, or in another way.  Those of an earlier one find
 * all that they know: a function in C keeps its arguments and its result for ever, and one that has changed has
 * another name.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_extension.h"
#include "miscadmin.h"
#include "relation/base/api.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

/* The first version whose objects this library serves. */
#define FIRST_OBJECTS "1.0"

bool		sdc_api_preloaded;

/* sdc_api_init: see api.h. */
void
sdc_api_init(void)
{
	sdc_api_preloaded = process_shared_preload_libraries_in_progress;
}

/* objects_version returns the version of the extension in this database, or NULL if it is not there. */
static char *
objects_version(void)
{
	Relation	table = table_open(ExtensionRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	row;
	char	   *version = NULL;

	ScanKeyInit(&key, Anum_pg_extension_extname, BTEqualStrategyNumber, F_NAMEEQ, CStringGetDatum("sdc"));
	scan = systable_beginscan(table, ExtensionNameIndexId, true, NULL, 1, &key);
	if (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		bool		isnull;
		Datum		value = heap_getattr(row, Anum_pg_extension_extversion, RelationGetDescr(table), &isnull);

		if (!isnull)
			version = TextDatumGetCString(value);
	}
	systable_endscan(scan);
	table_close(table, AccessShareLock);
	return version;
}

/* compare compares the first two numbers of two versions: fixes after the second one change no object. */
static int
compare(const char *one, const char *other)
{
	int			number[2][2] = {{0}};

	(void) sscanf(one, "%d.%d", &number[0][0], &number[0][1]);
	(void) sscanf(other, "%d.%d", &number[1][0], &number[1][1]);
	if (number[0][0] != number[1][0])
		return number[0][0] < number[1][0] ? -1 : 1;
	return number[0][1] < number[1][1] ? -1 : number[0][1] > number[1][1];
}

/* sdc_api_require: see api.h.  Without the extension there is nothing to compare. */
void
sdc_api_require(void)
{
	char	   *objects = objects_version();

	if (objects != NULL && (compare(objects, SDC_VERSION) > 0 || compare(objects, FIRST_OBJECTS) < 0))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the objects of extension sdc and the library of this session are of versions that do not fit"),
				 sdc_api_explain()));
	if (objects != NULL)
		pfree(objects);
}

/* sdc_api_knows: see api.h. */
bool
sdc_api_knows(const char *version)
{
	return compare(version, SDC_VERSION) <= 0;
}

/* sdc_api_later: see api.h. */
int
sdc_api_later(void)
{
	errdetail("The library is of version %s.", SDC_VERSION);
	return errhint("A later version has done that: reconnect. If that does not help, install it.");
}

/* sdc_api_explain: see api.h. */
int
sdc_api_explain(void)
{
	char	   *objects = objects_version();

	if (objects == NULL)
		return errhint("The extension was dropped.");
	errdetail("The objects are of version %s, the library is of version %s.", objects, SDC_VERSION);
	if (compare(objects, SDC_VERSION) > 0)
		return errhint("%s, so that the library of version %s is loaded. If that is not installed, install it.",
					   sdc_api_preloaded ? "Restart the server, which has sdc in shared_preload_libraries" : "Reconnect", objects);
	if (compare(objects, SDC_VERSION) < 0)
		return errhint("ALTER EXTENSION sdc UPDATE; a session that is older than that must reconnect.");
	return errhint("Objects of the extension were altered, or made by hand, which no update does. "
				   "Undo that, or restore a dump of before.");
}

/* sdc_api_lacks: see api.h. */
void
sdc_api_lacks(Oid function, int arguments)
{
	char	   *name = OidIsValid(function) ? get_func_name(function) : NULL;

	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("function \"%s\" has fewer arguments than the %d that the library of this session reads",
					name == NULL ? "" : name, arguments),
			 sdc_api_explain()));
}

/*-------------------------------------------------------------------------
 *
 * module.c
 *		What the server needs when it loads the library.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/objectaccess.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "relation/base/api.h"
#include "relation/base/workers.h"
#include "relation/rights/label.h"
#include "sql/call.h"
#include "sql/settings.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/syscache.h"

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);

PG_FUNCTION_INFO_V1(sdc_version);

static object_access_hook_type next_hook;

/* is_ours tells whether a function is in this library. */
static bool
is_ours(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	bool		ours = false;

	if (HeapTupleIsValid(tuple) && ((Form_pg_proc) GETSTRUCT(tuple))->prolang == ClanguageId)
	{
		bool		isnull;
		Datum		file = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_probin, &isnull);

		ours = !isnull && strcmp(TextDatumGetCString(file), "$libdir/sdc") == 0;
	}
	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	return ours;
}

/*
 * before_call compares the versions before a function of ours is looked up, which could fail: an update by another
 * session can have brought one that this library does not have.
 */
static void
before_call(ObjectAccessType access, Oid class, Oid object, int sub, void *arg)
{
	if (next_hook != NULL)
		next_hook(access, class, object, sub, arg);
	if (access == OAT_FUNCTION_EXECUTE && is_ours(object))
		sdc_api_require();
}

/*
 * _PG_init defines the settings, keeps their prefix sdc for this library, makes it the provider
 * of the security labels that classify columns, notes how it was loaded, and has versions compared when functions are
 * called.
 */
void
_PG_init(void)
{
	sdc_settings_define();
	MarkGUCPrefixReserved("sdc");
	sdc_label_init();
	sdc_api_init();
	sdc_workers_init();
	next_hook = object_access_hook;
	object_access_hook = before_call;
}

/*
 * sdc_version() RETURNS text
 *
 * sdc_version returns the version of the library, which may be newer than that of
 * the extension's SQL objects until ALTER EXTENSION UPDATE.
 */
Datum
sdc_version(PG_FUNCTION_ARGS pg_attribute_unused())
{
	PG_RETURN_TEXT_P(cstring_to_text(SDC_VERSION));
}

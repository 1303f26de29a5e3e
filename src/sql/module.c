/*-------------------------------------------------------------------------
 *
 * module.c
 *		What the server needs when it loads the library.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/rights/label.h"
#include "sql/call.h"
#include "sql/settings.h"
#include "utils/builtins.h"
#include "utils/guc.h"

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);

PG_FUNCTION_INFO_V1(sdc_version);

/*
 * _PG_init defines the settings, keeps their prefix sdc for this library, and makes it the provider
 * of the security labels that classify columns.
 */
void
_PG_init(void)
{
	sdc_settings_define();
	MarkGUCPrefixReserved("sdc");
	sdc_label_init();
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

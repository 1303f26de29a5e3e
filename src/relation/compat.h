/*-------------------------------------------------------------------------
 *
 * compat.h
 *		The differences between the PostgreSQL versions that sdc supports.
 *
 * From 15, the oldest one, 16 to 18 differ in what stands here.  No other file
 * asks for PG_VERSION_NUM.  README.md says which versions have been tested.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_COMPAT_H
#define SDC_RELATION_COMPAT_H

#include "catalog/pg_class.h"
#include "catalog/pg_namespace.h"
#include "utils/acl.h"
#include "utils/backend_status.h"
#include "utils/tuplesort.h"

#if SIZEOF_DATUM < 8
#error "sdc needs a 64-bit server"
#endif

#if PG_VERSION_NUM >= 160000

#include "varatt.h"

#define sdc_tuplesort_getdatum(state, value, isnull) \
	tuplesort_getdatum(state, true, true, value, isnull, NULL)
#define sdc_make_range(type, lower, upper) \
	make_range(type, lower, upper, false, NULL)
#define sdc_is_relation_owner(relid, roleid) \
	object_ownercheck(RelationRelationId, relid, roleid)
#define sdc_may_use_schema(schema, roleid) \
	(object_aclcheck(NamespaceRelationId, schema, roleid, ACL_USAGE) == ACLCHECK_OK)
#define sdc_local_backend_status(index) \
	pgstat_get_local_beentry_by_index(index)

#else

#define sdc_tuplesort_getdatum(state, value, isnull) \
	tuplesort_getdatum(state, true, value, isnull, NULL)
#define sdc_make_range(type, lower, upper) \
	make_range(type, lower, upper, false)
#define sdc_is_relation_owner(relid, roleid) \
	pg_class_ownercheck(relid, roleid)
#define sdc_may_use_schema(schema, roleid) \
	(pg_namespace_aclcheck(schema, roleid, ACL_USAGE) == ACLCHECK_OK)
#define sdc_local_backend_status(index) \
	pgstat_fetch_stat_local_beentry(index)

#endif

/* stands before a function that does not return */
#if PG_VERSION_NUM >= 180000
#define sdc_noreturn pg_noreturn
#else
#define sdc_noreturn pg_attribute_noreturn()
#endif

#endif							/* SDC_RELATION_COMPAT_H */

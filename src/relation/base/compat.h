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
#define sdc_range_serialize(type, lower, upper, empty) \
	range_serialize(type, lower, upper, empty, NULL)
#define sdc_is_relation_owner(relid, roleid) \
	object_ownercheck(RelationRelationId, relid, roleid)
#define sdc_has_schema_right(schema, roleid, right) \
	(object_aclcheck(NamespaceRelationId, schema, roleid, right) == ACLCHECK_OK)
#define sdc_local_backend_status(index) \
	pgstat_get_local_beentry_by_index(index)

#else

#define sdc_tuplesort_getdatum(state, value, isnull) \
	tuplesort_getdatum(state, true, value, isnull, NULL)
#define sdc_make_range(type, lower, upper) \
	make_range(type, lower, upper, false)
#define sdc_range_serialize(type, lower, upper, empty) \
	range_serialize(type, lower, upper, empty)
#define sdc_is_relation_owner(relid, roleid) \
	pg_class_ownercheck(relid, roleid)
#define sdc_has_schema_right(schema, roleid, right) \
	(pg_namespace_aclcheck(schema, roleid, right) == ACLCHECK_OK)
#define sdc_local_backend_status(index) \
	pgstat_fetch_stat_local_beentry(index)

#endif

#if PG_VERSION_NUM >= 180000
#define sdc_form_minimal_tuple(desc, values, nulls) heap_form_minimal_tuple(desc, values, nulls, 0)
#else
#define sdc_form_minimal_tuple(desc, values, nulls) heap_form_minimal_tuple(desc, values, nulls)
#endif

/* what an index keeps between insertions is given back */
#if PG_VERSION_NUM >= 170000
#define sdc_index_insert_cleanup(index, info) index_insert_cleanup(index, info)
#else
#define sdc_index_insert_cleanup(index, info) ((void) 0)
#endif

/* what the server remembers of the files of relations that are new in a transaction */
#if PG_VERSION_NUM >= 160000
#define sdc_inherit_file_state(to, from) \
	((to)->rd_newRelfilelocatorSubid = (from)->rd_newRelfilelocatorSubid, \
	 (to)->rd_firstRelfilelocatorSubid = (from)->rd_firstRelfilelocatorSubid)
#define sdc_assume_new_file(rel) RelationAssumeNewRelfilelocator(rel)
#else
#define sdc_inherit_file_state(to, from) \
	((to)->rd_newRelfilenodeSubid = (from)->rd_newRelfilenodeSubid, \
	 (to)->rd_firstRelfilenodeSubid = (from)->rd_firstRelfilenodeSubid)
#define sdc_assume_new_file(rel) RelationAssumeNewRelfilenode(rel)
#endif

/* what belongs to a file besides, and files that are open under an old name */
#if PG_VERSION_NUM >= 180000
#define sdc_exchange_more(a, b) EXCHANGE(int32, (a)->relallfrozen, (b)->relallfrozen)
#else
#define sdc_exchange_more(a, b) ((void) 0)
#endif
#if PG_VERSION_NUM >= 170000
#define sdc_close_files(relid) ((void) 0)
#else
#define sdc_close_files(relid) RelationCloseSmgrByOid(relid)
#endif

/* whether this process is a worker of autovacuum */
#if PG_VERSION_NUM >= 170000
#define sdc_is_autovacuum_worker() AmAutoVacuumWorkerProcess()
#else
#define sdc_is_autovacuum_worker() IsAutoVacuumWorkerProcess()
#endif

/* the expressions that columns of an entry of a range table stand for, where it is a join, or grouped values */
#if PG_VERSION_NUM >= 180000
#define sdc_entry_expressions(entry) \
	((entry)->rtekind == RTE_JOIN ? (entry)->joinaliasvars : \
	 (entry)->rtekind == RTE_GROUP ? (entry)->groupexprs : NIL)
#else
#define sdc_entry_expressions(entry) \
	((entry)->rtekind == RTE_JOIN ? (entry)->joinaliasvars : NIL)
#endif

/* stands before a function that does not return */
#if PG_VERSION_NUM >= 180000
#define sdc_noreturn pg_noreturn
#else
#define sdc_noreturn pg_attribute_noreturn()
#endif

#endif							/* SDC_RELATION_COMPAT_H */

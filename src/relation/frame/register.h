/*-------------------------------------------------------------------------
 *
 * register.h
 *		Classifying columns, and registering releases made elsewhere.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_REGISTER_H
#define SDC_RELATION_REGISTER_H

#include "nodes/pg_list.h"

/* What sdc_register was given; lists are of char *. */
typedef struct SdcRegistration
{
	Oid			catalog_schema;
	Oid			source;
	Oid			release;
	bool		columns_given;
	List	   *columns;
	bool		key_given;
	List	   *key;
	char	   *method;
	char	   *parameters;		/* JSON */
	List	   *qi;
	List	   *sensitive;
	bool		unit_given;		/* otherwise the columns of the source that are classified as unit */
	List	   *unit;			/* columns of the source that name the unit of a record */
	bool		weight_given;	/* otherwise the column of the source that is classified as weight */
	const char *weight;			/* the column that says how many a record stands for; NULL: none */
	List	   *generalized;	/* columns that have ranges or sets in the release */
} SdcRegistration;

extern void sdc_register_role(Oid relid, const char *attribute, const char *role);
extern void sdc_register_release(const SdcRegistration *registration);
extern void sdc_register_forget(Oid catalog_schema, Oid release);

/* sdc_register_forget_state forgets the private state of a continued release of the caller's; it stays a release. */
extern void sdc_register_forget_state(Oid catalog_schema, Oid release);

/*
 * sdc_register_confirm has the caller, who owns a release, say that its source is what it was made
 * from; false: that can be told without.
 */
extern bool sdc_register_confirm(Oid catalog_schema, Oid release);

#endif							/* SDC_RELATION_REGISTER_H */

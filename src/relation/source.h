/*-------------------------------------------------------------------------
 *
 * source.h
 *		The relation to protect: its attributes and what happens to each.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_SOURCE_H
#define SDC_RELATION_SOURCE_H

#include "access/attnum.h"
#include "nodes/pg_list.h"
#include "relation/column.h"
#include "relation/label.h"
#include "relation/types.h"
#include "storage/lockdefs.h"
#include "utils/relcache.h"

/* The column that a release of a relation without a key gets. */
#define SDC_ROW_COLUMN "sdc_row"

typedef enum SdcAction
{
	SDC_ACTION_COPIED,
	SDC_ACTION_PROTECTED,
	SDC_ACTION_KEY,
	SDC_ACTION_OMITTED
} SdcAction;

/* What the caller of a protection function asks for; lists are of char *. */
typedef struct SdcSourceRequest
{
	Oid			relid;
	bool		columns_given;
	List	   *columns;
	bool		key_given;
	List	   *key;
	List	   *strata;
	List	   *omit;
	bool		keeps_row_type; /* the row type form: what is left out is NULL */
	bool		only_needed;	/* read key and protected columns, nothing to copy */
	bool		as_registered;	/* whatever the columns are classified as by now */
} SdcSourceRequest;

typedef struct SdcAttribute
{
	AttrNumber	attnum;
	NameData	name;
	SdcType		type;
	int32		typmod;
	bool		generated;
	SdcRole		role;			/* what it is classified as */
	SdcAction	action;
	bool		read;			/* its values are read from the source */
	SdcColumn  *column;			/* its values: the source's, later the release's */
	uint64		changed;		/* records whose value differs in the release */
} SdcAttribute;

typedef struct SdcSource
{
	/* set by sdc_source_plan */
	Oid			relid;
	char		relkind;
	char	   *schema;
	char	   *name;
	bool		keeps_row_type;
	bool		as_registered;	/* read for an evaluation: the key is what it was */
	int			attribute_count;	/* columns that are not dropped */
	SdcAttribute *attributes;
	int			protected_count;
	int			key_count;		/* 0: physical order */
	int		   *key;			/* indexes in attributes, in key order */
	int			strata_count;
	int		   *strata;			/* indexes in attributes */

	/* set by sdc_reader_read */
	uint64		records;
	uint64		strata_found;	/* groups that the strata form */
	uint64		checksum;		/* of key and protected attributes, in key order */
	SdcColumn  *stratum;		/* int4, the stratum of each record from 0, or NULL */
} SdcSource;

extern SdcSource *sdc_source_plan(const SdcSourceRequest *request);
extern const char *sdc_action_name(SdcAction action);

/* sdc_source_has_row_column tells whether a release gets the column sdc_row. */
extern bool sdc_source_has_row_column(const SdcSource *source);

/* Checks that are shared with sdc_register and sdc_classify. */
extern Relation sdc_source_open(Oid relid, LOCKMODE mode);
extern void sdc_source_check_kind(Oid relid);

/* sdc_source_check_readable insists that the caller may read some column of a relation. */
extern void sdc_source_check_readable(Oid relid);
extern AttrNumber sdc_source_find_column(Oid relid, const char *name, const char *argument);

#endif							/* SDC_RELATION_SOURCE_H */

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
#include "relation/column/column.h"
#include "relation/column/types.h"
#include "relation/rights/label.h"
#include "storage/lockdefs.h"
#include "utils/relcache.h"

/* The column that a release of a relation without a key gets. */
#define SDC_ROW_COLUMN "sdc_row"

typedef enum SdcAction
{
	SDC_ACTION_COPIED,
	SDC_ACTION_PROTECTED,
	SDC_ACTION_KEY,
	SDC_ACTION_UNIT,			/* names the unit of a record, and stays */
	SDC_ACTION_OMITTED,
	SDC_ACTION_COMPUTED,		/* of what other columns are in the release */
	SDC_ACTION_GROUPED,			/* weights, of which units have the mean of a run */
	SDC_ACTION_ADDED			/* the release has it, and the source has not */
} SdcAction;

/* The column that a release of a method with groups gets. */
#define SDC_GROUP_COLUMN "group_id"

/* What the caller of a protection function asks for; lists are of char *. */
typedef struct SdcSourceRequest
{
	Oid			relid;
	bool		columns_given;
	List	   *columns;
	List	   *places;			/* the argument that names each of them; NIL: "columns" */
	const char *columns_argument;	/* the one that can name more; NULL: "columns" */
	List	   *carried;		/* those of them that go along with others: a weight can do so, too */
	bool		key_given;
	List	   *key;
	List	   *strata;
	bool		unit_given;		/* otherwise the columns that are classified as unit name it */
	List	   *unit;			/* NIL: each record is one */
	List	   *row_level;		/* columns that are protected record by record, whatever units have of them */
	List	   *totals;			/* columns that are computed: sums over the records of a unit */
	List	   *parts;			/* of these */
	bool		totals_force;	/* also where the source has other sums */
	bool		weight_given;	/* otherwise it is the column that is classified as weight */
	const char *weight;			/* NULL: records stand for themselves */
	int			weight_group;	/* units whose weights become their mean; 0: weights stay */
	const char *missing;		/* JSON, the missing codes of columns (missing.h); NULL: there are none */
	List	   *omit;
	bool		keep_given;
	List	   *keep;			/* copied on purpose */
	List	   *read_besides;	/* that methods take without protecting them */
	bool		keeps_row_type; /* the row type form: what is left out is NULL */
	bool		complement;		/* protect the other numbers and times as well */
	bool		breaks_link;	/* quasi-identifiers are safe without being protected themselves */
	bool		only_needed;	/* read key and protected columns, nothing to copy */
	List	   *also;			/* columns to read besides, with only_needed */
	bool		unordered;		/* without a key, and in any order; with only_needed */
	bool		as_registered;	/* whatever the columns are classified as by now */
	bool		unnamed;		/* the caller has not named the relation */
} SdcSourceRequest;

/* Whether the records of a unit can have different values of a column. */
typedef enum SdcLevel
{
	SDC_LEVEL_UNKNOWN,			/* nobody has looked, or there are no units */
	SDC_LEVEL_UNIT,				/* no unit has two */
	SDC_LEVEL_ROW
} SdcLevel;

/* What a night has done to a column of a release that is continued: numbers of its cells. */
typedef struct SdcContinuation
{
	uint64		kept;			/* that are released as they were */
	uint64		drawn;			/* that have got a partner */
	uint64		pending;		/* that are missing until a lot of them is full */
	uint64		widows;			/* whose partner is gone */
	uint64		erased;			/* widows of lots that were drawn before they were full */
	uint64		waiting;		/* pending ones, and those of records that are not released yet */
	double		beyond;			/* percent that are farther than they would be drawn */
	double		largest;		/* the largest distance, in percent of the ranks */
} SdcContinuation;

/* What came of a column that was generalized along a hierarchy. */
typedef struct SdcLeveled
{
	bool		made;			/* it was */
	bool		single;			/* all values have one level: */
	uint32		level;
	double		loss;			/* mean loss of a cell */
	uint64		suppressed;		/* records, or units, that have everything in its place */
} SdcLeveled;

/* Of what the values of a column are averages. */
typedef struct SdcAverages
{
	uint64		groups;			/* of records, which have one value */
	double		sse_percent;	/* of the squares of distances from the mean, what is within groups; NaN: all are 0 */
	uint64		suppressed;		/* records that have lost what they had */
	double		total_change;	/* of the sum of the values of all others; NaN where they have none */
} SdcAverages;

typedef struct SdcAttribute
{
	AttrNumber	attnum;
	NameData	name;
	SdcType		type;
	int32		typmod;
	bool		generated;
	bool		kept;			/* named in argument keep */
	bool		named;			/* that, or in key or strata, or taken by the method: released on purpose */
	bool		of_method;		/* the method takes it without protecting it */
	bool		unique;			/* a unique index of all records has no other column */
	SdcRole		role;			/* what it is classified as */
	SdcAction	action;
	int			step;			/* of the protection, where the action is that */
	bool		read;			/* its values are read from the source */
	SdcColumn  *column;			/* its values: the source's, later the release's */
	struct SdcCodeList *codes;	/* where they go instead while they are read, as codes */
	bool		summed;			/* read for the checksum only */
	bool		numbered;		/* column is to have the numbers of values, if they are not too many */
	struct SdcDictionary *dictionary;	/* whose numbers (int4) column has, or NULL: it has the values */
	Oid			release_type;	/* type in the release, where it is another one */
	bool		respelled;		/* equal values were written in several ways, and are no more (spelling.h) */
	uint64		changed;		/* records whose value differs in the release */
	bool		suppressible;	/* values can be suppressed when the column is as the release has it, */
	uint64		suppressed;		/* which they were in so many records */
	bool		passed;			/* it is recoded before another step, which sees what its values have become, */
	SdcType		passed_type;	/* of this type if that is another one */
	const struct SdcRule *rule; /* by which column was recoded so; NULL: it was not, or not yet */
	SdcColumn  *before;			/* then the source's values, */
	uint64		recoded;		/* and how many of them have become others */
	SdcLeveled	leveled;		/* the level of its hierarchy that it was generalized to */
	bool		continued;		/* its cells are released as they were before, and again says how it went */
	SdcContinuation	continuation;
	bool		of_unit;		/* it names the unit of a record, alone or with others */
	double		weighted_change;	/* of the total, in percent; meaningful with weights, NaN where there is none */
	bool		is_weight;		/* it says how many of the population a record stands for */
	SdcLevel	level;			/* what it is where there are units, */
	uint32		units_differing;	/* and how many of them have two values */
	uint64		alone;			/* units that were not swapped, as no other is like them */
	bool		counted_within; /* it was counted how many records have the value of another one of their unit: */
	uint64		within_unit;
	int			distinct;		/* percent of the copied values that are different, where nearly all are */
	bool		complement;		/* protected without having been named */
	uint64		bins;			/* that its values were swapped in, where the method has some, */
	uint64		single_bins;	/* and those of one record */
	double		largest_move;	/* of a value in its bin, in percent of the range of all values */
	struct SdcAreaReport *areas;	/* what record swapping has done with areas (recordswap.h), or NULL */
	bool		averaged;		/* its values are those of groups, and averages says of what */
	SdcAverages averages;
	struct SdcMissing *missing; /* its missing codes (missing.h), or NULL: it has none */
	uint64		coded_records;	/* records that have one, where that was counted */
	SdcColumn  *coded;			/* these codes, while column has NULL in their place; or NULL */
	struct SdcOrdering *order;	/* of the source's values, kept from one trial to the next (ordering.h); or NULL */
} SdcAttribute;

typedef struct SdcSource
{
	/* set by sdc_source_plan */
	Oid			relid;
	Oid			reader;			/* the role that is to read it: the caller or its owner */
	char		relkind;
	char	   *schema;
	char	   *name;
	bool		keeps_row_type;
	bool		as_registered;	/* read for an evaluation: the key is what it was */
	bool		only_needed;
	bool		unordered;
	bool		has_groups;		/* the method makes groups; set before it runs */
	int			attribute_count;	/* columns that are not dropped */
	SdcAttribute *attributes;
	int			protected_count;
	int			key_count;		/* 0: physical order */
	int		   *key;			/* indexes in attributes, in key order */
	int			strata_count;
	int		   *strata;			/* indexes in attributes */
	int			unit_count;		/* columns that name the unit of a record; 0: each record is one */
	int		   *unit;			/* indexes in attributes */
	int			total_count;	/* columns that are computed */
	int		   *total;			/* indexes in attributes: sums over the records of a unit */
	int		   *part;			/* of these */

	/* set by sdc_reader_read */
	uint64		records;
	uint64		strata_found;	/* groups that the strata form */
	uint64		checksum;		/* of key and protected attributes, in key order */
	/* a relation that was read: only records whose key it has are kept, though all are checked; or NULL */
	const struct SdcSource *like;
	uint64		units_found;	/* how many units there are; 0 where each record is one */
	const struct SdcUnits *units;	/* of its records (units.h), or NULL: each record is one */
	SdcColumn  *stratum;		/* int4, the stratum of each record from 0, or NULL */
	/* set by a method that makes groups */
	SdcColumn  *group;			/* int4, the group of each record from 1, or NULL */
} SdcSource;

/* sdc_source_plan decides what happens to every column (sourceplan.c). */
extern SdcSource *sdc_source_plan(const SdcSourceRequest *request);
/* sdc_source_require_order raises the error for a column whose type has no order, or a stranger's. */
extern void sdc_source_require_order(SdcSource *source, SdcAttribute *attribute, const char *use);

/* sdc_source_copy copies what is known of a source, with room for more attributes; the columns are the same. */
extern SdcSource *sdc_source_copy(const SdcSource *source, int more);

extern const char *sdc_action_name(SdcAction action);

/* sdc_source_notice_copied names the columns that are copied and that no argument names. */
extern void sdc_source_notice_copied(const SdcSource *source);

/* sdc_source_has_row_column tells whether a release gets the column sdc_row. */
extern bool sdc_source_has_row_column(const SdcSource *source);

/* sdc_source_has_group_column tells whether a release gets the column group_id. */
extern bool sdc_source_has_group_column(const SdcSource *source);

/* Checks that are shared with sdc_register and sdc_classify. */
extern Relation sdc_source_open(Oid relid, LOCKMODE mode);
extern void sdc_source_check_kind(Oid relid);

/*
 * sdc_source_refuse_changed raises the error about columns that do not have the types any more that they had when
 * the reading was planned.  No other session can do that, but code of an owner that runs when another relation is read.
 */
extern void sdc_source_refuse_changed(Oid relid);

/* sdc_source_check_readable insists that the caller may read some column of a relation. */
extern void sdc_source_check_readable(Oid relid);
/* sdc_source_primary_key returns the names of the columns of the primary key, NIL without. */
extern List *sdc_source_primary_key(Oid relid);

/* sdc_source_weight returns the attribute that says how many a record stands for, NULL without. */
extern SdcAttribute *sdc_source_weight(const SdcSource *source);

/* sdc_source_find_attribute returns the index in attributes of a column named in an argument. */
extern int	sdc_source_find_attribute(SdcSource *source, const char *name, const char *argument);
extern AttrNumber sdc_source_find_column(Oid relid, const char *name, const char *argument);

/* sdc_source_may_read tells whether the caller may read a column; sdc_source_require_right insists on it. */
extern bool sdc_source_may_read(Oid relid, AttrNumber number);
extern void sdc_source_require_right(Oid relid, AttrNumber number);

#endif							/* SDC_RELATION_SOURCE_H */

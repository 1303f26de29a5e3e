/*-------------------------------------------------------------------------
 *
 * rule.h
 *		Rules by which the values of a column become coarser: hierarchies, and codes for the largest and the smallest.
 *
 * A hierarchy is a list of functions of a value, of which each is a function of the one before.  A rule is a member of
 * a JSON object, under the name of its column.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_RULE_H
#define SDC_RELATION_RULE_H

#include "nodes/pg_list.h"
#include "pgtime.h"
#include "relation/column/types.h"
#include "utils/jsonb.h"
#include "utils/numeric.h"
#include "utils/typcache.h"

/* The label of everything. */
#define SDC_RULE_EVERYTHING "*"

typedef enum SdcRuleKind
{
	SDC_RULE_WIDTH,				/* numbers: ranges of a width */
	SDC_RULE_TRUNC,				/* dates and times: the unit that they are in */
	SDC_RULE_PREFIX,			/* text: its first characters */
	SDC_RULE_TABLE,				/* any type: the labels that a table has */
	SDC_RULE_CODED,				/* numbers, dates, times: what is above or below a threshold becomes one value */
	SDC_RULE_PLAIN				/* any type: the values themselves, in a hierarchy without levels */
} SdcRuleKind;

/* What the release has in the place of a value. */
typedef enum SdcRuleForm
{
	SDC_RULE_RANGE,
	SDC_RULE_LOWER,				/* the start of the range, of the column's type */
	SDC_RULE_LABEL,				/* a text */
	SDC_RULE_VALUE				/* a value of the column's type */
} SdcRuleForm;

/* What the coded values become. */
typedef enum SdcRuleReplace
{
	SDC_RULE_THRESHOLD,
	SDC_RULE_MEAN,
	SDC_RULE_MEDIAN
} SdcRuleReplace;

/* Units of time, of which each contains those before, but for the week, which no longer one contains. */
typedef enum SdcRuleUnit
{
	SDC_UNIT_DAY,
	SDC_UNIT_WEEK,
	SDC_UNIT_MONTH,
	SDC_UNIT_QUARTER,
	SDC_UNIT_YEAR,
	SDC_UNIT_DECADE
} SdcRuleUnit;

/* One side of a rule that codes: what is above or below. */
typedef struct SdcRuleCut
{
	char	   *text;			/* the threshold as it is given, or found; NULL: none by now */
	Numeric		percent;		/* that are beyond it at most; NULL: it is given */
	char	   *replacement;	/* what they become, as text; NULL: nobody knows by now */
	uint64		coded;			/* how many records that are */
	Datum		threshold;		/* both as values, */
	Datum		value;
	bool		known;			/* when they are known */
} SdcRuleCut;

/* Behind the threshold: above, below. */
#define SDC_RULE_TOP 0
#define SDC_RULE_BOTTOM 1

typedef struct SdcRule
{
	const char *column;
	SdcRuleKind kind;
	SdcRuleForm form;
	int			levels;			/* 1, where one is wanted */
	/* width: by level; the other three can be NULL */
	Numeric    *width;
	Numeric		origin;
	Numeric		bottom;
	Numeric		top;
	bool		whole;			/* all of them are whole numbers that fit an int8: */
	int64	   *whole_width;
	int64		whole_origin;
	int64		whole_bottom;	/* 0 where there is none */
	int64		whole_top;
	/* trunc */
	SdcRuleUnit *unit;
	char	   *timezone;
	pg_tz	   *zone;			/* of that name; NULL: days begin where the values say */
	/* prefix: characters */
	int		   *prefix;
	/* table: its name, and those of its columns; NIL: all but that of the values */
	char	   *table;
	char	   *value_column;	/* NULL: the first */
	List	   *label_columns;
	int			level;			/* the one that is wanted, from 1; 0: it has a name, */
	char	   *level_name;		/* or all are wanted */
	struct SdcLabelTable *labels;	/* what it has, when it was read (labeltable.h) */
	/* codes */
	SdcRuleCut	cut[2];
	SdcRuleReplace replace;
	bool		continued;		/* thresholds and labels are those of a release that is continued */
	/* set by sdc_rule_bind */
	SdcType		type;
	int32		typmod;
	Oid			release_type;	/* InvalidOid: that of the column */
	TypeCacheEntry *range;
} SdcRule;

/*
 * sdc_rule_read reads rules, a list of SdcRule *: hierarchies with lists of levels, or single ones.  argument names
 * them in messages.
 */
extern List *sdc_rule_read(JsonbContainer *object, bool hierarchies, const char *argument);

/* sdc_rule_find returns the rule of a column, NULL without; sdc_rule_plain makes a hierarchy without levels. */
extern SdcRule *sdc_rule_find(List *rules, const char *column);
extern SdcRule *sdc_rule_plain(const char *column);

/* sdc_rule_bind insists on a column whose type a rule is for, and finds the type that it becomes. */
extern void sdc_rule_bind(SdcRule *rule, Oid typid, int32 typmod, Oid collation);

/* sdc_rule_type returns the type of what a rule that was bound makes of values. */
extern Oid	sdc_rule_type(const SdcRule *rule);

/* sdc_rule_is_everything tells whether a text is the label of everything. */
extern bool sdc_rule_is_everything(const text *label);

/* sdc_rule_columns returns the names of the columns of rules; relabelled: those only that do not keep their type. */
extern List *sdc_rule_columns(List *rules, bool relabelled);

#endif							/* SDC_RELATION_RULE_H */

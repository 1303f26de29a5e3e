/*-------------------------------------------------------------------------
 *
 * classes.h
 *		The classes of records of a relation that agree in some columns, as codes, with their sizes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_CLASSES_H
#define SDC_RELATION_CLASSES_H

#include "relation/read/codedtable.h"

/* A column by which records are classed. */
typedef struct SdcClassColumn
{
	SdcCodedTableColumn table;	/* name, type, dictionary, codes */
	Oid			cast;			/* to this type while it is read, or invalid */
	SdcCodeList *list;			/* of each class: numbers of values, later codes */
	struct SdcClassColumn *shares;	/* the column whose dictionary it uses, or NULL */
} SdcClassColumn;

typedef struct SdcClasses
{
	Oid			relid;
	Oid			reader;			/* the role that is to read it */
	List	   *unit;			/* columns that name the unit of a record, or NIL */
	int			columns;
	SdcClassColumn *column;
	/* set by sdc_classes_read */
	uint64	   *size;			/* records of each class, or its units; at least 1 */
	uint64		space;			/* sizes there is room for */
	uint64		records;		/* of the relation; the sum of the sizes where these are units */
	SdcCodedFile coded;			/* by sdc_classes_rank: a class is a record of it */
} SdcClasses;

/*
 * sdc_classes_plan insists on a relation with such columns, quasi-identifiers and another one or NULL, which
 * will be the last, that the caller may read and whose types have an order.  NULLs will be one value.  With unit, from
 * sdc_unitcolumns_find (unitcolumns.h), units are counted in place of records, each once in a class.
 */
extern SdcClasses *sdc_classes_plan(Oid relid, List *qi, const char *sensitive, List *unit);

/* sdc_classes_cast has a column read as another type; the caller knows that there is such a cast. */
extern void sdc_classes_cast(SdcClasses *classes, int column, Oid typid);

/* sdc_classes_share has a column use the dictionary of another one of the same base type. */
extern void sdc_classes_share(SdcClasses *classes, int column, SdcClasses *other, int other_column);

/*
 * sdc_classes_read has the server find the classes, by GROUP BY; in the current memory context.
 */
extern void sdc_classes_read(SdcClasses *classes);

/*
 * sdc_classes_rank makes codes of the numbers, when all dictionaries have all their values; of relations that
 * share some, first for the one whose they are.
 */
extern void sdc_classes_rank(SdcClasses *classes);

/* sdc_classes_sort puts the classes into the order of their codes: it is no longer that of some plan. */
extern void sdc_classes_sort(SdcClasses *classes);

/* The number of classes that were read. */
static inline uint32
sdc_classes_count(const SdcClasses *classes)
{
	return (uint32) classes->column[0].list->count;
}

#endif							/* SDC_RELATION_CLASSES_H */

/*-------------------------------------------------------------------------
 *
 * accuracyrows.h
 *		The rows of an accuracy table, and how a publication was drawn by what they say.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_ACCURACYROWS_H
#define SDC_RELATION_ACCURACYROWS_H

#include "access/tupdesc.h"
#include "nodes/pg_list.h"
#include "relation/base/spi.h"
#include "relation/catalog/noiseparameters.h"

/* Words in it. */
#define SDC_PART_RELEASE "release"
#define SDC_PART_METHOD "method"
#define SDC_PART_MATRIX "matrix"
#define SDC_PART_MARGINS "margins"
#define SDC_MEASURE_KS "ks"
#define SDC_MEASURE_ROUNDING "_rounding"
#define SDC_MEASURE_PROBABILITY "probability"
#define SDC_MEASURE_DRAWS "draws"
#define SDC_MEASURE_RETAIN "retain"
#define SDC_MEASURE_STRATUM "stratum"
#define SDC_MEASURE_UNITS "units"
#define SDC_MEASURE_PART "part"
#define SDC_MEASURE_UNIT_CLASS "unit_class"
#define SDC_MEASURE_WHOLE "whole"
#define SDC_MEASURE_KEPT "kept"
#define SDC_MEASURE_CONTINUED "continued"
#define SDC_MEASURE_CODES "codes"
#define SDC_MEASURE_BETWEEN "between"
#define SDC_MEASURE_AMOUNT "amount"
#define SDC_MEASURE_BOUNDED "bounded"
#define SDC_MEASURE_COPIED "copied"
#define SDC_METHOD_OTHER "other"
#define SDC_MEASURE_WITHHELD "withheld"

/* Of a matrix with more values nothing is said: it would be most of the table. */
#define SDC_ACCURACY_MATRIX 100

/* sdc_accuracyrows_layout returns the columns of the table. */
extern TupleDesc sdc_accuracyrows_layout(void);

/* sdc_accuracyrows_fits tells whether a relation is a table with these columns. */
extern bool sdc_accuracyrows_fits(Oid relid);

/* sdc_accuracyrows_name returns the name of a new table. */
extern char *sdc_accuracyrows_name(const char *publication);

/* How a column was protected. */
typedef struct SdcAccuracyColumn
{
	const char *name;
	const char *method;			/* of the catalog, or SDC_MEASURE_COPIED, or SDC_METHOD_OTHER */
	double		reach;			/* percent of the ranks, or buckets; 0: it is not said */
	bool		kept;			/* its values, one of each unit that has one, are those of the source reordered */
	bool		whole;			/* units have exchanged all values that they have */
	bool		continued;
	bool		codes;			/* some values stand for missing ones */
	bool		suppressed;		/* missing values can have been others */
	bool		recoded;		/* and then protected: what its method tells is told of what the values became */
	bool		between;		/* an original value is not beyond the next released ones */
	double		unit_class;		/* units are swapped in classes by size, of so many at least; 0: it is not said */
	SdcNoiseScheme scheme;		/* of noise, */
	double		amount;			/* above 0 if it is known */
	bool		bounded;
	double		ks;				/* how far its distribution is from that of the source, */
	double		ks_rounding;	/* and its rounding; 0: it is not said */
} SdcAccuracyColumn;

/* How a publication was protected; lists are of char *, if nothing else is said. */
typedef struct SdcAccuracyDrawing
{
	List	   *columns;		/* SdcAccuracyColumn *, of all columns */
	List	   *qi;				/* that were randomized; NIL: none was, or by several steps */
	double	   *probability;	/* in that order; NULL: draws or retain counts */
	int			draws;
	double		retain;			/* of PRAM; 0: it is random anonymization */
	List	   *strata;
	bool		hidden_strata;	/* or by values that were not published */
	bool		units;			/* several records were protected together, as units */
	bool		part;			/* distributions are of other records too */
	List	   *matrices;		/* SdcMatrix *, of columns that were drawn by one that is said */
} SdcAccuracyDrawing;

/* sdc_accuracyrows_column finds how a column was protected, NULL where that is not said. */
extern const SdcAccuracyColumn *sdc_accuracyrows_column(const SdcAccuracyDrawing *drawing, const char *name);

/* sdc_accuracyrows_matrix_measure is what the row of two values of a matrix measures: an array of JSON with both. */
extern char *sdc_accuracyrows_matrix_measure(const char *from, const char *to);

/*
 * sdc_accuracyrows_read reads how a publication was protected, from its accuracy table; false: there is none that
 * the caller may read, or it withholds how a randomized one was drawn.
 */
extern bool sdc_accuracyrows_read(Oid catalog_schema, Oid publication, SdcAccuracyDrawing *drawing);

/* sdc_accuracyrows_visit hands its rows over; false: there is no such table that the caller may read. */
extern bool sdc_accuracyrows_visit(Oid catalog_schema, Oid publication, SdcSpiRow row, void *arg);

#endif							/* SDC_RELATION_ACCURACYROWS_H */

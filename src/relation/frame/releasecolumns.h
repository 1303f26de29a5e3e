/*-------------------------------------------------------------------------
 *
 * releasecolumns.h
 *		Columns of a release and of its source side by side: protected ones, and copied ones.
 *
 * All that measures compare column by column is read here.  Who asks by quasi-identifiers and sensitive attributes
 * (codedrelease.h), or for the protected columns alone (pairedrelease.h), decides which columns these are.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_RELEASECOLUMNS_H
#define SDC_MEASURE_RELEASECOLUMNS_H

#include "kernel/base/pairs.h"
#include "kernel/base/units.h"
#include "kernel/queries/queries.h"
#include "relation/column/dictionary.h"
#include "relation/column/paircodes.h"
#include "relation/frame/openrelease.h"

/* What is asked of a column, set before it is read. */
typedef enum SdcColumnFacet
{
	SDC_FACET_CODES,			/* common codes, of missing codes as well */
	SDC_FACET_VALUES,			/* and the values behind them */
	SDC_FACET_NUMBERS,			/* common codes, with missing codes as missing values */
	SDC_FACET_FORMS				/* the release has ranges or sets in the place of values */
} SdcColumnFacet;

typedef struct SdcReleaseColumn
{
	const char *name;
	SdcType		type;
	SdcValueKind kind;
	SdcColumnFacet facet;
	SdcPairColumn pair;			/* codes common to both; of forms protected is NULL */
	bool		recoded;		/* the source has what its values were recoded to; of its values are: */
	SdcPairColumn before;		/* unless these have another type: */
	bool		relabelled;		/* set before it is read */
	SdcCodedValues values;		/* behind the codes, where they are asked for */
	SdcAttribute *original;		/* while both relations are read */
	SdcAttribute *protected;
	/* of forms */
	bool	   *coded;			/* which codes are missing ones, or NULL: a range has one of them alone */
	SdcCodeList *form;			/* what each record has: while its sets are found */
	SdcQuerySet *set;			/* of values, of each group */
	uint32	   *element;		/* codes; SDC_CODE_NULL for a missing value, and for one that the source lacks */
	uint64		elements;
} SdcReleaseColumn;

typedef struct SdcReleaseColumns
{
	SdcReleaseRow row;
	char	   *name;			/* of the release */
	uint32		records;
	int			columns;
	SdcReleaseColumn *column;
	SdcRecordWeights weights;	/* where they are wanted */
	const SdcUnits *units;		/* where they are wanted: that records are about; NULL: each is one */
	/* where columns have roles (codedrelease.h) */
	SdcQueryKind kind;
	int			qi_count;
	SdcReleaseColumn *qi;		/* the first columns */
	int			sensitive_count;
	SdcReleaseColumn *sensitive;	/* the others */
	const uint32 *group;		/* of each record, where sensitive values were permuted or records generalized */
	uint32		groups;
	SdcOpenRelease *opened;		/* while both relations are read */
	MemoryContext context;		/* of all this */
	MemoryContext before;		/* to go back to */
} SdcReleaseColumns;

typedef struct SdcReleaseColumnsRequest
{
	Oid			catalog_schema;
	Oid			release;
	SdcFrame   *frame;			/* that the release is in, in the place of both; or NULL */
	bool		values;			/* those behind the codes are needed as well */
	bool		labels;			/* or those of columns that have neither numbers nor missing codes */
	bool		given;			/* otherwise all but the key that the release has with the types of the source */
	List	   *names;			/* columns, char *, each once */
	const char *argument;		/* that names them */
	const char *first;			/* the argument that names the first of them, if that is another one */
	bool		numbers;		/* they must be numbers, dates or times */
	SdcWeightRequest weight;
	const char *measure;		/* one more, if it is none of them, or NULL: it must be numbers */
} SdcReleaseColumnsRequest;

/*
 * sdc_releasecolumns_open reads a release and its source with the rights of the caller.  Columns are in the order in
 * which they are named, or that of the source.  From then on the current memory context is that of the columns,
 * which sdc_releasecolumns_close deletes.
 */
extern SdcReleaseColumns *sdc_releasecolumns_open(const SdcReleaseColumnsRequest *request);
extern void sdc_releasecolumns_close(SdcReleaseColumns *columns);

/*
 * sdc_releasecolumns_open in steps, for callers that choose the columns.  sdc_releasecolumns_begin opens the release;
 * sdc_releasecolumns_plan finds the columns in both files, those of a list as forms, and others of the release;
 * sdc_releasecolumns_read reads what is planned; sdc_releasecolumns_end closes both files.
 */
extern SdcReleaseColumns *sdc_releasecolumns_begin(Oid catalog_schema, Oid release, SdcFrame *frame, bool unnamed,
												   const SdcWeightRequest *weight);
extern void sdc_releasecolumns_plan(SdcReleaseColumns *columns, List *names, List *forms, List *release_also);
extern void sdc_releasecolumns_read(SdcReleaseColumns *columns);
extern SdcReleaseColumns *sdc_releasecolumns_end(SdcReleaseColumns *columns);

/* sdc_releasecolumns_values returns the numbers of a column that has numbers, NaN where there is none, by record. */
extern double *sdc_releasecolumns_values(const SdcReleaseColumns *columns, int number, bool protected);

/* sdc_releasecolumns_value returns the value of a record in one of the files. */
static inline Datum
sdc_releasecolumns_value(const SdcReleaseColumn *column, bool protected, uint32 record, bool *isnull)
{
	uint32		code = (protected ? column->pair.protected : column->pair.original)[record];

	*isnull = code == SDC_CODE_NULL;
	return *isnull ? (Datum) 0 : sdc_dictionary_value(column->values.dictionary, column->values.number[code]);
}

#endif							/* SDC_MEASURE_RELEASECOLUMNS_H */

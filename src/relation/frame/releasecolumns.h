/*-------------------------------------------------------------------------
 *
 * releasecolumns.h
 *		Columns of a release and of its source side by side: protected ones, and copied ones.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_RELEASECOLUMNS_H
#define SDC_MEASURE_RELEASECOLUMNS_H

#include "kernel/base/pairs.h"
#include "relation/column/dictionary.h"
#include "relation/column/paircodes.h"
#include "relation/frame/openrelease.h"

typedef struct SdcReleaseColumn
{
	const char *name;
	SdcType		type;
	SdcValueKind kind;
	SdcPairColumn pair;
	SdcCodedValues values;		/* behind the codes, where they are asked for */
	SdcAttribute *original;		/* while both relations are read */
	SdcAttribute *protected;
} SdcReleaseColumn;

typedef struct SdcReleaseColumns
{
	char	   *name;			/* of the release */
	uint32		records;
	int			columns;
	SdcReleaseColumn *column;
	SdcRecordWeights weights;	/* where they are wanted */
	MemoryContext context;		/* that all this is in */
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

/*-------------------------------------------------------------------------
 *
 * pictures.h
 *		What the pictures of a report show of a release, beside its source.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_PICTURES_H
#define SDC_MEASURE_PICTURES_H

#include "utils/jsonb.h"

/* A mark of a picture has at most so many numbers. */
#define SDC_PICTURE_NUMBERS 4

/*
 * A mark of a picture.  Its numbers, NaN where there is none, are by what it is
 *
 *	column		different values of the source, share of its most frequent one, shares of missing values in both files
 *	statistic	that of both files; y is its name
 *	bar			a value, or NaN; then the records of both files that have it, their weights where these count
 *	bin			the ends of an interval; then the same of all values in it, at the ends of those beyond
 *	pair		the correlations of columns x and y in both files
 *	before		the values of columns x and y that a record has in the source
 *	after		and in the release
 */
typedef struct SdcPicture
{
	const char *what;
	const char *x;				/* a column */
	const char *y;				/* or NULL */
	int			place;			/* among the marks of the picture, from 0 */
	Datum		label;			/* jsonb, a bar's value: {column: value}; 0: it has none */
	double		number[SDC_PICTURE_NUMBERS];
} SdcPicture;

typedef void (*SdcPictureEmit) (void *arg, const SdcPicture *picture);

/*
 * sdc_pictures_measure reads a release and its source with the rights of the caller.  Points are of some records that
 * are spread over all of them, always the same ones.
 */
extern void sdc_pictures_measure(Oid catalog_schema, Oid release, SdcPictureEmit emit, void *arg);

#endif							/* SDC_MEASURE_PICTURES_H */

/*-------------------------------------------------------------------------
 *
 * canonical.h
 *		Values as strings of bytes that mean the same on every server.
 *
 * Equal values have equal images where the type is known well enough (it is then exact);
 * values with equal images are equal always, as far as output functions can be trusted.  Images
 * are good for counting distinct values, and not for their order.
 *
 * A label tells of which type images are: values of a domain are those of its base type, and
 * deterministic collations make no difference.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_CANONICAL_H
#define SDC_RELATION_CANONICAL_H

#include "kernel/base/tally.h"
#include "relation/types.h"

typedef struct SdcImageType SdcImageType;

/* The image of a value. */
typedef struct SdcImage
{
	const void *bytes;
	uint32		length;
	uint64		words[2];		/* bytes may lie here: do not copy the struct */
} SdcImage;

/* sdc_image_type looks up how values of a type are imaged; in the current memory context. */
extern SdcImageType *sdc_image_type(Oid typid, Oid collation);

/* sdc_image_label is the label of its images. */
extern const void *sdc_image_label(const SdcImageType *type, uint32 *length);

/*
 * sdc_image_make makes the image of a value: it lies in the struct, in the value, or in the current
 * memory context, and is good until the next call.
 */
extern void sdc_image_make(SdcImageType *type, Datum value, SdcImage *image);

/* What the label of images tells, whoever has made it: nothing here needs the type to exist. */
extern bool sdc_image_label_valid(const void *label, uint32 length);
extern bool sdc_image_label_exact(const void *label);
extern const char *sdc_image_label_text(const void *label);

/*
 * sdc_image_type_of_label finds the type of images made elsewhere, to turn them into values.  It
 * raises an error if this database has another one under its name, or none.
 */
extern SdcImageType *sdc_image_type_of_label(const void *label, uint32 length);

/*
 * sdc_image_values turns the images in some entries into values, whoever has made them, in the
 * current memory context; only of a type that is not exact.
 */
extern void sdc_image_values(SdcImageType *type, const SdcTallyEntry *entries, uint64 count,
							 Datum *values);

/* sdc_image_compare compares such values in the order of the type. */
extern int	sdc_image_compare(SdcImageType *type, Datum a, Datum b);

#endif							/* SDC_RELATION_CANONICAL_H */

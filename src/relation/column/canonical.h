/*-------------------------------------------------------------------------
 *
 * canonical.h
 *		The canonical form of values: bytes that mean the same on every server.
 *
 * Equal values have equal forms where the type is known well enough (it is then exact);
 * values with equal forms are equal always, as far as output functions can be trusted.  Forms
 * are good for counting distinct values, and not for their order.
 *
 * A label tells of which type forms are: values of a domain are those of its base type, and
 * deterministic collations make no difference.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_CANONICAL_H
#define SDC_RELATION_CANONICAL_H

#include "kernel/base/tally.h"
#include "relation/column/types.h"

typedef struct SdcCanonicalType SdcCanonicalType;

/* The form of a value. */
typedef struct SdcCanonical
{
	const void *bytes;
	uint32		length;
	uint64		words[2];		/* bytes may lie here: do not copy the struct */
} SdcCanonical;

/* sdc_canonical_type looks up how values of a type are written; in the current memory context. */
extern SdcCanonicalType *sdc_canonical_type(Oid typid, Oid collation);

/* sdc_canonical_label is the label of its forms. */
extern const void *sdc_canonical_label(const SdcCanonicalType *type, uint32 *length);

/*
 * sdc_canonical_make makes the form of a value: it lies in the struct, in the value, or in the
 * current memory context, and is good until the next call.
 */
extern void sdc_canonical_make(SdcCanonicalType *type, Datum value, SdcCanonical *form);

/* What the label of forms tells, whoever has made it: nothing here needs the type to exist. */
extern bool sdc_canonical_label_valid(const void *label, uint32 length);
extern bool sdc_canonical_label_exact(const void *label);
extern const char *sdc_canonical_label_text(const void *label);

/*
 * sdc_canonical_type_of_label finds the type of forms made elsewhere, to turn them into values.  It
 * raises an error if this database has another one under its name, or none.
 */
extern SdcCanonicalType *sdc_canonical_type_of_label(const void *label, uint32 length);

/*
 * sdc_canonical_values turns the forms in some entries into values, whoever has made them, in the
 * current memory context; only of a type that is not exact.
 */
extern void sdc_canonical_values(SdcCanonicalType *type, const SdcTallyEntry *entries, uint64 count,
								 Datum *values);

/* sdc_canonical_compare compares such values in the order of the type. */
extern int	sdc_canonical_compare(SdcCanonicalType *type, Datum a, Datum b);

#endif							/* SDC_RELATION_CANONICAL_H */

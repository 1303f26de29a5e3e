/*-------------------------------------------------------------------------
 *
 * historyrisk.h
 *		What several releases tell together, and what the difference of two tells.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_HISTORYRISK_H
#define SDC_MEASURE_HISTORYRISK_H

#include "relation/frame/releasehistory.h"

/* What an attack finds; NaN: it does not tell. */
typedef struct SdcHistoryRow
{
	const char *attack;
	Oid			release;		/* InvalidOid: all together */
	uint64		targets;		/* records, or values */
	double		percent;
	double		candidates;
	double		inside;
	double		guess;
	double		error;
	double		wrong;
} SdcHistoryRow;

typedef void (*SdcHistoryEmit) (void *arg, const SdcHistoryRow *row);

/* sdc_historyrisk_link attacks the last of several releases by all of them, and each alone. */
extern void sdc_historyrisk_link(const SdcHistoryRequest *request, SdcHistoryEmit emit, void *arg);

/* What the difference of two releases tells of one side, in a column or of whole records. */
typedef struct SdcDifferenceRow
{
	const char *attribute;		/* NULL: whole records */
	const char *side;
	uint64		appeared;
	uint64		vanished;
	uint64		cells;
	uint64		exposed;
	double		guess;
	bool		has_holders;
	uint64		holders;
	uint64		partners_exposed;
	double		partners_guess;
} SdcDifferenceRow;

typedef void (*SdcDifferenceEmit) (void *arg, const SdcDifferenceRow *row);

/* sdc_historyrisk_compare compares two releases; linkable: their rows can be followed by a key. */
extern void sdc_historyrisk_compare(const SdcHistoryRequest *request, bool linkable,
									SdcDifferenceEmit emit, void *arg);

#endif							/* SDC_MEASURE_HISTORYRISK_H */

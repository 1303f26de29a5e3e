/*-------------------------------------------------------------------------
 *
 * seal.h
 *		The keyed checksum of a source.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_SEAL_H
#define SDC_RELATION_SEAL_H

#define SDC_SEAL_BYTES 64
#define SDC_SEAL_SECRET_BYTES 32

/* What a seal is about. */
typedef struct SdcSealed
{
	Oid			release;
	Oid			source;
	uint64		records;
	uint64		checksum;
} SdcSealed;

typedef enum SdcSealState
{
	SDC_SEAL_INTACT,			/* it is what was sealed */
	SDC_SEAL_BROKEN,			/* records or checksum are others */
	SDC_SEAL_FOREIGN			/* taken elsewhere, or of other relations */
} SdcSealState;

/* sdc_seal_read copies a seal that the catalog has; a restored row may have anything. */
extern void sdc_seal_read(Datum value, uint8 *seal);

/* sdc_seal_take writes the seal of a source, SDC_SEAL_BYTES. */
extern void sdc_seal_take(const uint8 *secret, const SdcSealed *sealed, uint8 *seal);

/* sdc_seal_check compares a seal with what is there. */
extern SdcSealState sdc_seal_check(const uint8 *secret, const SdcSealed *sealed, const uint8 *seal);

/* sdc_seal_is_own tells whether a seal was taken here, of these relations. */
extern bool sdc_seal_is_own(const uint8 *secret, Oid release, Oid source, const uint8 *seal);

/* sdc_seal_word returns a number that only the installation can make of a text. */
extern uint64 sdc_seal_word(const uint8 *secret, const char *text);

#endif							/* SDC_RELATION_SEAL_H */

/*-------------------------------------------------------------------------
 *
 * seal.c
 *		The keyed checksum of a source.
 *
 * Who may see what is kept about a release, in the catalog or in a dump, must not be able to
 * confirm guesses of the source's values with it.  So what is kept is
 *
 *	nonce (16 bytes)	random
 *	origin (16 bytes)	HMAC of the nonce and the OIDs of release and source
 *	content (32 bytes)	HMAC of the same, the number of records, and the checksum
 *
 * by SHA-256, with a secret of the installation that is not dumped.  Every row has a nonce of its own
 * and relations of its own: what a forger registers, or copies, is not comparable with anything.
 * The origin tells a source that has changed from one that came out of a dump.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hmac.h"
#include "common/sha2.h"
#include "fmgr.h"
#include "relation/base/compat.h"
#include "relation/catalog/seal.h"

#define NONCE_BYTES 16
#define ORIGIN_BYTES 16

StaticAssertDecl(NONCE_BYTES + ORIGIN_BYTES + PG_SHA256_DIGEST_LENGTH == SDC_SEAL_BYTES,
				 "a seal has three parts");

/* append_number appends a number to a message, the lowest byte first. */
static uint8 *
append_number(uint8 *to, uint64 number)
{
	for (int i = 0; i < 8; i++)
		*to++ = (uint8) (number >> (8 * i));
	return to;
}

/* authenticate returns the HMAC of a message. */
static void
authenticate(const uint8 *secret, const uint8 *message, size_t length, uint8 *digest)
{
	pg_hmac_ctx *hmac = pg_hmac_create(PG_SHA256);

	if (hmac == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("out of memory")));
	if (pg_hmac_init(hmac, secret, SDC_SEAL_SECRET_BYTES) < 0 ||
		pg_hmac_update(hmac, message, length) < 0 ||
		pg_hmac_final(hmac, digest, PG_SHA256_DIGEST_LENGTH) < 0)
		elog(ERROR, "could not compute a checksum: %s", pg_hmac_error(hmac));
	pg_hmac_free(hmac);
}

/* make_origin writes the second part of a seal behind the first. */
static void
make_origin(const uint8 *secret, Oid release, Oid source, uint8 *seal)
{
	uint8		message[1 + NONCE_BYTES + 2 * 8] = {'o'};
	uint8		digest[PG_SHA256_DIGEST_LENGTH];

	memcpy(message + 1, seal, NONCE_BYTES);
	(void) append_number(append_number(message + 1 + NONCE_BYTES, release), source);
	authenticate(secret, message, sizeof(message), digest);
	memcpy(seal + NONCE_BYTES, digest, ORIGIN_BYTES);
}

/* make_content writes the third part of a seal. */
static void
make_content(const uint8 *secret, const SdcSealed *sealed, uint8 *seal)
{
	uint8		message[1 + NONCE_BYTES + 4 * 8] = {'c'};
	uint8	   *to = message + 1 + NONCE_BYTES;

	memcpy(message + 1, seal, NONCE_BYTES);
	to = append_number(append_number(to, sealed->release), sealed->source);
	(void) append_number(append_number(to, sealed->records), sealed->checksum);
	authenticate(secret, message, sizeof(message), seal + NONCE_BYTES + ORIGIN_BYTES);
}

/* sdc_seal_take draws a new nonce. */
void
sdc_seal_take(const uint8 *secret, const SdcSealed *sealed, uint8 *seal)
{
	if (!pg_strong_random(seal, NONCE_BYTES))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random bytes")));
	make_origin(secret, sealed->release, sealed->source, seal);
	make_content(secret, sealed, seal);
}

/* sdc_seal_is_own makes the origin again. */
bool
sdc_seal_is_own(const uint8 *secret, Oid release, Oid source, const uint8 *seal)
{
	uint8		again[SDC_SEAL_BYTES];

	memcpy(again, seal, NONCE_BYTES);
	make_origin(secret, release, source, again);
	return memcmp(again, seal, NONCE_BYTES + ORIGIN_BYTES) == 0;
}

/* sdc_seal_check makes the seal again. */
SdcSealState
sdc_seal_check(const uint8 *secret, const SdcSealed *sealed, const uint8 *seal)
{
	uint8		again[SDC_SEAL_BYTES];

	if (!sdc_seal_is_own(secret, sealed->release, sealed->source, seal))
		return SDC_SEAL_FOREIGN;
	memcpy(again, seal, NONCE_BYTES + ORIGIN_BYTES);
	make_content(secret, sealed, again);
	return memcmp(again, seal, SDC_SEAL_BYTES) == 0 ? SDC_SEAL_INTACT : SDC_SEAL_BROKEN;
}

/* sdc_seal_word: see seal.h. */
uint64
sdc_seal_word(const uint8 *secret, const char *text)
{
	uint8		digest[PG_SHA256_DIGEST_LENGTH];
	uint64		word;

	authenticate(secret, (const uint8 *) text, strlen(text), digest);
	memcpy(&word, digest, sizeof(word));
	return word;
}

/* sdc_seal_read: see seal.h. */
void
sdc_seal_read(Datum value, uint8 *seal)
{
	bytea	   *bytes = DatumGetByteaPP(value);

	memset(seal, 0, SDC_SEAL_BYTES);
	if (VARSIZE_ANY_EXHDR(bytes) == SDC_SEAL_BYTES)
		memcpy(seal, VARDATA_ANY(bytes), SDC_SEAL_BYTES);
}

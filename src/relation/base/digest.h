/*-------------------------------------------------------------------------
 *
 * digest.h
 *		A SHA-256 of many short pieces, such as the values of a record.
 *
 * The functions of libcrypto that know no other digest: the general ones take as long to begin and to end as a record
 * takes.  Pieces are gathered, so that there is a call for many of them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_DIGEST_H
#define SDC_RELATION_DIGEST_H

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

/* So many bytes are gathered. */
#define SDC_DIGEST_BUFFER 4096

typedef struct SdcDigest
{
	SHA256_CTX	state;
	int			used;
	char		buffer[SDC_DIGEST_BUFFER];
} SdcDigest;

/* sdc_digest_require raises an error when libcrypto refused something. */
static inline void
sdc_digest_require(bool ok)
{
	if (!ok)
		ereport(ERROR,
				(errcode(ERRCODE_EXTERNAL_ROUTINE_EXCEPTION),
				 errmsg("libcrypto refused to compute a SHA-256")));
}

/* sdc_digest_begin starts a digest: a new one, or one that goes on from a state. */
static inline void
sdc_digest_begin(SdcDigest *digest, const SHA256_CTX *from)
{
	if (from != NULL)
		digest->state = *from;
	else
		sdc_digest_require(SHA256_Init(&digest->state) == 1);
	digest->used = 0;
}

/* sdc_digest_add adds bytes. */
static inline void
sdc_digest_add(SdcDigest *digest, const void *bytes, Size length)
{
	if (length > (Size) (SDC_DIGEST_BUFFER - digest->used))
	{
		sdc_digest_require(SHA256_Update(&digest->state, digest->buffer, digest->used) == 1);
		digest->used = 0;
		if (length > SDC_DIGEST_BUFFER)
		{
			sdc_digest_require(SHA256_Update(&digest->state, bytes, length) == 1);
			return;
		}
	}
	memcpy(digest->buffer + digest->used, bytes, length);
	digest->used += (int) length;
}

/* sdc_digest_end writes the digest: SHA256_DIGEST_LENGTH bytes. */
static inline void
sdc_digest_end(SdcDigest *digest, uint8 *result)
{
	sdc_digest_require(SHA256_Update(&digest->state, digest->buffer, digest->used) == 1 &&
					   SHA256_Final(result, &digest->state) == 1);
}

#endif							/* SDC_RELATION_DIGEST_H */

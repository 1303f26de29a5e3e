/*-------------------------------------------------------------------------
 *
 * random.c
 *		The random streams of one call.
 *
 * The master key undoes a release, so it lives in one place only, is wiped when
 * its memory context goes, and never enters a message.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <openssl/crypto.h>

#include "relation/base/random.h"
#include "utils/memutils.h"

struct SdcRandom
{
	SdcStream  *stream;
	const char *method;
	uint8		master[SDC_MASTER_KEY_BYTES];
	MemoryContextCallback callback;
};

/* random_release wipes the key and gives libcrypto's memory back. */
static void
random_release(void *arg)
{
	SdcRandom  *random = arg;

	OPENSSL_cleanse(random->master, sizeof(random->master));
	if (random->stream != NULL)
		sdc_stream_destroy(random->stream);
	random->stream = NULL;
}

/* random_check turns a failure of libcrypto into an error. */
static void
random_check(SdcStatus status)
{
	if (status != SDC_OK)
		ereport(ERROR,
				(errcode(ERRCODE_EXTERNAL_ROUTINE_EXCEPTION),
				 errmsg("libcrypto refused an operation of the random stream"),
				 errhint("ChaCha20 and HMAC-SHA-256 must be available in OpenSSL's configuration.")));
}

/* create_random makes a source of randomness that has no master key yet. */
static SdcRandom *
create_random(void)
{
	SdcRandom  *random = palloc0(sizeof(SdcRandom));

	random_check(sdc_stream_create(&random->stream));
	/* after what the stream lies in, which has a callback, too, if it is large: the last one is called first */
	random->callback.func = random_release;
	random->callback.arg = random;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &random->callback);
	return random;
}

/* sdc_random_create makes the source of randomness of one call. */
SdcRandom *
sdc_random_create(const char *seed, const char *method)
{
	SdcRandom  *random = create_random();

	random->method = pstrdup(method);
	if (seed != NULL)
		random_check(sdc_stream_master_from_seed(seed, strlen(seed), random->master));
	else if (!pg_strong_random(random->master, sizeof(random->master)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
	return random;
}

/* sdc_random_share: see random.h. */
void
sdc_random_share(const SdcRandom *random, SdcRandomShare *share)
{
	if (snprintf(share->method, sizeof(share->method), "%s", random->method) >= (int) sizeof(share->method))
		elog(ERROR, "name of a method is too long");
	memcpy(share->master, random->master, sizeof(share->master));
}

/* sdc_random_attach: see random.h. */
SdcRandom *
sdc_random_attach(const SdcRandomShare *share)
{
	SdcRandom  *random = create_random();

	random->method = pstrdup(share->method);
	memcpy(random->master, share->master, sizeof(share->master));
	return random;
}

/* sdc_random_start starts the stream of an attribute, purpose and stratum. */
SdcStream *
sdc_random_start(SdcRandom *random, const char *attribute, const char *purpose, uint64 stratum)
{
	random_check(sdc_stream_start(random->stream, random->master, random->method,
								  attribute, purpose, stratum));
	return random->stream;
}

/* sdc_random_restart: see random.h. */
SdcStream *
sdc_random_restart(SdcRandom *random, const char *attribute, const char *purpose, uint64 stratum,
					   uint64 publication)
{
	if (publication == 0)
		return sdc_random_start(random, attribute, purpose, stratum);
	random_check(sdc_stream_restart(random->stream, random->master, random->method, attribute, purpose,
										stratum, publication));
	return random->stream;
}

/* sdc_random_verify raises an error if libcrypto failed to deliver a word. */
void
sdc_random_verify(SdcRandom *random)
{
	random_check(sdc_stream_status(random->stream));
}

/*-------------------------------------------------------------------------
 *
 * stream.c
 *		Keyed random streams: ChaCha20 under a key derived by HMAC-SHA-256.
 *
 * A release must not be undone by recovering the state of a weak generator,
 * so every draw comes from a stream cipher, and no two uses share a key: the
 * cipher's key is HMAC-SHA-256 of the name of the use under the master key.
 * stream.h gives the exact bytes; test/kernel/golden.py computes them again
 * without this file or libcrypto.
 *
 * Sources: RFC 8439 (ChaCha20), RFC 2104 (HMAC); for bounded draws D. Lemire,
 * "Fast random integer generation in an interval", ACM Transactions on
 * Modeling and Computer Simulation 29, 2019.
 *
 * libcrypto's "ChaCha20" takes an initial block counter and the nonce as one
 * 16-byte vector; both are zero here.  Key stream is made by enciphering
 * zeros in place, first little and then more at a time: a stratum of ten
 * records should not pay for four kilobytes.
 *
 * Cost: a start is one HMAC and one cipher initialisation (about two
 * microseconds), a word about a nanosecond.  Memory: one buffer of 4 kB and
 * libcrypto's contexts, which are fetched once and then reused.
 *
 * Determinism: the words depend on the master key and the name alone, not on
 * the machine's byte order or the sizes of the refills.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "kernel/base/stream.h"

/* Both multiples of the cipher's block of 64 bytes. */
#define STREAM_FIRST_REFILL 128
#define STREAM_BUFFER 4096

#define STREAM_KEY_BYTES 32
#define STREAM_IV_BYTES 16

/* Hashed with their terminating NUL. */
static const char stream_label[] = "sdc-stream-1";
static const char seed_label[] = "sdc-seed-1";

struct SdcStream
{
	/* set once, by sdc_stream_create */
	EVP_CIPHER *cipher;
	EVP_CIPHER_CTX *cipher_ctx;
	EVP_MAC    *mac;
	EVP_MAC_CTX *mac_ctx;

	/* the master key that mac_ctx holds, to notice that it is the same again */
	uint8		master[SDC_MASTER_KEY_BYTES];
	bool		has_master;

	/* the key stream; all in bytes */
	SdcStatus	status;			/* not SDC_OK: the words are worthless */
	uint32		next;			/* first byte not yet handed out */
	uint32		filled;			/* bytes in buffer */
	uint32		refill;			/* bytes to make the next time */
	uint8		buffer[STREAM_BUFFER];
};

/* load32 reads a little-endian word; compilers make it one instruction. */
static inline uint32
load32(const uint8 *bytes)
{
	return (uint32) bytes[0] | (uint32) bytes[1] << 8 |
		(uint32) bytes[2] << 16 | (uint32) bytes[3] << 24;
}

/* stream_open fetches the algorithms and makes their contexts. */
static bool
stream_open(SdcStream *stream)
{
	char		digest[] = "SHA256";
	OSSL_PARAM	params[2];

	stream->cipher = EVP_CIPHER_fetch(NULL, "ChaCha20", NULL);
	stream->mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
	if (stream->cipher == NULL || stream->mac == NULL)
		return false;
	stream->cipher_ctx = EVP_CIPHER_CTX_new();
	stream->mac_ctx = EVP_MAC_CTX_new(stream->mac);
	if (stream->cipher_ctx == NULL || stream->mac_ctx == NULL)
		return false;

	params[0] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST,
												 digest, 0);
	params[1] = OSSL_PARAM_construct_end();
	return EVP_MAC_CTX_set_params(stream->mac_ctx, params) == 1 &&
		EVP_EncryptInit_ex(stream->cipher_ctx, stream->cipher,
						   NULL, NULL, NULL) == 1;
}

/*
 * sdc_stream_create allocates before it takes anything from libcrypto, so
 * that nothing is lost when the allocation raises an error.
 */
SdcStatus
sdc_stream_create(SdcStream **stream)
{
	SdcStream  *made = sdc_alloc(sizeof(SdcStream));

	memset(made, 0, sizeof(SdcStream));
	made->status = SDC_ERROR_CRYPTO;
	*stream = NULL;
	if (!stream_open(made))
	{
		sdc_stream_destroy(made);
		return SDC_ERROR_CRYPTO;
	}
	*stream = made;
	return SDC_OK;
}

/*
 * sdc_stream_destroy gives everything back and wipes the key and what is left
 * of the key stream.  NULL is accepted.
 */
void
sdc_stream_destroy(SdcStream *stream)
{
	if (stream == NULL)
		return;
	/* all four accept NULL; libcrypto wipes its own copies of the keys */
	EVP_CIPHER_CTX_free(stream->cipher_ctx);
	EVP_CIPHER_free(stream->cipher);
	EVP_MAC_CTX_free(stream->mac_ctx);
	EVP_MAC_free(stream->mac);
	OPENSSL_cleanse(stream, sizeof(SdcStream));
	sdc_free(stream);
}

/*
 * mac_start begins a new HMAC under the master key.  The key schedule is half
 * of the cost of a short HMAC, so it is kept while the key is the same.
 */
static bool
mac_start(SdcStream *stream, const uint8 *master)
{
	if (stream->has_master &&
		CRYPTO_memcmp(stream->master, master, SDC_MASTER_KEY_BYTES) == 0)
		return EVP_MAC_init(stream->mac_ctx, NULL, 0, NULL) == 1;

	stream->has_master = false;
	if (EVP_MAC_init(stream->mac_ctx, master, SDC_MASTER_KEY_BYTES, NULL) != 1)
		return false;
	memcpy(stream->master, master, SDC_MASTER_KEY_BYTES);
	stream->has_master = true;
	return true;
}

/* mac_string adds a string and its terminating NUL to the HMAC. */
static bool
mac_string(SdcStream *stream, const char *string)
{
	return EVP_MAC_update(stream->mac_ctx, (const unsigned char *) string,
						  strlen(string) + 1) == 1;
}

/* mac_number adds a number to the HMAC, as 8 bytes, the least significant first. */
static bool
mac_number(SdcStream *stream, uint64 number)
{
	uint8		bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (uint8) (number >> (8 * i));
	return EVP_MAC_update(stream->mac_ctx, bytes, sizeof(bytes)) == 1;
}

/* derive_key computes the sub key of a name; see stream.h. */
static bool
derive_key(SdcStream *stream, const uint8 *master, const char *method, const char *attribute,
		   const char *purpose, uint64 stratum, const uint64 *publication, uint8 *key)
{
	size_t		length = 0;

	return mac_start(stream, master) &&
		mac_string(stream, stream_label) &&
		mac_string(stream, method) &&
		mac_string(stream, attribute) &&
		mac_string(stream, purpose) &&
		mac_number(stream, stratum) &&
		(publication == NULL || mac_number(stream, *publication)) &&
		EVP_MAC_final(stream->mac_ctx, key, &length, STREAM_KEY_BYTES) == 1 &&
		length == STREAM_KEY_BYTES;
}

/* start_named starts the stream of a name, with the number of a publication or without. */
static SdcStatus
start_named(SdcStream *stream, const uint8 *master, const char *method, const char *attribute,
			const char *purpose, uint64 stratum, const uint64 *publication)
{
	static const uint8 iv[STREAM_IV_BYTES] = {0};
	uint8		key[STREAM_KEY_BYTES];
	bool		started;

	started = derive_key(stream, master, method, attribute, purpose, stratum, publication,
						 key) &&
		EVP_EncryptInit_ex(stream->cipher_ctx, NULL, NULL, key, iv) == 1;
	OPENSSL_cleanse(key, sizeof(key));

	stream->next = 0;
	stream->filled = 0;
	stream->refill = STREAM_FIRST_REFILL;
	stream->status = started ? SDC_OK : SDC_ERROR_CRYPTO;
	return stream->status;
}

/* sdc_stream_start: see stream.h. */
SdcStatus
sdc_stream_start(SdcStream *stream, const uint8 master[SDC_MASTER_KEY_BYTES],
				 const char *method, const char *attribute,
				 const char *purpose, uint64 stratum)
{
	return start_named(stream, master, method, attribute, purpose, stratum, NULL);
}

/* sdc_stream_restart: see stream.h. */
SdcStatus
sdc_stream_restart(SdcStream *stream, const uint8 master[SDC_MASTER_KEY_BYTES],
					   const char *method, const char *attribute,
					   const char *purpose, uint64 stratum, uint64 publication)
{
	return start_named(stream, master, method, attribute, purpose, stratum, &publication);
}

/* sdc_stream_status: see stream.h. */
SdcStatus
sdc_stream_status(const SdcStream *stream)
{
	return stream->status;
}

/*
 * sdc_stream_master_from_seed: SHA-256 of "sdc-seed-1" 0x00 and the seed.  A
 * seed is no password store: a seed that can be guessed can be tried, and the
 * documentation says so.
 */
SdcStatus
sdc_stream_master_from_seed(const char *seed, Size length,
							uint8 master[SDC_MASTER_KEY_BYTES])
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	unsigned int written = 0;
	bool		done;

	done = ctx != NULL &&
		EVP_DigestInit_ex(ctx, EVP_sha256(), NULL) == 1 &&
		EVP_DigestUpdate(ctx, seed_label, sizeof(seed_label)) == 1 &&
		EVP_DigestUpdate(ctx, seed, length) == 1 &&
		EVP_DigestFinal_ex(ctx, master, &written) == 1 &&
		written == SDC_MASTER_KEY_BYTES;
	EVP_MD_CTX_free(ctx);
	return done ? SDC_OK : SDC_ERROR_CRYPTO;
}

/*
 * stream_refill makes the next piece of key stream.  Should libcrypto refuse,
 * which it has no reason to, the status says so for good, and the buffer gets
 * words that at least differ, so that a rejection loop ends.
 */
static void
stream_refill(SdcStream *stream)
{
	int			made = 0;

	SDC_ASSERT(stream->status == SDC_OK);
	memset(stream->buffer, 0, stream->refill);
	if (stream->status != SDC_OK ||
		EVP_EncryptUpdate(stream->cipher_ctx, stream->buffer, &made,
						  stream->buffer, (int) stream->refill) != 1 ||
		made != (int) stream->refill)
	{
		stream->status = SDC_ERROR_CRYPTO;
		for (uint32 i = 0; i < stream->refill; i++)
			stream->buffer[i] = (uint8) ((i * UINT32_C(2654435761)) >> 24);
	}
	stream->next = 0;
	stream->filled = stream->refill;
	if (stream->refill < STREAM_BUFFER)
		stream->refill *= 2;
}

/* next_word takes the next word; what is exported would be called from outside of this file. */
static inline uint32
next_word(SdcStream *stream)
{
	uint32		word;

	if (stream->next == stream->filled)
		stream_refill(stream);
	word = load32(stream->buffer + stream->next);
	stream->next += 4;
	return word;
}

/* next_words takes the next eight bytes, wherever the stream is: a word may lie across two refills. */
static inline uint64
next_words(SdcStream *stream)
{
	uint64		low = next_word(stream);

	return (uint64) next_word(stream) << 32 | low;
}

/* sdc_stream_next32: see stream.h. */
uint32
sdc_stream_next32(SdcStream *stream)
{
	return next_word(stream);
}

/* sdc_stream_next64: see stream.h. */
uint64
sdc_stream_next64(SdcStream *stream)
{
	return next_words(stream);
}

/* sdc_stream_fill32: see stream.h. */
void
sdc_stream_fill32(SdcStream *stream, uint32 *words, Size count)
{
	while (count > 0)
	{
		Size		piece;

		if (stream->next == stream->filled)
		{
			SDC_CHECK_INTERRUPTS();
			stream_refill(stream);
		}
		piece = (stream->filled - stream->next) / 4;
		if (piece > count)
			piece = count;
		for (Size i = 0; i < piece; i++)
			words[i] = load32(stream->buffer + stream->next + 4 * i);
		stream->next += (uint32) (4 * piece);
		words += piece;
		count -= piece;
	}
}

/*
 * sdc_stream_below takes the high half of word * bound.  Of the 2^32 words,
 * 2^32 mod bound are too many; they are those whose low half is below that
 * remainder, and they are drawn again.  One word a draw, but for those.
 */
uint32
sdc_stream_below(SdcStream *stream, uint32 bound)
{
	uint64		product;

	SDC_ASSERT(bound > 0);
	product = (uint64) next_word(stream) * bound;
	if ((uint32) product < bound)
	{
		uint32		excess = (0 - bound) % bound;

		while ((uint32) product < excess)
			product = (uint64) next_word(stream) * bound;
	}
	return (uint32) (product >> 32);
}

/*
 * sdc_stream_uniform returns k / 2^53 for k uniform in 1 .. 2^53 - 1.  Zero is
 * drawn again; adding a half instead would round up to 1 at the other end.
 */
double
sdc_stream_uniform(SdcStream *stream)
{
	uint64		bits;

	do
		bits = next_words(stream) >> 11;
	while (bits == 0);
	return (double) bits * 0x1p-53;
}

/*-------------------------------------------------------------------------
 *
 * privatevalues.h
 *		Values of a column as bytes that can be read again elsewhere.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_PRIVATEVALUES_H
#define SDC_RELATION_PRIVATEVALUES_H

#include "fmgr.h"
#include "port/pg_bswap.h"
#include "relation/column/column.h"

/* A part of a stream has about so many bytes, or one value that is larger.  Its row fits a page. */
#define SDC_PRIVATE_PART_BYTES 7680

/* sdc_lowest_first has the lowest byte of a word come first in memory, or takes it back from there. */
static inline uint64
sdc_lowest_first(uint64 word)
{
#ifdef WORDS_BIGENDIAN
	return pg_bswap64(word);
#else
	return word;
#endif
}

/* How values of a type become bytes. */
typedef enum SdcPrivateKind
{
	SDC_PRIVATE_RAW = 'x',		/* no values of a type: a stream of bytes or words */
	SDC_PRIVATE_NUMBER = 'w',	/* the bits of a number that is passed by value, the lowest byte first */
	SDC_PRIVATE_BYTES = 'b',	/* what is in a bytea */
	SDC_PRIVATE_STRING = 's',	/* the same of a string, in the encoding of the database */
	SDC_PRIVATE_SENT = 'r',		/* what the send function of a type of the server makes of it */
	SDC_PRIVATE_TEXT = 't'		/* what the output function makes of it, likewise in the encoding */
} SdcPrivateKind;

typedef struct SdcPrivateType
{
	SdcPrivateKind kind;
	char	   *name;			/* of a type of the server, else empty: types of users can be renamed */
	Oid			base;
	int16		typlen;
	FmgrInfo	function;		/* of sending and receiving, output and input */
	Oid			parameter;
} SdcPrivateType;

/*
 * sdc_privatevalues_type looks up how values of a type become bytes, or become values again: then it insists that the
 * caller trusts all whose code may run.
 */
extern void sdc_privatevalues_type(SdcPrivateType *type, Oid typid, bool read);

/* sdc_privatevalues_write makes parts of a finished column, and has each of them put somewhere. */
typedef void (*SdcPrivatePut) (void *arg, const void *bytes, Size length);
extern void sdc_privatevalues_write(SdcPrivateType *type, SdcColumn *column, SdcPrivatePut put, void *arg);

/*
 * sdc_privatevalues_read appends the values of a part to a column, whoever has made the part, and returns how many; -1
 * where it is none of this type.  encoding: of its strings.
 */
extern int64 sdc_privatevalues_read(SdcPrivateType *type, int encoding, const bytea *part, SdcColumn *column);

#endif							/* SDC_RELATION_PRIVATEVALUES_H */

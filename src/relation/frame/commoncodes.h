/*-------------------------------------------------------------------------
 *
 * commoncodes.h
 *		Several relations with the same columns, read into codes that are common to all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_COMMONCODES_H
#define SDC_RELATION_COMMONCODES_H

#include "nodes/pg_list.h"
#include "relation/column/dictionary.h"
#include "relation/recode/rule.h"

/* What is to be read; names are char *. */
typedef struct SdcCommonRequest
{
	int			files;
	const Oid  *relid;			/* of each */
	const bool *unnamed;		/* whether the caller has not named it */
	List	   *key;			/* columns that tell the records of a relation apart */
	List	   *columns;
	List	  **names;			/* by file: what it calls those of the key, and the others; NULL: likewise */
	SdcRule  ***rules;			/* by file, by column: what recodes its values before they are compared, or NULL */
	int			sqlstate;		/* of the error about columns that do not have the same type, */
	const char *hint;			/* and its hint */
} SdcCommonRequest;

/* One relation; its records come in any order. */
typedef struct SdcCommonFile
{
	uint32		records;
	uint32	   *person;			/* number of the key of each record */
	uint32	  **code;			/* by column, by record; SDC_CODE_NULL */
} SdcCommonFile;

typedef struct SdcCommonCodes
{
	SdcCommonFile *file;
	uint32		persons;		/* different keys in all files, or codes of a key of one column */
	uint32	   *codes;			/* by column: in the order of the values */
} SdcCommonCodes;

/*
 * sdc_commoncodes_load reads relations with the rights of the caller, in the current memory context.  A key that is
 * missing or comes twice in a relation, and a column whose type is not the same in all, are errors.
 */
extern SdcCommonCodes *sdc_commoncodes_load(const SdcCommonRequest *request);

#endif							/* SDC_RELATION_COMMONCODES_H */

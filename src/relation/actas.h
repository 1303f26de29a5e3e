/*-------------------------------------------------------------------------
 *
 * actas.h
 *		Acting as another role for a while.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_ACTAS_H
#define SDC_RELATION_ACTAS_H

/* Who was acting before, and what has to be undone. */
typedef struct SdcActAs
{
	Oid			user;
	int			context;
	int			nest;			/* of settings; 0: nothing was changed */
} SdcActAs;

/* sdc_actas_begin acts as a role from now on, sdc_actas_end ends that; an error ends it too. */
extern void sdc_actas_begin(SdcActAs *before, Oid role);
extern void sdc_actas_end(const SdcActAs *before);

#endif							/* SDC_RELATION_ACTAS_H */

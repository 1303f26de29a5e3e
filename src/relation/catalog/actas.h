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

/*
 * sdc_actas_plumbing has functions of the schema of the extension work with the rights of the bootstrap superuser, so
 * that nobody else needs any on them: they reach nothing of anybody's but by functions in C, which go back to the role
 * that has called by sdc_actas_caller.  That is the current one where no plumbing is at work.
 */
extern void sdc_actas_plumbing(void (*work) (void *arg), void *arg);
extern void sdc_actas_caller(void (*work) (void *arg), void *arg);

/* sdc_actas_in_other_hands tells whether the user is not who is logged in, or whoever he has become by SET ROLE. */
extern bool sdc_actas_in_other_hands(void);

#endif							/* SDC_RELATION_ACTAS_H */

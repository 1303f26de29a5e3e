/*-------------------------------------------------------------------------
 *
 * attempt.h
 *		Evaluating a release without failing the query of all releases.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_ATTEMPT_H
#define SDC_RELATION_ATTEMPT_H

#include "utils/elog.h"

/*
 * sdc_attempt does some work in a subtransaction that is undone in any case.  It returns NULL or the
 * error that there was; what is about more than one release is raised.
 */
extern ErrorData *sdc_attempt(void (*work) (void *arg), void *arg);

/* sdc_attempt_within returns any error; with keep what was done stays, if there was none. */
extern ErrorData *sdc_attempt_within(void (*work) (void *arg), void *arg, bool keep);

#endif							/* SDC_RELATION_ATTEMPT_H */

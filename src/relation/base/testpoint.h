/*-------------------------------------------------------------------------
 *
 * testpoint.h
 *		Known points at which the tests stop or cancel a call.
 *
 * Only with SDC_TEST_POINTS, which test/all defines; any other build has none of this.  Then
 * every look for an interrupt of ours is a test point (kernel/base/kernel_env.h), and there are the
 * settings
 *
 *	sdc.test_phase		the phase whose points count, as the view sdc_progress names it; empty, all do
 *	sdc.test_cancel_at	the number of the point that acts as if a cancel had just arrived; 0, none
 *	sdc.test_wait_every	at each so manyth point the call waits until it gets the advisory lock
 *						(SDC_TEST_LOCK, 1), the next time (SDC_TEST_LOCK, 2), and so on in turn; 0, never
 *
 * Setting one of the three counts anew.  What was counted since is shown by
 *
 *	sdc.test_points		points that counted
 *	sdc.test_longest	the longest way from one point to the next, whatever the phase, in steps: basic blocks of
 *						ours that were run, when the compiler counts them (-fsanitize-coverage=trace-pc)
 *
 * And whenever it is set to on
 *
 *	sdc.test_forget		has the session forget plans and all that it has cached of relations and the catalog, such as
 *						expressions that the server has evaluated: the next call finds as little as in a new session
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_TESTPOINT_H
#define SDC_RELATION_TESTPOINT_H

#ifdef SDC_TEST_POINTS

/* The first key of the advisory locks that test points wait for. */
#define SDC_TEST_LOCK 732

/* sdc_test_points_define makes the settings known to the server. */
extern void sdc_test_points_define(void);

#endif							/* SDC_TEST_POINTS */

#endif							/* SDC_RELATION_TESTPOINT_H */

/*-------------------------------------------------------------------------
 *
 * testpoint.c
 *		Known points at which the tests stop or cancel a call.
 *
 * A cancel, a crash or a look at the progress of a call that came by the clock would
 * find another thing on every machine.  Counted in test points it finds the same on all.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/base/testpoint.h"

#ifdef SDC_TEST_POINTS

#include "kernel/base/kernel_env.h"
#include "relation/base/progress.h"
#include "storage/lock.h"
#include "utils/backend_status.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/plancache.h"

extern void __sanitizer_cov_trace_pc(void);

static char *test_phase = "";
static int	test_cancel_at = 0;
static int	test_wait_every = 0;
static int	shown = 0;			/* never used: the hooks show what follows */
static bool test_forget = false;

static uint64 points = 0;		/* that counted */
static uint64 waits = 0;		/* at points */
static uint64 steps = 0;		/* since the last point */
static uint64 longest = 0;		/* most steps between two points */

/* What is not counted, because it counts. */
#ifdef __clang__
#define NOT_COUNTED __attribute__((no_sanitize("coverage")))
#else
#define NOT_COUNTED __attribute__((no_sanitize_coverage))
#endif

/* __sanitizer_cov_trace_pc is what the compiler calls in every basic block of ours. */
NOT_COUNTED __attribute__((visibility("hidden"))) void
__sanitizer_cov_trace_pc(void)
{
	steps++;
}

/* in_phase tells whether the points of the present phase count. */
static bool
in_phase(void)
{
	if (test_phase[0] == '\0')
		return true;
	return MyBEEntry != NULL && MyBEEntry->st_progress_command == SDC_PROGRESS_COMMAND &&
		strcmp(test_phase, sdc_progress_phase_name(MyBEEntry->st_progress_param[SDC_PROGRESS_PHASE])) == 0;
}

/* wait_for_test waits until no other session has the advisory lock whose turn it is. */
static void
wait_for_test(void)
{
	LOCKTAG		tag;

	SET_LOCKTAG_ADVISORY(tag, MyDatabaseId, SDC_TEST_LOCK, 1 + waits % 2, 2);
	waits++;
	(void) LockAcquire(&tag, ShareLock, true, false);
	LockRelease(&tag, ShareLock, true);
}

/* sdc_test_point is called before every look for an interrupt. */
void
sdc_test_point(void)
{
	longest = Max(longest, steps);
	if (in_phase())
	{
		points++;
		if (test_cancel_at > 0 && points == (uint64) test_cancel_at)
		{
			QueryCancelPending = true;	/* as the handler of SIGINT does */
			InterruptPending = true;
		}
		if (test_wait_every > 0 && points % (uint64) test_wait_every == 0)
			wait_for_test();
	}
	steps = 0;
}

/* count_anew forgets what was counted. */
static void
count_anew(void)
{
	points = waits = steps = longest = 0;
}

/* assign_number and assign_phase are called when a setting gets a value. */
static void
assign_number(int value pg_attribute_unused(), void *extra pg_attribute_unused())
{
	count_anew();
}

static void
assign_phase(const char *value pg_attribute_unused(), void *extra pg_attribute_unused())
{
	count_anew();
}

/* assign_forget empties the caches of the session. */
static void
assign_forget(bool value, void *extra pg_attribute_unused())
{
	if (value)
	{
		ResetPlanCache();
		InvalidateSystemCaches();
	}
}

/* show_points and show_longest print what was counted. */
static const char *
show_points(void)
{
	return psprintf(UINT64_FORMAT, points);
}

static const char *
show_longest(void)
{
	return psprintf(UINT64_FORMAT, Max(longest, steps));
}

/* sdc_test_points_define makes the settings known to the server. */
void
sdc_test_points_define(void)
{
	DefineCustomStringVariable("sdc.test_phase", "Phase whose test points count.",
							   NULL, &test_phase, "", PGC_USERSET, 0, NULL, assign_phase, NULL);
	DefineCustomIntVariable("sdc.test_cancel_at", "Number of the test point that acts as a cancel.",
							NULL, &test_cancel_at, 0, 0, INT_MAX, PGC_USERSET, 0, NULL, assign_number, NULL);
	DefineCustomIntVariable("sdc.test_wait_every", "Number of test points after which a call waits for an advisory lock.",
							NULL, &test_wait_every, 0, 0, INT_MAX, PGC_USERSET, 0, NULL, assign_number, NULL);
	DefineCustomIntVariable("sdc.test_points", "Test points that counted.",
							NULL, &shown, 0, 0, INT_MAX, PGC_INTERNAL, 0, NULL, NULL, show_points);
	DefineCustomIntVariable("sdc.test_longest", "Most steps from one test point to the next.",
							NULL, &shown, 0, 0, INT_MAX, PGC_INTERNAL, 0, NULL, NULL, show_longest);
	DefineCustomBoolVariable("sdc.test_forget", "Empties the caches of the session when it is set to on.",
							 NULL, &test_forget, false, PGC_USERSET, 0, NULL, assign_forget, NULL);
}

#endif							/* SDC_TEST_POINTS */

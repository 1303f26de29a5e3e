/*-------------------------------------------------------------------------
 *
 * test_sharesum.c
 *		Sums of shares are exact enough, and the same in any order.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/sharesum.h"

#include "random.h"
#include "tap.h"

/* add adds n shares of 1 / ties. */
static void
add(SdcShareSum *sum, uint32 ties, uint32 n)
{
	for (uint32 i = 0; i < n; i++)
		sdc_sharesum_add(sum, ties);
}

/* Shares that make up a whole number do so to within their rounding; powers of 2 exactly. */
static void
shares_make_up_wholes(void)
{
	for (uint32 ties = 1; ties <= 3000; ties++)
	{
		SdcShareSum sum = {0, 0};

		add(&sum, ties, ties);
		CHECKF(fabs(sdc_sharesum_value(&sum) - 1) < ties * 0x1p-64 + 0x1p-53, "%u", ties);
		if ((ties & (ties - 1)) == 0)
			CHECK(sum.whole == 1 && sum.fraction == 0);
	}
}

/* One share is what it is, by a quotient of long doubles; what is not correct adds nothing. */
static void
a_share_is_a_quotient(void)
{
	const uint32 ties[] = {1, 2, 3, 5, 7, 64, 1000003, UINT32_MAX};

	for (int i = 0; i < (int) (sizeof(ties) / sizeof(*ties)); i++)
	{
		SdcShareSum sum = {0, 0};

		sdc_sharesum_add(&sum, 0);
		CHECK(sum.whole == 0 && sum.fraction == 0);
		add(&sum, ties[i], 1);
		CHECK(fabsl((long double) sum.whole + (long double) sum.fraction * 0x1p-64L - 1.0L / ties[i]) <= 0x1p-64L);
	}
}

/* The parts of a file give the same sum in any order and division. */
static void
order_does_not_matter(void)
{
	enum
	{
		LINKS = 20000,
		PARTS = 7
	};
	SdcShareSum whole = {0, 0};
	SdcShareSum merged = {0, 0};
	SdcShareSum part[PARTS] = {{0, 0}};
	static uint32 ties[LINKS];
	double		plain = 0;

	for (int i = 0; i < LINKS; i++)
	{
		ties[i] = 1 + pick(500);
		plain += 1.0 / ties[i];
		add(&whole, ties[i], 1);
	}
	for (int i = LINKS; i-- > 0;)
		add(&part[pick(PARTS)], ties[i], 1);
	for (int p = PARTS; p-- > 0;)
		sdc_sharesum_merge(&merged, &part[p]);
	CHECK(merged.whole == whole.whole && merged.fraction == whole.fraction);
	CHECK(fabs(sdc_sharesum_value(&whole) - plain) < 1e-9 * plain);
}

int
main(void)
{
	RUN(shares_make_up_wholes);
	RUN(a_share_is_a_quotient);
	RUN(order_does_not_matter);
	return tap_done();
}

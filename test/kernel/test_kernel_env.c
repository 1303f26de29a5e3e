/*-------------------------------------------------------------------------
 *
 * test_kernel_env.c
 *		What kernels get from their surroundings: arrays are never smaller than asked for.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

/* An array to allocate: its sizes. */
typedef struct Request
{
	Size		size;
	uint64		rows;
	uint64		columns;
} Request;

/* refused tells whether an allocation ends the program, as that of too much memory does. */
static bool
refused(const Request *request)
{
	int			status = 0;
	pid_t		child = fork();

	if (child == 0)
	{
		sdc_free(sdc_alloc_items(request->size, request->rows, request->columns));
		_exit(0);
	}
	return child > 0 && waitpid(child, &status, 0) == child &&
		WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

/* products_that_overflow: each of them is a few bytes if only its last 64 bits are looked at. */
static void
products_that_overflow(void)
{
	const Request request[] = {
		{8, 1, UINT64_C(1) << 61},
		{8, 1, (UINT64_C(1) << 61) + 3},
		{1, UINT64_C(1) << 32, UINT64_C(1) << 32},
		{12, UINT64_C(1) << 40, UINT64_C(1) << 24},
		{24, UINT64_MAX, UINT64_MAX},
		{4, 1, (uint64) (int) -1},	/* an int below 0 is a large count */
		{1, 1, UINT64_MAX},		/* as is something added to them */
		{1, 1, UINT64_MAX - SDC_ALLOC_SHIFT + 1},
		{1, 1, (uint64) PTRDIFF_MAX}
	};

	for (size_t i = 0; i < sizeof(request) / sizeof(request[0]); i++)
		CHECKF(refused(&request[i]), "%zu: %zu x %llu x %llu", i, request[i].size,
			   (unsigned long long) request[i].rows, (unsigned long long) request[i].columns);
}

/* all_is_there: what is returned can be written, and zeros are zeros. */
static void
all_is_there(void)
{
	uint32	   *array = sdc_alloc_array(uint32, 1000);
	double	   *matrix = sdc_alloc_matrix(double, 30, 7);
	uint64	   *zeros;

	memset(array, 0xFF, 1000 * sizeof(uint32));
	memset(matrix, 0xFF, 30 * 7 * sizeof(double));
	sdc_free(array);
	sdc_free(matrix);
	zeros = sdc_alloc_zeros(uint64, 1001);
	for (int i = 0; i < 1001; i++)
		CHECK(zeros[i] == 0);
	memset(zeros, 0xFF, 1001 * sizeof(uint64));
	sdc_free(zeros);
}

/* nothing is an array too, of which nothing is used. */
static void
nothing(void)
{
	sdc_free(sdc_alloc_array(uint32, 0));
	sdc_free(sdc_alloc_matrix(double, 0, UINT64_MAX));
	sdc_free(sdc_alloc_zeros(uint64, 0));
}

/* main runs them all. */
int
main(void)
{
	RUN(products_that_overflow);
	RUN(all_is_there);
	RUN(nothing);
	return tap_done();
}

/*-------------------------------------------------------------------------
 *
 * queryeval.c
 *		Estimates counts from the groups of a release.
 *
 * Equations (12) and (13) of W. Yang, S. Qiao, "A novel anonymization algorithm: privacy
 * protection and knowledge preservation", Expert Systems with Applications 37 (2010).  Both
 * need, in each group, numbers of records that satisfy something, and (12) numbers of different values.
 *
 * A query to which a group does not contribute is left out by its bit.  The groups of a query are added in their
 * order, products taken in the order of the attributes: the result is determined to the last bit.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/queries/queryeval.h"

/* Shares of up to so many values are computed once for all queries. */
#define FEW_VALUES 63

/* sdc_queryeval_permuted: m of N records and s sensitive values make m s / N. */
void
sdc_queryeval_permuted(SdcQueryEstimates *estimates, uint32 records, const SdcQueryCounts *match,
					   const double *mass, const SdcQueryCounts *sensitive)
{
	for (uint32 w = 0; w < estimates->words; w++)
	{
		uint64		left = estimates->active[w] & sdc_querycounts_any(match, w);
		SdcQueryFew number;
		SdcQueryFew values;

		if (sensitive != NULL)
			left &= sdc_querycounts_any(sensitive, w);
		if (left == 0)
			continue;
		sdc_querycounts_unpack(match, w, left, &number);
		if (sensitive != NULL)
			sdc_querycounts_unpack(sensitive, w, left, &values);
		for (; left != 0; left &= left - 1)
		{
			uint32		q = (uint32) __builtin_ctzll(left);
			double		product = mass != NULL ? mass[w * 64 + q] : sdc_querycounts_unpacked(match, &number, w, q);

			/* below 2^64, and exact below 2^53, as both are below the number of records */
			product *= sensitive == NULL ? records : sdc_querycounts_unpacked(sensitive, &values, w, q);
			estimates->estimate[w * 64 + q] += product / records;
		}
	}
}

/* take_share takes of the numbers of some queries the share of the values that they ask for. */
static void
take_share(const SdcQueryShare *share, uint32 words, const uint64 *left, double *number)
{
	double		part[FEW_VALUES + 1];
	bool		few = share->distinct <= FEW_VALUES;

	for (uint32 k = 1; few && k <= share->distinct; k++)
		part[k] = (double) k / share->distinct;
	for (uint32 w = 0; w < words; w++)
	{
		uint64		rest = left[w] & share->asking[w];
		SdcQueryFew selected;

		sdc_querycounts_unpack(&share->selected, w, rest, &selected);
		for (; rest != 0; rest &= rest - 1)
		{
			uint32		q = (uint32) __builtin_ctzll(rest);
			uint32		values = sdc_querycounts_unpacked(&share->selected, &selected, w, q);

			number[w * 64 + q] *= few ? part[values] : (double) values / share->distinct;
		}
	}
}

/* sdc_queryeval_generalized: of each attribute that is asked for the share of the values that are. */
void
sdc_queryeval_generalized(SdcQueryEstimates *estimates, const SdcQueryCounts *others, const double *mass,
						  uint32 shares, const SdcQueryShare *share)
{
	uint64		left[SDC_QUERY_WORDS];
	double		number[SDC_QUERIES_AT_ONCE];

	for (uint32 w = 0; w < estimates->words; w++)
	{
		SdcQueryFew records;

		left[w] = estimates->active[w] & sdc_querycounts_any(others, w);
		for (uint32 s = 0; s < shares && left[w] != 0; s++)
			left[w] &= sdc_querycounts_any(&share[s].selected, w) | ~share[s].asking[w];
		if (left[w] == 0)
			continue;
		sdc_querycounts_unpack(others, w, left[w], &records);
		for (uint64 rest = left[w]; rest != 0; rest &= rest - 1)
		{
			uint32		q = (uint32) __builtin_ctzll(rest);

			number[w * 64 + q] = mass != NULL ? mass[w * 64 + q] : sdc_querycounts_unpacked(others, &records, w, q);
		}
	}
	for (uint32 s = 0; s < shares; s++)
		take_share(&share[s], estimates->words, left, number);
	for (uint32 w = 0; w < estimates->words; w++)
	{
		for (uint64 rest = left[w]; rest != 0; rest &= rest - 1)
		{
			uint32		query = w * 64 + (uint32) __builtin_ctzll(rest);

			estimates->estimate[query] += number[query];
		}
	}
}

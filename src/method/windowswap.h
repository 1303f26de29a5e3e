/*-------------------------------------------------------------------------
 *
 * windowswap.h
 *		Rank swapping of the values of one partition of a window.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_WINDOWSWAP_H
#define SDC_METHOD_WINDOWSWAP_H


/* A partition: how many rows it has, and how they are asked for. */
typedef struct SdcWindowSwap
{
	SdcType    *type;			/* of the values */
	SdcRankKind kind;
	SdcRankParameters parameters;
	int64		rows;
	/* returns the value of a row; what it leaves in the current memory context is freed */
	Datum		(*value) (void *arg, int row, bool *isnull);
	/* returns the seed or NULL; asked for when the values have been read */
	char	   *(*seed) (void *arg);
	void	   *arg;
} SdcWindowSwap;

/*
 * sdc_windowswap_open protects a partition in the current memory context and returns the protected
 * values, in the order of the rows.
 */
extern SdcColumnReader *sdc_windowswap_open(const SdcWindowSwap *window);

#endif							/* SDC_METHOD_WINDOWSWAP_H */

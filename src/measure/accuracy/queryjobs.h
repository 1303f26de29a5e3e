/*-------------------------------------------------------------------------
 *
 * queryjobs.h
 *		Random queries, asked by this process or shared with parallel workers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_QUERYJOBS_H
#define SDC_MEASURE_QUERYJOBS_H

#include "kernel/queries/queries.h"
#include "relation/base/random.h"

/*
 * sdc_queryjobs_run is sdc_queries_run, for queries that are drawn from random; the stream and the memory of the task
 * are set here.
 */
extern void sdc_queryjobs_run(const SdcQueryTask *task, SdcRandom *random, SdcQueryErrors *result);

#endif							/* SDC_MEASURE_QUERYJOBS_H */

/*-------------------------------------------------------------------------
 *
 * lattice.h
 *		Full-domain generalization: the best node of a lattice of levels.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_LATTICE_H
#define SDC_KERNEL_LATTICE_H

#include "kernel/partition/groupcondition.h"

/* A column and its hierarchy.  A missing value has a code of its own, and every code occurs in the source. */
typedef struct SdcLatticeColumn
{
	const uint32 *code;			/* of each record, 0 .. codes - 1 */
	uint32		codes;
	uint32		levels;			/* below everything: 1 at least, level 0 being the values themselves */
	uint32	  **node;			/* by level and code: what the value becomes, numbered from 0 */
	double		importance;		/* weight of its loss, above 0 */
} SdcLatticeColumn;

/* So many records at least agree in some columns. */
typedef struct SdcLatticeDemand
{
	const int  *column;
	int			columns;
	uint32		k;
} SdcLatticeDemand;

typedef struct SdcLatticeTask
{
	const SdcLatticeColumn *column;
	int			columns;
	const uint32 *record;		/* the records to group, ascending; NULL: all */
	uint32		records;		/* their number, above 0 */
	const SdcLatticeDemand *demand;
	int			demands;
	SdcGroupCondition condition;	/* of every group; the source can have more records than these */
	uint32		allowed;		/* records that may be suppressed */
} SdcLatticeTask;

typedef struct SdcLatticeResult
{
	uint32	   *level;			/* of each column; its levels: everything */
	double	   *column_loss;	/* mean loss of a cell of each column */
	double		loss;			/* their mean, weighted by importance */
	uint32		suppressed;		/* records */
	uint32		groups;			/* with that of the suppressed ones */
	uint32		suppressed_group;	/* its number; UINT32_MAX: there is none */
} SdcLatticeResult;

/* Nodes that are too many to be looked at. */
#define SDC_LATTICE_NODES 1000000

/* sdc_lattice_nodes returns how many nodes there are, SDC_LATTICE_NODES + 1 if there are more. */
extern uint32 sdc_lattice_nodes(const SdcLatticeColumn *column, int columns);

/*
 * sdc_lattice finds the node, and writes the number of its group, from first on, to group[r] of every record r of the
 * task.  level and column_loss of the result are the caller's.  false: all records together do not satisfy what is
 * demanded.
 */
extern bool sdc_lattice(const SdcLatticeTask *task, uint32 first, uint32 *group, SdcLatticeResult *result);

#endif							/* SDC_KERNEL_LATTICE_H */

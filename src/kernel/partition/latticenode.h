/*-------------------------------------------------------------------------
 *
 * latticenode.h
 *		One node of a lattice of levels: its groups, who is suppressed, and what is lost.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_LATTICENODE_H
#define SDC_KERNEL_LATTICENODE_H

#include "kernel/partition/lattice.h"

/* The groups of a node. */
typedef struct SdcLatticeTable
{
	uint32	   *level;			/* of each column */
	uint32		groups;			/* 0: nothing is in it */
	uint32	   *first;			/* of each group, ascending: its first combination of values, */
	uint32	   *count;			/* and its records */
	uint64		used;			/* when it was used last */
} SdcLatticeTable;

/* Tables of nodes that are kept, to be rolled up from, besides that of the values themselves. */
#define SDC_LATTICE_TABLES 8

/* What all nodes share. */
typedef struct SdcLattice
{
	const SdcLatticeTask *task;
	int			columns;
	uint32		least;			/* records of a group, by what is demanded and by l */
	uint32		combinations;	/* different ones of values */
	uint32	   *code;			/* by combination and column */
	uint32	   *of;				/* by record of the task: its combination */
	uint32	  **size;			/* by column and level: codes of each node */
	uint64	  **spread;			/* by column and level: the sum over the records of the codes beside their own */
	SdcLatticeTable base;		/* of the values themselves */
	SdcLatticeTable table[SDC_LATTICE_TABLES];
	uint64		clock;
	/* sensitive values of combinations, by ascending codes */
	uint32		pairs;
	uint32	   *pair_combination;
	uint32	   *pair_code;
	uint32	   *pair_start;		/* by group: its pairs in pair_order */
	uint32	   *pair_order;
	uint64	   *counts;			/* by sensitive code: work space, */
	uint64	   *hidden;			/* and of the suppressed records */
	/* work space */
	uint32	   *key;
	uint32	   *slot;
	uint32	   *map;
	uint32	   *demanded;		/* records by group of a demand */
	uint64	   *word;
	bool	   *fails;			/* by group */
	uint32		suppressed;		/* records of these */
} SdcLattice;

extern SdcLattice *sdc_latticenode_create(const SdcLatticeTask *task);
extern void sdc_latticenode_destroy(SdcLattice *lattice);

/* sdc_latticenode_column_loss is the mean loss of a cell of a column at a level, where nobody is suppressed. */
extern double sdc_latticenode_column_loss(const SdcLattice *lattice, int column, uint32 level);

/* sdc_latticenode_mean is the loss of a release with these losses of its columns. */
extern double sdc_latticenode_mean(const SdcLattice *lattice, const double *column_loss);

/* sdc_latticenode_table returns the groups of a node; it stays until other nodes have been asked for. */
extern SdcLatticeTable *sdc_latticenode_table(SdcLattice *lattice, const uint32 *level);

/*
 * sdc_latticenode_passes tells whether a node may be feasible, by a condition that holds above it too: what is
 * demanded fails for few records only, and l and t for none where nobody may be suppressed.
 */
extern bool sdc_latticenode_passes(SdcLattice *lattice, const uint32 *level);

/*
 * sdc_latticenode_judge finds who is suppressed: lattice->fails by group of the table that it returns, and
 * lattice->suppressed; NULL: the node is not feasible.
 */
extern SdcLatticeTable *sdc_latticenode_judge(SdcLattice *lattice, const uint32 *level);

/* sdc_latticenode_losses fills in the losses of the columns of a table that was judged. */
extern void sdc_latticenode_losses(SdcLattice *lattice, const SdcLatticeTable *table, double *column_loss);

/* sdc_latticenode_groups finds the group of every combination: an array that stays until another node is asked for. */
extern const uint32 *sdc_latticenode_groups(SdcLattice *lattice, const SdcLatticeTable *table);

#endif							/* SDC_KERNEL_LATTICENODE_H */

/*-------------------------------------------------------------------------
 *
 * pointtree.h
 *		The records of a release as points, each with a box: who is near, and whose box has one inside?
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_POINTTREE_H
#define SDC_KERNEL_POINTTREE_H

#include "kernel/releases/history.h"

typedef struct SdcPointTree
{
	uint32		points;
	int			columns;
	uint32	   *place;			/* of each record in the tree's order */
	double	   *mean;			/* by place, by column; SDC_HISTORY_MISSING */
	uint32	   *class;			/* by place: of the sensitive value; NULL without one */
	uint32		classes;

	/* by leaf, by column, by point in it: the means, NaN where they are missing, and the boxes */
	float	   *point;
	uint32	   *first;
	uint32	   *size;			/* last - first */

	/*
	 * by bunch of leaves, by column, by leaf in it: the middle of the means and half of how far they reach, and the
	 * boxes
	 */
	float	   *center;
	float	   *half;
	uint32	   *leaf_first;
	uint32	   *leaf_size;

	/* of the question that is asked: columns that are known, and their values */
	int		   *column;
	float	   *value;
	float	   *padded;			/* values by column, NaN where they are not known */
	uint32	   *codes;			/* codes by column, 0 in those that nobody asks for */

	/* nodes, each above two others from the middle of its points on, or above a bunch of leaves */
	uint32		bunches;
	uint32		nodes;
	struct SdcPointNode *node;
	int			width;			/* columns, and some more that nobody asks for */
	float	   *low;			/* by node, by column: bounds of the means */
	float	   *high;
	SdcInterval *outer;			/* no box reaches further, */
	SdcInterval *inner;			/* and all reach as far; both only while the tree is made */
	uint32	   *reach;			/* by node these two: first codes by column, and how many follow */
	int			class_words;	/* 0: no bitmaps */
	uint64	   *class_set;		/* by node */
	bool		plain;			/* vectors of 256 bits are not used */
} SdcPointTree;

/* Who asks: a person whose values are known. */
typedef struct SdcPointQuery
{
	const double *mean;			/* by column: percentages of the values, or SDC_HISTORY_MISSING */
	const uint32 *code;			/* by column: the values, or SDC_CODE_NULL */
	uint32		own;			/* place of the person's record, or SDC_RECORD_NONE */
	bool		alone;			/* it is known to be nearer than all others */
} SdcPointQuery;

/* What is found. */
typedef struct SdcPointFound
{
	uint64		candidates;
	bool		inside;			/* the person's own record is one of them */
	double		share;			/* 1 / number of the nearest, if it is one of these */
} SdcPointFound;

extern uint64 sdc_pointtree_memory(uint32 points, int columns, uint32 classes);

/*
 * sdc_pointtree_create makes a tree of points whose means and boxes lie record by record; class, by record, may be
 * NULL, codes 0 .. classes - 1.
 */
extern SdcPointTree *sdc_pointtree_create(uint32 points, int columns, const double *mean,
										  const SdcInterval *box, const uint32 *class,
										  uint32 classes);
extern void sdc_pointtree_destroy(SdcPointTree *tree);

/* sdc_pointtree_nearest looks for the nearest of all points; sets share only. */
extern void sdc_pointtree_nearest(const SdcPointTree *tree, const SdcPointQuery *query,
								  SdcPointFound *found);

/* sdc_pointtree_boxes looks for the points whose boxes have all values inside, and the nearest of these. */
extern void sdc_pointtree_boxes(const SdcPointTree *tree, const SdcPointQuery *query,
								SdcPointFound *found);

/* sdc_pointtree_classes adds their classes to a bitmap of classes bits. */
extern void sdc_pointtree_classes(const SdcPointTree *tree, const SdcPointQuery *query,
								  uint64 *class_set);

#endif							/* SDC_KERNEL_POINTTREE_H */

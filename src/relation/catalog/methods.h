/*-------------------------------------------------------------------------
 *
 * methods.h
 *		The methods that make releases, as the catalog knows them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_METHODS_H
#define SDC_RELATION_METHODS_H

/* Names of methods: in the catalog, in the streams, in the names of releases. */
#define SDC_METHOD_RANKSWAP "rankswap"
#define SDC_METHOD_RANKSWAP_DISTRIBUTION "rankswap_distribution"
#define SDC_METHOD_RANKSWAP_BUCKETS "rankswap_buckets"
#define SDC_METHOD_EQUIDEPTH "equidepth_swap"
#define SDC_METHOD_EQUIWIDTH "equiwidth_swap"
#define SDC_METHOD_RANDOMIZE "randomize"
#define SDC_METHOD_GENERALIZE "generalize"
#define SDC_METHOD_PERMUTE "permute"
#define SDC_METHOD_RECORD_SWAP "record_swap"
#define SDC_METHOD_PERMUTATION_SWAP "permutation_swap"
#define SDC_METHOD_RECODE "recode"
#define SDC_METHOD_SUPPRESS "suppress"
#define SDC_METHOD_MICROAGGREGATE "microaggregate"
#define SDC_METHOD_PRAM "pram"
#define SDC_METHOD_NOISE "noise"
#define SDC_METHOD_PROTECT "protect" /* several of them in one release */
#define SDC_METHOD_WEIGHT_GROUP "weight_group"	/* nor this: weights of which means were released */
#define SDC_METHOD_TOTALS "totals"	/* not one of them: columns that were computed */

/* Names of their parameters in the catalog. */
#define SDC_PARAMETER_P "p"
#define SDC_PARAMETER_BUCKETS "buckets"
#define SDC_PARAMETER_DEPTH "depth"
#define SDC_PARAMETER_INTERVALS "intervals"
#define SDC_PARAMETER_WIDTHS "widths"
#define SDC_PARAMETER_COMPLEMENT "complement"
#define SDC_PARAMETER_COMPLEMENT_COLUMNS "complement_columns"
#define SDC_PARAMETER_DRAWS "draws"
#define SDC_PARAMETER_PROBABILITIES "probabilities"
#define SDC_PARAMETER_RETAIN "retain"
#define SDC_PARAMETER_MATRICES "matrices"
#define SDC_PARAMETER_AMOUNT "amount"
#define SDC_PARAMETER_SCHEME "scheme"
#define SDC_PARAMETER_BOUNDS "bounds"
#define SDC_PARAMETER_LAWS "laws"	/* by column what its law needs: mean, standard deviation, unit */
#define SDC_PARAMETER_COVARIANCES "covariances"	/* of the columns, in their order */
#define SDC_PARAMETER_L "l"
#define SDC_PARAMETER_K "k"
#define SDC_PARAMETER_GROUPING_METHOD "grouping_method"
#define SDC_PARAMETER_FORCE "force"
#define SDC_PARAMETER_AREAS "areas"
#define SDC_PARAMETER_RISK "risk"
#define SDC_PARAMETER_RATE "rate"
#define SDC_PARAMETER_SIMILAR "similar"
#define SDC_PARAMETER_RELAX "relax"
#define SDC_PARAMETER_CARRY "carry"
#define SDC_PARAMETER_ANY_SIZE "any_size"
#define SDC_PARAMETER_NEEDS "needs"	/* the version that an earlier one would misread it without */

/*
 * Of a recoding: its rules, the columns that have ranges or labels in the place of values, what thresholds were found,
 * and the rows of the tables with labels.
 */
#define SDC_PARAMETER_RECODES "recodes"
#define SDC_PARAMETER_RELABELLED "relabelled"
#define SDC_PARAMETER_FOUND "found"
#define SDC_PARAMETER_TABLES "tables"

/*
 * Of a generalization by hierarchies: these, how, and what came of it by column: the level, that of everything, and the
 * mean loss.
 */
#define SDC_PARAMETER_HIERARCHIES "hierarchies"
#define SDC_PARAMETER_SUPPRESS_PERCENT "suppress_percent"
#define SDC_PARAMETER_T "t"
#define SDC_PARAMETER_T_DISTANCE "t_distance"
#define SDC_PARAMETER_LEVELS "levels"
#define SDC_PARAMETER_EVERYTHING "everything"
#define SDC_PARAMETER_LOSSES "losses"
#define SDC_PARAMETER_LOSS "loss"

/* Of a suppression too. */
#define SDC_PARAMETER_IMPORTANCE "importance"
#define SDC_PARAMETER_COMBINATIONS "combinations"

/* Of a microaggregation, besides "k"; what it found is of its columns. */
#define SDC_PARAMETER_CENTRE "centre"
#define SDC_PARAMETER_SMALL "small"

/* What permutation swapping has found in its strata: what its guarantee follows from. */
#define SDC_PARAMETER_LARGEST_STRATUM "largest_stratum"
#define SDC_PARAMETER_STRATA_FOUND "strata_found"
#define SDC_PARAMETER_SINGLE_STRATA "single_strata"
#define SDC_PARAMETER_SELECTED_PERCENT "selected_percent"
#define SDC_PARAMETER_MOVED_PERCENT "moved_percent"

/* Parameters of a step of a release with units. */
#define SDC_PARAMETER_UNIT_SIZE "unit_size"
#define SDC_PARAMETER_UNIT_ROWS "unit_rows"
#define SDC_PARAMETER_ROW_LEVEL "row_level"	/* columns that the caller has said to be of records */

/* Parameters of a step that is continued, and what came of it: the largest distance, in percent of the ranks. */
#define SDC_PARAMETER_CONTINUED "continued"
#define SDC_PARAMETER_MIN_CHANGES "min_changes"
#define SDC_PARAMETER_MIN_DEPARTURES "min_departures"
#define SDC_PARAMETER_ERASE_WITHIN "erase_within"
#define SDC_PARAMETER_LARGEST "largest"

/* Members of a step that are not parameters: its method, the columns, and where all steps are. */
#define SDC_MEMBER_METHOD "method"
#define SDC_MEMBER_COLUMNS "columns"
#define SDC_MEMBER_QI "qi"
#define SDC_MEMBER_SENSITIVE "sensitive"
#define SDC_MEMBER_STEPS "steps"

/* What tells how many ranks a value moves at most: the first parameter, as a percentage or a number of buckets. */
typedef enum SdcMethodReach
{
	SDC_REACH_NONE,
	SDC_REACH_PERCENT,
	SDC_REACH_BUCKETS
} SdcMethodReach;

/* What a method does within groups of records, whose numbers it gives the release as a column. */
typedef enum SdcMethodGroups
{
	SDC_GROUPS_NONE,			/* it has none */
	SDC_GROUPS_GENERALIZED,		/* all records have the ranges and sets of their values */
	SDC_GROUPS_PERMUTED			/* values are permuted */
} SdcMethodGroups;

/* What an intruder who knows the method can tell of the value that a released one has come from. */
typedef enum SdcMethodTells
{
	SDC_TELLS_NOTHING,			/* of another tool: every value is possible */
	SDC_TELLS_WINDOW,			/* it is within a reach of ranks, */
	SDC_TELLS_WINDOW_MOSTLY,	/* or most often is */
	SDC_TELLS_EQUIDEPTH,		/* it is in the same bin of a partition into bins of as many records, */
	SDC_TELLS_EQUIWIDTH,		/* or of a grid */
	SDC_TELLS_LIKELIHOOD,		/* how likely it is, by the probabilities of a draw */
	SDC_TELLS_NOISE,			/* it is near, by the law of the noise that was added */
	SDC_TELLS_MEMBERSHIP,		/* it is in a range or a set */
	SDC_TELLS_MOVED,			/* it is any one, most often the same; the step has moved its columns together */
	SDC_TELLS_PERMUTATION,		/* it is one of its group's */
	SDC_TELLS_FUNCTION,			/* it is one of which a known function is the released one */
	SDC_TELLS_SUPPRESSED,	/* it is the released one, unless that is missing */
	SDC_TELLS_AVERAGE			/* of a column by itself: it is in a run around the released one; else it is any one */
} SdcMethodTells;

/* What it promises of two sources with the same invariants (measure/guarantee.h). */
typedef enum SdcMethodPromise
{
	SDC_PROMISES_NOTHING,
	SDC_PROMISES_ALIKE,			/* releases of both are equally likely: pairing is uniform in bins or groups, */
	SDC_PROMISES_RATIO			/* or about so, by a derangement */
} SdcMethodPromise;

typedef struct SdcMethod
{
	const char *name;			/* NULL: a method of another tool */
	const char *parameters[16];	/* that it can have in the catalog; NULL behind the last */
	SdcMethodReach reach;
	SdcMethodTells tells;
	SdcMethodGroups groups;
	bool		keeps_types;	/* the release has values of the source's types, but for columns that are relabelled */
	bool		bins;			/* it swaps values in bins */
	const char *protects;		/* the argument that names the columns that it protects */
	SdcMethodPromise promise;
} SdcMethod;

/* sdc_methods_find returns the method of a name, never NULL. */
extern const SdcMethod *sdc_methods_find(const char *name);

/*
 * sdc_methods_swaps_units tells whether a method is told how to swap units: not one by which whole units exchange
 * values, nor one that makes the same of the same value, nor one that takes values out.
 */
extern bool sdc_methods_swaps_units(const SdcMethod *method);

/*
 * sdc_methods_knows_units tells whether a method protects the table of units: all that swap them, and one that makes
 * groups of them.
 */
extern bool sdc_methods_knows_units(const SdcMethod *method);

/* sdc_methods_draws tells whether what a method releases does not follow from the records alone. */
extern bool sdc_methods_draws(const SdcMethod *method);

/*
 * sdc_methods_leaves_codes tells whether a method leaves missing values where they are, and so missing codes too: it
 * swaps or draws all others.  Of other methods a missing value is one like others.
 */
extern bool sdc_methods_leaves_codes(const SdcMethod *method);

/* sdc_methods_keeps_values tells whether a method exchanges values of records or units, and none is lost. */
extern bool sdc_methods_keeps_values(const SdcMethod *method);

/* sdc_methods_next returns the method behind another one, or the first behind NULL; NULL behind the last. */
extern const SdcMethod *sdc_methods_next(const SdcMethod *method);

#endif							/* SDC_RELATION_METHODS_H */

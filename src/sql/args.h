/*-------------------------------------------------------------------------
 *
 * args.h
 *		Reading and checking the arguments of SQL-callable functions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_ARGS_H
#define SDC_SQL_ARGS_H

#include "nodes/pg_list.h"
#include "sql/call.h"

/* Raises the error for an argument that must not be NULL. */
extern void sdc_args_require(FunctionCallInfo fcinfo, int number, const char *name);
extern char *sdc_args_text(FunctionCallInfo fcinfo, int number, const char *name);

/* Raises the error for an argument without a default; the hint says how to choose one. */
extern void sdc_args_choose(bool isnull, const char *name, const char *hint);

/* The index of an argument among the words that it can be; NULL behind the last one. */
extern int	sdc_args_word(FunctionCallInfo fcinfo, int number, const char *name,
						  const char *const *words);

/* sdc_args_find_word does so for a word that was read already; NULL is an error. */
extern int	sdc_args_find_word(const char *word, const char *name, const char *const *words);

/* A list of names (char *), false when the argument is NULL; no NULLs, no duplicates. */
extern bool sdc_args_names(FunctionCallInfo fcinfo, int number, const char *name, List **list);

/* A list of texts (char *), NIL when the argument is NULL; no NULLs. */
extern List *sdc_args_texts(FunctionCallInfo fcinfo, int number, const char *name);

/* The argument that names the quasi-identifiers: at least one. */
extern List *sdc_args_qi(FunctionCallInfo fcinfo, int number);

/* The argument that names the sensitive column: exactly one, NULL when the argument is NULL. */
extern char *sdc_args_sensitive(FunctionCallInfo fcinfo, int number);

/* sdc_args_retain reads the probability that a value stays: between 0 and 1, and neither. */
extern double sdc_args_retain(FunctionCallInfo fcinfo, int number);

/* How many of some attributes are drawn: 1 .. attributes, 0 when the argument is NULL. */
extern int	sdc_args_draws(FunctionCallInfo fcinfo, int number, int attributes);

/*
 * How much each of some columns matters, in words of the meaning that this has for the method; NULL when the argument
 * is NULL: all the same.
 */
extern double *sdc_args_importance(FunctionCallInfo fcinfo, int number, int columns, const char *meaning);

/* Probabilities that sum to 1, one for each attribute; NULL when the argument is NULL. */
extern double *sdc_args_probabilities(FunctionCallInfo fcinfo, int number, int attributes);

/* A share 0 .. 1; a NULL is the fallback. */
extern double sdc_args_share(FunctionCallInfo fcinfo, int number, const char *name,
							 double fallback);

/* The argument fraction: the share of a population that a sample has, above 0 and up to 1; not NULL. */
extern double sdc_args_fraction(FunctionCallInfo fcinfo, int number);

/* The argument p of rank swapping: a percentage above 0 and up to 100. */
extern double sdc_args_check_percent(Datum value, bool isnull);

/* The argument p of an intruder, who takes it for the reach of the method; 0 for NULL: that of the release. */
extern double sdc_args_percent(FunctionCallInfo fcinfo, int number);

/* An int argument that is a number of buckets. */
extern uint32 sdc_args_check_buckets(Datum value, bool isnull);

/* A seed of any accepted type as text, or NULL; the second is told the value of the argument. */
extern char *sdc_args_seed(FunctionCallInfo fcinfo, int number);
extern char *sdc_args_seed_value(FunctionCallInfo fcinfo, int number, Datum value, bool isnull);

/* The relation that a text, regclass or row type argument names. */
extern Oid	sdc_args_relation_text(FunctionCallInfo fcinfo, int number);
extern Oid	sdc_args_relation(FunctionCallInfo fcinfo, int number, const char *name);
extern Oid	sdc_args_row_type(FunctionCallInfo fcinfo, int number);

#endif							/* SDC_SQL_ARGS_H */

/*-------------------------------------------------------------------------
 *
 * api.h
 *		Whether the SQL objects of the extension and the library fit each other.
 *
 * Library and objects are updated one after the other: a session can have the library of before, and a database the
 * objects of before.  sql/call.h says when they are compared.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_API_H
#define SDC_RELATION_API_H

/* sdc_api_init notes, when the library is loaded, whether the server does so for all of its processes. */
extern void sdc_api_init(void);
extern bool sdc_api_preloaded;

/* sdc_api_require raises an error when the objects are of a version that the library does not serve. */
extern void sdc_api_require(void);

/* sdc_api_knows tells whether a version is not later than that of the library. */
extern bool sdc_api_knows(const char *version);

/* sdc_api_later adds to an error that a later version has written what this one does not know: part of ereport. */
extern int	sdc_api_later(void);

/* sdc_api_explain adds the two versions to an error, and what can be done: part of ereport. */
extern int	sdc_api_explain(void);

/* sdc_api_lacks raises the error about a function that is declared with fewer arguments than are read. */
extern void sdc_api_lacks(Oid function, int arguments);

#endif							/* SDC_RELATION_API_H */

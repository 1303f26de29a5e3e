/*-------------------------------------------------------------------------
 *
 * trust.h
 *		With whose rights a relation is read.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_TRUST_H
#define SDC_RELATION_TRUST_H

#include "utils/guc.h"

/* The setting sdc.trusted_owners: names of roles, or a star. */
extern char *sdc_trusted_owners;

extern bool sdc_trust_check_setting(char **value, void **extra, GucSource source);

/* sdc_trust_owner returns the owner of a relation, InvalidOid where it is gone. */
extern Oid	sdc_trust_owner(Oid relid);

/*
 * sdc_trust_reader returns the role that is to read a relation, which is the caller or the
 * relation's owner, or raises an error.  unnamed: the caller has not named the relation.
 */
extern Oid	sdc_trust_reader(Oid relid, bool unnamed);

/*
 * sdc_trust_require insists that the caller trusts all owners of what a relation reaches, the
 * types of its columns included: a condition of the caller's own is to be evaluated on it.
 */
extern void sdc_trust_require(Oid relid);

/*
 * sdc_trust_values does so for a condition that is evaluated on the values alone, apart from their relation: then the
 * caller must trust the owners of the types only.  It returns the role that is to read the values.
 */
extern Oid	sdc_trust_values(Oid relid);

/*
 * sdc_trust_require_input insists that the caller trusts all whose code may run when text becomes a value
 * of a type: checks of the domains that it is made of.
 */
extern void sdc_trust_require_input(Oid typid);

/*
 * sdc_trust_require_column insists that the caller trusts all whose functions a type brings into a table of
 * his.
 */
extern void sdc_trust_require_column(Oid typid);

/*
 * sdc_trust_require_order insists that the caller trusts all whose functions compare values of a type, and
 * sdc_trust_has_order tells whether he does.
 */
extern void sdc_trust_require_order(Oid typid);
extern bool sdc_trust_has_order(Oid typid);

/*
 * sdc_trust_require_index insists that who fills an index trusts all whose functions order its entries: its owner, or
 * the caller, if he adds rows to the table.
 */
extern void sdc_trust_require_index(Oid index, bool rows);

#endif							/* SDC_RELATION_TRUST_H */

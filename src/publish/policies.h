/*-------------------------------------------------------------------------
 *
 * policies.h
 *		The policies by which releases are made and published.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_POLICIES_H
#define SDC_PUBLISH_POLICIES_H

#include "utils/jsonb.h"

/* The columns of the table, as in the install script. */
enum
{
	SDC_POLICY_NAME = 1, SDC_POLICY_OWNER, SDC_POLICY_DEFINITION, SDC_POLICY_WRITTEN_BY
};

/* The log has the definition of a policy with each of its runs. */
#define SDC_POLICY_MOST_BYTES (1024 * 1024)

/* A policy: data, with names in the place of OIDs, so that a dump restores it. */
typedef struct SdcPolicy
{
	NameData	name;
	Oid			owner;
	Jsonb	   *definition;
} SdcPolicy;

/* sdc_policies_put enters a policy of the caller, or in the place of one that he may replace, which keeps its owner. */
extern void sdc_policies_put(Oid schema, const char *name, Jsonb *definition);

/* sdc_policies_drop forgets a policy of the caller. */
extern void sdc_policies_drop(Oid schema, const char *name);

/*
 * sdc_policies_find finds a policy that counts, whoever it belongs to.  sdc_policies_get finds one whose owner's rights
 * the caller has, and raises an error where there is none.
 */
extern bool sdc_policies_find(Oid schema, const char *name, SdcPolicy *policy);
extern void sdc_policies_get(Oid schema, const char *name, SdcPolicy *policy);

/* sdc_policies_require_owner insists that the owner of a policy exists. */
extern void sdc_policies_require_owner(Oid owner);

/*
 * sdc_policies_visit calls a function for every policy that counts, and with owner InvalidOid for one whose owner does
 * not exist here.
 */
typedef void (*SdcPolicyVisit) (void *arg, const SdcPolicy *policy);
extern void sdc_policies_visit(Oid schema, SdcPolicyVisit visit, void *arg);

#endif							/* SDC_PUBLISH_POLICIES_H */

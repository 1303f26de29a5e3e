/*-------------------------------------------------------------------------
 *
 * settings.c
 *		The settings of the extension.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "publish/accuracytable.h"
#include "relation/base/testpoint.h"
#include "relation/rights/trust.h"
#include "sql/settings.h"
#include "utils/guc.h"

int			sdc_setting_query_workload = 1000;
double		sdc_setting_association_min_support = 0.08;
double		sdc_setting_association_min_confidence = 0.15;
int			sdc_setting_itemset_limit = 1000000;
int			sdc_setting_view_records = 10000;

/* sdc_settings_define makes the settings known to the server. */
void
sdc_settings_define(void)
{
	DefineCustomIntVariable("sdc.query_workload",
							"Number of random queries, for each number of attributes, that the errors of a release are measured by.",
							NULL, &sdc_setting_query_workload, 1000, 1, 1000000,
							PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomRealVariable("sdc.association_min_support",
							 "Least share of the records that makes a combination of values frequent.",
							 NULL, &sdc_setting_association_min_support, 0.08, 0.0, 1.0,
							 PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomRealVariable("sdc.association_min_confidence",
							 "Least confidence of an association.",
							 NULL, &sdc_setting_association_min_confidence, 0.15, 0.0, 1.0,
							 PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("sdc.itemset_limit",
							"Largest number of frequent itemsets that a call returns.",
							NULL, &sdc_setting_itemset_limit, 1000000, 1, PG_INT32_MAX,
							PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("sdc.view_records",
							"Largest number of records of a release that was never evaluated and that the views evaluate by themselves.",
							NULL, &sdc_setting_view_records, 10000, 0, PG_INT32_MAX,
							PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("sdc.accuracy_records",
							"Most records of a release whose accuracy is measured when it is published.",
							NULL, &sdc_accuracy_records, 100000, 0, PG_INT32_MAX,
							PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomStringVariable("sdc.trusted_owners",
							   "Roles whose code may run with your rights when their relations are read.",
							   "A list of names of roles; a star stands for all.",
							   &sdc_trusted_owners, "", PGC_USERSET, GUC_LIST_INPUT,
							   sdc_trust_check_setting, NULL, NULL);
#ifdef SDC_TEST_POINTS
	sdc_test_points_define();
#endif
}

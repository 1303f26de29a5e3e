/*-------------------------------------------------------------------------
 *
 * settings.h
 *		The settings of the extension.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_SETTINGS_H
#define SDC_SQL_SETTINGS_H

extern int	sdc_setting_query_workload;
extern double sdc_setting_association_min_support;
extern double sdc_setting_association_min_confidence;
extern int	sdc_setting_itemset_limit;
extern int	sdc_setting_view_records;

/* sdc_settings_define makes the settings known to the server. */
extern void sdc_settings_define(void);

#endif							/* SDC_SQL_SETTINGS_H */

/*-------------------------------------------------------------------------
 *
 * inferencerisk.c
 *		The inference risk of a release that was made by random anonymization.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "measure/attack/inferencerisk.h"
#include "relation/base/names.h"
#include "relation/catalog/steps.h"

/* find_step finds the step whose inference risk is defined. */
static const SdcStep *
find_step(const SdcPairedRelease *paired)
{
	const SdcStep *step = sdc_steps_only(sdc_steps_of(&paired->row), SDC_METHOD_RANDOMIZE);

	if (step == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("release \"%s\" was not made by random anonymization", paired->name),
				 strcmp(paired->row.method, SDC_METHOD_PROTECT) == 0 ?
				 errdetail("The inference risk is that of the columns of one step of this method.") : 0,
				 errhint("sdc_disclosure_risk and sdc_record_risk measure the risk of any release.")));
	if (paired->row.strata != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the inference risk of a release with strata is not defined"),
				 errhint("Make the release of each stratum by itself to measure it.")));
	return step;
}

/* step_pairs returns the columns of a step. */
static SdcPairs
step_pairs(const SdcPairedRelease *paired, const SdcStep *step)
{
	SdcPairs	pairs = {.records = paired->pairs.records};
	SdcPairColumn *columns = palloc(sizeof(SdcPairColumn) * Max(paired->pairs.attributes, 1));

	for (int i = 0; i < paired->pairs.attributes; i++)
		if (sdc_names_have(step->columns, paired->attribute[i]))
			columns[pairs.attributes++] = paired->pairs.column[i];
	pairs.column = columns;
	return pairs;
}

/* step_probabilities returns the probabilities that the attributes of a step were drawn with, in their order. */
static double *
step_probabilities(const SdcStep *step, int attributes)
{
	double	   *probability = palloc(sizeof(double) * Max(attributes, 1));
	double		drawn = sdc_parameters_number(step->parameters, SDC_PARAMETER_DRAWS);

	if (!isnan(drawn) && drawn != 1)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the inference risk is defined for releases in which one attribute of a record changed"),
				 errdetail("This one was made with more than one draw for each record.")));
	for (int i = 0; i < attributes; i++)
	{
		probability[i] = drawn == 1 ? 1.0 / attributes :
			sdc_parameters_element(step->parameters, SDC_PARAMETER_PROBABILITIES, i);
		if (!(probability[i] >= 0 && probability[i] <= 1))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("the probabilities of the release are not known"),
					 errhint("Register it with the parameter \"probabilities\".")));
	}
	return probability;
}

/* sdc_inferencerisk_measure measures with the probabilities that the catalog knows. */
void
sdc_inferencerisk_measure(const SdcPairedRelease *paired, SdcInference *risk)
{
	const SdcStep *step = find_step(paired);
	SdcPairs	pairs = step_pairs(paired, step);

	sdc_inference_measure(&pairs, step_probabilities(step, pairs.attributes), risk);
}

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

/* step_draws returns how many attributes of a record were drawn; 0: the catalog does not know. */
static int
step_draws(const SdcStep *step, int attributes)
{
	double		drawn = sdc_parameters_number(step->parameters, SDC_PARAMETER_DRAWS);

	if (isnan(drawn))
		return 1;
	return drawn >= 1 && drawn <= attributes && drawn == floor(drawn) ? (int) drawn : 0;
}

/* step_probabilities returns the probabilities that the attributes of a step were drawn with, in their order. */
static double *
step_probabilities(const SdcStep *step, int attributes, int draws)
{
	double	   *probability = palloc(sizeof(double) * Max(attributes, 1));
	bool		even = !isnan(sdc_parameters_number(step->parameters, SDC_PARAMETER_DRAWS));

	for (int i = 0; i < attributes; i++)
	{
		probability[i] = even ? (double) draws / attributes :
			sdc_parameters_element(step->parameters, SDC_PARAMETER_PROBABILITIES, i);
		if (draws < 1 || !(probability[i] >= 0 && probability[i] <= 1))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("the probabilities of the release are not known"),
					 errhint("Register it with the parameter \"probabilities\", or with \"draws\" from 1 to %d.",
							 attributes)));
	}
	return probability;
}

/* check_groupings insists that the combinations need not be looked at by too many sets of attributes. */
static void
check_groupings(int attributes, int draws)
{
	if (sdc_inference_groupings(attributes, draws) > SDC_INFERENCE_GROUPINGS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the inference risk of %d draws from %d columns needs more than %u groupings", draws, attributes,
						SDC_INFERENCE_GROUPINGS),
				 errdetail("Records are grouped by all columns but one, two and so on up to the number of draws."),
				 errhint("Measure a release of fewer columns.")));
}

/* sdc_inferencerisk_measure measures with what the catalog knows of how the release was drawn. */
void
sdc_inferencerisk_measure(const SdcPairedRelease *paired, SdcInference *risk)
{
	const SdcStep *step = find_step(paired);
	SdcPairs	pairs = step_pairs(paired, step);
	SdcInferenceTask task = {.pairs = &pairs, .stratum = paired->stratum, .strata = paired->strata};

	task.draws = step_draws(step, pairs.attributes);
	task.probability = step_probabilities(step, pairs.attributes, task.draws);
	check_groupings(pairs.attributes, task.draws);
	sdc_inference_measure(&task, risk);
}

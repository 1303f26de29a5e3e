/*-------------------------------------------------------------------------
 *
 * inferencerisk.c
 *		The inference risk of a release that was made by random anonymization.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "measure/inferencerisk.h"
#include "relation/parameters.h"

/* sdc_inferencerisk_memory returns the bytes of what follows. */
uint64
sdc_inferencerisk_memory(uint64 records, int attributes)
{
	return sdc_inference_memory((uint32) records, attributes);
}

/* check_randomized insists on a release whose inference risk is defined. */
static void
check_randomized(const SdcPairedRelease *paired)
{
	if (strcmp(paired->row.method, SDC_METHOD_RANDOMIZE) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("release \"%s\" was not made by random anonymization", paired->name),
				 errhint("sdc_disclosure_risk and sdc_record_risk measure the risk of any release.")));
	if (paired->row.strata != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the inference risk of a release with strata is not defined"),
				 errhint("Make the release of each stratum by itself to measure it.")));
}

/* release_probabilities returns the probabilities that the attributes of a release were drawn with. */
static double *
release_probabilities(const SdcPairedRelease *paired)
{
	int			attributes = paired->pairs.attributes;
	double	   *probability = palloc(sizeof(double) * Max(attributes, 1));
	SdcParameters *parameters = sdc_parameters_read(paired->row.parameters);
	double		drawn = sdc_parameters_number(parameters, SDC_PARAMETER_DRAWS);

	if (!isnan(drawn) && drawn != 1)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the inference risk is defined for releases in which one attribute of a record changed"),
				 errdetail("This one was made with more than one draw for each record.")));
	for (int i = 0; i < attributes; i++)
	{
		probability[i] = drawn == 1 ? 1.0 / attributes :
			sdc_parameters_element(parameters, SDC_PARAMETER_PROBABILITIES, i);
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
	check_randomized(paired);
	sdc_inference_measure(&paired->pairs, release_probabilities(paired), risk);
}

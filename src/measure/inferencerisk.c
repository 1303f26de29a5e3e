/*-------------------------------------------------------------------------
 *
 * inferencerisk.c
 *		The inference risk of a release that was made by random anonymization.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "measure/inferencerisk.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/numeric.h"

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

/* read_probability reads one element of the probabilities. */
static double
read_probability(const JsonbValue *element)
{
	double		probability = -1;

	if (element != NULL && element->type == jbvNumeric)
		probability = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow,
														 NumericGetDatum(element->val.numeric)));
	if (!(probability >= 0 && probability <= 1))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the probabilities of the release are not known"),
				 errhint("Register it with the parameter \"probabilities\".")));
	return probability;
}

/* release_probabilities returns the probabilities that the attributes of a release were drawn with. */
static double *
release_probabilities(const SdcPairedRelease *paired)
{
	int			attributes = paired->pairs.attributes;
	double	   *probability = palloc(sizeof(double) * Max(attributes, 1));
	Jsonb	   *json = DatumGetJsonbP(DirectFunctionCall1(jsonb_in,
														  CStringGetDatum(paired->row.parameters)));
	JsonbValue	name = {.type = jbvString};
	JsonbValue *value;

	name.val.string.val = pstrdup("k");
	name.val.string.len = 1;
	value = findJsonbValueFromContainer(&json->root, JB_FOBJECT, &name);
	if (value != NULL && value->type == jbvNumeric)
	{
		if (DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow,
											   NumericGetDatum(value->val.numeric))) != 1)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("the inference risk is defined for releases in which one attribute of a record changed"),
					 errdetail("This one was made with k above 1.")));
		for (int i = 0; i < attributes; i++)
			probability[i] = 1.0 / attributes;
		return probability;
	}
	name.val.string.val = pstrdup("probabilities");
	name.val.string.len = (int) strlen(name.val.string.val);
	value = findJsonbValueFromContainer(&json->root, JB_FOBJECT, &name);
	if (value != NULL &&
		(value->type != jbvBinary || !JsonContainerIsArray(value->val.binary.data)))
		value = NULL;
	for (int i = 0; i < attributes; i++)
		probability[i] = read_probability(value == NULL ? NULL :
										  getIthJsonbValueFromContainer(value->val.binary.data,
																		(uint32) i));
	return probability;
}

/* sdc_inferencerisk_measure measures with the probabilities that the catalog knows. */
void
sdc_inferencerisk_measure(const SdcPairedRelease *paired, SdcInference *risk)
{
	check_randomized(paired);
	sdc_inference_measure(&paired->pairs, release_probabilities(paired), risk);
}

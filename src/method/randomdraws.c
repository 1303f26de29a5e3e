/*-------------------------------------------------------------------------
 *
 * randomdraws.c
 *		What random anonymization and PRAM draw: attributes for every record.
 *
 * Of PRAM each attribute is drawn by itself, from a stream of its own: what becomes of a cell does not depend on
 * which other columns there are.  Of random anonymization each attribute has a probability, given or such that its
 * share of the entropy is the same (optimal).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/groups/entropy.h"
#include "lib/stringinfo.h"
#include "method/randomdraws.h"
#include "relation/base/names.h"
#include "relation/base/shortest.h"
#include "relation/catalog/methods.h"
#include "relation/column/columnentropy.h"

/* sdc_randomdraws_attributes: see randomdraws.h. */
int *
sdc_randomdraws_attributes(const SdcMethodStep *step, const SdcSource *source)
{
	int		   *index = palloc(sizeof(int) * step->protected_count);
	int			count = 0;

	for (int i = 0; i < source->attribute_count; i++)
		if (sdc_step_is_of(step, &source->attributes[i]))
			index[count++] = i;
	Assert(count == step->protected_count);
	return index;
}

/* given_probabilities puts the probabilities that the caller gave into the order of the columns. */
static void
given_probabilities(const SdcSource *source, const int *index, const SdcRandomizing *randomizing,
					double *probability)
{
	for (int j = 0; j < list_length(randomizing->qi); j++)
	{
		const char *name = NameStr(source->attributes[index[j]].name);

		probability[j] = randomizing->probability[sdc_names_index(randomizing->qi, name)];
	}
}

/* optimal_probabilities finds the probabilities that maximize probabilistic anonymity. */
static void
optimal_probabilities(const SdcSource *source, const int *index, int attributes, double *probability)
{
	double	   *entropy = palloc(sizeof(double) * attributes);

	for (int j = 0; j < attributes; j++)
	{
		const SdcAttribute *attribute = &source->attributes[index[j]];

		entropy[j] = sdc_columnentropy_of(attribute->column, &attribute->type, attribute->dictionary);
	}
	sdc_entropy_optimal(entropy, attributes, probability);
}

/* sdc_randomdraws_describe: see randomdraws.h. */
char *
sdc_randomdraws_describe(const SdcRandomizing *randomizing, const double *probability, int attributes)
{
	StringInfoData json;

	initStringInfo(&json);
	if (randomizing->retain > 0)
		appendStringInfo(&json, "{\"" SDC_PARAMETER_RETAIN "\": %s}", sdc_shortest_text(randomizing->retain));
	else if (randomizing->draws > 0)
		appendStringInfo(&json, "{\"" SDC_PARAMETER_DRAWS "\": %d}", randomizing->draws);
	else
	{
		appendStringInfoString(&json, "{\"" SDC_PARAMETER_PROBABILITIES "\": [");
		for (int j = 0; j < attributes; j++)
			appendStringInfo(&json, "%s%s", j == 0 ? "" : ", ", sdc_shortest_text(probability[j]));
		appendStringInfoString(&json, "]}");
	}
	return json.data;
}

/* sdc_randomdraws_probabilities: see randomdraws.h. */
double *
sdc_randomdraws_probabilities(const SdcMethodStep *step, const SdcSource *source, const int *index)
{
	const SdcRandomizing *randomizing = step->arguments;
	double	   *probability = palloc0(sizeof(double) * step->protected_count);

	if (randomizing->draws > 0 || randomizing->retain > 0)
		return NULL;
	if (randomizing->probability != NULL)
		given_probabilities(source, index, randomizing, probability);
	else
		optimal_probabilities(source, index, step->protected_count, probability);
	return probability;
}

/* choose_each draws every attribute of some records by itself. */
static SdcChoice *
choose_each(const SdcMethodStep *step, const SdcSource *source, uint32 records, SdcRandom *random, uint64 publication)
{
	const SdcRandomizing *randomizing = step->arguments;
	int		   *index = sdc_randomdraws_attributes(step, source);
	SdcChoice  *choice = sdc_choice_create(records, step->protected_count);

	memset(choice->bits, 0, records * choice->width);
	for (int j = 0; j < step->protected_count; j++)
	{
		const char *name = NameStr(source->attributes[index[j]].name);

		sdc_choice_each(sdc_random_restart(random, name, SDC_PURPOSE_PRAM, 0, publication), choice, j,
						1 - randomizing->retain);
		sdc_random_verify(random);
	}
	return choice;
}

/* sdc_randomdraws_choose: see randomdraws.h. */
SdcChoice *
sdc_randomdraws_choose(SdcMethodStep *step, const SdcSource *source, const double *probability, uint32 records,
					   SdcRandom *random, uint64 publication)
{
	const SdcRandomizing *randomizing = step->arguments;
	SdcStream  *stream;
	SdcChoice  *choice;

	step->parameters = sdc_randomdraws_describe(randomizing, probability, step->protected_count);
	if (randomizing->retain > 0)
		return choose_each(step, source, records, random, publication);
	stream = sdc_random_restart(random, "", SDC_PURPOSE_CHOICE, 0, publication);
	choice = randomizing->draws > 0 ?
		sdc_choice_subset(stream, records, step->protected_count, randomizing->draws) :
		sdc_choice_single(stream, records, probability, step->protected_count);
	sdc_random_verify(random);
	return choice;
}

/* sdc_randomdraws_stream: see randomdraws.h. */
SdcStream *
sdc_randomdraws_stream(const SdcMethodStep *step, SdcRandom *random, const char *column, uint64 publication)
{
	return sdc_random_restart(random, column, step->method->name, 0, publication);
}

/*-------------------------------------------------------------------------
 *
 * randomize.c
 *		Random anonymization of a relation, and PRAM by the margins of its columns.
 *
 * W. Yang, S. Qiao, "A novel anonymization algorithm: privacy protection and knowledge
 * preservation", Expert Systems with Applications 37 (2010): RA 1 replaces the value of one
 * attribute of every record by one drawn from the marginal distribution of the
 * attribute, RA 2 those of several attributes.  Drawing from the marginal is drawing the record
 * that donates its value, so values of every type are copied as they are.  PRAM that retains values draws every
 * attribute by itself, and the same donors.
 *
 * Memory: a bit a record and attribute for the choice, four bytes a record for the donors of
 * the attribute at hand, and eight more where some records have no value or there are
 * strata.  Columns of large values have numbers of their distinct ones, four
 * bytes a record, where these are few; otherwise the values, which need not fit (donate.c).  Where
 * choice and donors do not fit either, randomizeexternal.c makes the same release.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/groups/randomize.h"
#include "method/continued/nightrandomize.h"
#include "method/randomdraws.h"
#include "method/randomize.h"
#include "method/randomizeexternal.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/catalog/methods.h"
#include "relation/column/dictionary.h"
#include "relation/column/donate.h"
#include "relation/column/grouprecords.h"

/* draw_donors draws the donors of one attribute. */
static void
draw_donors(const SdcSource *source, const SdcChoice *choice, int number,
			SdcAttribute *attribute, SdcRandom *random, uint32 *donor)
{
	uint32		records = (uint32) source->records;
	SdcGroupRecords members;

	for (uint32 r = 0; r < records; r++)
		donor[r] = r;
	if (source->stratum == NULL && sdc_column_null_count(attribute->column) == 0)
	{
		sdc_randomize_donors(sdc_random_start(random, NameStr(attribute->name), SDC_PURPOSE_DONORS, 0),
							 choice, number, NULL, records, donor);
		sdc_random_verify(random);
		return;
	}
	sdc_grouprecords_valued(source->stratum, (uint32) source->strata_found, attribute->column, &members);
	for (uint32 s = 0; s < members.groups; s++)
	{
		if (sdc_grouprecords_count(&members, s) == 0)
			continue;
		CHECK_FOR_INTERRUPTS();
		sdc_randomize_donors(sdc_random_start(random, NameStr(attribute->name), SDC_PURPOSE_DONORS, s),
							 choice, number, sdc_grouprecords_of(&members, s),
							 sdc_grouprecords_count(&members, s), donor);
		sdc_random_verify(random);
	}
	sdc_grouprecords_free(&members);
}

/* working_memory returns the bytes that stay while values are donated. */
static uint64
working_memory(const SdcMethodStep *step, const SdcSource *source)
{
	bool		members = source->stratum != NULL;

	for (int i = 0; i < source->attribute_count && !members; i++)
		members = sdc_step_is_of(step, &source->attributes[i]) &&
			sdc_column_null_count(source->attributes[i].column) > 0;
	return sdc_choice_memory((uint32) source->records, step->protected_count) +
		source->records * sizeof(uint32) +
		(members ? sdc_grouprecords_memory(2 * source->records, source->strata_found) : 0);
}

/* in_column_order puts the quasi-identifiers of a step into the order of the columns, as the probabilities are. */
static void
in_column_order(SdcMethodStep *step, const SdcSource *source, const int *index)
{
	step->qi = NIL;
	for (int j = 0; j < step->protected_count; j++)
		step->qi = lappend(step->qi, NameStr(source->attributes[index[j]].name));
}

/* protect randomizes attribute by attribute, anew or as a release of them is continued. */
static void
protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	int		   *index = sdc_randomdraws_attributes(step, source);
	uint64		used = working_memory(step, source);
	uint64		dictionaries = 0;
	double	   *probability;
	SdcChoice  *choice;
	uint32	   *donor;

	if (step->qi != NIL)
		in_column_order(step, source, index);
	if (step->night != NULL && step->continuing != NULL)
	{
		sdc_nightrandomize_protect(step, source, spool, random);
		return;
	}
	for (int j = 0; j < step->protected_count; j++)
		if (source->attributes[index[j]].dictionary != NULL)
			dictionaries += sdc_dictionary_memory(source->attributes[index[j]].dictionary);
	sdc_spool_set_limit(spool, sdc_memory_left(used) / 2);
	probability = sdc_randomdraws_probabilities(step, source, index);
	if (used + dictionaries > sdc_memory_budget())
	{
		step->parameters = sdc_randomdraws_describe(step->arguments, probability, step->protected_count);
		sdc_randomize_external(step, source, spool, random, index, probability, dictionaries);
		return;
	}
	choice = sdc_randomdraws_choose(step, source, probability, (uint32) source->records, random, 0);
	donor = sdc_memory_array(source->records, sizeof(uint32));
	for (int j = 0; j < step->protected_count; j++)
	{
		SdcAttribute *attribute = &source->attributes[index[j]];
		SdcColumn  *result;

		draw_donors(source, choice, j, attribute, random, donor);
		if (attribute->dictionary != NULL)
			result = sdc_donate_numbers(attribute->column, attribute->dictionary,
										&attribute->type, donor, spool, used + dictionaries,
										&attribute->changed);
		else
			result = sdc_donate_column(attribute->column, &attribute->type, donor, spool,
									   used + dictionaries, &attribute->changed);
		sdc_column_destroy(attribute->column);
		attribute->column = result;
		sdc_progress_next();
	}
	sdc_choice_destroy(choice);
	sdc_free(donor);
}

/* sdc_randomize_each: see randomize.h. */
void
sdc_randomize_each(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	if (step->night != NULL && step->continuing != NULL)
	{
		sdc_nightrandomize_protect(step, source, spool, random);
		return;
	}
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];
		SdcColumn  *result;
		uint64		drawn = 0;

		if (!sdc_step_is_of(step, attribute))
			continue;
		result = step->draw(step, attribute, attribute->column, NULL,
							sdc_randomdraws_stream(step, random, NameStr(attribute->name), 0), spool, &drawn);
		sdc_random_verify(random);
		sdc_column_destroy(attribute->column);
		attribute->column = result;
		sdc_progress_next();
	}
}

/* check_plan says in the parameters of a step which column has which of the given probabilities. */
static void
check_plan(SdcMethodStep *step, SdcSource *source, Oid catalog_schema, SdcTarget *target)
{
	double	   *probability;

	(void) catalog_schema;
	(void) target;
	if (((const SdcRandomizing *) step->arguments)->probability == NULL)
		return;
	probability = sdc_randomdraws_probabilities(step, source, sdc_randomdraws_attributes(step, source));
	step->parameters = sdc_randomdraws_describe(step->arguments, probability, step->protected_count);
}

/* prepare fills in what both methods have. */
static void
prepare(SdcMethodStep *step, const SdcRandomizing *randomizing)
{
	step->arguments = randomizing;
	step->protect = protect;
	step->columns_given = true;
	step->columns = randomizing->qi;
	step->numbered = true;
	step->can_continue = true;
}

/* sdc_randomize_prepare fills in a step. */
void
sdc_randomize_prepare(SdcMethodStep *step, const SdcRandomizing *randomizing)
{
	prepare(step, randomizing);
	step->method = sdc_methods_find(SDC_METHOD_RANDOMIZE);
	step->qi = randomizing->qi;
	step->parameters = randomizing->draws > 0 || randomizing->probability != NULL ?
		sdc_randomdraws_describe(randomizing, randomizing->probability, list_length(randomizing->qi)) :
		pstrdup("{}");
	step->check_plan = check_plan;
	step->changes = randomizing->probability != NULL ? SDC_CHANGES_DRAWN : SDC_CHANGES_SOME;
	step->unchanged_hint = "Use larger strata or more draws, or leave the column out.";
	step->columns_argument = "qi";
	step->together = true;
}

/* sdc_randomize_prepare_pram: see randomize.h. */
void
sdc_randomize_prepare_pram(SdcMethodStep *step, const SdcRandomizing *randomizing)
{
	prepare(step, randomizing);
	step->method = sdc_methods_find(SDC_METHOD_PRAM);
	step->parameters = sdc_randomdraws_describe(randomizing, NULL, 0);
	step->changes = SDC_CHANGES_DRAWN;
	step->together = true;
	step->unchanged_hint = "Use larger strata or a smaller \"retain\", or leave the column out.";
}

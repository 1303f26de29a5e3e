/*-------------------------------------------------------------------------
 *
 * pairlinks.c
 *		Probabilistic record linkage pair by pair.
 *
 * The weights of an original with all protected records are bounded (pairbounds.c).  The weight of its own record, or
 * of the one with the highest bound, if that is more, is one that the best have at least: only records whose
 * bounds reach it are looked at.  Exact: the weights of these are added up as everywhere.
 *
 * Work: n bounds for each original and model, and a few steps for each record that is looked at.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/agreement/linktables.h"
#include "kernel/agreement/pairbounds.h"
#include "kernel/agreement/pairlinks.h"

/* What links have in common. */
typedef struct Linker
{
	SdcAgreementRows rows;
	int			attributes;
	SdcPairBounds *bounds;
	SdcLinkTable table;
	bool		names;
	uint32	   *found;			/* records that are looked at */
	double	   *weight;			/* theirs */
} Linker;

/* weight_of is the weight of a pair. */
static inline double
weight_of(const Linker *linker, uint32 original, uint32 protected)
{
	return sdc_linktable_sum(&linker->table,
							 sdc_agreement_compare(&linker->rows, linker->attributes, original, protected, 0));
}

/* link_record links one original. */
static void
link_record(Linker *linker, uint32 record, SdcLink *link)
{
	double		own = weight_of(linker, record, record);
	double		best;
	double		lowest;
	uint32		count;

	sdc_pairbounds_prepare(linker->bounds, record);
	best = fmax(own, weight_of(linker, record, sdc_pairbounds_highest(linker->bounds)));
	count = sdc_pairbounds_find(linker->bounds, sdc_link_lowest_tie(best), linker->found);
	for (uint32 i = 0; i < count; i++)
	{
		linker->weight[i] = weight_of(linker, record, linker->found[i]);
		best = fmax(best, linker->weight[i]);
	}
	lowest = sdc_link_lowest_tie(best);
	*link = (SdcLink) {best, SDC_RECORD_NONE, 0, linker->rows.records, own >= lowest};
	for (uint32 i = count; i-- > 0;)
		if (linker->weight[i] >= lowest)
		{
			link->ties++;
			if (linker->names)
				link->linked = linker->found[i];
		}
}

/* take_model sets what depends on the model. */
static void
take_model(Linker *linker, const SdcLinkModel *model)
{
	double		agree[SDC_AGREEMENT_ATTRIBUTES];
	double		disagree[SDC_AGREEMENT_ATTRIBUTES];

	linker->attributes = model->attributes;
	sdc_link_weights(model, agree, disagree);
	sdc_linktable_terms(&linker->table, agree, disagree, model->attributes);
	sdc_pairbounds_set(linker->bounds, agree, disagree, model->attributes);
}

/* sdc_pairlinks_find: see pairlinks.h. */
void
sdc_pairlinks_find(const SdcAgreement *agreement, const SdcLinkModel *model, int models,
				   const uint32 *record, uint32 count, bool names, SdcFellegiSunterResult result, void *arg)
{
	Linker	   *linker = sdc_alloc(sizeof(Linker));

	linker->rows = sdc_agreement_rows(agreement);
	linker->names = names;
	linker->bounds = sdc_pairbounds_create(agreement);
	linker->found = sdc_alloc_array(uint32, linker->rows.records);
	linker->weight = sdc_alloc_array(double, linker->rows.records);
	for (int i = 0; i < models; i++)
	{
		take_model(linker, &model[i]);
		for (uint32 index = 0; index < count; index++)
		{
			SdcLink		link;

			SDC_CHECK_INTERRUPTS();
			link_record(linker, sdc_record_at(record, index), &link);
			result(arg, model[i].attributes, index, &link);
		}
	}
	sdc_pairbounds_destroy(linker->bounds);
	sdc_free(linker->found);
	sdc_free(linker->weight);
	sdc_free(linker);
}

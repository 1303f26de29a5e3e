/*-------------------------------------------------------------------------
 *
 * comments.c
 *		What a publication says of itself: comments on the table, its columns, and its accuracy table.
 *
 * They are for somebody who may read the publication and nothing else, and say nothing that the accuracy table does
 * not say: no seed, no name of a source or a release, no value.  A comment of the owner's stays.  One that was written
 * here is known by its last words, and says what is true of the new contents.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "commands/comment.h"
#include "publish/comments.h"
#include "relation/base/names.h"
#include "relation/base/spi.h"
#include "relation/catalog/steps.h"
#include "utils/lsyscache.h"

/* The last words of a comment on a column that is written here. */
#define SIGNATURE " (sdc_publish)"

/* How to use a column whose explanation does not say it. */
#define HOW " sdc_how_accurate says between which numbers a count of the source is."

/* What was done to a column, and how to use it, by what its method tells. */
static const char *const explanations[] = {
	[SDC_TELLS_NOTHING] = "Protected by another tool.",
	[SDC_TELLS_WINDOW] = "Rank swapped: records near each other by rank have exchanged values. Alone, the column has the values of the "
	"source; with other columns, counts differ from the truth, and sdc_how_accurate says how far.",
	[SDC_TELLS_WINDOW_MOSTLY] = "Rank swapped: records mostly near each other by rank have exchanged values. Alone, the column has the "
	"values of the source; with other columns, counts differ from the truth, and sdc_how_accurate says how far.",
	[SDC_TELLS_EQUIDEPTH] = "Swapped in bins of near records. Alone, the column has the values of the source.",
	[SDC_TELLS_EQUIWIDTH] = "Swapped in bins of near records. Alone, the column has the values of the source.",
	[SDC_TELLS_LIKELIHOOD] = "Randomized: some values were drawn from the whole column at random. sdc_how_accurate and sdc_estimate undo "
	"that for counts, and say how far they can be off.",
	[SDC_TELLS_MEMBERSHIP] = "Generalized: a range or a set that contains the true value.",
	[SDC_TELLS_MOVED] = "Exchanged between similar records or units.",
	[SDC_TELLS_PERMUTATION] = "Permuted: the value belongs to somebody in the same group.",
	[SDC_TELLS_FUNCTION] = "Recoded: the result of one rule for everybody's true value.",
	[SDC_TELLS_NOISE] = "Noise was added: every number is another one. Averages of the column are near those of the source; the accuracy "
	"table has what the variance is too large by.",
	[SDC_TELLS_SUPPRESSED] = "Suppressed: values that made records rare are missing, as NULL. The others are true.",
	[SDC_TELLS_AVERAGE] = "Microaggregated: the mean of some records with near values stands in their place. Totals of the column are near those "
	"of the source."
};

/* describe comments on a table (column 0) or a column, unless its owner has. */
static void
describe(Oid table, AttrNumber column, const char *comment)
{
	char	   *before = GetComment(table, RelationRelationId, column);
	Size		length = before == NULL ? 0 : strlen(before);
	Size		last = strlen(SIGNATURE);

	if (before == NULL || (column > 0 && length >= last && strcmp(before + length - last, SIGNATURE) == 0))
		CreateComments(table, RelationRelationId, column, comment);
}

/* explain returns the comment on a column of a publication. */
static char *
explain(const SdcPublishPlan *plan, List *steps, const char *name)
{
	const SdcStep *step = sdc_names_have(plan->release.columns, name) ? sdc_steps_find(steps, name) : NULL;
	const char *text = "Copied: the values are those of the source.";
	bool		recoded = step != NULL && step->method->tells != SDC_TELLS_FUNCTION &&
		sdc_steps_recoding(steps, name) != NULL;

	if (plan->numbered && strcmp(name, SDC_UNIT_COLUMN) == 0)
		text = "Records with the same number are of one unit. The numbers are random.";
	else if (step != NULL)
		text = (int) step->method->tells < (int) lengthof(explanations) ? explanations[step->method->tells] : NULL;
	text = text != NULL ? text : "Protected.";
	return psprintf("%s%s%s%s" SIGNATURE, recoded ? explanations[SDC_TELLS_FUNCTION] : "", recoded ? " Then: " : "", text,
					step == NULL || step->method->tells == SDC_TELLS_NOTHING || strstr(text, "sdc_how_accurate") != NULL ? "" : HOW);
}

/* describe_accuracy comments on the columns of an accuracy table. */
static void
describe_accuracy(Oid accuracy)
{
	static const char *const comments[] = {
		"What a row is about: the release, the method of a column, margins, correlations, counts, or associations.",
		"The column of the publication; NULL: all of it.",
		"The meaning of the value. <measure>_rounding is the rounding of a figure.",
		"The figure. NULL: there is none, or it is withheld."
	};

	for (int i = 0; i < (int) lengthof(comments); i++)
		describe(accuracy, (AttrNumber) (i + 1), psprintf("%s" SIGNATURE, comments[i]));
}

/* sdc_comments_write: see comments.h. */
void
sdc_comments_write(const SdcPublishPlan *plan, List *columns, Oid publication, Oid accuracy)
{
	List	   *steps = sdc_steps_of(&plan->release);
	ListCell   *cell;

	describe(publication, 0, psprintf("Protected data: a value need not be that of the person whose other values are beside it. "
									  "Table %s tells how exact they are, and sdc_how_accurate between which numbers a count of the truth is.",
									  sdc_spi_relation_name(accuracy)));
	describe(accuracy, 0, psprintf("How exact the protected data of table %s are: differences to the data that they were made from, "
								   "coarse on purpose.", sdc_spi_relation_name(publication)));
	foreach(cell, columns)
		describe(publication, get_attnum(publication, lfirst(cell)), explain(plan, steps, lfirst(cell)));
	describe_accuracy(accuracy);
}

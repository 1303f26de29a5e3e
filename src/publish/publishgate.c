/*-------------------------------------------------------------------------
 *
 * publishgate.c
 *		Whether a release may be published: it was evaluated as it is, and keeps its limit.
 *
 * A policy has limits of its own, which its run has judged: of a run only that counts that its release is what was
 * evaluated.  Who publishes by hand names the limit each time, so that nobody publishes what he has not looked at; and
 * as a policy does not say for him what intruders know, they know all that is published.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "publish/publishgate.h"
#include "relation/base/limits.h"
#include "relation/base/names.h"
#include "relation/base/shortest.h"
#include "relation/base/spi.h"
#include "relation/frame/evaluations.h"
#include "relation/rights/label.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#define APPROVED_HINT "Reject it, and run the policy again."
#define FOUND_DIGITS 1

/* What is to be said of a release that may not be published. */
typedef struct Refusal
{
	int			code;
	const char *problem;		/* NULL: it may */
	const char *hint;
} Refusal;

/* list_literal returns names as the text of an array. */
static char *
list_literal(List *names)
{
	return quote_literal_cstr(OidOutputFunctionCall(F_ARRAY_OUT, sdc_catalog_names_datum(names)));
}

/* statement returns the call that was made, with a limit; what has its default is left out. */
static char *
statement(const SdcPublishRequest *request, double limit)
{
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfo(&sql, "SELECT * FROM sdc_publish(%s, %s",
					 quote_literal_cstr(sdc_spi_relation_name(request->release)), quote_literal_cstr(request->target));
	if (request->keep != NIL)
		appendStringInfo(&sql, ", keep => %s", list_literal(request->keep));
	if (request->grant_to != NIL)
		appendStringInfo(&sql, ", grant_to => %s", list_literal(request->grant_to));
	if (request->mode != SDC_PUBLISH_EXCHANGE)
		appendStringInfo(&sql, ", mode => %s", quote_literal_cstr(sdc_publish_modes[request->mode]));
	if (request->replace)
		appendStringInfoString(&sql, ", replace => true");
	appendStringInfo(&sql, ", max_people_found => %s)", sdc_shortest_text(limit));
	return sql.data;
}

/*
 * unknown_columns lists the columns that are published and that intruders did not know in an evaluation.  Columns that
 * are classified as sensitive or public are known to nobody unless they are named.
 */
static List *
unknown_columns(const SdcPublishPlan *plan, const SdcKeptEvaluation *kept)
{
	SdcRole    *roles = sdc_label_roles(plan->release.source, NULL);
	List	   *unknown = NIL;
	ListCell   *cell;

	foreach(cell, sdc_names_without(plan->columns, kept->known))
	{
		AttrNumber	number = get_attnum(plan->release.source, lfirst(cell));

		if (number <= 0 || (roles[number - 1] != SDC_ROLE_SENSITIVE && roles[number - 1] != SDC_ROLE_PUBLIC))
			unknown = lappend(unknown, lfirst(cell));
	}
	return unknown;
}

/* known_problem tells whether an evaluation let intruders know less than is published, and returns NULL if not. */
static const char *
known_problem(const SdcPublishPlan *plan, const SdcKeptEvaluation *kept)
{
	List	   *unknown = kept->known_given ? unknown_columns(plan, kept) : NIL;
	StringInfoData names;
	ListCell   *cell;

	if (unknown == NIL)
		return NULL;
	initStringInfo(&names);
	foreach(cell, unknown)
		appendStringInfo(&names, "%s\"%s\"", foreach_current_index(cell) == 0 ? "" : ", ", (char *) lfirst(cell));
	return psprintf("it was evaluated for intruders who do not know %s, and that is published", names.data);
}

/* judge_evaluation finds out whether it is known what intruders find in a release, as it is now. */
static Refusal
judge_evaluation(const SdcPublishRequest *request, const SdcPublishPlan *plan, SdcPublished *published)
{
	const SdcReleaseRow *release = &plan->release;
	Refusal		refusal = {.code = ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE};
	SdcKeptEvaluation kept;

	refusal.hint = request->approved ? APPROVED_HINT :
		psprintf("Look at the result of SELECT * FROM sdc_evaluate(%s), or publish it with force => true.",
				 quote_literal_cstr(sdc_spi_relation_name(release->release)));
	if (!sdc_evaluations_get(request->catalog_schema, release->release, &kept))
		refusal.problem = "it was never evaluated";
	else if (!sdc_evaluations_may_read(release, &kept))
	{
		refusal.code = ERRCODE_INSUFFICIENT_PRIVILEGE;
		refusal.problem = "you may not read all that it was evaluated from";
		if (!request->approved)
			refusal.hint = "Whether that has changed since must be seen by who publishes it, or it is published with force => true.";
	}
	else if (request->evaluation != NULL && strcmp(sdc_evaluations_mark(&kept), request->evaluation) != 0)
		refusal.problem = "it was evaluated anew since its run";
	else
		/* by force the source may be gone, or another's who is not trusted */
		refusal.problem = sdc_evaluations_problem(request->catalog_schema, release, &kept, false,
												  request->approved || request->force);
	if (refusal.problem == NULL && request->evaluation == NULL)
		refusal.problem = known_problem(plan, &kept);
	if (refusal.problem == NULL)
		published->people_found = sdc_evaluations_judged(&kept, "people_found");
	return refusal;
}

/* enough returns the least whole percentage that lets a release pass. */
static int
enough(double found)
{
	int			whole = (int) floor(found);

	return sdc_limits_keeps(found, whole, true) ? whole : whole + 1;
}

/* judge_limit finds out whether a release that was evaluated keeps its limit. */
static Refusal
judge_limit(const SdcPublishRequest *request, const SdcPublishPlan *plan, double found)
{
	const char *whom = plan->release.unit == NIL ? "records" : "people";
	Refusal		refusal = {.code = SDC_ERRCODE_LIMIT};
	double		bound = request->max_people_found;

	refusal.hint = "Protect it more, as sdc_sweep tells how much, or publish it with force => true, which the log tells.";
	if (isnan(found))
	{
		refusal.problem = "how many people are found in it is not defined";
		refusal.hint = "Publish it with force => true, which the log tells.";
	}
	else if (!request->limited)
	{
		bound = enough(found);
		refusal.code = ERRCODE_NULL_VALUE_NOT_ALLOWED;
		refusal.problem = psprintf("%s percent of the %s are found, and argument \"max_people_found\" does not say how many may be",
								   sdc_limits_told_apart(found, bound, FOUND_DIGITS), whom);
		refusal.hint = psprintf("If as many may be: %s", statement(request, bound));
	}
	else if (!sdc_limits_keeps(found, bound, true))
		refusal.problem = psprintf("%s percent of the %s are found, and %s are allowed",
								   sdc_limits_told_apart(found, bound, FOUND_DIGITS), whom,
								   sdc_shortest_text(bound));
	return refusal;
}

/* override notes and tells what is published by force, and in spite of what. */
static void
override(const char *name, const Refusal *refusal, SdcPublished *published)
{
	published->overridden = refusal->problem != NULL ? refusal->problem :
		"whether its source has changed since it was evaluated was not looked at";
	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 errmsg("release \"%s\" is published by force: %s", name, published->overridden)));
}

/* sdc_publishgate_pass: see publishgate.h. */
void
sdc_publishgate_pass(const SdcPublishRequest *request, const SdcPublishPlan *plan, SdcPublished *published)
{
	char	   *name = get_rel_name(plan->release.release);
	Refusal		refusal;

	published->people_found = NAN;
	refusal = judge_evaluation(request, plan, published);
	if (refusal.problem == NULL && request->evaluation == NULL)
		refusal = judge_limit(request, plan, published->people_found);
	if (request->force)
		override(name, &refusal, published);
	else if (refusal.problem != NULL)
		ereport(ERROR,
				(errcode(refusal.code),
				 errmsg("release \"%s\" is not published: %s", name, refusal.problem),
				 errhint("%s", refusal.hint)));
}

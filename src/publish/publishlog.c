/*-------------------------------------------------------------------------
 *
 * publishlog.c
 *		The log of what is published and withdrawn without a run.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "publish/publishlog.h"
#include "publish/runs.h"
#include "relation/base/limits.h"
#include "relation/base/names.h"
#include "relation/base/shortest.h"
#include "relation/base/spi.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/parameters.h"
#include "relation/frame/evaluations.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/json.h"
#include "utils/timestamp.h"

/* enter adds a row to the log. */
static void
enter(Oid schema, const char *policy, const char *status, const char *reason, Jsonb *detail)
{
	SdcRun		run = {0};

	run.policy = policy;
	run.owner = GetUserNameFromId(GetUserId(), false);
	run.started_by = GetUserNameFromId(GetSessionUserId(), false);
	run.started_at = GetCurrentStatementStartTimestamp();
	run.finished_at = GetCurrentTimestamp();
	run.status = status;
	run.reason = reason;
	run.detail = detail;
	sdc_runs_add(schema, &run);
}

/* append_member appends a member of an object: a text. */
static void
append_member(StringInfo json, const char *name, const char *value)
{
	appendStringInfo(json, "%s\"%s\": ", json->data[json->len - 1] == '{' ? "" : ", ", name);
	escape_json(json, value);
}

/* append_steps appends what was protected, and how. */
static void
append_steps(StringInfo json, const SdcReleaseRow *release)
{
	appendStringInfoString(json, ", \"definition\": {");
	if (OidIsValid(release->source))
		append_member(json, "source", sdc_spi_relation_name(release->source));
	appendStringInfo(json, "%s\"steps\": [{", json->data[json->len - 1] == '{' ? "" : ", ");
	append_member(json, "method", release->method);
	appendStringInfo(json, ", \"parameters\": %s}]}", release->parameters);
}

/* append_texts appends a member that is a list of texts. */
static void
append_texts(StringInfo json, const char *name, const List *texts)
{
	appendStringInfo(json, ", \"%s\": ", name);
	sdc_names_append_json(json, texts);
}

/* append_number appends a number, or null. */
static void
append_number(StringInfo json, const char *name, bool there, double value)
{
	appendStringInfo(json, ", \"%s\": %s", name, there ? sdc_shortest_text(value) : "null");
}

/* append_limit appends the limit, as the row of a run has limits: what was measured, and what is allowed. */
static void
append_limit(StringInfo json, const SdcPublishRequest *request, const SdcPublished *published)
{
	bool		known = !isnan(published->people_found);

	appendStringInfoString(json, ", \"limits\": [{\"measure\": \"people_found\"");
	append_number(json, "value", known, published->people_found);
	append_number(json, "bound", request->limited, request->max_people_found);
	appendStringInfo(json, ", \"kept\": %s}]",
					 known && request->limited &&
					 sdc_limits_keeps(published->people_found, request->max_people_found, true) ? "true" : "false");
}

/* append_measures appends what is known of the release, if it was evaluated as it is. */
static void
append_measures(StringInfo json, Oid schema, const SdcReleaseRow *release)
{
	SdcKeptEvaluation kept;

	if (!sdc_evaluations_get(schema, release->release, &kept) ||
		sdc_evaluations_problem(schema, release, &kept, false, true) != NULL)
		return;
	appendStringInfoString(json, ", \"measures\": ");
	appendStringInfoString(json, JsonbToCString(NULL, &kept.measures->root, VARSIZE(kept.measures)));
}

/* append_release appends what is known of the release: to who may know of it, as in sdc_releases. */
static void
append_release(StringInfo json, Oid schema, const SdcReleaseRow *release)
{
	appendStringInfo(json, ", \"source_records\": " UINT64_FORMAT, release->records);
	append_steps(json, release);
	append_measures(json, schema, release);
}

/* sdc_publishlog_published: who published what is always told; the limit was judged for who may read the source. */
void
sdc_publishlog_published(const SdcPublishRequest *request, const SdcPublished *published, const List *warnings)
{
	StringInfoData json;
	SdcReleaseRow release;

	if (sdc_runs_at_work)
		return;
	initStringInfo(&json);
	appendStringInfoChar(&json, '{');
	append_member(&json, "release", sdc_spi_relation_name(request->release));
	append_member(&json, "release_oid", psprintf("%u", request->release));
	append_member(&json, "target", sdc_spi_relation_name(published->target));
	appendStringInfo(&json, ", \"forced\": %s, \"records\": " UINT64_FORMAT ", \"sha256\": \"",
					 request->force ? "true" : "false", published->records);
	for (int i = 0; i < SDC_CONTENTS_BYTES; i++)
		appendStringInfo(&json, "%02x", published->sha256[i]);
	appendStringInfoChar(&json, '"');
	append_member(&json, "salt", OidOutputFunctionCall(F_UUID_OUT, OidFunctionCall0(F_GEN_RANDOM_UUID)));
	append_texts(&json, "columns", published->columns);
	if (warnings != NIL)
		append_texts(&json, "warnings", warnings);
	append_limit(&json, request, published);
	if (sdc_catalog_get_visible(request->catalog_schema, request->release, &release))
		append_release(&json, request->catalog_schema, &release);
	appendStringInfoChar(&json, '}');
	enter(request->catalog_schema, NULL, SDC_RUN_PUBLISHED,
		  published->overridden == NULL ? NULL : psprintf("by force: %s", published->overridden),
		  DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(json.data))));
}

/* The policy that has published a relation last. */
typedef struct Publisher
{
	const char *target;
	const char *owner;
	int64		number;
	const char *policy;
} Publisher;

/* find_publisher looks for it: SdcRunVisit. */
static void
find_publisher(void *arg, const SdcRun *run)
{
	Publisher  *publisher = arg;
	Jsonb	   *detail;

	if (strcmp(run->status, SDC_RUN_PUBLISHED) != 0 || run->number < publisher->number ||
		strcmp(run->owner, publisher->owner) != 0)
		return;
	detail = sdc_runs_detail(run);
	if (sdc_parameters_is(&detail->root, "target", publisher->target))
	{
		publisher->number = run->number;
		publisher->policy = run->policy;
	}
	pfree(detail);
}

/* sdc_publishlog_withdrawn: see publishlog.h. */
void
sdc_publishlog_withdrawn(Oid schema, const char *target, Oid owner, const char *why)
{
	Publisher	publisher = {.target = target, .owner = GetUserNameFromId(owner, false)};
	StringInfoData json;

	sdc_runs_visit(schema, NULL, find_publisher, &publisher);
	initStringInfo(&json);
	appendStringInfoChar(&json, '{');
	append_member(&json, "target", target);
	appendStringInfoChar(&json, '}');
	enter(schema, publisher.policy, SDC_RUN_WITHDRAWN, why,
		  DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(json.data))));
}

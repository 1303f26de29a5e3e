/*-------------------------------------------------------------------------
 *
 * allmeasures.c
 *		All that is measured of a release, as one document.
 *
 * Every part is what the function of its name says: people of sdc_people_found, score of sdc_score, queries of
 * sdc_query_errors, associations of sdc_association_recall, groups of sdc_group_privacy; accuracy are rows of the
 * table beside a publication.  What one part has found is not looked for again by another.  Under "judged" stands what
 * limits are held against: the end of an interval, where there is one, that says that the release is worse.
 *
 * The document is a text until it is whole; its numbers are the shortest that are read as the same again.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "common/shortest_dec.h"
#include "kernel/base/sample.h"
#include "measure/accuracy/associations.h"
#include "measure/accuracy/coarseaccuracy.h"
#include "measure/accuracy/queries.h"
#include "measure/allmeasures.h"
#include "measure/groups/framegroups.h"
#include "measure/groups/groupprivacy.h"
#include "measure/groups/kanonymity.h"
#include "measure/score.h"
#include "relation/base/attempt.h"
#include "relation/base/names.h"
#include "relation/catalog/parameters.h"
#include "relation/frame/evaluations.h"
#include "relation/read/unitcolumns.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/json.h"
#include "utils/lsyscache.h"

/* Without a seed one is drawn: all parts are to have the same sample. */
#define SEED_BYTES 16

/* The work on one document. */
typedef struct Measuring
{
	SdcAllMeasuresRequest request;
	MemoryContext context;		/* of what the parts leave */
	SdcAllMeasures *result;
	StringInfoData arguments;	/* what was asked for */
	StringInfoData parts;
	StringInfoData problems;
	SdcReleaseRow row;			/* of the release */
	ResourceOwner owner;		/* of the files of the frame */
	SdcFrame   *frame;			/* the release, read once for all parts; NULL: each reads what it needs */
	bool		lasting;		/* nothing is missing that could be there another time */

	SdcScore	score;
	SdcPeopleLinks links;		/* that the score has found */
	SdcPeopleRate rate[SDC_PEOPLE_RATES];
	int			rates;
	SdcWorkload workload;
	SdcRecallRequest recall;
	double		k;				/* NAN: it is not defined */
	double		k_whole;
	double		l;
	double		t;
} Measuring;

/* append_name appends a comma, if something is there, and the name of a value. */
static void
append_name(StringInfo json, const char *name)
{
	char		last = json->len == 0 ? '{' : json->data[json->len - 1];

	if (last != '{' && last != '[')
		appendStringInfoString(json, ", ");
	if (name == NULL)
		return;
	escape_json(json, name);
	appendStringInfoString(json, ": ");
}

/* append_number appends a number, or null in the place of what is none. */
static void
append_number(StringInfo json, const char *name, double value)
{
	char		text[DOUBLE_SHORTEST_DECIMAL_LEN];

	append_name(json, name);
	if (!isfinite(value))
	{
		appendStringInfoString(json, "null");
		return;
	}
	(void) double_to_shortest_decimal_buf(value, text);
	appendStringInfoString(json, text);
}

/* append_count appends a whole number. */
static void
append_count(StringInfo json, const char *name, uint64 value)
{
	append_name(json, name);
	appendStringInfo(json, UINT64_FORMAT, value);
}

/* append_text appends a text. */
static void
append_text(StringInfo json, const char *name, const char *value)
{
	append_name(json, name);
	escape_json(json, value);
}

/* append_names appends an array of names. */
static void
append_names(StringInfo json, const char *name, List *names)
{
	ListCell   *cell;

	append_name(json, name);
	appendStringInfoChar(json, '[');
	foreach(cell, names)
		append_text(json, NULL, lfirst(cell));
	appendStringInfoChar(json, ']');
}

/* append_problem says why a part is missing. */
static void
append_problem(Measuring *measuring, const char *part, const char *why)
{
	append_text(&measuring->problems, part, why);
}

/* note_error notes whether release and source alone are the reason for an error. */
static void
note_error(Measuring *measuring, const ErrorData *error)
{
	measuring->lasting = measuring->lasting &&
		(error->sqlerrcode == ERRCODE_FEATURE_NOT_SUPPORTED ||
		 error->sqlerrcode == ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE ||
		 error->sqlerrcode == ERRCODE_NULL_VALUE_NOT_ALLOWED ||
		 error->sqlerrcode == ERRCODE_INVALID_PARAMETER_VALUE);
}

/* score_part scores the protected columns, and leaves the links for the people. */
static void
score_part(void *arg)
{
	Measuring  *measuring = arg;
	const SdcAllMeasuresRequest *request = &measuring->request;
	SdcPairedReleaseRequest reading = {.catalog_schema = request->catalog_schema, .release = request->release,
	.frame = measuring->frame, .weight = {.wanted = true}};
	SdcEvaluation evaluation;
	const SdcPairedRelease *paired;
	int		   *known;
	int			count;
	ListCell   *cell;

	sdc_evaluation_begin(&evaluation, &reading, &request->sample);
	paired = evaluation.paired;
	known = sdc_pairedrelease_known(paired, false, NIL, &count);
	if (request->known_given)
		count = 0;
	foreach(cell, request->known)
		for (int i = 0; i < paired->pairs.attributes; i++)
			if (strcmp(paired->attribute[i], lfirst(cell)) == 0)
				known[count++] = i;
	measuring->score.links = &measuring->links;
	sdc_score_measure(&evaluation, known, count, &measuring->score);
	measuring->score.links = NULL;
	sdc_evaluation_end(&evaluation);
}

/* note_known notes which columns are known, in the context of the result. */
static void
note_known(Measuring *measuring, const SdcWholeRelease *whole)
{
	MemoryContext before = MemoryContextSwitchTo(measuring->context);

	for (int j = 0; j < whole->known; j++)
		measuring->result->known = lappend(measuring->result->known, pstrdup(whole->name[j]));
	MemoryContextSwitchTo(before);
}

/* people_request says what is read of the release for whom finds people. */
static SdcWholeRequest
people_request(const SdcAllMeasuresRequest *request)
{
	SdcWholeRequest whole = {.catalog_schema = request->catalog_schema, .release = request->release,
		.known_given = request->known_given, .known = request->known, .may_be_none = true, .by_units = true
	};

	return whole;
}

/* people_part counts the people that are found. */
static void
people_part(void *arg)
{
	Measuring  *measuring = arg;
	SdcAllMeasures *result = measuring->result;
	SdcWholeRequest request = people_request(&measuring->request);
	SdcEvaluation evaluation;
	SdcWholeRelease *whole;
	SdcPeople	people;
	const SdcPeopleRate *any;
	double		low;

	request.frame = measuring->frame;
	whole = sdc_wholerelease_begin(&evaluation, &request, &measuring->request.sample);
	note_known(measuring, whole);
	if (evaluation.count > 0)
	{
		sdc_people_attack(&evaluation, whole, false, &measuring->links, &people);
		measuring->rates = sdc_people_rates(&evaluation, &people, measuring->rate);
		any = &measuring->rate[measuring->rates - 3];
		result->people_found = any->percent;
		result->people_found_high = any->has_bounds ? any->high : any->percent;
		sdc_sample_interval((double) any->certain, evaluation.count, people.records, &low,
							&result->certain_percent_high);
		result->certain_percent_high *= 100;
		result->certain_percent = evaluation.sampled ? 100.0 * any->certain / evaluation.count :
			result->certain_percent_high;
	}
	sdc_evaluation_end(&evaluation);
}

/* queries_part asks random queries. */
static void
queries_part(void *arg)
{
	Measuring  *measuring = arg;

	measuring->workload.release.catalog_schema = measuring->request.catalog_schema;
	measuring->workload.release.release = measuring->request.release;
	measuring->workload.release.frame = measuring->frame;
	measuring->workload.queries = measuring->request.queries;
	measuring->workload.seed = measuring->request.query_seed;
	measuring->workload.context = measuring->context;
	sdc_queries_measure(&measuring->workload);
}

/* recall_part compares associations. */
static void
recall_part(void *arg)
{
	Measuring  *measuring = arg;

	measuring->recall.release.catalog_schema = measuring->request.catalog_schema;
	measuring->recall.release.release = measuring->request.release;
	measuring->recall.release.frame = measuring->frame;
	measuring->recall.min_support = measuring->request.min_support;
	measuring->recall.min_confidence = measuring->request.min_confidence;
	measuring->recall.reading = SDC_RULE_ANTECEDENT;
	measuring->recall.max_length = 0;
	measuring->recall.context = measuring->context;
	sdc_associations_recall(&measuring->recall);
}

/* group_columns are the columns that groups agree in: what is known, or the quasi-identifiers. */
static List *
group_columns(const Measuring *measuring)
{
	return measuring->request.known_given ? measuring->request.known : measuring->row.qi;
}

/* units_of returns the columns of the release that name its units, NIL without. */
static List *
units_of(const Measuring *measuring, const char *sensitive)
{
	SdcUnitRequest request = {.qi = group_columns(measuring), .qi_argument = "known", .sensitive = sensitive};

	return sdc_unitcolumns_find(measuring->request.release, &request);
}

/*
 * has_left_out tells whether the release has units, and the columns that name them were left out of it: then they are
 * those of the source, with which it was read.
 */
static bool
has_left_out(const Measuring *measuring, List *columns)
{
	ListCell   *cell;

	foreach(cell, measuring->row.unit)
		if (get_attnum(measuring->request.release, lfirst(cell)) <= 0)
			return sdc_framegroups_have(measuring->frame, columns);
	return false;
}

/* groups_part counts the records, or the units, of every group. */
static void
groups_part(void *arg)
{
	Measuring  *measuring = arg;
	List	   *qi = group_columns(measuring);
	SdcUnitGroups found;

	if (qi == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the release has no quasi-identifiers")));
	if (has_left_out(measuring, qi))
		sdc_framegroups_hide(measuring->frame, qi, &found);
	else
		sdc_kanonymity_measure(measuring->request.release, qi, units_of(measuring, NULL), &found, NULL);
	if (found.groups == 0)
		return;
	measuring->k = (double) found.k;
	measuring->k_whole = (double) found.k_whole;
}

/* sensitive_part looks for the groups that keep least of the sensitive column to themselves. */
static void
sensitive_part(void *arg)
{
	Measuring  *measuring = arg;
	List	   *qi = group_columns(measuring);
	List	   *sensitive = measuring->row.sensitive;
	SdcGroupPrivacy worst;

	if (qi == NIL || list_length(sensitive) != 1 || sdc_names_have(qi, linitial(sensitive)))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the release does not have quasi-identifiers and one sensitive column besides")));
	if (has_left_out(measuring, list_concat_copy(qi, sensitive)))
		sdc_framegroups_privacy(measuring->frame, qi, linitial(sensitive), 2, &worst);
	else
		sdc_groupprivacy_of(measuring->request.release, qi, linitial(sensitive),
							units_of(measuring, linitial(sensitive)), 2, &worst);
	if (worst.groups == 0)
		return;
	measuring->l = worst.entropy_l;
	measuring->t = worst.t;
}

/*
 * attempt measures one part.  Whom people are found by is what everything else is about: a release of which that
 * cannot be told for another reason than its kind or the memory is not evaluated.
 */
static bool
attempt(Measuring *measuring, const char *name, void (*part) (void *arg))
{
	ErrorData  *error = sdc_attempt(part, measuring);

	if (error == NULL)
		return true;
	if (part == people_part && error->sqlerrcode != ERRCODE_FEATURE_NOT_SUPPORTED &&
		error->sqlerrcode != ERRCODE_PROGRAM_LIMIT_EXCEEDED &&
		error->sqlerrcode != ERRCODE_CONFIGURATION_LIMIT_EXCEEDED)
		ReThrowError(error);
	append_problem(measuring, name, error->message);
	note_error(measuring, error);
	return false;
}

/* put_people appends what the attacks find. */
static void
put_people(Measuring *measuring)
{
	StringInfo	json = &measuring->parts;

	append_name(json, "people");
	appendStringInfoChar(json, '{');
	for (int i = 0; i < measuring->rates; i++)
	{
		const SdcPeopleRate *rate = &measuring->rate[i];

		append_name(json, rate->attack);
		appendStringInfoChar(json, '{');
		append_text(json, "attack", rate->attack);
		append_number(json, "found", rate->found);
		append_number(json, "percent", rate->has_percent ? rate->percent : NAN);
		append_number(json, "low", rate->has_bounds ? rate->low : NAN);
		append_number(json, "high", rate->has_bounds ? rate->high : NAN);
		append_number(json, "single", rate->has_candidates ? (double) rate->single : NAN);
		append_number(json, "certain", rate->has_candidates ? (double) rate->certain : NAN);
		appendStringInfoChar(json, '}');
	}
	appendStringInfoChar(json, '}');
}

/* put_score appends risk and loss, and keeps what is asked for first. */
static void
put_score(Measuring *measuring)
{
	const SdcScore *score = &measuring->score;
	SdcAllMeasures *result = measuring->result;
	const struct
	{
		const char *name;
		double		value;
		const double *bound;
		bool		known;
	}			number[] = {
		{"il", score->il, NULL, score->has_loss},
		{"dld", score->dld, score->dld_bound, score->has_risk},
		{"pld", score->pld, score->pld_bound, score->has_risk},
		{"rsld", score->rsld, score->rsld_bound, score->has_risk && score->specific},
		{"interval_disclosure", score->interval_disclosure, NULL, score->has_risk},
		{"dr", score->dr, score->dr_bound, score->has_risk},
		{"dr_generic", score->dr_generic, NULL, score->has_risk},
		{"score", score->score, NULL, score->has_risk && score->has_loss},
		{"score_generic", score->score_generic, NULL, score->has_risk && score->has_loss}
	};
	StringInfo	json = &measuring->parts;

	append_name(json, "score");
	appendStringInfoChar(json, '{');
	append_number(json, "people_found", result->people_found_high);
	append_number(json, "certain_percent", result->certain_percent_high);
	for (int i = 0; i < (int) lengthof(number); i++)
	{
		bool		bounds = number[i].bound != NULL && number[i].known && score->sampled;

		append_number(json, number[i].name, number[i].known ? number[i].value : NAN);
		if (number[i].bound == NULL)
			continue;
		append_number(json, psprintf("%s_low", number[i].name), bounds ? number[i].bound[0] : NAN);
		append_number(json, psprintf("%s_high", number[i].name), bounds ? number[i].bound[1] : NAN);
	}
	appendStringInfoChar(json, '}');
	append_number(json, "lost", score->has_loss ? (double) score->lost : NAN);
	result->il = score->has_loss ? score->il : NAN;
	result->dr = score->has_risk ? score->dr : NAN;
	result->score = score->has_risk && score->has_loss ? score->score : NAN;
	result->score_high = score->sampled ? result->score + (score->dr_bound[1] - score->dr) / 2 : result->score;
}

/* put_queries appends the errors of the queries, and how they were asked. */
static void
put_queries(Measuring *measuring)
{
	StringInfo	json = &measuring->parts;

	append_name(json, "query_errors");
	appendStringInfoChar(json, '{');
	append_count(json, "queries", measuring->request.queries);
	append_name(json, "rows");
	appendStringInfoChar(json, '[');
	for (int i = 0; i < measuring->workload.numbers; i++)
	{
		const SdcWorkloadErrors *errors = &measuring->workload.errors[i];
		bool		any = errors->queries > 0;

		append_name(json, NULL);
		appendStringInfoChar(json, '{');
		append_count(json, "attributes", (uint64) errors->attributes);
		append_count(json, "queries", errors->queries);
		append_number(json, "mean_error", any ? errors->mean : NAN);
		append_number(json, "median_error", any ? errors->median : NAN);
		append_number(json, "p95_error", any ? errors->p95 : NAN);
		append_number(json, "p05_error", any ? errors->other[0] : NAN);
		append_number(json, "p25_error", any ? errors->other[1] : NAN);
		append_number(json, "p75_error", any ? errors->other[2] : NAN);
		append_count(json, "redrawn", errors->redrawn);
		appendStringInfoChar(json, '}');
	}
	appendStringInfoString(json, "]}");
}

/* put_recall appends what the release keeps of the associations, and what counts as one. */
static void
put_recall(Measuring *measuring)
{
	StringInfo	json = &measuring->parts;

	append_name(json, "association_recall");
	appendStringInfoChar(json, '{');
	append_number(json, "min_support", measuring->request.min_support);
	append_number(json, "min_confidence", measuring->request.min_confidence);
	append_name(json, "rows");
	appendStringInfoChar(json, '[');
	for (int i = 0; i < measuring->recall.rows; i++)
	{
		const SdcRecalled *row = &measuring->recall.row[i];

		append_name(json, NULL);
		appendStringInfoChar(json, '{');
		append_number(json, "length", row->length == 0 ? NAN : row->length);
		append_count(json, "original", row->original);
		append_count(json, "recovered", row->recovered);
		append_count(json, "artificial", row->artificial);
		append_number(json, "recall_percent", row->recall_percent);
		append_number(json, "artificial_percent", row->artificial_percent);
		appendStringInfoChar(json, '}');
	}
	appendStringInfoString(json, "]}");
}

/* put_accuracy appends the rows of the table beside a publication, or why there are none of columns. */
static void
put_accuracy(Measuring *measuring)
{
	const SdcAllMeasuresRequest *all = &measuring->request;
	SdcAccuracyRequest request = {all->catalog_schema, all->release, all->min_support, all->min_confidence,
	measuring->frame};
	StringInfo	json = &measuring->parts;

	append_name(json, "accuracy");
	appendStringInfoString(json, "{\"rows\": [");
	for (int part = 0; part < SDC_ACCURACY_PARTS; part++)
	{
		ErrorData  *error;
		ListCell   *cell;

		foreach(cell, sdc_coarseaccuracy_measure(&request, part, &error))
		{
			const SdcAccuracyRow *row = lfirst(cell);

			append_name(json, NULL);
			appendStringInfoChar(json, '{');
			append_text(json, "part", row->part);
			if (row->attribute != NULL)
				append_text(json, "attribute", row->attribute);
			append_text(json, "measure", row->measure);
			append_number(json, "value", row->value);
			appendStringInfoChar(json, '}');
		}
		if (error == NULL)
			continue;
		note_error(measuring, error);
		/* the other part has the problems of query_errors */
		if (part == SDC_ACCURACY_COLUMNS)
			append_problem(measuring, "accuracy", error->message);
	}
	appendStringInfoString(json, "]}");
}

/* put_groups appends how the groups hide their records. */
static void
put_groups(Measuring *measuring)
{
	StringInfo	json = &measuring->parts;

	append_name(json, "groups");
	appendStringInfoChar(json, '{');
	append_names(json, "qi", group_columns(measuring));
	append_names(json, "sensitive", measuring->row.sensitive);
	append_number(json, "k", measuring->k);
	append_number(json, "k_whole", measuring->k_whole);
	append_number(json, "l", measuring->l);
	append_number(json, "t", measuring->t);
	appendStringInfoChar(json, '}');
}

/* put_judged appends what limits are held against; what is not defined is not there. */
static void
put_judged(Measuring *measuring)
{
	const SdcAllMeasures *result = measuring->result;
	const struct
	{
		const char *name;
		double		value;
	}			judged[] = {
		{"people_found", result->people_found_high}, {"certain_percent", result->certain_percent_high},
		{"il", result->il}, {"score", result->score_high}, {"k", measuring->k},
		{"k_whole", measuring->k_whole}, {"l", measuring->l}, {"t", measuring->t}
	};

	append_name(&measuring->parts, "judged");
	appendStringInfoChar(&measuring->parts, '{');
	for (int i = 0; i < (int) lengthof(judged); i++)
		if (isfinite(judged[i].value))
			append_number(&measuring->parts, judged[i].name, judged[i].value);
	appendStringInfoChar(&measuring->parts, '}');
}

/* append_flag appends a boolean. */
static void
append_flag(StringInfo json, const char *name, bool value)
{
	append_name(json, name);
	appendStringInfoString(json, value ? "true" : "false");
}

/* is_seeded tells whether a sample was drawn from a seed, which is kept nowhere. */
static bool
is_seeded(const SdcAllMeasuresRequest *request)
{
	return request->sample.given && request->sample.seed != NULL;
}

/* append_arguments appends what the document depends on, besides release and source. */
static void
append_arguments(StringInfo json, const SdcAllMeasuresRequest *request)
{
	appendStringInfoChar(json, '{');
	if (request->known_given)
		append_names(json, "known", request->known);
	else
		append_number(json, "known", NAN);
	append_number(json, "sample", request->sample.given ? (double) request->sample.count : NAN);
	append_flag(json, "seeded", is_seeded(request));
	append_count(json, "queries", request->queries);
	append_number(json, "min_support", request->min_support);
	append_number(json, "min_confidence", request->min_confidence);
	appendStringInfoChar(json, '}');
}

/* The numbers that are returned beside the document, by their names in it. */
#define RETURNED 8
static const struct
{
	const char *name;
	size_t		offset;
}			returned[RETURNED] =
{
	{"people_found", offsetof(SdcAllMeasures, people_found)},
	{"people_found_high", offsetof(SdcAllMeasures, people_found_high)},
	{"certain_percent", offsetof(SdcAllMeasures, certain_percent)},
	{"certain_percent_high", offsetof(SdcAllMeasures, certain_percent_high)},
	{"il", offsetof(SdcAllMeasures, il)},
	{"dr", offsetof(SdcAllMeasures, dr)},
	{"score", offsetof(SdcAllMeasures, score)},
	{"score_high", offsetof(SdcAllMeasures, score_high)}
};

/* number_of returns one of them. */
static double *
number_of(SdcAllMeasures *measures, int index)
{
	return (double *) ((char *) measures + returned[index].offset);
}

/*
 * put_returned appends them, if the document would be the same again: not where a part is missing for want of memory or
 * the like.  One that is infinite is left out, as JSON does not have it.
 */
static void
put_returned(Measuring *measuring)
{
	StringInfo	json = &measuring->parts;

	if (!measuring->lasting)
		return;
	append_name(json, "returned");
	appendStringInfoChar(json, '{');
	for (int i = 0; i < RETURNED; i++)
		if (!isinf(*number_of(measuring->result, i)))
			append_number(json, returned[i].name, *number_of(measuring->result, i));
	appendStringInfoChar(json, '}');
}

/* read_returned reads one of them again: null is NAN.  False: it is not there. */
static bool
read_returned(JsonbContainer *object, const char *name, double *number)
{
	const JsonbValue *value = sdc_parameters_find(object, name);

	*number = NAN;
	return sdc_evaluations_number(object, name, number) || (value != NULL && value->type == jbvNull);
}

/* sdc_allmeasures_kept: of a seed nobody can tell whether it was the same. */
bool
sdc_allmeasures_kept(const SdcAllMeasuresRequest *request, Jsonb *document, SdcAllMeasures *measures)
{
	JsonbContainer *arguments = sdc_parameters_child(&document->root, "arguments");
	JsonbContainer *numbers = sdc_parameters_child(&document->root, "returned");
	StringInfoData json;
	Jsonb	   *now;

	if (arguments == NULL || is_seeded(request))
		return false;
	initStringInfo(&json);
	append_arguments(&json, request);
	now = DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(json.data)));
	if (compareJsonbContainers(arguments, &now->root) != 0)
		return false;
	for (int i = 0; i < RETURNED; i++)
		if (!read_returned(numbers, returned[i].name, number_of(measures, i)))
			return false;
	measures->document = document;
	return true;
}

/* put_parameters appends how all of it was measured. */
static void
put_parameters(Measuring *measuring)
{
	const SdcAllMeasuresRequest *request = &measuring->request;
	StringInfo	json = &measuring->parts;

	append_text(json, "definitions", SDC_EVALUATIONS_VERSION);
	append_text(json, "sdc", SDC_VERSION);
	append_count(json, "records", measuring->row.records);
	append_names(json, "known", measuring->result->known);
	append_flag(json, "known_given", request->known_given);
	append_number(json, "sample", request->sample.given ? (double) request->sample.count : NAN);
	append_name(json, "arguments");
	appendStringInfoString(json, measuring->arguments.data);
}

/* read_frame reads the release with its source. */
static void
read_frame(void *arg)
{
	Measuring  *measuring = arg;

	measuring->frame = sdc_openrelease_frame(measuring->request.catalog_schema, measuring->request.release,
											 measuring->owner);
}

/* measure_parts measures part after part.  Where the release cannot be read whole, every part tells why it cannot. */
static void
measure_parts(Measuring *measuring)
{
	bool		scored;

	measuring->owner = CurrentResourceOwner;
	(void) sdc_attempt(read_frame, measuring);
	scored = attempt(measuring, "score", score_part);
	if (!scored)
	{
		memset(&measuring->score, 0, sizeof(SdcScore));
		measuring->links.known = 0;
	}
	if (attempt(measuring, "people", people_part) && measuring->rates == 0)
		append_problem(measuring, "people", "the release has no records, or nothing of them is known");
	put_parameters(measuring);
	if (measuring->rates > 0)
		put_people(measuring);
	put_score(measuring);
	if (attempt(measuring, "query_errors", queries_part))
		put_queries(measuring);
	if (attempt(measuring, "association_recall", recall_part))
		put_recall(measuring);
	put_accuracy(measuring);
	(void) attempt(measuring, "k", groups_part);
	(void) attempt(measuring, "l", sensitive_part);
	put_groups(measuring);
	put_judged(measuring);
	put_returned(measuring);
	if (measuring->frame != NULL)
		sdc_frame_close(measuring->frame);
}

/* draw_seed has all parts attack the same sample. */
static void
draw_seed(SdcSampleRequest *sample)
{
	uint8		bytes[SEED_BYTES];
	StringInfoData seed;

	if (!sample->given || sample->seed != NULL)
		return;
	if (!pg_strong_random(bytes, sizeof(bytes)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random bytes")));
	initStringInfo(&seed);
	for (int i = 0; i < SEED_BYTES; i++)
		appendStringInfo(&seed, "%02x", bytes[i]);
	sample->seed = seed.data;
}

/* sdc_allmeasures_check: see allmeasures.h. */
void
sdc_allmeasures_check(const SdcAllMeasuresRequest *request)
{
	SdcWholeRequest whole = people_request(request);

	sdc_wholerelease_check(&whole);
}

/* sdc_allmeasures_take: see allmeasures.h. */
void
sdc_allmeasures_take(const SdcAllMeasuresRequest *request, SdcAllMeasures *measures)
{
	Measuring  *measuring = palloc0(sizeof(Measuring));

	memset(measures, 0, sizeof(SdcAllMeasures));
	measures->people_found = measures->people_found_high = NAN;
	measures->certain_percent = measures->certain_percent_high = NAN;
	measuring->lasting = true;
	measuring->k = measuring->k_whole = measuring->l = measuring->t = NAN;
	measuring->request = *request;
	measuring->result = measures;
	measuring->context = CurrentMemoryContext;
	measuring->links.context = AllocSetContextCreate(CurrentMemoryContext, "sdc links", ALLOCSET_DEFAULT_SIZES);
	initStringInfo(&measuring->arguments);
	append_arguments(&measuring->arguments, request);
	initStringInfo(&measuring->parts);
	initStringInfo(&measuring->problems);
	appendStringInfoChar(&measuring->parts, '{');
	appendStringInfoChar(&measuring->problems, '{');
	draw_seed(&measuring->request.sample);
	(void) sdc_catalog_get(request->catalog_schema, request->release, &measuring->row);
	measure_parts(measuring);
	append_name(&measuring->parts, "problems");
	appendStringInfo(&measuring->parts, "%s}}", measuring->problems.data);
	measures->document = DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(measuring->parts.data)));
	MemoryContextDelete(measuring->links.context);
}

/*-------------------------------------------------------------------------
 *
 * otherdraws.c
 *		Who can read several draws from the same records.
 *
 * A publication has the number of the draw of its release, and keeps it when the release is drawn anew or dropped.
 *
 * A reader is a role, or everybody, that may read some column.  Superusers, the owners of the release, and a role that
 * can read the source learn nothing from draws.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "catalog/pg_authid.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "publish/otherdraws.h"
#include "publish/runs.h"
#include "relation/base/attempt.h"
#include "relation/base/compat.h"
#include "relation/base/names.h"
#include "relation/base/spi.h"
#include "relation/catalog/steps.h"
#include "relation/frame/draws.h"
#include "relation/frame/publications.h"
#include "relation/frame/turnover.h"
#include "relation/rights/trust.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"

/* As many others are named. */
#define MOST_NAMES 5

/* A relation that shows another draw. */
typedef struct OtherDraw
{
	Oid			relation;
	Oid			release;		/* that still has this draw, or InvalidOid */
	uint64		draw;
	bool		former;			/* the publication itself, as it was */
	List	   *windows;		/* of that release, columns that were swapped within windows */
} OtherDraw;

/* What is looked for. */
typedef struct Finding
{
	const SdcReleaseRow *release;
	Oid			target;
	List	   *others;			/* OtherDraw * */
} Finding;

/* can_read tells whether a role, or everybody, may read some column of a relation. */
static bool
can_read(Oid role, Oid relid)
{
	return pg_class_aclcheck(relid, role, ACL_SELECT) == ACLCHECK_OK ||
		pg_attribute_aclcheck_all(relid, role, ACL_SELECT, ACLMASK_ANY) == ACLCHECK_OK;
}

/* learns tells whether draws tell a role anything that it cannot read. */
static bool
learns(Oid role, const SdcReleaseRow *release)
{
	return !superuser_arg(role) && !has_privs_of_role(role, sdc_trust_owner(release->release)) &&
		pg_class_aclcheck(release->source, role, ACL_SELECT) != ACLCHECK_OK;
}

/* list_readers lists the roles to whom draws tell something, everybody first. */
static List *
list_readers(const SdcReleaseRow *release)
{
	List	   *readers = NIL;
	Relation	roles = table_open(AuthIdRelationId, AccessShareLock);
	SysScanDesc scan = systable_beginscan(roles, AuthIdOidIndexId, true, NULL, 0, NULL);
	HeapTuple	role;

	if (learns(ACL_ID_PUBLIC, release))
		readers = lappend_oid(readers, ACL_ID_PUBLIC);
	while (HeapTupleIsValid(role = systable_getnext(scan)))
	{
		CHECK_FOR_INTERRUPTS();
		if (learns(((Form_pg_authid) GETSTRUCT(role))->oid, release))
			readers = lappend_oid(readers, ((Form_pg_authid) GETSTRUCT(role))->oid);
	}
	systable_endscan(scan);
	table_close(roles, AccessShareLock);
	return readers;
}

/* find_reader finds one who can read two relations. */
static bool
find_reader(const List *readers, Oid one, Oid other, Oid *reader)
{
	ListCell   *cell;

	foreach(cell, readers)
	{
		CHECK_FOR_INTERRUPTS();
		*reader = lfirst_oid(cell);
		if (can_read(*reader, one) && can_read(*reader, other))
			return true;
	}
	return false;
}

/* add adds a relation if it shows another draw. */
static void
add(Finding *finding, OtherDraw other)
{
	OtherDraw  *kept;

	if (other.draw == 0 || other.draw == finding->release->draw)
		return;
	kept = palloc(sizeof(OtherDraw));
	*kept = other;
	finding->others = lappend(finding->others, kept);
}

/* take_publication takes a publication of the same source: SdcPublicationVisit. */
static void
take_publication(void *arg, Datum *values, bool *nulls)
{
	Finding    *finding = arg;
	OtherDraw	other = {.relation = DatumGetObjectId(values[SDC_PUBLICATION_TABLE - 1])};

	if (nulls[SDC_PUBLICATION_SOURCE - 1] ||
		DatumGetObjectId(values[SDC_PUBLICATION_SOURCE - 1]) != finding->release->source)
		return;
	if (!nulls[SDC_PUBLICATION_RELEASE - 1])
		other.release = DatumGetObjectId(values[SDC_PUBLICATION_RELEASE - 1]);
	other.draw = (uint64) DatumGetInt64(values[SDC_PUBLICATION_DRAW - 1]);
	other.former = other.relation == finding->target;
	add(finding, other);
}

/* Two releases whose records are compared. */
typedef struct Comparison
{
	const SdcReleaseRow *before;
	const SdcReleaseRow *after;
	bool		same;
} Comparison;

/* compare compares them. */
static void
compare(void *arg)
{
	Comparison *comparison = arg;

	sdc_spi_connect();
	comparison->same = sdc_turnover_mostly_same(comparison->before, comparison->after);
	sdc_spi_finish();
}

/* windows_of lists the columns that a release has swapped within windows. */
static List *
windows_of(const SdcReleaseRow *release)
{
	List	   *columns = NIL;
	ListCell   *cell;

	foreach(cell, sdc_steps_of(release))
		if (((SdcStep *) lfirst(cell))->method->reach != SDC_REACH_NONE)
			columns = list_concat(columns, ((SdcStep *) lfirst(cell))->columns);
	return columns;
}

/*
 * is_of_others tells whether a draw is known to be from mostly other records.  Releases of other owners, and those with
 * row security, are not read for that: code of theirs could run.  One that cannot be read, as its owner has changed it,
 * must not keep others from being published.
 */
static bool
is_of_others(Oid schema, const SdcReleaseRow *release, OtherDraw *other)
{
	SdcReleaseRow row;
	Comparison	comparison = {&row, release, true};

	if (!OidIsValid(other->release) || !sdc_catalog_get_visible(schema, other->release, &row) ||
		row.draw != other->draw)
	{
		other->release = InvalidOid;
		return false;
	}
	if (sdc_names_equal(row.key, release->key))
		other->windows = windows_of(&row);
	if (row.release != release->release && sdc_trust_owner(row.release) == sdc_trust_owner(release->release) &&
		sdc_is_relation_owner(row.release, GetUserId()) && check_enable_rls(row.release, InvalidOid, true) == RLS_NONE)
		(void) sdc_attempt(compare, &comparison);
	return !comparison.same;
}

/* sdc_otherdraws_find: see otherdraws.h. */
List *
sdc_otherdraws_find(Oid schema, const SdcReleaseRow *release, Oid target)
{
	Finding		finding = {release, target, NIL};
	List	   *readers;
	List	   *same = NIL;
	ListCell   *cell;
	Oid			reader;

	if (release->draw == 0 || !OidIsValid(release->source))
		return NIL;
	foreach(cell, sdc_catalog_of_source(schema, release->source))
	{
		const SdcReleaseRow *row = lfirst(cell);

		add(&finding, (OtherDraw) {.relation = row->release, .release = row->release, .draw = row->draw});
	}
	sdc_publications_visit(schema, take_publication, &finding);
	if (finding.others == NIL)
		return NIL;
	readers = list_readers(release);
	foreach(cell, finding.others)
	{
		OtherDraw  *other = lfirst(cell);

		/* a run has said that it draws anew what it has published */
		if (other->former && OidIsValid(other->release) && sdc_runs_at_work)
			continue;
		if (find_reader(readers, other->relation, other->relation, &reader) && !is_of_others(schema, release, other))
			same = lappend(same, other);
	}
	return same;
}

/* count_draws counts the draws of some relations, and that of a release. */
static int
count_draws(const List *others)
{
	int			count = 1;

	for (int i = 0; i < list_length(others); i++)
	{
		bool		again = false;

		for (int j = 0; j < i; j++)
			again |= ((OtherDraw *) list_nth(others, i))->draw == ((OtherDraw *) list_nth(others, j))->draw;
		count += !again;
	}
	return count;
}

/* common_names returns the names that two lists have. */
static List *
common_names(const List *names, const List *others)
{
	return sdc_names_without(names, sdc_names_without(names, others));
}

/* append_array appends texts as an array of a type. */
static void
append_array(StringInfo sql, List *texts, const char *type)
{
	ListCell   *cell;

	foreach(cell, texts)
		appendStringInfo(sql, "%s%s", foreach_current_index(cell) == 0 ? "ARRAY[" : ", ", quote_literal_cstr(lfirst(cell)));
	appendStringInfo(sql, "]::%s[]", type);
}

/* measuring_call writes the call that measures some releases by columns that all of them have in windows. */
static char *
measuring_call(const List *releases, List *known, const SdcReleaseRow *release)
{
	StringInfoData call;
	List	   *names = NIL;
	ListCell   *cell;

	foreach(cell, releases)
		names = lappend(names, sdc_spi_relation_name(lfirst_oid(cell)));
	names = lappend(names, sdc_spi_relation_name(release->release));
	initStringInfo(&call);
	appendStringInfoString(&call, "sdc_link_releases(");
	append_array(&call, names, "regclass");
	/* by default all columns of values of the last one are known */
	if (sdc_names_without(sdc_steps_value_columns(release), known) != NIL)
	{
		appendStringInfoString(&call, ", known => ");
		append_array(&call, known, "name");
	}
	appendStringInfoChar(&call, ')');
	return call.data;
}

/*
 * find_call returns the call that measures what a release and other draws that are there tell together, by columns
 * that all of them have in windows; NULL if none can.  Draws that would leave no such column are left out.
 */
static char *
find_call(const List *others, const SdcReleaseRow *release)
{
	List	   *known = windows_of(release);
	List	   *releases = NIL;
	ListCell   *cell;

	foreach(cell, others)
	{
		const OtherDraw *other = lfirst(cell);
		List	   *common = common_names(known, other->windows);

		if (!OidIsValid(other->release) || common == NIL)
			continue;
		known = common;
		releases = list_append_unique_oid(releases, other->release);
	}
	return releases == NIL ? NULL : measuring_call(releases, known, release);
}

/* warn warns of draws that are read together; names says which, and by whom. */
static void
warn(const List *others, const SdcReleaseRow *release, Oid publication, const char *names)
{
	int			draws = count_draws(others);
	char	   *call = find_call(others, release);

	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 errmsg("readers of \"%s\" have other draws of the same records: %s", get_rel_name(publication), names),
			 windows_of(release) != NIL ? errdetail("These are %d draws: the average of a column that all of them protect has about %d %% of the error of one.%s",
								  draws, sdc_draws_left(draws), call == NULL ? "" :
								  psprintf(" SELECT * FROM %s measures what they tell together.", call)) :
			 errdetail("These are %d draws: who has them intersects the bins and groups of a record, and takes its most frequent values.",
					   draws),
			 errhint("Publish one draw of the same people only, or continue a release instead: continued => true.")));
}

/* sdc_otherdraws_warn: see otherdraws.h. */
void
sdc_otherdraws_warn(const List *others, const SdcReleaseRow *release, Oid publication)
{
	StringInfoData names;
	List	   *readers;
	List	   *read = NIL;
	ListCell   *cell;
	Oid			reader;

	if (others == NIL)
		return;
	readers = list_readers(release);
	initStringInfo(&names);
	foreach(cell, others)
	{
		OtherDraw  *other = lfirst(cell);

		if (!find_reader(readers, publication, other->relation, &reader))
			continue;
		read = lappend(read, other);
		if (list_length(read) > MOST_NAMES)
			continue;
		appendStringInfo(&names, "%s\"%s\"%s (%s)", list_length(read) == 1 ? "" : ", ", get_rel_name(other->relation),
						 other->former ? " as it was" : "", reader == ACL_ID_PUBLIC ? "everybody" :
						 psprintf("role \"%s\"", GetUserNameFromId(reader, false)));
	}
	if (list_length(read) > MOST_NAMES)
		appendStringInfo(&names, ", and %d more", list_length(read) - MOST_NAMES);
	if (read != NIL)
		warn(read, release, publication, names.data);
	list_free(readers);
}

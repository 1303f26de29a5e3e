/*-------------------------------------------------------------------------
 *
 * agreement.c
 *		In which attributes do pairs of an original and a protected record agree?
 *
 * The attributes are divided in two, by what they cost, those in which few pairs
 * agree and those in which many do:
 *
 *	- Pairs that agree in a sparse attribute are looked at one by one: for each original
 *	  the lists of the protected records with its values, each pair at the first of the
 *	  sparse attributes in which it agrees.
 *	- For the dense attributes all pairs are counted by grouping (grouping.c).
 *
 * The pairs that agree in no sparse attribute are then what grouping counts, less
 * the pairs looked at.  All attributes sparse is the inverted index alone, all dense is
 * grouping alone; both are special cases, and exact like everything between.
 *
 * Counts by record need a number for each original and each set of dense attributes: they
 * are made for blocks of originals, in bounded memory.
 *
 * Work: the pairs in sparse attributes, and O(2^d n) at worst for d dense
 * attributes.  With more than SDC_PATTERNCOUNTS_ATTRIBUTES attributes in which most pairs agree
 * it is O(n^2): nothing else is exact in bounded memory.  Deterministic: counts, nothing to
 * choose.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/agreement/agreement.h"
#include "kernel/agreement/patterncounts.h"
#include "kernel/base/bytelanes.h"
#include "kernel/base/codesort.h"

/*
 * Codes in bytes: up to so many are these themselves.  Others are their remainder, and where it is the same the codes
 * are looked at.
 */
#define NARROW_CODES 254

/* Memory of a team that its lists leave for what its members tell each other. */
#define LEFT_BYTES 65536

/* Originals from one step of fetching to the next. */
#define FETCH_AHEAD 4

/* Bytes of the counts of a block of originals. */
#define BLOCK_BYTES ((Size) 8 << 20)

/* What the cost model assumes, in nanoseconds; only the choice depends on it. */
#define COST_PAIR 6.0			/* a pair from a list, and */
#define COST_PAIR_ATTRIBUTE 0.7 /* for each attribute to compare */
#define COST_SORT 10.0			/* a record and attribute, to sort tuples */
#define COST_CELL 2.0			/* a count of an original, by grouping */
#define COST_PROTECTED 0.02			/* a protected record, per block and set of attributes */

struct SdcAgreement
{
	SdcAgreementRows rows;
	const SdcPairColumn *column[SDC_AGREEMENT_ATTRIBUTES];
	uint8	   *original;		/* the bytes of the rows */
	uint8	   *protected;
	uint32	   *start[SDC_AGREEMENT_ATTRIBUTES];	/* protected records of code v, once somebody asked for them: */
	uint32	   *list[SDC_AGREEMENT_ATTRIBUTES]; /* list[start[v]] .. list[start[v + 1] - 1] */
	uint64		together;		/* attributes whose lists are those of a team, */
	SdcTeam    *team;			/* or NULL */
	uint64		mark;			/* where their memory begins */
	uint64		pairs[SDC_AGREEMENT_ATTRIBUTES];	/* that agree in the attribute */
	int			order[SDC_AGREEMENT_ATTRIBUTES];	/* attributes by ascending pairs */
};

/* Patterns with counts, found by hashing. */
typedef struct Tally
{
	uint64	   *pattern;
	uint64	   *count;			/* 0: the place is free */
	uint32	   *used;			/* places in use */
	uint32		size;			/* places, a power of two */
	uint32		patterns;		/* in use */
} Tally;

/* What one call of visit needs. */
typedef struct Visitor
{
	/* set once */
	const SdcAgreement *agreement;
	SdcPatternCounts *grouping;
	int			sparse;			/* attributes order[0] .. order[sparse - 1] */

	/* changes */
	Tally		tally;			/* patterns of the pairs looked at; empty between records */
	uint32	   *looked;			/* by cell: pairs looked at; 0 between records */
	SdcPatternCount *found;		/* the patterns of the record */
	SdcPatternCount *other;		/* those of the pairs looked at */
	uint32		found_size;		/* patterns that there is room for */
	uint32		other_size;
	uint32		credit;
} Visitor;

/* round_stride rounds a number of attributes up to whole comparisons. */
static inline int
round_stride(int attributes)
{
	return (attributes + SDC_BYTELANES - 1) / SDC_BYTELANES * SDC_BYTELANES;
}

/* ------------------------------------------------------------------------
 * The index
 * ------------------------------------------------------------------------
 */

/* byte_of is the byte of a code. */
static inline uint8
byte_of(uint32 code, uint8 none)
{
	return code == SDC_CODE_NULL ? none : (uint8) (code % NARROW_CODES);
}

/* fill_bytes writes the rows of an attribute. */
static void
fill_bytes(SdcAgreement *agreement, int attribute)
{
	const SdcPairColumn *column = agreement->column[attribute];
	uint8	   *original = agreement->original + attribute;
	uint8	   *protected = agreement->protected + attribute;
	Size		stride = (Size) agreement->rows.stride;

	for (uint32 i = 0; i < agreement->rows.records; i++)
	{
		sdc_interrupts_step(i);
		SDC_ASSERT(column->original[i] < column->codes || column->original[i] == SDC_CODE_NULL);
		SDC_ASSERT(column->protected[i] < column->codes || column->protected[i] == SDC_CODE_NULL);
		original[i * stride] = byte_of(column->original[i], SDC_AGREEMENT_NONE_ORIGINAL);
		protected[i * stride] = byte_of(column->protected[i], SDC_AGREEMENT_NONE_PROTECTED);
	}
	if (column->codes > NARROW_CODES)
		agreement->rows.wide |= UINT64_C(1) << attribute;
}

/* count_pairs counts the pairs that agree in an attribute. */
static void
count_pairs(SdcAgreement *agreement, int attribute)
{
	const SdcPairColumn *column = agreement->column[attribute];
	uint32	   *count = sdc_alloc_zeros(uint32, (Size) column->codes + 1);

	agreement->pairs[attribute] = 0;
	for (uint32 i = 0; i < agreement->rows.records; i++)
	{
		sdc_interrupts_step(i);
		if (column->protected[i] != SDC_CODE_NULL)
			count[column->protected[i]]++;
	}
	for (uint32 i = 0; i < agreement->rows.records; i++)
	{
		sdc_interrupts_step(i);
		if (column->original[i] != SDC_CODE_NULL)
			agreement->pairs[attribute] += count[column->original[i]];
	}
	sdc_free(count);
}

/* fill_list lists the protected records by their codes. */
static void
fill_list(const SdcAgreement *agreement, int attribute)
{
	const SdcPairColumn *column = agreement->column[attribute];
	uint32	   *start = agreement->start[attribute];
	uint32	   *list = agreement->list[attribute];
	Size		codes = column->codes;
	uint32		credit = 0;

	/* start[v + 1] counts, then is where the next record of v goes, and so in the end where v ends */
	memset(start, 0, (codes + 2) * sizeof(uint32));
	for (uint32 i = 0; i < agreement->rows.records; i++)
	{
		sdc_interrupts_step(i);
		if (column->protected[i] != SDC_CODE_NULL)
			start[column->protected[i] + 1]++;
	}
	sdc_codesort_starts(start + 1, codes, &credit);
	for (uint32 i = 0; i < agreement->rows.records; i++)
	{
		sdc_interrupts_step(i);
		if (column->protected[i] != SDC_CODE_NULL)
			list[start[column->protected[i] + 1]++] = i;
	}
}

/* make_rows makes the rows of bytes of the columns. */
static void
make_rows(SdcAgreement *agreement, uint32 records, int count)
{
	Size		stride = (Size) round_stride(count);

	SDC_ASSERT(count >= 1 && count <= SDC_AGREEMENT_ATTRIBUTES);
	agreement->original = sdc_alloc_matrix(uint8, records, stride);
	agreement->protected = sdc_alloc_matrix(uint8, records, stride);
	agreement->rows = (SdcAgreementRows) {records, count, agreement->column, (int) stride, agreement->original,
	agreement->protected, 0, agreement->pairs};
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		memset(agreement->original + i * stride, SDC_AGREEMENT_NONE_ORIGINAL, stride);
		memset(agreement->protected + i * stride, SDC_AGREEMENT_NONE_PROTECTED, stride);
	}
	for (int i = 0; i < count; i++)
		fill_bytes(agreement, i);
}

/* order_attribute puts an attribute, of which the pairs are counted, where it belongs among those before it. */
static void
order_attribute(SdcAgreement *agreement, int attribute)
{
	int			hole = attribute;

	for (; hole > 0 && agreement->pairs[agreement->order[hole - 1]] > agreement->pairs[attribute]; hole--)
		agreement->order[hole] = agreement->order[hole - 1];
	agreement->order[hole] = attribute;
}

/* sdc_agreement_create: see agreement.h. */
SdcAgreement *
sdc_agreement_create(const SdcPairs *pairs, const int *known, int count)
{
	SdcAgreement *agreement = sdc_alloc(sizeof(SdcAgreement));

	memset(agreement, 0, sizeof(SdcAgreement));
	for (int i = 0; i < count; i++)
		agreement->column[i] = &pairs->column[known[i]];
	make_rows(agreement, pairs->records, count);
	for (int i = 0; i < count; i++)
	{
		count_pairs(agreement, i);
		order_attribute(agreement, i);
	}
	return agreement;
}

/* sdc_agreement_first: see agreement.h. */
SdcAgreement *
sdc_agreement_first(const SdcAgreement *agreement, int count)
{
	SdcAgreement *first = sdc_alloc(sizeof(SdcAgreement));

	memset(first, 0, sizeof(SdcAgreement));
	memcpy(first->column, agreement->column, sizeof(first->column));
	memcpy(first->pairs, agreement->pairs, sizeof(first->pairs));
	make_rows(first, agreement->rows.records, count);
	for (int i = 0; i < count; i++)
		order_attribute(first, i);
	return first;
}

/* drop_lists gives up the lists that there are; members of a team do it together. */
static void
drop_lists(SdcAgreement *agreement)
{
	for (int i = 0; i < agreement->rows.attributes; i++)
	{
		if (agreement->list[i] != NULL && (agreement->together >> i & 1) == 0)
		{
			sdc_free(agreement->list[i]);
			sdc_free(agreement->start[i]);
		}
		agreement->list[i] = NULL;
	}
	sdc_team_release(agreement->team, agreement->mark);
	agreement->team = NULL;
	agreement->together = 0;
}

/* sdc_agreement_destroy accepts NULL; members of a team do it together. */
void
sdc_agreement_destroy(SdcAgreement *agreement)
{
	if (agreement == NULL)
		return;
	drop_lists(agreement);
	sdc_free(agreement->original);
	sdc_free(agreement->protected);
	sdc_free(agreement);
}

/* sdc_agreement_rows: see agreement.h. */
SdcAgreementRows
sdc_agreement_rows(const SdcAgreement *agreement)
{
	return agreement->rows;
}

/* sdc_agreement_pattern: see agreement.h. */
uint64
sdc_agreement_pattern(const SdcAgreement *agreement, uint32 original, uint32 protected)
{
	return sdc_agreement_compare(&agreement->rows, agreement->rows.attributes, original, protected, 0);
}

/* ------------------------------------------------------------------------
 * Patterns with counts
 * ------------------------------------------------------------------------
 */

/* tally_init makes an empty tally. */
static void
tally_init(Tally *tally, uint32 size)
{
	tally->pattern = sdc_alloc_array(uint64, size);
	tally->count = sdc_alloc_zeros(uint64, size);
	tally->used = sdc_alloc_array(uint32, size);
	tally->size = size;
	tally->patterns = 0;
}

/* tally_free frees its arrays. */
static void
tally_free(Tally *tally)
{
	sdc_free(tally->pattern);
	sdc_free(tally->count);
	sdc_free(tally->used);
}

/* tally_place finds the place of a pattern, or the free one that it would take. */
static inline uint32
tally_place(const Tally *tally, uint64 pattern)
{
	uint64		hash = pattern * UINT64_C(0x9E3779B97F4A7C15);
	uint32		place = (uint32) (hash >> 32) & (tally->size - 1);

	while (tally->count[place] != 0 && tally->pattern[place] != pattern)
		place = (place + 1) & (tally->size - 1);
	return place;
}

static void tally_grow(Tally *tally);

/* tally_add adds to the count of a pattern. */
static inline void
tally_add(Tally *tally, uint64 pattern, uint64 count)
{
	uint32		place = tally_place(tally, pattern);

	if (tally->count[place] == 0)
	{
		tally->pattern[place] = pattern;
		tally->used[tally->patterns++] = place;
	}
	tally->count[place] += count;
	if (tally->patterns > tally->size / 2)
		tally_grow(tally);
}

/* tally_grow makes room for twice as many patterns. */
static void
tally_grow(Tally *tally)
{
	Tally		old = *tally;

	SDC_ASSERT(old.size < UINT32_C(1) << 31);
	tally_init(tally, 2 * old.size);
	for (uint32 i = 0; i < old.patterns; i++)
	{
		sdc_interrupts_step(i);
		tally_add(tally, old.pattern[old.used[i]], old.count[old.used[i]]);
	}
	tally_free(&old);
}

/* sort_patterns sorts by pattern (D. L. Shell, 1959, with gaps of M. Ciura, 2001). */
static void
sort_patterns(SdcPatternCount *patterns, uint32 count)
{
	static const uint32 gaps[] = {1, 4, 10, 23, 57, 132, 301, 701};
	uint32		gap = 1;
	int			step = 0;

	while (step < 7 && gaps[step + 1] < count)
		step++;
	for (gap = gaps[step]; gap < count / 9 * 4; gap = gap / 4 * 9)
		;
	for (;; gap = gap > 701 ? gap / 9 * 4 : gaps[--step])
	{
		for (uint32 i = gap; i < count; i++)
		{
			SdcPatternCount moving = patterns[i];
			uint32		hole = i;

			sdc_interrupts_step(i);
			for (; hole >= gap && patterns[hole - gap].pattern > moving.pattern; hole -= gap)
				patterns[hole] = patterns[hole - gap];
			patterns[hole] = moving;
		}
		if (gap == 1)
			break;
	}
}

/* tally_sorted writes the patterns, ascending, and empties the tally. */
static void
tally_sorted(Tally *tally, SdcPatternCount *patterns)
{
	for (uint32 i = 0; i < tally->patterns; i++)
	{
		uint32		place = tally->used[i];

		patterns[i] = (SdcPatternCount) {tally->pattern[place], tally->count[place]};
		tally->count[place] = 0;
	}
	sort_patterns(patterns, tally->patterns);
	tally->patterns = 0;
}

/* ------------------------------------------------------------------------
 * All together
 * ------------------------------------------------------------------------
 */

/* choose_sparse is the number of sparse attributes that makes count originals cheapest. */
static int
choose_sparse(const SdcAgreement *agreement, uint32 count, bool by_record)
{
	int			attributes = agreement->rows.attributes;
	double		share = agreement->rows.records > 0 ? (double) count / agreement->rows.records : 0;
	double		best = INFINITY;
	int			choice = attributes;
	double		looks = 0;

	for (int sparse = 0; sparse <= attributes; sparse++)
	{
		int			dense = attributes - sparse;
		double		cost = looks * share * (COST_PAIR + COST_PAIR_ATTRIBUTE * attributes);

		if (sparse < attributes)
			looks += (double) agreement->pairs[agreement->order[sparse]];
		if (dense > SDC_PATTERNCOUNTS_ATTRIBUTES)
			continue;
		if (dense > 0)
		{
			double		width = ldexp(1.0, dense);
			double		blocks = by_record ? 1 + count * width * 4 / BLOCK_BYTES : 1;

			cost += COST_SORT * dense * ((double) count + agreement->rows.records) +
				width * (COST_CELL * count + COST_PROTECTED * blocks * agreement->rows.records);
		}
		if (cost < best)
		{
			best = cost;
			choice = sparse;
		}
	}
	return choice;
}

/* make_lists makes those lists of the sparse attributes that there are not so far. */
static void
make_lists(SdcAgreement *agreement, int sparse)
{
	for (int i = 0; i < sparse; i++)
	{
		int			attribute = agreement->order[i];

		if (agreement->list[attribute] != NULL)
			continue;
		agreement->start[attribute] = sdc_alloc_array(uint32, (Size) agreement->column[attribute]->codes + 2);
		agreement->list[attribute] = sdc_alloc_array(uint32, (Size) agreement->rows.records + 1);
		fill_list(agreement, attribute);
	}
}

/* share_lists has the members of a team make as many of the lists of the sparse attributes as their memory holds. */
static void
share_lists(SdcAgreement *agreement, int sparse, SdcTeam *team)
{
	agreement->team = team;
	agreement->mark = sdc_team_mark(team);
	for (int i = 0; i < sparse; i++)
	{
		int			attribute = agreement->order[i];
		Size		codes = (Size) agreement->column[attribute]->codes + 2;

		if (!sdc_team_room(team, (codes + agreement->rows.records + 1) * sizeof(uint32) + LEFT_BYTES))
			break;
		agreement->start[attribute] = sdc_team_array(team, uint32, codes);
		agreement->list[attribute] = sdc_team_array(team, uint32, (Size) agreement->rows.records + 1);
		agreement->together |= UINT64_C(1) << attribute;
		if (sdc_team_takes(team, (uint64) i))
			fill_list(agreement, attribute);
	}
	sdc_team_barrier(team);
}

/* group_dense groups by the attributes that are not sparse. */
static SdcPatternCounts *
group_dense(const SdcAgreement *agreement, int sparse, const uint32 *record, uint32 count)
{
	int			dense = agreement->rows.attributes - sparse;

	return sdc_patterncounts_create(&agreement->rows, agreement->order + sparse, dense, record, count);
}

/* What fetch_pairs gets: each step reads what the one before it got. */
typedef enum FetchStep
{
	FETCH_STARTS,
	FETCH_LISTS,
	FETCH_ROWS,
	FETCH_STEPS
} FetchStep;

/*
 * fetch_pairs asks for what look_at_pairs reads first of an original, in each sparse attribute.
 * Always inline: a call of a function that does nothing but fetch is left out by compilers.
 */
static inline __attribute__((always_inline)) void
fetch_pairs(const SdcAgreement *agreement, int sparse, uint32 record, FetchStep step)
{
	Size		stride = (Size) agreement->rows.stride;

	for (int i = 0; i < sparse; i++)
	{
		int			attribute = agreement->order[i];
		uint32		code = agreement->column[attribute]->original[record];
		const uint32 *start = agreement->start[attribute] + code;

		if (code == SDC_CODE_NULL)
			continue;
		if (step == FETCH_STARTS)
			__builtin_prefetch(start);
		else if (step == FETCH_LISTS)
			__builtin_prefetch(agreement->list[attribute] + *start);
		else if (start[0] < start[1])
			__builtin_prefetch(agreement->protected + agreement->list[attribute][*start] * stride);
	}
}

/*
 * fetch_ahead fetches for the originals after number i of count, of which number j is
 * record[member[j]]; either array may be NULL.
 */
static inline __attribute__((always_inline)) void
fetch_ahead(const SdcAgreement *agreement, int sparse, const uint32 *member, const uint32 *record,
			uint32 i, uint32 count)
{
	for (int step = 0; step < FETCH_STEPS; step++)
	{
		uint32		ahead = (uint32) (FETCH_STEPS - step) * FETCH_AHEAD;
		uint32		index;

		if (ahead >= count - i)
			continue;
		index = member != NULL ? member[i + ahead] : i + ahead;
		fetch_pairs(agreement, sparse, sdc_record_at(record, index), (FetchStep) step);
	}
}

/*
 * look_at_pairs adds the patterns of the pairs of an original that agree in a sparse
 * attribute, each at the first of these, and returns their number.
 */
static uint32
look_at_pairs(const SdcAgreement *agreement, int sparse, uint32 record, Tally *tally,
			  uint32 *credit)
{
	SdcAgreementRows rows = agreement->rows;
	uint64		seen = 0;
	uint32		pairs = 0;

	for (int i = 0; i < sparse; i++)
	{
		int			attribute = agreement->order[i];
		uint64		bit = UINT64_C(1) << attribute;
		uint32		code = agreement->column[attribute]->original[record];
		const uint32 *list = agreement->list[attribute];

		if (code == SDC_CODE_NULL)
			continue;
		for (uint32 j = agreement->start[attribute][code];
			 j < agreement->start[attribute][code + 1]; j++)
		{
			uint64		pattern = sdc_agreement_compare(&rows, rows.attributes, record, list[j], bit);

			if (j % 1024 == 0)
				sdc_interrupts_spend(credit, 1024);
			if ((pattern & seen) != 0)
				continue;
			tally_add(tally, pattern, 1);
			pairs++;
		}
		seen |= bit;
	}
	sdc_interrupts_spend(credit, 16);
	return pairs;
}

/*
 * merge_patterns merges count ascending patterns into found, which has patterns too
 * (none of them the same) and room for all: from the end, as the room is there.
 */
static uint32
merge_patterns(SdcPatternCount *found, uint32 found_count, const SdcPatternCount *other,
			   uint32 count)
{
	uint32		all = found_count + count;
	uint32		place = all;

	while (count > 0)
	{
		if (found_count > 0 && found[found_count - 1].pattern > other[count - 1].pattern)
			found[--place] = found[--found_count];
		else
			found[--place] = other[--count];
	}
	return all;
}

/* tally_part tallies the pairs that a part of the originals is in, which agree in a sparse attribute. */
static void
tally_part(const SdcAgreement *agreement, int sparse, SdcTeamPart part, uint64 most, Tally *tally)
{
	uint32		credit = 0;

	for (uint32 i = part.start; i < part.end && sparse > 0; i++)
	{
		fetch_ahead(agreement, sparse, NULL, NULL, i, part.end);
		(void) look_at_pairs(agreement, sparse, i, tally, &credit);
		if (tally->patterns > most)
			break;
	}
}

/* add_tallies adds what each of the other members has tallied, which is at most so many patterns. */
static void
add_tallies(Tally *tally, SdcTeam *team, uint64 patterns)
{
	uint64		mark = sdc_team_mark(team);
	SdcPatternCount *all = sdc_team_matrix(team, SdcPatternCount, team->members, patterns + 1);
	SdcPatternCount *own = all + team->member * (patterns + 1);

	for (uint32 i = 0; i < tally->patterns; i++)
		own[i] = (SdcPatternCount) {tally->pattern[tally->used[i]], tally->count[tally->used[i]]};
	own[tally->patterns].count = 0;
	sdc_team_barrier(team);
	for (int member = 0; member < team->members; member++)
	{
		if (member == team->member)
			continue;
		for (const SdcPatternCount *from = all + member * (patterns + 1); from->count > 0; from++)
			tally_add(tally, from->pattern, from->count);
	}
	sdc_team_release(team, mark);
}

/* tally_pairs tallies the pairs that agree in a sparse attribute. */
static void
tally_pairs(const SdcAgreement *agreement, int sparse, SdcTeam *team, uint64 most, Tally *tally)
{
	uint64		patterns;

	tally_part(agreement, sparse, sdc_team_part(team, agreement->rows.records, 1), most, tally);
	if (team == NULL)
		return;
	patterns = sdc_team_most(team, tally->patterns);
	if (sdc_team_room(team, team->members * (patterns + 1) * sizeof(SdcPatternCount)))
		add_tallies(tally, team, patterns);
	else
	{
		/* more than there is memory for: each process tallies what the others have */
		SdcTeamPart part = sdc_team_part(team, agreement->rows.records, 1);

		tally_part(agreement, sparse, (SdcTeamPart) {0, part.start}, most, tally);
		tally_part(agreement, sparse, (SdcTeamPart) {part.end, agreement->rows.records}, most, tally);
	}
}

/* sdc_agreement_totals: see agreement.h. */
SdcPatternCount *
sdc_agreement_totals(SdcAgreement *agreement, SdcTeam *team, uint64 most, int *count)
{
	uint32		records = agreement->rows.records;
	int			sparse = choose_sparse(agreement, records, false);
	Size		width = (Size) 1 << (agreement->rows.attributes - sparse);
	uint64	   *total;
	SdcPatternCounts *grouping;
	uint32		found_count = 0;
	Tally		tally;
	SdcPatternCount *found;
	SdcPatternCount *looked;
	uint32		looked_count;

	if (team != NULL && agreement->team == NULL)
		share_lists(agreement, sparse, team);
	make_lists(agreement, sparse);
	tally_init(&tally, 1024);
	tally_pairs(agreement, sparse, team, most, &tally);
	if (tally.patterns > most)
	{
		/* they are in the way of what comes instead */
		tally_free(&tally);
		drop_lists(agreement);
		return NULL;
	}
	total = sdc_alloc_array(uint64, width);
	grouping = group_dense(agreement, sparse, NULL, records);
	sdc_patterncounts_total(grouping, total);
	looked_count = tally.patterns;
	looked = sdc_alloc_array(SdcPatternCount, looked_count);
	found = sdc_alloc_array(SdcPatternCount, looked_count + width);
	tally_sorted(&tally, looked);
	tally_free(&tally);
	for (uint32 i = 0; i < looked_count; i++)
		total[sdc_patterncounts_cell(grouping, looked[i].pattern)] -= looked[i].count;
	for (Size i = 0; i < width; i++)
	{
		uint64		pairs = total[grouping->cell[i]];

		found[found_count] = (SdcPatternCount) {grouping->pattern[i], pairs};
		found_count += pairs != 0;
	}
	*count = (int) merge_patterns(found, found_count, looked, looked_count);
	sdc_free(looked);
	sdc_free(total);
	sdc_patterncounts_destroy(grouping);
	return found;
}

/* sdc_agreement_fold: see agreement.h.  The patterns with that attribute are behind those without, and both ascend. */
int
sdc_agreement_fold(const SdcPatternCount *from, int count, int attributes, SdcPatternCount *to)
{
	uint64		bit = UINT64_C(1) << (attributes - 1);
	int			low = 0;
	int			high = 0;
	int			middle;
	int			folded = 0;

	while (high < count && (from[high].pattern & bit) == 0)
		high++;
	middle = high;
	while (low < middle || high < count)
	{
		uint64		left = low < middle ? from[low].pattern : UINT64_MAX;
		uint64		right = high < count ? from[high].pattern - bit : UINT64_MAX;

		to[folded] = (SdcPatternCount) {left < right ? left : right, 0};
		if (low < middle && left <= right)
			to[folded].count += from[low++].count;
		if (high < count && right <= left)
			to[folded].count += from[high++].count;
		folded++;
	}
	return folded;
}

/*
 * find_patterns writes the patterns of an original to visitor->found and returns their
 * number; cell has the counts of its dense attributes.
 */
static uint32
find_patterns(Visitor *visitor, uint32 record, const uint32 *cell)
{
	const SdcPatternCounts *grouping = visitor->grouping;
	Size		width = grouping->width;
	Tally	   *tally = &visitor->tally;
	SdcPatternCount *found;
	uint32		found_count = 0;
	uint32		looked_count;

	if (visitor->sparse > 0)
		(void) look_at_pairs(visitor->agreement, visitor->sparse, record, tally,
							 &visitor->credit);
	looked_count = tally->patterns;
	visitor->found = sdc_alloc_room(visitor->found, &visitor->found_size, (uint32) width + looked_count,
									sizeof(SdcPatternCount));
	visitor->other = sdc_alloc_room(visitor->other, &visitor->other_size, looked_count, sizeof(SdcPatternCount));
	tally_sorted(tally, visitor->other);
	for (uint32 i = 0; i < looked_count; i++)
		visitor->looked[sdc_patterncounts_cell(grouping, visitor->other[i].pattern)] +=
			(uint32) visitor->other[i].count;
	found = visitor->found;
	for (Size i = 0; i < width; i++)
	{
		uint32		place = grouping->cell[i];
		uint32		pairs = cell[place] - visitor->looked[place];

		found[found_count].pattern = grouping->pattern[i];
		found[found_count].count = pairs;
		found_count += pairs != 0;
	}
	for (uint32 i = 0; i < looked_count; i++)
		visitor->looked[sdc_patterncounts_cell(grouping, visitor->other[i].pattern)] = 0;
	sdc_interrupts_spend(&visitor->credit, (uint32) width);
	return merge_patterns(found, found_count, visitor->other, looked_count);
}

/* visit_tuples calls back for the members of the tuples [first, end) of a block. */
static void
visit_tuples(Visitor *visitor, const uint32 *record, uint32 first, uint32 end,
			 const uint32 *counts, SdcAgreementVisit visit, void *arg)
{
	const SdcPatternCounts *grouping = visitor->grouping;

	for (uint32 i = first; i < end; i++)
	{
		const uint32 *cell = counts + (i - first) * grouping->width;
		uint32		count = 0;

		for (uint32 j = grouping->first[i]; j < grouping->first[i + 1]; j++)
		{
			uint32		index = grouping->member[j];
			uint32		r = sdc_record_at(record, index);

			fetch_ahead(visitor->agreement, visitor->sparse, grouping->member, record, j,
						grouping->first[grouping->tuples]);
			if (visitor->sparse > 0 || j == grouping->first[i])
				count = find_patterns(visitor, r, cell);
			visit(arg, index, r, visitor->found, (int) count);
		}
	}
}

/* sdc_agreement_visit: see agreement.h. */
void
sdc_agreement_visit(SdcAgreement *agreement, const uint32 *record, uint32 count,
					SdcAgreementVisit visit, void *arg)
{
	int			sparse = choose_sparse(agreement, count, true);
	Visitor		visitor;
	SdcPatternCounts *grouping;
	uint32		block;
	uint32	   *counts;

	if (count == 0)
		return;
	make_lists(agreement, sparse);
	memset(&visitor, 0, sizeof(visitor));
	visitor.agreement = agreement;
	visitor.sparse = sparse;
	visitor.grouping = grouping = group_dense(agreement, sparse, record, count);
	tally_init(&visitor.tally, 64);
	visitor.looked = sdc_alloc_zeros(uint32, grouping->width);
	block = (uint32) (BLOCK_BYTES / (grouping->width * sizeof(uint32)));
	if (block > grouping->tuples)
		block = grouping->tuples;
	counts = sdc_alloc_matrix(uint32, block, grouping->width);
	for (uint32 first = 0, end; first < grouping->tuples; first = end)
	{
		end = grouping->tuples - first > block ? first + block : grouping->tuples;
		SDC_REPORT(first, grouping->tuples);
		sdc_patterncounts_count(grouping, first, end, counts);
		visit_tuples(&visitor, record, first, end, counts, visit, arg);
	}
	sdc_free(counts);
	sdc_patterncounts_destroy(grouping);
	tally_free(&visitor.tally);
	sdc_free(visitor.looked);
	sdc_free(visitor.found);
	if (visitor.other != NULL)
		sdc_free(visitor.other);
}

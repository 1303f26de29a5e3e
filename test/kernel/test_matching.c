/*-------------------------------------------------------------------------
 *
 * test_matching.c
 *		Candidates that are left when everybody else is known, against all perfect matchings.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "candidatetwin.h"
#include "tap.h"

/* Records of which all matchings are tried, and of which the graph is closed. */
#define MATCHED 7
#define CLOSED 160

/* Who can have become whom. */
typedef struct Graph
{
	uint32		records;
	bool		edge[CLOSED][CLOSED];	/* by original and protected record */
	bool		used[CLOSED][CLOSED];	/* by a perfect matching */
} Graph;

/* fill_graph asks the twin for all pairs. */
static void
fill_graph(Graph *graph, const File *file)
{
	graph->records = file->task.records;
	memset(graph->used, 0, sizeof(graph->used));
	for (uint32 i = 0; i < graph->records; i++)
		for (uint32 l = 0; l < graph->records; l++)
			graph->edge[i][l] = twin_likelihood(file, SDC_CANDIDATES_NEAREST, i, l) > 0;
}

/* match_all goes through all perfect matchings: original i and those after it are to be matched. */
static void
match_all(Graph *graph, uint32 i, uint32 *match, uint32 taken)
{
	if (i == graph->records)
	{
		for (uint32 k = 0; k < graph->records; k++)
			graph->used[k][match[k]] = true;
		return;
	}
	for (uint32 l = 0; l < graph->records; l++)
	{
		if (!graph->edge[i][l] || (taken >> l & 1) != 0)
			continue;
		match[i] = l;
		match_all(graph, i + 1, match, taken | UINT32_C(1) << l);
	}
}

/* close_graph finds the pairs that lead to each other (S. Warshall, 1962). */
static void
close_graph(Graph *graph)
{
	static bool path[CLOSED][CLOSED];

	memcpy(path, graph->edge, sizeof(path));
	for (uint32 k = 0; k < graph->records; k++)
		for (uint32 i = 0; i < graph->records; i++)
			for (uint32 l = 0; path[i][k] && l < graph->records; l++)
				path[i][l] = path[i][l] || path[k][l];
	for (uint32 i = 0; i < graph->records; i++)
		for (uint32 l = 0; l < graph->records; l++)
			graph->used[i][l] = graph->edge[i][l] && path[l][i];
}

/* compare_attack attacks with the components as one more column: what is left is what it finds. */
static void
compare_attack(File *file, const uint32 *component, const uint32 *left, uint64 seed)
{
	static SdcCandidatesLink link[CLOSED];
	uint32		records = file->task.records;

	file->column[file->task.count++] = (SdcCandidatesColumn) {.kind = SDC_CANDIDATES_EXACT,
	.original = component, .protected = component, .codes = records};
	sdc_candidates_run(&file->task, SDC_CANDIDATES_NEAREST, NULL, records, link);
	file->task.count--;
	for (uint32 i = 0; i < records; i++)
		CHECKF(component[i] < records && link[i].inside && link[i].link.candidates == left[i],
			   "seed %d, record %u: %u, not %u", (int) seed, i, link[i].link.candidates, left[i]);
}

/* compare_left compares what is left with the graph. */
static void
compare_left(const Graph *graph, File *file, uint64 seed)
{
	uint32		left[CLOSED];
	uint32		component[CLOSED];
	SdcCandidatesStatus status = sdc_candidates_everybody(&file->task, left, component);

	CHECKF(status == SDC_CANDIDATES_OK, "seed %d: status %d", (int) seed, (int) status);
	if (status != SDC_CANDIDATES_OK)
		return;
	for (uint32 i = 0; i < graph->records; i++)
	{
		uint32		count = 0;

		for (uint32 l = 0; l < graph->records; l++)
			count += graph->used[i][l];
		CHECKF(left[i] == count, "seed %d, record %u: %u, not %u", (int) seed, i, left[i], count);
	}
	compare_attack(file, component, left, seed);
}

/* draw_shape draws a shape whose records are their own candidates. */
static Shape
draw_shape(uint64 seed, uint32 records, uint32 width)
{
	Shape		shape = {.records = records};

	random_state = seed * 7919;
	shape.columns = 1 + (int) pick(4);
	shape.codes = 2 + pick(records);
	shape.missing = pick(3) == 0 ? 2 + pick(8) : 0;
	shape.strata = pick(3) == 0 ? 2 : 1;
	shape.groups = 1 + pick(1 + records / 3);
	shape.bins = 1 + pick(1 + records / 3);
	shape.width = width;
	shape.blank = seed % 3 == 0 ? 1 + pick(6) : 0;
	return shape;
}

/* All perfect matchings of a few records. */
static void
test_matchings(void)
{
	static Graph graph;
	uint32		match[MATCHED];
	int			fewer = 0;

	for (uint64 seed = 1; seed <= 3000; seed++)
	{
		Shape		shape = draw_shape(seed, 1 + (uint32) seed % MATCHED, 3);
		File		file;

		if (seed % 2 == 0)
			shape.kinds = UINT32_C(1) << pick(SDC_CANDIDATES_KINDS);
		make_file(&file, &shape);
		fill_graph(&graph, &file);
		match_all(&graph, 0, match, 0);
		compare_left(&graph, &file, seed);
		for (uint32 i = 0; i < graph.records; i++)
			for (uint32 l = 0; l < graph.records; l++)
				fewer += graph.edge[i][l] && !graph.used[i][l];
		free_file(&file);
	}
	CHECKF(fewer > 300, "only %d candidates dropped out", fewer);
}

/* More records, with trees and bitmaps. */
static void
test_components(void)
{
	static Graph graph;

	for (uint64 seed = 1; seed <= 150; seed++)
	{
		Shape		shape = draw_shape(seed, 40 + (uint32) seed % (CLOSED - 40), 12);
		File		file;

		if (seed % 3 == 0)
			shape.kinds = 1 << SDC_CANDIDATES_WINDOW;
		else if (seed % 3 == 1)
			shape.kinds = UINT32_C(1) << pick(SDC_CANDIDATES_KINDS);
		make_file(&file, &shape);
		fill_graph(&graph, &file);
		close_graph(&graph);
		compare_left(&graph, &file, seed);
		free_file(&file);
	}
}

/* Chains of windows are deep, and what nodes keep is given up. */
static void
test_chain(void)
{
	static Graph graph;

	for (uint32 width = 1; width <= 60; width += 7)
	{
		Shape		shape = {.records = CLOSED, .columns = 1, .codes = 4 * CLOSED, .strata = 1,
		.groups = 1, .bins = 1, .width = width, .kinds = 1 << SDC_CANDIDATES_WINDOW};
		File		file;

		random_state = width;
		make_file(&file, &shape);
		for (uint32 i = 0; i < CLOSED; i++)
			file.original[0][i] = file.protected[0][i] = i;
		file.width[0][0] = width;
		sdc_candidates_windows(&file.task, &file.column[0], file.width[0], file.window[0]);
		fill_graph(&graph, &file);
		close_graph(&graph);
		compare_left(&graph, &file, width);
		free_file(&file);
	}
}

/* reach_up makes windows from a little below the own value to far above it, and their graph. */
static void
reach_up(File *file, Graph *graph, uint32 below, uint32 above)
{
	graph->records = file->task.records;
	memset(graph->used, 0, sizeof(graph->used));
	memset(graph->edge, true, sizeof(graph->edge));
	for (int a = 0; a < file->task.count; a++)
		for (uint32 i = 0; i < graph->records; i++)
		{
			uint32		own = file->protected[a][i];
			uint32		start = pick(below);
			SdcInterval window = {own < start ? 0 : own - start, own + pick(above)};

			if (window.last >= file->column[a].codes)
				window.last = file->column[a].codes - 1;
			file->window[a][i] = window;
			for (uint32 l = 0; l < graph->records; l++)
				graph->edge[i][l] &= file->protected[a][l] >= window.first &&
					file->protected[a][l] <= window.last;
		}
}

/*
 * Wide windows that lead up, and hardly ever back: many candidates, and few or large components.  Or
 * down: then the first one that is reached is led to, and does not lead to others.
 */
static void
test_one_way(void)
{
	static Graph graph;

	for (uint64 seed = 1; seed <= 400; seed++)
	{
		Shape		shape = {.records = 20 + (uint32) seed % (CLOSED - 20), .columns = 1 + (int) seed % 2,
		.codes = CLOSED, .strata = 1, .groups = 1, .bins = 1, .width = 1,
		.kinds = 1 << SDC_CANDIDATES_WINDOW};
		uint32		narrow = 1 + (uint32) seed % 7;
		uint32		wide = shape.records / (seed % 3 == 0 ? 4 : 1);
		File		file;

		random_state = seed;
		make_file(&file, &shape);
		for (int a = 0; a < shape.columns; a++)
			for (uint32 i = 0; i < shape.records; i++)
				file.original[a][i] = file.protected[a][i] = (i * 7 + i / 3 * (uint32) a) % shape.records;
		reach_up(&file, &graph, seed % 4 < 2 ? narrow : wide, seed % 4 < 2 ? wide : narrow);
		close_graph(&graph);
		compare_left(&graph, &file, seed);
		free_file(&file);
	}
}

/* What the function refuses. */
static void
test_status(void)
{
	static uint32 code[46342];
	static uint32 left[46342];
	SdcCandidatesColumn column = {.kind = SDC_CANDIDATES_EXACT, .original = code,
	.protected = code, .codes = 1};
	SdcCandidatesTask task = {.records = 46342, .count = 1, .column = &column};
	static const uint32 other[2] = {1, 0};
	static const uint32 own[2] = {0, 1};

	/* 46,342^2 is just above 2^31, 46,340^2 below */
	CHECK(sdc_candidates_everybody(&task, left, NULL) == SDC_CANDIDATES_EDGES);
	task.records = 46340;
	CHECK(sdc_candidates_everybody(&task, left, NULL) == SDC_CANDIDATES_OK);
	CHECK(left[0] == 46340 && left[46339] == 46340);
	task.records = 0;
	CHECK(sdc_candidates_everybody(&task, left, NULL) == SDC_CANDIDATES_OK);
	column.original = own;
	column.protected = other;
	column.codes = 2;
	task.records = 2;
	CHECK(sdc_candidates_everybody(&task, left, NULL) == SDC_CANDIDATES_UNSOUND);
	column.protected = own;
	CHECK(sdc_candidates_everybody(&task, left, NULL) == SDC_CANDIDATES_OK && left[0] == 1 &&
		  left[1] == 1);
}

int
main(void)
{
	RUN(test_matchings);
	RUN(test_components);
	RUN(test_chain);
	RUN(test_one_way);
	RUN(test_status);
	return tap_done();
}

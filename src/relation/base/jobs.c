/*-------------------------------------------------------------------------
 *
 * jobs.c
 *		Work in tasks, done by this process or shared with parallel workers.
 *
 * What share says is listed: arrays, copies of structs, and the places of pointers in these copies.  Then it is known
 * how much there is.  The memory that processes share has all arrays, one image of all copies, and the list of the
 * pointers; a process makes a copy of its own of the image, and sets the pointers to where it sees what they lead to.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "relation/base/jobs.h"
#include "relation/base/largearray.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

/* An array that all processes see, by what it has at first. */
typedef struct Shared
{
	const void *data;			/* key */
	uint64		offset;
} Shared;

/* An array in the memory that processes share. */
typedef struct Array
{
	const void *data;			/* what it has at first, NULL: zeros, */
	void	   *result;			/* and where it goes at the end, or NULL */
	uint64		bytes;
	uint64		offset;
} Array;

/* A copy of structs. */
typedef struct Copy
{
	char	   *data;
	uint64		bytes;
	uint64		offset;			/* among all copies */
} Copy;

/* A pointer in a copy. */
typedef struct Reference
{
	uint64		offset;			/* where it is, among all copies */
	bool		copied;			/* it leads to a copy, and otherwise to an array */
	uint64		to;				/* offset of that */
} Reference;

/* What describes the work in that memory. */
typedef struct Packed
{
	char		name[NAMEDATALEN];	/* of what a process runs */
	bool		draws;			/* there is a secret, by which it draws */
	uint64		copied;
	uint64		image;
	uint64		pointers;
	uint64		pointer;
	uint64		team;
	uint64		team_bytes;
} Packed;

PGDLLEXPORT void sdc_jobs_worker(dsm_segment *segment, shm_toc *toc);

/* take_room takes so many bytes of the memory that processes share. */
static uint64
take_room(SdcJobs *jobs, uint64 bytes)
{
	uint64		offset = jobs->used;

	jobs->used += sdc_workers_bytes(bytes);
	return offset;
}

/* add_copy adds a copy of some bytes. */
static Copy *
add_copy(SdcJobs *jobs, const void *data, uint64 bytes)
{
	Copy	   *copy = palloc(sizeof(Copy));

	*copy = (Copy) {palloc(bytes), bytes, jobs->copied};
	memcpy(copy->data, data, bytes);
	jobs->copied += MAXALIGN64(bytes);
	jobs->copies = lappend(jobs->copies, copy);
	return copy;
}

/* add_pointer notes what a pointer leads to; the last copies are looked at first. */
static void
add_pointer(SdcJobs *jobs, const void *pointer, bool copied, uint64 to)
{
	const char *place = pointer;

	for (int i = list_length(jobs->copies); i-- > 0;)
	{
		const Copy *copy = list_nth(jobs->copies, i);

		if (place >= copy->data && place < copy->data + copy->bytes)
		{
			Reference    *added = palloc(sizeof(Reference));

			*added = (Reference) {copy->offset + (uint64) (place - copy->data), copied, to};
			jobs->pointers = lappend(jobs->pointers, added);
			return;
		}
	}
	elog(ERROR, "pointer is in nothing that was copied");
}

/* add_array has a pointer lead to an array of its own, and returns where this is. */
static uint64
add_array(SdcJobs *jobs, void *pointer, const void *data, void *result, uint64 bytes)
{
	Array	   *array = palloc(sizeof(Array));

	CHECK_FOR_INTERRUPTS();
	*array = (Array) {data, result, bytes, take_room(jobs, bytes)};
	jobs->arrays = lappend(jobs->arrays, array);
	add_pointer(jobs, pointer, false, array->offset);
	return array->offset;
}

/* sdc_jobs_copy: see jobs.h. */
void *
sdc_jobs_copy(SdcJobs *jobs, void *pointer, uint64 count, Size size)
{
	Copy	   *copy;

	if (*(void **) pointer == NULL)
		return NULL;
	copy = add_copy(jobs, *(void **) pointer, count * size);
	add_pointer(jobs, pointer, true, copy->offset);
	return copy->data;
}

/* sdc_jobs_share: see jobs.h. */
void
sdc_jobs_share(SdcJobs *jobs, void *pointer, uint64 count, Size size)
{
	const void *data = *(void **) pointer;
	Shared	   *shared;
	bool		found;

	if (data == NULL)
		return;
	shared = hash_search(jobs->shared, &data, HASH_ENTER, &found);
	if (found)
		add_pointer(jobs, pointer, false, shared->offset);
	else
		shared->offset = add_array(jobs, pointer, data, NULL, count * size);
}

/* sdc_jobs_room: see jobs.h. */
void
sdc_jobs_room(SdcJobs *jobs, void *pointer, uint64 count, Size size)
{
	(void) add_array(jobs, pointer, NULL, NULL, count * size);
}

/* sdc_jobs_result: see jobs.h. */
void
sdc_jobs_result(SdcJobs *jobs, void *pointer, uint64 count, Size size)
{
	void	   *result = *(void **) pointer;

	if (result != NULL)
		(void) add_array(jobs, pointer, NULL, result, count * size);
}

/* write_image writes all copies, as one. */
static void
write_image(const SdcJobs *jobs, char *image)
{
	ListCell   *cell;

	foreach(cell, jobs->copies)
	{
		const Copy *copy = lfirst(cell);

		memcpy(image + copy->offset, copy->data, copy->bytes);
	}
}

/* write_pointers writes what all pointers lead to. */
static void
write_pointers(const SdcJobs *jobs, Reference *pointer)
{
	ListCell   *cell;

	foreach(cell, jobs->pointers)
		*pointer++ = *(const Reference *) lfirst(cell);
}

/* write_arrays writes what arrays have at first. */
static void
write_arrays(const SdcJobs *jobs)
{
	ListCell   *cell;

	foreach(cell, jobs->arrays)
	{
		const Array *array = lfirst(cell);

		if (array->data != NULL)
			sdc_workers_copy(sdc_workers_at(jobs->workers, array->offset), array->data, array->bytes);
	}
}

/* take_results writes what results have at the end to where they are wanted. */
static void
take_results(const SdcJobs *jobs)
{
	ListCell   *cell;

	foreach(cell, jobs->arrays)
	{
		const Array *array = lfirst(cell);

		if (array->result != NULL)
			sdc_workers_copy(array->result, sdc_workers_at(jobs->workers, array->offset), array->bytes);
	}
}

/* unpack makes of what is there the struct of this process. */
static void
unpack(SdcJobs *jobs)
{
	const Packed *packed = sdc_workers_at(jobs->workers, jobs->workers->shared->root);
	const Reference *pointer = sdc_workers_at(jobs->workers, packed->pointer);
	char	   *copy = palloc(packed->copied);

	memcpy(copy, sdc_workers_at(jobs->workers, packed->image), packed->copied);
	for (uint64 i = 0; i < packed->pointers; i++)
	{
		char	   *base = pointer[i].copied ? copy : jobs->workers->base;

		*(void **) (copy + pointer[i].offset) = base + pointer[i].to;
	}
	jobs->work = copy;
	jobs->team = packed->team;
	jobs->team_bytes = packed->team_bytes;
}

/* pack puts all that was listed into memory that is made for it, or returns false: there is no room. */
static bool
pack(SdcJobs *jobs)
{
	Packed		packed = {.draws = jobs->random != NULL, .copied = jobs->copied,
	.pointers = (uint64) list_length(jobs->pointers)};
	uint64		root = take_room(jobs, sizeof(Packed));

	snprintf(packed.name, sizeof(packed.name), "%s", jobs->kind->name);
	packed.image = take_room(jobs, packed.copied);
	packed.pointer = take_room(jobs, sizeof(Reference) * packed.pointers);
	if (sdc_largearray_spares(jobs->used + jobs->team_bytes))
		packed.team_bytes = jobs->team_bytes;
	packed.team = take_room(jobs, packed.team_bytes);
	if (!sdc_largearray_spares(jobs->used))
		return false;
	jobs->workers = sdc_workers_create(jobs->used);
	memcpy(sdc_workers_at(jobs->workers, root), &packed, sizeof(Packed));
	jobs->workers->shared->root = root;
	write_image(jobs, sdc_workers_at(jobs->workers, packed.image));
	write_pointers(jobs, sdc_workers_at(jobs->workers, packed.pointer));
	write_arrays(jobs);
	return true;
}

/* list lists what share says, and packs it, or returns false: there is no room. */
static bool
list(SdcJobs *jobs, void *work)
{
	HASHCTL		control = {.keysize = sizeof(void *), .entrysize = sizeof(Shared), .hcxt = CurrentMemoryContext};

	jobs->shared = hash_create("sdc shared arrays", 64, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	jobs->used = sdc_workers_bytes(sizeof(SdcWorkersShared));
	jobs->kind->share(jobs, add_copy(jobs, work, jobs->kind->size)->data);
	return pack(jobs);
}

/* launch launches workers, which get what they draw from as a secret. */
static void
launch(SdcJobs *jobs, int wanted)
{
	SdcRandomShare secret;

	if (jobs->random == NULL)
		sdc_workers_launch(jobs->workers, "sdc_jobs_worker", wanted, NULL, 0);
	else
	{
		sdc_random_share(jobs->random, &secret);
		sdc_workers_launch(jobs->workers, "sdc_jobs_worker", wanted, &secret, sizeof(secret));
		explicit_bzero(&secret, sizeof(secret));
	}
}

/* sdc_jobs_begin: see jobs.h. */
SdcJobs *
sdc_jobs_begin(const SdcJobsKind *kind, void *work, int wanted, SdcRandom *random, uint64 team_bytes)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc jobs", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcJobs    *jobs = palloc0(sizeof(SdcJobs));

	jobs->kind = kind;
	jobs->work = work;
	jobs->random = random;
	jobs->context = context;
	jobs->team_bytes = team_bytes;
	if (wanted > 0 && (random == NULL || sdc_workers_keep_secrets()) && list(jobs, work))
	{
		unpack(jobs);
		launch(jobs, wanted);
	}
	else
	{
		jobs->workers = sdc_workers_create(0);
		jobs->team_bytes = 0;
	}
	MemoryContextSwitchTo(old);
	return jobs;
}

/* tell_done tells others how much is done: sdc_workers_tell. */
static void
tell_done(void *arg, uint64 done)
{
	const SdcJobs *jobs = arg;

	jobs->kind->tell(jobs->work, done);
}

/* sdc_jobs_count: see jobs.h. */
void
sdc_jobs_count(SdcJobs *jobs, uint64 steps)
{
	uint64		done = pg_atomic_add_fetch_u64(&jobs->workers->shared->done, steps);

	if (jobs->kind != NULL && jobs->kind->tell != NULL)
		jobs->kind->tell(jobs->work, done);
}

/* sdc_jobs_end: see jobs.h. */
void
sdc_jobs_end(SdcJobs *jobs)
{
	if (jobs->ended)
		return;
	jobs->ended = true;
	jobs->kind->process(jobs, jobs->work);
	if (jobs->kind->tell != NULL)
		sdc_workers_tell(jobs->workers, tell_done, jobs);
	sdc_workers_finish(jobs->workers);
}

/* sdc_jobs_finish: see jobs.h. */
void
sdc_jobs_finish(SdcJobs *jobs)
{
	sdc_jobs_end(jobs);
	if (jobs->kind->merge != NULL)
		jobs->kind->merge(jobs, jobs->work);
	if (sdc_jobs_shared(jobs))
		take_results(jobs);
	sdc_workers_destroy(jobs->workers);
	MemoryContextDelete(jobs->context);
}

/* sdc_jobs_run: see jobs.h. */
void
sdc_jobs_run(const SdcJobsKind *kind, void *work, int wanted, SdcRandom *random)
{
	sdc_jobs_finish(sdc_jobs_begin(kind, work, wanted, random, 0));
}

/* sdc_jobs_worker is what a worker does. */
void
sdc_jobs_worker(dsm_segment *segment pg_attribute_unused(), shm_toc *toc)
{
	SdcJobs    *jobs = palloc0(sizeof(SdcJobs));
	const Packed *packed;
	void		(*process) (SdcJobs *jobs, void *work);

	jobs->workers = sdc_workers_attach(toc);
	packed = sdc_workers_at(jobs->workers, jobs->workers->shared->root);
	unpack(jobs);
	if (packed->draws)
		jobs->random = sdc_random_attach(sdc_workers_secret(toc));
	process = (void (*) (SdcJobs *, void *)) load_external_function("$libdir/sdc", packed->name, true, NULL);
	process(jobs, jobs->work);
}

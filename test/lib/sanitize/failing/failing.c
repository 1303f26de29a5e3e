/*-------------------------------------------------------------------------
 *
 * failing.c
 *		A module of the tests that lets allocations below sdc fail.
 *
 * Every allocation of the server goes through the methods of a memory context.
 * This module takes their place, and while it is armed, one allocation fails
 * with the error that the server has for it.  Only what sdc asks for can fail,
 * itself or through the server: an allocation with a function of sdc.so among
 * its callers, found by following frame pointers, which the server of these
 * tests and the extension are built with.
 *
 * An allocation is known by its site: the innermost callers in sdc.so and what
 * they have called.  Each site fails once in a session, at the first or a later
 * time that it is passed; so as many runs as there are sites try them all.
 *
 * The memory of libcrypto is counted, and fails by number instead.  There the
 * module has to be the first to come: it belongs into shared_preload_libraries.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <link.h>
#include <openssl/crypto.h>
#include <sys/mman.h>
#include <unistd.h>

#include "access/xact.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/memnodes.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);

PG_FUNCTION_INFO_V1(failing_arm);
PG_FUNCTION_INFO_V1(failing_arm_crypto);
PG_FUNCTION_INFO_V1(failing_disarm);
PG_FUNCTION_INFO_V1(failing_site);
PG_FUNCTION_INFO_V1(failing_forget);
PG_FUNCTION_INFO_V1(failing_crypto_blocks);

/* Where the stack begins, from the dynamic linker. */
extern void *__libc_stack_end;

/* What makes a site: so many callers in sdc.so, and so many functions below them. */
#define CALLERS 4
#define CALLED 3

/* Frames that are followed at most, and sites that can be told apart. */
#define MOST_FRAMES 200
#define MOST_SITES 65536

/* The methods of a kind of context, and its own ones. */
typedef struct Kind
{
	MemoryContextMethods *methods;	/* in the server, now ours */
	MemoryContextMethods own;	/* as they were */
} Kind;

/* What is known of a site. */
typedef struct Site
{
	uint64		hash;			/* 0: free */
	int			passed;			/* times in this run */
	bool		failed;			/* had its turn */
} Site;

static Kind kinds[3];
static Site sites[MOST_SITES];
static uintptr_t library_base;	/* what addresses in its file count from */
static uintptr_t library_start; /* its code */
static uintptr_t library_end;

static bool armed = false;
static int	fail_at = 1;		/* the time that a site is passed */
static bool has_failed = false;
static uintptr_t failed_callers[CALLERS];

static int64 crypto_blocks = 0; /* blocks that libcrypto holds */
static int64 crypto_left = 0;	/* allocations until one fails; 0: none */

/* note_library is called for every library, and notes where sdc.so lies. */
static int
note_library(struct dl_phdr_info *info, size_t size pg_attribute_unused(), void *arg pg_attribute_unused())
{
	Size		length = strlen(info->dlpi_name);

	if (length < 7 || strcmp(info->dlpi_name + length - 7, "/sdc.so") != 0)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
	{
		const ElfW(Phdr) * part = &info->dlpi_phdr[i];

		if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0)
		{
			library_base = info->dlpi_addr;
			library_start = library_base + part->p_vaddr;
			library_end = library_start + part->p_memsz;
		}
	}
	return 1;
}

/*
 * find_site follows the frames outwards, and returns the hash of the site, 0 if sdc.so is not
 * among the callers.  The last functions before sdc.so count, and the first callers in it.
 */
__attribute__((no_sanitize("address", "undefined"), noinline))
static uint64
find_site(uintptr_t *callers)
{
	uintptr_t  *frame = __builtin_frame_address(0);
	uintptr_t	called[CALLED] = {0};
	uint64		hash = UINT64CONST(14695981039346656037);
	int			found = 0;

	for (int i = 0; i < MOST_FRAMES && found < CALLERS; i++)
	{
		uintptr_t  *next = (uintptr_t *) frame[0];
		uintptr_t	from = frame[1];

		if (from >= library_start && from < library_end)
			callers[found++] = from;
		else if (found == 0)
		{
			memmove(called + 1, called, (CALLED - 1) * sizeof(uintptr_t));
			called[0] = from;
		}
		if (next <= frame || (void *) (next + 1) >= __libc_stack_end)
			break;
		frame = next;
	}
	if (found == 0)
		return 0;
	for (int i = 0; i < found; i++)
		hash = (hash ^ callers[i]) * UINT64CONST(1099511628211);
	for (int i = 0; i < CALLED; i++)
		hash = (hash ^ called[i]) * UINT64CONST(1099511628211);
	return hash | 1;
}

/* site_entry returns the entry of a site, a new one if need be, or NULL when there are too many. */
static Site *
site_entry(uint64 hash)
{
	for (uint64 i = 0; i < MOST_SITES; i++)
	{
		Site	   *site = &sites[(hash / 2 + i) % MOST_SITES];

		if (site->hash == 0)
			site->hash = hash;
		if (site->hash == hash)
			return site;
	}
	return NULL;
}

/*
 * in_transaction tells whether a context ends with the transaction or statement.  What lives
 * longer belongs to the server, which does not bear every failure there: a lock without the
 * list of its owners, for instance, makes the next use of that lock crash.
 */
static bool
in_transaction(MemoryContext context)
{
	for (; context != NULL; context = context->parent)
	{
		if (context == TopTransactionContext || context == MessageContext ||
			(PortalContext != NULL && context == PortalContext->parent))
			return true;
	}
	return false;
}

/*
 * perhaps_fail raises an error if it is the turn of this allocation.  Not where the server
 * cannot bear it either: in critical sections, in contexts that outlive the transaction, and
 * while a transaction begins or ends.
 */
static void
perhaps_fail(MemoryContext context)
{
	uintptr_t	callers[CALLERS] = {0};
	uint64		hash;
	Site	   *site;

	if (!armed || CritSectionCount > 0 || !IsTransactionState() || !in_transaction(context))
		return;
	hash = find_site(callers);
	if (hash == 0)
		return;
	site = site_entry(hash);
	if (site == NULL || site->failed || ++site->passed < fail_at)
		return;
	site->failed = true;
	armed = false;
	has_failed = true;
	memcpy(failed_callers, callers, sizeof(callers));
	ereport(ERROR,
			(errcode(ERRCODE_OUT_OF_MEMORY),
			 errmsg("out of memory"),
			 errdetail("Let fail in memory context \"%s\".", context->name)));
}

/* failing_alloc and the next ones stand in the place of the alloc of a kind of context. */
static void *
failing_alloc_0(MemoryContext context, Size size)
{
	perhaps_fail(context);
	return kinds[0].own.alloc(context, size);
}

static void *
failing_alloc_1(MemoryContext context, Size size)
{
	perhaps_fail(context);
	return kinds[1].own.alloc(context, size);
}

static void *
failing_alloc_2(MemoryContext context, Size size)
{
	perhaps_fail(context);
	return kinds[2].own.alloc(context, size);
}

/* failing_realloc and the next one do so for realloc, which slabs do not have. */
static void *
failing_realloc_0(MemoryContext context, void *pointer, Size size)
{
	perhaps_fail(context);
	return kinds[0].own.realloc(context, pointer, size);
}

static void *
failing_realloc_1(MemoryContext context, void *pointer, Size size)
{
	perhaps_fail(context);
	return kinds[1].own.realloc(context, pointer, size);
}

/* take_place puts our methods in the place of those of a context's kind. */
static void
take_place(Kind *kind, MemoryContext context,
		   void *(*alloc) (MemoryContext, Size), void *(*again) (MemoryContext, void *, Size))
{
	uintptr_t	page = (uintptr_t) sysconf(_SC_PAGESIZE);
	uintptr_t	start;

	kind->methods = unconstify(MemoryContextMethods *, context->methods);
	kind->own = *kind->methods;
	start = (uintptr_t) kind->methods / page * page;
	if (mprotect((void *) start, (uintptr_t) (kind->methods + 1) - start, PROT_READ | PROT_WRITE) != 0)
		elog(ERROR, "could not make the methods of memory contexts writable: %m");
	kind->methods->alloc = alloc;
	if (again != NULL)
		kind->methods->realloc = again;
}

/* crypto_turn tells whether this allocation of libcrypto is the one that fails. */
static bool
crypto_turn(void)
{
	if (crypto_left == 0 || --crypto_left > 0)
		return false;
	has_failed = true;
	return true;
}

/* crypto_malloc is libcrypto's malloc. */
static void *
crypto_malloc(size_t size, const char *file pg_attribute_unused(), int line pg_attribute_unused())
{
	if (crypto_turn())
		return NULL;
	crypto_blocks++;
	return malloc(size);
}

/* crypto_realloc is libcrypto's realloc. */
static void *
crypto_realloc(void *pointer, size_t size, const char *file pg_attribute_unused(), int line pg_attribute_unused())
{
	if (crypto_turn())
		return NULL;
	if (pointer == NULL)
		crypto_blocks++;
	return realloc(pointer, size);
}

/* crypto_free is libcrypto's free. */
static void
crypto_free(void *pointer, const char *file pg_attribute_unused(), int line pg_attribute_unused())
{
	if (pointer != NULL)
		crypto_blocks--;
	free(pointer);
}

/* _PG_init takes the place of the methods of all kinds of contexts, and of libcrypto's malloc. */
void
_PG_init(void)
{
	MemoryContext generation = GenerationContextCreate(CurrentMemoryContext, "generation", ALLOCSET_SMALL_SIZES);
	MemoryContext slab = SlabContextCreate(CurrentMemoryContext, "slab", SLAB_DEFAULT_BLOCK_SIZE, 64);

	take_place(&kinds[0], TopMemoryContext, failing_alloc_0, failing_realloc_0);
	take_place(&kinds[1], generation, failing_alloc_1, failing_realloc_1);
	take_place(&kinds[2], slab, failing_alloc_2, NULL);
	MemoryContextDelete(generation);
	MemoryContextDelete(slab);
	if (CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free) != 1)
		elog(WARNING, "libcrypto has been in use before: its allocations will not fail");
}

/* failing_arm(passed) lets the next new site fail when it is passed so many times. */
Datum
failing_arm(PG_FUNCTION_ARGS)
{
	fail_at = PG_GETARG_INT32(0);
	for (int i = 0; i < MOST_SITES; i++)
		sites[i].passed = 0;
	library_end = 0;
	dl_iterate_phdr(note_library, NULL);
	if (library_end == 0)
		elog(ERROR, "sdc.so has not been loaded");
	has_failed = false;
	armed = true;
	PG_RETURN_VOID();
}

/* failing_arm_crypto(number) lets that allocation of libcrypto fail. */
Datum
failing_arm_crypto(PG_FUNCTION_ARGS)
{
	has_failed = false;
	crypto_left = PG_GETARG_INT32(0);
	PG_RETURN_VOID();
}

/* failing_disarm() tells whether an allocation failed, and lets no more fail. */
Datum
failing_disarm(PG_FUNCTION_ARGS pg_attribute_unused())
{
	armed = false;
	crypto_left = 0;
	PG_RETURN_BOOL(has_failed);
}

/* failing_site() returns the callers of the allocation that failed, as addresses in sdc.so. */
Datum
failing_site(PG_FUNCTION_ARGS pg_attribute_unused())
{
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; i < CALLERS && failed_callers[i] != 0; i++)
		appendStringInfo(&text, "%s0x%lx", i > 0 ? " " : "",
						 (unsigned long) (failed_callers[i] - library_base - 1));
	PG_RETURN_TEXT_P(cstring_to_text(text.data));
}

/* failing_forget() gives all sites another turn. */
Datum
failing_forget(PG_FUNCTION_ARGS pg_attribute_unused())
{
	memset(sites, 0, sizeof(sites));
	PG_RETURN_VOID();
}

/* failing_crypto_blocks() returns how many blocks libcrypto holds. */
Datum
failing_crypto_blocks(PG_FUNCTION_ARGS pg_attribute_unused())
{
	PG_RETURN_INT64(crypto_blocks);
}

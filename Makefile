# Makefile of the PostgreSQL extension sdc (PGXS).
#
#	make, make install, make installcheck	as for every extension
#	make check-kernel	the kernels outside the server, under sanitizers
#	make bench			the benchmarks, on a private cluster
#	make dist			a source archive of HEAD
#
# The version stands in sdc.control.

EXTENSION = sdc
MODULE_big = sdc
DATA = sdc--1.0.sql
DOCS =

OBJS = \
	src/kernel/agreement.o \
	src/kernel/anatomy.o \
	src/kernel/assign.o \
	src/kernel/bitmaps.o \
	src/kernel/boxes.o \
	src/kernel/checksum.o \
	src/kernel/contingency.o \
	src/kernel/corrbias.o \
	src/kernel/entropy.o \
	src/kernel/equidepth.o \
	src/kernel/equiwidth.o \
	src/kernel/farpair.o \
	src/kernel/grouping.o \
	src/kernel/inference.o \
	src/kernel/itemlevels.o \
	src/kernel/itemsearch.o \
	src/kernel/itemsets.o \
	src/kernel/itemstore.o \
	src/kernel/kdorder.o \
	src/kernel/keylist.o \
	src/kernel/loss.o \
	src/kernel/lossstate.o \
	src/kernel/lossterms.o \
	src/kernel/median.o \
	src/kernel/moments.o \
	src/kernel/mondrian.o \
	src/kernel/nearest.o \
	src/kernel/nearpoints.o \
	src/kernel/nearprefix.o \
	src/kernel/nearquery.o \
	src/kernel/neartree.o \
	src/kernel/posset.o \
	src/kernel/problink.o \
	src/kernel/queries.o \
	src/kernel/querydraw.o \
	src/kernel/queryeval.o \
	src/kernel/queryindex.o \
	src/kernel/randomize.o \
	src/kernel/ranklink.o \
	src/kernel/ranklinker.o \
	src/kernel/rankorder.o \
	src/kernel/ranksearch.o \
	src/kernel/rankswap.o \
	src/kernel/ranktree.o \
	src/kernel/rankunion.o \
	src/kernel/rules.o \
	src/kernel/sample.o \
	src/kernel/shrinktree.o \
	src/kernel/space.o \
	src/kernel/stream.o \
	src/kernel/support.o \
	src/kernel/tally.o \
	src/kernel/widths.o \
	src/kernel/window.o \
	src/kernel/wordsort.o \
	src/relation/actas.o \
	src/relation/args.o \
	src/relation/binswap.o \
	src/relation/catalog.o \
	src/relation/catalogtable.o \
	src/relation/column.o \
	src/relation/comparison.o \
	src/relation/condition.o \
	src/relation/dictionary.o \
	src/relation/donate.o \
	src/relation/encode.o \
	src/relation/external.o \
	src/relation/generalize.o \
	src/relation/groupcount.o \
	src/relation/image.o \
	src/relation/label.o \
	src/relation/members.o \
	src/relation/memory.o \
	src/relation/numbers.o \
	src/relation/opening.o \
	src/relation/ordering.o \
	src/relation/pairing.o \
	src/relation/pairsort.o \
	src/relation/partition.o \
	src/relation/permute.o \
	src/relation/progress.o \
	src/relation/protect.o \
	src/relation/random.o \
	src/relation/randomize.o \
	src/relation/reach.o \
	src/relation/reader.o \
	src/relation/register.o \
	src/relation/release.o \
	src/relation/seal.o \
	src/relation/source.o \
	src/relation/spi.o \
	src/relation/swap.o \
	src/relation/table.o \
	src/relation/testpoint.o \
	src/relation/trust.o \
	src/relation/types.o \
	src/sql/anonymity.o \
	src/sql/associate.o \
	src/sql/attempt.o \
	src/sql/binargs.o \
	src/sql/binswap.o \
	src/sql/classify.o \
	src/sql/compare.o \
	src/sql/entropyagg.o \
	src/sql/evaluate.o \
	src/sql/groups.o \
	src/sql/itemjson.o \
	src/sql/link.o \
	src/sql/lossagg.o \
	src/sql/module.o \
	src/sql/partition.o \
	src/sql/progress.o \
	src/sql/protection.o \
	src/sql/queryerror.o \
	src/sql/queryerrors.o \
	src/sql/randomize.o \
	src/sql/rankmethod.o \
	src/sql/rankswap.o \
	src/sql/recordrisk.o \
	src/sql/releases.o \
	src/sql/score.o \
	src/sql/settings.o \
	src/sql/swapmeasures.o \
	src/sql/window.o

REGRESS = install setup arguments overloads rankswap types edge relations \
	determinism row_form window catalog attack score attack_rights loss_aggregate \
	warnings privileges rls injection transactions randomize randomize_types \
	randomize_arguments generalize generalize_types permute permute_views \
	anonymity inference entropy groups query_errors query_error associations \
	association_recall comparison_rights equidepth equiwidth binswap_forms \
	binswap_arguments swap_measures swap_measures_arguments golden \
	hostile_coverage
REGRESS_OPTS = --inputdir=$(srcdir) --encoding=UTF8 --no-locale

# What concurrent sessions see: test/isolation/specs.
ISOLATION = \
	classify \
	replace_reader \
	replace_replace \
	same_target \
	source_change
ISOLATION_OPTS = --inputdir=$(srcdir)/test/isolation --load-extension=sdc

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)

SDC_VERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" $(firstword $(wildcard $(dir $(firstword $(MAKEFILE_LIST)))sdc.control)))

# A release must not depend on the compiler: no contraction, no fast-math.
# (Also in the bitcode for JIT, which gets these flags only.)
# The server's headers count as system headers: -Wextra is for ours.
PG_CPPFLAGS = -ffp-contract=off -I$(srcdir)/src -isystem $(shell $(PG_CONFIG) --includedir-server) -DSDC_VERSION='"$(SDC_VERSION)"'
PG_CFLAGS = -Wall -Wextra
SHLIB_LINK += -lcrypto -lm

include $(PGXS)

# Every object depends on every header: few files, and never a stale build.
$(OBJS): $(wildcard $(srcdir)/src/*/*.h) $(srcdir)/sdc.control

# A VPATH build needs the folders of the objects.
ifneq ($(realpath $(srcdir)),$(realpath $(CURDIR)))
$(shell mkdir -p $(sort $(dir $(OBJS))))
endif

.PHONY: check-kernel bench dist

check-kernel:
	$(MAKE) -C $(srcdir)/test/kernel check

bench:
	$(srcdir)/test/bench

dist:
	git -C $(srcdir) archive --format=tar.gz --prefix=sdc-$(SDC_VERSION)/ \
		-o $(CURDIR)/sdc-$(SDC_VERSION).tar.gz HEAD

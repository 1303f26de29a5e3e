# Makefile of the PostgreSQL extension sdc (PGXS).
#
#	make, make install, make installcheck	as for every extension
#	make check-kernel	the kernels outside the server, under sanitizers
#	make bench			the benchmarks, on a private cluster
#	make dist			source archives of HEAD, and nothing else: one for packages, one for PGXN
#
# The version stands in sdc.control, that of a release, which has a third number, in META.json.  The script that CREATE EXTENSION runs is put together from
# src/sql/*.sql, in the order that stands here.

EXTENSION = sdc
MODULE_big = sdc
DOCS = README.md CHANGELOG.md

# The folder of this file, also in a VPATH build, and every C file below src in a fixed order.
SDC_DIR := $(patsubst %/,%,$(dir $(firstword $(MAKEFILE_LIST))))
SDC_SOURCES := $(sort $(wildcard $(SDC_DIR)/src/*/*.c $(SDC_DIR)/src/*/*/*.c))

# What is below comes before what uses it.
SDC_SQL = schema catalog protect register risk accuracy entropy associations evaluate plumbing views \
	policies limits publish runs pictures reportrisk reportuse report propose progress owner rights

OBJS = $(SDC_SOURCES:$(SDC_DIR)/%.c=%.o)

# Every file in sql, in the order of their names; but first those that others build on.
REGRESS_FIRST = install setup associations equidepth equiwidth
REGRESS_ALL := $(sort $(notdir $(basename $(wildcard $(SDC_DIR)/sql/*.sql))))
# REGRESS_SKIP: names of tests to leave out
REGRESS = $(REGRESS_FIRST) $(filter-out $(REGRESS_FIRST) $(REGRESS_SKIP),$(REGRESS_ALL))
REGRESS_OPTS = --inputdir=$(srcdir) --encoding=UTF8 --no-locale

# What concurrent sessions see: every file in test/isolation/specs.
ISOLATION := $(sort $(notdir $(basename $(wildcard $(SDC_DIR)/test/isolation/specs/*.spec))))
ISOLATION_OPTS = --inputdir=$(srcdir)/test/isolation --load-extension=sdc

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)

SDC_VERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" $(SDC_DIR)/sdc.control)

SDC_RELEASE := $(shell sed -n 's/^   "version": "\(.*\)",/\1/p' $(SDC_DIR)/META.json)

# An update script is a file X--Y.sql of src/sql/updates after a look at the library, and then what settles owners and
# rights, as it does at first.
SDC_UPDATES := $(patsubst $(SDC_DIR)/src/sql/updates/%.sql,sdc--%.sql,$(wildcard $(SDC_DIR)/src/sql/updates/*--*.sql))

DATA_built = sdc--$(SDC_VERSION).sql $(SDC_UPDATES)

# A release must not depend on the compiler: no contraction, no fast-math.
# (Also in the bitcode for JIT, which gets these flags only.)
# The server's headers count as system headers: -Wextra is for ours.
PG_CPPFLAGS = -ffp-contract=off -I$(srcdir)/src -include $(srcdir)/src/relation/base/domain.h -isystem $(shell $(PG_CONFIG) --includedir-server) -DSDC_VERSION='"$(SDC_VERSION)"'
PG_CFLAGS = -Wall -Wextra
SHLIB_LINK += -lcrypto -lm

include $(PGXS)

# Documents lead to one another by relative names, and other extensions have a README.md too.
docmoduledir := extension/sdc
DOCUMENTS := $(sort $(wildcard $(srcdir)/doc/*.md))

install: install-documents
uninstall: uninstall-documents

.PHONY: install-documents uninstall-documents
ifdef docdir
install-documents: installdirs
	$(MKDIR_P) '$(DESTDIR)$(docdir)/$(docmoduledir)/doc'
	$(INSTALL_DATA) $(DOCUMENTS) '$(DESTDIR)$(docdir)/$(docmoduledir)/doc/'

uninstall-documents:
	rm -f $(addprefix '$(DESTDIR)$(docdir)/$(docmoduledir)/doc'/, $(notdir $(DOCUMENTS)))
endif

# Every object depends on every header: few files, and never a stale build.
$(OBJS): $(wildcard $(srcdir)/src/*/*.h $(srcdir)/src/*/*/*.h) $(srcdir)/sdc.control

sdc--$(SDC_VERSION).sql: $(SDC_SQL:%=$(srcdir)/src/sql/%.sql) $(srcdir)/src/sql/assemble.awk $(srcdir)/sdc.control
	awk -f $(srcdir)/src/sql/assemble.awk $(filter %.sql,$^) >$@

$(SDC_UPDATES): sdc--%.sql: $(srcdir)/src/sql/updates/first.sql $(srcdir)/src/sql/updates/%.sql $(srcdir)/src/sql/owner.sql \
		$(srcdir)/src/sql/rights.sql $(srcdir)/src/sql/assemble.awk
	awk -f $(srcdir)/src/sql/assemble.awk $(filter %.sql,$^) >$@

# A VPATH build needs the folders of the objects.
ifneq ($(realpath $(srcdir)),$(realpath $(CURDIR)))
$(shell mkdir -p $(sort $(dir $(OBJS))))
endif

.PHONY: check-kernel bench dist reference

check-kernel:
	$(MAKE) -C $(srcdir)/test/kernel check

bench:
	$(srcdir)/test/bench

# The signatures of the reference, as the SQL files declare them.
reference:
	python3 $(srcdir)/src/sql/signatures.py

dist:
	for format in tar.gz zip; do \
		git -C $(srcdir) archive --format=$$format --prefix=sdc-$(SDC_RELEASE)/ -o $(CURDIR)/sdc-$(SDC_RELEASE).$$format HEAD || exit; \
	done

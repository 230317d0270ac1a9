# cabprof: the whole build, non-recursive.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   make                     build everything below $(BUILD); it runs from there without installation
#   make check               install what is missing, build, run all tests
#   make check-fast          build, and run what is short: before each commit
#   make check-all           as check, with all crossings and seeds of which check has a sample
#   make torture             check-all, and all execution tests of GCC and all real programs, with GCC's internal
#                            checks (hours; LEVELS="-O1 -O2" for the former); ARGS=suites: only the former;
#                            GCC=14: under that GCC, in a system with it, as check-gcc
#   make check-gcc GCC=14    check under that GCC, in a Debian system with it (below $(BUILD)/systems);
#                            ARGS="--fast link/" are arguments of testsuite/run
#   make check-all-gcc       the same for each GCC from 11 to 16; fills in docs/compatibility.md
#   make check-html          open pages of real profiles in a browser; screenshots go below $(BUILD)/html
#   make demo                the tour: profile bzip2, with checks (testsuite/demo.sh)
#   make bench               measure costs
#   make bench-memory        measure what recording every access to memory costs (QUICK=1: small inputs)
#   make bench-deps          measure what finding dependences costs (QUICK=1: small inputs)
#   make bench-loops         measure what the loop feedback gains (hours; QUICK=1: some minutes)
#   make experiments         measure what the papers have measured (35 minutes; QUICK=1: four)
#   make install PREFIX= DESTDIR=,  make uninstall,  make clean
#   make deps                install the packages that are missing
# GCC=gcc-11 builds with, and first of all for, another compiler.  V=1 shows commands in place of short lines.

VERSION := 0.1
BUILD ?= build
# One name for one directory, whoever calls: files of dependencies have it in them.
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))
PREFIX ?= /usr/local
DESTDIR ?=
GCC ?= gcc

ifeq ($(origin CC),default)
  CC := $(GCC)
endif
ifeq ($(origin CXX),default)
  CXX := $(or $(shell command -v $(subst gcc,g++,$(GCC)) 2>/dev/null),g++)
endif
CFLAGS ?= -O2 -g
CXXFLAGS ?= -O2 -g
WARNINGS := -Wall -Wextra

# $(call quiet,CC,NAME)COMMAND prints "CC   NAME" in place of the command, unless V=1.
quiet = $(if $(filter 1,$(V)),,@printf '%-4s %s\n' '$(1)' '$(2)' && )

# One goal uses all processors, unless -j says otherwise; several goals may have an order.
ifeq ($(MAKELEVEL)$(word 2,$(MAKECMDGOALS)),0)
  MAKEFLAGS += -j$(shell nproc)
endif

# Without this, a rule that fails half way would leave a file that looks done.
.DELETE_ON_ERROR:
# all comes first; what it consists of is collected in ALL by the parts.
.PHONY: all check check-fast check-all check-gcc check-all-gcc check-html torture demo bench bench-memory \
  bench-deps bench-loops experiments install install-plugin uninstall uninstall-plugin clean deps
all:

ALL :=
include $(wildcard plugin/plugin.mk rt/rt.mk analyses/analyses.mk loopfb/loopfb.mk docs/docs.mk)
include $(wildcard testsuite/testsuite.mk testsuite/*/*.mk)
all: $(ALL)

# What only tests run; the parts add theirs to CHECK_NEEDS.  The runner asks for the names of those that are tests.
.PHONY: test-programs test-names
test-programs: $(CHECK_NEEDS)

test-names:
	@printf '%s\n' $(patsubst $(BUILD)/%,%,$(filter $(BUILD)/unit/% $(BUILD)/rt-test/%,$(CHECK_NEEDS)))

deps:
	@GCC="$(GCC)" testsuite/deps.sh

check: deps
	@$(MAKE) --no-print-directory all test-programs
	@BUILD=$(BUILD) testsuite/run

check-fast:
	@$(MAKE) --no-print-directory all test-programs
	@BUILD=$(BUILD) testsuite/run --fast

check-all: deps
	@$(MAKE) --no-print-directory all test-programs
	@BUILD=$(BUILD) testsuite/run --all

# ARGS are arguments of testsuite/torture.sh, of which only `tests' needs the tests' programs. A
# number, as GCC=14, means the Debian system that has this GCC.
LEVELS ?= -O2
torture_parts := $(filter tests suites checked further,$(ARGS))
torture_programs := $(if $(torture_parts),$(if $(filter tests,$(torture_parts)),test-programs),\
  test-programs)
ifneq ($(findstring gcc,$(GCC)),)
torture: deps
	@$(MAKE) --no-print-directory all $(torture_programs)
	@BUILD=$(BUILD) LEVELS="$(LEVELS)" testsuite/torture.sh $(ARGS)
else
torture:
	@BUILD=$(BUILD) testsuite/system.sh $(GCC) -- env CAB_OTHER_SYSTEM=1 \
	  make torture GCC=gcc-$(GCC) LEVELS="$(LEVELS)" ARGS="$(ARGS)"
endif

# The suite under another GCC, in a Debian system that has it: GCC=14, a number.
check-gcc:
	@BUILD=$(BUILD) testsuite/system.sh "$(patsubst gcc-%,%,$(filter-out gcc,$(GCC)))" $(ARGS)

check-all-gcc:
	@BUILD=$(BUILD) testsuite/compatibility.sh $(ARGS)

check-html: deps
	@$(MAKE) --no-print-directory all
	@BUILD=$(BUILD) testsuite/html.sh

demo: deps
	@$(MAKE) --no-print-directory all
	@BUILD=$(BUILD) testsuite/demo.sh

bench: deps
	@$(MAKE) --no-print-directory all
	@BUILD=$(BUILD) testsuite/bench/run

bench-memory: deps
	@$(MAKE) --no-print-directory all
	@BUILD=$(BUILD) testsuite/bench/memory/run

bench-deps: deps
	@$(MAKE) --no-print-directory all
	@BUILD=$(BUILD) testsuite/bench/deps/run

bench-loops: deps
	@$(MAKE) --no-print-directory all
	@BUILD=$(BUILD) testsuite/bench/loops/run

experiments: deps
	@$(MAKE) --no-print-directory all $(experiment_programs)
	@BUILD=$(BUILD) testsuite/experiments/run

# The runtime, the command and the documents; plugin.mk has its own part.
install: all install-plugin
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,bin lib include/cabprof $(addprefix share/man/man,1 3 5 7))
	install -m 755 $(BUILD)/lib/libcabprof.so.1 $(DESTDIR)$(PREFIX)/lib
	install -m 755 $(PRELOADED) $(DESTDIR)$(PREFIX)/lib
	install -m 644 $(BUILD)/lib/libcabprof.a $(DESTDIR)$(PREFIX)/lib
	install -m 755 $(BUILD)/bin/cabprof $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(wildcard include/cabprof/*.h) $(DESTDIR)$(PREFIX)/include/cabprof
	install -m 644 include/cabprof/cabprof.f90 $(DESTDIR)$(PREFIX)/include/cabprof
	for page in $(BUILD)/man/cabprof*.[1357]; do \
	  [ ! -e "$$page" ] || install -m 644 "$$page" $(DESTDIR)$(PREFIX)/share/man/man$${page##*.} || exit 1; \
	done
	$(update_loader)

uninstall: uninstall-plugin
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/lib/,libcabprof.so.1 $(notdir $(PRELOADED)) libcabprof.a) \
	  $(DESTDIR)$(PREFIX)/bin/cabprof \
	  $(DESTDIR)$(PREFIX)/share/man/man1/cabprof.1 $(DESTDIR)$(PREFIX)/share/man/man[1357]/cabprof-*.[1357]
	rm -rf $(DESTDIR)$(PREFIX)/include/cabprof
	$(update_loader)

# Of the system itself only, and where we may.
update_loader = @if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

clean:
	rm -rf $(BUILD)

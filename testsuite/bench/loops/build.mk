# build.mk - builds one program of `make bench-loops'; the Makefile that `recipe prepare' writes
# into a directory includes it.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Set before: PROGRAM, ROOT (sources are named relative to it), SOURCES, CPPFLAGS, LIBS. From
# outside: CC, CXX, FC, CFLAGS (for all languages).
#
# An object is named after its source's path, since two sources may have one name.

ifeq ($(origin CC),default)
  CC := gcc
endif
ifeq ($(origin CXX),default)
  CXX := g++
endif
ifeq ($(origin FC),default)
  FC := gfortran
endif
CFLAGS ?= -O3 -g

compiler_.c := $(CC) -w $(CPPFLAGS)
compiler_.cc := $(CXX) -w $(CPPFLAGS)
compiler_.f := $(FC) -w
compiler_.f90 := $(FC) -w
compiler_.F := $(FC) -w
compiler_.F90 := $(FC) -w

object = $(subst /,-,$(subst ../,,$(basename $(1)))).o
objects := $(foreach source,$(SOURCES),$(call object,$(source)))
linker := $(if $(filter %.cc,$(SOURCES)),$(CXX),$(if $(filter %.f %.f90 %.F,$(SOURCES)),$(FC),$(CC)))

$(PROGRAM): $(objects)
	$(linker) $(CFLAGS) -o $@ $(objects) $(LIBS)

define rule
$(call object,$(1)): $(ROOT)/$(1)
	$(compiler_$(suffix $(1))) $(CFLAGS) -c -o $$@ $$<
endef
$(foreach source,$(SOURCES),$(eval $(call rule,$(source))))

.PHONY: clean
clean:
	rm -f $(PROGRAM) $(objects)

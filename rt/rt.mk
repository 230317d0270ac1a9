# The runtime: libcabprof.so.1 and libcabprof.a.
# SPDX-License-Identifier: GPL-3.0-or-later

RT_CFLAGS = $(RT_LIBC) -std=gnu11 -D_GNU_SOURCE -O3 -g -fPIC -fvisibility=hidden -ftls-model=initial-exec -fno-stack-protector -fcf-protection=branch \
  -Wall -Wextra \
  -U_FORTIFY_SOURCE -DCAB_VERSION_TEXT='"cabprof $(VERSION)"' -Iinclude -I. -Ianalyses -MMD -MP

# Calls of the C library become calls of the runtime's own functions, but not in what refers to the
# C library on purpose, nor in these functions themselves, whose loops must stay loops.
RT_LIBC = -include rt/libc.h
$(BUILD)/rt/rt/gthreads.o: RT_LIBC =
RT_LIBC_OBJS := $(patsubst %,$(BUILD)/rt/rt/libc_%.o,string system found found_static)
$(RT_LIBC_OBJS): RT_LIBC = -fno-builtin -fno-tree-loop-distribute-patterns

RT_SRCS := $(sort $(filter-out rt/gthreads.c,$(wildcard rt/*.c)) $(wildcard rt/*.S) $(wildcard analyses/an_*.c) analyses/registry.c analyses/states.c analyses/choice.c analyses/chosen.c \
  analyses/record_line.c analyses/regions.c analyses/regions_nest.c analyses/regions_shape.c analyses/nest.c analyses/undo.c analyses/values_state.c analyses/blocks.c analyses/strangers.c \
  analyses/cache_arguments.c analyses/cache_commit.c analyses/cache_cut.c analyses/cache_feed.c analyses/cache_rounds.c analyses/cache_section.c analyses/section_again.c analyses/cache_streams.c analyses/section_d1.c analyses/host_caches.c analyses/cachesim_geometry.c analyses/live_caches.c analyses/live_steps.c analyses/simulate.c \
  analyses/own.c analyses/lru.c)
RT_OBJS := $(patsubst %,$(BUILD)/rt/%.o,$(basename $(RT_SRCS)))

# Regions are short, and sets have few ways: preparing a loop for many rounds takes longer than what it saves.
$(BUILD)/rt/rt/expand.o: RT_CFLAGS += -O2 -fno-ivopts
$(BUILD)/rt/analyses/cache_commit.o $(BUILD)/rt/analyses/cache_feed.o $(BUILD)/rt/analyses/cache_section.o $(BUILD)/rt/analyses/live_steps.o: RT_CFLAGS += -O2 -fno-tree-vectorize

$(BUILD)/rt/%.o: %.c rt/libc.h
	@mkdir -p $(@D)
	$(CC) $(RT_CFLAGS) -c $< -o $@

$(BUILD)/rt/rt/trampoline.o: RT_LIBC =
$(BUILD)/rt/%.o: %.S
	@mkdir -p $(@D)
	$(CC) $(RT_CFLAGS) -c $< -o $@

# Never unloaded: threads and forked children come back to it.
$(BUILD)/lib/libcabprof.so.1: $(RT_OBJS) rt/libcabprof.map
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,libcabprof.so.1 -Wl,-z,nodelete -Wl,-z,defs -Wl,-e,cab_runtime \
	  -Wl,--version-script=rt/libcabprof.map $(RT_OBJS) -lpthread -o $@

# Statically linked programs have no loader.
RT_STATIC_OBJS := $(patsubst %/own.o,%/own_static.o,$(patsubst %/sampler.o,%/sampler_static.o,$(patsubst %/libc_found.o,%/libc_found_static.o,$(filter-out %/symbols.o,$(RT_OBJS))))) $(BUILD)/rt/rt/gthreads.o
$(BUILD)/rt/analyses/own_static.o $(BUILD)/rt/rt/sampler_static.o $(BUILD)/rt/rt/libc_found_static.o: $(BUILD)/rt/%_static.o: %.c rt/libc.h
	@mkdir -p $(@D)
	$(CC) $(RT_CFLAGS) -DCAB_STATIC -c $< -o $@

# Sections of its own, by which samples in the runtime are told from the program's (loopfb/image.h).
OBJCOPY ?= objcopy
RT_STATIC_SECTIONS = $(foreach end,.unlikely .hot .startup .exit,--rename-section .text$(end)=cabprof_text$(end)) --rename-section .text=cabprof_text

$(BUILD)/lib/libcabprof.a: $(RT_STATIC_OBJS)
	@mkdir -p $(@D)
	rm -f $@
	$(AR) rcs $@ $(RT_STATIC_OBJS)
	$(OBJCOPY) $(RT_STATIC_SECTIONS) $@

.PHONY: rt
rt: $(BUILD)/lib/libcabprof.so.1 $(BUILD)/lib/libcabprof.a
ALL += rt

-include $(RT_OBJS:.o=.d) $(BUILD)/rt/analyses/own_static.d $(BUILD)/rt/rt/sampler_static.d $(BUILD)/rt/rt/libc_found_static.d $(BUILD)/rt/rt/gthreads.d

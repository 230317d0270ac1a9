# Tests of the runtime alone, with probes by hand: each is one executable in $(BUILD)/rt-test; NAME-tsan has the runtime's C under TSan.
# SPDX-License-Identifier: GPL-3.0-or-later

RT_TESTS := $(filter-out probe judge,$(basename $(notdir $(wildcard testsuite/rt/*.c))))
RT_TSAN_TESTS := count rings
RT_TEST_LIB := testsuite/rt/probe.c testsuite/rt/judge.c rt/libc_string.c rt/libc_system.c rt/decode.c rt/decode_access.c rt/decode_regions.c rt/decode_shapes.c rt/expand.c rt/expand_part.c rt/options.c rt/text.c $(wildcard analyses/an_*.c) \
  analyses/cache_arguments.c analyses/cache_commit.c analyses/cache_cut.c analyses/cache_feed.c analyses/cache_section.c analyses/section_again.c analyses/cache_streams.c analyses/section_d1.c analyses/host_caches.c analyses/cachesim_geometry.c analyses/live_caches.c analyses/live_steps.c analyses/simulate.c \
  analyses/states.c analyses/choice.c analyses/registry.c analyses/regions.c analyses/regions_nest.c analyses/regions_shape.c analyses/record_line.c analyses/nest.c analyses/undo.c analyses/values_state.c analyses/blocks.c analyses/strangers.c analyses/lru.c
RT_TEST_CFLAGS := -std=gnu11 -D_GNU_SOURCE -g -O2 -Wall -Wextra -Iinclude -I. -Ianalyses -Itestsuite/rt
RT_TEST_BINS := $(patsubst %,$(BUILD)/rt-test/%,$(RT_TESTS) $(RT_TSAN_TESTS:%=%-tsan))

# Of the runtime's own objects the judge needs a few.
RT_TEST_OBJS := $(filter $(patsubst %.c,$(BUILD)/rt/%.o,$(RT_TEST_LIB)),$(RT_OBJS))

$(BUILD)/rt-test/%: testsuite/rt/%.c $(RT_TEST_LIB) $(wildcard testsuite/rt/*.h include/cabprof/*.h) $(BUILD)/lib/libcabprof.so.1
	@mkdir -p $(@D)
	$(CC) $(RT_TEST_CFLAGS) $< $(filter testsuite/%,$(RT_TEST_LIB)) $(RT_TEST_OBJS) $(BUILD)/lib/libcabprof.so.1 -Wl,-rpath,'$$ORIGIN/../lib' -lpthread -o $@

$(BUILD)/rt-test/%-tsan: testsuite/rt/%.c $(RT_TEST_LIB) $(RT_SRCS) $(wildcard rt/*.h testsuite/rt/*.h include/cabprof/*.h)
	@mkdir -p $(@D)
	$(CC) $(RT_TEST_CFLAGS) -DCAB_VERSION_TEXT='"tsan"' -DCAB_TEST_TSAN -fsanitize=thread -Wno-tsan $< $(RT_TEST_LIB) \
	  $(filter-out $(RT_TEST_LIB),$(RT_SRCS)) -lpthread -o $@

CHECK_NEEDS += $(RT_TEST_BINS)
.PHONY: test-rt
test-rt: $(RT_TEST_BINS)
	@for t in $(RT_TEST_BINS); do echo $$t; $$t || [ $$? = 77 ] || exit 1; done

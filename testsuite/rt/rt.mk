# rt.mk - tests of the runtime alone, with probes by hand: each is one executable in
# $(BUILD)/rt-test.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# NAME runs with libcabprof.so.1, and judges what it wrote by the runtime's own functions from
# libcabprof.a, which is linked after the library, so that functions in both come from the library.
# NAME-tsan contains the whole runtime, under TSan.

RT_TESTS := $(filter-out probe judge,$(basename $(notdir $(wildcard testsuite/rt/*.c))))
RT_TSAN_TESTS := count growing rings sampled
RT_TEST_CFLAGS := -std=gnu11 -D_GNU_SOURCE -g -O2 $(WARNINGS) -Iinclude -I. -I$(BUILD) -Itestsuite/rt -MMD -MP
RT_TSAN_CFLAGS := $(RT_TEST_CFLAGS) -DCAB_VERSION_TEXT='"tsan"' -DCAB_TEST_TSAN -fsanitize=thread -Wno-tsan
RT_TEST_PROGRAMS := $(RT_TESTS:%=$(BUILD)/rt-test/%)
RT_TSAN_PROGRAMS := $(RT_TSAN_TESTS:%=$(BUILD)/rt-test/%-tsan)
RT_TEST_OBJS := $(patsubst %,$(BUILD)/rt-test/plain/testsuite/rt/%.o,probe judge)
RT_TSAN_OBJS := $(patsubst %,$(BUILD)/rt-test/tsan/%.o,testsuite/rt/probe testsuite/rt/judge $(basename $(RT_SRCS))) \
  $(BUILD)/rt/direct_code.o

$(RT_TEST_PROGRAMS): $(BUILD)/rt-test/%: $(BUILD)/rt-test/plain/testsuite/rt/%.o $(RT_TEST_OBJS) \
  $(BUILD)/lib/libcabprof.so.1 $(BUILD)/lib/libcabprof.a
	$(call quiet,LD,$@)$(CC) -o $@ $^ -Wl,-rpath,'$$ORIGIN/../lib' -lpthread

$(RT_TSAN_PROGRAMS): $(BUILD)/rt-test/%-tsan: $(BUILD)/rt-test/tsan/testsuite/rt/%.o $(RT_TSAN_OBJS)
	$(call quiet,LD,$@)$(CC) -fsanitize=thread -o $@ $^ -lpthread

$(BUILD)/rt-test/plain/%.o: %.c
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(RT_TEST_CFLAGS) -c -o $@ $<

$(BUILD)/rt-test/tsan/%.o: %.c
	@mkdir -p $(@D)
	$(call quiet,CC,$< (TSan))$(CC) $(RT_TSAN_CFLAGS) -c -o $@ $<

$(BUILD)/rt-test/tsan/%.o: %.S
	@mkdir -p $(@D)
	$(call quiet,CC,$< (TSan))$(CC) $(RT_TSAN_CFLAGS) -c -o $@ $<

CHECK_NEEDS += $(RT_TEST_PROGRAMS) $(RT_TSAN_PROGRAMS)
.PHONY: test-rt
test-rt: $(RT_TEST_PROGRAMS) $(RT_TSAN_PROGRAMS)
	@for t in $^; do echo $$t; $$t || [ $$? = 77 ] || exit 1; done

-include $(wildcard $(addprefix $(BUILD)/rt-test/,*/*/*.d */*/*/*.d */*/*/*/*.d))

# experiments.mk - the programs of `make experiments'.
# SPDX-License-Identifier: GPL-3.0-or-later

experiment_programs := $(addprefix $(BUILD)/experiments/bin/,serving message counter)
CHECK_NEEDS += $(experiment_programs)

$(BUILD)/experiments/bin/serving: $(BUILD)/command/testsuite/experiments/serving.o \
  $(command_archive)
	@mkdir -p $(@D)
	$(call quiet,LD,$@)$(CC) $(CFLAGS) -o $@ $^ $(CAB_COMMAND_LIBS)

$(BUILD)/experiments/bin/counter: $(BUILD)/rt-test/plain/testsuite/experiments/counter.o
	@mkdir -p $(@D)
	$(call quiet,LD,$@)$(CC) -o $@ $<

# Its probes are written by hand, and the whole runtime is in it.
$(BUILD)/experiments/bin/message: $(BUILD)/rt-test/plain/testsuite/experiments/message.o \
  $(BUILD)/rt-test/plain/testsuite/rt/probe.o $(BUILD)/lib/libcabprof.a
	@mkdir -p $(@D)
	$(call quiet,LD,$@)$(CC) -o $@ $^ -lpthread

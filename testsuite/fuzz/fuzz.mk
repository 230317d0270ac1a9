# fuzz.mk - the readers under the sanitizers, for the corpus that make check reads again, and for AFL++ (docs/hacking.md, "Fuzzing").
# SPDX-License-Identifier: GPL-3.0-or-later

CHECK_NEEDS += $(BUILD)/fuzz/readers

$(BUILD)/fuzz/readers: testsuite/fuzz/readers.c $(BUILD)/golden/command.a
	@mkdir -p $(@D)
	$(CC) $(golden_flags) $(WARNINGS) -MMD -MP -o $@ $(filter %.c %.a,$^) $(CAB_COMMAND_LIBS)

-include $(wildcard $(BUILD)/fuzz/*.d)

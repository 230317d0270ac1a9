# fuzz.mk - the readers under the sanitizers, for the corpus that make check reads, and for AFL++
# (docs/hacking.md, "Fuzzing").
# SPDX-License-Identifier: GPL-3.0-or-later

CHECK_NEEDS += $(BUILD)/fuzz/readers

$(BUILD)/fuzz/readers: $(BUILD)/sanitised/testsuite/fuzz/readers.o $(sanitised_archive)
	@mkdir -p $(@D)
	$(call quiet,LD,$@)$(CC) $(SANITISE) -o $@ $^ $(CAB_COMMAND_LIBS)

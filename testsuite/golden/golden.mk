# golden.mk - the writer of the profile that golden tests read, and the command under the
# sanitizers.
# SPDX-License-Identifier: GPL-3.0-or-later

CHECK_NEEDS += $(BUILD)/golden/write-profile $(BUILD)/golden/cabprof $(BUILD)/unit/test_hostile

golden_object = $(BUILD)/sanitised/testsuite/golden/$(1).o
golden_link = $(call quiet,LD,$@)$(CC) $(SANITISE) -o $@ $^

$(BUILD)/golden/write-profile: \
  $(foreach name,write_main profile_writer memory_writer trace_writer,$(call golden_object,$(name))) \
  $(sanitised_archive)
	@mkdir -p $(@D)
	$(golden_link) $(CAB_COMMAND_LIBS)

# Every report of every test also runs in a command that stops at the first fault.
$(BUILD)/golden/cabprof: $(BUILD)/sanitised/analyses/command/main.o $(sanitised_archive)
	@mkdir -p $(@D)
	$(golden_link) $(CAB_COMMAND_LIBS)

$(BUILD)/unit/test_hostile: $(foreach name,hostile profile_writer,$(call golden_object,$(name))) $(sanitised_archive)
	@mkdir -p $(@D)
	$(golden_link) -lcunit $(CAB_COMMAND_LIBS)

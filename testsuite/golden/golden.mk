# golden.mk - the writer of the profile that golden tests read, and the command under the address sanitizer.
# SPDX-License-Identifier: GPL-3.0-or-later

golden_flags := -std=gnu11 -D_GNU_SOURCE -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -Iinclude -I.
# What is made of several sources at once leaves no list of headers for each.
golden_headers := $(wildcard include/cabprof/*.h analyses/*.h testsuite/golden/*.h)
CHECK_NEEDS += $(BUILD)/golden/write-profile $(BUILD)/golden/cabprof $(BUILD)/unit/test_hostile

$(BUILD)/golden/write-profile: testsuite/golden/write_main.c testsuite/golden/profile_writer.c testsuite/golden/memory_writer.c testsuite/golden/trace_writer.c \
  $(BUILD)/golden/command.a $(golden_headers)
	@mkdir -p $(@D)
	$(CC) $(golden_flags) $(WARNINGS) -o $@ $(filter %.c %.a,$^) $(CAB_COMMAND_LIBS)

# Every report of every test also runs in a command that does not forgive.
$(BUILD)/golden/cabprof: $(CAB_COMMAND_OBJS:$(BUILD)/command/%=$(BUILD)/golden/obj/%)
	@mkdir -p $(@D)
	$(CC) $(golden_flags) -o $@ $^ $(CAB_COMMAND_LIBS)

$(BUILD)/golden/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(golden_flags) -DCABPROF_VERSION='"$(VERSION)"' $(WARNINGS) -MMD -MP -c -o $@ $<

# An archive: the linker takes what the test refers to, and nothing that speaks and exits.
$(BUILD)/golden/command.a: $(patsubst $(BUILD)/command/%,$(BUILD)/golden/obj/%,$(filter-out %/main.o,$(CAB_COMMAND_OBJS)))
	rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/unit/test_hostile: testsuite/golden/hostile.c testsuite/golden/profile_writer.c $(BUILD)/golden/command.a $(golden_headers)
	@mkdir -p $(@D)
	$(CC) $(golden_flags) $(WARNINGS) -o $@ $(filter %.c %.a,$^) -lcunit $(CAB_COMMAND_LIBS)

-include $(wildcard $(BUILD)/golden/*.d $(BUILD)/golden/obj/*/*.d)

# unit.mk - the tests of pure modules: each test_*.c becomes one program, linked with the sanitised
# archive.
# SPDX-License-Identifier: GPL-3.0-or-later

unit_programs := $(patsubst testsuite/%.c,$(BUILD)/%,$(wildcard testsuite/unit/test_*.c))
CHECK_NEEDS += $(unit_programs)

# These stop after each instruction of the analyses, whose number the sanitizers would double.
unit_plain := $(BUILD)/unit/test_killed $(BUILD)/unit/test_killed_stretches

$(unit_plain): $(BUILD)/unit/%: $(BUILD)/command/testsuite/unit/%.o \
  $(sanitised_helpers:%.c=$(BUILD)/command/%.o) $(command_archive)
	@mkdir -p $(@D)
	$(call quiet,LD,$@)$(CC) $(CFLAGS) -o $@ $^ -lcunit $(CAB_COMMAND_LIBS)

$(filter-out $(unit_plain),$(unit_programs)): $(BUILD)/unit/%: $(BUILD)/sanitised/testsuite/unit/%.o \
  $(sanitised_archive)
	@mkdir -p $(@D)
	$(call quiet,LD,$@)$(CC) $(SANITISE) -o $@ $^ -lcunit $(CAB_COMMAND_LIBS)

.PHONY: test-unit
test-unit: $(unit_programs)
	@for test in $(unit_programs); do $$test || exit 1; done

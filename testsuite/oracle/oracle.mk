# oracle.mk - who compares, while a program runs, the two forms in which it tells its accesses (oracle/access-real).
# SPDX-License-Identifier: GPL-3.0-or-later

CHECK_NEEDS += $(BUILD)/oracle/proved

$(BUILD)/oracle/command.a: $(CAB_COMMAND_OBJS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call quiet,AR,$@)$(AR) rcs $@ $^

$(BUILD)/oracle/proved: testsuite/oracle/proved.c $(BUILD)/oracle/command.a
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(CAB_COMMAND_FLAGS) $(CFLAGS) $(WARNINGS) -MMD -MP -o $@ $(filter %.c %.a,$^) \
	  $(CAB_COMMAND_LIBS)

-include $(wildcard $(BUILD)/oracle/*.d)

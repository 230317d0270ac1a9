# oracle.mk - the library that compares, while a program runs, its two encodings of accesses
# (oracle/access-real).
# SPDX-License-Identifier: GPL-3.0-or-later

CHECK_NEEDS += $(BUILD)/oracle/proved

$(BUILD)/oracle/proved: $(BUILD)/command/testsuite/oracle/proved.o $(command_archive)
	@mkdir -p $(@D)
	$(call quiet,LD,$@)$(CC) $(CFLAGS) -o $@ $^ $(CAB_COMMAND_LIBS)

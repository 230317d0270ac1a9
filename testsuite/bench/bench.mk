# bench.mk - what the benches need beside what `make' builds.
# SPDX-License-Identifier: GPL-3.0-or-later

$(BUILD)/bench/delegates: $(BUILD)/command/testsuite/bench/deps/delegates.o $(command_archive)
	@mkdir -p $(@D)
	$(call quiet,LD,$@)$(CC) $(CFLAGS) -o $@ $^ $(CAB_COMMAND_LIBS)
-include $(BUILD)/command/testsuite/bench/deps/delegates.d

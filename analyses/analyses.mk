# analyses.mk - the analyses and the cabprof command.
# SPDX-License-Identifier: GPL-3.0-or-later

# The command: all rooms of analyses/ and loopfb/, and what the runtime shares with it.
CAB_COMMAND_SRCS := $(wildcard analyses/*/*.c analyses/*/*/*.c rt/common/*.c) \
  $(filter-out loopfb/preload/%,$(wildcard loopfb/*/*.c))
CAB_COMMAND_OBJS := $(CAB_COMMAND_SRCS:%.c=$(BUILD)/command/%.o)
# Kept in one place: the tests link the same.
CAB_COMMAND_LIBS := -ljansson -liberty -ldwarf -lelf -lpfm -lzstd -lm
CAB_COMMAND_FLAGS := -std=gnu11 -D_GNU_SOURCE -DCABPROF_VERSION='"$(VERSION)"' -Iinclude -I.

ALL += $(BUILD)/bin/cabprof

$(BUILD)/bin/cabprof: $(CAB_COMMAND_OBJS)
	@mkdir -p $(@D)
	$(call quiet,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(CAB_COMMAND_LIBS)

$(BUILD)/command/%.o: %.c
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(CAB_COMMAND_FLAGS) $(CFLAGS) $(WARNINGS) -MMD -MP -c -o $@ $<

-include $(CAB_COMMAND_OBJS:.o=.d)

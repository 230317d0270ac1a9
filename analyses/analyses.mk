# analyses.mk - the analyses and the cabprof command.
# SPDX-License-Identifier: GPL-3.0-or-later

# What ends up in the runtime as well.
ANALYSES_RT_SRCS := $(wildcard analyses/an_*.c) analyses/states.c analyses/registry.c

# The command: all of this folder, the decoder and the options that the runtime shares with it, the reader of hints that the plugin shares with it, and the
# subcommands of other folders.
CAB_COMMAND_SRCS := $(wildcard analyses/*.c) rt/decode.c rt/decode_access.c rt/decode_regions.c rt/decode_shapes.c rt/expand.c rt/expand_part.c rt/context.c rt/directory.c rt/options.c rt/pauses.c rt/profile_files.c rt/snapshot.c rt/sys.c rt/text.c rt/trace_words.c plugin/hints.c plugin/hints_search.c plugin/pattern.c $(wildcard loopfb/*.c)
CAB_COMMAND_OBJS := $(CAB_COMMAND_SRCS:%.c=$(BUILD)/command/%.o)
# Kept in one place: the tests link the same.
CAB_COMMAND_LIBS := -ljansson -liberty -ldwarf -lpfm -lzstd -lm
CAB_COMMAND_FLAGS := -std=gnu11 -D_GNU_SOURCE -DCABPROF_VERSION='"$(VERSION)"' -Iinclude -I.

ALL += $(BUILD)/bin/cabprof

$(BUILD)/bin/cabprof: $(CAB_COMMAND_OBJS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(CAB_COMMAND_LIBS)

$(BUILD)/command/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CAB_COMMAND_FLAGS) $(CFLAGS) $(WARNINGS) -MMD -MP -c -o $@ $<

-include $(CAB_COMMAND_OBJS:.o=.d)

# testsuite.mk - all sources that are plain C, compiled once under the sanitizers into one archive.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Unit tests, the golden tests' command and the fuzzing harness link it: the linker takes from it
# what they refer to. A new source in one of these folders belongs to it by itself.

SANITISE ?= -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
sanitised_flags := -std=gnu11 -D_GNU_SOURCE= -DCABPROF_VERSION='"$(VERSION)"' \
  -DCAB_VERSION_TEXT='"cabprof $(VERSION)"' $(SANITISE) -Iinclude -I. -I$(BUILD)

# Not in the archive are files with a main or of other programs (the dispatcher, the stub,
# gthreads), those that need the flags of the runtime (libc_found, DIRECT_OWN), and the runtime's
# cab_say, which is not the command's.
sanitised_excluded := analyses/command/main.c $(filter-out %/configure_test.c,$(wildcard plugin/stub/*.c)) \
  rt/gthreads.c rt/libc/libc_found.c rt/base/say.c $(DIRECT_OWN)
# Clang, for the fuzzing harness, has no __builtin_shuffle.
sanitised_excluded += $(if $(findstring clang,$(CC)),rt/engine/feed/rounds.c)
sanitised_sources := $(filter-out $(sanitised_excluded), \
  $(wildcard $(foreach room,analyses loopfb plugin rt,$(room)/*.c $(room)/*/*.c $(room)/*/*/*.c)))
# Several tests share all C files beside the tests themselves.
sanitised_helpers := $(filter-out testsuite/unit/test_%,$(wildcard testsuite/unit/*.c))
sanitised_archive := $(BUILD)/sanitised/libcabprof-sanitised.a

$(BUILD)/sanitised/%.o: %.c
	@mkdir -p $(@D)
	$(call quiet,CC,$< (sanitised))$(CC) $(sanitised_flags) $(WARNINGS) -MMD -MP -c -o $@ $<

$(sanitised_archive): $(patsubst %.c,$(BUILD)/sanitised/%.o,$(sanitised_sources) $(sanitised_helpers))
	@rm -f $@
	$(call quiet,AR,$@)$(AR) rcs $@ $^

# The archive has the command's objects, as they are in the command.
command_archive := $(BUILD)/command/libcabprof-command.a

$(command_archive): $(CAB_COMMAND_OBJS)
	@rm -f $@
	$(call quiet,AR,$@)$(AR) rcs $@ $^

-include $(wildcard $(addprefix $(BUILD)/sanitised/,*/*.d */*/*.d */*/*/*.d */*/*/*/*.d))
-include $(wildcard $(BUILD)/command/testsuite/*/*.d)

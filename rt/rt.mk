# The runtime: libcabprof.so.1 and libcabprof.a.
# SPDX-License-Identifier: GPL-3.0-or-later

RT_CFLAGS = $(RT_LIBC) -std=gnu11 -D_GNU_SOURCE -O3 -g -fPIC -fvisibility=hidden -ftls-model=initial-exec \
  -fno-stack-protector -fcf-protection=branch -U_FORTIFY_SOURCE -Wall -Wextra \
  -DCAB_VERSION_TEXT='"cabprof $(VERSION)"' -Iinclude -I. -I$(BUILD) -MMD -MP

# Calls of the C library become calls of the runtime's own functions, except in what refers to the
# C library on purpose, nor in these functions themselves, whose loops must stay loops.
RT_LIBC = -include rt/libc/libc.h
OBJCOPY ?= objcopy
$(BUILD)/rt/rt/gthreads.o: RT_LIBC =
RT_LIBC_OBJS := $(patsubst %,$(BUILD)/rt/rt/libc/libc_%.o,string system found found_static)
$(RT_LIBC_OBJS): RT_LIBC = -fno-builtin -fno-tree-loop-distribute-patterns

# What goes into the user's program.  Only statically linked ones need rt/gthreads.c.
DIRECT_OWN := rt/engine/ring/direct_feed.c rt/libc/libc_direct.c
RT_SRCS := $(filter-out rt/gthreads.c $(DIRECT_OWN) rt/engine/probe/direct.S,$(wildcard rt/*.c \
  rt/*/*.c rt/*/*/*.c rt/*/*/*.S analyses/wire/*.c analyses/live/*.c analyses/live/*/*.c))
RT_OBJS := $(patsubst %,$(BUILD)/rt/%.o,$(basename $(RT_SRCS))) $(BUILD)/rt/direct_code.o

# Regions are short, and sets have few ways: preparing a loop for many rounds takes longer than what
# it saves.
$(BUILD)/rt/analyses/wire/expand.o: RT_CFLAGS += -O2 -fno-ivopts
$(patsubst %,$(BUILD)/rt/analyses/live/cache/%.o,cache_commit cache_feed cache_section live_steps): \
  RT_CFLAGS += -O2 -fno-tree-vectorize

# trampoline.S calls these before it saves the other registers.
$(BUILD)/rt/rt/filters/%.o: RT_CFLAGS += -mgeneral-regs-only -fno-tree-loop-distribute-patterns

# What the quick way of placement=direct runs: compiled once more, without vector registers and
# %r15, and linked to one piece of code that calls nothing else (rt/engine/ring/direct.h).
DIRECT_SRCS := $(DIRECT_OWN) \
  analyses/live/direct/direct_feeds.c analyses/live/space.c analyses/wire/decode.c \
  $(patsubst %,analyses/live/an_%.c,calls methods paths tree) \
  $(patsubst %,analyses/live/cache/%.c,an_cache cache_arguments cache_feed cachesim_geometry \
  live_caches live_steps simulate) analyses/live/choice.c
DIRECT_OBJS := $(DIRECT_SRCS:%.c=$(BUILD)/rt/direct/%.o) $(BUILD)/rt/rt/engine/probe/direct.o
DIRECT_KEEP := $(addprefix cab_direct_,event words escape quick_feeds begin end one_stored many_stored \
  slow_event slow_words)
$(BUILD)/rt/direct/%.o: RT_CFLAGS += -O2 -mgeneral-regs-only -ffixed-r15 -ffunction-sections -fdata-sections
$(BUILD)/rt/direct/rt/libc/libc_direct.o: RT_LIBC = -fno-builtin -fno-tree-loop-distribute-patterns
$(BUILD)/rt/direct/%.o: %.c rt/libc/libc.h
	@mkdir -p $(@D)
	$(call quiet,CC,$< (direct))$(CC) $(RT_CFLAGS) -c $< -o $@

$(BUILD)/rt/direct_code.o: $(DIRECT_OBJS) rt/direct.lds
	$(call quiet,LD,$@)$(CC) -nostdlib -r -Wl,--gc-sections $(addprefix -u ,$(DIRECT_KEEP)) \
	  -Wl,-T,rt/direct.lds $(DIRECT_OBJS) -o $@.all
	@$(OBJCOPY) $(addprefix -G ,$(DIRECT_KEEP)) $@.all $@

$(BUILD)/rt/%.o: %.c rt/libc/libc.h
	@mkdir -p $(@D)
	$(call quiet,CC,$< (runtime))$(CC) $(RT_CFLAGS) -c $< -o $@

$(BUILD)/rt/rt/engine/probe/trampoline.o $(BUILD)/rt/rt/engine/probe/direct.o: RT_LIBC =
$(BUILD)/rt/%.o: %.S
	@mkdir -p $(@D)
	$(call quiet,CC,$< (runtime))$(CC) $(RT_CFLAGS) -c $< -o $@

# Never unloaded: threads and forked children return to it.
$(BUILD)/lib/libcabprof.so.1: $(RT_OBJS) rt/libcabprof.map
	@mkdir -p $(@D)
	$(call quiet,LD,$@)$(CC) -shared -Wl,-soname,libcabprof.so.1 -Wl,-z,nodelete -Wl,-z,defs -Wl,-e,cab_runtime \
	  -Wl,--version-script=rt/libcabprof.map $(RT_OBJS) -lpthread -o $@

# Statically linked programs have no loader.
RT_STATIC_SRCS := analyses/live/user_analysis.c rt/engine/probe/sampler.c rt/engine/probe/watch.c rt/libc/libc_found.c
RT_STATIC_OWN := $(RT_STATIC_SRCS:%.c=$(BUILD)/rt/%_static.o)
RT_STATIC_OBJS := $(filter-out $(RT_STATIC_SRCS:%.c=$(BUILD)/rt/%.o) %/symbols.o %/slots.o,$(RT_OBJS)) \
  $(RT_STATIC_OWN) \
  $(BUILD)/rt/rt/gthreads.o
$(RT_STATIC_OWN): $(BUILD)/rt/%_static.o: %.c rt/libc/libc.h
	@mkdir -p $(@D)
	$(call quiet,CC,$< (static runtime))$(CC) $(RT_CFLAGS) -DCAB_STATIC -c $< -o $@

# Separate sections, which distinguish samples in the runtime from the program's
# (analyses/binary/image.h).
RT_STATIC_SECTIONS = $(foreach end,.unlikely .hot .startup .exit,--rename-section .text$(end)=cabprof_text$(end)) \
  --rename-section .text=cabprof_text

$(BUILD)/lib/libcabprof.a: $(RT_STATIC_OBJS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call quiet,AR,$@)$(AR) rcs $@ $(RT_STATIC_OBJS)
	@$(OBJCOPY) $(RT_STATIC_SECTIONS) $@

.PHONY: rt
rt: $(BUILD)/lib/libcabprof.so.1 $(BUILD)/lib/libcabprof.a
ALL += rt

-include $(RT_OBJS:.o=.d) $(DIRECT_OBJS:.o=.d) $(RT_STATIC_OWN:.o=.d) $(BUILD)/rt/rt/gthreads.d

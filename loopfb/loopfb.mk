# loopfb.mk - the libraries that are preloaded: to sample where the kernel's events are missing,
# and to record allocations.
# SPDX-License-Identifier: GPL-3.0-or-later

PRELOADED := $(patsubst %,$(BUILD)/lib/libcabprof-%.so,sample heap)
ALL += $(PRELOADED)

# They have the runtime's functions in place of the C library's.
PRELOADED_LIBC := $(patsubst %,$(BUILD)/rt/rt/libc/%.o,libc_string libc_system libc_found symbols)

PRELOADED_FLAGS := -std=gnu11 -D_GNU_SOURCE -O2 -g -fPIC -fvisibility=hidden -fno-builtin \
  -include rt/libc/libc.h -DCAB_LIBC_WRAPPED $(WARNINGS) -Iinclude -I. -shared -Wl,-z,defs \
  -Wl,-z,nodelete

$(PRELOADED): $(BUILD)/lib/libcabprof-%.so: loopfb/preload/%.c \
  $(wildcard loopfb/preload/*.h) include/cabprof/sampler.h rt/libc/libc.h $(PRELOADED_LIBC)
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(PRELOADED_FLAGS) -Wl,-soname,$(@F) $< $(PRELOADED_LIBC) -o $@

# loopfb.mk - sampling: the library that is preloaded where the kernel's events are not available.
# SPDX-License-Identifier: GPL-3.0-or-later

ALL += $(BUILD)/lib/libcabprof-sample.so

# It has the runtime's functions in place of the C library's.
SAMPLE_LIBC := $(patsubst %,$(BUILD)/rt/rt/libc/%.o,libc_string libc_system libc_found symbols)

SAMPLE_FLAGS := -std=gnu11 -D_GNU_SOURCE -O2 -g -fPIC -fvisibility=hidden -include rt/libc/libc.h -DCAB_LIBC_WRAPPED \
  $(WARNINGS) -Iinclude -I. -shared -Wl,-soname,libcabprof-sample.so -Wl,-z,defs -Wl,-z,nodelete

$(BUILD)/lib/libcabprof-sample.so: loopfb/preload/sample.c loopfb/preload/segment.h include/cabprof/sampler.h \
  rt/libc/libc.h $(SAMPLE_LIBC)
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(SAMPLE_FLAGS) $< $(SAMPLE_LIBC) -o $@

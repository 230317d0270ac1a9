# loopfb.mk - sampling: the library that is preloaded where the kernel's events are not to be had.
# SPDX-License-Identifier: GPL-3.0-or-later

ALL += $(BUILD)/lib/libcabprof-sample.so

$(BUILD)/lib/libcabprof-sample.so: loopfb/preload/sample.c loopfb/preload/segment.h include/cabprof/sampler.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -O2 -g -fPIC -fvisibility=hidden $(WARNINGS) -shared -Iinclude -Wl,-soname,libcabprof-sample.so -Wl,-z,defs \
	  -Wl,-z,nodelete $< -ldl -lpthread -lrt -o $@

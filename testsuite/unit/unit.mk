# unit.mk - the tests of pure modules: each test_*.c names what it is linked with in a LINK comment on its second line.
# SPDX-License-Identifier: GPL-3.0-or-later

unit_sources := $(wildcard testsuite/unit/test_*.c)
unit_programs := $(unit_sources:testsuite/unit/%.c=$(BUILD)/unit/%)
UNIT_CFLAGS ?= -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
CHECK_NEEDS += $(unit_programs)

# Several sources make one program at once, so it depends on all headers.
unit_headers := $(wildcard include/cabprof/*.h plugin/*.h analyses/*.h rt/*.h loopfb/*.h testsuite/unit/*.h)
unit_linked = $(shell sed -n '2{s|\*/.*||;s|.*LINK:||p}' $(1))

define unit_rule
$(BUILD)/unit/$(notdir $(1:.c=)): $(1) $(call unit_linked,$(1)) $(unit_headers) testsuite/unit/unit.mk
	@mkdir -p $$(@D)
	$$(CC) -std=gnu11 -D_GNU_SOURCE $$(UNIT_CFLAGS) $$(WARNINGS) -Iinclude -Iplugin -I. -o $$@ $(1) $(call unit_linked,$(1)) -lcunit -ljansson -liberty -lzstd -lm
endef
$(foreach source,$(unit_sources),$(eval $(call unit_rule,$(source))))

.PHONY: test-unit
test-unit: $(unit_programs)
	@for test in $(unit_programs); do $$test || exit 1; done

# unit.mk - the tests of pure modules: each test_*.c names what it is linked with in a LINK comment on its second line.
# SPDX-License-Identifier: GPL-3.0-or-later

unit_sources := $(wildcard testsuite/unit/test_*.c)
unit_programs := $(unit_sources:testsuite/unit/%.c=$(BUILD)/unit/%)
UNIT_CFLAGS ?= -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
CHECK_NEEDS += $(unit_programs)

unit_linked = $(shell sed -n '2s,.*LINK:\(.*\)\*/.*,\1,p' $(1))

define unit_rule
$(BUILD)/unit/$(notdir $(1:.c=)): $(1) $(call unit_linked,$(1)) testsuite/unit/unit.mk
	@mkdir -p $$(@D)
	$$(CC) -std=gnu11 $$(UNIT_CFLAGS) $$(WARNINGS) -Iinclude -Iplugin -I. -MMD -MP -o $$@ $(1) $(call unit_linked,$(1)) -lcunit -liberty
endef
$(foreach source,$(unit_sources),$(eval $(call unit_rule,$(source))))

.PHONY: test-unit
test-unit: $(unit_programs)
	@for test in $(unit_programs); do $$test || exit 1; done

-include $(unit_programs:=.d)

# docs.mk - the manual.
# SPDX-License-Identifier: GPL-3.0-or-later

man_sources := $(wildcard docs/man/*.scd)
man_pages := $(man_sources:docs/man/%.scd=$(BUILD)/man/%)

# Pages are built where scdoc is; everything else works without them.
ifneq ($(shell command -v scdoc),)
ALL += $(man_pages)
endif

$(BUILD)/man/%: docs/man/%.scd
	@mkdir -p $(@D)
	$(call quiet,MAN,$<)scdoc <$< >$@

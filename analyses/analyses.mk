# analyses.mk - the analyses and the cabprof command.
# SPDX-License-Identifier: GPL-3.0-or-later

# The command: all rooms of analyses/ and loopfb/, and what the runtime shares with it.
CAB_COMMAND_SRCS := $(wildcard analyses/*/*.c analyses/*/*/*.c rt/common/*.c) \
  $(filter-out loopfb/preload/%,$(wildcard loopfb/*/*.c))
CAB_COMMAND_OBJS := $(CAB_COMMAND_SRCS:%.c=$(BUILD)/command/%.o)
# Kept in one place: the tests link the same.
CAB_COMMAND_LIBS := -ljansson -liberty -ldwarf -lelf -lpfm -lzstd -lz -lm
CAB_COMMAND_FLAGS := -std=gnu11 -D_GNU_SOURCE -DCABPROF_VERSION='"$(VERSION)"' -Iinclude -I. -I$(BUILD)

ALL += $(BUILD)/bin/cabprof

$(BUILD)/bin/cabprof: $(CAB_COMMAND_OBJS)
	@mkdir -p $(@D)
	$(call quiet,LD,$@)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(CAB_COMMAND_LIBS)

$(BUILD)/command/%.o: %.c
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(CAB_COMMAND_FLAGS) $(CFLAGS) $(WARNINGS) -MMD -MP -c -o $@ $<

-include $(CAB_COMMAND_OBJS:.o=.d)

# Tables of what the sources define, so that nobody keeps a list.  tables/NAME.h has EACH(one): one
# (OBJECT) for each line "const struct TYPE OBJECT" of FILES, in alphabetical order.  A table is made
# each time, since a file that is gone leaves no date, and is stored only if it differs.  Its first
# name is the process's own, as two runs of make may do this at once.
# $(call cab_table,TYPE,FILES)
define cab_table
	@text=$$(echo '/* Made by the build: see analyses/analyses.mk. */'; echo '#define EACH(one) \'; \
	  sed -n 's/^const struct $(1) \([a-z][a-z_0-9]*\).*/\1/p' $(2) | LC_ALL=C sort | \
	    sed 's/.*/  one (&) \\/'; echo .) && text=$${text%.} && \
	{ printf '%s\n' "$$text" | cmp -s - $@ 2>/dev/null || \
	  { mkdir -p $(@D) && printf '%s\n' "$$text" >$@.$$$$ && mv $@.$$$$ $@; }; }
endef

.PHONY: tables-always
cab_analysis_files := $(wildcard analyses/live/an_*.c analyses/live/*/an_*.c)
$(BUILD)/tables/analyses.h: tables-always
	@for file in $$(grep -L '^const struct cab_analysis [a-z]' $(cab_analysis_files)); do \
	  echo "$$file: no line begins with 'const struct cab_analysis cab_NAME'" >&2; exit 1; done
	$(call cab_table,cab_analysis,$(cab_analysis_files))

$(patsubst %,$(BUILD)/%/analyses/live/registry.o,rt command sanitised rt-test/tsan): $(BUILD)/tables/analyses.h

$(BUILD)/tables/reports.h: tables-always
	$(call cab_table,cab_report,$(wildcard analyses/*/report_*.c analyses/*/*/report_*.c))

$(patsubst %,$(BUILD)/%/analyses/report/report.o,command sanitised): $(BUILD)/tables/reports.h

# The page of `cabprof report --html': its sources, put into one file with the hashes that its policy
# names, as numbers for page_shell.c.
cab_page_sources := analyses/report/html/page.html analyses/report/html/page.css $(wildcard analyses/report/html/*.js)
$(BUILD)/tables/page.inc: analyses/report/html/assemble.sh $(cab_page_sources)
	@mkdir -p $(@D)
	$(call quiet,PAGE,$@)sh $< $(cab_page_sources) >$@.$$$$ && mv $@.$$$$ $@

$(patsubst %,$(BUILD)/%/analyses/page/page_shell.o,command sanitised): $(BUILD)/tables/page.inc

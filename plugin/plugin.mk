# plugin.mk - the dispatcher, a module for each GCC, the wrappers.
# SPDX-License-Identifier: GPL-3.0-or-later

# All GCCs on this machine that have plugin headers, one for each major version; $(GCC) comes first.
cab_gccs := $(shell seen=; \
  for gcc in $(GCC) gcc $$(ls $$(echo "$$PATH" | tr : ' ') 2>/dev/null | grep -x 'gcc-[0-9]*' | sort -u); do \
    dir=$$($$gcc -print-file-name=plugin 2>/dev/null) && [ -e "$$dir/include/gcc-plugin.h" ] || continue; \
    major=$$($$gcc -dumpversion | cut -d. -f1); \
    echo "$$seen" | grep -qw "$$major" || echo "$$major:$$dir"; \
    seen="$$seen $$major"; \
  done)
cab_majors := $(foreach g,$(cab_gccs),$(firstword $(subst :, ,$(g))))
cab_plugin_dirs := $(foreach g,$(cab_gccs),$(word 2,$(subst :, ,$(g))))
cab_plugin_include = $(word 2,$(subst :, ,$(filter $(1):%,$(cab_gccs))))/include

# The modules consist of all C++ sources, and of the C sources that are neither a program nor the
# stub's text.
wrapper_objs := $(patsubst %,$(BUILD)/obj/%.o,plugin/stub/wrapper \
  $(addprefix loopfb/formats/,build_record ccache hints_search build_args file_hash))
plugin_pure := $(filter-out plugin/stub/%,$(wildcard plugin/*/*.c)) plugin/stub/configure_test.c \
  $(patsubst %,loopfb/formats/%.c,hints hints_search pattern ccache)
plugin_gccside := $(wildcard plugin/*.cc plugin/*/*.cc plugin/*/*/*.cc)
plugin_pure_objs := $(plugin_pure:%.c=$(BUILD)/obj/%.o)

plugin_modules := $(cab_majors:%=$(BUILD)/cabprof/gcc-%.so)
plugin_wrappers := $(addprefix $(BUILD)/bin/cabprof-,gcc g++ gfortran)
ALL += $(if $(cab_majors),,no-plugin-headers) $(BUILD)/cabprof.so $(plugin_modules) $(plugin_wrappers)

.PHONY: no-plugin-headers
no-plugin-headers:
	@echo "cabprof: $(GCC): no plugin headers for this or any other GCC here:" \
	  "run 'make deps', or install gcc-N-plugin-dev" >&2; exit 1

$(BUILD)/cabprof.so: $(BUILD)/obj/plugin/stub/dispatch.o
	@mkdir -p $(@D)
	@printf 'GCC  %s: the plugin gets a module for each\n' '$(cab_majors)'
	$(call quiet,LD,$@)$(CC) -shared $(LDFLAGS) -Wl,-soname,cabprof.so -o $@ $< -ldl

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) -std=gnu11 -D_GNU_SOURCE $(CFLAGS) $(WARNINGS) \
	  -fPIC -fvisibility=hidden -Iinclude -I. -MMD -MP -c -o $@ $<

$(BUILD)/bin/cabprof-gcc: $(wrapper_objs)
	@mkdir -p $(@D)
	$(call quiet,LD,$@)$(CC) $(LDFLAGS) -o $@ $^ -liberty

$(BUILD)/bin/cabprof-g++ $(BUILD)/bin/cabprof-gfortran: $(BUILD)/bin/cabprof-gcc
	$(call quiet,LN,$@)ln -sf cabprof-gcc $@

# The stub's text must be the same whatever flags the user builds with.
stub_flags := -S -Os -std=gnu11 -g0 -fPIC -fno-plt -fvisibility=hidden \
  -fno-asynchronous-unwind-tables -fno-unwind-tables \
  -fcf-protection=none -fno-stack-protector -fno-toplevel-reorder -fno-ident -fomit-frame-pointer -fno-jump-tables \
  -fno-tree-loop-distribute-patterns -fno-lto -masm=att

stub_sources := plugin/stub/stub.c plugin/stub/stub_load.c plugin/stub/stub_symbol.c

trials_sources := plugin/stub/trials.c plugin/stub/trials_file.c

$(BUILD)/obj/plugin/stub-text.h: $(stub_sources) $(addprefix include/cabprof/,abi.h gate_front.h value_cell.h)
$(BUILD)/obj/plugin/trials-text.h: $(trials_sources) plugin/stub/trials.h include/cabprof/trials.h \
  include/cabprof/abi.h

# Labels get names of their own, because the text becomes part of a file that has others.
$(BUILD)/obj/plugin/%-text.h: plugin/stub/stub.h plugin/plugin.mk
	@mkdir -p $(@D)
	$(call quiet,GEN,$@)for source in $(filter %.c,$^); do \
	  name=$$(basename $$source .c); \
	  $(CC) $(stub_flags) $(WARNINGS) -Iinclude -I. -o $(@D)/$$name.s $$source && \
	  sed -e '/^\t\.file/d; /^\t\.ident/d; /GNU-stack/d; /^#/d' -e "s/\.L\([A-Za-z0-9_]\)/.Lcab_$${name}_\1/g" \
	    -e 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n"/' $(@D)/$$name.s || exit 1; \
	done >$@.new
	@mv $@.new $@

# GCC's headers take longer to compile than the sources that include them, so they are precompiled
# once for each GCC.  A compiler that is called through another program (more than one word) gets
# whole sources, because those are what a cache of compilations knows.
plugin_pch := $(if $(word 2,$(CXX)),,gcc-common.h.gch)

plugin_cxxflags = -std=gnu++14 -fno-rtti -fno-exceptions $(CXXFLAGS) $(WARNINGS) -fPIC -fvisibility=hidden \
  -DCABPROF_VERSION='"$(VERSION)"' -I$(BUILD)/obj/gcc-$(1)/pch -Iinclude -Iplugin -I. -I$(BUILD)/obj/plugin \
  -isystem $(call cab_plugin_include,$(1)) -MMD -MP

define plugin_module_rules
$(BUILD)/cabprof/gcc-$(1).so: $(plugin_gccside:plugin/%.cc=$(BUILD)/obj/gcc-$(1)/%.o) $(plugin_pure_objs)
	@mkdir -p $$(@D)
	$$(call quiet,LD,$$@)$(CXX) -shared $(LDFLAGS) -o $$@ $$^ -ljansson -ldl

$(BUILD)/obj/gcc-$(1)/pch/gcc-common.h.gch: plugin/gcc-common.h
	@mkdir -p $$(@D)
	$$(call quiet,CXX,$$< (GCC $(1)))$(CXX) $(plugin_cxxflags) -x c++-header -o $$@ $$<

$(BUILD)/obj/gcc-$(1)/%.o: plugin/%.cc $(plugin_pch:%=$(BUILD)/obj/gcc-$(1)/pch/%)
	@mkdir -p $$(@D)
	$$(call quiet,CXX,$$< (GCC $(1)))$(CXX) $(plugin_cxxflags) -include gcc-common.h -c -o $$@ $$<

$(BUILD)/obj/gcc-$(1)/emit/stub.o: $(BUILD)/obj/plugin/stub-text.h
$(BUILD)/obj/gcc-$(1)/loops/trial_text.o: $(BUILD)/obj/plugin/trials-text.h
endef
$(foreach major,$(cab_majors),$(eval $(call plugin_module_rules,$(major))))

-include $(wildcard $(addprefix $(BUILD)/obj/,plugin/*/*.d loopfb/*/*.d gcc-*/*.d gcc-*/*/*.d gcc-*/*/*/*.d))

# -fplugin=cabprof is searched in GCC's own directory; -fplugin=cabprof.so by the loader, whose
# cache takes only files called lib*.
install-plugin: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/cabprof
	install -m 755 $(BUILD)/cabprof.so $(DESTDIR)$(PREFIX)/lib/libcabprof-plugin.so
	ln -sf libcabprof-plugin.so $(DESTDIR)$(PREFIX)/lib/cabprof.so
	install -m 644 $(plugin_modules) $(DESTDIR)$(PREFIX)/lib/cabprof
	install -m 755 $(BUILD)/bin/cabprof-gcc $(DESTDIR)$(PREFIX)/bin
	ln -sf cabprof-gcc $(DESTDIR)$(PREFIX)/bin/cabprof-g++
	ln -sf cabprof-gcc $(DESTDIR)$(PREFIX)/bin/cabprof-gfortran
	$(link_plugins)
	$(install_integration)

# GCC's own directory belongs to root.  An installation by another user goes without the links, and
# prints what to type instead.
link_plugins = @for dir in $(cab_plugin_dirs); do \
	  install -d "$(DESTDIR)$$dir" 2>/dev/null && \
	    ln -sf "$(abspath $(PREFIX))/lib/cabprof.so" "$(DESTDIR)$$dir/cabprof.so" 2>/dev/null && continue; \
	  echo "cabprof: $(DESTDIR)$$dir: cannot be written, so -fplugin=cabprof does not work:" \
	    "use $(abspath $(PREFIX))/bin/cabprof-gcc, or gcc \$$($(abspath $(PREFIX))/bin/cabprof --cflags)" >&2; \
	  [ -z "$(DESTDIR)" ] || exit 1; \
	done

# The files that pkg-config, Meson and CMake look for.  All paths in them are relative to the files.
integration := plugin/integration
install_integration = @install -d $(addprefix $(DESTDIR)$(PREFIX)/lib/,pkgconfig cmake/cabprof) && \
	sed 's/@VERSION@/$(VERSION)/' $(integration)/cabprof.pc.in >$(DESTDIR)$(PREFIX)/lib/pkgconfig/cabprof.pc && \
	sed 's/@VERSION@/$(VERSION)/' $(integration)/cabprof-config-version.cmake.in \
	  >$(DESTDIR)$(PREFIX)/lib/cmake/cabprof/cabprof-config-version.cmake && \
	install -m 644 $(integration)/cabprof-config.cmake $(DESTDIR)$(PREFIX)/lib/cmake/cabprof

uninstall-plugin:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/lib/,libcabprof-plugin.so cabprof.so) \
	  $(addprefix $(DESTDIR)$(PREFIX)/bin/cabprof-,gcc g++ gfortran)
	rm -rf $(addprefix $(DESTDIR)$(PREFIX)/lib/,cabprof cmake/cabprof) $(DESTDIR)$(PREFIX)/lib/pkgconfig/cabprof.pc
	-@for dir in $(cab_plugin_dirs); do \
	  [ -z "$(DESTDIR)" ] && [ "$$(readlink "$$dir/cabprof.so")" != "$(abspath $(PREFIX))/lib/cabprof.so" ] || \
	    rm -f "$(DESTDIR)$$dir/cabprof.so"; \
	done

/* main.cc - the module for one GCC: registration, and the pass that walks the functions of a unit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/emit/module.h"
#include "plugin/emit/options.h"
#include "plugin/emit/refresh.h"
#include "plugin/emit/plugin.h"
#include "plugin/emit/root.h"
#include "plugin/emit/row.h"
#include "plugin/emit/stub.h"
#include "plugin/emit/offload.h"
#include "plugin/emit/filter.h"
#include "plugin/emit/builtins.h"
#include "plugin/emit/depends.h"
#include "plugin/loops/feedback.h"
#include "plugin/loops/loops.h"
#include "plugin/loops/outcome.h"
#include "plugin/loops/registers.h"
#include "plugin/loops/loop_align.h"
#include "plugin/loops/trials.h"
#include "plugin/loops/loop_prefetch.h"
#include "plugin/loops/loops_record.h"
#include "plugin/memory/access_address.h"
#include "plugin/memory/allocs.h"
#include "plugin/memory/memory.h"
#include "plugin/memory/names/pointer_names.h"
#include "plugin/memory/names/pointer_names_lto.h"
#include "plugin/memory/names/struct_mark.h"
#include "plugin/paths/gcov.h"
#include "plugin/paths/returns.h"
#include "plugin/paths/instrument.h"
#include "plugin/paths/confine.h"
#include "plugin/stub/configure_test.h"
#include "version.h"
#include "cabprof/info.h"
#include <limits.h>

#ifndef CABPROF_VERSION
# error "CABPROF_VERSION comes from the Makefile"
#endif

#define EXPORTED __attribute__ ((visibility ("default")))

EXPORTED int plugin_is_GPL_compatible;
struct cab_options cab_opts;

/* Counts of what happened to the functions of this unit. */
struct unit_counts
{
  unsigned n_instrumented, n_skipped;
};

/* Emit a record for FN, which stays uninstrumented because of REASON. */
static void
record_skipped (function *fn, const char *reason)
{
  expanded_location place = expand_location (DECL_SOURCE_LOCATION (fn->decl));
  const char *assembler = targetm.strip_name_encoding (
    IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fn->decl)));
  char *name = cab_escaped (assembler);
  char *source = cab_escaped (lang_hooks.decl_printable_name (fn->decl, 1));
  char *file = cab_source_name (place.file);
  char *text = xasprintf ("S%c\t%s\t%s\t%s\t%d\t%s\n", CAB_INFO_VERSION, name, source, file,
			  place.line, reason);
  cab_record_emit (text, strlen (text));
  free (text);
  free (file);
  free (source);
  free (name);
}

static void
record_unit (void)
{
  char options[256];
  cab_options_text (&cab_opts, options, sizeof options);
  const char *level = optimize_debug ? "g"
		    : optimize_fast ? "fast"
		    : optimize_size ? "s"
		    : optimize > 2 ? "3"
		    : optimize > 1 ? "2"
		    : optimize ? "1"
		    : "0";
  char *source = cab_source_name (main_input_filename);
  char *directory = cab_source_name (get_src_pwd ());
  char *compiler = cab_escaped (lang_hooks.name);
  char *text = xasprintf ("U%c\t%s\t%s\t%s %s cabprof %s\t-O%s%s %s\n", CAB_INFO_VERSION, source,
			  directory, compiler, version_string, CABPROF_VERSION, level,
			  flag_generate_lto ? " -flto" : "", options);
  cab_record_emit (text, strlen (text));
  free (text);
  free (compiler);
  free (directory);
  free (source);
}

/* Return true if the options ask for probes that are inserted at this stage. */
static bool
has_early_probes (void)
{
  return cab_opts.events & ~CAB_EVENTS_MEMORY;
}

static void
skip_function (function *fn, const char *reason, struct unit_counts *counts)
{
  counts->n_skipped++;
  if (cab_opts.verbose)
    inform (DECL_SOURCE_LOCATION (fn->decl), "cabprof: %qD skipped: %s", fn->decl, reason);
  record_skipped (fn, reason);
  if (has_early_probes ())
    cab_refresh_calls (fn);
}

static void
do_function (function *fn, struct unit_counts *counts)
{
  const char *reason = cab_skip_reason (fn);
  if (!reason && (cab_opts.events & CAB_EVENTS_MEMORY))
    {
      cab_stub_emit ();
      cab_memory_choose (fn->decl);
    }
  if (!reason && has_early_probes ())
    {
      push_cfun (fn);
      /* Apply what has been found out about callees since this body was last looked at: calls that
	 cannot return or throw end or lose edges.  GCC's own profiling does so too, so both see one
	 graph. */
      if (!cab_gcov_has (fn) && (execute_fixup_cfg () & TODO_cleanup_cfg))
	cleanup_tree_cfg ();
      cab_instrument_function (fn, &reason);
      pop_cfun ();
    }
  if (reason)
    skip_function (fn, reason, counts);
  if (cab_opts.events)
    cab_confine_tell (fn);
  if (!reason)
    {
      counts->n_instrumented++;
      if (cab_opts.verbose)
	inform (DECL_SOURCE_LOCATION (fn->decl), "cabprof: %qD instrumented", fn->decl);
    }
}

/* Return the body that NODE has of its own, or null if the pass cannot work on it. */
static function *
own_body (cgraph_node *node)
{
  if (node->alias || node->thunk || node->inlined_to || !gimple_has_body_p (node->decl))
    return NULL;
  function *fn = DECL_STRUCT_FUNCTION (node->decl);
  return fn && fn->cfg ? fn : NULL;
}

/* Clear the const and pure flags of every function that will get probes, because probes make it do
   something.  This precedes the change of the first body. */
static void
forget_purity (void)
{
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION (node)
    {
      function *fn = own_body (node);
      if (fn && !cab_skip_reason (fn))
	{
	  node->set_const_flag (false, false);
	  node->set_pure_flag (false, false);
	}
    }
}

static unsigned
run_pass (void)
{
  struct unit_counts counts = { 0, 0 };
  cgraph_node *node;
  if (seen_error () || !cab_filter_begin ())
    return 0;
  if (flag_generate_lto && (cab_opts.events & CAB_EVENTS_PATHS)
      && (cab_opts.events & CAB_EVENTS_MEMORY))
    {
      error ("cabprof: %s: with %<-flto%> counters of paths cannot be distinguished from memory of "
	     "the program: ask for one of both, or leave "
	     "%<-flto%> away",
	     "-fplugin-arg-cabprof-events=paths+memory");
      return 0;
    }
  if (cab_gcov_wanted ())
    cab_gcov_begin ();
  if (has_early_probes ())
    forget_purity ();
  cab_builtins_declare ();
  cab_returns_begin ();
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (function *fn = own_body (node))
      do_function (fn, &counts);
  cab_returns_end ();
  if (cab_gcov_wanted ())
    cab_gcov_end ();
  if (flag_generate_lto && (cab_opts.events & CAB_EVENTS_MEMORY))
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
      if (function *fn = own_body (node))
	cab_kept_write (fn);
  if (counts.n_instrumented || counts.n_skipped)
    record_unit ();
  if (cab_opts.verbose)
    inform (UNKNOWN_LOCATION, "cabprof: %s: %u functions instrumented, %u skipped",
	    main_input_filename, counts.n_instrumented, counts.n_skipped);
  return 0;
}

static const pass_data cab_pass_data =
{
  SIMPLE_IPA_PASS, "cabprof", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0
};

class cab_pass : public simple_ipa_opt_pass
{
public:
  cab_pass () : simple_ipa_opt_pass (cab_pass_data, g) {}
  /* The bodies that a link-time compilation reads already have their probes, so it must not add
     them again. */
  bool gate (function *) final override { return !in_lto_p; }
  unsigned int execute (function *) final override { return run_pass (); }
};

static const pass_data record_pass_data =
{
  SIMPLE_IPA_PASS, "cabprof_records", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0
};

/* This pass emits records that belong to the unit; it runs at the place of the probes, but also
   where there are none. */
class record_pass : public simple_ipa_opt_pass
{
public:
  record_pass () : simple_ipa_opt_pass (record_pass_data, g) {}
  bool gate (function *) final override { return !in_lto_p && !seen_error (); }
  unsigned int
  execute (function *) final override
  {
    cab_loops_record ();
    cab_feedback_end ();
    return 0;
  }
};

static int
check_version (struct plugin_gcc_version *compiler)
{
  if (plugin_default_version_check (compiler, &gcc_version))
    return 0;
  error ("cabprof: GCC %s (%s): this plugin was built for GCC %s (%s), or for one that was "
	 "configured in another way: build "
	 "cabprof again with this compiler",
	 compiler->basever, compiler->datestamp, gcc_version.basever, gcc_version.datestamp);
  return 1;
}

/* Return true if GCC makes CUT of TEXT: it cuts a value short by a character for each = in it. */
static bool
is_cut (const char *cut, const char *text)
{
  size_t n = strlen (text);
  for (const char *c = strchr (text, '='); c; c = strchr (c + 1, '='))
    n--;
  return n < strlen (text) && strlen (cut) == n && !memcmp (cut, text, n);
}

/* Return the value of argument I, whole, as the command line has it. */
static const char *
value_of (const struct plugin_name_args *info, int i)
{
  const struct plugin_argument *argument = &info->argv[i];
  size_t n_name = strlen (info->base_name), n_key = strlen (argument->key);
  for (unsigned k = 0; argument->value && k < save_decoded_options_count; k++)
    {
      const struct cl_decoded_option *option = &save_decoded_options[k];
      if (option->opt_index != OPT_fplugin_arg_ || strncmp (option->arg, info->base_name, n_name))
	continue;
      const char *key = option->arg + n_name + 1;
      if (!strncmp (key, argument->key, n_key) && key[n_key] == '='
	  && is_cut (argument->value, key + n_key + 1))
	return key + n_key + 1;
    }
  return argument->value;
}

static void
parse_options (struct plugin_name_args *info)
{
  cab_options_init (&cab_opts);
  for (int i = 0; i < info->argc; i++)
    {
      char text[CAB_OPTIONS_ERROR_BYTES];
      if (cab_options_set (&cab_opts, info->argv[i].key, value_of (info, i), text))
	error ("%s", text);
    }
  char text[CAB_OPTIONS_ERROR_BYTES];
  cab_options_settle (&cab_opts, getenv ("CABPROF_FEEDBACK"));
  if (cab_options_check (&cab_opts, text))
    error ("%s", text);
  if (cab_opts.allocators_file)
    {
      cab_allocs_read (cab_opts.allocators_file);
      cab_depends_on (cab_opts.allocators_file);
    }
}

/* Return true if this compilation is of a program that only a configure script wants. */
static bool
is_configure_test (void)
{
  char directory[PATH_MAX];
  return num_in_fnames
      && cab_is_configure_test (getcwd (directory, sizeof directory) ? directory : "",
				in_fnames[0]);
}

EXPORTED int
plugin_init (struct plugin_name_args *info, struct plugin_gcc_version *compiler)
{
  static struct plugin_info about;
  if (check_version (compiler) || cab_module_locate ())
    return 1;
  parse_options (info);
  about.version = CABPROF_VERSION;
  about.help = cab_options_help ();
  register_callback (info->base_name, PLUGIN_INFO, NULL, &about);
  register_callback (info->base_name, PLUGIN_ATTRIBUTES, cab_filter_register_attributes, NULL);
  if (is_configure_test ())
    return 0;
  bool is_link = !strcmp (lang_hooks.name, "GNU GIMPLE");   /* in_lto_p is not yet set */
  if (!is_link)
    {
      cab_feedback_begin ();
      cab_depends_begin (info->base_name);
      cab_add_pass (info->base_name, cab_loops_pass (), "ssa", PASS_POS_INSERT_AFTER);
      cab_add_pass (info->base_name, new record_pass, "profile", PASS_POS_INSERT_AFTER);
    }
  if (cab_opts.events)
    {
      /* As -fprofile-arcs does: functions are split only after the stage of the probes, so no
	 function is instrumented in pieces. */
      if (has_early_probes ())
	flag_partial_inlining = 0;
      cab_add_pass (info->base_name, new cab_pass, "profile", PASS_POS_INSERT_AFTER);
      cab_add_pass (info->base_name, cab_offload_pass (), "whole-program", PASS_POS_INSERT_AFTER);
    }
  if (cab_opts.events & CAB_EVENTS_MEMORY)
    {
      cab_add_pass (info->base_name, cab_kept_pass (), "einline", PASS_POS_INSERT_AFTER);
      cab_add_pass (info->base_name, cab_kept_pass (), "esra", PASS_POS_INSERT_BEFORE);
      cab_add_pass (info->base_name, cab_kept_pass (), "*all_optimizations",
		    PASS_POS_INSERT_BEFORE);
      cab_add_pass (info->base_name, cab_kept_pass (), "retslot", PASS_POS_INSERT_BEFORE);
      cab_add_pass (info->base_name, cab_addressed_pass (), "laddress", PASS_POS_INSERT_BEFORE);
      if (!is_link)
	register_callback (info->base_name, PLUGIN_ALL_IPA_PASSES_START, cab_struct_mark_unit,
			   NULL);
      register_callback (info->base_name, PLUGIN_ALL_PASSES_END, cab_access_give_back, NULL);
      cab_add_pass (info->base_name, cab_memory_unit_pass (), "simdclone", PASS_POS_INSERT_AFTER);
      cab_add_pass (info->base_name, cab_memory_pass (), "fix_loops", PASS_POS_INSERT_BEFORE);
      cab_add_pass (info->base_name, cab_memory_pass (), "*all_optimizations_g",
		     PASS_POS_INSERT_AFTER);
    }
  if (cab_opts.outcome)
    {
      cab_outcome_begin (info->base_name);
      cab_registers_begin (info->base_name);
      cab_align_begin (info->base_name);
      if (cab_opts.trials_file && !is_link)
	cab_trials_begin (info->base_name);
      cab_prefetch_begin (info->base_name);
    }
  register_callback (info->base_name, PLUGIN_GGC_MARKING, cab_root_mark, NULL);
  return 0;
}

/* plugin.h - what the GCC-side files of the plugin share.  C++ because GCC's headers are; C with
 * GCC's vec, no STL.
 *
 * One pass, `cabprof`, a simple IPA pass right after "profile" (main.cc), walks the functions with
 * a body: filters (filter.cc), then cab_instrument_function (instrument.cc), which plans and emits
 * the probes (paths.cc, calls.cc) and passes the function's record to its row (row.cc).
 *
 * Ownership: trees that must survive a collection go through cab_root.
 */
#ifndef CABPROF_PLUGIN_H
#define CABPROF_PLUGIN_H

#include "plugin/gcc-common.h"   /* GCC's own headers, in the one order that works */
#include "plugin/emit/options.h" /* pure: struct cab_options, parsed from -fplugin-arg-cabprof-* */

extern struct cab_options cab_opts;

/* root.cc: keep T alive across collections; return T. */
extern tree cab_root (tree t);
extern void cab_root_mark (void *gcc_data, void *user_data);   /* callback for PLUGIN_GGC_MARKING */

/* row.cc: a function's row and record.  A function may have two rows: one of the probes that are
   inserted early, and one of accesses and allocations. */
struct cab_row_desc
{
  tree row;               /* VAR_DECL of struct cab_row's size; gates take its address */
  unsigned checksum;
  unsigned flags;         /* CAB_ROW_* */
  unsigned n_counters;
  unsigned n_sites;
  unsigned n_accesses;    /* in units of CAB_ACCESS_UNIT */
};
/* Declare the row's variable, so that probes can refer to it.  CHECKSUM is of the shape and goes
   into the variable's name.  MEMORY selects the row of accesses and allocations. */
extern void cab_row_begin (struct cab_row_desc *desc, function *fn, unsigned checksum, bool memory);
/* Give the variable its contents.  INFO is the whole record text without the leading \1, which
   row.cc adds. */
extern void cab_row_finish (struct cab_row_desc *desc, function *fn, const char *info,
			    size_t info_length);
/* Return an 8-byte volatile reference to the slot OFFSET bytes into the row (offsetof (struct
   cab_row, ...)), for loads. */
extern tree cab_row_slot (struct cab_row_desc *desc, unsigned offset);
/* Emit a record without a row, of a skipped function or of the translation unit. */
extern void cab_record_emit (const char *info, size_t info_length);
/* Return TEXT, escaped (escape.h).  The caller frees it. */
extern char *cab_escaped (const char *text);
/* Return FILE in the form that records have: prefix maps applied, escaped.  The caller frees it. */
extern char *cab_source_name (const char *file);

/* stub.cc: make sure that the stub is in this unit and, in code that is not for a DSO, the
   context. */
extern void cab_stub_emit (void);
/* Return true if this unit's code reaches the context directly (__cab_ctx, __cab_count), false if
   by way of __cab_off. */
extern bool cab_stub_direct_context (void);

/* offload.cc: return the pass that streams the stub for the link, and not for accelerators. */
extern opt_pass *cab_offload_pass (void);

/* main.cc: return the directory of the running module, for what lies beside it. */
extern const char *cab_module_directory (void);
/* Update the calls in FN: functions that they call may have been const or pure and are no
   longer. */
extern void cab_refresh_calls (function *fn);

/* filter.cc: examine the unit as a whole, once, before the first call of cab_skip_reason.  Return
   false, after an error message, if nothing in it can be instrumented. */
extern bool cab_filter_begin (void);
/* The callback that registers the attributes cabprof_always and cabprof_never. */
extern void cab_filter_register_attributes (void *gcc_data, void *user_data);
/* Return null if FN is to be instrumented; else the reason why not, a constant string, used in
   records, -verbose and the ledger. */
extern const char *cab_skip_reason (function *fn);

/* builtins.cc: declare the builtins that probes call, in every language. */
extern void cab_builtins_declare (void);

/* instrument.cc: instrument cfun; return false with *REASON if that is not possible. */
extern bool cab_instrument_function (function *fn, const char **reason);

/* confine.cc: make calls in FN that install filters of system calls, or take files out of reach,
   notify the runtime. */
extern void cab_confine_tell (function *fn);

/* depends.cc: note that the file PATH has been read for this compilation. */
extern void cab_depends_on (const char *path);
/* depends.cc: register a callback of PLUGIN that adds these files where the compiler writes
   dependencies. */
extern void cab_depends_begin (const char *plugin);

#endif

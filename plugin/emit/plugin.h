/* plugin.h - what the GCC-side files of the plugin share.  C++ because GCC's headers are; C with
 * GCC's vec, no STL.
 *
 * One pass, `cabprof`, a simple IPA pass right behind "profile" (main.cc), walks the functions with
 * a body: filters (filter.cc), then cab_instrument_function (instrument.cc), which plans and emits
 * the probes (paths.cc, calls.cc) and hands the function's record to its row (row.cc).
 *
 * Ownership: trees that must survive a collection go through cab_root.
 */
#ifndef CABPROF_PLUGIN_H
#define CABPROF_PLUGIN_H

#include "plugin/gcc-common.h"   /* GCC's own headers, in the one order that works */
#include "plugin/emit/options.h" /* pure: struct cab_options, parsed from -fplugin-arg-cabprof-* */

extern struct cab_options cab_opts;

/* root.cc: keep T alive across collections; returns T. */
extern tree cab_root (tree t);
extern void cab_root_mark (void *gcc_data, void *user_data);   /* for PLUGIN_GGC_MARKING */

/* row.cc: a function's row and record.  Begin makes the variable's declaration (so that probes can
   refer to it); finish gives it its contents.  CHECKSUM is of the shape and goes into the
   variable's name.  A function may have two rows: one of the probes that come early, and one of
   accesses and allocations (MEMORY).  INFO is the whole record text without the leading \1 (row.cc
   adds it). */
struct cab_row_desc
{
  tree row;               /* VAR_DECL of struct cab_row's size; &row is what gates take */
  unsigned checksum;
  unsigned flags;         /* CAB_ROW_* */
  unsigned n_counters;
  unsigned n_sites;
  unsigned n_accesses;    /* in units of CAB_ACCESS_UNIT */
};
extern void cab_row_begin (struct cab_row_desc *desc, function *fn, unsigned checksum, bool memory);
extern void cab_row_finish (struct cab_row_desc *desc, function *fn, const char *info,
			    size_t info_length);
/* An 8-byte reference to slot OFFSET bytes into the row (offsetof (struct cab_row, ...)), volatile,
   for loads. */
extern tree cab_row_slot (struct cab_row_desc *desc, unsigned offset);
/* Records without a row: skipped functions, the translation unit. */
extern void cab_record_emit (const char *info, size_t info_length);
/* TEXT, escaped (escape.h); FILE as it stands in a record: prefix maps applied, escaped.  The
   caller frees them. */
extern char *cab_escaped (const char *text);
extern char *cab_source_name (const char *file);

/* stub.cc: make sure that the stub (and, for code that is not position independent for a DSO, the
   context) is in this unit. */
extern void cab_stub_emit (void);
/* Does this unit's code reach the context directly (__cab_ctx, __cab_count)?  Otherwise by way of
   __cab_off. */
extern bool cab_stub_direct_context (void);

/* offload.cc: the stub is streamed for the link, and not for accelerators. */
extern opt_pass *cab_offload_pass (void);

/* main.cc: the directory of the running module, for what lies beside it. */
extern const char *cab_module_directory (void);
/* Functions that FN calls were const or pure and are no longer: its calls learn of it. */
extern void cab_refresh_calls (function *fn);

/* filter.cc: look at the unit as a whole, once, before the first question; false if nothing in it
   can be instrumented (it has said why). */
extern bool cab_filter_begin (void);
extern void cab_filter_register_attributes (void *gcc_data, void *user_data);
/* null = instrument; else why not (a constant string, used in records, -verbose and the ledger). */
extern const char *cab_skip_reason (function *fn);

/* builtins.cc: declare what probes call, in every language. */
extern void cab_builtins_declare (void);

/* instrument.cc: instrument cfun; returns false with *REASON if it had to give the function up. */
extern bool cab_instrument_function (function *fn, const char **reason);

/* confine.cc: calls in FN that install filters of system calls, or take files out of reach, tell
   the runtime. */
extern void cab_confine_tell (function *fn);

/* depends.cc: the file PATH has been read for this compilation; a callback of PLUGIN that says so
   where the compiler writes dependencies. */
extern void cab_depends_on (const char *path);
extern void cab_depends_begin (const char *plugin);

#endif

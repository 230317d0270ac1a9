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

/* Add PASS of PLUGIN before or after the first instance of GCC's pass REFERENCE. */
static inline void
cab_add_pass (const char *plugin, opt_pass *pass, const char *reference,
	      enum pass_positioning_ops position)
{
  struct register_pass_info info;
  info.pass = pass;
  info.reference_pass_name = reference;
  info.ref_pass_instance_number = 1;
  info.pos_op = position;
  register_callback (plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

#endif

/* gcc-common.h - GCC's own headers, in the one order that works, for every file of the GCC-side
 * module.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CABPROF_GCC_COMMON_H
#define CABPROF_GCC_COMMON_H

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tm.h"
#include "tree.h"
#include "tree-pass.h"
#include "context.h"
#include "basic-block.h"
#include "function.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "gimple-expr.h"
#include "tree-cfg.h"
#include "tree-cfgcleanup.h"
#include "cfganal.h"
#include "cfghooks.h"
#include "cfgloop.h"
#include "tree-affine.h"
#include "tree-dfa.h"
#include "gimple-walk.h"
#include "alias.h"
#include "cgraph.h"
#include "ssa.h"
#include "tree-ssa.h"
#include "ssa-iterators.h"
#include "tree-into-ssa.h"
#include "tree-eh.h"
#include "except.h"
#include "stringpool.h"
#include "attribs.h"
#include "varasm.h"
#include "output.h"
#include "fold-const.h"
#include "stor-layout.h"
#include "value-prof.h"
#include "profile.h"
#include "alloc-pool.h"
#include "symbol-summary.h"
#include "symtab-thunks.h"
#include "predict.h"
#include "target.h"
#include "langhooks.h"
#include "toplev.h"
#include "opts.h"
#include "intl.h"
#include "file-prefix-map.h"
#include "diagnostic.h"
#include "bversion.h"

#if BUILDING_GCC_MAJOR < 12
#define cab_duplicate_loop_body gimple_duplicate_loop_to_header_edge
#define cab_suppress_warning(stmt, option) gimple_set_no_warning (stmt, true)
#else
#define cab_duplicate_loop_body gimple_duplicate_loop_body_to_header_edge
#define cab_suppress_warning(stmt, option) suppress_warning (stmt, option)
#endif

#if BUILDING_GCC_MAJOR < 14
#define cab_create_iv(base, step, loop, gsi, after, before_step) \
  create_iv (base, step, NULL_TREE, loop, gsi, after, before_step, NULL)
#else
#define cab_create_iv(base, step, loop, gsi, after, before_step) \
  create_iv (base, PLUS_EXPR, step, NULL_TREE, loop, gsi, after, before_step, NULL)
#endif

#if BUILDING_GCC_MAJOR < 16
#define CAB_ASSEMBLY_STREAMED_ONCE 1
#define cab_rewrite_to_defined rewrite_to_defined_overflow
#else
#define CAB_ASSEMBLY_STREAMED_ONCE 0
#define cab_rewrite_to_defined rewrite_to_defined_unconditional
#endif

/* Functions of coverage.h, which cannot be included: it wants a header that is not installed. */
extern unsigned coverage_compute_cfg_checksum (struct function *fn);
extern unsigned coverage_compute_lineno_checksum (void);

/* Return the version word of this GCC's .gcda files. */
static inline unsigned
cab_gcda_version (void)
{
  unsigned phase = *gcc_version.devphase ? (unsigned char) *gcc_version.devphase : '*';
  return ('A' + BUILDING_GCC_MAJOR / 10) << 24 | ('0' + BUILDING_GCC_MAJOR % 10) << 16
       | ('0' + BUILDING_GCC_MINOR) << 8 | phase;
}

/* Return how this GCC lays .gcda files out: w, lengths are in words; b, in bytes, and a checksum
   follows the stamp. */
static inline char
cab_gcda_layout (void)
{
  return BUILDING_GCC_MAJOR < 12 ? 'w' : 'b';
}

/* Return true if FN, or null, holds the condition of an [[assume]]. */
static inline bool
cab_is_assumption (function *fn)
{
#if BUILDING_GCC_MAJOR < 13
  (void) fn;
  return false;
#else
  return fn && fn->assume_function;
#endif
}

/* Return LOCATION as the compiler compares it when it lists a block's lines for gcov: a jump whose
   location the block has already is not one line more. */
static inline location_t
cab_counted_location (location_t location)
{
#if BUILDING_GCC_MAJOR < 16
  return location;
#else
  return get_pure_location (location);
#endif
}

/* Return BB's last statement that is not a debug statement, or null. */
static inline gimple *
cab_last_stmt (basic_block bb)
{
  gimple_stmt_iterator gsi = gsi_last_nondebug_bb (bb);
  return gsi_end_p (gsi) ? NULL : gsi_stmt (gsi);
}

#endif

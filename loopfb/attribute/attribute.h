/* attribute.h - attribute samples to functions, lines and source loops.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      each row of the samples is looked up in its module's file (found by path, checked by
 *             build id): function - the innermost inlined one that DWARF names at the address, else
 *             its ELF symbol, else none; symbol - the ELF symbol, i.e. the function in which the
 *             code lies after inlining; what lies in cabprof's own code (its libraries; of
 *             statically linked programs the sections CAB_IMAGE_RUNTIME) is counted in `runtime'
 *             and in nothing else; line - of DWARF's line table; discriminators of one line are
 *             summed; loop - the innermost source loop: exactly, by the ranges of section
 *             .cabprof_loops (include/cabprof/loops.h), where the module has them; else by lines:
 *             among the source loops of .cabprof_info in the address' function (inlined ones
 *             included) and file whose lines hold the address' line those of greatest depth, split
 *             evenly if there are several. Where a module has ranges, both methods are tried:
 *             `both' counts the samples for which both had an answer, `agree' those for which the
 *             answers were the same.
 * Units:      n: samples; weight: as in samples.h; fractions arise where loops share a line.
 * Shapes:     rows are sorted by weight, greatest first; equal ones by name, file and line.
 * Ownership:  all texts live until cab_attribution_fini.
 * Errors:     a module that cannot be read costs only its own lines: `problems' says so.
 */
#ifndef CAB_ATTRIBUTE_H
#define CAB_ATTRIBUTE_H

#include "analyses/base/names.h"
#include "loopfb/sample/samples.h"

struct cab_time_function
{
  const char *function;      /* assembler name, or "" */
  const char *name;          /* for display */
  const char *file;          /* where it is declared; "" unknown */
  uint32_t line;
  uint32_t module;
  uint64_t n, weight;
  uint64_t framed;           /* the part of weight for which DWARF says what is inlined */
  uint64_t inlined;          /* the part of it that was spent in copies inlined into other
				functions */
};

struct cab_time_line
{
  const char *file;
  uint32_t line;
  const char *function;      /* assembler name */
  uint64_t n, weight;
};

/* A source loop.  Its key is that of the loop table. */
struct cab_time_loop
{
  const char *function, *name, *file;
  uint32_t line, column, ordinal, last_line, depth;
  uint32_t checksum;
  const char *flags;         /* of its L1 record; "-" if none */
  uint32_t module;
  uint64_t key, parent;      /* cab_loop_key, and that of the enclosing loop, or 0 */
  double n, weight;          /* in this loop itself, without the loops inside it */
  double n_all, weight_all;  /* including the loops inside it */
  bool exact;                /* attributed by code ranges, else by lines */
};

struct cab_attribution
{
  struct cab_names names;
  uint32_t n_functions, n_lines, n_loops, n_problems;
  struct cab_time_function *functions;
  struct cab_time_line *lines;
  struct cab_time_loop *loops;       /* all loops of the modules' tables, also those without a
					sample */
  const char **problems;
  uint64_t n, weight;                /* of all samples except the runtime's: the total that shares
					refer to */
  uint64_t runtime_n, runtime_weight;   /* of samples in cabprof's runtime */
  uint64_t in_function, with_line;   /* weight that was attributed to a function, to a line */
  double in_loop;
  uint64_t stripped;                 /* weight in files that have loops, but no symbols to find
					their code by */
  uint64_t both, agree;              /* samples; 0 if no module has ranges */
};

/* Attribute SAMPLES.  FIND, unless null, is called with HOST and returns the file of a module that
   has moved since (malloc'd), or null. */
void cab_attribute (struct cab_attribution *attribution, const struct cab_samples *samples,
		    char *(*find) (void *host, const struct cab_sample_module *module), void *host);
/* Free what ATTRIBUTION holds, all of its texts included. */
void cab_attribution_fini (struct cab_attribution *attribution);

#endif

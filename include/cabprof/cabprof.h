/* cabprof.h - for programs that are profiled: say in the source which functions are.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      both go in front of a function's declaration.  Without the plugin, and with other compilers, they mean nothing.
 *
 *     CABPROF_NEVER static int fast (int x);      no probes in it, whatever the command line says
 *     CABPROF_ALWAYS int main (void);             probes in it, even where functions=, exclude= or files= leave it out
 *
 * What cannot carry probes at all (attribute naked, ifunc resolvers, ...) stays without them.
 */
#ifndef CABPROF_CABPROF_H
#define CABPROF_CABPROF_H

#if defined __has_attribute
# if __has_attribute (cabprof_never)
#  define CABPROF_NEVER __attribute__ ((cabprof_never))
#  define CABPROF_ALWAYS __attribute__ ((cabprof_always))
# endif
#endif
#ifndef CABPROF_NEVER
# define CABPROF_NEVER
# define CABPROF_ALWAYS
#endif

#endif

/* configure_test.h - recognise the small programs that configure scripts compile and run.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:   such programs only find out what the compiler and the system can do.  With probes they
 *          would leave profiles in the directory of the build.  Known are the names that Autoconf,
 *          CMake, Meson, SCons, Waf, qmake, Python's distutils, and the hand-made scripts of zlib,
 *          FFmpeg and QEMU give to them.
 * Threads: pure; any call at any time.
 */
#ifndef CABPROF_CONFIGURE_TEST_H
#define CABPROF_CONFIGURE_TEST_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C"
#endif
/* Return true if FILE, which a compiler reads while it works in DIRECTORY, belongs to a configure
   script. */
bool cab_is_configure_test (const char *directory, const char *file);

#endif

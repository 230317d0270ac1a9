/* confine.h - how instrumented code reports that a program forbids itself system calls or files, or
 * limits its memory.
 *
 * Model:      the plugin puts __cab_confine before calls that it knows by name, and __cab_confined
 *             after those that install filters (plugin/paths/confine.cc).  The stub passes both to
 *             the runtime as requests (control.h).
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CABPROF_CONFINE_H
#define CABPROF_CONFINE_H

#include <stdint.h>

enum cab_confine_call
{
  CAB_CONFINE_PRCTL,
  CAB_CONFINE_SYSCALL,
  CAB_CONFINE_LIBSECCOMP,  /* seccomp_load: the first argument is its context */
  CAB_CONFINE_FILTER,      /* some filter about which nothing is known */
  CAB_CONFINE_FILES,       /* chroot, setuid and the like: no filter, but files may become
			      unreachable */
  CAB_CONFINE_LOADED,      /* a library may have been loaded, which may install filters later:
			      reported after dlopen */
  CAB_CONFINE_SETRLIMIT,   /* these three limit addresses (RLIMIT_AS), or lock them */
  CAB_CONFINE_PRLIMIT,
  CAB_CONFINE_MLOCKALL
};

/* A call that is about to be made, with its first arguments. */
struct cab_confine
{
  uint64_t call;           /* enum cab_confine_call */
  uint64_t argument[4];
};

#endif

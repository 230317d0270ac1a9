/* confine.h - what instrumented code tells the runtime about a program that forbids itself system
 * calls or files.
 *
 * Model:      the plugin puts __cab_confine in front of calls that it knows by name, and
 *             __cab_confined after those that install filters (plugin/paths/confine.cc).  The stub
 *             hands both to the runtime as wishes (control.h).
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
  CAB_CONFINE_FILTER,      /* some filter that is not known */
  CAB_CONFINE_FILES        /* chroot, setuid and their like: no filter, but files may be out of
			      reach */
};

/* A call that is about to be made, with its first arguments. */
struct cab_confine
{
  uint64_t call;           /* enum cab_confine_call */
  uint64_t argument[4];
};

#endif

/* bpf.h - evaluates a filter of system calls for one call.
 *
 * Source:     the kernel's Documentation/networking/filter.rst, and kernel/seccomp.c for what of it
 *             filters may use.
 * Model:      pure.  The program may be anything: what the kernel refuses yields the most careful
 *             answer, which is to kill.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_BPF_H
#define CAB_RT_BPF_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>

/* Return what the N instructions at CODE return for CALL: SECCOMP_RET_*. */
uint32_t cab_bpf_run (const struct sock_filter *code, uint32_t n, const struct seccomp_data *call);

#endif

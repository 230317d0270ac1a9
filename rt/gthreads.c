/* gthreads.c - in libcabprof.a only: the functions of threads that GCC's own libraries call if
 * there are threads.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Source:     GCC's gthr-posix.h.
 * Model:      libgfortran, libstdc++, libgcc and others refer to these by weak symbols, and assume
 *             that a program has threads as soon as it has __pthread_key_create.  A static program
 *             has that because of the runtime; functions that nothing else refers to would be null,
 *             and a Fortran program that links without an error would jump to null at its end. */
#include <pthread.h>
#include <sched.h>

extern const void *const cab_gthreads[];

const void *const cab_gthreads[] = { pthread_once,
				     pthread_getspecific,
				     pthread_setspecific,
				     pthread_key_create,
				     pthread_key_delete,
				     pthread_create,
				     pthread_join,
				     pthread_equal,
				     pthread_self,
				     pthread_detach,
				     pthread_cancel,
				     pthread_exit,
				     pthread_mutex_init,
				     pthread_mutex_lock,
				     pthread_mutex_trylock,
				     pthread_mutex_timedlock,
				     pthread_mutex_unlock,
				     pthread_mutex_destroy,
				     pthread_mutexattr_init,
				     pthread_mutexattr_settype,
				     pthread_mutexattr_destroy,
				     pthread_cond_init,
				     pthread_cond_broadcast,
				     pthread_cond_signal,
				     pthread_cond_wait,
				     pthread_cond_timedwait,
				     pthread_cond_destroy,
				     pthread_rwlock_rdlock,
				     pthread_rwlock_tryrdlock,
				     pthread_rwlock_wrlock,
				     pthread_rwlock_trywrlock,
				     pthread_rwlock_unlock,
				     pthread_attr_init,
				     pthread_attr_setdetachstate,
				     pthread_attr_destroy,
				     pthread_getschedparam,
				     pthread_setschedparam,
				     sched_get_priority_max,
				     sched_get_priority_min,
				     sched_yield };

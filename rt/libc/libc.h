/* libc.h - the runtime's own functions in place of the C library's.  rt.mk has it read before every
 * source of the runtime (-include), and loopfb.mk before that of the preloaded sampler.
 *
 * The program may define memcpy, open or any other function of the C library, with probes in it.
 * The runtime may call no such function: it would deadlock on its own lock, or count calls that the
 * program did not make.
 *
 * Model:      a name below is written as usual and is, in the object, cab_libc_NAME: a hidden
 *             function of libc_string.c or libc_system.c; or of libc_found.c, for what only the C
 *             library can do.  The labels on mem* and str* hold also for calls that GCC makes by
 *             itself.  testsuite/link/own-libc.sh lists all names that the runtime may still
 *             import.
 * errno:      is the runtime's own, one for each thread, in its context.  The C library's errno
 *             stays as the program left it.
 * Threads:    all functions may run at once.
 * Locks:      functions of libc_found.c may allocate, by the program's malloc: none of the
 *             runtime's locks is held then, and the thread's probes are hidden (gate.h).
 * Errors:     as in the C library: -1 and errno.  Flags and structures are the kernel's, which on
 *             x86-64 are the C library's.
 *
 * To add a function that is missing here, write it in libc_system.c, and add its name below.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_LIBC_H
#define CAB_RT_LIBC_H

#include <errno.h>
#include <stddef.h>

#undef errno
#define errno (*cab_libc_errno ())
extern int *cab_libc_errno (void) __attribute__ ((visibility ("hidden")));

#define CAB_OWN(name) __asm__ ("cab_libc_" #name)
extern void *memcpy (void *__restrict, const void *__restrict, size_t) CAB_OWN (memcpy);
extern void *memmove (void *, const void *, size_t) CAB_OWN (memmove);
extern void *memset (void *, int, size_t) CAB_OWN (memset);
extern int memcmp (const void *, const void *, size_t) CAB_OWN (memcmp);
extern void *memchr (const void *, int, size_t) CAB_OWN (memchr);
extern size_t strlen (const char *) CAB_OWN (strlen);
extern int strcmp (const char *, const char *) CAB_OWN (strcmp);
extern int strncmp (const char *, const char *, size_t) CAB_OWN (strncmp);
extern char *strchr (const char *, int) CAB_OWN (strchr);
extern char *strrchr (const char *, int) CAB_OWN (strrchr);
extern size_t strspn (const char *, const char *) CAB_OWN (strspn);
extern size_t strcspn (const char *, const char *) CAB_OWN (strcspn);
extern char *strcpy (char *__restrict, const char *__restrict) CAB_OWN (strcpy);
extern char *stpcpy (char *__restrict, const char *__restrict) CAB_OWN (stpcpy);

#pragma redefine_extname strtoll cab_libc_strtoll
#pragma redefine_extname strtoull cab_libc_strtoull
#pragma redefine_extname getenv cab_libc_getenv
#pragma redefine_extname getauxval cab_libc_getauxval
#pragma redefine_extname syscall cab_libc_syscall

#pragma redefine_extname __errno_location cab_libc___errno_location
#pragma redefine_extname dl_iterate_phdr cab_libc_dl_iterate_phdr
#pragma redefine_extname dlerror cab_libc_dlerror
#pragma redefine_extname dlopen cab_libc_dlopen
#pragma redefine_extname dlsym cab_libc_dlsym
#pragma redefine_extname pthread_atfork cab_libc_pthread_atfork
#pragma redefine_extname pthread_attr_destroy cab_libc_pthread_attr_destroy
#pragma redefine_extname pthread_attr_init cab_libc_pthread_attr_init
#pragma redefine_extname pthread_attr_setdetachstate cab_libc_pthread_attr_setdetachstate
#pragma redefine_extname pthread_attr_setstack cab_libc_pthread_attr_setstack
#ifndef CAB_LIBC_WRAPPED   /* loopfb/preload/sample.c defines these for the program */
#pragma redefine_extname pthread_create cab_libc_pthread_create
#pragma redefine_extname pthread_sigmask cab_libc_pthread_sigmask
#endif
#pragma redefine_extname pthread_key_create cab_libc_pthread_key_create
#pragma redefine_extname pthread_setspecific cab_libc_pthread_setspecific

#pragma redefine_extname access cab_libc_access
#pragma redefine_extname clock_gettime cab_libc_clock_gettime
#pragma redefine_extname close cab_libc_close
#pragma redefine_extname connect cab_libc_connect
#pragma redefine_extname faccessat cab_libc_faccessat
#pragma redefine_extname fallocate cab_libc_fallocate
#pragma redefine_extname fchmod cab_libc_fchmod
#pragma redefine_extname fchown cab_libc_fchown
#pragma redefine_extname fcntl cab_libc_fcntl
#pragma redefine_extname flock cab_libc_flock
#pragma redefine_extname fstat cab_libc_fstat
#pragma redefine_extname fstatat cab_libc_fstatat
#pragma redefine_extname ftruncate cab_libc_ftruncate
#pragma redefine_extname getcwd cab_libc_getcwd
#pragma redefine_extname getegid cab_libc_getegid
#pragma redefine_extname geteuid cab_libc_geteuid
#pragma redefine_extname getgid cab_libc_getgid
#pragma redefine_extname getpid cab_libc_getpid
#pragma redefine_extname getppid cab_libc_getppid
#pragma redefine_extname getrlimit cab_libc_getrlimit
#pragma redefine_extname gettid cab_libc_gettid
#pragma redefine_extname getuid cab_libc_getuid
#pragma redefine_extname kill cab_libc_kill
#pragma redefine_extname link cab_libc_link
#pragma redefine_extname linkat cab_libc_linkat
#pragma redefine_extname lseek cab_libc_lseek
#pragma redefine_extname lstat cab_libc_lstat
#pragma redefine_extname madvise cab_libc_madvise
#pragma redefine_extname mincore cab_libc_mincore
#pragma redefine_extname mkdir cab_libc_mkdir
#pragma redefine_extname mkdirat cab_libc_mkdirat
#pragma redefine_extname mmap cab_libc_mmap
#pragma redefine_extname mprotect cab_libc_mprotect
#pragma redefine_extname mremap cab_libc_mremap
#pragma redefine_extname msync cab_libc_msync
#pragma redefine_extname munmap cab_libc_munmap
#pragma redefine_extname nanosleep cab_libc_nanosleep
#pragma redefine_extname open cab_libc_open
#pragma redefine_extname openat cab_libc_openat
#pragma redefine_extname prctl cab_libc_prctl
#pragma redefine_extname pread cab_libc_pread
#pragma redefine_extname pwrite cab_libc_pwrite
#pragma redefine_extname pwritev cab_libc_pwritev
#pragma redefine_extname read cab_libc_read
#pragma redefine_extname readlink cab_libc_readlink
#pragma redefine_extname readlinkat cab_libc_readlinkat
#pragma redefine_extname recv cab_libc_recv
#pragma redefine_extname rename cab_libc_rename
#pragma redefine_extname renameat cab_libc_renameat
#pragma redefine_extname rmdir cab_libc_rmdir
#pragma redefine_extname sched_getaffinity cab_libc_sched_getaffinity
#pragma redefine_extname sched_yield cab_libc_sched_yield
#pragma redefine_extname sendmsg cab_libc_sendmsg
#pragma redefine_extname sigaddset cab_libc_sigaddset
#pragma redefine_extname sigaltstack cab_libc_sigaltstack
#pragma redefine_extname sigdelset cab_libc_sigdelset
#pragma redefine_extname sigemptyset cab_libc_sigemptyset
#pragma redefine_extname sigfillset cab_libc_sigfillset
#pragma redefine_extname sigismember cab_libc_sigismember
#pragma redefine_extname sigpending cab_libc_sigpending
#pragma redefine_extname sigtimedwait cab_libc_sigtimedwait
#pragma redefine_extname socket cab_libc_socket
#pragma redefine_extname stat cab_libc_stat
#pragma redefine_extname tgkill cab_libc_tgkill
#pragma redefine_extname unlink cab_libc_unlink
#pragma redefine_extname unlinkat cab_libc_unlinkat
#pragma redefine_extname write cab_libc_write
#pragma redefine_extname writev cab_libc_writev

#endif

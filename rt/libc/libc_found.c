/* libc_found.c - see libc_found.h.  Compiled without libc.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/libc/libc_found.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>

#include "rt/libc/symbols.h"

#define HIDDEN __attribute__ ((visibility ("hidden")))

/* X (result, name, parameters, arguments) for each function. */
#define FUNCTIONS(X) \
  X (int *, __errno_location, (void), ()) \
  X (int, dl_iterate_phdr, (int (*visit) (struct dl_phdr_info *, size_t, void *), void *data), \
     (visit, data)) \
  X (int, pthread_attr_destroy, (pthread_attr_t * attr), (attr)) \
  X (int, pthread_attr_init, (pthread_attr_t * attr), (attr)) \
  X (int, pthread_attr_setdetachstate, (pthread_attr_t * attr, int state), (attr, state)) \
  X (int, pthread_attr_setstack, (pthread_attr_t * attr, void *stack, size_t bytes), \
     (attr, stack, bytes)) \
  X (int, pthread_create, \
     (pthread_t * to, const pthread_attr_t *attr, void *(*run) (void *), void *data), \
     (to, attr, run, data)) \
  X (int, pthread_key_create, (pthread_key_t * key, void (*destroy) (void *)), (key, destroy)) \
  X (int, pthread_setspecific, (pthread_key_t key, const void *value), (key, value))

#define LOADER_FUNCTIONS(X) \
  X (int, __register_atfork, \
     (void (*before) (void), void (*parent) (void), void (*child) (void), void *object), \
     (before, parent, child, object)) \
  X (char *, dlerror, (void), ()) \
  X (void *, dlopen, (const char *file, int flags), (file, flags)) \
  X (void *, dlsym, (void *handle, const char *name), (handle, name))

HIDDEN int cab_libc_pthread_atfork (void (*before) (void), void (*parent) (void),
				    void (*child) (void));

#ifdef CAB_STATIC

extern const ptrdiff_t __rseq_offset __attribute__ ((weak));
const long *
cab_libc_rseq_offset (void)
{
  return &__rseq_offset;
}

#define DIRECT(result, name, parameters, arguments) \
  HIDDEN result cab_libc_##name parameters; \
  result cab_libc_##name parameters { return name arguments; }
FUNCTIONS (DIRECT)

int
cab_libc_pthread_atfork (void (*before) (void), void (*parent) (void), void (*child) (void))
{
  return pthread_atfork (before, parent, child);
}

bool
cab_libc_find (void)
{
  return true;
}

#else

#define FOUND(result, name, parameters, arguments) \
  static result (*found_##name) parameters; \
  HIDDEN result cab_libc_##name parameters; \
  result cab_libc_##name parameters { return found_##name arguments; }
FUNCTIONS (FOUND)
LOADER_FUNCTIONS (FOUND)

const long *
cab_libc_rseq_offset (void)
{
  return cab_symbol_find ("__rseq_offset");
}

extern void *__dso_handle HIDDEN;
int
cab_libc_pthread_atfork (void (*before) (void), void (*parent) (void), void (*child) (void))
{
  return found___register_atfork (before, parent, child, &__dso_handle);
}

bool
cab_libc_find (void)
{
#define FIND(result, name, parameters, arguments) \
  if (!(found_##name = (result (*) parameters) cab_symbol_find (#name))) \
    return false;
  FUNCTIONS (FIND)
  LOADER_FUNCTIONS (FIND)
  return true;
}

#endif

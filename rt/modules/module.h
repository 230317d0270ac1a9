/* module.h - the modules (executable, DSOs) of the process whose rows are registered, and their
 * records on disk.
 *
 * Model:      a module attaches when it is loaded; then it gets its row in the part, and its
 *             .cabprof_info is copied to modules/KEY.info: later the program may have locked itself
 *             up.  A module that is loaded again is the same module if its key agrees.
 * Threads:    find before the lock (it takes the loader's lock); the rest under the runtime's lock.
 * Errors:     without a file or a section the functions are known by number only; told once per
 *             module.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_MODULE_H
#define CAB_RT_MODULE_H

#include <stdbool.h>
#include <stdint.h>
#include "cabprof/abi.h"
#include "rt/common/sys.h"

#define CAB_KEY_BYTES 160

struct cab_loaded
{
  struct cab_loaded *next;
  const struct cab_module *module;
  uintptr_t low, high;         /* addresses of its segments */
  uintptr_t bias;
  uint32_t index;              /* in the part's MODULES; valid once `used` */
  bool used;
  bool again;                  /* it has been loaded before: functions may have numbers */
  char key[CAB_KEY_BYTES];     /* build id, or empty until the file was looked at */
  char file[CAB_PATH_BYTES];   /* to open */
};

/* What the loader knows of the module at ADDRESS; false if nothing. */
bool cab_module_find (struct cab_loaded *to, const void *address);

/* The thread-pointer offset of the executable's context, 0 if it has none. */
int64_t cab_module_ctx_offset (void);

/* The loaded module with ADDRESS in it, or null. */
struct cab_loaded *cab_module_at (const void *address);

/* Give M its row in the part and its records on disk, the first time.  0, or -errno;
   CAB_RECORDS_REFUSED: where the records of the process' first module belong lies what is not this
   user's: it is told, and the process is to run unprofiled. */
int cab_module_use (struct cab_loaded *m);

#endif

/* module.h - the modules (executable, DSOs) of the process whose rows are registered, and their
 * records on disk.
 *
 * Model:      a module attaches when it is loaded; it then gets its row in the part, and its
 *             .cabprof_info is copied to modules/KEY.info, since the program may later forbid
 *             itself files.  A module that is loaded again counts as the same one if its key
 *             agrees.
 * Threads:    find before the runtime's lock (it takes the loader's lock); the rest under the
 *             runtime's lock.
 * Errors:     without a file or a section the functions are known by number only; reported once per
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

struct cab_rt_module
{
  struct cab_rt_module *next;
  const struct cab_module *module;
  uintptr_t low, high;         /* addresses of its segments */
  uintptr_t bias;
  uint32_t index;              /* in the part's MODULES; valid once `used` */
  bool used;
  bool again;                  /* it has been loaded before, and its functions may have numbers */
  char key[CAB_KEY_BYTES];     /* build id, or empty until the file was looked at */
  char file[CAB_PATH_BYTES];   /* path to open it by */
};

/* Fill *TO with what the loader knows about the module at ADDRESS.  Return false if that is
   nothing. */
bool cab_module_find (struct cab_rt_module *to, const void *address);

/* Return the thread-pointer offset of the executable's context, or 0 if it has none. */
int64_t cab_module_ctx_offset (void);

/* Return the loaded module that contains ADDRESS, or null. */
struct cab_rt_module *cab_module_at (const void *address);

/* Give M its row in the part and its records on disk, the first time.  Return 0, or -errno;
   CAB_RECORDS_REFUSED: the place of the records of the process' first module holds something that
   is not this user's; that is reported, and the process must run unprofiled. */
int cab_module_use (struct cab_rt_module *m);

#endif

/* access.c - see access.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/access.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cabprof/info.h"
#include "rt/rt.h"
#include "rt/say.h"
#include "rt/text.h"

#define LEAST_BYTES (UINT64_C (64) << 10)
#define MOST_BYTES (UINT64_C (256) << 20)   /* of a record */

/* By function number.  NONE: its record is not to be had. */
static const struct cab_regions **known;
static const struct cab_regions none;

/* Grows by doubling; under the lock. */
static char *scratch;
static size_t scratch_bytes;

static int
grow_scratch (void)
{
  size_t bytes = scratch_bytes ? 2 * scratch_bytes : LEAST_BYTES;
  char *more = bytes <= MOST_BYTES ? cab_sys_map (bytes) : NULL;
  if (!more)
    return -ENOMEM;
  scratch = more;
  scratch_bytes = bytes;
  return 0;
}

/* The record at offset AT of file FD into the scratch memory: its length, or -errno. */
static ssize_t
read_record (int fd, uint64_t at)
{
  size_t have = 0;
  for (;;)
    {
      if (have == scratch_bytes)
	{
	  int error = grow_scratch ();
	  if (error < 0)
	    return error;
	  have = 0;
	}
      ssize_t n = pread (fd, scratch + have, scratch_bytes - have, at + have);
      if (n < 0)
	return -errno;
      if (n == 0)
	return -ENOEXEC;
      const char *nul = memchr (scratch + have, 0, n);
      if (nul)
	return scratch[0] == CAB_INFO_MARK ? nul - scratch : -ENOEXEC;
      have += n;
    }
}

/* The copy of the records of MODULE's: a descriptor, or -errno. */
static int
open_records (uint32_t module)
{
  static char path[CAB_PATH_BYTES];
  const struct cab_part_module *row = (const struct cab_part_module *) cab_rt.modules.base + module;
  struct cab_text t = CAB_TEXT (path);
  cab_text_add (&t, cab_rt.part.dir);
  cab_text_add (&t, "/modules/");
  cab_text_add (&t, (const char *) cab_rt.strings.base + row->key);
  cab_text_add (&t, ".info");
  return t.cut ? -ENAMETOOLONG : cab_sys_open (path, O_RDONLY, 0);
}

static int
read_regions (const struct cab_part_function *f, const struct cab_regions **to)
{
  int fd = open_records (f->module);
  if (fd < 0)
    return fd;
  ssize_t n = read_record (fd, f->info_offset);
  close (fd);
  if (n < 0)
    return n;
  struct cab_regions *regions = cab_pool_alloc (cab_regions_bytes (scratch, n));
  if (!regions)
    return -ENOMEM;
  *to = regions;
  return cab_regions_parse (regions, scratch, n, f->first_access) < 0 ? -ENOEXEC : 0;
}

static const struct cab_regions *
load (const struct cab_part_function *f)
{
  static bool told;
  const struct cab_regions *regions = NULL;
  int error = read_regions (f, &regions);
  if (error == 0)
    return regions;
  if (!told)
    cab_say (cab_rt.part.dir, "cannot read the record of a function there", error == -ENOEXEC ? 0 : -error,
	     "accesses of such functions are not counted");
  told = true;
  return &none;
}

/* Under the lock. */
static const struct cab_regions *
look (uint32_t fn)
{
  if (!known)
    __atomic_store_n (&known, cab_sys_map ((CAB_EV_ID_MAX + 1) * sizeof *known), __ATOMIC_RELEASE);
  if (!known || fn > cab_rt.part.header->n_functions)
    return &none;
  if (!known[fn])
    __atomic_store_n (&known[fn], load ((const struct cab_part_function *) cab_rt.functions.base + fn - 1), __ATOMIC_RELEASE);
  return known[fn];
}

static const struct cab_regions *
regions (void *host, uint32_t fn)
{
  const struct cab_regions **table = __atomic_load_n (&known, __ATOMIC_ACQUIRE);
  const struct cab_regions *found = table ? __atomic_load_n (&table[fn], __ATOMIC_ACQUIRE) : NULL;
  (void) host;
  if (!found)
    {
      cab_lock (&cab_rt.lock);
      found = look (fn);
      cab_unlock (&cab_rt.lock);
    }
  return found == &none || (found->n_regions + found->n_allocations && !found->first) ? NULL : found;
}

const struct cab_decode_records cab_access_records = { regions, NULL };

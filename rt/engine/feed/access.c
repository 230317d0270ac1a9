/* access.c - see access.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/access.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cabprof/info.h"
#include "rt/common/directory.h"
#include "rt/base/pool.h"
#include "rt/base/rt.h"
#include "rt/base/say.h"

/* Tables by function number, for numbers below `n'.  `none': its record cannot be had. */
struct table
{
  uint32_t n;
  const struct cab_regions *of[];
};
static struct table *known;
static const struct cab_regions none;
#define FIRST_BYTES (UINT64_C (64) << 10)

/* The records of a module, which stay mapped. */
struct records
{
  struct records *next;
  const char *text;
  size_t bytes;               /* 0: they cannot be had, for the reason in `error' */
  int error;
  uint32_t module;
};
static struct records *mapped;    /* under the lock */

/* Open the copy of the records of MODULE.  Return a descriptor, or -errno. */
static int
open_records (uint32_t module)
{
  const struct cab_part_module *row = (const struct cab_part_module *) cab_rt.modules.base + module;
  const char *wrong;
  return cab_directory_records (cab_rt.part.dir, (const char *) cab_rt.strings.base + row->key,
				&wrong);
}

/* Map the records of R.  Return 0, or -errno. */
static int
map_records (struct records *r)
{
  struct stat s;
  int fd = open_records (r->module);
  if (fd < 0)
    return fd;
  int error = fstat (fd, &s) < 0 ? -errno : s.st_size <= 0 ? -ENOEXEC : 0;
  void *p = error < 0 ? MAP_FAILED : mmap (NULL, s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (error == 0 && p == MAP_FAILED)
    error = -errno;
  close (fd);
  if (error < 0)
    return error;
  r->text = p;
  r->bytes = s.st_size;
  return 0;
}

/* Return the records of MODULE, or null if there is no memory. */
static const struct records *
records_of (uint32_t module)
{
  struct records *r = mapped;
  while (r && r->module != module)
    r = r->next;
  if (!r && (r = cab_pool_alloc (sizeof *r)))
    {
      *r = (struct records) { .next = mapped, .module = module };
      r->error = map_records (r);
      mapped = r;
    }
  return r;
}

void
cab_access_fork (void)
{
  mapped = NULL;
  known = NULL;
}

static int
find_regions (const struct cab_part_function *f, const struct cab_regions **to)
{
  const struct records *r = records_of (f->module);
  if (!r || r->error < 0)
    return r ? r->error : -ENOMEM;
  if (f->info_offset >= r->bytes || r->text[f->info_offset] != CAB_INFO_MARK)
    return -ENOEXEC;
  const char *text = r->text + f->info_offset;
  struct cab_regions sizes,
    *regions = cab_pool_alloc (cab_regions_measure (&sizes, text, r->bytes - f->info_offset));
  if (!regions)
    return -ENOMEM;
  *to = regions;
  return cab_regions_begin (regions, &sizes, f->first_access) < 0 ? -ENOEXEC : 0;
}

/* Report once that no records can be had, for the reason ERROR.  Return &none. */
static const struct cab_regions *
refuse (int error)
{
  static bool told;
  if (!told)
    cab_say (cab_rt.part.dir, "cannot read the record of a function there",
	     error == -ENOEXEC ? 0 : -error, "accesses of such functions are not counted");
  told = true;
  return &none;
}

static const struct cab_regions *
load (const struct cab_part_function *f)
{
  const struct cab_regions *regions = NULL;
  int error = find_regions (f, &regions);
  return error == 0 ? regions : refuse (error);
}

/* Return the name in the record of F: the second field of its first line. */
static const char *
name_in_record (const struct cab_part_function *f, size_t *n)
{
  const struct records *r = records_of (f->module);
  if (!r || r->error < 0 || f->info_offset >= r->bytes || r->text[f->info_offset] != CAB_INFO_MARK)
    return NULL;
  const char *from = r->text + f->info_offset, *end = r->text + r->bytes;
  for (int field = 0; field < 2; field++)
    {
      from = memchr (from, '\t', end - from);
      if (!from || ++from == end)
	return NULL;
    }
  const char *line = memchr (from, '\n', end - from);
  *n = line ? line - from : 0;
  return line ? from : NULL;
}

const char *
cab_access_name (uint32_t fn, size_t *n)
{
  if (!fn || fn > __atomic_load_n (&cab_rt.part.header->n_functions, __ATOMIC_ACQUIRE))
    return NULL;
  cab_lock (&cab_rt.lock);
  const char *name
    = name_in_record ((const struct cab_part_function *) cab_rt.functions.base + fn - 1, n);
  cab_unlock (&cab_rt.lock);
  return name;
}

/* Make a table for function FN, of twice the size that the last one had.  That one stays, as other
   threads read it.  Return 0 or -ENOMEM. */
static int
make_table (uint32_t fn)
{
  size_t bytes = FIRST_BYTES;
  while ((bytes - sizeof *known) / sizeof *known->of <= fn)
    bytes *= 2;
  struct table *table = cab_sys_map (bytes);
  if (!table)
    return -ENOMEM;
  table->n = (bytes - sizeof *table) / sizeof *table->of;
  if (known)
    memcpy (table->of, known->of, known->n * sizeof *known->of);
  __atomic_store_n (&known, table, __ATOMIC_RELEASE);
  return 0;
}

/* Return what is known about function FN, after looking it up if need be.  Under the lock. */
static const struct cab_regions *
look (uint32_t fn)
{
  if (fn > cab_rt.part.header->n_functions)
    return &none;
  if ((!known || fn >= known->n) && make_table (fn) < 0)
    return refuse (-ENOMEM);
  if (!known->of[fn])
    __atomic_store_n (&known->of[fn],
		      load ((const struct cab_part_function *) cab_rt.functions.base + fn - 1),
		      __ATOMIC_RELEASE);
  return known->of[fn];
}

void
cab_access_prepare (void)
{
  uint32_t last = cab_rt.part.header->n_functions;
  if (!known || last >= known->n)
    (void) make_table (last);
  for (uint32_t i = 0; i < cab_rt.part.header->n_modules; i++)
    records_of (i);
}

static const struct cab_regions *
regions (void *host, uint32_t fn)
{
  const struct table *table = __atomic_load_n (&known, __ATOMIC_ACQUIRE);
  const struct cab_regions *found = table && fn < table->n
				    ? __atomic_load_n (&table->of[fn], __ATOMIC_ACQUIRE)
				    : NULL;
  (void) host;
  if (!found)
    {
      cab_lock (&cab_rt.lock);
      found = look (fn);
      cab_unlock (&cab_rt.lock);
    }
  return found == &none || (found->n_regions + found->n_allocations && !found->first) ? NULL
										      : found;
}

static const struct cab_region *
read_region (void *host, const struct cab_regions *regions, uint32_t region)
{
  (void) host;
  cab_lock (&cab_rt.lock);
  const struct cab_region *r = cab_regions_read (regions, region);
  cab_unlock (&cab_rt.lock);
  return r;
}

const struct cab_decode_records cab_access_records = { regions, read_region, NULL };

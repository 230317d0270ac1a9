/* gcda_stale.c - see gcda_stale.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/gcda/gcda_stale.h"
#include <string.h>
#include <libiberty/hashtab.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"
#include "analyses/binary/elf_section.h"

/* A function by what it looks like. */
struct look
{
  const char *key;
  struct cab_gcda_function *function;
};

static hashval_t
look_hash (const void *p)
{
  return htab_hash_string (((const struct look *) p)->key);
}

static int
look_equal (const void *a, const void *b)
{
  return !strcmp (((const struct look *) a)->key, ((const struct look *) b)->key);
}

/* Return H with WORD mixed in (FNV-1a). */
static uint64_t
mix (uint64_t h, uint32_t word)
{
  for (int i = 0; i < 4; i++, word >>= 8)
    h = (h ^ (word & 255)) * UINT64_C (1099511628211);
  return h;
}

/* Return a text that two builds of a function share as long as it has not changed. */
static const char *
key_of (struct cab_gcda *gcda, const struct cab_record *r)
{
  uint64_t h = UINT64_C (14695981039346656037);
  for (uint32_t i = 0; i < r->n_edges; i++)
    h = mix (mix (mix (h, r->edges[i].src), r->edges[i].dst), r->edges[i].flags);
  for (uint32_t i = 0; i < r->gcov.n_counters; i++)
    h = mix (h, r->counters[i]);
  return cab_names_format (&gcda->names, "%s\1%s\1%x\1%x\1%jx", r->assembler,
			   r->file < r->n_files ? r->files[r->file] : "", r->gcov.unit,
			   r->gcov.cfg, (uintmax_t) h);
}

/* Return the place for functions that look like R. */
static struct look *
look_of (struct cab_gcda *gcda, const struct cab_record *r)
{
  struct look wanted = { .key = key_of (gcda, r) };
  if (!gcda->by_look)
    gcda->by_look = htab_create (1024, look_hash, look_equal, NULL);
  void **slot = htab_find_slot (gcda->by_look, &wanted, INSERT);
  if (!*slot)
    {
      struct look *look = cab_names_zero (&gcda->names, 1, sizeof *look);
      look->key = wanted.key;
      *slot = look;
    }
  return *slot;
}

void
cab_gcda_stale_index (struct cab_gcda *gcda, struct cab_info *file)
{
  uint64_t offset = 0, at;
  struct cab_diag diag;
  for (char kind; (kind = cab_info_next (file, &offset, &at));)
    {
      struct cab_record record;
      if (kind == 'F' && cab_info_record (file, at, &record, &diag) == 0 && record.gcov.known)
	look_of (gcda, &record)->function = cab_gcda_function_of (gcda, &record.gcov);
    }
}

/* Give the function of record R, in FRESH, the counts that OLD has of it. */
static void
take_counts (struct cab_gcda *fresh, struct cab_gcda *old, const struct cab_record *r,
	     struct cab_gcda_stale *stale)
{
  struct cab_gcda_function *to = cab_gcda_function_of (fresh, &r->gcov);
  const struct cab_gcda_function *from = look_of (old, r)->function;
  to->unknown = !from || from->unknown;
  stale->n_same += !to->unknown;
  stale->n_changed += to->unknown;
  if (to->unknown && !stale->changed)
    stale->changed = cab_names_copy (&fresh->names, r->source, strlen (r->source));
  if (to->unknown)
    return;
  memcpy (to->counts, from->counts, from->gcov.n_counters * sizeof *to->counts);
  to->part = from->part;
  to->first = from->first;
  if (!from->blocks || from->n_blocks != r->n_blocks)
    return;
  to->n_blocks = from->n_blocks;
  to->blocks = cab_names_zero (&fresh->names, r->n_blocks, sizeof *to->blocks);
  memcpy (to->blocks, from->blocks, r->n_blocks * sizeof *to->blocks);
  cab_gcda_values_set (fresh, to, r);
}

/* Give UNIT the summary that OLD has of it, or that of another unit where it is new. */
static void
take_summary (struct cab_gcda_unit *unit, const struct cab_gcda *old)
{
  for (uint32_t i = 0; i < old->n_units; i++)
    {
      const struct cab_gcda_unit *from = &old->units[i];
      bool same = !strcmp (from->base, unit->base) && !strcmp (from->directory, unit->directory);
      if (same || from->sum_max > unit->sum_max)
	{
	  unit->runs = from->runs;
	  unit->sum_max = from->sum_max;
	}
      if (same)
	break;
    }
}

/* Return true if UNIT was compiled by the compiler of the profile OLD; DIAG says so if not. */
static bool
is_same_compiler (const struct cab_gcda *old, const struct cab_gcda_unit *unit, const char *path,
		  struct cab_diag *diag)
{
  if (!old->n_units || old->units[0].version == unit->version)
    return true;
  cab_refuse (path, diag, "is compiled by another version of GCC than the profile: record again");
  return false;
}

int
cab_gcda_stale_add (struct cab_gcda *fresh, struct cab_gcda *old, const char *path,
		    struct cab_gcda_stale *stale, struct cab_diag *diag)
{
  struct cab_info info;
  uint64_t offset = 0, at;
  uint32_t before = fresh->n_units;
  if (cab_elf_is_data (path))
    return 0;
  int result = cab_info_open_elf (&info, path, diag);
  if (result < 0)
    return result;
  for (char kind; !result && (kind = cab_info_next (&info, &offset, &at));)
    {
      struct cab_record record;
      if (kind == 'G')
	result = cab_gcda_unit_add (fresh, &info, at, diag) < 0 ? -1 : 0;
      else if (kind == 'F' && !(result = cab_info_record (&info, at, &record, diag))
	       && record.gcov.known)
	take_counts (fresh, old, &record, stale);
    }
  for (uint32_t i = before; i < fresh->n_units && !result; i++)
    {
      take_summary (&fresh->units[i], old);
      result = is_same_compiler (old, &fresh->units[i], path, diag) ? 0 : -1;
    }
  if (!result && before == fresh->n_units)
    result = cab_refuse (path, diag,
			 "has no records of what GCC's profile needs: compile it with "
			 "-fplugin-arg-cabprof-cut-at-calls");
  cab_info_close (&info);
  return result;
}

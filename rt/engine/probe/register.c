/* register.c - see register.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/probe/register.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "cabprof/event.h"
#include "rt/modules/module.h"
#include "rt/base/rt.h"
#include "rt/base/clock.h"
#include "rt/engine/ring/ring.h"
#include "rt/engine/ring/thread.h"

#define TOP_BIT (UINT64_C (1) << 63)

/* row->reserved[0]: the function's number, or REFUSED. */
#define REFUSED UINT32_MAX

static struct cab_part_function *
functions (void)
{
  return (struct cab_part_function *) cab_rt.functions.base;
}

static void
publish (struct cab_row *row, const struct cab_part_function *f, uint32_t fn)
{
  row->reserved[0] = fn;
  __atomic_store_n (&row->site_slot, (uint64_t) f->first_site << CAB_EV_SITE_SHIFT,
		    __ATOMIC_RELEASE);
  __atomic_store_n (&row->path_slot, (uint64_t) fn << CAB_EV_FN_SHIFT | CAB_EV_PATH,
		    __ATOMIC_RELEASE);
  __atomic_store_n (&row->call_slot, (uint64_t) fn << CAB_EV_CALLEE_SHIFT | CAB_EV_CALL,
		    __ATOMIC_RELEASE);
  if (f->n_counters)
    __atomic_store_n (&row->count_slot, TOP_BIT + f->count_offset, __ATOMIC_RELEASE);
}

/* Give ROW harmless slots.  Without a sink each execution of the function takes its gate. */
static void
refuse (struct cab_row *row)
{
  const struct cab_part_function nothing = { .count_offset = cab_thread_sink_offset (),
					     .n_counters = cab_thread_make_sinks ()
							   ? row->n_counters
							   : 0 };
  publish (row, &nothing, 0);
  row->reserved[0] = REFUSED;
  cab_ledger_add (&cab_ledger ()->n_functions_refused, 1);
}

/* Return the number that the row's function had when its module was loaded before, or 0. */
static uint32_t
number_before (const struct cab_row *row, uint32_t module, uint32_t info)
{
  const struct cab_part_function *f = functions ();
  for (uint32_t i = 0; i < cab_rt.part.header->n_functions; i++)
    if (f[i].module == module && f[i].info_offset == info && f[i].checksum == row->checksum
	&& (f[i].flags & ~CAB_PART_UNORDERED) == row->flags && f[i].n_counters == row->n_counters
	&& f[i].n_sites == row->n_sites)
      return i + 1;
  return 0;
}

static int
make_room (uint32_t n_functions, uint64_t counts_bytes)
{
  if (n_functions > cab_rt.options.most[CAB_BOUND_FUNCTIONS]
      || counts_bytes / 8 > cab_rt.options.most[CAB_BOUND_COUNTERS])
    return -EOVERFLOW;
  int error = cab_area_grow (&cab_rt.functions, &cab_rt.part,
			     n_functions * sizeof (struct cab_part_function));
  return error < 0 ? error : cab_thread_grow_counts (counts_bytes);
}

/* Return the first of N numbers from *NEXT on, and advance that.  Return 0 if N is 0, or, after
   reporting it, if too few are left. */
static uint32_t
take_numbers (uint32_t n, uint32_t *next, enum cab_table_bound bound)
{
  uint32_t first = *next;
  if (n == 0)
    return 0;
  if (n > cab_rt.options.most[bound] + 1 - first)
    {
      cab_rt_no_room (-EOVERFLOW);
      return 0;
    }
  *next += n;
  return first;
}

/* Add a new function, with the flags MORE beside those of its row.  Return its number, or
   -errno. */
static int
add_function (const struct cab_row *row, uint32_t module, uint32_t info, uint32_t more)
{
  struct cab_part_header *h = cab_rt.part.header;
  uint32_t fn = h->n_functions + 1;
  uint64_t end = cab_rt.counts_used + UINT64_C (8) * row->n_counters;
  int error = make_room (fn, end);
  if (error < 0)
    return error;
  struct cab_part_function *f = functions () + fn - 1;
  *f = (struct cab_part_function) {
    .module = module, .info_offset = info, .checksum = row->checksum,
    .flags = row->flags | more, .count_offset = cab_rt.counts_used,
    .n_counters = row->n_counters, .n_sites = row->n_sites
  };
  cab_rt.counts_used = end;
  f->first_site = take_numbers (row->n_sites, &cab_rt.next_site, CAB_BOUND_SITES);
  f->first_access = take_numbers ((uint32_t) row->n_accesses * CAB_ACCESS_UNIT, &cab_rt.next_access,
				  CAB_BOUND_ACCESSES);
  uint32_t before = __atomic_fetch_or (&cab_rt.row_flags, row->flags, __ATOMIC_SEQ_CST);
  if (cab_clock_by_call && row->flags & ~before & CAB_ROW_TIME)
    cab_ring_gate_all ();
  __atomic_store_n (&h->n_functions, fn, __ATOMIC_RELEASE);
  cab_rt.n_functions = fn;
  return fn;
}

/* Register ROW, with the flags MORE if its function is new. */
static void
register_row (struct cab_row *row, uint32_t more)
{
  if (row->reserved[0])
    return;
  struct cab_rt_module *m = cab_module_at (row);
  if (!m || !cab_row_is_sound (row))
    {
      refuse (row);
      return;
    }
  int fn = cab_module_use (m);
  if (fn == 0)
    {
      uint32_t info = row->info + (uint32_t) ((uintptr_t) row - m->bias);
      fn = m->again ? number_before (row, m->index, info) : 0;
      if (fn == 0)
	fn = add_function (row, m->index, info, more);
    }
  if (fn > 0)
    publish (row, functions () + fn - 1, fn);
  else
    {
      cab_rt_no_room (fn);
      refuse (row);
    }
}

void
cab_register_row (struct cab_row *row)
{
  register_row (row, 0);
}

/* Register the rows in the file's part of segment SEGMENT, where they are data.  Return their
   flags. */
static unsigned
register_segment (const struct cab_rt_module *m, const Elf64_Phdr *segment)
{
  unsigned flags = 0;
  uintptr_t at = cab_round_up (m->bias + segment->p_vaddr, CAB_ROW_BYTES),
	    end = m->bias + segment->p_vaddr + segment->p_filesz;
  if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W))
    return 0;
  for (; at + CAB_ROW_BYTES <= end; at += CAB_ROW_BYTES)
    {
      struct cab_row *row = (struct cab_row *) at;
      if (!cab_row_is_sound (row))
	continue;
      register_row (row, CAB_PART_UNORDERED);
      flags |= row->flags;
    }
  return flags;
}

unsigned
cab_register_all (void)
{
  unsigned flags = 0;
  for (const struct cab_rt_module *m = cab_rt.loaded; m; m = m->next)
    {
      const Elf64_Ehdr *e = (const Elf64_Ehdr *) m->low;
      if (!m->module || memcmp (e->e_ident, ELFMAG, SELFMAG) != 0)
	continue;
      const Elf64_Phdr *segments = (const Elf64_Phdr *) (m->low + e->e_phoff);
      for (unsigned i = 0; i < e->e_phnum; i++)
	flags |= register_segment (m, &segments[i]);
    }
  return flags;
}

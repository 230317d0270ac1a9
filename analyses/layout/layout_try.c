/* layout_try.c - see layout_try.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/layout/layout_try.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/layout/layout_heap.h"
#include "analyses/layout/layout_nested.h"
#include "analyses/layout/layout_pieces.h"

#define BATCH 4096
#define POINTER 8
#define OUTSIDE (UINT64_C (1) << 56)      /* addresses of structures outside of blocks, as
					     proposed */
#define OUTSIDE_COLD (UINT64_C (1) << 57)

/* One hierarchy of caches, and the accesses that are to be fed to it. */
struct line
{
  struct cab_cachesim *sim;
  void *memory;
  struct cab_access batch[BATCH];
  size_t n;
};

struct cab_try
{
  struct cab_heap_model *heaps;
  struct line lines[CAB_TRY_N];
  struct cab_layout_statics *statics;     /* null: without CAB_TRY_ARRAYS */
  const struct cab_layouts *layouts;      /* null: without CAB_TRY_ARRAYS */
  uint32_t line_bytes;
  uint64_t unknown, in_arrays, in_none;
};

/* Where an instance is, as proposed. */
struct instance
{
  uint64_t first, cold;
};

struct cab_try *
cab_try_new (const struct cab_cachesim_config *config, const struct cab_layout_variables *variables,
	     struct cab_diag *diag)
{
  size_t bytes = cab_cachesim_bytes (config, diag);
  if (!bytes)
    return NULL;
  struct cab_try *try = XCNEW (struct cab_try);
  try->heaps = cab_heap_model_new (variables != NULL);
  try->layouts = variables ? variables->layouts : NULL;
  try->statics = variables ? cab_layout_statics_new (variables) : NULL;
  try->line_bytes = config->d1.line;
  for (int i = 0; i < (variables ? CAB_TRY_N : CAB_TRY_ARRAYS); i++)
    {
      try->lines[i].memory = xcalloc (1, bytes + 63);
      try->lines[i].sim = cab_cachesim_init (
	(void *) (((uintptr_t) try->lines[i].memory + 63) & -64), config);
    }
  return try;
}

void
cab_try_free (struct cab_try *try)
{
  for (int i = 0; i < CAB_TRY_N; i++)
    free (try->lines[i].memory);
  cab_heap_model_free (try->heaps);
  cab_layout_statics_free (try->statics);
  free (try);
}

static void
flush (struct line *line)
{
  cab_cachesim_feed (line->sim, line->batch, line->n, NULL);
  line->n = 0;
}

static void
put (struct cab_try *try, int which, uint64_t address, uint64_t bytes, unsigned form)
{
  struct line *line = &try->lines[which];
  unsigned kind = !(form & CAB_ROW_WRITE) ? CAB_ACCESS_READ
		: form & CAB_ROW_READ ? CAB_ACCESS_MODIFY
		: CAB_ACCESS_WRITE;
  for (uint64_t n; bytes; address += n, bytes -= n)
    {
      uint64_t rest = try->line_bytes - address % try->line_bytes;
      n = bytes <= try->line_bytes || bytes < rest ? bytes : rest;
      line->batch[line->n++] = (struct cab_access) { address, n, kind };
      if (line->n == BATCH)
	flush (line);
    }
}

static bool
changes (const struct cab_layout *layout)
{
  return layout && layout->plan.kind != CAB_LAYOUT_KEEP;
}

/* Return the place of instance I of BLOCK. */
static struct instance
instance_in (const struct cab_heap_block *block, uint64_t i)
{
  return (struct instance) { block->other + block->lead + i * block->layout->plan.bytes,
			     block->cold + i * block->layout->plan.cold_bytes };
}

/* Return the place of the instance at BASE, which is in no block.  Instances with the
   same address modulo their size stay neighbours. */
static struct instance
instance_outside (const struct cab_layout *l, uint64_t base)
{
  uint64_t i = base / l->structure->bytes,
	   own = (l->structure->key + base % l->structure->bytes) % 128 << 48;
  return (struct instance) { OUTSIDE + own + i * l->plan.bytes,
			     OUTSIDE_COLD + own + i * l->plan.cold_bytes };
}

/* Note that BASE begins an instance that is in no block. */
static void
note_outside (struct cab_layout *l, uint64_t base)
{
  uint64_t residue = 1 + base % l->structure->bytes;
  unsigned i = 0;
  if (l->residues[0] == residue)
    return;
  while (i < CAB_LAYOUT_RESIDUES - 1 && l->residues[i] != residue)
    i++;
  memmove (l->residues + 1, l->residues, i * sizeof *l->residues);
  l->residues[0] = residue;
}

/* Set *BASE to the start of the instance in whose array at A->offset A is.  Return false if that is
   not known. */
static bool
base_outside (const struct cab_try_access *a, uint64_t *base)
{
  const struct cab_layout *l = a->layout;
  uint32_t u = cab_layout_unit_at (l, a->offset);
  for (unsigned i = 0; u < l->n_units && i < CAB_LAYOUT_RESIDUES && l->residues[i]; i++)
    {
      uint64_t at = (a->address - (l->residues[i] - 1)) % l->structure->bytes;
      *base = a->address - at;
      if (at >= a->offset && (at - l->units[u].offset < l->units[u].bytes || !l->units[u].bytes))
	return true;
    }
  return false;
}

/* Put the bytes [OFFSET, OFFSET + BYTES) of one INSTANCE: what is in each part becomes one access
   to the part. */
static void
put_members (struct cab_try *try, const struct cab_layout *l, const struct instance *instance,
	     uint64_t offset, uint64_t bytes, unsigned form)
{
  uint64_t low[2] = { UINT64_MAX, UINT64_MAX }, high[2] = { 0, 0 };
  for (uint32_t u = 0; u < l->n_units; u++)
    {
      const struct cab_layout_unit *unit = &l->units[u];
      uint64_t end = unit->bytes ? unit->offset + unit->bytes : UINT64_MAX;
      uint64_t from = offset > unit->offset ? offset : unit->offset,
	       to = offset + bytes < end ? offset + bytes : end;
      bool cold = l->plan.kind == CAB_LAYOUT_SPLIT && unit->cold;
      if (from >= to)
	continue;
      uint64_t at = l->plan.offset[u] + (from - unit->offset), stop = at + (to - from);
      low[cold] = at < low[cold] ? at : low[cold];
      high[cold] = stop > high[cold] ? stop : high[cold];
    }
  if (high[0])
    put (try, CAB_TRY_PROPOSED, instance->first + low[0], high[0] - low[0], form);
  if (high[1])
    {
      put (try, CAB_TRY_PROPOSED, instance->first + l->plan.pointer, POINTER, CAB_ROW_READ);
      put (try, CAB_TRY_PROPOSED, instance->cold + low[1], high[1] - low[1], form);
    }
}

/* Put bytes of a block of structures: what is before the instances, and what is in each
   instance. */
static void
put_in_block (struct cab_try *try, const struct cab_heap_block *block,
	      const struct cab_try_access *a)
{
  const struct cab_layout *l = block->layout;
  uint64_t size = l->structure->bytes, n = cab_heap_block_instances (block),
	   from = a->address - block->start, to = from + a->bytes;
  bool open_end = !l->units[l->n_units - 1].bytes;
  if (from < block->lead)
    put (try, CAB_TRY_PROPOSED, block->other + from, (to < block->lead ? to : block->lead) - from,
	 a->form);
  from = from < block->lead ? 0 : from - block->lead;
  to = to < block->lead ? 0 : to - block->lead;
  for (uint64_t i; from < to; from = open_end ? to : (i + 1) * size)
    {
      i = open_end ? 0 : from / size;
      uint64_t end = open_end || (i + 1) * size > to ? to : (i + 1) * size;
      if (i >= n)
	return;
      struct instance instance = instance_in (block, i);
      put_members (try, l, &instance, from - i * size, end - from, a->form);
    }
}

/* Take the type of BLOCK from A, if no allocation named it, or where its instances begin, if it has
   room for something else.  The first access to a member decides, if it fits: instances begin at
   the block's start, or end at its end, or are in other structures that fill the block. */
static void
ask (struct cab_try *try, struct cab_heap_block *block, const struct cab_try_access *a)
{
  const struct cab_layout *l = a->layout;
  if (block->asked || !l || a->is_element || (block->layout && block->layout != l))
    return;
  uint64_t size = l->structure->bytes, base = a->address - a->offset,
	   lead = (base - block->start) % size;
  block->asked = true;
  if ((changes (l) || cab_layout_becomes (l, block->bytes / size)) && base >= block->start
      && (!lead || lead == block->bytes % size) && block->bytes >= size)
    cab_heap_model_type (try->heaps, block, l, lead);
  else if (try->layouts && !block->layout
	   && (l = cab_layouts_fitting (try->layouts, block->bytes, a->address - block->start, l,
					a->offset, false)))
    cab_heap_model_type (try->heaps, block, l, 0);
}

/* Where an access to a part of a structure of arrays goes. */
struct pieces
{
  struct cab_try *try;
  const uint64_t *arrays;
  unsigned form;
};

static void
put_piece (void *data, uint32_t array, uint64_t from, uint64_t to)
{
  const struct pieces *p = data;
  put (p->try, CAB_TRY_ARRAYS, p->arrays[array] + from, to - from, p->form);
}

/* Count an access to the structure L as in an array that changes, or as in none.  BECOMES is what
   the instances of OF around the access become; null if nothing changes. */
static void
count_in_arrays (struct cab_try *try, const struct cab_layout *l, const struct cab_layout *of,
		 const struct cab_layout_arrays *becomes)
{
  if (l && l->arrays.n)
    *(becomes && (l != of || becomes == &of->arrays) ? &try->in_arrays : &try->in_none) += 1;
}

/* Put A as CAB_TRY_ARRAYS has it. */
static void
put_beside (struct cab_try *try, const struct cab_heap_block *block, const struct cab_try_access *a)
{
  const struct cab_layout_static *variable = block
					     ? NULL
					     : cab_layout_statics_find (try->statics, a->address,
									a->layout, a->offset,
									a->is_element);
  const uint64_t *arrays = block ? block->arrays : variable ? variable->arrays : NULL;
  const struct cab_layout_arrays *becomes = !arrays ? NULL
					  : block ? block->becomes
					  : variable->becomes;
  const struct cab_layout *l = block ? block->layout : variable ? variable->layout : NULL;
  count_in_arrays (try, a->layout, l, becomes);
  if (!arrays)
    {
      put (try, CAB_TRY_ARRAYS, block ? block->beside + (a->address - block->start) : a->address,
	   a->bytes, a->form);
      return;
    }
  uint64_t start = block ? block->start + block->lead : variable->start;
  uint64_t from = a->address < start ? 0 : a->address - start,
	   to = a->address + a->bytes < start ? 0 : a->address + a->bytes - start;
  uint64_t end = block ? cab_heap_block_instances (block) * l->structure->bytes : variable->bytes;
  struct pieces pieces = { try, arrays, a->form };
  cab_layout_pieces (l, becomes, from, to < end ? to : end, put_piece, &pieces);
}

/* Put the bytes of A from the instance at BASE on, which is in no block, and those in the instances
   after it. */
static void
put_outside (struct cab_try *try, const struct cab_try_access *a, uint64_t base)
{
  const struct cab_layout *l = a->layout;
  bool open_end = !l->units[l->n_units - 1].bytes;
  for (uint64_t at = a->address, end = at + a->bytes, next; at < end; at = next)
    {
      struct instance instance = instance_outside (l, base);
      uint64_t behind = base + l->structure->bytes;
      next = open_end || behind > end ? end : behind;
      put_members (try, l, &instance, at - base, next - at, a->form);
      base = behind;
    }
}

static void
feed_access (struct cab_try *try, const struct cab_try_access *a)
{
  struct cab_heap_block *block = cab_heap_model_find (try->heaps, a->address);
  uint64_t base = a->address - a->offset;
  if (!a->bytes)
    return;
  put (try, CAB_TRY_RAN, a->address, a->bytes, a->form);
  put (try, CAB_TRY_SAME, block ? block->same + (a->address - block->start) : a->address, a->bytes,
       a->form);
  if (block)
    ask (try, block, a);
  if (try->statics)
    put_beside (try, block, a);
  if (block && changes (block->layout) && block->bytes >= block->layout->structure->bytes)
    put_in_block (try, block, a);
  else if (block)
    put (try, CAB_TRY_PROPOSED, block->other + (a->address - block->start), a->bytes, a->form);
  else if (changes (a->layout) && (!a->is_element || base_outside (a, &base)))
    {
      if (!a->is_element)
	note_outside (a->layout, base);
      put_outside (try, a, base);
    }
  else
    {
      try->unknown += changes (a->layout);
      put (try, CAB_TRY_PROPOSED, a->address, a->bytes, a->form);
    }
}

/* Feed the beginning or end of a local variable, for which no call of malloc made room. */
static void
feed_local (struct cab_try *try, const struct cab_try_access *a)
{
  if (!try->statics)
    return;
  if (a->form == CAB_ROW_RELEASED)
    cab_layout_statics_end (try->statics, a->address);
  else
    cab_layout_statics_begin (try->statics, a->address, a->bytes, a->layout);
}

void
cab_try_feed (struct cab_try *try, const struct cab_try_access *a)
{
  if (!(a->form & (CAB_ROW_ALLOCATED | CAB_ROW_RELEASED)))
    {
      feed_access (try, a);
      return;
    }
  if (a->is_local)
    {
      feed_local (try, a);
      return;
    }
  if (a->form == CAB_ROW_RELEASED)
    cab_heap_model_release (try->heaps, a->address);
  if (a->form == CAB_ROW_MOVED && (a->address || !a->bytes))
    cab_heap_model_release (try->heaps, a->other);
  if (a->form != CAB_ROW_RELEASED && a->address)
    cab_heap_model_allocate (try->heaps, a->address, a->bytes, a->layout);
}

void
cab_try_counts (struct cab_try *try, struct cab_try_counts counts[CAB_TRY_N])
{
  for (int i = 0; i < CAB_TRY_N; i++)
    {
      struct cab_cachesim_counts sums;
      counts[i] = (struct cab_try_counts) { 0 };
      if (!try->lines[i].sim)
	continue;
      flush (&try->lines[i]);
      cab_cachesim_counts (try->lines[i].sim, &sums);
      counts[i] = (struct cab_try_counts) { .accesses = sums.accesses[CAB_CACHESIM_READS]
						      + sums.accesses[CAB_CACHESIM_WRITES] };
      for (int level = 0; level < CAB_CACHESIM_LEVELS_MAX; level++)
	counts[i].misses[level] = sums.misses[CAB_CACHESIM_READS][level]
				+ sums.misses[CAB_CACHESIM_WRITES][level];
    }
}

uint64_t
cab_try_unknown (const struct cab_try *try)
{
  return try->unknown;
}

uint64_t
cab_try_in_arrays (const struct cab_try *try, uint64_t *others)
{
  *others = try->in_none;
  return try->in_arrays;
}

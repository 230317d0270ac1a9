/* deps_access.c - see deps_access.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/deps/deps_access.h"
#include "analyses/live/deps/deps_sources.h"

/* Memory that an event reads or writes: at most two spans, one after the other. */
struct span
{
  uint64_t start, end;        /* end: of the last byte */
  bool writes;
};

/* Store the spans that row I of BATCH, an allocation, a release or both, copies to SPAN.  Return
   how many there are. */
static unsigned
spans_of (const struct cab_batch *batch, uint32_t i, struct span span[2])
{
  uint64_t start = batch->address[i], last = start + batch->bytes[i] - 1;
  last = last < start ? UINT64_MAX : last;
  if (batch->form[i] != CAB_ROW_MOVED || batch->other[i] == start || !batch->other[i] || !start
      || !batch->bytes[i])
    return 0;
  span[0] = (struct span) { batch->other[i], batch->other[i] + (last - start), false };
  span[1] = (struct span) { start, last, true };
  return 2;
}

static uint64_t
lines_in (const struct span *span)
{
  return span->end / CAB_DEPS_LINE - span->start / CAB_DEPS_LINE + 1;
}

/* Return how many of the N lines from ADDRESS on another state has, before one that is not so. */
static uint64_t
foreign_lines (const struct cab_arena *arena, uint64_t address, uint64_t n)
{
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  uint64_t found = 0;
  while (found < n && !cab_deps_owns (s, address + found * CAB_DEPS_LINE))
    found += CAB_DEPS_PAGE_LINES
	   - (address / CAB_DEPS_LINE + found) % CAB_DEPS_PAGE_LINES;
  return found < n ? found : n;
}

/* Count an event in the word at offset ENDS. */
static bool
count_event (struct cab_arena *arena, uint64_t ends)
{
  struct cab_change change = cab_undo_begin (arena, CAB_DEPS_UNDO);
  cab_undo_put (&change, CAB_DEPS_AT (part), 0);
  cab_deps_count_events (&change, ends, 1);
  return cab_undo_end (&change) == 0;
}

/* Apply the N spans of an event of access SITE.  ENDS: the offset of the word that counts it when
   the last line is done; 0: none does.  Return false if there is no room for all of it. */
static bool
apply_spans (struct cab_arena *arena, const struct span *span, unsigned n, uint32_t site,
	     uint64_t ends)
{
  uint64_t skip = cab_deps_state_of (arena)->part, part = skip, lines = 0;
  bool ended = false;
  for (unsigned k = 0; k < n; k++)
    lines += lines_in (&span[k]);
  for (unsigned k = 0; k < n; k++)
    {
      uint64_t here = lines_in (&span[k]), done = skip < here ? skip : here,
	       line = (span[k].start / CAB_DEPS_LINE + done) * CAB_DEPS_LINE;
      skip -= done;
      for (uint64_t foreign; done < here; done++, line += CAB_DEPS_LINE)
	{
	  foreign = foreign_lines (arena, line, here - done);
	  part += foreign;
	  done += foreign;
	  line += foreign * CAB_DEPS_LINE;
	  if (done == here)
	    break;
	  struct cab_deps_access a = {
	    .address = line,
	    .from = line < span[k].start ? span[k].start - line : 0,
	    .to = span[k].end - line < CAB_DEPS_LINE ? span[k].end - line + 1 : CAB_DEPS_LINE,
	    .site = site,
	    .writes = span[k].writes
	  };
	  ended = ends && ++part == lines;
	  part += !ends;
	  if (!cab_deps_apply (arena, &a, ended ? 0 : part, ended ? ends : 0))
	    return false;
	}
    }
  return !ends || ended || count_event (arena, ends);
}

/* Return the end of the block that begins at START; START if there is none. */
static uint64_t
end_of_block (struct cab_arena *arena, uint64_t start)
{
  struct cab_live_block block = { .end = start };
  struct cab_change change = cab_undo_begin (arena, CAB_DEPS_UNDO);
  if (!cab_blocks_remove (&change, CAB_DEPS_BLOCKS, start, &block))
    block.end = start;
  change.failed = true;   /* it is only looked at */
  cab_undo_end (&change);
  return block.end;
}

/* Forget what is known of the memory that row I of BATCH releases, and, at the beginning of the
   event, of what it allocates.  Memory that realloc leaves in its place stays as it is up to the
   lesser size. */
static void
clear (struct cab_arena *arena, const struct cab_batch *batch, uint32_t i)
{
  uint64_t address = batch->address[i], bytes = batch->bytes[i], end = address + bytes;
  bool moved = batch->form[i] == CAB_ROW_MOVED, released = batch->form[i] == CAB_ROW_RELEASED;
  uint64_t old = released ? address : moved && (address || !bytes) ? batch->other[i] : 0,
	   old_end = old ? end_of_block (arena, old) : 0;
  if (!released && address && old != address && end > address && !cab_deps_state_of (arena)->part)
    cab_deps_clear (arena, address, end);
  if (moved && old == address && old)
    {
      uint64_t low = old_end < end ? old_end : end, high = old_end < end ? end : old_end;
      cab_deps_clear (arena, low, high);
    }
}

/* Forget what is known of the memory that row I of BATCH has released. */
static void
clear_old (struct cab_arena *arena, const struct cab_batch *batch, uint32_t i)
{
  uint64_t address = batch->address[i];
  bool moved = batch->form[i] == CAB_ROW_MOVED, released = batch->form[i] == CAB_ROW_RELEASED;
  uint64_t old = released ? address
	       : moved && (address || !batch->bytes[i]) && batch->other[i] != address
		 ? batch->other[i]
		 : 0;
  if (old)
    cab_deps_clear (arena, old, end_of_block (arena, old));
}

bool
cab_deps_apply_allocation (struct cab_arena *arena, const struct cab_batch *batch, uint32_t i)
{
  struct span span[2];
  unsigned n = spans_of (batch, i, span);
  clear (arena, batch, i);
  if (n)
    {
      uint64_t old_end = end_of_block (arena, batch->other[i]), had = old_end - batch->other[i];
      if (!had)
	n = 0;   /* it is not known how much was copied */
      else if (span[0].end - span[0].start >= had)
	{
	  span[0].end = span[0].start + had - 1;
	  span[1].end = span[1].start + had - 1;
	}
    }
  if (!apply_spans (arena, span, n, batch->site[i] & CAB_DEPS_SITE_MASK, 0))
    return false;
  clear_old (arena, batch, i);
  if (batch->form[i] != CAB_ROW_RELEASED && !cab_blocks_reserve (arena, CAB_DEPS_BLOCKS))
    return false;
  struct cab_change change = cab_undo_begin (arena, CAB_DEPS_UNDO);
  cab_undo_put (&change, CAB_DEPS_AT (part), 0);
  cab_deps_count_events (&change, CAB_DEPS_AT (others), 1);
  cab_blocks_apply (&change, CAB_DEPS_BLOCKS, batch, i, 1);
  return cab_undo_end (&change) == 0;
}

bool
cab_deps_apply_access (struct cab_arena *arena, unsigned form, uint32_t site, uint64_t start,
		       uint64_t bytes)
{
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  uint64_t ends = cab_deps_event_at (s, cab_deps_here (s), start);
  struct span span[2];
  uint64_t last = start + bytes - 1;
  unsigned n = 0;
  if (!bytes)
    return count_event (arena, CAB_DEPS_AT (others));
  last = last < start ? UINT64_MAX : last;
  if (start / CAB_DEPS_LINE == last / CAB_DEPS_LINE && !s->part
      && cab_deps_owns (s, start)
      && (form & (CAB_ROW_READ | CAB_ROW_WRITE)) != (CAB_ROW_READ | CAB_ROW_WRITE))
    {
      const struct cab_deps_access one = { .address = start & -(uint64_t) CAB_DEPS_LINE,
					   .from = start % CAB_DEPS_LINE,
					   .to = last % CAB_DEPS_LINE + 1,
					   .site = site & CAB_DEPS_SITE_MASK,
					   .writes = form & CAB_ROW_WRITE };
      return cab_deps_apply (arena, &one, 0, ends);
    }
  if (form & CAB_ROW_READ)
    span[n++] = (struct span) { start, last, false };
  if (form & CAB_ROW_WRITE)
    span[n++] = (struct span) { start, last, true };
  return apply_spans (arena, span, n, site & CAB_DEPS_SITE_MASK, ends);
}

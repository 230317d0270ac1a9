/* deps_stretch.c - see deps_stretch.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/deps/deps_stretch.h"
#include "analyses/live/deps/deps_formula.h"

#define MOST_STREAMS 64u     /* of a stretch */
#define MOST_TOUCHES 16384u  /* of a change, so that its log is bounded */
#define MOST_ITERATIONS 4096u

/* An access of the stretch in all iterations of the change. */
struct stream
{
  uint64_t address, step;     /* in the first of them */
  uint64_t low, high;         /* all its bytes are in [low, high) */
  unsigned bytes;
  uint32_t site;
  bool writes;
  bool mixed;                 /* it and others touch the same bytes in no simple order */
};

struct stretch
{
  struct cab_arena *arena;
  struct cab_change change;
  struct cab_deps_touch touch;
  struct cab_deps_now before;   /* the first iteration */
  uint64_t n;                   /* iterations */
  unsigned n_streams;
  struct stream stream[MOST_STREAMS];
};

/* Return how many accesses of A from iteration I on, which is before the last one, are in the page
   where that is.  OWN becomes true if the state has it. */
static uint64_t
run_of (const struct stretch *s, const struct stream *a, uint64_t i, bool *own)
{
  uint64_t address = a->address + i * a->step;
  const struct cab_deps_state *state = cab_deps_state_of (s->arena);
  *own = cab_deps_owns (state, address);
  return state->n_shares < 2
	 ? s->n - i
	 : cab_keyed_run (address, a->step, s->n - i, __builtin_ctz (CAB_DEPS_PAGE_BYTES));
}

/* Add a stream. Return false if its accesses are not all within a line, or wrap around. */
static bool
add_stream (struct stretch *s, uint64_t address, uint64_t step, uint64_t bytes, uint32_t site,
	    bool writes)
{
  uint64_t way = (s->n - 1) * step, last = address + way;
  bool down = (int64_t) step < 0;
  uint64_t size = down ? -step : step, low = down ? last : address, high = down ? address : last;
  if (bytes > CAB_DEPS_LINE || (bytes & (bytes - 1)) || (address | step) & (bytes - 1)
      || size > UINT64_MAX / MOST_ITERATIONS || low > high || high + bytes < high
      || s->n_streams == MOST_STREAMS)
    return false;
  s->stream[s->n_streams++] = (struct stream) { address, step, low, high + bytes, bytes,
						site & CAB_DEPS_SITE_MASK, writes, false };
  return true;
}

/* Make the streams of S from the iterations of STRETCH after the first FROM ones.  Return false if
   there is something else among its accesses. */
static bool
find_streams (struct stretch *s, const struct cab_deps_stretch *stretch, uint64_t from)
{
  const struct cab_batch *b = stretch->batch;
  for (uint32_t i = stretch->first; i < stretch->first + stretch->n; i++)
    {
      uint64_t address = b->address[i] + from * b->step[i];
      if (!b->bytes[i] || !(b->form[i] & (CAB_ROW_READ | CAB_ROW_WRITE))
	  || b->form[i] & ~(CAB_ROW_READ | CAB_ROW_WRITE))
	return false;
      for (unsigned form = CAB_ROW_READ; form <= CAB_ROW_WRITE; form *= 2)
	if (b->form[i] & form
	    && !add_stream (s, address, b->step[i], b->bytes[i], b->site[i],
			    form == CAB_ROW_WRITE))
	  return false;
    }
  return true;
}

/* Return true if A and B touch no bytes in common, or those that they do in the order of their
   addresses. */
static bool
are_ordered (const struct stream *a, const struct stream *b)
{
  if (a->high <= b->low || b->high <= a->low)
    return true;
  if (a->step != b->step || !a->step)
    return false;
  uint64_t size = (int64_t) a->step < 0 ? -a->step : a->step, apart = a->low - b->low;
  apart = (int64_t) apart < 0 ? size - 1 - (-apart - 1) % size : apart % size;
  return a->bytes <= size && b->bytes <= size
	 && (!apart || (apart >= b->bytes && apart + a->bytes <= size));
}

/* Find the streams that have to be applied iteration by iteration. */
static void
find_mixed (struct stretch *s)
{
  bool more = false;
  for (unsigned i = 0; i < s->n_streams; i++)
    for (unsigned k = 0; k < i; k++)
      if (!are_ordered (&s->stream[i], &s->stream[k]))
	more = s->stream[i].mixed = s->stream[k].mixed = true;
  while (more)
    {
      more = false;
      for (unsigned i = 0; i < s->n_streams; i++)
	for (unsigned k = 0; k < s->n_streams; k++)
	  if (s->stream[i].mixed && !s->stream[k].mixed && s->stream[i].low < s->stream[k].high
	      && s->stream[k].low < s->stream[i].high)
	    more = s->stream[k].mixed = true;
    }
}

/* Return true if A, which follows B in an iteration, has to be applied before. */
static bool
goes_first (const struct stream *a, const struct stream *b)
{
  if (a->mixed || b->mixed || a->step != b->step)
    return !a->mixed && b->mixed ? true : !a->mixed && !b->mixed && a->step > b->step;
  return (int64_t) a->step < 0 ? a->address < b->address : a->address > b->address;
}

/* Put the streams into the order in which they are applied, the mixed ones last. */
static void
sort (struct stretch *s)
{
  for (unsigned i = 1; i < s->n_streams; i++)
    {
      struct stream one = s->stream[i];
      unsigned k = i;
      for (; k > 0 && goes_first (&one, &s->stream[k - 1]); k--)
	s->stream[k] = s->stream[k - 1];
      s->stream[k] = one;
    }
}

/* Return true if A goes through lines one unit in each iteration. */
static bool
is_dense (const struct stream *a)
{
  return a->bytes <= 8 && !a->mixed
	 && (a->step == a->bytes || a->step == -(uint64_t) a->bytes);
}

/* Return true if the line at ADDRESS is one that a stream goes through in part. */
static bool
is_ragged (const struct stretch *s, uint64_t address)
{
  for (unsigned i = 0; i < s->n_streams; i++)
    {
      const struct stream *a = &s->stream[i];
      if ((address < a->low && address + CAB_DEPS_LINE > a->low)
	  || (address < a->high && address + CAB_DEPS_LINE > a->high))
	return true;
    }
  return false;
}

/* Make the units for bytes [FROM, TO) of the line at ADDRESS.  Return false if there is no room. */
static bool
make_units (const struct stretch *s, uint64_t address, unsigned from, unsigned to)
{
  return cab_deps_units_of (s->arena, address, from, to).offset;
}

/* Return the last line after ADDRESS, in its page and below HIGH, up to which all lines have a
   reference of 0 or REF, a formula that is known to suit; ADDRESS if the line there has not. */
static uint64_t
skip_lines (const struct stretch *s, uint64_t address, uint64_t high, uint32_t ref)
{
  const struct cab_deps_page *page = cab_deps_page_at (s->arena, address);
  unsigned line = address / CAB_DEPS_LINE % CAB_DEPS_PAGE_LINES;
  for (; page && line < CAB_DEPS_PAGE_LINES && address + CAB_DEPS_LINE <= high
	 && (!page->line[line] || page->line[line] == ref);
       line++)
    address += CAB_DEPS_LINE;
  return address;
}

/* Prepare the line at ADDRESS for the dense stream A. */
static bool
prepare_line (const struct stretch *s, const struct stream *a, uint64_t address)
{
  unsigned from = address < a->low ? a->low - address : 0,
	   to = a->high - address < CAB_DEPS_LINE ? a->high - address : CAB_DEPS_LINE;
  if (to - from < CAB_DEPS_LINE)
    return make_units (s, address, from, to);
  const struct cab_deps_page *page = cab_deps_make_page (s->arena, address);
  uint32_t ref = page ? page->line[address / CAB_DEPS_LINE % CAB_DEPS_PAGE_LINES] : 0;
  const struct cab_deps_formula *f = cab_deps_formula_at (s->arena, ref);
  if (!page || !ref || (f && 1u << f->log2 == a->bytes))
    return page;
  if (!make_units (s, address, 0, a->bytes))
    return false;
  if (!is_ragged (s, address))
    cab_deps_formula_find (s->arena, address, __builtin_ctz (a->bytes));
  return true;
}

/* Prepare the lines of the dense stream A. */
static bool
prepare_dense (const struct stretch *s, const struct stream *a)
{
  const uint64_t page_bytes = CAB_DEPS_PAGE_BYTES;
  for (uint64_t line = a->low & -(uint64_t) CAB_DEPS_LINE; line < a->high;)
    {
      if (!cab_deps_owns (cab_deps_state_of (s->arena), line))
	{
	  line = (line | (page_bytes - 1)) + 1;
	  continue;
	}
      if (!prepare_line (s, a, line))
	return false;
      const struct cab_deps_page *page = cab_deps_page_at (s->arena, line);
      uint32_t ref = page->line[line / CAB_DEPS_LINE % CAB_DEPS_PAGE_LINES];
      line += CAB_DEPS_LINE;
      if ((!ref || ref & CAB_DEPS_FORMULA) && line % page_bytes)
	line = skip_lines (s, line, a->high, ref);
    }
  return true;
}

/* Prepare the units of A, which is not dense. */
static bool
prepare_loose (const struct stretch *s, const struct stream *a)
{
  uint64_t address = a->address, n = a->step ? s->n : 1;
  bool good = true, own = false;
  for (uint64_t i = 0, end = 0; good && i < n; i++, address += a->step)
    {
      end += i == end ? run_of (s, a, i, &own) : 0;
      if (own)
	good = make_units (s, address & -(uint64_t) CAB_DEPS_LINE, address % CAB_DEPS_LINE,
			   address % CAB_DEPS_LINE + a->bytes);
    }
  return good;
}

/* Make what the change needs of the shadow.  Return false if there is no room. */
static bool
prepare (const struct stretch *s)
{
  bool good = true;
  for (unsigned k = 0; good && k < s->n_streams; k++)
    good = is_dense (&s->stream[k]) ? prepare_dense (s, &s->stream[k])
				    : prepare_loose (s, &s->stream[k]);
  return good;
}

/* Return the access of A in iteration I. */
static struct cab_deps_touch
touch_in (struct stretch *s, const struct stream *a, uint64_t i)
{
  struct cab_deps_touch t = s->touch;
  t.now.time = t.now.iteration = s->before.time + i;
  t.now.n = s->before.n + i;
  t.site = a->site;
  t.writes = a->writes;
  return t;
}

/* Apply the access of A in iteration I, at ADDRESS, to the units of its line. */
static void
touch_units (struct stretch *s, const struct stream *a, uint64_t i, uint64_t address)
{
  unsigned from = address % CAB_DEPS_LINE;
  struct cab_deps_units units = cab_deps_units_at (s->arena, address - from, from,
						   from + a->bytes);
  struct cab_deps_touch t = touch_in (s, a, i);
  if (units.offset)
    cab_deps_touch (&t, units.offset, a->bytes >> units.log2);
  else
    s->change.failed = true;
}

/* Return in which iteration A, which is dense, is at ADDRESS. */
static uint64_t
iteration_at (const struct stream *a, uint64_t address)
{
  return (address - a->address) * (a->step == a->bytes ? 1 : -UINT64_C (1)) / a->bytes;
}

/* Apply A to its units in bytes [LOW, HIGH), which lie in a line. */
static void
touch_line (struct stretch *s, const struct stream *a, uint64_t low, uint64_t high)
{
  for (; low < high && !s->change.failed; low += a->bytes)
    touch_units (s, a, iteration_at (a, low), low);
}

/* Apply A to LINES, the first of which is at ADDRESS: as formulas, where that is possible. */
static void
touch_lines (struct stretch *s, const struct stream *a, struct cab_deps_lines lines,
	     uint64_t address)
{
  unsigned n = lines.end - lines.first;
  uint64_t last = address + n * CAB_DEPS_LINE - a->bytes;
  struct cab_deps_touch t = touch_in (s, a, iteration_at (a, address)),
			at_end = touch_in (s, a, iteration_at (a, last));
  lines.unit = address >> lines.log2;
  if (s->change.failed || cab_deps_formula_touch (&lines, &t, &at_end))
    return;
  if (n > 1)
    {
      struct cab_deps_lines half = lines;
      half.end = lines.first = lines.first + n / 2;
      touch_lines (s, a, half, address);
      touch_lines (s, a, lines, address + n / 2 * CAB_DEPS_LINE);
      return;
    }
  cab_deps_formula_expand (&s->change, lines.page, lines.first, address);
  touch_line (s, a, address, address + CAB_DEPS_LINE);
}

/* Apply A, which is dense, to its bytes [LOW, HIGH), which are whole lines of a page. */
static void
touch_page (struct stretch *s, const struct stream *a, uint64_t low, uint64_t high)
{
  const struct cab_deps_page *page = cab_deps_page_at (s->arena, low);
  struct cab_deps_lines lines = { .log2 = __builtin_ctz (a->bytes) };
  lines.page = page ? (const unsigned char *) page - s->arena->base : 0;
  for (uint64_t address = low; page && address < high && !s->change.failed;
       address = low + (lines.end - low / CAB_DEPS_LINE % CAB_DEPS_PAGE_LINES) * CAB_DEPS_LINE)
    {
      unsigned end = (high - 1) / CAB_DEPS_LINE % CAB_DEPS_PAGE_LINES + 1;
      page = (const struct cab_deps_page *) (s->arena->base + lines.page);
      lines.first = address / CAB_DEPS_LINE % CAB_DEPS_PAGE_LINES;
      lines.ref = page->line[lines.first];
      for (lines.end = lines.first + 1; lines.end < end && page->line[lines.end] == lines.ref;
	   lines.end++)
	;
      if (!lines.ref || lines.ref & CAB_DEPS_FORMULA)
	touch_lines (s, a, lines, address);
      else
	touch_line (s, a, address, address + CAB_DEPS_LINE);
    }
}

/* Apply A, which is dense, to its bytes [LOW, END), which lie in a page. */
static void
touch_within (struct stretch *s, const struct stream *a, uint64_t low, uint64_t end)
{
  const uint64_t line = CAB_DEPS_LINE;
  uint64_t first = (low + line - 1) & -line, last = end & -line;
  if (first > last)
    {
      touch_line (s, a, low, end);
      return;
    }
  touch_line (s, a, low, first);
  touch_page (s, a, first, last);
  touch_line (s, a, last, end);
}

/* Apply A, which is dense. */
static void
touch_dense (struct stretch *s, const struct stream *a)
{
  const uint64_t page = CAB_DEPS_PAGE_BYTES;
  for (uint64_t low = a->low, end; low < a->high && !s->change.failed; low = end)
    {
      end = (low | (page - 1)) + 1;
      end = end < a->high ? end : a->high;
      if (cab_deps_owns (cab_deps_state_of (s->arena), low))
	touch_within (s, a, low, end);
    }
}

/* Return true if the units of A, which reads the same bytes in each iteration, were all written
   before the execution of the loop began. */
static bool
is_constant (const struct stretch *s, const struct stream *a)
{
  const struct cab_deps_state *state = cab_deps_state_of (s->arena);
  unsigned from = a->address % CAB_DEPS_LINE;
  struct cab_deps_units units = cab_deps_units_at (s->arena, a->address - from, from,
						   from + a->bytes);
  const struct cab_deps_unit *unit
    = (const struct cab_deps_unit *) (s->arena->base + units.offset);
  bool before = units.offset;
  for (unsigned i = 0; before && i < a->bytes >> units.log2; i++)
    before = unit[i].write >> CAB_DEPS_SITE_BITS < state->frame[s->before.level - 1].begin;
  return before;
}

/* Apply A, which is neither dense nor mixed. */
static void
touch_loose (struct stretch *s, const struct stream *a)
{
  /* A read of the same bytes depends on the same in each iteration, and of the reads the last two
     are kept: only these, the first and the second one are stored. */
  bool own, same = !a->step && !a->writes && s->n > 4 && is_constant (s, a);
  for (uint64_t i = 0, end = 0; i < s->n && !s->change.failed; i++)
    {
      end += i == end ? run_of (s, a, i, &own) : 0;
      if (!own)
	{
	  i = end - 1;
	  continue;
	}
      s->touch.times = same && i == 1 ? s->n - 3 : 1;
      touch_units (s, a, i, a->address + i * a->step);
      i = same && i == 1 ? s->n - 3 : i;
    }
  s->touch.times = 1;
}

/* Apply all streams. */
static void
touch_all (struct stretch *s)
{
  unsigned k = 0;
  for (; k < s->n_streams && !s->stream[k].mixed; k++)
    {
      const struct stream *a = &s->stream[k];
      if (is_dense (a))
	touch_dense (s, a);
      else
	touch_loose (s, a);
    }
  for (uint64_t i = 0; k < s->n_streams && i < s->n && !s->change.failed; i++)
    for (unsigned m = k; m < s->n_streams; m++)
      {
	uint64_t address = s->stream[m].address + i * s->stream[m].step;
	if (cab_deps_owns (cab_deps_state_of (s->arena), address))
	  touch_units (s, &s->stream[m], i, address);
      }
}

/* Return how many accesses the iterations of the change, from number FROM of STRETCH on, have in
   pages of this state. */
static uint64_t
own_accesses (const struct stretch *s, const struct cab_deps_stretch *stretch, uint64_t from)
{
  const struct cab_batch *b = stretch->batch;
  uint64_t sum = 0;
  bool own;
  for (uint32_t k = stretch->first; k < stretch->first + stretch->n; k++)
    {
      const struct stream a = { .address = b->address[k] + from * b->step[k], .step = b->step[k] };
      for (uint64_t i = 0, run; i < s->n; i += run)
	{
	  run = run_of (s, &a, i, &own);
	  sum += own ? run : 0;
	}
    }
  return sum;
}

/* Count the iterations, with their ACCESSES, of which this state counts OWN at their place. */
static void
count (struct stretch *s, uint64_t accesses, uint64_t own)
{
  struct cab_change *c = &s->change;
  const struct cab_deps_state *state = cab_deps_state_of (s->arena);   /* until the first store */
  bool counts = !state->share;
  uint64_t frame = CAB_DEPS_AT (frame) + (s->before.level - 1) * sizeof (struct cab_deps_frame),
	   node = cab_deps_node_at (state, s->touch.node), n = s->before.n - 1 + s->n;
  cab_undo_put (c, CAB_DEPS_AT (time), s->before.time - 1 + s->n);
  cab_undo_put (c, frame + offsetof (struct cab_deps_frame, n), n);
  cab_undo_put (c, frame + offsetof (struct cab_deps_frame, even), n);
  if (counts)
    cab_undo_put (c, node + offsetof (struct cab_deps_node, iterations),
		  cab_undo_get (c, node + offsetof (struct cab_deps_node, iterations)) + s->n);
  cab_deps_count_events (c, CAB_DEPS_AT (marks), s->n);
  cab_deps_count_events (c, node + offsetof (struct cab_deps_node, accesses), own);
  cab_deps_count_events (c, CAB_DEPS_AT (others), accesses - own);
}

/* Return true if LOOP is the innermost one in progress, and each of its iterations so far began one
   row of a loop after the one before. */
static bool
is_even (const struct cab_deps_state *state, uint32_t loop)
{
  unsigned level = cab_deps_levels (state);
  const struct cab_deps_frame *frame = &state->frame[level ? level - 1 : 0];
  return level && level == state->depth && state->loop[level - 1] == loop
	 && frame->even == frame->n && state->time == frame->begin + frame->n;
}

uint64_t
cab_deps_apply_stretch (struct cab_arena *arena, const struct cab_deps_stretch *stretch,
			uint64_t from, uint64_t most)
{
  struct stretch s;
  const struct cab_deps_state *state = cab_deps_state_of (arena);
  uint64_t room = MOST_TOUCHES / (stretch->n + 1);
  most = most < MOST_ITERATIONS ? most : MOST_ITERATIONS;
  s.arena = arena;
  s.n = most < room ? most : room;
  s.n_streams = 0;
  if (!s.n || !is_even (state, stretch->loop) || state->time + s.n > CAB_DEPS_TIME_MOST
      || !find_streams (&s, stretch, from))
    return 0;
  find_mixed (&s);
  sort (&s);
  if (!prepare (&s) || !cab_deps_rows_for (arena))
    return 0;
  state = cab_deps_state_of (arena);
  s.before = cab_deps_now (state);
  s.before.time = s.before.iteration = state->time + 1;
  s.before.n++;
  s.change = cab_undo_begin (arena, CAB_DEPS_UNDO);
  s.touch = (struct cab_deps_touch) { .change = &s.change, .now = s.before,
				      .node = cab_deps_here (state), .times = 1 };
  touch_all (&s);
  count (&s, s.n * stretch->n, own_accesses (&s, stretch, from));
  return cab_undo_end (&s.change) == 0 ? s.n : 0;
}

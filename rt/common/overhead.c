/* overhead.c - see overhead.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/common/overhead.h"

#include "rt/common/text.h"

#define WHOLE 1000000u
#define LEAST_OWN 16   /* the program's own time is at least one part in this many */

static uint64_t
program_ns (const struct cab_overhead_terms *t)
{
  return t->process_ns > t->analysis_ns ? t->process_ns - t->analysis_ns : 0;
}

static uint64_t
events_ns (const struct cab_overhead_terms *t)
{
  return t->words * t->word_ps / 1000;
}

/* Return the program's time without its events, at least 1.  A loop of stores may be slower than
   stores beside other work, so the difference could be anything. */
static uint64_t
own_ns (const struct cab_overhead_terms *t)
{
  uint64_t program = program_ns (t), events = events_ns (t), least = program / LEAST_OWN + 1;
  return program > events && program - events > least ? program - events : least;
}

static uint64_t
share (uint64_t ns, const struct cab_overhead_terms *t)
{
  return ns < UINT64_MAX / WHOLE ? ns * WHOLE / own_ns (t) : UINT64_MAX;
}

uint64_t
cab_overhead_alone (const struct cab_overhead_terms *t)
{
  return share (events_ns (t), t);
}

enum cab_overhead
cab_overhead_judge (const struct cab_overhead_terms *t, uint32_t target)
{
  uint64_t events = events_ns (t);
  return cab_overhead_alone (t) > target ? CAB_OVERHEAD_FORBIDDEN
	 : share (events + t->analysis_ns, t) > target ? CAB_OVERHEAD_OVER
	 : share (events + 2 * t->analysis_ns, t) > target ? CAB_OVERHEAD_FULL
	 : CAB_OVERHEAD_ROOM;
}

/* Add N / UNIT, without zeros at its end; UNIT is a power of ten. */
static void
add_decimal (struct cab_text *text, uint64_t n, uint64_t unit)
{
  cab_text_number (text, n / unit, 10);
  cab_text_add (text, n % unit ? "." : "");
  for (n %= unit; n; n %= unit)
    {
      unit /= 10;
      cab_text_number (text, n / unit, 10);
    }
}

void
cab_overhead_words (char *out, size_t bytes, const struct cab_overhead_terms *t, uint32_t target)
{
  struct cab_text text = { out, 0, bytes, 0 };
  uint64_t ms = program_ns (t) / 1000000;
  out[0] = '\0';
  add_decimal (&text, target, WHOLE / 100);
  cab_text_add (&text, "% cannot be met: the program stores ");
  add_decimal (&text, t->words / (ms ? ms : 1) / 100, 10);
  cab_text_add (&text, " million words a second, ");
  add_decimal (&text, t->word_ps / 10, 100);
  cab_text_add (&text, " ns each: ");
  add_decimal (&text, cab_overhead_alone (t) / 100, 100);
  cab_text_add (&text, "% before any is read");
}

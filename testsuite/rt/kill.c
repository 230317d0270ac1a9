/* kill.c - a process that is killed at any moment, again and again, has in its part exactly what it
 * had recorded.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kinds of rings: a chunk, b CAB, c N-way buffering, d FastForward.
 *
 * The program writes to a shared page how far it is, before and after each event and each count;
 * the judge reads the part by profile.h and compares.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge.h"
#include "probe.h"
#include "rt/engine/ring/ring_fill.h"

ROW (killed_row, 10, 12, 0);

struct progress
{
  volatile uint64_t begun, done;   /* events; the counter changes after the event */
};

static struct progress *
map_progress (const char *path)
{
  int fd = open (path, O_RDWR | O_CREAT, 0644);
  CHECK (fd >= 0 && ftruncate (fd, 4096) == 0, "%s", path);
  struct progress *p = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  CHECK (p != MAP_FAILED, "%s", path);
  close (fd);
  return p;
}

__attribute__ ((noreturn)) static void
program (const char *path)
{
  static const char *const kinds[] = { "chunk", "cab", "pipa", "fastforward" };
  struct cab_row *row = &killed_row;
  struct progress *p = map_progress (path + 1);
  void (*enqueue) (uint64_t) = probe_ring (kinds[path[0] - 'a'], &row, 1);
  for (uint64_t i = 0; ; i++)
    {
      p->begun = i + 1;
      probe_count (&killed_row, 0);
      enqueue (probe_path (&killed_row, i % 10));
      p->done = i + 1;
    }
}

static unsigned n_judged;
static unsigned n_designs[2];   /* rings seen to be for N-way buffering, and for FastForward */

/* Check that the ring, if there is one, is of the design for KIND: chunks for FastForward are one
   slot, and the first one for N-way buffering is full, which it is not in a long chunk ring. */
static void
check_design (const struct judge_part *part, char kind)
{
  size_t n;
  const struct cab_ring_header *h
    = part->header->n_rings ? judge_area (part, CAB_EXT_RING, 0, &n) : NULL;
  if (!h)
    return;
  bool is_cab = kind == 'b' || kind == 'd', is_long = h->chunk_slots > CAB_FILL_FIRST;
  CHECK (h->type == (is_cab ? CAB_RING_CAB : CAB_RING_CHUNK), "%c: type %u", kind, h->type);
  CHECK ((h->chunk_slots == 1) == (kind == 'd'), "%c: chunks of %u", kind, h->chunk_slots);
  if (!is_cab && is_long && h->head && (kind == 'c' || h->head < h->n_chunks))
    {
      CHECK ((h->used[0] == h->chunk_slots) == (kind == 'c'), "%c: %u of %u slots used", kind,
	     h->used[0], h->chunk_slots);
      n_designs[0] += kind == 'c';
    }
  n_designs[1] += kind == 'd';
  free ((void *) h);
}

static void
check_kill (const char *dir, const char *options, char kind, unsigned after_us)
{
  char data[512], path[512], parts[2][512];
  static int run;
  snprintf (data, sizeof data, "%s/data%d", dir, run);
  snprintf (path, sizeof path, "%c%s/progress%d", kind, dir, run++);
  struct progress *p = map_progress (path + 1);
  int status = judge_run (data, options, path, after_us);
  CHECK (WIFSIGNALED (status) && WTERMSIG (status) == 9, "status %x", status);
  int n = judge_parts (data, parts, 2);
  /* Killed before main: there may be no file, or the beginning of one. */
  if (p->begun == 0)
    return;
  CHECK (n == 1, "%d parts", n);
  struct judge_part part = judge_open (parts[0]);
  CHECK (part.header->state == CAB_PART_RUNNING, "state");
  if (part.header->n_functions == 0)
    {
      CHECK (p->done == 0, "%lu done", p->done);
      return;
    }
  uint64_t count = judge_count (&part, 1, 0), events = 0;
  for (int i = 0; i < 10; i++)
    events += judge_paths (&part, 1, i);
  CHECK (count == p->begun || count == p->begun - 1, "%s: counted %lu of %lu", options, count,
	 p->begun);
  /* CAB's consumer may be killed while it clears a chunk, and then a chunk may be there twice
     (ring_cab.c): do not judge it if it has got that far.  With FastForward it may be a batch, if
     the ring has been full. */
  bool judged = kind == 'b' ? p->begun < 900000 : kind != 'd' || p->begun < 1000000;
  n_judged += judged;
  CHECK (!judged || (events >= p->done && events <= p->begun),
	 "%s %c after %u us: %lu events, begun %lu, done %lu", options, kind, after_us, events,
	 p->begun, p->done);
  check_design (&part, kind);
  judge_close (&part);
  munmap (p, 4096);
}

int
main (void)
{
  if (getenv ("CAB_TEST_RUN"))
    program (getenv ("CAB_TEST_RUN"));
  const char *dir = judge_directory ();
  for (unsigned i = 0; i < 40; i++)
    {
      unsigned us = 1500 + i * 377 % 9000;
      check_kill (dir, "ring=512:chunk=64", 'a', us);
      check_kill (dir, "ring=512:chunk=64:placement=inline", 'a', us);
      check_kill (dir, "ring=64K:chunk=4K", 'a', us);
      check_kill (dir, "ring=auto:chunk=64", 'a', us);
      check_kill (dir, "ring=512:chunk=64", 'c', us);
      if (i % 4 == 0)
	check_kill (dir, "ring=8M", 'd', us);
    }
  for (unsigned i = 0; i < 10; i++)
    check_kill (dir, "placement=inline", 'a', 20000 + i * 5001);
  n_judged = 0;
  for (unsigned i = 0; i < 5 || (!n_judged && i < 100); i++)
    check_kill (dir, "ring=64M:chunk=8M", 'b', 3000 + (i % 5 + i / 5) * 977);
  CHECK (n_judged > 0, "CAB's ring was never judged");
  for (unsigned i = 0; i < 5 || (!(n_designs[0] && n_designs[1]) && i < 50); i++)
    {
      check_kill (dir, "ring=2M", 'c', 3000 + i * 977);
      check_kill (dir, "ring=8M", 'd', 3000 + i * 977);
    }
  CHECK (n_designs[0] && n_designs[1], "the rings for comparison were seen %u and %u times",
	 n_designs[0], n_designs[1]);
  return 0;
}

/* cmd_ctl.c - cabprof ctl: pause, resume, flush or copy the profile of a running process.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts in place are paused by this command alone; the threads of the process obey at their next
 * event (cabprof/control.h).
 */
#include "analyses/command/command.h"
#include <errno.h>
#include <inttypes.h>
#include <linux/membarrier.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/profile/finish/live_process.h"
#include "rt/common/pauses.h"
#include "rt/common/snapshot.h"

#define WAIT_DEFAULT_S 1
#define LOOK_NS 1000000L

struct request
{
  int pid;
  const char *what, *name;   /* name: of a snapshot, or null */
  double wait_s;
};

/* Wait until IS_DONE is true of all rings of LIVE, at most WAIT_S seconds.  Return the number of
   rings of which it is not. */
static uint32_t
wait_for (struct cab_live_process *live, double wait_s,
	  bool (*is_done) (const struct cab_live_process *live, const struct cab_ring_header *h))
{
  const struct timespec look = { 0, LOOK_NS };
  for (double waited = 0;; waited += LOOK_NS / 1e9)
    {
      uint32_t left = 0;
      for (uint32_t i = 0; i < live->n_rings; i++)
	left += !is_done (live, live->rings[i]);
      if (!left || waited >= wait_s)
	return left;
      nanosleep (&look, NULL);
    }
}

static bool
has_ended (const struct cab_ring_header *h)
{
  return __atomic_load_n (&h->ended, __ATOMIC_ACQUIRE);
}

/* Return true if the thread of ring H has seen whether it is paused. */
static bool
obeys (const struct cab_live_process *live, const struct cab_ring_header *h)
{
  return has_ended (h)
      || !((__atomic_load_n (&h->obeys, __ATOMIC_ACQUIRE) ^ live->control->pause)
	   & CAB_CONTROL_PAUSED);
}

/* Return the number of words that the thread of ring H has not published. */
static uint64_t
open_words (const struct cab_ring_header *h)
{
  bool sound = h->type == CAB_RING_CHUNK && h->n_chunks && h->n_chunks <= 256 && h->chunk_slots;
  return sound ? cab_ring_open_words (h, __atomic_load_n (&h->head, __ATOMIC_ACQUIRE)) : 0;
}

/* Return true if all that was in ring H at the time of the request has been analysed. */
static bool
is_analysed (const struct cab_live_process *live, const struct cab_ring_header *h)
{
  return h->type != CAB_RING_CHUNK
      || (__atomic_load_n (&h->tail, __ATOMIC_ACQUIRE)
	    == __atomic_load_n (&h->head, __ATOMIC_ACQUIRE)
	  && (has_ended (h)
	      || __atomic_load_n (&h->flushed, __ATOMIC_ACQUIRE) == live->control->flush
	      || !open_words (h)));
}

static bool
stands_still (const struct cab_live_process *live, const struct cab_ring_header *h)
{
  (void) live;
  return !__atomic_load_n (&h->analysing, __ATOMIC_SEQ_CST);
}

static void
call_all (struct cab_live_process *live)
{
  for (uint32_t i = 0; i < live->n_rings; i++)
    cab_control_call (live->rings[i]);
}

static uint32_t
n_threads (const struct cab_live_process *live)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < live->n_rings; i++)
    n += !has_ended (live->rings[i]);
  return n;
}

/* The counter areas of a part, for pauses.h.  The copy of one is valid until the next one is
   read. */
struct areas
{
  const struct cab_part *part;
  uint32_t cursor;
  uint64_t *copy;
  uint64_t n_words;
};

static const uint64_t *
next_area (void *host, void **cursor, uint32_t *number)
{
  struct areas *a = host;
  struct cab_diag diag;
  uint64_t bytes;
  *cursor = a;
  for (int64_t owner; (owner = cab_part_next_owner (a->part, CAB_EXT_COUNTS, &a->cursor)) >= 0;)
    {
      free (a->copy);
      a->copy = cab_part_area (a->part, CAB_EXT_COUNTS, owner, &bytes, &diag);
      *number = owner;
      if (a->copy && bytes / 8 >= a->n_words)
	return a->copy;
    }
  return NULL;
}

static int
fail (const struct request *request, const struct cab_live_process *live, int error)
{
  cab_say ("%s: %s: %s", live->path, request->what,
	   error == -EBUSY ? "another `cabprof ctl' or the process itself is at it: try again"
			   : strerror (-error));
  return CAB_EXIT_FAILED;
}

/* Pause or resume, under the lock. */
static int
change_counts (struct cab_live_process *live, bool pause, struct cab_diag *diag)
{
  if (cab_live_look (live, diag) < 0)
    return 1;
  struct areas areas = { .part = &live->part, .n_words = live->part.header->counts_bytes / 8 };
  const struct cab_pauses pauses = { live->control, live->path, live->part.header->n_counts,
				     areas.n_words, next_area,	&areas };
  bool already = (live->control->pause & CAB_CONTROL_PAUSED) == pause;
  int error = already ? 0 : cab_pauses_change (&pauses, pause);
  free (areas.copy);
  return error;
}

static int
change (const struct request *request, struct cab_live_process *live, bool pause)
{
  struct cab_diag diag;
  int error = cab_pauses_take (live->control);
  if (error < 0)
    return fail (request, live, error);
  bool already = (live->control->pause & CAB_CONTROL_PAUSED) == pause;
  error = change_counts (live, pause, &diag);
  call_all (live);
  cab_pauses_let_go (live->control);
  if (error > 0)
    cab_say ("%s", diag.text);
  if (error)
    return error < 0 ? fail (request, live, error) : CAB_EXIT_FAILED;
  uint32_t left = wait_for (live, request->wait_s, obeys), n = n_threads (live);
  printf ("process %d: %s%s", live->pid, already ? "already " : "", pause ? "paused" : "resumed");
  if (n)
    printf (": counts in place, and events of %u of %u threads", n - (left < n ? left : n), n);
  if (left)
    printf ("; %u %s sent no event since, and will obey with the next one", left,
	    left == 1 ? "has" : "have");
  putchar ('\n');
  return CAB_EXIT_GOOD;
}

static int
flush (const struct request *request, struct cab_live_process *live)
{
  __atomic_fetch_add (&live->control->flush, 1, __ATOMIC_SEQ_CST);
  call_all (live);
  uint32_t left = wait_for (live, request->wait_s, is_analysed), n = n_threads (live);
  printf ("process %d: flushed", live->pid);
  if (n)
    printf (": %u of %u threads", n - (left < n ? left : n), n);
  if (left)
    printf ("; %u %s sent no event since, or %s not analysed yet: reports take what %s last "
	    "recorded from the ring",
	    left, left == 1 ? "has" : "have", left == 1 ? "is" : "are", left == 1 ? "it" : "they");
  putchar ('\n');
  return CAB_EXIT_GOOD;
}

/* Return the first of ctl-1, ctl-2 and so on that the profile does not have. */
static char *
free_name (const struct cab_live_process *live)
{
  int length = lbasename (live->path) - live->path;
  for (unsigned i = 1;; i++)
    {
      char *name = xasprintf ("ctl-%u", i),
	   *path = xasprintf ("%.*ssnapshots/%s", length, live->path, name);
      bool there = access (path, F_OK) == 0;
      free (path);
      if (!there)
	return name;
      free (name);
    }
}

/* Hold the analyses' states still.  Return false if that fails. */
static bool
hold (struct cab_live_process *live, struct cab_diag *diag)
{
  __atomic_store_n (&live->control->hold, getpid (), __ATOMIC_SEQ_CST);
  /* A thread with placement=direct sets `analysing' and reads `hold' without a fence. */
  (void) syscall (SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
  return cab_live_look (live, diag) == 0
      && wait_for (live, CAB_CONTROL_HOLD_NS / 2e9, stands_still) == 0;
}

static int
snapshot (const struct request *request, struct cab_live_process *live)
{
  struct cab_diag diag = { "" };
  char *name = request->name ? xstrdup (request->name) : free_name (live);
  int error = cab_pauses_take (live->control);
  bool taken = error == 0;
  if (taken && !hold (live, &diag))
    error = -EBUSY;
  if (error == 0)
    error = cab_snapshot_take (live->path, live->control->pause, name);
  __atomic_store_n (&live->control->hold, 0, __ATOMIC_SEQ_CST);
  if (taken)
    cab_pauses_let_go (live->control);
  if (error == 0)
    printf ("process %d: snapshot %s: `cabprof report -d %.*s --snapshot=%s'\n", live->pid, name,
	    (int) (lbasename (live->path) - live->path) - 1, live->path, name);
  else if (diag.text[0])
    cab_say ("%s", diag.text);
  free (name);
  return error == 0 ? CAB_EXIT_GOOD : diag.text[0] ? CAB_EXIT_FAILED : fail (request, live, error);
}

static int
status (const struct request *request, struct cab_live_process *live)
{
  const struct cab_part_control *c = live->control;
  struct timespec now;
  uint64_t words = 0;
  uint32_t left = wait_for (live, 0, obeys), n = n_threads (live);
  bool paused = c->pause & CAB_CONTROL_PAUSED;
  (void) request;
  clock_gettime (CLOCK_REALTIME, &now);
  double since = (double) now.tv_sec + now.tv_nsec / 1e9 - c->since_ns / 1e9;
  for (uint32_t i = 0; i < live->n_rings; i++)
    words += open_words (live->rings[i])
	   + (live->rings[i]->type == CAB_RING_CHUNK
		? (live->rings[i]->head - live->rings[i]->tail) * live->rings[i]->chunk_slots
		: 0);
  printf ("process  %d, %s\n", live->pid, cab_part_string (&live->part, live->part.header->exe));
  printf ("part     %s\n", live->path);
  if (paused)
    printf ("state    paused since %.1f s\n", since > 0 ? since : 0);
  else
    puts ("state    running");
  printf ("pauses   %" PRIu64 ", %.1f s in all\n", c->n_pauses,
	  c->paused_ns / 1e9 + (paused && since > 0 ? since : 0));
  printf ("threads  %u that send events, %u of them have not reached the last pause or resume\n", n,
	  left);
  printf ("rings    about %" PRIu64 " words that are not analysed yet\n", words);
  printf ("regions  %u\n", c->n_regions);
  return CAB_EXIT_GOOD;
}

static int
pause_ (const struct request *request, struct cab_live_process *live)
{
  return change (request, live, true);
}

static int
resume (const struct request *request, struct cab_live_process *live)
{
  return change (request, live, false);
}

static const struct action
{
  const char *name;
  int (*run) (const struct request *request, struct cab_live_process *live);
  const char *summary;
} actions[] = {
  { "pause", pause_, "nothing that it does from now on is in the profile" },
  { "resume", resume, "all is again" },
  { "flush", flush, "have all recorded events analysed" },
  { "snapshot", snapshot,
    "keep a copy of the profile so far: `cabprof report --snapshot=NAME' (default: ctl-1, ctl-2, "
    "...)" },
  { "status", status, "whether it is paused, and how much is not analysed yet" }
};

static void
list_actions (void)
{
  for (size_t i = 0; i < ARRAY_SIZE (actions); i++)
    cab_arguments_row (actions[i].name, actions[i].summary);
}

static const struct action *
find_action (const char *name)
{
  for (size_t i = 0; i < ARRAY_SIZE (actions); i++)
    if (!strcmp (name, actions[i].name))
      return &actions[i];
  return NULL;
}

/* Parse the N WORDS after the options. */
static int
take_words (struct request *request, char **words, int n)
{
  if (n < 2)
    return cab_usage ("ctl", n ? words[0] : "ctl", "needs a process and what to do with it");
  request->pid = cab_live_pid (words[0]);
  request->what = words[1];
  request->name = n > 2 ? words[2] : NULL;
  if (request->pid < 0)
    return cab_usage ("ctl", words[0], "is not a process number");
  if (!find_action (request->what))
    return cab_usage ("ctl", request->what,
		      "no such action (pause, resume, flush, snapshot, status)");
  if (n > (strcmp (request->what, "snapshot") ? 2 : 3))
    return cab_usage ("ctl", words[n - 1], "one action at a time");
  if (request->name && !cab_snapshot_is_name (request->name))
    return cab_usage (
      "ctl", request->name,
      "no name for a snapshot: up to 64 letters, digits, '.', '_', '-', without a point in front");
  return 0;
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct request *request)
{
  char **words;
  const struct cab_argument options[] = {
    { "wait", "SECONDS",
      "wait at most so long for its threads to obey (default " CAB_TEXT_OF (WAIT_DEFAULT_S) ")",
      .number = &request->wait_s, .most = 1e6, .wrong = "not a number of seconds" }
  };
  const struct cab_arguments arguments = {
    "ctl", "PID pause|resume|flush|snapshot [NAME]|status [OPTION...]",
    "Control the profile of a running process.  The process itself is never stopped.",
    .list = list_actions, .options = options, .n_options = ARRAY_SIZE (options)
  };
  int result = cab_arguments_parse (&arguments, argc, argv, &words), n = 0;
  while (words[n])
    n++;
  return result ? result : take_words (request, words, n);
}

int
cab_cmd_ctl (int argc, char **argv)
{
  struct request request = { .wait_s = WAIT_DEFAULT_S };
  struct cab_live_process live;
  struct cab_diag diag;
  int bad = parse (argc, argv, &request);
  if (bad)
    return bad < 0 ? CAB_EXIT_GOOD : bad;
  int status = CAB_EXIT_FAILED;
  if (cab_live_open (&live, request.pid, &diag) < 0)
    cab_say ("%s", diag.text);
  else
    status = find_action (request.what)->run (&request, &live);
  cab_live_fini (&live);
  return status;
}

/* model_part.c - add one process to a profile in memory.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/model_part.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/model_adding.h"
#include "analyses/profile/part_control.h"

static const char *
keep (struct cab_adding *a, uint32_t string)
{
  const char *text = cab_part_string (a->part, string);
  return cab_names_copy (&a->model->names, text, strlen (text));
}

/* Add ONE to SUM, including words that are no sums, and that nobody reads there. */
static void
sum_ledger (struct cab_ledger *sum, const struct cab_ledger *one)
{
  uint64_t *to = (uint64_t *) sum;
  const uint64_t *from = (const uint64_t *) one;
  for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
    to[i] += from[i];
}

/* Return the number of functions of the process that were executed.  One that several modules have
   (an inline function of C++) counts once, and so does one whose probes of accesses, or those of
   its clones, have a row of their own.  A forked child also has the functions that its parent
   executed before. */
static uint32_t
executed (const struct cab_adding *a)
{
  uint32_t n = 0;
  bool *seen = XCNEWVEC (bool, a->model->n_functions + 1);
  for (uint32_t i = 1; i < a->n_fn; i++)
    if (!seen[a->fn[i]])
      {
	const struct cab_function *f = a->model->functions[a->fn[i] - 1];
	seen[a->fn[i]] = true;
	n += !f->beside && !f->of_clone;
      }
  free (seen);
  return n;
}

/* Copy what P's delegates have done. */
static void
add_delegates (struct cab_adding *a, struct cab_process *p)
{
  uint32_t n;
  struct cab_part_delegate *rows = cab_part_delegates (a->part, &n);
  while (n && !rows[n - 1].exists)
    n--;
  p->n_delegates = n;
  p->delegates = cab_names_zero (&a->model->names, n + 1, sizeof *rows);
  if (n)
    memcpy (p->delegates, rows, n * sizeof *rows);
  free (rows);
}

static void
add_process (struct cab_adding *a, const struct cab_finish *finish)
{
  const struct cab_part_header *h = a->part->header;
  struct cab_process *p = &a->model->processes[a->process];
  *p = (struct cab_process) { .pid = h->pid,
			     .ppid = h->ppid,
			     .start_ns = h->start_realtime_ns,
			     .end_ns = h->end_realtime_ns,
			     .state = a->part->alive		 ? CAB_PROCESS_RUNNING
				    : h->state == CAB_PART_ENDED ? CAB_PROCESS_ENDED
								 : CAB_PROCESS_KILLED,
			     .exe = keep (a, h->exe),
			     .cwd = keep (a, h->cwd),
			     .options = keep (a, h->options),
			     .version = keep (a, h->version_text),
			     .part = cab_names_copy (&a->model->names, a->part->path,
						     strlen (a->part->path)),
			     .n_threads = h->n_threads,
			     .n_functions = executed (a),
			     .ledger = h->ledger,
			     .finished = finish->n_finished };
  p->lifetimes = cab_names_zero (&a->model->names, h->n_threads + 1, sizeof *p->lifetimes);
  for (uint32_t i = 0; i < h->n_threads; i++)
    {
      const struct cab_part_thread *t = &a->part->threads[i];
      p->lifetimes[i] = (struct cab_lifetime) {
	t->start_realtime_ns, t->end_realtime_ns, t->tid,
	cab_names_copy (&a->model->names, t->name, strnlen (t->name, sizeof t->name))
      };
    }
  struct cab_part_control control;
  if (cab_part_control (a->part, &control))
    {
      p->share = control.share;
      p->placement = control.placement;
      if (p->placement.how > CAB_PLACED_DIRECT_BLOCKS || p->placement.why >= CAB_N_PLACED_WHY)
	p->placement.is_auto = 0;
    }
  add_delegates (a, p);
  p->n_modules = h->n_modules;
  p->modules = cab_names_zero (&a->model->names, h->n_modules + 1, sizeof *p->modules);
  for (uint32_t i = 0; i < h->n_modules; i++)
    p->modules[i] = (struct cab_loaded_module) { keep (a, a->part->modules[i].path),
						keep (a, a->part->modules[i].key),
						a->part->modules[i].load_bias };
  char *command = (char *) keep (a, h->cmdline);
  p->command = command;
  for (; *command; command++)
    if (*command == '\1')
      *command = ' ';
  for (uint32_t i = 0; i < finish->n_arenas; i++)
    if (!finish->arenas[i].is_check)
      p->lost += finish->arenas[i].analysis->lost (&finish->arenas[i].arena);
  p->ledger.enqueued += finish->n_unpublished;
  p->share.passed += finish->n_passed;
  p->ledger.analysed += finish->n_finished;
  p->ledger.dropped[CAB_DROP_UNWANTED] += finish->n_unwanted;
  p->ledger.dropped[CAB_DROP_UNREGISTERED] += finish->n_unregistered;
  p->ledger.raw_words += finish->n_raw;
  p->ledger.accesses += finish->n_accesses;
  sum_ledger (&a->model->ledger, &p->ledger);
}

int
cab_model_add_part (struct cab_model *model, struct cab_part *part)
{
  struct cab_adding a = { .model = model, .part = part, .process = model->n_processes };
  struct cab_finish finish;
  model->processes = XRESIZEVEC (struct cab_process, model->processes, ++model->n_processes);
  cab_adding_number (&a);
  cab_finish_part (&finish, part);
  cab_adding_prepare_counters (&a, &finish);
  if (!model->region)
    cab_adding_add_areas (&a);
  a.sets = cab_part_sets (part, &a.n_sets);
  cab_adding_add_regions (&a);
  cab_adding_sum_events (&a, &finish);
  for (uint32_t i = 0; i < finish.n_problems; i++)
    cab_model_problem (model, "%s", finish.problems[i].text);
  cab_adding_add_arenas (&a, &finish);
  add_process (&a, &finish);
  cab_finish_fini (&finish);
  free (a.fn);
  free (a.site);
  free (a.access);
  for (uint32_t i = 0; i < a.n_rings; i++)
    free (a.rings[i].node);
  free (a.rings);
  free (a.sets);
  return 0;
}

/* loop_trials.c - see loop_trials.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/loops/loop_trials.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <libiberty/libiberty.h>
#include "cabprof/trials.h"

static void
add_problem (struct cab_loop_trials *t, const char *text)
{
  t->problems = XRESIZEVEC (const char *, t->problems, t->n_problems + 1);
  t->problems[t->n_problems++] = cab_names_copy (&t->names, text, strlen (text));
}

/* A file of trials, and when it was written. */
struct found
{
  char *path;
  struct timespec when;
};

/* Compare so that what was written last comes first. */
static int
compare_found (const void *a, const void *b)
{
  const struct found *x = a, *y = b;
  if (x->when.tv_sec != y->when.tv_sec)
    return x->when.tv_sec < y->when.tv_sec ? 1 : -1;
  if (x->when.tv_nsec != y->when.tv_nsec)
    return x->when.tv_nsec < y->when.tv_nsec ? 1 : -1;
  return strcmp (x->path, y->path);
}

static bool
is_name (const char *name)
{
  size_t n = strlen (name), suffix = strlen (CAB_TRIALS_SUFFIX);
  return !strncmp (name, CAB_TRIALS_PREFIX, strlen (CAB_TRIALS_PREFIX)) && n > suffix
      && !strcmp (name + n - suffix, CAB_TRIALS_SUFFIX);
}

/* Append the files in DIR to the N in FOUND, and return FOUND. */
static struct found *
find_files (const char *dir, struct found *found, uint32_t *n)
{
  struct dirent *entry;
  DIR *open = opendir (dir);
  while (open && (entry = readdir (open)))
    if (is_name (entry->d_name))
      {
	struct stat st = { 0 };
	found = XRESIZEVEC (struct found, found, *n + 1);
	found[*n].path = concat (dir, "/", entry->d_name, NULL);
	stat (found[*n].path, &st);
	found[(*n)++].when = st.st_mtim;
      }
  if (open)
    closedir (open);
  return found;
}

/* Return the files in DIR, or if there are none those that `cabprof tune' has left in DIR/trials;
   to be freed.  *N gets their number. */
static struct found *
find_all (const char *dir, uint32_t *n)
{
  char *tuned = concat (dir, "/" CAB_TRIALS_TUNED, NULL);
  *n = 0;
  struct found *found = find_files (dir, NULL, n);
  if (!*n)
    found = find_files (tuned, found, n);
  if (*n)
    qsort (found, *n, sizeof *found, compare_found);
  free (tuned);
  return found;
}

/* Add the process that FUNCTION of FILE is to the trials. */
static void
add_function (struct cab_loop_trials *t, const struct cab_trials_function *function,
	      const char *file)
{
  struct cab_loop_trial *trial = NULL;
  for (uint32_t i = 0; i < t->n && !trial; i++)
    if (!strcmp (t->trials[i].function->symbol, function->symbol)
	&& !strcmp (t->trials[i].function->file, function->file))
      trial = &t->trials[i];
  if (trial && !cab_trials_same (trial->function, function))
    {
      add_problem (t, cab_names_format (&t->names,
					"%s: %s is of another program, or another build of it, "
					"than in the latest file: left out: remove the file",
					file, function->symbol));
      return;
    }
  if (!trial)
    {
      t->trials = XRESIZEVEC (struct cab_loop_trial, t->trials, t->n + 1);
      trial = &t->trials[t->n++];
      *trial = (struct cab_loop_trial) { .function = function };
      trial->iterations = XCNEWVEC (uint64_t, function->n_loops + 1);
    }
  trial->processes = XRESIZEVEC (struct cab_trials_process, trial->processes, trial->n + 1);
  trial->processes[trial->n++] = (struct cab_trials_process) { function->cost,
							       function->n_rounds };
  trial->abandoned += function->abandoned;
  trial->lost += function->lost;
  trial->counted += function->counted;
  for (uint32_t i = 0; i < function->n_loops && function->iterations; i++)
    trial->iterations[i] += function->iterations[i];
}

/* Return true if COPY is the first one of LOOP with its instructions, other than controls. */
static bool
is_variant (const struct cab_trials_function *f, uint32_t copy, int loop)
{
  for (uint32_t i = 0; i < copy; i++)
    if (f->copies[i].turn == f->copies[copy].turn)
      return false;
  return f->copies[copy].loop == loop && copy + 1 < f->n_copies;
}

/* Judge the loops of TRIAL. */
static void
judge (struct cab_loop_trial *trial)
{
  const struct cab_trials_function *f = trial->function;
  bool *wanted = XCNEWVEC (bool, f->n_turns + 1);
  const struct cab_trials_estimate *e = &trial->estimate;
  bool is_any = false;
  cab_trials_estimate (&trial->estimate, trial->processes, trial->n, f->n_turns);
  trial->best = XNEWVEC (int, f->n_loops + 1);
  for (uint32_t loop = 0; loop < f->n_loops; loop++)
    {
      memset (wanted, 0, f->n_turns);
      for (uint32_t i = 0; i < f->n_copies; i++)
	wanted[f->copies[i].turn] |= is_variant (f, i, loop);
      int turn = cab_trials_best (e, wanted);
      trial->best[loop] = -1;
      for (uint32_t i = 0; turn >= 0 && i < f->n_copies; i++)
	if ((int) f->copies[i].turn == turn && is_variant (f, i, loop))
	  trial->best[loop] = i;
      is_any |= turn >= 0;
    }
  trial->alignment = !is_any && e->verdict == CAB_TRIALS_MEASURED && !f->copies[0].align
		  && e->ratio[0].low > 1 && e->ratio[1].low > 1;
  free (wanted);
}

void
cab_loop_trials_open (struct cab_loop_trials *t, const char *dir)
{
  uint32_t n;
  struct found *found = find_all (dir, &n);
  struct cab_diag diag;
  *t = (struct cab_loop_trials) { 0 };
  cab_names_init (&t->names);
  t->files = XCNEWVEC (struct cab_trials, n + 1);
  t->paths = XCNEWVEC (const char *, n + 1);
  for (uint32_t i = 0; i < n; i++)
    {
      if (cab_trials_read (&t->files[t->n_files], found[i].path, &diag) < 0)
	add_problem (t, diag.text);
      else
	t->paths[t->n_files++] = cab_names_copy (&t->names, found[i].path, strlen (found[i].path));
      free (found[i].path);
    }
  free (found);
  for (uint32_t i = 0; i < t->n_files; i++)
    for (uint32_t k = 0; k < t->files[i].n; k++)
      if (t->files[i].functions[k].n_copies > CAB_TRIALS_CONTROLS)
	add_function (t, &t->files[i].functions[k], t->paths[i]);
  for (uint32_t i = 0; i < t->n; i++)
    judge (&t->trials[i]);
}

void
cab_loop_trials_close (struct cab_loop_trials *t)
{
  for (uint32_t i = 0; i < t->n; i++)
    {
      cab_trials_estimate_fini (&t->trials[i].estimate);
      free (t->trials[i].processes);
      free (t->trials[i].iterations);
      free (t->trials[i].best);
    }
  for (uint32_t i = 0; i < t->n_files; i++)
    cab_trials_fini (&t->files[i]);
  free (t->trials);
  free (t->files);
  free (t->paths);
  free (t->problems);
  cab_names_fini (&t->names);
}

/* trials.c - see trials.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/formats/trials.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cabprof/trials.h"

#define MOST_BYTES (256l << 20)
#define MOST_FIELDS (CAB_TRIAL_COPIES + 1)
#define REPAIR "remove the file, and run the program again"

/* The file that is being read. */
struct reader
{
  struct cab_trials *trials;
  struct cab_trials_function *function;   /* the last one, or null */
  char *field[MOST_FIELDS];               /* of the present line */
  unsigned n_fields, line;
  bool has_head, has_end;
};

static void *
grown (void *array, uint32_t n, size_t bytes)
{
  if (n & (n - 1))
    return array;
  array = realloc (array, (n ? 2 * (size_t) n : 1) * bytes);
  if (!array)
    abort ();
  return array;
}

/* Read the whole of TEXT as a number of at most MOST.  Return false if it is none. */
static bool
number (const char *text, int base, uint64_t most, uint64_t *to)
{
  char *end;
  errno = 0;
  unsigned long long n = strtoull (text, &end, base);
  *to = n;
  return *text >= '0' && !*end && !errno && n <= most;
}

static bool
number32 (const char *text, int base, uint64_t most, uint32_t *to)
{
  uint64_t n;
  bool good = number (text, base, most, &n);
  *to = good ? n : 0;
  return good;
}

static bool
read_program (struct reader *r)
{
  r->trials->program = r->field[1];
  return r->n_fields == 3 && number32 (r->field[2], 10, UINT32_MAX, &r->trials->process);
}

static bool
read_function (struct reader *r)
{
  struct cab_trials *t = r->trials;
  if (r->n_fields != 6)
    return false;
  t->functions = grown (t->functions, t->n, sizeof *t->functions);
  r->function = &t->functions[t->n++];
  *r->function = (struct cab_trials_function) { .symbol = r->field[1],
						.name = r->field[2],
						.file = r->field[3] };
  return number32 (r->field[4], 10, INT32_MAX, &r->function->line)
      && number32 (r->field[5], 10, INT32_MAX, &r->function->gcc);
}

static bool
read_loop (struct reader *r)
{
  struct cab_trials_function *f = r->function;
  struct cab_trials_loop loop = { r->field[1], r->field[2], r->field[7], 0, 0, 0, 0 };
  if (r->n_fields != 8 || f->n_copies || !number32 (r->field[3], 10, INT32_MAX, &loop.line)
      || !number32 (r->field[4], 10, INT32_MAX, &loop.column)
      || !number32 (r->field[5], 10, INT32_MAX, &loop.ordinal)
      || !number32 (r->field[6], 16, UINT32_MAX, &loop.checksum))
    return false;
  f->loops = grown (f->loops, f->n_loops, sizeof *f->loops);
  f->loops[f->n_loops++] = loop;
  return true;
}

static bool
read_copy (struct reader *r)
{
  struct cab_trials_function *f = r->function;
  struct cab_trials_copy copy = { .loop = -1, .vectorize = -1, .words = r->field[8] };
  uint32_t loop = 0, vectorize = 0;
  if (r->n_fields != 9 || f->iterations
      || (strcmp (r->field[1], "-") && !number32 (r->field[1], 10, f->n_loops, &loop))
      || !number32 (r->field[2], 10, 64, &copy.unroll)
      || (strcmp (r->field[3], "-") && !number32 (r->field[3], 10, 1, &vectorize))
      || !number32 (r->field[4], 10, 64, &copy.align)
      || !number32 (r->field[5], 10, 64, &copy.prefetch)
      || !number32 (r->field[6], 10, f->n_turns, &copy.turn)
      || !number (r->field[7], 16, UINT64_MAX, &copy.hash) || loop == f->n_loops)
    return false;
  if (strcmp (r->field[1], "-"))
    copy.loop = loop;
  if (strcmp (r->field[3], "-"))
    copy.vectorize = vectorize;
  f->n_turns += copy.turn == f->n_turns;
  f->copies = grown (f->copies, f->n_copies, sizeof *f->copies);
  f->copies[f->n_copies++] = copy;
  return f->n_turns <= CAB_TRIAL_COPIES;
}

static bool
read_totals (struct reader *r)
{
  struct cab_trials_function *f = r->function;
  return r->n_fields == 4 && number (r->field[1], 10, UINT64_MAX, &f->abandoned)
      && number (r->field[2], 10, UINT64_MAX, &f->lost)
      && number (r->field[3], 10, UINT64_MAX, &f->block_cycles);
}

static bool
read_iterations (struct reader *r)
{
  struct cab_trials_function *f = r->function;
  if (f->iterations || r->n_fields != f->n_loops + 2 || !number (r->field[1], 10, UINT64_MAX,
								   &f->counted))
    return false;
  f->iterations = calloc (f->n_loops + 1, sizeof *f->iterations);
  if (!f->iterations)
    abort ();
  for (uint32_t i = 0; i < f->n_loops; i++)
    if (!number (r->field[i + 2], 10, UINT64_MAX, &f->iterations[i]))
      return false;
  return true;
}

static bool
read_round (struct reader *r)
{
  struct cab_trials_function *f = r->function;
  if (!f->iterations || !f->n_turns || r->n_fields != f->n_turns + 1
      || f->n_rounds == CAB_TRIAL_ROUNDS)
    return false;
  f->cost = grown (f->cost, f->n_rounds, f->n_turns * sizeof *f->cost);
  for (uint32_t k = 0; k < f->n_turns; k++)
    {
      uint64_t cycles, executions;
      char *colon = strchr (r->field[k + 1], ':');
      if (!colon)
	return false;
      *colon = 0;
      if (!number (r->field[k + 1], 10, UINT64_MAX, &cycles)
	  || !number (colon + 1, 10, UINT64_MAX, &executions) || !cycles || !executions)
	return false;
      f->cost[(size_t) f->n_rounds * f->n_turns + k] = (double) cycles / executions;
    }
  f->n_rounds++;
  return true;
}

/* Read the present line.  Return false if it is wrong. */
static bool
read_line (struct reader *r)
{
  const char *kind = r->field[0];
  char version[16];
  if (!r->has_head)
    {
      snprintf (version, sizeof version, "%u", CAB_TRIALS_VERSION);
      r->has_head = !strcmp (kind, "cabprof trials") && r->n_fields == 2
		 && !strcmp (r->field[1], version);
      return r->has_head;
    }
  if (r->has_end)
    return false;
  if (!strcmp (kind, "end"))
    return r->has_end = true;
  if (kind[0] && kind[1])
    return false;
  if (*kind == 'p')
    return read_program (r);
  if (*kind == 'f')
    return read_function (r);
  if (!r->function)
    return false;
  return *kind == 'l' ? read_loop (r)
       : *kind == 'v' ? read_copy (r)
       : *kind == 't' ? read_totals (r)
       : *kind == 'i' ? read_iterations (r)
       : *kind == 'r' ? read_round (r)
		      : false;
}

/* Split LINE into fields.  Return false if there are too many. */
static bool
split (struct reader *r, char *line)
{
  r->n_fields = 0;
  for (char *tab; line; line = tab)
    {
      if (r->n_fields == MOST_FIELDS)
	return false;
      tab = strchr (line, '\t');
      if (tab)
	*tab++ = 0;
      r->field[r->n_fields++] = line;
    }
  return true;
}

/* Write "PATH: WHAT: REPAIR" into DIAG; LINE above 0 is named. */
static int
refuse (struct cab_diag *diag, const char *path, const char *what, unsigned line)
{
  if (line)
    snprintf (diag->text, sizeof diag->text, "%.300s: line %u: %s: " REPAIR, path, line, what);
  else
    snprintf (diag->text, sizeof diag->text, "%.300s: %s: " REPAIR, path, what);
  return -1;
}

int
cab_trials_parse (struct cab_trials *trials, const char *path, const char *text, size_t length,
		  struct cab_diag *diag)
{
  struct reader r = { .trials = trials };
  *trials = (struct cab_trials) { .text = malloc (length + 1), .program = "?" };
  if (!trials->text)
    abort ();
  memcpy (trials->text, text, length);
  trials->text[length] = 0;
  for (char *line = trials->text, *next; *line; line = next)
    {
      next = strchr (line, '\n');
      r.line++;
      if (next)
	*next++ = 0;
      if (!next || !split (&r, line) || !read_line (&r))
	{
	  bool foreign = !r.has_head;
	  cab_trials_fini (trials);
	  return refuse (diag, path,
			 foreign ? "holds no trials, or those of another version of cabprof"
				 : "is not what a program writes",
			 r.line);
	}
    }
  if (r.has_end)
    return 0;
  cab_trials_fini (trials);
  return refuse (diag, path, "the file is cut off here", r.line);
}

int
cab_trials_read (struct cab_trials *trials, const char *path, struct cab_diag *diag)
{
  struct stat st;
  *trials = (struct cab_trials) { 0 };
  FILE *file = fopen (path, "r");
  bool good = file && !fstat (fileno (file), &st) && S_ISREG (st.st_mode)
	   && st.st_size <= MOST_BYTES;
  char *text = good ? malloc (st.st_size + 1) : NULL;
  size_t length = text ? fread (text, 1, st.st_size, file) : 0;
  int result = !text || ferror (file)
	       ? refuse (diag, path, "cannot be read, or is no file of trials", 0)
	       : cab_trials_parse (trials, path, text, length, diag);
  free (text);
  if (file)
    fclose (file);
  return result;
}

void
cab_trials_fini (struct cab_trials *trials)
{
  for (uint32_t i = 0; i < trials->n; i++)
    {
      free (trials->functions[i].loops);
      free (trials->functions[i].copies);
      free (trials->functions[i].iterations);
      free (trials->functions[i].cost);
    }
  free (trials->functions);
  free (trials->text);
  *trials = (struct cab_trials) { 0 };
}

bool
cab_trials_same (const struct cab_trials_function *a, const struct cab_trials_function *b)
{
  bool same = !strcmp (a->symbol, b->symbol) && !strcmp (a->file, b->file)
	   && a->n_loops == b->n_loops && a->n_copies == b->n_copies && a->n_turns == b->n_turns;
  for (uint32_t i = 0; same && i < a->n_loops; i++)
    same = a->loops[i].checksum == b->loops[i].checksum && a->loops[i].line == b->loops[i].line;
  for (uint32_t i = 0; same && i < a->n_copies; i++)
    same = a->copies[i].hash == b->copies[i].hash;
  return same;
}

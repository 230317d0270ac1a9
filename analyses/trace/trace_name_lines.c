/* trace_name_lines.c - see trace_name_lines.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/trace_name_lines.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "cabprof/abi.h"

/* The set of numbers whose line was added. */
struct told
{
  unsigned char *bits;
  size_t bytes;
};

/* The first number of a function's call sites or accesses. */
struct first
{
  uint32_t number, fn;
};

/* The result of cab_name_lines_access for a site; 0 and 0 if it was not requested yet. */
struct told_access
{
  uint32_t fn_1, site;              /* fn_1: 1 + the function */
};

struct process
{
  struct told threads, functions, calls;
  struct told_access *accesses;     /* by site */
  uint32_t n_accesses;
  struct cab_record **records;      /* by function; a record without a name: the function has
				       none */
  uint32_t n_functions;             /* number of functions that the tables below cover */
  struct first *sites, *access_sites;
  uint32_t n_sites, n_access_sites;
  bool named, sampled;              /* the lines P and S were added */
};

struct cab_name_lines
{
  struct process *processes;
  uint32_t n_processes;
  FILE *stream;
  char *text;
  size_t bytes;
  bool taken;
};

struct cab_name_lines *
cab_name_lines_new (void)
{
  struct cab_name_lines *lines = XCNEW (struct cab_name_lines);
  lines->stream = open_memstream (&lines->text, &lines->bytes);
  if (!lines->stream)
    xmalloc_failed (0);
  return lines;
}

void
cab_name_lines_free (struct cab_name_lines *lines)
{
  for (uint32_t i = 0; i < lines->n_processes; i++)
    {
      struct process *p = &lines->processes[i];
      for (uint32_t k = 0; k < p->n_functions; k++)
	free (p->records[k]);
      free (p->threads.bits);
      free (p->functions.bits);
      free (p->calls.bits);
      free (p->accesses);
      free (p->records);
      free (p->sites);
      free (p->access_sites);
    }
  fclose (lines->stream);
  free (lines->text);
  free (lines->processes);
  free (lines);
}

/* Return PROCESS, or an empty process if it was not seen before. */
static const struct process *
met (const struct cab_name_lines *lines, const struct cab_trace_process *process)
{
  static const struct process none;
  return process->number <= lines->n_processes ? &lines->processes[process->number - 1] : &none;
}

static bool
was_told (const struct told *told, uint32_t number)
{
  return number / 8 < told->bytes && told->bits[number / 8] >> number % 8 & 1;
}

/* Add NUMBER to TOLD.  Return true if it was not in it. */
static bool
is_new (struct told *told, uint32_t number)
{
  size_t byte = number / 8;
  if (byte >= told->bytes)
    {
      size_t bytes = 2 * byte + 64;
      told->bits = xrealloc (told->bits, bytes);
      memset (told->bits + told->bytes, 0, bytes - told->bytes);
      told->bytes = bytes;
    }
  bool fresh = !(told->bits[byte] >> number % 8 & 1);
  told->bits[byte] |= 1 << number % 8;
  return fresh;
}

static void
put (struct cab_name_lines *lines, const char *text)
{
  putc ('\t', lines->stream);
  for (; *text; text++)
    if (*text == '\t' || *text == '\n' || *text == '\1' || *text == '\\')
      {
	putc ('\\', lines->stream);
	putc (*text == '\t' ? 't'
	      : *text == '\n' ? 'n'
	      : *text == '\1' ? '1'
	      : '\\',
	      lines->stream);
      }
    else
      putc (*text, lines->stream);
}

static void
put_place (struct cab_name_lines *lines, const struct cab_record *r, uint32_t fn, uint32_t file,
	   uint32_t line, uint32_t column)
{
  fprintf (lines->stream, "\t%u", fn);
  put (lines, file < r->n_files ? r->files[file] : "");
  fprintf (lines->stream, "\t%u\t%u", line, column);
}

/* Add what is new among the functions of the process. */
static struct process *
update (struct cab_name_lines *lines, const struct cab_trace_process *process)
{
  while (lines->n_processes < process->number)
    {
      lines->processes = XRESIZEVEC (struct process, lines->processes, lines->n_processes + 1);
      lines->processes[lines->n_processes++] = (struct process) { .named = false };
    }
  struct process *p = &lines->processes[process->number - 1];
  uint32_t n = process->part.header->n_functions;
  if (!p->named)
    {
      fprintf (lines->stream, "P\t%u\t%ju", process->number, (uintmax_t) process->part.header->pid);
      put (lines, cab_part_string (&process->part, process->part.header->exe));
      putc ('\n', lines->stream);
      p->named = true;
    }
  if (n <= p->n_functions)
    return p;
  p->records = XRESIZEVEC (struct cab_record *, p->records, n);
  p->sites = XRESIZEVEC (struct first, p->sites, n);
  p->access_sites = XRESIZEVEC (struct first, p->access_sites, n);
  for (; p->n_functions < n; p->n_functions++)
    {
      const struct cab_part_function *f = &process->part.functions[p->n_functions];
      p->records[p->n_functions] = NULL;
      if ((f->flags & CAB_ROW_SAMPLED) && process->part.header->ledger.sample != 1 && !p->sampled)
	{
	  fprintf (lines->stream, "S\t%u\t%ju\n", process->number,
		   (uintmax_t) process->part.header->ledger.sample);
	  p->sampled = true;
	}
      if (f->first_site)
	p->sites[p->n_sites++] = (struct first) { f->first_site, p->n_functions + 1 };
      if (f->first_access)
	p->access_sites[p->n_access_sites++] = (struct first) { f->first_access,
								p->n_functions + 1 };
    }
  return p;
}

/* Return the record of FN, or null if there is none. */
static const struct cab_record *
record_of (struct process *p, struct cab_trace_process *process, uint32_t fn)
{
  if (!fn || fn > p->n_functions)
    return NULL;
  struct cab_record **record = &p->records[fn - 1];
  const struct cab_part_function *f = &process->part.functions[fn - 1];
  if (!*record)
    {
      struct cab_diag diag;
      *record = XCNEW (struct cab_record);
      if (f->module >= process->n_info || !process->info[f->module].path
	  || cab_info_record (&process->info[f->module], f->info_offset, *record, &diag) < 0)
	**record = (struct cab_record) { .assembler = NULL };
    }
  return (*record)->assembler ? *record : NULL;
}

/* Return the last of the N items of LIST that begins at or before NUMBER, or null if there is
   none. */
static const struct first *
find (const struct first *list, uint32_t n, uint32_t number)
{
  uint32_t low = 0;
  while (n > low)
    {
      uint32_t middle = low + (n - low) / 2;
      if (list[middle].number <= number)
	low = middle + 1;
      else
	n = middle;
    }
  return low ? &list[low - 1] : NULL;
}

void
cab_name_lines_thread (struct cab_name_lines *lines, struct cab_trace_process *process,
		       uint32_t thread)
{
  if (was_told (&met (lines, process)->threads, thread))
    return;
  struct process *p = update (lines, process);
  if (!is_new (&p->threads, thread) || thread > process->part.header->n_threads)
    return;
  const struct cab_part_thread *t = &process->part.threads[thread - 1];
  char name[sizeof t->name + 1] = "";
  memcpy (name, t->name, sizeof t->name);
  fprintf (lines->stream, "T\t%u\t%u\t%ju", process->number, thread, (uintmax_t) t->tid);
  put (lines, name);
  putc ('\n', lines->stream);
}

void
cab_name_lines_function (struct cab_name_lines *lines, struct cab_trace_process *process,
			 uint32_t fn)
{
  if (was_told (&met (lines, process)->functions, fn))
    return;
  struct process *p = update (lines, process);
  if (!is_new (&p->functions, fn))
    return;
  const struct cab_record *r = record_of (p, process, fn);
  if (!r)
    return;
  const char *file = r->file < r->n_files ? r->files[r->file] : "";
  fprintf (lines->stream, "F\t%u\t%u", process->number, fn);
  put (lines, cab_names_display (&process->info[process->part.functions[fn - 1].module].names,
				 r->assembler, r->source, file));
  put (lines, r->assembler);
  put (lines, file);
  fprintf (lines->stream, "\t%u\n", r->line);
}

void
cab_name_lines_call (struct cab_name_lines *lines, struct cab_trace_process *process, uint32_t site)
{
  if (was_told (&met (lines, process)->calls, site))
    return;
  struct process *p = update (lines, process);
  if (!is_new (&p->calls, site))
    return;
  const struct first *first = find (p->sites, p->n_sites, site);
  const struct cab_record *r = first ? record_of (p, process, first->fn) : NULL;
  if (!r || site - first->number >= r->n_sites)
    return;
  const struct cab_call_site *call = &r->sites[site - first->number];
  fprintf (lines->stream, "C\t%u\t%u", process->number, site);
  put_place (lines, r, first->fn, call->file, call->line, call->column);
  put (lines, call->callee ? call->callee : "*");
  putc ('\n', lines->stream);
}

/* Write KEY, or KEY:OFFSET[+] for an access. */
static void
put_structure (struct cab_name_lines *lines, uint32_t key, const struct cab_access_place *access)
{
  if (!key)
    fputs ("\t-", lines->stream);
  else if (access)
    fprintf (lines->stream, "\t%x:%ju%s", key, (uintmax_t) access->offset,
	     access->is_element ? "+" : "");
  else
    fprintf (lines->stream, "\t%x", key);
}

static void
put_access (struct cab_name_lines *lines, const struct cab_record *r,
	    const struct cab_access_place *a)
{
  put (lines, a->name ? a->name : "?");
  if (a->loop >= r->n_access_loops || !r->access_loops[a->loop].origin)
    {
      put (lines, "");
      return;
    }
  const struct cab_access_loop *loop = &r->access_loops[a->loop];
  char *text = xasprintf ("%s:%u:%u", loop->file < r->n_files ? r->files[loop->file] : "",
			  loop->line, loop->column);
  put (lines, text);
  free (text);
}

/* Write the line of loop LOOP in record R of function FN, as that of an access. */
static void
tell_loop (struct cab_name_lines *lines, const struct cab_trace_process *process,
	   const struct cab_record *r, uint32_t fn, const struct cab_access_loop *loop,
	   uint32_t site)
{
  fprintf (lines->stream, "A\t%u\t%u", process->number, site);
  put_place (lines, r, fn, loop->file, loop->line, loop->column);
  put (lines, "<loop>");
  put (lines, "");
  putc ('\n', lines->stream);
}

/* Write the line of access or allocation number K in record R of function FN. */
static void
tell_access (struct cab_name_lines *lines, const struct cab_trace_process *process,
	     const struct cab_record *r, uint32_t fn, uint32_t k, uint32_t site)
{
  bool is_access = k < r->n_accesses;
  const struct cab_access_place *a = &r->accesses[is_access ? k : 0];
  const struct cab_allocation_place *m = &r->allocations[is_access ? 0 : k - r->n_accesses];
  fprintf (lines->stream, "%c\t%u\t%u", is_access ? 'A' : 'M', process->number, site);
  if (is_access)
    {
      put_place (lines, r, fn, a->file, a->line, a->column);
      put_access (lines, r, a);
      put_structure (lines, a->structure, a);
    }
  else
    {
      put_place (lines, r, fn, m->file, m->line, m->column);
      put (lines, m->type ? m->type : "?");
      put (lines, m->callee ? m->callee : "?");
      put_structure (lines, m->structure, NULL);
    }
  putc ('\n', lines->stream);
}

static void
make_room (struct process *p, uint32_t site)
{
  if (site < p->n_accesses)
    return;
  uint32_t n = site + site / 2 + 64;
  p->accesses = XRESIZEVEC (struct told_access, p->accesses, n);
  memset (p->accesses + p->n_accesses, 0, (n - p->n_accesses) * sizeof *p->accesses);
  p->n_accesses = n;
}

/* Return the result for SITE of P, which was not requested before, and write its line. */
static struct told_access
look_at_access (struct cab_name_lines *lines, struct process *p, struct cab_trace_process *process,
		uint32_t site)
{
  const struct first *first = find (p->access_sites, p->n_access_sites, site);
  const struct cab_record *r = first ? record_of (p, process, first->fn) : NULL;
  uint32_t k = first ? site - first->number : 0;
  struct told_access told = { 1 + (first ? first->fn : 0), site };
  uint32_t n = r ? r->n_accesses + r->n_allocations : 0;
  if (r && k >= n && k - n < r->n_access_loops && r->loops_numbered)
    tell_loop (lines, process, r, first->fn, &r->access_loops[k - n], site);
  if (k >= n)
    return told;
  uint32_t of = k < r->n_accesses ? r->accesses[k].of : k;
  if (of < k && r->accesses[of].of == of)
    {
      told.site = first->number + of;
      cab_name_lines_access (lines, process, &(uint32_t) { told.site });
    }
  else
    tell_access (lines, process, r, first->fn, k, site);
  return told;
}

uint32_t
cab_name_lines_access (struct cab_name_lines *lines, struct cab_trace_process *process,
		       uint32_t *site)
{
  const struct process *known = met (lines, process);
  if (*site >= known->n_accesses || !known->accesses[*site].fn_1)
    {
      struct process *p = update (lines, process);
      struct told_access told = look_at_access (lines, p, process, *site);
      make_room (p, *site);
      p->accesses[*site] = told;
      known = p;
    }
  const struct told_access *told = &known->accesses[*site];
  *site = told->site;
  return told->fn_1 - 1;
}

const char *
cab_name_lines_take (struct cab_name_lines *lines, size_t *n)
{
  fflush (lines->stream);
  *n = lines->bytes;
  rewind (lines->stream);
  return lines->text;
}

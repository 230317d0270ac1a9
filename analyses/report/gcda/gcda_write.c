/* gcda_write.c - the bytes of a .gcda file, and its name.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/gcda/gcda.h"
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <libiberty/libiberty.h>

#define MAGIC 0x67636461u          /* "gcda" */
#define TAG_SUMMARY 0xa1000000u
#define TAG_FUNCTION 0x01000000u
#define TAG_ARCS 0x01a10000u
#define TAG_TOPN 0x01a70000u
#define TAG_INDIRECT 0x01a90000u
#define MOST_TARGETS 32u           /* as many as GCC's own runtime keeps */
#define STAMP 0x63616270u          /* "cabp"; GCC compares it with nothing */

static void
put (FILE *to, uint32_t word)
{
  fwrite (&word, sizeof word, 1, to);
}

/* Write TAG and the length of N_WORDS words of data. */
static void
put_tag (const struct cab_gcda_unit *unit, FILE *to, uint32_t tag, int32_t n_words)
{
  put (to, tag);
  put (to, unit->in_words ? n_words : n_words * 4);
}

/* Write the counters of F.  Zeros are only counted, as a negative length. */
static void
put_counters (const struct cab_gcda_unit *unit, FILE *to, const struct cab_gcda_function *f)
{
  uint64_t any = 0;
  for (uint32_t i = 0; i < f->gcov.n_counters; i++)
    any |= f->counts[i];
  int32_t n_words = 2 * f->gcov.n_counters;
  put_tag (unit, to, TAG_ARCS, any ? n_words : -n_words);
  if (any)
    fwrite (f->counts, sizeof *f->counts, f->gcov.n_counters, to);
}

static void
put_long (FILE *to, uint64_t n)
{
  fwrite (&n, sizeof n, 1, to);
}

/* Write the targets of F's indirect calls: of each call, how often it went to these, how many they
   are, and each with its count.  GCC reads other values of the function beside them, as zeros where
   they are left out. */
static void
put_targets (const struct cab_gcda_unit *unit, FILE *to, const struct cab_gcda_function *f)
{
  uint32_t n_pairs = 0;
  for (uint32_t i = 0; i < f->n_sites; i++)
    n_pairs += MIN (f->sites[i].n, MOST_TARGETS);
  if (!n_pairs)
    return;
  if (f->n_topn)
    put_tag (unit, to, TAG_TOPN, -4 * (int32_t) f->n_topn);
  put_tag (unit, to, TAG_INDIRECT, 4 * (f->n_sites + n_pairs));
  for (uint32_t i = 0; i < f->n_sites; i++)
    {
      const struct cab_gcda_site *site = &f->sites[i];
      uint64_t n = 0;
      for (uint32_t k = 0; k < site->n; k++)
	n += site->targets[k].count;
      put_long (to, n);
      put_long (to, MIN (site->n, MOST_TARGETS));
      for (uint32_t k = 0; k < MIN (site->n, MOST_TARGETS); k++)
	{
	  put_long (to, site->targets[k].ident);
	  put_long (to, site->targets[k].count);
	}
    }
}

void
cab_gcda_write (const struct cab_gcda_unit *unit, FILE *to)
{
  put (to, MAGIC);
  put (to, unit->version);
  put (to, STAMP);
  if (!unit->in_words)
    put (to, 0);
  put_tag (unit, to, TAG_SUMMARY, 2);
  put (to, unit->runs);
  put (to, unit->sum_max < UINT32_MAX ? unit->sum_max : UINT32_MAX);
  for (uint32_t i = 0; i < unit->n_functions; i++)
    {
      const struct cab_gcda_function *f = unit->functions[i];
      if (f->unknown)
	continue;
      put_tag (unit, to, TAG_FUNCTION, 3);
      put (to, f->gcov.ident);
      put (to, f->gcov.lineno);
      put (to, f->gcov.cfg);
      put_counters (unit, to, f);
      put_targets (unit, to, f);
    }
  put (to, 0);
}

/* Return PATH as a part of a file's name: each slash becomes #, and .. becomes ^ (free). */
static char *
mangled (const char *path)
{
  char *name = XNEWVEC (char, strlen (path) + 1), *to = name;
  while (*path)
    {
      size_t n = strcspn (path, "/");
      if (n == 2 && !strncmp (path, "..", 2))
	*to++ = '^';
      else
	{
	  memcpy (to, path, n);
	  to += n;
	}
      path += n;
      if (*path == '/')
	{
	  *to++ = '#';
	  path++;
	}
    }
  *to = 0;
  return name;
}

char *
cab_gcda_path (const struct cab_gcda_unit *unit, const char *dir)
{
  if (*unit->base == '/')
    return concat (dir ? dir : "", unit->base, ".gcda", NULL);
  char *whole = concat (unit->directory, "/", unit->base, NULL);
  char *name = dir ? mangled (whole) : NULL;
  char *path = dir ? concat (dir, "/", name, ".gcda", NULL) : concat (whole, ".gcda", NULL);
  free (name);
  free (whole);
  return path;
}

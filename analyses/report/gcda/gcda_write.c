/* gcda_write.c - the bytes of a .gcda file, and its name.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/gcda/gcda.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define MAGIC 0x67636461u          /* "gcda" */
#define TAG_SUMMARY 0xa1000000u
#define TAG_FUNCTION 0x01000000u
#define TAG_ARCS 0x01a10000u
#define STAMP 0x63616270u          /* "cabp"; GCC compares it with nothing */

static void
put (FILE *to, uint32_t word)
{
  fwrite (&word, sizeof word, 1, to);
}

void
cab_gcda_put_tag (const struct cab_gcda_unit *unit, FILE *to, uint32_t tag, int32_t n_words)
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
  cab_gcda_put_tag (unit, to, TAG_ARCS, any ? n_words : -n_words);
  if (any)
    fwrite (f->counts, sizeof *f->counts, f->gcov.n_counters, to);
}

void
cab_gcda_write (const struct cab_gcda_unit *unit, FILE *to)
{
  put (to, MAGIC);
  put (to, unit->version);
  put (to, STAMP);
  if (!unit->in_words)
    put (to, 0);
  cab_gcda_put_tag (unit, to, TAG_SUMMARY, 2);
  put (to, unit->runs);
  put (to, unit->sum_max < UINT32_MAX ? unit->sum_max : UINT32_MAX);
  for (uint32_t i = 0; i < unit->n_functions; i++)
    {
      const struct cab_gcda_function *f = unit->functions[i];
      if (f->unknown)
	continue;
      cab_gcda_put_tag (unit, to, TAG_FUNCTION, 3);
      put (to, f->gcov.ident);
      put (to, f->gcov.lineno);
      put (to, f->gcov.cfg);
      put_counters (unit, to, f);
      cab_gcda_values_write (unit, f, to);
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

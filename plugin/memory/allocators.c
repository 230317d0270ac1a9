/* allocators.c - which functions allocate, release and move memory.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/memory/allocators.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loopfb/formats/pattern.h"

#define A CAB_ALLOCATOR_ALLOCATES
#define R CAB_ALLOCATOR_RELEASES
#define M CAB_ALLOCATOR_MOVES

/* Placement forms of operator new and delete (_ZnwmPv, _ZdlPvS_) are left out: they neither
   allocate nor release. */
static const struct cab_allocator builtin[] =
{
  { "malloc", A, 1, 0, 0, 0, false },
  { "calloc", A, 2, 1, 0, 0, false },
  { "realloc", M, 2, 0, 1, 0, false },
  { "reallocarray", M, 3, 2, 1, 0, false },
  { "free", R, 0, 0, 1, 0, false },
  { "aligned_alloc", A, 2, 0, 0, 0, false },
  { "memalign", A, 2, 0, 0, 0, false },
  { "posix_memalign", A, 3, 0, 0, 1, false },
  { "valloc", A, 1, 0, 0, 0, false },
  { "pvalloc", A, 1, 0, 0, 0, false },
  { "strdup", A, 0, 0, 0, 0, false },
  { "__strdup", A, 0, 0, 0, 0, false },
  { "strndup", A, 0, 0, 0, 0, false },
  { "__strndup", A, 0, 0, 0, 0, false },
  { "mmap", A, 2, 0, 0, 0, true },
  { "mmap64", A, 2, 0, 0, 0, true },
  { "mremap", M, 3, 0, 1, 0, true },
  { "munmap", R, 0, 0, 1, 0, false },
  { "_Znwm", A, 1, 0, 0, 0, false },
  { "_ZnwmRKSt9nothrow_t", A, 1, 0, 0, 0, false },
  { "_ZnwmSt11align_val_t", A, 1, 0, 0, 0, false },
  { "_ZnwmSt11align_val_tRKSt9nothrow_t", A, 1, 0, 0, 0, false },
  { "_Znam", A, 1, 0, 0, 0, false },
  { "_ZnamRKSt9nothrow_t", A, 1, 0, 0, 0, false },
  { "_ZnamSt11align_val_t", A, 1, 0, 0, 0, false },
  { "_ZnamSt11align_val_tRKSt9nothrow_t", A, 1, 0, 0, 0, false },
  { "_ZdlPv", R, 0, 0, 1, 0, false },
  { "_ZdlPvm", R, 0, 0, 1, 0, false },
  { "_ZdlPvRKSt9nothrow_t", R, 0, 0, 1, 0, false },
  { "_ZdlPvSt11align_val_t", R, 0, 0, 1, 0, false },
  { "_ZdlPvmSt11align_val_t", R, 0, 0, 1, 0, false },
  { "_ZdlPvSt11align_val_tRKSt9nothrow_t", R, 0, 0, 1, 0, false },
  { "_ZdaPv", R, 0, 0, 1, 0, false },
  { "_ZdaPvm", R, 0, 0, 1, 0, false },
  { "_ZdaPvRKSt9nothrow_t", R, 0, 0, 1, 0, false },
  { "_ZdaPvSt11align_val_t", R, 0, 0, 1, 0, false },
  { "_ZdaPvmSt11align_val_t", R, 0, 0, 1, 0, false },
  { "_ZdaPvSt11align_val_tRKSt9nothrow_t", R, 0, 0, 1, 0, false },
};
#define N_BUILTIN (sizeof builtin / sizeof *builtin)
#define MOST_ARGUMENTS 64

const struct cab_allocator *
cab_allocators_find (const struct cab_allocators *table, const char *name)
{
  for (unsigned i = table->n; i-- > 0;)
    if (cab_pattern_matches (table->row[i].name, name))
      return table->row[i].kind == CAB_ALLOCATOR_IGNORED ? NULL : &table->row[i];
  for (unsigned i = 0; i < N_BUILTIN; i++)
    if (!strcmp (builtin[i].name, name))
      return &builtin[i];
  return NULL;
}

unsigned
cab_allocator_arguments (const struct cab_allocator *allocator)
{
  const unsigned positions[] = { allocator->size, allocator->count, allocator->pointer,
				 allocator->result };
  unsigned most = 0;
  for (unsigned i = 0; i < sizeof positions / sizeof *positions; i++)
    most = positions[i] > most ? positions[i] : most;
  return most;
}

/* What a line has said about its size. */
struct given
{
  bool size, string;
};

static int
set_position (unsigned *position, const char *value)
{
  char *end;
  unsigned long n = strtoul (value, &end, 10);
  if (*position || *value < '1' || *value > '9' || *end || n > MOST_ARGUMENTS)
    return -1;
  *position = n;
  return 0;
}

static int
set_word (struct cab_allocator *row, struct given *given, char *word)
{
  char *value = strchr (word, '=');
  if (!value)
    return -1;
  *value++ = 0;
  if (!strcmp (word, "size") && !given->size)
    {
      given->size = true;
      given->string = !strcmp (value, "strlen");
      return given->string ? 0 : set_position (&row->size, value);
    }
  if (!strcmp (word, "count"))
    return set_position (&row->count, value);
  if (!strcmp (word, "pointer"))
    return set_position (&row->pointer, value);
  if (!strcmp (word, "result"))
    return set_position (&row->result, value);
  row->fails_minus_one = true;
  return !strcmp (word, "fails") && !strcmp (value, "-1") ? 0 : -1;
}

/* Return true if ROW has what a line of its kind must have, and nothing else. */
static bool
is_whole (const struct cab_allocator *row, const struct given *given)
{
  bool sizes = given->size && !(given->string && row->count);
  bool none = !given->size && !row->count && !row->result && !row->fails_minus_one;
  switch (row->kind)
    {
    case A:
      return sizes && !row->pointer && !(row->result && (row->fails_minus_one || given->string));
    case R:
      return row->pointer && none;
    case M:
      return sizes && !given->string && row->pointer && !row->result;
    default:
      return none && !row->pointer;
    }
}

static int
set_kind (struct cab_allocator *row, const char *word)
{
  static const char *const kinds[] = { "ignored", "allocates", "releases", "moves" };
  for (unsigned k = 0; word && k < sizeof kinds / sizeof *kinds; k++)
    if (!strcmp (word, kinds[k]))
      {
	row->kind = (enum cab_allocator_kind) k;
	return 0;
      }
  return -1;
}

/* Parse LINE into ROW, whose name then points into the line.  Return 1, 0 if the line is empty, or
   -1 if it is wrong. */
static int
parse (struct cab_allocator *row, char *line)
{
  static const char space[] = " \t\r\n\v\f";
  struct given given = { false, false };
  char *rest;
  memset (row, 0, sizeof *row);
  line[strcspn (line, "#")] = 0;
  row->name = strtok_r (line, space, &rest);
  if (!row->name)
    return 0;
  if (cab_pattern_wrong (row->name) || set_kind (row, strtok_r (NULL, space, &rest)))
    return -1;
  for (char *word; (word = strtok_r (NULL, space, &rest));)
    if (set_word (row, &given, word))
      return -1;
  return is_whole (row, &given) ? 1 : -1;
}

static void
append (struct cab_allocators *table, const struct cab_allocator *row)
{
  struct cab_allocator *more = realloc (table->row, (table->n + 1) * sizeof *more);
  char *name = strdup (row->name);
  if (!more || !name)
    abort ();
  table->row = more;
  more[table->n] = *row;
  more[table->n++].name = name;
}

static void
drop_from (struct cab_allocators *table, unsigned n)
{
  while (table->n > n)
    free ((char *) table->row[--table->n].name);
}

/* Read the lines of FILE.  Return the number of the first bad one, or 0, or -1 if the file cannot
   be read. */
static long
read_lines (struct cab_allocators *table, FILE *file)
{
  struct cab_allocator row;
  char *line = NULL;
  size_t room = 0;
  long number = 0, bad = 0;
  ssize_t length;
  while (!bad && (length = getline (&line, &room, file)) >= 0)
    {
      int found = strlen (line) == (size_t) length ? parse (&row, line) : -1;
      number++;
      if (found > 0)
	append (table, &row);
      if (found < 0)
	bad = number;
    }
  free (line);
  return bad ? bad : ferror (file) ? -1 : 0;
}

int
cab_allocators_read (struct cab_allocators *table, const char *path, char *error)
{
  unsigned n = table->n;
  FILE *file = fopen (path, "r");
  long bad = file ? read_lines (table, file) : -1;
  if (bad < 0)
    snprintf (
      error, CAB_ALLOCATORS_ERROR_BYTES,
      "cabprof: %.200s: the table of allocators cannot be read: %s: give a file that can be", path,
      strerror (errno));
  else if (bad)
    snprintf (error, CAB_ALLOCATORS_ERROR_BYTES,
	      "cabprof: %.200s:%ld: not a line of a table of allocators: write \"NAME allocates "
	      "size=N [count=N] [result=N] [fails=-1]\", \"NAME releases pointer=N\", \"NAME moves "
	      "pointer=N size=N [count=N] [fails=-1]\" or \"NAME ignored\", "
	      "where NAME may be a glob or /REGEX/",
	      path, bad);
  if (file)
    fclose (file);
  if (!bad)
    return 0;
  drop_from (table, n);
  return -1;
}

static uint32_t
mix (uint32_t sum, const void *bytes, size_t n)
{
  for (const unsigned char *at = bytes; n--; at++)
    sum = (sum ^ *at) * 16777619u;
  return sum;
}

uint32_t
cab_allocators_sum (const struct cab_allocators *table)
{
  uint32_t sum = 2166136261u;
  for (unsigned i = 0; i < table->n; i++)
    {
      const struct cab_allocator *row = &table->row[i];
      const unsigned numbers[] = { row->kind,	 row->size,   row->count,
				   row->pointer, row->result, row->fails_minus_one };
      sum = mix (sum, row->name, strlen (row->name) + 1);
      sum = mix (sum, numbers, sizeof numbers);
    }
  return sum;
}

void
cab_allocators_fini (struct cab_allocators *table)
{
  drop_from (table, 0);
  free (table->row);
  memset (table, 0, sizeof *table);
}

/* hints.c - see hints.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "loopfb/formats/hints.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#define MOST_BYTES (64l << 20)
#define REPAIR "make it again with 'cabprof tune', or leave the option away"

/* The file that is being read, and where messages go. */
struct reader
{
  const char *path;
  json_int_t schema;
  size_t row;       /* index of the present row, or SIZE_MAX */
  char *error;
};

static int __attribute__ ((format (printf, 2, 3)))
refuse (struct reader *r, const char *format, ...)
{
  char what[320];
  va_list ap;
  va_start (ap, format);
  vsnprintf (what, sizeof what, format, ap);
  va_end (ap);
  if (r->row == SIZE_MAX)
    snprintf (r->error, CAB_HINTS_ERROR_BYTES, "cabprof: %.200s: %s: " REPAIR, r->path, what);
  else
    snprintf (r->error, CAB_HINTS_ERROR_BYTES, "cabprof: %.200s: loops[%zu]: %s: " REPAIR, r->path,
	      r->row, what);
  return -1;
}

static char *
copy_text (const char *text)
{
  char *copy = strdup (text);
  if (!copy)
    abort ();
  return copy;
}

/* Read member NAME, a text, into *TO. */
static int
get_text (struct reader *r, json_t *row, const char *name, bool required, char **to)
{
  json_t *value = json_object_get (row, name);
  if (!value && !required)
    return 0;
  if (!json_is_string (value) || strlen (json_string_value (value)) != json_string_length (value))
    return refuse (r, "\"%s\" is not a text", name);
  *to = copy_text (json_string_value (value));
  return 0;
}

static int
get_number (struct reader *r, json_t *row, const char *name, bool required, uint32_t most,
	    uint32_t *to)
{
  json_t *value = json_object_get (row, name);
  if (!value && !required)
    return 0;
  if (!json_is_integer (value) || json_integer_value (value) < 0
      || json_integer_value (value) > most)
    return refuse (r, "\"%s\" is not a number from 0 to %u", name, most);
  *to = json_integer_value (value);
  return 0;
}

static int
get_checksum (struct reader *r, json_t *row, uint32_t *to)
{
  const char *text = json_string_value (json_object_get (row, "checksum"));
  size_t length = text ? strlen (text) : 0;
  if (!length || length > 8 || strspn (text, "0123456789abcdef") != length)
    return refuse (r, "\"checksum\" is not a text of up to 8 hexadecimal digits");
  *to = strtoul (text, NULL, 16);
  return 0;
}

/* Store member NAME, which must be true or false, into *TO; null if it is missing. */
static int
get_boolean (struct reader *r, json_t *row, const char *name, json_t **to)
{
  *to = json_object_get (row, name);
  return *to && !json_is_boolean (*to) ? refuse (r, "\"%s\" is neither true nor false", name) : 0;
}

static int
get_vectorize (struct reader *r, json_t *row, enum cab_hint_vectorize *to)
{
  json_t *value;
  if (get_boolean (r, row, "vectorize", &value) < 0)
    return -1;
  *to = !value ? CAB_VECTORIZE_AS_IS : json_is_true (value) ? CAB_VECTORIZE_YES : CAB_VECTORIZE_NO;
  return 0;
}

static int
get_registers (struct reader *r, json_t *row, bool *to)
{
  json_t *value;
  if (r->schema < 2)
    return 0;
  if (get_boolean (r, row, "registers", &value) < 0)
    return -1;
  *to = json_is_true (value);
  return 0;
}

static int
get_align (struct reader *r, json_t *row, uint32_t *to)
{
  if (r->schema < 3)
    return 0;
  if (get_number (r, row, "align", false, INT_MAX, to) < 0)
    return -1;
  return *to && *to != 16 && *to != 32 && *to != 64
	 ? refuse (r, "\"align\" is none of 0, 16, 32 and 64")
	 : 0;
}

static int
get_prefetch (struct reader *r, json_t *row, uint32_t *to)
{
  if (r->schema < 4)
    return 0;
  if (get_number (r, row, "prefetch", false, INT_MAX, to) < 0)
    return -1;
  return *to && (*to < 4 || *to > 64 || *to & (*to - 1))
	 ? refuse (r, "\"prefetch\" is none of 0, 4, 8, 16, 32 and 64")
	 : 0;
}

static int
read_row (struct reader *r, json_t *row, struct cab_hint *hint)
{
  if (!json_is_object (row))
    return refuse (r, "is not an object");
  if (get_text (r, row, "function", true, &hint->function) < 0
      || get_text (r, row, "name", false, &hint->name) < 0
      || get_text (r, row, "file", true, &hint->file) < 0
      || get_text (r, row, "flags", false, &hint->flags) < 0
      || get_number (r, row, "line", true, INT_MAX, &hint->line) < 0
      || get_number (r, row, "column", true, INT_MAX, &hint->column) < 0
      || get_number (r, row, "ordinal", true, INT_MAX, &hint->ordinal) < 0
      || get_checksum (r, row, &hint->checksum) < 0
      || get_number (r, row, "unroll", false, CAB_HINTS_MAX_UNROLL, &hint->unroll) < 0
      || get_vectorize (r, row, &hint->vectorize) < 0)
    return -1;
  if (get_registers (r, row, &hint->registers) < 0 || get_align (r, row, &hint->align) < 0)
    return -1;
  return get_prefetch (r, row, &hint->prefetch);
}

static int
compare_numbers (uint32_t a, uint32_t b)
{
  return (a > b) - (a < b);
}

static int
compare_rows (const void *a, const void *b)
{
  const struct cab_hint *x = a, *y = b;
  int order = strcmp (x->function, y->function);
  if (!order)
    order = compare_numbers (x->line, y->line);
  if (!order)
    order = compare_numbers (x->column, y->column);
  if (!order)
    order = compare_numbers (x->ordinal, y->ordinal);
  return order ? order : strcmp (x->file, y->file);
}

static int
read_rows (struct reader *r, json_t *rows, struct cab_hints *hints)
{
  if (!json_is_array (rows))
    return refuse (r, "\"loops\" is not a list");
  hints->row = calloc (json_array_size (rows) + 1, sizeof *hints->row);
  if (!hints->row)
    abort ();
  for (r->row = 0; r->row < json_array_size (rows); r->row++)
    {
      hints->n++;
      if (read_row (r, json_array_get (rows, r->row), &hints->row[r->row]) < 0)
	return -1;
    }
  r->row = SIZE_MAX;
  qsort (hints->row, hints->n, sizeof *hints->row, compare_rows);
  for (uint32_t i = 1; i < hints->n; i++)
    if (!compare_rows (&hints->row[i - 1], &hints->row[i]))
      return refuse (r, "two rows are for one loop, that of %.80s at line %u",
		     hints->row[i].function, hints->row[i].line);
  return 0;
}

static int
read_root (struct reader *r, json_t *root, struct cab_hints *hints)
{
  const char *format = json_string_value (json_object_get (root, "format"));
  json_t *schema = json_object_get (root, "schema"), *beside;
  if (!format || strcmp (format, CAB_HINTS_FORMAT))
    return refuse (r, "is no hints file: its \"format\" is not \"" CAB_HINTS_FORMAT "\"");
  r->schema = json_integer_value (schema);
  if (!json_is_integer (schema) || r->schema < CAB_HINTS_OLDEST || r->schema > CAB_HINTS_SCHEMA)
    return refuse (r, "its \"schema\" is none that this cabprof knows (%d to %d)", CAB_HINTS_OLDEST,
		   CAB_HINTS_SCHEMA);
  if (get_number (r, root, "every", false, CAB_HINTS_MAX_UNROLL, &hints->every) < 0
      || get_number (r, root, "gcc", false, INT_MAX, &hints->gcc) < 0
      || get_boolean (r, root, "beside", &beside) < 0)
    return -1;
  hints->beside = json_is_true (beside);
  return read_rows (r, json_object_get (root, "loops"), hints);
}

int
cab_hints_parse (struct cab_hints *hints, const char *path, const char *text, size_t length,
		 char *error)
{
  struct reader reader = { .path = path, .row = SIZE_MAX, .error = error };
  json_error_t where;
  memset (hints, 0, sizeof *hints);
  json_t *root = json_loadb (text, length, JSON_REJECT_DUPLICATES, &where);
  int bad = 0;
  if (!root)
    bad = refuse (&reader, "line %d: is not JSON: %.160s", where.line, where.text);
  else
    bad = read_root (&reader, root, hints);
  json_decref (root);
  if (bad)
    cab_hints_fini (hints);
  else
    hints->path = copy_text (path);
  return bad;
}

int
cab_hints_read (struct cab_hints *hints, const char *path, char *error)
{
  struct reader reader = { .path = path, .row = SIZE_MAX, .error = error };
  struct stat st;
  memset (hints, 0, sizeof *hints);
  FILE *file = fopen (path, "r");
  if (!file || fstat (fileno (file), &st))
    {
      int code = errno;
      if (file)
	fclose (file);
      return refuse (&reader, "%s", strerror (code));
    }
  if (!S_ISREG (st.st_mode) || st.st_size > MOST_BYTES)
    {
      fclose (file);
      return refuse (&reader, "%s",
		     S_ISREG (st.st_mode) ? "is larger than a hints file can be" : "is not a file");
    }
  char *text = malloc (st.st_size + 1);
  if (!text)
    abort ();
  size_t length = fread (text, 1, st.st_size, file);
  int bad = ferror (file) ? refuse (&reader, "cannot be read")
			  : cab_hints_parse (hints, path, text, length, error);
  fclose (file);
  free (text);
  return bad;
}

void
cab_hints_fini (struct cab_hints *hints)
{
  for (uint32_t i = 0; i < hints->n; i++)
    {
      free (hints->row[i].function);
      free (hints->row[i].name);
      free (hints->row[i].file);
      free (hints->row[i].flags);
    }
  free (hints->row);
  free (hints->path);
  memset (hints, 0, sizeof *hints);
}

uint32_t
cab_hints_of (const struct cab_hints *hints, const char *function, uint32_t *n)
{
  uint32_t low = 0, high = hints->n;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      if (strcmp (hints->row[middle].function, function) < 0)
	low = middle + 1;
      else
	high = middle;
    }
  for (*n = 0; low + *n < hints->n && !strcmp (hints->row[low + *n].function, function); ++*n)
    continue;
  return low;
}

bool
cab_hints_same_file (const char *a, const char *b)
{
  while (!strncmp (a, "./", 2))
    a += 2;
  while (!strncmp (b, "./", 2))
    b += 2;
  size_t n = strlen (a), m = strlen (b);
  const char *longer = n > m ? a : b, *shorter = n > m ? b : a;
  size_t more = n > m ? n - m : m - n;
  return *shorter && !strcmp (longer + more, shorter)
      && (!more || longer[more - 1] == '/' || *shorter == '/');
}

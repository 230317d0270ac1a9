/* trace_rows_names.c - see trace_rows_names.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/trace_rows_names.h"
#include <stdlib.h>
#include <string.h>
#include "cabprof/info.h"
#include "analyses/trace/trace_rows.h"

#define FIELDS 10

struct entry
{
  char letter;
  uint32_t process, number;
  union
  {
    struct cab_row_place place;
    struct cab_row_function function;
  };
};

static hashval_t
hash_entry (const void *p)
{
  const struct entry *e = p;
  return (e->process * 0x9e3779b1u ^ e->number) * 0x85ebca6bu + e->letter;
}

static int
same_entry (const void *p, const void *q)
{
  const struct entry *a = p, *b = q;
  return a->letter == b->letter && a->process == b->process && a->number == b->number;
}

struct htab *
cab_rows_names_new (void)
{
  return htab_create (1024, hash_entry, same_entry, NULL);
}

const void *
cab_rows_names_find (struct htab *places, char letter, uint32_t process, uint32_t number)
{
  struct entry key = { .letter = letter, .process = process, .number = number };
  const struct entry *e = htab_find (places, &key);
  return e ? &e->place : NULL;
}

/* Split LINE at its tabs.  Return how many fields there are, at most FIELDS. */
static int
split (char *line, char **fields)
{
  int n = 0;
  fields[FIELDS - 1] = "-";
  for (char *at = line; at && n < FIELDS; n++)
    {
      fields[n] = at;
      at = strchr (at, '\t');
      if (at)
	*at++ = '\0';
    }
  return n;
}

static uint32_t
number (const char *text)
{
  return strtoul (text, NULL, 10);
}

static const char *
unescape (struct cab_names *memory, const char *text)
{
  return cab_names_unescape (memory, text, strlen (text));
}

/* Return how many fields a line of LETTER has; 0: it is not used here. */
static int
fields_of (char letter)
{
  switch (letter)
    {
    case 'F': return 7;
    case 'C': return 8;
    case 'A': case 'M': return 9;
    case 'S': case 'L': return 3;
    default: return 0;
    }
}

static void
fill (struct entry *e, struct cab_names *memory, char **f)
{
  if (*f[0] == 'F')
    {
      e->function = (struct cab_row_function) { unescape (memory, f[3]), unescape (memory, f[4]),
						unescape (memory, f[5]), number (f[6]) };
      return;
    }
  if (*f[0] == 'S' || *f[0] == 'L')
    {
      e->place.offset = strtoull (f[2], NULL, 10);
      return;
    }
  e->place = (struct cab_row_place) { .fn = number (f[3]),
				      .file = unescape (memory, f[4]),
				      .line = number (f[5]),
				      .column = number (f[6]),
				      .name = unescape (memory, f[7]),
				      .is_allocation = *f[0] == 'M',
				      .callee = "",
				      .loop = "" };
  char *end = f[9];
  if (*f[0] != 'C' && *f[9] != '-')
    e->place.structure = strtoul (f[9], &end, 16);
  if (*end == ':')
    e->place.offset = strtoull (end + 1, &end, 10);
  e->place.is_element = *end == '+';
  if (*f[0] == 'M')
    {
      e->place.callee = unescape (memory, f[8]);
      e->place.is_local = !strncmp (e->place.callee, CAB_INFO_LOCAL, strlen (CAB_INFO_LOCAL));
    }
  else if (*f[0] == 'A')
    e->place.loop = unescape (memory, f[8]);
}

static int
take_line (struct htab *places, struct cab_names *memory, char *line)
{
  char *fields[FIELDS];
  int n = split (line, fields), wanted = fields_of (*line);
  if (n < 3)
    return -1;
  if (!wanted || strlen (fields[0]) != 1)
    return 0;
  if (n < wanted)
    return -1;
  struct entry key = { .letter = *line == 'M' ? 'A' : *line,
		       .process = number (fields[1]),
		       .number = number (fields[2]) };
  if (*line == 'S' || *line == 'L')
    key.process = key.number = 0;
  void **slot = htab_find_slot (places, &key, INSERT);
  if (*slot)
    return 0;
  struct entry *e = cab_names_zero (memory, 1, sizeof *e);
  *e = key;
  fill (e, memory, fields);
  *slot = e;
  return 0;
}

int
cab_rows_names_take (struct htab *places, struct cab_names *memory, const char *text, size_t n)
{
  int result = n && (text[n - 1] != '\n' || memchr (text, '\0', n)) ? -1 : 0;
  while (n > 0 && result == 0)
    {
      size_t length = (const char *) memchr (text, '\n', n) - text;
      char *line = cab_names_copy (memory, text, length);
      result = take_line (places, memory, line);
      text += length + 1;
      n -= length + 1;
    }
  return result;
}

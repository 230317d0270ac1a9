/* loop_table_record.c - see loop_table_record.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/attribute/loop_table_record.h"
#include <stdio.h>
#include <string.h>

bool
cab_loop_record_next (struct cab_loop_record *r)
{
  const char *p = r->next;
  if (!*p)
    return false;
  for (r->n_fields = 0; r->n_fields < CAB_LOOP_RECORD_FIELDS; p++)
    {
      size_t n = strcspn (p, "\t\n");
      r->field[r->n_fields] = p;
      r->length[r->n_fields++] = n;
      p += n;
      if (*p != '\t')
	break;
    }
  p += strcspn (p, "\n");
  r->next = *p ? p + 1 : p;
  return true;
}

bool
cab_loop_record_is (const struct cab_loop_record *r, char letter, int n_fields)
{
  return r->length[0] == 1 && r->field[0][0] == letter && r->n_fields >= n_fields;
}

const char *
cab_loop_record_text (struct cab_names *names, const struct cab_loop_record *r, int i)
{
  return cab_names_unescape (names, r->field[i], r->length[i]);
}

bool
cab_loop_record_number (const struct cab_loop_record *r, int i, int base, uint32_t *to)
{
  uint64_t n = 0;
  size_t k = 0;
  for (; k < r->length[i] && n <= UINT32_MAX; k++)
    {
      char c = r->field[i][k];
      int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
      if (digit >= base)
	return false;
      n = n * base + digit;
    }
  *to = n;
  return k && k == r->length[i] && n <= UINT32_MAX;
}

bool
cab_loop_record_place (const struct cab_loop_record *r, int i, const char **file, uint32_t *line,
		       uint32_t *column)
{
  unsigned f, l, c;
  char copy[64];
  int n = 0;
  if (r->length[i] >= sizeof copy)
    return false;
  memcpy (copy, r->field[i], r->length[i]);
  copy[r->length[i]] = 0;
  if (strspn (copy, "0123456789:") != r->length[i]
      || sscanf (copy, "%9u:%9u:%9u%n", &f, &l, &c, &n) != 3 || copy[n] || f >= r->n_files)
    return false;
  *file = r->files[f];
  *line = l;
  *column = c;
  return true;
}

void
cab_loop_record_files (struct cab_names *names, struct cab_loop_record *r)
{
  struct cab_loop_record ahead = *r;
  while (cab_loop_record_next (&ahead))
    r->n_files += cab_loop_record_is (&ahead, 'f', 2);
  r->files = cab_names_zero (names, r->n_files + 1, sizeof *r->files);
  uint32_t n = 0;
  for (ahead = *r; cab_loop_record_next (&ahead);)
    if (cab_loop_record_is (&ahead, 'f', 2))
      r->files[n++] = cab_loop_record_text (names, &ahead, 1);
}

/* info_cursor.c - see info_cursor.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/info_cursor.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "cabprof/info.h"
#include "analyses/base/diag.h"

int
cab_info_refuse (const struct cab_info_cursor *c, const char *what)
{
  return cab_refuse (c->info->path, c->diag,
		     "offset %td: %s: the file is damaged, or of a newer cabprof",
		     c->line - c->info->text, what);
}

bool
cab_info_next_line (struct cab_info_cursor *c)
{
  c->line = c->end;
  if (*c->line == '\n')
    c->line++;
  if (!*c->line)
    return false;
  c->end = c->line + strcspn (c->line, "\n");
  c->n_fields = 0;
  for (const char *p = c->line; c->n_fields < CAB_INFO_FIELDS; p++)
    {
      size_t n = strcspn (p, "\t\n");
      c->field[c->n_fields] = p;
      c->length[c->n_fields++] = n;
      p += n;
      if (*p != '\t')
	break;
    }
  return true;
}

uint64_t
cab_info_number (const struct cab_info_cursor *c, int i, uint64_t limit)
{
  if (i >= c->n_fields || !c->length[i] || c->length[i] > 20)
    return limit;
  uint64_t n = 0;
  for (size_t k = 0; k < c->length[i]; k++)
    {
      unsigned digit = c->field[i][k] - '0';
      if (digit > 9 || n > (UINT64_MAX - digit) / 10)
	return limit;
      n = n * 10 + digit;
    }
  return n < limit ? n : limit;
}

bool
cab_info_has_letter (const struct cab_info_cursor *c, int i, char letter)
{
  return i < c->n_fields && memchr (c->field[i], letter, c->length[i]);
}

const char *
cab_info_text (const struct cab_info_cursor *c, int i)
{
  return i < c->n_fields ? cab_names_unescape (&c->info->names, c->field[i], c->length[i]) : "";
}

int
cab_info_begin (struct cab_info_cursor *c, struct cab_info *info, uint64_t offset, const char *kind,
		struct cab_diag *diag)
{
  *c = (struct cab_info_cursor) { .info = info, .diag = diag, .line = info->text };
  if (offset >= info->bytes || info->text[offset] != CAB_INFO_MARK)
    return cab_refuse (info->path, diag,
		       "offset %" PRIu64
		       ": no record begins there: the file belongs to another build, or is damaged",
		       offset);
  c->end = c->line = info->text + offset + 1;
  if (!cab_info_next_line (c) || c->length[0] != 2 || !strchr (kind, c->line[0]))
    return cab_info_refuse (c, "not the kind of record that was expected");
  if (c->line[1] != CAB_INFO_VERSION)
    return cab_info_refuse (
      c, "the record has another version: use the cabprof that the program was compiled with");
  return 0;
}

bool
cab_info_hexadecimal (const struct cab_info_cursor *c, int i, uint32_t *n)
{
  if (i >= c->n_fields || !c->length[i] || c->length[i] > 8)
    return false;
  char *end;
  *n = strtoul (c->field[i], &end, 16);
  return end == c->field[i] + c->length[i];
}

int
cab_info_gcov (const struct cab_info_cursor *c, struct cab_gcov *gcov)
{
  if (!cab_info_hexadecimal (c, 1, &gcov->ident) || !cab_info_hexadecimal (c, 2, &gcov->lineno)
      || !cab_info_hexadecimal (c, 3, &gcov->cfg) || !cab_info_hexadecimal (c, 4, &gcov->unit)
      || c->n_fields < 6)
    return cab_info_refuse (c, "identifier or checksums of GCC's profile are no numbers");
  gcov->known = true;
  return 0;
}

int
cab_info_gcov_list (const struct cab_info_cursor *c, int i, uint32_t limit, uint32_t **list,
		    uint32_t *n)
{
  bool there = i < c->n_fields;
  const char *p = there ? c->field[i] : "", *end = p + (there ? c->length[i] : 0);
  uint32_t room = p < end;
  for (const char *comma = p; comma < end; comma++)
    room += *comma == ',';
  *list = cab_names_zero (&c->info->names, room, sizeof **list);
  for (*n = 0; *n < room; p++)
    {
      char *next;
      unsigned long number = strtoul (p, &next, 10);
      if (next == p || next > end || (next < end && *next != ',') || number >= limit)
	return cab_info_refuse (c, "an edge of a counter is none of the function's");
      (*list)[(*n)++] = number;
      p = next;
    }
  return 0;
}

/* cmd_trace_rows.c - which rows of a trace are wanted.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/trace/cmd_trace.h"
#include "loopfb/formats/pattern.h"
#include <string.h>
#include <libiberty/libiberty.h>

static const char *const kinds[] = {
  "call", "tail", "under", "path", "last", "loop", "sample", "read", "write", "modify", "allocated",
  "released", "moved", "argument", "returned", "variable"
};

const char *
cab_trace_kind (const struct cab_trace_row *row)
{
  switch (row->kind)
    {
    case CAB_EV_CALL: return "call";
    case CAB_EV_TAIL: return "tail";
    case CAB_EV_UNDER: return "under";
    case CAB_EV_PATH: return "path";
    case CAB_EV_PATH_LAST: return "last";
    case CAB_EV_LOOP: return "loop";
    case CAB_EV_SAMPLE: return "sample";
    case CAB_EV_ACCESS: case CAB_EV_VALUE: break;
    default: return "?";
    }
  switch (row->form & ~CAB_ROW_RANGE)
    {
    case CAB_ROW_READ: return "read";
    case CAB_ROW_WRITE: return "write";
    case CAB_ROW_READ | CAB_ROW_WRITE: return "modify";
    case CAB_ROW_ALLOCATED: return "allocated";
    case CAB_ROW_RELEASED: return "released";
    case CAB_ROW_MOVED: return "moved";
    case CAB_ROW_ARGUMENT: return "argument";
    case CAB_ROW_RETURNED: return "returned";
    case CAB_ROW_NAMED: return "variable";
    case CAB_ROW_BEGINS: return "begins";
    case CAB_ROW_ITERATES: return "iterates";
    case CAB_ROW_ENDS: return "ends";
    default: return "?";
    }
}

const char *
cab_trace_no_kind (const char *list)
{
  for (const char *at = list; *at; at += *at == ',')
    {
      size_t n = strcspn (at, ","), k = 0;
      while (k < ARRAY_SIZE (kinds) && (strlen (kinds[k]) != n || memcmp (kinds[k], at, n)))
	k++;
      if (k == ARRAY_SIZE (kinds))
	return at;
      at += n;
    }
  return NULL;
}

static bool
has_word (const char *list, const char *word)
{
  size_t n = strlen (word);
  for (const char *at = list; (at = strstr (at, word)); at++)
    if ((at == list || at[-1] == ',') && (!at[n] || at[n] == ','))
      return true;
  return false;
}

/* Return true if PATTERN matches the name of FILE, or its last components. */
static bool
file_matches (const char *pattern, const char *file)
{
  for (const char *at = file; at; at = strchr (at, '/') ? strchr (at, '/') + 1 : NULL)
    if (cab_pattern_matches (pattern, at))
      return true;
  return false;
}

static bool
is_in_function (const struct cab_row_filter *filter, const struct cab_rows_reader *reader,
		const struct cab_trace_row *row)
{
  const struct cab_row_function *f = cab_rows_function (reader, row->process, row->fn);
  return f
      && (cab_pattern_matches (filter->function, f->name)
	  || cab_pattern_matches (filter->function, f->assembler));
}

static const struct cab_row_place *
place_of (const struct cab_rows_reader *reader, const struct cab_trace_row *row)
{
  return row->kind == CAB_EV_ACCESS || row->kind == CAB_EV_VALUE
	 ? cab_rows_access (reader, row->process, row->site)
	 : NULL;
}

static bool
is_in_file (const struct cab_row_filter *filter, const struct cab_rows_reader *reader,
	    const struct cab_trace_row *row)
{
  const struct cab_row_place *place = place_of (reader, row);
  const struct cab_row_function *f = place ? NULL
					   : cab_rows_function (reader, row->process, row->fn);
  return file_matches (filter->file, place ? place->file : f ? f->file : "");
}

static bool
is_of_variable (const struct cab_row_filter *filter, const struct cab_rows_reader *reader,
		const struct cab_trace_row *row)
{
  const struct cab_row_place *place = place_of (reader, row);
  return place && !place->is_allocation && cab_pattern_matches (filter->variable, place->name);
}

static bool
names_match (const struct cab_row_filter *filter, const struct cab_rows_reader *reader,
	     const struct cab_trace_row *row)
{
  return (!filter->function || is_in_function (filter, reader, row))
      && (!filter->file || is_in_file (filter, reader, row))
      && (!filter->variable || is_of_variable (filter, reader, row));
}

bool
cab_trace_wanted (const struct cab_row_filter *filter, const struct cab_rows_reader *reader,
		  const struct cab_trace_row *row)
{
  if ((filter->process && row->process != filter->process)
      || (filter->thread && row->thread != filter->thread))
    return false;
  if (row->time < filter->after || row->time >= filter->before
      || (filter->kinds && !has_word (filter->kinds, cab_trace_kind (row))))
    return false;
  if (filter->has_range && (row->kind != CAB_EV_ACCESS || row->address >= filter->to
			    || row->address + (row->bytes ? row->bytes : 1) - 1 < filter->from))
    return false;
  return (!filter->function && !filter->file && !filter->variable)
      || names_match (filter, reader, row);
}

void
cab_trace_note_names (struct cab_row_filter *missing, const struct cab_rows_reader *reader,
		      const struct cab_trace_row *row)
{
  if (missing->function && is_in_function (missing, reader, row))
    missing->function = NULL;
  if (missing->file && is_in_file (missing, reader, row))
    missing->file = NULL;
  if (missing->variable && is_of_variable (missing, reader, row))
    missing->variable = NULL;
}

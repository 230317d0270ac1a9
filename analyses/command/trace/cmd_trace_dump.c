/* cmd_trace_dump.c - cabprof trace dump: print a line for each row.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "analyses/command/trace/cmd_trace.h"
#include "analyses/command/command.h"
#include "analyses/base/value_text.h"

/* The printed parts of a row. */
struct line
{
  const struct cab_trace_row *row;
  const char *kind, *function, *file, *name;
  uint32_t place_line, place_column;
  char level[8], value[CAB_VALUE_BYTES];
};

static void
look_up (struct line *l, const struct cab_rows_reader *reader, const struct cab_trace_row *row)
{
  const struct cab_row_function *f = cab_rows_function (reader, row->process, row->fn);
  bool is_site = row->kind == CAB_EV_ACCESS || row->kind == CAB_EV_VALUE;
  const struct cab_row_place *place = is_site ? cab_rows_access (reader, row->process, row->site)
				    : row->kind == CAB_EV_CALL || row->kind == CAB_EV_TAIL
					  || row->kind == CAB_EV_UNDER
				      ? cab_rows_call (reader, row->process, row->site)
				      : NULL;
  *l = (struct line) {
    .row = row, .kind = cab_trace_kind (row), .function = f ? f->name : "?", .file = "", .name = ""
  };
  if (row->level)
    snprintf (l->level, sizeof l->level, row->level == CAB_ROW_MISSED_ALL ? "none" : "L%u",
	      row->level);
  if (is_site)
    cab_value_text (l->value, row->value, row->value_type);
  if (place)
    {
      l->file = place->file;
      l->place_line = place->line;
      l->place_column = place->column;
      l->name = place->is_allocation ? place->callee : place->name;
    }
}

static void
print_text (const struct line *l)
{
  const struct cab_trace_row *r = l->row;
  printf ("%u.%u %s", r->process, r->thread, l->kind);
  if (r->kind == CAB_EV_ACCESS)
    printf (" %#" PRIx64 " %" PRIu64, r->address, r->bytes);
  if (r->kind == CAB_EV_SAMPLE)
    printf (" %#" PRIx64 " %" PRIu64 " ns", r->address, r->other);
  if (r->kind == CAB_EV_ACCESS && (r->form == CAB_ROW_MOVED))
    printf (" from %#" PRIx64, r->other);
  if (r->kind == CAB_EV_CALL || r->kind == CAB_EV_TAIL || r->kind == CAB_EV_UNDER)
    printf (" depth %u", r->depth);
  if (r->kind == CAB_EV_PATH || r->kind == CAB_EV_PATH_LAST || r->kind == CAB_EV_LOOP)
    printf (" %" PRIu64, r->other);
  if (r->times != 1)
    printf (" times %" PRIu64, r->times);
  if (*l->value)
    printf (" value %s", l->value);
  if (*l->name)
    printf (" %s", l->name);
  printf (" %s", l->function);
  if (*l->file)
    printf (" %s:%u:%u", l->file, l->place_line, l->place_column);
  if (*l->level)
    printf (" %s", l->level);
  putchar ('\n');
}

static void
put_tsv (const char *text)
{
  for (putchar ('\t'); *text; text++)
    putchar (*text == '\t' || *text == '\n' ? ' ' : *text);
}

static void
print_tsv (const struct line *l)
{
  const struct cab_trace_row *r = l->row;
  printf ("%" PRIu64 "\t%u\t%u\t%s\t%#" PRIx64 "\t%" PRIu64 "\t%#" PRIx64 "\t%" PRIu64 "\t%u",
	  r->time, r->process, r->thread, l->kind, r->address, r->bytes, r->other, r->times,
	  r->depth);
  put_tsv (l->function);
  put_tsv (l->file);
  printf ("\t%u\t%u", l->place_line, l->place_column);
  put_tsv (l->name);
  put_tsv (l->level);
  put_tsv (l->value);
  putchar ('\n');
}

static void
put_json (const char *key, const char *text)
{
  printf (",\"%s\":\"", key);
  for (; *text; text++)
    if (*text == '"' || *text == '\\')
      printf ("\\%c", *text);
    else if ((unsigned char) *text < ' ')
      printf ("\\u%04x", *text);
    else
      putchar (*text);
  putchar ('"');
}

static void
print_json (const struct line *l)
{
  const struct cab_trace_row *r = l->row;
  printf ("{\"time\":%" PRIu64 ",\"process\":%u,\"thread\":%u,\"kind\":\"%s\",\"address\":%" PRIu64
	  ",\"bytes\":%" PRIu64 ",\"other\":%" PRIu64 ",\"times\":%" PRIu64 ",\"depth\":%u",
	  r->time, r->process, r->thread, l->kind, r->address, r->bytes, r->other, r->times,
	  r->depth);
  put_json ("function", l->function);
  put_json ("file", l->file);
  printf (",\"line\":%u,\"column\":%u", l->place_line, l->place_column);
  put_json ("name", l->name);
  put_json ("level", l->level);
  put_json ("value", l->value);
  puts ("}");
}

int
cab_trace_print (const char *path, int format)
{
  struct cab_rows_reader reader;
  struct cab_diag diag;
  struct line line;
  int fd, result, status = cab_trace_begin (&reader, path, &fd);
  if (status)
    return status;
  cab_source_tell_loops (&reader);
  if (format == CAB_FORMAT_TSV)
    puts ("time\tprocess\tthread\tkind\taddress\tbytes\tother\ttimes\tdepth\tfunction\tfile\tline\t"
	  "column\tname\tlevel\tvalue");
  while ((result = cab_rows_next (&reader, &diag)) > 0 && !ferror (stdout))
    for (size_t i = 0; result == CAB_ROWS_ROWS && i < reader.n_rows; i++)
      {
	look_up (&line, &reader, &reader.rows[i]);
	if (format == CAB_FORMAT_TSV)
	  print_tsv (&line);
	else if (format == CAB_FORMAT_JSON)
	  print_json (&line);
	else
	  print_text (&line);
      }
  return cab_trace_finish (&reader, path, fd, result, &diag);
}

int
cab_trace_dump (int argc, char **argv)
{
  enum cab_format format = CAB_FORMAT_TEXT;
  const char *path;
  int status = cab_trace_format ("trace dump", "Print each event and each access.  JSON has a line "
				 "for each row.", argc, argv, &format, &path);
  if (status)
    return status < 0 ? CAB_EXIT_GOOD : status;
  return cab_trace_print (path, format);
}

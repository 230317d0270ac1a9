/* trace_rows_read.c - read the format `rows': see trace_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/trace_rows.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/trace/trace_rows_layout.h"
#include "analyses/trace/trace_rows_names.h"

#define COLUMN(name) \
  { \
#name, offsetof(struct cab_trace_row, name), sizeof((struct cab_trace_row *) 0)->name \
  }
const struct cab_rows_column cab_rows_columns[CAB_ROWS_COLUMNS] = {
  COLUMN (time),    COLUMN (address), COLUMN (bytes), COLUMN (other), COLUMN (times),
  COLUMN (process), COLUMN (thread),  COLUMN (fn),    COLUMN (site),  COLUMN (depth),
  COLUMN (kind),    COLUMN (form),    COLUMN (level), COLUMN (value), COLUMN (value_type)
};

#define CUT "the trace is cut off"
#define CUT_TODO "what came before is whole; see whether the stage that wrote it has ended early"

static int
refuse (const struct cab_rows_reader *r, struct cab_diag *diag, const char *wrong, const char *todo)
{
  return cab_trace_refuse (&r->in, diag, wrong, todo);
}

/* Read exactly N bytes; an earlier end is an error. */
static int
want (struct cab_rows_reader *r, void *to, size_t n, struct cab_diag *diag)
{
  size_t had = 0;
  if (n && cab_trace_input_read (&r->in, to, n, &had, diag) < 0)
    return -1;
  return had < n ? refuse (r, diag, CUT, CUT_TODO) : 0;
}

bool
cab_rows_is (const void *head, size_t n)
{
  return n >= CAB_ROWS_LOOK && !memcmp (head, CAB_ROWS_MAGIC, CAB_ROWS_LOOK);
}

static int
take_column (struct cab_rows_reader *r, const struct cab_rows_column *column, struct cab_diag *diag)
{
  struct cab_rows_layout *layout = r->layout;
  if (column->bytes > 8 || column->offset > layout->row_bytes
      || column->bytes > layout->row_bytes - column->offset)
    return refuse (r, diag, "the header is damaged: a column lies outside of the row",
		   "record the trace again");
  for (int i = 0; i < CAB_ROWS_COLUMNS; i++)
    if (!strncmp (cab_rows_columns[i].name, column->name, sizeof column->name))
      {
	if (column->bytes != cab_rows_columns[i].bytes)
	  return refuse (r, diag, "a column has another width than this cabprof knows",
			 "use the cabprof that wrote it");
	layout->offset[i] = column->offset;
	layout->same &= column->offset == cab_rows_columns[i].offset;
      }
  return 0;
}

static int
read_layout (struct cab_rows_reader *r, uint32_t n_columns, struct cab_diag *diag)
{
  memset (r->layout->offset, 255, sizeof r->layout->offset);
  r->layout->same = r->layout->row_bytes == sizeof (struct cab_trace_row);
  for (uint32_t k = 0; k < n_columns; k++)
    {
      struct cab_rows_column column;
      if (want (r, &column, sizeof column, diag) < 0 || take_column (r, &column, diag) < 0)
	return -1;
    }
  for (int i = 0; i < CAB_ROWS_COLUMNS; i++)
    r->layout->same &= r->layout->offset[i] != UINT32_MAX;
  return 0;
}

static int
read_header (struct cab_rows_reader *r, struct cab_diag *diag)
{
  struct cab_rows_header h = { .version = 0 };
  size_t had;
  if (cab_trace_input_read (&r->in, &h, sizeof h, &had, diag) < 0)
    return -1;
  if (!cab_rows_is (&h, had))
    return refuse (
      r, diag, "is no trace of rows",
      "give what `cabprof trace filter' or `cabprof record --trace-format=rows' wrote");
  if (had < sizeof h)
    return refuse (r, diag, CUT, CUT_TODO);
  if (h.byte_order != CAB_ROWS_BYTE_ORDER)
    return refuse (r, diag, "was written on a machine of another byte order, or is damaged",
		   "read it on a machine like that");
  if (h.version != CAB_ROWS_VERSION)
    return refuse (r, diag, "rows of another version than 1, which this cabprof reads",
		   "use the cabprof that wrote it");
  if (!h.row_bytes || h.row_bytes > CAB_ROWS_ROW_MAX || h.n_columns > CAB_ROWS_COLUMNS_MAX)
    return refuse (r, diag, "the header is damaged", "record the trace again");
  r->layout->row_bytes = h.row_bytes;
  return read_layout (r, h.n_columns, diag);
}

void
cab_rows_prepare (struct cab_rows_reader *r, struct cab_trace_input in)
{
  *r = (struct cab_rows_reader) { .in = in };
  r->layout = XCNEW (struct cab_rows_layout);
  cab_names_init (&r->memory);
  r->places = cab_rows_names_new ();
}

int
cab_rows_open_input (struct cab_rows_reader *r, struct cab_trace_input in, struct cab_diag *diag)
{
  cab_rows_prepare (r, in);
  r->converted = XNEWVEC (struct cab_trace_row, CAB_ROWS_BLOCK);
  if (read_header (r, diag) == 0)
    return 0;
  cab_rows_close (r);
  return -1;
}

int
cab_rows_open (struct cab_rows_reader *r, int fd, const char *path, struct cab_diag *diag)
{
  unsigned char head[CAB_ROWS_LOOK];
  struct cab_trace_input in;
  size_t n;
  cab_trace_input_open (&in, fd, path);
  if (cab_trace_input_look (&in, head, &n, diag) == 0)
    return cab_rows_open_input (r, in, diag);
  cab_trace_input_close (&in);
  return -1;
}

/* Convert N rows of another layout, column by column. */
static void
convert (struct cab_rows_reader *r, size_t n)
{
  memset (r->converted, 0, n * sizeof *r->converted);
  for (int i = 0; i < CAB_ROWS_COLUMNS; i++)
    for (size_t k = 0; k < n && r->layout->offset[i] != UINT32_MAX; k++)
      memcpy ((char *) (r->converted + k) + cab_rows_columns[i].offset,
	      r->block + k * r->layout->row_bytes + r->layout->offset[i],
	      cab_rows_columns[i].bytes);
}

static int
take_rows (struct cab_rows_reader *r, const struct cab_rows_block_header *h, struct cab_diag *diag)
{
  if (!h->n || h->n > CAB_ROWS_BLOCK || h->bytes != h->n * r->layout->row_bytes)
    return refuse (r, diag, "a block is damaged",
		   "what came before is whole; record the trace again");
  if (want (r, r->block, h->bytes, diag) < 0)
    return -1;
  if (!r->layout->same)
    convert (r, h->n);
  r->rows = r->layout->same ? (struct cab_trace_row *) r->block : r->converted;
  r->n_rows = h->n;
  r->total += h->n;
  return CAB_ROWS_ROWS;
}

static int
take_names (struct cab_rows_reader *r, const struct cab_rows_block_header *h, struct cab_diag *diag)
{
  if (h->bytes > CAB_ROWS_NAMES_MAX)
    return refuse (r, diag, "a block is damaged",
		   "what came before is whole; record the trace again");
  if (want (r, r->block, h->bytes, diag) < 0)
    return -1;
  r->names = (char *) r->block;
  r->n_names = h->bytes;
  if (cab_rows_names_take (r->places, &r->memory, r->names, r->n_names) < 0)
    return refuse (r, diag, "a name is damaged",
		   "what came before is whole; record the trace again");
  return CAB_ROWS_NAMES;
}

static int
take_end (struct cab_rows_reader *r, const struct cab_rows_block_header *h, struct cab_diag *diag)
{
  if (h->n != r->total || h->bytes)
    return refuse (r, diag, "the number of rows is not the one that the end of the trace gives",
		   "the trace is damaged: record it again");
  return CAB_ROWS_END;
}

int
cab_rows_next (struct cab_rows_reader *r, struct cab_diag *diag)
{
  struct cab_rows_block_header h;
  if (r->next)
    return r->next (r, diag);
  if (!r->block)
    {
      size_t rows = (size_t) CAB_ROWS_BLOCK * r->layout->row_bytes;
      r->block = xmalloc (rows > CAB_ROWS_NAMES_MAX ? rows : CAB_ROWS_NAMES_MAX);
    }
  if (want (r, &h, sizeof h, diag) < 0)
    return -1;
  switch (h.mark == CAB_ROWS_MARK ? h.kind : UINT32_MAX)
    {
    case CAB_ROWS_ROWS: return take_rows (r, &h, diag);
    case CAB_ROWS_NAMES: return take_names (r, &h, diag);
    case CAB_ROWS_END: return take_end (r, &h, diag);
    default:
      return refuse (r, diag, "a block is damaged",
		     "what came before is whole; record the trace again");
    }
}

void
cab_rows_close (struct cab_rows_reader *r)
{
  if (!r->layout)
    return;
  if (r->end)
    r->end (r);
  htab_delete (r->places);
  cab_names_fini (&r->memory);
  free (r->converted);
  free (r->block);
  free (r->layout);
  cab_trace_input_close (&r->in);
  memset (r, 0, sizeof *r);
}

const struct cab_row_place *
cab_rows_access (const struct cab_rows_reader *r, uint32_t process, uint32_t site)
{
  return cab_rows_names_find (r->places, 'A', process, site);
}

const struct cab_row_place *
cab_rows_call (const struct cab_rows_reader *r, uint32_t process, uint32_t site)
{
  return cab_rows_names_find (r->places, 'C', process, site);
}

const struct cab_row_function *
cab_rows_function (const struct cab_rows_reader *r, uint32_t process, uint32_t fn)
{
  return cab_rows_names_find (r->places, 'F', process, fn);
}

unsigned
cab_rows_caches (const struct cab_rows_reader *r)
{
  const struct cab_row_place *caches = cab_rows_names_find (r->places, 'L', 0, 0);
  return caches ? caches->offset : 0;
}

const char *
cab_rows_sampled (struct cab_rows_reader *r)
{
  const struct cab_row_place *rate = cab_rows_names_find (r->places, 'S', 0, 0);
  return rate ? cab_names_format (&r->memory,
				  "sampled: of the activations one piece in %ju was recorded; "
				  "accesses are counted as recorded, not scaled",
				  (uintmax_t) rate->offset)
	      : NULL;
}

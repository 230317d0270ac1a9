/* export_pprof.c - calling contexts in the format of pprof.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     profile.proto of pprof, which has the numbers of fields below; the encoding of
 *             protocol buffers.
 */
#include "analyses/report/export.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"
#include "analyses/report/stacks/export_stacks.h"

#define GZIP 16   /* added to the window's size: zlib writes the header of gzip */

enum { PROFILE_TYPE = 1, PROFILE_SAMPLE = 2, PROFILE_LOCATION = 4, PROFILE_FUNCTION = 5,
       PROFILE_STRINGS = 6, PROFILE_DEFAULT = 14 };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2 };

/* A message that grows. */
struct message
{
  unsigned char *bytes;
  size_t n, room;
};

static void
put_bytes (struct message *m, const void *bytes, size_t n)
{
  if (m->n + n > m->room)
    m->bytes = XRESIZEVEC (unsigned char, m->bytes, m->room = 2 * (m->n + n) + 64);
  memcpy (m->bytes + m->n, bytes, n);
  m->n += n;
}

static void
put_varint (struct message *m, uint64_t value)
{
  unsigned char bytes[10];
  size_t n = 0;
  for (; value >= 0x80; value >>= 7)
    bytes[n++] = value | 0x80;
  bytes[n++] = value;
  put_bytes (m, bytes, n);
}

/* Put a field with a number; 0 is what a missing one means. */
static void
put_number (struct message *m, unsigned field, uint64_t value)
{
  if (!value)
    return;
  put_varint (m, field << 3);
  put_varint (m, value);
}

static void
put_text (struct message *m, unsigned field, const void *bytes, size_t n)
{
  put_varint (m, field << 3 | 2);
  put_varint (m, n);
  put_bytes (m, bytes, n);
}

/* Put PART as a field, and empty it. */
static void
put_part (struct message *m, unsigned field, struct message *part)
{
  put_text (m, field, part->bytes, part->n);
  part->n = 0;
}

/* The profile, the texts that it refers to by number, and room for parts. */
struct pprof
{
  struct message profile, strings, part, inner;
  uint64_t n_strings;
};

/* Add TEXT, which must be UTF-8 there: other bytes are replaced.  Return its number. */
static uint64_t
string (struct pprof *p, const char *text)
{
  char *copy = xstrdup (text);
  for (unsigned char *c = (unsigned char *) copy; *c;)
    {
      int more = *c < 0x80 ? 0 : *c >= 0xc2 && *c < 0xe0 ? 1 : *c >= 0xe1 && *c < 0xed ? 2 : -1;
      for (int i = 1; i <= more; i++)
	if ((c[i] & 0xc0) != 0x80)
	  more = -1;
      if (more < 0)
	*c = '?';
      c += more < 0 ? 1 : more + 1;
    }
  put_text (&p->strings, PROFILE_STRINGS, copy, strlen (copy));
  free (copy);
  return p->n_strings++;
}

/* Put function NUMBER and its location, which has the same number. */
static void
put_function (struct pprof *p, uint64_t number, const char *name, const char *assembler,
	      const char *file, uint32_t line)
{
  put_number (&p->part, 1, number);
  put_number (&p->part, 2, string (p, name));
  put_number (&p->part, 3, string (p, assembler));
  put_number (&p->part, 4, string (p, file));
  put_number (&p->part, 5, line);
  put_part (&p->profile, PROFILE_FUNCTION, &p->part);
  put_number (&p->inner, 1, number);
  put_number (&p->inner, 2, line);
  put_number (&p->part, 1, number);
  put_part (&p->part, 4, &p->inner);
  put_part (&p->profile, PROFILE_LOCATION, &p->part);
}

/* Put a sample of the N functions of STACK, with VALUES of the measures that there are. */
static void
put_sample (struct pprof *p, const struct cab_stacks *stacks, const uint32_t *stack, uint32_t n,
	    const uint64_t values[CAB_MEASURES])
{
  for (uint32_t i = 0; i < n; i++)
    put_varint (&p->inner, (uint64_t) stack[i] + 1);
  put_part (&p->part, SAMPLE_LOCATIONS, &p->inner);
  for (int m = 0; m < CAB_MEASURES; m++)
    if (stacks->sums.total[m])
      put_varint (&p->inner, values[m]);
  put_part (&p->part, SAMPLE_VALUES, &p->inner);
  put_part (&p->profile, PROFILE_SAMPLE, &p->part);
}

static void
put_samples (struct pprof *p, const struct cab_stacks *stacks)
{
  uint64_t values[CAB_MEASURES], any = 0;
  for (uint32_t k = 0; k < stacks->n; k++)
    {
      for (int m = 0; m < CAB_MEASURES; m++)
	values[m] = stacks->sums.self[m][stacks->nodes[k]];
      put_sample (p, stacks, stacks->stack, cab_export_stacks_of (stacks, stacks->nodes[k]),
		  values);
    }
  for (int m = 0; m < CAB_MEASURES; m++)
    any |= stacks->left_out[m];
  if (any)
    put_sample (p, stacks, &stacks->model->n_functions, 1, stacks->left_out);
}

static void
put_types (struct pprof *p, const struct cab_stacks *stacks)
{
  uint64_t shown = 0;
  for (int m = 0; m < CAB_MEASURES; m++)
    if (stacks->sums.total[m])
      {
	uint64_t name = string (p, cab_context_measures[m].key);
	shown = !shown || m == CAB_MEASURE_TIME ? name : shown;
	put_number (&p->part, 1, name);
	put_number (&p->part, 2, string (p, m == CAB_MEASURE_TIME    ? "nanoseconds"
					    : m == CAB_MEASURE_BYTES ? "bytes"
								     : "count"));
	put_part (&p->profile, PROFILE_TYPE, &p->part);
      }
  put_number (&p->profile, PROFILE_DEFAULT, shown);
}

/* Write M to TO, compressed. */
static void
compress_to (const struct message *m, FILE *to)
{
  z_stream z = { .next_in = m->bytes, .avail_in = m->n };
  unsigned char out[16384];
  int status;
  if (deflateInit2 (&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS | GZIP, MAX_MEM_LEVEL,
		    Z_DEFAULT_STRATEGY)
      != Z_OK)
    xmalloc_failed (sizeof z);
  do
    {
      z.next_out = out;
      z.avail_out = sizeof out;
      status = deflate (&z, Z_FINISH);
      fwrite (out, 1, sizeof out - z.avail_out, to);
    }
  while (status != Z_STREAM_END);
  deflateEnd (&z);
}

int
cab_export_pprof (struct cab_model *model, const struct cab_export_options *options, FILE *to,
		  struct cab_diag *diag)
{
  struct cab_stacks stacks;
  struct pprof p = { 0 };
  (void) options;
  cab_export_stacks_open (&stacks, model);
  string (&p, "");
  put_types (&p, &stacks);
  put_samples (&p, &stacks);
  for (uint32_t i = 0; i < model->n_functions; i++)
    {
      const struct cab_function *f = model->functions[i];
      put_function (&p, (uint64_t) i + 1, f->display, f->assembler, f->file, f->line);
    }
  put_function (&p, (uint64_t) model->n_functions + 1, CAB_STACKS_OTHERS, "", "", 0);
  put_bytes (&p.profile, p.strings.bytes, p.strings.n);
  bool fits = p.profile.n <= UINT32_MAX;
  if (fits)
    compress_to (&p.profile, to);
  free (p.profile.bytes);
  free (p.strings.bytes);
  free (p.part.bytes);
  free (p.inner.bytes);
  cab_export_stacks_close (&stacks);
  return fits ? 0 : cab_refuse (model->dir, diag, "it does not fit into pprof's format");
}

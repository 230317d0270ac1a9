/* info.c - the records of .cabprof_info, parsed.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "info.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "cabprof/info.h"
#include "analyses/elf_section.h"
#include "analyses/part.h"

#define MOST_BYTES (UINT64_C (1) << 32)   /* a row refers to its record by 32 bits */
#define MOST_FIELDS 14

/* Where in a record a parser is.  The counts of each kind of line are known from a first pass, so that arrays have their size. */
struct cursor
{
  struct cab_info *info;
  struct cab_diag *diag;
  const char *line, *end;      /* of the present line */
  const char *field[MOST_FIELDS];
  size_t length[MOST_FIELDS];
  int n_fields;
};

int
cab_info_open (struct cab_info *info, const char *path, struct cab_diag *diag)
{
  struct stat st;
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  memset (info, 0, sizeof *info);
  if (fd < 0 || fstat (fd, &st) < 0 || (uint64_t) st.st_size > MOST_BYTES)
    {
      cab_part_refuse (path, diag, "%s: functions of this module are known by number only", fd < 0 ? strerror (errno) : "too large");
      if (fd >= 0)
	close (fd);
      return -1;
    }
  info->path = xstrdup (path);
  info->text = xmalloc (st.st_size + 1);
  for (ssize_t n = 1; n > 0 && info->bytes < (size_t) st.st_size; info->bytes += n > 0 ? n : 0)
    n = read (fd, info->text + info->bytes, st.st_size - info->bytes);
  info->text[info->bytes] = 0;
  close (fd);
  cab_names_init (&info->names);
  return 0;
}

int
cab_info_open_module (struct cab_info *info, const struct cab_part *part, uint32_t module, struct cab_diag *diag)
{
  const char *key = cab_part_string (part, part->modules[module].key);
  int length = lbasename (part->path) - part->path;
  memset (info, 0, sizeof *info);
  if (!*key || strchr (key, '/'))
    return cab_part_refuse (part->path, diag, "module %" PRIu32 " has no name for its records: its functions are known by number only", module);
  char *path = xasprintf ("%.*smodules/%s.info", length, part->path, key);
  int result = cab_info_open (info, path, diag);
  free (path);
  return result;
}

int
cab_info_open_elf (struct cab_info *info, const char *path, struct cab_diag *diag)
{
  memset (info, 0, sizeof *info);
  info->text = cab_elf_section (path, CAB_INFO_SECTION, &info->bytes, diag);
  if (!info->text)
    return -1;
  info->path = xstrdup (path);
  cab_names_init (&info->names);
  return 0;
}

void
cab_info_close (struct cab_info *info)
{
  if (!info->path)
    return;
  free (info->path);
  free (info->text);
  cab_names_fini (&info->names);
  memset (info, 0, sizeof *info);
}

static int
refuse (const struct cursor *c, const char *what)
{
  return cab_part_refuse (c->info->path, c->diag, "offset %td: %s: the file is damaged, or of a newer cabprof", c->line - c->info->text, what);
}

/* Step to the next line and split it; false at the record's end. */
static bool
next_line (struct cursor *c)
{
  c->line = c->end;
  if (*c->line == '\n')
    c->line++;
  if (!*c->line)
    return false;
  c->end = c->line + strcspn (c->line, "\n");
  c->n_fields = 0;
  for (const char *p = c->line; c->n_fields < MOST_FIELDS; p++)
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

/* Field I as a number below LIMIT; LIMIT itself where it is none. */
static uint64_t
number (const struct cursor *c, int i, uint64_t limit)
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

static bool
has_letter (const struct cursor *c, int i, char letter)
{
  return i < c->n_fields && memchr (c->field[i], letter, c->length[i]);
}

static const char *
text (const struct cursor *c, int i)
{
  return i < c->n_fields ? cab_names_unescape (&c->info->names, c->field[i], c->length[i]) : "";
}

static int
begin (struct cursor *c, struct cab_info *info, uint64_t offset, const char *kind, struct cab_diag *diag)
{
  *c = (struct cursor) { .info = info, .diag = diag, .line = info->text };
  if (offset >= info->bytes || info->text[offset] != CAB_INFO_MARK)
    return cab_part_refuse (info->path, diag, "offset %" PRIu64 ": no record begins there: the file belongs to another build, or is damaged",
			    offset);
  c->end = c->line = info->text + offset + 1;
  if (!next_line (c) || c->length[0] != 2 || !strchr (kind, c->line[0]))
    return refuse (c, "not the kind of record that was expected");
  if (c->line[1] != CAB_INFO_VERSION)
    return refuse (c, "the record has another version: use the cabprof that the program was compiled with");
  return 0;
}

/* First pass: how much of everything. */
static int
measure (struct cursor c, struct cab_record *r, uint32_t *n_lines)
{
  while (next_line (&c))
    switch (c.length[0] == 1 ? c.line[0] : 0)
      {
      case 'f': r->n_files++; break;
      case 'e': r->n_edges++; break;
      case 's': r->n_starts++; break;
      case 'L': r->n_loops++; break;
      case 'A': r->n_accesses++; break;
      case 'M': r->n_allocations++; break;
      case 'T': r->n_access_loops++; break;
      case 'b':
	for (size_t i = 0; c.n_fields > 2 && i < c.length[2]; i++)
	  *n_lines += c.field[2][i] == ',' || c.field[2][i] == ':';
	break;
      case 'C':
	r->checksum = c.n_fields > 1 ? strtoul (c.field[1], NULL, 16) : 0;
	r->counted = has_letter (&c, 2, 'c');
	r->traced = has_letter (&c, 2, 't');
	r->calls = has_letter (&c, 2, 'l');
	r->has_entries = has_letter (&c, 2, 'e');
	r->has_arrivals = has_letter (&c, 2, 'a');
	r->cut_at_calls = has_letter (&c, 2, 'k');
	r->generated = has_letter (&c, 2, 'g');
	r->n_counters = number (&c, 3, UINT32_MAX);
	r->n_sites = number (&c, 4, UINT32_MAX);
	if (r->n_sites > c.info->bytes)
	  return refuse (&c, "more call sites than the file can hold");
	break;
      case 'B':
	r->n_blocks = number (&c, 1, UINT32_MAX);
	r->n_paths = number (&c, 2, UINT32_MAX);
	if (r->n_blocks > c.info->bytes || r->n_paths == UINT32_MAX)
	  return refuse (&c, "more blocks or paths than there can be");
	break;
      }
  return 0;
}

/* "file:line[,line...][;file:line...]" */
static int
parse_lines (const struct cursor *c, struct cab_record *r, struct cab_block *block, struct cab_line *to)
{
  const char *p = c->field[2], *end = p + c->length[2];
  block->lines = to;
  while (p < end)
    {
      char *next;
      unsigned long file = strtoul (p, &next, 10);
      if (next == p || *next != ':' || file >= r->n_files)
	return refuse (c, "a block's lines lie in a file that the record does not name");
      do
	{
	  p = next + 1;
	  unsigned long line = strtoul (p, &next, 10);
	  if (next == p || next > end || line > INT32_MAX)
	    return refuse (c, "a block's line is no number");
	  block->lines[block->n_lines++] = (struct cab_line) { file, line };
	}
      while (next < end && *next == ',');
      if (next < end && *next != ';')
	return refuse (c, "a block's lines are mangled");
      p = next + 1;
    }
  return 0;
}

/* "file:line:column" of field I; zeros where it names no file of the record. */
static void
parse_place (const struct cursor *c, const struct cab_record *r, int i, uint32_t *file, uint32_t *line, uint32_t *column)
{
  char *next;
  *file = strtoul (c->field[i], &next, 10);
  *line = *next == ':' ? strtoul (next + 1, &next, 10) : 0;
  *column = *next == ':' ? strtoul (next + 1, &next, 10) : 0;
  if (*file >= r->n_files)
    *file = *line = *column = 0;
}

/* KEY or KEY:OFFSET[+] of field I; 0: there is none. */
static void
parse_structure_of (const struct cursor *c, int i, uint32_t *key, uint64_t *offset, bool *is_element)
{
  char *next;
  if (i >= c->n_fields || !c->length[i] || *c->field[i] == '-')
    return;
  *key = strtoul (c->field[i], &next, 16);
  if (!offset)
    return;
  if (*next == ':')
    *offset = strtoull (next + 1, &next, 10);
  *is_element = *next == '+';
}

static int
parse_access (const struct cursor *c, struct cab_record *r)
{
  uint64_t access = number (c, 1, r->n_accesses);
  if (access == r->n_accesses || c->n_fields < 12 || r->accesses[access].name)
    return refuse (c, "an access' number is out of range, or there twice");
  struct cab_access_place *a = &r->accesses[access];
  parse_place (c, r, 3, &a->file, &a->line, &a->column);
  a->read = has_letter (c, 4, 'r');
  a->write = has_letter (c, 4, 'w');
  a->range = has_letter (c, 4, 'g');
  a->bytes = a->range ? 0 : number (c, 5, UINT64_MAX);
  a->loop = number (c, 10, r->n_access_loops);
  a->name = text (c, 11);
  a->of = c->n_fields > 13 ? number (c, 13, access) : access;
  parse_structure_of (c, 12, &a->structure, &a->offset, &a->is_element);
  return 0;
}

static int
parse_allocation (const struct cursor *c, struct cab_record *r)
{
  uint64_t allocation = number (c, 1, r->n_allocations);
  if (allocation == r->n_allocations || c->n_fields < 5 || r->allocations[allocation].callee)
    return refuse (c, "an allocation's number is out of range, or there twice");
  struct cab_allocation_place *a = &r->allocations[allocation];
  parse_place (c, r, 2, &a->file, &a->line, &a->column);
  a->callee = text (c, 3);
  a->type = text (c, 4);
  parse_structure_of (c, 5, &a->structure, NULL, NULL);
  return 0;
}

static int
parse_access_loop (const struct cursor *c, struct cab_record *r)
{
  uint64_t loop = number (c, 1, r->n_access_loops);
  if (loop == r->n_access_loops || c->n_fields < 6 || r->access_loops[loop].origin)
    return refuse (c, "a loop's number is out of range, or there twice");
  struct cab_access_loop *l = &r->access_loops[loop];
  parse_place (c, r, 2, &l->file, &l->line, &l->column);
  l->ordinal = number (c, 3, UINT32_MAX);
  l->origin = text (c, 4);
  l->parent = number (c, 5, r->n_access_loops);
  return 0;
}

static int
parse_site (const struct cursor *c, struct cab_record *r)
{
  uint64_t site = number (c, 1, r->n_sites), block = number (c, 2, r->n_blocks);
  if (site == r->n_sites || block == r->n_blocks || c->n_fields < 5)
    return refuse (c, "a call site's number is out of range");
  struct cab_call_site *s = &r->sites[site];
  s->block = block;
  parse_place (c, r, 3, &s->file, &s->line, &s->column);
  s->callee = c->length[4] == 1 && *c->field[4] == '*' ? NULL : text (c, 4);
  s->tail = has_letter (c, 5, 't');
  return 0;
}

static int
parse_loop (const struct cursor *c, struct cab_record *r)
{
  uint64_t number_of = number (c, 1, r->n_loops), block = number (c, 2, r->n_blocks);
  if (number_of == r->n_loops || block == r->n_blocks || c->n_fields < 7 || r->loops[number_of].known)
    return refuse (c, "a loop's number is out of range, or there twice");
  struct cab_probed_loop *loop = &r->loops[number_of];
  loop->known = true;
  loop->block = block;
  parse_place (c, r, 3, &loop->file, &loop->line, &loop->column);
  loop->ordinal = number (c, 4, UINT32_MAX);
  loop->has_key = loop->ordinal != UINT32_MAX;
  loop->origin = text (c, 5);
  loop->at_end = has_letter (c, 6, 'd');
  loop->may_stay = has_letter (c, 6, 'm');
  loop->timed = has_letter (c, 6, 't');
  loop->skipped = has_letter (c, 6, 's') ? text (c, 7) : NULL;
  return 0;
}

static uint32_t
edge_flags (const struct cursor *c)
{
  static const char letters[] = "cxhtfFkw";
  uint32_t flags = 0;
  for (int i = 0; letters[i]; i++)
    flags |= has_letter (c, 3, letters[i]) ? 1u << i : 0;
  return flags;
}

static int
parse_edge (const struct cursor *c, struct cab_record *r, struct cab_edge *edge)
{
  *edge = (struct cab_edge) { number (c, 1, r->n_blocks), number (c, 2, r->n_blocks), edge_flags (c), number (c, 4, UINT64_MAX) };
  if (edge->src == r->n_blocks || edge->dst == r->n_blocks)
    return refuse (c, "an edge's block is out of range");
  if (edge->value == UINT64_MAX)
    edge->value = 0;
  return 0;
}

static int
parse_start (const struct cursor *c, struct cab_record *r, uint32_t i)
{
  r->starts[i] = (struct cab_start) { number (c, 1, r->n_blocks), number (c, 2, r->n_paths) };
  if (r->starts[i].block == r->n_blocks || r->starts[i].base >= r->n_paths || (i && r->starts[i].base <= r->starts[i - 1].base))
    return refuse (c, "the starts of paths do not ascend");
  return 0;
}

/* Second pass: fill the arrays. */
static int
fill (struct cursor *c, struct cab_record *r, struct cab_edge *edges, struct cab_line *lines)
{
  uint32_t n_files = 0, n_edges = 0, n_starts = 0, n_lines = 0;
  int bad = 0;
  while (!bad && next_line (c))
    switch (c->length[0] == 1 ? c->line[0] : 0)
      {
      case 'f': r->files[n_files++] = text (c, 1); break;
      case 'D':
	r->file = number (c, 1, r->n_files);
	r->line = number (c, 2, INT32_MAX) % INT32_MAX;
	r->column = number (c, 3, INT32_MAX) % INT32_MAX;
	r->last_line = number (c, 4, INT32_MAX) % INT32_MAX;
	break;
      case 'b':
	{
	  uint64_t block = number (c, 1, r->n_blocks);
	  if (block == r->n_blocks || c->n_fields < 3 || r->blocks[block].lines)
	    return refuse (c, "a block's number is out of range, or there twice");
	  bad = parse_lines (c, r, &r->blocks[block], lines + n_lines);
	  n_lines += r->blocks[block].n_lines;
	  break;
	}
      case 'e': bad = parse_edge (c, r, &edges[n_edges++]); break;
      case 's': bad = parse_start (c, r, n_starts++); break;
      case 'k': bad = parse_site (c, r); break;
      case 'L': bad = parse_loop (c, r); break;
      case 'A': bad = parse_access (c, r); break;
      case 'M': bad = parse_allocation (c, r); break;
      case 'T': bad = parse_access_loop (c, r); break;
      }
  return bad;
}

/* Group the edges by source; their order within a source is the record's. */
static void
group_edges (struct cab_record *r, const struct cab_edge *edges)
{
  struct cab_edge *place = r->edges;
  uint32_t rank = 0;
  for (uint32_t i = 0; i < r->n_edges; i++)
    if (!r->blocks[edges[i].src].n_edges++)
      r->blocks[edges[i].src].rank = rank++;
  for (uint32_t b = 0; b < r->n_blocks; b++)
    {
      r->blocks[b].edges = place;
      place += r->blocks[b].n_edges;
      r->blocks[b].n_edges = 0;
    }
  for (uint32_t i = 0; i < r->n_edges; i++)
    {
      struct cab_block *block = &r->blocks[edges[i].src];
      block->edges[block->n_edges++] = edges[i];
    }
}

int
cab_info_record (struct cab_info *info, uint64_t offset, struct cab_record *r, struct cab_diag *diag)
{
  struct cursor c;
  uint32_t n_lines = 0;
  memset (r, 0, sizeof *r);
  if (begin (&c, info, offset, "F", diag) < 0)
    return -1;
  r->assembler = text (&c, 1);
  r->source = text (&c, 2);
  if (measure (c, r, &n_lines) < 0)
    return -1;
  struct cab_names *names = &info->names;
  r->file = r->n_files;
  r->files = cab_names_zero (names, r->n_files, sizeof *r->files);
  r->blocks = cab_names_zero (names, r->n_blocks, sizeof *r->blocks);
  r->edges = cab_names_zero (names, r->n_edges, sizeof *r->edges);
  r->starts = cab_names_zero (names, r->n_starts, sizeof *r->starts);
  r->sites = cab_names_zero (names, r->n_sites, sizeof *r->sites);
  r->loops = cab_names_zero (names, r->n_loops, sizeof *r->loops);
  r->accesses = cab_names_zero (names, r->n_accesses, sizeof *r->accesses);
  r->allocations = cab_names_zero (names, r->n_allocations, sizeof *r->allocations);
  r->access_loops = cab_names_zero (names, r->n_access_loops, sizeof *r->access_loops);
  struct cab_edge *edges = XCNEWVEC (struct cab_edge, r->n_edges + 1);
  int bad = fill (&c, r, edges, cab_names_zero (names, n_lines, sizeof (struct cab_line)));
  if (!bad)
    group_edges (r, edges);
  free (edges);
  if (!bad && r->n_paths && (!r->n_starts || r->starts[0].base))
    bad = refuse (&c, "no path starts at number 0");
  return bad;
}

char
cab_info_next (const struct cab_info *info, uint64_t *offset, uint64_t *at)
{
  while (*offset < info->bytes && info->text[*offset] != CAB_INFO_MARK)
    ++*offset;
  if (*offset >= info->bytes)
    return 0;
  *at = *offset;
  *offset += strlen (info->text + *at);
  return info->text[*at + 1];
}

int
cab_info_note (struct cab_info *info, uint64_t offset, struct cab_note *note, struct cab_diag *diag)
{
  struct cursor c;
  if (begin (&c, info, offset, "SUX", diag) < 0)
    return -1;
  note->kind = c.line[0];
  for (int i = 0; i < 6; i++)
    note->field[i] = text (&c, i + 1);
  return 0;
}

/* Field I as the key of a structure; 0: it is none. */
static uint32_t
key (const struct cursor *c, int i)
{
  return i < c->n_fields ? strtoul (c->field[i], NULL, 16) : 0;
}

static void
parse_member (const struct cursor *c, struct cab_member *m)
{
  *m = (struct cab_member) {
    .offset = number (c, 1, UINT32_MAX), .bytes = number (c, 2, UINT32_MAX), .align = number (c, 3, UINT32_MAX),
    .bit_field = has_letter (c, 4, 'b'), .fixed = has_letter (c, 4, 'f'), .structures = has_letter (c, 4, 's'),
    .element = key (c, 7), .name = text (c, 5), .declaration = text (c, 6)
  };
}

int
cab_info_structure (struct cab_info *info, uint64_t offset, struct cab_structure *structure, struct cab_diag *diag)
{
  struct cursor c;
  uint32_t n = 0;
  if (begin (&c, info, offset, "Y", diag) < 0)
    return -1;
  *structure = (struct cab_structure) {
    .key = key (&c, 1), .name = text (&c, 2), .bytes = number (&c, 3, UINT32_MAX),
    .align = number (&c, 4, UINT32_MAX), .packed = has_letter (&c, 5, 'p'),
    .foreign = has_letter (&c, 5, 'y'), .file = ""
  };
  for (struct cursor count = c; next_line (&count);)
    structure->n_members += *count.line == 'm';
  structure->members = cab_names_zero (&info->names, structure->n_members, sizeof *structure->members);
  while (next_line (&c))
    switch (c.length[0] == 1 ? *c.line : 0)
      {
      case 'f': structure->file = text (&c, 1); break;
      case 'D': structure->line = number (&c, 2, INT32_MAX) % INT32_MAX; break;
      case 'm': parse_member (&c, &structure->members[n++]); break;
      }
  structure->n_members = n;
  for (uint32_t i = 0; i < n; i++)
    {
      const struct cab_member *m = &structure->members[i];
      bool power = m->align && !(m->align & (m->align - 1));
      if (!power || m->align > structure->bytes || m->offset > structure->bytes || m->bytes > structure->bytes - m->offset)
	return refuse (&c, "a member is not inside its structure");
    }
  return structure->bytes && structure->bytes < UINT32_MAX ? 0 : refuse (&c, "a structure without a size");
}

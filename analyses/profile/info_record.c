/* info_record.c - parse the record of a function: info.h's cab_info_record.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/info_cursor.h"
#include "analyses/wire/record_line.h"
#include "cabprof/abi.h"
#include "cabprof/info.h"
#include "cabprof/value_cell.h"

/* Add the accesses of a P line to those of R. */
static int
count_copies (const struct cab_info_cursor *c, struct cab_record *r)
{
  uint64_t n = c->n_fields > 3 ? cab_line_runs (c->field[3], c->length[3]) : UINT64_MAX;
  if (n > CAB_ROW_ACCESSES_MAX || r->n_accesses + n > CAB_ROW_ACCESSES_MAX)
    return cab_info_refuse (c,
			    "accesses of a path are no list of numbers, or more than there can be");
  r->n_accesses += n;
  return 0;
}

/* Count the lines of each kind in a first pass. */
static int
measure (struct cab_info_cursor c, struct cab_record *r, uint32_t *n_lines)
{
  while (cab_info_next_line (&c))
    switch (c.length[0] == 1 ? c.line[0] : 0)
      {
      case 'f': r->n_files++; break;
      case 'e': r->n_edges++; break;
      case 's': r->n_starts++; break;
      case 'L': r->n_loops++; break;
      case 'A': r->n_accesses++; break;
      case 'P':
	if (count_copies (&c, r) < 0)
	  return -1;
	break;
      case 'M': r->n_allocations++; break;
      case 'T': r->n_access_loops++; break;
      case 'H': r->n_held++; break;
      case 'b':
	for (size_t i = 0; c.n_fields > 2 && i < c.length[2]; i++)
	  *n_lines += c.field[2][i] == ',' || c.field[2][i] == ':';
	break;
      case 'C':
	r->checksum = c.n_fields > 1 ? strtoul (c.field[1], NULL, 16) : 0;
	r->counted = cab_info_has_letter (&c, 2, 'c');
	r->traced = cab_info_has_letter (&c, 2, 't');
	r->calls = cab_info_has_letter (&c, 2, 'l');
	r->has_entries = cab_info_has_letter (&c, 2, 'e');
	r->has_arrivals = cab_info_has_letter (&c, 2, 'a');
	r->cut_at_calls = cab_info_has_letter (&c, 2, 'k');
	r->generated = cab_info_has_letter (&c, 2, 'g');
	r->loops_numbered = cab_info_has_letter (&c, 2, 'n');
	r->n_counters = cab_info_number (&c, 3, UINT32_MAX);
	r->n_sites = cab_info_number (&c, 4, UINT32_MAX);
	if (r->n_sites > c.info->bytes)
	  return cab_info_refuse (&c, "more call sites than the file can hold");
	break;
      case 'B':
	r->n_blocks = cab_info_number (&c, 1, UINT32_MAX);
	r->n_paths = cab_info_number (&c, 2, UINT32_MAX);
	if (r->n_blocks > c.info->bytes || r->n_paths == UINT32_MAX)
	  return cab_info_refuse (&c, "more blocks or paths than there can be");
	break;
      }
  return 0;
}

/* Parse the lines of a block: "file:line[,line...][;file:line...]". */
static int
parse_lines (const struct cab_info_cursor *c, struct cab_record *r, struct cab_block *block,
	     struct cab_line *to)
{
  const char *p = c->field[2], *end = p + c->length[2];
  block->lines = to;
  while (p < end)
    {
      char *next;
      unsigned long file = strtoul (p, &next, 10);
      if (next == p || *next != ':' || file >= r->n_files)
	return cab_info_refuse (c, "a block's lines lie in a file that the record does not name");
      do
	{
	  p = next + 1;
	  unsigned long line = strtoul (p, &next, 10);
	  if (next == p || next > end || line > INT32_MAX)
	    return cab_info_refuse (c, "a block's line is not a number");
	  block->lines[block->n_lines++] = (struct cab_line) { file, line };
	}
      while (next < end && *next == ',');
      if (next < end && *next != ';')
	return cab_info_refuse (c, "a block's lines are mangled");
      p = next + 1;
    }
  return 0;
}

/* Parse "file:line:column" in field I; zeros if it names no file of the record. */
static void
parse_place (const struct cab_info_cursor *c, const struct cab_record *r, int i, uint32_t *file,
	     uint32_t *line, uint32_t *column)
{
  char *next;
  *file = strtoul (c->field[i], &next, 10);
  *line = *next == ':' ? strtoul (next + 1, &next, 10) : 0;
  *column = *next == ':' ? strtoul (next + 1, &next, 10) : 0;
  if (*file >= r->n_files)
    *file = *line = *column = 0;
}

/* Parse KEY or KEY:OFFSET[+] in field I; without it the results stay 0. */
static void
parse_structure_of (const struct cab_info_cursor *c, int i, uint32_t *key, uint64_t *offset,
		    bool *is_element)
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
parse_access (const struct cab_info_cursor *c, struct cab_record *r)
{
  uint64_t access = cab_info_number (c, 1, r->n_accesses);
  if (access == r->n_accesses || c->n_fields < 12 || r->accesses[access].name)
    return cab_info_refuse (c, "an access' number is out of range, or there twice");
  struct cab_access_place *a = &r->accesses[access];
  parse_place (c, r, 3, &a->file, &a->line, &a->column);
  a->read = cab_info_has_letter (c, 4, 'r');
  a->write = cab_info_has_letter (c, 4, 'w');
  a->range = cab_info_has_letter (c, 4, 'g');
  a->special = cab_info_has_letter (c, 4, 'v') || cab_info_has_letter (c, 4, 't');
  for (const char *letter = "ionbce"; *letter && !a->read && !a->write; letter++)
    a->bare = cab_info_has_letter (c, 4, *letter) ? *letter : a->bare;
  a->bytes = a->range ? 0 : cab_info_number (c, 5, UINT64_MAX);
  a->loop = cab_info_number (c, 10, r->n_access_loops);
  a->name = cab_info_text (c, 11);
  a->of = c->n_fields > 13 ? cab_info_number (c, 13, access) : access;
  parse_structure_of (c, 12, &a->structure, &a->offset, &a->is_element);
  return 0;
}

/* Copy accesses that are in the record already, for another path. */
static int
parse_copies (const struct cab_info_cursor *c, struct cab_record *r)
{
  uint64_t access = cab_info_number (c, 2, r->n_accesses);
  struct cab_line_run run = { 0 };
  for (const char *p = c->field[3], *end = p + c->length[3];
       p < end && cab_line_run (&p, end, &run);)
    for (uint32_t of = run.first; of < run.first + run.n; of++, access++)
      {
	if (access >= r->n_accesses || of >= r->n_accesses || r->accesses[access].name
	    || !r->accesses[of].name)
	  return cab_info_refuse (c, "an access' number is out of range, or there twice");
	r->accesses[access] = r->accesses[of];
      }
  return 0;
}

static int
parse_allocation (const struct cab_info_cursor *c, struct cab_record *r)
{
  uint64_t allocation = cab_info_number (c, 1, r->n_allocations);
  if (allocation == r->n_allocations || c->n_fields < 5 || r->allocations[allocation].callee)
    return cab_info_refuse (c, "an allocation's number is out of range, or there twice");
  struct cab_allocation_place *a = &r->allocations[allocation];
  parse_place (c, r, 2, &a->file, &a->line, &a->column);
  a->callee = cab_info_text (c, 3);
  a->type = cab_info_text (c, 4);
  parse_structure_of (c, 5, &a->structure, NULL, NULL);
  return 0;
}

static int
parse_access_loop (const struct cab_info_cursor *c, struct cab_record *r)
{
  uint64_t loop = cab_info_number (c, 1, r->n_access_loops);
  if (loop == r->n_access_loops || c->n_fields < 6 || r->access_loops[loop].origin)
    return cab_info_refuse (c, "a loop's number is out of range, or there twice");
  struct cab_access_loop *l = &r->access_loops[loop];
  parse_place (c, r, 2, &l->file, &l->line, &l->column);
  l->ordinal = cab_info_number (c, 3, UINT32_MAX);
  l->origin = cab_info_text (c, 4);
  l->parent = cab_info_number (c, 5, r->n_access_loops);
  return 0;
}

static int
parse_update (const struct cab_info_cursor *c, struct cab_record *r)
{
  bool alone = c->n_fields > 2 && c->length[2] == 1 && *c->field[2] == '-';
  uint64_t store = cab_info_number (c, 1, r->n_accesses),
	   load = alone ? store : cab_info_number (c, 2, r->n_accesses);
  if (store == r->n_accesses || load == r->n_accesses || c->n_fields < 5)
    return cab_info_refuse (c, "an update is of an access whose number is out of range");
  r->accesses[store].update = r->accesses[load].update = cab_info_text (c, 3);
  r->accesses[store].ordered = r->accesses[load].ordered = cab_info_has_letter (c, 4, 'o');
  return 0;
}

static int
parse_held (const struct cab_info_cursor *c, const struct cab_record *r,
	    struct cab_held_value *held)
{
  uint64_t loop = cab_info_number (c, 1, r->n_access_loops);
  if (loop == r->n_access_loops || c->n_fields < 7)
    return cab_info_refuse (c, "a register is of a loop whose number is out of range");
  *held = (struct cab_held_value) { loop, cab_info_text (c, 2), cab_info_text (c, 3),
			      cab_info_text (c, 5), cab_info_number (c, 4, INT32_MAX) % INT32_MAX,
			      cab_info_has_letter (c, 6, 's'), cab_info_has_letter (c, 6, 'o') };
  return 0;
}

static int
parse_site (const struct cab_info_cursor *c, struct cab_record *r)
{
  uint64_t site = cab_info_number (c, 1, r->n_sites), block = cab_info_number (c, 2, r->n_blocks);
  if (site == r->n_sites || block == r->n_blocks || c->n_fields < 5)
    return cab_info_refuse (c, "a call site's number is out of range");
  struct cab_call_site *s = &r->sites[site];
  s->block = block;
  parse_place (c, r, 3, &s->file, &s->line, &s->column);
  s->callee = c->length[4] == 1 && *c->field[4] == '*' ? NULL : cab_info_text (c, 4);
  s->tail = cab_info_has_letter (c, 5, 't');
  return 0;
}

static int
parse_loop (const struct cab_info_cursor *c, struct cab_record *r)
{
  uint64_t number_of = cab_info_number (c, 1, r->n_loops),
	   block = cab_info_number (c, 2, r->n_blocks);
  if (number_of == r->n_loops || block == r->n_blocks || c->n_fields < 7
      || r->loops[number_of].known)
    return cab_info_refuse (c, "a loop's number is out of range, or there twice");
  struct cab_binary_probes_loop *loop = &r->loops[number_of];
  loop->known = true;
  loop->block = block;
  parse_place (c, r, 3, &loop->file, &loop->line, &loop->column);
  loop->ordinal = cab_info_number (c, 4, UINT32_MAX);
  loop->has_key = loop->ordinal != UINT32_MAX;
  loop->origin = cab_info_text (c, 5);
  loop->at_end = cab_info_has_letter (c, 6, 'd');
  loop->may_stay = cab_info_has_letter (c, 6, 'm');
  loop->timed = cab_info_has_letter (c, 6, 't');
  loop->skipped = cab_info_has_letter (c, 6, 's') ? cab_info_text (c, 7) : NULL;
  return 0;
}

static uint32_t
edge_flags (const struct cab_info_cursor *c)
{
  static const char letters[] = "cxhtfFkwm";
  uint32_t flags = 0;
  for (int i = 0; letters[i]; i++)
    flags |= cab_info_has_letter (c, 3, letters[i]) ? 1u << i : 0;
  return flags;
}

static int
parse_edge (const struct cab_info_cursor *c, struct cab_record *r, struct cab_edge *edge)
{
  *edge = (struct cab_edge) { cab_info_number (c, 1, r->n_blocks),
			      cab_info_number (c, 2, r->n_blocks), edge_flags (c),
			      cab_info_number (c, 4, UINT64_MAX) };
  if (edge->src == r->n_blocks || edge->dst == r->n_blocks)
    return cab_info_refuse (c, "an edge's block is out of range");
  if (edge->value == UINT64_MAX)
    edge->value = 0;
  return 0;
}

/* Parse the letters of a G line. */
static int
parse_values (const struct cab_info_cursor *c, struct cab_record *r)
{
  static const char with_cell[] = { CAB_INFO_VALUE_TOPN, CAB_INFO_VALUE_INTERVAL,
				    CAB_INFO_VALUE_OR, 0 },
		    sharing[] = { CAB_INFO_VALUE_POWER, CAB_INFO_VALUE_AVERAGE, 0 };
  uint32_t n_blocks;
  r->values = cab_info_text (c, 11);
  if (cab_info_gcov_list (c, 12, r->n_blocks, &r->cell_blocks, &n_blocks) < 0)
    return -1;
  for (const char *p = r->values; *p; p++)
    {
      r->n_cells += strchr (with_cell, *p) != NULL;
      if (!strchr (with_cell, *p) && (!strchr (sharing, *p) || !r->n_cells))
	return cab_info_refuse (c, "a value of GCC's profile has no cell, or is of no known kind");
    }
  if (r->n_counters / CAB_CELL_WORDS < r->n_cells || n_blocks != r->n_cells)
    return cab_info_refuse (c, "the function has fewer counters than its values need");
  return 0;
}

/* Parse the G line; lists refer to the e lines in the record's order. */
static int
parse_gcov (const struct cab_info_cursor *c, struct cab_record *r)
{
  if (r->gcov.known)
    return cab_info_refuse (c, "the function is there twice for GCC's profile");
  r->n_topn = cab_info_number (c, 7, UINT16_MAX);
  r->n_calls = cab_info_number (c, 9, UINT16_MAX);
  r->has_values = c->n_fields > 10;
  return cab_info_gcov (c, &r->gcov) < 0
	     || cab_info_gcov_list (c, 5, r->n_edges, &r->counters, &r->gcov.n_counters) < 0
	     || cab_info_gcov_list (c, 6, r->n_edges, &r->returning, &r->n_returning) < 0
	     || cab_info_gcov_list (c, 8, r->n_sites, &r->indirect, &r->n_indirect) < 0
	     || cab_info_gcov_list (c, 10, r->n_blocks, &r->remainders, &r->n_remainders) < 0
	     || parse_values (c, r) < 0
	 ? -1
	 : 0;
}

static int
parse_start (const struct cab_info_cursor *c, struct cab_record *r, uint32_t i)
{
  r->starts[i] = (struct cab_start) { cab_info_number (c, 1, r->n_blocks),
				      cab_info_number (c, 2, r->n_paths) };
  if (r->starts[i].block == r->n_blocks || r->starts[i].base >= r->n_paths
      || (i && r->starts[i].base <= r->starts[i - 1].base))
    return cab_info_refuse (c, "the starts of paths do not ascend");
  return 0;
}

/* Fill the arrays in a second pass. */
static int
fill (struct cab_info_cursor *c, struct cab_record *r, struct cab_edge *edges,
      struct cab_line *lines)
{
  uint32_t n_files = 0, n_edges = 0, n_starts = 0, n_lines = 0, n_held = 0;
  int bad = 0;
  while (!bad && cab_info_next_line (c))
    switch (c->length[0] == 1 ? c->line[0] : 0)
      {
      case 'f': r->files[n_files++] = cab_info_text (c, 1); break;
      case 'D':
	r->file = cab_info_number (c, 1, r->n_files);
	r->line = cab_info_number (c, 2, INT32_MAX) % INT32_MAX;
	r->column = cab_info_number (c, 3, INT32_MAX) % INT32_MAX;
	r->last_line = cab_info_number (c, 4, INT32_MAX) % INT32_MAX;
	break;
      case 'b':
	{
	  uint64_t block = cab_info_number (c, 1, r->n_blocks);
	  if (block == r->n_blocks || c->n_fields < 3 || r->blocks[block].lines)
	    return cab_info_refuse (c, "a block's number is out of range, or there twice");
	  bad = parse_lines (c, r, &r->blocks[block], lines + n_lines);
	  n_lines += r->blocks[block].n_lines;
	  break;
	}
      case 'e': bad = parse_edge (c, r, &edges[n_edges++]); break;
      case 's': bad = parse_start (c, r, n_starts++); break;
      case 'G': bad = parse_gcov (c, r); break;
      case 'k': bad = parse_site (c, r); break;
      case 'L': bad = parse_loop (c, r); break;
      case 'A': bad = parse_access (c, r); break;
      case 'P': bad = parse_copies (c, r); break;
      case 'M': bad = parse_allocation (c, r); break;
      case 'T': bad = parse_access_loop (c, r); break;
      case 'U': bad = parse_update (c, r); break;
      case 'H': bad = parse_held (c, r, &r->held[n_held++]); break;
      }
  return bad;
}

/* Group the edges by source, in the record's order within a source. */
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
  uint32_t *moved = XCNEWVEC (uint32_t, r->n_edges + 1);
  for (uint32_t i = 0; i < r->n_edges; i++)
    {
      struct cab_block *block = &r->blocks[edges[i].src];
      block->edges[block->n_edges++] = edges[i];
      moved[i] = block->edges + block->n_edges - 1 - r->edges;
    }
  for (uint32_t i = 0; i < r->gcov.n_counters; i++)
    r->counters[i] = moved[r->counters[i]];
  for (uint32_t i = 0; i < r->n_returning; i++)
    r->returning[i] = moved[r->returning[i]];
  free (moved);
}

int
cab_info_record (struct cab_info *info, uint64_t offset, struct cab_record *r,
		 struct cab_diag *diag)
{
  struct cab_info_cursor c;
  uint32_t n_lines = 0;
  memset (r, 0, sizeof *r);
  if (cab_info_begin (&c, info, offset, "F", diag) < 0)
    return -1;
  r->assembler = cab_info_text (&c, 1);
  r->source = cab_info_text (&c, 2);
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
  r->held = cab_names_zero (names, r->n_held, sizeof *r->held);
  struct cab_edge *edges = XCNEWVEC (struct cab_edge, r->n_edges + 1);
  int bad = fill (&c, r, edges, cab_names_zero (names, n_lines, sizeof (struct cab_line)));
  if (!bad)
    group_edges (r, edges);
  free (edges);
  if (!bad && r->n_paths && (!r->n_starts || r->starts[0].base))
    bad = cab_info_refuse (&c, "no path starts at number 0");
  return bad;
}

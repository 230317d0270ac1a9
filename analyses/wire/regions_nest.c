/* regions_nest.c - the lines of nests, see regions_table.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/wire/nest.h"
#include "analyses/wire/regions_shape.h"
#include "analyses/wire/regions_table.h"

#define N_FIELDS 8   /* the least; the number of the loop may follow */

static struct cab_field
field (const struct cab_record_line *l, int i)
{
  return (struct cab_field) { l->field[i], l->length[i] };
}

/* A nest under construction, line by line. */
struct nests
{
  struct cab_regions *to;
  struct cab_region *region;
  uint32_t n_accesses;
  struct cab_nest nest;
};

static struct cab_nest_part *
part_at (const struct nests *n, uint32_t access)
{
  return (struct cab_nest_part *) cab_regions_parts (n->to) + access;
}

/* Make PART of OP, rows or a leaf.  Return false if it would need too many words. */
static bool
make_part (const struct nests *n, struct cab_nest_part *part, const struct cab_nest_op *op)
{
  struct cab_region_access *access = (struct cab_region_access *) cab_regions_accesses (n->to)
				   + op->first;
  bool made = cab_nest_part (part, op, cab_regions_terms (n->to) + op->first, access);
  cab_region_twins (access, made ? op->shape.n : 0);
  return made;
}

/* Make the rows of OP a part; if that is impossible, the nest has no parts. */
static void
part_rows (struct nests *n, const struct cab_nest_op *op)
{
  struct cab_nest_part *part = part_at (n, op->first);
  n->region->is_parted &= make_part (n, part, op);
  if (n->region->is_parted && !op->is_leaf)
    cab_region_span (n->to, &part->region);
}

/* Make all rows of LEAF a part, and each of its rows one with the same words; if they cannot share
   them, make each rows a part by themselves. */
static void
part_leaf (struct nests *n, struct cab_nest_op *leaf)
{
  struct cab_nest_part whole;
  bool shared = make_part (n, &whole, leaf);
  for (const struct cab_nest_op *op = leaf + 1; op->what != CAB_NEST_END; op++)
    if (op->what == CAB_NEST_ROWS && shared)
      {
	struct cab_nest_part *part = part_at (n, op->first);
	*part = whole;
	part->region.shape = op->shape;
	part->region.access = cab_regions_accesses (n->to) + op->first;
	part->region.first = op->first;
      }
    else if (op->what == CAB_NEST_ROWS)
      part_rows (n, op);
  if (!shared)
    leaf->inmost = CAB_NEST_NONE;
  if (leaf->inmost != CAB_NEST_NONE)
    *part_at (n, leaf->inmost) = whole;
}

/* Make the shapes of operations that have accesses. */
static void
shape_ops (const struct nests *n)
{
  struct cab_region_columns c = cab_region_columns (n->to);
  for (struct cab_nest_op *op = n->nest.ops; op < n->nest.ops + n->nest.n_ops; op++)
    if (op->shape.n)
      {
	uint32_t id = op->what == CAB_NEST_ROWS ? op->first : op->inmost;
	op->shape = (struct cab_shape) {
	  id == CAB_NEST_NONE ? 0 : n->region->id + (id - n->region->first), op->shape.n,
	  c.site + op->first, c.form + op->first, c.bytes + op->first
	};
      }
}

static void
end_nest (struct nests *n)
{
  n->region->is_parted = true;
  n->region->n_spans = 0;
  cab_nest_end (&n->nest);
  n->region->n_ops = n->nest.n_ops;
  n->region->n_rows = n->nest.n_rows;
  shape_ops (n);
  for (struct cab_nest_op *op = n->nest.ops; op < n->nest.ops + n->nest.n_ops; op++)
    if (op->what == CAB_NEST_ROWS && !op->is_leaf)
      part_rows (n, op);
    else if (op->what == CAB_NEST_LOOP && op->is_leaf)
      part_leaf (n, op);
}

/* Add an A line of a nest, whose access is in the table. */
static bool
add_access (struct nests *n, const struct cab_record_line *l)
{
  uint64_t level;
  if (!cab_line_number (l, 9, UINT32_MAX, &level))
    return false;
  uint32_t at = n->region->first + n->n_accesses++;
  const struct cab_region_access *access = cab_regions_accesses (n->to) + at;
  struct cab_term *term = (struct cab_term *) cab_regions_terms (n->to) + at;
  term->word = access->word;
  term->base = access->offset;
  return cab_nest_access (&n->nest, level, at, field (l, 8), term);
}

static bool
add_level (struct nests *n, const struct cab_record_line *l)
{
  struct cab_field fields[7] = { { NULL, 0 } };
  if (l->n < N_FIELDS)
    return false;
  for (int i = 0; i < 7 && 2 + i < l->n; i++)
    fields[i] = field (l, 2 + i);
  return cab_nest_level (&n->nest, fields);
}

bool
cab_regions_nest (struct cab_regions *to, struct cab_region *region, struct cab_record_line l)
{
  struct nests n = { .to = to, .region = region };
  bool good = true;
  if (!to->n_levels)
    return !region->shape.n;   /* there is no room for terms */
  region->op = to->n_read_ops;
  cab_nest_begin (&n.nest, (struct cab_nest_op *) cab_regions_ops (to) + region->op, region->words);
  while (good && cab_regions_next (&l))
    if (cab_line_letter (&l) == 'N')
      good = add_level (&n, cab_line_split (&l, CAB_LINE_FIELDS));
    else if (cab_line_letter (&l) == 'A')
      good = add_access (&n, cab_line_split (&l, CAB_LINE_FIELDS));
  if (good)
    end_nest (&n);
  to->n_read_ops += n.nest.n_ops;
  return good;
}

/* layout_text.c - layouts as text.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/layout/layout_text.h"
#include <inttypes.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/table.h"

char *
cab_layout_unit_name (const struct cab_layout *layout, uint32_t u)
{
  const struct cab_layout_unit *unit = &layout->units[u];
  char *name = xstrdup ("");
  for (uint32_t i = 0; i < unit->n; i++)
    name = reconcat (name, name, i ? ", " : "", layout->structure->members[unit->first + i].name,
		     NULL);
  return name;
}

static bool
is_unseen (const struct cab_layout_unit *unit)
{
  return !unit->inner && !unit->accesses;
}

const char *
cab_layout_note (const struct cab_layout *layout)
{
  for (uint32_t u = 0; u < layout->n_units; u++)
    if (is_unseen (&layout->units[u]))
      return "unseen: no access was recorded as one of that member, so it counts as cold; "
	     "functions that get its address "
	     "(methods of its class) or have no probes may use it";
  return NULL;
}

const char *
cab_layout_accesses (const struct cab_layout_unit *unit, char text[32])
{
  return is_unseen (unit) ? "none seen" : cab_table_grouped (unit->accesses, text);
}

/* Return how many bytes of the cold part are of unseen members. */
static uint32_t
unseen_bytes (const struct cab_layout *layout)
{
  uint32_t bytes = 0;
  for (uint32_t u = 0; u < layout->n_units; u++)
    bytes += layout->units[u].cold && is_unseen (&layout->units[u]) ? layout->units[u].bytes : 0;
  return bytes;
}

/* Return a sentence on a split, with the size of unseen members in the cold part, since the split
   is only as good as the choice of cold members. */
static char *
split_words (const struct cab_layout *layout)
{
  const struct cab_layout_plan *plan = &layout->plan;
  uint32_t unseen = unseen_bytes (layout);
  char *doubt = unseen ? xasprintf (
		  "; %u of these are of unseen members: look whether they are used", unseen)
		       : xstrdup ("");
  char *words = xasprintf ("split: %u bytes instead of %u, and %u in a part of their own%s",
			   plan->bytes, layout->structure->bytes, plan->cold_bytes, doubt);
  free (doubt);
  return words;
}

char *
cab_layout_opening (const struct cab_structure *s)
{
  if (cab_structure_is_unnamed (s) || s->has_no_tag)
    return xstrdup (s->has_no_tag ? "typedef struct" : "struct");
  return concat ("struct ", s->name, NULL);
}

char *
cab_layout_closing (const struct cab_structure *s)
{
  return s->has_no_tag && !cab_structure_is_unnamed (s) ? concat ("} ", s->name, ";", NULL)
							: xstrdup ("};");
}

char *
cab_layout_made_of (const struct cab_structure *s, const char *word)
{
  return cab_structure_is_unnamed (s) ? xstrdup (word) : concat (s->name, "_", word, NULL);
}

char *
cab_layout_words (const struct cab_layout *layout)
{
  const struct cab_layout_plan *plan = &layout->plan;
  uint32_t size = layout->structure->bytes;
  switch (plan->kind)
    {
    case CAB_LAYOUT_ORDER:
      return xasprintf ("another order: %u bytes instead of %u", plan->bytes, size);
    case CAB_LAYOUT_SPLIT:
      return split_words (layout);
    default:
      return xasprintf ("stays as it is: %s", plan->why);
    }
}

void
cab_layout_put_members (const struct cab_layout *layout, uint32_t u, uint32_t offset,
			const char *indent, FILE *to)
{
  const struct cab_layout_unit *unit = &layout->units[u];
  char text[32];
  for (uint32_t i = 0; i < unit->n; i++)
    {
      const struct cab_member *m = &layout->structure->members[unit->first + i];
      if (!strcmp (m->declaration, "?"))
	fprintf (to, "%s/* what was at %u, %u bytes: %s */  /* at %u */\n", indent, m->offset,
		 m->bytes, m->fixed ? "placed by the compiler" : "a member without a name", offset);
      else
	fprintf (to, "%s%s;  /* at %u, accesses: %s */\n", indent, m->declaration, offset,
		 cab_layout_accesses (unit, text));
    }
}

/* Declare the units of one part that CAB_LAYOUT_SPLIT or CAB_LAYOUT_ORDER makes.  The pointer to
   the other part comes where the plan has it. */
static void
put_part (const struct cab_layout *layout, uint32_t from, uint32_t to_unit, bool first, FILE *to)
{
  const struct cab_layout_plan *plan = &layout->plan;
  char *cold = cab_layout_made_of (layout->structure, "cold");
  char *begin = first ? cab_layout_opening (layout->structure) : concat ("struct ", cold, NULL);
  char *end = first ? cab_layout_closing (layout->structure) : xstrdup ("};");
  bool pending = first && plan->kind == CAB_LAYOUT_SPLIT;
  fprintf (to, "%s  /* bytes: %u */\n{\n", begin, first ? plan->bytes : plan->cold_bytes);
  for (uint32_t i = from; i < to_unit; i++)
    {
      if (pending && plan->offset[plan->order[i]] > plan->pointer)
	{
	  fprintf (to, "  struct %s *cold;  /* at %u */\n", cold, plan->pointer);
	  pending = false;
	}
      cab_layout_put_members (layout, plan->order[i], plan->offset[plan->order[i]], "  ", to);
    }
  if (pending)
    fprintf (to, "  struct %s *cold;  /* at %u */\n", cold, plan->pointer);
  fprintf (to, "%s\n", end);
  free (begin);
  free (end);
  free (cold);
}

void
cab_layout_declare (const struct cab_layout *layout, FILE *to)
{
  const struct cab_layout_plan *plan = &layout->plan;
  if (plan->kind == CAB_LAYOUT_KEEP)
    return;
  if (plan->kind == CAB_LAYOUT_SPLIT)
    {
      put_part (layout, plan->n_hot, layout->n_units, false, to);
      fputc ('\n', to);
    }
  put_part (layout, 0, plan->n_hot, true, to);
}

struct pair
{
  uint32_t a, b;
  double n;
};

static int
by_n (const void *a, const void *b)
{
  const struct pair *x = a, *y = b;
  if (x->n != y->n)
    return x->n < y->n ? 1 : -1;
  return x->a != y->a ? (int) (x->a - y->a) : (int) (x->b - y->b);
}

void
cab_layout_pairs (const struct cab_layout *layout, unsigned most, FILE *to)
{
  uint32_t n_units = layout->n_units;
  size_t n = 0;
  struct pair *pairs = XNEWVEC (struct pair, (size_t) n_units * n_units / 2 + 1);
  for (uint32_t a = 0; a < n_units; a++)
    for (uint32_t b = a + 1; b < n_units; b++)
      if (layout->together[a * n_units + b] > 0)
	pairs[n++] = (struct pair) { a, b, layout->together[a * n_units + b] };
  qsort (pairs, n, sizeof *pairs, by_n);
  if (n)
    fprintf (to, "\nUsed together, in %s:\n",
	     layout->by_instance ? "the same instance" : "the same loops");
  for (size_t i = 0; i < n && i < most; i++)
    {
      char text[32], *a = cab_layout_unit_name (layout, pairs[i].a),
		     *b = cab_layout_unit_name (layout, pairs[i].b);
      fprintf (to, "  %s with %s: %s\n", a, b, cab_table_grouped ((uint64_t) pairs[i].n, text));
      free (a);
      free (b);
    }
  free (pairs);
}

/* layout.h - what structures are made of, how often each member is used and with which others, and
 * how they could be laid out instead.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     cold members as Chilimbi, Davidson and Larus (PLDI 1999) have them; affinity by loops
 *             as Hundt, Mannarswamy and Chakrabarti (CGO 2006).
 * Model:      a structure is known by name, size and members: records of several units and builds
 *             are one.  It is laid out in units: a member, or bit-fields that share their bytes.
 *             Units whose place is the compiler's (bases, tables of virtual functions) come first
 *             and stay. TOGETHER of two units: for each innermost loop, and the rest of each
 *             function, the lesser one of their counts there; summed up. A unit is cold if it has,
 *             for each 8 bytes that it takes, fewer accesses than half of what units have in the
 *             mean. An access that covers several units counts for each of them. A unit without
 *             accesses is unseen, and cold: who is given its address may use it and not be told as
 *             using it.
 * Units:      bytes; accesses, one that reads and writes being a read and a write in reads and
 *             writes, and one access.
 * Ownership:  all memory is the layouts', until cab_layouts_close; texts are the model's.
 */
#ifndef CAB_LAYOUT_H
#define CAB_LAYOUT_H

#include "analyses/layout/layout_arrays.h"
#include "analyses/profile/model.h"

#define CAB_LAYOUT_LINE 64          /* bytes of a cache line, where hot units had better be
				       together */

#define CAB_LAYOUT_FEW 30           /* fewer accesses make no member hot, no change worth it */
#define CAB_LAYOUT_RESIDUES 4
#define CAB_LAYOUT_MEMBERS_MAX 512   /* structures with more are left out */

struct cab_layout_unit
{
  uint32_t offset, bytes, align;    /* bytes 0: an array without a size; it stays last */
  uint32_t first, n;                /* its members, in order of the source */
  bool fixed;
  bool cold;                        /* once there is a plan */
  bool inner;                       /* an array of structures: how often it is used is not known
				       here */
  uint32_t element;                 /* ... the key of these, 0 unknown */
  uint64_t reads, writes, accesses;
};

/* How to lay a structure out: units in their order; those from n_hot on are in a part of their own,
   to which a pointer in the first one leads. */
enum cab_layout_kind
{
  CAB_LAYOUT_KEEP,                  /* as it is */
  CAB_LAYOUT_ORDER,                 /* in another order */
  CAB_LAYOUT_SPLIT
};
struct cab_layout_plan
{
  enum cab_layout_kind kind;
  const char *why;                  /* KEEP: the reason */
  uint32_t n_hot;
  uint32_t *order;                  /* units */
  uint32_t *offset;                 /* by unit: in its part */
  uint32_t bytes, align;            /* of the first part */
  uint32_t pointer;                 /* SPLIT: offset of the pointer in it */
  uint32_t cold_bytes, cold_align;
};

/* N uses of a unit in a loop of a function, or in the rest of it; those of one loop are
   adjacent. */
struct cab_layout_use
{
  uint32_t loop, unit;              /* loop: a number of the layout's own */
  uint64_t n;
};

/* What a proposal saves (layout_worth.h); before 0: it was not judged. */
struct cab_layout_saves
{
  double before, after;             /* lines that all uses bring */
  uint64_t bytes;                   /* of lines, in a pass through all instances */
  uint64_t memory;                  /* bytes, of all instances */
};

struct cab_layout_holder
{
  const struct cab_layout *layout;
  struct cab_layout_holder *next;
};

struct cab_layout
{
  const struct cab_structure *structure;
  uint32_t n_units;
  struct cab_layout_unit *units;    /* by offset */
  double *together;                 /* n_units * n_units, symmetric */
  bool by_instance;                 /* it is of the same instance, from a trace (layout_affinity.h);
				       else as above */
  uint64_t reads, writes, accesses; /* an access that covers several units counts once */
  uint64_t instances;               /* that allocations which name it made room for; CAB_UNKNOWN:
				       none, or `blocks' was not run */
  uint64_t in_arrays;               /* of these, how many are at allocations that made room for two
				       or more at once, in the mean */
  uint64_t at_once;                 /* instances at once (layout_instances.h); CAB_UNKNOWN */
  uint32_t seen;                    /* ... that a trace accessed */
  uint32_t n_uses;
  struct cab_layout_use *uses;
  struct cab_layout_plan plan;
  struct cab_layout_saves saves, arrays_save;
  struct cab_layout_arrays arrays;
  struct cab_layout_arrays whole;   /* layout_nested.h: one array, of what is in no other; n 0:
				       nothing in it changes */
  bool is_nested;                   /* ... that was looked for */
  struct cab_layout_holder *holders;   /* ... those with an array of such that becomes a structure
					  of arrays */
  uint64_t residues[CAB_LAYOUT_RESIDUES];   /* layout_try.c: 1 + addresses modulo the size at which
					       instances outside of blocks were last */
};

struct cab_layouts
{
  uint32_t n;
  struct cab_layout *items;         /* the most accessed first, when counted */
  struct htab *by_key;
  struct cab_names names;
};

/* The structures of MODEL with their counts and plans. */
void cab_layouts_open (struct cab_layouts *layouts, const struct cab_model *model);
void cab_layouts_close (struct cab_layouts *layouts);
/* The layout of structure KEY; null: there is none. */
struct cab_layout *cab_layouts_find (const struct cab_layouts *layouts, uint32_t key);
/* The unit at OFFSET; n_units: none (padding). */
uint32_t cab_layout_unit_at (const struct cab_layout *layout, uint64_t offset);
/* "hot", "cold"; "few": not cold, but used too little to say more; "unseen": no access to it was
   recorded; "nested": an array of structures. */
const char *cab_layout_used (const struct cab_layout *layout, uint32_t unit);

/* layout_plan.c: make layout->plan and layout->arrays from the units' counts and `together'. */
void cab_layout_make_plan (struct cab_layout *layout, struct cab_names *names);
/* Why no member can have another place, or null. */
const char *cab_layout_why_not (const struct cab_layout *layout);
/* A plan that is a split becomes the best other order, or none. */
void cab_layout_forbid_split (struct cab_layout *layout);

#endif

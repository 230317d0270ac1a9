/* layout.h - the structures of a program, how often each member is used and with which others, and
 * better layouts for them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     cold members as Chilimbi, Davidson and Larus (PLDI 1999) have them; affinity by loops
 *             as Hundt, Mannarswamy and Chakrabarti (CGO 2006).
 * Model:      a structure is identified by name, size and members: records of several units and
 *             builds are one structure.  It is laid out in units: a unit is a member, or bit-fields
 *             that share their bytes.  Units that the compiler places (bases, tables of virtual
 *             functions) come first and stay.  TOGETHER of two units is a sum over each innermost
 *             loop, and the rest of each function, of the lesser of their counts there.  A unit is
 *             cold if it has, for each 8 bytes that it takes, fewer accesses than half of the mean
 *             over all units.  An access that covers several units counts for each of them.  A unit
 *             without accesses is unseen, and cold: code that gets its address may use it without a
 *             record of that.
 * Units:      bytes; accesses, where one that reads and writes is a read in `reads', a write in
 *             `writes', and one access.
 * Ownership:  all memory belongs to the layouts until cab_layouts_close; texts belong to the model.
 */
#ifndef CAB_LAYOUT_H
#define CAB_LAYOUT_H

#include "analyses/layout/layout_arrays.h"
#include "analyses/profile/model.h"

#define CAB_LAYOUT_LINE 64          /* bytes of a cache line; hot units should share one */

#define CAB_LAYOUT_FEW 30           /* with fewer accesses no member is hot, no change worth it */
/* The number of addresses that `residues' of a layout remembers. */
#define CAB_LAYOUT_RESIDUES 4
#define CAB_LAYOUT_MEMBERS_MAX 512   /* structures with more members are left out */

/* A unit of a structure: what can be placed on its own. */
struct cab_layout_unit
{
  uint32_t offset, bytes, align;    /* bytes 0: an array without a size, which stays last */
  uint32_t first, n;                /* its members, in source order */
  bool fixed;                       /* placed by the compiler, and stays */
  bool cold;                        /* valid once there is a plan */
  bool inner;                       /* an array of structures, whose own use is not known here */
  uint32_t element;                 /* of an array of structures, the structures' key; 0: unknown */
  uint64_t reads, writes, accesses;
};

/* The ways to lay a structure out. */
enum cab_layout_kind
{
  CAB_LAYOUT_KEEP,                  /* unchanged */
  CAB_LAYOUT_ORDER,                 /* in another order */
  CAB_LAYOUT_SPLIT                  /* in two parts */
};
/* How to lay a structure out.  Units follow each other in the plan's order; those from n_hot on go
   into a separate part, which a pointer in the first part leads to. */
struct cab_layout_plan
{
  enum cab_layout_kind kind;
  const char *why;                  /* for CAB_LAYOUT_KEEP, the reason */
  uint32_t n_hot;
  uint32_t *order;                  /* units, in their new order */
  uint32_t *offset;                 /* by unit, within its part */
  uint32_t bytes, align;            /* of the first part */
  uint32_t pointer;                 /* for CAB_LAYOUT_SPLIT, the offset of the pointer in the first
				       part */
  uint32_t cold_bytes, cold_align;
};

/* N uses of a unit in a loop of a function, or in the rest of the function.  Uses of one loop are
   adjacent. */
struct cab_layout_use
{
  uint32_t loop, unit;              /* loop: a number that only this layout uses */
  uint64_t n;
};

/* What a proposal saves (layout_worth.h).  `before' is 0 if it was not judged. */
struct cab_layout_saves
{
  double before, after;             /* cache lines that all uses bring in */
  uint64_t bytes;                   /* of lines, in one pass through all instances */
  uint64_t memory;                  /* bytes, over all instances */
};

/* A list of structures that contain another one. */
struct cab_layout_holder
{
  const struct cab_layout *layout;
  struct cab_layout_holder *next;
};

/* A structure with its counts, its uses and its proposed layouts. */
struct cab_layout
{
  const struct cab_structure *structure;
  uint32_t n_units;
  struct cab_layout_unit *units;    /* by offset */
  double *together;                 /* n_units * n_units, symmetric */
  bool by_instance;                 /* true: `together' is of the same instance, from a trace
				       (layout_affinity.h); false: by loop, as above */
  uint64_t reads, writes, accesses; /* an access that covers several units counts once */
  uint64_t instances;               /* for which allocations that name the structure made room;
				       CAB_UNKNOWN: none, or `blocks' was not run */
  uint64_t in_arrays;               /* how many of the instances are from allocations that made room
				       for two or more at once on average */
  uint64_t at_once;                 /* instances at once (layout_instances.h); CAB_UNKNOWN */
  uint32_t seen;                    /* instances that a trace accessed, which at_once includes */
  uint32_t n_uses;
  struct cab_layout_use *uses;
  struct cab_layout_plan plan;
  struct cab_layout_saves saves, arrays_save;
  struct cab_layout_arrays arrays;
  struct cab_layout_arrays whole;   /* layout_nested.h: one array with all members, for an instance
				       in no array; n 0: nothing in it changes */
  bool is_nested;                   /* true once `whole' was computed */
  struct cab_layout_holder *holders;   /* structures that have an array of this one which becomes a
					  structure of arrays */
  uint64_t residues[CAB_LAYOUT_RESIDUES];   /* layout_try.c: 1 + addresses modulo the size, of the
					       latest instances outside of blocks */
};

/* All structures of a program. */
struct cab_layouts
{
  uint32_t n;
  struct cab_layout *items;         /* the most accessed first, once counted */
  struct htab *by_key;              /* struct entry of layout.c, by structure key */
  struct cab_names names;
};

/* Fill LAYOUTS with the structures of MODEL, their counts and plans. */
void cab_layouts_open (struct cab_layouts *layouts, const struct cab_model *model);
/* Free all memory of LAYOUTS. */
void cab_layouts_close (struct cab_layouts *layouts);
/* Return the layout of the structure KEY, or null if there is none. */
struct cab_layout *cab_layouts_find (const struct cab_layouts *layouts, uint32_t key);
/* Return the unit of LAYOUT at OFFSET, or n_units if none is there (padding). */
uint32_t cab_layout_unit_at (const struct cab_layout *layout, uint64_t offset);
/* Return how UNIT is used: "hot"; "cold"; "few", not cold, but used too little to say more;
   "unseen", no access to it was recorded; "nested", an array of structures. */
const char *cab_layout_used (const struct cab_layout *layout, uint32_t unit);

/* Make LAYOUT->plan and LAYOUT->arrays from the units' counts and `together' (layout_plan.c). */
void cab_layout_make_plan (struct cab_layout *layout, struct cab_names *names);
/* Return why no member of LAYOUT can move, or null. */
const char *cab_layout_why_not (const struct cab_layout *layout);
/* Replace a plan that is a split by the best other order, or by none. */
void cab_layout_forbid_split (struct cab_layout *layout);

#endif

/* deps_facts.h - what is known of a view's loops beside their accesses: the scalars of the source,
 * what the code keeps in registers, what is called.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a loop's functions are the one that it is in, those that have copies of its code, and
 *             all that it may call, as far as records tell; a call in any of them is in the loop.
 *             Calls that do not return are left out: the run shows what came of them.
 * Ownership:  texts are the model's; the rest belongs to the facts until cab_deps_facts_fini.
 */
#ifndef CAB_DEPS_FACTS_H
#define CAB_DEPS_FACTS_H

#include "analyses/report/deps/deps_view.h"
#include "loopfb/attribute/loop_table.h"

/* What in a loop cannot be judged by its accesses. */
enum cab_deps_obstacle_kind
{
  CAB_DEPS_ALLOCATES,       /* it allocates or releases memory, which is no obstacle to threads */
  CAB_DEPS_STATE,           /* calls of it depend on earlier ones */
  CAB_DEPS_IO,
  CAB_DEPS_CALL,            /* nobody knows what it does */
  CAB_DEPS_SPECIAL,         /* a variable that is volatile, or accessed atomically: others may */
  CAB_DEPS_UNSEEN,          /* its accesses are not recorded */
  CAB_DEPS_LEFT_OUT         /* accesses of a function that filters have left out */
};

struct cab_deps_obstacle
{
  enum cab_deps_obstacle_kind kind;
  const char *name;         /* of the function, as people read it; "" for one through a pointer */
  uint32_t line;            /* of the call, in the function that calls */
};

/* A loop of the view. */
struct cab_deps_known
{
  const struct cab_loop_table *table;   /* null: no record tells of its scalars */
  const struct cab_loop *source;
  const struct cab_held_value **held;         /* each once */
  struct cab_deps_obstacle *obstacles;
  const char **functions;               /* assembler names */
  uint32_t n_held, n_obstacles, n_functions;
};

struct cab_deps_facts
{
  const struct cab_deps_view *view;
  struct cab_deps_known *loops;         /* by the view's loops */
  struct cab_loop_table *tables;        /* by the model's modules */
  bool partial;                         /* a unit of the program was compiled without accesses */
  bool sampled;                         /* not all of what happened was recorded */
  /* The rest is of deps_facts.c alone. */
  struct cab_deps_callable *callables;
  const char **skipped, **left_out, **unseen;   /* names, sorted, each once: functions without
						   probes, functions that filters have left accesses
						   of out, library functions without accesses */
  const char **special;                         /* functions with volatile or atomic accesses */
  uint32_t n_callables, n_skipped, n_left_out, n_unseen, n_special;
};

/* Make FACTS of VIEW, which must live as long. */
void cab_deps_facts_make (struct cab_deps_facts *facts, const struct cab_deps_view *view);
void cab_deps_facts_fini (struct cab_deps_facts *facts);
/* Return true if loop INNER of TABLE is OUTER or in it. */
bool cab_deps_is_in (const struct cab_loop_table *table, const struct cab_loop *inner,
		     const struct cab_loop *outer);

#endif

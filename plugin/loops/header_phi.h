/* header_phi.h - what a loop does with a register that its header gets from its own iterations.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a PHI of a loop's header joins the value from before the loop with the one that an
 *             iteration leaves for the next.  In pruned SSA form a register has such a PHI only
 *             if the value may still be used.  All values in the loop that are made from the PHI's
 *             are its web.  The class follows from what the web is used for:
 *             - induction: an iteration adds the same amount; or it is no variable of the source,
 *               and follows from inductions: the compiler computes what the next iteration needs;
 *             - reduction: the web is combined with other values by one operator that may be
 *               applied in any order, and is used for nothing else in the loop;
 *             - last: nothing in the loop uses it, and each iteration gives another value;
 *             - conditional: as last, but some iterations leave the value as it is;
 *             - unchanged: each iteration leaves the value as it is;
 *             - carried: all else; an iteration needs the value of the one before it.
 *             Nothing in the function changes, and no loop needs a preheader or a single latch.
 * Needs:      immediate uses and dominators.
 */
#ifndef CAB_HEADER_PHI_H
#define CAB_HEADER_PHI_H

#include "plugin/emit/plugin.h"

enum cab_phi_class
{
  CAB_PHI_INDUCTION,
  CAB_PHI_REDUCTION,
  CAB_PHI_LAST,
  CAB_PHI_CONDITIONAL,
  CAB_PHI_UNCHANGED,
  CAB_PHI_CARRIED
};

/* What an iteration adds to a register: CONSTANT, and SYMBOL (or null), which MINUS subtracts. */
struct cab_phi_step
{
  bool known;
  HOST_WIDE_INT constant;
  tree symbol;
  bool minus;
};

struct cab_phi_kind
{
  enum cab_phi_class is;
  struct cab_phi_step step;    /* of an induction */
  const char *op;              /* of a reduction: + * & | ^ min max && || */
  bool ordered;                /* of a reduction: its result depends on the order of operations */
  gimple *writes;              /* a statement or PHI that makes the value of the next iteration;
				  null if that comes from before the loop */
};

/* How a value differs between the iterations of a loop, the mildest first. */
enum cab_variance
{
  CAB_SAME,                    /* not at all */
  CAB_READ,                    /* it is read from memory at an address that is the same */
  CAB_CALLED,                  /* calls with equal arguments return it */
  CAB_VARIES
};

/* Return what LOOP does with PHI, a PHI of its header. */
extern struct cab_phi_kind cab_phi_classify (class loop *loop, gphi *phi);
/* Return what each iteration of LOOP adds to PHI, a PHI of its header. */
extern struct cab_phi_step cab_phi_step (class loop *loop, gphi *phi);
/* Return true if what LOOP leaves to PHI, a PHI of its header, follows from other inductions
   alone. */
extern bool cab_phi_follows (class loop *loop, gphi *phi);
/* Return how VALUE differs between iterations of LOOP, and set *BECAUSE to the statement that is
   the reason, or null. */
extern enum cab_variance cab_phi_variance (class loop *loop, tree value, gimple **because);
/* Return true if STMT is in LOOP. */
extern bool cab_phi_within (class loop *loop, gimple *stmt);

/* Return the operator by which ASSIGN combines VALUE, an operand of it, in any order with others:
   + * & | ^ min max; else null. */
extern const char *cab_phi_operator (gimple *assign, tree value);
/* Return true if rounding makes the result of OP, on numbers of TYPE, depend on the order. */
extern bool cab_phi_is_ordered (tree type, const char *op);

/* Return VALUE before copies and conversions between integers. */
extern tree cab_phi_unconverted (tree value);

/* Return true if A and B are one value, or references to one place, by what they are computed from
   and the state of memory that this reads. */
extern bool cab_phi_same (tree a, tree b);

/* A comparison that decides a branch. */
struct cab_phi_test
{
  tree left, right;
  enum tree_code code;
};

/* Return what TEST compares; a truth value that is compared with 0 stands for the comparison that
   has made it. */
extern struct cab_phi_test cab_phi_test_of (gcond *test);

/* The set of values made from a PHI. */
typedef hash_set<tree> cab_phi_web;

/* Return "min" or "max" if JOIN is the lesser or greater of a value of WEB and of another one, as
   TEST, which decides nothing else, has compared them; else null. */
extern const char *cab_phi_extreme (const cab_phi_web &web, gphi *join, gcond *test);
/* Return the PHI at which both ways from TEST meet again, if it leaves out the one way for a truth
   value of WEB, which makes the result known; else null.  *OP becomes "&&" or "||". */
extern gphi *cab_phi_shortcut (const cab_phi_web &web, gcond *test, const char **op);

#endif

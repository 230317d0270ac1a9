/* root.cc - trees that outlive a garbage collection.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/emit/root.h"

static vec<tree> roots;

tree
cab_root (tree t)
{
  roots.safe_push (t);
  return t;
}

void
cab_root_mark (void *, void *)
{
  for (unsigned i = 0; i < roots.length (); i++)
    gt_ggc_mx_tree_node (roots[i]);
}

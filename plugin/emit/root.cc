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

tree
cab_root_hidden (const char *name, tree type)
{
  tree decl = build_decl (UNKNOWN_LOCATION, VAR_DECL, get_identifier (name), type);
  TREE_PUBLIC (decl) = 1;
  DECL_EXTERNAL (decl) = 1;
  DECL_ARTIFICIAL (decl) = 1;
  DECL_IGNORED_P (decl) = 1;
  TREE_USED (decl) = 1;
  TREE_ADDRESSABLE (decl) = 1;
  DECL_VISIBILITY (decl) = VISIBILITY_HIDDEN;
  DECL_VISIBILITY_SPECIFIED (decl) = 1;
  return cab_root (decl);
}

void
cab_root_mark (void *, void *)
{
  for (unsigned i = 0; i < roots.length (); i++)
    gt_ggc_mx_tree_node (roots[i]);
}

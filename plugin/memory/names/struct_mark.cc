/* struct_mark.cc - marks the structures that are not the source's, which is known where the source
   is compiled, for the link.
   SPDX-License-Identifier: GPL-3.0-or-later

   The streams of -flto keep neither the places of types, except those of C++, nor that they
   have no name in the source (TYPE_NAMELESS); TYPE_ARTIFICIAL they keep.  So it is set on each
   structure that the unit's code reaches and that is the compiler's or a system header's, once
   the debugging information of types is made.  The captures of lambda expressions get the
   variables' names.  Types of C++ that have to be the same in all units keep their places;
   marking them would remove their mangled names, which the link compares. */
#include "plugin/memory/names/struct_mark.h"
#include "plugin/memory/names/access_name.h"
#include "plugin/memory/names/struct_record.h"

struct marking
{
  hash_set<tree> seen;
  auto_vec<tree> waiting;
};

static void
visit (marking *m, tree type)
{
  if (type && TYPE_P (type) && !m->seen.add (TYPE_MAIN_VARIANT (type)))
    m->waiting.safe_push (TYPE_MAIN_VARIANT (type));
}

/* Give the members of TYPE, the capture of a lambda expression, the names of the variables.  GCC
   calls them __NAME, and the link cannot recognise them. */
static void
name_captured (tree type)
{
  for (tree field = TYPE_FIELDS (type); field; field = DECL_CHAIN (field))
    if (TREE_CODE (field) == FIELD_DECL && DECL_NAME (field)
	&& !strncmp (IDENTIFIER_POINTER (DECL_NAME (field)), "__", 2)
	&& IDENTIFIER_POINTER (DECL_NAME (field))[2])
      DECL_NAME (field) = get_identifier (IDENTIFIER_POINTER (DECL_NAME (field)) + 2);
}

static void
mark (marking *m, tree type)
{
  if (TREE_CODE (type) == RECORD_TYPE && cab_type_is_closure (type))
    name_captured (type);
  if (TREE_CODE (type) == RECORD_TYPE && !TYPE_CXX_ODR_P (type) && !cab_struct_is_of_source (type))
    for (tree variant = type; variant; variant = TYPE_NEXT_VARIANT (variant))
      TYPE_ARTIFICIAL (variant) = 1;
  if (RECORD_OR_UNION_TYPE_P (type))
    {
      for (tree field = TYPE_FIELDS (type); field; field = DECL_CHAIN (field))
	if (TREE_CODE (field) == FIELD_DECL)
	  visit (m, TREE_TYPE (field));
    }
  else if (POINTER_TYPE_P (type) || TREE_CODE (type) == ARRAY_TYPE)
    visit (m, TREE_TYPE (type));
}

static tree
visit_operand (tree *op, int *, void *data)
{
  walk_stmt_info *info = (walk_stmt_info *) data;
  if (CODE_CONTAINS_STRUCT (TREE_CODE (*op), TS_TYPED))
    visit ((marking *) info->info, TREE_TYPE (*op));
  return NULL_TREE;
}

static void
visit_body (marking *m, function *fn)
{
  basic_block bb;
  walk_stmt_info info = {};
  info.info = m;
  FOR_EACH_BB_FN (bb, fn)
    for (gimple_stmt_iterator i = gsi_start_bb (bb); !gsi_end_p (i); gsi_next (&i))
      walk_gimple_op (gsi_stmt (i), visit_operand, &info);
}

void
cab_struct_mark_unit (void *, void *)
{
  cgraph_node *node;
  marking m;
  if (!flag_generate_lto || in_lto_p || seen_error ())
    return;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    visit_body (&m, DECL_STRUCT_FUNCTION (node->decl));
  while (!m.waiting.is_empty ())
    mark (&m, m.waiting.pop ());
}

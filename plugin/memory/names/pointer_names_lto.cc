/* pointer_names_lto.cc - carries the names that pointer_names.cc has given to registers to the
   link.
   SPDX-License-Identifier: GPL-3.0-or-later

   Such a name is an identifier of the register.  The streams of -flto leave identifiers out,
   and keep the variables that registers have.  So before a body is written each such register
   gets a variable of that name; where a body is compiled, at the link or for a fat object, it
   becomes the identifier again.  The type of block that the identifier keeps is lost. */
#include "plugin/memory/names/pointer_names_lto.h"
#include "plugin/memory/names/pointer_names.h"

void
cab_kept_write (function *fn)
{
  unsigned i;
  tree name;
  FOR_EACH_SSA_NAME (i, name, fn)
    {
      tree identifier = SSA_NAME_VAR (name) ? NULL_TREE : SSA_NAME_IDENTIFIER (name);
      if (!identifier || !cab_kept_behind (IDENTIFIER_POINTER (identifier)))
	continue;
      tree variable = create_tmp_var_raw (TREE_TYPE (name));
      DECL_NAME (variable) = identifier;
      DECL_NAMELESS (variable) = 1;
      gimple_add_tmp_var_fn (fn, variable);
      SET_SSA_NAME_VAR_OR_IDENTIFIER (name, variable);
    }
}

void
cab_kept_read (function *fn)
{
  unsigned i;
  tree name;
  FOR_EACH_SSA_NAME (i, name, fn)
    {
      tree variable = SSA_NAME_VAR (name),
	   identifier = variable && VAR_P (variable) ? DECL_NAME (variable) : NULL_TREE;
      if (identifier && DECL_NAMELESS (variable)
	  && cab_kept_behind (IDENTIFIER_POINTER (identifier)))
	SET_SSA_NAME_VAR_OR_IDENTIFIER (name, identifier);
    }
}

/* builtins.cc - builtins that probes call and that a front end may not have declared (Fortran's
   does not).
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/emit/builtins.h"

static void
declare (enum built_in_function code, const char *name, tree type)
{
  if (!builtin_decl_explicit (code))
    set_builtin_decl (
      code, add_builtin_function (name, type, code, BUILT_IN_NORMAL, NULL, NULL_TREE), true);
}

void
cab_builtins_declare (void)
{
  declare (BUILT_IN_DWARF_CFA, "__builtin_dwarf_cfa",
	   build_function_type_list (ptr_type_node, NULL_TREE));
  declare (BUILT_IN_RETURN_ADDRESS, "__builtin_return_address",
	   build_function_type_list (ptr_type_node, unsigned_type_node, NULL_TREE));
}

/* confine.cc - notifies the runtime of calls by which a program forbids itself system calls or
   files, or limits its memory: before them, and of the result of those that install filters.
   SPDX-License-Identifier: GPL-3.0-or-later

   Calls are known by name and, where it is constant, by the first argument; the rest is
   examined when they happen (rt/engine/probe/sandbox.c).  All functions of the unit are
   searched, also those without probes, as others of the process have some. */
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "plugin/paths/confine.h"
#include "plugin/emit/stub.h"
#include "plugin/paths/tails.h"
#include "cabprof/confine.h"
#include <linux/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#define N_ARGUMENTS 4

static const struct
{
  const char *name;
  enum cab_confine_call call;
} functions[] = {
  { "prctl", CAB_CONFINE_PRCTL },
  { "syscall", CAB_CONFINE_SYSCALL },
  { "seccomp_load", CAB_CONFINE_LIBSECCOMP },
  { "minijail_enter", CAB_CONFINE_FILTER },
  { "chroot", CAB_CONFINE_FILES },
  { "pivot_root", CAB_CONFINE_FILES },
  { "setuid", CAB_CONFINE_FILES },
  { "setgid", CAB_CONFINE_FILES },
  { "setreuid", CAB_CONFINE_FILES },
  { "setregid", CAB_CONFINE_FILES },
  { "setresuid", CAB_CONFINE_FILES },
  { "setresgid", CAB_CONFINE_FILES },
  { "seteuid", CAB_CONFINE_FILES },
  { "setegid", CAB_CONFINE_FILES },
  { "setfsuid", CAB_CONFINE_FILES },
  { "unshare", CAB_CONFINE_FILES },
  { "setns", CAB_CONFINE_FILES },
  { "dlopen", CAB_CONFINE_LOADED },
  { "setrlimit", CAB_CONFINE_SETRLIMIT },
  { "setrlimit64", CAB_CONFINE_SETRLIMIT },
  { "prlimit", CAB_CONFINE_PRLIMIT },
  { "prlimit64", CAB_CONFINE_PRLIMIT },
  { "mlockall", CAB_CONFINE_MLOCKALL }
};

/* Numbers of the system calls that these functions make, and of seccomp. */
static const unsigned HOST_WIDE_INT numbers[] = {
  SYS_prctl,	SYS_seccomp,  SYS_chroot,    SYS_pivot_root, SYS_setuid,   SYS_setgid,
  SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid,  SYS_setfsuid, SYS_unshare,
  SYS_setns,	446 /* landlock_restrict_self */,
  SYS_setrlimit, SYS_prlimit64, SYS_mlockall
};

/* Return true if argument N of CALL may be VALUE. */
static bool
may_be (gcall *call, unsigned n, unsigned HOST_WIDE_INT value)
{
  if (n >= gimple_call_num_args (call))
    return false;
  tree argument = gimple_call_arg (call, n);
  return TREE_CODE (argument) != INTEGER_CST
      || (tree_fits_uhwi_p (argument) && tree_to_uhwi (argument) == value);
}

/* Return true if CALL, of kind KIND, may be such a call according to its first arguments. */
static bool
is_meant (gcall *call, enum cab_confine_call kind)
{
  switch (kind)
    {
    case CAB_CONFINE_PRCTL:
      return may_be (call, 0, PR_SET_SECCOMP);
    case CAB_CONFINE_SETRLIMIT:
      return may_be (call, 0, RLIMIT_AS);
    case CAB_CONFINE_PRLIMIT:
      return may_be (call, 1, RLIMIT_AS);
    case CAB_CONFINE_SYSCALL:
      for (unsigned HOST_WIDE_INT number : numbers)
	if (may_be (call, 0, number))
	  return true;
      return false;
    default:
      return true;
    }
}

/* Return the kind of STMT, an enum cab_confine_call, or a negative number if it is no such call. */
static int
kind_of (gimple *stmt)
{
  gcall *call = dyn_cast<gcall *> (stmt);
  tree callee = call ? gimple_call_fndecl (call) : NULL_TREE;
  if (!callee || cab_call_must_jump (call) || !TREE_PUBLIC (callee)
      || !DECL_ASSEMBLER_NAME_SET_P (callee))
    return -1;
  const char *name = targetm.strip_name_encoding (
    IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (callee)));
  for (const auto &f : functions)
    if (!strcmp (name, f.name))
      return is_meant (call, f.call) ? f.call : -1;
  return -1;
}

/* Return VALUE as a word, or 0 if it is not a number or pointer. */
static tree
word_of (gimple_seq *seq, tree value)
{
  gimple_seq made = NULL;
  if (!value || !(INTEGRAL_TYPE_P (TREE_TYPE (value)) || POINTER_TYPE_P (TREE_TYPE (value))))
    return cab_u64 (0);
  tree word = force_gimple_operand (fold_convert (cab_word_type (), value), &made, true, NULL_TREE);
  gimple_seq_add_seq (seq, made);
  return word;
}

/* Append to *SEQ a report of CALL of kind KIND. */
static void
tell (gimple_seq *seq, gcall *call, int kind)
{
  static tree decl;
  auto_vec<tree> arguments;
  decl = decl ? decl : cab_build_helper ("__cab_confine", 1 + N_ARGUMENTS);
  arguments.safe_push (cab_u64 (kind));
  for (unsigned i = 0; i < N_ARGUMENTS; i++)
    arguments.safe_push (
      word_of (seq, i < gimple_call_num_args (call) ? gimple_call_arg (call, i) : NULL_TREE));
  gimple_seq_add_stmt (seq, gimple_build_call_vec (decl, arguments));
}

/* Return the result of CALL, which gets one if it has none. */
static tree
result_of (gcall *call)
{
  tree type = TREE_TYPE (gimple_call_fntype (call));
  if (!gimple_call_lhs (call) && INTEGRAL_TYPE_P (type))
    gimple_call_set_lhs (call, make_ssa_name (type, call));
  tree lhs = gimple_call_lhs (call);
  return lhs && TREE_CODE (lhs) == SSA_NAME ? lhs : NULL_TREE;
}

/* Insert SEQ after CALL, where it returns. */
static void
insert_after (gimple_stmt_iterator *gsi, gcall *call, gimple_seq seq)
{
  if (!stmt_ends_bb_p (call))
    gsi_insert_seq_after (gsi, seq, GSI_NEW_STMT);
  else if (edge next = find_fallthru_edge (gimple_bb (call)->succs))
    gsi_insert_seq_on_edge (next, seq);
}

/* Report the result of CALL. */
static void
tell_after (gimple_stmt_iterator *gsi, gcall *call)
{
  static tree decl;
  gimple_seq seq = NULL;
  tree result = result_of (call);
  decl = decl ? decl : cab_build_helper ("__cab_confined", 1);
  gimple_seq_add_stmt (&seq, gimple_build_call (decl, 1, word_of (&seq, result)));
  insert_after (gsi, call, seq);
}

/* Return true if a call of KIND may install a filter, so that its result is of interest. */
static bool
may_filter (int kind)
{
  return kind == CAB_CONFINE_PRCTL || kind == CAB_CONFINE_SYSCALL || kind == CAB_CONFINE_LIBSECCOMP
      || kind == CAB_CONFINE_FILTER;
}

/* Report CALL of kind KIND: before it and its result, or only one of the two. */
static void
tell_call (gimple_stmt_iterator *gsi, gcall *call, int kind)
{
  gimple_seq seq = NULL;
  tell (&seq, call, kind);
  if (kind == CAB_CONFINE_LOADED)
    insert_after (gsi, call, seq);
  else
    gsi_insert_seq_before (gsi, seq, GSI_SAME_STMT);
  if (may_filter (kind))
    tell_after (gsi, call);
}

void
cab_confine_tell (function *fn)
{
  basic_block bb;
  bool any = false;
  push_cfun (fn);
  FOR_EACH_BB_FN (bb, fn)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	int kind = kind_of (gsi_stmt (gsi));
	if (kind < 0)
	  continue;
	gcall *call = as_a<gcall *> (gsi_stmt (gsi));
	any = true;
	tell_call (&gsi, call, kind);
      }
  if (any)
    {
      cab_stub_emit ();
      cab_build_commit ();
      update_ssa (TODO_update_ssa);
      cgraph_edge::rebuild_edges ();
    }
  pop_cfun ();
}

/* lua-hooks.h - put in front of Lua's sources: its errors are longjmps, and the hooks of hooks.c
 * must know where they arrive.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stddef.h>

#define luai_jmpbuf jmp_buf
#define LUAI_THROW(L, c) longjmp ((c)->b, 1)
#ifdef CAB_HOOKS
extern size_t cab_hooks_depth (void);
extern void cab_hooks_cut (size_t to);
#define LUAI_TRY(L, c, a) \
  { volatile size_t mark = cab_hooks_depth (); if (setjmp ((c)->b) == 0) { a } else cab_hooks_cut (mark); }
#else
#define LUAI_TRY(L, c, a) if (setjmp ((c)->b) == 0) { a }
#endif

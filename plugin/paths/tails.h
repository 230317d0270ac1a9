/* tails.h - which calls matter to probes, and where activations end.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_PATHS_TAILS_H
#define CABPROF_PATHS_TAILS_H

#include "plugin/paths/body.h"

/* Join blocks without code to the call before them that has to be a jump: without optimisation GCC
   16 has the ends of variables' lives there, and the return after them. */
extern void cab_tails_join (void);
/* Find the places where activations of the function end regularly: body->ends. */
extern void cab_tails_find (struct cab_body *body);
/* Find the calls that may enter instrumented code: body->calls. */
extern void cab_calls_find (struct cab_body *body);
/* Return true if STMT may enter instrumented code, or leave this activation.  Builtins that the
   compiler expands, or that stay within libc, may not. */
extern bool cab_call_may_enter (gimple *stmt);
/* Return true if STMT, or null, is a call that the program demands to be a jump (musttail).  The
   compiler reports an error if anything is to be done after it. */
extern bool cab_call_must_jump (gimple *stmt);
extern bool cab_has_call_that_must_jump (function *fn);
/* Return true if CALL is in tail position. */
extern bool cab_is_tail (struct cab_body *body, gimple *call);

#endif

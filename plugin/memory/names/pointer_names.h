/* pointer_names.h - names of memory that registers have learned.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a register that holds the result of a call learns where the program keeps that
 *             result; one that holds the address of a part of an array learns which part.
 */
#ifndef CABPROF_MEMORY_NAMES_ACCESS_KEPT_H
#define CABPROF_MEMORY_NAMES_ACCESS_KEPT_H

#include "plugin/emit/plugin.h"
#include "plugin/memory/names/access_name.h"

/* Let the registers of FN, which is cfun, learn. */
extern void cab_kept_name (function *fn);
/* Return a pass that calls cab_kept_name. */
extern opt_pass *cab_kept_pass (void);
/* Return a pass that lets addresses of parts of arrays learn which part. */
extern opt_pass *cab_addressed_pass (void);

/* Return what POINTER has learned, or null.  A name after * is that of the pointer's place, after [
   that of the array or container that the pointer belongs to, after = that of the part of an array
   whose address it is. */
extern const char *cab_kept_in (tree pointer);
/* Return what the name IDENTIFIER of a variable, which GCC may name after a register, says in the
   form of cab_kept_in, or null. */
extern const char *cab_kept_behind (const char *identifier);
/* Return the type that POINTER points to according to what it has learned, or null. */
extern tree cab_kept_type (tree pointer);
/* Return the part whose address POINTER is, with errors for indices and null for a pointer, if an
   access to BYTES (0: unknown) may be one to it, and not to what it is the first part of; else
   null. */
extern tree cab_kept_operand (tree pointer, unsigned HOST_WIDE_INT bytes);
/* Return true if the user has named VARIABLE, in cfun or in a function that is inlined there. */
extern bool cab_kept_is_users (tree variable);

/* Return the argument that CALL returns in a register, as memcpy does, if that is
   a pointer; else null. */
extern tree cab_argument_returned (gcall *call);

#endif

/* access_kept.h - names of memory that registers have learned.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a register that the result of a call is in learns where the program keeps that
 *             result; one that is the address of a part of an array learns which part.
 */
#ifndef CABPROF_MEMORY_NAMES_ACCESS_KEPT_H
#define CABPROF_MEMORY_NAMES_ACCESS_KEPT_H

#include "plugin/emit/plugin.h"

/* Let the registers of FN, which is cfun, learn; and a pass that does so. */
extern void cab_kept_name (function *fn);
extern opt_pass *cab_kept_pass (void);
/* A pass that lets addresses of parts of arrays learn which part. */
extern opt_pass *cab_addressed_pass (void);

/* Return what POINTER has learned, or null: a name behind a *, or behind a [ that of the array or
   container that it belongs to, or behind a = that of the part of an array that it is the address
   of. */
extern const char *cab_kept_in (tree pointer);
/* The same of a variable with the name IDENTIFIER, which GCC may name after a register. */
extern const char *cab_kept_behind (const char *identifier);
/* Return the type that this says it points to, or null. */
extern tree cab_kept_type (tree pointer);
/* Return that part, with errors for indices and null for a pointer, if an access to BYTES (0:
   unknown) may be one to it, not to what it is the first part of; else null. */
extern tree cab_kept_operand (tree pointer, unsigned HOST_WIDE_INT bytes);
/* Return true if the user has named VARIABLE, in cfun or in what is inlined there. */
extern bool cab_kept_is_users (tree variable);

#endif

/* share_variables.h - the variable that a row of the analysis `sharing' is about.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a variable is a symbol with a size, in a file with probes that the process had
 *             loaded, at its address there.  Memory that is in no symbol, and memory that a thread
 *             had allocated itself, is named as the source names its accesses: type.field or a
 *             name, one variable in each process.  A row by line whose bytes lie in several symbols
 *             is about a variable "a|b": it is not known which of its accesses were to which.  A
 *             file that was rebuilt after the run has no symbols, which becomes a problem of the
 *             model.
 * Ownership:  variables live until cab_share_variables_free, texts as long as the model.
 */
#ifndef CAB_SHARE_VARIABLES_H
#define CAB_SHARE_VARIABLES_H

#include "analyses/profile/model.h"
#include "analyses/live/an_sharing.h"

/* A variable that threads share. */
struct cab_share_variable
{
  const char *name, *file;    /* file: where it is declared; "": unknown */
  uint32_t line;              /* 0: unknown */
  uint32_t process;           /* as in rows of the analysis */
  uint64_t start, bytes;      /* of one symbol; start 0: known by its name, and bytes is 0 or the
				 size of the widest access */
};

struct cab_share_variables;
/* Return an empty set of the variables of MODEL. */
struct cab_share_variables *cab_share_variables_new (struct cab_model *model);
/* Free VARIABLES. */
void cab_share_variables_free (struct cab_share_variables *variables);

/* Return the number of ROW's variable.  Numbers begin at 0, and a new variable gets the next
   one. */
uint32_t cab_share_variables_find (struct cab_share_variables *variables,
				   const struct cab_sharing_row *row);
/* Return the variable NUMBER. */
const struct cab_share_variable *
cab_share_variables_at (const struct cab_share_variables *variables, uint32_t number);

/* Return the size of the structure or array element that all N ACCESSES of the code, given by
   number, to the variable NUMBER touch; 0 if they touch none or several. */
uint64_t cab_share_variables_element (struct cab_share_variables *variables, uint32_t number,
				      const uint32_t *accesses, uint32_t n);

#endif

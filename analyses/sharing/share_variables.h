/* share_variables.h - which variable is a row of the analysis `sharing' of?
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a variable is a symbol with a size of a file with probes that the process had loaded,
 *             at its address there; whatever is nowhere in one, and memory that a thread had
 *             allocated itself, is known by what the source calls its accesses: type.field or a
 *             name, one variable in each process. A row by line whose bytes lie in several symbols
 *             is of a variable "a|b": which of its accesses were to which is not known. A file that
 *             was rebuilt since has no symbols: that is a problem of the model.
 * Ownership:  variables live until cab_share_variables_free, texts as long as the model.
 */
#ifndef CAB_SHARE_VARIABLES_H
#define CAB_SHARE_VARIABLES_H

#include "analyses/profile/model.h"
#include "analyses/live/an_sharing.h"

struct cab_share_variable
{
  const char *name, *file;    /* file: where it is declared; "" unknown */
  uint32_t line;              /* 0 unknown */
  uint32_t process;           /* as in rows */
  uint64_t start, bytes;      /* of one symbol; start 0: known by its name, bytes: 0, or those of
				 the widest access */
};

struct cab_share_variables;
struct cab_share_variables *cab_share_variables_new (struct cab_model *model);
void cab_share_variables_free (struct cab_share_variables *variables);

/* The number of ROW's variable, from 0, the next one if it was not met before. */
uint32_t cab_share_variables_find (struct cab_share_variables *variables,
				   const struct cab_sharing_row *row);
const struct cab_share_variable *
cab_share_variables_at (const struct cab_share_variables *variables, uint32_t number);

/* The bytes of a structure, or of an array's element, that all ACCESSES of the code to the variable
   are of: N numbers; 0: they are of none, or of several. */
uint64_t cab_share_variables_element (struct cab_share_variables *variables, uint32_t number,
				      const uint32_t *accesses, uint32_t n);

#endif

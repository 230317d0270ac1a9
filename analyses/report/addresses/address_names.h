/* address_names.h - names for sampled accesses to data: the variable, and the place in the source.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      variables by the symbols of their module, without one by its section; instructions by
 *             DWARF, else by symbols.  A file of a module that has changed since is not read.
 * Ownership:  texts live in the model's names; free the array.
 * Errors:     what cannot be read becomes a problem of the model, and a name is the module's.
 */
#ifndef CAB_ADDRESS_NAMES_H
#define CAB_ADDRESS_NAMES_H

#include "analyses/profile/model.h"
#include "analyses/report/times.h"

/* A place in the source; "" unknown. */
struct cab_address_code
{
  const char *function, *file;
  uint32_t line;
};

struct cab_address_named
{
  const char *variable;         /* or the file that is mapped; "" none */
  const char *field;            /* of the variable, "[].next"; of a small block, "+16"; "" none or
				   unknown */
  struct cab_address_code code; /* of the instruction */
  struct cab_address_code site; /* of the call that allocated the block */
};

/* Return the names of each row of SAMPLES' data. */
struct cab_address_named *cab_address_names (struct cab_model *model,
					     const struct cab_samples *samples);

#endif

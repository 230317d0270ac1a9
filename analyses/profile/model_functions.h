/* model_functions.h - the modules and functions of a profile in memory, found or added.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a row of a part names a record of a module.  Rows of one record are one function, as
 *             are records of one name, file and shape (model.h).
 * Errors:     are added to the model's problems; a function without a record is known by number.
 */
#ifndef CAB_MODEL_FUNCTIONS_H
#define CAB_MODEL_FUNCTIONS_H

#include "analyses/profile/model.h"

/* Prepare the tables that find functions. */
void cab_model_tables_open (struct cab_model *model);
void cab_model_tables_close (struct cab_model *model);

/* Return the module KEY, added if it is new. */
struct cab_module_file *cab_model_module (struct cab_model *model, const char *key,
					  const char *path);
/* Return the function of row F, which has NUMBER in its part, added if it is new. */
struct cab_function *cab_model_function (struct cab_model *model, struct cab_module_file *module,
					 const struct cab_part_function *f, uint32_t number);

/* Set `of_clone' of FUNCTION if it is so.  All functions of its process must be known. */
void cab_model_meet_origin (struct cab_model *model, struct cab_function *function);

#endif

/* module.h - where the running module is.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MODULE_H
#define CABPROF_MODULE_H

/* Find the module's directory, once.  Return 0, or 1 after an error message. */
extern int cab_module_locate (void);
/* Return the directory of the running module, for what lies beside it. */
extern const char *cab_module_directory (void);

#endif

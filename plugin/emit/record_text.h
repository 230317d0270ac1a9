/* record_text.h - builds the text of records.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_EMIT_RECORD_TEXT_H
#define CABPROF_EMIT_RECORD_TEXT_H

#include "plugin/emit/plugin.h"

/* Append the formatted text to OB. */
extern void cab_record_put (struct obstack *ob, const char *format, ...) ATTRIBUTE_PRINTF (2, 3);
/* Return the number of FILE among FILES, to which it is added if it is new.  Null stands for an
   unknown file. */
extern unsigned cab_record_file (vec<const char *> *files, const char *file);

#endif

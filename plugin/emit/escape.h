/* escape.h - names and paths in the form that the records of .cabprof_info have.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      pure.  A tab, newline, byte 1 or backslash becomes the two characters \t, \n, \1 or
 *             \\; all else stays.
 */
#ifndef CABPROF_ESCAPE_H
#define CABPROF_ESCAPE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Write TEXT, escaped and NUL-terminated, into OUT, which has ROOM bytes; what does not fit is left
   out, never half an escape.  Return the length of the whole escaped text, without the NUL, as
   snprintf does. */
extern size_t cab_info_escape (char *out, size_t room, const char *text);

#ifdef __cplusplus
}
#endif

#endif

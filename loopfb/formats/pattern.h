/* pattern.h - what users choose names by: globs, and regular expressions between slashes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      /REGEX/ is an extended regular expression as of regex(7), which matches if it matches
 *             anywhere in the name: ^ and $ say otherwise. All else is a pattern of fnmatch (3),
 *             which matches the whole name.  A slash in a regular expression stands for itself.
 * Threads:    one at a time.
 */
#ifndef CAB_PATTERN_H
#define CAB_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The length of the first pattern of LIST, whose patterns are separated by commas.  A regular
   expression ends with the first slash that a comma or the end of the list follows, so there may be
   commas in it. */
extern size_t cab_pattern_length (const char *list);

/* Return true if PATTERN matches TEXT; a regular expression that is none matches nothing. */
extern bool cab_pattern_matches (const char *pattern, const char *text);

/* The same, but no wildcard of a glob matches a slash.  */
extern bool cab_pattern_matches_path (const char *pattern, const char *text);

/* Null, or what is wrong with PATTERN; that stays until the next call. */
extern const char *cab_pattern_wrong (const char *pattern);

#ifdef __cplusplus
}
#endif

#endif

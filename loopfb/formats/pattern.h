/* pattern.h - patterns by which users choose names: globs, and regular expressions between slashes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      /REGEX/ is an extended regular expression as of regex(7), which matches if it matches
 *             anywhere in the name, unless ^ and $ anchor it.  Anything else is a pattern of
 *             fnmatch (3), which matches the whole name.  A slash in a regular expression stands
 *             for itself.
 * Threads:    one at a time.
 */
#ifndef CAB_PATTERN_H
#define CAB_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Return the length of the first pattern of LIST, whose patterns are separated by commas.  A
   regular expression ends with the first slash that is followed by a comma or the end of the list,
   so it may contain commas. */
extern size_t cab_pattern_length (const char *list);

/* Return true if PATTERN matches TEXT.  An invalid regular expression matches nothing. */
extern bool cab_pattern_matches (const char *pattern, const char *text);

/* Return true if PATTERN matches TEXT, where no wildcard of a glob matches a slash. */
extern bool cab_pattern_matches_path (const char *pattern, const char *text);

/* Return null, or what is wrong with PATTERN; the text is valid until the next call. */
extern const char *cab_pattern_wrong (const char *pattern);

#ifdef __cplusplus
}
#endif

#endif

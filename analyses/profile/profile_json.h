/* profile_json.h - the JSON files of a profile: samples.json, loops.json, meta.json, and the state
 * of `cabprof tune'.
 *
 * Model:      anybody who may write to the directory may have put anything in place of a file.  No
 *             link is followed, only regular files are read, nothing that is there is written to,
 *             and no open blocks (part.h, cab_part_open_file).
 * Threads:    no state.
 * Errors:     words for people, or errno.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_PROFILE_JSON_H
#define CAB_PROFILE_JSON_H

#include <stdbool.h>
#include <jansson.h>

/* Return true if anything has the name PATH, even a link that leads nowhere. */
bool cab_profile_json_is_there (const char *path);

/* Read PATH; FLAGS and *ERROR are jansson's.  On failure return null: *WRONG says why it was not
   opened, or is null if *ERROR says what is wrong in it. */
json_t *cab_profile_json_read (const char *path, size_t flags, json_error_t *error,
			       const char **wrong);

/* Write ROOT to PATH by way of a temporary file, so that no reader sees a part of it.  Return 0, or
   -1 with errno. */
int cab_profile_json_write (const json_t *root, const char *path, size_t flags);

#endif

/* file_hash.h - what names a file of a build: its path and its hash.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  the caller frees what is returned.
 */
#ifndef CAB_FILE_HASH_H
#define CAB_FILE_HASH_H

/* Return the SHA-1 of the file at PATH in hex, to be freed; "" if the file cannot be read. */
char *cab_file_hash (const char *path);

/* Return PATH, made absolute relative to CWD; to be freed. */
char *cab_absolute (const char *cwd, const char *path);

#endif

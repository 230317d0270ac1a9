/* part_writer.h - parts of profiles, made by hand: what the writers of profiles have in common.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PART_WRITER_H
#define PART_WRITER_H

#include <stddef.h>
#include "cabprof/profile.h"

#define PART_START UINT64_C (1700000000000000000)   /* 2023-11-14 22:13:20 UTC */

/* A part under construction. */
struct part
{
  struct cab_part_header header;
  unsigned char *data;          /* after the header */
  size_t bytes;
  char strings[4096];
  uint32_t n_strings;
};

struct part *part_new (uint64_t pid, const char *command, const char *options);
uint32_t part_string (struct part *p, const char *text);
/* Add an extent of N bytes to the area (KIND, OWNER). */
void part_extent (struct part *p, unsigned kind, unsigned owner, const void *bytes, size_t n);
/* Write P into DIR, and free it. Negative: it cannot be written. */
int part_save (struct part *p, const char *dir);
/* Write DIR/modules/KEY.info, and set *OFFSET of each record. */
int part_save_info (const char *dir, const char *key, const char *const *records, uint32_t *offset);

#endif

/* replay_pad.c - see replay_pad.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/build/replay_pad.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "loopfb/build/replay_args.h"

#define UNIT 16u     /* bytes: what the compiler aligns functions to */
#define MOST 256u    /* units: a page */

/* Return the next number of the sequence that X is in (splitmix64). */
static uint64_t
next (uint64_t *x)
{
  uint64_t z = *x += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* A linker that collects unused sections keeps these ("R"). */
static void
write_pad (FILE *file, uint64_t seed)
{
  static const char *const sections[]
    = { ".text.unlikely", ".text.startup", ".text.hot", ".text" };
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
    fprintf (file, "\t.section %s,\"axR\",@progbits\n\t.skip %u\n", sections[i],
	     (unsigned) (next (&seed) % MOST) * UNIT);
  fputs ("\t.section .note.GNU-stack,\"\",@progbits\n", file);
}

char *
cab_replay_pad (const struct cab_tree *tree, int c, int number, struct cab_diag *diag)
{
  char *name = xasprintf ("%s/%d/pad/%d.s", tree->dir, c, number);
  cab_make_parents (name);
  FILE *file = fopen (name, "we");
  int failed = !file;
  if (file)
    {
      write_pad (file, (uint64_t) tree->place << 32 | (uint32_t) number);
      failed = ferror (file);
      failed |= fclose (file);
    }
  if (!failed)
    return name;
  snprintf (diag->text, sizeof diag->text, "%s: %s: check the disk and its permissions", name,
	    strerror (errno));
  free (name);
  return NULL;
}

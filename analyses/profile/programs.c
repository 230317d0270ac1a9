/* programs.c - choose one program where a profile holds processes of several.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/programs.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"
#include "analyses/profile/part.h"
#include "loopfb/formats/pattern.h"

struct program
{
  char *name;
  uint64_t weight;
  unsigned n_processes;
};

struct programs
{
  struct program *items;
  size_t n;
  long *of;      /* of[part]: index of its program, or -1 if it has none or cannot be read */
};

/* Return how much the process of PART did, as one number. */
static uint64_t
weight_of (const struct cab_part *part)
{
  uint64_t weight = part->header->ledger.enqueued + part->header->ledger.accesses, bytes;
  uint32_t cursor = 0;
  struct cab_diag diag;
  for (int64_t owner; (owner = cab_part_next_owner (part, CAB_EXT_COUNTS, &cursor)) >= 0;)
    {
      uint64_t *counters = cab_part_area (part, CAB_EXT_COUNTS, owner, &bytes, &diag);
      for (uint64_t i = 0; counters && i < bytes / sizeof *counters; i++)
	weight += counters[i];
      free (counters);
    }
  return weight;
}

/* Return the index of the program NAME in PROGRAMS, added if it is new. */
static long
find_program (struct programs *programs, const char *name)
{
  for (size_t i = 0; i < programs->n; i++)
    if (!strcmp (programs->items[i].name, name))
      return i;
  programs->items = XRESIZEVEC (struct program, programs->items, programs->n + 1);
  programs->items[programs->n] = (struct program) { xstrdup (name), 0, 0 };
  return programs->n++;
}

static void
find_programs (struct programs *programs, char **list, size_t n)
{
  *programs = (struct programs) { NULL, 0, XNEWVEC (long, n + 1) };
  for (size_t i = 0; i < n; i++)
    {
      struct cab_part part;
      struct cab_diag diag;
      programs->of[i] = -1;
      if (cab_part_open (&part, list[i], &diag) < 0)
	continue;
      const char *name = cab_part_string (&part, part.header->exe);
      if (*name)   /* an empty name: the process ended before it was set up */
	{
	  programs->of[i] = find_program (programs, name);
	  programs->items[programs->of[i]].n_processes++;
	}
      cab_part_close (&part);
    }
}

/* Add up what the processes did, which is needed only where there is a choice. */
static void
weigh (struct programs *programs, char **list, size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      struct cab_part part;
      struct cab_diag diag;
      if (programs->of[i] < 0 || cab_part_open (&part, list[i], &diag) < 0)
	continue;
      programs->items[programs->of[i]].weight += weight_of (&part);
      cab_part_close (&part);
    }
}

static long
heaviest (const struct programs *programs)
{
  size_t best = 0;
  for (size_t i = 1; i < programs->n; i++)
    if (programs->items[i].weight > programs->items[best].weight)
      best = i;
  return best;
}

/* Return true if WANTED names the program NAME: its path, the end of its path, or a pattern of
   either. */
static bool
is_wanted (const char *name, const char *wanted)
{
  if (cab_pattern_matches (wanted, name))
    return true;
  for (const char *slash = strchr (name, '/'); slash; slash = strchr (slash + 1, '/'))
    if (cab_pattern_matches_path (wanted, slash + 1))
      return true;
  return false;
}

/* Return the names of all programs but CHOSEN (-1: of all) with the numbers of their processes, as
   one text. */
static char *
name_others (const struct programs *programs, long chosen)
{
  char *text = xstrdup ("");
  for (size_t i = 0; i < programs->n; i++)
    if ((long) i != chosen)
      {
	const struct program *p = &programs->items[i];
	char *more = p->n_processes > 1 ? xasprintf (" (%u processes)", p->n_processes)
					: xstrdup ("");
	bool same = chosen >= 0
		 && !strcmp (lbasename (p->name), lbasename (programs->items[chosen].name));
	char *longer = concat (text, *text ? ", " : "", same ? p->name : lbasename (p->name), more,
			       NULL);
	free (more);
	free (text);
	text = longer;
      }
  return text;
}

static void
keep (const struct programs *programs, char **list, size_t *n, long chosen)
{
  size_t kept = 0;
  for (size_t i = 0; i < *n; i++)
    if (programs->of[i] == chosen || programs->of[i] < 0)
      list[kept++] = list[i];
    else
      free (list[i]);
  *n = kept;
}

static void
forget (struct programs *programs)
{
  for (size_t i = 0; i < programs->n; i++)
    free (programs->items[i].name);
  free (programs->items);
  free (programs->of);
}

int
cab_programs_choose (char **list, size_t *n, const char *wanted, char **program, char **others,
		     struct cab_diag *diag)
{
  struct programs programs;
  long chosen = -1;
  *program = *others = NULL;
  if (wanted && !strcmp (wanted, CAB_ALL_PROGRAMS))
    return 0;
  find_programs (&programs, list, *n);
  for (size_t i = 0; wanted && chosen < 0 && i < programs.n; i++)
    if (is_wanted (programs.items[i].name, wanted))
      chosen = i;
  if (wanted && chosen < 0)
    {
      char *there = name_others (&programs, -1);
      cab_refuse (wanted, diag, "no process of this program is in the profile: it has %s",
		  *there ? there : "none");
      free (there);
      forget (&programs);
      return -1;
    }
  if (programs.n > 1)
    {
      if (chosen < 0)
	{
	  weigh (&programs, list, *n);
	  chosen = heaviest (&programs);
	  *others = name_others (&programs, chosen);
	}
      *program = xstrdup (programs.items[chosen].name);
      keep (&programs, list, n, chosen);
    }
  forget (&programs);
  return 0;
}

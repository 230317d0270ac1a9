/* share_remedy.c - see share_remedy.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/sharing/share_remedy.h"
#include <stdio.h>
#include <string.h>
#include "analyses/sharing/share_pair.h"
#include "analyses/live/an_sharing.h"

#define LINE CAB_SHARING_LINE
#define ELEMENTS_OF_THREAD 4   /* with at most this many, elements are taken to be a thread's own */

static uint64_t
whole_lines (uint64_t bytes)
{
  return (bytes + LINE - 1) / LINE * LINE;
}

/* Return true if there are more elements than threads have for themselves.  One more line may be
   accessed in part. */
static bool
has_many_elements (const struct cab_share_use *use)
{
  return use->lines * LINE / use->element
       > (uint64_t) use->threads * ELEMENTS_OF_THREAD + LINE / use->element;
}

/* Return the least number of elements that fill whole lines. */
static uint64_t
elements_of_lines (uint64_t element)
{
  uint64_t twos = element & -element;
  return LINE / (twos < LINE ? twos : LINE);
}

static void
remedy_within (const struct cab_share_use *use, struct cab_share_remedy *remedy)
{
  uint64_t element = use->element, whole = whole_lines (element);
  remedy->padding = element ? whole - element : UINT64_MAX;
  if (!element)
    strcpy (remedy->text, "align to 64, keep what different threads access 64 apart");
  else if (whole == element)
    strcpy (remedy->text, "align each element to 64");
  else if (!has_many_elements (use))
    snprintf (remedy->text, sizeof remedy->text, "align to 64, pad each element of %ju to %ju",
	      (uintmax_t) element, (uintmax_t) whole);
  else
    {
      remedy->padding = UINT64_MAX;
      snprintf (remedy->text, sizeof remedy->text,
		"align to 64, let each thread's elements begin at a multiple of %ju of them (each "
		"padded to %ju: %.2g times the memory)",
		(uintmax_t) elements_of_lines (element), (uintmax_t) whole,
		(double) whole / element);
    }
}

static void
remedy_beside (const struct cab_share_use *use, struct cab_share_remedy *remedy)
{
  uint64_t bytes = use->bytes, whole = whole_lines (bytes);
  remedy->padding = bytes ? whole - bytes : UINT64_MAX;
  if (!bytes)
    strcpy (remedy->text, "align to 64, pad to a multiple of 64");
  else if (whole == bytes)
    strcpy (remedy->text, "align to 64");
  else
    snprintf (remedy->text, sizeof remedy->text, "align to 64, pad from %ju to %ju",
	      (uintmax_t) bytes, (uintmax_t) whole);
}

/* Give the remedy where there is no type and no variable to pad. */
static void
remedy_unknown (const struct cab_share_use *use, struct cab_share_remedy *remedy)
{
  (void) use;
  remedy->padding = UINT64_MAX;
  strcpy (remedy->text,
	  "where its memory is allocated, keep what different threads access 64 apart");
}

void
cab_share_remedy (const struct cab_share_use *use, struct cab_share_remedy *remedy)
{
  if (use->falsely && !cab_share_is_worth (use->falsely, use->accesses))
    {
      remedy->padding = UINT64_MAX;
      snprintf (remedy->text, sizeof remedy->text,
		"none is worth it: at most %ju of %ju accesses suffer", (uintmax_t) use->falsely,
		(uintmax_t) use->accesses);
      return;
    }
  (use->unknown ? remedy_unknown : use->within ? remedy_within : remedy_beside) (use, remedy);
  size_t n = strlen (remedy->text);
  if (use->falsely && use->falsely < use->accesses / 4)
    snprintf (remedy->text + n, sizeof remedy->text - n, ", for at most %.0f %% of its accesses",
	      100. * use->falsely / use->accesses);
}

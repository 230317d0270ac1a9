/* tune_places.c - see tune_places.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_places.h"
#include "loopfb/tune/tune_build.h"
#include "loopfb/tune/tune_say.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/base/say.h"
#include "analyses/base/seconds.h"

/* Return the commands among NEED that link, and those that change or use what these make, to be
   freed; null if none of them links. */
static bool *
links_of (const struct cab_tune *tune, const bool *need)
{
  const struct cab_build_log *log = &tune->log;
  bool *links = XCNEWVEC (bool, log->n + 1), any = false;
  for (int c = 0; c < log->n; c++)
    {
      const struct cab_build_command *command = &log->v[c];
      links[c] = command->tool == CAB_TOOL_GCC && command->args.step == CAB_STEP_LINK
	      && !command->args.partial;
      for (int k = 0; k < command->n_inputs; k++)
	links[c] |= tune->graph.producer[c][k] >= 0 && links[tune->graph.producer[c][k]];
      links[c] &= need[c];
      any |= links[c];
    }
  if (any)
    return links;
  free (links);
  return NULL;
}

static void
give_up (struct cab_tune *tune, const char *why)
{
  free (tune->no_places);
  tune->no_places = xstrdup (why);
  cab_tune_say ("code stays where the linker puts it: %s", why);
}

void
cab_tune_places_begin (struct cab_tune *tune)
{
  bool *links = tune->options.rebuild ? NULL : links_of (tune, tune->need);
  if (tune->options.rebuild)
    give_up (tune, "a rebuild cannot be linked again by itself");
  else if (cab_tune_is_lto (tune))
    give_up (tune, "it is made at the link (-flto), which would be a build for each run");
  else if (!links)
    give_up (tune, "no compiler's command links the program");
  free (links);
}

int
cab_tune_places_next (struct cab_tune *tune)
{
  if (tune->no_places)
    return 0;
  if (!tune->n_places || tune->links_s <= tune->spent_s)
    tune->n_places++;
  return tune->n_places;
}

static int
link_again (struct cab_tune *tune, int v, int place, struct cab_diag *diag)
{
  struct cab_tune_variant *variant = &tune->variants[v];
  const bool *need = variant->whole ? tune->all : tune->need;
  bool *links = links_of (tune, need);
  struct cab_replay replay = { .graph = &tune->graph, .need = need, .own_path = tune->own_path,
			       .jobs = tune->options.jobs, .only = links, .hot = tune->hot };
  struct cab_tree tree = cab_tune_tree_of (variant);
  double began = cab_seconds ();
  tree.place = place;
  int result = links ? cab_replay_run (&replay, &tree, 1, diag) : 0;
  free (links);
  variant->place = result ? CAB_TUNE_PLACE_UNKNOWN : place;
  tune->links_s += cab_seconds () - began;
  tune->n_links++;
  return result;
}

int
cab_tune_place (struct cab_tune *tune, int v, int place)
{
  struct cab_diag diag = { "" };
  place = tune->no_places ? 0 : place;
  if (tune->variants[v].place == place || tune->options.rebuild)
    return 0;
  int result = link_again (tune, v, place, &diag);
  if (result == -1 && place)
    {
      give_up (tune, "the program cannot be linked with padding");
      result = link_again (tune, v, 0, &diag);
    }
  if (result == -1)
    cab_say ("%s", diag.text);
  return result;
}

/* cachesim_geometry.c - which caches are possible: each geometry, and all of them together.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/choice.h"
#include "analyses/live/cache/cachesim_state.h"

#define LINE_MIN 8
#define LINE_MAX 65536

const char *
cab_cache_wrong (const struct cab_cache_geometry *geometry)
{
  uint64_t set = (uint64_t) geometry->assoc * geometry->line;
  if (geometry->line < LINE_MIN || geometry->line > LINE_MAX
      || geometry->line & (geometry->line - 1))
    return "its lines are no power of two from 8 to 65536 bytes";
  if (!geometry->assoc)
    return "its associativity is 0";
  if (!geometry->size || geometry->size > CAB_CACHE_SIZE_MAX)
    return "its size is not between one line and 1 GB";
  return geometry->size % set ? "its size is no multiple of associativity times line" : NULL;
}

const struct cab_cache_geometry *
cab_cachesim_geometry (const struct cab_cachesim_config *config, unsigned i)
{
  return i == 0 ? &config->i1 : i == 1 ? &config->d1 : &config->shared[i - 2];
}

static const char *
name_of (const struct cab_cachesim_config *config, unsigned i)
{
  static const char *const names[] = { "I1", "D1", "L2", "L3", "L4" };
  return i >= 2 && i == 1 + config->n_shared ? "LL" : names[i];
}

static int
refuse (struct cab_diag *diag, const char *what, const char *why)
{
  size_t at = cab_choice_append (diag->text, 0, sizeof diag->text, what, SIZE_MAX);
  at = cab_choice_append (diag->text, at, sizeof diag->text, ": ", SIZE_MAX);
  cab_choice_append (diag->text, at, sizeof diag->text, why, SIZE_MAX);
  return -1;
}

/* Check what must hold for all caches together. */
static int
check_levels (const struct cab_cachesim_config *config, struct cab_diag *diag)
{
  if (config->n_shared > CAB_CACHESIM_SHARED_MAX)
    return refuse (diag, "levels", "there are too many");
  if (config->model == CAB_CACHESIM_CACHEGRIND)
    return config->n_shared == 1 ? 0
				 : refuse (diag, "levels", "cachegrind's model has I1, D1 and LL");
  for (unsigned i = 2; i < 2 + config->n_shared; i++)
    for (unsigned before = 0; before < i; before++)
      if (cab_cachesim_geometry (config, before)->line > cab_cachesim_geometry (config, i)->line)
	return refuse (diag, name_of (config, i),
		       "its lines are shorter than those of a cache before it");
  return 0;
}

size_t
cab_cachesim_bytes (const struct cab_cachesim_config *config, struct cab_diag *diag)
{
  size_t bytes = sizeof (struct cab_cachesim);
  if (check_levels (config, diag) < 0)
    return 0;
  for (unsigned i = 0; i < 2 + config->n_shared; i++)
    {
      const struct cab_cache_geometry *geometry = cab_cachesim_geometry (config, i);
      const char *wrong = cab_cache_wrong (geometry);
      if (wrong)
	return refuse (diag, name_of (config, i), wrong), 0;
      bytes += (geometry->size / geometry->line * sizeof (uint64_t) + 63) & -64;
    }
  return bytes;
}

uint32_t
cab_cachesim_min_line (const struct cab_cachesim_config *config)
{
  uint32_t min = config->i1.line;
  for (unsigned i = 1; i < 2 + config->n_shared; i++)
    min = cab_cachesim_geometry (config, i)->line < min ? cab_cachesim_geometry (config, i)->line
							: min;
  return min;
}

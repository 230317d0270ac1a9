/* tune_variant.c - the builds that tune compares: each has a set of hints, or one more option.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_variant.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

bool
cab_tune_request_same (struct cab_tune_request a, struct cab_tune_request b)
{
  return a.unroll == b.unroll && a.vectorize == b.vectorize && a.registers == b.registers
      && a.align == b.align && a.prefetch == b.prefetch && a.alone == b.alone;
}

static bool
same_requests (const struct cab_tune *tune, const struct cab_tune_variant *variant,
	       const struct cab_tune_request *requests, int every)
{
  for (int i = 0; i < tune->n_loops && variant->requests && requests; i++)
    if (!cab_tune_request_same (variant->requests[i], requests[i]))
      return false;
  return variant->every == every && !variant->requests == !requests && !variant->flags[0];
}

static int
new_variant (struct cab_tune *tune, const char *name, const struct cab_tune_request *requests,
	     int every)
{
  char number[16];
  struct cab_tune_variant variant = { .name = xstrdup (name), .every = every };
  snprintf (number, sizeof number, "/v/%03d", tune->n_variants);
  variant.dir = concat (tune->work, number, NULL);
  variant.hints = concat (variant.dir, "/hints", NULL);
  if (requests)
    variant.requests = xmemdup (requests, tune->n_loops * sizeof *requests,
				(tune->n_loops + 1) * sizeof *requests);
  tune->variants = xrealloc (tune->variants, (tune->n_variants + 1) * sizeof *tune->variants);
  tune->variants[tune->n_variants] = variant;
  return tune->n_variants++;
}

int
cab_tune_variant_add (struct cab_tune *tune, const char *name,
		      const struct cab_tune_request *requests, int every)
{
  for (int v = 0; v < tune->n_variants; v++)
    if (same_requests (tune, &tune->variants[v], requests, every))
      return v;
  return new_variant (tune, name, requests, every);
}

int
cab_tune_variant_default (struct cab_tune *tune)
{
  struct cab_tune_request *requests = xcalloc (tune->n_loops + 1, sizeof *requests);
  for (int i = 0; i < tune->n_loops; i++)
    requests[i] = CAB_TUNE_NO_WISH;
  int v = cab_tune_variant_add (tune, "default", tune->n_loops ? requests : NULL, 0);
  free (requests);
  return v;
}

int
cab_tune_variant_whole (struct cab_tune *tune, const char *name, int of, const char *const *flags)
{
  int v = 0;
  while (v < tune->n_variants && strcmp (tune->variants[v].name, name))
    v++;
  if (v == tune->n_variants)
    new_variant (tune, name, tune->variants[of].requests, tune->variants[of].every);
  tune->variants[v].whole = true;
  for (int i = 0; flags[i]; i++)
    tune->variants[v].flags[i] = flags[i];
  return v;
}

int
cab_tune_function_of (const struct cab_tune *tune, int loop)
{
  int first = 0;
  while (strcmp (tune->loops[first].function, tune->loops[loop].function))
    first++;
  return first;
}

int
cab_tune_n_hints (const struct cab_tune *tune, int variant)
{
  const struct cab_tune_variant *v = &tune->variants[variant];
  int n = v->every > 0;
  for (int i = 0; i < tune->n_loops && v->requests; i++)
    n += v->requests[i].unroll != CAB_TUNE_NO_ROW;
  return n;
}

int
cab_tune_variant_with (struct cab_tune *tune, const char *name, const char *flag)
{
  int v = 0;
  while (v < tune->n_variants && strcmp (tune->variants[v].name, name))
    v++;
  if (v == tune->n_variants)
    new_variant (tune, name, tune->variants[0].requests, 0);
  tune->variants[v].flags[0] = flag;
  return v;
}

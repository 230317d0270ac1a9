/* samples_merge.c - add up the samples of several runs.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/samples.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

/* Return the number of FROM's module in INTO; -1 if that is of another build. */
static int64_t
module_in (struct cab_samples *into, const struct cab_sample_module *from)
{
  uint32_t before = into->n_modules, number = cab_samples_module (into, from->path);
  struct cab_sample_module *m = &into->modules[number];
  if (number < before)
    return !strcmp (m->build_id, from->build_id) && m->address_is_offset == from->address_is_offset
	   ? (int64_t) number
	   : -1;
  free (m->build_id);
  m->build_id = xstrdup (from->build_id);
  m->bias = from->bias;
  m->address_is_offset = from->address_is_offset;
  return number;
}

static void
add_sums (struct cab_samples *into, const struct cab_samples *from)
{
  into->n += from->kernel + from->unknown;
  into->weight += from->kernel_weight + from->unknown_weight;
  into->kernel += from->kernel;
  into->kernel_weight += from->kernel_weight;
  into->unknown += from->unknown;
  into->unknown_weight += from->unknown_weight;
  into->lost += from->lost;
  into->heap.recorded |= from->heap.recorded;
  into->heap.lost += from->heap.lost;
  into->heap.no_log += from->heap.no_log;
  into->heap.after_log += from->heap.after_log;
}

/* Merge what describes the source; the greatest overhead stands for all. */
static void
merge_source (struct cab_samples *into, const struct cab_samples *from)
{
  if (!into->n)
    into->source = from->source;
  into->source.user_only |= from->source.user_only;
  if (from->overhead <= into->overhead)
    return;
  into->overhead = from->overhead;
  memcpy (into->overhead_how, from->overhead_how, sizeof into->overhead_how);
}

static int
refuse_module (const struct cab_sample_module *module, struct cab_diag *diag)
{
  snprintf (diag->text, sizeof diag->text,
	    "samples of two builds of %.200s cannot be added: report on each by itself",
	    module->path);
  return -1;
}

/* Add the accesses to data. */
static int
merge_data (struct cab_samples *into, const struct cab_samples *from, struct cab_diag *diag)
{
  for (uint32_t i = 0; i < from->data.n; i++)
    {
      struct cab_data_row row = from->data.row[i];
      uint32_t *number[] = { &row.module, &row.code_module, &row.site_module };
      for (int k = 0; k < (row.block_bytes ? 3 : 2); k++)
	if (*number[k] != CAB_DATA_NOWHERE)
	  {
	    int64_t found = module_in (into, &from->modules[*number[k]]);
	    if (found < 0)
	      return refuse_module (&from->modules[*number[k]], diag);
	    *number[k] = found;
	  }
      cab_data_add (&into->data, &row);
    }
  return 0;
}

int
cab_samples_merge (struct cab_samples *into, const struct cab_samples *from, struct cab_diag *diag)
{
  if (into->n
      && (strcmp (into->source.name, from->source.name)
	  || into->source.unit_ns != from->source.unit_ns))
    {
      snprintf (diag->text, sizeof diag->text,
		"samples of %.100s and of %.100s cannot be added: report on each by itself",
		into->source.name, from->source.name);
      return -1;
    }
  merge_source (into, from);
  for (uint32_t i = 0, done = UINT32_MAX, number = 0; i < from->n_addresses; i++)
    {
      const struct cab_sample_address *a = &from->addresses[i];
      if (a->module != done)
	{
	  int64_t found = module_in (into, &from->modules[a->module]);
	  if (found < 0)
	    return refuse_module (&from->modules[a->module], diag);
	  number = found;
	  done = a->module;
	}
      cab_samples_add (into, number, a->address, a->n, a->weight);
    }
  add_sums (into, from);
  int result = merge_data (into, from, diag);
  cab_samples_settle (into);
  return result;
}

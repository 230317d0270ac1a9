/* batch_rows.c - see batch_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/wire/batch_rows.h"

uint32_t
cab_batch_rows_of (const struct cab_batch *batch, uint64_t events)
{
  uint32_t i = 0;
  if (batch->shape)
    {
      for (uint64_t row;
	   i < batch->n
	   && events >= (row = batch->shape[i]->n * (batch->passes ? batch->passes[i] : 1));
	   i++)
	events -= row;
      return i;
    }
  if (batch->times)
    {
      for (uint64_t row; i < batch->n && events >= (row = batch->times[i] ? batch->times[i] : 1);
	   i++)
	events -= row;
      return i;
    }
  if (!batch->has_runs)
    return events < batch->n ? events : batch->n;
  for (; i < batch->n && events >= cab_ev_times (batch->events[i]); i++)
    events -= cab_ev_times (batch->events[i]);
  return i;
}

void
cab_batch_skip (struct cab_batch *batch, uint32_t skip)
{
  batch->n -= skip;
  if (batch->fn)
    batch->fn += skip;
  if (batch->form)
    batch->form += skip;
  if (batch->site)
    batch->site += skip;
  if (batch->events)
    batch->events += skip;
  if (batch->loop)
    batch->loop += skip;
  if (batch->count)
    batch->count += skip;
  if (batch->address)
    batch->address += skip;
  if (batch->other)
    batch->other += skip;
  if (batch->bytes)
    batch->bytes += skip;
  if (batch->value)
    batch->value += skip;
  if (batch->value_type)
    batch->value_type += skip;
  if (batch->times)
    batch->times += skip;
  if (batch->step)
    batch->step += skip;
  if (batch->shape)
    batch->shape += skip;
  if (batch->passes)
    batch->passes += skip;
  if (batch->node)
    batch->node += skip;
  if (batch->level)
    batch->level += skip;
  if (skip)
    batch->kept = batch->depth;
}

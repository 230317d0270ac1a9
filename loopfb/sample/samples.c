/* samples.c - samples in memory: rows by module and address.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/samples.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

/* The hash table that finds a row: open addressing, with index + 1 in each slot. */
struct cab_sample_table
{
  uint32_t room;
  uint32_t slot[];
};

void
cab_samples_init (struct cab_samples *samples)
{
  *samples = (struct cab_samples) { .overhead = -1 };
}

void
cab_samples_fini (struct cab_samples *samples)
{
  for (uint32_t i = 0; i < samples->n_modules; i++)
    {
      free (samples->modules[i].path);
      free (samples->modules[i].build_id);
    }
  free (samples->modules);
  free (samples->addresses);
  free (samples->table);
  cab_data_fini (&samples->data);
  cab_samples_init (samples);
}

uint32_t
cab_samples_module (struct cab_samples *samples, const char *path)
{
  for (uint32_t i = samples->n_modules; i-- > 0;)
    if (!strcmp (samples->modules[i].path, path))
      return i;
  if (samples->n_modules == samples->room_modules)
    samples->modules = XRESIZEVEC (struct cab_sample_module, samples->modules,
				   samples->room_modules = 2 * samples->room_modules + 8);
  samples->modules[samples->n_modules] = (struct cab_sample_module) { .path = xstrdup (path),
								      .build_id = xstrdup ("") };
  return samples->n_modules++;
}

static uint32_t *
slot_of (struct cab_samples *samples, uint32_t module, uint64_t address)
{
  struct cab_sample_table *t = samples->table;
  uint32_t i = (uint32_t) ((address * UINT64_C (0x9e3779b97f4a7c15) >> 32) + module * 0x85ebca6bu)
	     & (t->room - 1);
  while (t->slot[i]
	 && (samples->addresses[t->slot[i] - 1].address != address
	     || samples->addresses[t->slot[i] - 1].module != module))
    i = (i + 1) & (t->room - 1);
  return &t->slot[i];
}

static void
make_room (struct cab_samples *samples)
{
  uint32_t room = samples->table ? samples->table->room : 512;
  if (samples->table && 2 * samples->n_addresses < room)
    return;
  while (room <= 2 * samples->n_addresses)
    room *= 2;
  free (samples->table);
  samples->table = xcalloc (1, sizeof *samples->table + room * sizeof *samples->table->slot);
  samples->table->room = room;
  for (uint32_t i = 0; i < samples->n_addresses; i++)
    *slot_of (samples, samples->addresses[i].module, samples->addresses[i].address) = i + 1;
}

void
cab_samples_add (struct cab_samples *samples, uint32_t module, uint64_t address, uint64_t n,
		 uint64_t weight)
{
  make_room (samples);
  uint32_t *slot = slot_of (samples, module, address);
  samples->n += n;
  samples->weight += weight;
  if (!*slot)
    {
      if (samples->n_addresses == samples->room_addresses)
	samples->addresses = XRESIZEVEC (struct cab_sample_address, samples->addresses,
					 samples->room_addresses = 2 * samples->room_addresses
								 + 64);
      samples->addresses[samples->n_addresses++] = (struct cab_sample_address) { module, address, 0,
										 0 };
      *slot = samples->n_addresses;
    }
  samples->addresses[*slot - 1].n += n;
  samples->addresses[*slot - 1].weight += weight;
}

double
cab_samples_unseen (const struct cab_samples *samples, const struct rusage *usage, double *cpu_s)
{
  const struct timeval *user = &usage->ru_utime, *system = &usage->ru_stime;
  *cpu_s = user->tv_sec + system->tv_sec + (user->tv_usec + system->tv_usec) / 1e6;
  if (samples->source.kind != CAB_SAMPLE_PERF || !samples->source.unit_ns
      || samples->source.user_only || *cpu_s <= 0)
    return -1;
  double each = samples->n ? (double) samples->weight / samples->n : 0,
	 seen = (samples->weight + samples->lost * each) / 1e9;
  return seen < *cpu_s ? 1 - seen / *cpu_s : 0;
}

static int
by_place (const void *a, const void *b)
{
  const struct cab_sample_address *x = a, *y = b;
  if (x->module != y->module)
    return x->module < y->module ? -1 : 1;
  return x->address < y->address ? -1 : x->address > y->address;
}

void
cab_samples_settle (struct cab_samples *samples)
{
  free (samples->table);
  samples->table = NULL;
  if (samples->n_addresses)
    qsort (samples->addresses, samples->n_addresses, sizeof *samples->addresses, by_place);
  cab_data_settle (&samples->data);
}

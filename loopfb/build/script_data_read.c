/* script_data_read.c - read samples with addresses of data from the output of `perf script'.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"
#include "loopfb/build/script.h"
#include "loopfb/build/script_data.h"

#define HOW                                                                                \
  "write it with `perf script --show-mmap-events --show-task-events -F " \
  "comm,tid,time,period,event,addr,data_src,weight,ip'"

struct reading
{
  struct cab_collector collector;
  const char *wanted;
  char *event, *other;       /* the one that is read; the first one that is not */
  uint64_t n_mappings, n_without;   /* n_without: samples whose address is 0 */
};

/* Return true if EVENT is the one to read, which is the first one if none was asked for. */
static bool
is_wanted (struct reading *r, const char *event)
{
  if (!r->event && (!r->wanted || cab_script_same_event (r->wanted, event)))
    r->event = xstrdup (event);
  if (r->event && cab_script_same_event (r->event, event))
    return true;
  if (!r->other)
    r->other = xstrdup (event);
  return false;
}

static void
add_sample (struct reading *r, const struct cab_script_data *line)
{
  struct cab_data_sample data = line->data;
  bool kernel = line->ip >> 63;
  data.weight = line->period;
  data.ip = kernel ? 0 : line->ip;
  r->n_without += !data.address;
  if (kernel)
    cab_collect_kernel (&r->collector, 1, line->period);
  else
    cab_collect_sample (&r->collector, line->pid, line->ip, 1, line->period);
  cab_collect_data (&r->collector, line->pid, &data);
}

static void
add_mapping (struct reading *r, const struct cab_script_data *line)
{
  const char *path = line->path;
  bool gone = *path == '/' && path[1] != '/' && access (path, R_OK) < 0;
  char *here = gone ? realpath (lbasename (path), NULL) : NULL;
  if (here)
    path = here;
  cab_data_places_map (&r->collector.places, line->pid, line->start, line->bytes, line->offset,
		       path);
  if (line->code)
    cab_maps_add (&r->collector.maps, line->pid, line->start, line->bytes, line->offset, path);
  free (here);
  r->n_mappings++;
}

static void
take_line (struct reading *r, char *text)
{
  struct cab_script_data line;
  switch (cab_script_data_parse (text, &line))
    {
    case CAB_SCRIPT_DATA_SAMPLE:
      if (is_wanted (r, line.event))
	add_sample (r, &line);
      break;
    case CAB_SCRIPT_DATA_MAPPING: add_mapping (r, &line); break;
    case CAB_SCRIPT_DATA_FORK: cab_collect_fork (&r->collector, line.pid, line.parent, 0); break;
    case CAB_SCRIPT_DATA_EXEC: cab_collect_exec (&r->collector, line.pid, 0); break;
    case CAB_SCRIPT_DATA_BAD: r->collector.samples->lost++; break;
    case CAB_SCRIPT_DATA_NOTHING: break;
    }
}

/* Return 0 if what was read of PATH is enough, or refuse it. */
static int
judge (const struct reading *r, const char *path, struct cab_diag *diag)
{
  const struct cab_samples *samples = r->collector.samples;
  if (!r->event && r->other)
    return cab_refuse (path, diag, "has no event %s, but %s: name one that it has", r->wanted,
		       r->other);
  if (!r->wanted && r->other)
    return cab_refuse (path, diag, "has several events: %s, %s: name the one to take", r->event,
		       r->other);
  if (!samples->n)
    return cab_refuse (path, diag, "holds no sample with an address of data: " HOW);
  if (!r->n_mappings)
    return cab_refuse (path, diag, "does not say what was mapped where: " HOW);
  if (r->n_without == samples->n)
    return cab_refuse (path, diag,
		       "has samples of %s without addresses of data: record with `perf mem "
		       "record', `perf c2c record', or `perf record --data' and an event with them",
		       r->event);
  return 0;
}

int
cab_samples_from_data_script (struct cab_samples *samples, const char *path, const char *event,
			      struct cab_diag *diag)
{
  struct reading r = { .wanted = event };
  FILE *file = fopen (path, "r");
  char *line = NULL;
  size_t room = 0;
  if (!file)
    return cab_refuse (path, diag, "%s: name a file that `perf script' wrote", strerror (errno));
  cab_collect_begin (&r.collector, samples, NULL);
  while (getline (&line, &room, file) > 0)
    take_line (&r, line);
  int error = ferror (file) ? errno : 0;
  fclose (file);
  free (line);
  samples->source = (struct cab_sample_source) { .kind = CAB_SAMPLE_SCRIPT };
  snprintf (samples->source.name, sizeof samples->source.name, "%s", r.event ? r.event : "");
  samples->source.period = samples->n ? samples->weight / samples->n : 0;
  int result = error ? cab_refuse (path, diag, "%s: check the disk", strerror (error))
		     : judge (&r, path, diag);
  cab_collect_end (&r.collector);
  free (r.event);
  free (r.other);
  return result;
}

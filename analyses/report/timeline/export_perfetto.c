/* export_perfetto.c - a timeline as Perfetto's TrackEvents.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source: perfetto's protos/perfetto/trace: trace_packet.proto, clock_snapshot.proto,
 * interned_data/interned_data.proto, and of track_event/: track_event.proto,
 * track_descriptor.proto, process_descriptor.proto, thread_descriptor.proto,
 * source_location.proto.
 *
 * A file is a sequence of packets, which is what a message Trace is.  Names and places are interned
 * at their first use.  Times are of CLOCK_MONOTONIC, which the clock snapshot makes the trace's.
 */
#include "analyses/report/export.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/report/timeline/timeline_marks.h"

enum { VARINT = 0, BYTES = 2 };   /* wire types */

/* Numbers of fields. */
enum { TRACE_PACKET = 1 };
enum
{
  PACKET_CLOCK_SNAPSHOT = 6,
  PACKET_TIMESTAMP = 8,
  PACKET_SEQUENCE_ID = 10,
  PACKET_TRACK_EVENT = 11,
  PACKET_INTERNED_DATA = 12,
  PACKET_SEQUENCE_FLAGS = 13,
  PACKET_CLOCK_ID = 58,
  PACKET_TRACK_DESCRIPTOR = 60
};
enum { SNAPSHOT_CLOCKS = 1, SNAPSHOT_PRIMARY = 2, CLOCK_ID = 1, CLOCK_TIMESTAMP = 2 };
enum { INTERNED_EVENT_NAMES = 2, INTERNED_SOURCE_LOCATIONS = 4 };
enum { NAME_IID = 1, NAME_NAME = 2 };
enum { LOCATION_IID = 1, LOCATION_FILE = 2, LOCATION_FUNCTION = 3, LOCATION_LINE = 4 };
enum { EVENT_TYPE = 9, EVENT_NAME_IID = 10, EVENT_TRACK_UUID = 11, EVENT_CATEGORIES = 22,
       EVENT_SOURCE_LOCATION_IID = 34 };
enum { SLICE_BEGIN = 1, SLICE_END = 2 };
enum { TRACK_UUID = 1, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_PARENT = 5 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };

#define SEQUENCE 1u          /* all packets are of one sequence */
#define STATE_CLEARED 1u     /* flags of a sequence */
#define NEEDS_STATE 2u
#define MONOTONIC 3u

struct message
{
  unsigned char *bytes;
  size_t n, room;
};

struct perfetto
{
  struct cab_model *model;
  const struct cab_timeline_marks *marks;
  FILE *to;
  struct message packet, part, inner;
  bool *known;                 /* by index of the function: it is interned */
  uint32_t process, thread;    /* those of the event before */
  uint64_t track;
};

static void
put_number (struct message *m, uint64_t n)
{
  if (m->n + 10 > m->room)
    {
      m->room = m->room ? 2 * m->room : 256;
      m->bytes = XRESIZEVEC (unsigned char, m->bytes, m->room);
    }
  for (; n > 127; n >>= 7)
    m->bytes[m->n++] = n | 128;
  m->bytes[m->n++] = n;
}

static void
put_field (struct message *m, unsigned field, uint64_t n)
{
  put_number (m, field << 3 | VARINT);
  put_number (m, n);
}

static void
put_bytes (struct message *m, unsigned field, const void *bytes, size_t n)
{
  put_number (m, field << 3 | BYTES);
  put_number (m, n);
  if (m->n + n > m->room)
    {
      m->room = 2 * (m->n + n);
      m->bytes = XRESIZEVEC (unsigned char, m->bytes, m->room);
    }
  memcpy (m->bytes + m->n, bytes, n);
  m->n += n;
}

/* Put TEXT, which has to be UTF-8: bytes that are not are read as Latin-1. */
static void
put_text (struct message *m, unsigned field, const char *text)
{
  json_t *string = cab_table_json_cell (&(union cab_cell) { .text = text }, CAB_TEXT);
  put_bytes (m, field, json_string_value (string), json_string_length (string));
  json_decref (string);
}

/* Put the message FROM, and empty it. */
static void
put_message (struct message *m, unsigned field, struct message *from)
{
  put_bytes (m, field, from->bytes, from->n);
  from->n = 0;
}

/* Write the packet, and empty it.  FLAGS: of the sequence. */
static void
write_packet (struct perfetto *p, unsigned flags)
{
  put_field (&p->packet, PACKET_SEQUENCE_ID, SEQUENCE);
  put_field (&p->packet, PACKET_SEQUENCE_FLAGS, flags);
  put_message (&p->part, TRACE_PACKET, &p->packet);
  fwrite (p->part.bytes, 1, p->part.n, p->to);
  p->part.n = 0;
}

/* Write what makes CLOCK_MONOTONIC the clock of the trace. */
static void
write_clock (struct perfetto *p)
{
  put_field (&p->inner, CLOCK_ID, MONOTONIC);
  put_field (&p->inner, CLOCK_TIMESTAMP, 0);
  put_message (&p->part, SNAPSHOT_CLOCKS, &p->inner);
  put_field (&p->part, SNAPSHOT_PRIMARY, MONOTONIC);
  put_message (&p->packet, PACKET_CLOCK_SNAPSHOT, &p->part);
  write_packet (p, STATE_CLEARED);
}

/* Numbers of tracks: those of processes are odd. */
static uint64_t
process_track (uint32_t process)
{
  return (uint64_t) process << 32 | 1;
}

static uint64_t
thread_track (uint32_t process, uint32_t thread)
{
  return (uint64_t) process << 32 | ((uint64_t) thread + 1) << 1;
}

/* Describe the tracks of SPAN if the event before was of others. */
static void
write_tracks (struct perfetto *p, const struct cab_timed *span)
{
  const struct cab_process *process = &p->model->processes[span->process];
  if (span->process != p->process)
    {
      put_field (&p->inner, PROCESS_PID, process->pid);
      put_text (&p->inner, PROCESS_NAME, process->exe);
      put_field (&p->part, TRACK_UUID, process_track (span->process));
      put_message (&p->part, TRACK_PROCESS, &p->inner);
      put_message (&p->packet, PACKET_TRACK_DESCRIPTOR, &p->part);
      write_packet (p, NEEDS_STATE);
    }
  if (span->process != p->process || span->thread != p->thread)
    {
      p->track = thread_track (span->process, span->thread);
      put_field (&p->inner, THREAD_PID, process->pid);
      put_field (&p->inner, THREAD_TID, cab_timeline_tid (p->model, span));
      put_text (&p->inner, THREAD_NAME, cab_timeline_thread_name (p->model, span));
      put_field (&p->part, TRACK_UUID, p->track);
      put_field (&p->part, TRACK_PARENT, process_track (span->process));
      put_message (&p->part, TRACK_THREAD, &p->inner);
      put_message (&p->packet, PACKET_TRACK_DESCRIPTOR, &p->part);
      write_packet (p, NEEDS_STATE);
    }
  p->process = span->process;
  p->thread = span->thread;
}

/* Put the name and the place of FUNCTION, null: an unknown one, into the packet, as number IID. */
static void
intern (struct perfetto *p, const struct cab_function *function, uint64_t iid)
{
  const char *name = function ? function->display : "?";
  put_field (&p->inner, NAME_IID, iid);
  put_text (&p->inner, NAME_NAME, name);
  put_message (&p->part, INTERNED_EVENT_NAMES, &p->inner);
  put_field (&p->inner, LOCATION_IID, iid);
  put_text (&p->inner, LOCATION_FILE, function ? function->file : "");
  put_text (&p->inner, LOCATION_FUNCTION, name);
  put_field (&p->inner, LOCATION_LINE, function ? function->line : 0);
  put_message (&p->part, INTERNED_SOURCE_LOCATIONS, &p->inner);
  put_message (&p->packet, PACKET_INTERNED_DATA, &p->part);
}

static void
begin_packet (struct perfetto *p, uint64_t ns)
{
  put_field (&p->packet, PACKET_TIMESTAMP, ns);
  put_field (&p->packet, PACKET_CLOCK_ID, MONOTONIC);
}

static void
begin (void *host, struct cab_timed *span, struct cab_timed *parent)
{
  struct perfetto *p = host;
  uint32_t index = span->function ? span->function->index : p->model->n_functions;
  (void) parent;
  if (!cab_timeline_is_marked (p->marks, span))
    return;
  write_tracks (p, span);
  begin_packet (p, span->begin_ns);
  if (!p->known[index])
    intern (p, span->function, index + 1);
  p->known[index] = true;
  put_field (&p->part, EVENT_TYPE, SLICE_BEGIN);
  put_field (&p->part, EVENT_NAME_IID, index + 1);
  put_field (&p->part, EVENT_TRACK_UUID, p->track);
  put_field (&p->part, EVENT_SOURCE_LOCATION_IID, index + 1);
  put_message (&p->packet, PACKET_TRACK_EVENT, &p->part);
  write_packet (p, NEEDS_STATE);
}

static void
end (void *host, struct cab_timed *span, struct cab_timed *parent)
{
  struct perfetto *p = host;
  (void) parent;
  if (!cab_timeline_is_marked (p->marks, span))
    return;
  begin_packet (p, span->end_ns);
  put_field (&p->part, EVENT_TYPE, SLICE_END);
  put_field (&p->part, EVENT_TRACK_UUID, p->track);
  if (span->how != CAB_SPAN_RETURNED)
    put_text (&p->part, EVENT_CATEGORIES, cab_span_end_name (span->how));
  put_message (&p->packet, PACKET_TRACK_EVENT, &p->part);
  write_packet (p, NEEDS_STATE);
}

int
cab_export_perfetto (struct cab_model *model, const struct cab_export_options *options, FILE *to,
		     struct cab_diag *diag)
{
  struct cab_timeline_marks marks;
  (void) diag;
  cab_timeline_mark (&marks, model, options->longer_ns);
  struct perfetto p = {
    .model = model, .marks = &marks, .to = to, .process = UINT32_MAX, .thread = UINT32_MAX
  };
  const struct cab_span_visitor visitor = { .host = &p, .begin = begin, .end = end };
  p.known = XCNEWVEC (bool, model->n_functions + 1);
  write_clock (&p);
  cab_timeline_walk (model, &visitor);
  free (p.packet.bytes);
  free (p.part.bytes);
  free (p.inner.bytes);
  free (p.known);
  cab_timeline_marks_fini (&marks);
  return 0;
}

/* trace_serve.c - see trace_serve.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/trace_serve.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/say.h"
#include "analyses/trace/trace_left.h"
#include "analyses/wire/trace_words.h"

#define READ_BYTES (256u << 10)

struct process
{
  uint64_t pid, start;
  bool ended;
  struct cab_trace_came came;
};

struct connection
{
  int fd;
  uint32_t process;          /* its number; 0: not known yet */
  bool started;
  unsigned char *bytes;
  size_t n, room;
};

struct cab_trace_server
{
  struct cab_trace_out out;
  char *dir, *folder, *address;   /* the profile; the directory of the socket; "unix:PATH" */
  int listener, stop;
  bool stopping, told, running;
  pthread_t thread;
  struct connection *connections;
  uint32_t n_connections;
  struct process *processes;
  uint32_t n_processes;
};

static int
listen_at (struct cab_trace_server *s)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  const char *temporary = getenv ("TMPDIR");
  s->folder = concat (temporary && strlen (temporary) < 60 ? temporary : "/tmp", "/cabprof-XXXXXX",
		      NULL);
  if (!mkdtemp (s->folder))
    return -1;
  s->address = concat ("unix:", s->folder, "/trace", NULL);
  strcpy (address.sun_path, s->address + strlen ("unix:"));
  s->listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  s->stop = eventfd (0, EFD_CLOEXEC);
  return s->listener < 0 || s->stop < 0
	  || bind (s->listener, (struct sockaddr *) &address, sizeof address) < 0
	  || listen (s->listener, 128) < 0
	 ? -1
	 : 0;
}

struct cab_trace_server *
cab_trace_serve_open (const struct cab_trace_request *request, const char *dir,
		      struct cab_diag *diag)
{
  struct cab_trace_server *s = XCNEW (struct cab_trace_server);
  if (cab_trace_out_open (&s->out, request, diag) < 0)
    {
      free (s);
      return NULL;
    }
  s->dir = xstrdup (dir);
  if (listen_at (s) == 0)
    return s;
  snprintf (diag->text, sizeof diag->text, "%s: no socket for the trace: %s: check TMPDIR",
	    s->folder, strerror (errno));
  return NULL;
}

const char *
cab_trace_serve_address (const struct cab_trace_server *s)
{
  return s->address;
}

/* Return the number of the process that begins with HEADER, or 0 if it is new. */
static uint32_t
known (const struct cab_trace_server *s, const struct cab_part_header *header)
{
  for (uint32_t i = 0; i < s->n_processes; i++)
    if (s->processes[i].pid == header->pid && s->processes[i].start == header->start_realtime_ns)
      return i + 1;
  return 0;
}

/* Return the number of the process that begins with HEADER; a new one gets a number. */
static uint32_t
number_of (struct cab_trace_server *s, const struct cab_part_header *header)
{
  uint32_t number = known (s, header);
  if (number)
    return number;
  s->processes = XRESIZEVEC (struct process, s->processes, s->n_processes + 1);
  s->processes[s->n_processes++] = (struct process) { .pid = header->pid,
						      .start = header->start_realtime_ns };
  return s->n_processes;
}

/* Record that a chunk of WORDS words was received. */
static void
note_chunk (struct process *p, const struct cab_trace_frame *f, int64_t words)
{
  struct cab_trace_came *came = &p->came;
  uint32_t i = 0;
  while (i < came->n_seen && came->seen[i].ring != f->owner)
    i++;
  if (i == came->n_seen)
    {
      came->seen = XRESIZEVEC (struct cab_trace_seen, came->seen, came->n_seen + 1);
      came->seen[came->n_seen++].ring = f->owner;
    }
  came->seen[i].at = f->at;
  came->seen[i].words = words;
  p->ended = false;
}

static void
note_records (struct process *p, const struct cab_trace_frame *f)
{
  struct cab_trace_came *came = &p->came;
  came->records = XRESIZEVEC (uint32_t, came->records, came->n_records + 1);
  came->records[came->n_records++] = f->owner;
}

static int read_some (struct cab_trace_server *s, struct connection *c);

/* Let process NUMBER continue on C.  What it sent on another connection is taken first, since each
   chunk builds on those before it. */
static void
move_to (struct cab_trace_server *s, struct connection *c, uint32_t number)
{
  for (uint32_t i = 0; i < s->n_connections && c->process != number; i++)
    if (s->connections[i].process == number)
      while (read_some (s, &s->connections[i]) > 0)
	continue;
  c->process = number;
}

/* Take a whole frame of C.  Return negative if it is malformed. */
static int
take_frame (struct cab_trace_server *s, struct connection *c, struct cab_trace_frame *f,
	    const unsigned char *bytes)
{
  if (f->kind == CAB_TRACE_HEADER)
    {
      if (f->bytes != CAB_TRACE_HEADER_BYTES)
	return -1;
      struct cab_part_header *header = xmemdup (bytes, f->bytes, sizeof *header);
      move_to (s, c, number_of (s, header));
      s->processes[c->process - 1].ended = header->state == CAB_PART_ENDED;
      free (header);
    }
  if (!c->process)
    return -1;
  f->process = c->process;
  if (f->kind == CAB_TRACE_CHUNK)
    {
      int64_t words = f->method == CAB_TRACE_PREDICTED ? cab_words_packed (bytes, f->bytes)
						       : (int64_t) f->bytes / 8;
      if (words < 0)
	return -1;
      note_chunk (&s->processes[c->process - 1], f, words);
    }
  else if (f->kind == CAB_TRACE_RECORDS)
    note_records (&s->processes[c->process - 1], f);
  cab_trace_out_put (&s->out, f, bytes);
  return 0;
}

/* Take the frames of C that are complete. */
static int
take_frames (struct cab_trace_server *s, struct connection *c)
{
  size_t at = 0, start = sizeof (struct cab_trace_start);
  int result = 0;
  if (!c->started && c->n >= start)
    {
      c->started = true;
      at = start;
    }
  while (c->started && result == 0 && c->n - at >= sizeof (struct cab_trace_frame))
    {
      struct cab_trace_frame f;
      memcpy (&f, c->bytes + at, sizeof f);
      if (f.mark != CAB_TRACE_MARK || f.bytes > CAB_TRACE_FRAME_MAX)
	result = -1;
      else if (c->n - at - sizeof f < f.bytes)
	break;
      else
	{
	  result = take_frame (s, c, &f, c->bytes + at + sizeof f);
	  at += sizeof f + f.bytes;
	}
    }
  memmove (c->bytes, c->bytes + at, c->n - at);
  c->n -= at;
  return result;
}

/* Read what has arrived on C.  Return 1 if there may be more, 0 if there is nothing yet, negative
   if the connection is over. */
static int
read_some (struct cab_trace_server *s, struct connection *c)
{
  if (c->room < c->n + READ_BYTES)
    c->bytes = xrealloc (c->bytes, c->room = 2 * (c->n + READ_BYTES));
  ssize_t n = recv (c->fd, c->bytes + c->n, c->room - c->n, MSG_DONTWAIT);
  if (n < 0)
    return errno == EINTR ? 1 : errno == EAGAIN ? 0 : -1;
  c->n += n;
  return n > 0 && take_frames (s, c) == 0 ? 1 : -1;
}

static void
accept_all (struct cab_trace_server *s)
{
  for (int fd; (fd = accept4 (s->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0;)
    {
      s->connections = XRESIZEVEC (struct connection, s->connections, s->n_connections + 1);
      s->connections[s->n_connections++] = (struct connection) { .fd = fd };
    }
}

static void
drop (struct cab_trace_server *s, uint32_t i)
{
  close (s->connections[i].fd);
  free (s->connections[i].bytes);
  s->n_connections--;
  memmove (&s->connections[i], &s->connections[i + 1],
	   (s->n_connections - i) * sizeof *s->connections);
}

/* Report that the target takes no more, here and to the processes, which then do not report it
   themselves. */
static void
give_up (struct cab_trace_server *s)
{
  if (!s->told)
    cab_say ("%s: cannot write the trace: %s: it ends here, the program goes on", s->out.target,
	     strerror (s->out.error));
  s->told = true;
  while (s->n_connections)
    {
      send (s->connections[0].fd, "t", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
      drop (s, 0);
    }
}

static void
wait_for_some (struct cab_trace_server *s)
{
  struct pollfd *list = XNEWVEC (struct pollfd, s->n_connections + 2);
  list[0] = (struct pollfd) { .fd = s->listener, .events = POLLIN };
  list[1] = (struct pollfd) { .fd = s->stopping ? -1 : s->stop, .events = POLLIN };
  for (uint32_t i = 0; i < s->n_connections; i++)
    list[2 + i] = (struct pollfd) { .fd = s->connections[i].fd, .events = POLLIN };
  poll (list, s->n_connections + 2, s->stopping && !s->n_connections ? 0 : -1);
  s->stopping |= list[1].revents != 0;
  /* Read the oldest connection first: what a process has sent on an earlier connection shows that
     it is its own. */
  for (uint32_t i = 0, at = 0, n = s->n_connections; i < n; i++)
    if (list[2 + i].revents && read_some (s, &s->connections[at]) < 0)
      drop (s, at);
    else
      at++;
  free (list);
}

static void *
serve (void *host)
{
  struct cab_trace_server *s = host;
  do
    {
      wait_for_some (s);
      accept_all (s);
      if (s->out.error)
	give_up (s);
    }
  while (!s->stopping || s->n_connections);
  return NULL;
}

void
cab_trace_serve_start (struct cab_trace_server *s)
{
  sigset_t all, old;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  s->running = pthread_create (&s->thread, NULL, serve, s) == 0;
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  if (!s->running)
    cab_say ("%s: no thread for the trace: it is empty: try again", s->out.target);
}

/* Add what process P, which has NUMBER, left. */
static void
add_left (struct cab_trace_server *s, const struct process *p, uint32_t number)
{
  struct cab_part part;
  struct cab_diag diag;
  char *path = xasprintf ("%s/%" PRIu64 "-%" PRIx64 CAB_PART_SUFFIX, s->dir, p->pid, p->start);
  if (cab_part_open (&part, path, &diag) == 0)
    {
      cab_trace_left_put (&s->out, &part, number, &p->came);
      cab_part_close (&part);
    }
  free (path);
}

/* Add the part NAME, if its process was killed before it had sent anything, which may happen to a
   forked child that runs for a moment only. */
static void
add_silent (struct cab_trace_server *s, const char *name)
{
  struct cab_part part;
  struct cab_diag diag;
  const struct cab_trace_came nothing = { 0 };
  char *path = concat (s->dir, "/", name, NULL);
  if (cab_part_open (&part, path, &diag) == 0)
    {
      const struct cab_part_header *h = part.header;
      if (h->state == CAB_PART_RUNNING && !part.alive && !known (s, h) && !h->ledger.traced
	  && !h->ledger.untraced)
	{
	  struct cab_trace_frame f = { .mark = CAB_TRACE_MARK,
				       .kind = CAB_TRACE_HEADER,
				       .bytes = CAB_TRACE_HEADER_BYTES };
	  f.process = number_of (s, h);
	  cab_trace_out_put (&s->out, &f, h);
	  cab_trace_left_put (&s->out, &part, f.process, &nothing);
	}
      cab_part_close (&part);
    }
  free (path);
}

static int
is_part (const struct dirent *entry)
{
  size_t n = strlen (entry->d_name), suffix = strlen (CAB_PART_SUFFIX);
  return n > suffix && !strcmp (entry->d_name + n - suffix, CAB_PART_SUFFIX);
}

static void
add_silent_ones (struct cab_trace_server *s)
{
  struct dirent **entries;
  int n = scandir (s->dir, &entries, is_part, alphasort);
  for (int i = 0; i < n; i++)
    {
      if (!s->out.error)
	add_silent (s, entries[i]->d_name);
      free (entries[i]);
    }
  if (n >= 0)
    free (entries);
}

static void
forget (struct cab_trace_server *s)
{
  for (uint32_t i = 0; i < s->n_processes; i++)
    {
      free (s->processes[i].came.seen);
      free (s->processes[i].came.records);
    }
  close (s->listener);
  close (s->stop);
  unlink (s->address + strlen ("unix:"));
  rmdir (s->folder);
  free (s->folder);
  free (s->address);
  free (s->dir);
  free (s->processes);
  free (s->connections);
  free (s);
}

int
cab_trace_serve_end (struct cab_trace_server *s)
{
  uint64_t one = 1;
  sigset_t broken, old;
  bool served = s->running;
  if (s->running && write (s->stop, &one, sizeof one) == sizeof one)
    pthread_join (s->thread, NULL);
  /* Make a reader that has gone away an error instead of a signal. */
  sigemptyset (&broken);
  sigaddset (&broken, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &broken, &old);
  for (uint32_t i = 0; i < s->n_processes && !s->out.error; i++)
    if (!s->processes[i].ended)
      add_left (s, &s->processes[i], i + 1);
  add_silent_ones (s);
  int error = cab_trace_out_close (&s->out);
  if (error && !s->told)
    cab_say ("%s: cannot write the trace: %s: its end is missing", s->out.target, strerror (error));
  const struct timespec none = { 0, 0 };
  sigtimedwait (&broken, NULL, &none);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  forget (s);
  return error || !served ? -1 : 0;
}

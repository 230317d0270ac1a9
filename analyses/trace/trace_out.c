/* trace_out.c - see trace_out.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/trace_out.h"
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>
#include <libiberty/libiberty.h>
#include "analyses/wire/trace_words.h"

#define LEVEL -3                 /* measured: see docs/tried.md */
#define FLUSH_BYTES (1u << 20)   /* limits what is lost if the recorder is killed */

static int
refuse (const char *target, struct cab_diag *diag, const char *wrong, const char *todo)
{
  snprintf (diag->text, sizeof diag->text, "%.200s: %s: %s", target, wrong, todo);
  return -1;
}

static int
connect_unix (const char *path)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  if (strlen (path) >= sizeof address.sun_path)
    {
      errno = ENAMETOOLONG;
      return -1;
    }
  strcpy (address.sun_path, path);
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && connect (fd, (struct sockaddr *) &address, sizeof address) == 0)
    return fd;
  int error = errno;
  if (fd >= 0)
    close (fd);
  errno = error;
  return -1;
}

/* Connect to PLACE, which is HOST:PORT, with HOST in brackets if it has colons. */
static int
connect_tcp (const char *target, const char *place, struct cab_diag *diag)
{
  const char *colon = strrchr (place, ':');
  struct addrinfo wanted = { .ai_socktype = SOCK_STREAM }, *found;
  if (!colon || colon == place || !colon[1])
    return refuse (target, diag, "has no host and port", "write tcp:HOST:PORT");
  bool bracketed = *place == '[' && colon[-1] == ']';
  char *host = xstrndup (place + bracketed, colon - place - 2 * bracketed);
  int wrong = getaddrinfo (host, colon + 1, &wanted, &found), fd = -1, error = 0;
  free (host);
  if (wrong)
    return refuse (target, diag, gai_strerror (wrong), "check host and port");
  for (struct addrinfo *a = found; a && fd < 0; a = a->ai_next)
    {
      fd = socket (a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
      if (fd < 0 || connect (fd, a->ai_addr, a->ai_addrlen) == 0)
	continue;
      error = errno;
      close (fd);
      fd = -1;
    }
  freeaddrinfo (found);
  return fd >= 0 ? fd : refuse (target, diag, strerror (error), "start the reader first");
}

static int
open_target (const char *target, struct cab_diag *diag)
{
  int fd;
  if (!strcmp (target, "-"))
    fd = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  else if (!strncmp (target, "tcp:", 4))
    return connect_tcp (target, target + 4, diag);
  else if (!strncmp (target, "unix:", 5))
    fd = connect_unix (target + 5);
  else
    fd = open (target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return fd >= 0
	 ? fd
	 : refuse (target, diag, strerror (errno),
		   strncmp (target, "unix:", 5) ? "name another file" : "start the reader first");
}

/* Convert the packed trace at FD to rows or text at TO.  Runs in a process of its own. */
static int
run_stage (int fd, int to, const struct cab_trace_request *request)
{
  /* The terminal's signals are for the program; this process ends at the end of the pipe. */
  static const int left_to_program[] = { SIGINT, SIGQUIT, SIGHUP, SIGTERM };
  for (size_t i = 0; i < ARRAY_SIZE (left_to_program); i++)
    signal (left_to_program[i], SIG_IGN);
  if (dup2 (fd, STDIN_FILENO) < 0 || dup2 (to, STDOUT_FILENO) < 0)
    return 1;
  int status = request->convert (request->format);
  return fflush (stdout) != 0 ? 1 : status;
}

static int
start_stage (struct cab_trace_out *out, const struct cab_trace_request *request,
	     struct cab_diag *diag)
{
  int ends[2];
  if (pipe2 (ends, O_CLOEXEC) < 0)
    return refuse (out->target, diag, strerror (errno), "try again");
  fflush (stdout);
  out->stage = fork ();
  if (out->stage < 0)
    return refuse (out->target, diag, strerror (errno), "try again");
  if (out->stage == 0)
    {
      close (ends[1]);
      _exit (run_stage (ends[0], out->fd, request));
    }
  close (ends[0]);
  close (out->fd);
  out->fd = ends[1];
  return 0;
}

static void
write_all (struct cab_trace_out *out, const void *bytes, size_t n)
{
  for (size_t done = 0; done < n && !out->error;)
    {
      ssize_t part = write (out->fd, (const char *) bytes + done, n - done);
      if (part < 0 && errno != EINTR)
	out->error = errno;
      else if (part > 0)
	done += part;
    }
}

/* Write N bytes through zstd; HOW: continue, flush, or end. */
static void
compress (struct cab_trace_out *out, const void *bytes, size_t n, ZSTD_EndDirective how)
{
  ZSTD_inBuffer in = { bytes, n, 0 };
  size_t left;
  do
    {
      ZSTD_outBuffer to = { out->buffer, out->room, 0 };
      left = ZSTD_compressStream2 (out->zstd, &to, &in, how);
      if (ZSTD_isError (left))
	out->error = EIO;
      else
	write_all (out, out->buffer, to.pos);
    }
  while (!out->error && (how == ZSTD_e_continue ? in.pos < in.size : left != 0));
}

static void
put_bytes (struct cab_trace_out *out, const void *bytes, size_t n)
{
  if (out->zstd)
    compress (out, bytes, n, ZSTD_e_continue);
  else
    write_all (out, bytes, n);
}

/* Write the start of the trace before its first frame.  The thread that puts the frame writes it,
   because a reader that has gone away raises a signal in the thread that writes. */
static void
begin (struct cab_trace_out *out)
{
  static const struct cab_trace_start start = { CAB_TRACE_MAGIC, CAB_TRACE_VERSION,
						CAB_PART_BYTE_ORDER };
  if (!out->begun)
    put_bytes (out, &start, sizeof start);
  out->begun = true;
}

int
cab_trace_out_open (struct cab_trace_out *out, const struct cab_trace_request *request,
		    struct cab_diag *diag)
{
  bool packed = !strcmp (request->format, "packed");
  *out = (struct cab_trace_out) { .target = request->target,
				  .predict = request->compress && request->predict };
  if (strcmp (request->format, "text") && !strcmp (request->target, "-") && isatty (STDOUT_FILENO))
    return refuse ("--trace=-", diag, "a terminal cannot show it",
		   "pass it on by a pipe, or add --trace-format=text");
  out->fd = open_target (request->target, diag);
  if (out->fd < 0 || (!packed && start_stage (out, request, diag) < 0))
    return -1;
  if (request->compress == CAB_COMPRESS_ZSTD)
    {
      out->zstd = ZSTD_createCCtx ();
      if (!out->zstd)
	xmalloc_failed (0);
      ZSTD_CCtx_setParameter (out->zstd, ZSTD_c_compressionLevel, LEVEL);
      ZSTD_CCtx_setParameter (out->zstd, ZSTD_c_checksumFlag, 1);
      out->room = ZSTD_CStreamOutSize ();
      out->buffer = xmalloc (out->room);
    }
  return 0;
}

int
cab_trace_compress_named (const char *how)
{
  static const char *const names[] = { "none", "predicted", "zstd" };
  for (size_t i = 0; i < ARRAY_SIZE (names); i++)
    if (!strcmp (how, names[i]))
      return i;
  return -1;
}

/* Return the slot of the tables of PROCESS, which are reset by each of its headers. */
static struct cab_words **
predictor_of (struct cab_trace_out *out, uint32_t process)
{
  if (process >= out->n_predictors)
    {
      out->predictors = XRESIZEVEC (struct cab_words *, out->predictors, process + 1);
      while (out->n_predictors <= process)
	out->predictors[out->n_predictors++] = NULL;
    }
  return &out->predictors[process];
}

/* Predict the words of chunk *F and return the result, to which *F is adjusted. */
static const void *
predict (struct cab_trace_out *out, struct cab_trace_frame *f, const void *words)
{
  struct cab_words **predictor = predictor_of (out, f->process);
  size_t n = f->bytes / 8, room = cab_words_room (n);
  if (!*predictor)
    *predictor = XCNEW (struct cab_words);
  if (room > out->packed_room)
    out->packed = xrealloc (out->packed, out->packed_room = room);
  f->bytes = cab_words_pack (*predictor, words, n, out->packed);
  f->method = CAB_TRACE_PREDICTED;
  return out->packed;
}

void
cab_trace_out_put (struct cab_trace_out *out, const struct cab_trace_frame *frame,
		   const void *bytes)
{
  struct cab_trace_frame f = *frame;
  if (out->error)
    return;
  if (out->predict && f.kind == CAB_TRACE_HEADER)
    {
      struct cab_words **predictor = predictor_of (out, f.process);
      free (*predictor);
      *predictor = NULL;
    }
  if (out->predict && f.kind == CAB_TRACE_CHUNK && f.bytes / 8 <= CAB_WORDS_MAX)
    bytes = predict (out, &f, bytes);
  begin (out);
  put_bytes (out, &f, sizeof f);
  put_bytes (out, bytes, f.bytes);
  out->unflushed += f.bytes;
  if (out->zstd && out->unflushed >= FLUSH_BYTES)
    {
      compress (out, NULL, 0, ZSTD_e_flush);
      out->unflushed = 0;
    }
}

int
cab_trace_out_close (struct cab_trace_out *out)
{
  int status = 0;
  begin (out);
  if (out->zstd && !out->error)
    compress (out, NULL, 0, ZSTD_e_end);
  if (close (out->fd) < 0 && !out->error)
    out->error = errno;
  if (out->stage > 0 && waitpid (out->stage, &status, 0) == out->stage && status && !out->error)
    out->error = EIO;
  ZSTD_freeCCtx (out->zstd);
  for (uint32_t i = 0; i < out->n_predictors; i++)
    free (out->predictors[i]);
  free (out->predictors);
  free (out->packed);
  free (out->buffer);
  return out->error;
}

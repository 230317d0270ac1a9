/* trace_sink.c - see trace_sink.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/trace/trace_sink.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "rt/base/rt.h"
#include "rt/base/say.h"
#include "rt/common/text.h"

#define PREFIX "unix:"
#define HIGH_DESCRIPTOR 500   /* programs assume that low numbers are their own */

static int
is_ours (const struct cab_trace_sink *sink, int fd)
{
  struct stat s;
  return fstat (fd, &s) == 0 && s.st_dev == sink->dev && s.st_ino == sink->ino;
}

/* Record the identity of the sink.  A sink that is not kept open is examined by name: the program
   may have closed FD.  A link may lead to a device, but not to a file. */
static int
know (struct cab_trace_sink *sink, int fd)
{
  struct stat s;
  if ((sink->kind == CAB_SINK_FILE ? lstat (sink->path, &s)
       : sink->kind == CAB_SINK_DEVICE ? stat (sink->path, &s)
       : fstat (fd, &s))
      < 0)
    return -errno;
  sink->dev = s.st_dev;
  sink->ino = s.st_ino;
  switch (sink->kind)
    {
    case CAB_SINK_FILE: return S_ISREG (s.st_mode) ? 0 : -EINVAL;
    case CAB_SINK_DEVICE: return S_ISCHR (s.st_mode) ? 0 : -EINVAL;
    case CAB_SINK_PIPE: return S_ISFIFO (s.st_mode) ? 0 : -EINVAL;
    default: return S_ISSOCK (s.st_mode) ? 0 : -EINVAL;
    }
}

/* Return nonzero if N more bytes would exceed the limit of file sizes, which sends a signal. */
static int
exceeds (int fd, uint64_t n)
{
  struct stat s;
  return fstat (fd, &s) == 0 && S_ISREG (s.st_mode) && cab_sys_may_reach (s.st_size + n) < 0;
}

/* The part of a frame that is not yet written. */
struct rest
{
  struct iovec *v;
  int n;
};

static void
drop (struct rest *rest, size_t done)
{
  for (; rest->n > 0 && done >= rest->v->iov_len; rest->v++, rest->n--)
    done -= rest->v->iov_len;
  if (rest->n > 0)
    {
      rest->v->iov_base = (char *) rest->v->iov_base + done;
      rest->v->iov_len -= done;
    }
}

static int
write_rest (int fd, int is_socket, struct rest *rest)
{
  while (rest->n > 0)
    {
      struct msghdr message = { .msg_iov = rest->v, .msg_iovlen = rest->n };
      ssize_t done = is_socket ? sendmsg (fd, &message, MSG_NOSIGNAL)
			       : writev (fd, rest->v, rest->n);
      if (done < 0 && errno != EINTR)
	return -errno;
      if (done >= 0)
	drop (rest, done);
    }
  return 0;
}

/* Open the file and write to it.  Return 0, or -errno; -EBADF or -ESTALE if it was closed during
   that, or another file lies there. */
static int
append (struct cab_trace_sink *sink, struct rest *rest)
{
  uint64_t bytes = 0;
  for (int i = 0; i < rest->n; i++)
    bytes += rest->v[i].iov_len;
  int fd = cab_sys_open (
    sink->path, O_WRONLY | O_APPEND | (sink->kind == CAB_SINK_FILE ? O_NOFOLLOW : O_NOCTTY), 0);
  if (fd < 0)
    return fd;
  int error = !is_ours (sink, fd) ? -ESTALE
	    : exceeds (fd, bytes) ? -EFBIG
	    : write_rest (fd, 0, rest);
  if (is_ours (sink, fd))
    close (fd);
  return error;
}

/* Write to the pipe, and suppress the signal of one that has no reader: there is no flag for
   that. */
static int
write_pipe (const struct cab_trace_sink *sink, struct rest *rest)
{
  static const struct timespec now;
  sigset_t signals, before, waiting;
  if (!sink->fd || !is_ours (sink, sink->fd - 1))
    return -EPIPE;
  sigemptyset (&signals);
  sigaddset (&signals, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &signals, &before);
  sigpending (&waiting);
  int error = write_rest (sink->fd - 1, 0, rest);
  if (error == -EPIPE && !sigismember (&waiting, SIGPIPE))
    sigtimedwait (&signals, NULL, &now);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return error;
}

static int
put (struct cab_trace_sink *sink, struct iovec *v, int n)
{
  struct rest rest = { v, n };
  if (sink->kind == CAB_SINK_SOCKET)
    return sink->fd ? write_rest (sink->fd - 1, 1, &rest) : -EPIPE;
  if (sink->kind == CAB_SINK_PIPE)
    return write_pipe (sink, &rest);
  int error = append (sink, &rest);
  for (int tries = 1; (error == -EBADF || error == -ESTALE) && tries < CAB_TRACE_TRIES; tries++)
    error = append (sink, &rest);
  return error;
}

int
cab_trace_sink_put (struct cab_trace_sink *sink, const struct cab_trace_frame *frame,
		    const void *bytes)
{
  struct iovec v[2] = { { (void *) frame, sizeof *frame }, { (void *) bytes, frame->bytes } };
  return put (sink, v, 2);
}

/* Move FD to a high number.  Return that, or -errno. */
static int
raise_descriptor (int fd)
{
  int high = fcntl (fd, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
  if (high < 0)
    high = fcntl (fd, F_DUPFD_CLOEXEC, 3);
  int error = errno;
  close (fd);
  return high < 0 ? -error : high;
}

/* Keep FD open, unless there was an ERROR.  Return 0 or -errno. */
static int
keep (struct cab_trace_sink *sink, int fd, int error)
{
  error = error ? error : know (sink, fd);
  if (error < 0)
    close (fd);
  else
    sink->fd = fd + 1;
  return error;
}

static int
connect_to (struct cab_trace_sink *sink, const char *path)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  if (strlen (path) >= sizeof address.sun_path)
    return -ENAMETOOLONG;
  strcpy (address.sun_path, path);
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  fd = fd < 0 ? -errno : raise_descriptor (fd);
  return fd < 0
	 ? fd
	 : keep (sink, fd,
		 connect (fd, (struct sockaddr *) &address, sizeof address) < 0 ? -errno : 0);
}

/* Open the pipe at the sink's path.  IS_CHILD: the parent's trace may be in it.  Return 0 or
   -errno. */
static int
open_pipe (struct cab_trace_sink *sink, int is_child)
{
  int fd;
  if (is_child)
    return -EBUSY;
  do
    fd = cab_sys_open (sink->path, O_WRONLY, 0);
  while (fd == -EINTR);
  fd = fd < 0 ? fd : raise_descriptor (fd);
  return fd < 0 ? fd : keep (sink, fd, flock (fd, LOCK_EX | LOCK_NB) < 0 ? -EBUSY : 0);
}

/* Return the kind of what exists at the sink's path. */
static enum cab_trace_sink_kind
kind_of_path (const struct cab_trace_sink *sink)
{
  struct stat s;
  if (stat (sink->path, &s) < 0)
    return CAB_SINK_FILE;
  return S_ISCHR (s.st_mode) ? CAB_SINK_DEVICE
       : S_ISFIFO (s.st_mode) ? CAB_SINK_PIPE
       : CAB_SINK_FILE;
}

static void
add_process (struct cab_text *t)
{
  cab_text_number (t, getpid (), 10);
  cab_text_add (t, "-");
  cab_text_number (t, cab_rt.part.start, 16);
}

/* Store PATTERN as an absolute name in the sink's path.  Return 0 or -errno. */
static int
name_file (struct cab_trace_sink *sink, const char *pattern)
{
  struct cab_text t = CAB_TEXT (sink->path);
  sink->path[0] = '\0';
  if (*pattern != '/')
    {
      if (!getcwd (sink->path, sizeof sink->path))
	return -errno;
      t.n = strlen (sink->path);
      cab_text_add (&t, "/");
    }
  for (; *pattern; pattern++)
    if (pattern[0] == '%' && pattern[1] == 'p')
      {
	add_process (&t);
	pattern++;
      }
    else
      {
	pattern += pattern[0] == '%' && pattern[1] == '%';
	cab_text_add_bytes (&t, pattern, 1);
      }
  return t.cut ? -ENAMETOOLONG : 0;
}

static int
create (struct cab_trace_sink *sink, const char *pattern, int quiet)
{
  int error = name_file (sink, pattern);
  if (error < 0)
    return error;
  sink->kind = kind_of_path (sink);
  if (sink->kind != CAB_SINK_FILE)
    return sink->kind == CAB_SINK_PIPE ? open_pipe (sink, quiet) : know (sink, -1);
  int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, fd = cab_sys_open (sink->path, flags, 0666);
  if (fd == -EEXIST)
    {
      struct cab_text t = { sink->path, strlen (sink->path), sizeof sink->path, 0 };
      if (!quiet)
	cab_say (sink->path, "is there already: it stays", 0,
		 "this process' trace has its number and start after the name");
      cab_text_add (&t, ".");
      add_process (&t);
      fd = t.cut ? -ENAMETOOLONG : cab_sys_open (sink->path, flags, 0666);
    }
  if (fd < 0)
    return fd;
  error = know (sink, fd);
  if (is_ours (sink, fd))
    close (fd);
  return error;
}

int
cab_trace_sink_open (struct cab_trace_sink *sink, const char *target, int quiet)
{
  struct cab_trace_start start = { CAB_TRACE_MAGIC, CAB_TRACE_VERSION, CAB_PART_BYTE_ORDER };
  struct iovec v = { &start, sizeof start };
  int is_socket = strncmp (target, PREFIX, strlen (PREFIX)) == 0;
  sink->kind = is_socket ? CAB_SINK_SOCKET : CAB_SINK_FILE;
  sink->fd = 0;
  int error = is_socket ? connect_to (sink, target + strlen (PREFIX))
			: create (sink, target, quiet);
  return error < 0 ? error : put (sink, &v, 1);
}

int
cab_trace_sink_ready (const struct cab_trace_sink *sink)
{
  return sink->kind != CAB_SINK_SOCKET || (sink->fd && is_ours (sink, sink->fd - 1));
}

int
cab_trace_sink_was_told (const struct cab_trace_sink *sink)
{
  char byte;
  return sink->kind == CAB_SINK_SOCKET && sink->fd && is_ours (sink, sink->fd - 1)
      && recv (sink->fd - 1, &byte, 1, MSG_DONTWAIT) == 1;
}

void
cab_trace_sink_close (struct cab_trace_sink *sink)
{
  if (sink->fd && is_ours (sink, sink->fd - 1))
    close (sink->fd - 1);
  sink->fd = 0;
}

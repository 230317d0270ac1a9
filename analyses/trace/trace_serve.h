/* trace_serve.h - `cabprof record' takes what processes send, and makes one trace of it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a socket in a directory of its own; a thread that takes frames of all processes as
 *             they come, gives each process a number, and puts them out.  When the program has
 *             ended, it waits for the processes that are still connected, and adds what those left
 *             that were killed.
 * Threads:    open, start, end in the caller's.
 * Errors:     open: negative, with words.  A target that cannot be written: told once, the
 *             processes are told that it was, and go on.
 */
#ifndef CAB_TRACE_SERVE_H
#define CAB_TRACE_SERVE_H

#include "analyses/trace/trace_out.h"

struct cab_trace_server;

/* DIR: the profile of the run. */
struct cab_trace_server *cab_trace_serve_open (const struct cab_trace_request *request,
					       const char *dir, struct cab_diag *diag);
/* "unix:PATH", for the option trace. */
const char *cab_trace_serve_address (const struct cab_trace_server *server);
void cab_trace_serve_start (struct cab_trace_server *server);
/* The program has ended: 0, or negative if the trace is not whole (told). */
int cab_trace_serve_end (struct cab_trace_server *server);

#endif

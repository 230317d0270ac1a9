/* trace_serve.h - `cabprof record' receives what processes send, and makes one trace of it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a socket in a directory of its own; a thread that receives frames of all processes as
 *             they arrive, gives each process a number, and puts them out.  When the program has
 *             ended, it waits for the processes that are still connected, and adds what killed
 *             processes have left.
 * Threads:    open, start and end are called by the caller's thread.
 * Errors:     open: null, with words.  If the target cannot be written, that is reported once, the
 *             processes are told so, and go on.
 */
#ifndef CAB_TRACE_SERVE_H
#define CAB_TRACE_SERVE_H

#include "analyses/trace/trace_out.h"

struct cab_trace_server;

/* Open the target and the socket; DIR is the profile of the run. */
struct cab_trace_server *cab_trace_serve_open (const struct cab_trace_request *request,
					       const char *dir, struct cab_diag *diag);
/* Return "unix:PATH", for the option trace. */
const char *cab_trace_serve_address (const struct cab_trace_server *server);
/* Start the thread. */
void cab_trace_serve_start (struct cab_trace_server *server);
/* Finish the trace after the program has ended, and free SERVER.  Return 0, or negative if the
   trace is incomplete, which was reported. */
int cab_trace_serve_end (struct cab_trace_server *server);

#endif

/* single_step.c - see single_step.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "testsuite/unit/single_step.h"
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include <libiberty/libiberty.h>

static int
grow_shared (struct cab_arena *arena, size_t cap)
{
  if (cap > SHARED_BYTES)
    return -1;
  arena->cap = cap;
  return 0;
}

static void
publish_shared (struct cab_arena *arena)
{
  ((struct shared *) arena->host)->used = arena->used;
}

struct shared *
map_shared (void)
{
  void *shared = mmap (NULL, sizeof (struct shared), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return shared == MAP_FAILED ? NULL : shared;
}

void
unmap_shared (struct shared *shared)
{
  munmap (shared, sizeof *shared);
}

struct cab_arena
shared_arena (struct shared *shared, size_t cap)
{
  return (struct cab_arena) { shared->bytes, shared->used, cap,
			      grow_shared,   publish_shared, shared };
}

void
be_watched (void)
{
  ptrace (PTRACE_TRACEME, 0, NULL, NULL);
  raise (SIGSTOP);
}

bool
step_through (struct shared *shared, void (*child) (void *argument),
	      bool (*good) (void *argument), void *argument)
{
  struct shared *last = XCNEW (struct shared);
  bool is_good = true;
  int status;
  pid_t pid = fork ();
  if (pid == 0)
    child (argument);
  waitpid (pid, &status, 0);
  while (is_good && WIFSTOPPED (status))
    {
      if (last->used != shared->used || memcmp (last->bytes, shared->bytes, shared->used))
	{
	  is_good = good (argument);
	  memcpy (last, shared, offsetof (struct shared, bytes) + shared->used);
	}
      if (ptrace (PTRACE_SINGLESTEP, pid, NULL, NULL) < 0 || waitpid (pid, &status, 0) < 0)
	break;
    }
  kill (pid, SIGKILL);
  waitpid (pid, &status, 0);
  free (last);
  return is_good;
}

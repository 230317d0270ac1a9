/* cancel_between.c - a thread that may be cancelled anywhere reaches the runtime after it is marked
 * as cancelled and before the signal arrives. glibc's pthread_cancel marks the thread, then sends
 * the signal: a filter of system calls stops it between the two, until the thread's first events
 * are sent.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge.h"
#include "probe.h"

ROW (row, 14, 12, 1);

#define EVENTS 100000
#define NO_FILTER 7
#define WAIT_MS 30000

static int ready, told, through;

static void *
late (void *unused)
{
  pthread_setcanceltype (PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  __atomic_store_n (&ready, 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n (&told, __ATOMIC_ACQUIRE))
    ;
  for (int i = 0; i < EVENTS; i++)
    {
      probe_count (&row, 2);
      probe_enqueue (probe_path (&row, i % 10));
    }
  __atomic_store_n (&through, 1, __ATOMIC_RELEASE);
  for (;;)
    ;
  return unused;
}

/* Let each tgkill of the calling thread, and of those that it makes, wait for an answer from the
   reader of the returned descriptor. */
static int
hold_signals (void)
{
  struct sock_filter code[] =
  {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
  };
  struct sock_fprog program = { sizeof code / sizeof *code, code };
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
    return -1;
  return syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

/* `hold' reads from it. */
static int listener = -1;

static void *
hold (void *unused)
{
  struct seccomp_notif asked = { 0 };
  while (__atomic_load_n (&listener, __ATOMIC_ACQUIRE) < 0)
    usleep (1000);
  if (ioctl (listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) < 0)
    _exit (3);
  __atomic_store_n (&told, 1, __ATOMIC_RELEASE);
  for (int ms = 0; !__atomic_load_n (&through, __ATOMIC_ACQUIRE); ms++)
    if (ms < WAIT_MS)
      usleep (1000);
    else
      _exit (4);
  struct seccomp_notif_resp answer = { .id = asked.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };
  if (ioctl (listener, SECCOMP_IOCTL_NOTIF_SEND, &answer) < 0)
    _exit (5);
  return unused;
}

static int
run (void)
{
  pthread_t holder, id;
  void *result;
  pthread_create (&holder, NULL, hold, NULL);
  pthread_create (&id, NULL, late, NULL);
  while (!__atomic_load_n (&ready, __ATOMIC_ACQUIRE))
    usleep (1000);
  int fd = hold_signals ();
  if (fd < 0)
    return NO_FILTER;
  __atomic_store_n (&listener, fd, __ATOMIC_RELEASE);
  pthread_cancel (id);
  pthread_join (id, &result);
  pthread_join (holder, NULL);
  return result != PTHREAD_CANCELED;
}

int
main (void)
{
  if (getenv ("CAB_TEST_RUN"))
    return run ();
  static const char *const options[] = { "ring=4K:chunk=512", "placement=inline", "" };
  const char *base = judge_directory ();
  for (int i = 0; i < 3; i++)
    {
      char dir[512], parts[2][512];
      snprintf (dir, sizeof dir, "%s/%d", base, i);
      int status = judge_run (dir, options[i], "late", 0);
      if (WIFEXITED (status) && WEXITSTATUS (status) == NO_FILTER)
	{
	  puts ("no filter of system calls may be installed here");
	  return 77;
	}
      CHECK (status == 0, "%s: %d", options[i], status);
      CHECK (judge_parts (dir, parts, 2) == 1, "one part");
      struct judge_part part = judge_open (parts[0]);
      CHECK (judge_count (&part, 1, 2) == EVENTS, "%s: counts", options[i]);
      judge_close (&part);
    }
  return 0;
}

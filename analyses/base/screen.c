/* screen.c - see screen.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/base/screen.h"
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/seconds.h"

#define LINES_DEFAULT 24

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static struct termios saved;
static volatile sig_atomic_t has_keys;
static sigset_t waiting;   /* the signal mask while waiting for input: SIGWINCH is not blocked */

/* Restore the terminal's settings and raise SIGNAL_NUMBER with its default action. */
static void
leave (int signal_number)
{
  if (has_keys)
    tcsetattr (STDIN_FILENO, TCSANOW, &saved);
  signal (signal_number, SIG_DFL);
  raise (signal_number);
}

static void
resized (int signal_number)
{
  (void) signal_number;
}

static void
catch_signals (void)
{
  struct sigaction action = { .sa_handler = resized };
  sigset_t blocked;
  sigemptyset (&action.sa_mask);
  sigaction (SIGWINCH, &action, NULL);
  action.sa_handler = leave;
  for (size_t i = 0; i < ARRAY_SIZE (ending); i++)
    {
      struct sigaction before;
      if (sigaction (ending[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
	sigaction (ending[i], &action, NULL);
    }
  /* SIGWINCH is delivered in ppoll only, so that a change of size before it is not missed. */
  sigemptyset (&blocked);
  sigaddset (&blocked, SIGWINCH);
  sigprocmask (SIG_BLOCK, &blocked, &waiting);
  sigdelset (&waiting, SIGWINCH);
}

/* Make keys available as they are typed.  Called again before each wait, since a stop and a
   continuation change the settings. */
static void
take_keys (void)
{
  struct termios keys = saved;
  if (!has_keys || tcgetpgrp (STDIN_FILENO) != getpgrp ())
    return;
  keys.c_lflag &= ~(ICANON | ECHO);
  keys.c_cc[VMIN] = 0;
  keys.c_cc[VTIME] = 0;
  tcsetattr (STDIN_FILENO, TCSANOW, &keys);
}

bool
cab_screen_begin (void)
{
  if (!isatty (STDOUT_FILENO))
    return false;
  has_keys = isatty (STDIN_FILENO) && tcgetpgrp (STDIN_FILENO) == getpgrp ()
	     && tcgetattr (STDIN_FILENO, &saved) == 0;
  catch_signals ();
  take_keys ();
  return true;
}

void
cab_screen_end (void)
{
  if (has_keys)
    tcsetattr (STDIN_FILENO, TCSANOW, &saved);
  has_keys = 0;
}

long
cab_screen_lines (void)
{
  struct winsize size;
  return ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row ? size.ws_row : LINES_DEFAULT;
}

void
cab_screen_clear (void)
{
  fputs ("\033[H\033[2J", stdout);
  fflush (stdout);
}

/* Read what was typed.  Return true with *EVENT set if it has a meaning, false if it has none.  A
   terminal that is gone means CAB_SCREEN_QUIT. */
static bool
read_keys (enum cab_screen_event *event)
{
  char keys[64];
  ssize_t n = read (STDIN_FILENO, keys, sizeof keys);
  if (n <= 0 || memchr (keys, 'q', n) || memchr (keys, 'Q', n))
    *event = CAB_SCREEN_QUIT;
  else if (!memchr (keys, ' ', n) && !memchr (keys, '\n', n) && !memchr (keys, '\r', n))
    return false;
  return true;
}

enum cab_screen_event
cab_screen_wait (double seconds)
{
  enum cab_screen_event event = CAB_SCREEN_TIME;
  double end = cab_seconds () + seconds;
  take_keys ();
  for (double left = seconds; left > 0; left = end - cab_seconds ())
    {
      struct timespec wait = { left, (left - (long) left) * 1e9 };
      struct pollfd key = { STDIN_FILENO, POLLIN, 0 };
      int n = ppoll (&key, has_keys ? 1 : 0, &wait, &waiting);
      if (n < 0 || (n > 0 && read_keys (&event)))
	break;   /* the size has changed, or a key asks for the next page */
    }
  return event;
}

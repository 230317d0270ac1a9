/* build_record.c - run a command of a build and record it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/formats/build_record.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "loopfb/formats/build_log.h"
#include "loopfb/formats/file_hash.h"

#define INSIDE "CABPROF_BUILD_INSIDE"

/* A record under construction. */
struct text
{
  char *v;
  size_t n, room;
};

static void
put (struct text *text, const char *head, const char *body)
{
  size_t a = strlen (head), b = strlen (body) + 1;
  if (text->n + a + b > text->room)
    text->v = xrealloc (text->v, text->room = 2 * (text->n + a + b));
  memcpy (text->v + text->n, head, a);
  memcpy (text->v + text->n + a, body, b);
  text->n += a + b;
}

static void
put_file (struct text *text, const char *letter, const char *cwd, const char *path)
{
  char *whole = cab_absolute (cwd, path), *hash = cab_file_hash (whole),
       *line = concat (whole, "\t", hash, NULL);
  put (text, letter, line);
  free (line);
  free (hash);
  free (whole);
}

static void
put_files (struct text *text, const char *letter, const char *cwd,
	   const struct cab_named_list *list)
{
  for (int i = 0; i < list->n; i++)
    put_file (text, letter, cwd, list->v[i].path);
}

/* Record the file that the linker will find for -lNAME, if it is in one of the directories that the
   command names. */
static void
put_library (struct text *text, const char *cwd, const struct cab_args *args, const char *name)
{
  static const char *const tails[] = { ".so", ".a" };
  for (int d = 0; d < args->dirs.n; d++)
    for (int k = args->is_static && *name != ':'; k < (*name == ':' ? 1 : 2); k++)
      {
	const char *dir = args->dirs.v[d].path;
	char *path = *name == ':' ? concat (dir, "/", name + 1, NULL)
				  : concat (dir, "/lib", name, tails[k], NULL);
	char *whole = cab_absolute (cwd, path);
	bool found = !access (whole, R_OK);
	if (found)
	  put_file (text, "i", cwd, path);
	free (whole);
	free (path);
	if (found)
	  return;
      }
}

static void
put_environment (struct text *text)
{
  static const char *const names[] = { CAB_BUILD_ENVIRONMENT };
  for (const char *const *name = names; *name; name++)
    {
      const char *value = getenv (*name);
      char *line = concat (*name, value ? "=" : "", value ? value : "", NULL);
      put (text, "e", line);
      free (line);
    }
}

/* Record all that is known before the command runs. */
static void
begin_record (struct text *text, const char *program, const struct cab_args *args, int argc,
	      char **argv, const char *cwd)
{
  char digit[16];
  put (text, "", CAB_BUILD_MARK);
  put (text, "p", program);
  put (text, "d", cwd);
  snprintf (digit, sizeof digit, "%d", args->tool);
  put (text, "n", digit);
  for (int i = 0; i < argc; i++)
    put (text, "a", argv[i]);
  put_environment (text);
  put_files (text, "i", cwd, &args->sources);
  put_files (text, "i", cwd, &args->inputs);
  for (int i = 0; i < args->libs.n; i++)
    put_library (text, cwd, args, args->libs.v[i].path);
  if (args->step == CAB_STEP_ARCHIVE || args->step == CAB_STEP_CHANGE)
    put_files (text, "i", cwd, &args->outputs);
}

static void
end_record (struct text *text, const struct cab_args *args, const char *cwd, int status)
{
  char number[16];
  snprintf (number, sizeof number, "%d", status);
  put (text, "s", number);
  put_files (text, "o", cwd, &args->outputs);
  put (text, "", CAB_BUILD_END);
  const char *path = getenv (CAB_BUILD_LOG);
  int log = open (path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (log < 0 || write (log, text->v, text->n) != (ssize_t) text->n)
    fprintf (stderr, "cabprof: %s: cannot write: this command is not recorded; check the disk\n",
	     path);
  if (log >= 0)
    close (log);
}

bool
cab_build_recording (void)
{
  const char *log = getenv (CAB_BUILD_LOG);
  return log && *log && !getenv (INSIDE);
}

static int
run (const char *program, char **argv)
{
  int report[2], error = 0, status = 0;
  if (pipe2 (report, O_CLOEXEC) < 0)
    return -1;
  pid_t pid = fork ();
  if (pid == 0)
    {
      setenv (INSIDE, "1", 1);
      execv (program, argv);
      error = errno;
      _exit (write (report[1], &error, sizeof error) < 0 ? 126 : 127);
    }
  /* Signals of the terminal reach the child too; this process lives on to report how it ended. */
  signal (SIGINT, SIG_IGN);
  signal (SIGQUIT, SIG_IGN);
  close (report[1]);
  while (pid > 0 && read (report[0], &error, sizeof error) < 0 && errno == EINTR)
    continue;
  close (report[0]);
  while (pid > 0 && waitpid (pid, &status, 0) < 0 && errno == EINTR)
    continue;
  if (pid > 0 && error)
    errno = error;
  return pid < 0 || error ? -1 : status;
}

static void __attribute__ ((noreturn))
end_alike (int status)
{
  struct rlimit none = { 0, 0 };
  if (!WIFSIGNALED (status))
    exit (WEXITSTATUS (status));
  setrlimit (RLIMIT_CORE, &none);
  signal (WTERMSIG (status), SIG_DFL);
  raise (WTERMSIG (status));
  exit (128 + WTERMSIG (status));
}

void
cab_build_record (const char *program, enum cab_tool tool, int argc, char **argv)
{
  struct text text = { NULL, 0, 0 };
  struct cab_args args;
  char *cwd = getpwd ();
  char **copy = dupargv (argv);
  expandargv (&argc, &copy);
  cab_args_parse (&args, tool, argc, copy);
  if (args.step != CAB_STEP_NONE)
    begin_record (&text, program, &args, argc, copy, cwd ? cwd : "/");
  int status = run (program, argv);
  if (status < 0)
    return;
  if (args.step != CAB_STEP_NONE)
    end_record (&text, &args, cwd ? cwd : "/", status);
  end_alike (status);
}

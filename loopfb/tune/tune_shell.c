/* tune_shell.c - run a command of the user's with the wrappers in the compilers' place.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_shell.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/say.h"

/* Return true if PATH, called NAME, is a tool to record: GCC for this machine (a cc may be another
   compiler), or any archiver or other tool of enum cab_tool. */
static bool
is_recordable (const char *name, const char *path)
{
  char whole[PATH_MAX];
  struct utsname machine;
  enum cab_tool tool = cab_args_tool (name);
  if (tool == CAB_TOOL_NONE || !strncmp (name, "cabprof-", 8) || access (path, X_OK)
      || !realpath (path, whole) || uname (&machine) < 0)
    return false;
  const char *base = lbasename (whole);
  if (tool != CAB_TOOL_GCC)
    return true;
  /* The name may be gcc-12 or x86_64-linux-gnu-gcc-12, but not arm-linux-gnueabi-gcc or ccache. */
  return cab_args_tool (base) == CAB_TOOL_GCC
      && (!strncmp (base, machine.machine, strlen (machine.machine)) || !strchr (base, '-')
	  || base[0] == 'g')
      && !strstr (base, "mingw");
}

/* Link WRAPPER into the directory BIN under the name of each tool in PATH that is to be
   recorded. */
static void
link_tools (const char *bin, const char *wrapper)
{
  const char *path = getenv ("PATH");
  mkdir (bin, 0777);
  for (const char *dir = path ? path : ""; *dir; dir += *dir == ':')
    {
      char *head = xstrndup (dir, strcspn (dir, ":"));
      DIR *stream = opendir (head);
      for (struct dirent *entry; stream && (entry = readdir (stream));)
	{
	  char *file = concat (head, "/", entry->d_name, NULL),
	       *name = concat (bin, "/", entry->d_name, NULL);
	  if (is_recordable (entry->d_name, file))
	    (void) !symlink (wrapper, name);
	  free (file);
	  free (name);
	}
      if (stream)
	closedir (stream);
      dir += strlen (head);
      free (head);
    }
}

/* Return the path of cabprof-gcc, which lies beside this program, or null after a message. */
static char *
find_wrapper (void)
{
  char self[PATH_MAX];
  ssize_t n = readlink ("/proc/self/exe", self, sizeof self - 1);
  self[n > 0 ? n : 0] = 0;
  char *slash = strrchr (self, '/');
  if (slash)
    *slash = 0;
  char *wrapper = concat (self, "/cabprof-gcc", NULL);
  if (!access (wrapper, X_OK))
    return wrapper;
  cab_say ("%s: not found: build or install cabprof as a whole", wrapper);
  free (wrapper);
  return NULL;
}

/* Show the last lines of a command's output. */
static void
show_end (const char *path)
{
  char text[2049];
  FILE *file = fopen (path, "re");
  long size = file && !fseek (file, 0, SEEK_END) ? ftell (file) : 0;
  if (!file)
    return;
  fseek (file, size > 2048 ? size - 2048 : 0, SEEK_SET);
  text[fread (text, 1, 2048, file)] = 0;
  fclose (file);
  fputs (text, stderr);
}

/* Run COMMAND by the shell, with ENV (NAME=VALUE, ends with null) and its output in LOG.  Return
   its status, as waitpid gives it. */
static int
shell (const char *command, char *const *env, const char *log)
{
  int status = -1;
  pid_t pid = fork ();
  if (pid == 0)
    {
      int out = open (log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
      signal (SIGINT, SIG_DFL);
      for (; *env; env++)
	putenv (*env);
      if (out < 0 || dup2 (out, 1) < 0 || dup2 (out, 2) < 0)
	_exit (127);
      execl ("/bin/sh", "sh", "-c", command, (char *) NULL);
      _exit (127);
    }
  while (pid > 0 && waitpid (pid, &status, 0) < 0 && errno == EINTR)
    continue;
  return status;
}

static int
refuse_build (const char *command, const char *said, int status)
{
  if (cab_interrupted)
    return CAB_INTERRUPTED;
  show_end (said);
  if (WIFSIGNALED (status))
    cab_say ("%s: killed by signal %d: see %s", command, WTERMSIG (status), said);
  else
    cab_say ("%s: the build failed, exit status %d: repair it; all that it said is in %s", command,
	     WEXITSTATUS (status), said);
  return -1;
}

int
cab_tune_shell (const struct cab_tune *tune, const char *command, const char *hints,
		const char *log)
{
  char *wrapper = find_wrapper (), *said = concat (tune->work, "/build.out", NULL);
  const char *path = getenv ("PATH");
  char *env[] = { concat ("PATH=", tune->own_path, ":", path ? path : "/usr/bin:/bin", NULL),
		  concat (CAB_FEEDBACK "=", hints, NULL), xstrdup ("CCACHE_DISABLE=1"),
		  log ? concat (CAB_BUILD_LOG "=", log, NULL) : NULL, NULL };
  int status = -1;
  if (wrapper)
    {
      link_tools (tune->own_path, wrapper);
      status = shell (command, env, said);
      if (status)
	status = refuse_build (command, said, status);
    }
  for (char **e = env; *e; e++)
    free (*e);
  free (said);
  free (wrapper);
  return status;
}

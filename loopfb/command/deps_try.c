/* deps_try.c - see deps_try.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/command/deps_try.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/seconds.h"
#include "analyses/command/command.h"
#include "loopfb/command/patch_file.h"
#include "loopfb/decide/decide.h"

#define ALPHA 0.035    /* chance of error of the first race; each other has a quarter of the last */
#define WIDTH 0.01     /* differences of less than this part of the time are not looked for */
#define MOST_SINGLE 8  /* directives that are tried by themselves */

struct trial
{
  struct cab_model *model;
  struct cab_deps_patch_options patch;
  const struct cab_deps_try_options *options;
  char *dir;                  /* bin, plain, parallel, patch, out files */
  bool interrupted;           /* a command has ended by SIGINT */
  char *plain_output;
  double alpha;
  struct cab_ratio ratio;     /* of the last race */
};

/* Run SCRIPT by the shell: $1 is the trial's directory, $2 is NAME, $3 COMMAND.  Return its exit
   status, or 255 if it was killed. */
static int
shell (struct trial *t, const char *script, const char *name, const char *command)
{
  int status = -1;
  pid_t pid = fork ();
  if (pid == 0)
    {
      signal (SIGINT, SIG_DFL);
      execl ("/bin/sh", "sh", "-c", script, "sh", t->dir, name, command, (char *) NULL);
      _exit (127);
    }
  while (pid > 0 && waitpid (pid, &status, 0) < 0 && errno == EINTR)
    continue;
  t->interrupted |= pid > 0 && WIFSIGNALED (status) && WTERMSIG (status) == SIGINT;
  return pid > 0 && WIFEXITED (status) ? WEXITSTATUS (status) : 255;
}

/* Put scripts in the compilers' place that add -fopenmp. */
static int
make_wrappers (struct trial *t)
{
  static const char script[]
    = "mkdir \"$1/bin\" && for tool in gcc cc g++ c++ gfortran; do\n"
      "real=$(command -v $tool) || continue\n"
      "printf '#!/bin/sh\\n: >\"${0%%/*}/../used\"\\nexec \"%s\" \"$@\" -fopenmp\\n' \"$real\""
      " >\"$1/bin/$tool\"\n"
      "chmod +x \"$1/bin/$tool\"; done";
  return shell (t, script, "", "");
}

/* Copy the working directory to NAME in the trial's directory, and build it there; "parallel" with
   the patch. */
static int
build (struct trial *t, const char *name)
{
  static const char script[]
    = "cp -a . \"$1/$2\" && cd \"$1/$2\" || exit\n"
      "if [ \"$2\" = parallel ]; then\n"
      "  patch -s -p1 <\"$1/patch\" || exit\n"
      "  export PATH=\"$1/bin:$PATH\"\n"
      "fi\n"
      "export CABPROF_DISABLE=1\n"
      "eval \"$3\" >\"$1/build.out\" 2>&1";
  if (!shell (t, script, name, t->options->build))
    return 0;
  shell (t, "[ ! -e \"$1/build.out\" ] || tail -n 20 \"$1/build.out\" >&2", "", "");
  if (!t->interrupted)
    cab_say ("%s: the build of the %s program failed: repair it", t->options->build,
	     !strcmp (name, "plain") ? "plain" : "patched");
  return -1;
}

/* Return the contents of the trial's file `out', to be freed. */
static char *
read_output (const struct trial *t)
{
  struct cab_patch_file file = { 0 };
  char *path = concat (t->dir, "/out", NULL), *text = NULL;
  if (cab_patch_file_read (&file, path) == 0)
    text = xstrndup (file.text, file.length);
  cab_patch_file_fini (&file);
  free (path);
  return text;
}

/* Run the build NAME once.  Return the elapsed time, or negative if it fails or prints anything but
   what the plain one has printed first. */
static double
run (struct trial *t, const char *name)
{
  double before = cab_seconds ();
  int status = shell (t, "cd \"$1/$2\" && eval \"$3\" >\"$1/out\"", name, t->options->run);
  double elapsed = cab_seconds () - before;
  char *output = read_output (t);
  bool good = !status && output;
  if (good && !t->plain_output)
    t->plain_output = xstrdup (output);
  else if (good)
    good = cab_deps_same_output (t->plain_output, output, t->options->tolerance);
  free (output);
  return good ? elapsed : -1;
}

bool
cab_deps_same_output (const char *a, const char *b, double tolerance)
{
  while (*a && *b)
    {
      char *a_end, *b_end;
      double x = strtod (a, &a_end), y = strtod (b, &b_end);
      if (a_end > a && b_end > b)
	{
	  if (x != y && !(fabs (x - y) <= tolerance * fmax (fabs (x), fabs (y)))
	      && !(isnan (x) && isnan (y)))
	    return false;
	  a = a_end;
	  b = b_end;
	}
      else if (*a++ != *b++)
	return false;
    }
  return !*a && !*b;
}

/* Race both builds.  Return 1 if the patched one is faster, 0 if not, -1 if it prints something
   else or fails. */
static int
race (struct trial *t)
{
  enum cab_verdict verdict = CAB_RACE_OPEN;
  double *logs = XCNEWVEC (double, t->options->pairs + 1);
  struct cab_noise noise = { 0.05, 3 };
  int result = 0;
  for (int n = 0; n < t->options->pairs && verdict == CAB_RACE_OPEN && result >= 0;)
    {
      double first = run (t, n % 2 ? "parallel" : "plain"),
	     second = run (t, n % 2 ? "plain" : "parallel");
      if (first <= 0 || second <= 0)
	result = -1;
      else
	{
	  logs[n] = n % 2 ? log (first / second) : log (second / first);
	  n++;
	  verdict = cab_pairs_judge (logs, n, t->options->pairs, noise, t->alpha, WIDTH, &t->ratio);
	}
    }
  free (logs);
  t->alpha /= 4;
  return result < 0 ? -1 : verdict == CAB_RACE_WON;
}

/* Write the patch of all directives, or of directive ONLY (negative: all); *N becomes their
   number. */
static int
write_patch (struct trial *t, int only, uint32_t *n)
{
  char *path = concat (t->dir, "/patch", NULL);
  FILE *to = fopen (path, "w");
  int status = CAB_EXIT_FAILED;
  t->patch.only = only;
  t->patch.quiet = only >= 0;
  if (to)
    status = cab_deps_patch (t->model, &t->patch, to, n);
  else
    cab_say ("%s: %s: make room there", path, strerror (errno));
  if (to && fclose (to))
    status = CAB_EXIT_FAILED;
  free (path);
  return status;
}

/* Build with the present patch, and race it.  Return as race does, or -2 if it does not build. */
static int
try_patch (struct trial *t, const char *what)
{
  shell (t, "rm -rf \"$1/parallel\"", "", "");
  if (build (t, "parallel") < 0)
    return -2;
  int result = race (t);
  if (t->interrupted)
    return -2;
  if (result < 0)
    cab_say ("%s: the patched program fails, or prints something else: not kept", what);
  else
    printf ("%s: %.3f of the elapsed time (%.3f to %.3f): %s\n", what, t->ratio.mean, t->ratio.low,
	    t->ratio.high, result ? "significantly faster" : "not significantly faster");
  return result;
}

/* Try all N directives, then each by itself.  Return 1 if the present patch is to be kept. */
static int
try_all (struct trial *t, uint32_t n)
{
  char *what = xasprintf ("%u directive%s", n, n == 1 ? "" : "s");
  int result = try_patch (t, what), best = -1;
  double least = INFINITY;
  free (what);
  if (result == -2 || result == 1 || n == 1)
    return result;
  for (uint32_t k = 0; k < n && k < MOST_SINGLE; k++)
    {
      uint32_t one;
      if (write_patch (t, k, &one) || one != 1)
	continue;
      what = xasprintf ("directive %u alone", k + 1);
      result = try_patch (t, what);
      free (what);
      if (result == 1 && t->ratio.mean < least)
	{
	  least = t->ratio.mean;
	  best = k;
	}
    }
  return best >= 0 && !write_patch (t, best, &n);
}

static int
go (struct trial *t)
{
  uint32_t n = 0;
  int status = write_patch (t, -1, &n);
  if (status)
    return status;
  if (!n)
    {
      cab_say ("%s: no loop gets a directive: `cabprof report deps' says what is in the way",
	       t->model->dir);
      return CAB_EXIT_FAILED;
    }
  if (make_wrappers (t) || build (t, "plain") < 0)
    return CAB_EXIT_FAILED;
  if (run (t, "plain") < 0 || run (t, "plain") < 0)
    {
      if (t->interrupted)
	return CAB_EXIT_FAILED;
      cab_say ("%s: it fails, or prints something else each time: give one that does not",
	       t->options->run);
      return CAB_EXIT_FAILED;
    }
  int kept = try_all (t, n);
  if (kept == -2)
    return CAB_EXIT_FAILED;
  if (shell (t, "test -e \"$1/used\"", "", "") && !strstr (t->options->build, "fopenmp"))
    {
      cab_say ("%s: it calls none of gcc, cc, g++, c++ and gfortran by its name: put -fopenmp into "
	       "its flags", t->options->build);
      return CAB_EXIT_FAILED;
    }
  if (kept != 1)
    return puts ("Nothing is kept."), CAB_EXIT_GOOD;
  if (shell (t, "cp -- \"$1/patch\" \"$2\"", t->options->output, ""))
    return CAB_EXIT_FAILED;
  printf ("The patch is in %s; `patch -p1 <%s' applies it.\n", t->options->output,
	  t->options->output);
  return CAB_EXIT_GOOD;
}

int
cab_deps_try (struct cab_model *model, const struct cab_deps_patch_options *patch,
	      const struct cab_deps_try_options *options)
{
  struct trial t = { .model = model, .patch = *patch, .options = options, .alpha = ALPHA };
  const char *tmp = getenv ("TMPDIR");
  t.dir = concat (tmp && *tmp ? tmp : "/tmp", "/cabprof-deps-XXXXXX", NULL);
  if (!mkdtemp (t.dir))
    {
      cab_say ("%s: %s: point TMPDIR to a directory that can be written", t.dir, strerror (errno));
      free (t.dir);
      return CAB_EXIT_FAILED;
    }
  fflush (stdout);
  /* An interrupt ends the command that runs, and this one after it has tidied up. */
  signal (SIGINT, SIG_IGN);
  int status = go (&t);
  shell (&t, "rm -rf \"$1\"", "", "");
  if (t.interrupted)
    cab_say ("interrupted: nothing is kept");
  free (t.plain_output);
  free (t.dir);
  return status;
}

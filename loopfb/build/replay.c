/* replay.c - run recorded commands of a build again, in parallel.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/build/replay.h"
#include "loopfb/build/replay_args.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <libiberty/libiberty.h>

volatile sig_atomic_t cab_interrupted;

static void
interrupt (int number)
{
  cab_interrupted = number;
}

void
cab_interrupt_init (void)
{
  static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
  struct sigaction action = { .sa_handler = interrupt };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sigaction (numbers[i], &action, NULL);
}

/* One process: command C for TREE; SOURCE is as in cab_replay_args. */
struct task
{
  int tree, c, source;
  pid_t pid;
  bool done;
};

struct work
{
  const struct cab_replay *replay;
  const struct cab_tree *trees;
  int n_trees;
  struct task *tasks;
  int n, n_done, n_running;
  struct cab_diag *diag;
};

static void
add_task (struct work *work, int tree, int c, int source)
{
  work->tasks = xrealloc (work->tasks, (work->n + 1) * sizeof *work->tasks);
  work->tasks[work->n++] = (struct task) { tree, c, source, 0, false };
}

static bool
is_run (const struct cab_replay *replay, int c)
{
  return replay->need[c] && (!replay->only || replay->only[c]);
}

static void
add_tasks (struct work *work)
{
  const struct cab_build_log *log = work->replay->graph->log;
  for (int c = 0; c < log->n; c++)
    for (int tree = 0; tree < work->n_trees && is_run (work->replay, c); tree++)
      if (log->v[c].args.step == CAB_STEP_COMPILE && log->v[c].args.sources.n > 1)
	for (int source = 0; source < log->v[c].args.sources.n; source++)
	  add_task (work, tree, c, source);
      else
	add_task (work, tree, c, -1);
}

static bool
is_ready (const struct work *work, const struct task *task)
{
  const struct cab_build_graph *graph = work->replay->graph;
  for (int k = 0; k < graph->log->v[task->c].n_inputs; k++)
    for (int i = 0; i < work->n; i++)
      if (work->tasks[i].tree == task->tree && work->tasks[i].c == graph->producer[task->c][k]
	  && !work->tasks[i].done)
	return false;
  return true;
}

static char *
log_name (const struct work *work, const struct task *task)
{
  char number[48];
  snprintf (number, sizeof number, task->source < 0 ? "/%d/log" : "/%d/log.%d", task->c,
	    task->source);
  return concat (work->trees[task->tree].dir, number, NULL);
}

static void __attribute__ ((noreturn))
become (const struct cab_build_command *command, char **argv, char **env, const char *log)
{
  int out = open (log, O_WRONLY | O_CREAT | O_TRUNC, 0666), in = open ("/dev/null", O_RDONLY);
  signal (SIGINT, SIG_DFL);
  if (out < 0 || in < 0 || dup2 (in, 0) < 0 || dup2 (out, 1) < 0 || dup2 (out, 2) < 0
      || chdir (command->cwd) < 0)
    _exit (127);
  environ = env;
  execve (command->program, argv, env);
  fprintf (stderr, "%s: %s\n", command->program, strerror (errno));
  _exit (127);
}

static int
start (struct work *work, struct task *task)
{
  const struct cab_build_command *command = &work->replay->graph->log->v[task->c];
  const struct cab_tree *tree = &work->trees[task->tree];
  char *log = log_name (work, task);
  cab_make_parents (log);
  char **argv = cab_replay_args (work->replay, tree, task->c, task->source, work->diag);
  char **env = argv ? cab_replay_environment (work->replay, tree, task->c) : NULL;
  if (argv)
    {
      task->pid = fork ();
      if (task->pid == 0)
	become (command, argv, env, log);
      if (task->pid < 0)
	snprintf (work->diag->text, sizeof work->diag->text,
		  "fork: %s: end some processes, or ask for fewer --jobs", strerror (errno));
      else
	work->n_running++;
      freeargv (argv);
      freeargv (env);
    }
  else
    task->pid = -1;
  free (log);
  return task->pid > 0 ? 0 : -1;
}

static int
start_some (struct work *work)
{
  for (int i = 0; i < work->n && work->n_running < work->replay->jobs; i++)
    if (!work->tasks[i].pid && is_ready (work, &work->tasks[i])
	&& start (work, &work->tasks[i]) < 0)
      return -1;
  return 0;
}

/* Put TASK's command and the end of its output into the diagnostic. */
static void
tell_failure (struct work *work, const struct task *task)
{
  const struct cab_build_command *command = &work->replay->graph->log->v[task->c];
  char *log = log_name (work, task), said[224] = "";
  FILE *file = fopen (log, "re");
  if (file && !fseek (file, 0, SEEK_END))
    {
      long size = ftell (file);
      fseek (file, size > 223 ? size - 223 : 0, SEEK_SET);
      said[fread (said, 1, 223, file)] = 0;
    }
  if (file)
    fclose (file);
  snprintf (work->diag->text, sizeof work->diag->text,
	    "%s: `%s' given again in %s failed (what it reads must stay; else --rebuild): see %s; "
	    "it ends:\n%s",
	    command->n_outputs ? command->outputs[0].path : command->program,
	    lbasename (command->argv[0]), command->cwd, log, said);
  free (log);
}

/* Link the shared library of a finished command into TREE/lib, by the names under which programs
   look for it. */
static void
link_library (struct work *work, const struct task *task)
{
  const struct cab_build_command *command = &work->replay->graph->log->v[task->c];
  const struct cab_tree *tree = &work->trees[task->tree];
  if (command->args.step != CAB_STEP_LINK || !command->args.shared || !command->n_outputs)
    return;
  char *output = cab_replay_output (work->replay->graph, tree, task->c, 0);
  const char *names[] = { lbasename (output),
			  command->args.sonames.n ? command->args.sonames.v[0].path : NULL };
  for (int i = 0; i < 2 && names[i]; i++)
    {
      char *name = concat (tree->dir, "/lib/", names[i], NULL);
      cab_make_parents (name);
      unlink (name);
      if (symlink (output, name) < 0)
	snprintf (work->diag->text, sizeof work->diag->text, "%s: %s: check the disk", name,
		  strerror (errno));
      free (name);
    }
  free (output);
}

/* Wait for one process; return 0, or negative if it failed. */
static int
wait_one (struct work *work)
{
  int status;
  pid_t pid = waitpid (-1, &status, 0);
  if (pid < 0)
    return errno == EINTR ? 0 : -1;
  for (int i = 0; i < work->n; i++)
    if (work->tasks[i].pid == pid)
      {
	work->n_running--;
	work->n_done++;
	work->tasks[i].done = true;
	if (status && !*work->diag->text)
	  tell_failure (work, &work->tasks[i]);
	if (status)
	  return -1;
	link_library (work, &work->tasks[i]);
	if (work->replay->progress)
	  work->replay->progress (work->replay->host, work->n_done, work->n);
      }
  return 0;
}

static void
stop_all (struct work *work)
{
  for (int i = 0; i < work->n; i++)
    if (work->tasks[i].pid > 0 && !work->tasks[i].done)
      kill (work->tasks[i].pid, SIGTERM);
  while (work->n_running && waitpid (-1, NULL, 0) > 0)
    work->n_running--;
}

int
cab_replay_run (const struct cab_replay *replay, const struct cab_tree *trees, int n,
		struct cab_diag *diag)
{
  struct work work = { .replay = replay, .trees = trees, .n_trees = n, .diag = diag };
  int result = 0;
  *diag->text = 0;
  add_tasks (&work);
  while (!result && work.n_done < work.n)
    {
      result = start_some (&work);
      if (!result)
	result = wait_one (&work);
      if (cab_interrupted)
	result = CAB_INTERRUPTED;
    }
  if (result)
    stop_all (&work);
  free (work.tasks);
  return result;
}

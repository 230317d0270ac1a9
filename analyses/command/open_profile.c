/* open_profile.c - see open_profile.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/open_profile.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <libiberty/libiberty.h>
#include "analyses/command/command.h"
#include "analyses/profile/partial/estimated.h"
#include "analyses/profile/programs.h"
#include "rt/common/snapshot.h"

int
cab_arg_open (struct cab_model *model, const char *dir, bool by_thread, const char *program)
{
  int status = cab_arg_open_region (model, dir, by_thread, program, NULL);
  if (!status && (status = cab_arg_has_all (model, dir)))
    cab_model_close (model);
  return status;
}

int
cab_arg_has_all (struct cab_model *model, const char *dir)
{
  const char *needs = cab_model_needs_all (model);
  if (needs)
    cab_say ("%s: %s", dir, needs);
  return needs ? CAB_EXIT_FAILED : 0;
}

int
cab_arg_open_beside (struct cab_model *model, const char *dir, const char *program,
		     const struct cab_model *other)
{
  struct cab_diag diag;
  if (!program && other->program
      && cab_model_open_program (model, dir, false, lbasename (other->program), &diag) == 0)
    {
      int status = cab_arg_has_all (model, dir);
      if (status)
	cab_model_close (model);
      return status;
    }
  return cab_arg_open (model, dir, false, program);
}

void
cab_arg_snapshots (const char *dir, char *names, size_t bytes)
{
  char *path = concat (dir, "/" CAB_SNAPSHOTS_DIR, NULL);
  struct dirent **list = NULL;
  int n = scandir (path, &list, NULL, alphasort);
  size_t at = 0;
  *names = 0;
  for (int i = 0; i < n; i++)
    {
      if (cab_snapshot_is_name (list[i]->d_name) && at < bytes)
	at += snprintf (names + at, bytes - at, "%s%s", at ? ", " : "", list[i]->d_name);
      free (list[i]);
    }
  free (list);
  free (path);
}

const char *
cab_arg_snapshot (const char *dir, const char *name)
{
  static char *path;
  char names[256];
  struct stat s;
  if (!name)
    return dir;
  free (path);
  path = concat (dir, "/" CAB_SNAPSHOTS_DIR "/", name, NULL);
  if (cab_snapshot_is_name (name) && stat (path, &s) == 0)
    return path;
  cab_arg_snapshots (dir, names, sizeof names);
  cab_say ("%s: there is no snapshot %s: %s%s", dir, name,
	   *names ? "there are "
		  : "call cabprof_snapshot in the program, or use `cabprof ctl PID snapshot'",
	   names);
  return NULL;
}

int
cab_arg_open_region (struct cab_model *model, const char *dir, bool by_thread, const char *program,
		     const char *region)
{
  struct cab_diag diag;
  if (cab_model_open_region (model, dir, by_thread, program, region, &diag) == 0)
    return 0;
  cab_say ("%s", diag.text);
  return CAB_EXIT_FAILED;
}

bool cab_arg_running_is_known;

int
cab_arg_problems (const struct cab_model *model)
{
  for (uint32_t i = 0; i < model->n_problems; i++)
    cab_say ("%s", model->problems[i]);
  for (uint32_t i = 0; i < model->n_unborn; i++)
    cab_say ("%s", model->unborn[i]);
  for (uint32_t i = 0; i < model->n_processes; i++)
    if (model->processes[i].state == CAB_PROCESS_RUNNING && !cab_arg_running_is_known)
      cab_say ("%s: process %ju is still running: its counts are those of this moment",
	       model->processes[i].part, (uintmax_t) model->processes[i].pid);
  if (model->others)
    cab_say ("%s: this is %s, the program that did most; also there: %s: give --program=NAME, or "
	     "--program=" CAB_ALL_PROGRAMS,
	     model->dir, model->program, model->others);
  return model->n_problems ? CAB_EXIT_FAILED : CAB_EXIT_GOOD;
}

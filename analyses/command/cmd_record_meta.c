/* cmd_record_meta.c - meta.json: what was run, when, and how it ended.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/cmd_record.h"
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/profile_json.h"
#include "analyses/command/command.h"

#define META_SCHEMA 1

static json_t *
time_json (const struct timespec *t)
{
  char text[64];
  struct tm tm;
  gmtime_r (&t->tv_sec, &tm);
  strftime (text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
  return json_string (text);
}

static json_t *
loads_json (const double *load)
{
  return json_pack ("[f, f, f]", load[0], load[1], load[2]);
}

static json_t *
meta (const struct cab_recording *run)
{
  struct utsname machine;
  json_t *command = json_array (), *root = json_object ();
  for (char **arg = run->argv; *arg; arg++)
    {
      json_t *text = json_string (*arg);
      json_array_append_new (command, text ? text : json_string ("(not UTF-8)"));
    }
  uname (&machine);
  json_object_set_new (root, "schema", json_integer (META_SCHEMA));
  json_object_set_new (root, "command", command);
  json_object_set_new (root, "start", time_json (&run->start));
  json_object_set_new (root, "end", time_json (&run->end));
  json_object_set_new (root, "wall_s",
		       json_real (run->end.tv_sec - run->start.tv_sec
				  + (run->end.tv_nsec - run->start.tv_nsec) / 1e9));
  json_object_set_new (
    root, "user_s",
    json_real (run->end_of.usage.ru_utime.tv_sec + run->end_of.usage.ru_utime.tv_usec / 1e6));
  json_object_set_new (
    root, "system_s",
    json_real (run->end_of.usage.ru_stime.tv_sec + run->end_of.usage.ru_stime.tv_usec / 1e6));
  if (WIFSIGNALED (run->end_of.status))
    json_object_set_new (root, "signal", json_integer (WTERMSIG (run->end_of.status)));
  else
    json_object_set_new (root, "exit_status", json_integer (WEXITSTATUS (run->end_of.status)));
  json_object_set_new (root, "load_before", loads_json (run->load_before));
  json_object_set_new (root, "load_after", loads_json (run->load_after));
  json_object_set_new (root, "cores", json_integer (sysconf (_SC_NPROCESSORS_ONLN)));
  json_object_set_new (root, "kernel", json_string (machine.release));
  json_object_set_new (root, "cabprof", json_string (CABPROF_VERSION));
  return root;
}

void
cab_record_write_meta (struct cab_recording *run)
{
  char *path = concat (run->path, "/meta.json", NULL);
  json_t *root = meta (run);
  if (cab_profile_json_write (root, path, JSON_INDENT (1)) < 0)
    {
      cab_say ("%s: %s: the profile lacks what was run; check the disk", path, strerror (errno));
      run->incomplete = true;
    }
  json_decref (root);
  free (path);
}

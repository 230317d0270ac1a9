/* cmd_export_gcda.c - see cmd_export_gcda.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/cmd_export_gcda.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/progress.h"
#include "analyses/command/command.h"
#include "analyses/command/open_profile.h"
#include "analyses/profile/parts.h"
#include "analyses/profile/programs.h"
#include "analyses/report/gcda/gcda.h"
#include "analyses/report/gcda/gcda_stale.h"
#include "analyses/report/report.h"

/* Add the part PATH.  Return an exit status. */
static int
add_part (struct cab_gcda *gcda, const char *path)
{
  struct cab_model model;
  struct cab_diag diag;
  if (cab_model_open_by_unit (&model, path, &diag) < 0)
    {
      cab_say ("%s", diag.text);
      return CAB_EXIT_FAILED;
    }
  cab_gcda_add (gcda, &model);
  int status = cab_arg_problems (&model);
  cab_model_close (&model);
  return status;
}

/* Add all parts of the profile.  Return an exit status. */
static int
read_profile (struct cab_gcda *gcda, const struct cab_export_gcda *request)
{
  struct cab_diag diag;
  size_t n;
  char *program, *others, **list = cab_parts_list (request->dir, &n, &diag);
  const char *wanted = request->program ? request->program : CAB_ALL_PROGRAMS;
  if (!list || cab_programs_choose (list, &n, wanted, &program, &others, &diag) < 0)
    {
      cab_say ("%s", diag.text);
      cab_parts_forget (list, list ? n : 0);
      return CAB_EXIT_FAILED;
    }
  int status = CAB_EXIT_GOOD;
  for (size_t i = 0; i < n; i++)
    {
      cab_progress ("reading processes", i, n);
      int part = add_part (gcda, list[i]);
      status = status ? status : part;
    }
  cab_progress_end ();
  cab_parts_forget (list, n);
  free (program);
  free (others);
  return status;
}

/* Print why GCDA cannot be written, if it cannot.  Return an exit status. */
static int
check (const struct cab_gcda *gcda, const struct cab_export_gcda *request)
{
  if (!gcda->n_units)
    {
      cab_say ("%s: no paths from which each edge's count follows: compile with "
	       "-fplugin-arg-cabprof-events=paths -fplugin-arg-cabprof-cut-at-calls",
	       request->dir);
      return CAB_EXIT_FAILED;
    }
  for (uint32_t i = 0; i < gcda->n_units; i++)
    if (gcda->units[i].mixed)
      {
	char *path = cab_gcda_path (&gcda->units[i], request->to);
	cab_say ("%s: the profile is of two builds of %s: record again with one of them",
		 request->dir, path);
	free (path);
	return CAB_EXIT_FAILED;
      }
  return CAB_EXIT_GOOD;
}

/* Make the directories above the file PATH. */
static void
make_directories (const char *path)
{
  char *dir = xstrdup (path);
  for (char *slash = strchr (dir + 1, '/'); slash; slash = strchr (slash + 1, '/'))
    {
      *slash = 0;
      mkdir (dir, 0777);   /* if this fails, opening the file says why */
      *slash = '/';
    }
  free (dir);
}

/* A file that is written under another name until all are complete. */
struct pending
{
  char *path, *temporary;
};

/* Print that the file PATH cannot be written because of ERROR.  Return an exit status. */
static int
refuse (const char *path, int error)
{
  cab_say ("%s: cannot write: %s: name another directory by -o", path, strerror (error));
  return CAB_EXIT_FAILED;
}

/* Write UNIT to FILE's temporary name.  Return an exit status. */
static int
write_unit (const struct cab_gcda_unit *unit, const struct pending *file)
{
  FILE *to = fopen (file->temporary, "wx");
  if (!to)
    return refuse (file->path, errno);
  cab_gcda_write (unit, to);
  errno = 0;
  int error = fflush (to) != 0 || ferror (to) ? (errno ? errno : EIO) : 0;
  if (fclose (to) != 0 && !error)
    error = errno;
  return error ? refuse (file->path, error) : CAB_EXIT_GOOD;
}

/* Write all files, or none.  Return an exit status. */
static int
write_all (const struct cab_gcda *gcda, const struct cab_export_gcda *request)
{
  int status = CAB_EXIT_GOOD;
  uint32_t n = 0;
  struct pending *files = XCNEWVEC (struct pending, gcda->n_units);
  while (!status && n < gcda->n_units)
    {
      struct pending *file = &files[n];
      file->path = cab_gcda_path (&gcda->units[n], request->to);
      file->temporary = xasprintf ("%s.tmp-%ld", file->path, (long) getpid ());
      if (request->to)
	make_directories (file->path);
      status = write_unit (&gcda->units[n++], file);
    }
  for (uint32_t i = 0; i < n; i++)
    {
      if (!status && rename (files[i].temporary, files[i].path) < 0)
	status = refuse (files[i].path, errno);
      if (status)
	unlink (files[i].temporary);
      free (files[i].temporary);
      free (files[i].path);
    }
  free (files);
  return status;
}

/* Print what was written. */
static void
summarise (const struct cab_gcda *gcda, const struct cab_export_gcda *request)
{
  uint32_t n = 0, ran = 0, unknown = 0;
  for (uint32_t i = 0; i < gcda->n_units; i++)
    for (uint32_t k = 0; k < gcda->units[i].n_functions; k++)
      {
	const struct cab_gcda_function *f = gcda->units[i].functions[k];
	n += !f->unknown;
	ran += f->part && !f->unknown;
	unknown += f->unknown;
      }
  uint32_t version = gcda->units[0].version;
  printf ("%u files for GCC %u.%c with the counts of %u functions, %u of which ran: compile with "
	  "-fprofile-use%s%s\n",
	  gcda->n_units, ((version >> 24) - 'A') * 10 + (version >> 16 & 255) - '0',
	  (int) (version >> 8 & 255), n, ran, request->to ? "=" : "",
	  request->to ? request->to : "");
  if (unknown && !request->n_stale)
    printf ("%u functions are left out: how often their edges were taken is not known\n", unknown);
  if (gcda->without)
    printf ("%s and all that was compiled without cut-at-calls is left out\n", gcda->without);
}

/* Make FRESH for the new build, with the counts of OLD.  Return an exit status. */
static int
renew (struct cab_gcda *fresh, struct cab_gcda *old, const struct cab_export_gcda *request)
{
  struct cab_gcda_stale stale = { 0, 0, NULL };
  struct cab_diag diag;
  for (int i = 0; i < request->n_stale; i++)
    if (cab_gcda_stale_add (fresh, old, request->stale[i], &stale, &diag) < 0)
      {
	cab_say ("%s", diag.text);
	return CAB_EXIT_FAILED;
      }
  if (!stale.n_same)
    {
      cab_say ("%s: none of its functions is one of the profile: compile the same program, in the "
	       "same place, with the same options",
	       request->stale[0]);
      return CAB_EXIT_FAILED;
    }
  if (stale.n_changed && !request->quiet)
    printf ("%u of %u functions have changed and go without: %s%s\n", stale.n_changed,
	    stale.n_changed + stale.n_same, stale.changed,
	    stale.n_changed > 1 ? " and others" : "");
  return CAB_EXIT_GOOD;
}

/* Write GCDA, the profile or what a new build has of it.  Return an exit status. */
static int
put_out (const struct cab_gcda *gcda, const struct cab_export_gcda *request)
{
  int status = check (gcda, request);
  if (!status)
    status = write_all (gcda, request);
  if (!status && !request->quiet)
    summarise (gcda, request);
  return status;
}

int
cab_export_gcda (const struct cab_export_gcda *request)
{
  struct cab_gcda gcda, fresh;
  cab_gcda_init (&gcda);
  cab_gcda_init (&fresh);
  gcda.is_stale = request->n_stale > 0;
  int status = read_profile (&gcda, request);
  if (!status && request->n_stale)
    status = renew (&fresh, &gcda, request);
  if (!status)
    status = put_out (request->n_stale ? &fresh : &gcda, request);
  cab_gcda_fini (&gcda);
  cab_gcda_fini (&fresh);
  return status;
}

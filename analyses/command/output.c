/* output.c - see output.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/output.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/command/command.h"

long
cab_arg_limit (long given, enum cab_format format, long text)
{
  return given >= 0 ? given : format == CAB_FORMAT_TEXT ? text : 0;
}

void
cab_arg_write (struct cab_table *table, enum cab_format format, long limit, const char *profile)
{
  struct cab_style style;
  cab_table_limit (table, limit);
  if (format == CAB_FORMAT_TSV)
    cab_table_tsv (table, stdout);
  else if (format == CAB_FORMAT_JSON)
    cab_table_json (table, profile, stdout);
  else
    {
      cab_style_of (&style, stdout);
      cab_table_text (table, &style, stdout);
    }
}

int
cab_arg_no_column (const struct cab_table *table, const char *name, enum cab_format format)
{
  char names[256] = "";
  size_t n = 0;
  for (int c = 0; c < table->n_columns && n < sizeof names; c++)
    if (!table->columns[c].formats || table->columns[c].formats & format)
      n += snprintf (names + n, sizeof names - n, "%s%s", n ? ", " : "", table->columns[c].name);
  cab_say ("--sort=%s: %s has no such column: sort by %s", name, table->name, names);
  return CAB_EXIT_USAGE;
}

static int
refuse (const char *path, int error)
{
  cab_say ("%s: cannot write: %s: name another file", path, strerror (error));
  return CAB_EXIT_FAILED;
}

static void
forget (struct cab_output *output)
{
  free (output->path);
  free (output->temporary);
  *output = (struct cab_output) { 0 };
}

int
cab_output_open (struct cab_output *output, const char *path)
{
  struct stat st;
  *output = (struct cab_output) { .to = stdout };
  if (!path || !strcmp (path, "-"))
    return 0;
  bool exists = stat (path, &st) == 0;
  char *target = exists ? realpath (path, NULL) : NULL;   /* the file that a symbolic link leads
							     to */
  output->path = target ? target : xstrdup (path);
  if (exists && S_ISDIR (st.st_mode))
    errno = EISDIR, output->to = NULL;
  else if (exists && !S_ISREG (st.st_mode))
    output->to = fopen (path, "w");
  else
    {
      output->temporary = xasprintf ("%s.tmp-%ld", output->path, (long) getpid ());
      output->to = fopen (output->temporary, "wx");
    }
  if (output->to)
    return 0;
  int error = errno;
  forget (output);
  return refuse (path, error);
}

int
cab_output_close (struct cab_output *output, bool keep)
{
  int status = 0, error = 0;
  if (output->to == stdout)
    return 0;
  errno = 0;
  if (fflush (output->to) != 0 || ferror (output->to))
    error = errno ? errno : EIO;
  if (fclose (output->to) != 0 && !error)
    error = errno;
  if (!error && keep && output->temporary && rename (output->temporary, output->path) < 0)
    error = errno;
  if (output->temporary && (error || !keep))
    unlink (output->temporary);
  if (error)
    status = refuse (output->path, error);
  forget (output);
  return status;
}

/* record_text.cc - builds the text of records; see record_text.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/emit/record_text.h"

void
cab_record_put (struct obstack *ob, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  char *text = xvasprintf (format, ap);
  va_end (ap);
  obstack_grow (ob, text, strlen (text));
  free (text);
}

unsigned
cab_record_file (vec<const char *> *files, const char *file)
{
  file = file ? file : "?";
  for (unsigned i = 0; i < files->length (); i++)
    if (!strcmp ((*files)[i], file))
      return i;
  files->safe_push (file);
  return files->length () - 1;
}

/* style.c - see style.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/base/style.h"
#include <langinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <libiberty/libiberty.h>

static bool wide;

void
cab_style_be_wide (void)
{
  wide = true;
}

void
cab_style_of (struct cab_style *style, FILE *to)
{
  struct winsize size;
  const char *columns = getenv ("COLUMNS"), *no_color = getenv ("NO_COLOR"),
	     *term = getenv ("TERM");
  bool terminal = isatty (fileno (to));
  style->width = columns ? atoi (columns)
	       : terminal && ioctl (fileno (to), TIOCGWINSZ, &size) == 0 ? size.ws_col
	       : 0;
  if (style->width < 0)
    style->width = 0;
  style->table_width = wide ? 0 : columns || style->width ? style->width : CAB_STYLE_PIPE;
  style->bold = terminal && !(no_color && *no_color) && term && strcmp (term, "dumb");
  style->utf8 = !strcmp (nl_langinfo (CODESET), "UTF-8");
}

int
cab_style_width (const char *text)
{
  int n = 0;
  for (; *text; text++)
    n += (*text & 0xc0) != 0x80;
  return n;
}

int
cab_style_fitting (const char *text, int room)
{
  int i = strspn (text, " "), columns = i, end = 0;
  for (; text[i]; i++)
    {
      if (text[i] == ' ' && text[i - 1] != ' ')
	end = i;
      if (end && columns >= room)
	return end;
      columns += (text[i] & 0xc0) != 0x80;
    }
  return i;
}

void
cab_style_line (const struct cab_style *style, int hang, FILE *to, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  char *line = xvasprintf (format, arguments);
  const char *text = line;
  va_end (arguments);
  if (style->width < hang + CAB_STYLE_PROSE)
    hang = 4;
  if (style->width)
    for (int room = style->width, n; text[n = cab_style_fitting (text, room)];
	 room = style->width - hang)
      {
	fprintf (to, "%.*s\n%*s", n, text, hang, "");
	text += n + strspn (text + n, " ");
      }
  fprintf (to, "%s\n", text);
  free (line);
}

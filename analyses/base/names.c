/* names.c - memory for names, and names as people read them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/base/names.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <libiberty/demangle.h>
#include <libiberty/libiberty.h>

#define obstack_chunk_alloc xmalloc
#define obstack_chunk_free free

void
cab_names_init (struct cab_names *names)
{
  obstack_init (&names->obstack);
}

void
cab_names_fini (struct cab_names *names)
{
  obstack_free (&names->obstack, NULL);
}

void *
cab_names_zero (struct cab_names *names, size_t n, size_t size)
{
  if (size && n > SIZE_MAX / 2 / size)
    xmalloc_failed (SIZE_MAX);
  void *p = obstack_alloc (&names->obstack, n * size + 1);
  return memset (p, 0, n * size + 1);
}

char *
cab_names_copy (struct cab_names *names, const char *text, size_t length)
{
  return obstack_copy0 (&names->obstack, text, length);
}

char *
cab_names_format (struct cab_names *names, const char *format, ...)
{
  char *text;
  va_list ap;
  va_start (ap, format);
  int n = vasprintf (&text, format, ap);
  va_end (ap);
  if (n < 0)
    xmalloc_failed (1);
  char *copy = cab_names_copy (names, text, n);
  free (text);
  return copy;
}

char *
cab_names_unescape (struct cab_names *names, const char *text, size_t length)
{
  char *copy = cab_names_copy (names, text, length), *to = copy;
  for (const char *from = copy; *from; from++)
    {
      if (*from == '\\' && from[1])
	{
	  from++;
	  *to++ = *from == 't' ? '\t' : *from == 'n' ? '\n' : *from == '1' ? '\1' : *from;
	}
      else
	*to++ = *from;
    }
  *to = 0;
  return copy;
}

static bool
is_fortran (const char *file)
{
  const char *dot = strrchr (file, '.');
  static const char *const endings[] = {
    ".f", ".for", ".ftn", ".fpp", ".f77", ".f90", ".f95", ".f03", ".f08"
  };
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
    if (!strcasecmp (dot, endings[i]))
      return true;
  return false;
}

/* Return __mod_MOD_proc as mod::proc, proc_ as proc, and MAIN__ as the main program. */
static const char *
fortran_display (struct cab_names *names, const char *assembler)
{
  const char *mod = strstr (assembler, "_MOD_");
  size_t length = strlen (assembler);
  if (!strcmp (assembler, "MAIN__"))
    return "main program";
  if (!strncmp (assembler, "__", 2) && mod)
    return cab_names_format (names, "%.*s::%s", (int) (mod - assembler - 2), assembler + 2,
			     mod + 5);
  return cab_names_copy (names, assembler,
			 length > 1 && assembler[length - 1] == '_' ? length - 1 : length);
}

const char *
cab_names_display (struct cab_names *names, const char *assembler, const char *source,
		   const char *file)
{
  if (is_fortran (file))
    return fortran_display (names, assembler);
  char *demangled = NULL;
  if (!strncmp (assembler, "_Z", 2))
    demangled = cplus_demangle (assembler, DMGL_ANSI | DMGL_PARAMS | DMGL_GNU_V3 | DMGL_RET_DROP);
  /* The source name of an extern "C" function is a whole declaration, which is not shown. */
  if (!demangled)
    {
      const char *shown = *source && !strchr (source, '(') && strncmp (assembler, "_Z", 2) ? source
			: *assembler ? assembler
			: source;
      return cab_names_copy (names, shown, strlen (shown));
    }
  char *copy = cab_names_copy (names, demangled, strlen (demangled));
  free (demangled);
  return copy;
}

/* Variables of Fortran's modules are recognized by the form of their names, since no file is
   known. */
const char *
cab_names_variable (struct cab_names *names, const char *assembler)
{
  return cab_names_display (
    names, assembler, "",
    !strncmp (assembler, "__", 2) && strstr (assembler, "_MOD_") ? "module.f90" : "");
}

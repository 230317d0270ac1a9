/* names_brief.c - names of functions without what C++ says of their types, where that is long.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "names.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define LONG_NAME 40

/* The characters at NAME that are an operator's own brackets: "operator<<" of "operator<< <char>". */
static size_t
operator_at (const char *begin, const char *name)
{
  static const char *const brackets[] = { "<<=", ">>=", "<=>", "<<", ">>", "<=", ">=", "->*", "->", "()", "<", ">" };
  size_t n = strlen ("operator");
  if (name - begin < (ptrdiff_t) n || memcmp (name - n, "operator", n))
    return 0;
  for (size_t i = 0; i < ARRAY_SIZE (brackets); i++)
    if (!strncmp (name, brackets[i], strlen (brackets[i])))
      return strlen (brackets[i]);
  return 0;
}

/* "(anonymous namespace)" at NAME is a name, not what is taken. */
static size_t
anonymous_at (const char *name)
{
  static const char anonymous[] = "(anonymous namespace)";
  return strncmp (name, anonymous, sizeof anonymous - 1) ? 0 : sizeof anonymous - 1;
}

const char *
cab_names_brief (struct cab_names *names, const char *name)
{
  size_t n = 0, depth = 0;
  if (strlen (name) <= LONG_NAME)
    return name;
  char *text = XNEWVEC (char, strlen (name) + 1);
  for (const char *at = name; *at; at++)
    {
      size_t plain = operator_at (name, at);
      plain = plain ? plain : anonymous_at (at);
      if (depth && !plain && at[0] == '-' && at[1] == '>')
	at++;
      else if (depth && !plain)
	{
	  depth += *at == '<' || *at == '(';
	  depth -= *at == '>' || *at == ')';
	  if (!depth && *at == '>')
	    text[n++] = '>';
	}
      else if (plain)
	{
	  memcpy (text + n, at, depth ? 0 : plain);
	  n += depth ? 0 : plain;
	  at += plain - 1;
	}
      else
	{
	  depth = *at == '<' || *at == '(';
	  if (*at != '(')
	    text[n++] = *at;
	}
    }
  const char *brief = depth ? name : cab_names_copy (names, text, n);
  free (text);
  return brief;
}

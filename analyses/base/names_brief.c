/* names_brief.c - names of functions without the C++ types in them, where they are long.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/base/names.h"
#include "loopfb/formats/pattern.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define LONG_NAME 40

/* Return how many characters at NAME, in the text from BEGIN on, are an operator's own brackets,
   such as "<<" in "operator<< <char>". */
static size_t
operator_at (const char *begin, const char *name)
{
  static const char *const brackets[] = {
    "<<=", ">>=", "<=>", "<<", ">>", "<=", ">=", "->*", "->", "()", "<", ">"
  };
  size_t n = strlen ("operator");
  if (name - begin < (ptrdiff_t) n || memcmp (name - n, "operator", n))
    return 0;
  for (size_t i = 0; i < ARRAY_SIZE (brackets); i++)
    if (!strncmp (name, brackets[i], strlen (brackets[i])))
      return strlen (brackets[i]);
  return 0;
}

/* Return the length of "(anonymous namespace)" if NAME begins with it, else 0.  It is a part of a
   name, not a parameter list. */
static size_t
anonymous_at (const char *name)
{
  static const char anonymous[] = "(anonymous namespace)";
  return strncmp (name, anonymous, sizeof anonymous - 1) ? 0 : sizeof anonymous - 1;
}

/* Return NAME without the arguments of templates and calls, for the caller to free, or null if its
   brackets do not match. */
static char *
brief_of (const char *name)
{
  size_t n = 0, depth = 0;
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
  text[n] = 0;
  if (!depth)
    return text;
  free (text);
  return NULL;
}

const char *
cab_names_brief (struct cab_names *names, const char *name)
{
  char *text = strlen (name) > LONG_NAME ? brief_of (name) : NULL;
  const char *brief = text ? cab_names_copy (names, text, strlen (text)) : name;
  free (text);
  return brief;
}

const char *
cab_names_next (const char *name)
{
  size_t depth = 0;
  for (const char *at = name; *at; at++)
    {
      size_t plain = operator_at (name, at);
      plain = plain ? plain : anonymous_at (at);
      if (plain)
	at += plain - 1;
      else if (*at == '<' || *at == '(')
	depth++;
      else if (depth && (*at == '>' || *at == ')') && at[-1] != '-')
	depth--;
      else if (!depth && at[0] == ':' && at[1] == ':')
	return at + 2;
    }
  return NULL;
}

static void
cut_end (char *text, const char *end)
{
  size_t n = strlen (text), m = strlen (end);
  if (n > m && !strcmp (text + n - m, end))
    text[n - m] = 0;
}

/* Return where the name begins in BRIEF, after the return type.  The "const" of a const member
   function that encloses the name is no type. */
static char *
behind_type (char *brief)
{
  char *begin = brief;
  for (char *at = brief; *at && strncmp (at, "operator", strlen ("operator")); at++)
    if (anonymous_at (at))
      at += anonymous_at (at) - 1;
    else if (*at == ' ' && strncmp (at, " const::", strlen (" const::")))
      begin = at + 1;
  return begin;
}

void
cab_names_cut_clone (char *name)
{
  static const char *const clones[] = {
    " [clone ", ".constprop", ".isra", ".part", ".cold", ".lto_priv"
  };
  for (size_t i = 0; i < ARRAY_SIZE (clones); i++)
    {
      char *at = strstr (name, clones[i]);
      size_t n = strlen (clones[i]);
      if (at > name && (at[n] == '.' || at[n] == 0 || clones[i][0] == ' '))
	*at = 0;
    }
}

/* Return true if GLOB matches NAME or what follows one of its "::". */
static bool
passes (const char *glob, const char *name)
{
  for (const char *at = name;; at += 2)
    {
      if (cab_pattern_matches (glob, at))
	return true;
      if (!(at = strstr (at, "::")))
	return false;
    }
}

/* Turn "std::vector<>::push_back" into "std::vector::push_back". */
static void
drop_brackets (char *name)
{
  for (char *at = name; (at = strstr (at, "<>"));)
    memmove (at, at + 2, strlen (at + 2) + 1);
}

bool
cab_names_match (const char *glob, const char *display)
{
  if (cab_pattern_matches (glob, display))
    return true;
  char *brief = brief_of (display);
  if (!brief)
    return false;
  cab_names_cut_clone (brief);
  cut_end (brief, " const");
  char *name = behind_type (brief);
  bool good = cab_pattern_matches (glob, brief) || passes (glob, name);
  drop_brackets (name);
  good = good || passes (glob, name);
  free (brief);
  return good;
}

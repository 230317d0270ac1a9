/* pattern.c - see pattern.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "loopfb/formats/pattern.h"

#include <fnmatch.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#define KEPT 16   /* number of compiled expressions that are kept */

static struct kept
{
  char *pattern;   /* null if free */
  regex_t regex;
} kept[KEPT];
static unsigned next;

static bool
is_regex (const char *pattern)
{
  size_t length = strlen (pattern);
  return length > 2 && pattern[0] == '/' && pattern[length - 1] == '/';
}

size_t
cab_pattern_length (const char *list)
{
  if (*list == '/')
    for (const char *p = list + 1; (p = strchr (p, '/')); p++)
      if (p > list + 1 && (p[1] == ',' || !p[1]))
	return p + 1 - list;
  return strcspn (list, ",");
}

/* Compile what is between the slashes of PATTERN; return 0, or an error of regcomp. */
static int
compile (regex_t *regex, const char *pattern)
{
  char *text = strdup (pattern + 1);
  if (!text)
    return REG_ESPACE;
  text[strlen (text) - 1] = 0;
  int error = regcomp (regex, text, REG_EXTENDED | REG_NOSUB);
  free (text);
  return error;
}

/* Return PATTERN compiled, from the kept ones if it is there; null if it cannot be compiled. */
static const regex_t *
compiled (const char *pattern)
{
  for (unsigned i = 0; i < KEPT; i++)
    if (kept[i].pattern && !strcmp (kept[i].pattern, pattern))
      return &kept[i].regex;
  struct kept *one = &kept[next];
  if (one->pattern)
    {
      regfree (&one->regex);
      free (one->pattern);
      one->pattern = NULL;
    }
  if (compile (&one->regex, pattern))
    return NULL;
  one->pattern = strdup (pattern);
  if (!one->pattern)
    {
      regfree (&one->regex);
      return NULL;
    }
  next = (next + 1) % KEPT;
  return &one->regex;
}

static bool
matches (const char *pattern, const char *text, int flags)
{
  if (!is_regex (pattern))
    return !fnmatch (pattern, text, flags);
  const regex_t *regex = compiled (pattern);
  return regex && !regexec (regex, text, 0, NULL, 0);
}

bool
cab_pattern_matches (const char *pattern, const char *text)
{
  return matches (pattern, text, 0);
}

bool
cab_pattern_matches_path (const char *pattern, const char *text)
{
  return matches (pattern, text, FNM_PATHNAME);
}

const char *
cab_pattern_wrong (const char *pattern)
{
  static char words[160];
  regex_t regex;
  int error = is_regex (pattern) ? compile (&regex, pattern) : 0;
  if (error)
    regerror (error, &regex, words, sizeof words);
  else if (is_regex (pattern))
    regfree (&regex);
  return error ? words : NULL;
}

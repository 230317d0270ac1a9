/* choice.c - analyses and their arguments as text, see choice.h.  It uses no stdio, which the
 * runtime does not have.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/choice.h"
#include <string.h>

size_t
cab_choice_append (char *text, size_t at, size_t bytes, const char *words, size_t n)
{
  for (; n-- > 0 && *words && at + 1 < bytes; words++)
    text[at++] = *words;
  text[at] = '\0';
  return at;
}

size_t
cab_choice_append_number (char *text, size_t at, size_t bytes, uint64_t n)
{
  char digits[24];
  int i = sizeof digits;
  do
    digits[--i] = '0' + n % 10;
  while ((n /= 10) != 0);
  return cab_choice_append (text, at, bytes, digits + i, sizeof digits - i);
}

/* Write "analysis 'NAME" and WHAT to DIAG; NAME has at most N bytes.  Return where the text
   ends. */
static size_t
begin_words (struct cab_diag *diag, const char *name, size_t n, const char *what)
{
  size_t at = cab_choice_append (diag->text, 0, sizeof diag->text, "analysis '", SIZE_MAX);
  at = cab_choice_append (diag->text, at, sizeof diag->text, name, n);
  return cab_choice_append (diag->text, at, sizeof diag->text, what, SIZE_MAX);
}

/* Return the length of the analysis that NAME begins with, with its arguments.  What follows a
   comma and has no = is the name of the next analysis. */
static size_t
length_of (const char *name)
{
  size_t all = strcspn (name, "+:,");
  while (name[all] == ',' && name[all + 1 + strcspn (name + all + 1, "=+:,")] == '=')
    all += 1 + strcspn (name + all + 1, "+:,");
  return all;
}

int
cab_choice_next (const char **list, struct cab_choice *choice, struct cab_diag *diag)
{
  *list += strspn (*list, "+,");
  const char *name = *list;
  size_t all = length_of (name), n = strcspn (name, "+:,");
  const char *arguments = name + n + (n < all);
  size_t n_arguments = all - n - (n < all);
  *list += all;
  if (!all)
    return 0;
  if (n >= sizeof choice->name || n_arguments >= sizeof choice->arguments)
    {
      if (diag)
	begin_words (diag, name, n < 60 ? n : 60,
		     "': its name or its arguments are too long: 255 and 511 bytes are the most");
      return -1;
    }
  cab_choice_append (choice->name, 0, sizeof choice->name, name, n);
  cab_choice_append (choice->arguments, 0, sizeof choice->arguments, arguments, n_arguments);
  for (char *p = choice->arguments; *p; p++)
    if (*p == ',')
      *p = ':';
  return 1;
}

/* Write to DIAG that ANALYSIS has no KEY, of N bytes, and which keys it has.  Return -1. */
static int
refuse_key (const struct cab_analysis *analysis, const char *key, size_t n, struct cab_diag *diag)
{
  if (!diag)
    return -1;
  size_t at = begin_words (diag, analysis->name, SIZE_MAX, "': ");
  if (!analysis->options || !analysis->options->name)
    {
      cab_choice_append (diag->text, at, sizeof diag->text, "it takes no arguments: leave them out",
			 SIZE_MAX);
      return -1;
    }
  at = cab_choice_append (diag->text, at, sizeof diag->text, "no such argument '", SIZE_MAX);
  at = cab_choice_append (diag->text, at, sizeof diag->text, key, n < 60 ? n : 60);
  at = cab_choice_append (diag->text, at, sizeof diag->text, "': there are ", SIZE_MAX);
  for (const struct cab_option *o = analysis->options; o->name; o++)
    {
      at = cab_choice_append (diag->text, at, sizeof diag->text, o == analysis->options ? "" : ", ",
			      SIZE_MAX);
      at = cab_choice_append (diag->text, at, sizeof diag->text, o->name, SIZE_MAX);
      at = cab_choice_append (diag->text, at, sizeof diag->text, "=", SIZE_MAX);
      at = cab_choice_append (diag->text, at, sizeof diag->text, o->value ? o->value : "",
			      SIZE_MAX);
    }
  return -1;
}

int
cab_choice_check (const struct cab_analysis *analysis, const struct cab_choice *choice,
		  struct cab_diag *diag)
{
  for (const char *p = choice->arguments; *p; p += *p == ':')
    {
      size_t n = strcspn (p, ":"), key = strcspn (p, "=:");
      const struct cab_option *o = analysis->options;
      while (o && o->name && (strlen (o->name) != key || memcmp (o->name, p, key)))
	o++;
      if (!o || !o->name || p[key] != '=')
	return refuse_key (analysis, p, n, diag);
      p += n;
    }
  return 0;
}

const char *
cab_choice_value (const char *arguments, const char *key, size_t *n)
{
  size_t length = strlen (key);
  for (const char *p = arguments ? arguments : ""; *p; p += *p == ':')
    {
      *n = strcspn (p, ":");
      if (*n > length && !memcmp (p, key, length) && p[length] == '=')
	{
	  *n -= length + 1;
	  return p + length + 1;
	}
      p += *n;
    }
  return NULL;
}

bool
cab_choice_number (const char *arguments, const char *key, uint64_t least, uint64_t most,
		   uint64_t *value)
{
  size_t n;
  const char *text = cab_choice_value (arguments, key, &n);
  uint64_t found = 0;
  if (!text)
    return true;
  for (size_t i = 0; i < n; i++)
    if (text[i] < '0' || text[i] > '9' || __builtin_mul_overflow (found, 10, &found)
	|| __builtin_add_overflow (found, text[i] - '0', &found))
      return false;
  if (!n || found < least || found > most)
    return false;
  *value = found;
  return true;
}

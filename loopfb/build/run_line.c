/* run_line.c - the run command's line: find the word that is the program, and replace it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words are split as a shell does, as far as quotes, backslashes and operators go; a word with $, `
 * or a pattern in it is not the program.
 */
#include "loopfb/build/run_line.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>

/* A word: N bytes at FROM of the line.  TEXT is the word without its quotes, or null if a shell
   would expand it. */
struct word
{
  size_t from, n;
  char *text;
  bool is_command;    /* it is where a command's name is expected */
};

/* Read the word at *AT; return false at the end.  *COMMAND says whether it may be a command's name,
   and is updated for the next word. */
static bool
next_word (const char *line, size_t *at, bool *command, struct word *word)
{
  size_t i = *at + strspn (line + *at, " \t\n");
  while (line[i] && strchr (";|&()<>", line[i]))
    {
      /* The word after < or > is a file. */
      *command = !strchr ("<>", line[i]);
      i++;
      i += strspn (line + i, " \t\n");
    }
  if (!line[i])
    return false;
  char quote = 0, *text = xcalloc (1, strlen (line) + 1), *to = text;
  bool plain = true;
  size_t from = i;
  for (; line[i] && (quote || !strchr (" \t\n;|&()<>", line[i])); i++)
    if (quote ? line[i] == quote : line[i] == '\'' || line[i] == '"')
      quote = quote ? 0 : line[i];
    else
      {
	plain &= quote == '\'' || !strchr (quote ? "$`" : "$`*?[{", line[i]);
	if (line[i] == '\\' && quote != '\'' && line[i + 1])
	  i++;
	*to++ = line[i];
      }
  bool assigns = *command && strchr (text, '=') && !strchr (text, '/');
  *word = (struct word) { from, i - from, plain ? text : NULL, *command && !assigns };
  if (!plain)
    free (text);
  *command = assigns;
  *at = i;
  return true;
}

/* Return the file that the shell runs for the command WORD, to be freed, or null if there is
   none. */
static char *
find_command (const char *word)
{
  const char *path = getenv ("PATH");
  if (strchr (word, '/'))
    return xstrdup (word);
  for (const char *dir = path ? path : ""; *dir; dir += *dir == ':')
    {
      size_t n = strcspn (dir, ":");
      char *head = xstrndup (dir, n), *file = concat (n ? head : ".", "/", word, NULL);
      free (head);
      if (!access (file, X_OK))
	return file;
      free (file);
      dir += n;
    }
  return NULL;
}

/* The names of commands are tried first, then any word with a slash (env A=1 ./prog, taskset -c 1
   ./prog). */
char *
cab_run_line_program (const char *line, bool (*is_program) (void *host, const char *path),
		       void *host)
{
  char *found = NULL;
  for (int pass = 0; pass < 2 && !found; pass++)
    {
      struct word word;
      bool command = true;
      for (size_t at = 0; !found && next_word (line, &at, &command, &word);)
	{
	  char *file = !word.text ? NULL
		     : pass == 0 ? (word.is_command ? find_command (word.text) : NULL)
		     : strchr (word.text, '/') ? xstrdup (word.text)
		     : NULL;
	  if (file && is_program (host, file))
	    found = file;
	  else
	    free (file);
	  free (word.text);
	}
    }
  return found;
}

static bool
same_file (const char *a, const char *b)
{
  char whole_a[PATH_MAX], whole_b[PATH_MAX];
  return realpath (a, whole_a) && realpath (b, whole_b) && !strcmp (whole_a, whole_b);
}

/* Return TEXT in single quotes. */
static char *
quoted (const char *text)
{
  char *result = xmalloc (4 * strlen (text) + 3), *to = result;
  *to++ = '\'';
  for (; *text; text++)
    if (*text == '\'')
      to += sprintf (to, "'\\''");
    else
      *to++ = *text;
  strcpy (to, "'");
  return result;
}

char *
cab_run_line (const char *line, const char *was, const char *program)
{
  char *result = xstrdup (""), *name = quoted (program);
  struct word word;
  bool command = true, done = false;
  size_t copied = 0;
  for (size_t at = 0; next_word (line, &at, &command, &word);)
    {
      char *file = !word.text ? NULL
		 : word.is_command ? find_command (word.text)
		 : strchr (word.text, '/') && !done ? xstrdup (word.text)
		 : NULL;
      if (file && same_file (file, was))
	{
	  char *between = xstrndup (line + copied, word.from - copied);
	  result = reconcat (result, result, between, name, NULL);
	  copied = word.from + word.n;
	  done = true;
	  free (between);
	}
      free (file);
      free (word.text);
    }
  result = reconcat (result, result, line + copied, NULL);
  free (name);
  return result;
}

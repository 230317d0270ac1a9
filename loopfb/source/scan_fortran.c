/* scan_fortran.c - find the DO statement of a loop, in Fortran.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/source/scan.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <libiberty/libiberty.h>

struct line
{
  const char *text;
  uint32_t length;
};

struct scanner
{
  struct line *lines;
  uint32_t n;
  bool fixed;
};

static void
split (struct scanner *s, const char *text, size_t length)
{
  uint32_t room = 0;
  for (const char *p = text, *end = text + length; p < end;)
    {
      const char *stop = memchr (p, '\n', end - p);
      if (s->n == room)
	s->lines = XRESIZEVEC (struct line, s->lines, room = room * 2 + 256);
      s->lines[s->n++] = (struct line) { p, (stop ? stop : end) - p };
      p = stop ? stop + 1 : end;
    }
}

/* Return line L, counted from 1; beyond the file an empty one. */
static struct line
line_at (const struct scanner *s, uint32_t l)
{
  return l && l <= s->n ? s->lines[l - 1] : (struct line) { "", 0 };
}

/* Return how many bytes of line L precede its comment and trailing blanks. */
static uint32_t
code_length (const struct scanner *s, uint32_t l)
{
  struct line line = line_at (s, l);
  char quote = 0;
  uint32_t n = 0;
  if (s->fixed && line.length && strchr ("cC*!", line.text[0]))
    return 0;
  for (uint32_t i = 0; i < line.length; i++)
    {
      char c = line.text[i];
      if (quote)
	quote = c == quote ? 0 : quote;
      else if (c == '!' && !(s->fixed && i == 5))
	break;
      else if (c == '\'' || c == '"')
	quote = c;
      if (!isspace ((unsigned char) c))
	n = i + 1;
    }
  return n;
}

/* Return true if line L continues the statement of an earlier line. */
static bool
continues (const struct scanner *s, uint32_t l)
{
  struct line line = line_at (s, l);
  if (s->fixed)
    return code_length (s, l) > 5 && line.text[5] != ' ' && line.text[5] != '0'
	&& line.text[5] != '\t' && !memchr (line.text, '\t', 5);
  while (--l > 0)
    {
      uint32_t n = code_length (s, l);
      if (n)
	return line_at (s, l).text[n - 1] == '&';
    }
  return false;
}

static uint32_t
statement_start (const struct scanner *s, uint32_t l)
{
  while (l > 1 && continues (s, l))
    do
      l--;
    while (l > 1 && !code_length (s, l));
  return l;
}

/* Return the first line of the statement before the one that begins at line L; 0 if there is
   none. */
static uint32_t
statement_before (const struct scanner *s, uint32_t l)
{
  do
    l--;
  while (l && !code_length (s, l));
  return l ? statement_start (s, l) : 0;
}

/* Store the code of the statement that begins at line L into TEXT, without blanks, in small
   letters. */
static void
statement_text (const struct scanner *s, uint32_t l, char *text, size_t bytes)
{
  size_t n = 0;
  uint32_t first = l;
  do
    {
      struct line line = line_at (s, l);
      uint32_t length = code_length (s, l);
      for (uint32_t i = s->fixed && l > first ? 6 : 0; i < length && n + 1 < bytes; i++)
	if (!isspace ((unsigned char) line.text[i]) && line.text[i] != '&')
	  text[n++] = tolower ((unsigned char) line.text[i]);
      l++;
    }
  while (l <= s->n && (continues (s, l) || !code_length (s, l)));
  text[n] = 0;
}

enum form { NO_DO, COUNTED, STEPPED, WHILE, CONCURRENT, ENDLESS };

/* Count the commas of TEXT outside of brackets. */
static int
commas (const char *text)
{
  int depth = 0, n = 0;
  for (; *text; text++)
    {
      depth += (*text == '(') - (*text == ')');
      n += *text == ',' && depth == 0;
    }
  return n;
}

/* Return what kind of DO the statement TEXT is; TEXT has no blanks. */
static enum form
form_of (const char *text)
{
  while (isdigit ((unsigned char) *text))
    text++;
  const char *name = text;
  while (isalnum ((unsigned char) *name) || *name == '_')
    name++;
  if (name > text && *name == ':' && name[1] != ':')
    text = name + 1;
  if (strncmp (text, "do", 2))
    return NO_DO;
  text += 2;
  bool labelled = isdigit ((unsigned char) *text);
  while (isdigit ((unsigned char) *text))
    text++;
  text += labelled && *text == ',';
  if (!strncmp (text, "while(", 6))
    return WHILE;
  if (!strncmp (text, "concurrent(", 11))
    return CONCURRENT;
  if (!*text)
    return ENDLESS;
  const char *equals = text;
  while (isalnum ((unsigned char) *equals) || *equals == '_')
    equals++;
  if (equals == text || *equals != '=' || commas (equals) < 1)
    return NO_DO;
  return commas (equals) > 1 ? STEPPED : COUNTED;
}

/* Return true if line L is the directive that begins with WORDS ("!gcc$unroll"), whatever its case
   and blanks.  *NUMBER gets the number in it, or 0. */
static bool
is_directive (const struct scanner *s, uint32_t l, const char *words, uint32_t *number)
{
  struct line line = line_at (s, l);
  uint32_t i = 0;
  for (; *words; words++)
    {
      while (i < line.length && isspace ((unsigned char) line.text[i]))
	i++;
      char c = i < line.length ? tolower ((unsigned char) line.text[i]) : 0;
      if (s->fixed && i == 0 && (c == 'c' || c == '*'))
	c = '!';
      if (c != *words)
	return false;
      i++;
    }
  *number = 0;
  for (; i < line.length && *number < 100000; i++)
    if (isdigit ((unsigned char) line.text[i]))
      *number = *number * 10 + line.text[i] - '0';
  return true;
}

/* Record the unroll directive between the DO at line L and the statement before it in PLACE; return
   -1 with the reason if another directive forbids one. */
static int
look_at_directives (const struct scanner *s, uint32_t l, struct cab_place *place, const char **why)
{
  uint32_t number;
  for (uint32_t k = l - 1; k && !code_length (s, k); k--)
    if (is_directive (s, k, "!$omp", &number) || is_directive (s, k, "!$acc", &number))
      {
	*why = "an OpenMP or OpenACC directive stands before it, and must stay there";
	return -1;
      }
    else if (is_directive (s, k, "!gcc$unroll", &number))
      {
	place->replaces = k;
	place->present = number;
      }
  return 0;
}

static bool
has_line_marker (const struct scanner *s)
{
  for (uint32_t l = 1; l <= s->n; l++)
    {
      struct line line = line_at (s, l);
      if (line.length > 2 && line.text[0] == '#'
	  && (!strncmp (line.text + 1, "line", 4) || isdigit ((unsigned char) line.text[2])))
	return true;
    }
  return false;
}

static const char *
why_not (enum form form, bool plain)
{
  if (plain && form != COUNTED && form != STEPPED && form != NO_DO)
    return "its DO has no counter";
  switch (form)
    {
    case WHILE: return "DO WHILE takes no UNROLL directive";
    case CONCURRENT: return "DO CONCURRENT takes no UNROLL directive";
    case ENDLESS: return "a DO without a counter takes no UNROLL directive";
    case NO_DO:
      return "no DO stands there: the loop is made of an array expression or by GOTO, or the "
	     "source has changed";
    default: return NULL;
    }
}

/* Return the line of the DO that the place belongs to: the place's line, or, where the compiler
   counts trips, the statement right before the body's first one. */
static uint32_t
find_do (const struct scanner *s, uint32_t line, enum form *form)
{
  char text[1024];
  uint32_t l = statement_start (s, line);
  statement_text (s, l, text, sizeof text);
  *form = form_of (text);
  if (*form == NO_DO)
    {
      uint32_t before = statement_before (s, l);
      statement_text (s, before, text, sizeof text);
      enum form outer = before ? form_of (text) : NO_DO;
      if (outer == STEPPED || outer == ENDLESS)
	{
	  *form = outer;
	  return before;
	}
    }
  return l;
}

static int
scan (const struct scanner *s, const struct cab_scan *what, struct cab_place *place,
      const char **why)
{
  enum form form;
  if (what->line == 0 || what->line > s->n)
    *why = "nothing stands there: the source has changed";
  else if (has_line_marker (s))
    *why = "the file has #line directives: it is made from another one";
  else if (what->ordinal)
    *why = "several loops were made of what stands there";
  else
    *why = NULL;
  if (*why)
    return -1;
  uint32_t l = find_do (s, what->line, &form);
  struct line line = line_at (s, l);
  *why = memchr (line.text, ';', code_length (s, l)) ? "several statements stand on its line"
						     : why_not (form, what->plain);
  if (*why)
    return -1;
  uint32_t column = 0;
  while (!s->fixed && column < line.length && isspace ((unsigned char) line.text[column]))
    column++;
  *place = (struct cab_place) { .line = l, .column = column + 1, .first = true };
  return look_at_directives (s, l, place, why);
}

int
cab_scan_fortran (const struct cab_scan *what, bool fixed, struct cab_place *place,
		  const char **why)
{
  struct scanner s = { .fixed = fixed };
  split (&s, what->text, what->length);
  int result = scan (&s, what, place, why);
  free (s.lines);
  return result;
}

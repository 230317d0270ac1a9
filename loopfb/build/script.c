/* script.c - parse a line of the output of `perf script'.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/build/script.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MODIFIERS "ukhpPGHISDWe"

struct word
{
  char *at;
  size_t n;
};

static struct word
next_word (char *at)
{
  at += strspn (at, " \t");
  return (struct word) { at, strcspn (at, " \t") };
}

static bool
is_all (struct word word, int (*is) (int))
{
  for (size_t i = 0; i < word.n; i++)
    if (!is ((unsigned char) word.at[i]))
      return false;
  return word.n != 0;
}

static bool
is_event (struct word word)
{
  return word.n > 1 && isalpha ((unsigned char) *word.at) && word.at[word.n - 1] == ':';
}

/* Return true if WORD is an address, which has at most 16 digits. */
static bool
is_address (struct word word)
{
  return word.n <= 16 && is_all (word, isxdigit);
}

/* Return true if WORD is a time, as in "18938.062607:". */
static bool
is_time (struct word word)
{
  char *end;
  if (word.n < 3 || !isdigit ((unsigned char) *word.at) || word.at[word.n - 1] != ':')
    return false;
  strtod (word.at, &end);
  return end == word.at + word.n - 1;
}

/* Parse what follows the address: symbol+0xOFFSET (file). */
static void
parse_place (char *at, struct cab_script_line *parsed)
{
  size_t n = strlen (at);
  char *file = NULL;
  while (n && isspace ((unsigned char) at[n - 1]))
    at[--n] = 0;
  if (n && at[n - 1] == ')')
    for (size_t i = 0; i + 2 < n; i++)
      if (at[i] == '(' && (i == 0 || at[i - 1] == ' ')
	  && (at[i + 1] == '/' || at[i + 1] == '[' || at[i + 1] == '.'))
	file = at + i;
  if (file)
    {
      at[n - 1] = 0;
      parsed->dso = file + 1;
      *file = 0;
      char *deleted = strstr (file + 1, " (deleted)");
      if (deleted)
	*deleted = 0;
      for (n = file - at; n && at[n - 1] == ' ';)
	at[--n] = 0;
    }
  char *plus = strrchr (at, '+');
  if (plus && !strncmp (plus, "+0x", 3) && isxdigit ((unsigned char) plus[3]))
    {
      char *end;
      parsed->offset = strtoull (plus + 1, &end, 16);
      parsed->has_offset = !*end;
      if (!*end)
	*plus = 0;
    }
  parsed->symbol = *at && strcmp (at, "[unknown]") ? at : NULL;
}

/* Parse what precedes the event: comm, pid/tid, [cpu], time:, period. */
static void
parse_head (char *line, const char *event, struct cab_script_line *parsed)
{
  struct word before = { NULL, 0 }, word;
  for (char *at = line; (word = next_word (at)).at < event; at = word.at + word.n)
    {
      if (is_time (word) && before.n)
	parsed->pid = strtoul (before.at, NULL, 10);
      if (*word.at != '[')
	before = word;
    }
  if (before.n && before.n < 19 && is_all (before, isdigit) && parsed->pid)
    parsed->period = strtoull (before.at, NULL, 10);
  else if (before.n && before.at == next_word (line).at && before.n < 19
	   && is_all (before, isdigit))
    parsed->period = strtoull (before.at, NULL, 10);
  if (!parsed->period)
    parsed->period = 1;
}

enum cab_script_kind
cab_script_parse (char *line, struct cab_script_line *parsed)
{
  struct word event = { NULL, 0 }, address = { NULL, 0 }, word, next;
  *parsed = (struct cab_script_line) { .period = 1 };
  line[strcspn (line, "\r\n")] = 0;
  word = next_word (line);
  if (!word.n || *word.at == '#')
    return CAB_SCRIPT_NOTHING;
  if (is_address (word) && word.at != line && !is_event (next_word (word.at + word.n)))
    address = word;
  for (; word.n; word = next)
    {
      next = next_word (word.at + word.n);
      if (is_event (word) && (!next.n || is_address (next)))
	{
	  event = word;
	  address = next;
	}
    }
  if (!event.n && !address.n)
    return CAB_SCRIPT_BAD;
  if (event.n)
    {
      parse_head (line, event.at, parsed);
      event.at[event.n - 1] = 0;
      parsed->event = event.at;
    }
  if (!address.n)
    return CAB_SCRIPT_HEAD;
  parsed->ip = strtoull (address.at, NULL, 16);
  parse_place (address.at + address.n + strspn (address.at + address.n, " \t"), parsed);
  return event.n ? CAB_SCRIPT_SAMPLE : CAB_SCRIPT_FRAME;
}

static size_t
without_modifiers (const char *event)
{
  const char *colon = strrchr (event, ':');
  return colon && colon[1 + strspn (colon + 1, MODIFIERS)] == 0 ? (size_t) (colon - event)
								: strlen (event);
}

bool
cab_script_same_event (const char *a, const char *b)
{
  size_t n = without_modifiers (a);
  return n == without_modifiers (b) && !strncmp (a, b, n);
}

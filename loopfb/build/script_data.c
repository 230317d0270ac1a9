/* script_data.c - parse a line of `perf script' that has addresses of data.  Pure.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/build/script_data.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_DIGITS 5      /* of an instruction's address */

static bool
is_all (const char *word, int (*is) (int))
{
  const char *at = word;
  while (is ((unsigned char) *at))
    at++;
  return at > word && !*at;
}

static bool
is_address (const char *word)
{
  return strlen (word) <= 16 && is_all (word, isxdigit);
}

/* Return the next word at *AT, ended by a zero, and step over it; null: there is none. */
static char *
next_word (char **at)
{
  char *word = *at + strspn (*at, " \t");
  *at = word + strcspn (word, " \t");
  if (**at)
    *(*at)++ = 0;
  return *word ? word : NULL;
}

/* Parse what follows a description of the data's source: a latency, if there is one, and the
   address of the instruction. */
static bool
parse_latency (char *at, struct cab_script_data *parsed)
{
  const char *word, *last = "";
  bool found = false;
  for (; (word = next_word (&at)); last = word)
    if (is_all (last, isdigit) && is_address (word))
      {
	parsed->data.latency = strtoull (last, NULL, 10);
	parsed->ip = strtoull (word, NULL, 16);
	return true;
      }
    else if (!found && is_address (word) && strlen (word) >= LEAST_DIGITS)
      {
	parsed->ip = strtoull (word, NULL, 16);
	found = true;
      }
  return found;
}

/* Parse what follows the address of the datum where its source is not known: a name of the datum,
   the address of the instruction, and a name of that.  A name may look like a number, but stands
   behind an address. */
static bool
parse_instruction (char *at, struct cab_script_data *parsed)
{
  const char *word, *last = "";
  bool found = false;
  for (; (word = next_word (&at)); last = word)
    if (is_address (word) && strlen (word) >= LEAST_DIGITS && !is_address (last))
      {
	parsed->ip = strtoull (word, NULL, 16);
	found = true;
      }
  return found;
}

/* Parse what follows the event: the address of the datum, its source, a number with words between
   bars, a latency, and the address of the instruction; names may stand behind addresses. */
static bool
parse_values (char *at, struct cab_script_data *parsed)
{
  char *word = next_word (&at), *bar = strrchr (at, '|'), *source = strchr (at, '|');
  if (!word || !is_address (word))
    return false;
  parsed->data.address = strtoull (word, NULL, 16);
  if (!bar)
    return parse_instruction (at, parsed);
  while (source > at && source[-1] == ' ')
    source--;
  while (source > at && source[-1] != ' ')
    source--;
  parsed->data.source = strtoull (source, NULL, 16);
  return parse_latency (bar + 1, parsed);
}

static enum cab_script_data_kind
parse_mapping (const char *at, struct cab_script_data *parsed)
{
  int path = 0;
  char access[8];
  const char *from = strstr (at, ": [");
  if (!from || sscanf (at, " %" SCNu32, &parsed->pid) != 1
      || sscanf (from, ": [%" SCNx64 "(%" SCNx64 ") @ %" SCNx64, &parsed->start, &parsed->bytes,
		 &parsed->offset)
	   != 3
      || !(from = strstr (from, "]: "))
      || sscanf (from, "]: %7s %n", access, &path) != 1 || !path)
    return CAB_SCRIPT_DATA_BAD;
  parsed->code = strchr (access, 'x');
  parsed->path = from + path;
  return CAB_SCRIPT_DATA_MAPPING;
}

/* Parse a record that is no sample, which begins behind PERF_RECORD_. */
static enum cab_script_data_kind
parse_record (const char *at, struct cab_script_data *parsed)
{
  if (!strncmp (at, "MMAP2 ", 6) || !strncmp (at, "MMAP ", 5))
    return parse_mapping (strchr (at, ' '), parsed);
  if (!strncmp (at, "FORK(", 5))
    return sscanf (at, "FORK(%" SCNu32 ":%*u):(%" SCNu32, &parsed->pid, &parsed->parent) == 2
	   ? CAB_SCRIPT_DATA_FORK
	   : CAB_SCRIPT_DATA_BAD;
  const char *colon = strrchr (at, ':');
  if (!strncmp (at, "COMM exec: ", 11) && colon)
    return sscanf (colon, ":%" SCNu32, &parsed->pid) == 1 ? CAB_SCRIPT_DATA_EXEC
							  : CAB_SCRIPT_DATA_BAD;
  return CAB_SCRIPT_DATA_NOTHING;
}

/* Return true if WORD is a time, as in "18938.062607:". */
static bool
is_time (const char *word)
{
  char *end;
  if (!isdigit ((unsigned char) *word))
    return false;
  strtod (word, &end);
  return end[0] == ':' && !end[1];
}

/* Parse a sample: what precedes the event is a program's name, pid/tid, a core, a time, a
   period. */
static enum cab_script_data_kind
parse_sample (char *line, struct cab_script_data *parsed)
{
  const char *before = "";
  char *word;
  bool timed = false;
  for (char *at = line; (word = next_word (&at)); before = *word == '[' ? before : word)
    {
      size_t n = strlen (word);
      if (is_time (word))
	{
	  parsed->pid = strtoul (before, NULL, 10);
	  timed = true;
	}
      else if (timed && n > 1 && word[n - 1] == ':' && !isdigit ((unsigned char) *word))
	{
	  if (is_all (before, isdigit))
	    parsed->period = strtoull (before, NULL, 10);
	  word[n - 1] = 0;
	  parsed->event = word;
	  return parse_values (at, parsed) ? CAB_SCRIPT_DATA_SAMPLE : CAB_SCRIPT_DATA_BAD;
	}
    }
  return CAB_SCRIPT_DATA_BAD;
}

enum cab_script_data_kind
cab_script_data_parse (char *line, struct cab_script_data *parsed)
{
  *parsed = (struct cab_script_data) { .period = 1 };
  line[strcspn (line, "\r\n")] = 0;
  if (!line[strspn (line, " \t")] || *line == '#')
    return CAB_SCRIPT_DATA_NOTHING;
  char *record = strstr (line, "PERF_RECORD_");
  return record ? parse_record (record + strlen ("PERF_RECORD_"), parsed)
		: parse_sample (line, parsed);
}

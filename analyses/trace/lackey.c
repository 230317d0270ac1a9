/* lackey.c - read lackey's traces: gigabytes of short lines, so that each is parsed in place, up to
 * a newline that is always there.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/lackey.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

#define LONGEST 65536

void
cab_lackey_open (struct cab_lackey *reader, int fd, uint32_t cut)
{
  memset (reader, 0, offsetof (struct cab_lackey, buffer));
  reader->fd = fd;
  reader->cut = cut;
  reader->at = reader->end = reader->buffer;
  *reader->end = '\n';
}

/* Move the rest to the front of the buffer and read more after it.  Return false if there is no
   more. */
static bool
refill (struct cab_lackey *reader)
{
  size_t rest = reader->end - reader->at;
  ssize_t got = 0;
  if (reader->ended)
    return false;
  memmove (reader->buffer, reader->at, rest);
  reader->at = reader->buffer;
  reader->end = reader->buffer + rest;
  do
    got = read (reader->fd, reader->end, CAB_LACKEY_BUFFER - rest);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    reader->error = errno;
  reader->ended = got <= 0;
  reader->end += got > 0 ? got : 0;
  *reader->end = '\n';
  return !reader->ended;
}

/* Return the kind of access that a line beginning with P records, or -1.  Nothing after a newline
   is read. */
static inline int
kind_of (const char *p)
{
  if (p[0] == 'I')
    return p[1] == ' ' && p[2] == ' ' ? CAB_ACCESS_FETCH : -1;
  if (p[0] != ' ' || p[1] == '\n' || p[2] != ' ')
    return -1;
  return p[1] == 'L' ? CAB_ACCESS_READ
       : p[1] == 'S' ? CAB_ACCESS_WRITE
       : p[1] == 'M' ? CAB_ACCESS_MODIFY
       : -1;
}

static inline unsigned
digit_of (char c)
{
  unsigned decimal = (unsigned char) c - '0', letter = ((unsigned char) c | 32) - 'a';
  return decimal < 10 ? decimal : letter < 6 ? letter + 10 : 16;
}

/* Parse the line from P on, after its first three characters.  Return where it ends, or null if it
   is malformed. */
static inline char *
parse (char *p, struct cab_access *access)
{
  uint64_t address = 0;
  uint32_t size = 0;
  unsigned digit;
  char *from = p;
  for (; (digit = digit_of (*p)) < 16; p++)
    address = address << 4 | digit;
  if (p == from || p - from > 16 || *p != ',')
    return NULL;
  from = ++p;
  for (; (digit = (unsigned char) *p - '0') < 10 && p - from < 6; p++)
    size = size * 10 + digit;
  if (*p != '\n' || !size || size > LONGEST || size - 1 > UINT64_MAX - address)
    return NULL;
  access->address = address;
  access->size = size;
  return p;
}

static void
complain (struct cab_lackey *reader, const char *line, const char *end)
{
  size_t n = end - line < (ptrdiff_t) sizeof reader->malformed ? (size_t) (end - line)
							       : sizeof reader->malformed - 1;
  if (reader->n_malformed++)
    return;
  reader->malformed_line = reader->n_lines;
  for (size_t i = 0; i < n; i++)
    reader->malformed[i] = line[i] >= ' ' && line[i] <= '~' ? line[i] : '?';
}

/* Handle what begins at `at' and is no access, or is not complete in the buffer: skip it, or read
   more.  Return false at the end. */
static bool
slow (struct cab_lackey *reader)
{
  char *line = reader->at, *newline = memchr (line, '\n', reader->end - line + 1);
  bool whole = newline < reader->end,
       full = line == reader->buffer && newline == reader->buffer + CAB_LACKEY_BUFFER;
  if (!whole && !full && refill (reader))
    return true;
  if (!whole && reader->at == reader->end)
    return false;
  /* This is a whole line, a last one without an end, or a piece of one that is longer than the
     buffer. */
  line = reader->at;
  newline = whole ? newline : reader->end;
  if (!reader->in_long_line)
    {
      reader->n_lines++;
      if (kind_of (line) >= 0)
	complain (reader, line, newline);
    }
  reader->in_long_line = !whole;
  reader->at = whole ? newline + 1 : newline;
  return true;
}

size_t
cab_lackey_read (struct cab_lackey *reader, struct cab_access *accesses, size_t room)
{
  size_t n = 0;
  while (n < room)
    {
      struct cab_access *access = &accesses[n];
      int kind = kind_of (reader->at);
      char *newline = kind < 0 || reader->in_long_line ? NULL : parse (reader->at + 3, access);
      if (__builtin_expect (newline && newline < reader->end, 1))
	{
	  access->kind = kind;
	  if (access->size > reader->cut && kind != CAB_ACCESS_FETCH)
	    access->size = reader->cut;
	  reader->at = newline + 1;
	  reader->n_lines++;
	  n++;
	}
      else if (!slow (reader))
	break;
    }
  reader->n_accesses += n;
  return n;
}

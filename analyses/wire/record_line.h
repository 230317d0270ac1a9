/* record_line.h - the lines of a record (include/cabprof/info.h) and their fields, for those who
 * read it while the program runs.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      pure.  Nothing is copied: fields point into the text.
 * Errors:     the text is hostile: what is no number, or too large, is false.
 */
#ifndef CAB_RECORD_LINE_H
#define CAB_RECORD_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAB_LINE_FIELDS 12

/* A line; its fields once it was split. */
struct cab_record_line
{
  const char *text, *stop;    /* its characters end here */
  const char *next, *end;     /* where the next one begins; the record's end */
  const char *field[CAB_LINE_FIELDS];
  size_t length[CAB_LINE_FIELDS];
  int n;
};

/* Some numbers of a list: n of them, from `first' on. */
struct cab_line_run
{
  uint32_t first, n;
};

/* Before the first line of the record at TEXT, which ends at N bytes or at a NUL before.  Before
   the one at FROM, of a record that ends at END. To the next line; false at the end. */
struct cab_record_line cab_line_begin (const char *text, size_t n);

static inline struct cab_record_line
cab_line_from (const char *from, const char *end)
{
  return (struct cab_record_line) { .next = from, .end = end };
}

bool cab_line_next (struct cab_record_line *l);

/* What the line tells of: its first field, if that is one letter; else 0. */
static inline char
cab_line_letter (const struct cab_record_line *l)
{
  return l->text < l->stop && (l->text + 1 == l->stop || l->text[1] == '\t') && *l->text != '\t'
	 ? *l->text
	 : 0;
}

/* Its fields, at most MOST: the last one ends at a tab, too. */
const struct cab_record_line *cab_line_split (struct cab_record_line *l, int most);

/* The decimal number of N characters at P, up to MOST.  Field I as one; with a sign, or not. */
bool cab_line_digits (const char *p, size_t n, uint64_t most, uint64_t *to);
bool cab_line_number (const struct cab_record_line *l, int i, uint64_t most, uint64_t *to);
bool cab_line_signed (const struct cab_record_line *l, int i, uint64_t *to);

/* The next run, "N" or "N-M", of a list of them, separated by commas, from *P on, which ends at
   END; *P goes behind it.  False: there is none, or it is mangled. */
bool cab_line_run (const char **p, const char *end, struct cab_line_run *run);
/* How many numbers the list of LENGTH characters at P has; UINT64_MAX: it is mangled. */
uint64_t cab_line_runs (const char *p, size_t length);

/* Does character C stand in field I?  Is that TEXT? */
bool cab_line_has (const struct cab_record_line *l, int i, char c);
bool cab_line_is (const struct cab_record_line *l, int i, const char *text);

#endif

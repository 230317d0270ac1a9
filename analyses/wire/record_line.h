/* record_line.h - the lines of a record (include/cabprof/info.h) and their fields, for code that
 * reads it while the program runs.
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

/* A line; its fields are valid after cab_line_split. */
struct cab_record_line
{
  const char *text, *stop;    /* its characters end here */
  const char *next, *end;     /* where the next one begins; the record's end */
  const char *field[CAB_LINE_FIELDS];
  size_t length[CAB_LINE_FIELDS];
  int n;
};

/* A run of numbers in a list: N of them, beginning with FIRST. */
struct cab_line_run
{
  uint32_t first, n;
};

/* Return a cursor before the first line of the record at TEXT, which ends after N bytes or at an
   earlier NUL. */
struct cab_record_line cab_line_begin (const char *text, size_t n);

/* Return a cursor before the line at FROM, of a record that ends at END. */
static inline struct cab_record_line
cab_line_from (const char *from, const char *end)
{
  return (struct cab_record_line) { .next = from, .end = end };
}

/* Go to the next line.  Return false at the end of the record. */
bool cab_line_next (struct cab_record_line *l);

/* Return the kind of the line: its first field, if that is one letter; else 0. */
static inline char
cab_line_letter (const struct cab_record_line *l)
{
  return l->text < l->stop && (l->text + 1 == l->stop || l->text[1] == '\t') && *l->text != '\t'
	 ? *l->text
	 : 0;
}

/* Split the line into its fields, at most MOST: the last one ends at a tab, too.  Return L. */
const struct cab_record_line *cab_line_split (struct cab_record_line *l, int most);

/* Store the decimal number of N characters at P in *TO.  Return false if it is none, or above
   MOST. */
bool cab_line_digits (const char *p, size_t n, uint64_t most, uint64_t *to);
/* Store field I, a decimal number up to MOST, in *TO. */
bool cab_line_number (const struct cab_record_line *l, int i, uint64_t most, uint64_t *to);
/* Store field I, a decimal number that may have a minus sign, in *TO. */
bool cab_line_signed (const struct cab_record_line *l, int i, uint64_t *to);

/* Take the next run, "N" or "N-M", from the list of runs, separated by commas, at *P, which ends at
   END, and move *P past it.  Return false if there is none, or it is malformed. */
bool cab_line_run (const char **p, const char *end, struct cab_line_run *run);
/* Return how many numbers the list of LENGTH characters at P has; UINT64_MAX if it is malformed. */
uint64_t cab_line_runs (const char *p, size_t length);

/* Return true if field I contains character C. */
bool cab_line_has (const struct cab_record_line *l, int i, char c);
/* Return true if field I is TEXT. */
bool cab_line_is (const struct cab_record_line *l, int i, const char *text);

#endif

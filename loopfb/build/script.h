/* script.h - parse a line of the output of `perf script'.  Pure.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     perf 4.x to 6.x, fields event, ip, sym, dso, and if there are any comm, pid, tid,
 *             cpu, time, period, symoff:
 *                 s-burn 11539 18938.062607:     250000 cpu-clock:      5610a17eb16b hot+0x22
 *                 (/tmp/burn)
 *             With call chains the address is alone on the first line below.
 * Model:      the event is the last word that begins with a letter, ends with a colon and is
 *             followed by an address (or nothing); the file is what the last bracket holds.  Names
 *             may hold spaces and brackets.
 * Ownership:  texts point into LINE, which is changed.
 */
#ifndef CAB_SCRIPT_H
#define CAB_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

enum cab_script_kind
{
  CAB_SCRIPT_NOTHING,      /* blank, or a comment */
  CAB_SCRIPT_SAMPLE,       /* event and address */
  CAB_SCRIPT_HEAD,         /* event; the address is on the next line */
  CAB_SCRIPT_FRAME,        /* address alone */
  CAB_SCRIPT_BAD
};

struct cab_script_line
{
  const char *event;       /* without its colon; null in a frame */
  uint64_t ip, period;     /* period is 1 where none is named */
  uint32_t pid;            /* 0 if not named */
  const char *symbol;      /* null if unknown */
  bool has_offset;
  uint64_t offset;         /* ip - start of the symbol */
  const char *dso;         /* null if unknown */
};

/* Parse LINE, which is changed, into PARSED, and return what kind of line it is. */
enum cab_script_kind cab_script_parse (char *line, struct cab_script_line *parsed);

/* Return true if the events A and B are the same except for modifiers (":u", ":ppp"). */
bool cab_script_same_event (const char *a, const char *b);

#endif

/* script.h - a line of what `perf script' prints.  Pure.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     perf 4.x to 6.x, fields event, ip, sym, dso, and if there are any comm, pid, tid,
 *             cpu, time, period, symoff:
 *                 s-burn 11539 18938.062607:     250000 cpu-clock:      5610a17eb16b hot+0x22
 *                 (/tmp/burn)
 *             With call chains the address stands on the first line below, alone.
 * Model:      the event is the last word that begins with a letter, ends with a colon and has an
 *             address (or nothing) behind it; the file is what the last bracket holds.  Names may
 *             hold spaces and brackets.
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
  CAB_SCRIPT_HEAD,         /* event; the address follows */
  CAB_SCRIPT_FRAME,        /* address alone */
  CAB_SCRIPT_BAD
};

struct cab_script_line
{
  const char *event;       /* without its colon; null in a frame */
  uint64_t ip, period;     /* period 1 where none is named */
  uint32_t pid;            /* 0: not named */
  const char *symbol;      /* null: unknown */
  bool has_offset;
  uint64_t offset;         /* ip - start of the symbol */
  const char *dso;         /* null: unknown */
};

enum cab_script_kind cab_script_parse (char *line, struct cab_script_line *parsed);

/* Are the events A and B the same but for modifiers (":u", ":ppp")? */
bool cab_script_same_event (const char *a, const char *b);

#endif

/* doctor_lines.h - what it costs that one processor reads what another one wrote.
 *
 * Model:      a thread writes a block of 64 KB and another one, on another processor, reads it word
 *             by word; then the thread reads what it has written itself.  The difference of the
 *             least times of some rounds is what the lines' way costs; processors that other
 *             programs use, or that the host takes away, lengthen some rounds but not all.
 * Units:      ps for each line of 64 bytes.
 * Threads:    one; it starts another one, and puts its own set of processors back.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_DOCTOR_LINES_H
#define CAB_DOCTOR_LINES_H

#include <stdint.h>

/* Measure from processor FROM to processor TO.  Return 0 and set *LINE_PS, or -errno. */
int cab_doctor_line (int from, int to, uint64_t *line_ps);

#endif

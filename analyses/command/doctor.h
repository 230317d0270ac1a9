/* doctor.h - what the files of `cabprof doctor' share.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_DOCTOR_H
#define CAB_DOCTOR_H

/* One line: VERDICT is ok, no or "-" (not here, but nothing needs it). */
void cab_doctor_tell (const char *verdict, const char *what, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* Which sources of samples this machine has. */
void cab_doctor_sampling (void);

#endif

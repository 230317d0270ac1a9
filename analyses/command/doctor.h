/* doctor.h - what the files of `cabprof doctor' share.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_DOCTOR_H
#define CAB_DOCTOR_H

/* Print one line about WHAT.  VERDICT is "ok", "no" or "-", which means absent but not needed. */
void cab_doctor_tell (const char *verdict, const char *what, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* Print which sources of samples this machine has. */
void cab_doctor_sampling (void);

#endif

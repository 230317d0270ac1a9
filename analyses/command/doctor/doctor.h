/* doctor.h - what the files of `cabprof doctor' share.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_DOCTOR_H
#define CAB_DOCTOR_H

#include <stdbool.h>

struct cab_patient
{
  char directory[32];       /* a temporary directory, with a short name whatever TMPDIR is */
  char *source, *binary, *output, *profile;
  char *bin;                /* the directory of this command */
  bool works;               /* some compiler makes programs that can be profiled; or the model could
			       be measured */
};

/* Print one line about WHAT.  VERDICT is "ok", "no" or "-", which means absent but not needed. */
void cab_doctor_tell (const char *verdict, const char *what, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* Run ARGV with its output in a file.  Return its exit status, or -1 if it cannot be run. */
int cab_doctor_run (const struct cab_patient *patient, const char *const *argv);
/* Return the first line that the last run printed, in LINE. */
const char *cab_doctor_first_line (const struct cab_patient *patient, char line[256]);
/* Return the flag that makes a compiler load the plugin; the caller frees it. */
char *cab_doctor_flag (const struct cab_patient *patient);

/* Print which sources of samples this machine has. */
void cab_doctor_sampling (void);

/* Measure what events cost on this machine, and print that and which placement is cheaper.  Return
   false if it cannot be measured, after printing why. */
bool cab_doctor_model (const struct cab_patient *patient);

#endif

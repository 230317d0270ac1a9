/* script_data.h - samples with addresses of data, from the output of `perf script'.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     perf 4.x to 6.x, of `perf mem record', `perf c2c record' or `perf record --data':
 *                 perf script --show-mmap-events --show-task-events \
 *                   -F comm,tid,time,period,event,addr,data_src,weight,ip
 *             prints mappings, forks and programs' starts as PERF_RECORD_..., and samples as
 *                 touch 310/310 3373.211854: 1 mem-loads: 55c489cf6000 68100142 |OP LOAD|LVL L1
 *                 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK N/A 72 55c489cf11d3
 *             Without the fields data_src and weight no level and no latency is known; sym and dso
 *             are passed over.
 * Model:      mappings and samples are applied in the order of the text, as those of a run are
 *             (collect.h).  A file that is not where the text says is looked for, by its last name,
 *             in the working directory.
 * Errors:     0, or negative with words in DIAG, which need no prefix.
 */
#ifndef CAB_SCRIPT_DATA_H
#define CAB_SCRIPT_DATA_H

#include "loopfb/sample/collect.h"
#include "loopfb/sample/samples.h"

enum cab_script_data_kind
{
  CAB_SCRIPT_DATA_NOTHING,
  CAB_SCRIPT_DATA_SAMPLE,
  CAB_SCRIPT_DATA_MAPPING,
  CAB_SCRIPT_DATA_FORK,
  CAB_SCRIPT_DATA_EXEC,
  CAB_SCRIPT_DATA_BAD
};

/* What a line says. */
struct cab_script_data
{
  uint32_t pid, parent;
  const char *event;              /* of a sample, without its colon */
  uint64_t period, ip;            /* of a sample; a period that is not named is 1 */
  struct cab_data_sample data;    /* of a sample; its weight and ip are not set */
  uint64_t start, bytes, offset;  /* of a mapping */
  bool code;                      /* it may be executed */
  const char *path;
};

/* Parse LINE, which is changed, into PARSED, whose texts point into it.  Pure. */
enum cab_script_data_kind cab_script_data_parse (char *line, struct cab_script_data *parsed);

/* Read the output of `perf script' in PATH into SAMPLES, which are empty; EVENT is the one to take,
   or null if there is only one. */
int cab_samples_from_data_script (struct cab_samples *samples, const char *path,
				  const char *event, struct cab_diag *diag);

#endif

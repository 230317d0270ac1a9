/* perf_event.c - events of the kernel by name, and what this machine grants.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/perf_event.h"
#include <asm/perf_regs.h>
#include <errno.h>
#include <inttypes.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const struct
{
  const char *name;
  uint32_t type;
  uint64_t config;
} generic[] = {
  { "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
  { "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
  { "stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
  { "stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
  { "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
  { "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
  { "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
  { "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
  { "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
  { "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN },
  { "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ }
};
#define N_GENERIC (sizeof generic / sizeof *generic)

const char *const cab_perf_event_names[] = { "cycles",
					     "instructions",
					     "stalled-cycles-frontend",
					     "stalled-cycles-backend",
					     "branch-misses",
					     "cache-misses",
					     "cpu-clock",
					     "task-clock",
					     "page-faults",
					     "minor-faults",
					     "major-faults",
					     NULL };

/* Intel's PEBS events of loads, by the names of several generations, then AMD's IBS. */
const char *const cab_perf_data_names[] = { "MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=3",
					    "MEM_TRANS_RETIRED:LATENCY_ABOVE_THRESHOLD:ldlat=3",
					    "MEM_INST_RETIRED:LATENCY_ABOVE_THRESHOLD:ldlat=3",
					    "ibs_op", NULL };

static int
refuse (struct cab_diag *diag, const char *name, const char *what)
{
  snprintf (diag->text, sizeof diag->text, "event %s: %s", name, what);
  return -1;
}

/* Find the event NAME by libpfm4. */
static int
find_named (struct cab_perf_event *event, const char *name, struct cab_diag *diag)
{
  static int started = -1;
  pfm_perf_encode_arg_t arg = { .attr = &event->attr, .size = sizeof arg };
  char words[160];
  if (started < 0)
    started = pfm_initialize ();
  if (started != PFM_SUCCESS)
    return refuse (
      diag, name,
      "libpfm4 does not know this processor: name one of the kernel's, as cycles or cpu-clock");
  int result = pfm_get_os_event_encoding (name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
  if (result == PFM_SUCCESS)
    return 0;
  snprintf (words, sizeof words, "%s: `cabprof doctor' lists what this machine can do",
	    pfm_strerror (result));
  return refuse (diag, name, words);
}

/* Find AMD's instruction-based sampling of operations, a unit of the kernel's own. */
static int
find_ibs (struct cab_perf_event *event, const char *name, struct cab_diag *diag)
{
  FILE *file = fopen ("/sys/bus/event_source/devices/ibs_op/type", "r");
  bool found = file && fscanf (file, "%" SCNu32, &event->attr.type) == 1;
  if (file)
    fclose (file);
  return found ? 0 : refuse (diag, name, "this (virtual) processor does not have it");
}

int
cab_perf_event_find (struct cab_perf_event *event, const char *name, bool data,
		     struct cab_diag *diag)
{
  *event = (struct cab_perf_event) { .attr = { .size = sizeof event->attr }, .data = data };
  if (!strcmp (name, "ibs_op"))
    return find_ibs (event, name, diag);
  for (size_t i = 0; i < N_GENERIC; i++)
    if (!strcmp (generic[i].name, name))
      {
	event->attr.type = generic[i].type;
	event->attr.config = generic[i].config;
	event->unit_ns = !strcmp (name, "cpu-clock") || !strcmp (name, "task-clock");
	return data && event->unit_ns
	       ? refuse (diag, name, "a clock has no addresses of data: name page-faults, or an "
				     "event of loads or stores")
	       : 0;
      }
  return find_named (event, name, diag);
}

int
cab_perf_event_open (const struct perf_event_attr *attr, pid_t pid, int cpu)
{
  return syscall (SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool
opens (const struct perf_event_attr *attr)
{
  int fd = cab_perf_event_open (attr, 0, -1);
  if (fd >= 0)
    close (fd);
  return fd >= 0;
}

static const char *
why_not (int error)
{
  switch (error)
    {
    case EACCES:
    case EPERM:
      return "the kernel forbids it: as root, write 2 or less to "
	     "/proc/sys/kernel/perf_event_paranoid, or allow perf_event_open in "
	     "the container";
    case ENOSYS: return "this kernel has no perf events, or the container hides them";
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
      return "this (virtual) processor does not count it, or cannot interrupt for it";
    default: return strerror (error);
    }
}

/* Ask for the addresses of data, for the mappings that hold them, and for stack pointers.
   Latencies and levels come with hardware events only. */
static void
add_data (struct perf_event_attr *a)
{
  a->sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_REGS_USER;
  a->sample_regs_user = UINT64_C (1) << PERF_REG_X86_SP;
  a->mmap_data = 1;
  if (a->type != PERF_TYPE_SOFTWARE)
    a->sample_type |= PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC;
}

int
cab_perf_event_grant (struct cab_perf_event *event, const char *name, uint64_t period,
		      struct cab_diag *diag)
{
  struct perf_event_attr *a = &event->attr;
  int error = 0;
  a->disabled = 1;
  a->exclude_hv = 1;
  a->freq = 0;
  a->sample_period = period;
  a->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_STREAM_ID
		 | PERF_SAMPLE_PERIOD;
  if (event->data)
    add_data (a);
  a->use_clockid = 1;
  a->clockid = CLOCK_MONOTONIC;
  for (int user_only = 0; user_only < 2; user_only++)
    for (int precise = a->type == PERF_TYPE_SOFTWARE ? 0 : 3; precise >= 0; precise--)
      {
	a->exclude_kernel = user_only;
	a->precise_ip = precise;
	if (opens (a))
	  return 0;
	error = errno;
      }
  return refuse (diag, name, why_not (error));
}

/* place.c - see place.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/workers/place.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/base/rt.h"
#include "rt/base/say.h"
#include "rt/common/sys.h"

static struct cab_cpus allowed;
static bool is_known;
static uint32_t has_said;
static uint32_t thread_is_chosen;   /* by placement=auto */

static void
say_once (const char *wrong, int error)
{
  if (!__atomic_exchange_n (&has_said, 1, __ATOMIC_RELAXED))
    cab_say ("affinity=", wrong, error, "analysis threads run where the kernel puts them");
}

int
cab_place_start (struct cab_diag *diag)
{
  const struct cab_rt_options *o = &cab_rt.options;
  if (o->affinity == CAB_AFFINITY_NONE)
    return 0;
  is_known = cab_cpus_allowed (&allowed) == 0;
  return cab_options_check_affinity (o, is_known ? &allowed : NULL, diag);
}

void
cab_place_find (struct cab_thread_place *place)
{
  static const char *const wrong[] = {
    [CAB_CPUS_ONE] = "the process may run on one processor only: there is nothing to choose",
    [CAB_CPUS_ALIKE] = "the other cores are equally near by their caches: there is nothing to "
		       "choose",
    [CAB_CPUS_UNTOLD] = "the kernel does not describe the caches: there is nothing to choose by"
  };
  const struct cab_rt_options *o = &cab_rt.options;
  unsigned cpu;
  place->is_set = false;
  if (o->affinity == CAB_AFFINITY_NONE)
    return;
  place->cpus = o->affinity_list;
  place->is_set = o->affinity == CAB_AFFINITY_LIST;
  if (place->is_set)
    return;
  enum cab_cpus_found found = CAB_CPUS_UNTOLD;
  if (is_known && syscall (SYS_getcpu, &cpu, NULL, NULL) == 0)
    found = cab_cpus_choose (o->affinity, CAB_CPUS_ROOT, cpu, &allowed, &place->cpus);
  place->is_set = found == CAB_CPUS_CHOSEN;
  if (!place->is_set)
    say_once (wrong[found], 0);
}

void
cab_place_take (const struct cab_thread_place *place)
{
  if (place->is_set
      && syscall (SYS_sched_setaffinity, 0, sizeof place->cpus, &place->cpus) < 0)
    say_once ("the kernel refuses these processors", errno);
}

bool
cab_place_is_alone (void)
{
  return cab_place_processors () == 1;
}

uint32_t
cab_place_processors (void)
{
  return cab_rt.options.affinity == CAB_AFFINITY_NONE || !is_known ? cab_sys_processors ()
								   : cab_cpus_count (&allowed);
}

bool
cab_place_has_thread (void)
{
  return cab_rt.options.placement == CAB_PLACE_THREAD
      || (cab_rt.options.placement == CAB_PLACE_AUTO
	  && __atomic_load_n (&thread_is_chosen, __ATOMIC_ACQUIRE));
}

void
cab_place_choose_thread (void)
{
  __atomic_store_n (&thread_is_chosen, 1, __ATOMIC_RELEASE);
}

void
cab_place_fork (void)
{
  thread_is_chosen = 0;
}

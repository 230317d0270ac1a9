/* rt.c - the state of the process, see rt.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/base/rt.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "rt/base/control_page.h"
#include "rt/base/say.h"

struct cab_rt cab_rt;

void
cab_rt_note_rates (void)
{
  struct cab_ledger *ledger = cab_ledger ();
  ledger->sample = cab_rt.options.sample;
  cab_control_page ()->share = (struct cab_part_share) {
    .burst_bytes = cab_rt.options.bursts ? cab_rt.options.burst_bytes : 0,
    .rate = cab_rt.options.bursts ? cab_rt.options.rate : 0
  };
}

uint32_t
cab_strings_add (const char *s, size_t n)
{
  uint64_t at = cab_rt.strings_used;
  int error = at + n + 1 > cab_rt.options.most[CAB_BOUND_STRINGS]
	      ? -EOVERFLOW
	      : cab_area_grow (&cab_rt.strings, &cab_rt.part, at + n + 1);
  if (error < 0)
    {
      cab_rt_no_room (error);
      return 0;
    }
  memcpy (cab_rt.strings.base + at, s, n);
  /* A forked child's copy has what its parent has added since. */
  cab_rt.strings.base[at + n] = 0;
  cab_rt.strings_used = at + n + 1;
  return at;
}

void
cab_rt_no_room (int error)
{
  static int told;
  const char *what = error == -EOVERFLOW ? "a table of it is full"
		   : error == -ENOMEM ? "there are no more addresses or mappings for it"
		   : "cannot grow";
  bool disk = error != -EOVERFLOW && error != -ENOMEM;
  if (disk)
    cab_ledger_add (&cab_ledger ()->dropped[CAB_DROP_DISK], 1);
  if (!told)
    cab_say (cab_rt.part.path, what, disk ? -error : 0,
	     cab_rt_on () ? "what comes newly is not counted" : "running unprofiled");
  told = 1;
}

size_t
cab_rt_reserve_bytes (size_t bytes, unsigned part)
{
  struct rlimit limit;
  if (getrlimit (RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
      && bytes > limit.rlim_cur / part)
    bytes = limit.rlim_cur / part;
  return cab_round_up (bytes, CAB_PAGE_BYTES);
}

/* section_d1.c - see section_d1.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/cache/section_d1.h"

#ifdef CAB_SECTION_AVX2
#include <cpuid.h>

#define AVX_STATE 6u        /* bits of XCR0: the system keeps these registers */
#define AVX512_STATE 0xe6u

static enum cab_section_machine
ask (void)
{
  unsigned a, b, c, d, state, high;
  if (!__get_cpuid (1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX))
    return CAB_SECTION_ANY;
  __asm__ ("xgetbv" : "=a" (state), "=d" (high) : "c" (0));
  if ((state & AVX_STATE) != AVX_STATE || !__get_cpuid_count (7, 0, &a, &b, &c, &d)
      || !(b & bit_AVX2) || !(b & bit_BMI) || !(b & bit_BMI2))
    return CAB_SECTION_ANY;
  return (state & AVX512_STATE) == AVX512_STATE && b & bit_AVX512F && b & bit_AVX512VL
	 ? CAB_SECTION_HAS_AVX512
	 : CAB_SECTION_HAS_AVX2;
}
#else
static enum cab_section_machine
ask (void)
{
  return CAB_SECTION_ANY;
}
#endif

static int known = -1;
static enum cab_section_machine limit = CAB_SECTION_HAS_AVX512;

enum cab_section_machine
cab_section_machine (void)
{
  int has = __atomic_load_n (&known, __ATOMIC_RELAXED);
  if (has < 0)
    __atomic_store_n (&known, has = ask (), __ATOMIC_RELAXED);
  return (unsigned) has < limit ? (enum cab_section_machine) has : limit;
}

void
cab_section_limit (enum cab_section_machine most)
{
  limit = most;
}

#ifdef CAB_SECTION_AVX2
__attribute__ ((aligned (32)))
const uint32_t cab_section_turn[CAB_SECTION_D1_FEW][CAB_SECTION_D1_FEW]
  = { { 0, 1, 2, 3, 4, 5, 6, 7 }, { 1, 0, 2, 3, 4, 5, 6, 7 }, { 2, 0, 1, 3, 4, 5, 6, 7 },
      { 3, 0, 1, 2, 4, 5, 6, 7 }, { 4, 0, 1, 2, 3, 5, 6, 7 }, { 5, 0, 1, 2, 3, 4, 6, 7 },
      { 6, 0, 1, 2, 3, 4, 5, 7 }, { 7, 0, 1, 2, 3, 4, 5, 6 } };

#define STAYS UINT32_MAX
__attribute__ ((aligned (16))) const uint32_t cab_section_stay[CAB_LIVE_MANY][4] = {
  { STAYS, STAYS, STAYS, STAYS },
  { STAYS, STAYS, STAYS, STAYS },
  { STAYS, STAYS, STAYS, STAYS },
  { STAYS, STAYS, STAYS, STAYS },
  { STAYS, STAYS, STAYS, STAYS },
  { STAYS, STAYS, STAYS, STAYS },
  { STAYS, STAYS, STAYS, STAYS },
  { STAYS, STAYS, STAYS, STAYS },
  { 0, STAYS, STAYS, STAYS },
  { 0, 0, STAYS, STAYS },
  { 0, 0, 0, STAYS },
  { 0, 0, 0, 0 }
};
#endif

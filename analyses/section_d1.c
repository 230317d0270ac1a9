/* section_d1.c - see section_d1.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "section_d1.h"

#ifdef CAB_SECTION_AVX2
#include <cpuid.h>

static bool
ask (void)
{
  unsigned a, b, c, d, low, high;
  if (!__get_cpuid (1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX))
    return false;
  __asm__ ("xgetbv" : "=a" (low), "=d" (high) : "c" (0));
  return (low & 6) == 6 && __get_cpuid_count (7, 0, &a, &b, &c, &d) && (b & bit_AVX2) && (b & bit_BMI) && (b & bit_BMI2);
}

bool
cab_section_has_avx2 (void)
{
  static int known;   /* 1: no; 2: yes */
  int result = __atomic_load_n (&known, __ATOMIC_RELAXED);
  if (!result)
    __atomic_store_n (&known, result = 1 + ask (), __ATOMIC_RELAXED);
  return result == 2;
}

__attribute__ ((aligned (32))) const uint32_t cab_section_turn[CAB_SECTION_D1_FEW][CAB_SECTION_D1_FEW] =
{
  { 0, 1, 2, 3, 4, 5, 6, 7 },
  { 1, 0, 2, 3, 4, 5, 6, 7 },
  { 2, 0, 1, 3, 4, 5, 6, 7 },
  { 3, 0, 1, 2, 4, 5, 6, 7 },
  { 4, 0, 1, 2, 3, 5, 6, 7 },
  { 5, 0, 1, 2, 3, 4, 6, 7 },
  { 6, 0, 1, 2, 3, 4, 5, 7 },
  { 7, 0, 1, 2, 3, 4, 5, 6 }
};

#define STAYS UINT32_MAX
__attribute__ ((aligned (16))) const uint32_t cab_section_stay[CAB_LIVE_MANY][4] =
{
  { STAYS, STAYS, STAYS, STAYS }, { STAYS, STAYS, STAYS, STAYS }, { STAYS, STAYS, STAYS, STAYS }, { STAYS, STAYS, STAYS, STAYS },
  { STAYS, STAYS, STAYS, STAYS }, { STAYS, STAYS, STAYS, STAYS }, { STAYS, STAYS, STAYS, STAYS }, { STAYS, STAYS, STAYS, STAYS },
  { 0, STAYS, STAYS, STAYS }, { 0, 0, STAYS, STAYS }, { 0, 0, 0, STAYS }, { 0, 0, 0, 0 }
};
#endif

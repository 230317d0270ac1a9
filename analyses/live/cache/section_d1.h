/* section_d1.h - the D1 of a section of accesses (cache_section.h): it begins empty, and nobody
 * sees it before the section is over.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a page is as many lines as there are sets.  A set has numbers of pages, without their
 *             upper bits: that of the line that was used last first, and zeros after them. Which
 *             upper bits occur is noted separately: a section in which two pages would be taken for
 *             one, or one for none, or which goes where no program has memory, cannot be looked up
 *             in this way (cab_section_d1_ok). The AVX2 and AVX-512 variants do the same as the
 *             plain one; the processor is asked which of them it has.
 * Shapes:     sets of CAB_SECTION_D1_FEW or CAB_SECTION_D1_MANY tags, of which as many as there are
 *             ways are in use.
 */
#ifndef CAB_SECTION_D1_H
#define CAB_SECTION_D1_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "analyses/live/cache/live_caches.h"

#if defined __x86_64__ && !defined CAB_NO_AVX2
#include <immintrin.h>
#define CAB_SECTION_AVX2 1
#endif

#define CAB_SECTION_D1_FEW 8u    /* tags of a set of CAB_LIVE_FEW ways */
#define CAB_SECTION_D1_MANY 16u  /* tags of a set of CAB_LIVE_MANY ways */
#define CAB_SECTION_PAGE_BITS 35u

struct cab_section_d1
{
  uint32_t *tag;
  uint32_t sets_log2, ways;
  uint64_t set_mask;
  uint64_t all;              /* OR of the numbers of pages that were used; it has more bits than a
				page may have if the tag of one would be 0 */
  uint64_t upper;            /* which values bits 29 to 34 of their numbers have, as a set of 64
				bits */
};

/* What a use of one line finds. */
/* CAB_SECTION_UNSURE: the line was not used in this section, and its set was not full. */
enum cab_section_found { CAB_SECTION_FOUND, CAB_SECTION_MISSED, CAB_SECTION_UNSURE };

/* Return how many tags apart the sets of a D1 of WAYS are. */
static inline uint32_t
cab_section_d1_stride (unsigned ways)
{
  return ways == CAB_LIVE_FEW ? CAB_SECTION_D1_FEW : CAB_SECTION_D1_MANY;
}

/* Begin an empty D1 with N_SETS sets, a power of two, of WAYS, whose tags are at TAG. */
static inline void
cab_section_d1_begin (struct cab_section_d1 *d1, uint32_t *tag, uint64_t n_sets, unsigned ways)
{
  *d1 = (struct cab_section_d1) { tag, __builtin_ctzll (n_sets), ways, n_sets - 1, 0, 0 };
  memset (tag, 0, n_sets * cab_section_d1_stride (ways) * sizeof *tag);
}

/* Note that the page of LINE is used. */
static inline void
cab_section_d1_note (struct cab_section_d1 *d1, uint64_t line)
{
  uint64_t page = line >> d1->sets_log2;
  d1->all |= page | ((uint64_t) (uint32_t) page - 1);
  d1->upper |= UINT64_C (1) << (page >> 29 & 63);
}

/* Return true if each page that was used differs from the others in its tag. */
static inline bool
cab_section_d1_ok (const struct cab_section_d1 *d1)
{
  uint64_t seen = 0, twice = 0;
  for (unsigned i = 0; i < 64; i += 8)
    {
      uint64_t here = d1->upper >> i & 255;
      twice |= seen & here;
      seen |= here;
    }
  return !twice && !(d1->all >> CAB_SECTION_PAGE_BITS);
}

/* For a D1 that is ok, store in ABOVE[i] what is to be added to a tag whose upper three bits are i,
   to get the number of its page. */
static inline void
cab_section_d1_pages (const struct cab_section_d1 *d1, uint64_t above[8])
{
  for (unsigned i = 0; i < 8; i++)
    {
      above[i] = 0;
      for (uint64_t high = 1; high < 8; high++)
	if (d1->upper >> (high * 8 + i) & 1)
	  above[i] = high << 32;
    }
}

/* Use LINE, whose page has been noted, in sets of WAYS, which are D1's. */
static inline __attribute__ ((always_inline)) enum cab_section_found
cab_section_use (const struct cab_section_d1 *d1, uint64_t line, unsigned ways)
{
  uint32_t tag = line >> d1->sets_log2,
	   *set = d1->tag + (line & d1->set_mask) * cab_section_d1_stride (ways);
  unsigned pos = 0;
  while (pos < ways - 1 && set[pos] != tag)
    pos++;
  uint32_t gone = set[pos];
  memmove (set + 1, set, pos * sizeof *set);
  set[0] = tag;
  return gone == tag ? CAB_SECTION_FOUND : gone ? CAB_SECTION_MISSED : CAB_SECTION_UNSURE;
}

/* The vector instructions that this machine has, if the system keeps their registers. */
enum cab_section_machine { CAB_SECTION_ANY, CAB_SECTION_HAS_AVX2, CAB_SECTION_HAS_AVX512 };
/* Return them, but no more than cab_section_limit allows. */
enum cab_section_machine cab_section_machine (void);
/* Use no more than MOST from now on, so that each variant can be tested. */
void cab_section_limit (enum cab_section_machine most);

#ifdef CAB_SECTION_AVX2
#define CAB_AVX2 __attribute__ ((target ("avx2,bmi,bmi2")))

/* cab_section_turn[i]: the source of each place when place i of a set moves to the front. */
extern const uint32_t cab_section_turn[CAB_SECTION_D1_FEW][CAB_SECTION_D1_FEW];
/* cab_section_stay[i]: masks of those of the last four ways of CAB_LIVE_MANY that stay when place i
   moves to the front. */
extern const uint32_t cab_section_stay[CAB_LIVE_MANY][4];

/* Return TAGS with TAG moved to the front from place POS, or inserted there if POS is the last
   place. */
static inline CAB_AVX2 __m256i
cab_section_to_front (__m256i tags, unsigned pos, __m256i tag)
{
  __m256i turn = _mm256_load_si256 ((const __m256i *) cab_section_turn[pos]);
  return _mm256_blend_epi32 (_mm256_permutevar8x32_epi32 (tags, turn), tag, 1);
}

/* Do cab_section_use by instructions that not every machine has. */
static inline CAB_AVX2 enum cab_section_found
cab_section_use_few_avx2 (const struct cab_section_d1 *d1, uint64_t line)
{
  uint32_t tag = line >> d1->sets_log2, *set = d1->tag + (line & d1->set_mask) * CAB_SECTION_D1_FEW,
	   last = set[CAB_LIVE_FEW - 1];
  __m256i tags = _mm256_load_si256 ((const __m256i *) set), all = _mm256_set1_epi32 (tag);
  unsigned like = _mm256_movemask_ps (_mm256_castsi256_ps (_mm256_cmpeq_epi32 (tags, all)));
  _mm256_store_si256 (
    (__m256i *) set,
    cab_section_to_front (tags, __builtin_ctz (like | 1u << (CAB_LIVE_FEW - 1)), all));
  return like ? CAB_SECTION_FOUND : last ? CAB_SECTION_MISSED : CAB_SECTION_UNSURE;
}

static inline CAB_AVX2 enum cab_section_found
cab_section_use_many_avx2 (const struct cab_section_d1 *d1, uint64_t line)
{
  uint32_t tag = line >> d1->sets_log2,
	   *set = d1->tag + (line & d1->set_mask) * CAB_SECTION_D1_MANY,
	   last = set[CAB_LIVE_MANY - 1];
  __m256i tags = _mm256_load_si256 ((const __m256i *) set), all = _mm256_set1_epi32 (tag);
  __m128i rest = _mm_load_si128 ((const __m128i *) (set + 8));
  unsigned like = _mm256_movemask_ps (_mm256_castsi256_ps (_mm256_cmpeq_epi32 (tags, all)));
  like |= (unsigned) _mm_movemask_ps (
	    _mm_castsi128_ps (_mm_cmpeq_epi32 (rest, _mm256_castsi256_si128 (all))))
       << 8;
  unsigned pos = __builtin_ctz (like | 1u << (CAB_LIVE_MANY - 1));
  __m128i moved = _mm_alignr_epi8 (rest, _mm256_extracti128_si256 (tags, 1), 12);
  __m128i stay = _mm_load_si128 ((const __m128i *) cab_section_stay[pos]);
  _mm256_store_si256 ((__m256i *) set, cab_section_to_front (tags, pos < 8 ? pos : 7, all));
  _mm_store_si128 ((__m128i *) (set + 8), _mm_blendv_epi8 (moved, rest, stay));
  return like ? CAB_SECTION_FOUND : last ? CAB_SECTION_MISSED : CAB_SECTION_UNSURE;
}

#define CAB_AVX512 __attribute__ ((target ("avx512f,avx512vl,avx2,bmi,bmi2")))

/* As cab_section_use_few_avx2: what is in front of the place where TAG is, or else of the last way,
   moves on by one, and TAG goes to the front. */
static inline CAB_AVX512 enum cab_section_found
cab_section_use_few_avx512 (const struct cab_section_d1 *d1, uint64_t line)
{
  uint32_t tag = line >> d1->sets_log2, *set = d1->tag + (line & d1->set_mask) * CAB_SECTION_D1_FEW,
	   last = set[CAB_LIVE_FEW - 1];
  __m256i tags = _mm256_load_si256 ((const __m256i *) set), all = _mm256_set1_epi32 (tag);
  unsigned like = _mm256_cmpeq_epi32_mask (tags, all);
  _mm256_store_si256 ((__m256i *) set,
		      _mm256_mask_alignr_epi32 (tags, _blsmsk_u32 (like | 1u << (CAB_LIVE_FEW - 1)),
						tags, all, CAB_SECTION_D1_FEW - 1));
  return like ? CAB_SECTION_FOUND : last ? CAB_SECTION_MISSED : CAB_SECTION_UNSURE;
}

static inline CAB_AVX512 enum cab_section_found
cab_section_use_many_avx512 (const struct cab_section_d1 *d1, uint64_t line)
{
  uint32_t tag = line >> d1->sets_log2,
	   *set = d1->tag + (line & d1->set_mask) * CAB_SECTION_D1_MANY,
	   last = set[CAB_LIVE_MANY - 1];
  __m512i tags = _mm512_load_si512 (set), all = _mm512_set1_epi32 (tag);
  unsigned like = _mm512_cmpeq_epi32_mask (tags, all);
  _mm512_store_si512 (set, _mm512_mask_alignr_epi32 (tags,
						     _blsmsk_u32 (like | 1u << (CAB_LIVE_MANY - 1)),
						     tags, all, CAB_SECTION_D1_MANY - 1));
  return like ? CAB_SECTION_FOUND : last ? CAB_SECTION_MISSED : CAB_SECTION_UNSURE;
}
#endif

#endif

/* rounds.c - see rounds.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/engine/feed/rounds.h"

#include <string.h>

#include "analyses/wire/decode.h"

#define FIRST_LIMIT UINT64_C (16)
#define SHORT_LIMIT UINT64_C (4096)   /* up to this limit, any number of words may be wanted */
#define MANY 16u                      /* left-out rounds that make it worth the effort */
#define PATIENCE UINT64_C (64)        /* rounds */
#define AGAIN 2u                      /* lengths of a round within which it may start again */
#define OFTEN (CAB_ROUNDS_PLACES / 2)  /* places of the wanted words after which others may do
					  better */
#define TRIED 6u                      /* tried distances back after which others may do better */
#define PAUSE 3u                      /* lengths of a search that found nothing */
#define PAUSES 2u                     /* how often the pause, plus one, doubles in a row */
#define CANDIDATES 12u                /* wanted words that compete to be searched for first */
#define BLOCK 16u                     /* words */
#define FETCH 256u                    /* words to prefetch ahead: they are in another processor's
					 cache */
#define LEAST_WANTED 16u
#define SAMPLE UINT64_C (4096)        /* words in which candidates are counted */

static inline size_t
smaller (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

void
cab_rounds_clear (struct cab_rounds *s)
{
  s->state = CAB_ROUNDS_SEARCH;
  s->again = false;
  s->n = s->limit = s->next_limit = s->pause = s->whole = s->at = 0;
}

void
cab_rounds_miss (struct cab_rounds *s, size_t n)
{
  s->state = CAB_ROUNDS_SEARCH;
  s->n += n;
  s->renew = s->limit;
}

/* Return the place in WORDS after the last event that ends at or before N. */
static size_t
whole_events (const uint64_t *words, size_t n)
{
  size_t i = 0;
  while (i < n && 1 + (size_t) cab_decode_raw (words[i]) <= n - i)
    i += 1 + cab_decode_raw (words[i]);
  return i;
}

static enum cab_rounds_what
feed (struct cab_rounds *s, const uint64_t *words, size_t n, size_t *taken)
{
  uint64_t behind = s->n - s->place[0];
  if (s->limit && s->kept && !s->pause && behind < CAB_ROUNDS_MOST)
    memcpy (s->kept + behind, words, smaller (n, CAB_ROUNDS_MOST - behind) * sizeof *words);
  s->n += n;
  *taken = n;
  return CAB_ROUNDS_FEED;
}

/* Return how often WORD occurs in N words from WORDS on. */
static size_t
count (const uint64_t *words, size_t n, uint64_t word)
{
  size_t times = 0;
  for (size_t i = 0; i < n; i++)
    times += words[i] == word;
  return times;
}

/* Return which of the wanted words is rarest in N words from WORDS on.  Only some are tried. */
static uint32_t
rarest (const struct cab_rounds *s, const uint64_t *words, size_t n)
{
  size_t least = SIZE_MAX;
  uint32_t rare = 0;
  for (uint32_t k = 0; k < s->n_wanted && least > 1; k += 1 + s->n_wanted / CANDIDATES)
    {
      size_t times = count (words, smaller (n, SAMPLE), s->wanted[k]);
      rare = times < least ? k : rare;
      least = smaller (times, least);
    }
  return rare;
}

/* Search from here on, as far as LIMIT, for the first words of WORDS, of which there are N. */
static void
want (struct cab_rounds *s, const uint64_t *words, size_t n, uint64_t limit)
{
  s->pause = 0;
  s->renew = false;
  s->limit = limit;
  s->place[0] = s->n;
  s->n_places = 1;
  s->tried = 0;
  s->n_wanted = smaller (n, CAB_ROUNDS_WANTED);
  memcpy (s->wanted, words, s->n_wanted * sizeof *words);
  s->rare = rarest (s, words, n);
}

/* Search for nothing, for a while. */
static void
pause (struct cab_rounds *s)
{
  uint64_t lengths = ((PAUSE + 1) << (s->pauses < PAUSES ? s->pauses++ : PAUSES)) - 1;
  s->pause = s->n + lengths * CAB_ROUNDS_MOST;
}

/* Choose the first words of WORDS, of which there are N, to search for. */
static void
choose (struct cab_rounds *s, const uint64_t *words, size_t n, uint64_t accesses)
{
  uint64_t limit = s->next_limit ? s->next_limit : FIRST_LIMIT;
  if (n < LEAST_WANTED && limit > SHORT_LIMIT)
    return;
  if (s->limit == CAB_ROUNDS_MOST && s->n_places == 1 && !s->pause && !s->again)
    {
      pause (s);
      return;
    }
  want (s, words, n, limit);
  s->again = false;
  s->accesses = accesses;
  s->next_limit = smaller (4 * limit, CAB_ROUNDS_MOST);
}

/* Return true if the N words at WORDS begin with the wanted ones.  Where words come a few at a
   time, as many as there are suffice. */
static inline bool
is_wanted (const struct cab_rounds *s, const uint64_t *words, size_t n)
{
  size_t all = s->n_wanted, most = n < all && s->limit <= SHORT_LIMIT ? n : all;
  return n >= most && words[0] == s->wanted[0] && words[most - 1] == s->wanted[most - 1]
      && !memcmp (words, s->wanted, most * sizeof *words);
}

typedef uint32_t halves __attribute__ ((vector_size (16), aligned (8), may_alias));

/* Return the index of the first of N words that is WORD, or N if there is none.  In blocks the low
   halves are compared, all at once. */
static size_t
find_word (const uint64_t *words, size_t n, uint64_t word)
{
  const halves low = { word, word, word, word };
  size_t i = 0;
  for (; i < n; i++)
    {
      for (; n - i >= BLOCK; i += BLOCK)
	{
	  halves any = { 0 };
	  __builtin_prefetch (words + i + FETCH);
	  for (unsigned k = 0; k < BLOCK; k += 4)
	    any |= (halves) (__builtin_shuffle (*(const halves *) (words + i + k),
						*(const halves *) (words + i + k + 2),
						(halves) { 0, 2, 4, 6 })
			     == low);
	  if (any[0] | any[1] | any[2] | any[3])
	    break;
	}
      for (size_t end = smaller (i + BLOCK, n); i < end; i++)
	if (words[i] == word)
	  return i;
      i--;
    }
  return n;
}

/* Return the first place from I on, in N words, that may have the wanted words, or N if there is
   none. */
static size_t
find (const struct cab_rounds *s, const uint64_t *words, size_t i, size_t n)
{
  size_t at = i + s->rare;
  if (at >= n)
    return n;
  size_t found = find_word (words + at, n - at, s->wanted[s->rare]);
  return found < n - at ? i + found : n;
}

static inline uint64_t
last_place (const struct cab_rounds *s)
{
  return s->place[s->n_places - 1];
}

/* Record that the wanted words stand AHEAD words from here.  Return false if there are too many
   places. */
static bool
note (struct cab_rounds *s, uint64_t ahead)
{
  if (s->n_places == CAB_ROUNDS_PLACES)
    return false;
  s->place[s->n_places++] = s->n + ahead;
  return true;
}

/* Record where the wanted words stand in the N words at WORDS, which are fed for another reason. */
static void
note_all (struct cab_rounds *s, const uint64_t *words, size_t n)
{
  for (size_t i = find (s, words, 0, n); i < n; i = find (s, words, i + 1, n))
    if (is_wanted (s, words + i, n - i))
      note (s, i);
}

/* Feed words up to the next event that begins with the wanted ones, or up to where others are
   chosen. */
static enum cab_rounds_what
search (struct cab_rounds *s, const uint64_t *words, size_t n, size_t *taken)
{
  uint64_t end = s->limit ? last_place (s) + s->limit : UINT64_MAX;
  size_t i, most = end > s->n ? smaller (end - s->n, n) : n;
  for (i = 1; s->limit && i < most; i++)
    {
      i = find (s, words, i, most);
      if (i < most && is_wanted (s, words + i, n - i) && whole_events (words, i) == i)
	return feed (s, words, i, taken);
    }
  i = most < n ? whole_events (words, most) : n;
  return feed (s, words, i ? i : smaller (1 + (uint64_t) cab_decode_raw (*words), n), taken);
}

/* Return true if the distances between places repeat every K of them, as far as there are any. */
static bool
is_regular (const struct cab_rounds *s, uint32_t k)
{
  for (uint32_t i = k + 1; i < s->n_places; i++)
    if (s->place[i] - s->place[i - 1] != s->place[i - k] - s->place[i - k - 1])
      return false;
  return true;
}

/* Return true if a round may begin at the next word, where the wanted words stand after
   ACCESSES. */
static bool
try (struct cab_rounds *s, uint64_t accesses)
{
  uint64_t words = s->n - s->place[0], more = accesses - s->accesses,
	   least = s->least > CAB_ROUNDS_ACCESSES ? s->least : CAB_ROUNDS_ACCESSES;
  uint32_t k = s->tried + 1;
  while (k < s->n_places && !is_regular (s, k))
    k++;
  if (k >= s->n_places || !more)
    return false;
  uint64_t back = s->n - s->place[s->n_places - 1 - k], each = (double) more * back / words + 1;
  uint64_t times = (least - 1) / each + 1;
  s->tried = k;
  if (times > CAB_ROUNDS_MOST / back)
    return false;
  s->length = back * times;
  s->told = each * times;
  s->back = back;
  return true;
}

/* Start to compare with the round, which was fed TIMES times in a row. */
static void
begin_match (struct cab_rounds *s, unsigned times)
{
  s->state = CAB_ROUNDS_MATCH;
  s->at = 0;
  s->times = times;
  s->begun = false;
}

/* Take the round that may begin here from the kept words, as if it had been recorded. */
static void
take_kept (struct cab_rounds *s)
{
  memcpy (s->round, s->kept + (s->n - s->length - s->place[0]), s->length * sizeof *s->round);
  begin_match (s, 1);
}

/* Return true if the wanted words have come often enough without a round being found. */
static bool
is_worn_out (const struct cab_rounds *s)
{
  return s->n_places > OFTEN || s->tried >= TRIED;
}

/* Give up the round that is being recorded. */
static enum cab_rounds_what
give_up (struct cab_rounds *s, const uint64_t *words, size_t n, size_t *taken)
{
  s->state = CAB_ROUNDS_SEARCH;
  s->renew = is_worn_out (s);
  return search (s, words, n, taken);
}

/* End the comparison: the word that is SAME words ahead differs.  The event that it is in may be a
   better one to search for. */
static enum cab_rounds_what
end_match (struct cab_rounds *s, const uint64_t *words, size_t same, size_t *taken)
{
  s->state = CAB_ROUNDS_SEARCH;
  s->renew = is_worn_out (s);
  return feed (s, words, whole_events (words, same), taken);
}

static inline size_t
same_words (const uint64_t *a, const uint64_t *b, size_t n)
{
  size_t i = 0;
  for (; n - i >= 64 && !memcmp (a + i, b + i, 64 * sizeof *a); i += 64)
    for (unsigned k = 0; k < 64; k += 8)
      __builtin_prefetch (a + i + FETCH + k);
  while (i < n && a[i] == b[i])
    i++;
  return i;
}

/* Record N words.  Return how many repeat, if the repeating part occurs several times in the
   round. */
static size_t
same_as_before (struct cab_rounds *s, const uint64_t *words, size_t n)
{
  uint64_t *to = s->round + s->at;
  size_t first = s->at < s->back ? smaller (s->back - s->at, n) : 0;
  memcpy (to, words, n * sizeof *words);
  return first + same_words (to + first, to + first - s->back, n - first);
}

/* Record words, as long as an event ends where the round is to end. */
static enum cab_rounds_what
record (struct cab_rounds *s, const uint64_t *words, size_t n, size_t *taken)
{
  size_t most = smaller (n, s->length - s->at);
  if (most < n && whole_events (words, most) != most)
    return give_up (s, words, n, taken);
  size_t same = same_as_before (s, words, most);
  if (same < most)
    return end_match (s, words, same, taken);
  note_all (s, words, most);
  s->at += most;
  if (s->at == s->length)
    begin_match (s, 1);
  return feed (s, words, most, taken);
}

/* Compare words with the round.  It is over where the next one would begin, and not before that has
   begun. */
static enum cab_rounds_what
match (struct cab_rounds *s, const uint64_t *words, size_t n, size_t *taken)
{
  *taken = 0;
  if (s->at == s->length)
    return CAB_ROUNDS_END;
  size_t most = smaller (n, s->length - s->at),
	 same = same_words (words, s->round + s->at, s->begun ? most : smaller (most, SAMPLE));
  if (same < (s->begun ? most : smaller (most, SAMPLE)))
    return end_match (s, words, same, taken);
  if (!s->begun)
    return CAB_ROUNDS_BEGIN;
  note_all (s, words, most);
  s->at += most;
  s->times += s->at == s->length;
  return feed (s, words, most, taken);
}

static enum cab_rounds_what
skip (struct cab_rounds *s, const uint64_t *words, size_t n, size_t *taken)
{
  size_t most = smaller (n, s->length - s->at), same = same_words (words, s->round + s->at, most);
  *taken = same == most ? same : whole_events (words, same);
  if (!*taken)
    return CAB_ROUNDS_LEAVE;
  s->at += *taken;
  if (s->at == s->length)
    {
      s->at = 0;
      s->whole++;
      s->left_out++;
    }
  return CAB_ROUNDS_SKIP;
}

enum cab_rounds_what
cab_rounds_next (struct cab_rounds *s, const uint64_t *words, size_t n, uint64_t accesses,
		 size_t *taken)
{
  *taken = 0;
  switch (s->state)
    {
    case CAB_ROUNDS_SAME:
      return skip (s, words, n, taken);
    case CAB_ROUNDS_MATCH:
    case CAB_ROUNDS_RECORD:
      {
	enum cab_rounds_what what = s->state == CAB_ROUNDS_MATCH ? match (s, words, n, taken)
								 : record (s, words, n, taken);
	/* back to the search */
	return what != CAB_ROUNDS_FEED || *taken ? what
						 : cab_rounds_next (s, words, n, accesses, taken);
      }
    default:
      if (s->patience && s->n > s->patience)
	s->least = s->patience = 0;
      if (s->n < s->pause)
	return feed (s, words, n, taken);
      if (!s->limit || s->renew || s->n - last_place (s) >= s->limit)
	choose (s, words, n, accesses);
      else if (is_wanted (s, words, n) && last_place (s) < s->n)
	{
	  if (!note (s, 0))
	    choose (s, words, n, accesses);
	  else if (s->again)
	    {
	      begin_match (s, 0);
	      return cab_rounds_next (s, words, n, accesses, taken);
	    }
	  else if (try (s, accesses))
	    return CAB_ROUNDS_ROOM;
	}
      return search (s, words, n, taken);
    }
}

void
cab_rounds_go_on (struct cab_rounds *s, uint64_t *room)
{
  if (s->state == CAB_ROUNDS_SEARCH)
    {
      s->round = room;
      s->at = 0;
      s->state = CAB_ROUNDS_RECORD;
      if (s->back == s->length && s->kept && s->n - s->place[0] <= CAB_ROUNDS_MOST)
	take_kept (s);
    }
  else if (!s->begun)
    s->begun = true;
  else
    {
      s->state = CAB_ROUNDS_SAME;
      s->patience = 0;
      s->pauses = 0;
      s->at = s->whole = s->left_out = 0;
    }
}

void
cab_rounds_more (struct cab_rounds *s)
{
  s->begun = false;
  s->at = 0;
}

void
cab_rounds_refuse (struct cab_rounds *s)
{
  cab_rounds_clear (s);
}

void
cab_rounds_leave (struct cab_rounds *s)
{
  cab_rounds_clear (s);
  if (s->left_out >= MANY)
    {
      want (s, s->round, s->length, AGAIN * s->length);
      s->again = true;
    }
  else if (++s->n_short > s->next_try)
    {
      s->n_short = 0;
      s->next_try = 4 * s->next_try + 1;
      s->least = 4 * s->told + 1;
      s->patience = PATIENCE * s->length;
      s->next_limit = CAB_ROUNDS_MOST;
    }
}

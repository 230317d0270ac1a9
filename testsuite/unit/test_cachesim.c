/* test_cachesim.c - simulated caches: small cases by hand, a naive model, parts; the reader of
 * traces; the kernel's description of caches.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The naive model keeps, for each cache, a list of the lines in it with the time of their last use,
 * and searches all of it: no sets are laid out, nothing is moved.
 */
#include <CUnit/Basic.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/live/cache/cachesim_state.h"
#include "analyses/cachesim/cachesim_threads.h"
#include "analyses/live/cache/host_caches.h"
#include "analyses/trace/lackey.h"

#define N_ACCESSES 12000

static uint64_t seed;

static uint64_t
draw (uint64_t below)
{
  seed = seed * UINT64_C (6364136223846793005) + 1442695040888963407u;
  return (seed >> 33) % below;
}

/* A cache of the naive model. */
struct naive
{
  uint64_t n_sets, n_ways, line_bytes, *line, *used;
  size_t n, room;
};

static size_t
naive_find (const struct naive *cache, uint64_t line)
{
  for (size_t i = 0; i < cache->n; i++)
    if (cache->line[i] == line)
      return i;
  return SIZE_MAX;
}

static void
naive_drop (struct naive *cache, size_t i)
{
  cache->n--;
  cache->line[i] = cache->line[cache->n];
  cache->used[i] = cache->used[cache->n];
}

/* Bring LINE in; return the line that left, or UINT64_MAX. */
static uint64_t
naive_fill (struct naive *cache, uint64_t line, uint64_t now)
{
  size_t in_set = 0, oldest = SIZE_MAX;
  uint64_t gone = UINT64_MAX;
  for (size_t i = 0; i < cache->n; i++)
    if (cache->line[i] % cache->n_sets == line % cache->n_sets)
      {
	in_set++;
	oldest = oldest == SIZE_MAX || cache->used[i] < cache->used[oldest] ? i : oldest;
      }
  if (in_set == cache->n_ways)
    {
      gone = cache->line[oldest];
      naive_drop (cache, oldest);
    }
  cache->line[cache->n] = line;
  cache->used[cache->n++] = now;
  return gone;
}

struct naive_all
{
  struct naive cache[2 + CAB_CACHESIM_SHARED_MAX];
  const struct cab_cachesim_config *config;
  uint64_t now;
};

/* Look for the line of CACHE at ADDRESS; it is used if it is there. */
static bool
naive_look (struct naive_all *all, unsigned c, uint64_t address)
{
  struct naive *cache = &all->cache[c];
  size_t i = naive_find (cache, address / cache->line_bytes);
  if (i != SIZE_MAX)
    cache->used[i] = ++all->now;
  return i != SIZE_MAX;
}

static void
naive_fill_at (struct naive_all *all, unsigned c, uint64_t address)
{
  struct naive *cache = &all->cache[c];
  uint64_t gone = naive_fill (cache, address / cache->line_bytes, ++all->now);
  if (gone == UINT64_MAX || all->config->model != CAB_CACHESIM_INCLUSIVE || c < 2)
    return;
  for (unsigned before = 0; before < c; before++)
    for (size_t i = all->cache[before].n; i-- > 0;)
      if (all->cache[before].line[i] * all->cache[before].line_bytes / cache->line_bytes == gone)
	naive_drop (&all->cache[before], i);
}

/* Return the marks of ACCESS in cachegrind's model. */
static unsigned
naive_whole (struct naive_all *all, const struct cab_access *access)
{
  unsigned first = access->kind == CAB_ACCESS_FETCH ? 0 : 1, mark = 0;
  for (unsigned level = 0; level < 2 && mark == (1u << level) - 1; level++)
    {
      unsigned c = level ? 2 : first;
      uint64_t bytes = all->cache[c].line_bytes;
      for (uint64_t at = access->address / bytes * bytes; at < access->address
	   + access->size; at += bytes)
	if (!naive_look (all, c, at))
	  {
	    naive_fill_at (all, c, at);
	    mark |= 1u << level;
	  }
    }
  return mark;
}

/* Return its marks in the other models: line by line. */
static unsigned
naive_lines (struct naive_all *all, const struct cab_access *access)
{
  unsigned first = access->kind == CAB_ACCESS_FETCH ? 0 : 1, mark = 0,
  n_levels = 1 + all->config->n_shared;
  uint64_t bytes = all->cache[first].line_bytes;
  for (uint64_t at = access->address / bytes * bytes; at < access->address
       + access->size; at += bytes)
    {
      unsigned level = 0;
      while (level < n_levels && !naive_look (all, level ? level + 1 : first, at))
	mark |= 1u << level++;
      while (level-- > 0)
	naive_fill_at (all, level ? level + 1 : first, at);
    }
  return mark;
}

static void
naive_feed (const struct cab_cachesim_config *config, const struct cab_access *accesses, size_t n,
	    uint8_t *marks)
{
  struct naive_all all = { .config = config };
  for (unsigned i = 0; i < 2 + config->n_shared; i++)
    {
      const struct cab_cache_geometry *geometry = i == 0 ? &config->i1 : i == 1 ? &config->d1
	  : &config->shared[i - 2];
      size_t n_lines = geometry->size / geometry->line;
      all.cache[i] = (struct naive) { n_lines / geometry->assoc, geometry->assoc, geometry->line,
				      XCNEWVEC (uint64_t, n_lines),
				      XCNEWVEC (uint64_t, n_lines), 0, n_lines };
    }
  for (size_t i = 0; i < n; i++)
    marks[i] = config->model == CAB_CACHESIM_CACHEGRIND ? naive_whole (&all, &accesses[i])
	: naive_lines (&all, &accesses[i]);
  for (unsigned i = 0; i < 2 + config->n_shared; i++)
    {
      free (all.cache[i].line);
      free (all.cache[i].used);
    }
}

static void
count (const struct cab_access *accesses, size_t n, const uint8_t *marks,
       struct cab_cachesim_counts *counts)
{
  memset (counts, 0, sizeof *counts);
  for (size_t i = 0; i < n; i++)
    {
      int row = accesses[i].kind == CAB_ACCESS_FETCH ? 0 : accesses[i].kind == CAB_ACCESS_WRITE ? 2
	  : 1;
      counts->accesses[row]++;
      for (int level = 0; level < CAB_CACHESIM_LEVELS_MAX; level++)
	counts->misses[row][level] += marks[i] >> level & 1;
    }
}

/* Make accesses like a program's: runs through code, walks over an array, and leaps, in a region
   that the caches cannot hold. */
static void
invent (struct cab_access *accesses, size_t n, uint32_t longest)
{
  static const uint64_t bases[] = { 0, 0x7fffffffff00, UINT64_C (0xffffffffffff0000) };
  uint64_t base = bases[draw (3)], pc = base, walk = base;
  for (size_t i = 0; i < n; i++)
    {
      uint32_t kind = draw (4), size = 1 + draw (draw (8) ? 8 : longest);
      uint64_t offset = draw (3) ? draw (1024) : draw (32768);
      if (kind == CAB_ACCESS_FETCH)
	{
	  size = 1 + draw (15);
	  pc = draw (12) ? pc + size : base + draw (16384);
	  offset = pc - base;
	}
      else if (draw (2))
	offset = walk += 4;
      offset %= 65536 - longest - 16;
      accesses[i] = (struct cab_access) { base + offset, size, kind };
    }
}

static void *
state_of (const struct cab_cachesim_config *config, struct cab_cachesim **sim, size_t *bytes)
{
  struct cab_diag diag = { "" };
  *bytes = cab_cachesim_bytes (config, &diag);
  CU_ASSERT_FATAL (*bytes != 0);
  void *memory = NULL;
  CU_ASSERT_FATAL (posix_memalign (&memory, 64, *bytes) == 0);
  memset (memory, 0, *bytes);
  *sim = cab_cachesim_init (memory, config);
  return memory;
}

static const struct cab_cachesim_config configs[] = {
  { CAB_CACHESIM_CACHEGRIND, { 1024, 2, 32 }, { 1024, 4, 32 }, { { 8192, 8, 64 } }, 1 },
  { CAB_CACHESIM_CACHEGRIND, { 64, 1, 64 }, { 512, 8, 64 }, { { 4096, 2, 32 } }, 1 },
  { CAB_CACHESIM_CACHEGRIND, { 3 * 64, 1, 64 }, { 7 * 2 * 32, 2, 32 }, { { 100 * 3 * 64, 3, 64 } },
    1 },
  { CAB_CACHESIM_CACHEGRIND, { 8, 1, 8 }, { 8, 1, 8 }, { { 16, 1, 16 } }, 1 },
  { CAB_CACHESIM_NON_INCLUSIVE, { 1024, 2, 32 }, { 1024, 4, 32 }, { { 8192, 8, 64 } }, 1 },
  { CAB_CACHESIM_NON_INCLUSIVE, { 1024, 2, 32 }, { 2048, 4, 64 },
    { { 4096, 8, 64 }, { 16384, 4, 128 } }, 2 },
  { CAB_CACHESIM_NON_INCLUSIVE, { 1024, 2, 32 }, { 512, 1, 32 }, { { 0 } }, 0 },
  { CAB_CACHESIM_NON_INCLUSIVE, { 512, 2, 32 }, { 12 * 64, 1, 64 },
    { { 40 * 64, 2, 64 }, { 96 * 64, 3, 64 }, { 192 * 64, 3, 64 } }, 3 },
  { CAB_CACHESIM_INCLUSIVE, { 1024, 2, 32 }, { 1024, 4, 32 }, { { 2048, 2, 32 } }, 1 },
  { CAB_CACHESIM_INCLUSIVE, { 1024, 4, 16 }, { 1024, 8, 32 }, { { 2048, 2, 64 }, { 3072, 3, 128 } },
    2 },
  { CAB_CACHESIM_INCLUSIVE, { 512, 8, 64 }, { 512, 8, 64 },
    { { 5 * 128, 2, 64 }, { 7 * 192, 3, 64 }, { 11 * 256, 4, 64 } }, 3 }
};
#define N_CONFIGS ((int) ARRAY_SIZE (configs))

static struct cab_access accesses[N_ACCESSES];

static void
invent_for (const struct cab_cachesim_config *config)
{
  invent (accesses, N_ACCESSES, config->model == CAB_CACHESIM_CACHEGRIND
	  ? cab_cachesim_min_line (config) : 300);
}

/* Fed whole and in pieces, with marks and without, the simulator gives what the naive model
   gives. */
static void
test_naive (void)
{
  static uint8_t wanted[N_ACCESSES], marks[N_ACCESSES];
  for (int i = 0; i < 3 * N_CONFIGS; i++)
    {
      const struct cab_cachesim_config *config = &configs[i % N_CONFIGS];
      struct cab_cachesim_counts counts, expected;
      struct cab_cachesim *sim;
      size_t bytes, done = 0;
      void *memory = state_of (config, &sim, &bytes);
      invent_for (config);
      naive_feed (config, accesses, N_ACCESSES, wanted);
      count (accesses, N_ACCESSES, wanted, &expected);
      while (done < N_ACCESSES)
	{
	  size_t n = draw (N_ACCESSES - done < 3000 ? N_ACCESSES - done + 1 : 3000);
	  bool marked = draw (4) != 0;
	  cab_cachesim_feed (sim, accesses + done, n, marked ? marks + done : NULL);
	  if (!marked)
	    memcpy (marks + done, wanted + done, n);
	  done += n;
	}
      cab_cachesim_counts (sim, &counts);
      CU_ASSERT (!memcmp (marks, wanted, N_ACCESSES));
      CU_ASSERT (!memcmp (&counts, &expected, sizeof counts));
      /* There are enough misses for a fault to show. */
      CU_ASSERT (expected.misses[1][0] > 100 && expected.accesses[1] - expected.misses[1][0] > 100);
      free (memory);
    }
}

/* By parts, the last one first, and by threads: counts, marks and the caches themselves are those
   of the whole. */
static void
test_parts (void)
{
  static uint8_t wanted[N_ACCESSES], marks[N_ACCESSES];
  unsigned most = 1;
  for (int i = 0; i < 2 * N_CONFIGS; i++)
    {
      const struct cab_cachesim_config *config = &configs[i % N_CONFIGS];
      struct cab_cachesim *whole, *parts, *threaded;
      struct cab_cachesim_counts expected, counts;
      size_t bytes;
      void *memory[3] = { state_of (config, &whole, &bytes), state_of (config, &parts, &bytes),
			  state_of (config, &threaded, &bytes) };
      unsigned max = cab_cachesim_max_parts (whole), n_parts = 1;
      invent_for (config);
      for (size_t done = 0; done < N_ACCESSES; n_parts = n_parts < max ? n_parts * 2 : 1)
	{
	  size_t n = 1 + draw (N_ACCESSES - done < 4000 ? N_ACCESSES - done : 4000);
	  struct cab_cachesim_threads *threads =
	    cab_cachesim_threads_new (threaded, n_parts < 8 ? n_parts : 8, N_ACCESSES);
	  CU_ASSERT_FATAL (threads != NULL);
	  cab_cachesim_feed (whole, accesses + done, n, wanted);
	  memset (marks, 0, n);
	  for (unsigned phase = 0; phase < cab_cachesim_phases (parts); phase++)
	    for (unsigned part = n_parts; part-- > 0;)
	      cab_cachesim_feed_part (parts, phase, part, n_parts, accesses + done, n, marks);
	  CU_ASSERT (!memcmp (marks, wanted, n));
	  cab_cachesim_threads_feed (threads, accesses + done, n / 2);
	  cab_cachesim_threads_feed (threads, accesses + done + n / 2, n - n / 2);
	  cab_cachesim_threads_free (threads);
	  most = n_parts > most ? n_parts : most;
	  done += n;
	}
      cab_cachesim_counts (whole, &expected);
      cab_cachesim_counts (parts, &counts);
      CU_ASSERT (!memcmp (&counts, &expected, sizeof counts));
      cab_cachesim_counts (threaded, &counts);
      CU_ASSERT (!memcmp (&counts, &expected, sizeof counts));
      for (int m = 1; m < 3; m++)
	CU_ASSERT (!memcmp ((char *) memory[0] + sizeof *whole, (char *) memory[m] + sizeof *whole,
			    bytes - sizeof *whole));
      for (int m = 0; m < 3; m++)
	free (memory[m]);
    }
  CU_ASSERT (most >= 8);
}

/* Check the marks that ACCESSES get, as digits. */
static void
expect_marks (const struct cab_cachesim_config *config, const struct cab_access *some, size_t n,
	      const char *digits)
{
  struct cab_cachesim *sim;
  uint8_t marks[64];
  size_t bytes;
  void *memory = state_of (config, &sim, &bytes);
  cab_cachesim_feed (sim, some, n, marks);
  for (size_t i = 0; i < n; i++)
    if (marks[i] != digits[i] - '0')
      {
	printf ("access %zu: marks %d, not %c\n", i, marks[i], digits[i]);
	CU_ASSERT (false);
      }
  free (memory);
}

#define F(address, size) { address, size, CAB_ACCESS_FETCH }
#define R(address, size) { address, size, CAB_ACCESS_READ }
#define W(address, size) { address, size, CAB_ACCESS_WRITE }
#define M(address, size) { address, size, CAB_ACCESS_MODIFY }

/* D1: one set of two ways; LL: one set of four. */
static void
test_by_hand_whole (void)
{
  static const struct cab_cachesim_config config = { CAB_CACHESIM_CACHEGRIND, { 32, 2, 16 },
						     { 32, 2, 16 }, { { 64, 4, 16 } }, 1 };
  static const struct cab_access some[] = {
    R (0x00, 4), R (0x0c, 4),     /* 3: cold; 0: the same line */
    W (0x10, 4), R (0x00, 1),     /* 3: writes bring in; 0: still there */
    W (0x20, 4), R (0x00, 1),     /* 3: takes the place of 0x10, used longer ago; 0 */
    R (0x10, 1),                  /* 1: gone from D1, not from LL; takes the place of 0x20 */
    M (0x0c, 8),                  /* 0: both lines are there */
    R (0x1c, 8),                  /* 1: one line of two is missing: one miss, and both are looked
				     for in LL */
    F (0x00, 4), F (0x00, 4),     /* 1: I1 is another cache, LL the same; 0 */
    R (0x3c, 8),                  /* 3: two cold lines, one miss in each */
    R (0x10, 4)                   /* 3: so these two put 0x10 out of LL too */
  };
  expect_marks (&config, some, ARRAY_SIZE (some), "3030301011033");
}

/* D1: one set of two ways; LL has the same. Hits in D1 do not reach LL, so the fourth access puts
   line 0 out of LL although D1 used it last. */
static void
test_by_hand_levels (void)
{
  static struct cab_cachesim_config config = { CAB_CACHESIM_NON_INCLUSIVE, { 32, 2, 16 },
					       { 32, 2, 16 }, { { 32, 2, 16 } }, 1 };
  static const struct cab_access some[] = { R (0x00, 4), W (0x10, 4), M (0x00, 4), R (0x20, 4),
					    R (0x10, 4), R (0x1c, 8), R (0x0c, 40) };
  expect_marks (&config, some, ARRAY_SIZE (some), "3303103");
  config.model = CAB_CACHESIM_INCLUSIVE;
  /* Line 0 left D1 as well, and nothing had to leave for line 0x20. */
  expect_marks (&config, some, ARRAY_SIZE (some), "3303003");
}

static void
test_refusals (void)
{
  static const struct { struct cab_cache_geometry geometry; const char *words; } bad[] = {
    { { 32768, 0, 64 }, "associativity is 0" }, { { 32768, 8, 0 }, "lines are no power" },
    { { 32768, 8, 48 }, "lines are no power" },
    { { 32768, 8, 4 }, "lines are no power" }, { { 32768, 8, 1 << 17 }, "lines are no power" },
    { { 0, 8, 64 }, "size is not" },
    { { 32768 + 64, 8, 64 }, "no multiple" }, { { 256, 8, 64 }, "no multiple" },
    { { CAB_CACHE_SIZE_MAX * 2, 8, 64 }, "size is not" },
    { { 4096, UINT32_MAX, 64 }, "no multiple" }
  };
  struct cab_cachesim_config config = configs[0];
  struct cab_diag diag;
  for (size_t i = 0; i < ARRAY_SIZE (bad); i++)
    {
      const char *words = cab_cache_wrong (&bad[i].geometry);
      CU_ASSERT (words && strstr (words, bad[i].words));
    }
  config.d1.assoc = 0;
  CU_ASSERT (cab_cachesim_bytes (&config, &diag) == 0 && !strncmp (diag.text, "D1: ", 4));
  config = configs[0];
  config.n_shared = 2;
  CU_ASSERT (cab_cachesim_bytes (&config, &diag) == 0 && strstr (diag.text, "I1, D1 and LL"));
  config = configs[9];
  config.shared[1].line = 32;
  CU_ASSERT (cab_cachesim_bytes (&config, &diag) == 0
	     && strstr (diag.text, "LL: its lines are shorter"));
}

/* Read TEXT with a reader that gets STEP bytes at once. */
static int
pipe_of (const char *text, size_t length, size_t step)
{
  int ends[2];
  CU_ASSERT_FATAL (pipe (ends) == 0);
  if (fork () == 0)
    {
      close (ends[0]);
      for (size_t done = 0; done < length; done += step)
	if (write (ends[1], text + done, length - done < step ? length - done : step) < 0)
	  break;
      _exit (0);
    }
  close (ends[1]);
  return ends[0];
}

static struct cab_lackey reader;

static void
test_reader (void)
{
  static const char text[] =
    "==12== Lackey\nI  04001000,3\n L 1fff000720,8\nhello\n\n S ffffffffffffffff,1\n M 0,512\n"
    "--12-- words\nInteresting\n Lo\n L\n  \n"
    "I  ,3\n L 10,\n S 10,0\n S 10\n M 10,8x\n"
    "I  1234567890abcdef0,1\n L ffffffffffffffff,2\n L 10,65537\n L xyz,1\nI  10,65536\nI  40";
  static const struct cab_access wanted[] = {
    F (0x4001000, 3), R (0x1fff000720, 8), W (UINT64_MAX, 1), M (0, 64), F (0x10, 65536)
  };
  for (size_t step = 1; step < 80; step += step < 8 ? 1 : 9)
    {
      struct cab_access got[16];
      int fd = pipe_of (text, sizeof text - 1, step);
      cab_lackey_open (&reader, fd, 64);
      size_t n = cab_lackey_read (&reader, got, 2);
      n += cab_lackey_read (&reader, got + n, ARRAY_SIZE (got) - n);
      CU_ASSERT (n == ARRAY_SIZE (wanted) && !memcmp (got, wanted, sizeof wanted));
      CU_ASSERT (cab_lackey_read (&reader, got, 1) == 0 && !reader.error);
      CU_ASSERT_EQUAL (reader.n_malformed, 10);
      CU_ASSERT_EQUAL (reader.malformed_line, 13);
      CU_ASSERT_STRING_EQUAL (reader.malformed, "I  ,3");
      CU_ASSERT_EQUAL (reader.n_lines, 23);
      CU_ASSERT_EQUAL (reader.n_accesses, ARRAY_SIZE (wanted));
      close (fd);
    }
}

/* The text is more than the buffer holds, with lines longer than it in between. */
static void
test_reader_long (void)
{
  enum { N = 60000 };
  FILE *file = tmpfile ();
  CU_ASSERT_FATAL (file != NULL);
  for (int i = 0; i < N; i++)
    {
      if (i % 20000 == 7)
	fprintf (file, "%s%0*d,4\n", i == 7 ? " L " : "", (int) CAB_LACKEY_BUFFER * 2 + i, 0);
      fprintf (file, " L %08x,%d\n", i * 3, 1 + i % 8);
    }
  fflush (file);
  rewind (file);
  cab_lackey_open (&reader, fileno (file), 64);
  struct cab_access *got = XNEWVEC (struct cab_access, N + 1);
  size_t n = 0, more, wrong = 0;
  while ((more = cab_lackey_read (&reader, got + n, n + 777 < N + 1 ? 777 : N + 1 - n)) > 0)
    n += more;
  for (int i = 0; i < (int) n && n == N; i++)
    wrong += got[i].address != (uint64_t) i * 3 || got[i].size != 1 + (uint32_t) i % 8
	|| got[i].kind != CAB_ACCESS_READ;
  CU_ASSERT_EQUAL (n, N);
  CU_ASSERT_EQUAL (wrong, 0);
  CU_ASSERT_EQUAL (reader.n_malformed, 1);
  CU_ASSERT_EQUAL (reader.malformed_line, 8);
  CU_ASSERT_EQUAL (reader.n_lines, N + 3);
  free (got);
  fclose (file);
  int directory = open (".", O_RDONLY);
  cab_lackey_open (&reader, directory, 64);
  CU_ASSERT (cab_lackey_read (&reader, got = XNEW (struct cab_access), 1) == 0 && reader.error);
  free (got);
  close (directory);
}

static void
tell (const char *dir, int idx, const char *type, const char *level, const char *size,
      const char *ways)
{
  const char *const field[][2] = { { "type", type }, { "level", level }, { "size", size },
				   { "ways_of_associativity", ways },
				   { "coherency_line_size", "64" } };
  char *index = xasprintf ("%s/index%d", dir, idx);
  mkdir (index, 0700);
  for (size_t i = 0; i < ARRAY_SIZE (field); i++)
    {
      char *path = xasprintf ("%s/%s", index, field[i][0]);
      FILE *file = fopen (path, "w");
      CU_ASSERT_FATAL (file != NULL);
      fprintf (file, "%s\n", field[i][1]);
      fclose (file);
      free (path);
    }
  free (index);
}

static bool
is (const struct cab_host_cache *cache, uint64_t size, uint32_t ways, const char *origin)
{
  return cache->geometry.size == size && cache->geometry.assoc == ways && cache->geometry.line == 64
      && !strcmp (cache->origin, origin);
}

static void
test_host (void)
{
  char dir[] = "/tmp/test_cachesim-XXXXXX";
  struct cab_host_caches host;
  CU_ASSERT_FATAL (mkdtemp (dir) != NULL);
  cab_host_caches (dir, &host);
  CU_ASSERT (is (&host.i1, 32 << 10, 8, "default: the kernel reports none"));
  CU_ASSERT (is (&host.ll, 8 << 20, 16, "default: the kernel reports none") && !host.has_l2);
  tell (dir, 0, "Data", "1", "48K", "12");
  tell (dir, 1, "Instruction", "1", "nonsense", "8");
  tell (dir, 2, "Unified", "2", "2048K", "16");
  cab_host_caches (dir, &host);
  CU_ASSERT (is (&host.d1, 48 << 10, 12, "kernel"));
  CU_ASSERT (is (&host.i1, 32 << 10, 8, "default: the kernel's is impossible"));
  CU_ASSERT (is (&host.ll, 2 << 20, 16, "kernel") && !host.has_l2);
  tell (dir, 3, "Unified", "3", "32M", "0");
  cab_host_caches (dir, &host);
  CU_ASSERT (is (&host.ll, 32 << 20, 16, "kernel, but ways by default"));
  CU_ASSERT (is (&host.l2, 2 << 20, 16, "kernel") && host.has_l2);
  char *command = concat ("rm -r ", dir, NULL);
  CU_ASSERT_EQUAL (system (command), 0);
  free (command);
}

int
main (void)
{
  const char *given = getenv ("SEED");
  seed = given ? strtoull (given, NULL, 0) : 20261121;
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("cachesim", NULL, NULL);
  CU_add_test (suite, "whole accesses, by hand", test_by_hand_whole);
  CU_add_test (suite, "lines, by hand", test_by_hand_levels);
  CU_add_test (suite, "the naive model", test_naive);
  CU_add_test (suite, "parts and threads", test_parts);
  CU_add_test (suite, "impossible geometries", test_refusals);
  CU_add_test (suite, "lackey's text", test_reader);
  CU_add_test (suite, "long texts", test_reader_long);
  CU_add_test (suite, "the kernel's caches", test_host);
  CU_basic_set_mode (CU_BRM_VERBOSE);
  CU_basic_run_tests ();
  unsigned failures = CU_get_number_of_failures ();
  if (failures)
    printf ("seed %s\n", given ? given : "20261121");
  CU_cleanup_registry ();
  return failures != 0;
}

/* judge.c - see judge.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "judge.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cabprof/analysis.h"
#include "analyses/wire/decode.h"
#include "analyses/live/an_paths.h"

static char directory[256];

static int
remove_one (const char *path, const struct stat *s, int type, struct FTW *ftw)
{
  (void) s, (void) type, (void) ftw;
  return remove (path);
}

static void
remove_directory (void)
{
  nftw (directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *
judge_directory (void)
{
  const char *tmp = getenv ("TMPDIR");
  snprintf (directory, sizeof directory, "%s/cab-rt-XXXXXX", tmp ? tmp : "/tmp");
  CHECK (mkdtemp (directory), "%s", directory);
  atexit (remove_directory);
  return directory;
}

int
judge_run (const char *dir, const char *options, const char *argument, unsigned kill_after_us)
{
  char value[1024], log[512];
  snprintf (value, sizeof value, "data=%s%s%s", dir, *options ? ":" : "", options);
  snprintf (log, sizeof log, "%s-err", dir);
  pid_t pid = fork ();
  CHECK (pid >= 0, "fork");
  if (pid == 0)
    {
      int fd = open (log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
      dup2 (fd, 2);
      close (fd);
      setenv ("CABPROF_OPTIONS", value, 1);
      setenv ("CAB_TEST_RUN", argument, 1);
      execl ("/proc/self/exe", "program", argument, (char *) NULL);
      _exit (127);
    }
  if (kill_after_us)
    {
      usleep (kill_after_us);
      kill (pid, SIGKILL);
    }
  int status;
  CHECK (waitpid (pid, &status, 0) == pid, "wait");
  return status;
}

static int
compare (const void *a, const void *b)
{
  return strcmp (a, b);
}

int
judge_parts (const char *dir, char paths[][512], int most)
{
  int n = 0;
  DIR *d = opendir (dir);
  struct dirent *e;
  while (d && (e = readdir (d)))
    if (n < most && strlen (e->d_name) > 5
	&& strcmp (e->d_name + strlen (e->d_name) - 5, CAB_PART_SUFFIX) == 0)
      snprintf (paths[n++], 512, "%s/%s", dir, e->d_name);
  if (d)
    closedir (d);
  qsort (paths, n, 512, compare);
  return n;
}

struct judge_part
judge_open (const char *path)
{
  struct judge_part part;
  struct stat s;
  int fd = open (path, O_RDONLY);
  CHECK (fd >= 0 && fstat (fd, &s) == 0, "%s", path);
  part.n = s.st_size;
  part.bytes = mmap (NULL, part.n, PROT_READ, MAP_PRIVATE, fd, 0);
  CHECK (part.bytes != MAP_FAILED, "%s", path);
  close (fd);
  part.header = (const void *) part.bytes;
  CHECK (memcmp (part.header->magic, CAB_PART_MAGIC, 8) == 0, "%s", path);
  return part;
}

void
judge_close (struct judge_part *part)
{
  munmap ((void *) part->bytes, part->n);
}

void *
judge_area (const struct judge_part *part, uint32_t kind, uint32_t owner, size_t *n)
{
  const struct cab_part_header *h = part->header;
  size_t bytes = 0;
  unsigned char *area = NULL;
  for (uint32_t pass = 0; pass < 2; pass++)
    {
      for (uint32_t i = 0; i < h->n_extents; i++)
	{
	  const struct cab_extent *e = &h->extents[i];
	  if (e->kind != kind || e->owner != owner)
	    continue;
	  CHECK (e->file_offset + e->bytes <= part->n, "extent %u", i);
	  if (pass)
	    memcpy (area + e->area_offset, part->bytes + e->file_offset, e->bytes);
	  else if (e->area_offset + e->bytes > bytes)
	    bytes = e->area_offset + e->bytes;
	}
      if (!bytes)
	break;
      if (!pass)
	area = calloc (1, bytes);
    }
  *n = bytes;
  return area;
}

static struct cab_part_function
function (const struct judge_part *part, uint32_t fn)
{
  size_t n;
  CHECK (fn >= 1 && fn <= part->header->n_functions, "function %u of %u", fn,
	 part->header->n_functions);
  struct cab_part_function *all = judge_area (part, CAB_EXT_FUNCTIONS, 0, &n), f = all[fn - 1];
  free (all);
  return f;
}

uint64_t
judge_count (const struct judge_part *part, uint32_t fn, uint32_t counter)
{
  uint64_t sum = 0;
  struct cab_part_function f = function (part, fn);
  for (uint32_t i = 0; i < part->header->n_counts; i++)
    {
      size_t n;
      uint64_t *counters = judge_area (part, CAB_EXT_COUNTS, i, &n);
      CHECK (n >= part->header->counts_bytes, "area %u", i);
      CHECK (f.count_offset + 8 * f.n_counters <= part->header->counts_bytes, "function %u", fn);
      sum += counters[f.count_offset / 8 + counter];
      free (counters);
    }
  return sum;
}

static int
arena_row (const struct judge_part *part, const char *name, uint32_t ring)
{
  size_t n;
  char *strings = judge_area (part, CAB_EXT_STRINGS, 0, &n);
  int found = -1;
  for (uint32_t i = 0; i < part->header->n_arenas; i++)
    if (part->header->arenas[i].ring == ring
	&& strcmp (strings + part->header->arenas[i].analysis, name) == 0)
      found = i;
  free (strings);
  return found;
}

void *
judge_arena (const struct judge_part *part, const char *name, uint32_t ring, size_t *used)
{
  size_t n;
  int i = arena_row (part, name, ring);
  if (i < 0)
    return NULL;
  *used = part->header->arenas[i].used_bytes;
  void *arena = judge_area (part, CAB_EXT_ARENA, i, &n);
  CHECK (*used <= n, "arena %d", i);
  return arena;
}

struct left
{
  uint64_t skip;
  unsigned kind;
  void (*take) (void *, uint64_t);
  void *host;
};

static void
take_words (struct left *left, const uint64_t *words, uint64_t n, bool to_zero)
{
  for (uint64_t i = 0; i < n; i += 1 + cab_decode_raw (words[i]))
    {
      if (words[i] == 0 && to_zero)
	return;
      if (cab_decode_kind (words[i]) != left->kind)
	continue;
      if (left->skip)
	left->skip--;
      else
	left->take (left->host, words[i]);
    }
}

static void
left_in_chunks (const struct cab_ring_header *h, const uint64_t *slots, struct left *left)
{
  uint32_t stride = h->chunk_slots + CAB_RING_RED_SLOTS;
  for (uint64_t c = h->tail; c != h->head; c++)
    take_words (left, slots + c % h->n_chunks * stride, h->used[c % h->n_chunks], false);
  take_words (left, slots + h->head % h->n_chunks * stride, cab_ring_open_words (h, h->head),
	      false);
}

static void
left_in_cab (const struct cab_ring_header *h, const uint64_t *slots, struct left *left)
{
  uint64_t n = (uint64_t) h->n_chunks * h->chunk_slots;
  for (uint64_t i = 0; i < n && slots[(h->tail + i) % n]; i++)
    take_words (left, slots + (h->tail + i) % n, 1, true);
}

void
judge_left (const struct judge_part *part, const char *name, unsigned kind,
	    void (*take) (void *, uint64_t), void *host)
{
  const struct cab_analysis *a = cab_analysis_find (name);
  for (uint32_t i = 0; i < part->header->n_rings; i++)
    {
      size_t n, used;
      struct cab_ring_header *h = judge_area (part, CAB_EXT_RING, i, &n);
      unsigned char *arena = judge_arena (part, name, i, &used);
      if (!h)
	continue;
      uint64_t consumed = h->type == CAB_RING_CAB ? h->tail / h->chunk_slots : h->tail;
      const struct cab_arena state = { .base = arena, .used = used, .cap = used };
      uint64_t applied = arena ? a->applied (&state) + a->lost (&state) : 0;
      uint64_t seen = h->seen[consumed & 1][kind];
      CHECK (applied >= seen, "ring %u: applied %lu, seen %lu", i, applied, seen);
      struct left left = { applied - seen, kind, take, host };
      const uint64_t *slots = (const uint64_t *) ((const char *) h + CAB_RING_HEADER_BYTES);
      (h->type == CAB_RING_CAB ? left_in_cab : left_in_chunks) (h, slots, &left);
      CHECK (left.skip == 0, "ring %u: %lu events applied that the ring does not have", i,
	     left.skip);
      free (h);
      free (arena);
    }
}

struct wanted
{
  uint32_t fn;
  uint64_t path, n;
};

static void
take_path (void *host, uint64_t word)
{
  struct wanted *w = host;
  w->n += cab_ev_fn (word) == w->fn && cab_ev_path (word) == w->path;
}

uint64_t
judge_paths (const struct judge_part *part, uint32_t fn, uint64_t path)
{
  struct wanted wanted = { fn, path, 0 };
  struct cab_part_function f = function (part, fn);
  uint64_t index = f.count_offset / 8 + 2 + path;
  for (uint32_t i = 0; i < part->header->n_rings; i++)
    {
      size_t used;
      unsigned char *arena = judge_arena (part, "paths", i, &used);
      struct cab_arena a = { .base = arena, .used = used, .cap = used };
      if (arena && index < cab_paths_n (&a))
	wanted.n += cab_paths_counter (&a, index);
      free (arena);
    }
  judge_left (part, "paths", CAB_EV_PATH, take_path, &wanted);
  return wanted.n;
}

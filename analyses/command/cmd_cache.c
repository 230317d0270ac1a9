/* cmd_cache.c - cabprof cache: run a trace of accesses through simulated caches.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/command.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/output.h"
#include "analyses/cachesim/cachesim_threads.h"
#include "analyses/command/cache_mark.h"
#include "analyses/command/cache_option.h"
#include "analyses/live/cache/host_caches.h"
#include "analyses/trace/lackey.h"

#define BATCH 65536
#define N_CACHES 4

/* In the order of enum cab_cachesim_model. */
static const char *const models[] = { "cachegrind", "non-inclusive", "inclusive" };

/* The caches that may be given, in this order. */
static const char *const names[N_CACHES] = { "I1", "D1", "L2", "LL" };
enum { I1, D1, L2, LL };

struct request
{
  struct cab_host_cache cache[N_CACHES];
  const char *given[N_CACHES];
  bool has_l2, mark;
  int model;                    /* -1: not given */
  unsigned n_threads;
  enum cab_format format;
  const char *path;
};

/* Take the cache that OPTION names. */
static int
take_cache (const struct cab_argument *option, const char *value)
{
  struct request *request = option->to;
  int i = 0;
  while (strcmp (names[i], option->name))
    i++;
  struct cab_cache_geometry geometry = request->cache[i].geometry;
  int status = i == L2
	       ? cab_cache_option_or_none ("cache", names[i], value, &geometry, &request->has_l2)
	       : cab_cache_option ("cache", names[i], value, &geometry);
  request->given[i] = value;
  request->cache[i] = (struct cab_host_cache) { geometry, "given" };
  return status;
}

static int
take_model (const struct cab_argument *option, const char *name)
{
  int *model = option->to;
  for (int i = 0; i < (int) ARRAY_SIZE (models); i++)
    if (!strcmp (models[i], name))
      {
	*model = i;
	return 0;
      }
  return cab_usage ("cache", name, "no such model (cachegrind, non-inclusive, inclusive)");
}

static int
take_threads (const struct cab_argument *option, const char *text)
{
  char *end;
  unsigned long n = strtoul (text, &end, 10);
  if (*text < '0' || *text > '9' || *end || !n || n & (n - 1) || n > CAB_CACHESIM_PARTS_MAX)
    return cab_usage ("cache", text, "not a number of threads (1, 2, 4, ... 64)");
  *(unsigned *) option->to = n;
  return 0;
}

/* Choose the model for the given levels, and drop a second level that the model does not have. */
static int
settle (struct request *request)
{
  bool l2_given = request->given[L2] && request->has_l2;
  if (request->model < 0)
    request->model = l2_given ? CAB_CACHESIM_NON_INCLUSIVE : CAB_CACHESIM_CACHEGRIND;
  if (request->model == CAB_CACHESIM_CACHEGRIND && l2_given)
    return cab_usage ("cache", "--L2", "cachegrind's model has no second level between D1 and LL");
  request->has_l2 &= request->model != CAB_CACHESIM_CACHEGRIND;
  if (request->mark && request->n_threads > 1)
    return cab_usage ("cache", "--threads", "is not for --mark, whose rows have one order");
  return 0;
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct request *request)
{
  char **words;
  const struct cab_argument options[] = {
    { "I1", "SIZE,ASSOC,LINE",
      "first level, instructions (default: this machine's, as its kernel says)",
      .take = take_cache, .to = request },
    { "D1", "SIZE,ASSOC,LINE", "first level, data", .take = take_cache, .to = request },
    { "L2", "SIZE,ASSOC,LINE", "second level, not in cachegrind's model; none: there is none",
      .take = take_cache, .to = request },
    { "LL", "SIZE,ASSOC,LINE", "last level", .take = take_cache, .to = request },
    { "model", "MODEL",
      "cachegrind (default, without --L2), non-inclusive (default with --L2), inclusive",
      .take = take_model, .to = &request->model },
    { "threads", "N", "simulate in N threads (1, 2, 4, ...), with the same counts; default 1",
      .take = take_threads, .to = &request->n_threads },
    CAB_ARGUMENT_FORMAT (&request->format),
    CAB_ARGUMENT_WIDE,
    { "mark", NULL,
      "TRACE is one of `cabprof record --trace' or `cabprof trace filter': pass its rows on, with "
      "the level of each access",
      .flag = &request->mark }
  };
  const struct cab_arguments arguments = {
    "cache", "[OPTION...] TRACE",
    "Simulates caches over a trace that `valgrind --tool=lackey --trace-mem=yes' wrote; - is "
    "standard input.",
    .options = options, .n_options = ARRAY_SIZE (options),
    .more = "Sizes are in bytes, or end in K or M."
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  if (!status)
    status = cab_arguments_trace ("cache", words, &request->path);
  return status ? status : settle (request);
}

static void
configure (const struct request *request, struct cab_cachesim_config *config)
{
  *config = (struct cab_cachesim_config) {
    .model = request->model, .i1 = request->cache[I1].geometry, .d1 = request->cache[D1].geometry
  };
  if (request->has_l2)
    config->shared[config->n_shared++] = request->cache[L2].geometry;
  config->shared[config->n_shared++] = request->cache[LL].geometry;
}

static const struct cab_column columns[] = {
  { "model", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "cache", CAB_TEXT, 0 },
  { "size", CAB_COUNT, 0 },
  { "ways", CAB_COUNT, 0 },
  { "line", CAB_COUNT, 0 },
  { "from", CAB_TEXT, 0 },
  { "access", CAB_TEXT, 0 },
  { "accesses", CAB_COUNT, 0 },
  { "misses", CAB_COUNT, 0 },
  { "share", CAB_SHARE, 0 }
};

/* Add the row of one cache for one kind of access.  A level gets the accesses that missed in the
   level before. */
static void
add_row (struct cab_table *table, const struct request *request, int cache, int row, int level,
	 const struct cab_cachesim_counts *counts)
{
  static const char *const kinds[CAB_CACHESIM_ROWS] = { "fetch", "read", "write" };
  const struct cab_cache_geometry *geometry = &request->cache[cache].geometry;
  uint64_t came = level ? counts->misses[row][level - 1] : counts->accesses[row],
	   missed = counts->misses[row][level];
  union cab_cell *cell = cab_table_row (table);
  *cell++ = (union cab_cell) { .text = models[request->model] };
  *cell++ = (union cab_cell) { .text = names[cache] };
  *cell++ = (union cab_cell) { .count = geometry->size };
  *cell++ = (union cab_cell) { .count = geometry->assoc };
  *cell++ = (union cab_cell) { .count = geometry->line };
  *cell++ = (union cab_cell) { .text = request->cache[cache].origin };
  *cell++ = (union cab_cell) { .text = kinds[row] };
  *cell++ = (union cab_cell) { .count = came };
  *cell++ = (union cab_cell) { .count = missed };
  *cell++ = (union cab_cell) { .share = came ? (double) missed / came : 0 };
}

static void
print (const struct request *request, const struct cab_cachesim_counts *counts)
{
  struct cab_table table;
  char *title = xasprintf ("Simulated caches, %s model", models[request->model]);
  cab_table_init (&table, "cache", title, columns, ARRAY_SIZE (columns));
  add_row (&table, request, I1, CAB_CACHESIM_FETCHES, 0, counts);
  add_row (&table, request, D1, CAB_CACHESIM_READS, 0, counts);
  add_row (&table, request, D1, CAB_CACHESIM_WRITES, 0, counts);
  for (int row = 0; row < CAB_CACHESIM_ROWS && request->has_l2; row++)
    add_row (&table, request, L2, row, 1, counts);
  for (int row = 0; row < CAB_CACHESIM_ROWS; row++)
    add_row (&table, request, LL, row, 1 + request->has_l2, counts);
  cab_arg_write (&table, request->format, 0, request->path);
  cab_table_fini (&table);
  free (title);
}

/* Simulate the accesses that READER reads.  Of two batches, one is read while the other is
   simulated. */
static void
simulate (struct cab_cachesim *sim, struct cab_cachesim_threads *threads, struct cab_lackey *reader)
{
  struct cab_access *batch[2] = { XNEWVEC (struct cab_access, BATCH),
				  XNEWVEC (struct cab_access, BATCH) };
  unsigned which = 0;
  for (size_t n; (n = cab_lackey_read (reader, batch[which], BATCH)) > 0; which ^= threads != NULL)
    if (threads)
      cab_cachesim_threads_feed (threads, batch[which], n);
    else
      cab_cachesim_feed (sim, batch[which], n, NULL);
  if (threads)
    cab_cachesim_threads_free (threads);
  free (batch[0]);
  free (batch[1]);
}

/* Print what was wrong with the trace.  Return the exit status. */
static int
complain (const char *path, const struct cab_lackey *reader)
{
  if (reader->error)
    cab_say ("%s: cannot read: %s: give a trace that lackey wrote", path, strerror (reader->error));
  else if (reader->n_malformed)
    cab_say ("%s: %" PRIu64 " malformed lines are left out, the first is line %" PRIu64
	     ", `%s': record the trace again",
	     path, reader->n_malformed, reader->malformed_line, reader->malformed);
  else if (!reader->n_accesses)
    cab_say ("%s: no access is in it: give what `valgrind --tool=lackey --trace-mem=yes' wrote; a "
	     "trace of cabprof's goes with --mark",
	     path);
  else
    return CAB_EXIT_GOOD;
  return CAB_EXIT_FAILED;
}

static int
run (const struct request *request, int fd)
{
  struct cab_cachesim_config config;
  struct cab_cachesim_threads *threads = NULL;
  struct cab_cachesim_counts counts;
  struct cab_diag diag;
  configure (request, &config);
  size_t bytes = cab_cachesim_bytes (&config, &diag);
  if (!bytes)
    {
      cab_say ("%s: see `cabprof cache --help'", diag.text);
      return CAB_EXIT_USAGE;
    }
  void *memory = xcalloc (1, bytes + 63);
  struct cab_cachesim *sim = cab_cachesim_init ((void *) (((uintptr_t) memory + 63) & -64),
						&config);
  struct cab_lackey *reader = XNEW (struct cab_lackey);
  int status = CAB_EXIT_FAILED;
  if (request->mark)
    status = cab_cache_mark (sim, &config, request->path);
  else if (request->n_threads > cab_cachesim_max_parts (sim))
    cab_say (
      "--threads=%u: the sets of these caches can be dealt out to %u threads at most: give no more",
      request->n_threads, cab_cachesim_max_parts (sim));
  else if (request->n_threads > 1
	   && !(threads = cab_cachesim_threads_new (sim, request->n_threads, BATCH)))
    cab_say ("--threads=%u: cannot start this many threads: give fewer", request->n_threads);
  else
    {
      cab_lackey_open (reader, fd,
		       request->model == CAB_CACHESIM_CACHEGRIND ? cab_cachesim_min_line (&config)
								 : UINT32_MAX);
      simulate (sim, threads, reader);
      cab_cachesim_counts (sim, &counts);
      if (reader->n_accesses)
	print (request, &counts);
      status = complain (request->path, reader);
    }
  free (reader);
  free (memory);
  return status;
}

int
cab_cmd_cache (int argc, char **argv)
{
  struct request request = { .model = -1, .n_threads = 1, .format = CAB_FORMAT_TEXT };
  struct cab_host_caches host;
  cab_host_caches (CAB_HOST_CACHES_DIR, &host);
  request.cache[I1] = host.i1;
  request.cache[D1] = host.d1;
  request.cache[L2] = host.l2;
  request.cache[LL] = host.ll;
  request.has_l2 = host.has_l2;
  int status = parse (argc, argv, &request);
  if (status)
    return status < 0 ? CAB_EXIT_GOOD : status;
  if (request.mark)
    return run (&request, -1);
  int fd = strcmp (request.path, "-") ? open (request.path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
  if (fd < 0)
    {
      cab_say ("%s: cannot open: %s: give a trace that lackey wrote", request.path,
	       strerror (errno));
      return CAB_EXIT_FAILED;
    }
  status = run (&request, fd);
  if (fd != STDIN_FILENO)
    close (fd);
  return status;
}

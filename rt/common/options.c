/* options.c - see options.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/common/options.h"

#include <stdbool.h>
#include <string.h>
#include "cabprof/control.h"
#include "cabprof/event.h"
#include "cabprof/profile.h"
#include "analyses/live/bursts/strata.h"
#include "rt/common/placement_cost.h"
#include "rt/common/text.h"

#define LINE_BYTES 64u
#define CHECK "check-serializer"
#define CHECK_DELEGATES 3   /* where fewer than two are asked for */
#define KNOWN \
  "known are off, ring=BYTES|auto, chunk=BYTES, placement=thread|inline|direct|auto, line=NS, " \
  "clock=tsc|monotonic, affinity=near|far|none|CPUS, analyses=A+B, threads=N, " \
  "delegates=N, " CHECK ", " \
  "data=DIR, trace=FILE|unix:PATH, " \
  "compress=none|predicted, sample=N|PERCENT, burst=BYTES, overhead=PERCENT, " \
  "start=paused, delay=SECONDS, most=TABLE/N"

static int
refuse (struct cab_diag *diag, const char *wrong, const char *what, size_t n, const char *todo)
{
  struct cab_text t = CAB_TEXT (diag->text);
  cab_text_add (&t, wrong);
  cab_text_add (&t, " '");
  cab_text_add_bytes (&t, what, n < 80 ? n : 80);
  cab_text_add (&t, "': ");
  cab_text_add (&t, todo);
  return -1;
}

/* Return the number at S, with an optional K, M or G, or 0 if it is none. */
static uint64_t
parse_bytes (const char *s, size_t n)
{
  uint64_t value = 0;
  size_t i = 0;
  for (; i < n && s[i] >= '0' && s[i] <= '9' && value < UINT64_C (1) << 40; i++)
    value = value * 10 + (s[i] - '0');
  if (i == 0 || n - i > 1)
    return 0;
  if (i == n)
    return value;
  switch (s[i])
    {
    case 'k': case 'K': return value << 10;
    case 'm': case 'M': return value << 20;
    case 'g': case 'G': return value << 30;
    default: return 0;
    }
}

static int
set_bytes (uint64_t *to, const char *value, size_t n, struct cab_diag *diag)
{
  *to = parse_bytes (value, n);
  if (*to >= 64 && *to <= UINT64_C (1) << 32)
    return 0;
  return refuse (diag, "bad size", value, n,
		 "write bytes, from 64 to 4G, such as 131072, 128K or 2M; ring= also takes auto");
}

static int
set_ring (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  bool grows = n == 4 && memcmp (value, "auto", 4) == 0;
  o->ring_most_bytes = grows ? CAB_RING_AUTO_BYTES : 0;
  if (grows)
    o->ring_bytes = CAB_RING_USUAL_BYTES;
  return grows ? 0 : set_bytes (&o->ring_bytes, value, n, diag);
}

static int
set_chunk (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  return set_bytes (&o->chunk_bytes, value, n, diag);
}

static int
set_placement (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  if (n == 6 && memcmp (value, "thread", 6) == 0)
    o->placement = CAB_PLACE_THREAD;
  else if (n == 6 && memcmp (value, "inline", 6) == 0)
    o->placement = CAB_PLACE_INLINE;
  else if (n == 6 && memcmp (value, "direct", 6) == 0)
    o->placement = CAB_PLACE_DIRECT;
  else if (n == 4 && memcmp (value, "auto", 4) == 0)
    o->placement = CAB_PLACE_AUTO;
  else
    return refuse (diag, "unknown placement", value, n, "known are thread, inline, direct, auto");
  return 0;
}

static int
set_clock (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  if (n == 3 && memcmp (value, "tsc", 3) == 0)
    o->clock = CAB_CLOCK_COUNTER;
  else if (n == 9 && memcmp (value, "monotonic", 9) == 0)
    o->clock = CAB_CLOCK_CALL;
  else
    return refuse (diag, "unknown clock", value, n, "known are tsc, monotonic");
  return 0;
}

static int
set_line (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  uint64_t ns = n > 0 && value[n - 1] <= '9' ? parse_bytes (value, n) : 0;
  if (ns < 1 || ns > CAB_LINE_MOST_NS)
    return refuse (diag, "bad cost of a cache line", value, n,
		   "write ns, from 1 to 10000, as `cabprof doctor --model' measures them");
  o->line_ns = ns;
  return 0;
}

static int
set_affinity (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  static const struct
  {
    const char *name;
    enum cab_cpus_how affinity;
  } names[] = { { "none", CAB_AFFINITY_NONE },
		{ "near", CAB_AFFINITY_NEAR },
		{ "far", CAB_AFFINITY_FAR } };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strlen (names[i].name) == n && memcmp (value, names[i].name, n) == 0)
      {
	o->affinity = names[i].affinity;
	return 0;
      }
  if (cab_cpus_parse (&o->affinity_list, value, n) < 0)
    return refuse (diag, "bad affinity", value, n,
		   "write near, far, none, or numbers of processors below 4096, such as 0,2-3");
  o->affinity = CAB_AFFINITY_LIST;
  return 0;
}

int
cab_options_check_affinity (const struct cab_rt_options *o, const struct cab_cpus *allowed,
			    struct cab_diag *diag)
{
  char list[256];
  if (o->affinity != CAB_AFFINITY_LIST || !allowed || cab_cpus_within (&o->affinity_list, allowed))
    return 0;
  struct cab_text t = CAB_TEXT (diag->text);
  cab_cpus_text (&o->affinity_list, list, sizeof list);
  cab_text_add (&t, "affinity=");
  cab_text_add (&t, list);
  cab_text_add (&t, ": the process may not run on all of these processors: choose from ");
  cab_cpus_text (allowed, list, sizeof list);
  cab_text_add (&t, list);
  return -1;
}

static int
set_threads (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  uint64_t threads = n > 0 && value[n - 1] <= '9' ? parse_bytes (value, n) : 0;
  if (threads < 1 || threads > CAB_MAX_CONSUMERS)
    return refuse (diag, "bad number of threads", value, n, "from 1 to 64");
  o->n_threads = threads;
  o->threads_given = 1;
  return 0;
}

static int
set_delegates (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  uint64_t delegates = n > 0 && value[n - 1] <= '9' ? parse_bytes (value, n) : 0;
  if (delegates < 1 || delegates > CAB_MAX_DELEGATES)
    return refuse (diag, "bad number of delegates", value, n, "from 1 to 64");
  o->n_delegates = delegates;
  return 0;
}

/* Copy VALUE, N characters, to TO of BYTES bytes.  Return 0 if it is empty or too long. */
static int
put_text (char *to, size_t bytes, const char *value, size_t n)
{
  if (n == 0 || n >= bytes)
    return 0;
  memcpy (to, value, n);
  to[n] = '\0';
  return 1;
}

static int
set_analyses (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  return put_text (o->analyses, sizeof o->analyses, value, n)
	 ? 0
	 : refuse (diag, "bad list of analyses", value, n,
		   "write names joined by +, such as tree+paths");
}

static int
set_data (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  if (!put_text (o->data, sizeof o->data, value, n))
    return refuse (diag, "bad directory", value, n, "it is empty or too long");
  o->data_given = 1;
  return 0;
}

static int
set_trace (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  if (n > 4 && memcmp (value, "tcp:", 4) == 0)
    return refuse (diag, "no way for a program to send a trace", value, n,
		   "run it by `cabprof record --trace=tcp:HOST:PORT'");
  return put_text (o->trace, sizeof o->trace, value, n)
	 ? 0
	 : refuse (diag, "bad name of a trace", value, n, "it is empty or too long");
}

static int
set_compress (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  o->compress = n == 9 && memcmp (value, "predicted", n) == 0;
  return o->compress || (n == 4 && memcmp (value, "none", n) == 0)
	 ? 0
	 : refuse (diag, "no such compression", value, n, "write none or predicted");
}

#define BURST_USUAL_BYTES 64u

/* Set *MILLIONTHS from N characters, a decimal number of percent without the sign, up to 100.
   Return false if it is none. */
static bool
parse_percent (const char *value, size_t n, uint32_t *millionths)
{
  uint64_t whole = 0, part = 0, digit = 1000;
  size_t i = 0;
  for (; i < n && value[i] >= '0' && value[i] <= '9' && whole <= 100; i++)
    whole = whole * 10 + (value[i] - '0');
  size_t first = i + 1;
  if (i > 0 && first < n && value[i] == '.')
    for (i = first; i < n && value[i] >= '0' && value[i] <= '9' && digit; i++, digit /= 10)
      part += (value[i] - '0') * digit;
  *millionths = whole * 10000 + part;
  return i > 0 && i == n && *millionths <= CAB_RATE_WHOLE && (*millionths || i == 1);
}

/* Set the share of events from N characters, without the percent sign. */
static int
set_rate (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  uint32_t rate;
  if (!parse_percent (value, n, &rate))
    return refuse (diag, "bad rate", value, n + 1,
		   "write the share of the events to read, from 0.0001% to 100%, such as 5% or "
		   "0.1%; or 0%, for none");
  o->bursts = 1;
  o->rate = rate;
  return 0;
}

static int
set_overhead (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  uint32_t overhead;
  if (n == 0 || value[n - 1] != '%' || !parse_percent (value, n - 1, &overhead) || !overhead)
    return refuse (diag, "bad overhead", value, n,
		   "write the share of its time that profiling may cost the program, from 0.0001% "
		   "to 100%, such as 10%");
  o->overhead = overhead;
  return 0;
}

static int
set_burst (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  o->burst_bytes = parse_bytes (value, n);
  if (o->burst_bytes && o->burst_bytes % LINE_BYTES == 0)
    return 0;
  return refuse (diag, "bad length of bursts", value, n,
		 "write bytes, whole cache lines of 64, from 64 to the size of a chunk, such as 64 "
		 "or 1K");
}

static int
set_sample (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  if (n > 0 && value[n - 1] == '%')
    return set_rate (o, value, n - 1, diag);
  uint64_t sample = n > 0 && value[n - 1] <= '9' ? parse_bytes (value, n) : 0;
  if ((sample == 0 && !(n == 1 && *value == '0')) || sample > CAB_SAMPLE_MAX)
    return refuse (diag, "bad rate", value, n,
		   "write N, one piece in N being recorded, from 1 to 4294967296; or 0, for none; "
		   "or the share of the events to read, such as 5%");
  o->sample = sample;
  return 0;
}

static int
set_start (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  o->paused = n == 6 && memcmp (value, "paused", n) == 0;
  return o->paused || (n == 7 && memcmp (value, "running", n) == 0)
	 ? 0
	 : refuse (diag, "unknown start", value, n, "known are paused, running");
}

#define DELAY_MOST_S UINT64_C (1000000000)

/* Set the delay from seconds, which may have a fraction. */
static int
set_delay (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  uint64_t seconds = 0, ns = 0, digit = UINT64_C (100000000);
  size_t i = 0;
  for (; i < n && value[i] >= '0' && value[i] <= '9' && seconds <= DELAY_MOST_S; i++)
    seconds = seconds * 10 + (value[i] - '0');
  if (i > 0 && i + 1 < n && value[i] == '.')
    for (i++; i < n && value[i] >= '0' && value[i] <= '9'; i++, digit /= 10)
      ns += (value[i] - '0') * digit;
  if (i == 0 || i < n || seconds > DELAY_MOST_S)
    return refuse (diag, "bad delay", value, n, "write seconds, such as 10 or 0.5");
  o->delay_ns = seconds * UINT64_C (1000000000) + ns;
  o->paused |= o->delay_ns > 0;
  return 0;
}

static const struct
{
  const char *name;
  uint32_t most;
} bounds[CAB_N_BOUNDS] = {
  [CAB_BOUND_STRINGS] = { "strings/", UINT32_MAX },
  [CAB_BOUND_MODULES] = { "modules/", UINT32_MAX },
  [CAB_BOUND_THREADS] = { "threads/", UINT32_MAX - 1 },
  [CAB_BOUND_COUNTERS] = { "counters/", CAB_COUNTERS_MOST },
  [CAB_BOUND_EXTENTS] = { "extents/", CAB_PART_EXTENTS },
  [CAB_BOUND_STATES] = { "states/", CAB_PART_ARENAS },
  [CAB_BOUND_FUNCTIONS] = { "functions/", CAB_EV_ID_MAX },
  [CAB_BOUND_SITES] = { "sites/", CAB_EV_ID_MAX },
  [CAB_BOUND_ACCESSES] = { "accesses/", CAB_ACCESS_MAX },
  [CAB_BOUND_REGIONS] = { "regions/", CAB_REGIONS_MOST },
  [CAB_BOUND_SETS] = { "sets/", CAB_SETS_MOST }
};

/* Set one bound from N characters.  Return false if they are none. */
static bool
set_bound (struct cab_rt_options *o, const char *value, size_t n)
{
  for (int i = 0; i < CAB_N_BOUNDS; i++)
    {
      size_t name = strlen (bounds[i].name);
      uint64_t most = n > name && !memcmp (value, bounds[i].name, name) && value[n - 1] <= '9'
		      ? parse_bytes (value + name, n - name)
		      : 0;
      if (most > 0 && most <= bounds[i].most)
	{
	  o->most[i] = most;
	  return true;
	}
    }
  return false;
}

static int
set_most (struct cab_rt_options *o, const char *value, size_t n, struct cab_diag *diag)
{
  for (size_t length; n > 0; value += length, n -= length)
    {
      length = 0;
      while (length < n && value[length] != '+')
	length++;
      if (!set_bound (o, value, length))
	return refuse (diag, "bad bound", value, length,
		       "write TABLE/N: strings, modules, threads, counters, extents, states, "
		       "functions, sites, accesses, regions, sets; no more than there can be");
      length += length < n;
    }
  return 0;
}

static const struct
{
  const char *key;
  int (*set) (struct cab_rt_options *, const char *, size_t, struct cab_diag *);
} keys[] = { { "ring=", set_ring },	      { "chunk=", set_chunk },
	     { "placement=", set_placement }, { "threads=", set_threads },
	     { "analyses=", set_analyses },   { "data=", set_data },
	     { "trace=", set_trace },	      { "compress=", set_compress },
	     { "sample=", set_sample },	      { "start=", set_start },
	     { "delay=", set_delay },	      { "most=", set_most },
	     { "delegates=", set_delegates }, { "affinity=", set_affinity },
	     { "burst=", set_burst },	      { "line=", set_line },
	     { "clock=", set_clock },	      { "overhead=", set_overhead } };
#define N_KEYS (sizeof keys / sizeof keys[0])

static int
find_key (const char *s)
{
  for (size_t i = 0; i < N_KEYS; i++)
    if (strncmp (s, keys[i].key, strlen (keys[i].key)) == 0)
      return i;
  return -1;
}

/* Return true if an item, known or not, begins at S, perhaps after empty ones. */
static int
looks_like_key (const char *s)
{
  s += strspn (s, ":");
  size_t n = strspn (s, "abcdefghijklmnopqrstuvwxyz");
  return n > 0 && s[n] == '=';
}

/* Return the length of the item at S. */
static size_t
item_length (const char *s, int is_path)
{
  const char *p = s;
  while ((p = strchr (p, ':')) != NULL)
    {
      if (!is_path || looks_like_key (p + 1))
	return p - s;
      p++;
    }
  return strlen (s);
}

#define CHUNK_MOST (UINT64_C (256) << 10)
#define CHUNK_DIRECT (UINT64_C (16) << 10)   /* half of a first-level cache: its words are analysed
						when they are written */

/* Return the size of chunks where none is given. */
static uint64_t
chunk_for (uint64_t ring_bytes)
{
  uint64_t bytes = ring_bytes / CAB_RING_MIN_CHUNKS / LINE_BYTES * LINE_BYTES;
  return bytes < LINE_BYTES ? LINE_BYTES : bytes < CHUNK_MOST ? bytes : CHUNK_MOST;
}

/* Round the ring to whole chunks, and chunks to whole cache lines, or to whole bursts: the consumer
   clears or reads these.  Chunks of whole pages are not needed. */
static void
fit_ring (struct cab_rt_options *o)
{
  if (o->placement == CAB_PLACE_DIRECT && !o->chunk_bytes && !o->ring_most_bytes
      && o->ring_bytes == CAB_RING_USUAL_BYTES)
    {
      o->chunk_bytes = CHUNK_DIRECT;
      o->ring_bytes = CAB_RING_MIN_CHUNKS * CHUNK_DIRECT;
    }
  o->chunk_bytes = o->chunk_bytes ? o->chunk_bytes : chunk_for (o->ring_bytes);
  uint64_t unit = o->bursts ? o->burst_bytes : LINE_BYTES;
  uint64_t chunk = o->chunk_bytes / unit * unit;
  bool grows = o->ring_most_bytes > 0;
  uint64_t n = grows ? CAB_RING_MIN_CHUNKS : o->ring_bytes / chunk, most;
  n = n < CAB_RING_MIN_CHUNKS ? CAB_RING_MIN_CHUNKS
    : n > CAB_RING_MAX_CHUNKS ? CAB_RING_MAX_CHUNKS
    : n;
  o->rounded = chunk != o->chunk_bytes || (!grows && n * chunk != o->ring_bytes);
  o->chunk_bytes = chunk;
  o->ring_bytes = n * chunk;
  most = o->ring_most_bytes / chunk;
  most = most < n ? n : most > CAB_RING_MAX_CHUNKS ? CAB_RING_MAX_CHUNKS : most;
  o->ring_most_bytes = most * chunk;
}

/* Return 0 if what was asked for can be had together with reading only some events, and settle the
   length of bursts; else -1 with words in DIAG. */
static int
check_bursts (struct cab_rt_options *o, struct cab_diag *diag)
{
  uint64_t chunk = o->chunk_bytes ? o->chunk_bytes : chunk_for (o->ring_bytes);
  struct cab_text t = CAB_TEXT (diag->text);
  const char *wrong = !o->bursts && o->burst_bytes
		      ? "burst= goes with a share of the events: add sample=PERCENT, such as "
			"sample=5%"
		    : !o->bursts && o->overhead
		      ? "overhead= lowers a share of the events: add sample=PERCENT, such as "
			"sample=100%"
		    : !o->bursts ? NULL
		    : o->overhead && !o->rate
		      ? "sample=0% reads nothing that overhead= could lower: leave one out"
		    : o->placement == CAB_PLACE_INLINE
		      ? "sample=PERCENT needs an analysis thread, which reads while the program "
			"writes: leave out placement=inline"
		    : o->placement == CAB_PLACE_DIRECT
		      ? "placement=direct analyses all events: leave it out, or sample=PERCENT"
		    : o->placement == CAB_PLACE_AUTO
		      ? "sample=PERCENT needs an analysis thread, so there is nothing to choose: "
			"leave out placement=auto"
		    : o->trace[0] ? "a trace has all events: leave out sample=PERCENT, or trace="
		    : o->check_serializer
		      ? "sample=PERCENT: check-serializer needs all events: leave one out"
		    : NULL;
  if (wrong)
    {
      cab_text_add (&t, wrong);
      return -1;
    }
  o->burst_bytes = o->burst_bytes ? o->burst_bytes : BURST_USUAL_BYTES;
  if (!o->bursts || o->burst_bytes <= chunk)
    return 0;
  cab_text_add (&t, "burst=");
  cab_text_number (&t, o->burst_bytes, 10);
  cab_text_add (&t, ": a burst is longer than a chunk: write from 64 to ");
  cab_text_number (&t, chunk, 10);
  cab_text_add (&t, ", or enlarge chunk=");
  return -1;
}

/* Return 0 if what was asked for goes with placement=auto, or with its absence; else -1 with words
   in DIAG.  Set the cost of a line if none was given. */
static int
check_auto (struct cab_rt_options *o, struct cab_diag *diag)
{
  bool is_auto = o->placement == CAB_PLACE_AUTO;
  struct cab_text t = CAB_TEXT (diag->text);
  const char *wrong = !is_auto && o->line_ns
		      ? "line= is what placement=auto chooses by: add that, or leave out line="
		    : is_auto && o->n_delegates > 1
		      ? "delegates= and check-serializer need analysis threads: leave out "
			"placement=auto"
		    : NULL;
  if (is_auto && !o->line_ns)
    o->line_ns = CAB_LINE_USUAL_NS;
  if (wrong)
    cab_text_add (&t, wrong);
  return wrong ? -1 : 0;
}

int
cab_options_parse (struct cab_rt_options *o, const char *text, struct cab_diag *diag)
{
  memset (o, 0, sizeof *o);
  o->ring_bytes = CAB_RING_USUAL_BYTES;
  o->n_threads = o->n_delegates = 1;
  o->sample = 1;
  for (int i = 0; i < CAB_N_BOUNDS; i++)
    o->most[i] = bounds[i].most;
  strcpy (o->data, "cabprof.data");
  diag->text[0] = '\0';
  for (const char *s = text ? text : ""; *s; )
    {
      int key = find_key (s);
      size_t n = item_length (s, key >= 0
				   && (keys[key].set == set_data || keys[key].set == set_trace));
      if (n == 3 && memcmp (s, "off", 3) == 0)
	o->off = 1;
      else if (n == strlen (CHECK) && memcmp (s, CHECK, n) == 0)
	o->check_serializer = 1;
      else if (n > 0)
	{
	  if (key < 0)
	    return refuse (diag, "unknown option", s, n, KNOWN);
	  size_t key_length = strlen (keys[key].key);
	  if (keys[key].set (o, s + key_length, n - key_length, diag) < 0)
	    return -1;
	}
      s += n;
      s += *s == ':';
    }
  if (o->check_serializer && o->n_delegates == 1)
    o->n_delegates = CHECK_DELEGATES;
  if (check_bursts (o, diag) < 0 || check_auto (o, diag) < 0)
    return -1;
  fit_ring (o);
  return 0;
}

int
cab_options_expand (char *out, size_t bytes, const char *pattern, int pid, const char *exe)
{
  struct cab_text t = { out, 0, bytes, 0 };
  out[0] = '\0';
  for (; *pattern; pattern++)
    if (*pattern != '%')
      cab_text_add_bytes (&t, pattern, 1);
    else
      switch (*++pattern)
	{
	case 'p': cab_text_number (&t, pid, 10); break;
	case 'e': cab_text_add (&t, exe); break;
	case '%': cab_text_add (&t, "%"); break;
	default: return -1;
	}
  return t.cut ? -1 : 0;
}

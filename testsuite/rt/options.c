/* options.c - CABPROF_OPTIONS: its text is parsed right, and a process obeys it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge.h"
#include "probe.h"
#include "rt/common/options.h"

ROW (row, 14, 12, 1);

static int
program (void)
{
  for (int i = 0; i < 100; i++)
    probe_enqueue (probe_path (&row, 1));
  probe_count (&row, 2);
  return chdir ("/tmp");
}

static void
good (const char *text, uint64_t ring, uint64_t chunk, enum cab_placement placement,
      uint32_t threads, const char *data)
{
  struct cab_rt_options o;
  struct cab_diag diag;
  CHECK (cab_options_parse (&o, text, &diag) == 0, "%s: %s", text, diag.text);
  CHECK (o.ring_bytes == ring && o.chunk_bytes == chunk, "%s: %lu %lu", text, o.ring_bytes,
	 o.chunk_bytes);
  CHECK (o.placement == placement && o.n_threads == threads && strcmp (o.data, data) == 0, "%s: %s",
	 text, o.data);
}

/* A ring may grow to MOST bytes, and no size is rounded. */
static void
most (const char *text, uint64_t most)
{
  struct cab_rt_options o;
  struct cab_diag diag;
  CHECK (cab_options_parse (&o, text, &diag) == 0, "%s: %s", text, diag.text);
  CHECK (o.ring_most_bytes == most && !o.rounded, "%s: %lu", text, o.ring_most_bytes);
}

static void
bad (const char *text, const char *words)
{
  struct cab_rt_options o;
  struct cab_diag diag;
  CHECK (cab_options_parse (&o, text, &diag) < 0, "%s", text);
  CHECK (strstr (diag.text, words), "%s: %s", text, diag.text);
}

static void
check_text (void)
{
  good (NULL, 2 << 20, 256 << 10, CAB_PLACE_THREAD, 1, "cabprof.data");
  good ("", 2 << 20, 256 << 10, CAB_PLACE_THREAD, 1, "cabprof.data");
  good ("ring=1M:chunk=64k:placement=inline:threads=7:data=a", 1 << 20, 64 << 10, CAB_PLACE_INLINE,
	7, "a");
  good (":threads=64:", 2 << 20, 256 << 10, CAB_PLACE_THREAD, 64, "cabprof.data");
  good ("data=/a:b:c:threads=2", 2 << 20, 256 << 10, CAB_PLACE_THREAD, 2, "/a:b:c");
  good ("data=/a:b::threads=2", 2 << 20, 256 << 10, CAB_PLACE_THREAD, 2, "/a:b");
  good ("threads=2:data=/a:b:", 2 << 20, 256 << 10, CAB_PLACE_THREAD, 2, "/a:b:");
  good ("ring=1M", 1 << 20, 128 << 10, CAB_PLACE_THREAD, 1, "cabprof.data");
  good ("ring=64M", 64 << 20, 256 << 10, CAB_PLACE_THREAD, 1, "cabprof.data");
  good ("ring=1000", 15 * 64, 64, CAB_PLACE_THREAD, 1, "cabprof.data");
  good ("ring=64", 8 * 64, 64, CAB_PLACE_THREAD, 1, "cabprof.data");
  good ("ring=64:chunk=100", 8 * 64, 64, CAB_PLACE_THREAD, 1, "cabprof.data");
  good ("ring=4G:chunk=64", 256 * 64, 64, CAB_PLACE_THREAD, 1, "cabprof.data");
  good ("ring=auto", 2 << 20, 256 << 10, CAB_PLACE_THREAD, 1, "cabprof.data");
  good ("ring=auto:ring=1M", 1 << 20, 128 << 10, CAB_PLACE_THREAD, 1, "cabprof.data");
  most ("ring=2M", 2 << 20);
  most ("ring=auto", 16 << 20);
  most ("ring=auto:ring=1M", 1 << 20);
  most ("chunk=4K:ring=auto", 1 << 20);
  most ("ring=auto:chunk=4M", 32 << 20);
  struct cab_rt_options o;
  struct cab_diag diag;
  CHECK (cab_options_parse (&o, "off", &diag) == 0 && o.off, "off");
  bad ("rings=1", "unknown option 'rings=1'");
  bad ("ring=", "bad size ''");
  bad ("ring=automatic", "from 64 to 4G, such as 131072, 128K or 2M; ring= also takes auto");
  bad ("ring=1T", "bad size '1T'");
  bad ("ring=99999999999999999999999", "bad size");
  bad ("chunk=63", "bad size '63'");
  bad ("placement=process", "known are thread, inline");
  bad ("affinity=", "bad affinity ''");
  bad ("affinity=close", "write near, far, none, or numbers of processors");
  bad ("affinity=1-", "bad affinity '1-'");
  bad ("affinity=4096", "below 4096");
  CHECK (cab_options_parse (&o, "affinity=near", &diag) == 0 && o.affinity == CAB_AFFINITY_NEAR
	   && cab_options_parse (&o, "affinity=0,2-3:threads=2", &diag) == 0
	   && o.affinity == CAB_AFFINITY_LIST && o.affinity_list.word[0] == 13 && o.n_threads == 2
	   && cab_options_parse (&o, "", &diag) == 0 && o.affinity == CAB_AFFINITY_NONE,
	 "affinity");
  bad ("threads=0", "bad number of threads");
  bad ("threads=65", "bad number of threads");
  bad ("threads=1K", "bad number of threads");
  CHECK (cab_options_parse (&o, "delegates=64", &diag) == 0 && o.n_delegates == 64, "delegates");
  CHECK (cab_options_parse (&o, "", &diag) == 0 && o.n_delegates == 1, "no delegates");
  CHECK (cab_options_parse (&o, "check-serializer:delegates=5", &diag) == 0
	   && o.check_serializer && o.n_delegates == 5, "check-serializer");
  CHECK (cab_options_parse (&o, "check-serializer", &diag) == 0 && o.n_delegates == 3,
	 "check-serializer");
  bad ("check-serializer=1", "unknown option");
  bad ("delegates=0", "bad number of delegates");
  bad ("delegates=65", "bad number of delegates");
  bad ("data=", "bad directory");
  bad ("analyses=", "bad list of analyses");
}

static void
check_share (void)
{
  struct cab_rt_options o;
  struct cab_diag diag;
  bad ("sample=200%", "from 0.0001% to 100%");
  bad ("sample=100.0001%", "from 0.0001% to 100%");
  bad ("sample=0.0%", "or 0%, for none");
  bad ("sample=5.%", "bad rate '5.%'");
  bad ("sample=%", "bad rate '%'");
  bad ("sample=5%:burst=32", "whole cache lines of 64");
  bad ("sample=5%:burst=512K", "from 64 to 262144");
  bad ("burst=64", "add sample=PERCENT");
  bad ("sample=5%:placement=inline", "needs an analysis thread");
  bad ("sample=5%:trace=t", "a trace has all events");
  bad ("sample=5%:check-serializer", "check-serializer needs all events");
  bad ("overhead=5%", "add sample=PERCENT");
  bad ("sample=0%:overhead=5%", "reads nothing that overhead= could lower");
  bad ("sample=5%:overhead=5", "bad overhead '5'");
  bad ("sample=5%:overhead=0%", "from 0.0001% to 100%");
  bad ("sample=5%:overhead=101%", "bad overhead '101%'");
  good ("sample=5%:burst=192:ring=64K:chunk=1000", 68 * 960, 960, CAB_PLACE_THREAD, 1,
	"cabprof.data");
  CHECK (cab_options_parse (&o, "sample=5%", &diag) == 0 && o.bursts && o.rate == 50000
	   && o.burst_bytes == 64 && o.sample == 1
	   && cab_options_parse (&o, "sample=0.0123%:burst=1K", &diag) == 0 && o.rate == 123
	   && o.burst_bytes == 1024 && cab_options_parse (&o, "sample=100%", &diag) == 0
	   && o.rate == 1000000 && cab_options_parse (&o, "sample=0%", &diag) == 0 && o.bursts
	   && o.rate == 0 && cab_options_parse (&o, "sample=5", &diag) == 0 && !o.bursts
	   && o.sample == 5 && o.overhead == 0
	   && cab_options_parse (&o, "overhead=2.5%:sample=100%", &diag) == 0
	   && o.overhead == 25000,
	 "a share of the events");
}

static void
check_expansion (void)
{
  char out[32];
  CHECK (cab_options_expand (out, sizeof out, "a%p-%e%%", 12, "prog") == 0
	   && strcmp (out, "a12-prog%") == 0,
	 "%s", out);
  CHECK (cab_options_expand (out, sizeof out, "%x", 12, "prog") < 0, "%%x");
  CHECK (cab_options_expand (out, sizeof out, "%", 12, "prog") < 0, "%%");
  CHECK (cab_options_expand (out, sizeof out, "%e%e%e%e%e%e%e%e", 12, "prog") < 0, "too long");
}

/* The program's own status is 0 whatever the options are; its profile exists or not; standard error
   has WORDS. */
static void
check_run (const char *base, const char *options, bool profiled, const char *words)
{
  static int run;
  char dir[512], log[600], parts[2][512], text[2000] = "";
  snprintf (dir, sizeof dir, "%s/data%d", base, run++);
  CHECK (judge_run (dir, options, "options", 0) == 0, "%s", options);
  snprintf (log, sizeof log, "%s-err", dir);
  FILE *file = fopen (log, "r");
  text[file ? fread (text, 1, sizeof text - 1, file) : 0] = '\0';
  CHECK (judge_parts (dir, parts, 2) == profiled, "%s: %s", options, text);
  CHECK (words ? strncmp (text, "cabprof: ", 9) == 0 && strstr (text, words) != NULL : !*text,
	 "%s: %s", options, text);
  char *line_end = strchr (text, '\n');
  CHECK (!words || (line_end && !line_end[1]), "%s: more than a line: %s", options, text);
}

int
main (void)
{
  if (getenv ("CAB_TEST_RUN"))
    return program ();
  check_text ();
  check_share ();
  check_expansion ();
  const char *base = judge_directory ();
  check_run (base, "", true, NULL);
  check_run (base, "analyses=tree+paths+calls+methods", true, NULL);
  check_run (base, "off=1", false, "unknown option 'off=1'");
  check_run (base, "rin=3", false, "running unprofiled");
  check_run (base, "placement=here", false, "known are thread, inline, direct, auto;");
  check_run (base, "analyses=tree+trees", false,
	     "analysis 'trees' is not known: known are accesses, blocks, cache");
  check_run (base, "analyses=tree,depth=3", false,
	     "analysis 'tree': it takes no arguments: leave them out; running unprofiled");
  check_run (base, "ring=1000:chunk=100", true, "rounded to 960 and 64");
  return 0;
}

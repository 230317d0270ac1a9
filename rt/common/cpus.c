/* cpus.c - see cpus.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/common/cpus.h"

#include <sched.h>
#include <string.h>
#include "rt/common/sys.h"
#include "rt/common/text.h"

#define WORDS (CAB_CPUS_MOST / 64)
#define CACHES 16u   /* entries of a processor's directory that are read */
#define LEVELS 8u

static bool
has (const struct cab_cpus *set, uint32_t cpu)
{
  return cpu < CAB_CPUS_MOST && set->word[cpu / 64] >> cpu % 64 & 1;
}

/* Read a number of N characters at *S, and advance *S past it.  Return -1 if there is none that a
   processor may have. */
static int
number (const char **s, const char *end)
{
  int value = -1;
  for (; *s < end && **s >= '0' && **s <= '9'; ++*s)
    {
      value = (value < 0 ? 0 : value) * 10 + (**s - '0');
      if (value >= (int) CAB_CPUS_MOST)
	return -1;
    }
  return value;
}

int
cab_cpus_parse (struct cab_cpus *set, const char *text, size_t n)
{
  const char *s = text, *end = text + n;
  memset (set, 0, sizeof *set);
  if (n > 0 && end[-1] == '\n')
    end--;
  for (;;)
    {
      int first = number (&s, end), last = first;
      if (first >= 0 && s < end && *s == '-')
	{
	  s++;
	  last = number (&s, end);
	}
      if (first < 0 || last < first)
	return -1;
      for (int i = first; i <= last; i++)
	set->word[i / 64] |= UINT64_C (1) << i % 64;
      if (s == end)
	return 0;
      if (*s++ != ',')
	return -1;
    }
}

void
cab_cpus_text (const struct cab_cpus *set, char *text, size_t bytes)
{
  struct cab_text t = { text, 0, bytes, 0 };
  text[0] = '\0';
  for (uint32_t i = 0; i < CAB_CPUS_MOST; i++)
    if (has (set, i))
      {
	uint32_t first = i;
	while (has (set, i + 1))
	  i++;
	cab_text_add (&t, t.n ? "," : "");
	cab_text_number (&t, first, 10);
	if (i > first)
	  {
	    cab_text_add (&t, "-");
	    cab_text_number (&t, i, 10);
	  }
      }
}

uint32_t
cab_cpus_count (const struct cab_cpus *set)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < CAB_CPUS_MOST; i++)
    n += has (set, i);
  return n;
}

bool
cab_cpus_within (const struct cab_cpus *part, const struct cab_cpus *set)
{
  for (size_t i = 0; i < WORDS; i++)
    if (part->word[i] & ~set->word[i])
      return false;
  return true;
}

int
cab_cpus_allowed (struct cab_cpus *allowed)
{
  memset (allowed, 0, sizeof *allowed);
  return sched_getaffinity (0, sizeof *allowed, (cpu_set_t *) allowed) == 0 ? 0 : -1;
}

/* Read the file ROOT/cpuCPU PART I NAME into TEXT, without I if that is negative.  Return its
   length, or a negative number. */
static ssize_t
read_of (const char *root, uint32_t cpu, const char *part, int i, const char *name, char *text,
	 size_t bytes)
{
  char path[512];
  struct cab_text t = CAB_TEXT (path);
  cab_text_add (&t, root);
  cab_text_add (&t, "/cpu");
  cab_text_number (&t, cpu, 10);
  cab_text_add (&t, part);
  if (i >= 0)
    cab_text_number (&t, i, 10);
  cab_text_add (&t, name);
  return t.cut ? -1 : cab_sys_read_file (path, text, bytes);
}

/* The list of a set may be long where processors alternate. */
#define LIST_BYTES 8192u

/* Set CORE to the hardware threads of CPU's core. */
static void
core_of (const char *root, uint32_t cpu, struct cab_cpus *core)
{
  static const char *const names[] = { "core_cpus_list", "thread_siblings_list" };
  char list[LIST_BYTES];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      ssize_t n = read_of (root, cpu, "/topology/", -1, names[i], list, sizeof list);
      if (n > 0 && cab_cpus_parse (core, list, n) == 0 && has (core, cpu))
	return;
    }
  memset (core, 0, sizeof *core);
  core->word[cpu / 64] = UINT64_C (1) << cpu % 64;
}

/* Set SHARED[L] to those that share CPU's cache of data of level L with it.  Return how many levels
   the kernel describes. */
static uint32_t
caches_of (const char *root, uint32_t cpu, struct cab_cpus shared[LEVELS])
{
  char text[LIST_BYTES];
  uint32_t n_levels = 0;
  memset (shared, 0, LEVELS * sizeof *shared);
  for (uint32_t i = 0; i < CACHES; i++)
    {
      ssize_t n = read_of (root, cpu, "/cache/index", i, "/type", text, sizeof text);
      if (n <= 0 || *text == 'I')
	continue;
      n = read_of (root, cpu, "/cache/index", i, "/level", text, sizeof text);
      uint32_t level = n > 0 ? *text - '0' : 0;
      n = read_of (root, cpu, "/cache/index", i, "/shared_cpu_list", text, sizeof text);
      if (level < LEVELS && n > 0 && cab_cpus_parse (&shared[level], text, n) == 0)
	n_levels++;
    }
  return n_levels;
}

/* Set OUT to what is in SET and, as IN says, in OTHER or not.  Return true if that is anything. */
static bool
filter (struct cab_cpus *out, const struct cab_cpus *set, const struct cab_cpus *other, bool in)
{
  uint64_t any = 0;
  for (size_t i = 0; i < WORDS; i++)
    any |= out->word[i] = set->word[i] & (in ? other->word[i] : ~other->word[i]);
  return any;
}

/* Choose the near ones.  OTHERS: those that are allowed, without CPU's core.  TWINS: those of the
   core, without CPU. */
static enum cab_cpus_found
choose_near (const struct cab_cpus shared[LEVELS], const struct cab_cpus *others,
	     const struct cab_cpus *twins, struct cab_cpus *chosen)
{
  bool has_twins = cab_cpus_count (twins) > 0;
  for (uint32_t level = 0; level < LEVELS; level++)
    if (filter (chosen, others, &shared[level], true))
      return has_twins || !cab_cpus_within (others, chosen) ? CAB_CPUS_CHOSEN : CAB_CPUS_ALIKE;
  *chosen = *twins;
  return has_twins && cab_cpus_count (others) ? CAB_CPUS_CHOSEN : CAB_CPUS_ALIKE;
}

/* Choose the far ones of OTHERS. */
static enum cab_cpus_found
choose_far (const struct cab_cpus shared[LEVELS], const struct cab_cpus *others,
	    const struct cab_cpus *twins, struct cab_cpus *chosen)
{
  *chosen = *others;
  for (uint32_t level = 0; level < LEVELS; level++)
    filter (chosen, chosen, &shared[level], false);
  bool is_all = cab_cpus_within (others, chosen) && !cab_cpus_count (twins);
  return cab_cpus_count (chosen) && !is_all ? CAB_CPUS_CHOSEN : CAB_CPUS_ALIKE;
}

enum cab_cpus_found
cab_cpus_choose (enum cab_cpus_how how, const char *root, uint32_t cpu,
		 const struct cab_cpus *allowed, struct cab_cpus *chosen)
{
  struct cab_cpus shared[LEVELS], core, others, twins, self;
  if (cab_cpus_count (allowed) < 2)
    return CAB_CPUS_ONE;
  if (cpu >= CAB_CPUS_MOST || !caches_of (root, cpu, shared))
    return CAB_CPUS_UNTOLD;
  memset (&self, 0, sizeof self);
  self.word[cpu / 64] = UINT64_C (1) << cpu % 64;
  core_of (root, cpu, &core);
  filter (&others, allowed, &core, false);
  filter (&twins, allowed, &core, true);
  filter (&twins, &twins, &self, false);
  return how == CAB_AFFINITY_NEAR ? choose_near (shared, &others, &twins, chosen)
				  : choose_far (shared, &others, &twins, chosen);
}

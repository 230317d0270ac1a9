/* test_cpus.c - sets of processors as lists, and the choice by caches, over described machines.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each machine is a directory in the kernel's form, with fewer files.
 */
#include "rt/common/cpus.h"

#include <CUnit/Basic.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "/tmp/cab-cpus-XXXXXX";

static int
remove_one (const char *path, const struct stat *s, int type, struct FTW *ftw)
{
  (void) s, (void) type;
  return ftw->level ? remove (path) : 0;
}

static void
clear (void)
{
  nftw (root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void
write_file (const char *directory, const char *name, const char *text)
{
  char path[600];
  snprintf (path, sizeof path, "%s/%s", directory, name);
  FILE *f = fopen (path, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL (f);
  fprintf (f, "%s\n", text);
  fclose (f);
}

/* Describe processor CPU: the threads of its core, null if not told, and SHARED[L], who shares its
   cache of level L + 1, null for none. */
static void
describe (int cpu, const char *core, const char *const shared[3])
{
  char directory[512];
  snprintf (directory, sizeof directory, "%s/cpu%d", root, cpu);
  mkdir (directory, 0700);
  snprintf (directory, sizeof directory, "%s/cpu%d/topology", root, cpu);
  mkdir (directory, 0700);
  if (core)
    write_file (directory, "thread_siblings_list", core);
  snprintf (directory, sizeof directory, "%s/cpu%d/cache", root, cpu);
  mkdir (directory, 0700);
  for (int i = 0; i < 4; i++)
    {
      int level = i < 2 ? 0 : i - 1;   /* the first level has two caches */
      char number[2] = { '1' + level, 0 };
      if (!shared[level])
	continue;
      snprintf (directory, sizeof directory, "%s/cpu%d/cache/index%d", root, cpu, i);
      mkdir (directory, 0700);
      write_file (directory, "level", number);
      write_file (directory, "type", i == 1 ? "Instruction" : i ? "Unified" : "Data");
      write_file (directory, "shared_cpu_list", i == 1 ? "0-4095" : shared[level]);
    }
}

static struct cab_cpus
set_of (const char *list)
{
  struct cab_cpus set;
  CU_ASSERT_EQUAL_FATAL (cab_cpus_parse (&set, list, strlen (list)), 0);
  return set;
}

/* Check the choice for a producer on CPU among ALLOWED: WANTED, a list, or null with FOUND. */
static void
chooses (enum cab_cpus_how how, int cpu, const char *allowed, const char *wanted,
	 enum cab_cpus_found found)
{
  struct cab_cpus set = set_of (allowed), chosen;
  char list[256];
  CU_ASSERT_EQUAL (cab_cpus_choose (how, root, cpu, &set, &chosen), found);
  if (!wanted)
    return;
  cab_cpus_text (&chosen, list, sizeof list);
  CU_ASSERT_STRING_EQUAL (list, wanted);
}

static void
near (int cpu, const char *allowed, const char *wanted)
{
  chooses (CAB_AFFINITY_NEAR, cpu, allowed, wanted, CAB_CPUS_CHOSEN);
}

static void
far (int cpu, const char *allowed, const char *wanted)
{
  chooses (CAB_AFFINITY_FAR, cpu, allowed, wanted, CAB_CPUS_CHOSEN);
}

static void
neither (int cpu, const char *allowed, enum cab_cpus_found why)
{
  chooses (CAB_AFFINITY_NEAR, cpu, allowed, NULL, why);
  chooses (CAB_AFFINITY_FAR, cpu, allowed, NULL, why);
}

static void
test_lists (void)
{
  static const char *const same[] = { "0", "0-1", "3,5-7", "63-64", "0,4095" };
  static const char *const bad[] = { "", ",", "1,", ",1", "1-", "-1", "2-1", "4096", "1x",
				     "1 2", "0-4096", "99999999999999999999", "1,,2" };
  char list[64];
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    {
      struct cab_cpus set = set_of (same[i]);
      cab_cpus_text (&set, list, sizeof list);
      CU_ASSERT_STRING_EQUAL (list, same[i]);
    }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CU_ASSERT_EQUAL (cab_cpus_parse (&(struct cab_cpus) { { 0 } }, bad[i], strlen (bad[i])), -1);
  struct cab_cpus all = set_of ("0-3,64\n"), part = set_of ("2,64"), other = set_of ("2,65");
  CU_ASSERT_EQUAL (cab_cpus_count (&all), 5);
  CU_ASSERT_TRUE (cab_cpus_within (&part, &all));
  CU_ASSERT_FALSE (cab_cpus_within (&other, &all));
}

/* Two sockets of two cores with two threads each: cores 0,4 1,5 and 2,6 3,7. */
static void
test_sockets (void)
{
  static const char *const cores[] = { "0,4", "1,5", "2,6", "3,7" };
  clear ();
  for (int cpu = 0; cpu < 8; cpu++)
    describe (cpu, cores[cpu % 4],
	      (const char *[]) { cores[cpu % 4], cores[cpu % 4],
				 cpu % 4 < 2 ? "0-1,4-5" : "2-3,6-7" });
  near (0, "0-7", "1,5");
  near (6, "0-7", "3,7");
  far (0, "0-7", "2-3,6-7");
  far (3, "0-7", "0-1,4-5");
  near (0, "0,2-4,6", "4");     /* no other core of the socket is allowed: its sibling */
  neither (0, "0,2-3", CAB_CPUS_ALIKE);   /* neither: all others are in the other socket */
  far (0, "0-3", "2-3");
}

/* One cache for all, without and with hardware threads. */
static void
test_one_domain (void)
{
  clear ();
  for (int cpu = 0; cpu < 4; cpu++)
    {
      char own[2] = { '0' + cpu, 0 };
      describe (cpu, own, (const char *[]) { own, own, "0-3" });
    }
  neither (0, "0-3", CAB_CPUS_ALIKE);
  neither (1, "0-1", CAB_CPUS_ALIKE);
  neither (1, "1", CAB_CPUS_ONE);
  clear ();
  for (int cpu = 0; cpu < 4; cpu++)
    describe (cpu, cpu % 2 ? "1,3" : "0,2",
	      (const char *[]) { cpu % 2 ? "1,3" : "0,2", NULL, "0-3" });
  near (0, "0-3", "1,3");
  chooses (CAB_AFFINITY_FAR, 0, "0-3", NULL, CAB_CPUS_ALIKE);
  neither (0, "0,2", CAB_CPUS_ALIKE);
}

/* Clusters of two cores that share a second level, under one third level. */
static void
test_clusters (void)
{
  clear ();
  for (int cpu = 0; cpu < 4; cpu++)
    {
      char own[2] = { '0' + cpu, 0 };
      describe (cpu, NULL, (const char *[]) { own, cpu < 2 ? "0-1" : "2-3", "0-3" });
    }
  near (0, "0-3", "1");
  near (3, "0-3", "2");
  chooses (CAB_AFFINITY_FAR, 0, "0-3", NULL, CAB_CPUS_ALIKE);
}

static void
test_untold (void)
{
  clear ();
  neither (0, "0-3", CAB_CPUS_UNTOLD);
  describe (0, "0", (const char *[]) { "rubbish", NULL, NULL });
  neither (0, "0-3", CAB_CPUS_UNTOLD);
  neither (5000, "0-3", CAB_CPUS_UNTOLD);
}

int
main (void)
{
  if (!mkdtemp (root))
    return 1;
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("cpus", NULL, NULL);
  CU_add_test (suite, "lists", test_lists);
  CU_add_test (suite, "sockets", test_sockets);
  CU_add_test (suite, "one domain", test_one_domain);
  CU_add_test (suite, "clusters", test_clusters);
  CU_add_test (suite, "untold", test_untold);
  CU_basic_run_tests ();
  unsigned failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  clear ();
  remove (root);
  return failed != 0;
}

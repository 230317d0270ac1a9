/* test_options.c - the plugin's options: keys, values, globs, errors; and the escapes in records.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/emit/escape.h"
#include "plugin/emit/options.h"

#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>

static struct cab_options options;
static char error[CAB_OPTIONS_ERROR_BYTES];

static int
set (const char *key, const char *value)
{
  error[0] = 0;
  return cab_options_set (&options, key, value, error);
}

static void
fresh (void)
{
  cab_options_fini (&options);
  cab_options_init (&options);
}

static void
test_defaults (void)
{
  char text[200];
  fresh ();
  CU_ASSERT_EQUAL (options.events, CAB_EVENTS_PATHS);
  CU_ASSERT_EQUAL (options.paths, CAB_PATHS_COUNT);
  CU_ASSERT_EQUAL (options.ring, CAB_RING_MODE_CHUNK);
  CU_ASSERT_FALSE (options.cut_at_calls || options.verbose);
  cab_options_text (&options, text, sizeof text);
  CU_ASSERT_STRING_EQUAL (text, "events=paths paths=count ring=chunk");
}

static void
test_events (void)
{
  static const struct { const char *value; unsigned events;
  } good[] = { { "none", 0 },	     { "paths", 1 },	   { "calls", 2 },
	       { "paths+calls", 3 }, { "calls,paths", 3 }, { "paths+paths", 1 } };
  static const char *const bad[] = { "",       "+",	     "paths+",	    "+paths", "path",
				     "pathsx", "none+paths", "paths calls", "PATHS",  NULL };
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    {
      CU_ASSERT_EQUAL (set ("events", good[i].value), 0);
      CU_ASSERT_EQUAL (options.events, good[i].events);
    }
  CU_ASSERT_EQUAL (set ("events", "calls"), 0);
  for (const char *const *value = bad; *value; value++)
    {
      CU_ASSERT_EQUAL (set ("events", *value), -1);
      CU_ASSERT_EQUAL (options.events, CAB_EVENTS_CALLS);
      CU_ASSERT_PTR_NOT_NULL (strstr (error, "none, paths, calls"));
    }
}

/* Hints and outcome bring no probes, unless they were asked for. */
static void
test_feedback (void)
{
  fresh ();
  cab_options_settle (&options, NULL);
  CU_ASSERT_EQUAL (options.events, CAB_EVENTS_PATHS);
  CU_ASSERT_FALSE (options.feedback || options.outcome);
  CU_ASSERT_EQUAL (set ("feedback", NULL), 0);
  cab_options_settle (&options, "");
  CU_ASSERT_EQUAL (options.events, 0);
  CU_ASSERT (options.feedback && options.outcome);
  CU_ASSERT_PTR_NULL (options.feedback_file);
  fresh ();
  CU_ASSERT_EQUAL (set ("feedback", ""), -1);
  CU_ASSERT_EQUAL (set ("feedback", "a.hints"), 0);
  CU_ASSERT_EQUAL (set ("events", "paths+calls"), 0);
  cab_options_settle (&options, "b.hints");
  CU_ASSERT_EQUAL (options.events, CAB_EVENTS_PATHS | CAB_EVENTS_CALLS);
  CU_ASSERT_STRING_EQUAL (options.feedback_file, "b.hints");
  fresh ();
  CU_ASSERT_EQUAL (set ("outcome", "x"), -1);
  CU_ASSERT_EQUAL (set ("outcome", NULL), 0);
  cab_options_settle (&options, NULL);
  CU_ASSERT_EQUAL (options.events, 0);
  CU_ASSERT_FALSE (options.feedback);
  fresh ();
  cab_options_settle (&options, "c.hints");
  CU_ASSERT (options.feedback && !options.events);
  fresh ();
  CU_ASSERT_EQUAL (set ("trials", NULL), -1);
  CU_ASSERT_EQUAL (set ("trials", ""), -1);
  CU_ASSERT_EQUAL (set ("trials", "a.json"), 0);
  cab_options_settle (&options, NULL);
  CU_ASSERT (options.outcome && !options.events && !options.feedback);
  CU_ASSERT_STRING_EQUAL (options.trials_file, "a.json");
  CU_ASSERT_EQUAL (set ("events", "paths"), 0);
  CU_ASSERT_EQUAL (cab_options_check (&options, (char[CAB_OPTIONS_ERROR_BYTES]) { 0 }), -1);
  CU_ASSERT (strlen (cab_options_help ()) < 4095);
}

static void
test_modes (void)
{
  char text[200];
  fresh ();
  CU_ASSERT_EQUAL (set ("paths", "trace"), 0);
  CU_ASSERT_EQUAL (set ("ring", "cab"), 0);
  CU_ASSERT_EQUAL (set ("cut-at-calls", NULL), 0);
  CU_ASSERT_EQUAL (set ("verbose", NULL), 0);
  CU_ASSERT (options.paths == CAB_PATHS_TRACE && options.ring == CAB_RING_MODE_CAB
	     && options.cut_at_calls && options.verbose);
  cab_options_text (&options, text, sizeof text);
  CU_ASSERT_STRING_EQUAL (text, "events=paths paths=trace ring=cab cut-at-calls");
  CU_ASSERT_EQUAL (set ("paths", "off"), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "count, trace"));
  CU_ASSERT_EQUAL (set ("ring", "x"), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "give chunk, cab, pipa, fastforward"));
  CU_ASSERT (options.paths == CAB_PATHS_TRACE && options.ring == CAB_RING_MODE_CAB);
  static const char *const rings[] = { "cab", "pipa", "fastforward" };
  for (int i = 0; i < 3; i++)
    {
      char ring[64];
      CU_ASSERT_EQUAL (set ("ring", rings[i]), 0);
      cab_options_text (&options, text, sizeof text);
      snprintf (ring, sizeof ring, " ring=%s ", rings[i]);
      CU_ASSERT_PTR_NOT_NULL (strstr (text, ring));
      CU_ASSERT (cab_ring_mode_is_cab (options.ring) == (i != 1));
    }
  CU_ASSERT_EQUAL (set ("paths", "count"), 0);
  CU_ASSERT_EQUAL (set ("ring", "chunk"), 0);
  CU_ASSERT (options.paths == CAB_PATHS_COUNT && options.ring == CAB_RING_MODE_CHUNK);
}

static void
test_memory (void)
{
  char text[200];
  fresh ();
  CU_ASSERT_EQUAL (set ("events", "values"), 0);
  CU_ASSERT_EQUAL (cab_options_check (&options, error), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "events=values: values are those of accesses"));
  CU_ASSERT_EQUAL (set ("cut-at-calls", NULL), 0);
  CU_ASSERT_EQUAL (cab_options_check (&options, error), -1);
  CU_ASSERT_EQUAL (set ("events", "paths,values"), 0);
  CU_ASSERT_EQUAL (cab_options_check (&options, error), 0);
  CU_ASSERT_EQUAL (set ("paths", "trace"), 0);
  CU_ASSERT_EQUAL (cab_options_check (&options, error), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "add memory, or paths and cut-at-calls"));
  fresh ();
  CU_ASSERT_EQUAL (set ("events", "memory,values"), 0);
  for (int i = 0; i < 2; i++)
    {
      CU_ASSERT_EQUAL (set ("memory-encoding", i ? "loop" : "chain"), 0);
      cab_options_settle (&options, NULL);
      CU_ASSERT_EQUAL (cab_options_check (&options, error), -1);
      CU_ASSERT_PTR_NOT_NULL (
	strstr (error, "memory-encoding=: values have an encoding of their own"));
    }
  CU_ASSERT_EQUAL (set ("memory-encoding", "path"), 0);
  cab_options_settle (&options, NULL);
  CU_ASSERT_EQUAL (cab_options_check (&options, error), 0);
  cab_options_text (&options, text, sizeof text);
  CU_ASSERT_STRING_EQUAL (text,
			  "events=memory+values paths=count ring=chunk memory-encoding=block");
  CU_ASSERT_EQUAL (set ("events", "calls+values:all"), 0);
  CU_ASSERT_EQUAL (cab_options_check (&options, error), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "events=values:all: too much for a whole program: "
				  "add -fplugin-arg-cabprof-functions=NAME[,NAME...]"));
  CU_ASSERT_EQUAL (set ("functions", "f"), 0);
  CU_ASSERT_EQUAL (cab_options_check (&options, error), 0);
  cab_options_text (&options, text, sizeof text);
  CU_ASSERT_STRING_EQUAL (
    text, "events=calls+memory+values:all paths=count ring=chunk memory-encoding=block");
  CU_ASSERT_EQUAL (set ("memory-encoding", "loop"), 0);
  CU_ASSERT_EQUAL (set ("events", "memory+calls"), 0);
  CU_ASSERT (!options.values_all);
  CU_ASSERT_EQUAL (options.events, CAB_EVENTS_MEMORY | CAB_EVENTS_CALLS);
  CU_ASSERT_EQUAL (options.memory_encoding, CAB_MEMORY_LOOP);
  CU_ASSERT_PTR_NULL (options.allocators_file);
  CU_ASSERT_EQUAL (set ("allocators", "a"), 0);
  CU_ASSERT_EQUAL (set ("allocators", "b"), 0);
  CU_ASSERT_EQUAL (set ("allocators", ""), -1);
  CU_ASSERT_STRING_EQUAL (options.allocators_file, "b");
  CU_ASSERT_EQUAL (set ("memory-encoding", "access"), 0);
  CU_ASSERT_EQUAL (set ("memory-encoding", "tight"), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "path, loop, chain, block, access"));
  CU_ASSERT_EQUAL (options.memory_encoding, CAB_MEMORY_ACCESS);
  cab_options_text (&options, text, sizeof text);
  CU_ASSERT_STRING_EQUAL (
    text, "events=calls+memory paths=count ring=chunk memory-encoding=access allocators=#00000000");
  CU_ASSERT_EQUAL (set ("memory-sample", "1"), -1);
  CU_ASSERT_EQUAL (set ("memory-proof", NULL), 0);
  cab_options_text (&options, text, sizeof text);
  CU_ASSERT_STRING_EQUAL (text, "events=calls+memory paths=count ring=chunk memory-encoding=access "
				"memory-proof allocators=#00000000");
  CU_ASSERT_EQUAL (cab_options_check (&options, error), 0);
  CU_ASSERT_EQUAL (set ("ring", "cab"), 0);
  CU_ASSERT_EQUAL (cab_options_check (&options, error), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "events=memory"));
  CU_ASSERT_EQUAL (set ("ring", "pipa"), 0);
  CU_ASSERT_EQUAL (cab_options_check (&options, error), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "ring=pipa: such a ring cannot carry addresses"));
}

static void
test_access_filters (void)
{
  char text[200];
  fresh ();
  CU_ASSERT_EQUAL (set ("accesses", "read"), 0);
  CU_ASSERT_EQUAL (set ("accesses", "reads"), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "read, write, all"));
  CU_ASSERT_EQUAL (options.accesses, CAB_MEMORY_READS);
  CU_ASSERT_EQUAL (cab_options_check (&options, error), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "accesses=: chooses among accesses"));
  CU_ASSERT_EQUAL (set ("events", "memory"), 0);
  CU_ASSERT_EQUAL (set ("heap-only", NULL), 0);
  CU_ASSERT_EQUAL (set ("variables", "a,node.*"), 0);
  CU_ASSERT_EQUAL (set ("types", "node"), 0);
  CU_ASSERT_EQUAL (cab_options_check (&options, error), 0);
  CU_ASSERT (options.variables.n == 2 && options.types.n == 1);
  cab_options_text (&options, text, sizeof text);
  CU_ASSERT_PTR_NOT_NULL (strstr (text, " accesses=read heap-only"));
  CU_ASSERT_EQUAL (set ("locals", NULL), 0);
  CU_ASSERT_EQUAL (cab_options_check (&options, error), 0);
  cab_options_text (&options, text, sizeof text);
  CU_ASSERT_PTR_NOT_NULL (strstr (text, " heap-only locals"));
  CU_ASSERT_EQUAL (set ("events", "none"), 0);
  CU_ASSERT_EQUAL (cab_options_check (&options, error), 0);
  fresh ();
  CU_ASSERT_EQUAL (set ("locals", NULL), 0);
  CU_ASSERT_EQUAL (cab_options_check (&options, error), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "locals: names the variables that are accessed"));
}

static void
test_values_missing_or_too_many (void)
{
  static const char *const with[] = {
    "events",  "paths", "loops",    "ring",	 "memory-encoding", "allocators", "functions",
    "exclude", "files", "accesses", "variables", "types",	    NULL
  };
  fresh ();
  for (const char *const *key = with; *key; key++)
    {
      CU_ASSERT_EQUAL (set (*key, NULL), -1);
      CU_ASSERT_PTR_NOT_NULL (strstr (error, "needs a value"));
    }
  CU_ASSERT_EQUAL (set ("verbose", "1"), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "takes no value"));
  CU_ASSERT_EQUAL (set ("cut-at-calls", ""), -1);
  CU_ASSERT_FALSE (options.cut_at_calls || options.verbose);
}

static void
test_unknown_key_lists_the_known (void)
{
  static const char *const known[] = {
    "events=", "paths=", "loops=", "ring=", "memory-encoding=", "functions=", "exclude=", "files=",
    "cut-at-calls", "verbose", "accesses=", "variables=", "types=", "heap-only", "locals", NULL
  };
  char longest[2000];
  CU_ASSERT_EQUAL (set ("event", "paths"), -1);
  CU_ASSERT_PTR_NOT_NULL (strstr (error, "cabprof: -fplugin-arg-cabprof-event: unknown option"));
  for (const char *const *key = known; *key; key++)
    {
      CU_ASSERT_PTR_NOT_NULL (strstr (error, *key));
      CU_ASSERT_PTR_NOT_NULL (strstr (cab_options_help (), *key));
    }
  memset (longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = 0;
  CU_ASSERT_EQUAL (set (longest, longest), -1);
  CU_ASSERT_EQUAL (set ("paths", longest), -1);
  CU_ASSERT (strlen (error) < sizeof error);
}

static void
test_globs (void)
{
  fresh ();
  CU_ASSERT_FALSE (cab_globs_match (&options.functions, "main"));
  CU_ASSERT_EQUAL (set ("functions", "main,hash_*"), 0);
  CU_ASSERT_EQUAL (set ("functions", "[xy]?"), 0);
  CU_ASSERT_EQUAL (options.functions.n, 3);
  CU_ASSERT (cab_globs_match (&options.functions, "main")
	     && cab_globs_match (&options.functions, "hash_")
	     && cab_globs_match (&options.functions, "hash_put")
	     && cab_globs_match (&options.functions, "x1"));
  CU_ASSERT_FALSE (cab_globs_match (&options.functions, "main2")
		   || cab_globs_match (&options.functions, "rehash_put"));
  CU_ASSERT_EQUAL (set ("exclude", ","), -1);
  CU_ASSERT_EQUAL (set ("exclude", "a,"), -1);
  CU_ASSERT_EQUAL (set ("exclude", "a,,b"), -1);
  CU_ASSERT_EQUAL (set ("exclude", ""), -1);
  CU_ASSERT_EQUAL (options.exclude.n, 0);
}

static void
test_file_globs (void)
{
  fresh ();
  CU_ASSERT_EQUAL (set ("files", "lib/*.c,main.c,/abs/x.c"), 0);
  CU_ASSERT (cab_globs_match_file (&options.files, "lib/hash.c")
	     && cab_globs_match_file (&options.files, "/home/me/lib/hash.c")
	     && cab_globs_match_file (&options.files, "main.c")
	     && cab_globs_match_file (&options.files, "./src/main.c")
	     && cab_globs_match_file (&options.files, "/abs/x.c"));
  CU_ASSERT_FALSE (cab_globs_match_file (&options.files, "domain.c")
		   || cab_globs_match_file (&options.files, "mylib/hash.c")
		   || cab_globs_match_file (&options.files, "main.cc")
		   || cab_globs_match_file (&options.files, "/"));
}

static void
test_escape (void)
{
  char out[16];
  CU_ASSERT_EQUAL (cab_info_escape (out, sizeof out, "a\tb\nc\1d\\e"), 13);
  CU_ASSERT_STRING_EQUAL (out, "a\\tb\\nc\\1d\\\\e");
  CU_ASSERT_EQUAL (cab_info_escape (NULL, 0, "a\t"), 3);
  CU_ASSERT_EQUAL (cab_info_escape (out, 3, "a\tb"), 4);
  CU_ASSERT_STRING_EQUAL (out, "a");
  CU_ASSERT_EQUAL (cab_info_escape (out, 1, "abc"), 3);
  CU_ASSERT_STRING_EQUAL (out, "");
  CU_ASSERT_EQUAL (cab_info_escape (out, sizeof out, "gr\303\274n 1"), 7);
  CU_ASSERT_STRING_EQUAL (out, "gr\303\274n 1");
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("options", NULL, NULL);
  CU_ADD_TEST (suite, test_defaults);
  CU_ADD_TEST (suite, test_events);
  CU_ADD_TEST (suite, test_feedback);
  CU_ADD_TEST (suite, test_modes);
  CU_ADD_TEST (suite, test_memory);
  CU_ADD_TEST (suite, test_access_filters);
  CU_ADD_TEST (suite, test_values_missing_or_too_many);
  CU_ADD_TEST (suite, test_unknown_key_lists_the_known);
  CU_ADD_TEST (suite, test_globs);
  CU_ADD_TEST (suite, test_file_globs);
  CU_ADD_TEST (suite, test_escape);
  CU_basic_run_tests ();
  unsigned n_failed = CU_get_number_of_failures ();
  cab_options_fini (&options);
  CU_cleanup_registry ();
  return n_failed != 0;
}

/* user_analysis.c - analyses that users bring, see user_analysis.h.  The runtime contains it, too,
 * so it uses no stdio.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/user_analysis.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyses/wire/keyed.h"

#define PATH_BYTES 4096
#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyz0123456789_-"

void (*cab_user_watch) (const char *file);
static int loading;

int
cab_user_loading (void)
{
  return __atomic_load_n (&loading, __ATOMIC_RELAXED);
}

/* Write "FILE: WRONG: TODO" to DIAG, as far as it fits.  Return null. */
static const struct cab_analysis *
refuse (struct cab_diag *diag, const char *file, const char *wrong, const char *todo)
{
  const char *words[] = { file, ": ", wrong, ": ", todo };
  size_t at = 0;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    for (const char *c = words[i]; *c && at + 1 < sizeof diag->text; c++)
      diag->text[at++] = *c;
  diag->text[at] = '\0';
  return NULL;
}

/* Return why this cabprof cannot call ANALYSIS, or null if it can. */
static const char *
wrong_with (const struct cab_analysis *analysis)
{
  const unsigned kinds = 1u << CAB_EV_CALL | 1u << CAB_EV_PATH | 1u << CAB_EV_LOOP
		       | 1u << CAB_EV_ACCESS | 1u << CAB_EV_SAMPLE;
  if (analysis->abi != CAB_ANALYSIS_ABI || analysis->bytes != sizeof *analysis)
    return "it was compiled with the headers of another version of cabprof";
  size_t n = analysis->name ? strspn (analysis->name, NAME_LETTERS) : 0;
  if (!n || analysis->name[n] || n >= CAB_OWN_NAME_BYTES)
    return "its name is not one to 39 small letters, digits, - and _";
  if (!analysis->summary || !analysis->open || !analysis->feed || !analysis->applied
      || !analysis->lost || !analysis->check || !analysis->merge)
    return "its summary or one of its functions but `report' is missing";
  if (!analysis->arena_bytes || !(analysis->kinds & kinds) || analysis->kinds & ~kinds)
    return "it takes no events, or some that do not exist, or arena_bytes is 0";
  if (analysis->wants
	& ~(CAB_WANTS_SHAPES | CAB_WANTS_NODE | CAB_WANTS_REGIONS | CAB_KEEPS_NODES
	    | CAB_WANTS_LEVEL | CAB_WANTS_STACK)
      || analysis->with_samples || analysis->sectioned)
    return "its `wants', `with_samples' or `sectioned' are those of an analysis of cabprof's own";
  if (analysis->wants & CAB_WANTS_LEVEL
      && !(analysis->wants & CAB_WANTS_NODE && analysis->kinds >> CAB_EV_ACCESS & 1))
    return "it wants the level of accesses, but no nodes, or no accesses";
  const unsigned both = 1u << CAB_EV_PATH | 1u << CAB_EV_ACCESS;
  if (analysis->wants & CAB_WANTS_STACK
      && !(analysis->wants & CAB_WANTS_NODE && (analysis->kinds & both) == both))
    return "it wants to know where the stack stands, but no nodes, or not both paths and accesses";
  return NULL;
}

/* Return why the states of ANALYSIS cannot be divided as it asks for, or null if they can be. */
static const char *
wrong_shard (const struct cab_analysis *analysis)
{
  if (analysis->shard == CAB_SHARD_KEY)
    return cab_keyed_wrong (analysis);
  if (analysis->shard == CAB_SHARD_SERIAL
      && (analysis->begin_thread || analysis->carry || analysis->wants))
    return "its shard is CAB_SHARD_SERIAL, and it has `begin_thread', `carry' or `wants'";
  if (analysis->shard != CAB_SHARD_THREAD && analysis->shard != CAB_SHARD_SERIAL)
    return "its `shard' does not exist";
  return analysis->key || analysis->key_log2 || analysis->own_key
	 ? "it has a key, but its shard is not CAB_SHARD_KEY"
	 : NULL;
}

/* Return the file of NAME, which may be stored in PATH; null if there is none. */
static const char *
file_of (const char *name, char path[PATH_BYTES])
{
  const char *dirs = getenv ("CABPROF_ANALYSES");
  size_t n_name = strlen (name);
  if (strchr (name, '/'))
    return name;
  for (size_t n; dirs && *dirs; dirs += n + (dirs[n] == ':'))
    {
      n = strcspn (dirs, ":");
      if (!n || n + n_name + 5 > PATH_BYTES)
	continue;
      memcpy (path, dirs, n);
      path[n] = '/';
      memcpy (path + n + 1, name, n_name);
      memcpy (path + n + 1 + n_name, ".so", 4);
      if (access (path, R_OK) == 0)
	return path;
    }
  return NULL;
}

/* Load FILE.  Return its analysis, or null with words in DIAG. */
#ifdef CAB_STATIC
static const struct cab_analysis *
open_file (const char *file, struct cab_diag *diag)
{
  return refuse (diag, file, "a statically linked program cannot load an analysis",
		 "link it dynamically");
}
#else
static const struct cab_analysis *
open_file (const char *file, struct cab_diag *diag)
{
  loading = 1;
  void *handle = dlopen (file, RTLD_NOW | RTLD_LOCAL);
  loading = 0;
  if (!handle)
    return refuse (diag, dlerror (), "the analysis cannot be loaded",
		   "compile it with gcc -shared -fPIC, and name its file");
  const struct cab_analysis *analysis = dlsym (handle, "cab_own_analysis");
  return analysis ? analysis
		  : refuse (diag, file, "it exports no cab_own_analysis",
			    "define it by CAB_ANALYSIS_EXPORT (cabprof/analysis.h)");
}
#endif

void
cab_user_name (const char *item, char name[CAB_OWN_NAME_BYTES])
{
  const char *slash = strrchr (item, '/'), *base = slash ? slash + 1 : item;
  size_t n = strlen (base);
  n -= slash && n > 3 && !strcmp (base + n - 3, ".so") ? 3 : 0;
  n = n < CAB_OWN_NAME_BYTES ? n : CAB_OWN_NAME_BYTES - 1;
  memcpy (name, base, n);
  name[n] = '\0';
}

const struct cab_analysis *
cab_user_load (const char *item, struct cab_diag *diag)
{
  char path[PATH_BYTES], name[CAB_OWN_NAME_BYTES];
  const char *file = file_of (item, path);
  diag->text[0] = '\0';
  const struct cab_analysis *analysis = file ? open_file (file, diag) : NULL;
  if (!analysis)
    return NULL;
  const char *wrong = wrong_with (analysis);
  if (wrong)
    return refuse (diag, file, wrong,
		   "compile it again, against this version's cabprof/analysis.h");
  wrong = wrong_shard (analysis);
  if (wrong)
    return refuse (diag, file, wrong,
		   "see enum cab_shard in cabprof/analysis.h, or leave .shard and .key out: each "
		   "ring has a state then, and merge adds them up");
  cab_user_name (file, name);
  if (strcmp (name, analysis->name))
    return refuse (diag, file, "the analysis in it has another name than the file",
		   "call the file as its `name' says, with .so");
  if (cab_analysis_add (analysis) < 0)
    return refuse (diag, file, "another analysis has this name, or eight others were loaded before",
		   "rename it, or leave one out");
  if (cab_user_watch)
    cab_user_watch (file);
  return analysis;
}

const struct cab_analysis *
cab_user_find (const char *name, struct cab_diag *diag)
{
  const struct cab_analysis *analysis = cab_analysis_find (name);
  size_t n = strspn (name, NAME_LETTERS);
  diag->text[0] = '\0';
  return analysis || !n || name[n] ? analysis : cab_user_load (name, diag);
}

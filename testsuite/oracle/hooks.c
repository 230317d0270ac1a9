/* hooks.c - a calling-context tree out of -finstrument-functions: the peer that `report tree` is
   held against.
   SPDX-License-Identifier: GPL-3.0-or-later

   The program is compiled with -finstrument-functions -fno-inline and linked with this file.  The
   stack of contexts is cut by frame address where a function was left without its exit hook
   (longjmp): the program under test says so by calling cab_hooks_depth () where it calls setjmp and
   cab_hooks_cut (depth) where setjmp comes back.  Exceptions need no help: GCC calls the exit hook
   on the way of an exception.  At the end the tree is written to $CAB_HOOKS.PID, one context a
   line:
       id <tab> parent <tab> address of the function, relative to the module's base <tab> calls
   One thread; fork is not followed.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define HIDE __attribute__ ((no_instrument_function))

struct context
{
  void *function;
  size_t parent, child, sibling;
  unsigned long calls;
};

static struct context *contexts;
static size_t n_contexts, cap_contexts;
static size_t *stack;
static size_t depth, cap_stack;

void __cyg_profile_func_enter (void *function, void *site) HIDE;
void __cyg_profile_func_exit (void *function, void *site) HIDE;
size_t cab_hooks_depth (void) HIDE;
void cab_hooks_cut (size_t to) HIDE;

static void *HIDE
room (void *table, size_t n, size_t *cap, size_t bytes)
{
  if (n < *cap)
    return table;
  *cap = *cap ? *cap * 2 : 1024;
  table = realloc (table, *cap * bytes);
  if (table == NULL)
    abort ();
  return table;
}

/* Return the context of FUNCTION below PARENT; make it if it does not exist. */
static size_t HIDE
find (size_t parent, void *function)
{
  for (size_t i = n_contexts ? contexts[parent].child : 0; i != 0; i = contexts[i].sibling)
    if (contexts[i].function == function)
      return i;
  if (n_contexts == 0)
    {
      contexts = room (contexts, 0, &cap_contexts, sizeof *contexts);
      contexts[n_contexts++] = (struct context) { 0 };
    }
  contexts = room (contexts, n_contexts, &cap_contexts, sizeof *contexts);
  contexts[n_contexts] = (struct context) { function, parent, 0, contexts[parent].child, 0 };
  contexts[parent].child = n_contexts;
  return n_contexts++;
}

void
__cyg_profile_func_enter (void *function, void *site)
{
  (void) site;
  size_t context = find (depth ? stack[depth - 1] : 0, function);
  contexts[context].calls++;
  stack = room (stack, depth, &cap_stack, sizeof *stack);
  stack[depth++] = context;
}

void
__cyg_profile_func_exit (void *function, void *site)
{
  (void) function;
  (void) site;
  if (depth == 0)
    abort ();
  depth--;
}

size_t
cab_hooks_depth (void)
{
  return depth;
}

void
cab_hooks_cut (size_t to)
{
  depth = to;
}

static void HIDE __attribute__ ((destructor))
finish (void)
{
  const char *prefix = getenv ("CAB_HOOKS");
  char path[4096];
  snprintf (path, sizeof path, "%s.%d", prefix ? prefix : "", getpid ());
  FILE *file = prefix ? fopen (path, "w") : NULL;
  if (file == NULL)
    return;
  for (size_t i = 1; i < n_contexts; i++)
    {
      Dl_info info;
      char *base = dladdr (contexts[i].function, &info) ? info.dli_fbase : NULL;
      fprintf (file, "%zu\t%zu\t%lx\t%lu\n", i, contexts[i].parent,
	       (unsigned long) ((char *) contexts[i].function - base),
	       contexts[i].calls);
    }
  fclose (file);
}

/* stub.cc - puts the stub (stub.c) and the executable's context into the unit, as assembler text at
 * top level.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Link-time optimisation may put the text of several units into one file, so each guards itself by
 * .ifndef. */
#include "plugin/emit/module.h"
#include "plugin/emit/options.h"
#include "plugin/emit/stub.h"
#include "cabprof/abi.h"
#include <limits.h>
#include <unistd.h>

static const char stub_text[] =
#include "stub-text.h"
;

#define TEXT_OF_(x) #x
#define TEXT_OF(x) TEXT_OF_ (x)
#define GROUP "__cab_ctx_" TEXT_OF (CAB_ABI_VERSION) ",comdat\n"

/* The context of an executable's threads, and a note that tells the runtime where it is: 32 bits
   wide, as not all linkers accept a wider one.  Without the entry of .init_array, which starts what
   the stub's own entry may already have started, --gc-sections would drop the note. */
static const char context_text[] =
"	.section .tbss.__cab_ctx,\"awTG\",@nobits," GROUP
"	.balign	64\n"
"	.globl	__cab_ctx, __cab_count\n"
"	.hidden	__cab_ctx, __cab_count\n"
"	.type	__cab_ctx, @object\n"
"	.size	__cab_ctx, " TEXT_OF (CAB_CTX_BYTES) "\n"
"	.type	__cab_count, @object\n"
"	.size	__cab_count, 8\n"
"__cab_ctx:\n"
"__cab_count:\n"
"	.zero	" TEXT_OF (CAB_CTX_BYTES) "\n"
"	.section .note.cabprof,\"aG\",@note," GROUP
"	.balign	4\n"
"	.long	8, 4, " TEXT_OF (CAB_NOTE_CTX) "\n"
"	.asciz	\"" CAB_NOTE_NAME "\"\n"
"	.globl	__cab_ctx_at\n"
"	.hidden	__cab_ctx_at\n"
"	.type	__cab_ctx_at, @object\n"
"	.size	__cab_ctx_at, 4\n"
"__cab_ctx_at:\n"
"	.long	__cab_ctx@tpoff\n"
"	.section .init_array.00001,\"awG\",@init_array," GROUP
"	.balign	8\n"
"	.quad	__cab_enter\n";

/* The functions that calls through pointers may reach and that allocate or release
   (allocator_pointers.cc).  The references are weak, unless the object has others. */
#define KNOWN_GROUP "__cab_known_" TEXT_OF (CAB_ABI_VERSION)
#define KNOWN(name) "	.weakref __cab_known_" name ", " name "\n"
static const char known_text[] =
KNOWN ("malloc") KNOWN ("calloc") KNOWN ("realloc") KNOWN ("free")
"	.section .data.rel.ro.__cab_known,\"awG\",@progbits," KNOWN_GROUP ",comdat\n"
"	.balign	8\n"
"	.globl	__cab_known\n"
"	.hidden	__cab_known\n"
"	.type	__cab_known, @object\n"
"	.size	__cab_known, 32\n"
"__cab_known:\n"
"	.quad	__cab_known_malloc, __cab_known_calloc, __cab_known_realloc, __cab_known_free\n";

static_assert (offsetof (struct cab_ctx, count_base) == 0,
	       "__cab_count is the context's first word");
static_assert (sizeof CAB_NOTE_NAME == 8, "the note says so");

/* A variable of the compilers for C and its kin; 0 with -ffreestanding. */
extern int flag_hosted __attribute__ ((weak));

/* Code for a DSO cannot reach it directly, and code without a C library may run without
   thread-local storage. */
bool
cab_stub_direct_context (void)
{
  return !flag_shlib && (!&flag_hosted || flag_hosted);
}

/* Return the path of the runtime, as seen from the module: in the library directory above it when
   installed, in lib/ of that when built. */
static char *
runtime_path (void)
{
  char *up = xstrdup (cab_module_directory ());
  *strrchr (up, '/') = 0;
  char *installed = concat (up, "/" CAB_RUNTIME_SONAME, NULL);
  char *built = concat (up, "/lib/" CAB_RUNTIME_SONAME, NULL);
  bool use_built = access (installed, F_OK) != 0 && access (built, F_OK) == 0;
  free (up);
  free (use_built ? installed : built);
  return use_built ? built : installed;
}

/* Return TEXT with its mark replaced by PATH, quoted for an assembler's string. */
static char *
with_path (const char *text, const char *path)
{
  static const char mark[] = "@CAB_RUNTIME@";
  const char *at = strstr (text, mark);
  char *quoted = XNEWVEC (char, 2 * strlen (path) + 1), *end = quoted;
  for (; *path; path++)
    {
      if (*path == '"' || *path == '\\')
	*end++ = '\\';
      *end++ = *path;
    }
  *end = 0;
  char *head = xstrndup (text, at - text);
  char *result = concat (head, quoted, at + strlen (mark), NULL);
  free (head);
  free (quoted);
  return result;
}

/* Add TEXT at top level; GUARD makes sure that it is assembled once per assembler file. */
static void
add_text (const char *guard, const char *text)
{
  bool intel = ix86_asm_dialect == ASM_INTEL;
  char *whole = concat (".ifndef ", guard, "\n\t.set ", guard, ", 1\n",
			intel ? "\t.att_syntax prefix\n" : "", "\t.pushsection .text\n", text,
			"\t.popsection\n", intel ? "\t.intel_syntax noprefix\n" : "", "\t.endif\n",
			NULL);
  symtab->finalize_toplevel_asm (build_string (strlen (whole), whole));
  free (whole);
}

void
cab_stub_emit (void)
{
  static bool is_there;
  if (is_there)
    return;
  is_there = true;
  char *path = runtime_path ();
  char *text = with_path (stub_text, path);
  add_text (".Lcab_stub_" TEXT_OF (CAB_ABI_VERSION), text);
  if (cab_stub_direct_context ())
    add_text (".Lcab_ctx_" TEXT_OF (CAB_ABI_VERSION), context_text);
  if (cab_opts.events & CAB_EVENTS_MEMORY)
    add_text (".Lcab_known_" TEXT_OF (CAB_ABI_VERSION), known_text);
  free (text);
  free (path);
}

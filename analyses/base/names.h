/* names.h - memory for names and other data that lives as long as a profile, and names as people
 * read them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  all memory that is given out here lives until cab_names_fini.
 */
#ifndef CAB_NAMES_H
#define CAB_NAMES_H

#include <stdbool.h>
#include <obstack.h>
#include <stddef.h>

struct cab_names
{
  struct obstack obstack;
};

/* Begin with no memory in use. */
void cab_names_init (struct cab_names *names);
/* Free all that NAMES has given out. */
void cab_names_fini (struct cab_names *names);
/* Return zeroed memory for N elements of SIZE bytes. */
void *cab_names_zero (struct cab_names *names, size_t n, size_t size);
/* Return a copy of the first LENGTH characters of TEXT, with a NUL after them. */
char *cab_names_copy (struct cab_names *names, const char *text, size_t length);
/* Return a text formatted as by printf. */
char *cab_names_format (struct cab_names *names, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* Return a copy of the first LENGTH characters of TEXT with the escapes of a record resolved. */
char *cab_names_unescape (struct cab_names *names, const char *text, size_t length);

/* Return the function's name as a person writes it: C++ demangled, Fortran as module::procedure.
   FILE, where the function is declared, decides whether it is Fortran. */
const char *cab_names_display (struct cab_names *names, const char *assembler, const char *source,
			       const char *file);

/* Return the name of the variable ASSEMBLER as a person writes it. */
const char *cab_names_variable (struct cab_names *names, const char *assembler);

/* Return NAME, as displayed, without the arguments of templates and calls:
   "std::vector<>::push_back".  A short name is returned as it is. */
const char *cab_names_brief (struct cab_names *names, const char *name);

/* Return where the second name begins in the qualified NAME, as "b::c" in "a<x::y>::b::c"; null if
   there is only one. */
const char *cab_names_next (const char *name);

/* Cut the suffix of a clone off NAME, so that a copy of a function that the compiler made for some
   of its calls has the function's name. */
void cab_names_cut_clone (char *name);

/* Return true if the pattern GLOB matches the function that is displayed as DISPLAY: as a whole, or
   without its parameters and return type, its template arguments, or the namespaces and classes
   around it.  "list<int>::add(int)" is matched as "list<>::add", "list::add" and "add", too. */
bool cab_names_match (const char *glob, const char *display);

#endif

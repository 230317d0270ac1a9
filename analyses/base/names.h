/* names.h - memory for names and other things that live as long as a profile, and names as people
 * read them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  all that is given out here lives until cab_names_fini.
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

void cab_names_init (struct cab_names *names);
void cab_names_fini (struct cab_names *names);
void *cab_names_zero (struct cab_names *names, size_t n, size_t size);
char *cab_names_copy (struct cab_names *names, const char *text, size_t length);
char *cab_names_format (struct cab_names *names, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* A copy of TEXT without the escapes of a record. */
char *cab_names_unescape (struct cab_names *names, const char *text, size_t length);

/* How a person writes the function: C++ demangled, Fortran's module::procedure.  FORTRAN: its file
   is Fortran. */
const char *cab_names_display (struct cab_names *names, const char *assembler, const char *source,
			       const char *file);

/* The same for a variable. */
const char *cab_names_variable (struct cab_names *names, const char *assembler);

/* "std::vector<>::push_back" for a displayed NAME that says the arguments of templates and calls; a
   short one as it is. */
const char *cab_names_brief (struct cab_names *names, const char *name);

/* Does the pattern GLOB name the function that is displayed as DISPLAY?  As a whole, or without
   what it takes and returns, template arguments, or the namespaces and classes around it:
   "list<int>::add(int)" is "list<>::add", "list::add" and "add". */
bool cab_names_match (const char *glob, const char *display);

#endif

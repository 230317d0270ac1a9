/* slots.c - see slots.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/libc/slots.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE UINT64_C (4096)

struct object
{
  uintptr_t bias;
  uintptr_t low, high;                 /* all of it */
  uintptr_t read_only, read_only_end;  /* what the loader has made read-only after relocation */
  const Elf64_Sym *symbols;
  const char *strings;
  struct
  {
    const Elf64_Rela *first;
    uint64_t bytes;
  } tables[2];                         /* for calls, and for the rest */
};

struct search
{
  const struct cab_redirection *r;
  unsigned n, failed;
};

/* Return VALUE of the dynamic section as an address.  The loader adds the bias where that section
   is writable. */
static const void *
address_of (const struct object *o, Elf64_Addr value)
{
  return (const void *) (value < o->bias ? value + o->bias : value);
}

static void
read_dynamic (struct object *o, const Elf64_Dyn *d)
{
  for (; d->d_tag != DT_NULL; d++)
    switch (d->d_tag)
      {
      case DT_SYMTAB: o->symbols = address_of (o, d->d_un.d_ptr); break;
      case DT_STRTAB: o->strings = address_of (o, d->d_un.d_ptr); break;
      case DT_JMPREL: o->tables[0].first = address_of (o, d->d_un.d_ptr); break;
      case DT_PLTRELSZ: o->tables[0].bytes = d->d_un.d_val; break;
      case DT_RELA: o->tables[1].first = address_of (o, d->d_un.d_ptr); break;
      case DT_RELASZ: o->tables[1].bytes = d->d_un.d_val; break;
      }
}

static void
read_object (struct object *o, const struct dl_phdr_info *info)
{
  const Elf64_Dyn *dynamic = NULL;
  *o = (struct object) { .bias = info->dlpi_addr, .low = UINTPTR_MAX };
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const Elf64_Phdr *p = &info->dlpi_phdr[i];
      uintptr_t from = o->bias + p->p_vaddr, to = from + p->p_memsz;
      if (p->p_type == PT_DYNAMIC)
	dynamic = (const Elf64_Dyn *) from;
      else if (p->p_type == PT_GNU_RELRO)
	{
	  o->read_only = from & -PAGE;
	  o->read_only_end = to & -PAGE;
	}
      else if (p->p_type == PT_LOAD)
	{
	  o->low = from < o->low ? from : o->low;
	  o->high = to > o->high ? to : o->high;
	}
    }
  if (dynamic)
    read_dynamic (o, dynamic);
}

/* Store TO in SLOT of O.  Return false if the slot cannot be written. */
static bool
store (const struct object *o, uintptr_t *slot, uintptr_t to)
{
  uintptr_t at = (uintptr_t) slot;
  bool locked = at >= o->read_only && at < o->read_only_end;
  void *page = (void *) (at & -PAGE);
  if (locked && mprotect (page, PAGE, PROT_READ | PROT_WRITE) < 0)
    return false;
  __atomic_store_n (slot, to, __ATOMIC_RELEASE);
  if (locked)
    (void) mprotect (page, PAGE, PROT_READ);
  return true;
}

/* Redirect the slot of relocation A by R, if it is R's.  Return false if it cannot be written. */
static bool
redirect (const struct object *o, const Elf64_Rela *a, const struct cab_redirection *r)
{
  uintptr_t *slot = (uintptr_t *) (o->bias + a->r_offset);
  const Elf64_Sym *symbol = &o->symbols[ELF64_R_SYM (a->r_info)];
  bool unresolved = ELF64_R_TYPE (a->r_info) == R_X86_64_JUMP_SLOT && *slot >= o->low
		 && *slot < o->high;
  return (*slot != r->from && !unresolved)
      || strcmp (o->strings + symbol->st_name, r->name) != 0 || store (o, slot, r->to);
}

static bool
is_for_function (const Elf64_Rela *a)
{
  unsigned type = ELF64_R_TYPE (a->r_info);
  return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT
      || (type == R_X86_64_64 && a->r_addend == 0);
}

static int
visit (struct dl_phdr_info *info, size_t size, void *argument)
{
  struct search *s = argument;
  struct object o;
  (void) size;
  read_object (&o, info);
  if (!o.symbols || !o.strings)
    return 0;
  for (unsigned t = 0; t < 2; t++)
    for (uint64_t i = 0; i < o.tables[t].bytes / sizeof (Elf64_Rela); i++)
      for (unsigned k = 0; k < s->n && is_for_function (&o.tables[t].first[i]); k++)
	if (s->r[k].from < o.low || s->r[k].from >= o.high)
	  s->failed += !redirect (&o, &o.tables[t].first[i], &s->r[k]);
  return 0;
}

unsigned
cab_slots_redirect (const struct cab_redirection *r, unsigned n)
{
  struct search s = { r, n, 0 };
  dl_iterate_phdr (visit, &s);
  return s.failed;
}

/* Store the number of objects that the loader has loaded so far. */
static int
visit_first (struct dl_phdr_info *info, size_t size, void *n_loaded)
{
  (void) size;
  *(uint64_t *) n_loaded = info->dlpi_adds;
  return 1;
}

bool
cab_slots_are_new (void)
{
  static uint64_t last;
  uint64_t now = 0;
  dl_iterate_phdr (visit_first, &now);
  return __atomic_exchange_n (&last, now, __ATOMIC_RELAXED) != now;
}

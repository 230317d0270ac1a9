/* stub_symbol.c - finds a function of the C library by its name, without dlsym, which the program
 * may define.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      searches libc.so and libdl.so of the loader's list, for the default version, by
 *             DT_GNU_HASH.
 * Errors:     null if there is none. */
#include "plugin/stub/stub.h"
#include <elf.h>

struct map
{
  unsigned long bias;
  const char *name;
  const Elf64_Dyn *dynamic;
  struct map *next;
};

struct r_debug
{
  int version;
  struct map *maps;
};

/* Return true if NAME is the C library's file, by its last component. */
INLINE int
is_libc (const char *name)
{
  const char *base = name;
  for (; *name; name++)
    if (*name == '/')
      base = name + 1;
  if (base[0] != 'l' || base[1] != 'i' || base[2] != 'b')
    return 0;
  return (base[3] == 'c' && base[4] == '.') || (base[3] == 'd' && base[4] == 'l' && base[5] == '.');
}

/* Return the symbol NAME, whose hash is HASH, from M's table of hash values, or null; see
   rt/libc/symbols.c. */
HIDDEN IN_TEXT void *
__cab_symbol_in (const struct map *m, const char *name, unsigned hash)
{
  enum { GNU_HASH = 0x6ffffef5, VERSYM = 0x6ffffff0, OLD_VERSION = 0x8000 };
  const Elf64_Sym *symbols = NULL;
  const char *strings = NULL;
  const unsigned short *versions = NULL;
  const unsigned *table = NULL;
  for (const Elf64_Dyn *d = m->dynamic; d->d_tag; d++)
    if (d->d_tag == DT_SYMTAB)
      symbols = (const Elf64_Sym *) d->d_un.d_ptr;
    else if (d->d_tag == DT_STRTAB)
      strings = (const char *) d->d_un.d_ptr;
    else if (d->d_tag == GNU_HASH)
      table = (const unsigned *) d->d_un.d_ptr;
    else if (d->d_tag == VERSYM)
      versions = (const unsigned short *) d->d_un.d_ptr;
  if (!symbols || !strings || !table || !table[0])
    return NULL;
  const unsigned *buckets = table + 4 + 2 * table[2], *hashes = buckets + table[0];
  for (unsigned i = buckets[hash % table[0]]; i >= table[1]; i++)
    {
      unsigned here = hashes[i - table[1]];
      int old = versions && versions[i] & OLD_VERSION;
      if ((here | 1) == (hash | 1) && symbols[i].st_shndx && !old
	  && __cab_equal (strings + symbols[i].st_name, name))
	return (void *) (m->bias + symbols[i].st_value);
      if (here & 1)
	break;
    }
  return NULL;
}

HIDDEN IN_TEXT void *
__cab_symbol (const char *name)
{
  unsigned hash = 5381;
  void *found = NULL;
  for (const char *c = name; *c; c++)
    hash = hash * 33 + (unsigned char) *c;
  for (const struct map *m = _r_debug.maps; m && !found; m = m->next)
    if (is_libc (m->name) && m->dynamic)
      found = __cab_symbol_in (m, name, hash);
  return found;
}

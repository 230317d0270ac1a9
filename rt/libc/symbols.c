/* symbols.c - see symbols.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/libc/symbols.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cabprof/abi.h"

#define OLD_VERSION 0x8000u   /* bit in DT_VERSYM: the symbol's version is not the default */

struct object
{
  uintptr_t bias;
  const Elf64_Sym *symbols;
  const char *strings;
  const uint16_t *versions;   /* may be null */
  const uint32_t *hash;
  void *const *constructors;
  uint64_t n_constructors;
};

/* Return VALUE as an address.  The loader adds the bias to addresses in the dynamic section where
   that is writable. */
static const void *
address_of (const struct link_map *map, Elf64_Addr value)
{
  return (const void *) (value < map->l_addr ? value + map->l_addr : value);
}

static void
read_dynamic (struct object *o, const struct link_map *map)
{
  *o = (struct object) { .bias = map->l_addr };
  for (const Elf64_Dyn *d = map->l_ld; d && d->d_tag != DT_NULL; d++)
    switch (d->d_tag)
      {
      case DT_SYMTAB: o->symbols = address_of (map, d->d_un.d_ptr); break;
      case DT_STRTAB: o->strings = address_of (map, d->d_un.d_ptr); break;
      case DT_VERSYM: o->versions = address_of (map, d->d_un.d_ptr); break;
      case DT_GNU_HASH: o->hash = address_of (map, d->d_un.d_ptr); break;
      case DT_INIT_ARRAY: o->constructors = (void *const *) (map->l_addr + d->d_un.d_ptr); break;
      case DT_INIT_ARRAYSZ: o->n_constructors = d->d_un.d_val / sizeof (void *); break;
      }
}

/* Return true if a constructor of O is a stub's, which attaches to the runtime: see stub.c. */
static bool
has_probes (const struct object *o)
{
  for (uint64_t i = 0; i < o->n_constructors; i++)
    {
      const char *code = o->constructors[i];
      if (code && code != (const char *) -1 && memcmp (code, "\xf3\x0f\x1e\xfa\xe9", 5) == 0
	  && memcmp (code + 9, CAB_NOTE_NAME, sizeof CAB_NOTE_NAME) == 0)
	return true;
    }
  return false;
}

static uint32_t
hash_of (const char *name)
{
  uint32_t h = 5381;
  for (; *name; name++)
    h = h * 33 + (unsigned char) *name;
  return h;
}

/* Return true if symbol I of O is the function NAME in its default version. */
static bool
is_it (const struct object *o, uint32_t i, const char *name)
{
  const Elf64_Sym *s = &o->symbols[i];
  return s->st_shndx != SHN_UNDEF && ELF64_ST_TYPE (s->st_info) != STT_GNU_IFUNC
      && !(o->versions && o->versions[i] & OLD_VERSION)
      && strcmp (o->strings + s->st_name, name) == 0;
}

/* Find NAME in the hash table: numbers of buckets, of the first symbol in it, of filter words; a
   shift; the filter; the buckets' first symbols; hashes, of which the last one of a bucket is
   odd. */
static void *
find_in (const struct object *o, const char *name)
{
  uint32_t n_buckets = o->hash[0], first = o->hash[1], hash = hash_of (name);
  const uint32_t *buckets = o->hash + 4 + 2 * o->hash[2], *hashes = buckets + n_buckets;
  uint32_t i = n_buckets ? buckets[hash % n_buckets] : 0;
  if (i < first)
    return NULL;
  for (;; i++)
    {
      if ((hashes[i - first] | 1) == (hash | 1) && is_it (o, i, name))
	return (void *) (o->bias + o->symbols[i].st_value);
      if (hashes[i - first] & 1)
	return NULL;
    }
}

/* Find NAME in MAP and the objects after it; PROBES: also in those that have probes. */
static void *
find_from (const struct link_map *map, const char *name, bool probes)
{
  struct object o;
  void *found = NULL;
  for (; map && !found; map = map->l_next)
    {
      read_dynamic (&o, map);
      if (o.symbols && o.strings && o.hash && (probes || !has_probes (&o)))
	found = find_in (&o, name);
    }
  return found;
}

void *
cab_symbol_find (const char *name)
{
  const struct link_map *map = _r_debug.r_map;
  return find_from (map ? map->l_next : NULL, name, false);
}

void *
cab_symbol_of_program (const char *name)
{
  return find_from (_r_debug.r_map, name, true);
}

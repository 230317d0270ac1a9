/* data_map.c - see data_map.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/data_map.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include <libiberty/splay-tree.h>
#include "analyses/profile/process_images.h"
#include "analyses/binary/dwarf_variables.h"

/* What is known about the variables of a module. */
struct known
{
  uint32_t *objects;            /* by symbol: 1 + index of its object; 0: not yet seen */
  bool asked;                   /* the debugging information was read, to `declared' */
  uint32_t n_declared;
  struct cab_dwarf_variable *declared;
};

struct block
{
  uint64_t start, bytes;
  uint32_t object;
};

struct cab_data_map
{
  uint32_t n_objects;
  struct cab_data_object **objects;
  struct cab_loaded modules;
  struct known *known;                /* by module */
  struct cab_names names;
  splay_tree sites;                   /* by site and node of an allocation, or by site of an access
					 elsewhere: index of its object */
  splay_tree blocks;
  splay_tree waiting;                 /* struct waiting, by address */
};

/* Accesses to an address that hit nothing, from one place in the code and one thread. */
struct waiting
{
  struct waiting *next;
  uint32_t site, thread;
  uint64_t reads, writes, accesses, moved;
};

static uint32_t
add_object (struct cab_data_map *map, struct cab_data_object object)
{
  map->objects = XRESIZEVEC (struct cab_data_object *, map->objects, map->n_objects + 1);
  map->objects[map->n_objects] = XNEW (struct cab_data_object);
  *map->objects[map->n_objects] = object;
  return map->n_objects++;
}

static void
free_block (splay_tree_value value)
{
  free ((void *) value);
}

static void
free_waiting (splay_tree_value value)
{
  for (struct waiting *w = (struct waiting *) value, *next; w; w = next)
    {
      next = w->next;
      free (w);
    }
}

struct cab_data_map *
cab_data_map_new (void)
{
  struct cab_data_map *map = XCNEW (struct cab_data_map);
  cab_names_init (&map->names);
  map->sites = splay_tree_new (splay_tree_compare_pointers, NULL, NULL);
  map->blocks = splay_tree_new (splay_tree_compare_pointers, NULL, free_block);
  map->waiting = splay_tree_new (splay_tree_compare_pointers, NULL, free_waiting);
  return map;
}

void
cab_data_map_free (struct cab_data_map *map)
{
  for (uint32_t i = 0; i < map->modules.n; i++)
    {
      free (map->known[i].objects);
      free (map->known[i].declared);
    }
  for (uint32_t i = 0; i < map->n_objects; i++)
    free (map->objects[i]);
  splay_tree_delete (map->sites);
  splay_tree_delete (map->blocks);
  splay_tree_delete (map->waiting);
  cab_loaded_fini (&map->modules);
  free (map->known);
  free (map->objects);
  cab_names_fini (&map->names);
  free (map);
}

int
cab_data_map_module (struct cab_data_map *map, const char *path, uint64_t load_bias,
		     struct cab_diag *diag)
{
  if (cab_loaded_add (&map->modules, path, load_bias, diag) < 0)
    return -1;
  uint32_t last = map->modules.n - 1;
  map->known = XRESIZEVEC (struct known, map->known, map->modules.n);
  map->known[last] = (struct known) { .objects = XCNEWVEC (
					uint32_t, map->modules.items[last].image.n_objects + 1) };
  return 0;
}

/* Return the object of an allocation in the context NODE, or of an access elsewhere. */
static uint32_t
object_of_site (struct cab_data_map *map, uint32_t site, uint32_t node, enum cab_data_kind kind)
{
  splay_tree_key key = (uint64_t) node << 32 | site;
  splay_tree_node found = splay_tree_lookup (map->sites, key);
  if (!found)
    found = splay_tree_insert (
      map->sites, key,
      add_object (map, (struct cab_data_object) { .kind = kind, .site = site, .node = node }));
  return found->value;
}

void
cab_data_map_release (struct cab_data_map *map, uint64_t start)
{
  splay_tree_remove (map->blocks, start);
}

static void
add (struct cab_data_object *object, const struct waiting *n)
{
  object->reads += n->reads;
  object->writes += n->writes;
  object->accesses += n->accesses;
  object->moved += n->moved;
}

/* Count for OBJECT what waits at NODE's address for a block of another thread, which is every
   access but those of THREAD. */
static void
take_waiting (splay_tree_node node, struct cab_data_object *object, uint32_t thread)
{
  for (struct waiting **at = (struct waiting **) &node->value, *w; (w = *at);)
    if (w->thread == thread)
      at = &w->next;
    else
      {
	add (object, w);
	*at = w->next;
	free (w);
      }
}

void
cab_data_map_allocate (struct cab_data_map *map, const struct cab_data_access *a)
{
  uint32_t object = object_of_site (map, a->site, a->node, CAB_DATA_BLOCK);
  struct block *block = XNEW (struct block);
  *block = (struct block) { a->address, a->bytes, object };
  map->objects[object]->blocks++;
  map->objects[object]->bytes += a->bytes;
  splay_tree_insert (map->blocks, a->address, (splay_tree_value) block);
  for (splay_tree_node node = splay_tree_successor (map->waiting, a->address - 1);
       node && node->key - a->address < a->bytes;)
    {
      uint64_t at = node->key;
      take_waiting (node, map->objects[object], a->thread);
      if (!node->value)
	splay_tree_remove (map->waiting, at);
      node = splay_tree_successor (map->waiting, at);
    }
}

/* Return what MODULE's debugging information says of the variable at ADDRESS (link-time), or
   null. */
static const struct cab_dwarf_variable *
declared (struct cab_data_map *map, const struct cab_loaded_image *module, uint64_t address)
{
  struct known *known = &map->known[module - map->modules.items];
  if (!known->asked)
    known->declared = cab_dwarf_variables (module->path, &map->names, &known->n_declared);
  known->asked = true;
  return cab_dwarf_variable_at (known->declared, known->n_declared, address);
}

static uint32_t
add_variable (struct cab_data_map *map, const struct cab_loaded_image *module,
	      const struct cab_image_symbol *symbol)
{
  const struct cab_dwarf_variable *v = declared (map, module, symbol->address);
  return add_object (map, (struct cab_data_object) {
    .kind = CAB_DATA_VARIABLE, .name = symbol->name, .module = module->path, .bytes = symbol->bytes,
    .file = v ? v->file : "", .type = v ? v->type : "", .line = v ? v->line : 0
  });
}

static struct cab_data_object *
find_variable (struct cab_data_map *map, uint64_t address)
{
  const struct cab_loaded_image *module;
  const struct cab_image_symbol *symbol = cab_loaded_object (&map->modules, address, &module);
  if (!symbol)
    return NULL;
  uint32_t *object = &map->known[module - map->modules.items]
			.objects[symbol - module->image.objects];
  if (!*object)
    *object = 1 + add_variable (map, module, symbol);
  return map->objects[*object - 1];
}

static struct cab_data_object *
find (struct cab_data_map *map, uint64_t address)
{
  splay_tree_node node = splay_tree_lookup (map->blocks, address);
  node = node ? node : splay_tree_predecessor (map->blocks, address);
  const struct block *block = node ? (const struct block *) node->value : NULL;
  return block && address - block->start < block->bytes ? map->objects[block->object]
							: find_variable (map, address);
}

static void
wait (struct cab_data_map *map, uint64_t address, const struct waiting *n)
{
  splay_tree_node node = splay_tree_lookup (map->waiting, address);
  struct waiting *w = node ? (struct waiting *) node->value : NULL;
  while (w && (w->site != n->site || w->thread != n->thread))
    w = w->next;
  if (!w)
    {
      w = XNEW (struct waiting);
      *w = (struct waiting) { .next = node ? (struct waiting *) node->value : NULL,
			      .site = n->site,
			      .thread = n->thread };
      if (node)
	node->value = (splay_tree_value) w;
      else
	splay_tree_insert (map->waiting, address, (splay_tree_value) w);
    }
  w->reads += n->reads;
  w->writes += n->writes;
  w->accesses += n->accesses;
  w->moved += n->moved;
}

void
cab_data_map_access (struct cab_data_map *map, const struct cab_data_access *a)
{
  struct waiting one = {
    NULL, a->site, a->thread, (a->form & CAB_ROW_READ) != 0, (a->form & CAB_ROW_WRITE) != 0,
    1,	  a->bytes
  };
  struct cab_data_object *object = find (map, a->address);
  if (object)
    add (object, &one);
  else
    wait (map, a->address, &one);
}

static int
settle (splay_tree_node node, void *to)
{
  struct cab_data_map *map = to;
  for (const struct waiting *w = (const struct waiting *) node->value; w; w = w->next)
    {
      uint32_t object = object_of_site (map, w->site, 0, CAB_DATA_ELSEWHERE);
      add (map->objects[object], w);
    }
  return 0;
}

void
cab_data_map_settle (struct cab_data_map *map)
{
  splay_tree_foreach (map->waiting, settle, map);
  splay_tree_delete (map->waiting);
  map->waiting = splay_tree_new (splay_tree_compare_pointers, NULL, free_waiting);
}

struct cab_data_object *
cab_data_map_next (struct cab_data_map *map, uint32_t *cursor)
{
  return *cursor < map->n_objects ? map->objects[(*cursor)++] : NULL;
}

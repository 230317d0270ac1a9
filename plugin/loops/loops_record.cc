/* loops_record.cc - writes the loop tables of a unit as L1 records (info.h).
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/emit/plugin.h"
#include "plugin/emit/record_text.h"
#include "plugin/emit/row.h"
#include "plugin/loops/loops_record.h"
#include "cabprof/info.h"
#include "cabprof/loops.h"

static void
put_loop (struct obstack *ob, const cab_source_loop *loop, unsigned file)
{
  char parent[16] = "-";
  if (loop->parent >= 0)
    sprintf (parent, "%d", loop->parent);
  cab_record_put (ob, "l\t%u:%d:%d\t%u\t%d\t%x\t%s\t%u\t%s%s%s\n", file, loop->place.line,
		  loop->place.column, loop->ordinal, loop->last_line, loop->checksum, parent,
		  loop->depth, loop->flags & (CAB_SOURCE_UNTOLD | CAB_SOURCE_MACRO) ? "" : "-",
		  loop->flags & CAB_SOURCE_UNTOLD ? "u" : "",
		  loop->flags & CAB_SOURCE_MACRO ? "m" : "");
}

/* Return the hash of the contents of FILE, or 0 if it cannot be read. */
static uint64_t
read_hash (const char *file)
{
  uint64_t hash = CAB_SOURCE_HASH;
  char text[16384];
  size_t n;
  FILE *from = fopen (file, "re");
  if (!from)
    return 0;
  while ((n = fread (text, 1, sizeof text, from)))
    hash = cab_source_hash (hash, text, n);
  bool bad = ferror (from);
  fclose (from);
  return bad ? 0 : hash;
}

/* Return the same, which is read once for all records. */
static uint64_t
hash_of (const char *file)
{
  static hash_map<nofree_string_hash, uint64_t> *known;
  if (!known)
    known = new hash_map<nofree_string_hash, uint64_t>;
  bool present;
  uint64_t &hash = known->get_or_insert (file, &present);
  if (!present)
    hash = read_hash (file);
  return hash;
}

static void
record (const cab_source_loops *table)
{
  struct obstack ob;
  auto_vec<const char *> files;
  auto_vec<unsigned> file_of;
  gcc_obstack_init (&ob);
  for (const cab_source_loop &loop : table->loops)
    file_of.safe_push (cab_record_file (&files, loop.place.file));
  char *function = cab_escaped (table->function), *name = cab_escaped (table->name);
  cab_record_put (&ob, "L%c\t%s\t%s\n", CAB_INFO_VERSION, function, name);
  for (const char *file : files)
    {
      char *path = cab_source_name (file);
      uint64_t hash = table->facts ? hash_of (file) : 0;
      cab_record_put (&ob, hash ? "f\t%s\t%016" PRIx64 "\n" : "f\t%s\n", path, hash);
      free (path);
    }
  cab_record_put (&ob, "g\t%d\n", BUILDING_GCC_MAJOR);
  for (unsigned i = 0; i < table->loops.length (); i++)
    put_loop (&ob, &table->loops[i], file_of[i]);
  if (table->facts)
    obstack_grow (&ob, table->facts, strlen (table->facts));
  cab_record_emit ((char *) obstack_base (&ob), obstack_object_size (&ob));
  obstack_free (&ob, NULL);
  free (function);
  free (name);
}

void
cab_loops_record (void)
{
  for (const cab_source_loops *table : cab_loops_all ())
    record (table);
}

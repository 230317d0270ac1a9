/* row.cc - rows, which probes refer to, and records, which describe the rows.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row must be one per function after every kind of link: folded where the function is COMDAT,
 * gone where the linker drops the function, kept where it does not.  So each row lives in a
 * section of its own.  GCC has no way to ask for the section flags that this takes; the name of
 * the section carries them, and a # after them turns what GCC adds into a comment for the
 * assembler. */
#include "plugin/emit/escape.h"
#include "plugin/emit/options.h"
#include "plugin/emit/row.h"
#include "plugin/emit/root.h"
#include "cabprof/abi.h"
#include "cabprof/info.h"

static tree row_type;    /* unsigned[16]: struct cab_row */
static tree slot_type;   /* volatile unsigned long */

static void
make_types (void)
{
  if (row_type)
    return;
  row_type = cab_root (build_array_type_nelts (unsigned_type_node, CAB_ROW_BYTES / 4));
  slot_type = cab_root (build_qualified_type (long_unsigned_type_node, TYPE_QUAL_VOLATILE));
}

static unsigned
hash_text (const char *text, size_t length)
{
  unsigned h = 2166136261u;
  for (size_t i = 0; i < length; i++)
    h = (h ^ (unsigned char) text[i]) * 16777619u;
  return h;
}

/* Return a key of the options: functions that differ in what their probes do must not share a row,
   even where name and shape agree. */
static unsigned
options_key (void)
{
  return (cab_opts.events & 7) | (cab_opts.paths == CAB_PATHS_TRACE) << 3
       | (cab_opts.ring & 1) << 4 | cab_opts.cut_at_calls << 5 | cab_opts.loops_untimed << 6
       | cab_opts.context << 7 | (cab_opts.ring & 2) << 7;
}

static tree
build_static (const char *name, tree type)
{
  tree decl = build_decl (UNKNOWN_LOCATION, VAR_DECL, get_identifier (name), type);
  SET_DECL_ASSEMBLER_NAME (decl, get_identifier (name));
  TREE_STATIC (decl) = 1;
  TREE_USED (decl) = 1;
  TREE_ADDRESSABLE (decl) = 1;
  DECL_ARTIFICIAL (decl) = 1;
  DECL_IGNORED_P (decl) = 1;
  DECL_CONTEXT (decl) = NULL_TREE;
  return decl;
}

/* Make ROW one for all units, as its function is: hidden, in a COMDAT group of its own.  It is not
   in the function's group: another object's copy of that may be kept, while here the function was
   inlined and its row is still referred to. */
static void
make_row_comdat (tree row, const char *name)
{
  TREE_PUBLIC (row) = 1;
  DECL_VISIBILITY (row) = VISIBILITY_HIDDEN;
  DECL_VISIBILITY_SPECIFIED (row) = 1;
  make_decl_one_only (row, get_identifier (name));
}

void
cab_row_begin (struct cab_row_desc *desc, function *fn, unsigned checksum, bool memory)
{
  make_types ();
  const char *function = targetm.strip_name_encoding (
    IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fn->decl)));
  char *name = memory ? xasprintf ("__cab_row.%s.%08xm%d", function, checksum,
				   cab_opts.memory_encoding | cab_opts.memory_proof << 4
				     | !!(cab_opts.events & CAB_EVENTS_VALUES) << 5
				     | cab_opts.memory_sample << 6 | cab_opts.values_all << 7)
		      : xasprintf ("__cab_row.%s.%08x%02x", function, checksum, options_key ());
  bool comdat = DECL_COMDAT (fn->decl) || DECL_COMDAT_GROUP (fn->decl);

  memset (desc, 0, sizeof *desc);
  desc->checksum = checksum;
  desc->row = build_static (name, row_type);
  SET_DECL_ALIGN (desc->row, CAB_ROW_BYTES * BITS_PER_UNIT);
  DECL_USER_ALIGN (desc->row) = 1;
  if (comdat)
    make_row_comdat (desc->row, name);

  char *section = comdat ? xasprintf (".data.%s,\"awG\",@progbits,%s,comdat#", name, name)
			 : xasprintf (".data.%s,\"aw\",@progbits,unique,%u#", name,
				      hash_text (name, strlen (name)) & 0x7fffffff);
  set_decl_section_name (desc->row, section);
  /* GCC's own check (-fchecking) lets a COMDAT variable have a section of its own only by
     attribute. */
  if (comdat)
    DECL_ATTRIBUTES (desc->row) = tree_cons (
      get_identifier ("section"),
      build_tree_list (NULL_TREE, build_string (strlen (section) + 1, section)),
      DECL_ATTRIBUTES (desc->row));
  free (section);
  free (name);
}

/* Return a variable of section .cabprof_info that holds the record INFO. */
static tree
build_record (const char *info, size_t length)
{
  static unsigned n_records;
  char name[64], section[96];
  char *text = XNEWVEC (char, length + 2);
  text[0] = CAB_INFO_MARK;
  memcpy (text + 1, info, length);
  text[length + 1] = 0;
  unsigned hash = hash_text (text, length + 2);
  /* The linker drops temporary names in such sections.  The values of other names are offsets,
     which valgrind takes for addresses, and it dies of a record that seems to reach into the code.
     Where the link-time compilation distributes variables over files, names have to be real. */
  sprintf (name, flag_generate_lto || in_lto_p ? "__cab_info.%08x.%u" : "*.Lcab_info.%08x.%u", hash,
	   n_records++);
  sprintf (section, CAB_INFO_SECTION ",\"MS\",@progbits,1,unique,%u#", hash & 0x7fffffff);

  tree value = build_string (length + 2, text);
  free (text);
  TREE_TYPE (value) = build_array_type_nelts (char_type_node, length + 2);
  TREE_CONSTANT (value) = TREE_READONLY (value) = TREE_STATIC (value) = 1;
  tree decl = build_static (name, TREE_TYPE (value));
  TREE_READONLY (decl) = 1;
  SET_DECL_ALIGN (decl, BITS_PER_UNIT);
  DECL_USER_ALIGN (decl) = 1;
  DECL_INITIAL (decl) = value;
  set_decl_section_name (decl, section);
  return decl;
}

/* Hand DECL over to the compiler.  Its place among a unit's variables means nothing and is not
   kept, even at -O0: the link-time compilation fails an assertion of its own (lto_balanced_map)
   where a record keeps its place and the row that refers to it is not in the program. */
static void
finalize (tree decl)
{
  varpool_node::finalize_decl (decl);
  varpool_node::get (decl)->no_reorder = false;
}

void
cab_record_emit (const char *info, size_t info_length)
{
  tree record = build_record (info, info_length);
  DECL_PRESERVE_P (record) = 1;
  finalize (record);
}

/* Return &A - &B modulo 2^32, which becomes a PC-relative relocation that the static linker
   resolves. */
static tree
build_difference (tree a, tree b)
{
  tree difference = build2 (MINUS_EXPR, unsigned_type_node,
			    build1 (NOP_EXPR, unsigned_type_node, build_fold_addr_expr (a)),
			    build1 (NOP_EXPR, unsigned_type_node, build_fold_addr_expr (b)));
  TREE_CONSTANT (difference) = 1;
  return difference;
}

static void
append_word (vec<constructor_elt, va_gc> *&words, unsigned value)
{
  CONSTRUCTOR_APPEND_ELT (words, size_int (vec_safe_length (words)),
			  build_int_cst (unsigned_type_node, value));
}

void
cab_row_finish (struct cab_row_desc *desc, function *, const char *info, size_t info_length)
{
  tree record = build_record (info, info_length);
  vec<constructor_elt, va_gc> *words = NULL;
  gcc_assert (offsetof (struct cab_row, magic) == 32 && offsetof (struct cab_row, n_accesses) == 50
	      && sizeof (struct cab_row) == CAB_ROW_BYTES);
  for (unsigned i = 0; i < offsetof (struct cab_row, magic) / 4; i++)
    append_word (words, 0);
  append_word (words, CAB_ROW_MAGIC);
  append_word (words, CAB_ABI_VERSION | desc->flags << 16);
  CONSTRUCTOR_APPEND_ELT (words, size_int (vec_safe_length (words)),
			  build_difference (record, desc->row));
  append_word (words, desc->checksum);
  append_word (words, desc->n_counters | desc->n_accesses << 16);
  append_word (words, desc->n_sites);
  tree value = build_constructor (row_type, words);
  TREE_CONSTANT (value) = TREE_STATIC (value) = 1;
  DECL_INITIAL (desc->row) = value;
  finalize (record);
  finalize (desc->row);
}

tree
cab_row_slot (struct cab_row_desc *desc, unsigned offset)
{
  tree slot = build2 (MEM_REF, slot_type, build_fold_addr_expr (desc->row),
		      build_int_cst (build_pointer_type (slot_type), offset));
  TREE_THIS_VOLATILE (slot) = 1;
  TREE_SIDE_EFFECTS (slot) = 1;
  return slot;
}

char *
cab_escaped (const char *text)
{
  size_t bytes = cab_info_escape (NULL, 0, text) + 1;
  char *escaped = XNEWVEC (char, bytes);
  cab_info_escape (escaped, bytes, text);
  return escaped;
}

char *
cab_source_name (const char *file)
{
  return cab_escaped (file ? remap_debug_filename (file) : "?");
}

/* info.h - the records of .cabprof_info, parsed.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     include/cabprof/info.h, which defines the text.
 * Model:      a file of records is read whole; a record is parsed when a profile refers to it by
 *             its offset.  Every number in a parsed record has been checked: blocks, files and
 *             sites are in range, edges are grouped by their source in the record's order, starts
 *             ascend.
 * Ownership:  parsed records live in the obstack of their file, until cab_info_close.
 * Errors:     0, or negative with words; a record that cannot be parsed does not affect the others.
 */
#ifndef CAB_INFO_H
#define CAB_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cabprof/analysis.h"
#include "analyses/base/names.h"
#include "analyses/profile/part.h"

enum cab_edge_flag
{
  CAB_EDGE_CUT = 1,        /* c */
  CAB_EDGE_ABNORMAL = 2,   /* x */
  CAB_EDGE_EXCEPTION = 4,  /* h */
  CAB_EDGE_TRUE = 8,       /* t */
  CAB_EDGE_FALSE = 16,     /* f */
  CAB_EDGE_FALLTHRU = 32,  /* F */
  CAB_EDGE_FAKE = 64,      /* k */
  CAB_EDGE_NO_COUNT = 128, /* w */
  CAB_EDGE_MADE = 256      /* m: to an empty block that the plugin has made on the edge after a
			      call */
};
#define CAB_BLOCK_ENTRY 0
#define CAB_BLOCK_EXIT 1

struct cab_line
{
  uint32_t file, line;  /* file: index in files */
};

struct cab_edge
{
  uint32_t src, dst, flags;
  uint64_t value;
};

struct cab_block
{
  uint32_t n_lines, n_edges;
  struct cab_line *lines;
  struct cab_edge *edges;  /* those out of the block, in order */
  uint32_t rank;           /* position in the order in which the compiler lays blocks out, which is
			      that of the record's edges */
};

struct cab_start
{
  uint32_t block;
  uint64_t base;
};

struct cab_call_site
{
  uint32_t block, file, line, column;
  bool tail;
  const char *callee;   /* assembler name, null: indirect */
};

/* A function as GCC's own profile knows it, from a G line or a p line. */
struct cab_gcov
{
  uint32_t ident, lineno, cfg;      /* GCC's identifier and checksums */
  uint32_t unit;                    /* 0, or a sum that tells its unit, if no other has it */
  uint32_t n_counters;
  bool known;
};

struct cab_record
{
  const char *assembler, *source;   /* names, unescaped */
  const char **files;
  uint32_t n_files, file, line, column, last_line;  /* where it is declared; file: index in files,
						       or n_files: unknown */
  uint32_t checksum, n_counters, n_sites, n_blocks, n_edges, n_starts;
  uint64_t n_paths;
  bool cut_at_calls, has_entries, has_arrivals, traced, counted, calls;
  bool generated;                   /* made by the compiler, without a source of its own */
  struct cab_block *blocks;
  struct cab_edge *edges;           /* all of them, grouped by source */
  struct cab_start *starts;
  struct cab_call_site *sites;
  uint32_t n_loops;
  struct cab_binary_probes_loop *loops;
  uint32_t n_accesses, n_allocations, n_access_loops;
  bool loops_numbered;              /* its access_loops have process-wide numbers, after those of
				       the allocations, and their iterations are recorded */
  struct cab_access_place *accesses;
  struct cab_allocation_place *allocations;
  struct cab_access_loop *access_loops;
  struct cab_gcov gcov;
  uint32_t *counters;               /* gcov.n_counters indices in edges */
  uint32_t n_returning, *returning; /* indices in edges: fake edges of calls that return, as far as
				       GCC knows */
  bool has_values;                  /* the next lines are known; older plugins do not write them */
  uint32_t n_topn;                  /* statements whose most frequent values GCC counts */
  uint32_t n_calls;                 /* its indirect calls */
  uint32_t n_indirect, *indirect;   /* n_calls sites that are indirect calls, in the order of GCC's
				       counters; or none */
  uint32_t n_remainders, *remainders;   /* blocks of unsigned remainders by a variable, likewise */
  const char *values;               /* letters of the values that have cells, or share one; "" if
				       none are recorded */
  uint32_t n_cells, *cell_blocks;   /* blocks of the statements whose values the cells count */
  uint32_t n_held;
  struct cab_held_value *held;
};

/* An access of the function's code, from an A line.  If there is none of this number, name is
   null. */
struct cab_access_place
{
  const char *name;                 /* what the source calls it; "?" if it has no name */
  uint32_t of;                      /* number of the access that it is a copy of, for another path
				       or in a copy of its loop's body; its own number if it is no
				       copy */
  uint32_t file, line, column;
  uint32_t loop;                    /* the innermost one, index in access_loops; n_access_loops:
				       none */
  bool read, write, range;
  bool special;                     /* it is volatile, or atomic */
  char bare;                        /* not 0 if it is no access but a value: i of an argument, o
				       returned by a call, n of a variable; or a mark of a loop: b
				       it begins, c an iteration of it begins, e it has ended */
  uint64_t bytes;                   /* 0 for a range */
  uint32_t structure;               /* key of the structure that it accesses; 0: none */
  bool is_element;                  /* it is somewhere in the member at `offset', which is an array;
				       else it is at `offset' itself */
  uint64_t offset;
  const char *update;               /* null, or the operator by which it, with an access that loads
				       or stores, combines what is there with other values */
  bool ordered;                     /* rounding makes the result of that depend on the order */
};

/* A call that allocates or releases, from an M line.  If there is none of this number, callee is
   null. */
struct cab_allocation_place
{
  const char *callee, *type;        /* type: "?" unknown */
  uint32_t file, line, column;
  uint32_t structure;               /* key of the structure; 0: none */
};

/* A loop with accesses, from a T line.  If there is none of this number, origin is null. */
struct cab_access_loop
{
  const char *origin;               /* assembler name of the function that contains it in the
				       source */
  uint32_t file, line, column, ordinal;
  uint32_t parent;                  /* index of the enclosing one; n_access_loops: none */
};

/* What the code of a loop keeps in a register from one iteration to the next, from an H line. */
struct cab_held_value
{
  uint32_t loop;                    /* index in access_loops */
  const char *class, *name, *op;    /* op: of a reduction, else "-" */
  uint32_t line;                    /* 0: unknown */
  bool of_source;                   /* it is a variable of the source */
  bool ordered;                     /* the result of the reduction depends on the order */
};

/* A loop of the function's code, from an L line. */
struct cab_binary_probes_loop
{
  bool known;                       /* it is in the record */
  uint32_t block, file, line, column, ordinal;
  bool has_key;                     /* its source loop is known; place, ordinal and origin are the
				       key of that */
  const char *origin;               /* assembler name of the function that contains it in the
				       source */
  bool at_end, may_stay, timed;     /* flags d, m, t */
  const char *skipped;              /* why it has no probes, or null */
};

/* A structure, from a Y record. */
struct cab_structure
{
  uint32_t key;
  const char *name, *file;
  uint32_t line, column, bytes, align, n_members;
  bool packed, foreign;             /* foreign: from a system header, or the compiler's own */
  bool has_no_tag;                  /* it is named by a typedef only */
  struct cab_member *members;       /* in the source's order */
};

struct cab_member
{
  uint32_t offset, bytes, align;    /* bytes 0: an array without a size */
  bool bit_field;                   /* offset and bytes cover it and its neighbours */
  bool fixed;                       /* the source cannot move it; declaration: "?" */
  bool unnamed;                     /* it has no name: `name' has those of its own members, in
				       braces; declaration: "?" where it is not known */
  bool structures;                  /* an array of structures, whose accesses are recorded as
				       theirs */
  uint32_t element;                 /* key of these structures; 0: unknown */
  const char *name, *declaration;
};

/* Return true if S has no name, and is called by its place, in braces. */
static inline bool
cab_structure_is_unnamed (const struct cab_structure *s)
{
  return *s->name == '{';
}

/* Return true if M has a name of its own and its declaration is known, so that the user can find it
   in the source by its name. */
static inline bool
cab_member_is_named (const struct cab_member *m)
{
  return !m->unnamed && !(*m->declaration == '?' && !m->declaration[1]);
}

/* The fields of an S, U or X record, unescaped. */
struct cab_note
{
  char kind;              /* 'S', 'U', 'X' */
  const char *field[6];   /* S: assembler name, source name, file, line, reason.  U: source file,
			     directory, compiler, options.  X: as S, and the number. */
};

struct cab_info
{
  char *path;
  char *text;             /* the section, followed by a NUL */
  size_t bytes;
  struct cab_names names; /* memory of all that is parsed */
};

/* Read the file of records PATH. */
int cab_info_open (struct cab_info *info, const char *path, struct cab_diag *diag);
/* Return the path of the records of the module KEY (free): in `modules' of the directory that the
   first LENGTH characters of DIR name, with their slash, or, if that is a snapshot, of the profile
   that contains it. */
char *cab_info_module_path (const char *dir, int length, const char *key);

/* Read the records of module MODULE of PART, from the profile that contains the part. */
int cab_info_open_module (struct cab_info *info, const struct cab_part *part, uint32_t module,
			  struct cab_diag *diag);
/* Read the records of an object, a program or a library from the file itself. */
int cab_info_open_elf (struct cab_info *info, const char *path, struct cab_diag *diag);
void cab_info_close (struct cab_info *info);

/* Parse the function's record that begins at OFFSET. */
int cab_info_record (struct cab_info *info, uint64_t offset, struct cab_record *record,
		     struct cab_diag *diag);

/* Find the next record at or after *OFFSET, set *AT to its offset and *OFFSET past it.  Return its
   letter, or 0 at the end. */
char cab_info_next (const struct cab_info *info, uint64_t *offset, uint64_t *at);
/* Parse the S, U or X record at OFFSET. */
int cab_info_note (struct cab_info *info, uint64_t offset, struct cab_note *note,
		   struct cab_diag *diag);
/* Parse the Y record at OFFSET and check that members are inside their structure. */
int cab_info_structure (struct cab_info *info, uint64_t offset, struct cab_structure *structure,
			struct cab_diag *diag);

#endif

/* regions.h - the regions of a function's code, out of its record: what the raw words of an ACCESS
 * event stand for.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Source:     the R, N, A, P, V and M lines of include/cabprof/info.h.
 * Model:      pure.  The text of a record becomes one block of bytes, which stays where it is: the
 *             regions, then the accesses, those of a region together and in program order, once as
 *             they were read and once as columns that batches are made of.  A large function has
 *             many regions, and a run executes few of them: so at first only their places in the
 *             text and in the table are looked up. A region is read when it is asked for, and is
 *             put after those that were read before.
 * Units:      words are the raw words of an event, 0-based; CAB_NO_WORD, one past the last,
 *             stands for a word that is 0.
 * Ownership:  memory is the caller's.  The text must stay as it is until the last region has been
 *             read.
 * Threads:    cab_regions_read: one at a time.  A region that has been read never changes for any
 *             thread; nobody uses the slack after its columns, to which another thread may be
 *             writing.
 * Errors:     the text is hostile: what does not fit is refused, negative; where it is an access, a
 *             value or a nest of one region, this one has no accesses, and no events fit it.
 *             Records without such lines have an empty table.
 */
#ifndef CAB_REGIONS_H
#define CAB_REGIONS_H

#include <stddef.h>
#include <stdint.h>
#include "cabprof/analysis.h"
#include "analyses/wire/nest.h"

#define CAB_NO_WORD CAB_ACCESS_WORDS
#define CAB_REGION_PASSES_MAX (UINT64_C (1) << 36)   /* an event with more passes is refused */

/* This many elements after the columns of a region may be read: the columns of small regions are
   copied with a constant size. */
#define CAB_REGION_SLACK 8u

/* Some bytes of a pass, which begin and end with an access; at most CAB_SPAN_BYTES, except that of
   one access that is longer. */
struct cab_span
{
  uint64_t offset;            /* of the first one, from words[word] on */
  uint32_t last;              /* the last one's distance from the first */
  uint32_t word;
};
#define CAB_SPAN_BYTES 64u

struct cab_region
{
  struct cab_shape shape;     /* id 0: it has none, since there are ranges in it, or nothing; its n
				 is right all the same, and so are its columns except for their
				 order */
  const struct cab_span *span;   /* n_spans: all bytes of a pass, the first one if there are steps;
				    none where there are very many accesses */
  const struct cab_region_access *access;
  const struct cab_region_brief *brief;   /* the same accesses of a short region */
  uint16_t n_spans;
  uint8_t words, count;       /* raw words; number of the one with the count, or CAB_NO_WORD */
  bool is_nest, is_parted;    /* is_parted: all rows of the nest are parts */
  uint8_t has_values;         /* some of its accesses have a value */
  bool is_bare;               /* its accesses are values alone, and it has no shape */
  bool is_marked;             /* some of its accesses are marks of loops, and it has no shape */
  uint32_t short_id;          /* shape.id if it is short: its events are one pass each, its spans
				 all have words, and neither they nor its accesses are longer than
				 CAB_SPAN_BYTES; else 0 */
  uint32_t first;             /* its first access, in the order of the table, which is that of
				 reading */
  uint32_t id;                /* the first number that its shapes may have, whatever was read
				 before */
  uint32_t header;            /* low 24 bits of the header of its events if it has a shape, no
				 count, and a word for each access; else all ones */
  uint32_t told;              /* low 24 bits of the header of its events if it has a shape, with or
				 without a count; else all ones */
  uint32_t ranged;            /* low 24 bits of the header of its events if they are one pass each,
				 and have no shape since there are ranges; else all ones */
  const uint64_t *offset;     /* columns: what is added to the word */
  const uint8_t *word;        /* columns: the number of that word */
  struct cab_shape fixed;     /* ranged: the shape of the accesses that are no ranges, whose columns
				 come first; id 0: there are none.  In the columns after them, the
				 bytes of a range are the number of the word that has its length */
  uint32_t op, n_ops;         /* of a nest: its first operation, and how many it has; else 0 */
  uint32_t n_rows;            /* of a nest: how many of its operations are rows */
};
#define CAB_REGION_WRONG UINT8_MAX   /* words of a region whose lines are malformed */

/* In pass i (not in a nest: see cab_regions_terms) its address is words[word] + offset + i *
   (words[step_word] + step), its length words[bytes_word] + bytes. */
struct cab_region_access
{
  uint64_t offset, step, bytes;
  uint32_t number;            /* in the function */
  uint16_t part;
  uint8_t form;               /* enum cab_row_form */
  uint8_t word, step_word, bytes_word;
  uint8_t value_word, value_type;   /* CAB_NO_WORD: none; enum cab_value_type and flags */
  uint8_t twin;               /* how many accesses back the last one is that has the same address in
				 each pass, and as many bytes; 0: none has */
  uint32_t loop;              /* 1 + the number of the innermost loop that it is in, or of the loop
				 that a mark is of; 0: none */
};

/* An access of a short region, in 16 bytes. */
struct cab_region_brief
{
  uint64_t offset;
  uint32_t site;              /* as in the shape */
  uint8_t word, last;         /* last: bytes, less one */
  bool is_write;              /* and no read */
  uint8_t reserved;
};
_Static_assert (sizeof (struct cab_region_brief) == 16, "four in a line");

/* Rows of a nest, or all those of a leaf, as a region whose events are made from the nest's: its
   words are terms of some accesses, without their constants, which are in the others' offsets, then
   raw words of the nest that steps are in, then how many passes there are, if it is in a leaf.  The
   parts of a leaf, and the leaf itself, all have the same words, if these are not too many. */
struct cab_nest_part
{
  struct cab_region region;
  uint32_t terms;             /* access 0 of `from', in the order of the table */
  uint8_t n_terms, n_steps;
  uint8_t from[CAB_ACCESS_WORDS];   /* source of each word: an access, or a word of the nest */
};

/* What is known of a region before it is read. */
struct cab_region_place
{
  uint32_t line;              /* where its R line begins in the text, plus 1; 0: not found yet */
  uint32_t before, n;         /* accesses of the regions with lower numbers; its own */
  uint32_t read;              /* its position in the order of reading, from 1; 0: not read yet */
};

/* The head of the block.  After it come the places of regions, the regions that were read, their
   accesses, the spans, the terms of the accesses of nests, operations of nests, their parts, the
   columns, and where the accesses' lines are. */
struct cab_regions
{
  uint32_t n_regions, n_accesses, n_allocations, n_levels;
  uint32_t n_loops;           /* that have process-wide numbers, after those of the allocations; 0
				 where iterations are not recorded */
  uint32_t first;             /* process-wide number of access 0 */
  uint32_t n_read, n_read_accesses, n_read_ops;
  uint32_t length;            /* bytes of the text */
  const char *text;           /* null: the text, or something in it, is larger than it can be */
};

/* Return how many whole passes an event with the raw words WORDS has, times 256, plus which parts
   of one pass more happened, those below the low byte. */
static inline uint64_t
cab_region_count (const struct cab_region *r, const uint64_t *words)
{
  return r->count == CAB_NO_WORD ? 1 << 8 : words[r->count];
}

/* Return the places of the regions, by number. */
static inline const struct cab_region_place *
cab_regions_places (const struct cab_regions *regions)
{
  return (const struct cab_region_place *) (regions + 1);
}

/* Return the regions that were read, in the order of reading. */
static inline const struct cab_region *
cab_regions_all_read (const struct cab_regions *regions)
{
  return (const struct cab_region *) (cab_regions_places (regions) + regions->n_regions);
}

/* Return REGION, which is below n_regions; null if it has not been read. */
static inline const struct cab_region *
cab_regions_at (const struct cab_regions *regions, uint32_t region)
{
  uint32_t read = __atomic_load_n (&cab_regions_places (regions)[region].read, __ATOMIC_ACQUIRE);
  return read ? cab_regions_all_read (regions) + read - 1 : NULL;
}

/* Return the accesses, in the order of the table. */
static inline const struct cab_region_access *
cab_regions_accesses (const struct cab_regions *regions)
{
  return (const struct cab_region_access *) (cab_regions_all_read (regions) + regions->n_regions);
}

/* Return the terms of the accesses, one for each if there are nests; only those of nests have a
   meaning. */
static inline const struct cab_term *
cab_regions_terms (const struct cab_regions *regions)
{
  const struct cab_span *spans = (const struct cab_span *) (cab_regions_accesses (regions)
							    + regions->n_accesses);
  return (const struct cab_term *) (spans + regions->n_accesses);
}

/* Return the operations of the nests. */
static inline const struct cab_nest_op *
cab_regions_ops (const struct cab_regions *regions)
{
  return (const struct cab_nest_op *) (cab_regions_terms (regions)
				       + (regions->n_levels ? regions->n_accesses : 0));
}

/* Return the parts.  The part of rows whose first access is number K, in the order of the table, is
   number K; but where these lie in all conditions of a leaf, it is that of all the leaf's rows,
   since none of them happens without the others. */
static inline const struct cab_nest_part *
cab_regions_parts (const struct cab_regions *regions)
{
  return (const struct cab_nest_part *) (cab_regions_ops (regions)
					 + (regions->n_levels
					      ? 2 * (size_t) regions->n_levels + regions->n_accesses
					      : 0));
}

/* Measure the record at TEXT, which ends after N bytes or at an earlier NUL, and store in *SIZES
   how much of everything it has, and where.  Return the bytes that its table takes. */
size_t cab_regions_measure (struct cab_regions *sizes, const char *text, size_t n);
/* Make the table, in as many bytes as measured, aligned to 8 and all zero, of a function whose
   access 0 has number FIRST.  No region has been read yet.  Return -1 if the text is wrong, or
   0. */
int cab_regions_begin (struct cab_regions *to, const struct cab_regions *sizes, uint32_t first);
/* Return REGION, which is below n_regions, after reading it if that has not been done. */
const struct cab_region *cab_regions_read (const struct cab_regions *regions, uint32_t region);
/* For tests: return the bytes of the table of the record at TEXT, of at most N bytes. */
size_t cab_regions_bytes (const char *text, size_t n);
/* For tests: make the table at TO, of that many bytes, and read all regions; negative if anything
   is wrong.  The text is not needed afterwards. */
int cab_regions_parse (struct cab_regions *to, const char *text, size_t n, uint32_t first);

#endif

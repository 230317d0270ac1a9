/* profile_writer.c - writes a profile by hand.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "profile_writer.h"
#include "part_writer.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <libiberty/libiberty.h>
#include "analyses/base/heap.h"
#include "analyses/live/an_tree.h"
#include "cabprof/abi.h"
#include "cabprof/profile.h"

#define PAGE 4096u
#define START PART_START
#define MAIN_SUM 0xaaa8766du
#define FIB_SUM 0x028320beu
#define CMP_SUM 0xbd5e5de7u
#define GET_SUM 0x00000a0au
#define STEP_SUM 0x00000b0bu
#define TWIN_SUM 0x00000c01u
#define TWIN_SUM_2 0x00000c02u

/* prog.c as GCC saw it, by lines: 3 cmp; 4 fib (n) = n < 2 ? n : fib (n-1) + fib (n-2); 5 main: 7
   loop, 8 if (i % 3) 9 a; else 11 b; 13 qsort (cmp); 14 fib. */
static const char *const prog_records[] = {
  "\1U1\tprog.c\t/src\tGNU C17 12.2.0\t-O2 events=paths+calls\n",
  "\1F1\tmain\tmain\nf\tprog.c\nD\t0\t5\t5\t16\nC\taaa8766d\tcle\t8\t2\nB\t9\t6\n"
  "b\t2\t0:5,6\nb\t3\t0:8\nb\t4\t0:9\nb\t5\t0:11\nb\t6\t0:7\nb\t7\t0:7\nb\t8\t0:13,14,15\n"
  "e\t0\t2\tF\t0\ne\t2\t7\tcF\t0\ne\t3\t4\tt\t0\ne\t3\t5\tf\t1\ne\t4\t6\tF\t0\ne\t5\t6\tF\t0\ne\t6"
  "\t7\tcF\t0\n"
  "e\t7\t3\tt\t0\ne\t7\t8\tf\t2\ne\t8\t1\t-\t0\ns\t0\t0\ns\t7\t1\n"
  "k\t0\t8\t0:13:3\tqsort\t-\nk\t1\t8\t0:14:8\tfib\t-\n",
  "\1F1\tcmp\tcmp\nf\tprog.c\nD\t0\t3\t12\t3\nC\tbd5e5de7\tcl\t3\t0\nB\t3\t1\nb\t2\t0:"
  "3\ne\t0\t2\tF\t0\ne\t2\t1\t-\t0\ns\t0\t0\n",
  "\1F1\tfib\tfib\nf\tprog.c\nD\t0\t4\t38\t4\nC\t028320be\tcle\t4\t2\nB\t5\t2\nb\t2\t0:4\nb\t3\t0:"
  "4\nb\t4\t0:4\n"
  "e\t0\t2\tF\t0\ne\t2\t3\tt\t0\ne\t2\t4\tf\t1\ne\t3\t4\tF\t0\ne\t4\t1\t-\t0\ns\t0\t0\n"
  "k\t0\t3\t0:4:60\tfib\t-\nk\t1\t3\t0:4:70\tfib\t-\n",
  "\1F1\t_ZN2ns1A3getEi\tget\nf\tlib/a.cc\nf\tlib/"
  "a.h\nD\t0\t20\t5\t24\nC\ta0a\tc\t3\t0\nB\t3\t1\nb\t2\t0:21;1:7,8;0:22\n"
  "e\t0\t2\tF\t0\ne\t2\t1\t-\t0\ns\t0\t0\nz\ta line of a later version\n",
  "\1F1\t__phys_MOD_step\tstep\nf\tphys.f90\nD\t0\t2\t1\t9\nC\tb0b\tc\t3\t0\nB\t3\t1\nb\t2\t0:3,5,"
  "7\ne\t0\t2\tF\t0\ne\t2\t1\t-\t0\ns\t0\t0\n",
  "\1F1\tnever_run\tnever_run\nf\tprog.c\nD\t0\t20\t1\t22\nC\td0d\tc\t3\t0\nB\t3\t1\nb\t2\t0:20,"
  "21\ne\t0\t2\tF\t0\ne\t2\t1\t-\t0\ns\t0\t0\n",
  "\1S1\tresolve\tresolve\tprog.c\t30\tifunc resolver\n",
  "\1S1\tquiet\tquiet\ta\\tb.c\t31\tattribute no_instrument_function\n",
  "\1S1\tsilent\tsilent\tprog.c\t32\tattribute no_instrument_function\n",
  NULL
};

static const char *const twin_records[] = {
  "\1F1\ttwin\ttwin\nf\ttwin.c\nD\t0\t1\t1\t2\nC\tc01\tc\t3\t0\nB\t3\t1\nb\t2\t0:"
  "1\ne\t0\t2\tF\t0\ne\t2\t1\t-\t0\ns\t0\t0\n",
  NULL
};

static const char *const twin_records_2[] = {
  "\1F1\ttwin\ttwin\nf\ttwin.c\nD\t0\t1\t1\t4\nC\tc02\tc\t3\t0\nB\t3\t1\nb\t2\t0:1,"
  "3\ne\t0\t2\tF\t0\ne\t2\t1\t-\t0\ns\t0\t0\n",
  NULL
};

uint32_t
part_string (struct part *p, const char *text)
{
  uint32_t at = p->n_strings;
  strcpy (p->strings + at, text);
  p->n_strings += strlen (text) + 1;
  return at;
}

void
part_extent (struct part *p, unsigned kind, unsigned owner, const void *bytes, size_t n)
{
  size_t rounded = (n + PAGE - 1) / PAGE * PAGE;
  uint64_t area = 0;
  for (uint32_t i = 0; i < p->header.n_extents; i++)
    if (p->header.extents[i].kind == kind && p->header.extents[i].owner == owner)
      area += p->header.extents[i].bytes;
  p->header.extents[p->header.n_extents++] = (struct cab_extent) { kind, owner,
								   sizeof p->header + p->bytes,
								   area, rounded };
  p->data = xrealloc (p->data, p->bytes + rounded);
  memset (p->data + p->bytes, 0, rounded);
  memcpy (p->data + p->bytes, bytes, n);
  p->bytes += rounded;
}

struct part *
part_new (uint64_t pid, const char *command, const char *options)
{
  struct part *p = XCNEW (struct part);
  struct cab_part_header *h = &p->header;
  memcpy (h->magic, CAB_PART_MAGIC, sizeof h->magic);
  h->version = CAB_PART_VERSION;
  h->byte_order = CAB_PART_BYTE_ORDER;
  h->header_bytes = sizeof *h;
  h->page_bytes = PAGE;
  h->pid = pid;
  h->ppid = 100;
  h->start_realtime_ns = START + pid * 1000000000;
  h->start_ticks = 1;
  part_string (p, "");
  h->exe = part_string (p, "/src/prog");
  h->cwd = part_string (p, "/src");
  h->cmdline = part_string (p, command);
  h->options = part_string (p, options);
  h->version_text = part_string (p, "cabprof test");
  return p;
}

int
part_save (struct part *p, const char *dir)
{
  char *path = XNEWVEC (char, strlen (dir) + 64);
  p->header.file_bytes = sizeof p->header + p->bytes;
  sprintf (path, "%s/%ju-%jx.part", dir, (uintmax_t) p->header.pid,
	   (uintmax_t) p->header.start_realtime_ns);
  FILE *file = fopen (path, "wb");
  int bad = !file || fwrite (&p->header, sizeof p->header, 1, file) != 1
	 || fwrite (p->data, 1, p->bytes, file) != p->bytes;
  bad |= !file || fclose (file) != 0;
  free (path);
  free (p->data);
  free (p);
  return bad ? -1 : 0;
}

/* Write modules/KEY.info, and set *OFFSET of each record. */
int
part_save_info (const char *dir, const char *key, const char *const *records, uint32_t *offset)
{
  char *path = XNEWVEC (char, strlen (dir) + 64);
  uint32_t at = 0;
  sprintf (path, "%s/modules/%s.info", dir, key);
  FILE *file = fopen (path, "wb");
  for (int i = 0; file && records[i]; i++)
    {
      size_t n = strlen (records[i]) + 1;
      offset[i] = at;
      at += n;
      fwrite (records[i], 1, n, file);
    }
  free (path);
  return !file || fclose (file) != 0 ? -1 : 0;
}

/* These are the offsets of the records. */
static uint32_t prog[16], twin[2], twin_2[2];

static const struct cab_part_function functions_101[] = {
  { 0, 0, MAIN_SUM, CAB_ROW_PATHS_COUNT | CAB_ROW_CALLS | CAB_ROW_ENTRIES, 0, 8, 2, 1, 0 },
  { 0, 0, FIB_SUM, CAB_ROW_PATHS_COUNT | CAB_ROW_CALLS | CAB_ROW_ENTRIES, 64, 4, 2, 3, 0 },
  { 0, 0, CMP_SUM, CAB_ROW_PATHS_COUNT | CAB_ROW_CALLS, 96, 3, 0, 0, 0 },
  { 0, 0, GET_SUM, CAB_ROW_PATHS_COUNT, 120, 3, 0, 0, 0 },
  { 0, 0, STEP_SUM, CAB_ROW_PATHS_COUNT, 144, 3, 0, 0, 0 },
  { 1, 0, TWIN_SUM, CAB_ROW_PATHS_COUNT, 168, 3, 0, 0, 0 },
  { 2, 77, 0x99, CAB_ROW_PATHS_COUNT | CAB_ROW_ENTRIES, 192, 4, 0, 0, 0 }
};
static const int record_101[] = { 1, 3, 2, 4, 5, 0, 0 };

/* There are two areas of counters: main ran in the first, fib and get in both. */
static const uint64_t counts_101[2][28] = {
  { 1, 0, 1, 66, 34, 1, 0, 0, 177, 0, 88, 89, 0, 0, 494, 0, 0, 7, 0, 0, 5, 0, 0, 3, 11, 0, 0, 0 },
  { 0, 0, 0, 0, 0, 0, 0, 0, 25, 0, 12, 12, 0, 0, 0, 0, 0, 1000000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
};

static void
tables (struct part *p, const struct cab_part_function *functions, const int *record, uint32_t n,
	const uint32_t *offsets, const char *const *keys, uint32_t n_keys)
{
  struct cab_part_function copy[8];
  struct cab_part_module modules[4] = { { 0, 0, 0 } };
  for (uint32_t i = 0; i < n; i++)
    {
      copy[i] = functions[i];
      copy[i].info_offset = functions[i].module == 0 ? offsets[record[i]]
						     : functions[i].info_offset;
    }
  for (uint32_t i = 0; i < n_keys; i++)
    {
      char path[64];
      sprintf (path, "/src/%s", keys[i]);
      modules[i] = (struct cab_part_module) { part_string (p, path), part_string (p, keys[i]), 0 };
    }
  part_extent (p, CAB_EXT_STRINGS, 0, p->strings, p->n_strings);
  part_extent (p, CAB_EXT_MODULES, 0, modules, n_keys * sizeof *modules);
  part_extent (p, CAB_EXT_FUNCTIONS, 0, copy, n * sizeof *copy);
  p->header.n_modules = n_keys;
  p->header.n_functions = n;
}

struct call
{
  uint32_t fn, site, depth;
};

/* main calls cmp through qsort 494 times, then fib (3), which calls itself. */
static void
feed_tree (struct cab_arena *arena, uint32_t from, uint32_t to)
{
  static const struct call fibs[] = {
    { 2, 2, 1 }, { 2, 3, 2 }, { 2, 3, 3 }, { 2, 4, 3 }, { 2, 4, 2 }
  };
  for (uint32_t i = from; i < to; i++)
    {
      struct call c = i == 0 ? (struct call) { 1, 0, 0 }
		    : i <= 494 ? (struct call) { 3, 1, 1 }
		    : fibs[(i - 495) % 5];
      uint64_t event = cab_ev_call (CAB_EV_CALL, c.depth, c.fn, c.site);
      struct cab_batch batch = { .kind = CAB_EV_CALL, .n = 1, .events = &event };
      cab_tree.feed (arena, &batch, NULL);
    }
}

static void
add_tree (struct part *p, uint32_t thread, uint32_t ring, uint32_t name, uint32_t n)
{
  struct cab_arena arena;
  uint32_t i = p->header.n_arenas++;
  cab_heap_open (&arena, &cab_tree);
  feed_tree (&arena, 0, n);
  p->header.arenas[i] = (struct cab_part_arena) { name, 0, thread, ring, arena.used };
  part_extent (p, CAB_EXT_ARENA, i, arena.base, arena.used);
  cab_heap_fini (&arena);
}

static int
write_101 (const char *dir)
{
  static const char *const keys[] = { "prog", "twin", "gone" };
  struct part *p = part_new (101, "./prog\1--first\1run", "");
  struct cab_part_thread threads[] = { { 101, START, START + 5, 0, 0, "prog" },
				       { 103, START + 1, START + 4, 1, 1, "worker" } };
  uint32_t tree = part_string (p, "tree");
  tables (p, functions_101, record_101, 7, prog, keys, 3);
  part_extent (p, CAB_EXT_THREADS, 0, threads, sizeof threads);
  part_extent (p, CAB_EXT_COUNTS, 0, counts_101[0], sizeof counts_101[0]);
  part_extent (p, CAB_EXT_COUNTS, 1, counts_101[1], sizeof counts_101[1]);
  p->header.n_threads = p->header.n_counts = p->header.n_rings = 2;
  p->header.counts_bytes = sizeof counts_101[0];
  add_tree (p, 0, 0, tree, 500);
  add_tree (p, 1, 1, tree, 1);
  p->header.state = CAB_PART_ENDED;
  p->header.end_realtime_ns = p->header.start_realtime_ns + 1234000000;
  p->header.ledger = (struct cab_ledger) { .enqueued = 510,
					   .analysed = 501,
					   .dropped = { 4, 3, 2 },
					   .blocked_ns = 2500000,
					   .n_blocked = 2,
					   .stashed = 1,
					   .n_functions_refused = 1 };
  return part_save (p, dir);
}

#define CHUNK_SLOTS 512
#define N_CHUNKS 8

/* Chunk 0 was consumed, but the account does not have it yet (the analysis has also had 10 events
   of chunk 1); chunk 1 is published; chunk 2 is open. */
static void
add_ring (struct part *p)
{
  static struct
  {
    struct cab_ring_header header;
    unsigned char pad[CAB_RING_HEADER_BYTES - sizeof (struct cab_ring_header)];
    uint64_t slots[N_CHUNKS * (CHUNK_SLOTS + CAB_RING_RED_SLOTS)];
  } ring;
  memset (&ring, 0, sizeof ring);
  ring.header.type = CAB_RING_CHUNK;
  ring.header.n_chunks = N_CHUNKS;
  ring.header.chunk_slots = CHUNK_SLOTS;
  ring.header.head = 2;
  ring.header.entered = 3;
  ring.header.tail = 1;
  ring.header.slots_address = 0x7f0000001000;
  ring.header.cursor.next = (ring.header.slots_address
			     + 8 * (2 * (CHUNK_SLOTS + CAB_RING_RED_SLOTS) + 3))
			  | CAB_CURSOR_BUSY;
  ring.header.used[0] = 500;
  ring.header.used[1] = 200;
  ring.header.seen[1][CAB_EV_CALL] = 500;
  for (uint64_t i = 0; i < 203; i++)
    {
      uint64_t depth = i % 5 == 0 ? 1
		     : i % 5 == 2 || i % 5 == 3 ? 3
		     : 2,
	       site = i % 5 == 0 ? 2
		    : i % 5 == 1 || i % 5 == 2 ? 3
		    : 4;
      uint64_t word = depth << CAB_EV_DEPTH_SHIFT | UINT64_C (2) << CAB_EV_CALLEE_SHIFT
		    | site << CAB_EV_SITE_SHIFT | CAB_EV_CALL;
      ring.slots[(i < 200 ? 1 : 2) * (CHUNK_SLOTS + CAB_RING_RED_SLOTS) + i % 200] = word;
    }
  part_extent (p, CAB_EXT_RING, 0, &ring, sizeof ring);
  p->header.n_rings = 1;
}

static int
write_102 (const char *dir)
{
  static const struct cab_part_function functions[] = {
    { 0, 0, MAIN_SUM, CAB_ROW_PATHS_COUNT | CAB_ROW_CALLS | CAB_ROW_ENTRIES, 0, 8, 2, 1, 0 },
    { 0, 0, FIB_SUM, CAB_ROW_PATHS_COUNT | CAB_ROW_CALLS | CAB_ROW_ENTRIES, 64, 4, 2, 3, 0 },
    { 0, 0, CMP_SUM, CAB_ROW_PATHS_COUNT | CAB_ROW_CALLS, 96, 3, 0, 0, 0 },
    { 1, 0, TWIN_SUM_2, CAB_ROW_PATHS_COUNT, 120, 3, 0, 0, 0 }
  };
  static const char *const keys[] = { "prog", "twin2" };
  static const uint64_t counts[18] = {
    1, 0, 1, 10, 5, 1, 0, 0, 208, 0, 120, 80, 0, 0, 494, 0, 0, 6
  };
  struct part *p = part_new (102, "./prog\1--second", "placement=thread:analyses=tree");
  struct cab_part_thread thread = { 102, START, 0, 0, 0, "prog" };
  uint32_t tree = part_string (p, "tree");
  tables (p, functions, record_101, 4, prog, keys, 2);
  part_extent (p, CAB_EXT_THREADS, 0, &thread, sizeof thread);
  part_extent (p, CAB_EXT_COUNTS, 0, counts, sizeof counts);
  p->header.n_threads = p->header.n_counts = 1;
  p->header.counts_bytes = sizeof counts;
  add_ring (p);
  add_tree (p, 0, 0, tree, 510);
  p->header.ledger = (struct cab_ledger) { .enqueued = 700, .analysed = 500 };
  return part_save (p, dir);
}

int
write_profile (const char *dir)
{
  char *modules = concat (dir, "/modules", NULL);
  mkdir (dir, 0777);
  mkdir (modules, 0777);
  free (modules);
  return part_save_info (dir, "prog", prog_records, prog) < 0
	  || part_save_info (dir, "twin", twin_records, twin) < 0
	  || part_save_info (dir, "twin2", twin_records_2, twin_2) < 0 || write_101 (dir) < 0
	  || write_102 (dir) < 0
	 ? -1
	 : 0;
}

/* test_pathnum.c - path numbers have their properties on random graphs, compared with every path
 * found by plain search.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CAB_SEED=N runs the random graphs of that seed only. */
#include "plugin/paths/pathnum.h"
#include "analyses/profile/walk.h"
#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BLOCKS 32
#define MAX_EDGES 160
#define MAX_PATHS 3000
#define N_SEEDS 6000
#define N_STEPS 400

struct graph
{
  struct cab_pathnum num;
  struct cab_pn_block block[MAX_BLOCKS];
  struct cab_pn_edge edge[MAX_EDGES];
  unsigned char seen[MAX_PATHS];
};

static uint64_t random_state;
static unsigned failures;

static unsigned
pick (unsigned n)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (random_state >> 20) % n;
}

static void
add_edge (struct graph *g, unsigned src, unsigned dst, unsigned flags)
{
  if (g->num.n_edges < MAX_EDGES && src != 1 && dst != 0)
    g->edge[g->num.n_edges++] = (struct cab_pn_edge) {
      .src = src, .dst = dst, .flags = flags, .freq = pick (50)
    };
}

/* Return FLAG one time in N. */
static unsigned
rarely (unsigned n, unsigned flag)
{
  return n && pick (n) == 0 ? flag : 0;
}

/* Make a graph of any shape: edges forwards and anywhere, self loops, doubles, switches; some seeds
   with rare flags, some without. */
static void
make_graph (struct graph *g, uint64_t seed)
{
  random_state = seed * 0x9e3779b97f4a7c15u + 1;
  memset (g, 0, sizeof *g);
  unsigned n = 2 + pick (pick (2) ? MAX_BLOCKS - 1 : 8), wild = pick (12), odd = pick (2) ? 10 : 0,
	   calls = pick (3) ? 0 : 4;
  g->num.n_blocks = n;
  g->num.block = g->block;
  g->num.edge = g->edge;
  g->num.cut_loop_entries = pick (3);
  g->num.plain_registers = pick (3) == 0;
  add_edge (g, 0, n > 2 ? 2 : 1, 0);
  for (unsigned b = 2; b < n; b++)
    {
      g->block[b].flags = rarely (odd * 2, CAB_PN_FORCED_START) | rarely (odd, CAB_PN_MAY_LEAVE);
      if (rarely (calls, 1))
	{
	  /* At a cut the block after the call is entered by an abnormal edge. */
	  add_edge (g, b, 1, 0);
	  add_edge (g, b, b + 1 < n ? b + 1 : 1, CAB_PN_ABNORMAL);
	  continue;
	}
      unsigned n_succs = pick (8) ? 1 + pick (2) : pick (8);
      for (unsigned i = 0; i < n_succs; i++)
	{
	  unsigned ahead = b + 1 + pick (3);
	  unsigned dst = wild && pick (wild) == 0 ? 1 + pick (n - 1) : ahead < n ? ahead : 1;
	  add_edge (g, b, dst,
		    rarely (odd, CAB_PN_ABNORMAL) | rarely (odd, CAB_PN_CUT)
		      | rarely (odd, CAB_PN_NO_COUNT));
	}
    }
  /* The second is the least that always suffices. */
  g->num.max_paths = pick (3) == 0 ? MAX_PATHS : g->num.n_blocks + g->num.n_edges;
}

static bool
is_passable (const struct cab_pn_edge *e)
{
  return !(e->flags & (CAB_PN_ABNORMAL | CAB_PN_NO_COUNT));
}

static bool
is_end (const struct cab_pn_edge *e)
{
  return e->cut || e->dst == 1;
}

/* The counters as the header says that code keeps them, and as they should be. */
struct machine
{
  struct graph *g;
  uint64_t r, number;                /* path register; sum of base and values so far */
  uint64_t trail[MAX_BLOCKS + 2];    /* edges of the path so far */
  unsigned length;
  uint32_t start;
  uint64_t planned[MAX_PATHS], direct[MAX_PATHS];
};

static void
start_path (struct machine *m, uint32_t b)
{
  m->start = b;
  m->length = 0;
  m->number = m->g->block[b].base;
  m->r = m->g->block[b].use_reg ? m->g->block[b].start_reg : 0x5555555555555555;
}

static bool
count (struct machine *m, uint64_t *counters, uint64_t number)
{
  if (number >= m->g->num.n_paths)
    return false;
  counters[number]++;
  return true;
}

/* Take E; return false if a number out of range was counted. */
static bool
take (struct machine *m, unsigned index)
{
  const struct cab_pn_edge *e = &m->g->edge[index];
  bool good = m->length <= MAX_BLOCKS && e->live;
  m->trail[m->length < MAX_BLOCKS ? m->length++ : MAX_BLOCKS] = index;
  m->number += e->value;
  if (e->has_number)
    good &= count (m, m->planned, e->number) && !e->end_reg;
  if (e->end_reg)
    good &= count (m, m->planned, m->r + e->end_add);
  if (!e->ending)
    {
      m->r += e->inc;
      return good;
    }
  good &= e->inc == 0 && count (m, m->direct, m->number);
  return good;
}

static void
make_record (const struct graph *g, struct cab_record *r, struct cab_block *block,
	     struct cab_edge *edge, struct cab_start *start)
{
  uint32_t n = 0;
  *r = (struct cab_record) { .n_blocks = g->num.n_blocks,
			     .n_paths = g->num.n_paths,
			     .blocks = block,
			     .edges = edge,
			     .starts = start };
  for (uint32_t b = 0; b < g->num.n_blocks; b++)
    {
      block[b] = (struct cab_block) { .edges = edge + n };
      for (uint32_t i = 0; i < g->num.n_edges; i++)
	if (g->edge[i].src == b)
	  {
	    const struct cab_pn_edge *e = &g->edge[i];
	    edge[n++] = (struct cab_edge) {
	      .src = b,
	      .dst = e->dst,
	      .value = e->value,
	      .flags = (e->cut ? CAB_EDGE_CUT : 0)
		     | (e->flags & CAB_PN_ABNORMAL ? CAB_EDGE_ABNORMAL : 0)
		     | (e->flags & CAB_PN_NO_COUNT ? CAB_EDGE_NO_COUNT : 0)
	    };
	    block[b].n_edges++;
	  }
      if (g->block[b].start && g->block[b].n_paths)
	start[r->n_starts++] = (struct cab_start) { .block = b, .base = g->block[b].base };
    }
}

/* Return true if the reader finds the path that M has just run. */
static bool
reads_back (const struct machine *m, const struct cab_record *r)
{
  struct cab_walk walk = { 0 };
  bool good = cab_walk_path (&walk, r, m->number) == 0 && walk.start == m->start
	   && walk.n_edges == m->length;
  for (unsigned i = 0; good && i < m->length; i++)
    {
      const struct cab_pn_edge *e = &m->g->edge[m->trail[i]];
      unsigned ordinal = 0;
      for (uint64_t k = 0; k < m->trail[i]; k++)
	ordinal += m->g->edge[k].src == e->src;
      good = walk.edges[i] == &r->blocks[e->src].edges[ordinal];
    }
  cab_walk_fini (&walk);
  return good;
}

/* Run on from block B over all ways; each end must count one new path right. PLANNED counters are
   checked as they change. */
static bool
run_all (struct machine *m, const struct cab_record *r, uint32_t b)
{
  bool good = true;
  for (unsigned i = 0; good && i < m->g->num.n_edges; i++)
    {
      const struct cab_pn_edge *e = &m->g->edge[i];
      if (e->src != b || !is_passable (e) || !e->live)
	continue;
      struct machine next = *m;
      good = take (&next, i) && (is_end (e) == e->ending);
      if (!good || !e->ending)
	{
	  good = good && run_all (&next, r, e->dst);
	  continue;
	}
      good = next.number < m->g->num.n_paths && !m->g->seen[next.number]++
	  && next.planned[next.number] == 1 && reads_back (&next, r);
      for (uint64_t p = 0; good && p < m->g->num.n_paths; p++)
	good = next.planned[p] == next.direct[p];
    }
  return good;
}

/* Numbers are unique, dense and in their start's range; registers and constants give them; reading
   gives the path back. */
static bool
paths_agree (struct graph *g)
{
  static struct machine m;
  struct cab_record r;
  struct cab_block block[MAX_BLOCKS];
  struct cab_edge edge[MAX_EDGES + 1];
  struct cab_start start[MAX_BLOCKS];
  make_record (g, &r, block, edge, start);
  bool good = g->num.n_paths <= g->num.max_paths;
  uint64_t base = 0;
  for (uint32_t b = 0; good && b < g->num.n_blocks; b++)
    if (g->block[b].start)
      {
	memset (&m, 0, sizeof m);
	m.g = g;
	start_path (&m, b);
	good = g->block[b].base == base && run_all (&m, &r, b);
	base += g->block[b].n_paths;
      }
  for (uint64_t p = 0; good && p < g->num.n_paths; p++)
    good = g->seen[p];
  return good && base == g->num.n_paths;
}

/* All necessary starts exist, all forced cuts too, no cycle is left between cuts (run_all would not
   end), and the reasons are in order. */
static bool
shape_holds (const struct graph *g)
{
  for (unsigned i = 0; i < g->num.n_edges; i++)
    {
      const struct cab_pn_edge *e = &g->edge[i];
      if (!g->block[e->src].reachable || !is_passable (e))
	{
	  if (e->live || e->cut || e->has_number || e->end_reg || e->inc)
	    return false;
	  if (g->block[e->src].reachable && e->flags & CAB_PN_ABNORMAL
	      && !(e->flags & CAB_PN_NO_COUNT) && e->dst != 1 && !g->block[e->dst].head_start)
	    return false;
	  continue;
	}
      const struct cab_pn_block *dst = &g->block[e->dst];
      bool must = e->dst != 1
	       && (e->flags & CAB_PN_CUT || dst->head_start
		   || (dst->header && g->num.cut_loop_entries));
      if ((must && !e->cut) || (e->cut && !dst->start) || !dst->reachable)
	return false;
      if (g->num.plain_registers && e->has_number && !e->ending)
	return false;
    }
  return true;
}

/* Run an activation, which may be left at any place: no count may stand for a path that did not
   end. */
static void
leave_or_go_on (struct machine *m, bool *running, uint32_t *b, bool *good)
{
  struct graph *g = m->g;
  unsigned out[MAX_EDGES], n = 0;
  if (g->block[*b].flags & CAB_PN_MAY_LEAVE && pick (4) == 0)
    {
      *running = false;
      return;
    }
  for (unsigned i = 0; i < g->num.n_edges; i++)
    if (g->edge[i].src == *b)
      out[n++] = i;
  const struct cab_pn_edge *e = n ? &g->edge[out[pick (n)]] : NULL;
  if (!e || e->flags & CAB_PN_NO_COUNT)
    *running = false;
  else if (e->flags & CAB_PN_ABNORMAL)
    start_path (m, e->dst);
  else
    {
      /* In a dead end nothing is counted, but control goes on. */
      *good &= !e->live || take (m, e - g->edge);
      if (e->ending && e->dst != 1)
	start_path (m, e->dst);
    }
  if (!e || e->dst == 1)
    *running = false;
  else
    *b = e->dst;
}

/* Run at random, as code with the planned probes would: the planned counts are those of the paths
   that ended. */
static bool
runs_agree (struct graph *g)
{
  static struct machine m;
  bool good = true;
  memset (&m, 0, sizeof m);
  m.g = g;
  for (unsigned run = 0; run < 20 && good; run++)
    {
      bool running = true;
      uint32_t b = 0;
      unsigned step = 0;
      for (start_path (&m, 0); running && good && step < N_STEPS; step++)
	leave_or_go_on (&m, &running, &b, &good);
      if (running)
	return good;   /* it stopped within a path, perhaps after its defining edge */
      for (uint64_t p = 0; good && p < g->num.n_paths; p++)
	good = m.planned[p] == m.direct[p];
    }
  return good;
}

static void
check_seed (uint64_t seed, unsigned *n_obvious, unsigned *n_limited)
{
  static struct graph g;
  make_graph (&g, seed);
  int error = cab_pathnum_run (&g.num);
  const char *broken = error ? "run"
		     : !shape_holds (&g) ? "shape"
		     : !paths_agree (&g) ? "paths"
		     : !runs_agree (&g) ? "counts"
		     : NULL;
  if (broken && failures++ < 5)
    printf ("\nseed %llu: %s (error %d)\n", (unsigned long long) seed, broken, error);
  *n_limited += g.num.n_limit_joins != 0;
  for (unsigned i = 0; i < g.num.n_edges; i++)
    *n_obvious += g.edge[i].has_number && !g.edge[i].ending;
}

static void
test_random_graphs (void)
{
  const char *only = getenv ("CAB_SEED");
  unsigned n_obvious = 0, n_limited = 0;
  failures = 0;
  for (uint64_t seed = only ? strtoull (only, NULL, 0) : 1, end = only ? seed + 1 : N_SEEDS;
       seed < end; seed++)
    check_seed (seed, &n_obvious, &n_limited);
  CU_ASSERT_EQUAL (failures, 0);
  /* The graphs must reach what is tested. */
  printf ("%u early constants, %u limited graphs; ", n_obvious, n_limited);
  CU_ASSERT (only || (n_obvious > 1000 && n_limited > 50));
}

/* Make a ladder of N diamonds, from ENTRY over blocks 2, 5, 8, ... to EXIT. */
static void
make_ladder (struct cab_pathnum *g, uint32_t n)
{
  *g = (struct cab_pathnum) {
    .n_blocks = 3 * n + 3, .n_edges = 0, .max_paths = 32766, .cut_loop_entries = true
  };
  g->block = calloc (g->n_blocks, sizeof *g->block);
  g->edge = calloc (4 * (size_t) n + 2, sizeof *g->edge);
  uint32_t at = 2;
  g->edge[g->n_edges++] = (struct cab_pn_edge) { .src = 0, .dst = 2, .freq = 9 };
  for (uint32_t i = 0; i < n; i++, at += 3)
    {
      g->edge[g->n_edges++] = (struct cab_pn_edge) { .src = at, .dst = at + 1, .freq = 5 };
      g->edge[g->n_edges++] = (struct cab_pn_edge) { .src = at, .dst = at + 2, .freq = 4 };
      g->edge[g->n_edges++] = (struct cab_pn_edge) { .src = at + 1, .dst = at + 3, .freq = 5 };
      g->edge[g->n_edges++] = (struct cab_pn_edge) { .src = at + 2, .dst = at + 3, .freq = 4 };
    }
  g->edge[g->n_edges++] = (struct cab_pn_edge) { .src = at, .dst = 1, .freq = 9 };
}

static void
free_graph (struct cab_pathnum *g)
{
  free (g->block);
  free (g->edge);
}

/* More paths than 64 bits hold are cut until they fit, and not more often than the bound
   demands. */
static void
test_ladder (void)
{
  struct cab_pathnum g;
  make_ladder (&g, 7000);
  CU_ASSERT_EQUAL_FATAL (cab_pathnum_run (&g), 0);
  CU_ASSERT (g.n_paths <= g.max_paths && g.n_paths > g.max_paths / 4);
  CU_ASSERT (g.n_limit_joins > 0 && g.n_limit_joins < 7000);
  free_graph (&g);
  make_ladder (&g, 14);
  CU_ASSERT_EQUAL_FATAL (cab_pathnum_run (&g), 0);
  CU_ASSERT (g.n_paths == 16384 && g.n_limit_joins == 0);
  free_graph (&g);
  make_ladder (&g, 20);
  g.max_paths = 1;
  CU_ASSERT_EQUAL (cab_pathnum_run (&g), CAB_PN_TOO_MANY);
  free_graph (&g);
}

/* In selection sort's inner loop both ways have an edge of their own, so that nothing needs a
   register. */
static void
test_obvious_loop (void)
{
  struct cab_pn_block block[6] = { { 0 } };
  struct cab_pn_edge edge[] = {
    { .src = 0, .dst = 2, .freq = 1 },	{ .src = 2, .dst = 3, .freq = 90 },
    { .src = 2, .dst = 4, .freq = 10 }, { .src = 3, .dst = 4, .freq = 90 },
    { .src = 4, .dst = 2, .freq = 99 }, { .src = 4, .dst = 5, .freq = 1 },
    { .src = 5, .dst = 1, .freq = 1 }
  };
  struct cab_pathnum g = { .n_blocks = 6,
			   .n_edges = 7,
			   .block = block,
			   .edge = edge,
			   .max_paths = 100,
			   .cut_loop_entries = true };
  CU_ASSERT_EQUAL_FATAL (cab_pathnum_run (&g), 0);
  /* ENTRY -> header; two ways through the body, each to the latch or to the exit: not obvious. */
  CU_ASSERT_EQUAL (g.n_paths, 5);
  CU_ASSERT (block[2].header && edge[0].cut == CAB_PN_CUT_HEADER && edge[4].cut == CAB_PN_CUT_BACK);
  CU_ASSERT (edge[0].has_number && edge[0].number == 0);
  /* With the way out at the header instead, each path has an edge of its own. */
  edge[5].src = 2;
  CU_ASSERT_EQUAL_FATAL (cab_pathnum_run (&g), 0);
  CU_ASSERT_EQUAL (g.n_paths, 4);
  CU_ASSERT (!block[2].use_reg && edge[2].has_number && (edge[1].has_number || edge[3].has_number)
	     && !edge[4].has_number);
  /* A call in the latch may leave: then only the end may count. */
  block[4].flags = CAB_PN_MAY_LEAVE;
  CU_ASSERT_EQUAL_FATAL (cab_pathnum_run (&g), 0);
  CU_ASSERT (block[2].use_reg && edge[4].end_reg && !edge[2].has_number);
}

/* The hot way through a diamond adds nothing. */
static void
test_cold_increment (void)
{
  struct cab_pathnum g;
  make_ladder (&g, 4);
  CU_ASSERT_EQUAL_FATAL (cab_pathnum_run (&g), 0);
  unsigned n = 0;
  for (uint32_t i = 0; i < g.n_edges; i++)
    {
      n += g.edge[i].inc != 0;
      CU_ASSERT (g.edge[i].inc == 0 || g.edge[i].freq == 4);
    }
  /* The last diamond is counted on each side: nothing is open after it. */
  CU_ASSERT_EQUAL (n, 3);
  free_graph (&g);
}

/* A trace names the paths as a count does. */
static void
test_same_numbers (void)
{
  static struct graph g, h;
  for (uint64_t seed = 1; seed < 300; seed++)
    {
      make_graph (&g, seed);
      make_graph (&h, seed);
      h.num.plain_registers = !g.num.plain_registers;
      CU_ASSERT_EQUAL_FATAL (cab_pathnum_run (&g.num), cab_pathnum_run (&h.num));
      CU_ASSERT_EQUAL (g.num.n_paths, h.num.n_paths);
      for (unsigned i = 0; i < g.num.n_edges; i++)
	if (g.edge[i].value != h.edge[i].value || g.edge[i].cut != h.edge[i].cut)
	  CU_FAIL ("another value or cut");
      for (unsigned b = 0; b < g.num.n_blocks; b++)
	CU_ASSERT_EQUAL (g.block[b].base, h.block[b].base);
    }
}

static void
test_bad_graphs (void)
{
  struct cab_pn_block block[3] = { { 0 } };
  struct cab_pn_edge edge = { .src = 0, .dst = 3 };
  struct cab_pathnum g = {
    .n_blocks = 3, .n_edges = 1, .block = block, .edge = &edge, .max_paths = 10
  };
  CU_ASSERT_EQUAL (cab_pathnum_run (&g), CAB_PN_BAD_GRAPH);
  edge.dst = 0;
  CU_ASSERT_EQUAL (cab_pathnum_run (&g), CAB_PN_BAD_GRAPH);
  edge.src = 1;
  CU_ASSERT_EQUAL (cab_pathnum_run (&g), CAB_PN_BAD_GRAPH);
  edge.src = 0;
  edge.dst = 1;
  CU_ASSERT_EQUAL (cab_pathnum_run (&g), 0);
  CU_ASSERT (g.n_paths == 1 && edge.has_number);
  g.n_blocks = 1;
  CU_ASSERT_EQUAL (cab_pathnum_run (&g), CAB_PN_BAD_GRAPH);
  CU_ASSERT (strlen (cab_pathnum_error (CAB_PN_TOO_MANY)) > 0);
}

int
main (void)
{
  CU_initialize_registry ();
  CU_pSuite suite = CU_add_suite ("path numbers", NULL, NULL);
  CU_add_test (suite, "random graphs", test_random_graphs);
  CU_add_test (suite, "ladders beyond any limit", test_ladder);
  CU_add_test (suite, "obvious paths of a loop", test_obvious_loop);
  CU_add_test (suite, "increments are cold", test_cold_increment);
  CU_add_test (suite, "a trace has the same numbers", test_same_numbers);
  CU_add_test (suite, "bad graphs", test_bad_graphs);
  CU_basic_set_mode (CU_BRM_NORMAL);
  CU_basic_run_tests ();
  unsigned failed = CU_get_number_of_failures ();
  CU_cleanup_registry ();
  return failed != 0;
}

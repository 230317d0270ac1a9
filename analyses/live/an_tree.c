/* an_tree.c - the calling-context tree of a thread, from call events.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * State:      nodes; a hash table of node numbers, keyed by (parent, callee, site); the stack: for
 *             each depth the node of the activation (`node`) and that of the function that was
 *             called there before any tail call (`base`), as event.h says.  Slot d + 1 belongs to
 *             depth d; slot 0 is the root's.
 *
 * A call finds its child in a cache of steps taken before, else in the hash table.  The index of a
 * step in the cache depends on a hash of all calls on the stack, which costs two operations a call,
 * and not on the parent's node.  So the processor can fetch the child without waiting for that of
 * the previous call.
 *
 * The process may die at any instruction: an event counts once its node's count is stored, which is
 * the last store.  An event that did not count yet is fed again, and does the same again; but a
 * TAIL replaces the node it starts from, and an UNDER may, so these leave a note first.
 *
 * The stack can be rebuilt from the node on top: the nodes below are its ancestors, and each node
 * knows its depth.
 */
#include "analyses/live/an_tree.h"
#include "analyses/live/space.h"
#include "analyses/live/tree_state.h"

#define LEAST 1024
#define PLACE_UNDER (UINT32_C (1) << 31)

/* Addresses of the tables; taken again whenever one of them may have moved. */
struct view
{
  struct cab_tree_state *state;
  struct cab_tree_node *nodes;
  struct cab_tree_slot *stack;
  uint32_t *steps;
  uint32_t n_nodes;
  uint64_t n_slots;
};

static int
tree_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_state_open (arena, sizeof (struct cab_tree_state), CAB_TREE_MAGIC, CAB_TREE_NAME,
			 arguments, diag);
}

static void
look (const struct cab_arena *arena, struct view *v)
{
  v->state = cab_tree_state_of (arena);
  v->nodes = cab_space_elements (arena, v->state->nodes);
  v->stack = cab_space_elements (arena, v->state->stack);
  v->steps = cab_space_elements (arena, v->state->steps);
  v->n_nodes = v->state->n_nodes;
  v->n_slots = cab_space_capacity (arena, v->state->stack);
}

/* Return the entry of (PARENT, CALLEE, SITE) in TABLE, or the free one where it belongs. */
static uint32_t *
probe (const struct cab_arena *arena, uint64_t table, uint32_t parent, uint32_t callee,
       uint32_t site)
{
  const struct cab_tree_node *nodes = cab_space_elements (arena, cab_tree_state_of (arena)->nodes);
  uint32_t *hash = cab_space_elements (arena, table);
  uint64_t mask = cab_space_capacity (arena, table) - 1;
  uint64_t i = cab_space_hash (parent, callee, site) & mask;
  for (; hash[i]; i = (i + 1) & mask)
    {
      const struct cab_tree_node *node = &nodes[hash[i]];
      if (node->parent == parent && node->callee == callee && node->site == site)
	break;
    }
  return &hash[i];
}

static int
double_hash (struct cab_arena *arena)
{
  uint64_t capacity = cab_space_capacity (arena, cab_tree_state_of (arena)->hash);
  uint64_t table = cab_space_table (arena, capacity ? capacity * 2 : LEAST * 2, sizeof (uint32_t));
  if (!table)
    return -1;
  const struct cab_tree_node *nodes = cab_space_elements (arena, cab_tree_state_of (arena)->nodes);
  for (uint64_t i = 1; i < cab_tree_state_of (arena)->n_nodes; i++)
    *probe (arena, table, nodes[i].parent, nodes[i].callee, nodes[i].site) = i;
  cab_space_order ();
  cab_tree_state_of (arena)->hash = table;
  return 0;
}

/* Make room for one more node in all tables.  Return 0, or -1 if there is none. */
static int
make_room (struct cab_arena *arena)
{
  struct cab_tree_state *state = cab_tree_state_of (arena);
  uint64_t nodes = cab_space_table_for (arena, state->nodes, state->n_nodes, LEAST,
					sizeof (struct cab_tree_node));
  if (!nodes || cab_tree_state_of (arena)->n_nodes >= CAB_TREE_MOST)
    return -1;
  state = cab_tree_state_of (arena);
  state->nodes = nodes;
  return state->n_nodes >= cab_space_capacity (arena, state->hash) / 2 ? double_hash (arena) : 0;
}

/* Return the child, making it if need be; 0 if there is no room.  A node is filled before it counts
   as one, and counts before it can be found. */
static uint32_t
child_of (struct cab_arena *arena, uint32_t parent, uint32_t callee, uint32_t site, uint32_t place)
{
  struct cab_tree_state *state = cab_tree_state_of (arena);
  uint32_t *found = probe (arena, state->hash, parent, callee, site);
  if (*found)
    return *found;
  if (state->n_nodes < state->known || make_room (arena) < 0)
    return 0;
  state = cab_tree_state_of (arena);
  uint32_t number = state->n_nodes;
  struct cab_tree_node *node
    = (struct cab_tree_node *) cab_space_elements (arena, state->nodes) + number;
  *node
    = (struct cab_tree_node){ .callee = callee, .site = site, .parent = parent, .place = place };
  cab_space_order ();
  state->n_nodes = number + 1;
  cab_space_order ();
  *probe (arena, state->hash, parent, callee, site) = number;
  return number;
}

static int
stack_reach (struct cab_arena *arena, uint64_t slot)
{
  uint64_t stack = cab_space_table_for (arena, cab_tree_state_of (arena)->stack, slot, LEAST,
					sizeof (struct cab_tree_slot));
  if (!stack)
    return -1;
  cab_tree_state_of (arena)->stack = stack;
  return 0;
}

/* Make the root and an empty stack before the first event.  Return 0, or -1 if there is no room. */
static int
start (struct cab_arena *arena)
{
  if (!cab_tree_state_of (arena) && tree_open (arena, "", NULL) < 0)
    return -1;
  if (!cab_tree_state_of (arena)->n_nodes)
    {
      if (make_room (arena) < 0)
	return -1;
      cab_tree_state_of (arena)->n_nodes = 1;
    }
  if (!cab_tree_state_of (arena)->steps)
    {
      uint64_t steps = cab_space_table (arena, CAB_TREE_STEPS, sizeof (uint32_t));
      cab_tree_state_of (arena)->steps = steps;
    }
  return !cab_tree_state_of (arena)->steps || stack_reach (arena, 1) < 0
	  || (!cab_tree_state_of (arena)->hash && double_hash (arena) < 0)
	 ? -1
	 : 0;
}

/* Undo a TAIL or UNDER that was cut off before it counted: it may have written its slot, and is fed
   again. */
static void
undo_note (struct cab_arena *arena)
{
  struct view v;
  look (arena, &v);
  uint32_t node = v.state->note_node;
  if (node && v.nodes[node].count == v.state->note_count)
    {
      v.stack[v.state->note_slot] = v.state->note_old;
      v.state->top = v.state->note_top;
    }
  cab_space_order ();
  v.state->note_node = 0;
}

/* Record what undo_note needs before SLOT is written and NODE is counted. */
static void
leave_note (struct view *v, uint32_t slot, uint32_t node)
{
  v->state->note_slot = slot;
  v->state->note_top = v->state->top;
  v->state->note_old = v->stack[slot];
  v->state->note_count = v->nodes[node].count;
  cab_space_order ();
  v->state->note_node = node;
  cab_space_order ();
}

/* Return the slot below the one that an event at DEPTH writes; -1 if there is no room.  DEPTH is
   known modulo 2^20, and is at most one deeper than the stack.  Missing frames below it, whose
   events were dropped, get the node of their nearest known caller. */
static int64_t
slot_below (struct cab_arena *arena, struct view *v, uint32_t depth)
{
  uint32_t top = v->state->top;
  uint64_t below = cab_tree_below (top, depth);
  if (below + 1 >= v->n_slots)
    {
      if (stack_reach (arena, below + 1) < 0)
	return -1;
      look (arena, v);
    }
  for (uint64_t i = top + UINT64_C (1); i <= below; i++)
    v->stack[i] = (struct cab_tree_slot) { v->stack[top].node, v->stack[top].node, 0 };
  return below;
}

/* Return the hash of the context that EVENT enters from one with hash FROM: only a rotation and an
   addition, because each call waits for the hash of the one around it. */
static inline uint64_t
hash_of (uint64_t from, uint64_t event)
{
  return (from << 7 | from >> 57)
       + (event << (64 - CAB_EV_DEPTH_SHIFT)) * UINT64_C (0x9e3779b97f4a7c15);
}

static inline uint32_t
place_of (uint64_t hash)
{
  return hash >> (64 - CAB_TREE_STEP_BITS);
}

/* Return the child of PARENT that EVENT enters, and put it into the cache; 0 if there is no
   room. */
static uint32_t
find_child (struct cab_arena *arena, struct view *v, uint32_t parent, uint64_t event, uint64_t hash,
	    uint32_t place)
{
  uint32_t child = child_of (arena, parent, cab_ev_callee (event), cab_ev_site (event), place);
  look (arena, v);
  v->steps[place_of (hash)] = child;
  return child;
}

/* Enter EVENT, of any form, and count it N times.  Return false if there is no room for it. */
static bool __attribute__ ((noinline))
enter (struct cab_arena *arena, struct view *v, uint64_t event, unsigned n)
{
  unsigned form = cab_ev_kind (event);
  int64_t below = cab_ev_callee (event) ? slot_below (arena, v, cab_ev_depth (event)) : -1;
  if (below < 0)
    return false;
  bool same_frame = form != CAB_EV_CALL && below < v->state->top;
  struct cab_tree_slot *slot = &v->stack[below + 1], *from = same_frame ? slot : slot - 1;
  uint64_t hash = hash_of (from->hash, event);
  uint32_t place = (below + 1) | (form == CAB_EV_UNDER ? PLACE_UNDER : 0);
  uint32_t child = find_child (
    arena, v, same_frame && form == CAB_EV_UNDER ? from->base : from->node, event, hash, place);
  if (!child)
    return false;
  slot = &v->stack[below + 1];
  if (form != CAB_EV_CALL)
    leave_note (v, below + 1, child);
  if (!same_frame || form == CAB_EV_TAIL)
    slot->base = child;
  slot->node = child;
  slot->hash = hash;
  v->state->top = below + 1;
  cab_space_add (&v->nodes[child].count, n);
  if (form != CAB_EV_CALL)
    v->state->note_node = 0;
  return true;
}

/* Enter CALLs and TAILs from EVENTS, at most N, as long as their steps are in the cache.  Return
   how many were entered.  The cache may come from a file, so its entries are checked against the
   number of nodes. */
static uint32_t
enter_known (struct view *view, const uint64_t *events, uint32_t n)
{
  struct view v = *view;
  uint32_t i = 0, top = v.state->top;
  for (; i < n; i++)
    {
      uint64_t event = events[i];
      bool tail = cab_ev_kind (event) == CAB_EV_TAIL;
      uint32_t back = (top - cab_ev_depth (event)) & CAB_EV_ID_MASK, below = top - back;
      if (cab_ev_kind (event) == CAB_EV_UNDER || back > top - tail
	  || below + UINT64_C (1) >= v.n_slots)
	break;
      const struct cab_tree_slot *from = &v.stack[below + tail];
      uint64_t hash = hash_of (from->hash, event);
      uint32_t child = v.steps[place_of (hash)];
      struct cab_tree_node *node = &v.nodes[child];
      if (child >= v.n_nodes || node->callee != cab_ev_callee (event)
	  || node->site != cab_ev_site (event) || node->parent != from->node)
	break;
      if (tail)
	leave_note (&v, below + 1, child);
      /* These stay separate stores: in a joint one, the hash would wait for the child. */
      v.stack[below + 1].hash = hash;
      cab_space_order ();
      v.stack[below + 1].node = child;
      cab_space_order ();
      v.stack[below + 1].base = child;
      v.state->top = top = below + 1;
      cab_space_count (&node->count);
      if (tail)
	v.state->note_node = 0;
    }
  return i;
}

void
cab_tree_feed (struct cab_arena *arena, const struct cab_batch *batch,
	       const struct cab_functions *functions)
{
  (void) functions;
  if (batch->kind != CAB_EV_CALL)
    return;
  if (start (arena) < 0)
    {
      if (cab_tree_state_of (arena))
	cab_tree_state_of (arena)->lost += batch->n;
      return;
    }
  undo_note (arena);
  struct view v;
  look (arena, &v);
  if (v.state->thread != batch->thread)
    v.state->top = 0;
  v.state->thread = batch->thread;
  for (uint32_t i = 0; (i += enter_known (&v, batch->events + i, batch->n - i)) < batch->n; i++)
    if (!enter (arena, &v, batch->events[i], 1))
      cab_space_count (&v.state->lost);
}

static uint64_t
tree_applied (const struct cab_arena *arena)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < cab_tree_n (arena); i++)
    sum += cab_tree_at (arena, i)->count;
  return sum;
}

static uint64_t
tree_lost (const struct cab_arena *arena)
{
  return cab_tree_state_of (arena) ? cab_tree_state_of (arena)->lost : 0;
}

/* The node that each node has become, in a table of the caller's, or in one in INTO's arena that is
   unused space afterwards. */
struct became
{
  uint32_t *given;
  uint64_t table;
};

static uint32_t *
became_at (const struct cab_arena *into, const struct became *b, uint32_t node)
{
  return (b->given ? b->given : (uint32_t *) cab_space_elements (into, b->table)) + node;
}

/* A parent's number is less than its children's, so one pass suffices. */
int
cab_tree_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
		uint32_t *given, bool counts, struct cab_diag *diag)
{
  uint32_t n = cab_tree_n (from);
  struct became became = { given, 0 };
  if (start (into) < 0)
    return cab_state_refuse (diag, CAB_TREE_NAME, "no memory to merge trees: free some");
  cab_tree_state_of (into)->lost += counts ? tree_lost (from) : 0;
  if (!given && !(became.table = cab_space_table (into, n, sizeof (uint32_t))))
    return cab_state_refuse (diag, CAB_TREE_NAME, "no memory to merge trees: free some");
  if (given && n)
    given[0] = 0;
  for (uint32_t i = 1; i < n; i++)
    {
      const struct cab_tree_node *node = cab_tree_at (from, i);
      uint32_t parent = *became_at (into, &became, node->parent);
      uint32_t callee = map ? cab_space_mapped (map->fn, map->n_fn, node->callee) : node->callee;
      uint32_t site = map ? cab_space_mapped (map->site, map->n_site, node->site) : node->site;
      uint32_t child = callee ? child_of (into, parent, callee, site, node->place) : 0;
      *became_at (into, &became, i) = child ? child : parent;
      struct cab_tree_node *nodes = cab_space_elements (into, cab_tree_state_of (into)->nodes);
      *(child ? &nodes[child].count : &cab_tree_state_of (into)->lost) += counts ? node->count : 0;
    }
  return 0;
}

static int
tree_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	    struct cab_diag *diag)
{
  return cab_tree_merge (into, from, map, NULL, true, diag);
}

uint32_t
cab_tree_top (const struct cab_arena *arena)
{
  const struct cab_tree_state *state = cab_tree_state_of (arena);
  const struct cab_tree_slot *stack = state ? cab_space_elements (arena, state->stack) : NULL;
  return stack ? stack[state->top].node : 0;
}

void
cab_tree_begin (struct cab_arena *arena, uint32_t thread)
{
  struct cab_tree_state *state = cab_tree_state_of (arena);
  if (state && state->thread != thread)
    {
      state->top = 0;
      cab_space_order ();
      state->thread = thread;
    }
}

void
cab_tree_resume (struct cab_arena *arena, uint32_t depth)
{
  struct cab_tree_state *state = cab_tree_state_of (arena);
  uint32_t back = state ? (state->top - depth) & CAB_EV_ID_MASK : 0;
  if (state && back <= state->top)
    state->top -= back;
}

uint64_t
cab_tree_mark (const struct cab_arena *arena)
{
  const struct cab_tree_state *state = cab_tree_state_of (arena);
  return state ? (uint64_t) state->top << 32 | cab_tree_top (arena) : 0;
}

/* Slots between the places of a node and its parent belong to missing frames: they hold the parent.
   The base of an UNDER is its parent, if that is in the same frame. */
void
cab_tree_rewind (struct cab_arena *arena, uint32_t thread, uint64_t mark)
{
  uint32_t node = mark, top = mark >> 32;
  struct view v;
  if (start (arena) < 0 || node >= cab_tree_state_of (arena)->n_nodes
      || top >= cab_space_capacity (arena, cab_tree_state_of (arena)->stack))
    return;
  undo_note (arena);
  look (arena, &v);
  if (v.state->thread != thread)
    node = top = 0;
  for (uint32_t at = top; at > 0; at--)
    {
      while (node && (v.nodes[node].place & ~PLACE_UNDER) > at)
	node = v.nodes[node].parent;
      const struct cab_tree_node *n = &v.nodes[node];
      bool inside = n->place == (at | PLACE_UNDER)
		    && (v.nodes[n->parent].place & ~PLACE_UNDER) == at;
      v.stack[at] = (struct cab_tree_slot){ node, inside ? n->parent : node, 0 };
    }
  v.state->top = top;
  v.state->thread = thread;
}

void
cab_tree_replay (struct cab_arena *arena, const uint64_t *events, uint32_t n)
{
  struct view v;
  if (start (arena) < 0)
    return;
  look (arena, &v);
  for (uint32_t i = 0; i < n; i++)
    enter (arena, &v, events[i], 0);
}

/* Return the node of ARENA for the context of FROM's NODE; 0 if there is no room.  ABOVE is a node
   of FROM that NODE may be below, BECAME that of ARENA.  The hashes of slots above AT are used. */
static uint32_t
same_context (struct cab_arena *arena, const struct cab_arena *from, uint32_t node, uint32_t above,
	      uint32_t became, uint64_t at)
{
  uint32_t length = 0, last;
  struct view v;
  for (last = node; last && last != above; last = cab_tree_at (from, last)->parent)
    length++;
  became = last ? became : 0;
  if (stack_reach (arena, at + length + 1) < 0)
    return 0;
  look (arena, &v);
  for (uint32_t n = node, i = length; i > 0; n = cab_tree_at (from, n)->parent)
    v.stack[at + i--].hash = n;
  for (uint32_t i = 1; i <= length && (became || i == 1 || last); i++)
    {
      const struct cab_tree_node *n = cab_tree_at (from, v.stack[at + i].hash);
      became = child_of (arena, became, n->callee, n->site, n->place);
      if (!became)
	return 0;
      look (arena, &v);
    }
  return became;
}

/* Return the node of ARENA for BASE of FROM, which is NODE or above it; TO is that of NODE. */
static uint32_t
same_base (const struct cab_arena *arena, const struct cab_arena *from, uint32_t node,
	   uint32_t base, uint32_t to)
{
  uint32_t became = to;
  for (; node && node != base; node = cab_tree_at (from, node)->parent)
    became = cab_tree_at (arena, became)->parent;
  return node ? became : to;
}

/* Make the slots of ARENA up to TOP those of FROM.  Return false if there is no room. */
static bool
carry_stack (struct cab_arena *arena, const struct cab_arena *from, uint32_t top)
{
  const struct cab_tree_slot *slots = cab_space_elements (from, cab_tree_state_of (from)->stack);
  uint32_t above = 0, became = 0;
  struct view v;
  if (stack_reach (arena, top + UINT64_C (1)) < 0)
    return false;
  for (uint32_t at = 1; at <= top; at++)
    {
      uint32_t node = slots[at].node;
      became = node == above ? became : same_context (arena, from, node, above, became, top);
      if (node && !became)
	return false;
      above = node;
      look (arena, &v);
      v.stack[at] = (struct cab_tree_slot) {
	became, same_base (arena, from, node, slots[at].base, became), 0
      };
    }
  return true;
}

static void
tree_carry (struct cab_arena *arena, const struct cab_arena *from, uint32_t thread)
{
  const struct cab_tree_state *other = cab_tree_state_of (from);
  uint32_t top = other && other->thread == thread ? other->top : 0;
  if (start (arena) < 0)
    return;
  undo_note (arena);
  cab_tree_state_of (arena)->top = 0;
  cab_space_order ();
  cab_tree_state_of (arena)->thread = thread;
  if (!top || !carry_stack (arena, from, top))
    return;
  cab_space_order ();
  cab_tree_state_of (arena)->top = top;
}

void
cab_tree_number_as (struct cab_arena *arena, const struct cab_arena *from)
{
  const struct cab_tree_state *other = cab_tree_state_of (from);
  uint64_t n = cab_tree_n (from), known = other && other->known > n ? other->known : n;
  bool is_ready = start (arena) == 0;
  struct cab_tree_state *state = cab_tree_state_of (arena);
  if (!state)
    return;
  known = state->known > known ? state->known : known;
  if (is_ready)
    undo_note (arena);
  state->known = 0;
  for (uint32_t i = state->n_nodes; is_ready && i < n; i++)
    {
      const struct cab_tree_node *node = cab_tree_at (from, i);
      is_ready = child_of (arena, node->parent, node->callee, node->site, node->place) == i;
    }
  cab_tree_state_of (arena)->known = known;
}

uint32_t
cab_tree_n (const struct cab_arena *arena)
{
  const struct cab_tree_state *state = cab_tree_state_of (arena);
  return state ? state->n_nodes : 0;
}

const struct cab_tree_node *
cab_tree_at (const struct cab_arena *arena, uint32_t node)
{
  return (const struct cab_tree_node *) cab_space_elements (arena, cab_tree_state_of (arena)->nodes)
       + node;
}

const struct cab_analysis cab_tree
  = { .abi = CAB_ANALYSIS_ABI,
      .name = CAB_TREE_NAME,
      .summary
      = "the calling-context tree: how often each function was entered from each chain of calls",
      .kinds = 1u << CAB_EV_CALL,
      .wants = CAB_GIVES_NODE,
      .shard = CAB_SHARD_THREAD,
      .arena_bytes = 262144,
      .open = tree_open,
      .feed = cab_tree_feed,
      .applied = tree_applied,
      .lost = tree_lost,
      .check = cab_tree_check,
      .merge = tree_merge,
      .carry = tree_carry,
      .with_samples = "samples" };

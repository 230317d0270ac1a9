/* trials.cc - copies functions whose loops are tried.
   SPDX-License-Identifier: GPL-3.0-or-later

   Copies are made behind the passes over the whole unit: what these would do with copies (fold
   equal ones, inline, specialise) they have done with the one function, as in a build without
   trials.  All bodies are completed first, because those into which the function is inlined need
   its own body for that. */
#include "plugin/loops/trials.h"
#include "plugin/loops/feedback.h"
#include "plugin/loops/loops_find.h"
#include "plugin/loops/trial_beside.h"
#include "plugin/loops/trial_dispatch.h"
#include "plugin/loops/trial_hash.h"
#include "plugin/loops/trial_text.h"
#include "plugin/emit/builtins.h"
#include "cabprof/trials.h"
#include "tree-inline.h"

/* Vectorised loops have no prefetches. */
const struct cab_trial_hint cab_trial_hints[CAB_TRIAL_HINTS] = {
  { 1, -1, CAB_TRIAL_ALIGN, 0 }, { 2, -1, CAB_TRIAL_ALIGN, 0 },	 { 4, -1, CAB_TRIAL_ALIGN, 0 },
  { 8, -1, CAB_TRIAL_ALIGN, 0 }, { 16, -1, CAB_TRIAL_ALIGN, 0 }, { 0, 0, CAB_TRIAL_ALIGN, 0 },
  { 0, 1, CAB_TRIAL_ALIGN, 0 },	 { 0, -1, 16, 0 },		 { 0, -1, 32, 0 },
  { 0, 0, CAB_TRIAL_ALIGN, 4 },	 { 0, 0, CAB_TRIAL_ALIGN, 8 },	 { 0, 0, CAB_TRIAL_ALIGN, 16 },
  { 0, 0, CAB_TRIAL_ALIGN, 32 }, { 0, 0, CAB_TRIAL_ALIGN, 64 }
};
#define N_OTHERS 5   /* without a hint, aligned, each twice; and the copy that counts */
#define MOST_LOOPS ((CAB_TRIAL_COPIES - N_OTHERS) / CAB_TRIAL_HINTS)

static vec<cab_tried *> trials;

/* A function of which a loop is not tried, or none if LOOP has no table, and the word for why
   (info.h, untried). */
struct refused
{
  unsigned uid;
  cab_loop_source loop;
  const char *word;
};
static vec<struct refused> refusals;

vec<cab_tried *> &
cab_trials_all (void)
{
  return trials;
}

struct cab_copy *
cab_copy_of (tree fndecl, struct cab_tried **tried)
{
  for (struct cab_tried *t : trials)
    for (struct cab_copy &copy : t->copies)
      if (copy.uid == DECL_UID (fndecl))
	{
	  *tried = t;
	  return &copy;
	}
  return NULL;
}

bool
cab_is_dispatcher (tree fndecl)
{
  for (const struct cab_tried *t : trials)
    if (t->uid == DECL_UID (fndecl))
      return true;
  return false;
}

bool
cab_trial_same (const cab_loop_source *a, const cab_loop_source *b)
{
  return a->loops == b->loops && a->index == b->index;
}

bool
cab_trial_names (const cab_loop_source *source)
{
  return source->loops && source->loops->loops[source->index].flags & CAB_SOURCE_TRIAL;
}

/* Return the trial in which SOURCE is copied side by side in cfun, or null. */
static const struct cab_tried *
beside (const cab_loop_source *source)
{
  for (const struct cab_tried *t : trials)
    if (t->beside == DECL_UID (cfun->decl) && cab_trial_same (&t->loops[0], source))
      return t;
  return NULL;
}

unsigned
cab_trial_align (const cab_loop_source *source)
{
  struct cab_tried *tried;
  if (beside (source))
    return CAB_TRIAL_ALIGN;
  const struct cab_copy *copy = cab_trial_names (source) ? cab_copy_of (cfun->decl, &tried) : NULL;
  if (!copy)
    return cab_source_align (&source->loops->loops[source->index]);
  if (!copy->align)
    return 0;
  return copy->loop < 0 || cab_trial_same (&tried->loops[copy->loop], source) ? copy->align
								      : CAB_TRIAL_ALIGN;
}

unsigned
cab_trial_prefetch (const cab_loop_source *source)
{
  struct cab_tried *tried;
  const struct cab_copy *copy = cab_trial_names (source) ? cab_copy_of (cfun->decl, &tried) : NULL;
  if (!copy)
    return cab_source_prefetch (&source->loops->loops[source->index]);
  return copy->loop >= 0 && cab_trial_same (&tried->loops[copy->loop], source) ? copy->prefetch : 0;
}

unsigned
cab_trial_prefetch_of (class loop *loop, const cab_loop_source *source)
{
  for (const struct cab_tried *t : trials)
    for (const struct cab_copy &copy : t->copies)
      if (t->beside == DECL_UID (cfun->decl) && copy.num == loop->num)
	return copy.prefetch;
  return beside (source) ? 0 : cab_trial_prefetch (source);
}

bool
cab_trial_prefetches (void)
{
  for (const struct cab_tried *t : trials)
    if (t->beside == DECL_UID (cfun->decl))
      return true;
  struct cab_tried *tried;
  const struct cab_copy *copy = cab_copy_of (cfun->decl, &tried);
  return copy && copy->prefetch;
}

const char *
cab_untried (const cab_loop_source *source)
{
  struct cab_tried *tried;
  if (!cab_trial_names (source))
    return NULL;
  for (const struct refused &refused : refusals)
    if (refused.uid == DECL_UID (cfun->decl)
	&& (!refused.loop.loops || cab_trial_same (&refused.loop, source)))
      return refused.word;
  if (!cab_copy_of (cfun->decl, &tried))
    return NULL;
  for (const cab_loop_source &known : tried->loops)
    if (cab_trial_same (&known, source))
      return NULL;
  return "many";
}

/* Make the loops of cfun ready to be looked at. */
static void
prepare_loops (void)
{
  if (!current_loops)
    loop_optimizer_init (LOOPS_NORMAL);
  else if (loops_state_satisfies_p (LOOPS_NEED_FIXUP))
    {
      calculate_dominance_info (CDI_DOMINATORS);
      fix_loop_structure (NULL);
    }
}

/* Append the named loops that are in cfun to FOUND, each once. */
static void
find_loops (vec<cab_loop_source> *found)
{
  prepare_loops ();
  CAB_EACH_LOOP (loop)
    {
      cab_loop_source source = cab_loops_identify (loop);
      bool is_new = cab_trial_names (&source);
      for (const cab_loop_source &other : *found)
	is_new &= !cab_trial_same (&other, &source);
      if (is_new)
	found->safe_push (source);
    }
}

/* Why a function cannot be tried: in a record's word, and in words for people. */
struct reason
{
  const char *word, *words;
};
static const struct reason
  variable = { "arguments", "it has variable arguments" },
  endless = { "returns", "it does not return" },
  nested = { "nested", "it uses variables of the function around it" },
  jumped = { "setjmp", "it calls setjmp" },
  naked = { "frame", "it has no frame (attribute naked)" },
  labelled = { "labels",
	       "its body cannot be copied: it needs the address of a label, or the like" },
  once = { "once", "it is executed once, and so is the loop: move the loop into a function that is "
		   "called more often" },
  uncopied = { "copy", "the compiler does not copy it" },
  asked = { "returns", "it does not end" };

/* Return why NODE, whose body is cfun, cannot be tried; null if it can. */
static const struct reason *
why_not (cgraph_node *node)
{
  tree decl = node->decl;
  return stdarg_p (TREE_TYPE (decl)) ? &variable
       : TREE_THIS_VOLATILE (decl) ? &endless
       : DECL_STATIC_CHAIN (decl) ? &nested
       : cfun->calls_setjmp ? &jumped
       : lookup_attribute ("naked", DECL_ATTRIBUTES (decl)) ? &naked
       : copy_forbidden (cfun) ? &labelled
       : MAIN_NAME_P (DECL_NAME (decl)) || node->frequency == NODE_FREQUENCY_EXECUTED_ONCE
	 ? &once
       : cab_feedback_beside () ? &asked
				: NULL;
}

void
cab_trial_apply (class loop *loop, const struct cab_copy *copy)
{
  if (copy->unroll)
    {
      loop->unroll = copy->unroll;
      cfun->has_unroll = true;
    }
  if (!copy->vectorize)
    {
      loop->dont_vectorize = true;
      loop->force_vectorize = false;
    }
  else if (copy->vectorize > 0 && !loop->dont_vectorize)
    {
      loop->force_vectorize = true;
      cfun->has_force_vectorize_loops = true;
    }
}

/* Apply COPY's hint to its loop in cfun. */
static void
apply (const struct cab_tried *tried, const struct cab_copy *copy)
{
  prepare_loops ();
  CAB_EACH_LOOP (loop)
    {
      cab_loop_source source = cab_loops_identify (loop);
      if (source.loops && copy->loop >= 0 && cab_trial_same (&source, &tried->loops[copy->loop]))
	cab_trial_apply (loop, copy);
    }
}

/* Make COPY of NODE.  Return its node, null if GCC refuses. */
static cgraph_node *
make_copy (cgraph_node *node, struct cab_tried *tried, struct cab_copy copy)
{
  cgraph_node *made = node->create_version_clone_with_body (vNULL, NULL, NULL, NULL, NULL,
							    "cabprof");
  if (!made)
    return NULL;
  /* It is called by its address, from data that the compiler does not see. */
  made->local = false;
  made->force_output = true;
  made->frequency = node->frequency;
  made->only_called_at_startup = node->only_called_at_startup;
  DECL_PRESERVE_P (made->decl) = 1;
  TREE_USED (made->decl) = 1;
  DECL_UNINLINABLE (made->decl) = 1;
  if (DECL_ALIGN (made->decl) < CAB_TRIAL_ALIGN * BITS_PER_UNIT)
    SET_DECL_ALIGN (made->decl, CAB_TRIAL_ALIGN * BITS_PER_UNIT);
  copy.uid = DECL_UID (made->decl);
  copy.symbol = xstrdup (targetm.strip_name_encoding (
    IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (made->decl))));
  tried->copies.safe_push (copy);
  push_cfun (DECL_STRUCT_FUNCTION (made->decl));
  if (copy.counts)
    {
      prepare_loops ();
      cab_trial_count (tried);
    }
  else
    apply (tried, &copy);
  pop_cfun ();
  return made;
}

/* Make all copies of NODE.  Return the first one, null if GCC refuses. */
static cgraph_node *
make_copies (cgraph_node *node, struct cab_tried *tried)
{
  static const unsigned aligns[] = { 0, 0, CAB_TRIAL_ALIGN, CAB_TRIAL_ALIGN };
  cgraph_node *first = NULL;
  for (unsigned align : aligns)
    {
      cgraph_node *made = make_copy (node, tried,
				     { 0, NULL, -1, 0, -1, align, 0, false, 0, NULL, 0 });
      if (!made)
	return NULL;
      first = first ? first : made;
    }
  for (int loop = 0; loop < (int) tried->loops.length (); loop++)
    for (const struct cab_trial_hint &hint : cab_trial_hints)
      make_copy (node, tried,
		 { 0, NULL, loop, hint.unroll, hint.vectorize, hint.align, hint.prefetch, false, 0,
		   NULL, 0 });
  make_copy (node, tried, { 0, NULL, -1, 0, -1, 0, 0, true, 0, NULL, 0 });
  return first;
}

void
cab_trial_refuse (tree decl, const cab_loop_source *source, const char *word, const char *words)
{
  const cab_loop_source none = { NULL, 0, 0 };
  refusals.safe_push ({ DECL_UID (decl), source ? *source : none, word });
  warning_at (source ? source->loops->loops[source->index].where : DECL_SOURCE_LOCATION (decl), 0,
	      source ? G_ ("cabprof: %qD: no trials of this loop: %s")
		     : G_ ("cabprof: %qD: no trials of its loops: %s"),
	      decl, words);
}

struct cab_tried *
cab_trial_new (tree decl)
{
  struct cab_tried *tried = XCNEW (struct cab_tried);
  tried->symbol = xstrdup (
    targetm.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl))));
  tried->name = xstrdup (lang_hooks.decl_printable_name (decl, 2));
  expanded_location place = expand_location (DECL_SOURCE_LOCATION (decl));
  tried->file = xstrdup (place.file ? remap_debug_filename (place.file) : "?");
  tried->line = place.line;
  tried->number = trials.length ();
  return tried;
}

/* Let the loops of NODE be copied side by side, where the function cannot take turns for
   REASON. */
static void
hand_on (cgraph_node *node, const struct reason *reason)
{
  if (reason == &jumped || reason == &naked)
    cab_trial_refuse (node->decl, NULL, reason->word, reason->words);
  else
    cab_trial_beside (node->decl, reason == &once, reason->word, reason->words);
}

/* Try the loops FOUND in NODE.  A function that must not be copied for its caller's sake (noclone)
   is copied here, where nobody sees it. */
static void
try_function (cgraph_node *node, vec<cab_loop_source> *found)
{
  tree decl = node->decl, attributes = DECL_ATTRIBUTES (decl);
  struct cab_tried *tried = cab_trial_new (decl);
  tried->uid = DECL_UID (decl);
  for (unsigned i = 0; i < found->length () && i < MOST_LOOPS; i++)
    tried->loops.safe_push ((*found)[i]);
  if (found->length () > MOST_LOOPS)
    warning_at (DECL_SOURCE_LOCATION (decl), 0,
		"cabprof: %qD: trials of its first %u named loops only: name the others in a "
		"second build",
		decl, (unsigned) MOST_LOOPS);
  DECL_ATTRIBUTES (decl) = remove_attribute ("noclone", copy_list (attributes));
  cgraph_node *first = make_copies (node, tried);
  DECL_ATTRIBUTES (decl) = attributes;
  if (!first)
    {
      hand_on (node, &uncopied);
      return;
    }
  trials.safe_push (tried);
  cab_trial_dispatch (node, first, tried);
  if (cab_opts.verbose)
    inform (DECL_SOURCE_LOCATION (decl), "cabprof: %qD: %u copies for trials of %u loops", decl,
	    tried->copies.length (), tried->loops.length ());
}

static void
look_at (cgraph_node *node)
{
  auto_vec<cab_loop_source> found;
  push_cfun (DECL_STRUCT_FUNCTION (node->decl));
  find_loops (&found);
  const struct reason *reason = found.is_empty () ? NULL : why_not (node);
  pop_cfun ();
  if (reason)
    hand_on (node, reason);
  else if (!found.is_empty ())
    try_function (node, &found);
}

/* Return true if a loop of the unit is named. */
static bool
has_named (void)
{
  for (const cab_source_loops *table : cab_loops_all ())
    for (const cab_source_loop &loop : table->loops)
      if (loop.flags & CAB_SOURCE_TRIAL)
	return true;
  return false;
}

static unsigned
run_pass (void)
{
  auto_vec<cgraph_node *> nodes;
  cgraph_node *node;
  if (seen_error () || !has_named ())
    return 0;
  cab_builtins_declare ();
  FOR_EACH_DEFINED_FUNCTION (node)
    if (node->has_gimple_body_p () && !node->alias && !node->thunk && !node->inlined_to
	&& !DECL_EXTERNAL (node->decl))
      nodes.safe_push (node);
  for (cgraph_node *each : nodes)
    each->get_body ();
  for (cgraph_node *each : nodes)
    look_at (each);
  return 0;
}

static const pass_data trials_data =
{
  SIMPLE_IPA_PASS, "cabprof_trials", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0
};

class trials_pass : public simple_ipa_opt_pass
{
public:
  trials_pass () : simple_ipa_opt_pass (trials_data, g) {}
  unsigned int execute (function *) final override { return run_pass (); }
};

static void
write (void *, void *)
{
  if (asm_out_file && !seen_error () && !trials.is_empty ())
    cab_trials_write (asm_out_file);
}

void
cab_trials_begin (const char *plugin)
{
  cab_add_pass (plugin, new trials_pass, "simdclone", PASS_POS_INSERT_AFTER);
  cab_add_pass (plugin, cab_trial_beside_pass (), "ifcvt", PASS_POS_INSERT_BEFORE);
  cab_add_pass (plugin, cab_trial_hash_pass (), "final", PASS_POS_INSERT_BEFORE);
  register_callback (plugin, PLUGIN_FINISH_UNIT, write, NULL);
}

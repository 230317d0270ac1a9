/* outcome_reports.cc - what a pass of the compiler itself reports about loops, as -fopt-info would
   print it.
   SPDX-License-Identifier: GPL-3.0-or-later

   The vectorizer keeps no record of why it left a loop alone, and the interchange of loops
   leaves the loops as they are; both report it to the optimisation stream of their pass
   (dumpfile.h), at the place that find_loop_location gives for the loop.  That stream is
   redirected while they run, unless the user has asked for it.  As with -fopt-info, the code
   does not depend on it. */
#include "plugin/loops/loops.h"
#include "plugin/loops/outcome_reports.h"
#include "plugin/loops/outcome_words.h"
#include "context.h"
#include "dumpfile.h"

/* From tree-vectorizer.h, which needs many other headers before it. */
extern dump_user_location_t find_loop_location (class loop *);

/* A loop, with the place at which the pass will report it. */
struct expected
{
  char *place;          /* "FILE:LINE:COLUMN: " */
  cab_loop_source source;
  int num, outer;       /* numbers of the loop and of the one around it */
  bool innermost;
};

static vec<struct expected> expected;
static dump_file_info *stream;
static char *text;
static size_t length;

void
cab_told_expect (class loop *loop, const cab_loop_source *source)
{
  location_t where = find_loop_location (loop).get_location_t ();
  if (!stream || LOCATION_LOCUS (where) <= BUILTINS_LOCATION)
    return;
  char *place = xasprintf ("%s:%d:%d: ", LOCATION_FILE (where), LOCATION_LINE (where),
			   LOCATION_COLUMN (where));
  struct expected e = { place, *source, loop->num, loop_outer (loop)->num, !loop->inner };
  expected.safe_push (e);
}

void
cab_told_begin (opt_pass *pass)
{
  dump_file_info *info = g->get_dumps ()->get_dump_file_info (pass->static_pass_number);
  if (!info || info->alt_filename || info->alt_stream || info->alt_state)
    return;
  info->alt_stream = open_memstream (&text, &length);
  if (!info->alt_stream)
    return;
  stream = info;
  info->alt_filename = "(cabprof)";
  info->alt_flags = MSG_MISSED_OPTIMIZATION | MSG_OPTIMIZED_LOCATIONS | MSG_ALL_PRIORITIES;
  info->alt_state = 1;
}

/* Return WORDS, the compiler's sentence up to the end of the line, without what names statements,
   in a form that fits a list of words. */
static char *
reason (const char *words)
{
  char *result = xstrndup (words, strcspn (words, "\n"));
  char *colon = strstr (result, ": ");
  if (colon && strpbrk (colon, "=;"))
    *colon = 0;
  for (const char *end : { " between ", " _", " *_", " &" })
    if (char *at = strstr (result, end))
      *at = 0;
  for (char *p = result; *p; p++)
    if (*p == ',' || *p == '\t')
      *p = *p == ',' ? ';' : ' ';
  size_t n = strlen (result);
  while (n && strchr (".: ", result[n - 1]))
    result[--n] = 0;
  if (n > 80)
    result[80] = 0;
  return result;
}

static const char *
behind (const char *line, const char *head)
{
  size_t n = strlen (head);
  return strncmp (line, head, n) ? NULL : line + n;
}

/* Return what LINE reports as missed, and set *DEPTH to the depth of that report in the analysis;
   null if it reports nothing. */
static const char *
missed (const char *line, size_t *depth)
{
  const char *end = strchr (line, '\n'), *at = strstr (line, ": missed: ");
  if (!at || (end && at > end))
    return NULL;
  at += strlen (": missed: ");
  *depth = strspn (at, " ");
  at += *depth;
  for (const char *head : { "not vectorized: ", "not vectorized, " })
    if (const char *rest = behind (at, head))
      return rest;
  return at;
}

/* Return true if WORDS is only a consequence of the report before it.  GCC 14 says of a loop with
   several exits first why it cannot be vectorised, and then that. */
static bool
is_consequence (const char *words)
{
  return behind (words, "can't safely apply code motion");
}

/* Return the first cause in the lines from FROM to TO why the loop at PLACE was not vectorised, or
   null if none is given.  The loop was analysed with one size of vectors after the other; each
   attempt ends with a line of that place at depth one, and the line before it is the cause.  The
   first attempt counts, because the last one often has a size for which there is no type.  A line
   that begins with a blank continues a report. */
static const char *
first_cause (const char *from, const char *to, const char *place)
{
  const char *before = NULL;
  for (const char *line = from; line < to; line = strchr (line, '\n') + 1)
    {
      size_t depth = 0;
      const char *words = missed (line, &depth);
      if (words && depth == 1 && behind (line, place))
	return before ? before : words;
      if (*line != ' ' && !(before && words && is_consequence (words)))
	before = words && depth > 1 ? words : NULL;
    }
  return NULL;
}

/* Record the cause if LINE says that a loop is not vectorised; its attempts are reported from FROM
   on. */
static void
take_missed (const char *from, const char *line)
{
  for (const struct expected &e : expected)
    {
      const char *rest = behind (line, e.place), *why;
      if (e.innermost && rest && behind (rest, "missed: couldn't vectorize loop")
	  && (why = first_cause (from, line, e.place)))
	cab_became_of (&e.source)->no_vector = reason (why);
    }
}

/* Record an interchange if LINE says that the loops of a nest were interchanged: those are the loop
   at its place, and the chain of single loops in it. */
static void
take_interchanged (const char *line)
{
  for (const struct expected &e : expected)
    {
      const char *rest = behind (line, e.place);
      if (!rest || !behind (rest, "optimized: loops interchanged in loop nest"))
	continue;
      cab_became_of (&e.source)->how |= CAB_BECAME_INTERCHANGED;
      int around = e.num;
      for (const struct expected &inner : expected)
	if (inner.outer == around)
	  {
	    cab_became_of (&inner.source)->how |= CAB_BECAME_INTERCHANGED;
	    around = inner.num;
	  }
    }
}

/* Evaluate all reports; each verdict ends the lines about one loop. */
static void
read_all (void)
{
  const char *from = text;
  for (const char *line = text, *end; line && (end = strchr (line, '\n')); line = end + 1)
    {
      take_missed (from, line);
      take_interchanged (line);
      for (const char *verdict :
	   { ": missed: couldn't vectorize loop", ": optimized: loop vectorized" })
	if (const char *at = strstr (line, verdict))
	  from = at < end ? end + 1 : from;
    }
}

void
cab_told_end (void)
{
  if (!stream)
    return;
  stream->alt_filename = NULL;
  stream->alt_state = 0;
  if (!stream->alt_stream)   /* the pass has closed it at its end */
    read_all ();
  stream = NULL;
  free (text);
  text = NULL;
  for (struct expected &e : expected)
    free (e.place);
  expected.truncate (0);
}

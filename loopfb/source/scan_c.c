/* scan_c.c - find the for, while or do of a loop, in C and C++.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/source/scan.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "loopfb/source/tokens.h"

#define NESTING_MAX 2000   /* nested statements; deeper ones, as in generated text, are given up, to
			      bound the stack */

/* A loop statement, as tokens. */
struct loop
{
  uint32_t keyword;
  uint32_t open, close;      /* brackets of its head; of a do, those after its while */
  uint32_t condition, condition_end;   /* tokens of the condition: [condition, condition_end) */
  uint32_t body, end;        /* tokens of the body: [body, end) */
};

struct scanner
{
  struct cab_tokens t;
  struct loop *loops;
  uint32_t n;
  bool *tail;                /* per token: it is the while of a do */
};

static bool
is (const struct scanner *s, uint32_t i, const char *word)
{
  return cab_token_is (&s->t, i, word);
}

static uint8_t
kind (const struct scanner *s, uint32_t i)
{
  return i < s->t.n ? s->t.tokens[i].kind : 0;
}

/* Return the token after the bracket that closes the one at I; 0 if none does. */
static uint32_t
behind (const struct scanner *s, uint32_t i)
{
  return i < s->t.n && s->t.match[i] >= 0 ? (uint32_t) s->t.match[i] + 1 : 0;
}

static bool
is_label (const struct scanner *s, uint32_t i)
{
  return kind (s, i) == CAB_TOKEN_NAME && kind (s, i + 1) == ':' && kind (s, i + 2) != ':';
}

/* Return the token after the first one of kind WANTED at or after I, not looking into brackets; 0
   if there is none before a }. */
static uint32_t
behind_kind (const struct scanner *s, uint32_t i, uint8_t wanted)
{
  while (i < s->t.n && kind (s, i) != wanted && kind (s, i) != '}')
    {
      i = s->t.match[i] >= 0 ? behind (s, i) : i + 1;
    }
  return kind (s, i) == wanted ? i + 1 : 0;
}

static uint32_t statement_end (const struct scanner *s, uint32_t i, int depth);

/* Return the token after `(...) statement', where the bracket is at I; 0 if that is not known. */
static uint32_t
behind_headed (const struct scanner *s, uint32_t i, int depth)
{
  uint32_t body = kind (s, i) == '(' ? behind (s, i) : 0;
  return body ? statement_end (s, body, depth) : 0;
}

static uint32_t
behind_if (const struct scanner *s, uint32_t i, int depth)
{
  i += is (s, i + 1, "constexpr") ? 2 : 1;
  uint32_t end = behind_headed (s, i, depth);
  return end && is (s, end, "else") ? statement_end (s, end + 1, depth) : end;
}

static uint32_t
behind_do (const struct scanner *s, uint32_t i, int depth)
{
  uint32_t end = statement_end (s, i + 1, depth);
  if (!end || !is (s, end, "while"))
    return 0;
  end = behind (s, end + 1);
  return end && kind (s, end) == ';' ? end + 1 : 0;
}

static uint32_t
behind_try (const struct scanner *s, uint32_t i)
{
  uint32_t end = behind (s, i + 1);
  while (end && is (s, end, "catch") && (end = behind (s, end + 1)) && kind (s, end) == '{')
    end = behind (s, end);
  return end;
}

/* Return the token after the statement that begins at I; 0 if that is not known. */
static uint32_t
statement_end (const struct scanner *s, uint32_t i, int depth)
{
  while (is_label (s, i))
    i += 2;
  if (i >= s->t.n || depth > NESTING_MAX)
    return 0;
  if (kind (s, i) == '{')
    return behind (s, i);
  if (is (s, i, "if"))
    return behind_if (s, i, depth + 1);
  if (is (s, i, "for") || is (s, i, "while") || is (s, i, "switch"))
    return behind_headed (s, i + 1, depth + 1);
  if (is (s, i, "do"))
    return behind_do (s, i, depth + 1);
  if (is (s, i, "try"))
    return behind_try (s, i);
  if (is (s, i, "case"))
    {
      uint32_t end = behind_kind (s, i, ':');
      return end ? statement_end (s, end, depth + 1) : 0;
    }
  return behind_kind (s, i, ';');
}

/* Find the condition of a for: between its semicolons; of a for over a range: all that is in its
   brackets. */
static void
find_condition (const struct scanner *s, struct loop *loop)
{
  loop->condition = loop->open + 1;
  loop->condition_end = loop->close;
  if (!is (s, loop->keyword, "for"))
    return;
  uint32_t first = behind_kind (s, loop->open + 1, ';'),
	   second = first && first <= loop->close ? behind_kind (s, first, ';') : 0;
  if (second && second <= loop->close)
    {
      loop->condition = first;
      loop->condition_end = second - 1;
    }
}

static void
add_loop (struct scanner *s, uint32_t i)
{
  struct loop loop = { .keyword = i };
  bool is_do = is (s, i, "do");
  loop.body = is_do ? i + 1 : kind (s, i + 1) == '(' ? behind (s, i + 1) : 0;
  loop.end = loop.body ? statement_end (s, loop.body, 0) : 0;
  if (!loop.end)
    return;
  loop.open = is_do ? loop.end + 1 : i + 1;
  if (is_do && (!is (s, loop.end, "while") || kind (s, loop.open) != '(' || !behind (s, loop.open)))
    return;
  loop.close = s->t.match[loop.open];
  if (is_do)
    s->tail[loop.end] = true;
  find_condition (s, &loop);
  s->loops = XRESIZEVEC (struct loop, s->loops, s->n + 1);
  s->loops[s->n++] = loop;
}

/* Find all loop statements, outer ones before inner ones. */
static void
find_loops (struct scanner *s)
{
  s->tail = XCNEWVEC (bool, s->t.n + 1);
  for (uint32_t i = 0; i < s->t.n; i++)
    if (is (s, i, "for") || is (s, i, "do") || (is (s, i, "while") && !s->tail[i]))
      add_loop (s, i);
}

/* Return true if the loop's condition, as it is written, is always true. */
static bool
is_endless (const struct scanner *s, const struct loop *loop)
{
  uint32_t n = loop->condition_end - loop->condition, i = loop->condition;
  return n == 0
      || (n == 1
	  && (is (s, i, "1") || is (s, i, "true") || is (s, i, "True") || is (s, i, "TRUE")));
}

/* Return true if control may do anything but go straight through the statements [FROM, TO). */
static bool
branches (const struct scanner *s, uint32_t from, uint32_t to)
{
  static const char *const words[] = {
    "if", "for", "while", "do", "switch", "goto", "try", "return", "break", "continue", NULL
  };
  for (uint32_t i = from; i < to; i++)
    {
      if (kind (s, i) == '?' || is_label (s, i)
	  || (kind (s, i) == kind (s, i + 1) && (kind (s, i) == '&' || kind (s, i) == '|')))
	return true;
      for (int k = 0; words[k]; k++)
	if (is (s, i, words[k]))
	  return true;
    }
  return false;
}

/* Return true if token I is in the block of code with which LOOP's body begins: before, or in, the
   first statement that branches. */
static bool
begins_body (const struct scanner *s, const struct loop *loop, uint32_t i)
{
  uint32_t from = loop->body;
  while (kind (s, from) == '{')
    from++;
  uint32_t start = from;
  for (uint32_t end; from <= i && from < loop->end; from = end)
    {
      end = is_label (s, from) ? 0 : statement_end (s, from, 0);
      if (!end)
	return false;
      if (i < end)
	return !branches (s, start, from);
    }
  return false;
}

/* Return true if token I is in the part of LOOP that the compiler takes for the place of its
   header. */
static bool
is_header (const struct scanner *s, const struct loop *loop, uint32_t i)
{
  if (i == loop->keyword || i == loop->open)   /* the place of loops that have a pragma already */
    return true;
  bool is_do = is (s, loop->keyword, "do");
  if (i > loop->open && i < loop->close && (is_do || is_endless (s, loop) || i >= loop->condition))
    return is_do || i >= loop->condition;
  return (is_do || is_endless (s, loop)) && i >= loop->body && i < loop->end
      && begins_body (s, loop, i);
}

/* Return the only loop whose header is at token I; null with the reason. */
static const struct loop *
loop_at (const struct scanner *s, uint32_t i, const char **why)
{
  const struct loop *found = NULL;
  for (uint32_t k = 0; k < s->n; k++)
    {
      const struct loop *loop = &s->loops[k];
      if (!is_header (s, loop, i))
	continue;
      /* An endless loop whose body begins with a for has its header at the for's init: a token of
	 the for's condition is the for's header. */
      if (found && !(is (s, loop->keyword, "for") && loop->condition > loop->open + 2))
	{
	  *why = "two loops begin at this place";
	  return NULL;
	}
      found = loop;
    }
  if (!found)
    *why = "no for, while or do stands there: the loop is made by goto or by a macro, or the "
	   "source has changed";
  return found;
}

/* Return the only keyword on LINE, for places of which only the line is known; -1 if there is none,
   or several. */
static int64_t
only_keyword (const struct scanner *s, uint32_t line)
{
  int64_t found = -1;
  for (uint32_t k = 0; k < s->n; k++)
    if (s->t.tokens[s->loops[k].keyword].line == line)
      {
	if (found >= 0)
	  return -1;
	found = s->loops[k].keyword;
      }
  return found;
}

/* Return true if the file defines token I as a macro, or if it looks like the call of one. */
static bool
is_macro (const struct scanner *s, uint32_t i)
{
  const struct cab_token *t = &s->t.tokens[i];
  const char *name = s->t.text + t->start;
  bool upper = t->kind == CAB_TOKEN_NAME && kind (s, i + 1) == '(';
  char words[160];
  for (uint32_t k = 0; upper && k < t->length; k++)
    upper = !islower ((unsigned char) name[k]);
  if (t->kind != CAB_TOKEN_NAME || t->length > 128)
    return false;
  snprintf (words, sizeof words, "define %.*s", (int) t->length, name);
  for (uint32_t k = 0; k < s->t.n_directives; k++)
    if (cab_directive_is (&s->t, &s->t.directives[k], words))
      return true;
  return upper;
}

/* Return true if token I is among the arguments of what may be a macro. */
static bool
in_macro_call (const struct scanner *s, uint32_t i)
{
  for (uint32_t k = 1; k < i; k++)
    if (kind (s, k) == '(' && s->t.match[k] > (int64_t) i && is_macro (s, k - 1))
      return true;
  return false;
}

static bool
in_directive (const struct scanner *s, uint32_t line)
{
  for (uint32_t k = 0; k < s->t.n_directives; k++)
    if (s->t.directives[k].line <= line && line <= s->t.directives[k].last_line)
      return true;
  return false;
}

static bool
has_line_directive (const struct scanner *s)
{
  for (uint32_t k = 0; k < s->t.n_directives; k++)
    {
      const struct cab_directive *d = &s->t.directives[k];
      const char *p = s->t.text + d->start + 1;
      while (*p == ' ' || *p == '\t')
	p++;
      if (cab_directive_is (&s->t, d, "line") || isdigit ((unsigned char) *p))
	return true;
    }
  return false;
}

/* Record the unroll pragma right before the keyword in PLACE; return -1 with the reason if another
   pragma forbids one. */
static int
look_at_pragmas (const struct scanner *s, uint32_t keyword, struct cab_place *place,
		 const char **why)
{
  for (uint32_t k = 0; k < s->t.n_directives; k++)
    {
      const struct cab_directive *d = &s->t.directives[k];
      if (d->token != keyword)
	continue;
      if (cab_directive_is (&s->t, d, "pragma omp") || cab_directive_is (&s->t, d, "pragma acc"))
	{
	  *why = "an OpenMP or OpenACC directive stands before it, and must stay there";
	  return -1;
	}
      if (cab_directive_is (&s->t, d, "pragma GCC unroll"))
	{
	  const char *p = s->t.text + d->start, *end = p + d->length;
	  while (p < end && !isdigit ((unsigned char) *p))
	    p++;
	  place->replaces = d->line;
	  place->present = p < end ? strtoul (p, NULL, 10) : 0;
	}
    }
  return 0;
}

/* Return true if there are only blanks and whole comments in TEXT from START, where a line begins,
   to AT. */
static bool
is_first (const char *text, size_t start, size_t at)
{
  size_t i = start;
  while (i < at)
    if (isspace ((unsigned char) text[i]))
      i++;
    else if (text[i] == '/' && text[i + 1] == '*')
      {
	for (i += 2; i < at && !(text[i] == '*' && text[i + 1] == '/'); i++);
	i += 2;
      }
    else
      return false;
  return i == at;
}

/* Return true if a comment that began on an earlier line ends on the keyword's. */
static bool
comment_goes_on (const struct scanner *s, uint32_t keyword)
{
  const struct cab_token *t = &s->t.tokens[keyword];
  uint32_t i = keyword ? t[-1].start + t[-1].length : 0, start = t->start - (t->column - 1);
  const char *text = s->t.text;
  bool open = false;
  for (; i < start; i++)
    if (!open && text[i] == '/' && text[i + 1] == '/')
      while (i < start && text[i] != '\n')
	i++;
    else if (text[i] == (open ? '*' : '/') && text[i + 1] == (open ? '/' : '*'))
      {
	open = !open;
	i++;
      }
  return open;
}

static int
place_of (const struct scanner *s, uint32_t keyword, struct cab_place *place, const char **why)
{
  const struct cab_token *t = &s->t.tokens[keyword];
  size_t start = t->start - (t->column - 1);
  *place = (struct cab_place) { .line = t->line, .column = t->column };
  if (start >= 2
      && (s->t.text[start - 2] == '\\'
	  || (start >= 3 && s->t.text[start - 2] == '\r' && s->t.text[start - 3] == '\\')))
    {
      *why = "its line is joined to the one before by a backslash";
      return -1;
    }
  if (in_macro_call (s, keyword))
    {
      *why = "it stands among the arguments of a macro";
      return -1;
    }
  if (keyword && kind (s, keyword - 1) == ')' && keyword >= 4 && is (s, keyword - 4, "_Pragma"))
    {
      *why = "a _Pragma stands before it";
      return -1;
    }
  place->first = !comment_goes_on (s, keyword) && is_first (s->t.text, start, t->start);
  return look_at_pragmas (s, keyword, place, why);
}

/* Return true if nothing stands between token I, of one character, and the next one. */
static bool
touches_next (const struct scanner *s, uint32_t i)
{
  return s->t.tokens[i].start + 1 == s->t.tokens[i + 1].start;
}

/* Return true if token I of a condition has an effect: a call, ++, --, an assignment. */
static bool
has_effect (const struct scanner *s, uint32_t i)
{
  if (kind (s, i) == '(' && kind (s, i - 1) == CAB_TOKEN_NAME)
    return true;
  if ((kind (s, i) == '+' || kind (s, i) == '-') && kind (s, i + 1) == kind (s, i))
    return touches_next (s, i);
  return kind (s, i) == '=' && !(kind (s, i + 1) == '=' && touches_next (s, i))
      && !(strchr ("=<>!", kind (s, i - 1)) && touches_next (s, i - 1));
}

/* Return the reason why the condition cannot take the pragma, or null.  The pragma is an annotation
   of the condition, which GCC 12 loses ("ignoring loop annotation") where the condition is not one
   plain value. */
static const char *
why_not_condition (const struct scanner *s, const struct loop *loop, bool is_template)
{
  uint32_t i = loop->condition, end = loop->condition_end;
  if (i == end)
    return "a for without a condition takes no unroll pragma";
  bool over_range = is (s, loop->keyword, "for") && end == loop->close && i == loop->open + 1;
  if (!over_range && kind (s, i) == CAB_TOKEN_NAME && kind (s, i + 1) == CAB_TOKEN_NAME)
    return "GCC ignores the pragma where the condition is a declaration";
  for (; i < end && !over_range; i++)
    {
      bool twice = kind (s, i) == kind (s, i + 1) && touches_next (s, i);
      if (kind (s, i) == '?' || (twice && (kind (s, i) == '&' || kind (s, i) == '|'))
	  || is (s, i, "and") || is (s, i, "or"))
	return "GCC ignores the pragma where the condition has &&, || or ?:";
      if (is_template && has_effect (s, i))
	return "GCC may ignore the pragma where the condition does more than to look, in a "
	       "template";
    }
  return NULL;
}

/* Return true if control goes from the end of LOOP straight to the top of an enclosing loop that
   has nothing to do there except to test.  From such a for GCC 12 loses the pragma silently. */
static bool
ends_body (const struct scanner *s, const struct loop *loop)
{
  const struct loop *around = NULL;
  for (uint32_t k = 0; k < s->n; k++)
    if (s->loops[k].body <= loop->keyword && loop->keyword < s->loops[k].end
	&& &s->loops[k] != loop)
      around = &s->loops[k];
  if (!around || is (s, around->keyword, "do")
      || (is (s, around->keyword, "for") && around->close > around->condition_end + 1))
    return false;
  uint32_t i = loop->end;
  while (i && i < around->end)
    if (is (s, i, "else"))
      i = statement_end (s, i + 1, 0);
    else if (kind (s, i) == '}' || kind (s, i) == ';' || is (s, i, "continue"))
      i++;
    else
      return false;
  return true;
}

static const char *
why_not_loop (const struct scanner *s, const struct loop *loop, bool is_template)
{
  const char *why = why_not_condition (s, loop, is_template);
  if (!why && is_endless (s, loop))
    return "GCC may take the pragma at an endless loop for another loop's";
  if (!why && is (s, loop->keyword, "for") && ends_body (s, loop))
    return "GCC loses the pragma at a for that ends the body of another loop";
  return why;
}

static int
scan (struct scanner *s, const struct cab_scan *scan, struct cab_place *place, const char **why)
{
  int64_t i = scan->column ? cab_tokens_at (&s->t, scan->line, scan->column)
			   : only_keyword (s, scan->line);
  *why = NULL;
  if (in_directive (s, scan->line))
    *why = "it stands in a macro";
  else if (has_line_directive (s))
    *why = "the file has #line directives: it is made from another one";
  else if (i < 0)
    *why = scan->column ? "nothing stands there: the source has changed"
			: "the line has no loop, or several";
  else if (scan->ordinal)
    *why = "several loops were made of what stands there";
  if (*why)
    return -1;
  const struct loop *loop = loop_at (s, i, why);
  if (loop && is_macro (s, i) && !(i > loop->open && i < loop->close))
    {
      *why = "it stands in a macro";
      return -1;
    }
  if (loop && !scan->plain && (*why = why_not_loop (s, loop, scan->is_template)))
    return -1;
  return loop ? place_of (s, loop->keyword, place, why) : -1;
}

int
cab_scan_c (const struct cab_scan *what, struct cab_place *place, const char **why)
{
  struct scanner s = { 0 };
  cab_tokens_read (&s.t, what->text, what->length, what->line);
  find_loops (&s);
  int result = scan (&s, what, place, why);
  free (s.loops);
  free (s.tail);
  cab_tokens_fini (&s.t);
  return result;
}

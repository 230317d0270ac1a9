/* counted.c - see counted.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/source/counted.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "loopfb/source/tokens.h"

#define NESTING_MAX 500   /* statements in each other; deeper ones are given up */

/* Return true if tokens I and I + 1 are the characters of OPERATOR, side by side. */
static bool
is_pair (const struct cab_tokens *t, uint32_t i, const char *operator)
{
  return cab_kind (t, i) == (uint8_t) operator[0] && cab_kind (t, i + 1) == (uint8_t) operator[1]
      && t->tokens[i].start + 1 == t->tokens[i + 1].start;
}

/* Return the first token of kind WANTED in [I, END) outside of brackets; END if there is none. */
static uint32_t
find (const struct cab_tokens *t, uint32_t i, uint32_t end, uint8_t wanted)
{
  while (i < end && cab_kind (t, i) != wanted)
    i = t->match[i] > (int64_t) i ? (uint32_t) t->match[i] + 1 : i + 1;
  return i < end ? i : end;
}

/* Return the token after the statement at I, or 0 if that is not known. */
static uint32_t
after_statement (const struct cab_tokens *t, uint32_t i, int depth)
{
  bool is_if = cab_token_is (t, i, "if");
  if (i >= t->n || depth > NESTING_MAX)
    return 0;
  if (cab_kind (t, i) == '{')
    return t->match[i] >= 0 ? (uint32_t) t->match[i] + 1 : 0;
  if (is_if || cab_token_is (t, i, "for") || cab_token_is (t, i, "while")
      || cab_token_is (t, i, "switch"))
    {
      uint32_t open = i + 1 + cab_token_is (t, i + 1, "constexpr");
      if (cab_kind (t, open) != '(' || t->match[open] < 0)
	return 0;
      uint32_t end = after_statement (t, t->match[open] + 1, depth + 1);
      return is_if && end && cab_token_is (t, end, "else")
	     ? after_statement (t, end + 1, depth + 1)
	     : end;
    }
  uint32_t end = cab_token_is (t, i, "do") ? after_statement (t, i + 1, depth + 1) : i;
  end = end ? find (t, end, t->n, ';') : t->n;
  return end < t->n ? end + 1 : 0;
}

/* Read the init of a for, [I, END): `[type] name = ...'. */
static const char *
read_init (const struct cab_tokens *t, uint32_t i, uint32_t end, struct cab_counted *counted)
{
  uint32_t equals = find (t, i, end, '=');
  if (equals == end || equals == i || cab_kind (t, equals - 1) != CAB_TOKEN_NAME)
    return "its counter is not set in the head of the for";
  if (find (t, i, end, ',') < end)
    return "the head of the for sets several variables";
  const struct cab_token *name = &t->tokens[equals - 1];
  if (name->length >= CAB_COUNTED_NAME)
    return "its counter has a long name";
  memcpy (counted->variable, t->text + name->start, name->length);
  counted->variable[name->length] = 0;
  counted->declared = equals - 1 > i;
  if (counted->declared && (cab_kind (t, i) == '*' || cab_kind (t, i) == '('
			    || !cab_is_name (t, equals - 1, counted->variable)))
    return "what its head sets is no variable";
  for (uint32_t k = i; k < equals - 1; k++)
    if (cab_kind (t, k) == '.' || cab_kind (t, k) == '['
	|| (cab_kind (t, k) == '-' && cab_kind (t, k + 1) == '>'))
      return "what its head sets is no variable";
  return NULL;
}

/* Return the token after a comparison at I, 0 if there is none; set *NE if it is !=. */
static uint32_t
after_comparison (const struct cab_tokens *t, uint32_t i, bool *ne)
{
  *ne = is_pair (t, i, "!=");
  if (*ne || is_pair (t, i, "<=") || is_pair (t, i, ">="))
    return i + 2;
  bool shift = is_pair (t, i, "<<") || is_pair (t, i, ">>");
  return !shift && (cab_kind (t, i) == '<' || cab_kind (t, i) == '>') ? i + 1 : 0;
}

/* Read the condition of a for, [I, END): the counter, compared with something else. */
static const char *
read_condition (const struct cab_tokens *t, uint32_t i, uint32_t end, const char *name, bool *ne)
{
  static const char odd[] = "its condition is not a comparison of the counter with a bound";
  uint32_t uses = 0;
  for (uint32_t k = i; k < end; k++)
    {
      uses += cab_is_name (t, k, name);
      if (is_pair (t, k, "&&") || is_pair (t, k, "||") || cab_kind (t, k) == '?'
	  || cab_kind (t, k) == ',')
	return odd;
    }
  bool first = cab_is_name (t, i, name), last = end && cab_is_name (t, end - 1, name);
  if (uses != 1 || (!first && !last))
    return odd;
  if (first)
    return after_comparison (t, i + 1, ne) ? NULL : odd;
  for (uint32_t k = i; k + 1 < end; k++)
    {
      uint32_t after = after_comparison (t, k, ne);
      if (after)
	return after == end - 1 ? NULL : odd;
    }
  return odd;
}

/* Read the increment of a for, [I, END), of the counter NAME; NE: the test is !=. */
static const char *
read_increment (const struct cab_tokens *t, uint32_t i, uint32_t end, const char *name, bool ne)
{
  static const char odd[] = "its counter does not grow or fall evenly in the head of the for";
  if (end == i + 3
      && ((cab_is_name (t, i, name) && (is_pair (t, i + 1, "++") || is_pair (t, i + 1, "--")))
	  || ((is_pair (t, i, "++") || is_pair (t, i, "--")) && cab_is_name (t, i + 2, name))))
    return NULL;
  if (!cab_is_name (t, i, name) || find (t, i, end, ',') < end)
    return odd;
  if (ne)
    return "its test is !=, and its step is not written as ++ or --";
  if ((is_pair (t, i + 1, "+=") || is_pair (t, i + 1, "-=")) && end > i + 3)
    return NULL;
  bool by_sum = cab_kind (t, i + 1) == '=' && cab_is_name (t, i + 2, name)
	     && (cab_kind (t, i + 3) == '+' || cab_kind (t, i + 3) == '-') && end > i + 4;
  return by_sum ? NULL : odd;
}

/* Return true if token I of a body changes NAME, or takes its address. */
static bool
changes (const struct cab_tokens *t, uint32_t i, const char *name)
{
  if (!cab_is_name (t, i, name))
    return false;
  bool member = cab_kind (t, i - 1) == '.'
	     || (cab_kind (t, i - 1) == '>' && cab_kind (t, i - 2) == '-');
  bool assigned = (cab_kind (t, i + 1) == '=' && cab_kind (t, i + 2) != '=')
	       || (cab_kind (t, i + 2) == '=' && strchr ("+-*/%&|^", cab_kind (t, i + 1)));
  bool stepped = is_pair (t, i + 1, "++") || is_pair (t, i + 1, "--")
	      || (i > 1 && (is_pair (t, i - 2, "++") || is_pair (t, i - 2, "--")));
  bool address = cab_kind (t, i - 1) == '&' && !is_pair (t, i - 2, "&&")
	      && strchr ("(,=", cab_kind (t, i - 2));
  return !member && (assigned || stepped || address);
}

/* Return what in the body [I, END) of a loop that counts by NAME keeps it from being divided, or
   null. */
static const char *
read_body (const struct cab_tokens *t, uint32_t i, uint32_t end, const char *name)
{
  static const char *const leaving[] = { "return", "goto", "throw", "co_return", "co_yield",
					 "co_await", "longjmp", "siglongjmp" };
  for (; i < end; i++)
    {
      for (size_t k = 0; k < sizeof leaving / sizeof *leaving; k++)
	if (cab_token_is (t, i, leaving[k]))
	  return "return, goto, throw or longjmp may leave it";
      if (changes (t, i, name))
	return "its counter is changed, or its address taken, in the body";
    }
  return NULL;
}

/* Return true if a break in [I, END) leaves the loop itself. */
static bool
breaks (const struct cab_tokens *t, uint32_t i, uint32_t end)
{
  while (i < end)
    {
      bool inner = cab_token_is (t, i, "for") || cab_token_is (t, i, "while")
		|| cab_token_is (t, i, "do") || cab_token_is (t, i, "switch");
      uint32_t after = inner ? after_statement (t, i, 0) : 0;
      if (cab_token_is (t, i, "break"))
	return true;
      i = after ? after : i + 1;
    }
  return false;
}

static const char *
read_loop (const struct cab_tokens *t, uint32_t i, struct cab_counted *counted)
{
  if (!cab_token_is (t, i, "for") || cab_kind (t, i + 1) != '(' || t->match[i + 1] < 0)
    return "it is no for";
  uint32_t close = t->match[i + 1], first = find (t, i + 2, close, ';'),
	   second = first < close ? find (t, first + 1, close, ';') : close;
  if (second == close)
    return "it is a for over a range";
  bool ne = false;
  uint32_t end = after_statement (t, close + 1, 0);
  const char *why = end ? read_init (t, i + 2, first, counted) : "its body is odd";
  why = why ? why : read_condition (t, first + 1, second, counted->variable, &ne);
  why = why ? why : read_increment (t, second + 1, close, counted->variable, ne);
  why = why ? why : read_body (t, close + 1, end, counted->variable);
  if (why)
    return why;
  counted->first_line = t->tokens[i].line;
  counted->last_line = t->tokens[end - 1].line;
  return breaks (t, close + 1, end) ? "a break may leave it" : NULL;
}

/* Return why the directives in and before the loop COUNTED do not allow another one, or null. */
static const char *
look_at_directives (const struct cab_tokens *t, uint32_t keyword, const struct cab_counted *counted)
{
  for (uint32_t k = 0; k < t->n_directives; k++)
    {
      const struct cab_directive *d = &t->directives[k];
      if (d->token == keyword && cab_directive_is (t, d, "pragma GCC"))
	return "a pragma of GCC stands before it";
      if (d->line > counted->first_line && d->line < counted->last_line
	  && cab_directive_is (t, d, "pragma omp"))
	return "it has OpenMP directives inside";
    }
  return NULL;
}

int
cab_counted_c (const char *text, size_t length, const struct cab_place *place,
	       struct cab_counted *counted, const char **why)
{
  struct cab_tokens t;
  cab_tokens_read (&t, text, length, place->line);
  int64_t i = cab_tokens_at (&t, place->line, place->column);
  *why = i < 0 ? "nothing stands there: the source has changed" : read_loop (&t, i, counted);
  if (!*why)
    *why = look_at_directives (&t, i, counted);
  cab_tokens_fini (&t);
  return *why ? -1 : 0;
}

/* Return where LINE, counted from 1, begins in TEXT; *N becomes its length. */
static const char *
line_of (const char *text, size_t length, uint32_t line, size_t *n)
{
  const char *p = text, *end = text + length, *stop;
  while (line > 1 && p < end && (stop = memchr (p, '\n', end - p)))
    {
      p = stop + 1;
      line--;
    }
  stop = memchr (p, '\n', end - p);
  *n = (stop ? stop : end) - p;
  return p;
}

bool
cab_counted_divides (const char *text, size_t length, uint32_t line, uint32_t a, uint32_t b)
{
  size_t n;
  const char *p = line_of (text, length, line, &n);
  uint32_t from = a < b ? a : b, to = a < b ? b : a;
  return from && to <= n && memchr (p + from - 1, ';', to - from);
}

/* A DO without a counter is refused where it is found (scan_fortran.c). */
int
cab_counted_fortran (const char *text, size_t length, const struct cab_place *place,
		     struct cab_counted *counted, const char **why)
{
  size_t n, i = 0, k = 0;
  const char *p = line_of (text, length, place->line, &n);
  const char *equals = memchr (p, '=', n);
  *why = NULL;
  *counted = (struct cab_counted) { .first_line = place->line, .last_line = place->line };
  for (i = equals ? equals - p : 0; i && isspace ((unsigned char) p[i - 1]); i--);
  for (k = i; k && (isalnum ((unsigned char) p[k - 1]) || p[k - 1] == '_'); k--);
  if (k == i || i - k >= CAB_COUNTED_NAME)
    *why = "its counter is not on the line of the DO";
  else
    snprintf (counted->variable, CAB_COUNTED_NAME, "%.*s", (int) (i - k), p + k);
  for (char *c = counted->variable; *c; c++)
    *c = tolower ((unsigned char) *c);
  return *why ? -1 : 0;
}

/* prefetch.c - see prefetch.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/source/prefetch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "loopfb/source/counted.h"
#include "loopfb/source/tokens.h"

#define BOUND_MAX 64
#define MOST_LINES 8

/* The loop. */
struct reading
{
  const struct cab_tokens *t;
  uint32_t body, end;            /* tokens of the body, without its braces: [body, end) */
  char name[CAB_COUNTED_NAME];   /* of the counter */
  char bound[BOUND_MAX];
  unsigned distance;
};

/* A load: tokens [from, to). */
struct load
{
  uint32_t from, to;
  bool indirect;
};

static bool
is_one_of (const struct cab_tokens *t, uint32_t i, const char *const *words)
{
  for (; *words; words++)
    if (cab_token_is (t, i, *words))
      return true;
  return false;
}

/* Return true if token I changes NAME, or takes its address; a subscript after it counts as the
   name's. */
static bool
changes (const struct cab_tokens *t, uint32_t i, const char *name)
{
  if (!cab_is_name (t, i, name))
    return false;
  uint32_t after = i + 1;
  if (cab_kind (t, after) == '[' && t->match[after] >= 0)
    after = t->match[after] + 1;
  uint8_t a = cab_kind (t, after), b = cab_kind (t, after + 1), c = cab_kind (t, after + 2);
  bool assigned = (a == '=' && b != '=') || (a && strchr ("+-*/%&|^", a) && b == '=')
	       || (((a == '<' && b == '<') || (a == '>' && b == '>')) && c == '=');
  bool stepped = (a == '+' && b == '+') || (a == '-' && b == '-')
	      || (i > 1 && cab_kind (t, i - 1) == cab_kind (t, i - 2)
		  && (cab_kind (t, i - 1) == '+' || cab_kind (t, i - 1) == '-'));
  bool address = i > 1 && cab_kind (t, i - 1) == '&' && cab_kind (t, i - 2)
	      && strchr ("(,=&", cab_kind (t, i - 2));
  return assigned || stepped || address;
}

static bool
is_changed (const struct reading *r, const char *name)
{
  for (uint32_t i = r->body; i < r->end; i++)
    if (changes (r->t, i, name))
      return true;
  return false;
}

/* Copy token I into TEXT, which has room for BYTES bytes.  Return false if it is too long. */
static bool
copy_token (const struct cab_tokens *t, uint32_t i, char *text, size_t bytes)
{
  const struct cab_token *token = &t->tokens[i];
  if (token->length >= bytes)
    return false;
  memcpy (text, t->text + token->start, token->length);
  text[token->length] = 0;
  return true;
}

/* Read the head of the for at I: `NAME < bound; NAME++', or the like. */
static const char *
read_head (struct reading *r, uint32_t i)
{
  const struct cab_tokens *t = r->t;
  uint32_t close = t->match[i + 1], first = i + 2;
  while (first < close && cab_kind (t, first) != ';')
    first = t->match[first] > (int64_t) first ? (uint32_t) t->match[first] + 1 : first + 1;
  uint32_t step = first + 5;
  if (!cab_is_name (t, first + 1, r->name) || cab_kind (t, first + 2) != '<'
      || cab_kind (t, first + 4) != ';'
      || (cab_kind (t, first + 3) != CAB_TOKEN_NAME && cab_kind (t, first + 3) != CAB_TOKEN_NUMBER)
      || !copy_token (t, first + 3, r->bound, sizeof r->bound))
    return "its bound is not a name or a number that the counter is less than";
  bool after = cab_is_name (t, step, r->name) && cab_kind (t, step + 1) == '+'
	    && cab_kind (t, step + 2) == '+',
       before = cab_is_name (t, step + 2, r->name) && cab_kind (t, step) == '+'
	     && cab_kind (t, step + 1) == '+';
  if (close != step + 3 || (!after && !before))
    return "its counter does not grow by one";
  if (cab_kind (t, close + 1) != '{' || t->match[close + 1] < 0)
    return "its body has no braces, in which a line could be added";
  r->body = close + 2;
  r->end = t->match[close + 1];
  return is_changed (r, r->bound) ? "its bound is changed in its body" : NULL;
}

/* Return why control may leave the body before its end, or null. */
static const char *
read_body (const struct reading *r)
{
  static const char *const heads[]
    = { "if", "for", "while", "switch", "sizeof", "alignof", "_Alignof", "return", NULL };
  static const char *const barriers[] = { "asm", "__asm__", "volatile", NULL };
  for (uint32_t i = r->body; i < r->end; i++)
    {
      if (cab_is_name (r->t, i, "__builtin_prefetch"))
	return "it has prefetches already";
      if (cab_kind (r->t, i) == CAB_TOKEN_NAME && cab_kind (r->t, i + 1) == '('
	  && !is_one_of (r->t, i, heads))
	return "it calls something";
      if (is_one_of (r->t, i, barriers))
	return "it has assembly, or volatile accesses";
    }
  for (uint32_t k = 0; k < r->t->n_directives; k++)
    if (r->t->directives[k].token > r->body && r->t->directives[k].token <= r->end)
      return "it has preprocessor directives inside";
  return r->body == r->end ? "its body is empty" : NULL;
}

/* Return true if the body declares NAME, so that it is not known at the body's beginning. */
static bool
is_declared (const struct reading *r, const char *name)
{
  static const char *const words[] = { "return", "else", "sizeof", NULL };
  for (uint32_t i = r->body + 1; i < r->end; i++)
    if (cab_is_name (r->t, i, name)
	&& ((cab_kind (r->t, i - 1) == CAB_TOKEN_NAME && !is_one_of (r->t, i - 1, words))
	    || ((cab_kind (r->t, i - 1) == '*' || cab_kind (r->t, i - 1) == '&')
		&& cab_kind (r->t, i + 1) == '=')))
      return true;
  return false;
}

/* Return the first token of the body that is not reached, or not by all iterations. */
static uint32_t
sure_end (const struct reading *r)
{
  static const char *const words[]
    = { "if", "for", "while", "do", "switch", "continue", "case", NULL };
  uint32_t i = r->body;
  for (; i < r->end; i++)
    if (is_one_of (r->t, i, words) || cab_kind (r->t, i) == '?' || cab_kind (r->t, i) == '{'
	|| ((cab_kind (r->t, i) == '&' || cab_kind (r->t, i) == '|')
	    && cab_kind (r->t, i + 1) == cab_kind (r->t, i)))
      break;
  return i;
}

/* Look at the index in the tokens [FROM, TO).  Return false if it cannot be computed ahead; set
   *USES if it has the counter, and *INNER to the first token of an array in it, or 0. */
static bool
read_index (const struct reading *r, uint32_t from, uint32_t to, bool *uses, uint32_t *inner)
{
  for (uint32_t i = from; i < to; i++)
    {
      uint8_t k = cab_kind (r->t, i);
      if (k == CAB_TOKEN_NAME && cab_is_name (r->t, i, r->name))
	*uses = true;
      else if (k == CAB_TOKEN_NAME && cab_kind (r->t, i + 1) == '[')
	{
	  if (*inner)
	    return false;
	  *inner = i;
	}
      else if (!(k == CAB_TOKEN_NAME || k == CAB_TOKEN_NUMBER || (k && strchr ("[]()+-*&", k)))
	       || (strchr ("+-", k) && cab_kind (r->t, i + 1) == k))
	return false;
    }
  return true;
}

/* Return true if the body declares no name in [FROM, TO), and changes none but the counter and the
   first, the array: then they mean the same some iterations later. */
static bool
is_steady (const struct reading *r, uint32_t from, uint32_t to)
{
  char name[128];
  for (uint32_t i = from; i < to; i++)
    if (cab_kind (r->t, i) == CAB_TOKEN_NAME && !cab_is_name (r->t, i, r->name)
	&& (!copy_token (r->t, i, name, sizeof name) || is_declared (r, name)
	    || (i > from && is_changed (r, name))))
      return false;
  return true;
}

/* Read the load that begins at token I of the body; return false if it is none that can be
   prefetched. */
static bool
read_load (const struct reading *r, uint32_t i, struct load *load)
{
  const struct cab_tokens *t = r->t;
  bool uses = false;
  uint32_t inner = 0, to = i + 1;
  uint8_t before = cab_kind (t, i - 1);
  if (cab_kind (t, i) != CAB_TOKEN_NAME || cab_kind (t, i + 1) != '[' || before == '.'
      || before == ']'
      || (before == '>' && cab_kind (t, i - 2) == '-') || before == CAB_TOKEN_NAME)
    return false;
  for (; cab_kind (t, to) == '['; to = t->match[to] + 1)
    if (t->match[to] < 0 || !read_index (r, to + 1, t->match[to], &uses, &inner))
      return false;
  bool stored = cab_kind (t, to) == '=' && cab_kind (t, to + 1) != '=';
  *load = (struct load) { i, to, inner > 0 };
  return uses && !stored && is_steady (r, i, to);
}

/* Find the loads of the body; return how many they are, at most MOST_LINES. */
static int
find_loads (const struct reading *r, struct load *loads)
{
  int n = 0, n_indirect = 0;
  uint32_t end = sure_end (r);
  for (uint32_t i = r->body; i < end && n < MOST_LINES; i++)
    if (read_load (r, i, &loads[n]))
      n_indirect += loads[n++].indirect;
  int kept = 0;
  for (int k = 0; k < n; k++)
    if (loads[k].indirect || !n_indirect)
      loads[kept++] = loads[k];
  return kept;
}

/* Return the line for LOAD. */
static char *
line_of (const struct reading *r, const struct load *load)
{
  char *line = xstrdup ("__builtin_prefetch (&");
  for (uint32_t i = load->from; i < load->to; i++)
    {
      const struct cab_token *token = &r->t->tokens[i];
      bool apart = i > load->from && token[-1].start + token[-1].length < token->start;
      char *text = cab_is_name (r->t, i, r->name)
		   ? xasprintf ("(%s - %s > %u ? %s + %u : %s)", r->bound, r->name, r->distance,
				r->name, r->distance, r->name)
		   : xstrndup (r->t->text + token->start, token->length);
      line = reconcat (line, line, apart ? " " : "", text, NULL);
      free (text);
    }
  return reconcat (line, line, ");", NULL);
}

/* Write the lines for the N LOADS, each once. */
static char *
lines_of (const struct reading *r, const struct load *loads, int n)
{
  char *lines = xstrdup ("");
  for (int k = 0; k < n; k++)
    {
      char *line = line_of (r, &loads[k]);
      if (!strstr (lines, line))
	lines = reconcat (lines, lines, *lines ? "\n" : "", line, NULL);
      free (line);
    }
  return lines;
}

/* Return true if only blanks stand before token I on its line. */
static bool
is_first (const struct cab_tokens *t, uint32_t i)
{
  uint32_t at = t->tokens[i].start;
  while (at && (t->text[at - 1] == ' ' || t->text[at - 1] == '\t'))
    at--;
  return !at || t->text[at - 1] == '\n';
}

static const char *
read_loop (struct reading *r, uint32_t i, struct cab_prefetch *prefetch)
{
  struct load loads[MOST_LINES];
  const char *why = read_head (r, i);
  why = why ? why : read_body (r);
  if (why)
    return why;
  int n = find_loads (r, loads);
  if (!n)
    return "no load of an array that each iteration makes is known from the text";
  const struct cab_token *token = &r->t->tokens[r->body];
  prefetch->place = (struct cab_place) { token->line, token->column, is_first (r->t, r->body), 0,
					 0 };
  prefetch->lines = lines_of (r, loads, n);
  return NULL;
}

int
cab_prefetch_c (const char *text, size_t length, const struct cab_place *place, unsigned distance,
		struct cab_prefetch *prefetch, const char **why)
{
  struct cab_tokens t;
  struct cab_counted counted;
  *prefetch = (struct cab_prefetch) { .lines = NULL };
  if (cab_counted_c (text, length, place, &counted, why) < 0)
    return -1;
  cab_tokens_read (&t, text, length, place->line);
  struct reading r = { .t = &t, .distance = distance };
  memcpy (r.name, counted.variable, sizeof r.name);
  *why = read_loop (&r, cab_tokens_at (&t, place->line, place->column), prefetch);
  cab_tokens_fini (&t);
  return *why ? -1 : 0;
}

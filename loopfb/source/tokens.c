/* tokens.c - split C and C++ source into tokens, as far as finding loops needs it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/source/tokens.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define DEPTH_MAX 256    /* nested conditional groups */

struct reader
{
  struct cab_tokens *tokens;
  const char *text;
  size_t at, end;
  uint32_t line;
  size_t line_start;
  bool fresh;            /* no token was on this line so far */
};

static char
peek (const struct reader *r, size_t ahead)
{
  return r->at + ahead < r->end ? r->text[r->at + ahead] : 0;
}

static void
next (struct reader *r)
{
  if (r->text[r->at++] == '\n')
    {
      r->line++;
      r->line_start = r->at;
      r->fresh = true;
    }
}

/* Return true if the line is continued by a backslash at the reader. */
static bool
spliced (const struct reader *r)
{
  return peek (r, 0) == '\\'
      && (peek (r, 1) == '\n' || (peek (r, 1) == '\r' && peek (r, 2) == '\n'));
}

static void
skip_splice (struct reader *r)
{
  bool fresh = r->fresh;
  while (peek (r, 0) != '\n')
    next (r);
  next (r);
  r->fresh = fresh;
}

/* Skip a comment at the reader; return false if there is none. */
static bool
skip_comment (struct reader *r)
{
  bool fresh = r->fresh;
  if (peek (r, 0) != '/' || (peek (r, 1) != '/' && peek (r, 1) != '*'))
    return false;
  if (peek (r, 1) == '/')
    while (r->at < r->end && peek (r, 0) != '\n')
      if (spliced (r))
	skip_splice (r);
      else
	next (r);
  else
    {
      r->at += 2;
      while (r->at < r->end && !(peek (r, 0) == '*' && peek (r, 1) == '/'))
	next (r);
      r->at = r->at + 2 < r->end ? r->at + 2 : r->end;
    }
  r->fresh = fresh;
  return true;
}

static void
skip_quoted (struct reader *r, char quote)
{
  next (r);
  while (r->at < r->end && peek (r, 0) != quote && (peek (r, 0) != '\n'))
    if (peek (r, 0) == '\\' && r->at + 1 < r->end)
      {
	next (r);
	next (r);
      }
    else
      next (r);
  if (peek (r, 0) == quote)
    next (r);
}

/* Skip R"mark( ... )mark", where the reader is at the quote. */
static void
skip_raw (struct reader *r)
{
  char mark[20] = ")";
  size_t n = 1;
  next (r);
  while (n < 18 && peek (r, 0) && peek (r, 0) != '(')
    {
      mark[n++] = peek (r, 0);
      next (r);
    }
  mark[n++] = '"';
  while (r->at + n <= r->end && memcmp (r->text + r->at, mark, n))
    next (r);
  r->at = r->at + n <= r->end ? r->at + n : r->end;
}

static void
add_token (struct reader *r, uint8_t kind, size_t start, uint32_t line, size_t line_start)
{
  struct cab_tokens *t = r->tokens;
  if (t->n == t->room)
    t->tokens = XRESIZEVEC (struct cab_token, t->tokens, t->room = t->room * 2 + 256);
  t->tokens[t->n++] = (struct cab_token) { start, r->at - start, line, start - line_start + 1,
					   kind };
  r->fresh = false;
}

static void
read_directive (struct reader *r)
{
  struct cab_tokens *t = r->tokens;
  struct cab_directive d = { .start = r->at, .line = r->line, .token = t->n };
  while (r->at < r->end && peek (r, 0) != '\n')
    if (spliced (r))
      skip_splice (r);
    else if (peek (r, 0) == '"' || peek (r, 0) == '\'')
      skip_quoted (r, peek (r, 0));
    else if (!skip_comment (r))
      next (r);
  d.length = r->at - d.start;
  d.last_line = r->line;
  if (t->n_directives == t->directives_room)
    t->directives = XRESIZEVEC (struct cab_directive, t->directives,
				t->directives_room = t->directives_room * 2 + 64);
  t->directives[t->n_directives++] = d;
}

static bool
is_name (char c)
{
  return isalnum ((unsigned char) c) || c == '_' || c == '$' || (unsigned char) c >= 0x80;
}

static void
read_token (struct reader *r)
{
  size_t start = r->at, line_start = r->line_start;
  uint32_t line = r->line;
  char c = peek (r, 0);
  uint8_t kind = c;
  if (isdigit ((unsigned char) c) || (c == '.' && isdigit ((unsigned char) peek (r, 1))))
    {
      kind = CAB_TOKEN_NUMBER;
      while (is_name (peek (r, 0)) || peek (r, 0) == '.'
	     || (peek (r, 0) == '\'' && is_name (peek (r, 1)))
	     || ((peek (r, 0) == '+' || peek (r, 0) == '-') && strchr ("eEpP", r->text[r->at - 1])))
	next (r);
    }
  else if (is_name (c))
    {
      kind = CAB_TOKEN_NAME;
      while (is_name (peek (r, 0)))
	next (r);
      if (peek (r, 0) == '"' && r->text[r->at - 1] == 'R' && r->at - start <= 3)
	{
	  skip_raw (r);
	  kind = CAB_TOKEN_STRING;
	}
    }
  else if (c == '"' || c == '\'')
    {
      kind = CAB_TOKEN_STRING;
      skip_quoted (r, c);
    }
  else
    next (r);
  add_token (r, kind, start, line, line_start);
}

static void
read_all (struct reader *r)
{
  while (r->at < r->end)
    if (spliced (r))
      skip_splice (r);
    else if (isspace ((unsigned char) peek (r, 0)))
      next (r);
    else if (skip_comment (r))
      continue;
    else if (peek (r, 0) == '#' && r->fresh)
      read_directive (r);
    else
      read_token (r);
}

bool
cab_directive_is (const struct cab_tokens *tokens, const struct cab_directive *directive,
		  const char *words)
{
  const char *p = tokens->text + directive->start + 1,
	     *end = tokens->text + directive->start + directive->length;
  while (*words)
    {
      size_t n = strcspn (words, " ");
      while (p < end && (*p == ' ' || *p == '\t'))
	p++;
      if ((size_t) (end - p) < n || memcmp (p, words, n) || (p + n < end && is_name (p[n])))
	return false;
      p += n;
      words += n + strspn (words + n, " ");
    }
  return true;
}

static bool
never_true (const struct cab_tokens *t, const struct cab_directive *d)
{
  return cab_directive_is (t, d, "if 0");
}

/* Return true if LINE lies between FIRST and LAST. */
static bool
holds (uint32_t first, uint32_t last, uint32_t line)
{
  return first <= line && line <= last;
}

/* Return true if a later branch of the group of directive AT holds LINE. */
static bool
later_branch (const struct cab_tokens *t, uint32_t at, uint32_t line)
{
  int depth = 0;
  uint32_t start = t->directives[at].last_line;
  for (uint32_t i = at; i < t->n_directives; i++)
    {
      const struct cab_directive *d = &t->directives[i];
      bool end = cab_directive_is (t, d, "endif");
      bool middle = cab_directive_is (t, d, "else") || cab_directive_is (t, d, "elif");
      if (i > at && depth == 0 && (end || middle))
	{
	  if (holds (start, d->line, line))
	    return true;
	  start = d->last_line;
	}
      if (end && depth-- == 0)
	return false;
      if (cab_directive_is (t, d, "if") || cab_directive_is (t, d, "ifdef")
	  || cab_directive_is (t, d, "ifndef"))
	depth++;
    }
  return false;
}

/* Return the directive that ends the branch which directive AT begins. */
static uint32_t
branch_end (const struct cab_tokens *t, uint32_t at)
{
  int depth = 0;
  for (uint32_t i = at + 1; i < t->n_directives; i++)
    {
      const struct cab_directive *d = &t->directives[i];
      bool end = cab_directive_is (t, d, "endif");
      if (depth == 0 && (end || cab_directive_is (t, d, "else") || cab_directive_is (t, d, "elif")))
	return i;
      if (end)
	depth--;
      else if (cab_directive_is (t, d, "if") || cab_directive_is (t, d, "ifdef")
	       || cab_directive_is (t, d, "ifndef"))
	depth++;
    }
  return t->n_directives;
}

/* Return true if the branch of a conditional group that directive AT begins is kept.  KEPT says
   that an earlier branch of the group is. */
static bool
keeps_branch (const struct cab_tokens *t, uint32_t at, bool kept, uint32_t line)
{
  uint32_t end = branch_end (t, at),
	   last = end < t->n_directives ? t->directives[end].line : UINT32_MAX;
  if (holds (t->directives[at].line, last, line))
    return true;
  return !kept && !never_true (t, &t->directives[at])
      && !(end < t->n_directives && later_branch (t, end, line));
}

/* Mark the tokens of the branches that are not kept. */
static void
mark_dropped (const struct cab_tokens *t, bool *dropped, uint32_t line)
{
  bool kept[DEPTH_MAX];
  int depth = 0;
  for (uint32_t i = 0; i < t->n_directives; i++)
    {
      const struct cab_directive *d = &t->directives[i];
      bool begins = cab_directive_is (t, d, "if") || cab_directive_is (t, d, "ifdef")
		 || cab_directive_is (t, d, "ifndef");
      bool middle = cab_directive_is (t, d, "else") || cab_directive_is (t, d, "elif");
      if (cab_directive_is (t, d, "endif") && depth)
	depth--;
      if ((!begins && !(middle && depth)) || (begins && depth == DEPTH_MAX))
	continue;
      if (begins)
	kept[depth++] = false;
      uint32_t end = branch_end (t, i),
	       last = end < t->n_directives ? t->directives[end].token : t->n;
      if (keeps_branch (t, i, kept[depth - 1], line))
	kept[depth - 1] = true;
      else
	memset (dropped + d->token, 1, last - d->token);
    }
}

static void
drop (struct cab_tokens *t, uint32_t line)
{
  bool *dropped = XCNEWVEC (bool, t->n + 1);
  uint32_t n = 0, k = 0;
  mark_dropped (t, dropped, line);
  for (uint32_t i = 0; i <= t->n; i++)
    {
      while (k < t->n_directives && t->directives[k].token == i)
	t->directives[k++].token = n;
      if (i < t->n && !dropped[i])
	t->tokens[n++] = t->tokens[i];
    }
  t->n = n;
  free (dropped);
}

static void
match_brackets (struct cab_tokens *t)
{
  uint32_t *open = XNEWVEC (uint32_t, t->n + 1), n = 0;
  t->match = XNEWVEC (int32_t, t->n + 1);
  for (uint32_t i = 0; i < t->n; i++)
    {
      uint8_t kind = t->tokens[i].kind;
      t->match[i] = -1;
      if (kind == '(' || kind == '[' || kind == '{')
	open[n++] = i;
      else if (kind == ')' || kind == ']' || kind == '}')
	{
	  uint8_t wanted = kind == ')' ? '(' : kind == ']' ? '[' : '{';
	  if (n && t->tokens[open[n - 1]].kind == wanted)
	    t->match[open[--n]] = i;
	  else if (kind == '}')   /* what is open within the braces stays unmatched */
	    {
	      uint32_t m = n;
	      while (m && t->tokens[open[m - 1]].kind != '{')
		m--;
	      if (m)
		t->match[open[(n = m - 1)]] = i;
	    }
	}
    }
  free (open);
}

void
cab_tokens_read (struct cab_tokens *tokens, const char *text, size_t length, uint32_t line)
{
  struct reader r = { .tokens = tokens, .text = text, .end = length, .line = 1, .fresh = true };
  *tokens = (struct cab_tokens) { .text = text };
  read_all (&r);
  drop (tokens, line);
  match_brackets (tokens);
}

void
cab_tokens_fini (struct cab_tokens *tokens)
{
  free (tokens->tokens);
  free (tokens->match);
  free (tokens->directives);
  *tokens = (struct cab_tokens) { 0 };
}

uint8_t
cab_kind (const struct cab_tokens *tokens, uint32_t i)
{
  return i < tokens->n ? tokens->tokens[i].kind : 0;
}

bool
cab_is_name (const struct cab_tokens *tokens, uint32_t i, const char *name)
{
  return cab_kind (tokens, i) == CAB_TOKEN_NAME && cab_token_is (tokens, i, name);
}

bool
cab_token_is (const struct cab_tokens *tokens, uint32_t i, const char *word)
{
  if (i >= tokens->n)
    return false;
  const struct cab_token *t = &tokens->tokens[i];
  return t->kind != CAB_TOKEN_STRING && t->length == strlen (word)
      && !memcmp (tokens->text + t->start, word, t->length);
}

int64_t
cab_tokens_at (const struct cab_tokens *tokens, uint32_t line, uint32_t column)
{
  int64_t found = -1;
  for (uint32_t i = 0; i < tokens->n && tokens->tokens[i].line <= line; i++)
    if (tokens->tokens[i].line == line && (tokens->tokens[i].column <= column || found < 0))
      found = i;
  return found;
}

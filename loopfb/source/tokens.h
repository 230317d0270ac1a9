/* tokens.h - C and C++ source as tokens, as far as finding loops needs it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      no preprocessing.  Comments, strings (raw ones too) and numbers are what they are;
 *             directives are apart, with their place among the tokens.  Of conditional groups one
 *             branch is kept: the one that holds the line of interest, else the first that is not
 *             `#if 0`.  Three-letter and two-letter substitutes of characters are not known.
 * Shapes:     match[i]: of an opening bracket, the token that closes it, or -1; of others -1.
 * Units:      lines and columns from 1; a column counts bytes, as GCC's do.
 * Ownership:  the text is the caller's and must outlive the tokens; the arrays belong to the tokens
 *             until cab_tokens_fini.
 * Errors:     text that is no C makes odd tokens, never a failure.
 */
#ifndef CAB_TOKENS_H
#define CAB_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cab_token_kind
{
  CAB_TOKEN_NAME = 'a',     /* keywords, too */
  CAB_TOKEN_NUMBER = '0',
  CAB_TOKEN_STRING = '"'    /* and character constants; all else is its own character */
};

struct cab_token
{
  uint32_t start, length;   /* in the text */
  uint32_t line, column;
  uint8_t kind;
};

struct cab_directive
{
  uint32_t start, length;   /* from # to the end of its last line */
  uint32_t line, last_line;
  uint32_t token;           /* the token that follows it */
};

struct cab_tokens
{
  const char *text;
  struct cab_token *tokens;
  int32_t *match;
  struct cab_directive *directives;
  uint32_t n, n_directives, room, directives_room;
};

/* The tokens of TEXT (LENGTH bytes, no NUL in it) with the branches that LINE is in. */
void cab_tokens_read (struct cab_tokens *tokens, const char *text, size_t length, uint32_t line);
void cab_tokens_fini (struct cab_tokens *tokens);

/* Is token I there, and the word or character WORD? */
bool cab_token_is (const struct cab_tokens *tokens, uint32_t i, const char *word);

/* Does DIRECTIVE begin with these words ("pragma GCC unroll")?  Blanks do not matter. */
bool cab_directive_is (const struct cab_tokens *tokens, const struct cab_directive *directive,
		       const char *words);

/* The token at or last before the place, on its line; -1: the line has none so far left. */
int64_t cab_tokens_at (const struct cab_tokens *tokens, uint32_t line, uint32_t column);

#endif

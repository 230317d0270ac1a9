/* tokens.h - split C and C++ source into tokens, as far as finding loops needs it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      no preprocessing.  Comments, strings (raw ones too) and numbers are recognised;
 *             directives are kept apart, with their place among the tokens.  Of conditional groups
 *             one branch is kept: the one that holds the line of interest, else the first that is
 *             not `#if 0`.  Three-letter and two-letter substitutes of characters are not known.
 * Shapes:     match[i] of an opening bracket is the token that closes it, or -1; of other tokens it
 *             is -1.
 * Units:      lines and columns from 1; a column counts bytes, as GCC's do.
 * Ownership:  the text is the caller's and must outlive the tokens; the arrays belong to the tokens
 *             until cab_tokens_fini.
 * Errors:     text that is not C gives odd tokens, never a failure.
 */
#ifndef CAB_TOKENS_H
#define CAB_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cab_kind
{
  CAB_TOKEN_NAME = 'a',     /* keywords included */
  CAB_TOKEN_NUMBER = '0',
  CAB_TOKEN_STRING = '"'    /* also character constants; any other token is its own character */
};

struct cab_token
{
  uint32_t start, length;   /* in the text */
  uint32_t line, column;
  uint8_t kind;
};

struct cab_directive
{
  uint32_t start, length;   /* from the # to the end of its last line */
  uint32_t line, last_line;
  uint32_t token;           /* number of the token that follows it */
};

struct cab_tokens
{
  const char *text;
  struct cab_token *tokens;
  int32_t *match;
  struct cab_directive *directives;
  uint32_t n, n_directives, room, directives_room;
};

/* Read the tokens of TEXT (LENGTH bytes, no NUL in it), keeping the branches that contain LINE. */
void cab_tokens_read (struct cab_tokens *tokens, const char *text, size_t length, uint32_t line);
/* Free the arrays of TOKENS. */
void cab_tokens_fini (struct cab_tokens *tokens);

/* Return the kind of token I, 0 if there is none. */
uint8_t cab_kind (const struct cab_tokens *tokens, uint32_t i);
/* Return true if there is a token I, and it is the name NAME. */
bool cab_is_name (const struct cab_tokens *tokens, uint32_t i, const char *name);
/* Return true if there is a token I, and it is the word or character WORD. */
bool cab_token_is (const struct cab_tokens *tokens, uint32_t i, const char *word);

/* Return true if DIRECTIVE begins with WORDS ("pragma GCC unroll"); blanks do not matter. */
bool cab_directive_is (const struct cab_tokens *tokens, const struct cab_directive *directive,
		       const char *words);

/* Return the last token of LINE at or before COLUMN, or its first token if all are further right;
   -1 if the line has none. */
int64_t cab_tokens_at (const struct cab_tokens *tokens, uint32_t line, uint32_t column);

#endif

/* arguments.h - the arguments of a subcommand: one table of options parses them and prints --help.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a subcommand describes each option once, as a struct cab_argument, in an array that
 *             is mostly local to the function that parses, since it points to where values go.
 *             --help and -h are there without being named.  Values follow after =, or as the next
 *             word; long names may be abbreviated; options and words may be mixed.
 * Errors:     calls that return int return 0, or an exit status after printing what is wrong.
 */
#ifndef CAB_ARGUMENTS_H
#define CAB_ARGUMENTS_H

#include <stdbool.h>
#include "analyses/base/table.h"

/* One option.  Of the pointers from flag to take, the one that is not null says what kind of value
   the option has and where it goes; take is called where none of the others will do. */
struct cab_argument
{
  const char *name;              /* a name of one character is a letter: "d" is -d */
  const char *value;             /* what the help calls the value; null: the option has none */
  const char *help;
  bool *flag;                    /* becomes true */
  const char **text;
  const char **pattern;          /* checked as loopfb/formats/pattern.h says */
  enum cab_format *format;
  long *whole;                   /* a whole number from least to most */
  double *number;                /* a number from least to most */
  char ***words;                 /* a list that grows by one each time; the caller frees it */
  int (*take) (const struct cab_argument *argument, const char *value);
  int *n_words;                  /* the length of the list words */
  void *to;                      /* for take */
  bool *given;                   /* becomes true if the option is there; null: no matter */
  bool may_lack;                 /* of a long option: the value may be missing, and is null then; it
				    follows after = only */
  double least, most;            /* most 0: no limit */
  const char *wrong;             /* what a number outside of these limits is: "not a number" */
};

/* The arguments of a subcommand.  Texts are broken into lines when they are printed; a newline in
   them is kept. */
struct cab_arguments
{
  const char *subcommand;        /* as in `cabprof SUBCOMMAND --help' */
  const char *usage;             /* what follows it: "[REPORT] [OPTION...]"; a line for each way */
  const char *about;             /* what it does */
  void (*list) (void);           /* prints rows that precede the options; null: none */
  const struct cab_argument *options;
  size_t n_options;
  const char *more;              /* what follows the options; null: nothing */
  bool words_end;                /* what follows the first word is no option */
};

/* Returned after --help: the subcommand is over, with CAB_EXIT_GOOD. */
#define CAB_ARGUMENTS_HELPED (-1)

/* Parse ARGV, whose first element is the subcommand's name, and set *WORDS to what is left of it,
   which ends with null.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
int cab_arguments_parse (const struct cab_arguments *arguments, int argc, char **argv,
			 char ***words);

/* Print a row of the help, with NAME on the left and TEXT on the right. */
void cab_arguments_row (const char *name, const char *text);

/* Set *PATH to the one trace that WORDS hold; if there is none, to "-" if standard input has a
   sender. */
int cab_arguments_trace (const char *subcommand, char **words, const char **path);

/* Turn a macro's value into a text for the help. */
#define CAB_TEXT_OF(MACRO) CAB_TEXT_OF_TOKENS (MACRO)
#define CAB_TEXT_OF_TOKENS(TOKENS) #TOKENS

/* Rows that several subcommands have. */
#define CAB_ARGUMENT_DIR(DIR) \
  { "d", "DIR", "the profile (default " CAB_DEFAULT_DIR ")", .text = (DIR) }
#define CAB_ARGUMENT_PROGRAM(PROGRAM) \
  { "program", "NAME", \
    "of a profile of several programs, this one (default: that which did most), or all", \
    .pattern = (PROGRAM) }
#define CAB_ARGUMENT_FUNCTION(PATTERN) \
  { "function", "GLOB", "functions by name, assembler name or source name", \
    .pattern = (PATTERN) }
#define CAB_ARGUMENT_FILE(PATTERN) \
  { "file", "GLOB", "functions by file; a file's trailing part will do", .pattern = (PATTERN) }
/* ROWS is what they are of: "rows", "rows of each kind"; TEXT is how many text has (output.h). */
#define CAB_ARGUMENT_LIMIT(LIMIT, ROWS, TEXT, ...) \
  { "limit", "N", \
    "the first N " ROWS "; 0: all (default: " CAB_TEXT_OF (TEXT) " in text, else all)", \
    .whole = (LIMIT), .wrong = "not a number of rows", __VA_ARGS__ }
#define CAB_ARGUMENT_FORMAT(FORMAT, ...) \
  { "format", "FORMAT", "text (default), tsv or json", .format = (FORMAT), __VA_ARGS__ }
#define CAB_ARGUMENT_SOURCE(DIRS, N_DIRS) \
  { "source", "DIR", \
    "where sources are that no longer lie where they were compiled; may be repeated", \
    .words = (DIRS), .n_words = (N_DIRS) }
/* With --wide, tables have no limit of width. */
#define CAB_ARGUMENT_WIDE \
  { "wide", NULL, "tables as wide as they are, whatever the terminal is", \
    .take = cab_arguments_wide }
int cab_arguments_wide (const struct cab_argument *argument, const char *value);

#endif

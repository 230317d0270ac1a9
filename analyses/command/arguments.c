/* arguments.c - see arguments.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * getopt_long does the parsing; argp, which also prints help, would still need a switch for each
 * subcommand, and prints messages and help in forms of its own.
 */
#include "analyses/command/arguments.h"
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/style.h"
#include "analyses/command/command.h"
#include "loopfb/formats/pattern.h"

#define HELP 256          /* what getopt_long returns for --help */
#define FIRST_LONG 257    /* what it returns for the first option */
#define WIDTH 80          /* columns of the help */
#define TEXT_COLUMN 25    /* where the text of a row begins */

static bool
is_letter (const struct cab_argument *option)
{
  return !option->name[1];
}

/* Print TEXT, which begins in column INDENT, in lines of WIDTH columns, and end the line. */
static void
print_wrapped (const char *text, size_t indent)
{
  size_t at = indent;
  while (*text)
    {
      size_t blanks = strspn (text, " "), n = strcspn (text + blanks, " \n"), all = blanks + n;
      bool breaks = at > indent && at + all > WIDTH;
      if (breaks)
	printf ("\n%*s", (int) indent, "");
      printf ("%*s%.*s", breaks ? 0 : (int) blanks, "", (int) n, text + blanks);
      at = breaks ? indent + n : at + all;
      text += all;
      if (*text == '\n')
	{
	  printf ("\n%*s", text[1] && text[1] != '\n' ? (int) indent : 0, "");
	  at = indent;
	  text++;
	}
    }
  putchar ('\n');
}

void
cab_arguments_row (const char *name, const char *text)
{
  size_t n = 2 + strlen (name);
  printf ("  %s", name);
  if (n + 1 < TEXT_COLUMN)
    printf ("%*s", (int) (TEXT_COLUMN - n), "");
  else
    printf ("\n%*s", TEXT_COLUMN, "");
  print_wrapped (text, TEXT_COLUMN);
}

static void
print_option (const struct cab_argument *option)
{
  bool letter = is_letter (option);
  const char *before = !option->value ? "" : option->may_lack ? "[=" : letter ? " " : "=";
  char *name = concat (letter ? "-" : "--", option->name, before,
		       option->value ? option->value : "", option->may_lack ? "]" : "", NULL);
  cab_arguments_row (name, option->help);
  free (name);
}

/* Print the usage, a line for each way to call the subcommand. */
static void
print_usage (const struct cab_arguments *a)
{
  const char *line = a->usage;
  for (size_t n; *line; line += n + (line[n] == '\n'))
    {
      n = strcspn (line, "\n");
      printf ("%s cabprof %s%s%.*s\n", line == a->usage ? "Usage:" : "      ", a->subcommand,
	      n ? " " : "", (int) n, line);
    }
  if (!*a->usage)
    printf ("Usage: cabprof %s\n", a->subcommand);
}

static void
print_help (const struct cab_arguments *a)
{
  print_usage (a);
  print_wrapped (a->about, 0);
  if (a->list)
    {
      putchar ('\n');
      a->list ();
    }
  if (a->n_options)
    putchar ('\n');
  for (size_t i = 0; i < a->n_options; i++)
    print_option (&a->options[i]);
  if (a->more)
    {
      putchar ('\n');
      print_wrapped (a->more, 0);
    }
}

/* Return true if X is within the limits of OPTION. */
static bool
is_within (const struct cab_argument *option, double x)
{
  return x >= option->least && isfinite (x) && (!option->most || x <= option->most);
}

static bool
take_whole (const struct cab_argument *option, const char *value)
{
  char *end;
  errno = 0;
  *option->whole = strtol (value, &end, 10);
  return *value && !*end && !errno && is_within (option, *option->whole);
}

static bool
take_number (const struct cab_argument *option, const char *value)
{
  char *end;
  *option->number = strtod (value, &end);
  return *value && !*end && is_within (option, *option->number);
}

static int
take_pattern (const char *subcommand, const struct cab_argument *option, const char *value)
{
  const char *wrong = cab_pattern_wrong (value);
  *option->pattern = value;
  if (!wrong)
    return 0;
  char *words = concat ("bad regular expression: ", wrong, NULL);
  int status = cab_usage (subcommand, value, words);
  free (words);
  return status;
}

static void
add_word (const struct cab_argument *option, char *value)
{
  *option->words = XRESIZEVEC (char *, *option->words, *option->n_words + 1);
  (*option->words)[(*option->n_words)++] = value;
}

/* Store VALUE, which is null for an option without one.  Return 0 or an exit status. */
static int
take (const char *subcommand, const struct cab_argument *option, char *value)
{
  if (option->given)
    *option->given = true;
  if (option->take)
    return option->take (option, value);
  if (option->pattern)
    return take_pattern (subcommand, option, value);
  if ((option->whole && !take_whole (option, value))
      || (option->number && !take_number (option, value)))
    return cab_usage (subcommand, value, option->wrong);
  if (option->flag)
    *option->flag = true;
  if (option->text)
    *option->text = value;
  if (option->words)
    add_word (option, value);
  if (option->format && !(*option->format = cab_table_format (value)))
    return cab_usage (subcommand, value, "no such format (text, tsv, json)");
  return 0;
}

/* Print which option is wrong after getopt_long returned C, '?' or ':'.  Return the exit
   status. */
static int
refuse_option (const char *subcommand, char **argv, int c)
{
  /* In a cluster such as -xy getopt has not moved on yet, and only optopt has the letter. */
  char letter[3] = { '-', optopt, 0 };
  const char *option = optopt > 0 && optopt < HELP ? letter : argv[optind - 1];
  return cab_usage (subcommand, option, c == ':' ? "a value is missing" : "no such option");
}

/* Fill getopt's tables of LETTERS and of LONG options, of which option I returns FIRST_LONG + I. */
static void
fill_tables (const struct cab_arguments *a, char *letters, struct option *long_options)
{
  if (a->words_end)
    *letters++ = '+';
  *letters++ = ':';
  *letters++ = 'h';
  for (size_t i = 0; i < a->n_options; i++)
    {
      const struct cab_argument *option = &a->options[i];
      if (!is_letter (option))
	*long_options++ = (struct option) { option->name, !option->value ? no_argument
						    : option->may_lack ? optional_argument
								       : required_argument, NULL,
					    FIRST_LONG + (int) i };
      else
	{
	  *letters++ = *option->name;
	  if (option->value)
	    *letters++ = ':';
	}
    }
  *long_options = (struct option) { "help", no_argument, NULL, HELP };
}

/* Return the option for which getopt_long returned C, or null. */
static const struct cab_argument *
find_option (const struct cab_arguments *a, int c)
{
  if (c >= FIRST_LONG)
    return &a->options[c - FIRST_LONG];
  for (size_t i = 0; i < a->n_options; i++)
    if (is_letter (&a->options[i]) && *a->options[i].name == c)
      return &a->options[i];
  return NULL;
}

int
cab_arguments_parse (const struct cab_arguments *a, int argc, char **argv, char ***words)
{
  char *letters = XCNEWVEC (char, 2 * a->n_options + 4);
  struct option *long_options = XCNEWVEC (struct option, a->n_options + 2);
  int status = 0;
  fill_tables (a, letters, long_options);
  opterr = optind = 0;
  for (int c; !status && (c = getopt_long (argc, argv, letters, long_options, NULL)) != -1;)
    {
      const struct cab_argument *option = find_option (a, c);
      if (option)
	status = take (a->subcommand, option, optarg);
      else if (c != 'h' && c != HELP)
	status = refuse_option (a->subcommand, argv, c);
      else
	{
	  print_help (a);
	  status = CAB_ARGUMENTS_HELPED;
	}
    }
  *words = argv + optind;
  free (letters);
  free (long_options);
  return status;
}

int
cab_arguments_wide (const struct cab_argument *argument, const char *value)
{
  (void) argument, (void) value;
  cab_style_be_wide ();
  return 0;
}

/* Return true if standard input has a sender, as a pipe or a redirected file has. */
static bool
has_input (void)
{
  struct stat st;
  return fstat (STDIN_FILENO, &st) == 0
      && (S_ISFIFO (st.st_mode) || S_ISREG (st.st_mode) || S_ISSOCK (st.st_mode));
}

int
cab_arguments_trace (const char *subcommand, char **words, const char **path)
{
  if (!words[0] && !has_input ())
    return cab_usage (subcommand, "trace", "is missing (- is standard input)");
  if (words[0] && words[1])
    return cab_usage (subcommand, words[1], "one trace at a time");
  *path = words[0] ? words[0] : "-";
  return 0;
}

/* cache_option.c - see cache_option.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/cache_option.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/command.h"

/* Parse a decimal number, which may end in K or M if SUFFIX, up to the character END. */
static bool
parse_number (const char **text, bool suffix, char end, uint64_t *n)
{
  char *rest;
  if (**text < '0' || **text > '9')
    return false;
  errno = 0;
  *n = strtoull (*text, &rest, 10);
  unsigned shift = !suffix ? 0 : *rest == 'K' ? 10 : *rest == 'M' ? 20 : 0;
  rest += shift != 0;
  if (errno || *n > UINT32_MAX || *rest != end)
    return false;
  *n <<= shift;
  *text = rest + (end != 0);
  return true;
}

static bool
parse (const char *text, struct cab_cache_geometry *geometry)
{
  char between = strchr (text, '/') ? '/' : ',';
  uint64_t size, assoc, line;
  if (!parse_number (&text, true, between, &size) || !parse_number (&text, false, between, &assoc)
      || !parse_number (&text, false, 0, &line))
    return false;
  *geometry = (struct cab_cache_geometry) { size, assoc, line };
  return true;
}

/* Parse VALUE into *GEOMETRY, or print what is wrong.  FORM says what VALUE should have been. */
static int
take (const char *subcommand, const char *name, const char *value, const char *form,
      struct cab_cache_geometry *geometry)
{
  struct cab_cache_geometry given;
  if (!parse (value, &given))
    return cab_usage (subcommand, value, form);
  const char *wrong = cab_cache_wrong (&given);
  if (wrong)
    {
      char *words = xasprintf ("--%s is no cache: %s", name, wrong);
      int status = cab_usage (subcommand, value, words);
      free (words);
      return status;
    }
  *geometry = given;
  return 0;
}

int
cab_cache_option (const char *subcommand, const char *name, const char *value,
		  struct cab_cache_geometry *geometry)
{
  return take (subcommand, name, value, "not of the form SIZE,ASSOC,LINE", geometry);
}

int
cab_cache_option_or_none (const char *subcommand, const char *name, const char *value,
			  struct cab_cache_geometry *geometry, bool *there)
{
  *there = strcmp (value, "none");
  return *there ? take (subcommand, name, value, "neither SIZE,ASSOC,LINE nor none", geometry) : 0;
}

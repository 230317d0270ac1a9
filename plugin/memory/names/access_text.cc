/* access_text.cc - the text of a name; see access_name.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/memory/names/access_text.h"

#define MOST_REGISTERS 100

void
cab_name_begin (struct cab_name *to)
{
  gcc_obstack_init (&to->text);
  to->users = 0;
  to->left = MOST_REGISTERS;
  to->bytes = 0;
}

void
cab_name_end (struct cab_name *to)
{
  obstack_free (&to->text, NULL);
}

void
cab_name_put (struct cab_name *to, const char *text)
{
  obstack_grow (&to->text, text, strlen (text));
}

void
cab_name_put_element (struct cab_name *to)
{
  bool is_users = to->users == cab_name_size (to);
  cab_name_put (to, "[]");
  to->users = is_users ? cab_name_size (to) : to->users;
}

bool
cab_name_retract (struct cab_name *to, struct cab_name_mark since)
{
  obstack_blank_fast (&to->text, -(int) (cab_name_size (to) - since.n));
  to->users = since.users;
  return false;
}

void
cab_name_star (struct cab_name *to, struct cab_name_mark since, bool star)
{
  size_t n = cab_name_size (to) - since.n;
  if (star)
    cab_name_put (to, "*");
  char *text = cab_name_text (to, since);
  memmove (text + star, text + !star, n - !star);
  if (star)
    *text = '*';
  else
    obstack_blank_fast (&to->text, -1);
  if (cab_name_is_users (to, since))
    to->users += star ? 1 : -1;
}

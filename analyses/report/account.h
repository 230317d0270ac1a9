/* account.h - the account of a profile: what was sent, analysed, dropped and left out, and why.
 *
 * Model:      a list of items, always the same and in the same order; those that have causes are
 *             followed by a row for each of them.
 * Units:      counts, but for items in nanoseconds, whose names end in _ns.
 * Ownership:  the rows are the account's until cab_account_fini; texts are constant, or live in the
 *             model.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_ACCOUNT_H
#define CAB_ACCOUNT_H

#include "analyses/profile/model.h"

struct cab_account_row
{
  const char *item;    /* for programs */
  const char *cause;   /* a row of the item before: so many for that cause; "": the item itself */
  const char *what;    /* for people, and what else is to be said of it, or "" */
  const char *more;
  uint64_t count;
  bool is_news;        /* worth a line in an overview */
};

struct cab_account
{
  struct cab_account_row *rows;
  size_t n, room;
};

void cab_account_init (struct cab_account *account, const struct cab_model *model);
void cab_account_fini (struct cab_account *account);

#endif

/* account.h - the account of a profile: what was sent, analysed, dropped and left out, and why.
 *
 * Model:      a list of items, always the same and in the same order.  An item that has causes is
 *             followed by a row for each of them.
 * Units:      counts, but for items in nanoseconds, whose names end in _ns.
 * Ownership:  rows belong to the account until cab_account_fini; texts are constant, or live in the
 *             model.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_ACCOUNT_H
#define CAB_ACCOUNT_H

#include "analyses/profile/model.h"

/* A row of the account. */
struct cab_account_row
{
  const char *item;    /* for programs: the item's name */
  const char *cause;   /* the row is the part of the item above with this cause; "": the item */
  const char *what;    /* for people: the item's name */
  const char *more;    /* for people: a remark, or "" */
  uint64_t count;
  bool is_news;        /* shown in an overview */
};

/* The account of a profile. */
struct cab_account
{
  struct cab_account_row *rows;
  size_t n, room;
};

/* Fill ACCOUNT from MODEL. */
void cab_account_init (struct cab_account *account, const struct cab_model *model);
/* Free the rows of ACCOUNT. */
void cab_account_fini (struct cab_account *account);

#endif

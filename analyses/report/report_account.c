/* report_account.c - whether every event was accounted for, and what was left out.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/report.h"
#include "analyses/report/account.h"

static const struct cab_column columns[] = {
  { "item", CAB_TEXT, 0 },
  { "count", CAB_COUNT, 0 },
  { "cause", CAB_TEXT, 0 },
  { "what", CAB_TEXT, 0 }
};
enum { ITEM, COUNT, CAUSE, WHAT, N };

/* Return WHAT without the indentation that it has in an overview. */
static const char *
flush (const char *what)
{
  while (*what == ' ')
    what++;
  return what;
}

static void
fill (struct cab_model *model, const struct cab_report_options *options, struct cab_table *table)
{
  struct cab_account account;
  (void) options;
  cab_table_init (table, "account", "Account of events, functions and activations", columns, N);
  cab_account_init (&account, model);
  for (size_t i = 0; i < account.n; i++)
    {
      union cab_cell *cell = cab_table_row (table);
      cell[ITEM].text = account.rows[i].item;
      cell[COUNT].count = account.rows[i].count;
      cell[CAUSE].text = account.rows[i].cause;
      cell[WHAT].text = flush (account.rows[i].what);
    }
  cab_account_fini (&account);
}

const struct cab_report cab_account_report = {
  .name = "account",
  .summary = "what was sent, analysed, dropped and left out, and why",
  .subject = CAB_ABOUT_RUN,
  .of_whole_run = true,
  .unfiltered = true,
  .of_some_events = true,
  .fill = fill
};

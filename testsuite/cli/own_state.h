/* own_state.h - what the users' analyses of the tests have alike: include it behind struct state,
   whose first member is MARK.
   SPDX-License-Identifier: GPL-3.0-or-later */
#define S(arena) ((struct state *) (arena)->base)

static int
open_it (struct cab_arena *a, const char *arguments, struct cab_diag *diag)
{
  (void) arguments, (void) diag;
  S (a)->mark = 1;
  a->used = sizeof (struct state);
  return 0;
}

static uint64_t
lost (const struct cab_arena *a)
{
  (void) a;
  return 0;
}

static int
check (const struct cab_arena *a, struct cab_diag *diag)
{
  (void) diag;
  return a->used && a->used != sizeof (struct state) ? -1 : 0;
}

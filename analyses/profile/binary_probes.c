/* binary_probes.c - see binary_probes.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/binary_probes.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/binary/elf_section.h"
#include "analyses/profile/info.h"
#include "cabprof/info.h"

static bool
has_loader (const char *path)
{
  struct cab_diag diag;
  size_t bytes;
  char *section = cab_elf_section (path, ".interp", &bytes, &diag);
  free (section);
  return section != NULL;
}

/* Return true if IS_SO holds for a record of KIND in the program PATH. */
static bool
has_record (const char *path, char kind, bool (*is_so) (struct cab_info *info, uint64_t at))
{
  struct cab_info info;
  struct cab_diag diag;
  uint64_t offset = 0, at;
  bool found = false;
  if (cab_info_open_elf (&info, path, &diag) < 0)
    return false;
  for (char k; !found && (k = cab_info_next (&info, &offset, &at));)
    found = k == kind && is_so (&info, at);
  cab_info_close (&info);
  return found;
}

static bool
has_calls (struct cab_info *info, uint64_t at)
{
  struct cab_diag diag;
  struct cab_record record;
  return cab_info_record (info, at, &record, &diag) == 0 && record.calls;
}

bool
cab_binary_probes_calls (const char *path)
{
  return has_loader (path) && has_record (path, 'F', has_calls);
}

static bool
is_left_out (struct cab_info *info, uint64_t at)
{
  struct cab_diag diag;
  struct cab_note note;
  return cab_info_note (info, at, &note, &diag) == 0
      && strncmp (note.field[4], CAB_INFO_UNSEEN, strlen (CAB_INFO_UNSEEN));
}

bool
cab_binary_probes_left_out (const char *path)
{
  return has_record (path, 'X', is_left_out);
}

static bool
waits_for_link (struct cab_info *info, uint64_t at)
{
  struct cab_diag diag;
  struct cab_note note;
  if (cab_info_note (info, at, &note, &diag) < 0)
    return false;
  const char *events = strstr (note.field[3], " events=");
  return events && strstr (note.field[3], " -flto ")
      && memmem (events + 1, strcspn (events + 1, " "), "memory", 6);
}

bool
cab_binary_probes_at_link (const char *path)
{
  return has_record (path, 'U', waits_for_link);
}

/* Limit of reasons why functions were skipped; the plugin has fewer. */
#define N_REASONS 32

struct reasons
{
  unsigned n, all, count[N_REASONS];
  char *text[N_REASONS];
};

static void
add_reason (struct reasons *r, const char *text)
{
  unsigned i = 0;
  while (i < r->n && strcmp (r->text[i], text))
    i++;
  r->all++;
  if (i == r->n && i < N_REASONS)
    r->text[r->n++] = xstrdup (text);
  if (i < r->n)
    r->count[i]++;
}

char *
cab_binary_probes_why_not (const char *path, unsigned *n, unsigned *all)
{
  struct cab_info info;
  struct cab_diag diag;
  struct cab_note note;
  struct reasons reasons = { 0 };
  uint64_t offset = 0, at;
  bool some = false;
  if (cab_info_open_elf (&info, path, &diag) < 0)
    return NULL;
  for (char kind; !some && (kind = cab_info_next (&info, &offset, &at));)
    {
      some = kind == 'F';
      if (kind == 'S' && cab_info_note (&info, at, &note, &diag) == 0)
	add_reason (&reasons, note.field[4]);
    }
  cab_info_close (&info);
  unsigned most = 0;
  for (unsigned i = 1; i < reasons.n; i++)
    most = reasons.count[i] > reasons.count[most] ? i : most;
  for (unsigned i = 0; i < reasons.n; i++)
    if (some || i != most)
      free (reasons.text[i]);
  *n = reasons.count[most];
  *all = reasons.all;
  return some ? NULL : reasons.text[most];
}

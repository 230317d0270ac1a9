/* gcda_records.c - see gcda_records.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/gcda/gcda_records.h"
#include "analyses/profile/info_cursor.h"

int
cab_gcda_unit_record (struct cab_info *info, uint64_t offset, struct cab_gcov_unit *unit,
		      struct cab_diag *diag)
{
  struct cab_info_cursor c;
  *unit = (struct cab_gcov_unit) { 0 };
  if (cab_info_begin (&c, info, offset, "G", diag) < 0)
    return -1;
  unit->directory = cab_info_text (&c, 1);
  unit->base = cab_info_text (&c, 2);
  unit->in_words = cab_info_has_letter (&c, 4, 'w');
  if (!*unit->directory || !*unit->base || !cab_info_hexadecimal (&c, 3, &unit->version)
      || (!unit->in_words && !cab_info_has_letter (&c, 4, 'b')))
    return cab_info_refuse (&c, "a unit of GCC's profile lacks its name or its format");
  uint32_t room = 0;
  for (struct cab_info_cursor count = c; cab_info_next_line (&count);)
    room += *count.line == 'p';
  unit->functions = cab_names_zero (&info->names, room, sizeof *unit->functions);
  while (cab_info_next_line (&c))
    if (c.length[0] == 1 && *c.line == 'p')
      {
	struct cab_gcov *f = &unit->functions[unit->n_functions++];
	f->n_counters = cab_info_number (&c, 5, UINT32_MAX);
	if (cab_info_gcov (&c, f) < 0)
	  return -1;
	if (f->n_counters > info->bytes)
	  return cab_info_refuse (&c, "more counters than the function can have");
      }
  return 0;
}

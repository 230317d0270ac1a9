/* address_names.c - see address_names.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/addresses/address_names.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/binary/dwarf_fields.h"
#include "analyses/binary/dwarf_places.h"
#include "analyses/binary/image.h"

/* The rows whose names come from one module. */
struct work
{
  struct cab_model *model;
  const struct cab_samples *samples;
  struct cab_address_named *named;
  uint32_t module;
  const char *short_name;       /* of the module's file */
  struct cab_image image;
};

static const char *
copy (struct cab_model *model, const char *text)
{
  return cab_names_copy (&model->names, text, strlen (text));
}

/* Open the module's file.  Return false if it is not the one that was sampled. */
static bool
open_module (struct work *w)
{
  const struct cab_sample_module *m = &w->samples->modules[w->module];
  struct cab_diag diag;
  if (*m->path == '[' || m->address_is_offset || cab_image_open (&w->image, m->path, &diag) < 0)
    return false;
  if (!*m->build_id || !strcmp (m->build_id, w->image.build_id))
    return true;
  cab_model_problem (w->model, "%s: was rebuilt since it was sampled: record again", m->path);
  cab_image_close (&w->image);
  return false;
}

static void
name_variables (struct work *w)
{
  struct cab_names *names = &w->model->names;
  const struct cab_data_rows *data = &w->samples->data;
  struct cab_dwarf_byte *byte = XNEWVEC (struct cab_dwarf_byte, data->n + 1);
  uint32_t *row = XNEWVEC (uint32_t, data->n + 1), n = 0;
  for (uint32_t i = 0; i < data->n; i++)
    {
      const struct cab_data_row *r = &data->row[i];
      if (r->module != w->module || r->region != CAB_DATA_STATIC)
	continue;
      const struct cab_image_symbol *s = cab_image_object (&w->image, r->address);
      const char *section = cab_image_section (&w->image, r->address);
      if (s)
	{
	  w->named[i].variable = cab_names_display (names, copy (w->model, s->name), "", "");
	  byte[n] = (struct cab_dwarf_byte) { s->address, r->address - s->address, "" };
	  row[n++] = i;
	}
      else if (*section)
	w->named[i].variable = cab_names_format (names, "[%s %s]", w->short_name, section);
    }
  /* The rows of a module ascend by address. */
  cab_dwarf_fields (w->samples->modules[w->module].path, byte, n, names);
  for (uint32_t i = 0; i < n; i++)
    w->named[row[i]].field = byte[i].field;
  free (byte);
  free (row);
}

/* An address of code that needs a name. */
struct need
{
  uint64_t address;
  struct cab_address_code *to;
};

static int
by_address (const void *a, const void *b)
{
  const struct need *x = a, *y = b;
  return (x->address > y->address) - (x->address < y->address);
}

/* Set TO to what PLACE and the symbols say of the instruction at ADDRESS. */
static void
name_place (struct work *w, uint64_t address, const struct cab_dwarf_place *place,
	    struct cab_address_code *to)
{
  struct cab_names *names = &w->model->names;
  const struct cab_image_symbol *symbol = cab_image_symbol (&w->image, address);
  const char *function = place->n_frames ? place->frames[0].function : "";
  if (!*function && symbol)
    function = copy (w->model, symbol->name);
  to->file = place->file ? place->file : "";
  to->line = place->file ? place->line : 0;
  to->function = *function ? cab_names_display (names, function, "", to->file)
			   : cab_names_format (names, "[%s]", w->short_name);
}

/* Set NEED to the addresses of the module's instructions and allocations; return their number. */
static uint32_t
list_needs (struct work *w, struct need *need)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->samples->data.n; i++)
    {
      const struct cab_data_row *r = &w->samples->data.row[i];
      if (r->code_module == w->module)
	need[n++] = (struct need) { r->code, &w->named[i].code };
      if (r->block_bytes && r->site_module == w->module)
	need[n++] = (struct need) { r->site, &w->named[i].site };
    }
  qsort (need, n, sizeof *need, by_address);
  return n;
}

static void
name_instructions (struct work *w)
{
  size_t room = 2 * (size_t) w->samples->data.n + 1;
  struct need *need = XNEWVEC (struct need, room);
  uint64_t *address = XNEWVEC (uint64_t, room);
  struct cab_dwarf_place *places = XCNEWVEC (struct cab_dwarf_place, room);
  struct cab_diag diag;
  uint32_t n = list_needs (w, need), n_places = 0;
  for (uint32_t i = 0; i < n; i++)
    if (!n_places || address[n_places - 1] != need[i].address)
      address[n_places++] = need[i].address;
  cab_dwarf_places (w->samples->modules[w->module].path, address, n_places, places,
		    &w->model->names, &diag);
  for (uint32_t i = 0, place = 0; i < n; i++)
    {
      place += address[place] != need[i].address;
      name_place (w, address[place], &places[place], need[i].to);
    }
  free (need);
  free (address);
  free (places);
}

/* Name what needs no file of the module: by the module itself. */
static void
name_by_module (struct work *w)
{
  const char *name = cab_names_format (&w->model->names, "[%s]", w->short_name);
  for (uint32_t i = 0; i < w->samples->data.n; i++)
    {
      const struct cab_data_row *r = &w->samples->data.row[i];
      if (r->module == w->module)
	w->named[i].variable = r->region == CAB_DATA_FILE ? w->short_name : name;
      if (r->code_module == w->module)
	w->named[i].code.function = name;
      if (r->block_bytes && r->site_module == w->module)
	w->named[i].site.function = name;
    }
}

struct cab_address_named *
cab_address_names (struct cab_model *model, const struct cab_samples *samples)
{
  struct work w = { .model = model, .samples = samples };
  w.named = XNEWVEC (struct cab_address_named, samples->data.n + 1);
  for (uint32_t i = 0; i < samples->data.n; i++)
    {
      const struct cab_data_row *r = &samples->data.row[i];
      bool small = r->block_bytes && r->block_bytes <= CAB_DATA_OFFSETS_UP_TO;
      w.named[i] = (struct cab_address_named) {
	.variable = "",
	.field = small ? cab_names_format (&model->names, "+%" PRIu64, r->block_offset) : "",
	.code = { "[kernel]", "", 0 },
	.site = { r->block_bytes ? "[unknown]" : "", "", 0 }
      };
    }
  for (w.module = 0; w.module < samples->n_modules; w.module++)
    {
      w.short_name = copy (model, lbasename (samples->modules[w.module].path));
      name_by_module (&w);
      if (!open_module (&w))
	continue;
      name_variables (&w);
      name_instructions (&w);
      cab_image_close (&w.image);
    }
  return w.named;
}

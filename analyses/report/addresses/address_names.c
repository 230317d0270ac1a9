/* address_names.c - see address_names.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/addresses/address_names.h"
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

static int
by_code (const void *a, const void *b)
{
  const struct cab_data_row *x = *(const struct cab_data_row *const *) a,
			    *y = *(const struct cab_data_row *const *) b;
  return (x->code > y->code) - (x->code < y->code);
}

/* Set NAMED to what PLACE and the symbols say of the instruction at ADDRESS. */
static void
name_place (struct work *w, uint64_t address, const struct cab_dwarf_place *place,
	    struct cab_address_named *named)
{
  struct cab_names *names = &w->model->names;
  const struct cab_image_symbol *symbol = cab_image_symbol (&w->image, address);
  const char *function = place->n_frames ? place->frames[0].function : "";
  if (!*function && symbol)
    function = copy (w->model, symbol->name);
  named->file = place->file ? place->file : "";
  named->line = place->file ? place->line : 0;
  named->function = *function ? cab_names_display (names, function, "", named->file)
			      : cab_names_format (names, "[%s]", w->short_name);
}

static void
name_instructions (struct work *w)
{
  const struct cab_data_row *rows = w->samples->data.row;
  uint32_t n = 0, n_places = 0;
  const struct cab_data_row **row = XNEWVEC (const struct cab_data_row *, w->samples->data.n + 1);
  uint64_t *address = XNEWVEC (uint64_t, w->samples->data.n + 1);
  struct cab_dwarf_place *places = XCNEWVEC (struct cab_dwarf_place, w->samples->data.n + 1);
  struct cab_diag diag;
  for (uint32_t i = 0; i < w->samples->data.n; i++)
    if (rows[i].code_module == w->module)
      row[n++] = &rows[i];
  qsort (row, n, sizeof *row, by_code);
  for (uint32_t i = 0; i < n; i++)
    if (!n_places || address[n_places - 1] != row[i]->code)
      address[n_places++] = row[i]->code;
  cab_dwarf_places (w->samples->modules[w->module].path, address, n_places, places,
		    &w->model->names, &diag);
  for (uint32_t i = 0, place = 0; i < n; i++)
    {
      place += address[place] != row[i]->code;
      name_place (w, address[place], &places[place], &w->named[row[i] - rows]);
    }
  free (row);
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
	w->named[i].function = name;
    }
}

struct cab_address_named *
cab_address_names (struct cab_model *model, const struct cab_samples *samples)
{
  struct work w = { .model = model, .samples = samples };
  w.named = XNEWVEC (struct cab_address_named, samples->data.n + 1);
  for (uint32_t i = 0; i < samples->data.n; i++)
    w.named[i] = (struct cab_address_named) { "", "", "[kernel]", "", 0 };
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

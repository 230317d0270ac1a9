/* data_rows_json.c - see data_rows_json.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/data_rows_json.h"

#define MOST_COUNT (INT64_C (1) << 53)

/* The columns. */
enum
{
  REGION,
  MODULE,
  ADDRESS,
  CODE_MODULE,
  CODE,
  LEVEL,
  MODIFIED,
  N,
  WEIGHT,
  LATENCY,
  COLUMNS,
  /* Of data in a known block: */
  BLOCK_BYTES = COLUMNS,
  BLOCK_OFFSET,
  AGE,
  SITE_MODULE,
  SITE,
  MOST_COLUMNS
};

static json_int_t
module_number (uint32_t module)
{
  return module == CAB_DATA_NOWHERE ? -1 : (json_int_t) module;
}

json_t *
cab_data_rows_json (const struct cab_data_rows *rows)
{
  json_t *list = json_array ();
  for (uint32_t i = 0; i < rows->n; i++)
    {
      const struct cab_data_row *r = &rows->row[i];
      const json_int_t value[MOST_COLUMNS] = { [REGION] = r->region,
					  [MODULE] = module_number (r->module),
					  [ADDRESS] = r->address,
					  [CODE_MODULE] = module_number (r->code_module),
					  [CODE] = r->code,
					  [LEVEL] = r->level,
					  [MODIFIED] = r->modified,
					  [N] = r->n,
					  [WEIGHT] = r->weight,
					  [LATENCY] = r->latency,
					  [BLOCK_BYTES] = r->block_bytes,
					  [BLOCK_OFFSET] = r->block_offset,
					  [AGE] = r->age_ns,
					  [SITE_MODULE] = module_number (r->site_module),
					  [SITE] = r->site };
      json_t *row = json_array ();
      for (int k = 0; k < (r->block_bytes ? MOST_COLUMNS : COLUMNS); k++)
	json_array_append_new (row, json_integer (value[k]));
      json_array_append_new (list, row);
    }
  return list;
}

static bool
is_module (json_int_t value, uint32_t n_modules)
{
  return value >= -1 && value < (json_int_t) n_modules;
}

/* Return true if VALUE, the row of a block, can have it. */
static bool
is_block (const json_int_t value[MOST_COLUMNS], uint32_t n_modules)
{
  return value[BLOCK_BYTES] > 0 && value[BLOCK_OFFSET] >= 0
      && value[BLOCK_OFFSET] < value[BLOCK_BYTES] && value[AGE] >= 0
      && is_module (value[SITE_MODULE], n_modules);
}

/* Return true if VALUE can be a row. */
static bool
is_row (const json_int_t value[COLUMNS], uint32_t n_modules)
{
  for (int k = N; k < COLUMNS; k++)
    if (value[k] < 0 || value[k] > MOST_COUNT)
      return false;
  return value[REGION] >= 0 && value[REGION] < CAB_DATA_REGIONS && value[LEVEL] >= 0
      && value[LEVEL] < CAB_DATA_LEVELS && is_module (value[MODULE], n_modules)
      && is_module (value[CODE_MODULE], n_modules) && (value[MODIFIED] & ~INT64_C (1)) == 0;
}

bool
cab_data_rows_read (struct cab_data_rows *rows, const json_t *list, uint32_t n_modules)
{
  const json_t *row;
  size_t i;
  if (!json_is_array (list))
    return false;
  json_array_foreach (list, i, row)
    {
      json_int_t value[MOST_COLUMNS] = { 0 };
      int n = json_array_size (row) == COLUMNS ? COLUMNS : MOST_COLUMNS;
      for (int k = 0; k < n; k++)
	{
	  if (!json_is_integer (json_array_get (row, k)))
	    return false;
	  value[k] = json_integer_value (json_array_get (row, k));
	}
      if (!is_row (value, n_modules) || (n > COLUMNS && !is_block (value, n_modules)))
	return false;
      cab_data_add (rows, &(struct cab_data_row) {
			    .region = value[REGION], .level = value[LEVEL],
			    .modified = value[MODIFIED], .module = value[MODULE],
			    .code_module = value[CODE_MODULE], .address = value[ADDRESS],
			    .code = value[CODE], .n = value[N], .weight = value[WEIGHT],
			    .latency = value[LATENCY], .block_bytes = value[BLOCK_BYTES],
			    .block_offset = value[BLOCK_OFFSET], .age_ns = value[AGE],
			    .site_module = value[SITE_MODULE], .site = value[SITE] });
    }
  return true;
}

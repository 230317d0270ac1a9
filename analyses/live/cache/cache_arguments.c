/* cache_arguments.c - see cache_arguments.h.  The runtime has no stdio.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/cache/cache_arguments.h"
#include <stdbool.h>
#include <string.h>
#include "analyses/live/choice.h"
#include "analyses/live/cache/host_caches.h"

const char *const cab_cache_models[3] = { "cachegrind", "non-inclusive", "inclusive" };

const struct cab_option cab_cache_options[] = {
  { "D1", "SIZE/WAYS/LINE", "the first cache of data" },
  { "L2", "SIZE/WAYS/LINE|none", "a second one, not in cachegrind's model" },
  { "LL", "SIZE/WAYS/LINE", "the last one" },
  { "model", "cachegrind|non-inclusive|inclusive", "what happens between them" },
  { NULL, NULL, NULL }
};

/* The caches that a text asks for. */
struct request
{
  struct cab_cache_geometry d1, l2, ll;
  bool has_l2;
  int model;
};

static int
refuse (struct cab_diag *diag, const char *key, const char *value, size_t n, const char *wrong)
{
  if (!diag)
    return -1;
  size_t at = cab_choice_append (diag->text, 0, sizeof diag->text, "simulated caches: ", SIZE_MAX);
  at = cab_choice_append (diag->text, at, sizeof diag->text, key, SIZE_MAX);
  at = cab_choice_append (diag->text, at, sizeof diag->text, "=", SIZE_MAX);
  at = cab_choice_append (diag->text, at, sizeof diag->text, value, n < 60 ? n : 60);
  at = cab_choice_append (diag->text, at, sizeof diag->text, ": ", SIZE_MAX);
  cab_choice_append (diag->text, at, sizeof diag->text, wrong, SIZE_MAX);
  return -1;
}

/* Parse a number at *P, with K or M, that ends at END or before the character STOP, and move *P
   past it. */
static bool
parse_number (const char **p, const char *end, char stop, uint64_t *n)
{
  const char *from = *p;
  for (*n = 0; *p < end && **p >= '0' && **p <= '9' && *n <= UINT32_MAX; ++*p)
    *n = *n * 10 + (**p - '0');
  if (*p == from || *n > UINT32_MAX)
    return false;
  unsigned shift = *p == end ? 0 : **p == 'K' ? 10 : **p == 'M' ? 20 : 0;
  *n <<= shift;
  *p += shift != 0;
  return stop ? *p < end && *(*p)++ == stop : *p == end;
}

/* Parse the geometry of KEY into G.  Return 1, or 0 if ARGUMENTS do not give it. */
static int
parse_cache (const char *arguments, const char *key, struct cab_cache_geometry *g,
	     struct cab_diag *diag)
{
  size_t n;
  uint64_t size, assoc, line;
  const char *value = cab_choice_value (arguments, key, &n), *p = value;
  if (!value)
    return 0;
  if (!parse_number (&p, value + n, '/', &size) || !parse_number (&p, value + n, '/', &assoc)
      || !parse_number (&p, value + n, 0, &line) || assoc > UINT32_MAX || line > UINT32_MAX)
    return refuse (diag, key, value, n, "write SIZE/WAYS/LINE, such as 32K/8/64");
  *g = (struct cab_cache_geometry) { size, assoc, line };
  const char *wrong = cab_cache_wrong (g);
  return wrong ? refuse (diag, key, value, n, wrong) : 1;
}

static int
parse_model (const char *arguments, struct request *request, struct cab_diag *diag)
{
  size_t n;
  const char *value = cab_choice_value (arguments, "model", &n);
  request->model = -1;
  if (!value)
    return 0;
  for (int i = 0; i < 3; i++)
    if (strlen (cab_cache_models[i]) == n && !memcmp (cab_cache_models[i], value, n))
      request->model = i;
  return request->model < 0
	 ? refuse (diag, "model", value, n, "known are cachegrind, non-inclusive, inclusive")
	 : 0;
}

/* Parse ARGUMENTS, which replace what REQUEST has. */
static int
parse (const char *arguments, struct request *request, struct cab_diag *diag)
{
  size_t n = 0;
  const char *l2 = cab_choice_value (arguments, "L2", &n);
  bool none = l2 && n == 4 && !memcmp (l2, "none", 4);
  if (parse_model (arguments, request, diag) < 0
      || parse_cache (arguments, "D1", &request->d1, diag) < 0
      || parse_cache (arguments, "LL", &request->ll, diag) < 0
      || (!none && parse_cache (arguments, "L2", &request->l2, diag) < 0))
    return -1;
  if (request->model < 0)
    request->model = l2 && !none ? CAB_CACHESIM_NON_INCLUSIVE : CAB_CACHESIM_CACHEGRIND;
  if (request->model == CAB_CACHESIM_CACHEGRIND && l2 && !none)
    return refuse (
      diag, "L2", l2, n,
      "cachegrind's model has none between D1 and LL: choose another model, or leave it out");
  request->has_l2 = request->model != CAB_CACHESIM_CACHEGRIND && !none && (l2 || request->has_l2);
  return 0;
}

static int
configure (const struct request *request, struct cab_cachesim_config *config, struct cab_diag *diag)
{
  struct cab_diag inner;
  memset (config, 0, sizeof *config);
  config->model = request->model;
  config->i1 = config->d1 = request->d1;
  if (request->has_l2)
    config->shared[config->n_shared++] = request->l2;
  config->shared[config->n_shared++] = request->ll;
  return cab_cachesim_bytes (config, &inner)
	 ? 0
	 : refuse (diag, "model", cab_cache_models[request->model], SIZE_MAX, inner.text);
}

int
cab_cache_configure (const char *arguments, struct cab_cachesim_config *config,
		     struct cab_diag *diag)
{
  struct request request = { .d1 = { 32 << 10, 8, 64 },
		       .l2 = { 512 << 10, 8, 64 },
		       .ll = { 8 << 20, 16, 64 } };
  return parse (arguments, &request, diag) < 0 ? -1 : configure (&request, config, diag);
}

static size_t
add_cache (char *text, size_t at, size_t bytes, const char *key, const struct cab_cache_geometry *g)
{
  at = cab_choice_append (text, at, bytes, key, SIZE_MAX);
  at = cab_choice_append_number (text, at, bytes, g->size);
  at = cab_choice_append (text, at, bytes, "/", SIZE_MAX);
  at = cab_choice_append_number (text, at, bytes, g->assoc);
  at = cab_choice_append (text, at, bytes, "/", SIZE_MAX);
  return cab_choice_append_number (text, at, bytes, g->line);
}

int
cab_cache_settle (const char *arguments, char *full, size_t bytes, struct cab_diag *diag)
{
  struct cab_host_caches host;
  struct cab_cachesim_config config;
  cab_host_caches (CAB_HOST_CACHES_DIR, &host);
  struct request request = {
    .d1 = host.d1.geometry, .l2 = host.l2.geometry, .ll = host.ll.geometry, .has_l2 = host.has_l2
  };
  if (parse (arguments, &request, diag) < 0 || configure (&request, &config, diag) < 0)
    return -1;
  size_t at = add_cache (full, 0, bytes, "D1=", &request.d1);
  at = request.has_l2 ? add_cache (full, at, bytes, ":L2=", &request.l2)
		   : cab_choice_append (full, at, bytes, ":L2=none", SIZE_MAX);
  at = add_cache (full, at, bytes, ":LL=", &request.ll);
  at = cab_choice_append (full, at, bytes, ":model=", SIZE_MAX);
  cab_choice_append (full, at, bytes, cab_cache_models[request.model], SIZE_MAX);
  return 0;
}

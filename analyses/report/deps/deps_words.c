/* deps_words.c - judgements in words; see deps_words.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/deps/deps_words.h"
#include <inttypes.h>
#include <string.h>

const char *
cab_deps_remedy (const struct cab_deps_variable *v)
{
  if (v->raw)
    return "order";
  if (v->exposed)
    return v->last ? "copy, last value" : "copy";
  return v->first ? (v->last ? "private, first and last value" : "private, first value")
       : v->last ? "private, last value"
       : "private";
}

const char *
cab_deps_verdict_words (struct cab_names *names, const struct cab_deps_judgement *j)
{
  switch (j->verdict)
    {
    case CAB_DEPS_PARALLEL: return "parallel";
    case CAB_DEPS_AFTER: return "parallel after";
    case CAB_DEPS_PIPELINE: return cab_names_format (names, "pipeline, distance %u", j->distance);
    case CAB_DEPS_VECTOR: return cab_names_format (names, "vector (distance >= %u)", j->distance);
    case CAB_DEPS_CARRIED:
      return cab_names_format (names, "carried, distance %u%s", j->distance,
			       j->or_more ? " or more" : "");
    case CAB_DEPS_SERIAL: return "serial";
    default: return cab_names_format (names, "unknown: %s", j->why);
    }
}

static const char *
remedy_words (struct cab_names *names, const struct cab_deps_remedy *r)
{
  switch (r->kind)
    {
    case CAB_DEPS_REDUCTION:
      return cab_names_format (names, "reduction of %s (%s)", r->name, r->how);
    case CAB_DEPS_PRIVATE: return cab_names_format (names, "private %s", r->name);
    case CAB_DEPS_LAST: return cab_names_format (names, "private %s, last value", r->name);
    case CAB_DEPS_LAST_WRITTEN:
      return cab_names_format (names, "private %s, value written last", r->name);
    case CAB_DEPS_INDUCTION:
      return cab_names_format (names, strcmp (r->how, "?") ? "%s grows by %s" : "%s grows evenly",
			       r->name, r->how);
    case CAB_DEPS_COPY: return cab_names_format (names, "copy of %s", r->name);
    default:
      return cab_names_format (names, "privatise %s%s%s", r->name, r->first ? ", first value" : "",
			       r->last ? ", last value" : "");
    }
}

static const char *
join (struct cab_names *names, const char *text, const char *more)
{
  return *text ? cab_names_format (names, "%s; %s", text, more) : more;
}

/* Return the words on number I of what is in the way by JUDGEMENT: where values FLOW from one
   iteration to the next, what makes them do so comes before the remedies. */
static const char *
way (struct cab_names *names, const struct cab_deps_judgement *j, uint32_t i, bool flow)
{
  if (flow)
    return i < j->n_ways ? j->ways[i] : remedy_words (names, &j->remedies[i - j->n_ways]);
  return i < j->n_remedies ? remedy_words (names, &j->remedies[i]) : j->ways[i - j->n_remedies];
}

const char *
cab_deps_way_words (struct cab_names *names, const struct cab_deps_judgement *j, uint32_t most)
{
  const char *text = "";
  bool flow = j->verdict != CAB_DEPS_PARALLEL && j->verdict != CAB_DEPS_AFTER;
  uint32_t n = j->n_ways + j->n_remedies, shown = n > most ? most : n;
  for (uint32_t i = 0; i < shown; i++)
    text = join (names, text, way (names, j, i, flow));
  if (shown < n)
    text = cab_names_format (names, "%s; and %" PRIu32 " more", text, n - shown);
  return text;
}

const char *
cab_deps_unseen_words (struct cab_names *names, const struct cab_deps_judgement *j)
{
  const char *text = "";
  for (uint32_t i = 0; i < j->n_unseen; i++)
    text = join (names, text, j->unseen[i]);
  return text;
}

/* direct_feeds.c - see direct_feeds.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/direct/direct_feeds.h"

#include "analyses/live/an_calls.h"
#include "analyses/live/an_methods.h"
#include "analyses/live/an_paths.h"
#include "analyses/live/an_tree.h"
#include "analyses/live/cache/cache_feed.h"

const struct cab_direct_feeds cab_direct_feeds[CAB_DIRECT_FEEDS] = {
  { "cache", cab_cache_feed },
  { "calls", cab_calls_feed },
  { "methods", cab_methods_feed },
  { "paths", cab_paths_feed },
  { "tree", cab_tree_feed }
};

const uint32_t cab_direct_paths = CAB_PATHS_FEW;

// containers.cc - templates, containers and algorithms of the library: much is inlined, much is
// COMDAT.
// SPDX-License-Identifier: GPL-3.0-or-later
// usage: containers SCALE
// flags: -std=gnu++17 -D_GLIBCXX_EXTERN_TEMPLATE=0

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

static uint32_t state = 1;

static unsigned
random_below (unsigned n)
{
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % n;
}

// A tree of owned nodes, so that destruction recurses.
template <typename Key>
struct Tree
{
  struct Node
  {
    Key key;
    std::unique_ptr<Node> left, right;
  };
  std::unique_ptr<Node> root;
  size_t size = 0;

  bool
  insert (const Key &key)
  {
    std::unique_ptr<Node> *at = &root;
    while (*at)
      {
	if (key == (*at)->key)
	  return false;
	at = key < (*at)->key ? &(*at)->left : &(*at)->right;
      }
    *at = std::make_unique<Node> (Node{ key, nullptr, nullptr });
    size++;
    return true;
  }

  template <typename Visit>
  void
  walk (const Node *node, Visit &&visit) const
  {
    if (!node)
      return;
    walk (node->left.get (), visit);
    visit (node->key);
    walk (node->right.get (), visit);
  }
};

static std::vector<unsigned>
shortest (const std::vector<std::vector<std::pair<unsigned, unsigned>>> &graph, unsigned from)
{
  std::vector<unsigned> distance (graph.size (), ~0u);
  std::priority_queue<std::pair<unsigned, unsigned>, std::vector<std::pair<unsigned, unsigned>>, std::greater<>> open;
  distance[from] = 0;
  open.push ({ 0, from });
  while (!open.empty ())
    {
      auto [far, at] = open.top ();
      open.pop ();
      if (far > distance[at])
	continue;
      for (auto [next, weight] : graph[at])
	if (far + weight < distance[next])
	  {
	    distance[next] = far + weight;
	    open.push ({ distance[next], next });
	  }
    }
  return distance;
}

int
main (int argc, char **argv)
{
  int scale = argc > 1 ? atoi (argv[1]) : 1;
  uint64_t sum = 0;
  for (int round = 0; round < scale; round++)
    {
      Tree<std::string> tree;
      std::unordered_map<std::string, int> counts;
      std::set<int> odd;
      for (int i = 0; i < 3000; i++)
	{
	  std::string word = "w" + std::to_string (random_below (2000));
	  counts[word]++;
	  tree.insert (word);
	  if (i % 2)
	    odd.insert (counts[word] * 1000 + i % 7);
	}
      tree.walk (tree.root.get (), [&] (const std::string &word) { sum = sum * 31 + counts[word] + word.size (); });
      std::vector<std::vector<std::pair<unsigned, unsigned>>> graph (800);
      for (auto &out : graph)
	for (int k = 0; k < 4; k++)
	  out.push_back ({ random_below (800), 1 + random_below (50) });
      auto distance = shortest (graph, 0);
      std::sort (distance.begin (), distance.end (), [] (unsigned a, unsigned b) { return a % 10 != b % 10 ? a % 10 < b % 10 : a < b; });
      sum += std::accumulate (distance.begin (), distance.end (), uint64_t{ 0 }, [] (uint64_t s, unsigned d) { return s * 7 + d; });
      sum += odd.size () + tree.size;
    }
  std::cout << sum << "\n";
  return 0;
}

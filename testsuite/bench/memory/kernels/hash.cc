/* hash.cc - a table with open addressing, by a template: counting keys, then looking for keys that
 * are there or not.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

template <typename Key, typename Value>
class table
{
  struct place
  {
    Key key;
    Value value;
    bool used;
  };
  std::vector<place> places;

  place &
  find (Key key)
  {
    std::size_t at = key * UINT64_C (0x9e3779b97f4a7c15) >> 40;
    while (places[at &= places.size () - 1].used && places[at].key != key)
      at++;
    return places[at];
  }

public:
  explicit table (std::size_t n) : places (n) { }

  Value &
  operator[] (Key key)
  {
    place &p = find (key);
    p.key = key;
    p.used = true;
    return p.value;
  }

  bool
  has (Key key)
  {
    return find (key).used;
  }
};

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? std::atoi (argv[1]) : 1;
  table<std::uint64_t, unsigned> counts (1 << 17);
  std::uint64_t state = 1, found = 0;
  for (int k = 0; k < rounds; k++)
    for (int i = 0; i < 200000; i++)
      {
	state = state * UINT64_C (6364136223846793005) + 1442695040888963407u;
	counts[state >> 48]++;
	found += counts.has (state >> 40 & 0x1ffff);
      }
  std::printf ("%lu %u\n", (unsigned long) found, counts[77]);
  return 0;
}

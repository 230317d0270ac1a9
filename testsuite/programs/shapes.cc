// shapes.cc - virtual calls, multiple and virtual inheritance (thunks), member pointers, an
// interpreter over variants.
// SPDX-License-Identifier: GPL-3.0-or-later
// usage: shapes SCALE

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <variant>
#include <vector>

struct Named
{
  virtual ~Named () = default;
  virtual const char *name () const = 0;
};

struct Measured
{
  virtual ~Measured () = default;
  virtual long measure (int unit) const = 0;
};

struct Shape : virtual Named, Measured
{
  int size;
  explicit Shape (int n) : size (n) {}
};

struct Square : Shape
{
  using Shape::Shape;
  const char *name () const override { return "square"; }
  long measure (int unit) const override { return (long) size * size / unit; }
};

struct Circle : Shape
{
  using Shape::Shape;
  const char *name () const override { return "circle"; }
  long measure (int unit) const override
  {
    long sum = 0;
    for (int x = -size; x <= size; x++)
      for (int y = -size; y <= size; y++)
	if (x * x + y * y <= size * size)
	  sum++;
    return sum / unit;
  }
};

struct Group final : Shape
{
  std::vector<std::unique_ptr<Shape>> parts;
  using Shape::Shape;
  const char *name () const override { return parts.empty () ? "nothing" : parts[0]->name (); }
  long measure (int unit) const override
  {
    long sum = 0;
    for (const auto &part : parts)
      sum += part->measure (unit);
    return sum;
  }
};

static std::unique_ptr<Shape>
make (int n, int depth)
{
  if (depth > 0 && n % 4 == 0)
    {
      auto group = std::make_unique<Group> (n);
      for (int i = 1; i <= 3; i++)
	group->parts.push_back (make (n / 2 + i, depth - 1));
      return group;
    }
  if (n % 2)
    return std::make_unique<Square> (n % 50);
  return std::make_unique<Circle> (n % 12);
}

struct Push { long value; };
struct Add {};
struct Multiply {};
struct Jump { size_t to; long unless_above; };
using Operation = std::variant<Push, Add, Multiply, Jump>;

static long
interpret (const std::vector<Operation> &code)
{
  std::vector<long> stack{ 0 };
  for (size_t at = 0; at < code.size (); at++)
    std::visit (
	[&] (const auto &op) {
	  using Kind = std::decay_t<decltype (op)>;
	  if constexpr (std::is_same_v<Kind, Push>)
	    stack.push_back (op.value);
	  else if constexpr (std::is_same_v<Kind, Jump>)
	    {
	      if (stack.back () <= op.unless_above)
		at = op.to - 1;
	    }
	  else
	    {
	      long right = stack.back ();
	      stack.pop_back ();
	      if constexpr (std::is_same_v<Kind, Add>)
		stack.back () += right;
	      else
		stack.back () = stack.back () * right % 65521;
	    }
	},
	code[at]);
  return stack.back ();
}

struct Machine
{
  long total = 0;
  void up (long n) { total += n; }
  void down (long n) { total -= n / 2; }
};

int
main (int argc, char **argv)
{
  int scale = argc > 1 ? atoi (argv[1]) : 1;
  Machine machine;
  void (Machine::*step[]) (long) = { &Machine::up, &Machine::down };
  size_t letters = 0;
  for (int i = 0; i < scale * 200; i++)
    {
      auto shape = make (i, 3);
      const Measured &measured = *shape;
      const Named &named = *shape;
      (machine.*step[i % 2]) (measured.measure (1 + i % 3));
      letters += std::string (named.name ()).size ();
    }
  long result = interpret ({ Push{ 1 }, Add{}, Push{ 3 }, Add{}, Jump{ 0, 300 + scale }, Push{ 7 }, Multiply{} });
  printf ("%ld %zu %ld\n", machine.total, letters, result);
  return 0;
}

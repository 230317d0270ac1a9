/* c23.c - C23: nullptr, constexpr, auto, bool, typeof, empty parameter lists, digit separators.
   gcc: 13
   flags: -std=c2x
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

constexpr int most = 1'000;
enum color : unsigned char { red, green = 2 };

[[nodiscard, gnu::noipa]] static bool
is_null (const typeof (int) *p)	/* calls = 6 */
{
  return p == nullptr;
}

[[gnu::noipa]] static int
nothing ()			/* calls = 5 */
{
  static constexpr int table[] = { 1, 2, 3 };
  return table[1] + most;
}

int
main ()				/* calls = 1 */
{
  auto sum = 0L;
  for (int i = 0; i < 5; i++)
    {
      sum += nothing ();
      sum += is_null (i & 1 ? &i : nullptr);
    }
  static_assert (green == 2);
  typeof_unqual (sum) other = { };
  printf ("%ld %d\n", sum + other, is_null (nullptr));
}

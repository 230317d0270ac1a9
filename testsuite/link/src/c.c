/* This function is in an archive or a DSO.
 * SPDX-License-Identifier: GPL-3.0-or-later */
int
dead_c (int n)
{
  return n > 3 ? n + 1 : n;
}

int
rest (int n)
{
  return n % 3 ? n : 1;
}

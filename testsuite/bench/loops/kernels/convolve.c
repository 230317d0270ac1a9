/* convolve.c - filters over a grey picture: a general 5x5 mask, edges, a median of three, a
 * histogram.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

enum { W = 640, H = 480, R = 2 };
static unsigned char picture[H][W], smooth[H][W], edges[H][W];
static const int mask[2 * R + 1][2 * R + 1] = {
  { 1, 4, 7, 4, 1 }, { 4, 16, 26, 16, 4 }, { 7, 26, 41, 26, 7 }, { 4, 16, 26, 16, 4 }, { 1, 4, 7, 4, 1 }
};

static void
apply_mask (int weight)
{
  for (int y = R; y < H - R; y++)
    for (int x = R; x < W - R; x++)
      {
	int sum = 0;
	for (int dy = -R; dy <= R; dy++)
	  for (int dx = -R; dx <= R; dx++)
	    sum += mask[dy + R][dx + R] * picture[y + dy][x + dx];
	smooth[y][x] = sum / weight;
      }
}

static void
find_edges (void)
{
  for (int y = 1; y < H - 1; y++)
    for (int x = 1; x < W - 1; x++)
      {
	int gx = smooth[y][x + 1] - smooth[y][x - 1], gy = smooth[y + 1][x] - smooth[y - 1][x];
	int strength = abs (gx) + abs (gy);
	edges[y][x] = strength > 255 ? 255 : strength;
      }
}

static void
take_medians (void)
{
  for (int y = 0; y < H; y++)
    for (int x = 1; x < W - 1; x++)
      {
	int a = edges[y][x - 1], b = edges[y][x], c = edges[y][x + 1];
	int low = a < b ? a : b, high = a < b ? b : a;
	picture[y][x] = (picture[y][x] + (c < low ? low : c > high ? high : c)) & 255;
      }
}

static unsigned
histogram (void)
{
  unsigned count[256] = { 0 }, sum = 0;
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      count[picture[y][x]]++;
  for (int i = 0; i < 256; i++)
    sum = sum * 33 + count[i];
  return sum;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 1;
  unsigned sum = 0;
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      picture[y][x] = (x * y + 3 * x) >> 4;
  for (int r = 0; r < rounds; r++)
    {
      apply_mask (273);
      find_edges ();
      take_medians ();
      sum = sum * 17 + histogram ();
    }
  printf ("%u\n", sum);
  return 0;
}

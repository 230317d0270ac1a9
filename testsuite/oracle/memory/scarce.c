/* More words in a block than there are registers for one that goes through several.
   flags: -ffixed-r15 -ffixed-r14 -ffixed-r13 -ffixed-r12 -ffixed-rbx  */
#include <stdio.h>

static __attribute__ ((noipa)) int
six (int *a, int *b, int *c, int *d, int *e, int *f)
{
  int s = *a + *b + *c + *d + *e + *f;
  if (s & 1)
    s += a[s & 7];
  return s;
}

int
main (void)
{
  int cells[6][8] = { { 1, 2, 3, 4, 5, 6, 7, 8 }, { 3 }, { 5 } }, sum = 0;
  for (int i = 0; i < 10; i++)
    {
      sum = sum * 3 + six (cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]);
      cells[i % 6][0] = sum & 15;
    }
  printf ("%d\n", sum);
  return 0;
}

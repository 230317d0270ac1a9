/* computed-goto.c - an interpreter by computed goto, also with a table of label differences; labels
   passed to another activation.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

#define NOINLINE __attribute__ ((noinline))

static long NOINLINE
interpret (const unsigned char *code)	/* calls = 50 */
{
  static const void *const labels[] = { &&push, &&add, &&twice, &&loop, &&end };
  long stack[16] = { 0 };
  int top = 0, rounds = 0;
#define NEXT goto *labels[*code++]
  NEXT;
push:
  stack[++top] = *code++;	/* line = 100 */
  NEXT;
add:
  top--;			/* line = 500 */
  stack[top] += stack[top + 1];
  NEXT;
twice:
  stack[top + 1] = stack[top];	/* line = 500 */
  top++;
  NEXT;
loop:
  if (++rounds < 10)
    code -= 4;
  code++;
  NEXT;
end:
  return stack[top] + stack[1];	/* line = 50 */
}

static int NOINLINE
differences (int n)	/* calls = 10 */
{
  static const int offsets[] = { &&even - &&even, &&odd - &&even, &&out - &&even };
  int sum = 0;
next:
  goto *(&&even + offsets[n == 0 ? 2 : n % 2]);
even:
  sum += 10;
  n--;
  goto next;
odd:
  sum += 1;
  n--;
  goto next;
out:
  return sum;		/* line = 10 */
}

int
main (void)
{
  static unsigned char code[] = { 0, 3, 0, 0, 2, 1, 3, 0, 4 };
  long sum = 0;
  for (int i = 0; i < 50; i++)
    {
      code[1] = i;
      sum = sum * 7 + interpret (code);
    }
  for (int i = 0; i < 10; i++)
    sum += differences (i);
  printf ("%ld\n", sum);
  return 0;
}

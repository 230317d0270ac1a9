/* In an archive or a DSO. */
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

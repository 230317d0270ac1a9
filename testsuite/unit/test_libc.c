/* test_libc.c - the runtime's functions of memory, strings and the kernel do what the C library's
 * do.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include "testsuite/unit/seeded.h"

#define MOST 3000u
#define ROUNDS 20000

/* The input is exactly as long as stated: the sanitizer sees a read of a byte too many. */
static unsigned char *
some_bytes (size_t n, unsigned letters)
{
  unsigned char *p = malloc (n + 1);
  for (size_t i = 0; i < n; i++)
    p[i] = letters ? 1 + draw (letters) : draw (256);
  return realloc (p, n ? n : 1);
}

/* Return a length: mostly short, and every length up to some. */
static size_t
some_length (unsigned round)
{
  return round < 300 ? round : draw (10) ? draw (70) : draw (MOST);
}

extern void *cab_libc_memcpy (void *, const void *, size_t);
extern void *cab_libc_memmove (void *, const void *, size_t);
extern void *cab_libc_memset (void *, int, size_t), *cab_libc_memchr (const void *, int, size_t);
extern int cab_libc_memcmp (const void *, const void *, size_t);

static int
sign (int n)
{
  return (n > 0) - (n < 0);
}

static void
test_memory (void)
{
  for (int round = 0; round < ROUNDS; round++)
    {
      size_t n = some_length (round);
      unsigned char *from = some_bytes (n, 0), *to = some_bytes (n, 0), c = draw (256);
      CU_ASSERT_PTR_EQUAL (cab_libc_memcpy (to, from, n), to);
      CU_ASSERT_EQUAL (memcmp (to, from, n), 0);
      if (n && draw (2))
	to[draw (n)] = c;
      CU_ASSERT_EQUAL (sign (cab_libc_memcmp (to, from, n)), sign (memcmp (to, from, n)));
      CU_ASSERT_PTR_EQUAL (cab_libc_memchr (to, c, n), memchr (to, c, n));
      CU_ASSERT_PTR_EQUAL (cab_libc_memset (to, c, n), to);
      memset (from, c, n);
      CU_ASSERT_EQUAL (memcmp (to, from, n), 0);
      free (from);
      free (to);
    }
}

static void
test_overlap (void)
{
  for (int round = 0; round < ROUNDS; round++)
    {
      size_t n = some_length (round), at = draw (100), to = draw (100);
      unsigned char *ours = some_bytes (n + 100, 0), *theirs = malloc (n + 100);
      memcpy (theirs, ours, n + 100);
      CU_ASSERT_PTR_EQUAL (cab_libc_memmove (ours + to, ours + at, n), ours + to);
      memmove (theirs + to, theirs + at, n);
      CU_ASSERT_EQUAL (memcmp (ours, theirs, n + 100), 0);
      free (ours);
      free (theirs);
    }
}

extern size_t cab_libc_strlen (const char *);
extern size_t cab_libc_strspn (const char *, const char *),
  cab_libc_strcspn (const char *, const char *);
extern int cab_libc_strcmp (const char *, const char *),
  cab_libc_strncmp (const char *, const char *, size_t);
extern char *cab_libc_strchr (const char *, int), *cab_libc_strrchr (const char *, int);
extern char *cab_libc_strcpy (char *, const char *), *cab_libc_stpcpy (char *, const char *);

static char *
some_text (size_t n)
{
  char *text = (char *) some_bytes (n + 1, draw (2) ? 3 : 255);
  text[n] = '\0';
  return text;
}

static void
test_strings (void)
{
  for (int round = 0; round < ROUNDS; round++)
    {
      size_t n = some_length (round) % 200, k = draw (10);
      char *a = some_text (n), *b = some_text (draw (2) ? n : k), *copy = malloc (n + 1);
      int c = draw (5);
      CU_ASSERT_EQUAL (cab_libc_strlen (a), strlen (a));
      CU_ASSERT_EQUAL (sign (cab_libc_strcmp (a, b)), sign (strcmp (a, b)));
      CU_ASSERT_EQUAL (sign (cab_libc_strncmp (a, b, k)), sign (strncmp (a, b, k)));
      CU_ASSERT_PTR_EQUAL (cab_libc_strchr (a, c), strchr (a, c));
      CU_ASSERT_PTR_EQUAL (cab_libc_strrchr (a, c), strrchr (a, c));
      CU_ASSERT_EQUAL (cab_libc_strspn (a, b), strspn (a, b));
      CU_ASSERT_EQUAL (cab_libc_strcspn (a, b), strcspn (a, b));
      CU_ASSERT_PTR_EQUAL (cab_libc_stpcpy (copy, a), copy + n);
      CU_ASSERT_PTR_EQUAL (cab_libc_strcpy (copy, a), copy);
      CU_ASSERT_EQUAL (strcmp (copy, a), 0);
      free (a);
      free (b);
      free (copy);
    }
}

extern long long cab_libc_strtoll (const char *, char **, int);
extern unsigned long long cab_libc_strtoull (const char *, char **, int);

static void
test_numbers (void)
{
  static const char *const texts[] = {
    "0", "7", " 12", "\t-3 x", "+5", "12K", "18446744073709551615", "18446744073709551616",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "99999999999999999999999"
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    {
      char *ours, *theirs;
      long long is = strtoll (texts[i], &theirs, 10);
      CU_ASSERT_EQUAL (cab_libc_strtoll (texts[i], &ours, 10), is);
      CU_ASSERT_PTR_EQUAL (ours, theirs);
      if (strchr (texts[i], '-'))
	continue;   /* the negative of an unsigned number is not needed */
      unsigned long long u = strtoull (texts[i], &theirs, 10);
      CU_ASSERT_EQUAL (cab_libc_strtoull (texts[i], &ours, 10), u);
      CU_ASSERT_PTR_EQUAL (ours, theirs);
    }
}

extern long cab_libc_open (const char *, int, int), cab_libc_close (int);
extern long cab_libc_pwritev (int, const struct iovec *, long, long),
  cab_libc_pread (int, void *, long, long);
extern long cab_libc_stat (const char *, struct stat *), cab_libc_unlink (const char *);
extern long cab_libc_sched_getaffinity (long, size_t, void *);
extern char *cab_libc_getcwd (char *, size_t), *cab_libc_getenv (const char *);
extern unsigned long cab_libc_getauxval (unsigned long);
extern int *cab_libc_errno (void);

/* Check the kernel's answers and the runtime's errno; the C library's stays. */
static void
test_system (void)
{
  char ours[4096], theirs[4096], byte[3];
  struct stat a, b;
  cpu_set_t set, set_too;
  struct iovec v[2] = { { "ab", 2 }, { "c", 1 } };
  errno = 77;
  CU_ASSERT_EQUAL (cab_libc_open ("no such file", O_RDONLY, 0), -1);
  CU_ASSERT_EQUAL (*cab_libc_errno (), ENOENT);
  CU_ASSERT_EQUAL (errno, 77);
  int fd = cab_libc_open ("test_libc.file", O_RDWR | O_CREAT | O_TRUNC, 0600);
  CU_ASSERT (fd >= 0);
  CU_ASSERT_EQUAL (cab_libc_pwritev (fd, v, 2, 5), 3);
  CU_ASSERT_EQUAL (cab_libc_pread (fd, byte, 3, 6), 2);
  CU_ASSERT_EQUAL (byte[0], 'b');
  CU_ASSERT_EQUAL (cab_libc_stat ("test_libc.file", &a), 0);
  CU_ASSERT_EQUAL (stat ("test_libc.file", &b), 0);
  CU_ASSERT (a.st_ino == b.st_ino && a.st_size == 8 && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec);
  CU_ASSERT_EQUAL (cab_libc_close (fd), 0);
  CU_ASSERT_EQUAL (cab_libc_unlink ("test_libc.file"), 0);
  CU_ASSERT_PTR_EQUAL (cab_libc_getcwd (ours, sizeof ours), ours);
  CU_ASSERT_PTR_EQUAL (getcwd (theirs, sizeof theirs), theirs);
  CU_ASSERT_EQUAL (strcmp (ours, theirs), 0);
  CU_ASSERT_PTR_EQUAL (cab_libc_getcwd (ours, 1), NULL);
  CU_ASSERT_EQUAL (*cab_libc_errno (), ERANGE);
  setenv ("CABPROF_TEST", "x=y", 1);
  CU_ASSERT_PTR_EQUAL (cab_libc_getenv ("CABPROF_TEST"), getenv ("CABPROF_TEST"));
  CU_ASSERT_PTR_EQUAL (cab_libc_getenv ("CABPROF_TES"), NULL);
  CU_ASSERT_EQUAL (cab_libc_getauxval (AT_PHDR), getauxval (AT_PHDR));
  CU_ASSERT_EQUAL (cab_libc_getauxval (12345), 0);
  memset (&set, -1, sizeof set);
  CU_ASSERT_EQUAL (cab_libc_sched_getaffinity (0, sizeof set, &set), 0);
  CU_ASSERT_EQUAL (sched_getaffinity (0, sizeof set_too, &set_too), 0);
  CU_ASSERT (CPU_EQUAL (&set, &set_too));
}

int
main (int argc, char **argv)
{
  CU_TestInfo tests[] = {
    { "memory", test_memory }, { "overlap", test_overlap }, { "strings", test_strings },
    { "numbers", test_numbers }, { "system", test_system }, CU_TEST_INFO_NULL
  };
  return run_seeded (argc, argv, "libc", tests);
}

/* library.c - see library.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "plugin/emit/library.h"
#include <stddef.h>
#include <string.h>
#include "loopfb/formats/pattern.h"

struct row
{
  const char *class, *names;   /* names: patterns, separated by blanks */
};

static const struct row table[] = {
  { "io",
    "printf fprintf vprintf vfprintf dprintf __*printf_chk puts putchar putc fputs "
    "fputc fputs_unlocked fputc_unlocked putc_unlocked putchar_unlocked fwrite "
    "fwrite_unlocked fread fread_unlocked __fread_chk __read_chk __pread_chk "
    "fgets __fgets_chk fgetc getc "
    "getchar getc_unlocked getchar_unlocked getline getdelim ungetc scanf fscanf "
    "vscanf vfscanf perror fflush fopen fopen64 fdopen freopen fclose fseek fseeko "
    "fseeko64 ftell ftello ftello64 rewind feof ferror clearerr open open64 openat "
    "creat close read pread pread64 readv write pwrite pwrite64 writev lseek "
    "lseek64 unlink remove rename send sendto sendmsg recv recvfrom recvmsg select "
    "poll system popen pclose syslog" },
  { "io",
    "_ZNSo* _ZNSi* _ZStls* _ZStrs* _ZSt4endl* _ZSt5flush* _ZSt16__ostream_insert* "
    "_ZNSt8ios_base* _ZNSt9basic_ios* _ZNSt13basic_filebuf* _ZNSt13basic_fstream* "
    "_ZNSt14basic_ifstream* _ZNSt14basic_ofstream* _ZSt7getline*" },
  { "io",
    "_gfortran_st_* _gfortran_transfer_* _gfortran_flush* _gfortran_fget* "
    "_gfortran_fput*" },
  { "allocation",
    "malloc calloc realloc reallocarray free posix_memalign aligned_alloc memalign "
    "valloc strdup strndup __strdup __strndup asprintf vasprintf __*asprintf_chk "
    "_Znw* _Zna* _Zdl* _Zda* mmap mmap64 munmap" },
  { "state",
    "obstack_* _obstack_* rand srand random srandom drand48 erand48 lrand48 nrand48 mrand48 "
    "jrand48 srand48 strtok asctime ctime gmtime localtime setlocale localeconv setenv "
    "putenv unsetenv readdir readdir64 getopt getopt_long tmpnam strerror lgamma "
    "lgammaf lgammal gamma _gfortran_random* _gfortran_rand _gfortran_srand "
    "_gfortran_irand _gfortran_date_* time clock gettimeofday clock_gettime "
    "_gfortran_system_clock* _gfortran_cpu_time*" },
  { "known",
    "memccpy memmem memrchr rawmemchr strtol strtoul strtoll strtoull strtof strtod "
    "strtold __strtol_internal __strtoul_internal strcoll strxfrm strsep strtok_r "
    "__strtok_r strcasestr strchrnul strnlen strlcpy strlcat bcopy bzero wcslen "
    "wcscpy wcsncpy wcscmp wcsncmp wcschr wmemcpy wmemset wmemcmp __*_chk sscanf "
    "vsscanf sprintf snprintf vsprintf vsnprintf atoi atol atoll atof div ldiv lldiv "
    "__ctype_*_loc __errno_location" },
  { "known",
    "_gfortran_compare_* _gfortran_concat_* _gfortran_string_* _gfortran_adjust* "
    "_gfortran_pow_* _gfortran_matmul_* _gfortran_m*_r* _gfortran_m*_i* "
    "_gfortran_sum_* _gfortran_product_* _gfortran_any_* _gfortran_all_* "
    "_gfortran_count_* _gfortran_internal_* _gfortran_reshape* _gfortran_spread* "
    "_gfortran_transpose* _gfortran_cshift* _gfortran_eoshift* _gfortran_pack* "
    "_gfortran_unpack* _gfortran_size* _gfortran_selected_* _gfortran_select_string" },
};

/* Return true if the pattern of N bytes at PATTERN matches NAME. */
static int
matches (const char *pattern, size_t n, const char *name)
{
  char copy[64];
  if (!memchr (pattern, '*', n))
    return !strncmp (pattern, name, n) && !name[n];
  memcpy (copy, pattern, n);
  copy[n] = 0;
  return cab_pattern_matches (copy, name);
}

/* Return true if one of NAMES matches NAME. */
static int
is_among (const char *names, const char *name)
{
  while (*names)
    {
      size_t n = strcspn (names, " ");
      if (matches (names, n, name))
	return 1;
      names += n + strspn (names + n, " ");
    }
  return 0;
}

const char *
cab_library_class (const char *name)
{
  for (const char *const *prefix = (const char *const[]) { "__isoc99_", "__isoc23_", NULL };
       *prefix; prefix++)
    if (!strncmp (name, *prefix, strlen (*prefix)))
      name += strlen (*prefix);
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (is_among (table[i].names, name))
      return table[i].class;
  return NULL;
}

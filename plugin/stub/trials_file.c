/* trials_file.c - the file of a module's trials (cabprof/trials.h), which is written as a whole
 * when the module ends, or not at all.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "plugin/stub/trials.h"

#define PATH_BYTES 4096

/* Close on exec, exclusive, create, write only. */
#define NEW_FILE (02000000 | 0200 | 0100 | 1)

IN_DATA char __cab_trials_directory[PATH_BYTES];   /* in which the process began */

extern const char __cab_trials_words[] HIDDEN;
asm (".section " SECTION (".rodata.__cab_trials", "a", "progbits") "\n"
     "	.globl	__cab_trials_words\n"
     "	.hidden	__cab_trials_words\n"
     "__cab_trials_words:\n"
     "	.asciz	\"CABPROF_TRIALS=\"\n"
     "	.asciz	\"cabprof.data\"\n"
     "	.asciz	\"/" CAB_TRIALS_PREFIX "\"\n"
     "	.asciz	\"" CAB_TRIALS_SUFFIX "\"\n"
     "	.asciz	\".new\"\n"
     "	.asciz	\"cabprof trials\"\n"
     "	.asciz	\"end\\n\"\n"
     "	.asciz	\"cabprof: \"\n"
     "	.asciz	\": cannot write the trials there: name another directory in "
     "CABPROF_TRIALS=DIR\\n\"\n"
     "	.asciz	\"/proc/self/exe\"\n");
enum { NAME, DEFAULT, PREFIX, SUFFIX, NEW, HEAD, END, SAY, PROBLEM, EXE };

/* The linker runs these with the module's other constructors and destructors. */
asm (".section " SECTION (".init_array.00002", "aw", "init_array") "\n"
     "	.balign	8\n"
     "	.quad	__cab_trials_begin\n"
     "	.section " SECTION (".fini_array.00002", "aw", "fini_array") "\n"
     "	.balign	8\n"
     "	.quad	__cab_trials_end\n");

/* Return the words with number N. */
HIDDEN IN_TEXT const char *
__cab_trials_word (int n)
{
  const char *word = __cab_trials_words;
  for (; n; n--)
    while (*word++)
      continue;
  return word;
}

/* Text on its way to a file. */
struct output
{
  long fd;
  int bad;
  uint32_t n;
  char text[4096];
};

HIDDEN IN_TEXT void
__cab_trials_flush (struct output *out)
{
  for (uint32_t done = 0; done < out->n && !out->bad;)
    {
      long n = system_call (SYS_write, out->fd, out->text + done, out->n - done);
      if (n > 0)
	done += n;
      else
	out->bad = n != -4;   /* EINTR */
    }
  out->n = 0;
}

HIDDEN IN_TEXT void
__cab_trials_put (struct output *out, const char *text)
{
  for (; *text; text++)
    {
      if (out->n == sizeof out->text)
	__cab_trials_flush (out);
      out->text[out->n++] = *text;
    }
}

/* Put BEFORE, a character, and NUMBER. */
HIDDEN IN_TEXT void
__cab_trials_number (struct output *out, char before, uint64_t number)
{
  char text[24], *at = text + sizeof text - 1;
  *at = 0;
  do
    *--at = '0' + number % 10;
  while (number /= 10);
  *--at = before;
  __cab_trials_put (out, at);
}

HIDDEN IN_TEXT void
__cab_trials_put_char (struct output *out, char c)
{
  char text[2] = { c, 0 };
  __cab_trials_put (out, text);
}

/* Put what is kept of TRIAL. */
HIDDEN IN_TEXT void
__cab_trials_put_trial (struct output *out, struct cab_trial *trial)
{
  if (!take (&trial->lock))
    {
      trial->lost += trial->n_rows;
      trial->n_rows = 0;
    }
  __cab_trials_put (out, trial->text);
  __cab_trials_put_char (out, 't');
  __cab_trials_number (out, '\t', trial->abandoned);
  __cab_trials_number (out, '\t', trial->lost);
  __cab_trials_number (out, '\t', trial->block_cycles);
  __cab_trials_put (out, (const char[]) { '\n', 'i', 0 });
  __cab_trials_number (out, '\t', trial->counted);
  for (uint32_t i = 0; i < trial->n_loops; i++)
    __cab_trials_number (out, '\t', trial->iterations[i]);
  __cab_trials_put_char (out, '\n');
  for (uint64_t row = 0; row < trial->n_rows; row++)
    {
      __cab_trials_put_char (out, 'r');
      for (uint32_t k = 0; k < trial->n_copies; k++)
	{
	  __cab_trials_number (out, '\t', trial->rows[row * trial->n_copies + k].cycles);
	  __cab_trials_number (out, ':', trial->rows[row * trial->n_copies + k].executions);
	}
      __cab_trials_put_char (out, '\n');
    }
  release (&trial->lock);
}

/* Append TEXT to the path that ends at END.  Return its new end, null if there is no room. */
INLINE char *
append (char *end, const char *limit, const char *text)
{
  while (end && *text)
    {
      if (end + 1 == limit)
	return NULL;
      *end++ = *text++;
    }
  if (end)
    *end = 0;
  return end;
}

INLINE char *
append_number (char *end, const char *limit, uint64_t number)
{
  char text[24], *at = text + sizeof text - 1;
  *at = 0;
  do
    *--at = '0' + number % 10;
  while (number /= 10);
  return append (end, limit, at);
}

/* Return the directory that the user named, or the default. */
HIDDEN IN_TEXT const char *
__cab_trials_given (void)
{
  const char *name = __cab_trials_word (NAME);
  for (char **e = &environ ? environ : NULL; e && *e; e++)
    {
      int i = 0;
      while (name[i] && (*e)[i] == name[i])
	i++;
      if (!name[i] && (*e)[i])
	return *e + i;
    }
  return __cab_trials_word (DEFAULT);
}

/* Write the directory for the file into PATH, which ends at LIMIT.  Return its end, or null. */
INLINE char *
directory_path (char *path, const char *limit)
{
  const char *given = __cab_trials_given (), *slash = __cab_trials_word (PREFIX);
  char *end = path;
  *end = 0;
  if (*given != '/')
    {
      const char one[] = { *slash, 0 };
      end = append (append (end, limit, __cab_trials_directory), limit, one);
    }
  return append (end, limit, given);
}

/* Return 1 if the program runs with other rights than those of its user. */
INLINE int
is_privileged (void)
{
  return system_call (SYS_getuid, 0, NULL, 0) != system_call (SYS_geteuid, 0, NULL, 0)
      || system_call (SYS_getgid, 0, NULL, 0) != system_call (SYS_getegid, 0, NULL, 0);
}

HIDDEN IN_TEXT void
__cab_trials_complain (struct output *out, const char *path)
{
  out->fd = 2;
  out->n = out->bad = 0;
  __cab_trials_put (out, __cab_trials_word (SAY));
  __cab_trials_put (out, path);
  __cab_trials_put (out, __cab_trials_word (PROBLEM));
  __cab_trials_flush (out);
}

/* Put all that this module knows. */
HIDDEN IN_TEXT void
__cab_trials_put_all (struct output *out)
{
  char exe[1024];
  long n = system_call (SYS_readlink, (long) __cab_trials_word (EXE), exe, sizeof exe - 1);
  exe[n < 0 ? 0 : n] = 0;
  for (char *c = exe; *c; c++)
    *c = *c == '\t' || *c == '\n' ? '?' : *c;
  __cab_trials_put (out, __cab_trials_word (HEAD));
  __cab_trials_number (out, '\t', CAB_TRIALS_VERSION);
  __cab_trials_put (out, (const char[]) { '\n', 'p', '\t', 0 });
  __cab_trials_put (out, exe);
  __cab_trials_number (out, '\t', system_call (SYS_getpid, 0, NULL, 0));
  __cab_trials_put_char (out, '\n');
  /* Acquire: pairs with the release of who listed the first trial. */
  for (struct cab_trial *t = __atomic_load_n (&__cab_trials_list, __ATOMIC_ACQUIRE); t; t = t->next)
    __cab_trials_put_trial (out, t);
  __cab_trials_put (out, __cab_trials_word (END));
  __cab_trials_flush (out);
}

/* Write the file PATH, by way of NEW_PATH.  Return nonzero on failure; then there is neither. */
HIDDEN IN_TEXT int
__cab_trials_write (struct output *out, const char *path, const char *new_path)
{
  out->fd = system_call (SYS_open, (long) new_path, (void *) NEW_FILE, 0666);
  if (out->fd < 0)
    return -1;
  __cab_trials_put_all (out);
  int bad = system_call (SYS_close, out->fd, NULL, 0) < 0 || out->bad
	 || system_call (SYS_rename, (long) new_path, path, 0) < 0;
  if (bad)
    system_call (SYS_unlink, (long) new_path, NULL, 0);
  return bad;
}

HIDDEN IN_TEXT void
__cab_trials_begin (void)
{
  __cab_trials_owner = system_call (SYS_getpid, 0, NULL, 0);
  if (system_call (SYS_getcwd, (long) __cab_trials_directory, (void *) PATH_BYTES, 0) < 0)
    __cab_trials_directory[0] = 0;
}

HIDDEN IN_TEXT void
__cab_trials_end (void)
{
  char path[PATH_BYTES], new_path[PATH_BYTES];
  const char *limit = path + sizeof path - 8;
  struct output out = { 0 };
  if (!__cab_trials_list || !__cab_trials_own () || is_privileged ())
    return;
  char *end = directory_path (path, limit);
  if (end)
    system_call (SYS_mkdir, (long) path, (void *) 0777, 0);
  end = append (end, limit, __cab_trials_word (PREFIX));
  end = end ? append_number (end, limit, __cab_trials_owner) : NULL;
  end = append (end, limit, (const char[]) { '-', 0 });
  end = end ? append_number (end, limit, clock ()) : NULL;
  char *new_end = append (new_path, new_path + sizeof new_path, end ? path : (const char[]) { 0 });
  append (new_end, new_path + sizeof new_path, __cab_trials_word (NEW));
  append (end, path + sizeof path, __cab_trials_word (SUFFIX));
  if (!end || __cab_trials_write (&out, path, new_path))
    __cab_trials_complain (&out, end ? path : __cab_trials_given ());
}

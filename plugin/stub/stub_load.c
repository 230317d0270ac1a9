/* stub_load.c - loads the runtime without dlopen, whose allocations would move the program's own:
 * its heap is to be the same as without the profiler.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      maps the segments of libcabprof.so.1 and applies its relocations, which are few: the
 *             runtime needs three variables of others, and its one thread-local variable is a
 *             context, which the executable's replaces.  Other modules' stubs find it by
 *             /proc/self/maps, as they find one that the dynamic loader has loaded.  Its entry
 *             point is not code but a struct cab_runtime.
 * Errors:     anything unexpected: null, and the stub uses dlopen. */
#include "plugin/stub/stub.h"
#include <elf.h>

#define PAGE 4096ul
enum
{
  READ = 1,
  WRITE = 2,
  EXECUTE = 4,
  PRIVATE = 2,
  FIXED = 16,
  ANONYMOUS = 32,
  CLOSE_ON_EXEC = 02000000,
  AT_CWD = -100
};

/* A line of /proc/self/maps, as far as it is needed here. */
struct mapping
{
  unsigned long start, end, offset;
  int writable, ours;
};

struct reader
{
  long fd;
  long at, n;
  char buffer[1024];
};

HIDDEN IN_TEXT int
__cab_next_char (struct reader *r)
{
  if (r->at == r->n)
    {
      r->n = system_call (SYS_read, r->fd, r->buffer, sizeof r->buffer);
      r->at = 0;
      if (r->n <= 0)
	return r->n = 0, -1;
    }
  return (unsigned char) r->buffer[r->at++];
}

/* Read a number in hex and the character after it. */
HIDDEN IN_TEXT unsigned long
__cab_read_hex (struct reader *r)
{
  unsigned long value = 0;
  for (;;)
    {
      int c = __cab_next_char (r);
      if (c >= '0' && c <= '9')
	value = value * 16 + (c - '0');
      else if (c >= 'a' && c <= 'f')
	value = value * 16 + (c - 'a' + 10);
      else
	return value;
    }
}

/* Read the next mapping into M; return 0 at the end.  It is `ours' if the name of its file is the
   runtime's, even if that was deleted since. */
HIDDEN IN_TEXT int
__cab_next_mapping (struct reader *r, struct mapping *m)
{
  int c;
  long matched = 0;
  m->start = __cab_read_hex (r);
  if (!m->start)
    return 0;
  m->end = __cab_read_hex (r);
  __cab_next_char (r);
  m->writable = __cab_next_char (r) == 'w';
  while ((c = __cab_next_char (r)) >= 0 && c != ' ')
    ;
  m->offset = __cab_read_hex (r);
  m->ours = 0;
  while ((c = __cab_next_char (r)) >= 0 && c != '\n')
    {
      if (c == '/')
	matched = 0, m->ours = 0;
      if (matched >= 0 && __cab_file[matched])
	matched = c == __cab_file[matched] ? matched + 1 : -1;
      else if (matched > 0 && !__cab_file[matched] && c != ' ')
	matched = -1;
      else if (matched > 0)
	break;
    }
  m->ours = matched > 0 && !__cab_file[matched];
  while (c >= 0 && c != '\n')
    c = __cab_next_char (r);
  return 1;
}

HIDDEN IN_TEXT struct cab_runtime *
__cab_find (void)
{
  struct reader r = { .at = 0, .n = 0 };
  struct mapping m;
  struct cab_runtime *found = NULL;
  unsigned long entry = 0;
  r.fd = system_call6 (SYS_openat, AT_CWD, (long) __cab_maps, CLOSE_ON_EXEC, 0, 0, 0);
  if (r.fd < 0)
    return NULL;
  while (!found && __cab_next_mapping (&r, &m))
    {
      if (m.ours && !m.offset && m.end - m.start >= sizeof (Elf64_Ehdr))
	entry = m.start + ((const Elf64_Ehdr *) m.start)->e_entry;
      if (m.ours && m.writable && entry >= m.start && entry + sizeof *found <= m.end)
	found = (struct cab_runtime *) entry;
    }
  system_call (SYS_close, r.fd, NULL, 0);
  return found && found->magic == CAB_RUNTIME_MAGIC && found->attach ? found : NULL;
}

/* Return the value for TYPE in the auxiliary vector, which follows the arguments and the
   environment, or 0. */
HIDDEN IN_TEXT unsigned long
__cab_auxiliary (unsigned long type)
{
  if (!&__libc_stack_end)
    return 0;
  void **p = (void **) __libc_stack_end + 1;
  while (*p++)
    ;
  while (*p++)
    ;
  for (const Elf64_auxv_t *a = (const Elf64_auxv_t *) p; a->a_type != AT_NULL; a++)
    if (a->a_type == type)
      return a->a_un.a_val;
  return 0;
}

HIDDEN IN_TEXT long
__cab_context_offset (void)
{
  const Elf64_Phdr *headers = (const Elf64_Phdr *) __cab_auxiliary (AT_PHDR);
  const Elf64_Phdr *end = headers + (headers ? __cab_auxiliary (AT_PHNUM) : 0);
  unsigned long bias = 0;
  for (const Elf64_Phdr *h = headers; h < end; h++)
    if (h->p_type == PT_PHDR)
      bias = (unsigned long) headers - h->p_vaddr;
  for (const Elf64_Phdr *h = headers; h < end; h++)
    if (h->p_type == PT_NOTE)
      {
	unsigned long align = h->p_align == 8 ? 7 : 3;
	const char *note = (const char *) (bias + h->p_vaddr), *last = note + h->p_memsz;
	while (note + sizeof (Elf64_Nhdr) <= last)
	  {
	    const Elf64_Nhdr *n = (const Elf64_Nhdr *) note;
	    const unsigned *words = (const unsigned *) (n + 1);   /* "cabp" "rof\0" offset */
	    if (n->n_namesz == 8 && n->n_type == CAB_NOTE_CTX && n->n_descsz == 4
		&& words[0] == 0x70626163 && words[1] == 0x00666f72)
	      return (int) words[2];
	    note = (const char *) (n + 1) + ((n->n_namesz + align) & ~align);
	    note += (n->n_descsz + align) & ~align;
	  }
      }
  return 0;
}

INLINE long
map (unsigned long at, unsigned long bytes, int protection, int flags, long fd,
     unsigned long offset)
{
  return system_call6 (SYS_mmap, at, bytes, protection, flags | PRIVATE, fd, offset);
}

INLINE int
failed (long result)
{
  return result < 0 && result >= -4095;
}

INLINE unsigned long
page_up (unsigned long x)
{
  return (x + PAGE - 1) & -PAGE;
}

/* Map segment H of FD, a file whose address 0 is at BASE.  Return 0, or nonzero on failure. */
HIDDEN IN_TEXT int
__cab_map_segment (unsigned long base, const Elf64_Phdr *h, long fd)
{
  unsigned long start = base + (h->p_vaddr & -PAGE), file_end = base + h->p_vaddr + h->p_filesz,
		end = base + h->p_vaddr + h->p_memsz;
  int protection = (h->p_flags & PF_R ? READ : 0) | (h->p_flags & PF_W ? WRITE : 0)
		 | (h->p_flags & PF_X ? EXECUTE : 0);
  if (h->p_align != PAGE
      || failed (map (start, file_end - start, protection, FIXED, fd, h->p_offset & -PAGE)))
    return -1;
  if (h->p_memsz == h->p_filesz)
    return 0;
  for (char *c = (char *) file_end; c < (char *) page_up (file_end); c++)
    *c = 0;
  return page_up (file_end) < end
      && failed (map (page_up (file_end), end - page_up (file_end), protection, FIXED | ANONYMOUS,
		      -1, 0));
}

/* The words of the dynamic section that are needed here; tags above DT_FINI_ARRAYSZ are left
   out. */
struct tables
{
  unsigned long value[DT_FINI_ARRAYSZ + 1];
};

HIDDEN IN_TEXT void
__cab_read_tables (struct tables *t, const Elf64_Dyn *d)
{
  for (int i = 0; i <= DT_FINI_ARRAYSZ; i++)
    t->value[i] = 0;
  for (; d->d_tag; d++)
    if (d->d_tag >= 0 && d->d_tag <= DT_FINI_ARRAYSZ)
      t->value[d->d_tag] = d->d_un.d_val;
}

HIDDEN IN_TEXT int
__cab_equal (const char *a, const char *b)
{
  while (*a && *a == *b)
    a++, b++;
  return *a == *b;
}

/* Return the address of the variable NAME, if the runtime may refer to it; else null. */
HIDDEN IN_TEXT void *
__cab_variable (const char *name)
{
  if (__cab_equal (name, __cab_name_debug))
    return &_r_debug;
  if (__cab_equal (name, __cab_name_stack))
    return &__libc_stack_end;
  return __cab_equal (name, __cab_name_environ) ? &environ : NULL;
}

/* Apply the relocations in BYTES bytes at R.  Return 0, or nonzero if one of them is not
   supported. */
HIDDEN IN_TEXT int
__cab_relocate (unsigned long base, const struct tables *t, const Elf64_Rela *r,
		unsigned long bytes, long context)
{
  for (const Elf64_Rela *end = (const Elf64_Rela *) ((const char *) r + bytes); r < end; r++)
    {
      const Elf64_Sym *symbol = (const Elf64_Sym *) (base + t->value[DT_SYMTAB])
			      + ELF64_R_SYM (r->r_info);
      unsigned long value = base + symbol->st_value;
      unsigned type = ELF64_R_TYPE (r->r_info);
      if (type == R_X86_64_RELATIVE)
	value = base;
      else if (type == R_X86_64_TPOFF64 && !ELF64_R_SYM (r->r_info))
	value = context;
      else if (type != R_X86_64_GLOB_DAT && type != R_X86_64_JUMP_SLOT && type != R_X86_64_64)
	return -1;
      else if (!symbol->st_shndx && ELF64_ST_BIND (symbol->st_info) == STB_WEAK)
	value = 0;
      else if (!symbol->st_shndx
	       && !(value = (unsigned long) __cab_variable (
		      (const char *) (base + t->value[DT_STRTAB] + symbol->st_name))))
	return -1;
      *(unsigned long *) (base + r->r_offset) = value + r->r_addend;
    }
  return 0;
}

INLINE void
call_all (unsigned long base, unsigned long array, unsigned long bytes)
{
  void (**function) (void) = (void (**) (void)) (base + array);
  for (unsigned long i = 0; i < bytes / sizeof *function; i++)
    function[i] ();
}

/* Map FD, whose headers are at E, and make it ready to run.  Return the address of the mapping of
   BYTES, or 0. */
HIDDEN IN_TEXT unsigned long
__cab_map_file (const Elf64_Ehdr *e, long fd, unsigned long bytes, long context)
{
  const Elf64_Phdr *headers = (const Elf64_Phdr *) ((const char *) e + e->e_phoff),
		   *end = headers + e->e_phnum;
  const Elf64_Dyn *dynamic = NULL;
  struct tables t;
  long base = map (0, bytes, 0, ANONYMOUS, -1, 0);
  if (failed (base))
    return 0;
  for (const Elf64_Phdr *h = headers; h < end; h++)
    {
      if (h->p_type == PT_DYNAMIC)
	dynamic = (const Elf64_Dyn *) (base + h->p_vaddr);
      if ((h->p_type == PT_TLS && h->p_memsz > CAB_CTX_BYTES)
	  || (h->p_type == PT_LOAD && __cab_map_segment (base, h, fd)))
	dynamic = NULL, end = headers;
    }
  if (dynamic)
    {
      __cab_read_tables (&t, dynamic);
      if (!__cab_relocate (base, &t, (const Elf64_Rela *) (base + t.value[DT_RELA]),
			   t.value[DT_RELASZ], context)
	  && !__cab_relocate (base, &t, (const Elf64_Rela *) (base + t.value[DT_JMPREL]),
			      t.value[DT_PLTRELSZ], context))
	{
	  call_all (base, t.value[DT_INIT_ARRAY], t.value[DT_INIT_ARRAYSZ]);
	  return base;
	}
    }
  system_call (SYS_munmap, base, (void *) bytes, 0);
  return 0;
}

/* Return the size of the image, from address 0 to the end of the last segment, if E, of which N
   bytes were read, is a library that can be mapped; else 0. */
INLINE unsigned long
image_bytes (const Elf64_Ehdr *e, long n)
{
  unsigned long bytes = 0;
  if (n < (long) sizeof *e || *(const unsigned *) e->e_ident != 0x464c457f || e->e_type != ET_DYN
      || e->e_machine != EM_X86_64 || e->e_phentsize != sizeof (Elf64_Phdr)
      || e->e_phoff > (unsigned long) n || e->e_phnum > (n - e->e_phoff) / sizeof (Elf64_Phdr))
    return 0;
  const Elf64_Phdr *h = (const Elf64_Phdr *) ((const char *) e + e->e_phoff);
  for (int i = 0; i < e->e_phnum; i++)
    if (h[i].p_type == PT_LOAD && page_up (h[i].p_vaddr + h[i].p_memsz) > bytes)
      bytes = page_up (h[i].p_vaddr + h[i].p_memsz);
  return bytes;
}

HIDDEN IN_TEXT struct cab_runtime *
__cab_load (const char *path)
{
  _Alignas (8) char head[2048];
  const Elf64_Ehdr *e = (const Elf64_Ehdr *) head;
  long context = __cab_context_offset ();
  unsigned long base = 0;
  if (!context)
    return NULL;
  long fd = system_call6 (SYS_openat, AT_CWD, (long) path, CLOSE_ON_EXEC, 0, 0, 0);
  if (fd < 0)
    return NULL;
  unsigned long bytes = image_bytes (e, system_call (SYS_read, fd, head, sizeof head));
  if (bytes && e->e_entry)
    base = __cab_map_file (e, fd, bytes, context);
  system_call (SYS_close, fd, NULL, 0);
  struct cab_runtime *runtime = (struct cab_runtime *) (base + e->e_entry);
  if (!base || runtime->magic != CAB_RUNTIME_MAGIC)
    return NULL;
  runtime->base = base;
  return runtime;
}

HIDDEN IN_TEXT void
__cab_unload (struct cab_runtime *runtime)
{
  struct tables t;
  unsigned long base = runtime->base;
  const Elf64_Ehdr *e = (const Elf64_Ehdr *) base;
  const Elf64_Phdr *h = (const Elf64_Phdr *) (base + e->e_phoff);
  for (int i = 0; i < e->e_phnum; i++)
    if (h[i].p_type == PT_DYNAMIC)
      {
	__cab_read_tables (&t, (const Elf64_Dyn *) (base + h[i].p_vaddr));
	call_all (base, t.value[DT_FINI_ARRAY], t.value[DT_FINI_ARRAYSZ]);
      }
}

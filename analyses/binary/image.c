/* image.c - the addresses of an ELF program or library.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/binary/image.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"

/* Return the address of BYTES bytes at OFFSET of the file, or null if the file is shorter. */
static const void *
piece (const struct cab_image *image, uint64_t offset, uint64_t bytes)
{
  return offset > image->n_bytes || bytes > image->n_bytes - offset ? NULL : image->bytes + offset;
}

static const Elf64_Ehdr *
header (const struct cab_image *image)
{
  const Elf64_Ehdr *h = piece (image, 0, sizeof *h);
  return h && !memcmp (h->e_ident, ELFMAG, SELFMAG) && h->e_ident[EI_CLASS] == ELFCLASS64
	  && h->e_ident[EI_DATA] == ELFDATA2LSB
	 ? h
	 : NULL;
}

/* Copy segment I to SEGMENT, since it may be unaligned in the file.  Return false if there is
   none. */
static bool
segment (const struct cab_image *image, unsigned i, Elf64_Phdr *segment)
{
  const Elf64_Ehdr *h = header (image);
  const void *at = h && i < h->e_phnum && h->e_phentsize == sizeof *segment
		    && h->e_phoff <= image->n_bytes
		   ? piece (image, h->e_phoff + (uint64_t) i * sizeof *segment, sizeof *segment)
		   : NULL;
  if (at)
    memcpy (segment, at, sizeof *segment);
  return at;
}

static bool
section (const struct cab_image *image, unsigned i, Elf64_Shdr *section)
{
  const Elf64_Ehdr *h = header (image);
  const void *at = h && h->e_shoff && h->e_shentsize == sizeof *section
		    && h->e_shoff <= image->n_bytes
		   ? piece (image, h->e_shoff + (uint64_t) i * sizeof *section, sizeof *section)
		   : NULL;
  if (at)
    memcpy (section, at, sizeof *section);
  return at;
}

static unsigned
n_sections (const struct cab_image *image)
{
  Elf64_Shdr first;
  const Elf64_Ehdr *h = header (image);
  if (!h || h->e_shnum || !section (image, 0, &first))
    return h ? h->e_shnum : 0;
  return first.sh_size < 0x100000 ? first.sh_size : 0;
}

static void
read_notes (struct cab_image *image, const unsigned char *at, uint64_t bytes)
{
  Elf64_Nhdr note;
  while (bytes >= sizeof note)
    {
      memcpy (&note, at, sizeof note);
      uint64_t name = ((uint64_t) note.n_namesz + 3) & ~3ull,
	       descriptor = ((uint64_t) note.n_descsz + 3) & ~3ull;
      uint64_t all = sizeof note + name + descriptor;
      if (all > bytes)
	return;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4
	  && !memcmp (at + sizeof note, "GNU", 4) && note.n_descsz <= 64)
	for (unsigned i = 0; i < note.n_descsz; i++)
	  sprintf (image->build_id + 2 * i, "%02x", at[sizeof note + name + i]);
      at += all;
      bytes -= all;
    }
}

static void
read_build_id (struct cab_image *image)
{
  Elf64_Phdr s;
  for (unsigned i = 0; segment (image, i, &s); i++)
    {
      const void *notes = s.p_type == PT_NOTE ? piece (image, s.p_offset, s.p_filesz) : NULL;
      if (notes)
	read_notes (image, notes, s.p_filesz);
    }
}

static int
by_address (const void *a, const void *b)
{
  const struct cab_image_symbol *x = a, *y = b;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  if (x->global != y->global)
    return x->global ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* Return how many bytes of SYMBOL's section follow its address. */
static uint64_t
bytes_left (const struct cab_image *image, const Elf64_Sym *symbol)
{
  Elf64_Shdr s;
  if (!section (image, symbol->st_shndx, &s) || symbol->st_shndx >= SHN_LORESERVE)
    return UINT64_MAX;
  return symbol->st_value - s.sh_addr < s.sh_size ? s.sh_size - (symbol->st_value - s.sh_addr) : 0;
}

static void
add_symbols (struct cab_image *image, const Elf64_Shdr *table, const Elf64_Shdr *strings)
{
  const unsigned char *at = piece (image, table->sh_offset, table->sh_size);
  const char *text = (const char *) piece (image, strings->sh_offset, strings->sh_size);
  size_t n = table->sh_size / sizeof (Elf64_Sym);
  if (!at || !text || !strings->sh_size || text[strings->sh_size - 1])
    return;
  image->symbols = XRESIZEVEC (struct cab_image_symbol, image->symbols, image->n_symbols + n + 1);
  image->objects = XRESIZEVEC (struct cab_image_symbol, image->objects, image->n_objects + n + 1);
  for (size_t i = 0; i < n; i++)
    {
      Elf64_Sym symbol;
      memcpy (&symbol, at + i * sizeof symbol, sizeof symbol);
      int type = ELF64_ST_TYPE (symbol.st_info);
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= strings->sh_size)
	continue;
      struct cab_image_symbol found = { symbol.st_value, symbol.st_size, text + symbol.st_name,
					ELF64_ST_BIND (symbol.st_info) == STB_GLOBAL,
					bytes_left (image, &symbol) };
      if (type == STT_FUNC || type == STT_GNU_IFUNC)
	image->symbols[image->n_symbols++] = found;
      else if ((type == STT_OBJECT || type == STT_COMMON) && symbol.st_size)
	image->objects[image->n_objects++] = found;
    }
}

static bool
read_symbols (struct cab_image *image, uint32_t type)
{
  Elf64_Shdr s, strings;
  bool found = false;
  for (unsigned i = 0, n = n_sections (image); i < n && section (image, i, &s); i++)
    if (s.sh_type == type && section (image, s.sh_link, &strings))
      {
	add_symbols (image, &s, &strings);
	found = true;
      }
  return found;
}

/* Record the sections of a runtime that is linked into the program. */
static void
find_runtime (struct cab_image *image)
{
  const Elf64_Ehdr *h = header (image);
  Elf64_Shdr s, names;
  if (!section (image, h->e_shstrndx, &names))
    return;
  const char *text = (const char *) piece (image, names.sh_offset, names.sh_size);
  for (unsigned i = 0, n = n_sections (image);
       text && i < n && image->n_runtime < CAB_IMAGE_RUNTIME_MOST && section (image, i, &s); i++)
    if (s.sh_name < names.sh_size && names.sh_size - s.sh_name > strlen (CAB_IMAGE_RUNTIME)
	&& !memcmp (text + s.sh_name, CAB_IMAGE_RUNTIME, strlen (CAB_IMAGE_RUNTIME)))
      {
	image->runtime[image->n_runtime].start = s.sh_addr;
	image->runtime[image->n_runtime++].end = s.sh_addr + s.sh_size;
      }
}

bool
cab_image_is_runtime (const struct cab_image *image, uint64_t address)
{
  for (unsigned i = 0; i < image->n_runtime; i++)
    if (address >= image->runtime[i].start && address < image->runtime[i].end)
      return true;
  /* The entry code of the gates is in the program's own text, as is the stub. */
  const struct cab_image_symbol *symbol = cab_image_symbol (image, address);
  return symbol && !strncmp (symbol->name, "__cab_", strlen ("__cab_"));
}

/* Keep one symbol per address; one without a size extends to the next symbol, but not out of its
   section.  Return how many symbols remain. */
static size_t
settle_symbols (struct cab_image_symbol *symbols, size_t n)
{
  size_t kept = 0;
  if (n)
    qsort (symbols, n, sizeof *symbols, by_address);
  for (size_t i = 0; i < n; i++)
    if (!kept || symbols[kept - 1].address != symbols[i].address)
      symbols[kept++] = symbols[i];
    else if (!symbols[kept - 1].bytes)
      symbols[kept - 1].bytes = symbols[i].bytes;
  for (size_t i = 0; i + 1 < kept; i++)
    if (!symbols[i].bytes)
      {
	uint64_t to_next = symbols[i + 1].address - symbols[i].address;
	symbols[i].bytes = to_next < symbols[i].most_bytes ? to_next : symbols[i].most_bytes;
      }
  return kept;
}

static int
map_file (struct cab_image *image, const char *path)
{
  struct stat st;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return -1;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && st.st_size > 0)
    image->bytes = mmap (NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  else
    errno = ENOEXEC;
  int error = errno;
  close (fd);
  errno = error;
  if (!image->bytes || image->bytes == MAP_FAILED)
    {
      image->bytes = NULL;
      return -1;
    }
  image->n_bytes = st.st_size;
  return 0;
}

int
cab_image_open (struct cab_image *image, const char *path, struct cab_diag *diag)
{
  *image = (struct cab_image) { 0 };
  if (map_file (image, path) < 0)
    return cab_refuse (path, diag, "%s: its samples keep their addresses; put the file back",
		       strerror (errno));
  if (!header (image))
    {
      cab_image_close (image);
      return cab_refuse (path, diag, "is no 64-bit ELF file: its samples keep their addresses");
    }
  image->fixed = header (image)->e_type == ET_EXEC;
  read_build_id (image);
  find_runtime (image);
  image->stripped = !read_symbols (image, SHT_SYMTAB);
  if (image->stripped)
    read_symbols (image, SHT_DYNSYM);
  image->n_symbols = settle_symbols (image->symbols, image->n_symbols);
  image->n_objects = settle_symbols (image->objects, image->n_objects);
  return 0;
}

void
cab_image_close (struct cab_image *image)
{
  if (image->bytes)
    munmap (image->bytes, image->n_bytes);
  free (image->symbols);
  free (image->objects);
  *image = (struct cab_image) { 0 };
}

bool
cab_image_address (const struct cab_image *image, uint64_t offset, uint64_t *address)
{
  Elf64_Phdr s;
  for (unsigned i = 0; segment (image, i, &s); i++)
    if (s.p_type == PT_LOAD && offset >= s.p_offset && offset - s.p_offset < s.p_filesz)
      {
	*address = s.p_vaddr + (offset - s.p_offset);
	return true;
      }
  return false;
}

static const struct cab_image_symbol *
find (const struct cab_image_symbol *symbols, size_t n, uint64_t address)
{
  size_t low = 0, high = n;
  while (low < high)
    {
      size_t middle = (low + high) / 2;
      if (symbols[middle].address <= address)
	low = middle + 1;
      else
	high = middle;
    }
  const struct cab_image_symbol *symbol = low ? &symbols[low - 1] : NULL;
  uint64_t bytes = symbol && !symbol->bytes && low == n ? symbol->most_bytes
		 : symbol ? symbol->bytes
		 : 0;
  return symbol && address - symbol->address < bytes ? symbol : NULL;
}

const struct cab_image_symbol *
cab_image_symbol (const struct cab_image *image, uint64_t address)
{
  return find (image->symbols, image->n_symbols, address);
}

const struct cab_image_symbol *
cab_image_object (const struct cab_image *image, uint64_t address)
{
  return find (image->objects, image->n_objects, address);
}

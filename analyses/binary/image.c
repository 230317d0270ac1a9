/* image.c - the addresses of an ELF program or library.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/binary/image.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"

#define PAGE 4096             /* by which the kernel maps segments */

/* Keep the build id if it is among the notes in DATA. */
static void
read_notes (struct cab_image *image, Elf_Data *data)
{
  GElf_Nhdr note;
  size_t name, descriptor;
  for (size_t at = 0; (at = gelf_getnote (data, at, &note, &name, &descriptor)) > 0;)
    {
      const unsigned char *id = (const unsigned char *) data->d_buf + descriptor;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4
	  && !memcmp ((const char *) data->d_buf + name, "GNU", 4) && note.n_descsz <= 64)
	for (unsigned i = 0; i < note.n_descsz; i++)
	  sprintf (image->build_id + 2 * i, "%02x", id[i]);
    }
}

static void
read_build_id (struct cab_image *image)
{
  GElf_Phdr s;
  for (int i = 0; gelf_getphdr (image->file.elf, i, &s); i++)
    {
      Elf_Type type = s.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
      Elf_Data *data = s.p_type == PT_NOTE
		       ? elf_getdata_rawchunk (image->file.elf, s.p_offset, s.p_filesz, type)
		       : NULL;
      if (data)
	read_notes (image, data);
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
bytes_left (const struct cab_image *image, const GElf_Sym *symbol)
{
  GElf_Shdr s;
  if (symbol->st_shndx >= SHN_LORESERVE
      || !gelf_getshdr (elf_getscn (image->file.elf, symbol->st_shndx), &s))
    return UINT64_MAX;
  return symbol->st_value - s.sh_addr < s.sh_size ? s.sh_size - (symbol->st_value - s.sh_addr) : 0;
}

/* Add the symbols in TABLE, whose names are in STRINGS. */
static void
add_symbols (struct cab_image *image, Elf_Data *table, const Elf_Data *strings)
{
  GElf_Sym symbol;
  const char *text = strings->d_buf;
  size_t n = table->d_size / sizeof (Elf64_Sym);
  if (!text || !strings->d_size || text[strings->d_size - 1])
    return;
  image->symbols = XRESIZEVEC (struct cab_image_symbol, image->symbols, image->n_symbols + n + 1);
  image->objects = XRESIZEVEC (struct cab_image_symbol, image->objects, image->n_objects + n + 1);
  for (size_t i = 0; i < n && gelf_getsym (table, i, &symbol); i++)
    {
      int type = ELF64_ST_TYPE (symbol.st_info);
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= strings->d_size)
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

/* Read the symbol tables of TYPE.  Return false if there are none. */
static bool
read_symbols (struct cab_image *image, uint32_t type)
{
  bool found = false;
  for (Elf_Scn *section = NULL; (section = elf_nextscn (image->file.elf, section));)
    {
      GElf_Shdr s;
      bool is_table = gelf_getshdr (section, &s) && s.sh_type == type;
      Elf_Scn *names = is_table ? elf_getscn (image->file.elf, s.sh_link) : NULL;
      if (!names)
	continue;
      Elf_Data *table = elf_getdata (section, NULL), *strings = elf_rawdata (names, NULL);
      if (table && strings)
	add_symbols (image, table, strings);
      found = true;
    }
  return found;
}

/* Record the sections of a runtime that is linked into the program. */
static void
find_runtime (struct cab_image *image)
{
  Elf_Scn *section = NULL;
  while (image->n_runtime < CAB_IMAGE_RUNTIME_MOST
	 && (section = elf_nextscn (image->file.elf, section)))
    if (!strncmp (cab_elf_section_name (&image->file, section), CAB_IMAGE_RUNTIME,
		  strlen (CAB_IMAGE_RUNTIME)))
      {
	GElf_Shdr s;
	gelf_getshdr (section, &s);
	image->runtime[image->n_runtime].start = s.sh_addr;
	image->runtime[image->n_runtime++].end = s.sh_addr + s.sh_size;
      }
}

bool
cab_image_has_sections (const struct cab_image *image, const char *prefix)
{
  for (Elf_Scn *section = NULL; (section = elf_nextscn (image->file.elf, section));)
    if (!strncmp (cab_elf_section_name (&image->file, section), prefix, strlen (prefix)))
      return true;
  return false;
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

int
cab_image_open (struct cab_image *image, const char *path, struct cab_diag *diag)
{
  *image = (struct cab_image) { 0 };
  if (cab_elf_open (&image->file, path) < 0)
    return errno == ENOEXEC
	   ? cab_refuse (path, diag, "is no 64-bit ELF file: its samples keep their addresses")
	   : cab_refuse (path, diag, "%s: its samples keep their addresses; put the file back",
			 strerror (errno));
  GElf_Ehdr header;
  image->fixed = gelf_getehdr (image->file.elf, &header)->e_type == ET_EXEC;
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
  cab_elf_close (&image->file);
  free (image->symbols);
  free (image->objects);
  *image = (struct cab_image) { 0 };
}

bool
cab_image_address (const struct cab_image *image, uint64_t offset, uint64_t *address)
{
  GElf_Phdr s;
  for (int i = 0; gelf_getphdr (image->file.elf, i, &s); i++)
    if (s.p_type == PT_LOAD && offset >= s.p_offset && offset - s.p_offset < s.p_filesz)
      {
	*address = s.p_vaddr + (offset - s.p_offset);
	return true;
      }
  return false;
}

bool
cab_image_mapped (const struct cab_image *image, uint64_t offset, uint64_t *address)
{
  GElf_Phdr s;
  bool found = false;
  for (int i = 0; gelf_getphdr (image->file.elf, i, &s); i++)
    {
      uint64_t page = s.p_offset / PAGE * PAGE;
      if (s.p_type != PT_LOAD || offset < page || offset >= s.p_offset + s.p_filesz
	  || (found && offset != page))
	continue;
      *address = s.p_vaddr - s.p_offset + offset;
      found = true;
    }
  return found;
}

bool
cab_image_holds (const struct cab_image *image, uint64_t address)
{
  GElf_Phdr s;
  for (int i = 0; gelf_getphdr (image->file.elf, i, &s); i++)
    if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_memsz)
      return true;
  return false;
}

const char *
cab_image_section (const struct cab_image *image, uint64_t address)
{
  for (Elf_Scn *section = NULL; (section = elf_nextscn (image->file.elf, section));)
    {
      GElf_Shdr s;
      if (gelf_getshdr (section, &s) && s.sh_flags & SHF_ALLOC && !(s.sh_flags & SHF_TLS)
	  && address >= s.sh_addr && address - s.sh_addr < s.sh_size)
	return cab_elf_section_name (&image->file, section);
    }
  return "";
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

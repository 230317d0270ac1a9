/* trace_writer.c - see trace_writer.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_writer.h"
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "cabprof/trace.h"

struct trace
{
  FILE *file;
  bool bad;
  uint64_t stamp;
};

static void
put (struct trace *trace, const void *bytes, size_t n)
{
  trace->bad |= trace->bad || fwrite (bytes, 1, n, trace->file) != n;
}

static void
put_frame (struct trace *trace, struct cab_trace_frame frame, const void *bytes)
{
  frame.mark = CAB_TRACE_MARK;
  frame.process = 1;
  put (trace, &frame, sizeof frame);
  put (trace, bytes, frame.bytes);
}

static void
put_header (struct trace *trace, const struct cab_part_header *header)
{
  put_frame (trace,
	     (struct cab_trace_frame) { .kind = CAB_TRACE_HEADER, .bytes = CAB_TRACE_HEADER_BYTES },
	     header);
}

struct trace *
trace_new (const char *path, const struct cab_part_header *header)
{
  static const struct cab_trace_start start = { CAB_TRACE_MAGIC, CAB_TRACE_VERSION,
						CAB_PART_BYTE_ORDER };
  struct trace *trace = XCNEW (struct trace);
  trace->file = fopen (path, "wb");
  trace->bad = !trace->file;
  put (trace, &start, sizeof start);
  put_header (trace, header);
  return trace;
}

void
trace_table (struct trace *trace, enum cab_extent_kind table, const void *bytes, size_t n)
{
  put_frame (
    trace, (struct cab_trace_frame) { .kind = CAB_TRACE_TABLE, .table = table, .bytes = n }, bytes);
}

void
trace_records (struct trace *trace, const char *info)
{
  char text[1 << 14];
  FILE *file = fopen (info, "rb");
  size_t n = file ? fread (text, 1, sizeof text, file) : 0;
  trace->bad |= n == 0 || n == sizeof text;
  put_frame (trace, (struct cab_trace_frame) { .kind = CAB_TRACE_RECORDS, .bytes = n }, text);
  if (file)
    fclose (file);
}

void
trace_chunk (struct trace *trace, uint32_t thread, const uint64_t *words, size_t n)
{
  put_frame (trace,
	     (struct cab_trace_frame) { .kind = CAB_TRACE_CHUNK,
					.owner = thread,
					.thread = thread,
					.stamp = trace->stamp += 1000,
					.bytes = n * sizeof *words },
	     words);
}

int
trace_save (struct trace *trace, const struct cab_part_header *header)
{
  put_header (trace, header);
  bool bad = !trace->file || fclose (trace->file) != 0 || trace->bad;
  free (trace);
  return bad ? -1 : 0;
}

enum { MOST = 8, NAMES_BYTES = 256 };
struct program
{
  Elf64_Ehdr header;
  Elf64_Sym symbols[MOST];
  char names[NAMES_BYTES];
  Elf64_Shdr sections[4];       /* none, the variables, symbols, their names */
};

int
trace_program (const char *path, const struct trace_symbol *symbols, unsigned n)
{
  static struct program p;
  size_t names = 1;
  p = (struct program) { .header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
						  ELFDATA2LSB, EV_CURRENT },
				     .e_type = ET_EXEC,
				     .e_machine = EM_X86_64,
				     .e_version = EV_CURRENT,
				     .e_shoff = offsetof (struct program, sections),
				     .e_ehsize = sizeof p.header,
				     .e_shentsize = sizeof *p.sections,
				     .e_shnum = 4 } };
  for (unsigned i = 0; i < n && i + 1 < MOST; i++)
    {
      p.symbols[i + 1] = (Elf64_Sym) { .st_name = names,
				       .st_info = ELF64_ST_INFO (STB_GLOBAL, STT_OBJECT),
				       .st_shndx = 1,
				       .st_value = symbols[i].address,
				       .st_size = symbols[i].bytes };
      names += snprintf (p.names + names, NAMES_BYTES - names, "%s", symbols[i].name) + 1;
    }
  p.sections[1] = (Elf64_Shdr) { .sh_type = SHT_NOBITS,
				 .sh_flags = SHF_ALLOC | SHF_WRITE,
				 .sh_addr = symbols->address,
				 .sh_size = 4096 };
  p.sections[2] = (Elf64_Shdr) { .sh_type = SHT_SYMTAB,
				 .sh_offset = offsetof (struct program, symbols),
				 .sh_size = (n + 1) * sizeof *p.symbols,
				 .sh_link = 3,
				 .sh_info = 1,
				 .sh_entsize = sizeof *p.symbols };
  p.sections[3] = (Elf64_Shdr) { .sh_type = SHT_STRTAB,
				 .sh_offset = offsetof (struct program, names),
				 .sh_size = NAMES_BYTES };
  FILE *file = fopen (path, "wb");
  bool bad = !file || fwrite (&p, sizeof p, 1, file) != 1;
  bad |= !file || fclose (file) != 0;
  return bad ? -1 : 0;
}

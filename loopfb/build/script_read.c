/* script_read.c - read samples from the output of `perf script'.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text has addresses of the process.  A file's load address follows from the symbols: with an
 * offset (symoff) at once, without one from the bounds of all sampled symbols, since it is a whole
 * number of pages.  Where these bounds contradict each other, the text describes another process
 * from there on.
 */
#include "loopfb/build/script_read.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/demangle.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"
#include "analyses/binary/image.h"
#include "loopfb/build/script.h"

#define PAGE 4096
#define MOST_EVENTS 8

struct named
{
  char *name;
  const struct cab_image_symbol *symbol;
};

struct file
{
  char *dso, *path;
  bool good;                  /* its image is open */
  struct cab_image image;
  size_t n_names;
  struct named *names;        /* sorted by name: assembler names, and those that perf derives from
				 C++'s */
};

/* The samples of one file in one process, kept until the bias is known. */
struct group
{
  uint32_t file, pid;
  bool open;
  uint64_t low, high;         /* low < bias <= high; both are 0 if nothing is known */
  bool bounded;
  size_t n, room;
  struct { uint64_t ip, period; } *sample;
};

struct script
{
  struct cab_samples *samples;
  const char *path, *wanted;
  struct cab_diag *diag;
  char *event;                /* the one that is read; null if not yet seen */
  char *others[MOST_EVENTS];
  unsigned n_others;
  uint32_t n_files, n_groups;
  struct file *files;
  struct group *groups;
  bool took_head;
  uint64_t head_period;
  uint32_t head_pid;
};

static int
by_name (const void *a, const void *b)
{
  return strcmp (((const struct named *) a)->name, ((const struct named *) b)->name);
}

/* List the names that perf may print for the symbols of FILE: it demangles, without parameters
   unless it is verbose. */
static void
name_symbols (struct file *file)
{
  const struct cab_image *image = &file->image;
  file->names = XNEWVEC (struct named, 3 * image->n_symbols + 1);
  for (size_t i = 0; i < image->n_symbols; i++)
    {
      const struct cab_image_symbol *s = &image->symbols[i];
      char *plain = strncmp (s->name, "_Z", 2) ? NULL : cplus_demangle (s->name, DMGL_NO_OPTS);
      char *full = plain ? cplus_demangle (s->name, DMGL_PARAMS | DMGL_ANSI) : NULL;
      file->names[file->n_names++] = (struct named) { xstrdup (s->name), s };
      if (plain)
	file->names[file->n_names++] = (struct named) { plain, s };
      if (full)
	file->names[file->n_names++] = (struct named) { full, s };
    }
  qsort (file->names, file->n_names, sizeof *file->names, by_name);
}

/* Return the only symbol called NAME; null if there is none, or several. */
static const struct cab_image_symbol *
symbol_called (const struct file *file, const char *name)
{
  struct named wanted = { (char *) name, NULL };
  const struct named *found = file->n_names ? bsearch (&wanted, file->names, file->n_names,
						       sizeof *file->names, by_name)
					    : NULL;
  if (!found)
    return NULL;
  bool alone = (found == file->names || strcmp (found[-1].name, name)
		|| found[-1].symbol == found->symbol)
	    && (found + 1 == file->names + file->n_names || strcmp (found[1].name, name)
		|| found[1].symbol == found->symbol);
  return alone ? found->symbol : NULL;
}

/* Return the number of the file DSO, added if it is new.  It is opened by its own path, or in the
   working directory, for a text from another machine. */
static uint32_t
file_called (struct script *s, const char *dso)
{
  struct cab_diag diag;
  for (uint32_t i = 0; i < s->n_files; i++)
    if (!strcmp (s->files[i].dso, dso))
      return i;
  s->files = XRESIZEVEC (struct file, s->files, s->n_files + 1);
  struct file *file = &s->files[s->n_files];
  char *here = access (dso, R_OK) < 0 ? realpath (lbasename (dso), NULL) : NULL;
  *file = (struct file) { .dso = xstrdup (dso), .path = here ? here : xstrdup (dso) };
  file->good = *dso != '[' && cab_image_open (&file->image, file->path, &diag) == 0;
  if (file->good)
    name_symbols (file);
  return s->n_files++;
}

static struct group *
group_of (struct script *s, uint32_t file, uint32_t pid)
{
  for (uint32_t i = s->n_groups; i-- > 0;)
    if (s->groups[i].open && s->groups[i].file == file && s->groups[i].pid == pid)
      return &s->groups[i];
  s->groups = XRESIZEVEC (struct group, s->groups, s->n_groups + 1);
  s->groups[s->n_groups] = (struct group) { .file = file, .pid = pid, .open = true };
  return &s->groups[s->n_groups++];
}

/* Narrow the bounds of the bias by what one sample says; return false if that contradicts what is
   known. */
static bool
narrow (struct group *g, uint64_t low, uint64_t high)
{
  uint64_t new_low = g->bounded && g->low > low ? g->low : low,
	   new_high = g->bounded && g->high < high ? g->high : high;
  if (new_low >= new_high || new_high / PAGE == new_low / PAGE)
    return false;
  g->low = new_low;
  g->high = new_high;
  g->bounded = true;
  return true;
}

static bool
learn (struct group *g, const struct file *file, const struct cab_script_line *line)
{
  const struct cab_image_symbol *symbol = line->symbol ? symbol_called (file, line->symbol) : NULL;
  if (!symbol || line->ip < symbol->address)
    return true;
  uint64_t high = line->ip - symbol->address;
  if (line->has_offset && high >= line->offset)
    return (high - line->offset) % PAGE != 0
	|| narrow (g, high - line->offset ? high - line->offset - 1 : 0, high - line->offset);
  return !symbol->bytes || narrow (g, high > symbol->bytes ? high - symbol->bytes : 0, high);
}

static void
add_unknown (struct cab_samples *samples, const struct cab_script_line *line)
{
  bool kernel = line->ip >> 63
	     || (line->dso
		 && (!strncmp (line->dso, "[kernel", 7) || !strncmp (line->dso, "[guest", 6)));
  samples->n++;
  samples->weight += line->period;
  *(kernel ? &samples->kernel : &samples->unknown) += 1;
  *(kernel ? &samples->kernel_weight : &samples->unknown_weight) += line->period;
}

static void
add_sample (struct script *s, const struct cab_script_line *line)
{
  uint32_t number = line->dso && !(line->ip >> 63) ? file_called (s, line->dso) : 0;
  if (!line->dso || line->ip >> 63 || !s->files[number].good)
    {
      add_unknown (s->samples, line);
      return;
    }
  struct file *file = &s->files[number];
  struct group *g = group_of (s, number, line->pid);
  if (!file->image.fixed && !learn (g, file, line))
    {
      g->open = false;
      g = group_of (s, number, line->pid);
      learn (g, file, line);
    }
  if (g->n == g->room)
    g->sample = xrealloc (g->sample, (g->room = 2 * g->room + 64) * sizeof *g->sample);
  g->sample[g->n].ip = line->ip;
  g->sample[g->n++].period = line->period;
}

/* Return true if EVENT is the one to read, which is the first one if none was asked for.  Other
   events are remembered for the message. */
static bool
is_wanted (struct script *s, const char *event)
{
  if (!s->event && (!s->wanted || cab_script_same_event (s->wanted, event)))
    s->event = xstrdup (event);
  if (s->event && cab_script_same_event (s->event, event))
    return true;
  for (unsigned i = 0; i < s->n_others; i++)
    if (!strcmp (s->others[i], event))
      return false;
  if (s->n_others < MOST_EVENTS)
    s->others[s->n_others++] = xstrdup (event);
  return false;
}

static void
take_line (struct script *s, char *text)
{
  struct cab_script_line line;
  enum cab_script_kind kind = cab_script_parse (text, &line);
  bool wanted = line.event && is_wanted (s, line.event);
  switch (kind)
    {
    case CAB_SCRIPT_SAMPLE:
      if (wanted)
	add_sample (s, &line);
      break;
    case CAB_SCRIPT_HEAD:
      s->took_head = wanted;
      s->head_period = line.period;
      s->head_pid = line.pid;
      break;
    case CAB_SCRIPT_FRAME:
      /* Only the first frame of a chain is where the sample was taken. */
      if (s->took_head)
	{
	  line.period = s->head_period;
	  line.pid = s->head_pid;
	  add_sample (s, &line);
	}
      s->took_head = false;
      break;
    case CAB_SCRIPT_BAD: s->samples->lost++; break;
    case CAB_SCRIPT_NOTHING: break;
    }
}

/* Find the bias, if the bounds leave one: it is a whole number of pages. */
static bool
bias_of (const struct group *g, const struct file *file, uint64_t *bias)
{
  *bias = file->image.fixed ? 0 : g->high / PAGE * PAGE;
  return file->image.fixed || (g->bounded && *bias > g->low && *bias - g->low <= PAGE);
}

static void
settle_group (struct script *s, const struct group *g)
{
  const struct file *file = &s->files[g->file];
  uint64_t bias;
  if (!bias_of (g, file, &bias))
    {
      for (size_t i = 0; i < g->n; i++)
	add_unknown (s->samples, &(struct cab_script_line) { .ip = g->sample[i].ip,
							     .period = g->sample[i].period });
      return;
    }
  uint32_t module = cab_samples_module (s->samples, file->path);
  struct cab_sample_module *m = &s->samples->modules[module];
  if (!*m->build_id)
    {
      free (m->build_id);
      m->build_id = xstrdup (file->image.build_id);
      m->bias = bias;
    }
  for (size_t i = 0; i < g->n; i++)
    cab_samples_add (s->samples, module, g->sample[i].ip - bias, 1, g->sample[i].period);
}

static int
judge (struct script *s)
{
  char names[256] = "";
  for (unsigned i = 0; i < s->n_others; i++)
    snprintf (names + strlen (names), sizeof names - strlen (names), "%s%s", i ? ", " : "",
	      s->others[i]);
  if (!s->event && s->n_others)
    return cab_refuse (s->path, s->diag, "has no event %s, but %s: name one of these", s->wanted,
		       names);
  if (!s->wanted && s->n_others)
    return cab_refuse (s->path, s->diag, "has several events: %s, %s: name the one to take",
		       s->event, names);
  if (!s->samples->n)
    return cab_refuse (
      s->path, s->diag,
      "holds no sample: write it with `perf script -F pid,time,period,event,ip,sym,symoff,dso'");
  return 0;
}

static void
describe (struct script *s)
{
  struct cab_sample_source *source = &s->samples->source;
  *source = (struct cab_sample_source) { .kind = CAB_SAMPLE_SCRIPT };
  snprintf (source->name, sizeof source->name, "%s", s->event ? s->event : "");
  /* Without a field `period' each sample weighs 1, whatever its unit. */
  source->unit_ns = s->samples->weight > s->samples->n
		 && (cab_script_same_event (source->name, "cpu-clock")
		     || cab_script_same_event (source->name, "task-clock"));
  source->period = s->samples->n ? s->samples->weight / s->samples->n : 0;
}

static void
release (struct script *s)
{
  for (uint32_t i = 0; i < s->n_files; i++)
    {
      for (size_t k = 0; k < s->files[i].n_names; k++)
	free (s->files[i].names[k].name);
      free (s->files[i].names);
      free (s->files[i].dso);
      free (s->files[i].path);
      cab_image_close (&s->files[i].image);
    }
  for (uint32_t i = 0; i < s->n_groups; i++)
    free (s->groups[i].sample);
  for (unsigned i = 0; i < s->n_others; i++)
    free (s->others[i]);
  free (s->event);
  free (s->files);
  free (s->groups);
}

int
cab_samples_from_script (struct cab_samples *samples, const char *path, const char *event,
			 struct cab_diag *diag)
{
  struct script s = { .samples = samples, .path = path, .wanted = event, .diag = diag };
  FILE *file = fopen (path, "r");
  char *line = NULL;
  size_t room = 0;
  if (!file)
    return cab_refuse (path, diag, "%s: name a file that `perf script' wrote", strerror (errno));
  while (getline (&line, &room, file) > 0)
    take_line (&s, line);
  free (line);
  int error = ferror (file) ? errno : 0;
  fclose (file);
  for (uint32_t i = 0; i < s.n_groups; i++)
    settle_group (&s, &s.groups[i]);
  describe (&s);
  int result = error ? cab_refuse (path, diag, "%s: check the disk", strerror (error)) : judge (&s);
  release (&s);
  cab_samples_settle (samples);
  return result;
}

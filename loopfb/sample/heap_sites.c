/* heap_sites.c - see heap_sites.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/heap_sites.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include <libiberty/splay-tree.h>
#include "loopfb/sample/heap_history.h"

#define AGE_DIGITS 4           /* binary digits of an age that are kept, so that rows are few */

/* A program that a process executes. */
struct cab_heap_image
{
  struct cab_heap_image *older;
  uint32_t pid;
  uint64_t start;                        /* the time of its exec, or of the fork */
  const struct cab_heap_image *parent;   /* it was forked from, or null */
  size_t n, room;
  struct cab_heap_sample *waiting;
};

static int
by_number (splay_tree_key a, splay_tree_key b)
{
  return (a > b) - (a < b);
}

void
cab_heap_sites_init (struct cab_heap_sites *sites, const char *directory)
{
  *sites = (struct cab_heap_sites) { .directory = directory };
  if (directory)
    sites->by_pid = splay_tree_new (by_number, NULL, NULL);
}

void
cab_heap_sites_fini (struct cab_heap_sites *sites)
{
  if (sites->by_pid)
    splay_tree_delete (sites->by_pid);
  while (sites->images)
    {
      struct cab_heap_image *image = sites->images;
      sites->images = image->older;
      free (image->waiting);
      free (image);
    }
  cab_heap_sites_init (sites, NULL);
}

static struct cab_heap_image *
begin_image (struct cab_heap_sites *sites, uint32_t pid, uint64_t start,
	     const struct cab_heap_image *parent)
{
  struct cab_heap_image *image = XCNEW (struct cab_heap_image);
  *image = (struct cab_heap_image) { .older = sites->images, .pid = pid, .start = start,
				     .parent = parent };
  splay_tree_insert (sites->by_pid, pid, (splay_tree_value) image);
  return sites->images = image;
}

/* Return what PID executes; what was not seen to begin is taken to be there from the first. */
static struct cab_heap_image *
image_of (struct cab_heap_sites *sites, uint32_t pid)
{
  splay_tree_node node = splay_tree_lookup (sites->by_pid, pid);
  return node ? (struct cab_heap_image *) node->value : begin_image (sites, pid, 0, NULL);
}

void
cab_heap_sites_fork (struct cab_heap_sites *sites, uint32_t pid, uint32_t parent, uint64_t time)
{
  if (pid != parent)
    begin_image (sites, pid, time, image_of (sites, parent));
}

void
cab_heap_sites_exec (struct cab_heap_sites *sites, uint32_t pid, uint64_t time)
{
  begin_image (sites, pid, time, NULL);
}

void
cab_heap_sites_add (struct cab_heap_sites *sites, uint32_t pid,
		    const struct cab_heap_sample *sample)
{
  struct cab_heap_image *image = image_of (sites, pid);
  if (image->n == image->room)
    image->waiting = XRESIZEVEC (struct cab_heap_sample, image->waiting,
				 image->room = 2 * image->room + 64);
  image->waiting[image->n++] = *sample;
}

static uint64_t
rounded (uint64_t age)
{
  int digits = age ? 64 - __builtin_clzll (age) : 0;
  return digits > AGE_DIGITS ? age >> (digits - AGE_DIGITS) << (digits - AGE_DIGITS) : age;
}

/* Set what SAMPLE has of its block, which QUESTION has found. */
static void
set_block (struct cab_heap_sample *sample, const struct cab_block_question *question)
{
  sample->row.region = CAB_DATA_HEAP;
  sample->row.block_bytes = question->bytes;
  sample->row.block_offset = question->bytes <= CAB_DATA_OFFSETS_UP_TO ? question->offset : 0;
  sample->row.age_ns = rounded (question->age);
  sample->site = question->site;
}

/* Answer the samples of IMAGE from its log up to UNTIL. */
static void
answer (struct cab_heap_sites *sites, struct cab_heap_image *image, uint64_t until)
{
  struct cab_heap_history history;
  struct cab_block_question *asked = XCNEWVEC (struct cab_block_question, image->n + 1);
  cab_heap_history_init (&history);
  for (const struct cab_heap_image *i = image; i; until = i->start, i = i->parent)
    cab_heap_history_read (&history, sites->directory, i->pid, i->start, until);
  for (size_t k = 0; k < image->n; k++)
    asked[k] = (struct cab_block_question) { .address = image->waiting[k].address,
					     .time = image->waiting[k].time };
  cab_blocks_answer (history.events, history.n, asked, image->n);
  for (size_t k = 0; k < image->n; k++)
    {
      struct cab_heap_sample *s = &image->waiting[k];
      if (s->time >= history.full)
	s->state = CAB_HEAP_AFTER_LOG;
      else if (asked[k].bytes)
	set_block (s, &asked[k]);
      else if (!history.seen)
	s->state = CAB_HEAP_NO_LOG;
    }
  cab_heap_history_fini (&history);
  free (asked);
}

static void
take_image (struct cab_heap_sites *sites, struct cab_heap_image *image, uint64_t until,
	    void (*take) (void *host, uint32_t pid, struct cab_heap_sample *sample), void *host)
{
  if (image->n)
    answer (sites, image, until);
  for (size_t k = 0; k < image->n; k++)
    take (host, image->pid, &image->waiting[k]);
  free (image->waiting);
  image->waiting = NULL;
  image->n = image->room = 0;
}

void
cab_heap_sites_take (struct cab_heap_sites *sites, uint32_t pid, uint64_t time,
		     void (*take) (void *host, uint32_t pid, struct cab_heap_sample *sample),
		     void *host)
{
  splay_tree_node node = splay_tree_lookup (sites->by_pid, pid);
  if (node)
    take_image (sites, (struct cab_heap_image *) node->value, time, take, host);
}

void
cab_heap_sites_take_all (struct cab_heap_sites *sites,
			 void (*take) (void *host, uint32_t pid, struct cab_heap_sample *sample),
			 void *host)
{
  for (struct cab_heap_image *i = sites->images; i; i = i->older)
    take_image (sites, i, UINT64_MAX, take, host);
}

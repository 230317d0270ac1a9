/* cabprof.h - for programs that are profiled: which functions are, and when.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Both attributes go in front of a function's declaration.  Without the plugin, and with other
 * compilers, they mean nothing.
 *
 *     CABPROF_NEVER static int fast (int x);      no probes in it, whatever the command line says
 *     CABPROF_ALWAYS int main (void);             probes in it, even where functions=, exclude= or
 *     files= leave it out
 *
 * What cannot carry probes at all (attribute naked, ifunc resolvers, ...) stays without them.
 *
 * The functions below act in an executable or shared object of which at least one file was compiled
 * with the plugin, while it is profiled.  Everywhere else they do nothing: they need no library, no
 * flag and no plugin, and cost a load and a branch.
 * Threads:    any, at any time.  They take time (see cabprof-api(3)), and what a signal handler
 *             interrupts must not be one of them.
 * Errors:     0: done.  CABPROF_ABSENT: nobody is there to do it.  Another negative number: -errno,
 *             and nothing has changed.
 */
#ifndef CABPROF_CABPROF_H
#define CABPROF_CABPROF_H

#if defined __has_attribute
# if __has_attribute (cabprof_never)
#  define CABPROF_NEVER __attribute__ ((cabprof_never))
#  define CABPROF_ALWAYS __attribute__ ((cabprof_always))
# endif
#endif
#ifndef CABPROF_NEVER
# define CABPROF_NEVER
# define CABPROF_ALWAYS
#endif

#define CABPROF_ABSENT (-38)

#if defined __x86_64__ && defined __LP64__ && defined __ELF__ && defined __GNUC__
/* What this module has of the runtime's: address 0 where there is nothing, or (gold) that of the
   module itself, which begins with an ELF header and not with the small number of an ABI.  Not by a
   declaration: a compiler would take its address for one that is never 0. */
#define CABPROF_CALL_(wish, name) \
  __extension__({ \
    const char *cabprof_module_; \
    int (*cabprof_control_) (unsigned, const char *) = 0; \
    __asm__(".weak\t__cab_module\n\t.hidden\t__cab_module\n\t{movq\t__cab_module@GOTPCREL(%%rip)," \
	    " %0|mov\t%0, QWORD PTR __cab_module@GOTPCREL[rip]}" \
	    : "=r"(cabprof_module_)); \
    if (cabprof_module_ && *(const unsigned *) (const void *) cabprof_module_ < 65536u \
	&& *(const unsigned *) (const void *) (cabprof_module_ + 4) >= 80u) \
      cabprof_control_ = *(int (*const *) (unsigned, const char *)) ( \
	const void *) (cabprof_module_ + 72); \
    cabprof_control_ ? cabprof_control_ ((wish), (name)) : CABPROF_ABSENT; \
  })
# define CABPROF_INLINE_ static __inline__ __attribute__ ((__always_inline__, __unused__))
#else
# define CABPROF_CALL_(wish, name) ((void) (name), CABPROF_ABSENT)
# if defined __cplusplus || (defined __STDC_VERSION__ && __STDC_VERSION__ >= 199901L)
#  define CABPROF_INLINE_ static inline
# else
#  define CABPROF_INLINE_ static
# endif
#endif

/* From here on nothing is profiled, in any thread: counts in place at once, events from each
   thread's next one on.  Paused already: nothing. */
CABPROF_INLINE_ int cabprof_pause (void) { return CABPROF_CALL_ (1u, (const char *) 0); }
/* From here on all is profiled again. */
CABPROF_INLINE_ int cabprof_resume (void) { return CABPROF_CALL_ (2u, (const char *) 0); }
/* All events of all threads up to here are analysed when it returns. */
CABPROF_INLINE_ int cabprof_flush (void) { return CABPROF_CALL_ (3u, (const char *) 0); }
/* Flush, and keep a copy of the profile so far as NAME (letters, digits, '.', '_', '-'): `cabprof
   report --snapshot=NAME'.  The last one of a name stays. */
CABPROF_INLINE_ int cabprof_snapshot (const char *name) { return CABPROF_CALL_ (4u, name); }
/* What this thread does from here to the end of the region counts for region NAME, too: `cabprof
   report --region=NAME'.  Regions may lie in each other and overlap; one within itself is the outer
   one. */
CABPROF_INLINE_ int cabprof_region_begin (const char *name) { return CABPROF_CALL_ (5u, name); }
CABPROF_INLINE_ int cabprof_region_end (const char *name) { return CABPROF_CALL_ (6u, name); }
/* This thread's name in reports: its first 15 bytes. */
CABPROF_INLINE_ int cabprof_thread_name (const char *name) { return CABPROF_CALL_ (7u, name); }

#undef CABPROF_INLINE_

#ifdef __cplusplus
namespace cabprof
{
  /* A region that lasts as long as the object's scope, however that is left.  The name must live as
     long. */
  class region
  {
  public:
    CABPROF_NEVER explicit region (const char *name) : name_ (name) { cabprof_region_begin (name); }
    CABPROF_NEVER ~region () { cabprof_region_end (name_); }
  private:
    region (const region &);
    region &operator= (const region &);
    const char *name_;
  };
}
#endif

#endif

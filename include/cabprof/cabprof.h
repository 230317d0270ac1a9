/* cabprof.h - for programs that are profiled: selects functions, and the time that is profiled.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Both attributes go in front of a function's declaration.  Without the plugin, and with other
 * compilers, they mean nothing.
 *
 *     CABPROF_NEVER static int fast (int x);      no probes in it, whatever the command line says
 *     CABPROF_ALWAYS int main (void);             probes in it, even where functions=, exclude= or
 *                                                 files= leave it out
 *
 * What cannot carry probes at all (attribute naked, ifunc resolvers, ...) stays without them.
 *
 * The functions below act in an executable or shared object of which at least one file was compiled
 * with the plugin, while it is profiled.  Everywhere else they do nothing: they need no library, no
 * flag and no plugin, and cost a load and a branch.
 * Threads:    any, at any time.  The calls take time (see cabprof-api(3)), and a signal handler
 *             that calls them must not have interrupted one of them.
 * Errors:     0: done.  CABPROF_ABSENT: no runtime is there to do it.  Another negative number:
 *             -errno, and nothing has changed.
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
/* Call the runtime's `control' of this module.  The address of __cab_module is 0 where there is
   none, or (with gold) that of the module itself, which begins with an ELF header and not with the
   small number of an ABI.  A declaration would not do: a compiler would assume that its address is
   never 0. */
#define CABPROF_CALL_(request, name) \
  __extension__({ \
    const char *cabprof_module_; \
    int (*cabprof_control_) (unsigned, const char *) = 0; \
    __asm__(".weak\t__cab_module\n\t.hidden\t__cab_module\n\t{movq\t__cab_module@GOTPCREL(%%rip)," \
	    " %0|mov\t%0, QWORD PTR __cab_module@GOTPCREL[rip]}" \
	    : "=r"(cabprof_module_)); \
    if (cabprof_module_) \
      { \
	unsigned cabprof_abi_, cabprof_bytes_; \
	CABPROF_LOAD_ (cabprof_abi_, 0); \
	CABPROF_LOAD_ (cabprof_bytes_, 4); \
	if (cabprof_abi_ < 65536u && cabprof_bytes_ >= 80u) \
	  CABPROF_LOAD_ (cabprof_control_, 72); \
      } \
    cabprof_control_ ? cabprof_control_ ((request), (name)) : CABPROF_ABSENT; \
  })
/* Load TO from AT bytes into the module.  There is no operand in memory: the plugin would report it
   as an access of the program's. */
#define CABPROF_LOAD_(to, at) \
  __asm__ __volatile__("mov\t{" #at "(%1), %0|%0, [%1+" #at "]}" : "=r"(to) : "r"(cabprof_module_))
# define CABPROF_INLINE_ static __inline__ __attribute__ ((__always_inline__, __unused__))
#else
# define CABPROF_CALL_(request, name) ((void) (name), CABPROF_ABSENT)
# if defined __cplusplus || (defined __STDC_VERSION__ && __STDC_VERSION__ >= 199901L)
#  define CABPROF_INLINE_ static inline
# else
#  define CABPROF_INLINE_ static
# endif
#endif

/* Stop profiling, in all threads: counts in place at once, events from each thread's next one on.
   Does nothing while already paused. */
CABPROF_INLINE_ int cabprof_pause (void) { return CABPROF_CALL_ (1u, (const char *) 0); }
/* Profile all threads again from here on. */
CABPROF_INLINE_ int cabprof_resume (void) { return CABPROF_CALL_ (2u, (const char *) 0); }
/* Analyse all events of all threads up to here before returning. */
CABPROF_INLINE_ int cabprof_flush (void) { return CABPROF_CALL_ (3u, (const char *) 0); }
/* Flush, and keep a copy of the profile so far as NAME (letters, digits, '.', '_', '-'): `cabprof
   report --snapshot=NAME'.  A later snapshot of the same name replaces it. */
CABPROF_INLINE_ int cabprof_snapshot (const char *name) { return CABPROF_CALL_ (4u, name); }
/* Begin region NAME: what this thread does from here to the end of the region counts for it, too:
   `cabprof report --region=NAME'.  Regions may be nested and overlap; a region begun within itself
   continues the outer one. */
CABPROF_INLINE_ int cabprof_region_begin (const char *name) { return CABPROF_CALL_ (5u, name); }
/* End region NAME, which this thread has begun. */
CABPROF_INLINE_ int cabprof_region_end (const char *name) { return CABPROF_CALL_ (6u, name); }
/* Give this thread a name in reports: the first 15 bytes of NAME. */
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

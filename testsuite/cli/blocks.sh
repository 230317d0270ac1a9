#!/bin/bash
# blocks.sh - allocations and releases, as probes record them, agree with valgrind's count; blocks
# are listed by allocation with those that read and write them, in C, C++ and Fortran, also for a
# program's own allocators.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need valgrind

memory=(-g "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=memory)

# run PROGRAM: check that it prints what plain-PROGRAM prints, and write its blocks to `table'.
run ()
{
  rm -rf profile
  "./plain-$1" >plain-output || fail "plain-$1 fails"
  CABPROF_OPTIONS=data=profile:analyses=blocks "./$1" >output 2>errors ||
    fail "$1 fails: $(cat errors)"
  cmp plain-output output || fail "$1: another output"
  [ ! -s errors ] || fail "$1: $(cat errors)"
  "$CABPROF" report blocks -d profile --format=tsv >table || fail "$1: no report"
}

# cell LINE CALLEE COLUMN...: print these columns of the row of CALLEE on LINE.
cell ()
{
  awk -F'\t' -v line="$1" -v callee="$2" -v wanted="${*:3}" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["line"] == line && $at["callee"] == callee { n = split (wanted, w, " "); for (i = 1; i <= n; i++) printf "%s%s", $at[w[i]], i < n ? " " : "\n" }' table
}

# expect_cell "VALUES" LINE CALLEE COLUMN...: check the cells of that row.
expect_cell ()
{
  local got
  got=$(cell "${@:2}")
  [ "$got" = "$1" ] || fail "$what: ${*:2}: '$got' instead of '$1': $(cat table)"
}

# The sum over malloc and its relatives is what valgrind counts in the plain program.
as_valgrind ()
{
  local ours theirs
  ours=$(awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["callee"] !~ /^m(re|un)?map/ { n += $at["blocks"]; f += $at["released"]; b += $at["bytes"] } END { print n, f, b }' table)
  theirs=$(valgrind "./plain-$1" 2>&1 >/dev/null |
    sed -n 's/,//g; s/.*total heap usage: \([0-9]*\) allocs \([0-9]*\) frees \([0-9]*\) bytes.*/\1 \2 \3/p')
  [ "$ours" = "$theirs" ] ||
    fail "$what: allocations, releases, bytes: $ours; valgrind: $theirs: $(cat table)"
}

cat >all.c <<'END'
#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <sys/mman.h>
struct node { struct node *next; long v; };
void *volatile keep;
static struct node *make (long v) { struct node *n = malloc (sizeof *n); n->v = v; return n; }
__attribute__ ((noinline, noipa)) void *tail (size_t n) { return malloc (n); }
__attribute__ ((noinline, noipa)) void drop (void *p) { free (p); }
int main (int argc, char **argv)
{
  setvbuf (stdout, NULL, _IONBF, 0);
  char *a = calloc (argc + 2, 10); keep = a;
  a = realloc (a, 100); keep = a;
  a = reallocarray (a, 20, argc + 9); keep = a;
  int *b = aligned_alloc (64, 128); keep = b;
  double *c; if (posix_memalign ((void **) &c, 32, 96)) return 1; keep = c;
  char *d = strdup ("hello"); keep = d;
  char *e = strndup ("hello world", 7); keep = e;
  keep = memalign (16, 48); free (keep);
  char *m = mmap (0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); keep = m;
  m[5] = argc; munmap (m, 8192);
  keep = mmap (0, 0, 0, 0, -1, 0);
  struct node *list = 0;
  for (int i = 0; i < 10; i++) { struct node *n = make (i); n->next = list; list = n; keep = n; }
  long sum = 0;
  for (struct node *n = list; n; n = n->next) sum += n->v;
  while (list) { struct node *n = list->next; free (list); list = n; }
  keep = tail (77); drop (keep); drop (0);
  keep = tail (5);
  keep = 0; keep = realloc (keep, 33); keep = realloc (keep, 0);
  b[3] = 4; c[1] = 2.5; b[5] += argc;
  printf ("%ld %s %s %d %d\n", sum, d, e, b[3], (int) c[1]);
  free (a); free (b); free (c); free (d); free (e);
  return 0;
}
END
for level in -O0 -O2; do
  what="all.c $level"
  gcc $level -w all.c -o plain-all && gcc $level -w "${memory[@]}" all.c -o all ||
    fail "all.c does not compile"
  run all
  as_valgrind all
  expect_cell "1 1 30 30" 15 calloc blocks released bytes peak_bytes
  expect_cell "1 1 100" 16 realloc blocks released bytes
  expect_cell "1 1 200" 17 reallocarray blocks released bytes
  expect_cell "int[] 1 1 128 128" 18 aligned_alloc type blocks released bytes peak_bytes
  expect_cell "1 1 96" 19 posix_memalign blocks released bytes
  expect_cell "1 1 6" 20 strdup blocks released bytes
  expect_cell "1 1 8" 21 strndup blocks released bytes
  expect_cell "1 1 48" 22 memalign blocks released bytes
  expect_cell "1 1 8192 1" 23 mmap blocks released bytes writes
  expect_cell "" 25 mmap blocks
  expect_cell "node 10 10 160 160 30 20" 9 malloc type blocks released bytes peak_bytes reads writes
  expect_cell "2 1 82 77" 10 malloc blocks released bytes peak_bytes
  expect_cell "1 1 33" 33 realloc blocks released bytes
done

cat >new.cc <<'END'
#include <new>
#include <cstdio>
#include <stdexcept>
struct holder { int a; holder (int n) { if (n == 3) throw std::runtime_error ("three"); a = n; } ~holder () { sum += a; } static long sum; };
long holder::sum;
struct alignas (64) wide { double x[8]; };
struct fat { int v; fat () : v (7) {} ~fat () { holder::sum += v; } };
void *volatile keep;
alignas (16) static char room[64];
int main ()
{
  for (int i = 0; i < 5; i++)
    try { holder *h = new holder (i); keep = h; delete h; } catch (std::exception &e) { std::puts (e.what ()); }
  fat *f = new fat[5]; keep = f; delete[] f;
  wide *w = new wide; keep = w; w->x[3] = 2; holder::sum += w->x[3]; delete w;
  holder *p = new (std::nothrow) holder (1); keep = p; delete p;
  holder *q = new (room) holder (4); keep = q;
  try { keep = ::operator new (std::size_t (1) << 60); } catch (std::bad_alloc &) { std::puts ("bad"); }
  keep = new (std::nothrow) char[std::size_t (1) << 60];
  int *a = new int[holder::sum]; keep = a; a[2] = 5; delete[] a;
  std::printf ("%ld %d\n", holder::sum, q->a);
}
END
for level in -O0 -O2; do
  what="new.cc $level"
  g++ $level -w new.cc -o plain-new && g++ $level -w "${memory[@]}" new.cc -o new ||
    fail "new.cc does not compile"
  run new
  expect_cell "5 5 20 4" 13 _Znwm blocks released bytes peak_bytes
  expect_cell "1 1 28" 14 _Znam blocks released bytes
  expect_cell "wide 1 1 64" 15 _ZnwmSt11align_val_t type blocks released bytes
  expect_cell "1 1 4" 16 _ZnwmRKSt9nothrow_t blocks released bytes
  expect_cell "" 17 _Znwm blocks
  expect_cell "" 18 _Znwm blocks
  expect_cell "" 19 _ZnamRKSt9nothrow_t blocks
  expect_cell "int[] 1 1" 20 _Znam type blocks released
done

# Two types of the same name stand in different scopes.
cat >scopes.cc <<'END'
#include <cstdio>
#include <cstdlib>
struct ints { int *v; };
struct doubles { double *v; };
int main (int argc, char **)
{
  double sum = 0;
  int n = argc * 100;
  {
    ints s;
    s.v = (int *) std::malloc (n * sizeof *s.v);
    for (int i = 0; i < n; i++) s.v[i] = i;
    for (int i = 0; i < n; i++) sum += s.v[n - i - 1];
  }
  {
    doubles s;
    s.v = (double *) std::malloc (n * sizeof *s.v);
    for (int i = 0; i < n; i++) s.v[i] = i;
    for (int i = 0; i < n; i++) sum += s.v[n - i - 1];
  }
  std::printf ("%g\n", sum);
}
END
what="scopes.cc"
g++ -O2 scopes.cc -o plain-scopes && g++ -O2 "${memory[@]}" scopes.cc -o scopes ||
  fail "scopes.cc does not compile"
run scopes
expect_cell "int[] 1 400" 11 malloc type blocks bytes
expect_cell "double[] 1 800" 17 malloc type blocks bytes

cat >alloc.f90 <<'END'
module data
  type cell
    real(8) :: mass
    integer :: kind
  end type
  type(cell), allocatable :: cells(:)
  character(len=8), allocatable :: words(:)
contains
  subroutine make (n)
    integer, intent(in) :: n
    allocate (cells(n))
    allocate (words(n))
  end subroutine
end module
program main
  use data
  implicit none
  real, allocatable :: a(:), b(:,:)
  integer, pointer :: p
  integer :: i
  allocate (a(100))
  allocate (b(10,20))
  allocate (p)
  call make (5)
  do i = 1, 100
    a(i) = i
  end do
  b = 1.5; p = 4
  print *, sum (a), sum (b), p
  deallocate (a); deallocate (b); deallocate (p)
end program
END
if command -v gfortran >/dev/null; then
  what="alloc.f90"
  gfortran -O1 alloc.f90 -o plain-alloc && gfortran -O1 "${memory[@]}" alloc.f90 -o alloc ||
    fail "alloc.f90 does not compile"
  run alloc
  expect_cell "real(kind=4)[] 1 1 400 100 100" 21 malloc type blocks released bytes reads writes
  expect_cell "real(kind=4)[] 1 1 800" 22 malloc type blocks released bytes
  expect_cell "integer(kind=4) 1 1 4" 23 malloc type blocks released bytes
  expect_cell "cell[] 1 0 80" 11 malloc type blocks released bytes
  expect_cell "character(kind=1)[] 1 0 40" 12 malloc type blocks released bytes
fi

# The program has allocators of its own; those of C are left out.
cat >pool.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static char room[1000];
static size_t used;
struct item { int a, b; };
__attribute__ ((noipa)) void *pool_get (void *pool, size_t n, size_t size) { void *p = room + used; used += n * size; return pool ? p : 0; }
__attribute__ ((noipa)) int pool_put (int level, void *p) { return p != 0 && level; }
int main (void)
{
  struct item *i = pool_get (room, 3, sizeof *i), *none = pool_get (0, 3, sizeof *i);
  void *volatile keep = malloc (10);
  i[1].b = 5;
  i[2].a = i[1].b;
  pool_put (1, i);
  i[0].a = none != 0;
  free (keep);
  return 0;
}
END
cat >table-of-pools <<'END'
# a pool
pool_g* allocates count=2 size=3
pool_put releases pointer=2
malloc ignored
END
what=pool.c
gcc -O0 -w pool.c -o plain-pool && gcc -O0 "${memory[@]}" \
  -fplugin-arg-cabprof-allocators=table-of-pools pool.c -o pool || fail "pool.c does not compile"
run pool
expect_cell "item[] 1 1 24 1 2" 10 pool_get type blocks released bytes reads writes
expect_cell "" 11 malloc blocks

# For a wrapper of malloc, the callers know the type of each block.
cat >wrapper.c <<'END'
#include <stdlib.h>
struct item { int a; double b; };
__attribute__ ((noipa)) static void *xmalloc (size_t n) { void *p = malloc (n); if (!p) abort (); return p; }
int main (void)
{
  struct item *many = xmalloc (10 * sizeof *many);
  struct item *one = xmalloc (sizeof *one);
  ((volatile struct item *) many)[3].a = 1;
  ((volatile struct item *) one)->b = 1;
  free (many); free (one);
}
END
printf 'xmalloc allocates size=1\nmalloc ignored\n' >table-of-wrappers
what=wrapper.c
gcc -O2 -w wrapper.c -o plain-wrapper && gcc -O2 "${memory[@]}" wrapper.c -o wrapper ||
  fail "wrapper.c does not compile"
run wrapper
expect_cell "? 2 176" 3 malloc type blocks bytes
gcc -O2 "${memory[@]}" -fplugin-arg-cabprof-allocators=table-of-wrappers wrapper.c -o wrapper ||
  fail "wrapper.c does not compile"
run wrapper
expect_cell "item[] 1 160" 6 xmalloc type blocks bytes
expect_cell "item 1 16" 7 xmalloc type blocks bytes
expect_cell "" 3 malloc blocks

# Structures without a tag are called by their typedef.
cat >untagged.c <<'END'
#include <stdlib.h>
typedef struct { int a; long b; } plain;
typedef union { int a; double b; } either;
void *volatile keep;
int main (void)
{
  plain *one = malloc (sizeof *one); one->b = 1; keep = one;
  plain *many = malloc (5 * sizeof *many); many[2].a = 3; keep = many;
  either *e = malloc (sizeof *e); e->b = 2; keep = e;
  free (one); free (many); free (e);
}
END
for level in -O0 -O2; do
  what="untagged.c $level"
  gcc $level -w untagged.c -o plain-untagged && gcc $level -w "${memory[@]}" untagged.c \
    -o untagged || fail "untagged.c does not compile"
  run untagged
  expect_cell "plain 1 16" 7 malloc type blocks bytes
  expect_cell "plain[] 1 80" 8 malloc type blocks bytes
  expect_cell "either 1 8" 9 malloc type blocks bytes
done

# Calls through pointers, as of hooks, are recorded if they lead to malloc and its relatives, and
# not otherwise.
cat >hooks.c <<'END'
#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; long v; };
struct hooks { void *(*allocate) (size_t); void *(*clear) (size_t, size_t); void *(*resize) (void *, size_t); void (*release) (void *); };
static char pool[256];
static unsigned long used, dropped;
__attribute__ ((noipa)) static void *own_allocate (size_t n) { used += n; return pool + used - n; }
__attribute__ ((noipa)) static void *own_clear (size_t n, size_t m) { used += n * m; return pool + used - n * m; }
__attribute__ ((noipa)) static void *own_resize (void *p, size_t n) { return p && n ? pool : 0; }
__attribute__ ((noipa)) static void own_release (void *p) { dropped += p != 0; }
static struct hooks standard = { malloc, calloc, realloc, free }, own = { own_allocate, own_clear, own_resize, own_release };
void *volatile keep;
__attribute__ ((noipa)) static long work (const struct hooks *hooks, int n)
{
  struct node *list = 0;
  long sum = 0;
  for (int i = 0; i < n; i++)
    {
      struct node *node = hooks->allocate (sizeof *node);
      node->v = i, node->next = list, list = node;
    }
  for (struct node *node = list; node; node = node->next)
    sum += node->v;
  while (list)
    {
      struct node *next = list->next;
      hooks->release (list);
      list = next;
    }
  int *many = hooks->clear (5, sizeof (int)); many[3] = n;
  many = hooks->resize (many, 40); many[1] = 4;
  sum += many[3];
  hooks->release (many);
  return sum;
}
__attribute__ ((noipa)) static void *tail (const struct hooks *hooks, size_t n) { return hooks->allocate (n); }
int main (void)
{
  setvbuf (stdout, NULL, _IONBF, 0), printf ("%ld %ld\n", work (&standard, 10), work (&own, 7));
  keep = tail (&standard, 77); free (keep);
  keep = tail (&own, 50);
  return 0;
}
END
for flags in -O0 -O2 "-O2 -fPIC -shared" "-O2 -fno-pie -no-pie" "-O2 -flto" \
  "-O2 -fplugin-arg-cabprof-memory-sample"; do
  what="hooks.c $flags"
  gcc -O2 -w hooks.c -o plain-hooks || fail "hooks.c does not compile"
  case $flags in
  *-shared)
    gcc -w "${memory[@]}" $flags -Dmain=hooks_main hooks.c -o libhooks.so &&
      echo 'int hooks_main (void); int main (void) { return hooks_main (); }' >main.c &&
      gcc main.c -o hooks ./libhooks.so ;;
  *) gcc -w "${memory[@]}" $flags hooks.c -o hooks ;;
  esac || fail "$what does not compile"
  run hooks
  [[ $flags != -O0 ]] || { gcc -O0 -w hooks.c -o plain-hooks; as_valgrind hooks; }
  expect_cell "node 10 10 160 160 20" 19 malloc type blocks released bytes peak_bytes writes
  expect_cell "int[] 1 1 20 1" 30 calloc type blocks released bytes writes
  expect_cell "int[] 1 1 40 1 1" 31 realloc type blocks released bytes reads writes
  expect_cell "? 1 1 77" 36 malloc type blocks released bytes
done

# A call that throws has allocated nothing.
cat >hooks-that-throw.cc <<'END'
#include <cstdlib>
#include <cstdio>
#include <stdexcept>
struct hooks { void *(*get) (std::size_t); void (*put) (void *); };
struct item { long a; };
void *throwing (std::size_t) { throw std::runtime_error ("no"); }
void quiet (void *) {}
hooks standard = { std::malloc, std::free }, bad = { throwing, quiet };
struct guard { const hooks *h; void *p; ~guard () { h->put (p); } };
__attribute__ ((noipa)) long work (const hooks *h)
{
  try { item *i = (item *) h->get (sizeof (item)); guard g = { h, i }; i->a = 5; if (h == &bad) throw 3; return i->a; }
  catch (std::exception &e) { std::puts (e.what ()); return -1; }
}
int main () { std::printf ("%ld %ld\n", work (&standard), work (&bad)); }
END
for level in -O0 -O2; do
  what="hooks-that-throw.cc $level"
  g++ $level -w hooks-that-throw.cc -o plain-hooks && g++ $level -w "${memory[@]}" \
    hooks-that-throw.cc -o hooks || fail "hooks-that-throw.cc does not compile"
  run hooks
  expect_cell "item 1 1 8" 12 malloc type blocks released bytes
  [ "$(wc -l <table)" = 3 ] || fail "$what: more than one allocation: $(cat table)"
done

# Other threads access and release blocks; where several allocations had blocks at that place, the
# owner is unknown.
cat >handed.c <<'END'
#include <pthread.h>
#include <stdlib.h>
struct node { long v, w; struct node *next; };
static struct node *list;
static char *room;
static long pool[8] __attribute__ ((aligned (64)));
__attribute__ ((noipa)) void *pool_get (int slot, size_t size) { return size ? pool + slot : 0; }
__attribute__ ((noipa)) void pool_put (void *p) { __asm__ volatile ("" : : "r" (p) : "memory"); }
static volatile long *mixed, *again;
static void *take (void *arg)
{
  for (struct node *n = list, *next; n; n = next)
    {
      next = n->next;
      *(volatile long *) &n->w += n->v;
      free (n);
    }
  for (int i = 0; i < 30; i++)
    ((volatile char *) room)[i * 100] = i;
  for (int i = 0; i < 7; i++)
    *mixed = i;
  volatile long *own = pool_get (4, 8);
  *own = *again;
  pool_put ((void *) own);
  pool_put ((void *) again);
  return arg;
}
int main (void)
{
  pthread_t thread;
  for (int i = 0; i < 50; i++)
    {
      struct node *n = malloc (sizeof *n);
      n->v = i; n->w = 0; n->next = list; list = n;
    }
  room = malloc (3000);
  pool_put (pool_get (0, 8));
  mixed = pool_get (0, 8);
  again = pool_get (2, 8);
  pthread_create (&thread, 0, take, 0);
  pthread_join (thread, 0);
  *again = 3;
  free (room);
  return 0;
}
END
printf 'pool_get allocates size=2\npool_put releases pointer=1\n' >pools
gcc -O1 "${memory[@]}" -fplugin-arg-cabprof-allocators=pools -pthread handed.c -o handed ||
  fail "handed.c does not compile"
for options in placement=thread placement=inline threads=2 chunk=512:ring=4K; do
  what="handed.c, $options"
  rm -rf profile
  CABPROF_OPTIONS=data=profile:analyses=blocks:$options ./handed 2>errors ||
    fail "$what: $(cat errors)"
  "$CABPROF" report blocks -d profile --format=tsv >table || fail "$what: no report"
  # There are 50 nodes: main writes each three times; the other thread reads next, v and w, writes
  # w, and releases them.
  expect_cell "50 50 1200 150 200" 33 malloc blocks released bytes reads writes
  expect_cell "1 1 3000 0 30" 36 malloc blocks released bytes reads writes
  expect_cell "1 1 0 0" 37 pool_get blocks released reads writes
  expect_cell "1 0 0 0" 38 pool_get blocks released reads writes
  expect_cell "1 1 1 1" 39 pool_get blocks released reads writes
  expect_cell "1 1 0 1" 22 pool_get blocks released reads writes
  [ "$(awk -F'\t' '$1 == "(one of several)" { print $11, $12 }' table)" = "0 7" ] ||
    fail "$what: several: $(cat table)"
done

printf 'pool_get allocates size=1\nfree frees\n' >bad
expect 1 gcc "${memory[@]}" -fplugin-arg-cabprof-allocators=bad -c pool.c
grep -q 'bad:2: not a line of a table of allocators: write "NAME allocates' err ||
  fail "a bad line: $(cat err)"
expect 1 gcc "${memory[@]}" -fplugin-arg-cabprof-allocators=no-such-file -c pool.c
grep -q 'no-such-file: the table of allocators cannot be read: No such file' err ||
  fail "no file: $(cat err)"
echo 'pool_put releases pointer=3' >other
expect 0 gcc "${memory[@]}" -fplugin-arg-cabprof-allocators=other -c pool.c
grep -q 'pool_put.*its arguments are not what the table of allocators says' err ||
  fail "wrong arguments: $(cat err)"

# A profile without counts says what to do.
CABPROF_OPTIONS=data=without ./pool >/dev/null
expect 1 "$CABPROF" report blocks -d without
grep -q 'analyses=blocks' out err ||
  fail "the message does not name analyses=blocks: $(cat out err)"

#!/bin/bash
# vla.sh - arrays of variable length have the names of the source, and memory of alloca has the name
# of the function or variable that holds it.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need gcc g++ gfortran

cat >prog.c <<'end'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <alloca.h>
#define OWN __attribute__ ((noinline))
struct point { int x, y; };
volatile int hundred = 100, eight = 8;
OWN static long two (int n)
{
  long heat[n];
  int cold[n + 3];
  long s = 0;
  for (int i = 0; i < n; i++) heat[i] = i;
  for (int i = 0; i < 3; i++) cold[i] = i;
  for (int k = 0; k < 10; k++) for (int i = 0; i < n; i++) s += heat[i];
  return s + cold[2];
}
OWN static int plane (int n) { int grid[n][n + 1]; int s = 0;
  for (int i = 0; i < n; i++) for (int j = 0; j < n + 1; j++) grid[i][j] = i ^ j;
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += grid[j][i];
  return s; }
OWN static int given (int n, int table[n][n]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += table[j][i]; return s; }
OWN static int records (int n) { struct point many[n]; int s = 0; for (int i = 0; i < n; i++) many[i].x = i, many[i].y = -i; for (int i = 0; i < n; i++) s += many[n - 1 - i].x; return s; }
OWN static int room (int n) { int *stack = alloca (n * sizeof *stack); int s = 0; for (int i = 0; i < n; i++) stack[i] = i; for (int i = 0; i < n; i++) s += stack[n - 1 - i]; return s; }
static inline int inner (int n, int *out) { short inside[n]; for (int i = 0; i < n; i++) inside[i] = i * n; for (int i = 0; i < n; i++) out[i] = inside[n - 1 - i]; return out[1]; }
OWN static int outer (int n) { int result[n]; return inner (n, result) + result[n - 2]; }
OWN static int constant (void) { int n = 10; char fixed[n]; for (int i = 0; i < n; i++) fixed[i] = hundred; return fixed[hundred & 7]; }
OWN static int either (int n) { int *big = n > 50 ? malloc (n * sizeof *big) : alloca (n * sizeof *big); int s = 0; for (int i = 0; i < n; i++) big[i] = i; for (int i = 0; i < n; i++) s += big[n - 1 - i]; if (n > 50) free (big); return s; }
OWN static int copied (int n) { char bytes[n]; memset (bytes, 7, n); char *same = memcpy (alloca (n), bytes, n); same[1]++; return same[1] + same[n - 1]; }
OWN static int sum (int n, const int *p) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
OWN static int cleared (int n) { int zeros[n]; memset (zeros, 0, sizeof zeros); return sum (n, zeros) + zeros[n / 2]; }
int main (void)
{
  int (*t)[eight] = malloc (sizeof (int[eight][eight]));
  memset (t, 1, sizeof (int[eight][eight]));
  printf ("%ld %d %d %d %d %d %d %d %d %d\n", two (hundred), plane (eight), given (eight, t), records (eight), room (eight), outer (eight), constant (), cleared (eight), either (eight), copied (eight));
  return 0;
}
end
cat >more.c <<'end'
#include <stdio.h>
#include <alloca.h>
#include <string.h>
#define OWN __attribute__ ((noinline))
volatile int eight = 8;
struct holder { int n; char *buffer; };
OWN static int cube (int n) { short c[n][n][4]; int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < 4; k++) c[i][j][k] = i + j + k; for (int i = 0; i < n; i++) s += c[i][n-1-i][2]; return s; }
OWN static int nested (int n) { int kept[n]; int put (int i) { return kept[i] = i; } int s = 0; for (int i = 0; i < n; i++) s += put (i); return s + kept[n / 2]; }
OWN static int loop (int n) { int s = 0; for (int k = 1; k < n; k++) { int part[k]; for (int i = 0; i < k; i++) part[i] = i; s += part[k / 2]; } return s; }
OWN static int held (int n) { struct holder h = { n, alloca (n) }; memset (h.buffer, 1, n); int s = 0; for (int i = 0; i < n; i++) s += h.buffer[i]; return s; }
static char *global; 
OWN static int useg (void) { int s = 0; for (int i = 0; i < 8; i++) s += global[i]; return s; }
OWN static int heldg (int n) { global = alloca (n); for (int i = 0; i < n; i++) global[i] = i; return useg (); }
OWN static int dead (int n) { struct inner { int n; int a[n]; } x; x.n = n; for (int i = 0; i < n; i++) x.a[i] = i; return x.a[n - 1] + x.n; }
OWN static int cond (int n) { int *p; if (n > 4) p = alloca (n * 4); else p = alloca (40); for (int i = 0; i < n; i++) p[i] = i; return p[n - 1]; }
OWN static int omp (int n) { int v[n], s = 0;
#pragma omp parallel for reduction(+:s)
 for (int i = 0; i < n; i++) { v[i] = i; s += v[i]; } return s + v[2]; }
OWN static int par (int n, int m, double a[n][m], char s[static n]) { double t = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) t += a[i][j]; return t + s[0]; }
OWN static int callpar (int n) { double mine[n][n + 1]; char str[n]; memset (mine, 0, sizeof mine); strcpy (str, "abc"); return par (n, n + 1, mine, str); }
int main (void) { printf ("%d %d %d %d %d %d %d %d %d\n", cube (eight), nested (eight), loop (eight), held (eight), heldg (eight), dead (eight), cond (eight), omp (eight), callpar (eight)); return 0; }
end
cat >prog.cc <<'end'
#include <cstdio>
#include <cstring>
#define OWN __attribute__ ((noinline))
volatile int eight = 8;
struct pt { double x, y; };
template <class T> OWN T total (int n) { T cells[n]; T s = 0; for (int i = 0; i < n; i++) cells[i] = i; for (int i = 0; i < n; i++) s += cells[n-1-i]; return s; }
OWN int captured (int n) { int seen[n]; for (int i = 0; i < n; i++) seen[i] = i; auto f = [&] (int k) { return seen[k] + seen[n - 1]; }; int s = 0; for (int i = 0; i < n; i++) s += f (i); return s; }
OWN double pts (int n) { pt list[n]; for (int i = 0; i < n; i++) list[i] = { 1.0 * i, 2.0 }; double s = 0; for (auto &p : list) s += p.x; return s; }
int main () { printf ("%d %g %d %g\n", total<int> (eight), total<double> (eight), captured (eight), pts (eight)); }
end
cat >prog.f90 <<'end'
module m
contains
  subroutine auto (n, out)
    integer, intent(in) :: n
    real, intent(out) :: out
    real :: work(n), grid(n, n)
    integer :: i, j
    do i = 1, n
      work(i) = i
      do j = 1, n
        grid(j, i) = i * j
      end do
    end do
    out = 0
    do i = 1, n
      out = out + work(n + 1 - i) + grid(i, i)
    end do
  end subroutine
  function sq (n, a) result (s)
    integer, intent(in) :: n
    real, intent(in) :: a(n, n)
    real :: s
    integer :: i
    s = 0
    do i = 1, n
      s = s + a(i, n + 1 - i)
    end do
  end function
end module
program p
  use m
  real :: r, b(8, 8)
  integer :: n
  n = 8
  b = 1.5
  call auto (n, r)
  print *, r, sq (n, b)
end program
end

# found SOURCE COMPILER FLAGS...: write "function variable reads writes" of all accesses to `rows'.
found ()
{
  local source=$1 compiler=$2
  shift 2
  "$compiler" -w "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=memory "$@" "$source" -o prog ||
    fail "$source $*: does not compile"
  rm -rf profile
  OMP_NUM_THREADS=1 CABPROF_OPTIONS=data=profile ./prog >out 2>&1 || fail "$source $*: $(cat out)"
  "$CABPROF" report -d profile accesses --format=tsv --limit=0 | awk -F'\t' '
    NR > 1 { key = $2 " " $1; reads[key] += $6; writes[key] += $7 }
    END { for (key in reads) print key, reads[key], writes[key] }' | sort >rows
}

# wants WHAT LINES...: check that rows has each of them.
wants ()
{
  local what=$1 line
  shift
  for line; do
    grep -qxF -- "$line" rows || fail "$what: no \"$line\" in: $(cat rows)"
  done
  grep -i alloca rows && fail "$what: a function of the compiler's is no name"
}

for level in -O0 -O1 -O2 -O3 -Os; do
  for debug in "" -g; do
    # shellcheck disable=SC2086
    found prog.c gcc $level $debug
    wants "prog.c $level $debug" "two heat[] 1000 100" "plane grid[][] 64 72" "given table[] 64 0" \
      "records many[].x 8 8" "room stack[] 8 8" "constant fixed[] 1 10" \
      "cleared zeros[] 1 1" "sum p[] 8 0" "either big[] 8 8"
    case $level in
    -O0) wants "prog.c $level" "two cold[] 1 3" "inner inside[] 8 8" "outer result[] 1 0" ;;
    *) wants "prog.c $level" "outer inside[] 8 8" "outer result[] 2 8" ;;
    esac
  done
done
for level in -O0 -O2; do
  found more.c gcc $level -fopenmp
  wants "more.c $level" "cube c[][][] 8 256" "loop part[] 7 28" "cond p[] 1 8" \
    "heldg global[] 0 8" "omp v[] 1 0" "callpar mine[] 0 1" "par a[] 72 0"
  grep -q "^held h.buffer\[\] 8 " rows && grep -q "^omp._omp_fn.0 v\[\] " rows &&
    grep -q "^nested kept\[\] 1 " rows || fail "more.c $level: $(cat rows)"
  found prog.cc g++ $level
  wants "prog.cc $level" "total<int>(int) cells[] 8 8" "total<double>(int) cells[] 8 8" \
    "pts(int) list[].x 0 8"
  grep -q "^captured(int) seen\[\] [09] 8$" rows || fail "prog.cc $level: $(cat rows)"
  [ $level != -O0 ] || for flto in -fno-lto -flto; do
    found prog.cc g++ -O0 $flto
    grep -q "{lambda}.seen\[\] 16 0$" rows && ! grep -qE "__(closure|seen|n)|[.](ptr|max)" rows ||
      fail "prog.cc, captured $flto: $(cat rows)"
  done
  for stack in -fno-stack-arrays -fstack-arrays; do
    found prog.f90 gfortran $level $stack -fno-inline
    wants "prog.f90 $level $stack" "m::auto work[] 8 8" "m::auto grid[] 8 64" "m::sq a[] 8 0"
  done
done

# Variables that nested functions use have the names of the source, and what the compiler copies
# into an array is a constant.
cat >made.c <<'end'
#define OWN __attribute__ ((noipa))
volatile int five = 5;
OWN int taken (int *list, int i) { return list[i]; }
OWN int outer (int n)
{
  int kept = n, list[4] = { n, 2, 3, 4 };
  struct { int a, b; } pair = { n, 2 };
  OWN int put (int i)
  {
    OWN int deep (int k) { return kept += k; }
    kept += i; list[i & 3] += kept; pair.b += i;
    return deep (i);
  }
  int s = 0;
  for (int i = 0; i < n; i++)
    s += put (i);
  return s + kept + list[2] + pair.b;
}
#define TEN 5, 6, 7, 8, 9, 4, 3, 2, 1, 3
OWN int table (int n) { int t[] = { TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN }; return taken (t, n); }
int main (void) { return outer (five) == 0 || table (five) != 4; }
end
for level in -O0 -O2 "-O2 -flto"; do
  # shellcheck disable=SC2086
  found made.c gcc $level
  wants "made.c $level" "put pair.b 5 5" "put list[] 5 5" "outer list[] 1 4" \
    "table t 0 1" "table <constant> 1 0"
  grep -q "^deep kept [0-9]* 5$" rows && ! grep -qE "FRAME|__chain" rows ||
    fail "made.c $level: $(cat rows)"
done

# At the link the names are the same.
for level in -O1 -O2 -O3; do
  found prog.c gcc $level -flto
  wants "prog.c $level -flto" "two heat[] 1000 100" "records many[].x 8 8" "room stack[] 8 8" \
    "constant fixed[] 1 10" "outer inside[] 8 8" "outer result[] 2 8" "either big[] 8 8"
  grep -q '^copied .same ' rows || fail "prog.c $level -flto: $(cat rows)"
  found prog.f90 gfortran $level -flto -fstack-arrays
  grep -q ' work\[\] 8 8$' rows && grep -q ' grid\[\] 8 64$' rows && ! grep -q ' A\[\]' rows ||
    fail "prog.f90 $level -flto: $(cat rows)"
done
found more.c gcc -O2 -flto -fopenmp
wants "more.c -flto" "cube c[][][] 8 256" "loop part[] 7 28" "cond p[] 1 8"

# Filters match the names; the arrays are on the stack.
found prog.c gcc -O2 -fplugin-arg-cabprof-variables='heat*'
[ "$(cat rows)" = "two heat[] 1000 100" ] || fail "variables=heat*: $(cat rows)"
found prog.c gcc -O2 -fplugin-arg-cabprof-heap-only \
  -fplugin-arg-cabprof-functions=two,plane,room,records
[ ! -s rows ] || fail "heap-only: $(cat rows)"

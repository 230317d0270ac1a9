#!/bin/bash
# layout-compiler.sh - structures that the compiler makes have no layout report, with or without
# -flto; those of the source have one, whatever they are called.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
gcc=${GCC:-gcc}
need $gcc ${gcc/gcc/g++} ${gcc/gcc/gfortran}

# The source uses names of gfortran's own types, and makes it build descriptors, tables and
# parameters of input and output.
cat >names.f90 <<'END'
module m
  type descriptor_dimension
    real(8) :: x, rare(9), y
  end type
  type dtype_type
    integer :: id
    real(8) :: rare(6)
    real, allocatable :: v(:)
  end type
  type, abstract :: shape
    integer :: n
  contains
    procedure(area_of), deferred :: area
  end type
  type, extends(shape) :: square
    real(8) :: side
  contains
    procedure :: area => square_area
  end type
  abstract interface
    function area_of (this)
      import shape
      class(shape), intent(in) :: this
      real(8) :: area_of
    end function
  end interface
contains
  function square_area (this)
    class(square), intent(in) :: this
    real(8) :: square_area
    square_area = this%side ** 2
  end function
  subroutine fill (a, d, p, s)
    real, allocatable, intent(inout) :: a(:,:)
    type(descriptor_dimension), allocatable, intent(inout) :: d(:)
    type(dtype_type), allocatable, intent(inout) :: p(:)
    class(shape), pointer, intent(in) :: s
    integer :: i, j
    do j = 1, size (a, 2)
      do i = 1, size (a, 1)
        a(i, j) = i + j
      end do
    end do
    do i = 1, size (p)
      d(i)%x = d(i)%x + s%area ()
      d(i)%y = d(i)%y + 1
      p(i)%id = p(i)%id + i
      p(i)%v = a(:, 1)
    end do
  end subroutine
end module
program names
  use m
  real, allocatable :: a(:,:)
  type(descriptor_dimension), allocatable :: d(:)
  type(dtype_type), allocatable :: p(:)
  class(shape), pointer :: s
  type(square), target :: t
  allocate (a(100, 20), d(50), p(50))
  t%side = 3
  t%n = 1
  s => t
  d%x = 0
  d%y = 0
  p%id = 0
  do k = 1, 20
    call fill (a, d, p, s)
    write (*, *) sum (a), d(3)%x, p(4)%id
  end do
end program
END

cat >made.cc <<'END'
#include <coroutine>
#include <functional>
#include <map>
#include <stdio.h>
struct task
{
  struct promise_type
  {
    long rare[9];
    int value;
    task get_return_object () { return { std::coroutine_handle<promise_type>::from_promise (*this) }; }
    std::suspend_always initial_suspend () { return {}; }
    std::suspend_always final_suspend () noexcept { return {}; }
    void return_void () {}
    void unhandled_exception () {}
    std::suspend_always yield_value (int x) { value = x; return {}; }
  };
  std::coroutine_handle<promise_type> handle;
};
__attribute__ ((noipa)) int apply (const std::function<int (int)> &f, int x)
{
  return f (x);
}
__attribute__ ((noipa)) task numbers (int n)
{
  for (int i = 0; i < n; i++)
    co_yield i;
}
int main ()
{
  std::map<int, int> map;
  int sum = 0;
  for (int i = 0; i < 100; i++)
    map[i * 7 % 100] = i;
  task t = numbers (50);
  for (t.handle.resume (); !t.handle.done (); t.handle.resume ())
    sum += t.handle.promise ().value + map[t.handle.promise ().value];
  long rare[9] = { sum };
  auto closure = [rare, &sum, &map] (int x) { sum += map[x]; return sum + (int) rare[0]; };
  for (int i = 0; i < 50; i++)
    sum += apply (closure, i);
  printf ("%d\n", sum);
}
END

# own COMPILER SOURCE FLAG...: print the structures that count as the program's own, and write all
# of them to `all'.
own ()
{
  rm -rf profile
  "$1" -O2 -g -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=memory "${@:3}" "$2" -o prog 2>words ||
    fail "$2 ${*:3}: $(cat words)"
  CABPROF_OPTIONS=data=profile:analyses=layout ./prog >out 2>err || fail "$2 ${*:3}: $(cat err)"
  "$CABPROF" report layout -d profile --format=tsv >table || fail "$2: no report"
  tail -n +2 table | cut -f 1 | sort -u | tr '\n' ' ' >all
  tail -n +2 table | awk -F '\t' '$16 !~ /^it is of a system/ { print $1 }' | sort -u | tr '\n' ' '
}

for lto in '' -flto '-flto -ffat-lto-objects'; do
  found=$(own ${gcc/gcc/gfortran} names.f90 $lto)
  [ "$found" = 'descriptor_dimension dtype_type square ' ] ||
    fail "Fortran, $lto: not the program's own: $found"
  [ "$(cat all)" = 'descriptor_dimension dtype_type square ' ] ||
    fail "Fortran, $lto: structures: $(cat all)"
  found=$(own ${gcc/gcc/g++} made.cc -std=c++20 $lto)
  [ "$found" = 'promise_type task ' ] || fail "C++, $lto: not the program's own: $found"
  grep -q 'Frame\|anon\|lambda' all && fail "C++, $lto: structures: $(cat all)"
done
exit 0

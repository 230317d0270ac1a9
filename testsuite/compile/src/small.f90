! small.f90 - procedures of a module, internal ones as arguments, recursion, pointers to procedures.
! flags: -fno-early-inlining
! SPDX-License-Identifier: GPL-3.0-or-later
module tools
  implicit none
  abstract interface
    integer function unary (n)
      integer, intent(in) :: n
    end function unary
  end interface
contains
  recursive integer function fibonacci (n) result (r) ! calls = 177
    integer, intent(in) :: n
    if (n < 2) then
      r = n ! line = 89
    else
      r = fibonacci(n - 1) + fibonacci(n - 2) ! line = 88
    end if
  end function fibonacci

  integer function kind_of (n) ! calls = 50
    integer, intent(in) :: n
    select case (n)
    case (:9)
      kind_of = 1 ! line = 9
    case (10:19, 30:39)
      kind_of = 2 ! line = 20
    case (25)
      kind_of = 3 ! line = 1
    case default
      kind_of = 4 ! line = 50
    end select
  end function kind_of

  integer function total (f, n) ! calls = 2
    procedure(unary) :: f
    integer, intent(in) :: n
    integer :: i
    total = 0 ! line = 2
    do i = 1, n
      total = total + f(i)
    end do
  end function total
end module tools

program small
  use tools
  implicit none
  integer :: offset, k
  real :: table(4, 5)
  offset = 3
  table = 1
  do k = 1, 4
    where (table(k, :) < k) table(k, :) = k
    if (k == 3) cycle ! line = 4
    table(k, k) = 0
  end do
  print '(4i6, f8.2)', fibonacci(10), total(kind_of, 50), total(shifted, 10), offset, sum(table)
contains
  integer function shifted (n) ! calls = 10
    integer, intent(in) :: n
    shifted = n + offset
    offset = offset + 1
  end function shifted
end program small

! concurrent.f90 - do concurrent with local, shared and reduced variables.
! gcc: 15
! SPDX-License-Identifier: GPL-3.0-or-later
module squares
  implicit none
contains
  subroutine square (b, last)
    real, intent (inout) :: b(:)
    real, intent (out) :: last
    real :: x
    integer :: j
    do concurrent (j = 1:size (b)) local (x) shared (b)
      x = b(j) + 1
      b(j) = x * 2
    end do
    last = b(size (b))
  end subroutine
end module

program concurrent
  use squares
  implicit none
  integer :: i, total, k
  real :: a(100), t
  a = [(real (i), i = 1, 100)]
  total = 0
  do k = 1, 3
    call square (a, t)
  end do
  do concurrent (i = 1:100) shared (a) reduce (+: total)
    total = total + int (a(i) / 10)
  end do
  print *, total, t
end program
! calls squares::square = 3; trips squares::square = 300

! shapes.f90 - Fortran's loops.
! SPDX-License-Identifier: GPL-3.0-or-later
program shapes
  implicit none
  integer :: n, i, j, k
  integer, volatile :: m = 20
  real :: a(20, 20), b(20)
  n = 20
  call fill (a, b, n)
  k = 0
  do i = 1, n                                   ! loop = 1 20
     do j = i, n, 3; a(j, i) = a(j, i) + b(i); k = k + 1; end do        ! loop = 20 77
  end do
  do i = n, 1, -1                               ! loop = 1 15
     if (mod (i, 2) == 0) cycle
     if (i < 7) exit
     k = k + i
  end do
  do while (k > 100)                            ! loop = 1 2
     k = k - 50
  end do
  do i = n + 1, m                               ! loop = 1 0
     k = k + i
  end do
  print *, k, sum (a) > 0                       ! loop = 21 420
contains
  subroutine fill (x, y, m)
    integer, intent (in) :: m
    real, intent (out) :: x(m, m), y(m)
    integer :: p
    x = 1.0                                     ! loop = 21 420
    do p = 1, m                                 ! loop = 1 20
       y(p) = p
    end do
  end subroutine fill
end program shapes

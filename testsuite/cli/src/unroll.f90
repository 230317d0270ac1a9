! unroll.f90 - loops of Fortran, for unroll directives.
! SPDX-License-Identifier: GPL-3.0-or-later
subroutine s (a, b, n)
  integer :: n, i, j
  real :: a(n), b(n, n)
  do i = 1, n
     a(i) = a(i) + 1 ! 'quoted
  end do
  b = b * 2
  i = 1
  do while (i < n)
    a(i) = 1; i = i + 2
  end do
  outer: do i = 1, &
      n
    do j = 1, n, 2
      b(i,j) = a(i)
    end do
  end do outer
end

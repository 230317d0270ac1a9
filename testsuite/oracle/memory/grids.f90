! grids.f90 - nests over arrays whose bounds and strides the compiler does not know, triangles,
! steps down.
! SPDX-License-Identifier: GPL-3.0-or-later
module grids
  implicit none
contains
  subroutine relax (a, b, n, m)
    integer, intent (in) :: n, m
    double precision, intent (inout) :: a(:, :), b(:, :)
    integer :: i, j
    do j = 2, m - 1
       do i = 2, n - 1
          b(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
       end do
    end do
    a(2:n - 1, 2:m - 1) = b(2:n - 1, 2:m - 1)
  end subroutine relax

  subroutine solve (a, x, n)
    integer, intent (in) :: n
    double precision, intent (in) :: a(n, n)
    double precision, intent (inout) :: x(n)
    integer :: i, j
    do i = 1, n
       do j = 1, i - 1
          x(i) = x(i) - a(i, j) * x(j)
       end do
       x(i) = x(i) / (1.0d0 + abs (a(i, i)))
    end do
    do i = n, 1, -1
       do j = i + 1, n
          x(i) = x(i) - a(i, j) * x(j) * 0.01d0
       end do
    end do
  end subroutine solve
end module grids

program main
  use grids
  implicit none
  double precision :: a(20, 24), b(20, 24), c(9, 9), x(9)
  integer :: i, j
  do j = 1, 24
     do i = 1, 20
        a(i, j) = mod (i * j, 7)
        b(i, j) = i - j
     end do
  end do
  call relax (a, b, 20, 24)
  call relax (a(1:20:2, ::3), b(2:20:2, 2::3), 10, 8)
  call relax (a, b, 2, 24)
  c = a(3:11, 5:13)
  x = c(:, 2)
  call solve (c, x, 9)
  call solve (c, x, 1)
  print '(f12.6)', sum (a) + sum (b) + sum (x)
end program main

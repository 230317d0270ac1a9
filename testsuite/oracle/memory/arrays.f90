! arrays.f90 - allocatable arrays, pointers, sections, assumed shapes, common blocks.
! SPDX-License-Identifier: GPL-3.0-or-later
module work
  real(8), allocatable :: x(:, :)
  type item
    integer :: key
    real(8), pointer :: p(:)
  end type
contains
  subroutine smooth (a, n)
    integer :: n, i
    real(8) :: a(:)
    do i = 2, n - 1
      a(i) = a(i - 1) + a(i + 1)
    end do
  end subroutine
end module
program arrays
  use work
  type(item) :: q
  integer :: i, j
  real(8) :: y(10), w(6, 6)
  common /block/ z(10)
  allocate (x(5, 6))
  allocate (q%p(4))
  q%key = 3
  y = 1
  z = 2
  do j = 1, 6
    do i = 1, 5
      x(i, j) = i * j
      w(i, j) = i - j
    end do
  end do
  do i = 1, 4
    q%p(i) = x(i, i) + y(i) + z(i)
  end do
  x(:, 2) = x(:, 3) + w(1:5, 4)
  call smooth (y, 10)
  call smooth (x(2, :), 6)
  print *, sum (x), sum (q%p), y(3), matmul (w(1:2, 1:2), w(3:4, 3:4))
end program

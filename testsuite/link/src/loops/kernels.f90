! kernels.f90 - loops in Fortran; for loops.sh and hints.sh.
! SPDX-License-Identifier: GPL-3.0-or-later
module kernels
contains
  subroutine smooth (a, b, n)
    integer, intent (in) :: n
    real (8), intent (inout) :: a(n)
    real (8), intent (in) :: b(n)
    integer :: i
    do i = 2, n - 1 !LOOP
      a(i) = (b(i - 1) + b(i) * 2 + b(i + 1)) / (a(i) + 1)
    end do
  end subroutine
  integer function steps (n)
    integer, intent (in) :: n
    integer :: m
    m = n
    steps = 0
    do while (m > 1)
      m = merge (m / 2, 3 * m + 1, mod (m, 2) == 0)
      steps = steps + 1
    end do
  end function
end module
program main
  use kernels
  real (8) :: a(200), b(200), c(20, 20)
  integer :: i, j
  a = 1
  b = [(i * 0.5d0, i = 1, 200)]
  do j = 1, 20
    do i = 1, 20
      c(i, j) = i + j
    end do
  end do
  call smooth (a, b, 200)
  if (steps (27) /= 111 .or. sum (a) < 0 .or. sum (c) < 0) stop 1
end program

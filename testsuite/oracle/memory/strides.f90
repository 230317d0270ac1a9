! strides.f90 - sections with steps of every sign, loops that count down, while and exit and cycle,
! arrays of unknown shape.
! SPDX-License-Identifier: GPL-3.0-or-later
module strides
contains
  subroutine scale (a, b, s)
    real(8) :: a(:), b(:), s
    integer :: i
    do i = size (a), 1, -1
      a(i) = a(i) * s + b(i)
    end do
  end subroutine
  integer function search (a, n, x)
    integer :: n, x, a(n), i
    search = 0
    do i = 1, n
      if (a(i) == x) then
        search = i
        exit
      end if
      if (mod (i, 4) == 0) cycle
      search = search + 1
    end do
  end function
  subroutine update (c, n, m, k)
    integer :: n, m, k, i, j
    real(8) :: c(n, m)
    do j = 1, m
      do i = 1, n, k
        c(i, j) = c(i, j) + c(n + 1 - i, j)
      end do
      c(:, j) = c(:, m + 1 - j) * 0.5d0
    end do
  end subroutine
end module
program main
  use strides
  real(8) :: a(60), b(60), c(9, 7)
  integer :: k(30), i, n
  a = 1
  b = (/ (i, i = 1, 60) /)
  k = (/ (mod (i * 11, 31), i = 1, 30) /)
  c = 2
  call scale (a, b, 0.5d0)
  call scale (a(1:60:7), b(60:1:-7), 2d0)
  call scale (a(10:9), b(10:9), 2d0)
  call scale (a(5:5), b(6:6), 3d0)
  call update (c, 9, 7, 1)
  call update (c, 9, 7, 2)
  call update (c, 3, 21, 5)
  n = 0
  do while (n < 30 .and. k(n + 1) /= 20)
    n = n + 1
  end do
  print *, sum (a), sum (c), n, search (k, 30, 7), search (k, 30, 99), search (k, 0, 1)
end program

! penta.f90 - scalar pentadiagonal systems along each of three directions of a grid, as solvers of
! implicit steps have them.
! SPDX-License-Identifier: GPL-3.0-or-later
program penta
  implicit none
  integer, parameter :: dp = kind (1d0), n = 48
  real (dp) :: u(n, n, n), line(n)
  integer :: rounds, k, i, j
  character (len=20) :: word
  rounds = 1
  if (command_argument_count () > 0) then
    call get_command_argument (1, word)
    read (word, *) rounds
  end if
  u = 1
  do k = 1, rounds
    do j = 1, n
      do i = 1, n
        call solve (u(:, i, j))
      end do
    end do
    do j = 1, n
      do i = 1, n
        line = u(i, :, j)
        call solve (line)
        u(i, :, j) = line
      end do
    end do
    do j = 1, n
      do i = 1, n
        line = u(i, j, :)
        call solve (line)
        u(i, j, :) = line
      end do
    end do
  end do
  print '(es20.12)', sum (u)
contains
  ! The system with 1 in the outer, -4 in the inner neighbours and 7 on the diagonal; the right side
  ! becomes the solution.
  subroutine solve (b)
    real (dp), intent (inout) :: b(n)
    real (dp) :: d(n), e(n), f
    integer :: i
    d = 7
    e = -4
    do i = 1, n - 2
      f = e(i) / d(i)
      d(i + 1) = d(i + 1) - f * e(i)
      e(i + 1) = e(i + 1) - f
      b(i + 1) = b(i + 1) - f * b(i)
      f = 1 / d(i)
      d(i + 2) = d(i + 2) - f
      b(i + 2) = b(i + 2) - f * b(i)
    end do
    f = e(n - 1) / d(n - 1)
    b(n) = (b(n) - f * b(n - 1)) / (d(n) - f * e(n - 1))
    b(n - 1) = (b(n - 1) - e(n - 1) * b(n)) / d(n - 1)
    do i = n - 2, 1, -1
      b(i) = (b(i) - e(i) * b(i + 1) - b(i + 2)) / d(i)
    end do
  end subroutine solve
end program penta

! lu.f90 - equations solved by factors with pivots, right looking.
! SPDX-License-Identifier: GPL-3.0-or-later
module equations
  implicit none
  integer, parameter :: dp = kind (1.0d0)
contains
  subroutine factor (a, pivot)
    real (dp), intent (inout) :: a(:, :)
    integer, intent (out) :: pivot(:)
    integer :: i, j, k, n, best
    real (dp) :: t
    n = size (a, 1)
    do k = 1, n
      best = k
      do i = k + 1, n
        if (abs (a(i, k)) > abs (a(best, k))) best = i
      end do
      pivot(k) = best
      if (best /= k) then
        do j = 1, n
          t = a(k, j)
          a(k, j) = a(best, j)
          a(best, j) = t
        end do
      end if
      do i = k + 1, n
        a(i, k) = a(i, k) / a(k, k)
      end do
      do j = k + 1, n
        do i = k + 1, n
          a(i, j) = a(i, j) - a(i, k) * a(k, j)
        end do
      end do
    end do
  end subroutine factor

  subroutine solve (a, pivot, x)
    real (dp), intent (in) :: a(:, :)
    integer, intent (in) :: pivot(:)
    real (dp), intent (inout) :: x(:)
    integer :: i, j, n
    real (dp) :: t
    n = size (x)
    do j = 1, n
      t = x(pivot(j))
      x(pivot(j)) = x(j)
      x(j) = t
    end do
    do j = 1, n
      do i = j + 1, n
        x(i) = x(i) - a(i, j) * x(j)
      end do
    end do
    do j = n, 1, -1
      x(j) = x(j) / a(j, j)
      do i = 1, j - 1
        x(i) = x(i) - a(i, j) * x(j)
      end do
    end do
  end subroutine solve
end module equations

program lu
  use equations
  implicit none
  integer, parameter :: n = 300
  real (dp) :: a(n, n), x(n)
  integer :: pivot(n), i, j, k, rounds
  character (len = 20) :: word
  rounds = 1
  if (command_argument_count () > 0) then
    call get_command_argument (1, word)
    read (word, *) rounds
  end if
  x = 1
  do k = 1, rounds
    do j = 1, n
      do i = 1, n
        a(i, j) = mod (i * 37 + j * 101 + k, 64) / 64.0_dp
      end do
      a(j, j) = a(j, j) + mod (j, 7) * 9
    end do
    call factor (a, pivot)
    call solve (a, pivot, x)
    x = x / maxval (abs (x)) + 0.5_dp
  end do
  print '(es18.9)', sum (x)
end program lu

! lu.f90 - LU decomposition with pivoting in the old manner: fixed arrays, common work, computed
! branches, arithmetic on subarrays.
! SPDX-License-Identifier: GPL-3.0-or-later
program lu
  implicit none
  integer, parameter :: n = 90
  real(8) :: a(n, n), x(n), b(n)
  integer :: pivot(n), round, rounds
  character(len=32) :: argument
  rounds = 2
  if (command_argument_count() > 0) then
    call get_command_argument(1, argument)
    read (argument, *) rounds
  end if
  do round = 1, rounds
    call fill(a, b, n, round)
    call decompose(a, pivot, n)
    call solve(a, pivot, b, x, n)
    print '(i4, 3f14.8)', round, x(1), x(n / 2), x(n)
  end do
contains
  subroutine fill (a, b, n, seed)
    integer, intent(in) :: n, seed
    real(8), intent(out) :: a(n, n), b(n)
    integer :: i, j, s
    s = seed
    do j = 1, n
      b(j) = j
      do i = 1, n
        s = mod(s * 421 + 1663, 7875)
        a(i, j) = s / 7875d0 - 0.5d0
        if (i == j) a(i, j) = a(i, j) + 2
      end do
    end do
  end subroutine fill

  subroutine decompose (a, pivot, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n)
    integer, intent(out) :: pivot(n)
    integer :: k, p
    real(8) :: row(n)
    do k = 1, n
      p = k - 1 + maxloc(abs(a(k:n, k)), 1)
      pivot(k) = p
      if (p /= k) then
        row = a(k, :)
        a(k, :) = a(p, :)
        a(p, :) = row
      end if
      call eliminate(a, k, n)
    end do
  end subroutine decompose

  subroutine eliminate (a, k, n)
    integer, intent(in) :: k, n
    real(8), intent(inout) :: a(n, n)
    integer :: i, j
    do i = k + 1, n
      a(i, k) = a(i, k) / a(k, k)
    end do
    do j = k + 1, n
      do i = k + 1, n
        a(i, j) = a(i, j) - a(i, k) * a(k, j)
      end do
    end do
  end subroutine eliminate

  subroutine solve (a, pivot, b, x, n)
    integer, intent(in) :: n, pivot(n)
    real(8), intent(in) :: a(n, n), b(n)
    real(8), intent(out) :: x(n)
    real(8) :: t
    integer :: i
    x = b
    do i = 1, n
      if (pivot(i) /= i) then
        t = x(i)
        x(i) = x(pivot(i))
        x(pivot(i)) = t
      end if
    end do
    do i = 2, n
      x(i) = x(i) - dot_product(a(i, 1:i - 1), x(1:i - 1))
    end do
    do i = n, 1, -1
      x(i) = (x(i) - dot_product(a(i, i + 1:n), x(i + 1:n))) / a(i, i)
    end do
  end subroutine solve
end program lu

! verdicts.f90 - loops in Fortran of which it is known what keeps their iterations in order; see
! testsuite/oracle/verdicts.
! SPDX-License-Identifier: GPL-3.0-or-later
module loops
  implicit none
  integer, parameter :: n = 64
  real(8) :: a(n), b(n), c(n), m(n, n), total
  integer :: keys(n), bins(8)
contains
  subroutine scale(x, y, k)
    integer, intent(in) :: k
    real(8), intent(out) :: x(k)
    real(8), intent(in) :: y(k)
    integer :: i
    do i = 1, k ! IS parallel
      x(i) = 2 * y(i)
    end do
  end subroutine
  real(8) function sum_up(x, k)
    integer, intent(in) :: k
    real(8), intent(in) :: x(:)
    integer :: i
    real(8) :: s
    s = 0
    do i = 1, k ! IS parallel after: reduction of s (+)
      s = s + x(i)
    end do
    sum_up = s
  end function
  subroutine to_total(k)
    integer, intent(in) :: k
    integer :: i
    do i = 1, k ! IS parallel after: reduction of total (+)
      total = total + b(i)
    end do
  end subroutine
  subroutine histogram(k)
    integer, intent(in) :: k
    integer :: i
    do i = 1, k ! IS parallel after: reduction of
      bins(keys(i)) = bins(keys(i)) + 1
    end do
  end subroutine
  subroutine previous(k)
    integer, intent(in) :: k
    integer :: i
    do i = 2, k ! IS carried, distance 1
      a(i) = a(i - 1) / 2 + b(i)
    end do
  end subroutine
  subroutine temporary(k)
    integer, intent(in) :: k
    integer :: i, j
    real(8) :: t
    do i = 1, k ! IS parallel after: private t
      do j = 1, k ! IS parallel after: private t
        t = b(i) + b(j)
        m(j, i) = t * t
      end do
    end do
  end subroutine
  subroutine columns(k)
    integer, intent(in) :: k
    integer :: i, j
    do j = 2, k ! IS carried, distance 1
      do i = 1, k ! IS parallel
        m(i, j) = m(i, j - 1) + 1
      end do
    end do
  end subroutine
  integer function find(k)
    integer, intent(in) :: k
    integer :: i
    find = 0
    do i = 1, k ! IS serial: may leave it
      if (keys(i) == 5) exit
      find = i
    end do
  end function
  subroutine prints(k)
    integer, intent(in) :: k
    integer :: i
    do i = 1, k, 32 ! IS unknown: input or output AT -O1: gone AT -O2: gone AT -O3: gone
      print *, keys(i)
    end do
  end subroutine
end module

program verdicts
  use loops
  implicit none
  integer :: i
  do i = 1, n
    b(i) = mod(i, 7)
    keys(i) = 1 + mod(i * 5, 8)
  end do
  call scale(c, b, n)
  total = sum_up(b, n)
  call to_total(n)
  call histogram(n)
  call previous(n)
  call temporary(n)
  call columns(n)
  call prints(find(n) + n)
  print '(3f14.4)', sum(m), total, sum(a) + sum(bins)
end program

! scalars.f90 - loops in Fortran whose scalars are known by construction; see compile/scalars.
! SPDX-License-Identifier: GPL-3.0-or-later
module work
  implicit none
  real(8) :: common_sum
contains
  function dot (a, b, n) result (s)
    integer, intent (in) :: n
    real(8), intent (in) :: a(n), b(n)
    real(8) :: s
    integer :: i
    s = 0
    do i = 1, n                     ! LOOP canonical IS s reduction + oa; i induction 1 c
      s = s + a(i) * b(i)
    end do
  end function

  function largest (a, n) result (m)
    integer, intent (in) :: n
    real(8), intent (in) :: a(n)
    real(8) :: m
    integer :: i
    m = a(1)
    do i = 2, n                     ! LOOP canonical IS m reduction max a; i induction 1 c
      m = max (m, a(i))
    end do
  end function

  subroutine recurrence (a, n, factor)
    integer, intent (in) :: n
    real(8), intent (inout) :: a(n)
    real(8), intent (in) :: factor
    real(8) :: x
    integer :: i
    x = 1
    do i = 1, n                     ! LOOP canonical IS x carried - -; i induction 1 c
      x = x * factor + 1            ! IS factor shared - -
      a(i) = x
    end do
  end subroutine

  subroutine temporary (a, b, n)
    integer, intent (in) :: n
    real(8), intent (in) :: a(n)
    real(8), intent (out) :: b(n)
    real(8) :: t
    integer :: i
    do i = 1, n                     ! LOOP canonical IS t private - -; i induction 1 c
      t = sqrt (a(i))
      b(i) = t + t * t
    end do
  end subroutine

  subroutine to_argument (a, n, s)
    integer, intent (in) :: n
    real(8), intent (in) :: a(n)
    real(8), intent (inout) :: s
    integer :: i
    do i = 1, n                     ! LOOP canonical IS s shared - w; i induction 1 c
      s = s + a(i)                  ! UPDATES + o
    end do
  end subroutine

  subroutine to_module (a, n)
    integer, intent (in) :: n
    real(8), intent (in) :: a(n)
    integer :: i
    do i = 1, n, 3; common_sum = common_sum + a(i); end do  ! LOOP canonical IS i induction 3 -
                                    ! IS common_sum shared - w
                                    ! UPDATES + o
  end subroutine

  function sorted (a, n) result (ok)
    integer, intent (in) :: n
    integer, intent (in) :: a(n)
    logical :: ok
    integer :: i
    ok = .true.
    do i = 2, n                     ! LOOP canonical IS ok reduction && a; i induction 1 c
      ok = ok .and. a(i - 1) <= a(i)
    end do
  end function

  integer function first (a, n, x)
    integer, intent (in) :: n, x
    integer, intent (in) :: a(n)
    integer :: i
    first = 0
    do i = 1, n                     ! LOOP break:+1 IS i induction 1 ca
      if (a(i) == x) then           ! IS x shared - -
        first = i
        exit
      end if
    end do
  end function

  subroutine halve (x, steps)
    real(8), intent (in) :: x
    integer, intent (out) :: steps
    real(8) :: y
    steps = 0
    y = x
    do while (y > 1)                ! LOOP uncounted IS y carried - -; steps shared - w
      y = y / 2
      steps = steps + 1             ! UPDATES + -
    end do
  end subroutine

  subroutine table (a, n)
    integer, intent (in) :: n
    real(8), intent (out) :: a(n, n)
    integer :: i, j
    do j = 1, n                     ! LOOP canonical IS j induction 1 c; i private - -; n shared - -
      do i = 1, n                   ! LOOP canonical IS i induction 1 c
        a(i, j) = i * j
      end do
    end do
  end subroutine

  subroutine show (a, n)
    integer, intent (in) :: n
    integer, intent (in) :: a(n)
    integer :: i
    do i = 1, n                     ! LOOP canonical IS i induction 1 cwe
      print *, a(i), i              ! CALLS _gfortran_st_write io; CALLS _gfortran_st_write_done io
                                    ! CALLS _gfortran_transfer_integer_write io
    end do
  end subroutine
end module

! stencil.f90 - derived types, module procedures, allocatable arrays, a recursive function, select
! case, array expressions.
! SPDX-License-Identifier: GPL-3.0-or-later
module fields
  implicit none
  type :: field
    integer :: n = 0
    real(8), allocatable :: v(:, :)
  contains
    procedure :: start => field_start
    procedure :: residual => field_residual
  end type field
contains
  subroutine field_start (self, n)
    class(field), intent(inout) :: self
    integer, intent(in) :: n
    integer :: i, j
    self%n = n
    allocate (self%v(0:n + 1, 0:n + 1))
    self%v = 0
    do j = 0, n + 1
      do i = 0, n + 1
        if (i == 0 .or. j == n + 1) then
          self%v(i, j) = 1
        else if (mod(i * j, 7) == 3) then
          self%v(i, j) = 0.5d0
        end if
      end do
    end do
  end subroutine field_start

  function field_residual (self, other) result (r)
    class(field), intent(in) :: self, other
    real(8) :: r
    r = maxval(abs(self%v - other%v))
  end function field_residual

  subroutine relax (from, into)
    type(field), intent(in) :: from
    type(field), intent(inout) :: into
    integer :: i, j
    do j = 1, from%n
      do i = 1, from%n
        into%v(i, j) = 0.25d0 * (from%v(i - 1, j) + from%v(i + 1, j) + from%v(i, j - 1) + from%v(i, j + 1))
      end do
    end do
  end subroutine relax

  recursive integer function ackermann (m, n) result (r)
    integer, intent(in) :: m, n
    if (m == 0) then
      r = n + 1
    else if (n == 0) then
      r = ackermann(m - 1, 1)
    else
      r = ackermann(m - 1, ackermann(m, n - 1))
    end if
  end function ackermann

  integer function classify (i)
    integer, intent(in) :: i
    select case (mod(i, 10))
    case (0)
      classify = 1
    case (1:3)
      classify = 2
    case (5, 7)
      classify = 3
    case default
      classify = 4
    end select
  end function classify
end module fields

program stencil
  use fields
  implicit none
  type(field) :: a, b
  integer :: i, steps, kinds(4), scale
  character(len=32) :: argument
  scale = 1
  if (command_argument_count() > 0) then
    call get_command_argument(1, argument)
    read (argument, *) scale
  end if
  call a%start(60)
  call b%start(60)
  steps = 0
  do
    call relax(a, b)
    call relax(b, a)
    steps = steps + 2
    if (a%residual(b) < 1d-3 .or. steps > 40 * scale) exit
  end do
  kinds = 0
  do i = 1, 1000 * scale
    kinds(classify(i)) = kinds(classify(i)) + 1
  end do
  print '(i6, 4i7, i7, f12.6)', steps, kinds, ackermann(2, 40), sum(a%v) / 1000
end program stencil

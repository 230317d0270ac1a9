! spmv.f90 - a sparse matrix with columns at random times a vector.
! SPDX-License-Identifier: GPL-3.0-or-later
module work
  implicit none
  integer (8) :: seed = 1
  integer, parameter :: rows = 131072, each = 16, columns = 1048576
  integer :: first(rows + 1), column(rows * each)
  real (8) :: val(rows * each), x(columns), y(rows)
contains
  ! Return the next number at random below N.
  integer function draw (n)
    integer, intent (in) :: n
    seed = mod (seed * 1103515245_8 + 12345_8, 2147483648_8)
    draw = int (mod (seed / 64, int (n, 8)))
  end function draw

  subroutine multiply ()
    integer :: i, j
    real (8) :: s
    do i = 1, rows
      s = 0
      do j = first(i), first(i + 1) - 1
        s = s + val(j) * x(column(j))
      end do
      y(i) = s
    end do
  end subroutine multiply
end module work

program spmv
  use work
  implicit none
  integer :: i
  real (8) :: total
  integer :: rounds, r
  character (len = 20) :: word
  rounds = 1
  if (command_argument_count () > 0) then
    call get_command_argument (1, word)
    read (word, *) rounds
  end if
  total = 0
  do i = 1, rows * each
    column(i) = draw (columns) + 1
    val(i) = mod (i, 7)
  end do
  do i = 1, rows + 1
    first(i) = (i - 1) * each + 1
  end do
  do i = 1, columns
    x(i) = mod (i, 11)
  end do
  do r = 1, rounds
    call multiply ()
    total = total + y(mod (r, rows) + 1)
    x(mod (r, columns) + 1) = x(mod (r, columns) + 1) + 1
  end do
  print '(i0)', nint (total, 8)
end program spmv

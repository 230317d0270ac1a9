! countsort.f90 - counting sort of integers.
! SPDX-License-Identifier: GPL-3.0-or-later
module work
  implicit none
  integer (8) :: seed = 1
  integer, parameter :: n = 2097152, range = 4194304
  integer :: key(n), counts(range), place(n)
contains
  ! Return the next number at random below N.
  integer function draw (n)
    integer, intent (in) :: n
    seed = mod (seed * 1103515245_8 + 12345_8, 2147483648_8)
    draw = int (mod (seed / 64, int (n, 8)))
  end function draw

  subroutine count_keys ()
    integer :: i
    do i = 1, n
      counts(key(i)) = counts(key(i)) + 1
    end do
  end subroutine count_keys

  subroutine rank_keys ()
    integer :: i
    do i = 1, n
      place(i) = counts(key(i))
    end do
  end subroutine rank_keys
end module work

program countsort
  use work
  implicit none
  integer :: i
  integer (8) :: total
  integer :: rounds, r
  character (len = 20) :: word
  rounds = 1
  if (command_argument_count () > 0) then
    call get_command_argument (1, word)
    read (word, *) rounds
  end if
  total = 0
  do r = 1, rounds
    do i = 1, n
      key(i) = draw (range) + 1
    end do
    counts = 0
    call count_keys ()
    do i = 2, range
      counts(i) = counts(i) + counts(i - 1)
    end do
    call rank_keys ()
    total = total + sum (int (place(1:n:1023), 8))
  end do
  print '(i0)', total
end program countsort

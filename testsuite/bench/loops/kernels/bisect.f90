! bisect.f90 - bisection for sorted queries, all of them one step after another.
! SPDX-License-Identifier: GPL-3.0-or-later
module work
  implicit none
  integer (8) :: seed = 1
  integer, parameter :: n = 4194304, queries = 65536
  integer :: table(n), query(queries), place(queries)
contains
  ! Return the next number at random below N.
  integer function draw (n)
    integer, intent (in) :: n
    seed = mod (seed * 1103515245_8 + 12345_8, 2147483648_8)
    draw = int (mod (seed / 64, int (n, 8)))
  end function draw

  subroutine step (half)
    integer, intent (in) :: half
    integer :: i
    do i = 1, queries
      if (table(place(i) + half) < query(i)) place(i) = place(i) + half
    end do
  end subroutine step
end module work

program bisect
  use work
  implicit none
  integer :: i, half
  integer (8) :: total
  integer :: rounds, r
  character (len = 20) :: word
  rounds = 1
  if (command_argument_count () > 0) then
    call get_command_argument (1, word)
    read (word, *) rounds
  end if
  total = 0
  do i = 1, n
    table(i) = i * 3
  end do
  do r = 1, rounds
    do i = 1, queries
      query(i) = i * (3 * n / queries) + r
    end do
    place = 0
    half = n / 2
    do while (half > 0)
      call step (half)
      half = half / 2
    end do
    total = total + sum (int (place(1:queries:17), 8))
  end do
  print '(i0)', total
end program bisect

! join.f90 - probe a hash table with keys at random.
! SPDX-License-Identifier: GPL-3.0-or-later
module work
  implicit none
  integer (8) :: seed = 1
  integer, parameter :: slots = 2097152, probes = 2097152
  integer :: keys(0:slots - 1), vals(0:slots - 1), probe(probes)
contains
  ! Return the next number at random below N.
  integer function draw (n)
    integer, intent (in) :: n
    seed = mod (seed * 1103515245_8 + 12345_8, 2147483648_8)
    draw = int (mod (seed / 64, int (n, 8)))
  end function draw

  integer (8) function joined ()
    integer :: i, at
    joined = 0
    do i = 1, probes
      at = iand (ieor (probe(i) * 40503, ishft (probe(i), -7)), slots - 1)
      if (keys(at) == probe(i)) joined = joined + vals(at)
    end do
  end function joined
end module work

program join
  use work
  implicit none
  integer :: i, at
  integer (8) :: total
  integer :: rounds, r
  character (len = 20) :: word
  rounds = 1
  if (command_argument_count () > 0) then
    call get_command_argument (1, word)
    read (word, *) rounds
  end if
  total = 0
  keys = 0
  vals = 0
  do i = 1, 40000
    at = iand (ieor (i * 40503, ishft (i, -7)), slots - 1)
    keys(at) = i
    vals(at) = mod (i, 1000)
  end do
  do r = 1, rounds
    do i = 1, probes
      probe(i) = draw (50000) + 1
    end do
    total = total + joined ()
  end do
  print '(i0)', total
end program join

! graph.f90 - walk a graph of edges at random by breadth.
! SPDX-License-Identifier: GPL-3.0-or-later
module work
  implicit none
  integer (8) :: seed = 1
  integer, parameter :: nodes = 524288, each = 8
  integer :: edge(each, nodes), level(nodes), now(nodes), following(nodes)
contains
  ! Return the next number at random below N.
  integer function draw (n)
    integer, intent (in) :: n
    seed = mod (seed * 1103515245_8 + 12345_8, 2147483648_8)
    draw = int (mod (seed / 64, int (n, 8)))
  end function draw

  integer function visit (n, depth)
    integer, intent (in) :: n, depth
    integer :: i, j, to
    visit = 0
    do i = 1, n
      do j = 1, each
        to = edge(j, now(i))
        if (level(to) == 0) then
          level(to) = depth
          visit = visit + 1
          following(visit) = to
        end if
      end do
    end do
  end function visit
end module work

program graph
  use work
  implicit none
  integer :: i, j, n, depth
  integer (8) :: total
  integer :: rounds, r
  character (len = 20) :: word
  rounds = 1
  if (command_argument_count () > 0) then
    call get_command_argument (1, word)
    read (word, *) rounds
  end if
  total = 0
  do i = 1, nodes
    do j = 1, each
      edge(j, i) = draw (nodes) + 1
    end do
  end do
  do r = 1, rounds
    level = 0
    now(1) = mod (r, nodes) + 1
    n = 1
    depth = 1
    do while (n > 0)
      n = visit (n, depth)
      now(1:n) = following(1:n)
      total = total + int (n, 8) * depth
      depth = depth + 1
    end do
  end do
  print '(i0)', total
end program graph

! householder.f90 - least squares by reflections.
! SPDX-License-Identifier: GPL-3.0-or-later
program householder
  implicit none
  integer, parameter :: dp = kind (1.0d0), rows = 420, columns = 200
  real (dp) :: a(rows, columns), b(rows), x(columns), total
  integer :: i, j, k, rounds
  character (len = 20) :: word
  rounds = 1
  if (command_argument_count () > 0) then
    call get_command_argument (1, word)
    read (word, *) rounds
  end if
  total = 0
  do k = 1, rounds
    do j = 1, columns
      do i = 1, rows
        a(i, j) = mod (i * i * j + 3 * i + k, 9973) / 5000.0_dp - 1
      end do
    end do
    do i = 1, rows
      b(i) = mod (i * 7, 23)
    end do
    call reduce
    call back_substitute
    total = total + sum (x)
  end do
  print '(es16.7)', total
contains
  subroutine reduce
    real (dp) :: v(rows), length, dot
    integer :: i, j, k
    do k = 1, columns
      length = 0
      do i = k, rows
        length = length + a(i, k) ** 2
      end do
      length = sign (sqrt (length), a(k, k))
      do i = k, rows
        v(i) = a(i, k)
      end do
      v(k) = v(k) + length
      do j = k, columns
        dot = 0
        do i = k, rows
          dot = dot + v(i) * a(i, j)
        end do
        dot = dot / (length * v(k))
        do i = k, rows
          a(i, j) = a(i, j) - dot * v(i)
        end do
      end do
      dot = 0
      do i = k, rows
        dot = dot + v(i) * b(i)
      end do
      dot = dot / (length * v(k))
      do i = k, rows
        b(i) = b(i) - dot * v(i)
      end do
    end do
  end subroutine reduce

  subroutine back_substitute
    integer :: i, j
    do j = columns, 1, -1
      x(j) = b(j) / a(j, j)
      do i = 1, j - 1
        b(i) = b(i) - a(i, j) * x(j)
      end do
    end do
  end subroutine back_substitute
end program householder

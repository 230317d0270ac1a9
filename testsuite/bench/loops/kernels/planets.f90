! planets.f90 - a sun and a few planets over a long time, velocity Verlet.
! SPDX-License-Identifier: GPL-3.0-or-later
program planets
  implicit none
  integer, parameter :: dp = kind (1.0d0), n = 9
  real (dp) :: x(3, n), v(3, n), a(3, n), m(n), dt
  integer :: steps, t, i
  character (len = 20) :: word
  steps = 1000
  if (command_argument_count () > 0) then
    call get_command_argument (1, word)
    read (word, *) steps
  end if
  dt = 1.0e-3_dp
  x = 0
  v = 0
  m(1) = 1
  do i = 2, n
    m(i) = 1.0e-4_dp * mod (i, 4)
    x(1 + mod (i, 2), i) = 0.4_dp * i
    x(3, i) = 0.01_dp * i
    v(2 - mod (i, 2), i) = (-1) ** i / sqrt (0.4_dp * i)
  end do
  call attract
  do t = 1, steps
    do i = 1, n
      v(:, i) = v(:, i) + 0.5_dp * dt * a(:, i)
      x(:, i) = x(:, i) + dt * v(:, i)
    end do
    call attract
    do i = 1, n
      v(:, i) = v(:, i) + 0.5_dp * dt * a(:, i)
    end do
  end do
  print '(2es18.9)', energy (), sum (x)
contains
  subroutine attract
    integer :: i, j
    real (dp) :: d(3), r2, pull
    a = 0
    do i = 1, n - 1
      do j = i + 1, n
        d = x(:, j) - x(:, i)
        r2 = d(1) ** 2 + d(2) ** 2 + d(3) ** 2
        pull = 1 / (r2 * sqrt (r2))
        a(:, i) = a(:, i) + m(j) * pull * d
        a(:, j) = a(:, j) - m(i) * pull * d
      end do
    end do
  end subroutine attract

  real (dp) function energy ()
    integer :: i, j
    energy = 0
    do i = 1, n
      energy = energy + 0.5_dp * m(i) * sum (v(:, i) ** 2)
      do j = i + 1, n
        energy = energy - m(i) * m(j) / sqrt (sum ((x(:, i) - x(:, j)) ** 2))
      end do
    end do
  end function energy
end program planets

! heat.f90 - the heat equation in three dimensions, seven points, explicit.
! SPDX-License-Identifier: GPL-3.0-or-later
program heat
  implicit none
  integer, parameter :: dp = kind (1.0d0), n = 72
  real (dp), allocatable :: u(:, :, :), v(:, :, :), k(:, :, :)
  integer :: t, steps
  character (len = 20) :: word
  steps = 1
  if (command_argument_count () > 0) then
    call get_command_argument (1, word)
    read (word, *) steps
  end if
  allocate (u(0:n + 1, 0:n + 1, 0:n + 1), v(0:n + 1, 0:n + 1, 0:n + 1), k(n, n, n))
  call prepare
  do t = 1, steps, 2
    call step (u, v)
    call step (v, u)
  end do
  print '(2es18.9)', sum (u), maxval (u(n / 8, :, :))
contains
  subroutine prepare
    integer :: i, j, l
    u = 0
    u(0, :, :) = 100
    v = u
    do l = 1, n
      do j = 1, n
        do i = 1, n
          k(i, j, l) = 0.1_dp + 0.05_dp * mod (i + 2 * j + 3 * l, 2)
        end do
      end do
    end do
  end subroutine prepare

  subroutine step (a, b)
    real (dp), intent (in) :: a(0:, 0:, 0:)
    real (dp), intent (inout) :: b(0:, 0:, 0:)
    integer :: i, j, l
    do l = 1, n
      do j = 1, n
        do i = 1, n
          b(i, j, l) = a(i, j, l) + k(i, j, l) * (a(i - 1, j, l) + a(i + 1, j, l) + a(i, j - 1, l) &
            + a(i, j + 1, l) + a(i, j, l - 1) + a(i, j, l + 1) - 6 * a(i, j, l))
        end do
      end do
    end do
  end subroutine step
end program heat

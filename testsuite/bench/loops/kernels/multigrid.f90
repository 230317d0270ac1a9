! multigrid.f90 - Poisson's equation in the plane: red and black points relaxed on ever coarser
! grids.
! SPDX-License-Identifier: GPL-3.0-or-later
module grids
  implicit none
  integer, parameter :: dp = kind (1.0d0)
contains
  subroutine relax (u, f, n, sweeps)
    integer, intent (in) :: n, sweeps
    real (dp), intent (inout) :: u(0:n, 0:n)
    real (dp), intent (in) :: f(0:n, 0:n)
    integer :: i, j, colour, s
    do s = 1, sweeps
      do colour = 0, 1
        do j = 1, n - 1
          do i = 1 + mod (j + colour, 2), n - 1, 2
            u(i, j) = 0.25_dp * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - f(i, j))
          end do
        end do
      end do
    end do
  end subroutine relax

  subroutine residual (u, f, r, n)
    integer, intent (in) :: n
    real (dp), intent (in) :: u(0:n, 0:n), f(0:n, 0:n)
    real (dp), intent (out) :: r(0:n, 0:n)
    integer :: i, j
    r = 0
    do j = 1, n - 1
      do i = 1, n - 1
        r(i, j) = f(i, j) - (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j))
      end do
    end do
  end subroutine residual

  subroutine restrict (r, c, n)
    integer, intent (in) :: n
    real (dp), intent (in) :: r(0:n, 0:n)
    real (dp), intent (out) :: c(0:n / 2, 0:n / 2)
    integer :: i, j
    c = 0
    do j = 1, n / 2 - 1
      do i = 1, n / 2 - 1
        c(i, j) = r(2 * i, 2 * j) &
          + 0.5_dp * (r(2 * i - 1, 2 * j) + r(2 * i + 1, 2 * j) + r(2 * i, 2 * j - 1) + r(2 * i, 2 * j + 1)) &
          + 0.25_dp * (r(2 * i - 1, 2 * j - 1) + r(2 * i + 1, 2 * j - 1) + r(2 * i - 1, 2 * j + 1) + r(2 * i + 1, 2 * j + 1))
      end do
    end do
  end subroutine restrict

  subroutine interpolate (c, u, n)
    integer, intent (in) :: n
    real (dp), intent (in) :: c(0:n / 2, 0:n / 2)
    real (dp), intent (inout) :: u(0:n, 0:n)
    integer :: i, j
    do j = 0, n / 2 - 1
      do i = 0, n / 2 - 1
        u(2 * i, 2 * j) = u(2 * i, 2 * j) + c(i, j)
        u(2 * i + 1, 2 * j) = u(2 * i + 1, 2 * j) + 0.5_dp * (c(i, j) + c(i + 1, j))
        u(2 * i, 2 * j + 1) = u(2 * i, 2 * j + 1) + 0.5_dp * (c(i, j) + c(i, j + 1))
        u(2 * i + 1, 2 * j + 1) = u(2 * i + 1, 2 * j + 1) + 0.25_dp * (c(i, j) + c(i + 1, j) + c(i, j + 1) + c(i + 1, j + 1))
      end do
    end do
  end subroutine interpolate

  recursive subroutine cycle_once (u, f, n)
    integer, intent (in) :: n
    real (dp), intent (inout) :: u(0:n, 0:n)
    real (dp), intent (in) :: f(0:n, 0:n)
    real (dp), allocatable :: r(:, :), c(:, :), e(:, :)
    if (n <= 4) then
      call relax (u, f, n, 20)
      return
    end if
    allocate (r(0:n, 0:n), c(0:n / 2, 0:n / 2), e(0:n / 2, 0:n / 2))
    call relax (u, f, n, 2)
    call residual (u, f, r, n)
    call restrict (r, c, n)
    e = 0
    call cycle_once (e, c, n / 2)
    call interpolate (e, u, n)
    call relax (u, f, n, 2)
  end subroutine cycle_once
end module grids

program multigrid
  use grids
  implicit none
  integer, parameter :: n = 256
  real (dp) :: u(0:n, 0:n), f(0:n, 0:n)
  integer :: i, j, k, cycles
  character (len = 20) :: word
  cycles = 1
  if (command_argument_count () > 0) then
    call get_command_argument (1, word)
    read (word, *) cycles
  end if
  u = 0
  do j = 0, n
    do i = 0, n
      f(i, j) = mod (i * 3 + j * 5, 9) - 4
    end do
  end do
  do k = 1, cycles
    if (mod (k, 10) == 0) u = 0
    call cycle_once (u, f, n)
  end do
  print '(2es18.9)', sum (abs (u)), u(n / 2, n / 2)
end program multigrid

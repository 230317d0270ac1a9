! lapack.f90 - equations, eigenvalues and singular values by the reference LAPACK.
! SPDX-License-Identifier: GPL-3.0-or-later
program solvers
  implicit none
  integer, parameter :: dp = kind (1.0d0)
  integer :: n, i, j
  real (dp), allocatable :: m(:, :)
  character (len = 20) :: word
  n = 100
  if (command_argument_count () > 0) then
    call get_command_argument (1, word)
    read (word, *) n
  end if
  allocate (m(n, n))
  do j = 1, n
    do i = 1, n
      m(i, j) = sin (real (i, dp) * j) / (1 + abs (i - j)) + merge (2, 0, i == j)
    end do
  end do
  call equations
  call eigenvalues
  call singular_values
contains
  subroutine equations
    real (dp) :: a(n, n), b(n, 4)
    integer :: pivot(n), info
    a = m
    b = 1
    call dgesv (n, 4, a, n, pivot, b, n, info)
    print '(a, i3, es16.7)', 'equations', info, sum (b)
  end subroutine equations

  subroutine eigenvalues
    real (dp) :: a(n, n), w(n), work(40 * n)
    integer :: info
    a = m + transpose (m)
    call dsyev ('V', 'U', n, a, n, w, work, size (work), info)
    print '(a, i3, 2es16.7)', 'eigenvalues', info, sum (abs (w)), w(n)
  end subroutine eigenvalues

  subroutine singular_values
    real (dp) :: a(n, n), s(n), u(n, n), vt(n, n), work(40 * n)
    integer :: info
    a = m
    call dgesvd ('A', 'A', n, n, a, n, s, u, n, vt, n, work, size (work), info)
    print '(a, i3, 2es16.7)', 'singular values', info, sum (s), s(1)
  end subroutine singular_values
end program solvers

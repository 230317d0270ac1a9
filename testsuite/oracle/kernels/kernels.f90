! kernels.f90 - loops, each kernel's on one line.
! SPDX-License-Identifier: GPL-3.0-or-later
module kernels
contains
subroutine axpy (a, x, y, n)
  integer, intent(in) :: n
  real(8), intent(in) :: a, x(n)
  real(8), intent(inout) :: y(n)
  integer :: i
  do i = 1, n; y(i) = y(i) + a * x(i); end do
end subroutine
function total (x, n) result (s)
  integer, intent(in) :: n, x(n)
  integer :: i, s
  s = 0
  do i = 1, n; s = s + x(i); end do
end function
subroutine clear (x, n)
  integer, intent(in) :: n
  real(8), intent(out) :: x(n)
  integer :: i
  do i = 1, n; x(i) = 0; end do
end subroutine
subroutine small (x)
  real(8), intent(inout) :: x(3)
  integer :: i
  do i = 1, 3; x(i) = x(i) / (x(i) + i); end do
end subroutine
subroutine strided (x, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(:)
  integer :: i
  do i = 1, n; x(i) = x(i) * 2; end do
end subroutine
subroutine recurrence (x, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i
  do i = 2, n; x(i) = x(i) + x(i - 1); end do
end subroutine
function first (x, n, what) result (k)
  integer, intent(in) :: n, what, x(n)
  integer :: k
  do k = 1, n; if (x(k) == what) exit; end do
end function
subroutine concurrently (x, y, n)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  integer :: i
  do concurrent (i = 2:n-1); y(i) = x(i-1) + x(i+1); end do
end subroutine
subroutine whole (x, y)
  real(8), intent(inout) :: x(:), y(:)
  x = x + 2 * y
end subroutine
end module

! prefetch.f90 - a loop that loads indirectly.
function gathered (n, b, a) result (s)
  implicit none
  integer, intent (in) :: n, b(n)
  real (8), intent (in) :: a(n)
  real (8) :: s
  integer :: i
  s = 0
  do i = 1, n
    s = s + a(b(i))
  end do
end function

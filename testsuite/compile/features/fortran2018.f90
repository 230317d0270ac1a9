! fortran2018.f90 - submodules, select rank, error stop with a condition's code, and an image of
! coarrays.
! gcc: 11
! flags: -fcoarray=single
! SPDX-License-Identifier: GPL-3.0-or-later
module shapes
  implicit none
  interface
    module subroutine total (x, s)
      real, intent (in) :: x(:)
      real, intent (out) :: s
    end subroutine
  end interface
contains
  function extent (x) result (n)
    real, intent (in) :: x(..)
    integer :: n
    select rank (x)
    rank (0)
      n = 1
    rank (1)
      n = size (x)
    rank default
      n = -1
    end select
  end function
end module

submodule (shapes) inner
contains
  module procedure total
    integer :: i
    s = 0
    do i = 1, size (x)
      s = s + x(i)
    end do
  end procedure
end submodule

program fortran2018
  use shapes
  use, intrinsic :: iso_fortran_env, only: team_type
  implicit none
  real :: a(10)[*], s, grid(2, 2)
  integer :: i
  a = 2.5
  grid = 0
  do i = 1, 7
    call total (a(:i), s)
  end do
  if (s < 0) error stop 3
  sync all
  print *, s, extent (a), extent (s), extent (grid), this_image ()
end program
! calls shapes::total = 7; calls shapes::extent = 3

! teams.f90 - teams of images, with one image.
! gcc: 16
! flags: -fcoarray=lib -lcaf_single
! SPDX-License-Identifier: GPL-3.0-or-later
module work
  implicit none
contains
  subroutine add (x, n)
    !GCC$ attributes noinline :: add
    integer, intent (inout) :: x
    integer, intent (in) :: n
    integer :: i
    do i = 1, n
      x = x + mod (x, 7) + i
    end do
  end subroutine
end module

program teams
  use work
  use, intrinsic :: iso_fortran_env, only: team_type
  implicit none
  type (team_type) :: half
  integer :: x, k
  x = 1
  form team (1, half)
  change team (half)
    do k = 1, 4
      call add (x, 10)
    end do
    sync team (half)
  end team
  print *, x, num_images ()
end program
! calls work::add = 4; trips work::add = 40

! cabprof.f90 - for Fortran programs that are profiled: cabprof/cabprof.h, which says what each procedure does.
! SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
!
! Compile it as a file of the program, with the plugin or without.  Its procedures have no probes.
! In a program that is not profiled nothing happens.
! IERR: 0: done; CABPROF_ABSENT: no runtime is there to do it; another negative number: nothing has
! changed.
module cabprof
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_intptr_t, c_char, c_null_char, &
    c_funptr, c_f_procpointer
  implicit none
  private
  public :: cabprof_pause, cabprof_resume, cabprof_flush, cabprof_snapshot
  public :: cabprof_region_begin, cabprof_region_end, cabprof_thread_name
  integer, parameter, public :: cabprof_absent = -38

  abstract interface
    function do_request (request, name) bind (c)
      import :: c_int, c_char
      integer (c_int), value :: request
      character (kind = c_char), intent (in) :: name(*)
      integer (c_int) :: do_request
    end function do_request
  end interface

contains

  subroutine call_runtime (request, name, ierr)
    integer, intent (in) :: request
    character (*), intent (in) :: name
    integer, optional, intent (out) :: ierr
    procedure (do_request), pointer :: p
    integer :: result
    ! struct cab_module of this executable or shared object.  Where no file of it was compiled with
    ! the plugin it is defined only here, and zero.
    integer (c_int), volatile :: abi, bytes
    integer (c_int64_t), volatile :: unused(8)
    integer (c_intptr_t), volatile :: control
    integer (c_int64_t), volatile :: rest(12)
    common /cabprof_module/ abi, bytes, unused, control, rest
    bind (c, name = "__cab_module") :: /cabprof_module/
    result = cabprof_absent
    if (bytes >= 80) then
      if (control /= 0) then
        call c_f_procpointer (transfer (control, mold()), p)
        result = p (int (request, c_int), trim (name) // c_null_char)
      end if
    end if
    if (present (ierr)) ierr = result
  end subroutine call_runtime

  pure function mold ()
    use, intrinsic :: iso_c_binding, only: c_null_funptr
    type (c_funptr) :: mold
    mold = c_null_funptr
  end function mold

  subroutine cabprof_pause (ierr)
    integer, optional, intent (out) :: ierr
    call call_runtime (1, "", ierr)
  end subroutine cabprof_pause

  subroutine cabprof_resume (ierr)
    integer, optional, intent (out) :: ierr
    call call_runtime (2, "", ierr)
  end subroutine cabprof_resume

  subroutine cabprof_flush (ierr)
    integer, optional, intent (out) :: ierr
    call call_runtime (3, "", ierr)
  end subroutine cabprof_flush

  subroutine cabprof_snapshot (name, ierr)
    character (*), intent (in) :: name
    integer, optional, intent (out) :: ierr
    call call_runtime (4, name, ierr)
  end subroutine cabprof_snapshot

  subroutine cabprof_region_begin (name, ierr)
    character (*), intent (in) :: name
    integer, optional, intent (out) :: ierr
    call call_runtime (5, name, ierr)
  end subroutine cabprof_region_begin

  subroutine cabprof_region_end (name, ierr)
    character (*), intent (in) :: name
    integer, optional, intent (out) :: ierr
    call call_runtime (6, name, ierr)
  end subroutine cabprof_region_end

  subroutine cabprof_thread_name (name, ierr)
    character (*), intent (in) :: name
    integer, optional, intent (out) :: ierr
    call call_runtime (7, name, ierr)
  end subroutine cabprof_thread_name
end module cabprof

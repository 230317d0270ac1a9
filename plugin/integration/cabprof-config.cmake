# cabprof-config.cmake - find_package (cabprof) for CMake 3.13 and newer.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   cabprof_instrument (TARGET [EVENTS EVENT...] [OPTIONS OPTION...] [STATIC])
#
# Compiles TARGET with probes.  EVENTS are those of the plugin's events= (paths, calls, loops,
# memory, values); OPTIONS are further options of the plugin, such as exclude=log_*.  STATIC links
# the runtime in, for programs that are linked with -static.
#
# Also defined: the imported target cabprof::cabprof with the directory of <cabprof/cabprof.h>;
# CABPROF_PLUGIN, the plugin's path.

get_filename_component (CABPROF_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set (CABPROF_PLUGIN "${CABPROF_PREFIX}/lib/cabprof.so")

if (NOT TARGET cabprof::cabprof)
  add_library (cabprof::cabprof INTERFACE IMPORTED)
  set_target_properties (cabprof::cabprof PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${CABPROF_PREFIX}/include")
endif ()

# Stop unless each enabled language that the plugin knows is compiled by GCC.
function (cabprof_check_compilers)
  get_property (languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  foreach (language IN ITEMS C CXX Fortran)
    if (language IN_LIST languages AND NOT CMAKE_${language}_COMPILER_ID STREQUAL "GNU")
      message (FATAL_ERROR "cabprof: the ${language} compiler is ${CMAKE_${language}_COMPILER_ID}: cabprof is a plugin of GCC: "
	"set CMAKE_${language}_COMPILER to GCC's")
    endif ()
  endforeach ()
endfunction ()

function (cabprof_instrument target)
  cmake_parse_arguments (PARSE_ARGV 1 cab "STATIC" "" "EVENTS;OPTIONS")
  if (cab_UNPARSED_ARGUMENTS OR NOT TARGET ${target})
    message (FATAL_ERROR "cabprof_instrument (${target} ${cab_UNPARSED_ARGUMENTS}): wrong arguments: "
      "cabprof_instrument (TARGET [EVENTS EVENT...] [OPTIONS OPTION...] [STATIC])")
  endif ()
  cabprof_check_compilers ()
  set (flags "-fplugin=${CABPROF_PLUGIN}")
  if (cab_EVENTS)
    string (REPLACE ";" "+" events "${cab_EVENTS}")
    list (APPEND flags "-fplugin-arg-cabprof-events=${events}")
  endif ()
  foreach (option IN LISTS cab_OPTIONS)
    list (APPEND flags "-fplugin-arg-cabprof-${option}")
  endforeach ()
  foreach (language IN ITEMS C CXX Fortran)
    target_compile_options (${target} PRIVATE "$<$<COMPILE_LANGUAGE:${language}>:${flags}>")
  endforeach ()
  target_link_libraries (${target} PRIVATE cabprof::cabprof)
  # Where the link compiles (-flto), probes of accesses are inserted there.
  target_link_options (${target} PRIVATE ${flags})
  if (cab_STATIC)
    target_link_libraries (${target} PRIVATE "-Wl,-u,cabprof_attach,-u,cabprof_detach,-u,cab_gthreads"
      "${CABPROF_PREFIX}/lib/libcabprof.a" -lpthread)
  endif ()
endfunction ()

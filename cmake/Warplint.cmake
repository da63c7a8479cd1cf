# warplint_enable(<target> [DENY <level>] [OPTIONS <option>...])
#
# Lints the CUDA sources of a target while they are compiled: 'warplint wrap'
# becomes the first compiler launcher of the target, before any other one such
# as ccache. Findings appear as warnings of the compiler, and each object gets a
# report beside it, which 'warplint collect' merges.
#
#   DENY     fail the build on findings of that level: certain, likely, opinion
#   OPTIONS  more options of 'warplint wrap', such as --compile=never
#
# Kokkos' own way, CUDA in C++ sources that nvcc_wrapper or Clang compiles, is
# linted too; other C++ sources are compiled straight away.

get_filename_component(_warplint_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_program(WARPLINT_EXECUTABLE warplint HINTS "${_warplint_prefix}/bin")
unset(_warplint_prefix)

function(warplint_enable target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "DENY" "OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warplint_enable has no '${ARG_UNPARSED_ARGUMENTS}'; it takes DENY and OPTIONS")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "warplint_enable: there is no target '${target}'")
  endif()
  if(NOT WARPLINT_EXECUTABLE)
    message(WARNING "warplint_enable: no warplint found, so '${target}' is not linted; WARPLINT_EXECUTABLE tells where it is")
    return()
  endif()
  set(launcher "${WARPLINT_EXECUTABLE}" wrap ${ARG_OPTIONS})
  if(ARG_DENY)
    list(APPEND launcher "--deny=${ARG_DENY}")
  endif()
  list(APPEND launcher --)
  # Before the compiler, and before a launcher that is there already.
  foreach(language CUDA CXX)
    get_target_property(former ${target} ${language}_COMPILER_LAUNCHER)
    set(all ${launcher})
    if(former)
      list(APPEND all ${former})
    endif()
    set_target_properties(${target} PROPERTIES ${language}_COMPILER_LAUNCHER "${all}")
  endforeach()
endfunction()

# warplint-portable: the objects of warplint, linked for systems from glibc 2.28
# on, without libstdc++ and libgcc. What is released is this program.
set(STUBS ${CMAKE_BINARY_DIR}/glibc-stubs)
add_custom_command(OUTPUT ${STUBS}/libc.so
  COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/packaging/glibc-stubs ${STUBS}
  DEPENDS packaging/glibc-stubs)
add_custom_target(glibc-stubs DEPENDS ${STUBS}/libc.so)

add_executable(warplint-portable EXCLUDE_FROM_ALL linter/main.cpp packaging/glibc_shim.c)
add_dependencies(warplint-portable glibc-stubs)
set_source_files_properties(packaging/glibc_shim.c PROPERTIES COMPILE_OPTIONS -fvisibility=hidden)
set_target_properties(warplint-portable PROPERTIES LINK_DEPENDS ${STUBS}/libc.so)
target_link_libraries(warplint-portable PRIVATE checks linter)
# An older glibc has the names of libpthread and libdl there, not in libc.
target_link_options(warplint-portable PRIVATE -s -L${STUBS} -static-libstdc++ -static-libgcc
  LINKER:--wrap=__libc_start_main
  LINKER:--push-state,--no-as-needed -lpthread -ldl LINKER:--pop-state)

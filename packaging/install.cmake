# What is installed, and what `cpack` and packaging/wheel pack. The program finds
# its files from its own place, so their folders below the prefix are fixed.
# Component `program` is for this machine, `portable` the same program for
# packages; the prefix has one of them.
include(CMakePackageConfigHelpers)

install(TARGETS warplint RUNTIME DESTINATION bin COMPONENT program)
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\"
  --target warplint-portable OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT portable EXCLUDE_FROM_ALL)
install(PROGRAMS $<TARGET_FILE:warplint-portable> DESTINATION bin RENAME warplint
  COMPONENT portable EXCLUDE_FROM_ALL)

# The manual page and the shells' completion scripts, which the program prints.
function(install_pages PROGRAM)
  foreach(PAGE "manual:man/man1:warplint.1" "completion bash:bash-completion/completions:warplint"
      "completion zsh:zsh/site-functions:_warplint" "completion fish:fish/vendor_completions.d:warplint.fish")
    string(REPLACE ":" ";" PAGE "${PAGE}")
    list(GET PAGE 0 WORDS)
    list(GET PAGE 1 FOLDER)
    list(GET PAGE 2 NAME)
    set(FILE ${CMAKE_BINARY_DIR}/pages/${FOLDER}/${NAME})
    separate_arguments(WORDS)
    list(JOIN WORDS "\" \"" WORDS)
    install(CODE "file(MAKE_DIRECTORY \"${CMAKE_BINARY_DIR}/pages/${FOLDER}\")
      execute_process(COMMAND \"${PROGRAM}\" \"${WORDS}\"
        OUTPUT_FILE \"${FILE}\" COMMAND_ERROR_IS_FATAL ANY)" ${ARGN})
    install(FILES ${FILE} DESTINATION share/${FOLDER} ${ARGN})
  endforeach()
endfunction()
install_pages($<TARGET_FILE:warplint> COMPONENT program)
install_pages($<TARGET_FILE:warplint-portable> COMPONENT portable EXCLUDE_FROM_ALL)

# The program's name where no option can stand, as in ccache's prefix_command.
install(PROGRAMS packaging/warplint-wrap DESTINATION bin COMPONENT files)

# Clang's own headers, without those of other languages and processors.
install(DIRECTORY ${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}/include
  DESTINATION share/warplint/clang COMPONENT files
  REGEX "/include/(fuzzer|orc|profile|sanitizer|xray)$" EXCLUDE
  REGEX "/include/(llvm_libc|llvm_offload|openmp|ppc|zos)_wrappers$" EXCLUDE
  REGEX "/(ISO_Fortran_binding|__clang_hip|__clang_spirv|module\\.modulemap|opencl)" EXCLUDE
  REGEX "/(gpuintrin|nvptxintrin|amdgpuintrin|spirvintrin)" EXCLUDE
  REGEX "/(altivec|amo|andes|arm|hexagon|htm|hvx|larch|lasx|lsx|msa|riscv|s390|sifive|vecintrin|velintrin|wasm)" EXCLUDE
  REGEX "/(intrin0?|vadefs|yvals_core)\\.h$" EXCLUDE)

# find_package(warplint) and include(Warplint) alike.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/warplint-config-version.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/Warplint.cmake ${CMAKE_BINARY_DIR}/warplint-config-version.cmake
  DESTINATION share/cmake/warplint COMPONENT files)
install(FILES cmake/Warplint.cmake DESTINATION share/cmake/warplint
  RENAME warplint-config.cmake COMPONENT files)

# The licences of what is linked in, where Debian's packages keep them.
set(LICENSES share/doc/warplint/licenses)
install(FILES LICENSE packaging/NOTICE DESTINATION ${LICENSES} COMPONENT files)
# Clang links GCC's library of C++, too.
string(REGEX MATCH "/gcc/[^/;]+/([0-9]+)" GCC_FOLDER "${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES}")
set(GCC_RELEASE ${CMAKE_MATCH_1})
foreach(PART llvm-${LLVM_VERSION_MAJOR}-dev zlib1g-dev libzstd-dev liblz4-dev libcli11-dev
    libcereal-dev libstdc++-${GCC_RELEASE}-dev libc6-dev)
  install(FILES /usr/share/doc/${PART}/copyright DESTINATION ${LICENSES} RENAME ${PART}
    COMPONENT portable EXCLUDE_FROM_ALL)
endforeach()
install(FILES /usr/share/common-licenses/GPL-3 /usr/share/common-licenses/LGPL-2.1
  DESTINATION ${LICENSES} COMPONENT portable EXCLUDE_FROM_ALL)

# `cpack` builds what it packs and nothing else.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_COMPONENTS_ALL files portable)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/packaging/cpack.cmake)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "static performance linter for CUDA and Kokkos")
set(CPACK_PACKAGE_CONTACT "the warplint maintainers")
set(CPACK_PACKAGE_VENDOR ${CPACK_PACKAGE_CONTACT})
set(CPACK_PACKAGE_FILE_NAME warplint-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.28)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nvidia-cuda-toolkit, libcurl4, git")
include(CPack)

# The shim headers as rows of a table, for shim.cpp: the program needs no folder
# of its own.
set(SHIM_FOLDER ${CMAKE_CURRENT_LIST_DIR}/shim)
file(GLOB_RECURSE SHIM_HEADERS CONFIGURE_DEPENDS RELATIVE ${SHIM_FOLDER}
  ${SHIM_FOLDER}/*.h ${SHIM_FOLDER}/*.hpp)
set(SHIM_ROWS "")
foreach(HEADER IN LISTS SHIM_HEADERS)
  set_property(DIRECTORY APPEND PROPERTY
    CMAKE_CONFIGURE_DEPENDS ${SHIM_FOLDER}/${HEADER})
  file(READ ${SHIM_FOLDER}/${HEADER} SHIM_TEXT)
  string(APPEND SHIM_ROWS
    "{SHIM_FOLDER \"${HEADER}\", R\"warplint(${SHIM_TEXT})warplint\"},\n")
endforeach()
# Written only if it differs, or every configuration would build shim.cpp anew.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/shim_files.inc
  CONTENT "@SHIM_ROWS@" @ONLY)

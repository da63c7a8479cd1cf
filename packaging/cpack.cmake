# Read by cpack for each kind of package: an archive has a folder of its own,
# but a Debian package begins at the root.
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()

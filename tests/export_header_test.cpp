// The header of a library's visibility, which CMake writes without a template.
#include "input/export_header.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::Optional;
using testing::StartsWith;

static std::optional<std::string> headerOf(llvm::StringRef name,
                                           llvm::StringRef cmake) {
  return exportHeader(name, {{"CMakeLists.txt", commandsInCmake(cmake)}});
}

TEST(ExportHeader, ALibraryHasTheMacrosOfItsName) {
  EXPECT_THAT(headerOf("heat/heat_export.h", "project(heat)\n"
                                             "add_library(heat a.cu)\n"
                                             "generate_export_header(heat)\n"),
              Optional(testing::AllOf(
                  StartsWith("#pragma once\n#ifndef HEAT_EXPORT\n"
                             "#define HEAT_EXPORT\n#endif\n"),
                  HasSubstr("#define HEAT_NO_EXPORT\n"),
                  HasSubstr("#define HEAT_DEPRECATED\n"),
                  HasSubstr("#define HEAT_DEPRECATED_EXPORT\n"),
                  HasSubstr("#define HEAT_DEPRECATED_NO_EXPORT\n"))));
  EXPECT_THAT(headerOf("heat_export.h", "project(Heat)\n"
                                        "generate_export_header("
                                        "${PROJECT_NAME})\n"),
              Optional(HasSubstr("#define HEAT_EXPORT\n")));
  // A function's argument: the header has the name.
  EXPECT_THAT(headerOf("heat-2_export.h", "function(lib name)\n"
                                          "generate_export_header(${name})\n"
                                          "endfunction()\n"),
              Optional(HasSubstr("#define HEAT_2_EXPORT\n")));
}

TEST(ExportHeader, ACallMayNameTheHeaderAndItsMacros) {
  EXPECT_THAT(
      headerOf("heat/export.hpp",
               "generate_export_header(heat_lib BASE_NAME heat\n"
               "  PREFIX_NAME MY_ NO_EXPORT_MACRO_NAME LOCAL\n"
               "  EXPORT_FILE_NAME ${CMAKE_BINARY_DIR}/heat/export.hpp)\n"),
      Optional(testing::AllOf(HasSubstr("#define MY_HEAT_EXPORT\n"),
                              HasSubstr("#define MY_LOCAL\n"))));
}

TEST(ExportHeader, OtherHeadersAreNotMade) {
  EXPECT_EQ(headerOf("heat_export.h", "generate_export_header(cold)\n"),
            std::nullopt);
  EXPECT_EQ(headerOf("heat_export.h", "add_library(heat a.cu)\n"),
            std::nullopt);
  EXPECT_EQ(headerOf("export.h", "generate_export_header(${name})\n"),
            std::nullopt);
  EXPECT_EQ(exportHeader("heat_export.h", {}), std::nullopt);
}

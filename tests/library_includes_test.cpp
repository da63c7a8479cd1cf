// The headers of a source that a precompiled header can contain.
#include "input/library_includes.h"
#include "input_folder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

class LibraryIncludesOf : public testing::Test {
protected:
  LibraryIncludes of(llvm::StringRef text) {
    folder.write("src/a.cu", text);
    return libraryIncludes("src/a.cu", folder.path,
                           {"-x", "cuda", "-I", "include", "-Imore"}, {});
  }
  InputFolder folder;
};

} // namespace

TEST_F(LibraryIncludesOf, HoldHeadersOutsideTheProject) {
  folder.write("include/mine/a.h", "#pragma once\n#include <cub/cub.cuh>\n");
  folder.write("more/b.h", "#ifndef B_H\n#define B_H\n"
                           "#include <thrust/sort.h>\n#include \"c.h\"\n"
                           "#endif\n");
  folder.write("more/c.h", "#include <b.h>\n#include <mma.h>\n");
  LibraryIncludes found = of("// a kernel\n"
                             "#include <mine/a.h>\n"
                             "# include \"b.h\"\n"
                             "int x; /* #include <no.h> */\n"
                             "#include <cub/cub.cuh>\n"
                             "#include <curand.h> // and more\n");
  EXPECT_THAT(found.headers,
              ElementsAre("cub/cub.cuh", "thrust/sort.h", "mma.h", "curand.h"));
  EXPECT_THAT(found.macrosBefore, ElementsAre(0, 0, 0, 0));
}

// Kokkos is seldom given as a system's library.
TEST_F(LibraryIncludesOf, HoldKokkosInAnyFolder) {
  folder.write("include/Kokkos_Core.hpp", "#define KOKKOS_CORE\n");
  EXPECT_THAT(of("#include <Kokkos_Core.hpp>\n").headers,
              ElementsAre("Kokkos_Core.hpp"));
}

// The precompiled header tells which of them a macro changes.
TEST_F(LibraryIncludesOf, ComeWithTheMacrosBeforeThem) {
  folder.write("more/b.h", "#if A\n#define EARLY\n#endif\n#undef NDEBUG\n");
  LibraryIncludes found = of("#include \"b.h\"\n"
                             "#include <cub/cub.cuh>\n"
                             "#define LATE 1\n");
  EXPECT_THAT(found.headers, ElementsAre("cub/cub.cuh"));
  EXPECT_THAT(found.macros, ElementsAre("EARLY", "NDEBUG", "LATE"));
  EXPECT_THAT(found.macrosBefore, ElementsAre(2));
}

// Many a project defines the names of GCC's macros for another compiler: no
// library header would be precompiled.
TEST_F(LibraryIncludesOf, LeaveOutWhatIsForOtherCompilers) {
  folder.write("more/port.h", "#ifdef _MSC_VER\n#define __SSE__\n"
                              "#if X\n#include <intrin.h>\n#else\n"
                              "#include NAME\n#endif\n"
                              "#else\n#define FIRST\n#endif\n"
                              "#if defined(_WIN32)\n#pragma once\n"
                              "#include NAME\n#elif X\n#define SECOND\n"
                              "#endif\n"
                              "#if defined(_WIN32) || X\n#define THIRD\n"
                              "#endif\n#ifndef _MSC_VER\n#define FOURTH\n"
                              "#endif\n");
  LibraryIncludes found = of("#include <port.h>\n#include <cub/cub.cuh>\n");
  EXPECT_THAT(found.headers, ElementsAre("cub/cub.cuh"));
  EXPECT_THAT(found.macros, ElementsAre("FIRST", "SECOND", "THIRD", "FOURTH"));
}

TEST_F(LibraryIncludesOf, EndAtTheFirstUnknownInclude) {
  EXPECT_THAT(
      of("#include <a.h>\n#include \"gone.h\"\n#include <b.h>\n").headers,
      ElementsAre("a.h"));
  EXPECT_THAT(of("#include <a.h>\n#include NAME\n#include <b.h>\n").headers,
              ElementsAre("a.h"));
  EXPECT_THAT(of("#if X\n#include <a.h>\n#endif\n#include <b.h>\n").headers,
              ElementsAre("b.h"));
  EXPECT_THAT(of("").headers, IsEmpty());
  EXPECT_THAT(libraryIncludes("no such file", folder.path, {}, {}).headers,
              IsEmpty());
}

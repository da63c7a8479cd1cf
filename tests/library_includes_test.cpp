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
  std::vector<std::string>
  of(llvm::StringRef text,
     const std::vector<std::string> &flags = {"-x", "cuda", "-I", "include",
                                              "-Imore"}) {
    folder.write("src/a.cu", text);
    IncludeGraph graph;
    return libraryIncludes("src/a.cu", folder.path, flags, graph);
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
  const std::vector<std::string> found =
      of("// a kernel\n"
         "#include <mine/a.h>\n"
         "# include \"b.h\"\n"
         "int x; /* #include <no.h> */\n"
         "#include <cub/cub.cuh>\n"
         "#include <curand.h> // and more\n");
  EXPECT_THAT(found,
              ElementsAre("cub/cub.cuh", "thrust/sort.h", "mma.h", "curand.h"));
}

// Kokkos is seldom given as a system's library.
TEST_F(LibraryIncludesOf, HoldKokkosInAnyFolder) {
  folder.write("include/Kokkos_Core.hpp", "#define KOKKOS_CORE\n");
  EXPECT_THAT(of("#include <Kokkos_Core.hpp>\n"),
              ElementsAre("Kokkos_Core.hpp"));
}

TEST_F(LibraryIncludesOf, LeaveOutWhatIsForOtherCompilers) {
  folder.write("more/port.h", "#ifdef _MSC_VER\n#include <intrin.h>\n#endif\n"
                              "#if defined(_WIN32)\n#include NAME\n#endif\n");
  EXPECT_THAT(of("#include <port.h>\n#include <cub/cub.cuh>\n"),
              ElementsAre("cub/cub.cuh"));
}

// Else a source would be read without the precompiled header of the libraries
// that it uses.
TEST_F(LibraryIncludesOf, HoldThoseOfConditionsThatAreKnownToHold) {
  folder.write("more/device.h", "#pragma once\n#ifdef __CUDACC__\n"
                                "#include <cub/cub.cuh>\n#else\n"
                                "#include <omp.h>\n#endif\n");
  const char *text = "#if defined(HEAT_ON)\n#include <device.h>\n#endif\n"
                     "#ifndef HEAT_ON\n#include <thread>\n#endif\n"
                     "#if HEAT_LEVEL > 2\n#include <mma.h>\n#endif\n"
                     "#if LIMIT > 2\n#include <device.h>\n"
                     "#include <curand.h>\n#endif\n";
  EXPECT_THAT(of(text, {"-x", "cuda", "-Imore", "-DHEAT_ON=1", "-D",
                        "HEAT_LEVEL=3"}),
              ElementsAre("cub/cub.cuh", "mma.h"));
  EXPECT_THAT(of(text), ElementsAre("thread"));
}

TEST_F(LibraryIncludesOf, GoOnBehindAnUnknownInclude) {
  EXPECT_THAT(of("#include <a.h>\n#include \"gone.h\"\n#include <b.h>\n"),
              ElementsAre("a.h", "b.h"));
  EXPECT_THAT(of("#include <a.h>\n#include NAME\n#include <b.h>\n"),
              ElementsAre("a.h", "b.h"));
  EXPECT_THAT(of("#if X\n#include <a.h>\n#endif\n#include <b.h>\n"),
              ElementsAre("b.h"));
  EXPECT_THAT(of(""), IsEmpty());
  IncludeGraph graph;
  EXPECT_THAT(libraryIncludes("no such file", folder.path, {}, graph),
              IsEmpty());
}

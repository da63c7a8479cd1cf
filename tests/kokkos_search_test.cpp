// Host builds of Kokkos code are linted as the CUDA build that they can be.
#include "input/kokkos_search.h"
#include "input_folder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class KokkosSearchIn : public testing::Test {
protected:
  bool uses(llvm::StringRef text, std::vector<std::string> flags = {}) {
    const std::string source = folder.write("src/a.cpp", text);
    flags.insert(flags.begin(), "g++");
    flags.insert(flags.end(), {"-c", source});
    IncludeGraph includes;
    return usesKokkos({source, folder.path, flags}, includes);
  }
  KokkosByName::Answer answerFor(llvm::StringRef name, llvm::StringRef text) {
    const std::string source = folder.write(name, text);
    IncludeGraph includes;
    FilesOfProjects files;
    return KokkosByName(includes, files)
        .includesKokkos(
            {source, folder.path, {"nvcc", source}, /*isBare=*/true});
  }
  InputFolder folder;
};

} // namespace

TEST_F(KokkosSearchIn, TheSourceOrAHeaderOfItsProjectCounts) {
  folder.write("include/types.h", "#include <Kokkos_Core.hpp>\n");
  folder.write("include/plain.h", "#include <vector>\n");
  EXPECT_TRUE(uses("#include <Kokkos_Core.hpp>\n"));
  EXPECT_TRUE(uses("void f(Kokkos::View<int *> x);\n"));
  EXPECT_TRUE(uses("#include <types.h>\n", {"-Iinclude"}));
  EXPECT_FALSE(uses("#include <types.h>\n", {"-isystem", "include"}));
  EXPECT_FALSE(uses("#include <plain.h>\n", {"-Iinclude"}));
}

TEST_F(KokkosSearchIn, ResponseFilesNameFolders) {
  folder.write("include/types.h", "#include \"Kokkos_View.hpp\"\n");
  folder.write("flags.rsp", "-Iinclude\n");
  EXPECT_TRUE(uses("#include <types.h>\n", {"@flags.rsp"}));
  EXPECT_FALSE(uses("#include <types.h>\n", {"@none.rsp"}));
}

// Cabana's examples include Cabana_Core.hpp, which lies behind a flag that only
// a build knows: a folder of them had no source.
TEST_F(KokkosSearchIn, WithoutABuildHeadersAreFoundByName) {
  folder.write("core/src/cabana.hpp", "#include <impl/types.hpp>\n");
  folder.write("core/src/impl/types.hpp", "#include <Kokkos_Core.hpp>\n");
  folder.write("core/src/plain.hpp");
  auto includesByName = [&](llvm::StringRef text) {
    return answerFor("examples/a.cpp", text) == KokkosByName::Yes;
  };
  EXPECT_TRUE(includesByName("#include <cabana.hpp>\n#include <vector>\n"
                             "Kokkos::View<int *> x;\n"));
  EXPECT_TRUE(includesByName("#include <cabana.hpp>\n"
                             "auto f = KOKKOS_LAMBDA(int) {};\n"));
  EXPECT_TRUE(includesByName("#include <cabana.hpp>\nint x;\n"))
      << "its kernels may be in the header";
  EXPECT_FALSE(includesByName("#include <plain.hpp>\n// as in Kokkos\n"));
  EXPECT_FALSE(includesByName("#include <none.hpp>\n// as in Kokkos\n"));
}

// A source that is left out in silence counts as clean.
TEST_F(KokkosSearchIn, WhatNoHeaderCanTellIsUnclear) {
  folder.write("a/types.hpp", "#include <Kokkos_Core.hpp>\n");
  folder.write("b/types.hpp", "#include <Kokkos_Core.hpp>\n");
  folder.write("a/plain.hpp");
  folder.write("b/plain.hpp");
  auto isUnclear = [&](llvm::StringRef text) {
    return answerFor("src/a.cpp", text) == KokkosByName::Unclear;
  };
  EXPECT_TRUE(isUnclear("#include <types.hpp>\n"));
  EXPECT_TRUE(isUnclear("#include <Tpetra.hpp>\nKokkos::View<int *> x;\n"));
  EXPECT_FALSE(isUnclear("#include <plain.hpp>\n"));
  // No project has it: "not clear which folder has 'assert.h'" helped nobody.
  EXPECT_FALSE(isUnclear("#include <assert.h>\nKokkos::View<int *> x;\n"));
  EXPECT_FALSE(isUnclear("#include <Tpetra.hpp>\n"));
  EXPECT_FALSE(isUnclear("#ifdef _WIN32\n#include <types.hpp>\n#endif\n"));
}

TEST(KokkosHeader, IsKnownByItsName) {
  EXPECT_TRUE(isKokkosHeader("/opt/k/include/Kokkos_Core.hpp"));
  EXPECT_TRUE(isKokkosHeader("/x/desul/atomics/Common.hpp"));
  EXPECT_FALSE(isKokkosHeader("/src/kokkos_kernels.hpp"));
  EXPECT_FALSE(isKokkosHeader("/src/Kokkos_notes.txt"));
}

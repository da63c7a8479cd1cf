// Where Kokkos is found without a build that says so. A wrong one gives
// findings of another library.
#include "input/kokkos_installation.h"
#include "input_folder.h"
#include <gmock/gmock.h>

using namespace warplint;

namespace {

/// No variable of this machine's leads to an installation.
class KokkosInstallationIn : public testing::Test {
protected:
  std::string install(llvm::StringRef include, unsigned version,
                      llvm::StringRef more = "") {
    folder.write((include + "/Kokkos_Core.hpp").str());
    folder.write(
        (include + "/KokkosCore_config.h").str(),
        ("#define KOKKOS_VERSION " + llvm::Twine(version) + "\n" + more).str());
    return folder / include;
  }
  std::string found(const char *variable, const std::string &value) {
    const Environment set(variable, value.c_str());
    auto kokkos = findKokkos();
    return kokkos ? kokkos->include : "";
  }

  InputFolder folder;
  Environment environment[8] = {
      {"Kokkos_ROOT", nullptr}, {"KOKKOS_ROOT", nullptr},
      {"Kokkos_DIR", nullptr},  {"CMAKE_PREFIX_PATH", nullptr},
      {"CPATH", nullptr},       {"CPLUS_INCLUDE_PATH", nullptr},
      {"SPACK_ENV", nullptr},   {"SPACK_ROOT", nullptr}};
};

} // namespace

TEST_F(KokkosInstallationIn, SaysItsReleaseAndItsBackend) {
  auto host = kokkosIn(install("a", 30401, "#define KOKKOS_ENABLE_SERIAL\n"));
  ASSERT_TRUE(host);
  EXPECT_EQ(host->release(), "3.4.1");
  EXPECT_FALSE(host->forCuda);
  auto cuda = kokkosIn(install("b", 50100,
                               "#define KOKKOS_ENABLE_CUDA_LAMBDA\n"
                               "#  define KOKKOS_ENABLE_CUDA  \n"));
  ASSERT_TRUE(cuda);
  EXPECT_EQ(cuda->release(), "5.1.0");
  EXPECT_TRUE(cuda->forCuda);
  auto other = kokkosIn(install("c", 40601,
                                "/* #undef KOKKOS_ENABLE_CUDA */\n"
                                "#define KOKKOS_ENABLE_CUDA_UVM\n"));
  EXPECT_FALSE(other->forCuda);
}

// Its headers include a configuration that nobody has written yet.
TEST_F(KokkosInstallationIn, TheLibrarysOwnSourcesAreNone) {
  folder.write("kokkos/core/src/Kokkos_Core.hpp");
  EXPECT_FALSE(kokkosIn(folder / "kokkos/core/src"));
  EXPECT_EQ(
      kokkosAmong({folder / "kokkos/core/src", install("i", 40000)})->include,
      folder / "i");
}

TEST_F(KokkosInstallationIn, TheEnvironmentNamesIt) {
  install("k/include", 40200);
  EXPECT_EQ(found("Kokkos_ROOT", folder / "k"), folder / "k/include");
  EXPECT_EQ(found("Kokkos_ROOT", folder / "k/include"), folder / "k/include");
  EXPECT_EQ(found("Kokkos_DIR", folder / "k/lib/cmake/Kokkos"),
            folder / "k/include");
  EXPECT_EQ(found("KOKKOS_DIR", folder / "k"), folder / "k/include");
  EXPECT_EQ(found("CMAKE_PREFIX_PATH", "/nowhere:" + folder / "k"),
            folder / "k/include");
  EXPECT_EQ(found("CPATH", folder / "k/include"), folder / "k/include");
  for (const char *module :
       {"KOKKOS_HOME", "EBROOTKOKKOS", "OLCF_KOKKOS_ROOT", "TACC_KOKKOS_DIR"})
    EXPECT_EQ(found(module, folder / "k"), folder / "k/include") << module;
  install("t/include/trilinos", 30401);
  EXPECT_EQ(found("Trilinos_ROOT", folder / "t"),
            folder / "t/include/trilinos");
}

TEST_F(KokkosInstallationIn, SpackHasViewsAndHashes) {
  install("env/.spack-env/view/include", 40300);
  EXPECT_EQ(found("SPACK_ENV", folder / "env"),
            folder / "env/.spack-env/view/include");
  install("s/opt/spack/linux-x86_64/kokkos-4.1.0-abc/include", 40100);
  install("s/opt/spack/linux-x86_64/kokkos-4.6.1-xyz/include", 40601);
  install("s/opt/spack/linux-x86_64/kokkos-kernels-9/include", 90000);
  EXPECT_EQ(found("SPACK_ROOT", folder / "s"),
            folder / "s/opt/spack/linux-x86_64/kokkos-4.6.1-xyz/include");
  install("o/opt/spack/debian12/gcc-12/kokkos-4.0.0-abc/include", 40000);
  EXPECT_EQ(found("SPACK_ROOT", folder / "o"),
            folder / "o/opt/spack/debian12/gcc-12/kokkos-4.0.0-abc/include");
}

TEST_F(KokkosInstallationIn, TheFirstVariableWins) {
  install("k/include", 40200);
  install("p/include", 40100);
  const Environment prefix("CMAKE_PREFIX_PATH", (folder / "p").c_str());
  EXPECT_EQ(found("Kokkos_ROOT", folder / "k"), folder / "k/include");
}

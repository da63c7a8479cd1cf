// A compile database starts no program that its reader has not chosen.
#include "input/trusted_programs.h"
#include "input_folder.h"
#include <filesystem>
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

class TrustedProgramsTest : public testing::Test {
protected:
  TrustedPrograms trusted(std::vector<std::string> globs = {},
                          std::string cudaPath = "") {
    return cantFail(TrustedPrograms::create(globs, cudaPath));
  }

  InputFolder repository, installed;
  const std::string nvcc = repository.writeProgram("tools/bin/nvcc", "");
  const std::string known = installed.writeProgram("bin/nvcc", "");
  Environment noPath{"CUDA_PATH", nullptr}, noHome{"CUDA_HOME", nullptr},
      noRoot{"CUDA_ROOT", nullptr};
  Environment path{"PATH", (installed.path + "/bin:/usr/bin").c_str()};
};

TEST_F(TrustedProgramsTest, OneInTheRepositoryIsNotStarted) {
  EXPECT_EQ(trusted().find(nvcc, repository.path), "");
  EXPECT_EQ(trusted().find("./tools/bin/nvcc", repository.path), "");
  EXPECT_EQ(trusted().find("../bin/nvcc", repository / "tools/x"), "");
}

TEST_F(TrustedProgramsTest, OneOnThePathIsStarted) {
  EXPECT_EQ(trusted().find("nvcc", repository / "tools/bin"), known);
  EXPECT_EQ(trusted().find(known, "/"), known);
}

// `PATH=.:...` would find what the folder of a command holds.
TEST_F(TrustedProgramsTest, ARelativeFolderOfThePathIsNotTrusted) {
  Environment relative("PATH", "tools/bin:.");
  EXPECT_EQ(trusted().find(nvcc, "/"), "");
  EXPECT_EQ(trusted().find("nvcc", repository / "tools/bin"), "");
}

// nvdisasm and ncu are looked for by their names alone.
TEST_F(TrustedProgramsTest, ABareNameIsNotSearchedInTheRepository) {
  Environment relative("PATH", "tools/bin:.");
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(repository.path);
  EXPECT_EQ(programNamed("nvcc"), "");
  std::filesystem::current_path(here);
  Environment absolute("PATH", (installed.path + "/bin").c_str());
  EXPECT_EQ(programNamed("nvcc"), known);
  EXPECT_EQ(programNamed("nvcc", {repository / "tools/bin"}), nvcc);
  EXPECT_EQ(programNamed("no-such-program"), "");
}

TEST_F(TrustedProgramsTest, ToolkitsThatTheUserNamesAre) {
  EXPECT_EQ(trusted({}, repository / "tools").find(nvcc, "/"), nvcc);
  Environment home("CUDA_HOME", (repository / "tools").c_str());
  EXPECT_EQ(trusted().find(nvcc, "/"), nvcc);
}

TEST_F(TrustedProgramsTest, APatternTrusts) {
  EXPECT_EQ(trusted({repository / "*"}).find("tools/bin/nvcc", repository.path),
            nvcc);
  EXPECT_EQ(trusted({"/opt/*"}).find(nvcc, "/"), "");
  auto broken = TrustedPrograms::create({"/opt/["}, "");
  ASSERT_FALSE(bool(broken));
  EXPECT_THAT(llvm::toString(broken.takeError()),
              HasSubstr("'--trust-compiler /opt/['"));
}

// A link in the repository must not lend its name to another program.
TEST_F(TrustedProgramsTest, ALinkIsTrustedByTheFolderItIsIn) {
  const std::string link = repository / "link";
  ASSERT_EQ(symlink(known.c_str(), link.c_str()), 0);
  EXPECT_EQ(trusted().find(link, "/"), "");
}

TEST_F(TrustedProgramsTest, AnInterpreterIsNoHostCompiler) {
  installed.writeProgram("bin/perl", "");
  const std::string gcc =
      installed.writeProgram("bin/x86_64-linux-gnu-g++-12", "");
  EXPECT_EQ(trusted().findHostCompiler(installed / "bin/perl", "/"), "");
  EXPECT_EQ(trusted().findHostCompiler(gcc, "/"), gcc);
  EXPECT_EQ(trusted().findHostCompiler("x86_64-linux-gnu-g++-12", "/"), gcc);
  EXPECT_EQ(trusted().findHostCompiler(installed / "bin", "/"),
            installed / "bin");
  repository.writeProgram("bin/gcc", "");
  EXPECT_EQ(trusted().findHostCompiler(repository / "bin", "/"), "");
  EXPECT_EQ(trusted().findHostCompiler(repository / "bin/gcc", "/"), "");
}

} // namespace

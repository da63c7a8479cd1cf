#include "input/toolkit.h"
#include "input_folder.h"
#include "llvm/Support/Program.h"
#include <gtest/gtest.h>

using namespace warplint;

static constexpr llvm::StringLiteral cudaHeader =
    "/* cuda.h */\n#ifndef __cuda_cuda_h__\n#define CUDA_VERSION 12040\n";

/// Paths, environment and PATH of a machine without CUDA.
struct Bare {
  Environment path{"CUDA_PATH", nullptr}, home{"CUDA_HOME", nullptr},
      root{"CUDA_ROOT", nullptr}, programs{"PATH", "/nowhere"};
};

static void makeToolkit(const InputFolder &folder, const std::string &root,
                        llvm::StringRef nvcc = "#!/bin/sh\nexit 1\n") {
  folder.write(root + "/include/cuda.h", cudaHeader);
  folder.write(root + "/include/cuda_runtime.h");
  if (!nvcc.empty())
    folder.writeProgram(root + "/bin/nvcc", nvcc);
}

static Command command(std::vector<std::string> words) {
  return {"/x.cu", "/", std::move(words)};
}

// From CUDA 11 on the build number stands in a file; running nvcc would fail
// here.
TEST(Toolkit, TheCommandsNvccGivesTheToolkitAndItsRelease) {
  Bare bare;
  InputFolder folder;
  makeToolkit(folder, "cuda");
  folder.write("cuda/version.json",
               R"({"cuda": {"name": "CUDA SDK", "version": "12.4.20240301"},
  "cuda_nvcc": {"name": "CUDA NVCC", "version": "12.4.131"}})");
  auto found =
      ToolkitSearch("").of(command({"ccache", folder / "cuda/bin/nvcc"}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->root, folder / "cuda");
  EXPECT_EQ(found->include, folder / "cuda/include");
  EXPECT_EQ(found->nvcc, folder / "cuda/bin/nvcc");
  EXPECT_EQ(found->major, 12u);
  EXPECT_EQ(found->minor, 4u);
  EXPECT_EQ(found->build, 131u);
}

TEST(Toolkit, TheReleaseIsReadFromOldFilesAndWheels) {
  Bare bare;
  InputFolder folder;
  makeToolkit(folder, "old");
  folder.write("old/version.txt", "CUDA Version 10.2.89\n");
  EXPECT_EQ(ToolkitSearch(folder / "old").of(command({}))->build, 89u);
  // nvcc from Python's wheels: one root, the releases beside it.
  makeToolkit(folder, "site-packages/nvidia/cu13");
  folder.write("site-packages/nvidia/cu13/nvvm/bin/cicc");
  folder.write("site-packages/nvidia_cuda_nvcc-13.0.88.dist-info/METADATA");
  auto wheel =
      ToolkitSearch(folder / "site-packages/nvidia/cu13").of(command({}));
  ASSERT_TRUE(wheel);
  EXPECT_EQ(wheel->major, 13u);
  EXPECT_EQ(wheel->build, 88u);
}

// pip install 'warplint[nvcc]', on a machine without another toolkit.
TEST(Toolkit, TheWheelsOfTheProgramsOwnEnvironmentAreFound) {
  Bare bare;
  InputFolder folder;
  const std::string packages = "lib/python3.12/site-packages";
  makeToolkit(folder, packages + "/nvidia/cu9");
  makeToolkit(folder, packages + "/nvidia/cu13");
  folder.write(packages + "/nvidia/cudnn/include/cudnn.h");
  folder.write(packages + "/nvidia/cu14/lib/libcudart.so"); // no compiler
  folder.write(packages + "/nvidia_cuda_nvcc-13.0.88.dist-info/METADATA");
  auto of = [&](const Command &command) {
    return ToolkitSearch("", nullptr, folder / "bin/warplint").of(command);
  };
  auto found = of(command({}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->root, folder / packages + "/nvidia/cu13");
  EXPECT_EQ(found->nvcc, found->root + "/bin/nvcc");
  EXPECT_EQ(found->build, 88u);
  // The one that builds the user's programs comes first.
  makeToolkit(folder, "cuda");
  Environment programs("PATH", (folder / "cuda/bin").c_str());
  EXPECT_EQ(of(command({"nvcc"}))->root, folder / "cuda");
}

TEST(Toolkit, WithoutAFileNvccIsAskedForItsRelease) {
  Bare bare;
  InputFolder folder;
  makeToolkit(folder, "cuda",
              "#!/bin/sh\necho 'nvcc: NVIDIA (R) Cuda compiler driver'\n"
              "echo 'Cuda compilation tools, release 12.4, V12.4.99'\n");
  auto found = ToolkitSearch(folder / "cuda").of(command({}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->build, 99u);
}

TEST(Toolkit, AToolkitOfHeadersAloneHasNoNvcc) {
  Bare bare;
  InputFolder folder;
  makeToolkit(folder, "cuda", "");
  auto found = ToolkitSearch(folder / "cuda").of(command({}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->nvcc, "");
  EXPECT_EQ(found->major, 12u);
  EXPECT_EQ(found->minor, 4u);
}

TEST(Toolkit, LinksAndScriptsLeadToTheToolkit) {
  Bare bare;
  InputFolder folder;
  makeToolkit(folder, "cuda-12.4");
  folder.write("bin/here");
  llvm::sys::fs::create_link(folder / "cuda-12.4/bin/nvcc",
                             folder / "bin/nvcc");
  auto linked = ToolkitSearch("").of(command({folder / "bin/nvcc"}));
  ASSERT_TRUE(linked);
  EXPECT_EQ(linked->root, folder / "cuda-12.4");

  std::string script = folder.writeProgram(
      "wrap/nvcc",
      "#!/bin/sh\nexec " + folder / "cuda-12.4/bin/nvcc" + " \"$@\"\n");
  auto wrapped = ToolkitSearch("").of(command({script}));
  ASSERT_TRUE(wrapped);
  EXPECT_EQ(wrapped->nvcc, folder / "cuda-12.4/bin/nvcc");
}

// A distribution's nvcc lies far from its headers, and says where they are.
TEST(Toolkit, NvccIsAskedForItsHeaders) {
  Bare bare;
  InputFolder folder;
  makeToolkit(folder, "lib/cuda", "");
  std::string nvcc = folder.writeProgram(
      "opt/nvcc", "#!/bin/sh\necho '#$ _SPACE_= ' >&2\necho '#$ TOP=" +
                      folder / "lib/cuda" + "' >&2\n");
  auto found = ToolkitSearch("").of(command({nvcc}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->root, folder / "lib/cuda");
  EXPECT_EQ(found->nvcc, nvcc);
}

TEST(Toolkit, TheMostSpecificSettingWins) {
  Bare bare;
  InputFolder folder;
  for (const char *root : {"a", "b", "c", "d", "e"})
    makeToolkit(folder, root);
  Environment path("CUDA_PATH", (folder / "c").c_str());
  Environment programs("PATH", (folder / "d/bin").c_str());
  auto rootOf = [&](std::vector<std::string> words, std::string told) {
    auto found = ToolkitSearch(told).of(command(std::move(words)));
    return found ? found->root : "";
  };
  EXPECT_EQ(rootOf({folder / "a/bin/nvcc"}, folder / "b"), folder / "a");
  EXPECT_EQ(rootOf({"nvcc"}, folder / "b"), folder / "b");
  EXPECT_EQ(rootOf({"nvcc"}, ""), folder / "c");
  EXPECT_EQ(rootOf({"nvcc"}, folder / "nothing"), folder / "c");
  // A command from another machine.
  EXPECT_EQ(rootOf({"/opt/gone/bin/nvcc"}, folder / "b"), folder / "b");
  EXPECT_EQ(rootOf({"clang++", "--cuda-path=" + folder / "a"}, folder / "b"),
            folder / "a");
  Environment root("CUDA_ROOT", (folder / "e").c_str());
  EXPECT_EQ(rootOf({"nvcc_wrapper"}, folder / "b"), folder / "e");
  Environment none("CUDA_PATH", nullptr);
  EXPECT_EQ(rootOf({"nvcc"}, ""), folder / "d");
}

// A cloned repository's database must not start its own nvcc, nor mix its
// headers with another toolkit's compiler.
TEST(Toolkit, AnUntrustedToolkitIsReplacedByATrustedOne) {
  Bare bare;
  InputFolder repository, installed;
  makeToolkit(repository, "kit");
  makeToolkit(installed, "cuda");
  const std::string root = installed / "cuda",
                    nvcc = repository / "kit/bin/nvcc";
  auto search = [&](std::vector<std::string> globs) {
    return std::make_unique<ToolkitSearch>(
        root, std::make_shared<const TrustedPrograms>(
                  cantFail(TrustedPrograms::create(globs, root))));
  };
  auto strict = search({});
  for (const Command &named :
       {command({nvcc}),
        command({"clang++", "--cuda-path=" + repository / "kit"})}) {
    auto found = strict->of(named);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->root, root);
  }
  EXPECT_EQ(strict->refused(), std::set<std::string>{nvcc});
  EXPECT_EQ(search({repository / "*"})->of(command({nvcc}))->nvcc, nvcc);
  Command typed = command({nvcc});
  typed.isTrusted = true;
  EXPECT_EQ(search({})->of(typed)->nvcc, nvcc);
}

TEST(Toolkit, TheInstalledToolkitIsFound) {
  auto nvcc = llvm::sys::findProgramByName("nvcc");
  if (!nvcc)
    GTEST_SKIP() << "NO NVCC ON PATH: the toolkit of a real installation is "
                    "not tested";
  auto found = ToolkitSearch("").of(command({*nvcc}));
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->nvcc.empty());
  EXPECT_GE(found->major, 8u);
  EXPECT_GT(found->build, 0u);
}

#include "input/sources.h"
#include "input_folder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <utime.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static std::vector<std::string> names(const Sources &sources) {
  std::vector<std::string> result;
  for (const Command &command : sources.commands)
    result.push_back(command.source);
  return result;
}

static Sources found(const SourceRequest &request) {
  auto sources = findSources(request);
  if (!sources) {
    ADD_FAILURE() << llvm::toString(sources.takeError());
    return {};
  }
  return std::move(*sources);
}

static std::string failureOf(const SourceRequest &request) {
  auto sources = findSources(request);
  return sources ? "" : llvm::toString(sources.takeError());
}

/// One row of a compile_commands.json.
static std::string row(llvm::StringRef folder, llvm::StringRef command,
                       llvm::StringRef file) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "{\"directory\": \"" << folder << "\", \"command\": \"" << command
      << "\", \"file\": \"" << file << "\"}";
  return text;
}

TEST(Sources, AFileWithoutACommandGetsTheFlagsAfterTheDashes) {
  InputFolder folder;
  std::string a = folder.write("a.cu");
  Sources sources = found({{a}, "", {"-arch=sm_90", "-Iinc lude"}});
  ASSERT_EQ(sources.commands.size(), 1u);
  EXPECT_THAT(sources.commands[0].arguments,
              ElementsAre("nvcc", "-arch=sm_90", "-Iinc lude", a));
}

// nvcc takes a .cpp for host code, which would have no kernel to judge.
TEST(Sources, ANamedFileIsCudaWhateverItsEnding) {
  InputFolder folder;
  std::string a = folder.write("a.cpp");
  Sources sources = found({{a}, "", {}});
  ASSERT_EQ(sources.commands.size(), 1u);
  EXPECT_THAT(sources.commands[0].arguments,
              ElementsAre("nvcc", "-x", "cu", a));
}

TEST(Sources, AHeaderIsReadThroughItsIncluders) {
  InputFolder folder;
  std::string header = folder.write("a.cuh"), other = folder.write("b.cu"),
              a = folder.write("a.cu", "#include \"a.cuh\"\n");
  EXPECT_THAT(names(found({{header, a}, "", {}})), ElementsAre(a));
  // Alone, it is a source of its own.
  EXPECT_THAT(names(found({{header, other}, "", {}})),
              ElementsAre(header, other));
  Sources sources = found({{header}, "", {"-Iinc"}});
  ASSERT_EQ(sources.commands.size(), 1u);
  EXPECT_THAT(sources.commands[0].arguments,
              ElementsAre("nvcc", "-Iinc", "-x", "cu", header));
}

// Its own flags would be those of a source that includes it.
TEST(Sources, AHeaderTakesTheCommandOfAnIncluder) {
  InputFolder folder;
  std::string header = folder.write("include/a.cuh");
  folder.write("src/a.cu", "#include <other.h>\n");
  folder.write("src/b.cu", "#include <a.cuh>\n");
  folder.write("build/compile_commands.json",
               "[{\"directory\": \"" + folder.path +
                   "\", \"file\": \"src/a.cu\", \"command\": \"nvcc -DA "
                   "-Iinclude -c src/a.cu\"}, {\"directory\": \"" +
                   folder.path +
                   "\", \"file\": \"src/b.cu\", \"command\": \"nvcc -DB "
                   "-Iinclude -c src/b.cu -o b.o\"}]");
  Sources sources = found({{header}, "", {}});
  ASSERT_EQ(sources.commands.size(), 1u);
  EXPECT_EQ(sources.commands[0].source, header);
  EXPECT_EQ(sources.commands[0].directory, folder.path);
  EXPECT_THAT(sources.commands[0].arguments,
              ElementsAre("nvcc", "-x", "cu", "-DB", "-Iinclude", "-c", "-o",
                          "b.o", header));
  EXPECT_FALSE(sources.commands[0].isBare);
}

TEST(Sources, KokkosSourcesOfAFolderNeedNoBuild) {
  InputFolder folder;
  const std::string kokkos =
      folder.write("k.cpp", "#include <Kokkos_Core.hpp>\n");
  folder.write("host.cpp", "#include <vector>\n");
  folder.write("named.cpp", "void f(Kokkos::View<int *> x);\n");
  Sources sources = found({{folder.path}, "", {}});
  EXPECT_THAT(names(sources), ElementsAre(kokkos));
  EXPECT_TRUE(sources.commands[0].isBare);
  // A build that the user names says which it compiles.
  folder.write("build/compile_commands.json", "[]");
  EXPECT_THAT(names(found({{folder.path}, "", {}})), ElementsAre(kokkos));
  EXPECT_THAT(failureOf({{folder.path}, folder / "build", {}}),
              HasSubstr("no CUDA source"));
}

TEST(Sources, SourcesThatMayIncludeKokkosAreNotLeftOutInSilence) {
  InputFolder folder;
  folder.write("src/a.cu");
  folder.write("src/a.cpp", "#include <types.h>\n");
  folder.write("one/types.h", "#include <Kokkos_Core.hpp>\n");
  folder.write("two/types.h", "#include <Kokkos_Core.hpp>\n");
  const std::string why = "1 C++ source that may include Kokkos is not read, "
                          "since it is not clear which folder has 'types.h'";
  EXPECT_THAT(found({{folder.path}, "", {}}).notes,
              testing::Contains(HasSubstr(why)));
  std::filesystem::remove(folder / "src/a.cu");
  EXPECT_THAT(failureOf({{folder.path}, "", {}}), HasSubstr(why));
}

TEST(Sources, AFolderWithoutSourcesIsNamed) {
  InputFolder folder;
  folder.write("host.cpp");
  EXPECT_THAT(failureOf({{folder.path}, "", {}}),
              HasSubstr("no CUDA source (.cu, or C++ that is compiled with '-x "
                        "cu' or includes Kokkos) under '" +
                        folder.path + "'"));
}

// "no CUDA source" said nothing of kernels that are there.
TEST(Sources, KernelsElsewhereInAFolderWithoutSourcesAreNamed) {
  InputFolder folder;
  folder.write("host.cpp", "#include \"heat.hpp\"\n");
  folder.write("heat.hpp", "#pragma once\n__global__ void k();\n");
  EXPECT_THAT(failureOf({{folder.path}, "", {}}),
              HasSubstr("\nnote: 1 header has kernels: '" +
                        (folder / "heat.hpp") +
                        "'; a header that is named is read"));
  folder.write("heat.hpp", "#pragma once\nvoid k();\n");
  const std::string uses =
      folder.write("sweep.cpp", "void f() { RAJA::forall<P>(r, body); }\n");
  EXPECT_THAT(failureOf({{folder.path}, "", {}}),
              HasSubstr("\nnote: 1 C++ source uses RAJA, which makes kernels "
                        "where a build compiles it as CUDA: '" +
                        uses + "'; '-p BUILD' takes such a build"));
  folder.write("sweep.cpp", "void f() { amrex::ParallelFor(n, body); }\n");
  EXPECT_THAT(failureOf({{folder.path}, "", {}}),
              HasSubstr("1 C++ source uses AMReX"));
}

// TensorFlow's operations are in files such as 'bias_op_gpu.cu.cc'.
TEST(Sources, CxxSourcesWithKernelsAreNotLeftOutInSilence) {
  InputFolder folder;
  const std::string kernel = "__global__ void k() {}\n";
  const std::string gpu = folder.write("src/bias_gpu.cu.cc", kernel);
  const std::string part = folder.write("src/part.cpp", kernel);
  folder.write("src/a.cu", "#include \"part.cpp\"\n");
  folder.write("src/host.cpp", "// no __global__ function\n"
                               "#define KERNEL __global__\n");
  folder.write("src/dual.cpp", "#ifdef __CUDACC__\n" + kernel + "#endif\n");
  folder.write("src/hip.cpp", "#include <hip/hip_runtime.h>\n" + kernel);
  const Sources sources = found({{folder.path}, "", {}});
  EXPECT_THAT(names(sources), ElementsAre(folder / "src/a.cu"));
  EXPECT_THAT(sources.notes,
              ElementsAre(HasSubstr("1 C++ source has kernels and is not read, "
                                    "since no build compiles it as CUDA: '" +
                                    gpu + "'")));
  EXPECT_THAT(names(found({{gpu}, "", {}})), ElementsAre(gpu));
  std::filesystem::remove(folder / "src/a.cu");
  EXPECT_THAT(failureOf({{folder.path}, "", {}}),
              HasSubstr("2 C++ sources have kernels and are not read"));
}

// A suite may have each kernel for several languages, behind a macro of each.
TEST(Sources, CxxSourcesWithKernelsBehindACudaSwitchAreNoted) {
  InputFolder folder;
  folder.write("src/a.cu");
  const std::string part = folder.write(
      "src/axpy.cpp",
      "#if defined(SUITE_ENABLE_CUDA)\n__global__ void k() {}\n#endif\n");
  folder.write("src/axpy_hip.cpp",
               "#if defined(SUITE_ENABLE_HIP)\n__global__ void k() {}\n#endif\n");
  EXPECT_THAT(found({{folder.path}, "", {}}).notes,
              ElementsAre(HasSubstr("1 C++ source has kernels and is not read, "
                                    "since no build compiles it as CUDA: '" +
                                    part + "'")));
}

// The sources of a back end may be lambdas alone, which templates of a header
// launch; a header that declares a kernel compiles as C++.
TEST(Sources, CxxSourcesWhoseHeaderLaunchesKernelsAreNoted) {
  InputFolder folder;
  folder.write("src/a.cu");
  folder.write("src/each.h", "template <class F> __global__ void k(F f) { f(); }\n"
                             "template <class F> void each(F f) {\n"
                             "  k<<<1, 32>>>(f);\n}\n");
  folder.write("src/all.h", "#include \"each.h\"\n");
  const std::string sweep =
      folder.write("src/sweep.cpp", "#include \"all.h\"\n");
  folder.write("src/declared.h", "__global__ void k(int n);\n");
  folder.write("src/host.cpp", "#include \"declared.h\"\n");
  const std::string why = "1 C++ source includes a header that launches kernels "
                          "and is not read, since no build compiles it as "
                          "CUDA: '" +
                          sweep + "'";
  EXPECT_THAT(found({{folder.path}, "", {}}).notes,
              ElementsAre(HasSubstr(why)));
  std::filesystem::remove(folder / "src/a.cu");
  EXPECT_THAT(failureOf({{folder.path}, "", {}}), HasSubstr(why));
}

TEST(Sources, AFolderOfHeadersAloneIsRead) {
  InputFolder folder;
  folder.write("host.cpp");
  const std::string header = folder.write("include/a.cuh"),
                    other = folder.write("include/deep/b.cuh");
  EXPECT_THAT(names(found({{folder.path}, "", {}})),
              ElementsAre(header, other));
  auto skips = [&](llvm::StringRef file) { return file == header; };
  EXPECT_THAT(names(*findSources({{folder.path}, "", {}}, skips)),
              ElementsAre(other));
  // In a folder with sources, headers are what these include.
  const std::string source =
      folder.write("src/c.cu", "#include \"../include/a.cuh\"\n");
  EXPECT_THAT(names(found({{folder.path}, "", {}})), ElementsAre(source));
  EXPECT_THAT(names(found({{folder / "include", folder / "src"}, "", {}})),
              ElementsAre(other, source));
}

// warp-ctc's ctc_entrypoint.cu is a link to its ctc_entrypoint.cpp, which nvcc
// compiles under that name: all kernels of the library were missing.
TEST(Sources, OfTwoNamesOfOneFileThatOfCudaCounts) {
  InputFolder folder;
  llvm::sys::fs::create_link(folder.write("entry.cpp"), folder / "entry.cu");
  llvm::sys::fs::create_link(folder.write("real.cu"), folder / "a_link.cu");
  EXPECT_THAT(names(found({{folder.path}, "", {}})),
              ElementsAre(folder / "a_link.cu", folder / "entry.cu"));
}

TEST(Sources, AWrongPathGetsASuggestion) {
  InputFolder folder;
  folder.write("kernels/gather.cu");
  EXPECT_EQ(failureOf({{folder / "kernels/gahter.cu"}, "", {}}),
            "'" + folder / "kernels/gahter.cu" +
                "' does not exist; did you "
                "mean '" +
                folder / "kernels/gather.cu" + "'?");
  EXPECT_THAT(failureOf({{folder / "kernel/gather.cu"}, "", {}}),
              HasSubstr("did you mean '" + folder / "kernels/gather.cu"));
  EXPECT_EQ(failureOf({{folder / "qqqqqqqq"}, "", {}}),
            "'" + folder / "qqqqqqqq" + "' does not exist");
}

// As CMake 3.25 writes it for a project in two languages.
TEST(Sources, ADatabaseInTheBuildFolderGivesTheCommand) {
  InputFolder folder;
  std::string cuda = folder.write("src/my kernel.cu"),
              host = folder.write("src/main.cpp"),
              mixed = folder.write("src/mixed.cpp");
  std::string build = folder / "build";
  folder.write(
      "build/compile_commands.json",
      "[" +
          row(build,
              "/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler "
              "-DNAME=\\\\\\\"x\\\\\\\" --options-file "
              "CMakeFiles/app.dir/includes_CUDA.rsp -O3 -DNDEBUG -std=c++17 "
              "\\\"--generate-code=arch=compute_80,code=[compute_80,sm_80]\\\" "
              "-MD -MT a.o -MF a.o.d -x cu -rdc=true -c \\\"" +
                  cuda + "\\\" -o a.o",
              cuda) +
          "," + row(build, "/usr/bin/c++ -O3 -o main.o -c " + host, host) +
          "," +
          row(build, "/usr/local/cuda/bin/nvcc -x cu -c ../src/mixed.cpp",
              "../src/mixed.cpp") +
          "]");
  Sources sources = found({{folder / "src"}, "", {"-DEXTRA"}});
  EXPECT_THAT(names(sources), ElementsAre(mixed, cuda));
  ASSERT_EQ(sources.commands.size(), 2u);
  EXPECT_EQ(sources.commands[1].directory, build);
  EXPECT_THAT(sources.commands[1].arguments,
              testing::IsSupersetOf(
                  {std::string("-DNAME=\"x\""), cuda,
                   std::string("--generate-code=arch=compute_80,code=["
                               "compute_80,sm_80]")}));
  EXPECT_EQ(sources.commands[1].arguments.back(), "-DEXTRA");
  EXPECT_THAT(sources.notes, IsEmpty());

  // Named by hand, the host's source is refused with the reason.
  EXPECT_THAT(failureOf({{host}, "", {}}),
              HasSubstr("is not compiled as CUDA: its command runs "
                        "'/usr/bin/c++'"));
}

TEST(Sources, SourcesOfKokkosWrapperAreFound) {
  InputFolder folder;
  std::string a = folder.write("a.cpp");
  folder.write("compile_commands.json",
               R"([{"directory": ")" + folder.path +
                   R"(", "arguments": ["ccache", "/opt/kokkos/nvcc_wrapper",
                   "-I", "inc lude", "-c", "a.cpp"], "file": "a.cpp"}])");
  Sources sources = found({{folder.path}, "", {}});
  EXPECT_THAT(names(sources), ElementsAre(a));
  ASSERT_EQ(sources.commands.size(), 1u);
  EXPECT_EQ(sources.commands[0].arguments[3], "inc lude");
}

// A second build folder left from last month must not decide.
TEST(Sources, TheNewestBuildFolderGivesTheCommand) {
  InputFolder folder;
  std::string a = folder.write("a.cu");
  for (const char *name : {"build-old", "build"})
    folder.write(
        std::string(name) + "/compile_commands.json",
        "[" +
            row(folder.path,
                std::string("nvcc -D") + (name[5] ? "OLD" : "NEW") + " -c a.cu",
                a) +
            "]");
  utimbuf longAgo = {1000, 1000};
  utime((folder / "build-old/compile_commands.json").c_str(), &longAgo);
  EXPECT_EQ(found({{a}, "", {}}).commands.at(0).arguments.at(1), "-DNEW");
}

TEST(Sources, TheSearchForADatabaseEndsAtTheRepository) {
  InputFolder folder;
  std::string a = folder.write("inner/a.cu");
  folder.write("compile_commands.json",
               "[" + row(folder.path, "nvcc -DOUTER -c inner/a.cu", a) + "]");
  EXPECT_EQ(found({{a}, "", {}}).commands.at(0).arguments.at(1), "-DOUTER");
  folder.write("inner/.git", "gitdir: elsewhere");
  EXPECT_EQ(found({{a}, "", {}}).commands.at(0).arguments.size(), 2u);
}

TEST(Sources, EqualCommandsAreMerged) {
  InputFolder folder;
  std::string a = folder.write("a.cu");
  folder.write("compile_commands.json",
               "[" + row(folder.path, "nvcc -c a.cu -o shared/a.o", a) + "," +
                   row(folder.path, "nvcc -c a.cu -o static/a.o", a) + "," +
                   row(folder.path, "nvcc -DDOUBLE -c a.cu -o d.o", a) + "]");
  EXPECT_THAT(names(found({{folder.path, a}, "", {}})), ElementsAre(a, a));
}

TEST(Sources, ADatabaseOfAnotherProjectIsNotMentioned) {
  InputFolder folder;
  std::string a = folder.write("mine/a.cu"), b = folder.write("b.cu");
  std::string other = "[" + row(folder.path, "nvcc -c b.cu", b) + "," +
                      row(folder.path, "nvcc -c x.cu", "x.cu") + "]";
  folder.write("compile_commands.json", other);
  EXPECT_THAT(found({{a}, "", {}}).notes, IsEmpty());
  // All of it gone, as after a move: it was meant for somebody.
  llvm::sys::fs::remove(b);
  EXPECT_THAT(found({{a}, "", {}}).notes,
              ElementsAre(HasSubstr("names 2 files that are gone")));
}

TEST(Sources, ABrokenDatabaseThatWasFoundIsANote) {
  InputFolder folder;
  std::string a = folder.write("a.cu");
  std::string json = folder.write("compile_commands.json", "[{]");
  Sources sources = found({{a}, "", {}});
  EXPECT_THAT(names(sources), ElementsAre(a));
  EXPECT_THAT(sources.notes, testing::Contains(HasSubstr(
                                 "cannot read compile database '" + json)));
  EXPECT_THAT(failureOf({{a}, json, {}}), HasSubstr("cannot read compile"));
}

// The build's flags were left out without a word.
TEST(Sources, ADatabaseThatCannotBeOpenedIsANote) {
  for (const std::string target : {"build/gone.json", "/dev/zero", "."}) {
    InputFolder folder;
    const std::string a = folder.write("a.cu");
    const std::string json = folder / "compile_commands.json";
    llvm::sys::fs::create_link(target, json);
    const std::string why =
        "cannot read compile database '" + json + "': " +
        (target == "."           ? "Is a directory"
         : target == "/dev/zero" ? "is no regular file"
                                 : "it links to a file that "
                                   "is not there");
    Sources sources = found({{a}, "", {}});
    EXPECT_THAT(names(sources), ElementsAre(a));
    EXPECT_THAT(sources.notes,
                testing::Contains(why + "; going on without it"));
    EXPECT_EQ(failureOf({{a}, folder.path, {}}), why);
  }
}

TEST(Sources, ANamedDatabaseIsTheOnlyOne) {
  InputFolder folder;
  std::string a = folder.write("src/a.cu"), b = folder.write("src/b.cu"),
              made = folder.write("out/CMakeCache.txt");
  std::string generated = folder.write("out/made.cu");
  folder.write("src/compile_commands.json",
               "[" + row(folder.path, "nvcc -DWRONG -c src/a.cu", a) + "]");
  folder.write("out/compile_commands.json",
               "[" + row(folder.path, "nvcc -DRIGHT -c src/a.cu", a) + "," +
                   row(folder.path, "nvcc -c out/made.cu", generated) + "]");
  Sources sources = found({{folder / "src"}, folder / "out", {}});
  EXPECT_THAT(names(sources), ElementsAre(a, b));
  EXPECT_EQ(sources.commands.at(0).arguments.at(1), "-DRIGHT");
  EXPECT_THAT(sources.notes,
              ElementsAre(HasSubstr("1 source is in no compile database and "
                                    "read with nvcc's defaults: '" +
                                    b)));
  // Without paths it says what there is.
  EXPECT_THAT(names(found({{}, folder / "out", {}})),
              ElementsAre(generated, a));
  EXPECT_THAT(failureOf({{a}, folder / "src/deep", {}}),
              HasSubstr("does not exist"));
  // As PyTorch's extensions are built.
  folder.write("ninja/build.ninja");
  EXPECT_THAT(failureOf({{a}, folder / "ninja", {}}),
              HasSubstr("'ninja -C " + folder / "ninja" + " -t compdb > " +
                        folder / "ninja/compile_commands.json" + "' writes"));
  folder.write("empty/x");
  EXPECT_THAT(failureOf({{a}, folder / "empty", {}}),
              HasSubstr("has no compile_commands.json"));
}

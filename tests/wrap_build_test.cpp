// The launcher in real builds: a build through it stays the build it was.
#include "machine/fatbin.h"
#include "report/json.h"
#include "report/read_json.h"
#include "test_paths.h"
#include "tests/launcher.h"
#include "llvm/Support/Path.h"
#include <gmock/gmock.h>

using namespace testing;

namespace warplint {
namespace {

using WrapBuild = LauncherTest;

/// Returns true if two reports are equal.
bool isEqual(const Report &one, const Report &other) {
  auto text = [](const Report &report) {
    std::string text;
    llvm::raw_string_ostream out(text);
    printJson(report, /*refuted=*/true, out);
    return text;
  };
  return text(one) == text(other);
}

TEST_F(WrapBuild, CodeAndErrorsAreThoseOfAPlainBuild) {
  std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC HERE: a real compile is not tested";
  writeFile(path("a.cu"),
            "__global__ void k(float *p) { p[threadIdx.x] = 1; }");
  Outcome run =
      shell("wrap -- '" + nvcc +
            "' -arch=sm_90 -c a.cu -o a.o && cp a.o wrapped.o && '" + nvcc +
            "' -arch=sm_90 -c a.cu -o a.o -Xptxas -v 2> report");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  auto images = [&](const char *name) {
    std::string bytes = readFile(path(name));
    std::vector<std::string> result;
    if (auto found = readDeviceImages({bytes, name}))
      for (DeviceImage &image : found->images)
        result.push_back(std::move(image.bytes));
    return result;
  };
  EXPECT_EQ(images("wrapped.o").size(), 2u);
  // As a whole: cubins name the options of ptxas.
  EXPECT_TRUE(images("wrapped.o") == images("a.o"));
  run = shell("wrap -- '" + nvcc +
              "' -arch=sm_90 -c a.cu -o a.o; echo "
              "'__global__ void k() { error; }' > a.cu; '" +
              nvcc + "' -arch=sm_90 -c a.cu -o a.o 2> plain; wrap -- '" + nvcc +
              "' -arch=sm_90 -c a.cu -o a.o");
  EXPECT_NE(run.code, 0);
  EXPECT_EQ(run.err, readFile(path("plain")));
  EXPECT_FALSE(exists("a.o.warplint.json"));
}

/// A project of two libraries with a source each, configured and built by
/// CMake.
class WrapCMake : public LauncherTest {
protected:
  void SetUp() override {
    LauncherTest::SetUp();
    nvcc_ = nvccForTests();
    if (nvcc_.empty())
      GTEST_SKIP() << "NO NVCC HERE: a real build is not tested";
    writeFile(path("b.cu"), "__global__ void b(int *p) { p[0] = 1; }\n"
                            "#include \"a.cu\"\n");
    writeFile(path("CMakeLists.txt"), R"(
cmake_minimum_required(VERSION 3.22)
project(two LANGUAGES CUDA)
add_library(one STATIC a.cu)
add_library(other STATIC b.cu)
if(ENABLE)
  list(APPEND CMAKE_MODULE_PATH ")" WARPLINT_SOURCE_DIR R"(/cmake")
  include(Warplint)
  warplint_enable(one)
endif()
)");
  }

  /// The words that configure a build in `b`.
  std::string configure(const std::string &more) const {
    return "cmake -S . -B b -DCMAKE_CUDA_COMPILER='" + nvcc_ +
           "' -DCMAKE_CUDA_ARCHITECTURES=90 -DCMAKE_BUILD_TYPE=Release "
           "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON " +
           more + " > configured 2>&1 || { cat configured; exit 9; }\n";
  }

  std::string object(const char *library, const char *source) const {
    return path(std::string("b/CMakeFiles/") + library + ".dir/" + source +
                ".o");
  }

  /// All files under a folder whose names hold `part`.
  std::vector<std::string> named(llvm::StringRef part,
                                 const char *folder) const {
    std::vector<std::string> found;
    std::error_code error;
    for (llvm::sys::fs::recursive_directory_iterator entry(path(folder), error),
         end;
         entry != end && !error; entry.increment(error))
      if (llvm::sys::path::filename(entry->path()).contains(part))
        found.push_back(entry->path());
    return found;
  }

private:
  std::string nvcc_;
};

TEST_F(WrapCMake, LintsTheEnabledTarget) {
  Outcome run = shell(
      configure("-G Ninja -DENABLE=ON -DWARPLINT_EXECUTABLE='" WARPLINT_BINARY
                "'") +
      "cmake --build b -j2 > built || exit 8\n"
      "\"$warplint\" collect b --format json > collected\n"
      "\"$warplint\" check a.cu -p b --format json > checked\n");
  EXPECT_THAT(readFile(path("built")), HasSubstr("a.cu:4:12: warning: "));
  EXPECT_TRUE(exists("b/CMakeFiles/one.dir/a.cu.o.warplint.json")) << run.err;
  EXPECT_FALSE(exists("b/CMakeFiles/other.dir/b.cu.o.warplint.json"));
  auto collected = readJson(readFile(path("collected"))),
       checked = readJson(readFile(path("checked")));
  ASSERT_TRUE(collected && checked) << run.err;
  ASSERT_EQ(collected->findings.size(), 1u);
  EXPECT_EQ(collected->findings[0].verdict(), Verdict::Confirmed);
  EXPECT_TRUE(isEqual(*collected, *checked));
}

TEST_F(WrapCMake, CompilerTestsOfCMakeAreQuiet) {
  shell(configure("-G Ninja") + "mv configured plain; rm -r b");
  Outcome run = shell("export CMAKE_CUDA_COMPILER_LAUNCHER=\"$warplint;wrap;--"
                      "\"\n" +
                      configure("-G Ninja") + "cmake --build b -j2 > built");
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_EQ(readFile(path("configured")), readFile(path("plain")));
  EXPECT_THAT(named(".warplint.json", "b"), SizeIs(2));
  EXPECT_THAT(named("warplint", "tmp"), IsEmpty());
}

/// At no moment that a build can be stopped at is anything left that is not
/// whole.
TEST_F(WrapCMake, AnInterruptedBuildLeavesNoPartialFile) {
  Outcome run =
      shell(configure("-G 'Unix Makefiles' "
                      "-DCMAKE_CUDA_COMPILER_LAUNCHER=\"$warplint;wrap;--\""));
  ASSERT_EQ(run.code, 0) << run.out;
  for (const char *moment :
       {"INT 0.1", "TERM 0.4", "INT 0.8", "TERM 1.2", "INT 1.6"}) {
    auto [signal, seconds] = llvm::StringRef(moment).split(' ');
    // A shell without job control lets those in the background ignore SIGINT.
    run = shell("touch a.cu b.cu\n"
                "timeout --signal=" +
                signal.str() + " " + seconds.str() +
                " cmake --build b -j2 > built 2>&1\n"
                "while pgrep -f \"$PWD/[ab].cu\" > pids; do sleep 0.1; done\n"
                // A busy machine takes a while to let the last one clean up.
                "for i in $(seq 100); do ls tmp | grep -q warplint- || break; "
                "sleep 0.1; done");
    // Files that a killed nvcc leaves there are nvcc's.
    EXPECT_THAT(named("warplint-", "tmp"), IsEmpty()) << moment;
    EXPECT_THAT(named(".tmp", "b/CMakeFiles/one.dir"), IsEmpty()) << moment;
    for (const std::string &sidecar : named(".warplint.json", "b")) {
      auto read = readJson(readFile(sidecar));
      EXPECT_TRUE(bool(read)) << moment << ' ' << sidecar;
      if (!read)
        llvm::consumeError(read.takeError());
    }
  }
  EXPECT_EQ(shell("cmake --build b -j2").code, 0);
  EXPECT_THAT(named(".warplint.json", "b"), SizeIs(2));
}

TEST_F(WrapBuild, LintsNvccWrapper) {
  stub("touch a.o");
  writeFile(path("bin/nvcc_wrapper"),
            "#!/bin/sh\n" // as Kokkos' own does it
            "exec nvcc -x cu -Xcompiler -Wall \"$@\"\n");
  llvm::sys::fs::setPermissions(path("bin/nvcc_wrapper"),
                                llvm::sys::fs::all_all);
  writeFile(path("a.cpp"), strided);
  Outcome run =
      shell("wrap --compile=never -- nvcc_wrapper -Wall -c a.cpp -o a.o");
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.err, StartsWith("a.cpp:4:12: warning: "));
  EXPECT_TRUE(exists("a.o.warplint.json"));
  shell("rm words; wrap -- nvcc_wrapper -c a.cpp -o a.o");
  EXPECT_EQ(readFile(path("words")),
            "-x cu -Xcompiler -Wall -c a.cpp -o a.o -Xptxas -v\n");
}

TEST_F(WrapBuild, LintsClangAsCudaCompiler) {
  const std::string nvcc = nvccForTests();
  if (nvcc.empty() || !llvm::sys::findProgramByName("clang++-22"))
    GTEST_SKIP() << "NO NVCC OR CLANG HERE: a real compile is not tested";
  const std::string root =
      llvm::sys::path::parent_path(llvm::sys::path::parent_path(nvcc)).str();
  Outcome run =
      shell("c() { \"$@\" clang++-22 -x cuda --cuda-gpu-arch=sm_90 -O2 "
            "-Wno-unknown-cuda-version --cuda-path='" +
            root +
            "' -c a.cu -o a.o; }\n"
            "c env && cp a.o plain.o && c \"$warplint\" wrap --");
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.err, StartsWith("a.cu:4:12: warning: ")) << run.err;
  EXPECT_TRUE(readFile(path("a.o")) == readFile(path("plain.o")));
  auto sidecar = readJson(readFile(path("a.o.warplint.json")));
  ASSERT_TRUE(bool(sidecar));
  ASSERT_EQ(sidecar->findings.size(), 1u);
  EXPECT_EQ(sidecar->findings[0].verdict(), Verdict::Confirmed);
}

// The object that the build has made answers for what nvcc was started again.
TEST_F(WrapBuild, AnObjectWithLinesIsNotCompiledAgain) {
  const std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC HERE: a real build is not tested";
  // The judge as well runs the nvcc of the command.
  stub("exec '" + nvcc + "' \"$@\"");
  namespace fs = llvm::sys::fs;
  using llvm::sys::path::parent_path;
  fs::create_directory(path("toolkit"));
  fs::create_link(path("bin"), path("toolkit/bin"));
  fs::create_link(parent_path(parent_path(nvcc)) + "/include",
                  path("toolkit/include"));
  auto compiles = [&](const std::string &flags) {
    shell("rm -rf words a.o* cache; wrap -- toolkit/bin/nvcc -arch=sm_90 " +
          flags + " -c a.cu -o a.o");
    auto sidecar = readJson(readFile(path("a.o.warplint.json")));
    EXPECT_TRUE(sidecar && sidecar->findings.size() == 1 &&
                sidecar->findings[0].verdict() == Verdict::Confirmed);
    return llvm::StringRef(readFile(path("words"))).count('\n');
  };
  EXPECT_EQ(compiles("-lineinfo"), 1u);
  EXPECT_GT(compiles(""), 1u);
}

TEST_F(WrapBuild, LintsBeforeAndAfterCcache) {
  const std::string nvcc = nvccForTests();
  if (nvcc.empty() || !llvm::sys::findProgramByName("ccache"))
    GTEST_SKIP() << "NO NVCC OR CCACHE HERE: a cached build is not tested";
  auto twice = [&](const std::string &words) {
    return shell("export CCACHE_DIR=\"$PWD/ccache\"; rm -rf ccache a.o*\n"
                 "ln -sf \"$warplint\" bin/warplint-wrap\n"
                 "ln -sf \"$warplint\" bin/warplint\n" +
                 words + " '" + nvcc +
                 "' -arch=sm_90 -c a.cu -o a.o 2> first; rm a.o\n" + words +
                 " '" + nvcc +
                 "' -arch=sm_90 -c a.cu -o a.o\n"
                 "ccache --print-stats | grep 'ct_cache_hit\\|ed_cache_hit'");
  };
  // Beside an object that ccache has, the report is made anew.
  Outcome run = twice("warplint wrap -- ccache");
  EXPECT_EQ(run.err, readFile(path("first")));
  EXPECT_THAT(run.err, StartsWith("a.cu:4:12: warning: ")) << run.err;
  EXPECT_THAT(run.out, HasSubstr("cache_hit\t1"));
  EXPECT_TRUE(exists("a.o.warplint.json"));
  // On a hit ccache prints the findings again.
  run = twice("CCACHE_PREFIX=warplint-wrap ccache");
  EXPECT_EQ(run.err, readFile(path("first")));
  EXPECT_THAT(run.err, StartsWith("a.cu:4:12: warning: ")) << run.err;
  EXPECT_THAT(run.out, HasSubstr("cache_hit\t1"));
  // To ccache, warplint is a compiler that it does not know.
  run = twice("ccache warplint wrap --");
  EXPECT_THAT(run.err, StartsWith("a.cu:4:12: warning: ")) << run.err;
  EXPECT_THAT(run.out, Not(HasSubstr("cache_hit\t1")));
  EXPECT_TRUE(exists("a.o.warplint.json"));
}

} // namespace
} // namespace warplint

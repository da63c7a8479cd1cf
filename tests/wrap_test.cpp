// The launcher: a build through it stays the build it was.
#include "compiled/fatbin.h"
#include "compiled/reported.h"
#include "compiled/scratch.h"
#include "input/compile_step.h"
#include "report/json.h"
#include "report/read_json.h"
#include "tests/nvcc.h"
#include "llvm/Support/Program.h"
#include <gmock/gmock.h>

using namespace testing;

namespace warplint {
namespace {

constexpr const char *strided = R"(
__global__ void gather(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * 32];
}
)";

/// What nvcc 13.0 says with -Xptxas -v.
constexpr const char *report = R"(
echo "ptxas info    : 0 bytes gmem" >&2
echo "ptxas info    : Compiling entry function '_Z6gatherPfPKf' for 'sm_90'" >&2
echo "ptxas info    : Function properties for _Z6gatherPfPKf" >&2
echo "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads" >&2
echo "ptxas info    : Used 10 registers, used 0 barriers" >&2
echo "ptxas info    : Compile time = 1.0 ms" >&2
)";

class Wrap : public Test {
protected:
  struct Outcome {
    int code;
    std::string out, err;
  };

  void SetUp() override {
    auto made = Scratch::create();
    ASSERT_TRUE(bool(made));
    scratch_.emplace(std::move(*made));
    for (const char *name : {"bin", "tmp"})
      llvm::sys::fs::create_directory(path(name));
    writeFile(path("a.cu"), strided);
  }

  std::string path(llvm::StringRef name) const { return scratch_->path(name); }

  /// An nvcc that writes its words to `words` and an object, then does `more`.
  void stub(const std::string &more, const char *name = "nvcc") {
    std::string file = path(std::string("bin/") + name);
    writeFile(file, "#!/bin/sh\n"
                    "case \"$*\" in --dryrun*|--version) exit 1;; esac\n"
                    "echo \"$@\" >> words\n" +
                        more + "\n");
    llvm::sys::fs::setPermissions(file, llvm::sys::fs::all_all);
  }

  /// A shell's line in the folder; `wrap` stands for the launcher.
  Outcome shell(const std::string &line) {
    std::string script =
        "cd '" + scratch_->folder().str() +
        "' && export PATH=\"$PWD/bin:$PATH\" TMPDIR=\"$PWD/tmp\" "
        "WARPLINT_CACHE_DIR=\"$PWD/cache\" LC_ALL=C\n"
        "wrap() { '" WARPLINT_BINARY "' wrap \"$@\"; }\n"
        "warplint='" WARPLINT_BINARY "'\n" +
        line;
    std::optional<llvm::StringRef> redirects[] = {"", outFile_, errFile_};
    outFile_ = path("stdout");
    errFile_ = path("stderr");
    for (const std::string &file : {outFile_, errFile_})
      llvm::sys::fs::remove(file); // it would be written over, not anew
    redirects[1] = outFile_;
    redirects[2] = errFile_;
    Outcome outcome;
    outcome.code = llvm::sys::ExecuteAndWait("/bin/sh", {"sh", "-c", script},
                                             std::nullopt, redirects, 100);
    outcome.out = readFile(outFile_);
    outcome.err = readFile(errFile_);
    return outcome;
  }

  bool exists(llvm::StringRef name) const {
    return llvm::sys::fs::exists(path(name));
  }

  /// Nothing is left of a run in the folder for temporary files.
  bool leavesNothing() const {
    std::error_code error;
    return llvm::sys::fs::directory_iterator(path("tmp"), error) ==
           llvm::sys::fs::directory_iterator();
  }

private:
  std::optional<Scratch> scratch_;
  std::string outFile_, errFile_;
};

constexpr const char *good = "touch a.o";

TEST_F(Wrap, FindingsFollowTheCompilersOwnWords) {
  stub("echo to out; echo to err >&2; touch a.o");
  Outcome run = shell("wrap --compile=never -- nvcc -c a.cu -o a.o");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, "to out\n");
  EXPECT_THAT(run.err, StartsWith("to err\na.cu:4:12: warning: ")) << run.err;
  EXPECT_THAT(run.err, HasSubstr("[strided-global-access]"));
  EXPECT_THAT(run.err, Not(HasSubstr("1 warning")));
  auto sidecar = readJson(readFile(path("a.o.warplint.json")));
  ASSERT_TRUE(bool(sidecar));
  EXPECT_EQ(sidecar->findings.size(), 1u);
  EXPECT_TRUE(leavesNothing());
}

TEST_F(Wrap, FailureIsTheCompilersAlone) {
  stub("echo 'a.cu(3): error: no' >&2; exit 7");
  writeFile(path("a.o.warplint.json"), "of the last build");
  Outcome run = shell("wrap -- nvcc -c a.cu -o a.o");
  EXPECT_EQ(run.code, 7);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "a.cu(3): error: no\n");
  EXPECT_FALSE(exists("a.o.warplint.json"));
  EXPECT_TRUE(leavesNothing());
}

TEST_F(Wrap, AsksForPtxasReportOnce) {
  stub(good);
  shell("wrap -- nvcc -c a.cu -o a.o");
  EXPECT_EQ(readFile(path("words")), "-c a.cu -o a.o -Xptxas -v\n");
  for (const char *own : {"-Xptxas -v", "-Xptxas=-v", "--ptxas-options=-O3,-v",
                          "-res-usage", "--options-file flags"}) {
    llvm::sys::fs::remove(path("words"));
    writeFile(path("flags"), "-Xptxas -v");
    shell(std::string("wrap -- nvcc ") + own + " -c a.cu -o a.o");
    EXPECT_EQ(readFile(path("words")), std::string(own) + " -c a.cu -o a.o\n");
  }
}

TEST_F(Wrap, HidesTheReportUnlessAskedForIt) {
  stub(std::string("echo before >&2; touch a.o") + report +
       "echo 'ptxas info    : (C7510) Potential Performance Loss' >&2\n"
       "echo after >&2");
  writeFile(path("a.cu"), "__global__ void gather(float *, const float *) {}");
  EXPECT_EQ(shell("wrap -- nvcc -c a.cu -o a.o").err,
            "before\nptxas info    : (C7510) Potential Performance Loss\n"
            "after\n");
  EXPECT_THAT(shell("wrap -- nvcc -Xptxas -v -c a.cu -o a.o").err,
              HasSubstr("Used 10 registers, used 0 barriers\n"));
}

TEST_F(Wrap, KeepsTheOrderOfStreamsThatGoToOnePlace) {
  stub("touch a.o; for i in 1 2 3 4 5 6 7 8; do echo err$i >&2; echo out$i; "
       "done; printf 'no end'");
  writeFile(path("a.cu"), "__global__ void k() {}");
  Outcome run = shell("wrap --compile=never -- nvcc -c a.cu -o a.o 2>&1");
  std::string expected;
  for (char i = '1'; i <= '8'; ++i)
    expected += std::string("err") + i + "\nout" + i + "\n";
  EXPECT_EQ(run.out, expected + "no end");
}

TEST_F(Wrap, DiesOfTheSignalThatTheCompilerDiedOf) {
  stub("kill -9 $$");
  Outcome run = shell("wrap -- nvcc -c a.cu -o a.o; echo $?");
  EXPECT_THAT(run.out, EndsWith("137\n"));
  EXPECT_FALSE(exists("a.o.warplint.json"));
}

TEST_F(Wrap, SignalsReachTheCompilerWhichDecides) {
  stub("trap 'echo ended >&2; exit 9' TERM; touch started\n"
       "for i in 1 2 3 4 5 6 7 8 9; do sleep 1; done");
  writeFile(path("a.o.warplint.json"), "of the last build");
  Outcome run = shell(
      "'" WARPLINT_BINARY "' wrap -- nvcc -c a.cu -o a.o & p=$!\n"
      "while [ ! -e started ]; do sleep 0.1; done; kill -TERM $p; wait $p\n"
      "echo $?");
  EXPECT_EQ(run.out, "9\n");
  EXPECT_EQ(run.err, "ended\n");
  EXPECT_FALSE(exists("a.o.warplint.json"));
  EXPECT_TRUE(leavesNothing());
}

TEST_F(Wrap, LeavesEverythingElseAlone) {
  stub("echo done");
  writeFile(path("b.cu"), strided);
  writeFile(path("host.cpp"), "int f() { return 1; }");
  for (const char *words :
       {"-E a.cu", "-M a.cu -o a.d", "-ptx a.cu -o a.ptx",
        "-cubin a.cu -o a.cubin", "-dlink a.o -o link.o", "a.o b.o -o program",
        "-c a.cu b.cu", "a.cu -o program", "--version-of-what", "-c host.cpp",
        "-dryrun -c a.cu", "--options-file gone -c a.cu"}) {
    llvm::sys::fs::remove(path("words"));
    Outcome run = shell(std::string("wrap -- nvcc ") + words);
    EXPECT_EQ(run.code, 0) << words;
    EXPECT_EQ(readFile(path("words")), std::string(words) + "\n");
    EXPECT_EQ(run.out, "done\n");
    EXPECT_EQ(run.err, "");
  }
  EXPECT_FALSE(exists("a.o.warplint.json"));
}

TEST_F(Wrap, SaysNothingOfWhatCMakeTries) {
  stub(good);
  llvm::sys::fs::create_directories(path("CMakeFiles/CMakeScratch/TryCompile"));
  Outcome run = shell("cd CMakeFiles/CMakeScratch/TryCompile && wrap -- nvcc "
                      "-c ../../../a.cu -o a.o");
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(readFile(path("CMakeFiles/CMakeScratch/TryCompile/words")),
            "-c ../../../a.cu -o a.o\n");
}

TEST_F(Wrap, DeniedFindingFailsTheBuildAndTheNextOne) {
  stub(good);
  Outcome run =
      shell("wrap --compile=never --deny likely -- nvcc -c a.cu -o a.o");
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, EndsWith("a.cu: findings of level likely are denied, so "
                                "its object is removed\n"));
  EXPECT_FALSE(exists("a.o"));
  EXPECT_FALSE(exists("a.o.warplint.json"));
  EXPECT_EQ(
      shell("wrap --compile=never --deny certain -- nvcc -c a.cu -o a.o").code,
      0);
  EXPECT_TRUE(exists("a.o"));
}

TEST_F(Wrap, FailureOfItsOwnIsOneLine) {
  stub(good);
  Outcome run = shell("wrap --resource-dir /none -- nvcc -c a.cu -o a.o");
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.err, StartsWith("warplint: a.cu is not linted: "));
  EXPECT_EQ(llvm::StringRef(run.err).count('\n'), 1u) << run.err;
  EXPECT_FALSE(exists("a.o.warplint.json"));
  // A folder where its report would be.
  llvm::sys::fs::create_directory(path("a.o.warplint.json"));
  run = shell("wrap --compile=never -- nvcc -c a.cu -o a.o");
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.err, StartsWith("warplint: a.cu is not linted: "));
  EXPECT_EQ(llvm::StringRef(run.err).count('\n'), 1u) << run.err;
}

TEST_F(Wrap, SourceThatClangCannotReadIsOneLine) {
  stub(good);
  writeFile(path("a.cu"), "#include <no/such/header.h>\n");
  Outcome run = shell("wrap --compile=never -- nvcc -c a.cu -o a.o");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(llvm::StringRef(run.err).count('\n'), 1u) << run.err;
}

TEST_F(Wrap, ProgramThatIsNotThere) {
  Outcome run = shell("wrap -- /no/nvcc -c a.cu -o a.o; echo $?");
  EXPECT_EQ(run.out, "127\n");
  EXPECT_EQ(run.err, "warplint: '/no/nvcc' cannot be run: No such file or "
                     "directory\n");
}

TEST_F(Wrap, IsItsOtherName) {
  stub(good);
  Outcome run = shell("ln -s \"$warplint\" warplint-wrap\n"
                      "./warplint-wrap nvcc -c a.cu -o a.o");
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(exists("a.o.warplint.json"));
}

TEST_F(Wrap, CollectSaysOnceWhatManySourcesSee) {
  writeFile(path("k.h"), strided);
  for (const char *name : {"a", "b", "c"})
    writeFile(path(std::string(name) + ".cu"), "#include \"k.h\"\n");
  stub("touch $4");
  Outcome run = shell(
      "for s in a b c; do wrap --compile=never -- nvcc -c $s.cu -o $s.o 2> "
      "$s.err; done; rm c.o; \"$warplint\" collect .");
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.out, HasSubstr("1 warning"));
  EXPECT_THAT(run.out, HasSubstr("1 report is left out: its object is gone: "));
  EXPECT_THAT(readFile(path("a.err")), HasSubstr("k.h:4:12: warning"));
  EXPECT_THAT(readFile(path("b.err")), HasSubstr("k.h:4:12: warning"));
  // An object that a build without warplint made is no longer what was linted.
  run = shell("sleep 0.1; touch b.o; \"$warplint\" collect . --format json");
  EXPECT_THAT(run.out, HasSubstr("made without warplint since"));
  writeFile(path("a.o.warplint.json"), "{\"schema\": 1}");
  EXPECT_EQ(shell("\"$warplint\" collect .").code, 3);
  EXPECT_EQ(shell("\"$warplint\" collect tmp").code, 2);
  EXPECT_EQ(shell("\"$warplint\" collect none").code, 2);
}

TEST_F(Wrap, RealCompileMakesTheSameCodeAndTheSameErrors) {
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

TEST(CompileStep, TellsCompilesFromTheRest) {
  auto step = [](std::vector<std::string> words) {
    return compileStep(words, "/w");
  };
  auto object = [&](std::vector<std::string> words) {
    auto found = step(std::move(words));
    return found ? found->object : "";
  };
  EXPECT_EQ(object({"nvcc", "-c", "s/a.cu"}), "/w/a.o");
  EXPECT_EQ(object({"nvcc", "-dc", "s/a.cu", "-odir", "out"}), "/w/out/a.o");
  EXPECT_EQ(object({"nvcc", "-c", "a.cu", "-ox.o"}), "/w/x.o");
  EXPECT_EQ(object({"nvcc", "-c", "a.cu", "--output-file=/x.o"}), "/x.o");
  EXPECT_EQ(object({"ccache", "nvcc", "-MD", "-MT", "t.cu", "-MF", "m.cu", "-x",
                    "cu", "-c", "a.cpp", "-o", "a.o"}),
            "/w/a.o");
  EXPECT_EQ(object({"clang++", "-x", "cuda", "-c", "a.cpp"}), "/w/a.o");
  EXPECT_EQ(object({"nvcc_wrapper", "-c", "a.cpp"}), "/w/a.o");
  EXPECT_EQ(object({"g++", "-c", "a.cpp"}), "");
  EXPECT_EQ(object({"nvcc", "-c", "a.cu", "b.cu"}), "");
  EXPECT_EQ(object({"nvcc", "a.cu"}), "");
  EXPECT_EQ(object({"nvcc", "--device-link", "-c", "a.cu"}), "");
  EXPECT_EQ(object({}), "");
  EXPECT_TRUE(step({"nvcc", "-c", "a.cu"})->takesReportFlag);
  EXPECT_FALSE(step({"clang++", "-c", "a.cu"})->takesReportFlag);
  EXPECT_FALSE(step({"kokkos_launch_compiler", "nvcc_wrapper", "g++", "g++",
                     "-c", "a.cu"})
                   ->takesReportFlag);
}

TEST(Reported, JudgesOnlyByWhatIsWholeAndQuiet) {
  auto text = [](const char *architecture, const char *frame) {
    return "ptxas info    : Compiling entry function '_Z1kv' for '" +
           std::string(architecture) +
           "'\nptxas info    : Function properties for _Z1kv\n    " + frame +
           " bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
           "ptxas info    : Used 10 registers, used 0 barriers\n";
  };
  auto judged = [](const std::string &text,
                   const std::vector<std::string> &architectures,
                   Asks asked = Asks::FrameLines) {
    return judgedByReport(text, architectures, asked);
  };
  auto both =
      judged(text("sm_80", "0") + text("sm_90", "0"), {"sm_80", "sm_90"});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->units.size(), 2u);
  EXPECT_EQ(both->units[1].kernels[0].usage.registers, 10u);
  EXPECT_TRUE(judged(text("sm_75", "0"), {}));
  EXPECT_FALSE(judged(text("sm_80", "0"), {"sm_80", "sm_90"}));
  EXPECT_FALSE(judged(text("sm_80", "16"), {"sm_80"}));
  EXPECT_FALSE(judged("", {}));
  EXPECT_FALSE(judged(text("sm_80", "0") + text("sm_90", "0"), {}));
  // The frame of a 'printf' says nothing of spills.
  EXPECT_TRUE(judged(text("sm_80", "16"), {"sm_80"}, Asks::SpillLines));
  EXPECT_FALSE(judged(text("sm_80", "0"), {"sm_80"}, Asks::PtxWithLines));
}

TEST(ReadJson, GivesBackWhatWasWritten) {
  Report report;
  Finding finding;
  finding.check = "x";
  finding.level = Level::Certain;
  finding.place = {"/a.cu", 3, 4};
  finding.callSites = {{"/b.cu", 1, 2}};
  finding.message = "m\"\n";
  finding.notes = {"n"};
  finding.fix = "f";
  finding.about = "a[i]";
  finding.weight = 1.0 / 3;
  finding.kernels = {{"k", "_Z1kv", "sm_90", {Verdict::Refuted, "e"}, 0}};
  report.findings = {finding};
  report.unread = {{"/c.cu", "c.cu:1: no", true}};
  report.unreadKernels = {{"/c.cu", "k", "why"}};
  report.notes = {"note"};
  report.sourcesRead = 2;
  report.kernelsRead = 5;
  auto text = [](const Report &report) {
    std::string text;
    llvm::raw_string_ostream out(text);
    printJson(report, /*refuted=*/true, out);
    return text;
  };
  auto read = readJson(text(report));
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(text(*read), text(report));
  EXPECT_EQ(read->findings[0].weight, finding.weight);
  for (const char *broken : {"", "{", "[]", "{\"schema\": 1}",
                             "{\"schema\": 99, \"findings\": []}"}) {
    auto none = readJson(broken);
    EXPECT_FALSE(bool(none)) << broken;
    llvm::consumeError(none.takeError());
  }
}

} // namespace
} // namespace warplint

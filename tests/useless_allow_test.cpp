// Allowances that hide no finding are reported, and only those.
#include "program.h"
#include "suppressed.h"

using namespace warplint;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

class UselessAllow : public SuppressRun {};

// Else comments outlive what they were written for.
TEST_F(UselessAllow, UselessAllowancesAreReported) {
  const std::string nothing =
      "'allow(strided-global-access)' hides nothing any more";
  Suppressed result = lint("// warplint: allow-file(" + strided +
                               ") was slow\n"
                               "// warplint: allow(" +
                               strided +
                               ") was slow\n"
                               "__global__ void k() {\n"
                               "  x; // warplint: allow(" +
                               strided + ") was slow\n  y;\n",
                           {});
  EXPECT_THAT(useless(result), ElementsAre("1:4: " + nothing, "2:4: " + nothing,
                                           "4:9: " + nothing));
}

TEST_F(UselessAllow, AllowancesOfUnreadCodeAreNotReported) {
  const std::string comment = "// warplint: allow(" + strided + ") slow\n";
  // Not in any kernel: code that this compile leaves out, or a comment's.
  EXPECT_THAT(useless(lint(comment + "x;\n__global__ void k() { y; }\n", {})),
              IsEmpty());
  // In a kernel, but another compile may see code here.
  kernels.clear();
  const std::string file = write("__global__ void k() {\n#if HIP\n  " +
                                 comment + "  x;\n#endif\n  y;\n}\n");
  kernels[0].lines[file] = {1, 6};
  SourceFindings source{file, {}, kernels};
  source.ran = known;
  EXPECT_THAT(useless(suppress({source}, known, true)), IsEmpty());
  // Without the condition it is known to mean nothing.
  kernels.clear();
  const std::string plain =
      write("__global__ void k() {\n  " + comment + "  int x;\n  y;\n}\n");
  std::erase(kernels[0].lines[plain], 3u);
  SourceFindings other{plain, {}, kernels};
  other.ran = known;
  EXPECT_EQ(useless(suppress({other}, known, true)).size(), 1u);
}

TEST_F(UselessAllow, AllowancesOfChecksThatDidNotRunAreNotReported) {
  const std::string file =
      write("__global__ void k() {\n  x; // warplint: allow(" + strided +
            ") slow\n}\n");
  SourceFindings looked{file, {}, kernels};
  looked.ran = known;
  SourceFindings other = looked;
  auto uselessOf = [&](const SourceFindings &second) {
    return useless(suppress({looked, second}, known, true)).size();
  };
  EXPECT_EQ(uselessOf(other), 1u);
  other.ran = {"register-spill"};
  EXPECT_EQ(uselessOf(other), 0u);
  other = looked;
  other.isWhole = false;
  EXPECT_EQ(uselessOf(other), 0u);
  other = looked;
  other.findings = {found(file, 2)}; // compiled in another way
  EXPECT_EQ(uselessOf(other), 0u);
}

TEST_F(UselessAllow, AllowancesInHeadersMayServeAnotherSource) {
  const std::string header =
      write("__global__ void k() {\n  x; // warplint: allow(" + strided +
            ") slow\n}\n");
  SourceFindings source{folder / "main.cu", {}, kernels};
  source.ran = known;
  EXPECT_THAT(useless(suppress({source}, known, false)), IsEmpty());
  EXPECT_EQ(useless(suppress({source}, known, true)).size(), 1u);
  source.reportsIn = [](const std::string &) { return false; };
  EXPECT_THAT(useless(suppress({source}, known, true)), IsEmpty());
}

// An editor and a build log show it where it stands; a build does not fail by
// what costs no time.
TEST_F(UselessAllow, AUselessAllowanceIsANoteAtItsPlace) {
  const std::string file =
      folder.write("a.cu", "__global__ void k(float *a) {\n"
                           "  // warplint: allow(strided-global-access) was\n"
                           "  a[threadIdx.x] = 0;\n"
                           "}\n");
  Outcome outcome = runProgram({"check", "--no-judge", file});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("a.cu:2:6: note: 'allow(strided-global-access)' "
                              "hides nothing any more [useless-allow]\n"),
                    HasSubstr("no findings in 1 kernel of 1 source, 1 useless "
                              "allowance\n")));
  // The check that it is about has not run.
  EXPECT_THAT(runProgram({"check", "--no-judge", "--check",
                          "shared-bank-conflict", file})
                  .out,
              Not(HasSubstr("useless")));
  EXPECT_EQ(runProgram({"explain", "useless-allow"}).code, 0);

  folder.write(".warplint.yaml", "checks: {useless-allow: likely}\n");
  EXPECT_EQ(runProgram({"check", "--no-judge", file}).code, 1);
  folder.write(".warplint.yaml", "checks: {useless-allow: off}\n");
  EXPECT_EQ(runProgram({"check", "--no-judge", file}).out,
            "no findings in 1 kernel of 1 source\n");
}

} // namespace

// Kernels read from PTX: of a .ptx file, or as nvcc made it of a source.
#include "program_runs.h"

using namespace warplint;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

namespace {

const char *const stridedPtx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry _Z4rowsPf(.param .u64 p)\n{\n.reg .b32 %r<3>;\n"
    ".reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd2, %r1, 64;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "st.global.u32 [%rd3], %r1;\nret;\n}\n";

TEST(FromPtx, PtxIsListedWithoutASource) {
  InputFolder folder;
  Outcome outcome = runProgram({"accesses", "--format", "csv", "--block", "64",
                                folder.write("rows.ptx", stridedPtx)});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out,
              HasSubstr("rows.ptx,12,0,rows,64x1x1,--block,global,store,4,32,4,"
                        ",32,32,32,exact,each time,p,,,\n"));
}

TEST(FromPtx, PtxIsCheckedWithoutASource) {
  InputFolder folder;
  Outcome outcome = checkOnly(folder.write("rows.ptx", stridedPtx));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("rows.ptx:12: warning: store of 'p' touches 32"),
                    HasSubstr("st.global.u32 [%rd3], %r1;")));
}

TEST(FromPtx, PtxTakesLaunchesFromSourcesOfTheRun) {
  InputFolder folder;
  Outcome outcome = runProgram(
      {"accesses", folder.write("rows.ptx", stridedPtx),
       folder.write("main.cu", "__global__ void rows(float *);\n"
                               "void run(float *p) { rows<<<8, 96>>>(p); }\n"
                               "__global__ void other(int *p) { *p = 1; }\n")});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("rows, blocks of 96x1x1\n"),
                                 HasSubstr("other, blocks of 256x1x1")));
}

TEST(FromPtx, BrokenPtxIsNamedWithItsLine) {
  InputFolder folder;
  std::string broken = stridedPtx;
  broken.insert(broken.find("ret;"), "st.global.u32 [%oops], %r1;\n");
  Outcome outcome = runProgram({"accesses", folder.write("rows.ptx", broken)});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(
      outcome.err,
      HasSubstr("rows.ptx: not read: line 13: '%oops' is not declared"));
  outcome = checkOnly(folder.write("text.ptx", "this is no PTX\n"));
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("text.ptx: not read: line 1: "));
}

TEST(FromPtx, FromPtxNeedsNvcc) {
  InputFolder folder;
  std::string toolkit = stubToolkit(folder, "");
  if (toolkit.empty())
    GTEST_SKIP() << "no CUDA toolkit to take headers from";
  std::string source = folder.write("a.cu", strided);
  Outcome outcome =
      runProgram({"accesses", "--from", "ptx", "--cuda-path", toolkit, source});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("a.cu: not read: there is no PTX: "));
  outcome =
      runProgram({"accesses", "--disagree", "--cuda-path", toolkit, source});
  EXPECT_THAT(outcome.err, HasSubstr("a.cu: not compared: there is no PTX: "));
}

TEST(FromPtx, FromPtxListsTheAccessesThatNvccMade) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "no nvcc";
  InputFolder folder;
  std::string source = folder.write(
      "a.cu", "__global__ void copy(const float *__restrict__ a, float *b) {\n"
              "  float x = a[threadIdx.x * 8];\n"
              "  b[threadIdx.x] = x;\n"
              "}\n"
              "void run(float *a) { copy<<<1, 64>>>(a, a); }\n");
  Outcome outcome =
      runProgram({"accesses", "--format", "csv", "--from", "ptx", source});
  EXPECT_EQ(outcome.code, 0);
  // nvcc loads where the value is used.
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr(",copy,64x1x1,launch,global,load,4,32,4,"),
                    HasSubstr(",copy,64x1x1,launch,global,store,4,4,4,"),
                    HasSubstr(",b,b[threadIdx.x],")));
  outcome = runProgram({"accesses", "--disagree", source});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out,
              AnyOf(HasSubstr("agree\n"), HasSubstr("moved to line 3\n")));
}

TEST(FromPtx, CheckReadsFromPtxTheKernelsThatClangCannotRead) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "no nvcc";
  InputFolder folder;
  // Clang has no code for a kernel that uses what only nvcc declares.
  std::string source = folder.write(
      "a.cu", "#ifdef __clang__\n#define BROKEN undeclared +\n#else\n"
              "#define BROKEN\n#endif\n"
              "__global__ void rows(float *a) {\n"
              "  a[threadIdx.x * 32] = BROKEN 1;\n"
              "}\n"
              "void run(float *a) { rows<<<1, 64>>>(a); }\n");
  Outcome outcome = checkOnly(source);
  EXPECT_EQ(outcome.code, 3);
  outcome = runProgram({"check", "--from", "ptx", source});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("a.cu:7:"), HasSubstr("touches 32 sectors"),
                    HasSubstr("confirmed")));
}

} // namespace

// The program whole: what a user types, and what comes back. Each bad input
// ends with a sentence and the right exit code.
#include "input/toolkit.h"
#include "input_folder.h"
#include "nvcc.h"
#include "program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>
#include <sys/stat.h>

using namespace warplint;
using testing::AllOf;
using testing::AnyOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

const char *const strided =
    "__global__ void rows(float *a, int n) { a[threadIdx.x * n] = 0; }\n";
const char *const clean =
    "__global__ void copy(float *a) { a[threadIdx.x] = 0; }\n";

Outcome checkOnly(const std::string &path) {
  return runProgram({"check", "--no-judge", path});
}

/// A toolkit root with this machine's headers and, unless it is empty, `nvcc`
/// as a script. Empty if there is no toolkit to take headers from.
std::string stubToolkit(const InputFolder &folder, llvm::StringRef nvcc) {
  namespace path = llvm::sys::path;
  std::string real = nvccForTests();
  std::string include =
      includeFolder(path::parent_path(path::parent_path(real)));
  if (include.empty())
    return "";
  llvm::sys::fs::create_directory(folder / "toolkit");
  llvm::sys::fs::create_link(include, folder / "toolkit/include");
  if (!nvcc.empty())
    folder.writeProgram("toolkit/bin/nvcc", nvcc);
  return folder / "toolkit";
}

// ---- what a source can be

TEST(Cli, AnEmptyFileHasNoKernels) {
  InputFolder folder;
  Outcome outcome = checkOnly(folder.write("empty.cu"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "no kernels in 1 source\n");
}

TEST(Cli, ABinaryFileIsNamedAsNotRead) {
  InputFolder folder;
  std::string bytes;
  for (unsigned i = 0; i < 4096; ++i)
    bytes += char(i * 2654435761u >> 13);
  Outcome outcome = checkOnly(folder.write("binary.cu", bytes));
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, AllOf(StartsWith("no source could be linted\n"),
                                 HasSubstr("binary.cu: not read: binary.cu:")));
}

TEST(Cli, AnErrorInOneKernelLeavesTheOthersLinted) {
  InputFolder folder;
  Outcome outcome = checkOnly(folder.write(
      "a.cu", std::string(strided) +
                  "__global__ void bad(float *a) { a[0] = undeclared; }\n"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("a.cu:1:"), HasSubstr("[strided-global-access]"),
                    HasSubstr("a.cu: read in part: a.cu:2: use of undeclared "
                              "identifier 'undeclared'")));
}

TEST(Cli, AnErrorOutsideKernelsLeavesThemLinted) {
  InputFolder folder;
  Outcome outcome = checkOnly(
      folder.write("a.cu", std::string(clean) + "int main() { oops }\n"));
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, AllOf(StartsWith("no findings in 1 kernel"),
                                 HasSubstr("a.cu: read in part: a.cu:2: ")));
}

TEST(Cli, APipeOrDeviceIsNotReadForEver) {
  InputFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe.cu").c_str(), 0600), 0);
  for (const std::string &path :
       {folder / "pipe.cu", std::string("/dev/zero")}) {
    Outcome outcome = checkOnly(path);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err,
              "warplint: '" + path + "' is neither a file nor a folder\n");
  }
}

TEST(Cli, ADanglingLinkIsNamed) {
  InputFolder folder;
  std::string link = folder / "a.cu";
  llvm::sys::fs::create_link(folder / "gone.cu", link);
  Outcome outcome = checkOnly(link);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "warplint: '" + link + "' is a link to nothing\n");
}

TEST(Cli, FoldersWithoutSourcesAreNamed) {
  InputFolder folder;
  // A folder's name may end like a source's.
  for (const char *name : {"empty", "x.cu"}) {
    llvm::sys::fs::create_directory(folder / name);
    Outcome outcome = checkOnly(folder / name);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, StartsWith("warplint: no CUDA source"));
    EXPECT_THAT(outcome.err, EndsWith(" under '" + folder / name + "'\n"));
  }
}

// ---- compile databases

std::string database(const InputFolder &folder, llvm::StringRef command,
                     llvm::StringRef file) {
  return "[{\"directory\": \"" + folder.path + "\", \"command\": \"" +
         command.str() + "\", \"file\": \"" + file.str() + "\"}]";
}

TEST(Cli, AMissingDatabaseIsAFailure) {
  InputFolder folder;
  std::string source = folder.write("a.cu", clean);
  Outcome outcome = runProgram({"check", "-p", folder.path, source});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "warplint: folder '" + folder.path +
                             "' has no compile_commands.json; 'cmake "
                             "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON " +
                             folder.path + "' writes one\n");
}

// As every page of the documentation has it.
TEST(Cli, ADatabaseWithoutPathsGivesAllItsSources) {
  InputFolder folder, elsewhere;
  const std::string slow =
      folder.write("a.cu", "__global__ void k(float *out, const float *in) {\n"
                           "  out[threadIdx.x] = in[threadIdx.x * 32];\n}\n");
  elsewhere.write("compile_commands.json",
                  llvm::formatv("[{{\"directory\": \"{0}\", \"file\": "
                                "\"{1}\", \"command\": \"nvcc -c {1}\"}]",
                                folder.path, slow)
                      .str());
  Outcome checked = runProgram({"check", "--no-judge", "-p", elsewhere.path});
  EXPECT_EQ(checked.code, 1) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("[strided-global-access]"));
  Outcome counted = runProgram({"accesses", "--summary", "-p", elsewhere.path});
  EXPECT_THAT(counted.out, HasSubstr("1 source, 1 kernel read"));
}

// C++ that a build compiles as CUDA, as CMake does with LANGUAGE CUDA; its
// definitions decide which kernel there is.
TEST(Cli, TheCommandDecidesWhichSourcesAreCuda) {
  InputFolder folder;
  folder.write("a.cpp", std::string("#ifdef ROWS\n") + strided + "#endif\n");
  folder.write("flags.rsp", "-DROWS -O2");
  folder.write("compile_commands.json",
               database(folder, "nvcc -x cu @flags.rsp -c a.cpp", "a.cpp"));
  Outcome outcome = checkOnly(folder.path);
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("a.cpp:2:"));
}

TEST(Cli, FlagsAfterTheDashesReachTheCompiler) {
  InputFolder folder;
  std::string source = folder.write(
      "a.cu", "__global__ void k(float *a) { a[threadIdx.x * N] = 0; }\n");
  EXPECT_EQ(checkOnly(source).code, 3);
  Outcome one = runProgram({"check", "--no-judge", source, "--", "-DN=1"});
  EXPECT_EQ(one.code, 0) << one.out;
  Outcome four = runProgram({"check", "--no-judge", source, "--", "-DN=4"});
  EXPECT_EQ(four.code, 1) << four.out;
  EXPECT_THAT(four.out, HasSubstr("touches 16 sectors per request where 4"));
}

// ---- compilers

TEST(Cli, WithoutNvccFindingsAreUnjudged) {
  InputFolder folder;
  std::string toolkit = stubToolkit(folder, "");
  if (toolkit.empty())
    GTEST_SKIP() << "NO CUDA HEADERS: a toolkit without nvcc is not tested";
  Outcome outcome = runProgram(
      {"check", "--cuda-path", toolkit, folder.write("a.cu", strided)});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("= unjudged: no nvcc found\n"));
  EXPECT_THAT(outcome.out, HasSubstr("1 warning (unjudged: no nvcc found)\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("no nvcc found; \"pip install 'warplint[nvcc]'\" "
                        "installs one, and '--cuda-path DIR' or CUDA_PATH "
                        "names another toolkit\n"));
}

TEST(Cli, SourcesAreReadWithoutAToolkit) {
  // Else the one that is installed would be found.
  if (!includeFolder("/usr/local/cuda").empty())
    GTEST_SKIP() << "A TOOLKIT IS INSTALLED: only 'scripts/test --bare' can "
                    "test reading without one";
  InputFolder folder;
  Environment path("PATH", "/usr/bin:/bin"), cuda("CUDA_PATH", nullptr),
      home("CUDA_HOME", nullptr);
  // A shuffle is what the oldest PTX does not know.
  Outcome outcome = runProgram(
      {"check",
       folder.write("a.cu", "__global__ void rows(float *a, int n) {\n"
                            "  a[threadIdx.x * n] =\n"
                            "      __shfl_down_sync(~0u, a[threadIdx.x], 1);\n"
                            "}\n")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("= unjudged: no nvcc found\n"));
  EXPECT_THAT(outcome.out, HasSubstr("note: no CUDA toolkit was found: sources "
                                     "were read with a stand-in"));
}

// The wheel runs on machines where nothing else is installed.
TEST(Cli, AMissingCompilerIsNamedWhereItsHeadersAreMissing) {
  InputFolder folder;
  const std::string source =
      folder.write("a.cu", "#include <climits_of_no_system>\n"
                           "__global__ void k(float *a) { *a = 1; }\n");
  const char *note = "note: no C++ compiler was found: the headers of the C++ "
                     "library come with one, such as g++\n";
  EXPECT_THAT(runProgram({"check", "--no-judge", source}).out,
              Not(HasSubstr(note)));
  Environment path("PATH", "/nowhere");
  EXPECT_THAT(runProgram({"check", "--no-judge", source}).out, HasSubstr(note));
}

TEST(Cli, AnUnjudgedFindingQuotesNvccsError) {
  InputFolder folder;
  std::string toolkit = stubToolkit(
      folder,
      "#!/bin/sh\necho 'nvcc fatal   : no licence today' >&2\nexit 1\n");
  if (toolkit.empty())
    GTEST_SKIP() << "NO CUDA HEADERS: an nvcc that fails is not tested";
  Outcome outcome = runProgram(
      {"check", "--cuda-path", toolkit, folder.write("a.cu", strided)});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("= unjudged: "));
  EXPECT_THAT(outcome.out, HasSubstr("no licence today"));
}

TEST(Cli, AWrongToolkitFolderIsAFailure) {
  InputFolder folder;
  Outcome outcome = runProgram(
      {"check", "--cuda-path", folder.path, folder.write("a.cu", clean)});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "warplint: '--cuda-path " + folder.path +
                             "' is no CUDA toolkit: there is no cuda.h in its "
                             "include/\n");
}

TEST(Cli, WithoutATemporaryFolderFindingsAreUnjudged) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: judging without a temporary folder is not tested";
  InputFolder folder;
  Environment temporary("TMPDIR", "/none/such");
  Outcome outcome = runProgram({"check", folder.write("a.cu", strided)});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("= unjudged: no temporary folder can be "
                                     "made in '/none/such'"));
}

TEST(Cli, EachArchitectureOfTheCommandIsJudged) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: several architectures are not tested";
  InputFolder folder;
  folder.write("a.cu", strided);
  folder.write("compile_commands.json",
               database(folder,
                        "nvcc -gencode arch=compute_80,code=sm_80 "
                        "-gencode arch=compute_90,code=sm_90 -c a.cu",
                        "a.cu"));
  Outcome outcome = runProgram({"check", "--format", "json", folder.path});
  EXPECT_EQ(outcome.code, 1);
  auto json = llvm::json::parse(outcome.out);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Object &report = *json->getAsObject();
  const llvm::json::Object &finding =
      *report.getArray("findings")->front().getAsObject();
  EXPECT_EQ(finding.getString("verdict"), "confirmed");
  EXPECT_EQ(finding.getString("check"), "strided-global-access");
  EXPECT_EQ(finding.getInteger("line"), 1);
  std::vector<std::string> architectures;
  for (const llvm::json::Value &kernel : *finding.getArray("kernels"))
    architectures.push_back(kernel.getAsObject()->getString("arch")->str());
  EXPECT_THAT(architectures, testing::ElementsAre("sm_80", "sm_90"));
  EXPECT_EQ(report.getObject("summary")->getInteger("confirmed"), 1);
}

// A suspicion that the compiler cured is no reason to fail a build.
TEST(Cli, RefutedFindingsAreCountedAndShownOnRequest) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: refuted findings are not tested";
  InputFolder folder;
  std::string source = folder.write(
      "a.cu", "__global__ void k(float *__restrict__ out,\n"
              "                  const float *__restrict__ in, int n) {\n"
              "  for (int j = 0; j < n; ++j)\n"
              "    out[threadIdx.x] += in[j * 256 + threadIdx.x];\n"
              "}\n");
  Outcome hidden = runProgram({"check", source});
  EXPECT_EQ(hidden.code, 0) << hidden.out;
  EXPECT_EQ(hidden.out, "no findings in 1 kernel of 1 source, 1 suspicion "
                        "refuted by the compiled code (--refuted shows it)\n");
  Outcome shown = runProgram({"check", "--refuted", source});
  EXPECT_EQ(shown.code, 0);
  EXPECT_THAT(shown.out, AllOf(HasSubstr("a.cu:4:22: remark: "),
                               HasSubstr("[repeated-global-write]"),
                               HasSubstr(": refuted\n")));
}

// ---- words

TEST(Cli, MisspeltWordsGetASuggestion) {
  InputFolder folder;
  std::string source = folder.write("good.cu", clean);
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"chek", source}, "unknown command 'chek'; did you mean 'check'?"},
      {{source},
       "unknown command '" + source + "'; did you mean 'warplint check " +
           source + "'?"},
      {{"check", "--refutd", source},
       "'check' has no flag '--refutd'; did you mean '--refuted'?"},
      {{"check", folder / "god.cu"},
       "'" + folder / "god.cu" + "' does not exist; did you mean '" + source +
           "'?"},
      {{"check", "--check", "strided-global-acces", source},
       "there is no check 'strided-global-acces'; did you mean "
       "'strided-global-access'?"},
      {{"explain", "repeated-global-writes"},
       "there is no check 'repeated-global-writes'; did you mean "
       "'repeated-global-write'?"},
      {{"explain", "xyz"},
       "there is no check 'xyz'; 'warplint checks' lists them"},
      {{"check"}, "'check' needs a file or a folder: 'warplint check src/'"},
      {{"check", "--resource-dir", "/none", source},
       "Clang's resource directory is not at '/none'; --resource-dir tells "
       "where it is"},
  };
  for (const auto &[arguments, sentence] : cases) {
    Outcome outcome = runProgram(arguments);
    EXPECT_EQ(outcome.code, 2) << sentence;
    EXPECT_EQ(outcome.err, "warplint: " + sentence + "\n");
    EXPECT_EQ(outcome.out, "");
  }
}

TEST(Cli, OneCheckCanRunAlone) {
  InputFolder folder;
  std::string source = folder.write("a.cu", strided);
  EXPECT_EQ(runProgram({"check", "--no-judge", "--check",
                        "repeated-global-write", source})
                .code,
            0);
  EXPECT_EQ(runProgram({"check", "--no-judge", "--check",
                        "repeated-global-write,strided-global-access", source})
                .code,
            1);
}

TEST(Cli, ChecksAreListedAndExplained) {
  Outcome list = runProgram({"checks"});
  EXPECT_EQ(list.code, 0);
  for (const char *id : {"dynamic-local-array", "repeated-global-write",
                         "strided-global-access"}) {
    EXPECT_THAT(list.out, HasSubstr(id));
    Outcome page = runProgram({"explain", id});
    EXPECT_EQ(page.code, 0);
    EXPECT_THAT(page.out, AllOf(StartsWith(id), HasSubstr("\nSlow\n"),
                                HasSubstr("\nWhat to do\n"),
                                HasSubstr("\nMeasured on an NVIDIA H200")));
  }
}

// ---- accesses

const char *const threeAccesses =
    "__global__ void k(float *a, const int *index) {\n"
    "  __shared__ float tile[32][32];\n"
    "  tile[threadIdx.x][0] = a[threadIdx.x * 2];\n"
    "  a[index[threadIdx.x]] = tile[threadIdx.x][1];\n"
    "}\n"
    "void host(float *a, int *i) { k<<<1, 32>>>(a, i); }\n";

TEST(Cli, AccessesAreListedInSourceOrder) {
  InputFolder folder;
  Outcome outcome =
      runProgram({"accesses", folder.write("a.cu", threeAccesses)});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("k, blocks of 32x1x1\n"));
  size_t store = outcome.out.find("32-way conflict"),
         load = outcome.out.find("8 sectors, 4 needed"),
         scattered = outcome.out.find("depends on ");
  EXPECT_LT(store, load);
  EXPECT_LT(load, scattered);
  EXPECT_NE(scattered, std::string::npos);
}

TEST(Cli, CsvAndJsonHoldTheSameAccesses) {
  InputFolder folder;
  std::string source = folder.write("a.cu", threeAccesses);
  Outcome csv = runProgram({"accesses", "--format", "csv", source});
  Outcome text = runProgram({"accesses", "--format", "json", source});
  EXPECT_EQ(csv.code, 0);
  EXPECT_THAT(csv.out,
              StartsWith("file,line,column,kernel,block,block_from,space,op,"
                         "bytes,sectors_per_request,"));
  auto json = llvm::json::parse(text.out);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  EXPECT_EQ(json->getAsObject()->getInteger("schema"), 1);
  const llvm::json::Array &rows = *json->getAsObject()->getArray("accesses");
  EXPECT_EQ(rows.size(), 5u);
  EXPECT_EQ(size_t(llvm::count(csv.out, '\n')), rows.size() + 1);
  EXPECT_THAT(csv.out, HasSubstr(",k,32x1x1,launch,shared,store,4,,,32,"));
  EXPECT_EQ(rows[0].getAsObject()->getNumber("conflictWays"), 32);
}

// ---- the same every time

// ---- PTX

const char *const stridedPtx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry _Z4rowsPf(.param .u64 p)\n{\n.reg .b32 %r<3>;\n"
    ".reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd2, %r1, 64;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "st.global.u32 [%rd3], %r1;\nret;\n}\n";

TEST(Cli, PtxIsListedWithoutASource) {
  InputFolder folder;
  Outcome outcome = runProgram({"accesses", "--format", "csv", "--block", "64",
                                folder.write("rows.ptx", stridedPtx)});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out,
              HasSubstr("rows.ptx,12,0,rows,64x1x1,--block,global,store,4,32,4,"
                        ",32,32,32,exact,each time,p,,,\n"));
}

TEST(Cli, PtxIsCheckedWithoutASource) {
  InputFolder folder;
  Outcome outcome = checkOnly(folder.write("rows.ptx", stridedPtx));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("rows.ptx:12: warning: store of 'p' touches 32"),
                    HasSubstr("st.global.u32 [%rd3], %r1;")));
}

TEST(Cli, PtxTakesLaunchesFromSourcesOfTheRun) {
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

TEST(Cli, BrokenPtxIsNamedWithItsLine) {
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

TEST(Cli, FromPtxNeedsNvcc) {
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

TEST(Cli, FromPtxListsTheAccessesThatNvccMade) {
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

TEST(Cli, CheckReadsFromPtxTheKernelsThatClangCannotRead) {
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

TEST(Cli, ThreadsAndPathOrderDoNotChangeTheReport) {
  InputFolder folder;
  std::string a = folder.write("a.cu", strided),
              b = folder.write("b.cu", clean),
              c = folder.write("c.cu", std::string(strided) + "oops\n");
  std::string first =
      runProgram({"check", "--no-judge", "-j", "1", a, b, c}).out;
  EXPECT_THAT(first, HasSubstr("2 warnings"));
  EXPECT_EQ(runProgram({"check", "--no-judge", "-j4", a, b, c}).out, first);
  EXPECT_EQ(runProgram({"check", "--no-judge", "-j4", c, a, b, a}).out, first);
  EXPECT_EQ(runProgram({"check", "--no-judge", folder.path}).out, first);
}

// Each source costs a parse of CUDA's headers: some dozens are enough to meet
// all threads and several folders.
TEST(Cli, EverySourceOfALargeTreeIsRead) {
  InputFolder folder;
  for (unsigned i = 0; i < 24; ++i)
    folder.write("part" + std::to_string(i % 7) + "/" + std::to_string(i) +
                     ".cu",
                 i % 8 == 0 ? strided : clean);
  Outcome outcome = checkOnly(folder.path);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("\n3 warnings (unjudged: not compiled "
                                     "(--no-judge))\n"));
}

} // namespace

// ---- what the compiler has and Clang does not

TEST(Cli, KernelsThatOnlyNvccSeesAreNamed) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: kernels that Clang does not see are not tested";
  InputFolder folder;
  const std::string part = folder.write(
      "part.cu",
      "__global__ void seen(float *p) { p[threadIdx.x] = 1; }\n"
      "#ifndef __clang__\n"
      "template <int n> __global__ void hidden(float *p) { p[n] = 1; }\n"
      "void run(float *p) { hidden<3><<<1, 32>>>(p); }\n"
      "#endif\n");
  const std::string none = folder.write(
      "none.cu", "#ifndef __clang__\n"
                 "static __global__ void hidden(float *p) { p[0] = 1; }\n"
                 "void run(float *p) { hidden<<<1, 32>>>(p); }\n"
                 "#endif\n");
  for (const char *format :
       {"text", "json", "sarif", "github", "markdown", "html", "junit"}) {
    Outcome outcome = runProgram({"check", part, none, "--format", format});
    EXPECT_THAT(outcome.out, HasSubstr("hidden")) << format;
    EXPECT_THAT(outcome.out, HasSubstr("the compiler made it")) << format;
  }
  EXPECT_THAT(runProgram({"check", none}).out, HasSubstr("kernel 'hidden'"));
  EXPECT_THAT(runProgram({"check", "--no-judge", part}).out,
              testing::Not(HasSubstr("hidden")));
}

// Clang does not read the host code of libraries, which launches some.
TEST(Cli, ALibrarysOwnKernelsAreNotMissed) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: kernels of libraries are not tested";
  InputFolder folder;
  Outcome outcome = runProgram(
      {"check", folder.write("a.cu", "#include <thrust/device_vector.h>\n"
                                     "#include <thrust/sort.h>\n"
                                     "__global__ void mine(float *p) "
                                     "{ p[threadIdx.x * 32] = 1; }\n"
                                     "int main() {\n"
                                     "  thrust::device_vector<int> v(9);\n"
                                     "  thrust::sort(v.begin(), v.end());\n"
                                     "}\n")});
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("not read")));
}

TEST(Cli, DeviceFunctionsWithoutAKernelAreNoted) {
  InputFolder folder;
  const std::string twice =
      "__device__ float twice(float x) { return 2 * x; }\n";
  EXPECT_THAT(checkOnly(folder.write("a.cu", twice)).out,
              HasSubstr("a.cu has device functions and no kernel"));
  EXPECT_THAT(
      checkOnly(folder.write("b.cu", "#include \"a.cu\"\nint f();\n")).out,
      testing::Not(HasSubstr("device functions")));
  EXPECT_THAT(checkOnly(folder.write("c.cu", twice + clean)).out,
              testing::Not(HasSubstr("device functions")));
}

TEST(Cli, MachineCodeIsNoSource) {
  InputFolder folder;
  const std::string cubin = folder.write("a.cubin", "\x7f"
                                                    "ELF\x02\x01");
  for (const char *command : {"check", "accesses"}) {
    Outcome outcome = runProgram({command, cubin});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("is machine code"));
    EXPECT_THAT(outcome.err, HasSubstr("'warplint resources' reads"));
  }
}

// A lambda in a template has one place and as many kernels as arguments.
TEST(Cli, InstancesThatShareANameAreToldApart) {
  InputFolder folder;
  Outcome outcome = runProgram(
      {"accesses",
       folder.write(
           "a.cu",
           "template <class F> __global__ void apply(F f) { f(); }\n"
           "template <class T> void run(T *p) {\n"
           "  apply<<<1, 32>>>([=] __device__() { p[threadIdx.x] = 1; });\n"
           "}\n"
           "void all(float *p, double *q) { run(p); run(q); }\n"),
       "--", "--extended-lambda"});
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("[float]"), HasSubstr("[double]")));
}

TEST(Cli, ConstantMemoryIsListed) {
  InputFolder folder;
  Outcome outcome = runProgram(
      {"accesses",
       folder.write("a.cu", "__constant__ float c[64];\n"
                            "__global__ void k(float *p, int n) {\n"
                            "  p[threadIdx.x] = c[n] + c[threadIdx.x];\n"
                            "}\n")});
  EXPECT_THAT(outcome.out, HasSubstr("one address for all lanes"));
  EXPECT_THAT(outcome.out, HasSubstr("32 wavefronts"));
}

// ---- what is printed, and where the source comes from

TEST(Cli, ConciseIsOneLinePerFinding) {
  InputFolder folder;
  const std::string source = folder.write(
      "a.cu", std::string(strided) +
                  "__global__ void more(float *b, int n) { b[threadIdx.x * n] "
                  "= 0; }\n");
  Outcome outcome =
      runProgram({"check", "--no-judge", "--format", "concise", "-q", source});
  EXPECT_EQ(outcome.code, 1);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(outcome.out).trim().split(lines, '\n');
  ASSERT_EQ(lines.size(), 2u) << outcome.out;
  for (llvm::StringRef line : lines) {
    EXPECT_THAT(line.str(), AllOf(StartsWith(source + ":"),
                                  HasSubstr("[strided-global-access]"),
                                  HasSubstr("(unjudged")));
  }
}

TEST(Cli, MaxFindingsCountsTheOthers) {
  InputFolder folder;
  std::string text;
  for (int i = 0; i < 4; ++i)
    text += "__global__ void k" + std::to_string(i) +
            "(float *a, int n) { a[threadIdx.x * n] = 0; }\n";
  const std::string source = folder.write("a.cu", text);
  Outcome outcome =
      runProgram({"check", "--no-judge", "--max-findings", "1", source});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("1 warning (unjudged"));
  EXPECT_THAT(outcome.out, HasSubstr(", 3 beyond --max-findings"));
  // None is printed, and the run fails all the same.
  outcome = runProgram({"check", "--no-judge", "--max-findings=0", source});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("no findings in 4 kernels of 1 source, 4 "
                                     "beyond --max-findings"));
  outcome = runProgram({"check", "--no-judge", "--max-findings", "3",
                        "--format", "json", source});
  EXPECT_THAT(outcome.out, HasSubstr("\"beyond\": 1"));
}

TEST(Cli, QuietLeavesWhatCouldNotBeRead) {
  InputFolder folder;
  const std::string source = folder.write(
      "a.cu", std::string(clean) +
                  "__global__ void bad(float *a) { a[0] = undeclared; }\n");
  Outcome outcome = runProgram({"check", "--no-judge", "--quiet", source});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, StartsWith(source + ": read in part: "));
  EXPECT_THAT(outcome.out, Not(HasSubstr("no findings")));
  outcome =
      runProgram({"check", "--no-judge", "-q", folder.write("b.cu", clean)});
  EXPECT_EQ(outcome.out + outcome.err, "");
}

/// The program as a process, with `input` on standard input.
static Outcome runWithInput(std::vector<std::string> words,
                            llvm::StringRef input, llvm::StringRef out = "") {
  InputFolder folder;
  const std::string in = folder.write("in", input);
  const std::string file = out.empty() ? folder.write("out") : out.str();
  const std::string err = folder.write("err");
  words.insert(words.begin(), WARPLINT_BINARY);
  std::vector<llvm::StringRef> arguments(words.begin(), words.end());
  std::optional<llvm::StringRef> redirects[] = {
      llvm::StringRef(in), llvm::StringRef(file), llvm::StringRef(err)};
  Outcome outcome;
  outcome.code = llvm::sys::ExecuteAndWait(WARPLINT_BINARY, arguments,
                                           std::nullopt, redirects);
  if (out.empty())
    outcome.out = readFile(file);
  outcome.err = readFile(err);
  return outcome;
}

// An editor's text is newer than the file, which it may not even have.
TEST(Cli, StandardInputIsASource) {
  InputFolder folder;
  folder.write("stride.h", "constexpr int stride = 32;\n");
  const std::string text = "#include \"stride.h\"\n"
                           "__global__ void k(float *a) {\n"
                           "  a[threadIdx.x * stride] = 0;\n}\n";
  const std::string name = folder / "a.cu";
  for (bool isThere : {false, true}) {
    if (isThere)
      folder.write("a.cu", clean);
    Outcome outcome =
        runWithInput({"check", "-", "--stdin-filename", name}, text);
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(StartsWith(name + ":3:"),
                      HasSubstr("    3 |   a[threadIdx.x * stride] = 0;"),
                      HasSubstr("not compiled, since its text is not saved")));
  }
  // Text that is saved is judged, or unjudged for another reason.
  folder.write("a.cu", text);
  Outcome outcome = runWithInput({"check", "--stdin-filename", name}, text);
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, Not(HasSubstr("not saved")));
}

TEST(Cli, OutputThatCannotBeWrittenIsAFailure) {
  if (!llvm::sys::fs::exists("/dev/full"))
    GTEST_SKIP() << "no /dev/full here";
  InputFolder folder;
  const std::string source = folder.write("a.cu", strided);
  Outcome outcome =
      runWithInput({"check", "--no-judge", source}, "", "/dev/full");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "warplint: standard output cannot be written: No "
                         "space left on device\n");
  EXPECT_EQ(runWithInput({"help"}, "", "/dev/full").code, 2);
}

TEST(Cli, AHeaderAloneIsLinted) {
  InputFolder folder;
  folder.write("stride.h", "#pragma once\nconstexpr int stride = 32;\n");
  const std::string header = folder.write(
      "k.cuh",
      "#pragma once\n#include \"stride.h\"\n"
      "__global__ void k(float *a) { a[threadIdx.x * stride] = 0; }\n");
  Outcome outcome = checkOnly(header);
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(StartsWith(header + ":3:"),
                                 HasSubstr("[strided-global-access]")));
}

// ---- hints

TEST(Cli, AMissingHeaderComesWithTheWayToNameIt) {
  InputFolder folder;
  const std::string text = "#include \"field.h\"\n" + std::string(clean);
  const std::string source = folder.write("a.cu", text);
  folder.write("b.cu", text);
  Outcome outcome = checkOnly(folder.path);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out,
              HasSubstr("note: 'field.h' was not found for a.cu, nor headers "
                        "of 1 more source: '-p BUILD' takes the flags of a "
                        "build with a compile_commands.json, and '-- -IDIR' "
                        "names a folder of headers\n"));
}

TEST(Cli, ABuildFolderWithoutADatabaseIsNamed) {
  InputFolder folder;
  folder.write("a.cu", clean);
  folder.write("build/CMakeCache.txt");
  Outcome outcome = checkOnly(folder.path);
  EXPECT_THAT(outcome.out,
              HasSubstr("note: '" + folder / "build" +
                        "' has no compile_commands.json, so its flags are not "
                        "used; 'cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON " +
                        folder / "build" + "' writes one\n"));
  // A database that lacks the source is there all the same.
  folder.write("build/compile_commands.json", "[]");
  EXPECT_THAT(checkOnly(folder.path).out, Not(HasSubstr("writes one")));
}

TEST(Cli, AConfigurationOfAnotherNameIsAnError) {
  InputFolder folder;
  const std::string source = folder.write("a.cu", clean);
  folder.write(".warplint.yml", "checks: {}\n");
  Outcome outcome = checkOnly(source);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "warplint: '" + folder / ".warplint.yml" +
                             "' is not read: a configuration is called "
                             "'.warplint.yaml'\n");
}

TEST(Cli, ChecksAndTheirPagesAreJson) {
  Outcome outcome = runProgram({"checks", "--format", "json"});
  auto list = llvm::json::parse(outcome.out);
  ASSERT_TRUE(bool(list));
  ASSERT_FALSE(list->getAsArray()->empty());
  for (const llvm::json::Value &check : *list->getAsArray()) {
    const std::string id = check.getAsObject()->getString("id")->str();
    outcome = runProgram({"explain", id, "--format", "json"});
    auto page = llvm::json::parse(outcome.out);
    ASSERT_TRUE(bool(page)) << id;
    EXPECT_EQ(page->getAsObject()->getString("id"), id);
    for (const char *field : {"level", "summary", "why", "slow", "fast",
                              "cures", "whenNot", "since"})
      EXPECT_TRUE(page->getAsObject()->getString(field)) << id << field;
  }
}

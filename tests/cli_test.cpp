// The program whole: what a user types, and what comes back. Each bad input
// ends with a sentence and the right exit code.
#include "program_runs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <sys/stat.h>

using namespace warplint;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

// ---- what a source can be

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

TEST(Cli, AWrongToolkitFolderIsAFailure) {
  InputFolder folder;
  Outcome outcome = runProgram(
      {"check", "--cuda-path", folder.path, folder.write("a.cu", clean)});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "warplint: '--cuda-path " + folder.path +
                             "' is no CUDA toolkit: there is no cuda.h in its "
                             "include/\n");
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

} // namespace

// ---- what the compiler has and Clang does not

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

// A newcomer has no build yet: the line that reads more is in the note.
TEST(Cli, AMissingHeaderOfTheProjectComesWithItsFolder) {
  InputFolder folder;
  folder.write(".git/HEAD");
  // What an open condition includes may be of another system: it is named alone.
  auto including = [](const std::string &header) {
    return "#ifdef __SIZEOF_INT__\n#include \"" + header + "\"\n#endif\n" + clean;
  };
  folder.write("src/a.cu", including("heat/field.h"));
  folder.write("src/b.cu", including("util.h"));
  folder.write("include/heat/field.h");
  folder.write("other/util.h");
  folder.write("src/lib/util.h");
  Outcome outcome = checkOnly(folder / "src");
  EXPECT_THAT(outcome.out, HasSubstr("'-- -I" + (folder / "include") + " -I" +
                                     (folder / "src/lib") +
                                     "' names folders that have them\n"));
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

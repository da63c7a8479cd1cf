// The cache from run to run: records are found if nothing changed, and never
// if anything did.
#include "cached_run.h"
#include "clang/Serialization/ASTBitCodes.h"
#include "llvm/Bitstream/BitstreamReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace warplint;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class RunCached : public CachedRun {};

constexpr const char *strided =
    "__global__ void k(float *out, const float *in) {\n"
    "  out[threadIdx.x] = in[threadIdx.x * 32];\n"
    "}\n";

} // namespace

TEST_F(RunCached, ASecondRunReportsTheSameAndWritesNoRecord) {
  write("a.cu", strided);
  write("b.cu", std::string("#include \"b.h\"\n") + strided);
  write("b.h", "__device__ inline float f(float x) { return x; }\n");
  write("broken.cu", "__global__ void k() { undeclared(); }\n");
  letFilesAge();
  const std::string first = json();
  EXPECT_THAT(first, HasSubstr("strided-global-access"));
  EXPECT_THAT(first, HasSubstr("undeclared"));
  const uint64_t before = records();
  EXPECT_EQ(json(), first);
  EXPECT_EQ(records(), before);
  options.cache.folder = "";
  EXPECT_EQ(json(), first);
}

TEST_F(RunCached, AChangedSourceIsReadAgain) {
  write("a.cu", strided);
  EXPECT_THAT(lines(), ElementsAre(2));
  const std::string changed = std::string("\n\n") + strided;
  write("a.cu", changed);
  EXPECT_THAT(lines(), ElementsAre(4));
  // Read again: no header was precompiled for the first source.
  write("a.cu", strided);
  EXPECT_THAT(lines(), ElementsAre(2));
  // As they were: known again.
  const uint64_t before = records();
  write("a.cu", changed);
  EXPECT_THAT(lines(), ElementsAre(4));
  write("a.cu", strided);
  EXPECT_THAT(lines(), ElementsAre(2));
  EXPECT_EQ(records(), before);
}

TEST_F(RunCached, AChangedHeaderIsReadAgain) {
  write("a.cu", "#include \"step.h\"\n"
                "__global__ void k(float *out, const float *in) {\n"
                "  out[threadIdx.x] = in[threadIdx.x * STEP];\n"
                "}\n");
  write("step.h", "#define STEP 1\n");
  EXPECT_THAT(lines(), IsEmpty());
  write("step.h", "#define STEP 32\n");
  EXPECT_THAT(lines(), ElementsAre(3));
}

// No file that was read has changed.
TEST_F(RunCached, ANewHeaderEarlierInTheSearchIsRead) {
  options.sources.extraFlags = {"-Ifirst", "-Isecond"};
  options.sources.paths = {folder / "a.cu"};
  for (size_t i = 0; i < 2; ++i)
    options.sources.extraFlags[i] = "-I" + folder / (i ? "second" : "first");
  write("a.cu", "#include <step.h>\n"
                "__global__ void k(float *out, const float *in) {\n"
                "  out[threadIdx.x] = in[threadIdx.x * STEP];\n"
                "}\n");
  write("second/step.h", "#define STEP 1\n");
  EXPECT_THAT(lines(), IsEmpty());
  write("first/step.h", "#define STEP 32\n");
  EXPECT_THAT(lines(), ElementsAre(3));
}

// One of the C++ library's names, whose headers are precompiled.
TEST_F(RunCached, ANewHeaderThatHidesTheLibrarysIsRead) {
  options.sources.paths = {folder / "a.cu"};
  options.sources.extraFlags = {"-I" + folder / "mine"};
  write("mine/other.h", "");
  write("a.cu", "#include <array>\n"
                "#ifndef STEP\n#define STEP 1\n#endif\n"
                "__global__ void k(float *out, const float *in) {\n"
                "  out[threadIdx.x] = in[threadIdx.x * STEP];\n"
                "}\n");
  EXPECT_THAT(lines(), IsEmpty());
  write("mine/array", "#define STEP 32\n");
  EXPECT_THAT(lines(), ElementsAre(6));
}

TEST_F(RunCached, ALaunchChangedInAnotherSourceCounts) {
  write("a.cu", "__global__ void k(float *out, const float *in) {\n"
                "  int i = threadIdx.y * blockDim.x + threadIdx.x;\n"
                "  out[i] = in[threadIdx.x * 8 + threadIdx.y];\n"
                "}\n");
  auto main = [&](llvm::StringRef block) {
    write("b.cu", "__global__ void k(float *out, const float *in);\n"
                  "void run(float *a, float *b) { k<<<1, dim3(" +
                      block.str() + ")>>>(a, b); }\n");
  };
  main("4, 8");
  const std::string few = json();
  main("256, 1");
  const std::string many = json();
  EXPECT_NE(few, many);
  options.cache.folder = "";
  EXPECT_EQ(json(), many);
}

TEST_F(RunCached, AChangedConfigurationCounts) {
  write("a.cu", strided);
  EXPECT_THAT(lines(), ElementsAre(2));
  write(".warplint.yaml", "checks:\n  strided-global-access: off\n");
  EXPECT_THAT(lines(), IsEmpty());
  write(".warplint.yaml", "checks:\n  strided-global-access: opinion\n");
  Report report = run();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].level, Level::Opinion);
}

TEST_F(RunCached, ChangedFlagsCount) {
  options.sources.paths = {
      write("a.cu", "__global__ void k(float *out, const float *in) {\n"
                    "  out[threadIdx.x] = in[threadIdx.x * STEP];\n"
                    "}\n")};
  options.sources.extraFlags = {"-DSTEP=1"};
  EXPECT_THAT(lines(), IsEmpty());
  options.sources.extraFlags = {"-DSTEP=32"};
  EXPECT_THAT(lines(), ElementsAre(2));
}

TEST_F(RunCached, AnAllowanceInAnUnchangedFileCounts) {
  write("a.cu", "// warplint: allow-file(strided-global-access) it is small\n" +
                    std::string(strided));
  EXPECT_THAT(lines(), IsEmpty());
  EXPECT_THAT(lines(), IsEmpty());
}

// In a shared folder any file may vanish at any time.
TEST_F(RunCached, AnyRecordMayBeMissing) {
  write("a.cu", strided);
  const std::string first = json();
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry(options.cache.folder, error),
       end;
       entry != end; entry.increment(error))
    files.push_back(entry->path());
  ASSERT_GT(files.size(), 3u);
  for (const std::string &file : files) {
    llvm::sys::fs::remove(file);
    EXPECT_EQ(json(), first) << file;
  }
}

/// A stand-in for nvcc that counts its runs; `text` is what it does.
class CompiledCache : public CachedRun {
protected:
  void SetUp() override {
    CachedRun::SetUp();
    options.compiling.judge = true;
    options.sources.cudaPath = toolkit.path;
    toolkit.write("include/cuda.h", "#define CUDA_VERSION 13000\n");
    toolkit.write("include/cuda_runtime.h", "");
    toolkit.write("version.json", R"({"cuda_nvcc": {"version": "13.0.88"}})");
    write("a.cu", strided);
  }
  void nvccDoes(llvm::StringRef text) {
    toolkit.writeProgram("bin/nvcc", "#!/bin/sh\necho x >>'" + toolkit.path +
                                         "/runs'\n" + text.str());
  }
  uint64_t runs() {
    uint64_t size = 0;
    llvm::sys::fs::file_size(toolkit / "runs", size);
    return size / 2;
  }

  InputFolder toolkit;
  Environment path{"PATH", "/usr/bin:/bin"}, cudaPath{"CUDA_PATH", nullptr},
      home{"CUDA_HOME", nullptr};
};

// A cached result stays right if nvcc can no longer run.
TEST_F(CompiledCache, CompiledCodeIsCached) {
  nvccDoes("echo 'error: no such thing' >&2\nexit 1\n");
  const std::string first = json();
  const uint64_t compiled = runs();
  EXPECT_GT(compiled, 0u);
  EXPECT_EQ(json(), first);
  EXPECT_EQ(runs(), compiled);
}

// Behind #ifdef __NVCC__, say.
TEST_F(CompiledCache, AHeaderThatOnlyNvccReadsCounts) {
  const std::string header = write("only.h", "int x;\n");
  nvccDoes("while [ $# -gt 0 ]; do\n"
           "case \"$1\" in -E) preprocesses=1;; -o) out=$2;; esac; shift\n"
           "done\n"
           "if [ \"$preprocesses\" ]; then\n"
           "printf '# 1 \"a.cu\"\\n# 1 \"" +
           header +
           "\" 1\\nint x;\\n' >\"$out\"; exit 0; fi\n"
           "echo 'error: no such thing' >&2\nexit 1\n");
  run();
  const uint64_t compiled = runs();
  run();
  EXPECT_EQ(runs(), compiled);
  write("only.h", "int x, y;\n");
  run();
  EXPECT_EQ(runs(), 2 * compiled);
}

// Else what holds the registers stays unknown after the disassembler was
// installed.
TEST_F(CompiledCache, ADisassemblerThatIsInstalledLaterCounts) {
  nvccDoes("while [ $# -gt 0 ]; do\n"
           "case \"$1\" in -E) preprocesses=1;; -o) out=$2;; esac; shift\n"
           "done\n"
           "if [ \"$preprocesses\" ]; then\n"
           "printf '# 1 \"a.cu\"\\n' >\"$out\"; exit 0; fi\n"
           "echo 'error: no such thing' >&2\nexit 1\n");
  run();
  const uint64_t compiled = runs();
  toolkit.writeProgram("bin/nvdisasm", "#!/bin/sh\nexit 1\n");
  run();
  EXPECT_EQ(runs(), 2 * compiled) << "beside nvcc";
  llvm::sys::fs::remove(toolkit / "bin/nvdisasm");
  run();
  EXPECT_EQ(runs(), 2 * compiled) << "as at first";
  toolkit.writeProgram("more/nvdisasm", "#!/bin/sh\nexit 1\n");
  const std::string longer = "/usr/bin:/bin:" + toolkit.path + "/more";
  Environment path("PATH", longer.c_str());
  run();
  EXPECT_EQ(runs(), 3 * compiled) << "on PATH";
}

/// Three sources that include a large library, one of them in another way.
class LibraryCache : public CachedRun {
protected:
  void SetUp() override {
    CachedRun::SetUp();
    const std::string large(3'000'000, ' ');
    write("lib/large/sum.h",
          "#pragma once\n/*" + large +
              "*/\n"
              "#ifdef LARGE_STRIDE\n#define LARGE_BY LARGE_STRIDE\n"
              "#else\n#define LARGE_BY 1\n#endif\n");
    std::string commands;
    for (const char *name : {"a.cu", "b.cu", "c.cu"}) {
      const std::string source = write(
          name, std::string("#include \"own.h\"\n#include <large/sum.h>\n") +
                    strided +
                    "__global__ void library(float *out, const float *in) {\n"
                    "  out[threadIdx.x] = in[threadIdx.x * LARGE_BY];\n}\n");
      options.sources.paths.push_back(source);
      commands +=
          (commands.empty() ? "[" : ",\n") +
          (R"({"directory": ")" + folder.path + R"(", "file": ")" + source +
           R"(", "command": "nvcc -isystem lib -c )" + name + "\"}");
    }
    write("own.h", "#define OWN 1\n");
    write("compile_commands.json", commands + "]");
    options.sources.paths.erase(options.sources.paths.begin());
    options.sources.database = folder.path;
    options.limits.threads = 1;
  }

  /// Counts the precompiled headers in the cache.
  unsigned precompiledHeaders() {
    unsigned count = 0;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator file(options.cache.folder, error),
         end;
         !error && file != end; file.increment(error))
      if (auto text = llvm::MemoryBuffer::getFile(file->path()))
        count += (*text)->getBuffer().starts_with("CPCH");
    return count;
  }
};

TEST_F(LibraryCache, ALibraryHeaderOfManySourcesIsParsedOnce) {
  const std::string cache = options.cache.folder;
  options.cache.folder = "";
  const std::string plain = json();
  options.cache.folder = cache;
  EXPECT_EQ(json(), plain);
  EXPECT_EQ(precompiledHeaders(), 2u); // all sources', and the library's
  EXPECT_EQ(json(), plain);
  EXPECT_EQ(precompiledHeaders(), 2u);
}

// A macro that comes before it may change it.
TEST_F(LibraryCache, AHeaderThatAMacroChangesIsParsedAgain) {
  EXPECT_THAT(lines(), Each(4u));
  write("own.h", "#define LARGE_STRIDE 32\n");
  EXPECT_THAT(lines(), Contains(7u));
  write("own.h", "#define OWN 2\n");
  EXPECT_THAT(lines(), Each(4u));
}

TEST_F(LibraryCache, AHeaderBeforeTheLibrarysInTheSearchIsRead) {
  EXPECT_THAT(lines(), Each(4u));
  write("own/large/sum.h", "#define LARGE_BY 32\n");
  std::string database;
  {
    auto text = llvm::MemoryBuffer::getFile(folder / "compile_commands.json");
    ASSERT_TRUE(bool(text));
    database = (*text)->getBuffer().str();
  }
  for (size_t at = 0;
       (at = database.find("-isystem lib", at)) != std::string::npos; at += 20)
    database.insert(at, "-I own ");
  write("compile_commands.json", database);
  EXPECT_THAT(lines(), Contains(7u));
}

// A source whose command cannot be read is not read without its flags.
TEST_F(RunCached, AnUnreadableCommandIsReported) {
  const std::string source = write("a.cu", strided);
  write("compile_commands.json",
        R"([{"directory": ")" + folder.path + R"(", "file": ")" + source +
            R"(", "command": "nvcc @gone.rsp -c a.cu"}])");
  options.sources.database = folder.path;
  options.sources.paths = {source};
  for (int iteration = 0; iteration < 2; ++iteration)
    EXPECT_THAT(json(), HasSubstr("response file 'gone.rsp'"));
}

namespace {

std::string textOf(const std::string &file) {
  auto text = llvm::MemoryBuffer::getFile(file);
  return text ? (*text)->getBuffer().str() : "";
}

/// Files of Clang's, not records.
std::vector<std::string> precompiledHeadersIn(const std::string &folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error))
    if (llvm::StringRef(textOf(entry->path())).starts_with("CPCH"))
      found.push_back(entry->path());
  return found;
}

/// Overwrites all declarations and types, so that Clang ends the process when
/// it reads the first one.
std::string withoutDeclarations(std::string header) {
  namespace ast = clang::serialization;
  llvm::BitstreamCursor cursor{llvm::StringRef(header)};
  llvm::cantFail(cursor.Read(32)); // "CPCH"
  while (!cursor.AtEndOfStream()) {
    const llvm::BitstreamEntry entry = llvm::cantFail(cursor.advance());
    if (entry.Kind == llvm::BitstreamEntry::Record) {
      llvm::cantFail(cursor.skipRecord(entry.ID));
    } else if (entry.Kind == llvm::BitstreamEntry::SubBlock) {
      unsigned words = 0;
      if (entry.ID == ast::AST_BLOCK_ID) {
        llvm::cantFail(cursor.EnterSubBlock(entry.ID));
      } else if (entry.ID == ast::DECLTYPES_BLOCK_ID) {
        llvm::cantFail(cursor.EnterSubBlock(entry.ID, &words));
        const size_t begin = cursor.GetCurrentBitNo() / 8;
        std::fill_n(header.begin() + begin, words * 4, '\xff');
        return header;
      } else {
        llvm::cantFail(cursor.SkipBlock());
      }
    }
  }
  ADD_FAILURE() << "no declarations";
  return header;
}

} // namespace

// Its hash is that of the damaged header, as after a fault in the memory of the
// process that made it. It would end every later run in a crash.
TEST_F(RunCached, APrecompiledHeaderWithWhichClangCrashesIsDropped) {
  write("a.cu", strided);
  EXPECT_THAT(lines(), ElementsAre(2u));
  // A first source takes longer to precompile its headers than to be read.
  EXPECT_THAT(precompiledHeadersIn(options.cache.folder), IsEmpty());
  write("a.cu", std::string(strided) + "// changed\n");
  EXPECT_THAT(lines(), ElementsAre(2u));
  const std::vector<std::string> headers =
      precompiledHeadersIn(options.cache.folder);
  ASSERT_EQ(headers.size(), 1u);
  const std::string damaged = withoutDeclarations(textOf(headers[0]));
  std::ofstream(headers[0], std::ios::binary) << damaged;
  Store(options.cache.folder)
      .put(Key("precompiled header hash")
               .add(llvm::sys::path::filename(headers[0]))
               .text(),
           contentHash(damaged));
  write("a.cu", std::string(strided) + "// read again\n");
  EXPECT_THAT(lines(), ElementsAre(2u)); // by the second, without it
  EXPECT_FALSE(llvm::sys::fs::exists(headers[0]));
  write("a.cu", std::string(strided) + "// and again\n");
  EXPECT_THAT(lines(), ElementsAre(2u));
  EXPECT_TRUE(llvm::sys::fs::exists(headers[0])); // made anew
}

// A folder that others write to would stop the run for ever.
TEST_F(RunCached, PipesInThePlaceOfRecordsAreMisses) {
  write("a.cu", strided);
  const std::string first = json();
  std::vector<std::string> files;
  for (const auto &entry :
       std::filesystem::directory_iterator(options.cache.folder))
    if (entry.is_regular_file())
      files.push_back(entry.path());
  EXPECT_FALSE(files.empty());
  for (const std::string &file : files) {
    llvm::sys::fs::remove(file);
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  }
  EXPECT_EQ(json(), first);
}
